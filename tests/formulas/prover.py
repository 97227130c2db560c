"""Sessions that know the words and predicates of generated formulas, and sessions' answers as tables."""

from __future__ import annotations

from functools import cache
from itertools import product

import fibprover as fp
from fibprover.base.limits import Limits
from tests.oracle.definitions import WORDS, predicates_of
from tests.oracle.strategies import Case

#: A formula that needs more than this is discarded, and counted.
BUDGET = Limits(states=200_000, seconds=20)


@cache
def session(system: str) -> fp.Session:
    """A session over a system with everything that definitions.py has for it; "": all its words."""
    made = fp.Session(system or "msd_2", limits=BUDGET)
    for word in WORDS:
        if not system or word.system == system:
            made.define_morphic_word(word.name, word.rows, word.outputs, system=word.system)
    for predicate in predicates_of(system).values():
        made.run(predicate.command)
    return made


def truth(case: Case, plan: str) -> bool:
    """The verdict on a closed formula."""
    return bool(session(case.system).eval(case.text, plan=plan))


def relation(case: Case, plan: str) -> fp.Relation:
    """The relation of an open formula."""
    return session(case.system).relation(case.text, plan=plan)


def table(found: fp.Relation, variables: int, largest: int) -> dict[tuple[int, ...], bool]:
    """Membership of every tuple with components 0..largest."""
    return {values: values in found for values in product(range(largest + 1), repeat=variables)}
