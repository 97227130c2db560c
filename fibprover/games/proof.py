"""Decide whether a set is the set of P-positions of a game, or of the positions of another Sprague-Grundy value.

A position is a P-position if it is terminal or if at most `blocked` of its options are P-positions, and moves lead to
smaller sums; therefore exactly one set satisfies this at every position.  Whether the set of an automaton does is
decided in three parts, named as by Renard & Rigo: terminal positions are in the set; the set is *stable*, no position
of it that is not terminal has more than `blocked` options in it; and it is *absorbing*, every other position has more.

The positions of value g are the P-positions of the game without those of smaller values: a position whose value is not
below g has value g if none of its options has.  So the set has to be disjoint from those of smaller values, and stable,
and absorbing for all other positions outside these.  In misere play the positions at which play has ended are outside
in the same way: the set has to be disjoint from them, and absorbing for all others.  With a pass, so are the
P-positions of the game without it; but in normal play the positions at which play has ended are in the set.

Options in the set are considered kind of move by kind of move (`Game.kinds`): the automata of single kinds are small,
those of all moves together need not be.  With blocking, the counts of the kinds are added, capped at `blocked` + 1: the
options of all kinds together in W^8 would be counted by an automaton of 28,764 states, while those of the kinds have
360 and their sum has 1,404.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa
from fibprover.automata.language import shortest
from fibprover.base.errors import FibproverError
from fibprover.base.limits import Budget, Limits
from fibprover.base.values import value
from fibprover.games.formulas import rule_automaton
from fibprover.games.polyhedra import to_formula
from fibprover.games.rules import Game
from fibprover.language.builder import call, exists, forall, variables
from fibprover.language.tree import Formula, Variable
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.session import Session


@value
class ProofPart:
    """One part of a proof.

    failure: a position at which the statement fails; states: of the largest automaton that decided it.
    """

    name: str
    statement: str
    holds: bool
    failure: tuple[int, ...] | None
    seconds: float
    states: int


@value
class Proof:
    """The parts of a proof that a set is the set of P-positions; true if all of them hold."""

    parts: tuple[ProofPart, ...]

    def __bool__(self) -> bool:
        """Return whether everything was proved."""
        return all(part.holds for part in self.parts)

    @property
    def failure(self) -> tuple[int, ...] | None:
        """A position at which a statement fails.

        The set differs from the P-positions at some position whose measure (its sum, or `by`) is no greater.
        """
        failures = [part.failure for part in self.parts if part.failure is not None]
        return min(failures, key=sum, default=None)

    @property
    def states(self) -> int:
        """The states of the largest automaton of all parts."""
        return max(part.states for part in self.parts)

    @property
    def seconds(self) -> float:
        """The time that the proof took."""
        return sum(part.seconds for part in self.parts)


def session_for(candidate: Dfa, system: NumerationSystem, limits: Limits | None = None) -> Session:
    """Return a session in the numeration system in which P is the candidate set, a relation of numbers.

    Raises FibproverError for a system that does not verify, or whose name belongs to another built-in system.
    """
    session = Session(limits=limits)
    system = session.namespace.add_system(system)
    session.namespace.default_system = system.name
    candidate = candidate.with_tracks(tuple(system.track(name) for name in candidate.names))
    session.define("P", Relation(candidate, session.namespace.system, "P"))
    return session


def prove_positions(
    game: Game, candidate: Dfa, system: NumerationSystem, limits: Limits | None = None, smaller: Sequence[Dfa] = ()
) -> Proof:
    """Decide whether the candidate (a canonical automaton, one track a pile) is the set of P-positions of the game.

    smaller: the positions of Sprague-Grundy values 0, ..., g-1; then decide whether it is that of value g.  Of a game
    with a pass it has to be the P-positions of the game without it.  limits: of
    the whole proof.  Raises BudgetSpent if they do not suffice, which says nothing about the candidate; FibproverError
    for a candidate that is not a set of positions in the system.
    """
    if game.passes and len(smaller) != 1:
        raise FibproverError("a proof about a game with a pass needs the P-positions of the game without it")
    if [track._replace(name="") for track in candidate.tracks] != [system.track("")] * game.piles:
        many = "pairs" if game.piles == 2 else "triples"
        raise FibproverError(f"P-positions are {many} of numbers of {system.name}, but the candidate is {candidate!r}")
    tuples = candidate.renamed(game.variables.source)
    words = [system.valid.renamed([name]) for name in tuples.names]
    if operations.as_relation(tuples, words) != tuples:
        # Whether such an automaton accepts a position would depend on how the position is written.
        raise FibproverError(
            f"the candidate is not a canonical automaton of tuples of numbers: {candidate!r}",
            hint="as_relation of fibprover.automata.operations makes one",
        )
    return _Prover(game, candidate, system, limits or Limits(), smaller).proof()


class _Prover:
    """The automata of one proof: the candidate, the positions other than those of smaller values, and the terminal
    positions.
    """

    def __init__(
        self, game: Game, candidate: Dfa, system: NumerationSystem, limits: Limits, smaller: Sequence[Dfa]
    ) -> None:
        self.game = game
        self.budget = limits.start()
        self.session = session_for(candidate, system, limits)
        system = self.session.namespace.system(system.name)
        self.source = tuple(map(Variable, game.variables.source))
        self.target = tuple(map(Variable, game.variables.target))
        tracks = tuple(map(system.track, game.variables.source))
        self.inside = candidate.with_tracks(tracks)
        words = [system.valid.renamed([name]) for name in game.variables.source]
        self.everything = operations.cartesian_product(words, self.budget)
        self.value = 0 if game.passes else len(smaller)
        #: The positions that are in the set regardless of their options.
        self.terminal = self._terminal()
        excluded = [each.with_tracks(tracks) for each in smaller]
        if game.misere:
            excluded.append(self._positions(game.ended))
        for known in excluded:
            left = operations.difference(known, self.terminal, self.budget) if game.passes else known
            self.everything = operations.difference(self.everything, left, self.budget)

    def _terminal(self) -> Dfa:
        game = self.game
        if game.misere or self.value or not (game.terminal or game.passes):
            return operations.empty(self.everything.tracks)
        return self._positions(game.ended if game.passes else game.terminal_source)

    def _positions(self, formula: Formula) -> Dfa:
        """Return the positions (p,q), or (p,q,r), that satisfy a formula."""
        return rule_automaton(self.session, formula, self.game.variables.source, self.budget.remaining())

    def proof(self) -> Proof:
        """Return the proof, with its parts up to the first failure."""
        parts = []
        if not self.value and not self.game.misere:
            statement = "positions at which play has ended" if self.game.passes else "terminal positions"
            parts.append(self._inclusion("terminal", self.terminal, self.inside, f"{statement} are in the set"))
        if self.value or self.game.misere or self.game.passes:
            parts.append(self._inclusion("disjoint", self.inside, self.everything, self._disjoint()))
        parts += self._counted() if self.game.blocked else self._plain()
        return Proof(tuple(parts))

    def _disjoint(self) -> str:
        """Return the sets from which the candidate has to be disjoint, as a statement."""
        if self.value:
            return "no position of the set has a smaller value"
        none = ["play ends at none of the set"] if self.game.misere else []
        if self.game.passes:
            none.append("no other position of the set is a P-position without the pass")
        return ", and ".join(none)

    def _inclusion(self, name: str, subset: Dfa, whole: Dfa, statement: str) -> ProofPart:
        """Decide whether one set is a subset of another."""
        since = perf_counter()
        self.session.define("subset", self._relation(subset))
        self.session.define("whole", self._relation(whole))
        claim = forall(*self.source, call("subset", *self.source) >> call("whole", *self.source))
        rest = partial(operations.difference, subset, whole, self.budget)
        return self._part(name, statement, claim, rest, since, max(subset.states, whole.states))

    def _part(
        self, name: str, statement: str, claim: Formula, failures: Callable[[], Dfa], since: float, states: int
    ) -> ProofPart:
        """Decide a claim: what the prover finds TRUE holds, and nothing else does; failures: where it is false."""
        holds = self.session.prove(claim, limits=self.budget.remaining()).truth
        failure = None if holds else self._least(failures())
        return ProofPart(name, statement, holds, failure, perf_counter() - since, states)

    def _least(self, a: Dfa) -> tuple[int, ...] | None:
        """Return a position of a set with the shortest representations; None if the set is empty."""
        words = shortest(a)
        if words is None:
            return None
        system = self.session.namespace.system(self.session.namespace.default_system)
        values = dict(zip(a.names, map(system.value, words), strict=True))
        return tuple(values[name] for name in self.game.variables.source)

    def _plain(self) -> list[ProofPart]:
        """Return the parts without blocking: one statement on stability for each kind of move, one on absorption."""
        live = operations.difference(self.inside, self.terminal, self.budget)
        self.session.define("live", self._relation(live))
        parts = [self._stable(number, kind) for number, kind in enumerate(self.game.kinds, start=1)]
        # After a failure the set is wrong, and the positions that violate absorption could be very many.
        return [*parts, self._absorbing()] if all(part.holds for part in parts) else parts

    def _stable(self, number: int, kind: Formula) -> ProofPart:
        """Decide whether a move of this kind leads from a position of the set that is not terminal into the set."""
        since = perf_counter()
        inside = call("live", *self.source) & call("P", *self.target) & kind
        return self._part(
            f"stable {number}", f"from no position of the set that is not terminal a move leads into it: {kind}",
            # A closed formula needs no projection, only an emptiness test.
            ~exists(*self.source, *self.target, inside),
            lambda: self.session.relation(inside, limits=self.budget.remaining()).automaton, since, self.inside.states,
        )

    def _absorbing(self) -> ProofPart:
        """Decide whether a move leads into the set from every position outside it."""
        since = perf_counter()
        rest = operations.difference(self.everything, self.inside, self.budget)
        states = rest.states
        self.session.define("rest", self._relation(rest))
        for piece in sorted(move_pieces(self.game), key=lambda piece: piece.rank):
            if kernel_calls.is_empty(rest):
                break
            # The remaining positions guard the projection: those that an earlier piece explains do not matter.
            led = exists(*self.target, piece.formula & call("P", *self.target))
            rest = self._positions(call("rest", *self.source) & ~led)
            self.session.define("rest", self._relation(rest))
            states = max(states, rest.states)
        return self._part(
            "absorbing", f"from every other position{self._no_less()} a move leads into the set",
            ~exists(*self.source, call("rest", *self.source)), lambda: rest, since, states,
        )

    def _no_less(self) -> str:
        if self.value:
            return " of no smaller value"
        return " that is no P-position without the pass" if self.game.passes else ""

    def _relation(self, positions: Dfa) -> Relation:
        return Relation(positions, self.session.namespace.system, "positions")

    def _counted(self) -> list[ProofPart]:
        """Return the parts with blocking: count the options in the set."""
        since = perf_counter()
        enough = self.game.blocked + 1
        total = option_counts(self.game, self.session, enough, self.budget)
        reached = operations.where(total, lambda count: count >= enough)
        reached = operations.conjunction(reached, self.everything, self.budget)
        spent = perf_counter() - since
        others = operations.difference(self.everything, self.inside, self.budget)
        live = operations.difference(self.inside, self.terminal, self.budget)
        few = operations.difference(live, reached, self.budget)
        stable = self._inclusion(
            "stable", live, few, f"no position of the set that is not terminal has {enough} options in it"
        )
        absorbing = self._inclusion(
            "absorbing", others, reached, f"every other position has at least {enough} options in the set"
        )
        first = ProofPart("counts", "options in the set, counted by kind of move", True, None, spent, total.states)
        return [first, stable, absorbing]


@value
class MovePiece:
    """Some moves of a kind: the moves with given orders of the counters taken and of the piles of the option.

    rank: pieces with a smaller rank are tried first.
    """

    formula: Formula
    rank: int


p, q, r, s, t, u = variables("p q r s t u")

#: The orders of the piles of an option (s,t,u): for every option one of them holds.
ORDERS = (
    (s <= t) & (t <= u), (s <= u) & (u < t), (t < s) & (s <= u), (t <= u) & (u < s),
    (u < s) & (s <= t), (u < t) & (t < s),
)


def move_pieces(game: Game) -> list[MovePiece]:
    """Return all moves in pieces: a kind with an equation in one piece, a kind that fills part of a plane in four.

    On three piles there is a piece for each order of the piles of the option.

    The automaton of the positions from which a move of the second sort leads into P can be very large, while those of
    the pieces are small.  Equations come first, then the pieces in which more is taken from the larger pile of the
    option; often two pieces are enough.
    """
    if game.step_regions is None:
        return [MovePiece(game.step, 0)]
    pieces = []
    # The counters taken from the first pile are fewer or more; the first pile of the option is the smaller or larger.
    less, more, smaller, larger = p + s <= q + r, p + s > q + r, r <= s, r > s
    orders = ((less, smaller, 1), (less, larger, 2), (more, smaller, 2), (more, larger, 1))
    for region in game.step_regions:
        kind = to_formula(region)
        if game.piles == 3:
            pieces += [MovePiece(order & kind, not region.equations) for order in ORDERS]
        elif region.equations:
            pieces.append(MovePiece(kind, 0))
        else:
            pieces += [MovePiece(taken & piles & kind, rank) for taken, piles, rank in orders]
    return pieces


def option_counts(game: Game, session: Session, most: int, budget: Budget) -> Dfa:
    """Return an automaton whose output for (p,q) is the number of options in the session's P, at most `most`."""
    total = None
    for kind in game.kinds:
        options = session.relation(call("P", r, s) & kind, limits=budget.remaining()).automaton
        counted = operations.counts(options, ["r", "s"], most, budget)
        total = counted if total is None else operations.sums(total, counted, most, budget)
    if total is None:
        system = session.namespace.system(session.namespace.default_system)
        return operations.empty((system.track("p"), system.track("q")))
    return total
