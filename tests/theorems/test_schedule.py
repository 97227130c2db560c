"""Which declaration comes next, and what becomes of tasks that could not be finished."""

from __future__ import annotations

import pytest

import fibprover as fp
from fibprover.campaigns.theorems.counts import TextbookCount, TextbookCounts
from fibprover.campaigns.theorems.proof_report import Row
from fibprover.campaigns.theorems.schedule import Groups, Schedule
from fibprover.campaigns.theorems.scripts import Problem
from fibprover.campaigns.theorems.task import ProofSettings, SessionDelta, Task, TaskResult, failed


def chapter(title: str, kinds: str) -> fp.Chapter:
    """A chapter of definitions (d), definitions that are claims (c), theorems (t) and long ones (l)."""
    made = fp.Chapter(title)
    for number, kind in enumerate(kinds):
        name = f"{title}{number}"
        if kind in "dc":
            made.define(name, "x=1", states_paper=2 if kind == "c" else None)
        else:
            made.theorem(name, "1=1", statement="s", long=kind == "l")
    return made


def schedule(*kinds: str, pattern: str = "") -> Schedule:
    return Schedule([chapter("abc"[i], text) for i, text in enumerate(kinds)], ProofSettings(pattern=pattern))


def taken(of: Schedule) -> Task:
    task = of.next()
    assert task is not None
    return task


def finish(of: Schedule, task: Task) -> None:
    """Finishes a task with a TRUE claim or an empty delta."""
    claim = of.settings.selected_claim(task.declaration)
    of.finish(task, TaskResult(None if claim is None else Row(claim, True, None, None, 0.0, None)))


def remaining(of: Schedule) -> list[tuple[int, int]]:
    return list(of.remaining())


def test_definitions_come_first_and_a_theorem_waits_for_those_before_it_and_for_nothing_else() -> None:
    one = schedule("tdtdt")
    first = taken(one)
    assert first.key == (0, 1)
    assert taken(one).key == (0, 0)  # comes before the definition in progress
    assert one.next() is None
    finish(one, first)
    second = taken(one)
    assert second.key == (0, 3)
    assert taken(one).key == (0, 2)
    assert one.next() is None
    finish(one, second)
    assert taken(one).key == (0, 4)
    assert one.next() is None


def test_the_next_chapter_begins_while_a_definition_of_the_first_is_in_progress() -> None:
    two = schedule("dtt", "dtt")
    first, other = taken(two), taken(two)
    assert (first.key, other.key) == ((0, 0), (1, 0))
    assert two.next() is None
    finish(two, other)
    assert taken(two).key == (1, 1)
    finish(two, first)
    assert [taken(two).key for _ in range(3)] == [(0, 1), (0, 2), (1, 2)]


def test_the_chapter_with_the_slowest_textbook_plan_begins_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(file: object) -> TextbookCounts:
        seconds = {"a0": 0.0, "b0": 1.0, "c0": 3.0}
        return TextbookCounts({}, {id_: TextbookCount("h", 1, "", None, "", s, None) for id_, s in seconds.items()})

    monkeypatch.setattr("fibprover.campaigns.theorems.schedule.read", read)
    three = schedule("t", "t", "t")
    assert [taken(three).key for _ in range(3)] == [(2, 0), (1, 0), (0, 0)]


def test_a_task_has_the_names_that_its_formula_mentions_as_the_declarations_before_it_made_them() -> None:
    made = fp.Chapter("names", system="msd_fib")
    made.define("f", "x=1")
    made.define("g", "x=2")
    made.theorem("one", "$f(1)", statement="s")
    made.define("f", "x=3")
    made.theorem("two", "$f(3) & ~$f(1)", statement="s")
    made.theorem("unknown", "$h(3)", statement="s")
    of = Schedule([made], ProofSettings())
    session = fp.Session("msd_fib")
    while (task := of.next()) is not None and task.key[1] not in (2, 4, 5):
        before = SessionDelta.of_session(session)
        session.define(task.declaration.name, task.declaration.formula)  # type: ignore[union-attr]
        of.finish(task, TaskResult(None, delta=SessionDelta.of_session(session).since(before)))
    first, second, third = (of.task(0, index) for index in (2, 4, 5))
    assert (set(first.names.definitions), str(first.names.definitions["f"].origin)) == ({"f"}, "x=1")
    assert (set(second.names.definitions), str(second.names.definitions["f"].origin)) == ({"f"}, "x=3")
    assert set(third.names.definitions) == {"f", "g"}


