"""P-positions where the moves are full lines: a row, and rays in a few directions.

Whether a position is a P-position depends on how many of its options are, and the options along one
line are the positions of the line passed before.  So a count is kept of the P-positions on each line.
Rows are gone through in order, and the cells of a row by jumps: minima of the counts over blocks of
neighbouring lines of a direction tell where no cell can have few enough.  Where there are single moves besides,
such as those of a knight, their options are looked up for each cell that the lines allow.
"""

from libc.stdint cimport int16_t, int32_t, int64_t

cdef enum:
    # Blocks of 2^LEAST lines, and up to LEVELS - 1 times of 2^GROWTH blocks.
    LEAST = 6
    GROWTH = 3
    LEVELS = 6
    # A level is there if a row has at least 2^FEWEST of its blocks.
    FEWEST = 5
    MOST_FAMILIES = 16
    MOST_STEPS = 1024

# Counts stop at blocked + 1, so that sums of them over all families stay in 16 bits, of which a processor
# adds many at once.
cdef int64_t MOST_BLOCKED_ON_LINES = 2000

# Products of coordinates and slopes stay in 64 bits.
cdef int64_t MOST_ROWS = (<int64_t> 1) << 30
cdef int64_t MOST_SLOPE = (<int64_t> 1) << 20

# The lines of one direction (u,v) and the number of P-positions on each.  Of the cells (p,q) with
# p = k u + m, 0 <= m < u, those with the same q - v k are on one line.  The lines with the same m follow each
# other, `stride` apart, and so that the line through (p,0) with the largest p comes first.
cdef struct Family:
    int64_t u, v, last, stride
    int16_t* counts
    int levels
    int16_t* minima[LEVELS]     # of the counts, over blocks of each size
    int64_t here                # where the line through (p,0) is, p being the present row


cdef inline int16_t* shorts(Block block) noexcept nogil:
    return <int16_t*> block.data


cdef inline int add(Family* family, int64_t line, int16_t most, Meter meter) except -1 nogil:
    """One more P-position on a line, unless there are `most`; the minima follow."""
    cdef int16_t old = family.counts[line], least
    cdef int16_t* below = family.counts
    cdef int64_t block, i
    cdef int level, growth = LEAST
    if old >= most:
        return 0
    family.counts[line] = old + 1
    block = line
    for level in range(family.levels):
        block >>= growth
        if family.minima[level][block] < old:
            return work(meter, 4)
        least = most
        for i in range(block << growth, (block + 1) << growth):
            least = min(least, below[i])
        if least == old:
            return work(meter, 8)
        family.minima[level][block] = least
        below = family.minima[level]
        growth = GROWTH
    return work(meter, 16)


