"""Shared with the other modules: budgets, arrays that count against them, automata, the hash table."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

cdef enum Resource:
    STATES, TRANSITIONS, BYTES, SECONDS

cdef class Meter:
    cdef readonly int64_t max_states, max_transitions, max_bytes, ceiling
    cdef readonly int64_t states, transitions, bytes
    cdef double deadline        # on the C++ steady clock
    cdef double cpu_deadline    # on the clock of the CPU time of the thread
    cdef double cpu_due         # on the C++ steady clock: when to look at the CPU time
    cdef double seconds         # time left at the start
    cdef double next_signals    # when to look for signals again
    cdef int64_t fuel           # steps left before the next poll
    cdef readonly int64_t polls  # looks at the clock so far
    cdef readonly int threads    # how many threads may work at once
    cdef int poll(self) except -1 nogil
    cdef int look_at_cpu(self, double now) except -1 nogil
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
    cdef int64_t capacity       # items that fit
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

cdef class Csr:
    cdef readonly int64_t states, transitions, letters
    cdef const int64_t* offsets
    cdef const int64_t* codes
    cdef const int32_t* targets
    cdef const int32_t* outputs
    cdef object arrays          # keeps the memory alive

cdef class Rows:
    cdef Meter meter
    cdef Block offsets, codes, targets, outputs
    cdef Block scratch
    cdef int sort_row(self, int64_t begin) except -1 nogil
    cdef int end_row(self, int32_t output, int64_t states, int64_t steps) except -1 nogil
    cdef int drop_row(self, int64_t states, int64_t steps) except -1 nogil
    cdef Csr finish(self)

cdef inline int push_transition(Rows rows, int64_t code, int32_t target) except -1 nogil:
    work(rows.meter, 1)     # a single row may be longer than the time allows
    push_long(rows.codes, code)
    return push_int(rows.targets, target)

cdef extern from "hash_table.hpp" namespace "fibprover" nogil:
    uint32_t mix(uint64_t x) noexcept
    cppclass Probe:
        uint64_t place
        int64_t number
        uint32_t tag
        Probe() noexcept
        Probe(const uint64_t* slots, uint64_t mask, uint32_t tag) noexcept
        bint next() noexcept
    int64_t find_item "fibprover::find"[Item](Probe& probe, const Item* items, Item item) noexcept
    int64_t find_run[Item](Probe& probe, const Item* items, const int64_t* begins, const Item* run,
                           int64_t count) noexcept
    int64_t find_record[Item](Probe& probe, const Item* items, const Item* record, int64_t width) noexcept
    void fill_slot "fibprover::enter"(uint64_t* slots, uint64_t place, uint32_t tag, int64_t number) noexcept
    void rehash(const uint64_t* slots, int64_t begin, int64_t end, uint64_t* larger, uint64_t mask) noexcept

cdef class Table:
    cdef Meter meter
    cdef Block slots
    cdef uint64_t mask
    cdef int64_t used
    cdef int clear(self) except -1 nogil
    cdef int enlarge(self) except -1 with gil

cdef inline Probe look_up(Table table, uint32_t tag) noexcept nogil:
    """Begin a look-up; it is stale after the table has grown or taken an entry."""
    return Probe(<const uint64_t*> table.slots.data, table.mask, tag)

cdef inline int enter(Table table, Probe probe, int64_t number) except -1 nogil:
    """Number the thing that a look-up has not found."""
    if number >= table.meter.ceiling:
        table.meter.too_many()
    fill_slot(<uint64_t*> table.slots.data, probe.place, probe.tag, number)
    table.used += 1
    if 3 * table.used > 2 * <int64_t> table.mask:
        table.enlarge()
    return 0

cdef inline int64_t intern(Table table, Block keys, uint64_t key) except -1 nogil:
    """Return the number of a 64-bit key; a new key is appended to `keys` and gets the next number."""
    cdef Probe probe = look_up(table, mix(key))
    cdef int64_t number = find_item(probe, <const uint64_t*> keys.data, key)
    if number < 0:
        number = keys.size
        push_long(keys, <int64_t> key)
        enter(table, probe, number)
    return number

cdef inline int64_t find(Table table, Block keys, uint64_t key) noexcept nogil:
    """Return the number of a 64-bit key, or -1."""
    cdef Probe probe = look_up(table, mix(key))
    return find_item(probe, <const uint64_t*> keys.data, key)

cdef extern from "sorting.hpp" namespace "fibprover" nogil:
    int sort_polled[Item](Item* items, int64_t count, int (*poll)(void*) except -1 nogil, void* meter) except -1

cdef int poll_meter(void* meter) except -1 nogil
