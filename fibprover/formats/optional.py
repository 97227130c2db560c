"""Libraries that are used where they are installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from fibprover.errors import NotInstalled


def library(module: str, package: str, extra: str = "") -> Any:
    """A module of a library; NotInstalled, with the line that installs it, where there is none.

    extra: the part of fibprover that needs the library, where there is one.
    """
    try:
        return import_module(module)
    except ImportError as error:
        line = f"pip install 'fibprover[{extra}]'" if extra else f"pip install {package}"
        raise NotInstalled(f"this needs {package}, which is not installed", hint=line) from error
