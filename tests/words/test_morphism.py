"""Words from morphisms and files of words: letters by substitution, and refused input."""

from __future__ import annotations

import json
from math import isqrt
from pathlib import Path
from typing import Any

import pytest

from fibprover.automata.dfa import Track
from fibprover.base.errors import AutomatonError, FileProblem, FormatError, NumerationError
from fibprover.numeration.registry import system_named
from fibprover.words import morphism
from fibprover.words.morphism import from_morphism, load_words

PAPER = Path(__file__).parents[2] / "proofs" / "words.json"
INDEX = Track("i", (0, 1), "msd_fib")


def track_of_system(name: str) -> Track:
    known = {"msd_fib": (0, 1), "msd_2": (0, 1), "msd_3": (0, 1, 2)}
    if name not in known:
        raise NumerationError(f"there is no numeration system {name}", hint="there is msd_fib")
    return Track("x", known[name], name)


def zeckendorf(number: int) -> list[int]:
    """Return the greedy digits of a number over 1, 2, 3, 5, ..."""
    weights = [1, 2]
    while weights[-1] <= number:
        weights.append(weights[-1] + weights[-2])
    digits = []
    for weight in reversed(weights):
        digits.append(int(weight <= number))
        number -= digits[-1] * weight
    return digits[digits.index(1) :] if 1 in digits else []


def fixed_point(images: list[list[int]], length: int) -> list[int]:
    """Return the first letters of the fixed point from 0 by iteration."""
    letters = [0]
    while len(letters) < length:
        letters = [target for letter in letters for target in images[letter]]
    return letters[:length]


def hofstadter(count: int) -> list[int]:
    """h(n) = n - h(h(n - 1)), h(0) = 0."""
    h = [0]
    for n in range(1, count):
        h.append(n - h[h[n - 1]])
    return h


