"""Linear representations as other programs load them: the products of the matrices are the values of the sequence."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import CodeType
from typing import Any

import lark
import pytest

import fibprover as fp
from fibprover.automata.formats.exports import DIALECTS
from fibprover.base.values import numbers_of_any_length
from fibprover.sequences.matrices import FORMS
from fibprover.sequences.series import Series
from tests.corpus.matrices import Matrices, counts_differ
from tests.foreign.programs import mathics, needs_octave, said

#: Texts of formulas, and the variables whose values are counted.  Names that other programs know, or cannot read.
CASES = {
    "plain": ("msd_2", "i<n", ["n"]),
    "zero": ("msd_2", "i<n & i>n", ["n"]),
    "fibonacci": ("msd_fib", "i+j=n & j>=2*i", ["n"]),
    "lsd": ("lsd_fib", "i<n & i!=3", ["n"]),
    "two variables": ("msd_2", "i<n_1 & i<=D", ["n_1", "D"]),
    "signs": ("msd_neg_2", "i=n | (i=0 & n>0)", ["n"]),
    "large digits": ("msd_12", "i<=n & (Ek i=5*k)", ["n"]),
    "reserved": ("msd_2", "i<N & i<=Pi & i<=lambda", ["N", "Pi", "lambda"]),
    "long names": ("msd_2", f"i<{'n' * 40} & i<={'m' * 40}", ["n" * 40, "m" * 40]),
}


def sequence(case: str) -> Series:
    system, formula, variables = CASES[case]
    return fp.Session(system).counts(variables, formula)


def sequences() -> Iterator[tuple[str, Series]]:
    """All cases, and sequences with fractions and with large numbers."""
    for case in CASES:
        yield case, sequence(case)
    n = sequence("plain")
    yield "fractions", n * Fraction(-2, 3) + Fraction(1, 7)
    yield "beyond floating point", n * (2**53 + 1) - 3**40
    yield "longer than Python writes", n * 7**6000 - 1


ALL = dict(sequences())


def check(found: Mapping[tuple[int, ...], Sequence[Sequence[Any]]], v: Any, w: Any, case: str) -> None:
    """The products of what was loaded are the values of the sequence, at all words of digits."""
    exact = {digits: [list(map(Fraction, row)) for row in rows] for digits, rows in found.items()}
    row, column = list(map(Fraction, v)), list(map(Fraction, w))
    assert counts_differ(ALL[case], Matrices(row, exact, column)) is None


#: A number whose value is asked for.
NUMBER = 6

# -- Mathematica --------------------------------------------------------------------------------------------------

#: Loads each file, and prints v, w, and the matrix of each letter, as lists of texts.
_ASK = """
import json, sys
from mathics.core.load_builtin import import_and_load_builtins
from mathics.session import MathicsSession
sys.set_int_max_str_digits(0)
import_and_load_builtins()
session = MathicsSession()
for file, letters, digits in json.load(sys.stdin):
    session.evaluate("ClearAll[M, v, w]; M = 5; v = 1; w[0] = 2")  # what a user had assigned
    answers = []
    session.evaluate(f'Get["{file}"]')
    for name in ["v", "w", *(f"M[{', '.join(map(str, letter))}]" for letter in letters)]:
        answers.append(str(session.evaluate(name)))
    listed = f"{{{', '.join(map(str, digits))}}}"
    answers.append(str(session.evaluate(f"Dot @@ Join[{{v}}, M /@ {listed}, {{w}}]")) if digits else "")
    print("ANSWER", json.dumps(answers))
