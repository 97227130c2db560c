from libc.stdint cimport int64_t, uint32_t, uint64_t

from fibprover_ext._budget cimport Meter
from fibprover_ext._csr cimport Block, longs, push_long

cdef class Table:
    """Open addressing over numbered things: a slot is (32 bits of hash, number + 1), 0 if free."""
    cdef Meter meter
    cdef Block slots
    cdef uint64_t mask
    cdef int64_t used
    cdef int enlarge(self) except -1 with gil

cdef inline uint32_t mix(uint64_t x) noexcept nogil:
    """32 well mixed bits of a 64-bit number."""
    x ^= x >> 32
    x *= <uint64_t> 0xD6E8FEB86659FD93
    x ^= x >> 29
    x *= <uint64_t> 0x9E3779B97F4A7C15
    return <uint32_t> (x >> 32)

cdef inline int enter(Table table, uint64_t place, uint32_t tag, int64_t number) except -1 nogil:
    """Fill the free slot `place`."""
    if number >= table.meter.ceiling:
        table.meter.too_many()
    longs(table.slots)[place] = <int64_t> ((<uint64_t> tag << 32) | <uint64_t> (number + 1))
    table.used += 1
    if 3 * table.used > 2 * <int64_t> table.mask:
        table.enlarge()
    return 0

cdef inline int64_t intern(Table table, Block keys, uint64_t key) except -1 nogil:
    """Number of a 64-bit key; a new key is appended to `keys` and gets the next number."""
    cdef uint32_t tag = mix(key)
    cdef uint64_t place = tag & table.mask, slot
    cdef const uint64_t* slots = <const uint64_t*> table.slots.data
    cdef int64_t number
    while True:
        slot = slots[place]
        if slot == 0:
            break
        if slot >> 32 == tag:
            number = <int64_t> <uint32_t> slot - 1
            if <uint64_t> longs(keys)[number] == key:
                return number
        place = (place + 1) & table.mask
    number = keys.size
    push_long(keys, <int64_t> key)
    enter(table, place, tag, number)
    return number

cdef inline int64_t find(Table table, Block keys, uint64_t key) noexcept nogil:
    """Number of a 64-bit key, or -1."""
    cdef uint32_t tag = mix(key)
    cdef uint64_t place = tag & table.mask, slot
    cdef const uint64_t* slots = <const uint64_t*> table.slots.data
    cdef int64_t number
    while True:
        slot = slots[place]
        if slot == 0:
            return -1
        if slot >> 32 == tag:
            number = <int64_t> <uint32_t> slot - 1
            if <uint64_t> longs(keys)[number] == key:
                return number
        place = (place + 1) & table.mask
