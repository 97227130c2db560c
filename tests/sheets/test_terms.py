"""Words from their first terms, against definitions that share no code with the library."""

from __future__ import annotations

import itertools
import json
import pickle
import random
from collections.abc import Callable
from math import isqrt
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.base.errors import FibproverError, SyntaxProblem
from fibprover.base.limits import Limits
from fibprover.sheets.conjecture import Conjecture, conjecture
from fibprover.sheets.no_automaton import NoAutomaton
from fibprover.sheets.search import suggested
from fibprover.sheets.terms import read_terms, terms_from
from tests.cli.command import answer
from tests.few import few
from tests.sheets.sequences import COUNT, SEQUENCES, b_file, fibonacci_complement, is_square, ones_modulo_3

FILES = Path(__file__).resolve().parent.parent.parent / "docs" / "terms"

#: A recursion of the number of ones modulo 3.
ONES = (
    "(n=0 & v=0) | (Em n=2*m & n>0 & $a(m,v)) | (Em,u n=2*m+1 & $a(m,u) & (v=u+1 | (u=2 & v=0)) & v<3)"
)


def found(name: str) -> Conjecture:
    return conjecture(read_terms((FILES / f"{name}.txt").read_text()))


@pytest.mark.parametrize("name", SEQUENCES)
def test_the_files_are_what_they_say(name: str) -> None:
    assert (FILES / f"{name}.txt").read_text() == b_file(name)


@pytest.mark.parametrize("name", ["complement", "ones", "zeckendorf", "root2"])
def test_a_conjecture_predicts_terms_that_it_has_not_seen(name: str) -> None:
    first, term, _ = SEQUENCES[name]
    terms = [term(n) for n in range(first, first + 3 * COUNT)]
    expected = [b - a for a, b in itertools.pairwise(terms)] if name == "root2" else terms
    guessed = found(name)
    assert guessed.status == "open" and guessed.about.word.prefix(3 * COUNT - 1) == expected[: 3 * COUNT - 1]


def test_a_word_of_the_library_is_recognized() -> None:
    said = found("complement").statement
    assert "A003849" in said and "second letter" in said and "0 -> 1, 1 -> 0" in said
    shifted = conjecture(terms_from([fibonacci_complement(n) + 1 for n in range(6, 200)], 6))
    assert "F, the Fibonacci word" in shifted.statement and "0 -> 2, 1 -> 1" in shifted.statement
    late = conjecture(terms_from([1, 1, *(1 - fibonacci_complement(n) for n in range(200))]))
    assert "after 2 other letters" in late.statement and late.about.word.prefix(6) == [1, 1, 0, 1, 0, 0]
    same = conjecture(terms_from([1 - fibonacci_complement(n) for n in range(200)]))
    assert same.about.word.name == "F"


