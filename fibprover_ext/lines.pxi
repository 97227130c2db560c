"""Automata as lines of text: rows written piece by piece, and read where they are written plainly."""

from math import prod

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy

# The most characters of a number of 64 bits.
cdef int64_t WIDEST = 20

# Numbers of at most so many digits are read: they fit into 64 bits.
cdef int64_t MOST_DIGITS = 18

# Outputs are int32.
cdef int64_t LARGEST_OUTPUT = (1 << 31) - 1

# Codes of letters have at most 62 bits.
MOST_LETTERS = 1 << 62


cdef class LineWriter:
    """Writes an automaton as lines, one for each state, and one for each transition.

    digits: of each track (there is at least one) the texts of its digits, in order; those of a letter are joined, with
    nothing between them.  state_line: what comes before the number of a state, between it and the output, and after
    that; () if states have no lines.  ends: the lines of transitions go on after the letter with the target, and what
    comes after it; or with the state, what comes after it, the target, and what comes after that.
    """

    cdef Csr a
    cdef int64_t tracks, radix, longest
    cdef int64_t state, at      # the next line: that of the state, if it is not begun, or of a transition
    cdef bint begun
    cdef Block text             # the texts of all digits, then the parts of lines
    cdef Block places           # text i is from places[i] to places[i + 1]
    cdef Block first            # of each track: the number of the text of its first digit
    cdef int64_t parts          # the number of the first text that is a part of lines
    cdef bint states_too        # whether states have lines
    cdef bint sources           # whether transitions name their states
    cdef int64_t base           # the code of the first letter that begins as the last one written
    cdef Block prefix           # how it begins: the digits of all tracks but the last
    cdef Block chosen           # scratch: the number of the text of a track

    def __cinit__(self, Csr a, tuple digits, tuple state_line, tuple ends, Meter meter):
        cdef int64_t track
        if not digits or len(state_line) not in (0, 3) or len(ends) not in (1, 2) or not all(digits):
            raise InvalidArrayError("lines have texts of digits, three parts or none about states, and one or two ends")
        self.a, self.tracks = a, len(digits)
        self.text, self.prefix = Block(meter, 1), Block(meter, 1)
        self.places, self.first, self.chosen = new_longs(meter), new_longs(meter), new_longs(meter)
        push_long(self.places, 0)
        reserve(self.text, 1)   # memcpy takes no null pointer, not even for an empty text
        self.longest = 3 * WIDEST
        for track in range(self.tracks):
            push_long(self.first, self.places.size - 1)
            for text in digits[track]:
                self.add(text)
            self.longest += max(map(len, digits[track]))
        push_long(self.first, self.places.size - 1)
        self.parts = self.places.size - 1
        for text in state_line + ends:
            self.add(text)
            self.longest += len(text)
        self.chosen.reset(self.tracks, 0)
        self.states_too, self.sources = bool(state_line), len(ends) == 2
        self.radix = longs(self.first)[self.tracks] - longs(self.first)[self.tracks - 1]
        self.base = -1
        reserve(self.prefix, self.longest)

    cdef int add(self, bytes text) except -1:
        """Keep a text."""
        cdef int64_t size = len(text)
        cdef const char* characters = text
        reserve(self.text, size)
        memcpy(self.text.data + self.text.size, characters, <size_t> size)
        self.text.size += size
        return push_long(self.places, self.text.size)

    def piece(self, int64_t size, Meter meter):
        """Return the next lines, of about so many bytes; b"" at the end."""
        cdef Block found = Block(meter, 1)
        if size < 1:
            raise InvalidArrayError("a piece has at least one byte")
        with nogil:
            reserve(found, size + self.longest)
            while self.state < self.a.states and found.size < size:
                if not self.begun:
                    self.begin_row(found)
                self.write_row(found, size, meter)
                if self.at == self.a.offsets[self.state + 1]:
                    self.state += 1
                    self.begun = False
        return PyBytes_FromStringAndSize(found.data, found.size)

    cdef int begin_row(self, Block found) except -1 nogil:
        """Write the line of a state, if it has one."""
        cdef char* end
        self.begun = True
        if self.states_too:
            reserve(found, self.longest)
            end = self.put(found.data + found.size, self.parts)
            end = self.put(put_number(end, self.state), self.parts + 1)
            end = self.put(put_number(end, self.a.outputs[self.state]), self.parts + 2)
            found.size = end - found.data
        return 0

    cdef int write_row(self, Block found, int64_t size, Meter meter) except -1 nogil:
        """Write the lines of transitions of a state, until there are no more or the piece has its size."""
        cdef int64_t last = longs(self.first)[self.tracks - 1], end = self.a.offsets[self.state + 1], code
        cdef int64_t after = self.parts + (3 if self.states_too else 0)
        cdef char* out
        work(meter, 1)
        while self.at < end and found.size < size:
            code = self.a.codes[self.at]
            if self.base < 0 or code < self.base or code - self.base >= self.radix:
                self.turn(code)
            reserve(found, self.longest)
            out = found.data + found.size
            memcpy(out, self.prefix.data, <size_t> self.prefix.size)
            out = self.put(out + self.prefix.size, last + code - self.base)
            if self.sources:
                out = self.put(put_number(out, self.state), after)
            out = self.put(put_number(out, self.a.targets[self.at]), after + self.sources)
            found.size = out - found.data
            self.at += 1
            work(meter, 4)
        return 0

    cdef int turn(self, int64_t code) except -1 nogil:
        """Begin letters as this one begins."""
        cdef int64_t rest = code // self.radix, track, radix
        cdef const int64_t* first = longs(self.first)
        cdef char* out = self.prefix.data
        for track in range(self.tracks - 2, -1, -1):
            radix = first[track + 1] - first[track]
            longs(self.chosen)[track] = first[track] + rest % radix
            rest //= radix
        if rest:
            with gil:
                raise InvalidArrayError("a letter has more digits than there are texts for")
        for track in range(self.tracks - 1):
            out = self.put(out, longs(self.chosen)[track])
        self.prefix.size = out - self.prefix.data
        self.base = code // self.radix * self.radix
        return 0

    cdef inline char* put(self, char* out, int64_t number) noexcept nogil:
        """Write a text; return the end of it."""
        cdef const int64_t* places = longs(self.places) + number
        memcpy(out, self.text.data + places[0], <size_t> (places[1] - places[0]))
        return out + (places[1] - places[0])


