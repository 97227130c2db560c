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
    cdef Pairs pairs = join_pairs(left, right, meter)
    with nogil:
        walk_join(left, right, a.outputs, b.outputs, pairs, False, rows)
    return rows.finish().export()


def join_word(Csr a, Csr b, Recode key_a, Recode key_b, Meter meter):
    """Return the letters of a shortest word that `join` would accept, each as a code of a and one of b; None if empty.

    Ends at the first accepting pair, and keeps only the pairs.
    """
    cdef Operand left = prepare_keys(a, key_a, meter), right = prepare_keys(b, key_b, meter)
    cdef Pairs pairs = join_pairs(left, right, meter)
    cdef Rows unused = Rows(meter)
    cdef int64_t found
    with nogil:
        found = walk_join(left, right, a.outputs, b.outputs, pairs, True, unused)
    if found < 0:
        return None
    path = pairs.path(found)
    return tuple([common_letter(left, right, key_a, key_b, path[i], path[i + 1], meter) for i in range(len(path) - 1)])


cdef tuple common_letter(Operand left, Operand right, Recode key_a, Recode key_b, uint64_t pair, uint64_t after,
                         Meter meter):
    """The codes of a letter that leads from one pair to another; the operands are those of `prepare_keys`."""
    cdef int64_t p = <int64_t> (pair >> 32), q = <int64_t> <uint32_t> pair, i, j
    with nogil:
        j = common_place(left, right.source, key_b, p, q, after, meter)
        i = place_of_key(left.source, p, key_a, recode(key_b, right.source.codes[j]), after >> 32, meter)
    return left.source.codes[i], right.source.codes[j]


cdef int64_t common_place(Operand left, Csr b, Recode key_b, int64_t p, int64_t q, uint64_t after,
                          Meter meter) except -1 nogil:
    """The first transition of q whose key leads p as well to the pair wanted."""
    cdef int64_t i
    for i in range(b.offsets[q], b.offsets[q + 1]):
        work(meter, 1)
        if b.targets[i] != <int64_t> <uint32_t> after:
            continue
        work(meter, SEEKING)
        if has_transition(left, p, recode(key_b, b.codes[i]), <int32_t> (after >> 32)):
            return i
    with gil:
        raise AssertionError("no letter leads from a pair to the next one")


cdef int64_t place_of_key(Csr a, int64_t p, Recode key_a, int64_t key, uint64_t target, Meter meter) except -1 nogil:
    """The last transition of p with this key and target."""
    cdef int64_t i
    for i in range(a.offsets[p + 1] - 1, a.offsets[p] - 1, -1):
        work(meter, 1)
        if a.targets[i] == <int64_t> target and recode(key_a, a.codes[i]) == key:
            return i
    with gil:
        raise AssertionError("no letter has a key that was found")


cdef Pairs join_pairs(Operand left, Operand right, Meter meter):
    cdef Csr a = left.source, b = right.source
    return new_pairs(0, a.states, b.states, a.states + b.states + a.transitions + b.transitions, meter)


cdef int64_t walk_join(Operand left, Operand right, const int32_t* out_a, const int32_t* out_b, Pairs pairs, bint stop,
                       Rows rows) except -2 nogil:
    """Build all rows; or, to `stop`, none, and return the number of the first accepting pair.  Otherwise -1."""
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
                return looked
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
            push_long(pairs.ends, pairs.found.size)
            rows.drop_row(pairs.found.size, count + 8)
        else:
            rows.sort_row(begin)
            rows.end_row(out_a[p] != 0 and out_b[q] != 0, pairs.found.size, count + 8)
    return -1
