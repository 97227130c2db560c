"""What `fibprover game` lists instead of a theorem: numbered positions, positions below a bound, Grundy values."""

from __future__ import annotations

import argparse

from fibprover.errors import FibproverError
from fibprover.formats.table import Table, written
from fibprover.games.positions import positions
from fibprover.games.rules import Game
from fibprover.games.tables import numbered, representation
from fibprover.games.theorem import discover
from fibprover.limits import Limits
from fibprover.numeration.registry import system_named
from fibprover.numeration.system import NumerationSystem

#: How many positions a table has unless told.
COUNT = 18


def listing(game: Game, arguments: argparse.Namespace, limits: Limits) -> str:
    """The table that the options ask for: one of --table, --positions and --grundy."""
    if arguments.table:
        return _numbered(game, arguments, limits)
    if arguments.positions is not None:
        found = positions(game, arguments.positions, limits.start())
        rows = tuple(zip(found.a.tolist(), found.b.tolist(), strict=True))
        return written(
            Table(("a", "b"), rows, ("a", "b")), arguments.format,
            {"game": game.name, "bound": found.bound, "terminal": found.terminal},
        )
    return _grundy(game, arguments.grundy, arguments.format, limits)


def _numbered(game: Game, arguments: argparse.Namespace, limits: Limits) -> str:
    """The P-positions (a_n,b_n), with their representations where these are asked for."""
    found = numbered(game, arguments.count or COUNT, arguments.begin, limits.start())
    about = {"game": game.name, "symmetric": found.symmetric}
    if not arguments.representations:
        table = Table(("n", "a_n", "b_n"), found.rows, ("n", "a_n", "b_n"), sideways=True)
        return written(table, arguments.format, about)
    system = _system(game, arguments.system, limits)
    rows = tuple((a, representation(system, a), b, representation(system, b)) for _, a, b in found.rows)
    head = ("a_n", "rep(a_n)", "b_n", "rep(b_n)")
    tex = ("a_n", r"\mathrm{rep}(a_n)", "b_n", r"\mathrm{rep}(b_n)")
    table = Table(head, rows, tex, rules=frozenset({1, 2, 3}))
    return written(table, arguments.format, about | {"system": system.name})


def _system(game: Game, named: str, limits: Limits) -> NumerationSystem:
    """The system to write numbers in: the one that is named, or that of the theorem about the game."""
    if named == "auto":
        theorem = discover(game, limits=limits, with_findings=False)
        if not theorem:
            raise FibproverError(
                f"no numeration system was found in which the P-positions of {game} are automatic",
                hint="name one with --system",
            )
        return theorem.system
    if "," in named:
        raise FibproverError("numbers are written in one system", hint="as in --system msd_fib")
    return system_named(named)


def _grundy(game: Game, bound: int, form: str, limits: Limits) -> str:
    """The Sprague-Grundy values below a bound: a row for each a, a column for each b."""
    from fibprover.games.grundy import grundy

    values = grundy(game, bound, limits.start())
    if form == "json":
        table = Table(tuple(map(str, range(bound))), tuple(map(tuple, values.tolist())), ())
    else:
        rows = tuple((a, *row) for a, row in enumerate(values.tolist()))
        head = ("", *map(str, range(bound)))
        table = Table(head, rows, head)
    return written(table, form, {"game": game.name, "bound": bound})