cdef inline char* put_number(char* out, int64_t value) noexcept nogil:
    """Write a number of at most 63 bits and its sign; return the end of it."""
    cdef char[20] digits
    cdef int64_t count = 0
    cdef uint64_t rest
    if value < 0:
        out[0] = b"-"
        out += 1
        value = -value
    rest = <uint64_t> value
    while True:
        digits[count] = <char> (48 + rest % 10)
        count += 1
        rest //= 10
        if not rest:
            break
    while count:
        count -= 1
        out[0] = digits[count]
        out += 1
    return out


def read_lines(str text, int64_t begin, tuple alphabets, Meter meter):
    """Return the arrays of an automaton that is written plainly from `begin` on, None if it is not.

    Lines are `state output`, with the states 0, 1, ... in order, each followed by its transitions `digits -> target`,
    sorted by letter; alphabets: the digits of each track, rising.  Lines that are blank or begin with # are skipped.
    """
    cdef LineReader reader
    cdef bint plain
    if begin < 0 or begin > len(text) or not text.isascii() or prod(map(len, alphabets)) > MOST_LETTERS:
        return None
    if any(abs(digit) >= 10 ** MOST_DIGITS for alphabet in alphabets for digit in alphabet):
        return None
    reader = LineReader(text, begin, alphabets, meter)
    with nogil:
        plain = reader.read()
    return reader.rows.finish().export() if plain else None


