"""Reversal: the words read backwards."""

from libc.stdint cimport int32_t, int64_t


def reverse(Csr a, Meter meter):
    """Turn all transitions round, begin at the accepting states, end at state 0; subset construction."""
    cdef Block initial = new_ints(meter), outputs = new_ints(meter)
    cdef Nfa nfa
    cdef Rows rows
    cdef int64_t state
    for state in range(a.states):
        if a.outputs[state]:
            push_int(initial, <int32_t> state)
    if initial.size == 0:
        rows = Rows(meter)
        rows.end_row(0, 1, 1)
        return rows.finish().export()
    outputs.reset(a.states, 0)
    ints(outputs)[0] = 1
    nfa = reversed_nfa(a, meter)
    return subset_construction(nfa, initial, ints(outputs), -1, meter).export()
