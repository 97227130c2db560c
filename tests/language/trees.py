"""Random trees of formulas, with names that are hard to print: Evil, A, I1, and variables that are bound twice."""

from __future__ import annotations

from hypothesis import strategies as st

from fibprover.language.tree import (
    ARITHMETIC,
    CONNECTIVES,
    COUNTING,
    RELATIONS,
    Argument,
    Arithmetic,
    Binary,
    Call,
    Compare,
    Formula,
    InSystem,
    Letter,
    Negative,
    Not,
    Number,
    Quantified,
    Reversed,
    SystemTerm,
    Term,
    Variable,
    WordValue,
)

NAMES = ("x", "y", "W", "X", "n_1", "feq_T", "bE")
WORDS = ("T", "Evil", "Ape", "I1", "A", "E", "W", "X", "x")
PREDICATES = ("p", "Evil", "feq_T", "A", "X", "I1")
SYSTEMS = ("msd_2", "msd_fib", "lsd_3", "msd_neg_2")

names = st.sampled_from(NAMES)
variables = names.map(Variable)
leaves = st.one_of(
    variables, st.integers(0, 10**20).map(Number), st.integers(-20, 20).map(Letter),
)


def terms(depth: int) -> st.SearchStrategy[Term]:
    """Terms at most so deep."""
    if depth <= 0:
        return leaves
    below = terms(depth - 1)
    return st.one_of(
        leaves,
        st.builds(Arithmetic, st.sampled_from(ARITHMETIC), below, below),
        st.builds(Negative, below),
        st.builds(WordValue, st.sampled_from(WORDS), st.lists(arguments(depth - 1), min_size=1, max_size=2).map(tuple)),
    )


def arguments(depth: int) -> st.SearchStrategy[Argument]:
    """Arguments and indices: terms, terms in a system, now and then formulas."""
    return st.one_of(
        terms(depth), terms(depth), st.builds(SystemTerm, st.sampled_from(SYSTEMS), terms(depth)), formulas(depth - 1)
    )


def formulas(depth: int) -> st.SearchStrategy[Formula]:
    """Formulas at most so deep; they need not have a meaning."""
    atoms = st.one_of(
        st.builds(Compare, st.sampled_from(RELATIONS), terms(min(depth, 2)), terms(min(depth, 2))),
        st.builds(Call, st.sampled_from(PREDICATES), st.lists(terms(0), max_size=3).map(tuple)),
    )
    if depth <= 0:
        return atoms
    below = formulas(depth - 1)
    bound = st.lists(variables, min_size=1, max_size=3, unique=True).map(tuple)
    return st.one_of(
        atoms,
        st.builds(Call, st.sampled_from(PREDICATES), st.lists(arguments(depth - 1), max_size=3).map(tuple)),
        st.builds(Not, below),
        st.builds(Reversed, below),
        st.builds(Binary, st.sampled_from(CONNECTIVES), below, below),
        st.builds(Binary, st.sampled_from(CONNECTIVES), below, below),
        st.builds(Quantified, st.sampled_from("AEI"), bound, below),
        st.builds(
            Quantified, st.just("E"), bound, below, st.sampled_from(COUNTING), st.integers(0, 12)
        ),
        st.builds(InSystem, st.sampled_from(SYSTEMS), below),
    )
