"""Minimization: the unique least automaton of a language, numbered canonically.

Partition refinement.  First states are split by output and by the letters they have, so that all
states of a class have rows of one shape; then by the classes of their targets, until nothing
splits.  A round visits only states with a target that changed its class in the round before, and
a class that splits leaves its number to the largest part: a state changes class at most log2(n)
times, which bounds deep chains.  Signatures are hashed to be grouped and compared to be equal.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

from fibprover_ext._budget cimport Meter, work
from fibprover_ext._csr cimport Block, Csr, Rows, ints, longs, new_ints, new_longs, push_int, reserve
from fibprover_ext._table cimport mix
from fibprover_ext.trim cimport reverse_rows, trimmed


def minimize(Csr a, bint as_relation, Meter meter):
    """The canonical minimal automaton: states in breadth-first order by letter code.

    as_relation: output 0 rejects, all others are one, and states that lead nowhere are removed;
    otherwise all outputs are told apart and only unreachable states are removed.
    O(m d log n) time for n states, m transitions and at most d of them a state; about 45 bytes a
    state, and 4 a transition once few states change.
    """
    a = trimmed(a, as_relation, meter)
    cdef Partition partition = Partition(a, as_relation, meter)
    cdef Rows rows = Rows(meter)
    with nogil:
        partition.refine()
        partition.number(rows)
    return rows.finish().export()


cdef class Partition:
    """Classes of states; class c is order[begin[c]:begin[c] + length[c]]."""

    cdef Csr a
    cdef bint as_relation
    cdef Meter meter
    cdef int64_t classes
    cdef Block of_state, order, place                       # of a state: its class; members; where it is
    cdef Block begin, length, marked, newest                # of a class; newest: its last group, or -1
    cdef Block group                                        # of a state: its group in this round
    cdef Block group_first, group_size, group_next, group_class, group_at
    cdef Block dirty, moved, touched
    cdef Block slots
    cdef Block offsets, sources                             # reversed rows, once they are needed

    def __cinit__(self, Csr a, bint as_relation, Meter meter):
        cdef int64_t i
        self.a = a
        self.as_relation = as_relation
        self.meter = meter
        self.of_state, self.order, self.place = new_ints(meter), new_ints(meter), new_ints(meter)
        self.begin, self.length, self.marked = new_ints(meter), new_ints(meter), new_ints(meter)
        self.newest, self.group = new_ints(meter), new_ints(meter)
        self.group_first, self.group_size, self.group_next = new_ints(meter), new_ints(meter), new_ints(meter)
        self.group_class, self.group_at = new_ints(meter), new_ints(meter)
        self.dirty, self.moved, self.touched = new_ints(meter), new_ints(meter), new_ints(meter)
        self.slots = new_longs(meter)
        self.offsets, self.sources = new_longs(meter), new_ints(meter)
        self.of_state.reset(a.states, 0)
        self.order.reset(a.states, 0)
        self.place.reset(a.states, 0)
        self.group.reset(a.states, 0)
        for i in range(a.states):
            ints(self.order)[i] = ints(self.place)[i] = <int32_t> i
        self.classes = 0
        self.add_class(0, a.states)

    cdef int add_class(self, int64_t begin, int64_t length) except -1 nogil:
        """A new class over a stretch of `order`."""
        push_int(self.begin, <int32_t> begin)
        push_int(self.length, <int32_t> length)
        push_int(self.marked, 0)
        push_int(self.newest, -1)
        self.classes += 1
        return 0

    cdef int refine(self) except -1 nogil:
        """Split until all states of a class have targets of the same classes."""
        self.mark_all()
        self.split(True)
        self.mark_all()
        self.split(False)
        while self.moved.size:
            if self.moved.size > self.a.states >> 2:
                # While most states move, one pass over all is cheaper than asking who is concerned.
                self.mark_all()
            else:
                self.mark_concerned()
            self.split(False)
        return 0

    cdef int mark_concerned(self) except -1 nogil:
        """States with a transition into a moved state become dirty."""
        cdef int64_t i, j
        cdef int32_t state
        cdef const int64_t* offsets
        if self.offsets.size == 0:
            reverse_rows(self.a, self.offsets, self.sources, self.meter)
        offsets = longs(self.offsets)
        self.dirty.size = 0
        for i in range(self.moved.size):
            state = ints(self.moved)[i]
            for j in range(offsets[state], offsets[state + 1]):
                self.mark(ints(self.sources)[j])
            work(self.meter, offsets[state + 1] - offsets[state] + 1)
        return 0

    cdef int mark_all(self) except -1 nogil:
        """All states of classes that can split become dirty."""
        cdef int64_t state
        cdef int32_t c
        self.dirty.size = 0
        for state in range(self.a.states):
            c = ints(self.of_state)[state]
            if ints(self.length)[c] > 1:
                ints(self.marked)[c] = ints(self.length)[c]
                push_int(self.dirty, <int32_t> state)
        return work(self.meter, self.a.states)

    cdef int mark(self, int32_t state) except -1 nogil:
        """The state becomes dirty: it goes to the front of its class, if it is not there already."""
        cdef int32_t* order = ints(self.order)
        cdef int32_t* place = ints(self.place)
        cdef int32_t c = ints(self.of_state)[state], other
        cdef int32_t here = place[state], there
        if ints(self.length)[c] == 1:
            return 0
        there = ints(self.begin)[c] + ints(self.marked)[c]
        if here < there:
            return 0
        other = order[there]
        order[there], order[here] = state, other
        place[state], place[other] = there, here
        ints(self.marked)[c] += 1
        return push_int(self.dirty, state)

    cdef int split(self, bint by_shape) except -1 nogil:
        """Regroup the dirty states; states that get another class number are `moved` afterwards."""
        cdef int64_t i
        cdef int32_t g, c, old
        cdef int32_t state
        self.find_groups(by_shape)
        self.moved.size = 0
        for i in range(self.touched.size):
            self.divide(ints(self.touched)[i])
        for i in range(self.dirty.size):
            state = ints(self.dirty)[i]
            g = ints(self.group)[state]
            ints(self.order)[ints(self.group_at)[g]] = state
            ints(self.place)[state] = ints(self.group_at)[g]
            ints(self.group_at)[g] += 1
            c = ints(self.group_class)[g]
            old = ints(self.of_state)[state]
            if c != old:
                ints(self.of_state)[state] = c
                push_int(self.moved, state)
        return work(self.meter, 2 * self.dirty.size)

    cdef int find_groups(self, bint by_shape) except -1 nogil:
        """Group dirty states of one class and one signature; lists the groups of every touched class."""
        cdef int64_t i, count
        cdef int32_t state, c, g
        cdef uint32_t tag
        cdef uint64_t at, mask, slot
        cdef uint64_t* slots
        self.touched.size = 0
        self.group_first.size = self.group_size.size = self.group_next.size = 0
        self.group_class.size = self.group_at.size = 0
        count = 16
        while count < 2 * self.dirty.size:
            count *= 2
        self.slots.reset(count, 0)
        slots = <uint64_t*> self.slots.data
        mask = <uint64_t> count - 1
        for i in range(self.dirty.size):
            state = ints(self.dirty)[i]
            c = ints(self.of_state)[state]
            tag = self.shape_hash(state) if by_shape else self.hash(state)
            at = tag & mask
            g = -1
            while True:
                slot = slots[at]
                if slot == 0:
                    break
                if slot >> 32 == tag:
                    g = <int32_t> <uint32_t> slot - 1
                    if ints(self.group_class)[g] == c and self.alike(ints(self.group_first)[g], state, by_shape):
                        break
                    g = -1
                at = (at + 1) & mask
            if g < 0:
                g = <int32_t> self.group_first.size
                slots[at] = (<uint64_t> tag << 32) | <uint64_t> (g + 1)
                push_int(self.group_first, state)
                push_int(self.group_size, 0)
                push_int(self.group_class, c)
                push_int(self.group_at, 0)
                push_int(self.group_next, ints(self.newest)[c])
                if ints(self.newest)[c] < 0:
                    push_int(self.touched, c)
                ints(self.newest)[c] = g
            ints(self.group)[state] = g
            ints(self.group_size)[g] += 1
            work(self.meter, self.a.offsets[state + 1] - self.a.offsets[state] + 1)
        return 0

    cdef int divide(self, int32_t c) except -1 nogil:
        """Lay out the groups of a class, and the rest it keeps; the largest of them keeps the number."""
        cdef int32_t g, keeper = -1, at = ints(self.begin)[c], state
        cdef int32_t rest = ints(self.length)[c] - ints(self.marked)[c], most = rest, i
        g = ints(self.newest)[c]
        while g >= 0:
            if ints(self.group_size)[g] > most:
                most = ints(self.group_size)[g]
                keeper = g
            g = ints(self.group_next)[g]
        g = ints(self.newest)[c]
        ints(self.newest)[c] = -1
        ints(self.marked)[c] = 0
        while g >= 0:
            ints(self.group_at)[g] = at
            if g == keeper:
                ints(self.begin)[c] = at
                ints(self.length)[c] = most
            else:
                ints(self.group_class)[g] = <int32_t> self.classes
                self.add_class(at, ints(self.group_size)[g])
            at += ints(self.group_size)[g]
            g = ints(self.group_next)[g]
        if keeper < 0:
            ints(self.begin)[c] = at
            ints(self.length)[c] = rest
        elif rest:
            for i in range(at, at + rest):
                state = ints(self.order)[i]
                ints(self.of_state)[state] = <int32_t> self.classes
                push_int(self.moved, state)
            self.add_class(at, rest)
        return 0

    cdef inline uint32_t shape_hash(self, int32_t state) noexcept nogil:
        """Hash of a state's output and letters."""
        cdef uint64_t hash = <uint64_t> self.output(state)
        cdef int64_t i
        for i in range(self.a.offsets[state], self.a.offsets[state + 1]):
            hash = (hash ^ <uint64_t> self.a.codes[i]) * <uint64_t> 0x9E3779B97F4A7C15
            hash ^= hash >> 32
        return mix(hash)

    cdef inline uint32_t hash(self, int32_t state) noexcept nogil:
        """Hash of a state's class and the classes of its targets."""
        cdef const int32_t* of_state = ints(self.of_state)
        cdef uint64_t hash = <uint64_t> of_state[state]
        cdef int64_t i
        for i in range(self.a.offsets[state], self.a.offsets[state + 1]):
            hash = (hash ^ <uint64_t> of_state[self.a.targets[i]]) * <uint64_t> 0x9E3779B97F4A7C15
            hash ^= hash >> 32
        return mix(hash)

    cdef inline bint alike(self, int32_t s, int32_t t, bint by_shape) noexcept nogil:
        """Whether two states of one class have equal signatures."""
        cdef const int32_t* of_state = ints(self.of_state)
        cdef int64_t i = self.a.offsets[s], j = self.a.offsets[t]
        cdef int64_t end = self.a.offsets[s + 1]
        if by_shape:
            if end - i != self.a.offsets[t + 1] - j or self.output(s) != self.output(t):
                return False
            while i < end:
                if self.a.codes[i] != self.a.codes[j]:
                    return False
                i += 1
                j += 1
            return True
        while i < end:
            if of_state[self.a.targets[i]] != of_state[self.a.targets[j]]:
                return False
            i += 1
            j += 1
        return True

    cdef inline int32_t output(self, int64_t state) noexcept nogil:
        if self.as_relation:
            return self.a.outputs[state] != 0
        return self.a.outputs[state]

    cdef int number(self, Rows rows) except -1 nogil:
        """The quotient, its states in breadth-first order by letter code."""
        cdef int32_t* numbers
        cdef int32_t* queue
        cdef int32_t* targets
        cdef const int32_t* of_state = ints(self.of_state)
        cdef int64_t done = 0, found = 1, i, begin, count
        cdef int32_t state, c
        # The group arrays are free now: `group` holds a class's number, `order` a member of each.
        self.group.reset(self.classes, 0xff)
        numbers = ints(self.group)
        self.dirty.reset(self.classes, 0)
        queue = ints(self.dirty)
        numbers[ints(self.of_state)[0]] = 0
        queue[0] = 0
        while done < found:
            state = queue[done]
            done += 1
            begin = self.a.offsets[state]
            count = self.a.offsets[state + 1] - begin
            if count == 0:
                rows.end_row(self.output(state), found, 1)
                continue
            reserve(rows.codes, count)
            reserve(rows.targets, count)
            memcpy(longs(rows.codes) + rows.codes.size, self.a.codes + begin, <size_t> (8 * count))
            targets = ints(rows.targets) + rows.targets.size
            for i in range(count):
                c = of_state[self.a.targets[begin + i]]
                if numbers[c] < 0:
                    numbers[c] = <int32_t> found
                    queue[found] = self.a.targets[begin + i]
                    found += 1
                targets[i] = numbers[c]
            rows.codes.size += count
            rows.targets.size += count
            rows.end_row(self.output(state), found, count + 1)
        return 0
