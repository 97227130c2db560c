"""Existential quantification: letters lose digits, and the subset construction makes the rest deterministic."""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy


def determinize(tuple parts, tuple kept, int64_t zero, Meter meter):
    """The sets of states that kept letters lead to, in any of the automata `parts` (at least one).

    kept: a coding for each part; zero: the kept code of the all-zero letter, or -1.  With it, the
    initial state stands for all states reached by zeros, loops on zero, and is a state of its own:
    the result is closed under adding and removing zeros in front.  O(sum of gathered rows * log(set
    size)) time.
    """
    cdef Nfa nfa = nfa_of(parts, kept, zero, meter)
    cdef Block initial = new_ints(meter), outputs = new_ints(meter)
    cdef Csr a
    for a in parts:
        push_int(initial, <int32_t> outputs.size)
        append_outputs(outputs, a)
    if zero >= 0:
        close_under_letter(nfa, nfa.number_of(zero), initial, meter)
    return subset_construction(nfa, initial, ints(outputs), zero, meter).export()


cdef int append_outputs(Block outputs, Csr a) except -1:
    """The outputs of a's states, after those that are there."""
    reserve(outputs, a.states)
    memcpy(ints(outputs) + outputs.size, a.outputs, <size_t> (4 * a.states))
    outputs.size += a.states
    return 0


cdef Csr subset_construction(Nfa nfa, Block initial, const int32_t* outputs, int64_t zero, Meter meter):
    """The reachable subsets; `initial`: increasing states, not empty; a subset accepts if a state does."""
    cdef Subsets subsets = Subsets(nfa, meter)
    cdef Rows rows = Rows(meter)
    with nogil:
        walk_subsets(nfa, subsets, initial, outputs, zero, rows, meter)
    return rows.finish()


cdef int walk_subsets(Nfa nfa, Subsets subsets, Block initial, const int32_t* outputs, int64_t zero, Rows rows,
                      Meter meter) except -1 nogil:
    cdef int64_t done = 0, looping = -1, number, begin, end, letter, member
    cdef int32_t accepts
    number = subsets.number_of_states(initial)
    if zero >= 0:
        # Set 0 is the initial state's alone.  Met again in the middle of a word it must not loop,
        # so the table forgets it: then it is found again as another set.
        looping = nfa.number_of(zero)
        subsets.forget_first()
    while done < subset_count(subsets):
        subsets.gather(done)
        begin = 0
        if done == 0 and looping >= 0:
            push_transition(rows, zero, 0)
        while begin < subsets.found_count:
            letter = <int64_t> (subsets.found[begin] >> 32)
            end = begin + 1
            while end < subsets.found_count and <int64_t> (subsets.found[end] >> 32) == letter:
                end += 1
            if done or letter != looping:
                number = subsets.number_of(subsets.found + begin, end - begin)
                push_transition(rows, letter_code(nfa, letter), <int32_t> number)
            begin = end
        accepts = 0
        for member in range(longs(subsets.begins)[done], longs(subsets.begins)[done + 1]):
            if outputs[ints(subsets.members)[member]]:
                accepts = 1
                break
        if done == 0 and looping >= 0:
            rows.sort_row(0)
        done += 1
        rows.end_row(accepts, subset_count(subsets), subsets.found_count + 8)
    return 0