def test_what_was_short_of_memory_is_left_to_the_end_with_all_that_waits_for_it() -> None:
    one = schedule("tdtt")
    definition, theorem = taken(one), taken(one)
    assert (definition.key, theorem.key) == ((0, 1), (0, 0))
    one.defer(theorem)
    one.defer(definition)
    assert one.next() is None
    assert remaining(one) == [(0, 0), (0, 1), (0, 2), (0, 3)]
    finish(one, theorem)
    assert remaining(one) == [(0, 1), (0, 2), (0, 3)]


@pytest.mark.parametrize(("step", "kind"), [(0, Problem), (1, Row), (2, Row)])
def test_a_failed_task_is_a_row_or_a_problem_and_the_next_one_comes(step: int, kind: type) -> None:
    one = schedule("dct")
    for _ in range(step):
        finish(one, taken(one))
    task = taken(one)
    assert task.key == (0, step)
    one.finish(task, failed(task, "the process died"))
    outcome = list(one.outcomes())[-1]
    assert isinstance(outcome, kind) and isinstance(outcome, Row | Problem)
    said = outcome.problem if isinstance(outcome, Row) else outcome.message
    assert said.endswith(f"a{step}: the process died")
    following = one.next()
    assert (None if following is None else following.key) == ((0, step + 1) if step < 2 else None)


def test_a_requeued_task_is_the_next_one_again() -> None:
    one = schedule("dtt")
    for key in ((0, 0), (0, 1)):
        task = taken(one)
        assert task.key == key
        one.requeue(task)
        task = taken(one)
        assert task.key == key
        finish(one, task)
    assert one.size == 1


def test_names_are_dropped_with_the_last_declaration_of_a_chapter_unless_a_page_shows_them() -> None:
    for exhibits in (False, True):
        of = Schedule([chapter("a", "dt")], ProofSettings(exhibits=exhibits))
        finish(of, taken(of))
        assert [set(deltas) for _, deltas in of.deltas()] == [{0}]
        finish(of, taken(of))
        assert [set(deltas) for _, deltas in of.deltas()] == [{0} if exhibits else set()]


def test_outcomes_are_in_the_order_of_the_scripts_and_rows_are_counted() -> None:
    two = schedule("dtc", "tl")
    assert (two.total, two.finished, two.size) == (3, 0, 4)
    for key in ((1, 0), (0, 2), (0, 1)):
        finish(two, two.task(*key))
    two.finish(two.task(0, 0), TaskResult(Problem("here", "wrong")))
    assert [one.claim.id if isinstance(one, Row) else one.message for one in two.outcomes()] == [
        "wrong", "a1", "a2", "b0", "b1",
    ]
    assert two.finished == 3


def test_a_chapter_is_carried_out_as_far_as_its_last_selected_claim() -> None:
    two = schedule("dtdtd", "dt", pattern="a1")
    assert [progress.chapter.title for progress in two.chapters] == ["a"]
    assert remaining(two) == [(0, 0), (0, 1)]
    assert remaining(schedule("dtdl")) == [(0, 0), (0, 1)]


def keys(tasks: tuple[Task, ...]) -> list[tuple[int, int]]:
    return [task.key for task in tasks]


def test_short_tasks_are_sent_together_long_ones_and_those_of_which_a_worker_died_alone() -> None:
    one, groups = schedule("t" * 100), Groups()
    assert keys(groups.next(one, 2)) == [(0, 0)], "nothing is known yet"
    groups.note(10, 0.5)
    assert keys(groups.next(one, 2)) == [(0, number) for number in range(1, 7)]
    groups.alone.add((0, 9))
    assert keys(groups.next(one, 2)) == [(0, 7), (0, 8)]
    assert keys(groups.next(one, 2)) == [(0, 9)]
    groups.note(1, 100.0)
    assert keys(groups.next(one, 2)) == [(0, 10)]
    groups = Groups()
    groups.note(1000, 0.001)
    assert len(groups.next(one, 4)) == 100 // 8, "some are left for the others"


def test_definitions_in_a_group_are_of_different_chapters() -> None:
    two, groups = schedule("dd" + "t" * 40, "dd" + "t" * 40), Groups()
    groups.note(100, 1.0)
    assert keys(groups.next(two, 1)) == [(0, 0), (1, 0)]
    assert groups.next(two, 1) == ()
