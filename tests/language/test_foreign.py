"""Notations of other languages: the error names what was written, and the hint what to write."""

from __future__ import annotations

import pytest

import fibprover as fp
from fibprover.base.errors import SyntaxProblem
from fibprover.language.diagnose import ADVICE
from fibprover.language.parser import parse_formula
from fibprover.language.tokens import SPELLINGS
from fibprover.language.tree import Compare, Variable, all_names


@pytest.mark.parametrize(
    ("text", "written", "hint"),
    [
        ("x = 1 and y = 2", "and", "write &"),
        ("(x=1) or y=2", "or", "write |"),
        ("$p(x) and $q(x)", "and", "write &"),
        ("x=1 AND y=2", "AND", "write &"),
        ("x=1 implies y=2", "implies", "write =>"),
        ("x=1 iff y=2", "iff", "write <=>"),
        ("not x=1", "not", "write ~"),
        ("not (x=1)", "not", "write ~"),
        ("x=1 & not $p(x)", "not", "write ~"),
        ("forall x: x=x", "forall", "write Ax"),
        ("for all n n=n", "for", "write An"),
        ("FORALL x x=1", "FORALL", "write Ax"),
        ("exists y, y>x", "exists", "write Ey"),
        ("Exists y y=1", "Exists", "write Ey"),
        ("x=1 -> y=2", "->", "write =>"),
        ("x=1 ==> y=2", "==>", "write =>"),
        ("x=1 <-> y=2", "<->", "write <=>"),
        ("x==1", "==", "write ="),
        ("x=1 && y=2", "&&", "write &"),
        ("x=1||y=2", "||", "write |"),
        ("x=1 /\\ y=2", "/\\", "write &"),
        ("x=1 \\/ y=2", "\\/", "write |"),
        ("x~=1", "~=", "write !="),
        ("x=/=1", "=/=", "write !="),
        ("x//2=1", "//", "write /"),
        ("!x=1", "!", "write ~ for not; `!=` is unequal"),
        ("x%2=0", "%", "write (Ek x=2*k)"),
        ("k%3=2 & k<9", "%", "write (Ej k=3*j+2)"),
        ("x%2=0 => y=1", "%", "write (Ek x=2*k)"),
        ("x%2<1", "%", "write (Ek x=3*k+1) for x%3=1"),
        ("2*x%3=1", "%", "write (Ek x=3*k+1) for x%3=1"),
        ("y+x%3=2", "%", "write (Ek x=3*k+1) for x%3=1"),
        ("x%3=7", "%", "write (Ek x=3*k+1) for x%3=1"),
        ("x%0=0", "%", "write (Ek x=3*k+1) for x%3=1"),
        ("x%3=1+y", "%", "write (Ek x=3*k+1) for x%3=1"),
        ("x mod 2 = 0", "mod", "write (Ek x=2*k)"),
        ("Ax,y: x=y", ":", "leave `:` out: Ax x=x"),
        ("Ax. x=x", ".", "leave `.` out: Ax x=x"),
        ("x=1.5", ".", "write x=3/2 as 2*x=3"),
        ('"x=1"', '"', 'leave the quotes out; to run commands, use fibprover run'),
        ("x=1;", ";", "leave it out; to run commands, use fibprover run"),
    ],
)
def test_what_to_write(text: str, written: str, hint: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse_formula(text)
    problem = caught.value
    assert text[problem.start : problem.end] == written
    assert f"`{written}`" in problem.message and problem.hint == hint


@pytest.mark.parametrize("text", ["x^2=4", "x^2+1=4", "2^x=4", "x=2^k", "x**2=4"])
def test_powers(text: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse_formula(text)
    assert caught.value.hint.startswith("formulas have no powers")


@pytest.mark.parametrize(("text", "hint"), [("true", "write 0=0"), ("x=1 & false", "write 0=1")])
def test_truth_values(text: str, hint: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse_formula(text)
    assert caught.value.hint == hint


@pytest.mark.parametrize("text", ["and=1 & not=2", "forall<exists", "x=1 & mod=2", "Efor for=1", "~x=1", "(x=1)^(y=2)"])
def test_the_words_are_variables_where_they_are_operands(text: str) -> None:
    parse_formula(text)


def test_an_argument_of_a_macro_is_no_remainder() -> None:
    for text in ("%0=1", "x=%0"):
        with pytest.raises(SyntaxProblem, match="macro"):
            parse_formula(text)


MATHEMATICAL = [
    ("∀x ∃y x≤y", "Ax Ey x<=y"), ("∀x ∃y y≥x ∧ y≠x", "Ax Ey y>=x & y!=x"),
    ("¬x=1 ∨ x=2 → y=3", "~x=1 | x=2 => y=3"), ("x=1 ⇔ y=2 ⊕ z=3", "x=1 <=> y=2 ^ z=3"),
    ("2·x−y⩽3×z", "2*x-y<=3*z"), ("∄x x⩾y ⋀ x≦3 ⟶ ⊤", "~Ex x>=y & x<=3 => 0=0"),  # noqa: RUF001
    ("∀x∃y(x⩽y∧¬(y<x))", "Ax Ey (x<=y & ~(y<x))"), ("T[x]≠T[x+1]", "T[x]!=T[x+1]"), ("∃≥2 x x<3", "E>=2 x x<3"),
]


@pytest.mark.parametrize(("printed", "written"), MATHEMATICAL)
def test_mathematical_characters_are_read(printed: str, written: str) -> None:
    assert parse_formula(printed).formula == parse_formula(written).formula
    assert fp.Session().parse(printed).text == printed


@pytest.mark.parametrize("character", SPELLINGS)
def test_each_of_them_is_what_its_spelling_is(character: str) -> None:
    spelling = SPELLINGS[character]
    shapes = ("Ex x=1 {} x=2", "Ex x{}1=2", "Ex x{}1", "{}(1=1)", "{}x x=1", "{}")
    read = 0
    for shape in shapes:
        try:
            expected = parse_formula(shape.format(f" {spelling} ")).formula
        except SyntaxProblem:
            with pytest.raises(SyntaxProblem):
                parse_formula(shape.format(character))
        else:
            read += 1
            assert parse_formula(shape.format(character)).formula == expected
    assert read


def test_errors_beside_mathematical_characters_have_their_places() -> None:
    for text, place in (("∀x ∃y x≤", 7), ("≤x", 0), ("x=1 ∧", 4), ("∀x x=1 ∧ ∧ x=2", 9)):
        with pytest.raises(SyntaxProblem) as caught:
            parse_formula(text)
        assert text[caught.value.start : caught.value.end] == text[place] or caught.value.start >= place


@pytest.mark.parametrize(("printed", "written"), [
    ("ｘ＝１", "x=1"), ("𝑛=𝟐 ⋁ n≧3", "n=2 | n>=3"), ("x−₁=0", "x-1=0"),  # noqa: RUF001
])
def test_printed_formulas_are_read_after_what_the_hints_say(printed: str, written: str) -> None:
    text, hints = printed, 0
    while not text.isascii():
        try:
            parse_formula(text)
            break
        except SyntaxProblem as problem:
            hints += 1
            assert problem.hint.startswith("write ")
            text = text[: problem.start] + problem.hint.removeprefix("write ") + text[problem.end :]
    assert hints and parse_formula(text).formula == parse_formula(written).formula


@pytest.mark.parametrize("character", [*ADVICE, *"²³λαπé京Ω"])
def test_every_character_of_a_paper_has_advice(character: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse_formula(f"x=1 {character} y=2")
    assert (caught.value.start, bool(caught.value.hint)) == (4, True)


@pytest.mark.parametrize("term", ["T[5]", "3+4", "(T[5])", "T[x]+y", "F[n+1]-1", "@3", "x+y+z+v+w", "2*x"])
def test_a_term_in_place_of_a_formula_can_be_asked_for(term: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse_formula(term)
    asked = parse_formula(caught.value.hint.partition(" asks")[0]).formula
    assert isinstance(asked, Compare) and isinstance(asked.left, Variable)
    assert asked.left.name not in all_names(asked.right)
    assert asked == parse_formula(f"{asked.left.name}={term}").formula
