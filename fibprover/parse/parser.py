"""From the text of a formula to its syntax tree.

`parse_formula` is the first station of the spine.  The grammar is in grammar.lark; the nodes are
made in builder.py while the LALR parser reduces, bottom up, so that no pass over a tree recurses
and no nesting, however deep, exhausts Python's stack.
"""

from __future__ import annotations

from functools import cache
from typing import cast

from lark import Lark, Token, UnexpectedCharacters, UnexpectedToken

from fibprover.errors import SyntaxProblem
from fibprover.parse.builder import Builder, Misfit
from fibprover.parse.diagnose import END, unexpected, unknown_character
from fibprover.parse.syntax import Formula, Source


def parse_formula(text: str) -> Source:
    """The syntax tree of a formula (macros already expanded), with its text.

    Raises SyntaxProblem, with the exact place, for anything that is not a formula, for a tree
    deeper than `builder.MAX_DEPTH` and for numbers longer than `builder.MAX_DIGITS`.  Time linear
    in the text.
    """
    interactive = _parser().parse_interactive(text)
    tokens: list[Token] = []
    try:
        for token in interactive.iter_parse():
            tokens.append(token)  # before it is fed: the last may be the one that does not fit
        formula: Formula = interactive.feed_token(Token(END, ""))
    except UnexpectedCharacters as problem:
        raise unknown_character(text, cast(int, problem.pos_in_stream)) from None
    except UnexpectedToken as problem:
        read = [token for token in tokens if token is not problem.token]
        raise unexpected(text, read, problem.token) from None
    except Misfit as problem:
        raise SyntaxProblem(problem.message, text, problem.start, problem.end, hint=problem.hint) from None
    return Source(text, formula)


@cache
def _parser() -> Lark:
    """The LALR tables, made when the first formula is read (about 40 ms) and never changed."""
    return Lark.open(
        "grammar.lark", rel_to=__file__, parser="lalr", lexer="contextual", maybe_placeholders=False,
        transformer=Builder(),
    )
