"""Kernels stop at budgets, signals, lack of memory, sizes that are too large, and malformed arrays."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from array import array
from collections.abc import Callable
from dataclasses import replace

import pytest

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build, frozen
from fibprover.automata.kernels import automata as backend
from fibprover.base.errors import AutomatonError, BudgetSpent, LimitError
from fibprover.base.limits import UNBOUNDED, Budget, Limits

from .test_kernels import BITS, P, Q, X, from_the_end, less, value

SYMBOL = Track("z", BITS)


def worst(distance: int) -> Dfa:
    """Over (p, z): z is 1 at one of the last `distance` positions, where p is 1; exists z needs 2^distance states."""
    rows: list[dict[int, int]] = [{0: 0, 2: 0, 3: 1}]
    rows += [{0: state + 1, 2: state + 1} for state in range(1, distance)]
    return build((P, SYMBOL), [*rows, {}], [0] * distance + [1])


def counter(modulus: int, track: Track) -> Dfa:
    """Words whose length is a multiple of `modulus`; products with coprime moduli are large."""
    rows = [dict.fromkeys(range(2), (state + 1) % modulus) for state in range(modulus)]
    return build((track,), rows, [1] + [0] * (modulus - 1))


CALLS: dict[str, Callable[[Budget], Dfa]] = {
    "join": lambda budget: kernel_calls.join(counter(97, P), counter(89, Q), budget),
    "union": lambda budget: kernel_calls.union(counter(97, P), counter(89, P), budget),
    "difference": lambda budget: kernel_calls.difference(counter(97, P), counter(89, P), budget),
    "guarded difference": lambda budget: kernel_calls.guarded_difference(counter(1, P), worst(14), ["z"], budget),
    "project": lambda budget: kernel_calls.project(worst(14), ["z"], budget),
    "project union": lambda budget: kernel_calls.project_union([worst(13), worst(3)], ["z"], budget),
    "close zeros": lambda budget: kernel_calls.close_zeros(replace(large(), tracks=(X,)), budget),
    "reverse": lambda budget: kernel_calls.reverse(from_the_end(14), budget),
    "minimize": lambda budget: kernel_calls.minimize(large(), budget),
    "minimize outputs": lambda budget: kernel_calls.minimize_outputs(large(), budget),
    "renumber": lambda budget: kernel_calls.renumber(from_behind(), budget),
    "reorder": lambda budget: kernel_calls.reorder(large(), ("p",), budget),
}


def large() -> Dfa:
    """The words of length 3000."""
    return build((P,), [{0: n + 1, 1: n + 1} for n in range(3000)] + [{}], [0] * 3000 + [1])


def from_behind() -> Dfa:
    """The words of length 3000, the states after the first one numbered from the last to the second."""
    rows = [{0: 3000, 1: 3000}, {}, *({0: n - 1, 1: n - 1} for n in range(2, 3001))]
    return build((P,), rows, [0, 1] + [0] * 2999)


@pytest.mark.parametrize("name", CALLS)
def test_states(name: str) -> None:
    with pytest.raises(BudgetSpent) as caught:
        CALLS[name](Budget(states=1000))
    assert caught.value.resource == "states" and caught.value.limit == 1000
    assert caught.value.states > 1000


@pytest.mark.parametrize("name", CALLS)
def test_transitions(name: str) -> None:
    with pytest.raises(BudgetSpent) as caught:
        CALLS[name](Budget(transitions=1500))
    assert caught.value.resource == "transitions" and caught.value.limit == 1500
    assert caught.value.transitions > 1500 and 0 < caught.value.states <= 3100


@pytest.mark.parametrize("name", CALLS)
def test_a_budget_that_suffices_does_not_change_the_result(name: str) -> None:
    free = CALLS[name](Budget())
    assert CALLS[name](Budget(states=3 * free.states, transitions=free.transitions)) == free


@pytest.mark.parametrize("name", [*CALLS, "trim", "words"])
def test_seconds(name: str) -> None:
    calls: dict[str, Callable[[Budget], object]] = {
        **CALLS,
        "trim": lambda budget: kernel_calls.trim(large(), budget),
        "words": lambda budget: kernel_calls.words(large(), 3, budget),
    }
    with pytest.raises(BudgetSpent) as caught:
        calls[name](Budget(deadline=time.monotonic() - 1.0))
    assert caught.value.resource == "seconds"


@pytest.mark.parametrize("name", CALLS)
def test_bytes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_calls, "resident_bytes", lambda: 1_000_000)
    with pytest.raises(BudgetSpent) as caught:
        CALLS[name](Budget(bytes=1_020_000))
    assert caught.value.resource == "bytes" and caught.value.limit == 1_020_000
    assert CALLS[name](Budget(bytes=1_000_000 + (1 << 26))).states > 1


def test_bytes_bound_the_resident_memory() -> None:
    held = kernel_calls.resident_bytes()
    assert 5_000_000 < held < 4_000_000_000
    with pytest.raises(BudgetSpent):
        kernel_calls.project(worst(10), ["z"], Limits(bytes=held // 2).start())


def test_a_deadline_is_on_pythons_clock() -> None:
    assert kernel_calls.project(worst(6), ["z"], Budget(deadline=time.monotonic() + 3600.0)).states == 64
    with pytest.raises(BudgetSpent) as caught:
        kernel_calls.project(worst(30), ["z"], Budget(deadline=time.monotonic() + 0.05))
    assert caught.value.resource == "seconds" and 0 < caught.value.limit < 0.06


def run(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)


INTERRUPTED = """
import signal, time
from fibprover.automata import kernel_calls
from tests.automata.test_kernels_limits import worst, from_the_end, counter, P, Q
from fibprover.base.limits import Budget
# Ctrl-C is ignored where the tests run in the background of a shell.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGALRM, lambda number, frame: signal.raise_signal(signal.SIGINT))
budget = Budget(bytes=2_000_000_000, deadline=time.monotonic() + 60.0)
signal.setitimer(signal.ITIMER_REAL, 0.2)
try:
    {call}
