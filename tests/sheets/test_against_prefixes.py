"""Each kind of theorem of a sheet against a prefix of the word, by definitions and not by formulas.

The prefix is long enough for all factors that are compared.  The words of the whole library are marked long.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import pytest

import fibprover as fp
from fibprover.sheets.line import Line
from fibprover.sheets.questions import questions
from fibprover.sheets.subject import Numbers
from fibprover.words.catalogue import ENTRIES

#: The letters of a prefix, and the length up to which factors are compared.
PREFIX, LENGTH = 100_000, 10

WORDS = ("T", "F", "pell")

#: Words of which the equality of factors takes most of a minute, or more.
LARGE = ("DEJ", "NA", "TR", "bonacci4", "bonacci5")
ONE_INDEX = [name for name in ENTRIES if name not in ("SCA", "pascal", "PF", "FOLD")]

Factor = tuple[int, ...]


class Prefix:
    """What a long prefix shows."""

    def __init__(self, letters: Sequence[int]) -> None:
        self.letters = tuple(letters)
        self.factors = [
            {self.letters[i : i + n] for i in range(len(letters) - LENGTH - 2)} for n in range(LENGTH + 2)
        ]

    def complexity(self, n: int) -> int:
        return len(self.factors[n])

    def specials(self, n: int, side: int) -> int:
        """Return how many factors of length n have two letters on a side."""
        found: dict[Factor, set[int]] = {}
        for each in self.factors[n + 1]:
            found.setdefault(each[1:] if side == 0 else each[:-1], set()).add(each[0] if side == 0 else each[-1])
        return sum(len(letters) > 1 for letters in found.values())

    def returns(self, n: int) -> int:
        start = self.letters[:n]
        places = [i for i in range(20_000) if self.letters[i : i + n] == start]
        return len({self.letters[a:b] for a, b in itertools.pairwise(places)})

    def abelian(self, n: int) -> int:
        return len({tuple(sorted(each)) for each in self.factors[n]})

    def count(self, n: int, test: Callable[[Factor], bool]) -> int:
        return sum(map(test, self.factors[n]))


def occurrences(part: Factor, whole: Factor) -> int:
    return sum(whole[i : i + len(part)] == part for i in range(len(whole) - len(part) + 1))


def is_closed(word: Factor) -> bool:
    return len(word) < 2 or any(
        word[:m] == word[-m:] and occurrences(word[:m], word) == 2 for m in range(1, len(word))
    )


def is_privileged(word: Factor) -> bool:
    return len(word) < 2 or any(
        word[:m] == word[-m:] and occurrences(word[:m], word) == 2 and is_privileged(word[:m])
        for m in range(1, len(word))
    )


def is_unbordered(word: Factor) -> bool:
    return len(word) > 0 and all(word[:m] != word[-m:] for m in range(1, len(word)))


def is_trapezoidal(word: Factor) -> bool:
    """Return whether the word of length n has at most min(j + 1, n - j + 1) factors of each length j."""
    n = len(word)
    k = next(k for k in range(n + 1) if k == n or occurrences(word[n - k :], word) == 1)

    def special(r: int) -> bool:
        found: dict[Factor, set[int]] = {}
        for i in range(n - r):
            found.setdefault(word[i : i + r], set()).add(word[i + r])
        return any(len(letters) > 1 for letters in found.values())

    r = next(r for r in range(n + 1) if not special(r))
    return n == k + r


def is_lyndon(word: Factor) -> bool:
    return bool(word) and all(word < word[i:] for i in range(1, len(word)))


def lyndon_places(word: Factor) -> list[int]:
    """Return where the words of the Lyndon factorization begin (Duval)."""
    places: list[int] = []
    i = 0
    while i < len(word):
        j, k = i + 1, i
        while j < len(word) and word[k] <= word[j]:
            k = i if word[k] < word[j] else k + 1
            j += 1
        if j == len(word):
            return [*places, i]  # The prefix ends inside.
        while i <= k:
            places.append(i)
            i += j - k
    return places


def numbers(value: str) -> list[int]:
    return [int(each) for each in re.split(r",? ?\.\.\.", value)[0].split(", ")]


def first_letters(sheet: fp.Sheet, count: int) -> Sequence[int]:
    """Return the first letters of the word of a sheet."""
    assert not isinstance(sheet.topic, Numbers)
    return sheet.topic.prefix(count)


def check(sheet: fp.Sheet, letters: int = PREFIX) -> int:
    """Compare all lines that are decided with a prefix of so many letters, and return how many were compared."""
    prefix = Prefix(first_letters(sheet, letters))
    decided = {line.id: line for line in sheet.lines if line.status != "open"}
    return (
        check_sequences(decided, prefix) + check_sets(decided, prefix) + check_letters(decided, prefix, sheet.letters)
        + check_words(decided, prefix)
    )


def check_sequences(decided: Mapping[str, Line], prefix: Prefix) -> int:
    sequences: dict[str, Callable[[int], int]] = {
        "complexity": prefix.complexity,
        "right-special": lambda n: prefix.specials(n, 1),
        "left-special": lambda n: prefix.specials(n, 0),
        "palindromes": lambda n: prefix.count(n, lambda each: each == each[::-1]),
        "closed": lambda n: prefix.count(n, is_closed),
        "privileged": lambda n: prefix.count(n, is_privileged),
        "trapezoidal": lambda n: prefix.count(n, is_trapezoidal),
        "unbordered-factors": lambda n: prefix.count(n, is_unbordered),
        "abelian-complexity": prefix.abelian,
        "returns": prefix.returns,
    }
    if "recurrent" not in decided or decided["recurrent"].status == "refuted":
        # What occurs once may be anywhere, or at the beginning only.
        sequences = {name: sequences[name] for name in ("complexity", "palindromes", "closed", "unbordered-factors")}
    known = [name for name in sequences if name in decided]
    for name in known:
        assert numbers(decided[name].value)[:LENGTH] == [sequences[name](n) for n in range(LENGTH)], name
    return len(known)


def check_sets(decided: Mapping[str, Line], prefix: Prefix) -> int:
    letters = prefix.letters
    sets: dict[str, Callable[[int], bool]] = {
        "palindromic-prefixes": lambda n: letters[:n] == letters[:n][::-1],
        "lyndon-prefixes": lambda n: is_lyndon(letters[:n]),
        "two-palindromes": lambda n: any(
            letters[:m] == letters[:m][::-1] and letters[m:n] == letters[m:n][::-1] for m in range(n + 1)
        ),
        "lyndon-factorization": lambda n: n in lyndon_places(letters[:2000]),
    }
    known = [name for name in sets if name in decided]
    for name in known:
        assert [n for n in range(40) if n in decided[name].terms] == [n for n in range(40) if sets[name](n)], name
    return len(known)


def check_letters(decided: Mapping[str, Line], prefix: Prefix, letters: Sequence[int]) -> int:
    compared = 0
    for letter in letters:
        line = decided.get(f"letter-{letter}-frequency")
        if line is not None and line.value != "It does not exist.":
            said = line.value.partition(" = ")[2] or line.value.partition(",")[0]
            top, _, below = said.replace("...", "").partition("/")
            seen = Counter(prefix.letters)[letter] / len(prefix.letters)
            # Of the words of the library Baum and Sweet's comes nearest to its frequencies most slowly: 5.9 percent of
            # 20,000 letters are 1, and 3.3 of 100,000.
            assert abs(float(top) / float(below or 1) - seen) < (0.05 if len(prefix.letters) >= PREFIX else 0.07), line
            compared += 1
        line = decided.get(f"balance-{letter}")
        if line is not None and line.value != "all":
            ones = list(itertools.accumulate((each == letter for each in prefix.letters[:3000]), initial=0))
            most = 0
            for n in range(1, 400):
                counts = [b - a for a, b in zip(ones, ones[n:], strict=False)]
                most = max(most, max(counts) - min(counts))
            assert most <= numbers(line.value)[-1] <= most + 1
            compared += 1
    return compared


def check_words(decided: Mapping[str, Line], prefix: Prefix) -> int:
    compared = 0
    for name, choose in (("least-word", min), ("greatest-word", max)):
        if name in decided:
            assert decided[name].terms[:LENGTH] == choose(prefix.factors[LENGTH]), name
            compared += 1
    for name in ("critical-exponent", "gaps"):
        if name in decided and decided[name].value[0] in "(0123456789s":
            assert compare_quotients(name, decided[name].value, prefix.letters), name
            compared += 1
    return compared


def compare_quotients(name: str, value: str, letters: Factor) -> bool:
    """Return whether no small period or gap is beyond a supremum."""
    found = re.search(r"= (\d+\.\d+)", value) or re.match(r"(\d+)/(\d+)", value) or re.match(r"(\d+(?:\.\d+)?)", value)
    assert found is not None
    limit = float(found[1]) / (float(found[2]) if found.re.groups == 2 else 1) + 1e-9
    if name == "critical-exponent":
        for p in range(1, 60):
            run = 0
            for i in range(len(letters[:6000]) - p):
                run = run + 1 if letters[i] == letters[i + p] else 0
                if run + p > limit * p:
                    return False
        return True
    for n in range(1, 16):
        last: dict[Factor, int] = {}
        for i in range(6000):
            factor = letters[i : i + n]
            if factor in last and i - last[factor] > limit * n:
                return False
            last[factor] = i
    return True


@pytest.mark.long
@pytest.mark.parametrize("name", WORDS)
def test_words(name: str) -> None:
    names = [
        "complexity", "right-special", "left-special", "palindromes", "closed", "returns", "recurrent", "least-word",
        "lyndon-prefixes", "lyndon-factorization", "greatest-word", "palindromic-prefixes", "two-palindromes",
        "letter-0-frequency", "letter-1-frequency", "balance-0", "abelian-complexity", "critical-exponent",
        "unbordered-factors",
    ]
    assert check(fp.study(name, only=names, limits=fp.Limits(seconds=60))) == len(names) - 1


@pytest.mark.long
def test_a_sequence_with_infinitely_many_values_is_known() -> None:
    """The search for its values does not end, and does not take the time of the line."""
    assert check(fp.study("P", only=["unbordered-factors", "recurrent"], limits=fp.Limits(seconds=5))) == 1


#: The lines that are compared, beside those of the letters.
COMPARED = (
    "complexity", "right-special", "left-special", "palindromes", "closed", "privileged", "trapezoidal",
    "unbordered-factors", "abelian-complexity", "returns", "recurrent", "palindromic-prefixes", "lyndon-prefixes",
    "two-palindromes", "lyndon-factorization", "least-word", "greatest-word", "critical-exponent", "gaps",
)


def compared(name: str) -> list[str]:
    """Return the ids of the lines of a word's sheet that `check` looks at."""
    letters = sorted(set(fp.Session().namespace.library_words[name].prefix(10_000)))
    about_letters = [line for each in letters for line in (f"letter-{each}-frequency", f"balance-{each}")]
    asked = {question.id for question in questions(name, letters)}
    return [line for line in (*COMPARED, *about_letters) if line in asked]


