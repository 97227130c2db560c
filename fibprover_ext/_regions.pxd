from libc.stdint cimport int64_t

cdef class Regions:
    cdef readonly int64_t regions, width
    cdef const int64_t* offsets
    cdef const int64_t* rows
    cdef object arrays          # keeps the memory alive

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
