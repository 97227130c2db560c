class BudgetExhausted(RuntimeError):
    resource: str
    limit: float
    states: int
    transitions: int
    def __init__(self, resource: str, limit: float, states: int, transitions: int) -> None: ...

class Meter:
    max_states: int
    max_transitions: int
    max_bytes: int
    ceiling: int
    states: int
    transitions: int
    bytes: int
    def __init__(
        self,
        states: int = ...,
        transitions: int = ...,
        bytes: int = ...,  # noqa: A002
        deadline: float = ...,
        ceiling: int = ...,
    ) -> None: ...

def give_back() -> None: ...
