"""Conjunction: the product of two automata, synchronized on the tracks they share."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t


def join(Csr a, Csr b, Recode key_a, Recode part_a, Recode key_b, Recode part_b, Meter meter):
    """All reachable pairs (p, q); a letter of the result is an a-letter and a b-letter of equal key.

    key_*: the digits of the shared tracks; part_*: contribution to the result's code, where the
    shared tracks are a's.  The result is not trimmed.  O(t log(longest row)) time for t resulting
    transitions, and 12 bytes each; about 30 bytes a pair.
    """
    cdef Operand left = prepare(a, key_a, part_a, meter), right = prepare(b, key_b, part_b, meter)
    cdef Rows rows = Rows(meter)
    search_join(left, right, False, rows, meter)
    return rows.finish().export()


def join_is_empty(Csr a, Csr b, Recode key_a, Recode key_b, Meter meter):
    """Whether `join` would accept nothing; ends at the first accepting pair, and keeps only the pairs."""
    return not search_join(prepare_keys(a, key_a, meter), prepare_keys(b, key_b, meter), True, Rows(meter), meter)


cdef bint search_join(Operand left, Operand right, bint stop, Rows rows, Meter meter) except -1:
    cdef Csr a = left.source, b = right.source
    cdef int64_t effort = a.states + b.states + a.transitions + b.transitions
    cdef Pairs pairs = new_pairs(0, a.states, b.states, effort, meter)
    with nogil:
        return walk_join(left, right, a.outputs, b.outputs, pairs, stop, rows)


cdef bint walk_join(Operand left, Operand right, const int32_t* out_a, const int32_t* out_b, Pairs pairs, bint stop,
                    Rows rows) except -1 nogil:
    """Build all rows; or, to `stop`, none, and return whether an accepting pair was met."""
    cdef const int64_t* keys_a = longs(left.keys)
    cdef const int64_t* keys_b = longs(right.keys)
    cdef const int64_t* parts_a = longs(left.parts)
    cdef const int64_t* parts_b = longs(right.parts)
    cdef const int32_t* targets_a = ints(left.targets)
    cdef const int32_t* targets_b = ints(right.targets)
    cdef int64_t done = 0, looked = 0, p, q, i, i_end, j, j_end, run_end, k, begin, key, count
    cdef uint64_t pair, high
    while done < pairs.found.size:
        while stop and looked < pairs.found.size:
            pair = <uint64_t> longs(pairs.found)[looked]
            if out_a[pair >> 32] and out_b[<uint32_t> pair]:
                return True
            looked += 1
        pair = <uint64_t> longs(pairs.found)[done]
        p = <int64_t> (pair >> 32)
        q = <int64_t> <uint32_t> pair
        done += 1
        begin = rows.codes.size
        i, i_end = left.offsets[p], left.offsets[p + 1]
        j, j_end = right.offsets[q], right.offsets[q + 1]
        while i < i_end and j < j_end:
            key = keys_a[i]
            if key < keys_b[j]:
                i = seek(keys_a, i, i_end, keys_b[j])
                continue
            j = seek(keys_b, j, j_end, key)
            if j == j_end or keys_b[j] != key:
                continue
            run_end = j + 1
            while run_end < j_end and keys_b[run_end] == key:
                run_end += 1
            while i < i_end and keys_a[i] == key:
                high = <uint64_t> targets_a[i] << 32
                for k in range(j, run_end):
                    if stop:
                        reach(pairs, high | <uint64_t> targets_b[k])
                    else:
                        want(pairs, rows, parts_a[i] + parts_b[k], high | <uint64_t> targets_b[k])
                i += 1
            j = run_end
        count = pairs.wanted.size
        pairs.number_wanted(rows)
        if stop:
            rows.drop_row(pairs.found.size, count + 8)
        else:
            rows.sort_row(begin)
            rows.end_row(out_a[p] != 0 and out_b[q] != 0, pairs.found.size, count + 8)
    return False
