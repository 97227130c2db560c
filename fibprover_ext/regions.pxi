"""Moves as unions of polyhedra, the input of the solvers of games."""

from libc.stdint cimport int64_t

# Sums of four products of such numbers with coordinates stay in 64 bits.
cdef int64_t MOST_COEFFICIENT = (<int64_t> 1) << 28
cdef int64_t MOST_CONSTANT = (<int64_t> 1) << 60


cdef class Regions:
    """Conjunctions of bounds: region k has rows[offsets[k]] .. rows[offsets[k+1] - 1].

    A row holds the coefficients of some variables and then a constant; it says that the sum is not
    negative.  InvalidArrayError for arrays that do not fit, TooLargeError for numbers that are too large.
    """
    cdef readonly int64_t regions, width
    cdef const int64_t* offsets
    cdef const int64_t* rows
    cdef object arrays          # keeps the memory alive

    def __cinit__(self, const int64_t[::1] offsets, const int64_t[:, ::1] rows, int64_t width):
        cdef int64_t i, k
        self.regions = offsets.shape[0] - 1
        self.width = width
        self.arrays = (offsets.base, rows.base)
        if self.regions < 0 or offsets[0] != 0 or offsets[self.regions] != rows.shape[0] or rows.shape[1] != width:
            raise InvalidArrayError("the rows of the moves do not fit together")
        for i in range(self.regions):
            if offsets[i] > offsets[i + 1]:
                raise InvalidArrayError("the rows of the moves do not fit together")
        for i in range(rows.shape[0]):
            for k in range(width - 1):
                if not -MOST_COEFFICIENT <= rows[i, k] <= MOST_COEFFICIENT:
                    raise TooLargeError(f"a coefficient of {rows[i, k]} in the moves")
            if not -MOST_CONSTANT <= rows[i, width - 1] <= MOST_CONSTANT:
                raise TooLargeError(f"a number of {rows[i, width - 1]} in the moves")
        self.offsets = &offsets[0]
        self.rows = &rows[0, 0] if rows.shape[0] else NULL


cdef inline int64_t floor_div(int64_t a, int64_t b) noexcept nogil:
    """floor(a / b) for b > 0."""
    cdef int64_t q = a // b
    return q - (a % b < 0)


cdef inline bint narrow(int64_t slope, int64_t rest, int64_t* low, int64_t* high) noexcept nogil:
    """Keep of the x from low to high those with slope x + rest >= 0; whether any are left."""
    cdef int64_t bound
    if slope > 0:
        bound = -rest if slope == 1 else -floor_div(rest, slope)
        if bound > low[0]:
            low[0] = bound
    elif slope < 0:
        bound = rest if slope == -1 else floor_div(rest, -slope)
        if bound < high[0]:
            high[0] = bound
    elif rest < 0:
        return False
    return low[0] <= high[0]
