// Work on many things that several threads share out, and its polls.

#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace fibprover {

// Counts steps, and calls `poll` after every few thousand; that returns a negative number to stop.
struct Pace {
    int (*poll)(void*) = nullptr;
    void* meter = nullptr;
    std::int64_t fuel = 0;

    Pace() = default;
    Pace(int (*poll)(void*), void* meter) : poll(poll), meter(meter) {}

    bool stops(std::int64_t steps) {
        fuel -= steps;
        if (fuel >= 0) return false;
        fuel = 1 << 13;
        return poll(meter) < 0;
    }
};

// Call work(thread, begin, end, pace) for pieces of 0 .. count - 1, in so many threads; it returns false where its pace
// stops it.  Returns 0, or -1 if `poll`, which this thread alone calls, has stopped the work.
template <class Work>
int share_out(std::int64_t count, int threads, const Work& work, int (*poll)(void*), void* meter) {
    // So many things a thread takes at a time: some may take much longer than others.
    const std::int64_t at_once = 1 + count / (16 * threads);
    std::atomic<std::int64_t> next{0};
    std::atomic<bool> stopped{false};
    const auto go = [&](int thread, Pace pace) {
        while (!stopped.load(std::memory_order_relaxed)) {
            const std::int64_t begin = next.fetch_add(at_once, std::memory_order_relaxed);
            if (begin >= count) return;
            const std::int64_t end = begin + at_once < count ? begin + at_once : count;
            if (!work(thread, begin, end, pace)) stopped.store(true, std::memory_order_relaxed);
        }
    };
    const auto look = [](void* flag) { return static_cast<std::atomic<bool>*>(flag)->load() ? -1 : 0; };
    std::vector<std::thread> others;
    try {
        others.reserve(threads - 1);
        for (int thread = 1; thread < threads; ++thread) others.emplace_back(go, thread, Pace(look, &stopped));
    } catch (...) {
        // The system has no thread left: those that there are do all.
    }
    go(0, Pace(poll, meter));
    for (auto& other : others) other.join();
    return stopped.load() ? -1 : 0;
}

}  // namespace fibprover
