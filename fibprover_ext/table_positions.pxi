"""P-positions where the moves are any set of vectors, given as a table of truth values.

Row by row: the vectors (i,j) of one i, shifted to a P-position i rows earlier, say in which columns a move
leads to it.  Without blocking they are bit sets, 64 columns a step; with blocking, counts of bytes.  Of a row with
one or two vectors only these are looked at, which is most of the time where the moves are almost lines.
"""

from libc.stdint cimport int64_t, uint16_t, uint64_t, uint8_t

# Tables of bytes are this wide at most.
cdef int64_t WIDEST_TABLE = (<int64_t> 1) << 17

# Counts are 16 bits: they are cut down to blocked + 1 before so many more have been added.
cdef int64_t MOST_BLOCKED_IN_TABLE = 4000
cdef int64_t MOST_ADDED = 60000


cdef class VectorRows:
    """The i of all vectors (i,j), and for each the least and the greatest j, and how many there are."""
    cdef Block used, low, high, count

    def __cinit__(self, const uint8_t[:, ::1] table, Meter meter):
        cdef int64_t i, j, bound = table.shape[0]
        self.used = new_longs(meter)
        self.low = new_longs(meter)
        self.high = new_longs(meter)
        self.count = new_longs(meter)
        self.used.reset(bound, 0)
        self.low.reset(bound, 0)
        self.high.reset(bound, 0)
        self.count.reset(bound, 0)
        self.used.size = 0
        with nogil:
            for i in range(bound):
                longs(self.high)[i] = -1
                for j in range(bound):
                    if table[i, j]:
                        if longs(self.high)[i] < 0:
                            longs(self.low)[i] = j
                        longs(self.high)[i] = j
                        longs(self.count)[i] += 1
                if longs(self.high)[i] >= 0 and i:
                    longs(self.used)[self.used.size] = i
                    self.used.size += 1
                work(meter, bound >> 3)


cdef inline void shifted_or(uint64_t* target, const uint64_t* source, int64_t first, int64_t last, int64_t shift,
                            int64_t words) noexcept nogil:
    """target |= source << shift, for words first to last of source, within the first `words` of target."""
    cdef int64_t whole = shift >> 6, k
    cdef int bits = shift & 63
    last = min(last, words - 1 - whole)
    if not bits:
        for k in range(first, last + 1):
            target[k + whole] |= source[k]
        return
    for k in range(first, last + 1):
        target[k + whole] |= source[k] << bits
    last = min(last, words - 2 - whole)
    for k in range(first, last + 1):
        target[k + whole + 1] |= source[k] >> (64 - bits)


cdef inline void set_bit(uint64_t* target, int64_t place, int64_t bound) noexcept nogil:
    if place < bound:
        target[place >> 6] |= (<uint64_t> 1) << (place & 63)


cdef int unblocked(const uint8_t[:, ::1] table, VectorRows rows, Intervals terminal, bint left_out, Found found,
                   Meter meter) except -1:
    """All P-positions if no option may be forbidden."""
    cdef int64_t bound = table.shape[0], words = (bound + 63) >> 6, i, j, k, n, p, q, t
    cdef Block packed = new_longs(meter), marks = new_longs(meter), starts = new_longs(meter)
    cdef uint64_t* bits
    cdef uint64_t* marked
    cdef bint is_terminal
    packed.reset(bound * words, 0)
    marks.reset(words, 0)
    starts.reset(bound + 1, 0)
    bits = <uint64_t*> longs(packed)
    marked = <uint64_t*> longs(marks)
    with nogil:
        for i in range(bound):
            for j in range(bound):
                if table[i, j]:
                    bits[i * words + (j >> 6)] |= (<uint64_t> 1) << (j & 63)
            work(meter, bound >> 3)
        for p in range(bound):
            longs(starts)[p] = found.first.size
            for k in range(words):
                marked[k] = 0
            for n in range(rows.used.size):
                i = longs(rows.used)[n]
                if i > p:
                    break
                if longs(rows.count)[i] <= 2:
                    for k in range(longs(starts)[p - i], longs(starts)[p - i + 1]):
                        set_bit(marked, longs(found.second)[k] + longs(rows.low)[i], bound)
                        set_bit(marked, longs(found.second)[k] + longs(rows.high)[i], bound)
                    work(meter, longs(starts)[p - i + 1] - longs(starts)[p - i] + 1)
                    continue
                for k in range(longs(starts)[p - i], longs(starts)[p - i + 1]):
                    shifted_or(marked, bits + i * words, longs(rows.low)[i] >> 6, longs(rows.high)[i] >> 6,
                               longs(found.second)[k], words)
                work(meter, (longs(starts)[p - i + 1] - longs(starts)[p - i]) * ((words >> 2) + 1) + 1)
            t = terminal.offsets[p]
            for q in range(bound):
                while t < terminal.offsets[p + 1] and terminal.ends[t] < q:
                    t += 1
                is_terminal = t < terminal.offsets[p + 1] and terminal.starts[t] <= q
                if not left_out if is_terminal else not marked[q >> 6] >> (q & 63) & 1:
                    push_position(found, p, q)
                    found.terminal += is_terminal
                    if longs(rows.high)[0] >= 0:
                        shifted_or(marked, bits, longs(rows.low)[0] >> 6, longs(rows.high)[0] >> 6, q, words)
                        work(meter, (words >> 2) + 1)
            longs(starts)[p + 1] = found.first.size
            work(meter, bound)
    return 0


