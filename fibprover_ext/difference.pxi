"""Difference of two automata: the words of the first that the second does not accept."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t


def difference(Csr a, Csr b, Recode key_a, Recode part_a, Recode key_b, Meter meter):
    """All reachable pairs (p, q), where q may be missing for ever: then b rejects whatever follows.

    key_*: the letter as b reads it; part_a: an a-letter in the result's coding.  The result is not
    trimmed.  O(t log(longest row)) time for t resulting transitions, and 12 bytes each.
    """
    cdef Rows rows = Rows(meter)
    cdef Operand left = prepare(a, key_a, part_a, meter), right = prepare_keys(b, key_b, meter)
    cdef Pairs pairs = difference_pairs(left, right, meter)
    with nogil:
        walk_difference(left, right, a.outputs, b.outputs, pairs, False, rows)
    return rows.finish().export()


def difference_word(Csr a, Csr b, Recode key_a, Recode key_b, Meter meter):
    """Return the codes of a word that `difference` would accept, None without one; a is trim or a single state.

    Ends at the first pair that shows it, and keeps only the pairs.
    """
    cdef Operand left = prepare_keys(a, key_a, meter), right = prepare_keys(b, key_b, meter)
    cdef Pairs pairs = difference_pairs(left, right, meter)
    cdef Rows unused = Rows(meter)
    cdef int64_t found
    with nogil:
        found = walk_difference(left, right, a.outputs, b.outputs, pairs, True, unused)
    if found < 0:
        return None
    path = pairs.path(found)
    begun = [letter_apart(a, right, key_a, path[i], path[i + 1], meter) for i in range(len(path) - 1)]
    return (*begun, *word_from(a, <int64_t> (<uint64_t> path[len(path) - 1] >> 32), meter))


cdef int64_t letter_apart(Csr a, Operand right, Recode key_a, uint64_t pair, uint64_t after, Meter meter) except -1:
    """The code of a letter of a that leads from one pair (p, q + 1) to another."""
    cdef int64_t place
    with nogil:
        place = place_apart(a, right, key_a, <int64_t> (pair >> 32), <int64_t> <uint32_t> pair - 1, after, meter)
    return a.codes[place]


cdef int64_t place_apart(Csr a, Operand right, Recode key_a, int64_t p, int64_t q, uint64_t after,
                         Meter meter) except -1 nogil:
    """The first transition of p that leads to the pair wanted; q is there, as a search ends where it is missing."""
    cdef const int64_t* keys = longs(right.keys)
    cdef int64_t i, j, end = right.offsets[q + 1], key, reached
    for i in range(a.offsets[p], a.offsets[p + 1]):
        work(meter, 1)
        if a.targets[i] != <int64_t> (after >> 32):
            continue
        work(meter, SEEKING)
        key = recode(key_a, a.codes[i])
        j = seek(keys, right.offsets[q], end, key)
        reached = 0
        if j < end and keys[j] == key:
            reached = ints(right.targets)[j] + 1
        if reached == <int64_t> <uint32_t> after:
            return i
    with gil:
        raise AssertionError("no letter leads from a pair to the next one")


cdef Pairs difference_pairs(Operand left, Operand right, Meter meter):
    cdef Csr a = left.source, b = right.source
    return new_pairs(1, a.states, b.states + 1, a.states + b.states + a.transitions + b.transitions, meter)


cdef int64_t walk_difference(Operand left, Operand right, const int32_t* out_a, const int32_t* out_b, Pairs pairs,
                             bint stop, Rows rows) except -2 nogil:
    """Build all rows; or, to `stop`, none, and return the number of the first pair at which a may accept and b not.

    Otherwise -1.
    """
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
                return looked
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
            push_long(pairs.ends, pairs.found.size)
            rows.drop_row(pairs.found.size, count + 8)
        else:
            rows.sort_row(begin)
            rows.end_row(out_a[p] != 0 and (q < 0 or out_b[q] == 0), pairs.found.size, count + 8)
    return -1
