"""The hash table of the kernels that number pairs, sets and signatures as they find them; see `hash_table.hpp`."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

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

cdef int64_t FIRST_SLOTS = 256

# Slots copied between two looks at the clock.
cdef int64_t REHASHED_AT_ONCE = 4096


cdef class Table:
    """The slots, in memory that counts against the budget."""
    cdef Meter meter
    cdef Block slots
    cdef uint64_t mask
    cdef int64_t used

    def __cinit__(self, Meter meter):
        self.meter = meter
        self.slots = new_longs(meter)
        self.slots.reset(FIRST_SLOTS, 0)
        self.mask = FIRST_SLOTS - 1

    cdef int clear(self) except -1 nogil:
        """Forget all numbers."""
        self.used = 0
        return self.slots.reset(self.slots.size, 0)

    cdef int enlarge(self) except -1 with gil:
        """Double the slots."""
        cdef Block larger = new_longs(self.meter)
        cdef int64_t begin = 0, end, size = self.slots.size
        with nogil:
            larger.reset(2 * size, 0)
            while begin < size:
                end = min(begin + REHASHED_AT_ONCE, size)
                rehash(<const uint64_t*> self.slots.data, begin, end, <uint64_t*> larger.data,
                       <uint64_t> (2 * size - 1))
                work(self.meter, end - begin)
                begin = end
        self.slots = larger
        self.mask = <uint64_t> (2 * size - 1)
        return 0


cdef inline Probe look_up(Table table, uint32_t tag) noexcept nogil:
    """Begin a look-up; entering into the table makes it stale."""
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
    """Number of a 64-bit key; a new key is appended to `keys` and gets the next number."""
    cdef Probe probe = look_up(table, mix(key))
    cdef int64_t number = find_item(probe, <const uint64_t*> keys.data, key)
    if number < 0:
        number = keys.size
        push_long(keys, <int64_t> key)
        enter(table, probe, number)
    return number


cdef inline int64_t find(Table table, Block keys, uint64_t key) noexcept nogil:
    """Number of a 64-bit key, or -1."""
    cdef Probe probe = look_up(table, mix(key))
    return find_item(probe, <const uint64_t*> keys.data, key)
