"""Names as they are written, and the full names of numeration systems."""

from __future__ import annotations

import re

from fibprover.system_names import full_name as system_name

__all__ = ["NAME", "SYSTEM", "system_name"]

#: Names of definitions, words and macros.
NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*")

#: What a numeration system may be called in a formula or an alphabet.
SYSTEM = re.compile(r"[a-zA-Z0-9_]+")
