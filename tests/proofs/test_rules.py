"""Every command of the paper comes to the same with any one rule of the optimized plan switched off."""

from __future__ import annotations

from functools import cache

import pytest

import fibprover as fp
from fibprover.automata.dfa import Dfa
from fibprover.base.limits import Limits
from fibprover.language.commands import DefCommand, EvalCommand, RegCommand, parse_script
from fibprover.prover.plan.rules import RULES
from tests.proofs.chapters import PROOFS

SCRIPT = (PROOFS / "paper_commands.txt").read_text()
LIMITS = Limits(states=2_000_000, seconds=60)


def results(off: tuple[str, ...]) -> list[tuple[str, Dfa | bool]]:
    """What the commands come to, in order."""
    session = fp.Session("msd_fib", limits=LIMITS, without=off)
    session.load_words(PROOFS / "words.json")
    found: list[tuple[str, Dfa | bool]] = []
    for command in parse_script(SCRIPT):
        assert isinstance(command, DefCommand | EvalCommand | RegCommand)
        outcome = session.execute(command, SCRIPT)
        assert isinstance(outcome, fp.Verdict | fp.Relation)
        found.append((command.name, outcome.truth if isinstance(outcome, fp.Verdict) else outcome.automaton))
    return found


@cache
def expected() -> list[tuple[str, Dfa | bool]]:
    return results(())


@pytest.mark.long
@pytest.mark.parametrize("rule", RULES)
def test_without_one_rule(rule: str) -> None:
    found = results((rule,))
    different = [name for (name, one), (_, other) in zip(expected(), found, strict=True) if one != other]
    assert len(found) == 72 and not different
