"""P-positions where the moves are a union of polyhedra, antidiagonal by antidiagonal.

Every move makes the sum of the piles smaller, so all options of the positions with sum t are decided
before.  For each P-position (r,s) and each polyhedron of moves, the positions (p,t-p) from which such a
move leads to (r,s) are an interval of p: intervals are added up as differences.
"""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

# Coordinates and sums are int32 in the lists.
cdef int64_t MOST_SUMS = (<int64_t> 1) << 28

cdef enum:
    # Columns of the rows: p, t = p+q, r, s, constant; of the rows of `life`: t, r, s, constant.
    POSITION_WIDTH = 5
    LIFE_WIDTH = 4


cdef class Targets:
    """The P-positions (r,s) to which moves of one polyhedron may lead, until the sum `until` of where from."""
    cdef Block r, s, until

    def __cinit__(self, Meter meter):
        self.r = new_ints(meter)
        self.s = new_ints(meter)
        self.until = new_ints(meter)

    cdef int enter(self, int64_t r, int64_t s, int64_t until) except -1 nogil:
        push_int(self.r, <int32_t> r)
        push_int(self.s, <int32_t> s)
        return push_int(self.until, <int32_t> until)

    cdef int mark(self, const int64_t* rows, int64_t count, int64_t t, int64_t first, int64_t last,
                  int32_t* differences, Meter meter) except -1 nogil:
        """Add the intervals from first to last of the p from which a move leads from (p,t-p) to a target."""
        cdef int32_t* r = ints(self.r)
        cdef int32_t* s = ints(self.s)
        cdef int32_t* until = ints(self.until)
        cdef int64_t size = self.r.size, i = 0, low, high
        cdef const int64_t* row
        cdef bint some
        work(meter, (count + 1) * size)
        while i < size:
            low = first
            high = last
            row = rows
            some = True
            for _ in range(count):
                if not narrow(row[0], row[1] * t + row[2] * r[i] + row[3] * s[i] + row[4], &low, &high):
                    some = False
                    break
                row += POSITION_WIDTH
            if some:
                differences[low] += 1
                differences[high + 1] -= 1
            if until[i] <= t:
                size -= 1
                r[i] = r[size]
                s[i] = s[size]
                until[i] = until[size]
            else:
                i += 1
        self.r.size = self.s.size = self.until.size = size
        return 0


cdef int64_t lives_until(const int64_t* rows, int64_t count, int64_t r, int64_t s, int64_t most) noexcept nogil:
    """Return the last sum up to `most` from which a move may lead to (r,s); -1 if there is none."""
    cdef int64_t low = r + s + 1, high = most
    for _ in range(count):
        if not narrow(rows[0], rows[1] * r + rows[2] * s + rows[3], &low, &high):
            return -1
        rows += LIFE_WIDTH
    return high if low <= high else -1


def region_positions(int64_t bound, int64_t blocked, bint box, Regions moves, Regions life, Intervals terminal,
                     bint left_out, Meter meter):
    """All P-positions (p,q): two memoryviews of "q", ordered by p+q, then p; and how many are terminal.

    box: those with p, q < bound; else those with p+q < bound.  moves: disjoint polyhedra (blocked = 0: any)
    by bounds on p, t = p+q, r and s; life: for each what follows for t, r and s.  terminal: by antidiagonals;
    left_out: whether these positions are left out instead, as if no move led to them.
    For M positions and n polyhedra of unbounded moves O(M n bound) time, 12 n bytes a position.
    """
    cdef Found found = Found(meter)
    cdef Block differences = new_ints(meter)
    cdef int64_t t, p, i, k, first, last, count, until, begin, sums = 2 * bound - 1 if box else bound
    cdef int32_t* marks
    cdef list lists = [Targets(meter) for _ in range(moves.regions)]
    cdef Targets targets
    cdef bint is_terminal
    if not 0 < bound <= MOST_SUMS:
        raise TooLargeError(f"a bound of {bound}")
    if moves.width != POSITION_WIDTH or life.width != LIFE_WIDTH or life.regions != moves.regions:
        raise InvalidArrayError("the polyhedra of the moves do not fit together")
    if terminal.rows != sums:
        raise InvalidArrayError("the terminal positions do not fit the bound")
    differences.reset(bound + 1, 0)
    marks = ints(differences)
    for t in range(sums):
        first = max(<int64_t> 0, t - bound + 1) if box else 0
        last = min(t, bound - 1)
        with nogil:
            memset(marks + first, 0, <size_t> ((last - first + 2) * sizeof(int32_t)))
        for k in range(moves.regions):
            targets = <Targets> lists[k]
            with nogil:
                targets.mark(moves.rows + POSITION_WIDTH * moves.offsets[k], moves.offsets[k + 1] - moves.offsets[k], t,
                             first, last, marks, meter)
        begin = found.first.size
        with nogil:
            count = 0
            i = terminal.offsets[t]
            for p in range(first, last + 1):
                count += marks[p]
                while i < terminal.offsets[t + 1] and terminal.ends[i] < p:
                    i += 1
                is_terminal = i < terminal.offsets[t + 1] and terminal.starts[i] <= p
                if not left_out:
                    found.terminal += is_terminal
                if not left_out if is_terminal else count <= blocked:
                    push_position(found, p, t - p)
            work(meter, last - first + 1)
        for k in range(moves.regions):
            targets = <Targets> lists[k]
            with nogil:
                for i in range(begin, found.first.size):
                    until = lives_until(
                        life.rows + LIFE_WIDTH * life.offsets[k], life.offsets[k + 1] - life.offsets[k],
                        longs(found.first)[i], longs(found.second)[i], sums - 1,
                    )
                    if until >= 0:
                        targets.enter(longs(found.first)[i], longs(found.second)[i], until)
                work(meter, 4 * (found.first.size - begin))
    return found.export()
