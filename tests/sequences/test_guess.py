"""Linear representations guessed from terms, against definitions that share no code with the library."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import fibprover as fp
from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.sequences.guess import guess_sequence
from fibprover.sequences.recursion import recursion_of
from fibprover.sequences.series import Series
from fibprover.sheets import sequence
from fibprover.sheets.no_automaton import NoAutomaton
from fibprover.sheets.terms import terms_from
from tests.cli.command import answer
from tests.page.made import content_of


def ones(n: int) -> int:
    return bin(n).count("1")


def stern(n: int) -> int:
    a, b = 1, 0
    while n:
        a, b = (a, a + b) if n & 1 else (a + b, b)
        n >>= 1
    return b


def comparisons_of_mergesort(n: int) -> int:
    return 0 if n < 2 else comparisons_of_mergesort(n // 2) + comparisons_of_mergesort(n - n // 2) + n - 1


def zeckendorf(n: int) -> list[int]:
    """The Fibonacci numbers that make up n, greedily."""
    numbers, parts = [1, 2], []
    while numbers[-1] <= n:
        numbers.append(numbers[-1] + numbers[-2])
    for number in reversed(numbers):
        if number <= n:
            parts.append(number)
            n -= number
    return parts


def representations(n: int) -> int:
    """In how many ways n is a sum of different Fibonacci numbers, of which A000119 is the list."""
    ways = [1, *([0] * n)]
    a, b = 1, 2
    while a <= n:
        ways = [ways[m] + (ways[m - a] if m >= a else 0) for m in range(n + 1)]
        a, b = b, a + b
    return ways[n]


CASES: list[tuple[str, Callable[[int], int], int, int]] = [
    ("msd_2", ones, 2, 0), ("msd_2", stern, 2, 0), ("msd_2", lambda n: 2 ** ones(n), 1, 0),
    ("msd_2", lambda n: sum(map(ones, range(n))), 4, 0), ("msd_2", comparisons_of_mergesort, 5, 1),
    ("lsd_2", lambda n: n * n, 3, 0), ("msd_3", lambda n: n - sum(n // 3**k for k in range(1, 9)), 3, 0),
    ("msd_fib", lambda n: len(zeckendorf(n)), 4, 0), ("msd_fib", representations, 4, 0),
]


@pytest.mark.parametrize(("system", "term", "rank", "first"), CASES)
def test_guesses_predict_terms(system: str, term: Callable[[int], int], rank: int, first: int) -> None:
    terms = [0] * first + [term(n) for n in range(first, 160)]
    found = guess_sequence(terms, fp.system_named(system))
    assert found is not None and found.rank <= max(rank, 6) and found.count == 160 and found.known == 107
    assert [found.sequence[n] for n in range(160, 400)] == [term(n) for n in range(160, 400)]
    assert f"conjecture, from 160 terms, rank {found.rank}" in str(found)


@pytest.mark.parametrize(("system", "term", "rank", "first"), [case for case in CASES if case[0] in ("msd_2", "msd_3")])
def test_recursions_determine_the_sequence(system: str, term: Callable[[int], int], rank: int, first: int) -> None:
    terms = [0] * first + [term(n) for n in range(first, 160)]
    found = guess_sequence(terms, fp.system_named(system))
    assert found is not None and found.rank == rank
    values: dict[int, Fraction] = {}
    rules: list[tuple[int, int, str]] = []
    for equation in recursion_of(found.sequence).texts():
        left, right = equation.split(" = ")
        index = re.fullmatch(r"a\((?:(\d*)n)?\+?(\d+)?\)", left)
        assert index is not None
        if "n" not in left:
            values[int(index[2])] = Fraction(right)
        else:
            rules.append((int(index[1] or 1), int(index[2] or 0), right))

    def value(place: int) -> Fraction:
        if place not in values:
            factor, _, right = next(rule for rule in rules if place % rule[0] == rule[1])
            total = Fraction(0)
            for sign, size, times, plus in re.findall(r"(-?)\+? ?([\d/]+ )?a\((\d*)n\+?(\d*)\)", right):
                part = value(int(times or 1) * (place // factor) + int(plus or 0)) * Fraction(size or 1)
                total += -part if sign else part
            values[place] = total
        return values[place]

    assert [value(n) for n in range(first, 300)] == [term(n) for n in range(first, 300)]


@pytest.mark.parametrize(
    ("system", "term"),
    [("msd_fib", representations), ("lsd_fib", representations), ("msd_pell", ones), ("msd_ost_0_3_per_1_2", ones),
     ("msd_trib", ones), ("msd_neg_2", ones)],
)
def test_recursions_by_digits_determine_the_sequence(system: str, term: Callable[[int], int]) -> None:
    """Every term follows from the first ones by its representation, read from its end; a word may be no number."""
    numbers = fp.system_named(system)
    sequence = fp.Session(system).counts("n", "i<=n & i>=0") if term is ones else None
    if sequence is None:
        guessed = guess_sequence([term(n) for n in range(160)], numbers)
        assert guessed is not None
        sequence = guessed.sequence
    recursion = recursion_of(sequence)
    assert recursion.base is None and recursion.formula() is None and len(recursion.equations) > 1
    rules = {rule.word: rule.terms for rule in recursion.equations}
    first = dict(recursion.first)

    def value(word: tuple[int, ...]) -> Fraction:
        if not numbers.is_valid(word):
            return Fraction(0)
        for size in range(len(word) + 1):
            end = word[len(word) - size:]
            if end in rules:
                start = word[: len(word) - size]
                return sum((factor * value((*start, *other)) for factor, other in rules[end]), Fraction())
        return Fraction(first[numbers.value(word)])

    for n in range(120):
        assert value(numbers.represent(n)) == sequence[n]


def formula_of(sequence: Series) -> fp.Formula:
    formula = recursion_of(sequence).formula()
    assert formula is not None
    return formula.in_system("msd_2")


@pytest.mark.long
def test_a_recursion_is_a_formula_that_can_be_solved() -> None:
    """The pairs (n, a(n)) of the halves n//2, with 3 for all n < 4, and with a factor that is no integer."""
    for values in ([n // 2 for n in range(80)], [max(3, n) for n in range(80)], [3 * n + n % 2 for n in range(80)]):
        guessed = guess_sequence(values, fp.system_named("msd_2"))
        assert guessed is not None
        session = fp.Session()
        session.solve("a", formula_of(guessed.sequence), by="n")
        pairs = session.relation("$a(n,v)")
        assert all(pairs.where(n=n).values(2) == [guessed.sequence[n]] for n in range(200))


def test_the_formula_of_a_recursion_is_about_natural_numbers() -> None:
    """The values 3-n are natural for n < 4 only, and the solution has these pairs."""
    guessed = guess_sequence([3 - n for n in range(80)], fp.system_named("msd_2"))
    assert guessed is not None and recursion_of(guessed.sequence).formula() is not None
    session = fp.Session()
    session.solve("a", formula_of(guessed.sequence), by="n")
    pairs = session.relation("$a(n,v)")
    assert [pairs.where(n=n).values(2) for n in range(6)] == [[3], [2], [1], [0], [], []]


def test_few_terms_are_no_evidence() -> None:
    """Of one or two terms none is left to be right about; the sequence 0 is one like others."""
    base = fp.system_named("msd_2")
    for terms in ([1, 1], [1, 0, 0], [2] * 31):
        assert guess_sequence(terms, base) is None
    found = guess_sequence([0] * 32, base)
    assert found is not None and found.rank == 0 and not found.sequence[10**6]


def test_zeros_before_the_terms_are_said() -> None:
    """The comparisons of mergesort are counted from n = 1 on, and the recursion is about a(0) = 0, too."""
    values = [comparisons_of_mergesort(n) for n in range(1, 160)]
    sheet = fp.study(terms=terms_from(values, 1), systems=["msd_2"], only=["growth"])
    assert sheet.numbers.shift == 0 and sheet["growth"].statement.endswith("(with a(n) = 0 for n < 1).")


@pytest.mark.long
def test_the_script_of_a_sequence_says_what_is_a_conjecture() -> None:
    terms = [(1 - n.bit_count() % 2) * n for n in range(90)]
    scripts = [
        fp.study(terms=terms, definition=definition, systems=["msd_2"], only=["synchronized"]).to_script()
        for definition in ("", "i<n & T[n]=@0", "i<n & T[n]=@0 & n!=80")
    ]
    assert ["conjecture" in script for script in scripts] == [True, False, True]
    assert ["another sequence" in script for script in scripts] == [False, False, True]
    assert all(fp.Session().run(script) for script in scripts)


@pytest.mark.long
def test_the_script_of_a_sequence_defines_the_predicates_of_words() -> None:
    """As Walnut has none of its own: here for a definition with no letter of T."""
    letters = bytes(n.bit_count() % 2 for n in range(1000))
    terms = [len({letters[i : i + n] for i in range(900)}) for n in range(60)]
    sheet = fp.study(terms=terms, definition="Aj j<i => ~$feq_T(i,j,n)", systems=["msd_2"], only=["growth"])
    assert sheet["sequence"].status == "proved" and "def feq_T " in sheet.to_script()


@pytest.mark.long
def test_long_recursions_are_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequence, "_MOST_EQUATIONS", 12)
    for first, name in ((0, "a(n)"), (20, "b(n) = a(n+20)")):
        sheet = fp.study(terms=terms_from([n * n for n in range(900)], first), systems=["msd_12"], only=["recursion"])
        assert sheet["recursion"].statement.endswith(f"a recursion that determines {name}.")
        assert "too many to be shown" in sheet["recursion"].value


def test_a_search_for_a_word_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def spent(*_: object, **_options: object) -> None:
        raise BudgetSpent("seconds", 10)

    monkeypatch.setattr("fibprover.sheets.search.conjecture", spent)
    values = [comparisons_of_mergesort(n) for n in range(1, 160)]
    sheet = fp.study(terms=terms_from(values, 1), systems=["msd_2"], only=["growth"])
    assert sheet["growth"].status == "proved"
    with pytest.raises(NoAutomaton, match=r"budget of 10 s is spent(.|\n)*no linear representation"):
        fp.study(terms=[int(n**1.5) for n in range(200)], systems=["msd_2"])


def test_what_has_no_representation() -> None:
    random = Random(3)
    for terms in ([random.randrange(90) for _ in range(200)], [int(n**1.5) for n in range(200)]):
        assert guess_sequence(terms, fp.system_named("msd_2")) is None
        with pytest.raises(NoAutomaton, match="no linear representation: tried msd_2, msd_3"):
            fp.study(terms=terms, systems=["msd_2", "msd_3"])
    assert guess_sequence([n % 2 for n in range(100)], fp.system_named("msd_neg_2")) is None
    changed = [ones(n) + 30 * n for n in range(160)]
    changed[150] += 1
    assert guess_sequence(changed, fp.system_named("msd_2")) is None


@pytest.mark.parametrize(
    ("system", "word"), [
        ("msd_2", "T"), ("msd_2", "PD"), ("msd_fib", "F"), pytest.param("msd_2", "RS", marks=pytest.mark.long),
        pytest.param("msd_fib", "RF", marks=pytest.mark.long),
    ]
)
def test_complexities_of_words_are_guessed_and_proved(system: str, word: str) -> None:
    letters = bytes(int(letter) for letter in fp.Session().namespace.library_words[word][:3000])
    terms = [len({letters[i : i + n] for i in range(len(letters) - n)}) for n in range(1, 90)]
    definition = f"Ak k<i => Ej j<n & {word}[i+j]!={word}[k+j]"
    sheet = fp.study(
        terms=terms_from(terms, 1), definition=definition, systems=[system], only=["synchronized", "growth"],
        limits=fp.Limits(seconds=60),
    )
    assert sheet["sequence"].status == "proved"
    assert sheet["synchronized"].status == "proved"
    assert "n for n > 0, proved: the supremum of a(n)/n" in sheet["growth"].value
    assert [sheet.sequence[n - sheet.numbers.shift] for n in range(1, 90)] == terms


@pytest.mark.long
def test_sheets_of_sequences() -> None:
    squares = [n * n for n in range(90)]
    guessed = fp.study(terms=[sum(map(ones, range(n))) for n in range(200)], systems=["msd_2"], only=["weights"])
    assert guessed["sequence"].status == "open"
    assert "Conjecture, from 200 terms, rank 4" in guessed["sequence"].value
    assert guessed["weights"].statement.startswith("Under the conjecture, ")
    assert "s(k+2) = 4 s(k+1) - 4 s(k)" in guessed["weights"].value
    wrong = fp.study(terms=squares, definition="i<n & j<=n", only=["growth"])
    assert wrong["sequence"].status == "refuted" and "2 at n = 1" in wrong["sequence"].value
    right = fp.study(terms=terms_from(squares[20:], 20), definition="i<n & j<n & n>3", only=["growth"])
    assert right["sequence"].status == "proved" and right["growth"].status == "proved"
    # A line that only words have is skipped; one that nothing has is an error.
    skipped = fp.study(terms=squares, definition="i<n & j<n", only=["squares"])
    assert "squares" not in [line.id for line in skipped.lines]
    with pytest.raises(FibproverError, match="no line"):
        fp.study(terms=squares, definition="i<n & j<n", only=["square"])
    with pytest.raises(NoAutomaton, match="too few"):
        fp.study(terms=squares[:26], definition="i<n & j<n")


@pytest.mark.long
def test_the_command_writes_matrices(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("b.txt").write_text("".join(f"{n} {n * n}\n" for n in range(80)))
    said = answer(capsys, "study", "--terms", "b.txt", "--definition", "i<n & j<n", "--matrices", "m.json",
                  "--only", "growth", "--json", "s.json", "--markdown", "s.md")
    assert said.status == 0 and "rank 3" in said.out
    assert json.loads(Path("m.json").read_text())["systems"] == ["msd_2"]
    assert json.loads(Path("s.json").read_text())[0]["status"] == "proved"
    assert "## Conjecture" in Path("s.md").read_text()


def test_the_command_writes_a_page_latex_and_a_script(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("b.txt").write_text("".join(f"{n} {3 * n + n % 2}\n" for n in range(80)))
    said = answer(capsys, "study", "--terms", "b.txt", "--system", "msd_2", "--html", "page", "--latex", "s.tex",
                  "--script", "s.txt", "--definition", "(i<3*n) | (i=3*n & Em n=2*m+1)")
    assert said.status == 0
    found = content_of(Path("page/index.html"))
    items = {item["id"]: item for item in found["items"]}
    assert list(items) == ["sequence", "recursion", "growth", "weights", "mean", "synchronized"]
    assert items["sequence"]["plot"]["terms"] == [3 * n + n % 2 for n in range(64)]
    assert items["recursion"]["equations"][:2] == ["a(2n) = 6 n", "a(2n+1) = 6 n + 4"]
    (entry,) = found["words"]
    assert entry["values"].startswith("0, 4, 6, 10") and entry["entry"] is None
    assert entry["script"] == Path("s.txt").read_text()
    matrices = items["sequence"]["matrices"]
    row = [Fraction(each) for each in matrices["v"][0]]
    for part in ("1", "0", "1"):  # 5
        rows = next(each["rows"] for each in matrices["parts"] if each["digit"] == part)
        row = [sum((x * Fraction(each[place]) for x, each in zip(row, rows, strict=True)), Fraction())
               for place in range(len(row))]
    assert sum(x * Fraction(each[0]) for x, each in zip(row, matrices["w"], strict=True)) == 16
    assert r"\section*{The sequence \texttt{a(n)}}" in Path("s.tex").read_text()
    session = fp.Session()
    results = [result for _, result in session.run(Path("s.txt").read_text())]
    assert isinstance(results[0], Series) and [results[0][n] for n in range(6)] == [0, 4, 6, 10, 12, 16]
    assert (7, 22) in session.relation("$a(n,v)") and (7, 21) not in session.relation("$a(n,v)")


def test_an_unconfirmed_guess_is_no_conjecture_where_its_definition_is_not_decided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def spent(*_: object) -> None:
        raise BudgetSpent("seconds", 10)

    monkeypatch.setattr("fibprover.sheets.conjectured_numbers.by_equations", spent)
    terms = [len(str(n)) for n in range(300)]
    for definition in ("", "a(n)=1 for n<10, a(n)=a(floor(n/10))+1 for n>=10"):
        with pytest.raises(NoAutomaton):  # two digits of base 10 are not seen often enough
            fp.study(terms=terms, definition=definition, systems=["msd_10"])
