"""The theorems of proofs/: what is declared, that controls can fail, and what the printed forms miss.

Their verdicts are looked at in test_verdicts.py and test_both_plans.py, chapter by chapter.
"""

from __future__ import annotations

import re

import pytest

from fibprover.campaigns.theorems.chapter import DeclaredDefinition, DeclaredTheorem
from tests.proofs.chapters import CLAIMS, FOUND, QUICK, VERY_LONG, chapter, claims_of, session

#: The ids of the claims that `make test` tries.
QUICK_IDS = [claim.id for one in QUICK for claim in claims_of(one)]

VERY_LONG_IDS = {claim.id for title in VERY_LONG for claim in claims_of(chapter(title))} | {"fraenkel_4_1.stable.moved"}


def test_the_scripts_can_be_imported_and_declare_what_they_should() -> None:
    assert FOUND.problems == ()
    forms = [claim.form for claim in CLAIMS if isinstance(claim, DeclaredTheorem)]
    assert min(forms.count("printed"), forms.count("strong"), forms.count("control")) >= 8
    assert [claim.states_paper for claim in CLAIMS if isinstance(claim, DeclaredDefinition)] == [27, 73, 28]
    names = {claim.id for claim in CLAIMS}
    assert {"pposK2", "K2.stable", "K2.absorbing", "K2.terminal", "g.by_h", "K0.stable", "K0.absorbing"} <= names


# -- controls say where they fail: so they do ---------------------------------------------------------


PLACE = re.compile(r"fails (?:at|from) (?:[a-z] = (\d+)|\((\d+),(\d+)\))(?: to \((\d+),(\d+)\))?")
CONTROLS = [claim for claim in CLAIMS if isinstance(claim, DeclaredTheorem) and claim.form == "control"]
PLACED = [
    pytest.param(
        claim, id=claim.id,
        # Of those that are quick, which all are refuted above, every sixth one says where.
        marks=[
            *([pytest.mark.long] if claim.long or claim.id not in QUICK_IDS or number % 6 else []),
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


def test_every_strong_form_has_a_control_that_shows_how_it_can_fail() -> None:
    strong = [claim.id for claim in CLAIMS if isinstance(claim, DeclaredTheorem) and claim.form == "strong"]
    assert len(strong) >= 1000
    shown = {control.id[:dot] for control in CONTROLS for dot in range(len(control.id)) if control.id[dot] == "."}
    assert [name for name in strong if name not in shown] == []


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
