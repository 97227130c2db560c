"""The Lean files of certificates: Lean is not here, so a reader of the subset that is written reads each of them.

It checks the grammar, that all names are bound, defined or of Mathlib, and their types; and evaluates the definitions,
which are compared with the automata of fibprover.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from collections.abc import Callable
from itertools import product
from math import isqrt
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.base.errors import NotSupported
from fibprover.checker import fibcheck
from fibprover.language.parser import formula
from fibprover.language.printer import Lean, lean_name
from fibprover.language.tree import Call, Variable
from fibprover.prover.certificate.lean import LeanFile, lean_file
from fibprover.prover.certificate.statements import plainly_named, read, shortened
from fibprover.prover.verdict.verdict import Verdict
from fibprover.sheets.study import study
from tests.certificate.lean import GRAMMAR, LeanError, LeanReading
from tests.certificate.meaning import run
from tests.cli.command import answer

ROOT = Path(__file__).resolve().parents[2]

SCRIPT = """
reg shift msd_fib msd_fib "([0,0]|[0,1][1,1]*[1,0])*":
reg even_zeros msd_fib "0*(00|0*1)*":
reg odd_ones msd_3 "(0|2)*1((0|2)*1(0|2)*1)*(0|2)*":
reg few msd_2 "0*(1{2,3}|10?1+)":
reg both msd_2 msd_2 "([0,0]|[0,1][1,0]|[1,1])*&~(.*[1,1][1,1].*)":
reg nested msd_2 "(~(1*)&0?1.){1,2}(1&.)*(00|0&.)?":
def phin "?msd_fib (s=0 & n=0) | Ex $shift(n-1,x) & s=x+1":
def wythoff "?msd_fib $even_zeros(a) & $shift(a,b)":
def twice "?msd_3 y=2*x":
def third "?msd_trib 3*y<=x & x<3*y+3":
def between "?msd_2 Ey x<y & y<z & T[y]=@1":
"""

#: Statements, and what is an automaton in their files.
STATEMENTS = [
    ("~Ei,n n>0 & Ak k<=n => T[i+k]=T[i+n+k]", ()),
    ("?msd_fib Aa,b $wythoff(a,b) <=> En $phin(n,a) & b=a+n", ()),
    ("?msd_fib An,a,b ($phin(n,a) & $phin(n+1,b)) => (b=a+1 | b=a+2)", ()),
    ("?msd_fib An,a,b ($phin(n,a) & $phin(a,b) & n>0) => b+1=a+n", ()),
    ("?msd_wythoff_2 An pell[n]=@0 | pell[n+1]=@0", ()),
    ("?msd_3 Ax,y $twice(x,y) => ($odd_ones(x) => y>0)", ()),
    ("An $few(n) => (n=3 | n=5 | n>5)", ()),
    ("Ax,y $both(x,y) => x<=2*y", ()),
    ("En $nested(n) & n>4", ()),
    ("Ax E>=2 y y<=x+1", ()),
    ("Ax E=1 y y=x+2", ()),
    ("Ax E=3 y y<=2 & x=x", ()),
    ("~Ex E>=4 y,z y+z=1 & x=x", ()),
    ("?msd_trib An TR[n]<=@2", ()),
    ("Ax,z $between(x,z) => x+1<z", ()),
    ("Ax,y x<y", ()),
    ("?msd_fib An F[n]=@0 => F[n+1]=@1 | F[n+2]=@1", ()),
    ("An PD[n]=@1 | RS[n]=@1 | T[n]=PD[n] | n>=0", ()),
    ("?msd_pell Ax,y x+y=y+x", ()),
]


@pytest.fixture(scope="module")
def session() -> fp.Session:
    session = fp.Session()
    session.run(SCRIPT)
    return session


def lean_of(session: fp.Session, statement: str, folder: Path) -> tuple[LeanFile, fibcheck.Checker]:
    verdict = session.eval(statement)
    assert isinstance(verdict, Verdict)
    file = folder / "statement.jsonl.gz"
    verdict.certificate().write(file)
    return lean_file(file), fibcheck.check(str(file))


def written(reading: LeanReading, checker: fibcheck.Checker) -> list[str]:
    """The words and predicates of a certificate that its file defines, other than by formulas."""
    return [name for name in (*checker.words, *checker.predicates) if name in reading.definitions]


def compare(found: LeanFile, checker: fibcheck.Checker, most: int = 6) -> int:
    """Compare the definitions of a file with the automata of its certificate; return how many values there were."""
    reading, count = LeanReading(found.text, 14), 0
    for name in written(reading, checker):
        systems, automaton = (checker.words if name in checker.words else checker.predicates)[name]
        own = [checker.systems[each] for each in systems]
        for numbers in product(range(24 if len(own) == 1 else most), repeat=len(own)):
            output = run(automaton, [each.representation(n) for each, n in zip(own, numbers, strict=True)])
            value = reading.values[name]
            for number in numbers:
                value = value(number)
            assert value == (output if name in checker.words else bool(output)), (name, numbers)
            count += 1
    return count


@pytest.mark.parametrize(("statement", "undefined"), STATEMENTS)
def test_files_are_read_and_say_what_the_automata_do(
    session: fp.Session, statement: str, undefined: tuple[str, ...], tmp_path: Path
) -> None:
    found, checker = lean_of(session, statement, tmp_path)
    assert found.undefined == undefined
    assert compare(found, checker) > 0 or "word" not in str(checker.words) + str(checker.predicates)
    reading = LeanReading(found.text, 8)
    assert list(reading.theorems) == ["statement"]


def test_definitions_by_formulas_and_floors(session: fp.Session, tmp_path: Path) -> None:
    """Their values are those of the relations of the session, and of the floor."""
    said = "?msd_fib (An,a $phin(n,a) => n<=a) & (Aa,b $wythoff(a,b) => a<=b)"
    found, _ = lean_of(session, said, tmp_path)
    reading = LeanReading(found.text, 14)
    assert "phin" in reading.definitions and "Real.sqrt 5" in found.text
    for n, m in product(range(60), range(100)):
        assert reading.values["phin"](n)(m) is (m == (n + isqrt(5 * n * n)) // 2)
    for name in ("wythoff", "twice", "between"):
        statement = {"wythoff": said, "twice": "?msd_3 Ax Ey $twice(x,y)", "between": "Ax Ez $between(x,z)"}[name]
        reading = LeanReading(lean_of(session, statement, tmp_path)[0].text, 14)
        relation = session.relation(Call(name, (Variable("x"), Variable("y"))))
        for x, y in product(range(9), repeat=2):
            assert reading.values[name](x)(y) is ((x, y) in relation), (name, x, y)


def test_statements_are_true_below_a_bound(session: fp.Session, tmp_path: Path) -> None:
    """Those whose quantifiers are bounded, or which begin with A alone: what is read is what was proved."""
    for statement in ("?msd_fib An,a,b ($phin(n,a) & $phin(n+1,b)) => (b=a+1 | b=a+2)", "Ax E>=2 y y<=x+1",
                      "~Ex E>=4 y,z y+z=1 & x=x", "Ax,y x<y", "Ax,z $between(x,z) => x+1<z"):
        reading = LeanReading(lean_of(session, statement, tmp_path)[0].text, 8)
        _, tree = reading.theorems["statement"]
        assert reading.value(tree, {}) is True, statement
    # A reading that denies the theorem is false: the test can fail.
    text = lean_of(session, "Ax E>=2 y y<=x+1", tmp_path)[0].text.replace("2 ≤", "3 ≤")
    reading = LeanReading(text, 8)
    assert reading.value(reading.theorems["statement"][1], {}) is False


def test_a_false_theorem_is_stated_by_its_counterexample(tmp_path: Path) -> None:
    found, _ = lean_of(fp.Session(), "Ax,y x<y+1", tmp_path)
    assert "theorem statement :\n    1 > 0 := by" in found.text


def recursion(folder: Path, commands: Callable[[fp.Session], Any], name: str) -> LeanReading:
    session = fp.Session(certify=str(folder))
    commands(session)
    found = lean_file(folder / f"{name}.jsonl.gz")
    assert found.undefined == ()
    return LeanReading(found.text, 6)


def test_a_game_is_what_its_recursion_says(tmp_path: Path) -> None:
    """The P-positions satisfy it, and no other set below the bound does."""
    reading = recursion(tmp_path, lambda session: session.solve(
        "P", "?msd_fib ~Er,s ((r<p & s=q) | (r=p & s<q) | (Ek k>0 & p=r+k & q=s+k)) & $P(r,s)", by="p+q"), "P")
    assert set(reading.theorems) == {"P_theorem"}  # the statement only repeats the recursion
    golden = [(n + isqrt(5 * n * n)) // 2 for n in range(9)]
    positions = {(a, a + n) for n, a in enumerate(golden)} | {(a + n, a) for n, a in enumerate(golden)}

    def predicate(positions: set[tuple[int, int]]) -> Any:
        return lambda p: lambda q: (p, q) in positions

    holds = reading.values["P_recursion"]
    assert holds(predicate(positions)) is True
    assert holds(predicate(positions - {(1, 2)})) is False and holds(predicate(positions | {(3, 3)})) is False


def test_predicates_depend_on_what_recursions_determine(tmp_path: Path) -> None:
    """A definition that calls such a predicate has it as an argument, and the theorem assumes its recursion."""
    session = fp.Session(certify=str(tmp_path))
    session.solve("even", "n=0 | Em n=m+1 & ~$even(m)")
    session.run('def odd "~$even(n)":')
    found, _ = lean_of(session, "An $odd(n) => $even(n+1)", tmp_path)
    reading = LeanReading(found.text, 8)
    scope, tree = reading.theorems["statement"]
    assert [name for name, _ in scope] == ["even", "h_even_recursion"]
    assert reading.value(tree, {"even": lambda n: n % 2 == 0}) is True
    assert reading.value(tree, {"even": lambda n: n == 0}) is False
    assert reading.values["even_recursion"](lambda n: n % 2 == 0) is True
    assert "even_recursion_solution" in reading.theorems


def test_relations_that_are_determined_together(tmp_path: Path) -> None:
    """Hofstadter's sequences F and M are a pair that satisfies one definition; exchanged, they do not."""
    reading = recursion(tmp_path, lambda session: session.solve(
        "M", "?msd_fib (n=0 & v=0) | Em,a,b n=m+1 & $M(m,a) & $Fe(a,b) & v+b=n",
        "Fe", "?msd_fib (n=0 & v=1) | Em,a,b n=m+1 & $Fe(m,a) & $M(a,b) & v+b=n"), "M_Fe")
    male, female = [0], [1]
    for n in range(1, 12):
        male.append(n - female[male[n - 1]])
        female.append(n - male[female[n - 1]])

    def graph(terms: list[int]) -> Any:
        return lambda n: lambda v: terms[n] == v

    holds = reading.values["M_recursion"]
    assert holds(graph(male))(graph(female)) is True and holds(graph(female))(graph(male)) is False
    assert list(reading.theorems) == ["M_Fe"]


