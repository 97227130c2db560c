"""The theorems of proofs/: their verdicts, that controls can fail, and what the printed forms miss."""

from __future__ import annotations

import re

import pytest

from fibprover.campaigns.theorems.chapter import Chapter, DeclaredDefinition, DeclaredTheorem, claim_of
from fibprover.campaigns.theorems.proof_report import Row
from fibprover.campaigns.theorems.runner import run
from fibprover.campaigns.theorems.task import ProofSettings
from tests.proofs.chapters import (
    CLAIMS,
    FOUND,
    FURTHER,
    HEAVIEST,
    HEAVY,
    LONG,
    SLOW,
    TOO_HEAVY,
    VERY_LONG,
    chapter,
    session,
)

QUICK = [one for one in FOUND.chapters if one.title not in SLOW + FURTHER]
LIGHT = [one for one in QUICK if one.title not in HEAVY + TOO_HEAVY]
#: The ids of the claims that `make test` tries.
QUICK_IDS = [claim.id for one in QUICK for claim in map(claim_of, one.declarations) if claim is not None]

VERY_LONG_IDS = {
    claim.id for title in VERY_LONG for claim in map(claim_of, chapter(title).declarations) if claim is not None
}


@pytest.fixture(scope="module")
def rows() -> dict[str, Row]:
    """The rows of all theorems, under both plans where the textbook plan takes no more than seconds.

    The rows of long theorems say that they were skipped, and slow chapters and further members of families have none.
    """
    results = [
        *run(LIGHT, ProofSettings(textbook=True)),
        *run([one for one in QUICK if one not in LIGHT], ProofSettings()),
    ]
    assert all(isinstance(result, Row) for result in results), results
    return {result.claim.id: result for result in results if isinstance(result, Row)}


def test_the_scripts_can_be_imported_and_declare_what_they_should() -> None:
    assert FOUND.problems == ()
    forms = [claim.form for claim in CLAIMS if isinstance(claim, DeclaredTheorem)]
    assert min(forms.count("printed"), forms.count("strong"), forms.count("control")) >= 8
    assert [claim.states_paper for claim in CLAIMS if isinstance(claim, DeclaredDefinition)] == [27, 73, 28]
    names = {claim.id for claim in CLAIMS}
    assert {"pposK2", "K2.stable", "K2.absorbing", "K2.terminal", "g.by_h", "K0.stable", "K0.absorbing"} <= names


@pytest.mark.parametrize("name", [name for name in QUICK_IDS if name not in {claim.id for claim in LONG}])
def test_every_verdict_is_the_expected_one(rows: dict[str, Row], name: str) -> None:
    row = rows[name]
    assert not row.problem
    assert row.verdict is row.expected
    assert row.expected is (row.form != "control")


def test_long_theorems_are_skipped(rows: dict[str, Row]) -> None:
    assert len(LONG) >= 100
    assert {name for name, row in rows.items() if row.skipped} == {claim.id for claim in LONG if claim.id in QUICK_IDS}


@pytest.mark.long
def test_long_theorems_have_the_expected_verdicts() -> None:
    homes = [one for one in FOUND.chapters if one not in QUICK or any(claim in one.declarations for claim in LONG)]
    assert unexpected([one for one in homes if one.title not in VERY_LONG]) == []


@pytest.mark.very_long
@pytest.mark.parametrize("title", VERY_LONG)
def test_very_long_chapters_have_the_expected_verdicts(title: str) -> None:
    assert unexpected([chapter(title)]) == []


def unexpected(chapters: list[Chapter]) -> list[object]:
    """What is not a row with the expected verdict, of all statements of these chapters."""
    return [row for row in run(chapters, ProofSettings(long=True)) if not (isinstance(row, Row) and row.as_expected)]


def test_both_plans_agree_on_every_definition_and_theorem(rows: dict[str, Row]) -> None:
    claims = [claim for one in LIGHT for claim in map(claim_of, one.declarations) if claim is not None]
    light = [rows[claim.id] for claim in claims if claim not in LONG]
    assert len(light) > 200
    assert [row.problem for row in light if not row.as_expected] == []
    assert all(row.states_textbook is not None for row in light)


