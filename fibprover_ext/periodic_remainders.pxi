"""Remainders where a step depends on the position: Ostrowski systems and negative bases.

The number t of digits to come is not known, but its phase is: the positions below `transient`
are phases of their own, the others fall into `period` classes.  Coming from class 0 the next
position may be the last of the other class or, if t was the least, the transient one; so a node
leads to a node in each phase that may follow: a search of the nodes reads phases like letters.

As in `remainders.pxi`, a node is a remainder, or a pattern of answers where all is settled: here one
answer for each t of the phase, counted from the least.  Terms may be negative, and the values of t
digits lie between `lows[t]` and `highs[t]`.
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp.vector cimport vector

# The first item of a record; the second one is the phase.
cdef enum Kind:
    REMAINDER, PATTERN, REVERSED_PATTERN, START


cdef class PeriodicAtom(Atom):
    """A constraint over a recurrence whose steps depend on the position's phase; see the top of this file."""
    cdef int64_t transient, period      # positions below `transient` are phases of their own
    cdef int64_t phases                 # transient + period
    cdef vector[int64_t] lows, highs    # least and greatest value of t digits
    cdef vector[double] low_ratio, high_ratio, range_error

    cdef int64_t start(self) except -1 nogil:
        """The node before anything is read: any phase may follow."""
        cdef int64_t i
        for i in range(self.width):
            self.scratch[i] = 0
        self.scratch[0] = START
        return self.number()

    cdef int64_t count_of(self, int64_t node) noexcept nogil:
        """Return the number of phases that may follow a node's phase."""
        cdef const int64_t* record = longs(self.records) + node * self.width
        if record[0] == START:
            return self.phases
        if record[1] != self.transient:
            return 1 if record[1] else 0
        return 2 if self.transient else 1

    cdef int64_t following(self, int64_t node, int64_t choice) noexcept nogil:
        """Return one of the phases that may follow a node's phase; they increase with `choice`."""
        cdef const int64_t* record = longs(self.records) + node * self.width
        if record[0] == START:
            return choice
        if record[1] != self.transient or (self.transient and choice == 0):
            return record[1] - 1
        return self.phases - 1

    cdef int64_t node_of_answers(self, int64_t phase, uint64_t low, uint64_t high, bint rest) except -2 nogil:
        """The node of a pattern: bits where the answer for the i-th t of a phase differs from that for large t."""
        cdef int64_t* record = self.scratch.data()
        cdef int64_t i
        if low == 0 and high == 0 and not rest:
            return -1
        for i in range(self.width):
            record[i] = 0
        record[0] = REVERSED_PATTERN if rest else PATTERN
        record[1] = phase
        record[2] = <int64_t> low
        record[3] = <int64_t> high
        return self.number()

    cdef bint bounds(self, const int64_t* remainder, int64_t t, int64_t* least, int64_t* most) noexcept nogil:
        """The least and the greatest final value with t digits to come; false where they are too large."""
        cdef const int64_t* terms = self.terms.data()
        cdef int64_t value = 0, i
        cdef double size = 0, room = (<double> self.rises + <double> self.falls)
        if t + self.order > <int64_t> self.terms.size():
            return False
        for i in range(self.order):
            size += fabs(<double> remainder[i]) * fabs(<double> terms[t + i])
        if size + room * (fabs(<double> self.lows[t]) + fabs(<double> self.highs[t])) > EXACT:
            return False
        for i in range(self.order):
            value += remainder[i] * terms[t + i]
        least[0] = value + self.rises * self.lows[t] - self.falls * self.highs[t]
        most[0] = value + self.rises * self.highs[t] - self.falls * self.lows[t]
        return True

    cdef bint constant_from(self, const int64_t* remainder, int64_t t, bint least) noexcept nogil:
        """Whether the least (or greatest) final value is the same for this t and all later ones of its phase.

        In one phase these values are A + B x^i + C y^i with x, y, 1 distinct: if three in a row
        are equal, B = C = 0.
        """
        cdef int64_t[2] first, other
        cdef int64_t i
        if not self.bounds(remainder, t, &first[0], &first[1]):
            return False
        for i in range(1, 3):
            if not self.bounds(remainder, t + i * self.period, &other[0], &other[1]):
                return False
            if (other[0] != first[0]) if least else (other[1] != first[1]):
                return False
        return True

    cdef int64_t node_in_phase(self, int64_t phase, const int64_t* remainder) except -2 nogil:
        """The node of a remainder, or -1 if no continuation satisfies the relation."""
        cdef int64_t i, t, least, most
        cdef uint64_t low = 0, high = 0
        cdef double rho = 0, error = 0, norm = 0, sign, term, bound, grow_least, grow_most
        cdef double rises = <double> self.rises, falls = <double> self.falls, constant = <double> self.constant
        cdef bint settled = False, rest = False
        cdef Answer answer
        cdef const double* powers = self.powers.data() + phase * self.order
        cdef const double* spread = self.spread.data() + phase * self.order
        cdef const int64_t* terms = self.terms.data()
        cdef int64_t* record = self.scratch.data()
        cdef double low_ratio = self.low_ratio[phase], high_ratio = self.high_ratio[phase]
        for i in range(self.order):
            rho += <double> remainder[i] * powers[i]
            norm += fabs(<double> remainder[i]) * fabs(powers[i])
            error += fabs(<double> remainder[i]) * spread[i]
        error = (error + (rises + falls) * self.range_error[phase]) * (1 + SLACK)
        norm = SLACK * (norm + (rises + falls) * (fabs(low_ratio) + fabs(high_ratio)))
        sign = 1 if terms[phase] > 0 else -1
        # The extreme final values are these times |U_t|, up to `error`.
        grow_least = sign * rho + rises * low_ratio - falls * high_ratio
        grow_most = sign * rho + rises * high_ratio - falls * low_ratio
        bound = (error + fabs(constant)) * (1 + SLACK)
        for i in range(HORIZON):
            t = phase + i * self.period
            if not self.bounds(remainder, t, &least, &most):
                if i == 0:
                    with gil:
                        raise TooLargeError("the values of a linear atom exceed 64 bits")
                break
            answer = self.judge(least, most)
            if answer == OPEN:
                break
            if answer == YES:
                if i < 64:
                    low |= <uint64_t> 1 << i
                else:
                    high |= <uint64_t> 1 << (i - 64)
            if phase < self.transient:
                return self.node_of_answers(phase, low, 0, False)
            # Is it settled from here on?  The sum moves away from the constant with |U_t|, which grows.
            term = fabs(<double> terms[t])
            if (grow_least - norm) * term * (1 - SLACK) > bound:
                settled = True
            elif least > self.constant or (self.relation == LESS and least == self.constant):
                settled = self.constant_from(remainder, t, True)
            if settled:
                rest = self.relation == UNEQUAL
                break
            if (grow_most + norm) * term * (1 - SLACK) < -bound:
                settled = True
            elif most < self.constant:
                settled = self.constant_from(remainder, t, False)
            if settled:
                rest = self.relation != EQUAL
                break
        if settled:
            if rest:
                # Store the differences from the answer for all larger t.
                low = ~low & (<uint64_t> -1 if i >= 63 else (<uint64_t> 1 << (i + 1)) - 1)
                high = ~high & ((<uint64_t> 1 << (i - 63)) - 1 if i > 63 else 0)
            return self.node_of_answers(phase, low, high, rest)
        for i in range(self.width):
            record[i] = 0
        record[0] = REMAINDER
        record[1] = phase
        for i in range(self.order):
            record[2 + i] = remainder[i]
        return self.number()

    cdef bint holds(self, int64_t node) noexcept nogil:
        """Whether the relation holds with no digit to come."""
        cdef const int64_t* record = longs(self.records) + node * self.width
        cdef int64_t i, value = 0
        if record[0] == START:
            return self.judge(0, 0) == YES
        if record[1]:
            return False
        if record[0] != REMAINDER:
            return (record[2] & 1) != (record[0] == REVERSED_PATTERN)
        # No overflow: that was checked for t = 0 when the remainder became a node.
        for i in range(self.order):
            value += record[2 + i] * self.terms[i]
        return self.judge(value, value) == YES

    cdef int expand(self, int64_t node) except -1 nogil:
        """Compute the successors of a node for each phase that may follow and each weight."""
        cdef int64_t count = self.weights.size, i, j, choice, phase, weight, top, target = -1, first = 1, last = 0
        cdef vector[int64_t] old_record, new_remainder
        cdef int64_t* old
        cdef int64_t* new
        cdef uint64_t low, high
        cdef bint rest
        # A copy, since records move when new ones are added.
        old_record.resize(self.width)
        new_remainder.resize(self.order)
        old, new = old_record.data(), new_remainder.data()
        for i in range(self.width):
            old[i] = longs(self.records)[node * self.width + i]
        longs(self.begins)[node] = self.rows.size
        for choice in range(self.count_of(node)):
            phase = self.following(node, choice)
            if old[0] == PATTERN or old[0] == REVERSED_PATTERN:
                low, high, rest = <uint64_t> old[2], <uint64_t> old[3], old[0] == REVERSED_PATTERN
                if phase < self.transient and old[1] == self.transient:
                    # From the least t of the class.
                    low, high, rest = <uint64_t> ((low & 1) != rest), 0, False
                elif phase >= old[1]:
                    low, high = (low >> 1) | (high << 63), high >> 1
                target = self.node_of_answers(phase, low, high, rest)
            elif old[0] == START:
                for j in range(self.order):
                    new[j] = 0
            else:
                top = old[1 + self.order]
                for j in range(self.order):
                    new[j] = self.sum_of(top, self.feedback[old[1] * self.order + j], old[1 + j] if j else 0)
            top = new[0]
            for i in range(count):
                weight = longs(self.weights)[i]
                if old[0] == REMAINDER or old[0] == START:
                    new[0] = self.sum_of(top, 1, weight)
                    target = self.node_in_phase(phase, new)
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