def test_a_recursion_that_determines_the_word() -> None:
    """The equations of the conjecture give all letters again."""
    sides = [each.split(" = ") for each in found("ones").way.removesuffix(".").split(": ")[1].split(", ")]
    initial = {int(left[2:-1]): int(right) for left, right in sides if "n" not in left}
    rules = [(left[2:-1], right[2:-1]) for left, right in sides if "n" in left]

    def numbers(index: str) -> tuple[int, int]:
        factor = int(index.split("*")[0]) if "*" in index else 1
        return factor, int(index.split("+")[1]) if "+" in index else 0

    def letter(place: int) -> int:
        while place not in initial:
            for left, right in rules:
                (factor, rest), (to, plus) = numbers(left), numbers(right)
                if place % factor == rest:
                    place = to * (place // factor) + plus
                    break
        return initial[place]

    assert [letter(place) for place in range(500)] == [ones_modulo_3(place) for place in range(500)]


@pytest.mark.long
def test_a_definition_proves_the_conjecture() -> None:
    terms = [ones_modulo_3(n) for n in range(3, 300)]
    proved = conjecture(terms_from(terms, 3), ONES)
    assert proved.status == "proved" and proved.about.word.prefix(297) == terms
    session = proved.about.session
    assert proved.formula is not None and session.prove(proved.formula)
    other = conjecture(terms_from([ones_modulo_3(n) for n in range(100)]), ONES.replace("v=0", "v=1", 1))
    assert other.status == "refuted" and other.formula is not None and not other.about.session.prove(other.formula)
    letters = [bin(n).count("1") % 2 for n in range(100)]
    assert conjecture(terms_from(letters), "(Em n=2*m & n>0 & $a(m)) | (Em n=2*m+1 & ~$a(m))").status == "proved"
    assert conjecture(terms_from(letters), "T[n]=@1").status == "proved"
    assert conjecture(terms_from(letters), "~$a(n)").status == "open"
    with pytest.raises(FibproverError):
        conjecture(terms_from(letters), "m+n=v")
    assert conjecture(terms_from(letters), "$a(m,n,v)").status == "open"


@pytest.mark.parametrize("definition", [
    "$feq_T(0,n,0) & T[n]=@1", "?msd_2 (Em n=2*m & n>0 & $odd(m)) | (Em n=2*m+1 & ~$odd(m))",
    "$feq_T(0,n,0) & ((Em n=2*m & n>0 & $odd(m)) | (Em n=2*m+1 & ~$odd(m)))",
])
def test_a_definition_is_about_the_first_relation_that_is_not_known(definition: str) -> None:
    """Predicates of words are known."""
    assert conjecture(terms_from([n.bit_count() % 2 for n in range(100)]), definition).status == "proved"


def test_lines_hold_under_the_conjecture() -> None:
    terms = [ones_modulo_3(n) for n in range(200)]
    sheet = fp.study(terms=terms, only=["squares", "cubes"])
    assert [line.id for line in sheet.lines] == ["word", "squares", "cubes"] and sheet["word"].status == "open"
    assert all(line.statement.startswith("Under the conjecture, ") for line in sheet.lines[1:])
    assert sheet["squares"].status == "proved" and "200 terms" in sheet["word"].value
    proved = fp.study(terms=terms, definition=ONES, only=["squares"])
    assert not proved["squares"].statement.startswith("Under") and proved["word"].status == "proved"
    assert "W_squares" in proved.to_script() and "W_word" not in proved.to_script() and not proved.to_script("word")


@pytest.mark.parametrize("count", [60, 250, 1000])
def test_squares_have_no_automaton(count: int) -> None:
    """Ritchie 1963: the set of squares is not regular in base 2."""
    with pytest.raises(NoAutomaton, match="tried msd_2, msd_3") as raised:
        conjecture(terms_from([is_square(n) for n in range(count)]))
    attempts = raised.value.attempts
    assert all(each.growth is not None and each.growth.states[-1] > each.growth.states[0] for each in attempts)
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value) and again.attempts == attempts


def test_primes_and_numbers_with_many_values_have_none() -> None:
    primes = [int(n > 1 and all(n % d for d in range(2, isqrt(n) + 1))) for n in range(400)]
    for terms in (primes, [n * n for n in range(100)], [1 << n for n in range(100)], [0, 1 << 40] * 50):
        with pytest.raises(NoAutomaton):
            conjecture(terms_from(terms))


def test_periodic_terms_are_no_coding_of_a_greater_word() -> None:
    assert conjecture(terms_from([n % 3 for n in range(200)])).about.word.machine.states == 3


def test_gaps() -> None:
    text = "".join(f"{n} {ones_modulo_3(n)}\n" for n in range(300) if not 200 <= n < 250)
    terms = read_terms(text)
    assert len(terms.run) == 200 and terms.beyond[0] == (250, ones_modulo_3(250)) and len(terms) == 250
    assert conjecture(terms).about.word.prefix(300) == [ones_modulo_3(n) for n in range(300)]
    with pytest.raises(NoAutomaton, match="wrong at 300"):
        conjecture(read_terms(text + f"300 {(ones_modulo_3(300) + 1) % 3}\n"))
    with pytest.raises(FibproverError, match="only 2 terms"):
        conjecture(read_terms("0 1\n1 2\n5 3\n"))


