"""Games as values: their formulas, kinds of moves, and rules that make no game."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings

import fibprover as fp
from fibprover.base.errors import FibproverError, NotSupported, TextError, UnknownName
from fibprover.games.catalogue import blocking, game_of, nim, splithoff, terminal, wythoff
from fibprover.games.rules import Game
from fibprover.language import parser
from fibprover.language.builder import variables
from fibprover.language.parser import formula

from .rules_at_random import formulas

READY = [
    nim(), nim(1, 2, 3), nim(1, 4), wythoff(), wythoff(3), wythoff(2, 3), terminal(4), blocking(3), splithoff(),
    splithoff(3),
]


def step_as_written(game: Game) -> str:
    """The steps by the definition of vectors, without a look at their parts."""
    if game.form == "steps":
        return str(game.moves)
    return f"Ei,j p=r+i & q=s+j & i+j>0 & ({game.moves})"


@pytest.mark.parametrize("game", READY, ids=str)
def test_the_kinds_are_the_moves_and_disjoint(game: Game) -> None:
    session = fp.Session("msd_2")
    union = " | ".join(f"({kind})" for kind in game.kinds)
    assert session.prove(f"Ap,q,r,s ({union}) <=> ({step_as_written(game)})")
    assert session.prove(f"Ap,q,r,s ({union}) <=> ({game.step})")
    for a, b in combinations(game.kinds, 2):
        assert session.prove(f"~Ep,q,r,s ({a}) & ({b})")
    assert not any(letter in str(kind) for kind in game.kinds for letter in "EAij")


def test_the_kinds_of_wythoff() -> None:
    assert tuple(map(str, wythoff().kinds)) == ("p=r & s<q", "q=s & r<p", "p+s=q+r & r<p")


@settings(max_examples=25)
@given(formulas(("i", "j")))
def test_the_kinds_of_any_vectors(text: str) -> None:
    game = Game.by_vectors(text)
    session = fp.Session("msd_2")
    union = " | ".join(f"({kind})" for kind in game.kinds) or "0=1"
    assert session.prove(f"Ap,q,r,s ({union}) <=> ({step_as_written(game)})")
    for a, b in combinations(game.kinds, 2):
        assert session.prove(f"~Ep,q,r,s ({a}) & ({b})")


@settings(max_examples=15)
@given(formulas(("p", "q", "r", "s")))
def test_the_kinds_of_any_steps(text: str) -> None:
    game = Game.by_steps(f"r+s<p+q & ({text})")
    session = fp.Session("msd_2")
    union = " | ".join(f"({kind})" for kind in game.kinds) or "0=1"
    assert session.prove(f"Ap,q,r,s ({union}) <=> ({step_as_written(game)})")
    for a, b in combinations(game.kinds, 2):
        assert session.prove(f"~Ep,q,r,s ({a}) & ({b})")


def test_moves_that_are_no_polyhedra_are_one_kind() -> None:
    game = Game.by_vectors("i=0 | (Ep j=2*p)")
    assert game.kinds == (game.step,)
    assert game.vector_regions is None
    assert fp.Session().prove(f"Ap,q,r,s ({game.step}) <=> ({step_as_written(game)})")
    steps = Game.by_steps("p=r & (Ek q=s+2*k & k>0)")
    assert steps.kinds == (formula("p=r & (Ek q=s+2*k & k>0)"),)


def test_no_moves() -> None:
    game = Game.by_vectors("i<j & j<i")
    assert game.kinds == () and str(game.step) == "0=1"
    assert Game.by_vectors("i=0 & j=0").kinds == ()


def test_steps_that_only_take_are_vectors() -> None:
    game = Game.by_steps("(p=r & s<q) | (q=s & r<p) | (p+s=q+r & r<p)")
    assert game.vector_regions is not None and set(game.vector_regions) == set(wythoff().vector_regions or ())
    assert splithoff().vector_regions is None
    assert Game.by_steps("p=r+2 & q+1=s").vector_regions is None


def test_the_terminal_formula() -> None:
    a, b, p, q = variables("a b p q")
    assert terminal(3).terminal_formula() == (a + b <= 3)
    assert terminal(3).terminal_source == (p + q <= 3)
    assert terminal(3).terminal_formula(b, a) == (b + a <= 3)
    captured = Game.by_vectors("i=0", "Ep a=2*p").terminal_formula(p + 1, q)
    assert fp.Session().prove(f"Ap ({captured}) <=> (Ek p+1=2*k)")
    assert not fp.Session().prove(f"Ep,q ({wythoff().terminal_source}) & p=q")


def test_games_are_values() -> None:
    assert wythoff() == wythoff() != wythoff(2)
    assert hash(terminal(3)) == hash(terminal(3))
    assert len({wythoff(), wythoff(), nim()}) == 2
    with pytest.raises(AttributeError):
        wythoff().blocked = 3  # type: ignore[misc]


def no_options(p: int, q: int) -> list[tuple[int, int]]:
    return []


def test_names() -> None:
    assert str(Game.by_vectors("i=0 |  j=0")) == "i=0 | j=0"
    assert str(Game.by_vectors("i=0", "a<3", 2)) == "i=0; terminal a<3; 2 blocked"
    assert str(Game.by_vectors("i=0", name="mine")) == "mine"
    assert str(Game.by_function(no_options, options=True)) == "no_options"


@pytest.mark.parametrize("blocked", [-1, 1.5, "2", None, True])
def test_blocked_is_a_number(blocked: Any) -> None:
    with pytest.raises(FibproverError, match="number of options"):
        Game.by_vectors("i=0", blocked=blocked)


def test_terminal_formulas_speak_of_a_and_b() -> None:
    with pytest.raises(UnknownName, match="the terminal positions are a formula in a and b"):
        Game.by_vectors("i=0", "i<3")
    with pytest.raises(NotSupported):
        Game.by_vectors("i=0", "$P(a,b)")


def test_variables_of_the_other_form() -> None:
    with pytest.raises(UnknownName, match="a formula in i and j"):
        Game.by_vectors("p=r & s<q")
    with pytest.raises(UnknownName, match="a formula in p, q, r and s"):
        Game.by_steps("i=0")


def test_the_moves_are_text_or_function() -> None:
    for wrong in (3, None, ("i=0",)):
        with pytest.raises(FibproverError):
            Game.by_vectors(wrong)  # type: ignore[arg-type]
        with pytest.raises(FibproverError, match="Python function"):
            Game.by_function(wrong)  # type: ignore[arg-type]
    with pytest.raises(FibproverError, match="not 'other'"):
        Game("x", "other", "i=0")


def test_a_function_is_no_formula() -> None:
    game = Game.by_function(lambda i, j: i == j, name="diagonal")
    for what in (lambda: game.kinds, lambda: game.step, lambda: game.formula):
        with pytest.raises(FibproverError, match="the moves of diagonal are a Python function"):
            what()
    assert game.vector_regions is None and game.step_regions is None


@pytest.mark.parametrize(
    ("moves", "place"),
    [
        ("p+q=r+s", "(0,0) to (0,0)"),
        ("r=p+1 & s<q", "(0,1) to (1,0)"),
        ("p=r+1 & (Ek s=q+2*k)", "(1,0) to (0,2)"),
    ],
)
def test_steps_that_do_not_end_are_refused(moves: str, place: str) -> None:
    with pytest.raises(FibproverError) as caught:
        Game.by_steps(moves)
    assert f"a move leads from {place}" in str(caught.value) and "r+s<p+q" in str(caught.value)


def test_steps_may_make_a_pile_larger() -> None:
    assert Game.by_steps("r=p+1 & s+2<=q").kinds == (formula("r=p+1 & s+2<=q"),)
    assert Game.by_steps("q=s+2*p+2 & (Ek r=2*k & k<=p)").step_regions is None


def test_errors_show_the_place() -> None:
    with pytest.raises(TextError) as caught:
        Game.by_vectors("i=0 | jj=3")
    assert str(caught.value).splitlines()[1:3] == ["  i=0 | jj=3", "        ^^"]


def test_a_game_of_its_moves_alone() -> None:
    assert Game("i=0 | j=0") == Game.by_vectors("i=0 | j=0")
    assert Game("i=j", terminal="a=0", blocked=1) == Game.by_vectors("i=j", "a=0", 1)
    assert Game("r<p & s=q") == Game.by_steps("r<p & s=q")
    assert Game("Ei i>0 & r+i=p & s=q") == Game.by_steps("Ei i>0 & r+i=p & s=q")
    for wrong in ("", " ", None, 5):
        with pytest.raises(FibproverError, match="formula of its moves"):
            Game(wrong)  # type: ignore[arg-type]
    with pytest.raises(TextError):
        Game("i=0 |")


def test_a_game_of_a_tree_is_that_of_its_text() -> None:
    i, j, a, b = variables("i j a b")
    moves = i.eq(0) | j.eq(0)
    assert Game(moves) == Game.by_vectors(moves) == game_of(moves) == Game("i=0 | j=0")
    assert Game(moves, terminal=a + b <= 3, blocked=1) == Game("i=0 | j=0", "", "", "a+b<=3", 1)
    p, q, r, s = variables("p q r s")
    assert Game((r < p) & s.eq(q)) == Game("r<p & s=q")
    with pytest.raises(TextError, match="rules cannot call"):
        Game(fp.call("even", i))


def test_rules_that_are_replaced_are_read_again() -> None:
    game = replace(terminal(3), moves="i=0", terminal="a<2")
    assert (game.tree, game.terminal_formula()) == (formula("i=0"), formula("a<2"))
    assert replace(game, terminal="").terminal_formula() == wythoff().terminal_formula()
    assert replace(terminal(3), misere=True).rule is not None


def test_a_text_is_read_once_and_a_ready_game_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    real = parser._read

    def counted(text: str, node: Any) -> Any:
        read.append(text)
        return real(text, node)

    monkeypatch.setattr(parser, "_read", counted)
    fp.discover("i=0 | j=0 | i=j", terminal="a+b<=1", misere=True, with_findings=False)
    assert read == ["i=0 | j=0 | i=j", "a+b<=1"]
    fp.discover("terminal(1)").to_latex()
    assert len(read) == 2
