"""A spent budget is BudgetSpent wherever it ends: nothing takes it for a mistake, or makes another error of it."""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lark import Lark, Transformer

import fibprover as fp
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Budget, Limits, cpu_clock, limits_of_part, poll, spending
from fibprover.infer.slopes import suggested_systems
from fibprover.workspace.guard import enforced

ROOT = Path(__file__).resolve().parent.parent / "fibprover"

#: Errors of which BudgetSpent is one.
WIDE = {"FibproverError", "Exception", "BaseException"}

#: Functions that catch it with all others since they report it, or end with it: what they answer says so, or what is
#: computed after them, within the same budget.
REPORTING = {
    "campaigns/sweeps/cluster.py": {"Cluster.submit", "Cluster._end"},
    "campaigns/sweeps/store.py": {"Store.renewing.renew", "Store._is_to_end"},
    "campaigns/sweeps/sweep.py": {"_task"},
    "campaigns/sweeps/tasks.py": {"carry_out"},
    "campaigns/theorems/schedule.py": {"Schedule._add"},
    "campaigns/theorems/scripts.py": {"collect"},
    "campaigns/theorems/stored.py": {"StoredRows._hash"},
    "campaigns/theorems/task.py": {
        "carry_out", "DeclarationRunner.problem", "DeclarationRunner.row", "DeclarationRunner.valid_count",
        "DeclarationRunner.second_opinion",
    },
    "campaigns/word_sheets.py": {"sheet_of"},
    "frontends/cli/main.py": {"_main"},
    "frontends/cli/prompt.py": {"Prompt.answer"},
    "frontends/cli/run.py": {"run"},
    "frontends/cli/serve.py": {"run.speak"},
    "frontends/cli/tool_process.py": {"_serve"},
    "frontends/cli/tools.py": {"Tools._answered"},
    "frontends/conversation/warnings.py": {"parsed"},
    "frontends/display/drawing.py": {"drawing_html"},
    "frontends/display/game_values.py": {"_game_board"},
    "frontends/display/values.py": {"latex_if_any"},
    # An editor shows it as a problem of the line, or shows nothing at this place.
    "frontends/editor/answers.py": {"_of_system"},
    "frontends/editor/folder.py": {"scripts_of"},
    "frontends/editor/outline.py": {"_Reader._load", "_Reader.begin", "_names_in"},
    "frontends/editor/running.py": {"Evaluations._answered"},
    "frontends/editor/sketch.py": {"Sketch._bound", "Sketch.define", "Sketch.formula"},
    "frontends/web/cells.py": {"_message", "Cells.ask", "Cells.run"},
    "frontends/web/process.py": {"CellProcess._called", "_serve"},
    "frontends/web/server.py": {"_Answers.cells", "_Answers.keep"},
    "prover/formula_warnings.py": {"formula_warnings"},
    "sheets/predicates.py": {"missing_predicates", "_not_defined", "_not_learned"},
    "sheets/study.py": {"_within"},
}


def named(node: ast.AST | None) -> set[str]:
    """Return the names of the errors that a handler catches."""
    if node is None:
        return {"BaseException"}
    parts = [each for each in ast.walk(node) if isinstance(each, ast.Name | ast.Attribute)]
    return {each.id if isinstance(each, ast.Name) else each.attr for each in parts}