"""


@pytest.mark.skipif(mathics() is None, reason="Mathics3 is not installed, or not where FIBPROVER_MATHICS says")
def test_mathematica(tmp_path: Path) -> None:
    asked = []
    for case, found in ALL.items():
        file = found.write(tmp_path / f"{case.replace(' ', '')}.wl")
        # The value at one number, as docs/formats.md asks for it.
        number = found.systems[0].write(NUMBER) if len(found.systems) == 1 else ()
        asked.append([str(file), found.letters, list(number)])
    lines = said([str(mathics()), "-c", _ASK], text=json.dumps(asked)).splitlines()
    answers = [json.loads(line.removeprefix("ANSWER ")) for line in lines if line.startswith("ANSWER")]
    with numbers_of_any_length():
        for (case, found), (v, w, *matrices, value) in zip(ALL.items(), answers, strict=True):
            assert value == ("" if len(found.systems) > 1 else f"{{{{{found[NUMBER]}}}}}")
            steps = dict(zip(found.letters, map(_rows, matrices), strict=True))
            (row,), column = _rows(v), [number for (number,) in _rows(w)]
            check(steps, row, column, case)


def _rows(text: str) -> list[list[Fraction]]:
    """A matrix as Mathematica prints it."""
    assert text.startswith("{{") and text.endswith("}}"), text[:100]
    return [[Fraction(number) for number in row.split(",")] for row in text[2:-2].split("},{")]


def test_names_in_mathematica_are_letters() -> None:
    """`_` is a pattern there: M_n_0 = ... assigns nothing that `M_n_0` has afterwards."""
    for found in ALL.values():
        code = re.sub(r"\(\*.*?\*\)", "", found.text("wl"))
        assert "_" not in code
        assert set(re.findall(r"[A-Za-z]\w*", code)) == {"Clear", "M", "v", "w"}


# -- MATLAB and Octave --------------------------------------------------------------------------------------------


@needs_octave
def test_octave(tmp_path: Path) -> None:
    exact = {case: found for case, found in ALL.items() if "not exact" not in found.text("m")}
    assert set(exact) == set(CASES)
    commands = []
    for number, found in enumerate(exact.values()):
        found.write(tmp_path / f"p{number}.m")
        names = [DIALECTS["m"].name(found.variables, letter) for letter in found.letters]
        commands.append(f"clear; p{number}; print_all = @(x) printf('%s\\n', mat2str(x, 17));")
        commands += [f"print_all({name});" for name in ["v", "w", *names]]
    lines = iter(said(["octave-cli", "--norc", "--quiet", "--eval", "\n".join(commands)], tmp_path).splitlines())
    for case, found in exact.items():
        (row,), column = _octave(next(lines)), [number for (number,) in _octave(next(lines))]
        check({letter: _octave(next(lines)) for letter in found.letters}, row, column, case)
    assert next(lines, None) is None


def _octave(text: str) -> list[list[Fraction]]:
    """A matrix as mat2str writes it: [1 0;0 2], or a number."""
    return [[Fraction(number) for number in row.split()] for row in text.strip("[]").split(";")]


def test_matlab_reads_63_characters_of_a_name() -> None:
    for case, found in ALL.items():
        names = re.findall(r"^(M\w*) =", found.text("m"), re.MULTILINE)
        assert len(names) == len(found.letters) == len({name[:63] for name in names}), case
        assert all(len(name) <= 63 for name in names)


def test_numbers_that_matlab_rounds_are_said() -> None:
    inexact = {case for case, found in ALL.items() if found.text("m").splitlines()[1].startswith("% not exact")}
    assert inexact == set(ALL) - set(CASES)
    n = sequence("plain")
    assert "not exact" not in (n * Fraction(3, 4) + 2**53).text("m")


# -- Sage ---------------------------------------------------------------------------------------------------------


@dataclass
class SageMatrix:
    """What `matrix(ring, rows, columns, entries)` of Sage does with lists of rows: sizes and ring are checked."""

    entries: list[list[Fraction]]

    def __init__(self, ring: str, rows: int, columns: int, entries: list[list[Fraction]]) -> None:
        assert len(entries) == rows and all(len(row) == columns for row in entries)
        assert ring == "QQ" or all(entry.denominator == 1 for row in entries for entry in row)
        self.entries = entries


def preparsed(text: str) -> CodeType:
    """Code of Sage as Python: whole numbers are exact there, also in quotients."""

    class Exact(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.AST:
            return ast.Call(ast.Name("Fraction", ast.Load()), [node], []) if type(node.value) is int else node

    return compile(ast.fix_missing_locations(Exact().visit(ast.parse(text))), "x.sage", "exec")


@pytest.mark.parametrize("case", ALL)
def test_sage(case: str) -> None:
    with numbers_of_any_length():
        names: dict[str, Any] = {"matrix": SageMatrix, "ZZ": "ZZ", "QQ": "QQ", "Fraction": Fraction}
        exec(preparsed(ALL[case].text("sage")), names)
    named = {letter: names[DIALECTS["sage"].name(ALL[case].variables, letter)] for letter in ALL[case].letters}
    steps = {letter: matrix.entries for letter, matrix in named.items()}
    check(steps, names["v"].entries[0], [number for (number,) in names["w"].entries], case)


# -- Maple --------------------------------------------------------------------------------------------------------

#: Assignments of vectors and matrices.  No free program reads them: what they have in Maple's manual is this.
_MAPLE = lark.Lark(
    r"""
    start: (NAME ":=" value ";")*
    value: ROW "(" list ")" -> row | COLUMN "(" list ")" -> column | "Matrix" "(" "[" list ("," list)* "]" ")" -> matrix
    list: "[" NUMBER ("," NUMBER)* "]"
    ROW: "Vector[row]"
    COLUMN: "Vector[column]"
    NAME: /[A-Za-z_][A-Za-z0-9_]*/
    NUMBER: /-?[0-9]+(\/[0-9]+)?/
    %ignore /\s+/
    %ignore /#[^\n]*/
    """,
    parser="lalr",
)

#: Names that Maple does not assign, as its `?protect` and `?initialconstants` list them, as far as a file could.
_PROTECTED = {"D", "I", "O", "Pi", "gamma", "Catalan", "infinity", "true", "false", "Matrix", "Vector", "lambda", "M"}


@pytest.mark.parametrize("case", ALL)
def test_maple(case: str) -> None:
    found: dict[str, list[list[Fraction]]] = {}
    with numbers_of_any_length():
        tree = _MAPLE.parse(ALL[case].text("mpl"))
        for name, value in zip(tree.children[::2], tree.children[1::2], strict=True):
            assert isinstance(value, lark.Tree) and str(name) not in {*found, *_PROTECTED}
            lists = [each for each in value.children if isinstance(each, lark.Tree)]
            found[str(name)] = [[Fraction(str(number)) for number in row.children] for row in lists]
    letters = ALL[case].letters
    assert set(found) == {"v", "w", *(DIALECTS["mpl"].name(ALL[case].variables, letter) for letter in letters)}
    steps = {letter: found[DIALECTS["mpl"].name(ALL[case].variables, letter)] for letter in letters}
    check(steps, found["v"][0], found["w"][0], case)


# -- JSON ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ALL)
def test_json(case: str) -> None:
    with numbers_of_any_length():
        found = json.loads(ALL[case].text("json"))
        steps = {tuple(each["digits"]): each["rows"] for each in found["matrices"]}
        check(steps, found["v"], found["w"], case)
    assert found["variables"] == list(ALL[case].variables)
    assert found["systems"] == [system.name for system in ALL[case].systems]


def test_every_form_has_a_reader() -> None:
    assert set(FORMS) == {"mpl", "m", "wl", "sage", "json"}
