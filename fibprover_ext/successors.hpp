// The successors of sets of states: rows are merged, and several threads may do so for different sets.
//
// A row holds (letter << 32 | target), sorted and free of repetitions.  Nothing here allocates: memory counts against a
// budget, which `Subsets` in subsets.pxi keeps.

#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "hash_table.hpp"
#include "threads.hpp"

#if defined(_MSC_VER)
#include <intrin.h>
#endif

namespace fibprover {

inline int lowest_bit(std::uint64_t bits) {
#if defined(_MSC_VER)
    unsigned long place;
    _BitScanForward64(&place, bits);
    return static_cast<int>(place);
#else
    return __builtin_ctzll(bits);
#endif
}

// Merge two increasing runs, without repetitions; returns how many entries were written.
inline std::int64_t merge_sorted(const std::uint64_t* a, std::int64_t a_count, const std::uint64_t* b,
                                 std::int64_t b_count, std::uint64_t* out) {
    std::int64_t i = 0, j = 0, written = 0;
    while (i < a_count && j < b_count) {
        const std::uint64_t x = a[i], y = b[j];
        out[written++] = x < y ? x : y;
        i += x <= y;
        j += y <= x;
    }
    if (i < a_count) {
        std::memcpy(out + written, a + i, 8 * (a_count - i));
        return written + a_count - i;
    }
    if (j < b_count) {
        std::memcpy(out + written, b + j, 8 * (b_count - j));
        written += b_count - j;
    }
    return written;
}

// The rows of a nondeterministic automaton, and what it costs to look one up, in steps.
struct RowsOfNfa {
    const std::int64_t* offsets;
    const std::uint64_t* entries;
    std::int64_t letters, words, row_steps;
};

// Memory of one thread: two buffers for the entries of a set's rows, where runs begin in them, a bit for each letter and
// state, all 0 between two sets, and one for each state, all 0 between two prunings.
struct MergingRoom {
    std::uint64_t *front, *back, *bits, *marks;
    std::int64_t* runs;
};

// Rows of at least so many states are gathered as bits if these are not many more than their entries.
constexpr std::int64_t MOST_MERGED = 8;

inline std::int64_t entries_of(const RowsOfNfa& nfa, const std::int32_t* members, std::int64_t count) {
    std::int64_t total = 0;
    for (std::int64_t i = 0; i < count; ++i) total += nfa.offsets[members[i] + 1] - nfa.offsets[members[i]];
    return total;
}

inline bool as_bits(const RowsOfNfa& nfa, std::int64_t count, std::int64_t total) {
    return count >= MOST_MERGED && nfa.letters * nfa.words <= total;
}

// Merge the `count` runs in `front` into one, which `found` will point to; returns its length, or -1 to stop.
inline std::int64_t merge_runs(MergingRoom& room, std::int64_t count, Pace& pace, const std::uint64_t** found) {
    std::uint64_t *source = room.front, *target = room.back;
    std::int64_t* runs = room.runs;
    while (count > 1) {
        if (pace.stops(runs[count])) return -1;
        std::int64_t written = 0, kept = 0;
        for (std::int64_t i = 0; i < count; i += 2) {
            const std::int64_t begin = runs[i], middle = runs[i + 1];
            if (i + 1 < count) {
                written += merge_sorted(source + begin, middle - begin, source + middle, runs[i + 2] - middle,
                                        target + written);
            } else {
                std::memcpy(target + written, source + begin, 8 * (middle - begin));
                written += middle - begin;
            }
            // Never overtakes the reading: run `kept` ends where two runs ended before.
            runs[++kept] = written;
        }
        count = kept;
        std::swap(source, target);
    }
    *found = source;
    return runs[count];
}

// As `gather`, for many states: mark each letter and target, then read the marks in order.
inline std::int64_t gather_bits(const RowsOfNfa& nfa, const std::int32_t* members, std::int64_t count,
                                MergingRoom& room, Pace& pace, const std::uint64_t** found) {
    std::uint64_t *bits = room.bits, *out = room.front;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t begin = nfa.offsets[members[i]], end = nfa.offsets[members[i] + 1];
        for (std::int64_t j = begin; j < end; ++j) {
            const std::uint64_t entry = nfa.entries[j];
            bits[static_cast<std::int64_t>(entry >> 32) * nfa.words + (static_cast<std::uint32_t>(entry) >> 6)] |=
                std::uint64_t(1) << (entry & 63);
        }
        if (pace.stops(end - begin)) return -1;
    }
    std::int64_t written = 0;
    for (std::int64_t letter = 0; letter < nfa.letters; ++letter) {
        if (pace.stops(nfa.words)) return -1;
        std::uint64_t* row = bits + letter * nfa.words;
        for (std::int64_t word = 0; word < nfa.words; ++word) {
            std::uint64_t marks = row[word];
            if (marks == 0) continue;
            row[word] = 0;
            const std::uint64_t head = std::uint64_t(letter) << 32 | std::uint64_t(word << 6);
            for (; marks; marks &= marks - 1) out[written++] = head | std::uint64_t(lowest_bit(marks));
        }
    }
    *found = out;
    return written;
}

