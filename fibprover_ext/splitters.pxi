"""Partition refinement by splitters, after Hopcroft: only transitions to a smaller part are examined.

All states of a class have the same letters.  So the transition at one position of the row is one
letter for a whole class, and a splitter divides a class into those states whose transition at that
position leads into it and the others: positions serve for letters, whatever other classes have
there.  A class that is divided keeps its number for the larger part; the smaller one is a new class
and has to split others, whether its former whole has or not.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

# Positions in a row have 32 bits.
cdef int64_t LONGEST_ROW = (<int64_t> 1 << 32) - 1


cdef class Splitters:
    """Classes of states, split by the transitions into one of them; class c is a slice of `order`."""
    cdef Csr a
    cdef Meter meter
    cdef int64_t classes, first         # number of classes: now; at first
    cdef Block of_state, order, place   # of a state: its class; states, class by class; where a state is
    cdef Block begin, length            # of a class: its stretch of `order`
    cdef Block waiting                  # of a class there was at first: whether it has to split others
    cdef Block offsets, entries         # of a state: incoming transitions, as position in the row << 32 | source
    cdef Block gathered
    cdef Block touched                  # classes with marked states, at their front: class, length, how many

    def __cinit__(self, Csr a, Block of_state, int64_t classes, int64_t kept, Meter meter):
        self.a = a
        self.meter = meter
        self.classes = self.first = classes
        self.of_state, self.order, self.place = of_state, new_ints(meter), new_ints(meter)
        self.begin, self.length = new_ints(meter), new_ints(meter)
        self.waiting, self.touched = new_ints(meter), new_ints(meter)
        self.offsets, self.entries, self.gathered = new_longs(meter), new_longs(meter), new_longs(meter)
        self.length.reset(classes, 0)
        self.begin.reset(classes, 0)
        self.order.reset(kept, 0)
        self.place.reset(a.states, 0)
        with nogil:
            lay_out(a.states, of_state, self.order, self.place, self.begin, self.length)

    cdef int choose(self, Block members, Block previous) except -1 nogil:
        """Of the parts of a former class all but the largest have to split others.

        members: a state of each class; previous: of a state, its former class.  States of one class
        must agree in the former classes that their transitions lead to.
        """
        cdef int64_t c, former, state
        cdef int32_t* best = ints(self.place)
        # `place` serves as a scratch array: of a former class, its largest part; laid out again below.
        for c in range(self.first):
            best[ints(previous)[ints(members)[c]]] = -1
        for c in range(self.first):
            former = ints(previous)[ints(members)[c]]
            if best[former] < 0 or ints(self.length)[c] > ints(self.length)[best[former]]:
                best[former] = <int32_t> c
        self.waiting.reset(self.first, 0)
        for c in range(self.first):
            ints(self.waiting)[c] = best[ints(previous)[ints(members)[c]]] != c
        for state in range(self.order.size):
            ints(self.place)[ints(self.order)[state]] = <int32_t> state
        return work(self.meter, self.order.size)

    cdef int reverse(self) except -1:
        """Collect the incoming transitions of each state."""
        with nogil:
            self.collect_incoming()
        return 0

    cdef int collect_incoming(self) except -1 nogil:
        cdef const int32_t* of_state = ints(self.of_state)
        cdef const int64_t* offsets = self.a.offsets
        cdef const int32_t* targets = self.a.targets
        cdef int64_t* at
        cdef int64_t* entries
        cdef int64_t state, i, position
        self.offsets.reset(self.a.states + 2, 0)
        at = longs(self.offsets)
        for state in range(self.a.states):
            if of_state[state] < 0:
                continue
            if offsets[state + 1] - offsets[state] > LONGEST_ROW:
                with gil:
                    raise TooLargeError("a row of more than 2^32 transitions")
            for i in range(offsets[state], offsets[state + 1]):
                at[targets[i] + 2] += 1
            work(self.meter, offsets[state + 1] - offsets[state] + 1)
        for state in range(self.a.states):
            at[state + 2] = at[state + 1] + (at[state + 2] if of_state[state] >= 0 else 0)
        self.entries.reset(at[self.a.states + 1], 0)
        entries = longs(self.entries)
        # at[t + 1] is where the next entry of t goes, and ends as the end of t's.
        for state in range(self.a.states):
            if of_state[state] < 0:
                continue
            position = 0
            for i in range(offsets[state], offsets[state + 1]):
                if of_state[targets[i]] < 0:
                    continue
                entries[at[targets[i] + 1]] = (position << 32) | state
                at[targets[i] + 1] += 1
                position += 1
            work(self.meter, 2 * (offsets[state + 1] - offsets[state]) + 1)
        self.offsets.size = self.a.states + 1
        return 0

    cdef int run(self) except -1 nogil:
        """Split until every class is split by every other."""
        cdef int64_t c = 0
        while c < self.classes:
            if c >= self.first or ints(self.waiting)[c]:
                self.split_by(c)
            c += 1
        return 0

    cdef int split_by(self, int64_t splitter) except -1 nogil:
        """Divide the classes of which, at some position, a part leads into the splitter and a part does not."""
        cdef const int64_t* offsets = longs(self.offsets)
        cdef const uint64_t* entries = <const uint64_t*> self.entries.data
        cdef int64_t i, k, state, count, begin = ints(self.begin)[splitter]
        cdef uint64_t position
        cdef uint64_t* found
        self.gathered.size = 0
        for i in range(begin, begin + ints(self.length)[splitter]):
            state = ints(self.order)[i]
            for k in range(offsets[state], offsets[state + 1]):
                # A class of one state cannot be divided.
                if ints(self.length)[ints(self.of_state)[<uint32_t> entries[k]]] > 1:
                    push_long(self.gathered, <int64_t> entries[k])
            work(self.meter, offsets[state + 1] - offsets[state] + 1)
        count = self.gathered.size
        found = <uint64_t*> self.gathered.data
        sort_polled(found, count, poll_meter, <void*> self.meter)
        work(self.meter, 8 * count)
        i = 0
        while i < count:
            position = found[i] >> 32
            while i < count and found[i] >> 32 == position:
                self.mark(<int64_t> <uint32_t> found[i])
                i += 1
            for k in range(0, self.touched.size, 3):
                self.divide(ints(self.touched)[k], ints(self.touched)[k + 1], ints(self.touched)[k + 2])
            self.touched.size = 0
        return 0

    cdef int mark(self, int64_t state) except -1 nogil:
        """Put a state, which is not marked, among the marked ones of its class."""
        cdef int32_t c = ints(self.of_state)[state], length = ints(self.length)[c], here, there, other, marked
        if length == 1:
            return 0
        if length > 0:
            # In place of its length a touched class has the place of its entry.
            push_int(self.touched, c)
            push_int(self.touched, length)
            push_int(self.touched, 0)
            length = -<int32_t> (self.touched.size // 3)
            ints(self.length)[c] = length
        marked = ints(self.touched)[-3 * <int64_t> length - 1]
        ints(self.touched)[-3 * <int64_t> length - 1] = marked + 1
        here = ints(self.place)[state]
        there = ints(self.begin)[c] + marked
        other = ints(self.order)[there]
        ints(self.order)[there], ints(self.order)[here] = <int32_t> state, other
        ints(self.place)[state], ints(self.place)[other] = there, here
        return 0

    cdef int divide(self, int32_t c, int32_t length, int32_t marked) except -1 nogil:
        """Marked and unmarked states of a class part; the smaller part becomes a class."""
        cdef int32_t begin = ints(self.begin)[c], fresh = <int32_t> self.classes
        cdef int64_t i
        ints(self.length)[c] = length
        if marked == length:
            return 0
        if 2 * <int64_t> marked <= length:
            push_int(self.begin, begin)
            push_int(self.length, marked)
            ints(self.begin)[c] += marked
            ints(self.length)[c] -= marked
        else:
            push_int(self.begin, begin + marked)
            push_int(self.length, length - marked)
            ints(self.length)[c] = marked
        self.classes += 1
        for i in range(ints(self.begin)[fresh], ints(self.begin)[fresh] + ints(self.length)[fresh]):
            ints(self.of_state)[ints(self.order)[i]] = fresh
        return work(self.meter, ints(self.length)[fresh])


cdef int lay_out(int64_t states, Block of_state, Block order, Block place, Block begin, Block length) except -1 nogil:
    """Sort the states by class; class c is order[begin[c]:begin[c] + length[c]]."""
    cdef int64_t state, c, at = 0
    cdef int32_t size
    for state in range(states):
        if ints(of_state)[state] >= 0:
            ints(length)[ints(of_state)[state]] += 1
    for c in range(length.size):
        size = ints(length)[c]
        ints(begin)[c] = <int32_t> at
        ints(length)[c] = 0
        at += size
    for state in range(states):
        c = ints(of_state)[state]
        if c >= 0:
            at = ints(begin)[c] + ints(length)[c]
            ints(length)[c] += 1
            ints(order)[at] = <int32_t> state
            ints(place)[state] = <int32_t> at
    return 0
