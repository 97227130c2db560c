"""Words over greedy systems, and numbers of letters, against what is counted."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, islice

import pytest

import fibprover as fp
from fibprover.base.errors import NumerationError
from fibprover.numeration import equations
from fibprover.prover.verdict.relation import Relation
from fibprover.words import ways
from fibprover.words.greedy import greedy_word
from fibprover.words.letter_counts import letter_counts, letter_counts_by_morphism
from fibprover.words.letters import letters_in_order
from fibprover.words.morphic import MorphicWord, morphic_word
from fibprover.words.rules import parse_rules

#: Morphisms, codings, and the systems over which their words are: of the Thue word without squares base 2, of words
#: with a coding by blocks that of the morphism, and of 0 -> 01, 1 -> 23, 2 -> 0, 3 -> 12 the root 1.75 of x^3-2x^2+x-1.
WORDS = [
    ("0->01, 1->20, 2->0", "", "msd_trib"), ("a->abc, b->ac, c->b", "", "msd_2"), ("0->012, 1->02, 2->1", "", "msd_2"),
    ("0->01, 1->23, 2->0, 3->12", "", "msd_rec_2_m1_1"), ("0->0012, 1->2, 2->012", "", "msd_rec_3_0_m1"),
    ("a->ab, b->a", "a->011, b->01", "msd_fib"), ("a->ab, b->cb, c->a", "a->011, b->0, c->01", "msd_rec_2_m1_1"),
    ("0->01, 1->02, 2->022", "0->0, 1->01, 2->011", "msd_pell"), ("0->01, 1->10", "", "msd_2"),
    ("0->01, 1->02, 2->03, 3->0", "", "msd_4bonacci"), ("a->abc, b->ab, c->b", "a->33, b->31, c->11", "msd_rec_2_0_1"),
]


def word_of(rules: str, coding: str) -> MorphicWord:
    return morphic_word(parse_rules(rules), parse_rules(coding) if coding else None)


@pytest.mark.parametrize(("rules", "coding", "name"), WORDS)
def test_letters_over_greedy_systems(rules: str, coding: str, name: str) -> None:
    word = word_of(rules, coding)
    system, machine = greedy_word(word)
    assert system.name == name
    assert list(islice(letters_in_order(machine, system.valid), 5000)) == word.prefix(5000)


@pytest.mark.parametrize("rules", [
    "0->011, 1->0", "0->0010, 1->1", "0->011, 1->0001", "0->01, 1->1", "0->0001, 1->011",
])
def test_words_over_no_greedy_system(rules: str) -> None:
    """The lengths have an eigenvalue 1 or -1, or one that is larger, or do not grow like powers."""
    with pytest.raises(NumerationError):
        greedy_word(word_of(rules, ""))


def test_a_long_recurrence_is_not_looked_for_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 200 letters, each of which leads to the next one: the lengths satisfy one of order 200."""
    rules = {f"[{n}]": f"[{n}][{(n + 1) % 200}]" if n % 3 else f"[{(n + 1) % 200}]" for n in range(200)}
    rules["[0]"] = "[0][1]"
    word = morphic_word(parse_rules(", ".join(f"{letter}->{image}" for letter, image in rules.items())))
    unknowns = list[int]()

    def solved(rows: list[list[Fraction]]) -> list[Fraction] | None:
        unknowns.append(len(rows[0]) - 1)
        return equations.solved(rows)

    monkeypatch.setattr(ways, "solved", solved)
    with pytest.raises(NumerationError):
        greedy_word(word)
    assert max(unknowns) <= equations.MOST_ORDER + 1


def fits(relation: Relation, letters: list[int], letter: int) -> bool:
    """Return whether a relation has exactly the numbers of a letter in the prefixes of some letters, and no others."""
    counts = [0, *accumulate(int(each == letter) for each in letters)]
    near = ((n, s) for n, count in enumerate(counts) for s in (count - 1, count, count + 1) if s >= 0)
    return all((pair in relation) is (pair[1] == counts[pair[0]]) for pair in near)


@pytest.mark.parametrize("name", ["T", "F", "TR", "pell", "NA", "bonacci4"])
def test_numbers_of_letters(name: str) -> None:
    word = fp.Session().namespace.library_words[name]
    system = word.system(word.indices[0])
    for letter in set(word.outputs):
        counts = letter_counts(word.machine, letter, system)
        assert counts is not None
        assert fits(Relation(counts, lambda _: system), word.prefix(300), letter)


@pytest.mark.parametrize("name", ["PD", "RS", "SC", "RF"])
def test_numbers_of_letters_without_an_automaton(name: str) -> None:
    """They differ from those of a mean by more and more, or another eigenvalue is 1 or -1."""
    word = fp.Session().namespace.library_words[name]
    assert letter_counts(word.machine, 0, word.system(word.indices[0])) is None


@pytest.mark.parametrize("rules", ["0->01, 1->20, 2->0", "0->0012, 1->2, 2->012", "0->01, 1->21, 2->0"])
def test_numbers_of_letters_by_the_morphism(rules: str) -> None:
    word = word_of(rules, "")
    system, _ = greedy_word(word)
    for letter in range(3):
        counts = letter_counts_by_morphism(word, letter, system)
        assert counts is not None
        assert fits(Relation(counts, lambda _: system), word.prefix(300), letter)
