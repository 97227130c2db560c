"""Statements about integers in negative bases: certified as statements about the numbers with their digits."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits
from fibprover.checker.fibcheck import Checker, Invalid, Malformed
from fibprover.prover.certificate.explained import explained
from fibprover.prover.certificate.writing import Certificate
from fibprover.prover.verdict.verdict import Verdict
from tests.certificate.meaning import Meaning, checked, checked_lines, stood_for, stood_for_in_fibonacci
from tests.certificate.mutants import checked_in_memory
from tests.certificate.verified import PROGRAM, verdicts
from tests.seeds import chosen_seed

#: More than a random theorem may take.
SOON = Limits(seconds=5.0, states=20_000)

#: The numbers of all integers from -3 to 3, and of some others, are at most this.
NUMBERS = 15
NUMBERS_IN_FIBONACCI = 12


def session(system: str = "neg_2") -> fp.Session:
    """A session with predicates and a word over a system, and a predicate over base -3."""
    made = fp.Session(f"msd_{system}")
    made.run(f'reg few msd_{system} "0*(10*)?(10*)?"; combine N few; reg odd msd_{system} "(0|1)*1";'
             f' reg last lsd_{system} "1(0|1)*"; reg same msd_neg_3 msd_neg_3 "([0,0]|[1,1]|[2,2])*";')
    made.define("half", "x=2*y | x=2*y+1")
    made.define("near", "$half(x,y) & x-y<4 & y-x<4")
    return made


def verdict(formula: str, known: fp.Session | None = None) -> Verdict:
    found = (known or session()).eval(formula)
    assert isinstance(found, Verdict)
    return found


def accepted(certificate: Certificate, folder: Path) -> Checker:
    """What fibcheck.py has read of a certificate that both checkers accept."""
    checker = checked(certificate.content, folder)
    if PROGRAM.exists():
        assert verdicts([folder / "certificate.jsonl.gz"]) == ["VALID"]
    return checker


def printed(checker: Checker) -> str:
    """The statement as it is printed, about integers."""
    assert checker.statement is not None
    return checker.spoken(checker.statement[1])


@pytest.mark.parametrize(("formula", "truth"), [
    ("Ax,y x<y => Ez x+z=y & z>0", True), ("Ax Ey y<x", True), ("Ex Ay x<=y", False), ("Ax x>_3", False),
    ("Ax,y,z (x+y)+z=x+(y+z)", True), ("Ax x+_x=0", True), ("Ax,y _x=y <=> x=_y", True), ("Ex 2*x=_7", False),
    ("Ax $odd(x) <=> ~Ey x=2*y", True), ("Ax $odd(x) <=> $last(x)", True), ("Ax Ey $half(x,y)", True),
    ("Ax,y $near(x,y) => ($half(x,y) & x<8)", True), ("E>=5 x _3<x & x<3", True), ("E>=6 x _3<x & x<3", False),
    ("Ix x<_100 & N[x]=@1", True), ("Ix x<_100 & x>_300", False), ("Ax N[x]=@1 => N[_2*x]=@1", True),
    ("Ax N[x]=N[x+1]", False), ("Ax x/2=_3 => (x=_6 | x=_5)", True), ("Ax,y x!=y | y=x", True),
    ("(?msd_neg_3 Ax,y $same(x,y) <=> x=y) & (?msd_neg_2 Ex x<_5)", True),
    ("(?msd_2 Ax Ey T[y]=@1 & y>x) & (?lsd_neg_2 Ax Ey y<x) & (?msd_fib Ex x=4)", True),
    ("(?msd_neg_2 Ax Ey y<x) & (?lsd_neg_2 Ax Ey y<x)", True),
    ("?msd_neg_fib Ax,y x<y => Ez x+z=y & z>0", True), ("?msd_neg_fib Ax,y,z x+y=z => z>x", False),
    ("?lsd_neg_fib Ax Ey y<x & x-y<2", True), ("?msd_neg_fib Ix x<_20", True),
    ("?msd_neg_fib E>=6 x _3<x & x<3", False),
    ("(?msd_neg_fib Ax Ey x+y=0) & (?msd_fib Ax Ey y>x) & (?msd_neg_2 Ax Ey y<x)", True),
    ("?msd_neg_4 Ax,y x-y=1 => y<x", True), ("?lsd_neg_3 Ax,y 3*x=y => ~x=y | x=0", True),
    ("?msd_neg_5 Ax,y Ez x+z=y", True), ("?msd_neg_2 0=0", True),
    pytest.param("?msd_neg_10 Ax,y Ez x+z=y", True, marks=pytest.mark.long),
    pytest.param("?msd_neg_10 Ax,y,z x+y=z => z>x", False, marks=pytest.mark.long),
])
def test_certified(tmp_path: Path, formula: str, truth: bool) -> None:
    found = verdict(formula)
    assert bool(found) is truth
    certificate = found.certificate()
    assert certificate.truth is truth
    checker = accepted(certificate, tmp_path)
    assert checker.integers or formula.endswith("0=0")
    assert "$compare" not in printed(checker)
    if not truth and formula.partition(" ")[2 if formula.startswith("?") else 0].startswith("A"):
        assert printed(checker).startswith("(E ")  # the counterexample


def formulas(chance: random.Random, names: list[str], depth: int) -> str:
    """A random formula about integers whose quantifiers are bounded."""
    kind = chance.choice(["compare", "compare", "call", "letter", "not", "and", "or", "iff", "some", "all", "count"])
    x, y = chance.choice(names), chance.choice(names)
    if depth == 0 or kind == "compare":
        left = chance.choice([x, f"2*{x}", f"{x}+{y}", f"{x}-{y}", f"_{x}", f"{x}+_3", f"3*{x}-2*{y}"])
        return f"{left}{chance.choice(['<', '<=', '=', '!=', '>', '>='])}{chance.choice([y, '0', '1', '_2', '4'])}"
    if kind == "call":
        return chance.choice([f"$odd({x})", f"$half({x},{y})", f"$few({x})", f"$near({x},{y})"])
    if kind == "letter":
        return f"N[{x}]{chance.choice(['=@1', '=@0', f'=N[{y}]'])}"
    if kind == "not":
        return f"~({formulas(chance, names, depth - 1)})"
    if kind in ("and", "or", "iff"):
        sign = {"and": "&", "or": "|", "iff": "<=>"}[kind]
        return f"(({formulas(chance, names, depth - 1)}) {sign} ({formulas(chance, names, depth - 1)}))"
    new = f"v{len(names)}"
    inner = formulas(chance, [*names, new], depth - 1)
    if kind == "all":
        return f"(A{new} (_4<{new} & {new}<4) => {inner})"
    return f"({'E' if kind == 'some' else 'E>=3'} {new} _4<{new} & {new}<4 & {inner})"


@pytest.mark.random
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, 9))])
def test_random_theorems(tmp_path: Path, part: int) -> None:
    """What is printed of each is true of integers, by brute force; both checkers accept the certificates."""
    chance, count = random.Random(f"{chosen_seed()} {part}"), 0
    system, most = ("neg_fib", NUMBERS_IN_FIBONACCI) if part % 3 == 1 else ("neg_2", NUMBERS)
    known = session(system)
    for _ in range(5 if part == 0 else 25):
        inner = formulas(chance, ["x0", "x1"], 1 if part == 0 else 2)
        ranges = "_4<x0 & x0<4 & _4<x1 & x1<4"
        found = known.prove(chance.choice([f"Ex0,x1 {ranges} & {inner}", f"Ax0,x1 ({ranges}) => {inner}"]), limits=SOON)
        try:
            certificate = found.certificate()
        except BudgetSpent:
            continue
        assert certificate.truth == bool(found), found.source.text
        checker = accepted(certificate, tmp_path)
        said = printed(checker)
        assert Meaning(checker, most).holds(checker.read(said), {}), (found.source.text, said)
        count += 1
    assert count > 2


# What is refused

LESS = "Ax,y x<y => Ez x+z=y & z>0"


@cache
def valid_text(formula: str) -> str:
    """The lines of a certificate that the checker accepts."""
    lines = list(verdict(formula).certificate().lines)
    checked_in_memory(lines)
    return json.dumps(lines)


def changed(old: str, new: str, formula: str = LESS) -> list[dict[str, Any]]:
    """The lines of a certificate with another text in place of one that is there."""
    text = valid_text(formula)
    assert old in text
    lines: list[dict[str, Any]] = json.loads(text.replace(old, new))
    return lines


def refused(lines: list[dict[str, Any]], folder: Path) -> None:
    """Both checkers refuse a file."""
    with pytest.raises((Invalid, Malformed)):
        checked_lines(lines, folder)
    if PROGRAM.exists():
        assert verdicts([folder / "certificate.jsonl.gz"]) != ["VALID"]


COMPARES, EVEN = '"compares": "x_21+1<=y_22"', '["p_23", "p_24"], "compares"'


@pytest.mark.parametrize(("old", "new"), [
    (COMPARES, '"compares": "x_21<=y_22"'), (COMPARES, '"compares": "y_22+1<=x_21"'),
    ('"compares": "1<=x_31"', '"compares": "1<=2*x_31"'), ("x_25+y_26=z_27", "x_25+z_27=y_26"),
    ("x_25+y_26=z_27", "x_25+y_26!=z_27"), ("x_25+y_26=z_27", "x_25=z_27"),
    ("$compare_0(x_18,y_19) =>", "x_18<y_19 =>"), ("$compare_0(x_18,y_19) =>", "$plus_msd_2(x_18,x_18,y_19) =>"),
    ('"x_18": "msd_neg_2"', '"x_18": "msd_2"'), ('"x_21": "msd_neg_2"', '"x_21": "msd_2"'),
    ('"over": "msd_2"', '"over": "msd_neg_2"'), ('"by": "even_places_neg_2"', '"by": "plus_msd_2"'),
    (EVEN, '["p_24", "p_23"], "compares"'), (EVEN, '["p_23", "p_23"], "compares"'),
    (EVEN, '["p_23", "y_22"], "compares"'), ('"integers": "msd_neg_2"', '"integers": "msd_2"'),
    ('"rows": [[0, 0, 2, 1, 3, 2]', '"rows": [[0, 0, 2, 2, 3, 1]'),
])
def test_a_wrong_translation_is_refused(old: str, new: str, tmp_path: Path) -> None:
    """Neither a comparison nor who is an integer can be changed while the claims stay the same."""
    refused(changed(old, new), tmp_path)


def test_numbers_are_not_compared_in_place_of_integers(tmp_path: Path) -> None:
    """That 1 < 2 is so of the numbers which stand for 1 and -2: a proof about numbers is not printed as one of them."""
    whole = verdict("(?msd_neg_2 Ax Ey y<x) & (?msd_2 Ex,y x=1 & y=2 & x<y)").certificate()
    text = json.dumps(list(whole.lines))
    names = [name for name in whole.lines[0]["variables"] if f"(E {name}," in whole.lines[-1]["statement"]]
    assert names
    for name in names:
        refused(json.loads(text.replace(f'"{name}": "msd_2"', f'"{name}": "msd_neg_2"')), tmp_path)


def test_what_has_no_certificate() -> None:
    known = fp.Session("msd_neg_2")
    with pytest.raises(fp.FibproverError):
        known.solve("even", "n=0 | Em n=m+1 & ~$even(m)", by="n")


def test_explained(tmp_path: Path) -> None:
    """The explanation says which variables are integers, and what has been proved in place of the statement."""
    file = tmp_path / "less.jsonl.gz"
    verdict(LESS).certificate().write(file)
    found = explained(file)
    assert "integers of msd_neg_2" in found.words and "compare" not in found.statement and "$compare_0" in found.numbers
    assert found.numbers in str(found) and any(line.startswith("integers msd_neg_2") for line in found.names)
    plain = tmp_path / "plain.jsonl.gz"
    verdict("?msd_2 Ax Ey y>x").certificate().write(plain)
    assert explained(plain).numbers == "" and "Integers" not in str(explained(plain))


@pytest.mark.parametrize("base", [2, 3, 10])
def test_numbers_that_stand_for_integers_have_their_digits(base: int) -> None:
    system, natural = fp.system_named(f"msd_neg_{base}"), fp.system_named(f"msd_{base}")
    for number in range(300):
        assert system.represent(stood_for(number, base)) == natural.represent(number)


def test_numbers_that_stand_for_integers_in_negafibonacci_have_their_digits() -> None:
    system, natural = fp.system_named("msd_neg_fib"), fp.system_named("msd_fib")
    for number in range(300):
        assert system.represent(stood_for_in_fibonacci(number)) == natural.represent(number)


@pytest.mark.parametrize(("old", "new"), [
    ('["even_pairs_neg_fib", "odd_pairs_neg_fib"]', '["odd_pairs_neg_fib", "even_pairs_neg_fib"]'),
    ('"by": "with_integer_neg_fib"', '"by": "even_pairs_neg_fib"'), ('"over": "msd_fib"', '"over": "msd_neg_fib"'),
    ('"pairs": ["even_pairs_neg_fib", "odd_pairs_neg_fib"], ', ""),
    (', "weights": {"first": [1, 2], "recurrence": [1, 1]}', ""),
])
def test_wrong_integers_of_negafibonacci_are_refused(old: str, new: str, tmp_path: Path) -> None:
    refused(changed(old, new, f"?msd_neg_fib {LESS}"), tmp_path)
