"""How many known sequences are recognized from their first terms: `python -m benchmarks.recognized`.

Each of `known_sequences` is given to the search of `fibprover study --terms` with some first terms.  What is found is
compared with the definition up to CHECKED terms: words letter by letter, numbers modulo a prime.  Results are kept in a
file, one in a line, so that an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy

from benchmarks.known_sequences import SEQUENCES, is_kept
from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import limits_of_part
from fibprover.infer.choice import MOST_LETTERS
from fibprover.numeration.system import NumerationSystem
from fibprover.sequences.series import Series
from fibprover.sheets.conjecture import Conjecture
from fibprover.sheets.no_automaton import NoAutomaton
from fibprover.sheets.search import suggested
from fibprover.sheets.terms import terms_from

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The numbers of first terms that are given, the terms that are compared, and the CPU seconds of a search.
GIVEN, CHECKED, SECONDS = (200, 2000, 10_000), 1_000_000, 20.0

#: Numbers are compared modulo this prime; products of two residues, and their sums, stay within 64 bits.
PRIME = (1 << 30) - 35


@dataclass(frozen=True, slots=True)
class Result:
    """What was found of a sequence; found: "word", "differences", "numbers", or "" for nothing, with the reason.

    wrong: the place of the first term that is wrong, None if there is none below CHECKED.
    """

    place: int
    given: int
    found: str
    wrong: int | None
    seconds: float
    reason: str = ""


def recognized(place: int, given: int, checked: int = CHECKED, seconds: float = SECONDS) -> Result:
    """Search for a sequence by its first terms, and compare what is found."""
    known = SEQUENCES[place]
    terms = known.terms(given)
    begun = process_time()
    try:
        found = suggested(terms_from(terms, known.first), "", (), limits_of_part(seconds))
    except (BudgetSpent, NoAutomaton, FibproverError) as problem:
        reason = "time" if isinstance(problem, BudgetSpent) else problem.message.partition(":")[0]
        return Result(place, given, "", None, process_time() - begun, reason)
    took = process_time() - begun
    kind = "numbers"
    if found.about.is_word:
        kind = "differences" if len(set(terms)) > MOST_LETTERS else "word"
    return Result(place, given, kind, first_wrong(found, kind, _right(place, checked)), took)


@lru_cache(maxsize=1)
def _right(place: int, count: int) -> list[int]:
    return SEQUENCES[place].terms(count)


def first_wrong(found: Conjecture, kind: str, right: Sequence[int]) -> int | None:
    """Return the first place, counted from 0, where a conjecture and the right terms differ."""
    checked = len(right)
    if kind == "numbers":
        numbers = found.about.numbers
        mine = values(numbers.sequence, checked + numbers.before)[numbers.before :]
        theirs = numpy.array([term % PRIME for term in right], dtype=numpy.int64)
    else:
        theirs = numpy.array(right)
        if kind == "differences":
            theirs = numpy.diff(theirs)
        mine = numpy.array(found.about.word.prefix(len(theirs)))
    different = numpy.flatnonzero(mine != theirs)
    return int(different[0]) if len(different) else None


def values(sequence: Series, count: int) -> NDArray[Any]:
    """Return the first values of a sequence with one index modulo PRIME, each from that without its last digit."""
    (system,) = sequence.systems
    parts = [_residues(sequence.matrices[digit,]) for digit in system.digits]
    leaving, rows = _residues([list(sequence.w)]).T, _residues([list(sequence.v)])
    found = [_product(rows, leaving)]
    total = 1
    for parents, digits, are_numbers in _levels(system):
        following = numpy.empty((len(parents), rows.shape[1]), dtype=numpy.int64)
        for digit, part in enumerate(parts):
            chosen = digits == digit
            following[chosen] = _product(rows[parents[chosen]], part)
        rows = following
        found.append(_product(rows[are_numbers], leaving))
        total += len(found[-1])
        if total >= count:
            break
    return numpy.concatenate(found)[:count, 0]


def _levels(system: NumerationSystem) -> Iterator[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]:
    """Yield for the beginnings of representations of each length, in order, the places of those without the last digit,
    the last digits, and which of them are representations.
    """
    valid = system.valid
    ends = numpy.array(valid.outputs, dtype=bool)
    steps = numpy.full((valid.states, len(system.digits)), -1)
    for state in range(valid.states):
        for code, target in valid.row(state):
            steps[state, code] = target
    states = numpy.array([0])
    first = True
    while True:
        following = steps[states]
        if first:
            following = following.copy()
            following[:, system.digits.index(0)] = -1  # a representation does not begin with 0
        first = False
        parents, digits = numpy.nonzero(following >= 0)
        states = following[parents, digits]
        yield parents, digits, ends[states]


def _residues(rows: Iterable[Sequence[Any]]) -> NDArray[Any]:
    return numpy.array(
        [[each.numerator * pow(each.denominator, -1, PRIME) % PRIME for each in row] for row in rows], dtype=numpy.int64
    )


def _product(left: NDArray[Any], right: NDArray[Any]) -> NDArray[Any]:
    found = numpy.zeros((left.shape[0], right.shape[1]), dtype=numpy.int64)
    for at in range(left.shape[1]):
        found = (found + left[:, at, None] * right[at]) % PRIME
    return found


def table(results: Iterable[Result]) -> str:
    """Return the table of how many are recognized, of those for us and of those that are kept."""
    by_given: dict[int, list[Result]] = defaultdict(list)
    for each in results:
        by_given[each.given].append(each)
    lines = [
        "| terms | tried | recognized | words | differences | numbers | wrong | kept | of these | median s | most s |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for given, all_of in sorted(by_given.items()):
        ours = [each for each in all_of if not is_kept(each.place)]
        kept = [each for each in all_of if is_kept(each.place)]
        right = [each for each in ours if each.found and each.wrong is None]
        kinds = [sum(each.found == kind for each in right) for kind in ("word", "differences", "numbers")]
        seconds = sorted(each.seconds for each in all_of)
        cells = [
            given, len(ours), len(right), *kinds, sum(each.wrong is not None for each in all_of), len(kept),
            sum(bool(each.found) and each.wrong is None for each in kept), f"{seconds[len(seconds) // 2]:.2f}",
            f"{seconds[-1]:.1f}",
        ]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def _read(file: Path) -> list[Result]:
    return [Result(**json.loads(line)) for line in file.read_text().splitlines()] if file.exists() else []


def _order() -> list[int]:
    """Return the places so that any first part of them has sequences of all kinds."""
    return sorted(range(len(SEQUENCES)), key=lambda place: place * 151 % len(SEQUENCES))


def main() -> None:
    """Search for all sequences that the file does not have, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", default="recognized.jsonl", help="the file of the results")
    parser.add_argument("--given", type=int, action="append", help="numbers of terms (default 200, 2,000 and 10,000)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="CPU seconds of a search (default 20)")
    parser.add_argument("--checked", type=int, default=CHECKED, help="terms that are compared (default 1,000,000)")
    parser.add_argument("--kept", action="store_true", help="also those that are kept for the last run")
    parser.add_argument("--missed", action="store_true", help="list what was not recognized")
    arguments = parser.parse_args()
    file = Path(arguments.results)
    known = {(each.place, each.given) for each in _read(file)}
    for place, given in product(_order(), arguments.given or GIVEN):
        if (place, given) in known or (is_kept(place) and not arguments.kept):
            continue
        result = recognized(place, given, arguments.checked, arguments.seconds)
        with file.open("a") as out:
            out.write(json.dumps(asdict(result)) + "\n")
    results = _read(file)
    print(table(results))
    for each in results if arguments.missed else ():
        if not each.found or each.wrong is not None:
            known_one = SEQUENCES[each.place]
            said = each.reason if each.wrong is None else f"wrong at {each.wrong}"
            print(f"{each.given}: {known_one.number} {known_one.text}: {said}")


if __name__ == "__main__":
    main()
