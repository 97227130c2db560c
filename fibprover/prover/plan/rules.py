"""The rules of the optimized plan, each with a name under which it can be switched off.

docs/planning.md explains them.  A plan carries the rules that are enabled; the resulting relation does not
depend on them.
"""

from __future__ import annotations

from collections.abc import Iterable

from fibprover.base.errors import FibproverError, most_similar

NORMAL_FORM = "normal-form"
GUARDED_DIFFERENCE = "guarded-difference"
PUSH_GUARD = "push-guard"
EMPTY_GUARD = "empty-guard"
JOIN_ORDER = "join-order"
SHARE_TERMS = "share-terms"
CACHE = "cache"
COUNTING = "counting"
STRATEGIES = "strategies"
LEARN = "learn"
RECOGNIZE = "recognize"
SPLIT_SUMS = "split-sums"
BACKWARDS = "backwards"
RANGES = "ranges"

#: What each rule does, in the order of the design.
PURPOSE = {
    NORMAL_FORM: "negations move inwards, double ones vanish, E goes into disjunctions",
    GUARDED_DIFFERENCE: "a negated part is taken away from what its neighbours allow; no complement is built",
    PUSH_GUARD: "what the neighbours allow is joined into a negated part before that is projected",
    EMPTY_GUARD: "an empty part ends its conjunction",
    JOIN_ORDER: "conjunctions are joined cheapest first, and variables projected as soon as possible, one by one",
    SHARE_TERMS: "equal terms become one variable, and comparisons are taken modulo the equations beside them",
    CACHE: "equal parts of a formula, up to the names of variables, are evaluated once",
    COUNTING: "copies with pairwise !=, and 'no other one', become counts; alternatives are counted apart",
    STRATEGIES: "a projection that grows is also tried from the end of its words, and with fewer states in each set",
    LEARN: "a bounded quantifier that costs too much is learned from its recursion, and proved",
    RECOGNIZE: "equality of factors and palindromes that are written out become calls of the predicates of their word",
    SPLIT_SUMS: "a sum of five variables or more, whose terms have nothing else in common, is taken term by term",
    BACKWARDS: "a formula about a language that is far smaller read from the other end is evaluated from there",
    RANGES: "two inequalities that bound one sum are one atom",
}

RULES = tuple(PURPOSE)

#: The names of the enabled rules.
Rules = frozenset[str]

ALL: Rules = frozenset(RULES)


def without(names: Iterable[str]) -> Rules:
    """Return all rules except these.  FibproverError for an unknown name."""
    off = frozenset([names] if isinstance(names, str) else names)
    for name in sorted(off - ALL):
        near = most_similar(name, list(RULES))
        hint = f"did you mean {near}?" if near else f"the rules are {', '.join(RULES)}"
        raise FibproverError(f"unknown rule {name!r} of the optimized plan", hint=hint)
    return ALL - off
