"""The text of a theorem, as a mathematician would state it, or of a failed search: what was tried and what it means.

`theorem_text` is the whole text; `game_title`, `rules_in_words` and `system_in_words` are the names, rules and systems
in it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from math import log
from typing import TYPE_CHECKING

from fibprover.automata.expression import regular_expression
from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, size_text
from fibprover.base.wording import plural
from fibprover.games.catalogue import CALL, READY, WYTHOFF, game_named
from fibprover.games.costs import NextData
from fibprover.games.findings.context import Finding
from fibprover.games.positions import named
from fibprover.games.proof import Proof
from fibprover.games.rules import STEPS, VECTORS, VECTORS_AT, Game
from fibprover.games.search import GROWTH, GROWTH_FROM, Discovery, SearchAttempt, Stopped
from fibprover.language.builder import call
from fibprover.language.tree import Variable, conjunction
from fibprover.numeration.system import NumerationSystem

if TYPE_CHECKING:
    from fibprover.games.theorem import Theorem


WIDTH = 110

#: How many positions are shown as examples, and among how many they are chosen.
EXAMPLES, LOOK = 10, 1000

#: A statement longer than LONG is shortened to so many characters of its beginning and of its end.
LONG, HEAD, TAIL = 800, 300, 120
CUT = "[...]"

#: The longest regular expression that is shown.
LONGEST = 100

#: The greatest number of rows in the table of attempts, and of reasons why systems were refused.
ROWS = 12

#: For how many systems the states are listed against the bounds.
FITTED = 3

#: How many weights of a numeration system are shown.
SHOWN = 8

ONE_PILE = "any number of counters from one pile"
SAME = f"{ONE_PILE}, or the same number from both"

#: What Sprague-Grundy values are for.
SUMS = (
    "a sum of games, in which a player moves in one of them, is won by the player to move unless the xor of their "
    "Sprague-Grundy values is 0"
)

MEANING = {
    "no automaton": "In each of the systems tried the number of states of the inferred automata grows like a power of "
    f"the bound N of the data, faster than N^{GROWTH}, for N from {GROWTH_FROM} on.  This is evidence, but no proof, "
    "that the positions are not automatic in these systems.",
    "undecided": "No candidate was proved within the time and the data.  More time (--timeout), data to a larger bound "
    "(--largest) or other systems (--system) may decide it.",
    "refuted": "The prover refuted the candidate that the data suggest, and there were no more data.  Data to a larger "
    "bound (--largest) or other systems (--system) may decide it.",
}

#: The meaning of the outcomes in the table of attempts.
OUTCOMES = {
    "grows": "the states grow like a power of the bound",
    "slows": "the states grow ever more slowly, so more data may decide",
    "too few data": "the data do not suffice for a candidate",
    "too large": "the proof did not end within its budget",
    "refuted": "the candidate is wrong at or near the position",
}


def theorem_text(theorem: Theorem) -> str:
    """Return the theorem and its findings, or the report of the attempts, as paragraphs of at most WIDTH columns."""
    found = theorem.discovery
    rules = [setting_in_words(found.game), *rules_in_words(found.game)]
    parts = [_paragraph("  ".join([f"Game.  {game_title(found.game)}.", *rules]))]
    if not theorem:
        return "\n\n".join([*parts, *_failure(found)])
    parts += [_paragraph(f"Theorem.  {_statement(theorem)}"), _paragraph(f"Proof.  {_proof(found)}")]
    said = certified_in_words(theorem)
    parts += map(_paragraph, said[:1])
    if theorem.findings:
        parts.append("\n".join(_numbered(theorem.findings, said[1:])))
    if theorem.undecided:
        parts.append(_paragraph(undecided_in_words(theorem)))
    if any(len(finding.statement) > LONG for finding in theorem.findings):
        parts.append(f"{CUT}: the JSON (--json FILE) contains the whole statement.")
    return "\n\n".join(parts)


def setting_in_words(game: Game) -> str:
    """Return who plays on what, as a sentence."""
    return f"Two players take turns on {'two' if game.piles == 2 else 'three'} piles, of {_letters(game)} counters."


def _letters(game: Game) -> str:
    return listed(game.variables.position)


def _tuple(names: Sequence[object]) -> str:
    return f"({','.join(map(str, names))})"


def certified_in_words(theorem: Theorem) -> list[str]:
    """Return a sentence on the certificate of a theorem and on those of its findings; none if none were asked for."""
    return [f"{str(each)[:1].upper()}{str(each)[1:]}." for each in theorem.certificates]


def undecided_in_words(theorem: Theorem) -> str:
    """Return a sentence that names the undecided findings; "" if there are none."""
    return f"Not decided within the limits: {', '.join(theorem.undecided)}." if theorem.undecided else ""


def _paragraph(text: str, indent: str = "") -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _statement(theorem: Theorem) -> str:
    """State the theorem: the automaton, some P-positions, and a regular expression if it is short."""
    data = theorem.discovery.data
    names = theorem.game.variables.position
    half = f" with {' <= '.join(names)}" if theorem.symmetric else ""
    said = [
        f"The {positions_in_words(theorem.value, names)} are recognized, in the numeration system "
        f"{system_in_words(theorem.system)}, by an automaton with {plural(theorem.automaton.states, 'state')}."
    ]
    first = zip(*(column[:LOOK].tolist() for column in data.columns), strict=True)
    shown = [position for position in first if not theorem.symmetric or list(position) == sorted(position)][:EXAMPLES]
    if shown:
        said.append(f"Among those{half} are {', '.join(map(_tuple, shown))}.")
    expression = _expression(theorem)
    if expression:
        digits = ", ".join(f"digit of {name}" for name in names)
        many = "pairs" if len(names) == 2 else "triples"
        said.append(f"As {many} of digits [{digits}], those{half} are {expression}.")
    if theorem.value:
        said.append(
            f"The positions of value {theorem.value} are exactly those that are lost for the player to move when they "
            f"are played together with a Nim heap of {plural(theorem.value, 'counter')}: {SUMS}."
        )
    return "  ".join(said)


def _expression(theorem: Theorem) -> str:
    """Return a regular expression of the positions, with a <= b in a symmetric game; "" if it is long."""
    if theorem.automaton.states > LONGEST:
        return ""
    names = tuple(map(Variable, theorem.game.variables.position))
    ordered = [less <= more for less, more in pairwise(names)] if theorem.symmetric else []
    shown = theorem.session().relation(conjunction([call("P", *names), *ordered]))
    try:
        return regular_expression(shown.automaton, most=LONGEST)
    except LimitError:
        return ""


def _proof(found: Discovery) -> str:
    """State the proof: where the automaton comes from, and what was decided."""
    said = []
    if found.game.passes and found.smaller:
        said.append(
            "The P-positions without the pass were found and proved first "
            f"({plural(found.smaller[0].states, 'state')}). "
        )
    elif found.smaller:
        sizes = [f"value {value}: {plural(each.states, 'state')}" for value, each in enumerate(found.smaller)]
        said.append(f"The positions of smaller values were found and proved first ({', '.join(sizes)}). ")
    if found.candidate is not None:
        said.append(
            f"The automaton was inferred from {_counted(found.candidate.positions, found)} with piles below "
            f"{found.candidate.bound}.  fibprover proved that it is correct:"
        )
    enough = found.game.blocked + 1
    few = "no option" if enough == 1 else f"fewer than {enough} options"
    many = "an option" if enough == 1 else f"{enough} or more options"
    live = "position of the set that is not terminal" if found.game.terminal else "position of the set"
    claims = ["all terminal positions are in its set"] if found.game.terminal else []
    other = "every other position"
    if found.game.misere:
        claims, live = ["play has ended at no position of its set"], "position of the set"
        other = "every other position at which play has not ended"
    if found.game.passes:
        claims, live, other = _claims_with_pass(misere=found.game.misere)
    elif found.smaller:
        claims, live = ["no position of its set has a smaller value"], "position of the set"
        other = "every other position of no smaller value"
    claims += [f"every {live} has {few} in it (stable)", f"{other} has {many} in it (absorbing)"]
    counters = found.game.measure(found.game.variables.position)
    said.append(f"{listed(claims)}.  Since moves make {counters} smaller, exactly one set has these properties.")
    return " ".join(said) + (f"  {_largest(found.proof)}" if found.proof is not None else "")


def _claims_with_pass(*, misere: bool) -> tuple[list[str], str, str]:
    """Return what is proved of a game with a pass, and what the sets of stability and absorption are called."""
    if misere:
        none = "no position of its set is a P-position without the pass or one at which play has ended"
        return [none], "position of the set", "every other position that is neither"
    claims = ["the positions at which play has ended are in its set", "no other position of it is a P-position without "
              "the pass"]
    others = "every other position that is not such a P-position"
    return claims, "position of the set at which play has not ended", others


def positions_in_words(value: int, names: Sequence[str] = ("a", "b")) -> str:
    """Return what the positions (a,b) of a value are called."""
    return f"positions {_tuple(names)} of Sprague-Grundy value {value}" if value else f"P-positions {_tuple(names)}"


def _counted(number: int, found: Discovery) -> str:
    """Return a number of positions of a search."""
    return f"{number} {named(found.data.value, 's' * (number != 1))}"


def _largest(proof: Proof) -> str:
    return f"The largest automaton in the proof has {plural(proof.states, 'state')}."


def _numbered(findings: Sequence[Finding], certificates: Sequence[str] = ()) -> Iterator[str]:
    """Yield the findings as numbered sentences, each followed by that about its certificate if there are any."""
    pairs = zip(findings, certificates or [""] * len(findings), strict=True)
    for number, (finding, certified) in enumerate(pairs, start=1):
        head = f"{number}. "
        yield _paragraph(f"{head}{sentence(shorten(finding.statement))}  {certified}".rstrip(), " " * len(head))


def shorten(statement: str) -> str:
    """Return a statement, without its middle if it is long."""
    if len(statement) <= LONG:
        return statement
    return f"{statement[:HEAD].rpartition(' ')[0]} {CUT} {statement[-TAIL:].partition(' ')[2]}"


def _failure(found: Discovery) -> Iterator[str]:
    """Yield the paragraphs on a failed search: its meaning, the data, the attempts, the refused systems."""
    tried = [attempt for attempt in found.attempts if attempt.outcome != "refused"]
    meaning = MEANING[found.status] if tried else "No system could be used."
    yield _paragraph(f"No theorem: {found.status}.  {meaning}")
    ended = f", {found.data.terminal} of them terminal" if found.data.terminal else ""
    yield f"Data: {_counted(len(found.data), found)} below {found.data.bound}{ended}."
    farther = [attempt for attempt in tried if attempt.bound > found.data.bound]
    if farther:
        yield _paragraph(
            f"Larger data, of which only the residuals were kept: {_counted(farther[-1].positions, found)} below"
            f" {farther[-1].bound}."
        )
    if tried:
        yield attempts_table(tried)
        seen = {attempt.outcome for attempt in {attempt.system: attempt for attempt in tried}.values()}
        yield "\n".join(f"{word}: {meaning}" for word, meaning in OUTCOMES.items() if word in seen)
        yield from _growths(tried)
    if found.stopped is not None:
        yield _paragraph(_stopped(found, found.stopped))
    if found.following is not None:
        yield _paragraph(_next(found.following))
    else:
        yield _paragraph("Next.  The positions below a larger bound cannot be computed.")
    refused = {attempt.system: attempt.reason for attempt in found.attempts if attempt.outcome == "refused"}
    if refused:
        lines = [f"{system}: {' '.join(reason.split())}" for system, reason in list(refused.items())[:ROWS]]
        more = [f"and {len(refused) - ROWS} more"] if len(refused) > ROWS else []
        shown = [_paragraph(f"  {line}", "    ") for line in lines + more]
        yield "\n".join(["Systems that could not be used:", *shown])


def _stopped(found: Discovery, stopped: Stopped) -> str:
    """Return in which step the budget was spent, and what that step costs in this game."""
    took = f"Of {_seconds(found.seconds)}, the last {_seconds(stopped.seconds)} went into a step that did not end"
    said = f"Stopped.  {took}: {stopped.step}; {stopped.reason.splitlines()[0]}."
    if stopped.bound is not None and found.game.rule is not None and found.game.step_regions is None:
        said += (
            "  The moves are no union of a few polyhedra, which quantifiers and divisions can cause, so that a table "
            f"of {stopped.bound} x {stopped.bound} moves is searched for each position.  A higher limit (--timeout, "
            "--max-memory) may suffice, or fewer positions (--largest)."
        )
    return said


def _next(data: NextData) -> str:
    """Return what the next data would be, and cost."""
    memory = "" if data.peak is None else f", and {size_text(data.peak)} of memory in all"
    return (
        f"Next.  The positions below {data.bound} would take about {_seconds(data.computing)} to compute (like "
        f"N^{data.power:.1f}), {_seconds(data.inferring)} to infer automata from in {plural(data.systems, 'system')}"
        f"{memory}, by what the last data have cost; and the proofs."
    )


def _seconds(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"


def _growths(tried: Sequence[SearchAttempt]) -> Iterator[str]:
    """Yield the states against the bounds, and the fit, for the systems with the fewest states at the last bound."""
    last = max(attempt.bound for attempt in tried)
    fitted = [each for each in tried if each.bound == last and each.growth is not None]
    lines = [f"{each.system}: {each.growth}" for each in sorted(fitted, key=lambda each: each.states)[:FITTED]]
    if lines:
        yield "\n".join(["States, N the bound:", *(_paragraph(f"  {line}", "    ") for line in lines)])


def attempts_table(attempts: Sequence[SearchAttempt]) -> str:
    """Return a table of the states of the inferred automata by system and bound, with the outcome for the last bound.

    Systems are ordered by their last bound, the largest first, then by their states.
    """
    bounds = sorted({attempt.bound for attempt in attempts})
    rows: dict[str, dict[int, SearchAttempt]] = {}
    for attempt in attempts:
        rows.setdefault(attempt.system, {})[attempt.bound] = attempt
    last = {system: row[max(row)] for system, row in rows.items()}
    order = sorted(rows, key=lambda system: (-last[system].bound, last[system].states))
    fits = [_fit(rows[system]) for system in order[:ROWS]]
    like = ["like"] if any(fits) else []
    lines = [("states from data below", *map(str, bounds), *like, "")]
    for system, fit in zip(order, fits, strict=False):
        cells = [str(rows[system][bound].states) if bound in rows[system] else "" for bound in bounds]
        lines.append((system, *cells, *([fit] if like else []), outcome_in_words(last[system])))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = []
    for first, *cells, end in lines:
        numbers = "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths[1:-1], strict=True))
        text.append(f"{first:{widths[0]}}{numbers}  {end}".rstrip())
    if len(order) > ROWS:
        text.append(_paragraph(f"and {len(order) - ROWS} more systems: {', '.join(order[ROWS:])}", "  "))
    return "\n".join(text)


def _fit(row: Mapping[int, SearchAttempt]) -> str:
    """Return the power of the bound N like which the states have grown at last; "" for one bound."""
    tried = [row[bound] for bound in sorted(row)]
    last = tried[-1]
    if last.growth is not None:
        return f"N^{last.growth.exponent:.2f}"
    before = tried[-2] if len(tried) > 1 else last
    if before is last or not before.states or not last.states:
        return ""
    return f"N^{log(last.states / before.states) / log(last.bound / before.bound):.2f}"


def outcome_in_words(attempt: SearchAttempt) -> str:
    """Return the outcome of an attempt, with the position of a refutation."""
    if attempt.outcome == "refuted" and attempt.failure is not None:
        return f"refuted at {_tuple(attempt.failure)}"
    return attempt.outcome


def statement_and_proof(theorem: Theorem) -> tuple[str, str]:
    """Return the statement and its proof, or the meaning of the failure and the data, each as one line."""
    found = theorem.discovery
    said = (_statement(theorem), _proof(found)) if theorem else islice(_failure(found), 2)
    first, second = (" ".join(text.split()) for text in said)
    return first, second



def game_title(game: Game) -> str:
    """Return the name of a game, and its name in the literature if that is different."""
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
        case "queen", [1, 2] | [2, 1]:
            return f"{game}, Maharaja Nim"
        case "mark", [d]:
            return f"{game}, the sum of two heaps of Mark" + f"-{d}" * (d > 2)
        case "splithoff", [] | [1]:
            return f"{game}, Splithoff"
        case "splithoff", [a]:
            return f"{game}, {a}-Splithoff"
    return game.name


def rules_in_words(game: Game) -> tuple[str, ...]:
    """Return the rules of a game as sentences."""
    sentences = [moves_in_words(game)]
    if game.blocked:
        options = "one option" if game.blocked == 1 else f"up to {game.blocked} options"
        sentences.append(f"Before each move the other player may forbid {options}.")
    if game.passes:
        sentences.append(
            "Once in the game, one of the players may pass instead, where play has not ended; the positions are those "
            "at which nobody has passed."
        )
    loses = "wins (misere play)" if game.misere else "loses"
    if game.terminal:
        where = _tuple(game.variables.position)
        sentences.append(f"Positions {where} with {' '.join(game.terminal.split())} are terminal.")
        sentences.append(f"A player who is to move at a terminal position, or who cannot move, {loses}.")
    else:
        sentences.append(f"A player who cannot move {loses}.")
    return tuple(sentences)


def moves_in_words(game: Game) -> str:
    """Return the moves as a sentence: in words for ready-made games and the moves of Wythoff's game."""
    known = _taken(*_ready_made(game))
    if known:
        return f"A move takes {known}."
    if game.form == VECTORS:
        if game.tree == WYTHOFF:
            return f"A move takes {SAME}."
        return f"A move takes {_amounts(game)}, with {' '.join(game.formula.split())}."
    if game.form == VECTORS_AT:
        where = _tuple(game.variables.source)
        return f"A move from {where} takes {_amounts(game)}, with {' '.join(game.formula.split())}."
    if game.form == STEPS:
        before, after = _tuple(game.variables.source), _tuple(game.variables.target)
        return f"A move leads from {before} to {after} if {' '.join(game.formula.split())}."
    return f"The moves are those of the Python function {getattr(game.moves, '__name__', 'given')}."


