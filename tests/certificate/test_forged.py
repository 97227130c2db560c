"""Forged certificates that take integers for the numbers which stand for them, or would be too large when printed.

Each is right but for what it says: its claims are true of numbers.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.checker.fibcheck import Automaton, Budget, Checker, Invalid, Malformed, Relation, TooLarge, check
from fibprover.prover.certificate.tables import NotCertified
from fibprover.prover.verdict.verdict import Verdict
from tests.certificate.hostile import CHECKER
from tests.certificate.verified import PROGRAM, verdicts

Lines = list[dict[str, Any]]


def table(automaton: Automaton) -> dict[str, Any]:
    """The automaton of one track, as a file has it."""
    rows = [[number for (digit,), there in sorted(row.items()) for number in (digit, there)] for row in automaton.rows]
    return {"outputs": [int(bool(output)) for output in automaton.outputs], "rows": rows}


class Written:
    """Lines of a certificate that a test adds to, with the number of claims among them."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.claims = sum("rule" in line for line in lines)

    def add(self, **line: Any) -> None:
        self.lines.append(line)

    def claim(self, rule: str, **more: Any) -> int:
        self.add(rule=rule, **more)
        self.claims += 1
        return self.claims - 1


class Forged(Written):
    """Lines up to a claim of $compare_0(x), that an integer is below 0; then z and y are integers, n and p numbers."""

    def __init__(self) -> None:
        found = fp.Session("msd_neg_2").eval("?msd_neg_2 Ex x<0")
        assert isinstance(found, Verdict)
        whole = [dict(line) for line in found.certificate().lines]
        last = next(place for place, line in enumerate(whole) if line.get("rule") == "definition")
        super().__init__(whole[:last])
        self.body, self.guarded = whole[last]["of"], whole[last]
        self.lines[0]["variables"] |= {"z": "msd_neg_2", "y": "msd_neg_2", "n": "msd_2", "p": "msd_2"}
        self.below = self.claim("definition", name="compare_0", arguments=["z"], of=self.body)

    def relation(self) -> Relation:
        """That of the claim that z is below 0."""
        checker = Checker(Budget(100, 1 << 30))
        for line in self.lines:
            checker.line(line)
        return checker.claims[self.below].relation

    def implies(self, one: int, other: int, name: str) -> int:
        """Claim that for all values one claim implies the other."""
        refuted = self.claim("and", of=[one, self.claim("not", of=[other])])
        return self.claim("not", of=[self.claim("exists", of=[refuted], bound=[name])])

    def end(self, claim: int, statement: str) -> Lines:
        self.claim("and", of=[claim])
        self.add(statement=statement)
        return self.lines

    def as_true(self) -> Lines:
        return self.end(self.claim("and", of=[]), "true")


def written(lines: Lines, folder: Path) -> Path:
    file = folder / "forged.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def refused(lines: Lines, folder: Path) -> None:
    """Both checkers refuse a file, without a traceback."""
    file = written(lines, folder)
    with pytest.raises((Invalid, Malformed)):
        check(str(file))
    if PROGRAM.exists():
        assert verdicts([file]) != ["VALID"]


def said(lines: Lines, folder: Path) -> list[str]:
    """What both checkers print of a file that they accept."""
    file = written(lines, folder)
    ours = subprocess.run([*CHECKER, file], capture_output=True, text=True, check=True).stdout
    if PROGRAM.exists():
        assert subprocess.run([PROGRAM, file], capture_output=True, text=True, check=True).stdout == ours
    return ours.splitlines()


# Numbers in place of integers

