"""The learner finds every automaton, whatever the counterexamples are."""

from __future__ import annotations

from random import Random

import pytest

from fibprover.automata import kernel_calls
from fibprover.base.limits import UNLIMITED
from fibprover.learn.reading import Letters, Reader
from fibprover.learn.tree import Learner, Words
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.session import Session

RELATIONS = (
    ("msd_2", "T[x+y]=@1 & x<3*y"), ("msd_fib", "F[x]=@1 | F[x+y]=@0"), ("msd_3", "Ek x=4*k+y"),
    ("msd_narayana", "x<y & y<x+x"), ("msd_10", "x=3*y+1"), ("lsd_2", "T[x]=@1 & x<=y"), ("msd_2", "x!=x & y=y"),
)


@pytest.mark.parametrize(("system", "formula"), RELATIONS)
def test_every_relation_is_learned(system: str, formula: str) -> None:
    session = Session(system)
    relation = session.relation(f"?{system} {formula}")
    tracks = relation.automaton.tracks
    words = Words(tracks, [session.namespace.system(track.system) for track in tracks], UNLIMITED)
    learner = Learner(words, lambda numbers: numbers in relation, UNLIMITED)
    for _ in range(200):
        difference = shortest_difference(learner, relation)
        if difference is None:
            break
        assert learner.correct(difference)
        assert not learner.correct(difference)
    assert learner.automaton() == relation.automaton
    assert all(learner.holds(numbers) == (numbers in relation) for numbers in learner.known)


def shortest_difference(learner: Learner, relation: Relation) -> tuple[int, ...] | None:
    """Return a word on which the candidate is wrong."""
    candidate = learner.automaton()
    for one, other in ((candidate, relation.automaton), (relation.automaton, candidate)):
        found = kernel_calls.shortest(kernel_calls.minimize(kernel_calls.difference(one, other)))
        if found is not None:
            return found
    return None


def test_words_and_numbers() -> None:
    session = Session("msd_fib")
    system = session.namespace.system("msd_fib")
    words = Words([system.track("x"), system.track("y")], [system, system], UNLIMITED)
    for numbers in [(0, 0), (1, 7), (100, 3), (10**25, 5)]:
        word = words.word(numbers)
        assert words.is_word(word) and words.numbers(word) == numbers
        assert words.numbers((0, *word)) == numbers
    assert not words.is_word((3, 3))


def test_borders() -> None:
    session = Session("msd_2")
    system = session.namespace.system("msd_2")
    words = Words([system.track("x")], [system], UNLIMITED)
    learner = Learner(words, lambda numbers: numbers[0] < 37, UNLIMITED)
    assert [words.numbers(word) for word in learner.border((5,), 0, 9)] == [(36,), (37,)]
    assert learner.border((5,), 0, 4) == []


@pytest.mark.parametrize("name", ["T", "F", "TR", "RF", "VTM"])
def test_letters(name: str) -> None:
    session = Session()
    word = session.namespace.library_words[name]
    system = session.namespace.system(word.tracks[0].system)
    letters = Letters(word.machine, system, UNLIMITED)
    assert letters.array(3000)[:3000].tolist() == word[:3000]
    assert [letters((n,)) for n in range(100)] == word[:100] and letters((50_000,)) == word[50_000]


def test_completions_are_the_tuples() -> None:
    session = Session("msd_fib")
    relation = session.relation("x<y & y<x+4 & F[y]=0")
    reader = Reader(relation.automaton, session.namespace.system)
    random = Random(0)
    for _ in range(30):
        x = random.randrange(200)
        assert sorted(reader.completions((x, None))) == sorted((x, y) for y in range(x, x + 5) if (x, y) in relation)
