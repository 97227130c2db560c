from libc.stdint cimport int64_t, uint64_t
from libcpp.vector cimport vector

from fibprover_ext._budget cimport Meter
from fibprover_ext._remainders cimport Atom

cdef class PhasedAtom(Atom):
    """A constraint over a recurrence whose steps depend on the position's phase; see `_phases.pyx`."""
    cdef int64_t transient, period      # positions below `transient` are phases of their own
    cdef int64_t phases                 # transient + period
    cdef vector[int64_t] lows, highs    # least and greatest value of t digits
    cdef vector[double] low_ratio, high_ratio, range_error
    cdef int64_t count_of(self, int64_t node) noexcept nogil
    cdef int64_t following(self, int64_t node, int64_t choice) noexcept nogil
    cdef int64_t node_of_answers(self, int64_t phase, uint64_t low, uint64_t high, bint rest) except -2 nogil
    cdef int64_t node_in_phase(self, int64_t phase, const int64_t* remainder) except -2 nogil
    cdef bint constant_from(self, const int64_t* remainder, int64_t t, bint least) noexcept nogil
    cdef bint bounds(self, const int64_t* remainder, int64_t t, int64_t* least, int64_t* most) noexcept nogil
    cdef int64_t start(self) except -1 nogil

cdef PhasedAtom new_phased_atom(const int64_t[::1] coefficients, int relation, int64_t constant, int64_t radix,
                                int64_t transient, int64_t order, const int64_t[::1] feedback,
                                const int64_t[::1] terms, const int64_t[::1] lows, const int64_t[::1] highs,
                                const double[::1] powers, const double[::1] spread, const double[::1] ranges,
                                Meter meter)
