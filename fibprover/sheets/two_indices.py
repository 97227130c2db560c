"""The questions about a word with two indices, X[i][j]: its rows i, its columns j, its diagonals, and its blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from fibprover.base.errors import LimitError
from fibprover.sheets import sheet_text
from fibprover.sheets.answer import Answer, formula_about
from fibprover.sheets.question import Question
from fibprover.sheets.recognition import Recognized, recognize
from fibprover.sheets.subject import Subject

#: The numbers of rows, columns and diagonals that have a line each, and the greatest size of blocks that are counted.
LINES, BLOCKS = 4, 3

#: The number of letters by which a word of the library is recognized, and the number shown.
COMPARED, SHOWN = 600, 30


def table_questions(letters: Sequence[int]) -> Iterator[Question]:
    """Yield the questions about a word with two indices and these letters."""
    for letter in letters:
        yield Question(
            f"letter-{letter}", "letters", "claim", f"The letter {letter} occurs in infinitely many places.",
            f"Am Ei,j (i>m | j>m) & X[i][j]=@{letter}",
        )
    yield Question("symmetric", "symmetry", "claim", "X is symmetric: X[i][j] = X[j][i].", "Ai,j X[i][j]=X[j][i]")
    yield Question(
        "row-is-column", "symmetry", "set", "The n for which row n equals column n.", "Aj X[n][j]=X[j][n]",
    )
    yield from _lines("row", "X[{}][{}]")
    yield from _lines("column", "X[{1}][{0}]")
    yield from _diagonals()
    for size in range(1, BLOCKS + 1):
        cells = " & ".join(f"X[i+{a}][j+{b}]=X[p+{a}][q+{b}]" for a, b in product(range(size), repeat=2))
        yield Question(
            f"blocks-{size}", "blocks", "size", f"The number of blocks of {size} times {size} letters.",
            f"Ap,q (p<i | (p=i & q<j)) => ~({cells})",
        )


def _lines(name: str, cell: str) -> Iterator[Question]:
    """Yield the questions about rows, or columns; cell: of a row, with the places for its number and for that in it."""
    here, other = cell.format("n", "j"), cell.format("m", "j")
    yield Question(
        f"new-{name}s", f"{name}s", "set", f"The numbers of the {name}s that differ from all earlier {name}s.",
        f"~(Em m<n & (Aj {other}={here}))",
    )
    yield Question(
        f"{name}s-distinct", f"{name}s", "claim", f"All {name}s are different.",
        f"~(Em,n m<n & (Aj {other}={here}))",
    )
    yield Question(
        f"periodic-{name}s", f"{name}s", "set", f"The numbers of the eventually periodic {name}s.",
        f"Ep,k p>0 & (Aj j>=k => {here}={cell.format('n', 'j+p')})",
    )
    yield Question(
        f"constant-{name}s", f"{name}s", "set", f"The numbers of the constant {name}s.",
        f"Aj {here}={cell.format('n', '0')}",
    )
    for number in range(LINES):
        yield Question(
            f"{name}-{number}", f"{name}s", "line", f"The {name} {cell.format(number, 'n')}.", cell.format(number, "n"),
        )


def _diagonals() -> Iterator[Question]:
    """Yield the questions about diagonals, which are infinite words, and antidiagonals, which are not."""
    section = "diagonals"
    yield Question("diagonal", section, "line", "The main diagonal X[n][n].", "X[n][n]")
    for number in range(1, LINES):
        yield Question(
            f"diagonal-above-{number}", section, "line", f"The diagonal X[n][n+{number}].", f"X[n][n+{number}]",
        )
        yield Question(
            f"diagonal-below-{number}", section, "line", f"The diagonal X[n+{number}][n].", f"X[n+{number}][n]",
        )
    for side, cell in (("above", "X[{0}][{0}+n]"), ("below", "X[{0}+n][{0}]")):
        yield Question(
            f"periodic-diagonals-{side}", section, "set",
            f"The n for which the diagonal {cell.format('j')} is eventually periodic.",
            f"Ep,k p>0 & (Aj j>=k => {cell.format('j')}={cell.format('(j+p)')})",
        )
    yield Question(
        "constant-antidiagonals", section, "set", "The n for which the antidiagonal i+j = n is constant.",
        "Ai i<=n => X[i][n-i]=X[0][n]",
    )
    yield Question(
        "palindromic-antidiagonals", section, "set", "The n for which the antidiagonal i+j = n is a palindrome.",
        "Ai i<=n => X[i][n-i]=X[n-i][i]",
    )


def size_answer(about: Subject, question: Question) -> Answer:
    """Return how many values the variables of a formula have; raises LimitError for infinitely many."""
    found = about.session.relation(formula_about(about, question.formula))
    if not found.is_finite():
        raise LimitError("they are infinitely many")
    return Answer("proved", str(found.count()), found.states, found.automaton)


def line_answer(about: Subject, question: Question) -> Answer:
    """Return the first letters of the word whose n-th letter is a cell, and its period, or which word it is."""
    cell = question.formula
    parts = {
        letter: about.session.relation(formula_about(about, f"{cell}=@{letter}")) for letter in about.word.outputs
    }
    first = tuple(
        next(letter for letter, part in parts.items() if n in part) for n in range(COMPARED)
    )
    said = f"{sheet_text.letters_text(first[:SHOWN])}..."
    states = max(part.states for part in parts.values())
    periods = about.session.relation(formula_about(about, f"p>0 & (An n>=k => {cell}={_later(cell, 'p')})"))
    if not periods.is_empty():
        p = min(periods.exists("k").values(1))
        (k,) = periods.where(p=p).values(1)
        formula = f"An n>={k} => {cell}={_later(cell, str(p))}"
        start = f" from n = {k} on" if k else ""
        return Answer("proved", f"{said}, with period {p}{start}", states, terms=first[:64], formula=formula_about(
            about, formula
        ))
    found = recognize(about.session, first)
    formula = _identity(about, cell, found) if found is not None else ""
    if not formula or found is None:
        none = f"~(Ep,k p>0 & (An n>=k => {cell}={_later(cell, 'p')}))"
        return Answer(
            "proved", f"{said}, not eventually periodic", states, terms=first[:64], formula=formula_about(about, none)
        )
    coding = "" if found.is_identity else f" with {found.recoding}"
    said += f", which is {sheet_text.from_letter(found.name, found.shift)}{coding}"
    return Answer("proved", said, states, terms=first[:64], formula=formula_about(about, formula))


def _later(cell: str, p: str) -> str:
    """Return the cell p places later."""
    return cell.replace("n", f"(n+{p})")


def _identity(about: Subject, cell: str, found: Recognized) -> str:
    """Return a true formula that the word of a cell is a word of the same system; "" if it is not true."""
    names = about.session.namespace
    word = names.library_words[found.name]
    if found.shift < 0 or found.name in names.words or names.index_system(word.name, word.machine).name != about.system:
        return ""
    at = f"n+{found.shift}" if found.shift else "n"
    same = " & ".join(
        f"({found.name}[{at}]=@{letter} => {cell}=@{term})" for letter, term in sorted(found.coding.items())
    )
    formula = f"An {same}"
    return formula if about.session.prove(formula_about(about, formula)) else ""
