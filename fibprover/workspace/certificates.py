"""The certificates of what the commands of a session prove, in its folder.

Begin with `CertificateFolder.certify`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from fibprover.base.files import make_folder
from fibprover.base.names import file_name

if TYPE_CHECKING:
    from fibprover.prover.certificate.checking import CertificateCheck
    from fibprover.prover.certificate.writing import Certificate


class CertificateFolder:
    """A folder for certificates.

    path: of the folder; digests: those of the contents of the files of this session, by their names without ending.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.digests: dict[str, str] = {}

    def make(self) -> None:
        """Make the folder; FileProblem if that fails."""
        make_folder(self.path)

    def certify(self, name: str, made: Callable[[], Certificate], seconds: float | None) -> CertificateCheck:
        """Write the certificate of a theorem into a file with this name, and check it.

        seconds: those of the check.  Another certificate of the same name, as scripts have, gets a number: the file of
        the first one stays.  Raises FileProblem; FibproverError if a checker finds the certificate invalid, a defect.
        """
        from fibprover.prover.certificate.checking import ENDING, certify_named  # seldom requested

        self.make()
        return certify_named(made, lambda digest: str(self.path / file_name(self._name(name, digest), ENDING)), seconds)

    def _name(self, name: str, digest: str) -> str:
        """Return the name of the file for a content: the first one that no other content has."""
        names = (name if number == 1 else f"{name}_{number}" for number in count(1))
        # Some systems do not tell capital letters from others in names of files.
        free = next(each for each in names if self.digests.get(each.casefold(), digest) == digest)
        self.digests[free.casefold()] = digest
        return free
