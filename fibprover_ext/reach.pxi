"""Questions to an automaton: emptiness, shortest word, finiteness, counts."""

from libc.stdint cimport int32_t, int64_t


def is_empty(Csr a, Meter meter):
    """Return whether no accepting state is reachable.  O(states + transitions)."""
    cdef Block marks = new_ints(meter)
    cdef int64_t state
    if a.outputs[0]:
        return False
    mark_reached(a, marks, meter)
    for state in range(a.states):
        if ints(marks)[state] and a.outputs[state]:
            return False
    return True


def shortest_word(Csr a, Meter meter):
    """Return the codes of the first accepted word by length, then letter codes; None if no word is accepted."""
    return word_from(a, 0, meter)


cdef object word_from(Csr a, int64_t start, Meter meter):
    """As `shortest_word`, from another state than the initial one."""
    cdef Block parent = new_ints(meter), edge = new_longs(meter), queue = new_ints(meter)
    cdef int64_t found
    with nogil:
        found = first_accepting(a, start, parent, edge, queue, meter)
    if found < 0:
        return None
    word = []
    while found != start:
        word.append(a.codes[longs(edge)[found]])
        found = ints(parent)[found]
    word.reverse()
    return tuple(word)


cdef int64_t first_accepting(Csr a, int64_t start, Block parent, Block edge, Block queue,
                             Meter meter) except -2 nogil:
    """First accepting state in order of the least words that lead from `start` to states, or -1."""
    cdef int64_t done = 0, state, i
    cdef int32_t target
    if a.outputs[start]:
        return start
    parent.reset(a.states, 0xff)
    edge.reset(a.states, 0)
    ints(parent)[start] = <int32_t> start
    push_int(queue, <int32_t> start)
    while done < queue.size:
        state = ints(queue)[done]
        done += 1
        for i in range(a.offsets[state], a.offsets[state + 1]):
            target = a.targets[i]
            if ints(parent)[target] >= 0:
                continue
            ints(parent)[target] = <int32_t> state
            longs(edge)[target] = i
            if a.outputs[target]:
                return target
            push_int(queue, target)
        work(meter, a.offsets[state + 1] - a.offsets[state] + 1)
    return -1


cdef int mark_inner(Csr a, int64_t zero, Block marks, Meter meter) except -1:
    """Mark the useful states that some non-empty word reaches whose first letter is not `zero`."""
    cdef Block useful = new_ints(meter), stack = new_ints(meter)
    cdef int64_t state = 0, i
    cdef bint first = True
    cdef int32_t target
    mark_reached(a, useful, meter)
    mark_useful(a, useful, meter)
    with nogil:
        marks.reset(a.states, 0)
        while first or stack.size:
            if not first:
                stack.size -= 1
                state = ints(stack)[stack.size]
            for i in range(a.offsets[state], a.offsets[state + 1]):
                target = a.targets[i]
                if (first and a.codes[i] == zero) or ints(marks)[target] or not ints(useful)[target]:
                    continue
                ints(marks)[target] = 1
                push_int(stack, target)
            first = False
            work(meter, a.offsets[state + 1] - a.offsets[state] + 1)
    return 0


def is_finite(Csr a, int64_t zero, Meter meter):
    """Return whether finitely many words do not begin with the letter `zero` (-1: finitely many words)."""
    cdef Block marks = new_ints(meter), degrees = new_longs(meter), stack = new_ints(meter)
    cdef int64_t state, i, left = 0
    cdef int32_t target
    mark_inner(a, zero, marks, meter)
    with nogil:
        # Finite if the marked states have no cycle: remove states without incoming transitions.
        degrees.reset(a.states, 0)
        for state in range(a.states):
            if ints(marks)[state]:
                left += 1
                for i in range(a.offsets[state], a.offsets[state + 1]):
                    longs(degrees)[a.targets[i]] += 1
                work(meter, a.offsets[state + 1] - a.offsets[state] + 1)
        for state in range(a.states):
            if ints(marks)[state] and not longs(degrees)[state]:
                push_int(stack, <int32_t> state)
        while stack.size:
            stack.size -= 1
            state = ints(stack)[stack.size]
            left -= 1
            for i in range(a.offsets[state], a.offsets[state + 1]):
                target = a.targets[i]
                longs(degrees)[target] -= 1
                if ints(marks)[target] and not longs(degrees)[target]:
                    push_int(stack, target)
            work(meter, a.offsets[state + 1] - a.offsets[state] + 1)
    return left == 0


def count_words(Csr a, int64_t length, Meter meter):
    """Return the exact number of accepted words of exactly this length.  O(length * transitions) big additions."""
    cdef list ways = [1 if a.outputs[state] else 0 for state in range(a.states)]
    cdef list longer
    cdef int64_t state, i
    for _ in range(length):
        longer = []
        for state in range(a.states):
            total = 0
            for i in range(a.offsets[state], a.offsets[state + 1]):
                total += ways[a.targets[i]]
            longer.append(total)
            work(meter, 16 * (a.offsets[state + 1] - a.offsets[state] + 1))
        ways = longer
    return ways[0]
