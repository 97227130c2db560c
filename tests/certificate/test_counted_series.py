"""`Series.certificate`: what a sequence counts, and what its terms are, by their word or that of their differences."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.base.limits import poll
from fibprover.checker import fibcheck
from fibprover.prover.certificate.checking import CertificateCheck
from fibprover.prover.certificate.explained import explained
from fibprover.prover.certificate.lean import lean_file
from fibprover.prover.certificate.tables import NotCertified
from fibprover.sequences import certified_counts, series
from fibprover.sequences.across import over_power
from fibprover.sequences.counting import MOST_MINIMIZED
from fibprover.sequences.series import Series
from fibprover.sequences.subsequence import followed
from tests.certificate.verified import PROGRAM, verdicts

#: By systems: what is counted beside n, and the letters in the statement: of values, or of differences; none at all.
COUNTS = {
    ("msd_2", "i<n & T[i]=1"): ("differences", [0, 1]),
    ("msd_2", "i=n & T[i]=1"): ("values", [0, 1]),
    ("msd_fib", "i<n & F[i]=1"): ("differences", [0, 1]),
    ("lsd_2", "i<n & (Ej i=2*j) & (Ej n=2*j)"): ("", []),
    ("lsd_fib", "i<3 & i<=n"): ("values", [1, 2, 3]),
    ("msd_fib", "i<=n & i+4>=n"): ("values", [1, 2, 3, 4, 5]),
    ("msd_2", "((Ej n=2*j) & i<n) | ((Ej n=2*j+1) & i+2<n)"): ("differences", [-1, 0, 2, 3]),
    ("msd_pell", "i<n & j<2"): ("differences", [2]),
    ("msd_3", "i<n & j<i"): ("", []),
    # Rows of 36 entries: without short numbers the program in Coq took more than a minute.
    ("msd_fib", "2*i<n & ((Ek n=2*k) <=> (Ek i=2*k))"): ("differences", [0, 1]),
    ("msd_2", "i<n & n<i"): ("values", [0]),
}


def certified(counts: Series, folder: Path) -> list[str]:
    """Return what the checker says of the certificate of a sequence, after the other one has accepted it as well."""
    file = folder / "p.jsonl.gz"
    counts.certificate().write(file)
    if PROGRAM.exists():
        assert verdicts([file]) == ["VALID"]
    return list(fibcheck.check(str(file)).understood())


@pytest.mark.parametrize(("system", "formula"), COUNTS)
def test_terms_by_a_word(system: str, formula: str, tmp_path: Path) -> None:
    """The terms are those that are counted; the letters of the word, no others, are in the statement."""
    counts = fp.Session(system).counts("n", formula)
    said, (word, letters) = certified(counts, tmp_path), COUNTS[system, formula]
    first = ", ".join(map(str, counts[:16]))
    assert any(line.startswith("sequence p: ") and f": {first}, ...; over" in line for line in said)
    determined = [line for line in said if line.startswith("by induction, the only sequences: p(x_")]
    if not word:
        assert not determined and said[-1].endswith("each count is finite")
        return
    assert len(determined) == 1 and f"{word}(" in determined[0]
    assert all(f"]=@{letter})" in said[-1] for letter in letters) and said[-1].count("(E n_") == len(letters)


def test_only_finite(tmp_path: Path) -> None:
    """Where no word says what the terms are, readers are told that the counts are finite, and so is Lean."""
    file = tmp_path / "pairs.jsonl.gz"
    fp.Session().counts("n", "i<j & j<n").certificate().write(file)
    assert explained(file).words == "p(n) is finite for all n"
    found = lean_file(file)
    assert "theorem pairs :\n    ∀ n : ℕ, Set.Finite {(i, j) : ℕ × ℕ | i < j ∧ j < n} := by" in found.text
    assert found.undefined == ()


def test_what_finite_counts_depend_on(tmp_path: Path) -> None:
    """A theorem about each solution of a recursion stands beside the theorem that there is one."""
    session = fp.Session()
    session.solve("even", "n=0 | Em n=m+1 & ~$even(m)", by="n")
    file = tmp_path / "pairs.jsonl.gz"
    session.counts("n", "$even(i) & i<j & j<n").certificate().write(file)
    found = lean_file(file).text
    assert "theorem pairs (even : ℕ → Prop) (h_even_recursion : even_recursion even) :" in found
    assert "theorem even_recursion_solution :\n    ∃! even : ℕ → Prop, even_recursion even := by" in found


def test_large_representations_are_not_calculated_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To minimize one with 2,808 states takes more than three minutes; what is counted is certified without that."""
    monkeypatch.setattr(series, "minimal", None)
    counts = fp.Session().counts("n", "17*i+19*j<23*n & 5*i<7*j")
    assert counts.dimension > MOST_MINIMIZED
    assert certified(counts, tmp_path)[-1].endswith("each count is finite")