cdef PeriodicAtom new_periodic_atom(const int64_t[::1] coefficients, int relation, int64_t constant, int64_t radix,
                                    int64_t transient, int64_t order, const int64_t[::1] feedback,
                                    const int64_t[::1] terms, const int64_t[::1] lows, const int64_t[::1] highs,
                                    const double[::1] powers, const double[::1] spread, const double[::1] ranges,
                                    Meter meter):
    """An atom without nodes; `periodic_atom` in `periodic.pxi` describes the arguments."""
    cdef PeriodicAtom atom = PeriodicAtom.__new__(PeriodicAtom)
    cdef int64_t i, phases = ranges.shape[0] // 3
    if order < 1 or not 0 <= transient < phases or ranges.shape[0] != 3 * phases:
        raise InvalidArrayError("the phases of a linear atom do not fit together")
    if feedback.shape[0] != phases * order or powers.shape[0] != phases * order or spread.shape[0] != phases * order:
        raise InvalidArrayError("the recurrence of a linear atom does not fit together")
    if terms.shape[0] < phases + order or lows.shape[0] != terms.shape[0] or highs.shape[0] != terms.shape[0]:
        raise InvalidArrayError("the terms of a linear atom do not fit together")
    if not 0 <= relation <= 2:
        raise InvalidArrayError("a linear atom needs a known relation")
    atom.meter = meter
    atom.relation = relation
    atom.constant = constant
    atom.order = <int> order
    atom.transient = transient
    atom.phases = phases
    atom.period = phases - transient
    atom.width = max(order, 2) + 2
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
    for i in range(phases * order):
        atom.feedback.push_back(feedback[i])
        atom.powers.push_back(powers[i])
        atom.spread.push_back(spread[i])
    for i in range(phases):
        atom.low_ratio.push_back(ranges[3 * i])
        atom.high_ratio.push_back(ranges[3 * i + 1])
        atom.range_error.push_back(ranges[3 * i + 2])
    for i in range(terms.shape[0]):
        atom.terms.push_back(terms[i])
        atom.lows.push_back(lows[i])
        atom.highs.push_back(highs[i])
    atom.records = new_longs(meter)
    atom.table = Table(meter)
    atom.begins = new_longs(meter)
    atom.first = new_longs(meter)
    atom.last = new_longs(meter)
    atom.rows = new_ints(meter)
    atom.find_weights(coefficients, radix)
    return atom
