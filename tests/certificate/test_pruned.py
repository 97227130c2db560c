"""States that sets of states lose, and projections that are checked with what is left."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest

import fibprover as fp
from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa
from fibprover.base.limits import UNLIMITED
from fibprover.checker import fibcheck
from fibprover.checker.fibcheck import Automaton, Budget, Sets
from fibprover.prover.certificate import projection
from fibprover.prover.certificate.projection import projected
from fibprover.prover.certificate.pruned import losses
from fibprover.prover.verdict.verdict import Verdict

#: Relations, and the variables that are projected away.
RELATIONS = [
    ("x<=y & y<=z & F[y]=@0", "y"), ("x+2*y<=z & F[x]=@1", "xy"),
    ("x>=3 & y<5 & z=2", "xy"), ("(x=2*y | y=z+1 | x+y=z) & F[z]=@0", "xy"), ("x<z & y<=z & F[x]=@0", "z"),
]


def relation(text: str) -> Dfa:
    found = fp.Session("msd_fib").eval(text)
    assert not isinstance(found, Verdict)
    return found.automaton


def as_checked(a: Dfa) -> Automaton:
    rows = [{a.letter(code): target for code, target in a.row(state)} for state in range(a.states)]
    return Automaton(rows, a.outputs.tolist())


def sets_of(a: Dfa, names: str, lines: Sequence[Sequence[int]]) -> tuple[fibcheck.Relation, int]:
    """What the sets accept, as the fewest states do, and how many sets there are."""
    kept = [place for place, name in enumerate(a.names) if name not in names]
    sets = Sets(as_checked(a), kept, Budget(60, 1 << 30), loses=lines)
    found = fibcheck.without(sets, [a.names[place] for place in kept], Budget(60, 1 << 30))
    return found, len(sets.sets)


@pytest.mark.parametrize(("text", "names"), RELATIONS)
def test_what_is_left_accepts_the_same(text: str, names: str) -> None:
    a = relation(text)
    found = losses(a, list(names), 1 << 20, UNLIMITED)
    assert found is not None
    whole, many = sets_of(a, names, [])
    rest, few = sets_of(a, names, found.lines)
    assert (whole.automaton.rows, whole.automaton.outputs) == (rest.automaton.rows, rest.automaton.outputs)
    assert few == found.sets and (few < many or many < 9)
    assert losses(a, list(names), found.sets - 1, UNLIMITED) is None


Word = tuple[tuple[int, ...], ...]


def words_from(automaton: Automaton, kept: list[int], begin: int, length: int) -> set[Word]:
    """The words over the tracks that are kept by which a state leads to one that accepts, up to a length."""
    found, todo = set[Word](), set[tuple[Word, int]]({((), begin)})
    for _ in range(length + 1):
        found |= {word for word, state in todo if automaton.outputs[state]}
        todo = {((*word, tuple([letter[place] for place in kept])), there)
                for word, state in todo for letter, there in automaton.rows[state].items()}
    return found


@pytest.mark.parametrize(("text", "names"), RELATIONS)
def test_what_simulates_a_state_accepts_what_it_does(text: str, names: str) -> None:
    """By brute force; also of states that only zeros lead to."""
    a = relation(text)
    automaton, kept = as_checked(a), [place for place, name in enumerate(a.names) if name not in names]
    simulating = kernel_calls.simulating(a, list(names), UNLIMITED)
    words, pairs = [words_from(automaton, kept, state, 4) for state in range(a.states)], 0
    for one, other in product(range(a.states), repeat=2):
        if simulating(one) >> other & 1:
            pairs += 1
            assert words[one] <= words[other]
    assert pairs > 0 and all(simulating(state) < 1 << a.states for state in range(a.states))


def test_a_projection_with_few_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets lose states only where that leaves far fewer of them."""
    a = relation(RELATIONS[0][0])
    assert projected(a, ["y"], UNLIMITED).loses is None
    monkeypatch.setattr(projection, "MANY_SETS", -1)
    monkeypatch.setattr(projection, "MORE_SETS", 0)
    monkeypatch.setattr(projection, "MANY_TIMES", 1)
    found = projected(a, ["y"], UNLIMITED)
    assert found.loses is not None and not found.backward
    assert found.automaton == operations.exists(a, ["y"], UNLIMITED)
