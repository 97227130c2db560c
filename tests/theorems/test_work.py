"""Who takes which step next, and what becomes of steps that somebody could not finish."""

from __future__ import annotations

import pytest

import fibprover as fp
from fibprover.theorems.attempt import ProofSettings
from fibprover.theorems.collect import Problem
from fibprover.theorems.counts import TextbookCount, TextbookCounts
from fibprover.theorems.names import NOTHING
from fibprover.theorems.report import Row
from fibprover.theorems.work import Task, Work


def chapter(title: str, steps: str) -> fp.Chapter:
    """A chapter of definitions (d), definitions that are claims (c), theorems (t) and long ones (l)."""
    made = fp.Chapter(title)
    for number, step in enumerate(steps):
        name = f"{title}{number}"
        if step in "dc":
            made.define(name, "x=1", states_paper=2 if step == "c" else None)
        else:
            made.theorem(name, "1=1", statement="s", long=step == "l")
    return made


def work(*steps: str, pattern: str = "") -> Work:
    return Work([chapter("abc"[i], text) for i, text in enumerate(steps)], ProofSettings(pattern=pattern))


def taken(found: Task | None) -> tuple[int, int]:
    assert found is not None
    return found.part, found.step


def row(of: Work, task: Task) -> Row:
    claim = of.settings.row_of(of.parts[task.part].chapter.declarations[task.step])
    assert claim is not None
    return Row(claim, True, None, None, 0.0, None)


def test_names_first_then_theorems_and_a_second_worker_waits_for_names_and_nothing_else() -> None:
    one = work("tdtdt")
    assert taken(one.next(0)) == (0, 1)
    assert taken(one.next(1)) == (0, 0)  # comes before the definition in progress
    assert one.next(2) is None
    one.put(Task(0, 1), None, NOTHING)
    assert taken(one.next(1)) == (0, 2)
    assert taken(one.next(0)) == (0, 3)
    assert one.next(1) is None
    one.put(Task(0, 3), None, NOTHING)
    assert taken(one.next(1)) == (0, 4)
    assert one.next(0) is None


def test_a_worker_begins_a_chapter_of_its_own_before_it_helps() -> None:
    two = work("dtt", "dtt")
    assert [taken(two.next(worker)) for worker in (0, 1)] == [(0, 0), (1, 0)]
    two.put(Task(0, 0), None, NOTHING)
    assert [taken(two.next(0)) for _ in range(2)] == [(0, 1), (0, 2)]
    assert two.next(0) is None
    two.put(Task(1, 0), None, NOTHING)
    assert taken(two.next(0)) == (1, 1)
    assert taken(two.next(1)) == (1, 2)


def test_the_chapter_that_took_the_textbook_plan_longest_is_begun_first() -> None:
    three = work("t", "t", "t")
    for part, seconds in ((1, 1.0), (2, 3.0)):
        count = TextbookCount("hash", 1, "", None, "", seconds, None)
        three.parts[part].counts = TextbookCounts({}, {"some": count})
    assert [taken(three.next(worker)) for worker in (0, 1, 2)] == [(2, 0), (1, 0), (0, 0)]


def test_a_helper_stays_with_the_chapter_whose_names_it_has() -> None:
    two = work("tttttt", "ttttttt")
    assert [taken(two.next(worker)) for worker in (0, 1)] == [(0, 0), (1, 0)]
    assert taken(two.next(2)) == (1, 1)  # where most is left
    for _ in range(3):
        two.next(1)
    assert taken(two.next(2)) == (1, 5)


def test_names_too_large_to_be_sent_leave_their_theorems_to_the_leader() -> None:
    one = work("tdt")
    assert taken(one.next(0)) == (0, 1)
    one.put(Task(0, 1), None, None)
    assert taken(one.next(1)) == (0, 0)
    assert one.next(1) is None
    assert taken(one.next(0)) == (0, 2)
    assert one.names_for(Task(0, 2)) == []


