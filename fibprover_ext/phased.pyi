from array import array

from fibprover_ext._budget import Meter
from fibprover_ext._csr import Csr

def phased(
    valid: Csr,
    radix: int,
    coefficients: memoryview[int] | array[int],
    relation: int,
    constant: int,
    transient: int,
    order: int,
    feedback: memoryview[int] | array[int],
    terms: memoryview[int] | array[int],
    lows: memoryview[int] | array[int],
    highs: memoryview[int] | array[int],
    powers: memoryview[float] | array[float],
    spread: memoryview[float] | array[float],
    ranges: memoryview[float] | array[float],
    meter: Meter,
) -> tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int]]: ...
