"""Certificates about families: what is claimed of all sequences is true of each, and forged claims are refused."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.checker.fibcheck import Invalid, Malformed
from fibprover.prover.certificate.checking import verified_checker
from fibprover.prover.verdict.verdict import Verdict
from tests.certificate.families import MUTATIONS, certificates, is_true
from tests.certificate.meaning import checked, checked_lines
from tests.certificate.mutants import Lines, Mutation, checked_in_memory
from tests.cli.command import answer
from tests.seeds import chosen_seed

Line = dict[str, Any]

#: The letter of a digit beside a choice is the number 3 * digit + choice.  All words beside a beginning are numbers.
FAMILY: Line = {"family": "choices", "number": 2}
SYSTEM: Line = {"system": "n", "digits": 2, "outputs": [0, 1], "rows": [[0, 0, 1, 1, 2, 1, 4, 1, 5, 1],
                                                                      [1, 1, 2, 1, 4, 1, 5, 1]]}
#: x has a digit 1 beside the first choice that is read: it is of no x in the limit.
LONG: Line = {"predicate": "long", "systems": ["n", "~parameter"], "outputs": [0, 1],
              "rows": [[0, 0, 4, 1, 5, 1], [1, 1, 2, 1, 4, 1, 5, 1]]}
AUTOMATA: list[tuple[str, list[str], list[int], list[list[int]]]] = [
    ("true", [], [1], [[0, 0]]),
    ("begun", ["~parameter"], [0, 1], [[0, 0, 1, 1, 2, 1], [1, 1, 2, 1]]),
    ("newest_is_1", ["~parameter"], [0, 1], [[0, 0, 1, 1], [1, 1, 2, 1]]),
    ("two_at_least", ["~parameter"], [0, 0, 1], [[0, 0, 1, 1, 2, 1], [1, 2, 2, 2], [1, 2, 2, 2]]),
    ("oldest_is_1", ["~parameter"], [0, 1, 0], [[0, 0, 1, 1, 2, 2], [1, 1, 2, 2], [1, 1, 2, 2]]),
    ("long", ["n", "~parameter"], [0, 1], LONG["rows"]),
    ("none", ["n", "~parameter"], [0], [[0, 0]]),
    ("all", ["n", "~parameter"], [0, 1], SYSTEM["rows"]),
]
NUMBERS = {name: number for number, (name, *_) in enumerate(AUTOMATA)}


def head(**changes: Any) -> Lines:
    """The first lines of a certificate; changes: of the line of the system."""
    tables: Lines = [{"automaton": place, "systems": systems, "outputs": outputs, "rows": rows}
                     for place, (_, systems, outputs, rows) in enumerate(AUTOMATA)]
    return [{"certificate": 3, "variables": dict.fromkeys("xyz", "n")}, FAMILY, {**SYSTEM, **changes}, LONG, *tables]


def claim(rule: str, relation: str, *of: int, **more: Any) -> Line:
    """A claim with one of the automata above."""
    systems = AUTOMATA[NUMBERS[relation]][1]
    names = ["~parameter" if one == "~parameter" else "x" for one in systems]
    return {"rule": rule, "of": list(of), "relation": [NUMBERS[relation], names], **more}


def test_a_theorem_about_all_paperfolding_words(tmp_path: Path) -> None:
    verdict = fp.Session("msd_2_choices_2").eval("Ai,n (n>0 & $feq_PAPER(i,i+n,n)) => (n=1 | n=3 | n=5)")
    assert isinstance(verdict, Verdict)
    said = list(checked(verdict.certificate().content, tmp_path).understood())
    assert any("in base 2, whatever the sequence is" in line for line in said)
    assert any(line.startswith("word PAPER: 0010011000110110001001110011") and "s_2: a ->" in line for line in said)
    assert "for all choices: (A " in said[-1]


def test_a_theorem_about_all_slopes(tmp_path: Path) -> None:
    verdict = fp.Session("msd_sturmian").eval("~(Ei,p p>0 & Aj j>=i => C[j]=C[j+p])")
    assert isinstance(verdict, Verdict)
    said = list(checked(verdict.certificate().content, tmp_path).understood())
    assert any("all irrational slopes" in line for line in said)
    assert any("(x,y,z) with x+y=z" in line for line in said)
    assert "for all slopes: ~(E " in said[-1]


@pytest.mark.parametrize(("system", "formula", "expected"), [
    ("msd_sturmian", "Ei C[i]=1 & C[i+1]=1", "false for the slope [0; (2)]: (E "),
    ("msd_sturmian", "C[0]=1", "false for the slope [0; (2)]: "),
    ("msd_2_choices_2", "En n>0 & $feq_PAPER(0,n,n)", "false for the choices (1 2): (E "),
    ("msd_2_choices_2", "Ax Ey y<x", "for all choices: ~(A "),
])
def test_what_is_false(system: str, formula: str, expected: str, tmp_path: Path) -> None:
    """For all sequences there is the negation, for some of them one for which the formula is false."""
    verdict = fp.Session(system).eval(formula)
    assert isinstance(verdict, Verdict)
    certificate = verdict.certificate()
    assert not certificate.truth
    assert expected in list(checked(certificate.content, tmp_path).understood())[-1]


def test_both_sides_change_at_different_beginnings(tmp_path: Path) -> None:
    """Of 2 1 1 ... no sequence has infinitely many beginnings, though there are infinitely many of these."""
    session = fp.Session("msd_2_choices_2")
    session.run('family W "0->01,1->10 | 0->01,1->00"; slope thue "?msd_2_choices_2 1*";')
    verdict = session.eval("$thue() <=> ~(Ei,n n>0 & $feq_W(i,i+n,n+1))")
    assert isinstance(verdict, Verdict)
    checker = checked(verdict.certificate().content, tmp_path)
    assert checker.statement is not None
    assert checker.statement[1].startswith("($thue() <=> ")


def test_least_significant_digits_first(tmp_path: Path) -> None:
    """Numbers of both orders are the same, and certificates have the first order."""
    verdict = fp.Session("lsd_sturmian").eval("Ex C[x]=1 & C[x+1]=0")
    assert isinstance(verdict, Verdict)
    checker = checked(verdict.certificate().content, tmp_path)
    assert set(checker.systems) == {"msd_sturmian"}


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, 12))])
def test_what_is_certified_is_true(part: int) -> None:
    """Every twelfth statement, by brute force for some sequences; all of them in `make test-long`."""
    for text in certificates()[part::12]:
        assert is_true(checked_in_memory(json.loads(text)))


@pytest.mark.random
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_a_change(mutation: Mutation) -> None:
    """What is changed is refused, or what it says is true, by brute force for some sequences."""
    chance = random.Random(f"{chosen_seed()} {mutation.__name__}")
    for _ in range(4):
        lines: Lines = json.loads(chance.choice(certificates()))
        try:
            mutation(lines, chance)
        except (IndexError, KeyError, ValueError):
            continue  # there is nothing of the kind that is changed
        try:
            checker = checked_in_memory(lines)
        except (Invalid, Malformed):
            continue
        assert is_true(checker), (checker.statement, checker.fails)


# -- systems, words and predicates ---------------------------------------------------------------


@pytest.mark.parametrize(("rows", "outputs", "problem"), [
    ([[0, 0, 1, 1, 2, 1, 3, 1, 4, 1, 5, 1], [1, 1, 2, 1, 4, 1, 5, 1]], [0, 1], "no word beside a beginning"),
    ([[0, 0, 4, 1, 5, 1], [1, 1, 2, 1, 4, 1, 5, 1]], [0, 1], "0 is not a number"),
    ([[0, 0, 1, 1, 2, 1], [1, 1, 2, 1]], [0, 1], "only finitely many numbers"),
    ([[0, 0, 1, 1, 2, 1, 4, 1], [1, 1, 2, 1, 4, 1]], [0, 1], "only finitely many numbers"),
    # Beside two choices the numbers are 00 and 11, beside three all words: 001 comes between them.
    ([[0, 0, 1, 1, 2, 1, 4, 2, 5, 2], [1, 3, 2, 3, 4, 5, 5, 5], [1, 5, 2, 5, 4, 3, 5, 3],
      [1, 4, 2, 4, 4, 4, 5, 4], [1, 4, 2, 4, 4, 4, 5, 4], [1, 4, 2, 4, 4, 4, 5, 4]], [0, 1, 0, 1, 1, 0],
     "not the first ones"),
])
def test_a_system_that_is_refused(rows: list[list[int]], outputs: list[int], problem: str, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=problem):
        checked_lines(head(rows=rows, outputs=outputs), tmp_path)


@pytest.mark.parametrize("line", [
    # The letter at each number is the first choice that is read.
    {"word": "W", "systems": ["n", "~parameter"], "outputs": [0, 1, 2],
     "rows": [[0, 0, 1, 1, 4, 1, 2, 2, 5, 2], [1, 1, 2, 1, 4, 1, 5, 1], [1, 2, 2, 2, 4, 2, 5, 2]]},
    # The number of choices is even.
    {"predicate": "even", "systems": ["~parameter"], "outputs": [1, 0, 1],
     "rows": [[0, 0, 1, 1, 2, 1], [1, 2, 2, 2], [1, 1, 2, 1]]},
])
def test_what_has_no_limit_is_refused(line: Line, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="again and again"):
        checked_lines([*head(), line], tmp_path)


def test_the_letters_of_a_word_are_those_in_the_limit(tmp_path: Path) -> None:
    """All letters are 1 beside fewer than 40 choices, and 0 beside more."""
    after = [[code for letter in (1, 2, 4, 5) for code in (letter, min(place, 40))] for place in range(1, 42)]
    word: Line = {"word": "W", "systems": ["n", "~parameter"], "outputs": [1] * 40 + [0], "rows": [[0, 0, *after[0]],
                                                                                          *after[1:]]}
    lines = [*head(), word, TRUTH, claim("limit", "true", 0), {"statement": "true"}]
    said = next(line for line in checked_lines(lines, tmp_path).understood() if line.startswith("word W: "))
    assert "0" * 30 in said
    assert "1" * 30 not in said


def test_numbers_are_printed_without_zeros_in_front(tmp_path: Path) -> None:
    """Digits above 9 have points between them: the words over 0 and 10 are 0, 10, 10.0, ..."""
    after = [1, 1, 2, 1, 31, 1, 32, 1]
    other: Line = {"system": "m", "digits": 11, "outputs": [0, 1], "rows": [[0, 0, *after], after]}
    lines = [*head(), other, TRUTH, claim("limit", "true", 0), {"statement": "true"}]
    said = next(line for line in checked_lines(lines, tmp_path).understood() if line.startswith("system m: "))
    assert ": 0, 10, 10.0, 10.10, 10.0.0, " in said


def sequences(expression: str, **changes: Any) -> Line:
    """A predicate that is true of 1 1 1 ... alone, with an expression."""
    only: Line = {"predicate": "only", "systems": ["~parameter"], "outputs": [0, 1], "rows": [[0, 0, 1, 1], [1, 1]]}
    return {**only, "sequences": expression, **changes}


@pytest.mark.parametrize("expression", ["1*", " 1+", "1 1*", "1 (1 1)*", "1 | 1 1 1*", "[1]* | 2"])
def test_of_which_sequences_a_predicate_is_true(expression: str, tmp_path: Path) -> None:
    """Infinitely many beginnings have to be words of the expression, not all of them."""
    lines = [*head(), sequences(expression), TRUTH, claim("limit", "true", 0), {"statement": "true"}]
    assert any(line.startswith("predicate only:") and f"words of {expression};" in line
               for line in checked_lines(lines, tmp_path).understood())


@pytest.mark.parametrize("expression", ["1* 2*", ".*", "1", "2 1*", "1* | 2 1*", "[1-2]*", "1* 2", "(1 | 1 2)? 1*"])
def test_of_which_sequences_it_is_not(expression: str, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="expression describes"):
        checked_lines([*head(), sequences(expression)], tmp_path)


@pytest.mark.parametrize("expression", [
    "(1*", "1)", "3*", "[2-1]*", "[]", "[1;2]", "0", "12345", "1**", "*", "a", "[>=3]", "[<=2-1]*", "[<=1-1]*",
    "(" * 50 + "1" + ")" * 50, "1 " * 3000, ". " * 1100,
])
def test_what_is_no_expression(expression: str, tmp_path: Path) -> None:
    with pytest.raises((Malformed, Invalid)):
        checked_lines([*head(), sequences(expression), TRUTH, claim("limit", "true", 0), {"statement": "true"}],
                      tmp_path)


@pytest.mark.parametrize("expression", ["[1-2]*", ".* 4 .*", "2 (1 3)*", "[1,4,>=7] .*", "1 2 1*", "[<=3] [>=20]*"])
def test_expressions_of_slopes(expression: str, tmp_path: Path) -> None:
    """The writer says by an expression which slopes a set has, and the checker compares it."""
    session = fp.Session("msd_sturmian")
    session.slope("those", expression)
    verdict = session.eval("$those()")
    assert isinstance(verdict, Verdict)
    said = list(checked(verdict.certificate().content, tmp_path).understood())
    assert any("infinitely many beginnings are words of" in line for line in said)


# -- rules ---------------------------------------------------------------------------------------

TRUTH = claim("and", "begun")
NONE_IS_LONG = [claim("atom", "long", formula="$long(x)"), claim("limit", "none", 0),
                {"rule": "exists", "of": [1], "bound": ["x"]}, {"rule": "not", "of": [2]}, claim("limit", "true", 3),
                {"statement": "~(E x $long(x))"}]


def test_claims_that_follow(tmp_path: Path) -> None:
    for lines in (
        NONE_IS_LONG,
        [TRUTH, claim("limit", "two_at_least", 0), claim("limit", "true", 1), {"statement": "true"}],
    ):
        checked_lines([*head(), *lines], tmp_path)


#: Claims that do not follow, each with what the checker says.
FORGED: list[tuple[Lines, str]] = [
    # Some number is long beside each beginning, and none in the limit.
    ([NONE_IS_LONG[0], claim("exists", "begun", 0, bound=["x"]), claim("limit", "true", 1),
      {"statement": "(E x $long(x))"}], "lose a witness"),
    # Beside two choices there are two such numbers, and none in the limit.
    ([NONE_IS_LONG[0], claim("exists", "two_at_least", 0, bound=["x"], count=2), claim("limit", "true", 1),
      {"statement": "(E>=2 x $long(x))"}], "lose a witness"),
    ([TRUTH, claim("limit", "newest_is_1", 0)], "infinitely many beginnings"),
    ([TRUTH, claim("limit", "oldest_is_1", 0)], "infinitely many beginnings"),
    ([NONE_IS_LONG[0], claim("limit", "all", 0)], "infinitely many beginnings"),
    ([TRUTH, {"rule": "exists", "of": [0], "bound": ["~parameter"], "relation": [0, []]}], "not quantified"),
    ([*NONE_IS_LONG[:4], {"statement": "~(E x $long(x))"}], "does not say that the statement is true"),
    ([*NONE_IS_LONG[:4], {"statement": "~(E x $long(x))", "fails": {"first": [1], "period": [2]}}],
     "shown to be false"),
    ([*NONE_IS_LONG[:3], {"statement": "~(E x $long(x))", "fails": {"first": [], "period": [2]}}], "does not say"),
]


@pytest.mark.parametrize(("lines", "problem"), FORGED)
def test_claims_that_do_not_follow(lines: Lines, problem: str, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=problem):
        checked_lines([*head(), *lines], tmp_path)


@pytest.mark.parametrize("lines", [
    [{"certificate": 2, "variables": {}}, FAMILY],
    [{"certificate": 3, "variables": {}}, SYSTEM],
    [*head(), FAMILY],
    # Before the header a system and a claim would be about numbers without a sequence.
    [{**SYSTEM, "outputs": [1], "rows": [[0, 0, 1, 0]]}, {"certificate": 3, "variables": {}}, FAMILY,
     *head()[4:6], claim("and", "begun"), claim("limit", "true", 0), {"statement": "true"}],
    [*head(), {"rule": "recursion", "recursion": []}],
    [*head(), claim("limit", "true")],
    [*head(), TRUTH, {"rule": "limit", "of": [0]}],
    [*head(), TRUTH, {"statement": "true", "fails": {"first": [1], "period": []}}],
    [*head(), TRUTH, {"statement": "true", "fails": {"first": [3], "period": [1]}}],
    [*head(), {"predicate": "p", "systems": ["n"], "outputs": [1], "rows": [[0, 0]]}],
    [*head(), {**LONG, "predicate": "p", "systems": ["~parameter", "n"]}],
])
def test_other_kinds_of_files(lines: Lines, tmp_path: Path) -> None:
    with pytest.raises(Malformed):
        checked_lines(lines, tmp_path)


def test_a_limit_is_of_families_alone(tmp_path: Path) -> None:
    lines: Lines = [
        {"certificate": 2, "variables": {}}, {"automaton": 0, "systems": [], "outputs": [1], "rows": [[0, 0]]},
        {"rule": "and", "relation": [0, []]}, {"rule": "limit", "of": [0], "relation": [0, []]}, {"statement": "true"},
    ]
    checked_lines([*lines[:3], lines[4]], tmp_path)
    with pytest.raises(Malformed, match="without a family"):
        checked_lines(lines, tmp_path)


# -- programs ------------------------------------------------------------------------------------


@pytest.mark.skipif(verified_checker() is None, reason="the checker that is proved in Coq is not built")
@pytest.mark.parametrize("formula", ["Ax,y Ez x+y=z", "E>=2 x C[x]=@1", "Ax E>=3 y y<=x+2", "Ax x<3 <=> ~E>=4 y y<=x"])
def test_the_verified_checker(formula: str, tmp_path: Path) -> None:
    """It accepts what has witnesses, also many ones."""
    file, program = tmp_path / "c.jsonl.gz", verified_checker()
    assert program is not None
    verdict = fp.Session("msd_sturmian").eval(formula)
    assert isinstance(verdict, Verdict)
    verdict.certificate().write(file)
    assert subprocess.run([program, str(file)], capture_output=True, check=False).returncode == 0


def test_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is explained says of which sequences the statement is true; Lean has no such statement."""
    file = str(tmp_path / "c.jsonl.gz")
    answer(capsys, "eval", "--certificate", file, "?msd_sturmian Ei C[i]=1 & C[i+1]=1")
    shown = answer(capsys, "check", "--explain", file).out
    assert "false for the slope [0; (2)]: there is i" in shown
    assert "beginnings of each sequence" in shown
    assert answer(capsys, "check", "--lean", str(tmp_path / "c.lean"), file).status == 2
