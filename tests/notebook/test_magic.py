"""`%load_ext fibprover` in a shell of IPython."""

from __future__ import annotations

from pathlib import Path

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.error import UsageError

from fibprover.base.errors import BudgetSpent, SyntaxProblem, UnknownName
from fibprover.frontends.notebook import magic
from fibprover.workspace.session import Session
from tests.display.html import images, read
from tests.few import few
from tests.notebook.conftest import Shell


def test_a_cell(shell: Shell) -> None:
    ran = shell.run("%%fibprover --system msd_fib", 'def low "x<3":', 'eval t "Ax $low(x)";')
    assert ran.error is None
    low, verdict = ran.texts
    assert low.startswith("def low: {x:msd_fib}") and verdict.startswith("eval t: FALSE") and "x = 3" in verdict
    assert all(read(html).text for html in ran.html)


def test_the_session_is_kept_and_python_has_it(shell: Shell) -> None:
    shell.run("%%fibprover --system msd_fib", 'def low "x<3";')
    assert shell.run("%%fibprover", "Ax $low(x) => x<5").texts == ["TRUE"]
    ran = shell.run("s = %fibprover", "print(s.relation('$low(x)').values(5), s.namespace.default_system)")
    assert ran.printed == "[0, 1, 2] msd_fib\n"
    shell.run("s.define('high', 'x>3')")
    (text,) = shell.run("%%fibprover", "Ex $high(x)").texts
    assert text.startswith("TRUE") and text.endswith("x = 4")


def test_a_session_of_ones_own(shell: Shell) -> None:
    shell.run("import fibprover as fp", "mine = fp.Session('msd_fib')", "_ = mine.define('low', 'x<3')")
    assert shell.run("%%fibprover --session mine", "Ex $low(x)").error is None
    shell.run("%%fibprover --session fresh", 'def other "x=1";')
    assert isinstance(shell.shell.user_ns["fresh"], Session)
    assert "other" in shell.shell.user_ns["fresh"].namespace.definitions
    assert isinstance(shell.run("%%fibprover --session fresh", "Ex $low(x)").error, UnknownName)
    assert shell.run("%%fibprover --session fresh --reset", 'eval t "Ex $other(x)";').error is not None
    shell.run("number = 5")
    assert isinstance(shell.run("%%fibprover --session number", "Ex x=1").error, UsageError)
    assert isinstance(shell.run("%%fibprover --session a-b", "Ex x=1").error, UsageError)


def test_loading_again_keeps_the_session(shell: Shell) -> None:
    shell.run("%%fibprover", 'def low "x<3";')
    shell.run("%reload_ext fibprover", "%load_ext fibprover")
    (text,) = shell.run("%%fibprover", "Ex $low(x)").texts
    assert text.startswith("TRUE") and text.endswith("x = 0")


def test_digits_are_shared_from_then_on(shell: Shell) -> None:
    assert shell.run("%%fibprover", "?msd_fib En T[n+1]=@1").error is not None
    assert shell.run("%%fibprover --shared-digits", "?msd_fib En T[n+1]=@1").error is None
    assert shell.run("%%fibprover", "?msd_fib En T[n+1]=@1").error is None


def test_folders_of_walnut(shell: Shell, tmp_path: Path) -> None:
    ran = shell.run(f"%%fibprover --home-dir '{tmp_path}' --global-session", 'def low "x<3";')
    assert ran.error is None
    assert (tmp_path / "Automata Library" / "low.txt").is_file()
    assert shell.run(f"%%fibprover --reset --home-dir '{tmp_path}' --global-session", "Ex $low(x)").error is None
    assert shell.run("%showme low").texts == ["the automaton low: 3 states, 3 transitions, over x0"]
    missing = shell.run(f"%fibprover --home-dir '{tmp_path / 'nowhere'}'")
    assert missing.error is not None
    assert "Traceback" not in missing.printed


def test_reset(shell: Shell) -> None:
    shell.run("%%fibprover", 'def low "x<3";')
    assert isinstance(shell.run("%%fibprover --reset", "Ex $low(x)").error, UnknownName)


def test_options_of_a_line_stay_and_those_of_a_cell_do_not(shell: Shell) -> None:
    shell.run("s = %fibprover --max-states 50 --plan textbook")
    session = shell.shell.user_ns["s"]
    assert (session.options.limits.states, session.options.plan) == (50, "textbook")
    assert isinstance(shell.run("%%fibprover", "1001*a-999*b=c").error, BudgetSpent)
    before = session.options
    assert shell.run("%%fibprover --max-states 5000 --plan optimized --without share-terms", "x=y").error is None
    assert session.options == before
    shell.run("%fibprover --timeout 7")
    assert session.options.limits.seconds == 7
    assert session.options.limits.states == 50


def test_the_time_of_a_cell_is_for_all_of_it(shell: Shell) -> None:
    ran = shell.run("%%fibprover --timeout 0.000001", "Ax,y x+y=y+x")
    assert isinstance(ran.error, BudgetSpent)
    assert ran.error.limit == 0.000001


