"""Automata in CSR form, and the rows of one under construction."""

from array import array

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libcpp.pair cimport pair

ctypedef pair[int64_t, int32_t] Short

# What `Csr` takes, for the automaton without words; `Rows.finish` puts other arrays in the place of these.
cdef tuple NOTHING = (array("q", [0, 0]), array("q"), array("i"), array("i", [0]), 1)


cdef class Csr:
    """A deterministic automaton in CSR arrays: what every kernel takes.

    offsets, codes: int64; targets, outputs: int32; letters: number of letters the codes may range
    over.  Raises InvalidArrayError if the arrays are no automaton: kernels index without checks, so
    that nothing malformed may pass here.  O(states + transitions).
    """

    def __cinit__(self, const int64_t[::1] offsets, const int64_t[::1] codes, const int32_t[::1] targets,
                  const int32_t[::1] outputs, int64_t letters):
        cdef bint good
        self.states = outputs.shape[0]
        self.transitions = codes.shape[0]
        self.letters = letters
        self.arrays = (offsets.base, codes.base, targets.base, outputs.base)
        if self.states < 1 or offsets.shape[0] != self.states + 1 or targets.shape[0] != self.transitions:
            raise InvalidArrayError("the arrays of an automaton do not fit together")
        self.offsets = &offsets[0]
        self.outputs = &outputs[0]
        self.codes = &codes[0] if self.transitions else NULL
        self.targets = &targets[0] if self.transitions else NULL
        with nogil:
            good = self.states < (<int64_t> 1 << 31) - 1 and well_formed(
                self.states, self.transitions, letters, self.offsets, self.codes, self.targets
            )
        if not good:
            raise InvalidArrayError("the offsets, codes or targets of an automaton are out of order or out of range")

    def export(self):
        """The four arrays as read-only memoryviews of "q", "q", "i", "i"."""
        return self.arrays


cdef bint well_formed(int64_t states, int64_t transitions, int64_t letters, const int64_t* offsets,
                      const int64_t* codes, const int32_t* targets) noexcept nogil:
    """Return whether offsets rise from 0 to the end, rows are strictly sorted, codes and targets in range."""
    cdef int64_t state, i, previous
    cdef uint64_t bound = <uint64_t> letters
    if offsets[0] != 0 or offsets[states] != transitions:
        return False
    for state in range(states):
        if offsets[state] > offsets[state + 1] or offsets[state + 1] > transitions:
            return False
        previous = -1
        for i in range(offsets[state], offsets[state + 1]):
            if codes[i] <= previous or <uint64_t> codes[i] >= bound or <uint64_t> targets[i] >= <uint64_t> states:
                return False
            previous = codes[i]
    return True


cdef class Rows:
    """Rows of an automaton under construction, state after state in order."""

    def __cinit__(self, Meter meter):
        self.meter = meter
        self.offsets = new_longs(meter)
        self.codes = new_longs(meter)
        self.targets = new_ints(meter)
        self.outputs = new_ints(meter)
        self.scratch = new_longs(meter)
        push_long(self.offsets, 0)

    cdef int sort_row(self, int64_t begin) except -1 nogil:
        """Sort the transitions from `begin` on by code.  O(n log n)."""
        cdef int64_t* codes = longs(self.codes) + begin
        cdef int32_t* targets = ints(self.targets) + begin
        cdef int64_t count = self.codes.size - begin, i, j, code
        cdef int32_t target
        if count > 24:
            return sort_long_row(codes, targets, count, self.scratch)
        for i in range(1, count):
            code = codes[i]
            if codes[i - 1] <= code:
                continue
            target = targets[i]
            j = i
            while j > 0 and codes[j - 1] > code:
                codes[j] = codes[j - 1]
                targets[j] = targets[j - 1]
                j -= 1
            codes[j] = code
            targets[j] = target
        return 0

    cdef int end_row(self, int32_t output, int64_t states, int64_t steps) except -1 nogil:
        """Close the row of the next state; `states` is the number of states found so far."""
        push_int(self.outputs, output)
        push_long(self.offsets, self.codes.size)
        return progress(self.meter, states, self.codes.size, steps)

    cdef int drop_row(self, int64_t states, int64_t steps) except -1 nogil:
        """Forget the row begun, where only the states are wanted; for rows none of which was ended."""
        self.codes.size = self.targets.size = 0
        return progress(self.meter, states, 0, steps)

    cdef Csr finish(self):
        """The automaton; the rows cannot be used any more."""
        cdef Csr result = Csr.__new__(Csr, *NOTHING)
        result.states = self.outputs.size
        result.transitions = self.codes.size
        result.arrays = (self.offsets.view(), self.codes.view(), self.targets.view(), self.outputs.view())
        result.offsets = longs(self.offsets)
        result.codes = longs(self.codes)
        result.targets = ints(self.targets)
        result.outputs = ints(self.outputs)
        return result


cdef int sort_long_row(int64_t* codes, int32_t* targets, int64_t count, Block scratch) except -1 nogil:
    """Sort a long row: as single 64-bit numbers where code and target fit into one, else as pairs."""
    cdef int64_t i, most = 0
    cdef uint64_t* packed
    cdef Short* pairs
    cdef bint sorted_already = True
    for i in range(count):
        most = max(most, codes[i])
        if i and codes[i - 1] > codes[i]:
            sorted_already = False
    if sorted_already:
        return 0
    scratch.size = 0
    if most < <int64_t> 1 << 32:
        reserve(scratch, count)
        packed = <uint64_t*> scratch.data
        for i in range(count):
            packed[i] = (<uint64_t> codes[i] << 32) | <uint64_t> targets[i]
        sort_polled(packed, count, poll_meter, <void*> scratch.meter)
        for i in range(count):
            codes[i] = <int64_t> (packed[i] >> 32)
            targets[i] = <int32_t> <uint32_t> packed[i]
        return 0
    reserve(scratch, 2 * count)
    pairs = <Short*> scratch.data
    for i in range(count):
        pairs[i].first = codes[i]
        pairs[i].second = targets[i]
    sort_polled(pairs, count, poll_meter, <void*> scratch.meter)
    for i in range(count):
        codes[i] = pairs[i].first
        targets[i] = pairs[i].second
    return 0
