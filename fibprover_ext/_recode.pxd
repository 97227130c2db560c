from libc.stdint cimport int64_t

from fibprover_ext._budget cimport Meter
from fibprover_ext._csr cimport Block, longs

cdef class Recode:
    cdef int groups                 # parts of the letter, most significant first
    cdef bint identity
    cdef readonly int64_t letters   # how many results there are: more than the largest
    cdef int64_t[64] size           # number of values of a part
    cdef int64_t[64] weight         # contribution of one unit, where there is no table
    cdef int64_t[64] begin          # where the part's table begins, or -1
    cdef Block tables
    cdef int tabulate(self, list members) except -1

cdef inline int64_t recode(Recode r, int64_t code) noexcept nogil:
    """The new code of a letter."""
    cdef int64_t result = 0, rest, value
    cdef int g
    if r.identity:
        return code
    for g in range(r.groups - 1, -1, -1):
        if g:
            rest = code // r.size[g]
            value = code - rest * r.size[g]
            code = rest
        else:
            value = code
        if r.begin[g] >= 0:
            result += longs(r.tables)[r.begin[g] + value]
        else:
            result += value * r.weight[g]
    return result
