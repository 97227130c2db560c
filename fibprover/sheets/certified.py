"""Certificates of the lines of a sheet that are formulas or counts, and of the other lines what they rest on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from fibprover.automata.digit_order import to_reading_order
from fibprover.automata.expression import regular_expression
from fibprover.base.errors import FibproverError, LimitError
from fibprover.base.limits import Budget, Limits, spending
from fibprover.base.names import file_name
from fibprover.language.builder import at_least, exactly, exists, forall
from fibprover.language.tree import Formula, Variable, conjunction, disjunction
from fibprover.numeration.slope_sets import SlopeSet
from fibprover.prover.certificate.checking import ENDING, CertificateCheck, certify
from fibprover.prover.certificate.meanings import sequences
from fibprover.prover.certificate.tables import NotCertified
from fibprover.prover.certificate.writing import Certificate
from fibprover.prover.verdict.relation import Relation
from fibprover.sequences.certified_counts import certificate_of_terms, count_certificate
from fibprover.sequences.series import Series
from fibprover.sheets.asked import wanted
from fibprover.sheets.certified_suprema import supremum_statement
from fibprover.sheets.certified_words import frequency_certificate, word_statement
from fibprover.sheets.closed_form import closed_form
from fibprover.sheets.kinds import SHOWN, Frequency, WordQuestion
from fibprover.sheets.line import Line
from fibprover.sheets.question import Question
from fibprover.sheets.subject import Subject
from fibprover.sheets.vocabulary import Vocabulary, i, m, n

AnyQuestion = TypeVar("AnyQuestion", bound=Question)

#: The kinds of lines about a sequence that counts.
_COUNTS = ("sequence", "greatest", "function", "closed form")

#: Longer regular expressions of sets are not written.
_MOST_CHARACTERS = 500

#: What the lines rest on that are no closed formulas, by their kinds.
RESTS_ON = {
    "function": "the automaton of its formula: it is infinite for some n",
    "size": "the automaton of its formula, whose words are counted",
    "supremum": "the automaton of its formula, and on a search of the best paths in it (sheets/suprema.py)",
    "limit": "the automaton of its formula, and on a search of the best paths in it (sheets/suprema.py)",
    "frequency": "the automaton of the word, and on exact linear algebra (sheets/frequencies.py)",
    "recursion": "the linear representation of the sequence, by exact linear algebra (sequences/)",
    "growth": "the linear representation of the sequence, by exact linear algebra (sequences/)",
    "weights": "the linear representation of the sequence, by exact linear algebra (sequences/)",
    "mean": "the linear representation of the sequence, by exact linear algebra (sequences/)",
    "graph": "the linear representation of the sequence, from which the automaton is made (sequences/)",
}


_SOME = "the automaton of its formula, from which it is read for which slopes it is true (numeration/slope_sets.py)"

_BY_FACTORS = "desubstitution, by which no formula is decided (factors/)"


def certified(about: Subject, line: Line, folder: str | Path, limits: Limits) -> CertificateCheck | None:
    """Return the certificate of a line, which is written to a folder and checked; None for an open line.

    limits: of the certificate, and of its check.  A line that is no closed formula, nor about a sequence that counts,
    has none: the reason says what it rests on.
    """
    if line.status == "open":
        return None
    make = None if line.by else _maker(about, line)
    if make is None:
        return CertificateCheck("", reason=f"it rests on {_BY_FACTORS if line.by else RESTS_ON[line.kind]}")

    def made() -> Certificate:
        try:
            with spending(limits.start()) as budget:
                return make(budget)
        except LimitError as problem:
            if line.kind not in RESTS_ON:
                raise
            raise NotCertified(f"it rests on {RESTS_ON[line.kind]}: {problem.message}") from None

    return certify(made, str(Path(folder) / file_name(f"{about.name}.{line.id}", ENDING)), limits.seconds)


def _maker(about: Subject, line: Line) -> Callable[[Budget], Certificate] | None:
    """Return the function that makes the certificate of a line within a budget; None if no certificate covers it."""
    statement, slopes = _statement(about, line), line.slopes
    if statement is not None and slopes is not None and slopes.answer == "some":
        return lambda _: _of_some(about, line, statement, slopes)
    if statement is not None:
        return lambda _: _of_formula(about, line, statement)
    if slopes is not None:
        return None
    if line.kind in ("supremum", "limit") and line.tree is not None:
        pairs, limit = line.tree, line.kind == "limit"
        return lambda _: _of_formula(about, line, supremum_statement(about, pairs, limit=limit))
    if line.kind == "word":
        return lambda _: _of_formula(about, line, word_statement(about, _question(about, line, WordQuestion)))
    if line.kind == "frequency":
        return lambda budget: frequency_certificate(about, _question(about, line, Frequency), budget)
    if line.kind in _COUNTS and (line.kind != "function" or line.terms):
        return lambda budget: _of_counts(about, line, budget)
    return (lambda _: _of_formula(about, line, _first_members(about, line))) if _is_set(line) else None


def _of_formula(about: Subject, line: Line, statement: Formula) -> Certificate:
    """Return the certificate of a line that is a closed formula."""
    verdict = about.session.prove(statement)
    holds = line.status == "proved" if line.slopes is None else line.slopes.answer == "every"
    if bool(verdict) != holds:
        raise FibproverError(f"the line {line.id} and its formula disagree", hint="please report it")
    return verdict.certificate()


def _of_some(about: Subject, line: Line, statement: Formula, slopes: SlopeSet) -> Certificate:
    """Return the certificate that a line is true for the slopes of an expression, or all others, as the line says."""
    found = {True: slopes.expression, False: slopes.complement.expression}
    inside, expression = min(
        ((inside, text) for inside, text in found.items() if text is not None), key=lambda each: len(each[1]),
        default=(True, None))
    if expression is None:
        raise NotCertified(f"it rests on {_SOME}")
    x, name = Vocabulary(about.word.name), f"slopes_{line.id.replace('-', '_')}"
    about.session.slope(x.predicate(name), f"?{about.system} {expression}" if slopes.choices else expression)
    if not sequences(about.session.namespace.definitions[x.predicate(name)]):
        raise NotCertified("the expression of its slopes is too long for a certificate")
    called = x.call(name) if inside else ~x.call(name)
    verdict = about.session.prove(about.stated(called.iff(statement)))
    if not verdict:
        raise FibproverError(f"the line {line.id} and its slopes disagree", hint="please report it")
    return verdict.certificate()


def _question(about: Subject, line: Line, kind: type[AnyQuestion]) -> AnyQuestion:
    """Return the question that a line answers."""
    (question,) = wanted(about, [line.id])
    assert isinstance(question, kind)
    return question


def _is_set(line: Line) -> bool:
    """Return whether a line is about the numbers that satisfy a formula."""
    return line.kind in ("set", "balance") and line.tree is not None and line.tree.free == (n.name,)


def _first_members(about: Subject, line: Line) -> Formula:
    """Return the formula that these are the first numbers that satisfy that of a line, and that infinitely many do.

    Or how many, if it is so.  And that they are those of a regular expression, by a predicate that is defined, if there
    is a short one.
    """
    assert line.tree is not None
    formula, parts = line.tree, list[Formula]()
    found = about.session.relation(formula)
    try:
        expression = regular_expression(to_reading_order(found.automaton), most=_MOST_CHARACTERS)
    except LimitError:
        pass
    else:
        x, name = Vocabulary(about.word.name), f"set_{line.id.replace('-', '_')}"
        about.session.reg(x.predicate(name), about.system, expression)
        parts, formula = [forall(n, formula.iff(x.call(name, n)))], x.call(name, n)
    first = found.values(SHOWN)
    listed = disjunction(n.eq(each) for each in first)
    parts.append(forall(n, (n <= first[-1]) >> formula.iff(listed)))
    parts.append(exactly(found.count(), n, formula) if found.is_finite() else forall(m, exists(n, (n > m) & formula)))
    return about.stated(conjunction(parts))


def _of_counts(about: Subject, line: Line, budget: Budget) -> Certificate:
    """Return the certificate of a line about a sequence that counts: what it counts, and what its terms are."""
    if line.kind == "closed form":
        counted, equations = Vocabulary(about.word.name).first(i, n), closed_form(about).equations
        return count_certificate(about.stated(counted), about.session.namespace.environment(), budget, equations)
    assert line.tree is not None
    counts = about.session.counts(n.name, about.session.relation(line.tree))
    statement = _greatest(about, line.tree, counts) if line.kind == "greatest" else None
    return certificate_of_terms(
        line.tree, counts, about.session.namespace.environment(), budget, statement=statement)


def _greatest(about: Subject, formula: Formula, counts: Series) -> Formula:
    """Return the formula that a greatest value of a sequence which counts is attained, and none is greater."""
    others, most = [Variable(name) for name in formula.free if name != n.name], int(max(counts.values()))
    return about.stated(exists(n, at_least(most, *others, formula)) & ~exists(n, at_least(most + 1, *others, formula)))


def _statement(about: Subject, line: Line) -> Formula | None:
    """Return the closed formula that a line says; None if it says more, or something else."""
    if line.kind == "closed form" and line.slopes is None:
        return None
    if line.tree is None or not line.tree.free:
        return line.tree
    if not _is_set(line):
        return None
    return _members(about, line.tree, about.session.relation(line.tree))


def _members(about: Subject, formula: Formula, found: Relation) -> Formula | None:
    """Return the formula that says which numbers satisfy one: none, all, few, or all but few; None for others."""
    others = ~found
    if found.is_empty():
        return about.stated(~exists(n, formula))
    if others.is_empty():
        return about.stated(forall(n, formula))
    if found.is_finite() and found.count() <= SHOWN:
        members = disjunction(n.eq(each) for each in found.values(found.count()))
        return about.stated(forall(n, formula.iff(members)))
    if others.is_finite() and others.count() <= SHOWN:
        members = conjunction(n.ne(each) for each in others.values(others.count()))
        return about.stated(forall(n, formula.iff(members)))
    return None
