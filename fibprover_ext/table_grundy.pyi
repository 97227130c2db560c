from fibprover_ext._budget import Meter
from fibprover_ext._positions import Intervals

def values(bound: int, vectors: Intervals, terminal: Intervals, meter: Meter) -> memoryview[int]: ...
