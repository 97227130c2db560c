"""Plans from texts, in the session that the wild formulas use."""

from __future__ import annotations

from functools import cache

import fibprover as fp
from fibprover.automata.dfa import Dfa
from fibprover.base.limits import UNLIMITED
from fibprover.language.parser import parse_formula
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.evaluate.executor import evaluate
from fibprover.prover.logic import ResolvedFormula
from fibprover.prover.lower import resolve
from fibprover.prover.plan import steps
from fibprover.prover.plan.optimize import optimized
from fibprover.prover.plan.rules import COUNTING, SHARE_TERMS, without
from fibprover.prover.plan.steps import Plan, Step
from tests.plan.wild import session


@cache
def known() -> fp.Session:
    """One session for all tests that do not change it."""
    return session()


def resolved(text: str) -> ResolvedFormula:
    """The logic of a formula."""
    return resolve(parse_formula(text), known().namespace.environment())


def plan(text: str, *off: str) -> Plan:
    """The optimized plan of a formula, some rules switched off."""
    return optimized(resolved(text), without(off))


def root(text: str, *off: str) -> Step:
    """The first step of the optimized plan, terms not shared: the atoms are those of the formula."""
    return plan(text, *(off or (SHARE_TERMS, COUNTING))).root


def automaton(made: Plan) -> Dfa:
    """What a plan comes to, without a cache that remembers."""
    return evaluate(made, known().namespace.system, Cache(), UNLIMITED).automaton


def every(step: Step) -> list[Step]:
    """The step and all steps it is made from."""
    return [step, *(below for child in steps.children(step) for below in every(child))]
