"""Tasks and their results are values: they arrive in another process as they were."""

from __future__ import annotations

import copy
import pickle

import pytest

import fibprover as fp
from fibprover.campaigns.theorems.chapter import Declaration
from fibprover.campaigns.theorems.task import ProofSettings, SessionDelta, Task, carry_out


def session() -> fp.Session:
    made = fp.Session("msd_fib")
    made.define("f", "x=2*y")
    made.reg("r", ["msd_fib"], "0*10*")
    made.define_morphic_word("W", [[0, 1], [0]], [0, 1])
    made.macro("m", "%0=%1")
    return made


def test_names_arrive_as_they_were_and_mean_the_same() -> None:
    one = SessionDelta.of_session(session())
    other = fp.Session("msd_fib")
    pickle.loads(pickle.dumps(one)).add_to(other)
    assert SessionDelta.of_session(other) == one
    assert hash(other.namespace.definitions["f"]) == hash(one.definitions["f"])
    assert other.prove("Ax,y $f(x,y) => #m(x,y+y) | $r(0) | W[x]=0")


def test_the_arrays_of_an_automaton_that_arrives_are_read_only() -> None:
    automaton = session().namespace.definitions["f"].automaton
    for again in (pickle.loads(pickle.dumps(automaton)), copy.deepcopy(automaton)):
        assert again == automaton
        for array in (again.offsets, again.codes, again.targets, again.outputs):
            assert isinstance(array, memoryview) and array.readonly
        assert [again.offsets.format, again.codes.format, again.targets.format] == ["q", "q", "i"]


def test_a_delta_has_what_is_new_or_different() -> None:
    one = session()
    before = SessionDelta.of_session(one)
    one.define("f", "x=3*y")
    one.define("g", "x=1")
    made = SessionDelta.of_session(one).since(before)
    assert set(made.definitions) == {"f", "g"} and not made.words and not made.macros
    merged = SessionDelta.merged([before, made])
    assert merged.definitions == one.namespace.definitions and merged.words == one.namespace.words
    assert merged.nbytes > made.nbytes > 0


@pytest.mark.parametrize(
    ("formula", "definitions", "words"),
    [
        ("Ax $f(x,x) => x=0", {"f"}, set()),
        ("Ax W [x]=0 | $r(x)", {"r"}, {"W"}),
        ("Ax #m(x,x)", set(), set()),
        ("Ax #n(x)", {"r"}, set()),
        ("Ax $nil(x)", {"f", "r"}, {"W"}),
        ("Ax U[x]=0", {"f", "r"}, {"W"}),
    ],
)
def test_a_formula_takes_the_names_it_mentions_and_all_if_one_is_unknown(
    formula: str, definitions: set[str], words: set[str]
) -> None:
    one = session()
    if "#n" in formula:
        one.macro("n", "$r(%0)")
    taken = SessionDelta.of_session(one).for_formula(formula)
    assert (set(taken.definitions), set(taken.words)) == (definitions, words)
    assert taken.macros == one.namespace.macros


def test_a_name_that_a_macro_makes_of_pieces_is_mentioned() -> None:
    one = session()
    one.define("f_twice", "x=4*y")
    one.macro("twice", "$%0_twice(%1)")
    taken = SessionDelta.of_session(one).for_formula("Ax #twice(f,x)")
    assert set(taken.definitions) == {"f_twice"}


def declared(kind: str) -> Declaration:
    """A declaration of a chapter."""
    chapter = fp.Chapter("one", system="msd_fib")
    if kind == "theorem":
        chapter.theorem("t", "Ax,y $f(x,y) => x>=y", statement="s")
    elif kind == "false":
        chapter.theorem("t", "Ax,y $f(x,y) => x<y", statement="s")
    else:
        chapter.define("g", "$f(x,4)" if kind == "definition" else "$f(x", states_paper=3 if kind == "claim" else None)
    return chapter.declarations[0]


@pytest.mark.parametrize("kind", ["theorem", "false", "definition", "bad"])
def test_a_task_and_its_result_can_be_pickled(kind: str) -> None:
    names = SessionDelta.of_session(session())
    task = Task((0, 1), "msd_fib", declared(kind), names, None, ProofSettings(vacuity=True, exhibits=True))
    again = pickle.loads(pickle.dumps(task))
    assert again == task
    result = carry_out(again)
    assert (result.outcome is None) is (kind == "definition")
    assert set(result.delta.definitions) == ({"g"} if kind == "definition" else set())
    assert pickle.loads(pickle.dumps(result)) == result
