"""Numbers of two systems that are written alike: indices and arguments read by their digits, if that is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.base.errors import TypeMismatch
from fibprover.numeration.system import NumerationSystem
from tests.certificate.meaning import checked

PLANS = ("optimized", "textbook")


def sharing(plan: str = "optimized") -> fp.Session:
    """A session with the Thue-Morse word and the odd numbers in base 2, and the Fibonacci word."""
    session = fp.Session(plan=plan, shared_digits=True)
    session.define_morphic_word("T", [[0, 1], [1, 0]], [0, 1], "msd_2")
    session.define_morphic_word("F", [[0, 1], [0]], [0, 1], "msd_fib")
    session.define("odd", "?msd_2 Em n=2*m+1")
    return session


def digits(system: NumerationSystem, number: int) -> Sequence[int]:
    return system.represent(number)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("name", ["msd_fib", "msd_neg_2", "msd_neg_fib", "msd_narayana"])
def test_letters_at_digits(plan: str, name: str) -> None:
    """T at a sum in another system is the parity of its ones; the predicate looks at the last digit."""
    session = sharing(plan)
    system = session.namespace.system(name)
    ones = session.eval(f"?{name} T[a+2*b]=@1")
    last = session.eval(f"?{name} $odd(a+2*b)")
    assert isinstance(ones, fp.Relation)
    assert isinstance(last, fp.Relation)
    assert {track.system for track in ones.automaton.tracks} == {name}
    low = -12 if system.signed else 0
    for a in range(low, 13):
        for b in range(low, 13):
            word = digits(system, a + 2 * b)
            assert ((a, b) in ones) is (sum(word) % 2 == 1)
            assert ((a, b) in last) is (bool(word) and word[-1] == 1)


@pytest.mark.parametrize("plan", PLANS)
def test_what_is_no_number_there_has_no_letter(plan: str) -> None:
    """3 is 11 in base 2, and no Fibonacci number is written so: the word over msd_fib has no letter there."""
    session = sharing(plan)
    fibonacci, base = session.namespace.system("msd_fib"), session.namespace.system("msd_2")
    for letter in (0, 1):
        found = session.eval(f"?msd_2 F[n+0*m]=@{letter} & m=0")
        assert isinstance(found, fp.Relation)
        for number in range(64):
            word = tuple(base.represent(number))
            valid = all(pair != (1, 1) for pair in pairwise(word))
            expected = valid and session.namespace.words["F"].value(word) == letter
            assert ((0, number) in found) is expected
            if valid:
                assert tuple(fibonacci.represent(fibonacci.value(word))) == word


@pytest.mark.parametrize("plan", PLANS)
def test_formulas_as_indices(plan: str) -> None:
    """The formula is about the number in its own system, the letter about that with its digits in the word's."""
    session = sharing(plan)
    found = session.eval("T[?msd_fib a<5]=@1")
    assert isinstance(found, fp.Relation)
    assert [track.system for track in found.automaton.tracks] == ["msd_2"]
    fibonacci, base = session.namespace.system("msd_fib"), session.namespace.system("msd_2")
    below = {tuple(fibonacci.represent(number)) for number in range(5)}
    for number in range(64):
        word = tuple(base.represent(number))
        assert ((number,) in found) is (word in below and sum(word) % 2 == 1)


@pytest.mark.parametrize("plan", PLANS)
def test_a_variable_that_is_pinned_elsewhere(plan: str) -> None:
    """Then the variable itself is in the system that is written, and only its digits go to the word."""
    session = sharing(plan)
    found = session.eval("?msd_fib T[a<9]=@1 & a>2")
    assert isinstance(found, fp.Relation)
    assert [track.system for track in found.automaton.tracks] == ["msd_fib"]
    fibonacci = session.namespace.system("msd_fib")
    for number in range(40):
        expected = 2 < number < 9 and sum(fibonacci.represent(number)) % 2 == 1
        assert ((number,) in found) is expected


def test_verdicts_have_evidence() -> None:
    session = sharing()
    true = session.prove("?msd_fib En n>20 & T[n+1]=@1")
    assert true
    assert true.evidence is not None
    false = session.prove("?msd_fib An T[n+1]=@1")
    assert not false
    assert false.evidence is not None
    assert "n = 3" in str(false.evidence)


def test_nothing_changes_where_systems_agree() -> None:
    session, plain = sharing(), sharing()
    plain.namespace.shared_digits = False
    for text in ("T[n+1]=T[n]", "?msd_fib F[n+1]=F[n] & n>3", "?lsd_2 T[n+m]=@1", "$odd(n<9)", "T[n]=@1 & ?msd_2 n>4"):
        assert session.eval(text) == plain.eval(text), text


@pytest.mark.parametrize(
    "text", ["?msd_3 T[n+1]=@1", "?lsd_fib T[n+1]=@1", "?msd_10 $odd(n+1)", "Ex (?msd_fib x=3) & (?msd_2 x=4)"]
)
def test_other_digits_are_refused(text: str) -> None:
    """Digits that differ, or stand the other way round, or one variable that is to be two numbers."""
    with pytest.raises(TypeMismatch):
        sharing().eval(text)


@pytest.mark.parametrize("text", ["?msd_fib T[n+1]=@1", "?msd_neg_2 $odd(n+1)"])
def test_it_has_to_be_asked_for(text: str) -> None:
    session = sharing()
    session.namespace.shared_digits = False
    with pytest.raises(TypeMismatch, match="has to be in"):
        session.eval(text)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("formula", ["Ei T[i+i]=F[i+i] & i>3", "An,m $odd(n+m) => ~$odd(n+m+1)", "An T[n+n]=@0"])
def test_certificates_say_where_digits_are_shared(plan: str, formula: str, tmp_path: Path) -> None:
    """A checker knows no index in another system: that two numbers are written alike is a part of the formula."""
    found = sharing(plan).prove(f"?msd_fib {formula}")
    assert found.truth is (formula != "An T[n+n]=@0")
    statement = checked(found.certificate().content, tmp_path).statement
    assert statement is not None and "written_alike" in statement[1]
