"""Derived words against the occurrences of prefixes in a long prefix of each word."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest

import fibprover as fp
from fibprover.factors.return_words import derived_morphism
from fibprover.sheets.questions import questions
from fibprover.sheets.subject import Subject, subject
from tests.few import few

#: The last one is not closed under reversal.
UNNUMBERED = ("RS", "P", "VTM", "PD", "arshon", "[-1]->[-1]1, 1->[-1]", "0->012, 1->020, 2->100")
NUMBERED = "F"
SLOW = ("T", "TR", "pell", "KP", "NA", "TH", "RF", "FTM")
SLOWEST = "NA"

LENGTHS = (1, 2)


def derived_word(text: str, length: int) -> tuple[list[int], list[str]]:
    """The derived word of a prefix, by its places, and the return words."""
    places = [found.start() for found in re.finditer(f"(?={text[:length]})", text)]
    words = [text[a:b] for a, b in itertools.pairwise(places)]
    known = list(dict.fromkeys(words))
    return [known.index(each) for each in words], known


def numbers(text: str) -> list[int]:
    return [int(each) for each in (text.split() if " " in text else text)]


def fixed_point(rules: str) -> Iterator[int]:
    images = [numbers(rule.split(" -> ")[1]) for rule in rules.split(", ")]
    word = [0]
    for place in itertools.count():
        yield word[place]
        word += images[word[place]] if place else images[0][1:]


def check(about: Subject, length: int, status: str, value: str) -> None:
    """Compare what is said of a derived word with the prefix of the word."""
    letters = sorted(set(about.word.outputs))
    codes = dict(zip(letters, "abcdef", strict=False))
    expected, words = derived_word("".join(codes[letter] for letter in about.word.prefix(20_000)), length)
    assert status == "proved", value
    first, _, said = value.partition("..., of the return words ")
    assert numbers(first) == expected[:30]
    assert len(said.partition(";")[0].rstrip(".").split(", ")) == len(words)
    rules = re.search(r"the fixed point of ([^;]*\d)", said)
    if rules:
        assert list(itertools.islice(fixed_point(rules[1]), 1000)) == expected[:1000]
    other = re.search(r"which is (\w+) with (.*)\.", said)
    if other:
        pairs = [each.split(" -> ") for each in other[2].split(", ")]
        coding = {int(letter): int(number) for letter, number in pairs}
        word = about.word if other[1] == about.word.name else fp.Session().namespace.library_words[other[1]]
        assert [coding[letter] for letter in word.prefix(1000)] == expected[:1000]


@pytest.mark.parametrize("name", few(UNNUMBERED, 2))
def test_derived_words(name: str) -> None:
    """Of words whose numbers of letters in prefixes have no automaton, or without looking for one."""
    about = subject(name)
    letters = sorted(set(about.word.outputs))
    asked = [each for each in questions(about.word.name, letters, about.word.prefix(2)) if each.kind == "derived"]
    for length, question in zip(LENGTHS, asked, strict=True):
        found = question.answer(about)
        check(about, length, found.status, found.value)
        assert found.formula is not None and about.session.prove(found.formula).truth


@pytest.mark.parametrize("name", [
    NUMBERED,
    *(pytest.param(word, marks=pytest.mark.very_long if word == SLOWEST else pytest.mark.long) for word in SLOW),
])
def test_numbered_places(name: str) -> None:
    sheet = fp.study(name, only=[f"derived-{length}" for length in LENGTHS], limits=fp.Limits(seconds=8))
    for length, line in zip(LENGTHS, sheet.lines, strict=True):
        check(subject(name), length, line.status, line.value)
        if sheet.system != "msd_w":  # no other session knows this system
            assert fp.Session().run(sheet.to_script(line.id))[-1][1]


#: That of T is the ternary Thue-Morse word (Berstel, "Sur la construction de mots
#: sans carre", 1979).
KNOWN = {
    ("F", 1): "which is F.", ("F", 2): "which is F.",
    ("T", 1): "which is VTM with 0 -> 2, 1 -> 1, 2 -> 0", ("T", 2): "0 -> 01, 1 -> 23, 2 -> 013, 3 -> 2",
}


@pytest.mark.parametrize(("name", "length"), KNOWN)
def test_known_words(name: str, length: int) -> None:
    line = fp.study(name, only=[f"derived-{length}"], limits=fp.Limits(seconds=8)).lines[0]
    assert KNOWN[name, length] in line.value


def test_the_prefix_is_written_as_its_return_words_are() -> None:
    for word in ("F", "0->0[12], [12]->[12]0"):
        line = fp.study(word, only=["derived-2"]).lines[0]
        prefix = re.search(r"prefix (.*):", line.statement)
        assert prefix is not None and (" " in prefix[1]) == (word != "F")


def test_the_formula_is_false_of_another_word() -> None:
    formula = fp.study("F", only=["derived-1"])["derived-1"].formula
    session = fp.Session()
    session.solve(
        "sum0_F", "?msd_fib (n=0 & s=0) | (Em n=m+1 & ((F[m]=@0 & (Et s=t+1 & $sum0_F(m,t))) | "
        "(F[m]!=@0 & $sum0_F(m,s))))", by="n",
    )
    assert session.prove(formula).truth and "F[n]=@1" in formula
    assert not session.prove(formula.replace("F[n]=@1", "F[n+1]=@1")).truth


def test_a_prefix_that_does_not_recur() -> None:
    sheet = fp.study("0->01, 1->11", only=["derived-1", "derived-2"])
    assert [line.status for line in sheet.lines] == ["refuted", "refuted"]
    powers = fp.study("P2", only=["derived-2"], limits=fp.Limits(seconds=2))["derived-2"]
    assert powers.status == "open"  # it has infinitely many return words


def word_with_ones(system: str, expression: str, name: str = "C") -> fp.AutomaticWord:
    """The word whose letter is 1 at the numbers of a regular expression, and 0 elsewhere."""
    session = fp.Session(system)
    session.reg("ones", [system], expression)
    session.combine(name, "ones")
    return session.namespace.words[name]


def test_a_prefix_that_recurs_late_is_not_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The letter 1 is at multiples of 32, of which those of the first 20 letters are 0 only."""
    monkeypatch.setattr("fibprover.sheets.derived.SEEN", 20)
    word = word_with_ones("msd_2", "(0|1)*00000|0*")
    assert word.prefix(40).count(1) == 2
    sheet = fp.study(word, only=["letter-1", "derived-1", "derived-2"], limits=fp.Limits(seconds=5))
    assert [line.status for line in sheet.lines] == ["proved", "open", "open"]