except KeyboardInterrupt:
    # The kernel stopped long before the deadline.
    print("interrupted", budget.seconds_left() > 50.0)
"""


@pytest.mark.parametrize(
    "call",
    [
        "kernel_calls.project(worst(40), ['z'], budget)",
        "kernel_calls.guarded_difference(counter(1, P), worst(40), ['z'], budget)",
        "kernel_calls.reverse(from_the_end(40), budget)",
        "kernel_calls.join(counter(99989, P), counter(99991, Q), budget)",
        "kernel_calls.count_words(worst(2000), 1 << 40)",
    ],
)
def test_interrupt(call: str) -> None:
    done = run(INTERRUPTED.format(call=call))
    assert done.stdout == "interrupted True\n", done.stderr


OUT_OF_MEMORY = """
import resource
from fibprover.automata import kernel_calls
from fibprover.base.errors import BudgetSpent
from tests.automata.test_kernels_limits import worst
a = worst(40)
room = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize() + (64 << 20)
resource.setrlimit(resource.RLIMIT_AS, (room, room))
try:
    kernel_calls.project(a, ["z"])
except BudgetSpent as spent:
    print(spent.resource, spent.limit > 0)
"""


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer reserves more addresses")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs RLIMIT_AS and /proc")
def test_memory_that_the_system_refuses() -> None:
    done = run(OUT_OF_MEMORY)
    assert done.stdout == "bytes True\n", done.stderr


def test_memory_error_names_the_users_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise MemoryError

    monkeypatch.setattr(backend, "join", refuse)
    with pytest.raises(BudgetSpent) as caught:
        kernel_calls.join(less(), less(), Budget(bytes=UNBOUNDED - 1))
    assert caught.value.resource == "bytes" and caught.value.limit == UNBOUNDED - 1


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (backend.BudgetExhausted("states", 3, 4, 5), BudgetSpent),
        (backend.TooLargeError("more than 3 states"), LimitError),
        (backend.InvalidArrayError("a target that is no state"), AutomatonError),
    ],
)
def test_errors_of_kernels_become_errors_of_fibprover(
    raised: backend.KernelError, expected: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise raised

    monkeypatch.setattr(backend, "join", fail)
    with pytest.raises(expected) as caught:
        kernel_calls.join(less(), less())
    assert type(caught.value) is expected


def test_an_unexpected_error_of_a_kernel_passes_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """An internal error must not be reported as a user's error."""
    unexpected = RuntimeError("a defect of the kernel")

    def fail(*args: object) -> None:
        raise unexpected

    monkeypatch.setattr(backend, "join", fail)
    with pytest.raises(RuntimeError) as caught:
        kernel_calls.join(less(), less())
    assert caught.value is unexpected


