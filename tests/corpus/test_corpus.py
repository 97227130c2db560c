"""Every case of the corpus gives the expected automaton, truth value or error, or differs deliberately."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from fibprover.base.errors import TypeMismatch
from fibprover.prover.plan.rules import RULES
from tests.corpus.differences import DIFFERENCES, SHARED
from tests.corpus.replay import CORPUS, Case, Corpus
from tests.corpus.report import REPORT
from tests.corpus.session_runner import SessionRunner
from tests.few import few

pytestmark = pytest.mark.skipif(
    not (CORPUS / "cases.jsonl").is_file(), reason=f"the peer's cases are not beside the checkout: no {CORPUS}"
)


def cases() -> list[Case]:
    """The cases to run, none where the corpus is absent."""
    return Corpus(CORPUS, SessionRunner).commands if (CORPUS / "cases.jsonl").is_file() else []


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus(CORPUS, SessionRunner)


@pytest.mark.parametrize("case", few(cases(), 4), ids=lambda case: f"{case.id}")
def test_case(corpus: Corpus, case: Case) -> None:
    if case.id in DIFFERENCES:
        assert corpus.difference(case), f"{case.command}\nis to differ, and does not"
        return
    assert not case.waits_for, f"{case.command}\nwaits for {case.waits_for}"
    outcome = corpus.outcome(case)
    assert not outcome.problem, f"{case.command}\n{outcome.problem}"


@pytest.mark.parametrize("number", sorted(SHARED))
def test_digits_are_shared_only_if_asked_for(corpus: Corpus, number: int) -> None:
    with pytest.raises(TypeMismatch, match="is in msd_2 here, but has to be in msd_neg_2"):
        corpus.without_shared(corpus.cases[number])


@pytest.mark.long
def test_sharing_digits_changes_nothing_else() -> None:
    def sharing() -> SessionRunner:
        runner = SessionRunner()
        runner.always_shared = True
        return runner

    replayed = Corpus(CORPUS, sharing)
    assert [outcome for outcome in map(replayed.outcome, replayed.claimed) if outcome.problem] == []


@pytest.mark.long
def test_report(corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    """The report in the checkout is that of this replay, and no case is lost from it."""
    with capsys.disabled():
        print(f"\n{corpus.report()}")
    written = json.loads(REPORT.read_text(encoding="utf-8"))
    assert written == corpus.statuses(), "write it anew: python -m tests.corpus.report"
    assert len([case for case in corpus.cases.values() if case.role == "case"]) == 455
    assert len(corpus.claimed) == 461 - len(DIFFERENCES)


@pytest.mark.long
def test_the_textbook_plan_gives_the_same() -> None:
    textbook = Corpus(CORPUS, lambda: SessionRunner("textbook"))
    problems = [outcome for outcome in map(textbook.outcome, textbook.claimed) if outcome.problem]
    assert not problems


@pytest.mark.parametrize("part", [
    pytest.param(3, marks=pytest.mark.long, id="a third"), pytest.param(1, marks=pytest.mark.very_long, id="all"),
])
@pytest.mark.parametrize("rule", RULES)
def test_the_same_without_one_rule(rule: str, part: int) -> None:
    """Neighbours among the rules are tried on different thirds of the cases."""
    replayed = Corpus(CORPUS, lambda: SessionRunner(without=(rule,)))
    tried = replayed.claimed[RULES.index(rule) % part :: part]
    assert len(tried) >= 270 // part
    assert [outcome for outcome in map(replayed.outcome, tried) if outcome.problem] == []


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
