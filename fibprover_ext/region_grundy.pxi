"""Sprague-Grundy values where the moves are a union of polyhedra, antidiagonal by antidiagonal.

For each position the options of a polyhedron are, by rows r, intervals of s.  Their values are stamped
with the position's number; the value is the least one without the stamp.
"""

from libc.stdint cimport int32_t, int64_t

# Positions are numbered by int32.
cdef int64_t MOST_GRUNDY_ROWS = (<int64_t> 1) << 15

cdef enum:
    # Columns of the rows: s, p, q, r, constant; of the rows of `ranges`: r, p, q, constant.
    GRUNDY_WIDTH = 5
    RANGE_WIDTH = 4


cdef int stamp(int32_t* stamps, int32_t number, const int32_t* values, int64_t bound, int64_t p, int64_t q,
               const int64_t* rows, int64_t count, const int64_t* ranges, int64_t range_count,
               Meter meter) except -1 nogil:
    """Stamp the values of the options that one polyhedron of moves gives a position."""
    cdef const int64_t* row
    cdef int64_t k, r, s, rest, low, high, least = 0, most = min(bound - 1, p + q), steps = 1
    for _ in range(range_count):
        rest = ranges[1] * p + ranges[2] * q + ranges[3]
        if not narrow(ranges[0], rest, &least, &most):
            return 0
        ranges += RANGE_WIDTH
    for r in range(least, most + 1):
        low = 0
        high = min(bound - 1, p + q - r - 1)     # smaller sums only: those values are known
        for k in range(count):
            row = rows + GRUNDY_WIDTH * k
            if not narrow(row[0], row[1] * p + row[2] * q + row[3] * r + row[4], &low, &high):
                break
        else:
            for s in range(low, high + 1):
                stamps[values[r * bound + s]] = number
            steps += high - low
        steps += count + 1
    return work(meter, steps)


def region_grundy(int64_t bound, bint box, Regions moves, Regions ranges, Intervals terminal, Meter meter):
    """The values of the positions (p,q) as a memoryview of "i", bound x bound, row by row; -1 where p+q is too large.

    box: of those with p, q < bound; else of those with p+q < bound.  moves: polyhedra by bounds on s, p, q, r;
    ranges: for each what follows for r, p, q.  terminal: by antidiagonals; those positions have the value 0.
    O(bound^2) times the number of options; 4 bytes a position.
    """
    cdef Block found = new_ints(meter), stamps = new_ints(meter)
    cdef int64_t t, p, i, k, first, last, sums = 2 * bound - 1 if box else bound
    cdef int32_t number = 0, value
    cdef int32_t* cells
    if not 0 < bound <= MOST_GRUNDY_ROWS:
        raise TooLargeError(f"a bound of {bound}")
    if moves.width != GRUNDY_WIDTH or ranges.width != RANGE_WIDTH or ranges.regions != moves.regions:
        raise InvalidArrayError("these are no moves")
    if terminal.rows != sums:
        raise InvalidArrayError("the terminal positions do not fit")
    found.reset(bound * bound, 0xff)
    # A game from (p,q) has at most p+q moves, so that no value is larger.
    stamps.reset(2 * bound + 1, 0)
    cells = ints(found)
    with nogil:
        for t in range(sums):
            first = max(<int64_t> 0, t - bound + 1) if box else 0
            last = min(t, bound - 1)
            i = terminal.offsets[t]
            for p in range(first, last + 1):
                while i < terminal.offsets[t + 1] and terminal.ends[i] < p:
                    i += 1
                if i < terminal.offsets[t + 1] and terminal.starts[i] <= p:
                    cells[p * bound + t - p] = 0
                    continue
                number += 1
                for k in range(moves.regions):
                    stamp(
                        ints(stamps), number, cells, bound, p, t - p,
                        moves.rows + GRUNDY_WIDTH * moves.offsets[k], moves.offsets[k + 1] - moves.offsets[k],
                        ranges.rows + RANGE_WIDTH * ranges.offsets[k], ranges.offsets[k + 1] - ranges.offsets[k], meter,
                    )
                value = 0
                while ints(stamps)[value] == number:
                    value += 1
                cells[p * bound + t - p] = value
                work(meter, value + 1)
    return found.view()
