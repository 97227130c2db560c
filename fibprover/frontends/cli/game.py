"""`fibprover game GAME`: a theorem about the P-positions of a take-away game from its rules, or a list of positions."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fibprover import __version__
from fibprover.base.errors import FibproverError
from fibprover.base.files import write_bytes, write_text
from fibprover.base.limits import Limits
from fibprover.base.names import NAME
from fibprover.frontends.cli import game_sweep
from fibprover.frontends.cli.status import FALSE, SPENT, TRUE
from fibprover.frontends.conversation import options, output
from fibprover.frontends.conversation.progress import Progress
from fibprover.frontends.display.text_table import FORMS, Table, written
from fibprover.games.catalogue import READY, game_of
from fibprover.games.rules import Game
from fibprover.numeration.registry import system_named
from fibprover.numeration.system import NumerationSystem

if TYPE_CHECKING:
    from fibprover.games.theorem import Theorem

# What computes positions needs numpy, which --help does not: it is imported by the functions that compute.

_EXAMPLES = """\
examples:
  fibprover game 'terminal(3)'
  fibprover game 'i=0 | j=0 | i=j' --terminal 'a+b<=3'      the same, from its rules
  fibprover game 'i=0 | j=0 | i=j' --blocked 2 --json w3.json
  fibprover game '(i=0 & j<=p+1) | (j=0 & i<=q+1)'          what may be taken from (p,q)
  fibprover game '(p=r & s<q) | (q=s & r<p)'                moves from (p,q) to (r,s)
  fibprover game 'r<p & s+2*r=2*p & p<=q+r' --by p          Fibonacci nim: q is the most that may be taken
  fibprover game 'terminal(2)' --script k2.txt              the proof, for fibprover run
  fibprover game 'terminal(2)' --certify k2                 the same for fibprover check, and checked
  fibprover game 'terminal(2)' --format latex               the theorem and its proof, for a paper
  fibprover game 'terminal(3)' --table                      the positions in order
  fibprover game 'terminal(2)' --positions 40 --compare 'terminal(3)' --board k2k3.svg
  fibprover game 'terminal(2)' --compare 'terminal(3)' --html page
  fibprover game 'splithoff()' --grundy 18
  fibprover game --sweep 'blocking(k)' k=2..20 --store work.sqlite

ready-made games:
{games}