def test_no_morphism_where_a_number_begins_with_what_is_none() -> None:
    """In the Pell system 4 is 20, and 2 alone is no number, so that 4 is in the image of no letter."""
    assert fp.system_named("msd_pell").represent(4) == (2, 0)
    about = subject(word_with_ones("msd_pell", "(0|2)*(1(0|2)*1(0|2)*)*1(0|2)*"))
    asked = [each for each in questions(about.word.name, (0, 1), about.word.prefix(2)) if each.kind == "derived"]
    for length, question in zip(LENGTHS, asked, strict=True):
        found = question.answer(about)
        check(about, length, found.status, found.value)
        assert "fixed point" not in found.value


def test_a_word_whose_name_ends_in_x() -> None:
    word = word_with_ones("msd_2", "(0|1)*0|()", "FX")
    line = fp.study(word, only=["derived-2"])["derived-2"]
    assert line.status == "proved"
    assert "which is FX with" in line.value


def test_the_morphism_of_a_derived_word() -> None:
    """Of the fixed point of 0 -> 012, 1 -> 02, 2 -> 1: return words are followed to the next 0 by hand."""
    images = {0: (0, 1, 2), 1: (0, 2), 2: (1,)}
    # 012 02 1 012 1 02 ...: the return words of 0 are 012, 021, 0121, 02.
    assert derived_morphism(images, (0,), (0, 1, 2))[0] == [(0, 1), (2, 3), (0, 1, 3), (2,)]
