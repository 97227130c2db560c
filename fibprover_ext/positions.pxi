"""Shared by the solvers of games: the terminal positions as intervals, and the positions found."""

from libc.stdint cimport int64_t

cdef class Intervals:
    """Some columns of every row: of row k, from starts[i] to ends[i], offsets[k] <= i < offsets[k+1].

    The intervals of a row are not empty, disjoint and in order, and lie in 0 .. bound-1; InvalidArrayError
    otherwise, since the kernels do not check again.  O(rows + intervals).
    """
    cdef readonly int64_t rows
    cdef const int64_t* offsets
    cdef const int64_t* starts
    cdef const int64_t* ends
    cdef object arrays          # keeps the memory alive

    def __cinit__(self, int64_t bound, const int64_t[::1] offsets, const int64_t[::1] starts, const int64_t[::1] ends):
        cdef int64_t row, i, previous
        cdef bint good
        self.rows = offsets.shape[0] - 1
        self.arrays = (offsets.base, starts.base, ends.base)
        good = self.rows >= 1 and offsets[0] == 0 and starts.shape[0] == ends.shape[0]
        good = good and offsets[self.rows] == starts.shape[0]
        if good:
            for row in range(self.rows):
                previous = -1
                if offsets[row] > offsets[row + 1] or offsets[row + 1] > starts.shape[0]:
                    good = False
                    break
                for i in range(offsets[row], offsets[row + 1]):
                    if starts[i] <= previous or ends[i] < starts[i] or ends[i] >= bound:
                        good = False
                    previous = ends[i]
        if not good:
            raise InvalidArrayError("the intervals of terminal positions are out of order or out of range")
        self.offsets = &offsets[0]
        self.starts = &starts[0] if starts.shape[0] else NULL
        self.ends = &ends[0] if starts.shape[0] else NULL


cdef class Found:
    """The positions found so far, and how many of them are terminal."""
    cdef Block first, second
    cdef readonly int64_t terminal

    def __cinit__(self, Meter meter):
        self.first = new_longs(meter)
        self.second = new_longs(meter)
        self.terminal = 0

    def export(self):
        """The coordinates as read-only memoryviews of "q", and the number of terminal positions."""
        return self.first.view(), self.second.view(), self.terminal


cdef int push_position(Found found, int64_t a, int64_t b) except -1 nogil:
    push_long(found.first, a)
    return push_long(found.second, b)
