"""An automaton for a set of number tuples that is known up to a bound, by merging equal residuals.

The representations of the known tuples make a trie.  The residual of a prefix is the set of words that
complete it; it is known up to the greatest length at which every valid completion is a tuple below the
bound, the prefix's *trust*.  Prefixes are taken in order of decreasing trust: one whose residual equals
that of an earlier one as deep as it is known is the same state, one whose residual is empty as deep as it
is known is no state at all, any other is a new state.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.vector cimport vector

cdef int64_t FIRST_BUCKETS = 64

# Prefixes are numbered by int32.
cdef int64_t MOST_PREFIXES = 0x7ffffff0


cdef class Known:
    """States in buckets by a hash of their residuals up to `depth`, the trust of the current prefixes."""
    cdef Block firsts, lasts        # of a bucket: its first and last state, -1: it is empty
    cdef Block nexts                # of a state: the next one in its bucket
    cdef Block hashes               # of a state
    cdef int64_t depth
    cdef Meter meter

    def __cinit__(self, int64_t depth, Meter meter):
        self.meter = meter
        self.firsts = new_ints(meter)
        self.lasts = new_ints(meter)
        self.nexts = new_ints(meter)
        self.hashes = new_longs(meter)
        self.depth = depth
        self.firsts.reset(FIRST_BUCKETS, 0xff)
        self.lasts.reset(FIRST_BUCKETS, 0xff)


cdef class Merging:
    """States found so far, and prefixes one letter longer than a state's, which wait in a list for every trust."""
    # Of a prefix: the state whose prefix it extends, by which letter, its node and trust, the next one in its
    # list, and the state that it is: -1 none, -2 not known yet.
    cdef Block parents, letters, nodes, trusts, nexts, states
    cdef Block firsts, lasts            # of a trust: the first and the last prefix that wait, -1: none
    cdef Block prefixes, validity       # of a state: its prefix, and the validity states of its components
    cdef Block begins, codes, reached   # transitions of state s from begins[s] on: letter, prefix
    cdef Known known
    cdef Meter meter
    cdef int64_t least_merge, least_dead, unknown

    def __cinit__(self, int64_t places, Meter meter):
        self.parents, self.letters, self.nodes = new_ints(meter), new_ints(meter), new_ints(meter)
        self.trusts, self.nexts, self.states = new_ints(meter), new_ints(meter), new_ints(meter)
        self.firsts, self.lasts = new_ints(meter), new_ints(meter)
        self.prefixes, self.validity = new_ints(meter), new_ints(meter)
        self.begins, self.codes, self.reached = new_longs(meter), new_longs(meter), new_ints(meter)
        self.known = Known(places, meter)
        self.meter = meter
        self.firsts.reset(places, 0xff)
        self.lasts.reset(places, 0xff)
        self.least_merge = self.least_dead = places


cdef class Problem:
    """The input: tuples of `width` components, all known below `bound`, in a system.

    weights: of a digit by its place, least first; slack: at validity state * places + j, the greatest number that
    a valid completion by j digits is worth, not more than `bound`, and -1 where there is none.
    """
    cdef int64_t width, bound, digits, places, letters
    cdef const int64_t* weights
    cdef const int64_t* slack
    cdef Csr valid
    cdef object arrays          # keeps the memory alive


def infer(const int64_t[::1] values, int64_t width, int64_t bound, const int64_t[::1] weights,
          const int64_t[::1] slack, Csr valid, int64_t digits, Meter meter):
    """(arrays of an automaton, trusts of its states, merged, dead, unknown, nodes, known, lost).

    values: tuples of `width` components from 0 to `bound` - 1, all there are, one after the other in any order;
    weights: what the digits are worth, least first, the last one the first that is not below the bound, at most
    2^62 all; slack: see `Problem`; valid: the valid representations over digits 0 .. digits-1.  The automaton
    loops at state 0 with the zero letter; it may hold words that are not valid.  merged, dead: the least trusts of a
    prefix that was merged, and of one whose residual is empty; unknown: how many transitions lead out of what is
    known; nodes: of the trie; known: how many tuples there are; lost: how many of them the automaton does not accept,
    which are none if the numbers below the bound are those whose representations have at most some length.
    O(tuples * length) for the trie, 8 bytes a node; every prefix looked at is compared with few states.
    """
    cdef Problem problem = Problem()
    cdef Trie trie
    cdef Merging merging
    cdef Rows rows = Rows(meter)
    cdef Csr found
    cdef int64_t s, lost = 0
    problem.width, problem.bound, problem.digits, problem.places = width, bound, digits, weights.shape[0]
    problem.valid, problem.arrays = valid, (weights.base, slack.base)
    check_problem(values, weights, slack, problem)
    problem.weights, problem.slack = &weights[0], &slack[0]
    trie = trie_of(values, width, weights, digits, meter)
    problem.letters = trie.letters
    merging = Merging(problem.places, meter)
    with nogil:
        merge_prefixes(trie, merging, problem)
        collect_rows(trie, merging, rows)
    found = rows.finish()
    with nogil:
        lost = trie.words - accepted_words(trie, found, 0, 0)
    trusts = [ints(merging.trusts)[ints(merging.prefixes)[s]] for s in range(merging.prefixes.size)]
    return (found.export(), trusts, merging.least_merge, merging.least_dead, merging.unknown, trie.labels.size,
            trie.words, lost)


