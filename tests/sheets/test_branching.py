"""Special factors, return words, products of palindromes and abelian powers against a prefix, by definitions."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from functools import cache

import pytest

import fibprover as fp
from fibprover.sheets.questions import questions

#: The factors of up to LENGTH letters of these words all occur among the first PREFIX letters; so do those of FAR
#: letters, but few of them are compared.
PREFIX, LENGTH, FAR = 30_000, 10, 120

#: The last one is not closed under reversal.
WORDS = ("T", "F", "RS", "VTM", "0->012, 1->020, 2->100")
SLOW = ("P", "prouhet3", "TR", "pell", "PD", "arshon", "[-1]->[-1]0, 0->1[-1], 1->01")
SLOWEST = "NA"

#: Numbers of letters in prefixes have an automaton.
COUNTED = ("T", "F", "prouhet3", "TR", "pell")

IDS = (
    "right-extensions", "left-extensions", "left-branches", "right-branches", "multiplicities", "weak-bispecial",
    "neutral-bispecial", "strong-bispecial", "return-words", "three-palindromes", "four-palindromes",
    "palindromic-length",
)
ABELIAN = ("abelian-square-orders", "abelian-cube-orders", "additive-complexity", "additive-cube-orders")


class Prefix:
    """A prefix as a text, one character a letter."""

    def __init__(self, letters: Sequence[int]) -> None:
        self.letters = letters
        self.text = "".join(chr(letter + 100) for letter in letters)
        self.alphabet = sorted(set(self.text))

    @cache  # noqa: B019 (two prefixes at a time)
    def factors(self, n: int) -> frozenset[str]:
        return frozenset(self.text[i : i + n] for i in range(len(self.text) - n + 1))

    def after(self, n: int) -> dict[str, set[str]]:
        found = defaultdict(set)
        for each in self.factors(n + 1):
            found[each[:-1]].add(each[-1])
        return found

    def before(self, n: int) -> dict[str, set[str]]:
        found = defaultdict(set)
        for each in self.factors(n + 1):
            found[each[1:]].add(each[0])
        return found

    def multiplicities(self, n: int) -> dict[str, int]:
        """The multiplicity of each bispecial factor of length n."""
        left, right, longer = self.before(n), self.after(n), self.factors(n + 2)
        return {
            each: sum(a + each + b in longer for a in self.alphabet for b in self.alphabet) - len(left[each])
            - len(right[each]) + 1
            for each in self.factors(n) if len(left[each]) > 1 and len(right[each]) > 1
        }

    def return_words(self, n: int) -> set[int]:
        """How many return words the factors of length n have."""
        last: dict[str, int] = {}
        found = defaultdict(set)
        for i in range(len(self.text) - n):
            each = self.text[i : i + n]
            if each in last:
                found[each].add(self.text[last[each] : i])
            last[each] = i
        return {len(words) for words in found.values()}

    def palindromic_lengths(self, count: int) -> list[int]:
        """The least number of palindromes whose product is the prefix of length 0, 1, ..."""
        found = [0]
        for n in range(1, count):
            ends = (m for m in range(n) if self.text[m:n] == self.text[m:n][::-1])
            found.append(1 + min(found[m] for m in ends))
        return found


def members(line: fp.sheets.line.Line, bound: int) -> set[int]:
    assert line.status == "proved"
    return {each for each in line.terms if each is not None and each < bound}


def numbers(value: str) -> list[int]:
    return [int(each) for each in value.split(", ")]


@pytest.fixture(scope="module", params=[
    *WORDS, *(pytest.param(word, marks=pytest.mark.long) for word in SLOW),
    pytest.param(SLOWEST, marks=pytest.mark.very_long),
])
def sheet(request: pytest.FixtureRequest) -> fp.Sheet:
    word = str(request.param)
    asked = [*IDS, *(ABELIAN if word in COUNTED else ())]
    known = {each.id for each in questions("W", fp.study(word, only=["letter-1"]).letters)}
    return fp.study(word, only=[each for each in asked if each in known], limits=fp.Limits(cpu_seconds=5))


@pytest.fixture(scope="module")
def prefix(sheet: fp.Sheet) -> Prefix:
    return Prefix(sheet.word.prefix(PREFIX))


def test_extensions(sheet: fp.Sheet, prefix: Prefix) -> None:
    for name, found in (("right-extensions", prefix.after), ("left-extensions", prefix.before)):
        counts = {len(letters) for n in range(LENGTH) for letters in found(n).values()}
        assert numbers(sheet[name].value) == sorted(counts), name


def test_branches(sheet: fp.Sheet, prefix: Prefix) -> None:
    left = {each[:LENGTH] for each, letters in prefix.before(FAR).items() if len(letters) > 1}
    assert sheet["left-branches"].value == str(len(left))
    right = {each[-LENGTH:] for each, letters in prefix.after(FAR).items() if len(letters) > 1}
    assert sheet["right-branches"].value == str(len(right))


def test_multiplicities(sheet: fp.Sheet, prefix: Prefix) -> None:
    found = [set(prefix.multiplicities(n).values()) for n in range(LENGTH)]
    assert numbers(sheet["multiplicities"].value) == sorted(set().union(*found))
    for name, test in (("weak", (0).__gt__), ("neutral", (0).__eq__), ("strong", (0).__lt__)):
        lengths = {n for n in range(LENGTH) if any(map(test, found[n]))}
        assert members(sheet[f"{name}-bispecial"], LENGTH) == lengths, name
    # The second difference of the number of factors is the sum of the multiplicities.
    sizes = [len(prefix.factors(n)) for n in range(LENGTH + 2)]
    assert [c - 2 * b + a for a, b, c in zip(sizes, sizes[1:], sizes[2:], strict=False)] == [
        sum(prefix.multiplicities(n).values()) for n in range(LENGTH)
    ]


def test_return_words(sheet: fp.Sheet, prefix: Prefix) -> None:
    counts = set().union(*(prefix.return_words(n) for n in range(1, LENGTH)))
    assert numbers(sheet["return-words"].value) == sorted(counts)


def test_products_of_palindromes(sheet: fp.Sheet, prefix: Prefix) -> None:
    lengths = prefix.palindromic_lengths(200)
    for name, most in (("three", 3), ("four", 4)):
        assert members(sheet[f"{name}-palindromes"], 60) == {n for n in range(60) if lengths[n] <= most}
    least = [next((n for n, length in enumerate(lengths) if length > k), 200) for k in range(1, 7)]
    said = numbers(sheet["palindromic-length"].value.partition("has length ")[2].rstrip("."))
    assert [min(each, 200) for each in said] == least


def test_abelian_powers(sheet: fp.Sheet, prefix: Prefix) -> None:
    """Where the numbers of letters in prefixes have an automaton."""
    text, ids = prefix.text[:6000], {line.id for line in sheet.lines if line.status != "open"}
    values = [0, *itertools.accumulate(prefix.letters)]
    for name, power in (("square", 2), ("cube", 3)):
        blocks = {
            n: any(
                len({"".join(sorted(text[i + n * k : i + n * k + n])) for k in range(power)}) == 1
                for i in range(1000)
            )
            for n in range(1, 12)
        }
        if f"abelian-{name}-orders" in ids:
            assert members(sheet[f"abelian-{name}-orders"], 12) == {n for n, found in blocks.items() if found}
    if "additive-complexity" in ids:
        counts = [len({b - a for a, b in zip(values, values[n:], strict=False)}) for n in range(12)]
        assert list(sheet["additive-complexity"].terms[:12]) == counts
    if "additive-cube-orders" in ids:
        cubes = {
            n for n in range(1, 12) for i in range(6000)
            if values[i + n] - values[i] == values[i + 2 * n] - values[i + n] == values[i + 3 * n] - values[i + 2 * n]
        }
        assert members(sheet["additive-cube-orders"], 12) == cubes


def test_lines_are_theorems_by_themselves() -> None:
    """The formula of a line of numbers says all that is found, and no more."""
    sheet = fp.study("T", only=["return-words", "multiplicities", "palindromic-length"])
    session = fp.Session()
    for line in sheet.lines:
        assert session.prove(line.formula).truth
    wrong = sheet["return-words"].formula.replace("E>=5", "E>=4")
    assert not session.prove(wrong).truth


def test_bounded_products_of_palindromes() -> None:
    line = fp.study("0->01, 1->01", only=["palindromic-length"])["palindromic-length"]
    assert (line.status, line.value.split(".")[0]) == ("proved", "2")
    assert fp.study("0->00", only=["palindromic-length"])["palindromic-length"].value == "1"


@pytest.mark.parametrize(
    ("given", "prefix"),
    [
        ("1->12, 2->21", [1, 2, 2, 1, 2, 1, 1, 2]),
        ("1->12, 2->1", [1, 2, 1, 1, 2, 1, 2, 1]),
        ("2->1, 1->12", [1, 2, 1, 1, 2, 1, 2, 1]),
        ("[-1]->[-1]1, 1->1[-1]", [-1, 1, 1, -1, 1, -1, -1, 1]),
        ("[-1]->[-1][12], [12]->[-1]", [-1, 12, -1, -1, 12, -1, 12, -1]),
        ("2->20, 0->02", [0, 2, 2, 0, 2, 0, 0, 2]),
    ],
)
def test_letters_of_morphisms(given: str, prefix: list[int]) -> None:
    """Any integers are letters, and have the same lines as others."""
    first = prefix[0]
    sheet = fp.study(given, only=[f"balance-{min(prefix)}", "abelian-complexity"])
    assert list(sheet.prefix[:8]) == prefix and sheet.letters == tuple(sorted(set(prefix)))
    plain = fp.study("0->01, 1->10" if prefix[2] != first else "0->01, 1->0", only=["abelian-complexity", "balance-0"])
    assert [line.status for line in sheet.lines] == ["proved", "proved"]
    assert [line.value for line in sheet.lines] == [line.value for line in plain.lines]


@pytest.mark.parametrize("given", ["0->1, 1->01", "1->2, 2->1", "0->01", "2->22 3->4"])
def test_morphisms_without_a_word(given: str) -> None:
    with pytest.raises(fp.FibproverError):
        fp.study(given)


def test_a_factor_that_is_followed_by_a_letter_only_at_the_beginning() -> None:
    """In 021001001... the factor 0 is enclosed by 1 and 0, and by 0 and 1, and 2 follows it once: -2."""
    letters = {1: "n>=2 & (Ek n=3*k+2)", 2: "n=1"}
    session = fp.Session()
    for letter, formula in letters.items():
        session.define(f"at{letter}", formula)
    session.combine("C", "at1", "at2")
    word = session.namespace.words["C"]
    assert word.prefix(8) == [0, 2, 1, 0, 0, 1, 0, 0]
    sheet = fp.study(word, only=["multiplicities"])
    text = Prefix(word.prefix(300))
    found = set().union(*(text.multiplicities(n).values() for n in range(10)))
    assert numbers(sheet["multiplicities"].value) == sorted(found) == [-2, 0]
