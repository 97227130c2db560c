"""The groups are complete scripts of the paper's commands, and give the verdicts that are expected."""

from __future__ import annotations

import json

import pytest

from benchmarks.groups import PROOFS, WYTHOFF, Group, paper_groups, wythoff_group
from benchmarks.job import carried_out
from benchmarks.measure import job_of
from tests.few import few

PRINTED = [line for line in (PROOFS / "paper_commands.txt").read_text().splitlines() if line and line[0] != "#"]
GROUPS = {group.name: group for group in paper_groups()}
PARTS = [group for name, group in GROUPS.items() if name != "all"]


def test_seven_groups_and_all_of_them() -> None:
    assert list(GROUPS) == ["K", "sequences", "nr", "W2", "W3", "W2-redundant", "W3-redundant", "all"]


def test_together_they_have_every_printed_command_and_what_the_paper_describes() -> None:
    whole = GROUPS["all"].commands
    assert len(PRINTED) == 72 and set(PRINTED) <= set(whole)
    added = [command.split()[1] for command in whole if command not in PRINTED]
    assert added == ["pposK4", "stableK4", "absorbingK4", *["nr_1", "nr_2", "nr_3"] * 3]
    assert {command for group in PARTS for command in group.commands} == set(whole)


@pytest.mark.parametrize("group", GROUPS.values(), ids=list(GROUPS))
def test_commands_are_in_the_order_of_the_paper(group: Group) -> None:
    order = GROUPS["all"].commands
    places = [order.index(command) for command in group.commands]
    assert places == sorted(set(places))


def test_a_group_has_the_evals_it_is_about() -> None:
    evals = {name: [c.split()[1] for c in group.commands if c.startswith("eval")] for name, group in GROUPS.items()}
    assert evals["W2"] == ["stable", "absorbing"] and evals["W3"] == ["stableW3", "absorbW3"]
    assert evals["W2-redundant"] == ["opt2W2"] * 2 and evals["W3-redundant"] == ["redundantW3_1", "redundantW3_2"]
    assert len(evals["nr"]) == 12 and [name for name in evals["K"] if "K" in name] == [
        f"{word}K{level}" for level in (2, 1, 3, 4) for word in ("stable", "absorbing")
    ]
    assert all(len(evals[name]) == len(group.expected) for name, group in GROUPS.items())


def test_words_are_those_that_occur() -> None:
    assert GROUPS["K"].words == ("G", "K3", "K4") and GROUPS["W2-redundant"].words == ()
    assert set(GROUPS["sequences"].words) == {"G", "F1G1", "F2G2"}


SMALL = [*PARTS, *(wythoff_group(m) for m in WYTHOFF if m < 8)]


@pytest.mark.parametrize("group", few(SMALL, 4), ids=[group.name for group in SMALL])
def test_a_group_runs_by_itself_and_gives_the_expected_verdicts(group: Group) -> None:
    answer = carried_out(json.loads(job_of(group).text()))
    assert (answer["error"], answer["spent"]) == ("", "")
    done = answer["commands"]
    assert [command["name"] for command in done] == [command.split()[1] for command in group.commands]
    assert [command["verdict"] for command in done if command["verdict"] is not None] == list(group.expected)
    assert all(command["largest"] >= command["states"] >= 1 for command in done)


@pytest.mark.long
@pytest.mark.parametrize("name", ["all", "wythoff-10"])
def test_the_larger_groups_too(name: str) -> None:
    group = GROUPS.get(name) or wythoff_group(10)
    answer = carried_out(json.loads(job_of(group).text()))
    assert [c["verdict"] for c in answer["commands"] if c["verdict"] is not None] == list(group.expected)
