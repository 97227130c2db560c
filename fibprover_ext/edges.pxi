"""Transitions gathered by source and target, as drawings and lists of edges show them."""

from libc.stdint cimport int32_t, int64_t


def edges(Csr a, Meter meter):
    """Return the edges, sorted by source and target, and the letters of each.

    The arrays are: where the letters of each edge begin, and where those of the last one end; the sources; the targets;
    the codes of the letters, rising within an edge.  O(m + e log e) for m transitions and e edges.
    """
    cdef Block begins = new_longs(meter), codes = new_longs(meter)
    cdef Block sources = new_ints(meter), targets = new_ints(meter)
    # Of each target of a row: how many letters lead there, then where the next one goes.
    cdef Block places = new_longs(meter)
    cdef int64_t state, edge, i, begin, at = 0
    cdef int64_t* counts
    cdef int32_t target
    with nogil:
        places.reset(a.states, 0)
        codes.reset(a.transitions, 0)
        counts = longs(places)
        for state in range(a.states):
            begin = targets.size
            work(meter, 1)
            for i in range(a.offsets[state], a.offsets[state + 1]):
                target = a.targets[i]
                if not counts[target]:
                    push_int(targets, target)
                counts[target] += 1
                work(meter, 1)
            sort_polled(ints(targets) + begin, targets.size - begin, poll_meter, <void*> meter)
            work(meter, 4 * (targets.size - begin))
            for edge in range(begin, targets.size):
                target = ints(targets)[edge]
                push_int(sources, <int32_t> state)
                push_long(begins, at)
                at += counts[target]
                counts[target] = longs(begins)[edge]
            for i in range(a.offsets[state], a.offsets[state + 1]):
                longs(codes)[counts[a.targets[i]]] = a.codes[i]
                counts[a.targets[i]] += 1
                work(meter, 1)
            for edge in range(begin, targets.size):
                counts[ints(targets)[edge]] = 0
        push_long(begins, at)
    return begins.view(), sources.view(), targets.view(), codes.view()
