"""Measuring processes: what ends how, when something is run again, and what a table says of a failure."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from benchmarks.job import Job
from benchmarks.measure import Budget, Measured, Run, ended, measured, plain, repeated, within

PYTHON = sys.executable

SCRIPT = 'def even "?msd_2 Ey x=2*y":\neval t "?msd_2 Ax $even(2*x)":\neval u "?msd_2 Ex $even(x)":\n'


def test_an_ended_process() -> None:
    code = "import sys; print(sys.stdin.read() + '!'); print('no', file=sys.stderr); sys.exit(3)"
    done = ended((PYTHON, "-c", code), "given")
    assert (done.status, done.out, done.err) == (3, "given!\n", "no\n")
    assert done.seconds > 0 and done.processor > 0 and done.peak > 1 << 20


def test_a_process_that_does_not_end_is_stopped() -> None:
    done = ended((PYTHON, "-c", "import signal; print('here', flush=True); signal.pause()"), seconds=0.5)
    assert done.status is None


def run(seconds: float) -> Run:
    return Run(seconds, seconds, 1000, {})


def test_something_is_run_so_many_times() -> None:
    runs = iter([run(1.0), run(5.0), run(3.0), run(9.0)])
    found = repeated(lambda: next(runs), 3)
    assert (found.failure, len(found.runs), found.seconds, found.processor, found.peak) == ("", 3, 3.0, 3.0, 1000)


def test_what_takes_long_is_run_once() -> None:
    assert len(repeated(lambda: run(30.0), 5, 20.0).runs) == 1
    assert len(repeated(lambda: run(15.0), 5, 20.0).runs) == 2


def test_the_first_failure_ends_the_runs() -> None:
    outcomes: Iterator[Run | str] = iter([run(1.0), "> 60 s"])
    assert repeated(lambda: next(outcomes), 5) == Measured((run(1.0),), "> 60 s")


def test_command_lines() -> None:
    assert len(plain((PYTHON, "-c", "pass"), 2).runs) == 2
    assert plain((PYTHON, "-c", "raise SystemExit('no')"), 2) == Measured((), "failed: exit status 1, no")


def test_a_job_in_its_own_processes() -> None:
    found = measured(Job(SCRIPT), 2, (True, True))
    assert found.failure == "" and len(found.runs) == 2
    assert found.largest >= found.of("even", "states") == 2
    assert 0 < found.of("t", "seconds") <= found.inside < found.seconds
    assert found.of("even", "transitions") > 0


@pytest.mark.parametrize(
    ("expected", "failure"),
    [((True, False), "failed: wrong verdicts (u)"), ((True,), "failed: wrong verdicts (2 of 1)")],
)
def test_wrong_verdicts_are_a_failure(expected: tuple[bool, ...], failure: str) -> None:
    assert measured(Job(SCRIPT), 2, expected).failure == failure


def test_an_error_is_a_failure_that_says_which() -> None:
    assert measured(Job('eval t "Ax $odd(x)":'), 1).failure == "failed: no predicate is called odd"


def test_a_spent_budget_is_a_failure_that_says_how_much() -> None:
    wide = Job('eval t "Ax,y,z,u (x=2*y & x+2*y+3*z!=5*u) => x<=x":')
    assert measured(within(wide, Budget(60.0, 1 << 20)), 1).failure == "> 0.000976562 GB"
    heavy = Job('def t "30000001*a-29999999*b+7777777*c=d":')
    assert measured(within(heavy, Budget(0.5, 4 << 30)), 1).failure == "> 0.5 s"


@pytest.mark.long
def test_a_system_of_its_own_or_the_known_one_of_that_name() -> None:
    job = Job('def t "?msd_own x+y=z":', recurrences={"msd_own": ((1, 1, 1), (1, 2, 4))})
    assert measured(job, 1).of("t", "states") == 149
    known = Job('def t "?msd_fib x+y=z":', recurrences={"msd_fib": ((1, 1, 1), (1, 2, 4))})
    assert measured(known, 1).of("t", "states") == 16


@pytest.mark.long
def test_plans_and_rules() -> None:
    assert measured(Job(SCRIPT, plan="textbook"), 1, (True, True)).failure == ""
    assert measured(Job(SCRIPT, without=("cache", "join-order")), 1, (True, True)).failure == ""
    failure = measured(replace(Job(SCRIPT), without=("no-such-rule",)), 1).failure
    assert failure.startswith("failed: unknown rule 'no-such-rule'")
