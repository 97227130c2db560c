"""The lexicographic order of valid words, from these words alone."""

from __future__ import annotations

from fibprover.automata.dfa import Dfa, build
from fibprover.numeration.system import NumerationSystem


def lexicographic(system: NumerationSystem) -> Dfa:
    """The pairs of valid words of one length of which the first is smaller at the first difference; not minimal."""
    valid = system.valid
    size = len(system.digits)
    numbers: dict[tuple[int, int, bool], int] = {(0, 0, False): 0}
    pending = [(0, 0, False)]
    rows: list[dict[int, int]] = []
    outputs: list[int] = []
    for left, right, smaller in pending:
        outputs.append(1 if smaller and valid.outputs[left] and valid.outputs[right] else 0)
        row: dict[int, int] = {}
        for first, left_target in valid.row(left):
            for second, right_target in valid.row(right):
                if not smaller and first > second:
                    continue
                target = (left_target, right_target, smaller or first < second)
                if target not in numbers:
                    numbers[target] = len(pending)
                    pending.append(target)
                row[first * size + second] = numbers[target]
        rows.append(row)
    return build((system.track("0"), system.track("1")), rows, outputs)
