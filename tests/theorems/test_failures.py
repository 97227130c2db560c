"""What goes wrong is kept where it is; spent budgets."""

from __future__ import annotations

import pytest

from fibprover.campaigns.theorems import task
from tests.theorems.scripts import HEAD, TRUE, Prove, Write, cells, verdicts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import fibprover\n1/0\n", "a.py:2: ZeroDivisionError: division by zero"),
        ("x = (\n", "a.py:1: SyntaxError: "),
        ("import fibprover as fp\nc = fp.Chapter('T')\nc.script('eval e \"1=1\":')\n", "a.py:3: eval e: "),
        ("raise SystemExit(0)\n", "a.py:1: the script ends Python when it is imported"),
        (HEAD + "c.theorem('t.true', '1=1', statement='s')\n", "b.py:3: the id t.true is already declared at "),
    ],
)
def test_a_script_that_fails_is_shown_with_its_place_and_the_rest_is_run(
    write: Write, prove: Prove, text: str, said: str
) -> None:
    write(text, "a.py")
    status, objects, _, err = prove(write(TRUE, "b.py").parent)
    assert (status, verdicts(objects)) == (2, {"t.true": True})
    assert said in err and "1 of 1 theorems as expected" not in err and "1 error outside them" in err


@pytest.mark.parametrize(
    ("declaration", "said"),
    [
        ("c.theorem('bad', 'Ax $nil(x)', statement='s')", "theorems.py:3: bad: "),
        ("c.theorem('bad', 'Ax x=', statement='s')", "theorems.py:3: bad: "),
        ("c.theorem('bad', 'x=1', statement='s')", "free variables (x)"),
        ("c.define('bad', 'x=(', states_paper=3)", "theorems.py:3: bad: "),
    ],
)
def test_a_theorem_that_fails_has_no_verdict_and_the_rest_is_run(
    write: Write, prove: Prove, declaration: str, said: str
) -> None:
    rest = "c.theorem('t.true', 'Ax x=x', statement='s')\n"
    status, objects, out, err = prove(write(HEAD + declaration + "\n" + rest))
    assert (status, verdicts(objects)) == (2, {"bad": None, "t.true": True})
    assert said in err and "1 of 2 theorems as expected" in err
    assert objects[0]["states_built"] is None
    assert cells(out, "bad")["verdict"] == "ERROR"


@pytest.mark.parametrize(
    ("declaration", "said"),
    [
        ("c.define('bad', 'x=(')", "theorems.py:3: bad: "),
        ("c.reg('bad', ['msd_fib'], '(0')", "theorems.py:3: bad: "),
        ("c.word('bad', [[1, 0], [0]], [0, 1])", "theorems.py:3: bad: "),
        ("c.words('missing.json')", "theorems.py:3: "),
        ("c.script('def bad \"x=\":')", "theorems.py:3: "),
        ("d = fp.Chapter('D', system='msd_none'); d.theorem('d', '1=1', statement='s')", "theorems.py:3: "),
    ],
)
def test_a_definition_that_fails_is_shown_with_its_place_and_the_rest_is_run(
    write: Write, prove: Prove, declaration: str, said: str
) -> None:
    rest = "c.theorem('t.true', 'Ax x=x', statement='s')\n"
    status, objects, _, err = prove(write(HEAD + declaration + "\n" + rest))
    assert status == 2 and verdicts(objects)["t.true"] is True
    assert said in err


@pytest.mark.parametrize(
    ("first", "second", "formula"),
    [
        ("c.define('p', 'x=3')", "c.define('p', 'x=(')", "Ax $p(x) => x=3"),
        ("c.define('p', 'x=3')", "c.define('p', 'x=(', states_paper=2)", "Ax $p(x) => x=3"),
        ("c.define('p', 'x=3')", "c.reg('p', ['msd_fib'], '(0')", "Ax $p(x) => x=3"),
        ("c.define('p', 'x=3')", "c.script('def p \"x=4\"; def p \"x=(\";')", "Ax $p(x) => x=4"),
        ("c.define('p', 'x=3')", "c.load_predicate('missing.txt', 'p')", "Ax $p(x) => x=3"),
        ("c.script('macro m \"x=1\";')", "c.script('reg m msd_2 \"((\";')", "Ex #m()"),
        ("", "c.word('T', [[0, 5], [1]], [0, 1])", "T[?msd_2 0]=@0"),
        ("", "c.words('missing.json')", "T[?msd_2 0]=@0"),
        ("c.define('p', 'x=3')", "c.script('inf nosuch; dfe p \"x=4\"; reg q msd_2 \"1\";')", "Ax $p(x) => x=3"),
        ("c.define('p', 'x=3')", "c.script('def p \"x=4\"; laod more.txt;')", "Ax $p(x) => x=4"),
        ("c.define('p', 'x=3')", "c.script('convert $p msd_4 nothing;')", "Ax $p(x) => x=3"),
        ("c.script('macro m \"$%0(3)\"; def p \"x=3\";')", "c.define('p', 'x=(')", "#m(p)"),
    ],
)
def test_a_failed_definition_leaves_no_older_meaning(
    write: Write, prove: Prove, first: str, second: str, formula: str
) -> None:
    """The theorem would be true of the older meaning; one about another name is not affected."""
    claim = f"c.theorem('t', {formula!r}, statement='s')\n"
    rest = "c.define('good', 'x=7')\nc.theorem('g', 'Ax $good(x) => x=7', statement='s')\n"
    status, objects, _, err = prove(write(HEAD + f"{first}\n{second}\n{claim}{rest}"))
    found = verdicts(objects)
    assert (status, found["t"], found["g"]) == (2, None, True)
    assert "theorems.py:4" in err and "theorems.py:5: t: " in err
    # A later definition of the name is in force.
    if "c.define('p', 'x=3')" in first:
        again = claim.replace("'t'", "'again'").replace("x=4", "x=3")
        status, objects, _, _ = prove(write(HEAD + f"{first}\n{second}\n{first}\n{again}"))
        assert verdicts(objects)["again"] is True