cdef class LineReader:
    """Reads lines of a text in ASCII."""

    cdef str text               # keeps the memory alive
    cdef const char* place
    cdef const char* end
    cdef Meter meter
    cdef Rows rows
    cdef int64_t tracks, largest
    cdef Block digits           # of all tracks
    cdef Block first            # of each track: where its digits begin
    cdef Block numbers          # those of the line

    def __cinit__(self, str text, int64_t begin, tuple alphabets, Meter meter):
        cdef Py_ssize_t size
        cdef const char* characters = PyUnicode_AsUTF8AndSize(text, &size)
        self.text, self.meter, self.rows, self.tracks = text, meter, Rows(meter), len(alphabets)
        self.place, self.end = characters + begin, characters + size
        self.largest = -1
        self.digits, self.first, self.numbers = new_longs(meter), new_longs(meter), new_longs(meter)
        for alphabet in alphabets:
            push_long(self.first, self.digits.size)
            for digit in alphabet:
                push_long(self.digits, digit)
        push_long(self.first, self.digits.size)
        self.numbers.reset(max(self.tracks, <int64_t> 2) + 1, 0)

    cdef int read(self) except -1 nogil:
        """Read all lines; return whether they are plain."""
        cdef int64_t count
        cdef bint arrow, open = False
        while self.place < self.end:
            work(self.meter, self.tracks + 2)
            arrow = False
            count = self.line(&arrow)
            if count < 0 or (count and not (self.move(count) if arrow and open else self.state(count, arrow, open))):
                return 0
            open = open or count > 0
        push_long(self.rows.offsets, self.rows.codes.size)
        return open and self.largest < self.rows.outputs.size

    cdef int64_t line(self, bint* arrow) except -2 nogil:
        """Read the numbers of a line, 0 of a blank one; return how many they are, -1 if it has something else."""
        cdef int64_t count = 0
        cdef char c
        while self.place < self.end:
            c = self.place[0]
            if c == b"\n":
                self.place += 1
                break
            if c == b" " or c == b"\t":
                self.place += 1
            elif c == b"#" and not count and not arrow[0]:
                while self.place < self.end and self.place[0] != b"\n":
                    self.place += 1
                    work(self.meter, 1)
            elif c == b"-" and self.place + 1 < self.end and self.place[1] == b">":
                if arrow[0] or count != self.tracks:
                    return -1
                arrow[0] = True
                self.place += 2
            elif count > max(self.tracks, <int64_t> 1) or not self.number(longs(self.numbers) + count):
                return -1
            else:
                count += 1
        return -1 if arrow[0] and count != self.tracks + 1 else count

    cdef bint number(self, int64_t* value) noexcept nogil:
        """Read a number; return whether there is one, followed by a blank, an arrow or the end of the line."""
        cdef bint negative = self.place[0] == b"-"
        cdef const char* begin
        value[0] = 0
        self.place += negative
        begin = self.place
        while self.place < self.end and b"0" <= self.place[0] <= b"9":
            if self.place - begin == MOST_DIGITS:
                return False
            value[0] = 10 * value[0] + (self.place[0] - 48)
            self.place += 1
        if negative:
            value[0] = -value[0]
        return self.place > begin and (
            self.place == self.end or self.place[0] in (b" ", b"\t", b"\n")
            or (self.place[0] == b"-" and self.place + 1 < self.end and self.place[1] == b">")
        )

    cdef int state(self, int64_t count, bint arrow, bint open) except -1 nogil:
        """Begin the row of a state; return whether it is the next one."""
        cdef int64_t output = longs(self.numbers)[1]
        if arrow or count != 2 or longs(self.numbers)[0] != self.rows.outputs.size:
            return 0
        if not -LARGEST_OUTPUT <= output <= LARGEST_OUTPUT or self.rows.outputs.size >= CEILING:
            return 0
        if open:
            push_long(self.rows.offsets, self.rows.codes.size)
        self.meter.states = self.rows.outputs.size + 1
        push_int(self.rows.outputs, <int32_t> output)
        return 1

    cdef int move(self, int64_t count) except -1 nogil:
        """Add a transition to the last row; return whether its letter comes after those that the row has."""
        cdef int64_t code = 0, track, low, high, middle, digit, target = longs(self.numbers)[self.tracks]
        cdef const int64_t* digits = longs(self.digits)
        cdef const int64_t* first = longs(self.first)
        if count != self.tracks + 1 or target < 0 or target >= CEILING:
            return 0
        for track in range(self.tracks):
            digit, low, high = longs(self.numbers)[track], first[track], first[track + 1]
            code *= high - low
            # Most alphabets are 0, 1, 2, ...
            middle = low + digit - digits[low]
            if 0 <= digit - digits[low] < high - low and digits[middle] == digit:
                code += middle - low
                continue
            while low < high:
                middle = (low + high) >> 1
                if digits[middle] < digit:
                    low = middle + 1
                else:
                    high = middle
            if low == first[track + 1] or digits[low] != digit:
                return 0
            code += low - first[track]
        if self.rows.codes.size > longs(self.rows.offsets)[self.rows.offsets.size - 1] and (
            longs(self.rows.codes)[self.rows.codes.size - 1] >= code
        ):
            return 0
        self.largest = max(self.largest, target)
        push_transition(self.rows, code, <int32_t> target)
        self.meter.transitions = self.rows.codes.size
        if self.rows.codes.size > self.meter.max_transitions:
            self.meter.spent(TRANSITIONS)
        return 1
