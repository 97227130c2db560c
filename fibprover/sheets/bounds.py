"""Bounds of a sequence by the automaton of its pairs (n, a(n)).

Over one system the supremum and the infimum of a(n)/n are those of the quotients of pairs, which are exact
(`suprema.py`).  Over two, n with k digits has a value with k + c digits at most: if it had more digits than the
automaton has states before those of n begin, it would have infinitely many values.
"""

from __future__ import annotations

from collections.abc import Iterator

from fibprover.base.errors import BudgetSpent, LimitError, NotSupported
from fibprover.base.limits import Limits, spending
from fibprover.language.builder import variable
from fibprover.prover.verdict.relation import Relation
from fibprover.sequences.across import Synchronization, synchronization
from fibprover.sequences.series import Series
from fibprover.sheets.suprema import Supremum, supremum
from fibprover.workspace.session import Session

#: Seconds for the bounds.
SECONDS = 3.0


def bounds(session: Session, sequence: Series, limits: Limits) -> list[str]:
    """Return what is proved of the growth by an automaton of the pairs; empty if none is found in some seconds."""
    try:
        with spending(limits.within(SECONDS).start()):
            return [*_bounds(session, synchronization(sequence))]
    except BudgetSpent as spent:
        if spent.resource == "seconds" and spent.limit == SECONDS:
            return []
        raise
    except LimitError:
        return []


def _bounds(session: Session, pairs: Synchronization) -> Iterator[str]:
    of_index, of_values = pairs.systems
    if of_index != of_values:
        exponent = f"{_root(pairs, of_values)}/{_root(pairs, of_index)}"
        yield f"at most like n^e for e = {exponent}, proved: n and its value are read in step by an automaton"
        return
    if not pairs.is_natural:
        return
    n, v = variable("n"), variable("v")
    positive = session.relation(((n > 0) & v.eq(v)).in_system(of_index))
    relation = pairs.above & positive
    try:
        above = supremum(relation.renamed(v="a", n="b"))
        # Where some a(n) is 0, n/a(n) has no supremum.
        below = None if _has_zero(relation) else supremum(relation.renamed(n="a", v="b"))
    except NotSupported:
        return
    if above is not None and above.value is not None:
        yield f"a(n) <= {_times(above)} for n > 0, proved: the supremum of a(n)/n{_attained(above)}"
    if below is not None and below.value is not None:
        yield f"n <= {_times(below, 'a(n)')} for n > 0, proved: the supremum of n/a(n){_attained(below)}"


def _has_zero(relation: Relation) -> bool:
    """Return whether some n > 0 has the value 0."""
    return not relation.where(v=0).is_empty()


def _times(found: Supremum, what: str = "n") -> str:
    return what if str(found.value) == "1" else f"{found.value} {what}"


def _attained(found: Supremum) -> str:
    return ", attained" if found.attained else ", not attained"


def _root(pairs: Synchronization, name: str) -> str:
    """Return the logarithm of the number that weights grow by."""
    system = pairs.above.system(name)
    base = system.integer_base
    return f"log {base}" if base is not None else f"log(root of {name})"
