"""Verify numeration systems by operations on automata alone.

The checks on order and successor state that the valid words, up to leading zeros, are ordered like the naturals
(or the integers).  Those on addition are its recursion x + 0 = x, x + (y + 1) = (x + y) + 1, which determines the
relation by induction, upwards and downwards.  Every other linear atom of a test set is then compared, as a
language, with the one composed from that adder; this detects wrong pruning.  The checks do not depend on
how the automata of the system were made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, build
from fibprover.base.errors import AutomatonError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.base.values import value

#: The linear atoms of a system: (coefficients, relation, constant) -> canonical automaton.
LinearAtoms = Callable[[tuple[int, ...], str, int], Dfa]

#: Atoms that are compared with their composition, each with all six relations.
TEST_ATOMS: tuple[tuple[tuple[int, ...], int], ...] = (
    ((1,), 0),
    ((1,), 4),
    ((-1,), -3),
    ((2,), 6),
    ((-3,), -9),
    ((3,), 7),
    ((1, -1), 0),
    ((1, -1), 2),
    ((-1, 1), -1),
    ((1, 1), 5),
    ((-1, -1), -4),
    ((2, -1), 0),
    ((1, -2), 1),
    ((1, -3), -2),
    ((2, -1), -2),
    ((-3, 1), 0),
)

#: More of them, over three tracks, for systems whose adder has at most LARGE_ADDER states.
WIDE_TEST_ATOMS: tuple[tuple[tuple[int, ...], int], ...] = (
    ((1, 1, -1), 0),
    ((1, 1, -1), -1),
    ((-1, -1, 1), 1),
    ((1, 1, -2), 0),
    ((2, -1, -1), 3),
    ((1, 1, 1), 3),
)

#: One whose composition has a million states if the adder has thousands; for adders of at most HUGE_ADDER states.
COSTLY_TEST_ATOMS: tuple[tuple[tuple[int, ...], int], ...] = (((2, -3), -2),)

LARGE_ADDER, HUGE_ADDER = 200, 1000


@value
class Verification:
    """The checks of a system, each with its outcome; true if all hold."""

    checks: tuple[tuple[str, bool], ...]

    def __bool__(self) -> bool:
        return all(held for _, held in self.checks)

    @property
    def failed(self) -> tuple[str, ...]:
        """The checks that do not hold."""
        return tuple(check for check, held in self.checks if not held)

    def __str__(self) -> str:
        return "\n".join(f"{'ok  ' if held else 'FAIL'} {check}" for check, held in self.checks)


def verify(
    valid: Dfa,
    less: Dfa,
    linear: LinearAtoms,
    lengths: Sequence[int],
    budget: Budget = UNLIMITED,
    *,
    signed: bool = False,
) -> Verification:
    """Check the automata of a numeration system against each other.

    valid: representations, one track; less: order of two valid words by their first difference; linear: the linear
    atoms; lengths: the expected numbers of valid words of length 0, 1, 2, ...; signed: whether the numbers are the
    integers.  The test set is composed only if all other checks hold.  A check fails if its automata do not fit
    together.  Raises BudgetSpent when the budget is spent.
    """
    axioms = _Axioms(valid, less, linear, signed, budget)
    checks: list[tuple[str, bool]] = [
        (
            f"valid words of length t number U_t for t < {len(lengths)}",
            all(kernel_calls.count_words(valid, t) == number for t, number in enumerate(lengths)),
        )
    ]
    checks += [(law, _holds(check)) for law, check in axioms.laws()]
    if not all(held for _, held in checks):
        # Atoms composed from a wrong adder say nothing about the other atoms.
        return Verification(tuple(checks))
    size = axioms.adder("x", "y", "z").states
    wide = (COSTLY_TEST_ATOMS if size <= HUGE_ADDER else ()) + (WIDE_TEST_ATOMS if size <= LARGE_ADDER else ())
    for coefficients, constant in TEST_ATOMS + wide:
        left = " + ".join(f"{c} x{i}" for i, c in enumerate(coefficients)).replace("+ -", "- ")
        agrees = _holds(lambda c=coefficients, k=constant: axioms.agrees(c, k))  # type: ignore[misc]
        checks.append((f"{left} = != < <= > >= {constant} as composed from the adder", agrees))
    return Verification(tuple(checks))


def _holds(check: Callable[[], bool]) -> bool:
    try:
        return check()
    except AutomatonError:
        return False


@value
class _Axioms:
    """The automata of a system, and formulas about them built with join, project and difference."""

    valid: Dfa
    less_automaton: Dfa
    linear: LinearAtoms
    signed: bool
    budget: Budget

    # Formulas: automata over the tracks that are named.

    def number(self, x: str) -> Dfa:
        """x is a number."""
        return self.valid.renamed([x])

    def less(self, x: str, y: str) -> Dfa:
        """x < y, by the first difference."""
        return self.less_automaton.renamed([x, y])

    def equal(self, x: str, y: str) -> Dfa:
        """x and y are the same valid word; x and y in this order of tracks."""
        (track,) = self.valid.tracks
        diagonal = len(track.digits) + 1
        rows = [{code * diagonal: target for code, target in self.valid.row(s)} for s in range(self.valid.states)]
        return build([track._replace(name=x), track._replace(name=y)], rows, self.valid.outputs)

    def zero(self, x: str) -> Dfa:
        """x is a word of zeros."""
        (track,) = self.valid.tracks
        return build([track._replace(name=x)], [{track.digits.index(0): 0}], [1])

    def successor(self, x: str, y: str) -> Dfa:
        """y is x + 1."""
        return self.linear((-1, 1), "=", 1).renamed([x, y])

    def adder(self, x: str, y: str, z: str) -> Dfa:
        """z is x + y."""
        return self.linear((1, 1, -1), "=", 0).renamed([x, y, z])

    # Operations, all with minimal results.

    def both(self, *parts: Dfa) -> Dfa:
        return reduce(lambda a, b: kernel_calls.minimize(kernel_calls.join(a, b, self.budget), self.budget), parts)

    def either(self, *parts: Dfa) -> Dfa:
        return reduce(lambda a, b: kernel_calls.minimize(kernel_calls.union(a, b, self.budget), self.budget), parts)

    def some(self, names: Sequence[str], a: Dfa) -> Dfa:
        for name in names:
            a = kernel_calls.minimize(kernel_calls.project(a, [name], self.budget), self.budget)
        return a

    def but_not(self, a: Dfa, b: Dfa) -> Dfa:
        return kernel_calls.minimize(kernel_calls.difference(a, b, self.budget), self.budget)

    def same(self, a: Dfa, b: Dfa) -> bool:
        """Return whether the languages are equal, whatever the order of the tracks."""
        a, b = (kernel_calls.reorder(side, sorted(side.names), self.budget) for side in (a, b))
        return kernel_calls.minimize(a, self.budget) == kernel_calls.minimize(b, self.budget)

    def laws(self) -> Iterator[tuple[str, Callable[[], bool]]]:
        """Yield the checks on order, successor and addition, each with its statement."""
        yield from self.laws_of_order()
        yield from self.laws_of_addition()

    def laws_of_order(self) -> Iterator[tuple[str, Callable[[], bool]]]:
        less, equal, both = self.less, self.equal, self.both
        pairs = both(self.number("x"), self.number("y"))
        nothing = kernel_calls.is_empty
        yield (
            "the word of zeros is valid, and zeros in front change nothing",
            lambda: (
                self.same(self.valid, kernel_calls.close_zeros(self.valid, self.budget))
                and nothing(self.but_not(self.zero("x"), self.number("x")))
            ),
        )
        yield "order is irreflexive", lambda: nothing(both(less("x", "y"), equal("x", "y")))
        yield "order is asymmetric", lambda: nothing(both(less("x", "y"), less("y", "x")))
        yield "order is transitive", lambda: nothing(self.but_not(both(less("x", "y"), less("y", "z")), less("x", "z")))
        yield "order is total", lambda: self.same(self.either(less("x", "y"), less("y", "x"), equal("x", "y")), pairs)
        yield (
            "the linear atom x - y < 0 is the order",
            lambda: self.same(self.linear((1, -1), "<", 0).renamed(["x", "y"]), less("x", "y")),
        )
        yield (
            "the linear atom x - y = 0 is equality",
            lambda: self.same(self.linear((1, -1), "=", 0).renamed(["x", "y"]), equal("x", "y")),
        )
        yield (
            "the linear atom x = 0 is the word of zeros",
            lambda: self.same(self.linear((1,), "=", 0).renamed(["x"]), self.zero("x")),
        )
        if not self.signed:
            yield "0 is least", lambda: nothing(both(less("x", "y"), self.zero("y")))

    def laws_of_addition(self) -> Iterator[tuple[str, Callable[[], bool]]]:
        """Yield the laws of successor and addition."""
        less, equal, both, some = self.less, self.equal, self.both, self.some
        yield (
            "y = x + 1 exactly if x < y with nothing between",
            lambda: self.same(
                self.successor("x", "y"),
                self.but_not(less("x", "y"), some(["z"], both(less("x", "z"), less("z", "y")))),
            ),
        )
        yield "every number has a successor", lambda: self.same(some(["y"], self.successor("x", "y")), self.number("x"))
        yield (
            f"every number{'' if self.signed else ' but 0'} is a successor",
            lambda: self.same(
                some(["x"], self.successor("x", "y")),
                self.number("y") if self.signed else self.but_not(self.number("y"), self.zero("y")),
            ),
        )
        yield (
            "x + 0 = x",
            lambda: self.same(some(["y"], both(self.adder("x", "y", "z"), self.zero("y"))), equal("x", "z")),
        )
        yield (
            "x + (y + 1) = (x + y) + 1",
            lambda: self.same(
                some(["u"], both(self.successor("y", "u"), self.adder("x", "u", "w"))),
                some(["z"], both(self.adder("x", "y", "z"), self.successor("z", "w"))),
            ),
        )

    # Linear atoms composed from adder, successor and order.

    def agrees(self, coefficients: tuple[int, ...], constant: int) -> bool:
        """Return whether the six direct atoms are those composed from adder, successor and order."""
        names = [f"x{index}" for index in range(len(coefficients))]
        everything = self.both(*(self.number(name) for name in names))
        # The sums of both sides, after negative terms have moved to the other side.
        positive = [(c, name) for c, name in zip(coefficients, names, strict=True) if c > 0]
        negative = [(-c, name) for c, name in zip(coefficients, names, strict=True) if c < 0]
        left = self.total(positive, max(-constant, 0), "p")
        right = self.total(negative, max(constant, 0), "q")
        sides = (left, right)
        equal = self.compared(sides, self.equal("p", "q"))
        less = self.compared(sides, self.less("p", "q"))
        greater = self.compared(sides, self.less("q", "p"))
        composed = {
            "=": equal,
            "!=": self.but_not(everything, equal),
            "<": less,
            "<=": self.but_not(everything, greater),
            ">": greater,
            ">=": self.but_not(everything, less),
        }
        return all(
            self.same(self.linear(coefficients, relation, constant).renamed(names), expected)
            for relation, expected in composed.items()
        )

    def compared(self, sides: tuple[Dfa, Dfa], comparison: Dfa) -> Dfa:
        """Return the tuples whose two sides compare like this."""
        half = self.some(["p"], self.both(sides[0], comparison))
        return self.some(["q"], self.both(half, sides[1]))

    def total(self, parts: Sequence[tuple[int, str]], constant: int, result: str) -> Dfa:
        """Return the automaton of result = constant + sum of count times variable over `parts`."""
        automaton = self.zero(result)
        steps = [self.successor(result, "next")] * constant
        for count, name in parts:
            steps += [self.adder(result, name, "next")] * count
        for step in steps:
            automaton = self.some([result], self.both(automaton, step))
            automaton = automaton.renamed([result if name == "next" else name for name in automaton.names])
        return automaton