def test_the_most_states_are_those_of_the_checker() -> None:
    assert certified_counts._MOST_PLACES == fibcheck.MOST_DIMENSION


def test_a_part_of_the_time_is_for_the_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it does not suffice, the rest is for the certificate of what is counted."""
    def endless(*_: object) -> None:
        while True:
            poll()

    monkeypatch.setattr(certified_counts, "_terms_by_word", endless)
    counts = fp.Session().counts("n", "i<n").with_limits(fp.Limits(seconds=4))
    assert certified(counts, tmp_path)[-1].endswith("each count is finite")


def test_names(tmp_path: Path) -> None:
    """The index may have any name, and words the names of those that are made."""
    session = fp.Session()
    session.define_word("values", ["n"], "T[n]")
    counts = session.counts("m", "i=m & values[i]=@1")
    said = certified(counts, tmp_path)
    assert any(line.startswith("word values_: ") for line in said)
    assert any("is the number of i_" in line for line in said)
    file = tmp_path / "named.jsonl.gz"
    counts.certificate("ones").write(file)
    assert any(line.startswith("sequence ones: ones(m_") for line in fibcheck.check(str(file)).understood())


def test_a_session_that_is_gone(tmp_path: Path) -> None:
    """What names meant is kept."""
    session = fp.Session()
    session.define("odd", "Ey x=2*y+1")
    counts = session.counts("n", "i<n & $odd(i)")
    session.define("odd", "x=x")
    restored = pickle.loads(pickle.dumps(counts))
    assert certified(counts, tmp_path) == certified(restored, tmp_path) and counts[7] == 3


MADE: dict[str, Callable[[Series], Series]] = {
    "negated": lambda p: -p,
    "sum": lambda p: p + 0,
    "product": lambda p: 1 * p,
    "power": lambda p: p**2,
    "residues": lambda p: p % 3,
    "subsequence": lambda p: p.subsequence(2, 1),
    "one term": lambda p: p.subsequence(0, 3),
    "sums": lambda p: p.partial_sums(),
    "convolution": lambda p: p.convolution(p),
    "after a digit": lambda p: followed(p, (1,)),
    "of digits in pairs": lambda p: over_power(p, 2),
    "other matrices": lambda p: replace(p, leaving=p.entering),
}


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_what_is_made_of_counts_counts_nothing(make: Callable[[Series], Series]) -> None:
    """Its certificate would be that of the counts, of which it is true; and so would be what became of it."""
    counts = fp.Session().counts("n", "i<n").with_certificate(CertificateCheck("p.jsonl.gz"))
    made = make(counts)
    assert made.counted is None and made.certified is None
    kept = counts.with_limits(fp.Limits(seconds=60))
    assert kept.counted == counts.counted and str(kept.certified) == "certified: p.jsonl.gz"


@pytest.mark.parametrize(("make", "reason"), [
    (lambda s: s.counts("n", "i<n") + 1, "was not counted"),
    (lambda s: -s.counts("n", "i<n"), "was not counted"),
    (lambda s: s.counts("n", s.relation("i<n")), "was not counted"),
    (lambda s: s.counts(["n", "m"], "i<n & i<m"), "beside one number"),
    (lambda s: s.counts("n", "?msd_neg_2 i<n & i>=0"), "integers are not counted"),
    (lambda s: s.counts("n", "17*i+19*j<23*n+7 & 31*i<29*j+3"), "2808 states, too many"),
])
def test_not_certified(make: object, reason: str) -> None:
    assert callable(make)
    with pytest.raises(NotCertified, match=reason):
        make(fp.Session()).certificate()
