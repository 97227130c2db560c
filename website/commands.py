"""Writes docs/commands.md from the help texts and their examples: `python website/commands.py`."""

from __future__ import annotations

from pathlib import Path

from fibprover.frontends.cli.help import answered
from fibprover.frontends.conversation.topics import EXAMPLES, GROUPS
from fibprover.language.commands import WORDS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "commands.md"

_HEAD = """\
# All commands, tried

[Scripts](language.md#scripts), [the prompt](prompt.md) and [cells](notebook.md#cells-of-commands) consist of commands.
Each ends with `;`, `:` or `::`, and is a method of a [session](api.md) with the same name as well. The examples are
what `help NAME` at the prompt shows; [Coming from Walnut](walnut.md) tells how commands differ from those there.
"""


def page() -> str:
    """Return the text of the page."""
    pieces = [_HEAD]
    for group, words in GROUPS.items():
        pieces.append(f"## {group.capitalize()}\n")
        for word in words:
            about = WORDS[word]
            pieces.append(f"### {word.strip('[]')}{' (in front of a command)' if word.startswith('[') else ''}\n")
            pieces.append(f"    {about.usage}\n\n{about.summary[0].upper()}{about.summary[1:]}.\n".replace("\n ", "\n"))
            if word in EXAMPLES:
                said = "".join(f"fibprover> {entry}\n{text}\n" for entry, text in answered(EXAMPLES[word]))
                pieces.append(f"```text\n{said}```\n")
    return "\n".join(pieces)


if __name__ == "__main__":
    PAGE.write_text(page())
