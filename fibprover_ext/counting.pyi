from fibprover_ext._budget import Meter
from fibprover_ext._csr import Csr
from fibprover_ext._recode import Recode

_Arrays = tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int]]

def count_at_least(a: Csr, kept: Recode, zero: int, least: int, meter: Meter) -> _Arrays: ...
