"""What a page needs to play a game: its moves, by which the page solves a small board, and automata for any piles.

The page finds the moves from a position of any size along the representations of its piles, in time and memory that
grow with the number of digits: no table of positions is made or stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits, poll
from fibprover.frontends.display.page.figures import MOST_TRANSITIONS, Figures
from fibprover.games.formulas import SYSTEM, rule_automaton
from fibprover.games.polyhedra import Polyhedron
from fibprover.games.proof import session_for
from fibprover.games.rules import FORMULAS, Game
from fibprover.games.theorem import Theorem
from fibprover.language.builder import call, variables
from fibprover.numeration.system import NumerationSystem
from fibprover.workspace.session import Session

#: Weights are given up to this: a page takes piles of 36 digits, and writes their sums.
LARGEST = 2 * 10**36

#: Seconds that the automata of the moves may take.
SECONDS = 10.0

r, s = variables("r s")


def rules(game: Game, figures: Figures) -> dict[str, Any] | None:
    """Return the rules as plain data; None for games that the page cannot play.

    These are games with a pass, on three piles, with piles that may grow, by Python functions, and by rules whose
    automata are too large.  steps: regions of
    (p,q,r,s), or the number of an automaton in base 2; terminal: the same of (a,b).  A region is its equations and its
    bounds, rows of coefficients and a constant whose sum is 0, or at least 0.
    """
    if game.piles != 2 or game.passes or game.by or game.form not in FORMULAS:
        return None
    found: dict[str, Any] = {"blocked": game.blocked, "misere": game.misere}
    for name, regions, formula, names in (
        ("steps", game.step_regions, game.step, game.variables.of_moves("steps")),
        ("terminal", game.terminal_regions, game.terminal_formula(), game.variables.position),
    ):
        if regions is not None:
            found[name] = {"regions": [_region(each) for each in regions]}
            continue
        try:
            automaton = rule_automaton(Session(SYSTEM), formula, names, Limits(cpu_seconds=SECONDS))
        except BudgetSpent:
            poll("the moves of a game")
            return None
        if automaton.transitions > MOST_TRANSITIONS:
            return None
        found[name] = {"automaton": figures.add(automaton)}
    return found


def _region(region: Polyhedron) -> list[Sequence[Sequence[int]]]:
    return [region.equations, region.bounds]


def at_any_size(theorem: Theorem, figures: Figures) -> dict[str, Any] | None:
    """Return the automata with which a proved game is played at any size; None where there are none, or too large ones.

    weights: those of the system as texts, from the last place on; steps: the number of an automaton of (p,q,r,s) for
    each kind of move; winning: the same of the moves to P-positions.
    """
    system = theorem.system
    weights = greedy_weights(system)
    if weights is None:
        return None
    lost = theorem.discovery.smaller[0] if theorem.value else theorem.automaton
    limits = Limits(cpu_seconds=SECONDS)
    session = session_for(lost, system, limits)
    found: dict[str, Any] = {"weights": [str(weight) for weight in weights], "steps": [], "winning": []}
    try:
        for kind in theorem.game.kinds:
            for name, formula in (("steps", kind), ("winning", kind & call("P", r, s))):
                automaton = rule_automaton(session, formula, ("p", "q", "r", "s"), limits)
                if automaton.transitions > MOST_TRANSITIONS:
                    return None
                found[name].append(figures.add(automaton))
    except BudgetSpent:
        poll("the moves of a game")
        return None
    return found


def greedy_weights(system: NumerationSystem) -> list[int] | None:
    """Return the weights up to LARGEST, the last place first, if the greedy algorithm writes numbers with them."""
    weights = [system.value((1,))]
    while weights[-1] < LARGEST:
        weights.append(system.value((1, *(0 for _ in weights))))
    if weights != sorted(set(weights)) or weights[0] != 1:
        return None
    samples = [*range(300), *(weight - 1 for weight in weights), *(5 * weight // 7 for weight in weights)]
    return weights if all(_greedy(number, weights) == system.represent(number) for number in samples) else None


def _greedy(number: int, weights: Sequence[int]) -> tuple[int, ...]:
    digits: list[int] = []
    for weight in reversed(weights):
        digit, number = divmod(number, weight)
        if digit or digits:
            digits.append(digit)
    return tuple(digits)
