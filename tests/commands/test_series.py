"""Linear representations that are equal, and words of their values; against counts."""

from __future__ import annotations

import pytest

from fibprover.errors import AutomatonError, BudgetSpent, LimitError
from fibprover.limits import Limits
from fibprover.session import Session
from fibprover.verdict.linear_representation import LinearRepresentation, first_difference, word_of_values
from fibprover.words.automatic import automatic_word

SYSTEMS = ("msd_2", "lsd_2", "msd_fib", "msd_trib", "lsd_fib")


def counted(session: Session, formula: str, *variables: str) -> LinearRepresentation:
    return session.linear_representation(formula, variables or ("n",))


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("i<n", "i+1<=n"),
        ("i<2*n", "(Ej i=2*j & j<n) | (Ej i=2*j+1 & j<n)"),
        ("i+j=n", "i<=n & j=i"),
        ("i<n & i>n", "i!=i & n=n"),
    ],
)
def test_equal_counts(system: str, one: str, other: str) -> None:
    s = Session(system)
    assert first_difference(counted(s, one), counted(s, other)) is None


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("one", "other", "where"),
    [
        ("i<n", "i<=n", 0), ("i<n", "i<n & n<23", 23), ("i<n", "(i<n & n!=12) | (i<5 & n=12)", 12),
        ("i<=n", "i<=n & n!=0", 0),
    ],
)
def test_first_differences(system: str, one: str, other: str, where: int) -> None:
    s = Session(system)
    left, right = counted(s, one), counted(s, other)
    found = first_difference(left, right)
    assert found is not None
    assert left(*found) != right(*found)
    by_count = [n for n in range(64) if left(n) != right(n)]
    assert by_count[0] == where
    assert found[0] in by_count
    represent = s.namespace.system(system).represent
    assert len(represent(found[0])) == min(len(represent(n)) for n in by_count)


def test_two_variables() -> None:
    s = Session("msd_fib")
    one, other = counted(s, "i<n+m", "n", "m"), counted(s, "i<n+m & (n!=4 | m!=2)", "n", "m")
    assert first_difference(one, counted(s, "i<m+n", "n", "m")) is None
    assert first_difference(one, other) == (4, 2)
    assert first_difference(counted(s, "i<2*n+m", "n", "m"), counted(s, "i<2*n+m", "m", "n")) is not None


def test_what_cannot_be_compared() -> None:
    with pytest.raises(AutomatonError, match="different systems"):
        first_difference(counted(Session("msd_2"), "i<n"), counted(Session("msd_fib"), "i<n"))
    s = Session()
    with pytest.raises(AutomatonError, match="different systems"):
        first_difference(counted(s, "i<n"), counted(s, "i<n+m", "n", "m"))


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("formula", ["i<3 & i<n", "i>n & i<n+4 & Ej i=3*j", "i<n & i+5>n", "i!=i & n>0"])
def test_words_of_values(system: str, formula: str) -> None:
    s = Session(system)
    representation = counted(s, formula)
    word = s.namespace.add_word("V", word_of_values(representation))
    represent = s.namespace.system(system).represent
    assert [word.value(represent(n)) for n in range(120)] == [representation(n) for n in range(120)]


def test_a_word_of_two_indices() -> None:
    s = Session("msd_fib")
    representation = counted(s, "i>=n & i<=m & i<n+3", "n", "m")
    word = automatic_word("V", word_of_values(representation))
    represent = s.namespace.system("msd_fib").represent
    for n in range(12):
        for m in range(12):
            length = max(len(represent(n)), len(represent(m)))
            digits = [(0,) * (length - len(represent(k))) + tuple(represent(k)) for k in (n, m)]
            assert word.value(*digits) == representation(n, m) == min(3, max(0, m - n + 1))


def test_states_that_no_continuation_tells_apart_are_one() -> None:
    """The vectors of this representation are infinitely many, its values are not: they are all 1."""
    s = Session()
    wasteful = counted(s, "i=0 & n=n")
    grown = LinearRepresentation(
        wasteful.relation, ("n",), (*wasteful.entering, 1), (*wasteful.leaving, 0),
        {digits: (*entries, (wasteful.states, wasteful.states, 2)) for digits, entries in wasteful.arcs.items()},
    )
    word = automatic_word("V", word_of_values(grown))
    assert word.machine.states == 1
    assert word.value((1, 0, 1)) == 1


def test_infinitely_many_values() -> None:
    s = Session("msd_fib")
    with pytest.raises(LimitError, match="more than 50 states"):
        word_of_values(counted(s, "i<n"), 50)
    with pytest.raises(BudgetSpent):
        word_of_values(counted(s, "i<n"), budget=Limits(states=20).start())