def test_forms_of_a_file() -> None:
    terms = read_terms("# A1\n\n -1 5\r\n0\t-3  # a remark\n2 +7\n# end")
    assert terms.indices == (-1, 0, 2) and terms.values == (5, -3, 7) and terms.run == (5, -3) and terms.first == -1


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("0 1\n1 x\n", 6), ("0 1\n1\n", 4), ("0 1\n0 2\n", 4), ("0 1 2\n1 1\n", 4), ("# no\n", 0),
        ("0 1e3", 2),
    ],
)
def test_malformed_files(text: str, start: int) -> None:
    with pytest.raises(SyntaxProblem) as raised:
        read_terms(text)
    assert raised.value.start == start


@pytest.mark.long
def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ones = str(FILES / "ones.txt")
    said = answer(capsys, "study", "--terms", ones, "--only", "cubes", "--definition", ONES)
    assert said.status == 0 and "proved" in said.out
    assert answer(capsys, "study", "--terms", ones, "--only", "cubes", "--json", "-").status == 3
    said = answer(capsys, "study", "--terms", str(FILES / "squares.txt"), "--system", "msd_2", "--json", "-")
    assert said.status == 1 and [each["system"] for each in json.loads(said.out)["attempts"]] == ["msd_2"]
    (tmp_path / "bad.txt").write_text("0 1\n1 x\n")
    said = answer(capsys, "study", "--terms", str(tmp_path / "bad.txt"))
    assert said.status == 2 and "bad.txt, line 2" in said.err and "  1 x\n    ^\n" in said.err
    for arguments in ([], ["T", "--terms", ones], ["T", "--definition", "n=0"], ["--terms", "missing.txt"]):
        assert answer(capsys, "study", *arguments).status == 2


@pytest.mark.parametrize("terms", [[], [0.5] * 40, [True] * 40, ["0"] * 40])
def test_what_are_no_terms(terms: list[object]) -> None:
    with pytest.raises(FibproverError):
        fp.study(terms=terms)  # type: ignore[arg-type]


def test_what_contradicts_differences_after_a_gap() -> None:
    halves = "".join(f"{n} {n // 2}\n" for n in range(200))
    assert fp.study(terms=read_terms(f"{halves}300 150\n303 151\n"), only=["squares"]).lines[0].id == "word"
    for wrong in ("300 7", "300 150\n303 150"):
        with pytest.raises(NoAutomaton):
            conjecture(read_terms(f"{halves}{wrong}\n"))


@pytest.mark.long
def test_a_definition_that_differs_after_the_terms_proves_nothing() -> None:
    """All terms are 1, and the definition gives 1 up to 5000 only."""
    outcome = conjecture(terms_from([1] * 3000), "E=0 k k>=5000 & k<n & $a(k)", systems=["msd_2"])
    assert outcome.status != "proved"


@pytest.mark.parametrize("definition", ["(k=0 & T[n]=@0) | (k=1 & T[n]=@1)", "T[k]=@1", "T[3]=@1"])
def test_the_index_of_a_definition_is_n(definition: str) -> None:
    with pytest.raises(FibproverError):
        conjecture(terms_from([n.bit_count() % 2 for n in range(100)]), definition)


def test_the_index_of_a_definition_is_that_of_the_terms() -> None:
    terms = [n.bit_count() % 2 for n in range(200)]
    assert conjecture(terms_from(terms, 5), "T[n-5]=@1").status == "proved"
    wrong = conjecture(terms_from(terms, 5), "T[n]=@1")
    assert wrong.status == "refuted" and "n = 6" in wrong.evidence
    with pytest.raises(FibproverError):
        conjecture(terms_from(terms, -3), "T[n]=@1")


