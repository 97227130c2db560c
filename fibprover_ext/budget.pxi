"""Budgets inside the kernels: the meter that they poll, and the exceptions that they raise."""

import time

from libc.stdint cimport int64_t

cdef extern from *:
    """
    #include <chrono>
    #if defined(__GLIBC__)
    #include <malloc.h>
    static inline void fibprover_trim() { malloc_trim(0); }
    #else
    static inline void fibprover_trim() {}
    #endif
    static inline double fibprover_now() {
        using namespace std::chrono;
        return duration<double>(steady_clock::now().time_since_epoch()).count();
    }
    """
    double fibprover_now() noexcept nogil
    void fibprover_trim() noexcept nogil

# That of the process where threads have no clock of their own.
CPU_CLOCK = getattr(time, "thread_time", time.process_time)

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

# Steps between two looks at the clock (some 50 us), and seconds between two looks for signals,
# which need the interpreter's lock and therefore come more rarely.
cdef int64_t FUEL = 1 << 13
cdef double SIGNAL_INTERVAL = 0.01

# State numbers are int32, and some kernels store number + 1 or use -1.
cdef int64_t CEILING = (1 << 31) - 2

# A meter allows no more threads: each has memory of its own.
cdef int MOST_THREADS = 64


class KernelError(Exception):
    """Base of the exceptions that kernels raise on purpose."""


class TooLargeError(KernelError):
    """A size or a number is too large for the types of a kernel, whatever the budget."""


class InvalidArrayError(KernelError):
    """Arrays handed to a kernel do not fit together, or hold numbers out of range."""


class BudgetExhausted(KernelError):
    """A kernel met a bound: `resource` is "states", "transitions", "bytes" or "seconds"."""

    def __init__(self, resource, limit, states, transitions):
        super().__init__(f"{resource} exhausted: limit {limit}, {states} states, {transitions} transitions")
        self.resource = resource
        self.limit = limit
        self.states = states
        self.transitions = transitions


cdef class Meter:
    """The bounds of one kernel call, and how much of them is used.

    states, transitions: of the automaton under construction; bytes: what the kernel may reserve;
    deadline: a value of time.monotonic(); ceiling: most states an int32 can number; polls: how often the clock
    was looked at; cpu_deadline: a value of the CPU time of the thread; threads: how many may work at once.
    """

    def __cinit__(self, int64_t states=(<int64_t> 1) << 62, int64_t transitions=(<int64_t> 1) << 62,
                  int64_t bytes=(<int64_t> 1) << 62, double deadline=float("inf"), int64_t ceiling=CEILING,
                  double cpu_deadline=float("inf"), int threads=1):
        self.max_states = states
        self.max_transitions = transitions
        self.max_bytes = bytes
        self.ceiling = min(ceiling, CEILING)
        # time.monotonic() and the steady clock may have different origins: carry over the difference.
        self.seconds = deadline - time.monotonic()
        self.deadline = fibprover_now() + self.seconds
        self.cpu_deadline = cpu_deadline
        self.cpu_due = float("inf") if cpu_deadline == float("inf") else 0.0
        self.next_signals = 0.0
        self.fuel = 0
        self.threads = max(1, min(threads, MOST_THREADS))

    cdef int poll(self) except -1 nogil:
        """Look at the clock and, now and then, let Python handle its signals."""
        cdef double now = fibprover_now()
        self.fuel = FUEL
        self.polls += 1
        if now > self.deadline:
            self.spent(SECONDS)
        if now >= self.cpu_due:
            self.look_at_cpu(now)
        if now >= self.next_signals:
            self.next_signals = now + SIGNAL_INTERVAL
            with gil:
                PyErr_CheckSignals()
        return 0

    cdef int look_at_cpu(self, double now) except -1 nogil:
        """Look at the CPU time of the thread, which cannot have used up what is left before that much time passes."""
        cdef double left
        with gil:
            left = self.cpu_deadline - CPU_CLOCK()
        self.cpu_due = now + left
        if left < 0:
            self.spent(SECONDS)
        return 0

    cdef int spent(self, Resource resource) except -1 nogil:
        """Raise BudgetExhausted for this resource."""
        with gil:
            name, limit = (
                ("states", self.max_states),
                ("transitions", self.max_transitions),
                ("bytes", self.max_bytes),
                ("seconds", self.seconds),
            )[<int> resource]
            raise BudgetExhausted(name, limit, self.states, self.transitions)

    cdef int too_many(self) except -1 nogil:
        """Raise TooLargeError: more states than int32 can number."""
        with gil:
            raise TooLargeError(f"more than {self.ceiling} states")


cdef int poll_meter(void* meter) except -1 nogil:
    """Poll a meter, for functions in C++: -1 where it raises."""
    return (<Meter> meter).poll()


def give_back():
    """Return freed memory to the operating system, where the C library can do that."""
    with nogil:
        fibprover_trim()
