"""Entries typed at the prompt: whether one is a formula or commands, and whether it is complete."""

from __future__ import annotations

import re
from collections.abc import Collection

from fibprover.base.names import NAME
from fibprover.language.commands import WORDS, skip_comment

#: Commands that end with their line; a terminator is optional.
ALONE = ("help", "quit", "exit", "cls", "clear", "list")

#: Commands of the prompt that scripts do not have.
PROMPT_WORDS = ("list", "show", "save")

#: Commands that end with their line if they have as many arguments as this.
_ARGUMENTS = {
    "describe": 1, "inf": 1, "first": 1, "first_rej": 1, "regex": 1, "load": 1, "draw": 1, "test": 2, "count": 2,
    "export": 2, "show": 1, "save": 1,
}

#: Commands whose argument is a file.
_WITH_FILE = ("load", "save")

#: The separators of words for completion; `$ ? # . /` and `-` are parts of words.
DELIMITERS = ' \t\n()[]{},=<>!&|~^+*"`;:'

_COMMENT = re.compile(r"\s*(?:#|//)[^\n]*")
_MACRO = re.compile(r"#([a-zA-Z]\w*)\s*\(", re.ASCII)
_TERMINATOR = re.compile(r"(::|:|;)\s*$")
_BRACKETS = {"(": 1, "[": 1, ")": -1, "]": -1}

#: Characters that follow a name in a formula, but not the word of a command.
_OPERATORS = tuple("=<>!+-*/&|~^)`,@")

#: Beginnings of file names that are operators in formulas.
_PATHS = ("/", "~")

#: A formula that ends like this continues on the next line.
_OPEN_ENDS = tuple("=<>!+-*/&|~^,@$?#.(`_[")


def awaited(text: str, macros: Collection[str] = ()) -> str:
    """Return the character that an entry needs to be complete, `\"`, `;` or `)`; "" if it is complete."""
    if not significant(text, macros):
        return ""
    if is_formula(text, macros):
        if _TERMINATOR.search(text):
            return ""
        open_brackets = sum(_BRACKETS.get(character, 0) for character in text)
        return ")" if open_brackets > 0 or text.rstrip().endswith(_OPEN_ENDS) else ""
    if stands_alone(text):
        return ""
    quoted, ended = quote_and_end(text)
    return '"' if quoted else "" if ended else ";"


def significant(text: str, macros: Collection[str] = ()) -> str:
    """Return the text without leading blanks and comments."""
    while (comment := _COMMENT.match(text)) is not None and not _calls_macro(text, macros):
        text = text[comment.end() :]
    return text.lstrip()


def _calls_macro(text: str, macros: Collection[str]) -> bool:
    call = _MACRO.match(text.lstrip())
    return call is not None and call[1] in macros


def is_formula(text: str, macros: Collection[str] = ()) -> bool:
    """Return whether a text begins like a formula rather than a command; `#name(` does if `name` is a macro."""
    rest = significant(text, macros)
    word = NAME.match(rest)
    if word is None:
        return bool(rest) and rest[0] not in '[";:'
    after = rest[word.end() :]
    if after.startswith("["):
        return True
    if word[0] in _WITH_FILE and after[:1].isspace() and after.lstrip().startswith(_PATHS):
        return False
    after = after.lstrip()
    if after.startswith(_OPERATORS):
        return True
    if word[0] in WORDS or word[0] in PROMPT_WORDS:
        return False
    if word[0][0] in "AEI":
        return True
    # Two names side by side are an unknown command.
    return not (after.startswith(('"', "$")) or NAME.match(after))


def stands_alone(text: str) -> bool:
    """Return whether a text is a command that needs no terminator: `help`, or a question with all of its arguments."""
    rest = significant(text)
    word = NAME.match(rest)
    if word is None or "\n" in rest.rstrip("\n"):
        return False
    if word[0] in ALONE:
        return True
    words = words_of(text)
    return word[0] in _ARGUMENTS and len(words) > _ARGUMENTS[word[0]] and not re.search("[;:]", " ".join(words))


def only_word(text: str) -> str:
    """Return the word that an entry consists of, apart from a terminator; "" if there is more or nothing."""
    words = words_of(text)
    return words[0] if len(words) == 1 and NAME.fullmatch(words[0]) else ""


def words_of(text: str) -> list[str]:
    """Return the words of such a command, without the terminator."""
    return _TERMINATOR.sub("", significant(text)).split()


def file_of(text: str) -> str:
    """Return the file that such a command names, in quotes or not, as in scripts; "" if it names none."""
    _, *others = _TERMINATOR.sub("", significant(text)).split(None, 1)
    rest = "".join(others).strip()
    if len(rest) > 1 and rest[0] == rest[-1] == '"':
        rest = rest[1:-1].strip()
    return "" if '"' in rest or "\n" in rest else rest


def quote_and_end(text: str) -> tuple[bool, bool]:
    """Return whether a text ends inside quotes, and whether it ends after a terminator."""
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
        elif ended and (after_comment := skip_comment(text, at - 1)) is not None:
            at = after_comment
        else:
            starts_line = False
            ended = character in ";:"
            quoted = character == '"'
    return quoted, ended


def formula_of(text: str, macros: Collection[str] = ()) -> tuple[str, str]:
    """Return a formula and its terminator, "" if there is none."""
    rest = significant(text, macros).rstrip()
    found = _TERMINATOR.search(rest)
    return (rest[: found.start()].rstrip(), found[1]) if found else (rest, "")


def commands_of(text: str) -> str:
    """Return the commands of an entry, with the terminator that a script needs."""
    return f"{text};" if stands_alone(text) and not _TERMINATOR.search(text) else text


def history_text(text: str) -> str:
    """Return an entry for the history: on one line, unless it contains comments."""
    lines = text.strip().splitlines()
    if any(_COMMENT.match(line) for line in lines):
        return text.strip()
    return " ".join(line.strip() for line in lines)
