"""Lines that are proved by desubstitution, against counting in a prefix of 20,000 letters, and against formulas."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

import pytest

import fibprover as fp
from benchmarks.paper_words import PAPER_WORDS
from fibprover.base.limits import cpu_clock, limits_of_part
from fibprover.language.tree import Formula
from fibprover.sheets import study
from fibprover.sheets.allowance import Allowance
from fibprover.sheets.desubstitution import METHOD, ByDesubstitution, is_answered
from fibprover.sheets.kinds import Supremum
from fibprover.sheets.line import Answer, Line
from fibprover.sheets.question import Question
from fibprover.sheets.questions import questions
from fibprover.sheets.subject import Subject, subject
from fibprover.sheets.vocabulary import Vocabulary
from fibprover.words.morphic import morphic_word
from fibprover.words.rules import parse_rules
from tests.few import few

PREFIX, LENGTH, PERIODS = 20_000, 12, 40

#: Of these most factors of 12 letters are not in so short a prefix, or lines take seconds.
SLOW = ("Keranen", "Leech", "Klouda, five letters", "four letters, not Pisot", "Narayana's family, the fourth")
#: Its first letter occurs only once, so that it is no word of factors that return.
NOT_RECURRENT = ("twisted Thue-Morse",)
QUICK = [name for name in PAPER_WORDS if name not in (*SLOW, *NOT_RECURRENT)]

#: The lines that are compared with a prefix, beside those of the letters.
COMPARED = (
    "complexity", "palindromes", "reversal", "complement", "left-special", "right-special", "weak-bispecial",
    "neutral-bispecial", "strong-bispecial", "square-orders", "cube-orders", "overlaps", "fourth-powers",
    "critical-exponent", "gaps", "recurrence-quotient", "return-words",
)

Factor = tuple[int, ...]


class Seen:
    """What a prefix shows."""

    def __init__(self, letters: Sequence[int]) -> None:
        self.letters = tuple(letters)
        self.places: list[dict[Factor, list[int]]] = []
        for length in range(LENGTH + 3):
            found: dict[Factor, list[int]] = {}
            for place in range(1, len(letters) - length):
                found.setdefault(self.letters[place : place + length], []).append(place)
            self.places.append(found)

    def around(self, length: int) -> dict[Factor, set[tuple[int, int]]]:
        found: dict[Factor, set[tuple[int, int]]] = {}
        for each in self.places[length + 2]:
            found.setdefault(each[1:-1], set()).add((each[0], each[-1]))
        return found

    def runs(self) -> dict[int, int]:
        """Return for each period the greatest length of a factor with it."""
        longest = {}
        for period in range(1, PERIODS + 1):
            run = most = 0
            for place in range(len(self.letters) - period):
                run = run + 1 if self.letters[place] == self.letters[place + period] else 0
                most = max(most, run)
            longest[period] = most + period
        return longest


def numbers(value: str) -> list[int]:
    return [int(each) for each in re.findall(r"-?\d+", value.split("...")[0])]


def quotient(value: str) -> float:
    found = re.search(r"= (\d+\.\d+)", value) or re.match(r"(\d+\.\d+)", value)
    if found:
        return float(found[1])
    top, _, below = value.partition(",")[0].partition("/")
    return int(top) / int(below or 1)


def answers(rules: str, coding: str) -> dict[str, tuple[Question, Answer]]:
    word = morphic_word(parse_rules(rules), parse_rules(coding) if coding else None)
    own = ByDesubstitution(word)
    found = {}
    for question in questions("W", sorted(set(word.outputs)), word.prefix(2)):
        if is_answered(question):
            try:
                found[question.id] = question, own.answer(question)
            except fp.FibproverError:
                continue
    return found


@pytest.mark.parametrize("name", few(QUICK, 20))
def test_lines_against_a_prefix(name: str) -> None:
    rules, coding = PAPER_WORDS[name].rules, PAPER_WORDS[name].coding
    word = morphic_word(parse_rules(rules), parse_rules(coding) if coding else None)
    found = {line: answer for line, (_, answer) in answers(rules, coding).items()}
    assert len(found) >= 30 and all(answer.by == METHOD for answer in found.values())
    seen = Seen(word.prefix(PREFIX))
    assert check_lines(found, seen) >= 19


#: Morphisms under which two words have the same image, with codings.
NOT_INJECTIVE = {
    "the Rote word over six letters": ("0->01,1->2,2->3,3->453,4->01,5->2", "0->0,1->1,2->1,3->0,4->0,5->1"),
    "two equal images": ("0->0102,1->02,2->01,3->02", "0->0,1->1,2->0,3->0"),
    "a product of two images": ("0->04,1->402,2->024,3->2,4->024,5->2", "0->1,1->1,2->1,3->0,4->0,5->0"),
    "one letter is left": ("0->01,1->01", ""),
}


@pytest.mark.parametrize("name", few(NOT_INJECTIVE, 2))
def test_morphisms_under_which_words_have_the_same_image(name: str) -> None:
    rules, coding = NOT_INJECTIVE[name]
    word = morphic_word(parse_rules(rules), parse_rules(coding) if coding else None)
    found = {line: answer for line, (_, answer) in answers(rules, coding).items()}
    assert check_lines(found, Seen(word.prefix(PREFIX))) >= (6 if name == "one letter is left" else 19)


@pytest.mark.long
def test_the_same_word_by_another_morphism() -> None:
    rote = PAPER_WORDS["Rote, exponent 5/2"]
    six, three = (
        {line: (answer.status, answer.value) for line, (_, answer) in answers(rules, coding).items()}
        for rules, coding in (NOT_INJECTIVE["the Rote word over six letters"], (rote.rules, rote.coding))
    )
    assert six == three and len(six) > 30


def check_lines(found: Mapping[str, Answer | Line], seen: Seen) -> int:
    """Compare the lines that are there, and return how many that are."""
    check_factors(found, seen)
    check_bispecial_factors(found, seen)
    check_powers(found, seen)
    check_recurrence(found, seen)
    check_letters(found, seen)
    letters = {f"letter-{each}-{what}" for each in set(seen.letters) for what in ("frequency", "gaps")}
    return len({*COMPARED, *letters} & found.keys())


def check_factors(found: Mapping[str, Answer | Line], seen: Seen) -> None:
    if "complexity" in found:
        assert list(found["complexity"].terms[:LENGTH]) == [len(seen.places[n]) for n in range(LENGTH)]
    if "palindromes" in found:
        palindromes = [sum(each == each[::-1] for each in seen.places[n]) for n in range(LENGTH)]
        assert list(found["palindromes"].terms[:LENGTH]) == palindromes
    if "reversal" in found:
        closed = all(each[::-1] in seen.places[n] for n in range(LENGTH) for each in seen.places[n])
        assert (found["reversal"].status == "proved") <= closed
    if "complement" in found:
        closed = all(
            tuple(1 - letter for letter in each) in seen.places[n] for n in range(8) for each in seen.places[n]
        )
        assert (found["complement"].status == "proved") <= closed


def check_bispecial_factors(found: Mapping[str, Answer | Line], seen: Seen) -> None:
    kinds: dict[str, set[int]] = {"weak": set(), "neutral": set(), "strong": set()}
    for length in range(LENGTH):
        around = seen.around(length)
        sides = [(len(pairs), len({a for a, _ in pairs}), len({b for _, b in pairs})) for pairs in around.values()]
        if "left-special" in found:
            assert found["left-special"].terms[length] == sum(left > 1 for _, left, _ in sides)
        if "right-special" in found:
            assert found["right-special"].terms[length] == sum(right > 1 for *_, right in sides)
        for both, left, right in sides:
            if left > 1 and right > 1:
                excess = both - left - right + 1
                kinds["weak" if excess < 0 else "strong" if excess else "neutral"].add(length)
    for kind, lengths in kinds.items():
        if f"{kind}-bispecial" not in found:
            continue
        said = found[f"{kind}-bispecial"].value
        assert {n for n in ([] if said == "none" else numbers(said)) if n < LENGTH} == lengths, kind


def check_powers(found: Mapping[str, Answer | Line], seen: Seen) -> None:
    longest = seen.runs()
    for line, times in (("square-orders", 2), ("cube-orders", 3)):
        if line not in found:
            continue
        said = found[line].value
        but, listed = said.startswith("all"), said.removeprefix("all").removeprefix(" but ")
        mentioned = numbers(listed) if listed not in ("", "none") else []
        below = PERIODS if not said.endswith("...") else min(PERIODS, mentioned[-1])
        orders = {n for n in range(below + 1) if (n in mentioned) is not but}
        assert orders == {p for p, most in longest.items() if most >= times * p and p <= below}, line
    if "overlaps" in found:
        assert (found["overlaps"].status == "proved") >= any(most > 2 * p for p, most in longest.items())
    if "fourth-powers" in found:
        assert (found["fourth-powers"].status == "proved") >= any(most >= 4 * p for p, most in longest.items())
    if "critical-exponent" in found and found["critical-exponent"].value != "infinite":
        value = found["critical-exponent"].value
        greatest = max(most / p for p, most in longest.items())
        assert greatest <= quotient(value) + 1e-9
        if "not attained" not in value and (n := int(value.split("p = ")[1][:-1])) <= PERIODS:
            assert longest[n] >= quotient(value) * n - 1e-9


def check_recurrence(found: Mapping[str, Answer | Line], seen: Seen) -> None:
    if "gaps" not in found or found["gaps"].value == "infinite":
        return
    most, counts = 0.0, set()
    for length in range(1, LENGTH):
        for places in seen.places[length].values():
            gaps = list(pairwise(places))
            most = max([most, *((b - a) / length for a, b in gaps)])
            counts.add(len({seen.letters[a:b] for a, b in gaps}))
    assert most <= quotient(found["gaps"].value) + 1e-9
    if "recurrence-quotient" in found:
        assert quotient(found["recurrence-quotient"].value) > most
    if "return-words" in found:
        # Some return words may not be in the prefix.
        assert max(counts) <= max(numbers(found["return-words"].value))
        assert set(counts) & set(numbers(found["return-words"].value))


def check_letters(found: Mapping[str, Answer | Line], seen: Seen) -> None:
    for letter in set(seen.letters):
        share = seen.letters.count(letter) / len(seen.letters)
        if f"letter-{letter}-frequency" in found:
            assert abs(quotient(found[f"letter-{letter}-frequency"].value) - share) < 0.01
        if f"letter-{letter}-gaps" not in found:
            continue
        places = [place for place, each in enumerate(seen.letters) if each == letter]
        gaps = sorted({b - a for a, b in pairwise(places)})
        # More than 12 are counted, and the first ones said: "19 numbers: 2, 3, ...".
        count, _, said = found[f"letter-{letter}-gaps"].value.rpartition(" numbers: ")
        assert numbers(said) == (gaps[: len(numbers(said))] if count else gaps)
        assert len(gaps) <= int(count or len(gaps))  # a rare distance may not be in the prefix


@pytest.mark.parametrize("name", few(("F", "T", "pell", "TR", "PD", "VTM", "RS"), 4))
def test_lines_say_what_their_formulas_say(name: str) -> None:
    about = subject(name)
    assert about.morphic is not None
    own = ByDesubstitution(about.morphic)
    compared = 0
    for question in questions(name, about.letters, about.word.prefix(2)):
        if not is_answered(question) or question.id == "complexity-formula":
            continue
        try:
            answer = own.answer(question)
        except fp.FibproverError:
            continue
        decided = question.answer(about)
        assert answer.status == decided.status, question.id
        if question.kind != "claim":
            # The pair that attains a supremum need not be the same.
            mine, other = (each.value.partition(" (n =")[0] for each in (answer, decided))
            assert mine == other, question.id
        if isinstance(question, Supremum):
            assert answer.sentence.partition(" at n")[0] == decided.sentence.partition(" at n")[0]
        compared += 1
    assert compared >= 33


@pytest.mark.long
def test_the_sheet_of_a_word_whose_addition_is_not_regular() -> None:
    sheet = fp.study("0->011, 1->0001")
    assert sheet.count("open") == 0 and len(sheet.lines) == 36 and sheet.system == ""
    assert "-1.449" in str(sheet) and sheet["critical-exponent"].value == "20624/5277, attained (n = 20624, p = 5277)"
    letters = morphic_word(parse_rules("0->011, 1->0001")).prefix(60_000)
    longest = run = 0
    for place in range(len(letters) - 5277):
        run = run + 1 if letters[place] == letters[place + 5277] else 0
        longest = max(longest, run)
    assert longest + 5277 == 20624
    assert {line.by for line in sheet.lines} == {METHOD}
    assert sheet.to_script().startswith("#") and "W" in sheet.to_latex() and "desubstitution" in sheet.to_markdown()


def test_lines_that_formulas_leave_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the equality of factors is not learned in time, what needs formulas stays open."""
    monkeypatch.setattr(study, "missing_predicates", lambda *given: {"feq_T": "no time was left"})
    sheet = fp.study("T", only=["gaps", "squares", "closed"])
    assert sheet["gaps"].by == METHOD and sheet["gaps"].value == "9, not attained"
    assert sheet["squares"].status == "proved" and sheet["closed"].status == "open"
    assert "(by desubstitution)" in " ".join(str(sheet).split())


