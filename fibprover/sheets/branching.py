"""The questions about special factors: how many letters extend a factor on its sides.

A factor w of X has l letters a so that aw is a factor, r letters b so that wb is one, and e pairs so that awb is one.
It is left special if l > 1, right special if r > 1, bispecial if both; its multiplicity is e - l - r + 1 (Cassaigne,
"Complexite et facteurs speciaux", 1997).  The sum of the multiplicities of all w of length n is the second difference
of the number of factors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fibprover.sheets.question import Question

#: The factor of length n at j occurs at no earlier place; the same for lengths n+1 and n+2.
_FIRST = "(Ak k<j => ~$feq_X(j,k,{}))"

#: With E and a number k before them: k letters follow the factor of length n at i, k precede it, k pairs enclose it.
_RIGHT = f"j ({_FIRST.format('n+1')} & $feq_X(i,j,n))"
_LEFT = f"j ({_FIRST.format('n+1')} & $feq_X(i,j+1,n))"
_BOTH = f"j ({_FIRST.format('n+2')} & $feq_X(i,j+1,n))"

_LEFT_SPECIAL = "$feq_X(i+1,j+1,n) & X[i]!=X[j]"

#: Words with more letters have too many kinds of bispecial factors.
_MOST_LETTERS = 4


def branching(letters: Sequence[int]) -> Iterator[Question]:
    """Yield the questions of the section, about a word with these letters."""
    section = "special factors"
    yield Question(
        "right-special", section, "sequence", "The number of right special factors of length n.",
        "(Aj j<i => ~$feq_X(i,j,n)) & (Ej $feq_X(i,j,n) & X[i+n]!=X[j+n])",
    )
    yield Question(
        "left-special", section, "sequence",
        "The number of left special factors of length n that occur after the first letter.",
        f"(Aj j<i => ~$feq_X(i+1,j+1,n)) & (Ej {_LEFT_SPECIAL})",
    )
    for side, counted, said in (("right", _RIGHT, "follow"), ("left", _LEFT, "precede")):
        yield Question(
            f"{side}-extensions", section, "counts", f"The numbers of letters that {said} a factor.",
            f"Ei,n E# {counted}",
        )
        for k in range(2, len(letters) + 1) if 2 < len(letters) <= _MOST_LETTERS else ():
            yield Question(
                f"{side}-extensions-{k}", section, "set", f"The lengths of factors that {k} letters {said}.",
                f"Ei E={k} {counted}",
            )
    yield from _branches()
    yield Question(
        "bispecial", section, "set", "The lengths of bispecial factors that occur after the first letter.",
        f"Ei (Ej {_LEFT_SPECIAL}) & (Ej $feq_X(i+1,j,n) & X[i+n+1]!=X[j+n])",
    )
    if 2 <= len(letters) <= _MOST_LETTERS:
        yield from _bispecial(len(letters))


def _branches() -> Iterator[Question]:
    """Yield the questions how many infinite words branch at every prefix, and at every suffix.

    The formulas count the special factors of length n that begin, or end, special factors of all greater lengths.
    Their number does not decrease with n, and by Konig's lemma it becomes the number of the infinite words, unless both
    are infinite.
    """
    yield Question(
        "left-branches", "special factors", "greatest",
        "The number of infinite words all of whose prefixes are left special: the greatest number of factors of length"
        " n that begin left special factors of all greater lengths.",
        "(Aj j<i => ~$feq_X(i+1,j+1,n)) & (Ad Ek $feq_X(i+1,k+1,n) & (Ej $feq_X(k+1,j+1,n+d) & X[k]!=X[j]))",
    )
    yield Question(
        "right-branches", "special factors", "greatest",
        "The number of words, infinite to the left, all of whose suffixes are right special: the greatest number of"
        " factors of length n that end right special factors of all greater lengths.",
        "(Aj j<i => ~$feq_X(i,j,n)) & (Ad Ek $feq_X(i,k+d,n) & (Ej $feq_X(k,j,n+d) & X[k+n+d]!=X[j+n+d]))",
    )


def _bispecial(size: int) -> Iterator[Question]:
    """Yield the questions about multiplicities of bispecial factors of a word with this many letters."""
    # Of the letters on both sides: the numbers of them, and the number of pairs that makes the multiplicity 0.
    sides = {(a, b): a + b - 1 for a in range(2, size + 1) for b in range(2, size + 1)}

    def with_pairs(pairs: dict[tuple[int, int], str]) -> str:
        return " | ".join(
            f"((E={left} {_LEFT}) & (E={right} {_RIGHT}) & (E{number} {_BOTH}))"
            for (left, right), number in pairs.items()
        )

    # Each factor is followed by a letter, so that e >= l; one that begins X may be preceded by none.
    cases = []
    for multiplicity in range(1 - size, (size - 1) ** 2 + 1):
        pairs = {
            (a, b): f"={neutral + multiplicity}" for (a, b), neutral in sides.items()
            if a <= neutral + multiplicity <= a * b
        }
        cases.append((multiplicity, f"Ei,n {with_pairs(pairs)}"))
    yield Question(
        "multiplicities", "special factors", "cases",
        "The multiplicities e-l-r+1 of bispecial factors, where l letters precede the factor, r letters follow it,"
        " and e pairs of letters enclose it.", cases=tuple(cases),
    )
    for name, sign, beside, said in (
        ("weak", "<=", -1, "less than 0"), ("neutral", "=", 0, "0"), ("strong", ">=", 1, "greater than 0"),
    ):
        numbers = {pair: f"{sign}{neutral + beside}" for pair, neutral in sides.items()}
        yield Question(
            f"{name}-bispecial", "special factors", "set",
            f"The lengths of {name} bispecial factors: their multiplicity is {said}.", f"Ei {with_pairs(numbers)}",
        )
