"""The commands of a script as values: what was written, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass

from fibprover.parse.syntax import Span

#: What an argument of an operation may be: a name or a text, a number, an alphabet, or several of these.
Argument = str | int | tuple["Argument", ...]


@dataclass(frozen=True, slots=True)
class Metacommand:
    """`[strategy 3 CCLS]` before a command: its words, in the script's spelling."""

    words: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What all commands have: their place in the script, the line they begin on, the terminator."""

    span: Span
    line: int
    terminator: str
    metacommands: tuple[Metacommand, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DefCommand(Command):
    """`def NAME "formula":`; the name may be missing (""), variables are listed between name and formula."""

    name: str
    name_span: Span
    text: str
    text_offset: int
    variables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalCommand(Command):
    """`eval NAME "formula":`; the name may be missing (""), variables are listed between name and formula."""

    name: str
    name_span: Span
    text: str
    text_offset: int
    variables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DigitSet:
    """The alphabet `{0, 1, -1}`, in the order written."""

    digits: tuple[int, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SystemAlphabet:
    """The digits of a numeration system, by its full name."""

    system: str
    span: Span


Alphabet = DigitSet | SystemAlphabet


@dataclass(frozen=True, slots=True, kw_only=True)
class RegCommand(Command):
    """`reg NAME ALPHABET... "regex":`, one alphabet a track."""

    name: str
    name_span: Span
    alphabets: tuple[Alphabet, ...]
    text: str
    text_offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MacroCommand(Command):
    """`macro NAME "text":`."""

    name: str
    name_span: Span
    text: str
    text_offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationCommand(Command):
    """`union NEW OLD OLD:` and the like: a word, and what the session's method of that name is to be given.

    places: every name among the arguments with where it stands.
    """

    word: str
    word_span: Span
    arguments: tuple[Argument, ...]
    places: tuple[tuple[str, Span], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherCommand(Command):
    """Any other word, with the rest of the command as it was written (blanks around it dropped)."""

    word: str
    word_span: Span
    rest: str
    rest_offset: int
