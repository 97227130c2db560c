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

    path: of the folder; theorems: what the files of this session are certificates of, by their names without ending.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.theorems: dict[str, str] = {}

    def make(self) -> None:
        """Make the folder; FileProblem if that fails."""
        make_folder(self.path)

    def certify(
        self, name: str, theorem: str, made: Callable[[], Certificate], seconds: float | None
    ) -> CertificateCheck:
        """Write the certificate of a theorem into a file with this name, and check it.

        seconds: those of the check.  Another theorem of the same name, as scripts have, gets a number: the file of the
        first one stays.  Raises FileProblem; FibproverError if a checker finds the certificate invalid, a defect.
        """
        from fibprover.prover.certificate.checking import ENDING, certify  # seldom requested

        self.make()
        names = (name if number == 1 else f"{name}_{number}" for number in count(1))
        free = next(each for each in names if self.theorems.get(each, theorem) == theorem)
        self.theorems[free] = theorem
        return certify(made, str(self.path / file_name(free, ENDING)), seconds)
