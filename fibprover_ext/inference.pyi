from collections.abc import Sequence
from typing import Any

from fibprover_ext.automata import Arrays, Csr, Meter

def infer(
    values: Any, width: int, bound: int, weights: Any, slack: Any, valid: Csr, digits: int, meter: Meter
) -> tuple[Arrays, Sequence[int], int, int, int, int, int, int]: ...
def separating_depth(a: Csr, meter: Meter) -> int: ...
def accepted_up_to(a: Csr, greatest: Any, width: int, digits: int, meter: Meter) -> int: ...
