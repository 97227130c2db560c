"""`help` at the prompt: commands and topics, with examples that are run when they are shown.

An example is what one would type, an entry a line.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from textwrap import indent

from fibprover.cli.answers import answer
from fibprover.cli.topics import EXAMPLES, GROUPS, TOPICS
from fibprover.errors import UnknownName, did_you_mean
from fibprover.parse.commands import WORDS
from fibprover.session import Session
from fibprover.words.library import entries

_OVERVIEW = """\
Type a formula, such as  Ax,y x+y=y+x  or  ?msd_fib F[n]=1 & n<9, or a command that ends in ; or : or ::

{commands}

help COMMAND     how it is written, what it does, and an example
help TOPIC       {topics}
help T           a word that is there from the beginning
quit, Ctrl-D     leaves"""

_WIDTH = 100


def help_text(topics: list[str]) -> str:
    """All commands and topics, or what there is on the last one named: a command, a topic, a word of the library.

    UnknownName for one that there is not.
    """
    if not topics:
        return overview()
    topic = topics[-1]
    name = f"[{topic.strip('[]')}]"
    name = name if name in WORDS and topic not in WORDS else topic
    if name in WORDS:
        about = WORDS[name]
        return f"{about.usage}\n  {about.summary}" + shown_example(EXAMPLES.get(name, ""))
    if name in TOPICS:
        return TOPICS[name] + shown_example(EXAMPLES.get(name, ""))
    if name in entries():
        from fibprover.cli.words import description

        return description(entries()[name], Session(), None)
    raise UnknownName(
        f"there is no help on {topic}", topic, 0, len(topic), hint=did_you_mean(topic, [*WORDS, *TOPICS, *entries()])
    )


def overview() -> str:
    """What there is."""
    width = max(map(len, GROUPS))
    lines = []
    for group, words in GROUPS.items():
        lines += _filled(f"{group:<{width}}  ", words)
    return _OVERVIEW.format(commands="\n".join(lines), topics=", ".join(TOPICS))


def _filled(head: str, words: tuple[str, ...]) -> list[str]:
    lines = [head]
    for word in words:
        if len(lines[-1]) + len(word) + 1 > _WIDTH:
            lines.append(" " * len(head))
        lines[-1] += f"{word} "
    return [line.rstrip() for line in lines]


def shown_example(example: str) -> str:
    """An example with its answers."""
    if not example:
        return ""
    lines = ["", "", "for example:"]
    for entry, said in answered(example):
        lines.append(f"  > {entry}")
        if said:
            lines.append(indent(said, "  "))
    return "\n".join(lines)


def answered(example: str) -> list[tuple[str, str]]:
    """Each line of an example with what it is answered, in a session of its own."""
    arguments = argparse.Namespace(
        json=False, first=8, trace=False, plan="optimized", vacuity=False, vacuity_deep=False
    )
    session = Session()
    said: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory(prefix="fibprover-") as folder:
        session.folder = Path(folder)
        for entry in example.strip().splitlines():
            heard = _Heard()
            answer(entry, session, arguments, heard)
            said.append((entry, "\n".join(heard.texts).replace(f"{folder}/", "")))
    return said


class _Heard:
    """Keeps what is said."""

    def __init__(self) -> None:
        self.title = ""
        self.texts: list[str] = []

    def say(self, text: str, /) -> None:
        self.texts.append(text)

    def warn(self, text: str, /) -> None:
        self.texts.append(text)