@pytest.mark.parametrize("seconds", [
    pytest.param(1, marks=pytest.mark.long), pytest.param(5, marks=pytest.mark.very_long),
])
@pytest.mark.parametrize("name", [name for name in ONE_INDEX if name not in LARGE])
def test_all_words(name: str, seconds: int) -> None:
    limits = fp.Limits(seconds=seconds, bytes=16 << 30)
    assert check(fp.study(name, only=compared(name), limits=limits)) >= 2


#: Richomme, Saari and Zamboni, "Balance and abelian complexity of the Tribonacci word" (2010); Peltomaki, "Introducing
#: privileged words: privileged complexity of Sturmian words" (2013), for F; Schaeffer and Shallit (2016) for T.
PUBLISHED = {
    ("TR", "abelian-complexity"): "exactly 1, 3, 4, 5, 6, 7.", ("TR", "balance-0"): "0, 1, 2",
    ("F", "privileged"): "exactly 1, 2.", ("F", "returns"): "All values are 2.", ("F", "balance-0"): "0, 1",
    ("T", "closed"): "1, 2, 2, 2, 4, 4, 6, 4, 8, 8, 10, 8", ("T", "abelian-complexity"): "exactly 1, 2, 3.",
}


@pytest.mark.parametrize(("name", "line"), PUBLISHED)
def test_published_values(name: str, line: str) -> None:
    found = fp.study(name, only=[line], limits=fp.Limits(seconds=60))[line]
    assert found.status == "proved" and PUBLISHED[name, line] in found.value


