"""Hash table shared by the kernels that number pairs, subsets and signatures as they find them.

The table keeps 32 bits of each hash beside the number, so that it grows without looking at the
things again, and a look-up visits a thing only if those bits agree; then it compares exactly.
"""

from libc.stdint cimport int64_t, uint64_t

from fibprover_ext._budget cimport Meter, work
from fibprover_ext._csr cimport Block, new_longs

cdef int64_t FIRST_SLOTS = 256


cdef class Table:

    def __cinit__(self, Meter meter):
        self.meter = meter
        self.slots = new_longs(meter)
        self.slots.reset(FIRST_SLOTS, 0)
        self.mask = FIRST_SLOTS - 1

    cdef int enlarge(self) except -1 with gil:
        """Double the slots."""
        cdef Block fresh = new_longs(self.meter)
        with nogil:
            fresh.reset(2 * (<int64_t> self.mask + 1), 0)
            rehash(self.slots, fresh, self.meter)
        self.slots = fresh
        self.mask = 2 * self.mask + 1
        return 0


cdef int rehash(Block old_slots, Block fresh, Meter meter) except -1 nogil:
    """Enter what is in the old slots into the fresh ones."""
    cdef const uint64_t* old = <const uint64_t*> old_slots.data
    cdef uint64_t* slots = <uint64_t*> fresh.data
    cdef uint64_t mask = <uint64_t> fresh.size - 1, slot, place
    cdef int64_t i
    for i in range(old_slots.size):
        slot = old[i]
        if slot:
            place = (slot >> 32) & mask
            while slots[place]:
                place = (place + 1) & mask
            slots[place] = slot
        if not i & 4095:
            work(meter, 4096)
    return 0
