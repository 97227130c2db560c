"""The theorems and the atlas that come with fibprover: in the package, or in the checkout that it is run from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fibprover.base.errors import FileProblem, did_you_mean

#: The name of the folder, in a checkout and in an installed package.
FOLDER = "proofs"


def bundled_folder() -> Path:
    """Return the folder of the scripts of theorems that come with fibprover.

    Raises FileProblem where they were left out.
    """
    package = Path(__file__).resolve().parents[1]
    for place in (package / FOLDER, package.parent / FOLDER):
        if place.is_dir():
            return place
    raise FileProblem(f"no folder {FOLDER} is here, and none came with fibprover", hint="name a script of theorems")


def paths_meant(paths: Sequence[str]) -> list[Path]:
    """Return the scripts and folders that are meant: paths, or names of scripts that come with fibprover, as K2.

    paths: where there are none, the folder `proofs` here, or the one that comes with fibprover.  Raises FileProblem for
    what is neither.
    """
    if not paths:
        return [Path(FOLDER) if Path(FOLDER).is_dir() else bundled_folder()]
    return [_meant(path) for path in paths]


def _meant(path: str) -> Path:
    given = Path(path)
    if given.exists() or given.name != path or given.suffix:
        return given
    known = {file.stem: file for file in sorted(bundled_folder().glob("*.py")) if not file.stem.startswith("_")}
    found = known.get(path.lower().replace("-", "_"))
    if found is None:
        hint = did_you_mean(path.lower(), list(known)) or "name a script of theorems, or a folder of such scripts"
        raise FileProblem(f"no such file or folder, and no chapter that comes with fibprover: {path}", hint=hint)
    return found
