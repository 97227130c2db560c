"""Conjunction with a congruence: remainders modulo m beside the states of another automaton.

What has been read is a remainder, as in `remainders.pxi`.  Only its value modulo m matters in the end, and so do only
its entries modulo m: there are m^d of them, which are numbered as the digits of a number in base m.
"""

from libc.stdint cimport int32_t, int64_t

# Fixed arrays below have room for this many entries of a remainder.
cdef int MOST_ENTRIES = 30


def join_congruence(Csr a, Recode weight, int64_t modulus, int64_t residue, Recurrence recurrence, Meter meter):
    """All reachable pairs of an a-state and a remainder modulo m, numbered breadth first by letter code.

    They accept where a does and the sum of the weights is congruent to the residue.  weight: sum of coefficient times
    digit of an a-letter; 0 <= residue < modulus; the recurrence must have one phase.  a must hold valid
    representations on the tracks that have weights.  Raises TooLargeError if there could be more than 2^31 pairs.
    O(1) for each resulting transition, O(d) for each state, and 4 bytes for each pair that there could be.
    """
    cdef Rows rows = Rows(meter)
    cdef Block weights = new_longs(meter), numbers = new_ints(meter), keys = new_ints(meter)
    cdef int64_t i, value, possible = a.states
    if recurrence.phases != 1:
        raise InvalidArrayError("a join with a congruence reads no phases")
    if not 0 <= residue < modulus:
        raise InvalidArrayError("the residue of a congruence is not below its modulus")
    for i in range(recurrence.order):
        if possible > CEILING // modulus or recurrence.order > MOST_ENTRIES:
            raise TooLargeError("a congruence has more than 2^31 remainders")
        possible *= modulus
    for i in range(a.transitions):
        value = recode(weight, a.codes[i]) % modulus
        push_long(weights, value + modulus if value < 0 else value)
        work(meter, 4)
    numbers.lazy_zeros(possible)
    with nogil:
        walk_congruence(a, longs(weights), modulus, residue, recurrence, ints(numbers), keys, rows, meter)
    return rows.finish().export()


cdef int walk_congruence(Csr a, const int64_t* weights, int64_t modulus, int64_t residue, Recurrence recurrence,
                         int32_t* numbers, Block keys, Rows rows, Meter meter) except -1 nogil:
    """Add the rows; numbers: of each pair, remainder * states of a + state, its number plus one."""
    cdef int64_t[32] entries, feedback, terms
    cdef int64_t done = 0, key, node, p, top, first, base, value, entry, i, j, order = recurrence.order
    for j in range(order):
        feedback[j] = recurrence.feedback[j] % modulus
        feedback[j] += modulus if feedback[j] < 0 else 0
        terms[j] = recurrence.terms[j] % modulus
        terms[j] += modulus if terms[j] < 0 else 0
    numbers[0] = 1
    push_int(keys, 0)
    while done < keys.size:
        key = ints(keys)[done]
        done += 1
        node = key // a.states
        p = key - node * a.states
        value = 0
        for j in range(order):
            entries[j] = node % modulus
            node //= modulus
            value = (value + entries[j] * terms[j]) % modulus
        top = entries[order - 1]
        first = top * feedback[0] % modulus
        base = 0
        for j in range(order - 1, 0, -1):
            entry = (top * feedback[j] + entries[j - 1]) % modulus
            base = (base + entry) * modulus
        for i in range(a.offsets[p], a.offsets[p + 1]):
            entry = first + weights[i]
            if entry >= modulus:
                entry -= modulus
            key = (base + entry) * a.states + a.targets[i]
            if numbers[key] == 0:
                if keys.size >= meter.ceiling:
                    meter.too_many()
                push_int(keys, <int32_t> key)
                numbers[key] = <int32_t> keys.size
            push_transition(rows, a.codes[i], numbers[key] - 1)
        rows.end_row(a.outputs[p] if value == residue else 0, keys.size, 8)
    return 0
