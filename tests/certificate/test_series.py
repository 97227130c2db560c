"""Certificates of words of coefficients: what is changed is refused, or right."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.checker.fibcheck import Checker, Invalid, Malformed
from fibprover.prover.verdict.verdict import Verdict
from tests.certificate.meaning import checked_lines, run
from tests.few import few
from tests.words.test_series import CATALAN, MOTZKIN, TRINOMIAL, WORDS, catalan, motzkin

Lines = list[dict[str, Any]]
Polynomial = dict[tuple[int, ...], int]

#: Of each kind: an equation, one with a first coefficient other than 1, a rational function, constant terms.
SMALL = (
    f"{CATALAN} mod 4", f"{MOTZKIN} mod 4", "coefficients of y^2=4+x, y(0)=-2 mod 9",
    "diagonal of 1/(1-x-y-x*y) mod 8", "diagonal of (x+y)/(1-x-y)^2 mod 3", f"{TRINOMIAL}*(1-x) mod 4",
    "constant terms of ((1+x)*(1+y)*(1+x+y)/(x*y))^n mod 4",
)


@cache
def certificate(text: str) -> str:
    """The certificate of a statement about the word of a series, as JSON: its first letter occurs."""
    session = fp.Session()
    word = session.define_word("W", [], text)
    verdict = session.eval(f"En W[n]={word[0]}")
    assert isinstance(verdict, Verdict)
    return json.dumps(verdict.certificate().lines)


def lines_of(text: str) -> Lines:
    found: Lines = json.loads(certificate(text))
    return found


def word_in(lines: Lines) -> dict[str, Any]:
    return next(line for line in lines if "word" in line)


def letters(checker: Checker, count: int) -> list[int | None]:
    """The first letters of W, by running its automaton."""
    (system,), automaton = checker.words["W"]
    return [run(automaton, [checker.systems[system].representation(n)]) for n in range(count)]


@pytest.mark.parametrize(("text", "modulus", "numbers"), few(WORDS, 8))
def test_the_checker_says_which_coefficients_a_word_has(
    text: str, modulus: int, numbers: Callable[[], Iterator[int]], tmp_path: Path
) -> None:
    checker = checked_lines(lines_of(f"{text} mod {modulus}"), tmp_path)
    (said,) = [line for line in checker.understood() if line.startswith("word W: ")]
    assert f"modulo {modulus}; an automaton" in said and "digest" not in said
    assert letters(checker, 300) == [number % modulus for number in islice(numbers(), 300)]


@pytest.mark.long
@pytest.mark.parametrize(("text", "modulus", "numbers"), [(CATALAN, 9, catalan), (MOTZKIN, 8, motzkin)])
def test_ten_thousand_coefficients(
    text: str, modulus: int, numbers: Callable[[], Iterator[int]], tmp_path: Path
) -> None:
    checker = checked_lines(lines_of(f"{text} mod {modulus}"), tmp_path)
    assert letters(checker, 10_000) == [number % modulus for number in islice(numbers(), 10_000)]


# -- by brute force ---------------------------------------------------------------------------------------------------


def read(terms: list[list[int]]) -> Polynomial:
    return {tuple(at): number for number, *at in terms}


def times(one: Polynomial, two: Polynomial) -> Polynomial:
    found: Polynomial = {}
    for (at, number), (other, factor) in product(one.items(), two.items()):
        place = tuple(a + b for a, b in zip(at, other, strict=True))
        found[place] = found.get(place, 0) + number * factor
    return found


def by_equation(equation: Polynomial, first: int, modulus: int, count: int) -> list[int]:
    """The coefficients of y one by one: each is the only residue with P(x,y) = 0 up to this power of x."""
    found = [first % modulus]
    for n in range(1, count):
        for letter in range(modulus):
            trial, total = [*found, letter], 0
            powers = [[1, *[0] * n]]
            for _ in range(max(y for _, y in equation)):
                powers.append([sum(powers[-1][i] * trial[k - i] for i in range(k + 1)) % modulus for k in range(n + 1)])
            total = sum(number * powers[y][n - x] for (x, y), number in equation.items() if x <= n)
            if total % modulus == 0:
                break
        found.append(letter)
    return found


def by_expansion(above: Polynomial, under: Polynomial, modulus: int, count: int) -> list[int]:
    """The coefficients on the diagonal of R/Q, from those before them."""
    places = len(next(iter(under)))
    unit = pow(under[(0,) * places], -1, modulus)
    known: Polynomial = {}
    for at in product(range(count), repeat=places):
        before = sum(number * known.get(tuple(a - b for a, b in zip(at, other, strict=True)), 0)
                     for other, number in under.items() if any(other))
        known[at] = (above.get(at, 0) - before) * unit % modulus
    return [known[(n,) * places] for n in range(count)]


def by_powers(base: Polynomial, factor: Polynomial, modulus: int, count: int) -> list[int]:
    found, zero = [], (0,) * len(next(iter(factor)))
    for _ in range(count):
        found.append(factor.get(zero, 0) % modulus)
        factor = times(factor, base)
    return found


def right(series: dict[str, Any], count: int) -> list[int]:
    """The first coefficients of what a certificate says."""
    modulus = series["prime"] ** series["exponent"]
    if "equation" in series:
        return by_equation(read(series["equation"]), series["first"], modulus, count)
    one, two = map(read, series["diagonal"] if "diagonal" in series else series["power"])
    return (by_expansion if "diagonal" in series else by_powers)(one, two, modulus, count)


@pytest.mark.parametrize("text", SMALL)
def test_what_is_said_is_right(text: str, tmp_path: Path) -> None:
    lines = lines_of(text)
    assert letters(checked_lines(lines, tmp_path), 12) == right(word_in(lines)["series"], 12)


# -- changed certificates ---------------------------------------------------------------------------------------------


def polynomials(series: dict[str, Any]) -> list[list[list[int]]]:
    return [series["equation"]] if "equation" in series else series.get("diagonal") or series["power"]


def change_coefficient(word: dict[str, Any], chance: random.Random) -> None:
    term = chance.choice(chance.choice(polynomials(word["series"])))
    term[0] += chance.choice([-8, -2, -1, 1, 2, 4, 9])


def change_exponent(word: dict[str, Any], chance: random.Random) -> None:
    term = chance.choice(chance.choice(polynomials(word["series"])))
    term[chance.randrange(1, len(term))] += chance.choice([-1, 1])


def drop_term(word: dict[str, Any], chance: random.Random) -> None:
    terms = chance.choice(polynomials(word["series"]))
    del terms[chance.randrange(len(terms))]


def change_modulus(word: dict[str, Any], chance: random.Random) -> None:
    word["series"][chance.choice(["prime", "exponent"])] += chance.choice([-1, 1, 2])


def change_first(word: dict[str, Any], chance: random.Random) -> None:
    word["series"]["first"] = word["series"].get("first", 0) + chance.choice([-2, -1, 1, 4])


def change_letter(word: dict[str, Any], chance: random.Random) -> None:
    word["outputs"][chance.randrange(len(word["outputs"]))] += chance.choice([-1, 1, 8])


def change_target(word: dict[str, Any], chance: random.Random) -> None:
    row = chance.choice(word["rows"])
    row[1 + 2 * chance.randrange(len(row) // 2)] = chance.randrange(len(word["rows"]))


def change_kind(word: dict[str, Any], chance: random.Random) -> None:
    series = word["series"]
    for kind in ("equation", "diagonal", "power"):
        if kind in series:
            terms = series.pop(kind)
            series[chance.choice([other for other in ("equation", "diagonal", "power") if other != kind])] = terms
            return


CHANGES = (change_coefficient, change_exponent, drop_term, change_modulus, change_first, change_letter, change_target,
           change_kind)


def mutants(count: int, seed: int) -> Iterator[Lines]:
    """Changed certificates of SMALL; other claims than those of the word stay as they are."""
    chance = random.Random(seed)
    for _ in range(count):
        lines = copy.deepcopy(lines_of(chance.choice(SMALL)))
        chance.choice(CHANGES)(word_in(lines), chance)
        yield lines


def test_changed_certificates_are_refused_unless_they_are_right(tmp_path: Path) -> None:
    refused, same = 0, 0
    for lines in mutants(150, 11):
        try:
            checker = checked_lines(lines, tmp_path)
        except (Invalid, Malformed):
            refused += 1
        else:
            same += 1
            assert letters(checker, 12) == right(word_in(lines)["series"], 12)
    assert refused > 100 and same > 3


@pytest.mark.parametrize(("key", "value"), [
    ("prime", 4), ("prime", 1), ("exponent", 0), ("exponent", 40), ("first", 2), ("first", True), ("equation", []),
    ("equation", [[1, 0, 1]]), ("equation", [[1, 0, 0], [1, 0, 0]]), ("equation", [[1, 0], [1, 1]]), ("equation", 7),
    ("equation", [[-1, 0, 0], [1, 0, 1], [-1, 1, -2]]), ("equation", [[-1, 0, 0], [1, 0, 1], [-1, 1, 2, 0]]),
    ("equation", [[-1, 0, 0], [2, 0, 1], [-1, 1, 2]]), ("equation", [[-1, 0, 0], [1, 0, 1], [-1, 1, 1000]]),
    ("equation", [[-1, 0, 0], [1, 0, 1], [-1.0, 1, 2]]), ("equation", [[-(10**17), 0, 0], [10**17, 0, 1]]),
    ("equation", "y"), ("equation", [[1, x, y] for x in range(64) for y in range(64)]),
])
def test_other_series_are_refused(key: str, value: Any, tmp_path: Path) -> None:
    lines = copy.deepcopy(lines_of(SMALL[0]))
    word_in(lines)["series"][key] = value
    with pytest.raises((Invalid, Malformed)):
        checked_lines(lines, tmp_path)


def test_not_all_words_of_a_system_are_numbers(tmp_path: Path) -> None:
    """In the Fibonacci system, places of letters are other numbers than those that their digits are in base 2."""
    fibonacci: dict[str, Any] = {"system": "s", "digits": 2, "outputs": [1, 1], "rows": [[0, 0, 1, 1], [0, 0]]}
    lines = copy.deepcopy(lines_of(SMALL[0]))
    word = word_in(lines)
    head = {"certificate": 1, "variables": {"x": "s"}}
    assert "W" in checked({**fibonacci, "outputs": [1], "rows": [[0, 0, 1, 0]]}, head, word, tmp_path).series
    for system in (fibonacci, {**fibonacci, "outputs": [1, 0], "rows": [[0, 0, 1, 1], [0, 0, 1, 1]]}):
        with pytest.raises(Malformed):
            checked(system, head, word, tmp_path)


def checked(system: dict[str, Any], head: dict[str, Any], word: dict[str, Any], folder: Path) -> Checker:
    """What the checker has read of a word over a system, with a statement about nothing."""
    nothing = [{"automaton": 0, "systems": [], "outputs": [1], "rows": [[0, 0]]},
               {"rule": "and", "of": [], "relation": [0, []]}, {"statement": "true"}]
    return checked_lines([head, system, {**word, "systems": ["s"]}, *nothing], folder)


def test_a_word_made_otherwise_has_no_series() -> None:
    session = fp.Session()
    session.define_word("W", [], SMALL[0])
    session.define_word("V", ["n"], "W[n]")
    words = session.namespace.words
    assert words["V"].series is None and words["W"].series is not None
    session.define_word("W", ["n"], "V[n+1]")
    assert words["W"].series is None


def test_the_page_shows_the_line_of_a_word(tmp_path: Path) -> None:
    session = fp.Session()
    session.define_word("M8", [], "coefficients of y = 1 + x*y + x^2*y^2 mod 8")
    verdict = session.eval("En M8[n]=1")
    assert isinstance(verdict, Verdict)
    checker = checked_lines(list(verdict.certificate().lines), tmp_path)
    (said,) = [line for line in checker.understood() if line.startswith("word M8")]
    page = Path(__file__).resolve().parents[2] / "docs" / "certificates.md"
    assert f"```text\n{said}\n```" in page.read_text()
