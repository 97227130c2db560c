from fibprover_ext._budget import Meter

class Trie:
    def __init__(self, meter: Meter) -> None: ...
