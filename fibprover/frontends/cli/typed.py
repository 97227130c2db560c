"""What is typed at the prompt: whether it is a formula or commands, and whether more lines belong to it."""

from __future__ import annotations

import re
from collections.abc import Collection

from fibprover.names import NAME
from fibprover.syntax.commands import WORDS, skip_remark

#: Commands that end with their line; a terminator may be there.
ALONE = ("help", "quit", "exit", "cls", "clear")

#: What separates the words that are completed; `$ ? # . /` and `-` begin or are inside them.
DELIMITERS = ' \t\n()[]{},=<>!&|~^+*"`;:'

_COMMENT = re.compile(r"\s*(?:#|//)[^\n]*")
_MACRO = re.compile(r"#([a-zA-Z]\w*)\s*\(", re.ASCII)
_TERMINATOR = re.compile(r"(::|:|;)\s*$")
_BRACKETS = {"(": 1, "[": 1, ")": -1, "]": -1}

#: What follows a name in a formula, but no command's word.
_OPERATORS = tuple("=<>!+-*/&|~^)`,@")

#: What files may begin with that is an operator elsewhere.
_PATHS = ("/", "~")

#: A formula that ends like this goes on in the next line.
_OPEN_ENDS = tuple("=<>!+-*/&|~^,@$?#.(`_[")


def awaited(text: str, macros: Collection[str] = ()) -> str:
    """What has to come before the entry is complete: `\"`, `;`, `)`, or nothing (""), when it can be answered."""
    if not significant(text, macros):
        return ""
    if is_formula(text, macros):
        if _TERMINATOR.search(text):
            return ""
        open_brackets = sum(_BRACKETS.get(character, 0) for character in text)
        return ")" if open_brackets > 0 or text.rstrip().endswith(_OPEN_ENDS) else ""
    if stands_alone(text):
        return ""
    quoted, ended = scanned(text)
    return '"' if quoted else "" if ended else ";"


def significant(text: str, macros: Collection[str] = ()) -> str:
    """The text without blanks and comments in front."""
    while (comment := _COMMENT.match(text)) is not None and not _calls_macro(text, macros):
        text = text[comment.end() :]
    return text.lstrip()


def _calls_macro(text: str, macros: Collection[str]) -> bool:
    call = _MACRO.match(text.lstrip())
    return call is not None and call[1] in macros


def is_formula(text: str, macros: Collection[str] = ()) -> bool:
    """Whether this begins like a formula rather than a command; `#name(` is one if `name` is among the macros."""
    rest = significant(text, macros)
    word = NAME.match(rest)
    if word is None:
        return bool(rest) and rest[0] not in '[";:'
    after = rest[word.end() :]
    if after.startswith("["):
        return True
    if word[0] == "load" and after[:1].isspace() and after.lstrip().startswith(_PATHS):
        return False
    after = after.lstrip()
    if after.startswith(_OPERATORS):
        return True
    if word[0] in WORDS:
        return False
    if word[0][0] in "AEI":
        return True
    # Two names side by side are no formula: an unknown command.
    return not (after.startswith(('"', "$")) or NAME.match(after))


def stands_alone(text: str) -> bool:
    """Whether this is one of the commands that need no terminator."""
    rest = significant(text)
    word = NAME.match(rest)
    return word is not None and word[0] in ALONE and "\n" not in rest.rstrip("\n")


def words_of(text: str) -> list[str]:
    """The words of such a command, without the terminator."""
    return _TERMINATOR.sub("", significant(text)).split()


def scanned(text: str) -> tuple[bool, bool]:
    """Whether the end of the text is inside of quotes, and whether it is behind a terminator."""
    quoted = ended = False
    starts_line = True
    at = 0
    while at < len(text):
        character = text[at]
        at += 1
        if quoted:
            quoted = character != '"'
        elif character == "\n":
            starts_line = True
        elif character.isspace():
            continue
        elif (starts_line or ended) and text.startswith(("#", "//"), at - 1):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif ended and (behind := skip_remark(text, at - 1)) is not None:
            at = behind
        else:
            starts_line = False
            ended = character in ";:"
            quoted = character == '"'
    return quoted, ended


def formula_of(text: str, macros: Collection[str] = ()) -> tuple[str, str]:
    """A formula and its terminator, "" if there is none."""
    rest = significant(text, macros).rstrip()
    found = _TERMINATOR.search(rest)
    return (rest[: found.start()].rstrip(), found[1]) if found else (rest, "")


def commands_of(text: str) -> str:
    """The commands of an entry, as a script has them."""
    return f"{text};" if stands_alone(text) and not _TERMINATOR.search(text) else text


def remembered(text: str) -> str:
    """The entry as one line of the history; with its lines if there are comments among them."""
    lines = text.strip().splitlines()
    if any(_COMMENT.match(line) for line in lines):
        return text.strip()
    return " ".join(line.strip() for line in lines)
