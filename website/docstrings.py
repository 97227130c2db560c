"""An extension of griffe for docstrings: names of parameters and fields are set as code on the pages, and examples.

Docstrings describe parameters as `limits: what each evaluation may spend; without: ...`, or in a list.  Examples are
the lines from `>>>` to the next empty one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import griffe

#: Such a name begins a line, a sentence, or a part of a sentence.
_BEFORE = r"(?:(?<=^)|(?<=; )|(?<=\. )|(?<=\n)|(?<=\n- ))"

#: An example with what it prints.
_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)


class Docstrings(griffe.Extension):
    """Griffe calls these methods for every function, package and class that it has read."""

    def on_function(self, *, func: griffe.Function, loader: griffe.GriffeLoader, **_: Any) -> None:
        _mark(func, (parameter.name.lstrip("*") for parameter in func.parameters))
        _fence(func)

    def on_attribute(self, *, attr: griffe.Attribute, loader: griffe.GriffeLoader, **_: Any) -> None:
        """Properties are attributes."""
        _fence(attr)

    def on_package(self, *, pkg: griffe.Module, loader: griffe.GriffeLoader, **_: Any) -> None:
        """Give a method without a docstring that of the method it overrides."""
        for cls in _classes(pkg):
            for name, member in cls.members.items():
                if isinstance(member, griffe.Function) and member.docstring is None:
                    above = (base.members.get(name) for base in cls.mro())
                    member.docstring = next((each.docstring for each in above if each and each.docstring), None)

    def on_class(self, *, cls: griffe.Class, loader: griffe.GriffeLoader, **_: Any) -> None:
        made = cls.members.get("__init__")
        taken = [parameter.name for parameter in made.parameters] if isinstance(made, griffe.Function) else []
        _mark(cls, [*taken, *(name for name in cls.members if not name.startswith("_"))])
        _fence(cls)


def _classes(module: griffe.Module) -> Iterator[griffe.Class]:
    for member in module.members.values():
        if isinstance(member, griffe.Module):
            yield from _classes(member)
        elif isinstance(member, griffe.Class):
            yield member


def _fence(what: griffe.Object) -> None:
    """Make a block of code of each example."""
    if what.docstring is not None:
        what.docstring.value = _EXAMPLE.sub(lambda match: f"```pycon\n{match[0]}\n```", what.docstring.value)


def _mark(what: griffe.Object, names: Iterable[str]) -> None:
    known = sorted(set(names) - {"self"}, key=len, reverse=True)
    if what.docstring is None or not known:
        return
    name = "|".join(map(re.escape, known))
    listed = re.compile(rf"{_BEFORE}((?:{name})(?:, (?:{name}))*)(?=:\s)", re.MULTILINE)
    what.docstring.value = listed.sub(
        lambda match: ", ".join(f"`{each}`" for each in match[1].split(", ")), what.docstring.value
    )
