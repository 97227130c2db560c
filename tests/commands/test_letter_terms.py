"""Words by terms: letter by letter against Python's arithmetic."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fibprover as fp
from fibprover.base.errors import FibproverError, LimitError, NotSupported, TextError

T = [n.bit_count() % 2 for n in range(400)]
V = [n % 3 + 1 for n in range(400)]


@pytest.fixture(scope="module")
def session() -> fp.Session:
    made = fp.Session()
    made.define_morphic_word("T", [[0, 1], [1, 0]], [0, 1])
    made.define("r1", "Ey x=3*y+1")
    made.define("r2", "Ey x=3*y+2")
    made.define("r0", "Ey x=3*y")
    made.combine("V", ("r0", 1), ("r1", 2), ("r2", 3))
    made.define_morphic_word("F", [[0, 1], [0]], [0, 1], "msd_fib")
    made.macro("next", "%0[n+1]")
    return made


indices = st.tuples(st.integers(1, 3), st.integers(0, 4)).map(lambda pair: f"{pair[0]}*n+{pair[1]}")
leaves = st.one_of(
    st.integers(0, 5).map(str), st.tuples(st.sampled_from("TV"), indices).map(lambda pair: f"{pair[0]}[{pair[1]}]")
)
terms = st.recursive(
    leaves, lambda part: st.tuples(part, st.sampled_from("+-*/"), part).map("({0[0]}{0[1]}{0[2]})".format), max_leaves=4
)


def valued(term: str, n: int) -> int | None:
    """The value by Python, None for a division by 0."""
    try:
        return int(eval(term.replace("/", "//"), {"T": T, "V": V, "n": n}))
    except ZeroDivisionError:
        return None


@given(terms, terms, st.integers(0, 9))
def test_terms(session: fp.Session, term: str, other: str, bound: int) -> None:
    cases = [valued(term if n < bound else other, n) for n in range(60)]
    text = f"{term} if n<{bound} else {other}"
    if None in cases:
        with pytest.raises(NotSupported, match=f"no value at n = {cases.index(None)}"):
            session.define_word("X", ["n"], text)
        return
    word = session.define_word("X", ["n"], text)
    assert word.prefix(60, session.namespace.system("msd_2").represent) == cases


def test_two_indices(session: fp.Session) -> None:
    session.run("word D[n][m] = T[m] - 3*V[n+m] if n<m else n0 if n=m else 7;".replace("n0", "5"))
    represent = session.namespace.system("msd_2").represent
    for n in range(9):
        for m in range(9):
            expected = T[m] - 3 * V[n + m] if n < m else 5 if n == m else 7
            assert session.namespace.words["D"].value(represent(n), represent(m)) == expected


def test_other_systems_macros_and_constants(session: fp.Session) -> None:
    session.run('word G[n] = ?msd_fib F[2*n+5]; word H[n] = #next(T)+_1; word Z[n] = "3"; word Y[i][n] = T[n];')
    fib = session.namespace.system("msd_fib").represent
    letters = session.namespace.words["F"].prefix(200, fib)
    assert session.namespace.words["G"].prefix(90, fib) == [letters[2 * n + 5] for n in range(90)]
    two = session.namespace.system("msd_2").represent
    assert session.namespace.words["H"].prefix(50, two) == [T[n + 1] - 1 for n in range(50)]
    assert session.namespace.words["Z"].prefix(5, two) == [3] * 5
    assert session.namespace.words["Y"].value(two(9), two(4)) == T[4]
    assert session.prove("?msd_fib An G[n]=F[2*n+5]")


def test_all_cases_have_a_say_in_which_system_an_index_is(session: fp.Session) -> None:
    fib = session.namespace.system("msd_fib").represent
    letters = session.namespace.words["F"].prefix(200, fib)
    for text in ("F[2*n]+1 if n>3 else 7", "?msd_fib F[2*n]+1 if n>3 else 7", "7 if n<=3 else F[2*n]+1"):
        session.run(f"word G[n] = {text};")
        prefix = session.namespace.words["G"].prefix(90, fib)
        assert prefix == [(letters[2 * n] or 0) + 1 if n > 3 else 7 for n in range(90)]
    session.run("word K[i][n] = T[i] if F[n]=F[n+1] & i<9 else 5 if i>n0 else 6;".replace("n0", "20"))
    two = session.namespace.system("msd_2").represent
    for i in range(30):
        for n in range(9):
            expected = T[i] if letters[n] == letters[n + 1] and i < 9 else 5 if i > 20 else 6
            assert session.namespace.words["K"].value(two(i), fib(n)) == expected


def test_letters_that_are_missing_have_to_be_given(session: fp.Session) -> None:
    with pytest.raises(NotSupported, match="no value at n = 0"):
        session.define_word("E", ["n"], "T[n-5]")
    word = session.define_word("E", ["n"], "T[n-5] if n>=5 else 9")
    assert word.prefix(8, session.namespace.system("msd_2").represent) == [9] * 5 + T[:3]


@pytest.mark.parametrize(
    ("command", "marked", "message"),
    [
        ("word X[n] = U[n]+1;", "U", "no word is called U"),
        ("word X[n] = T[n]+n;", "n", "n is a number, and a letter is needed"),
        ("word X[n] = T[m];", "m", "m is not an index of the word"),
        ("word X[n] = T[n]+;", "", "expected a term"),
        ("word X[n] = T[n]=1;", "T[n]=1", "this is not a term"),
        ("word X[n] = (Ex x=n);", "(Ex x=n)", "this is not a term"),
        ("word X[n] = T[n] if n<;", "", "missing its right side|no value"),
        ("word X[n] = T[n] if n<3;", "", "the case that is left has no value"),
        ("word X[n] = T[n] else 3;", "else", "`else` is not expected here"),
        ("word X[n] = T[n] if n<3 if n<4 else 5;", "if", "`if` is not expected here"),
        ("word X[n] = T[n][n];", "T[n][n]", "T takes 1 index, not 2"),
        ("word X[n] = F[n]+T[n];", "n", "n is in msd_2 here, but has to be in msd_fib because of F"),
        ("word X[n] = T[n]+1 if F[n]=1 else 0;", "n", "n is in msd_fib here, but has to be in msd_2 because of T"),
        ("word X[n] = F[n] if ?msd_2 n>3 else 0;", "n>3", "n>3 is in msd_2 here, but has to be in msd_fib"),
        ("word X[n] = T[n]/T[n];", "T[n]/T[n]", "no value at n = 0"),
        ("word X = T[n];", "=", "expected indices in brackets"),
        ("word X[n] T[n];", "T", "expected `=`"),
        ("word X[1] = T[n];", "[1]", "`1` is not a name of an index"),
        ("word X[n] = ;", ";", "expected a term"),
        ("word X[n] = T[n] if $no(n) else 1;", "$no", "no predicate is called no"),
    ],
)
def test_what_is_wrong_is_shown_in_the_script(session: fp.Session, command: str, marked: str, message: str) -> None:
    with pytest.raises(FibproverError, match=message) as caught:
        session.run(command)
    assert "^" in str(caught.value)
    start, end = getattr(caught.value, "start", 0), getattr(caught.value, "end", 0)
    if marked and getattr(caught.value, "text", "") == command:
        assert command[start:end] in (marked, marked + " ")
    assert session.namespace.words.get("X") is not None or "X" not in session.namespace.words


@pytest.mark.parametrize(
    ("command", "marked", "message"),
    [
        ("word X[n] = T[n] + U[n];", "U", "no word is called U"),
        ("word X[n] = n+1 if n<3 else T[n];", "n", "n is a number"),
        ("word X[n] = T[n] if n<3 else T[n] - (?msd_fib n);", "(?msd_fib n)", "`-` computes with numbers"),
        ("word X[n] = 1 if n<3 else T[n] +  if n=5 else 2;", " ", "expected a term after"),
        ("word X[n] = 1 if n<3 else   if n=5 else 2;", "   ", "expected a formula or a term"),
        ("word X[n] = 1 if  else 2;", "  ", "expected a formula or a term"),
        ("word X[n] = 1 if n<3 else  T[n]<2 if n=5 else 2;", "T[n]<2", "this is not a term"),
        ("word X[n] = 1 if n<3 else 2 if T[n] else 0;", "T[n]", "a formula must be true or false"),
        ("word X[n] = 1 if n<3 else 2 if n<4 & n>%0 else 0;", "%", "stands for an argument"),
        ("word X[n] = 1 if n<3 else 2 if Em T[k+m]=1 else 0;", "k", "k is not an index of the word"),
        ("word X[n] = 1 if ?msd_fib n<3 else 2 if $r0(n) else 0;", "n", "n is in msd_2 here"),
        ("word X[n] = 1 if ?msd_none n<3 else 0;", "?msd_none", "msd_none"),
    ],
)
def test_the_place_of_an_error_is_in_the_case_where_it_is(
    session: fp.Session, command: str, marked: str, message: str
) -> None:
    with pytest.raises(TextError, match=message) as caught:
        session.run(command)
    assert caught.value.text == command
    assert command[caught.value.start : caught.value.end] == marked


def test_errors_are_shown_in_the_term_without_macros(session: fp.Session) -> None:
    with pytest.raises(TextError, match="no word is called U") as caught:
        session.run("word X[n] = 1 if n<3 else #next(U);")
    assert (caught.value.text, caught.value.start, caught.value.end) == ("1 if n<3 else U[n+1]", 14, 15)


def test_more_cases_than_a_formula_has_levels(session: fp.Session) -> None:
    cases = "".join(f"{n % 7} if n={n} else " for n in range(210))
    word = session.define_word("X", ["n"], f"{cases}F[n]")
    fib = session.namespace.system("msd_fib").represent
    expected = [n % 7 for n in range(210)] + session.namespace.words["F"].prefix(230, fib)[210:]
    assert word.prefix(230, fib) == expected


def test_letters_beyond_32_bits(session: fp.Session) -> None:
    with pytest.raises(LimitError, match="too large for a letter"):
        session.define_word("X", ["n"], "(T[n]+1)*99999*99999")


def test_words_named_like_the_cases(session: fp.Session) -> None:
    """`.if[n]` is the letter of a word; a keyword stands alone."""
    session.define_morphic_word("if", [[0, 1], [1, 0]], [0, 1])
    session.define("else", "x<3")
    word = session.define_word("X", ["n"], "1-.if[n]if n>3&~$else(n)else 7")
    assert word.prefix(8, session.namespace.system("msd_2").represent) == [7, 7, 7, 7, *(1 - T[n] for n in range(4, 8))]
