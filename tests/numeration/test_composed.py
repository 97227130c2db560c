"""Systems given by automata: recognized, composed from their adder, or refused."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.base.errors import DigitError, FibproverError, FileProblem, FormatError, NumerationError
from fibprover.numeration import RELATIONS, NumerationSystem, system_named
from fibprover.numeration.composed import ComposedSystem, given_system
from fibprover.numeration.periodic import PeriodicSystem
from fibprover.workspace.walnut import automaton_text, read_base
from tests.corpus.replay import CORPUS
from tests.numeration.systems import HOLDS, accepts

BASES = CORPUS / "library" / "Custom Bases"
needs_corpus = pytest.mark.skipif(not BASES.is_dir(), reason=f"no {CORPUS} beside the checkout")


def plain(a: Dfa) -> Dfa:
    """Return the automaton as in a file of a base: tracks are sets of digits."""
    return a.with_tracks(tuple(track._replace(system="") for track in a.tracks))


def write_base(folder: Path, name: str, valid: Dfa, adder: Dfa, less: Dfa | None = None) -> Path:
    path = folder / f"{name}.txt"
    path.write_text(automaton_text(plain(valid)))
    (folder / f"{name}_addition.txt").write_text(automaton_text(plain(adder)))
    if less is not None:
        (folder / f"{name}_less_than.txt").write_text(automaton_text(plain(less)))
    return path


def adder_of(system: NumerationSystem) -> Dfa:
    return system.linear((1, 1, -1), "=", 0)


def composed(name: str) -> ComposedSystem:
    """Return a system that uses nothing but the words and the adder of another one."""
    system = system_named(name)
    return ComposedSystem(system.name, system.digits, system.valid, adder_of(system))


def mixed_radix() -> tuple[Dfa, Dfa]:
    """Digits below 2 and below 3 alternate, from the end: terms 1, 2, 6, 12, 36, ..., of no Pisot number."""
    digits = (0, 1, 2)
    # From the last digit: a state is (radix of the next position, carry).
    states = [(2, 0), (3, 0), (2, 1), (3, 1)]
    words = [dict.fromkeys(range(2 + index), 1 - index) for index in range(2)]
    rows: list[dict[int, int]] = []
    for radix, carry in states:
        row = {}
        for a, b in product(range(radix), repeat=2):
            carried, digit = divmod(a + b + carry, radix)
            row[(a * 3 + b) * 3 + digit] = states.index((5 - radix, carried))
        rows.append(row)
    valid = build([Track("x", digits)], words, [1, 1])
    adder = build([Track(name, digits) for name in "abc"], rows, [1, 1, 0, 0])
    return kernel_calls.minimize(kernel_calls.reverse(valid)), kernel_calls.minimize(kernel_calls.reverse(adder))


@needs_corpus
@pytest.mark.parametrize("name", ["fib", "neg_fib", "pell", "trib", "ns", "tib"])
def test_bases_of_the_peer(name: str) -> None:
    session = fp.Session()
    system = session.namespace.load_system(BASES / f"msd_{name}.txt")
    assert system.verify()
    assert session.prove(f"?msd_{name} Ax,y x+y=y+x").truth
    assert session.prove(f"?lsd_{name} Ax Ey y=3*x").truth
    if name not in ("ns", "tib"):
        assert system is system_named(f"msd_{name}")


@pytest.mark.parametrize("name", ["fraenkel_2_1", "narayana", "neg_3", "ost_0_3_per_1_2", "7"])
def test_derived_systems_are_recognized(name: str, tmp_path: Path) -> None:
    system = system_named(name)
    less = system.less() if system.signed else None
    path = write_base(tmp_path, "msd_mine", system.valid, adder_of(system), less)
    session = fp.Session()
    mine = session.namespace.load_system(path)
    assert type(mine) is type(system)
    assert mine.name == "msd_mine"
    assert mine.linear((2, -1), "<", 3).same_arrays(system.linear((2, -1), "<", 3))
    assert session.prove("?mine Ax Ey y>x").truth


def test_a_base_read_from_the_last_digit(tmp_path: Path) -> None:
    system = system_named("pell")
    mirrored = [kernel_calls.minimize(kernel_calls.reverse(a)) for a in (system.valid, adder_of(system))]
    session = fp.Session()
    found = session.namespace.load_system(write_base(tmp_path, "lsd_mine", *mirrored))
    assert found.name == "msd_mine"
    assert found.valid.same_arrays(system.valid)
    assert session.relation("?lsd_mine x=3").values(3) == [3]


@pytest.mark.long
def test_mixed_radix_is_composed_from_its_adder(tmp_path: Path) -> None:
    session = fp.Session()
    system = session.namespace.load_system(write_base(tmp_path, "msd_mixed", *mixed_radix()))
    assert isinstance(system, ComposedSystem)
    assert system.verify()
    assert "given by automata" in system.describe()
    assert [system.represent(number) for number in (1, 2, 5, 6, 12)] == [(1,), (1, 0), (2, 1), (1, 0, 0), (1, 0, 0, 0)]
    rng = random.Random(3)
    for _ in range(30):
        coefficients = tuple(rng.choice([-1, 1]) * rng.randint(1, 7) for _ in range(rng.randint(1, 3)))
        constant, relation = rng.randint(-30, 30), rng.choice(RELATIONS)
        automaton = system.linear(coefficients, relation, constant)
        for _ in range(40):
            numbers = [rng.choice([rng.randint(0, 30), rng.randint(0, 10**30)]) for _ in coefficients]
            total = sum(c * x for c, x in zip(coefficients, numbers, strict=True))
            assert accepts(automaton, system, numbers) == HOLDS[relation](total, constant)
    assert session.prove("?mixed An Em,r n=6*m+r & r<6").truth
    assert not session.prove("?mixed An Em n=6*m").truth


@pytest.mark.parametrize("name", ["fib", "10", "pell", "ost_0_3_per_1_2"])
def test_composed_atoms_equal_direct_atoms(name: str) -> None:
    system, given = system_named(name), composed(name)
    rng = random.Random(name)
    for _ in range(10):
        coefficients = tuple(rng.choice([-1, 1]) * rng.randint(1, 5) for _ in range(rng.randint(1, 2)))
        constant, relation = rng.randint(-9, 9), rng.choice(RELATIONS)
        assert given.linear(coefficients, relation, constant) == system.linear(coefficients, relation, constant)
    for number in (*range(50), 10**25):
        assert given.represent(number) == system.represent(number)
        assert given.value((0, *system.represent(number))) == number
    assert given.less() == system.less()
    with pytest.raises(DigitError, match="negative"):
        given.represent(-1)


def test_words_that_are_not_valid_have_no_rank() -> None:
    with pytest.raises(DigitError, match="not a valid word"):
        composed("fib").value((1, 1))


def moved(a: Dfa, edge: int) -> Dfa:
    """Return the automaton with one transition moved to the next state."""
    rows = [dict(a.row(state)) for state in range(a.states)]
    place = [(state, code) for state, row in enumerate(rows) for code in row][edge]
    rows[place[0]][place[1]] = (rows[place[0]][place[1]] + 1) % a.states
    return build(a.tracks, rows, a.outputs)


@pytest.mark.long
def test_a_base_with_one_moved_transition_is_refused() -> None:
    """Move every transition of the Fibonacci adder, one at a time; some of these change no valid sum."""
    system = system_named("fib")
    adder = adder_of(system)
    for edge in range(adder.transitions):
        wrong = moved(adder, edge)
        with pytest.raises(NumerationError, match="does not verify"):
            given_system("msd_wrong", plain(system.valid), plain(wrong), None)


@pytest.mark.parametrize(
    ("valid", "adder", "less", "why"),
    [
        ("pell", "fib", None, "different digits"),
        ("fib", "msd_2", None, "does not verify"),
        ("msd_2", "fib", None, "does not verify"),
        ("neg_2", "neg_2", "msd_2", "does not verify"),
        ("fib", "fib", "neg_fib", "not that of the first difference"),
        ("fib", "neg_fib", "fib", "does not verify"),
    ],
)
def test_automata_that_do_not_fit(valid: str, adder: str, less: str | None, why: str) -> None:
    order = None if less is None else plain(system_named(less).less())
    with pytest.raises(NumerationError, match=why):
        given_system("msd_wrong", plain(system_named(valid).valid), plain(adder_of(system_named(adder))), order)


def test_other_digits_are_refused() -> None:
    balanced = build([Track("x", (-1, 0, 1))], [{0: 0, 1: 0, 2: 0}], [1])
    with pytest.raises(NumerationError, match="digits of a numeration system are 0, 1"):
        given_system("msd_b3", balanced, balanced, None)
    no_zero = build([Track("x", (0, 1))], [{1: 1}, {0: 1}], [0, 1])
    with pytest.raises(NumerationError, match="0 has no representation"):
        given_system("msd_b", no_zero, no_zero, None)


def test_malformed_files_of_bases(tmp_path: Path) -> None:
    system = system_named("fib")
    path = write_base(tmp_path, "msd_mine", system.valid, adder_of(system))
    with pytest.raises(FormatError, match="is in a file called"):
        read_base(tmp_path / "mine.txt")
    with pytest.raises(FileProblem, match="cannot be read"):
        read_base(tmp_path / "msd_absent.txt")
    adder = tmp_path / "msd_mine_addition.txt"
    adder.write_text("msd_2 msd_2 msd_2\n0 1\n")
    with pytest.raises(FormatError, match=r"line 1: msd_2: the tracks of a base are sets of digits"):
        read_base(path)
    adder.write_text("{0, 1} {0, 1}\n0 1\n")
    with pytest.raises(FormatError, match="3 tracks with the digits"):
        read_base(path)
    adder.unlink()
    with pytest.raises(FileProblem, match="cannot be read"):
        read_base(path)
    path.write_text("{0, 1} {0, 1}\n0 1\n")
    with pytest.raises(FormatError, match="one track, not 2"):
        read_base(path)


def test_a_name_of_another_system_is_refused(tmp_path: Path) -> None:
    system = system_named("wythoff_2")
    path = write_base(tmp_path, "msd_pell", system.valid, adder_of(system))
    with pytest.raises(FibproverError, match="another numeration system is already called msd_pell"):
        fp.Session().namespace.load_system(path)
    assert isinstance(system_named("neg_fib"), PeriodicSystem)
