"""`--certify`: what is proved gets a certificate that is checked before it is printed, or says why it has none."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.base.errors import FibproverError, FileProblem
from fibprover.base.limits import Limits
from fibprover.checker import fibcheck
from fibprover.frontends.display.page.game import content
from fibprover.frontends.display.values import html
from fibprover.prover.certificate import checking
from fibprover.prover.certificate.checking import CertificateCheck, certify
from fibprover.prover.certificate.tables import NotCertified
from fibprover.prover.certificate.writing import Certificate
from fibprover.sheets.certified import RESTS_ON
from fibprover.sheets.question import Question
from fibprover.sheets.study import study
from tests.cli.command import answer

G = "(n=0 & v=0) | Em,a,b n=m+1 & $G(m,a) & $G(a,b) & v+b=n"
MALE = "(n=0 & v=0) | Em,a,b n=m+1 & $M(m,a) & $Fe(a,b) & v+b=n"
FEMALE = "(n=0 & v=1) | Em,a,b n=m+1 & $Fe(m,a) & $M(a,b) & v+b=n"


def refuse(*_: object, **__: object) -> None:
    raise fibcheck.Invalid("claim 7 is wrong")


# -- solve -----------------------------------------------------------------------------------


def test_solve(tmp_path: Path) -> None:
    """The certificate has the proof that no other relations satisfy the recursion, and that these do."""
    session = fp.Session("msd_fib", certify=tmp_path / "new")
    theorem = session.solve("M", MALE, "Fe", FEMALE).theorem
    assert theorem.certificate is not None and theorem.certificate.checked
    assert "proved by induction" in str(theorem) and "certified: " in str(theorem) and "certified: " in html(theorem)
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["M_Fe.jsonl.gz"]
    said = list(fibcheck.check(theorem.certificate.file).understood())
    assert any(line.startswith("by induction, the only solution: $M(") and "; $Fe(" in line for line in said)
    assert "<=>" in said[-1]


def test_what_is_around_a_recursion(tmp_path: Path) -> None:
    """Predicates, words, and an older meaning of the name."""
    session = fp.Session("msd_2", certify=tmp_path)
    session.define("near", "n<=m+2 & m<n")
    session.define("R", "n>7")
    for _ in range(2):
        made = session.solve("R", "T[n]=@0 & ~Em $near(m,n) & $R(m)", by="n").theorem.certificate
        assert made is not None and made.checked
        assert {"near"} <= set(fibcheck.check(made.file).definitions)


@pytest.mark.parametrize("problem", [NotCertified("a reason"), Limits(seconds=1.0).start().spent("seconds")])
def test_decided_not_certified(
    problem: FibproverError, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> None:
        raise problem

    monkeypatch.setattr("fibprover.prover.certificate.writing.certificate", none)
    session, reason = fp.Session("msd_2", certify=tmp_path), problem.message
    solution = session.solve("even", "n=0 | Em n=m+1 & ~$even(m)")
    assert solution.relation.values(3) == [0, 2, 4] and "even" in session
    assert "decided, not certified: " in str(solution) and "proved" not in str(solution) and reason in str(solution)
    assert not list(tmp_path.iterdir())


def test_what_the_checker_refuses_is_not_defined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fibcheck, "check", refuse)
    session = fp.Session("msd_2", certify=tmp_path)
    before = session.define("even", "n>5")
    with pytest.raises(FibproverError, match="claim 7"):
        session.solve("even", "n=0 | Em n=m+1 & ~$even(m)")
    assert session["even"] == before


def test_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "s.txt"
    script.write_text(f'solve G "?msd_fib {G}" by n;\neval t "?msd_fib An Ev $G(n,v)":\n')
    said = answer(capsys, "run", str(script), "--certify", str(tmp_path / "c"))
    assert said.status == 0 and said.out.count("certified: ") == 2
    for name in ("G", "t"):
        assert answer(capsys, "check", str(tmp_path / "c" / f"{name}.jsonl.gz")).out.splitlines()[-1] == "VALID"
    (tmp_path / "file").write_text("")
    said = answer(capsys, "run", str(script), "--certify", str(tmp_path / "file"))
    assert said.status == 2 and "Traceback" not in said.err and "certified" not in said.out


# -- eval ------------------------------------------------------------------------------------

EVALS = """
def even "Ey x=2*y":
eval same "Ax $even(x) | $even(x+1)":
eval same "Ax $even(x)":
eval same "Ax $even(x) | $even(x+1)":
eval open "$even(x) & x<9":
eval half n "$even(i) & i<n":
eval pairs n m "i<n & i<m":
"""


def test_evaluations(tmp_path: Path) -> None:
    """Verdicts and counts are certified; a name that has another theorem already gets a number."""
    session = fp.Session(certify=tmp_path)
    outcomes = [outcome for _, outcome in session.run(EVALS)]
    checks = [getattr(outcome, "certified", None) for outcome in outcomes]
    files = [check and (Path(check.file).name if check.checked else check.reason) for check in checks]
    one, other = "same.jsonl.gz", "same_2.jsonl.gz"
    assert files == [None, one, other, one, None, "half.jsonl.gz", files[-1]] and "beside one number" in str(files[-1])
    assert sorted(file.name for file in tmp_path.iterdir()) == ["half.jsonl.gz", one, other]
    said = [list(fibcheck.check(str(tmp_path / file)).understood()) for file in (one, other, "half.jsonl.gz")]
    assert "x_0=1 & ~$even(x_0)" in said[1][-1] and "x_0=1" not in said[0][-1]
    assert any(line.startswith("sequence half: half(n_") for line in said[2])


REDEFINED = """
def even "Ey x=2*y":
eval t "Ax $even(x) => x!=1":
eval c n "$even(i) & i<n":
def even "Ey x=2*y+1":
eval t "Ax $even(x) => x!=1":
eval c n "$even(i) & i<n":
eval T "Ax x>=0":
"""


def test_names_that_mean_something_else_later(tmp_path: Path) -> None:
    """The same text is another theorem then; and some systems have one file for T and t."""
    session = fp.Session(certify=tmp_path)
    checks = [check for _, outcome in session.run(REDEFINED) if (check := getattr(outcome, "certified", None))]
    assert [Path(check.file).name.removesuffix(".jsonl.gz") for check in checks] == ["t", "c", "t_2", "c_2", "T_3"]
    assert all(check.is_there for check in checks)


def test_a_folder_that_cannot_be_made_is_an_error_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    session, decided = fp.Session(certify=tmp_path / "file"), list[object]()
    monkeypatch.setattr(session, "eval", decided.append)
    with pytest.raises(FileProblem):
        session.run('eval t "Ax x>=0":')
    assert not decided


def test_certified_evaluations_are_shown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "s.txt"
    script.write_text(EVALS)
    said = answer(capsys, "run", str(script), "--certify", str(tmp_path / "c"))
    assert said.status == 1  # one of them is false
    assert said.out.count("  certified: ") == 4 and said.out.count("  decided, not certified: ") == 1
    said = answer(capsys, "run", str(script), "--json", "--certify", str(tmp_path / "c"))
    found = [json.loads(line).get("certificate", {}).get("checked") for line in said.out.splitlines()]
    assert found == [None, True, True, True, None, True, False]
    said = answer(capsys, "run", str(script), "--latex", "--certify", str(tmp_path / "c"))
    assert said.out.count("\n% certified: ") == 4 and said.out.count("\n% decided, not certified: ") == 1
    half = fp.Session(certify=tmp_path / "c").run(EVALS)[5][1]
    assert "half.jsonl.gz" in html(half)
    verdict = fp.Session(certify=tmp_path / "c").run(EVALS)[1][1]
    assert "same.jsonl.gz" in html(verdict) and pickle.loads(pickle.dumps(verdict)).certified == verdict.certified  # type: ignore[attr-defined]


def test_what_the_checker_refuses_is_not_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fibcheck, "check", refuse)
    session = fp.Session("msd_2", certify=tmp_path)
    with pytest.raises(FibproverError, match="claim 7"):
        session.run('eval half n "i<n & T[i]=1":')
    assert "half" not in session


def test_the_second_check_has_an_end_where_there_is_no_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may take an hour for what the first one has accepted in a second."""
    given = list[float]()

    def slow(_: str, seconds: float) -> bool:
        given.append(seconds)
        return False

    monkeypatch.setattr(checking, "is_verified", slow)
    file, made = str(tmp_path / "t.jsonl.gz"), fp.Session().prove("Ax x>=0").certificate
    assert certify(made, file).checked and certify(made, file, 7.0).checked
    assert 60.0 <= given[0] < checking.MOST_SECONDS and given[1] == 7.0


