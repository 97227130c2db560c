"""A theorem as a mathematician would state it; where there is none, what was tried and what that means."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from fibprover.automata.word_expression import regular_expression
from fibprover.errors import FibproverError
from fibprover.games.findings.context import Finding
from fibprover.games.proof import Proof
from fibprover.games.ready import CALL, READY, WYTHOFF, game_named
from fibprover.games.rules import STEPS, VECTORS, Game
from fibprover.games.search import GROWTH, GROWTH_FROM, Discovery, SearchAttempt
from fibprover.numeration.system import NumerationSystem

if TYPE_CHECKING:
    from fibprover.games.theorem import Theorem


WIDTH = 110

#: How many positions are shown as examples, and among how many they are looked for.
EXAMPLES, LOOK = 10, 1000

#: Statements longer than this are cut, so that so much of their beginning and of their end remains.
LONG, HEAD, TAIL = 800, 300, 120
CUT = "[...]"

#: The longest regular expression that is shown.
LONGEST = 100

#: How many rows a table of what was tried has at most, and how many reasons of refusal are told.
ROWS = 12

MEANING = {
    "no automaton": "In each of the systems tried the states of the inferred automata grow, with the bound N of the "
    f"data from {GROWTH_FROM} on, faster than N^{GROWTH}.  That is evidence that the P-positions are not automatic in "
    "these systems, and no proof.",
    "undecided": "No candidate was proved within the budget and the data.  More time (--timeout), data to a larger "
    "bound (--largest) or other systems (--system) may decide it.",
    "refuted": "What the data suggest was refuted by the prover, and there were no more data.  Data to a larger bound "
    "(--largest) or other systems (--system) may decide it.",
}

#: What the words in the table of attempts mean.
OUTCOMES = {
    "grows": "the states grow like a power of the bound",
    "too few data": "the data do not say enough for a candidate",
    "too large": "the proof did not end within its budget",
    "refuted": "the candidate is wrong at, or near, the position",
}


def theorem_text(theorem: Theorem) -> str:
    """What is known about a game, in paragraphs."""
    found = theorem.discovery
    rules = ["Two players take turns on two piles, of a and b counters.", *rules_in_words(found.game)]
    parts = [_paragraph("  ".join([f"Game.  {game_title(found.game)}.", *rules]))]
    if not theorem:
        return "\n\n".join([*parts, *_failure(found)])
    parts += [_paragraph(f"Theorem.  {_statement(theorem)}"), _paragraph(f"Proof.  {_proof(found)}")]
    if theorem.findings:
        parts.append("\n".join(_numbered(theorem.findings)))
    if theorem.undecided:
        parts.append(_paragraph(undecided_in_words(theorem)))
    if any(len(finding.statement) > LONG for finding in theorem.findings):
        parts.append(f"{CUT}: the whole statement is in the JSON (--json FILE).")
    return "\n\n".join(parts)


def undecided_in_words(theorem: Theorem) -> str:
    """What the limits did not suffice for, as a sentence; nothing if they did."""
    return f"Not decided within the limits: {', '.join(theorem.undecided)}." if theorem.undecided else ""


def _paragraph(text: str, indent: str = "") -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


# -- proved ------------------------------------------------------------------------------------------------


def _statement(theorem: Theorem) -> str:
    """What the P-positions are: their automaton, some of them, and a regular expression if it is short."""
    data = theorem.discovery.data
    half = " with a <= b" if theorem.symmetric else ""
    said = [
        f"The P-positions (a,b) are recognized, in the numeration system {system_in_words(theorem.system)}, by an "
        f"automaton with {counted(theorem.automaton.states, 'state')}."
    ]
    pairs = zip(data.a[:LOOK].tolist(), data.b[:LOOK].tolist(), strict=True)
    shown = [(a, b) for a, b in pairs if not theorem.symmetric or a <= b][:EXAMPLES]
    if shown:
        said.append(f"Among those{half} are {', '.join(f'({a},{b})' for a, b in shown)}.")
    expression = _expression(theorem)
    if expression:
        said.append(f"Digit by digit, [digit of a, digit of b], those{half} are written {expression}.")
    return "  ".join(said)


def _expression(theorem: Theorem) -> str:
    """A regular expression for the positions, of those with a <= b if the rest is symmetric; "" if it is long."""
    if theorem.automaton.states > LONGEST:
        return ""
    formula = "$P(a,b) & a<=b" if theorem.symmetric else "$P(a,b)"
    found = regular_expression(theorem.session().relation(formula).automaton, LONGEST // 5)
    return found if found is not None and len(found) <= LONGEST else ""


def _proof(found: Discovery) -> str:
    """What was decided, and where the automaton came from."""
    said = []
    if found.candidate is not None:
        said.append(
            f"The automaton was inferred from {counted(found.candidate.positions, 'P-position')} with piles below "
            f"{found.candidate.bound}; that it is right was decided by fibprover:"
        )
    enough = found.game.blocked + 1
    few = "no option" if enough == 1 else f"fewer than {enough} options"
    many = "an option" if enough == 1 else f"{enough} or more options"
    live = "position of the set that is not terminal" if found.game.terminal else "position of the set"
    claims = ["all terminal positions are in its set"] if found.game.terminal else []
    claims += [f"every {live} has {few} in it (stable)", f"every other position has {many} in it (absorbing)"]
    said.append(f"{listed(claims)}.  Since moves make a+b smaller, only one set is like that.")
    return " ".join(said) + (f"  {_largest(found.proof)}" if found.proof is not None else "")


def _largest(proof: Proof) -> str:
    return f"The largest automaton in the proof has {counted(proof.states, 'state')}."


def _numbered(findings: Sequence[Finding]) -> Iterator[str]:
    """The findings as numbered sentences."""
    for number, finding in enumerate(findings, start=1):
        head = f"{number}. "
        yield _paragraph(head + sentence(shorten(finding.statement)), " " * len(head))


def shorten(statement: str) -> str:
    """A statement, its middle left out if it is long."""
    if len(statement) <= LONG:
        return statement
    return f"{statement[:HEAD].rpartition(' ')[0]} {CUT} {statement[-TAIL:].partition(' ')[2]}"


# -- not proved --------------------------------------------------------------------------------------------


def _failure(found: Discovery) -> Iterator[str]:
    """What was tried, and what it means."""
    tried = [attempt for attempt in found.attempts if attempt.outcome != "refused"]
    meaning = MEANING[found.status] if tried else "No system could be used."
    yield _paragraph(f"No theorem: {found.status}.  {meaning}")
    ended = f", {found.data.terminal} of them terminal" if found.data.terminal else ""
    yield f"Data: {counted(len(found.data), 'P-position')} below {found.data.bound}{ended}."
    if tried:
        yield attempts_table(tried)
        seen = {attempt.outcome for attempt in {attempt.system: attempt for attempt in tried}.values()}
        yield "\n".join(f"{word}: {meaning}" for word, meaning in OUTCOMES.items() if word in seen)
    refused = {attempt.system: attempt.reason for attempt in found.attempts if attempt.outcome == "refused"}
    if refused:
        lines = [f"{system}: {' '.join(reason.split())}" for system, reason in list(refused.items())[:ROWS]]
        more = [f"and {len(refused) - ROWS} more"] if len(refused) > ROWS else []
        shown = [_paragraph(f"  {line}", "    ") for line in lines + more]
        yield "\n".join(["Systems that could not be used:", *shown])


def attempts_table(attempts: Sequence[SearchAttempt]) -> str:
    """States of the inferred automata, a row for each system and a column for each bound, and what became of the last.

    The systems that came farthest, and among these those with the fewest states, come first.
    """
    bounds = sorted({attempt.bound for attempt in attempts})
    rows: dict[str, dict[int, SearchAttempt]] = {}
    for attempt in attempts:
        rows.setdefault(attempt.system, {})[attempt.bound] = attempt
    last = {system: row[max(row)] for system, row in rows.items()}
    order = sorted(rows, key=lambda system: (-last[system].bound, last[system].states))
    lines = [("states from data below", *map(str, bounds), "")]
    for system in order[:ROWS]:
        cells = [str(rows[system][bound].states) if bound in rows[system] else "" for bound in bounds]
        lines.append((system, *cells, outcome_in_words(last[system])))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = []
    for first, *cells, end in lines:
        numbers = "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths[1:-1], strict=True))
        text.append(f"{first:{widths[0]}}{numbers}  {end}".rstrip())
    if len(order) > ROWS:
        text.append(_paragraph(f"and {len(order) - ROWS} more systems: {', '.join(order[ROWS:])}", "  "))
    return "\n".join(text)


def outcome_in_words(attempt: SearchAttempt) -> str:
    """What became of a candidate."""
    if attempt.outcome == "refuted" and attempt.failure is not None:
        return f"refuted at ({attempt.failure[0]},{attempt.failure[1]})"
    return attempt.outcome


def statement_and_proof(theorem: Theorem) -> tuple[str, str]:
    """The statement and its proof, or what it means that there is none and from which data: each as one line."""
    found = theorem.discovery
    said = (_statement(theorem), _proof(found)) if theorem else islice(_failure(found), 2)
    first, second = (" ".join(text.split()) for text in said)
    return first, second



# ---- wording
# The rules of a game and a numeration system in words, as they stand in a theorem.

#: Values of a system's digits that are shown.
SHOWN = 8

ONE_PILE = "any number of counters from one pile"
SAME = f"{ONE_PILE}, or the same number from both"


def game_title(game: Game) -> str:
    """What a game is called, and what it is called in the literature if that is something else."""
    found, numbers = _ready_made(game)
    match found if CALL.fullmatch(game.name) else "", numbers:
        case "terminal", [l]:
            return f"{game}, the game K^{l}"
        case "blocking", [k]:
            return f"{game}, the game W^{k}"
        case "wythoff", [] | [1] | [1, 1]:
            return f"{game}, Wythoff's game"
        case "wythoff", [m]:
            return f"{game}, {m}-Wythoff"
        case "wythoff", [s, m]:
            return f"{game}, the ({s},{m})-game"
        case "splithoff", [] | [1]:
            return f"{game}, Splithoff"
        case "splithoff", [a]:
            return f"{game}, {a}-Splithoff"
    return game.name


def rules_in_words(game: Game) -> tuple[str, ...]:
    """The rules of a game, a sentence each."""
    sentences = [moves_in_words(game)]
    if game.blocked:
        options = "one option" if game.blocked == 1 else f"up to {game.blocked} options"
        sentences.append(f"Before each move the other player may forbid {options}.")
    if game.terminal:
        sentences.append(f"Positions (a,b) with {' '.join(game.terminal.split())} are terminal.")
        sentences.append("Who is to move at a terminal position, or cannot move, loses.")
    else:
        sentences.append("Who cannot move loses.")
    return tuple(sentences)


def moves_in_words(game: Game) -> str:
    """What a move does, in a sentence: in words if the game is ready-made or its moves are those of Wythoff's."""
    known = _taken(*_ready_made(game))
    if known:
        return f"A move takes {known}."
    if game.form == VECTORS:
        moves = " ".join(game.formula.split())
        if moves.replace(" ", "") == WYTHOFF.replace(" ", ""):
            return f"A move takes {SAME}."
        return f"A move takes i counters from the first pile and j from the second, (i,j) not (0,0), with {moves}."
    if game.form == STEPS:
        return f"A move leads from (p,q) to (r,s) if {' '.join(game.formula.split())}."
    return f"The moves are those of the Python function {getattr(game.moves, '__name__', 'given')}."


