from array import array

from fibprover_ext._budget import Meter
from fibprover_ext._csr import Csr

def linear(
    valid: Csr,
    radix: int,
    coefficients: memoryview[int] | array[int],
    relation: int,
    constant: int,
    feedback: memoryview[int] | array[int],
    terms: memoryview[int] | array[int],
    powers: memoryview[float] | array[float],
    spread: memoryview[float] | array[float],
    meter: Meter,
) -> tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int]]: ...