def test_a_false_verdict_keeps_its_evidence(tmp_path: Path) -> None:
    (_, verdict), = fp.Session(certify=tmp_path).run('eval no "Ax Ey x=2*y":')
    assert isinstance(verdict, fp.Verdict)
    assert verdict.evidence is not None and verdict.evidence.values == {"x": 1} and verdict.certified is not None


# -- study -----------------------------------------------------------------------------------


def kinds() -> set[str]:
    """The kinds of all questions."""
    found, left = set(), [Question]
    while left:
        one = left.pop()
        left += one.__subclasses__()
        found.add(one.kind)
    return found - {""}


def test_each_kind_of_line_says_what_it_rests_on() -> None:
    """Those that are closed formulas need not."""
    assert kinds() - set(RESTS_ON) == {
        "claim", "cases", "counts", "steps", "derived", "line", "sequence", "greatest", "closed form", "set",
        "balance", "word",
    }
    assert set(RESTS_ON) <= kinds()


LINES = {
    "squares": True, "overlaps": True, "cube-orders": True, "lyndon-prefixes": True, "right-extensions": True,
    "complexity": True, "critical-exponent": True, "letter-0-frequency": False, "square-orders": True,
}


@pytest.mark.long
def test_study(tmp_path: Path) -> None:
    """Lines that are formulas have certificates of them, or of what is false; sets, if they are described in full."""
    sheet = study("PD", only=[*LINES], certify=tmp_path)
    for line in sheet.lines:
        check = line.certificate
        assert check is not None and check.checked is LINES[line.id], (line.id, check)
        if check.checked:
            assert check.file == str(tmp_path / f"PD.{line.id}.jsonl.gz")
            statement = fibcheck.check(check.file).statement
            assert statement is not None
            if line.kind == "claim":
                assert (line.status == "proved") != statement[1].startswith("~(E ")
        else:
            assert check.reason.startswith("it rests on ")
    text = str(sheet)
    assert "8 certified, 1 decided, not certified" in text and "decided  The letter 0 has frequency" in text
    assert text.count("decided, not certified: it rests on") == 1
    assert sheet.to_markdown().count("decided, not certified: it rests on") == 1
    again = pickle.loads(pickle.dumps(sheet))
    assert [line.certificate for line in again.lines] == [line.certificate for line in sheet.lines]
    plain = {each["id"]: each["certificate"] for each in sheet.as_json()}
    assert {name: each["checked"] for name, each in plain.items()} == LINES
    assert all(CertificateCheck.of_plain(each).file == each["file"] for each in plain.values())