def a_parameter_of_a_recursion(name: str) -> Lines:
    """$below(n) is said to be true if n is below 0: the parameter, and what is called with it, are integers."""
    forged = Forged()
    forged.add(predicate="below", systems=["msd_2"], **table(forged.relation().automaton))
    own = forged.claim("atom", formula=f"$below({name})")
    body = forged.claim("definition", name="compare_0", arguments=[name], of=forged.body)
    forged.claim("recursion", of=[forged.implies(own, body, name), forged.implies(body, own, name)], recursion=[
        {"name": "below", "parameters": [name], "weights": [1], "formula": f"$compare_0({name})"}])
    return forged.end(forged.claim("exists", of=[forged.claim("atom", formula="$below(n)")], bound=["n"]),
                      "(E n $below(n))")


def a_recursion_that_binds(name: str) -> Lines:
    """$all(n) is said to be true if some number is below 0."""
    forged = Forged()
    forged.add(predicate="all", systems=["msd_2"], outputs=[1], rows=[[0, 0, 1, 0]])
    own, body = forged.claim("atom", formula="$all(n)"), forged.claim("exists", of=[forged.below], bound=["z"])
    of = [forged.implies(own, body, "n"), forged.implies(body, own, "n")]
    forged.claim("recursion", of=of, recursion=[
        {"name": "all", "parameters": ["n"], "weights": [1], "formula": f"(E {name} $compare_0({name}))"}])
    none = forged.claim("exists", of=[forged.claim("not", of=[own])], bound=["n"])
    return forged.end(forged.claim("not", of=[none]), "(A n $all(n))")


def a_sequence(index: str) -> Lines:
    """A(z) = 1 is said to be so where z is below 0."""
    forged = Forged()
    automaton = forged.relation().automaton
    matrices = [[[number for there in [row.get((digit,))] if there is not None for number in (there, 1)]
                 for row in automaton.rows] for digit in (0, 1)]
    size = len(automaton.rows)
    forged.add(sequence="A", over="msd_2", row=[1, *[0] * (size - 1)], matrices=matrices,
               column=[int(bool(output)) for output in automaton.outputs])
    is_below = forged.claim("definition", name="compare_0", arguments=[index], of=forged.body)
    is_not = forged.claim("not", of=[is_below])
    neither = forged.claim("exists", of=[forged.claim("and", of=[is_not, is_below])], bound=[index])
    every = forged.claim("not", of=[neither])
    forged.claim("sequences", of=[every], sequences=["A"], equations=[
        {"name": "A", "index": index, "where": f"$compare_0({index})", "claim": is_below, "terms": [[1, []]]},
        {"name": "A", "index": index, "where": f"~$compare_0({index})", "claim": is_not, "terms": []}])
    return forged.as_true()


def a_condition_that_binds(name: str) -> Lines:
    """A(n) = 1 is said to be so where some number is below 0."""
    forged = Forged()
    forged.add(sequence="A", over="msd_2", row=[1], matrices=[[[0, 1]], [[0, 1]]], column=[1])
    some = forged.claim("exists", of=[forged.below], bound=["z"])
    numbers = forged.claim("and", of=[], numbers=["n"])
    where = forged.claim("and", of=[numbers, some])
    none = forged.claim("and", of=[numbers, forged.claim("not", of=[some])])
    every = forged.claim("not", of=[forged.claim("exists", of=[none], bound=["n"])])
    forged.claim("sequences", of=[every], sequences=["A"], equations=[
        {"name": "A", "index": "n", "where": f"(E {name} $compare_0({name}))", "claim": where, "terms": [[1, []]]}])
    return forged.as_true()


def a_term_at(index: str) -> Lines:
    """A(n) = A(z)*A(z), where z=z: z has no need to be an integer."""
    forged = Forged()
    forged.add(sequence="A", over="msd_2", row=[1], matrices=[[[0, 1]], [[0, 1]]], column=[1])
    forged.add(sequence="B", over="msd_2", row=[1], matrices=[[[0, 1]], [[0, 1]]], column=[1])
    where = forged.claim("and", of=[], numbers=sorted({"n", index}))
    forged.claim("sequences", of=[forged.claim("and", of=[])], sequences=["A"], equations=[
        {"name": "A", "index": "n", "where": "true", "claim": where, "terms": [[1, [["B", index]]]]}])
    return forged.as_true()


