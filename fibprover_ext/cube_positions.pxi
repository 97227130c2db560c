"""P-positions on three piles where the moves are a union of polyhedra and make no pile larger.

Positions are decided in lexicographic order.  From a P-position, the positions from which a move of a polyhedron
leads to it are marked: for each first and second pile an interval of the third, as bits.
"""

from libc.stdint cimport int64_t, uint64_t

# A cube of bits of this size takes a gigabyte.
cdef int64_t MOST_CUBE = 2048

cdef enum:
    # Columns of the rows: r, q, p, s, t, u, constant; of those that follow for q; and for p.
    CUBE_WIDTH = 7
    SECOND_WIDTH = 6
    FIRST_WIDTH = 5


cdef inline void set_bits(uint64_t* row, int64_t low, int64_t high) noexcept nogil:
    """Set the bits from low to high."""
    cdef int64_t first = low >> 6, last = high >> 6, k
    cdef uint64_t head = (~<uint64_t> 0) << (low & 63), tail = (~<uint64_t> 0) >> (63 - (high & 63))
    if first == last:
        row[first] |= head & tail
        return
    row[first] |= head
    for k in range(first + 1, last):
        row[k] = ~<uint64_t> 0
    row[last] |= tail


cdef inline bint narrow_all(const int64_t* rows, int64_t count, int64_t width, const int64_t* others, int64_t* low,
                            int64_t* high) noexcept nogil:
    """Keep of the x from low to high those that satisfy all rows: x, the others, a constant; whether any are left."""
    cdef int64_t rest, k
    for _ in range(count):
        rest = rows[width - 1]
        for k in range(width - 2):
            rest += rows[k + 1] * others[k]
        if not narrow(rows[0], rest, low, high):
            return False
        rows += width
    return True


cdef class Cube:
    """One bit a position (p,q,r): whether a move leads from it to a P-position."""
    cdef Block bits
    cdef int64_t bound, words
    cdef Regions moves, seconds, firsts

    def __cinit__(self, int64_t bound, Regions moves, Regions seconds, Regions firsts, Meter meter):
        self.bound = bound
        self.words = (bound + 63) >> 6
        self.bits = new_longs(meter)
        self.bits.reset(bound * bound * self.words, 0)
        self.moves, self.seconds, self.firsts = moves, seconds, firsts

    cdef uint64_t* row(self, int64_t p, int64_t q) noexcept nogil:
        return <uint64_t*> longs(self.bits) + (p * self.bound + q) * self.words

    cdef int mark(self, int64_t s, int64_t t, int64_t u, Meter meter) except -1 nogil:
        """Mark the positions from which a move leads to (s,t,u)."""
        cdef int64_t k, p, q, done = 0, first, last, low, high, least, most
        cdef int64_t[5] others
        for k in range(self.moves.regions):
            others[2], others[3], others[4] = s, t, u
            first, last = s, self.bound - 1
            if not narrow_all(
                self.firsts.rows + FIRST_WIDTH * self.firsts.offsets[k],
                self.firsts.offsets[k + 1] - self.firsts.offsets[k], FIRST_WIDTH, others + 2, &first, &last,
            ):
                continue
            for p in range(first, last + 1):
                others[1] = p
                least, most = t, self.bound - 1
                if not narrow_all(
                    self.seconds.rows + SECOND_WIDTH * self.seconds.offsets[k],
                    self.seconds.offsets[k + 1] - self.seconds.offsets[k], SECOND_WIDTH, others + 1, &least, &most,
                ):
                    continue
                for q in range(least, most + 1):
                    others[0] = q
                    low, high = u, self.bound - 1
                    if narrow_all(
                        self.moves.rows + CUBE_WIDTH * self.moves.offsets[k],
                        self.moves.offsets[k + 1] - self.moves.offsets[k], CUBE_WIDTH, others, &low, &high,
                    ):
                        set_bits(self.row(p, q), low, high)
                done += most - least + 1
            work(meter, 4 * (done + last - first + 1))
            done = 0
        return 0


def cube_positions(int64_t bound, Regions moves, Regions seconds, Regions firsts, Intervals terminal, bint left_out,
                   Meter meter):
    """All P-positions (p,q,r) below the bound: three memoryviews of "q", in lexicographic order; how many are terminal.

    moves: from (p,q,r) to (s,t,u), polyhedra by bounds on r, q, p, s, t, u, where s <= p, t <= q, u <= r and not all
    are equal; seconds: for each what follows for q, p, s, t, u; firsts: for p, s, t, u.  terminal: those of (p,q) in
    row p bound + q; left_out: whether these positions are left out instead, as if no move led to them.
    O(bound^3 / 64) and for M positions and n polyhedra at most O(M n bound^3 / 64); bound^3 / 8 bytes.
    """
    cdef Found found = Found(meter)
    cdef Block third = new_longs(meter)
    cdef Cube cube
    cdef int64_t p, q, r, i, row
    cdef uint64_t* marked
    cdef bint is_terminal
    if not 0 < bound <= MOST_CUBE:
        raise TooLargeError(f"a bound of {bound}")
    if moves.width != CUBE_WIDTH or seconds.width != SECOND_WIDTH or firsts.width != FIRST_WIDTH:
        raise InvalidArrayError("these are no moves on three piles")
    if moves.regions != seconds.regions or moves.regions != firsts.regions:
        raise InvalidArrayError("the polyhedra of the moves do not fit together")
    if terminal.rows != bound * bound:
        raise InvalidArrayError("the terminal positions do not fit the bound")
    cube = Cube(bound, moves, seconds, firsts, meter)
    with nogil:
        for p in range(bound):
            for q in range(bound):
                marked = cube.row(p, q)
                row = p * bound + q
                i = terminal.offsets[row]
                r = 0
                while r < bound:
                    if i == terminal.offsets[row + 1] and not ~marked[r >> 6]:
                        r = ((r >> 6) + 1) << 6
                        continue
                    while i < terminal.offsets[row + 1] and terminal.ends[i] < r:
                        i += 1
                    is_terminal = i < terminal.offsets[row + 1] and terminal.starts[i] <= r
                    if not left_out if is_terminal else not marked[r >> 6] >> (r & 63) & 1:
                        push_position(found, p, q)
                        push_long(third, r)
                        found.terminal += is_terminal
                        cube.mark(p, q, r, meter)
                    r += 1
                work(meter, cube.words)
    return found.first.view(), found.second.view(), third.view(), found.terminal
