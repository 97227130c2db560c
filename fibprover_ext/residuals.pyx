"""An automaton for a set of number tuples that is known up to a bound, by merging equal residuals.

The representations of the known tuples, without leading zero letters, make a trie.  The residual of
a prefix is the set of words that complete it; it is known up to the depth at which every completion
is a tuple below the bound, the prefix's *trust*.  Prefixes are looked at in order of decreasing
trust: one whose residual equals that of an earlier one as deep as it is known is the same state,
one whose residual is empty as deep as it is known is no state at all, any other is a new state.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from fibprover_ext._budget cimport Meter, progress, work
from fibprover_ext._csr cimport Block, Csr, Rows, ints, longs, new_ints, new_longs, push_int, push_long, push_transition

ctypedef pair[uint64_t, uint64_t] Key

# Bits of a key that hold the length of its word.
cdef int64_t LENGTH_BITS = 8

# A node's label is its letter above its distance to the nearest accepted word below it.
cdef int64_t NEAR_BITS = 8
cdef int64_t FAR = 255

# Residuals are sorted by a hash of what they are up to this depth.
cdef int64_t LOOK = 6


cdef class Trie:
    """The words of known tuples, nodes in preorder: a node's first child follows it, if it has one."""
    cdef Block labels, ends         # a node's label; the node after its last descendant
    cdef Meter meter

    def __cinit__(self, Meter meter):
        self.meter = meter
        self.labels = new_ints(meter)
        self.ends = new_ints(meter)


cdef inline int64_t near(Trie trie, int64_t node) noexcept nogil:
    return ints(trie.labels)[node] & FAR

cdef inline int64_t letter_of(Trie trie, int64_t node) noexcept nogil:
    return ints(trie.labels)[node] >> NEAR_BITS


cdef int64_t letter_bits(int64_t letters) noexcept nogil:
    cdef int64_t bits = 1
    while (<int64_t> 1 << bits) < letters:
        bits += 1
    return bits


cdef int add_word(Trie trie, vector[int32_t]& word, int64_t same, vector[int32_t]& path) except -1 nogil:
    """Append the nodes of a word that shares its first `same` letters with the path."""
    cdef int64_t depth
    close(trie, same, path)
    for depth in range(same, <int64_t> word.size()):
        if trie.labels.size >= 0x7ffffff0:
            with gil:
                raise OverflowError("a trie of more than 2^31 nodes")
        path.push_back(<int32_t> trie.labels.size)
        push_int(trie.labels, <int32_t> ((word[depth] << NEAR_BITS) | FAR))
        push_int(trie.ends, 0)
    ints(trie.labels)[path.back()] &= ~<int32_t> FAR
    return 0


cdef int close(Trie trie, int64_t kept, vector[int32_t]& path) except -1 nogil:
    """Leave the path's nodes below the first `kept` letters: all their descendants are there."""
    cdef int32_t* labels = ints(trie.labels)
    cdef int32_t node, parent
    while <int64_t> path.size() > kept + 1:
        node = path.back()
        path.pop_back()
        parent = path.back()
        ints(trie.ends)[node] = <int32_t> trie.labels.size
        if (labels[node] & FAR) + 1 < (labels[parent] & FAR):
            labels[parent] = (labels[parent] & ~<int32_t> FAR) | ((labels[node] & FAR) + 1)
    return 0


