"""(s,m)-games: sets, sequences and words are those that recursion, arithmetic and the printed tables give."""

from __future__ import annotations

import random
from itertools import islice, product
from math import isqrt

import pytest

import fibprover as fp
from fibprover.automata.language import accepts
from fibprover.campaigns.theorems.chapter import DeclaredLanguage
from tests.proofs.boards import Position, moves, p_positions
from tests.proofs.chapters import FOUND, chapter, session, theorem

SIZE = 301

#: The tables of Schwent's paper: (A_n, B_n), n >= 0 in the first two, n >= 1 in the third.
TABLE_1 = [(0, 0), (1, 2), (3, 5), (4, 7), (6, 10), (8, 13), (9, 15), (11, 18), (12, 20)]
TABLE_2 = [(0, 0), (1, 3), (2, 6), (4, 10), (5, 13), (7, 17), (8, 20), (9, 23), (11, 27)]
TABLE_3 = [(1, 3), (2, 6), (4, 11), (5, 14), (7, 19), (8, 22), (9, 25), (10, 28)]


GAMES = [*((1, m) for m in range(1, 11)), *product(range(2, 5), range(1, 5))]

#: Automata of the games with s = 3 take a second, and some of those with s = 4 many.
TRIED = [pytest.param(s, m, marks=[pytest.mark.long] if s > 2 else []) for s, m in GAMES]


def game(s: int, m: int) -> fp.Session:
    return session(f"The ({s},{m})-game")


def allowed(s: int, m: int, i: int, j: int) -> bool:
    """The rule as Fraenkel and the slides have it."""
    less, more = sorted((i, j))
    return less == 0 < more or 0 < less <= more < s * less + m


def pairs(relation: fp.Relation) -> set[Position]:
    return {(a, b) for a, b in relation}


def sequence(s: int, m: int, count: int) -> list[Position]:
    """(A_n, B_n) by the mex rule."""
    found: list[Position] = []
    used: set[int] = set()
    for n in range(count):
        a = next(x for x in range(2 * n + 1) if x not in used)
        found.append((a, s * a + m * n))
        used |= set(found[-1])
    return found


def fixed_point(images: tuple[str, str], length: int) -> str:
    word = "a"
    while len(word) < length:
        word = "".join(images["ab".index(letter)] for letter in word)
    return word[:length]


# -- the games -----------------------------------------------------------------------------------


def test_there_are_no_other_games() -> None:
    titles = [chapter.title for chapter in FOUND.chapters if chapter.title.endswith("-game")]
    assert titles == [f"The ({s},{m})-game" for s, m in GAMES]


@pytest.mark.parametrize(("s", "m"), TRIED)
def test_the_set_is_that_of_the_game(s: int, m: int) -> None:
    board = p_positions(moves(lambda i, j: allowed(s, m, i, j), SIZE))
    assert len(board) > SIZE // (s + m)
    assert pairs(game(s, m).relation(f"$P(a,b) & a<{SIZE} & b<{SIZE}")) == board


@pytest.mark.parametrize(("s", "m"), TRIED)
def test_the_moves_are_those_of_the_game(s: int, m: int) -> None:
    made = {(i, j) for i, j in product(range(25), repeat=2) if allowed(s, m, i, j)}
    assert pairs(game(s, m).relation("$move(i,j) & i<25 & j<25")) == made


@pytest.mark.parametrize(("s", "m"), TRIED)
def test_absorption_says_no_more_than_that_a_move_leads_into_the_set(s: int, m: int) -> None:
    size = 60
    board = p_positions(moves(lambda i, j: allowed(s, m, i, j), size))
    for p, q in pairs(game(s, m).relation(f"$into_P(p,q) & p<{size} & q<{size}")):
        assert any(r <= p and t <= q and allowed(s, m, p - r, q - t) for r, t in board)


@pytest.mark.parametrize("digits", [1, 2, 5, 9, 10])
def test_the_expressions_say_what_they_should_of_words(digits: int) -> None:
    """With 10 there is a digit of two figures."""
    steps = chapter(f"The (1,{digits})-game").declarations
    even, shift = (step.regex for step in steps if isinstance(step, DeclaredLanguage))
    made = fp.Session()
    zeros = made.reg("zeros", [range(digits + 1)], even).automaton
    shifted = made.reg("shifted", [range(digits + 1)] * 2, shift).automaton
    source = random.Random(digits)
    for _ in range(300):
        word = [source.choice((0, 0, source.randint(0, digits))) for _ in range(source.randint(1, 7))]
        trailing = next((place for place, digit in enumerate(reversed(word)) if digit), 0)
        assert accepts(zeros, [word]) is (trailing % 2 == 0)
        other = list(word)
        other[source.randrange(len(word))] = source.randint(0, digits)
        for one in (word, other):
            assert accepts(shifted, [[0, *one], [*word, 0]]) is (one == word)


