"""The identity of numeration systems: what one name means in two sessions, runs or files is not confused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.automata.dfa import Track
from fibprover.automata.formats.exports import from_networkx, to_networkx
from fibprover.base.errors import AutomatonError, FibproverError, FormatError, TypeMismatch
from fibprover.numeration.composed import given_system
from fibprover.numeration.registry import system_named
from fibprover.numeration.system import NumerationSystem, identified
from fibprover.prover.environment import Definition
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.walnut import automaton_text, parse_automaton

FIBONACCI = ((1, 1), (1, 2))
POWERS = ((2,), (1,))


def own(rule: tuple[tuple[int, ...], tuple[int, ...]]) -> fp.Session:
    session = fp.Session()
    session.add_system(fp.recurrence_system("own", *rule))
    return session


def test_a_relation_does_not_change_its_meaning_in_another_session() -> None:
    first, second = own(FIBONACCI), own(POWERS)
    four = first.relation("?own x=4")
    with pytest.raises(FibproverError, match="msd_own"):
        second.define("p", four)
    assert "p" not in second.namespace.definitions
    for combine in (Relation.__and__, Relation.__or__, Relation.__sub__, Relation.__xor__, Relation.__le__):
        for other in ("?own x=4", "?own y=4"):
            with pytest.raises(AutomatonError, match="msd_own"):
                combine(four, second.relation(other))
    assert four != second.relation("?own x=4")
    assert four == own(FIBONACCI).relation("?own x=4")


def test_a_relation_brings_its_system_along() -> None:
    four = own(FIBONACCI).relation("?own x=4")
    other = fp.Session()
    other.define("p", four)
    assert other.prove("?own Ax $p(x) <=> x=4")
    same = own(FIBONACCI)
    same.define("p", four)
    assert same.prove("?own Ax $p(x) <=> x=4")


def test_an_automaton_that_comes_without_its_system_is_refused_where_it_is_used() -> None:
    first, second = own(FIBONACCI), own(POWERS)
    second.namespace.definitions["p"] = Definition("p", first.relation("?own x=4").automaton)
    with pytest.raises(TypeMismatch):
        second.prove("?own Ax $p(x) => x=5")


def test_the_same_system_has_the_same_identity_however_it_is_given() -> None:
    fib = system_named("msd_fib")
    adder = fib.linear((1, 1, -1), "=", 0)
    systems: list[NumerationSystem] = [
        fp.recurrence_system("own", *FIBONACCI),
        fp.recurrence_system("other", *FIBONACCI),
        given_system("msd_third", fib.valid, adder, None),
    ]
    assert len({identified(system).identity for system in systems}) == 1
    others = [fp.recurrence_system("own", *POWERS), system_named("msd_neg_2"), system_named("msd_ost_0_1_per_2")]
    assert len({identified(system).identity for system in (*systems, *others)}) == 4


@pytest.mark.long
@pytest.mark.parametrize("name", ["msd_own", "lsd_own"])
def test_every_automaton_of_a_system_carries_its_identity(name: str) -> None:
    for made in (
        fp.recurrence_system("own", *FIBONACCI), fp.ostrowski("sqrt(3)", "own"),
        given_system("msd_own", *(lambda s: (s.valid, s.linear((1, 1, -1), "=", 0)))(system_named("msd_trib")), None),
    ):
        session = fp.Session()
        added = session.add_system(made)
        assert added.identity and session.add_system(made).identity == added.identity
        system = session.namespace.system(name)
        automata = [system.valid, system.less(), system.linear((2, -1), "=", 3), system.linear((1,), "<", 1 << 40)]
        for automaton in automata:
            assert {track.identity for track in automaton.tracks} == {added.identity}
        assert session.prove(f"?{name} Ax,y x<y => (Ez z>0 & x+z=y)")
        assert session.relation(f"?{name} Ey x=2*y").values(4) == [0, 2, 4, 6]


def test_built_in_systems_have_none() -> None:
    for name in ("msd_2", "lsd_fib", "msd_neg_fib", "msd_ost_0_1_per_2"):
        assert system_named(name).identity == ""
    assert fp.Session().add_system(system_named("msd_9999")) is system_named("msd_9999")


def test_games_refuse_another_system_under_a_built_in_name() -> None:
    with pytest.raises(FibproverError, match="msd_fib"):
        fp.discover("i=0 | j=0 | i=j", [fp.recurrence_system("msd_fib", *POWERS)])
    theorem = fp.discover("i=0 | j=0 | i=j", [fp.recurrence_system("own", *FIBONACCI)], with_findings=False)
    assert theorem and theorem.system.identity
    with pytest.raises(FibproverError, match="msd_own"):
        own(POWERS).define("P", theorem.relation)


def test_files_say_which_system_they_are_about(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    first = fp.Session()
    first.namespace.use_folders(home)
    first.add_system(fp.recurrence_system("own", *FIBONACCI))
    first.define("four", "?own x=4")
    again = fp.Session()
    again.namespace.use_folders(home)
    assert again.prove("?own Ax $four(x) <=> x=4")
    shutil.rmtree(home / "Custom Bases")
    other = fp.Session()
    other.namespace.use_folders(home)
    other.add_system(fp.recurrence_system("own", *POWERS))
    with pytest.raises(FormatError, match="four"):
        other.prove("?own Ax $four(x) => x=5")


def test_remarks_on_other_systems_and_files_without_remarks_are_read() -> None:
    session = own(FIBONACCI)
    automaton = session.relation("?own x=4").automaton
    text = automaton_text(automaton)
    assert parse_automaton(text, "f", session.namespace.track, ["x"]) == automaton
    without = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    assert without != text
    assert parse_automaton(without, "f", session.namespace.track, ["x"]) == automaton
    other = f"# msd_else has the identity 12ab\n{text}"
    assert parse_automaton(other, "f", session.namespace.track, ["x"]) == automaton


def test_graphs_keep_the_identity() -> None:
    pytest.importorskip("networkx")
    automaton = own(FIBONACCI).relation("?own x=4").automaton
    assert from_networkx(to_networkx(automaton)) == automaton
    assert automaton.tracks[0] != Track("x", (0, 1), "msd_own")


def test_both_digit_orders_of_a_name_are_of_one_system() -> None:
    first, other = own(FIBONACCI), fp.Session()
    backwards = first.relation("?lsd_own n<8 & n>3")
    first.define("p", backwards)
    other.define("p", backwards)
    with pytest.raises(FibproverError, match="msd_own"):
        other.add_system(fp.recurrence_system("own", *POWERS))
    assert other.eval("`$p(n)") == first.eval("`$p(n)")
    assert other.relation("`$p(n)").values() == [4, 5, 6, 7]
    assert other.relation("?msd_own n<3").values() == [0, 1, 2]


def test_an_automaton_of_another_system_makes_no_word_and_no_relation() -> None:
    first, second = own(FIBONACCI), own(POWERS)
    first.run('def even "?msd_own Ek n=2*k"; combine W even;')
    with pytest.raises(AutomatonError, match="msd_own"):
        second.namespace.add_word("W", first.namespace.words["W"].machine)
    assert "W" not in second.namespace.words
    with pytest.raises(AutomatonError, match="msd_own"):
        Relation(first.relation("?own x=4").automaton, second.namespace.system)


def test_a_system_in_the_folders_is_not_overwritten(tmp_path: Path) -> None:
    first = own(FIBONACCI)
    sessions = [fp.Session(), fp.Session(), fp.Session()]
    for session in sessions:
        session.namespace.use_folders(tmp_path)
    sessions[0].add_system(fp.recurrence_system("own", *FIBONACCI))
    sessions[0].run('def p "?msd_own n=4";')
    with pytest.raises(FibproverError, match="msd_own"):
        sessions[1].add_system(fp.recurrence_system("own", *POWERS))
    assert sessions[2].eval("$p(n)") == first.relation("?msd_own n=4")
    assert sessions[2].add_system(fp.recurrence_system("own", *FIBONACCI)) is sessions[2].namespace.system("own")


def test_a_system_is_made_of_the_automata_of_another_one() -> None:
    system = own(FIBONACCI).namespace.system("own")
    made = given_system("msd_third", system.valid, system.linear((1, 1, -1), "=", 0), None)
    assert identified(made).identity == system.identity
