"""`fibprover game --sweep`: the theorems of many games of one kind."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import asdict
from typing import Any

from fibprover.base.errors import FibproverError
from fibprover.base.files import write_text
from fibprover.base.limits import limits_of_part
from fibprover.base.wording import plural
from fibprover.campaigns.sweeps.store import TaskRecord, json_text
from fibprover.campaigns.sweeps.sweep import sweep
from fibprover.frontends.cli.status import ERROR, FALSE, SPENT, TRUE
from fibprover.frontends.conversation import options
from fibprover.frontends.conversation.progress import Progress
from fibprover.frontends.display.progress import share

#: Options that are about one game.
_OF_ONE = ("script", "certify", "automaton", "board", "html", "compare", "table", "positions", "grundy", "count")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of sweeps."""
    sweep = parser.add_argument_group("many games")
    sweep.add_argument(
        "--sweep", nargs="+", metavar=("GAME", "VARIABLE=VALUES"),
        help="a theorem for each value of the variables in GAME and --terminal, as in 'blocking(k)' k=2..100",
    )
    sweep.add_argument(
        "--store", metavar="FILE", help="keep the results in a file, and search only for missing ones (fibprover store)"
    )
    sweep.add_argument(
        "--dask", metavar="WHERE",
        help="on the workers of Dask: the address of a scheduler, as tcp://host:8786, or local",
    )
    sweep.add_argument("--retry", action="store_true", help="search again for what failed with an error")
    sweep.add_argument(
        "-j", "--jobs", type=options.positive, metavar="N", help="how many games at once (default: one on each core)"
    )


def check(arguments: argparse.Namespace) -> None:
    """Raise FibproverError, before anything is computed, for options that do not fit together."""
    if arguments.sweep is None:
        values = {"--store": arguments.store, "--dask": arguments.dask, "--jobs": arguments.jobs}
        given = [name for name, value in values.items() if value is not None] + ["--retry"] * arguments.retry
        if arguments.game is None:
            raise FibproverError("no game is given", hint="as in fibprover game 'terminal(3)'")
        if given:
            raise FibproverError(f"{given[0]} needs --sweep", hint="as in --sweep 'blocking(k)' k=2..100")
        return
    for name in _OF_ONE:
        if getattr(arguments, name) not in (None, False):
            raise FibproverError(
                f"--{name} is for a single game and cannot be used with --sweep", hint="leave one of them out"
            )
    if arguments.format != "text":
        raise FibproverError(f"a sweep cannot be written as {arguments.format}", hint="--json FILE writes all results")


def run(arguments: argparse.Namespace) -> int:
    """Search for the theorems, print a line for each game in order, and return the exit status."""
    from fibprover.campaigns.game_families import games, read_ranges, theorem_of
    from fibprover.games.search import BOUNDS

    text, ranges = arguments.game, arguments.sweep
    if text is None:
        text, *ranges = arguments.sweep
    if arguments.cpu_timeout is not None:
        raise FibproverError("--timeout is CPU time with --sweep", hint="leave --cpu-timeout out")
    listed = games(text, arguments.terminal, read_ranges(ranges))
    systems = arguments.system if arguments.system == "auto" else arguments.system.split(",")
    common: dict[str, Any] = {
        "blocked": arguments.blocked, "steps": arguments.steps, "misere": arguments.misere, "by": arguments.by,
        "passes": arguments.passes, "systems": systems, "largest": arguments.largest or BOUNDS[-1],
        "findings": not arguments.no_findings, "value": arguments.value, "states": arguments.max_states,
        "seconds": arguments.timeout,
    }
    cases = [{"game": game, "terminal": terminal} | common for game, terminal in listed]
    with Progress(arguments.progress, started=False) as progress:
        printer = _Printer([_name(case) for case in cases], progress, quiet=arguments.json == "-")
        try:
            records = sweep(
                theorem_of, cases, store=arguments.store, dask=arguments.dask,
                jobs=arguments.jobs,
                limits=limits_of_part(arguments.timeout),
                memory=options.memory_of(arguments)["bytes"], retry=arguments.retry, watch=printer.take, name=_name,
            )
        except KeyboardInterrupt:
            printer.say_rest()
            raise
    text = "[" + ",\n ".join(json_text(asdict(record)) for record in records) + "]\n"
    if arguments.json == "-":
        print(text, end="")
    else:
        print(_summary(records))
        if arguments.json is not None:
            write_text(arguments.json, text)
    return _status(records)


def _name(case: dict[str, Any]) -> str:
    """Return the name of the game of a case for display."""
    return str(case["game"]) + (f" with terminal {case['terminal']}" if case["terminal"] else "")


class _Printer:
    """Prints the line of each game once those before it are printed."""

    def __init__(self, names: list[str], progress: Progress, *, quiet: bool) -> None:
        self.names, self.progress, self.quiet = names, progress, quiet
        self.found: dict[str, TaskRecord] = {}
        self.printed = 0

    def take(self, record: TaskRecord) -> None:
        self.found[record.what] = record
        while self.printed < len(self.names) and self.names[self.printed] in self.found:
            if not self.quiet:
                self.progress.say(line_of(self.found[self.names[self.printed]]))
            self.printed += 1
        if self.progress.stream is not None:
            done, total = len(self.found), len(set(self.names))
            self.progress.show([share(done, total, self.progress.watch.seconds())])

    def say_rest(self) -> None:
        """Print the lines of the games that are finished although some before them are not."""
        for name in () if self.quiet else self.names[self.printed :]:
            if name in self.found:
                self.progress.say(line_of(self.found[name]))


def line_of(record: TaskRecord) -> str:
    """Return the line of a game: the outcome, the system and states of a theorem, and the seconds."""
    seconds = "" if record.seconds is None else f" ({record.seconds:.2f} s)"
    if record.state == "failed":
        return f"{record.what}: {record.error}{seconds}"
    found = record.result
    states = "1 state" if found["states"] == 1 else plural(found["states"], "state")
    theorem = f": {states} over {found['system']}" if found["status"] == "proved" else ""
    return f"{record.what}: {found['status']}{theorem}{seconds}"


def _outcome(record: TaskRecord) -> str:
    return str(record.result["status"]) if record.state == "done" else "failed"


def _summary(records: list[TaskRecord]) -> str:
    counts = Counter(map(_outcome, records))
    games = plural(len(records), "game")
    return f"{games}: " + ", ".join(f"{number} {outcome}" for outcome, number in counts.most_common())


def _status(records: list[TaskRecord]) -> int:
    """Return 0 if all are proved, else 2 if some failed, 3 if some are undecided, 1 if some have no theorem."""
    outcomes = set(map(_outcome, records))
    if "failed" in outcomes:
        return ERROR
    if outcomes == {"proved"}:
        return TRUE
    return SPENT if "undecided" in outcomes else FALSE
