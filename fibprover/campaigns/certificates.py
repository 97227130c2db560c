"""The certificates in a folder, or those that a store names: each is checked, in processes.

Begin with `check_folder`, which keeps what it finds in a file, or with `check_again`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from fibprover.base.errors import BudgetSpent, FibproverError, FileProblem
from fibprover.base.files import read_bytes, read_text, write_bytes
from fibprover.campaigns.sweeps.processes import Pool, PoolBroken, death
from fibprover.campaigns.sweeps.store import TaskRecord
from fibprover.checker import fibcheck
from fibprover.prover.certificate.checking import ENDING, MOST_BYTES, is_verified, verified_checker

#: What the check of a file ends in; a file that a store names may also be missing, or another one.
VALID, INVALID, NONE = "valid", "invalid", "no certificate"
MISSING, REPLACED = "missing", "replaced"

_ENDINGS = (ENDING, ".jsonl")


@dataclass(frozen=True, slots=True)
class FileCheck:
    """What the check of a file has found.

    file: its path in the folder; digest: of its content and of the checker; verdict: VALID, INVALID or NONE; reason:
    why it is not valid; statement, claims: what is proved, and by how many claims; seconds: of CPU time; verified:
    whether the checker that is proved in Coq has accepted it, too.
    """

    file: str
    digest: str
    verdict: str
    reason: str
    statement: str
    claims: int
    bytes: int
    seconds: float
    verified: bool = False


def files_of(folder: Path) -> list[Path]:
    """Return the files of certificates in a folder and below it, the smallest first."""
    found = [each for each in folder.rglob("*") if each.name.endswith(_ENDINGS) and each.is_file()]
    return sorted(found, key=lambda each: (each.stat().st_size, str(each)))


def shares(jobs: int, room: int, *, given: bool) -> tuple[int, int]:
    """Return how many checks may go on at once, and the bytes of each.

    jobs: the most; room: the bytes of all together; given: whether the user has given them.  Otherwise each may take as
    many as the checker allows by itself, so that fewer go on at once where there is not so much memory.
    """
    if given:
        return jobs, room // jobs
    each = max(1, min(room, fibcheck.MOST_MEMORY))
    return max(1, min(jobs, room // each)), each


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
        found = known.get((name := str(each.relative_to(folder)), _size_and_digest(each, both)[1]))
        if found is None:
            todo.append(each)
        else:
            results[name] = found
            yield found, True
    for found in _checked(todo, folder, jobs, seconds, memory, both):
        if both and found.verdict == VALID and not found.verified:
            found = replace(found, verdict=NONE, reason=f"{_SPENT} for the checker that is proved in Coq")
        results[found.file] = found
        if kept is not None:
            lines = [json.dumps(asdict(one)) + "\n" for one in results.values()
                     if one.digest and not one.reason.startswith(_SPENT)]
            write_bytes(kept, "".join(lines).encode(), durable=False)
        yield found, False


@dataclass(frozen=True, slots=True)
class Named:
    """A certificate that tasks in a store name: its file, their names, and the digest that they give of it, or ""."""

    file: Path
    tasks: tuple[str, ...]
    digest: str


def named(records: Iterable[TaskRecord], home: Path) -> list[Named]:
    """Return the certificates that records name; home: the folder of the store.

    A path that leads nowhere from the working directory may begin in the folder of the store.  Tasks that give other
    digests of one file name other certificates: a later one has been written in place of an earlier one.
    """
    found: dict[tuple[Path, str], list[str]] = {}
    for record in records:
        if record.certificate and record.state == "done":
            file = Path(record.certificate)
            if not os.path.isfile(file) and os.path.isfile(home / file):
                file = home / file
            found.setdefault((file, _of_certificate(record, "digest")), []).append(record.what)
    return [Named(file, tuple(tasks), digest) for (file, digest), tasks in found.items()]


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
    todo = dict[Path, list[Named]]()
    for one in certificates:
        why = _not_there(one)
        if why is None:
            todo.setdefault(one.file, []).append(one)
        else:
            yield one, FileCheck(str(one.file), "", *why, "", 0, 0, 0.0)
    for found in _checked(deque(todo), Path(), jobs, seconds, memory, both=True):
        for one in todo[Path(found.file)]:
            yield one, found


def _not_there(one: Named) -> tuple[str, str] | None:
    """Return the verdict on a file that is not the one that was checked, with the reason; None if it is."""
    if not os.path.isfile(one.file):  # that of Path raises OSError where a name is too long, or a folder is closed
        return MISSING, "there is no such file"
    try:
        content = hashlib.sha256(read_bytes(one.file, MOST_BYTES)).hexdigest()
    except FileProblem as problem:
        return NONE, problem.message
    if one.digest not in ("", content):
        return REPLACED, "the file has another content than when it was checked"
    return None


#: So the reason begins where the limits were too small: that is tried again.
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
                size, digest = _size_and_digest(path, both)
                yield FileCheck(_name(path, folder), digest, NONE, reason, "", 0, size, 0.0)
            if not broken.killed:
                raise FibproverError(f"a process {broken.ending}") from None
            todo.extend(started)


def check_file(path: Path, folder: Path, seconds: float, memory: int, both: bool = False) -> FileCheck:
    """Return what is found about one file; both: by both checkers, if the one that is proved in Coq is there."""
    begun = cpu_seconds()
    name, (size, digest), verified = _name(path, folder), _size_and_digest(path, both), False

    def found(verdict: str, reason: str = "", statement: str = "", claims: int = 0) -> FileCheck:
        took = round(cpu_seconds() - begun, 3)
        return FileCheck(name, digest, verdict, reason, statement, claims, size, took, verified)

    try:
        checker = fibcheck.check(str(path), seconds=seconds, memory=memory)
        if both:
            verified = is_verified(str(path), seconds)
    except BudgetSpent:
        raise
    except (fibcheck.Invalid, FibproverError) as problem:
        return found(INVALID, str(problem))
    except fibcheck.Malformed as problem:
        is_spent = isinstance(problem, fibcheck.TooLarge) or "than the limit" in str(problem)
        return found(NONE, f"{_SPENT}: {problem}" if is_spent else str(problem))
    assert checker.statement is not None
    return found(VALID, statement=f"{checker.scope()}{checker.statement[1]}", claims=len(checker.claims))


def _name(path: Path, folder: Path) -> str:
    """Return the path of a file in a folder, or its whole path if it is elsewhere."""
    return str(path.relative_to(folder) if path.is_relative_to(folder) else path)


def cpu_seconds() -> float:
    """Return the CPU time of this process, and of those that it has started and that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _size_and_digest(path: Path, both: bool) -> tuple[int, str]:
    """Return the size of a file, and a digest of it and of the checker, or of both; "" if it cannot be read."""
    whole = hashlib.sha256(read_bytes(fibcheck.__file__, MOST_BYTES))
    if both and (program := verified_checker()) is not None:
        whole.update(read_bytes(program, MOST_BYTES))
    try:
        content = read_bytes(path, MOST_BYTES)
    except FileProblem:  # the checker says why
        return (os.path.getsize(path) if os.path.isfile(path) else 0), ""
    whole.update(content)
    return len(content), whole.hexdigest()


def _known(kept: Path) -> dict[tuple[str, str], FileCheck]:
    """Return the results in a file, by the name and the digest of what was checked."""
    if not kept.exists():
        return {}
    try:
        found = [FileCheck(**json.loads(line)) for line in read_text(kept, MOST_BYTES).splitlines()]
        return {(each.file, each.digest): each for each in found if each.verdict in (VALID, INVALID, NONE)}
    except (OSError, ValueError, TypeError):
        raise FibproverError(f"{kept} has no results of fibprover check", hint="name another file") from None
