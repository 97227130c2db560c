from fibprover_ext._budget import Meter
from fibprover_ext._csr import Csr
from fibprover_ext._recode import Recode

_Arrays = tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int]]

def union(a: Csr, b: Csr, code_a: Recode, code_b: Recode, most: int, meter: Meter) -> _Arrays: ...
