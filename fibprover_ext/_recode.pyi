from fibprover_ext._budget import Meter

class Recode:
    letters: int
    def __init__(
        self, radices: tuple[int, ...], weights: tuple[int, ...], letters: int, uses: int, meter: Meter
    ) -> None: ...
