"""A Pygments lexer for formulas and scripts, named `fibprover` and `walnut`; Pygments finds it by its entry point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from pygments.lexer import Lexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text, Whitespace, _TokenType

from fibprover.language.commands import command_at
from fibprover.language.tokens import COMMENT, WORD, Token, formula_tokens, macro_called, script_tokens, tokens

#: How the tokens of formulas and scripts are shown; all others are punctuation.
_KINDS: Mapping[str, _TokenType] = MappingProxyType({
    "WS": Whitespace, COMMENT: Comment.Single, WORD: Name.Variable, "QUOTE": String.Delimiter, "OTHER": Text,
    "NAME": Name.Variable, "DOTTED": Name.Class, "CALL": Name.Function, "MACRO": Name.Function.Magic,
    "PARAMETER": Name.Variable.Magic, "SYSTEM": Keyword.Type, "QUANTIFIER": Keyword, "NUMBER": Number.Integer,
    "LETTER": Number.Integer, "JUNCTION": Operator.Word, "PREFIX": Operator.Word,
    **dict.fromkeys(("IFF", "IMPLIES", "RELATION", "SIGN", "TIMES", "MINUS"), Operator),
})


class FibproverLexer(Lexer):
    """The lexer."""

    name = "fibprover"
    url = "https://cs.uwaterloo.ca/~shallit/walnut.html"
    aliases = ("fibprover", "walnut")
    filenames = ()

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Yield the parts of a text, each with its offset and kind."""
        command, fresh, done = "", True, 0
        for token in script_tokens(text):
            if token.start < done:
                continue
            done = token.end
            begins = command_at(text, token.start) if fresh and not command else ""
            fresh = (fresh and token.isspace()) or "\n" in token or token.type == "TERMINATOR"
            if begins:
                command = begins
                yield token.start, Keyword.Declaration, str(token)
            elif not command and text.startswith(("[strategy", "[export"), token.start):
                fresh = True
                done = text.find("]", token.start) + 1 or len(text)
                yield token.start, Name.Decorator, text[token.start : done]
            elif command and token.startswith(("msd_", "lsd_")):
                yield token.start, Keyword.Type, str(token)
            elif not command and (token.type == WORD or macro_called(text, token.start)):
                # A formula that stands by itself, and names in it that are no commands.
                yield from ((each.start, _kind(text, each), str(each)) for each in tokens(text, token.start, token.end))
            else:
                command = "" if token.type == "TERMINATOR" else command
                yield token.start, _kind(text, token), str(token)


def _kind(text: str, token: Token) -> _TokenType:
    """Return how a token is shown: a name before a bracket is that of a word."""
    if token.type in ("NAME", WORD) and next(formula_tokens(text, token.end), "") == "[":
        return Name.Class
    return _KINDS.get(token.type, Punctuation)
