"""Sprague-Grundy values where the moves are any set of vectors."""

from libc.stdint cimport int32_t, int64_t


def table_grundy(int64_t bound, Intervals vectors, Intervals terminal, Meter meter):
    """The values of the positions (p,q) with p, q < bound as a memoryview of "i", row by row.

    vectors: by i, intervals of the j for which (i,j) is a move; (0,0) is none.  terminal: by rows; those positions
    have the value 0.  O(bound^2) times the number of vectors; 4 bytes a position.
    """
    cdef Block found = new_ints(meter), stamps = new_ints(meter)
    cdef int64_t p, q, i, j, k, t
    cdef int32_t number = 0, value
    cdef int32_t* cells
    cdef int32_t* marks
    if not 0 < bound <= MOST_GRUNDY_ROWS:
        raise TooLargeError(f"a bound of {bound}")
    if vectors.rows != bound or terminal.rows != bound or (vectors.offsets[1] and not vectors.starts[0]):
        raise InvalidArrayError("these are no moves")
    found.reset(bound * bound, 0)
    # A game from (p,q) has at most p+q moves, so that no value is larger.
    stamps.reset(2 * bound + 1, 0)
    cells = ints(found)
    marks = ints(stamps)
    with nogil:
        for p in range(bound):
            t = terminal.offsets[p]
            for q in range(bound):
                while t < terminal.offsets[p + 1] and terminal.ends[t] < q:
                    t += 1
                if t < terminal.offsets[p + 1] and terminal.starts[t] <= q:
                    continue
                number += 1
                for i in range(p + 1):
                    for k in range(vectors.offsets[i], vectors.offsets[i + 1]):
                        if vectors.starts[k] > q:
                            break
                        for j in range(vectors.starts[k], min(vectors.ends[k], q) + 1):
                            marks[cells[(p - i) * bound + q - j]] = number
                        work(meter, min(vectors.ends[k], q) - vectors.starts[k] + 1)
                value = 0
                while marks[value] == number:
                    value += 1
                cells[p * bound + q] = value
                work(meter, value + p + 1)
    return found.view()
