"""Automata as lines of text: rows written piece by piece, and read where they are written plainly; and their edges."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate, product
from math import prod

from fibprover.automata.kernels.python.arrays import Arrays, Csr, exported
from fibprover.automata.kernels.python.budget import CEILING, FUEL, InvalidArrayError, Meter

#: Codes of letters have at most 62 bits.
MOST_LETTERS = 1 << 62

#: Outputs are `i`.
LARGEST_OUTPUT = (1 << 31) - 1

#: Numbers of at most so many digits are read.
MOST_DIGITS = 18

_NUMBER = re.compile(rf"-?[0-9]{{1,{MOST_DIGITS}}}")


class LineWriter:
    """Writes an automaton as lines, one for each state, and one for each transition.

    digits: of each track (there is at least one) the texts of its digits, in order; those of a letter are joined, with
    nothing between them.  state_line: what comes before the number of a state, between it and the output, and after
    that; () if states have no lines.  ends: the lines of transitions go on after the letter with the target, and what
    comes after it; or with the state, what comes after it, the target, and what comes after that.
    """

    def __init__(
        self,
        a: Csr,
        digits: tuple[tuple[bytes, ...], ...],
        state_line: tuple[bytes, ...],
        ends: tuple[bytes, ...],
        meter: Meter,
    ) -> None:
        if not digits or len(state_line) not in (0, 3) or len(ends) not in (1, 2) or not all(digits):
            raise InvalidArrayError("lines have texts of digits, three parts or none about states, and one or two ends")
        self.a, self.digits, self.state_line, self.ends = a, digits, state_line, ends
        self._lines = self._all()

    def piece(self, size: int, meter: Meter) -> bytes:
        """Return the next lines, of about so many bytes; b"" at the end."""
        if size < 1:
            raise InvalidArrayError("a piece has at least one byte")
        found, length = [], 0
        for line in self._lines:
            found.append(line)
            length += len(line)
            meter.work(1)
            if length >= size:
                break
        return b"".join(found)

    def _all(self) -> Iterator[bytes]:
        """Yield the lines."""
        a = self.a
        letters: dict[int, bytes] = {}
        for state in range(a.states):
            if self.state_line:
                before, between, after = self.state_line
                yield b"%b%d%b%d%b" % (before, state, between, a.outputs[state], after)
            source = b"%d%b" % (state, self.ends[0]) if len(self.ends) == 2 else b""
            for code, target in zip(a.letters_of(state), a.row(state), strict=True):
                if code not in letters:
                    letters[code] = self._letter(code)
                yield b"%b%b%d%b" % (letters[code], source, target, self.ends[-1])

    def _letter(self, code: int) -> bytes:
        """Return the text of a letter."""
        texts = []
        for digits in reversed(self.digits):
            code, place = divmod(code, len(digits))
            texts.append(digits[place])
        if code:
            raise InvalidArrayError("a letter has more digits than there are texts for")
        return b"".join(reversed(texts))


def read_lines(text: str, begin: int, alphabets: tuple[tuple[int, ...], ...], meter: Meter) -> Arrays | None:
    """Return the arrays of an automaton that is written plainly from `begin` on, None if it is not.

    Lines are `state output`, with the states 0, 1, ... in order, each followed by its transitions `digits -> target`,
    sorted by letter; alphabets: the digits of each track, rising.  Lines that are blank or begin with # are skipped.
    """
    if not 0 <= begin <= len(text) or not text.isascii() or prod(map(len, alphabets)) > MOST_LETTERS:
        return None
    if any(abs(digit) >= 10**MOST_DIGITS for alphabet in alphabets for digit in alphabet):
        return None
    offsets, codes, targets, outputs = array("q"), array("q"), array("i"), array("i")
    # How a letter is written, as long as there are few.
    known = {
        " ".join(map(str, letter)): code for code, letter in enumerate(product(*alphabets))
    } if prod(map(len, alphabets)) <= FUEL else {}
    for line in _lines(text, begin, meter):
        if not line or line.startswith("#"):
            continue
        before, arrow, after = line.partition("->")
        if not arrow:
            if not _begins_state(line, offsets, codes, outputs):
                return None
            meter.states = len(outputs)
            continue
        code = known.get(before.rstrip(" \t"), -1)
        code = _code(before, alphabets) if code < 0 else code
        target = after.strip(" \t")
        if code < 0 or not outputs or (len(codes) > offsets[-1] and codes[-1] >= code):
            return None
        if not _NUMBER.fullmatch(target) or not 0 <= int(target) < CEILING:
            return None
        codes.append(code)
        targets.append(int(target))
        meter.transitions = len(codes)
        if len(codes) > meter.max_transitions:
            raise meter.spent("transitions", meter.max_transitions)
    offsets.append(len(codes))
    if not outputs or max(targets, default=-1) >= len(outputs):
        return None
    return exported(offsets, codes, targets, outputs)


def _lines(text: str, begin: int, meter: Meter) -> Iterator[str]:
    """Yield the lines of a text from a place on, without the blanks around them."""
    while begin < len(text):
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        yield text[begin:end].strip(" \t")
        begin = end + 1
        meter.work(1)


def _begins_state(line: str, offsets: array[int], codes: array[int], outputs: array[int]) -> bool:
    """Add the next state; return whether a line is one that declares it."""
    numbers = line.replace("\t", " ").split(" ")
    numbers = [number for number in numbers if number]
    if len(numbers) != 2 or not all(map(_NUMBER.fullmatch, numbers)):
        return False
    state, output = map(int, numbers)
    if state != len(outputs) or abs(output) > LARGEST_OUTPUT or state >= CEILING:
        return False
    offsets.append(len(codes))
    outputs.append(output)
    return True


def _code(letter: str, alphabets: Sequence[tuple[int, ...]]) -> int:
    """Return the code of a letter, -1 if it is none."""
    numbers = [number for number in letter.replace("\t", " ").split(" ") if number]
    if len(numbers) != len(alphabets) or not all(map(_NUMBER.fullmatch, numbers)):
        return -1
    code = 0
    for number, alphabet in zip(map(int, numbers), alphabets, strict=True):
        if number not in alphabet:
            return -1
        code = code * len(alphabet) + alphabet.index(number)
    return code


def edges(a: Csr, meter: Meter) -> Arrays:
    """Return the edges, sorted by source and target, and the letters of each.

    The arrays are: where the letters of each edge begin, and where those of the last one end; the sources; the targets;
    the codes of the letters, rising within an edge.
    """
    sizes, sources, targets, codes = array("q", [0]), array("i"), array("i"), array("q")
    for state in range(a.states):
        found: dict[int, list[int]] = {}
        for code, target in zip(a.letters_of(state), a.row(state), strict=True):
            found.setdefault(target, []).append(code)
            meter.work(1)
        meter.work(1)
        for target in sorted(found):
            sources.append(state)
            targets.append(target)
            codes.extend(found[target])
            sizes.append(len(found[target]))
    return (
        memoryview(array("q", accumulate(sizes))).toreadonly(), memoryview(sources).toreadonly(),
        memoryview(targets).toreadonly(), memoryview(codes).toreadonly(),
    )