@pytest.mark.parametrize(
    "name", ["join", "union", "difference", "guarded difference", "project", "project union", "reverse"]
)
def test_more_states_than_can_be_numbered(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_calls, "meter_of", lambda budget: backend.Meter(ceiling=500))
    with pytest.raises(LimitError, match="500 states"):
        CALLS[name](Budget())


def malformed() -> list[Dfa]:
    """Arrays that do not describe an automaton, each for one reason."""

    def make(offsets: list[int], codes: list[int], targets: list[int], outputs: list[int]) -> Dfa:
        return Dfa(
            (P,),
            frozen(array("q", offsets)),
            frozen(array("q", codes)),
            frozen(array("i", targets)),
            frozen(array("i", outputs)),
        )

    return [
        make([0, 1], [2], [0], [1]),  # a code beyond the alphabet
        make([0, 1], [-1], [0], [1]),
        make([0, 1], [1], [1], [1]),  # a target that is no state
        make([0, 1], [1], [-1], [1]),
        make([0, 2], [1, 0], [0, 0], [1]),  # a row not sorted
        make([0, 2], [1, 1], [0, 0], [1]),  # two targets
        make([0, 2], [1], [0], [1]),  # offsets beyond the end
        make([1, 1], [1], [0], [1]),
        make([0, 5, 1], [1], [0], [1, 1]),
        make([0], [], [], []),  # no state
        make([0, 1], [1], [0, 0], [1]),
    ]


@pytest.mark.parametrize("broken", malformed())
def test_malformed_arrays_are_refused(broken: Dfa) -> None:
    joined = lambda a: kernel_calls.join(a, value(1, P))  # noqa: E731
    for call in (kernel_calls.minimize, kernel_calls.is_empty, kernel_calls.reverse, joined):
        with pytest.raises(AutomatonError):
            call(broken)


def test_too_many_letters() -> None:
    tracks = [Track(f"t{n}", tuple(range(100)), "msd_100") for n in range(10)]
    a = build(tracks[:5], [{0: 0}], [1])
    with pytest.raises(AutomatonError, match="letters"):
        kernel_calls.join(a, build(tracks[5:], [{0: 0}], [1]))


def test_the_exception_for_an_exhausted_budget() -> None:
    spent = backend.BudgetExhausted("states", 3, 4, 5)
    assert isinstance(spent, backend.KernelError)
    assert (spent.resource, spent.limit, spent.states, spent.transitions) == ("states", 3, 4, 5)


def test_results_cannot_be_written() -> None:
    found = kernel_calls.minimize(less())
    for view in (found.offsets, found.codes, found.targets, found.outputs):
        with pytest.raises(TypeError):
            view[0] = 1
    assert memoryview(found.codes).tolist() == found.codes.tolist()


def test_kernels_do_not_import_numpy() -> None:
    done = run("import sys, fibprover.automata.kernel_calls; print('numpy' in sys.modules)")
    assert done.stdout == "False\n", done.stderr


def test_products_too_large_for_a_grid() -> None:
    """Such a product hashes pairs; all 499 * 491 are reached, since the moduli are coprime."""
    m, n = 499, 491
    p, q = counter(m, P), counter(n, P)
    both = kernel_calls.join(p, q)
    assert both.states == m * n == kernel_calls.minimize(both).states
    assert both.output([1] * (m * n)) == 1 and sum(both.outputs) == 1
    # Lengths that are multiples of one; of the first but not of the second.
    assert sum(kernel_calls.union(p, q).outputs) == m + n - 1
    assert sum(kernel_calls.difference(p, q).outputs) == n - 1
    wide = kernel_calls.join(p, counter(n, Q))
    assert wide.states == m * n and wide.transitions == 4 * m * n


def test_nothing_is_kept_between_calls() -> None:
    """The budget of one call does not affect the next, and results outlive their arguments."""
    first = kernel_calls.minimize(kernel_calls.join(less(), less()))
    with pytest.raises(BudgetSpent):
        kernel_calls.project(worst(14), ["z"], Budget(states=10))
    assert kernel_calls.minimize(kernel_calls.join(less(), less())) == first