cdef int check_problem(const int64_t[::1] values, const int64_t[::1] weights, const int64_t[::1] slack,
                       Problem problem) except -1:
    """InvalidArrayError for what no caller may hand in: the kernel does not look again."""
    cdef int64_t i
    cdef bint good = problem.places >= 1 and 1 <= problem.width <= 64 and problem.digits >= 1 and problem.bound >= 0
    good = good and values.shape[0] % problem.width == 0
    good = good and slack.shape[0] == problem.valid.states * problem.places
    if good:
        with nogil:
            for i in range(values.shape[0]):
                good &= 0 <= values[i] < problem.bound
            for i in range(problem.places):
                good &= 1 <= weights[i] <= <int64_t> 1 << 62 and (i == 0 or weights[i - 1] <= weights[i])
            good &= weights[problem.places - 1] >= problem.bound
            for i in range(slack.shape[0]):
                good &= -1 <= slack[i] <= problem.bound
            for i in range(problem.valid.transitions):
                good &= problem.valid.codes[i] < problem.digits
    if not good:
        raise InvalidArrayError("numbers, weights and valid representations do not fit together")
    return 0


cdef int merge_prefixes(Trie trie, Merging merging, Problem problem) except -1 nogil:
    """Finds the states and their transitions."""
    cdef int64_t expanded = 0, trust = problem.places - 1, prefix, state
    # The empty prefix stands for all words of zeros.
    while trust >= 0 and problem.slack[trust] >= problem.bound:
        trust -= 1
    new_prefix(merging, -1, 0, 0, trust)
    merging.validity.reset(problem.width, 0)
    new_state(trie, merging, 0)
    while True:
        while expanded < merging.prefixes.size:
            expand_state(trie, merging, problem, expanded)
            expanded += 1
        while trust >= 0 and ints(merging.firsts)[trust] < 0:
            trust -= 1
        if trust < 0:
            return 0
        prefix = ints(merging.firsts)[trust]
        ints(merging.firsts)[trust] = ints(merging.nexts)[prefix]
        state = equal_state(trie, merging, merging.known, prefix, trust)
        if state >= 0:
            ints(merging.states)[prefix] = <int32_t> state
            merging.least_merge = min(merging.least_merge, trust)
        else:
            push_validity(merging, problem, prefix)
            new_state(trie, merging, prefix)
            progress(merging.meter, merging.prefixes.size, merging.codes.size, 1)


cdef int64_t new_prefix(Merging merging, int64_t parent, int64_t letter, int64_t node, int64_t trust) except -1 nogil:
    cdef int64_t prefix = merging.parents.size
    if prefix >= MOST_PREFIXES:
        with gil:
            raise TooLargeError("more than 2^31 prefixes")
    push_int(merging.parents, <int32_t> parent)
    push_int(merging.letters, <int32_t> letter)
    push_int(merging.nodes, <int32_t> node)
    push_int(merging.trusts, <int32_t> trust)
    push_int(merging.nexts, -1)
    push_int(merging.states, -2)
    return prefix


cdef int new_state(Trie trie, Merging merging, int64_t prefix) except -1 nogil:
    """Make a prefix a state, whose validity states have been pushed."""
    ints(merging.states)[prefix] = <int32_t> merging.prefixes.size
    push_int(merging.prefixes, <int32_t> prefix)
    return remember(merging.known, residual_hash(trie, ints(merging.nodes)[prefix], merging.known.depth))


cdef int remember(Known known, uint64_t look) except -1 nogil:
    """The next state, by its hash."""
    push_long(known.hashes, <int64_t> look)
    push_int(known.nexts, -1)
    if known.nexts.size <= 2 * known.firsts.size:
        return file_away(known, known.nexts.size - 1)
    return file_all(known, 4 * known.firsts.size)