def test_study_of_terms(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The line that says that a definition has these terms has the definition in its certificate."""
    terms = tmp_path / "terms.txt"
    terms.write_text("".join(f"{n} {n.bit_count() % 2}\n" for n in range(300)))
    asked = ("study", "--terms", str(terms), "--only", "squares", "--json", "-", "--certify", str(tmp_path))
    said = answer(capsys, *asked, "--definition", "(Em n=2*m & n>0 & $a(m)) | (Em n=2*m+1 & ~$a(m))")
    word, squares = json.loads(said.out)
    assert said.status == 0 and word["status"] == squares["status"] == "proved"
    understood = fibcheck.check(word["certificate"]["file"]).understood()
    assert any(line.startswith("by induction, the only solution: $a(") for line in understood)
    two = answer(capsys, "study", "T", "PD", "--certify", str(tmp_path))
    assert two.status == 2 and "one word" in two.err


def test_a_line_that_is_not_what_its_formula_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "write_bytes", lambda *_, **__: pytest.fail("it was written"))
    right = fp.Session.prove
    calls = []

    def wrong(self: fp.Session, *given: object, **named: object) -> object:
        calls.append(given)
        return right(self, "1=0") if len(calls) > 2 else right(self, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(fp.Session, "prove", wrong)
    with pytest.raises(FibproverError, match="disagree"):
        study("T", only=["squares"], certify=tmp_path)


# -- game ------------------------------------------------------------------------------------


@pytest.mark.long
def test_game(tmp_path: Path) -> None:
    """The theorem, and the findings that are formulas."""
    theorem = fp.discover("wythoff()")
    assert theorem.certificates == ()
    found = theorem.certified(tmp_path)
    names = [each.name for each in found.findings]
    assert [each.checked for each in found.certificates] == [
        True, *(name in ("representations", "sequences", "recurrence") for name in names)
    ]
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "P.1.representations.jsonl.gz", "P.2.sequences.jsonl.gz", "P.3.recurrence.jsonl.gz", "P.jsonl.gz"
    ]
    checker = fibcheck.check(str(tmp_path / "P.3.recurrence.jsonl.gz"))
    assert {"A", "B", "used"} <= {*checker.predicates, *checker.definitions}
    said = " ".join(str(found).split())
    assert said.count("Certified: ") == 4 and "not certified: it is no formula" in said
    plain = found.as_json()
    assert plain["certificate"]["checked"] and [each["certificate"]["checked"] for each in plain["findings"]] == [
        each.checked for each in found.certificates[1:]
    ]
    items = content(found, "1")["items"]
    assert all(" ".join(item["said"]).lower().count("certified: ") == 1 for item in items)
    with pytest.raises(FibproverError):
        fp.discover("wythoff()", "msd_2", limits=Limits(seconds=0.5), with_findings=False).certified(tmp_path)


def test_a_game_that_the_checker_refuses(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is called a theorem then."""
    monkeypatch.setattr(fibcheck, "check", refuse)
    said = answer(capsys, "game", "nim()", "--no-findings", "--certify", str(tmp_path))
    assert said.status == 2 and "claim 7" in said.err and "Theorem" not in said.out


# -- the checkers ----------------------------------------------------------------------------


def program(folder: Path, status: int) -> str:
    """A program that ends with a status, in place of the checker that is proved in Coq."""
    file = folder / "checker"
    file.write_text(f"#!/bin/sh\necho INVALID as it says\nexit {status}\n")
    file.chmod(0o755)
    return str(file)


@pytest.mark.skipif(shutil.which("sh") is None, reason="there is no sh")
@pytest.mark.parametrize(("status", "verified"), [(0, True), (2, False), (3, False), (1, None)])
def test_both_checkers(
    status: int, verified: bool | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the verified checker does not decide is checked by fibcheck.py alone; what it refuses is not certified."""
    monkeypatch.setattr(checking, "verified_checker", lambda: program(tmp_path, status))
    verdict = fp.Session().prove("Ax Ey y>x")
    if verified is None:
        with pytest.raises(FibproverError, match=r"disagree.*as it says"):
            certify(verdict.certificate, str(tmp_path / "x.jsonl.gz"))
        return
    check = certify(verdict.certificate, str(tmp_path / "x.jsonl.gz"))
    assert check.checked and check.verified is verified and ("by both checkers" in str(check)) is verified


def test_what_takes_too_long_to_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_long(*_: object, **__: object) -> None:
        raise fibcheck.Malformed("it takes more than 3 s")

    monkeypatch.setattr(fibcheck, "check", too_long)
    check = certify(fp.Session().prove("Ax,y x+y=y+x").certificate, str(tmp_path / "x.jsonl.gz"), 3)
    assert not check.checked and str(check) == "decided, not certified: it is not checked: it takes more than 3 s"


def test_a_file_of_an_earlier_run_is_not_taken_for_a_certificate(tmp_path: Path) -> None:
    """It is left as it is, and the reason names it."""
    def none() -> Certificate:
        raise NotCertified("it is too hard")

    file = str(tmp_path / "x.jsonl.gz")
    first = certify(none, file)
    assert not first.checked and file not in str(first)
    made = certify(fp.Session().prove("Ax,y x+y=y+x").certificate, file)
    second = certify(none, file)
    assert not second.checked and f"it is too hard; {file}" in str(second) and not second.file
    assert made.checked and made.is_there
