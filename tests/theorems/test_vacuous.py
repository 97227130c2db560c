"""The report's column on vacuity."""

from __future__ import annotations

import pytest

from tests.theorems.scripts import EMPTY, TRUE, Prove, Write, cells


def test_a_vacuous_theorem_is_as_expected_and_said_to_be_vacuous(write: Write, prove: Prove) -> None:
    status, objects, out, err = prove(write(TRUE + EMPTY))
    assert (status, err) == (0, "")
    assert [row["vacuous"] for row in objects] == [[], ["m>n"]]
    assert (cells(out, "v")["vacuous"], cells(out, "t.true")["vacuous"]) == ("YES", "no")
    assert "v says nothing about m>n" in out and "vacuity" in out.splitlines()[-1]


def test_vacuity_can_be_left_out(write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch) -> None:
    import fibprover as fp

    def looked_for(self: fp.Verdict, deep: bool = False) -> object:
        raise AssertionError("nobody asked")

    monkeypatch.setattr(fp.Verdict, "vacuity", looked_for)
    status, objects, out, _ = prove(write(TRUE + EMPTY), "--no-vacuity")
    assert status == 0 and [row["vacuous"] for row in objects] == [None, None]
    assert "vacu" not in out


def test_vacuity_under_the_textbook_plan_is_the_same(write: Write, prove: Prove) -> None:
    _, objects, _, _ = prove(write(TRUE + EMPTY), "--plan", "textbook")
    assert [row["vacuous"] for row in objects] == [[], ["m>n"]]


def test_what_the_limits_leave_open_is_null_and_said(
    write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fibprover as fp
    from fibprover.language.source import Span
    from fibprover.prover.verdict.vacuity import UNDECIDED, UNUSED, VacuousPart

    def spent(self: fp.Verdict, deep: bool = False) -> tuple[VacuousPart, ...]:
        return tuple(VacuousPart(grade, "x=x", Span(3, 6), False, self.text) for grade in (UNUSED, UNDECIDED))

    monkeypatch.setattr(fp.Verdict, "vacuity", spent)
    status, objects, out, err = prove(write(TRUE))
    assert (status, err, objects[0]["vacuous"]) == (0, "", None)
    assert cells(out, "t.true")["vacuous"] == "?"
    assert "t.true: the limits do not suffice to see whether it is vacuous" in out
