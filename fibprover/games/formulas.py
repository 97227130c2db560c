"""The formulas that rules are given by: linear arithmetic on a few named numbers, in no particular numeration system.

`parse_rule` checks a formula when a game is made, so that errors show their place in the user's text;
`substitute_terms` puts terms in place of its variables; `resolve_rule` and `rule_automaton` prepare it for the solvers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fibprover.base.errors import FibproverError, NotSupported, UnknownName
from fibprover.language.parser import parse_formula, term_within
from fibprover.language.source import Source, free_occurrences
from fibprover.language.tree import (
    Call,
    InSystem,
    Letter,
    Negative,
    Quantified,
    Reversed,
    SystemTerm,
    Variable,
    WordValue,
    term,
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


def free_variables(text: str) -> set[str]:
    """Return the names of the free variables of a formula; none if it is malformed, which `parse_rule` reports."""
    try:
        return set(parse_formula(text).formula.free)
    except FibproverError:
        return set()


def parse_rule(text: str, allowed: Sequence[str], what: str) -> Source:
    """Return the syntax tree of a rule; `what` says in errors what the formula is a rule of.

    Raises SyntaxProblem; UnknownName for free variables other than the allowed ones; NotSupported for anything beyond
    linear arithmetic with quantifiers; TypeMismatch for products of variables.
    """
    if not isinstance(text, str):
        raise FibproverError(f"{what} must be a formula, as a string, not {text!r}")
    source = parse_formula(text)
    try:
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
                    f"{what} are a formula in {names}, and {at.node.name} is none of them",
                    source.text, at.span.start, at.span.end,
                )
    except RecursionError:
        raise FibproverError(f"the formula is nested too deeply: {what}") from None
    resolve_rule(text)
    return source


def resolve_rule(text: str) -> ResolvedFormula:
    """Return a rule with its names resolved and its terms taken apart."""
    try:
        return resolve(parse_formula(text), Environment(system_named, SYSTEM, {}, {}, {}))
    except RecursionError:
        raise FibproverError("the formula is nested too deeply") from None


def substitute_terms(source: Source, terms: Mapping[str, str]) -> str:
    """Return the text of a rule with terms in place of its free variables; bound variables are renamed on a clash."""
    read = {name: term_within(text, 0, len(text)).node for name, text in terms.items()}
    return str(source.formula.substitute({name: term(each) for name, each in read.items()}))


def rule_automaton(session: Session, formula: str, names: Sequence[str], limits: Limits) -> Dfa:
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
