from libc.stdint cimport int64_t

from fibprover_ext._budget cimport Meter
from fibprover_ext._csr cimport Block, Csr

cdef int64_t mark_reached(Csr a, Block marks, Meter meter) except -1
cdef int64_t mark_useful(Csr a, Block marks, Meter meter) except -1
cdef int reverse_rows(Csr a, Block offsets, Block sources, Meter meter) except -1 nogil
cdef Csr cut(Csr a, Block marks, int64_t transitions, Meter meter)
cdef Csr trimmed(Csr a, bint useful_only, Meter meter)
