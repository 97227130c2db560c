"""`help`: how commands are written."""

from __future__ import annotations

from collections.abc import Sequence

from fibprover.errors import UnknownName, did_you_mean
from fibprover.parse.commands import WORDS


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