@pytest.mark.parametrize("options", [
    "--timeout 60",
    *(pytest.param(each, marks=pytest.mark.long) for each in ("", "--max-states 100000000", "--max-memory 16G")),
])
def test_other_options_of_a_cell_keep_the_limits_of_the_session(options: str, shell: Shell) -> None:
    """CPU seconds are those of each evaluation, also where the cell has wall time of its own."""
    shell.run("import fibprover as fp", "mine = fp.Session(limits=fp.Limits(cpu_seconds=0.4))")
    ran = shell.run(f"%%fibprover --session mine {options}", "30000001*a-29999999*b+7777777*c=d")
    assert isinstance(ran.error, BudgetSpent) and ran.error.limit == 0.4
    # Together they take more; one takes a tenth of the limit, as a busy machine takes several times as long.
    many = [f'eval t "?msd_fib {factor}*x=y";' for factor in range(80, 140)]
    assert shell.run(f"%%fibprover --session mine {options}", *many).error is None


@pytest.mark.parametrize(
    "line", few(["--plan nonsense", "--no-such", "--timeout soon", "'unclosed", "--progress maybe"], 3)
)
def test_wrong_options(shell: Shell, line: str) -> None:
    ran = shell.run(f"%%fibprover {line}", "Ex x=1")
    assert isinstance(ran.error, UsageError)
    assert "Traceback" not in ran.printed


@pytest.mark.parametrize("line", ["%fibprover Ax x=x", "%fibprover --system msd_fib Ax x=x"])
def test_a_formula_beside_the_magic_is_told_where_it_belongs(shell: Shell, line: str) -> None:
    ran = shell.run(line)
    assert isinstance(ran.error, UsageError) and "%%fibprover\nAx x=x" in str(ran.error)


def test_an_unknown_system(shell: Shell) -> None:
    ran = shell.run("%%fibprover --system msd_nothing", "Ex x=1")
    assert ran.error is not None
    assert "Traceback" not in ran.printed


# -- errors ------------------------------------------------------------------------------------------


def test_errors_have_their_caret_and_no_traceback(shell: Shell) -> None:
    ran = shell.run("%%fibprover", 'def low "x<3";', 'eval t "Ax $lwo(x)";')
    assert isinstance(ran.error, UnknownName)
    assert len(ran.texts) == 1 and ran.texts[0].startswith("def low: ")
    message, text, caret, hint = ran.printed.splitlines()
    assert message.startswith("UnknownName: line 2: ") and "low" in hint
    assert text[caret.index("^") : caret.rindex("^") + 1] == "$lwo"


def test_errors_of_python_name_the_line_of_the_cell(shell: Shell) -> None:
    shell.run("import fibprover as fp", "s = fp.Session()")
    ran = shell.run("x = 1", "s.eval('Ex x>=')", "y = 2")
    assert isinstance(ran.error, SyntaxProblem)
    place, statement, _, formula, caret = ran.printed.splitlines()
    assert place.startswith("SyntaxProblem in line 2") and statement.strip() == "s.eval('Ex x>=')"
    assert formula[caret.index("^") : caret.rindex("^") + 1] == ">="


def test_an_interruption_keeps_what_was_done(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Session, "eval", interrupted)
        ran = shell.run("%%fibprover", 'macro m "x=1";', "Ex #m()")
    assert isinstance(ran.error, magic.Interrupted)
    assert ran.printed.startswith("interrupted") and ran.printed.count("\n") == 1
    (text,) = shell.run("%%fibprover", "Ex #m()").texts
    assert text.startswith("TRUE") and text.endswith("x = 1")


# -- showme, progress, other magics ------------------------------------------------------------------


def test_showme_in_a_cell_and_as_a_line(shell: Shell) -> None:
    first = shell.run("%%fibprover", 'def low "x<3";', "%showme low")
    assert first.texts[1] == "the automaton low: 3 states, 3 transitions, over x"
    assert len(images(first.html[1])) == 1
    assert shell.run("%showme low").texts == first.texts[1:]
    assert "unknown word or predicate nothing" in shell.run("%showme nothing").printed


def test_magics_of_ipython_work_in_cells(shell: Shell) -> None:
    ran = shell.run("%%fibprover", "%env FIBPROVER_TEST=7", "Ex x=1", "%who_ls int")
    assert ran.error is None
    verdict, names = ran.texts
    assert verdict.startswith("TRUE") and names == "[]"
    assert isinstance(shell.run("%%fibprover", "%fibprover").error, UnknownName)


@pytest.mark.long
def test_progress_is_shown_where_it_is_asked_for(shell: Shell) -> None:
    ran = shell.run("%%fibprover --progress plain --max-memory 16G --timeout 1.3", "30000001*a-29999999*b+7777777*c=d")
    assert isinstance(ran.error, BudgetSpent)
    assert "\na linear atom: " in ran.printed
    assert "states so far" in ran.printed
    assert "of 16.0 GiB" in ran.printed
    quiet = shell.run("%%fibprover --progress none --timeout 0.3", "30000001*a-29999999*b+7777777*c=d")
    assert quiet.printed.startswith("BudgetSpent: ")


def test_completion_in_a_cell(shell: Shell) -> None:
    shell.run("%%fibprover", 'def lowest "x<1";')

    def completed(cell: str) -> list[str]:
        completer = shell.shell.Completer
        assert completer is not None
        with provisionalcompleter():
            return [found.text for found in completer.completions(cell, len(cell))]

    assert completed('%%fibprover\neval t "$low') == ["$lowest("]
    assert completed("%%fibprover --system msd_fib\n\n%sh") == ["%showme"]
    assert "$lowest(" not in completed('eval t "$low')
