"""Calls that the main thread carries out for other threads."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError

import pytest

from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits
from fibprover.frontends.cli.main_thread import Call, Calls
from fibprover.workspace.guard import enforced


@pytest.fixture(
    params=[signal.default_int_handler, signal.SIG_IGN], ids=["as usual", "in the background"], autouse=True
)
def interruptions(request: pytest.FixtureRequest) -> Iterator[None]:
    """Ctrl-C is ignored by programs that a shell has started in the background."""
    before = signal.signal(signal.SIGINT, request.param)
    yield
    assert signal.signal(signal.SIGINT, before) is request.param


def carried_out(asking: Callable[[Calls], None]) -> None:
    """Serve the calls that `asking` asks for in another thread."""
    calls = Calls()

    def ask() -> None:
        try:
            asking(calls)
        finally:
            calls.close()

    thread = threading.Thread(target=ask)
    thread.start()
    calls.serve()
    thread.join()


def endless(begun: threading.Event) -> Callable[[], object]:
    """Return a function that never ends, and polls nothing."""

    def function() -> object:
        begun.set()
        while True:
            pass

    return function


def test_results_and_exceptions_are_handed_on() -> None:
    found: list[object] = []

    def asking(calls: Calls) -> None:
        first, second, third = calls.ask(threading.current_thread), calls.ask(lambda: int("x")), calls.ask(int)
        found.extend((first.future.result(9), second.future.exception(9), third.future.result(9)))

    carried_out(asking)
    assert found[0] is threading.main_thread() and isinstance(found[1], ValueError) and found[2] == 0


def test_limits_hold_for_what_does_not_poll() -> None:
    problems: list[BaseException | None] = []

    def limited() -> object:
        with enforced(Limits(seconds=0.2)):
            return endless(threading.Event())()

    carried_out(lambda calls: problems.append(calls.ask(limited).future.exception(9)))
    assert isinstance(problems[0], BudgetSpent)


def test_a_cancelled_call_is_interrupted_and_the_next_one_is_carried_out() -> None:
    results: list[object] = []

    def asking(calls: Calls) -> None:
        begun = threading.Event()
        running, waiting, left = calls.ask(endless(begun)), calls.ask(lambda: results.append("waited")), calls.ask(int)
        begun.wait(9)
        # What asked for this one has gone without a word, as a coroutine does that is cancelled.
        waiting.future.cancel()
        calls.cancel(running)
        results.append(type(running.future.exception(9)))
        results.append(left.future.result(9))
        # It is too late to cancel this one.
        calls.cancel(left)
        results.append(calls.ask(lambda: 5).future.result(9))

    carried_out(asking)
    assert results == [CancelledError, 0, 5]


def test_the_end_interrupts_what_is_carried_out() -> None:
    asked: list[Call[object]] = []

    def asking(calls: Calls) -> None:
        begun = threading.Event()
        asked.append(calls.ask(endless(begun)))
        begun.wait(9)

    before = time.monotonic()
    carried_out(asking)
    assert time.monotonic() - before < 9 and isinstance(asked[0].future.exception(0), CancelledError)


def test_many_cancellations_interrupt_nothing_else() -> None:
    done: list[object] = []

    def asking(calls: Calls) -> None:
        for number in range(200):
            call = calls.ask(lambda: sum(range(2000)))
            if number % 2:
                time.sleep(0.0001 * (number % 5))
            calls.cancel(call)
            done.append(calls.ask(lambda: 7).future.result(9))

    carried_out(asking)
    assert done == [7] * 200
