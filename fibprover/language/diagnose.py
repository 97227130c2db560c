"""Explain why a text is not a formula.

An LALR parser only knows that a token cannot follow and which tokens could. The message for the user is derived from
the token before, the token found and the brackets that are open.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise

from fibprover.base.errors import SyntaxProblem
from fibprover.language import foreign
from fibprover.language.tokens import END, FOREIGN, Token

#: Token types after which an operand (a term or a formula) is complete.
OPERAND_ENDS = frozenset({"NUMBER", "LETTER", "NAME", "RPAR", "RBRACKET"})
#: Operators between or before numbers, and between or before truth values.
TERM_OPERATORS = frozenset({"RELATION", "SIGN", "TIMES", "MINUS"})
LOGICAL_OPERATORS = frozenset({"IFF", "IMPLIES", "JUNCTION"})

OPENING: Mapping[str, str] = {"LPAR": "(", "LBRACKET": "["}
CLOSING: Mapping[str, str] = {"RPAR": "(", "RBRACKET": "["}

STRAY_COMMA = "`,` separates the arguments of a call, but no call is open here"
NAME_HINT = "a variable cannot begin with A, E or I: these are quantifiers"

NEGATIVE_HINT = "numbers are natural; in ?msd_neg_2 and the like -5 is written _5, and the letter -5 is @-5"

#: What to do about other characters that papers have.
ADVICE: Mapping[str, str] = {
    "∈": "a set is a predicate: write $name(x)", "∉": "a set is a predicate: write ~$name(x)",
    "⌊": "write (Ex,r n=2*x+r & r<2) for the whole part x of n/2",
    "⌈": "write (Ex,r n+r=2*x & r<2) for n/2 rounded up to x", "ℕ": "numbers are natural: leave it out",
}

#: The error for a character that is only the beginning of a token.
BEGINNINGS: Mapping[str, tuple[str, str]] = {
    "$": ("`$` begins a call, and a name must follow: `$name(...)`", ""),
    "?": ("`?` names a numeration system, and its name must follow: `?msd_fib`", ""),
    "@": ("`@` begins a letter, and a number must follow: `@1`", ""),
    ".": ("`.` begins a word, and its name and an index must follow: `.Word[n]`", ""),
    "#": ("`#` begins a macro call: `#name(...)`", ""),
    "%": ("`%` stands for an argument in the text of a macro only", ""),
    "!": ("unknown operator `!`", "write ~ for not; `!=` is unequal"),
    ";": ("`;` ends a command, but this is a formula", "leave it out; to run commands, use fibprover run"),
    ":": ("`:` ends a command, but this is a formula", "leave it out; to run commands, use fibprover run"),
    "<": ("unknown operator `<`", ""),
    '"': ("a formula has no `\"` in it", "leave the quotes out; to run commands, use fibprover run"),
}


def unexpected(text: str, before: Sequence[Token], found: Token) -> SyntaxProblem:
    """Return the error for a token (or the end of the text) that cannot follow the tokens before it."""
    diagnosis = _Diagnosis(text, before, found)
    return diagnosis.unknown_character() if found.type in FOREIGN else diagnosis.problem()


class _Diagnosis:
    """The tokens around the place where reading stopped."""

    def __init__(self, text: str, before: Sequence[Token], found: Token) -> None:
        self.text = text
        self.before = before
        self.found = found
        self.last = before[-1] if before else None
        self.open: list[Token] = []
        for token in before:
            if token.type in OPENING:
                self.open.append(token)
            elif token.type in CLOSING and self.open:
                self.open.pop()

    def problem(self) -> SyntaxProblem:
        found, last = self.found, self.last
        if last is None and found.type == END:
            return SyntaxProblem("the formula is empty", self.text, 0, len(self.text))
        notation = self.foreign_operator() or self.foreign_word()
        if notation is not None:
            return notation
        quantifier = self.quantifier()
        if quantifier is not None:
            return self.in_quantifier(quantifier)
        if last is not None and last.type == "CALL":
            return self.here(f"expected `(` after `{last}`", hint=f"a call is written {last}(...)")
        if last is not None and last.type == "DOTTED":
            return self.here(f"expected `[` after `{last}`", hint=f"the letter of a word is written {last}[...]")
        if last is not None and last.type in OPERAND_ENDS:
            return self.after_operand(last)
        return self.want_operand(last)

    def unknown_character(self) -> SyntaxProblem:
        """Return the error for a token that no formula has, at its first character."""
        text, at, character = self.text, self.found.start, self.found[0]
        if character == "%" and self.last is not None and self.last.type in ("NAME", "NUMBER", "LETTER"):
            hint = foreign.remainder_hint(text, at)
            return SyntaxProblem("unknown operator `%`: formulas have no remainders", text, at, hint=hint)
        for start in (at, at - 1):
            operator, hint = foreign.operator_at(text, start) if start >= 0 else ("", "")
            if operator and start + len(operator) > at:
                return SyntaxProblem(f"unknown operator `{operator}`", text, start, start + len(operator), hint=hint)
        if character in ":." and self.quantifier() is not None and self.before[-1].type == "NAME":
            hint = f"leave `{character}` out: Ax x=x"
            return SyntaxProblem(f"the formula follows its quantifier without `{character}`", text, at, hint=hint)
        if character == "." and text[at + 1 : at + 2].isdigit():
            return SyntaxProblem("a number has no fractional part after `.`", text, at, hint="write x=3/2 as 2*x=3")
        if character in BEGINNINGS:
            message, hint = BEGINNINGS[character]
            return SyntaxProblem(message, text, at, hint=hint)
        shown = character if character.isprintable() else f"U+{ord(character):04X}"
        return SyntaxProblem(f"unknown character `{shown}`", text, at, hint=_advice(character))

    def foreign_operator(self) -> SyntaxProblem | None:
        """Return the error for an operator of another language that is read as two; None if there is none."""
        found = self.found.start
        for start in (self.last.start, found) if self.last is not None else (found,):
            operator, hint = foreign.operator_at(self.text, start)
            if operator and self.found.type != END and start + len(operator) > found:
                return SyntaxProblem(
                    f"unknown operator `{operator}`", self.text, start, start + len(operator), hint=hint
                )
        return None

    def foreign_word(self) -> SyntaxProblem | None:
        """Return the error for a word such as `and`, `not` or `forall` at the place; None if there is none."""
        last = self.last
        if last is None or last.type not in OPERAND_ENDS:
            return None
        if self.found.type in ("NAME", "QUANTIFIER"):
            word = foreign.word_at(self.text, self.found.start)
            place = self.found.start
            if word.lower() in foreign.JOINING_WORDS:
                return self.unknown("operator", word, place, f"write {foreign.JOINING_WORDS[word.lower()]}")
            if word.lower() == "mod":
                return self.unknown("operator", word, place, foreign.remainder_hint(self.text, place))
        if last.type != "NAME" or self.found.type in (END, *CLOSING, "COMMA"):
            return None
        place = last.start
        for quantifier, name in pairwise(self.before[-3:]):
            # A capital A, E or I at the beginning of a word, such as `Exists`, has been read as a quantifier.
            if quantifier.type == "QUANTIFIER" and name.type == "NAME" and quantifier.end == name.start:
                place = quantifier.start
        word = foreign.word_at(self.text, place)
        if word.lower() in foreign.NEGATING_WORDS:
            return self.unknown("operator", word, place, f"write {foreign.NEGATING_WORDS[word.lower()]}")
        if word.lower() in foreign.QUANTIFYING_WORDS:
            return self.unknown("quantifier", word, place, foreign.quantifier_hint(self.text, place, word))
        return None

    def unknown(self, what: str, word: str, place: int, hint: str) -> SyntaxProblem:
        return SyntaxProblem(f"unknown {what} `{word}`", self.text, place, place + len(word), hint=hint)

    def here(self, message: str, *, hint: str = "") -> SyntaxProblem:
        """Return an error at the token found."""
        if self.found.type == END:
            end = len(self.text.rstrip())
            return SyntaxProblem(message, self.text, end, end + 1, hint=hint)
        return self.at(message, self.found, hint=hint)

    def at(self, message: str, token: Token, *, hint: str = "") -> SyntaxProblem:
        return SyntaxProblem(message, self.text, token.start, token.end, hint=hint)

    def not_found(self) -> str:
        """Return `, not ...` about the token found, or "" at the end of the text."""
        if self.found.type == END:
            return ""
        return f", not the quantifier `{self.found}`" if self.found.type == "QUANTIFIER" else f", not `{self.found}`"

    def quantifier(self) -> int | None:
        """Return the place of the quantifier whose variables were being read; None if there is none."""
        place = len(self.before) - 1
        while place >= 0 and self.before[place].type in ("NAME", "COMMA"):
            if place < len(self.before) - 1 and self.before[place].type == self.before[place + 1].type:
                return None
            place -= 1
        if place < 0:
            return None
        if self.before[place].type == "QUANTIFIER":
            return place
        for back in (1, 2):
            # E >= 3: the number, or the relation, has been read last before the names.
            if place >= back and self.before[place - back].type == "QUANTIFIER":
                types = [token.type for token in self.before[place - back + 1 : place + 1]]
                if types == ["RELATION", "NUMBER"][:back]:
                    return place - back
        return None

    def in_quantifier(self, place: int) -> SyntaxProblem:
        found, last = self.found, self.before[-1]
        kind = str(self.before[place])
        written = self.text[self.before[place].start : last.end]
        if last.type == "NAME":
            if found.type == END or found.type in CLOSING:
                return self.here(f"expected a formula after the quantifier `{written}`", hint=NAME_HINT)
            if found.type == "LBRACKET":
                return self.here(
                    f"`{written}` is a quantifier: a formula must follow, not `[`",
                    hint=f"a word whose name begins with {kind} is written .{written}[...]",
                )
            hint = NAME_HINT
            if found.type == "RELATION" and kind == "E" and len(self.before) - place == 2:
                hint += "; a counting quantifier is written E=3 x"
            return self.here(f"`{written}` is a quantifier: a formula must follow{self.not_found()}", hint=hint)
        if last.type == "RELATION":
            return self.here(f"expected a number after `{written}`{self.not_found()}")
        if last.type == "QUANTIFIER" and found.type == "LBRACKET":
            return self.here(
                f"expected a variable after the quantifier `{kind}`, not `[`",
                hint=f"the word {kind} is written .{kind}[...]",
            )
        hint = NAME_HINT if found.type not in (END, *CLOSING) else ""
        after = f"the quantifier `{kind}`" if last.type == "QUANTIFIER" else f"`{written}`"
        return self.here(f"expected a variable after {after}{self.not_found()}", hint=hint)

    def after_operand(self, last: Token) -> SyntaxProblem:
        """Return the error for a token that cannot continue a complete term or formula."""
        found = self.found
        inner = self.open[-1] if self.open else None
        if found.type == END and inner is not None:
            return self.at(f"this `{inner}` is never closed", inner)
        if found.type in CLOSING:
            if inner is None:
                return self.here(
                    f"a formula ends here, but `{found}` follows", hint=f"no `{CLOSING[found.type]}` is open"
                )
            return self.wrong_bracket(inner)
        if found.type == "COMMA":
            return self.here(STRAY_COMMA)
        if found.type == "LBRACKET":
            return self.here("`[` can only follow the name of a word")
        if found.type == "LPAR" and last.type == "NAME":
            return self.here(
                f"an operator is missing between `{last}` and `(`",
                hint=f"a call is written ${last}(...), a letter of a word {last}[...]",
            )
        return self.here(f"an operator is missing between `{last}` and `{found}`", hint=self.missing_sign(last))

    def missing_sign(self, last: Token) -> str:
        """Return a hint about the sign that is missing at the last token or after it."""
        if last.type == "NUMBER" and self.found.type == "NAME" and last.end == self.found.start:
            return f"write {last}*{self.found}"
        if last.type == "NAME" and last.startswith(("msd_", "lsd_")):
            return f"a numeration system is written ?{last}"
        return ""

    def wrong_bracket(self, inner: Token) -> SyntaxProblem:
        wanted = ")" if inner.type == "LPAR" else "]"
        if str(self.found) == wanted:  # a comma stands before it, or another operator
            return self.here(f"expected an argument before `{wanted}`")
        return self.here(f"`{self.found}` cannot close `{inner}`", hint=f"expected `{wanted}` first")

    def want_operand(self, last: Token | None) -> SyntaxProblem:
        """Return the error for a token that cannot begin a term or formula, which must begin here."""
        if last is None or last.type in OPENING or last.type == "COMMA":
            return self.at_beginning(last)
        if last.type in TERM_OPERATORS:
            return self.want_term(last)
        wanted = f"expected a formula after `{last}`"
        return self.here(wanted + self.not_found(), hint=self.operator_hint())

    def want_term(self, last: Token) -> SyntaxProblem:
        found = self.found
        if last.type == "RELATION" and (found.type in (END, *CLOSING) or found.type in LOGICAL_OPERATORS):
            return self.at(f"`{last}` is missing its right side", last)
        hint = self.operator_hint()
        if found.type == "QUANTIFIER":
            hint = NAME_HINT + f"; a word whose name begins with {found} is written .{found}...[n]"
        elif found.type == "SYSTEM":
            hint = "a system stands before a formula, an argument or an index"
        elif found.type == "PREFIX":
            hint = "put the formula in parentheses, and join it with & | ^ => <=>"
        return self.here(f"expected a term after `{last}`{self.not_found()}", hint=hint)

    def operator_hint(self) -> str:
        """Return a hint about the probable meaning of an operator after another one."""
        if str(self.found) == "-":
            if self.last is not None and self.last.type == "SYSTEM" and self.last.endswith("_"):
                return f"base -2 is written {self.last}neg_2"
            return NEGATIVE_HINT
        return ""

    def in_call(self) -> bool:
        """Return whether the innermost open bracket is that of a call."""
        if not self.open:
            return False
        place = next(i for i, token in enumerate(self.before) if token is self.open[-1])
        return place > 0 and self.before[place - 1].type == "CALL"

    def at_beginning(self, last: Token | None) -> SyntaxProblem:
        """Return the error for a token that cannot begin a formula, a bracket or an argument."""
        found = self.found
        inner = self.open[-1] if self.open else None
        if found.type == END and inner is not None:
            return self.at(f"this `{inner}` is never closed", inner)
        if found.type in CLOSING:
            if inner is None:
                return self.here(
                    f"a formula must begin here, but `{found}` does", hint=f"no `{CLOSING[found.type]}` is open"
                )
            if (last is not None and last.type == "COMMA") or CLOSING[found.type] != str(inner):
                return self.wrong_bracket(inner)
            nothing = "expected an index between `[` and `]`" if found == "]" else "nothing stands between `(` and `)`"
            return self.here(nothing)
        if found.type == "COMMA":
            return self.here("expected an argument before `,`" if self.in_call() else STRAY_COMMA)
        if str(found) == "-":
            return self.here("expected a formula or a term, not `-`", hint=NEGATIVE_HINT)
        if found.type in TERM_OPERATORS or found.type in LOGICAL_OPERATORS:
            return self.here(f"`{found}` is missing its left side")
        return self.here(f"expected a formula or a term{self.not_found()}")


def _advice(character: str) -> str:
    """Return what to write in place of a character that no formula has; "" if that is not known."""
    if character in ADVICE:
        return ADVICE[character]
    plain = unicodedata.normalize("NFKC", character)
    if unicodedata.category(character) == "No" and unicodedata.decomposition(character).startswith("<super>"):
        return foreign.NO_POWERS
    if plain != character and plain.isascii() and plain.isprintable():
        return f"write {plain}"  # a wide character, say, or a letter of mathematics
    return "names are of the letters a to z, A to Z, digits and _" if character.isalpha() else ""
