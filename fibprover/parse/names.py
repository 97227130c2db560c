"""Names as they are written."""

from __future__ import annotations

import re

#: Names of definitions, words and macros.
NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*")

#: What a numeration system may be called in a formula or an alphabet.
SYSTEM = re.compile(r"[a-zA-Z0-9_]+")
