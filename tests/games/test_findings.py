"""What is said of a game beyond its P-positions, against what is printed and against small boards."""

from __future__ import annotations

from math import isqrt
from typing import Any

import pytest

from fibprover.base.limits import Limits
from fibprover.games.catalogue import game_named, nim, terminal, wythoff
from fibprover.games.findings import line_distance
from fibprover.games.findings.collect import collect_findings
from fibprover.games.findings.context import Finding, GameContext
from fibprover.games.findings.describe import describe_set, find_description
from fibprover.games.findings.moves import addable_moves, redundant_moves
from fibprover.games.positions import positions
from fibprover.games.rules import Game
from fibprover.games.search import find_automaton
from fibprover.games.theorem import discover
from fibprover.infer.beatty import BeattyFit, beatty_fit
from fibprover.language.builder import call
from fibprover.numeration.quadratic import quadratic
from fibprover.workspace import floors
from fibprover.workspace.floors import define_floor, floor_claims
from tests.few import few

#: Renard & Rigo, the corollary on the behaviour of K^l: the values of lambda with c = l.
RANGES = {
    0: [1, 2], 1: [0, 1], 2: [-1, 0], 3: [-2, -1, 0], 4: [-3, -2, -1], 5: [-5, -4, -3, -2], 6: [-6, -5, -4, -3, -2],
}


def found_of(name: str, system: str = "auto") -> dict[str, list[Finding]]:
    by_name: dict[str, list[Finding]] = {}
    for finding in collect_findings(find_automaton(game_named(name), system)).found:
        by_name.setdefault(finding.name, []).append(finding)
    return by_name


def context_of(name: str, system: str) -> GameContext:
    found = find_automaton(game_named(name), system)
    assert found.candidate is not None and found.system is not None
    return GameContext(found.game, found.candidate.automaton, found.system, found.data, Limits())


@pytest.mark.parametrize("level", few(RANGES, 3))
def test_how_far_the_positions_of_k_are_from_a_line(level: int) -> None:
    found = found_of(f"terminal({level})", "msd_fib")
    fits = [finding.data for finding in found["growth"]]
    assert {"alpha": "(1+sqrt(5))/2", "c": level, "lambda": RANGES[level]} in fits
    (recurrence,) = found["recurrence"]
    assert recurrence.data == {"d": 1, "e": level + 1, "least": level + 1}
    assert [finding.statement for finding in found["redundant moves"]] == ["no move is redundant"]


def test_the_second_pile_may_be_less_by_a_constant() -> None:
    """The P-positions are those (n+1,n): the law of a_n and b_n has a negative constant."""
    game = Game("j=0 | (i=0 & p>0)", misere=True)
    found = collect_findings(find_automaton(game, "msd_2"))
    (recurrence,) = [finding for finding in found.found if finding.name == "recurrence"]
    assert recurrence.data == {"d": 0, "e": -1, "least": 1}
    assert recurrence.statement.endswith("and b_n = a_n - 1")


def test_sequences_are_those_of_the_game() -> None:
    (finding,) = found_of("terminal(3)", "msd_fib")["sequences"]
    assert finding.data["a"] == [4, 5, 6, 7, 9, 11, 13, 15, 16, 18, 19, 21]
    assert finding.data["b"] == [8, 10, 12, 14, 17, 20, 23, 26, 28, 31, 33, 36]


def test_the_word_of_k2() -> None:
    """lambda(n) of K^2 is g(n+1), less 1: the word whose morphism is printed, one letter later."""
    (finding,) = found_of("terminal(2)", "msd_fib")["word"]
    images, coding = finding.data["morphism"], finding.data["coding"]
    word = [0]
    while len(word) < 60:
        word = [letter for each in word for letter in images[each]]
    a, b = [3, 4, 5, 7, 9, 11, 12, 14, 15, 17, 18, 20], [6, 8, 10, 13, 16, 19, 21, 24, 26, 29, 31, 34]
    golden = quadratic("(1+sqrt(5))/2")
    assert [coding[letter] for letter in word[:12]] == [x - golden.floor_multiple(n + 2) for n, x in enumerate(a)]
    assert all(y == x + n + 3 for n, (x, y) in enumerate(zip(a, b, strict=True)))


@pytest.mark.parametrize(
    ("m", "words"),
    [(2, "(i,i+1) and (i+1,i) with i>=3"), (3, "(i,i+k) and (i+k,i) with 1<=k<=2 and i>=5-k"),
     (8, "(i,i+k) and (i+k,i) with 1<=k<=7 and i>=10-k")],
)
def test_redundant_moves_of_m_wythoff(m: int, words: str) -> None:
    context = context_of(f"wythoff({m})", f"msd_wythoff_{m}")
    redundant = redundant_moves(context)
    assert redundant is not None
    assert describe_set(context, redundant) == words


