"""A recursion has the same values on a board as one by one, and as the prover says."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from fibprover.base.limits import UNLIMITED
from fibprover.learn.boards import Board
from fibprover.learn.cases import Form, NoCases, cases_of
from fibprover.learn.evaluation import Evaluator
from fibprover.learn.layers import NoBoard
from fibprover.learn.recursion import read_measure, read_recursion
from fibprover.learn.tables import Outside, Table
from fibprover.prover.logic import AtLeast, Exists
from fibprover.workspace.session import Session
from tests.seeds import chosen_seed

numpy = pytest.importorskip("numpy")

#: Formulas of x and y without recursion: quantifiers whose variable lies on a line, in a band, or takes all values.
FORMULAS = (
    "Ek k<x & T[k]=T[y]", "Ak k<=x => (k<y | T[k]=@1)", "E>=3 k k<x & T[k+y]=@0", "E=2 k k<x & T[k]=T[k+1]",
    "Ek 2*k=x & k<y", "~(Ek k<y & (Al l<k => T[l+x]=@0))", "T[x+y]+T[x]=@1", "(Ek x=k+3 & T[k]=@1) <=> y>4",
    "(Ek k<5 & x=y+k) ^ T[x]=@1", "x/2<y & y-x<3", "Ek $near(x,k) & k<y", "Ek k<y & $near(k,x) & T[k]=@1",
    "RS[2*x+y]!=T[x]", "x=3 => Ek k<y & k*2>3", "Ek,l $near(k,l) & k+l=x & k<y", "E>=2 k,l $near(k,l) & k+l=x & l<y",
    "Ek,l k<x & l<y & k<=l+1 & l<=k+1 & $near(x,k)", "Ak,l (k<x & l=k+y) => $near(k,l)", "Ek k<x+y & ~$near(k,x)",
    "Ek,l 2*k+3*l=x & l<y", "E>=2 k ((k<x & k<y) | (k=x & k>y) | (k!=3 & k<2))", "E>=4 k,l 2*k=x+l & l<y & k<x",
    "$near(x,y) ^ $even(x)", "Ek k<=x & $even(k) & $even(y+k)", "E=1 k k<y & 2*k!=x & $even(k)",
)


def evaluator(session: Session, by: str, **formulas: str) -> Evaluator:
    environment = session.namespace.environment()
    recursion = read_recursion(formulas, environment)
    measures = {each.name: read_measure(by, each) for each in recursion.equations}
    return Evaluator(recursion, measures, environment, UNLIMITED)


def filled(values: Evaluator, size: int) -> Board:
    board = Board(values.programs, UNLIMITED)
    board.fill(size)
    return board


@pytest.mark.parametrize("formula", FORMULAS)
def test_formulas(formula: str) -> None:
    session = Session("msd_2")
    session.define("near", "x<=z+2 & z<=x+2")
    session.define("even", "Ey x=2*y")
    formula = f"({formula}) & x=x & y=y"
    relation = session.relation(formula)
    # Other relations are looked up below the size only.
    known = 0
    board = filled(evaluator(session, "x+y", R=formula), 40)
    for pair in product(range(40), repeat=2):
        value = board.holds("R", pair)
        assert value is None or value == (pair in relation)
        known += value is not None
    assert known > 300


def random_moves(random: Random) -> str:
    """Return moves of two piles: lines, bands, cones and single vectors, with conditions; some overlap."""
    i, j, n, m = (random.randrange(1, 4) for _ in range(4))
    return random.choice([
        "r<p & s=q", "p=r & s<q", f"r<p & s<=q & p+s=q+r+{n-1}", f"r<p & s<q & p+s<q+r+{n} & q+r<p+s+{m}",
        f"p=r+{i} & q=s+{j}", f"r<p & s<q & p+{n}*s<q+{n}*r", f"r+{n}<=p & q=s & p>{j}", "p+q=r+s+1 & r<=p & s<=q",
        f"Ek k>0 & p=r+{i}*k & q=s+{j}*k", "p>0 & q=p+r+s", f"r+s+{n}<=p & s<=q & q<=s+{m}", f"p=2*r+{n} & s=q",
    ])


@pytest.mark.long
@pytest.mark.random
def test_random_games() -> None:
    random = Random(chosen_seed())
    boards = 0
    for _ in range(30):
        moves = " | ".join(f"({random_moves(random)})" for _ in range(random.choice([1, 2, 3])))
        count = random.choice(["", "", ">=2 ", ">=3 ", "=1 "])
        goal = random.choice(["", "p+q<3 | ", "(p>2 | q>1) & "])
        formula = f"{goal}~E{count}r,s ({moves}) & $P(r,s)"
        one_by_one = evaluator(Session("msd_2"), "p+q", P=formula)
        try:
            board = filled(evaluator(Session("msd_2"), "p+q", P=formula), 14)
        except NoBoard:
            continue
        boards += 1
        # Boards know all tuples of a measure below the first that asks for one outside.
        assert board.known >= 13, formula
        for pair in product(range(14), repeat=2):
            value = board.holds("P", pair)
            assert value is None or value == one_by_one("P", pair), (formula, pair)
    assert boards > 15


def test_relations_that_call_each_other() -> None:
    """The mex rule: the measure has one of two parameters, and one relation is asked in the layer of the other."""
    used = "Em n=m+1 & ($used(m,x) | $an(m,x) | Ea $an(m,a) & x=a+m+2)"
    least = "x>1 & ~$used(n,x) & Ay (y>1 & y<x) => $used(n,y)"
    board = filled(evaluator(Session("msd_fib"), "n", used=used, an=least), 50)
    taken: set[int] = set()
    for n in range(30):
        x = min({*range(2, 200)} - taken)
        if x < 50:
            assert [y for y in range(50) if board.holds("an", (n, y))] == [x]
        assert {y for y in range(50) if board.holds("used", (n, y))} == {y for y in taken if y < 50}
        taken |= {x, x + n + 2}
    assert board.known == 50 and board.square("an") == 50


def test_calls_outside_end_a_board() -> None:
    """(p,q) asks for (p+1,q-2): beyond the size from a layer on."""
    board = filled(evaluator(Session("msd_2"), "p+q", P="q<2 & p<5 | Er,s r=p+1 & q=s+2 & $P(r,s)"), 20)
    assert board.known == 21 and board.square("P") == 11
    assert board.holds("P", (19, 3)) is None and board.holds("P", (3, 3)) is True
    assert {(a, b) for a, b in board.members("P", 11).tolist()} == {
        (p, q) for p in range(11) for q in range(11) if p + q // 2 < 5
    }


@pytest.mark.parametrize("formula", [
    "Iy y>n & $R(n)", "Em m>n & m=m & ~$R(n-1)", "a=b & b=c & n=n",
])
def test_recursions_without_a_board(formula: str) -> None:
    programs = evaluator(Session("msd_2"), "n", R=formula).programs
    with pytest.raises(NoBoard):
        Board(programs, UNLIMITED)


@pytest.mark.parametrize("direction", [(1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, -2), (0, 3)])
def test_members_on_lines(direction: tuple[int, int]) -> None:
    size = 9
    generator = numpy.random.default_rng(5)
    values = generator.random((size, size)) < 0.4
    table = Table(numpy, size, 2, [direction])
    table.set_all(values)
    for first in product(range(size), repeat=2):
        last, count = first, 0
        while all(0 <= each < size for each in last):
            count += values[last]
            ends = [[numpy.array([each]) for each in end] for end in (first, last)]
            assert table.count(ends[0], ends[1], direction, numpy.array([True])) == count
            last = last[0] + direction[0], last[1] + direction[1]
        with pytest.raises(Outside):
            table.count([numpy.array([each]) for each in first], [numpy.array([each]) for each in last], direction,
                        numpy.array([True]))


def test_cases_count_each_tuple_once() -> None:
    """The cases of a counting quantifier exclude each other, and leave the counted variables."""
    session = Session("msd_2")
    values = evaluator(session, "p", R="E>=2 r,s ((r<p & s=q) | (p=r & s<=q) | (r<p & p+s=q+r) | (r!=s & r+s=p))")
    node = values.programs["R"].resolved.logic
    assert isinstance(node, AtLeast)
    cases = cases_of([node.body], frozenset("pq"), frozenset(node.variables))
    for p, q in product(range(6), repeat=2):
        wanted = {
            (r, s) for r, s in product(range(20), repeat=2)
            if (r < p and s == q) or (p == r and s <= q) or (r < p and p + s == q + r) or (r != s and r + s == p)
        }
        found = []
        for case in cases:
            for free in product(range(20), repeat=len(case.free)):
                env = {"p": p, "q": q, **dict(zip(case.free, free, strict=True))}

                def value(form: Form, env: dict[str, int] = env) -> int:
                    return sum((c * env[name] for name, c in form.coefficients.items()), form.constant)

                if all(value(form) <= 0 for form in case.at_most_0):
                    found.append(tuple(value(case.form(name)) for name in node.variables))
        assert sorted(found) == sorted(wanted), (p, q)


def test_counted_variables_determine_the_others() -> None:
    """How many x there are is not how many pairs of x and k there are, unless k is known from x."""
    values = evaluator(Session("msd_2"), "n", R="E>=2 x Ek k<x & x<n")
    node = values.programs["R"].resolved.logic
    assert isinstance(node, AtLeast)
    with pytest.raises(NoCases):
        cases_of([node.body], frozenset("n"), frozenset(node.variables))
    assert cases_of([Exists(node.variables, node.body)], frozenset("n"))


def test_what_takes_too_long_ends_a_board() -> None:
    """Layers are known as long as a variable has few values, and letters of a word are not too far away."""
    session = Session("msd_2")
    for formula in ("n<3 | (n>9 & Ek k<1000000000 & T[k+n]!=T[k])", "n<3 | (n>9 & T[n+1000000000]=@1)"):
        board = filled(evaluator(session, "n", R=formula), 64)
        assert board.known == 10
        assert [n for n in range(64) if board.holds("R", (n,))] == [0, 1, 2]
