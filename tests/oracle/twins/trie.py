"""A trie of the representations of number tuples, and the residuals of its nodes.

Words are inserted without leading zero letters.  The language they stand for is closed under leading zeros, so the root
has one child more than the trie shows: itself, by the zero letter.
"""

from __future__ import annotations

from array import array
from typing import Any

from fibprover.automata.kernels.python.budget import FUEL, InvalidArrayError, Meter, TooLargeError

#: The distance to the nearest accepted word below a node that has none.
FAR = 255

MOST_LETTERS = 1 << 22

#: A word of the other backend fits into 64 and 56 bits.
FIRST_BITS, OTHER_BITS = 64, 56

#: Entries in a look at a residual, three for each node that is looked at.
LOOKED_AT = 60

BYTES_OF_WORD = 80
BYTES_OF_NODE = 12


class Trie:
    """The words of known tuples, nodes in preorder: a node's first child follows it, if it has one.

    letters: of each node, the last letter on its way; ends: the node after its last descendant; near: the distance to
    the nearest accepted word; words: how many distinct words there are.
    """

    def __init__(self, words: list[tuple[int, ...]], meter: Meter) -> None:
        self.meter = meter
        self.letters, self.ends, self.near = array("i", [0]), array("i", [0]), array("i", [FAR])
        self.words = len(words)
        path = [0]
        before: tuple[int, ...] = ()
        for word in words:
            same = 0
            for old, new in zip(before, word, strict=False):
                if old != new:
                    break
                same += 1
            self._leave(path, same)
            for letter in word[same:]:
                path.append(len(self.letters))
                self.letters.append(letter)
                self.ends.append(0)
                self.near.append(FAR)
            self.near[path[-1]] = 0
            before = word
            meter.work(2 * (len(word) - same) + 1)
        self._leave(path, 0)
        self.ends[0] = len(self.letters)
        self.held = BYTES_OF_NODE * len(self.letters)
        meter.hold(self.held)

    def _leave(self, path: list[int], kept: int) -> None:
        """Leave the nodes of a path below the first `kept` letters: all their descendants are there."""
        near = self.near
        while len(path) > kept + 1:
            node = path.pop()
            self.ends[node] = len(self.letters)
            near[path[-1]] = min(near[path[-1]], near[node] + 1)

    def children(self, node: int) -> dict[int, int]:
        """Return the children of a node by letter, in order, without that of the root by the zero letter."""
        found = {}
        child, end = node + 1, self.ends[node]
        while child < end:
            found[self.letters[child]] = child
            child = self.ends[child]
        return found

    def following(self, node: int, depth: int) -> list[tuple[int, int]]:
        """Return the letters and nodes after a node from which a word of less than `depth` letters is accepted."""
        letters, ends, near = self.letters, self.ends, self.near
        found = [(0, 0)] if node == 0 and near[0] < depth else []
        child, end = node + 1, ends[node]
        while child < end:
            if near[child] < depth:
                found.append((letters[child], child))
            child = ends[child]
        self.meter.work(len(found) + 1)
        return found

    def look(self, node: int, depth: int) -> tuple[int, ...]:
        """Return the beginning of a list of the words of at most `depth` letters that complete a node.

        Residuals of sparse sets differ deep down, so some words are followed to their ends.
        """
        items: list[int] = []
        self._look(node, depth, items)
        return tuple(items)

    def _look(self, node: int, depth: int, items: list[int]) -> None:
        items.append(-1 if self.near[node] else -2)
        if depth:
            for letter, child in self.following(node, depth):
                if len(items) >= LOOKED_AT:
                    return
                items += depth, letter
                self._look(child, depth - 1, items)

    def same(self, node: int, other: int, depth: int) -> bool:
        """Return whether the same words of at most `depth` letters complete two nodes."""
        if node == other:
            return True
        if (self.near[node] == 0) != (self.near[other] == 0):
            return False
        if not depth:
            return True
        mine, others = self.following(node, depth), self.following(other, depth)
        return len(mine) == len(others) and all(
            a == b and self.same(child, twin, depth - 1)
            for (a, child), (b, twin) in zip(mine, others, strict=True)
        )


def words_of(values: Any, width: int, weights: Any, digits: int, meter: Meter) -> list[tuple[int, ...]]:
    """Return the words of tuples of `width` components, given one after the other, sorted and each once.

    weights: what a digit is worth by its place, least first, the last one greater than all components; each component
    is written greedily with `digits` digits.  Raises TooLargeError for alphabets and words that are too large.
    """
    import numpy  # takes longer to import than most formulas to decide

    letters = checked_letters(width, len(weights), digits)
    rest = numpy.array(values, numpy.int64).reshape(-1, width)
    meter.hold(BYTES_OF_WORD * len(rest) * width)
    codes = numpy.zeros((len(rest), len(weights)), numpy.int64)
    for place in range(len(weights)):
        weight = weights[len(weights) - 1 - place]
        for k in range(width):
            chosen, rest[:, k] = numpy.divmod(rest[:, k], weight)
            if len(chosen) and chosen.max() >= digits:
                raise InvalidArrayError("a number needs a greater digit than there is")
            codes[:, place] = codes[:, place] * digits + chosen
        meter.poll()
    if letters == 1:
        return [()] if len(codes) else []
    begins = (codes != 0).argmax(axis=1)
    begins[~codes.any(axis=1)] = len(weights)
    found: set[tuple[int, ...]] = set()
    for first in range(0, len(codes), FUEL):
        rows, starts = codes[first : first + FUEL].tolist(), begins[first : first + FUEL].tolist()
        found.update(tuple(row[start:]) for row, start in zip(rows, starts, strict=True))
        meter.poll()
    return sorted(found)


def checked_letters(width: int, places: int, digits: int) -> int:
    """Return the number of letters; raises TooLargeError if alphabet or words are larger than the contract allows."""
    letters = 1
    for _ in range(width):
        if digits > MOST_LETTERS // letters:
            raise TooLargeError("an alphabet of more than 2^22 letters")
        letters *= digits
    bits = max(1, (letters - 1).bit_length())
    # No component needs the last place.
    if places - 1 > FIRST_BITS // bits + OTHER_BITS // bits or places > FAR:
        raise TooLargeError(f"words of {places - 1} letters over an alphabet of {letters}")
    return letters