@pytest.mark.parametrize(
    ("name", "system"), [("terminal(2)", "msd_fib"), ("wythoff(2)", "msd_wythoff_2"), ("blocking(2)", "msd_fib")]
)
def test_redundant_and_addable_moves_on_a_board(name: str, system: str) -> None:
    """A finite board shows that a move is needed, or that a vector cannot be added; what it shows must be said."""
    game, size = game_named(name), 40
    context = context_of(name, system)
    positions = {(int(a), int(b)) for a, b in zip(context.data.a, context.data.b, strict=True) if max(a, b) < size}
    level = int(name[9:-1]) if name.startswith("terminal") else -1
    width = int(name[8:-1]) if name.startswith("wythoff") else 1
    vectors = [
        (i, j) for i in range(size) for j in range(size)
        if (i == 0) != (j == 0) or (i > 0 and j > 0 and abs(i - j) < width)
    ]
    needed, joining = set(), set()
    for p in range(size):
        for q in range(size):
            into = [(i, j) for i, j in vectors if i <= p and j <= q and (p - i, q - j) in positions]
            if (p, q) not in positions and len(into) == game.blocked + 1:
                needed |= set(into)
            if (p, q) in positions and p + q > level and len(into) == game.blocked:
                joining |= {(p - r, q - s) for r, s in positions if r <= p and s <= q and (r, s) != (p, q)}
    redundant = redundant_moves(context)
    assert redundant is not None and needed
    assert not any(vector in redundant for vector in needed)
    if game.blocked:
        return
    added = addable_moves(context)
    assert added is not None
    assert not any(vector in added for vector in joining)
    # On this board nothing else stands in the way of small vectors.
    small = {(i, j) for i in range(6) for j in range(6) if (i, j) != (0, 0)} - set(vectors) - joining
    assert {vector for vector in small if vector in added} == small


@pytest.mark.parametrize("text", ["(1+sqrt(5))/2", "(3+sqrt(5))/2", "sqrt(5)", "(sqrt(5)-1)/2", "(5+sqrt(5))/2"])
def test_floors_are_proved(text: str) -> None:
    context = context_of("terminal(0)", "msd_fib")
    alpha = quadratic(text)
    assert define_floor(context.session, alpha, context.limits)
    for n in (0, 1, 2, 10, 12345, 10**25):
        assert context.session.prove(f"$F({n},{alpha.floor_multiple(n)})")


