"""Random rules: linear formulas in a few variables, small enough to be solved in many ways."""

from __future__ import annotations

from hypothesis import strategies as st

RELATIONS = ("=", "!=", "<", "<=", ">", ">=")


@st.composite
def terms(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    """A sum of multiples of variables and a number; now and then a difference or a quotient."""
    parts = []
    for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True)):
        factor = draw(st.integers(1, 3))
        parts.append(name if factor == 1 else f"{factor}*{name}")
    if draw(st.booleans()):
        parts.append(str(draw(st.integers(0, 5))))
    term = "+".join(parts)
    if draw(st.integers(0, 5)) == 0:
        term = f"{term}-{draw(st.sampled_from([*names, '2']))}"
    if draw(st.integers(0, 9)) == 0:
        term = f"({term})/{draw(st.integers(2, 3))}"
    return term


@st.composite
def comparisons(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    left = draw(terms(names))
    right = draw(st.one_of(terms(names), st.integers(0, 8).map(str)))
    return f"{left}{draw(st.sampled_from(RELATIONS))}{right}"


def formulas(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Comparisons and a few connectives between them."""

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        joined = st.tuples(inner, st.sampled_from(["&", "|", "|", "^", "=>", "<=>"]), inner)
        return st.one_of(joined.map(lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"), inner.map("~({})".format))

    return st.recursive(comparisons(names), larger, max_leaves=4)


def lines() -> st.SearchStrategy[str]:
    """Vectors that are rows, columns, and bands or single lines of other directions."""
    band = st.tuples(st.integers(0, 3), st.integers(1, 2), st.integers(1, 2)).map(
        lambda t: f"(i>0 & j>0 & {t[1]}*i<={t[2]}*j+{t[0]} & {t[2]}*j<={t[1]}*i+{t[0]})"
    )
    line = st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(0, 4)).map(
        lambda t: f"{t[0]}*i={t[1]}*j+{t[2]}"
    )
    other = st.tuples(st.integers(1, 3), st.integers(0, 4)).map(lambda t: f"j={t[0]}*i+{t[1]}")
    kinds = st.one_of(st.just("i=0"), st.just("j=0"), st.just("i=j"), band, line, other)
    return st.lists(kinds, min_size=1, max_size=4).map(lambda parts: " | ".join(f"({part})" for part in parts))


def terminals() -> st.SearchStrategy[str]:
    """Nothing, or a formula of terminal positions."""
    return st.one_of(st.just(""), st.just(""), st.integers(0, 6).map("a+b<={}".format), formulas(("a", "b")))