# -- the sequences -------------------------------------------------------------------------------


@pytest.mark.parametrize(("s", "m"), TRIED)
def test_the_sequences_are_those_of_the_mex_rule(s: int, m: int) -> None:
    made = sequence(s, m, 150)
    first = pairs(game(s, m).relation("n<150 & $A(a,n)"))
    second = pairs(game(s, m).relation("n<150 & $B(b,n)"))
    assert first == {(a, n) for n, (a, _) in enumerate(made)}
    assert second == {(b, n) for n, (_, b) in enumerate(made)}


@pytest.mark.parametrize(("s", "m", "table", "start"), [(1, 1, TABLE_1, 0), (1, 2, TABLE_2, 0), (2, 1, TABLE_3, 1)])
def test_the_printed_tables(s: int, m: int, table: list[Position], start: int) -> None:
    made = game(s, m)
    for n, (a, b) in enumerate(table, start):
        assert made.prove(f"$A({a},{n}) & $B({b},{n}) & $P({a},{b})")
    assert table == sequence(s, m, start + len(table))[start:]


@pytest.mark.parametrize("m", range(1, 11))
def test_a_n_is_floor_of_n_alpha(m: int) -> None:
    """alpha = (2 - m + sqrt(m^2 + 4))/2, so floor(n alpha) is an integer's half, rounded down."""
    first, second = game(1, m).relation("$A(a,n)"), game(1, m).relation("$B(b,n)")
    source = random.Random(m)
    numbers = [*range(50), *(10**k for k in range(2, 31)), *(source.randrange(10**30) for _ in range(40))]
    numbers += [10**30 - 1, *(source.randrange(10 ** source.randint(2, 30)) for _ in range(40))]
    for n in numbers:
        a = ((2 - m) * n + isqrt((m * m + 4) * n * n)) // 2
        assert (a, n) in first and (a + m * n, n) in second
        assert (a + 1, n) not in first and (a == 0 or (a - 1, n) not in first)


def test_for_s_2_there_is_no_such_floor() -> None:
    """1/alpha + 1/(2 alpha + 1) = 1 for alpha = (1 + sqrt(3))/2, but A_5 = 7 and floor(5 alpha) = 6."""
    assert (5 + isqrt(3 * 5 * 5)) // 2 == 6
    assert game(2, 1).prove("$A(7,5)")


@pytest.mark.parametrize(("s", "m"), TRIED)
def test_the_letters_of_the_word_stand_at_the_numbers_of_the_sequences(s: int, m: int) -> None:
    word = fixed_point(("a" * (s + m - 1) + "b", "a" * s), 400)
    automaton = game(s, m)
    letters = {x for (x,) in automaton.relation("W[x]=1 & x<400").first(400)}
    assert letters == {place for place, letter in enumerate(word) if letter == "b"}
    table = sequence(s, m, 400)
    for letter, column in (("a", 0), ("b", 1)):
        places = [place for place, other in enumerate(word, 1) if other == letter]
        assert places == [row[column] for row in islice(table, 1, len(places) + 1)]


# -- the printed text ----------------------------------------------------------------------------


def test_theorem_2_as_printed_defines_nothing() -> None:
    """mex {A_i, B_i : i <= n} is not A_n, since A_n is in the set; the script has it as a control."""
    control = theorem("fraenkel_2_1.mex.until_n")
    assert "as printed" in control.statement
    assert game(2, 1).relation("$A(x,n) & ~$until(n,x)").is_empty()


@pytest.mark.parametrize(
    ("images", "printed", "good"),
    [
        (("aab", "a"), "aabaabaaabaabaab", 15),
        (("aab", "a"), "aabaabaaabaabaabaabaabaabaabaabaabaabaabaabaaba", 15),
        (("aab", "aa"), "aabaabaaaabaabaaaabaab", 22),
        (("aab", "aa"), "aabaabaaaabaabaaaabaabaaaabaabaaaabaabaaaabaabaaaabaab", 24),
        (("aab", "aa"), "aabaabaaaabaabaaaabaabaabaab", 28),
    ],
)
def test_the_printed_words_and_how_far_they_are_right(images: tuple[str, str], printed: str, good: int) -> None:
    """In section 3: sigma^3(a) and the limit for two morphisms; in section 5 the limit for the second one."""
    word = fixed_point(images, len(printed))
    agree = [one == other for one, other in zip(word, printed, strict=True)]
    assert [*agree, False].index(False) == good
