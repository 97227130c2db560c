"""What the module `games` needs of this one: the meter, and arrays that count against the budget."""

from libc.stdint cimport int32_t, int64_t

cdef enum Resource:
    STATES, TRANSITIONS, BYTES, SECONDS

cdef class Meter:
    cdef readonly int64_t max_states, max_transitions, max_bytes, ceiling
    cdef readonly int64_t states, transitions, bytes
    cdef double deadline        # on the C++ steady clock
    cdef double seconds         # what the deadline allowed at the start
    cdef double next_signals    # when to look for signals again
    cdef int64_t fuel           # steps left before the next poll
    cdef int poll(self) except -1 nogil
    cdef int spent(self, Resource resource) except -1 nogil
    cdef int too_many(self) except -1 nogil

cdef inline int work(Meter meter, int64_t steps) except -1 nogil:
    """Count `steps` elementary steps; every few thousand of them poll the clock and signals."""
    meter.fuel -= steps
    if meter.fuel < 0:
        meter.poll()
    return 0

cdef inline int progress(Meter meter, int64_t states, int64_t transitions, int64_t steps) except -1 nogil:
    """Report the size of the automaton under construction, and `steps` as `work` does."""
    meter.states = states
    meter.transitions = transitions
    if states > meter.max_states:
        meter.spent(STATES)
    if transitions > meter.max_transitions:
        meter.spent(TRANSITIONS)
    return work(meter, steps)

cdef class Block:
    cdef char* data
    cdef int64_t size           # items in use
    cdef int64_t capacity       # items there is room for
    cdef int64_t width          # bytes an item
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
    """Make room for `extra` more items; pointers into the block are stale afterwards."""
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
