"""The hash table of the kernels that number pairs, sets and signatures as they find them; see `hash_table.hpp`."""

from libc.stdint cimport int64_t, uint64_t

cdef int64_t FIRST_SLOTS = 256

# Slots copied between two looks at the clock.
cdef int64_t REHASHED_AT_ONCE = 4096


cdef class Table:
    """The slots, in memory that counts against the budget."""

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
