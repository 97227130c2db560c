"""Verdicts, relations, words and traces in notebooks and terminals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from IPython.lib.pretty import pretty

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import FibproverError, LimitError
from fibprover.base.limits import Limits
from fibprover.base.values import RichlyDisplayed
from fibprover.frontends.display import game_values, values
from fibprover.frontends.display.board import Board
from fibprover.frontends.display.drawing import INLINE_STATES, Drawing, draw
from fibprover.frontends.display.html import BARS, chart
from fibprover.frontends.display.text import outcome_text
from fibprover.frontends.display.values import MOST_STEPS
from fibprover.games.rules import Game
from fibprover.games.search import Discovery
from fibprover.games.theorem import Theorem
from fibprover.learn.standard import WordPredicate
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.evaluate.trace import Record, Trace
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.verdict import Verdict
from fibprover.words.automatic import AutomaticWord
from fibprover.workspace.session import Session
from tests.display.html import elements, images, read


@pytest.fixture
def s() -> Session:
    return Session("msd_fib")


@pytest.mark.parametrize(
    "kind", [AutomaticWord, Board, Dfa, Discovery, Drawing, Game, Relation, Theorem, Trace, Verdict], ids=str
)
def test_every_kind_is_registered(kind: type) -> None:
    assert issubclass(kind, RichlyDisplayed)
    module = game_values if kind.__module__.startswith("fibprover.games.") else values
    assert module.html.dispatch(kind) is not module.html.dispatch(object)
    assert module.text.dispatch(kind) is not module.text.dispatch(object)


def test_what_is_no_value_of_fibprover_is_refused() -> None:
    for function in (values.html, values.text):
        with pytest.raises(TypeError, match="int is not displayed"):
            function(1)


# -- verdicts and traces -----------------------------------------------------------------------------


def test_a_verdict(s: Session) -> None:
    verdict = s.prove("Ax,y x<y => x+5<y+3")
    shown = read(verdict._repr_html_())
    assert shown.text.startswith("FALSE Ax,y x<y => x+5<y+3")
    assert "least counterexample: x = 0, y = 1" in shown.text
    (folded,) = elements(verdict._repr_html_(), "details")
    assert "open" not in folded.attributes
    records = verdict.trace.records
    assert f"{len(records)} steps, largest automaton {verdict.trace.largest} states" in folded.text
    assert len(elements(verdict._repr_html_(), "tr")) == 1 + len(records)
    assert pretty(verdict) == "FALSE\n  least counterexample: x = 0, y = 1"
    assert repr(verdict) == "Verdict(FALSE, 'Ax,y x<y => x+5<y+3')"


def test_evidence_that_is_not_found_within_the_limits(s: Session) -> None:
    found = s.prove("Ex x>5")
    poor = replace(found, limits=Limits(states=1), cache=Cache(), met={})
    assert pretty(poor) == "TRUE\n  (the witness was not found within the limits)"
    assert "(the witness was not found within the limits)" in read(poor._repr_html_()).text


def test_a_trace_is_a_tree_with_sizes(s: Session) -> None:
    trace = s.prove("An Em m>n & (Ek k+k=m)").trace
    shown = trace._repr_html_()
    (unfolded,) = elements(shown, "details")
    assert "open" in unfolded.attributes
    rows = [row.text for row in elements(shown, "tr")]
    assert rows[0] == "statestransitionsexpectedmsstep"
    assert len(rows) == 1 + len(trace.records)
    for record in trace.records:
        assert any(" ".join(record.label.split()) in row and str(record.states) in row for row in rows)
    assert pretty(trace).startswith("states")


def test_a_long_trace_is_cut(s: Session) -> None:
    records = tuple(Record(f"x<{n}", "atom", n, n, 0.1, True) for n in range(2000))
    shown = Trace(records, 1999, 0.1)._repr_html_()
    assert len(elements(shown, "tr")) == 1 + MOST_STEPS
    assert f"and {2000 - MOST_STEPS} more steps" in read(shown).text
    assert len(elements(shown, "rect")) <= BARS
    assert "no steps" in pretty(Trace((), 0, 0.0))


def test_a_chart_is_as_high_as_the_logarithms() -> None:
    bars = elements(chart([(1, "one"), (3, "three"), (15, "<fifteen>")]), "rect")
    heights = [float(bar.attributes["height"]) for bar in bars]
    assert heights == pytest.approx([heights[2] / 4, heights[2] / 2, heights[2]], abs=0.06)
    assert [bar.text for bar in bars] == ["one", "three", "<fifteen>"]
    assert chart([(5, "alone")]) == ""


# -- relations ---------------------------------------------------------------------------------------


def test_a_relation(s: Session) -> None:
    relation = s.relation("x+y=4")
    shown = relation._repr_html_()
    text = read(shown).text
    assert "{x:msd_fib, y:msd_fib}: finite" in text
    assert [row.text for row in elements(shown, "tr")][:6] == ["xy", *(f"{x}{y}" for x, y in relation.first(5))]
    titles = {each.text: each.attributes["title"] for each in elements(shown, "span") if "title" in each.attributes}
    assert titles == {"0": "0 in msd_fib", "1": "1 in msd_fib", "2": "10 in msd_fib", "3": "100 in msd_fib",
                      "4": "101 in msd_fib"}
    (drawing,) = images(shown)
    assert drawing.count("<circle") >= relation.states
    assert pretty(relation).startswith("{x:msd_fib, y:msd_fib}: finite")


def test_an_infinite_relation_has_more(s: Session) -> None:
    shown = s.relation("x>=0")._repr_html_()
    assert len(elements(shown, "tr")) >= 11
    assert "and more" in read(shown).text


def test_an_empty_relation(s: Session) -> None:
    shown = read(s.relation("x<0")._repr_html_()).text
    assert "{x:msd_fib}: empty, 1 state" in shown


def test_a_formula_cannot_leave_its_place(s: Session) -> None:
    evil = "x<3 & x>0"
    relation = s.relation(evil)
    assert "<3" not in relation._repr_html_()
    named = Relation(relation.automaton, relation.system, "</code><script>alert(1)</script>", relation.trace)
    assert "<script" not in named._repr_html_()
    assert "<script" not in images(named._repr_html_())[0]
    assert "</code><script>alert(1)</script>" in read(named._repr_html_()).text


def test_words_over_plain_alphabets(s: Session) -> None:
    shown = s.reg("r", [[0, 1], [0, 12]], "[0,12]*[1,0]")._repr_html_()
    assert "[12]" in read(shown).text


def test_an_lsd_relation_is_drawn_as_it_is_read() -> None:
    s = Session("lsd_2")
    relation = s.relation("x=4")
    assert relation.to_reading_order() != relation.automaton
    (drawing,) = images(relation._repr_html_())
    assert drawing == draw(relation, layout="own").svg


# -- drawings ----------------------------------------------------------------------------------------


def test_too_many_states_are_not_drawn(s: Session) -> None:
    relation = s.relation("a+b=c+d")
    assert relation.states > INLINE_STATES
    shown = relation._repr_html_()
    assert images(shown) == []
    assert f"{relation.states} states: not drawn; fibprover.draw(..) draws it" in read(shown).text
    drawing = draw(relation, limit=50)
    assert images(drawing._repr_html_()) == []
    assert "66 states: not drawn; use limit=66" in read(drawing._repr_html_()).text
    with pytest.raises(LimitError, match="66 states: not drawn"):
        _ = drawing.svg
    assert len(images(draw(drawing, limit=66)._repr_html_())) == 1


def test_more_states_than_are_drawn_say_how(s: Session) -> None:
    relation = s.relation("x=1000 | x=100000000 | y=123456789123456789123456789 & x+y<z+5 | z=98765432198765432100000")
    assert relation.automaton.states > 200
    assert f"fibprover.draw(.., limit={relation.automaton.states}) draws it" in read(relation._repr_html_()).text


def test_drawings_are_written(s: Session, tmp_path: Path) -> None:
    drawing = draw(s.relation("x<3"), name="three")
    assert drawing.save(tmp_path / "d.svg").read_text() == drawing.svg
    assert drawing.save(tmp_path / "d.gv").read_text() == drawing.dot
    assert "three" in drawing.svg
    with pytest.raises(FibproverError, match=r"\*\.svg"):
        drawing.save(tmp_path / "d.bmp")
    assert pretty(drawing).startswith("the automaton three: ")
    assert drawing.save(tmp_path / "d.tex").read_text() == drawing.tikz
    assert drawing.save(tmp_path / "e.tex", standalone=True).read_text() == drawing.tex
    assert drawing.tikz.startswith("% three (x)\n") and drawing.tex.startswith("\\documentclass")
    pytest.importorskip("matplotlib")
    own = draw(drawing, layout="own")
    assert own.save(tmp_path / "d.png").read_bytes() == own.png
    assert own.save(tmp_path / "d.pdf").read_bytes() == own.pdf


def test_a_notebook_does_not_wait_for_graphviz(s: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "dot"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    relation = s.relation("x<3")
    assert len(images(relation._repr_html_())) == len(images(draw(relation)._repr_html_())) == 1
    with pytest.raises(FibproverError, match="dot failed"):
        _ = draw(relation).svg
    with pytest.raises(FibproverError, match="dot failed"):
        draw(relation, layout="graphviz")._repr_html_()


def test_what_has_no_automaton_is_not_drawn(s: Session) -> None:
    with pytest.raises(FibproverError, match="Verdict has no automaton"):
        draw(s.prove("Ax x=x"))


def test_an_automaton(s: Session) -> None:
    valid = s.namespace.system("msd_fib").valid
    assert len(images(valid._repr_html_())) == 1
    assert pretty(valid) == read(valid._repr_html_()).text == "automaton (x:msd_fib): 2 states, 3 transitions"


# -- words -------------------------------------------------------------------------------------------


def test_a_word(s: Session) -> None:
    word = s.define_morphic_word("F", [[0, 1], [0]], [0, 1])
    shown = word._repr_html_()
    letters = [each for each in elements(shown, "span") if "background" in each.attributes.get("style", "")]
    assert len(letters) == values.LETTERS
    assert "".join(letter.text for letter in letters).startswith("0100101001001")
    assert letters[4].attributes["title"] == "F[4] = 1 (101)"
    assert len({letter.attributes["style"] for letter in letters}) == 2
    assert len(images(shown)) == 1
    assert pretty(word).startswith("F: over msd_fib, letters 0, 1, 2 states\n  0100101001001")


def test_letters_of_several_figures_keep_their_columns(s: Session) -> None:
    word = s.define_morphic_word("W", [[0, 1], [0]], [-1, 12])
    shown = word._repr_html_()
    assert pretty(word).endswith("...")
    assert pretty(word).split("\n")[1].startswith("  -1 12 -1 -1 12 ")
    letters = [each.text for each in elements(shown, "span") if "background" in each.attributes.get("style", "")]
    assert set(letters) == {"-1", "12"}


def test_a_word_at_integers_shows_those_below_0(s: Session) -> None:
    s.run('def below "?msd_neg_2 x<0"; combine B below; def less "?msd_neg_2 x<y"; combine L less;')
    spans = elements(s.namespace.words["B"]._repr_html_(), "span")
    cells = [each.attributes["title"] for each in spans if "title" in each.attributes]
    assert cells[0].startswith("B[-80] = 1") and "B[-1] = 1 (11)" in cells and "B[0] = 0 (0)" in cells
    pairs = s.namespace.words["L"]._repr_html_()
    assert "L[-12][-12] = 0" in pairs and "L[-3][2] = 1 (1101, 110)" in pairs


def test_a_word_with_indices_of_two_systems(s: Session) -> None:
    s.run('def mixed "?msd_3 x=2 & ?msd_fib y=4"; combine M mixed;')
    assert "M[2][4] = 1 (2, 101)" in s.namespace.words["M"]._repr_html_()


def test_a_word_at_words_says_so(s: Session) -> None:
    s.run('reg letters {-1,0,12} "[12]*"; combine W letters;')
    assert "the letters are not listed: the indices are words over an alphabet" in s.namespace.words["W"]._repr_html_()


def test_a_word_of_two_indices(s: Session) -> None:
    word = s.namespace.library_words["pascal"]
    shown = word._repr_html_()
    letters = [each for each in elements(shown, "span") if "background" in each.attributes.get("style", "")]
    assert len(letters) == values.SIDE**2
    assert letters[values.SIDE + 1].attributes["title"].startswith("pascal[1][1] = ")
    assert pretty(word) == f"pascal: {values.word_sizes(word)}"


def test_a_word_over_a_system_that_only_its_session_knows() -> None:
    s = Session()
    word = s.define_morphic_word("W", [[0, 1], [1, 0]], [0, 1])
    track = word.tracks[0]._replace(system="msd_mine_alone")
    machine = Dfa((track,), word.machine.offsets, word.machine.codes, word.machine.targets, word.machine.outputs)
    foreign = AutomaticWord("W", machine)
    assert "is not known here" in read(foreign._repr_html_()).text
    assert pretty(foreign) == "W: over msd_mine_alone, letters 0, 1, 2 states"
    known = values.word_html(foreign, lambda name: s.namespace.system("msd_2"))
    assert "is not known here" not in read(known).text


def test_what_commands_answer_is_printed(s: Session) -> None:
    """These are shown as print does, and have a short repr where the fields would be a wall of text."""
    s.define("p", "x<5 | Ey x=5*y")
    shown = [s.test("p", 3), s.describe("p"), s.inf("p"), s.counts("n", "x<n")]
    found = s.infer_word("W", [n % 2 for n in range(200)])
    assert [pretty(each) for each in (*shown, found)] == [str(each) for each in (*shown, found)]
    assert str(found).startswith("W: 8 letters over msd_fib") and "morphism: 0 -> 0 1" in str(found)
    (command, _), = s.run('def q "x=1";')
    assert all(len(repr(each)) < 80 and "\n" not in repr(each) for each in (shown[-1], found, command, s.namespace))
    assert "def q" in repr(command)


def test_texts_are_what_the_command_line_prints(s: Session) -> None:
    for formula in ("Ex x>3", "Ax x>3", "x+y=3", "x<0"):
        outcome = s.eval(formula)
        assert pretty(outcome) == outcome_text(outcome, 10)


# -- relations that are defined by recursion ---------------------------------------------------------


def test_solutions_and_predicates_of_words() -> None:
    session = Session("msd_2")
    solution = session.solve("even", "n=0 | Em n=m+1 & ~$even(m)")
    page = solution._repr_html_()
    shown = read(page)
    assert shown.text.startswith("even: the only relation that satisfies the recursion, proved by induction on n")
    statements = solution.theorem.statements
    assert all(f"TRUE {statement}" in shown.text for statement in statements)
    assert pretty(solution) == str(solution) and pretty(solution.theorem) == str(solution.theorem)
    assert len(elements(solution.theorem._repr_html_(), "code")) == len(statements)
    built = session.namespace.library_words["T"].palindromes()
    assert "built from the formula" in read(built._repr_html_()).text and pretty(built) == str(built)
    learned = WordPredicate(built.name, built.formula, built.relation, solution.theorem)
    assert "proved by induction on n" in read(learned._repr_html_()).text