cdef int fill(Trie trie, const int64_t[::1] values, int64_t width, const int64_t[::1] weights, int64_t digits,
              Meter meter) except -1:
    """Insert the words of all tuples, most significant letter first."""
    cdef int64_t letters = 1, bits, first, count = values.shape[0] // width, places = weights.shape[0]
    cdef int64_t i, k, place, code, digit, length, same
    cdef vector[int64_t] rest
    cdef vector[int32_t] word, before, path
    cdef vector[Key] keys
    cdef Key key
    for k in range(width):
        letters *= digits
        if letters >= 1 << 22:
            raise OverflowError("an alphabet of more than 2^22 letters")
    bits = letter_bits(letters)
    first = 64 // bits
    if places > first + (64 - LENGTH_BITS) // bits or places >= FAR:
        raise OverflowError(f"words of {places} letters out of {letters}")
    if 16 * count > meter.max_bytes - meter.bytes:
        raise MemoryError(f"no room for {count} words")
    with nogil:
        rest.resize(width)
        keys.reserve(count)
        for i in range(count):
            for k in range(width):
                rest[k] = values[i * width + k]
            key.first = key.second = 0
            length = 0
            for place in range(places - 1, -1, -1):
                code = 0
                for k in range(width):
                    digit = rest[k] // weights[place]
                    rest[k] -= digit * weights[place]
                    code = code * digits + digit
                if length == 0 and code == 0:
                    continue
                if length < first:
                    key.first |= <uint64_t> code << (64 - bits * (length + 1))
                else:
                    key.second |= <uint64_t> code << (64 - bits * (length - first + 1))
                length += 1
            key.second |= <uint64_t> length
            keys.push_back(key)
            work(meter, places)
        sort(keys.begin(), keys.end())
        push_int(trie.labels, <int32_t> FAR)
        push_int(trie.ends, 0)
        path.push_back(0)
        for i in range(count):
            length = <int64_t> (keys[i].second & <uint64_t> 0xff)
            word.clear()
            for place in range(length):
                if place < first:
                    code = <int64_t> (keys[i].first >> (64 - bits * (place + 1)))
                else:
                    code = <int64_t> (keys[i].second >> (64 - bits * (place - first + 1)))
                word.push_back(<int32_t> (code & ((<int64_t> 1 << bits) - 1)))
            same = 0
            while same < length and same < <int64_t> before.size() and word[same] == before[same]:
                same += 1
            add_word(trie, word, same, path)
            before.swap(word)
            work(meter, length)
        close(trie, 0, path)
        ints(trie.ends)[0] = <int32_t> trie.labels.size
    return 0


cdef int same_residual(Trie trie, int64_t u, int64_t v, int64_t depth) except -1 nogil:
    """Whether the words below two nodes are the same up to a length."""
    cdef int64_t c = u + 1, e = v + 1, c_end = ints(trie.ends)[u], e_end = ints(trie.ends)[v]
    if (near(trie, u) == 0) != (near(trie, v) == 0):
        return 0
    if depth == 0:
        return 1
    work(trie.meter, 1)
    while True:
        while c < c_end and near(trie, c) >= depth:
            c = ints(trie.ends)[c]
        while e < e_end and near(trie, e) >= depth:
            e = ints(trie.ends)[e]
        if c == c_end or e == e_end:
            return c == c_end and e == e_end
        if letter_of(trie, c) != letter_of(trie, e) or not same_residual(trie, c, e, depth - 1):
            return 0
        c = ints(trie.ends)[c]
        e = ints(trie.ends)[e]


cdef uint64_t hashed(Trie trie, int64_t node, int64_t depth) noexcept nogil:
    """A hash of the words below a node up to a length."""
    cdef uint64_t value = 0x9e3779b97f4a7c15ULL + (near(trie, node) == 0)
    cdef int64_t child = node + 1, end = ints(trie.ends)[node]
    if depth == 0:
        return value
    while child < end:
        if near(trie, child) < depth:
            value = (value ^ hashed(trie, child, depth - 1) ^ <uint64_t> letter_of(trie, child) << 17)
            value *= 0xff51afd7ed558ccdULL
            value ^= value >> 32
        child = ints(trie.ends)[child]
    return value


cdef class Prefixes:
    """Prefixes, each one letter longer than an earlier one (its parent)."""
    cdef Block parents, codes, nodes, trusts        # nodes: in the trie, -1 where it has none

    def __cinit__(self, Meter meter):
        self.parents = new_ints(meter)
        self.codes = new_ints(meter)
        self.nodes = new_ints(meter)
        self.trusts = new_ints(meter)


