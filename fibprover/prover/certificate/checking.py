"""Certificates that are written to a file and checked there, before anybody relies on them.

The checker is `fibprover/checker/fibcheck.py`; the one that is proved in Coq joins in where it is built
(docs/verified.md).
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from fibprover.base.errors import BudgetSpent, FibproverError, FileProblem, LimitError
from fibprover.base.files import read_bytes, write_bytes
from fibprover.prover.certificate.tables import NotCertified
from fibprover.prover.certificate.writing import Certificate

#: The ending of the files of certificates.
ENDING = ".jsonl.gz"

#: Larger files are no certificates.
MOST_BYTES = 1 << 30

#: The seconds that a check may take where there is no limit.
MOST_SECONDS = 3600.0

#: The seconds that the second check may take where there is no limit, or so many times those of the first one.
_SECOND_SECONDS, _SECOND_TIMES = 60.0, 20.0

#: The program of the checker that is proved in Coq, and its exit statuses.
VERIFIED = "fibcheck-verified"
_VALID, _INVALID = 0, 1


@dataclass(frozen=True, slots=True)
class CertificateCheck:
    """A certificate that was written and checked, with the seconds that this took; reason: why there is none.

    verified: whether the checker that is proved in Coq has accepted it, too; digest: of the content of the file.
    """

    file: str
    size: int = 0
    written_seconds: float = 0.0
    checked_seconds: float = 0.0
    reason: str = ""
    verified: bool = False
    digest: str = ""

    @property
    def checked(self) -> bool:
        """Whether there is a certificate that is checked."""
        return not self.reason

    @property
    def is_there(self) -> bool:
        """Whether the file is the one that was checked, if there is a certificate."""
        try:
            return bool(self.reason) or hashlib.sha256(read_bytes(self.file, MOST_BYTES)).hexdigest() == self.digest
        except FileProblem:
            return False

    def plain(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "file": self.file, "bytes": self.size, "reason": self.reason, "checked": self.checked,
            "verified": self.verified, "digest": self.digest, "written_seconds": round(self.written_seconds, 6),
            "checked_seconds": round(self.checked_seconds, 6),
        }

    @staticmethod
    def of_plain(plain: Mapping[str, Any]) -> CertificateCheck:
        """Return what `plain` has written."""
        return CertificateCheck(
            plain["file"], plain["bytes"], plain["written_seconds"], plain["checked_seconds"], plain["reason"],
            plain["verified"], plain["digest"],
        )

    def __str__(self) -> str:
        if self.reason:
            return f"decided, not certified: {self.reason}"
        return f"certified: {self.file}{' (by both checkers)' if self.verified else ''}"


def certify(make: Callable[[], Certificate], file: str, seconds: float | None = None) -> CertificateCheck:
    """Write a certificate to a file, and check the file.

    make: returns the certificate; seconds: what the check may take.  Without a certificate the result has the reason.
    A file that was there before is then left as it is, and the reason says so.
    Raises FileProblem; FibproverError if a checker finds the certificate invalid, which is a defect.
    """
    earlier = Path(file).exists()
    found = certify_named(make, lambda digest: file, seconds)
    if earlier and not found.file:
        return replace(found, reason=f"{found.reason}; {file} is of an earlier run, and is left as it was")
    return found


def certify_named(
    make: Callable[[], Certificate], named: Callable[[str], str], seconds: float | None = None
) -> CertificateCheck:
    """Do what `certify` does; named: returns the file for the content with a digest."""
    from fibprover.checker import fibcheck  # seldom requested

    begun = perf_counter()
    try:
        content = make().content
    except (NotCertified, BudgetSpent, LimitError) as error:
        return CertificateCheck("", reason=error.message)
    except MemoryError:
        return CertificateCheck("", reason="no memory is left")
    digest = hashlib.sha256(content).hexdigest()
    file = named(digest)
    write_bytes(file, content, durable=False, follow=False)
    written = perf_counter()
    try:
        fibcheck.check(file, seconds=seconds or MOST_SECONDS)
        verified = is_verified(file, seconds or max(_SECOND_SECONDS, _SECOND_TIMES * (perf_counter() - written)))
    except fibcheck.Malformed as problem:
        reason = f"it is not checked: {problem}"
        return CertificateCheck(file, len(content), written - begun, reason=reason, digest=digest)
    except fibcheck.Invalid as problem:
        raise FibproverError(f"the certificate is invalid: {problem}", hint="please report it") from None
    return CertificateCheck(
        file, len(content), written - begun, perf_counter() - written, verified=verified, digest=digest
    )


def is_verified(file: str, seconds: float) -> bool:
    """Return whether the checker that is proved in Coq is there and accepts a file; FibproverError if it refuses it."""
    program = verified_checker()
    if program is None:
        return False
    command = [program, "--timeout", str(max(1, round(seconds))), file]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=2 * seconds + 60)
    except (OSError, subprocess.TimeoutExpired):  # it is of another machine, say; the other checker has accepted
        return False
    if done.returncode == _INVALID:
        raise FibproverError(
            f"the checkers disagree about the certificate: {done.stdout.strip()}", hint=f"please report it, with {file}"
        )
    return done.returncode == _VALID


def verified_checker() -> str | None:
    """Return the program of the checker that is proved in Coq: that of this checkout, or one on the path."""
    own = Path(__file__).resolve().parents[3] / "build" / VERIFIED
    return str(own) if own.is_file() else shutil.which(VERIFIED)
