from libc.stdint cimport int32_t, int64_t

from fibprover_ext._budget cimport Meter

cdef class Block:
    cdef char* data
    cdef int64_t size           # items in use
    cdef int64_t capacity       # items there is room for
    cdef int64_t width          # bytes an item: 4 or 8
    cdef Meter meter            # None once the block is handed out
    cdef Py_ssize_t shape, stride
    cdef int make_room(self, int64_t extra) except -1 nogil
    cdef int reset(self, int64_t size, int byte) except -1 nogil
    cdef int lazy_zeros(self, int64_t size) except -1 nogil
    cdef object view(self)

cdef Block new_longs(Meter meter)
cdef Block new_ints(Meter meter)

cdef inline int64_t* longs(Block block) noexcept nogil:
    return <int64_t*> block.data

cdef inline int32_t* ints(Block block) noexcept nogil:
    return <int32_t*> block.data

cdef inline int reserve(Block block, int64_t extra) except -1 nogil:
    """Room for `extra` more items; pointers into the block are stale afterwards."""
    if block.capacity - block.size < extra:
        block.make_room(extra)
    return 0

cdef inline int push_long(Block block, int64_t value) except -1 nogil:
    if block.size == block.capacity:
        block.make_room(1)
    (<int64_t*> block.data)[block.size] = value
    block.size += 1
    return 0

cdef inline int push_int(Block block, int32_t value) except -1 nogil:
    if block.size == block.capacity:
        block.make_room(1)
    (<int32_t*> block.data)[block.size] = value
    block.size += 1
    return 0

cdef class Csr:
    cdef readonly int64_t states, transitions
    cdef const int64_t* offsets
    cdef const int64_t* codes
    cdef const int32_t* targets
    cdef const int32_t* outputs
    cdef object arrays          # keeps the memory alive

cdef class Rows:
    """Rows under construction, state after state."""
    cdef Meter meter
    cdef Block offsets, codes, targets, outputs
    cdef Block scratch
    cdef int sort_row(self, int64_t begin) except -1 nogil
    cdef int end_row(self, int32_t output, int64_t states, int64_t steps) except -1 nogil
    cdef int drop_row(self, int64_t states, int64_t steps) except -1 nogil
    cdef Csr finish(self)

cdef inline int push_transition(Rows rows, int64_t code, int32_t target) except -1 nogil:
    push_long(rows.codes, code)
    return push_int(rows.targets, target)
