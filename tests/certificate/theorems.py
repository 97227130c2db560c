"""Tautologies and other theorems whose parts share terms, each with its certificate, which both checkers accept.

    python -m tests.certificate.theorems 5000 --seed 1

A theorem without a certificate has a reason, which is true: a limit is spent.  The checker that is proved in Coq joins
in where it is built (`make verified`).
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits
from fibprover.checker import fibcheck
from fibprover.language.builder import (
    at_least,
    at_most,
    call,
    exactly,
    exists,
    forall,
    infinitely_many,
    letter,
    variable,
    variables,
)
from fibprover.language.tree import Formula, Letter, Term, Variable
from fibprover.numeration.registry import system_named
from fibprover.prover.certificate.core import text_of
from fibprover.prover.certificate.proof import Proof
from fibprover.prover.certificate.tables import NotCertified, Tables
from fibprover.prover.verdict.verdict import Verdict
from fibprover.workspace.session import Session
from tests.certificate.verified import PROGRAM, verdicts

N, M = variables("n m")

#: The words over each system, with their letters; systems that occur more often are more often drawn.
WORDS: dict[str, dict[str, tuple[int, ...]]] = {
    "msd_2": {"T": (0, 1), "PD": (0, 1), "VTM": (0, 1, 2)},
    "msd_3": {"MW": (0, 1)},
    "msd_fib": {"F": (0, 1), "FTM": (0, 1)},
    "lsd_2": {"PR": (0, 1), "T": (0, 1)},
    "lsd_fib": {"F": (0, 1)},
    "msd_trib": {"TR": (0, 1, 2)},
}
SYSTEMS = ("msd_2", "msd_2", "msd_2", "msd_2", "msd_fib", "msd_fib", "msd_fib", "msd_3", "msd_trib",
           "lsd_2", "lsd_fib", "msd_neg_2", "lsd_neg_2", "msd_neg_3", "msd_neg_fib")

#: What a verdict, its certificate and its check may take.
SOON = Limits(seconds=4.0, states=30_000, transitions=1_000_000)
CHECKED = 120.0


class Theorem(NamedTuple):
    """A closed formula over a system; tautology: whether its form alone makes it true; shape: of which form it is."""

    system: str
    formula: Formula
    tautology: bool
    shape: str


@cache
def session(system: str) -> Session:
    """A session with predicates of each sort: defined, a language, solved, one that calls another one."""
    made = Session(system, limits=SOON)
    made.define("p", "Ek n=3*k")
    made.define("q", "n+2*m<7 | n=m+1")
    made.define("r", "$p(n+1) & $q(n,2*m)")
    made.reg("zeros", [tuple(range(int(system[-1]) if system[-1].isdigit() else 2))], "()|0*10*")
    if not is_signed(system):
        made.solve("even", "n=0 | Em n=m+1 & ~$even(m)", by="n")
    return made


def is_signed(system: str) -> bool:
    """Whether a system has all integers."""
    return system_named(system).signed


class Maker:
    """Makes theorems over a system from few terms, which occur again and again."""

    def __init__(self, chance: random.Random, system: str) -> None:
        self.chance, self.system = chance, system
        self.words = WORDS.get(system, {})
        self.bound = 0
        self.terms = [self.new_term((N, M)) for _ in range(chance.choice((1, 2, 2, 3)))]

    def theorem(self) -> Theorem:
        """Return a theorem, now and then a formula that may be false."""
        shape, tautology, formula = self.shaped()
        # Of a system with negative numbers n+m may be less than m.
        less = M + N if is_signed(self.system) else M
        guards = (less <= N + M, N >= N, (M + N).eq(N + M))
        if self.chance.random() < 0.3:
            formula = self.chance.choice(guards) & formula
        if self.chance.random() < 0.15:
            formula = ~~formula
        free = [Variable(name) for name in formula.free]
        self.chance.shuffle(free)
        if not free:
            return Theorem(self.system, formula, tautology, shape)
        if self.chance.random() < 0.1:
            return Theorem(self.system, exists(*free, formula), tautology, shape)
        return Theorem(self.system, forall(*free, formula), tautology, shape)

    # -- terms and atoms -------------------------------------------------------------------

    def new_term(self, scope: Sequence[Variable]) -> Term:
        """Return a term of one or two variables."""
        pick = self.chance.choice
        x, y = pick(scope), pick(scope)
        if self.words and self.chance.random() < 0.08:
            word = pick(list(self.words))
            return pick([x + letter(word, y), letter(word, x) + 1])
        forms = [x + 1, x + 2, x + y, 2 * x, 3 * x + y, x + y + 1, 2 * x + 1, x + x, x - 1, x - y, x // 2, 5 * x + 3]
        return pick(forms[:8] if self.chance.random() < 0.9 else forms)

    def term(self, scope: Sequence[Variable]) -> Term:
        """Return one of the theorem's own terms, or another one."""
        if self.chance.random() < 0.75 and {N, M} <= set(scope):
            return self.chance.choice(self.terms)
        return self.chance.choice(scope) if self.chance.random() < 0.5 else self.new_term(scope)

    def atom(self, scope: Sequence[Variable]) -> Formula:
        """Return a comparison, a statement about letters, a call, or a quantified formula with shared terms."""
        pick, s, t = self.chance.choice, self.term(scope), self.term(scope)
        kinds = ("compare", *("letter",) * 2, *("letters",) * 2, *("call",) * 3, "some", "all", "count", "infinite")
        kind = pick(kinds)
        if kind.startswith("letter") and self.words:
            word, letters = pick(list(self.words.items()))
            here = letter(word, s)
            if kind == "letter":
                return pick([here.eq(Letter(pick(letters))), here.ne(Letter(pick(letters)))])
            there = letter(pick(list(self.words)), t)
            return pick([here.eq(there), here.ne(there), here < there])
        match kind:
            case "call":
                known = [("p", 1), ("q", 2), ("r", 2), ("zeros", 1)]
                known += [] if is_signed(self.system) else [("even", 1)]
                known += [("feq_T", 3)] if self.system == "msd_2" else []
                name, arity = pick(known)
                return call(name, *(s, t, N + 1)[:arity])
            case "some" | "all" | "count" | "infinite":
                return self.quantified(kind, scope, s)
            case _:
                return pick([s.eq(t), s.ne(t), s < t, s <= t, s > t])

    def quantified(self, kind: str, scope: Sequence[Variable], term: Term) -> Formula:
        """Return a formula that binds a variable below a term."""
        k = self.fresh()
        inner = self.atom([k, *scope]) if self.chance.random() < 0.3 else self.simple(k)
        match kind:
            case "some":
                return exists(k, (k < term) & inner)
            case "all":
                return forall(k, (k < term) >> inner)
            case "infinite":
                return infinitely_many(k, (k > term) & inner)
            case _:
                count = self.chance.choice((at_least, at_least, exactly, at_most))
                return count(self.chance.choice((1, 2, 3)), k, (k < term) & inner)

    def simple(self, k: Variable) -> Formula:
        """Return a formula about one variable."""
        if not self.words:
            return call("p", k)
        word, letters = self.chance.choice(list(self.words.items()))
        simple: list[Formula] = [letter(word, k).eq(Letter(self.chance.choice(letters))), call("p", k + 1)]
        return self.chance.choice(simple)

    def fresh(self) -> Variable:
        """Return a variable that occurs nowhere else."""
        self.bound += 1
        return variable(f"k{self.bound}")

    def part(self, depth: int = 2, scope: Sequence[Variable] = (N, M)) -> Formula:
        """Return a formula whose atoms share terms."""
        if depth == 0 or self.chance.random() < 0.4:
            found = self.atom(scope)
            return ~found if self.chance.random() < 0.2 else found
        left, right = self.part(depth - 1, scope), self.part(depth - 1, scope)
        return self.chance.choice([left & right, left | right, left >> right, left.iff(right), left ^ right])

    # -- shapes ----------------------------------------------------------------------------

    def shaped(self) -> tuple[str, bool, Formula]:
        """Return the name of a form, whether the form alone makes formulas true, and a formula of this form."""
        a, b, c = self.part(1), self.part(1), self.part(0)
        k, t = self.fresh(), self.term((N, M))
        about = self.part(1, (k, N))
        same = exists(k, k.eq(t) & about)
        whole = k.eq(k) & about
        forms: list[tuple[str, bool, Formula]] = [
            ("a => a", True, a >> a),
            ("~(a & ~a)", True, ~(a & ~a)),
            ("a | ~a", True, a | ~a),
            ("a <=> a", True, a.iff(a)),
            ("~(a ^ a)", True, ~(a ^ a)),
            ("a <=> (a & (b | ~b))", True, a.iff(a & (b | ~b))),
            ("(a => b) | (b => a)", True, (a >> b) | (b >> a)),
            ("(a & b) => (b & a)", True, (a & b) >> (b & a)),
            ("chain", True, ((a >> b) & (b >> c)) >> (a >> c)),
            ("de morgan", True, (~(a | b)).iff(~a & ~b)),
            ("distributed", True, (a & (b | c)).iff((a & b) | (a & c))),
            ("peirce", True, ((a >> b) >> a) >> a),
            ("iff is symmetric", True, a.iff(b).iff(b.iff(a))),
            ("instance", True, (same & t.eq(t)) >> exists(k, whole)),
            ("all are some", True, (forall(k, whole) & exists(k, k.eq(t))) >> same),
            ("not some", True, (~exists(k, whole)).iff(forall(k, ~whole))),
            ("named term", True, ((k.eq(t) & about) >> same)),
            ("any formula", False, a),
            ("any implication", False, a >> b),
            ("any equivalence", False, a.iff(b)),
        ]
        return self.chance.choice(forms)


