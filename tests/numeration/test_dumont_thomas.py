"""Systems of substitutions: representations, addition, the word of the fixed point."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence

import pytest

from fibprover.base.errors import BudgetSpent, NumerationError
from fibprover.base.limits import UNLIMITED, Budget, Limits
from fibprover.numeration import dumont_thomas as dumont_thomas_module
from fibprover.numeration.dumont_thomas import Images, dumont_thomas
from fibprover.words.rules import parse_rules
from fibprover.workspace.session import Session

SUBSTITUTIONS = [
    "a->ab, b->a", "a->ab, b->ac, c->a", "0->01, 1->10", "a->aab, b->a", "a->aba, b->a", "a->abb, b->ba",
    "a->ab, b->c, c->a", "a->ab, b->abb", "a->aba, b->b", "a->ab, b->a, c->cc",
]


def fixed_point(images: dict[str, str], length: int) -> str:
    word = next(iter(images))
    while len(word) < length:
        word = "".join(images[letter] for letter in word)
    return word[:length]


def by_prefixes(images: dict[str, str], n: int) -> tuple[int, ...]:
    """Return the digits of n by definition: the lengths of the prefixes of images on the way to position n."""
    letter, levels = next(iter(images)), 0
    lengths = [dict.fromkeys(images, 1)]
    while lengths[-1][letter] <= n:
        lengths.append({each: sum(lengths[-1][other] for other in image) for each, image in images.items()})
        levels += 1
    digits = []
    for level in reversed(range(levels)):
        for digit, other in enumerate(images[letter]):
            if n < lengths[level][other]:
                digits.append(digit)
                letter = other
                break
            n -= lengths[level][other]
    return tuple(digits)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, marks=[pytest.mark.long] if place in (5, 6, 7) else [])
        for place, text in enumerate(SUBSTITUTIONS)
    ],
)
def test_numbers_sums_and_the_word(text: str) -> None:
    images = {letter: "".join(image) for letter, image in parse_rules(text).items()}
    s = Session()
    system = s.dumont_thomas("blop", text)
    assert system.name == "msd_blop"
    for n in itertools.chain(range(60), (10**6, 10**12 + 7)):
        word = by_prefixes(images, n)
        assert system.represent(n) == word
        assert system.value(word) == n
    sums = s.relation("?msd_blop x+y=z")
    assert all(((x, y, z) in sums) is (x + y == z) for x in range(9) for y in range(9) for z in range(18))
    assert (10**9, 10**9 + 5, 2 * 10**9 + 5) in sums and (10**9, 10**9, 2 * 10**9 + 1) not in sums
    letters = [letter for letter in images if letter in fixed_point(images, 50)]
    for letter in letters:
        code = int(letter) if letter.isdigit() else list(images).index(letter)
        places = [n for n, other in enumerate(fixed_point(images, 200)) if other == letter]
        assert s.relation(f"?msd_blop Blop[n]=@{code}").values(10) == places[:10]


def test_derived_systems_are_preferred() -> None:
    s = Session()
    s.dumont_thomas("blop", "a->ab, b->a")
    assert type(s.namespace.system("blop")) is type(s.namespace.system("fib"))
    assert s.relation("?blop x+y=z").states == s.relation("?fib x+y=z").states


@pytest.mark.long
def test_formulas_over_the_system() -> None:
    s = Session()
    s.dumont_thomas("blop", "a->aba, b->a")
    assert s.prove("?blop An Em m=3*n & (En m=n+n) | m>=n")
    assert s.prove("?lsd_blop Ax,y x+y=y+x")
    assert s.prove("?blop Ax x<5 | Ey,z x=2*y+3*z")


@pytest.mark.parametrize(
    ("text", "bound", "said"),
    [
        ("a->ba, b->a", None, "the image of a has to be a and more"),
        ("a->a, b->a", None, "the image of a has to be a and more"),
        ("a->abbb, b->a", None, "differences up to 8 do not suffice"),
        ("a->abbb, b->a", 2, "differences up to 2 do not suffice"),
        ("a->abb, b->ba", 1, "differences up to 1 do not suffice"),
        ("0->011, 1->0001", None, "the eigenvalue -1.449 of the morphism is not below 1"),
        ("0->0010, 1->1", None, "the eigenvalue 1 of the morphism"),
        ("a->abc, b->a", None, "c of the substitution"),
    ],
)
def test_substitutions_without_a_system(text: str, bound: int | None, said: str) -> None:
    with pytest.raises(NumerationError, match=said):
        dumont_thomas("msd_blop", parse_rules(text), bound)


def test_budgets_are_kept() -> None:
    with pytest.raises(BudgetSpent):
        dumont_thomas("msd_blop", parse_rules("a->abc, b->ab, c->a"), None, Limits(seconds=1e-9).start())


@pytest.mark.long
def test_systems_are_stored_in_folders(tmp_path: object) -> None:
    s = Session()
    s.use_folders(str(tmp_path))
    s.dumont_thomas("blop", "a->aba, b->a")
    later = Session()
    later.use_folders(str(tmp_path))
    assert later.relation("?msd_blop Blop[n]=1").values(3) == s.relation("?msd_blop Blop[n]=1").values(3) == [1, 5, 8]


def test_a_spent_number_of_states_is_a_spent_budget() -> None:
    with pytest.raises(BudgetSpent, match="the budget of 9 states is spent while building the adder"):
        dumont_thomas("msd_blop", parse_rules("a->abc, b->ab, c->a"), None, Limits(states=9).start())


@pytest.mark.parametrize(("rules", "least"), [
    ({"0": "01", "1": "0"}, 1), ({"0": "01", "1": "20", "2": "0"}, 3), ({"0": "0010", "1": "1"}, 5),
])
def test_bounds_that_some_sums_exceed_are_not_tried(rules: dict[str, str], least: int) -> None:
    """Differences of the numbers of letters in prefixes, by prefixes that are written out."""
    images = tuple(tuple(map(int, image)) for image in rules.values())
    seen = dumont_thomas_module._seen_by_lengths(images)
    assert dumont_thomas_module._least_bound(images, seen, 8, UNLIMITED) == least
    lengths = [[1] * len(images)]
    while lengths[-1][0] < 2000:
        lengths.append([sum(lengths[-1][letter] for letter in image) for image in images])
    word = [0]
    while len(word) < 2000:
        word = [letter for each in word for letter in images[each]]
    for number in (0, 1, 7, 100, 999):
        last = dumont_thomas_module._counts(images, lengths, number)[-1]
        assert last == [word[:number].count(letter) for letter in range(len(images))]


#: The images of a morphism, and whether all images of two words of letters have the same lengths.
ALIKE = [
    ("0->01, 1->23, 2->0, 3->12", "1", "3", True), ("0->01, 1->23, 2->0, 3->12", "1", "2", False),
    ("0->012, 1->02, 2->1", "02", "11", True), ("0->012, 1->02, 2->1", "02", "12", False),
    ("0->01, 1->10", "0", "1", True),
]


@pytest.mark.parametrize(("text", "one", "other", "same"), ALIKE)
def test_what_lengths_show_of_letters(text: str, one: str, other: str, same: bool) -> None:
    images = tuple(tuple(map(int, image)) for image in parse_rules(text).values())
    seen = dumont_thomas_module._seen_by_lengths(images)
    counts = [[word.count(str(letter)) for letter in range(len(images))] for word in (one, other)]
    assert (seen.of(counts[0]) == seen.of(counts[1])) is same
    for word, before in zip((one, other), counts, strict=True):
        after = [sum(images[int(each)].count(letter) for each in word) for letter in range(len(images))]
        assert seen.grown(seen.of(before)) == list(seen.of(after))


@pytest.mark.parametrize("text", ["0->01, 1->0", "0->01, 1->02, 2->0"])
def test_differences_of_all_letters_give_the_same_addition(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a morphism of many letters, for which what no length shows is not left out."""
    substitution = {letter: tuple(image) for letter, image in parse_rules(text).items()}
    found, _ = dumont_thomas_module.dumont_thomas("msd_blop", substitution)
    monkeypatch.setattr(dumont_thomas_module, "MOST_REDUCED", 0)
    again, _ = dumont_thomas_module.dumont_thomas("msd_blop", substitution)
    assert again.linear((1, 1, -1), "=", 0) == found.linear((1, 1, -1), "=", 0)


