"""Minimization: the unique least automaton of a language, numbered canonically.

Partition refinement in two stages, on the rows as they come: states that do not count are skipped
and never cut out.  While a good part of the states moves, whole rounds compare all rows, which is
what is quickest on wide automata; once few move, `splitters.pxi` looks only at transitions to them,
which bounds deep chains.  Signatures are hashed to be grouped and compared to be equal.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy

cdef extern from "signatures.hpp" namespace "fibprover" nogil:
    struct Signatures:
        const int64_t* offsets
        const int64_t* codes
        const int32_t* targets
        const int32_t* outputs
        const int32_t* classes
        bint by_shape, as_relation
    struct Grouping:
        Signatures of
        const int32_t* sizes
        int32_t* first
        uint64_t* slots
        uint64_t mask
    int group(const Grouping& grouping, int64_t states, int threads, int (*poll)(void*) except -1 nogil,
              void* meter) except -1

# Whole rounds end with the third in which no more than one state in eight moves: about as long as it
# takes to reverse all transitions, and often no state moves by then.
cdef int64_t FEW = 8
cdef int PATIENCE = 3

# Where there are fewer states and transitions, one thread computes all signatures.
cdef int64_t LEAST_GROUPED = 1 << 17

cdef int64_t FEWEST_SLOTS = 16


def minimize(Csr a, bint as_relation, Meter meter):
    """Return the canonical minimal automaton: states in breadth-first order by letter code.

    as_relation: output 0 rejects, all others are one, and states that lead nowhere are removed;
    otherwise all outputs are told apart and only unreachable states are removed.  An automaton that
    is canonical already is returned itself.  O(m log n) expected time for n states and m transitions,
    sorting aside; beside the automaton at most about 24 bytes a state and 12 a transition, the result
    included.
    """
    cdef Block of_state = new_ints(meter)
    cdef Rows rows = Rows(meter)
    cdef int64_t kept = mark_reached(a, of_state, meter), transitions, classes
    if as_relation:
        kept = mark_useful(a, of_state, meter)
        if kept == 0:
            rows.end_row(0, 1, 1)
            return rows.finish().export()
        transitions = count_transitions(a, of_state, meter)
        if 2 * transitions <= a.transitions:
            # A copy of what counts is small, and quicker to go over again and again.
            a = cut_out_part(a, of_state, transitions, meter)
            of_state.reset(kept, 0xff)
    classes = refine_classes(a, as_relation, of_state, kept, meter)
    if classes == a.states and is_canonical(a, as_relation, meter):
        return a.export()
    number_classes(a, as_relation, of_state, classes, rows, meter)
    return rows.finish().export()


def renumber(Csr a, Meter meter):
    """Return what `minimize` would of a relation that is trim and minimal; O(states + transitions)."""
    cdef Block of_state = new_ints(meter)
    cdef Rows rows = Rows(meter)
    cdef int64_t state
    if is_canonical(a, True, meter):
        return a.export()
    of_state.reset(a.states, 0)
    for state in range(a.states):
        ints(of_state)[state] = <int32_t> state
    number_classes(a, True, of_state, a.states, rows, meter)
    return rows.finish().export()


cdef Csr cut_out_part(Csr a, Block marks, int64_t transitions, Meter meter):
    """`cut_out`, for what is not the result: the bounds on states and transitions are about that alone."""
    cdef int64_t max_states = meter.max_states, max_transitions = meter.max_transitions
    meter.max_states = meter.max_transitions = (<int64_t> 1) << 62
    try:
        return cut_out(a, marks, transitions, meter)
    finally:
        meter.max_states, meter.max_transitions = max_states, max_transitions


cdef int64_t count_transitions(Csr a, Block marks, Meter meter) except -1:
    """Return the number of transitions between marked states."""
    cdef const int32_t* mark = ints(marks)
    cdef int64_t state, i, found = 0
    with nogil:
        for state in range(a.states):
            if not mark[state]:
                continue
            for i in range(a.offsets[state], a.offsets[state + 1]):
                found += mark[a.targets[i]]
            work(meter, a.offsets[state + 1] - a.offsets[state] + 1)
    return found


cdef int64_t refine_classes(Csr a, bint as_relation, Block of_state, int64_t kept, Meter meter) except -1:
    """Make the marks of `of_state` classes of equivalent states, -1 where there is none; return how many."""
    cdef Rounds rounds = Rounds(a, as_relation, of_state, kept, meter)
    cdef Splitters splitters
    if rounds.run():
        return rounds.classes
    splitters = Splitters(a, of_state, rounds.classes, kept, meter)
    with nogil:
        splitters.choose(rounds.members, rounds.previous)
    rounds = None
    splitters.reverse()
    with nogil:
        splitters.run()
    return splitters.classes


cdef class Rounds:
    """Classes by signature: first by output and letters, then by the classes of all targets, as often as needed."""

    cdef Csr a
    cdef bint as_relation
    cdef Meter meter
    cdef int64_t kept, classes
    cdef Block of_state, previous   # of a state: its class, in this round and in the one before
    cdef Block members              # of a class: one of its states
    cdef Block sizes, largest       # of a class: how many states; of one a round ago: the size of its largest part
    cdef Block slots                # of the table of signatures

    def __cinit__(self, Csr a, bint as_relation, Block of_state, int64_t kept, Meter meter):
        cdef int64_t state
        self.a = a
        self.as_relation = as_relation
        self.meter = meter
        self.kept = kept
        self.classes = 1
        self.of_state, self.previous, self.members = of_state, new_ints(meter), new_ints(meter)
        self.sizes, self.largest = new_ints(meter), new_ints(meter)
        self.slots = new_longs(meter)
        self.previous.reset(a.states, 0)
        for state in range(a.states):
            ints(of_state)[state] = 0 if ints(of_state)[state] else -1

    cdef bint run(self) except -1:
        """Refine while many states move; returns whether nothing is left to do."""
        cdef int64_t moved
        cdef bint by_shape = True
        cdef int patience = PATIENCE
        with nogil:
            while True:
                moved = self.regroup(by_shape)
                by_shape = False
                if moved == 0:
                    return True
                if FEW * moved <= self.kept:
                    patience -= 1
                    if patience == 0:
                        return False

    cdef int64_t regroup(self, bint by_shape) except -1 nogil:
        """One round; returns how many states are not in the largest part of their former class."""
        cdef int32_t* now = ints(self.of_state)
        cdef int32_t* before = ints(self.previous)
        cdef int64_t state, c, moved = self.kept, former = self.classes
        memcpy(before, now, <size_t> (4 * self.a.states))
        # `largest` serves as a copy of the former sizes.
        self.largest.reset(former, 0)
        if not by_shape:
            memcpy(ints(self.largest), ints(self.sizes), <size_t> (4 * former))
        self.find_first(by_shape)
        self.members.size = self.sizes.size = 0
        for state in range(self.a.states):
            if before[state] < 0:
                continue
            if now[state] == state:
                c = self.members.size
                push_int(self.members, <int32_t> state)
                push_int(self.sizes, 0)
            else:
                # Of an earlier state, whose class is known.
                c = now[now[state]]
            now[state] = <int32_t> c
            ints(self.sizes)[c] += 1
        self.classes = self.members.size
        self.largest.reset(former, 0)
        for c in range(self.classes):
            state = before[ints(self.members)[c]]
            ints(self.largest)[state] = max(ints(self.largest)[state], ints(self.sizes)[c])
        for c in range(former):
            moved -= ints(self.largest)[c]
        work(self.meter, self.a.states)
        return moved

    cdef int find_first(self, bint by_shape) except -1 nogil:
        """Replace each state's class by the first state of its signature; a state that was alone needs none."""
        cdef Grouping grouping
        cdef int64_t c, several = self.kept, slots = FEWEST_SLOTS
        cdef int threads = self.meter.threads if self.a.states + self.a.transitions >= LEAST_GROUPED else 1
        for c in range(self.classes):
            several -= ints(self.largest)[c] == 1
        while 2 * slots < 3 * several:
            slots *= 2
        self.slots.reset(slots, 0)
        grouping.of.offsets, grouping.of.codes = self.a.offsets, self.a.codes
        grouping.of.targets, grouping.of.outputs = self.a.targets, self.a.outputs
        grouping.of.classes = ints(self.previous)
        grouping.of.by_shape, grouping.of.as_relation = by_shape, self.as_relation
        grouping.sizes, grouping.first = ints(self.largest), ints(self.of_state)
        grouping.slots, grouping.mask = <uint64_t*> self.slots.data, <uint64_t> (slots - 1)
        return group(grouping, self.a.states, threads, poll_meter, <void*> self.meter)


