"""Certificates of equations: sequences are the only ones that satisfy them, and what is changed is refused."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.checker import fibcheck
from fibprover.prover.certificate.checking import CertificateCheck
from fibprover.sequences.solution import SequenceSolution
from tests.few import few

Lines = list[dict[str, Any]]

STERN = ("a", "a(0)=0, a(1)=1, a(2n)=a(n), a(2n+1)=a(n)+a(n+1)")
#: A half, a letter, a square and a residue; a term that is given breaks the equation for even indices.
MIXED = ("c", "c(0)=3, c(2n)=c(n)/2+T[n], c(2n+1)=c(n)+n^2+(n mod 3)")
RUDIN = ("s", "s(0)=1, s(n)=s(n-1)+r(n) for n>0", "r", "r(0)=1, r(2n)=r(n), r(2n+1)=(-1)^n r(n)")
CERTIFIED = [
    STERN, MIXED, RUDIN,
    ("m", "m(0)=m(1)=0, m(n)=m(floor(n/2))+m(ceil(n/2))+n-1 for n>=2"),
    ("f", "?msd_fib f(0)=0, f(n)=f(n-1)+F[n]-2 for n>0"),
    ("g", "g(0)=0, g(n)=floor((n-5)/2)+(-1)^(n-1)+g(floor(n/2)) for n>0"),
    ("z", "z(0)=0, z(n)=0 for n>0"),
    ("l", "?lsd_2 l(0)=0, l(n)=2*l(floor(n/2))+n for n>0"),
    ("w", "?msd_fib w(0)=0, w(n.0)=2w(n), w(n.1)=2w(n)+1"),
    # The word n.01 is a number if n is one, and n.1 need not be.
    ("y", "?msd_fib y(0)=0, y(1)=1, y(n.0)=y(n)+1, y(n.01)=y(n.0)+3y(n.1)-y(n)"),
    ("e", "e(0)=e(1)=0, e(n)=max(e(floor(n/2)), e(ceil(n/2)))+1 for n>1"),
    # The terms below max cancel out: 0 times them is written, as they have to come before.
    ("u", "u(0)=0, u(n)=2max(u(floor(n/2)),3)-u(floor(n/2)) for n>0"),
    ("i", "i(0)=0, i(2n)=2i(n)+(i(n) mod 2), i(2n+1)=2i(n)+1-(i(n) mod 2)"),
    # Residues and floors of what may be negative, the least of two, and a power of -1.
    ("p", "p(0)=0, p(2n)=2p(n)-1, p(2n+1)=2p(n)-2", "q", "q(n)=(p(n) mod 3)+floor(p(n)/2)+(-1)^p(n)-min(p(n)/2,-3)"),
]


def solved(folder: Path, *texts: str) -> SequenceSolution:
    found = fp.Session("msd_2", certify=folder).solve(*texts)
    assert isinstance(found, SequenceSolution)
    return found


def certified(folder: Path, *texts: str) -> CertificateCheck:
    found = solved(folder, *texts).theorem.certificate
    assert found is not None
    return found


@pytest.mark.parametrize("texts", few([(texts,) for texts in CERTIFIED], 3), ids=lambda texts: texts[0])
def test_certified(texts: tuple[str, ...], tmp_path: Path) -> None:
    """The checker finds the terms of the sequences, and says which equations determine them."""
    found = solved(tmp_path, *texts)
    check = found.theorem.certificate
    assert check is not None and check.checked and str(check) in str(found)
    checker = fibcheck.check(check.file)
    said = list(checker.understood())
    for name, sequence in found.sequences.items():
        system, series = checker.sequences[name]
        words = map(checker.systems[system].representation, range(40))
        assert [series.term(word) for word in words] == sequence.first(40)
        (line,) = [line for line in said if line.startswith(f"sequence {name}: ")]
        assert "digest" not in line
        assert any(line.startswith("by induction, the only sequences: ") and f"{name}(" in line for line in said)


def test_other_sequences(tmp_path: Path) -> None:
    """A sequence that is known from before is what its representation says, so the checker prints its digest."""
    session = fp.Session("msd_2", certify=tmp_path)
    session.solve(*STERN)
    check = session.solve("b", "b(0)=0, b(n)=b(n-1)+a(n-1) for n>0").theorem.certificate
    lines = list(fibcheck.check(check.file).understood())
    given = [name for name in "ab" for line in lines if line.startswith(f"sequence {name}") and "digest" in line]
    assert given == ["a"]


@pytest.mark.parametrize(("texts", "reason"), [
    (("h", "h(0)=0, h(n)=h(n-1)+n for n>0", "q", "q(n)=max(h(n),3)"), "grows too fast"),
    (("h", "?msd_fib h(0)=0, h(n.0)=h(n), h(n.01)=(h(n) mod 2)+1"), "words n.w"),
    pytest.param(("h", "h(0)=0, h(n)=h(floor(n/2))+1 for n>0", "q", "q(n)=(-1)^h(n)"), "read in step",
                 marks=pytest.mark.long),
])
def test_not_certified(texts: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    check = certified(tmp_path, *texts)
    assert not check.checked and reason in check.reason
    assert not list(tmp_path.iterdir())


# -- what is changed -------------------------------------------------------------------------


def accepted(lines: Lines) -> bool:
    checker = fibcheck.Checker(fibcheck.Budget(20.0, 5_000_000))
    try:
        for line in json.loads(json.dumps(lines)):
            checker.line(line)
        checker.conclude()
    except (fibcheck.Invalid, fibcheck.Malformed, *fibcheck.PROBLEMS):
        return False
    return True


def numbers(value: Any) -> Iterator[tuple[list[Any], int]]:
    """Yield the places of entries in lists of numbers."""
    for place, part in enumerate(value):
        if isinstance(part, list):
            yield from numbers(part)
        elif isinstance(part, int):
            yield value, place


def other_entries(lines: Lines) -> Iterator[str]:
    """Change an entry of a representation by 1; of pairs of a column and an entry, also the column."""
    for line in lines:
        for key in ("row", "column", "matrices"):
            for around, place in numbers(line.get(key, ())):
                around[place] += 1
                yield f"{line['sequence']} {key}"
                around[place] -= 1


def other_equations(lines: Lines) -> Iterator[str]:
    """Change an equation: its coefficients, its indices, its condition; or leave it out."""
    variables = list(lines[0]["variables"])
    for line in lines:
        equations = line.get("equations", [])
        for place, one in enumerate(equations):
            kept = copy.deepcopy(one)
            for number in range(len(one["terms"])):
                one["terms"][number][0] = 7
                yield f"coefficient of {kept['name']}"
                one.update(copy.deepcopy(kept))
            for key, other in (("index", variables[-1]), ("where", "true"), ("claim", 0), ("terms", [[1, []]] * 3)):
                if one[key] != other:
                    one[key] = other
                    yield f"{key} of {kept['name']}"
                    one.update(copy.deepcopy(kept))
            del equations[place]
            yield f"without {kept['name']}"
            equations.insert(place, one)
        if equations:
            line["of"], kept_of = line["of"][1:], line["of"]
            yield "without what is claimed of the terms"
            line["of"] = kept_of


@pytest.mark.parametrize("texts", [STERN, pytest.param(RUDIN, marks=pytest.mark.long)], ids=["stern", "rudin"])
@pytest.mark.parametrize("change", [other_entries, other_equations])
def test_changed_certificates(change: Any, texts: tuple[str, ...], tmp_path: Path) -> None:
    """Equations have one solution, so another sequence does not satisfy them, and other equations do not hold."""
    with gzip.open(certified(tmp_path, *texts).file) as file:
        lines: Lines = [json.loads(line) for line in file]
    assert accepted(lines)
    changes = 0
    for said in change(lines):
        changes += 1
        assert not accepted(lines), said
    assert changes > 9
    assert accepted(lines)


@pytest.mark.parametrize("change", [
    {"row": [0, 1, 0]}, {"row": [1, 1]}, {"over": "msd_3"}, {"matrices": []}, {"matrices": [[[0, 1]], [[0, 1]]]},
    {"column": [[1, 0], 0]}, {"column": ["1", 0]}, {"column": [1.5, 0]}, {"row": [0, 1 << 600]}, {"sequence": "true"},
    {"matrices": [[[2, 1], []], [[], []]]}, {"matrices": [[[-1, 1], []], [[], []]]}, {"row": 3},
])
def test_no_representations(change: dict[str, Any], tmp_path: Path) -> None:
    """A line of a sequence that is none is refused by itself."""
    with gzip.open(certified(tmp_path, *STERN).file) as file:
        lines: Lines = [json.loads(line) for line in file]
    place = next(place for place, line in enumerate(lines) if "sequence" in line)
    lines[place].update(change)
    checker = fibcheck.Checker(fibcheck.Budget(20.0, 5_000_000))
    for line in lines[:place]:
        checker.line(line)
    with pytest.raises((fibcheck.Invalid, fibcheck.Malformed, *fibcheck.PROBLEMS)):
        checker.line(lines[place])


def understood(lines: Lines) -> list[str]:
    """Return what the checker says of a certificate that it accepts."""
    checker = fibcheck.Checker(fibcheck.Budget(20.0, 5_000_000))
    for line in lines:
        checker.line(line)
    checker.conclude()
    return list(checker.understood())


def test_sequences_do_not_determine_each_other_in_a_circle(tmp_path: Path) -> None:
    """b = a and a = b say nothing: the digests of what the file gives are printed."""
    session = fp.Session("msd_2", certify=tmp_path)
    session.solve(*STERN)
    check = session.solve("b", "b(n)=a(n)").theorem.certificate
    assert check is not None
    with gzip.open(check.file) as file:
        lines: Lines = [json.loads(line) for line in file]
    assert sum("digest" in said for said in understood(lines)) == 1  # Stern's sequence is one that is given
    # Terms that are those of Stern's sequence below 16, and 0 from there on.
    terms = [0, 1, 1, 2, 1, 3, 2, 3, 1, 4, 3, 5, 2, 5, 3, 4]
    matrices = [[[min(2 * state + digit, 16), 1] for state in range(17)] for digit in (0, 1)]
    forged: Lines = []
    for line in lines:
        if "sequence" in line:
            line |= {"row": [1] + [0] * 16, "column": [*terms, 0], "matrices": matrices}
        forged.append(line)
        if line.get("rule") == "sequences":
            other = copy.deepcopy(line) | {"sequences": ["a"]}
            for equation in other["equations"]:
                equation["name"] = "a"
                for _, factors in equation["terms"]:
                    for factor in factors:
                        factor[0] = "b"
            forged.append(other)
    said = understood(forged)
    assert any("digest" in each for each in said if each.startswith("sequence a"))
    assert not any(each.startswith("by induction, the only sequences: a(") for each in said)