@pytest.mark.long
@pytest.mark.parametrize("text", ["0->01, 1->23, 2->0, 3->12", "0->012, 1->02, 2->1"])
def test_addition_where_an_eigenvalue_that_no_length_shows_is_large(text: str) -> None:
    """Of either morphism another eigenvalue than the greatest one is -1."""
    s = Session()
    s.dumont_thomas("blop", text)
    sums = s.relation("?msd_blop x+y=z")
    assert all(((x, y, z) in sums) is (x + y == z) for x in range(9) for y in range(9) for z in range(18))
    assert (10**9, 10**9 + 5, 2 * 10**9 + 5) in sums and (10**9, 10**9, 2 * 10**9 + 1) not in sums


def test_sums_that_say_which_bounds_are_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """No others are looked at after one that exceeds all bounds, or when the budget is spent."""
    looked_at: list[int] = []

    def counts(images: Images, lengths: Sequence[Sequence[int]], number: int) -> list[list[int]]:
        looked_at.append(number)
        return counts_before(images, lengths, number)

    counts_before = dumont_thomas_module._counts
    monkeypatch.setattr(dumont_thomas_module, "_counts", counts)
    slow = ((0, 1), *((i % 60,) for i in range(2, 61)))
    with pytest.raises(NumerationError, match="up to 8 do not suffice"):
        dumont_thomas("msd_slow", {f"a{i}": [f"a{each}" for each in image] for i, image in enumerate(slow)})
    assert 3 <= len(looked_at) <= 30
    looked_at.clear()
    with pytest.raises(BudgetSpent):
        dumont_thomas("msd_f", {"a": "ab", "b": "a"}, None, Budget(deadline=time.monotonic() - 1))
    assert not looked_at
