"""A program as users write it: `make check` checks its types strictly, and it needs no cast."""

from __future__ import annotations

import fibprover as fp


def doubled(session: fp.Session) -> list[int]:
    """Return the first even numbers, plus one."""
    even = session.relation("Ey x=2*y")
    return [values[0] + 1 for values in even.first(3)] + even.values(2)


def total(session: fp.Session) -> int:
    """Return the sum of the numbers in the pairs of a finite relation."""
    return sum(x + y for x, y in session.relation("x+y<3"))


def least(session: fp.Session) -> int:
    """Return the least number of a relation, plus one."""
    found = session.relation("x>4").least()
    return 0 if found is None else found[0] + 1


def letters(session: fp.Session) -> int:
    """Return a sum of letters of the word of Thue and Morse."""
    word = session.namespace.library_words["T"]
    return word[3] + sum(word[:8])


def verdict(session: fp.Session) -> str:
    """Return what a false statement is refuted by."""
    found = session.prove("Ax Ey x=2*y")
    return "TRUE" if found or found.evidence is None else str(found.evidence.values)


def test_the_program() -> None:
    session = fp.Session("msd_fib")
    assert doubled(session) == [1, 3, 5, 0, 2]
    assert total(session) == 8
    assert least(session) == 6
    assert letters(session) == 4
    assert verdict(session) == "{'x': 1}"