def a_series(system: str) -> Lines:
    """The letter at 3 is the coefficient of x^3: the number 3 stands for -1."""
    forged = Forged()
    forged.add(word="T", systems=[system], outputs=[0, 0, 1, 0],
               rows=[[0, 0, 1, 1], [0, 3, 1, 2], [0, 3, 1, 3], [0, 3, 1, 3]],
               series={"prime": 2, "exponent": 1, "diagonal": [[[1, 3]], [[1, 0]]]})
    return forged.as_true()


@pytest.mark.parametrize("forge", [
    lambda: a_parameter_of_a_recursion("z"), lambda: a_recursion_that_binds("z"), lambda: a_sequence("z"),
    lambda: a_condition_that_binds("z"), lambda: a_term_at("z"), lambda: a_series("msd_neg_2"),
])
def test_integers_are_not_said_to_be_numbers(forge: Callable[[], Lines], tmp_path: Path) -> None:
    refused(forge(), tmp_path)


def test_numbers_are_not_said_to_be_integers(tmp_path: Path) -> None:
    """The definition of a comparison is called with integers only."""
    for forge in (a_parameter_of_a_recursion, a_sequence, a_condition_that_binds, a_recursion_that_binds):
        refused(forge("n" if forge in (a_parameter_of_a_recursion, a_sequence) else "p"), tmp_path)


def test_the_same_of_numbers(tmp_path: Path) -> None:
    """What is refused of integers is right of numbers."""
    assert any("x^3" in line for line in said(a_series("msd_2"), tmp_path))
    assert said(a_term_at("n"), tmp_path)


def test_definitions_say_what_is_an_integer(tmp_path: Path) -> None:
    """A recursion may call a definition in which an integer is bound: it is printed as one."""
    forged = Forged()
    forged.add(define="some", parameters=["n"], formula="(n=n & (E z $compare_0(z)))")
    forged.add(predicate="all", systems=["msd_2"], outputs=[1], rows=[[0, 0, 1, 0]])
    some = forged.claim("exists", of=[forged.below], bound=["z"])
    body = forged.claim("definition", name="some", arguments=["n"], of=[
        forged.claim("and", of=[forged.claim("and", of=[], numbers=["n"]), some])])
    own = forged.claim("atom", formula="$all(n)")
    forged.claim("recursion", of=[forged.implies(own, body, "n"), forged.implies(body, own, "n")], recursion=[
        {"name": "all", "parameters": ["n"], "weights": [1], "formula": "$some(n)"}])
    none = forged.claim("exists", of=[forged.claim("not", of=[own])], bound=["n"])
    lines = said(forged.end(forged.claim("not", of=[none]), "(A n $all(n))"), tmp_path)
    assert any("definition $some(n)" in line and line.endswith("z: integers of msd_neg_2") for line in lines)


def test_members_and_letters_are_those_of_numbers(tmp_path: Path) -> None:
    """Members and letters are listed in the order of numbers: where these stand for integers, that is said."""
    forged = Forged()
    forged.add(predicate="big", systems=["msd_neg_2"], **table(forged.relation().automaton))
    forged.add(predicate="natural", systems=["msd_2"], **table(forged.relation().automaton))
    forged.add(predicate="shifted", systems=["msd_neg_2"], outputs=[0, 1], rows=[[0, 0, 1, 1], [0, 1]],
               expression=["then", ["letters", [1]], ["repeat", ["letters", [0]], 0, -1]])
    forged.add(word="T", systems=["msd_neg_2"], outputs=[0, 1], rows=[[0, 0, 1, 1], [0, 1, 1, 0]])
    forged.add(word="U", systems=["msd_2", "msd_neg_2"], outputs=[0], rows=[[0, 0, 1, 0, 2, 0, 3, 0]])
    forged.add(word="V", systems=["msd_2"], outputs=[0, 1], rows=[[0, 0, 1, 1], [0, 1, 1, 0]])
    big = forged.claim("atom", formula="$big(z)")
    lines = said(forged.end(forged.implies(big, forged.below, "z"), "(A z ($big(z) => $compare_0(z)))"), tmp_path)

    def is_marked(name: str) -> bool:
        (line,) = [line for line in lines if line.startswith(f"{name}: ")]
        return "integers" in line.partition(";")[0]

    for name in ("predicate big", "predicate shifted", "word T", "word U"):
        assert is_marked(name)
    for name in ("predicate natural", "predicate plus_msd_2", "word V"):
        assert not is_marked(name)


