"""Remainders of a linear atom: the nodes that its automaton pairs with validity states.

What has been read is a remainder: a vector r worth sum r_j U_{t+j}, where the number t of digits
still to come is not known.  For each t the final sum lies in an interval, so the relation holds
for all continuations, for none, or is open.  If it is open for some t, the remainder is kept.
If it is settled for every t, only the answers matter ("true for t <= 3"): such remainders become
a pattern of answers, of which there are few.  Where neither can be proved the remainder is
kept: the automaton is larger than it need be, and right.

In Ostrowski systems and negative bases a step depends on the position.  Then t is not known, but its
phase is: the positions below `transient` are phases of their own, the others fall into `period` classes.
Coming from class 0 the next position may be the last of the other class or, if t was the least, the
transient one; so a node leads to a node in each phase that may follow: a search of the nodes reads phases
like letters.  The answers of a pattern are for the t of its phase, counted from the least.  Where all
positions are alike, there is one phase, and each node has one that follows.
"""

cimport cython
from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcmp
from libcpp.vector cimport vector

# Whether the relation holds, for one number of digits to come.
cdef enum Answer:
    NO, YES, OPEN

cdef enum Relation:
    EQUAL, UNEQUAL, LESS

# What a record holds; START is the remainder 0 before the first digit, which any phase may follow.
cdef enum Kind:
    REMAINDER, PATTERN, REVERSED_PATTERN, START

# The first item of a record is its phase times this, plus its kind.
cdef int64_t KINDS = 4

# Patterns hold the answers for fewer t than this, and one answer for all others.
cdef int64_t HORIZON = 120

# Sums of absolute values up to this bound are computed in int64 without overflow; entries of
# remainders stay below the other, so that they are exact as doubles.
cdef double EXACT = 4e18
cdef double ENTRY = 4e15

# Bounds the relative error of the few dozen floating point operations of each estimate.
cdef double SLACK = 1e-12

# Most distinct weights of a letter that are listed, and the widest range of them that is tabulated.
cdef int64_t MOST_WEIGHTS = 1 << 22


@cython.final
cdef class Recurrence:
    """The weights U_t of positions, and what is known of the values of t digits; made once for many atoms.

    transient: as above; order: the order d; feedback (d for each phase): in phase i,
    U_{t+d-1} = sum_j feedback[i][j] U_{t-1+j}; terms: U_0, U_1, ...; lows, highs: the extreme values of t
    valid digits; powers (d for each phase): the limit of U_{t+j} / U_t in the phase; spread: bounds from
    above on |U_{t+j} - power U_t|; ranges (3 for each phase): the limits of lows[t] / |U_t| and
    highs[t] / |U_t|, and a bound from above on how far lows and highs are from those times |U_t|.  In a
    transient phase powers, spread and ranges are not used.  In each class the terms and extremes have to be
    a constant and a sum of at most max(d, 2) powers.
    """
    cdef int64_t transient, period, phases, order
    cdef vector[int64_t] feedback
    cdef readonly vector[int64_t] terms
    cdef vector[int64_t] lows, highs
    cdef vector[double] powers, spread, ranges
    cdef vector[double] reach   # for each t: the largest of |U_t|, ..., |U_{t+d-1}|, ...
    cdef vector[double] span    # ... and |lows[t]| + |highs[t]|

    def __cinit__(self, int64_t transient, int64_t order, vector[int64_t] feedback, vector[int64_t] terms,
                  vector[int64_t] lows, vector[int64_t] highs, vector[double] powers, vector[double] spread,
                  vector[double] ranges):
        cdef int64_t t, j
        cdef uint64_t phases = ranges.size() // 3, rows = phases * <uint64_t> order
        if order < 1 or not 0 <= transient < <int64_t> phases or ranges.size() != 3 * phases:
            raise InvalidArrayError("the phases of a linear atom do not fit together")
        if feedback.size() != rows or powers.size() != rows or spread.size() != rows:
            raise InvalidArrayError("the recurrence of a linear atom does not fit together")
        if terms.size() < phases - 1 + order or lows.size() != terms.size() or highs.size() != terms.size():
            raise InvalidArrayError("the terms of a linear atom do not fit together")
        self.transient, self.phases, self.order = transient, <int64_t> phases, order
        self.period = self.phases - transient
        self.feedback, self.terms, self.lows, self.highs = feedback, terms, lows, highs
        self.powers, self.spread, self.ranges = powers, spread, ranges
        for t in range(<int64_t> terms.size() - order + 1):
            self.reach.push_back(0)
            for j in range(order):
                self.reach[t] = max(self.reach[t], fabs(<double> terms[t + j]))
            self.span.push_back(fabs(<double> lows[t]) + fabs(<double> highs[t]))

    def __reduce__(self):
        return Recurrence, (self.transient, self.order, self.feedback, self.terms, self.lows, self.highs,
                            self.powers, self.spread, self.ranges)