def _amounts(game: Game) -> str:
    """Return which counters a vector takes."""
    names = game.variables.vector
    piles = [f"{name} from the {pile}" for name, pile in zip(names[1:], ("second", "third"), strict=False)]
    first = f"{names[0]} counters from the first pile"
    return f"{listed([first, *piles])}, {_tuple(names)} not {_tuple([0 for _ in names])}"


def _ready_made(game: Game) -> tuple[str, list[int]]:
    """Return the name and the numbers of a ready-made game; "" for a game with other moves, even if it has such a name.
    """
    found = CALL.match(game.name)
    if found is None or found[1] not in READY:
        return "", []
    try:
        same = game_named(found[0])
    except BudgetSpent:
        raise
    except FibproverError:
        return "", []
    if game.rule is None or (same.form, same.tree) != (game.form, game.tree):
        return "", []
    return found[1], [int(number) for number in (found[3] or "").split(",") if number.strip()]


def _taken(name: str, numbers: list[int]) -> str:
    """Return what a move of a ready-made game takes."""
    match name:
        case "":
            return ""
        case "nim":
            sizes = [str(size) for size in sorted(set(numbers))]
            one = "1 counter" if sizes == ["1"] else f"{listed(sizes, 'or')} counters" if sizes else ""
            return f"{one} from one pile" if sizes else ONE_PILE
        case "wythoff":
            s, m = (1, *numbers)[-2:] if numbers else (1, 1)
            if (s, m) == (1, 1):
                return SAME
            if s == 1:
                return f"{ONE_PILE}, or k > 0 from one and l > 0 from the other with |k-l| < {m}"
            return f"{ONE_PILE}, or k from one and l from the other with 0 < k <= l < {s}k+{m}"
        case "nim3":
            return ONE_PILE
        case "raleigh":
            return (
                "counters from one or two piles, or all counters if two piles are equal, or from piles 0 < x < y < z "
                "the same n > 0 from y and z and any number from x, but not n = 3 if what is left of y is a least pile"
            )
        case "tribonacci":
            return (
                "counters from one or two piles, or from all three, none more than the other two together, or n > 0 "
                "from two piles and more than 2n from the third, unless that was no smaller than the others and is "
                "then between them"
            )
        case "queen":
            return f"{SAME}, or {numbers[0]} from one and {numbers[1]} from the other"
        case "mark":
            return f"1 to {numbers[0] - 1} counters from one pile, or all but floor(n/{numbers[0]}) of its n counters"
        case "splithoff":
            a = numbers[0] if numbers else 1
            both = "the same number from both" if a == 1 else f"k > 0 and l > 0 from the piles with |k-l| < {a}"
            return f"{ONE_PILE}, or {both}; a player who clears a pile by the latter may split the other one into two"
    return SAME


def sentence(statement: str) -> str:
    """Return a statement with a full stop, and with a capital letter unless it begins with a symbol."""
    word = statement.split(" ", 1)[0]
    begun = f"{statement[0].upper()}{statement[1:]}" if word.isalpha() else statement
    return begun if begun.endswith(".") else f"{begun}."


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return "x", "x and y" or "x, y and z"; `last` joins the last two words."""
    return f" {last} ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def system_in_words(system: NumerationSystem) -> str:
    """Return the name of a system, its recurrence or continued fraction if it has one, and its first weights."""
    weights = [system.value((1, *(0 for _ in range(place)))) for place in range(SHOWN)]
    shown = f"{', '.join(map(str, weights))}, ..."
    if system.recurrence is not None:
        return f"{system.name} ({system.recurrence}: {shown})"
    if system.continued_fraction is not None:
        return f"{system.name} (Ostrowski numeration, continued fraction {system.continued_fraction}: {shown})"
    return f"{system.name} ({shown})"
