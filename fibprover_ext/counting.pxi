"""Counting quantification: a subset construction that remembers how many runs lead to each state.

A deterministic automaton has one run on a word, so the values of the quantified tracks that
complete a word are counted by accepting runs.  Counts are capped, which keeps them finite.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcmp, memmove

cdef extern from * nogil:
    """
    struct FibproverRun {
        int64_t letter;
        int32_t target;
        int32_t weight;
        bool operator<(const FibproverRun& other) const {
            return letter != other.letter ? letter < other.letter : target < other.target;
        }
    };
    """
    cppclass Run "FibproverRun":
        int64_t letter      # kept letter code
        int32_t target
        int32_t weight      # how many transitions, at most the cap


def count_runs(Csr a, Recode kept, int64_t zero, int64_t least, bint exactly, Meter meter):
    """The words over kept letters with the outputs of all words of `a` that are projected to them, added up.

    Sums are capped at `least`.  exactly: whether the outputs of the result are the sums, or 1 where a sum
    reaches `least` and 0 elsewhere.  An automaton whose outputs are counts already is counted on.
    zero: the kept code of the all-zero letter, or -1.  With it the initial runs are those after any
    number of zeros: state 0 has to loop on the all-zero letter, so that zeros only add runs.
    least: 1 .. 2^31 - 1.  Exponential in states * log(least) at worst.
    """
    cdef Counts counts
    if least < 1 or least > 0x7fffffff:
        raise TooLargeError("a count must lie between 1 and 2^31 - 1")
    counts = Counts(a, kept, least, meter)
    cdef Rows rows = Rows(meter)
    with nogil:
        counts.start(zero)
        counts.walk(rows, exactly)
    return rows.finish().export()


cdef class Counts:
    """Numbered multisets of states: members[begins[i]:begins[i + 1]] holds state << 32 | count, increasing."""

    cdef Meter meter
    cdef Csr a
    cdef int64_t least
    cdef Block offsets, entries     # a's rows over kept letters; entries are Runs, two items each
    cdef Block members, begins
    cdef Table table
    cdef Block gathered             # Runs of the multiset last gathered, merged
    cdef int64_t gathered_count

    def __cinit__(self, Csr a, Recode kept, int64_t least, Meter meter):
        self.meter = meter
        self.a = a
        self.least = least
        self.offsets = new_longs(meter)
        self.entries = new_longs(meter)
        self.members = new_longs(meter)
        self.begins = new_longs(meter)
        self.gathered = new_longs(meter)
        self.table = Table(meter)
        push_long(self.offsets, 0)
        push_long(self.begins, 0)
        with nogil:
            self.prepare(kept)

    cdef int prepare(self, Recode kept) except -1 nogil:
        """The rows over kept letters, transitions that became equal taken together."""
        cdef int64_t state, i, begin = 0, count
        cdef Run* row
        reserve(self.entries, 2 * self.a.transitions)
        for state in range(self.a.states):
            row = <Run*> self.entries.data + begin
            count = self.a.offsets[state + 1] - self.a.offsets[state]
            for i in range(count):
                row[i].letter = recode(kept, self.a.codes[self.a.offsets[state] + i])
                row[i].target = self.a.targets[self.a.offsets[state] + i]
                row[i].weight = 1
                if not i & 4095:
                    work(self.meter, 4096)
            count = merge_equal_runs(row, count, self.least, self.meter)
            begin += count
            push_long(self.offsets, begin)
            work(self.meter, count + 1)
        self.entries.size = 2 * begin
        return 0

    cdef int start(self, int64_t zero) except -1 nogil:
        """Multiset 0: one run in state 0, and all that leading zeros add to it."""
        cdef int64_t i, first, before, after
        cdef const int64_t* fresh
        cdef Run* runs
        push_long(self.members, 1)
        push_long(self.begins, 1)
        while zero >= 0:
            self.gather(0)
            runs = <Run*> self.gathered.data
            first = 0
            while first < self.gathered_count and runs[first].letter < zero:
                first += 1
            i = first
            while i < self.gathered_count and runs[i].letter == zero:
                i += 1
            before = longs(self.begins)[1]
            after = self.put(first, i)
            fresh = longs(self.members) + before
            if after == before and memcmp(longs(self.members), fresh, <size_t> (8 * after)) == 0:
                break
            memmove(longs(self.members), fresh, <size_t> (8 * after))
            self.members.size = longs(self.begins)[1] = after
        self.intern(0)
        return 0

    cdef int64_t put(self, int64_t begin, int64_t end) except -1 nogil:
        """Write gathered runs begin..end as a multiset after the last one; return its size.

        Room is made for it twice, so that multiset 0 may be replaced by it.
        """
        cdef int64_t i
        cdef int64_t* fresh
        cdef Run* runs = <Run*> self.gathered.data
        reserve(self.members, 2 * (end - begin))
        fresh = longs(self.members) + self.members.size
        for i in range(begin, end):
            fresh[i - begin] = (<int64_t> runs[i].target << 32) | runs[i].weight
        return end - begin

    cdef int64_t intern(self, int64_t count) except -1 nogil:
        """Return the number of the multiset of `count` members after the last one; 0 if the table is empty."""
        cdef int64_t number = self.begins.size - 1, i
        cdef const int64_t* fresh
        cdef uint64_t hash, x
        cdef Probe probe
        cdef bint first = self.table.used == 0
        if first:
            number = 0
            fresh = longs(self.members)
            count = longs(self.begins)[1]
        else:
            fresh = longs(self.members) + self.members.size
        hash = <uint64_t> count
        for i in range(count):
            x = (<uint64_t> fresh[i] + 1) * <uint64_t> 0x9E3779B97F4A7C15
            hash = (hash ^ (x >> 29) ^ x) * <uint64_t> 0xBF58476D1CE4E5B9
        probe = look_up(self.table, mix(hash))
        i = find_run(probe, <const int64_t*> self.members.data, <const int64_t*> self.begins.data, fresh, count)
        if i >= 0:
            return i
        if not first:
            self.members.size += count
            push_long(self.begins, self.members.size)
        enter(self.table, probe, number)
        return number

    cdef int gather(self, int64_t number) except -1 nogil:
        """The runs out of a multiset, by letter and target, their weights added up to the cap."""
        cdef int64_t member, i, state, total = 0, weight, count
        cdef const int64_t* offsets = longs(self.offsets)
        cdef const int64_t* members = longs(self.members)
        cdef const Run* entries = <const Run*> self.entries.data
        cdef Run* runs
        cdef int64_t begin = longs(self.begins)[number], end = longs(self.begins)[number + 1]
        for member in range(begin, end):
            state = members[member] >> 32
            total += offsets[state + 1] - offsets[state]
        self.gathered.size = 0
        reserve(self.gathered, 2 * total)
        runs = <Run*> self.gathered.data
        count = 0
        for member in range(begin, end):
            state = members[member] >> 32
            weight = members[member] & <int64_t> 0xffffffff
            for i in range(offsets[state], offsets[state + 1]):
                runs[count] = entries[i]
                runs[count].weight = <int32_t> min(self.least, weight * entries[i].weight)
                count += 1
            work(self.meter, 2 * (offsets[state + 1] - offsets[state]) + 1)
        self.gathered_count = merge_equal_runs(runs, count, self.least, self.meter)
        work(self.meter, 2 * total)
        return 0

    cdef int walk(self, Rows rows, bint exactly) except -1 nogil:
        """All multisets reached, in the order found."""
        cdef int64_t done = 0, begin, end, number, member, total, output
        cdef Run* runs
        while done < self.begins.size - 1:
            self.gather(done)
            runs = <Run*> self.gathered.data
            begin = 0
            while begin < self.gathered_count:
                end = begin + 1
                while end < self.gathered_count and runs[end].letter == runs[begin].letter:
                    end += 1
                number = self.intern(self.put(begin, end))
                push_transition(rows, runs[begin].letter, <int32_t> number)
                begin = end
            total = 0
            for member in range(longs(self.begins)[done], longs(self.begins)[done + 1]):
                output = self.a.outputs[longs(self.members)[member] >> 32]
                if output > 0:
                    # Both factors are below 2^31, and so is each summand.
                    total = min(self.least, total + output * (longs(self.members)[member] & <int64_t> 0xffffffff))
            done += 1
            rows.end_row(total if exactly else total >= self.least, self.begins.size - 1, self.gathered_count + 8)
        return 0


cdef int64_t merge_equal_runs(Run* runs, int64_t count, int64_t cap, Meter meter) except -1 nogil:
    """Sort runs by letter and target and add up the weights of equal ones, to the cap; how many are left."""
    cdef int64_t i, written = 0
    if count == 0:
        return 0
    sort_polled(runs, count, poll_meter, <void*> meter)
    for i in range(1, count):
        if runs[i].letter == runs[written].letter and runs[i].target == runs[written].target:
            runs[written].weight = <int32_t> min(cap, <int64_t> runs[written].weight + runs[i].weight)
        else:
            written += 1
            runs[written] = runs[i]
    return written + 1
