"""Shared by the subset constructions: sorted NFA rows, and sets of states numbered as found.

A set's successors are gathered by merging the sorted rows of its states, pair by pair, dropping
repetitions as they meet; the merged entries of one letter are then the successor, already sorted.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy
from libcpp.algorithm cimport lower_bound, unique

cdef extern from "successors.hpp" namespace "fibprover" nogil:
    int lowest_bit(uint64_t bits) noexcept
    cppclass Pace:
        Pace() noexcept
    struct RowsOfNfa:
        const int64_t* offsets
        const uint64_t* entries
        int64_t letters, words, row_steps
    struct MergingRoom:
        uint64_t* front
        uint64_t* back
        uint64_t* bits
        uint64_t* marks
        int64_t* runs
    struct Pruning:
        const uint64_t* above
        int64_t width
    struct NumberedSets:
        const int32_t* members
        const int64_t* begins
        const int32_t* singles
        const uint64_t* slots
        uint64_t mask
    struct Successor:
        uint32_t letter, tag
        int32_t number
        uint32_t end
    struct Successors:
        int64_t entries, first_state, first_successor, merged, successors, steps
    struct Round:
        RowsOfNfa nfa
        Pruning pruning
        NumberedSets sets
        int64_t first, count
        Successors* of_set
        Successor* successors
        int32_t* states
    Pace pace_of "fibprover::Pace"(int (*poll)(void*) except -1 nogil, void* meter) noexcept
    int64_t entries_of(const RowsOfNfa& nfa, const int32_t* members, int64_t count) noexcept
    bint as_bits(const RowsOfNfa& nfa, int64_t count, int64_t total) noexcept
    int64_t merge_runs(MergingRoom& room, int64_t count, Pace& pace, const uint64_t** found) except -1
    int64_t gather_entries "fibprover::gather"(
        const RowsOfNfa& nfa, const int32_t* members, int64_t count, int64_t total, MergingRoom& room, Pace& pace,
        const uint64_t** found, int64_t* steps,
    ) except -1
    uint32_t tag_of(const int32_t* states, int64_t count) noexcept
    int64_t prune[Entry](const Pruning& pruning, Entry* entries, int64_t count, uint64_t* marks,
                         int64_t* steps) noexcept
    int carry_out(const Round& round, MergingRoom* rooms, int threads, int (*poll)(void*) except -1 nogil,
                  void* meter) except -1


cdef class Nfa:
    """A nondeterministic automaton: rows of (letter number << 32 | target), each sorted and free of repetitions.

    `Nfa(parts, kept, zero, meter)` is the one of some automata side by side that reads `kept` of every letter; state 0
    of each begins.  kept: a coding for each part; zero: the kept code of the all-zero letter, or -1.  With it, a new
    state begins, which stands for all that zeros reach, and loops on zero: the language is closed under adding and
    removing zeros in front.  O(transitions * log(longest row)) time, 8 bytes a transition.  Kept codes of more than 32
    bits are replaced by their ranks among the codes that occur.  An automaton that is made of another one has no parts.
    """
    cdef readonly tuple parts, kept
    cdef readonly int64_t zero
    cdef readonly int64_t states
    cdef Block offsets, entries
    cdef Block letters              # letter number -> code; None where the number is the code
    cdef int64_t bound              # letter numbers are below this
    cdef Block initial              # increasing states
    cdef Block outputs              # of each state, 0 if it rejects

    def __cinit__(self, tuple parts, tuple kept, int64_t zero, Meter meter):
        cdef Csr a
        cdef Recode code
        cdef Block seen = new_ints(meter)
        cdef int64_t read = 0, written = 0, first = 0, letters = 1
        if None in parts or None in kept:
            raise InvalidArrayError("no automaton, or no coding, where one is needed")
        self.parts, self.kept, self.zero = parts, kept, zero
        self.offsets, self.entries = new_longs(meter), new_longs(meter)
        self.initial, self.outputs = new_ints(meter), new_ints(meter)
        self.letters = None
        if not parts:
            if not isinstance(self, DerivedNfa):
                raise InvalidArrayError("no automaton where one is needed")
            return
        for a, code in zip(parts, kept, strict=True):
            self.states += a.states
            read += a.transitions
            letters = max(letters, code.letters)
        if zero >= letters:
            raise InvalidArrayError("a zero that is no letter")
        if self.states >= meter.ceiling:
            meter.too_many()
        self.entries.reset(read, 0)
        self.offsets.reset(self.states + 1, 0)
        read = 0
        for a, code in zip(parts, kept, strict=True):
            with nogil:
                recode_all(a, code, longs(self.entries) + read, meter)
            read += a.transitions
        if letters > <int64_t> 1 << 32:
            self.letters = new_longs(meter)
            with nogil:
                rank_letters(self.entries, self.letters, zero, meter)
        read = 0
        for a in parts:
            push_int(self.initial, <int32_t> first)
            append_outputs(self.outputs, a)
            with nogil:
                written = fill_rows(a, self, first, read, written, meter)
            first += a.states
            read += a.transitions
        self.entries.size = written
        with nogil:
            if zero >= 0:
                begin_with_letter(self, self.number_of(zero), seen, meter)
            self.bound = letter_bound(self, meter)

    def reversed(self, Meter meter):
        """Return the automaton of the reversed words; states that no word reaches are left out of its rows."""
        cdef Nfa result = DerivedNfa((), (), -1, meter)
        result.states, result.letters, result.bound = self.states, self.letters, self.bound
        cdef Block reached = new_ints(meter), todo = new_ints(meter)
        with nogil:
            mark_successors(self, reached, todo, meter)
            reverse_transitions(self, result, reached, meter)
        return result

    def removing(self, int64_t letter, Meter meter):
        """Return the automaton of its words and of what is left of them without some last letters that are this one."""
        cdef Nfa back = self.reversed(meter)
        cdef Block seen = new_ints(meter)
        with nogil:
            close_under_letter(back, back.number_of(letter), back.initial, seen, meter)
        return back.reversed(meter)

    @property
    def transitions(self):
        """The number of transitions."""
        return self.entries.size

    cdef int64_t number_of(self, int64_t code) noexcept nogil:
        """Number of a letter code, or -1 where no transition has it."""
        cdef int64_t* begin
        cdef int64_t* place
        if self.letters is None:
            return code
        begin = longs(self.letters)
        place = lower_bound(begin, begin + self.letters.size, code)
        if place == begin + self.letters.size or place[0] != code:
            return -1
        return place - begin


cdef class DerivedNfa(Nfa):
    """One made of another one, for its maker to fill."""


cdef int append_outputs(Block outputs, Csr a) except -1:
    """The outputs of a's states, after those that are there."""
    reserve(outputs, a.states)
    memcpy(ints(outputs) + outputs.size, a.outputs, <size_t> (4 * a.states))
    outputs.size += a.states
    return 0