def theorem(seed: object) -> Theorem:
    """Return the theorem of a seed."""
    chance = random.Random(str(seed))
    return Maker(chance, chance.choice(SYSTEMS)).theorem()


@dataclass(frozen=True)
class Certified:
    """What became of a theorem: the file of its certificate, or the reason why it has none; problem: a defect."""

    theorem: Theorem
    file: Path | None = None
    reason: str = ""
    problem: str = ""
    truth: bool = False


def certified(drawn: Theorem, file: Path) -> Certified:
    """Decide a theorem, write its certificate and check it."""
    known = session(drawn.system)
    try:
        verdict = known.prove(drawn.formula)
    except BudgetSpent:
        return Certified(drawn, reason="the limits end the decision")
    if drawn.tautology and not verdict:
        return Certified(drawn, problem="a tautology is FALSE")
    begun = time.monotonic()
    try:
        found = replace(verdict, limits=SOON).certificate()
    except BudgetSpent as spent:
        assert SOON.seconds is not None
        is_so = spent.resource != "seconds" or time.monotonic() - begun > 0.9 * SOON.seconds
        said = f"{spent.resource} are spent"
        return Certified(drawn, reason=said) if is_so else Certified(drawn, problem=f"{said}, but they are not")
    except NotCertified as refused:
        return Certified(drawn, problem=refused.message)
    except Exception as error:  # a defect of any sort is counted
        return Certified(drawn, problem=f"{type(error).__name__}: {error}")
    if found.truth != bool(verdict) or (verdict and found.lines[-1]["statement"] != statement(verdict)):
        return Certified(drawn, problem="the certificate is about another statement")
    file.write_bytes(found.content)
    begun = time.monotonic()
    try:
        fibcheck.check(str(file), CHECKED)
    except (fibcheck.Invalid, fibcheck.Malformed) as problem:
        if isinstance(problem, fibcheck.Malformed) and time.monotonic() - begun > CHECKED:
            return Certified(drawn, reason="the check takes too long")
        return Certified(drawn, file, problem=f"fibcheck.py: {problem}")
    return Certified(drawn, file, truth=bool(verdict))