def test_the_word_g_of_the_paper() -> None:
    # By its definition in the paper (section 1), and by the recurrence over Hofstadter's sequence
    # (section 2), whose printed start g(1) = 1 contradicts the definition's g(1) = 0.
    words = load_words(PAPER, track_of_system)
    g = [letter for letter in words["G"].prefix(2000, zeckendorf) if letter is not None]
    assert len(g) == 2000
    h = hofstadter(2001)
    assert g[:2] == [1, 0]
    for n in range(2, 2000):
        if h[n - 2] < h[n - 1]:
            assert g[n] == 1 - g[h[n - 1]], n
        else:
            assert g[n] == 1, n
    lower = [(n + isqrt(5 * n * n)) // 2 for n in range(2000)]
    upper = {low + m + 1: m for m, low in enumerate(lower)}
    assert g[:2] == [1, 0]
    assert g[2:] == [1 - g[upper[low]] if low in upper else 1 for low in lower[2:]]


def test_the_words_of_the_paper_are_their_fixed_points() -> None:
    raw = json.loads(PAPER.read_text())
    words = load_words(PAPER, track_of_system)
    assert sorted(words) == ["F1G1", "F2G2", "F3G3", "G", "K3", "K4"]
    for name, word in words.items():
        letters = fixed_point(raw[name]["morphism"], 3000)
        assert word.prefix(3000, zeckendorf) == [raw[name]["coding"][letter] for letter in letters], name
        assert word.tracks == (INDEX,)
        assert not word.padding_matters
        assert word.name == name
    assert load_words(raw, track_of_system) == words


def test_uniform_morphisms() -> None:
    def ternary(number: int) -> list[int]:
        return [*ternary(number // 3), number % 3] if number else []

    # the period doubling word of the ternary digits: sum of digits modulo 3
    index = Track("i", (0, 1, 2), "msd_3")
    word = from_morphism("S", [[0, 1, 2], [1, 2, 0], [2, 0, 1]], [0, -1, 7], index)
    assert word.prefix(100, ternary) == [[0, -1, 7][sum(ternary(n)) % 3] for n in range(100)]


BAD_MORPHISMS = [
    ([], [], "has no letters"),
    ([[0, 1], [0]], [1], "1 value for 2 letters"),
    ([[0, 1], []], [1, 1], "the image of 1 is empty"),
    ([[0, 1, 0], [0]], [1, 1], "the image of 0 has 3 letters, but msd_fib has 2 digits"),
    ([[0, 2], [0]], [1, 1], "the image of 0 holds 2"),
    ([[0, -1], [0]], [1, 1], "the image of 0 holds -1"),
    ([[1, 0], [0]], [1, 1], "the image of 0 begins with 1"),
    ([[1], [0]], [1, 1], "no fixed point from 0"),
]


@pytest.mark.parametrize(("images", "coding", "cause"), BAD_MORPHISMS, ids=range(len(BAD_MORPHISMS)))
def test_invalid_morphisms_and_codings(images: list[list[int]], coding: list[int], cause: str) -> None:
    with pytest.raises(AutomatonError, match=cause):
        from_morphism("W", images, coding, INDEX)


def test_the_digits_of_an_index_begin_with_zero() -> None:
    with pytest.raises(AutomatonError, match="must begin with 0"):
        from_morphism("W", [[0, 0]], [0], Track("i", (-1, 0, 1)))


GOOD: dict[str, Any] = {"morphism": [[0, 1], [0]], "coding": [0, 1]}
BAD_FILES: list[tuple[str, str]] = [
    ("", "line 1: is not JSON"),
    ('{\n "G": {"morphism": [[0, 1],}\n}', "line 2: is not JSON"),
    ("[]", "one object"),
    ("3", "one object"),
    ('{"G": 3}', "G: an object with"),
    ('{"G": {"coding": [0, 1]}}', "G: the field 'morphism' is missing"),
    ('{"G": {"morphism": [[0, 1], [0]]}}', "G: the field 'coding' is missing"),
    ('{"G": {"morphism": [[0, 1], [0]], "codeing": [0, 1]}}', "G: unknown field 'codeing'"),
    ('{"G": {"morphism": "01", "coding": [0, 1]}}', "list of lists of integers"),
    ('{"G": {"morphism": [0, 1], "coding": [0, 1]}}', "list of lists of integers"),
    ('{"G": {"morphism": [[0, 1.5], [0]], "coding": [0, 1]}}', "list of lists of integers"),
    ('{"G": {"morphism": [[0, true], [0]], "coding": [0, 1]}}', "list of lists of integers"),
    ('{"G": {"morphism": [[0, 1], [0]], "coding": [0, "1"]}}', "list of integers"),
    ('{"G": {"morphism": [[0, 1], [0]], "coding": [0, 4294967296]}}', "32 bits"),
    ('{"G": {"morphism": [[0, 1], [0]], "coding": 1}}', "list of integers"),
    ('{"G": {"morphism": [[0, 1], [0]], "coding": [0]}}', "1 value for 2 letters"),
    ('{"G": {"morphism": [[1, 0], [0]], "coding": [0, 1]}}', "begins with 1"),
    ('{"G": {"morphism": [[0, 1], [0]], "coding": [0, 1], "system": 2}}', "the system has to be a name"),
    ('{"G": {"morphism": [[0, 1], [0]], "coding": [0, 1], "system": "msd_nosuch"}}', "no numeration system msd_nosuch"),
    ('{"1G": {"morphism": [[0, 1], [0]], "coding": [0, 1]}}', "'1G' is not a name"),
    ('{"": {"morphism": [[0, 1], [0]], "coding": [0, 1]}}', "'' is not a name"),
    ('{"G": {}, "G": {"morphism": [[0, 1], [0]], "coding": [0, 1]}}', "'G' is given twice"),
    ("[" * 100_000, "nested too deeply"),
    ('{"G": {"morphism": [[0, ' + "9" * 5000 + '], [0]], "coding": [0, 1]}}', "too many digits"),
]


@pytest.mark.parametrize(("text", "cause"), BAD_FILES, ids=range(len(BAD_FILES)))
def test_malformed_files_of_words(text: str, cause: str, tmp_path: Path) -> None:
    path = tmp_path / "words.json"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        load_words(path, track_of_system)
    assert cause in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_unreadable_files_of_words(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="cannot be read"):
        load_words(tmp_path / "missing.json", track_of_system)
    (tmp_path / "latin.json").write_bytes(b'{"comment": "\xe9"}')
    with pytest.raises(FileProblem, match="not UTF-8"):
        load_words(tmp_path / "latin.json", track_of_system)


def test_files_may_have_systems_and_remarks() -> None:
    words = load_words(
        {
            "comment": "two words",
            "F": {**GOOD, "for": "the Fibonacci word"},
            "T": {"morphism": [[0, 1], [1, 0]], "coding": [0, 1], "system": "msd_2"},
        },
        track_of_system,
    )
    assert [word.tracks[0].system for word in words.values()] == ["msd_fib", "msd_2"]
    assert words["F"].prefix(8, zeckendorf) == [0, 1, 0, 0, 1, 0, 1, 0]


@pytest.mark.parametrize(("rules", "said"), [
    ("0->70 7->07", "begins with 7"),
    ("0->07 7->070", "the image of 7 has 3 letters"),
])
def test_messages_name_letters_as_the_morphism_does(rules: str, said: str) -> None:
    with pytest.raises(AutomatonError, match=said):
        morphism.fixed_point(morphism.parse_morphism("m", rules), "W", system_named("msd_2").track("n"))


def test_a_morphism_without_rules_has_no_fixed_point() -> None:
    with pytest.raises(AutomatonError, match="no image of 0"):
        morphism.fixed_point(morphism.Morphism("m", {}), "W", system_named("msd_2").track("n"))