exit status: 0 proved (or listed), 1 refuted or no automaton, 2 error, 3 undecided within the budget and the data
"""

#: The options that request a list instead of a theorem, and the options that need a theorem.
_LISTS = ("table", "positions", "grundy")
_OF_A_THEOREM = {
    "json": "--json", "script": "--script", "certify": "--certify", "automaton": "--automaton",
    "html": "--html",
}

#: What games on three piles do not have.
_TWO_PILES = ("table", "grundy", "board", "html", "compare")

#: The rows of the table unless --count is given.
COUNT = 18

#: Exit statuses; every other outcome is FALSE.
STATUS = {"proved": TRUE, "undecided": SPENT}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    games = "\n".join(f"  {name:10} {what}" for name, (_, _, _, what) in READY.items())
    parser.epilog = _EXAMPLES.format(games=games)
    parser.add_argument(
        "game", metavar="GAME", nargs="?",
        help="a ready-made game, or its moves: a formula in i,j, in i,j,p,q or in p,q,r,s; about three piles in i,j,k",
    )
    parser.add_argument(
        "--terminal", default="", metavar="FORMULA", help="which positions (a,b), or (a,b,c), are terminal"
    )
    parser.add_argument(
        "--blocked", type=options.count, default=0, metavar="N", help="how many options the previous player may forbid"
    )
    parser.add_argument("--misere", action="store_true", help="who cannot move wins")
    parser.add_argument(
        "--pass", dest="passes", action="store_true",
        help="one of the players may pass, once in the game and not where play has ended",
    )
    parser.add_argument("--steps", action="store_true", help="GAME is a formula in p,q,r,s, even if it contains i or j")
    parser.add_argument(
        "--by", default="", metavar="TERM",
        help="what each move makes smaller: p, or another sum of multiples of p and q (default: p+q); moves are steps",
    )
    search = parser.add_argument_group("search")
    search.add_argument(
        "--system", default="auto", metavar="NAME[,NAME...]", help="numeration systems to try (default: auto, many)"
    )
    search.add_argument("--largest", type=options.positive, metavar="BOUND", help="bound of the data (default 2^20)")
    search.add_argument(
        "--value", type=options.count, default=0, metavar="G",
        help="the positions of Sprague-Grundy value G, without findings (default: 0, the P-positions)",
    )
    search.add_argument("--no-findings", action="store_true", help="only the P-positions, without further theorems")
    game_sweep.add_arguments(parser)
    files = parser.add_argument_group("files")
    files.add_argument("--json", metavar="FILE", help="write the result as JSON; - is standard output")
    files.add_argument("--script", metavar="FILE", help="write the proof as a script, and its automata next to it")
    files.add_argument(
        "--certify", metavar="DIR", help="write proofs of the theorem and of the findings into a folder, and check them"
    )
    files.add_argument("--automaton", metavar="FILE", help="draw the automaton of the positions: .svg, .dot or .gv")
    files.add_argument(
        "--board", metavar="FILE",
        help="draw the P-positions, or with --value those of values 0 to G in colours: .svg, .png or .pdf",
    )
    files.add_argument(
        "--size", type=options.positive, default=40, metavar="N", help="columns of the board (default 40)"
    )
    files.add_argument("--html", metavar="DIR", help="write a web page into a folder; it needs no network")
    files.add_argument("--compare", metavar="GAME", help="a second game on the board, and common positions")
    _add_lists(parser)
    parser.add_argument(
        "--format", choices=FORMS, default="text",
        help="format of the list, or of the theorem (text, json or latex; default text)",
    )
    options.add_limit_arguments(parser, "wall time of the whole command, with --sweep of each game")


def _add_lists(parser: argparse.ArgumentParser) -> None:
    """Add the options that request a list."""
    lists = parser.add_argument_group("lists instead of a theorem")
    kind = lists.add_mutually_exclusive_group()
    kind.add_argument("--table", action="store_true", help="the P-positions (a_n,b_n) in order")
    kind.add_argument("--positions", type=options.count, metavar="N", help="all P-positions with all piles below N")
    kind.add_argument("--grundy", type=options.count, metavar="N", help="the Sprague-Grundy values of piles below N")
    lists.add_argument("--representations", action="store_true", help="in the table, also write numbers in the system")
    lists.add_argument("--count", type=options.positive, metavar="N", help="rows of the table (default 18)")
    lists.add_argument(
        "--from", dest="begin", type=int, default=0, metavar="N",
        help="number of the first row; 0 is the first position that is not terminal, terminal ones are negative",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the theorem or the requested list, and write the files; return the exit status."""
    game_sweep.check(arguments)
    if arguments.sweep is not None:
        return game_sweep.run(arguments)
    _check(arguments)
    about = argparse.Namespace(json=_answers_in_json(arguments), trace=False, timeout=arguments.timeout)
    with Progress(arguments.progress) as progress, output.reported(about, progress):
        progress.title = "rules"
        limits = progress.over(options.limits(arguments))
        game = game_of(
            arguments.game, arguments.terminal, arguments.blocked, steps=arguments.steps, misere=arguments.misere,
            passes=arguments.passes, by=arguments.by,
        )
        other = None if arguments.compare is None else game_of(arguments.compare)
        _check_piles(arguments, [game, *([] if other is None else [other])])
        if any(_requested(arguments, name) for name in _LISTS):
            progress.title = game.name
            progress.say(listing(game, arguments, limits))
            _board(arguments, game, other, limits)
            return TRUE
        return _theorem(arguments, game, other, limits, progress)


def _check_piles(arguments: argparse.Namespace, games: Sequence[Game]) -> None:
    """Raise FibproverError, before anything is computed, for what is requested of three piles and needs two."""
    wanted = next((name for name in _TWO_PILES if _requested(arguments, name)), None)
    if wanted is not None and any(game.piles != 2 for game in games):
        raise FibproverError(
            f"--{wanted} is for games on two piles", hint="--positions N lists the positions (a,b,c) below N"
        )


def _answers_in_json(arguments: argparse.Namespace) -> bool:
    """Return whether an answer on standard output, or an error in its place, is JSON."""
    listed = any(_requested(arguments, name) for name in _LISTS)
    return arguments.json == "-" or (arguments.format == "json" and not listed)


