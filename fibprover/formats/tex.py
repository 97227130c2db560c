"""Texts for LaTeX: whatever a user writes, as letters that print themselves."""

from __future__ import annotations

from unicodedata import normalize

#: By their places in typewriter type, which has all of ASCII; grouped, so that nothing becomes a ligature.
_SPECIAL = {character: rf"{{\char{ord(character)}}}" for character in "\\{}_^~`-'\""}
_SPECIAL |= {character: "\\" + character for character in "$&#%"}
_SYMBOLS = {
    "\u00ac": r"\lnot", "\u00d7": r"\times", "\u2200": r"\forall", "\u2203": r"\exists", "\u2227": r"\land",
    "\u2228": r"\lor", "\u2264": r"\le", "\u2265": r"\ge", "\u2260": r"\ne", "\u2192": r"\to",
    "\u21d2": r"\Rightarrow", "\u21d4": r"\Leftrightarrow", "\u221a": r"\surd", "\u00b7": r"\cdot",
    "\u03b1": r"\alpha", "\u03b2": r"\beta", "\u03b3": r"\gamma", "\u03b4": r"\delta", "\u03b8": r"\theta",
    "\u03bb": r"\lambda", "\u03bc": r"\mu", "\u03c0": r"\pi", "\u03c1": r"\rho", "\u03c3": r"\sigma",
    "\u03c4": r"\tau", "\u03c6": r"\varphi", "\u03c8": r"\psi", "\u03c9": r"\omega",
}


def tex_text(text: str) -> str:
    """A text on one line, for typewriter type: special characters escaped, ligatures prevented.

    Letters with accents stay; symbols and Greek letters are set in math; what else is not ASCII is
    written as its code point, since LaTeX as it is installed would stop at it.
    """
    return "".join(map(_character, normalize("NFC", " ".join(text.split()))))


def _character(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character in _SYMBOLS:
        return f"${_SYMBOLS[character]}$"
    if " " <= character <= "~" or ("\u00c0" <= character <= "\u00ff" and len(normalize("NFD", character)) == 2):
        return character
    return f"U+{ord(character):04X}"


def tex_remark(text: str) -> str:
    """A text as it can stand in a remark, on one line and without control characters."""
    return "".join(character for character in " ".join(text.split()) if character.isprintable())


def tex_label(label: str) -> str:
    """The label of an edge or a state, such as `[0,*]`, `[-1|1,1]` or `3/-1`, for math."""
    return "".join({"*": "{*}", "|": "{|}", "-": "{-}"}.get(character, character) for character in label)
