from fibprover_ext._budget import Meter
from fibprover_ext._csr import Csr

_Arrays = tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int]]

def minimize(a: Csr, as_relation: bool, meter: Meter) -> _Arrays: ...
