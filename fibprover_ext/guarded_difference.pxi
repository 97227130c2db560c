"""a & ~(exists x. b), where b's subset construction runs only along the letters of a."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t


def guarded_difference(Csr a, Csr b, Recode key_a, Recode part_a, Recode kept_b, int64_t zero, Meter meter):
    """All reachable pairs (p, S) of an a-state and a set of b-states, where S may be missing for ever.

    key_a: an a-letter as the projected b reads it; kept_b: b's letter without the quantified
    digits, in the same coding; part_a: an a-letter in the result's coding; zero: kept code of b's
    zero letter for its zero closure, or -1.  Successors of a set are found letter by letter as a
    asks for them, and kept.  The result is not trimmed.
    """
    cdef Rows rows = Rows(meter)
    cdef Operand left = prepare(a, key_a, part_a, meter)
    cdef Subsets subsets = Subsets(Nfa((b,), (kept_b,), zero, meter), meter)
    cdef GuardedWalk walk = guarded_walk(left, subsets, rows, meter)
    with nogil:
        walk.run(left, subsets, False)
    return rows.finish().export()


def guarded_difference_word(Csr a, Csr b, Recode key_a, Recode kept_b, int64_t zero, Meter meter):
    """Return the codes of a word that `guarded_difference` would accept, None without one.

    a and b are trim or single states.  Ends at the first pair that shows it, and keeps only the pairs.
    """
    cdef Operand left = prepare_keys(a, key_a, meter)
    cdef Subsets subsets = Subsets(Nfa((b,), (kept_b,), zero, meter), meter)
    cdef GuardedWalk walk = guarded_walk(left, subsets, Rows(meter), meter)
    cdef int64_t found
    with nogil:
        found = walk.run(left, subsets, True)
    if found < 0:
        return None
    path = walk.pairs.path(found)
    begun = [walk.letter(left, key_a, subsets, path[i], path[i + 1]) for i in range(len(path) - 1)]
    return (*begun, *word_from(a, <int64_t> (<uint64_t> path[len(path) - 1] >> 32), meter))


cdef GuardedWalk guarded_walk(Operand left, Subsets subsets, Rows rows, Meter meter):
    """The walk before its first step."""
    cdef GuardedWalk walk = GuardedWalk(rows, meter)
    with nogil:
        number_keys(left, subsets.nfa, meter)
        subsets.number_of_states(subsets.nfa.initial)
    return walk


cdef int number_keys(Operand left, Nfa nfa, Meter meter) except -1 nogil:
    """Replace a's keys by b's letter numbers (-1 where b never has the letter); keeps rows sorted by run."""
    cdef int64_t i
    if nfa.letters is not None:
        for i in range(left.keys.size):
            longs(left.keys)[i] = nfa.number_of(longs(left.keys)[i])
            if not i & 1023:
                work(meter, 1024 * SEEKING)
    return 0


cdef class GuardedWalk:
    """The product's worklist, and the successors of sets that were computed so far."""

    cdef Meter meter
    cdef Rows rows
    cdef Pairs pairs                # (p << 32) | (S + 1), S = -1 where it is missing
    cdef Block steps                # (S << 32) | letter number, those requested so far
    cdef Block successors           # beside `steps`: the set reached, or -1
    cdef Table step_table
    cdef Block wanted               # letters of the pair at hand whose successor is not known yet
    cdef Block accepting            # set -> whether it accepts, as far as sets are known

    def __cinit__(self, Rows rows, Meter meter):
        self.meter = meter
        self.rows = rows
        # The number of sets is not known: no grid.
        self.pairs = new_pairs(1, meter.ceiling, meter.ceiling, 0, meter)
        self.steps = new_longs(meter)
        self.successors = new_ints(meter)
        self.step_table = Table(meter)
        self.wanted = new_longs(meter)
        self.accepting = new_ints(meter)

    cdef int64_t run(self, Operand left, Subsets subsets, bint stop) except -2 nogil:
        """Build all rows; or, to `stop`, none, and return the number of the first pair from which a word of a stays.

        Otherwise -1.
        """
        cdef const int32_t* out_a = left.source.outputs
        cdef const int64_t* keys = longs(left.keys)
        cdef const int64_t* parts = longs(left.parts)
        cdef const int32_t* targets = ints(left.targets)
        cdef int64_t done = 0, looked = 0, p, subset, i, i_end, key, begin, step, count
        cdef uint64_t pair, other
        cdef bint accepts
        while done < self.pairs.found.size:
            while stop and looked < self.pairs.found.size:
                # From every state of a trim automaton some word is accepted.
                pair = <uint64_t> longs(self.pairs.found)[looked]
                subset = <int64_t> <uint32_t> pair - 1
                if subset < 0 or (out_a[pair >> 32] and not self.accepts(subset, subsets)):
                    return looked
                looked += 1
            pair = <uint64_t> longs(self.pairs.found)[done]
            p = <int64_t> (pair >> 32)
            subset = <int64_t> <uint32_t> pair - 1
            done += 1
            begin = self.rows.codes.size
            i, i_end = left.offsets[p], left.offsets[p + 1]
            if subset >= 0:
                self.expand(subset, keys, i, i_end, subsets)
            while i < i_end:
                key = keys[i]
                other = 0
                if subset >= 0 and key >= 0:
                    step = find(self.step_table, self.steps, (<uint64_t> subset << 32) | <uint64_t> key)
                    other = <uint64_t> (ints(self.successors)[step] + 1)
                while i < i_end and keys[i] == key:
                    if stop:
                        reach(self.pairs, (<uint64_t> targets[i] << 32) | other)
                    else:
                        want(self.pairs, self.rows, parts[i], (<uint64_t> targets[i] << 32) | other)
                    i += 1
            count = self.pairs.wanted.size
            self.pairs.number_wanted(self.rows)
            if stop:
                push_long(self.pairs.ends, self.pairs.found.size)
                self.rows.drop_row(self.pairs.found.size, count + 8)
                continue
            self.rows.sort_row(begin)
            accepts = out_a[p] != 0
            if accepts and subset >= 0:
                accepts = not self.accepts(subset, subsets)
            self.rows.end_row(accepts, self.pairs.found.size, count + 8)
        return -1

    cdef int64_t letter(self, Operand left, Recode key_a, Subsets subsets, uint64_t pair, uint64_t after) except -1:
        """The code of a letter of a that leads from one pair to another."""
        cdef int64_t p = <int64_t> (pair >> 32), subset = <int64_t> <uint32_t> pair - 1
        cdef int64_t place
        with nogil:
            self.expand(subset, longs(left.keys), left.offsets[p], left.offsets[p + 1], subsets)
            place = self.place(left.source, key_a, subsets.nfa, p, subset, after)
        return left.source.codes[place]

    cdef int64_t place(self, Csr a, Recode key_a, Nfa nfa, int64_t p, int64_t subset,
                       uint64_t after) except -1 nogil:
        """The first transition of p that leads to the pair wanted; the set's successors are known."""
        cdef int64_t i, key, step, reached
        for i in range(a.offsets[p], a.offsets[p + 1]):
            work(self.meter, 1)
            if a.targets[i] != <int64_t> (after >> 32):
                continue
            work(self.meter, SEEKING)
            key = nfa.number_of(recode(key_a, a.codes[i]))
            reached = 0
            if key >= 0:
                step = find(self.step_table, self.steps, (<uint64_t> subset << 32) | <uint64_t> key)
                reached = ints(self.successors)[step] + 1
            if reached == <int64_t> <uint32_t> after:
                return i
        with gil:
            raise AssertionError("no letter leads from a pair to the next one")

    cdef int expand(self, int64_t subset, const int64_t* keys, int64_t begin, int64_t end,
                    Subsets subsets) except -1 nogil:
        """Compute the set's successors under keys[begin:end] that are not known yet."""
        cdef int64_t i, previous = -1, step, run, run_end
        cdef uint64_t high = <uint64_t> subset << 32, letter
        if end - begin > self.meter.ceiling - self.steps.size:
            # There may be more steps than can be numbered; steps that are forgotten are computed again.
            self.steps.size = self.successors.size = 0
            self.step_table.clear()
        self.wanted.size = 0
        for i in range(begin, end):
            if keys[i] < 0 or keys[i] == previous:
                continue
            work(self.meter, 1)
            previous = keys[i]
            step = intern(self.step_table, self.steps, high | <uint64_t> previous)
            if step < self.successors.size:
                continue
            push_int(self.successors, -1)
            push_long(self.wanted, previous)
        if self.wanted.size == 0:
            return 0
        subsets.gather_letters(subset, longs(self.wanted), self.wanted.size)
        run = 0
        while run < subsets.found_count:
            letter = subsets.found[run] >> 32
            run_end = run + 1
            while run_end < subsets.found_count and subsets.found[run_end] >> 32 == letter:
                run_end += 1
            work(self.meter, run_end - run)
            step = find(self.step_table, self.steps, high | letter)
            ints(self.successors)[step] = <int32_t> subsets.number_of(subsets.found + run, run_end - run)
            run = run_end
        return 0

    cdef bint accepts(self, int64_t subset, Subsets subsets) except -1 nogil:
        """Return whether a state of the set accepts; looked up once a set."""
        cdef int64_t known = self.accepting.size, i
        cdef int32_t answer
        while known <= subset:
            answer = 0
            for i in range(longs(subsets.begins)[known], longs(subsets.begins)[known + 1]):
                if ints(subsets.nfa.outputs)[ints(subsets.members)[i]]:
                    answer = 1
                    break
            push_int(self.accepting, answer)
            known += 1
        return ints(self.accepting)[subset]