@cython.final
cdef class Atom:
    """One constraint, the nodes (remainders and patterns) found so far, and where they lead."""
    cdef Meter meter
    cdef Recurrence recurrence
    cdef int relation
    cdef int64_t constant, most         # the sum is compared with the numbers from one to the other
    cdef int64_t rises, falls           # sums of the positive, of the negated negative coefficients
    cdef int64_t order
    cdef int64_t width                  # items of a record: phase and kind, then a remainder or a pattern
    cdef Block records
    cdef Table table
    cdef vector[int64_t] scratch
    cdef int64_t phase                  # `depart` was into this phase, and ...
    cdef bint patterned                 # ... from a pattern, which leads to ...
    cdef int64_t settled                # ... this node, whatever the weight; otherwise to ...
    cdef vector[int64_t] remainder      # ... this remainder and the weight
    cdef Block weights                  # the distinct weights, increasing
    cdef Block places                   # place among the weights, by weight - least weight
    cdef Block begins                   # where a node's rows begin, or -1
    cdef Block rows                     # by node, phase that follows and weight: the next node, or -1
    cdef Block first, last              # first and last weight with which a node leads on

    cdef int64_t number(self) except -1 nogil:
        """The number of the record in `scratch`, new or old."""
        cdef uint64_t hash = 0
        cdef int64_t i, found, width = self.width
        cdef Probe probe
        for i in range(width):
            hash = (hash ^ <uint64_t> self.scratch[i]) * <uint64_t> 0x9E3779B97F4A7C15
            hash ^= hash >> 31
        probe = look_up(self.table, mix(hash))
        found = find_record(probe, <const int64_t*> self.records.data, <const int64_t*> self.scratch.data(), width)
        if found >= 0:
            return found
        found = self.begins.size
        for i in range(width):
            push_long(self.records, self.scratch[i])
        push_long(self.begins, -1)
        push_long(self.first, 0)
        push_long(self.last, -1)
        enter(self.table, probe, found)
        return found

    cdef int64_t start(self) except -2 nogil:
        """The node before anything is read, or -1 if nothing satisfies the relation."""
        cdef int64_t i
        if self.recurrence.phases == 1:
            # Known to be followed by this phase, it is a remainder like those that are found later.
            self.remainder.assign(self.order, 0)
            return self.node_of_remainder(0, self.remainder.data())
        for i in range(self.width):
            self.scratch[i] = 0
        self.scratch[0] = START
        return self.number()

    cdef int64_t count_of(self, int64_t node) noexcept nogil:
        """Return the number of phases that may follow a node's phase."""
        cdef int64_t head = longs(self.records)[node * self.width], transient = self.recurrence.transient
        if head == START:
            return self.recurrence.phases
        if head // KINDS != transient:
            return 1 if head // KINDS else 0
        return 2 if transient else 1

    cdef int64_t following(self, int64_t node, int64_t choice) noexcept nogil:
        """Return one of the phases that may follow a node's phase; they increase with `choice`."""
        cdef int64_t head = longs(self.records)[node * self.width], transient = self.recurrence.transient
        if head == START:
            return choice
        if head // KINDS != transient or (transient and choice == 0):
            return head // KINDS - 1
        return self.recurrence.phases - 1

    cdef int64_t node_of_pattern(self, int64_t phase, uint64_t low, uint64_t high, bint rest) except -2 nogil:
        """The node of a pattern: bits where the answer for the i-th t of a phase differs from that for large t."""
        cdef int64_t* record = self.scratch.data()
        cdef int64_t i
        if low == 0 and high == 0 and not rest:
            return -1
        for i in range(self.width):
            record[i] = 0
        record[0] = phase * KINDS + (REVERSED_PATTERN if rest else PATTERN)
        record[1] = <int64_t> low
        record[2] = <int64_t> high
        return self.number()

    cdef bint fits(self, const int64_t* remainder, int64_t t) noexcept nogil:
        """Return whether the extreme final values with t digits to come can be computed."""
        cdef double size = 0
        cdef int64_t i
        if t >= <int64_t> self.recurrence.span.size():
            return False
        for i in range(self.order):
            size += fabs(<double> remainder[i]) * fabs(<double> self.recurrence.terms[t + i])
        return size + (<double> self.rises + <double> self.falls) * self.recurrence.span[t] <= EXACT

    cdef bint constant_from(self, const int64_t* remainder, int64_t t, int64_t up, int64_t down) noexcept nogil:
        """Return whether numbers worth up * highs[t] + down * lows[t] lead to one final value for t and all later ones.

        In one phase these values are a constant and a sum of at most max(d, 2) powers: if one more of them in
        a row are equal, the sum is 0.
        """
        cdef int64_t first = 0, value, i, j
        for i in range(max(self.order, 2) + 1):
            if not self.fits(remainder, t):
                return False
            value = up * self.recurrence.highs[t] + down * self.recurrence.lows[t]
            for j in range(self.order):
                value += remainder[j] * self.recurrence.terms[t + j]
            if i == 0:
                first = value
            elif value != first:
                return False
            t += self.recurrence.period
        return True

    cdef int64_t node_of_remainder(self, int64_t phase, const int64_t* remainder) except -2 nogil:
        """The node of a remainder, or -1 if no continuation satisfies the relation."""
        cdef int64_t i, j, t = phase, value, least, most, order = self.order
        cdef int64_t constant = self.constant, end = self.most
        cdef int64_t rises = self.rises, falls = self.falls
        cdef uint64_t low = 0, high = 0
        cdef double size = 0, room = <double> rises + <double> falls, term
        cdef double rho = 0, sizes = 0, error = 0, bound = 0, norm = 0, grow_least = 0, grow_most = 0
        cdef bint settled = False, rest = False
        cdef Answer answer
        # Vectors are read through pointers, which stay in registers.
        cdef const int64_t* terms = self.recurrence.terms.data()
        cdef const int64_t* lows = self.recurrence.lows.data()
        cdef const int64_t* highs = self.recurrence.highs.data()
        cdef const double* reach = self.recurrence.reach.data()
        cdef const double* span = self.recurrence.span.data()
        cdef const double* powers = self.recurrence.powers.data() + phase * order
        cdef const double* spread = self.recurrence.spread.data() + phase * order
        cdef const double* ranges = self.recurrence.ranges.data() + 3 * phase
        cdef int64_t* record = self.scratch.data()
        cdef int64_t count = <int64_t> self.recurrence.span.size(), period = self.recurrence.period
        for j in range(order):
            size += fabs(<double> remainder[j])
        for i in range(HORIZON):
            if t >= count or (size * reach[t] + room * span[t] > EXACT and not self.fits(remainder, t)):
                if i == 0:
                    with gil:
                        raise TooLargeError("the values of a linear atom exceed 64 bits")
                break
            value = 0
            for j in range(order):
                value += remainder[j] * terms[t + j]
            least = value + rises * lows[t] - falls * highs[t]
            most = value + rises * highs[t] - falls * lows[t]
            answer = self.judge(least, most)
            if answer == OPEN:
                break
            if answer == YES:
                if i < 64:
                    low |= <uint64_t> 1 << i
                else:
                    high |= <uint64_t> 1 << (i - 64)
            if i == 0:
                if phase < self.recurrence.transient:
                    return self.node_of_pattern(phase, low, 0, False)
                # Not before, as most remainders that are kept are open at once.
                for j in range(order):
                    rho += <double> remainder[j] * powers[j]
                    sizes += fabs(<double> remainder[j]) * fabs(powers[j])
                    error += fabs(<double> remainder[j]) * spread[j]
                if terms[phase] < 0:
                    rho = -rho
                # The extreme final values are these times |U_t|, up to constants and the error.
                grow_least = rho + rises * ranges[0] - falls * ranges[1]
                grow_most = rho + rises * ranges[1] - falls * ranges[0]
                norm = SLACK * (sizes + room * (fabs(ranges[0]) + fabs(ranges[1])))
                bound = error + room * ranges[2] + max(fabs(<double> constant), fabs(<double> end))
                bound *= (1 + SLACK) * (1 + SLACK)
            # Is it settled from here on?  Then the sum moves away from the numbers with |U_t|, which grows, or stays.
            term = fabs(<double> terms[t]) * (1 - SLACK)
            if (grow_least - norm) * term > bound:
                settled = True
            elif least > end or (self.relation == LESS and least == constant):
                settled = fabs(grow_least) <= norm and self.constant_from(remainder, t, -falls, rises)
            if settled:
                rest = self.relation == UNEQUAL
                break
            if (grow_most + norm) * term < -bound:
                settled = True
            elif most < constant:
                settled = fabs(grow_most) <= norm and self.constant_from(remainder, t, rises, -falls)
            if settled:
                rest = self.relation != EQUAL
                break
            t += period
        if settled:
            if rest:
                # Store the differences from the answer for all larger t.
                low = ~low & (<uint64_t> -1 if i >= 63 else (<uint64_t> 1 << (i + 1)) - 1)
                high = ~high & ((<uint64_t> 1 << (i - 63)) - 1 if i > 63 else 0)
            return self.node_of_pattern(phase, low, high, rest)
        record[0] = phase * KINDS + REMAINDER
        for i in range(1, self.width):
            record[i] = remainder[i - 1] if i <= order else 0
        return self.number()

    cdef Answer judge(self, int64_t least, int64_t most) noexcept nogil:
        """What the relation is if the final value lies between these and may be either."""
        if self.relation == LESS:
            return YES if most < self.constant else NO if least >= self.constant else OPEN
        if least > self.most or most < self.constant:
            return YES if self.relation == UNEQUAL else NO
        if least >= self.constant and most <= self.most:
            return NO if self.relation == UNEQUAL else YES
        return OPEN

    cdef bint holds(self, int64_t node) noexcept nogil:
        """Return whether the relation holds with no digit to come."""
        cdef const int64_t* record = longs(self.records) + node * self.width
        cdef int64_t i, kind = record[0] % KINDS, value = 0
        if record[0] // KINDS:
            return False
        if kind == PATTERN or kind == REVERSED_PATTERN:
            return (record[1] & 1) != (kind == REVERSED_PATTERN)
        # No overflow: that was checked for t = 0 when the remainder became a node.
        for i in range(self.order):
            value += record[1 + i] * self.recurrence.terms[i]
        return self.judge(value, value) == YES

    cdef int depart(self, int64_t node, int64_t choice) except -1 nogil:
        """Read one more digit of each number, in one of the phases that may follow; `arrive` receives their weight."""
        cdef const int64_t* record = longs(self.records) + node * self.width
        cdef const int64_t* feedback
        cdef int64_t j, top, phase = record[0] // KINDS, kind = record[0] % KINDS
        cdef uint64_t low = <uint64_t> record[1], high = <uint64_t> record[2]
        cdef bint rest = kind == REVERSED_PATTERN
        self.phase = self.following(node, choice)
        self.patterned = kind == PATTERN or kind == REVERSED_PATTERN
        if self.patterned:
            if phase == self.recurrence.transient and self.phase < phase:
                # From the least t of the class.
                low, high, rest = (low & 1) ^ <uint64_t> rest, 0, False
            elif self.phase >= phase:
                # From each t of the phase but the least.
                low, high = (low >> 1) | (high << 63), high >> 1
            self.settled = self.node_of_pattern(self.phase, low, high, rest)
            return 0
        feedback = self.recurrence.feedback.data() + phase * self.order
        top = record[self.order]
        for j in range(self.order):
            self.remainder[j] = self.sum_of(top, feedback[j], record[j] if j else 0)
        return 0

    cdef int64_t arrive(self, int64_t weight) except -2 nogil:
        """The node after a letter of this weight, or -1; nodes found here may move the records."""
        cdef int64_t top = self.remainder[0], target
        if self.patterned:
            return self.settled
        self.remainder[0] = self.sum_of(top, 1, weight)
        target = self.node_of_remainder(self.phase, self.remainder.data())
        self.remainder[0] = top
        return target

    cdef int expand(self, int64_t node) except -1 nogil:
        """Find out where a node leads for each phase that may follow and each weight."""
        cdef int64_t i, choice, weight, target, first = 1, last = 0
        longs(self.begins)[node] = self.rows.size
        for choice in range(self.count_of(node)):
            self.depart(node, choice)
            for i in range(self.weights.size):
                weight = longs(self.weights)[i]
                target = self.arrive(weight)
                push_int(self.rows, <int32_t> target)
                if target >= 0:
                    if first > last:
                        first = last = weight
                    first = min(first, weight)
                    last = max(last, weight)
                work(self.meter, 8)
        longs(self.first)[node] = first
        longs(self.last)[node] = last
        return 0

    cdef int64_t sum_of(self, int64_t a, int64_t b, int64_t c) except? -1 nogil:
        """Return a b + c; raise TooLargeError if it is too large for an entry of a remainder."""
        if fabs(<double> a * <double> b) + fabs(<double> c) > ENTRY:
            with gil:
                raise TooLargeError("the remainders of a linear atom exceed 2^51")
        return a * b + c

    cdef int find_weights(self, const int64_t[::1] coefficients, int64_t radix) except -1:
        """The weights are all sums of coefficient times digit, and have `places`."""
        cdef vector[int64_t] known
        cdef int64_t i, least = 0, most = 0
        for i in range(coefficients.shape[0]):
            if coefficients[i] > 0:
                most += coefficients[i] * (radix - 1)
            else:
                least += coefficients[i] * (radix - 1)
        if most - least < MOST_WEIGHTS:
            dense_sums(known, coefficients, radix, least, most, self.meter)
        else:
            sparse_sums(known, coefficients, radix, self.meter)
        self.take_weights(known.data(), <int64_t> known.size())
        self.places = new_ints(self.meter)
        least, most = known.front(), known.back()
        if most - least <= 16 * self.weights.size + 1024:
            self.places.reset(most - least + 1, 0xff)
            for i in range(self.weights.size):
                ints(self.places)[known[i] - least] = <int32_t> i
        return 0

    cdef int take_weights(self, const int64_t* weights, int64_t size) except -1:
        """The weights are these increasing numbers; they have no `places`."""
        cdef int64_t i
        work(self.meter, size)
        self.weights = new_longs(self.meter)
        for i in range(size):
            push_long(self.weights, weights[i])
        return 0


