"""What the page asks about answers: their automata, which it draws and runs, members, boards, and why they hold."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.digit_order import lsd_first
from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.wording import plural
from fibprover.frontends.conversation.output import Json
from fibprover.frontends.display.drawing import draw
from fibprover.frontends.display.page.figures import MOST_DRAWN_STATES, arrays, drawing
from fibprover.language.source import Source, source_from
from fibprover.prover.bind import bind
from fibprover.prover.decide import around
from fibprover.prover.environment import Environment, Sort
from fibprover.prover.truth import TruthTree, asked_about, truth_tree
from fibprover.prover.verdict.relation import Relation, shown_tuple, shown_value
from fibprover.prover.verdict.tuples import Value
from fibprover.prover.verdict.verdict import Verdict
from fibprover.words.automatic import AutomaticWord
from fibprover.workspace.session import Session

#: The most outcomes that are kept for questions about them; the oldest are forgotten.
MOST_KEPT = 100

#: The most digits of a number that is run, and the most members in an answer.
MOST_DIGITS, MOST_MEMBERS = 1_000, 1_000

_NUMBER = re.compile(rf"[+-]?[0-9]{{1,{MOST_DIGITS}}}")

#: How many of the first members may be listed, page by page.
MOST_LISTED = 100_000

#: How many members are shown of a part of a formula.
FIRST = 8

#: CPU seconds in which the parts of a formula are decided; those that are not reached say so, also in a browser, which
#: has no other limit.
SECONDS = 5.0

#: The side of a board.
SIDE = 50


@dataclass(slots=True)
class _Answer:
    """An answer that the page may ask about.

    automaton: the one that is drawn, if there is one; environment: what names meant for the formula; source: the
    formula, if it has one that means something there; sorts: of its variables that may have values; parts: those of the
    formula, as they were shown last.
    """

    outcome: Relation | AutomaticWord | Verdict
    automaton: Dfa | None
    environment: Environment
    source: Source | None = None
    sorts: Mapping[str, Sort] = field(default_factory=dict)
    parts: tuple[TruthTree, ...] = ()


class Kept:
    """The outcomes that have an automaton or a formula, by numbers under which the page asks about them."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._kept: OrderedDict[int, _Answer] = OrderedDict()
        self._count = 0

    def shown(self, outcome: object) -> Json:
        """Return what the page may show of an outcome: its "figure", and "why" it holds; neither if it has none.

        why: the number for questions, and the names of the variables that may have values.
        """
        if not isinstance(outcome, Relation | AutomaticWord | Verdict):
            return {}
        environment = outcome.environment if isinstance(outcome, Verdict) else self.session.namespace.environment()
        try:
            answer = _Answer(outcome, None if isinstance(outcome, Verdict) else _drawn(outcome), environment)
            if not isinstance(outcome, AutomaticWord):
                answer.source, answer.sorts = _formula(outcome, environment)
        except BudgetSpent:
            return {}
        if answer.automaton is None and answer.source is None:
            return {}
        number, found = self._keep(answer), {}
        if answer.automaton is not None:
            found["figure"] = self._figure(number, answer)
        if answer.source is not None:
            found["why"] = {"id": number, "names": list(answer.sorts)}
        return found

    def _keep(self, answer: _Answer) -> int:
        """Keep an answer, and return its number."""
        self._count += 1
        self._kept[self._count] = answer
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return self._count

    def _figure(self, number: int, answer: _Answer) -> Json:
        """Return what the page needs to draw and run the automaton of an answer, which has one.

        id: for questions; title; names of the tracks, and whether they are read least significant digit first; word:
        whether outputs are letters; drawing, and the automaton's arrays in reading order (None for one that is not
        drawn), as in `fibprover.frontends.display.page.figures`; whether it has members and a board.
        """
        outcome, automaton = answer.outcome, answer.automaton
        assert not isinstance(outcome, Verdict) and automaton is not None
        word = isinstance(outcome, AutomaticWord)
        drawn = drawing(automaton, word=word)
        return {
            "id": number, "title": relation_name(outcome), "word": word,
            "names": [track.name for track in automaton.tracks],
            "lsd": [lsd_first(track) for track in automaton.tracks],
            "states": automaton.states, "transitions": automaton.transitions,
            "drawing": drawn, "automaton": None if "reason" in drawn else arrays(automaton),
            "board": not word and len(automaton.tracks) == 2 and all(track.system for track in automaton.tracks),
            "members": not word,
        }

    def why(self, id: int, values: dict[str, str] | None = None) -> Json:  # noqa: A002  # as the page calls it
        """Return the truth of a formula and of its parts, at values as typed: {"text", "verdict", "truth", "number",
        "parts"}, where the number of a part is that for questions about it.
        """
        answer = self._of(id)
        if answer.source is None:
            raise FibproverError("this answer has no formula")
        chosen = {name: self._value(name, str(typed).strip(), answer.sorts.get(name))
                  for name, typed in (values or {}).items() if str(typed).strip()}
        options = replace(self.session.options, limits=self.session.options.limits.within(SECONDS))
        tree = truth_tree(answer.source, chosen, answer.environment, self.session.cache, options)
        if isinstance(tree.outcome, Relation) and tree.outcome != answer.outcome:
            raise FibproverError(
                "names in the formula of this answer have other meanings in this session",
                hint="evaluate the formula again",
            )
        found: list[TruthTree] = []
        shown = _tree_json(tree, found)
        answer.parts = tuple(found)
        return shown

    def _value(self, name: str, typed: str, sort: Sort | None) -> Value:
        """Return what was typed for a variable: a number, or a word over its alphabet, first letter first."""
        if sort is None or sort.system:
            return _number(name, typed)
        return tuple(_letters(sort.track(name), typed))

    def part(self, id: int, number: int) -> Json:  # noqa: A002
        """Return what is known of a part of a formula: {"text"}, and its "figure", if it has one."""
        parts = self._of(id).parts
        if not 0 <= number < len(parts):
            raise FibproverError("these parts are forgotten", hint="ask for them again")
        outcome = parts[number].outcome
        if outcome is None:
            return {"text": parts[number].verdict}
        seconds = f"{outcome.trace.seconds:.3f} s" if outcome.trace is not None else ""
        if isinstance(outcome, Verdict):
            return {"text": f"{outcome}, {seconds}"}
        part = _Answer(outcome, _drawn(outcome), self._of(id).environment)
        found = {"figure": self._figure(self._keep(part), part)} if part.automaton is not None else {}
        first = list(islice(outcome.tuples(), FIRST + 1))
        members = ", ".join(map(shown_tuple, first[:FIRST])) + ", ..." * (len(first) > FIRST)
        return {"text": f"{plural(outcome.states, 'state')}, {seconds}; first members: {members or 'none'}", **found}

    def represent(self, id: int, values: list[str]) -> Json:  # noqa: A002  # as the page calls it
        """Return {"words": ...}, the digits of each value in the order in which the automaton reads them, as lists.

        values: numbers, or words of letters, as typed.
        """
        automaton = self._of(id).automaton
        if automaton is None:
            raise FibproverError("this answer has no automaton")
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
            return _letters(track, value)
        found = list(self.session.namespace.system(track.system).represent(_number(track.name, value))) or [0]
        return found[::-1] if lsd_first(track) else found

    def members(self, id: int, first: int = 0, count: int = 20) -> Json:  # noqa: A002
        """Return {"names", "rows", "more"}: tuples of a relation from place `first` on; a cell has value and digits."""
        relation = self._of(id).outcome
        if not isinstance(relation, Relation):
            raise FibproverError("this answer has no members")
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

        relation = self._of(id).outcome
        if not isinstance(relation, Relation):
            raise FibproverError("this answer has no board")
        return {"html": board_html(board(relation, size=SIDE, names=(relation_name(relation),)))}

    def _of(self, number: int) -> _Answer:
        if number not in self._kept:
            raise FibproverError("this answer is forgotten", hint="run its cell again")
        return self._kept[number]


