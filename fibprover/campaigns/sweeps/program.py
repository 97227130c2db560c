"""A hash of the program that computes, for the keys of tasks."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

#: The endings of the files that take part in computations.
_ENDINGS = {".py", ".lark", ".so", ".pyd"}


def program() -> str:
    """Return the version of fibprover with a hash of its files, kernels included.

    A version under development has one number for many programs.  Without files, as in an archive, it is the version.
    """
    digest = sha256()
    home = Path(__file__).parents[2]
    folders = home, home.with_name("fibprover_ext")
    files = (file for folder in folders for file in folder.rglob("*") if file.suffix in _ENDINGS)
    for file in sorted(files):
        digest.update(file.relative_to(home.parent).as_posix().encode() + b"\0")
        digest.update(sha256(file.read_bytes()).digest())
    return f"{sys.modules['fibprover'].__version__} {digest.hexdigest()}"