def test_words_of_coefficients(tmp_path: Path) -> None:
    """A word is anything whose letters are the coefficients of the power series; other letters are not."""
    session = fp.Session("msd_2")
    session.run("word M8 = coefficients of y = 1 + x*y + x^2*y^2 mod 8;")
    found, _ = lean_of(session, "An M8[n]!=0", tmp_path)
    reading = LeanReading(found.text, 8)
    motzkin = [1, 1]
    for n in range(2, 30):
        motzkin.append(((2 * n + 1) * motzkin[-1] + (3 * n - 3) * motzkin[-2]) // (n + 2))
    holds = reading.values["M8_series"]
    assert holds(lambda n: motzkin[n] % 8) is True and found.undefined == ()
    assert holds(lambda n: (motzkin[n] + (n == 7)) % 8) is False and holds(lambda n: motzkin[n]) is False
    assert set(reading.theorems) == {"statement", "M8_series_solution"}
    session.run("word C = diagonal of 1/(1-x-y) mod 9;")
    found, _ = lean_of(session, "?msd_3 En C[n]=@0", tmp_path)
    LeanReading(found.text)
    assert "C" in found.text and (found.undefined == ("C",) or "C_image" in found.text)


def test_names_that_are_others_there(tmp_path: Path) -> None:
    """Names of the user are changed where they would be those of Lean, of Mathlib, of the file, or of a word."""
    session = fp.Session("msd_2")
    session.run('def T "n>3": def padded "x=y": def fixedPoint "x<y": def Nat "x=1": reg digits_msd_2 msd_2 "0*1":')
    said = "An,at $T(n) & T[n]=@0 => $padded(n,n) & ~$fixedPoint(at,at) | $Nat(n) | $digits_msd_2(at)"
    found, _ = lean_of(session, said, tmp_path)
    reading = LeanReading(found.text, 6)
    assert reading.value(reading.theorems["statement"][1], {}) is True
    assert {"T", "T_2", "padded", "padded_2", "Nat_2", "fixedPoint_2"} <= {*reading.definitions}


def test_equations_of_sequences(tmp_path: Path) -> None:
    session = fp.Session(certify=str(tmp_path))
    session.solve("a", "a(0)=0, a(1)=1, a(2n)=a(n), a(2n+1)=a(n)+a(n+1)")
    found = lean_file(tmp_path / "a.jsonl.gz")
    reading = LeanReading(found.text, 12)
    stern = [0, 1]
    for n in range(1, 12):
        stern += [stern[n], stern[n] + (stern[n + 1] if n + 1 < len(stern) else stern[n])]
    terms: dict[int, int] = {0: 0, 1: 1}
    for n in range(2, 40):
        terms[n] = terms[n // 2] + (terms[n // 2 + 1] if n % 2 else 0)
    assert found.undefined == () and reading.values["a_equations"](terms.get) is True
    assert reading.values["a_equations"](lambda n: terms[n] + (n == 5)) is False
    session.solve("b", "b(0)=0, b(n)=b(n-1)+a(n-1) for n>0")
    found = lean_file(tmp_path / "b.jsonl.gz")
    reading = LeanReading(found.text, 12)
    assert found.undefined == ("a",) and [reading.values["a"](n) for n in range(30)] == [terms[n] for n in range(30)]
    assert reading.values["b_equations"](lambda n: sum(terms[k] for k in range(n))) is True


def test_sequences_that_count(tmp_path: Path) -> None:
    """Numbers of factors are cardinalities, and satisfy the equations of their closed form."""
    (line,) = study("T", only=["complexity-formula"], certify=tmp_path).lines
    assert line.certificate is not None
    found = lean_file(line.certificate.file)
    reading = LeanReading(found.text, 16)
    factors = [1, 2, 4, 6, 10, 12]  # those of up to 3 letters begin below 16
    assert found.undefined == () and [reading.values["number"](n) for n in range(16)] == [*range(16)]
    assert [reading.values["p_count"](n) for n in range(4)] == factors[:4]
    holds = reading.values["p_equations"]
    closed = [*factors[:3], *(4 * n - x - 4 if 2 * n <= 3 * x else 2 * n + 2 * x - 2
                              for n in range(3, 16) for x in [1 << ((n - 1).bit_length() - 1)])]
    assert closed[:6] == factors
    assert holds(closed.__getitem__) is True and holds(lambda n: closed[n] + (n == 9)) is False
    assert "p_equations_count" in reading.theorems


def test_what_has_no_meaning_is_an_automaton_and_called_so(tmp_path: Path) -> None:
    """A system without a recurrence, whose numbers are the words of its automaton, and a word with two indices."""
    table = [[0, 0, 1, 1], [0, 1, 1, 2], [0, 2, 1, 2]]
    lines = [
        {"certificate": 2, "variables": {"x": "some", "y": "some", "z": "some"}},
        {"system": "some", "digits": 2, "outputs": [1, 0, 1], "rows": table},  # any number of 1 but one
        {"predicate": "p", "systems": ["some"], "outputs": [0, 1, 1],
         "rows": [[0, 0, 1, 1], [0, 1, 1, 2], [0, 2, 1, 1]]},
        {"word": "W", "systems": ["some", "some"], "outputs": [0, -1],
         "rows": [[0, 0, 1, 0, 2, 1, 3, 0], [0, 1, 1, 0, 2, 1, 3, 1]]},
        {"rule": "atom", "formula": "$p(z)"}, {"rule": "exists", "of": [0], "bound": ["z"]},
        {"rule": "atom", "formula": "W[x][y]=@-1"}, {"rule": "exists", "of": [2], "bound": ["x", "y"]},
        {"rule": "and", "of": [1, 3]},
        {"statement": "((E z $p(z)) & (E x,y W[x][y]=@-1))"},
    ]
    file = tmp_path / "hand.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    found = lean_file(file)
    assert found.undefined == ("some", "p", "W") and found.text.count("AN AUTOMATON") == 3
    checker = fibcheck.check(str(file))
    assert compare(found, checker, 5) == 24 + 25
    digits = LeanReading(found.text).values["digits_some"]
    assert [list(digits(n)) for n in range(24)] == [checker.systems["some"].representation(n) for n in range(24)]


def test_digits_of_other_systems(session: fp.Session, tmp_path: Path) -> None:
    """Greedy digits are the representations of the system; those of Fibonacci numbers are Zeckendorf's."""
    session.run('reg ends msd_pell "(0|1|2)*0": reg ending msd_trib "(0|1)*01": reg zero msd_fib "(0|1)*0":')
    for system, name in (("msd_pell", "ends"), ("msd_trib", "ending"), ("msd_fib", "zero")):
        found, checker = lean_of(session, f"?{system} Ex ${name}(x) & x>0", tmp_path)
        digits = LeanReading(found.text).values[f"digits_{system}"]
        own = checker.systems[system]
        assert [list(digits(n)) for n in range(30)] == [own.representation(n) for n in range(30)]
        assert compare(found, checker) > 20


@pytest.mark.parametrize("text", [
    "theorem t : ∀ x : ℕ, x = y := by\n  sorry",  # y is not bound
    "theorem t : ∀ x : ℕ, x = = x := by\n  sorry",
    "theorem t : ∀ x : ℕ, Nat.digit 2 x = [] := by\n  sorry",  # not in the library
    "theorem t : ∀ x : ℕ, Nat.digits x = [] := by\n  sorry",  # an argument is missing
    "theorem t : ∀ x : ℕ, x ∧ x = 0 := by\n  sorry",  # a number is no proposition
    "def P (x : ℕ) : Prop := x\n",
    "def P (x : ℕ) : Prop := x = 0\n\ndef P (x : ℕ) : Prop := x = 1\n",
    "def f : ℕ → ℕ\n  | 0, 1 => 2\n  | _ => 0\n",
    "def Q : Prop := P 1\n\ndef P (x : ℕ) : Prop := x = 0\n",  # used before it is there
    "theorem t :\n∀ x : ℕ, x = x := by\n  sorry",  # a line at the margin
    "def to (n : ℕ) : Prop := n = 0\n",
])
def test_the_reader_refuses(text: str) -> None:
    whole = "/- A comment. -/\nimport Mathlib\n\nnamespace N\n\n{}\n\nend N\n"
    LeanReading(whole.format("theorem t : ∀ x : ℕ, x = x := by\n  sorry"))
    with pytest.raises(Exception) as problem:  # noqa: PT011  (of the grammar, or LeanError)
        LeanReading(whole.format(text))
    assert isinstance(problem.value, LeanError) or "Unexpected" in type(problem.value).__name__


#: What is written of formulas, and read back by Lean's precedences.
@pytest.mark.parametrize(("text", "lean"), [
    ("(A x (x=0 | (E y x=y+1)))", "∀ x : ℕ, x = 0 ∨ ∃ y : ℕ, x = y + 1"),
    ("((E y y=x) & x=1)", "x = 1"),
    ("(((E y y<x) & x=1) => ~x=2)", "(∃ y : ℕ, y < x) ∧ x = 1 → x ≠ 2"),
    ("~(~x=1 & ~x=2)", "x = 1 ∨ x = 2"),
    ("((x=1 <=> y=2) => z=3)", "(x = 1 ↔ y = 2) → z = 3"),
    ("(E>=2 a,b (a+b=x & a<=b))", "2 ≤ Set.encard {(a, b) : ℕ × ℕ | a + b = x ∧ a ≤ b}"),
    ("((E a a<x) & ~(E>=2 b b<x))", "∃! a : ℕ, a < x"),
    ("(~(T[x]=@0 & T[y]=@1) & ~(T[x]=@1 & T[y]=@0))", "T x = T y"),
    ("(E t_1 (t_1=2*x+1 & T[t_1]=@1))", "T (2 * x + 1) = 1"),
    ("(A at_0 at_0=at_0)", "∀ «at» : ℕ, 0 = 0"),
])
def test_formulas(text: str, lean: str) -> None:
    tree, _ = plainly_named(shortened(read(text), {"T": (0, 1)}))
    written = Lean({"T": "T"}, {}).text(tree)
    assert written == lean
    GRAMMAR.parse(written, start="term")


def test_variables_are_not_mixed_up() -> None:
    """Names lose their numbers only where that is safe: below a quantifier none gets the name of another one."""
    tree, names = plainly_named(read("(E x_1 (x_1<x_2 & (E x_3 x_3<x_1)))"), {"x_7"}, ["x_2"])
    assert str(tree) == "Ex_1 x_1<x & Ex_2 x_2<x_1" and names == ("x",)
    assert lean_name("from") == "«from»" and lean_name("from_1") == "from_1"


@pytest.mark.parametrize("text", ["x-y=0", "x=y/2", "Ix x=x", "`x=x", "x=_y"])
def test_what_lean_would_read_otherwise_is_not_written(text: str) -> None:
    with pytest.raises((NotSupported, AttributeError)):
        Lean({}, {}).text(formula(text))


#: Statements about integers, and whether they are true where the bound is 6.
OF_INTEGERS = [
    ("?msd_neg_2 Ax,y $less(x,y) => x<y", True), ("?msd_neg_2 ~(Ax x>=0)", True), ("?msd_neg_2 Ex 0<=x & x<=0", True),
    ("?msd_neg_3 Ax,y x+y=y+x & (x<=y | y<=x)", True), ("?msd_neg_3 Ax E=1 y y=x & y<=2*x | x<0", True),
    ("?msd_neg_fib Ax,y $zero(x) & $zero(y) => x=y", True), ("?msd_neg_2 Ax,y T2[x]=@1 & y=x => T2[y]=@1", True),
    ("?msd_neg_2 Ax Ey y<x & $odds(y)", False),  # of -6 there is none above the bound
    ("?msd_neg_2 Ax E=4 y 0<y+x & y+x<=4 | x<0 | x>2", True), ("(?msd_neg_2 Ex x<0) & (?msd_2 Ax x>=0)", True),
]


@pytest.fixture(scope="module")
def integers() -> fp.Session:
    session = fp.Session()
    session.run("""
reg odds msd_neg_2 "(0|1)*1":
reg zero msd_neg_fib "0*":
def less "?msd_neg_2 Ez x+z=y & z>0 & $odds(z)":
combine T2 odds=1:
""")
    return session


@pytest.mark.parametrize(("statement", "true"), OF_INTEGERS)
def test_integers_are_integers(integers: fp.Session, statement: str, true: bool, tmp_path: Path) -> None:
    """Quantifiers are about ℤ; `Ex x<0` would be false of natural numbers, and `Ax x>=0` true."""
    found, _ = lean_of(integers, statement, tmp_path)
    reading = LeanReading(found.text, 6)
    assert reading.value(reading.theorems["statement"][1], {}) is true
    assert "∀ x : ℤ" in found.text or "∃ x : ℤ" in found.text or "∀ x y : ℤ" in found.text


def test_words_and_predicates_of_integers(integers: fp.Session, tmp_path: Path) -> None:
    """They are those of the numbers that stand for integers: the digits in base -2, or in negaFibonacci."""
    statement = "(?msd_neg_2 Ax,y $less(x,y) => T2[x]=T2[x]) & (?msd_neg_fib Ex $zero(x))"
    reading = LeanReading(lean_of(integers, statement, tmp_path)[0].text, 8)
    for z in range(-20, 20):
        for name, weights in (("msd_neg_2", [(-2) ** place for place in range(9)]),
                              ("msd_neg_fib", [1, -1, 2, -3, 5, -8, 13, -21, 34])):
            assert reading.values[f"integer_{name}"](reading.values[f"number_{name}"](z)) == z
            digits = list(reading.values["digits_msd_2" if name == "msd_neg_2" else "digits_msd_fib"](
                reading.values[f"number_{name}"](z)))
            assert sum(d * w for d, w in zip(reversed(digits), weights, strict=False)) == z
        assert reading.values["odds"](reading.values["number_msd_neg_2"](z)) is (z % 2 == 1)
        for y in range(z, z + 5):
            assert reading.values["less"](z)(y) is (y > z and (y - z) % 2 == 1 and y - z < 8)


def test_shortening_keeps_truth(session: fp.Session) -> None:
    """By random values of formulas below a bound that all their sums respect."""
    formulas = [
        "(E t_1 (t_1=x+1 & (E u_2 (u_2=t_1+y & (u_2<=z | T[u_2]=@1)))))",
        "~(~(T[x]=@0 & T[y]=@0) & ~(T[x]=@1 & T[y]=@1))", "(~(E a (a=x & ~a<=y)) & (0<=x & x+1<=z))",
        "((E a a<x) & ~(E>=2 b b<x))", "(~T[x]=@0 <=> ~(T[y]=@1 | T[y]=@1))",
    ]
    letters = [bin(n).count("1") % 2 for n in range(40)]
    scope = {"T": lambda n: letters[n]}
    text = "/- A comment. -/\nimport Mathlib\n\nnamespace N\n\n{}\n\nend N\n"
    for each in formulas:
        long, short = read(each), shortened(read(each), {"T": (0, 1)})
        assert long != short
        both = [Lean({"T": "T"}, {}).text(one) for one in (long, short)]
        declared = "\n\n".join(
            f"def P{place} (T : ℕ → ℕ) (x y z : ℕ) : Prop :=\n  {one}" for place, one in enumerate(both))
        reading = LeanReading(text.format(declared), 20)
        values = [reading.values[f"P{place}"](scope["T"]) for place in range(2)]
        for x, y, z in product(range(5), repeat=3):
            assert values[0](x)(y)(z) is values[1](x)(y)(z), (each, x, y, z)


def test_the_command(session: fp.Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "certificates"
    (folder / "below").mkdir(parents=True)
    for name, statement in (("a.b", "Ax,y x+y=y+x"), ("below/7", "?msd_3 Ax Ey $twice(x,y)")):
        verdict = session.eval(statement)
        assert isinstance(verdict, Verdict)
        verdict.certificate().write(folder / f"{name}.jsonl.gz")
    file, target = folder / "a.b.jsonl.gz", tmp_path / "a.lean"
    said = answer(capsys, "check", "--lean", str(target), str(file))
    assert said.status == 0 and "a_b" in said.out and said.out.endswith("VALID\n")
    text = target.read_text()
    assert list(LeanReading(text).theorems) == ["a_b"]
    assert hashlib.sha256(file.read_bytes()).hexdigest() in text and file.name in text
    said = answer(capsys, "check", "--lean", str(tmp_path / "out"), str(folder))
    assert said.status == 0 and "2 of 2 written" in said.out
    assert list(LeanReading((tmp_path / "out/below/7.lean").read_text()).theorems) == ["t_7"]
    assert (tmp_path / "out/a.b.lean").read_text() == text
    (folder / "end.jsonl.gz").write_bytes(file.read_bytes())
    assert list(LeanReading(lean_file(folder / "end.jsonl.gz").text).theorems) == ["«end»"]
    (folder / "end.jsonl.gz").unlink()
    before = file.read_bytes()
    assert answer(capsys, "check", "--lean", str(file), str(file)).status == 2 and file.read_bytes() == before
    assert answer(capsys, "check", "--lean", str(target), "--explain", str(file)).status == 2
    (folder / "wrong.jsonl").write_text('{"certificate": 2, "variables": {}}\n{"statement": "true"}\n')
    said = answer(capsys, "check", "--lean", str(tmp_path / "out"), str(folder))
    assert said.status == 2 and "no certificate" in said.out and not (tmp_path / "out/wrong.lean").exists()


def test_what_cannot_be_written_does_not_end_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Pairs of an integer and a number are not counted in Lean, and the certificate after this one is written."""
    folder, out = tmp_path / "certificates", tmp_path / "out"
    folder.mkdir()
    for name, statement in (("1", "E>=2 x,n (?msd_neg_2 x<0) & (?msd_2 n<2)"), ("2", "?msd_2 Ax Ey y>x")):
        fp.Session().prove(statement).certificate().write(folder / f"{name}.jsonl")
    said = answer(capsys, "check", "--lean", str(out), str(folder))
    assert said.status == 2 and "integers" in said.out and "1 of 2 written" in said.out
    assert [file.name for file in out.iterdir()] == ["2.lean"]


@pytest.mark.long
def test_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Its commands print what it says; docs/K2.stable.lean is what they write, but for the certificate's digest."""
    page = (ROOT / "docs" / "lean.md").read_text()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "proofs").symlink_to(ROOT / "proofs")
    first = re.search(r"^After `fibprover (.*)`:$", page, re.M)
    assert first and answer(capsys, *shlex.split(first[1]), "-j", "1").status == 0
    command, *printed = page.split("```text\n$ fibprover ")[1].split("```")[0].splitlines()
    assert answer(capsys, *shlex.split(command)).out.splitlines() == printed
    found, example = (tmp_path / "K2.stable.lean").read_text(), (ROOT / "docs" / "K2.stable.lean").read_text()
    digest = re.compile(r"\b[0-9a-f]{64}\b")
    assert digest.sub("", example) == digest.sub("", found)
    reading = LeanReading(example, 6)
    assert reading.value(reading.theorems["K2_stable"][1], {}) is True
