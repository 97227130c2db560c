"""Recoding of letters: tracks permuted, dropped, or moved to other places of the mixed radix."""

from libc.stdint cimport int64_t

cdef int64_t LARGEST_RECODE_TABLE = 1 << 16

# Fixed arrays have room for this many parts.
cdef int MOST_PARTS = 64


cdef class Recode:
    """Maps a letter code to the sum of digit index * weight over the tracks.

    radices, weights: one a track, first track most significant; a weight of 0 drops the track.
    uses: about how many codes will be recoded, so that few do not pay for a large table.
    Neighbouring tracks share a table of at most 2^16 entries; larger alphabets are recoded by
    arithmetic.  Costs O(uses) to make, one division and one look-up a table to apply.
    """
    cdef int groups                 # parts of the letter, most significant first
    cdef bint identity
    cdef readonly int64_t letters   # number of results: more than the largest
    cdef int64_t[64] size           # number of values of a part
    cdef int64_t[64] weight         # contribution of one unit, where there is no table
    cdef int64_t[64] begin          # where the part's table begins, or -1
    cdef Block tables

    def __cinit__(self, tuple radices, tuple weights, int64_t letters, int64_t uses, Meter meter):
        cdef int64_t limit = min(LARGEST_RECODE_TABLE, max(<int64_t> 32, 2 * uses))
        cdef int64_t size, natural = 1
        cdef list parts = []      # (size, [(radix, weight), ...]), most significant first
        self.letters = letters
        self.identity = True
        for radix, weight in zip(reversed(radices), reversed(weights)):
            if radix > 1 and weight != natural:
                self.identity = False
            natural *= radix
        self.tables = new_longs(meter)
        if self.identity:
            return
        for radix, weight in zip(radices, weights):
            if radix == 1:
                continue
            if parts and parts[len(parts) - 1][0] * radix <= limit:
                size, members = parts.pop()
                parts.append((size * radix, members + [(radix, weight)]))
            else:
                parts.append((radix, [(radix, weight)]))
        if len(parts) > MOST_PARTS:
            raise TooLargeError(f"letters of more than {MOST_PARTS} parts")
        self.groups = len(parts)
        for g, (size, members) in enumerate(parts):
            self.size[g] = size
            self.begin[g] = -1
            self.weight[g] = members[0][1]
            if len(members) > 1:
                self.begin[g] = self.tables.size
                self.tabulate(members)

    cdef int tabulate(self, list members) except -1:
        """Append the contributions of all combinations of some tracks' digits, in order of code."""
        cdef Block tables = self.tables
        cdef int64_t begin = tables.size, count = 1, radix, weight, value, i, digit
        push_long(tables, 0)
        for member in members:
            radix, weight = member
            # Every prefix becomes `radix` entries; filled from the back, so that in place is safe.
            tables.make_room(count * radix - count)
            tables.size = begin + count * radix
            for i in range(count - 1, -1, -1):
                value = longs(tables)[begin + i]
                for digit in range(radix - 1, -1, -1):
                    longs(tables)[begin + i * radix + digit] = value + digit * weight
            count *= radix
        return 0


cdef inline int64_t recode(Recode r, int64_t code) noexcept nogil:
    """The new code of a letter."""
    cdef int64_t result = 0, rest, value
    cdef int g
    if r.identity:
        return code
    for g in range(r.groups - 1, -1, -1):
        if g:
            rest = code // r.size[g]
            value = code - rest * r.size[g]
            code = rest
        else:
            value = code
        if r.begin[g] >= 0:
            result += longs(r.tables)[r.begin[g] + value]
        else:
            result += value * r.weight[g]
    return result
