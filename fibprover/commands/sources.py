"""What the names in commands mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from fibprover.errors import SyntaxProblem, UnknownName, did_you_mean
from fibprover.parse.names import NAME

T = TypeVar("T")


def named(what: str, known: Mapping[str, T], name: str) -> T:
    """What a name stands for; a `$` in front is allowed where predicates are meant.

    what: "predicate", "word", ..., for messages.  UnknownName with the name as its text.
    """
    bare = name.removeprefix("$") if what == "predicate" else name
    found = known.get(bare)
    if found is None:
        if not NAME.fullmatch(bare):
            raise SyntaxProblem("this is not a name", name, 0, len(name), hint=f"the name of a {what} is expected")
        raise UnknownName(f"no {what} is called {bare}", name, 0, len(name), hint=did_you_mean(bare, list(known)))
    return found
