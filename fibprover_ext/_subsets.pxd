from libc.stdint cimport int32_t, int64_t, uint64_t

from fibprover_ext._budget cimport Meter
from fibprover_ext._csr cimport Block, Csr
from fibprover_ext._recode cimport Recode
from fibprover_ext._table cimport Table

cdef class Nfa:
    """Rows of (letter number << 32 | target), each sorted and free of repetitions."""
    cdef int64_t states
    cdef Block offsets, entries
    cdef Block letters              # letter number -> code; None where the number is the code
    cdef int64_t number_of(self, int64_t code) noexcept nogil

cdef inline int64_t letter_code(Nfa nfa, int64_t number) noexcept nogil:
    """Code of a letter number."""
    if nfa.letters is None:
        return number
    return (<int64_t*> nfa.letters.data)[number]

cdef Nfa nfa_of(tuple parts, tuple kept, int64_t zero, Meter meter)
cdef Nfa reversed_nfa(Csr a, Meter meter)

cdef class Subsets:
    """Numbered sets of NFA states, and the scratch memory to find the successors of one."""
    cdef Meter meter
    cdef Nfa nfa
    cdef Block members, begins      # set number -> members[begins[i]:begins[i + 1]], increasing
    cdef Block singles              # NFA state -> number of the set that holds just it, or -1
    cdef Table table
    cdef Block runs, front, back    # merging: where runs begin; entries, in two buffers
    cdef const uint64_t* found      # merged entries of the set last gathered
    cdef int64_t found_count
    cdef int64_t number_of(self, const uint64_t* entries, int64_t count) except -1 nogil
    cdef int64_t number_of_states(self, Block states) except -1 nogil
    cdef int gather(self, int64_t subset) except -1 nogil
    cdef int gather_letters(self, int64_t subset, const int64_t* wanted, int64_t count) except -1 nogil
    cdef int merge_runs(self) except -1 nogil
    cdef int forget_first(self) except -1 nogil

cdef inline int64_t subset_count(Subsets subsets) noexcept nogil:
    return subsets.begins.size - 1

cdef int close(Nfa nfa, int64_t zero_number, Block states, Meter meter) except -1
