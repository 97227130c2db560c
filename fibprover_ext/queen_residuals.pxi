"""Residuals of the positions of one Sprague-Grundy value of a queen with single moves, of more than memory holds.

A queen moves along a row, a column or the diagonal; the single moves are symmetric, and so are the positions of each
value.  A row, a column or a diagonal has at most one of them.  That of column a, unless its row is less than a, lies in
the least row from which no move reaches a position of the value, and which is not that of a smaller value: of a
row that is less than that of a smaller value, a move reaches a position of that value, as it would have been
chosen otherwise.  Positions are found column by column, and not kept: what a column needs is which rows are taken from
it on, a bit for each, which diagonals are taken next to the first free one, and the last few positions.

For each depth j the numbers are cut into blocks, the k-th of which has the representations that begin with that of k
and go on with j digits.  A pair of blocks is a pair of prefixes, and the positions (a,b), a <= b, in it are their
residual to the depth j.  Sums of a hash over its positions, relative to the beginning of the blocks, stand for it.
"""

from libc.stdint cimport int64_t, uint64_t

cdef enum:
    # Diagonals, from the first free one on, that may be taken: a power of two.
    WINDOW = 1 << 12
    # Pairs of blocks whose sums may still grow: each column adds to one of the last few.
    RECENT = 32
    MOST_DEPTHS = 64

cdef int64_t MOST_COLUMNS = (<int64_t> 1) << 36
cdef int64_t MOST_VALUE = 100


cdef inline uint64_t mixed(uint64_t x) noexcept nogil:
    """A hash of 64 bits."""
    x ^= x >> 31
    x *= <uint64_t> 0x7fb5d329728ea185
    x ^= x >> 27
    x *= <uint64_t> 0x81dadef4bc2dd44d
    return x ^ (x >> 33)


# Of one depth: the blocks, those of the last position, and which of all sums belong to the last pairs.
cdef struct Depth:
    const int64_t* starts       # of the blocks, and the end of the last one
    int64_t blocks, column, row, pairs
    int64_t recent[RECENT]


cdef class Sums:
    """The pairs of blocks that have a position, of all depths: the depth, the blocks, and the sum of the hashes."""
    cdef Block depths, first, second, sums
    cdef Depth depth[MOST_DEPTHS]

    def __cinit__(self, Meter meter):
        self.depths, self.first, self.second = new_ints(meter), new_ints(meter), new_ints(meter)
        self.sums = new_longs(meter)

    cdef int add(self, int64_t number, int64_t a, int64_t b) except -1 nogil:
        """Count a position in for one depth; a grows from call to call, b may fall back by a few."""
        cdef Depth* depth = &self.depth[number]
        cdef int64_t i, place
        cdef uint64_t hashed
        while depth.column < depth.blocks and depth.starts[depth.column + 1] <= a:
            depth.column += 1
        while depth.row < depth.blocks and depth.starts[depth.row + 1] <= b:
            depth.row += 1
        while depth.starts[depth.row] > b:
            depth.row -= 1
        if depth.column >= depth.blocks or depth.row >= depth.blocks:
            return 0
        hashed = mixed(<uint64_t> (a - depth.starts[depth.column]) * <uint64_t> 0x9e3779b97f4a7c15 + 1)
        hashed = mixed(hashed + <uint64_t> (b - depth.starts[depth.row]))
        i = depth.pairs - 1
        while i >= 0 and i >= depth.pairs - RECENT:
            place = depth.recent[i % RECENT]
            if ints(self.first)[place] == depth.column and ints(self.second)[place] == depth.row:
                longs(self.sums)[place] = <int64_t> (<uint64_t> longs(self.sums)[place] + hashed)
                return 0
            i -= 1
        depth.recent[depth.pairs % RECENT] = self.sums.size
        depth.pairs += 1
        push_int(self.depths, <int32_t> number)
        push_int(self.first, <int32_t> depth.column)
        push_int(self.second, <int32_t> depth.row)
        push_long(self.sums, <int64_t> hashed)
        return 0


