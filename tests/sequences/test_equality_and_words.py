"""Sequences that are equal or not, of one variable and of two, and words of their values; against counts."""

from __future__ import annotations

import pytest

from fibprover.base.errors import AutomatonError, LimitError
from fibprover.sequences.series import Series
from fibprover.workspace.session import Session

SYSTEMS = ("msd_2", "lsd_2", "msd_fib", "msd_trib", "lsd_fib")


def counted(session: Session, formula: str, *variables: str) -> Series:
    return session.counts(variables or ("n",), formula)


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
    assert (counted(s, one) - counted(s, other)).first_nonzero() is None


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
    found = (left - right).first_nonzero()
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
    assert one == counted(s, "i<m+n", "n", "m") and one != other
    assert (one - other).first_nonzero() == (4, 2)
    assert one * one == counted(s, "i<n+m & j<m+n", "n", "m") and (2 * one - 1)[5, 8] == 25
    assert counted(s, "i<2*n+m", "n", "m") != counted(s, "i<2*n+m", "m", "n")
    for question in (one.growth, one.partial_sums, one.recurrence, one.first_negative):
        with pytest.raises(AutomatonError, match="one variable"):
            question()


def test_what_cannot_be_compared() -> None:
    with pytest.raises(AutomatonError, match="different systems"):
        counted(Session("msd_2"), "i<n") - counted(Session("msd_fib"), "i<n")
    s = Session()
    with pytest.raises(AutomatonError, match="different systems"):
        counted(s, "i<n") - counted(s, "i<n+m", "n", "m")
    with pytest.raises(AutomatonError, match="takes 2 numbers"):
        counted(s, "i<n+m", "n", "m")[3]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("formula", ["i<3 & i<n", "i>n & i<n+4 & Ej i=3*j", "i<n & i+5>n", "i!=i & n>0"])
def test_words_of_values(system: str, formula: str) -> None:
    s = Session(system)
    representation = counted(s, formula)
    word = s.namespace.add_word("V", representation.word().machine)
    represent = s.namespace.system(system).represent
    assert [word.value(represent(n)) for n in range(120)] == [representation(n) for n in range(120)]


def test_a_word_of_two_indices() -> None:
    s = Session("msd_fib")
    representation = counted(s, "i>=n & i<=m & i<n+3", "n", "m")
    word = representation.word("V")
    represent = s.namespace.system("msd_fib").represent
    for n in range(12):
        for m in range(12):
            length = max(len(represent(n)), len(represent(m)))
            digits = [(0,) * (length - len(represent(k))) + tuple(represent(k)) for k in (n, m)]
            assert word.value(*digits) == representation(n, m) == min(3, max(0, m - n + 1))


def test_rows_that_no_continuation_tells_apart_are_one() -> None:
    """The rows of this representation are infinitely many, its values are not: they are all 1."""
    s = Session()
    one = counted(s, "i=0 & n=n")
    more = tuple((*part, ((one.dimension, 2),)) for part in one.parts)
    grown = Series(one.variables, one.systems, (*one.entering, 1), (*one.leaving, 0), more)
    with pytest.raises(LimitError):
        grown.word(most=50)
    word = (grown * 1).word("V")
    assert word.machine.states == 1 and word.value((1, 0, 1)) == 1


def test_infinitely_many_values() -> None:
    s = Session("msd_fib")
    with pytest.raises(LimitError, match="more than 50 states"):
        counted(s, "i<n").word(most=50)


def test_counts_of_large_automata_are_minimized_when_they_are_calculated_with() -> None:
    s = Session("msd_fib")
    large = counted(s, "i+j<n & k<i+5 & Eq q*3=i & F[j]=@1")
    assert large.dimension > 1000
    for n in (0, 1, 7, 12, 20):
        pairs = [(i, j) for i in range(0, n, 3) for j in range(n - i) if is_one(j)]
        assert large[n] == sum(i + 5 for i, _ in pairs)


def is_one(number: int) -> bool:
    """Return whether the letter of the Fibonacci word is 1, from the word itself."""
    word, following = "0", "01"
    while len(word) <= number:
        word, following = following, following + word
    return word[number] == "1"
