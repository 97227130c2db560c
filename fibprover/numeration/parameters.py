"""The parameters of families of numeration systems: tracks that hold a beginning of a slope, or of choices.

A slope is held as its partial quotients in binary, the first bit of each written 2 (`sturmian.py`); a sequence of
choices as numbers from 1 on, one at each position (`choices.py`).  Zeros come first on all tracks together.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.prefixes import digits_within, marks
from fibprover.base.errors import NumerationError
from fibprover.base.names import CHOICES, PARAMETER, SLOPES, system_name
from fibprover.numeration.system import ContinuedFraction

#: The track of the slope: 2 is the first bit of a partial quotient, a 1.
SLOPE_TRACK = Track(PARAMETER, (0, 1, 2), SLOPES)

_CHOSEN = re.compile(r"((?:[0-9]{1,2}\s*[ ,]\s*)*)\(\s*([0-9]{1,2}(?:\s*[ ,]\s*[0-9]{1,2})*)\s*\)")


class ChoiceSequence(NamedTuple):
    """An ultimately periodic sequence of choices, each a number from 1 on; the first one is for the last digit."""

    preperiod: tuple[int, ...]
    period: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join([*map(str, self.preperiod), f"({' '.join(map(str, self.period))})"])


#: One parameter, ultimately periodic.
Parameter = ContinuedFraction | ChoiceSequence


def choice_track(count: int) -> Track:
    """Return the track of sequences of choices between so many."""
    return Track(PARAMETER, tuple(range(count + 1)), f"msd_choice_{count}")


def in_order_of(track: Track, family: str) -> Track:
    """Return the track of a parameter, read from the same end as numbers of the family with this name."""
    name = system_name(track.system)
    return track._replace(system=name._replace(lsd_first=system_name(family).lsd_first).full)


def parameter_track(system: str) -> Track:
    """Return the track of parameters whose system has a name: that of slopes, or one of choices."""
    found = CHOICES.fullmatch(system)
    return in_order_of(SLOPE_TRACK if found is None else choice_track(int(found[1])), system)


@lru_cache(maxsize=64)
def beginnings(track: Track) -> Dfa:
    """Return the beginnings of the parameters on a track, of one position at least; the track is named PARAMETER."""
    rows = [{0: 0} | dict.fromkeys(marks(track), 1), dict.fromkeys(digits_within(track), 1)]
    return kernel_calls.minimize(build([track._replace(name=PARAMETER)], rows, [0, 1]))


def choices_named(written: str, count: int) -> ChoiceSequence:
    """Return the sequence of choices that is written as 1 2 (1): what repeats is in brackets.

    Raises NumerationError for what is none.
    """
    found = _CHOSEN.fullmatch(written.strip())
    parts = [] if found is None else [tuple(map(int, re.findall("[0-9]+", text))) for text in found.groups()]
    if not parts or not all(1 <= each <= count for part in parts for each in part):
        raise NumerationError(
            f"{written} is not a sequence of choices between 1 and {count}",
            hint="such as 1 (1), where what repeats is in brackets",
        )
    return ChoiceSequence(*parts)
