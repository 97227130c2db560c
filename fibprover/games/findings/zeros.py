"""P-positions that Fraenkel's theorem describes: a ends in an even number of zeros, b is a with a zero appended.

It is that of Wythoff's game in Fibonacci representation, and of the (s,m)-games in their systems (Fraenkel 1982, 1998).
In base k it says that b = k a; the numbers a > 0 are those that are 1, ..., k-1 after division by a power of k^2.
"""

from __future__ import annotations

from collections.abc import Iterator

from fibprover.automata import operations
from fibprover.automata.dfa import Dfa, build_from, explored
from fibprover.games.findings.context import Finding, FindingCommand, GameContext
from fibprover.language.builder import call, forall, variables
from fibprover.language.tree import Formula
from fibprover.numeration.system import NumerationSystem

#: The numbers a_n and b_n, n > 0, in the Online Encyclopedia of Integer Sequences, by system.
OEIS = {
    "msd_2": ("A003159", "A036554"),
    "msd_3": ("A007417", "A145204"),
    "msd_fib": ("A000201", "A001950"),
    "msd_wythoff_2": ("A001951", "A001952"),
}

#: How many members are shown.
SHOWN = 8


def zero_findings(context: GameContext) -> Iterator[Finding]:
    """Yield that the P-positions (a,b) with a <= b are those of Fraenkel's theorem in the system, if they are."""
    session, system = context.session, context.system
    automata = {"even": even_zeros(system), "shift": appended(system)}
    for name, automaton in automata.items():
        session.define(name, context.relation(automaton, name))
    p, q = variables("p q")
    described: Formula = (call("even", p) & call("shift", p, q)) | (call("even", q) & call("shift", q, p))
    claim = forall(p, q, call("P", p, q).iff(described))
    if not session.prove(claim):
        return
    base = system.integer_base
    words = (
        "(a,b) with a <= b is a P-position if and only if the representation of a ends in an even number of zeros and "
        "that of b is the representation of a with a zero appended"
    )
    lower = session.relation(call("even", p) & (p > 0)).values(SHOWN)
    if base is not None:
        words += f": b = {base}a"
    names = OEIS.get(system.name)
    if names is not None:
        words += f"; the a > 0 are {', '.join(map(str, lower))}, ..., {names[0]} of the OEIS, and the b > 0 {names[1]}"
    data = {"base": base, "oeis": list(names or ()), "a": lower}
    yield Finding("representations", words, (FindingCommand("eval", "", claim),), data, automata)


def even_zeros(system: NumerationSystem) -> Dfa:
    """Return the numbers whose representation ends in an even number of zeros, 0 among them."""

    def steps(state: int) -> Iterator[tuple[int, int]]:
        # 0: nothing but zeros; 1 and 2: an even and an odd number of them after another digit.
        for code in range(len(system.digits)):
            yield code, 1 if code else (0, 2, 1)[state]

    return _valid(system, build_from((system.track("p"),), explored(0, steps), lambda state: state < 2), ("p",))


def appended(system: NumerationSystem) -> Dfa:
    """Return the pairs (p,q) for which the representation of q is that of p with a zero appended."""
    size = len(system.digits)

    def steps(awaited: int) -> Iterator[tuple[int, int]]:
        # The next digit of p has to be the last one of q.
        for code in range(size):
            yield awaited * size + code, code

    tracks = (system.track("p"), system.track("q"))
    return _valid(system, build_from(tracks, explored(0, steps), lambda awaited: awaited == 0), ("p", "q"))


def _valid(system: NumerationSystem, words: Dfa, names: tuple[str, ...]) -> Dfa:
    """Return the tuples of numbers among tuples of words, canonical."""
    return operations.as_relation(words, [system.valid.renamed([name]) for name in names])