cdef int begin_with_letter(Nfa nfa, int64_t letter, Block seen, Meter meter) except -1 nogil:
    """Begin with a new state that stands for all states reached by a letter (a number), and loops on it."""
    cdef int64_t fresh = nfa.states, i, j, state, begin = nfa.entries.size, count
    cdef int32_t output = 0
    cdef uint64_t* row
    close_under_letter(nfa, letter, nfa.initial, seen, meter)
    push_long(nfa.entries, (letter << 32) | fresh)
    for i in range(nfa.initial.size):
        state = ints(nfa.initial)[i]
        output |= ints(nfa.outputs)[state] != 0
        reserve(nfa.entries, longs(nfa.offsets)[state + 1] - longs(nfa.offsets)[state])
        for j in range(longs(nfa.offsets)[state], longs(nfa.offsets)[state + 1]):
            if longs(nfa.entries)[j] >> 32 != letter:
                longs(nfa.entries)[nfa.entries.size] = longs(nfa.entries)[j]
                nfa.entries.size += 1
        work(meter, longs(nfa.offsets)[state + 1] - longs(nfa.offsets)[state] + 1)
    row = <uint64_t*> nfa.entries.data + begin
    count = nfa.entries.size - begin
    sort_polled(row, count, poll_meter, <void*> meter)
    nfa.entries.size = begin + (unique(row, row + count) - row)
    push_long(nfa.offsets, nfa.entries.size)
    push_int(nfa.outputs, output)
    nfa.states += 1
    nfa.initial.size = 0
    push_int(nfa.initial, <int32_t> fresh)
    return 0


