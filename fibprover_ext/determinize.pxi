"""The subset construction, which can be interrupted and resumed, on an automaton as it is or pruned by simulation."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.vector cimport vector

# What a set and a transition cost beside their entries, in steps.
cdef int64_t STEPS_OF_SET = 40
cdef int64_t STEPS_OF_TRANSITION = 20

# From so many sets on, most of them are in no cache; then each transition costs as much again.
cdef int64_t MANY_SETS = 100_000

# Each thread finds the successors of sets whose rows have so many entries, a millisecond of work, until one thread
# numbers them.  Where there are fewer entries than the least, or fewer sets for each thread, one does all.  A round has
# no more than so many sets, as their rows may be empty.
cdef int64_t ENTRIES_OF_ROUND = 1 << 17
cdef int64_t LEAST_ENTRIES = 1 << 14
cdef int64_t LEAST_SETS = 2
cdef int64_t MOST_SETS = 1 << 15
cdef int64_t LEAST_STEPS = 1 << 18

# What a set and a successor take of a block.
cdef int64_t WORDS_OF_SUCCESSORS = sizeof(Successors) // 8
cdef int64_t WORDS_OF_SUCCESSOR = sizeof(Successor) // 8


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
    cdef list rooms                 # one of each thread, if there are several
    cdef Block of_sets, successors, states_found  # of a round
    cdef double steps_of_entry      # in the last round

    def __cinit__(self, Nfa nfa, Simulation simulation or None, Meter meter):
        if simulation is not None:
            nfa = simulation.pruned(nfa)
        self.nfa, self.simulation, self.meter = nfa, simulation, meter
        self.subsets = Subsets(nfa, meter)
        self.rows = Rows(meter)
        self.rooms = [Room(meter) for _ in range(meter.threads)] if meter.threads > 1 else []
        self.of_sets, self.successors, self.states_found = new_longs(meter), new_longs(meter), new_ints(meter)
        self.steps_of_entry = 8
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
        cdef int64_t alone = 0
        cdef bint together
        with gil:
            together = len(self.rooms) > 1
        while steps > 0 and self.done < subset_count(self.subsets):
            if together and alone == 0 and steps >= LEAST_STEPS:
                alone = self.choose_round(steps)
                if alone == 0:
                    steps -= self.number_round(steps)
                    continue
            alone -= alone > 0
            steps -= self.expand()
        return 0

    cdef int64_t expand(self) except -1 nogil:
        """Find the successors of the next set; return the steps that this took."""
        cdef int64_t begin = 0, end, spent
        cdef uint64_t letter
        spent = self.subsets.gather(self.done) + STEPS_OF_SET
        spent += 2 * self.subsets.found_count
        while begin < self.subsets.found_count:
            letter = self.subsets.found[begin] >> 32
            end = begin + 1
            while end < self.subsets.found_count and self.subsets.found[end] >> 32 == letter:
                end += 1
            push_transition(self.rows, letter_code(self.nfa, <int64_t> letter),
                            <int32_t> self.target(self.subsets.found + begin, end - begin))
            spent += self.steps_of_transition()
            begin = end
        if self.simulation is not None:
            spent += self.simulation.pruning
            self.simulation.pruning = 0
        return self.end_row(spent)

    cdef inline int64_t steps_of_transition(self) noexcept nogil:
        return STEPS_OF_TRANSITION if subset_count(self.subsets) < MANY_SETS else 2 * STEPS_OF_TRANSITION

    cdef int64_t end_row(self, int64_t spent) except -1 nogil:
        """Close the row of the next set, for which so many steps were taken; return these."""
        cdef int32_t accepts = 0
        cdef int64_t member
        for member in range(longs(self.subsets.begins)[self.done], longs(self.subsets.begins)[self.done + 1]):
            if ints(self.nfa.outputs)[ints(self.subsets.members)[member]]:
                accepts = 1
                break
        self.done += 1
        self.steps += spent
        self.rows.end_row(accepts, subset_count(self.subsets), spent)
        return spent

    cdef int64_t choose_round(self, int64_t steps) except -1 nogil:
        """Choose the next sets that threads take on, about so many steps' worth, and let them find the successors.

        Return 0, or for how many sets this is not worth while.
        """
        cdef RowsOfNfa rows = self.subsets.rows_of_nfa()
        cdef const int64_t* begins = longs(self.subsets.begins)
        cdef int64_t open = subset_count(self.subsets) - self.done, sets = 0, entries = 0, successors = 0, more, count
        cdef int64_t limit = ENTRIES_OF_ROUND * self.meter.threads
        cdef int64_t most = <int64_t> min(<double> limit, <double> steps / self.steps_of_entry)
        cdef int64_t largest = 0, rows_merged = 0, merged = 0, bits = 0
        cdef Successors* of_set
        self.of_sets.size = 0
        while sets < min(open, MOST_SETS) and entries < most:
            count = begins[self.done + sets + 1] - begins[self.done + sets]
            more = entries_of(rows, ints(self.subsets.members) + begins[self.done + sets], count)
            if more > limit:
                # It is polled for while it is merged.
                break
            reserve(self.of_sets, WORDS_OF_SUCCESSORS)
            of_set = <Successors*> self.of_sets.data + sets
            of_set.entries, of_set.first_state, of_set.first_successor, of_set.steps = more, entries, successors, 0
            self.of_sets.size += WORDS_OF_SUCCESSORS
            sets += 1
            entries += more
            successors += min(more, rows.letters)
            largest = max(largest, more)
            if as_bits(rows, count, more):
                bits = rows.letters * rows.words
            else:
                rows_merged, merged = max(rows_merged, count), max(merged, more)
        work(self.meter, sets)
        if sets < LEAST_SETS * self.meter.threads or entries < LEAST_ENTRIES:
            return max(sets, <int64_t> 1)
        self.successors.size = self.states_found.size = 0
        reserve(self.successors, WORDS_OF_SUCCESSOR * successors)
        reserve(self.states_found, entries)
        self.make_rooms(largest, rows_merged, merged, bits)
        self.carry_out_round(rows, sets)
        return 0

    cdef int make_rooms(self, int64_t entries, int64_t rows, int64_t merged, int64_t bits) except -1 with gil:
        """Make room for each thread, as `Room.make` does."""
        cdef Room room
        for room in self.rooms:
            room.make(entries, rows, merged, bits)
            if self.simulation is not None and not room.marks.size:
                room.marks.reset(self.simulation.width, 0)
        return 0

    cdef int carry_out_round(self, RowsOfNfa rows, int64_t sets) except -1 with gil:
        """Let threads find the successors of so many sets."""
        cdef Round round
        cdef Room room
        cdef vector[MergingRoom] rooms
        for room in self.rooms:
            rooms.push_back(room.pointers())
        round.nfa = rows
        round.pruning.above = NULL
        round.pruning.width = 0
        if self.simulation is not None:
            round.pruning = self.simulation.pruning_rows()
        round.sets.members, round.sets.begins = ints(self.subsets.members), longs(self.subsets.begins)
        round.sets.singles = ints(self.subsets.singles)
        round.sets.slots, round.sets.mask = <uint64_t*> self.subsets.table.slots.data, self.subsets.table.mask
        round.first, round.count = self.done, sets
        round.of_set = <Successors*> self.of_sets.data
        round.successors = <Successor*> self.successors.data
        round.states = ints(self.states_found)
        with nogil:
            carry_out(round, rooms.data(), <int> rooms.size(), poll_meter, <void*> self.meter)
        return 0

    cdef int64_t number_round(self, int64_t steps) except -1 nogil:
        """Number the successors that a round has found, in the order of one thread, until so many steps are spent."""
        cdef int64_t sets = self.of_sets.size // WORDS_OF_SUCCESSORS, i, j, first, spent, taken = 0, entries = 0
        cdef Successors* found
        cdef Successor* successor
        for i in range(sets):
            if taken >= steps:
                break
            found = <Successors*> self.of_sets.data + i
            spent = found.steps + STEPS_OF_SET + 2 * found.merged
            first = found.first_state
            for j in range(found.successors):
                successor = <Successor*> self.successors.data + found.first_successor + j
                if successor.number < 0:
                    successor.number = <int32_t> self.subsets.number_of_run(
                        ints(self.states_found) + first, found.first_state + successor.end - first, successor.tag)
                push_transition(self.rows, letter_code(self.nfa, successor.letter), successor.number)
                spent += self.steps_of_transition()
                first = found.first_state + successor.end
            entries += found.entries
            taken += self.end_row(spent)
        self.steps_of_entry = max(<double> taken / max(entries, <int64_t> 1), 1.0)
        return taken

    cdef inline int64_t target(self, const uint64_t* entries, int64_t count) except -1 nogil:
        """The number of the set of these targets."""
        cdef int32_t* states
        if self.simulation is None or count == 1:
            return self.subsets.number_of(entries, count)
        states = self.subsets.written(entries, count)
        count = self.simulation.prune_states(states, count)
        return self.subsets.number_of_run(states, count, tag_of(states, count))
