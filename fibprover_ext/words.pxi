"""The words of an automaton, one after the other: by length, then letter codes; as codes, or as tuples of numbers."""

from libc.stdint cimport int64_t, uint64_t


cdef class WordSearch:
    """A search for the words that do not begin with the letter `zero` (-1: for all words), which can be continued.

    radices: the alphabet sizes of the tracks, first track most significant; weights: what digit 1 is worth at the last
    place, the last but one, ..., `places` of them for each track.  All numbers of so many digits must fit into 64 bits;
    words that are longer are found as codes.  No places: all words are found as codes.

    O(transitions) time and states/8 bytes for each length, to know which states accept a word of that length; only
    steps that lead to a word are taken when words are listed.
    """

    cdef Csr a
    cdef int64_t zero, length, depth, places, tracks
    cdef int64_t width          # longs of a bit set
    cdef readonly bint ended
    cdef bint begun
    cdef Block marks            # states that a word reaches whose first letter is not zero, and that accept a word
    cdef Block levels           # bit set k: which of them accept a word of k letters
    cdef Block states           # states[d]: after d letters
    cdef Block tried            # tried[d]: the next transition to try there; the one before it was taken
    cdef Block sums             # of each track: what the first d digits are worth
    cdef Block radices, weights

    def __cinit__(self, Csr a, int64_t zero, tuple radices, const int64_t[::1] weights, int64_t places, Meter meter):
        cdef int64_t i
        self.a = a
        self.zero = zero
        self.tracks = len(radices)
        self.places = places
        if places < 0 or weights.shape[0] != self.tracks * places or min((1,) + radices) < 1:
            raise InvalidArrayError("there must be one weight for each place of each track")
        self.length = 0
        self.depth = -1
        self.width = (a.states >> 6) + 1
        self.marks = new_ints(meter)
        self.levels, self.states, self.tried = new_longs(meter), new_longs(meter), new_longs(meter)
        self.sums, self.radices, self.weights = new_longs(meter), new_longs(meter), new_longs(meter)
        for radix in radices:
            push_long(self.radices, radix)
        for i in range(weights.shape[0]):
            push_long(self.weights, weights[i])
        self.sums.reset(max(self.tracks, <int64_t> 1) * (places + 1), 0)
        push_long(self.states, 0)
        push_long(self.tried, a.offsets[0])
        mark_inner(a, zero, self.marks, meter)

    def numbers(self, int64_t count, Meter meter):
        """Return the next tuples, at most `count`, one after the other; fewer if there are no others of few digits."""
        cdef Block found = new_longs(meter)
        cdef int64_t track, rows = 0
        with nogil:
            if not self.begun and count > 0:
                self.begun = True
                if self.a.outputs[0]:
                    for track in range(self.tracks):
                        push_long(found, 0)
                    rows = 1
            while rows < count and not self.ended and self.length <= self.places:
                if self.depth < 0 and (self.length == self.places or not self.lengthen(meter)):
                    break
                if self.step(meter):
                    reserve(found, self.tracks)
                    for track in range(self.tracks):
                        longs(found)[found.size + track] = longs(self.sums)[self.length * self.tracks + track]
                    found.size += self.tracks
                    rows += 1
        return found.view()

    def codes(self, int64_t count, Meter meter):
        """Return the length, the number and the letter codes of the next words of one length, at most `count`.

        None are returned only if there are no others, or if `count` is 0.
        """
        cdef Block found = new_longs(meter)
        cdef int64_t words = 0, d
        with nogil:
            if not self.begun and count > 0:
                self.begun = True
                if self.a.outputs[0]:
                    words = count = 1
            while words < count and not self.ended:
                if self.depth < 0 and (words or not self.lengthen(meter)):
                    break
                if self.step(meter):
                    reserve(found, self.length)
                    for d in range(self.length):
                        longs(found)[found.size + d] = self.a.codes[longs(self.tried)[d] - 1]
                    found.size += self.length
                    words += 1
                    work(meter, self.length)
        return self.length, words, found.view()

    cdef bint lengthen(self, Meter meter) except -1 nogil:
        """Turn to the words of one more letter; return False if there are none, nor longer ones."""
        cdef int64_t state, begin, i, end
        cdef uint64_t* level
        cdef uint64_t* before
        cdef bint some = False, accepts
        reserve(self.levels, self.width)
        level = <uint64_t*> longs(self.levels) + self.levels.size
        before = level - self.width
        memset(level, 0, <size_t> (8 * self.width))
        for state in range(self.a.states):
            if not ints(self.marks)[state]:
                continue
            if self.length == 0:
                accepts = self.a.outputs[state] != 0
            else:
                begin = i = self.a.offsets[state]
                end = self.a.offsets[state + 1]
                while i < end and not bit_at(before, self.a.targets[i]):
                    i += 1
                accepts = i < end
                work(meter, i - begin + 1)
            if accepts:
                level[state >> 6] |= <uint64_t> 1 << (state & 63)
                some = True
        work(meter, self.a.states)
        if not some:
            self.ended = True
            return False
        self.levels.size += self.width
        self.length += 1
        push_long(self.states, 0)
        push_long(self.tried, 0)
        longs(self.tried)[0] = self.a.offsets[0]
        self.depth = 0
        return True

    cdef bint step(self, Meter meter) except -1 nogil:
        """Go on to the next word of this length; return False, with depth -1, if there is none."""
        cdef int64_t depth = self.depth, begin, i, end
        cdef int64_t* states = longs(self.states)
        cdef int64_t* tried = longs(self.tried)
        cdef const uint64_t* levels = <const uint64_t*> longs(self.levels)
        cdef const uint64_t* level
        while depth >= 0:
            begin = i = tried[depth]
            end = self.a.offsets[states[depth] + 1]
            level = levels + (self.length - 1 - depth) * self.width
            while i < end and (not bit_at(level, self.a.targets[i]) or (depth == 0 and self.a.codes[i] == self.zero)):
                i += 1
            work(meter, i - begin + 1)
            if i == end:
                depth -= 1
                continue
            tried[depth] = i + 1
            if self.length <= self.places:
                self.add_digits(self.a.codes[i], depth)
            if depth + 1 == self.length:
                self.depth = depth
                return True
            depth += 1
            states[depth] = self.a.targets[i]
            tried[depth] = self.a.offsets[self.a.targets[i]]
        self.depth = -1
        return False

    cdef inline void add_digits(self, int64_t code, int64_t depth) noexcept nogil:
        """Add what the digits of a letter are worth to the sums of those before it."""
        cdef int64_t track, digit, radix
        cdef int64_t* sums = longs(self.sums) + depth * self.tracks
        cdef const int64_t* weights = longs(self.weights) + self.length - 1 - depth
        for track in range(self.tracks - 1, -1, -1):
            digit = code
            if track:
                radix = longs(self.radices)[track]
                code = code // radix
                digit -= code * radix
            sums[self.tracks + track] = sums[track] + digit * weights[track * self.places]


cdef inline bint bit_at(const uint64_t* bits, int64_t i) noexcept nogil:
    return bits[i >> 6] >> (i & 63) & 1
