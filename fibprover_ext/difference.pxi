"""Difference of two automata: the words of the first that the second does not accept."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t


def difference(Csr a, Csr b, Recode key_a, Recode part_a, Recode key_b, Meter meter):
    """All reachable pairs (p, q), where q may be missing for ever: then b rejects whatever follows.

    key_*: the letter as b reads it; part_a: an a-letter in the result's coding.  The result is not
    trimmed.  O(t log(longest row)) time for t resulting transitions, and 12 bytes each.
    """
    cdef Rows rows = Rows(meter)
    search_difference(prepare(a, key_a, part_a, meter), prepare_keys(b, key_b, meter), False, rows, meter)
    return rows.finish().export()


def difference_is_empty(Csr a, Csr b, Recode key_a, Recode key_b, Meter meter):
    """Whether `difference` would accept nothing; a is trim or a single state.

    Ends at the first pair that shows it does, and keeps only the pairs.
    """
    return not search_difference(prepare_keys(a, key_a, meter), prepare_keys(b, key_b, meter), True, Rows(meter), meter)


cdef bint search_difference(Operand left, Operand right, bint stop, Rows rows, Meter meter) except -1:
    cdef Csr a = left.source, b = right.source
    cdef int64_t effort = a.states + b.states + a.transitions + b.transitions
    cdef Pairs pairs = new_pairs(1, a.states, b.states + 1, effort, meter)
    with nogil:
        return walk_difference(left, right, a.outputs, b.outputs, pairs, stop, rows)


cdef bint walk_difference(Operand left, Operand right, const int32_t* out_a, const int32_t* out_b, Pairs pairs,
                          bint stop, Rows rows) except -1 nogil:
    """Build all rows; or, to `stop`, none, and return whether a word of a was met that b rejects."""
    # A pair is stored as (p, q + 1), so that 0 stands for a missing q.
    cdef const int64_t* keys_a = longs(left.keys)
    cdef const int64_t* keys_b = longs(right.keys)
    cdef const int64_t* parts_a = longs(left.parts)
    cdef const int32_t* targets_a = ints(left.targets)
    cdef const int32_t* targets_b = ints(right.targets)
    cdef int64_t done = 0, looked = 0, p, q, i, i_end, j, j_end, begin, key, count
    cdef uint64_t pair, other
    while done < pairs.found.size:
        while stop and looked < pairs.found.size:
            # From every state of a trim automaton some word is accepted.
            pair = <uint64_t> longs(pairs.found)[looked]
            q = <int64_t> <uint32_t> pair - 1
            if q < 0 or (out_a[pair >> 32] and not out_b[q]):
                return True
            looked += 1
        pair = <uint64_t> longs(pairs.found)[done]
        p = <int64_t> (pair >> 32)
        q = <int64_t> <uint32_t> pair - 1
        done += 1
        begin = rows.codes.size
        i, i_end = left.offsets[p], left.offsets[p + 1]
        j = j_end = 0
        if q >= 0:
            j, j_end = right.offsets[q], right.offsets[q + 1]
        while i < i_end:
            key = keys_a[i]
            j = seek(keys_b, j, j_end, key)
            other = 0
            if j < j_end and keys_b[j] == key:
                other = <uint64_t> (targets_b[j] + 1)
            while i < i_end and keys_a[i] == key:
                if stop:
                    reach(pairs, (<uint64_t> targets_a[i] << 32) | other)
                else:
                    want(pairs, rows, parts_a[i], (<uint64_t> targets_a[i] << 32) | other)
                i += 1
        count = pairs.wanted.size
        pairs.number_wanted(rows)
        if stop:
            rows.drop_row(pairs.found.size, count + 8)
        else:
            rows.sort_row(begin)
            rows.end_row(out_a[p] != 0 and (q < 0 or out_b[q] == 0), pairs.found.size, count + 8)
    return False
