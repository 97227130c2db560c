from libc.stdint cimport int64_t

from fibprover_ext._budget cimport Meter
from fibprover_ext._csr cimport Block

cdef class Intervals:
    cdef readonly int64_t rows
    cdef const int64_t* offsets
    cdef const int64_t* starts
    cdef const int64_t* ends
    cdef object arrays          # keeps the memory alive

cdef class Found:
    cdef Block first, second
    cdef readonly int64_t terminal

cdef int push_position(Found found, int64_t a, int64_t b) except -1 nogil