def test_what_is_made_after_a_failure_that_could_have_made_any_name_is_known(write: Write, prove: Prove) -> None:
    script = HEAD + (
        "c.define('old', 'n=0')\n"
        "c.words('missing.json')\n"
        "c.define('p', 'n=0')\n"
        "c.script('def q \"?msd_fib $p(n)\"; reg r fib \"0*1\"; def s \"$r(n)\"; union u q r;')\n"
        "c.script('def bad \"$old(n)\";')\n"
        "c.theorem('p', '$p(0) & $q(0) & $s(1) & $u(1)', statement='s')\n"
        "c.theorem('system', '?fib En n=1', statement='s')\n"
        "c.theorem('old', '$old(0)', statement='s')\n"
    )
    for jobs in ("1", "2"):
        status, objects, _, err = prove(write(script), "--jobs", jobs)
        assert (status, verdicts(objects)) == (2, {"p": True, "system": True, "old": None}), err
        assert "old is undefined because " in err and err.count("bad") <= 2


@pytest.mark.parametrize("declaration", [
    "define('p', '9=9 & x=4')", "define('p', '9=9 & x=4', states_paper=3)", "script('def p \"9=9 & x=4\";')",
    "words('9=9.json')",
])
@pytest.mark.parametrize("defect", [ZeroDivisionError, MemoryError])
def test_a_defect_leaves_no_older_meaning(
    write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch, declaration: str, defect: type[Exception]
) -> None:
    real = task._carried_out

    def broken(one: task.Task, watch: task.Watch | None) -> task.TaskResult:
        if "9=9" in repr(one.declaration):
            raise defect
        return real(one, watch)

    monkeypatch.setattr(task, "_carried_out", broken)
    script = f"c.define('p', 'x=3')\nc.{declaration}\nc.theorem('t', '$p(3)', statement='s')\n"
    _, objects, _, err = prove(write(HEAD + script), "--jobs", "1")
    assert verdicts(objects)["t"] is None and "p is undefined because " in err


@pytest.mark.parametrize(
    "declaration", ["define(None, 'x=3')", "reg(['p'], ['msd_2'], '1')", "theorem('bad', None, statement='s')"]
)
def test_a_declaration_with_what_is_no_text_ends_its_script_with_the_place(
    write: Write, prove: Prove, declaration: str
) -> None:
    status, objects, _, err = prove(write(HEAD + f"c.{declaration}\nc.theorem('t', '1=1', statement='s')\n"))
    assert (status, verdicts(objects)) == (2, {}) and "theorems.py:3: " in err and "1 error outside them" in err


def test_systems_of_a_script_are_known_afterwards(write: Write, prove: Prove) -> None:
    claims = "".join(
        f"c.theorem('t{number}', '?msd_own Ax,y Ez z=x+y & z>={number}', statement='s', expected={number == 0})\n"
        for number in range(2)
    )
    for jobs in ("1", "2"):
        status, objects, _, err = prove(write(HEAD + f"c.script('ost own [0] [1 2];')\n{claims}"), "--jobs", jobs)
        assert (status, verdicts(objects)) == (0, {"t0": True, "t1": False}), err


def test_a_spent_budget_is_exit_status_3_and_the_next_theorem_is_tried(write: Write, prove: Prove) -> None:
    script = HEAD + (
        "c.theorem('heavy', 'Ax,y,z,u,v,w x+2*y+3*z!=5*u+7*v+11*w', statement='s', form='control')\n"
        "c.theorem('light', 'Ax x=x', statement='s')\n"
    )
    status, objects, out, err = prove(write(script), "--timeout", "0.000001")
    assert status == 3 and verdicts(objects)["heavy"] is None
    assert "heavy: the budget of " in err and " is spent" in err
    assert cells(out, "heavy")["verdict"] == "SPENT"
    assert len(objects) == 2


def test_memory_is_a_budget_too(write: Write, prove: Prove) -> None:
    script = HEAD + "c.theorem('heavy', 'Ax,y,z,u x+2*y+3*z!=5*u', statement='s', form='control')\n"
    status, objects, _, err = prove(write(script), "--max-memory", "1M")
    assert status == 3 and verdicts(objects) == {"heavy": None} and "heavy: the budget of " in err


@pytest.mark.parametrize(
    ("worse", "status"), [("c.theorem('w', '1=2', statement='s')", 1), ("c.theorem('w', '1=', statement='s')", 2)]
)
def test_an_error_and_a_wrong_verdict_come_before_a_spent_budget(
    write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch, worse: str, status: int
) -> None:
    import fibprover as fp

    real = fp.Session.prove

    def spent(self: fp.Session, formula: str) -> fp.Verdict:
        if formula == "7=7":
            raise fp.BudgetSpent("seconds", 1)
        return real(self, formula)

    monkeypatch.setattr(fp.Session, "prove", spent)
    heavy = "c.theorem('heavy', '7=7', statement='s')\n"
    assert prove(write(HEAD + heavy))[0] == 3
    assert prove(write(HEAD + heavy + worse + "\n"))[0] == status
