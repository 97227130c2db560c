"""When and by what a page was made."""

from __future__ import annotations

import platform
from datetime import datetime


def about(version: str) -> str:
    """A line for the foot of a page; version: of fibprover."""
    day = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    python = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    return f"fibprover {version}, {python}, {day}"
