"""Verdicts: whether a closed formula holds, and the values from which evidence and vacuity are computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from fibprover.automata.kernel_calls import Digits
from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, nested_too_deeply
from fibprover.base.limits import Limits, spending
from fibprover.base.values import RichlyDisplayed
from fibprover.language.source import Source
from fibprover.prover.environment import Environment, restrict
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.evaluate.trace import Record, Trace
from fibprover.prover.logic import ResolvedFormula
from fibprover.prover.plan.rules import Rules
from fibprover.prover.verdict.evidence import Evidence, EvidenceSearch

if TYPE_CHECKING:
    from fibprover.prover.certificate.checking import CertificateCheck
    from fibprover.prover.certificate.writing import Certificate
    from fibprover.prover.verdict.vacuity import VacuousPart


@dataclass(frozen=True)
class Verdict(RichlyDisplayed):
    """The truth of a closed formula: TRUE or FALSE, as `bool(verdict)`.

    `evidence` and `vacuity()` are computed on request.

    Verdicts on the same formula are equal, whatever time they took. A verdict is plain data and can be pickled: the
    environment is then restricted to the names that the formula uses, and the cache and the watch are left out.

    Fields:

    - truth: whether the formula holds
    - source, formula: the formula as it is parsed, and resolved
    - plan, enabled_rules, limits: how it was decided
    - trace: the steps of the decision
    - environment: the meaning of its names
    - cache: automata that evidence and vacuity may use
    - watch: is called with the record of every step that they finish
    - met: the digits of variables by which its searches ended, from which evidence is made
    - with_evidence: whether evidence was asked for; if not, there is none
    - certified: what became of its certificate, in a session with a folder for certificates; None if none was asked for

    >>> verdict = fp.Session("msd_fib").prove("Ax Ey x=2*y")
    >>> bool(verdict), str(verdict), verdict.evidence.values
    (False, 'FALSE', {'x': 1})
    """

    truth: bool
    source: Source
    plan: str
    trace: Trace = field(compare=False)
    formula: ResolvedFormula = field(hash=False)
    limits: Limits
    enabled_rules: Rules
    environment: Environment = field(compare=False, repr=False)
    cache: Cache = field(compare=False, repr=False)
    watch: Callable[[Record], None] | None = field(default=None, compare=False, repr=False)
    met: Digits = field(compare=False, repr=False, default_factory=dict)
    with_evidence: bool = field(compare=False, repr=False, default=True)
    certified: CertificateCheck | None = field(compare=False, repr=False, default=None)

    @property
    def text(self) -> str:
        """The text of the formula, its macros expanded.

        >>> fp.Session().prove("Ax Ey y>x").text
        'Ax Ey y>x'
        """
        return self.source.text

    def __bool__(self) -> bool:
        return self.truth

    @cached_property
    def evidence(self) -> Evidence | None:
        """A witness or counterexample, checked again: the least one, if that is found at the cost of the verdict.

        Computed when it is first requested, with the limits of the verdict, in at most three times its CPU seconds and
        one more.  None if a formula of this form has none, if none was asked for, or if it was not found within the
        limits, as `evidence_is_missing` then tells.

        >>> print(fp.Session().prove("Ex,y x=2*y & x>5").evidence)
        least witness: x = 6, y = 3
        """
        return self._searched[0] if self.with_evidence else None

    @property
    def evidence_is_missing(self) -> bool:
        """Whether a formula of this form has evidence that was not found within the limits.

        >>> fp.Session().prove("Ex x>5").evidence_is_missing
        False
        """
        return self.evidence_error is not None

    @property
    def evidence_error(self) -> Exception | None:
        """The error by which the search for evidence ended; None if it did not.

        >>> fp.Session().prove("Ex x>5").evidence_error is None
        True
        """
        return self._searched[1] if self.with_evidence else None

    @cached_property
    def _searched(self) -> tuple[Evidence | None, Exception | None]:
        """The evidence, and the error by which the search for it ended."""
        search = EvidenceSearch(
            self.formula, self.truth, self.environment.system, self.cache, self.limits.start(), self.watch,
            self.trace.cpu_seconds, self.trace.while_built, self.met, self.environment.of_words,
        )
        try:
            return search.evidence(), None
        except (BudgetSpent, LimitError, MemoryError) as error:
            # Its traceback, and those of earlier errors, would keep the automata of the search.
            error.__cause__ = error.__context__ = None
            return None, error.with_traceback(None)
        except RecursionError:
            return None, nested_too_deeply()

    def vacuity(self, deep: bool = False) -> tuple[VacuousPart, ...]:
        """Return the parts of a TRUE formula that do not matter (verdict/vacuity.py); every call computes them again.

        Parameters:

        - deep: whether to search the definitions of called predicates as well

        Returns: the parts; none if all matter. Each evaluation has the limits of the one that gave the verdict.

        Errors: FibproverError for a FALSE formula; BudgetSpent.

        >>> print(*fp.Session().prove("Ax (x>5 & x<3) => x=7").vacuity(), sep="; ")
        vacuous: what this => implies may be false
          Ax (x>5 & x<3) => x=7
                            ^^^
        """
        if not self.truth:
            raise FibproverError(
                "vacuity is defined for true closed formulas, but this one is FALSE",
                hint="look at its counterexample, or put ~ in front of it",
            )
        from fibprover.prover.verdict.vacuity import vacuous_parts_of  # seldom requested: keeps the cold start short

        try:
            return vacuous_parts_of(self, deep=deep)
        except RecursionError:
            raise nested_too_deeply() from None

    def certificate(self) -> Certificate:
        """Return a proof of the verdict for a checker that knows nothing of fibprover (docs/certificates.md).

        Returns: the certificate, made within the limits of the verdict.

        Errors: NotCertified, a FibproverError, with the reason if there is no certificate; BudgetSpent.

        >>> certificate = fp.Session().prove("Ax Ey y>x").certificate()
        >>> certificate.truth
        True
        """
        from fibprover.prover.certificate.writing import certificate  # seldom requested: keeps the cold start short

        evidence = None if self.truth else self._searched[0]
        values = evidence.values if evidence else None
        with spending(self.limits.start()) as budget:
            found = certificate(self.source, self.environment, budget, values)
        if found.truth != self.truth:
            raise FibproverError("the proof contradicts the verdict", hint="please report it, with the formula")
        return found

    def with_certificate(self, check: CertificateCheck) -> Self:
        """Return the verdict with what became of its certificate; evidence that has been found is kept.

        >>> from fibprover.prover.certificate.checking import CertificateCheck
        >>> verdict = fp.Session().prove("Ax Ey y>x")
        >>> print(verdict.with_certificate(CertificateCheck("greater.jsonl.gz")).certified)
        certified: greater.jsonl.gz
        """
        found = object.__new__(type(self))
        found.__dict__.update(self.__dict__, certified=check)
        return found

    def __getstate__(self) -> dict[str, Any]:
        environment = restrict(self.environment, self.source)
        return {**self.__dict__, "environment": environment, "cache": Cache(), "watch": None}

    def __str__(self) -> str:
        return "TRUE" if self.truth else "FALSE"

    def __repr__(self) -> str:
        return f"Verdict({self}, {self.text!r})"