def test_a_word_whose_addition_is_not_found_in_time() -> None:
    kolakoski = PAPER_WORDS["Kolakoski on 3 and 1"]
    about = subject(kolakoski.rules, coding=kolakoski.coding, making=fp.Limits(states=20))
    assert about.system == "msd_rec_2_0_1", "the greedy system of the lengths, which is found in no time"
    with pytest.raises(fp.BudgetSpent):
        subject(kolakoski.rules, fp.Limits(states=20), coding=kolakoski.coding)


def test_lines_have_a_fair_part_of_the_whole() -> None:
    """With n lines left each may take 2/n of what is left; without a limit of the whole, all that a line may."""
    allowance = Allowance(limits_of_part(10), 3000, cpu_clock())
    for lines, seconds in ((1, 10), (100, 10), (1000, 6), (3000, 2)):
        found = allowance.fair(lines).cpu_seconds
        assert found is not None and 0.99 * seconds <= found <= seconds
        assert allowance.has_all(lines) == (seconds == 10)
    assert Allowance(limits_of_part(10), None, cpu_clock()).fair(3000).cpu_seconds == 10


def test_the_last_line_has_no_more_than_what_is_left() -> None:
    allowance = Allowance(limits_of_part(10), 6, cpu_clock())
    assert not allowance.has_all(1) and not allowance.has_all_before(1)
    assert Allowance(limits_of_part(10), 42, cpu_clock()).has_all_before(1)


