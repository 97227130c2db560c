"""Moves as unions of polyhedra: what the solvers of games read."""

from libc.stdint cimport int64_t

# Sums of four products of such numbers with coordinates stay in 64 bits.
cdef int64_t MOST_COEFFICIENT = (<int64_t> 1) << 28
cdef int64_t MOST_CONSTANT = (<int64_t> 1) << 60


cdef class Regions:
    """Conjunctions of bounds: region k has rows[offsets[k]] .. rows[offsets[k+1] - 1].

    A row holds the coefficients of some variables and then a constant; it says that the sum is not
    negative.  RuntimeError for arrays that do not fit, OverflowError for numbers that are too large.
    """

    def __init__(self, const int64_t[::1] offsets, const int64_t[:, ::1] rows, int64_t width):
        cdef int64_t i, k
        self.regions = offsets.shape[0] - 1
        self.width = width
        self.arrays = (offsets.base, rows.base)
        if self.regions < 0 or offsets[0] != 0 or offsets[self.regions] != rows.shape[0] or rows.shape[1] != width:
            raise RuntimeError("the rows of the moves do not fit together")
        for i in range(self.regions):
            if offsets[i] > offsets[i + 1]:
                raise RuntimeError("the rows of the moves do not fit together")
        for i in range(rows.shape[0]):
            for k in range(width - 1):
                if not -MOST_COEFFICIENT <= rows[i, k] <= MOST_COEFFICIENT:
                    raise OverflowError(f"a coefficient of {rows[i, k]} in the moves")
            if not -MOST_CONSTANT <= rows[i, width - 1] <= MOST_CONSTANT:
                raise OverflowError(f"a number of {rows[i, width - 1]} in the moves")
        self.offsets = &offsets[0]
        self.rows = &rows[0, 0] if rows.shape[0] else NULL