def listing(game: Game, arguments: argparse.Namespace, limits: Limits) -> str:
    """Return the list that the options request: one of --table, --positions and --grundy."""
    if arguments.table:
        return _numbered(game, arguments, limits)
    if arguments.positions is not None:
        from fibprover.games.positions import positions

        found = positions(game, arguments.positions, limits.start(), value=arguments.value)
        names = game.variables.position
        return written(
            Table(names, tuple(found), names), arguments.format,
            {"game": game.name, "bound": found.bound, "terminal": found.terminal}
            | ({"value": found.value} if found.value else {}),
        )
    return _grundy(game, arguments.grundy, arguments.format, limits)


def _numbered(game: Game, arguments: argparse.Namespace, limits: Limits) -> str:
    """Return the positions (a_n,b_n), with their representations if requested."""
    from fibprover.games.positions import numbered_positions, representation

    value = arguments.value
    found = numbered_positions(game, arguments.count or COUNT, arguments.begin, limits.start(), value=value)
    about = {"game": game.name, "symmetric": found.symmetric} | ({"value": value} if value else {})
    if not arguments.representations:
        table = Table(("n", "a_n", "b_n"), found.rows, ("n", "a_n", "b_n"), sideways=True)
        return written(table, arguments.format, about)
    system = _system(game, arguments.system, limits, value)
    rows = tuple((a, representation(system, a), b, representation(system, b)) for _, a, b in found.rows)
    head = ("a_n", "rep(a_n)", "b_n", "rep(b_n)")
    tex = ("a_n", r"\mathrm{rep}(a_n)", "b_n", r"\mathrm{rep}(b_n)")
    table = Table(head, rows, tex, rules=frozenset({1, 2, 3}))
    return written(table, arguments.format, about | {"system": system.name})


def _system(game: Game, named: str, limits: Limits, value: int) -> NumerationSystem:
    """Return the system to write numbers in: the named one, or that of the theorem about the game."""
    if named == "auto":
        from fibprover.games.positions import named as positions_called
        from fibprover.games.theorem import discover

        theorem = discover(game, limits=limits, with_findings=False, value=value)
        if not theorem:
            raise FibproverError(
                f"no numeration system was found in which the {positions_called(value, 's')} of {game} are automatic",
                hint="name one with --system",
            )
        return theorem.system
    if "," in named:
        raise FibproverError("numbers are written in one system", hint="as in --system msd_fib")
    return system_named(named)


def _grundy(game: Game, bound: int, form: str, limits: Limits) -> str:
    """Return the Sprague-Grundy values below a bound: a row for each a, a column for each b."""
    from fibprover.games.positions import grundy

    values = grundy(game, bound, limits.start())
    if form == "json":
        table = Table(tuple(map(str, range(bound))), tuple(map(tuple, values.tolist())), ())
    else:
        rows = tuple((a, *row) for a, row in enumerate(values.tolist()))
        head = ("", *map(str, range(bound)))
        table = Table(head, rows, head)
    return written(table, form, {"game": game.name, "bound": bound})


def _theorem(
    arguments: argparse.Namespace, game: Game, other: Game | None, limits: Limits, progress: Progress
) -> int:
    """Print the theorem and write the files; return the exit status."""
    from fibprover.games.search import BOUNDS
    from fibprover.games.theorem import discover

    def notify(line: str) -> None:
        progress.title = line

    theorem = discover(
        game, arguments.system if arguments.system == "auto" else arguments.system.split(","), limits=limits,
        largest=arguments.largest or BOUNDS[-1], with_findings=not arguments.no_findings, notify=notify,
        value=arguments.value,
    )
    if theorem and arguments.certify is not None:
        progress.title = "certificates"
        theorem = theorem.certified(arguments.certify, limits)
    _say(theorem, arguments, progress)
    _board(arguments, game, other, limits)
    if arguments.html is not None:
        _page(arguments.html, theorem, other, limits)
    if theorem:
        _files(arguments, theorem, limits)
    else:
        for name in ("script", "certify", "automaton"):
            if _requested(arguments, name):
                progress.warn(f"{getattr(arguments, name)} was not written: nothing is proved")
    return STATUS.get(theorem.status, FALSE)


def _say(theorem: Theorem, arguments: argparse.Namespace, progress: Progress) -> None:
    """Print the theorem in the requested format, and write its file of JSON."""
    if _answers_in_json(arguments):
        progress.say(output.dumped(theorem.as_json()))
    elif arguments.format == "latex" and theorem:
        name = "game" if arguments.script is None else Path(arguments.script).stem
        progress.say(theorem.to_latex(name).removesuffix("\n"))
        for check in theorem.certificates:
            progress.warn(str(check))
    elif arguments.format == "latex":
        # What is no LaTeX has no place in a document that reads standard output.
        progress.warn(str(theorem))
    else:
        progress.say(str(theorem))
    if arguments.json not in (None, "-"):
        write_text(arguments.json, output.dumped(theorem.as_json()) + "\n")


