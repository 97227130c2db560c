"""`help`: how commands are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from fibprover.errors import SyntaxProblem, UnknownName, did_you_mean
from fibprover.names import NAME
from fibprover.syntax.commands import WORDS


def help_text(topics: Sequence[str]) -> str:
    """One line a command, or the usage, purpose and example of the one that the last topic names.

    UnknownName for a topic that is no command.
    """
    if not topics:
        width = max(map(len, WORDS))
        return "\n".join(f"{word:<{width}}  {about.summary}" for word, about in WORDS.items())
    topic = topics[-1]
    about = WORDS.get(topic)
    if about is None:
        raise UnknownName(
            f"there is no command {topic}", topic, 0, len(topic), hint=did_you_mean(topic, list(WORDS))
        )
    lines = [about.usage, f"  {about.summary}"]
    if about.example:
        lines.append(f"  for example: {about.example}")
    return "\n".join(lines)



# ---- sources
# What the names in commands mean.

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
