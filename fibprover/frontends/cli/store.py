"""`fibprover store FILE`: list, export and compare what long work has kept in a file."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fibprover.base.csv_text import csv_text
from fibprover.base.errors import FibproverError
from fibprover.base.files import write_text
from fibprover.base.screen import Verbatim
from fibprover.base.wording import plural
from fibprover.campaigns.sweeps.store import STATES, Store, TaskRecord, json_text
from fibprover.frontends.conversation.options import add_resource_arguments, limits, seconds
from fibprover.frontends.display.sweep_page import sweep_page
from fibprover.prover.certificate.checking import MOST_SECONDS

_EXAMPLES = """\
examples:
  fibprover prove proofs/k2.py --store work.sqlite
  fibprover store work.sqlite
  fibprover store work.sqlite --state failed
  fibprover store work.sqlite --match k2. --json -
  fibprover store work.sqlite --csv work.csv
  fibprover store work.sqlite --html work.html --every 5     a page that follows a sweep
  fibprover store work.sqlite --compare other.sqlite
  fibprover store work.sqlite --recheck                      the certificates that it names

exit status:
  0 listed, equal or valid, 1 the results of two stores differ or a certificate is not valid, 2 an error
"""

#: The columns of a CSV file, in order: the fields of TaskRecord.
_COLUMNS = tuple(TaskRecord.__dataclass_fields__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("file", metavar="FILE", help="a store, as --store makes it")
    parser.add_argument("--state", choices=STATES, default="", help="only tasks in this state")
    parser.add_argument("--match", default="", metavar="TEXT", help="only tasks whose description contains TEXT")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--json", metavar="FILE", help="write a list with an object for each task; - is standard output")
    group.add_argument("--csv", metavar="FILE", help="write a line for each task; - is standard output")
    group.add_argument("--html", metavar="FILE", help="write a page: counts, failures, tasks under way, slowest tasks")
    group.add_argument("--compare", metavar="OTHER", help="show the tasks whose results differ in a second store")
    group.add_argument(
        "--recheck", action="store_true",
        help="check the certificates of tasks, each once, also by the checker that is proved in Coq where it is built",
    )
    parser.add_argument(
        "--every", type=seconds, metavar="SECONDS", help="write the page again and again, until Ctrl-C"
    )
    limits = parser.add_argument_group("limits")
    add_resource_arguments(limits, "wall time of the whole command")
    parser.set_defaults(max_states=None)


def run(arguments: argparse.Namespace) -> int:
    """List, export or compare, and return the exit status."""
    if arguments.every is not None and arguments.html is None:
        raise FibproverError("--every works only with --html", hint="add --html FILE")
    if arguments.html is not None:
        _page(arguments)
        return 0
    records = _records(arguments.file, arguments)
    if arguments.compare is not None:
        return _compare(records, _records(arguments.compare, arguments))
    if arguments.recheck:
        return _recheck(records, Path(arguments.file).parent, arguments)
    if arguments.json is not None:
        objects = ",\n ".join(json_text(asdict(record)) for record in records)
        _write(arguments.json, f"[{objects}]\n")
    elif arguments.csv is not None:
        _write(arguments.csv, _csv(records))
    else:
        print(_table(records))
    return 0


def _page(arguments: argparse.Namespace) -> None:
    """Write the page, once or until Ctrl-C."""
    while True:
        records = _records(arguments.file, arguments)
        written = time.strftime("%Y-%m-%d %H:%M:%S")
        _write(arguments.html, sweep_page(records, Path(arguments.file).name, written, arguments.every))
        if arguments.every is None:
            return
        time.sleep(arguments.every)


def _records(file: str, arguments: argparse.Namespace) -> list[TaskRecord]:
    with Store(file, create=False) as store:
        return list(store.records(arguments.state, arguments.match))


def _write(file: str, text: str) -> None:
    if file == "-":
        # A program that reads the table gets the cells as they are; a terminal shows them.
        print(text if sys.stdout.isatty() else Verbatim(text), end="")
    else:
        write_text(file, text)


def _csv(records: list[TaskRecord]) -> str:
    rows: list[Sequence[Any]] = [_COLUMNS]
    for record in records:
        cells: dict[str, Any] = asdict(record)
        cells |= {"result": json_text(record.result), "evidence": json_text(record.evidence)}
        rows.append([cells[column] for column in _COLUMNS])
    return csv_text(rows)


def _table(records: list[TaskRecord]) -> str:
    """Return a line for each task, the reasons of failures below it, and the numbers of tasks."""
    lines = []
    for record in records:
        took = "" if record.seconds is None else f"{record.seconds:.3f} s"
        size = "" if record.peak_bytes is None else f"{record.peak_bytes / 1e6:.0f} MB"
        lines.append(f"{record.state:<7} {took:>11} {size:>9}  {record.what}")
        lines += [f"    {line}" for line in record.error.splitlines()]
    counts = Counter(record.state for record in records)
    numbers = ", ".join(f"{counts[state]} {state}" for state in STATES if counts[state])
    total = sum(record.seconds or 0.0 for record in records)
    count = plural(len(records), "task")
    return "\n".join([*lines, f"{count}: {numbers} ({total:.2f} s)" if records else "no tasks"])


def _recheck(records: list[TaskRecord], home: Path, arguments: argparse.Namespace) -> int:
    """Print what the check of each certificate has found, with the tasks that name it, and return the exit status.

    home: the folder of the store.  A certificate proves its statement, which is printed; whether that is what the task
    is about, the reader sees.
    """
    from fibprover.base.threads import cores
    from fibprover.campaigns.certificates import VALID, check_again, named, reason_without, shares
    from fibprover.checker import fibcheck

    certificates, valid, verified = named(records, home), 0, 0
    room = limits(arguments).start().room()
    jobs, memory = shares(max(1, min(cores(), len(certificates))), room, given=arguments.max_memory is not None)
    for one, found in check_again(certificates, jobs, arguments.timeout or MOST_SECONDS, memory):
        valid += found.verdict == VALID
        verified += found.verified
        said = found.statement if found.verdict == VALID else found.reason
        print(fibcheck.shown(f"{found.verdict:<15} {one.file}  ({', '.join(one.tasks)})  {said}"), flush=True)
    for record in records:
        if reason := reason_without(record):
            print(fibcheck.shown(f"{'not certified':<15} {record.what}  {reason}"))
    done = [record for record in records if record.state == "done"]
    without = plural(sum(not record.certificate or reason_without(record) != "" for record in done), "task")
    said = f"{valid} of {plural(len(certificates), 'certificate')} valid, {verified} by both checkers"
    print(f"{said}; {without} without a certificate")
    return 0 if valid == len(certificates) else 1


def _compare(records: list[TaskRecord], others: list[TaskRecord]) -> int:
    """Print what differs between two stores: tasks in one of them only, and other states or results."""
    one, other = {record.key: record for record in records}, {record.key: record for record in others}
    lines = [f"only in the first: {record.what}" for key, record in one.items() if key not in other]
    lines += [f"only in the second: {record.what}" for key, record in other.items() if key not in one]
    common = [(record, other[key]) for key, record in one.items() if key in other]
    for record, again in common:
        if (record.state, record.result, record.evidence) != (again.state, again.result, again.evidence):
            lines.append(f"{record.what}: {_said(record)}; in the second: {_said(again)}")
    equal = len(common) - sum(not line.startswith("only in the ") for line in lines)
    print("\n".join([*lines, f"{equal} of {len(one.keys() | other.keys())} tasks are equal"]))
    return 1 if lines else 0


def _said(record: TaskRecord) -> str:
    return json_text(record.result) if record.state == "done" else record.state
