"""The bispecial factors of the image of a fixed point: finitely many, and families of words that follow each other.

A bispecial factor with a synchronizing point is s m(w) t for exactly one bispecial factor w, where s and t are what the
images of letters around w share (Cassaigne, "Complexite et facteurs speciaux", 1997; Klouda, 2012).  All letters around
s m(w) t follow from the contexts of w: the pairs of words of a fixed length between which w occurs.  So contexts are
the nodes of a finite graph, whose edges are pairs (s, t), and each cycle of it is a family of factors, whose numbers of
letters satisfy a linear recurrence.  What follows from them is proved for all lengths.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from fibprover.base.errors import Undecided
from fibprover.base.limits import poll
from fibprover.base.values import value
from fibprover.factors.desubstitution import Contexts, synchronizing_length
from fibprover.factors.language import FixedPoint, Image, Substitution
from fibprover.factors.mirrors import keeps_palindromes
from fibprover.factors.sequences import Orbit, letter_counts, plus

#: Pairs of words between which a factor occurs.
Around = frozenset[tuple[str, str]]

#: The kinds of contexts that are looked at, and words that begin families.
MOST_NODES, MOST_WORDS = 3000, 20_000

#: Longer words are not compared with their reversals.
MOST_MIRRORED = 2000


@value
class Factor:
    """A bispecial factor, and the pairs of letters around it."""

    word: str
    around: Around


@value
class Family:
    """Bispecial factors with the same pairs of letters around them, whose lengths are those of an orbit.

    palindromes: whether all are palindromes, None if that is not known.
    """

    orbit: Orbit
    around: Around
    palindromes: bool | None


@value
class Bispecials:
    """All bispecial factors: single ones, and families.  synchronizing: the length of factors that all have a cut."""

    single: tuple[Factor, ...]
    families: tuple[Family, ...]
    synchronizing: int


def initial(language: FixedPoint | Image, below: int, size: int) -> Iterator[Factor]:
    """Yield the bispecial factors that are shorter than a bound, with contexts of a size."""
    for length in range(below):
        poll("bispecial factors")
        around: dict[str, set[tuple[str, str]]] = {}
        for word in language.factors(length + 2 * size):
            around.setdefault(word[size : size + length], set()).add((word[:size], word[size + length :]))
        yield from (Factor(word, frozenset(pairs)) for word, pairs in sorted(around.items()) if is_bispecial(pairs))


def is_bispecial(pairs: frozenset[tuple[str, str]] | set[tuple[str, str]]) -> bool:
    """Return whether two letters precede a word with these contexts, and two letters follow it."""
    return len({left[-1] for left, _ in pairs}) > 1 and len({right[0] for _, right in pairs}) > 1


def children(contexts: Contexts, around: Around) -> list[tuple[str, str, Around]]:
    """Return the s and t of all bispecial s m(w) t, with their contexts, for the contexts of w."""
    found = []
    for s in sorted(contexts.added({left for left, _ in around}, -1)):
        for t in sorted(contexts.added({right for _, right in around}, 0)):
            pairs = frozenset(
                (contexts.left(left, s), contexts.right(right, t)) for left, right in around
                if contexts.morphism(left).endswith(s) and contexts.morphism(right).startswith(t)
            )
            if is_bispecial(pairs):
                found.append((s, t, pairs))
    return found


@value
class Edge:
    """From the contexts of w to those of s m(w) t."""

    s: str
    t: str
    target: Around


#: Edges, each with the contexts that it comes from.
Path = tuple[tuple[Around, Edge], ...]


@value
class Step:
    """The map from words w to before m^power(w) after, for a morphism m."""

    before: str = ""
    power: int = 0
    after: str = ""

    def then(self, before: str, morphism: Substitution, after: str) -> Step:
        """Return this map, and the one to before m(w) after."""
        return Step(before + morphism(self.before), self.power + 1, morphism(self.after) + after)

    def of(self, word: str, morphism: Substitution) -> str:
        """Return the image of a word."""
        for _ in range(self.power):
            word = morphism(word)
        return self.before + word + self.after


#: The map from each word to itself.
NOTHING = Step()


@dataclass(frozen=True, slots=True)
class Words:
    """Bispecial factors of a fixed point with the same contexts: tail(w), tail(step(w)), tail(step(step(w))), ...

    first: w; only the first one if there is no step.  origin: the short factor that it comes from; path: the edges from
    there to w, cycle: those of the step, ending: those of the tail, each with the contexts that it comes from.
    """

    first: str
    around: Around
    origin: str
    path: Path = ()
    step: Step | None = None
    cycle: Path = ()
    tail: Step = NOTHING
    ending: Path = ()

    def word(self, number: int, morphism: Substitution) -> str:
        """Return one of the words."""
        word = self.first
        for _ in range(number if self.step is not None else 0):
            word = word if self.step is None else self.step.of(word, morphism)
        return self.tail.of(word, morphism)


class Graph:
    """The contexts of the bispecial factors of a fixed point."""

    def __init__(self, contexts: Contexts) -> None:
        self.contexts = contexts
        self.edges: dict[Around, list[Edge]] = {}
        self._cycles: dict[Around, list[Edge]] = {}

    def following(self, around: Around) -> list[Edge]:
        """Return the edges from a node."""
        if around not in self.edges:
            self.edges[around] = [Edge(*each) for each in children(self.contexts, around)]
            if len(self.edges) > MOST_NODES:
                raise Undecided(f"bispecial factors have more than {MOST_NODES} kinds of contexts")
        return self.edges[around]

    def cycle(self, around: Around) -> list[Edge]:
        """Return the edges of the cycle through a node, none if there is none.

        Raises Undecided where two cycles meet: the families would be infinitely many.
        """
        if around not in self._cycles:
            self._cycles[around] = self._cycle(around)
        return self._cycles[around]

    def _cycle(self, around: Around) -> list[Edge]:
        reached = self._reached(around)
        back: set[Around] = set()
        more = {around}
        while more:
            ahead = {around, *back}
            more = {node for node in reached if any(edge.target in ahead for edge in self.following(node))} - back
            back |= more
        if around not in back:
            return []
        path, node = list[Edge](), around
        while not path or node != around:
            inside = [edge for edge in self.following(node) if edge.target in back]
            if len(inside) != 1:
                raise Undecided("families of bispecial factors meet, so that they are infinitely many")
            path.append(inside[0])
            node = inside[0].target
        return path

    def _reached(self, around: Around) -> set[Around]:
        """Return the nodes that edges lead to from a node."""
        found = [edge.target for edge in self.following(around)]
        seen = set(found)
        for node in found:
            poll("families of bispecial factors")
            for edge in self.following(node):
                if edge.target not in seen:
                    seen.add(edge.target)
                    found.append(edge.target)
        return seen

    def words(self, synchronizing: int) -> list[Words]:
        """Return all bispecial factors: single words, and families.

        synchronizing: the length of factors that all have a cut.
        """
        short: list[Words] = []
        found: list[Words] = []
        for factor in initial(self.contexts.inner, synchronizing, self.contexts.size):
            own = Words(factor.word, factor.around, factor.word)
            short.append(own)
            for edge in self.following(factor.around):
                following = self._after(own, edge)
                if len(following.first) >= synchronizing:
                    found += self._from(following)
        morphism = self.contexts.morphism
        kept = without_copies([(each, each.word(0, morphism), each.around) for each in found])
        for words, _, _ in kept:
            if words.step is not None:
                _check_alone(self.contexts, words)
        return [*short, *(words for words, _, _ in kept)]

    def _after(self, words: Words, edge: Edge) -> Words:
        """Return the word to which an edge leads from a single one."""
        word = edge.s + self.contexts.morphism(words.first) + edge.t
        return Words(word, edge.target, words.origin, (*words.path, (words.around, edge)))

    def _from(self, own: Words) -> list[Words]:
        """Return a word and those that come from it."""
        cycle = self.cycle(own.around)
        if not cycle:
            return [own, *(each for edge in self.following(own.around) for each in self._from(self._after(own, edge)))]
        found = []
        for place, edge in enumerate(cycle):
            edges, step = cycle[place:] + cycle[:place], Step()
            for each in edges:
                step = step.then(each.s, self.contexts.morphism, each.t)
            sources = [own.around, *(each.target for each in edges[:-1])]
            family = Words(own.first, own.around, own.origin, own.path, step, tuple(zip(sources, edges, strict=True)))
            found.append(family)
            for other in self.following(own.around):
                if other != edge:
                    found += self._hanging(family, other)
            own = self._after(own, edge)
        return found

    def _hanging(self, family: Words, edge: Edge) -> list[Words]:
        """Return the families to which an edge leads from the words of another one, out of its cycle."""
        if self.cycle(edge.target):
            raise Undecided("a family of bispecial factors begins others, so that they are infinitely many")
        own = replace(
            family, around=edge.target, tail=family.tail.then(edge.s, self.contexts.morphism, edge.t),
            ending=(*family.ending, (family.around, edge)),
        )
        return [own, *(each for after in self.following(edge.target) for each in self._hanging(own, after))]


T = TypeVar("T")


def without_copies(found: Sequence[tuple[T, str, Around]]) -> list[tuple[T, str, Around]]:
    """Return what is found without those whose word another one has, too, with all of their contexts, and perhaps more.

    found: each with its word, of a family the first one, and the contexts of that.  If s m(w) t = s' m(v) t' for a v
    that is a part of w, some occurrences of this word do not come from w.  A copy of the first word of a family makes,
    by the same edges, copies of all others.
    """
    by_word: dict[str, list[tuple[T, str, Around]]] = {}
    for each in found:
        by_word.setdefault(each[1], []).append(each)
    kept = []
    for copies in by_word.values():
        most = max(copies, key=lambda each: len(each[2]))
        if any(not each[2] <= most[2] for each in copies):
            raise Undecided("a bispecial factor comes from two others in different contexts")
        kept.append(most)
    return kept


def _check_alone(contexts: Contexts, words: Words, end: tuple[Contexts, Edge] | None = None) -> None:
    """Raise Undecided if a word of a family may have occurrences that do not come from the word before.

    end: then of what another morphism makes of the words of the family, which are those of the tail.

    An occurrence of s m(u v) t, where it is s'' m(v) t for a context x of v whose last letter is not that of u, has an
    x whose image ends in s m(u).  Whether there is such an x is seen at the first letters of u v, and likewise at the
    last ones; these letters of the words of a family repeat.
    """
    assert words.step is not None
    edges = [edge for _, edge in words.cycle]
    seen: set[tuple[str, str]] = set()
    word = words.first
    size = 4 * contexts.size
    while (key := (word[:size], word[-size:])) not in seen:
        seen.add(key)
        own = word
        for _, edge in words.ending:
            if _may_come_from_another(contexts, own, edge):
                raise Undecided("a bispecial factor may come from two others")
            own = _cut(edge.s + contexts.morphism(own) + edge.t, size)
        if end is not None and _may_come_from_another(end[0], own, end[1]):
            raise Undecided("a bispecial factor may come from two others")
        for edge in edges:
            if _may_come_from_another(contexts, word, edge):
                raise Undecided("a bispecial factor may come from two others")
            word = _cut(edge.s + contexts.morphism(word) + edge.t, size)


def _cut(word: str, size: int) -> str:
    """Return a word without its middle, if that is long."""
    return word if len(word) <= 4 * size else word[: 2 * size] + word[-2 * size :]


def _may_come_from_another(contexts: Contexts, word: str, edge: Edge) -> bool:
    """Return whether s m(word) t may have an occurrence with another letter before, or after, a part of the word."""
    size = contexts.size
    words, longer = contexts.inner.factors(size), contexts.inner.factors(2 * size)
    for taken in range(1, min(size, len(word) - size) + 1):
        u, v = word[:taken], word[taken : taken + size]
        end = edge.s + contexts.morphism(u)
        if any(x[-1] != u[-1] and x + v in longer and contexts.morphism(x).endswith(end) for x in words):
            return True
        u, v = word[-taken:], word[len(word) - taken - size : len(word) - taken]
        begin = contexts.morphism(u) + edge.t
        if any(x[0] != u[0] and v + x in longer and contexts.morphism(x).startswith(begin) for x in words):
            return True
    return False


def bispecials(inner: FixedPoint, outer: Substitution | None = None) -> Bispecials:
    """Return the bispecial factors of a fixed point, or of its image under a morphism.

    Raises Undecided for morphisms that are not injective, or without synchronizing points, and where families are
    infinitely many.
    """
    for morphism in (inner.morphism, outer or inner.morphism):
        if not morphism.is_injective:
            raise Undecided("two words have the same image under the morphism")
    below = synchronizing_length(inner, inner.morphism)
    size = 1 if outer is None else Contexts(inner, outer, rest=1).size
    graph = Graph(Contexts(inner, inner.morphism, least=size))
    least = below if outer is None else synchronizing_length(inner, outer)
    contexts = None if outer is None else Contexts(inner, outer, rest=1, least=graph.contexts.size)
    single = [] if outer is None else list(initial(Image(inner, outer), least, 1))
    families: list[Family] = []
    for words, (s, t, around) in of_image(graph.words(below), inner.morphism, contexts, least):
        letters = frozenset((left[-1], right[0]) for left, right in around)
        if words.step is not None:
            families += [
                _family(each, inner.morphism, outer, (s, t), letters, least)
                for each in _with_palindromes_apart(words, inner.morphism)
            ]
        else:
            word = words.word(0, inner.morphism)
            single.append(Factor(word if outer is None else s + outer(word) + t, letters))
    return Bispecials(tuple(single), tuple(families), least)


def of_image(
    found: Sequence[Words], morphism: Substitution, contexts: Contexts | None, least: int
) -> list[tuple[Words, tuple[str, str, Around]]]:
    """Return what becomes of words in the image of a fixed point: with the s, t and contexts of s m(w) t.

    contexts: for the outer morphism m, None without one; then all words are returned, with their own contexts.  least:
    single words have at least so many letters.
    """
    if contexts is None:
        return [(words, ("", "", words.around)) for words in found]
    made = []
    for words in found:
        word = words.word(0, morphism)
        for s, t, around in children(contexts, words.around):
            image = s + contexts.morphism(word) + t
            if words.step is not None or len(image) >= least:
                made.append(((words, (s, t, around)), image, around))
    kept = [each for each, _, _ in without_copies(made)]
    own = Contexts(contexts.inner, morphism, least=contexts.size)
    for words, (s, t, around) in kept:
        if words.step is not None:
            _check_alone(own, words, (contexts, Edge(s, t, around)))
    return kept


def _with_palindromes_apart(words: Words, morphism: Substitution) -> list[Words]:
    """Return families of which all words are palindromes, or none, as far as that is known."""
    step = words.step
    if step is None or len(words.first) > MOST_MIRRORED:
        return [words]
    following = step.of(words.first, morphism)
    some = any(word == word[::-1] for word in (words.first, following))
    if not some or keeps_palindromes(step.before, morphism.to_the(step.power), step.after):
        return [words]
    twice = Step(
        step.before + Step("", step.power).of(step.before, morphism), 2 * step.power,
        Step("", step.power).of(step.after, morphism) + step.after,
    )
    return [replace(words, first=first, step=twice) for first in (words.first, following)]


def _family(
    words: Words, morphism: Substitution, outer: Substitution | None, end: tuple[str, str], around: Around, least: int
) -> Family:
    """Return the family of s m(w) t for the words w and (s, t) = end, from the first one that is not shorter than
    `least`; m: the morphism `outer`, if there is one.
    """
    step, tail, matrix = words.step, words.tail, morphism.matrix
    assert step is not None
    size = len(matrix)
    constant = plus(letter_counts(step.before, size), letter_counts(step.after, size))
    lengths = tuple(map(len, morphism.images if outer is None else outer.images))
    weights = (1,) * size if outer is None else lengths
    offset = sum(weights[ord(letter)] for letter in tail.before + tail.after) + sum(map(len, end))
    for _ in range(tail.power):
        weights = tuple(sum(a * row[column] for a, row in zip(weights, matrix, strict=True)) for column in range(size))
    orbit = Orbit(matrix, step.power, letter_counts(words.first, size), constant, weights, offset)
    while orbit.length(orbit.start) < least:
        orbit = orbit.later(1)
    return Family(orbit, around, _are_palindromes(words, morphism, outer, end))


def _are_palindromes(
    words: Words, morphism: Substitution, outer: Substitution | None, end: tuple[str, str]
) -> bool | None:
    """Return whether all words of a family are palindromes, or none; None if that is not known."""
    step, tail = words.step, words.tail
    if step is None or len(words.first) > MOST_MIRRORED:
        return None
    before, last, after = tail.before, morphism.to_the(tail.power), tail.after
    if outer is not None:
        before, last, after = end[0] + outer(before), outer.after(last), outer(after) + end[1]
    known = keeps_palindromes(step.before, morphism.to_the(step.power), step.after)
    return words.first == words.first[::-1] if known and keeps_palindromes(before, last, after) else None
