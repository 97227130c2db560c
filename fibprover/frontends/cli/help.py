"""`help` at the prompt: commands and topics, with examples that are run when they are displayed.

The usage of commands is in `fibprover.language.commands.WORDS`; groups, topics and
examples are in `fibprover.frontends.conversation.topics`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from textwrap import indent

from fibprover.base.errors import UnknownName, did_you_mean
from fibprover.frontends.cli.prompt import answer
from fibprover.frontends.conversation.session_names import filled
from fibprover.frontends.conversation.topics import EXAMPLES, GROUPS, TOPICS
from fibprover.language.commands import ALIASES, WORDS
from fibprover.words.catalogue import ENTRIES
from fibprover.workspace.session import Session

_OVERVIEW = """\
Type a formula, such as  Ax,y x+y=y+x  or  ?msd_fib F[n]=1 & n<9, or a command that ends in ; or : or ::

{commands}

help COMMAND     how it is written, what it does, and an example
help TOPIC       {topics}
help T           about a word, a numeration system such as msd_fib, or a name that you have defined
list             what you have defined, with systems and states
show NAME        a name's definition, first elements and automaton
save FILE        writes what you have entered as a script
quit, Ctrl-D     leaves"""


def help_text(topics: list[str], session: Session | None = None) -> str:
    """Return the overview, or the help on the last of `topics`: a command, a topic, a word of the library, a
    numeration system, or a name of the session.

    Raises UnknownName for any other.
    """
    if not topics:
        return overview()
    topic, _ = ALIASES.get(topics[-1], (topics[-1], ""))
    name = f"[{topic.strip('[]')}]"
    name = name if name in WORDS and topic not in WORDS else topic
    if name in WORDS:
        about = WORDS[name]
        return f"{about.usage}\n  {about.summary}" + shown_example(EXAMPLES.get(name, ""))
    if name in TOPICS:
        return TOPICS[name] + shown_example(EXAMPLES.get(name, ""))
    session = session or Session()
    if name in ENTRIES and name not in session.namespace.words:
        from fibprover.frontends.cli.words import description

        return description(ENTRIES[name], session, None)
    try:
        return session.help(topic)
    except UnknownName as problem:
        known = [*WORDS, *TOPICS, *ENTRIES, *session.namespace.definitions]
        hint = did_you_mean(topic, known, "`help` alone lists the commands and topics")
        if topic.lstrip("?").startswith(("msd_", "lsd_")):
            raise
        raise UnknownName(f"no help on {topic}", topic, 0, len(topic), hint=hint) from problem


def overview() -> str:
    """Return all commands in groups, and the topics."""
    width = max(map(len, GROUPS))
    lines = []
    for group, words in GROUPS.items():
        lines += filled(f"{group:<{width}}  ", words)
    return _OVERVIEW.format(commands="\n".join(lines), topics=", ".join(TOPICS))


def shown_example(example: str) -> str:
    """Return an example with its answers."""
    if not example:
        return ""
    lines = ["", "", "for example:"]
    for entry, said in answered(example):
        lines.append(f"  > {entry}")
        if said:
            lines.append(indent(said, "  "))
    return "\n".join(lines)


def answered(example: str) -> list[tuple[str, str]]:
    """Return each line of an example with its answer, in a new session."""
    arguments = argparse.Namespace(
        json=False, first=10, trace=False, plan="optimized", vacuity=False, vacuity_deep=False
    )
    session = Session()
    said: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory(prefix="fibprover-") as folder:
        session.namespace.folder = Path(folder)
        for entry in example.strip().splitlines():
            recorder = _Recorder()
            answer(entry, session, arguments, recorder)
            said.append((entry, "\n".join(recorder.texts).replace(f"{folder}/", "")))
    return said


class _Recorder:
    """A listener that keeps all texts."""

    def __init__(self) -> None:
        self.title = ""
        self.texts: list[str] = []

    def say(self, text: str, /) -> None:
        self.texts.append(text)

    def warn(self, text: str, /) -> None:
        self.texts.append(text)


# -- groups, topics and examples --------------------------------------------------------------------------
