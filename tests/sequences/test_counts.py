"""Linear representations: the counts they give, and the files of them."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.base.errors import AutomatonError, FibproverError
from fibprover.language.commands import MATRIX_FORMATS
from fibprover.sequences.matrices import FORMS
from tests.corpus.matrices import counts_differ

FORMULAS = [
    ("m<n", ("n",), lambda n: n),
    ("m<n & k<=m", ("n",), lambda n: n * (n + 1) // 2),
    ("m<n & k<=m", ("n", "m"), lambda n, m: m + 1 if m < n else 0),
    ("m<n & k<=m", ("m", "n"), lambda m, n: m + 1 if m < n else 0),
    ("m<n & Ey m=3*y", ("n",), lambda n: (n + 2) // 3),
    ("a+b=n", ("n",), lambda n: n + 1),
    ("m<2*n+5", ("n",), lambda n: 2 * n + 5),
    ("n>3 & n<9", ("n",), lambda n: int(3 < n < 9)),
    ("n=n+1 & m=0", ("n",), lambda n: 0),
]


@pytest.mark.parametrize("system", ["msd_2", "msd_fib", "lsd_2", "lsd_fib", "msd_10", "msd_ost_0_1_2_per_3_1"])
@pytest.mark.parametrize(("formula", "variables", "count"), FORMULAS, ids=[f"{f[0]} by {f[1]}" for f in FORMULAS])
def test_counts(system: str, formula: str, variables: tuple[str, ...], count) -> None:  # type: ignore[no-untyped-def]
    """Companions may have more digits than the number: 2n+5 has."""
    session = fp.Session(system)
    found = session.counts(variables, formula)
    for first in range(25):
        others = range(8) if len(variables) == 2 else [None]
        for second in others:
            numbers = (first,) if second is None else (first, second)
            assert found(*numbers) == count(*numbers)


@pytest.mark.parametrize("system", ["msd_neg_2", "lsd_neg_2", "msd_neg_fib"])
def test_counts_of_integers(system: str) -> None:
    found = fp.Session(system).counts(["n"], "m<n & m>_n")
    assert [found(n) for n in range(-3, 6)] == [0, 0, 0, 0, 1, 3, 5, 7, 9]


@pytest.mark.parametrize("system", ["msd_2", "lsd_2", "msd_fib", "lsd_fib"])
def test_the_matrices_are_these_counts(system: str) -> None:
    """v M ... M w over the digits in the order of reading, in numpy; zeros at the high end change nothing."""
    session = fp.Session(system)
    found = session.counts(["n"], "m<2*n+5")
    matrices = found.matrices
    for n in range(40):
        digits = list(session.namespace.system(system).write(n))
        for zeros in range(3):
            padded = digits + [0] * zeros if system.startswith("lsd") else [0] * zeros + digits
            row = found.v
            for digit in padded:
                row = row @ matrices[digit,]
            assert row @ found.w == found(n) == 2 * n + 5


def test_numbers_beyond_64_bits() -> None:
    found = fp.Session().counts(["n"], "m<n")
    assert found(1 << 100) == 1 << 100


@pytest.mark.parametrize(
    ("formula", "variables", "message"),
    [
        ("m>n", ("n",), "infinitely many values of m are related to n = 0"),
        ("n>4 & m>n", ("n",), "infinitely many values of m are related to n = 5"),
        ("m>n | m=k", ("n", "k"), "infinitely many values of m are related to n = 0, k = 0|k = 0, n = 0"),
        ("m<n", ("k",), "k is not a free variable of the formula"),
        ("m<n", ("n", "n"), "all of them different"),
        ("m<n", (), "all of them different"),
        ("(?msd_2 m<3) & (?lsd_2 n=1)", ("n",), "in msd or in lsd systems only"),
    ],
)
def test_what_cannot_be_counted(formula: str, variables: tuple[str, ...], message: str) -> None:
    with pytest.raises(AutomatonError, match=message):
        fp.Session().counts(variables, formula)


def test_words_over_plain_alphabets_are_not_counted() -> None:
    session = fp.Session()
    session.reg("shift", [(0, 1), (0, 1)], "([0,0]|[0,1][1,1]*[1,0])*")
    with pytest.raises(AutomatonError, match="needs numbers"):
        session.counts(["x"], "$shift(x,y)")
    found = session.counts(["y"], "?msd_fib $shift(x,y)")
    assert [found(y) for y in (0, 1, 2, 3, 4, 5)] == [1, 0, 1, 1, 0, 1]


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ('eval t n j "i=j+1";', "n is not a free variable of the formula"),
        ('eval t n "En n=10 & i=12"::', "n is not a free variable"),
        ('eval t n "1=1";', "n is not a free variable"),
        ('def t n "m>n";', "infinitely many values of m"),
    ],
)
def test_scripts_show_the_place(script: str, message: str) -> None:
    with pytest.raises(FibproverError, match=message) as caught:
        fp.Session().run(script)
    assert "^" in str(caught.value)


def test_the_first_counts_are_shown() -> None:
    """The text tells which sequence it is; of two variables it has the size only."""
    found = fp.Session("msd_fib").counts(["n"], "m<n & F[m]=@1")
    ones = [1, 4, 6, 9, 12, 14]
    shown = ", ".join(str(sum(m < n for m in ones)) for n in range(16))
    assert str(found).endswith(f": {shown}, ...")
    assert str(fp.Session().counts("y", "x=y")).startswith("sequence of y over msd_2, linear representation of")
    assert str(fp.Session().counts(["n", "k"], "m<n & m<k")).endswith("dimension 4")


def test_a_definition_is_made_beside_the_counts() -> None:
    session = fp.Session("msd_fib")
    [(_, found)] = session.run('def less n "m<n";')
    assert str(found).startswith("sequence of n over msd_fib, linear representation of dimension 6: 0, 1, 2, 3, ")
    assert session.eval("$less(3,4)")


@pytest.mark.parametrize("system", ["msd_fib", "lsd_2"])
def test_files_of_what_was_calculated(system: str, tmp_path: Path) -> None:
    """Fractions and signs, and digits in the order of reading: read back as text, and multiplied."""
    n = fp.Session(system).counts("n", "i<n")
    thirds = (n * n - 7).partial_sums() * Fraction(1, 3)
    kept = json.loads(thirds.write(tmp_path / "t.json").read_text())
    assert kept["variables"] == ["n"] and kept["systems"] == [system]
    from_json = kept["v"], {tuple(each["digits"]): each["rows"] for each in kept["matrices"]}, kept["w"]
    assigned = dict(re.findall(r"^(\w+) = (.*)$", re.sub(r",\n", ",", thirds.text("sage")), re.MULTILINE))
    assert any("matrix(QQ" in value for value in assigned.values())
    lists = {name: json.loads(re.sub(r"(-?\d+/\d+)", r'"\1"', value[value.index("[") : -1]))
             for name, value in assigned.items()}
    from_sage = lists["v"][0], {(0,): lists["M_n_0"], (1,): lists["M_n_1"]}, [row[0] for row in lists["w"]]
    write = fp.system_named(system).write
    for v, matrices, w in (from_json, from_sage):
        for number in range(30):
            row = [Fraction(entry) for entry in v]
            for digit in write(number):
                row = [sum((x * Fraction(entry) for x, entry in zip(row, column, strict=True)), Fraction(0))
                       for column in zip(*matrices[digit,], strict=True)]
            found = sum(x * Fraction(entry) for x, entry in zip(row, w, strict=True))
            assert found == sum(Fraction(m * m - 7, 3) for m in range(number))
    assert object in (thirds.v.dtype, thirds.w.dtype) and (n - n).matrices[0,].shape == (0, 0)
    assert "v := Vector[row]([0]);" in (n - n).text("mpl")


def test_scripts_export_sequences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = fp.Session("msd_fib")
    session.run('eval f n "m<n"; export f MPL; export f json;')
    assert (tmp_path / "f.mpl").read_text() == session.counts("n", "m<n").text("mpl")
    assert session.export("f", "sage", "other.txt").name == "other.txt"
    assert json.loads((tmp_path / "f.json").read_text())["v"] == [1, 0, 0, 0, 0, 0]
    with pytest.raises(FibproverError, match="unknown sequence g"):
        session.run("export g MPL;")
    session.run('def f "n=1";')
    with pytest.raises(FibproverError, match="unknown sequence f"):
        session.run("export f WL;")


WRITTEN = {
    "mpl": [
        "v := Vector[row]([1,0]);", "M_n_0 := Matrix([[1,0],\n[0,2]]);", "M_n_1 := Matrix([[1,1],\n[0,2]]);",
        "w := Vector[column]([0,1]);",
    ],
    "m": ["v = [1 0];", "M_n_0 = [1 0; 0 2];", "M_n_1 = [1 1; 0 2];", "w = [0; 1];"],
    "wl": ["v = {{1,0}};", "M[1] = {{1,1},\n{0,2}};", "w = {{0},\n{1}};"],
    "sage": [
        "v = matrix(ZZ, 1, 2, [[1,0]])", "M_n_1 = matrix(ZZ, 2, 2, [[1,1],\n[0,2]])",
        "w = matrix(ZZ, 2, 1, [[0],\n[1]])",
    ],
}


def test_the_notation_of_each_program(tmp_path: Path) -> None:
    found = fp.Session().counts(["n"], "m<n")
    assert list(found.entering) == [1, 0]
    for form, lines in WRITTEN.items():
        file = found.write(tmp_path / f"f.{form}")
        text = file.read_text()
        for line in lines:
            assert line in text
    with pytest.raises(FibproverError, match=r"f.csv: matrices are written to \*.mpl, \*.m, \*.wl, \*.sage, \*.json"):
        found.write(tmp_path / "f.csv")


def test_the_comparison_of_representations_notices_a_difference() -> None:
    """The oracle of the corpus: the same counts by other matrices, and other counts."""
    session = fp.Session()
    from tests.corpus.matrices import Matrices, Row

    def as_matrices(formula: str) -> Matrices:
        found = session.counts(["n"], formula)
        steps: dict[tuple[int, ...], list[Row]] = {
            digits: [list(map(Fraction, row)) for row in matrix] for digits, matrix in found.matrices.items()
        }
        return Matrices(list(map(Fraction, found.entering)), steps, list(map(Fraction, found.leaving)))

    found = session.counts(["n"], "m<n")
    assert counts_differ(found, as_matrices("n>0 & m>=n & m<2*n")) is None
    assert counts_differ(found, as_matrices("m<n & m!=5")) is not None
    assert counts_differ(found, as_matrices("m<=n")) is not None


def test_a_form_that_is_none() -> None:
    with pytest.raises(FibproverError, match="unknown form of matrices: 'xx'") as error:
        fp.Session().counts("n", "i<n").text("xx")
    assert "sage" in (error.value.hint or "")


def test_scripts_know_all_forms() -> None:
    assert {form.lower() for form in MATRIX_FORMATS} == {*FORMS}
