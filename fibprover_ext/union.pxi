"""Disjunction of two automata over the same tracks, and the sum of their outputs."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t


def union(Csr a, Csr b, Recode code_a, Recode code_b, int32_t most, Meter meter):
    """All reachable pairs (p, q), where one of them may be missing for ever.

    code_*: an operand's letter in the result's coding.  The output of a pair is the sum of the operands'
    outputs, which are not negative, but at most `most` >= 1; up to 1 any outputs will do, and all but 0 count as 1.
    The result is not trimmed.
    O(t) time for t resulting transitions, and 12 bytes each; about 30 bytes a pair.
    """
    cdef Recode none = Recode((), (), 1, 0, meter)
    cdef Operand left = prepare(a, code_a, none, meter), right = prepare(b, code_b, none, meter)
    cdef Rows rows = Rows(meter)
    cdef int64_t effort = a.states + b.states + a.transitions + b.transitions
    cdef Pairs pairs = new_pairs((<uint64_t> 1 << 32) | 1, a.states + 1, b.states + 1, effort, meter)
    with nogil:
        walk_union(left, right, a.outputs, b.outputs, most, pairs, rows, meter)
    return rows.finish().export()


cdef inline int64_t output_in_sum(int32_t output, int32_t most) noexcept nogil:
    """What an output adds to a sum."""
    if most > 1 or output == 0:
        return output
    return 1


cdef int walk_union(Operand left, Operand right, const int32_t* out_a, const int32_t* out_b, int32_t most, Pairs pairs,
                    Rows rows, Meter meter) except -1 nogil:
    # A pair is stored as (p + 1, q + 1), so that 0 stands for a missing component.
    cdef const int64_t* codes_a = longs(left.keys)
    cdef const int64_t* codes_b = longs(right.keys)
    cdef const int32_t* targets_a = ints(left.targets)
    cdef const int32_t* targets_b = ints(right.targets)
    cdef int64_t done = 0, p, q, i, i_end, j, j_end, begin, code
    cdef uint64_t pair
    cdef int64_t output
    while done < pairs.found.size:
        pair = <uint64_t> longs(pairs.found)[done]
        p = <int64_t> (pair >> 32) - 1
        q = <int64_t> <uint32_t> pair - 1
        done += 1
        begin = rows.codes.size
        output = 0
        i = i_end = j = j_end = 0
        if p >= 0:
            i, i_end = left.offsets[p], left.offsets[p + 1]
            output = output_in_sum(out_a[p], most)
        if q >= 0:
            j, j_end = right.offsets[q], right.offsets[q + 1]
            output += output_in_sum(out_b[q], most)
        while i < i_end or j < j_end:
            pair = 0
            if j == j_end or (i < i_end and codes_a[i] <= codes_b[j]):
                code = codes_a[i]
            else:
                code = codes_b[j]
            if i < i_end and codes_a[i] == code:
                pair = <uint64_t> (targets_a[i] + 1) << 32
                i += 1
            if j < j_end and codes_b[j] == code:
                pair |= <uint64_t> (targets_b[j] + 1)
                j += 1
            want(pairs, rows, code, pair)
        pairs.number_wanted(rows)
        rows.end_row(<int32_t> min(output, <int64_t> most), pairs.found.size, rows.codes.size - begin + 8)
    return 0
