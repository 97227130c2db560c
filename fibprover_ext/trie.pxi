"""A trie of the representations of number tuples, and the residuals of its nodes.

Words are inserted without leading zero letters.  The language they stand for is closed under leading
zeros, so the root has one child more than the trie shows: itself, by the zero letter.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.pair cimport pair
from libcpp.vector cimport vector

# A node's label is its letter above its distance to the nearest accepted word below it; FAR: there is none.
cdef enum:
    NEAR_BITS = 8
    FAR = 255

ctypedef pair[uint64_t, uint64_t] WordKey

# Bits of a key that hold the length of its word.
cdef int64_t LENGTH_BITS = 8

# A letter and a distance share an int32.
cdef int64_t MOST_LETTERS = (<int64_t> 1) << 22

cdef int64_t MOST_NODES = 0x7ffffff0

# Nodes that enter the hash of a residual.  Residuals of sparse sets differ deep down, so that it is better to hash
# some words to their ends than all words of a few letters.
cdef int64_t LOOKED_AT = 40


cdef class Trie:
    """The words of known tuples, nodes in preorder: a node's first child follows it, if it has one."""
    cdef Block labels, ends         # a node's label; the node after its last descendant
    cdef Meter meter
    cdef int64_t words              # distinct words in it
    cdef int64_t letters            # of the alphabet

    def __cinit__(self, Meter meter):
        self.meter = meter
        self.labels = new_ints(meter)
        self.ends = new_ints(meter)


cdef int64_t bits_for(int64_t letters) noexcept nogil:
    cdef int64_t bits = 1
    while (<int64_t> 1 << bits) < letters:
        bits += 1
    return bits


cdef Trie trie_of(const int64_t[::1] values, int64_t width, const int64_t[::1] weights, int64_t digits, Meter meter):
    """The trie of tuples of `width` components, given one after the other in any order and any number of times.

    weights: what a digit is worth by its place, least first, the last one greater than all components; each
    component is written greedily with `digits` digits.  TooLargeError for alphabets and words that are too
    large.  O(tuples * (letters + log tuples)) time; 8 bytes a node, and for a while 16 bytes a tuple.
    """
    cdef Trie trie = Trie(meter)
    cdef int64_t count = values.shape[0] // width, places = weights.shape[0], bits, first
    cdef vector[WordKey] keys
    trie.letters = 1
    for _ in range(width):
        if digits > MOST_LETTERS // trie.letters:
            raise TooLargeError("an alphabet of more than 2^22 letters")
        trie.letters *= digits
    bits = bits_for(trie.letters)
    first = 64 // bits
    # No component needs the last place.
    if places - 1 > first + (64 - LENGTH_BITS) // bits or places > FAR:
        raise TooLargeError(f"words of {places - 1} letters over an alphabet of {trie.letters}")
    if count > (meter.max_bytes - meter.bytes) // 16:
        meter.spent(BYTES)
    meter.bytes += 16 * count
    try:
        with nogil:
            keys.reserve(count)
            encode_words(keys, values, width, weights, digits, bits, meter)
            sort_polled(keys.data(), <int64_t> keys.size(), poll_meter, <void*> meter)
            insert_words(trie, keys, bits)
    finally:
        meter.bytes -= 16 * count
    return trie


cdef int encode_words(vector[WordKey]& keys, const int64_t[::1] values, int64_t width, const int64_t[::1] weights,
                      int64_t digits, int64_t bits, Meter meter) except -1 nogil:
    """A key for each tuple: its letters from the top down, then how many they are; in order as the words are."""
    cdef int64_t count = values.shape[0] // width, places = weights.shape[0], first = 64 // bits
    cdef int64_t i, k, place, code, digit, length
    cdef vector[int64_t] rest
    cdef WordKey key
    rest.resize(width)
    for i in range(count):
        for k in range(width):
            rest[k] = values[i * width + k]
        key.first = key.second = 0
        length = 0
        for place in range(places - 1, -1, -1):
            code = 0
            for k in range(width):
                code *= digits
                if rest[k] >= weights[place]:
                    # A division takes longer than all else here, and most digits are 0 or 1.
                    digit = 1 if rest[k] - weights[place] < weights[place] else rest[k] // weights[place]
                    if digit >= digits:
                        with gil:
                            raise InvalidArrayError("a number needs a greater digit than there is")
                    rest[k] -= digit * weights[place]
                    code += digit
            if length == 0 and code == 0:
                continue
            if length < first:
                key.first |= <uint64_t> code << (64 - bits * (length + 1))
            else:
                key.second |= <uint64_t> code << (64 - bits * (length - first + 1))
            length += 1
        key.second |= <uint64_t> length
        keys.push_back(key)
        work(meter, places * width)
    return 0


