"""Linear atoms: sum c_i x_i RELATION c over a recurrence, read most significant digit first.

A state is a node of `remainders.pxi` together with each track's state in the automaton of valid words.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.vector cimport vector

# Fixed arrays below have room for this many tracks, and one more.
cdef int MOST_TRACKS = 62


def linear_atom(Csr valid, int64_t radix, const int64_t[::1] coefficients, int relation, int64_t constant,
                const int64_t[::1] feedback, const int64_t[::1] terms, const double[::1] powers,
                const double[::1] spread, Meter meter):
    """Return the automaton of sum c_i x_i RELATION constant inside valid^k, not minimized.

    relation: 0 for =, 1 for !=, 2 for <; radix: number of digits.  The recurrence, of order d:
    feedback (q_d, ..., q_1) as in U_{t+d} = q_1 U_{t+d-1} + ... + q_d U_t; terms: U_0, U_1, ...,
    at least d of them; powers: beta^0, ..., beta^{d-1}; spread: bounds from above on
    sup |U_{t+j} - beta^j U_t|.  Raises TooLargeError where remainders, weights or states outgrow
    their types.  O(1) work for each transition and for each pair of remainder and weight.
    """
    cdef Atom atom
    cdef Rows rows = Rows(meter)
    cdef Block keys = new_longs(meter), extremes = new_longs(meter)
    cdef Table table = Table(meter)
    cdef int64_t letters = 1
    cdef int tracks = <int> coefficients.shape[0], _track
    if tracks < 1 or radix < 1:
        raise InvalidArrayError("a linear atom needs variables and digits")
    for _track in range(tracks):
        if letters > ((<int64_t> 1 << 62) - 1) // radix or tracks > MOST_TRACKS:
            raise TooLargeError("the tracks of a linear atom have more than 2^62 letters")
        letters *= radix
    atom = new_atom(coefficients, relation, constant, radix, feedback, terms, powers, spread, meter)
    atom.find_weights(coefficients, radix)
    with nogil:
        walk_linear(atom, valid, &coefficients[0], tracks, radix, rows, keys, extremes, table, meter)
    return rows.finish().export()


cdef int walk_linear(Atom atom, Csr valid, const int64_t* coefficients, int tracks, int64_t radix, Rows rows,
                     Block keys, Block extremes, Table table, Meter meter) except -1 nogil:
    """Add a row for each reachable pair of a node and the tracks' validity states."""
    cdef vector[int64_t] zero
    # One entry a track: the transition tried next and the end of its row, ...
    cdef int64_t[64] here, end, state
    # ... what is fixed by the digits before it: weight, letter code, validity states, ...
    cdef int64_t[65] weight, code, validity
    # ... and the least and greatest weight that it and the tracks after it can add.
    cdef int64_t[65] least, most
    cdef int64_t combinations = 1, done = 0, key, node, begin, first, last, wanted, target, i, v, _track
    cdef int64_t steps, tried
    cdef int depth
    cdef bint accepts
    cdef const int32_t* row
    for _track in range(tracks):
        if combinations > ((<int64_t> 1 << 31) - 1) // valid.states:
            with gil:
                raise TooLargeError("a linear atom has too many combinations of validity states")
        combinations *= valid.states
    # The least and greatest contribution of each track in each validity state.
    for i in range(tracks):
        for v in range(valid.states):
            least[0] = most[0] = 0
            begin, last = valid.offsets[v], valid.offsets[v + 1]
            if begin < last:
                least[0] = coefficients[i] * valid.codes[begin if coefficients[i] > 0 else last - 1]
                most[0] = coefficients[i] * valid.codes[last - 1 if coefficients[i] > 0 else begin]
            push_long(extremes, least[0])
            push_long(extremes, most[0])
    zero.resize(atom.order)
    node = atom.node_of_remainder(zero.data())
    if node < 0:
        rows.end_row(0, 1, 1)
        return 0
    intern(table, keys, <uint64_t> (node * combinations))
    while done < keys.size:
        key = longs(keys)[done]
        done += 1
        node = key // combinations
        v = key - node * combinations
        accepts = atom.holds(node)
        least[tracks] = most[tracks] = 0
        for i in range(tracks - 1, -1, -1):
            state[i] = v % valid.states
            v //= valid.states
            accepts = accepts and valid.outputs[state[i]] != 0
            least[i] = least[i + 1] + longs(extremes)[2 * (i * valid.states + state[i])]
            most[i] = most[i + 1] + longs(extremes)[2 * (i * valid.states + state[i]) + 1]
        if longs(atom.begins)[node] < 0:
            atom.expand(node)
        first, last = longs(atom.first)[node], longs(atom.last)[node]
        row = ints(atom.rows) + longs(atom.begins)[node]
        begin = rows.codes.size
        steps = 8
        tried = 0
        depth = 0
        weight[0] = code[0] = validity[0] = 0
        here[0], end[0] = valid.offsets[state[0]], valid.offsets[state[0] + 1]
        if first > last:
            depth = -1
        while depth >= 0:
            if here[depth] == end[depth]:
                depth -= 1
                continue
            i = here[depth]
            here[depth] += 1
            tried += 1
            if tried >= 4096:
                progress(meter, keys.size, rows.codes.size, tried)
                tried = 0
            wanted = weight[depth] + coefficients[depth] * valid.codes[i]
            if wanted + least[depth + 1] > last:
                if coefficients[depth] > 0:
                    here[depth] = end[depth]
                else:
                    here[depth] = skip_digits(valid.codes, i, end[depth], coefficients[depth],
                                              last - least[depth + 1] - weight[depth])
                continue
            if wanted + most[depth + 1] < first:
                if coefficients[depth] < 0:
                    here[depth] = end[depth]
                else:
                    here[depth] = skip_digits(valid.codes, i, end[depth], coefficients[depth],
                                              first - most[depth + 1] - weight[depth])
                continue
            key = code[depth] * radix + valid.codes[i]
            v = validity[depth] * valid.states + valid.targets[i]
            if depth + 1 < tracks:
                depth += 1
                weight[depth] = wanted
                code[depth] = key
                validity[depth] = v
                here[depth], end[depth] = valid.offsets[state[depth]], valid.offsets[state[depth] + 1]
                continue
            target = row[place_of(atom, wanted)]
            if target >= 0:
                target = intern(table, keys, <uint64_t> (target * combinations + v))
                push_transition(rows, key, <int32_t> target)
        rows.end_row(accepts, keys.size, tried + steps)
    return 0


cdef int64_t skip_digits(const int64_t* digits, int64_t begin, int64_t end, int64_t coefficient,
                         int64_t bound) noexcept nogil:
    """Return the first of the sorted digits for which coefficient times digit reaches the bound.

    It comes from below for a positive coefficient, and from above for a negative one.
    """
    cdef int64_t middle
    while begin < end:
        middle = (begin + end) >> 1
        if (coefficient * digits[middle] < bound) if coefficient > 0 else (coefficient * digits[middle] > bound):
            begin = middle + 1
        else:
            end = middle
    return begin
