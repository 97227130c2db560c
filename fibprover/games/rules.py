"""A take-away game on two piles: its moves, its terminal positions, and how many options may be blocked.

A position (a,b) is two piles of a and b counters.  It is a P-position, from which the player who moves
loses, if it is terminal or if fewer than blocked+1 of its options, the positions its moves lead to, are
P-positions: before each move the other player forbids up to `blocked` options.  A position without
options is a P-position.  With blocked = 0 that is the usual recursion; the game W^k of blocking Wythoff
(Larsson 2011) has blocked = k-1, the game K^l a terminal set (Renard & Rigo, section 1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from fibprover.errors import BudgetSpent, FibproverError
from fibprover.games.formulas import parse_rule, resolve_rule, substitute_terms
from fibprover.games.polyhedra import (
    NotPolyhedral,
    Polyhedron,
    is_empty,
    make_disjoint,
    polyhedron,
    simplify,
    solution_polyhedra,
    to_formula,
)
from fibprover.values import Displayed

Position: TypeAlias = tuple[int, int]

#: Whether a move takes i counters from the first pile and j from the second.
VectorFunction: TypeAlias = Callable[[int, int], bool]

#: The options of a position.
OptionsFunction: TypeAlias = Callable[[int, int], Iterable[Position]]

VECTORS, STEPS, VECTOR_FUNCTION, OPTIONS_FUNCTION = "vectors", "steps", "vector function", "options function"

VARIABLES = {VECTORS: ("i", "j"), STEPS: ("p", "q", "r", "s")}


@dataclass(frozen=True)
class Game(Displayed):
    """Rules; best made by `by_vectors`, `by_steps`, `by_function`, or one of `fibprover.games.ready`.

    name: what the game is called; form: what `moves` are: "vectors", a formula in i,j; "steps", a formula
    in p,q,r,s; "vector function" or "options function", a Python function; terminal: a formula in a,b, or ""
    if no positions are terminal; blocked: how many options the previous player may forbid.
    """

    name: str
    form: str
    moves: str | VectorFunction | OptionsFunction
    terminal: str = ""
    blocked: int = 0

    def __post_init__(self) -> None:
        """Raises FibproverErrors, with the place in a formula, for rules that make no game."""
        if type(self.blocked) is not int or self.blocked < 0:
            raise FibproverError(
                f"blocked is a number of options, 0 or more, and not {self.blocked!r}",
                hint="the game W^k, in which k-1 options may be forbidden, has blocked = k-1",
            )
        if self.terminal != "":
            parse_rule(self.terminal, ("a", "b"), "the terminal positions")
        if self.form in VARIABLES:
            parse_rule(self.formula, VARIABLES[self.form], "the moves")
        elif self.form not in (VECTOR_FUNCTION, OPTIONS_FUNCTION):
            raise FibproverError(f"moves are vectors, steps or a function, not {self.form!r}")
        elif not callable(self.moves):
            raise FibproverError(f"the moves are to be a Python function, and {self.moves!r} is none")
        if self.form == STEPS:
            check_decreasing(self.formula, self.step_regions)

    # -- making one ------------------------------------------------------------------------

    @staticmethod
    def by_vectors(moves: str, terminal: str = "", blocked: int = 0, name: str = "") -> Game:
        """A game whose moves take i from the first and j from the second pile: `moves` is a formula in i,j.

        The vector (0,0) is never a move, whatever the formula says of it.
        """
        return Game(name or _made_name(moves, terminal, blocked), VECTORS, moves, terminal, blocked)

    @staticmethod
    def by_steps(moves: str, terminal: str = "", blocked: int = 0, name: str = "") -> Game:
        """A game whose moves lead from (p,q) to (r,s): `moves` is a formula in p,q,r,s that makes p+q smaller.

        Raises FibproverError, with the least counterexample, if it does not.
        """
        return Game(name or _made_name(moves, terminal, blocked), STEPS, moves, terminal, blocked)

    @staticmethod
    def by_function(
        moves: VectorFunction | OptionsFunction, terminal: str = "", blocked: int = 0, name: str = "", *,
        options: bool = False,
    ) -> Game:
        """A game by a Python function: f(i,j), whether i and j may be taken, or f(p,q), the options of a position.

        options: which of the two it is.  Such a game has positions, but no formula to prove anything with.
        """
        form = OPTIONS_FUNCTION if options else VECTOR_FUNCTION
        known = name or _made_name(getattr(moves, "__name__", "a function"), terminal, blocked)
        return Game(known, form, moves, terminal, blocked)

    # -- formulas --------------------------------------------------------------------------

    @property
    def formula(self) -> str:
        """The moves as they were written; FibproverError for a game given by a Python function."""
        if self.form not in VARIABLES:
            raise FibproverError(
                f"the moves of {self.name} are a Python function, which is no formula",
                hint="Game.by_vectors and Game.by_steps take formulas",
            )
        if not isinstance(self.moves, str):
            raise FibproverError(f"the moves are a formula, as a text, and not {self.moves!r}")
        return self.moves

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Formulas in p,q,r,s for moves from (p,q) to (r,s): no two of them share a move, together they are all.

        Each is a conjunction of linear comparisons where the moves are a union of a few polyhedra, so
        that options can be counted kind by kind; else there is one kind, all moves.
        """
        regions = self.step_regions
        if regions is None:
            return (self._whole,)
        return tuple(to_formula(region) for region in regions)

    @cached_property
    def step(self) -> str:
        """All moves as one formula in p,q,r,s."""
        if self.step_regions is None:
            return self._whole
        return " | ".join(f"({kind})" for kind in self.kinds) or "0=1"

    @property
    def _whole(self) -> str:
        source = parse_rule(self.formula, VARIABLES[self.form], "the moves")
        if self.form == STEPS:
            return self.formula
        inner = substitute_terms(source, {"i": "p-r", "j": "q-s"})
        return f"r<=p & s<=q & r+s<p+q & ({inner})"

    def terminal_formula(self, a: str = "a", b: str = "b") -> str:
        """The formula of the terminal positions with terms in place of a and b; "0=1", which is false, without any."""
        if not self.terminal:
            return "0=1"
        return substitute_terms(parse_rule(self.terminal, ("a", "b"), "the terminal positions"), {"a": a, "b": b})

    # -- polyhedra -------------------------------------------------------------------------

    @cached_property
    def step_regions(self) -> tuple[Polyhedron, ...] | None:
        """The moves as disjoint polyhedra over p,q,r,s; None if they are not seen to be a few of them."""
        names = VARIABLES[STEPS]
        if self.form == VECTORS:
            if self.vector_regions is None:
                return None
            return tuple(simplify(_step_of(region)) for region in self.vector_regions)
        if self.form != STEPS:
            return None
        try:
            return make_disjoint(solution_polyhedra(resolve_rule(self.formula), names))
        except NotPolyhedral:
            return None

    @cached_property
    def vector_regions(self) -> tuple[Polyhedron, ...] | None:
        """The moves as disjoint polyhedra over i,j without (0,0).

        None if they are not seen to be a few of them, or are steps that depend on more than what is taken.
        """
        if self.form == STEPS:
            return _vectors_of(self.step_regions)
        if self.form != VECTORS:
            return None
        try:
            return make_disjoint(solution_polyhedra(resolve_rule(self.formula), VARIABLES[VECTORS], within=(1, 1, -1)))
        except NotPolyhedral:
            return None

    @cached_property
    def terminal_regions(self) -> tuple[Polyhedron, ...] | None:
        """The terminal positions as disjoint polyhedra over a,b; None if they are not seen to be a few of them."""
        if not self.terminal:
            return ()
        try:
            return make_disjoint(solution_polyhedra(resolve_rule(self.terminal), ("a", "b")))
        except NotPolyhedral:
            return None

    def __str__(self) -> str:
        return self.name


