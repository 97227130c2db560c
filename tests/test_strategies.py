"""Every strategy of determinization, on formulas of the peer's cases, of the documentation and of the proofs."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import fibprover as fp
from fibprover.automata import determinization
from fibprover.automata.determinization import STRATEGIES
from fibprover.automata.kernels import automata as backend
from fibprover.campaigns.theorems.chapter import DeclaredTheorem
from tests.cli.command import answer
from tests.corpus.replay import CORPUS, Corpus
from tests.corpus.session_runner import SessionRunner
from tests.pictures import mirror
from tests.proofs.chapters import FOUND, HEAVY, LIGHT, TOO_HEAVY, carry_out
from tests.test_docs import COMMANDS

#: What a strategy may build.  Each of them, subsets included, is hopeless somewhere, and is stopped there.
MOST_STATES, MOST_TRANSITIONS = 20_000, 200_000


@dataclass
class Comparison:
    """How many determinizations there were, and for how many of them each strategy came to an end."""

    met: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    different: list[str] = field(default_factory=list)

    def compare(self, nfa: backend.Nfa, letters: int, found: determinization.Arrays) -> None:
        """Compare the minimal automata of all strategies that end with that of what the prover goes on with."""
        self.met += 1
        wanted = minimal(found, letters)
        for strategy in STRATEGIES:
            meter = backend.Meter(states=MOST_STATES, transitions=MOST_TRANSITIONS)
            try:
                with determinization.forced(strategy):
                    arrays = determinization.determinize(nfa, letters, meter)
            except backend.BudgetExhausted:
                continue
            self.ended[strategy] += 1
            if minimal(arrays, letters) != wanted:
                self.different.append(f"determinization {self.met} of {nfa.states} states, {strategy}")

    def check(self, least: int) -> None:
        """Require that there was no difference, and enough to compare."""
        print(f"{self.met} determinizations; ended:", ", ".join(f"{name} {self.ended[name]}" for name in STRATEGIES))
        assert not self.different
        assert min(self.ended[strategy] for strategy in STRATEGIES) >= least


def minimal(arrays: determinization.Arrays, letters: int) -> determinization.Arrays:
    return backend.minimize(backend.Csr(*arrays, letters), True, backend.Meter())


@contextmanager
def compared() -> Iterator[Comparison]:
    """Compare the strategies on all that is determinized in the block."""
    genuine, comparison = determinization.determinize, Comparison()

    def determinize(nfa: backend.Nfa, letters: int, meter: backend.Meter) -> determinization.Arrays:
        found = genuine(nfa, letters, meter)
        with mock.patch.object(determinization, "determinize", genuine):
            comparison.compare(nfa, letters, found)
        return found

    with mock.patch.object(determinization, "determinize", determinize):
        yield comparison


@pytest.mark.long
@pytest.mark.skipif(not (CORPUS / "cases.jsonl").is_file(), reason=f"the peer's cases are not beside: no {CORPUS}")
def test_the_cases_of_the_peer() -> None:
    corpus = Corpus(CORPUS, SessionRunner)
    with compared() as comparison:
        assert [outcome for outcome in map(corpus.outcome, corpus.claimed) if outcome.problem] == []
    comparison.check(500)


@pytest.mark.parametrize("first", [
    pytest.param(first, marks=pytest.mark.very_long if first else pytest.mark.long) for first in range(6)
])
def test_the_documentation(
    first: int, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every sixth command from the first one on."""
    monkeypatch.chdir(mirror(tmp_path))
    with compared() as comparison:
        for parameters in COMMANDS[first::6]:
            command = str(parameters.values[1])
            # Chapters are proved in processes of their own.
            if not command.startswith("fibprover prove") and not command.endswith(".png"):
                answer(capsys, *shlex.split(command)[1:])
    comparison.check(30)


#: Of the chapters that `make test` tries as well, those on which all strategies together take minutes.
SLOW = ("All Sturmian words", "The game of the 5bonacci word")

#: The other chapters whose automata are not large.
OTHERS = [one for one in FOUND.chapters if one not in LIGHT and one.title not in HEAVY + TOO_HEAVY]


@pytest.mark.parametrize("chapters", [
    pytest.param([one for one in LIGHT if one.title not in SLOW], marks=pytest.mark.long, id="light"),
    pytest.param([one for one in LIGHT if one.title in SLOW], marks=pytest.mark.very_long, id="slow"),
    pytest.param(OTHERS, marks=pytest.mark.very_long, id="others"),
])
def test_the_proofs(chapters: list[fp.Chapter]) -> None:
    with compared() as comparison:
        for chapter in chapters:
            session = fp.Session(chapter.system)
            for step in chapter.declarations:
                if not isinstance(step, DeclaredTheorem):
                    carry_out(session, step)
                elif not step.long:
                    assert bool(session.eval(step.formula)) is step.expected, step.id
    comparison.check(500)


def test_a_wrong_strategy_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reversal that is never turned back makes other automata."""
    attempt = determinization._Attempt
    monkeypatch.setattr(attempt, "_reverse", lambda one: one._forward(one.nfa.reversed(one.meter)))
    with compared() as comparison:
        fp.Session("msd_fib").define("sums", "Ex,y n=x+2*y & x>3*y")
    assert comparison.different


#: A set of which the sums of three members have a small automaton, but one that is reached by many subsets.
IMAGES = [
    [0, 6], [7, 9], [0, 3], [7, 7], [4, 10], [2, 0], [8, 7], [5, 1], [3, 11], [5, 0], [6, 2], [9, 5],
]
CODING = [1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


def test_the_strategy_that_is_about_to_end_gets_more_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    def subsets_met(factor: float) -> int:
        monkeypatch.setattr(determinization, "ABOUT_TO_END", factor)
        monkeypatch.setattr(determinization, "ALONE_FOR_EACH", 0)
        session = fp.Session()
        session.load_words({"W": {"morphism": IMAGES, "coding": CODING}})
        outcomes: list[determinization.Outcome] = []
        genuine = determinization.determinize

        def determinize(*given: Any) -> determinization.Arrays:
            with determinization.observed() as seen:
                arrays = genuine(*given)
            outcomes.extend(seen)
            return arrays

        with mock.patch.object(determinization, "determinize", determinize):
            session.define("sums", "Ex,y,z n=x+y+z & W[x]=@1 & W[y]=@1 & W[z]=@1")
        (outcome,) = (outcome for outcome in outcomes if not outcome.is_plain)
        assert outcome.strategy == "reverse"
        return dict(outcome.met)["subsets"]

    assert subsets_met(30.0) < subsets_met(1.0) / 2