cdef int insert_words(Trie trie, vector[WordKey]& keys, int64_t bits) except -1 nogil:
    """Insert the words of sorted keys."""
    cdef int64_t first = 64 // bits, mask = (<int64_t> 1 << bits) - 1, place, same, code, length
    cdef size_t i
    cdef vector[int32_t] word, before, path
    push_int(trie.labels, FAR)
    push_int(trie.ends, 0)
    path.push_back(0)
    for i in range(keys.size()):
        length = <int64_t> (keys[i].second & <uint64_t> 0xff)
        word.clear()
        for place in range(length):
            if place < first:
                code = <int64_t> (keys[i].first >> (64 - bits * (place + 1)))
            else:
                code = <int64_t> (keys[i].second >> (64 - bits * (place - first + 1)))
            word.push_back(<int32_t> (code & mask))
        same = 0
        while same < length and same < <int64_t> before.size() and word[same] == before[same]:
            same += 1
        add_word(trie, word, same, path)
        before.swap(word)
        work(trie.meter, length)
    close_path(trie, 0, path)
    ints(trie.ends)[0] = <int32_t> trie.labels.size
    return 0


cdef int add_word(Trie trie, vector[int32_t]& word, int64_t same, vector[int32_t]& path) except -1 nogil:
    """Append the nodes of a word that shares its first `same` letters with the path."""
    cdef int64_t depth
    close_path(trie, same, path)
    for depth in range(same, <int64_t> word.size()):
        if trie.labels.size >= MOST_NODES:
            with gil:
                raise TooLargeError("a trie of more than 2^31 nodes")
        path.push_back(<int32_t> trie.labels.size)
        push_int(trie.labels, <int32_t> ((word[depth] << NEAR_BITS) | FAR))
        push_int(trie.ends, 0)
    trie.words += near(trie, path.back()) != 0
    ints(trie.labels)[path.back()] &= ~<int32_t> FAR
    return 0


cdef int close_path(Trie trie, int64_t kept, vector[int32_t]& path) except -1 nogil:
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


cdef bint same_residual(Trie trie, int64_t u, int64_t v, int64_t depth) except -1 nogil:
    """Return whether the words that complete two nodes are the same up to a length; only v may be the root."""
    cdef int64_t c, d
    cdef bint zero
    while True:
        if (near(trie, u) == 0) != (near(trie, v) == 0):
            return False
        if depth == 0:
            return True
        work(trie.meter, 1)
        c = u + 1
        d = v + 1
        if v != 0:
            return same_children(trie, c, end_of(trie, u), d, end_of(trie, v), depth)
        # The root's child by the zero letter is the root.
        zero = near(trie, 0) < depth
        if zero != (c < end_of(trie, u) and letter_of(trie, c) == 0 and near(trie, c) < depth):
            return False
        if c < end_of(trie, u) and letter_of(trie, c) == 0:
            c = end_of(trie, c)
        if not same_children(trie, c, end_of(trie, u), d, end_of(trie, 0), depth):
            return False
        if not zero:
            return True
        u += 1
        depth -= 1


cdef bint same_children(Trie trie, int64_t c, int64_t c_end, int64_t d, int64_t d_end, int64_t depth) except -1 nogil:
    """Return whether siblings from c and from d on begin the same words up to a length; none of them is the root."""
    while True:
        while c < c_end and near(trie, c) >= depth:
            c = end_of(trie, c)
        while d < d_end and near(trie, d) >= depth:
            d = end_of(trie, d)
        if c == c_end or d == d_end:
            return c == c_end and d == d_end
        if letter_of(trie, c) != letter_of(trie, d) or not same_residual(trie, c, d, depth - 1):
            return False
        c = end_of(trie, c)
        d = end_of(trie, d)


cdef uint64_t residual_hash(Trie trie, int64_t node, int64_t depth) noexcept nogil:
    """A hash of the words that complete a node up to a length: of the first few nodes on their way."""
    cdef uint64_t value = 0x9e3779b97f4a7c15
    cdef int64_t left = LOOKED_AT
    hash_descendants(trie, node, depth, &value, &left)
    return value


cdef void hash_descendants(Trie trie, int64_t node, int64_t depth, uint64_t* value, int64_t* left) noexcept nogil:
    cdef int64_t child = node + 1, end = end_of(trie, node)
    mix_in(value, 1 + (near(trie, node) == 0))
    left[0] -= 1
    if node == 0 and near(trie, 0) < depth and left[0] > 0:
        mix_in(value, 3)
        hash_descendants(trie, 0, depth - 1, value, left)
    while child < end and left[0] > 0:
        if near(trie, child) < depth:
            mix_in(value, 3 + letter_of(trie, child))
            hash_descendants(trie, child, depth - 1, value, left)
        child = end_of(trie, child)
    mix_in(value, 0)


cdef inline void mix_in(uint64_t* value, int64_t item) noexcept nogil:
    value[0] = (value[0] ^ <uint64_t> item) * <uint64_t> 0xff51afd7ed558ccd
    value[0] ^= value[0] >> 32


cdef inline int64_t near(Trie trie, int64_t node) noexcept nogil:
    return ints(trie.labels)[node] & FAR


cdef inline int64_t letter_of(Trie trie, int64_t node) noexcept nogil:
    return ints(trie.labels)[node] >> NEAR_BITS


cdef inline int64_t end_of(Trie trie, int64_t node) noexcept nogil:
    return ints(trie.ends)[node]
