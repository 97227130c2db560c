from fibprover_ext._budget import Meter
from fibprover_ext._positions import Intervals
from fibprover_ext._regions import Regions

def positions(
    bound: int, blocked: int, box: bool, moves: Regions, life: Regions, terminal: Intervals, meter: Meter
) -> tuple[memoryview[int], memoryview[int], int]: ...