cdef int dense_sums(vector[int64_t]& sums, const int64_t[::1] coefficients, int64_t radix, int64_t least,
                    int64_t most, Meter meter) except -1:
    """All sums of coefficient times digit, increasing, by a table of all integers between the bounds."""
    cdef vector[int64_t] nearest
    cdef vector[char] known
    cdef int64_t size = most - least + 1, i, j, step
    # Counted from `least`, a term adds 0, 1, ..., radix - 1 times the absolute value of its coefficient.
    known.assign(size, 0)
    nearest.assign(size, -1)
    known[0] = 1
    for j in range(coefficients.shape[0]):
        step = coefficients[j] if coefficients[j] > 0 else -coefficients[j]
        for i in range(size):
            # The nearest known sum at or below i, in steps.
            if known[i]:
                nearest[i] = i
            elif i >= step:
                nearest[i] = nearest[i - step]
            else:
                nearest[i] = -1
        for i in range(size):
            known[i] = nearest[i] >= 0 and i - nearest[i] <= step * (radix - 1)
        work(meter, size)
    for i in range(size):
        if known[i]:
            sums.push_back(least + i)
    return 0


cdef int sparse_sums(vector[int64_t]& sums, const int64_t[::1] coefficients, int64_t radix, Meter meter) except -1:
    """All sums of coefficient times digit, increasing, by listing them."""
    cdef vector[int64_t] grown
    cdef int64_t i, j, digit, size
    sums.assign(1, 0)
    for i in range(coefficients.shape[0]):
        if <int64_t> sums.size() > MOST_WEIGHTS // radix:
            raise TooLargeError("the letters of a linear atom have too many weights")
        grown.clear()
        for j in range(<int64_t> sums.size()):
            for digit in range(radix):
                grown.push_back(sums[j] + coefficients[i] * digit)
        sort_polled(grown.data(), <int64_t> grown.size(), poll_meter, <void*> meter)
        size = 0
        for j in range(<int64_t> grown.size()):
            if not size or grown[j] != grown[size - 1]:
                grown[size] = grown[j]
                size += 1
        work(meter, <int64_t> grown.size())
        grown.resize(size)
        sums.swap(grown)
    return 0


