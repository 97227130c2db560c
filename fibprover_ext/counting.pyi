from fibprover_ext._budget import Meter
from fibprover_ext._csr import Csr
from fibprover_ext._recode import Recode

_Arrays = tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int]]

def count_runs(a: Csr, kept: Recode, zero: int, least: int, exactly: bool, meter: Meter) -> _Arrays: ...
