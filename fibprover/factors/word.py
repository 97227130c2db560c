"""A word that is proved about by desubstitution: a fixed point of a primitive morphism, or its image under another one.

In come the images of the letters 0, 1, ... and for each letter the numbers that it becomes.  If the matrix of the
morphism is not primitive but its letter 0 comes back within a bound, the word is the image of another one, whose
letters are the return words of 0 and whose morphism is primitive (Durand, 1998).  If several letters become one number,
the word is read as the image under a power of the morphism, with numbers for letters, so that different words have
different images again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from fibprover.base.errors import FibproverError, LimitError, Undecided
from fibprover.base.limits import poll
from fibprover.factors.bispecial import Bispecials, bispecials
from fibprover.factors.counts import Steps, Weighted, steps
from fibprover.factors.desubstitution import Contexts, synchronizing_length
from fibprover.factors.language import FixedPoint, Image, Substitution
from fibprover.factors.perron import Perron, is_primitive, perron
from fibprover.factors.repetitions import Repetitions, repetitions
from fibprover.factors.return_words import derived_morphism
from fibprover.numeration.number_field import Algebraic

#: The most powers of the morphism that are tried where several letters become one number.
MOST_POWERS = 4

#: Return words of the letter 0 have at most so many letters.
MOST_RETURN = 400


class Desubstituted:
    """A word with what is known of its factors; values are computed when they are asked for, and kept.

    numbers: what the letters of `language` stand for.  Raises Undecided where the method does not apply.
    """

    def __init__(self, images: Sequence[Sequence[int]], blocks: Sequence[Sequence[int]]) -> None:
        texts = ["".join(map(chr, image)) for image in images]
        outer = Substitution([chr(letter) for letter in range(len(texts))])
        _check_recurrent(texts)
        if not is_primitive(Substitution(texts).matrix):
            texts, outer = _by_return_words(images)
        texts, outer = _simplified(texts, outer)
        self.numbers = tuple(sorted({number for block in blocks for number in block}))
        coding = Substitution(["".join(chr(self.numbers.index(number)) for number in block) for block in blocks])
        self.inner = FixedPoint(Substitution(texts))
        self.outer = _readable(self.inner, coding.after(outer))

    @cached_property
    def language(self) -> FixedPoint | Image:
        """The word, and its factors."""
        return self.inner if self.outer is None else Image(self.inner, self.outer)

    @cached_property
    def field(self) -> Perron:
        """The dominant eigenvalue of the morphism."""
        return perron(self.inner.morphism.matrix)

    @cached_property
    def synchronizing(self) -> int:
        """The length of factors that all have a synchronizing point."""
        return synchronizing_length(self.inner, self.outer or self.inner.morphism)

    @cached_property
    def bispecials(self) -> Bispecials:
        """The bispecial factors."""
        return bispecials(self.inner, self.outer)

    @cached_property
    def contexts(self) -> tuple[Contexts, Contexts | None]:
        """The contexts for the morphism, and for the one that is applied last."""
        least = 1 if self.outer is None else Contexts(self.inner, self.outer, rest=1).size
        own = Contexts(self.inner, self.inner.morphism, least=least)
        return own, None if self.outer is None else Contexts(self.inner, self.outer, rest=1, least=own.size)

    def repetitions(self, least: float) -> Repetitions:
        """Return the repetitions of an exponent of at least 1 + least, and some others."""
        return repetitions(self.inner, self.outer, self.field, least)

    def counted(self, start: int, weight: dict[frozenset[tuple[str, str]], int]) -> Steps:
        """Return start + the sum of the weights of the shorter bispecial factors, by the letters around them."""
        return steps(start, [
            *(Weighted(len(each.word), weight[each.around]) for each in self.bispecials.single),
            *(Weighted(each.orbit, weight[each.around]) for each in self.bispecials.families),
        ])

    @cached_property
    def around(self) -> set[frozenset[tuple[str, str]]]:
        """The sets of pairs of letters around bispecial factors."""
        found = self.bispecials
        return {each.around for each in found.single} | {each.around for each in found.families}

    @cached_property
    def growth(self) -> Steps:
        """The first differences of the number of factors."""
        return self.counted(len(self.numbers) - 1, {each: multiplicity(each) for each in self.around})

    def specials(self, side: int) -> Steps:
        """Return the numbers of factors that two letters or more precede (side 0), or follow (side 1)."""
        return self.counted(1, {each: _more_specials(each, side) for each in self.around})

    def frequencies(self) -> dict[int, Algebraic]:
        """Return the frequency of each letter, by its number."""
        matrix = self.inner.morphism.matrix
        turned = perron(tuple(zip(*matrix, strict=True)))
        images = [chr(letter) for letter in range(len(matrix))] if self.outer is None else self.outer.images
        zero = turned.field.number(0)
        counts = {}
        for letter, number in enumerate(self.numbers):
            each = (weight * image.count(chr(letter)) for weight, image in zip(turned.weights, images, strict=True))
            counts[number] = sum(each, zero)
        total = sum(counts.values(), zero)
        return {number: each / total for number, each in counts.items()}


def multiplicity(around: frozenset[tuple[str, str]]) -> int:
    """Return e - l - r + 1 for the pairs of letters around a factor."""
    return len(around) - len({a for a, _ in around}) - len({b for _, b in around}) + 1


def _more_specials(around: frozenset[tuple[str, str]], side: int) -> int:
    """Return how many more special factors there are, one letter longer on the other side, than this one."""
    beside: dict[str, set[str]] = {}
    for pair in around:
        beside.setdefault(pair[1 - side], set()).add(pair[side])
    return sum(len(letters) > 1 for letters in beside.values()) - 1


def _check_recurrent(texts: Sequence[str]) -> None:
    """Raise Undecided unless the first letter of the fixed point occurs again."""
    reached = {each for image in texts for each in image}
    if not any(text.count(chr(0)) > (letter == 0) for letter, text in enumerate(texts) if chr(letter) in reached):
        raise Undecided("the first letter occurs only once")


def _by_return_words(images: Sequence[Sequence[int]]) -> tuple[list[str], Substitution]:
    """Return the morphism of the return words of the letter 0, and these; raises Undecided if it is not primitive."""
    word: list[int] = [0]
    while 0 not in word[1:]:
        word = [letter for each in word for letter in images[each]]
        if len(word) > MOST_RETURN * max(map(len, images)):
            raise Undecided("the first letter does not come back soon")
    first = tuple(word[: word.index(0, 1)])
    try:
        found, words = derived_morphism({n: tuple(each) for n, each in enumerate(images)}, (0,), first)
    except LimitError:
        raise Undecided("the first letter may not come back within a bound: it has too many return words") from None
    texts = ["".join(map(chr, image)) for image in found]
    if not is_primitive(Substitution(texts).matrix):
        raise Undecided("the matrix of the morphism is not primitive, even for return words")
    return texts, Substitution(["".join(map(chr, each)) for each in words])


def _simplified(texts: list[str], outer: Substitution) -> tuple[list[str], Substitution]:
    """Return an injective morphism, and what has to be applied to its fixed point, for the fixed point of a morphism.

    If two words have the same image under s, the images are products of fewer words, so that s = g f with fewer letters
    between f and g (Ehrenfeucht and Rozenberg, Simplifications of homomorphisms, 1978).  Then the fixed point x of s is
    g(y), where y = f(x) is that of f g.
    """
    while not Substitution(texts).is_injective:
        words = set(texts)
        while (found := next(((a, b) for a in words for b in words if a != b and a.startswith(b)), None)) is not None:
            poll("a simpler morphism")
            whole, start = found
            words = words - {whole} | {whole[len(start):]}
        # No word begins with another one, so that there is one way to read an image.
        read = [_product(text, words) for text in texts]
        order = list(dict.fromkeys(word for each in read for word in each))
        to_words = Substitution(["".join(chr(order.index(word)) for word in each) for each in read])
        texts, outer = [to_words(word) for word in order], outer.after(Substitution(order))
    return texts, outer


def _product(text: str, words: set[str]) -> list[str]:
    """Return the words of which a text is the product; none begins with another one."""
    found = []
    while text:
        found.append(next(word for word in words if text.startswith(word)))
        text = text[len(found[-1]):]
    return found


def _readable(inner: FixedPoint, outer: Substitution) -> Substitution | None:
    """Return a morphism with the same image of the fixed point that can be undone; None if it renames letters only."""
    if all(image == chr(letter) for letter, image in enumerate(outer.images)):
        return None
    problem: FibproverError = Undecided("two words have the same image under the morphism and the coding")
    for _ in range(MOST_POWERS):
        if outer.is_injective:
            try:
                synchronizing_length(inner, outer)
                Contexts(inner, outer, rest=1)
                return outer
            except Undecided as found:
                problem = found
        outer = outer.after(inner.morphism)
    raise problem
