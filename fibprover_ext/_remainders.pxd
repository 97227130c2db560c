from libc.stdint cimport int64_t, uint64_t
from libcpp.vector cimport vector

from fibprover_ext._budget cimport Meter
from fibprover_ext._csr cimport Block, ints, longs
from fibprover_ext._table cimport Table

# What the relation is for one number of digits to come.
cdef enum Answer:
    NO, YES, OPEN

cdef class Atom:
    """One constraint, the nodes (remainders and patterns) found so far, and where they lead."""
    cdef Meter meter
    cdef int relation
    cdef int64_t constant
    cdef int64_t rises, falls           # sums of the positive, of the negated negative coefficients
    cdef int order
    cdef vector[int64_t] feedback       # r_j grows by feedback[j] times the top entry
    cdef vector[int64_t] terms          # U_0, U_1, ...
    cdef vector[double] powers, spread  # beta^j, and bounds on |U_{t+j} - beta^j U_t|
    cdef int64_t width                  # items of a record: kind, then a remainder or a pattern
    cdef Block records
    cdef Table table
    cdef vector[int64_t] scratch
    cdef bint patterned                 # `depart` was from a pattern, which leads to ...
    cdef int64_t settled                # ... this node, whatever the weight; otherwise to ...
    cdef vector[int64_t] remainder      # ... this remainder and the weight
    cdef Block weights                  # the distinct weights, increasing
    cdef Block places                   # place among the weights, by weight - least weight
    cdef Block begins                   # where a node's row begins, or -1
    cdef Block rows                     # by node and weight: the next node, or -1
    cdef Block first, last              # first and last weight of a node that leads on
    cdef int64_t number(self) except -1 nogil
    cdef int64_t node_of_pattern(self, uint64_t low, uint64_t high, bint rest) except -2 nogil
    cdef int64_t node_of_remainder(self, const int64_t* remainder) except -2 nogil
    cdef Answer judge(self, int64_t least, int64_t most) noexcept nogil
    cdef bint holds(self, int64_t node) noexcept nogil
    cdef int depart(self, int64_t node) except -1 nogil
    cdef int64_t arrive(self, int64_t weight) except -2 nogil
    cdef int expand(self, int64_t node) except -1 nogil
    cdef int64_t sum_of(self, int64_t a, int64_t b, int64_t c) except? -1 nogil
    cdef int find_weights(self, const int64_t[::1] coefficients, int64_t radix) except -1
    cdef int take_weights(self, const int64_t* weights, int64_t size) except -1

cdef Atom new_atom(const int64_t[::1] coefficients, int relation, int64_t constant, int64_t radix,
                   const int64_t[::1] feedback, const int64_t[::1] terms, const double[::1] powers,
                   const double[::1] spread, Meter meter)

cdef inline int64_t place_of(Atom atom, int64_t weight) noexcept nogil:
    """Where a weight stands among the distinct ones."""
    cdef const int64_t* weights = longs(atom.weights)
    cdef int64_t low = 0, high = atom.weights.size, middle
    if atom.places.size:
        return ints(atom.places)[weight - weights[0]]
    while low < high:
        middle = (low + high) >> 1
        if weights[middle] < weight:
            low = middle + 1
        else:
            high = middle
    return low
