"""Decide whether a set of positions is that of the P-positions of an invariant game, and find its rules.

Three questions, in this order: on a board, whether the largest set of moves misses a position, which refutes; whether
a few lines, diagonals, wedges and single moves suffice, which `games.proof` proves; whether the largest set of moves,
as an automaton, absorbs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np

from fibprover.automata.digit_order import lsd_first
from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import Budget, Limits, check_limits, spending
from fibprover.base.values import RichlyDisplayed, value
from fibprover.games.catalogue import as_game
from fibprover.games.formulas import NEVER, rule_automaton
from fibprover.games.proof import ORDERS, Proof, move_pieces, prove_positions, session_for
from fibprover.games.rules import VARIABLES, VECTORS, Game, Given
from fibprover.games.theorem import Theorem, discover
from fibprover.invention.differences import Board, board_of, difference, first_of
from fibprover.invention.parts import Part
from fibprover.invention.thinning import endless_rules, thin_rules
from fibprover.language.builder import call, exists, forall, total
from fibprover.language.tree import Formula, Variable, conjunction, disjunction
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.verdict.relation import Relation

#: A position.
Place: TypeAlias = tuple[int, ...]

#: The boards on which rules are looked for, by the number of piles.
BOUNDS = {2: (64, 256), 3: (24, 48)}

#: Seconds for everything unless limits are given, and of these for the automaton of all moves beside thin rules.
SECONDS, MOVES_SECONDS = 60.0, 5.0

#: A proof for few rules may take so many seconds.
PROOF_SECONDS = 30.0

#: Vectors lead to the least of the set's positions with piles below the first number, to at most so many.
NEAR, MOST_TARGETS = 24, 12

#: Of a set without an invariant game, the positions with at most so many counters are tried as terminal ones.
MOST_TERMINAL = 24

#: So many of them at most, unless they are all with so many counters.
MOST_ENDS = 24


@value
class Unreached:
    """The least position outside the set from which no vector that could be a move leads into it.

    options: for each position of the set that is no greater, this position, and two of the set with this difference.
    """

    position: Place
    options: tuple[tuple[Place, Place, Place], ...]
    claim: Formula


@dataclass(frozen=True, eq=False, repr=False)
class Invention(RichlyDisplayed):
    """The outcome of a search for an invariant game with given P-positions; true if there is one.

    Fields:

    - status: "invariant" (there is one), "none" (there is none) or "undecided"
    - positions: the set
    - moves: the largest set of moves, None if its automaton is too large
    - rules, vectors: lines and single moves, and further moves, None if there are none; without rules and vectors all
      moves are taken
    - game, proof: of rules that suffice without vectors
    - unreached: why there is no invariant game
    - nearest: an invariant game in which play ends at some positions
    - bound: of the board

    >>> found = fp.invent("terminal(2)")
    >>> found.status, found.unreached.position, found.nearest.terminal
    ('none', (1, 2), 'a+b<=2')
    """

    status: str
    positions: Relation
    system: NumerationSystem
    symmetric: bool
    terminal: str
    moves: Relation | None
    rules: tuple[Part, ...]
    vectors: Relation | None
    game: Game | None
    proof: Proof | None
    unreached: Unreached | None
    nearest: Invention | None
    bound: int
    seconds: float

    def __bool__(self) -> bool:
        return self.status == "invariant"

    @property
    def piles(self) -> int:
        """The number of piles."""
        return len(self.positions.names)

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as an object of JSON; see docs/cli.md."""
        from fibprover.invention.text import as_json

        return as_json(self)

    def __str__(self) -> str:
        from fibprover.invention.text import text_of

        return text_of(self)

    def __repr__(self) -> str:
        return f"Invention({self.status}, {self.positions.states} states in {self.system.name})"


