"""Ostrowski systems: continued fractions, representations, atoms, and the peer's automata."""

from __future__ import annotations

import random
from itertools import product
from math import isqrt
from pathlib import Path

import pytest

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, Track
from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, NumerationError
from fibprover.base.folders import BASES, Folders
from fibprover.base.limits import Limits
from fibprover.numeration import RELATIONS, RecurrenceSystem, system_named
from fibprover.numeration.ostrowski import continued_fraction, ostrowski, ostrowski_name, ostrowski_system
from fibprover.numeration.periodic import PeriodicSystem
from fibprover.numeration.quadratic import quadratic
from fibprover.numeration.system import NumerationSystem
from fibprover.workspace.session import Session
from fibprover.workspace.storage import write_system
from fibprover.workspace.walnut import read_automaton
from tests.automata.comparing import same_language
from tests.corpus.replay import CORPUS
from tests.few import few
from tests.numeration.systems import HOLDS, accepts

#: Preperiod and period; the first ones are in the peer's tests, the last ones need several phases.
FRACTIONS = {
    "ns6": ([0, 1, 2, 1, 1], [1, 1, 1, 2]),
    "ns8": ([0, 1, 3, 1], [2]),
    "ns9": ([0, 1, 2, 3], [2]),
    "ns10": ([0, 1, 4, 2], [3]),
    "root3": ([1], [1, 2]),
    "root7": ([2], [1, 1, 1, 4]),
    "late": ([0, 5, 1, 1, 4], [1]),
    "long": ([0, 3], [1, 2, 3, 4, 5]),
}
SYSTEMS = {name: ostrowski_system(name, *terms) for name, terms in FRACTIONS.items()}


def terms_of(number: str, count: int) -> list[int]:
    """Return the first terms of a continued fraction."""
    before, cycle = continued_fraction(quadratic(number))
    return [*before, *cycle * count][:count]


@pytest.mark.parametrize(
    ("number", "terms"),
    [
        ("sqrt(2)", [1, 2, 2, 2, 2]),
        ("sqrt 2-1", [0, 2, 2, 2, 2]),
        ("(1+sqrt(5))/2", [1, 1, 1, 1, 1]),
        ("(5+sqrt(13))/6", [1, 2, 3, 3, 3]),
        ("2/(1+sqrt(5))", [0, 1, 1, 1, 1]),
        ("sqrt(7)", [2, 1, 1, 1, 4, 1, 1]),
        ("-sqrt(2)", [-2, 1, 1, 2, 2, 2]),
        ("3-2*sqrt(3)/5", [2, 3, 3, 1, 10]),
        ("1/(2-sqrt(3))", [3, 1, 2, 1, 2]),
        ("sqrt(1000002)", [1000, 1000, 2000, 1000]),
    ],
)
def test_continued_fractions(number: str, terms: list[int]) -> None:
    assert terms_of(number, len(terms)) == terms


@pytest.mark.parametrize("seed", range(40))
def test_convergents_enclose_the_number(seed: int) -> None:
    rng = random.Random(seed)
    p, q, d = rng.randint(-30, 30), rng.choice([-1, 1]) * rng.randint(1, 20), rng.randint(2, 60)
    if isqrt(d) ** 2 == d:
        d += 1
    terms = terms_of(f"({p}+sqrt({d}))/({q})".replace("(-", "(0-"), 12)
    before, last = (1, 0), (terms[0], 1)
    for term in terms[1:]:
        before, last = last, (term * last[0] + before[0], term * last[1] + before[1])

    def below(numerator: int, denominator: int) -> bool:
        """numerator / denominator < (p + sqrt(d)) / q, decided in integers."""
        side = numerator * abs(q) - (p if q > 0 else -p) * denominator
        if q > 0:
            return side < 0 or side * side < d * denominator * denominator
        return side < 0 and side * side > d * denominator * denominator

    assert below(*before) != below(*last)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("sqrt(4)", "rational"),
        ("3/7", "rational"),
        ("sqrt(2)+sqrt(3)", "no quadratic number"),
        ("1/(2-2)", "divides by 0"),
        ("sqrt(x)", "not part of a number"),
        ("sqrt()", "a square root of a natural number"),
        ("(1+sqrt(5)", "is expected here"),
        ("2 sqrt(5)", "not expected here"),
        ("", "a number is expected"),
        ("(" * 80 + "2", "nested too deeply"),
        ("sqrt(999999937)", "does not repeat within"),
    ],
)
def test_refused_numbers(text: str, why: str) -> None:
    with pytest.raises(FibproverError, match=why):
        ostrowski(text)


def test_names_contain_the_continued_fraction() -> None:
    assert ostrowski("(5+sqrt(13))/6").name == ostrowski_name([1, 2], [3]) == "msd_ost_1_2_per_3"
    assert ostrowski_name([-2, 1], [2]) == "msd_ost_m2_1_per_2"
    assert ostrowski("sqrt(3)", "root3").name == "msd_root3"
    by_name = system_named("ost_1_per_1_2")
    assert by_name.valid.same_arrays(SYSTEMS["root3"].valid)
    assert system_named("ost_per_1").valid.same_arrays(system_named("fib").valid)


def test_plain_recurrences_are_recognized() -> None:
    for terms in (([0, 2], [1]), ([0], [1]), ([0, 1, 1], [1, 1]), ([], [1])):
        assert ostrowski_system("o", *terms).valid.same_arrays(system_named("fib").valid), terms
    assert isinstance(ostrowski_system("o", [0, 4], [3, 3]), RecurrenceSystem)
    assert isinstance(SYSTEMS["ns8"], PeriodicSystem)


