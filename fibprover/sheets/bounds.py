"""Bounds of a sequence by the automaton of its pairs (n, a(n)).

Over one system the supremum and the infimum of a(n)/n are those of the quotients of pairs, which are exact
(`suprema.py`).  Over two, n with k digits has a value with k + c digits at most: if it had more digits than the
automaton has states before those of n begin, it would have infinitely many values.  It has k - c digits at least if the
automaton cannot read any number of zeros of the value after a digit of n that is not 0: so the sequence is Theta(n^e).
Where one base is the square of the other one, the best constants are exact (`square_quotients.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fibprover.automata import kernel_calls
from fibprover.base.errors import BudgetSpent, LimitError, NotSupported
from fibprover.base.limits import Limits, spending
from fibprover.language.builder import variable
from fibprover.prover.verdict.relation import Relation
from fibprover.sequences.across import Synchronization, synchronization
from fibprover.sequences.series import Series
from fibprover.sheets.square_quotients import square_quotient
from fibprover.sheets.suprema import Supremum, supremum
from fibprover.workspace.session import Session

#: Seconds for the bounds.
SECONDS = 3.0


def bounds(session: Session, sequence: Series, limits: Limits) -> list[str]:
    """Return what is proved of the growth by an automaton of the pairs; those that are found in some seconds."""
    found: list[str] = []
    try:
        with spending(limits.within(SECONDS).start()):
            found.extend(_bounds(session, synchronization(sequence)))
    except BudgetSpent as spent:
        if spent.resource != "seconds" or spent.limit != SECONDS:
            raise
    except LimitError:
        pass
    return found


def _bounds(session: Session, pairs: Synchronization) -> Iterator[str]:
    of_index, of_values = pairs.systems
    if of_index != of_values:
        exactly = pairs.is_natural and _is_large(pairs)
        order = f"Theta(n^{_exponent(pairs)})" if exactly else f"at most like n^{_exponent(pairs)}"
        why = ", and their first digits are near each other" if exactly else ""
        yield f"{order}, proved: n and its value are read in step by an automaton{why}"
        if pairs.is_natural:
            yield from _of_squares(pairs)
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
        yield f"a(n) <= {_times(above)} for n > 0, proved: the supremum of a(n)/n{_attained(above.attained)}"
    if below is not None and below.value is not None:
        yield f"n <= {_times(below, 'a(n)')} for n > 0, proved: the supremum of n/a(n){_attained(below.attained)}"


def _of_squares(pairs: Synchronization) -> Iterator[str]:
    """Yield the bounds of a(n)/sqrt(n), or of a(n)/n^2, where one base is the square of the other one."""
    bases = [pairs.above.system(name).integer_base or 0 for name in pairs.systems]
    if min(bases) < 2 or max(bases) != min(bases) ** 2:
        return
    # The square of the second number is compared with the first one.
    names = ["n", "v"] if bases[0] > bases[1] else ["v", "n"]
    automaton = kernel_calls.reorder(pairs.above.automaton, names)
    # Where some a(n) is 0, n^2/a(n) has no greatest value, and a(n)/n^2 the least value 0.
    vanishes = names == ["v", "n"] and any(n for n in pairs.above.where(v=0).values(2))
    for greatest in (False,) if vanishes else (True, False):
        try:
            found = square_quotient(automaton, min(bases), greatest=greatest)
        except LimitError:
            continue
        if found is None or not found.value:
            continue
        if names == ["n", "v"]:
            bound, what = f"{'<=' if greatest else '>='} sqrt({_multiple(found.value)})", "a(n)/sqrt(n)"
        else:
            bound, what = f"{'>=' if greatest else '<='} {_multiple(1 / found.value)}^2", "a(n)/n^2"
        which = "supremum" if "<=" in bound else "infimum"
        at = "" if found.pair is None else f" at n = {found.pair[names.index('n')]}"
        yield f"a(n) {bound} for n > 0, proved: the {which} of {what}{_attained(found.attained)}{at}"


def _multiple(factor: Fraction) -> str:
    return "n" if factor == 1 else f"{factor} n"


def _is_large(pairs: Synchronization) -> bool:
    """Return whether values have as many digits as their numbers, but for a bounded number of them.

    That is so if the automaton has no cycle of zeros of the value which it reaches along other digits of n alone.
    """
    automaton = pairs.above.automaton
    order = [automaton.names.index(name) for name in ("n", "v")]
    zeros: dict[int, list[tuple[int, int]]] = {}
    for state in range(automaton.states):
        letters = ((automaton.letter(code), there) for code, there in automaton.row(state))
        zeros[state] = [(letter[order[0]], there) for letter, there in letters if letter[order[1]] == 0]
    # Minimal automata have no state that leads nowhere, so each of these goes on to a pair.
    todo = [there for digit, there in zeros[0] if digit]
    for state in todo:
        todo += [there for _, there in zeros[state] if there not in todo]
    left = set(todo)
    while ends := {state for state in left if not any(there in left for _, there in zeros[state])}:
        left -= ends
    return not left


def _exponent(pairs: Synchronization) -> str:
    """Return the exponent of the growth, a fraction where the bases are powers of one number."""
    index, values = (pairs.above.system(name).integer_base for name in pairs.systems)
    if index and values:
        for fraction in (Fraction(p, q) for q in range(1, 8) for p in range(1, 8)):
            if values**fraction.denominator == index**fraction.numerator:
                return str(fraction) if fraction.denominator == 1 else f"({fraction})"
    return f"({_root(pairs, pairs.systems[1])}/{_root(pairs, pairs.systems[0])})"


def _has_zero(relation: Relation) -> bool:
    """Return whether some n > 0 has the value 0."""
    return not relation.where(v=0).is_empty()


def _times(found: Supremum, what: str = "n") -> str:
    return what if str(found.value) == "1" else f"{found.value} {what}"


def _attained(attained: bool) -> str:
    return ", attained" if attained else ", not attained"


def _root(pairs: Synchronization, name: str) -> str:
    """Return the logarithm of the number that weights grow by."""
    system = pairs.above.system(name)
    base = system.integer_base
    return f"log {base}" if base is not None else f"log(root of {name})"
