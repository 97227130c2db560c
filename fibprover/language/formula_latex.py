"""Formulas as LaTeX: the signs of logic for those that are typed, names upright, variables in italics."""

from __future__ import annotations

import re

#: The tokens of a formula; a name before a bracket is that of a word (grammar.lark has the rules).
_TOKEN = re.compile(
    r"(?P<system>\?\w+)|\$(?P<call>[a-zA-Z]\w*)|\#(?P<macro>[a-zA-Z]\w*)|@\s*(?P<letter>[+-]?\s*\d+)"
    r"|\.(?P<dotted>[a-zA-Z]\w*)|(?P<word>[a-zB-DF-HJ-Z]\w*(?=\s*\[))"
    r"|(?P<counting>E\s*(?:>=|<=|=)\s*\d+)|(?P<quantifier>[AEI])"
    r"|(?P<variable>[a-zB-DF-HJ-Z]\w*)|(?P<number>\d+)|(?P<sign><=>|=>|!=|>=|<=|.)",
    re.DOTALL,
)

_SIGNS = {
    "&": r"\wedge ", "|": r"\vee ", "~": r"\neg ", "^": r"\oplus ", "=>": r"\Rightarrow ", "<=>": r"\Leftrightarrow ",
    "!=": r"\neq ", ">=": r"\geq ", "<=": r"\leq ", "*": r"\cdot ", "`": r"\textrm{\textasciigrave}", "_": "-",
}

_QUANTIFIERS = {"A": r"\forall ", "E": r"\exists ", "I": r"\exists^{\infty} "}


def formula_latex(text: str) -> str:
    """Return a formula as LaTeX, to be set in math; the system that it begins with is left out."""
    parts: list[str] = []
    binding, before = False, ""  # whether a quantifier's variables are being listed; the kind of the last token
    for token in _TOKEN.finditer(text):
        kind, said = str(token.lastgroup), token[token.lastgroup or 0]
        if said.isspace():
            continue
        if binding and (said != "," if kind != "variable" else before == "variable"):
            parts.append(r"\; ")
            binding = False
        binding = binding or kind in ("quantifier", "counting")
        parts.append(_set(kind, said))
        before = kind
    return "".join(parts).strip()


def _set(kind: str, said: str) -> str:
    """Return a token; parts that are broken off words of formulas are single signs."""
    match kind:
        case "system":
            return ""
        case "quantifier":
            return _QUANTIFIERS[said]
        case "counting":
            relation, number = re.findall(r"[<>=]+|\d+", said)
            return rf"\exists^{{{_SIGNS.get(relation, relation)}{number}}} "
        case "call" | "macro" | "word" | "dotted":
            return rf"\mathrm{{{_escaped(said)}}}"
        case "variable":
            return said if len(said) == 1 else rf"\mathit{{{_escaped(said)}}}"
        case "letter":
            return said.replace(" ", "")
        case "sign":
            return _SIGNS.get(said, rf"\{said}" if said in "{}$#%" else said)
        case _:
            return said


def _escaped(name: str) -> str:
    return name.replace("_", r"\_")
