"""Counting quantification: a subset construction that remembers how many runs lead to each state.

A deterministic automaton has one run on a word, so the values of the quantified tracks that complete a word are counted
by accepting runs.  Counts are capped, which keeps them finite.
"""

from __future__ import annotations

from array import array

from fibprover.automata.kernels.python.arrays import Arrays, Csr, Numbering, Recode, exported
from fibprover.automata.kernels.python.budget import Meter, TooLargeError

#: States with the number of runs that lead to each of them.
Runs = frozenset[tuple[int, int]]

MOST_RUNS = (1 << 31) - 1
BYTES_OF_SET = 216
BYTES_OF_RUN = 120


def count_runs(a: Csr, kept: Recode, zero: int, least: int, exactly: bool, meter: Meter) -> Arrays:
    """Return the words over kept letters with the outputs of all words of `a` that are projected to them, added up.

    Sums are capped at `least`.  exactly: whether the outputs of the result are the sums, or 1 where a sum reaches
    `least` and 0 elsewhere.  An automaton whose outputs are counts already is counted on.  zero: the kept code of the
    all-zero letter, or -1.  With it the initial runs are those after any number of zeros: state 0 has to loop on the
    all-zero letter, so that zeros only add runs.  least: 1 .. 2^31 - 1.
    """
    if not 1 <= least <= MOST_RUNS:
        raise TooLargeError("a count must lie between 1 and 2^31 - 1")
    meter.poll()
    rows = Counted(a, kept, least, meter)
    initial: Runs = frozenset([(0, 1)])
    while zero >= 0:
        grown = rows.successors(initial).get(zero, frozenset())
        if grown == initial:
            break
        initial = grown
    numbers: Numbering[Runs] = Numbering(meter, initial)
    offsets, codes, targets, outputs = array("q", [0]), array("q"), array("i"), array("i")
    most, stop = meter.max_states, meter.progress(1, 0)
    members = 0
    for runs in numbers.found:
        reached = rows.successors(runs)
        members += len(runs)
        for letter in sorted(reached):
            codes.append(letter)
            targets.append(numbers[reached[letter]])
        offsets.append(len(codes))
        total = min(least, sum(count * a.outputs[state] for state, count in runs if a.outputs[state] > 0))
        outputs.append(total if exactly else total >= least)
        if len(codes) > stop or len(numbers) > most:
            stop = meter.progress(len(numbers), len(codes), BYTES_OF_SET * len(numbers) + BYTES_OF_RUN * members)
    meter.progress(len(numbers), len(codes), BYTES_OF_SET * len(numbers) + BYTES_OF_RUN * members)
    return exported(offsets, codes, targets, outputs)


class Counted:
    """For every state and kept letter, how many transitions lead to each target, at most `most`."""

    def __init__(self, a: Csr, kept: Recode, most: int, meter: Meter) -> None:
        self.meter = meter
        self.most = most
        shape_of, shapes = a.shapes()
        recoded = [kept.all(codes, meter) for codes in shapes]
        #: Of a state: for each letter, targets with numbers of transitions.
        self.rows: list[list[tuple[int, list[tuple[int, int]]]]] = []
        for state, shape in enumerate(shape_of):
            row: dict[int, dict[int, int]] = {}
            for letter, target in zip(recoded[shape], a.row(state), strict=True):
                entry = row.setdefault(letter, {})
                entry[target] = min(most, entry.get(target, 0) + 1)
            self.rows.append([(letter, list(entry.items())) for letter, entry in row.items()])
            meter.work(4 * len(recoded[shape]) + 1)

    def successors(self, runs: Runs) -> dict[int, Runs]:
        """Return the runs after each letter."""
        most = self.most
        found: dict[int, dict[int, int]] = {}
        for state, count in runs:
            row = self.rows[state]
            self.meter.work(4 * len(row) + 1)
            for letter, entries in row:
                entry = found.get(letter)
                if entry is None:
                    found[letter] = {target: min(most, count * weight) for target, weight in entries}
                    continue
                for target, weight in entries:
                    entry[target] = min(most, entry.get(target, 0) + count * weight)
        return {letter: frozenset(entry.items()) for letter, entry in found.items()}