cdef int64_t letter_bound(Nfa nfa, Meter meter) except -1 nogil:
    """A number above all letter numbers."""
    cdef int64_t state, end, most = 0
    for state in range(nfa.states):
        end = longs(nfa.offsets)[state + 1]
        if end > longs(nfa.offsets)[state]:
            most = max(most, <int64_t> ((<uint64_t*> nfa.entries.data)[end - 1] >> 32) + 1)
        if not state & 4095:
            work(meter, 4096)
    return most


cdef int recode_all(Csr a, Recode kept, int64_t* codes, Meter meter) except -1 nogil:
    cdef int64_t i
    for i in range(a.transitions):
        codes[i] = recode(kept, a.codes[i])
        if not i & 4095:
            work(meter, 4096)
    return 0


cdef int rank_letters(Block codes, Block letters, int64_t zero, Meter meter) except -1 nogil:
    """Replace codes by their ranks; `letters` becomes the sorted codes, of which there may be 2^32."""
    cdef int64_t i
    cdef int64_t* begin
    cdef int64_t* end
    letters.reset(codes.size, 0)
    if codes.size:
        memcpy(letters.data, codes.data, <size_t> (8 * codes.size))
    if zero >= 0:
        push_long(letters, zero)
    begin = longs(letters)
    sort_polled(begin, letters.size, poll_meter, <void*> meter)
    end = unique(begin, begin + letters.size)
    letters.size = end - begin
    if letters.size > <int64_t> 1 << 32:
        with gil:
            raise TooLargeError("more than 2^32 different letters")
    for i in range(codes.size):
        longs(codes)[i] = lower_bound(begin, end, longs(codes)[i]) - begin
        if not i & 1023:
            work(meter, 8192)
    return 0


cdef int64_t fill_rows(Csr a, Nfa nfa, int64_t first, int64_t read, int64_t written, Meter meter) except -1 nogil:
    """Pack letter numbers with their targets, row by row sorted without repetitions, in place.

    a's states are numbered from `first`; its letters stand from `read` on, and are written from
    `written` <= read on.  Returns where that ends.
    """
    cdef uint64_t* entries = <uint64_t*> nfa.entries.data
    cdef uint64_t* row
    cdef int64_t state, i, count
    cdef bint rising
    for state in range(a.states):
        row = entries + written
        count = a.offsets[state + 1] - a.offsets[state]
        rising = True
        for i in range(count):
            row[i] = entries[read + a.offsets[state] + i] << 32
            row[i] |= <uint64_t> (first + a.targets[a.offsets[state] + i])
            if not i & 4095:
                work(meter, 4096)
            if i and row[i] <= row[i - 1]:
                rising = False
        if not rising:
            sort_polled(row, count, poll_meter, <void*> meter)
            count = unique(row, row + count) - row
        written += count
        longs(nfa.offsets)[first + state + 1] = written
        work(meter, count + 1)
    return written


