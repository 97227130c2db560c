"""What a chapter records, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.campaigns.theorems.chapter import (
    DeclaredAutomaton,
    DeclaredDefinition,
    DeclaredLanguage,
    DeclaredScript,
    DeclaredTheorem,
    DeclaredWord,
    DeclaredWordFile,
    claim_of,
)


def test_steps_are_recorded_in_order_with_their_places_and_nothing_is_computed() -> None:
    c = fp.Chapter("t", source="A. Uthor", system="msd_fib")
    c.reg("r", ["msd_fib", [0, 1]], "not even a regular expression")
    c.define("f", "nor a formula (")
    c.word("W", [[0, 1], [0]], [1, 0])
    c.words("words.json")
    c.load_predicate("automata/p.txt")
    c.load_predicate("automata/p.txt", "Q")
    c.script('def g "x=1":')
    c.theorem("one", "$f(", statement="one is one")

    reg, define, word, words, loaded, named, script, theorem = c.declarations
    assert isinstance(reg, DeclaredLanguage) and reg.alphabets == ("msd_fib", (0, 1))
    assert isinstance(define, DeclaredDefinition) and claim_of(define) is None
    assert isinstance(word, DeclaredWord) and (word.images, word.coding, word.system) == (((0, 1), (0,)), (1, 0), None)
    assert isinstance(words, DeclaredWordFile) and words.file == str(Path(__file__).parent / "words.json")
    for predicate, name in ((loaded, "p"), (named, "Q")):
        assert isinstance(predicate, DeclaredAutomaton) and predicate.name == name
        assert predicate.file == str(Path(__file__).parent / "automata" / "p.txt")
    assert isinstance(script, DeclaredScript)
    assert isinstance(theorem, DeclaredTheorem) and claim_of(theorem) is theorem
    assert [step.place.file for step in c.declarations] == [__file__] * 8
    lines = [step.place.line for step in c.declarations]
    assert lines == list(range(lines[0], lines[0] + 8)) and c.place.line == lines[0] - 1


def test_what_a_theorem_is_taken_to_be_unless_it_says() -> None:
    c = fp.Chapter("t", source="A. Uthor")
    c.theorem("a", "x", statement="s")
    c.theorem("b", "x", statement="s", form="control", source="Other", states_paper=7)
    c.theorem("c", "x", statement="s", form="control", expected=True)
    c.theorem("d", "x", statement="s", form="printed", expected=False)
    a, b, d, e = (step for step in c.declarations if isinstance(step, DeclaredTheorem))
    assert (a.form, a.expected, a.source, a.states_paper) == ("strong", True, "A. Uthor", None)
    assert (b.form, b.expected, b.source, b.states_paper) == ("control", False, "Other", 7)
    assert d.expected and not e.expected


def test_a_definition_with_a_published_number_of_states_is_a_claim() -> None:
    c = fp.Chapter("t")
    c.define("f", "x=1", states_paper=27)
    (step,) = c.declarations
    claim = claim_of(step)
    assert claim is not None and claim.id == "f" and claim.statement == "the automaton of f has 27 states"


def test_steps_cannot_be_changed_and_a_closed_chapter_takes_no_more() -> None:
    c = fp.Chapter("t")
    c.theorem("a", "x", statement="s")
    with pytest.raises(FrozenInstanceError):
        c.declarations[0].formula = "y"  # type: ignore[misc, union-attr]
    c.close()
    with pytest.raises(fp.FibproverError, match="complete"):
        c.define("f", "x=1")
    assert len(c.declarations) == 1


def test_an_id_twice_is_refused_with_the_first_place() -> None:
    c = fp.Chapter("t")
    c.theorem("a", "x", statement="s")
    first = rf"test_chapter.py:{c.declarations[0].place.line}"
    with pytest.raises(fp.FibproverError, match=rf"a is declared twice, first at .*{first}"):
        c.define("a", "x=1", states_paper=2)


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(fp.FibproverError, match="the form is 'weak'"):
        fp.Chapter("t").theorem("a", "x", statement="s", form="weak")  # type: ignore[arg-type]


@pytest.mark.parametrize("declare", [
    lambda c: c.define(["p"], "x=1"),
    lambda c: c.define("p", 1),
    lambda c: c.theorem(["a"], "x=1", statement="s"),
    lambda c: c.theorem("a", None, statement="s"),
    lambda c: c.theorem("a", "x=1", statement=3),
    lambda c: c.word(5, [[0, 1], [0]], [0, 1]),
    lambda c: c.reg("e", "msd_2", ["0*"]),
])
def test_what_is_no_text_is_refused_where_it_is_declared(declare: Callable[[fp.Chapter], None]) -> None:
    chapter = fp.Chapter("t")
    with pytest.raises(fp.FibproverError, match="of a declaration is a text, not"):
        declare(chapter)
    assert not chapter.declarations


def test_a_script_with_an_eval_is_refused_since_nobody_would_see_its_verdict() -> None:
    with pytest.raises(fp.FibproverError, match="eval test"):
        fp.Chapter("t").script('def f "x=1":\neval test "Ex $f(x)":')


def test_a_script_that_is_none_is_refused_at_once() -> None:
    with pytest.raises(fp.FibproverError, match="quote"):
        fp.Chapter("t").script('def f "x=1')
