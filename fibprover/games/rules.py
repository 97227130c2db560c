"""A take-away game on two or three piles as a value: its moves, terminal positions and number of blocked options.

A position (a,b) is two piles of a and b counters, (a,b,c) three piles.  It is a P-position, from which the player to
move loses, if it is terminal or if fewer than blocked+1 of its options, the positions that its moves lead to, are
P-positions: before each move the other player forbids up to `blocked` options.  A position without options is a
P-position.  In misere play it is the other way round where play ends: terminal positions and those without options are
N-positions.  With blocked = 0 this is the usual recursion; the game W^k of blocking Wythoff (Larsson 2011) has blocked
= k-1, the game K^l has terminal positions (Renard & Rigo, section 1).

Moves are given as a formula (`formulas`) or as a Python function.  A formula is taken apart into polyhedra
(`polyhedra`) where possible; the solvers of `positions` and the proofs of `proof` work on these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import Limits
from fibprover.base.values import RichlyDisplayed
from fibprover.games.formulas import ALWAYS, NEVER, check_rule, read_rule, resolve_rule
from fibprover.games.polyhedra import (
    NotPolyhedral,
    Polyhedron,
    is_empty,
    make_disjoint,
    natural_bounds,
    polyhedron,
    simplify,
    solution_polyhedra,
    to_formula,
)
from fibprover.language.builder import at_least, call, exists, forall, total
from fibprover.language.source import Source
from fibprover.language.tree import Formula, Operand, Term, Variable, conjunction, disjunction
from fibprover.learn.recursion import measure_in
from fibprover.workspace.session import Session

Position: TypeAlias = tuple[int, int]

#: Says of (i,j) whether a move may take i counters from the first pile and j from the second.
VectorFunction: TypeAlias = Callable[[int, int], bool]

#: Gives the options of a position.
OptionsFunction: TypeAlias = Callable[[int, int], Iterable[Position]]

#: A formula as it is given: as a text, or as a tree.
Given: TypeAlias = str | Formula | Source

#: The forms that moves can have.
VECTORS, STEPS, VECTOR_FUNCTION, OPTIONS_FUNCTION = "vectors", "steps", "vector function", "options function"

#: Vectors that may depend on the position (p,q) moved from.
VECTORS_AT = "vectors at positions"

#: The forms that are formulas.
FORMULAS = (VECTORS, STEPS, VECTORS_AT)


@dataclass(frozen=True)
class Variables:
    """The names of numbers in rules, one for each pile.

    vector: the counters taken; position: a terminal position; source, target: the positions that a step leads from
    and to.
    """

    vector: tuple[str, ...]
    position: tuple[str, ...]
    source: tuple[str, ...]
    target: tuple[str, ...]

    def of_moves(self, form: str) -> tuple[str, ...]:
        """Return the variables of moves of a form."""
        if form == VECTORS:
            return self.vector
        return (*self.source, *self.target) if form == STEPS else (*self.vector, *self.source)


#: By the number of piles.
VARIABLES = {
    2: Variables(("i", "j"), ("a", "b"), ("p", "q"), ("r", "s")),
    3: Variables(("i", "j", "k"), ("a", "b", "c"), ("p", "q", "r"), ("s", "t", "u")),
}

#: Seconds that the prover may take to decide whether steps are decreasing, where polyhedra do not show it.
SECONDS = 20.0


@dataclass(frozen=True)
class Game(RichlyDisplayed):
    """The rules of a game; made by `by_vectors`, `by_steps`, `by_function`, or in `fibprover.games.catalogue`.

    `Game("i=0 | j=0")` is `Game.by_vectors("i=0 | j=0")`, and a formula in p,q,r,s alone makes `Game.by_steps`.
    A game has three piles if its rules are about k, c, t or u (`VARIABLES`), or with `piles=3`: then moves are formulas
    in i,j,k, or in p,q,r and s,t,u for steps from (p,q,r) to (s,t,u), in which no pile may grow, and terminal positions
    are (a,b,c); functions, blocking and a pass are for two piles.

    form: what `moves` is: "vectors", a formula in i,j; "vectors at positions", a formula in i,j,p,q; "steps", a formula
    in p,q,r,s; "vector function" or "options function", a Python function; terminal: a formula in a,b, or "" if no
    positions are terminal; formulas may be given as trees, too, and are kept as texts, with what was read from these in
    `rule` and `end`; blocked: how many options the previous player may forbid; misere: whether who cannot move
    wins, which excludes blocking; passes: whether one of the players may pass once, where play has not ended, which
    excludes blocking too; by: the sum of multiples of p and q that each move makes smaller, p+q if it is "": where it
    is given, moves are steps, which may let a pile grow.

    >>> game = fp.Game("i=0 | j=0 | i=j")
    >>> list(fp.positions(game, 8))
    [(0, 0), (1, 2), (2, 1), (3, 5), (4, 7), (5, 3), (7, 4)]
    """

    name: str
    form: str = ""
    moves: str | VectorFunction | OptionsFunction = ""
    terminal: str = ""
    blocked: int = 0
    misere: bool = False
    passes: bool = False
    piles: int = 0
    by: str = ""
    rule: Source | None = field(default=None, repr=False, compare=False)
    end: Source | None = field(default=None, repr=False, compare=False)

    if TYPE_CHECKING:  # formulas may be given as trees

        def __init__(
            self, name: str | Formula, form: str = "", moves: Given | VectorFunction | OptionsFunction = "",
            terminal: Given = "", blocked: int = 0, misere: bool = False, passes: bool = False, piles: int = 0,
            by: str = "", rule: Source | None = None, end: Source | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        """Raise FibproverError, with the place in a formula where there is one, for rules that define no game."""
        if self.form == "" and self.moves == "":
            self._take_name_for_moves()
        self._read("moves", "rule", "the moves", there=self.form in FORMULAS)
        self._read("terminal", "end", "the terminal positions", there=self.terminal != "")
        if self.piles == 0:
            self._set(piles=piles_of(self.rule, self.end))
        if not self.name:
            moves = self.moves if self.rule is not None else getattr(self.moves, "__name__", "a function")
            self._set(name="; ".join([
                " ".join(str(moves).split()), *additions(self.terminal, self.blocked, self.misere, self.passes, self.by)
            ]))
        if self.piles not in VARIABLES:
            raise FibproverError(f"games have two or three piles here, not {self.piles!r}")
        if type(self.blocked) is not int or self.blocked < 0:
            raise FibproverError(
                f"blocked must be a number of options, 0 or more, not {self.blocked!r}",
                hint="the game W^k, in which k-1 options may be forbidden, has blocked = k-1",
            )
        if self.misere and self.blocked:
            raise FibproverError(
                "options cannot be blocked in misere play here: a player all of whose options are blocked would win",
                hint="leave out one of the two",
            )
        if self.passes and self.blocked:
            raise FibproverError(
                "options cannot be blocked in a game with a pass: the rules do not say whether the pass can",
                hint="leave out one of the two",
            )
        if self.end is not None:
            check_rule(self.end, self.variables.position, "the terminal positions")
        if self.rule is not None:
            check_rule(self.rule, self.variables.of_moves(self.form), "the moves")
        elif self.form not in (VECTOR_FUNCTION, OPTIONS_FUNCTION):
            raise FibproverError(f"moves are vectors, steps or a function, not {self.form!r}")
        elif not callable(self.moves):
            raise FibproverError(f"the moves must be a Python function, not {self.moves!r}")
        if self.piles == 3:
            self._check_three_piles()
        if self.by and (self.form != STEPS or self.piles != 2):
            raise FibproverError(
                f"{self.by} is given as the measure of moves that are no steps on two piles",
                hint="taking counters makes p+q smaller; a measure is for a formula in p,q,r,s",
            )
        if self.form == STEPS:
            check_decreasing(self)

    def _check_three_piles(self) -> None:
        """Raise FibproverError for rules that are for two piles only."""
        for given, what in (
            (self.form not in FORMULAS, "Python functions"), (self.blocked, "blocked options"), (self.passes, "a pass"),
        ):
            if given:
                raise FibproverError(f"games on three piles cannot have {what}", hint="games on two piles can")
        if self.form == STEPS and self.step_regions is not None:
            for pile, (source, target) in enumerate(zip(self.variables.source, self.variables.target, strict=True)):
                grows = tuple(-(n == pile) + (n == 3 + pile) for n in range(6))
                if not all(is_empty(region, (*grows, -1)) for region in self.step_regions):
                    raise FibproverError(
                        f"on three piles, a move must not make a pile larger, as this one may {source}",
                        hint=f"add & {target}<={source} to the formula",
                    )

    def _take_name_for_moves(self) -> None:
        """Complete `Game("i=0 | j=0")`: steps if the formula is about p,q,r,s, else vectors."""
        given: object = self.name
        if not isinstance(given, Formula) and not (isinstance(given, str) and given.strip()):
            raise FibproverError(
                f"a game is made of the formula of its moves, not of {self.name!r}",
                hint='such as Game("i=0 | j=0"), in i,j or in p,q,r,s; Game.by_function takes a Python function',
            )
        rule = read_rule(given, "the moves")
        self._set(name="", form=form_of(rule), moves=rule.text, rule=rule)

    def _set(self, **values: object) -> None:
        for name, each_value in values.items():
            object.__setattr__(self, name, each_value)

    def _read(self, given: str, read: str, what: str, *, there: bool) -> None:
        """Keep a formula that was given as a text or a tree as a text, and what is read from it, if it is there."""
        formula, known = getattr(self, given), getattr(self, read)
        if not there:
            self._set(**{read: None})
        elif known is None or known.text != formula:
            source = read_rule(formula, what)
            self._set(**{given: source.text, read: source})

    def in_misere_play(self) -> Game:
        """Return the game with the same rules in which who cannot move, or is to move at a terminal position, wins."""
        return replace(self, name="; ".join([self.name, *additions("", 0, not self.misere)]), misere=True)

    def with_pass(self) -> Game:
        """Return the game with the same rules in which once, one of the players may pass; not where play has ended.

        As in Nim with a pass (Morrison, Friedman and Landsberg 2012, Low and Chan 2015).  The positions are those at
        which nobody has passed; afterwards it is the game without the pass.
        """
        return replace(self, name="; ".join([self.name, *additions("", 0, False, not self.passes)]), passes=True)

    @staticmethod
    def by_vectors(moves: Given, terminal: Given = "", blocked: int = 0, name: str = "") -> Game:
        """Return the game whose moves take i counters from the first pile and j from the second: a formula in i,j.

        What may be taken can depend on the piles: then it is also about p,q, the position (p,q) moved from.  A formula
        in i,j,k (and p,q,r) is about three piles.  The vector (0,0) is never a move, whether it satisfies the formula
        or not, so that moves make p+q smaller.
        """
        rule = read_rule(moves, "the moves")
        form = VECTORS_AT if form_of(rule) == VECTORS_AT else VECTORS
        return Game(name, form, rule.text, terminal, blocked, rule=rule)

    @staticmethod
    def by_steps(moves: Given, terminal: Given = "", blocked: int = 0, name: str = "", by: str = "") -> Game:
        """Return the game whose moves lead from (p,q) to (r,s): a formula in p,q,r,s that implies r+s < p+q.

        by: another sum of multiples of p and q that each move makes smaller, such as "p": a pile may grow then, or be
        the memory of the game.  Raises FibproverError, with a counterexample, if a move does not make it smaller.
        """
        return Game(name, STEPS, moves, terminal, blocked, by=by)

    @staticmethod
    def by_function(
        moves: VectorFunction | OptionsFunction, terminal: Given = "", blocked: int = 0, name: str = "", *,
        options: bool = False,
    ) -> Game:
        """Return the game of a Python function: f(i,j) says whether i and j counters may be taken.

        options: f(p,q) gives the options of the position (p,q) instead.  The P-positions of such a game can be
        computed to a bound, but nothing can be proved of it: that takes a formula.
        """
        return Game(name, OPTIONS_FUNCTION if options else VECTOR_FUNCTION, moves, terminal, blocked)

    @property
    def formula(self) -> str:
        """The formula of the moves as it was given; FibproverError for a game given by a Python function."""
        return self._source.text

    @property
    def tree(self) -> Formula:
        """The formula of the moves as a tree; FibproverError for a game given by a Python function."""
        return self._source.formula

    @property
    def _source(self) -> Source:
        if self.rule is None:
            raise FibproverError(
                f"the moves of {self.name} are a Python function, not a formula",
                hint="Game.by_vectors and Game.by_steps take formulas",
            )
        return self.rule

    @cached_property
    def kinds(self) -> tuple[Formula, ...]:
        """Formulas in p,q,r,s whose disjunction is all moves from (p,q) to (r,s); no two have a move in common.

        Where the moves are a union of a few polyhedra each kind is a conjunction of linear comparisons, so that
        options can be counted kind by kind; otherwise there is one kind.
        """
        if self.step_regions is None:
            return (self._whole,)
        return tuple(map(to_formula, self.step_regions))

    @cached_property
    def step(self) -> Formula:
        """The moves as one formula in p,q,r,s."""
        return disjunction(self.kinds) if self.kinds else NEVER

    @property
    def _whole(self) -> Formula:
        if self.form == STEPS:
            return self.tree
        names = self.variables
        source, target = map(Variable, names.source), map(Variable, names.target)
        pairs = list(zip(names.vector, source, target, strict=True))
        fewer = [after <= before for _, before, after in pairs]
        inner = self.tree.substitute({taken: before - after for taken, before, after in pairs})
        return conjunction([*fewer, self.decreasing, inner])

    @property
    def decreasing(self) -> Formula:
        """That a step makes the measure smaller, r+s < p+q where there is no other one."""
        return self.measure(self.variables.target) < self.measure(self.variables.source)

    def measure(self, names: tuple[str, ...]) -> Term:
        """Return what each move makes smaller, for the position with these names: the sum of the piles, or `by`."""
        weighted = zip(self.weights, map(Variable, names), strict=True)
        return total(name if weight == 1 else weight * name for weight, name in weighted if weight)

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """How often the measure counts each pile."""
        names = self.variables.source
        if not self.by:
            return tuple(1 for _ in names)
        found = measure_in(self.by, names, "the game").coefficients
        return tuple(found[name] for name in names)

    @property
    def variables(self) -> Variables:
        """The names of numbers in its rules."""
        return VARIABLES[self.piles]

    def terminal_formula(self, *terms: Operand) -> Formula:
        """Return the formula of the terminal positions with terms in place of a, b, ...; NEVER if none is terminal."""
        if self.end is None:
            return NEVER
        names = self.variables.position
        return self.end.formula.substitute(dict(zip(names, terms or map(Variable, names), strict=True)))

    @property
    def terminal_source(self) -> Formula:
        """The terminal positions in p,q (p,q,r)."""
        return self.terminal_formula(*map(Variable, self.variables.source))

    @cached_property
    def step_regions(self) -> tuple[Polyhedron, ...] | None:
        """The moves as disjoint polyhedra over p,q,r,s; None if no such union was found."""
        names = self.variables.of_moves(STEPS)
        if self.form == VECTORS:
            if self.vector_regions is None:
                return None
            return tuple(simplify(_step_of(region, names)) for region in self.vector_regions)
        if self.form not in FORMULAS:
            return None
        return regions_of(self._whole, names)

    @cached_property
    def vector_regions(self) -> tuple[Polyhedron, ...] | None:
        """The moves as disjoint polyhedra over i,j without (0,0).

        None if no such union was found, or if the possible steps depend on more than the counters taken.
        """
        if self.form in (STEPS, VECTORS_AT):
            return _vectors_of(self.step_regions, self.variables.vector)
        if self.form != VECTORS:
            return None
        names = self.variables.vector
        return regions_of(self.tree, names, within=(*(1 for _ in names), -1))

    @cached_property
    def terminal_regions(self) -> tuple[Polyhedron, ...] | None:
        """The terminal positions as disjoint polyhedra over a,b; None if no such union was found."""
        return () if self.end is None else regions_of(self.end, self.variables.position)

    @cached_property
    def ended(self) -> Formula:
        """A formula in p,q (p,q,r) of the positions at which play has ended: terminal, or without a move."""
        options = tuple(map(Variable, self.variables.target))
        stuck = [~exists(*options, kind) for kind in self.kinds]
        return self.terminal_source | (conjunction(stuck) if stuck else ALWAYS)

    @cached_property
    def recursion(self) -> Formula:
        """When (p,q), or (p,q,r), is a P-position, by the smaller ones $P; for `solve`.

        FibproverError for a game with a pass, whose P-positions are not determined by each other.
        """
        if self.passes:
            raise FibproverError("a game with a pass has no recursion of its own", hint="discover searches for them")
        options = tuple(map(Variable, self.variables.target))
        into = self.step & call("P", *options)
        lost = ~at_least(self.blocked + 1, *options, into) if self.blocked else ~exists(*options, into)
        if self.misere:
            return ~self.ended & lost
        return lost if self.end is None else self.terminal_source | lost

    @cached_property
    def ended_regions(self) -> tuple[Polyhedron, ...] | None:
        """The positions at which play has ended as disjoint polyhedra over p,q; None if no such union was found."""
        return regions_of(self.ended, self.variables.source)

    def __str__(self) -> str:
        return self.name


def regions_of(
    rule: Formula | Source, names: tuple[str, ...], within: tuple[int, ...] | None = None
) -> tuple[Polyhedron, ...] | None:
    """Return the solutions of a rule as disjoint polyhedra; None if it is no such union, see `solution_polyhedra`."""
    try:
        return make_disjoint(solution_polyhedra(resolve_rule(rule), names, within=within))
    except NotPolyhedral:
        return None


def form_of(rule: Source) -> str:
    """Return the form of moves that are given by a formula, by the variables in it."""
    found = set(rule.formula.free)
    if not found & set(VARIABLES[3].of_moves(STEPS)):
        return VECTORS
    if not found & set(VARIABLES[3].vector):
        return STEPS
    return VECTORS_AT


def additions(terminal: Given, blocked: int, misere: bool, passes: bool = False, by: str = "") -> list[str]:
    """Return the rules beside the moves, as a name says them."""
    parts = []
    if terminal != "":
        parts.append(f"terminal {' '.join(str(terminal).split())}")
    if blocked:
        parts.append(f"{blocked} blocked")
    if misere:
        parts.append("misere play")
    if passes:
        parts.append("one pass")
    if by:
        parts.append(f"by {by}")
    return parts


def piles_of(rule: Source | None, end: Source | None) -> int:
    """Return how many piles rules are about: three if they mention what only a third pile has."""
    two, three = VARIABLES[2], VARIABLES[3]
    known = {*two.of_moves(VECTORS), *two.of_moves(STEPS), *two.position}
    more = {*three.of_moves(VECTORS), *three.of_moves(STEPS)} - known
    moves, ends = (set(source.formula.free) if source is not None else set() for source in (rule, end))
    return 3 if moves & more or ends & (set(three.position) - known) else 2


def _step_of(vectors: Polyhedron, names: tuple[str, ...]) -> Polyhedron:
    """Return the steps that take the vectors of a polyhedron: i = p-r >= 0 and j = q-s >= 0."""

    def lifted(row: tuple[int, ...]) -> tuple[int, ...]:
        *taken, constant = row
        return (*taken, *(-c for c in taken), constant)

    bounds = [*map(lifted, vectors.bounds), *map(lifted, natural_bounds(len(names) // 2))]
    found = polyhedron(names, map(lifted, vectors.equations), bounds)
    if found is None:
        raise AssertionError("a polyhedron of vectors that is not empty has steps")
    return found


def _vectors_of(steps: tuple[Polyhedron, ...] | None, names: tuple[str, ...]) -> tuple[Polyhedron, ...] | None:
    """Return the vectors that steps take; None if whether a step is possible depends on anything else."""
    piles = len(names)
    found = []
    for region in steps or ():
        for row in (*region.equations, *region.bounds):
            if any(row[pile] != -row[piles + pile] for pile in range(piles)):
                return None
        for pile in range(piles):
            grows = (-(n == pile) + (n == piles + pile) for n in range(2 * piles))
            if not is_empty(region, (*grows, -1)):
                return None
        rows = ([(*row[:piles], row[-1]) for row in kind] for kind in (region.equations, region.bounds))
        made = polyhedron(names, *rows)
        if made is None:
            return None
        found.append(simplify(made))
    return None if steps is None else tuple(found)


def check_decreasing(game: Game) -> None:
    """Raise FibproverError, with a counterexample, unless every step from (p,q) to (r,s) makes the measure smaller."""
    source, target = game.variables.source, game.variables.target
    before = game.measure(source)
    same_or_more = (*(-weight for weight in game.weights), *game.weights, 0)
    regions = game.step_regions
    if regions is not None and all(is_empty(region, same_or_more) for region in regions):
        return
    hint = f"moves must make {before} smaller: add & {game.decreasing} to the formula"
    if game.piles == 2:
        hint += '; if they make p or q smaller, say so (--by p, or by="p"); `solve` takes any recursion'
    session = Session(limits=Limits(cpu_seconds=SECONDS))
    try:
        verdict = session.prove(forall(*map(Variable, (*source, *target)), game.tree >> game.decreasing))
    except BudgetSpent as spent:
        raise FibproverError(f"it could not be decided whether all moves make {before} smaller", hint=hint) from spent
    if verdict:
        return
    values = verdict.evidence.values if verdict.evidence else {}
    step = "one position to another"
    if len(values) == len((*source, *target)):
        step = " to ".join(f"({','.join(str(values[name]) for name in names)})" for names in (source, target))
    raise FibproverError(
        f"a move leads from {step}, which has at least as many counters: such a game need not end" if not game.by
        else f"a move leads from {step}, which does not make {before} smaller: such a game need not end", hint=hint,
    )
