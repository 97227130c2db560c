"""Shared by the subset constructions: sorted NFA rows, and sets of states numbered as found.

A set's successors are gathered by merging the sorted rows of its states, pair by pair, dropping
repetitions as they meet; the merged entries of one letter are then the successor, already sorted.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy
from libcpp.algorithm cimport lower_bound, unique

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static inline int fibprover_lowest_bit(unsigned long long x) {
        unsigned long place;
        _BitScanForward64(&place, x);
        return (int) place;
    }
    #else
    static inline int fibprover_lowest_bit(unsigned long long x) { return __builtin_ctzll(x); }
    #endif
    """
    int lowest_bit "fibprover_lowest_bit"(uint64_t bits) noexcept nogil


cdef class Nfa:
    """A nondeterministic automaton: rows of (letter number << 32 | target), each sorted and free of repetitions.

    `Nfa(parts, kept, zero, meter)` is the one of some automata side by side that reads `kept` of every letter; state 0
    of each begins.  kept: a coding for each part; zero: the kept code of the all-zero letter, or -1.  With it, a new
    state begins, which stands for all that zeros reach, and loops on zero: the language is closed under adding and
    removing zeros in front.  O(transitions * log(longest row)) time, 8 bytes a transition.  Kept codes of more than 32
    bits are replaced by their ranks among the codes that occur.
    """
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


# Rows of at least so many states are gathered as bits if these are not many more than their entries.
cdef int64_t MOST_MERGED = 8


