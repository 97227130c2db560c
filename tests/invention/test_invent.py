"""Inventions against boards: games are played with their rules, and sets without a game are searched."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

import fibprover as fp
from fibprover.games.rules import VARIABLES
from fibprover.language.tree import disjunction
from fibprover.numeration.quadratic import quadratic
from tests.oracle.games import holds
from tests.oracle.invention import differences, positions_by_moves, unreached

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fibprover.prover.verdict.relation import Relation

    Mask = NDArray[np.bool_]

SIZE = 220

#: Sets with an invariant game: of games, by their P-positions, and of sequences.
INVARIANT = (
    "nim()", "nim(1,2,3)", "wythoff()", "wythoff(3)", "wythoff(2,1)", "terminal(1)", "terminal(3)", "splithoff()",
    "splithoff(2)", "queen(2,3)", "beatty sqrt(2)", "beatty sqrt(3)", "beatty (3+sqrt(5))/4", "word T",
)

#: Those that take more than half a second, up to seven.
SLOW = (
    "nim(1,2,3)", "wythoff(2,1)", "terminal(1)", "terminal(3)", "splithoff()", "splithoff(2)", "queen(2,3)",
    "beatty sqrt(2)", "beatty sqrt(3)", "beatty (3+sqrt(5))/4", "word T",
)

#: The same, for the parameters of a test.
ALL_INVARIANT = [
    pytest.param(name, marks=[pytest.mark.long] if name in SLOW else []) for name in INVARIANT
]

#: Sets without one.
NONE = ("terminal(2)", "terminal(5)", "blocking(2)", "blocking(3)", "mark(2)", "x=n | x=2*n", "odd", "evil")


@cache
def positions_of(name: str) -> Relation:
    kind, *rest = name.split()
    if kind == "beatty":
        return fp.positions_of_beatty(rest[0])
    if kind == "word":
        return fp.positions_of_letters(fp.Session(), rest[0], tuple(map(int, rest[1:])) or None)
    if name == "x=n | x=2*n":
        return fp.positions_of_sequences(fp.Session(), "x=n", "x=2*n")
    if name == "odd":
        return fp.Session().relation("(a=0 & b=0) | (Ek a+b=2*k+1 & a>4 & b>4)")
    if name == "evil":
        return fp.Session().relation("(a=0 & b=0) | (T[a]=0 & b=a+1) | (T[b]=0 & a=b+1)")
    return fp.discover(name, with_findings=False).relation


@cache
def invention(name: str) -> fp.Invention:
    return fp.invent(positions_of(name))


def mask_of(relation: Relation, size: int) -> Mask:
    """The tuples of a relation with all numbers below a size, by the automaton alone."""
    session = fp.Session()
    names = relation.names
    session.define("R", relation)
    below = " & ".join(f"{name}<{size}" for name in names)
    system = relation.sorts[0].system
    found = session.relation(f"?{system} $R({','.join(names)}) & {below}").to_numpy()
    mask = np.zeros((size,) * len(names), bool)
    mask[tuple(found.T)] = True
    return mask


def moves_of(found: fp.Invention, size: int) -> Mask:
    """The moves of the game that an invention says: its rules and vectors, or all that are no differences."""
    names = VARIABLES[found.piles].vector
    if not found.rules and found.vectors is None:
        assert found.moves is not None
        return mask_of(found.moves, size)
    axes = np.indices((size,) * found.piles)
    numbers = dict(zip(names, axes, strict=True))
    mask = np.zeros((size,) * found.piles, bool)
    for part in found.rules:
        mask |= np.broadcast_to(holds(str(part.formula), numbers, size), mask.shape)
    return mask if found.vectors is None else mask | mask_of(found.vectors, size)


@pytest.mark.parametrize("name", ALL_INVARIANT)
def test_the_game_with_the_rules_has_the_positions(name: str) -> None:
    found = invention(name)
    assert found.status == "invariant"
    assert (positions_by_moves(moves_of(found, SIZE)) == mask_of(found.positions, SIZE)).all()


@pytest.mark.parametrize("name", [each for each in ALL_INVARIANT if each.values != ("queen(2,3)",)])
def test_the_game_with_all_moves_has_the_positions(name: str) -> None:
    found = invention(name)
    assert found.moves is not None
    moves, inside = mask_of(found.moves, SIZE), mask_of(found.positions, SIZE)
    assert (positions_by_moves(moves) == inside).all()
    # Whatever is no move is a difference of positions that are not far out.
    far = mask_of(found.positions, 1200) if inside.sum() < 3 * SIZE else inside[:60, :60]
    assert (differences(far, 25) ^ moves[:25, :25]).all()


@pytest.mark.parametrize("name", ALL_INVARIANT)
def test_no_line_can_be_left_out(name: str) -> None:
    found = invention(name)
    if found.proof is None:
        pytest.skip("the game has an automaton among its rules")
    numbers = dict(zip("ij", np.indices((SIZE, SIZE)), strict=True))
    for left_out in found.rules:
        mask = np.zeros((SIZE, SIZE), bool)
        for part in found.rules:
            if part != left_out:
                mask |= np.broadcast_to(holds(str(part.formula), numbers, SIZE), mask.shape)
        assert left_out.needed is not None
        inside = mask_of(found.positions, SIZE)
        assert not inside[left_out.needed]
        options = np.argwhere(inside[tuple(slice(0, x + 1) for x in left_out.needed)])
        taken = np.array(left_out.needed) - options
        assert not mask[tuple(taken[taken.any(axis=1)].T)].any()


@pytest.mark.long
@pytest.mark.parametrize("name", NONE)
def test_without_a_game_no_vector_leads_from_the_position_into_the_set(name: str) -> None:
    found = invention(name)
    assert found.status == "none"
    assert found.unreached is not None
    place = found.unreached.position
    positions = found.positions
    inside = mask_of(positions, max(place) + 1)
    assert not inside[place]
    options = {tuple(x) for x in np.argwhere(inside).tolist() if all(np.array(x) <= place)}
    assert {target for target, _, _ in found.unreached.options} == options
    for target, low, high in found.unreached.options:
        assert low in positions
        assert high in positions
        assert (np.array(high) - low == np.array(place) - target).all()
    # It is the least one: with the differences of a large board a vector leads from all smaller positions into the set.
    size = max(place) + 1
    missed = unreached(inside, differences(mask_of(positions, 100), size))
    missed[place] = False
    assert not missed[tuple(slice(0, size - 1) for _ in place)].any()


@pytest.mark.long
def test_with_terminal_positions_there_is_a_game() -> None:
    found = invention("terminal(5)").nearest
    assert found is not None
    assert found.terminal == "a+b<=5"
    numbers = np.indices((SIZE, SIZE))
    ends = numbers.sum(axis=0) <= 5
    assert (positions_by_moves(moves_of(found, SIZE), ends) == mask_of(found.positions, SIZE)).all()


def test_terminal_positions_have_no_moves() -> None:
    given = fp.invent("terminal(2)", terminal="a+b<=2")
    assert [part.words for part in given.rules] == ["n from one pile", "n from both piles"]
    assert given.game is not None
    assert given.game.terminal == "a+b<=2"
    ends = np.indices((SIZE, SIZE)).sum(axis=0) <= 2
    far = mask_of(given.positions, 12 * 60)
    numbers = np.indices(far.shape).sum(axis=0) <= 2
    assert given.moves is not None
    moves = mask_of(given.moves, SIZE)
    assert (differences(far, 60, numbers) ^ moves[:60, :60]).all()
    assert (positions_by_moves(moves, ends) == mask_of(given.positions, SIZE)).all()


@pytest.mark.long
def test_three_piles() -> None:
    found = fp.invent("nim3()")
    assert [part.words for part in found.rules] == ["n from one pile"]
    size = 20
    assert (positions_by_moves(moves_of(found, size)) == mask_of(found.positions, size)).all()
    triples = fp.invent(fp.positions_of_letters(fp.Session(), "TR"))
    assert triples.status == "invariant"
    assert (positions_by_moves(moves_of(triples, 32)) == mask_of(triples.positions, 32)).all()


def test_a_set_that_is_not_symmetric_may_have_rules_that_are_not() -> None:
    found = fp.invent(fp.Session().relation("b=2*a"))
    assert not found.symmetric
    assert (positions_by_moves(moves_of(found, 60)) == mask_of(found.positions, 60)).all()


@pytest.mark.long
def test_random_sets_of_pairs() -> None:
    """Sets of few pairs modulo a number: the verdicts are those of a board."""
    random = np.random.default_rng(36)
    outcomes = set()
    for _ in range(25):
        modulus = int(random.integers(2, 5))
        rows = {(0, 0), *map(tuple, random.integers(0, modulus, (2, 2)).tolist())}
        a, b, h, k = fp.variables("a b h k")
        formula = disjunction(
            fp.exists(h, k, a.eq(modulus * h + x) & b.eq(modulus * k + y)) for x, y in sorted(rows)
        )
        found = fp.invent(fp.Session("msd_2").relation(formula))
        inside = mask_of(found.positions, 48)
        differ = differences(mask_of(found.positions, 96), 48)
        assert found.status == ("none" if unreached(inside, differ).any() else "invariant")
        outcomes.add(found.status)
        if found:
            assert (positions_by_moves(moves_of(found, 48)) == inside).all()
    assert outcomes == {"none", "invariant"}


def test_a_set_without_the_empty_piles_has_no_game() -> None:
    found = fp.invent(fp.Session().relation("a=b & a>0"))
    assert found.status == "none"
    assert found.unreached is not None
    assert found.unreached.position == (0, 0)
    assert found.nearest is None


@pytest.mark.parametrize(("text", "message"), [
    ("x<5", "pairs or triples"), ("a<b & b<c & c<d", "pairs or triples"),
    ("(?msd_fib a<3) & (?msd_2 b<5)", "one numeration"),
    ("?lsd_2 a=b", "most significant"), ("?msd_neg_2 a=b", "natural"),
])
def test_what_is_no_set_of_positions(text: str, message: str) -> None:
    with pytest.raises(fp.FibproverError, match=message):
        fp.invent(fp.Session().relation(text))


@pytest.mark.long
def test_what_is_no_set_of_positions_at_all() -> None:
    with pytest.raises(fp.FibproverError, match="terminal position is not in the set"):
        fp.invent("wythoff()", terminal="a+b<=1")
    with pytest.raises(fp.FibproverError):
        fp.invent(17)  # type: ignore[arg-type]
    with pytest.raises(fp.FibproverError, match="not known"):
        fp.invent("queen(1,2)", limits=fp.Limits(cpu_seconds=0.5))
    with pytest.raises(fp.BudgetSpent):
        fp.invent(positions_of("wythoff()"), limits=fp.Limits(states=3))


def test_a_budget_that_is_spent_decides_nothing() -> None:
    found = fp.invent(positions_of("splithoff()"), limits=fp.Limits(states=20000, cpu_seconds=30))
    assert found.status == "undecided"
    assert "Undecided" in str(found)


def test_sequences() -> None:
    session = fp.Session("msd_fib")
    session.solve("G", "(n=0 & x=0) | Em,a,b n=m+1 & $G(m,a) & $G(a,b) & x+b=n")
    n, x, y = fp.variables("n x y")
    by_name = fp.positions_of_sequences(session, "G", fp.exists(y, fp.call("G", n, y) & x.eq(y + n)))
    assert (1, 3) in by_name
    assert (3, 2) not in by_name
    assert (2, 5) in by_name
    assert fp.positions_of_sequences(fp.Session(), "x=n", "x=2*n", "x=3*n").first(2) == [(0, 0, 0), (1, 2, 3)]
    for given in (["x=n"], ["x=n"] * 4, ["x=n", "y=n"], ["x=n", "nothing"], ["x=n", "Ax x=x"], ["x=n", "x="]):
        with pytest.raises(fp.FibproverError):
            fp.positions_of_sequences(fp.Session(), *given)


@pytest.mark.parametrize("alpha", ["(1+sqrt(5))/2", "sqrt(2)", "sqrt(3)", "(5+sqrt(13))/6", "(1+sqrt(2))/2"])
def test_beatty_sequences_are_complementary(alpha: str) -> None:
    pairs = np.argwhere(mask_of(positions_of(f"beatty {alpha}"), 400)).tolist()
    low = sorted(a for a, b in pairs if a < b)
    high = sorted(b for a, b in pairs if a < b)
    assert not set(low) & set(high)
    assert set(low) | set(high) >= set(range(1, low[-1]))
    slope = quadratic(alpha)
    assert low == [slope.floor_multiple(n + 1) for n in range(len(low))]


@pytest.mark.parametrize("alpha", ["2", "3/2", "sqrt(2)/2", "sqrt(4)", "-sqrt(2)", "x"])
def test_what_has_no_beatty_sequences(alpha: str) -> None:
    with pytest.raises(fp.FibproverError):
        fp.positions_of_beatty(alpha)


@pytest.mark.long
def test_letters_of_a_word() -> None:
    assert fp.positions_of_letters(fp.Session(), "F") == fp.discover("wythoff()", with_findings=False).relation
    letters = fp.word("TR").prefix(400, fp.system_named("msd_trib").write)
    places = [[n + 1 for n, letter in enumerate(letters) if letter == each] for each in range(2)]
    inside = fp.positions_of_letters(fp.Session(), "TR", (0, 1))
    for pair in zip(*places, strict=False):
        assert pair in inside
    for word, chosen in (("TR", (0, 7)), ("T", (0,)), ("nothing", None), ("pascal", None), ("QB", None)):
        with pytest.raises(fp.FibproverError):
            fp.positions_of_letters(fp.Session(), word, chosen)


@pytest.mark.long
def test_claims_are_closed_formulas_that_the_prover_decides() -> None:
    found = invention("blocking(2)")
    assert found.unreached is not None
    session = fp.Session()
    session.define("P", found.positions)
    session.define("live", found.positions)
    assert session.prove(found.unreached.claim.in_system(found.system.name))


def test_an_invention_as_json() -> None:
    plain = invention("wythoff()").as_json()
    assert plain["status"] == "invariant"
    assert fp.discover(plain["game"], with_findings=False).relation == positions_of("wythoff()")
    assert [part["needed"] for part in plain["rules"]] == [[0, 1], [1, 1]]
    none = invention("terminal(2)").as_json()
    assert none["unreached"]["position"] == [1, 2]
    assert none["nearest"]["terminal"] == "a+b<=2"
