"""The number of transitions that become equal to others when a track is dropped."""

from libc.stdint cimport int64_t
from libcpp.algorithm cimport unique
from libcpp.vector cimport vector


def collisions(Csr a, Recode kept, Meter meter):
    """Return the number of transitions minus that of pairs (state, kept letter).  O(transitions * log(longest row))."""
    cdef int64_t found
    with nogil:
        found = a.transitions - distinct_letters(a, kept, meter)
    return found


cdef int64_t distinct_letters(Csr a, Recode kept, Meter meter) except -1 nogil:
    """Return the number of kept letters of each state, summed over the states."""
    cdef vector[int64_t] row
    cdef int64_t state, i, size, found = 0
    cdef bint rising
    for state in range(a.states):
        size = a.offsets[state + 1] - a.offsets[state]
        row.resize(size)
        rising = True
        for i in range(size):
            row[i] = recode(kept, a.codes[a.offsets[state] + i])
            if i and row[i] < row[i - 1]:
                rising = False
        if not rising:
            sort_polled(row.data(), size, poll_meter, <void*> meter)
            work(meter, 4 * size)
        found += unique(row.begin(), row.end()) - row.begin()
        work(meter, size + 1)
    return found
