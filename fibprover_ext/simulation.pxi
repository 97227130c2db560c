"""Direct simulation: which states of a nondeterministic automaton accept at least the words of another."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

# What a word of bits costs in steps: one for so many.
cdef int64_t WORDS_A_STEP = 4

# What it costs to look up a row, in steps.
cdef int64_t STEPS_OF_ROW = 4


cdef class Simulation:
    """The greatest relation p >= q such that p accepts if q does, and follows each of q's transitions to a target
    that is >= its target.  Then p accepts all words that q accepts, and a set with p does not need q.

    It can be interrupted and resumed; after an exception it cannot go on.  Bits for all pairs of states; O(states *
    transitions) time for a round, of which there may be as many as states, but most automata need few.
    """

    cdef Nfa nfa, back
    cdef Meter meter
    cdef int64_t width
    cdef Block above                # rows of bits: the states that simulate a state
    cdef Block queue, queued        # states whose row was changed: a ring, and a mark for each
    cdef int64_t first, waiting
    cdef Block before               # rows of bits, one for each letter that leads to the state at hand
    cdef Block marks                # bits, all 0 between two sets
    cdef int64_t pruning            # steps of `prune` since this was made 0
    cdef readonly int64_t steps     # taken so far
    cdef bint broken                # whether a run is under way, or has ended with an exception
    cdef int64_t ordered            # how many rows are strict
    cdef readonly int64_t pairs     # in these: how many pairs of different states

    def __cinit__(self, Nfa nfa, Meter meter):
        self.nfa, self.meter = nfa, meter
        self.back = nfa.reversed(meter)
        self.width = words_of(nfa)
        self.above, self.before, self.marks = new_longs(meter), new_longs(meter), new_longs(meter)
        self.queue, self.queued = new_ints(meter), new_ints(meter)

    def run(self, int64_t steps):
        """Go on for at least so many steps; return whether the relation is complete."""
        cdef Block letters = new_longs(self.meter), able = new_longs(self.meter)
        if self.broken:
            raise InvalidArrayError("the simulation is under way, or has ended with an error")
        self.broken = True
        with nogil:
            self.advance(max(steps, <int64_t> 0), letters, able)
        self.broken = False
        return self.is_complete()

    cdef int advance(self, int64_t steps, Block letters, Block able) except -1 nogil:
        cdef int64_t left = steps
        if self.above.size == 0:
            left -= self.begin(letters, able)
        while left > 0 and self.waiting:
            left -= self.refine()
        while left > 0 and self.waiting == 0 and self.ordered < self.nfa.states:
            left -= self.order()
        self.steps += steps - left
        return 0

    cdef bint is_complete(self) noexcept nogil:
        return self.ordered == self.nfa.states

    cdef int64_t begin(self, Block letters, Block able) except -1 nogil:
        """Relate states by their letters and their outputs; returns the steps it took.

        letters: empty, for the letter numbers that occur; able: empty, for rows of bits: the states that each of them
        leads on from, and in the last row those that accept.
        """
        cdef int64_t n = self.nfa.states, width = self.width, state, i, word, steps = n * width
        cdef const int64_t* offsets = longs(self.nfa.offsets)
        cdef const uint64_t* entries = <const uint64_t*> self.nfa.entries.data
        cdef uint64_t* above
        cdef uint64_t letter, previous
        cdef int64_t place
        letters.reset(self.nfa.entries.size, 0)
        for i in range(self.nfa.entries.size):
            longs(letters)[i] = <int64_t> (entries[i] >> 32)
        sort_polled(longs(letters), letters.size, poll_meter, <void*> self.meter)
        letters.size = unique(longs(letters), longs(letters) + letters.size) - longs(letters)
        able.reset((letters.size + 1) * width, 0)
        for state in range(n):
            for i in range(offsets[state], offsets[state + 1]):
                place = lower_bound(longs(letters), longs(letters) + letters.size, <int64_t> (entries[i] >> 32)) - \
                    longs(letters)
                longs(able)[place * width + (state >> 6)] |= <int64_t> 1 << (state & 63)
            if ints(self.nfa.outputs)[state]:
                longs(able)[letters.size * width + (state >> 6)] |= <int64_t> 1 << (state & 63)
            work(self.meter, 4 * (offsets[state + 1] - offsets[state]) + 1)
        self.above.reset(n * width, 0xff)
        for state in range(n):
            above = <uint64_t*> self.above.data + state * width
            if n & 63:
                above[width - 1] = (<uint64_t> 1 << (n & 63)) - 1
            if ints(self.nfa.outputs)[state]:
                for word in range(width):
                    above[word] &= <uint64_t> longs(able)[letters.size * width + word]
            previous = <uint64_t> -1
            for i in range(offsets[state], offsets[state + 1]):
                letter = entries[i] >> 32
                if letter == previous:
                    continue
                previous = letter
                place = lower_bound(longs(letters), longs(letters) + letters.size, <int64_t> letter) - longs(letters)
                for word in range(width):
                    above[word] &= <uint64_t> longs(able)[place * width + word]
                steps += width // WORDS_A_STEP + 1
                work(self.meter, width // WORDS_A_STEP + 1)
        self.marks.reset(width, 0)
        self.queue.reset(n, 0)
        self.queued.reset(n, 1)
        for state in range(n):
            ints(self.queue)[state] = <int32_t> state
        self.waiting = n
        return steps

    cdef int64_t refine(self) except -1 nogil:
        """Take the next state of the queue: what leads to it must be simulated along the same letter.

        Returns the steps it took.
        """
        cdef int64_t n = self.nfa.states, width = self.width, word, i, j, state, other, source, place, steps = 1
        cdef const int64_t* offsets = longs(self.back.offsets)
        cdef const uint64_t* entries = <const uint64_t*> self.back.entries.data
        cdef uint64_t* above
        cdef uint64_t* before
        cdef uint64_t marks, changed, left
        state = ints(self.queue)[self.first]
        self.first = self.first + 1 if self.first + 1 < n else 0
        self.waiting -= 1
        ints(self.queued)[state] = 0
        if offsets[state] == offsets[state + 1]:
            return 1
        place = 1
        for i in range(offsets[state] + 1, offsets[state + 1]):
            place += entries[i] >> 32 != entries[i - 1] >> 32
        self.before.reset(place * width, 0)
        above = <uint64_t*> self.above.data + state * width
        for word in range(width):
            marks = above[word]
            while marks:
                other = (word << 6) + lowest_bit(marks)
                marks &= marks - 1
                steps += self.mark_before(state, other)
        i, place = offsets[state], 0
        while i < offsets[state + 1]:
            if i > offsets[state] and entries[i] >> 32 != entries[i - 1] >> 32:
                place += 1
            before = <uint64_t*> self.before.data + place * width
            source = <int64_t> <uint32_t> entries[i]
            above = <uint64_t*> self.above.data + source * width
            changed = 0
            for word in range(width):
                left = above[word] & before[word]
                changed |= left ^ above[word]
                above[word] = left
            if changed and not ints(self.queued)[source]:
                ints(self.queued)[source] = 1
                j = self.first + self.waiting
                ints(self.queue)[j - n if j >= n else j] = <int32_t> source
                self.waiting += 1
            steps += width // WORDS_A_STEP + 1
            i += 1
        work(self.meter, steps)
        return steps

    cdef inline int64_t mark_before(self, int64_t state, int64_t other) noexcept nogil:
        """Mark, letter by letter of those that lead to `state`, what leads to another state; returns the steps."""
        cdef const int64_t* offsets = longs(self.back.offsets)
        cdef const uint64_t* entries = <const uint64_t*> self.back.entries.data
        cdef uint64_t* before = <uint64_t*> self.before.data
        cdef int64_t i = offsets[state], end = offsets[state + 1], j = offsets[other], stop = offsets[other + 1]
        cdef uint64_t letter
        while i < end and j < stop:
            letter = entries[i] >> 32
            if entries[j] >> 32 == letter:
                while j < stop and entries[j] >> 32 == letter:
                    before[<uint32_t> entries[j] >> 6] |= <uint64_t> 1 << (entries[j] & 63)
                    j += 1
            elif entries[j] >> 32 < letter:
                j += 1
                continue
            while i < end and entries[i] >> 32 == letter:
                i += 1
            before += self.width
        return stop - offsets[other] + STEPS_OF_ROW

    cdef int64_t order(self) except -1 nogil:
        """Make the next row strict: of states that simulate each other, the least simulates the others.

        Returns the steps it took.
        """
        cdef int64_t state = self.ordered, word, other, steps = self.width
        cdef uint64_t* above = <uint64_t*> self.above.data + state * self.width
        cdef uint64_t marks
        above[state >> 6] &= ~(<uint64_t> 1 << (state & 63))
        for word in range(self.width):
            marks = above[word]
            while marks:
                other = (word << 6) + lowest_bit(marks)
                marks &= marks - 1
                if other > state and self.simulates(state, other):
                    above[word] &= ~(<uint64_t> 1 << (other & 63))
                else:
                    self.pairs += 1
                steps += 4
        self.ordered += 1
        work(self.meter, steps)
        return steps

    cdef inline bint simulates(self, int64_t other, int64_t state) noexcept nogil:
        """Return whether a state is in the row of another."""
        return (<uint64_t*> self.above.data)[state * self.width + (other >> 6)] >> (other & 63) & 1

    def simulating(self, int64_t state):
        """Return the other states that simulate a state, as bits, the lowest first.  The relation is complete."""
        if self.broken or not self.is_complete() or not 0 <= state < self.nfa.states:
            raise InvalidArrayError("the simulation is not complete, or has no such state")
        return (<const char*> self.above.data)[state * self.width * 8:(state + 1) * self.width * 8]

    cdef Pruning pruning_rows(self) noexcept nogil:
        """What kernels in threads need to know to prune."""
        cdef Pruning pruning
        pruning.above, pruning.width = <const uint64_t*> self.above.data, self.width
        return pruning

    cdef int64_t prune_states(self, int32_t* states, int64_t count) except -1 nogil:
        """Remove the states that others of them, which increase, simulate; return how many stay."""
        cdef int64_t before = self.pruning
        count = prune(self.pruning_rows(), states, count, <uint64_t*> self.marks.data, &self.pruning)
        work(self.meter, self.pruning - before)
        return count

    cdef int64_t prune_entries(self, uint64_t* entries, int64_t count) except -1 nogil:
        """As `prune_states`, for entries of one letter."""
        cdef int64_t before = self.pruning
        count = prune(self.pruning_rows(), entries, count, <uint64_t*> self.marks.data, &self.pruning)
        work(self.meter, self.pruning - before)
        return count

    cdef Nfa pruned(self, Nfa nfa):
        """The automaton without the transitions and initial states that others simulate."""
        cdef Nfa result = DerivedNfa((), (), -1, self.meter)
        if nfa is not self.nfa or self.broken or not self.is_complete():
            raise InvalidArrayError("the simulation is not complete, or one of another automaton")
        result.states, result.letters, result.bound, result.outputs = nfa.states, nfa.letters, nfa.bound, nfa.outputs
        with nogil:
            self.prune_rows(nfa, result)
        return result

    cdef int prune_rows(self, Nfa nfa, Nfa result) except -1 nogil:
        cdef const int64_t* offsets = longs(nfa.offsets)
        cdef const uint64_t* entries = <const uint64_t*> nfa.entries.data
        cdef uint64_t* out
        cdef int64_t state, begin, end, i, written = 0
        result.entries.reset(max(nfa.entries.size, nfa.initial.size), 0)
        out = <uint64_t*> result.entries.data
        for i in range(nfa.initial.size):
            out[i] = <uint64_t> ints(nfa.initial)[i]
        for i in range(self.prune_entries(out, nfa.initial.size)):
            push_int(result.initial, <int32_t> <uint32_t> out[i])
        push_long(result.offsets, 0)
        for state in range(nfa.states):
            begin = offsets[state]
            while begin < offsets[state + 1]:
                end = begin
                while end < offsets[state + 1] and entries[end] >> 32 == entries[begin] >> 32:
                    out[written + end - begin] = entries[end]
                    end += 1
                written += self.prune_entries(out + written, end - begin)
                begin = end
            push_long(result.offsets, written)
            work(self.meter, offsets[state + 1] - offsets[state] + 1)
        result.entries.size = written
        return 0