def _ready_made(game: Game) -> tuple[str, list[int]]:
    """The name and the numbers of a ready-made game; "" for other games, whatever they are called."""
    found = CALL.match(game.name)
    if found is None or found[1] not in READY:
        return "", []
    try:
        same = game_named(found[0])
    except FibproverError:
        return "", []
    if (same.form, same.moves) != (game.form, game.moves):
        return "", []
    return found[1], [int(number) for number in (found[3] or "").split(",") if number.strip()]


def _taken(name: str, numbers: list[int]) -> str:
    """What a move of a ready-made game takes."""
    match name:
        case "":
            return ""
        case "nim":
            sizes = [str(size) for size in sorted(set(numbers))]
            one = "1 counter" if sizes == ["1"] else f"{_either(sizes)} counters" if sizes else ""
            return f"{one} from one pile" if sizes else ONE_PILE
        case "wythoff":
            s, m = (1, *numbers)[-2:] if numbers else (1, 1)
            if (s, m) == (1, 1):
                return SAME
            if s == 1:
                return f"{ONE_PILE}, or k > 0 from one and l > 0 from the other with |k-l| < {m}"
            return f"{ONE_PILE}, or k from one and l from the other with 0 < k <= l < {s}k+{m}"
        case "splithoff":
            a = numbers[0] if numbers else 1
            both = "the same number from both" if a == 1 else f"k > 0 and l > 0 from the piles with |k-l| < {a}"
            return f"{ONE_PILE}, or {both}; when the latter clears a pile, the player may split the other one into two"
    return SAME


def sentence(statement: str) -> str:
    """A statement with a capital letter, unless it begins with a symbol, and a full stop."""
    word = statement.split(" ", 1)[0]
    begun = f"{statement[0].upper()}{statement[1:]}" if word.isalpha() else statement
    return begun if begun.endswith(".") else f"{begun}."


def counted(number: int, what: str) -> str:
    """ "1 state", "5 states"."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def listed(words: Sequence[str]) -> str:
    """ "x", "x and y", "x, y and z"."""
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def _either(words: list[str]) -> str:
    """ "1", "1 or 2", "1, 2 or 3"."""
    return " or ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def system_in_words(system: NumerationSystem) -> str:
    """Return the name of a system, its recurrence or continued fraction if it has one, and its first weights."""
    worth = [system.value((1, *(0 for _ in range(place)))) for place in range(SHOWN)]
    shown = f"{', '.join(map(str, worth))}, ..."
    if system.recurrence is not None:
        return f"{system.name} ({system.recurrence}: {shown})"
    if system.continued_fraction is not None:
        return f"{system.name} (Ostrowski numeration, continued fraction {system.continued_fraction}: {shown})"
    return f"{system.name} ({shown})"
