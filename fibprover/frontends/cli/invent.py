"""`fibprover invent SET`: an invariant game with given P-positions, or a proof that there is none."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from fibprover.base.errors import FibproverError
from fibprover.base.files import write_text
from fibprover.frontends.cli.atlas import FILES, RESULTS
from fibprover.frontends.cli.board import relation_of
from fibprover.frontends.cli.status import FALSE, SPENT, TRUE
from fibprover.frontends.conversation import options, output
from fibprover.frontends.conversation.progress import Progress
from fibprover.games.catalogue import READY

if TYPE_CHECKING:
    from fibprover.games.rules import Game
    from fibprover.prover.verdict.relation import Relation
    from fibprover.workspace.session import Session

# What computes boards needs numpy, which --help does not: it is imported by the functions that compute.

_EXAMPLES = """\
examples:
  fibprover invent 'wythoff()'                             the P-positions of a game
  fibprover invent 'terminal(2)' --terminal 'a+b<=2'
  fibprover invent --load docs/games.txt --words proofs/words.json W2
  fibprover invent --system msd_2 'x=0 & y=0'              a formula in two or three variables
  fibprover invent 'x=n' 'x=2*n'                           sequences: the n-th number is x
  fibprover invent --beatty 'sqrt(2)'                      floor(n alpha) and floor(n beta), 1/alpha + 1/beta = 1
  fibprover invent --word TR --letters 0,1                 the places of the letters of a word
  fibprover invent --atlas splithoff --json game.json

One SET is the set of P-positions; two or three are sequences, whose members a_n, b_n (and c_n) are the piles, in all
orders, and empty piles are a position too.  A move of an invariant game takes a vector, such as i and j counters, from
whatever position has as many.

exit status: 0 there is such a game, 1 there is none, 2 error, 3 undecided within the budget
"""

#: The options that give the set instead of SET.
_INSTEAD = ("word", "beatty", "atlas")

#: Exit statuses by the outcome.
STATUS = {"invariant": TRUE, "none": FALSE, "undecided": SPENT}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "sets", metavar="SET", nargs="*",
        help="a predicate, a formula or a ready-made game; or two or three sequences, in n and x",
    )
    given = parser.add_argument_group("in place of SET")
    given.add_argument("--word", metavar="NAME", help="the places, from 1, of the n-th letters of each sort in a word")
    given.add_argument("--letters", metavar="N,N[,N]", help="with --word, which letters (default: all, two or three)")
    given.add_argument(
        "--beatty", metavar="ALPHA", help="two complementary Beatty sequences, of a number such as (1+sqrt(5))/2"
    )
    given.add_argument("--atlas", metavar="ID", help=f"the positions of a game of {FILES} with a result")
    given.add_argument("--results", metavar="FOLDER", help=f"the folder of the results (default {FILES}/{RESULTS})")
    parser.add_argument(
        "--terminal", default="", metavar="FORMULA", help="which positions (a,b), or (a,b,c), of the set are terminal"
    )
    parser.add_argument("--json", metavar="FILE", help="write the result as JSON; - is standard output")
    output.add_latex_argument(parser)
    options.add_session_arguments(parser)
    options.add_reading_arguments(parser)
    options.add_limit_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the invention and write the file; return the exit status."""
    _check(arguments)
    about = argparse.Namespace(json=arguments.json == "-", trace=False, timeout=arguments.timeout)
    with Progress(arguments.progress) as progress, output.reported(about, progress):
        from fibprover.invention.invent import invent

        progress.title = "the set"
        session = options.session(arguments, progress)
        positions = _positions(arguments, session, progress)
        progress.title = "rules"
        limited = any(each is not None for each in (arguments.timeout, arguments.cpu_timeout, arguments.max_states))
        limits = progress.over(options.limits(arguments)) if limited else None
        found = invent(positions, terminal=arguments.terminal, limits=limits)
        shown = output.dumped(found.as_json())
        said = output.latex_text(found) if arguments.latex else str(found)
        progress.say(shown if arguments.json == "-" else said)
    if arguments.json not in (None, "-"):
        write_text(arguments.json, shown + "\n")
    return STATUS[found.status]


def _check(arguments: argparse.Namespace) -> None:
    """Raise FibproverError unless one set is given."""
    given = [f"--{name}" for name in _INSTEAD if getattr(arguments, name) is not None]
    if arguments.sets:
        given.insert(0, "SET")
    if arguments.latex and arguments.json == "-":
        raise FibproverError("--latex does not go with --json -", hint="leave one of them out")
    if len(given) != 1:
        raise FibproverError(
            f"{' and '.join(given)} cannot be given together" if given else "no set is given",
            hint="give a SET, two or three sequences, --word, --beatty or --atlas",
        )
    if len(arguments.sets) > 3:
        raise FibproverError(f"positions are made of two or three sequences, not of {len(arguments.sets)}")
    for name, needs in (("letters", "word"), ("results", "atlas")):
        if getattr(arguments, name) is not None and getattr(arguments, needs) is None:
            raise FibproverError(f"--{name} needs --{needs}")


def _positions(arguments: argparse.Namespace, session: Session, progress: Progress) -> Relation | Game:
    """Return the set that the options give, or a game for its P-positions."""
    from fibprover.invention import sources

    if arguments.atlas is not None:
        from fibprover.campaigns.atlas.results import positions_of_result

        return positions_of_result(arguments.results or Path(FILES) / RESULTS, arguments.atlas)
    if arguments.beatty is not None:
        return sources.positions_of_beatty(arguments.beatty, None if arguments.system is None else session)
    if arguments.word is not None:
        return sources.positions_of_letters(session, arguments.word, _letters(arguments.letters))
    if len(arguments.sets) > 1:
        return sources.positions_of_sequences(session, *arguments.sets)
    (what,) = arguments.sets
    if what.split("(")[0].strip() in READY:
        from fibprover.games.catalogue import game_named

        return game_named(what)
    return relation_of(session, what, progress.warn, (2, 3), "positions are")


def _letters(given: str | None) -> tuple[int, ...] | None:
    """Return the letters of --letters."""
    if given is None:
        return None
    try:
        return tuple(int(each) for each in given.split(","))
    except ValueError:
        raise FibproverError(f"--letters takes integers, not {given!r}", hint="as in --letters 0,1") from None
