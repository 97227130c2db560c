"""Difference of two automata: the words of the first that the second does not accept."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from fibprover_ext._budget cimport Meter
from fibprover_ext._csr cimport Block, Csr, Rows, ints, longs, new_longs, push_transition
from fibprover_ext._pairs cimport Operand, prepare, seek
from fibprover_ext._recode cimport Recode
from fibprover_ext._table cimport Table, intern


def difference(Csr a, Csr b, Recode key_a, Recode part_a, Recode key_b, Meter meter):
    """All reachable pairs (p, q), where q may be missing for ever: then b rejects whatever follows.

    key_*: the letter as b reads it; part_a: an a-letter in the result's coding.  The result is not
    trimmed.  O(t log(longest row)) time for t resulting transitions, and 12 bytes each.
    """
    cdef Recode none = Recode((), (), 1, 0, meter)
    cdef Operand left = prepare(a, key_a, part_a, meter), right = prepare(b, key_b, none, meter)
    cdef Rows rows = Rows(meter)
    cdef Block pairs = new_longs(meter)
    cdef Table table = Table(meter)
    with nogil:
        walk(left, right, a.outputs, b.outputs, pairs, table, rows, meter)
    return rows.finish().export()


cdef int walk(Operand left, Operand right, const int32_t* out_a, const int32_t* out_b, Block pairs,
              Table table, Rows rows, Meter meter) except -1 nogil:
    # A pair is stored as (p, q + 1), so that 0 stands for a missing q.
    cdef const int64_t* keys_a = longs(left.keys)
    cdef const int64_t* keys_b = longs(right.keys)
    cdef const int64_t* parts_a = longs(left.parts)
    cdef const int32_t* targets_a = ints(left.targets)
    cdef const int32_t* targets_b = ints(right.targets)
    cdef int64_t done = 0, p, q, i, i_end, j, j_end, begin, key
    cdef uint64_t pair, other
    intern(table, pairs, 1)
    while done < pairs.size:
        pair = <uint64_t> longs(pairs)[done]
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
                pair = (<uint64_t> targets_a[i] << 32) | other
                push_transition(rows, parts_a[i], <int32_t> intern(table, pairs, pair))
                i += 1
        rows.sort_row(begin)
        rows.end_row(out_a[p] != 0 and (q < 0 or out_b[q] == 0), pairs.size, rows.codes.size - begin + 8)
    return 0
