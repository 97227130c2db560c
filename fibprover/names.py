"""What numeration systems are called in full."""

from __future__ import annotations

import re

#: A direction with the base right behind it, as in msd2 and lsdfib.
_GLUED = re.compile(r"(msd|lsd)([a-zA-Z0-9]\w*)", re.ASCII)


def full_name(written: str) -> str:
    """The full name of a numeration system: direction, `_`, base.

    The direction may be left out (`fib` is msd_fib, `2` is msd_2), and so may the base 2 (`lsd` is lsd_2) and
    the `_` (`lsd3` is lsd_3), as in Walnut.  Whether such a system exists is not asked.
    """
    if written in ("msd", "lsd"):
        return f"{written}_2"
    if written.startswith(("msd_", "lsd_")):
        return written
    glued = _GLUED.fullmatch(written)
    return f"{glued[1]}_{glued[2]}" if glued else f"msd_{written}"



# ---- names
# Names as they are written.

#: Names of definitions, words and macros.
NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*")

#: What a numeration system may be called in a formula or an alphabet.
SYSTEM = re.compile(r"[a-zA-Z0-9_]+")