def _files(arguments: argparse.Namespace, theorem: Theorem, limits: Limits) -> None:
    """Write the script with its automata, and the drawing of the automaton."""
    if arguments.script is not None:
        from fibprover.games.script import proof_script

        file = Path(arguments.script)
        script = proof_script(theorem, file.stem)
        for name, text in script.automata.items():
            write_text(file.with_name(f"{name}.txt"), text, follow=False)
        write_text(file, script.text)
    if arguments.automaton is not None:
        from fibprover.frontends.display.drawing import drawing_of, form_of

        form = form_of(arguments.automaton)
        write_bytes(arguments.automaton, drawing_of(theorem.relation.automaton, theorem.game.name, form))


def _page(folder: str, theorem: Theorem, other: Game | None, limits: Limits) -> None:
    """Write the page."""
    from fibprover.frontends.display.page.document import write_page
    from fibprover.frontends.display.page.figures import SIDE
    from fibprover.frontends.display.page.game import content
    from fibprover.games.positions import positions

    second = None if other is None else positions(other, SIDE, limits.start(), value=theorem.value)
    write_page(content(theorem, __version__, second), folder)


def _board(arguments: argparse.Namespace, game: Game, other: Game | None, limits: Limits) -> None:
    """Draw the positions of one game, those of all values up to the given one in colours, or those of two games."""
    if arguments.board is None:
        return
    from fibprover.frontends.display.board import Board, value_layers
    from fibprover.frontends.display.board_svg import Layer
    from fibprover.games.positions import positions

    if arguments.value and other is None:
        layers = value_layers(game, arguments.size, arguments.value)
    else:
        layers = []
        for each in (game, *([] if other is None else [other])):
            found = positions(each, arguments.size, limits.start(), value=arguments.value)
            layers.append(Layer(each.name, frozenset(found.pairs)))
    Board(tuple(layers), arguments.size, ("a", "b"), {}).save(arguments.board)


def _requested(arguments: argparse.Namespace, name: str) -> bool:
    """Return whether an option is given; 0 is a value."""
    return getattr(arguments, name) not in (None, False)


def _check(arguments: argparse.Namespace) -> None:
    """Raise FibproverError, before anything is computed, for options that do not fit together and for invalid files."""
    kind = next((name for name in _LISTS if _requested(arguments, name)), None)
    for name, option in _OF_A_THEOREM.items():
        if kind is not None and _requested(arguments, name):
            raise FibproverError(
                f"--{kind} prints a list, but {option} needs a theorem", hint="use one of them"
            )
    if kind != "table" and (arguments.representations or arguments.begin or arguments.count is not None):
        raise FibproverError("--representations, --count and --from need --table", hint="add --table")
    if arguments.value and arguments.grundy is not None:
        raise FibproverError("--grundy lists all values, but --value asks for one", hint="leave one of them out")
    if kind is None and arguments.format == "csv":
        raise FibproverError("CSV is for lists, not for theorems", hint="add --table, --positions N or --grundy N")
    if arguments.json == "-" and arguments.format not in ("text", "json"):
        raise FibproverError("standard output is JSON or LaTeX, not both", hint="name a file: --json FILE")
    if arguments.compare is not None and arguments.board is None and arguments.html is None:
        raise FibproverError("--compare needs a board", hint="add --board FILE, or --html DIR")
    if arguments.html is not None:
        from fibprover.frontends.display.page.document import check_folder

        check_folder(arguments.html)
    if arguments.board is not None:
        from fibprover.frontends.display.board import board_form
        from fibprover.frontends.display.board_svg import check_size

        check_size(arguments.size)
        board_form(arguments.board)
    if arguments.automaton is not None:
        from fibprover.frontends.display.drawing import check_installed, form_of

        check_installed(form_of(arguments.automaton), "auto")
    if arguments.script is not None and not NAME.fullmatch(Path(arguments.script).stem):
        raise FibproverError(
            f"{arguments.script}: the script's name begins all names in it", hint="letters, digits and _, as in k2.txt"
        )