def _drawn(outcome: Relation | AutomaticWord) -> Dfa | None:
    """Return the automaton of an outcome, in reading order if it is drawn; None if it has no tracks."""
    machine = outcome.machine if isinstance(outcome, AutomaticWord) else outcome.automaton
    if not machine.tracks:
        return None
    return draw(outcome).automaton if machine.states <= MOST_DRAWN_STATES else machine  # no other is turned


def _formula(
    outcome: Relation | Verdict, environment: Environment
) -> tuple[Source | None, Mapping[str, Sort]]:
    """Return the formula of an outcome, and the sorts of its variables that may have values.

    None if it has no formula, or one with names that mean nothing in the environment, as those of another session.
    """
    try:
        if isinstance(outcome, Verdict):
            source: Source | None = outcome.source
        else:
            source = source_from(outcome.origin_over(environment.default_system))
        if source is None:
            return None, {}
        bound = bind(source, around(source, environment))
    except BudgetSpent:
        raise
    except FibproverError:
        return None, {}
    sorts = {name: bound.sorts[name] for name in bound.free}
    for identity, name in bound.names.items():  # a quantifier before those within it
        sorts.setdefault(name, bound.sorts[identity])
    return source, {name: sorts[name] for name in asked_about(source, bound.free)}


def _letters(track: Track, typed: str) -> list[int]:
    """Return the letters of a word that was typed for a track: digits, or numbers with commas."""
    letters = {str(digit): digit for digit in track.digits}
    pieces = [each.strip() for each in (typed.split(",") if "," in typed else typed)]
    if not all(each in letters for each in pieces):
        raise FibproverError(f"{track.name}: the letters are {', '.join(letters)}")
    return [letters[each] for each in pieces]


def _number(name: str, typed: str) -> int:
    """Return a number that was typed for a name."""
    if not _NUMBER.fullmatch(typed.strip()):
        raise FibproverError(f"{name}: type a number, of at most {MOST_DIGITS} digits")
    return int(typed)


def _tree_json(tree: TruthTree, found: list[TruthTree]) -> Json:
    """Return a tree for the page; found: takes its parts, in the order of their numbers."""
    found.append(tree)
    number = len(found) - 1
    parts = [_tree_json(part, found) for part in tree.parts]
    return {
        "text": tree.text, "verdict": tree.verdict, "truth": tree.truth, "number": number, "parts": parts,
    }


def relation_name(relation: Relation | AutomaticWord) -> str:
    """Return what drawings and boards call a relation, or a word."""
    text = relation.name if isinstance(relation, AutomaticWord) else relation.text
    return " ".join(text.split())[:60] or "relation"