def invent(
    positions: Relation | Theorem | Game | str, *, terminal: Given = "", limits: Limits | None = None,
) -> Invention:
    """Find an invariant game whose P-positions are a set, with few rules, or prove that there is none.

    A game is invariant if a move takes a vector, such as (i,j) counters, from whatever position has as many.

    Parameters:

    - positions: a relation of two or three numbers of one system; or a game, or its theorem, for its P-positions
    - terminal: a formula in a,b (a,b,c) of the set's positions at which play ends, whatever moves there are
    - limits: of everything (by default a minute)

    Returns: an Invention.

    Errors: FibproverError for a set that is no such relation, or does not contain the terminal positions; BudgetSpent
    if the limits do not suffice for the first board.

    >>> found = fp.invent("wythoff()")
    >>> found.status, [str(part) for part in found.rules], found.moves.first(3)
    ('invariant', ['n from one pile', 'n from both piles'], [(0, 1), (1, 0), (1, 1)])
    """
    limits = Limits(cpu_seconds=SECONDS) if limits is None else limits
    check_limits(limits)
    budget = limits.start()
    with spending(budget):
        relation = _relation_of(positions, budget)
        search = _Search(relation, terminal, budget)
        found = search.outcome()
        if found.status == "none" and not terminal:
            return replace(found, nearest=search.nearest(), seconds=perf_counter() - search.begun)
        return found


def _relation_of(positions: object, budget: Budget) -> Relation:
    """Return the set that is given, a relation or the P-positions of a game."""
    if isinstance(positions, Relation):
        return positions
    if isinstance(positions, Theorem):
        return positions.relation
    theorem = discover(as_game(positions), limits=budget.remaining(), with_findings=False)
    if not theorem:
        raise FibproverError(
            f"the P-positions of {theorem.game} are not known: {theorem.status}", hint="give them as a relation"
        )
    return theorem.relation


def _system_of(positions: Relation) -> NumerationSystem:
    """Return the system of the numbers of a set; FibproverError unless it is of pairs or triples of one system."""
    systems = {track.system for track in positions.automaton.tracks}
    names = ", ".join(positions.names)
    if len(positions.names) not in VARIABLES:
        raise FibproverError(
            f"positions are pairs or triples of numbers, but the set is about {len(positions.names)}: ({names})"
        )
    if len(systems) != 1 or "" in systems:
        raise FibproverError(f"positions are numbers of one numeration system, unlike ({names})")
    system = positions.system(systems.pop())
    if system.signed or any(map(lsd_first, positions.automaton.tracks)):
        raise FibproverError(
            f"positions are natural numbers, most significant digit first, but the set is in {system.name}"
        )
    return system


