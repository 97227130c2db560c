from libc.stdint cimport int64_t

cdef enum Resource:
    STATES, TRANSITIONS, BYTES, SECONDS

cdef class Meter:
    cdef readonly int64_t max_states, max_transitions, max_bytes, ceiling
    cdef readonly int64_t states, transitions, bytes
    cdef double deadline        # on the C++ steady clock
    cdef double seconds         # what the deadline allowed at the start
    cdef double next_signals    # when to ask for signals again
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
