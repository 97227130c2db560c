"""The factors that two words have in common, length by length, also where no formula is about both words.

A formula about words over two systems would add in both.  For two bases that have no common power this is undecidable
(Villemaire, The theory of (N, +, V_k, V_l) is undecidable, 1992), so that nothing is asked about all lengths at once.
The factors of one length are a finite set, which is exact: those of a fixed point are found from the images of shorter
ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.values import value
from fibprover.factors.language import FixedPoint, Substitution
from fibprover.numeration.recurrence import RecurrenceSystem
from fibprover.sheets.line import Line
from fibprover.sheets.subject import Numbers, WithoutAddition
from fibprover.words.morphic import MorphicWord, of_automaton

if TYPE_CHECKING:
    from fibprover.sheets.sheet import Sheet

#: The lines are called so, their section, and how they are proved.
COMMON, SECTION, METHOD = "common-factors", "factors in common", "counting"

#: So many numbers are shown.
SHOWN = 14

#: Factors up to this length are compared, as long as they have at most so many letters together.
MOST_LENGTH, MOST_LETTERS = 24, 200_000


@value
class CommonFactors:
    """The numbers of factors of the lengths 0, 1, ...: of each of two words, and of those that both have."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    common: tuple[int, ...]

    @property
    def none_from(self) -> int | None:
        """The least length of which no factor is common: then none of a greater length is; None if there was none."""
        return next((length for length, count in enumerate(self.common) if not count), None)


def common_factors(left: Sheet, right: Sheet) -> CommonFactors | None:
    """Return the numbers of the common factors of two words; None for words that are not read as fixed points."""
    words = [_morphic(sheet) for sheet in (left, right)]
    if words[0] is None or words[1] is None:
        return None
    counts = []
    for mine, others in zip(_factors(words[0]), _factors(words[1]), strict=False):
        counts.append((len(mine), len(others), len(mine & others)))
        if not counts[-1][2]:
            break
    return CommonFactors(*zip(*counts, strict=True))


def _morphic(sheet: Sheet) -> MorphicWord | None:
    topic = sheet.topic
    if isinstance(topic, WithoutAddition):
        return topic.word
    if isinstance(topic, Numbers) or len(topic.tracks) != 1 or topic.padding_matters or not topic.tracks[0].system:
        return None
    return of_automaton(topic.machine, topic.system(topic.tracks[0]))


def _factors(word: MorphicWord) -> Iterator[frozenset[tuple[int, ...]]]:
    """Yield the factors of the lengths 0, 1, ..., as far as they are not too many."""
    fixed_point = FixedPoint(Substitution(["".join(map(chr, image)) for image in word.images]))
    for length in range(MOST_LENGTH + 1):
        try:
            found = fixed_point.factors(length)
        except BudgetSpent:
            raise
        except FibproverError:
            return
        if len(found) * length > MOST_LETTERS:
            return
        yield frozenset(tuple(word.outputs[ord(letter)] for letter in each) for each in found)


def common_lines(left: Sheet, right: Sheet) -> tuple[Line, Line] | None:
    """Return what is known of the common factors as a line for each word; None where nothing is."""
    found = common_factors(left, right)
    if found is None:
        return None
    most = len(found.common) - 1
    statement = (
        f"How many of the factors of length n the other word has, for n = 0 to {most}. Each length is compared by"
        " itself, as a finite set."
    )
    if left.system != right.system or not left.system:
        statement += " No formula is about all lengths"
        statement += ": sums in both systems at once are undecidable." if _is_undecidable(left, right) else "."
    end = "" if found.none_from is None else f"; none from length {found.none_from} on"
    lines = []
    for own in (found.left, found.right):
        all_to = next((length for length in range(most + 1) if found.common[length] < own[length]), most + 1) - 1
        whole = "all" if all_to == most else f"all up to length {all_to}"
        said = f"{_shown(found.common)} of {_shown(own)}: {whole}{end}"
        lines.append(Line(COMMON, SECTION, statement, "proved", said, None, None, 0.0, terms=found.common, by=METHOD))
    return lines[0], lines[1]


def _is_undecidable(left: Sheet, right: Sheet) -> bool:
    """Return whether addition with the digits of both systems is known to be undecidable.

    It is for two bases that have no common power (Villemaire 1992), and for a base beside a system whose dominant root
    is a unit, no power of which is one of the base (Bes, Undecidable extensions of Buchi arithmetic and Cobham-Semenov
    theorem, 1997).
    """
    systems = [
        sheet.topic.system(sheet.topic.tracks[0])
        for sheet in (left, right) if sheet.system and not isinstance(sheet.topic, WithoutAddition | Numbers)
    ]
    bases = sorted(abs(system.integer_base) for system in systems if system.integer_base is not None)
    if len(systems) < 2 or not bases:
        return False
    if len(bases) == 1:
        recurrences = [system.recurrence for system in systems if isinstance(system, RecurrenceSystem)]
        return any(abs(each.polynomial[0]) == 1 for each in recurrences)
    small, large = bases
    while small < large and large % small == 0:
        small, large = sorted((small, large // small))
    return small != large


def _shown(counts: tuple[int, ...]) -> str:
    return ", ".join(map(str, counts[:SHOWN])) + (", ..." if len(counts) > SHOWN else "")
