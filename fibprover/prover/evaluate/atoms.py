"""The automata of atoms: linear constraints, letters of words, defined predicates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.digit_order import match_order
from fibprover.automata.turned import relation_backward, turned
from fibprover.base.limits import Budget
from fibprover.base.names import PARAMETER, is_family, is_parameter
from fibprover.base.values import value
from fibprover.numeration.parameters import beginnings
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.environment import Definition, Sort, sort_of
from fibprover.prover.logic import Linear, PredicateAtom, WordLetter, WordPair
from fibprover.prover.lower import RELATIONS
from fibprover.prover.plan.steps import Atom, Range
from fibprover.words.automatic import AutomaticWord, automatic_word


@value
class Atoms:
    """Builds the relations of atoms over the variables they mention, canonical and closed.

    raw: whether a raw predicate is closed under leading zeros but not restricted to valid words; the
    caller then restricts it before this matters.
    """

    system: Callable[[str], NumerationSystem]
    sorts: Mapping[str, Sort]
    budget: Budget
    raw: bool = False

    def valid(self, name: str) -> Dfa:
        """Return all values of one variable."""
        sort = self.sorts[name]
        if not sort.system:
            return universal([sort.track(name)])
        if is_parameter(sort.system):
            return beginnings(sort.track(name))
        return self.system(sort.system).values(name)

    def all_valid(self, names: Sequence[str]) -> Dfa:
        """Return all values of several variables."""
        return operations.cylinder(operations.true(), [self.valid(name) for name in names], self.budget)

    def cylindrify(self, automaton: Dfa, names: Sequence[str]) -> Dfa:
        """Return the automaton with the missing variables among `names` added, free."""
        missing = [self.valid(name) for name in names if name not in automaton.names]
        return operations.cylinder(automaton, missing, self.budget) if missing else automaton

    def atom(self, atom: Atom) -> Dfa:
        """Return the relation of an atom; its tracks are the atom's variables in some order."""
        match atom:
            case Linear():
                found = self.system(atom.system).linear(
                    atom.coefficients, atom.relation, atom.constant, self.budget
                )
                return found.renamed((*atom.variables, PARAMETER) if is_family(atom.system) else atom.variables)
            case Range():
                system = self.system(atom.system)
                found = system.between(atom.coefficients, atom.least, atom.most, self.budget)
                return found.renamed(atom.variables)
            case WordLetter():
                raw = self.word(atom.word, atom.variables).where(atom.letters, self.budget)
                return self.relation(raw, atom.variables)
            case WordPair():
                left = _placed("l", atom.left_variables)
                right = _placed("r", atom.right_variables)
                first = self.word(atom.left, atom.left_variables).renamed(left)
                second = self.word(atom.right, atom.right_variables).renamed(right)
                raw = first.pairs_where(second, RELATIONS[atom.relation], self.budget)
                places = dict(zip((*left, *right), (*atom.left_variables, *atom.right_variables), strict=True))
                if PARAMETER in places:
                    places[PARAMETER] = places.pop(PARAMETER)  # both words have it, and it is the last track
                raw = kernel_calls.reorder(raw, list(places), self.budget)
                return self.relation(raw, tuple(places.values()))
            case PredicateAtom():
                return self.predicate(atom.definition, atom.variables)

    def word(self, word: AutomaticWord, names: Sequence[str]) -> AutomaticWord:
        """Return a word indexed by variables; indices that are numbers are read without leading zeros."""
        sorts = [self.sorts[name] for name in names]
        if all(sort == sort_of(track) for sort, track in zip(sorts, word.tracks, strict=True)):
            return word
        tracks = tuple(sort.track(f"#{i}") for i, sort in enumerate(sorts))
        machine = match_order(word.machine, tracks, self.budget, word=True)
        return automatic_word(word.name, recoded(machine, tracks), self.budget)

    def predicate(self, definition: Definition, names: tuple[str, ...]) -> Dfa:
        """Return a definition over variables, which may repeat."""
        automaton = definition.automaton
        sorts = [self.sorts[name] for name in names]
        if not definition.raw and all(
            own == sort or own.same_numbers(sort) for own, sort in zip(definition.sorts, sorts, strict=True)
        ):
            tracks = zip(automaton.tracks, sorts, strict=True)
            return self.identified(automaton.with_tracks(tuple(sort.track(own.name) for own, sort in tracks)), names)
        return self.relation(automaton, names, cut=not (self.raw and definition.raw))

    def relation(self, raw: Dfa, names: tuple[str, ...], *, cut: bool = True) -> Dfa:
        """Return a raw language as a relation over variables, with their sorts in this formula.

        cut: whether words that are no numbers are removed.
        """
        # Padded, so that the order of the names is that of the tracks and the result stays canonical.
        fresh = _placed("#", names)
        tracks = tuple(self.sorts[name].track(new) for name, new in zip(names, fresh, strict=True))
        placed = recoded(match_order(raw, tracks, self.budget), tracks)
        valid = [self.numbers(track) if track.system and cut else universal([track]) for track in tracks]
        if placed.backward is not None:
            return self.identified(turned(tracks, relation_backward(placed.backward, valid, self.budget)), names)
        relation = operations.as_relation(placed, valid, self.budget)
        return self.identified(kernel_calls.reorder(relation, fresh, self.budget), names)

    def numbers(self, track: Track) -> Dfa:
        """Return all values on a track that holds numbers, or a parameter."""
        return beginnings(track) if is_parameter(track.system) else self.system(track.system).values(track.name)

    def identified(self, automaton: Dfa, names: tuple[str, ...]) -> Dfa:
        """Return the automaton with its tracks renamed in order; tracks of equal name become one track."""
        if len(set(names)) == len(names):
            return automaton.renamed(names)
        numbers = count()
        fresh = [name if names.index(name) == i else f"#{next(numbers)}" for i, name in enumerate(names)]
        result = automaton.renamed(fresh)
        doubles = [new for new, name in zip(fresh, names, strict=True) if new != name]
        for new, name in zip(fresh, names, strict=True):
            if new != name:
                digits = self.sorts[name].digits
                equal = build(
                    (self.sorts[name].track(name), self.sorts[name].track(new)),
                    [{i * len(digits) + i: 0 for i in range(len(digits))}], [1],
                )
                result = kernel_calls.join(result, equal, self.budget)
        return operations.exists(result, doubles, self.budget)


