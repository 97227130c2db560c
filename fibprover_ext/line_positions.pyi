import numpy as np
from numpy.typing import NDArray

from fibprover_ext._budget import Meter
from fibprover_ext._positions import Intervals

def positions(
    bound: int,
    blocked: int,
    row: bool,
    directions: NDArray[np.int64],
    rays: NDArray[np.int64],
    terminal: Intervals,
    meter: Meter,
) -> tuple[memoryview[int], memoryview[int], int]: ...
