from fibprover_ext._budget import Meter
from fibprover_ext._csr import Csr

def separating_depth(a: Csr, meter: Meter) -> int: ...