// Merge the rows of a set's states, sorted and free of repetitions; `found` will point to the entries.  `total` is how
// many entries the rows have, for which the room is large enough.  Returns the number of entries found, or -1 to stop;
// adds the steps that this took.
inline std::int64_t gather(const RowsOfNfa& nfa, const std::int32_t* members, std::int64_t count, std::int64_t total,
                           MergingRoom& room, Pace& pace, const std::uint64_t** found, std::int64_t* steps) {
    if (count == 1) {
        *found = nfa.entries + nfa.offsets[members[0]];
        *steps += total;
        return total;
    }
    if (as_bits(nfa, count, total)) {
        *steps += (total + nfa.letters * nfa.words + count * nfa.row_steps) >> 1;
        return gather_bits(nfa, members, count, room, pace, found);
    }
    // The first level merges straight from the rows.
    std::int64_t written = 0, runs = 0;
    room.runs[0] = 0;
    for (std::int64_t i = 0; i < count; i += 2) {
        const std::uint64_t* first = nfa.entries + nfa.offsets[members[i]];
        const std::int64_t length = nfa.offsets[members[i] + 1] - nfa.offsets[members[i]];
        if (i + 1 < count) {
            written += merge_sorted(first, length, nfa.entries + nfa.offsets[members[i + 1]],
                                    nfa.offsets[members[i + 1] + 1] - nfa.offsets[members[i + 1]],
                                    room.front + written);
        } else {
            std::memcpy(room.front + written, first, 8 * length);
            written += length;
        }
        room.runs[++runs] = written;
    }
    *steps += count * nfa.row_steps;
    for (; count > 1; count = (count + 1) >> 1) *steps += total;
    return merge_runs(room, runs, pace, found);
}

// The states that simulate each state, as rows of `width` words of bits, of which the lesser of two equal states has the
// other one's; no rows where nothing is pruned.
struct Pruning {
    const std::uint64_t* above;
    std::int64_t width;
};

// Remove the states that others of the entries, all of one letter and increasing, simulate; returns how many stay, and
// adds the steps that this took.
template <class Entry>
std::int64_t prune(const Pruning& pruning, Entry* entries, std::int64_t count, std::uint64_t* marks,
                   std::int64_t* steps) {
    if (count < 2) return count;
    const auto state = [&](std::int64_t i) { return static_cast<std::uint32_t>(entries[i]); };
    const std::int64_t low = state(0) >> 6, high = state(count - 1) >> 6;
    for (std::int64_t i = 0; i < count; ++i) marks[state(i) >> 6] |= std::uint64_t(1) << (state(i) & 63);
    std::int64_t kept = 0, taken = count * (4 + pruning.width / 8);
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint64_t* above = pruning.above + state(i) * pruning.width;
        std::int64_t word = low;
        while (word <= high && !(above[word] & marks[word])) ++word;
        taken += (word <= high ? word : high) - low + 1;
        if (word > high) entries[kept++] = entries[i];
    }
    for (std::int64_t word = low; word <= high; ++word) marks[word] = 0;
    *steps += taken;
    return kept;
}