cdef class Subsets:
    """Numbered sets of NFA states, and the scratch memory to find the successors of one."""
    cdef Meter meter
    cdef Nfa nfa
    cdef Block members, begins      # set number -> members[begins[i]:begins[i + 1]], increasing
    cdef Block singles              # NFA state -> number of the set that holds just it, or -1
    cdef Table table
    cdef Block runs, front, back    # merging: where runs begin; entries, in two buffers
    cdef Block bits                 # of each letter and state; all 0 between two sets
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
        self.runs = new_longs(meter)
        self.front = new_longs(meter)
        self.back = new_longs(meter)
        self.bits = new_longs(meter)

    cdef int64_t number_of(self, const uint64_t* entries, int64_t count) except -1 nogil:
        """Number of the set of the entries' targets (increasing, not empty)."""
        cdef int64_t number = subset_count(self), i
        cdef int32_t* fresh
        cdef int32_t state
        cdef uint64_t hash, x
        cdef Probe probe
        if count == 1:
            state = <int32_t> <uint32_t> entries[0]
            if ints(self.singles)[state] >= 0:
                return ints(self.singles)[state]
            if number >= self.meter.ceiling:
                self.meter.too_many()
            push_int(self.members, state)
            push_long(self.begins, self.members.size)
            ints(self.singles)[state] = <int32_t> number
            return number
        # Written after the last set, where it stays if it is new.
        reserve(self.members, count)
        fresh = ints(self.members) + self.members.size
        hash = <uint64_t> count
        for i in range(count):
            fresh[i] = <int32_t> <uint32_t> entries[i]
            x = (<uint64_t> fresh[i] + 1) * <uint64_t> 0x9E3779B97F4A7C15
            hash += (x ^ (x >> 29)) * <uint64_t> 0xBF58476D1CE4E5B9
        probe = look_up(self.table, mix(hash))
        i = find_run(probe, <const int32_t*> self.members.data, <const int64_t*> self.begins.data, fresh, count)
        if i >= 0:
            return i
        self.members.size += count
        push_long(self.begins, self.members.size)
        enter(self.table, probe, number)
        return number

    cdef int64_t number_of_states(self, Block states) except -1 nogil:
        """Number of a set given as increasing states, not empty."""
        cdef int64_t i
        self.front.reset(states.size, 0)
        for i in range(states.size):
            longs(self.front)[i] = ints(states)[i]
        return self.number_of(<const uint64_t*> self.front.data, states.size)

    cdef int64_t gather(self, int64_t subset) except -1 nogil:
        """Merge the rows of a set's states into `found`, sorted and free of repetitions; return the steps it took."""
        cdef const int64_t* offsets = longs(self.nfa.offsets)
        cdef const uint64_t* entries = <const uint64_t*> self.nfa.entries.data
        cdef const int32_t* members = ints(self.members) + longs(self.begins)[subset]
        cdef int64_t count = longs(self.begins)[subset + 1] - longs(self.begins)[subset]
        cdef int64_t i, total = 0, written = 0, length
        cdef const uint64_t* first
        cdef const uint64_t* second
        if count == 1:
            self.found = entries + offsets[members[0]]
            self.found_count = offsets[members[0] + 1] - offsets[members[0]]
            return self.found_count
        for i in range(count):
            total += offsets[members[i] + 1] - offsets[members[i]]
        self.front.size = self.back.size = self.runs.size = 0
        reserve(self.front, total)
        if count >= MOST_MERGED and self.nfa.bound * words_of(self.nfa) <= total:
            self.gather_bits(members, count)
            return (total + self.nfa.bound * words_of(self.nfa) + count * self.row_steps()) >> 1
        push_long(self.runs, 0)
        # The first level merges straight from the rows.
        i = 0
        while i < count:
            first = entries + offsets[members[i]]
            if i + 1 < count:
                second = entries + offsets[members[i + 1]]
                written += merge_sorted(
                    first, offsets[members[i] + 1] - offsets[members[i]],
                    second, offsets[members[i + 1] + 1] - offsets[members[i + 1]],
                    <uint64_t*> self.front.data + written,
                )
            else:
                length = offsets[members[i] + 1] - offsets[members[i]]
                memcpy(<uint64_t*> self.front.data + written, first, <size_t> (8 * length))
                written += length
            push_long(self.runs, written)
            i += 2
        self.front.size = written
        self.merge_runs()
        written = count * self.row_steps()
        while count > 1:
            count = (count + 1) >> 1
            written += total
        return written

    cdef inline int64_t row_steps(self) noexcept nogil:
        """What it costs to look up a row, in steps: more if most rows are in no cache."""
        return 16 if self.nfa.states > 8192 else 4

    cdef int gather_bits(self, const int32_t* members, int64_t count) except -1 nogil:
        """As `gather`, for many states: mark each letter and target, then read the marks in order."""
        cdef const int64_t* offsets = longs(self.nfa.offsets)
        cdef const uint64_t* entries = <const uint64_t*> self.nfa.entries.data
        cdef int64_t width = words_of(self.nfa), size = self.nfa.bound * width, i, j, letter, word, written = 0
        cdef uint64_t* bits
        cdef uint64_t* out = <uint64_t*> self.front.data
        cdef uint64_t marks, head
        if self.bits.size < size:
            self.bits.reset(size, 0)
        bits = <uint64_t*> self.bits.data
        for i in range(count):
            for j in range(offsets[members[i]], offsets[members[i] + 1]):
                bits[<int64_t> (entries[j] >> 32) * width + <int64_t> (<uint32_t> entries[j] >> 6)] |= \
                    <uint64_t> 1 << (entries[j] & 63)
            work(self.meter, offsets[members[i] + 1] - offsets[members[i]])
        for letter in range(self.nfa.bound):
            work(self.meter, width)
            for word in range(width):
                marks = bits[letter * width + word]
                if marks == 0:
                    continue
                bits[letter * width + word] = 0
                head = (<uint64_t> letter << 32) | <uint64_t> (word << 6)
                while marks:
                    out[written] = head | <uint64_t> lowest_bit(marks)
                    written += 1
                    marks &= marks - 1
        self.found = out
        self.found_count = written
        return 0

    cdef int gather_letters(self, int64_t subset, const int64_t* wanted, int64_t count) except -1 nogil:
        """As `gather`, but only entries whose letter number is among the `count` increasing `wanted`."""
        cdef const int64_t* offsets = longs(self.nfa.offsets)
        cdef const uint64_t* entries = <const uint64_t*> self.nfa.entries.data
        cdef int64_t member, state, i, end, w
        cdef uint64_t letter
        self.front.size = self.back.size = self.runs.size = 0
        push_long(self.runs, 0)
        for member in range(longs(self.begins)[subset], longs(self.begins)[subset + 1]):
            state = ints(self.members)[member]
            i = offsets[state]
            end = offsets[state + 1]
            reserve(self.front, end - i)
            w = 0
            while w < count and i < end:
                letter = <uint64_t> wanted[w]
                if entries[i] >> 32 < letter:
                    i = seek_letter(entries, i, end, letter)
                    continue
                while i < end and entries[i] >> 32 == letter:
                    (<uint64_t*> self.front.data)[self.front.size] = entries[i]
                    self.front.size += 1
                    i += 1
                w += 1
            if self.front.size > longs(self.runs)[self.runs.size - 1]:
                push_long(self.runs, self.front.size)
            work(self.meter, count)
        return self.merge_runs()

    cdef int merge_runs(self) except -1 nogil:
        """Merge the runs in `front` into one, which becomes `found`."""
        cdef int64_t i, written, kept, begin, middle, end
        cdef int64_t* runs = longs(self.runs)
        cdef uint64_t* source = <uint64_t*> self.front.data
        cdef uint64_t* target
        cdef uint64_t* other
        cdef int64_t count = self.runs.size - 1
        if count > 1:
            reserve(self.back, self.front.size)
        target = <uint64_t*> self.back.data
        while count > 1:
            work(self.meter, runs[count])
            written = kept = i = 0
            while i < count:
                begin, middle = runs[i], runs[i + 1]
                if i + 1 < count:
                    end = runs[i + 2]
                    written += merge_sorted(source + begin, middle - begin, source + middle, end - middle,
                                            target + written)
                else:
                    memcpy(target + written, source + begin, <size_t> (8 * (middle - begin)))
                    written += middle - begin
                # Never overtakes the reading: run `kept` ends where two runs ended before.
                kept += 1
                runs[kept] = written
                i += 2
            count = kept
            other = source
            source = target
            target = other
        self.found = source
        self.found_count = runs[count]
        return 0


cdef inline int64_t merge_sorted(const uint64_t* a, int64_t a_count, const uint64_t* b, int64_t b_count,
                                 uint64_t* out) noexcept nogil:
    """Merge two increasing runs, without repetitions; returns how many entries were written."""
    cdef int64_t i = 0, j = 0, written = 0
    cdef uint64_t x, y
    while i < a_count and j < b_count:
        x, y = a[i], b[j]
        out[written] = x if x < y else y
        written += 1
        i += x <= y
        j += y <= x
    if i < a_count:
        memcpy(out + written, a + i, <size_t> (8 * (a_count - i)))
        return written + a_count - i
    if j < b_count:
        memcpy(out + written, b + j, <size_t> (8 * (b_count - j)))
        written += b_count - j
    return written


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
