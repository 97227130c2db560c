"""`solve` with equations of sequences: against terms by definition, and what it says of wrong ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

import pytest

import fibprover as fp
from fibprover.base.errors import FibproverError, SyntaxProblem, TextError, Unsolved
from fibprover.sequences.rational import Number, product, times
from fibprover.sequences.series import Series
from fibprover.sequences.solution import RecursionProblem, SequenceSolution
from tests.few import few
from tests.sequences.regular import EXAMPLES, NOT_REGULAR, Example, first


def solved(*texts: str, session: fp.Session | None = None) -> SequenceSolution:
    """Solve equations, named by what they are about."""
    arguments = []
    for text in texts:
        named = re.match(r"(\?\w+ )?(\w+)\(", text)
        assert named is not None
        arguments += [named[2], text]
    found = (session or fp.Session()).solve(*arguments)
    assert isinstance(found, SequenceSolution)
    return found


def all_terms(sequence: Series, count: int) -> Iterator[Number]:
    """Yield the first terms; rows of beginnings of words are computed once."""
    rows: dict[tuple[int, ...], tuple[Number, ...]] = {(): sequence.entering}
    for number in range(count):
        word = sequence.system.represent(number)
        missing = len(word)
        while word[:missing] not in rows:
            missing -= 1
        for size in range(missing, len(word)):
            rows[word[: size + 1]] = times(rows[word[:size]], sequence.parts[word[size]])
        yield product(rows[word], sequence.leaving)


@pytest.mark.parametrize("example", EXAMPLES, ids=[each.name for each in EXAMPLES])
def test_sequences_with_sources(example: Example) -> None:
    found = solved(*example.equations)
    sequence = found.sequences["a"]
    assert sequence.dimension == example.rank
    assert list(all_terms(sequence, 700)) == first(example, 700)
    given = sum(len(re.findall(r"\)\s*=(?=[^,;]*)", text)) for text in example.equations)
    assert len(found.theorem.proved) >= given - 2  # chains such as a(0)=a(1)=1 are two


@pytest.mark.long
@pytest.mark.parametrize("example", EXAMPLES, ids=[each.name for each in EXAMPLES])
def test_a_hundred_thousand_terms(example: Example) -> None:
    sequence = solved(*example.equations).sequences["a"]
    assert list(all_terms(sequence, 100_000)) == first(example, 100_000)


def test_there_are_sixty() -> None:
    assert len({each.name for each in EXAMPLES}) >= 60 and len(NOT_REGULAR) == 10


QUICK = [each for each in NOT_REGULAR if each[1] != "no linear"]


@pytest.mark.parametrize(("text", "begins", "source"), QUICK)
def test_what_grows_too_fast(text: str, begins: str, source: str) -> None:
    with pytest.raises(Unsolved, match="grow like a power") as caught:
        solved(text)
    assert caught.value.message.startswith(begins), source


@pytest.mark.long
@pytest.mark.parametrize(("text", "begins", "source"), [each for each in NOT_REGULAR if each not in QUICK])
def test_what_is_not_regular(text: str, begins: str, source: str) -> None:
    with pytest.raises(Unsolved, match="linear representation"):
        solved(text)


WRONG = [
    ("a(1)=1, a(2n)=a(n), a(2n+1)=a(n)+a(n+1)", "a(n)", "a(0)"),
    ("a(0)=0, a(2n)=a(n), a(2n+1)=a(n+1)+1", "a(n+1)", "a(1) itself"),
    ("a(0)=0, a(n)=a(n)", "a(n)", "a(1) itself"),
    ("a(0)=0, a(2n)=a(n)", "a(2n)=a(n)", "a(1)"),
    ("a(0)=0, a(1)=1, a(2n)=a(n), a(2n+1)=a(n)+a(n+1), a(3n)=a(n)", "a(3n)=a(n)", "a(3) is 1 by this one, and 2"),
    ("a(0)=0, a(0)=1, a(n)=a(n-1) for n>0", "a(0)=1", "given twice"),
    ("a(0)=0, a(n)=a(n+1)", "a(n+1)", "asks for a(2)"),
    ("a(0)=0, a(n)=a(n-2) for n>0", "a(n-2)", "a(1)"),
    ("?msd_fib a(0)=0, a(n.00)=a(n.0)+1, a(n.01)=a(n)+1", "a(n.01)=a(n)+1", "a(2)"),
    ("?msd_fib a(0)=0, a(n.0)=a(n.01), a(n.1)=a(n)", "a(n.1)=a(n)", "a(2)"),
    ("a(n)=T[n-1]", "T[n-1]", "T[-1]"),
]


@pytest.mark.parametrize(("text", "place", "said"), WRONG)
def test_wrong_equations_are_shown_with_their_place(text: str, place: str, said: str) -> None:
    session = fp.Session()
    with pytest.raises(RecursionProblem) as caught:
        solved(text, session=session)
    problem = caught.value
    assert problem.text[problem.start : problem.end].replace(" ", "") == place.replace(" ", "")
    assert said in problem.message
    assert "a" not in session


MALFORMED = [
    "a(0)=0, a(2n)=a((n)", "a(0)=0, a(2n)=", "a(0)=0, a(2n+m)=a(n)", "a(0)=0, a(2n)=b(n)", "a(0)=0, a(2n)=Q[n]",
    "a(0)=0, a(2n)=a(n) for", "a(0)=0, a(2n)=a(n) for n>>1", "a(0)=0, a(n^2)=a(n)", "a(0)=0 a(1)=1", "a(0)=n",
    "a(0)=0, a(n)=a(a(n-1)) for n>0", "a(0)=0, a(n)=n^n", "a(0)=0, a(n)=1/n", "a(0)=0, a(n)=n mod 0",
    "a(0)=0, a(n.2)=a(n)", "a(0)=0, a(n.1)=a(2n)", "a(0)=0, a(n)=min(n)", "a(n)=floor(n/2,3)", "a(n)=n^99",
    "a(0)=0, a(2E)=a(E)", "a(0)=0, a(n)=(-1)^(n/2)", "a(0)=0, a(n)=" + "-" * 3000 + "1", "a(0)=" + "(" * 3000 + "1",
    "?msd_fib a(0)=0, a(n.0)=min(a(n),3), a(n.1)=a(n)",
]


@pytest.mark.parametrize("text", MALFORMED)
def test_malformed_equations_are_errors_with_a_place(text: str) -> None:
    session = fp.Session()
    with pytest.raises(TextError) as caught:
        solved(text, session=session)
    assert caught.value.text == text and "a" not in session.namespace.sequences
    assert not isinstance(caught.value, RecursionProblem)


def test_given_terms_come_first() -> None:
    found = solved("a(0)=0, a(1)=5, a(n)=a(floor(n/2))+1 for n>0")
    assert found.sequence[:5] == [0, 5, 6, 6, 7]
    said = {str(each) for each in found.theorem.proved}
    assert any("but for a(1)" in each for each in said) and not any("a(0), as given" in each for each in said)


def test_words_other_sequences_and_fractions() -> None:
    session = fp.Session()
    solved("s(0)=0, s(n)=s(floor(n/2))+(n mod 2) for n>0", session=session)
    found = solved("a(0)=0, a(n)=a(n-1)+s(n)/2+T[n]*s(n-1) for n>0", session=session).sequence
    word, total = fp.word("T"), Fraction(0)
    for n in range(1, 300):
        total += Fraction(n.bit_count(), 2) + word[n] * (n - 1).bit_count()
        assert found[n] == total
    assert session["a"] is session.namespace.sequences["a"]


@pytest.mark.long
def test_least_and_greatest_values() -> None:
    found = solved("a(0)=0, a(1)=1, a(n)=min(2a(floor(n/2)), n+1)+max(0, n mod 4 - 2) for n>1").sequence
    terms = [0, 1]
    for n in range(2, 400):
        terms.append(min(2 * terms[n // 2], n + 1) + max(0, n % 4 - 2))
    assert found[:400] == terms
    again = solved("a(0)=0, a(1)=1, a(n)=min(a(floor(n/2)), a(ceil(n/2)))+abs(1-2(n mod 2)) for n>1").sequence
    assert again == solved("a(0)=0, a(1)=1, a(2n)=a(n)+1, a(2n+1)=a(n)+1 for n>=1").sequence


def random_equations(random: Random, base: int) -> tuple[str, list[int]]:
    """Return equations of a random sequence in a base, and its first terms."""
    factors = [[random.randint(-2, 2) for _ in range(4)] for _ in range(base)]
    start = [random.randint(-2, 2) for _ in range(base)]
    parts = [f"a({n})={term}" for n, term in enumerate(start)]
    for rest, (one, two, slope, constant) in enumerate(factors):
        parts.append(f"a({base}n+{rest})={one}a(n)+{two}a(n-1)+{slope}n+{constant}".replace("+-", "-"))
    random.shuffle(parts)
    terms = list(start)
    for n in range(base, 500):
        one, two, slope, constant = factors[n % base]
        m = n // base
        terms.append(one * terms[m] + two * (terms[m - 1] if m else 0) + slope * m + constant)
    return ", ".join(parts), terms


@pytest.mark.parametrize("seed", few(range(6), 3))
def test_random_equations(seed: int) -> None:
    text, terms = random_equations(Random(seed), 2 + seed % 2)
    found = solved(text).sequence
    assert found[:500] == terms


@pytest.mark.parametrize("seed", few(range(6), 3))
def test_one_changed_equation_contradicts_the_others(seed: int) -> None:
    random = Random(seed)
    text, terms = random_equations(random, 2)
    n = random.randrange(10, 60)
    with pytest.raises(RecursionProblem, match=rf"a\({n}\)"):
        solved(f"{text}, a({n + 1}*n+{n})={terms[n] + 1} for n<1")


def test_an_index_below_zero_needs_a_given_term() -> None:
    session = fp.Session()
    solved("b(0)=1, b(n)=b(floor(n/2))+1 for n>0", session=session)
    with pytest.raises(RecursionProblem, match=r"b\(-1\)"):
        solved("a(n)=b(n-1)", session=session)
    assert solved("a(0)=3, a(n)=b(n-1)", session=session).sequence[:4] == [3, 1, 2, 3]


@pytest.mark.parametrize("system", ["msd_neg_2", "msd_sturmian", "msd_nosuch"])
def test_systems_without_sequences(system: str) -> None:
    with pytest.raises(FibproverError, match=system):
        solved(f"?{system} a(0)=0, a(n)=a(n-1)+1 for n>0")


def test_a_sign_in_front_of_a_power() -> None:
    """n^2 is subtracted, also where another sign or a factor stands before it."""
    for written, factor in (("-n^2", -1), ("+-n^2", -1), ("-(-n^2)", 1), ("+2*-n^2", -2), ("-2*-n^2", 2)):
        terms = [0]
        for number in range(1, 300):
            terms.append(terms[number // 2] + (0 if number % 2 else factor * (number // 2) ** 2))
        assert solved(f"a(0)=0, a(2n)=a(n){written}, a(2n+1)=a(n)").sequence[:300] == terms


def test_a_sign_in_front_of_a_residue() -> None:
    """A residue is no negative number, and -n mod 3 one of -n; n - n mod 3 is a multiple of 3."""
    for written in ("-n mod 3", "(-n) mod 3", "0+-n mod 3", "-4*n mod 3", "(-n)%3"):
        assert solved(f"a(n)={written}").sequence[:9] == [0, 2, 1] * 3
    assert solved("a(n)=n - n mod 3").sequence[:7] == [0, 0, 0, 3, 3, 3, 6]


def test_floors_of_terms_that_are_fractions() -> None:
    assert solved("a(0)=1/2, a(n)=floor(a(floor(n/2)))+1/2 for n>=1").sequence[:40] == [Fraction(1, 2)] * 40
    assert solved("a(0)=1/2, a(n)=ceil(a(floor(n/2))/2)-1/2 for n>=1").sequence[:40] == [Fraction(1, 2)] * 40
    assert solved("a(n)=n/2", "b(n)=floor(a(n))+ceil(a(n))").sequences["b"][:9] == [*range(9)]
    assert solved("a(0)=0, a(n)=floor(a(floor(n/2)))+n for n>0").sequence[:6] == [0, 1, 3, 4, 7, 8]


@pytest.mark.long
def test_floors_of_negative_numbers_in_an_index() -> None:
    """n + floor(-n/2) is floor(n/2), and floor((7-3n)/2) + 2n + 1 is a number that is taken from before."""
    sequence = solved("a(0)=0, a(n)=a(n+floor(-n/2))+1 for n>=1").sequence
    assert sequence[:70] == [number.bit_length() for number in range(70)]
    terms = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    for number in range(10, 300):
        terms.append(terms[2 * number + (7 - 3 * number) // 2] + number)
    assert solved("a(n)=0 for n<10, a(n)=a(2n+floor((7-3n)/2))+n for n>=10").sequence[:300] == terms
    for right in ("a(n+floor(-n/2))+1", "T[n+floor(-n/2)]+1"):
        with pytest.raises(FibproverError):
            solved(f"a(n)=0, a(n)={right} for n>=5000")


def test_least_significant_digit_first() -> None:
    assert solved("?lsd_2 a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+n").sequence[:8] == [0, 0, 0, 1, 0, 2, 1, 4]


def test_scripts_and_json() -> None:
    session = fp.Session()
    script = 'solve a "a(0)=0, a(1)=1, a(2n)=a(n), a(2n+1)=a(n)+a(n+1)";\neval fewer n "i<n";'
    (_, answer), _ = session.run(script)
    assert isinstance(answer, SequenceSolution) and answer[:6] == [0, 1, 1, 2, 1, 3]
    assert answer.as_json()["dimensions"] == {"a": 2} and "\\begin{align*}" in answer.theorem.to_latex()
    with pytest.raises(FibproverError, match="no measure"):
        session.solve("a", "a(0)=0, a(2n)=a(n)", by="n")
    with pytest.raises(SyntaxProblem):
        session.solve("a", "a(0)=0, a(n)=b(n)", "b", "n=0 & v=0")


def test_a_large_recursion_ends_by_its_limits() -> None:
    with pytest.raises(FibproverError):
        fp.Session().solve("a", "a(0)=1, a(n)=a(n-1)+a(floor(n/2)) for n>0", limits=fp.Limits(seconds=0.2))


@pytest.mark.parametrize(("text", "term"), [
    ("abs(-n^2)", lambda n: n * n), ("max(n^2, 3*n)", lambda n: max(n * n, 3 * n)),
    ("min(n^2, 3*n, 40)", lambda n: min(n * n, 3 * n, 40)), ("abs(n^3-5*n-30)", lambda n: abs(n**3 - 5 * n - 30)),
])
def test_greatest_of_polynomials(text: str, term: Callable[[int], int]) -> None:
    """A difference of one sign from some n on needs no automaton of pairs."""
    found = fp.Session().solve("a", f"a(n)={text}")
    assert isinstance(found, SequenceSolution)
    assert found.sequence[:200] == [term(n) for n in range(200)]


def test_a_fractional_exponent() -> None:
    with pytest.raises(RecursionProblem) as caught:
        fp.Session().solve("a", "a(0)=1/2, a(n)=a(n-1) for n>0", "b", "b(n)=(-1)^a(n)")
    assert "1/2" in str(caught.value) and "n = 0" in str(caught.value)
