from libc.stdint cimport int32_t, int64_t, uint64_t

from fibprover_ext._budget cimport Meter
from fibprover_ext._csr cimport Block, ints

# A node's label is its letter above its distance to the nearest accepted word below it; FAR: there is none.
cdef enum:
    NEAR_BITS = 8
    FAR = 255

cdef class Trie:
    cdef Block labels, ends         # a node's label; the node after its last descendant
    cdef Meter meter
    cdef int64_t words              # distinct words in it
    cdef int64_t letters            # of the alphabet

cdef inline int64_t near(Trie trie, int64_t node) noexcept nogil:
    return ints(trie.labels)[node] & FAR

cdef inline int64_t letter_of(Trie trie, int64_t node) noexcept nogil:
    return ints(trie.labels)[node] >> NEAR_BITS

cdef inline int64_t end_of(Trie trie, int64_t node) noexcept nogil:
    return ints(trie.ends)[node]

cdef Trie trie_of(const int64_t[::1] values, int64_t width, const int64_t[::1] weights, int64_t digits, Meter meter)
cdef bint same_residual(Trie trie, int64_t u, int64_t v, int64_t depth) except -1 nogil
cdef uint64_t hashed(Trie trie, int64_t node, int64_t depth) noexcept nogil
