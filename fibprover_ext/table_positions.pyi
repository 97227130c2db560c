import numpy as np
from numpy.typing import NDArray

from fibprover_ext._budget import Meter
from fibprover_ext._positions import Intervals

def positions(
    table: NDArray[np.uint8], blocked: int, terminal: Intervals, meter: Meter
) -> tuple[memoryview[int], memoryview[int], int]: ...