cdef inline int32_t output_of(Csr a, bint as_relation, int64_t state) noexcept nogil:
    return a.outputs[state] != 0 if as_relation else a.outputs[state]


cdef bint is_canonical(Csr a, bint as_relation, Meter meter) except -1:
    """Return whether the states are numbered breadth first, and relations have outputs 0 and 1 only."""
    cdef int64_t state, i, found = 1
    with nogil:
        for state in range(a.states):
            if as_relation and a.outputs[state] not in (0, 1):
                return False
            for i in range(a.offsets[state], a.offsets[state + 1]):
                if a.targets[i] > found:
                    return False
                found += a.targets[i] == found
            progress(meter, found, a.offsets[state + 1], a.offsets[state + 1] - a.offsets[state] + 1)
    return True


cdef int number_classes(Csr a, bint as_relation, Block of_state, int64_t classes, Rows rows, Meter meter) except -1:
    """The quotient, its states in breadth-first order by letter code."""
    # Of a class: its number; the numbered ones: a member of each.
    cdef Block numbers = new_ints(meter), queue = new_ints(meter)
    cdef int64_t state, i, done = 0, found = 1, transitions = 0, begin
    cdef int32_t c
    with nogil:
        numbers.reset(classes, 0)
        for state in range(a.states):
            c = ints(of_state)[state]
            if c < 0 or ints(numbers)[c]:
                continue
            ints(numbers)[c] = 1
            for i in range(a.offsets[state], a.offsets[state + 1]):
                transitions += ints(of_state)[a.targets[i]] >= 0
            work(meter, a.offsets[state + 1] - a.offsets[state] + 1)
        rows.codes.make_room(transitions)
        rows.targets.make_room(transitions)
        rows.offsets.make_room(classes)
        rows.outputs.make_room(classes)
        numbers.reset(classes, 0xff)
        queue.reset(classes, 0)
        ints(numbers)[ints(of_state)[0]] = 0
        while done < found:
            state = ints(queue)[done]
            done += 1
            begin = rows.codes.size
            for i in range(a.offsets[state], a.offsets[state + 1]):
                c = ints(of_state)[a.targets[i]]
                if c < 0:
                    continue
                if ints(numbers)[c] < 0:
                    ints(numbers)[c] = <int32_t> found
                    ints(queue)[found] = a.targets[i]
                    found += 1
                push_transition(rows, a.codes[i], ints(numbers)[c])
            rows.end_row(output_of(a, as_relation, state), found, rows.codes.size - begin + 1)
    return 0
