"""Sentences with formulas in them, such as `a_n = floor(n phi), n >= 0`, as HTML and as LaTeX.

Statements of theorems are written as they are typed.  `prose_html` sets subscripts, floors and signs; `prose_latex`
also finds the formulas among the words, since LaTeX wants to know where they begin and end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

#: The golden ratio as `Quadratic` writes it.
_GOLDEN = "(1+sqrt(5))/2"

_PIECE = re.compile(
    r"(?P<golden>\(1\+sqrt\(5\)\)/2)|(?P<call>(?<!\w)(?:floor|sqrt)\()|(?P<greek>(?<![A-Za-z_])(?:phi|lambda|log)(?![A-Za-z_]))"
    r"|(?<=[A-Za-z0-9)])\^(?P<above>\d+(?:\.\d+)?|[a-z]\b)|(?<=(?<![A-Za-z0-9_])[A-Za-z])_(?P<below>\w(?!\w)|\d+(?!\w)|\([^()]*\))"
    r"|(?P<sign><=|>=|!=|->)|(?P<times> \* |(?<=\d)\*(?=[a-z(]))|(?P<product>(?<=\d)\*(?=\d))"
)

_SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→"}
_TEX_SIGNS = {"<=": r"\le ", ">=": r"\ge ", "!=": r"\ne ", "->": r"\to "}
_GREEK = {"phi": ("φ", r"\varphi "), "lambda": ("λ", r"\lambda "), "log": ("log", r"\log ")}


def prose_html(text: str) -> str:
    """Return a sentence as HTML, with subscripts, superscripts, floors, roots and signs; all else is escaped."""
    return _explained(_html(text), text, "φ = (1+√5)/2")


def _explained(shown: str, text: str, meaning: str) -> str:
    """Return a sentence with the meaning of phi at its end, if the number was written out in its text."""
    if _GOLDEN not in text:
        return shown
    return f"{shown.removesuffix('.')}, where {meaning}{'.' if shown.endswith('.') else ''}"


def _html(text: str) -> str:
    parts: list[str] = []
    done = 0
    while match := _PIECE.search(text, done):
        parts.append(escape(text[done : match.start()]))
        done = match.end()
        if match["golden"]:
            parts.append("φ")
        elif match["call"]:
            end = _closing(text, done)
            inside = _html(text[done:end])
            root = inside if inside.isdigit() else f"({inside})"
            parts.append(f"⌊{inside}⌋" if match["call"] == "floor(" else f"√{root}")
            done = min(end + 1, len(text))
        elif match["greek"]:
            parts.append(_GREEK[match["greek"]][0])
        elif match["above"]:
            parts.append(f"<sup>{match['above']}</sup>")
        elif match["below"]:
            parts.append(f"<sub>{escape(match['below'].strip('()'))}</sub>")
        elif match["product"]:
            parts.append("·")
        else:
            parts.append(_SIGNS.get(match["sign"] or "", "\u202f"))
    return "".join([*parts, escape(text[done:])])


def _closing(text: str, begin: int) -> int:
    """Return the place of the bracket that closes one before `begin`; the end of the text if none does."""
    depth = 1
    for place in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if not depth:
            return place
    return len(text)


# -- LaTeX ------------------------------------------------------------------------------------------------------------

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "^": r"\textasciicircum{}",
    "_": r"\_", "%": r"\%", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
}

#: Signs in formulas: an operation, or escaped.  A prime may stand after an exponent.
_IN_MATH = {"&": r"\wedge ", "~": r"\neg ", "^": r"\oplus ", "\\": r"\backslash ", "'": "{}'"}
_IN_MATH |= {sign: _SPECIAL[sign] for sign in "{}$#_%"}

#: What LaTeX would take together with the character after it, as in -- and ?`.
_LIGATURE = re.compile(r"([-'`])(?=\1)|([?!])(?=`)")

#: Words of several letters that are parts of formulas; the last ones are those that sheets call x, y and z together,
#: and c times n.
_NAMES = re.compile(r"\b(?:floor|sqrt|phi|lambda|log|xxx?|xyz?|axaxa|cn)\b")

#: A rule of a morphism, such as a->ab.
_RULE = re.compile(r"\w->\w*", re.ASCII)

#: The number of a sequence in the On-Line Encyclopedia of Integer Sequences.
_OF_OEIS = re.compile(r"A[0-9]{6,}")

_OPERATOR = re.compile(r"[=<>!+*/|&-]+|->")


def prose_latex(text: str) -> str:
    """Return a sentence as LaTeX: formulas in math, languages of digits in typewriter type, all else escaped."""
    words = text.split()
    formula = [_is_formula(words, place) for place in range(len(words))]
    parts: list[str] = []
    run: list[str] = []
    for place, (word, inside) in enumerate(zip(words, formula, strict=True)):
        if not inside or _begins_a_remark(words, formula, place):
            parts += _math(run)
            run = []
        if not inside:
            parts.append(_written(word))
            continue
        run.append(word)
        if word[-1] in ",;:." and not word.endswith("..."):
            parts += _math(run)
            run = []
    return _explained(" ".join([*parts, *_math(run)]), text, r"$\varphi = (1+\sqrt{5})/2$")


def _begins_a_remark(words: Sequence[str], formula: Sequence[bool], place: int) -> bool:
    """Return whether a bracket opens before a word and closes only after one that is not in a formula."""
    if not words[place].startswith("("):
        return False
    depth = 0
    for word, inside in zip(words[place:], formula[place:], strict=True):
        if not inside:
            return True
        depth += word.count("(") - word.count(")")
        if depth <= 0:
            return False
    return False


def _is_formula(words: Sequence[str], place: int) -> bool:
    """Return whether a word is a part of a formula; `a` is one beside an operator or a sign, else the article."""
    word = words[place].strip(",;:.")
    if not word or _is_language(word):
        return False
    if _RULE.fullmatch(word):
        return True
    bare = word.strip("()")
    if _OF_OEIS.fullmatch(bare):
        return False
    if bare == word and word.count("[") != word.count("]"):  # a bracket around several words
        bare = word.strip("[]")
    if re.search(r"[A-Za-z]{2,}", _NAMES.sub("", bare)):
        return False
    if bare in ("a", "A", "I"):
        near = [words[other].strip("(),;:.") for other in range(max(place - 1, 0), place + 3) if other < len(words)]
        if near[-2:-1] == ["and"] and len(near[-1]) == 1:  # a and b
            return True
        return not words[place].endswith(bare) or any(_OPERATOR.fullmatch(other) for other in near[: 3 if place else 2])
    return True


def _is_language(word: str) -> bool:
    """Return whether a word is a regular expression of letters such as `[0,1]`."""
    return bool(re.search(r"\[[0-9,|-]+\]", word))


def _written(word: str) -> str:
    text = "".join(_SPECIAL.get(sign, sign) for sign in word).replace("...", r"\ldots{}")
    text = _LIGATURE.sub(r"\g<0>{}", text)
    if not _is_language(word):
        return text
    # It may be broken after a bracket.
    return rf"\texttt{{{text}}}".replace("]", r"]\allowbreak{}")


def _math(run: Sequence[str]) -> Iterator[str]:
    """Yield the words of a formula as one text in math, with the punctuation after it, or before and after it."""
    if not run:
        return
    text = " ".join(run)
    end = re.search(r"(?<!\.\.)[,;:.]*$", text)
    assert end is not None
    text, after = text[: end.start()], end[0]
    before = ""
    for opening, closing in ("()", "[]"):
        if text.count(opening) < text.count(closing) and text.endswith(closing):
            text, after = text[:-1], closing + after
        elif text.count(opening) > text.count(closing) and text.startswith(opening):
            text, before = text[1:], opening
    yield f"{before}${_tex(text).strip()}${after}" if text else before + after


def _tex(text: str) -> str:
    """Return a formula in the notation of LaTeX."""
    parts: list[str] = []
    done = 0
    while match := _PIECE.search(text, done):
        parts.append(_plain(text[done : match.start()]))
        done = match.end()
        if match["golden"]:
            parts.append(r"\varphi ")
        elif match["call"]:
            end = _closing(text, done)
            inside = _tex(text[done:end])
            parts.append(rf"\lfloor {inside}\rfloor " if match["call"] == "floor(" else rf"\sqrt{{{inside}}}")
            done = min(end + 1, len(text))
        elif match["greek"]:
            parts.append(_GREEK[match["greek"]][1])
        elif match["above"]:
            again = "{}" if parts[-2:-1] and parts[-2].startswith(("^", "{}^")) and not parts[-1] else ""
            parts.append(f"{again}^{{{match['above']}}}")
        elif match["below"]:
            parts.append(f"_{{{match['below'].strip('()')}}}")
        elif match["product"]:
            parts.append(r" \cdot ")
        else:
            parts.append(_TEX_SIGNS.get(match["sign"] or "", r"\,"))
    return "".join([*parts, _plain(text[done:])])


def _plain(text: str) -> str:
    """Return a part of a formula without names: spaces between digits are kept, special characters escaped."""
    text = "".join(_IN_MATH.get(sign, sign) for sign in text)
    return re.sub(r"(?<=\w) (?=\w)", r"\\ ", text).replace("...", r"\ldots ")
