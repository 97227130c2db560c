"""What terminals show: characters that would act there, instead of being shown, are escaped as they are written.

Texts of files, names and messages may hold escape sequences, which recolour, erase or retype, and marks that turn the
direction of writing.  Nobody who makes a text has to think of them: within `escaping`, standard output and standard
error escape what is written, and what a program itself means for the terminal, such as colours, is `Verbatim`.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

#: Categories of characters that a terminal carries out or hides: controls, formats, ends of lines and paragraphs.
_ACTING = frozenset({"Cc", "Cf", "Zl", "Zp"})

#: What has to be looked at: everything but plain text.
_UNUSUAL = re.compile(r"[^\n\t\x20-\x7e]")


def escaped(text: str) -> str:
    r"""Return a text in which characters that a terminal would carry out are escaped, but for line feeds and tabs.

    >>> print(escaped("a\x1b[31mb\u202e"))
    a\x1b[31mb\u202e
    """
    return _UNUSUAL.sub(_shown, text)


def _shown(found: re.Match[str]) -> str:
    sign = found[0]
    if unicodedata.category(sign) not in _ACTING:
        return sign
    code = ord(sign)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class Verbatim(str):
    """A text whose control characters the program has put there, or whose reader is no terminal.

    A text before or after it is escaped.
    """

    __slots__ = ()

    def __str__(self) -> str:
        """Return it as it is: `print` asks for this."""
        return self

    def __add__(self, other: str) -> Verbatim:
        return Verbatim(super().__add__(other if isinstance(other, Verbatim) else escaped(other)))

    def __radd__(self, other: str) -> Verbatim:
        return Verbatim(escaped(other)).__add__(self)


class EscapingStream:
    """A stream that escapes what is written, unless it is `Verbatim`; for all else it is that stream."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text."""
        self._stream.write(text if isinstance(text, Verbatim) else escaped(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def escaping() -> Iterator[None]:
    """Let standard output and standard error, if they are open, escape what is written within the block."""
    with ExitStack() as redirections:
        for stream, redirected in ((sys.stdout, redirect_stdout), (sys.stderr, redirect_stderr)):
            if stream is not None and not isinstance(stream, EscapingStream):
                redirections.enter_context(cast(Any, redirected)(EscapingStream(stream)))
        yield
