"""Remainders of a linear atom: the nodes that its automaton pairs with validity states.

What has been read is a remainder: a vector r worth sum r_j U_{t+j}, where the number t of digits
still to come is not known.  For each t the final sum lies in an interval, so the relation holds
for all continuations, for none, or is open.  If it is open for some t, the remainder is kept.
If it is settled for every t, only the answers matter ("true for t <= 3"): such remainders become
a pattern of answers, of which there are few.  Where neither can be proved the remainder is
kept: the automaton is larger than it need be, and right.
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcmp
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

# Whether the relation holds, for one number of digits to come.
cdef enum Answer:
    NO, YES, OPEN

cdef enum Relation:
    EQUAL, UNEQUAL, LESS

# Patterns hold the answers for fewer digits to come than this, and one answer for all others.
cdef int64_t HORIZON = 120

# Sums of absolute values up to this bound are computed in int64 without overflow; entries of
# remainders stay below the other, so that they are exact as doubles.
cdef double EXACT = 4e18
cdef double ENTRY = 4e15

# Bounds the relative error of the few dozen floating point operations of each estimate.
cdef double SLACK = 1e-12

# Most distinct weights of a letter that are listed, and the widest range of them that is tabulated.
cdef int64_t MOST_WEIGHTS = 1 << 22


cdef class Atom:
    """One constraint, the nodes (remainders and patterns) found so far, and where they lead."""
    cdef Meter meter
    cdef int relation
    cdef int64_t constant
    cdef int64_t rises, falls           # sums of the positive, of the negated negative coefficients
    cdef int order
    cdef vector[int64_t] feedback       # r_j grows by feedback[j] times the top entry
    cdef vector[int64_t] terms          # U_0, U_1, ...
    cdef vector[double] powers, spread  # beta^j, and bounds on |U_{t+j} - beta^j U_t|
    cdef int64_t width                  # items of a record: kind, then a remainder or a pattern
    cdef Block records
    cdef Table table
    cdef vector[int64_t] scratch
    cdef bint patterned                 # `depart` was from a pattern, which leads to ...
    cdef int64_t settled                # ... this node, whatever the weight; otherwise to ...
    cdef vector[int64_t] remainder      # ... this remainder and the weight
    cdef Block weights                  # the distinct weights, increasing
    cdef Block places                   # place among the weights, by weight - least weight
    cdef Block begins                   # where a node's row begins, or -1
    cdef Block rows                     # by node and weight: the next node, or -1
    cdef Block first, last              # first and last weight of a node that leads on

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

    cdef int64_t node_of_pattern(self, uint64_t low, uint64_t high, bint rest) except -2 nogil:
        """The node of a pattern: bits where the answer for t differs from that for all large t."""
        cdef int64_t* record = self.scratch.data()
        cdef int64_t i
        if low == 0 and high == 0 and not rest:
            return -1
        for i in range(self.width):
            record[i] = 0
        record[0] = 2 if rest else 1
        record[1] = <int64_t> low
        record[2] = <int64_t> high
        return self.number()

    cdef int64_t node_of_remainder(self, const int64_t* remainder) except -2 nogil:
        """The node of a remainder, or -1 if no continuation satisfies the relation."""
        cdef int64_t t, i, value, most, least, count = <int64_t> self.terms.size()
        cdef uint64_t low = 0, high = 0
        cdef double size = 0, rho = 0, norm = 0, error = 0, term, bound
        cdef double rises = <double> self.rises, falls = <double> self.falls, constant = <double> self.constant
        cdef double grow_least, grow_most
        cdef bint lone = True, settled = False, rest = False
        cdef Answer answer
        # Vectors are read through pointers: a conditional expression on their items would bind references.
        cdef const int64_t* terms = self.terms.data()
        cdef int64_t* record = self.scratch.data()
        for i in range(self.order):
            rho += <double> remainder[i] * self.powers[i]
            norm += fabs(<double> remainder[i]) * self.powers[i]
            error += fabs(<double> remainder[i]) * self.spread[i]
            size += fabs(<double> remainder[i])
            if i and remainder[i]:
                lone = False
        error *= 1 + SLACK
        # The least and the greatest final value are (rho - falls) U_t and (rho + rises) U_t, up to constants.
        grow_least = rho - falls
        grow_most = rho + rises
        norm = SLACK * (norm + rises + falls)
        for t in range(min(HORIZON, count - self.order + 1)):
            term = <double> terms[t]
            if size * <double> terms[t + self.order - 1] + (rises + falls) * term > EXACT:
                if t == 0:
                    with gil:
                        raise TooLargeError("the values of a linear atom exceed 64 bits")
                break
            value = 0
            for i in range(self.order):
                value += remainder[i] * terms[t + i]
            least = value - self.falls * (terms[t] - 1)
            most = value + self.rises * (terms[t] - 1)
            answer = self.judge(least, most)
            if answer == OPEN:
                break
            if answer == YES:
                if t < 64:
                    low |= <uint64_t> 1 << t
                else:
                    high |= <uint64_t> 1 << (t - 64)
            # Is it settled from here on?  The sum moves away from the constant with U_t, which grows.
            bound = (error + fabs(constant) + rises + falls) * (1 + SLACK)
            if lone and remainder[0] == self.falls:
                # The least value is the same for every t.
                settled = least > self.constant or (self.relation == LESS and least == self.constant)
            elif (grow_least - norm) * term * (1 - SLACK) > bound:
                settled = True
            if settled:
                rest = self.relation == UNEQUAL
                break
            if lone and remainder[0] == -self.rises:
                settled = most < self.constant
            elif (grow_most + norm) * term * (1 - SLACK) < -bound:
                settled = True
            if settled:
                rest = self.relation != EQUAL
                break
        if settled:
            if rest:
                # Store the differences from the answer for all larger t.
                low = ~low & (<uint64_t> -1 if t >= 63 else (<uint64_t> 1 << (t + 1)) - 1)
                high = ~high & ((<uint64_t> 1 << (t - 63)) - 1 if t > 63 else 0)
            return self.node_of_pattern(low, high, rest)
        for i in range(self.width):
            record[i] = remainder[i - 1] if 0 < i <= self.order else 0
        return self.number()

    cdef Answer judge(self, int64_t least, int64_t most) noexcept nogil:
        """What the relation is if the final value lies between these and may be either."""
        if self.relation == LESS:
            return YES if most < self.constant else NO if least >= self.constant else OPEN
        if least > self.constant or most < self.constant:
            return YES if self.relation == UNEQUAL else NO
        if least == most:
            return NO if self.relation == UNEQUAL else YES
        return OPEN

    cdef bint holds(self, int64_t node) noexcept nogil:
        """Whether the relation holds with no digit to come."""
        cdef const int64_t* record = longs(self.records) + node * self.width
        cdef int64_t i, value = 0
        if record[0]:
            return (record[1] & 1) != (record[0] == 2)
        # No overflow: that was checked for t = 0 when the remainder became a node.
        for i in range(self.order):
            value += record[1 + i] * self.terms[i]
        return self.judge(value, value) == YES

    cdef int depart(self, int64_t node) except -1 nogil:
        """Read one more digit of each number; `arrive` receives their weight."""
        cdef const int64_t* record = longs(self.records) + node * self.width
        cdef uint64_t low, high
        cdef int64_t j, top
        self.patterned = record[0] != 0
        if self.patterned:
            # One digit less to come, whatever the digit.
            low, high = <uint64_t> record[1], <uint64_t> record[2]
            self.settled = self.node_of_pattern((low >> 1) | (high << 63), high >> 1, record[0] == 2)
            return 0
        top = record[self.order]
        for j in range(self.order):
            self.remainder[j] = self.sum_of(top, self.feedback[j], record[j] if j else 0)
        return 0

    cdef int64_t arrive(self, int64_t weight) except -2 nogil:
        """The node after a letter of this weight, or -1; nodes found here may move the records."""
        cdef int64_t top = self.remainder[0], target
        if self.patterned:
            return self.settled
        self.remainder[0] = self.sum_of(top, 1, weight)
        target = self.node_of_remainder(self.remainder.data())
        self.remainder[0] = top
        return target

    cdef int expand(self, int64_t node) except -1 nogil:
        """Find out where a node leads for each weight."""
        cdef int64_t i, weight, target, first = 1, last = 0
        longs(self.begins)[node] = self.rows.size
        self.depart(node)
        for i in range(self.weights.size):
            weight = longs(self.weights)[i]
            target = self.arrive(weight)
            push_int(self.rows, <int32_t> target)
            if target >= 0:
                if first > last:
                    first = weight
                last = weight
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
            dense_sums(known, coefficients, radix, least, most)
        else:
            sparse_sums(known, coefficients, radix)
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
                    int64_t most) except -1:
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
    for i in range(size):
        if known[i]:
            sums.push_back(least + i)
    return 0


cdef int sparse_sums(vector[int64_t]& sums, const int64_t[::1] coefficients, int64_t radix) except -1:
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
        sort(grown.begin(), grown.end())
        size = 0
        for j in range(<int64_t> grown.size()):
            if not size or grown[j] != grown[size - 1]:
                grown[size] = grown[j]
                size += 1
        grown.resize(size)
        sums.swap(grown)
    return 0


cdef Atom new_atom(const int64_t[::1] coefficients, int relation, int64_t constant, int64_t radix,
                   const int64_t[::1] feedback, const int64_t[::1] terms, const double[::1] powers,
                   const double[::1] spread, Meter meter):
    """An atom without nodes and weights; `linear_atom` in `linear.pxi` describes the arguments."""
    cdef Atom atom = Atom.__new__(Atom)
    cdef int64_t i, order = feedback.shape[0]
    if order < 1 or terms.shape[0] < order or powers.shape[0] != order or spread.shape[0] != order:
        raise InvalidArrayError("the recurrence of a linear atom does not fit together")
    if not 0 <= relation <= 2:
        raise InvalidArrayError("a linear atom needs a known relation")
    atom.meter = meter
    atom.relation = relation
    atom.constant = constant
    atom.order = <int> order
    atom.width = max(order, 2) + 1
    atom.scratch.resize(atom.width)
    if fabs(<double> constant) > ENTRY:
        raise TooLargeError("the constant of a linear atom exceeds 2^51")
    for i in range(coefficients.shape[0]):
        if fabs(<double> coefficients[i]) * <double> radix > ENTRY / 64:
            raise TooLargeError("a coefficient of a linear atom is too large")
        if coefficients[i] > 0:
            atom.rises += coefficients[i]
        else:
            atom.falls -= coefficients[i]
    for i in range(order):
        atom.feedback.push_back(feedback[i])
        atom.powers.push_back(powers[i])
        atom.spread.push_back(spread[i])
    for i in range(terms.shape[0]):
        atom.terms.push_back(terms[i])
    atom.records = new_longs(meter)
    atom.table = Table(meter)
    atom.begins = new_longs(meter)
    atom.first = new_longs(meter)
    atom.last = new_longs(meter)
    atom.rows = new_ints(meter)
    atom.remainder.resize(order)
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