# Comparisons

@pytest.mark.parametrize(("parameters", "text"), [
    (["z"], "z+y<=y+3"), (["z"], "z+y+1<=y"), (["z"], "1_0*z+1<=0"), (["z"], "*z+1<=0"), (["z"], "z+1<=0+0*y"),
    (["z", "y"], "z+1<=0*y"), (["z"], "z+n<=n"), (["z"], "z+1<=*5"), (["z"], "2*3*z<=1"), (["z"], "z<=z"),
])
def test_what_compares_other_variables(tmp_path: Path, parameters: list[str], text: str) -> None:
    """A name in the text that is no parameter could not be printed where the definition is called."""
    forged = Forged()
    line = next(dict(line) for line in forged.lines if "compares" in line)
    own = next(key for key, value in line.items() if key != "parameters" and isinstance(value, list))
    forged.lines[0]["variables"] |= {"o": "msd_2"}
    forged.add(**line | {"define": "c", "parameters": parameters, own: ["p", "o"][: len(parameters)], "compares": text})
    forged.add(define="d", parameters=parameters, formula=f"$c({','.join(parameters)})")
    refused(forged.as_true(), tmp_path)


@pytest.mark.parametrize("text", ["1_0*n<5", "*n<5", "n<*5", "2*3*n<5"])
def test_factors_are_digits(tmp_path: Path, text: str) -> None:
    """Python reads 1_0 as 10, and the other checker does not."""
    forged = Forged()
    forged.add(define="f", parameters=["n"], formula=text)
    refused(forged.as_true(), tmp_path)
    forged.lines[-4]["formula"] = "10*n<5"
    assert said(forged.lines, tmp_path)


def test_the_sum_of_digits_is_a_predicate(tmp_path: Path) -> None:
    """Not a definition, though one may mean the same."""
    forged = Forged()
    place = next(place for place, line in enumerate(forged.lines) if "integers" in line)
    line = forged.lines[place]
    n, p, *_ = line["variables"]
    (even,) = [value for key, value in line.items() if key not in ("integers", "over") and isinstance(value, str)]
    forged.lines.insert(place, {"define": "ev", "parameters": [n, p], "formula": f"${even}({n},{p})"})
    forged.lines[place + 1] = {key: "ev" if value == even else value for key, value in line.items()}
    refused(forged.as_true(), tmp_path)


# Limits

def called(zeros: int, calls: int) -> Lines:
    """A comparison of so many zeros, called so many times."""
    forged = Forged()
    place = next(place for place, line in enumerate(forged.lines) if "compares" in line)
    text = forged.lines[place]["compares"]
    forged.lines[place] = forged.lines[place] | {"compares": "0+" * zeros + text}

    def tree(count: int) -> str:
        return "$compare_0(z)" if count == 1 else f"({tree(count // 2)} & {tree(count - count // 2)})"

    every = forged.implies(forged.below, forged.below, "z")
    return forged.end(every, f"(A z ({tree(calls)} => {tree(calls)}))")


def test_what_is_printed_is_not_much_longer_than_the_file(tmp_path: Path) -> None:
    """Calls times the text of a comparison were 100 MB, of a file of 128 KB."""
    assert said(called(30, 8), tmp_path)
    refused(called(50_000, 500), tmp_path)