// The tag of a set of increasing states: 32 bits for `Probe`.
inline std::uint32_t tag_of(const std::int32_t* states, std::int64_t count) {
    std::uint64_t hash = static_cast<std::uint64_t>(count);
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint64_t x = (std::uint64_t(static_cast<std::uint32_t>(states[i])) + 1) * 0x9E3779B97F4A7C15u;
        hash += (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9u;
    }
    return mix(hash);
}

// The sets that were numbered so far, and the table in which they are found.  It changes between rounds only.
struct NumberedSets {
    const std::int32_t* members;
    const std::int64_t* begins;
    const std::int32_t* singles;  // of each state: the number of the set of just it, or -1
    const std::uint64_t* slots;
    std::uint64_t mask;
};

// A successor that a round has found: the letter, where its states end, its number or -1 if it was not there before
// the round, and its tag.
struct Successor {
    std::uint32_t letter, tag;
    std::int32_t number;
    std::uint32_t end;
};

// What a round has found about one set.  `entries`: of its rows; `first_state`, `first_successor`: where its part of
// `states` and `successors` begins; `merged`: how many entries were left of the rows; `steps`: those taken.
struct Successors {
    std::int64_t entries, first_state, first_successor, merged, successors, steps;
};

struct Round {
    RowsOfNfa nfa;
    Pruning pruning;
    NumberedSets sets;
    std::int64_t first, count;  // the sets whose successors are looked for
    Successors* of_set;
    Successor* successors;
    std::int32_t* states;
};

// Find the successors of one set.
inline bool find_successors(const Round& round, std::int64_t set, MergingRoom& room, Pace& pace) {
    Successors& result = round.of_set[set - round.first];
    const std::int64_t first = round.sets.begins[set], size = round.sets.begins[set + 1] - first;
    const std::uint64_t* found;
    const std::int64_t count =
        gather(round.nfa, round.sets.members + first, size, result.entries, room, pace, &found, &result.steps);
    if (count < 0) return false;
    Successor* successors = round.successors + result.first_successor;
    std::int32_t* states = round.states + result.first_state;
    std::int64_t place = 0, number = 0, end = 0;
    while (place < count) {
        const std::uint64_t letter = found[place] >> 32;
        const std::int64_t begin = end;
        for (; place < count && found[place] >> 32 == letter; ++place)
            states[end++] = static_cast<std::int32_t>(static_cast<std::uint32_t>(found[place]));
        if (round.pruning.above) {
            const std::int64_t before = result.steps;
            end = begin + prune(round.pruning, states + begin, end - begin, room.marks, &result.steps);
            if (pace.stops(result.steps - before)) return false;
        }
        Successor& one = successors[number++];
        one.letter = static_cast<std::uint32_t>(letter);
        one.end = static_cast<std::uint32_t>(end);
        one.tag = tag_of(states + begin, end - begin);
        prefetch(round.sets.slots + (one.tag & round.sets.mask));
    }
    // Looked up together, so that the memory is waited for once.
    std::int64_t start = 0;
    for (std::int64_t i = 0; i < number; ++i) {
        Successor& one = successors[i];
        if (one.end - start == 1) {
            one.number = round.sets.singles[states[start]];
        } else {
            Probe probe(round.sets.slots, round.sets.mask, one.tag);
            one.number = static_cast<std::int32_t>(
                find_run(probe, round.sets.members, round.sets.begins, states + start, one.end - start));
        }
        start = one.end;
    }
    result.successors = number;
    result.merged = count;
    return true;
}

// Find the successors of all sets of a round, in as many threads as there are rooms.  Returns 0, or -1 if `poll`, which
// this thread alone calls, has stopped it.
inline int carry_out(const Round& round, MergingRoom* rooms, int threads, int (*poll)(void*), void* meter) {
    const auto find = [&](int thread, std::int64_t begin, std::int64_t end, Pace& pace) {
        for (std::int64_t i = begin; i < end; ++i)
            if (!find_successors(round, round.first + i, rooms[thread], pace)) return false;
        return true;
    };
    return share_out(round.count, threads, find, poll, meter);
}

}  // namespace fibprover
