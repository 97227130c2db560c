import numpy as np
from numpy.typing import NDArray

class Regions:
    regions: int
    width: int
    def __init__(self, offsets: NDArray[np.int64], rows: NDArray[np.int64], width: int) -> None: ...