@pytest.mark.parametrize(
    ("before", "cycle", "why"),
    [
        ([0, 2], [], "needs a period"),
        ([0, 2, 0], [1], "at least 1"),
        ([0], [1, -3], "at least 1"),
        ([0, 2], [1] * 150 + [2] * 150, "200 terms"),
        ([0, 2], [1 << 16], "digits"),
        ([0, 2], [60000, 50000, 40000], "grow too fast"),
    ],
)
def test_refused_continued_fractions(before: list[int], cycle: list[int], why: str) -> None:
    with pytest.raises((NumerationError, LimitError), match=why):
        ostrowski_system("o", before, cycle)


@pytest.mark.parametrize("name", FRACTIONS)
def test_representations(name: str) -> None:
    system = SYSTEMS[name]
    words = [system.represent(number) for number in range(400)]
    assert all(system.value(word) == number and system.is_valid(word) for number, word in enumerate(words))
    assert sorted(words, key=lambda word: (len(word), word)) == words
    for length in range(len(words[-1])):
        assert kernel_calls.count_words(system.valid, length) == sum(len(word) <= length for word in words)
    huge = 10**300 + 12345
    assert system.value(system.represent(huge)) == huge
    assert system.is_valid(system.represent(huge))


@pytest.mark.parametrize("name", FRACTIONS)
@pytest.mark.parametrize("seed", range(4))
def test_all_small_numbers(name: str, seed: int) -> None:
    system = SYSTEMS[name]
    rng = random.Random(f"{name} {seed}")
    count = 1 + seed % 3
    coefficients = tuple(rng.choice([-1, 1]) * rng.randint(1, 4) for _ in range(count))
    constant = rng.choice([0, 1, -1, rng.randint(-40, 40)])
    for relation in RELATIONS:
        automaton = system.linear(coefficients, relation, constant)
        assert automaton == kernel_calls.minimize(kernel_calls.close_zeros(automaton))
        for numbers in product(range({1: 200, 2: 20, 3: 8}[count]), repeat=count):
            total = sum(c * x for c, x in zip(coefficients, numbers, strict=True))
            expected = HOLDS[relation](total, constant)
            assert accepts(automaton, system, numbers) == expected, (coefficients, relation, constant, numbers)


@pytest.mark.parametrize("name", few(FRACTIONS, 3))
def test_systems_verify(name: str) -> None:
    report = SYSTEMS[name].verify()
    assert report, report


@pytest.mark.parametrize("name", FRACTIONS)
def test_what_is_built_in_is_not_verified_again(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where it gets another name, nor where the files that were written for this name are read."""
    monkeypatch.setattr(NumerationSystem, "verify", lambda *_: pytest.fail("it is verified"))
    made = Session()
    made.ost("mine", *FRACTIONS[name])
    assert made.prove("?msd_mine Ax,y Ez z=x+y")
    system = made.namespace.system("msd_mine")
    (tmp_path / BASES).mkdir()
    write_system(Folders(tmp_path, tmp_path), system)
    read = Session().namespace.load_system(tmp_path / BASES / "msd_mine.txt")
    assert read.identity == system.identity


def test_budgets() -> None:
    endless = (97, -89, 83, -79)
    for limits, resource in ((Limits(states=3000), "states"), (Limits(transitions=3000), "transitions")):
        with pytest.raises(BudgetSpent) as spent:
            SYSTEMS["long"].linear(endless, "=", 0, limits.start())
        assert spent.value.resource == resource
        assert "a linear atom" in str(spent.value)
    with pytest.raises(BudgetSpent) as seconds:
        SYSTEMS["long"].linear(endless, "<", 0, Limits(seconds=0.05).start())
    assert seconds.value.resource == "seconds"


def test_atoms_that_are_too_large() -> None:
    for coefficient in (1 << 31, -(10**40)):
        with pytest.raises(LimitError, match="too large for a linear atom"):
            SYSTEMS["ns6"].linear((1, coefficient), "=", 0)
    with pytest.raises(LimitError, match=r"letters|combinations"):
        SYSTEMS["ns6"].linear((1,) * 40, "=", 0)


def file_of_the_peer(system: NumerationSystem, file: str, names: tuple[str, ...]) -> Dfa:
    track = Track("x", system.digits, system.name)
    automaton = read_automaton(CORPUS / "expected" / "unit" / file, lambda _: track, names)
    return automaton.with_tracks(tuple(track._replace(system=system.name) for track in automaton.tracks))


@pytest.mark.skipif(not (CORPUS / "cases.jsonl").is_file(), reason=f"no {CORPUS} beside the checkout")
@pytest.mark.parametrize("name", ["fib", "pell", "ns6", "ns8", "ns9", "ns10"])
def test_languages_equal_those_of_the_peer(name: str) -> None:
    """Files of the peer: the valid words may lack leading zeros, and the adder is not restricted to valid words."""
    terms = {"fib": ([0, 2], [1]), "pell": ([0], [2])}.get(name) or FRACTIONS[name]
    system = ostrowski_system(name, *terms)
    valid = kernel_calls.close_zeros(file_of_the_peer(system, f"msd_{name}.txt", ("x",)))
    assert same_language(valid, system.valid)
    adder = file_of_the_peer(system, f"msd_{name}_addition.txt", ("0", "1", "2"))
    triples = [system.valid.renamed([str(index)]) for index in range(3)]
    assert same_language(operations.as_relation(adder, triples), system.linear((1, 1, -1), "=", 0))
