"""A Pygments lexer for formulas and scripts, named `fibprover` and `walnut`; Pygments finds it by its entry point."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pygments.lexer import RegexLexer, bygroups, include, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text, Whitespace

from fibprover.language.commands import WORDS

#: Command words; what begins with a bracket stands before a command.
_COMMANDS = [word for word in WORDS if not word.startswith("[")]

_NAME = r"[a-zA-Z][a-zA-Z0-9_]*"

_RULES: Mapping[str, list[Any]] = MappingProxyType({
    "root": [
        (r"\s+", Whitespace),
        (r"//.*", Comment.Single),
        (rf"#{_NAME}(?=\s*\()", Name.Function.Magic),
        (r"#.*", Comment.Single),
        (r"\[(?:strategy|export)\b[^\]\n]*\]", Name.Decorator),
        # The name of a command is followed by a name, a text or its end: elsewhere the word is a variable.
        (words(_COMMANDS, r"(?<![\w$?.])", r"(?=\s+[\w\"$]|\s*[;:])"), Keyword.Declaration, "command"),
        include("formula"),
        (r"[\";:]+", Punctuation),
    ],
    "command": [
        (r"\s+", Whitespace),
        (r"(::|[;:])([ \t]*)((?:#|//).*)?", bygroups(Punctuation, Whitespace, Comment.Single), "#pop"),
        (r'"', String.Delimiter, "quoted"),
        (r"(?:msd|lsd)_\w+", Keyword.Type),
        include("formula"),
        (r"[{}.]", Punctuation),
        (r"[^\s;:\"]", Text),
    ],
    "quoted": [
        (r'"', String.Delimiter, "#pop"),
        include("formula"),
        (r"[{}:;?.$#!]", Operator),  # in regular expressions, rules of morphisms and texts
    ],
    "formula": [
        (r"\s+", Whitespace),
        (r"\?[a-zA-Z0-9_]+", Keyword.Type),
        (rf"\${_NAME}", Name.Function),
        (rf"#{_NAME}", Name.Function.Magic),
        (r"%\d+", Name.Variable.Magic),
        (r"@\s*[+-]?\s*\d+", Number.Integer),
        (r"[AEI]", Keyword),
        (rf"\.{_NAME}", Name.Class),
        (rf"{_NAME}(?=\s*\[)", Name.Class),
        (_NAME, Name.Variable),
        (r"\d+", Number.Integer),
        (r"->|<=>|=>|!=|>=|<=|[=<>]", Operator),
        (r"[&|^~`]", Operator.Word),
        (r"[+\-*/_]", Operator),
        (r"[()\[\],]", Punctuation),
    ],
})


class FibproverLexer(RegexLexer):
    """The lexer."""

    name = "fibprover"
    url = "https://cs.uwaterloo.ca/~shallit/walnut.html"
    aliases = ("fibprover", "walnut")
    filenames = ()
    tokens = dict(_RULES)  # noqa: RUF012