@pytest.mark.long
def test_the_balance_of_the_4_bonacci_word() -> None:
    """Two factors of 3305 letters differ by 3 in the number of letters 1, and none by more; shorter ones by 2."""
    line = fp.study("bonacci4", only=["balance-1"], limits=fp.Limits(seconds=60))["balance-1"]
    assert (line.status, line.value) == ("proved", "0, 1, 2, 3")
    ones = list(itertools.accumulate(
        (letter == 1 for letter in fp.Session().namespace.library_words["bonacci4"].prefix(20_000)), initial=0
    ))
    counts = [b - a for a, b in zip(ones, ones[3305:], strict=False)]
    assert max(counts) - min(counts) == 3


def test_a_balance_has_a_formula_of_its_own() -> None:
    """It says that the greatest difference occurs, and the next one does not; SB has all differences."""
    sheet, session = fp.study("T", only=["balance-0"]), fp.Session()
    session.run(sheet.to_script())
    line = sheet["balance-0"]
    assert line.value == "0, 1, 2" and session.prove(line.formula).truth
    assert not session.prove(line.formula.replace("p+3", "p+2")).truth
    assert fp.study("SB", only=["balance-0"])["balance-0"].value == "all"


def test_frequencies_that_do_not_exist_or_are_zero() -> None:
    assert fp.study("SB", only=["letter-1-frequency"])["letter-1-frequency"].value == "It does not exist."
    assert fp.study("P2", only=["letter-1-frequency"])["letter-1-frequency"].value == "0"
    alternating = fp.study("0->01, 1->23, 2->23, 3->01", only=["letter-3-frequency"])
    assert alternating["letter-3-frequency"].value == "1/4"


