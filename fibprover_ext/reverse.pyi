from fibprover_ext._budget import Meter
from fibprover_ext._csr import Csr

_Arrays = tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int]]

def reverse(a: Csr, meter: Meter) -> _Arrays: ...
