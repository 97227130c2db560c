"""Runs every example in the docstrings of the public names, and compares what it prints, exactly.

`fp` is fibprover in all of them.  Each docstring is a conversation of its own, in an empty folder.
"""

from __future__ import annotations

import doctest
import importlib.util
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import ModuleType, UnionType

import pytest

import fibprover as fp
from fibprover.sequences.series import Series

ROOT = Path(__file__).resolve().parent.parent

#: Classes whose public methods have an example each.
CLASSES = (fp.Session, fp.Relation, Series, fp.Verdict)


def of_classes() -> Iterator[tuple[str, object]]:
    """Yield the public methods and properties of the main classes."""
    for kind in CLASSES:
        for name, member in vars(kind).items():
            if not name.startswith("_") and (
                inspect.isfunction(member) or isinstance(member, property | cached_property)
            ):
                yield f"{kind.__name__}.{name}", member


def public() -> dict[str, object]:
    """Return what has an example, by name: what `fibprover` exports, and the methods of the main classes."""
    exported = {
        name: getattr(fp, name) for name in fp.__all__
        if not isinstance(getattr(fp, name), str | ModuleType | UnionType)
    }
    return exported | dict(of_classes())


def listed() -> dict[str, object]:
    """Return what docs/api.md lists further; not all of these have examples."""
    names = re.findall(r"^::: (\S+)$", (ROOT / "docs" / "api.md").read_text(), re.MULTILINE)
    return {name: pkgutil.resolve_name(name) for name in names}


PUBLIC = public()

#: Every docstring once: a method of a session is listed as the function of its command, too.
TOLD = {inspect.getdoc(what) or "": name for name, what in (listed() | PUBLIC).items()}


@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_have_an_example(name: str) -> None:
    told = inspect.getdoc(PUBLIC[name]) or ""
    assert ">>> " in told
    assert not told.startswith(">>>")


@pytest.mark.parametrize("told", [pytest.param(text, id=name) for text, name in TOLD.items() if ">>> " in text])
def test_examples(told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for library in ("pandas", "sympy"):
        if f"to_{library}" in told and importlib.util.find_spec(library) is None:
            pytest.skip(f"{library} is not installed")
    if "fp.draw(" in told or "fp.board(" in told:
        pytest.importorskip("matplotlib")
    example = doctest.DocTestParser().get_doctest(told, {"fp": fp}, TOLD[told], None, 0)
    said: list[str] = []
    outcome = doctest.DocTestRunner(verbose=False).run(example, out=said.append)
    assert outcome.failed == 0, "".join(said)


def test_there_is_something_to_run() -> None:
    assert sum(text.count(">>> ") for text in TOLD) > 100
