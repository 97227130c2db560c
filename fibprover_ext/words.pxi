"""The words of an automaton, one after the other: by length, then letter codes; as codes, or as tuples of numbers."""

from libc.stdint cimport int64_t, uint64_t


cdef class WordSearch:
    """A search for the words that do not begin with the letter `zero` (-1: for all words), which can be continued.

    radices: the alphabet sizes of the tracks, first track most significant; weights: what digit 1 is worth at the last
    place, the last but one, ..., `places` of them for each track.  All numbers of so many digits must fit into 64 bits;
    words that are longer are found as codes.  No places: all words are found as codes.

    To find the words of n letters, it has to be known which states accept a word of k letters.  At first this is only
    found out of the states that are n - k letters or less away from the initial one: mostly few of many.  Once a length
    has no word it is found out of all states, since none may accept a longer one.  O(transitions) time at most and
    states/8 bytes for each length; only steps that lead to a word are taken when words are listed.
    """

    cdef Csr a
    cdef int64_t zero, length, depth, places, tracks
    cdef int64_t width          # longs of a bit set
    cdef readonly bint ended
    cdef bint begun
    cdef Block reached          # the states that words reach whose first letter is not zero, breadth first
    cdef Block ends             # ends[d]: how many of them are at most d letters away
    cdef Block seen             # of each state: whether it is among them
    cdef bint complete          # whether all of them are known, and which words they accept
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
        self.reached, self.ends, self.seen = new_ints(meter), new_longs(meter), new_ints(meter)
        self.seen.lazy_zeros(a.states)
        push_long(self.ends, 0)
        self.levels, self.states, self.tried = new_longs(meter), new_longs(meter), new_longs(meter)
        self.sums, self.radices, self.weights = new_longs(meter), new_longs(meter), new_longs(meter)
        for radix in radices:
            push_long(self.radices, radix)
        for i in range(weights.shape[0]):
            push_long(self.weights, weights[i])
        self.sums.reset(max(self.tracks, <int64_t> 1) * (places + 1), 0)
        push_long(self.states, 0)
        push_long(self.tried, a.offsets[0])

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
        cdef int64_t length = self.length + 1, k
        reserve(self.levels, self.width)
        memset(longs(self.levels) + self.levels.size, 0, <size_t> (8 * self.width))
        self.levels.size += self.width
        if not self.complete:
            self.reach_further(meter)
            for k in range(length):
                self.fill(k, longs(self.ends)[length - 1 - k], longs(self.ends)[length - k], meter)
            if not self.leads_to_level(length - 1):
                while self.reach_further(meter):
                    pass
                self.complete = True
                for k in range(length):
                    self.fill(k, longs(self.ends)[length - k], self.reached.size, meter)
        else:
            self.fill(length - 1, 0, self.reached.size, meter)
        if self.complete and not self.any_at_level(length - 1):
            self.levels.size -= self.width
            self.ended = True
            return False
        self.length = length
        push_long(self.states, 0)
        push_long(self.tried, 0)
        longs(self.tried)[0] = self.a.offsets[0]
        self.depth = 0
        return True

    cdef bint reach_further(self, Meter meter) except -1 nogil:
        """Reach the states that are one more letter away; return whether there are any."""
        cdef int64_t end = longs(self.ends)[self.ends.size - 1], place, begin, state, i
        cdef bint first = self.ends.size == 1
        begin = -1 if first else longs(self.ends)[self.ends.size - 2]
        for place in range(begin, end):
            state = 0 if first else ints(self.reached)[place]
            for i in range(self.a.offsets[state], self.a.offsets[state + 1]):
                if not ints(self.seen)[self.a.targets[i]] and not (first and self.a.codes[i] == self.zero):
                    ints(self.seen)[self.a.targets[i]] = 1
                    push_int(self.reached, self.a.targets[i])
            work(meter, self.a.offsets[state + 1] - self.a.offsets[state] + 1)
        push_long(self.ends, self.reached.size)
        return self.reached.size > end

    cdef int fill(self, int64_t k, int64_t begin, int64_t end, Meter meter) except -1 nogil:
        """Find out which of the states reached[begin:end] accept a word of k letters."""
        cdef int64_t place, state, i, last
        cdef uint64_t* level = <uint64_t*> longs(self.levels) + k * self.width
        cdef const uint64_t* before = level - self.width
        for place in range(begin, end):
            state = ints(self.reached)[place]
            i = self.a.offsets[state]
            last = self.a.offsets[state + 1]
            if k == 0:
                last = i + (self.a.outputs[state] != 0)
            else:
                while i < last and not bit_at(before, self.a.targets[i]):
                    i += 1
            if i < last:
                level[state >> 6] |= <uint64_t> 1 << (state & 63)
            work(meter, i - self.a.offsets[state] + 1)
        return 0

    cdef bint leads_to_level(self, int64_t k) noexcept nogil:
        """Return whether a first letter other than zero leads to a state that accepts a word of k letters."""
        cdef const uint64_t* level = <const uint64_t*> longs(self.levels) + k * self.width
        cdef int64_t i
        for i in range(self.a.offsets[0], self.a.offsets[1]):
            if self.a.codes[i] != self.zero and bit_at(level, self.a.targets[i]):
                return True
        return False

    cdef bint any_at_level(self, int64_t k) noexcept nogil:
        """Return whether some state that was reached accepts a word of k letters."""
        cdef const uint64_t* level = <const uint64_t*> longs(self.levels) + k * self.width
        cdef int64_t i
        for i in range(self.width):
            if level[i]:
                return True
        return False

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
