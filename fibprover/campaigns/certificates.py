"""The certificates in a folder, or those that a store names: each is checked, in processes.

Begin with `check_folder`, which keeps what it finds in a file, or with `check_again`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.files import read_bytes, read_text, write_bytes
from fibprover.campaigns.sweeps.processes import Pool, PoolBroken, death
from fibprover.campaigns.sweeps.store import TaskRecord
from fibprover.checker import fibcheck
from fibprover.prover.certificate.checking import ENDING, is_verified, verified_checker

#: What the check of a file ends in; a file that a store names may also be missing, or another one.
VALID, INVALID, NONE = "valid", "invalid", "no certificate"
MISSING, REPLACED = "missing", "replaced"

#: Larger files are no certificates.
_MOST_BYTES = 1 << 30

_ENDINGS = (ENDING, ".jsonl")


@dataclass(frozen=True, slots=True)
class FileCheck:
    """What the check of a file has found.

    file: its path in the folder; digest: of its content and of the checker; verdict: VALID, INVALID or NONE; reason:
    why it is not valid; statement, claims: what is proved, and by how many claims; seconds: of CPU time.
    """

    file: str
    digest: str
    verdict: str
    reason: str
    statement: str
    claims: int
    bytes: int
    seconds: float


def files_of(folder: Path) -> list[Path]:
    """Return the files of certificates in a folder and below it, the smallest first."""
    found = [each for each in folder.rglob("*") if each.name.endswith(_ENDINGS) and each.is_file()]
    return sorted(found, key=lambda each: (each.stat().st_size, str(each)))


def check_folder(
    folder: Path, jobs: int, seconds: float, memory: int, kept: Path | None = None, both: bool = False
) -> Iterator[tuple[FileCheck, bool]]:
    """Yield what is found about each certificate in a folder, as it is found, and whether that was known before.

    jobs: processes; seconds, memory: what one check may take, by the clock and in bytes; kept: a file of results, which
    is read and written: a file whose content has not changed is not checked again by the same checkers.  both: by the
    checker that is proved in Coq, too.
    Raises FibproverError if the folder has no certificates, FileProblem.
    """
    files = [each for each in files_of(folder) if kept is None or each.resolve() != kept.resolve()]
    if not files:
        raise FibproverError(f"{folder} has no certificates", hint=f"their names end in {' or '.join(_ENDINGS)}")
    known = {} if kept is None else _known(kept)
    results: dict[str, FileCheck] = {}
    todo = deque[Path]()
    for each in files:
        found = known.get((name := str(each.relative_to(folder)), _digest(each, both)))
        if found is None:
            todo.append(each)
        else:
            results[name] = found
            yield found, True
    for found in _checked(todo, folder, jobs, seconds, memory, both):
        results[found.file] = found
        if kept is not None:
            lines = [json.dumps(asdict(one)) + "\n" for one in results.values() if one.reason != _SPENT]
            write_bytes(kept, "".join(lines).encode(), durable=False)
        yield found, False


@dataclass(frozen=True, slots=True)
class Named:
    """A certificate that tasks in a store name: its file, their names, and the digests that they give of it."""

    file: Path
    tasks: tuple[str, ...]
    digests: frozenset[str]


def named(records: Iterable[TaskRecord], home: Path) -> list[Named]:
    """Return the certificates that records name; home: the folder of the store.

    A path that leads nowhere from the working directory may begin in the folder of the store.
    """
    found: dict[Path, list[TaskRecord]] = {}
    for record in records:
        if record.certificate and record.state == "done":
            file = Path(record.certificate)
            found.setdefault(file if file.is_file() or not (home / file).is_file() else home / file, []).append(record)
    return [
        Named(file, tuple(each.what for each in group), frozenset(_of_certificate(each, "digest") for each in group))
        for file, group in found.items()
    ]


def reason_without(record: TaskRecord) -> str:
    """Return why a finished task has no certificate that is checked; "" if it has one, or none was asked for."""
    return _of_certificate(record, "reason") if record.state == "done" else ""


def _of_certificate(record: TaskRecord, name: str) -> str:
    """Return what the result of a task says of its certificate, "" if it says nothing."""
    result = record.result if isinstance(record.result, dict) else {}
    made = result.get("certificate")
    said = made.get(name) if isinstance(made, dict) else None
    return said if isinstance(said, str) else ""


def check_again(
    certificates: Iterable[Named], jobs: int, seconds: float, memory: int
) -> Iterator[tuple[Named, FileCheck]]:
    """Yield what is found about each certificate that a store names, as it is found, those that are missing first.

    It is valid if it has the content that the tasks say, and is accepted by the checker, and by the one that is proved
    in Coq where that is built.  The limits are those of `check_folder`.
    """
    todo = dict[Path, Named]()
    for one in certificates:
        why = _not_there(one)
        if why is None:
            todo[one.file] = one
        else:
            yield one, FileCheck(str(one.file), "", *why, "", 0, 0, 0.0)
    for found in _checked(deque(todo), Path(), jobs, seconds, memory, verified_checker() is not None):
        yield todo[Path(found.file)], found


def _not_there(one: Named) -> tuple[str, str] | None:
    """Return the verdict on a file that is not the one that was checked, with the reason; None if it is."""
    if not one.file.is_file():
        return MISSING, "there is no such file"
    content = hashlib.sha256(read_bytes(one.file, _MOST_BYTES)).hexdigest()
    if one.digests - {"", content}:
        return REPLACED, "the file has another content than when it was checked"
    return None


#: The reason where the limits were too small: that is tried again.
_SPENT = "the limits do not suffice"


def _checked(
    todo: deque[Path], folder: Path, jobs: int, seconds: float, memory: int, both: bool = False
) -> Iterator[FileCheck]:
    """Yield the checks of files, which may be in progress at the same time; both: by both checkers."""
    while todo:
        started: dict[Path, None] = {}
        try:
            with Pool(jobs) as pool:
                while todo or pool.keys:
                    while todo and len(pool.keys) < jobs:
                        started[path := todo.popleft()] = None
                        pool.submit(str(path), check_file, path, folder, seconds, memory, both)
                    for key, future in pool.results():
                        del started[Path(str(key))]
                        yield future.result()
        except PoolBroken as broken:
            for key, ending in broken.killed:
                path = Path(str(key))
                del started[path]
                reason = death(ending).splitlines()[0]
                name, size = _name(path, folder), path.stat().st_size
                yield FileCheck(name, _digest(path, both), NONE, reason, "", 0, size, 0.0)
            if not broken.killed:
                raise FibproverError(f"a process {broken.ending}") from None
            todo.extend(started)


def check_file(path: Path, folder: Path, seconds: float, memory: int, both: bool = False) -> FileCheck:
    """Return what is found about one file; both: by both checkers."""
    begun = cpu_seconds()
    name, size, digest = _name(path, folder), path.stat().st_size, _digest(path, both)

    def found(verdict: str, reason: str = "", statement: str = "", claims: int = 0) -> FileCheck:
        return FileCheck(name, digest, verdict, reason, statement, claims, size, round(cpu_seconds() - begun, 3))

    try:
        checker = fibcheck.check(str(path), seconds=seconds, memory=memory)
        if both and not is_verified(str(path), seconds):
            return found(NONE, _SPENT)
    except BudgetSpent:
        raise
    except (fibcheck.Invalid, FibproverError) as problem:
        return found(INVALID, str(problem))
    except fibcheck.TooLarge:
        return found(NONE, _SPENT)
    except fibcheck.Malformed as problem:
        return found(NONE, _SPENT if "than the limit" in str(problem) else str(problem))
    assert checker.statement is not None
    return found(VALID, statement=checker.statement[1], claims=len(checker.claims))


def _name(path: Path, folder: Path) -> str:
    """Return the path of a file in a folder, or its whole path if it is elsewhere."""
    return str(path.relative_to(folder) if path.is_relative_to(folder) else path)


def cpu_seconds() -> float:
    """Return the CPU time of this process, and of those that it has started and that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _digest(path: Path, both: bool) -> str:
    """Return a digest of a file and of the checker, or of both."""
    whole = hashlib.sha256(read_bytes(fibcheck.__file__, _MOST_BYTES))
    if both and (program := verified_checker()) is not None:
        whole.update(read_bytes(program, _MOST_BYTES))
    whole.update(read_bytes(path, _MOST_BYTES))
    return whole.hexdigest()


def _known(kept: Path) -> dict[tuple[str, str], FileCheck]:
    """Return the results in a file, by the name and the digest of what was checked."""
    if not kept.exists():
        return {}
    try:
        found = [FileCheck(**json.loads(line)) for line in read_text(kept, _MOST_BYTES).splitlines()]
        return {(each.file, each.digest): each for each in found if each.verdict in (VALID, INVALID, NONE)}
    except (OSError, ValueError, TypeError):
        raise FibproverError(f"{kept} has no results of fibprover check", hint="name another file") from None
