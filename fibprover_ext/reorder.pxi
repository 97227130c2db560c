"""The same language with its tracks in another order."""

from libc.stdint cimport int64_t


def reorder(Csr a, Recode code, Meter meter):
    """Recode every letter and sort the rows again; O(transitions * log(longest row))."""
    cdef Rows rows = Rows(meter)
    cdef int64_t state, i, begin
    with nogil:
        for state in range(a.states):
            begin = rows.codes.size
            for i in range(a.offsets[state], a.offsets[state + 1]):
                push_transition(rows, recode(code, a.codes[i]), a.targets[i])
            rows.sort_row(begin)
            rows.end_row(a.outputs[state], a.states, 4 * (rows.codes.size - begin) + 1)
    return rows.finish().export()