cdef inline void add_row(uint16_t* counts, const uint8_t* row, int64_t low, int64_t high) noexcept nogil:
    cdef int64_t j
    for j in range(low, high + 1):
        counts[j] += row[j]


cdef int cap_counts(uint16_t* counts, int64_t bound, uint16_t most) noexcept nogil:
    """Counts above `most` become `most`."""
    cdef int64_t q
    for q in range(bound):
        counts[q] = min(counts[q], most)
    return 0


cdef int with_blocking(const uint8_t[:, ::1] table, VectorRows rows, int64_t blocked, Intervals terminal, bint left_out,
                       Found found, Meter meter) except -1:
    """All P-positions if up to `blocked` options may be forbidden."""
    cdef int64_t bound = table.shape[0], i, k, n, p, q, t, high, added
    cdef Block numbers = Block(meter, 2), starts = new_longs(meter)
    cdef uint16_t* counts
    cdef bint is_terminal
    numbers.reset(bound, 0)
    starts.reset(bound + 1, 0)
    counts = <uint16_t*> numbers.data
    with nogil:
        for p in range(bound):
            longs(starts)[p] = found.first.size
            for q in range(bound):
                counts[q] = 0
            added = 0
            for n in range(rows.used.size):
                i = longs(rows.used)[n]
                if i > p:
                    break
                for k in range(longs(starts)[p - i], longs(starts)[p - i + 1]):
                    q = longs(found.second)[k]
                    high = min(longs(rows.high)[i], bound - 1 - q)
                    add_row(counts + q, &table[i, 0], longs(rows.low)[i], high)
                    added += 1
                    if added == MOST_ADDED:
                        cap_counts(counts, bound, <uint16_t> (blocked + 1))
                        added = 0
                    work(meter, (max(<int64_t> 0, high - longs(rows.low)[i]) >> 3) + 1)
                work(meter, 1)
            t = terminal.offsets[p]
            for q in range(bound):
                while t < terminal.offsets[p + 1] and terminal.ends[t] < q:
                    t += 1
                is_terminal = t < terminal.offsets[p + 1] and terminal.starts[t] <= q
                if not left_out if is_terminal else counts[q] <= blocked:
                    push_position(found, p, q)
                    found.terminal += is_terminal
                    high = min(longs(rows.high)[0], bound - 1 - q)
                    add_row(counts + q, &table[0, 0], longs(rows.low)[0], high)
                    added += 1
                    if added == MOST_ADDED:
                        cap_counts(counts, bound, <uint16_t> (blocked + 1))
                        added = 0
                    work(meter, (max(<int64_t> 0, high - longs(rows.low)[0]) >> 3) + 1)
            longs(starts)[p + 1] = found.first.size
            work(meter, bound)
    return 0


def table_positions(const uint8_t[:, ::1] table, int64_t blocked, Intervals terminal, bint left_out,
                    Meter meter):
    """All P-positions (p,q) with p, q < bound: two memoryviews of "q", ordered by p, then q; how many are terminal.

    table: bound x bound, 1 where (i,j) is a move, 0 elsewhere and at (0,0).  terminal: by rows p; left_out: whether
    these positions are left out instead, as if no move led to them.
    For M positions and n different i in the table O(M n bound / 64) time, without blocking, or / 16.
    """
    cdef Found found = Found(meter)
    cdef VectorRows rows
    cdef int64_t bound = table.shape[0]
    if not 0 < bound <= WIDEST_TABLE:
        raise TooLargeError(f"a table of {bound} rows")
    if not 0 <= blocked <= MOST_BLOCKED_IN_TABLE:
        raise TooLargeError(f"{blocked} options blocked")
    if table.shape[1] != bound or table[0, 0] or terminal.rows != bound:
        raise InvalidArrayError("this is no table of moves")
    rows = VectorRows(table, meter)
    if blocked:
        with_blocking(table, rows, blocked, terminal, left_out, found, meter)
    else:
        unblocked(table, rows, terminal, left_out, found, meter)
    return found.export()