cdef int64_t trust_of(Prefixes prefixes, int64_t parent, int64_t code, int64_t width, int64_t digits,
                      const int64_t[::1] weights, int64_t bound, vector[int32_t]& word) noexcept nogil:
    """The greatest j such that whatever j digits follow, all components stay below the bound; -1: none."""
    cdef int64_t trust = weights.shape[0] - 1, at = parent, k, i, j, value, power = 1, length
    cdef int64_t top
    word.clear()
    word.push_back(<int32_t> code)
    while at > 0:
        word.push_back(ints(prefixes.codes)[at])
        at = ints(prefixes.parents)[at]
    length = <int64_t> word.size()
    for k in range(width):
        # word[i] is the letter with i letters behind it; component k counted from the right.
        j = trust
        while j >= 0:
            value = weights[j] - 1
            top = 0
            for i in range(length):
                if (word[i] // power) % digits:
                    if i + j >= weights.shape[0]:
                        top = 1
                        break
                    value += ((word[i] // power) % digits) * weights[i + j]
                    if value >= bound:
                        break
            if not top and value < bound:
                break
            j -= 1
        trust = j
        power *= digits
    return trust


cdef int64_t child_of(Trie trie, int64_t node, int64_t code) noexcept nogil:
    """The child of a node by a letter, -1 where it has none."""
    cdef int64_t child = node + 1, end = ints(trie.ends)[node]
    while child < end:
        if letter_of(trie, child) == code:
            return child
        child = ints(trie.ends)[child]
    return -1


cdef class Merging:
    """States found so far and prefixes that wait, in a list for every trust."""
    cdef Block prefix_of, first_states      # of a state: its prefix, and its validity states one a component
    cdef vector[vector[int32_t]] waiting    # by trust: prefixes
    cdef vector[int32_t] state_of           # of a prefix: its state, -1: none, -2: not looked at yet
    cdef vector[uint64_t] hashes            # of a state
    cdef readonly int64_t least_merge, least_dead, unknown, merges, dead


def infer(const int64_t[::1] values, int64_t width, int64_t bound, const int64_t[::1] weights, Csr valid,
          int64_t digits, Meter meter):
    """(arrays of an automaton, trust of its states, least trust of a merge, of an empty residual, unknown, nodes).

    values: tuples of `width` components below `bound`, all there are, one after the other; weights: what the
    digits are worth, least first, the last one being the least that is not below the bound; valid: the valid
    representations over digits 0 .. digits-1.  The automaton loops at state 0 with the zero letter, which has to be
    right; it may hold words that are not valid.  unknown: how many transitions lead out of what is known.
    O(words * length) for the trie, 8 bytes a node; every prefix looked at is compared with few states.
    """
    cdef Trie trie = Trie(meter)
    cdef Merging merging = Merging()
    cdef Prefixes prefixes = Prefixes(meter)
    cdef Rows rows = Rows(meter)
    cdef Block begins = new_longs(meter), codes = new_longs(meter), reached = new_ints(meter)
    fill(trie, values, width, weights, digits, meter)
    with nogil:
        merge(trie, merging, prefixes, begins, codes, reached, width, bound, weights, valid, digits, meter)
        collect(trie, merging, prefixes, begins, codes, reached, rows, meter)
    trusts = [ints(prefixes.trusts)[ints(merging.prefix_of)[s]] for s in range(merging.prefix_of.size)]
    return (rows.finish().export(), trusts, merging.least_merge, merging.least_dead, merging.unknown,
            trie.labels.size)


cdef int new_state(Trie trie, Merging merging, Prefixes prefixes, int64_t prefix) except -1 nogil:
    """Make a prefix a state; its validity states are to be pushed by the caller."""
    cdef int64_t trust = ints(prefixes.trusts)[prefix]
    merging.state_of[prefix] = <int32_t> merging.prefix_of.size
    push_int(merging.prefix_of, <int32_t> prefix)
    merging.hashes.push_back(hashed(trie, ints(prefixes.nodes)[prefix], min(LOOK, trust)))
    return 0


cdef int merge(Trie trie, Merging merging, Prefixes prefixes, Block begins, Block codes, Block reached,
               int64_t width, int64_t bound, const int64_t[::1] weights, Csr valid, int64_t digits,
               Meter meter) except -1 nogil:
    """Finds the states; of state s, codes and reached (prefixes) from begins[s] on are its transitions."""
    cdef int64_t prefix, state = 0, trust, node, code, parent, child, places = weights.shape[0]
    cdef int64_t i, k, found, known
    cdef vector[int32_t] word, at, after
    cdef vector[int64_t] chosen
    cdef bint more
    cdef uint64_t look
    with gil:
        merging.prefix_of = new_ints(meter)
        merging.first_states = new_ints(meter)
    merging.least_merge = merging.least_dead = places
    merging.unknown = merging.merges = merging.dead = 0
    merging.waiting.resize(places + 1)
    # The empty prefix stands for all words of zeros.
    push_int(prefixes.parents, -1)
    push_int(prefixes.codes, 0)
    push_int(prefixes.nodes, 0)
    push_int(prefixes.trusts, <int32_t> (places - 1 if weights[places - 1] <= bound else places - 2))
    merging.state_of.push_back(-2)
    new_state(trie, merging, prefixes, 0)
    for k in range(width):
        push_int(merging.first_states, 0)
    trust = places
    while True:
        # Successors of the states that are new.
        while state < merging.prefix_of.size:
            parent = ints(merging.prefix_of)[state]
            node = ints(prefixes.nodes)[parent]
            push_long(begins, codes.size)
            # All tuples of transitions of the validity states, an odometer with the last component fastest.
            chosen.resize(width)
            more = True
            for k in range(width):
                chosen[k] = valid.offsets[ints(merging.first_states)[state * width + k]]
                if chosen[k] == valid.offsets[ints(merging.first_states)[state * width + k] + 1]:
                    more = False
            while more:
                code = 0
                for k in range(width):
                    code = code * digits + valid.codes[chosen[k]]
                if state == 0 and code == 0:
                    push_long(codes, 0)
                    push_int(reached, 0)
                else:
                    child = child_of(trie, node, code)
                    prefix = prefixes.parents.size
                    push_int(prefixes.parents, <int32_t> parent)
                    push_int(prefixes.codes, <int32_t> code)
                    push_int(prefixes.nodes, <int32_t> child)
                    found = trust_of(prefixes, parent, code, width, digits, weights, bound, word)
                    push_int(prefixes.trusts, <int32_t> found)
                    merging.state_of.push_back(-2)
                    if found >= 0:
                        push_long(codes, code)
                        push_int(reached, <int32_t> prefix)
                        merging.waiting[found].push_back(<int32_t> prefix)
                    else:
                        merging.unknown += 1
                k = width - 1
                while k >= 0:
                    chosen[k] += 1
                    if chosen[k] < valid.offsets[ints(merging.first_states)[state * width + k] + 1]:
                        break
                    chosen[k] = valid.offsets[ints(merging.first_states)[state * width + k]]
                    k -= 1
                more = k >= 0
                work(meter, 20)
            state += 1
        while trust >= 0 and merging.waiting[trust].empty():
            trust -= 1
        if trust < 0:
            break
        prefix = take_first(merging.waiting[trust])
        node = ints(prefixes.nodes)[prefix]
        if node < 0 or near(trie, node) > trust:
            merging.state_of[prefix] = -1
            merging.least_dead = min(merging.least_dead, trust)
            merging.dead += 1
            continue
        known = -1
        look = hashed(trie, node, min(LOOK, trust))
        for i in range(merging.prefix_of.size):
            if trust >= LOOK and merging.hashes[i] != look:
                continue
            if same_residual(trie, node, ints(prefixes.nodes)[ints(merging.prefix_of)[i]], trust):
                known = i
                break
        work(meter, merging.prefix_of.size // 4)
        if known >= 0:
            merging.state_of[prefix] = <int32_t> known
            merging.least_merge = min(merging.least_merge, trust)
            merging.merges += 1
            continue
        new_state(trie, merging, prefixes, prefix)
        push_validity(merging, prefixes, prefix, width, digits, valid, meter)
        progress(meter, merging.prefix_of.size, codes.size, 1)
    return 0


cdef int32_t take_first(vector[int32_t]& waiting) noexcept nogil:
    """The first one that waits.  (Few wait at a time: moving the others costs less than a queue.)"""
    cdef int32_t first = waiting[0]
    waiting.erase(waiting.begin())
    return first


cdef int push_validity(Merging merging, Prefixes prefixes, int64_t prefix, int64_t width, int64_t digits,
                       Csr valid, Meter meter) except -1 nogil:
    """The validity states after a prefix, from those of the state that its parent is."""
    cdef int64_t parent = merging.state_of[ints(prefixes.parents)[prefix]], k, i, power = 1, state, digit
    for k in range(width - 1):
        power *= digits
    for k in range(width):
        state = ints(merging.first_states)[parent * width + k]
        digit = (ints(prefixes.codes)[prefix] // power) % digits
        for i in range(valid.offsets[state], valid.offsets[state + 1]):
            if valid.codes[i] == digit:
                push_int(merging.first_states, valid.targets[i])
                break
        power //= digits
    return 0


cdef int collect(Trie trie, Merging merging, Prefixes prefixes, Block begins, Block codes, Block reached,
                 Rows rows, Meter meter) except -1 nogil:
    """The rows of the automaton."""
    cdef int64_t state, i, end
    for state in range(merging.prefix_of.size):
        end = longs(begins)[state + 1] if state + 1 < begins.size else codes.size
        for i in range(longs(begins)[state], end):
            if merging.state_of[ints(reached)[i]] >= 0:
                push_transition(rows, longs(codes)[i], merging.state_of[ints(reached)[i]])
        rows.end_row(
            near(trie, ints(prefixes.nodes)[ints(merging.prefix_of)[state]]) == 0,
            merging.prefix_of.size, end - longs(begins)[state],
        )
    return 0
