class Csr:
    states: int
    transitions: int
    def __init__(
        self,
        offsets: memoryview[int],
        codes: memoryview[int],
        targets: memoryview[int],
        outputs: memoryview[int],
        letters: int,
    ) -> None: ...
    def export(self) -> tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int]]: ...