class Kept:
    """Lines that are kept."""

    def __init__(self) -> None:
        self.ids: list[str] = []

    def get(self, about: Subject, name: str) -> None:
        return None

    def keep(self, about: Subject, line: Line) -> None:
        self.ids.append(line.id)


class KeptOf(Kept):
    """The word and the system that each line is kept of."""

    def keep(self, about: Subject, line: Line) -> None:
        self.ids.append(f"{about.topic.name} {about.system}")


@pytest.mark.long
def test_a_line_that_is_asked_about_the_word_for_sums_is_kept_of_that() -> None:
    """Otherwise its formula, which is about that word, would be taken where there is none."""
    kept = KeptOf()
    assert fp.study("0->01, 1->20, 2->0", only=["balance-0"], kept=kept)["balance-0"].status == "proved"
    assert kept.ids == ["Ws msd_trib"]


@pytest.mark.parametrize(("whole", "ids"), [(100, []), (None, ["squares"])])
def test_lines_whose_predicates_had_too_little_time_are_not_kept(
    whole: float | None, ids: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equality of factors may take 120 s, as twelve lines may, but a quarter of 100 s is less."""
    monkeypatch.setattr(study, "missing_predicates", lambda *given: {"feq_T": "it is not made"})
    monkeypatch.setattr(study, "is_answered", lambda question: False)
    kept = Kept()
    sheet = fp.study("T", only=["squares"], limits=limits_of_part(10), cpu_seconds=whole, kept=kept)
    assert sheet["squares"].status == "open" and kept.ids == ids


def test_formulas_that_no_line_calls_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """With many letters they would take longer than the lines: each of 649 lines of 150 letters, 0.1 s."""
    def made(x: Vocabulary, each: int) -> Formula:
        raise AssertionError(each)

    monkeypatch.setattr(Vocabulary, "_excess_of", made)
    sheet = fp.study("0->01, 1->23, 2->31, 3->10", only=["letter-1-frequency", "squares"])
    assert [line.status for line in sheet.lines] == ["proved", "proved"]