cdef int file_all(Known known, int64_t buckets) except -1 nogil:
    """Put all states in so many buckets, a power of 2."""
    cdef int64_t state
    known.firsts.reset(buckets, 0xff)
    known.lasts.reset(buckets, 0xff)
    for state in range(known.nexts.size):
        file_away(known, state)
    return work(known.meter, known.nexts.size)


cdef int file_away(Known known, int64_t state) except -1 nogil:
    """Put a state at the end of its bucket: the first one found is the one known deepest."""
    cdef int64_t bucket = bucket_of(known, <uint64_t> longs(known.hashes)[state])
    cdef int64_t last = ints(known.lasts)[bucket]
    ints(known.nexts)[state] = -1
    ints(known.lasts)[bucket] = <int32_t> state
    if last < 0:
        ints(known.firsts)[bucket] = <int32_t> state
    else:
        ints(known.nexts)[last] = <int32_t> state
    return 0


cdef inline int64_t bucket_of(Known known, uint64_t look) noexcept nogil:
    return <int64_t> (look & <uint64_t> (known.firsts.size - 1))


cdef int look_again(Trie trie, Merging merging, Known known, int64_t depth) except -1 nogil:
    """Hash all states up to a lesser depth."""
    cdef int64_t state, node
    known.depth = depth
    for state in range(known.hashes.size):
        node = ints(merging.nodes)[ints(merging.prefixes)[state]]
        longs(known.hashes)[state] = <int64_t> residual_hash(trie, node, depth)
        work(known.meter, 8)
    return file_all(known, known.firsts.size)


cdef int64_t equal_state(Trie trie, Merging merging, Known known, int64_t prefix, int64_t trust) except -2 nogil:
    """The first state whose residual is that of a prefix, up to the prefix's trust; -1 if it is a new one."""
    cdef int64_t node = ints(merging.nodes)[prefix], state
    cdef uint64_t look
    if trust < known.depth:
        look_again(trie, merging, known, trust)
    look = residual_hash(trie, node, trust)
    state = ints(known.firsts)[bucket_of(known, look)]
    while state >= 0:
        if <uint64_t> longs(known.hashes)[state] == look:
            if same_residual(trie, node, ints(merging.nodes)[ints(merging.prefixes)[state]], trust):
                return state
        work(known.meter, 1)
        state = ints(known.nexts)[state]
    return -1


cdef int expand_state(Trie trie, Merging merging, Problem problem, int64_t state) except -1 nogil:
    """The prefixes one letter longer than a state's.

    An odometer over the valid digits of the components, the last component fastest, beside the children in
    the trie: both come in the order of their letters.
    """
    cdef int64_t prefix = ints(merging.prefixes)[state], node = ints(merging.nodes)[prefix], width = problem.width
    cdef int64_t child = node + 1, code, k, trust, most = ints(merging.trusts)[prefix]
    cdef const int64_t* offsets = problem.valid.offsets
    cdef const int32_t* validity
    cdef vector[int64_t] at, ends, worth
    push_long(merging.begins, merging.codes.size)
    worths(merging, problem, state, worth)
    at.resize(width)
    ends.resize(width)
    validity = ints(merging.validity) + state * width
    for k in range(width):
        at[k] = offsets[validity[k]]
        ends[k] = offsets[validity[k] + 1]
        if at[k] == ends[k]:
            return 0
    # Nothing is pushed to `validity` meanwhile, which would make the pointer stale.
    while True:
        code = 0
        for k in range(width):
            code = code * problem.digits + problem.valid.codes[at[k]]
        while child < end_of(trie, node) and letter_of(trie, child) < code:
            child = end_of(trie, child)
        if state == 0 and code == 0:
            push_long(merging.codes, 0)
            push_int(merging.reached, 0)
        else:
            trust = trust_of(problem, at, worth, most)
            if trust < 0:
                merging.unknown += 1
            elif child < end_of(trie, node) and letter_of(trie, child) == code and near(trie, child) <= trust:
                prefix = new_prefix(merging, state, code, child, trust)
                push_long(merging.codes, code)
                push_int(merging.reached, <int32_t> prefix)
                if ints(merging.firsts)[trust] < 0:
                    ints(merging.firsts)[trust] = <int32_t> prefix
                else:
                    ints(merging.nexts)[ints(merging.lasts)[trust]] = <int32_t> prefix
                ints(merging.lasts)[trust] = <int32_t> prefix
            else:
                merging.least_dead = min(merging.least_dead, trust)
        work(merging.meter, 4 * width)
        k = width - 1
        while k >= 0:
            at[k] += 1
            if at[k] < ends[k]:
                break
            at[k] = offsets[validity[k]]
            k -= 1
        if k < 0:
            return 0


