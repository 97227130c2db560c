"""Conjunction with a congruence: remainders modulo m beside the states of another automaton.

What has been read is a remainder, as in `remainders.py`, with its entries modulo m.
"""

from __future__ import annotations

from array import array
from operator import mul

from fibprover.automata.kernels.python.arrays import Arrays, Csr, Numbering, Recode, exported
from fibprover.automata.kernels.python.budget import InvalidArrayError, Meter, TooLargeError
from fibprover.automata.kernels.python.remainders import Recurrence

#: Pairs that there could be, and entries of a remainder.
MOST_PAIRS = (1 << 31) - 2
MOST_ENTRIES = 30

#: About what a remainder holds in memory.
BYTES_OF_NODE = 200


def join_congruence(
    a: Csr, weight: Recode, modulus: int, residue: int, recurrence: Recurrence, meter: Meter
) -> Arrays:
    """Return all reachable pairs of an a-state and a remainder modulo m, numbered breadth first by letter code.

    They accept where a does and the sum of the weights is congruent to the residue.  weight: sum of coefficient times
    digit of an a-letter; 0 <= residue < modulus; the recurrence must have one phase.  a must hold valid
    representations on the tracks that have weights.  Raises TooLargeError if there could be more than 2^31 pairs.
    """
    if recurrence.phases != 1:
        raise InvalidArrayError("a join with a congruence reads no phases")
    if not 0 <= residue < modulus:
        raise InvalidArrayError("the residue of a congruence is not below its modulus")
    if recurrence.order > MOST_ENTRIES or a.states * modulus**recurrence.order > MOST_PAIRS:
        raise TooLargeError("a congruence has more than 2^31 remainders")
    meter.poll()
    weights = [value % modulus for value in weight.all(a.codes, meter)]
    feedback, terms = recurrence.feedback[0], recurrence.terms[: recurrence.order]
    numbers: Numbering[tuple[int, ...]] = Numbering(meter, (0,) * (recurrence.order + 1))
    offsets, codes, targets, outputs = array("q", [0]), array("q"), array("i"), array("i")
    most, stop = meter.max_states, meter.progress(1, 0)
    for p, *remainder in numbers.found:
        top, holds = remainder[-1], sum(map(mul, remainder, terms)) % modulus == residue
        first, *rest = [
            (top * factor + low) % modulus for factor, low in zip(feedback, (0, *remainder[:-1]), strict=True)
        ]
        for i in range(a.offsets[p], a.offsets[p + 1]):
            codes.append(a.codes[i])
            targets.append(numbers[a.targets[i], (first + weights[i]) % modulus, *rest])
        offsets.append(len(codes))
        outputs.append(a.outputs[p] if holds else 0)
        if len(codes) > stop or len(numbers) > most:
            stop = meter.progress(len(numbers), len(codes), BYTES_OF_NODE * len(numbers))
    meter.progress(len(numbers), len(codes), BYTES_OF_NODE * len(numbers))
    return exported(offsets, codes, targets, outputs)
