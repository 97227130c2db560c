"""Questions to an automaton: emptiness, shortest word, finiteness, words in order, counts."""

from libc.stdint cimport int32_t, int64_t, uint64_t


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
    cdef Block parent = new_ints(meter), edge = new_longs(meter), queue = new_ints(meter)
    cdef int64_t found
    with nogil:
        found = first_accepting(a, parent, edge, queue, meter)
    if found < 0:
        return None
    word = []
    while found:
        word.append(a.codes[longs(edge)[found]])
        found = ints(parent)[found]
    word.reverse()
    return tuple(word)


cdef int64_t first_accepting(Csr a, Block parent, Block edge, Block queue, Meter meter) except -2 nogil:
    """First accepting state in order of the least words that reach states, or -1."""
    cdef int64_t done = 0, state, i
    cdef int32_t target
    if a.outputs[0]:
        return 0
    parent.reset(a.states, 0xff)
    edge.reset(a.states, 0)
    ints(parent)[0] = 0
    push_int(queue, 0)
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


def first_words(Csr a, int64_t zero, int64_t count, Meter meter):
    """The first `count` words by length, then letter codes, that do not begin with the letter `zero`.

    O(length * transitions) time to know which states accept a word of each length, states/8 bytes
    a length, and only steps that lead to a word when the words are listed.
    """
    cdef Block marks = new_ints(meter), path = new_longs(meter)
    cdef list levels = []           # levels[k]: bit set of the inner states that accept a word of length k
    cdef Block level, states
    cdef list found = []
    cdef int64_t depth, state, i, end, length
    cdef bint some
    if count <= 0:
        return found
    if a.outputs[0]:
        found.append(())
    mark_inner(a, zero, marks, meter)
    length = 0
    states = new_longs(meter)
    while len(found) < count:
        length += 1
        level = new_longs(meter)
        with nogil:
            level.reset((a.states >> 6) + 1, 0)
        if length == 1:
            some = first_level(a, marks, level, meter)
        else:
            some = next_level(a, marks, <Block> levels[length - 2], level, meter)
        if not some:
            break
        levels.append(level)
        # Walk all words of this length in order: path[d] is the transition tried at depth d.
        path.reset(length + 1, 0)
        states.reset(length + 1, 0)
        depth = 0
        longs(path)[0] = a.offsets[0]
        while depth >= 0 and len(found) < count:
            state = longs(states)[depth]
            i = longs(path)[depth]
            end = a.offsets[state + 1]
            level = <Block> levels[length - 1 - depth]
            work(meter, 1)
            while i < end and (not has_bit(level, a.targets[i]) or (depth == 0 and a.codes[i] == zero)):
                i += 1
            if i == end:
                depth -= 1
                if depth >= 0:
                    longs(path)[depth] += 1
                continue
            longs(path)[depth] = i
            if depth + 1 < length:
                depth += 1
                longs(states)[depth] = a.targets[i]
                longs(path)[depth] = a.offsets[a.targets[i]]
                continue
            found.append(tuple([a.codes[longs(path)[d]] for d in range(length)]))
            longs(path)[depth] += 1
    return found


cdef inline bint has_bit(Block bits, int64_t i) noexcept nogil:
    return (<const uint64_t*> bits.data)[i >> 6] >> (i & 63) & 1


cdef int first_level(Csr a, Block marks, Block level, Meter meter) except -1:
    """Put the marked accepting states into `level`; return whether there is one."""
    cdef int64_t state
    cdef bint some = False
    for state in range(a.states):
        if ints(marks)[state] and a.outputs[state]:
            (<uint64_t*> level.data)[state >> 6] |= <uint64_t> 1 << (state & 63)
            some = True
    work(meter, a.states)
    return some


cdef int next_level(Csr a, Block marks, Block previous, Block level, Meter meter) except -1:
    """Put the marked states with a target in `previous` into `level`; return whether there is one."""
    cdef int64_t state, i
    cdef bint some = False
    for state in range(a.states):
        if not ints(marks)[state]:
            continue
        work(meter, 1)
        for i in range(a.offsets[state], a.offsets[state + 1]):
            if has_bit(previous, a.targets[i]):
                (<uint64_t*> level.data)[state >> 6] |= <uint64_t> 1 << (state & 63)
                some = True
                break
    return some


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
