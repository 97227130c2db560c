"""Conjunction with a linear atom that is not built: its remainders are kept beside the other automaton's states."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy
from libcpp.algorithm cimport lower_bound, unique

# In a row of an atom: the target of this weight has not been computed yet.
cdef int32_t UNKNOWN = -2

# A range of weights up to this size may be tabulated: its places are int32.
cdef int64_t LARGEST_WEIGHT_TABLE = (<int64_t> 1 << 31) - 2


def join_linear(Csr a, Recode weight, Recode part, int64_t radix, const int64_t[::1] coefficients, int relation,
                int64_t constant, int64_t extent, Recurrence recurrence, Meter meter):
    """All reachable pairs of an a-state and a node of sum c_i x_i RELATION constant.

    weight: sum of coefficient times digit of an a-letter; part: an a-letter in the result's coding;
    the rest as for `linear_atom`; the recurrence must have one phase.  a must hold valid representations
    on the atom's tracks, or words are lost.  The result is not trimmed.  O(t log(longest row)) time for t
    resulting transitions, and O(1) for each pair of a node and a weight that meet.
    """
    cdef Atom atom = new_atom(coefficients, relation, constant, extent, radix, recurrence, meter)
    cdef Rows rows = Rows(meter)
    cdef Operand left = prepare(a, part, weight, meter)
    search_join_linear(atom, left, left.parts, False, rows, meter)
    return rows.finish().export()


def join_linear_is_empty(Csr a, Recode weight, int64_t radix, const int64_t[::1] coefficients, int relation,
                         int64_t constant, int64_t extent, Recurrence recurrence, Meter meter):
    """Return whether `join_linear` would accept nothing; ends at the first accepting pair, and keeps only the pairs."""
    cdef Atom atom = new_atom(coefficients, relation, constant, extent, radix, recurrence, meter)
    cdef Operand left = prepare_keys(a, weight, meter)
    return not search_join_linear(atom, left, left.keys, True, Rows(meter), meter)


cdef bint search_join_linear(Atom atom, Operand left, Block weights, bint stop, Rows rows, Meter meter) except -1:
    """weights: of each transition; otherwise as `walk`."""
    cdef Pairs pairs
    cdef int64_t node
    if atom.recurrence.phases != 1:
        raise InvalidArrayError("a join with a linear atom reads no phases")
    number_weights(atom, weights, meter)
    node = atom.start()
    if node < 0:
        rows.end_row(0, 1, 1)
        return False
    # The number of nodes is not known: no grid.
    pairs = new_pairs(<uint64_t> node, meter.ceiling, meter.ceiling, 0, meter)
    with nogil:
        return walk_join_linear(atom, left, longs(weights), pairs, stop, rows, meter)


cdef int number_weights(Atom atom, Block weights, Meter meter) except -1:
    """Make the weights that occur those of the atom, and replace each by its place among them."""
    cdef Block known = new_longs(meter), places = new_ints(meter)
    cdef int64_t i, least = 0, most = 0
    with nogil:
        for i in range(weights.size):
            least = min(least, longs(weights)[i])
            most = max(most, longs(weights)[i])
        work(meter, weights.size)
        if most - least <= min(2 * weights.size + 1024, LARGEST_WEIGHT_TABLE):
            number_by_table(weights, least, most, places, known)
        else:
            number_by_sorting(weights, known, meter)
        work(meter, 2 * weights.size)
    return atom.take_weights(longs(known), known.size)


cdef int number_by_table(Block weights, int64_t least, int64_t most, Block places, Block known) except -1 nogil:
    """Weights in a narrow range become their places in `known` by a table of the range."""
    cdef int64_t i
    places.reset(most - least + 1, 0)
    for i in range(weights.size):
        ints(places)[longs(weights)[i] - least] = 1
    for i in range(places.size):
        if ints(places)[i]:
            ints(places)[i] = <int32_t> known.size
            push_long(known, least + i)
    for i in range(weights.size):
        longs(weights)[i] = ints(places)[longs(weights)[i] - least]
    return 0


cdef int number_by_sorting(Block weights, Block known, Meter meter) except -1 nogil:
    """Weights become their places in `known` by search."""
    cdef int64_t i
    cdef int64_t* begin
    cdef int64_t* end
    known.reset(weights.size, 0)
    begin = longs(known)
    memcpy(begin, longs(weights), <size_t> (8 * weights.size))
    work(meter, 8 * weights.size)
    sort_polled(begin, weights.size, poll_meter, <void*> meter)
    end = unique(begin, begin + weights.size)
    known.size = end - begin
    for i in range(weights.size):
        longs(weights)[i] = lower_bound(begin, end, longs(weights)[i]) - begin
        if not i & 1023:
            work(meter, 4096)
    return 0


cdef bint walk_join_linear(Atom atom, Operand left, const int64_t* places, Pairs pairs, bint stop, Rows rows,
                           Meter meter) except -1 nogil:
    """Build all rows; or, to `stop`, none, and return whether an accepting pair was met."""
    # A pair is (p, node).
    cdef const int32_t* outputs = left.source.outputs
    cdef const int64_t* codes = longs(left.keys)
    cdef const int32_t* targets = ints(left.targets)
    cdef int64_t done = 0, looked = 0, p, node, i, place, target, row, steps
    cdef uint64_t pair
    cdef bint departed
    while done < pairs.found.size:
        while stop and looked < pairs.found.size:
            pair = <uint64_t> longs(pairs.found)[looked]
            if outputs[pair >> 32] and atom.holds(<int64_t> <uint32_t> pair):
                return True
            looked += 1
        pair = <uint64_t> longs(pairs.found)[done]
        p = <int64_t> (pair >> 32)
        node = <int64_t> <uint32_t> pair
        done += 1
        row = row_of(atom, node)
        departed = False
        for i in range(left.offsets[p], left.offsets[p + 1]):
            place = places[i]
            target = ints(atom.rows)[row + place]
            if target == UNKNOWN:
                if not departed:
                    atom.depart(node, 0)
                    departed = True
                target = atom.arrive(longs(atom.weights)[place])
                ints(atom.rows)[row + place] = <int32_t> target
                work(meter, 8)
            if target < 0:
                continue
            pair = (<uint64_t> targets[i] << 32) | <uint64_t> target
            if stop:
                reach(pairs, pair)
            else:
                want(pairs, rows, codes[i], pair)
        steps = left.offsets[p + 1] - left.offsets[p] + pairs.wanted.size + 8
        pairs.number_wanted(rows)
        if stop:
            rows.drop_row(pairs.found.size, steps)
        else:
            rows.end_row(outputs[p] != 0 and atom.holds(node), pairs.found.size, steps)
    return False


cdef int64_t row_of(Atom atom, int64_t node) except -1 nogil:
    """Where the row of a node begins; a new row is all unknown."""
    cdef int64_t _place
    if longs(atom.begins)[node] < 0:
        longs(atom.begins)[node] = atom.rows.size
        for _place in range(atom.weights.size):
            push_int(atom.rows, UNKNOWN)
    return longs(atom.begins)[node]
