"""Words of a conjunction or a difference, searched for without building it: only pairs of states are kept."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import pairwise

from fibprover.automata.kernels.python.arrays import Csr, Numbering, Recode
from fibprover.automata.kernels.python.budget import FUEL, Meter
from fibprover.automata.kernels.python.questions import word_from


class KeyedRows(dict[int, dict[int, list[int]]]):
    """For a state the targets of each key, all increasing; targets are multiplied by `factor` after adding `shift`."""

    def __init__(self, a: Csr, key: Recode, factor: int, shift: int, meter: Meter) -> None:
        super().__init__()
        self.a, self.key, self.factor, self.shift, self.meter = a, key, factor, shift, meter
        self.keys_of: dict[tuple[int, ...], list[int]] = {}

    def __missing__(self, state: int) -> dict[int, list[int]]:
        row: dict[int, set[int]] = {}
        factor, shift = self.factor, self.shift
        for key, target in zip(self.keys_in(state), self.a.row(state), strict=True):
            row.setdefault(key, set()).add((target + shift) * factor)
        self.meter.work(2 * len(row))
        self[state] = found = {key: sorted(row[key]) for key in sorted(row)}
        return found

    def keys_in(self, state: int) -> list[int]:
        """Return the keys of a state's transitions."""
        letters = tuple(self.a.letters_of(state))
        keys = self.keys_of.get(letters)
        if keys is None:
            keys = self.keys_of[letters] = list(self.key.all(letters, self.meter))
        return keys

    def transitions(self, state: int) -> Iterable[tuple[int, int, int]]:
        """Return the code, the key and the target of each of a state's transitions."""
        keys = self.keys_in(state)
        self.meter.work(len(keys))
        return zip(self.a.letters_of(state), keys, self.a.row(state), strict=True)


class Search:
    """Pairs in the order in which a breadth-first search finds them."""

    def __init__(self, first: int, meter: Meter) -> None:
        self.meter = meter
        self.numbers = Numbering(meter, first)
        #: How many pairs were found when each one was done.
        self.ends: list[int] = []

    def run(self, expand: Callable[[int], int], is_goal: Callable[[int], bool]) -> int:
        """Return the number of the first pair that is a goal, -1 if there is none.

        expand: numbers what a pair leads to, and returns how many steps that took.
        """
        numbers, ends, most = self.numbers, self.ends, self.meter.max_states
        found = numbers.found
        steps = looked = 0
        self.meter.progress(1, 0)
        for pair in found:
            while looked < len(found):
                if is_goal(found[looked]):
                    return looked
                looked += 1
            steps += expand(pair) + 1
            ends.append(len(found))
            if steps > FUEL or len(found) > most:
                self.meter.progress(len(found), 0)
                steps = 0
        self.meter.progress(len(found), 0)
        return -1

    def path(self, number: int) -> list[int]:
        """Return the pairs on the way to a pair, in order."""
        found = self.numbers.found
        pairs = [found[number]]
        while number:
            # The first pair whose end is beyond this number is the one from which it was found.
            number = bisect_right(self.ends, number)
            pairs.append(found[number])
        pairs.reverse()
        return pairs


def join_word(
    a: Csr, b: Csr, key_a: Recode, key_b: Recode, meter: Meter
) -> tuple[tuple[int, int], ...] | None:
    """Return the letters of a shortest word that `join` would accept, each as a code of a and one of b; None if empty.

    Ends at the first accepting pair.
    """
    meter.poll()
    width = b.states
    left, right = KeyedRows(a, key_a, width, 0, meter), KeyedRows(b, key_b, 1, 0, meter)
    search = Search(0, meter)
    number = search.numbers.__getitem__

    def expand(pair: int) -> int:
        p, q = divmod(pair, width)
        others, steps = right[q], 0
        for key, highs in left[p].items():
            lows = others.get(key)
            if lows is not None:
                steps += len(highs) * len(lows)
                for high in highs:
                    for low in lows:
                        number(high + low)
        return steps

    found = search.run(expand, lambda pair: bool(a.outputs[pair // width] and b.outputs[pair % width]))
    if found < 0:
        return None
    path = [divmod(pair, width) for pair in search.path(found)]
    return tuple(
        common_letter(left, right, before, after) for before, after in pairwise(path)
    )


def common_letter(
    left: KeyedRows, right: KeyedRows, before: tuple[int, int], after: tuple[int, int]
) -> tuple[int, int]:
    """Return the codes of a letter that leads from one pair to another."""
    codes = {key: code for code, key, target in left.transitions(before[0]) if target == after[0]}
    for code, key, target in right.transitions(before[1]):
        if target == after[1] and key in codes:
            return codes[key], code
    raise AssertionError("no letter leads from a pair to the next one")


def difference_word(a: Csr, b: Csr, key_a: Recode, key_b: Recode, meter: Meter) -> tuple[int, ...] | None:
    """Return the codes of a word that `difference` would accept, None without one; a is trim or a single state.

    Ends at the first pair that shows it.
    """
    meter.poll()
    # A pair is (p, q + 1), so that 0 stands for a missing q.
    width = b.states + 1
    left, right = KeyedRows(a, key_a, width, 0, meter), KeyedRows(b, key_b, 1, 1, meter)
    search = Search(1, meter)
    number = search.numbers.__getitem__
    missing = [0]

    def expand(pair: int) -> int:
        p, q = divmod(pair, width)
        others, steps = right[q - 1], 0
        for key, highs in left[p].items():
            (low,) = others.get(key, missing)
            steps += len(highs)
            for high in highs:
                number(high + low)
        return steps

    def is_goal(pair: int) -> bool:
        # From every state of a trim automaton some word is accepted.
        p, q = divmod(pair, width)
        return q == 0 or bool(a.outputs[p] and not b.outputs[q - 1])

    found = search.run(expand, is_goal)
    if found < 0:
        return None
    path = [divmod(pair, width) for pair in search.path(found)]
    begun = []
    for before, after in pairwise(path):
        targets = {key: target for key, (target,) in right[before[1] - 1].items()}
        begun.append(letter_apart(left, targets, before[0], after))
    return (*begun, *(word_from(a, path[-1][0], meter) or ()))


def letter_apart(left: KeyedRows, targets: dict[int, int], state: int, after: tuple[int, int]) -> int:
    """Return the code of a letter that leads to a pair; targets: where each key leads on the other side."""
    for code, key, target in left.transitions(state):
        if target == after[0] and targets.get(key, 0) == after[1]:
            return code
    raise AssertionError("no letter leads from a pair to the next one")
