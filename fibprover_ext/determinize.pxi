"""The subset construction, which can be interrupted and resumed, on an automaton as it is or pruned by simulation."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy

# What a set and a transition cost beside their entries, in steps.
cdef int64_t STEPS_OF_SET = 40
cdef int64_t STEPS_OF_TRANSITION = 20

# From so many sets on, most of them are in no cache; then each transition costs as much again.
cdef int64_t MANY_SETS = 100_000


cdef class SubsetConstruction:
    """The sets of states that words lead to; a set accepts if one of its states does.

    simulation: None, or one of the automaton that has ended: then a set loses the states that another of its states
    simulates.  The result is deterministic and has the same language either way.  After an exception it cannot go on.
    O(sum of gathered rows * log(set size)) time.
    """

    cdef Nfa nfa
    cdef Simulation simulation
    cdef Subsets subsets
    cdef Rows rows
    cdef Meter meter
    cdef int64_t done
    cdef bint broken                # whether a run is under way, or has ended with an exception
    cdef readonly int64_t steps     # taken so far, each about two nanoseconds
    cdef Block scratch

    def __cinit__(self, Nfa nfa, Simulation simulation or None, Meter meter):
        if simulation is not None:
            nfa = simulation.pruned(nfa)
        self.nfa, self.simulation, self.meter = nfa, simulation, meter
        self.subsets = Subsets(nfa, meter)
        self.rows = Rows(meter)
        self.scratch = new_longs(meter)
        self.subsets.number_of_states(nfa.initial)

    @property
    def states(self):
        """The number of sets so far."""
        return subset_count(self.subsets)

    @property
    def open(self):
        """The number of sets whose successors are not known yet."""
        return subset_count(self.subsets) - self.done

    def run(self, int64_t steps):
        """Go on for at least so many steps; return whether the construction is complete."""
        if self.broken:
            raise InvalidArrayError("the subset construction is under way, or has ended with an error")
        self.broken = True
        with nogil:
            self.advance(steps)
        self.broken = False
        return self.done == subset_count(self.subsets)

    def export(self):
        """Return the arrays of the automaton, which is complete; then it cannot be used any more."""
        cdef Rows rows = self.rows
        if self.broken or rows is None or self.done < subset_count(self.subsets):
            raise InvalidArrayError("the subset construction is not complete, or was exported before")
        # What was handed out must not be moved by handing it out again.
        self.rows = None
        return rows.finish().export()

    cdef int advance(self, int64_t steps) except -1 nogil:
        cdef int64_t begin, end, spent, member
        cdef uint64_t letter
        cdef int32_t accepts
        while steps > 0 and self.done < subset_count(self.subsets):
            spent = self.subsets.gather(self.done) + STEPS_OF_SET
            spent += 2 * self.subsets.found_count
            begin = 0
            while begin < self.subsets.found_count:
                letter = self.subsets.found[begin] >> 32
                end = begin + 1
                while end < self.subsets.found_count and self.subsets.found[end] >> 32 == letter:
                    end += 1
                push_transition(self.rows, letter_code(self.nfa, <int64_t> letter),
                                <int32_t> self.target(self.subsets.found + begin, end - begin))
                spent += STEPS_OF_TRANSITION if subset_count(self.subsets) < MANY_SETS else 2 * STEPS_OF_TRANSITION
                begin = end
            if self.simulation is not None:
                spent += self.simulation.pruning
                self.simulation.pruning = 0
            accepts = 0
            for member in range(longs(self.subsets.begins)[self.done], longs(self.subsets.begins)[self.done + 1]):
                if ints(self.nfa.outputs)[ints(self.subsets.members)[member]]:
                    accepts = 1
                    break
            self.done += 1
            self.rows.end_row(accepts, subset_count(self.subsets), spent)
            self.steps += spent
            steps -= spent
        return 0

    cdef inline int64_t target(self, const uint64_t* entries, int64_t count) except -1 nogil:
        """The number of the set of these targets."""
        if self.simulation is None or count == 1:
            return self.subsets.number_of(entries, count)
        self.scratch.size = 0
        reserve(self.scratch, count)
        memcpy(self.scratch.data, entries, <size_t> (8 * count))
        count = self.simulation.prune(<uint64_t*> self.scratch.data, count)
        return self.subsets.number_of(<const uint64_t*> self.scratch.data, count)
