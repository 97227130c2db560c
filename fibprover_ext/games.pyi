import numpy as np
from numpy.typing import NDArray

from fibprover_ext.automata import Meter

class Intervals:
    rows: int
    def __init__(
        self, bound: int, offsets: NDArray[np.int64], starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> None: ...

class Regions:
    regions: int
    width: int
    def __init__(self, offsets: NDArray[np.int64], rows: NDArray[np.int64], width: int) -> None: ...

# P-positions.
def line_positions(
    bound: int,
    blocked: int,
    row: bool,
    directions: NDArray[np.int64],
    rays: NDArray[np.int64],
    steps: NDArray[np.int64],
    terminal: Intervals,
    left_out: bool,
    meter: Meter,
) -> tuple[memoryview[int], memoryview[int], int]: ...
def region_positions(
    bound: int, blocked: int, box: bool, moves: Regions, life: Regions, terminal: Intervals, left_out: bool,
    meter: Meter,
) -> tuple[memoryview[int], memoryview[int], int]: ...
def table_positions(
    table: NDArray[np.uint8], blocked: int, terminal: Intervals, left_out: bool, meter: Meter
) -> tuple[memoryview[int], memoryview[int], int]: ...
def cube_positions(
    bound: int,
    moves: Regions,
    seconds: Regions,
    firsts: Regions,
    terminal: Intervals,
    left_out: bool,
    meter: Meter,
) -> tuple[memoryview[int], memoryview[int], memoryview[int], int]: ...

# Residuals of P-positions.
def queen_residuals(
    bound: int,
    value: int,
    steps: NDArray[np.int64],
    starts: NDArray[np.int64],
    begins: NDArray[np.int64],
    meter: Meter,
) -> tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int], int]: ...

# Sprague-Grundy values.
def region_grundy(
    bound: int, box: bool, moves: Regions, ranges: Regions, terminal: Intervals, meter: Meter
) -> memoryview[int]: ...
def table_grundy(bound: int, vectors: Intervals, terminal: Intervals, meter: Meter) -> memoryview[int]: ...
