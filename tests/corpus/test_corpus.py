"""Every plain case of the corpus over Fibonacci, base k and sets of letters gives the expected language."""

from __future__ import annotations

from itertools import pairwise

import pytest

from fibprover.plan.rules import RULES
from tests.corpus.replay import CORPUS, Case, Corpus
from tests.corpus.session_runner import SessionRunner

pytestmark = pytest.mark.skipif(
    not (CORPUS / "cases.jsonl").is_file(), reason=f"the peer's cases are not beside the checkout: no {CORPUS}"
)


def claimed() -> list[Case]:
    """The cases to run, none where the corpus is absent."""
    return Corpus(CORPUS, SessionRunner).claimed if (CORPUS / "cases.jsonl").is_file() else []


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus(CORPUS, SessionRunner)


@pytest.mark.parametrize("case", claimed(), ids=lambda case: f"{case.id}")
def test_case(corpus: Corpus, case: Case) -> None:
    outcome = corpus.outcome(case)
    assert not outcome.problem, f"{case.command}\n{outcome.problem}"


def test_report(corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    """Counts what ran and what waits; a case that drops out of the selection is noticed."""
    report = corpus.report()
    with capsys.disabled():
        print(f"\n{report}")
    assert len(corpus.plain) == 265
    assert len(corpus.claimed) >= 366
    assert len([case for case in corpus.cases.values() if case.role == "case"]) == 455


@pytest.mark.long
def test_the_textbook_plan_gives_the_same() -> None:
    textbook = Corpus(CORPUS, lambda: SessionRunner("textbook"))
    problems = [outcome for outcome in map(textbook.outcome, textbook.claimed) if outcome.problem]
    assert not problems


@pytest.mark.long
@pytest.mark.parametrize("rule", RULES)
def test_the_same_without_one_rule(rule: str) -> None:
    replayed = Corpus(CORPUS, lambda: SessionRunner(without=(rule,)))
    problems = [outcome for outcome in map(replayed.outcome, replayed.claimed) if outcome.problem]
    assert len(replayed.claimed) >= 270 and not problems


def test_a_wrong_answer_would_be_noticed(corpus: Corpus) -> None:
    """The expected language of one case does not pass for that of another over the same track."""
    alike = [case for case in corpus.claimed if case.expect == "automaton" and case.tracks == ("n",)]
    assert len(alike) > 10
    problems = [
        corpus.mismatch(case, other)
        for case, other in pairwise(alike)
        if case.automaton_file and other.automaton_file
    ]
    assert sum(problem is not None for problem in problems) > len(problems) // 3
