"""Difference of two automata: the words of the first that the second does not accept."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from fibprover_ext._budget cimport Meter
from fibprover_ext._csr cimport Csr, Rows, ints, longs
from fibprover_ext._pairs cimport Operand, Pairs, new_pairs, prepare, seek, want
from fibprover_ext._recode cimport Recode


def difference(Csr a, Csr b, Recode key_a, Recode part_a, Recode key_b, Meter meter):
    """All reachable pairs (p, q), where q may be missing for ever: then b rejects whatever follows.

    key_*: the letter as b reads it; part_a: an a-letter in the result's coding.  The result is not
    trimmed.  O(t log(longest row)) time for t resulting transitions, and 12 bytes each.
    """
    cdef Recode none = Recode((), (), 1, 0, meter)
    cdef Operand left = prepare(a, key_a, part_a, meter), right = prepare(b, key_b, none, meter)
    cdef Rows rows = Rows(meter)
    cdef int64_t effort = a.states + b.states + a.transitions + b.transitions
    cdef Pairs pairs = new_pairs(1, a.states, b.states + 1, effort, meter)
    with nogil:
        walk(left, right, a.outputs, b.outputs, pairs, rows, meter)
    return rows.finish().export()


cdef int walk(Operand left, Operand right, const int32_t* out_a, const int32_t* out_b, Pairs pairs,
              Rows rows, Meter meter) except -1 nogil:
    # A pair is stored as (p, q + 1), so that 0 stands for a missing q.
    cdef const int64_t* keys_a = longs(left.keys)
    cdef const int64_t* keys_b = longs(right.keys)
    cdef const int64_t* parts_a = longs(left.parts)
    cdef const int32_t* targets_a = ints(left.targets)
    cdef const int32_t* targets_b = ints(right.targets)
    cdef int64_t done = 0, p, q, i, i_end, j, j_end, begin, key
    cdef uint64_t pair, other
    while done < pairs.found.size:
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
                want(pairs, rows, parts_a[i], (<uint64_t> targets_a[i] << 32) | other)
                i += 1
        pairs.number_wanted(rows)
        rows.sort_row(begin)
        rows.end_row(out_a[p] != 0 and (q < 0 or out_b[q] == 0), pairs.found.size, rows.codes.size - begin + 8)
    return 0
