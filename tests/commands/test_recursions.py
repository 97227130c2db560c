"""`solve` in scripts: what it defines, what its errors say and where, and its exit status."""

from __future__ import annotations

from pathlib import Path

import pytest

from fibprover.base.errors import FibproverError, SyntaxProblem, UnknownName, Unsolved
from fibprover.base.limits import Limits
from fibprover.language.commands import OperationCommand, parse_script
from fibprover.learn.theorem import Solution
from fibprover.workspace.session import Session
from tests.cli.command import answer

EVEN = 'solve even "n=0 | Em n=m+1 & ~$even(m)"'


def test_the_arguments_of_a_script() -> None:
    script = f'{EVEN} by n; solve A "n=0 | $B(n-1)" B "$A(n)":\nsolve P "p=0 | $P(p-1)" by "p";'
    commands = [each for each in parse_script(script) if isinstance(each, OperationCommand)]
    assert [each.arguments for each in commands] == [
        ("even", "n=0 | Em n=m+1 & ~$even(m)", ("by", "n")),
        ("A", "n=0 | $B(n-1)", "B", "$A(n)"),
        ("P", "p=0 | $P(p-1)", ("by", "p")),
    ]


@pytest.mark.parametrize("script", ["solve;", "solve a;", 'solve a "n=0" b;', 'solve a "n=0" by;', 'solve "n=0";'])
def test_malformed_commands(script: str) -> None:
    with pytest.raises(SyntaxProblem):
        parse_script(script)


def test_what_is_defined() -> None:
    session = Session("msd_2")
    results = session.run(f'{EVEN}; eval t "An $even(n) <=> Ek n=2*k"; def four "$even(n) & $even(n/2)";')
    assert isinstance(results[0][1], Solution) and bool(results[1][1])
    assert session.relation("$four(n)").values(3) == [0, 4, 8]
    assert Session("msd_2").solve("even", "n=0 | Em n=m+1 & ~$even(m)", limits=Limits(seconds=30)).states == 2


def test_errors_have_their_place() -> None:
    script = 'def a "x=1";\nsolve P "n=0 | $move(n,n) & $P(n)";'
    with pytest.raises(UnknownName) as problem:
        Session("msd_2").run(script)
    assert (problem.value.text, problem.value.start) == (script, script.index("$move"))
    with pytest.raises(FibproverError) as measure:
        Session("msd_2").run('solve P "n=0 | $P(n-1)" by k;')
    assert "k is not a parameter of P" in str(measure.value)
    with pytest.raises(FibproverError, match="has no formula"):
        Session("msd_2").solve("P", "n=0", "Q")
    with pytest.raises(SyntaxProblem, match="two formulas"):
        Session("msd_2").solve("P", "n=0", "P", "n=1")
    with pytest.raises(Unsolved) as unsolved:
        Session("msd_2").run('def a "x=1";\nsolve P "~$P(n)";')
    assert unsolved.value.command == "line 2, solve P"


def test_the_exit_status(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "script.txt"
    for text, status in ((f"{EVEN};", 0), ('solve P "~$P(n)";', 3), ('solve P "$P(n,n) | n=1";', 2)):
        file.write_text(text)
        assert answer(capsys, "run", str(file)).status == status, text


def test_names_of_solutions_that_failed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """What uses such a name is not carried out, and a second attempt to solve it is."""
    session = Session("msd_2")
    with pytest.raises(Unsolved):
        session.solve("P", "~$P(n)")
    assert session.solve("P", "n=0 | Em n=m+1 & ~$P(m)").relation.values(2) == [0, 2]


def test_all_names_of_relations_that_are_solved_together(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """After a failure both names are undefined, whatever they meant before; a later solution defines both again."""
    file = tmp_path / "script.txt"
    file.write_text(
        'def B "n=7";\n'
        'solve A "~$B(n)" B "$A(n)";\n'
        'eval first "En $B(n)";\n'
        'eval other "En n=3";\n'
        'solve A "n=0 | Em n=m+1 & $B(m)" B "Em n=m+1 & ~$A(m)";\n'
        'eval second "En $B(n) & n>3";\n'
    )
    said = answer(capsys, "run", "--keep-going", str(file))
    assert "B is undefined because line 2 failed" in said.err
    assert "other: TRUE" in said.out and "second: TRUE" in said.out and "first: " not in said.out
