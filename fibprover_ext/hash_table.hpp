// Open addressing over things that are numbered in the order in which they are found.
//
// The things are kept elsewhere; a slot holds 32 bits of a thing's hash, its tag, above its number + 1, and is 0 if it
// is free.  So a table grows without looking at the things again, and a look-up compares only things of equal tag.
// The slots are a power of two, at most two thirds of them used.  Nothing here allocates: memory counts against a
// budget, which `Table` in hash_table.pxi keeps.

#pragma once

#include <cstdint>
#include <cstring>

namespace fibprover {

// 32 well mixed bits of a 64-bit number.
inline std::uint32_t mix(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93u;
    x ^= x >> 29;
    x *= 0x9E3779B97F4A7C15u;
    return static_cast<std::uint32_t>(x >> 32);
}

// Begin to fetch what will be read soon.
inline void prefetch(const void* place) {
#if !defined(_MSC_VER)
    __builtin_prefetch(place);
#endif
}

// One look-up: `next` goes through the numbers of all things with a tag, in the order in which they were entered.
struct Probe {
    const std::uint64_t* slots;
    std::uint64_t mask, place;  // `place` is a free slot once `next` has returned false
    std::int64_t number;        // the number found, once `next` has returned true
    std::uint32_t tag;

    Probe() = default;
    Probe(const std::uint64_t* slots, std::uint64_t mask, std::uint32_t tag)
        : slots(slots), mask(mask), place(tag & mask), number(-1), tag(tag) {}

    bool next() {
        while (const std::uint64_t slot = slots[place]) {
            if (slot >> 32 == tag) {
                number = static_cast<std::int64_t>(static_cast<std::uint32_t>(slot)) - 1;
                place = (place + 1) & mask;
                return true;
            }
            place = (place + 1) & mask;
        }
        return false;
    }
};

// What `Item` at `number` of an array of things of one machine word is compared to.
template <class Item>
inline std::int64_t find(Probe& probe, const Item* items, Item item) {
    while (probe.next())
        if (items[probe.number] == item) return probe.number;
    return -1;
}

// The number of the run items[begins[n]] .. items[begins[n + 1] - 1] that equals `count` items, or -1.
template <class Item>
inline std::int64_t find_run(Probe& probe, const Item* items, const std::int64_t* begins, const Item* run,
                             std::int64_t count) {
    while (probe.next()) {
        const Item* begin = items + begins[probe.number];
        if (begins[probe.number + 1] - begins[probe.number] != count) continue;
        if (std::memcmp(begin, run, count * sizeof(Item)) == 0) return probe.number;
    }
    return -1;
}

// The number of the record of `width` items that equals another one, or -1.
template <class Item>
inline std::int64_t find_record(Probe& probe, const Item* items, const Item* record, std::int64_t width) {
    while (probe.next())
        if (std::memcmp(items + probe.number * width, record, width * sizeof(Item)) == 0) return probe.number;
    return -1;
}

// Fill a free slot.
inline void enter(std::uint64_t* slots, std::uint64_t place, std::uint32_t tag, std::int64_t number) {
    slots[place] = static_cast<std::uint64_t>(tag) << 32 | static_cast<std::uint64_t>(number + 1);
}

// Copy the used slots from `begin` to `end` into larger slots.
inline void rehash(const std::uint64_t* slots, std::int64_t begin, std::int64_t end, std::uint64_t* larger,
                   std::uint64_t mask) {
    for (std::int64_t i = begin; i < end; ++i) {
        if (slots[i] == 0) continue;
        std::uint64_t place = (slots[i] >> 32) & mask;
        while (larger[place]) place = (place + 1) & mask;
        larger[place] = slots[i];
    }
}

}  // namespace fibprover