@pytest.mark.long
def test_relations_of_many_letters_are_refused(tmp_path: Path) -> None:
    """A few relations of four digits have a million letters together, in each of a thousand states."""
    names = [f"x{place}" for place in range(10)]
    lines: Lines = [
        {"certificate": 2, "variables": dict.fromkeys(names, "s")},
        {"system": "s", "digits": 4, "outputs": [1], "rows": [[0, 0, 1, 0, 2, 0, 3, 0]]},
        {"automaton": 0, "systems": ["s"], "outputs": [1, 0],
         "rows": [[0, 0, 1, 1, 2, 0, 3, 1], [0, 1, 1, 0, 2, 1, 3, 0]]},
        {"make": "and", "of": [[0, [name]] for name in names]}, {"rule": "and", "of": []}, {"statement": "true"},
    ]
    file = written(lines, tmp_path)
    with pytest.raises(TooLarge):
        check(str(file), memory=200 << 20)
    if PROGRAM.exists():
        done = subprocess.run([PROGRAM, "--timeout", "100", file], capture_output=True, text=True, check=False)
        assert done.returncode == 2 and "memory" in done.stderr


@pytest.mark.very_long
def test_rows_of_many_transitions(tmp_path: Path) -> None:
    """The stack suffices: a state has more transitions than there is room for calls, which lists were made by."""
    found = fp.Session("msd_neg_10").eval("Ax,y Ez,w x+y=z+w")
    assert isinstance(found, Verdict)
    file = tmp_path / "rows.jsonl.gz"
    found.certificate().write(file)
    assert check(str(file)).statement
    if PROGRAM.exists():
        assert verdicts([file]) == ["VALID"]


# What is written

@pytest.mark.parametrize("formula", [
    "Ax Ey,z,w x=y+z+w", "Ax Ey,z,w x<y+2*z+3*w", "?msd_neg_3 Ax Ey,z,w x<y+2*z+3*w",
    pytest.param("Aa,b,c,d,e Ef,g a+2*b+3*c+d+e=f+g", marks=pytest.mark.long),
])
def test_comparisons_of_many_variables(tmp_path: Path, formula: str) -> None:
    """The parameters are in the order of their names, as the tracks of the relation are."""
    found = fp.Session("msd_neg_2").eval(formula)
    assert isinstance(found, Verdict)
    file = tmp_path / "many.jsonl.gz"
    found.certificate().write(file)
    assert check(str(file)).statement
    if PROGRAM.exists():
        assert verdicts([file]) == ["VALID"]


@pytest.mark.long
def test_recursions_with_integers_are_not_written() -> None:
    """They are solved, and a definition in which an integer is bound takes nothing away."""
    known = fp.Session("msd_2")
    known.define("some", "?msd_2 n=n & (?msd_neg_2 Ez z<0 & z>_4)")
    step = "n=0 | (Em n=m+1 & ~$ev(m))"
    known.solve("ev", f"{step} & (?msd_neg_2 Ez z=3)", by="n")
    found = known.eval("An $ev(2*n)")
    assert isinstance(found, Verdict) and found
    with pytest.raises(NotCertified):
        found.certificate()
    known.solve("ew", f"{step.replace('ev', 'ew')} & $some(n)", by="n")
    other = known.eval("An $ew(2*n)")
    assert isinstance(other, Verdict) and other.certificate().truth


def test_the_command_has_no_traceback(tmp_path: Path) -> None:
    """A name that cannot be printed is found while the file is checked."""
    file = tmp_path / "packed.jsonl.gz"
    file.write_bytes(gzip.compress(written(called(50_000, 500), tmp_path).read_bytes()))
    done = subprocess.run([*CHECKER, file], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "Traceback" not in done.stderr and sys.executable == CHECKER[0]
