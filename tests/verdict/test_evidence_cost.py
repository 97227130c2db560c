"""The cost of evidence: for the closed formulas at hand, about twice the time of the verdict and 0.3 seconds.

The times are those of the processor, as the machine may be busy.  The tests allow eight times that all the same, since
caches and the garbage collector are shared, and two formulas that take longer still.
"""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.base.errors import FibproverError
from fibprover.campaigns.theorems.chapter import DeclaredTheorem
from tests.corpus.replay import CORPUS, Corpus
from tests.corpus.session_runner import SessionRunner
from tests.proofs.chapters import FOUND, QUICK, session

ROOT = Path(__file__).resolve().parents[2]
#: Verdicts on hard scripts that take longer are left out; their evidence may be out of reach.
HARD_LIMITS = fp.Limits(seconds=3, bytes=16 << 30)

HARD = ROOT.parent / "shared" / "hard"

#: How much slower than alone a busy machine may be while evidence is looked for.
MACHINE = 8

#: How many formulas may take longer all the same, since the machine stood still for a while.
EXCEPTIONS = 2

LIMITS = fp.Limits(seconds=20, bytes=16 << 30)

#: Their least witnesses take far longer than their verdicts, by one strategy of determinization at least.
REPETITIONS = (
    "?msd_4 Ei,n n>0 & Ak (k<n) => HC[i+k]=HC[i+k+n]",
    "?msd_trib Ei,n n>0 & Ak (k<2*n) => TR[i+k]=TR[i+k+n]",
)


def of_the_documentation() -> Iterator[fp.Verdict]:
    """The verdicts on what `fibprover eval` is asked on the pages."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for line in re.findall(r"^\$ fibprover eval (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE):
            try:
                words = shlex.split(line)
                system = words[words.index("--system") + 1] if "--system" in words else "msd_2"
                outcome = fp.Session(system, limits=LIMITS).eval(words[-1])
            except (FibproverError, ValueError):
                continue  # an example of an error, or several lines
            if isinstance(outcome, fp.Verdict):
                yield outcome


def of_the_proofs() -> Iterator[fp.Verdict]:
    """The verdicts on the theorems of proofs/ in chapters without long ones, whose definitions take minutes."""
    yield from of_chapters(QUICK)


def of_further_proofs() -> Iterator[fp.Verdict]:
    """The same of the chapters that `make test` does not try."""
    yield from of_chapters([chapter for chapter in FOUND.chapters if chapter not in QUICK])


def of_chapters(chapters: list[fp.Chapter]) -> Iterator[fp.Verdict]:
    for chapter in chapters:
        theorems = [claim for claim in chapter.declarations if isinstance(claim, DeclaredTheorem)]
        if not any(claim.long for claim in theorems):
            for claim in theorems:
                yield session(chapter.title).prove(claim.formula, limits=LIMITS)


def of_the_corpus() -> Iterator[fp.Verdict]:
    """The verdicts on the closed formulas of the peer's test cases."""
    found: list[fp.Verdict] = []

    class Kept(SessionRunner):
        def command(self, text: str, *, shared: bool = False):  # type: ignore[no-untyped-def]
            self.session.namespace.shared_digits = shared or self.always_shared
            ((_, outcome),) = self.session.run(text)
            if isinstance(outcome, fp.Verdict):
                found.append(outcome)
            return None

    corpus = Corpus(CORPUS, Kept)
    for case in corpus.cases.values():
        corpus.outcome(case)
        while found:
            yield found.pop()


def of_hard_scripts() -> Iterator[fp.Verdict]:
    """The verdicts of scripts that are hard for everyone, where they end within the limits."""
    for file in sorted(HARD.glob("*.txt")):
        made = fp.Session(limits=HARD_LIMITS)
        for word in (HARD / "words").glob("*.txt"):
            made.namespace.load_word(word)
        try:
            for _, outcome in made.run(file.read_text(encoding="utf-8")):
                if isinstance(outcome, fp.Verdict):
                    yield outcome
        except FibproverError:
            continue


def of_repetitions() -> Iterator[fp.Verdict]:
    """The verdicts whose least evidence may be out of reach."""
    for text in REPETITIONS:
        session = fp.Session(limits=LIMITS, without=["recognize"])
        verdict = session.prove(text)
        assert verdict.evidence is not None
        yield fp.Session(limits=LIMITS, without=["recognize"]).prove(text)


SOURCES = {
    "documentation": of_the_documentation, "proofs": of_the_proofs, "further": of_further_proofs,
    "corpus": of_the_corpus, "hard": of_hard_scripts, "repetitions": of_repetitions,
}


def costs(source: str) -> list[tuple[float, float, fp.Verdict]]:
    """The CPU seconds of each verdict, and those of its evidence, which the search itself checks by substitution."""
    found = []
    for verdict in SOURCES[source]():
        begun = time.process_time()
        evidence = verdict.evidence
        assert evidence is not None or source == "hard" or not verdict.evidence_is_missing, verdict
        found.append((verdict.trace.cpu_seconds, time.process_time() - begun, verdict))
    return found


@pytest.mark.long
@pytest.mark.parametrize("source", [
    pytest.param(source, marks=[pytest.mark.very_long] if source == "further" else []) for source in SOURCES
])
def test_evidence_costs_about_as_much_as_the_verdict(source: str) -> None:
    if (source == "corpus" and not CORPUS.is_dir()) or (source == "hard" and not HARD.is_dir()):
        pytest.skip("not beside this checkout")
    slow = [
        (evidence, verdict, found.text) for verdict, evidence, found in costs(source)
        if evidence > MACHINE * (2 * verdict + 0.3)
    ]
    assert len(slow) <= EXCEPTIONS, slow
