"""Sheets of words against counting in a prefix, and against published values."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import FibproverError, UnknownName
from fibprover.base.limits import Budget
from fibprover.numeration.system import NumerationSystem
from fibprover.sheets import predicates
from fibprover.sheets.line import Line
from fibprover.sheets.questions import questions
from fibprover.sheets.sentences import with_value
from fibprover.words.letter_counts import letter_counts
from tests.few import few

#: Words whose factors of up to LENGTH letters all occur among the first PREFIX letters.
WORDS = ("T", "F", "RS", "P", "PD", "VTM", "RF", "SC", "0->012, 1->120, 2->201", "0->001, 1->0")
LENGTH, PREFIX = 12, 3000

#: Lines that are quick for these words; suprema are asked about by themselves, others in test_against_prefixes.py.
SLOW = ("closed", "privileged", "trapezoidal", "unbordered-factors")
QUICK = [
    each.id for each in questions("W", (0, 1))
    if each.kind not in ("supremum", "limit") and each.section not in ("order", "abelian") and each.id not in SLOW
]


#: Of these `make test-long` asks: they are like PD, F and T, whose sheets have the same sorts of answers.
OTHERS = ("P", "RF", "SC", "PD", "VTM", "0->001, 1->0")


@pytest.fixture(
    scope="module",
    params=[pytest.param(word, marks=[pytest.mark.long] if word in OTHERS else []) for word in WORDS],
)
def sheet(request: pytest.FixtureRequest) -> fp.Sheet:
    name = str(request.param)
    letters = 3 if "2" in name or name in ("VTM",) else 2
    only = [each for each in QUICK if letters == 2 or each != "complement"]
    return fp.study(name, only=only, limits=fp.Limits(seconds=60))


@pytest.fixture(scope="module")
def prefix(sheet: fp.Sheet) -> tuple[int, ...]:
    """The first letters, by the definition of the word and not by its automaton where it is a morphism."""
    if "->" not in sheet.given:
        return tuple(fp.Session().namespace.library_words[sheet.name].prefix(PREFIX))
    rules = [rule.split("->") for rule in sheet.given.split(",")]
    images = {int(letter): [int(each) for each in image.strip()] for letter, image in rules}
    word = [0]
    while len(word) < PREFIX:
        word = [letter for each in word for letter in images[each]]
    return tuple(word[:PREFIX])


def factors(prefix: Sequence[int], length: int) -> set[tuple[int, ...]]:
    return {tuple(prefix[i : i + length]) for i in range(len(prefix) - length)}


def listed(line: Line) -> list[int]:
    """The values that a line begins with."""
    return [int(each) for each in line.value.split(", ...")[0].split(", ")]


def members(line: Line, bound: int) -> set[int]:
    """The members of a set below a bound, by the text of a line."""
    if line.value == "none":
        return set()
    if line.value.startswith("all"):
        others = line.value.removeprefix("all but ").split(", ") if "but" in line.value else []
        return set(range(bound)) - set(map(int, others))
    assert "numbers:" not in line.value
    found = listed(line)
    assert not line.value.endswith("...") or max(found) >= bound, "as many are shown as are compared"
    return {each for each in found if each < bound}


def test_nothing_is_open(sheet: fp.Sheet) -> None:
    assert [line.id for line in sheet.lines if line.status == "open"] == []


def covering(letters: Sequence[int], length: int) -> list[int]:
    """For each place the number of letters from there on that have all factors of a length."""
    found = [tuple(letters[i : i + length]) for i in range(len(letters) - length + 1)]
    all_factors, inside = set(found), Counter[tuple[int, ...]]()
    sizes: list[int] = []
    end = 0
    for start, factor in enumerate(found):
        while len(inside) < len(all_factors) and end < len(found):
            inside[found[end]] += 1
            end += 1
        if len(inside) < len(all_factors):
            break
        sizes.append(end - start + length - 1)
        inside[factor] -= 1
        if not inside[factor]:
            del inside[factor]
    return sizes


def test_appearance_and_recurrence(sheet: fp.Sheet, prefix: Sequence[int]) -> None:
    sizes = [covering(prefix, n) for n in range(1, LENGTH)]
    assert listed(sheet["appearance-function"]) == [0, *(each[0] for each in sizes)]
    assert listed(sheet["recurrence-function"]) == [0, *map(max, sizes)]


def hedlund(n: int) -> int:
    """The recurrence function of the Thue-Morse word for n > 2 (Morse and Hedlund 1938; OEIS A179867)."""
    return (9 << ((n - 2).bit_length() - 1)) + n - 1


def sturmian(n: int) -> int:
    """That of the Fibonacci word (Morse and Hedlund 1940)."""
    a, b = 1, 2
    while b <= n:
        a, b = b, a + b
    return a + b + n - 1


def test_published_recurrence_functions() -> None:
    lines = ["recurrence-function", "recurrence-quotient"]
    thue, fibonacci = (fp.study(name, only=lines) for name in ("T", "F"))
    assert list(thue[lines[0]].terms) == [0, 3, 9, *map(hedlund, range(3, 64))]
    assert list(fibonacci[lines[0]].terms) == [0, *map(sturmian, range(1, 64))]
    # R(2^r + 2) / (2^r + 2) tends to 10, and R(n) / n at Fibonacci numbers to the square of the golden ratio plus 1.
    assert thue[lines[1]].value == "10, not attained"
    assert fibonacci[lines[1]].value == "(5+sqrt(5))/2 = 3.6180339887..., not attained"
    series = fp.Session().counts("n", fibonacci[lines[0]].formula)
    assert series[10**30] == sturmian(10**30)


def test_a_word_with_a_letter_that_occurs_once() -> None:
    sheet = fp.study("0->01, 1->11", only=["appearance-function", "recurrence-function", "recurrence-quotient"])
    assert [line.value.partition(":")[0] for line in sheet.lines][1:] == ["infinite for these n", "infinite"]
    assert listed(sheet.lines[0]) == [0, *range(2, LENGTH + 1)] and "all but 0" in sheet["recurrence-function"].value
    assert len(fp.Session().run(sheet.to_script())) > 3


def test_the_complexity(sheet: fp.Sheet, prefix: Sequence[int]) -> None:
    counts = [len(factors(prefix, n)) for n in range(LENGTH)]
    assert listed(sheet["complexity"]) == counts
    said = re.split(r"exactly |All differences are ", sheet["complexity"].value)[1].rstrip(".")
    assert {b - a for a, b in itertools.pairwise(counts)} <= set(map(int, said.split(", ")))


def test_palindromes(sheet: fp.Sheet, prefix: Sequence[int]) -> None:
    found = [sum(each == each[::-1] for each in factors(prefix, n)) for n in range(LENGTH)]
    assert listed(sheet["palindromes"]) == found
    assert members(sheet["palindrome-lengths"], 9) == {n for n in range(9) if found[n]}
    least = members(sheet["palindromic-prefixes"], 6)
    assert least == {n for n in range(6) if prefix[:n] == prefix[:n][::-1]}


def test_special_factors(sheet: fp.Sheet, prefix: Sequence[int]) -> None:
    def extensions(length: int) -> dict[tuple[int, ...], set[int]]:
        found: dict[tuple[int, ...], set[int]] = {}
        for each in factors(prefix, length + 1):
            found.setdefault(each[:-1], set()).add(each[-1])
        return found

    assert listed(sheet["right-special"]) == [
        sum(len(letters) > 1 for letters in extensions(n).values()) for n in range(LENGTH)
    ]


@pytest.mark.long
def test_lines_that_only_other_words_have_are_skipped() -> None:
    asked = ["complexity", "abelian-complexity", "permutation-021"]
    sheet = fp.study("0->01, 1->02, 2->03, 3->0", only=asked)
    assert [line.id for line in sheet.lines] == ["complexity"] and sheet.skipped == tuple(asked[1:])
    assert "abelian-complexity, permutation-021" in str(sheet)
    alone = fp.study("0->01, 1->02, 2->03, 3->0", only=["abelian-complexity"])
    assert not alone.lines and alone.skipped == ("abelian-complexity",)
    with pytest.raises(fp.FibproverError):
        fp.study("0->01, 1->02, 2->03, 3->0", only=["complexity", "complexities"])


def test_repetitions(sheet: fp.Sheet, prefix: Sequence[int]) -> None:
    squares = {
        n for n in range(1, 13) for i in range(len(prefix) - 2 * n) if prefix[i : i + n] == prefix[i + n : i + 2 * n]
    }
    assert members(sheet["square-orders"], 7) == {n for n in squares if n < 7}
    cubes = {
        n for n in range(1, 13) for i in range(len(prefix) - 3 * n)
        if prefix[i : i + 2 * n] == prefix[i + n : i + 3 * n]
    }
    assert members(sheet["cube-orders"], 7) == {n for n in cubes if n < 7}
    assert (sheet["squares"].status == "proved") == bool(squares)
    assert (sheet["cubes"].status == "proved") == bool(cubes)
    overlaps = any(
        prefix[i : i + n + 1] == prefix[i + n : i + 2 * n + 1] for n in range(1, 40) for i in range(400)
    )
    assert (sheet["overlaps"].status == "proved") == overlaps


def test_unbordered_factors(sheet: fp.Sheet, prefix: Sequence[int]) -> None:
    def is_unbordered(each: tuple[int, ...]) -> bool:
        return all(each[:m] != each[len(each) - m :] for m in range(1, len(each)))

    found = {n for n in range(1, 10) if any(map(is_unbordered, factors(prefix, n)))}
    assert members(sheet["unbordered"], 10) == found


def test_symmetries(sheet: fp.Sheet, prefix: Sequence[int]) -> None:
    closed = all(each[::-1] in factors(prefix, n) for n in range(14) for each in factors(prefix[:400], n))
    assert (sheet["reversal"].status == "proved") == closed
    if len(sheet.letters) == 2:
        turned = all(
            tuple(1 - a for a in each) in factors(prefix, n) for n in range(10) for each in factors(prefix[:200], n)
        )
        assert (sheet["complement"].status == "proved") == turned


def test_letters(sheet: fp.Sheet, prefix: Sequence[int]) -> None:
    for letter in (0, 1):
        places = [i for i, each in enumerate(prefix) if each == letter]
        gaps = {b - a for a, b in itertools.pairwise(places)}
        assert members(sheet[f"letter-{letter}-gaps"], max(gaps) + 1) == gaps


#: Published values: Thue 1906 (T); Allouche and Shallit, "Automatic Sequences" (2003), for the paperfolding and the
#: Rudin-Shapiro word, whose recurrence quotients are 41 and less by one here: distances do not contain the factor.
EXPONENTS = {
    "T": "2, attained", "RS": "4, attained", "P": "3, attained", "PD": "4, not attained", "VTM": "2, not attained",
    # Mignosi and Pirillo, "Repetitions in the Fibonacci infinite word" (1992): 2 plus the golden ratio.
    "F": "(5+sqrt(5))/2 = 3.6180339887..., not attained",
    # Tan and Wen, "Some properties of the Tribonacci sequence" (2007): 3.19148...
    "TR": "3.1914878839..., a root of 2x^3 - 12x^2 + 22x - 13, not attained",
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] if name == "TR" else []) for name in EXPONENTS]
)
def test_critical_exponents(name: str) -> None:
    (line,) = fp.study(name, only=["critical-exponent"], limits=fp.Limits(seconds=60)).lines
    assert line.value.startswith(EXPONENTS[name]) and line.status == "proved"


@pytest.mark.parametrize(
    ("name", "gaps", "appearance"), [("T", 9, 7), pytest.param("RS", 40, 27, marks=pytest.mark.long)]
)
def test_recurrence(name: str, gaps: int, appearance: int) -> None:
    found = fp.study(name, only=["gaps", "appearance"])
    assert found["gaps"].value == f"{gaps}, not attained"
    assert found["appearance"].value == f"{appearance}, not attained"


def test_words_that_are_periodic_or_not_recurrent() -> None:
    periodic = fp.study("0->01, 1->01", only=["eventually-periodic", "gaps", "critical-exponent", "complexity"])
    assert [line.status for line in periodic.lines] == ["proved", "proved", "proved", "proved"]
    assert periodic["critical-exponent"].value == "infinite"
    powers = fp.study("P2", only=["recurrent", "uniformly-recurrent", "letter-1"])
    assert [line.status for line in powers.lines] == ["proved", "refuted", "refuted"]


def test_a_line_that_takes_too_long_is_open() -> None:
    found = fp.study("FTM", only=["gaps", "squares"], limits=fp.Limits(seconds=0.001))
    assert next(line.status for line in found.lines) == "open"


@pytest.mark.parametrize("word", ["Thule", "PF", "0->", "missing.txt", "missing.json", "1->10, 0->0 x"])
def test_what_is_no_word(word: str) -> None:
    with pytest.raises(FibproverError):
        fp.study(word)


def test_unknown_names() -> None:
    with pytest.raises(UnknownName, match="FMT"):
        fp.study("FMT")
    with pytest.raises(FibproverError, match="palindrom"):
        fp.study("T", only=["palindrom"])
    with pytest.raises(FibproverError, match="nothing"):
        fp.study("T", only=["squares"])["nothing"]


def test_a_file_and_a_value_have_the_same_sheet(tmp_path: Path) -> None:
    session = fp.Session()
    word = session.namespace.library_words["T"]
    session.namespace.words["T"] = word
    file = tmp_path / "T.json"
    file.write_text('{"T": {"morphism": [[0, 1], [1, 0]], "coding": [0, 1], "system": "msd_2"}}')
    sheets = [fp.study(each, only=["complexity", "squares"]) for each in ("T", str(file), word)]
    assert len({tuple((line.value, line.formula) for line in each.lines) for each in sheets}) == 1


#: Lines of many kinds, with all predicates of words, one that is learned, and a power of the base.
KINDS = (
    "letter-0", "letter-0-frequency", "eventually-periodic", "gaps", "recurrence-function", "return-words", "derived-1",
    "derived-2", "complexity", "complexity-formula", "palindromic-length", "rich", "squares", "critical-exponent",
    "unbordered", "least-word", "multiplicities", "left-branches", "balance-0", "abelian-complexity",
)
SOME = ("letter-0", "eventually-periodic", "gaps", "derived-1", "rich", "squares")


@pytest.mark.parametrize(("name", "only"), [
    *few(((name, SOME) for name in ("Ape", "I1", "A", "E", "X", "T_X", "feq_X")), 3),
    pytest.param("Evil", KINDS, marks=pytest.mark.long),
])
def test_a_word_may_have_any_name(name: str, only: tuple[str, ...], tmp_path: Path) -> None:
    """The sheet says the same of it, and so does its script."""
    file = tmp_path / "word.json"
    file.write_text(f'{{"{name}": {{"morphism": [[0, 1], [1, 0]], "coding": [0, 1], "system": "msd_2"}}}}')
    sheet, plain = fp.study(str(file), only=only), thue_morse(only)
    assert sheet.name == name and [line.status for line in sheet.lines].count("open") == 0
    assert [line.value.replace(f"is {name} ", "is T ") for line in sheet.lines] == [line.value for line in plain.lines]
    session = fp.Session()
    results = {getattr(command, "name", ""): result for command, result in session.run(sheet.to_script())}
    for line, truth in (("squares", True), ("letter_0", True), ("rich", False), ("eventually_periodic", False)):
        assert bool(results[f"{name}_{line}"]) is truth
    at = "" if name[0] not in "AEI" else "."
    assert session.prove(f"?msd_2 Ai,j $feq_{name}(i,j,2) <=> ({at}{name}[i]={at}{name}[j] & "
                         f"{at}{name}[i+1]={at}{name}[j+1])")


@cache
def thue_morse(only: tuple[str, ...]) -> fp.Sheet:
    return fp.study("T", only=only)


@pytest.mark.long
def test_a_word_over_a_system_of_its_own() -> None:
    session = fp.Session()
    session.dumont_thomas("blop", "a->aba, b->a")
    sheet = fp.study(session.namespace.words["Blop"], only=["complexity", "cubes"])
    assert sheet.system == "msd_blop" and [line.status for line in sheet.lines] == ["proved", "proved"]
    other = fp.study("0->010, 1->0", only=["complexity", "cubes"])
    assert [line.value for line in sheet.lines] == [line.value for line in other.lines]


@pytest.mark.long
@pytest.mark.parametrize("word", ["F", "pascal"])
def test_formulas_are_made_and_not_read(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str, *_: object) -> None:
        raise AssertionError(f"{text} was parsed")

    monkeypatch.setattr("fibprover.language.parser._read", refuse)
    sheet = fp.study(word, limits=fp.Limits(seconds=60))
    assert not sheet.count("open") and sheet.to_script() and sheet.to_latex()


def test_forms_of_a_sheet() -> None:
    sheet = fp.study("T", only=["complexity", "cubes", "critical-exponent"])
    text, page = str(sheet), sheet.to_markdown()
    assert "3 lines: 2 proved, 1 refuted, 0 open" in text and repr(sheet) == "<Sheet of T: 2 proved, 1 refuted, 0 open>"
    assert all(line["id"] in ("complexity", "cubes", "critical-exponent") for line in sheet.as_json())
    assert [set(line) for line in sheet.as_json()] == [
        {"id", "section", "statement", "status", "value", "formula", "states", "seconds"}
    ] * 3
    assert page.startswith("# T\n") and page.count("\n|") == 7 and sheet._repr_markdown_() == page
    for line in sheet.lines:
        assert line.formula in page.replace("\\|", "|")


def test_lines_read_as_sentences() -> None:
    """The text has the value inside the statement; evidence stands in brackets."""
    only = ["gaps", "complexity", "complexity-formula", "letter-0-frequency", "cubes", "square-orders"]
    texts = {line.id: line.text for line in fp.study("F", only=only).lines}
    assert texts["gaps"].startswith("Consecutive occurrences of a factor of length n > 0 are at most 3n apart (best ")
    assert texts["complexity"].startswith("The number of factors of length n is 1, 2, 3, ")
    assert texts["complexity"].endswith("11, 12, ... for n = 0, 1, 2, ... All differences are 1.")
    assert texts["complexity-formula"] == "Factor complexity: p(n) = n + 1 for n >= 0."
    assert texts["letter-0-frequency"] == "The letter 0 has frequency (sqrt(5)-1)/2 = 0.6180339887..."
    assert texts["cubes"] == "F has a cube (least witness: i = 5, n = 3)."
    assert " are 1, 2, 3, 5, 8, " in texts["square-orders"]


@pytest.mark.parametrize(
    ("statement", "value", "said"),
    [
        ("The lengths of palindromes.", "all", "The lengths of palindromes are all natural numbers."),
        ("The lengths of palindromes.", "all but 0, 3", "The lengths of palindromes are all natural numbers but 0, 3."),
        ("The lengths n of cubes: of xxx.", "none", "The set of the lengths n of cubes (of xxx) is empty."),
        ("The lengths n of cubes: of xxx.", "3", "The set of the lengths n of cubes (of xxx) is {3}."),
        ("The exponent, the supremum of n/p.", "2, attained", "The exponent, the supremum of n/p, is 2, attained."),
        ("The number of blocks of 2 times 2 letters.", "10", "The number of blocks of 2 times 2 letters is 10."),
        (
            "Under the conjecture, the lengths of cubes.", "none",
            "Under the conjecture, the set of the lengths of cubes is empty.",
        ),
    ],
)
def test_sentences(statement: str, value: str, said: str) -> None:
    assert with_value(statement, value) == said


def test_a_factor_that_is_no_integer_stands_behind_the_bound() -> None:
    """So what is said of the factor is not taken for a part of the bound."""
    only = ["gaps", "appearance", "recurrence-quotient"]
    for line in fp.study("TR", only=only, limits=fp.Limits(seconds=60)).lines:
        said, _, rest = line.text.partition(", with c = ")
        assert re.search(r"\bcn\b", said) and rest.startswith(line.value.removesuffix(", not attained"))


def test_what_shows_that_a_claim_is_false_is_a_counterexample() -> None:
    """Also where the formula of the claim is the negation of an E, and has a witness inside."""
    line = fp.study("T", only=["balanced"]).lines[0]
    assert line.status == "refuted" and line.formula.startswith("?msd_2 ~E")
    assert line.value.startswith("least counterexample: i = ")


def test_a_single_value_is_said_of_all() -> None:
    values = [fp.study("F", only=["returns"]).lines[0].value, fp.study("T", only=["returns"]).lines[0].value]
    assert [value.partition("... ")[2] for value in values] == [
        "All values are 2.", "The values are exactly 2, 3, 4.",
    ]


def test_the_heading_names_what_is_known() -> None:
    text = str(fp.study("A003849", only=["cubes"]))
    assert text.startswith("F, over msd_fib: 0100101") and "OEIS A003849" in text and "0 -> 01, 1 -> 0" in text
    own = fp.Session("msd_fib").define_morphic_word("T", [[0, 1], [0]], [0, 1])
    assert "Thue" not in str(fp.study(own, only=["cubes"]))  # a word of the user, with the name of another one
    with pytest.raises(fp.FibproverError, match="A999999"):
        fp.study("A999999")


@pytest.mark.parametrize("given", ["A000120", "a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+1"])
def test_a_sequence_by_its_number_or_its_equations(given: str) -> None:
    sheet = fp.study(given, only=["recursion", "weights"])
    assert [line.status for line in sheet.lines] == ["proved", "proved"]
    assert sheet.sequence[:64] == [n.bit_count() for n in range(64)]
    assert "a(2n+1)=a(n)+1" in str(sheet) and ("OEIS A000120" in str(sheet)) == (given[0] == "A")
    assert "a(2n+1)" in sheet.to_latex() and sheet.to_markdown()


def test_terms_of_a_known_sequence_have_its_number() -> None:
    sheet = fp.study(terms=[n.bit_count() for n in range(200)], only=["weights"])
    assert "A000120, ones in base 2" in sheet["sequence"].statement
    other = fp.study(terms=[n.bit_count() + 7 for n in range(200)], only=["weights"])
    assert "A0" not in other["sequence"].statement


def test_one_line_is_counted_in_the_singular() -> None:
    assert "1 line: 1 proved, 0 refuted, 0 open" in str(fp.study("F", only=["complexity"]))
    assert "2 lines: " in str(fp.study("F", only=["complexity", "cubes"]))


def test_a_wrong_guess_of_what_counts_letters_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers of the other letter are proved wrong, and those of the right one are learned."""
    asked = ["balance-0", "abelian-square-orders"]
    found = [(line.id, line.status, line.value, line.states) for line in fp.study("F", only=asked).lines]
    guessed: list[int] = []

    def of_the_other(machine: Dfa, letter: int, system: NumerationSystem, budget: Budget) -> Dfa | None:
        guessed.append(letter)
        return letter_counts(machine, 1 - letter, system, budget)

    monkeypatch.setattr(predicates, "letter_counts", of_the_other)
    again = [(line.id, line.status, line.value, line.states) for line in fp.study("F", only=asked).lines]
    assert guessed and again == found
