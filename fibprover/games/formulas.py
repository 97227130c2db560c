"""The formulas that rules are given by: linear arithmetic on a few named numbers, in no particular numeration system.

`read_rule` and `check_rule` are for when a game is made, so that errors show their place in the user's text;
`resolve_rule` and `rule_automaton` prepare a formula for the solvers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fibprover.base.errors import FibproverError, NotSupported, UnknownName
from fibprover.language.parser import read
from fibprover.language.source import Source, free_occurrences
from fibprover.language.tree import (
    Call,
    Formula,
    InSystem,
    Letter,
    Negative,
    Number,
    Quantified,
    Reversed,
    SystemTerm,
    Variable,
    WordValue,
)
from fibprover.numeration.registry import system_named
from fibprover.prover.environment import Environment
from fibprover.prover.logic import ResolvedFormula
from fibprover.prover.lower import resolve

if TYPE_CHECKING:
    from fibprover.automata.dfa import Dfa
    from fibprover.base.limits import Limits
    from fibprover.workspace.session import Session

#: The system in which formulas are read; linear arithmetic means the same in all of them.
SYSTEM = "msd_2"

#: Formulas that hold of all numbers, and of none.
ALWAYS, NEVER = Number(0).eq(0), Number(0).eq(1)

#: What a rule must not contain, and why.
REFUSED: Mapping[type[Any], str] = {
    Call: "rules cannot call predicates",
    WordValue: "rules cannot use words",
    SystemTerm: "rules are about numbers and mean the same in every numeration system",
    InSystem: "rules are about numbers and mean the same in every numeration system",
    Reversed: "rules are about numbers, which have no reversal",
    Letter: "rules cannot use letters of words",
    Negative: "rules are about natural numbers",
}

ALLOWED = "a rule may use +, -, *, /, comparisons, ~, &, |, ^, =>, <=>, E and A"


def read_rule(given: object, what: str) -> Source:
    """Return a rule that is a text or a tree with its places; `what` says in errors what the formula is a rule of.

    Raises SyntaxProblem, and FibproverError for what is neither.
    """
    if not isinstance(given, str | Formula | Source):
        raise FibproverError(f"{what} must be a formula, as a string, not {given!r}")
    try:
        return read(given, {})
    except RecursionError:
        raise FibproverError(f"the formula is nested too deeply: {what}") from None


def check_rule(source: Source, allowed: Sequence[str], what: str) -> None:
    """Raise an error, with the place, for a formula that is no rule.

    UnknownName for free variables other than the allowed ones; NotSupported for anything beyond linear arithmetic with
    quantifiers; TypeMismatch for products of variables.
    """
    for at in source.root.all():
        place = (source.text, at.span.start, at.span.end)
        if type(at.node) in REFUSED:
            raise NotSupported(REFUSED[type(at.node)], *place, hint=ALLOWED)
        if isinstance(at.node, Quantified) and at.node.kind == "I":
            raise NotSupported("rules cannot use the quantifier I", *place, hint=ALLOWED)
    for at in free_occurrences(source.root):
        if isinstance(at.node, Variable) and at.node.name not in allowed:
            names = " and ".join([", ".join(allowed[:-1]), allowed[-1]])
            raise UnknownName(
                f"{what} are a formula in {names}; {at.node.name} is not among these variables",
                source.text, at.span.start, at.span.end,
            )
    resolve_rule(source)


def resolve_rule(rule: str | Formula | Source) -> ResolvedFormula:
    """Return a rule with its names resolved and its terms taken apart."""
    try:
        return resolve(read(rule, {}), Environment(system_named, SYSTEM, {}, {}, {}))
    except RecursionError:
        raise FibproverError("the formula is nested too deeply") from None


def rule_automaton(session: Session, formula: Formula, names: Sequence[str], limits: Limits) -> Dfa:
    """Return the automaton of a formula over all the given variables, whether the formula contains them or not.

    The variables are numbers of the session's system; the tracks are sorted by name.  Raises BudgetSpent when a limit
    is reached.
    """
    from fibprover.automata import operations
    from fibprover.prover.verdict.relation import Relation

    budget = limits.start()
    system = session.namespace.system(session.namespace.default_system)
    everything = operations.cartesian_product([system.valid.renamed([name]) for name in names], budget)
    outcome = session.eval(formula, limits=limits)
    if isinstance(outcome, Relation):
        return operations.conjunction(outcome.automaton, everything, budget)
    return everything if outcome else operations.empty(everything.tracks)
