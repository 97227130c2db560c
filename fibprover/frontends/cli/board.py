"""`fibprover board SET ...`: draw sets of pairs of numbers, such as the P-positions of a game."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence

from fibprover.base.errors import FibproverError, did_you_mean
from fibprover.base.names import NAME
from fibprover.base.wording import plural
from fibprover.frontends.cli.status import TRUE
from fibprover.frontends.conversation import options, output
from fibprover.frontends.conversation.progress import Progress
from fibprover.frontends.conversation.warnings import parsed_with_warnings
from fibprover.frontends.display.board import Board, board_form
from fibprover.frontends.display.board_lines import line_of
from fibprover.frontends.display.board_svg import MOST_SETS, Layer, check_size
from fibprover.frontends.display.plot import INCHES
from fibprover.prover.verdict.relation import Relation, pairs_in_square
from fibprover.prover.verdict.verdict import Verdict
from fibprover.workspace.session import Session

#: The call of a ready-made game; a formula never has this form.
_GAME = re.compile(r"\s*[a-z]+\s*(\([\s\d,]*\)\s*)?$")

#: What tuples of so many numbers are called.
TUPLES = {2: "pairs", 3: "triples"}

_EXAMPLES = """\
examples:
  fibprover board 'terminal(2)' 'terminal(3)' -o k2k3.svg
  fibprover board --load docs/games.txt --words proofs/words.json W2 -o w2.pdf
  fibprover board wythoff --line phi --line 1/phi --size 60 -o wythoff.png
  fibprover board --system msd_fib 'x+y<=2' --size 5

A SET is the name of a predicate of two numbers, a formula with two free variables (the first in alphabetical order is
the column), or a ready-made game, which stands for its P-positions: wythoff, terminal(2) and so on; see
`fibprover game --help`.  Two sets are red and green, and their common positions blue.  With more sets, positions
that are in the same sets have the same colour.

A line is given by its slope, a number such as 2, 1.5, phi or (5+sqrt(13))/6, and after a comma its intercept:
--line phi,1 is y = phi x + 1 if the axes are x and y.

PNG and PDF are drawn by matplotlib: pip install 'fibprover[drawing]'.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("sets", metavar="SET", nargs="+", help="a predicate, a formula or a game; one or several")
    parser.add_argument("--size", type=options.positive, default=40, metavar="N", help="columns and rows (default 40)")
    parser.add_argument(
        "--line", action="append", default=[], dest="lines", metavar="SLOPE[,INTERCEPT]",
        help="a straight line on the board (repeatable)",
    )
    parser.add_argument(
        "--label", action="append", default=[], dest="labels", metavar="NAME",
        help="the name of a set in the legend, in the order of the sets (repeatable)",
    )
    parser.add_argument(
        "--inches", type=float, default=INCHES, metavar="N", help=f"the width of PNG and PDF (default {INCHES:g})"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to a file: .svg, .png or .pdf (default: SVG to standard output)"
    )
    parser.add_argument(
        "--latex", action="store_true", help="print a picture of TikZ, for a document that uses amssymb and tikz"
    )
    options.add_plan_argument(parser)
    options.add_session_arguments(parser)
    options.add_reading_arguments(parser)
    options.add_limit_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Draw the board."""
    if arguments.output is not None:
        board_form(arguments.output)
    count = len(arguments.sets)
    if count > MOST_SETS:
        raise FibproverError(f"a board shows one to {MOST_SETS} sets, not {count}")
    if len(arguments.labels) > count:
        raise FibproverError(f"{plural(len(arguments.labels), 'label')} for {plural(count, 'set')}")
    check_size(arguments.size)
    for line in arguments.lines:
        line_of(line)
    if arguments.latex and arguments.output is not None:
        raise FibproverError("--latex does not go with -o", hint="leave one of them out; > FILE writes a file")
    with Progress(arguments.progress) as progress, output.reported(arguments, progress):
        session = options.session(arguments, progress)
        layers, axes = [], ("a", "b")
        for number, what in enumerate(arguments.sets):
            layer, names = layer_of(session, what, arguments.size, progress.warn)
            axes = axes if number else names
            layers.append(Layer(arguments.labels[number], layer.positions) if arguments.labels[number:] else layer)
        lines = tuple(line_of(line, axes) for line in arguments.lines)
        board = Board(tuple(layers), arguments.size, axes, {}, lines, arguments.inches)
        if arguments.latex:
            progress.say(board.tikz.rstrip("\n"))
        elif arguments.output is None:
            progress.say(board.svg.rstrip("\n"))
        else:
            board.save(arguments.output)
    return TRUE


def layer_of(
    session: Session, what: str, size: int, warn: Callable[[str], None]
) -> tuple[Layer, tuple[str, str]]:
    """Return the positions below `size` of a predicate, a formula or a game, and the names of their axes."""
    if _GAME.match(what):
        from fibprover.games.catalogue import READY, game_of
        from fibprover.games.positions import positions as positions_of_game

        name = what.split("(")[0].strip()
        if name in READY and ("(" in what or name not in session.namespace.predicates):
            found = positions_of_game(game_of(what), size, session.options.limits.start())
            return Layer(what, frozenset(zip(found.a.tolist(), found.b.tolist(), strict=True))), ("a", "b")
    relation = relation_of(session, what, warn)
    column, row = relation.names
    return Layer(what.removeprefix("$"), pairs_in_square(relation, size, session.options.limits)), (column, row)


def relation_of(
    session: Session, what: str, warn: Callable[[str], None], sizes: Sequence[int] = (2,), shown: str = "a board shows"
) -> Relation:
    """Return the set of pairs of numbers that a name or a formula stands for; sizes: or of triples, ...; shown: why."""
    name, formula = what.removeprefix("$"), what
    tuples = " or ".join(TUPLES[size] for size in sizes)
    if NAME.fullmatch(name):
        known = session.namespace.predicates
        if name not in known:
            raise FibproverError(
                f"unknown predicate {name}",
                hint=did_you_mean(name, sorted(known), kind="predicates") or "load one with --load, or give a formula",
            )
        count = len(known[name].automaton.tracks)
        if count not in sizes:
            raise FibproverError(f"{name}: {shown} {tuples} of numbers, but the predicate is about {count}")
        formula = f"${name}({','.join('xyz'[:count])})"
    found = session.eval(parsed_with_warnings(formula, session, warn) or formula)
    if isinstance(found, Verdict):
        raise FibproverError(f"{what}: {shown} {tuples}, but the formula is {found}; it has no free variables")
    if len(found.names) not in sizes or any(not track.system for track in found.automaton.tracks):
        raise FibproverError(f"{what}: {shown} {tuples} of numbers; the variables are ({', '.join(found.names)})")
    return found