cdef int reverse_transitions(Nfa a, Nfa result, Block reached, Meter meter) except -1 nogil:
    """Turn the transitions of the states that are reached round, with the initial and the accepting states."""
    cdef int64_t* offsets
    cdef const int64_t* begins = longs(a.offsets)
    cdef const uint64_t* entries = <const uint64_t*> a.entries.data
    cdef uint64_t* turned
    cdef int64_t state, i, place, total = 0
    result.offsets.reset(a.states + 2, 0)
    offsets = longs(result.offsets)
    for state in range(a.states):
        if not ints(reached)[state]:
            continue
        for i in range(begins[state], begins[state + 1]):
            offsets[<uint32_t> entries[i] + 2] += 1
        total += begins[state + 1] - begins[state]
        work(meter, begins[state + 1] - begins[state] + 1)
    for state in range(a.states):
        offsets[state + 2] += offsets[state + 1]
    result.entries.reset(total, 0)
    turned = <uint64_t*> result.entries.data
    # offsets[t + 1] is where the next entry of row t goes, and ends as the end of that row.
    for state in range(a.states):
        if not ints(reached)[state]:
            continue
        for i in range(begins[state], begins[state + 1]):
            place = offsets[<uint32_t> entries[i] + 1]
            offsets[<uint32_t> entries[i] + 1] = place + 1
            turned[place] = (entries[i] & ~<uint64_t> 0xffffffff) | <uint64_t> state
        work(meter, 4 * (begins[state + 1] - begins[state]) + 1)
    result.offsets.size = a.states + 1
    for state in range(a.states):
        sort_polled(turned + offsets[state], offsets[state + 1] - offsets[state], poll_meter, <void*> meter)
        work(meter, 2 * (offsets[state + 1] - offsets[state]) + 1)
    result.outputs.reset(a.states, 0)
    for i in range(a.initial.size):
        ints(result.outputs)[ints(a.initial)[i]] = 1
    for state in range(a.states):
        if ints(reached)[state] and ints(a.outputs)[state]:
            push_int(result.initial, <int32_t> state)
    return 0


cdef int mark_successors(Nfa a, Block reached, Block todo, Meter meter) except -1 nogil:
    """Mark the states that words reach from the initial ones; todo: an empty block."""
    cdef int64_t state, i
    cdef int32_t target
    reached.reset(a.states, 0)
    for i in range(a.initial.size):
        ints(reached)[ints(a.initial)[i]] = 1
        push_int(todo, ints(a.initial)[i])
    while todo.size:
        todo.size -= 1
        state = ints(todo)[todo.size]
        for i in range(longs(a.offsets)[state], longs(a.offsets)[state + 1]):
            target = <int32_t> <uint32_t> longs(a.entries)[i]
            if not ints(reached)[target]:
                ints(reached)[target] = 1
                push_int(todo, target)
        work(meter, longs(a.offsets)[state + 1] - longs(a.offsets)[state] + 1)
    return 0


cdef int close_under_letter(Nfa nfa, int64_t zero_number, Block states, Block seen, Meter meter) except -1 nogil:
    """Add to `states` all that is reached from them by one letter; leaves them sorted; seen: a block to use."""
    cdef int64_t done = 0, state, i
    cdef const uint64_t* entries = <const uint64_t*> nfa.entries.data
    cdef int32_t target
    seen.reset(nfa.states, 0)
    for i in range(states.size):
        ints(seen)[ints(states)[i]] = 1
    while done < states.size:
        state = ints(states)[done]
        done += 1
        for i in range(longs(nfa.offsets)[state], longs(nfa.offsets)[state + 1]):
            if <int64_t> (entries[i] >> 32) != zero_number:
                continue
            target = <int32_t> <uint32_t> entries[i]
            if not ints(seen)[target]:
                ints(seen)[target] = 1
                push_int(states, target)
        work(meter, longs(nfa.offsets)[state + 1] - longs(nfa.offsets)[state] + 1)
    sort_polled(ints(states), states.size, poll_meter, <void*> meter)
    return 0


