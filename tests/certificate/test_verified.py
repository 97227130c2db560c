"""The checker that is proved in Coq: it is made, assumes nothing, and says what fibcheck.py says."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.checker import fibcheck
from fibprover.checker.fibcheck import Invalid, Malformed
from fibprover.prover.verdict.verdict import Verdict
from tests.certificate import families
from tests.certificate import test_series as series
from tests.certificate.meaning import checked_lines
from tests.certificate.test_families import FORGED, NONE_IS_LONG, TRUTH, head
from tests.certificate.test_meanings import floors, forged_floors, forged_intersections, without_repetition
from tests.certificate.test_recursions import N_IS, P_IS, SOLVED, captured, complements, lines_of, refused
from tests.certificate.test_rules import CASES, checker
from tests.certificate.test_sequences import CERTIFIED, certified
from tests.certificate.test_series import SMALL
from tests.certificate.verified import (
    PROGRAM,
    ROOT,
    agreement,
    agreement_on,
    of_sequences,
    random_expressions,
    random_projections,
    verdicts,
)
from tests.cli.command import answer
from tests.seeds import chosen_seed

EXAMPLE = ROOT / "docs" / "certificate.jsonl"

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not (shutil.which("coqc") and shutil.which("ocamlfind")), reason="Coq is not installed (apt-get install coq)"
    ),
]


@pytest.fixture(scope="module", autouse=True)
def program() -> None:
    """Compile the proofs and the program, unless both are up to date."""
    subprocess.run(["make", "-C", "checker/coq", "BUILD=../../build"], cwd=ROOT, check=True)


def write(file: Path, lines: list[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))


def accepted(file: Path) -> bool:
    """Return whether fibcheck.py accepts a file."""
    return fibcheck.report(str(file)) == 0


@pytest.mark.parametrize("proved", ["Check", "FamilyCheck"])
def test_the_theorem_rests_on_no_axiom(proved: str) -> None:
    assert "Closed under the global context" in (ROOT / "build" / "coq" / f"{proved}.log").read_text()


def printed_by_both(file: Path) -> tuple[str, str]:
    """Return what the verified checker prints of a certificate that it accepts, and what fibcheck.py does."""
    ours = subprocess.run([PROGRAM, file], capture_output=True, text=True, check=True).stdout
    program = ROOT / "fibprover" / "checker" / "fibcheck.py"
    return ours, subprocess.run([sys.executable, program, file], capture_output=True, text=True, check=True).stdout


def test_both_print_the_same() -> None:
    ours, theirs = printed_by_both(EXAMPLE)
    assert ours == theirs


@pytest.mark.parametrize(("system", "script", "formula"), [
    ("msd_2_choices_2", "", "Ai,n (n>0 & $feq_PAPER(i,i+n,n)) => (n=1 | n=3 | n=5)"),
    ("msd_2_choices_2", "", "En n>0 & $feq_PAPER(0,n,n)"),
    ("msd_2_choices_2", 'slope equal "?msd_2_choices_2 (1 1 | 2 2) .*";', "$equal() <=> $feq_PAPER(0,1,1)"),
    ("msd_2_choices_3", 'family V "0->01,1->20,2->11 | 0->02,1->20,2->01 | 0->01,1->00,2->21";', "Ex V[x]!=@0"),
    ("msd_sturmian", "", "~(Ei,p p>0 & Aj j>=i => C[j]=C[j+p])"),
    ("msd_sturmian", "", "Ei C[i]=1 & C[i+1]=1"),
    ("msd_sturmian", 'slope small "[1-2] (3 | [2-4,7] .? | [>=5]+)*";', "$small() => Ex x<=2 & C[x]=@1"),
    ("msd_sturmian", "", "Ax,y,z x+y=z => z<17 | z>=17"),
])
def test_families_are_printed_alike(system: str, script: str, formula: str, tmp_path: Path) -> None:
    """What is true for all sequences, and what is false for one."""
    session, file = fp.Session(system), tmp_path / "c.jsonl.gz"
    if script:
        session.run(script)
    verdict = session.eval(formula)
    assert isinstance(verdict, Verdict)
    verdict.certificate().write(file)
    ours, theirs = printed_by_both(file)
    assert ours == theirs


def test_changes_of_families(tmp_path: Path) -> None:
    """Both checkers accept certificates about families, and refuse the same changes; what they accept is true."""
    whole = [(f"whole-{number}", json.loads(text)) for number, text in enumerate(families.certificates())]
    count = 2 * len(families.MUTATIONS)
    drawn = [*families.changes(count, 5), *families.changes(count, 21, counted=True)]
    changed = [(f"{number}-{name}", lines) for number, (name, lines) in enumerate(drawn)]
    found, differ = agreement_on([*whole, *changed], tmp_path, families.is_true)
    assert not differ
    assert found["both valid"] >= len(whole) and found["both refuse"] > len(families.MUTATIONS)


def test_forged_claims_of_families(tmp_path: Path) -> None:
    """They are refused, also where nothing else is wrong with the file."""
    files = list[Path]()
    end: list[dict[str, Any]] = [{"rule": "and", "of": []}, {"statement": "true"}]
    for number, lines in enumerate([*(lines for lines, _ in FORGED), [TRUTH], NONE_IS_LONG]):
        files.append(tmp_path / f"{number}.jsonl")
        write(files[-1], [*head(), *lines, *([] if "statement" in lines[-1] else end)])
    assert [said == "VALID" for said in verdicts(files)] == [False] * len(FORGED) + [True] * 2


@pytest.mark.random
def test_random_projections_of_families(tmp_path: Path) -> None:
    """Both say the same of random relations beside beginnings, whose witnesses last, are bounded, or neither."""
    drawn = families.random_projections(60, chosen_seed())
    found, differ = agreement_on(((str(number), lines) for number, lines in enumerate(drawn)), tmp_path, None)
    assert differ == [] and found["both valid"] > 5 and found["both refuse"] > 5


def test_a_wrong_word_and_no_certificate(tmp_path: Path) -> None:
    wrong, none = tmp_path / "wrong.jsonl", tmp_path / "none.jsonl"
    wrong.write_text(EXAMPLE.read_text().replace('"x=1"', '"x=2"'))
    none.write_text("{}\n")
    assert verdicts([EXAMPLE, wrong, none]) == ["VALID", "INVALID", "MALFORMED"]


#: Of statements about the numbers with base 2: whether a certificate without any claim about them is accepted.
@pytest.mark.parametrize(("statement", "valid"), [
    ("0=" + "+".join(["99999999999999999"] * 92 + [str((1 << 63) - 92 * 99999999999999999)]), False),
    (f"0={1 << 63}", False), (f"0={1 << 64}", False), (f"{1 << 62}*x<{1 << 62}*x+1", True), (f"x+{1 << 64}=x", False),
    ("x=x", True), ("(x=x & ~x<x)", True), ("x=1", False), ("0" * 4000 + "=0", True), ("0" * 5000 + "=0", False),
])
def test_numbers_do_not_wrap(tmp_path: Path, statement: str, valid: bool) -> None:
    """2^63 is 0 in the words of a machine."""
    file = tmp_path / "file.jsonl"
    write(file, [
        {"certificate": 1, "variables": {"x": "b"}},
        {"system": "b", "digits": 2, "outputs": [1], "rows": [[0, 0, 1, 0]]},
        {"automaton": 0, "systems": [], "outputs": [1], "rows": [[0, 0]]},
        {"rule": "and", "of": [], "relation": [0, []]},
        {"statement": statement},
    ])
    assert (verdicts([file]) == ["VALID"]) == valid == accepted(file)


#: The letters of `bits`, as a certificate has them: 1 is read, and the number that 1 0 ... 0 represents is 2^k.
@pytest.mark.parametrize(("length", "constant"), [(1, 1), (70, 1 << 69), (70, (1 << 69) + 1), (300, 1 << 299)])
def test_large_constants(tmp_path: Path, length: int, constant: int) -> None:
    rows = [[0, 0, 1, 1], *([0, place + 1] for place in range(1, length)), []]
    file = tmp_path / "file.jsonl"
    for formula in (f"x={constant}", f"(x={constant} & true)", f"~~2*x=x+{constant}"):
        write(file, [
            {"certificate": 1, "variables": {"x": "b"}},
            {"system": "b", "digits": 2, "outputs": [1], "rows": [[0, 0, 1, 0]]},
            {"automaton": 0, "systems": ["b"], "outputs": [0] * length + [1], "rows": rows},
            {"automaton": 1, "systems": [], "outputs": [1], "rows": [[0, 0]]},
            {"rule": "atom", "formula": formula, "relation": [0, ["x"]]},
            {"rule": "exists", "of": [0], "bound": ["x"], "relation": [1, []]},
            {"statement": f"(E x x={constant})"},
        ])
        right = constant == 1 << (length - 1)
        assert (verdicts([file]) == ["VALID"]) == right == accepted(file)


@pytest.mark.parametrize(("old", "new", "valid"), [
    ('"x=1"', r'"x\u003d1"', True), ('"x=1"', r'"\u0078=1"', True), ('"(E x x=1)"', r'"(E x\u0020x=1)"', True),
    ('"(E x x=1)"', r'"(E x x=1)\n"', False), ('"x=1"', r'"x=\u00321"', False),
    ('"x=1"', r'"x=\u0031", "y": "\ud83d\ude00"', True),
    ('"x=1"', r'"x=1", "y": [1.5e+3, -0, 123456789012345678901234567890]', True), ('"x=1"', r'"x=1", "y": 1.', False),
    ('"x=1"', r'"x=1", "y": "\u12g4"', False), ('"x=1"', r'"x=1", "y": "\q"', False),
    ('"x=1"', r'"x=1", "y": 01', False),
    ('"digits": 2', '"digits": 2.0', False), ('"digits": 2', '"digits": 99999999999999999999', False),
])
def test_files(tmp_path: Path, old: str, new: str, valid: bool) -> None:
    file = tmp_path / "file.jsonl"
    text = EXAMPLE.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    assert (verdicts([file]) == ["VALID"]) == valid == accepted(file)


@pytest.mark.parametrize("limit", [("--timeout", "0.001"), ("--max-memory", "1M")])
def test_limits(tmp_path: Path, limit: tuple[str, str]) -> None:
    lines, _ = lines_of(3)
    file = tmp_path / "file.jsonl"
    write(file, lines)
    done = subprocess.run([PROGRAM, *limit, file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "than the limit" in done.stderr
    assert subprocess.run([PROGRAM, limit[0], "3000", file], capture_output=True, check=False).returncode == 2 * (
        limit[0] == "--max-memory")
    assert subprocess.run([PROGRAM, limit[0], "none", file], capture_output=True, check=False).returncode == 2


def test_forged_claims(tmp_path: Path) -> None:
    files, valid = list[Path](), list[bool]()
    for number, (claims, forged) in enumerate(CASES.values()):
        for more in ([], [forged]):
            try:
                checker(tmp_path, [*claims, *more])
                valid.append(True)
            except (Invalid, Malformed):
                valid.append(False)
            files.append(tmp_path / f"{number}-{len(more)}.jsonl.gz")
            shutil.copy(tmp_path / "certificate.jsonl.gz", files[-1])
    said = verdicts(files)
    assert any(valid)
    assert [file.name for file, one, right in zip(files, said, valid, strict=True) if (one == "VALID") != right] == []


def test_two_recursions_are_not_one(tmp_path: Path) -> None:
    """They are printed as two; as one they are refused."""
    lines = complements([P_IS], [N_IS])
    two, one = tmp_path / "two.jsonl", tmp_path / "one.jsonl"
    write(two, lines)
    write(one, complements([P_IS, N_IS]))
    said = subprocess.run([PROGRAM, two], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == [*checked_lines(lines, tmp_path).understood(), "VALID"]
    assert verdicts([two, one]) == ["VALID", "INVALID"]


@pytest.mark.parametrize("number", range(len(SOLVED)), ids=lambda number: SOLVED[number][1][0])
def test_recursions(tmp_path: Path, number: int) -> None:
    """Both print the equations; both refuse another formula, another measure, and one implication in place of both."""
    lines, line = lines_of(number)
    file = tmp_path / "right.jsonl"
    write(file, lines)
    ours = subprocess.run([PROGRAM, file], capture_output=True, text=True, check=True).stdout
    assert ours.splitlines() == [*checked_lines(lines, tmp_path).understood(), "VALID"]
    (joint,) = [text for text in ours.splitlines() if text.startswith("by induction, the only solution: $")]
    assert len(joint.split("; ")) == len(line["recursion"])
    wrong = []
    for key, value in [("formula", "true"), ("weights", [0] * len(line["recursion"][0]["parameters"])),
                       ("parameters", line["recursion"][0]["parameters"] * 2)]:
        changed, step = lines_of(number)
        step["recursion"][0][key] = value
        wrong.append(changed)
    changed, step = lines_of(number)
    step["of"] = step["of"][:-1]
    wrong.append(changed)
    files = [tmp_path / f"wrong-{place}.jsonl" for place in range(len(wrong))]
    for file, changed in zip(files, wrong, strict=True):
        write(file, changed)
        refused(changed, tmp_path)
    assert "VALID" not in verdicts(files)


def test_a_recursion_that_binds_a_parameter(tmp_path: Path) -> None:
    file = tmp_path / "wrong.jsonl"
    write(file, captured())
    assert verdicts([file]) == ["INVALID"]


@pytest.mark.parametrize(("number", "most", "other"), [
    (4, 2, 5), (4, 3, 6), (4, 4, 5), (4, 5, 4), (4, 6, 3), (1500, 1002, 1501), (1500, 1500, 1501), (1500, 1501, 1500),
    (5000, 5000, 5001),
])
def test_counts(capsys: pytest.CaptureFixture[str], tmp_path: Path, number: int, most: int, other: int) -> None:
    """There are four numbers below 4; a certificate that says that there are more, or fewer, is refused."""
    right, wrong = tmp_path / "right.jsonl.gz", tmp_path / "wrong.jsonl"
    said = answer(capsys, "eval", f"Ax x={number} => E>={most} y y<x", "--certificate", str(right))
    assert ("TRUE" in said.out) == (most <= number)
    text = gzip.decompress(right.read_bytes()).decode()
    assert f'"count":{most}' in text
    wrong.write_text(text.replace(f'"count":{most}', f'"count":{other}').replace(f"(E>={most} ", f"(E>={other} "))
    assert verdicts([right, wrong]) == ["VALID", "INVALID"]
    assert [accepted(file) for file in (right, wrong)] == [True, False]


@pytest.mark.random
def test_random_counts(tmp_path: Path) -> None:
    """Both checkers say the same of random relations with numbers of values, right and wrong ones."""
    drawn = random_projections(60, chosen_seed(), counted=True)
    found, differ = agreement_on(((str(number), lines) for number, lines in enumerate(drawn)), tmp_path, None)
    assert differ == [] and found["both valid"] > 5 and found["both refuse"] > 5


@pytest.mark.parametrize(("written", "forged"), [
    (floors, forged_floors), (without_repetition, forged_intersections),
])
def test_meanings(
    tmp_path: Path, written: Callable[[], str], forged: Callable[[], Iterator[list[dict[str, Any]]]]
) -> None:
    """Both print what names mean, and refuse what is forged."""
    right, wrong = tmp_path / "right.jsonl", [tmp_path / f"{number}.jsonl" for number, _ in enumerate(forged())]
    write(right, lines := json.loads(written()))
    ours = subprocess.run([PROGRAM, right], capture_output=True, text=True, check=True).stdout
    assert ours.splitlines() == [*checked_lines(lines, tmp_path).understood(), "VALID"]
    for file, changed in zip(wrong, forged(), strict=True):
        write(file, changed)
    assert "VALID" not in verdicts(wrong)


def test_random_expressions(tmp_path: Path) -> None:
    """Both checkers say the same of random regular expressions, and print the same."""
    drawn = list(random_expressions(100, chosen_seed()))
    found, differ = agreement_on(((str(number), lines) for number, lines in enumerate(drawn)), tmp_path, None)
    assert differ == [] and found["both valid"] > 5 and found["both refuse"] > 5
    for number, lines in enumerate(drawn[::2]):
        ours = subprocess.run([PROGRAM, tmp_path / f"{2 * number}.jsonl"], capture_output=True, text=True, check=False)
        with suppress(Invalid, Malformed):
            assert ours.stdout.splitlines() == [*checked_lines(lines, tmp_path).understood(), "VALID"]


@pytest.mark.parametrize("name", ["T", "RS", "PD", "TM2", "F"])
def test_words_are_printed_alike(tmp_path: Path, name: str) -> None:
    session = fp.Session("msd_fib" if name == "F" else "msd_2")
    session.define_morphic_word("F", [[0, 1], [0]], [0, 1])
    if name == "TM2":
        session.define_morphic_word(name, [[0, 1], [1, 2], [3, 1], [0, 3]], [-1, 20, 3, 3])
    found = session.eval(f"En {name}[n]={name}[n+1]")
    assert isinstance(found, Verdict)
    file = tmp_path / "file.jsonl"
    write(file, lines := list(found.certificate().lines))
    ours = subprocess.run([PROGRAM, file], capture_output=True, text=True, check=True).stdout
    assert ours.splitlines() == [*checked_lines(lines, tmp_path).understood(), "VALID"]


@pytest.mark.parametrize("texts", CERTIFIED, ids=lambda texts: texts[0])
def test_sequences(tmp_path: Path, texts: tuple[str, ...]) -> None:
    """Both print the same of sequences, what determines them and digests among it."""
    check = certified(tmp_path, *texts)
    assert "both checkers" in str(check)
    ours = subprocess.run([PROGRAM, check.file], capture_output=True, text=True, check=True).stdout
    assert ours.splitlines() == [*fibcheck.check(check.file).understood(), "VALID"]
    assert "by induction, the only sequences: " in ours


def test_digests_of_sequences(tmp_path: Path) -> None:
    """A sequence that the file gives has a digest: of halves, here, and of integers of more than 63 bits."""
    session = fp.Session("msd_2", certify=tmp_path)
    session.solve("a", f"a(0)={1 << 70}, a(2n)=a(n)/2, a(2n+1)=a(n)-1/3")
    check = session.solve("b", "b(n)=2a(n)").theorem.certificate
    ours = subprocess.run([PROGRAM, check.file], capture_output=True, text=True, check=True).stdout
    assert ours.splitlines() == [*fibcheck.check(check.file).understood(), "VALID"]
    assert any(line.startswith("sequence a: ") and "digest" in line for line in ours.splitlines())


@pytest.mark.parametrize("text", SMALL)
def test_words_of_coefficients(tmp_path: Path, text: str) -> None:
    file = tmp_path / "file.jsonl"
    write(file, series.lines_of(text))
    ours = subprocess.run([PROGRAM, file], capture_output=True, text=True, check=True).stdout.splitlines()
    assert ours == [*fibcheck.check(str(file)).understood(), "VALID"]


def test_mutants_of_coefficients(tmp_path: Path) -> None:
    files, expected = list[Path](), list[bool]()
    for number, lines in enumerate(series.mutants(60, 12)):
        files.append(tmp_path / f"{number}.jsonl")
        write(files[-1], lines)
        expected.append(accepted(files[-1]))
    assert [said == "VALID" for said in verdicts(files)] == expected and len(set(expected)) == 2


def test_mutants_of_sequences(tmp_path: Path) -> None:
    found, differ = agreement(200, 7, tmp_path, of_sequences(tmp_path / "certificates"))
    assert not differ
    assert found["both valid"] and found["both refuse"] and not found["not decided"]


def test_mutants(tmp_path: Path) -> None:
    found, differ = agreement(200, 7, tmp_path)
    assert not differ
    assert found["both valid"] and found["both refuse"]


def test_projections_from_either_end(tmp_path: Path) -> None:
    """Of random relations, with guards and without, given or left out, both checkers accept the same."""
    lines = ((str(number), each) for number, each in enumerate(random_projections(300, 7)))
    found, differ = agreement_on(lines, tmp_path)
    assert not differ and found["both valid"] > 30 and found["both refuse"] > 30


def test_polynomials_that_grow_are_refused(tmp_path: Path) -> None:
    """Each of 1,024 terms, times each of 1,024: more than a polynomial may have."""
    above = [[1, 2 * i, 2 * j, 0, 0] for i in range(32) for j in range(32)]
    under = [[1, 0, 0, 2 * i, 2 * j] for i in range(32) for j in range(32)]
    system = {"system": "s", "digits": 2, "outputs": [1], "rows": [[0, 0, 1, 0]]}
    word = {"word": "W", "systems": ["s"], "outputs": [1], "rows": [[0, 0, 1, 0]],
            "series": {"prime": 2, "exponent": 1, "diagonal": [above, under]}}
    file = tmp_path / "grows.jsonl"
    head: dict[str, Any] = {"certificate": 2, "variables": {"x": "s"}}
    write(file, [head, system, word, {"rule": "and", "of": []}, {"statement": "true"}])
    assert verdicts([file]) == ["MALFORMED"]
    with pytest.raises(Malformed, match="too many terms"):
        fibcheck.check(str(file))
