"""Automata and numbers as the page gets them."""

from __future__ import annotations

import re
from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fibprover as fp
from fibprover.frontends.display.diagram import own_diagram
from fibprover.frontends.display.page import figures
from fibprover.frontends.display.page.figures import SIDE, Figures, packed_pairs, packed_words, pad
from fibprover.frontends.display.page.glossary import Glossary, used
from fibprover.prover.environment import Definition


def unpacked(text: str, length: int) -> list[tuple[int, ...]]:
    """What the page's script does (numbers.js)."""
    word: tuple[int, ...] = (0,) * length
    found = []
    for part in text.split(" "):
        word = (*word[: length - len(part)], *(ord(sign) - 48 for sign in part))
        found.append(word)
    return found


@pytest.mark.parametrize("name", ["msd_fib", "msd_2", "msd_10", "msd_wythoff_20", "msd_trib", "msd_neg_2", "lsd_fib"])
def test_the_words_of_a_system(name: str) -> None:
    system = fp.system_named(name)
    found = Figures(fp.system_named)
    found.add(fp.Session(name).relation("x=y").automaton)
    packed = found.objects()["systems"][name]
    words = unpacked(packed["words"], packed["length"])
    assert len(words) == SIDE
    assert packed["first"] == (-SIDE // 2 if system.signed else 0)
    assert [system.value(word) for word in words] == list(range(packed["first"], packed["first"] + SIDE))
    assert len(packed["words"]) < 5 * SIDE


@given(st.lists(st.tuples(*[st.integers(0, 50)] * 4), min_size=1))
def test_packing_loses_nothing(words: list[tuple[int, ...]]) -> None:
    assert unpacked(packed_words(words), 4) == words


def test_padding() -> None:
    assert (pad((), 2), pad((1, 0), 4), pad((3,), 1)) == ((0, 0), (0, 0, 1, 0), (3,))


def test_pairs_are_gaps() -> None:
    pairs = [(0, 0), (0, 3), (2, 1), (SIDE, 0), (0, SIDE), (SIDE - 1, SIDE - 1)]
    gaps = packed_pairs(pairs)
    places = [sum(gaps[: i + 1]) for i in range(len(gaps))]
    assert places == [0, 3, 2 * SIDE + 1, SIDE * SIDE - 1]
    assert packed_pairs([]) == []


def test_an_automaton_comes_once_whatever_its_tracks_are_called() -> None:
    session = fp.Session("msd_fib")
    found = Figures(session.namespace.system)
    numbers = [found.add(session.relation(text).automaton) for text in ("x<y", "a<b", "x<=y")]
    assert numbers == [0, 0, 1]
    other = fp.Session("msd_wythoff_1").relation("x<y").automaton
    assert found.add(other) == 2  # the same arrays over another system are another set
    arrays = found.objects()["automata"][0]
    automaton = session.relation("x<y").automaton
    rows = [list(arrays["codes"][row]) for row in arrays["rows"]]
    assert [len(row) for row in rows] == [end - begin for begin, end in pairwise(automaton.offsets)]
    assert ([*chain(*rows)], arrays["targets"]) == (automaton.codes.tolist(), automaton.targets.tolist())
    assert len(set(arrays["codes"])) == len(arrays["codes"])
    assert (arrays["outputs"], arrays["systems"]) == (automaton.outputs.tolist(), ["msd_fib", "msd_fib"])


def test_what_is_too_large_is_left_out_the_largest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    session = fp.Session("msd_fib")
    found = Figures(session.namespace.system)
    automata = [session.relation(text).automaton for text in ("x+y=z", "x=0", "x<y")]
    for automaton in automata:
        found.add(automaton)
    sizes = [automaton.transitions for automaton in automata]
    assert sizes[0] > sizes[2] > sizes[1]
    monkeypatch.setattr(figures, "MOST_TOGETHER", sum(sizes) - 1)
    assert [item is None for item in found.objects()["automata"]] == [True, False, False]
    monkeypatch.setattr(figures, "MOST_TRANSITIONS", sizes[2] - 1)
    assert [item is None for item in found.objects()["automata"]] == [True, False, True]


# -- drawings ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "formula"), [("msd_fib", "x+y=z"), ("msd_2", "x=3*y"), ("msd_neg_2", "y=2*x")])
def test_a_drawing_has_the_places_of_the_diagram(system: str, formula: str) -> None:
    automaton = fp.Session(system).relation(formula).automaton
    diagram, found = own_diagram(automaton, ""), figures.drawing(automaton, word=False)
    assert found["nodes"] == [round(length) for place in diagram.places for length in place]
    assert found["doubled"] == [state for state in range(automaton.states) if automaton.outputs[state]]
    assert found["texts"] is None
    assert found["entry"] == round(diagram.entry[0])
    for (forward, label, x, y, path, source, target), arc in zip(found["edges"], diagram.arcs, strict=True):
        assert (bool(forward), label.split("\n")) == (arc.forward, list(arc.lines))
        assert (source, target) == (arc.source, arc.target)
        assert (x, y) == (round(arc.label[0]), round(arc.label[1]))
        assert points_of(path) == [(round(px), round(py)) for px, py in arc.curve]


def points_of(path: str) -> list[tuple[int, int]]:
    """The points of a path of SVG, as a browser reads it: `M` and one point, then `c` and three steps from the last."""
    begin, *curves = path.split("c")
    assert begin[0] == "M"
    x, y = map(int, begin[1:].split())
    points = [(x, y)]
    for curve in curves:
        last_x, last_y = points[-1]
        numbers = [int(number) for number in re.findall(r"-?\d+", curve)]
        assert len(numbers) == 6
        points += [(last_x + dx, last_y + dy) for dx, dy in zip(numbers[::2], numbers[1::2], strict=True)]
    return points


def test_a_drawing_comes_once_and_a_word_has_letters_in_its_states() -> None:
    session = fp.Session("msd_2")
    found = Figures(session.namespace.system)
    machine = session.define_morphic_word("T", [(0, 1), (1, 0)], (0, 1)).machine
    assert [found.draw(machine, word=word) for word in (True, False, True)] == [0, 1, 0]
    assert [drawing["texts"] for drawing in found.objects()["drawings"]] == [["0/0", "1/1"], None]


def test_what_is_too_large_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    automaton = fp.Session("msd_fib").relation("x+y=z").automaton
    monkeypatch.setattr(figures, "MOST_DRAWN_EDGES", 30)
    assert "arrows: not drawn" in figures.drawing(automaton, word=False)["reason"]
    monkeypatch.setattr(figures, "MOST_DRAWN_STATES", automaton.states - 1)
    assert figures.drawing(automaton, word=False) == {"reason": f"{automaton.states} states: not drawn"}


# -- names ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "names"),
    [
        ("Ax $P(x) => W[x]=1", ["$P", "W"]),
        ("An EG[n]=1", []),  # E, then a variable G with an index that was never written so: no word is called EG
        ("Ex .AB[x]=1 & $P(W[x])", ["AB", "$P", "W"]),
        ("$Pa(x) & Wx[1]=0 & x=P & W=1", []),
        ("#m(x)", ["$P"]),
        ("#nothing(x) & $P(x)", ["$P"]),
    ],
)
def test_which_names_a_formula_uses(formula: str, names: list[str]) -> None:
    scope = {"$P": 0, "W": 1, "AB": 2, "EG": 3}
    assert list(used(formula, scope, {"m": "$P(%0)"})) == names


def test_an_lsd_relation_is_drawn_as_it_is_read_and_run_as_it_is_kept() -> None:
    session = fp.Session("lsd_fib")
    relation = session.relation("x<5")
    glossary = Glossary(Figures(session.namespace.system))
    glossary.define(Definition("small", relation.automaton, "x<5"), {}, "here:1")
    (entry,) = glossary.entries
    assert entry["states"] == relation.states
    content = glossary.figures.objects()
    assert content["drawings"][entry["drawn"]] == figures.drawing(relation.to_reading_order(), word=False)
    assert figures.drawing(relation.to_reading_order(), word=False) != figures.drawing(relation.automaton, word=False)
    assert content["automata"][entry["automaton"]]["targets"] == relation.automaton.targets.tolist()
    assert (entry["place"], entry["variables"], entry["systems"]) == ("here:1", ["x"], ["lsd_fib"])
