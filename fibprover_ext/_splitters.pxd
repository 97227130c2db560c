from libc.stdint cimport int32_t, int64_t

from fibprover_ext._budget cimport Meter
from fibprover_ext._csr cimport Block, Csr

cdef class Splitters:
    """Classes of states that are split by what leads into one of them; class c is a stretch of `order`."""
    cdef Csr a
    cdef Meter meter
    cdef int64_t classes, first         # classes there are; those there were at first
    cdef Block of_state, order, place   # of a state: its class; states, class by class; where a state is
    cdef Block begin, length            # of a class: its stretch of `order`
    cdef Block waiting                  # of a class there was at first: whether it has to split others
    cdef Block offsets, entries         # of a state: what leads to it, as position in the row << 32 | source
    cdef Block gathered
    cdef Block touched                  # classes with marked states, at their front: class, length, how many
    cdef int choose(self, Block members, Block previous) except -1 nogil
    cdef int reverse(self) except -1
    cdef int run(self) except -1 nogil
    cdef int turn_round(self) except -1 nogil
    cdef int split_by(self, int64_t splitter) except -1 nogil
    cdef int mark(self, int64_t state) except -1 nogil
    cdef int divide(self, int32_t c, int32_t length, int32_t marked) except -1 nogil