cdef class Board:
    """The state of the search: the lines, and the rays that begin in later rows."""
    cdef int64_t bound, families, rays, delay, steps, reach
    cdef int16_t most           # so many P-positions among the options, and a cell is none
    cdef Family family[MOST_FAMILIES]
    cdef list blocks            # keeps the counts alive
    cdef int levels
    # A move may take (first[k] + n u, second[k] + n v), n >= 0, (u,v) being the direction of family[which[k]].
    cdef const int64_t* which
    cdef const int64_t* first
    cdef const int64_t* second
    # A move may take (down[k], right[k]); where the positions of each of the last `reach` rows begin among all.
    cdef const int64_t* down
    cdef const int64_t* right
    cdef Block begins
    cdef Block heads, nexts, events     # lists of such rays, one for each of the next `delay` rows
    cdef int32_t free
    cdef Found found
    cdef Meter meter

    def __cinit__(self, int64_t bound, int64_t blocked, const int64_t[:, ::1] directions, const int64_t[:, ::1] rays,
                  const int64_t[:, ::1] steps, Meter meter):
        cdef Family* family
        cdef Block block
        cdef int64_t k
        cdef int level, largest
        self.bound = bound
        self.most = <int16_t> (blocked + 1)
        self.families = directions.shape[1]
        self.rays = rays.shape[1]
        self.meter = meter
        self.found = Found(meter)
        self.blocks = [directions.base, rays.base, steps.base]
        self.levels = 1
        while self.levels < LEVELS and bound >> (LEAST + self.levels * GROWTH + FEWEST):
            self.levels += 1
        largest = LEAST + (self.levels - 1) * GROWTH
        for k in range(self.families):
            family = &self.family[k]
            family.levels = self.levels
            family.u = directions[0, k]
            family.v = directions[1, k]
            family.last = (bound - 1) // family.u
            family.stride = (((bound + family.v * family.last) >> largest) + 2) << largest
            block = Block(meter, 2)
            block.lazy_zeros(family.stride * family.u)
            family.counts = shorts(block)
            self.blocks.append(block)
            for level in range(self.levels):
                block = Block(meter, 2)
                block.lazy_zeros((family.stride >> (LEAST + level * GROWTH)) * family.u)
                family.minima[level] = shorts(block)
                self.blocks.append(block)
        self.delay = 1
        if self.rays:
            self.which = &rays[0, 0]
            self.first = &rays[1, 0]
            self.second = &rays[2, 0]
        for k in range(self.rays):
            self.delay = max(self.delay, min(self.first[k], bound) + 1)
        self.steps = steps.shape[1]
        self.reach = 2
        if self.steps:
            self.down = &steps[0, 0]
            self.right = &steps[1, 0]
        for k in range(self.steps):
            self.reach = max(self.reach, min(self.down[k], bound) + 2)
        self.begins = new_longs(meter)
        self.begins.reset(self.reach, 0)
        self.heads = new_ints(meter)
        self.nexts = new_ints(meter)
        self.events = new_longs(meter)
        self.heads.reset(self.delay, 0xff)
        self.free = -1

    cdef int enter(self, int64_t p) except -1 nogil:
        """Begin row p: count what begins there."""
        cdef int64_t k, event, slot = p % self.delay
        cdef Family* family
        longs(self.begins)[p % self.reach] = self.found.first.size
        for k in range(self.families):
            family = &self.family[k]
            family.here = (p % family.u) * family.stride + family.v * (family.last - p // family.u)
        while ints(self.heads)[slot] >= 0:
            event = ints(self.heads)[slot]
            ints(self.heads)[slot] = ints(self.nexts)[event]
            ints(self.nexts)[event] = self.free
            self.free = <int32_t> event
            family = &self.family[longs(self.events)[event] % self.families]
            add(family, family.here + longs(self.events)[event] // self.families, self.most, self.meter)
        return work(self.meter, 1)

    cdef int put(self, int64_t p, int64_t q) except -1 nogil:
        """A P-position: it will count on the rays from it."""
        cdef int64_t k, column, slot
        cdef int32_t event
        push_position(self.found, p, q)
        for k in range(self.rays):
            column = q + self.second[k]
            if column >= self.bound or p + self.first[k] >= self.bound:
                continue
            if self.first[k] == 0:
                add(&self.family[self.which[k]], self.family[self.which[k]].here + column, self.most, self.meter)
                continue
            if self.free >= 0:
                event = self.free
                self.free = ints(self.nexts)[event]
            else:
                if self.events.size > MOST_ROWS:
                    self.meter.too_many()
                event = <int32_t> self.events.size
                push_long(self.events, 0)
                push_int(self.nexts, 0)
            slot = (p + self.first[k]) % self.delay
            longs(self.events)[event] = column * self.families + self.which[k]
            ints(self.nexts)[event] = ints(self.heads)[slot]
            ints(self.heads)[slot] = event
        return work(self.meter, 4 + self.rays)

    cdef int64_t first_of(self, int64_t q, int64_t length, int32_t most) noexcept nogil:
        """The first of at most 2^LEAST cells from q with at most `most` P-positions on its lines; or `length`."""
        cdef int16_t sums[1 << LEAST]
        cdef int16_t least = self.most
        cdef const int16_t* counts
        cdef const int16_t* more
        cdef int64_t f, i
        if length == 1 << LEAST and self.families == 2:
            # The usual case, with loops of a length that the compiler knows.
            counts = self.family[0].counts + self.family[0].here + q
            more = self.family[1].counts + self.family[1].here + q
            for i in range(1 << LEAST):
                sums[i] = counts[i] + more[i]
            for i in range(1 << LEAST):
                least = min(least, sums[i])
        else:
            for i in range(length):
                sums[i] = 0
            for f in range(self.families):
                counts = self.family[f].counts + self.family[f].here + q
                for i in range(length):
                    sums[i] += counts[i]
            for i in range(length):
                least = min(least, sums[i])
        if least > most:
            return length
        i = 0
        while sums[i] > most:
            i += 1
        return i

    cdef int64_t next_cell(self, int64_t q, int64_t end, int32_t most) except -1 nogil:
        """The first cell of the row from q, before `end`, with at most `most` P-positions on its lines; or `end`."""
        cdef int64_t f, first, block, last, found, steps = 0
        cdef int32_t total
        cdef int level, size
        while q < end:
            # From the largest block that begins here down to the first that has no such cell.
            level = self.levels - 1
            while level >= 0:
                size = LEAST + level * GROWTH
                if not q & ((1 << size) - 1):
                    steps += 1
                    total = 0
                    for f in range(self.families):
                        # On the lines of a direction the block may begin within a block: then it meets two.
                        first = self.family[f].here + q
                        block = first >> size
                        if first & ((1 << size) - 1):
                            total += min(self.family[f].minima[level][block], self.family[f].minima[level][block + 1])
                        else:
                            total += self.family[f].minima[level][block]
                    if total > most:
                        break
                level -= 1
            if level >= 0:
                q += 1 << size
                continue
            last = min(end, ((q >> LEAST) + 1) << LEAST)
            found = q + self.first_of(q, last - q, most)
            steps += 8
            if found < last:
                work(self.meter, steps)
                return found
            q = last
        work(self.meter, steps)
        return end

    cdef int64_t single(self, int64_t p, int64_t q) except -1 nogil:
        """Return how many P-positions single moves from (p,q) lead to: O(log n) each for n in a row."""
        cdef int64_t k, first, last, middle, end, column, count = 0
        cdef const int64_t* columns = longs(self.found.second)
        for k in range(self.steps):
            if self.down[k] > p or self.right[k] > q:
                continue
            column = q - self.right[k]
            first = longs(self.begins)[(p - self.down[k]) % self.reach]
            end = longs(self.begins)[(p - self.down[k] + 1) % self.reach] if self.down[k] else self.found.first.size
            last = end
            while first < last:
                middle = (first + last) // 2
                if columns[middle] < column:
                    first = middle + 1
                else:
                    last = middle
            count += first < end and columns[first] == column
        work(self.meter, 4 * self.steps)
        return count

    cdef int64_t on_lines(self, int64_t q) noexcept nogil:
        """Return how many P-positions are on the lines through a cell of the present row, the row left aside."""
        cdef int64_t f, count = 0
        for f in range(self.families):
            count += self.family[f].counts[self.family[f].here + q]
        return count

    cdef int solve(self, bint row, Intervals terminal, bint left_out) except -1 nogil:
        """All P-positions, row by row; row: whether a move takes any number from the second pile.

        left_out: whether the terminal positions are left out instead, as if no move led to them.
        """
        cdef int64_t p, q, end, i, in_row
        for p in range(self.bound):
            self.enter(p)
            q = in_row = 0
            i = terminal.offsets[p]
            while True:
                end = terminal.starts[i] if i < terminal.offsets[p + 1] else self.bound
                while in_row < self.most:
                    q = self.next_cell(q, end, <int32_t> (self.most - 1 - in_row))
                    if q >= end:
                        break
                    if self.steps and in_row + self.on_lines(q) + self.single(p, q) >= self.most:
                        q += 1
                        continue
                    self.put(p, q)
                    in_row += row
                    q += 1
                if i == terminal.offsets[p + 1]:
                    break
                if not left_out:
                    for q in range(terminal.starts[i], terminal.ends[i] + 1):
                        self.put(p, q)
                        in_row += row
                    self.found.terminal += terminal.ends[i] - terminal.starts[i] + 1
                q = terminal.ends[i] + 1
                i += 1
        return 0


def line_positions(int64_t bound, int64_t blocked, bint row, const int64_t[:, ::1] directions, const int64_t[:,
                   ::1] rays, const int64_t[:, ::1] steps, Intervals terminal, bint left_out, Meter meter):
    """All P-positions (p,q) with p, q < bound: two memoryviews of "q", ordered by p, then q; how many are terminal.

    blocked: how many options may be forbidden.  row: whether a move takes any number from the second pile.
    directions: row 0 the u > 0, row 1 the v >= 0 of each direction; rays: row 0 the number of the direction,
    rows 1 and 2 the least vector, which has no negative coordinate and is not (0,0).  steps: as columns, single
    vectors that are on none of these lines.  terminal: by rows p; left_out: whether these positions are left out
    instead, as if no move led to them.
    Takes O(bound^2 / 2^21) for large bounds and a little for each position; 4 (u + v) bound bytes a direction.
    """
    cdef Board board
    cdef int64_t k
    cdef bint good = directions.shape[0] == 2 and rays.shape[0] == 3 and directions.shape[1] <= MOST_FAMILIES
    good = good and steps.shape[0] == 2 and steps.shape[1] <= MOST_STEPS
    if not 0 < bound <= MOST_ROWS:
        raise TooLargeError(f"a bound of {bound}")
    if not 0 <= blocked <= MOST_BLOCKED_ON_LINES:
        raise TooLargeError(f"{blocked} options blocked")
    if good:
        for k in range(directions.shape[1]):
            good = good and 0 < directions[0, k] <= MOST_SLOPE and 0 <= directions[1, k] <= MOST_SLOPE
        for k in range(rays.shape[1]):
            good = good and 0 <= rays[0, k] < directions.shape[1] and 0 <= rays[1, k] and 0 <= rays[2, k]
            good = good and rays[1, k] <= MOST_ROWS and rays[2, k] <= MOST_ROWS and rays[1, k] + rays[2, k] > 0
        for k in range(steps.shape[1]):
            good = good and 0 <= steps[0, k] <= MOST_ROWS and 0 <= steps[1, k] <= MOST_ROWS
            good = good and steps[0, k] + steps[1, k] > 0
    if not good or terminal.rows != bound:
        raise InvalidArrayError("these are no lines of moves")
    board = Board(bound, blocked, directions, rays, steps, meter)
    with nogil:
        board.solve(row, terminal, left_out)
    return board.found.export()