cdef int worths(Merging merging, Problem problem, int64_t state, vector[int64_t]& worth) except -1 nogil:
    """Compute what the components of a state's prefix are worth before j + 1 more digits, at j * width + k.

    The bound stands for all that is greater; only for j up to the prefix's trust.
    """
    cdef int64_t prefix = ints(merging.prefixes)[state], most = ints(merging.trusts)[prefix], width = problem.width
    cdef int64_t place = 1, letter, digit, j, k, now
    worth.assign((most + 1) * width, 0)
    while state > 0:
        prefix = ints(merging.prefixes)[state]
        letter = ints(merging.letters)[prefix]
        for k in range(width - 1, -1, -1):
            digit = letter % problem.digits
            letter //= problem.digits
            if digit:
                for j in range(most + 1):
                    now = worth[j * width + k]
                    worth[j * width + k] = now + product(problem, digit, j + place, problem.bound - now)
        work(merging.meter, width * (most + 2))
        state = ints(merging.parents)[prefix]
        place += 1
    return 0


cdef inline int64_t product(Problem problem, int64_t digit, int64_t place, int64_t most) noexcept nogil:
    """Return the worth of a digit at a place, or `most` if that is less."""
    if place >= problem.places or problem.weights[place] > most // digit:
        return most
    return digit * problem.weights[place]


cdef int64_t trust_of(Problem problem, vector[int64_t]& at, vector[int64_t]& worth, int64_t most) noexcept nogil:
    """The greatest j <= most such that whatever at most j letters follow validly, all is below the bound; -1: none.

    The components' last digits and the validity states after them are those of the transitions `at`; what the
    digits before them are worth is in `worth`.  More letters make greater numbers, so it is enough to look at the
    greatest number of them that can follow.
    """
    cdef int64_t trust = most, j, k, digit, left, slack
    cdef bint below, possible
    for j in range(most, -1, -1):
        below = possible = True
        for k in range(problem.width):
            slack = problem.slack[problem.valid.targets[at[k]] * problem.places + j]
            if slack < 0:
                possible = False
                break
            digit = problem.valid.codes[at[k]]
            left = problem.bound - worth[j * problem.width + k]
            if digit:
                left -= product(problem, digit, j, left)
            if slack >= left:
                below = False
        if possible and below:
            break
        if possible:
            trust = j - 1
    return trust


cdef int push_validity(Merging merging, Problem problem, int64_t prefix) except -1 nogil:
    """The validity states after a prefix, from those of the state whose prefix it extends."""
    cdef int64_t parent = ints(merging.parents)[prefix], letter = ints(merging.letters)[prefix]
    cdef int64_t k, i, power = problem.letters // problem.digits, state
    for k in range(problem.width):
        state = ints(merging.validity)[parent * problem.width + k]
        i = problem.valid.offsets[state]
        while problem.valid.codes[i] != (letter // power) % problem.digits:
            i += 1
        push_int(merging.validity, problem.valid.targets[i])
        power //= problem.digits
    return 0


cdef int collect_rows(Trie trie, Merging merging, Rows rows) except -1 nogil:
    """The rows of the automaton."""
    cdef int64_t state, i, end
    for state in range(merging.prefixes.size):
        end = longs(merging.begins)[state + 1] if state + 1 < merging.begins.size else merging.codes.size
        for i in range(longs(merging.begins)[state], end):
            push_transition(rows, longs(merging.codes)[i], ints(merging.states)[ints(merging.reached)[i]])
        rows.end_row(
            near(trie, ints(merging.nodes)[ints(merging.prefixes)[state]]) == 0,
            merging.prefixes.size, end - longs(merging.begins)[state],
        )
    return 0


cdef int64_t accepted_words(Trie trie, Csr a, int64_t node, int64_t state) except -1 nogil:
    """How many words of the trie that go through a node the automaton accepts, being in a state there."""
    cdef int64_t child = node + 1, end = end_of(trie, node), count = near(trie, node) == 0 and a.outputs[state] != 0
    cdef int64_t i = a.offsets[state], last = a.offsets[state + 1], letter
    work(trie.meter, 1)
    while child < end:
        letter = letter_of(trie, child)
        while i < last and a.codes[i] < letter:
            i += 1
        if i < last and a.codes[i] == letter:
            count += accepted_words(trie, a, child, a.targets[i])
        child = end_of(trie, child)
    return count