def test_a_letter_may_have_a_frequency_where_others_have_none() -> None:
    session = fp.Session("msd_2")
    word = session.define_morphic_word("Q", [[0, 2], [3, 4], [3, 4], [1, 2], [1, 2]], [0, 0, 1, 0, 2])
    assert set(word.prefix(1000)[::2]) == {0} and 0 not in word.prefix(1000)[1::2]
    sheet = fp.study(word, only=["letter-0-frequency", "letter-1-frequency"])
    assert [line.value for line in sheet.lines] == ["1/2", "It does not exist."]


@pytest.mark.parametrize(("morphism", "places"), [("0->00", "all"), ("0->01, 1->01", "0, 2, 4, 6, 8")])
def test_lyndon_words_of_periodic_words(morphism: str, places: str) -> None:
    line = fp.study(morphism, only=["lyndon-factorization"])["lyndon-factorization"]
    assert line.status == "proved" and line.value.startswith(places)


def test_a_word_without_a_letter_somewhere_has_no_sheet() -> None:
    word = fp.Session("msd_lucas").define_morphic_word("Q", [[0, 1], [0]], [0, 1])
    with pytest.raises(fp.FibproverError):
        fp.study(word, only=["least-word"])


def test_lines_have_different_ids() -> None:
    ids = [question.id for question in questions("W", (1, 11, 111))]
    assert len(ids) == len(set(ids))