def statement(verdict: Verdict) -> str:
    """Return a decided formula in the language of certificates: that of its certificate, if it is TRUE."""
    formula, _ = Proof(Tables(verdict.environment, SOON.start())).atoms.read(verdict.source)
    return text_of(formula)


def campaign(seeds: Sequence[object], folder: Path) -> list[Certified]:
    """Certify the theorems of some seeds; the checker that is proved in Coq sees the files, too, where it is built."""
    found = [certified(theorem(seed), folder / f"{place}.jsonl.gz") for place, seed in enumerate(seeds)]
    if not PROGRAM.exists():
        return found
    files = [each.file for each in found if each.file is not None]
    said = dict(zip(files, verdicts(files), strict=True)) if files else {}
    return [
        each if each.file is None or each.problem or said[each.file] == "VALID"
        else replace(each, problem=f"the verified checker: {said[each.file]}")
        for each in found
    ]


def main() -> None:
    """Print what became of theorems that are drawn, and the defects."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="begin with this number of the seed")
    arguments = parser.parse_args()
    counts, shapes = Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for start in range(arguments.first, arguments.first + arguments.count, 100):
            end = min(start + 100, arguments.first + arguments.count)
            numbers = range(start, end)
            found = campaign([f"{arguments.seed} {number}" for number in numbers], Path(folder))
            for number, each in zip(numbers, found, strict=True):
                said = "TRUE" if each.truth else "FALSE"
                counts["DEFECT" if each.problem else each.reason or f"{said}, certified and checked"] += 1
                shapes[each.theorem.shape] += 1
                if each.problem:
                    print(f"{number}: ?{each.theorem.system} {each.theorem.formula}: {each.problem}", flush=True)
            print(end, dict(counts), flush=True)
    print(*(f"{number:6} {what}" for what, number in counts.most_common()), sep="\n")
    print(*(f"{number:6} {what}" for what, number in shapes.most_common()), sep="\n")
    print("checked by both checkers" if PROGRAM.exists() else "the verified checker is not built (make verified)")


if __name__ == "__main__":
    main()
