from fibprover_ext._budget import Meter
from fibprover_ext._csr import Csr
from fibprover_ext._recode import Recode

def collisions(a: Csr, kept: Recode, meter: Meter) -> int: ...
