"""The rules of a game and a numeration system in words, as they stand in a theorem."""

from __future__ import annotations

from collections.abc import Sequence

from fibprover.errors import FibproverError
from fibprover.games.ready import CALL, READY, WYTHOFF, game_named
from fibprover.games.rules import STEPS, VECTORS, Game
from fibprover.numeration.system import NumerationSystem

#: Values of a system's digits that are shown.
SHOWN = 8

ONE_PILE = "any number of counters from one pile"
SAME = f"{ONE_PILE}, or the same number from both"


def title(game: Game) -> str:
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
    """The name of a system, its recurrence where it has one, and what a digit 1 is worth at each place."""
    worth = [system.value((1, *(0 for _ in range(place)))) for place in range(SHOWN)]
    shown = f"{', '.join(map(str, worth))}, ..."
    for line in map(str.strip, system.describe().splitlines()):
        if line.startswith("U[t] = "):
            return f"{system.name} ({line.partition(';')[0]}: {shown})"
        if line.startswith("continued fraction"):
            return f"{system.name} (Ostrowski numeration, {line}: {shown})"
    return f"{system.name} ({shown})"