def test_names_are_those_of_the_steps_before() -> None:
    one = work("dtdt")
    for step in (0, 2):
        assert taken(one.next(0)) == (0, step)
        one.put(Task(0, step), None, NOTHING)
    assert one.names_for(Task(0, 1)) == [(0, NOTHING)]
    assert one.names_for(Task(0, 3)) == [(0, NOTHING), (2, NOTHING)]


def test_what_was_short_of_memory_is_left_to_the_end_with_all_that_waits_for_it() -> None:
    one = work("tdtt")
    assert [taken(one.next(0)), taken(one.next(1))] == [(0, 1), (0, 0)]
    one.set_aside(Task(0, 0))
    one.set_aside(Task(0, 1))
    assert (one.next(0), one.next(1)) == (None, None)
    assert one.parts[0].rest() == [0, 1, 2, 3]
    one.put(Task(0, 0), row(one, Task(0, 0)))
    assert one.parts[0].rest() == [1, 2, 3]


def test_what_is_left_needs_names_that_were_not_sent() -> None:
    one = work("ddtdt")
    for step, packed in ((0, None), (1, NOTHING), (3, None)):
        assert taken(one.next(0)) == (0, step)
        one.put(Task(0, step), None, packed)
    assert taken(one.next(0)) == (0, 2)
    one.set_aside(Task(0, 2))
    assert taken(one.next(0)) == (0, 4)
    one.put(Task(0, 4), row(one, Task(0, 4)))
    assert one.parts[0].rest() == [0, 2]


@pytest.mark.parametrize(("step", "kind"), [(0, Problem), (1, Row), (2, Row)])
def test_a_worker_that_dies_costs_the_step_it_was_at(step: int, kind: type) -> None:
    one = work("dct")
    for before in range(step):
        assert taken(one.next(0)) == (0, before)
        one.put(Task(0, before), None, NOTHING)
    assert taken(one.next(0)) == (0, step)
    one.lost(0, Task(0, step), "the worker died")
    (result,) = one.results()
    assert isinstance(result, kind) and isinstance(result, Row | Problem)
    said = result.problem if isinstance(result, Row) else result.message
    assert said.endswith(f"a{step}: the worker died")
    assert one.next(1) == (Task(0, step + 1) if step < 2 else None)


def test_names_that_died_with_the_leader_are_made_again_by_the_next_one() -> None:
    one = work("ddt")
    for step, packed in ((0, NOTHING), (1, None)):
        assert taken(one.next(0)) == (0, step)
        one.put(Task(0, step), None, packed)
    one.lost(0, None, "")
    assert taken(one.next(1)) == (0, 1)
    one.put(Task(0, 1), None, NOTHING)
    assert taken(one.next(1)) == (0, 2)


def test_a_step_given_back_is_the_next_one_again() -> None:
    one = work("dtt")
    for expected in ((0, 0), (0, 1)):
        task = one.next(0)
        assert task is not None and taken(task) == expected
        one.give_back(task)
        assert taken(one.next(0)) == expected
        one.put(task, None, NOTHING)
    assert one.size == 1


def test_results_are_in_the_order_of_the_scripts_and_rows_are_counted() -> None:
    two = work("dtc", "tl")
    assert (two.total, two.finished, two.size) == (3, 0, 4)
    for task in (Task(1, 0), Task(0, 2), Task(0, 1)):
        two.put(task, row(two, task))
    two.put(Task(0, 0), Problem("here", "wrong"))
    assert [result.claim.id if isinstance(result, Row) else result.message for result in two.results()] == [
        "wrong", "a1", "a2", "b0", "b1",
    ]
    assert two.finished == 3


def test_a_chapter_is_carried_out_as_far_as_its_last_selected_claim() -> None:
    two = work("dtdtd", "dt", pattern="a1")
    assert [part.chapter.title for part in two.parts] == ["a"]
    assert two.parts[0].rest() == [0, 1]
    assert work("dtdl").parts[0].rest() == [0, 1]
