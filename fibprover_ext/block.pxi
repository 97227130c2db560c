"""Memory of the kernels: growing arrays that count against the budget."""

from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

# No block may have more items than this, whatever the budget: keeps products of sizes in 64 bits.
cdef int64_t MOST_ITEMS = (<int64_t> 1) << 56

# Blocks double up to this many bytes; larger ones grow by half, so that less of what they reserve stays unused.
cdef int64_t DOUBLING_BYTES = (<int64_t> 1) << 24


cdef class Block:
    """A growing array of int32 or int64 that asks the meter before it grows.

    A new block claims its new room while the old one still counts, since both may exist for a
    moment.  Handed to Python it is a read-only buffer of format "i" or "q", without a copy.
    """

    def __cinit__(self, Meter meter, int64_t width):
        self.meter = meter
        self.width = width

    def __dealloc__(self):
        free(self.data)
        if self.meter is not None:
            self.meter.bytes -= self.capacity * self.width

    cdef int make_room(self, int64_t extra) except -1 nogil:
        """Grow so that `extra` more items fit."""
        cdef int64_t width = self.width, need, room, left
        cdef char* data
        if extra > MOST_ITEMS - self.size:
            with gil:
                raise TooLargeError("an array of more than 2^56 items")
        need = self.size + extra
        if need <= self.capacity:
            return 0
        room = self.capacity + (self.capacity if self.capacity * width < DOUBLING_BYTES else self.capacity >> 1)
        room = max(max(room, need), <int64_t> 16)
        left = self.meter.max_bytes - self.meter.bytes
        if room * width > left:
            room = need + (need >> 4)
            if room * width > left:
                self.meter.spent(BYTES)
        data = <char*> realloc(self.data, <size_t> (room * width))
        if data == NULL:
            with gil:
                raise MemoryError(f"no room for {room * width} bytes")
        self.meter.bytes += (room - self.capacity) * width
        self.data = data
        self.capacity = room
        return 0

    cdef int reset(self, int64_t size, int byte) except -1 nogil:
        """Make it exactly `size` items whose bytes are all `byte` (0 for zeros, 0xff for -1)."""
        self.size = 0
        if size > self.capacity:
            self.make_room(size)
        if size:
            memset(self.data, byte, <size_t> (size * self.width))
        self.size = size
        return 0

    cdef int lazy_zeros(self, int64_t size) except -1 nogil:
        """Make it `size` zeros of which only the pages that are used will take memory; for empty blocks."""
        cdef char* data
        if size > (self.meter.max_bytes - self.meter.bytes) // self.width:
            self.meter.spent(BYTES)
        data = <char*> calloc(<size_t> size, <size_t> self.width)
        if data == NULL:
            with gil:
                raise MemoryError(f"no room for {size} items")
        free(self.data)
        self.meter.bytes += (size - self.capacity) * self.width
        self.data = data
        self.size = self.capacity = size
        return 0

    cdef object view(self):
        """Hand out: cut to size, and no longer counted by the meter."""
        cdef int64_t room = max(self.size, <int64_t> 1)
        cdef char* data = <char*> realloc(self.data, <size_t> (room * self.width))
        if data != NULL:
            self.data = data
        elif self.data == NULL:
            raise MemoryError()
        if self.meter is not None:
            self.meter.bytes -= self.capacity * self.width
            self.meter = None
        self.capacity = room
        return memoryview(self)

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        if self.meter is not None or flags & 1:  # PyBUF_WRITABLE
            raise BufferError("a block is read-only, and only once it is complete")
        self.shape = self.size
        self.stride = self.width
        buffer.buf = self.data
        buffer.obj = self
        buffer.len = self.size * self.width
        buffer.itemsize = self.width
        buffer.readonly = 1
        buffer.ndim = 1
        buffer.format = "q" if self.width == 8 else "i"
        buffer.shape = &self.shape
        buffer.strides = &self.stride
        buffer.suboffsets = NULL
        buffer.internal = NULL

    def __releasebuffer__(self, Py_buffer* buffer):
        pass


cdef Block new_longs(Meter meter):
    """An empty array of int64."""
    return Block(meter, 8)


cdef Block new_ints(Meter meter):
    """An empty array of int32."""
    return Block(meter, 4)