def ends_by_raising(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def polls_first(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler begins with a look at the budget around it: only that of a part was spent then."""
    first = handler.body[0]
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Call) and named(first.value.func) == {"poll"}


def swallowing(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the functions with handlers that catch a spent budget with other errors, and the lines of the handlers."""

    def visit(node: Any, place: str) -> Iterator[tuple[str, int]]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            place = f"{place}.{node.name}".lstrip(".")
        if isinstance(node, ast.Try):
            for handler in node.handlers:
                caught = named(handler.type)
                if "BudgetSpent" in caught:
                    break
                if caught & WIDE and not ends_by_raising(handler) and not polls_first(handler):
                    yield place, handler.lineno
        suppressed = node.args if isinstance(node, ast.Call) and "suppress" in named(node.func) else []
        if set().union(*map(named, suppressed)) & WIDE:
            yield place, node.lineno
        for child in ast.iter_child_nodes(node):
            yield from visit(child, place)

    return visit(tree, "")


def test_no_handler_takes_a_spent_budget_for_a_mistake() -> None:
    found = {
        (file.relative_to(ROOT).as_posix(), place, line)
        for file in ROOT.rglob("*.py")
        for place, line in swallowing(ast.parse(file.read_text()))
    }
    assert [each for each in sorted(found) if each[1] not in REPORTING.get(each[0], ())] == []
    known = {(file, place) for file, places in REPORTING.items() for place in places}
    assert known <= {each[:2] for each in found}, "these no longer catch it"


def test_the_rule_finds_what_it_is_about() -> None:
    text = "def f():\n try:\n  g()\n except FibproverError:\n  return 1\n with suppress(Exception):\n  g()\n"
    assert list(swallowing(ast.parse(text))) == [("f", 4), ("f", 6)]
    text = "try:\n g()\nexcept BudgetSpent:\n raise\nexcept FibproverError:\n pass\n"
    assert list(swallowing(ast.parse(text))) == []


#: A budget whose time is over.
OVER = Budget(deadline=0.0, seconds=3.0)


def test_in_systems_and_words(tmp_path: Path) -> None:
    session = fp.Session()
    automaton, words = tmp_path / "a.txt", tmp_path / "w.json"
    automaton.write_text("msd_rec_7_3\n0 0\n0 -> 0\n")
    words.write_text('{"W": {"system": "msd_rec_7_2", "morphism": [[0, 1], [1, 0]], "coding": [0, 1]}}')
    with spending(OVER), pytest.raises(BudgetSpent):
        session.namespace.load_word(str(automaton), "A")
    with spending(OVER), pytest.raises(BudgetSpent):
        session.load_words(str(words))


def test_what_a_library_makes_of_it_is_a_spent_budget_again() -> None:
    class Slow(Transformer):  # type: ignore[type-arg]
        def start(self, _: object) -> None:
            endless()

    parser = Lark('start: "a"', parser="lalr")
    tree = parser.parse("a")
    with pytest.raises(BudgetSpent, match=r"0\.1 s"), enforced(Limits(seconds=0.1)):
        Slow().transform(tree)


def test_other_errors_stay_what_they_are() -> None:
    with pytest.raises(ZeroDivisionError), enforced(Limits(seconds=100)):
        _ = 1 // 0


# Seconds of the processor


def polling() -> None:
    while True:
        poll("something")


def endless() -> None:
    while True:
        pass


def test_cpu_seconds_do_not_pass_while_the_thread_waits() -> None:
    with spending(Limits(cpu_seconds=0.2).start()) as budget:
        time.sleep(0.3)
        poll("nothing")
        assert 0 < budget.seconds_left() <= 0.2
        begun = cpu_clock()
        with pytest.raises(BudgetSpent, match=r"0\.2 s"):
            polling()
        assert cpu_clock() - begun < 0.5


def test_kernels_look_at_cpu_seconds() -> None:
    session = fp.Session(limits=Limits(cpu_seconds=0.2))
    begun = cpu_clock()
    with pytest.raises(BudgetSpent) as caught:
        session.eval("30000001*a-29999999*b+7777777*c=d")
    assert (caught.value.resource, caught.value.limit) == ("seconds", 0.2)
    assert cpu_clock() - begun < 2


def test_the_timer_looks_at_cpu_seconds() -> None:
    with pytest.raises(BudgetSpent, match=r"0\.1 s"), enforced(Limits(cpu_seconds=0.1)):
        endless()


def test_a_part_of_a_part_ends_with_the_whole() -> None:
    with spending(Limits(cpu_seconds=100).start()) as outer:
        assert Limits(cpu_seconds=500).start().cpu_deadline == outer.cpu_deadline
        inner = Limits(cpu_seconds=5).start()
        assert inner.cpu_deadline < outer.cpu_deadline
        assert inner.within(1).seconds_left() <= 1 < inner.within(50).seconds_left() <= 5


def test_a_part_of_long_work_has_more_wall_time_than_cpu_time() -> None:
    limits = limits_of_part(2, Limits(states=7))
    assert (limits.states, limits.cpu_seconds) == (7, 2) and limits.seconds is not None and limits.seconds > 2
    assert limits_of_part(None) == Limits()
    assert limits.share(0.5).cpu_seconds == 1 and Limits(seconds=4).share(0.5) == Limits(seconds=2)


def test_suggestions_of_systems_do_not_swallow_it() -> None:
    pairs = [(n * 8 // 5, n * 13 // 5) for n in range(2000)]
    with spending(OVER), pytest.raises(BudgetSpent):
        suggested_systems([a for a, _ in pairs], [b for _, b in pairs])
