from collections.abc import Sequence
from typing import Any

from fibprover_ext._budget import Meter
from fibprover_ext._csr import Csr

_Arrays = tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int]]

def infer(
    values: Any, width: int, bound: int, weights: Any, slack: Any, valid: Csr, digits: int, meter: Meter
) -> tuple[_Arrays, Sequence[int], int, int, int, int, int, int]: ...
