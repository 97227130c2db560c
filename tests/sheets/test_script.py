"""Sheets as scripts for Walnut, carried out by `fibprover run`."""

from __future__ import annotations

import itertools
import re

import pytest

import fibprover as fp
from fibprover.language.commands import EvalCommand
from fibprover.prover.verdict.verdict import Verdict

IDS = ("squares", "overlaps", "palindrome-lengths", "complexity", "rich")


@pytest.mark.parametrize("word", ["T", "F", "0->012, 1->120, 2->201", "0->0001, 1->1110", "pell"])
def test_a_script_has_the_same_verdicts(word: str) -> None:
    sheet = fp.study(word, only=IDS, limits=fp.Limits(seconds=60))
    results = {
        command.name: found for command, found in fp.Session().run(sheet.to_script())
        if isinstance(command, EvalCommand)
    }
    for line in sheet.lines:
        found = results[f"{sheet.name}_{line.id.replace('-', '_')}"] if line.kind in ("claim", "sequence") else None
        if line.kind == "claim":
            assert isinstance(found, Verdict) and bool(found) == (line.status == "proved")
    assert [line.kind for line in sheet.lines].count("claim") == 3


def test_a_line_is_a_script_by_itself() -> None:
    sheet = fp.study("T", only=IDS)
    for line in sheet.lines:
        script = sheet.to_script(line.id)
        assert f'"{line.formula}":' in script
        assert len(fp.Session().run(script)) == script.count('":')


def test_factors_are_compared_with_prefixes() -> None:
    """The predicates of a script say by how much a factor exceeds the prefix of its length."""
    sheet = fp.study("0->012, 1->120, 2->201", only=["abelian-square-orders", "additive-cube-orders"])
    session = fp.Session()
    session.run(sheet.to_script())
    sums = list(itertools.accumulate(sheet.word.prefix(60), initial=0))
    ones = list(itertools.accumulate((each == 1 for each in sheet.word.prefix(60)), initial=0))
    for name, counts in (("excess_W", sums), ("excess1_W", ones)):
        pairs = session.relation(f"?{sheet.system} ${name}(j,n,u,v)")
        for j, n in itertools.product(range(25), repeat=2):
            more = counts[j + n] - counts[j] - counts[n]
            assert (j, n, max(-more, 0), max(more, 0)) in pairs
            assert (j, n, max(-more, 0) + 1, max(more, 0) + 1) not in pairs
        assert session.prove(f"?{sheet.system} Aj,n E=1 u,v ${name}(j,n,u,v)")


def test_what_walnut_does_not_have_is_defined_before_it_is_called() -> None:
    script = fp.study("0->01, 1->10, 2->22", only=["critical-exponent", "rich", "unbordered"]).to_script()
    known: set[str] = set()
    for name, formula in re.findall(r'^(?:def|eval) (\w+).*? "(.*)":$', script, re.MULTILINE):
        assert set(re.findall(r"\$(\w+)", formula)) <= known
        known.add(name)
    assert known >= {"feq_W", "per_W", "pal_W", "border_W"}
    assert script.startswith("morphism W_states_h")


def test_a_word_of_ones_own_is_not_that_of_walnuts_library() -> None:
    session = fp.Session()
    word = session.define_morphic_word("F", [[0, 1], [1, 1]], [0, 1])
    script = fp.study(word, only=["squares"]).to_script()
    assert 'morphism F_states_h "0->01 1->11";' in script


def test_a_system_that_walnut_does_not_have() -> None:
    script = fp.study("0->01, 1->0", only=["squares"]).to_script()
    assert script.startswith("#") and "custom base" in script and "morphism" not in script


def test_open_lines_are_left_out() -> None:
    """The numbers of letters in prefixes of PD have no automaton: no `solve` for one stands before the other lines."""
    sheet = fp.study("PD", only=["squares", "balance-0"], limits=fp.Limits(seconds=1))
    assert [line.status for line in sheet.lines] == ["proved", "open"]
    script = sheet.to_script()
    assert "solve" not in script
    assert "PD_balance_0" not in script
    verdict = fp.Session().run(script)[-1][1]
    assert isinstance(verdict, Verdict)
    assert verdict.truth
