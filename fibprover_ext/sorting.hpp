// Sorting of rows that may be long: the clock is looked at after every few thousand steps.

#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace fibprover {

// Pieces of this many items are sorted at once.
constexpr std::int64_t SORTED_AT_ONCE = 1 << 15;

// Fewer items than this take less time than a look at the clock is worth: whoever sorts many short rows counts them.
constexpr std::int64_t SORTED_UNSEEN = 1 << 8;

// Sort in place; `poll` is called now and then and returns a negative number to stop.  Returns 0, or that number.
template <class Item>
int sort_polled(Item* items, std::int64_t count, int (*poll)(void*), void* meter) {
    std::int64_t depth = 64;
    while (count > SORTED_AT_ONCE && --depth) {
        if (const int stop = poll(meter)) return stop;
        // The middle one of three items, none of which is the last: then no part is empty.
        Item one = items[count / 4], middle = items[count / 2], other = items[count - count / 4 - 1];
        if (middle < one) std::swap(one, middle);
        if (other < middle) middle = other < one ? one : other;
        std::int64_t low = -1, high = count, steps = 0;
        for (;;) {
            do ++low; while (items[low] < middle);
            do --high; while (middle < items[high]);
            if (low >= high) break;
            std::swap(items[low], items[high]);
            if (++steps % SORTED_AT_ONCE == 0)
                if (const int stop = poll(meter)) return stop;
        }
        // items[0] .. items[high] are at most `middle`, the others at least.
        const std::int64_t left = high + 1;
        Item* smaller = left < count - left ? items : items + left;
        const std::int64_t fewer = left < count - left ? left : count - left;
        if (const int stop = sort_polled(smaller, fewer, poll, meter)) return stop;
        if (smaller == items) items += left;
        count -= fewer;
    }
    std::sort(items, items + count);
    return count < SORTED_UNSEEN ? 0 : poll(meter);
}

}  // namespace fibprover
