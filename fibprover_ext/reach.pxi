"""Questions to an automaton: emptiness, shortest word, finiteness, counts."""

from libc.stdint cimport int32_t, int64_t


def is_empty(Csr a, Meter meter):
    """Return whether no accepting state is reachable.  O(states + transitions), less where a short word is accepted."""
    return not leads_to_acceptance(a, 0, meter)


cdef bint leads_to_acceptance(Csr a, int64_t start, Meter meter) except -1:
    """Return whether an accepting state is reachable from a state."""
    cdef Block seen = new_ints(meter), queue = new_ints(meter)
    cdef int64_t done = 0, state, i
    cdef int32_t target
    cdef bint found = a.outputs[start] != 0
    with nogil:
        seen.lazy_zeros(a.states)
        ints(seen)[start] = 1
        push_int(queue, <int32_t> start)
        while not found and done < queue.size:
            state = ints(queue)[done]
            done += 1
            for i in range(a.offsets[state], a.offsets[state + 1]):
                target = a.targets[i]
                if not ints(seen)[target]:
                    ints(seen)[target] = 1
                    push_int(queue, target)
                    if a.outputs[target]:
                        found = True
                        break
            work(meter, a.offsets[state + 1] - a.offsets[state] + 1)
    return found


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


cdef int64_t first_cycle(Csr a, int64_t zero, Meter meter) except -2:
    """Return a state of the first cycle met depth first after a first letter other than `zero`; -1: there is none.

    Mostly few states have been met by then, whatever the size of the automaton.
    """
    cdef Block seen = new_ints(meter), path = new_ints(meter), tried = new_longs(meter)
    cdef int64_t state, i, end, found = -1
    cdef int32_t target
    with nogil:
        seen.lazy_zeros(a.states)     # 1: on the path, 2: no cycle is reachable
        push_int(path, 0)
        push_long(tried, a.offsets[0])
        while path.size:
            state = ints(path)[path.size - 1]
            i = longs(tried)[path.size - 1]
            end = a.offsets[state + 1]
            while i < end and (ints(seen)[a.targets[i]] == 2 or (path.size == 1 and a.codes[i] == zero)):
                i += 1
            work(meter, i - longs(tried)[path.size - 1] + 1)
            if i == end:
                if path.size > 1:     # the initial state may be met again, and then has all letters
                    ints(seen)[state] = 2
                path.size -= 1
                tried.size -= 1
                continue
            target = a.targets[i]
            if ints(seen)[target]:
                found = target
                break
            longs(tried)[path.size - 1] = i + 1
            ints(seen)[target] = 1
            push_int(path, target)
            push_long(tried, a.offsets[target])
    return found


def is_finite(Csr a, int64_t zero, Meter meter):
    """Return whether finitely many words do not begin with the letter `zero` (-1: finitely many words).

    O(states + transitions), less where an infinite language has a cycle that is soon met.
    """
    cdef Block marks, degrees, stack
    cdef int64_t state, i, left = 0
    cdef int32_t target
    state = first_cycle(a, zero, meter)
    if state < 0:
        return True
    if leads_to_acceptance(a, state, meter):
        return False
    marks, degrees, stack = new_ints(meter), new_longs(meter), new_ints(meter)
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
