"""`fibprover board SET [SET]`: sets of pairs of numbers on a board, such as the P-positions of a game."""

from __future__ import annotations

import argparse
from pathlib import Path

from fibprover.cli import options, output
from fibprover.cli.progress import Progress
from fibprover.cli.status import TRUE
from fibprover.errors import BudgetSpent, FibproverError, did_you_mean
from fibprover.formats.atomic import write_text
from fibprover.formats.board import Layer, check_size, to_board
from fibprover.parse.names import NAME
from fibprover.session import Session
from fibprover.verdict.relation import Relation
from fibprover.verdict.verdict import Verdict

_EXAMPLES = """\
examples:
  fibprover board --load docs/games.txt --words proofs/words.json W2 -o w2.svg
  fibprover board --load docs/games.txt --words proofs/words.json K2 K3 -o k2k3.svg
  fibprover board --system msd_fib 'x+y<=2' --size 5

A SET is the name of a predicate of two numbers, or a formula with two free variables; the first variable in
the order of their names is the column.  Two sets are red and green, and blue where they agree.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("sets", metavar="SET", nargs="+", help="a predicate or a formula; one or two of them")
    parser.add_argument("--size", type=options.positive, default=40, metavar="N", help="columns and rows (default 40)")
    parser.add_argument("-o", "--output", metavar="FILE.svg", help="write to a file (default: standard output)")
    options.add_plan_argument(parser)
    options.add_session_arguments(parser)
    options.add_reading_arguments(parser)
    options.add_limit_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Draws the board."""
    if arguments.output is not None and Path(arguments.output).suffix.lower() != ".svg":
        raise FibproverError(f"{arguments.output}: a board is a file called *.svg")
    if len(arguments.sets) > 2:
        raise FibproverError(f"a board shows one or two sets, not {len(arguments.sets)}")
    check_size(arguments.size)
    with Progress(arguments.progress) as progress, output.reported(arguments, progress):
        session = options.session(arguments, progress)
        relations = [relation_of(session, what) for what in arguments.sets]
        layers = [
            Layer(what.removeprefix("$"), positions(session, relation, arguments.size))
            for what, relation in zip(arguments.sets, relations, strict=True)
        ]
        column, row = relations[0].names
        text = to_board(layers, arguments.size, x=column, y=row)
        if arguments.output is None:
            progress.say(text.rstrip("\n"))
        else:
            write_text(arguments.output, text)
    return TRUE


def relation_of(session: Session, what: str) -> Relation:
    """The set of pairs of numbers that a name or a formula stands for."""
    name, formula = what.removeprefix("$"), what
    if NAME.fullmatch(name):
        if name not in session.definitions:
            raise FibproverError(
                f"there is no predicate {name}",
                hint=did_you_mean(name, sorted(session.definitions)) or "load one with --load, or give a formula",
            )
        count = len(session.definitions[name].automaton.tracks)
        if count != 2:
            raise FibproverError(f"{name}: a board shows pairs of numbers, and the predicate is of {count}")
        formula = f"${name}(x,y)"
    found = session.eval(formula)
    if isinstance(found, Verdict):
        raise FibproverError(f"{what}: no variable is free, so there are no pairs to show: it is {found}")
    if len(found.names) != 2 or any(not track.system for track in found.automaton.tracks):
        shown = ", ".join(found.names)
        raise FibproverError(f"{what}: a board shows pairs of numbers; the variables are ({shown})")
    return found


def positions(session: Session, relation: Relation, size: int) -> frozenset[tuple[int, int]]:
    """The pairs below `size`, listed within the session's limits."""
    budget = session.options.limits.start()
    bounds = [f"(?{kind} {name}<{size})" for name, kind in zip(relation.names, relation.kinds, strict=True)]
    found: set[tuple[int, int]] = set()
    for x, y in relation & session.relation(" & ".join(bounds)):
        assert isinstance(x, int) and isinstance(y, int)
        found.add((x, y))
        if budget.seconds_left() < 0:
            limit = session.options.limits.seconds or 0.0
            raise BudgetSpent("seconds", limit, during=f"the list of pairs below {size}")
    return frozenset(found)
