"""What stops the compiled solvers of games: signals, malformed arrays, numbers out of range."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fibprover.base.errors import AutomatonError, LimitError
from fibprover.games import kernel_calls
from fibprover.games.shapes import Intervals, Lines, Rows, antidiagonal_intervals, pack_rows, row_intervals

#: Each runs for minutes if nothing stops it.
ENDLESS = {
    "lines": "positions(Game.by_vectors('i=j', 'a>=0', 3), 1 << 18)",
    "regions": "positions(Game.by_vectors('i>0 & j>0 & i<2*j & j<3*i', 'a<b'), 1 << 14)",
    "tables": "positions(Game.by_vectors('Ek i+j=2*k+1'), 8000)",
    "queens": "__import__('fibprover').discover('queen(1,2)', 'msd_fib', largest=1 << 33)",
    "values": "grundy(Game.by_vectors('i>0 & j>0 & i<3*j & j<3*i'), 3000)",
    "values of tables": "grundy(Game.by_vectors('Ek i+j=2*k'), 3000)",
    "options": "positions(Game.by_function(lambda p, q: [(p - i, q) for i in range(1, p + 1)], options=True), 4000)",
}

PROGRAM = """
import signal
from fibprover.games.positions import grundy
from fibprover.games.positions import positions
from fibprover.games.rules import Game
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGALRM, lambda number, frame: signal.raise_signal(signal.SIGINT))
signal.setitimer(signal.ITIMER_REAL, 0.3)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("name", [
    name if name in ("lines", "values") else pytest.param(name, marks=pytest.mark.long) for name in ENDLESS
])
def test_ctrl_c(name: str) -> None:
    program = PROGRAM.format(call=ENDLESS[name])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")


def numbers(*items: Any) -> Any:
    return np.array(items, np.int64)


NONE = row_intervals((), 10)
NONE_BY_SUMS = antidiagonal_intervals((), 10)
ROW = Lines(True, (), ())
EMPTY = (pack_rows((), 5), pack_rows((), 4))
TABLE = np.zeros((10, 10), np.uint8)

MALFORMED: dict[str, Callable[[], Any]] = {
    "offsets fall": lambda: kernel_calls.line_positions(
        ROW, 2, 0, Intervals(numbers(0, 1, 0), numbers(), numbers())),
    "offsets do not begin at 0": lambda: kernel_calls.line_positions(
        ROW, 1, 0, Intervals(numbers(1, 1), numbers(0), numbers(0))),
    "starts without ends": lambda: kernel_calls.line_positions(
        ROW, 1, 0, Intervals(numbers(0, 1), numbers(0), numbers())),
    "an interval beyond the board": lambda: kernel_calls.line_positions(
        ROW, 1, 0, Intervals(numbers(0, 1), numbers(0), numbers(1))),
    "an interval before the board": lambda: kernel_calls.line_positions(
        ROW, 1, 0, Intervals(numbers(0, 1), numbers(-1), numbers(0))),
    "an empty interval": lambda: kernel_calls.line_positions(
        ROW, 3, 0, Intervals(numbers(0, 1, 1, 1), numbers(2), numbers(1))),
    "intervals that overlap": lambda: kernel_calls.line_positions(
        ROW, 3, 0, Intervals(numbers(0, 2, 2, 2), numbers(0, 1), numbers(1, 2))),
    "another number of rows": lambda: kernel_calls.line_positions(ROW, 9, 0, NONE),
    "no direction": lambda: kernel_calls.line_positions(Lines(True, ((0, 1),), ()), 10, 0, NONE),
    "a direction backwards": lambda: kernel_calls.line_positions(Lines(True, ((1, -1),), ()), 10, 0, NONE),
    "too many directions": lambda: kernel_calls.line_positions(Lines(True, ((1, 1),) * 17, ()), 10, 0, NONE),
    "a ray of no direction": lambda: kernel_calls.line_positions(Lines(True, ((1, 1),), ((1, 1, 1),)), 10, 0, NONE),
    "a ray from here": lambda: kernel_calls.line_positions(Lines(True, ((1, 1),), ((0, 0, 0),)), 10, 0, NONE),
    "a ray backwards": lambda: kernel_calls.line_positions(Lines(True, ((1, 1),), ((0, 1, -1),)), 10, 0, NONE),
    "regions with other sections": lambda: kernel_calls.region_positions(*EMPTY, 10, 0, NONE, box=True),
    "regions without life": lambda: kernel_calls.region_positions(
        pack_rows([[(1, 0, 0, 0, 0)]], 5), EMPTY[1], 10, 0, NONE_BY_SUMS, box=True),
    "rows too short": lambda: kernel_calls.region_positions(EMPTY[1], EMPTY[1], 10, 0, NONE_BY_SUMS, box=True),
    "rows that do not fit": lambda: kernel_calls.region_positions(
        Rows(numbers(0, 2), EMPTY[0].rows), EMPTY[1], 10, 0, NONE_BY_SUMS, box=True),
    "values with other sections": lambda: kernel_calls.region_grundy(*EMPTY, 10, NONE, box=True),
    "a table with (0,0)": lambda: kernel_calls.table_positions(TABLE + 1, 0, NONE),
    "a table that is not square": lambda: kernel_calls.table_positions(TABLE[:, :9].copy(), 0, NONE),
    "a table with other rows": lambda: kernel_calls.table_positions(TABLE[:9, :9].copy(), 0, NONE),
    "vectors with (0,0)": lambda: kernel_calls.table_grundy(
        Intervals(numbers(0, *[1] * 10), numbers(0), numbers(0)), 10, NONE),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_arrays(name: str) -> None:
    with pytest.raises(AutomatonError):
        MALFORMED[name]()


OUT_OF_RANGE: dict[str, Callable[[], Any]] = {
    "no row": lambda: kernel_calls.line_positions(ROW, 0, 0, row_intervals((), 1)),
    "too many blocked": lambda: kernel_calls.line_positions(ROW, 10, 2001, NONE),
    "less than none blocked": lambda: kernel_calls.line_positions(ROW, 10, -1, NONE),
    "too many blocked in a table": lambda: kernel_calls.table_positions(TABLE, 4001, NONE),
    "a large coefficient": lambda: kernel_calls.region_positions(
        Rows(numbers(0, 1), numbers([1 << 30, 0, 0, 0, 0])), pack_rows([[]], 4), 10, 0, NONE_BY_SUMS, box=True),
    "a large constant": lambda: kernel_calls.region_positions(
        Rows(numbers(0, 1), numbers([1, 0, 0, 0, 1 << 61])), pack_rows([[]], 4), 10, 0, NONE_BY_SUMS, box=True),
}


@pytest.mark.parametrize("name", OUT_OF_RANGE)
def test_numbers_out_of_range(name: str) -> None:
    with pytest.raises(LimitError):
        OUT_OF_RANGE[name]()


def test_moves_that_are_not_smaller_do_no_harm() -> None:
    """Kernels index by what they are given: steps to as many counters or more are passed over."""
    anywhere = pack_rows([[]], 5)
    values = kernel_calls.region_grundy(anywhere, pack_rows([[]], 4), 10, NONE_BY_SUMS, box=True)
    assert values[0, 0] == 0 and values.min() >= 0 and values[9, 9] == 18
    a, b, _ = kernel_calls.region_positions(anywhere, pack_rows([[]], 4), 10, 0, NONE_BY_SUMS, box=True)
    assert (a.tolist(), b.tolist()) == ([0], [0])