cdef class Columns:
    """The state of the search for one value: the rows and diagonals that are taken, and the last positions.

    smaller: that of the value less by one, if there is one; row: that of the position of the last column, -1: less.
    """
    cdef Block rows, diagonals, lately, near
    cdef Columns smaller
    cdef bint least
    cdef int64_t row
    cdef int64_t mask, free, moves, reach, bound
    cdef const int64_t* down
    cdef const int64_t* right
    cdef Meter meter

    def __cinit__(self, int64_t bound, const int64_t[:, ::1] steps, Columns smaller or None, Meter meter):
        cdef int64_t k
        self.meter = meter
        self.bound = bound
        self.smaller = smaller
        self.least = smaller is None
        self.row = -1
        self.moves = steps.shape[1]
        self.reach = 1
        if self.moves:
            self.down = &steps[0, 0]
            self.right = &steps[1, 0]
        for k in range(self.moves):
            self.reach = max(self.reach, self.down[k] + 1)
        self.mask = 1 << 16
        # The row of a column exceeds it by the difference of the piles, 0.62 of the column or 0.38 of the row.
        while self.mask < bound // 2 + 2 * WINDOW:
            self.mask <<= 1
        self.rows, self.diagonals = new_longs(meter), new_longs(meter)
        self.rows.reset(self.mask >> 6, 0)
        self.diagonals.reset(WINDOW >> 6, 0)
        self.mask -= 1
        # The row of the position of each of the last columns, and all positions that are near the diagonal.
        self.lately, self.near = new_longs(meter), new_longs(meter)
        self.lately.reset(self.reach, 0xff)

    cdef bint reached(self, int64_t a, int64_t b) noexcept nogil:
        """Return whether a single move from (a,b), a <= b, leads to a position that was found."""
        cdef int64_t k, i, x, y
        for k in range(self.moves):
            x, y = a - self.down[k], b - self.right[k]
            if x < 0 or y < 0:
                continue
            if x <= y:
                if longs(self.lately)[x % self.reach] == y:
                    return True
            else:
                for i in range(0, self.near.size, 2):
                    if longs(self.near)[i] == y and longs(self.near)[i + 1] == x:
                        return True
        return False

    cdef bint is_here(self, int64_t b) noexcept nogil:
        """Return whether the position of this or a smaller value in the last column has row b."""
        return self.row == b or (not self.least and self.smaller.is_here(b))

    cdef int enter(self, int64_t a) except -1 nogil:
        """Go on to column a: find its position for this and all smaller values, and mark what that takes."""
        cdef int64_t bit = (<int64_t> 1) << (a & 63), b, d = self.free
        if not self.least:
            self.smaller.enter(a)
        self.row = -1
        if longs(self.rows)[(a & self.mask) >> 6] & bit:
            # An earlier column has taken row a; so this column has its position there.
            longs(self.rows)[(a & self.mask) >> 6] &= ~bit
            longs(self.lately)[a % self.reach] = -1
            return 0
        while True:
            if d - self.free >= WINDOW or d > self.mask:
                with gil:
                    raise TooLargeError(f"a difference of {d - self.free} more than the least free one")
            b = a + d
            if not (longs(self.diagonals)[(d & (WINDOW - 1)) >> 6] >> (d & 63)) & 1:
                if not (longs(self.rows)[(b & self.mask) >> 6] >> (b & 63)) & 1:
                    if (self.least or not self.smaller.is_here(b)) and not self.reached(a, b):
                        break
            d += 1
        if d:
            longs(self.rows)[(b & self.mask) >> 6] |= (<int64_t> 1) << (b & 63)
        longs(self.diagonals)[(d & (WINDOW - 1)) >> 6] |= (<int64_t> 1) << (d & 63)
        while (longs(self.diagonals)[(self.free & (WINDOW - 1)) >> 6] >> (self.free & 63)) & 1:
            longs(self.diagonals)[(self.free & (WINDOW - 1)) >> 6] &= ~((<int64_t> 1) << (self.free & 63))
            self.free += 1
        longs(self.lately)[a % self.reach] = self.row = b
        if d <= 2 * self.reach:
            push_long(self.near, a)
            push_long(self.near, b)
        return work(self.meter, 4)


def queen_residuals(int64_t bound, int64_t value, const int64_t[:, ::1] steps, const int64_t[::1] starts,
                    const int64_t[::1] begins, Meter meter):
    """Sums over the positions (a,b), a <= b < bound, of a value of a queen with single moves, for pairs of blocks.

    value: of Sprague and Grundy, 0 for P-positions.  steps: as columns, vectors of positive numbers, with (j,i) for
    each (i,j).  starts: for the depth j the beginnings of blocks of numbers, from 0 on, and the end of the last one,
    from begins[j] to begins[j+1].  Returns four memoryviews, an item for each pair of blocks with a position: the
    depth, the number of the block of a, that of b ("i"), and the sum ("q") modulo 2^64; a pair may occur several
    times, for the sums to be added.  Then how many positions there are.  Positions in no block are left out.
    Takes O(bound) and bound / 16 bytes, or a little more, for each value up to this one.
    """
    cdef int64_t depths = begins.shape[0] - 1, number, k, a = -1, b, count = 0, least = 0
    cdef Columns columns = None
    cdef Sums found = Sums(meter)
    if not 0 < bound <= MOST_COLUMNS:
        raise TooLargeError(f"a bound of {bound}")
    if not 0 <= value <= MOST_VALUE:
        raise TooLargeError(f"the value {value}")
    if steps.shape[0] != 2 or not 0 < depths <= MOST_DEPTHS:
        raise InvalidArrayError("these are no steps, or no blocks")
    for k in range(steps.shape[1]):
        if not 0 < steps[0, k] <= WINDOW // 4 or not 0 < steps[1, k] <= WINDOW // 4:
            raise TooLargeError(f"a step of ({steps[0, k]},{steps[1, k]})")
    for number in range(depths):
        if not 0 <= begins[number] < begins[number + 1] - 1 < starts.shape[0] or starts[begins[number]]:
            raise InvalidArrayError("these are no blocks")
        if begins[number + 1] - begins[number] > 1 << 30:
            raise TooLargeError("too many blocks")
        for k in range(begins[number], begins[number + 1] - 1):
            if starts[k] >= starts[k + 1]:
                raise InvalidArrayError("these blocks do not rise")
        found.depth[number].starts = &starts[begins[number]]
        found.depth[number].blocks = begins[number + 1] - begins[number] - 1
        found.depth[number].column = found.depth[number].row = found.depth[number].pairs = 0
    for k in range(value + 1):
        columns = Columns(bound, steps, columns, meter)
    with nogil:
        # The positions of all further columns are in rows from a + free on.
        while a + 1 + columns.free < bound:
            a += 1
            columns.enter(a)
            b = columns.row
            if not a <= b < bound:
                continue
            count += 1
            while least < depths and a >= found.depth[least].starts[found.depth[least].blocks]:
                least += 1
            for number in range(least, depths):
                found.add(number, a, b)
    return found.depths.view(), found.first.view(), found.second.view(), found.sums.view(), count