cdef Atom new_atom(const int64_t[::1] coefficients, int relation, int64_t constant, int64_t extent, int64_t radix,
                   Recurrence recurrence, Meter meter):
    """An atom without nodes and weights; `linear_atom` in `linear.pxi` describes the arguments."""
    cdef Atom atom = Atom.__new__(Atom)
    cdef int64_t i
    if not 0 <= relation <= 2:
        raise InvalidArrayError("a linear atom needs a known relation")
    atom.meter = meter
    atom.recurrence = recurrence
    atom.relation = relation
    atom.constant = constant
    atom.order = recurrence.order
    atom.width = max(atom.order, 2) + 1
    atom.scratch.resize(atom.width)
    atom.remainder.resize(atom.order)
    if extent < 0 or (extent and relation == LESS):
        raise InvalidArrayError("a linear atom does not compare with such a range")
    if fabs(<double> constant) + <double> extent > ENTRY:
        raise TooLargeError("the constant of a linear atom exceeds 2^51")
    atom.most = constant + extent
    for i in range(coefficients.shape[0]):
        if coefficients[i] == 0:
            raise InvalidArrayError("a coefficient of a linear atom is 0")
        if fabs(<double> coefficients[i]) * <double> radix > ENTRY / 64:
            raise TooLargeError("a coefficient of a linear atom is too large")
        if coefficients[i] > 0:
            atom.rises += coefficients[i]
        else:
            atom.falls -= coefficients[i]
    atom.records = new_longs(meter)
    atom.table = Table(meter)
    atom.begins = new_longs(meter)
    atom.first = new_longs(meter)
    atom.last = new_longs(meter)
    atom.rows = new_ints(meter)
    return atom


cdef inline int64_t place_of(Atom atom, int64_t weight) noexcept nogil:
    """Return the place of a weight among the distinct ones."""
    cdef const int64_t* weights = longs(atom.weights)
    cdef int64_t low = 0, high = atom.weights.size, middle
    if atom.places.size:
        return ints(atom.places)[weight - weights[0]]
    while low < high:
        middle = (low + high) >> 1
        if weights[middle] < weight:
            low = middle + 1
        else:
            high = middle
    return low
