from libc.stdint cimport int32_t, int64_t, uint64_t

from fibprover_ext._budget cimport Meter
from fibprover_ext._csr cimport Block, Csr, Rows, push_long
from fibprover_ext._recode cimport Recode
from fibprover_ext._table cimport Table

cdef class Operand:
    """An automaton's transitions as (key, part, target), each row sorted by key, then part.

    Without parts (NULL) they are (key, target), each once.
    """
    cdef const int64_t* offsets
    cdef Block begins, keys, parts, targets
    cdef Csr source

cdef class Pairs:
    """Pairs of states numbered as found; a pair is (p << 32) | q, and `wanted` those to number next."""
    cdef Meter meter
    cdef Block found, wanted
    cdef Table table                # where a grid would be too large
    cdef Block grid                 # number + 1 of pair (p, q) at p * width + q
    cdef int64_t width
    cdef int number_wanted(self, Rows rows) except -1 nogil
    cdef int number_in_grid(self, Rows rows) except -1 nogil

cdef Pairs new_pairs(uint64_t first, int64_t height, int64_t width, int64_t effort, Meter meter)

cdef inline int want(Pairs pairs, Rows rows, int64_t code, uint64_t pair) except -1 nogil:
    """Begin a transition; `number_wanted` completes it with its target."""
    push_long(rows.codes, code)
    return push_long(pairs.wanted, <int64_t> pair)

cdef inline int reach(Pairs pairs, uint64_t pair) except -1 nogil:
    """The end of a transition whose letter does not matter; `number_wanted` numbers it."""
    return push_long(pairs.wanted, <int64_t> pair)

cdef Operand prepare(Csr source, Recode key, Recode part, Meter meter)
cdef Operand prepare_keys(Csr source, Recode key, Meter meter)

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
