from fibprover_ext._budget import Meter
from fibprover_ext._positions import Intervals
from fibprover_ext._regions import Regions

def values(
    bound: int, box: bool, moves: Regions, ranges: Regions, terminal: Intervals, meter: Meter
) -> memoryview[int]: ...
