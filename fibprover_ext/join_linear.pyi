from array import array

from fibprover_ext._budget import Meter
from fibprover_ext._csr import Csr
from fibprover_ext._recode import Recode

def join_linear(
    a: Csr,
    weight: Recode,
    part: Recode,
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
def empty(
    a: Csr,
    weight: Recode,
    radix: int,
    coefficients: memoryview[int] | array[int],
    relation: int,
    constant: int,
    feedback: memoryview[int] | array[int],
    terms: memoryview[int] | array[int],
    powers: memoryview[float] | array[float],
    spread: memoryview[float] | array[float],
    meter: Meter,
) -> bool: ...
