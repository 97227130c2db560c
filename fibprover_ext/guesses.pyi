from typing import Any

from fibprover_ext._budget import Meter
from fibprover_ext._csr import Csr

def separating_depth(a: Csr, meter: Meter) -> int: ...
def accepted_up_to(a: Csr, greatest: Any, width: int, digits: int, meter: Meter) -> int: ...
