from libc.stdint cimport int32_t, int64_t, uint64_t

from fibprover_ext._budget cimport Meter
from fibprover_ext._csr cimport Block, Csr
from fibprover_ext._recode cimport Recode

cdef class Operand:
    """An automaton's transitions as (key, part, target), each row sorted by key, then part."""
    cdef const int64_t* offsets
    cdef Block keys, parts, targets
    cdef Csr source

cdef Operand prepare(Csr source, Recode key, Recode part, Meter meter)

cdef inline int64_t seek(const int64_t* keys, int64_t begin, int64_t end, int64_t key) noexcept nogil:
    """First place in the sorted keys[begin:end] whose key is not below `key`; gallops."""
    cdef int64_t step = 1, low = begin, high, middle
    while low < end and keys[low] < key:
        # Everything up to `low` is below; look `step` further.
        high = low + step
        if high < end and keys[high] < key:
            low = high
            step += step
            continue
        if step == 1:
            return low + 1
        high = min(high, end)
        low += 1
        while low < high:
            middle = (low + high) >> 1
            if keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        return low
    return low
