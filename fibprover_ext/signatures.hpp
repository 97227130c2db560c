// States grouped by their signatures, by one thread or several.
//
// A state's signature is its class and the classes of its targets, or at first its output and its letters.  Of each
// state the first one of the same signature is found, whatever the number of threads: signatures are hashed to be
// grouped and compared to be equal, and a slot of the table keeps the least state that was entered.  Nothing here
// allocates: memory counts against a budget, which `Rounds` in minimize.pxi keeps.

#pragma once

#include <atomic>
#include <cstdint>

#include "hash_table.hpp"
#include "threads.hpp"

namespace fibprover {

// A deterministic automaton and a class of each state, -1 for states that do not count.
struct Signatures {
    const std::int64_t *offsets, *codes;
    const std::int32_t *targets, *outputs, *classes;
    bool by_shape, as_relation;

    std::int32_t output(std::int64_t state) const { return as_relation ? outputs[state] != 0 : outputs[state]; }

    std::uint32_t hash(std::int64_t state) const { return by_shape ? hash_of<true>(state) : hash_of<false>(state); }

    bool alike(std::int64_t s, std::int64_t t) const { return by_shape ? agree<true>(s, t) : agree<false>(s, t); }

    template <bool shape>
    std::uint32_t hash_of(std::int64_t state) const {
        constexpr std::uint64_t step = 0xD6E8FEB86659FD93u, factor = 0x9E3779B97F4A7C15u;
        std::uint64_t position = 0, hash = static_cast<std::uint64_t>(shape ? output(state) : classes[state]);
        for (std::int64_t i = offsets[state], end = offsets[state + 1]; i < end; ++i) {
            const std::int32_t target = classes[targets[i]];
            if (target < 0) continue;
            position += step;
            const std::uint64_t x = (static_cast<std::uint64_t>(shape ? codes[i] : target) + position) * factor;
            hash += x ^ (x >> 32);
        }
        return mix(hash);
    }

