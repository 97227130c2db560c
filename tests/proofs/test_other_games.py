"""The P-positions of proofs/other_games.py against boards from the rules of the games, in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import fibprover as fp
from fibprover.numeration.registry import system_named
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.walnut import read_automaton
from tests.games.rules_in_python import Options, Position, Rules, queen, queen_of, rows_and_columns
from tests.proofs.chapters import PROOFS

SIZE = 80

FILES = PROOFS / "automata" / "other_games"


def with_knight(k: int, l: int) -> Options:  # noqa: E741
    """Moves of a queen and of a knight."""

    def options(a: int, b: int) -> Iterator[Position]:
        yield from queen(a, b)
        yield from ((a - i, b - j) for i, j in ((k, l), (l, k)) if i <= a and j <= b)

    return options


def mark(d: int) -> Options:
    """Moves of the sum of two heaps of Mark."""

    def left(n: int) -> set[int]:
        return {n - i for i in range(1, min(d - 1, n) + 1)} | ({n // d} if n else set())

    def options(a: int, b: int) -> Iterator[Position]:
        yield from ((x, b) for x in left(a))
        yield from ((a, y) for y in left(b))

    return options


def up_to(last: int) -> Callable[[int, int], bool]:
    return lambda a, b: a + b <= last


#: By file: all rules that have these P-positions, and the system.
GAMES: dict[str, tuple[tuple[Rules, ...], str]] = {
    "wythoff": (tuple(Rules(with_knight(*knight)) for knight in ((1, 3), (2, 5), (3, 4))), "msd_fib"),
    "queen_1_2": ((Rules(with_knight(1, 2)),), "msd_fib"),
    **{
        f"queen_{knights[0][0]}_{knights[0][1]}": (tuple(Rules(with_knight(*each)) for each in knights), "msd_fib")
        for knights in (
            ((2, 6),), ((1, 7), (4, 9)), ((4, 7),), ((1, 9), (3, 10)), ((2, 11), (4, 12)), ((1, 12),), ((6, 12),),
        )
    },
    "queen_1_4": ((Rules(with_knight(1, 4)),), "msd_fib"),
    "queen_2_3": ((Rules(with_knight(2, 3)),), "msd_fib"),
    "misere_wythoff": ((Rules(queen, misere=True),), "msd_fib"),
    **{f"misere_k{last}": ((Rules(queen, up_to(last), misere=True),), "msd_fib") for last in (1, 2, 3, 4)},
    **{f"misere_wythoff_{m}": ((Rules(queen_of(m), misere=True),), f"msd_wythoff_{m}") for m in (2, 3)},
    "misere_nim": ((Rules(rows_and_columns, misere=True),), "msd_2"),
    "mark_2": ((Rules(mark(2)),), "msd_4"),
    "mark_3": ((Rules(mark(3)),), "msd_3"),
}


@pytest.mark.parametrize("label", GAMES)
def test_the_sets_are_those_of_the_game(label: str) -> None:
    games, name = GAMES[label]
    session = fp.Session(name)
    found = read_automaton(FILES / f"{label}.txt", lambda system: system_named(system).track("x"), ("a", "b"))
    session.define("V", Relation(found, session.namespace.system))
    known = set(session.relation(f"$V(a,b) & a+b<={SIZE}"))
    for rules in games:
        assert known == rules.recursion(SIZE)


def test_every_file_is_used() -> None:
    assert {file.stem for file in FILES.iterdir()} == set(GAMES)
