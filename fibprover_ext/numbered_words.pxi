"""The words of one length with given numbers, as a minimal automaton: equal rests are found as the words are listed."""

from libc.stdint cimport int32_t, int64_t, uint64_t


def numbered_words(Csr a, const unsigned char[::1] marks, int64_t length, Meter meter):
    """Return the words of a of a length whose numbers are marked.

    Words are numbered from 0 in lexicographic order; those beyond the marks are not marked.  Every state of the result
    leads to acceptance, and no two of them accept the same words; without words it has one state.  O(1) for each prefix
    of the words that have marks, 8 bytes for each resulting transition and some 20 for each state.
    """
    cdef Listing listing = Listing(a, meter)
    cdef int64_t i
    if not 0 <= length < CEILING:
        raise InvalidArrayError("the length of words is negative or above 2^31")
    for i in range(a.transitions):
        if a.codes[i] >> 31:
            raise TooLargeError("letters of numbered words have at most 31 bits")
    with nogil:
        listing.states.reset(length + 1, 0)
        listing.places.reset(length + 1, 0)
        listing.begins.reset(length + 1, 0)
        listing.walk(&marks[0] if marks.shape[0] else NULL, marks.shape[0], length)
    return listing.finished().export()


cdef class Listing:
    """The walk through all prefixes, depth first, and the nodes that it has found: sets of words that can follow."""

    cdef Csr a
    cdef Meter meter
    cdef Block states, places, begins   # of each prefix: the state, the next transition, the first of its children
    cdef Block children                 # of the prefixes that are open: letters above nodes
    cdef Block edges, rows              # those of all nodes, and where they begin; node 0 has none and accepts
    cdef Table table
    cdef int64_t root                   # -1: there are no words

    def __cinit__(self, Csr a, Meter meter):
        self.a, self.meter, self.table, self.root = a, meter, Table(meter), -1
        self.states = new_ints(meter)
        self.places, self.begins, self.children = new_longs(meter), new_longs(meter), new_longs(meter)
        self.edges, self.rows = new_longs(meter), new_longs(meter)
        push_long(self.rows, 0)
        push_long(self.rows, 0)

    cdef int walk(self, const unsigned char* marks, int64_t count, int64_t length) except -1 nogil:
        """Find the nodes of all prefixes."""
        cdef int64_t depth = 0, number = 0, state = 0, at, node
        while True:
            work(self.meter, 4)
            if depth == length:
                node = -1
                if self.a.outputs[state]:
                    node = 0 if number < count and marks[number] else -1
                    number += 1
            else:
                at = longs(self.places)[depth]
                if at < self.a.offsets[state + 1] and number < count:
                    longs(self.places)[depth] += 1
                    depth += 1
                    state = self.a.targets[at]
                    ints(self.states)[depth] = <int32_t> state
                    longs(self.places)[depth] = self.a.offsets[state]
                    longs(self.begins)[depth] = self.children.size
                    continue
                node = self.closed(longs(self.begins)[depth])
            if depth == 0:
                self.root = node
                return 0
            depth -= 1
            state = ints(self.states)[depth]
            if node >= 0:
                push_long(self.children, self.a.codes[longs(self.places)[depth] - 1] << 32 | node)

    cdef int64_t closed(self, int64_t begin) except -2 nogil:
        """Return the node of the children from `begin` on, -1 if there are none, and take them away."""
        cdef int64_t* run = longs(self.children) + begin
        cdef int64_t count = self.children.size - begin, node, i
        cdef uint64_t hash = <uint64_t> count, x
        cdef Probe probe
        if not count:
            return -1
        for i in range(count):
            x = <uint64_t> run[i] * <uint64_t> 0x9E3779B97F4A7C15 + hash
            hash = (x ^ (x >> 29)) * <uint64_t> 0xBF58476D1CE4E5B9
        probe = look_up(self.table, mix(hash))
        node = find_run(probe, longs(self.edges), longs(self.rows), run, count)
        if node < 0:
            node = self.rows.size - 1
            enter(self.table, probe, node)
            for i in range(count):
                push_long(self.edges, run[i])
            push_long(self.rows, self.edges.size)
            progress(self.meter, node + 1, self.edges.size, count)
        self.children.size = begin
        return node

    cdef Csr finished(self):
        """Return the automaton: the nodes from the root, which was found last."""
        cdef Rows rows = Rows(self.meter)
        cdef int64_t node, i, edge
        with nogil:
            if self.root < 0:
                rows.end_row(0, 1, 1)
            for node in range(self.root, -1, -1):
                for i in range(longs(self.rows)[node], longs(self.rows)[node + 1]):
                    edge = longs(self.edges)[i]
                    push_transition(rows, edge >> 32, <int32_t> (self.root - (edge & 0x7FFFFFFF)))
                rows.end_row(1 if node == 0 else 0, self.root + 1, 1)
        return rows.finish()
