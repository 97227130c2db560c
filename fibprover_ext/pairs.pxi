"""Shared by the products: operands sorted by a common key once, and numbered pairs of states.

A look-up of a pair is a cache miss or two, and most of a product's time.  Small products therefore
look pairs up in a grid; large ones hash them, and ask for the memory of a whole row's pairs ahead.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libcpp.algorithm cimport binary_search, unique, upper_bound
from libcpp.pair cimport pair

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define fibprover_prefetch(address) __builtin_prefetch(address)
    #else
    #define fibprover_prefetch(address) ((void) 0)
    #endif
    """
    void fibprover_prefetch(const void* address) noexcept nogil

# The most cells of a grid: in total, and for each state and transition of the operands.
cdef int64_t MOST_CELLS = 1 << 23
cdef int64_t CELLS_PER_STEP = 32

# Tables of fewer slots stay in the cache, so that prefetching gains nothing.
cdef uint64_t CACHED_SLOTS = 1 << 14

# Steps that a search of a sorted row counts for.
cdef int64_t SEEKING = 16

ctypedef pair[int64_t, int64_t] Key
ctypedef pair[Key, int32_t] Entry


cdef Operand prepare(Csr source, Recode key, Recode part, Meter meter):
    """Recode all transitions and sort every row.  O(transitions * log(longest row)) time, 20 bytes each."""
    cdef Operand result = new_operand(source, meter)
    cdef Block row = new_longs(meter)
    with nogil:
        result.keys.reset(source.transitions, 0)
        result.parts.reset(source.transitions, 0)
        result.targets.reset(source.transitions, 0)
        fill_operand(source, key, part, longs(result.keys), longs(result.parts), ints(result.targets), row, meter)
    return result


cdef Operand prepare_keys(Csr source, Recode key, Meter meter):
    """As `prepare` where only the key of a letter matters: transitions of one key to one target are one."""
    cdef Operand result = new_operand(source, meter)
    cdef Block row = new_longs(meter)
    result.begins = new_longs(meter)
    with nogil:
        result.keys.reset(source.transitions, 0)
        result.targets.reset(source.transitions, 0)
        result.begins.reset(source.states + 1, 0)
        fill_operand_keys(source, key, result, row, meter)
    result.offsets = longs(result.begins)
    return result


cdef Operand new_operand(Csr source, Meter meter):
    cdef Operand result = Operand.__new__(Operand)
    result.source = source
    result.offsets = source.offsets
    result.keys = new_longs(meter)
    result.parts = new_longs(meter)
    result.targets = new_ints(meter)
    return result


cdef int fill_operand(Csr source, Recode key, Recode part, int64_t* keys, int64_t* parts, int32_t* targets,
                      Block scratch, Meter meter) except -1 nogil:
    cdef int64_t state, begin, end, i, j
    cdef bint sorted_already
    cdef Entry* row
    for state in range(source.states):
        begin = source.offsets[state]
        end = source.offsets[state + 1]
        sorted_already = True
        for i in range(begin, end):
            keys[i] = recode(key, source.codes[i])
            parts[i] = recode(part, source.codes[i])
            targets[i] = source.targets[i]
            if not i & 4095:
                work(meter, 4096)
            if i > begin and (keys[i] < keys[i - 1] or (keys[i] == keys[i - 1] and parts[i] < parts[i - 1])):
                sorted_already = False
        work(meter, end - begin + 1)
        if sorted_already:
            continue
        scratch.size = 0
        reserve(scratch, 3 * (end - begin))
        row = <Entry*> scratch.data
        for i in range(begin, end):
            j = i - begin
            row[j].first.first = keys[i]
            row[j].first.second = parts[i]
            row[j].second = targets[i]
        sort_polled(row, end - begin, poll_meter, <void*> meter)
        for i in range(begin, end):
            j = i - begin
            keys[i] = row[j].first.first
            parts[i] = row[j].first.second
            targets[i] = row[j].second
        work(meter, 4 * (end - begin))
    return 0


cdef int fill_operand_keys(Csr source, Recode key, Operand result, Block scratch, Meter meter) except -1 nogil:
    cdef int64_t* keys = longs(result.keys)
    cdef int32_t* targets = ints(result.targets)
    cdef int64_t state, i, count, written = 0
    cdef Short* row
    cdef bint rising
    for state in range(source.states):
        count = source.offsets[state + 1] - source.offsets[state]
        scratch.size = 0
        reserve(scratch, 2 * count)
        row = <Short*> scratch.data
        rising = True
        for i in range(count):
            row[i].first = recode(key, source.codes[source.offsets[state] + i])
            row[i].second = source.targets[source.offsets[state] + i]
            if not i & 4095:
                work(meter, 4096)
            if i and not row[i - 1] < row[i]:
                rising = False
        if not rising:
            sort_polled(row, count, poll_meter, <void*> meter)
            count = unique(row, row + count) - row
        for i in range(count):
            keys[written + i] = row[i].first
            targets[written + i] = row[i].second
        written += count
        longs(result.begins)[state + 1] = written
        work(meter, 2 * count + 1)
    result.keys.size = result.targets.size = written
    return 0


