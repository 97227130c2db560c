import numpy as np
from numpy.typing import NDArray

class Intervals:
    rows: int
    def __init__(
        self, bound: int, offsets: NDArray[np.int64], starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> None: ...

class Found:
    terminal: int
    def export(self) -> tuple[memoryview[int], memoryview[int], int]: ...
