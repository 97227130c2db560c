"""Checks of a guessed automaton: how deep its states differ, and how many tuples below a bound it accepts."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libcpp.unordered_map cimport unordered_map
from libcpp.utility cimport pair

# Components are bits of a mask, above a state in 64 bits.
cdef int64_t MOST_COMPONENTS = 30


def separating_depth(Csr a, Meter meter):
    """Return the least length such that words up to it tell any two states apart, and a state from a missing one.

    Moore's rounds: after round d, two states are in one class if they accept the same words of at most d letters;
    class 0 accepts none of them.  O(depth * transitions) expected time; 8 bytes a state, and a table.
    """
    cdef Block first = new_ints(meter), second = new_ints(meter), members = new_ints(meter)
    cdef int32_t* before
    cdef int32_t* now
    cdef Table table = Table(meter)
    cdef int64_t state, classes = 1, found = 1, depth = -1
    with nogil:
        first.reset(a.states, 0)
        second.reset(a.states, 0)
        before, now = ints(first), ints(second)
        for state in range(a.states):
            now[state] = a.outputs[state] != 0
            if now[state]:
                found = 2
        while found > classes:
            classes = found
            depth += 1
            now, before = before, now
            found = regroup_by_words(a, before, now, members, table)
    return max(depth, 0)


cdef int64_t regroup_by_words(Csr a, const int32_t* before, int32_t* now, Block members, Table table) except -1 nogil:
    """Group the states that accept the same words of one letter more; return the number of classes, with class 0."""
    cdef int64_t state, number
    cdef Probe probe
    members.size = 0
    table.clear()
    for state in range(a.states):
        work(table.meter, a.offsets[state + 1] - a.offsets[state] + 1)
        if before[state] == 0 and next_live(a, before, a.offsets[state], a.offsets[state + 1]) == a.offsets[state + 1]:
            now[state] = 0
            continue
        probe = look_up(table, signature(a, before, state))
        while probe.next():
            if alike(a, before, ints(members)[probe.number], state):
                number = probe.number
                break
        else:
            number = members.size
            push_int(members, <int32_t> state)
            enter(table, probe, number)
        now[state] = <int32_t> (number + 1)
    return members.size + 1


cdef inline int64_t next_live(Csr a, const int32_t* before, int64_t i, int64_t end) noexcept nogil:
    """Return the first transition from i on that leads to a class other than 0."""
    while i < end and before[a.targets[i]] == 0:
        i += 1
    return i


cdef inline uint32_t signature(Csr a, const int32_t* before, int64_t state) noexcept nogil:
    """Hash of a state's class, and of the letters and classes it leads to."""
    cdef uint64_t hash = <uint64_t> before[state], x
    cdef int64_t i
    for i in range(a.offsets[state], a.offsets[state + 1]):
        if before[a.targets[i]]:
            x = (<uint64_t> a.codes[i] << 32 ^ <uint64_t> before[a.targets[i]]) * <uint64_t> 0x9E3779B97F4A7C15
            hash += x ^ (x >> 32)
    return mix(hash)


cdef inline bint alike(Csr a, const int32_t* before, int64_t s, int64_t t) noexcept nogil:
    """Return whether two states are of one class, and lead by the same letters to the same classes."""
    cdef int64_t s_end = a.offsets[s + 1], t_end = a.offsets[t + 1]
    cdef int64_t i = next_live(a, before, a.offsets[s], s_end), j = next_live(a, before, a.offsets[t], t_end)
    if before[s] != before[t]:
        return False
    while i < s_end and j < t_end:
        if a.codes[i] != a.codes[j] or before[a.targets[i]] != before[a.targets[j]]:
            return False
        i = next_live(a, before, i + 1, s_end)
        j = next_live(a, before, j + 1, t_end)
    return i == s_end and j == t_end


def accepted_up_to(Csr a, const int64_t[::1] greatest, int64_t width, int64_t digits, Meter meter):
    """How many words of one length a accepts in which no component is lexicographically greater than a given word.

    greatest: that word; a: over `width` tracks of digits 0 .. digits - 1.  Modulo 2^64.
    O(length * transitions) time, and as much again for every set of components that follow the word to its end;
    16 bytes a state.
    """
    cdef Block now = new_longs(meter), later = new_longs(meter)
    cdef unordered_map[uint64_t, uint64_t] bounded
    cdef int64_t place
    cdef uint64_t total
    if not 1 <= width <= MOST_COMPONENTS:
        raise TooLargeError(f"{width} components")
    with nogil:
        now.reset(a.states, 0)
        later.reset(a.states, 0)
        # Words are counted by the state they lead to; those with components that may still become too great, apart.
        bounded[<uint64_t> ((<int64_t> 1 << width) - 1) << 32] = 1
        for place in range(greatest.shape[0]):
            if place % 2 == 0:
                read_letter(a, longs(now), longs(later), bounded, greatest[place], width, digits, meter)
            else:
                read_letter(a, longs(later), longs(now), bounded, greatest[place], width, digits, meter)
        total = accepted_in_total(a, longs(later) if greatest.shape[0] % 2 else longs(now), bounded)
    return total


cdef uint64_t accepted_in_total(Csr a, const int64_t* unbounded, unordered_map[uint64_t,
                                uint64_t]& bounded) noexcept nogil:
    """How many of the words are accepted."""
    cdef uint64_t total = 0
    cdef int64_t state
    cdef pair[uint64_t, uint64_t] entry
    for state in range(a.states):
        if a.outputs[state]:
            total += <uint64_t> unbounded[state]
    for entry in bounded:
        if a.outputs[<int64_t> <uint32_t> entry.first]:
            total += entry.second
    return total


cdef int read_letter(Csr a, int64_t* now, int64_t* later, unordered_map[uint64_t, uint64_t]& bounded, int64_t greatest,
                     int64_t width, int64_t digits, Meter meter) except -1 nogil:
    """Words one letter longer; now, later: by state, how many words have no component that is bounded."""
    cdef unordered_map[uint64_t, uint64_t] following
    cdef pair[uint64_t, uint64_t] entry
    cdef int64_t state, i, mask, code, k, digit
    for state in range(a.states):
        later[state] = 0
    for state in range(a.states):
        if now[state]:
            for i in range(a.offsets[state], a.offsets[state + 1]):
                later[a.targets[i]] = <int64_t> (<uint64_t> later[a.targets[i]] + <uint64_t> now[state])
            work(meter, a.offsets[state + 1] - a.offsets[state])
    work(meter, a.states)
    for entry in bounded:
        state = <int64_t> <uint32_t> entry.first
        for i in range(a.offsets[state], a.offsets[state + 1]):
            mask = <int64_t> (entry.first >> 32)
            code = a.codes[i]
            for k in range(width):
                digit = code % digits
                code //= digits
                if mask >> k & 1 and digit != greatest:
                    mask = mask & ~(<int64_t> 1 << k) if digit < greatest else -1
                    if mask < 0:
                        break
            if mask == 0:
                later[a.targets[i]] = <int64_t> (<uint64_t> later[a.targets[i]] + entry.second)
            elif mask > 0:
                following[<uint64_t> mask << 32 | <uint64_t> a.targets[i]] += entry.second
        work(meter, 8 * (a.offsets[state + 1] - a.offsets[state]) + 8)
    bounded.swap(following)
    return 0
