from libc.stdint cimport int32_t, int64_t

from fibprover_ext._budget cimport Meter
from fibprover_ext._csr cimport Block, Csr
from fibprover_ext._subsets cimport Nfa

cdef Csr subset_construction(Nfa nfa, Block initial, const int32_t* outputs, int64_t zero, Meter meter)
