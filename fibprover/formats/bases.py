"""Walnut's custom bases: `msd_X.txt` holds the valid words, `msd_X_addition.txt` the triples (a, b, a + b).

`msd_X_less_than.txt`, where it exists, holds the order, which otherwise is that of the first
difference.  Without `msd_X.txt` all words are valid.  A base may be given as lsd_X.txt instead; its
words are then read from the other end.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from fibprover.automata.dfa import Dfa, build
from fibprover.automata.reading import mirrored
from fibprover.errors import FormatError
from fibprover.formats.walnut import read_automaton, write_automaton
from fibprover.limits import UNLIMITED, Budget


class Base(NamedTuple):
    """What the files of a base say; the automata read most significant digit first, over plain tracks."""

    name: str
    valid: Dfa
    adder: Dfa
    less: Dfa | None


def read_base(path: str | Path, budget: Budget = UNLIMITED) -> Base:
    """The base whose valid words are in this file, with the files beside it.

    FormatError for a file that is missing, malformed, or of another name than msd_X.txt or lsd_X.txt.
    """
    place = Path(path)
    found = re.fullmatch(r"(msd|lsd)_(\w+)", place.stem, re.ASCII)
    if found is None or place.suffix != ".txt":
        raise FormatError(
            "a base is in a file called msd_NAME.txt or lsd_NAME.txt", str(path),
            hint="with msd_NAME_addition.txt beside it",
        )
    adder = place.with_name(f"{place.stem}_addition.txt")
    if place.is_file() or not adder.is_file():
        valid = _read(place, found[1], budget)
    else:
        tracks = _read(adder, found[1], budget).tracks[:1]
        valid = build(tracks, [{code: 0 for track in tracks for code in range(len(track.digits))}], [1])
    if len(valid.tracks) != 1:
        raise FormatError(f"the valid words of a base have one track, not {len(valid.tracks)}", str(path))
    digits = valid.tracks[0].digits
    beside = {}
    for what, count in (("addition", 3), ("less_than", 2)):
        other = place.with_name(f"{place.stem}_{what}.txt")
        if what == "less_than" and not other.is_file():
            continue
        automaton = _read(other, found[1], budget)
        if [track.digits for track in automaton.tracks] != [digits] * count:
            raise FormatError(f"{count} tracks with the digits {set(digits)} are needed", str(other))
        beside[what] = automaton
    return Base(f"msd_{found[2]}", valid, beside["addition"], beside.get("less_than"))


def write_base(base: Base, folder: Path) -> None:
    """Writes the files of a base; that of the valid words last, since it is what a base is known by.

    FileProblem where a file cannot be written.
    """
    parts = [("_addition", base.adder), ("_less_than", base.less), ("", base.valid)]
    for what, automaton in parts:
        if automaton is not None:
            plain = automaton.with_tracks(tuple(track._replace(system="") for track in automaton.tracks))
            write_automaton(plain, folder / f"{base.name}{what}.txt")


def _read(path: Path, order: str, budget: Budget) -> Dfa:
    """One automaton over plain tracks, most significant digit first."""

    def no_system(name: str) -> tuple[int, ...]:
        raise FormatError(f"the tracks of a base are sets of digits, not {name}", str(path))

    automaton = read_automaton(path, no_system, budget=budget)
    return mirrored(automaton, budget) if order == "lsd" else automaton