cdef Pairs new_pairs(uint64_t first, int64_t height, int64_t width, int64_t effort, Meter meter):
    """Pairs (p, q), p < height, q < width, of which `first` is number 0; effort: size of the operands."""
    cdef Pairs pairs = Pairs.__new__(Pairs)
    cdef int64_t cells = min(min(MOST_CELLS, CELLS_PER_STEP * effort), (meter.max_bytes - meter.bytes) >> 4)
    pairs.meter = meter
    pairs.found = new_longs(meter)
    pairs.wanted = new_longs(meter)
    pairs.ends = new_longs(meter)
    pairs.width = width
    pairs.grid = None
    if height <= cells // width:
        pairs.grid = new_ints(meter)
        pairs.grid.lazy_zeros(height * width)
        ints(pairs.grid)[<int64_t> (first >> 32) * width + <int64_t> <uint32_t> first] = 1
        push_long(pairs.found, <int64_t> first)
    else:
        pairs.table = Table(meter)
        intern(pairs.table, pairs.found, first)
    return pairs


cdef class Pairs:
    """Pairs of states numbered as found; a pair is (p << 32) | q, and `wanted` those to number next."""
    cdef Meter meter
    cdef Block found, wanted
    cdef Block ends                 # searches only: how many pairs were found when each one was done
    cdef Table table                # where a grid would be too large
    cdef Block grid                 # number + 1 of pair (p, q) at p * width + q
    cdef int64_t width

    cdef int number_wanted(self, Rows rows) except -1 nogil:
        """Append the numbers of the wanted pairs to the targets of `rows`; no pair is wanted afterwards."""
        cdef const uint64_t* wanted = <const uint64_t*> self.wanted.data
        cdef const uint64_t* slots
        cdef int64_t begin, end, i, count = self.wanted.size
        cdef uint32_t tag
        cdef uint64_t slot
        reserve(rows.targets, count)
        if self.grid is not None:
            return self.number_in_grid(rows)
        for begin in range(0, count, 64):
            work(self.meter, 64)
            end = min(begin + 64, count)
            if self.table.mask >= CACHED_SLOTS:
                slots = <const uint64_t*> self.table.slots.data
                for i in range(begin, end):
                    fibprover_prefetch(slots + (mix(wanted[i]) & self.table.mask))
                for i in range(begin, end):
                    tag = mix(wanted[i])
                    slot = slots[tag & self.table.mask]
                    if slot >> 32 == tag:
                        fibprover_prefetch(longs(self.found) + <uint32_t> slot - 1)
            for i in range(begin, end):
                push_int(rows.targets, <int32_t> intern(self.table, self.found, wanted[i]))
        self.wanted.size = 0
        return 0

    cdef int number_in_grid(self, Rows rows) except -1 nogil:
        cdef const uint64_t* wanted = <const uint64_t*> self.wanted.data
        cdef int32_t* grid = ints(self.grid)
        cdef int32_t* targets = ints(rows.targets) + rows.targets.size
        cdef int64_t i, cell, count = self.wanted.size
        for i in range(count):
            if not i & 4095:
                work(self.meter, 4096)
            cell = <int64_t> (wanted[i] >> 32) * self.width + <int64_t> <uint32_t> wanted[i]
            if not grid[cell]:
                if self.found.size >= self.meter.ceiling:
                    self.meter.too_many()
                push_long(self.found, <int64_t> wanted[i])
                grid[cell] = <int32_t> self.found.size
            targets[i] = grid[cell] - 1
        rows.targets.size += count
        self.wanted.size = 0
        return 0

    cdef list path(self, int64_t number):
        """The pairs on the way to a pair, in order.  The walk is breadth first, so that nothing else need be kept."""
        cdef const int64_t* ends = longs(self.ends)
        cdef list pairs = [<uint64_t> longs(self.found)[number]]
        while number:
            # The first pair whose end is beyond this number is the one from which it was found.
            number = upper_bound(ends, ends + self.ends.size, number) - ends
            pairs.append(<uint64_t> longs(self.found)[number])
        pairs.reverse()
        return pairs


cdef class Operand:
    """An automaton's transitions as (key, part, target), each row sorted by key, then part.

    Without parts (NULL) they are (key, target), each once.
    """
    cdef const int64_t* offsets
    cdef Block begins, keys, parts, targets
    cdef Csr source


cdef inline int want(Pairs pairs, Rows rows, int64_t code, uint64_t pair) except -1 nogil:
    """Begin a transition; `number_wanted` completes it with its target."""
    work(rows.meter, 1)     # a single row may be longer than the time allows
    push_long(rows.codes, code)
    return push_long(pairs.wanted, <int64_t> pair)


cdef inline int reach(Pairs pairs, uint64_t pair) except -1 nogil:
    """The end of a transition whose letter does not matter; `number_wanted` numbers it."""
    work(pairs.meter, 1)
    return push_long(pairs.wanted, <int64_t> pair)


cdef inline int64_t seek(const int64_t* keys, int64_t begin, int64_t end, int64_t key) noexcept nogil:
    """First place in the sorted keys[begin:end] whose key is not below `key`; gallops."""
    cdef int64_t step = 1, low = begin, high, middle
    while low < end and keys[low] < key:
        # Everything up to `low` is below; look `step` further.
        high = low + step
        if high < end and keys[high] < key:
            low = high
            step += step
            continue
        if step == 1:
            return low + 1
        high = min(high, end)
        low += 1
        while low < high:
            middle = (low + high) >> 1
            if keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        return low
    return low


cdef inline bint has_transition(Operand operand, int64_t state, int64_t key, int32_t target) noexcept nogil:
    """Return whether a state of an operand made by `prepare_keys` has a transition of this key to this target."""
    cdef const int64_t* keys = longs(operand.keys)
    cdef const int32_t* targets = ints(operand.targets)
    cdef int64_t end = operand.offsets[state + 1], begin = seek(keys, operand.offsets[state], end, key)
    return binary_search(targets + begin, targets + seek(keys, begin, end, key + 1), target)
