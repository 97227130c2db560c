"""Removal of states that no word reaches or that lead nowhere."""

from libc.stdint cimport int32_t, int64_t

# Sweeps over all rows before usefulness is decided by walking the reversed transitions instead.
cdef int SWEEPS = 6


def trim(Csr a, Meter meter):
    """Keep the states that are reachable and lead to acceptance, in the old order; O(states + transitions).

    The empty language is one state without transitions.
    """
    return trimmed(a, True, meter).export()


cdef Csr trimmed(Csr a, bint useful_only, Meter meter):
    """As `trim`, but `a` itself if nothing falls away; not useful_only: keep all that is reachable."""
    cdef Block marks = new_ints(meter)
    cdef Rows rows
    cdef int64_t kept = mark_reached(a, marks, meter)
    if useful_only:
        kept = mark_useful(a, marks, meter)
    if kept == a.states:
        return a
    if kept == 0:
        rows = Rows(meter)
        rows.end_row(0, 1, 1)
        return rows.finish()
    return cut_out(a, marks, 0, meter)


cdef Csr cut_out(Csr a, Block marks, int64_t transitions, Meter meter):
    """The marked states, state 0 among them, and the transitions between them; `marks` becomes their numbers.

    transitions: how many there will be, or 0 if that is not known.
    """
    cdef Rows rows = Rows(meter)
    with nogil:
        rows.codes.make_room(transitions)
        rows.targets.make_room(transitions)
        copy_marked(a, marks, rows, meter)
    return rows.finish()


cdef int64_t mark_reached(Csr a, Block marks, Meter meter) except -1:
    """Mark the states reachable from state 0 with 1, the others with 0; return how many are reachable."""
    cdef Block stack = new_ints(meter)
    cdef int32_t* seen
    cdef int64_t state, i, count = 1
    with nogil:
        marks.reset(a.states, 0)
        seen = ints(marks)
        if each_is_found(a, meter):
            for state in range(a.states):
                seen[state] = 1
            return a.states
        seen[0] = 1
        push_int(stack, 0)
        while stack.size:
            stack.size -= 1
            state = ints(stack)[stack.size]
            for i in range(a.offsets[state], a.offsets[state + 1]):
                if not seen[a.targets[i]]:
                    seen[a.targets[i]] = 1
                    count += 1
                    push_int(stack, a.targets[i])
            work(meter, a.offsets[state + 1] - a.offsets[state] + 1)
    return count


cdef bint each_is_found(Csr a, Meter meter) except -1 nogil:
    """Return whether each state but 0 is the target of an earlier one; kernels number states as they find them."""
    cdef int64_t state, i, found = 1
    for state in range(a.states):
        if state == found:
            return False
        for i in range(a.offsets[state], a.offsets[state + 1]):
            found += a.targets[i] == found
        work(meter, a.offsets[state + 1] - a.offsets[state] + 1)
    return found == a.states


cdef int64_t mark_useful(Csr a, Block marks, Meter meter) except -1:
    """Clear the marks of states that lead to no accepting one; return how many marks are left."""
    # Mark 2 = useful.  Kernels number states as they find them, so that most transitions go up and
    # a sweep downwards settles nearly all; the reversed rows are only made if sweeps do not suffice.
    cdef int32_t* mark = ints(marks)
    cdef int64_t state, count = 0
    cdef bint unsettled
    with nogil:
        for state in range(a.states):
            if mark[state] and a.outputs[state]:
                mark[state] = 2
        unsettled = sweep(a, mark, meter)
    if unsettled:
        walk_back(a, marks, meter)
    with nogil:
        for state in range(a.states):
            mark[state] = mark[state] == 2
            count += mark[state]
    return count


cdef int sweep(Csr a, int32_t* mark, Meter meter) except -1 nogil:
    """Spread mark 2 against the transitions, up and down the states; return whether more states may get it."""
    cdef int64_t state, i, left = 0
    cdef int turn
    cdef bint changed
    for state in range(a.states):
        left += mark[state] == 1
    for turn in range(SWEEPS):
        changed = False
        for i in range(a.states):
            state = i if turn & 1 else a.states - 1 - i
            if mark[state] == 1 and leads_on(a, state, mark):
                mark[state] = 2
                left -= 1
                changed = True
            work(meter, 2)
        if not changed or not left:
            return False
    return True


cdef inline bint leads_on(Csr a, int64_t state, const int32_t* mark) noexcept nogil:
    """Return whether a transition of the state ends in a useful one."""
    cdef int64_t i
    for i in range(a.offsets[state], a.offsets[state + 1]):
        if mark[a.targets[i]] == 2:
            return True
    return False


cdef int walk_back(Csr a, Block marks, Meter meter) except -1:
    """Mark 2 all states marked 1 from which a state marked 2 is reached."""
    cdef Block offsets = new_longs(meter), sources = new_ints(meter), stack = new_ints(meter)
    cdef int32_t* mark = ints(marks)
    cdef int64_t state, i
    cdef int32_t source
    with nogil:
        reverse_rows(a, offsets, sources, meter)
        for state in range(a.states):
            if mark[state] == 2:
                push_int(stack, <int32_t> state)
        while stack.size:
            stack.size -= 1
            state = ints(stack)[stack.size]
            for i in range(longs(offsets)[state], longs(offsets)[state + 1]):
                source = ints(sources)[i]
                if mark[source] == 1:
                    mark[source] = 2
                    push_int(stack, source)
            work(meter, longs(offsets)[state + 1] - longs(offsets)[state] + 1)
    return 0


cdef int reverse_rows(Csr a, Block offsets, Block sources, Meter meter) except -1 nogil:
    """For every state the sources of its incoming transitions: sources[offsets[t]:offsets[t + 1]]."""
    cdef int64_t* at
    cdef int64_t state, i
    offsets.reset(a.states + 2, 0)
    sources.reset(a.transitions, 0)
    at = longs(offsets)
    for state in range(a.states):
        for i in range(a.offsets[state], a.offsets[state + 1]):
            at[a.targets[i] + 2] += 1
        work(meter, a.offsets[state + 1] - a.offsets[state] + 1)
    for state in range(a.states):
        at[state + 2] += at[state + 1]
    # at[t + 1] is where the next source of t goes, and ends as the end of t's.
    for state in range(a.states):
        for i in range(a.offsets[state], a.offsets[state + 1]):
            ints(sources)[at[a.targets[i] + 1]] = <int32_t> state
            at[a.targets[i] + 1] += 1
        work(meter, 2 * (a.offsets[state + 1] - a.offsets[state]) + 1)
    offsets.size = a.states + 1
    return 0


cdef int copy_marked(Csr a, Block marks, Rows rows, Meter meter) except -1 nogil:
    cdef int32_t* number = ints(marks)
    cdef int64_t state, i, kept = 0
    for state in range(a.states):
        if number[state]:
            number[state] = <int32_t> kept
            kept += 1
        else:
            number[state] = -1
    for state in range(a.states):
        if number[state] < 0:
            continue
        for i in range(a.offsets[state], a.offsets[state + 1]):
            if number[a.targets[i]] >= 0:
                push_transition(rows, a.codes[i], number[a.targets[i]])
        rows.end_row(a.outputs[state], kept, a.offsets[state + 1] - a.offsets[state] + 1)
    return 0
