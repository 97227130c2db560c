"""The questions about a word with two indices, X[i][j]: its rows i, its columns j, its diagonals, and its blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from fibprover.base.errors import LimitError
from fibprover.language.builder import exists, forall
from fibprover.language.tree import Formula, Letter, Operand, WordValue, conjunction
from fibprover.sheets import sheet_text
from fibprover.sheets.kinds import Claim, SetOfNumbers
from fibprover.sheets.line import Answer
from fibprover.sheets.question import FormulaQuestion, Question
from fibprover.sheets.recognition import Recognized, recognize
from fibprover.sheets.subject import Subject
from fibprover.sheets.vocabulary import Vocabulary, i, j, k, m, n, p, q

#: The numbers of rows, columns and diagonals that have a line each, and the greatest size of blocks that are counted.
LINES, BLOCKS = 4, 3

#: The number of letters by which a word of the library is recognized, and the number shown.
COMPARED, SHOWN = 600, 30

#: What statements call the word.
_X = Vocabulary("X")


@dataclass(frozen=True, slots=True)
class Size(FormulaQuestion, kind="size"):
    """How many values the variables of a formula have."""

    def answer(self, about: Subject) -> Answer:
        found = about.relation(self.formula)
        if not found.is_finite():
            raise LimitError("they are infinitely many")
        return Answer("proved", str(found.count()), found.states, found.automaton)


@dataclass(frozen=True, slots=True)
class CellsInLine(Question, kind="line"):
    """The word whose n-th letter is a cell of the table."""

    cell: WordValue
    least_letter: int

    @property
    def shown(self) -> Formula:
        """The formula that the cell has the least letter."""
        return self.cell.eq(Letter(self.least_letter))

    def answer(self, about: Subject) -> Answer:
        parts = {letter: about.relation(self.cell.eq(Letter(letter))) for letter in about.word.outputs}
        first = tuple(next(letter for letter, part in parts.items() if n in part) for n in range(COMPARED))
        said, formula = self._period(about) or self._known(about, first)
        shown = f"{sheet_text.letters_text(first[:SHOWN])}..., {said}"
        states = max(part.states for part in parts.values())
        return Answer("proved", shown, states, terms=first[:64], formula=about.stated(formula))

    def _repeats(self, start: Operand, period: Operand) -> Formula:
        return forall(n, (n >= start) >> self.cell.eq(self.cell.substitute(n=n + period)))

    def _period(self, about: Subject) -> tuple[str, Formula] | None:
        """Return the least period and the formula of it; None without one."""
        periods = about.relation((p > 0) & self._repeats(k, p))
        if periods.is_empty():
            return None
        period = min(periods.exists("k").values(1))
        (start,) = periods.where(p=period).values(1)
        return f"with period {period}{f' from n = {start} on' if start else ''}", self._repeats(start, period)

    def _known(self, about: Subject, first: Sequence[int]) -> tuple[str, Formula]:
        """Return which word it is, or that it has no period, and the formula of this."""
        found = recognize(about.session, first)
        formula = None if found is None else _identity(about, self.cell, found)
        if formula is None or found is None:
            return "not eventually periodic", ~exists(p, k, (p > 0) & self._repeats(k, p))
        coding = "" if found.is_identity else f" with {found.recoding}"
        return f"which is {sheet_text.from_letter(found.name, found.shift)}{coding}", formula


def _identity(about: Subject, cell: WordValue, found: Recognized) -> Formula | None:
    """Return a true formula that the word of a cell is a word of the same system; None if it is not true."""
    names = about.session.namespace
    word = names.library_words[found.name]
    if found.shift < 0 or found.name in names.words or names.index_system(word.name, word.machine).name != about.system:
        return None
    other = Vocabulary(found.name)
    formula = forall(n, conjunction(
        other.has(letter, found.place) >> cell.eq(Letter(term)) for letter, term in sorted(found.coding.items())
    ))
    return formula if about.prove(formula) else None


def table_questions(x: Vocabulary, letters: Sequence[int]) -> Iterator[Question]:
    """Yield the questions about a word with two indices and these letters."""
    for letter in letters:
        yield Claim(
            f"letter-{letter}", "letters", f"The letter {letter} occurs in infinitely many places.",
            forall(m, exists(i, j, ((i > m) | (j > m)) & x.has(letter, i, j))),
        )
    yield Claim("symmetric", "symmetry", "X is symmetric: X[i][j] = X[j][i].", forall(i, j, x.at(i, j).eq(x.at(j, i))))
    yield SetOfNumbers(
        "row-is-column", "symmetry", "The n for which row n equals column n.",
        forall(j, x.at(n, j).eq(x.at(j, n))),
    )
    yield from _lines(x, "row", lambda of, number, place: of.at(number, place), letters[0])
    yield from _lines(x, "column", lambda of, number, place: of.at(place, number), letters[0])
    yield from _diagonals(x, letters[0])
    earlier = (p < i) | (p.eq(i) & (q < j))
    for size in range(1, BLOCKS + 1):
        cells = conjunction(x.at(i + a, j + b).eq(x.at(p + a, q + b)) for a, b in product(range(size), repeat=2))
        yield Size(
            f"blocks-{size}", "blocks", f"The number of blocks of {size} times {size} letters.",
            forall(p, q, earlier >> ~cells),
        )


def _lines(
    x: Vocabulary, name: str, cell: Callable[[Vocabulary, Operand, Operand], WordValue], least: int
) -> Iterator[Question]:
    """Yield the questions about rows, or columns; cell: of a row, by its number and the place in it."""
    here = cell(x, n, j)
    same = (m < n) & forall(j, cell(x, m, j).eq(here))
    yield SetOfNumbers(
        f"new-{name}s", f"{name}s", f"The numbers of the {name}s that differ from all earlier {name}s.",
        ~exists(m, same),
    )
    yield Claim(f"{name}s-distinct", f"{name}s", f"All {name}s are different.", ~exists(m, n, same))
    yield SetOfNumbers(
        f"periodic-{name}s", f"{name}s", f"The numbers of the eventually periodic {name}s.",
        exists(p, k, (p > 0) & forall(j, (j >= k) >> here.eq(cell(x, n, j + p)))),
    )
    yield SetOfNumbers(
        f"constant-{name}s", f"{name}s", f"The numbers of the constant {name}s.",
        forall(j, here.eq(cell(x, n, 0))),
    )
    for number in range(LINES):
        yield CellsInLine(
            f"{name}-{number}", f"{name}s", f"The {name} {cell(_X, number, n)}.", cell(x, number, n), least,
        )


def _diagonals(x: Vocabulary, least: int) -> Iterator[Question]:
    """Yield the questions about diagonals, which are infinite words, and antidiagonals, which are not."""
    section = "diagonals"
    yield CellsInLine("diagonal", section, "The main diagonal X[n][n].", x.at(n, n), least)
    for number in range(1, LINES):
        yield CellsInLine(
            f"diagonal-above-{number}", section, f"The diagonal X[n][n+{number}].", x.at(n, n + number), least,
        )
        yield CellsInLine(
            f"diagonal-below-{number}", section, f"The diagonal X[n+{number}][n].", x.at(n + number, n), least,
        )
    for side, indices in (("above", (j, j + n)), ("below", (j + n, j))):
        later = [index.substitute(j=j + p) for index in indices]
        yield SetOfNumbers(
            f"periodic-diagonals-{side}", section,
            f"The n for which the diagonal {_X.at(*indices)} is eventually periodic.",
            exists(p, k, (p > 0) & forall(j, (j >= k) >> x.at(*indices).eq(x.at(*later)))),
        )
    yield SetOfNumbers(
        "constant-antidiagonals", section, "The n for which the antidiagonal i+j = n is constant.",
        forall(i, (i <= n) >> x.at(i, n - i).eq(x.at(0, n))),
    )
    yield SetOfNumbers(
        "palindromic-antidiagonals", section, "The n for which the antidiagonal i+j = n is a palindrome.",
        forall(i, (i <= n) >> x.at(i, n - i).eq(x.at(n - i, i))),
    )