def _placed(letter: str, names: Sequence[str]) -> list[str]:
    """Return names for tracks in order; that of a parameter stays, since the numbers on other tracks depend on it."""
    return [PARAMETER if name == PARAMETER else f"{letter}{i:03d}" for i, name in enumerate(names)]


def universal(tracks: Sequence[Track]) -> Dfa:
    """Return all words over plain alphabets."""
    letters = 1
    for track in tracks:
        letters *= len(track.digits)
    return build(tracks, [dict.fromkeys(range(letters), 0)], [1])


def recoded(automaton: Dfa, tracks: tuple[Track, ...]) -> Dfa:
    """Return the same language over tracks whose alphabets contain the old ones."""
    if tuple(track.digits for track in automaton.tracks) == tuple(track.digits for track in tracks):
        return automaton.with_tracks(tracks)
    codes: dict[int, int] = {}
    rows = []
    for state in range(automaton.states):
        row = {}
        for code, target in automaton.row(state):
            if code not in codes:
                codes[code] = _code(automaton.letter(code), tracks)
            row[codes[code]] = target
        rows.append(row)
    return build(tracks, rows, automaton.outputs)


def _code(letter: tuple[int, ...], tracks: tuple[Track, ...]) -> int:
    code = 0
    for digit, track in zip(letter, tracks, strict=True):
        code = code * len(track.digits) + track.digits.index(digit)
    return code