cdef class Room:
    """The memory in which the rows of one set at a time are merged."""
    cdef Block runs, front, back, bits, marks

    def __cinit__(self, Meter meter):
        self.runs, self.front, self.back = new_longs(meter), new_longs(meter), new_longs(meter)
        self.bits, self.marks = new_longs(meter), new_longs(meter)

    cdef int make(self, int64_t entries, int64_t rows, int64_t merged, int64_t bits) except -1 nogil:
        """Make room for so many entries: so many rows with so many of them are merged, for others there are bits."""
        self.front.size = self.back.size = self.runs.size = 0
        reserve(self.front, entries)
        reserve(self.back, merged)
        reserve(self.runs, (rows >> 1) + 2)
        if self.bits.size < bits:
            self.bits.reset(bits, 0)
        return 0

    cdef MergingRoom pointers(self) noexcept nogil:
        cdef MergingRoom room
        room.front, room.back = <uint64_t*> self.front.data, <uint64_t*> self.back.data
        room.bits, room.marks = <uint64_t*> self.bits.data, <uint64_t*> self.marks.data
        room.runs = longs(self.runs)
        return room


cdef class Subsets:
    """Numbered sets of NFA states, and the scratch memory to find the successors of one."""
    cdef Meter meter
    cdef Nfa nfa
    cdef Block members, begins      # set number -> members[begins[i]:begins[i + 1]], increasing
    cdef Block singles              # NFA state -> number of the set that holds just it, or -1
    cdef Table table
    cdef Room room
    cdef Pace pace
    cdef const uint64_t* found      # merged entries of the set last gathered
    cdef int64_t found_count

    def __cinit__(self, Nfa nfa, Meter meter):
        self.meter = meter
        self.nfa = nfa
        self.members = new_ints(meter)
        self.begins = new_longs(meter)
        push_long(self.begins, 0)
        self.singles = new_ints(meter)
        self.singles.reset(nfa.states, 0xff)
        self.table = Table(meter)
        self.room = Room(meter)
        self.pace = pace_of(poll_meter, <void*> meter)

    cdef int64_t number_of(self, const uint64_t* entries, int64_t count) except -1 nogil:
        """Number of the set of the entries' targets (increasing, not empty)."""
        cdef int32_t* fresh = self.written(entries, count)
        return self.number_of_run(fresh, count, tag_of(fresh, count) if count > 1 else 0)

    cdef inline int32_t* written(self, const uint64_t* entries, int64_t count) except? NULL nogil:
        """The entries' targets, written after the last set, where they stay if they are a new one."""
        cdef int64_t i
        cdef int32_t* fresh
        reserve(self.members, count)
        fresh = ints(self.members) + self.members.size
        for i in range(count):
            fresh[i] = <int32_t> <uint32_t> entries[i]
        return fresh

    cdef int64_t number_of_run(self, const int32_t* states, int64_t count, uint32_t tag) except -1 nogil:
        """Number of a set of increasing states, not empty, with the tag of such entries."""
        cdef int64_t number = subset_count(self), known
        cdef Probe probe
        if count == 1:
            if ints(self.singles)[states[0]] >= 0:
                return ints(self.singles)[states[0]]
            if number >= self.meter.ceiling:
                self.meter.too_many()
            ints(self.singles)[states[0]] = <int32_t> number
        else:
            probe = look_up(self.table, tag)
            known = find_run(probe, <const int32_t*> self.members.data, <const int64_t*> self.begins.data, states,
                             count)
            if known >= 0:
                return known
            enter(self.table, probe, number)
        if states != ints(self.members) + self.members.size:
            reserve(self.members, count)
            memcpy(ints(self.members) + self.members.size, states, <size_t> (4 * count))
        self.members.size += count
        push_long(self.begins, self.members.size)
        return number

    cdef int64_t number_of_states(self, Block states) except -1 nogil:
        """Number of a set given as increasing states, not empty."""
        cdef int64_t i
        self.room.front.reset(states.size, 0)
        for i in range(states.size):
            longs(self.room.front)[i] = ints(states)[i]
        return self.number_of(<const uint64_t*> self.room.front.data, states.size)

    cdef RowsOfNfa rows_of_nfa(self) noexcept nogil:
        """What kernels in threads need to know of the automaton."""
        cdef RowsOfNfa rows
        rows.offsets = longs(self.nfa.offsets)
        rows.entries = <const uint64_t*> self.nfa.entries.data
        rows.letters, rows.words = self.nfa.bound, words_of(self.nfa)
        # More if most rows are in no cache.
        rows.row_steps = 16 if self.nfa.states > 8192 else 4
        return rows

    cdef int64_t gather(self, int64_t subset) except -1 nogil:
        """Merge the rows of a set's states into `found`, sorted and free of repetitions; return the steps it took."""
        cdef const int32_t* members = ints(self.members) + longs(self.begins)[subset]
        cdef int64_t count = longs(self.begins)[subset + 1] - longs(self.begins)[subset], steps = 0, total
        cdef RowsOfNfa rows = self.rows_of_nfa()
        cdef MergingRoom room
        total = entries_of(rows, members, count)
        if count != 1:
            if as_bits(rows, count, total):
                self.room.make(total, 0, 0, rows.letters * rows.words)
            else:
                self.room.make(total, count, total, 0)
        room = self.room.pointers()
        self.found_count = gather_entries(rows, members, count, total, room, self.pace, &self.found, &steps)
        return steps

    cdef int gather_letters(self, int64_t subset, const int64_t* wanted, int64_t count) except -1 nogil:
        """As `gather`, but only entries whose letter number is among the `count` increasing `wanted`."""
        cdef const int64_t* offsets = longs(self.nfa.offsets)
        cdef const uint64_t* entries = <const uint64_t*> self.nfa.entries.data
        cdef int64_t member, state, i, end, w
        cdef uint64_t letter
        cdef MergingRoom room
        self.room.front.size = self.room.runs.size = 0
        push_long(self.room.runs, 0)
        for member in range(longs(self.begins)[subset], longs(self.begins)[subset + 1]):
            state = ints(self.members)[member]
            i = offsets[state]
            end = offsets[state + 1]
            reserve(self.room.front, end - i)
            w = 0
            while w < count and i < end:
                letter = <uint64_t> wanted[w]
                if entries[i] >> 32 < letter:
                    i = seek_letter(entries, i, end, letter)
                    continue
                while i < end and entries[i] >> 32 == letter:
                    (<uint64_t*> self.room.front.data)[self.room.front.size] = entries[i]
                    self.room.front.size += 1
                    i += 1
                w += 1
            if self.room.front.size > longs(self.room.runs)[self.room.runs.size - 1]:
                push_long(self.room.runs, self.room.front.size)
            work(self.meter, count)
        self.room.back.size = 0
        reserve(self.room.back, self.room.front.size)
        room = self.room.pointers()
        self.found_count = merge_runs(room, self.room.runs.size - 1, self.pace, &self.found)
        return 0


cdef inline int64_t seek_letter(const uint64_t* entries, int64_t begin, int64_t end, uint64_t letter) noexcept nogil:
    """First place in the sorted entries[begin:end] whose letter is not below `letter`."""
    cdef int64_t middle, tries = 0
    while begin < end and tries < 8:
        if entries[begin] >> 32 >= letter:
            return begin
        begin += 1
        tries += 1
    while begin < end:
        middle = (begin + end) >> 1
        if entries[middle] >> 32 < letter:
            begin = middle + 1
        else:
            end = middle
    return begin


cdef inline int64_t letter_code(Nfa nfa, int64_t number) noexcept nogil:
    """Code of a letter number."""
    if nfa.letters is None:
        return number
    return (<int64_t*> nfa.letters.data)[number]


cdef inline int64_t words_of(Nfa nfa) noexcept nogil:
    """Words of 64 bits that hold a bit for each state."""
    return (nfa.states + 63) >> 6


cdef inline int64_t subset_count(Subsets subsets) noexcept nogil:
    return subsets.begins.size - 1
