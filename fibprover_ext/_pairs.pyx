"""What the products share: operands brought to a common key order once, before the pairs are walked."""

from libc.stdint cimport int32_t, int64_t
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from fibprover_ext._budget cimport Meter, work
from fibprover_ext._csr cimport Block, Csr, ints, longs, new_ints, new_longs
from fibprover_ext._recode cimport Recode, recode

ctypedef pair[int64_t, int64_t] Key
ctypedef pair[Key, int32_t] Entry


cdef Operand prepare(Csr source, Recode key, Recode part, Meter meter):
    """Recode all transitions and sort every row.  O(transitions * log(longest row)) time, 20 bytes each."""
    cdef Operand result = Operand.__new__(Operand)
    result.source = source
    result.offsets = source.offsets
    result.keys = new_longs(meter)
    result.parts = new_longs(meter)
    result.targets = new_ints(meter)
    with nogil:
        result.keys.reset(source.transitions, 0)
        result.parts.reset(source.transitions, 0)
        result.targets.reset(source.transitions, 0)
        fill(source, key, part, longs(result.keys), longs(result.parts), ints(result.targets), meter)
    return result


cdef int fill(Csr source, Recode key, Recode part, int64_t* keys, int64_t* parts, int32_t* targets,
              Meter meter) except -1 nogil:
    cdef int64_t state, begin, end, i, j
    cdef bint sorted_already
    cdef vector[Entry] row
    for state in range(source.states):
        begin = source.offsets[state]
        end = source.offsets[state + 1]
        sorted_already = True
        for i in range(begin, end):
            keys[i] = recode(key, source.codes[i])
            parts[i] = recode(part, source.codes[i])
            targets[i] = source.targets[i]
            if i > begin and (keys[i] < keys[i - 1] or (keys[i] == keys[i - 1] and parts[i] < parts[i - 1])):
                sorted_already = False
        work(meter, end - begin + 1)
        if sorted_already:
            continue
        row.resize(end - begin)
        for i in range(begin, end):
            j = i - begin
            row[j].first.first = keys[i]
            row[j].first.second = parts[i]
            row[j].second = targets[i]
        sort(row.begin(), row.end())
        for i in range(begin, end):
            j = i - begin
            keys[i] = row[j].first.first
            parts[i] = row[j].first.second
            targets[i] = row[j].second
        work(meter, 4 * (end - begin))
    return 0
