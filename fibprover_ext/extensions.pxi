"""Longest common extensions of factors of an automatic word, and of reversed ones, at numbers of any size below 2^60.

The valid words of e letters that may follow what a state has read represent numbers in a row, in lexicographic order:
their letters are a *block* of the word.  The hash of a block follows from those of its parts, one for each first digit;
so that of the first N letters takes a step for each digit of N, and no letter of the word is kept.
Hashes are polynomials modulo 2^61 - 1 at a point, of a block and of its letters in reverse order: equal factors have
equal hashes, and others almost never.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

cdef extern from *:
    """
    #include <cstdint>
    // The product modulo 2^61 - 1 of two numbers below 2^61.
    static inline std::uint64_t fibprover_times(std::uint64_t a, std::uint64_t b) {
        const std::uint64_t prime = (std::uint64_t(1) << 61) - 1;
    #ifdef __SIZEOF_INT128__
        const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
        const std::uint64_t below = static_cast<std::uint64_t>(product) & prime;
        const std::uint64_t sum = below + static_cast<std::uint64_t>(product >> 61);
    #else
        const std::uint64_t low = (std::uint64_t(1) << 31) - 1;
        const std::uint64_t middle = (a >> 31) * (b & low) + (a & low) * (b >> 31);
        std::uint64_t sum = 2 * (a >> 31) * (b >> 31) + (middle >> 30)
            + ((middle & ((std::uint64_t(1) << 30) - 1)) << 31) + (a & low) * (b & low);
        sum = (sum & prime) + (sum >> 61);
    #endif
        return sum >= prime ? sum - prime : sum;
    }
    """
    uint64_t fibprover_times(uint64_t a, uint64_t b) noexcept nogil

cdef uint64_t HASH_PRIME = ((<uint64_t> 1) << 61) - 1

# What the longest common extension is where numbers are too large for the blocks.
cdef int64_t BEYOND = -2


cdef inline uint64_t plus(uint64_t a, uint64_t b) noexcept nogil:
    """Return a sum of hashes."""
    a += b
    return a - HASH_PRIME if a >= HASH_PRIME else a


cdef class Extensions:
    """The blocks of a word, with their hashes.

    targets: of each state and digit the next state, or -1; before: of each level e, state and digit d <= digits how
    many valid words of e letters that begin with a digit less than d may follow, below 2^60; letters: of each state,
    from 0 on; other: the first state of the word in which second factors are, 0 for the same word; point: where the
    polynomials are evaluated.  State 0 is the first of first factors; 0 leads from first states to themselves.
    InvalidArrayError for arrays that do not fit together.  32 bytes for each level, state and digit.
    """

    cdef const int32_t[::1] targets
    cdef const int64_t[::1] before
    cdef Block hashes, reverses, powers, squares, lowest
    cdef int64_t states, digits, levels, other

    def __cinit__(
        self, const int32_t[::1] targets, const int64_t[::1] before, const int64_t[::1] letters, int64_t digits,
        int64_t other, uint64_t point, Meter meter,
    ):
        cdef int64_t width = digits + 1, i, e
        self.states, self.digits = letters.shape[0], digits
        if not 0 < self.states < (1 << 31) or not 0 < digits < (1 << 31) or targets.shape[0] != self.states * digits:
            raise InvalidArrayError("there must be a target for each state and digit")
        if before.shape[0] == 0 or before.shape[0] % (self.states * width) or not 1 < point < HASH_PRIME:
            raise InvalidArrayError("there must be a number for each level, state and digit")
        self.levels = before.shape[0] // (self.states * width)
        for i in range(targets.shape[0]):
            if not -1 <= targets[i] < self.states:
                raise InvalidArrayError("a target is out of range")
        for i in range(self.states):
            if not 0 <= letters[i] < (1 << 60):
                raise InvalidArrayError("a letter is out of range")
        if not 0 <= other < self.states or targets[0] or targets[other * digits] != other:
            raise InvalidArrayError("leading zeros lead to another state")
        for e in range(self.levels):
            if before[(e * self.states + other) * width + digits] != before[e * self.states * width + digits]:
                raise InvalidArrayError("the two words do not have letters at the same numbers")
        self.other = other
        self.targets, self.before = targets, before
        self.hashes, self.reverses, self.powers = new_longs(meter), new_longs(meter), new_longs(meter)
        self.squares, self.lowest = new_longs(meter), new_longs(meter)
        with nogil:
            self.hash_blocks(letters, point, meter)
            self.find_lowest_levels()

    cdef int hash_blocks(self, const int64_t[::1] letters, uint64_t point, Meter meter) except -1 nogil:
        """Compute the hash and the power of each part of a block, by levels."""
        cdef int64_t width = self.digits + 1, e, q, d, at, below, size, until
        cdef int32_t target
        cdef uint64_t* hashes
        cdef uint64_t* reverses
        cdef uint64_t* powers
        cdef uint64_t square = point
        for e in range(60):
            push_long(self.squares, <int64_t> square)
            square = fibprover_times(square, square)
        self.hashes.reset(self.before.shape[0], 0)
        self.reverses.reset(self.before.shape[0], 0)
        self.powers.reset(self.before.shape[0], 0)
        reverses = <uint64_t*> longs(self.reverses)
        hashes, powers = <uint64_t*> longs(self.hashes), <uint64_t*> longs(self.powers)
        for e in range(self.levels):
            for q in range(self.states):
                at = (e * self.states + q) * width
                powers[at] = 1
                work(meter, width)
                if self.before[at]:
                    self.refuse()
                for d in range(self.digits):
                    target = self.targets[q * self.digits + d] if e else -1
                    below = ((e - 1) * self.states + target) * width + self.digits
                    size = self.before[below] if target >= 0 else 0
                    if e == 0 and d == self.digits - 1:
                        size = self.before[at + width - 1]  # one word without letters, or none
                        if not 0 <= size <= 1:
                            self.refuse()
                    until = self.before[at + d] + size
                    if self.before[at + d + 1] != until or until >= <int64_t> 1 << 60:
                        self.refuse()
                    hashes[at + d + 1], powers[at + d + 1] = hashes[at + d], powers[at + d]
                    reverses[at + d + 1] = reverses[at + d]
                    if size and target >= 0:
                        reverses[at + d + 1] = plus(fibprover_times(reverses[below], powers[at + d]), reverses[at + d])
                        hashes[at + d + 1] = plus(fibprover_times(hashes[at + d], powers[below]), hashes[below])
                        powers[at + d + 1] = fibprover_times(powers[at + d], powers[below])
                    elif size:
                        hashes[at + d + 1] = reverses[at + d + 1] = <uint64_t> letters[q] + 1
                        powers[at + d + 1] = point
        return 0

    cdef int refuse(self) except -1 nogil:
        with gil:
            raise InvalidArrayError("the numbers of words do not follow from the targets")

    cdef int find_lowest_levels(self) except -1 nogil:
        """Find for each number of bits the lowest level at which all numbers of so few bits are."""
        cdef int64_t e = 0, bits, width = self.digits + 1
        for bits in range(61):
            while e < self.levels and self.before[e * self.states * width + self.digits] < <int64_t> 1 << bits:
                e += 1
            push_long(self.lowest, e)
        return 0

    cdef uint64_t prefix(self, int64_t number, int64_t q) noexcept nogil:
        """Return the hash of so many first letters from a first state, no more than all words of the last level."""
        cdef int64_t width = self.digits + 1, e, bits = 0, at, d
        cdef uint64_t hash = 0
        cdef const int64_t* row
        cdef const uint64_t* hashes = <uint64_t*> longs(self.hashes)
        cdef const uint64_t* powers = <uint64_t*> longs(self.powers)
        while number >> bits:
            bits += 1
        e = min(longs(self.lowest)[bits], self.levels - 1)
        while number:
            at = (e * self.states + q) * width
            row = &self.before[at]
            d = 0
            while d < self.digits and row[d + 1] <= number:
                d += 1
            hash = plus(fibprover_times(hash, powers[at + d]), hashes[at + d])
            number -= row[d]
            if d == self.digits:
                break
            q = self.targets[q * self.digits + d]
            e -= 1
        return hash

    cdef uint64_t reverse(self, int64_t number, int64_t q) noexcept nogil:
        """Return the hash of so many first letters from a first state in reverse order."""
        cdef int64_t width = self.digits + 1, e, bits = 0, at, d
        cdef uint64_t hash = 0, power = 1
        cdef const int64_t* row
        while number >> bits:
            bits += 1
        e = min(longs(self.lowest)[bits], self.levels - 1)
        while number:
            at = (e * self.states + q) * width
            row = &self.before[at]
            d = 0
            while d < self.digits and row[d + 1] <= number:
                d += 1
            hash = plus(fibprover_times(<uint64_t> longs(self.reverses)[at + d], power), hash)
            power = fibprover_times(power, <uint64_t> longs(self.powers)[at + d])
            number -= row[d]
            if d == self.digits:
                break
            q = self.targets[q * self.digits + d]
            e -= 1
        return hash

    cdef uint64_t power(self, int64_t exponent) noexcept nogil:
        """Return a power of the point."""
        cdef uint64_t result = 1
        cdef int64_t bit = 0
        while exponent:
            if exponent & 1:
                result = fibprover_times(result, <uint64_t> longs(self.squares)[bit])
            exponent >>= 1
            bit += 1
        return result

    cdef bint equal(self, int64_t i, int64_t j, int64_t length, uint64_t difference) noexcept nogil:
        """Return whether factors of a length are equal; difference: of the hashes of what is before them."""
        cdef uint64_t shifted = fibprover_times(difference, self.power(length))
        return self.prefix(i + length, 0) == plus(self.prefix(j + length, self.other), shifted)

    cdef int64_t extension(self, int64_t i, int64_t j, int64_t n, int64_t window) noexcept nogil:
        cdef int64_t low = 0, high = window - 1, middle
        cdef uint64_t difference
        if (i == j and self.other == 0) or window <= 0:
            return window - 1
        difference = plus(self.prefix(i, 0), HASH_PRIME - self.prefix(j, self.other))
        if not self.equal(i, j, n, difference):
            return -1
        if high and self.equal(i, j, n + high, difference):
            return high
        while low + 1 < high:  # equal at low, not at high
            middle = (low + high) >> 1
            if self.equal(i, j, n + middle, difference):
                low = middle
            else:
                high = middle
        return low

    def clipped(
        self, const int64_t[::1] i, const int64_t[::1] j, const int64_t[::1] n, const int64_t[::1] windows, Meter meter
    ):
        """Return how far, beyond n letters, the factors at i and at j are equal: -1 if they are not so far.

        At most one less than the window; BEYOND where numbers are too large.
        """
        cdef Block found = new_longs(meter)
        cdef int64_t k, count = i.shape[0]
        cdef int64_t most = self.before[(self.levels - 1) * self.states * (self.digits + 1) + self.digits]
        if not count == j.shape[0] == n.shape[0] == windows.shape[0]:
            raise InvalidArrayError("there must be four numbers for each question")
        with nogil:
            found.reset(count, 0)
            for k in range(count):
                work(meter, 64)
                if min(min(i[k], j[k]), min(n[k], windows[k])) < 0:
                    with gil:
                        raise InvalidArrayError("a negative number")
                if max(max(i[k], j[k]), max(n[k], windows[k])) > most or max(i[k], j[k]) + n[k] + windows[k] > most:
                    longs(found)[k] = BEYOND
                else:
                    longs(found)[k] = self.extension(i[k], j[k], n[k], windows[k])
        return found.view()

    cdef bint equal_reversed(
        self, int64_t i, int64_t end, int64_t length, uint64_t before, uint64_t until
    ) noexcept nogil:
        """Return whether the factor at i is the reversal of the one that ends before `end`, which is not shorter.

        before: the hash of what is before i; until: the hash of what is before the end, in reverse order.
        """
        cdef uint64_t forward = fibprover_times(before, self.power(length)), backward
        forward = plus(self.prefix(i + length, 0), HASH_PRIME - forward)
        backward = plus(until, HASH_PRIME - self.reverse(end - length, self.other))
        return fibprover_times(forward, self.power(end - length)) == backward

    def reversals(
        self, const int64_t[::1] i, const int64_t[::1] ends, const int64_t[::1] n, const int64_t[::1] windows,
        Meter meter,
    ):
        """Return how far, beyond n letters, factors at i are reversals of those that end before `ends`.

        -1 if they are not so far, or if there are no n letters before the end; at most one less than the window; BEYOND
        where numbers are too large.
        """
        cdef Block found = new_longs(meter)
        cdef int64_t k, count = i.shape[0], low, high, middle
        cdef int64_t most = self.before[(self.levels - 1) * self.states * (self.digits + 1) + self.digits]
        cdef uint64_t before, until
        if not count == ends.shape[0] == n.shape[0] == windows.shape[0]:
            raise InvalidArrayError("there must be four numbers for each question")
        with nogil:
            found.reset(count, 0)
            for k in range(count):
                work(meter, 64)
                if min(min(i[k], ends[k]), min(n[k], windows[k])) < 0:
                    with gil:
                        raise InvalidArrayError("a negative number")
                if max(max(i[k], ends[k]), max(n[k], windows[k])) > most or i[k] + n[k] + windows[k] > most:
                    longs(found)[k] = BEYOND
                    continue
                # Reversals are equal for n + low letters, and not for n + high.
                low, high = -1, min(windows[k], ends[k] - n[k] + 1)
                before, until = self.prefix(i[k], 0), self.reverse(ends[k], self.other)
                while low + 1 < high:
                    middle = low + 1 if low < 0 else (low + high) >> 1
                    if self.equal_reversed(i[k], ends[k], n[k] + middle, before, until):
                        low = middle
                    else:
                        high = middle
                longs(found)[k] = low
        return found.view()
