"""Comparisons of a letter of one word with a letter of another one, or of the same one, by which factors compare."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from fibprover.automata.dfa import Dfa
from fibprover.base.values import replaced, value
from fibprover.language.builder import letter
from fibprover.language.tree import Formula, Letter, Term, disjunction
from fibprover.numeration.system import NumerationSystem
from fibprover.words.automatic import AutomaticWord


@value
class LetterComparison:
    """The comparison of V[x] and W[y]: V[x]=W[y], V[x]!=W[y], or whether both are among some letters or both not.

    left, right: the words V and W, which may be one; op: =, != (then there are two letters, so that two letters that
    differ from one letter are equal), or <=>; left_letters, right_letters: of <=>, the letters of V and of W.
    """

    left: AutomaticWord
    right: AutomaticWord
    op: str = "="
    left_letters: tuple[int, ...] = ()
    right_letters: tuple[int, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether equal letters of one word are meant."""
        return self.op == "=" and (self.left is self.right or self.left == self.right)

    @property
    def name(self) -> str:
        """What is compared, for names of predicates, such as T, T_RS, T_ne_T, VTM_1_iff_T_0.  Another may have it, too.
        """
        if self.is_plain:
            return self.left.name
        said = {"=": "_", "!=": "_ne_", "<=>": "_iff_"}[self.op]
        return f"{_side(self.left, self.left_letters)}{said}{_side(self.right, self.right_letters)}"

    @property
    def words(self) -> dict[str, AutomaticWord]:
        """The words by their names."""
        return {self.left.name: self.left, self.right.name: self.right}

    @property
    def key(self) -> tuple[str, str, str, tuple[int, ...], tuple[int, ...]]:
        """What is compared, by the names of the words."""
        return self.left.name, self.right.name, self.op, self.left_letters, self.right_letters

    @property
    def meaning(self) -> tuple[Dfa, Dfa, str, tuple[int, ...], tuple[int, ...]]:
        """What is compared, whatever the words are called."""
        return self.left.machine, self.right.machine, self.op, self.left_letters, self.right_letters

    def with_systems(self, system: Callable[[str], NumerationSystem]) -> LetterComparison:
        """Return the comparison of words with the systems of their indices that are not built in.

        Raises AutomatonError if one is another.
        """
        return replaced(self, left=self.left.with_systems(system), right=self.right.with_systems(system))

    def formula(self, x: Term, y: Term) -> Formula:
        """Return the formula that the letters of V at x and of W at y compare so."""
        if self.op == "=":
            return letter(self.left.name, x).eq(letter(self.right.name, y))
        if self.op == "!=":
            return letter(self.left.name, x).ne(letter(self.right.name, y))
        return _among(self.left, self.left_letters, x).iff(_among(self.right, self.right_letters, y))

    def classes(self) -> tuple[Mapping[int, int], Mapping[int, int]]:
        """Return a number for each letter of V, and of W: letters compare so if their numbers are equal."""
        if self.op == "<=>":
            sides = ((self.left, self.left_letters), (self.right, self.right_letters))
            left, right = ({each: int(each in letters) for each in word.outputs} for word, letters in sides)
            return left, right
        numbers = {each: number for number, each in enumerate(_letters(self.left, self.right))}
        left, right = ({each: numbers[each] for each in word.outputs} for word in (self.left, self.right))
        return left, right if self.op == "=" else {each: 1 - number for each, number in right.items()}

    def swapped(self) -> LetterComparison:
        """Return the same comparison of the letters of W with those of V."""
        return LetterComparison(self.right, self.left, self.op, self.right_letters, self.left_letters)

    def opposite(self) -> LetterComparison | None:
        """Return the comparison that holds where this one does not; None where it is no equality of classes."""
        if self.op == "<=>":
            others = tuple(each for each in self.right.outputs if each not in self.right_letters)
            return among(self.left, self.left_letters, self.right, others)
        if len(_letters(self.left, self.right)) != 2:
            return None
        return LetterComparison(self.left, self.right, "!=" if self.op == "=" else "=")


def equal_letters(word: AutomaticWord) -> LetterComparison:
    """Return the comparison of letters of a word that holds if they are equal."""
    return LetterComparison(word, word)


def among(
    left: AutomaticWord, left_letters: Iterable[int], right: AutomaticWord, right_letters: Iterable[int]
) -> LetterComparison:
    """Return the comparison that asks whether both letters are among some, or both are not, in the simplest form."""
    first, second = (set(letters).intersection(word.outputs) for letters, word in (
        (left_letters, left), (right_letters, right),
    ))
    both = _letters(left, right)
    if len(both) == 2 and len(first) == len(second) == 1 and len(left.outputs) == len(right.outputs) == 2:
        return LetterComparison(left, right, "=" if first == second else "!=")
    if left.outputs[0] in first:  # the same with the other letters of both
        first, second = set(left.outputs) - first, set(right.outputs) - second
    return LetterComparison(left, right, "<=>", tuple(sorted(first)), tuple(sorted(second)))


def _letters(*words: AutomaticWord) -> list[int]:
    """Return the letters of words, increasing."""
    return sorted({each for word in words for each in word.outputs})


def _side(word: AutomaticWord, letters: Iterable[int]) -> str:
    return word.name + "".join(f"_{each}" if each >= 0 else f"_m{-each}" for each in letters)


def _among(word: AutomaticWord, letters: Iterable[int], x: Term) -> Formula:
    """Return the formula that a letter is among some; of none, that it is another one than itself."""
    return disjunction([letter(word.name, x).eq(Letter(each)) for each in letters]) if letters else (
        letter(word.name, x).ne(letter(word.name, x))
    )
