"""Whether a set is the set of P-positions of a game: decided, not compared with data.

A position is a P-position if it is terminal or at most `blocked` of its options are P-positions, and moves lead to
lesser sums; so one set only satisfies this at every position.  For a set given by an automaton it is decided in
three parts, for which Renard & Rigo have the names: terminal positions are in the set; the set is *stable*, no
position of it that is not terminal has more than `blocked` options in it; and *absorbing*, every other position has.

Options in the set are counted kind of move by kind of move: the automata of the single kinds are small, that of
all together need not be.  With blocking, the counts of the kinds are added, capped at `blocked` + 1.
"""

from __future__ import annotations

from time import perf_counter

from fibprover.automata import operations
from fibprover.automata.dfa import Dfa
from fibprover.automata.language import shortest
from fibprover.errors import BudgetSpent
from fibprover.games.options import option_counts
from fibprover.games.rules import Game
from fibprover.limits import Limits
from fibprover.numeration.system import NumerationSystem
from fibprover.session import Session
from fibprover.values import value
from fibprover.verdict.relation import Relation

#: A kind of move whose automaton would have more states is taken in two parts, by the order of the option's piles.
LARGE = Limits(states=300_000)


@value
class Step:
    """One part of a proof: what was asked, whether it holds, and where it fails if it does not."""

    name: str
    statement: str
    holds: bool
    failure: tuple[int, int] | None
    seconds: float
    states: int


@value
class Proof:
    """What became of the attempt to prove that a set is that of the P-positions."""

    steps: tuple[Step, ...]

    def __bool__(self) -> bool:
        """Whether everything was proved."""
        return all(step.holds for step in self.steps)

    @property
    def failure(self) -> tuple[int, int] | None:
        """A position at which the set is not what the rules demand; some position of no greater sum is wrong in it."""
        failures = [step.failure for step in self.steps if step.failure is not None]
        return min(failures, key=sum, default=None)

    @property
    def states(self) -> int:
        """The largest automaton that a step needed in the end."""
        return max(step.states for step in self.steps)

    @property
    def seconds(self) -> float:
        """Time it took."""
        return sum(step.seconds for step in self.steps)


def session_for(candidate: Dfa, system: NumerationSystem, limits: Limits | None = None) -> Session:
    """A session in which P is the candidate set, a relation of two variables."""
    session = Session(limits=limits)
    try:
        session.system(system.name)
    except Exception:
        session.systems[system.name] = system
    session.default_system = system.name
    session.define("P", Relation(candidate, session.system, "P"))
    return session


def prove_positions(
    game: Game, candidate: Dfa, system: NumerationSystem, limits: Limits | None = None
) -> Proof:
    """Decides whether the candidate (a canonical automaton over two tracks) is the set of P-positions of the game.

    limits: of the whole proof; BudgetSpent when they do not suffice, which says nothing about the candidate.
    """
    return _Attempt(game, candidate, system, limits or Limits()).proof()


class _Attempt:
    """The automata of one proof, made as they are needed."""

    def __init__(self, game: Game, candidate: Dfa, system: NumerationSystem, limits: Limits) -> None:
        self.game = game
        self.budget = limits.start()
        self.limits = limits
        self.session = session_for(candidate, system, limits)
        self.inside = candidate.renamed(("p", "q"))
        words = [system.valid.renamed([name]) for name in ("p", "q")]
        self.everything = operations.free_product(words, self.budget)
        self.terminal = self._terminal()

    def _terminal(self) -> Dfa:
        if not self.game.terminal:
            return operations.empty(self.everything.tracks)
        return self._positions(self.game.terminal_formula('p', 'q'))

    def _positions(self, formula: str, limits: Limits | None = None) -> Dfa:
        """The positions (p,q) that satisfy a formula."""
        found = self.session.relation(f"p>=0 & q>=0 & ({formula})", limits=limits).automaton
        return operations.conjunction(found, self.everything, self.budget)

    def proof(self) -> Proof:
        steps = [self._step("terminal", self.terminal, self.inside, "terminal positions are in the set")]
        steps += self._counted() if self.game.blocked else self._plain()
        return Proof(tuple(steps))

    def _step(self, name: str, part: Dfa, whole: Dfa, statement: str, since: float | None = None) -> Step:
        """Whether one set is within another one."""
        since = perf_counter() if since is None else since
        rest = operations.difference(part, whole, self.budget)
        failure = self._least(rest)
        return Step(name, statement, failure is None, failure, perf_counter() - since, max(part.states, whole.states))

    def _least(self, a: Dfa) -> tuple[int, int] | None:
        """A position of a set whose representations are as short as any, None if it is empty."""
        words = shortest(a)
        if words is None:
            return None
        system = self.session.system(self.session.default_system)
        p, q = (system.value(word) for word in words)
        return p, q

    # -- without blocking: into which positions a move of a kind leads from P ---------------------------

    def _plain(self) -> list[Step]:
        steps = []
        live = operations.difference(self.inside, self.terminal, self.budget)
        rest = operations.difference(self.everything, self.inside, self.budget)
        states, spent = 0, 0.0
        for number, kind in enumerate(self.game.kinds, start=1):
            since = perf_counter()
            sources = self._sources(kind)
            for source in sources:
                rest = operations.difference(rest, source, self.budget)
                states = max(states, source.states, rest.states)
            spent += perf_counter() - since
            since = perf_counter()
            bad = [operations.conjunction(live, source, self.budget) for source in sources]
            failure = next((found for each in bad if (found := self._least(each)) is not None), None)
            steps.append(
                Step(
                    f"stable {number}",
                    f"from no position of the set that is not terminal a move leads into it: {kind}",
                    failure is None, failure, perf_counter() - since, max(each.states for each in (*sources, live)),
                )
            )
        failure = self._least(rest)
        steps.append(
            Step(
                "absorbing", "from every other position a move leads into the set", failure is None, failure,
                spent, states,
            )
        )
        return steps

    def _sources(self, kind: str) -> list[Dfa]:
        """The positions from which a move of a kind leads into the set, in one part or in two."""
        formula = f"Er,s $P(r,s) & ({kind})"
        try:
            return [self._positions(formula, self._at_most(LARGE))]
        except BudgetSpent as spent:
            if spent.resource != "states":
                raise
        return [self._positions(f"Er,s {half} & $P(r,s) & ({kind})") for half in ("r<=s", "r>s")]

    def _at_most(self, limits: Limits) -> Limits:
        """These limits, and the seconds and bytes that are left."""
        left = self.budget.seconds_left()
        return Limits(
            states=limits.states, bytes=self.limits.bytes, seconds=None if left == float("inf") else max(left, 0.001)
        )

    # -- with blocking: how many options are in P --------------------------------------------------------

    def _counted(self) -> list[Step]:
        since = perf_counter()
        enough = self.game.blocked + 1
        total = option_counts(self.game, self.session, enough, self.budget)
        reached = operations.where(total, lambda count: count >= enough)
        reached = operations.conjunction(reached, self.everything, self.budget)
        spent = perf_counter() - since
        others = operations.difference(self.everything, self.inside, self.budget)
        live = operations.difference(self.inside, self.terminal, self.budget)
        few = operations.difference(self.everything, reached, self.budget)
        stable = self._step(
            "stable", live, few, f"no position of the set that is not terminal has {enough} options in it"
        )
        absorbing = self._step(
            "absorbing", others, reached, f"every other position has at least {enough} options in the set"
        )
        first = Step("counts", "options in the set, counted by kind of move", True, None, spent, total.states)
        return [first, stable, absorbing]

