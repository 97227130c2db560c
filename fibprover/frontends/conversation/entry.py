"""Entries typed at the prompt: whether one is a formula or commands, and whether it is complete."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import NamedTuple

from fibprover.base.names import NAME
from fibprover.language.commands import WORDS, skip_comment
from fibprover.language.tokens import COMMENT, DEPTHS, END, WORD, Token, macro_called, script_tokens, tokens, words

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
        formula, terminator = formula_of(text, macros)
        if terminator:
            return ""
        open_brackets = sum(DEPTHS.get(token.type, 0) for token in tokens(formula))
        return ")" if open_brackets > 0 or formula.endswith(_OPEN_ENDS) else ""
    if stands_alone(text):
        return ""
    found = ending(text)
    return '"' if found.quoted else "" if found.ended else ";"


def significant(text: str, macros: Collection[str] = ()) -> str:
    """Return the text without leading blanks and comments."""
    for token in script_tokens(text):
        if not token.isspace() and (token.type != COMMENT or macro_called(token, 0) in macros):
            return text[token.start :]
    return ""


def is_formula(text: str, macros: Collection[str] = ()) -> bool:
    """Return whether a text begins like a formula rather than a command; `#name(` does if `name` is a macro."""
    rest = significant(text, macros)
    word, *following = *islice(words(rest), 3), *[Token(END, "")] * 3
    if word.type != WORD:
        return word.type != END and word[0] not in '[";:'
    apart = following[0].isspace()
    after = following[apart]
    if after == "[" and not apart:
        return True
    if word in _WITH_FILE and apart and after.startswith(_PATHS):
        return False
    if after.startswith(_OPERATORS):
        return True
    if word in WORDS or word in PROMPT_WORDS:
        return False
    # Two names side by side are an unknown command.
    return word[0] in "AEI" or (after.type not in (WORD, "CALL", "QUOTE") and after != "$")


def stands_alone(text: str) -> bool:
    """Return whether a text is a command that needs no terminator: `help`, or a question with all of its arguments."""
    rest = significant(text)
    word = NAME.match(rest)
    if word is None or "\n" in rest.rstrip("\n"):
        return False
    if word[0] in ALONE:
        return True
    rest, _ = formula_of(rest)
    return word[0] in _ARGUMENTS and len(rest.split()) > _ARGUMENTS[word[0]] and ";" not in rest and ":" not in rest


def only_word(text: str) -> str:
    """Return the word that an entry consists of, apart from a terminator; "" if there is more or nothing."""
    written = words_of(text)
    return written[0] if len(written) == 1 and NAME.fullmatch(written[0]) else ""


def words_of(text: str) -> list[str]:
    """Return the words of such a command, without the terminator."""
    return formula_of(text)[0].split()


def file_of(text: str) -> str:
    """Return the file that such a command names, in quotes or not, as in scripts; "" if it names none."""
    _, *others = formula_of(text)[0].split(None, 1)
    rest = "".join(others).strip()
    if len(rest) > 1 and rest[0] == rest[-1] == '"':
        rest = rest[1:-1].strip()
    return "" if '"' in rest or "\n" in rest else rest


class Ending(NamedTuple):
    """Whether a text ends inside quotes, whether it ends after a terminator, and where its last command begins."""

    quoted: bool
    ended: bool
    begin: int


def ending(text: str) -> Ending:
    """Return how a text of commands ends."""
    quoted, ended, begin, at = False, False, 0, 0
    for token in script_tokens(text):
        if token.start < at or token.isspace() or token.type == COMMENT:
            continue
        if ended and (after_comment := skip_comment(text, token.start)) is not None:
            at = after_comment
            continue
        quoted ^= token.type == "QUOTE"
        ended = token.type == "TERMINATOR" and not quoted
        begin = token.end if ended else begin
    return Ending(quoted, ended, begin)


def formula_of(text: str, macros: Collection[str] = ()) -> tuple[str, str]:
    """Return a formula and its terminator, "" if there is none."""
    rest = significant(text, macros).rstrip()
    *_, last = Token(END, ""), *tokens(rest)
    return (rest[: last.start].rstrip(), str(last)) if last.type == "TERMINATOR" else (rest, "")


def commands_of(text: str) -> str:
    """Return the commands of an entry, with the terminator that a script needs."""
    return f"{text};" if stands_alone(text) and not formula_of(text)[1] else text


def history_text(text: str) -> str:
    """Return an entry for the history: on one line, unless it contains comments."""
    if any(token.type == COMMENT for token in script_tokens(text)):
        return text.strip()
    return " ".join(line.strip() for line in text.strip().splitlines())
