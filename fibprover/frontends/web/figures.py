"""The automata of answers, which the page draws, runs and asks about: their arrays, members and boards."""

from __future__ import annotations

import re
from collections import OrderedDict
from itertools import islice
from typing import Any

from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.digit_order import lsd_first
from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.frontends.conversation.output import Json
from fibprover.frontends.display.drawing import draw
from fibprover.frontends.display.page.figures import MOST_DRAWN_STATES, arrays, drawing
from fibprover.prover.verdict.relation import Relation, shown_value
from fibprover.words.automatic import AutomaticWord
from fibprover.workspace.session import Session

#: The most outcomes that are kept for questions about them; the oldest are forgotten.
MOST_KEPT = 100

#: The most digits of a number that is run, and the most members in an answer.
MOST_DIGITS, MOST_MEMBERS = 1_000, 1_000

_NUMBER = re.compile(rf"[+-]?[0-9]{{1,{MOST_DIGITS}}}")

#: How many of the first members may be listed, page by page.
MOST_LISTED = 100_000

#: The side of a board.
SIDE = 50


class Kept:
    """The outcomes that have an automaton, by numbers under which the page asks about them."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._kept: OrderedDict[int, tuple[Relation | AutomaticWord, Dfa]] = OrderedDict()
        self._count = 0

    def figure(self, outcome: object) -> Json | None:
        """Return what the page needs to draw and run the automaton of an outcome; None if it has none.

        id: for questions; title; names of the tracks, and whether they are read least significant digit first; word:
        whether outputs are letters; drawing, and the automaton's arrays in reading order (None for one that is not
        drawn), as in `fibprover.frontends.display.page.figures`; whether it has members and a board.
        """
        if not isinstance(outcome, Relation | AutomaticWord):
            return None
        word = isinstance(outcome, AutomaticWord)
        machine = outcome.machine if isinstance(outcome, AutomaticWord) else outcome.automaton
        if not machine.tracks:
            return None
        try:  # what is not drawn is not turned either
            automaton = draw(outcome).automaton if machine.states <= MOST_DRAWN_STATES else machine
        except BudgetSpent:
            return None
        self._count += 1
        self._kept[self._count] = outcome, automaton
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        drawn = drawing(automaton, word=word)
        return {
            "id": self._count, "title": relation_name(outcome), "word": word,
            "names": [track.name for track in automaton.tracks],
            "lsd": [lsd_first(track) for track in automaton.tracks],
            "states": automaton.states, "transitions": automaton.transitions,
            "drawing": drawn, "automaton": None if "reason" in drawn else arrays(automaton),
            "board": not word and len(automaton.tracks) == 2 and all(track.system for track in automaton.tracks),
            "members": not word,
        }

    def represent(self, id: int, values: list[str]) -> Json:  # noqa: A002  # as the page calls it
        """Return {"words": ...}, the digits of each value in the order in which the automaton reads them, as lists.

        values: numbers, or words of letters, as typed.
        """
        _, automaton = self._of(id)
        if len(values) != len(automaton.tracks):
            raise FibproverError(f"the automaton reads {len(automaton.tracks)} tracks")
        words = [self._word(track, str(value).strip()) for track, value in zip(automaton.tracks, values, strict=True)]
        length = max(map(len, words))
        padded = []
        for track, word in zip(automaton.tracks, words, strict=True):
            zeros = [0] * (length - len(word))
            if zeros and not track.system:
                raise FibproverError("words of letters, and what is read beside them, have one length")
            padded.append([*word, *zeros] if lsd_first(track) else [*zeros, *word])
        return {"words": padded}

    def _word(self, track: Track, value: str) -> list[int]:
        if not track.system:
            letters = {str(digit): digit for digit in track.digits}
            typed = [each.strip() for each in (value.split(",") if "," in value else value)]
            if not all(each in letters for each in typed):
                raise FibproverError(f"{track.name}: the letters are {', '.join(letters)}")
            return [letters[each] for each in typed]
        if not _NUMBER.fullmatch(value):
            raise FibproverError(f"{track.name}: type a number, of at most {MOST_DIGITS} digits")
        found = list(self.session.namespace.system(track.system).represent(int(value))) or [0]
        return found[::-1] if lsd_first(track) else found

    def members(self, id: int, first: int = 0, count: int = 20) -> Json:  # noqa: A002
        """Return {"names", "rows", "more"}: tuples of a relation from place `first` on; a cell has value and digits."""
        relation, _ = self._of(id)
        if not isinstance(relation, Relation):
            raise FibproverError("a word has letters, and no members")
        count = max(1, min(int(count), MOST_MEMBERS))
        if not 0 <= first <= MOST_LISTED:
            raise FibproverError(f"only the first {MOST_LISTED} members are listed here")
        found = list(islice(relation.tuples(), first, first + count + 1))
        rows = [[self._cell(track, each) for track, each in zip(relation.automaton.tracks, row, strict=True)]
                for row in found[:count]]
        return {"names": list(relation.names), "rows": rows, "more": len(found) > count}

    def _cell(self, track: Track, value: Any) -> list[str]:
        shown = shown_value(value)
        if not track.system or not isinstance(value, int):
            return [shown, ""]
        return [shown, shown_value(self.session.namespace.system(track.system).write(value) or (0,))]

    def board(self, id: int) -> Json:  # noqa: A002
        """Return {"html"}: the board of a set of pairs."""
        from fibprover.frontends.display.board import board, board_html

        relation, _ = self._of(id)
        return {"html": board_html(board(relation, size=SIDE, names=(relation_name(relation),)))}

    def _of(self, number: int) -> tuple[Relation | AutomaticWord, Dfa]:
        if number not in self._kept:
            raise FibproverError("this answer is forgotten", hint="run its cell again")
        return self._kept[number]


def relation_name(relation: Relation | AutomaticWord) -> str:
    """Return what drawings and boards call a relation, or a word."""
    text = relation.name if isinstance(relation, AutomaticWord) else relation.text
    return " ".join(text.split())[:60] or "relation"