    template <bool shape>
    bool agree(std::int64_t s, std::int64_t t) const {
        std::int64_t i = offsets[s], j = offsets[t];
        const std::int64_t i_end = offsets[s + 1], j_end = offsets[t + 1];
        if (classes[s] != classes[t] || (shape && output(s) != output(t))) return false;
        for (;; ++i, ++j) {
            while (i < i_end && classes[targets[i]] < 0) ++i;
            while (j < j_end && classes[targets[j]] < 0) ++j;
            if (i == i_end || j == j_end) return i == i_end && j == j_end;
            if (shape ? codes[i] != codes[j] : classes[targets[i]] != classes[targets[j]]) return false;
        }
    }
};

// What is grouped.  `sizes`: of each class, how many states it has; `first`: of each state that counts, the first one of
// its signature; `slots`: zeros, a power of two, more than there are states in classes of several.
struct Grouping {
    Signatures of;
    const std::int32_t* sizes;
    std::int32_t* first;
    std::uint64_t* slots;
    std::uint64_t mask;
};

using Slot = std::atomic<std::uint64_t>;
static_assert(sizeof(Slot) == sizeof(std::uint64_t) && Slot::is_always_lock_free, "slots are atomic as they are");

// The state in a slot, and its tag.
inline std::int64_t state_of(std::uint64_t slot) {
    return static_cast<std::int64_t>(static_cast<std::uint32_t>(slot)) - 1;
}
inline std::uint32_t tag_of_slot(std::uint64_t slot) { return static_cast<std::uint32_t>(slot >> 32); }

// Enter a state into the slots; returns the slot of its signature.
inline std::uint64_t enter_signature(const Grouping& grouping, std::uint32_t tag, std::int32_t state) {
    Slot* slots = reinterpret_cast<Slot*>(grouping.slots);
    const std::uint64_t entry = std::uint64_t(tag) << 32 | static_cast<std::uint32_t>(state + 1);
    for (std::uint64_t place = tag & grouping.mask;; place = (place + 1) & grouping.mask) {
        std::uint64_t slot = slots[place].load(std::memory_order_relaxed);
        if (slot == 0 && slots[place].compare_exchange_strong(slot, entry, std::memory_order_relaxed)) return place;
        // Not free, or not any more: then `slot` is what another thread has entered meanwhile.
        if (tag_of_slot(slot) != tag || !grouping.of.alike(state_of(slot), state)) continue;
        while (entry < slot && !slots[place].compare_exchange_weak(slot, entry, std::memory_order_relaxed)) {
        }
        return place;
    }
}

// So many states are looked up at a time: what one of them has to wait for in memory comes together with that of others.
constexpr int TOGETHER = 16;

// Tables of fewer slots stay in the cache, and so does what is compared: fetching it would gain nothing.
constexpr std::uint64_t MOST_CACHED = 1 << 13;

// Fetch what will be compared to states of these tags: the rows of those that were entered, and the classes there.
inline void fetch_rows(const Grouping& grouping, const std::uint32_t* tags, int count) {
    const Signatures& of = grouping.of;
    const Slot* slots = reinterpret_cast<const Slot*>(grouping.slots);
    std::int64_t states[TOGETHER];
    int found = 0;
    for (int i = 0; i < count; ++i) {
        const std::uint64_t slot = slots[tags[i] & grouping.mask].load(std::memory_order_relaxed);
        if (slot == 0 || tag_of_slot(slot) != tags[i]) continue;
        states[found] = state_of(slot);
        prefetch(of.offsets + states[found]);
        prefetch(of.classes + states[found++]);
    }
    for (int i = 0; i < found; ++i) prefetch(of.targets + of.offsets[states[i]]);
    for (int i = 0; i < found; ++i) {
        const std::int64_t begin = of.offsets[states[i]], end = of.offsets[states[i] + 1];
        if (begin < end) prefetch(of.classes + of.targets[begin]);
        if (begin + 1 < end) prefetch(of.classes + of.targets[begin + 1]);
    }
}

// Enter the states from `begin` to `end`; where several threads do so, `first` is left with the slots.
inline bool group_part(const Grouping& grouping, std::int64_t begin, std::int64_t end, bool several, Pace& pace) {
    const Signatures& of = grouping.of;
    std::int32_t states[TOGETHER];
    std::uint32_t tags[TOGETHER];
    while (begin < end) {
        int count = 0;
        std::int64_t steps = 0;
        for (; begin < end && count < TOGETHER; ++begin, ++steps) {
            const std::int32_t c = of.classes[begin];
            if (c < 0) continue;
            if (grouping.sizes[c] == 1) {
                grouping.first[begin] = static_cast<std::int32_t>(begin);
                continue;
            }
            states[count] = static_cast<std::int32_t>(begin);
            tags[count] = of.hash(begin);
            prefetch(grouping.slots + (tags[count++] & grouping.mask));
            steps += of.offsets[begin + 1] - of.offsets[begin];
        }
        if (pace.stops(steps)) return false;
        if (grouping.mask >= MOST_CACHED) fetch_rows(grouping, tags, count);
        for (int i = 0; i < count; ++i) {
            const std::uint64_t place = enter_signature(grouping, tags[i], states[i]);
            grouping.first[states[i]] = several ? static_cast<std::int32_t>(static_cast<std::uint32_t>(place))
                                                : static_cast<std::int32_t>(state_of(grouping.slots[place]));
        }
    }
    return true;
}

// Group all states in so many threads.  Returns 0, or -1 if `poll` has stopped it.
inline int group(const Grouping& grouping, std::int64_t states, int threads, int (*poll)(void*), void* meter) {
    if (threads == 1) {
        Pace pace(poll, meter);
        return group_part(grouping, 0, states, false, pace) ? 0 : -1;
    }
    const auto enter = [&](int, std::int64_t begin, std::int64_t end, Pace& pace) {
        return group_part(grouping, begin, end, true, pace);
    };
    // What a slot holds is the first state only when all states were entered.
    const auto read = [&](int, std::int64_t begin, std::int64_t end, Pace& pace) {
        for (std::int64_t state = begin; state < end; ++state) {
            const std::int32_t c = grouping.of.classes[state];
            if (pace.stops(1)) return false;
            if (c < 0 || grouping.sizes[c] == 1) continue;
            const std::uint64_t slot = grouping.slots[static_cast<std::uint32_t>(grouping.first[state])];
            grouping.first[state] = static_cast<std::int32_t>(state_of(slot));
        }
        return true;
    };
    if (share_out(states, threads, enter, poll, meter) < 0) return -1;
    return share_out(states, threads, read, poll, meter);
}

}  // namespace fibprover
