"""Linear atoms: sum c_i x_i RELATION c over a recurrence, read most significant digit first.

A state is a node of `remainders.pxi` together with each track's state in the automaton of valid words.  Where
steps depend on the position's phase, the automaton reads, besides one digit a variable, the phase of the number
of digits still to come; that makes it deterministic.  Who wants the relation projects that track away.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

# Fixed arrays below have room for this many tracks, and one more.
cdef int MOST_TRACKS = 62


def linear_atom(Csr valid, int64_t radix, const int64_t[::1] coefficients, int relation, int64_t constant,
                int64_t extent, Recurrence recurrence, Meter meter):
    """Return the automaton of sum c_i x_i RELATION constant inside valid^k, not minimized, its first track the phase.

    valid: the representations over (phase, digit), the phase being that of the digits still to come; relation: 0
    for =, 1 for !=, 2 for <; extent: = compares with each number from the constant to constant + extent, and !=
    says that none of them is the sum; 0 for <; radix: number of digits.  With one phase, letters are coded as
    without that track.  Raises TooLargeError where remainders, weights or states outgrow their types.  O(1) work
    for each transition and for each pair of remainder and weight.
    """
    cdef Atom atom
    cdef Rows rows = Rows(meter)
    cdef Block keys = new_longs(meter), begins = new_longs(meter), extremes = new_longs(meter)
    cdef Table table = Table(meter)
    cdef int64_t letters = recurrence.phases
    cdef int tracks = <int> coefficients.shape[0], _track
    if tracks < 1 or radix < 1:
        raise InvalidArrayError("a linear atom needs variables and digits")
    for _track in range(tracks):
        if letters > ((<int64_t> 1 << 62) - 1) // radix or tracks > MOST_TRACKS:
            raise TooLargeError("the tracks of a linear atom have more than 2^62 letters")
        letters *= radix
    atom = new_atom(coefficients, relation, constant, extent, radix, recurrence, meter)
    atom.find_weights(coefficients, radix)
    with nogil:
        walk_linear(atom, valid, &coefficients[0], tracks, radix, rows, keys, begins, extremes, table, meter)
    return rows.finish().export()


cdef int find_phase_runs(int64_t phases, Csr valid, const int64_t* coefficients, int tracks, int64_t radix,
                         Block begins, Block extremes) except -1 nogil:
    """Where the transitions into each phase begin, by validity state; a track's extreme contributions there."""
    cdef int64_t state, phase, i, place, low, high
    for state in range(valid.states):
        place = valid.offsets[state]
        for phase in range(phases + 1):
            while place < valid.offsets[state + 1] and valid.codes[place] < phase * radix:
                place += 1
            push_long(begins, place)
    for i in range(tracks):
        for state in range(valid.states):
            for phase in range(phases):
                place = longs(begins)[state * (phases + 1) + phase]
                low = high = 0
                if place < longs(begins)[state * (phases + 1) + phase + 1]:
                    low = valid.codes[place] - phase * radix
                    high = valid.codes[longs(begins)[state * (phases + 1) + phase + 1] - 1] - phase * radix
                push_long(extremes, coefficients[i] * (low if coefficients[i] > 0 else high))
                push_long(extremes, coefficients[i] * (high if coefficients[i] > 0 else low))
    return 0


cdef int walk_linear(Atom atom, Csr valid, const int64_t* coefficients, int tracks, int64_t radix, Rows rows,
                     Block keys, Block begins, Block extremes, Table table, Meter meter) except -1 nogil:
    """Add a row for each reachable pair of a node and the tracks' validity states."""
    # One entry a track: the transition tried next and the end of its row, ...
    cdef int64_t[64] here, end, state
    # ... what is fixed by the digits before it: weight, letter code, validity states, ...
    cdef int64_t[65] weight, code, validity
    # ... and the least and greatest weight that it and the tracks after it can add.
    cdef int64_t[65] least, most
    cdef int64_t combinations = 1, done = 0, key, node, first, last, wanted, target, i, v, _track
    cdef int64_t choice, phase, base, digit, place, tried, phases = atom.recurrence.phases
    cdef int depth
    cdef bint accepts
    cdef const int32_t* row
    for _track in range(tracks):
        if combinations > ((<int64_t> 1 << 31) - 1) // valid.states:
            with gil:
                raise TooLargeError("a linear atom has too many combinations of validity states")
        combinations *= valid.states
    find_phase_runs(phases, valid, coefficients, tracks, radix, begins, extremes)
    node = atom.start()
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
        for i in range(tracks - 1, -1, -1):
            state[i] = v % valid.states
            v //= valid.states
            accepts = accepts and valid.outputs[state[i]] != 0
        if longs(atom.begins)[node] < 0:
            atom.expand(node)
        first, last = longs(atom.first)[node], longs(atom.last)[node]
        tried = 0
        for choice in range(atom.count_of(node) if first <= last else 0):
            phase = atom.following(node, choice)
            base = phase * radix
            row = ints(atom.rows) + longs(atom.begins)[node] + choice * atom.weights.size
            least[tracks] = most[tracks] = 0
            for i in range(tracks - 1, -1, -1):
                place = 2 * ((i * valid.states + state[i]) * phases + phase)
                least[i] = least[i + 1] + longs(extremes)[place]
                most[i] = most[i + 1] + longs(extremes)[place + 1]
            depth = 0
            weight[0] = validity[0] = 0
            code[0] = phase
            place = state[0] * (phases + 1) + phase
            here[0], end[0] = longs(begins)[place], longs(begins)[place + 1]
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
                digit = valid.codes[i] - base
                wanted = weight[depth] + coefficients[depth] * digit
                if wanted + least[depth + 1] > last:
                    if coefficients[depth] > 0:
                        here[depth] = end[depth]
                    else:
                        here[depth] = skip_digits(valid.codes, i, end[depth], base, coefficients[depth],
                                                  last - least[depth + 1] - weight[depth])
                    continue
                if wanted + most[depth + 1] < first:
                    if coefficients[depth] < 0:
                        here[depth] = end[depth]
                    else:
                        here[depth] = skip_digits(valid.codes, i, end[depth], base, coefficients[depth],
                                                  first - most[depth + 1] - weight[depth])
                    continue
                key = code[depth] * radix + digit
                v = validity[depth] * valid.states + valid.targets[i]
                if depth + 1 < tracks:
                    depth += 1
                    weight[depth] = wanted
                    code[depth] = key
                    validity[depth] = v
                    place = state[depth] * (phases + 1) + phase
                    here[depth], end[depth] = longs(begins)[place], longs(begins)[place + 1]
                    continue
                target = row[place_of(atom, wanted)]
                if target >= 0:
                    target = intern(table, keys, <uint64_t> (target * combinations + v))
                    push_transition(rows, key, <int32_t> target)
        rows.end_row(accepts, keys.size, tried + 8)
    return 0


cdef int64_t skip_digits(const int64_t* digits, int64_t begin, int64_t end, int64_t base,
                         int64_t coefficient, int64_t bound) noexcept nogil:
    """Return the first of the sorted digits, stored plus `base`, for which coefficient times digit reaches the bound.

    It comes from below for a positive coefficient, and from above for a negative one.
    """
    cdef int64_t middle, reached
    while begin < end:
        middle = (begin + end) >> 1
        reached = coefficient * (digits[middle] - base)
        if reached < bound if coefficient > 0 else reached > bound:
            begin = middle + 1
        else:
            end = middle
    return begin