def _made_name(moves: str, terminal: str, blocked: int) -> str:
    """What a game is called that was given no name."""
    parts = [" ".join(str(moves).split())]
    if terminal:
        parts.append(f"terminal {' '.join(str(terminal).split())}")
    if blocked:
        parts.append(f"{blocked} blocked")
    return "; ".join(parts)


def _step_of(vectors: Polyhedron) -> Polyhedron:
    """The steps that take the vectors of a polyhedron: i = p-r >= 0 and j = q-s >= 0."""

    def lifted(row: tuple[int, ...]) -> tuple[int, ...]:
        i, j, constant = row
        return (i, j, -i, -j, constant)

    bounds = [*map(lifted, vectors.bounds), (1, 0, -1, 0, 0), (0, 1, 0, -1, 0)]
    found = polyhedron(VARIABLES[STEPS], map(lifted, vectors.equations), bounds)
    if found is None:
        raise AssertionError("a polyhedron of vectors that is not empty has steps")
    return found


def _vectors_of(steps: tuple[Polyhedron, ...] | None) -> tuple[Polyhedron, ...] | None:
    """The vectors that steps take, if whether a step is possible depends on nothing else."""
    found = []
    for region in steps or ():
        for row in (*region.equations, *region.bounds):
            if row[0] != -row[2] or row[1] != -row[3]:
                return None
        if not is_empty(region, (-1, 0, 1, 0, -1)) or not is_empty(region, (0, -1, 0, 1, -1)):
            return None
        rows = ([(p, q, constant) for p, q, _, _, constant in kind] for kind in (region.equations, region.bounds))
        made = polyhedron(VARIABLES[VECTORS], *rows)
        if made is None:
            return None
        found.append(simplify(made))
    return None if steps is None else tuple(found)



# ---- wellfounded
# Moves given as steps have to lead to smaller positions, or there is no recursion.

#: Seconds that the prover may take where looking at polyhedra is not enough.
SECONDS = 20.0


def check_decreasing(formula: str, regions: tuple[Polyhedron, ...] | None) -> None:
    """FibproverError unless every step from (p,q) to (r,s) has r+s < p+q; the least counterexample is named."""
    same_or_more = (-1, -1, 1, 1, 0)
    if regions is not None and all(is_empty(region, same_or_more) for region in regions):
        return
    from fibprover.limits import Limits
    from fibprover.session import Session

    session = Session(limits=Limits(seconds=SECONDS))
    try:
        verdict = session.prove(f"Ap,q,r,s ({formula}) => r+s<p+q")
    except BudgetSpent as spent:
        raise FibproverError(
            "whether all moves make p+q smaller could not be found out", hint="say so: add & r+s<p+q to the formula"
        ) from spent
    if verdict:
        return
    values = verdict.evidence.values if verdict.evidence else {}
    place = "({p},{q}) to ({r},{s})".format(**values) if len(values) == 4 else "some position to another one"
    raise FibproverError(
        f"a move leads from {place}, which has no fewer counters: such a game need not end",
        hint="moves have to make p+q smaller: add & r+s<p+q to the formula",
    )