def test_what_is_not_proved_is_not_defined(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name means what it did before, if anything."""
    context, golden = context_of("terminal(0)", "msd_fib"), quadratic("(1+sqrt(5))/2")
    monkeypatch.setattr(floors, "floor_claims", lambda alpha, name: (call(name, 0, 1),))
    assert not define_floor(context.session, golden, context.limits)
    assert "F" not in context.session.namespace.definitions
    before = context.session.define("F", "y=n")
    assert not define_floor(context.session, golden, context.limits) and context.session["F"] == before


def test_claims_about_floors_are_false_of_others() -> None:
    """Each of them rejects something: another slope, a shifted floor, a ceiling."""
    context = context_of("terminal(0)", "msd_fib")
    claims = floor_claims(quadratic("(1+sqrt(5))/2"))
    for other in ("sqrt(5)", "(3+sqrt(5))/2", "(sqrt(5)-1)/2"):
        assert define_floor(context.session, quadratic(other), context.limits)
        assert not all(context.session.prove(claim) for claim in claims)
    assert define_floor(context.session, quadratic("(1+sqrt(5))/2"), context.limits)
    context.session.define("G", "$F(n,y)")
    for wrong in ("Ez $G(n,z) & y=z+1", "n>0 & (Ez $G(n,z) & y=z+1) | n=0 & y=0", "$G(n,y) & n!=5 | n=5 & y=7"):
        context.session.define("F", wrong)
        assert not all(context.session.prove(claim) for claim in claims)


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("i=0 & j=1 & i>j", "none"),
        ("i=2 & j<=1", "(2,0), (2,1)"),
        ("j=i+2 & i>=3", "(i,i+2) with i>=3 and none"),
        ("j=i & i>0", "(i,i) with i>=1"),
        ("j>=2*i+1 & i>=1", "(i,j) with i>=1 and j>=2*i+1"),
        ("i>=2 & j>=i & j<=3*i+1", "(i,j) with i>=2 and i<=j<=3*i+1"),
        ("i=0 & j>=4", "(i,j) with i=0, j>=4"),
    ],
)
def test_simple_sets_are_described(formula: str, words: str) -> None:
    context = context_of("terminal(0)", "msd_fib")
    pairs = context.session.relation(f"i>=0 & j>=0 & ({formula})")
    found = find_description(context, pairs)
    assert found is not None
    assert found.words == words.replace(" and none", "")
    assert context.session.relation(f"i>=0 & j>=0 & ({found.formula})") == pairs


def test_what_is_not_simple_is_not_described() -> None:
    context = context_of("terminal(0)", "msd_fib")
    pairs = context.session.relation("$P(i,j)")
    assert find_description(context, pairs) is None
    assert describe_set(context, pairs).endswith(f"recognized by an automaton with {pairs.states} states")


def test_no_findings_without_a_theorem() -> None:
    assert collect_findings(find_automaton(game_named("blocking(5)"), "msd_fib", largest=1 << 14)) == ((), ())


def test_a_board_of_k3_has_the_ratio_that_is_claimed() -> None:
    (first, *_) = found_of("terminal(3)", "msd_fib")["growth"]
    data: dict[str, Any] = dict(first.data)
    found = find_automaton(game_named("terminal(3)"), "msd_fib")
    pairs = sorted((int(a), int(b)) for a, b in zip(found.data.a, found.data.b, strict=True) if a <= b and a + b > 3)
    for n, (a, _) in enumerate(pairs[:500]):
        floor = (n + data["c"] + isqrt(5 * (n + data["c"]) ** 2)) // 2
        assert a - floor in data["lambda"]


def test_a_multiple_needs_no_floor() -> None:
    found = found_of("nim()")
    assert [finding.statement for finding in found["growth"]] == ["a_n = n"]
    assert "automata of 1 state each recognize (n,a_n) and (n,b_n)" in found["sequences"][0].statement


@pytest.mark.parametrize(
    ("alpha", "c", "values", "said"),
    [
        ("1", 0, (0,), "a_n = n"), ("1", 2, (0,), "a_n = n + 2"), ("1", 2, (-2,), "a_n = n"),
        ("2", -1, (0,), "a_n = 2 n - 2 for n >= 1"), ("2", 1, (3,), "a_n = 2 n + 5"),
        ("2", 1, (0, 1), "a_n = 2 n + 2 + lambda(n), and the values of lambda are 0, 1"),
        ("3/2", 1, (0,), "a_n = floor((n+1) * (3/2))"), ("sqrt(2)", 0, (-1,), "a_n = floor(n * sqrt(2)) - 1"),
    ],
)
def test_floors_in_words(alpha: str, c: int, values: tuple[int, ...], said: str) -> None:
    fit = beatty_fit(list(range(1000)))
    assert fit is not None
    guess = BeattyFit(quadratic(alpha), c, values, fit.first, fit.length, fit.slopes)
    assert line_distance._finding(guess).statement == said


def test_moves_far_from_the_origin_are_described_by_an_automaton() -> None:
    """Redundant moves that begin beyond what a description looks at."""
    theorem = discover("i=0 | j=0 | 1000*i=j")
    assert theorem and any("(1,1000), (2,2000)" in str(finding) for finding in theorem.findings)


#: Taking from both piles k and l with k <= l < base*k, or any number from one pile.
def by_ratio(base: int) -> Game:
    return Game.by_vectors(f"i=0 | j=0 | (i<=j & j<{base}*i) | (j<=i & i<{base}*j)")


@pytest.mark.long
@pytest.mark.parametrize(("game", "base", "oeis"), [
    (by_ratio(2), 2, ["A003159", "A036554"]), (by_ratio(3), 3, ["A007417", "A145204"]), (by_ratio(5), 5, []),
    (wythoff(), None, ["A000201", "A001950"]), (wythoff(2), None, ["A001951", "A001952"]), (wythoff(2, 1), None, []),
])
def test_representations_end_in_an_even_number_of_zeros(game: Game, base: int | None, oeis: list[str]) -> None:
    found = discover(game)
    (finding,) = [each for each in found.findings if each.name == "representations"]
    assert (finding.data["base"], finding.data["oeis"]) == (base, oeis)
    pairs = [(a, b) for a, b in positions(game, 500).pairs if 0 < a <= b]
    assert [a for a, _ in pairs][:8] == finding.data["a"]
    for a, b in pairs:
        digits = found.system.represent(a)
        assert (len(digits) - len("".join(map(str, digits)).rstrip("0"))) % 2 == 0
        assert found.system.represent(b) == (*digits, 0)
    if base is not None:
        assert all(b == base * a for a, b in pairs)


def test_other_positions_are_not_said_to_end_in_zeros() -> None:
    for game in (terminal(1), nim()):
        assert all(each.name != "representations" for each in discover(game).findings)
