from fibprover_ext._budget import Meter
from fibprover_ext._csr import Csr
from fibprover_ext._recode import Recode

_Arrays = tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int]]

def determinize(
    parts: tuple[Csr, ...], kept: tuple[Recode, ...], zero: int, meter: Meter
) -> _Arrays: ...
