"""Linear atoms where a step depends on the position's phase: Ostrowski systems and negative bases.

The automaton reads, besides one digit a variable, the phase of the number of digits still to
come; that makes it deterministic.  Who wants the relation projects that track away.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t


def periodic_atom(Csr valid, int64_t radix, const int64_t[::1] coefficients, int relation, int64_t constant,
                  int64_t transient, int64_t order, const int64_t[::1] feedback, const int64_t[::1] terms,
                  const int64_t[::1] lows, const int64_t[::1] highs, const double[::1] powers,
                  const double[::1] spread, const double[::1] ranges, Meter meter):
    """The automaton of sum c_i x_i RELATION constant, not minimized, its first track the phase.

    valid: the representations over (phase, digit), the phase being that of the digits still to
    come; relation: 0 for =, 1 for !=, 2 for <; radix: number of digits.  The recurrence, of order d
    with p phases, the first `transient` of them single positions: feedback (p rows of d): in
    phase i, U_{t+d-1} = sum_j feedback[i][j] U_{t-1+j}; terms U_0, U_1, ...; lows, highs: the
    extreme values of t valid digits; powers (p rows of d): the limit of U_{t+j} / U_t in the phase;
    spread: bounds from above on |U_{t+j} - power U_t|; ranges (p rows of 3): the limits of
    lows[t] / |U_t| and highs[t] / |U_t|, and a bound from above on how far lows and highs are from
    those times |U_t|.  Raises TooLargeError where remainders, weights or states outgrow their types.
    """
    cdef PeriodicAtom atom
    cdef Rows rows = Rows(meter)
    cdef Block keys = new_longs(meter), begins = new_longs(meter), extremes = new_longs(meter)
    cdef Table table = Table(meter)
    cdef int64_t letters = ranges.shape[0] // 3
    cdef int tracks = <int> coefficients.shape[0], _track
    if tracks < 1 or radix < 1:
        raise InvalidArrayError("a linear atom needs variables and digits")
    for _track in range(tracks):
        if letters > ((<int64_t> 1 << 62) - 1) // radix or tracks > MOST_TRACKS:
            raise TooLargeError("the tracks of a linear atom have more than 2^62 letters")
        letters *= radix
    atom = new_periodic_atom(coefficients, relation, constant, radix, transient, order, feedback, terms, lows, highs,
                             powers, spread, ranges, meter)
    with nogil:
        walk_periodic(atom, valid, &coefficients[0], tracks, radix, rows, keys, begins, extremes, table, meter)
    return rows.finish().export()


cdef int find_phase_runs(PeriodicAtom atom, Csr valid, const int64_t* coefficients, int tracks, int64_t radix,
                         Block begins, Block extremes) except -1 nogil:
    """Where the transitions into each phase begin, by validity state; a track's extreme contributions there."""
    cdef int64_t state, phase, i, place, low, high
    for state in range(valid.states):
        place = valid.offsets[state]
        for phase in range(atom.phases + 1):
            while place < valid.offsets[state + 1] and valid.codes[place] < phase * radix:
                place += 1
            push_long(begins, place)
    for i in range(tracks):
        for state in range(valid.states):
            for phase in range(atom.phases):
                place = longs(begins)[state * (atom.phases + 1) + phase]
                low = high = 0
                if place < longs(begins)[state * (atom.phases + 1) + phase + 1]:
                    low = valid.codes[place] - phase * radix
                    high = valid.codes[longs(begins)[state * (atom.phases + 1) + phase + 1] - 1] - phase * radix
                push_long(extremes, coefficients[i] * (low if coefficients[i] > 0 else high))
                push_long(extremes, coefficients[i] * (high if coefficients[i] > 0 else low))
    return 0


cdef int walk_periodic(PeriodicAtom atom, Csr valid, const int64_t* coefficients, int tracks, int64_t radix, Rows rows,
                       Block keys, Block begins, Block extremes, Table table, Meter meter) except -1 nogil:
    """Reachable pairs of a node and the tracks' validity states, with the letters that lead on."""
    cdef int64_t[64] here, end, state
    # What is fixed by the digits before a track: weight, letter code, validity states; and the
    # least and greatest weight that it and the tracks after it can add.
    cdef int64_t[65] weight, code, validity, least, most
    cdef int64_t combinations = 1, done = 0, key, node, first, last, wanted, target, i, v, choice, phase, place
    cdef int64_t tried, stride = atom.phases + 1, _track
    cdef int depth
    cdef bint accepts
    for _track in range(tracks):
        if combinations > ((<int64_t> 1 << 31) - 1) // valid.states:
            with gil:
                raise TooLargeError("a linear atom has too many combinations of validity states")
        combinations *= valid.states
    find_phase_runs(atom, valid, coefficients, tracks, radix, begins, extremes)
    intern(table, keys, <uint64_t> (atom.start() * combinations))
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
            least[tracks] = most[tracks] = 0
            for i in range(tracks - 1, -1, -1):
                place = 2 * ((i * valid.states + state[i]) * atom.phases + phase)
                least[i] = least[i + 1] + longs(extremes)[place]
                most[i] = most[i + 1] + longs(extremes)[place + 1]
            depth = 0
            weight[0] = validity[0] = 0
            code[0] = phase
            here[0] = longs(begins)[state[0] * stride + phase]
            end[0] = longs(begins)[state[0] * stride + phase + 1]
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
                v = valid.codes[i] - phase * radix
                wanted = weight[depth] + coefficients[depth] * v
                if wanted + least[depth + 1] > last or wanted + most[depth + 1] < first:
                    continue
                key = code[depth] * radix + v
                v = validity[depth] * valid.states + valid.targets[i]
                if depth + 1 < tracks:
                    depth += 1
                    weight[depth] = wanted
                    code[depth] = key
                    validity[depth] = v
                    here[depth] = longs(begins)[state[depth] * stride + phase]
                    end[depth] = longs(begins)[state[depth] * stride + phase + 1]
                    continue
                # Rows of the atom may move, so its place is looked up each time.
                place = longs(atom.begins)[node] + choice * atom.weights.size + place_of(atom, wanted)
                target = ints(atom.rows)[place]
                if target >= 0:
                    target = intern(table, keys, <uint64_t> (target * combinations + v))
                    push_transition(rows, key, <int32_t> target)
        rows.end_row(accepts, keys.size, tried + 8)
    return 0
