"""`fibprover atlas`: the games of an atlas, a search for the theorem of each, and a page of the results."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fibprover import __version__
from fibprover.base.errors import FibproverError
from fibprover.base.files import write_text
from fibprover.base.limits import PATIENCE, Limits, limits_of_part
from fibprover.campaigns.bundled import bundled_folder
from fibprover.frontends.cli.status import FALSE, TRUE
from fibprover.frontends.conversation import options, output
from fibprover.frontends.conversation.progress import Progress, add_progress_argument
from fibprover.frontends.display.progress import share
from fibprover.workspace.guard import enforced

if TYPE_CHECKING:
    from fibprover.campaigns.atlas.run import Finished

# What searches needs numpy, which --help does not: it is imported by the functions that search.

_EXAMPLES = """\
examples:
  fibprover atlas                                   games of proofs/atlas without a result
  fibprover atlas --only wythoff,nim --again        these games, even if they have results
  fibprover atlas my.toml --results my --timeout 20
  fibprover atlas --sort proof                      by the size of the proof, a measure of complexity
  fibprover atlas --html page --json results.json
  fibprover atlas --store work.sqlite --dask tcp://127.0.0.1:8786

An atlas is one TOML file or several; docs/atlas.md describes them. The result of each game is written when its search
ends, so an interrupted command continues where it stopped.

exit status:
  0 all outcomes are as expected, 1 some are not, 2 an error, 130 interrupted
"""

#: The folder of the atlas of this project, and of results beside the files of an atlas.
FILES, RESULTS = "proofs/atlas", "results"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "files", nargs="*", metavar="FILE",
        help=f"a TOML file, or a folder of them (default: {FILES}, or the atlas that comes with fibprover)",
    )
    parser.add_argument(
        "--results", metavar="FOLDER", help=f"where results are kept (default: {RESULTS}, next to the first file)"
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="ID[,ID...]", help="only the games with these ids (repeatable)"
    )
    parser.add_argument(
        "--sort", choices=("proof", "states", "seconds"),
        help="list the games at the end, by the largest automaton in the proof, by states or by seconds",
    )
    parser.add_argument("--again", action="store_true", help="search for all games, even those with results")
    parser.add_argument(
        "-j", "--jobs", type=options.positive, metavar="N", help="how many games at once (default: one on each core)"
    )
    parser.add_argument("--store", metavar="FILE", help="keep the searches in a file, too (see fibprover store)")
    parser.add_argument(
        "--dask", metavar="ADDRESS",
        help="search on the workers of a Dask scheduler, such as tcp://host:8786; local starts one here",
    )
    files = parser.add_argument_group("output")
    files.add_argument("--json", metavar="FILE", help="write the results as a list of objects; - is standard output")
    files.add_argument("--html", metavar="DIR", help="write a page with a card for each game into a folder")
    group = parser.add_argument_group("limits")
    group.add_argument(
        "--timeout", type=options.seconds, metavar="SECONDS",
        help=f"CPU time of each game (default 60, or what the game says), and {PATIENCE:.0f} times that as wall time",
    )
    options.add_memory_argument(group, "memory of all processes together")
    add_progress_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Search for what has no result, print a line for each game and write the files; return the exit status."""
    from fibprover.campaigns.atlas.entries import chosen, read_atlas
    from fibprover.campaigns.atlas.run import SECONDS, run_atlas
    from fibprover.campaigns.atlas.summaries import line_of, sorted_by, summary_of

    if arguments.html is not None:
        from fibprover.frontends.display.page.document import check_folder

        check_folder(arguments.html)
    if arguments.again and arguments.store is not None:
        raise FibproverError("--again and --store cannot be used together", hint="leave one of them out")
    quiet = arguments.json == "-"
    about = argparse.Namespace(json=quiet, trace=False, timeout=arguments.timeout)
    with Progress(arguments.progress, started=False) as progress, output.reported(about, progress):
        memory = options.memory_of(arguments)
        with enforced(limits_of_part(arguments.timeout or SECONDS, Limits(**memory))):
            chapters = read_atlas(arguments.files or [_own_atlas()])
        entries = chosen(chapters, _ids(arguments.only))
        folder = arguments.results or str(chapters[0].file.parent / RESULTS)

        shown = 0

        def show(each: Finished) -> None:
            nonlocal shown
            shown += 1
            if not quiet and arguments.sort is None:
                progress.say(line_of(each))
            if progress.stream is not None:
                progress.show([share(shown, len(entries), progress.watch.seconds())])

        finished = run_atlas(
            entries, folder, seconds=arguments.timeout or SECONDS, memory=memory["bytes"],
            again=arguments.again, version=__version__, store=arguments.store, dask=arguments.dask,
            jobs=arguments.jobs, show=show,
        )
        if arguments.sort is not None:
            finished = sorted_by(arguments.sort, finished)
            for each in finished if not quiet else ():
                progress.say(line_of(each))
        if quiet:
            progress.say(_dumped(finished))
        else:
            progress.say(summary_of(finished))
    if arguments.json not in (None, "-"):
        write_text(arguments.json, _dumped(finished) + "\n")
    if arguments.html is not None:
        from fibprover.frontends.display.page.atlas import write_atlas_page

        write_atlas_page(chapters, {each.entry.id: each.result for each in finished}, arguments.html, __version__)
    return TRUE if all(each.result.agrees(each.entry.expected) for each in finished) else FALSE


def _own_atlas() -> Path:
    """Return the folder of the atlas of this project: here, or where it came with fibprover."""
    return Path(FILES) if Path(FILES).is_dir() else bundled_folder() / Path(FILES).name


def _dumped(finished: Sequence[Finished]) -> str:
    """Return the results as a list of JSON."""
    from fibprover.campaigns.atlas.summaries import json_of

    return json.dumps([json_of(each) for each in finished])


def _ids(given: list[str]) -> list[str]:
    """Return the ids of --only; raises FibproverError for an empty one."""
    found = [name.strip() for each in given for name in each.split(",")]
    if not all(found):
        raise FibproverError("--only has an empty id", hint="as in --only wythoff,nim")
    return found
