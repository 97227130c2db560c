"""Random formulas: what the checker has read means what the formula means, and its certificate is checked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits
from fibprover.checker.fibcheck import Budget, Checker, Reader
from fibprover.language.parser import parse
from fibprover.prover.certificate.core import text_of
from fibprover.prover.certificate.proof import Proof
from fibprover.prover.certificate.tables import NotCertified, Tables
from fibprover.prover.verdict.verdict import Verdict
from tests.certificate.meaning import Meaning, checked
from tests.formulas import prover
from tests.formulas.campaign import campaign
from tests.oracle.brute import Judge
from tests.oracle.strategies import Case, cases, world_of

#: Quantifiers of guarded formulas need no more numbers, of the sums in them as many; free variables get a few.
NUMBERS, LARGEST = 40, 2
#: What a certificate may take to write; it is the smaller for it.
SOON = Limits(seconds=0.5, states=2000)


def reads_alike(case: Case) -> None:
    """The checker's parser and normal form agree with brute force on the formula as the user writes it."""
    session = prover.session(case.system)
    tables = Tables(session.namespace.environment(), prover.BUDGET.start())
    try:
        formula, free = Proof(tables).atoms.read(parse(case.text, {}))
    except NotCertified:
        return
    checker = Checker(Budget(60, 1 << 30))
    checker.line({"certificate": 1, "variables": {name: sort.system for name, sort in tables.sorts.items()}})
    for line in tables.lines:
        checker.line(line)
    read = Reader(text_of(formula), checker).whole()
    meaning = Meaning(checker, NUMBERS)
    if len(free) > 2 or text_of(formula).count("(E ") + text_of(formula).count("(A ") > 2:
        return  # brute force would take long
    for values, truth in Judge(case.formula, world_of(case.system)).table(LARGEST).items():
        assert meaning.holds(read, dict(zip(free, values, strict=True))) is truth, (case, values)


@pytest.mark.random
def test_formulas_are_read_as_they_are_meant() -> None:
    campaign(cases(guarded=True), reads_alike, 8)


@pytest.mark.long
@pytest.mark.random
def test_verdicts_are_certified(tmp_path: Path) -> None:
    certified = []

    def is_certified(case: Case) -> None:
        text = f"E{','.join(case.free)} ({case.text})" if case.free else case.text
        found = prover.session(case.system).eval(text)
        assert isinstance(found, Verdict)
        try:
            certificate = replace(found, limits=SOON).certificate()
        except (NotCertified, BudgetSpent):
            return
        assert certificate.truth == found.truth
        checked(certificate.content, tmp_path)
        certified.append(case)

    campaign(cases(guarded=False), is_certified, 15)
    assert len(certified) > 7
