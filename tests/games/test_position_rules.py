"""Games whose moves depend on the position moved from: positions, values and theorems against brute force."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fibprover as fp
from fibprover.base.errors import FibproverError
from fibprover.base.limits import UNLIMITED
from fibprover.games.boards import by_sums, positions_by_layers, step_positions
from fibprover.games.catalogue import game_of
from fibprover.games.positions import grundy, positions
from fibprover.games.rules import Game
from fibprover.games.theorem_text import moves_in_words
from tests.cli.command import answer
from tests.games.rules_in_python import Options, Position, Rules
from tests.oracle import games as reference

from .rules_at_random import formulas, terminals

#: Rules as formulas, and in Python.
RULES: dict[str, Callable[[int, int, int, int], bool]] = {
    "i=0 | j=0 | (i=j & p<=2*q & q<=2*p)":
        lambda i, j, p, q: i * j == 0 or (i == j and p <= 2 * q and q <= 2 * p),
    "(i=0 & j<=p+1) | (j=0 & i<=q+1)": lambda i, j, p, q: (i == 0 and j <= p + 1) or (j == 0 and i <= q + 1),
    "(i=0 & 2*j<=q) | (j=0 & 2*i<=p)": lambda i, j, p, q: (i == 0 and 2 * j <= q) or (j == 0 and 2 * i <= p),
    "i=0 | j=0 | (i=j & (Ek p=2*k))": lambda i, j, p, q: i * j == 0 or (i == j and p % 2 == 0),
    "i=0 | j=0 | (i=j & i<p & j<q)": lambda i, j, p, q: i * j == 0 or (i == j and i < p and j < q),
    "i+j<=p/2 | (j=0 & p>q)": lambda i, j, p, q: i + j <= p // 2 or (j == 0 and p > q),
    "p-i=q-j": lambda i, j, p, q: p - i == q - j,
}


def options_by(rule: Callable[[int, int, int, int], bool]) -> Options:
    """The options of a position by a rule in Python."""

    def options(p: int, q: int) -> Iterator[Position]:
        vectors = ((i, j) for i in range(p + 1) for j in range(q + 1) if i + j)
        yield from ((p - i, q - j) for i, j in vectors if rule(i, j, p, q))

    return options


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("rule", RULES)
def test_rules_in_python(rule: str, misere: bool) -> None:
    """P-positions below a sum, also with blocking and terminal positions."""
    options = options_by(RULES[rule])
    for terminal, ended in (("", lambda a, b: False), ("a+b<=2", lambda a, b: a + b <= 2)):
        for blocked in (0, 1)[: 2 - misere]:
            game = game_of(rule, terminal, blocked, misere=misere)
            assert game.form == "vectors at positions"
            found = {(a, b) for a, b in positions(game, 17) if a + b <= 16}
            assert found == Rules(options, ended, blocked, misere).recursion(16)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(formulas(("i", "j", "p", "q")), terminals(), st.integers(0, 2), st.booleans())
def test_rules_at_random(rule: str, terminal: str, blocked: int, passes: bool) -> None:
    # A formula of the piles alone allows all vectors at some positions.
    game = Game.by_vectors(f"({rule}) & (p>=0 | i>=0)", terminal, 0 if passes else blocked)
    found = np.zeros((11, 11), bool)
    wanted = reference.p_positions_with_pass if passes else reference.p_positions
    for a, b in positions(game.with_pass() if passes else game, 11):
        found[a, b] = True
    assert np.array_equal(found, wanted(game, 11))


@pytest.mark.parametrize("rule", RULES)
def test_values(rule: str) -> None:
    game = game_of(rule, "a=3")
    assert np.array_equal(grundy(game, 13), reference.grundy(game, 13))


@pytest.mark.parametrize(
    ("rule", "system", "states"),
    [("i=0 | j=0 | (i=j & p<=2*q & q<=2*p)", "msd_fib", 7), ("(i=0 & j<=p+1) | (j=0 & i<=q+1)", "msd_4", 6),
     pytest.param("i=0 | j=0 | (i=j & (Ek p=2*k))", "msd_2", 12, marks=pytest.mark.long)],
)
def test_theorems(rule: str, system: str, states: int, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script, certificate = tmp_path / "g.txt", tmp_path / "P.jsonl.gz"
    asked = ("game", rule, "--no-findings", "--script", str(script), "--certify", str(tmp_path))
    said = answer(capsys, *asked, "--json", "-", "--html", str(tmp_path / "page"))
    found = json.loads(said.out)
    assert (said.status, found["system"], found["states"]) == (0, system, states)
    assert found["rules"]["form"] == "vectors at positions"
    done = answer(capsys, "run", "--load", str(tmp_path / "g_P.txt"), str(script))
    assert (done.status, done.out.count(": TRUE")) == (0, script.read_text().count("\neval "))
    assert answer(capsys, "check", str(certificate)).out.splitlines()[-1] == "VALID"
    board = reference.p_positions(game_of(rule), 60)
    theorem = fp.discover(rule, with_findings=False)
    assert set(theorem.session().relation("$P(a,b) & a<60 & b<60")) == set(map(tuple, np.argwhere(board).tolist()))


def test_findings() -> None:
    """What follows is proved, too; the redundant moves are about vectors, which this game has not."""
    theorem = fp.discover("i=0 | j=0 | (i=j & i<p & j<q)")
    assert theorem
    names = {finding.name for finding in theorem.findings}
    assert "sequences" in names and "redundant moves" not in names


def test_forms() -> None:
    assert Game("i=0 & j<=p") == Game.by_vectors("i=0 & j<=p")
    assert Game("r<p & s=q").form == "steps"
    assert game_of("Ep i=2*p").form == Game.by_vectors("Ep i=2*p").form == "vectors"
    assert "from (p,q)" in moves_in_words(game_of("i=0 & j<=p"))
    for wrong in ("i=0 & j<=r", "i=0 & p<=s", "i=0 & j<=p+x"):
        with pytest.raises(FibproverError):
            game_of(wrong)
    # Of the steps p+q says that play ends; here it need not.
    with pytest.raises(FibproverError, match="smaller"):
        game_of("r=p+1 & s=q")


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("terminal", ["", "a+b<=3", "a=b"])
@pytest.mark.parametrize("rule", [rule for rule in RULES if "/" in rule or "E" in rule])
def test_both_solvers_of_rules_that_are_no_polyhedra(rule: str, terminal: str, misere: bool) -> None:
    game = game_of(rule, terminal, misere=misere)
    by_layers = positions_by_layers(game, 30, UNLIMITED)
    assert by_layers is not None
    assert np.array_equal(by_layers, step_positions(game, 30, UNLIMITED, by_sums(30, box=True)))
    assert np.array_equal(by_layers, reference.p_positions(game, 30))
