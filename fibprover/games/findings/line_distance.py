"""The distance of the P-positions from a line: a_n = floor((n + c) alpha) + lambda(n), with the values of lambda.

Renard & Rigo (section 5, the corollary on the behaviour of the sequences) prove that lambda is bounded for the games
K^l.  Here alpha and c are guessed from the data, and everything else is proved.  The floors are those of
`workspace/floors.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Any

from fibprover.games.findings.context import Finding, GameContext
from fibprover.games.findings.sequences import Sequences, linear
from fibprover.infer.beatty import BeattyFit, beatty_fit
from fibprover.infer.words import InferredWord, NoMorphism, infer_word
from fibprover.language.builder import call, exists, forall, letter, variables
from fibprover.language.tree import Formula, disjunction
from fibprover.numeration.quadratic import Quadratic
from fibprover.workspace.floors import define_floor, is_rational

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Alpha and c are guessed from so many members of the sequence.
LOOK = 4000

#: A list of more values than this is shortened to the first and the last.
LISTED = 6

#: A lambda with more values than this is not reported.
MOST_VALUES = 48


def growth_findings(context: GameContext, found: Sequences) -> Iterator[Finding]:
    """Yield a_n as a floor with the exact values of lambda, and the word of these values."""
    sample = [int(value) for value in found.first_a[:LOOK]]
    if len(sample) < LOOK // 8:
        return
    fit = beatty_fit(sample)
    if fit is None or fit.spread > MOST_VALUES or not define_floor(context.session, fit.alpha, context.limits):
        return
    shifts = [fit.c]
    usual = usual_shift(context, found)
    if usual is not None and usual != fit.c:
        shifts.append(usual)
    for c in shifts:
        again = fit if c == fit.c else beatty_fit(sample, alpha=fit.alpha, c=c)
        if again is None or not prove_values(context, again):
            continue
        yield _finding(again)
    word = word_of(context, fit, found.first_a)
    if word is not None:
        yield _word_finding(fit, word)


def usual_shift(context: GameContext, found: Sequences) -> int | None:
    """Return the c that Renard & Rigo use for the games K^l: l, where b_n = a_n + n + l + 1."""
    gaps = found.first_b - found.first_a
    e, d = int(gaps[0]), int(gaps[1] - gaps[0])
    return e - 1 if context.game.terminal and d == 1 and e >= 1 else None


def prove_values(context: GameContext, fit: BeattyFit) -> bool:
    """Prove that lambda has no other values, and that it has each of these."""
    n, p, y = variables("n p y")
    floor = call("A", p, n) & _floor(fit.c)
    cases = disjunction(map(_sum, fit.values))
    return bool(context.session.prove(forall(n, p, y, floor >> cases))) and all(
        context.session.prove(exists(n, p, y, floor & _sum(value))) for value in fit.values
    )


def _floor(c: int) -> Formula:
    """Return y = floor((n+c) alpha), for n + c >= 0."""
    n, y = variables("n y")
    return call("F", n + c if c > 0 else n - -c if c < 0 else n, y)


def _sum(value: int) -> Formula:
    """Return p = y + value."""
    p, y = variables("p y")
    return p.eq(y + value) if value > 0 else (p + -value).eq(y) if value < 0 else p.eq(y)


def _finding(fit: BeattyFit) -> Finding:
    """Return a_n = floor((n + c) alpha) + lambda(n) as a finding."""
    alpha = str(fit.alpha)
    floor = _floor_in_words(fit)
    data: dict[str, Any] = {"alpha": alpha, "c": fit.c, "lambda": list(fit.values)}
    where = "" if fit.c >= 0 else f" for n >= {-fit.c}"
    if fit.values == (0,):
        return Finding("growth", f"a_n = {floor}{where}", (), data)
    values = "are " + ", ".join(map(str, fit.values))
    if len(fit.values) > LISTED and fit.spread == len(fit.values):
        values = f"are those from {fit.values[0]} to {fit.values[-1]}"
    if len(fit.values) == 1:
        sign = "+" if fit.values[0] > 0 else "-"
        whole = multiple_of(fit.alpha)
        if whole is not None:  # one term: n + c and the value of lambda are numbers
            return Finding("growth", f"a_n = {linear(whole, whole * fit.c + fit.values[0])}{where}", (), data)
        return Finding("growth", f"a_n = {floor} {sign} {abs(fit.values[0])}{where}", (), data)
    return Finding("growth", f"a_n = {floor} + lambda(n){where}, and the values of lambda {values}", (), data)


def _floor_in_words(fit: BeattyFit) -> str:
    """Write floor((n + c) alpha); where alpha is a natural number no floor is needed."""
    whole = multiple_of(fit.alpha)
    if whole is not None:
        return linear(whole, whole * fit.c)
    shift = f"(n+{fit.c})" if fit.c > 0 else f"(n-{-fit.c})" if fit.c < 0 else "n"
    return f"floor({shift} * {f'({fit.alpha})' if _needs_parentheses(fit.alpha) else fit.alpha})"


def multiple_of(alpha: Quadratic) -> int | None:
    """Return alpha if it is an integer, else None."""
    if not is_rational(alpha):
        return None
    ratio = Fraction(alpha.p + isqrt(alpha.d), alpha.q)
    return ratio.numerator if ratio.denominator == 1 else None


def _needs_parentheses(alpha: Quadratic) -> bool:
    """Return whether `str` gives a sum or a fraction of integers, without parentheses."""
    if is_rational(alpha):
        return Fraction(alpha.p + isqrt(alpha.d), alpha.q).denominator > 1
    return abs(alpha.q) == 1 and alpha.p != 0


def word_of(context: GameContext, fit: BeattyFit, a: NDArray[Any]) -> InferredWord | None:
    """Return lambda(0), lambda(1), ... as a coded fixed point, proved; None if none is found or lambda is constant."""
    if len(fit.values) < 2 or fit.c < 0:
        return None
    values = [int(value) - fit.alpha.floor_multiple(n + fit.c) for n, value in enumerate(a.tolist())]
    least = fit.values[0]
    try:
        word = infer_word([value - least for value in values], context.system, "L", budget=context.limits.start())
    except NoMorphism:
        return None
    context.session.namespace.words["L"] = word.word
    n, p, y = variables("n p y")
    for value in fit.values:
        here = exists(p, y, call("A", p, n) & _floor(fit.c) & _sum(value))
        if not context.session.prove(forall(n, letter("L", n).eq(value - least).iff(here))):
            return None
    return word


def _word_finding(fit: BeattyFit, word: InferredWord) -> Finding:
    """Return the morphism and the coding of the word of lambda as a finding."""
    least = fit.values[0]
    images = [list(image) for image in word.images]
    coding = [letter + least for letter in word.coding]
    shown = ", ".join(f"{letter} -> {' '.join(map(str, image))}" for letter, image in enumerate(word.images))
    return Finding(
        "word",
        f"lambda(0), lambda(1), ... (with c = {fit.c}) is the image of the fixed point of {shown} under "
        + ", ".join(f"{letter} -> {value}" for letter, value in enumerate(coding))
        + f"; these {word.letters} letters are the {word.depth}-types, and {word.minimal} are needed",
        (), {"morphism": images, "coding": coding, "depth": word.depth, "minimal": word.minimal, "c": fit.c},
    )