@pytest.mark.long
@pytest.mark.parametrize("title", [
    pytest.param(title, marks=[pytest.mark.very_long] if title in HEAVIEST else [])
    for title in (*HEAVY, *(title for title in FURTHER if title not in HEAVY + TOO_HEAVY))
])
def test_both_plans_agree_on_what_is_heavy_too(title: str) -> None:
    results = list(run([chapter(title)], ProofSettings(textbook=True)))
    tried = [result for result in results if not (isinstance(result, Row) and result.skipped)]
    assert tried
    assert [result for result in tried if not (isinstance(result, Row) and result.as_expected)] == []


# -- controls say where they fail: so they do ---------------------------------------------------------


PLACE = re.compile(r"fails (?:at|from) (?:[a-z] = (\d+)|\((\d+),(\d+)\))(?: to \((\d+),(\d+)\))?")
CONTROLS = [claim for claim in CLAIMS if isinstance(claim, DeclaredTheorem) and claim.form == "control"]
PLACED = [
    pytest.param(
        claim, id=claim.id,
        # Of those that are quick, which all are refuted above, every second one says where.
        marks=[
            *([pytest.mark.long] if claim.long or claim.id not in QUICK_IDS or number % 2 else []),
            *([pytest.mark.very_long] if claim.id in VERY_LONG_IDS else []),
        ],
    )
    for number, claim in enumerate(CONTROLS)
    if PLACE.search(claim.statement) and re.match(r"(\?\w+ )?A", claim.formula)
]


@pytest.mark.parametrize("claim", PLACED)
def test_a_control_fails_where_its_statement_says(claim: DeclaredTheorem) -> None:
    (home,) = (one for one in FOUND.chapters if claim in one.declarations)
    evidence = session(home.title).prove(claim.formula).evidence
    found = PLACE.search(claim.statement)
    assert found is not None and evidence is not None
    wanted = [int(number) for number in found.groups() if number is not None]
    assert list(evidence.values.values())[: len(wanted)] == wanted


def test_most_controls_say_where_they_fail() -> None:
    assert len(PLACED) >= 100


@pytest.mark.parametrize("name", [c.id for c in CLAIMS if isinstance(c, DeclaredTheorem) and c.form == "strong"])
def test_every_strong_form_has_a_control_that_shows_how_it_can_fail(name: str) -> None:
    assert any(control.id.startswith(name + ".") for control in CONTROLS)


# -- what the printed formulas do not notice -----------------------------------------------------------


def printed(title: str) -> list[DeclaredTheorem]:
    theorems = (step for step in chapter(title).declarations if isinstance(step, DeclaredTheorem))
    return [theorem for theorem in theorems if theorem.form == "printed"]


@pytest.mark.parametrize("word", ["G0", "G1"])
def test_the_printed_statements_on_g_hold_for_other_first_letters(word: str) -> None:
    made = session("The sequences h and g")
    about_g = [theorem for theorem in printed("The sequences h and g") if "G[" in theorem.formula]
    assert len(about_g) == 2
    for theorem in about_g:
        assert made.prove(theorem.formula.replace("G[", f"{word}["))


def test_the_words_of_the_controls_differ_from_g_where_they_say_and_nowhere_else() -> None:
    made = session("The sequences h and g")
    for number in (0, 1, 2):
        assert made.relation(f"G[n]!=G{number}[n]").values(9) == [number]


def test_the_word_of_both_scripts_is_one() -> None:
    one, other = (session(title).namespace.words["G"].machine for title in ("The sequences h and g", "The game K^2"))
    assert one == other


def test_the_word_is_g_by_its_definition_on_the_first_numbers() -> None:
    golden = (1 + 5**0.5) / 2
    g = [1, 0]
    for n in range(2, 200):
        partners = [m for m in range(n) if int(n * golden) == int(m * (golden + 1)) + 1]
        g.append(1 - g[partners[0]] if partners else 1)
    made = session("The sequences h and g")
    (ones,) = zip(*made.relation("G[n]=1 & n<200").first(200), strict=True)
    assert list(ones) == [n for n, value in enumerate(g) if value == 1]
