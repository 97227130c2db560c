"""Relations whose automata are not determinized: the same answers as those of the determinized ones."""

from __future__ import annotations

import pickle
import random
from itertools import islice, product
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Track, build
from fibprover.automata.nondeterministic import projected
from fibprover.automata.operations import as_relation
from fibprover.base.errors import AutomatonError, BudgetSpent, FileProblem, UnknownName
from fibprover.base.limits import Budget
from tests.seeds import chosen_seed

FORMULAS = [
    "Ej i=2*j", "Ej j<i & T[j]=@1", "Ei,j n=i+j & T[i]=T[j] & i>j", "Ex,y n=x+y & m=x+2*y", "Ey y<5 & x=3*y",
    "Ex x<0 & y=x", "Ex y=y & x=3", "?msd_fib Ey x=y+y & y>3", "?lsd_fib Ey x=y+y & y>3",
    "?lsd_2 Ey y>x & T[y]=@0 & y<x+9",
    "?msd_neg_2 Ey x=3*y & y<4 & y>0-9", "?msd_3 Ey x=y+4*z", "Ex (Ey y=x+x & z>y)", "?msd_fib Ex Ey z=x+y & F[x]=F[y]",
]


@pytest.mark.parametrize("text", FORMULAS)
def test_answers_are_those_of_the_relation(text: str, tmp_path: Path) -> None:
    session = fp.Session()
    undetermined, relation = session.nondeterministic(text), session.relation(text)
    assert undetermined.determinized() == relation and undetermined.names == relation.names
    assert undetermined.is_empty() == relation.is_empty() and undetermined.is_finite() == relation.is_finite()
    assert undetermined.first(60) == relation.first(60)
    assert pickle.loads(pickle.dumps(undetermined)) == undetermined
    for values in product(range(30 if len(relation.names) == 1 else 8), repeat=len(relation.names)):
        assert (values in undetermined) == (values in relation), values
    for number in (10**30, 3 * 2**70):
        assert ((number,) * len(relation.names) in undetermined) == ((number,) * len(relation.names) in relation)
    # What is written is read again as the relation.
    file = session.export(undetermined, "TXT", tmp_path / "written.txt")
    again = fp.Session()
    again.namespace.load_predicate(file, "again")
    assert again.relation(f"$again({','.join(relation.names)})") == relation
    assert session.export(undetermined, "BA", tmp_path / "written.ba").read_text().startswith("[0]\n")
    assert session.export(undetermined, "GV", tmp_path / "written.gv").read_text().startswith("digraph")


@pytest.mark.random
def test_drawn_automata() -> None:
    draw = random.Random(f"{chosen_seed()} nondeterministic")
    tracks = (Track("x", (0, 1), "msd_2"), Track("y", (0, 1), "msd_2"))
    valid = [kernel_calls.minimize(build((track,), [{0: 0, 1: 0}], [1])) for track in tracks]
    for _ in range(100):
        rows = [{code: draw.randrange(6) for code in range(4) if draw.random() < 0.6} for _ in range(6)]
        body = as_relation(build(tracks, rows, [int(draw.random() < 0.4) for _ in rows]), valid)
        nfa, projection = projected(body, ["y"]), kernel_calls.minimize(kernel_calls.project(body, ["y"]))
        assert list(islice(nfa.words(), 40)) == [tuple(codes) for codes in kernel_calls.words(projection, 40)]
        assert nfa.is_finite() == kernel_calls.is_finite(projection)
        assert nfa.is_empty == kernel_calls.is_empty(projection)


def test_it_is_small_where_the_relation_is_not() -> None:
    """The digit 13 places before the last 1: two to the 13 states, and as many as digits."""
    session = fp.Session()
    session.reg("far", "msd_2", "(0|1)*1(0|1)(0|1)(0|1)(0|1)(0|1)(0|1)(0|1)(0|1)(0|1)(0|1)(0|1)(0|1)(0|1)")
    small = session.nondeterministic("Ey $far(x) & y=0 & x=x+y")
    assert small.determinized().states > 8000 and 2**13 in small and 2**12 not in small


def test_errors(tmp_path: Path) -> None:
    session = fp.Session()
    for text in ("Ax x=y", "x=3", "Ex x=3", "E>=2 x y<x", "~(Ex y=2*x)"):
        with pytest.raises(fp.FibproverError):
            session.nondeterministic(text)
    relation = session.nondeterministic("Ex y=3*x")
    with pytest.raises(AutomatonError, match="track z"):
        projected(relation.body.automaton, ["z"])
    with pytest.raises(fp.FibproverError):
        (1, 2) in relation  # noqa: B015
    with pytest.raises(UnknownName):
        session.export(relation, "PNG", tmp_path / "a.png")
    for path in (None, tmp_path):
        with pytest.raises(FileProblem):
            session.export(relation, "TXT", path)
    with pytest.raises(BudgetSpent):
        list(relation.nfa.words(Budget(deadline=0.0)))
    mixed = session.nondeterministic("Ez (?msd_2 x=z+3) & (?lsd_2 y=5)")
    with pytest.raises(AutomatonError, match="lsd"):
        session.export(mixed, "TXT", tmp_path / "mixed.txt")


@pytest.mark.parametrize("system", ["msd_2", "lsd_2", "lsd_fib"])
@pytest.mark.parametrize("body", ["x=y & x<y", "x=y & x<1", "x=y+1 & y<2"])
def test_what_is_written_accepts_what_the_relation_does(system: str, body: str, tmp_path: Path) -> None:
    """An empty relation, that of 0 alone, and another one, read from either end."""
    session = fp.Session()
    found, relation = session.nondeterministic(f"?{system} Ey {body}"), session.relation(f"?{system} Ey {body}")
    written = found.nfa.to_reading_order().with_one_initial()
    assert written.is_empty == relation.is_empty() and written.accepting[0] == (0 in relation)
    again = fp.Session()
    again.namespace.load_predicate(session.export(found, "TXT", tmp_path / "written.txt"), "again")
    assert again.relation("$again(x)") == relation
