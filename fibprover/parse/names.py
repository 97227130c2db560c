"""Names as they are written, and the full names of numeration systems."""

from __future__ import annotations

import re

#: Names of definitions, words and macros.
NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*")

#: What a numeration system may be called in a formula or an alphabet.
SYSTEM = re.compile(r"[a-zA-Z0-9_]+")


def system_name(written: str) -> str:
    """The full name of a numeration system: direction, then base.

    The direction may be left out (`fib` is msd_fib, `2` is msd_2), and so may the base 2 (`lsd` is
    lsd_2).  Whether such a system exists is not asked.
    """
    if written in ("msd", "lsd"):
        return f"{written}_2"
    return written if written.startswith(("msd_", "lsd_")) else f"msd_{written}"