@pytest.mark.parametrize("text", [
    "3, 1, -4", "3,1,-4,", "3 1 -4", "3\n1\n-4\n", "# a list\n3,\n1 # one\n\n, -4", "+3\t1\t-4", " 3, 1\n-4",
])
def test_lists(text: str) -> None:
    terms = read_terms(text)
    assert (terms.indices, terms.values) == ((0, 1, 2), (3, 1, -4))


@pytest.mark.parametrize(("text", "start"), [("3, x", 3), ("1\n2\n0.5", 4), (",", 0), ("1,2,3-4", 4), ("1 2 3 q", 6)])
def test_malformed_lists(text: str, start: int) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        read_terms(text)
    assert caught.value.start == start


def test_two_numbers_are_a_line_of_a_b_file() -> None:
    assert read_terms("3 1").indices == (3,) and read_terms("3, 1").values == (3, 1)


def _zeckendorf(n: int) -> int:
    """Return how many different Fibonacci numbers, no two in a row, have the sum n."""
    ones, weights = 0, [1, 2]
    while weights[-1] <= n:
        weights.append(sum(weights[-2:]))
    for weight in reversed(weights):
        if weight <= n:
            n, ones = n - weight, ones + 1
    return ones


@pytest.mark.long
@pytest.mark.parametrize(("rule", "system", "rank"), few([
    (int.bit_count, "msd_2", 2), (lambda n: 2 ** n.bit_count(), "msd_2", 1), (_zeckendorf, "msd_fib", 4),
    (lambda n: ((n + 1) & -(n + 1)).bit_length() - 1, "msd_2", 3),
], 2))
def test_few_values_that_are_no_letters_are_numbers(rule: Callable[[int], int], system: str, rank: int) -> None:
    found = suggested([rule(n) for n in range(2000)], "", (), Limits(cpu_seconds=20))
    assert not found.about.is_word and found.about.system == system
    assert found.states is not None and found.states <= rank
    sequence = found.about.numbers.sequence
    for n in (2001, 12345, 10**6, 2**40 - 1):
        assert sequence[n] == rule(n)


def test_a_word_by_residuals_where_types_make_none() -> None:
    """The fixed point of 1->1000, 0->10 over its own recurrence."""
    word = "1"
    while len(word) < 60_000:
        word = "".join({"1": "1000", "0": "10"}[letter] for letter in word)
    letters = [int(letter) for letter in word]
    found = conjecture(terms_from(letters[:20_000]), systems=["msd_rec_2_2_from_1_3"])
    assert found.about.word.machine.states == 13 and found.about.word.prefix(60_000) == letters[:60_000]


@pytest.mark.long
def test_residuals_do_not_make_a_word_of_chance() -> None:
    draw = random.Random(3)
    for letters in (2, 3):
        with pytest.raises(NoAutomaton):
            suggested(
                [draw.randrange(letters) for _ in range(400)], "", ("msd_2", "msd_3", "msd_fib"), Limits(cpu_seconds=60)
            )
    sparse = [int(draw.random() < 0.2) for _ in range(100)] + [0] * 200
    with pytest.raises(NoAutomaton):
        conjecture(terms_from(sparse))


def test_the_sequence_of_the_encyclopedia_is_not_called_as_the_terms_are() -> None:
    """With letters before F the terms b(n) are not F[n], and F[n-1] is a letter from some n on only."""
    found = suggested([(n + isqrt(5 * n * n)) // 2 for n in range(300)], "", (), Limits())
    assert found.of_differences and "F[n] = A003849(n)" in found.statement and "= b(n)" not in found.statement
    assert "F[n-1] for n >= 1" in found.way
    word = fp.Session().namespace.library_words["F"]
    assert "F[n+2]" in (way := suggested(word.prefix(200)[2:], "", (), Limits()).way) and "n >=" not in way
