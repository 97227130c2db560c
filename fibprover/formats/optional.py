"""Libraries that are used where they are installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from fibprover.errors import NotInstalled


def library(module: str, package: str) -> Any:
    """A module of a library; NotInstalled, with the line that installs it, where there is none."""
    try:
        return import_module(module)
    except ImportError as error:
        raise NotInstalled(f"this needs {package}, which is not installed", hint=f"pip install {package}") from error