class _Search:
    """The search for one set: its session, in which P is the set and `live` its positions that are not terminal."""

    def __init__(self, positions: Relation, terminal: Given, budget: Budget) -> None:
        self.begun = perf_counter()
        self.budget = budget
        self.system = _system_of(positions)
        self.positions = positions
        names = VARIABLES[len(positions.names)]
        self.piles = len(names.source)
        self.source, self.target, self.vector = (
            tuple(map(Variable, each)) for each in (names.source, names.target, names.vector)
        )
        self.automaton = positions.automaton.renamed(names.source)
        self.session = session_for(self.automaton, self.system, budget.remaining())
        self.symmetric = self._is_symmetric()
        #: A game whose rules are not known yet, for the terminal positions.
        self.frame = self._game(NEVER, terminal)
        ends = rule_automaton(self.session, self.frame.terminal_source, names.source, budget.remaining())
        self.session.define("T", Relation(ends, self.session.namespace.system, "terminal positions"))
        self.session.define("live", call("P", *self.source) & ~call("T", *self.source))
        if not self.session.prove(forall(*self.source, call("T", *self.source) >> call("P", *self.source))):
            raise FibproverError("a terminal position is not in the set", hint="terminal positions are P-positions")

    def _game(self, moves: Formula, terminal: Given = "") -> Game:
        return Game("", VECTORS, moves, terminal, piles=self.piles)

    def _is_symmetric(self) -> bool:
        a, b, *c = self.source
        swapped = [(b, a)] if self.piles == 2 else [(b, a, *c), (a, *c, b)]
        inside = call("P", *self.source)
        return all(self.session.prove(forall(*self.source, inside.iff(call("P", *each)))) for each in swapped)

    def outcome(self) -> Invention:
        """Return the outcome: refuted on a board, proved for few rules, or decided for the largest set of moves."""
        first, last = BOUNDS[self.piles]
        for bound in (first, last):
            try:
                board = board_of(self.session, self.piles, bound, self.budget)
                place = first_of(np.argwhere(board.unreached))
                if place is not None:
                    return self._made("none", bound, unreached=self._unreached(place))
            except BudgetSpent:
                if bound == first:
                    raise
                return self._made("undecided", first)
        return self._thin(board) or self._mixed(board)

    def _thin(self, board: Board) -> Invention | None:
        """Return a game with few rules that is proved; None if there is none on a board, or it is not proved."""
        try:
            rules = thin_rules(board, self.budget, symmetric=self.symmetric)
            if not rules:
                return None
            game = self._game(disjunction(part.formula for part in rules), self.frame.terminal)
            limits = self.budget.within(PROOF_SECONDS).remaining()
            proof = prove_positions(game, self.automaton, self.system, limits)
        except BudgetSpent:
            return None
        if not proof:
            return None
        moves = self._moves(MOVES_SECONDS)
        return self._made("invariant", board.bound, moves=moves, rules=rules, game=game, proof=proof)

    def _moves(self, seconds: float | None = None) -> Relation | None:
        """Return the largest set of moves; None if its automaton takes more than so many seconds."""
        limits = self.budget.remaining() if seconds is None else self.budget.within(seconds).remaining()
        nonzero = disjunction(x > 0 for x in self.vector)
        try:
            found = self.session.relation(nonzero & ~difference(self.piles, *self.vector), limits=limits)
        except BudgetSpent:
            return None
        return found

    def _mixed(self, board: Board) -> Invention:
        """Decide by lines, and by vectors from the positions that these do not reach; at last by all moves."""
        try:
            moves = self._moves(MOVES_SECONDS)
            if moves is not None:
                self.session.define("legal", moves)
            parts = tuple(
                part for part in endless_rules(board, self.budget, symmetric=self.symmetric) if self._is_legal(part)
            )
            self._define("rest", ~call("P", *self.source))
            for kind in (piece for part in parts for piece in self._pieces_of(part)):
                self._leave(kind & call("P", *self.target))
            vectors = self._vectors(known=moves is not None)
            if self._nothing_rests():
                smaller = moves is None or vectors is None or vectors.states < moves.states
                shown = (parts, vectors) if smaller else ((), None)
                return self._made("invariant", board.bound, moves=moves, rules=shown[0], vectors=shown[1])
            moves = self._moves() if moves is None else moves
            if moves is None:
                return self._made("undecided", board.bound)
            self.session.define("legal", moves)
            taken = tuple(x - y for x, y in zip(self.source, self.target, strict=True))
            below = conjunction(y <= x for x, y in zip(self.source, self.target, strict=True))
            for order in _orders(self.source, self.target):
                self._leave(order & below & call("P", *self.target) & call("legal", *taken))
            if self._nothing_rests():
                return self._made("invariant", board.bound, moves=moves)
            place = self._least_of_rest()
            return self._made("none", board.bound, moves=moves, unreached=self._unreached(place))
        except BudgetSpent:
            return self._made("undecided", board.bound)

    def _is_legal(self, part: Part) -> bool:
        """Return whether no vector of a part but the zero vector is a difference."""
        nonzero = disjunction(x > 0 for x in self.vector)
        claim = ~exists(*self.vector, nonzero & part.formula & difference(self.piles, *self.vector))
        return bool(self.session.prove(claim, limits=self.budget.remaining()))

    def _pieces_of(self, part: Part) -> list[Formula]:
        game = self._game(part.formula)
        return [piece.formula for piece in sorted(move_pieces(game), key=lambda piece: piece.rank)]

    def _define(self, name: str, formula: Formula) -> Relation:
        found = self.session.relation(formula, limits=self.budget.remaining())
        self.session.define(name, found)
        return found

    def _leave(self, into: Formula) -> None:
        """Take from the set `rest` the positions that have an option; into: which options lead into P."""
        # What rests guards the projection: positions that an earlier piece explains do not matter.
        self._define("rest", call("rest", *self.source) & ~exists(*self.target, into))

    def _nothing_rests(self) -> bool:
        return not self.session.prove(exists(*self.source, call("rest", *self.source)), limits=self.budget.remaining())

    def _vectors(self, *, known: bool) -> Relation | None:
        """Return vectors that lead from positions that rest to one of the least of P; None if there are none.

        known: whether all vectors that can be moves are known as `legal`.
        """
        legal = call("legal", *self.vector) if known else ~difference(self.piles, *self.vector)
        found: Relation | None = None
        near = conjunction([call("P", *self.source), *(x < NEAR for x in self.source)])
        places = self.session.relation(near, limits=self.budget.remaining()).to_numpy()
        order = np.lexsort([*places.T[::-1], places.sum(axis=1)])
        for place in places[order][:MOST_TARGETS].tolist():
            if self._nothing_rests():
                break
            above = tuple(v + x for v, x in zip(self.vector, place, strict=True))
            some = self._define("some", call("rest", *above) & legal)
            found = some if found is None else found | some
            here = conjunction((v + x).eq(p) for v, x, p in zip(self.vector, place, self.source, strict=True))
            self._define("rest", call("rest", *self.source) & ~exists(*self.vector, here & call("some", *self.vector)))
        return found

    def _least_of_rest(self) -> Place:
        """Return the least position of the set `rest`, which is not empty."""
        most = Variable("m")
        below = conjunction([call("rest", *self.source), *(x <= most for x in self.source)])
        (bound,) = self.session.relation(exists(*self.source, below), limits=self.budget.remaining()).values(1)
        places = self.session.relation(below.substitute({"m": bound}), limits=self.budget.remaining()).to_numpy()
        found = first_of(places)
        assert found is not None
        return found

    def _unreached(self, place: Place) -> Unreached:
        """Return why no move leads from a position outside the set into it, proved."""
        here = conjunction((v + y).eq(x) for v, y, x in zip(self.vector, self.target, place, strict=True))
        into = call("P", *self.target) & here
        claim = ~call("P", *place) & forall(*self.target, *self.vector, into >> difference(self.piles, *self.vector))
        if not self.session.prove(claim, limits=self.budget.remaining()):
            raise AssertionError(f"a vector that is no difference leads from {place} into the set")
        options: list[tuple[Place, Place, Place]] = []
        names = sorted(each.name for each in (*self.target, *self.vector))
        for found in self.session.relation(into, limits=self.budget.remaining()).to_numpy().tolist():
            values: dict[str, int] = dict(zip(names, found, strict=True))
            target, taken = (tuple(values[each.name] for each in part) for part in (self.target, self.vector))
            pairs = call("P", *self.source) & call("live", *(x + v for x, v in zip(self.source, taken, strict=True)))
            low = self.session.relation(pairs, limits=self.budget.remaining()).first(1)[0]
            options.append((target, low, tuple(x + v for x, v in zip(low, taken, strict=True))))
        return Unreached(place, tuple(sorted(options)), claim)

    def nearest(self) -> Invention | None:
        """Return an invariant game in which play ends at the set's positions with few counters, the fewest that do."""
        tried: set[tuple[Place, ...]] = {()}
        few = call("P", *self.source) & (total(self.source) <= MOST_TERMINAL)
        places = self.session.relation(few, limits=self.budget.remaining()).first(MOST_TERMINAL**self.piles)
        for most in range(MOST_TERMINAL + 1):
            ends = tuple(sorted(place for place in places if sum(place) <= most))
            if ends in tried or (len(ends) > MOST_ENDS and len(ends) < comb(most + self.piles, self.piles)):
                continue
            tried.add(ends)
            try:
                search = _Search(self.positions, self._terminal(ends, most), self.budget)
                board = board_of(search.session, self.piles, BOUNDS[self.piles][0], self.budget)
                if board.unreached.any():
                    continue
                found = search.outcome()
            except BudgetSpent:
                return None
            if found:
                return found
        return None

    def _terminal(self, ends: Sequence[Place], most: int) -> Formula:
        """Return a formula of some terminal positions, all with so many counters if these are in the set."""
        names = tuple(map(Variable, VARIABLES[self.piles].position))
        if len(ends) == comb(most + self.piles, self.piles):
            return total(names) <= most
        return disjunction(
            conjunction(name.eq(x) for name, x in zip(names, place, strict=True)) for place in ends
        )

    def _made(
        self, status: str, bound: int, *, moves: Relation | None = None, rules: tuple[Part, ...] = (),
        vectors: Relation | None = None, game: Game | None = None, proof: Proof | None = None,
        unreached: Unreached | None = None,
    ) -> Invention:
        return Invention(
            status, self.positions, self.system, self.symmetric, self.frame.terminal, moves, rules, vectors, game,
            proof, unreached, None, bound, perf_counter() - self.begun,
        )


def _orders(source: Sequence[Variable], target: Sequence[Variable]) -> tuple[Formula, ...]:
    """Return formulas of which each option satisfies one, for smaller automata: by the order of piles and of what is
    taken.
    """
    if len(source) == 3:
        return ORDERS
    (p, q), (r, s) = source, target
    return (
        (p + s <= q + r) & (r <= s), (p + s > q + r) & (r > s), (p + s <= q + r) & (r > s), (p + s > q + r) & (r <= s)
    )
