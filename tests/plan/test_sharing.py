"""Terms shared: comparisons modulo the equations beside and above them, equal variables made one."""

from __future__ import annotations

import pytest

from fibprover.plan.textbook import textbook
from tests.plan.making import automaton, plan, resolved


def same(text: str) -> None:
    """The plan means what the textbook's does."""
    assert automaton(plan(text)) == automaton(textbook(resolved(text))), text


class TestVariablesMadeOne:
    @pytest.mark.parametrize("quantifier", ["E>=2 z", "Iz", "Ez"])
    def test_what_becomes_false_is_about_its_variables_still(self, quantifier: str) -> None:
        same(f"Ex x=y & ({quantifier} z<3 & x<y)")
        same(f"Ex x=y & ~({quantifier} z>3 & x<y)")
