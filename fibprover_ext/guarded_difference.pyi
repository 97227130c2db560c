from fibprover_ext._budget import Meter
from fibprover_ext._csr import Csr
from fibprover_ext._recode import Recode

_Arrays = tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int]]

def guarded_difference(
    a: Csr, b: Csr, key_a: Recode, part_a: Recode, kept_b: Recode, zero: int, meter: Meter
) -> _Arrays: ...
def empty(a: Csr, b: Csr, key_a: Recode, kept_b: Recode, zero: int, meter: Meter) -> bool: ...
