"""Automata, members and letters in a browser, compared with what the prover says of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import fibprover as fp
from fibprover.frontends.display.page.figures import SIDE
from tests.page.browser import Browser
from tests.page.made import Made

pytestmark = pytest.mark.browser

Show = Callable[[Made], Browser]


def test_a_drawing_has_every_state_and_every_letter(shown: Show, paper: Made) -> None:
    browser = shown(paper)
    browser.look_at("pposK2", "pposK2")
    browser.tab("Automaton")
    entry = next(entry for entry in paper.content["names"] if entry["name"] == "pposK2")
    arrays = paper.content["automata"][entry["automaton"]]
    texts = browser.texts("#viewer .graph text")
    assert entry["states"] == 27
    assert sorted(text for text in texts if text.isdigit()) == sorted(map(str, range(27)))
    assert browser.count("#viewer .graph circle") == entry["states"] + sum(map(bool, arrays["outputs"]))
    targets = iter(arrays["targets"])
    edges = {(state, next(targets)) for state, row in enumerate(arrays["rows"]) for _ in arrays["codes"][row]}
    assert browser.count("#viewer .graph .wire") == len(edges) + 1  # and the one into the initial state
    # Nothing lies outside of the drawing.
    inside = browser.run(
        """
        const svg = document.querySelector("#viewer .graph");
        const [x, y, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
        const parts = [...svg.querySelectorAll("circle, text, .wire")].map((part) => part.getBBox());
        return parts.every((part) => part.x >= x && part.y >= y && part.x + part.width <= x + width
          && part.y + part.height <= y + height);
        """
    )
    assert inside


def test_labels_are_the_letters(shown: Show, odd: Made) -> None:
    """The boxes on the arrows, taken apart again, are the transitions."""
    browser = shown(odd)
    browser.look_at("n.sums", "line")
    browser.tab("Automaton")
    labels = [text for text in browser.texts("#viewer .graph text") if text.startswith("[")]
    letters = [
        (x, y)
        for label in " ".join(labels).split()
        for x in label.strip("[]").split(",")[0].replace("*", "01")
        for y in label.strip("[]").split(",")[1].replace("*", "01")
    ]
    relation = fp.Session("msd_neg_2").relation("y=2*x").automaton
    # The boxes of an arrow may overlap.
    assert len(labels) == len({(state, to) for state in range(relation.states) for _, to in relation.row(state)})
    assert set(letters) == {
        tuple(map(str, relation.letter(code))) for state in range(relation.states) for code, _ in relation.row(state)
    }


def test_a_language_over_letters_has_an_automaton_and_no_board(shown: Show, paper: Made) -> None:
    browser = shown(paper)
    names = [entry["name"] for entry in paper.content["names"]]
    browser.look_at("K2.stable.printed", "pposK2")
    # From definition to definition: pposK2, pposK2_asym, phin, shift; and back.
    for name in ("pposK2_asym", "phin", "shift"):
        assert name in names
        link = next(b for b in browser.driver.find_elements("css selector", "#viewer .name") if b.text == name)
        link.click()
        assert browser.text("#viewer-title").startswith(name)
    assert browser.texts("#viewer [role=tab]") == ["Automaton"]
    assert browser.count("#viewer .graph .state") > 2
    browser.click("#viewer .back")
    assert browser.text("#viewer-title") == "phin(n,s)"
    browser.click("#viewer .close")
    browser.until("return !document.getElementById('viewer').open")


def test_what_is_too_large_is_not_drawn(shown: Show, odd: Made) -> None:
    browser = shown(odd)
    sizes = {entry["name"]: entry["states"] for entry in odd.content["names"]}
    assert sizes["wide"] > 80
    browser.look_at("w.wide", "wide")
    browser.tab("Automaton")
    assert browser.text("#viewer .panel .none") == f"{sizes['wide']:_} states: not drawn".replace("_", "\u202f")
    wanted = {(x, 97 * x + 11) for x in range(11)}
    assert max(y for _, y in wanted) < SIDE
    browser.tab("Board")
    assert browser.counted() == {"alone": len(wanted)}


# -- members -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("theorem", "name", "system", "formula"),
    [
        ("t.macro", "even", "lsd_fib", "Ey x=2*y"), ("n.line", "line", "msd_neg_2", "y=2*x"),
        ("n.sums", "sums", "msd_neg_2", "x+y=z & x<y"), ("t.<b>x</b>&amp;", "less", "lsd_fib", "x<y & x+y<30"),
    ],
)
def test_the_first_members(shown: Show, odd: Made, theorem: str, name: str, system: str, formula: str) -> None:
    browser = shown(odd)
    browser.look_at(theorem, name)
    browser.tab("Members")
    tuples = fp.Session(system).relation(formula).first(60)
    wanted = [str(values[0]) if len(values) == 1 else f"({','.join(map(str, values))})" for values in tuples]
    assert browser.text(".members").startswith(", ".join(wanted))


def test_no_member_among_the_first_numbers(shown: Show, odd: Made) -> None:
    browser = shown(odd)
    browser.look_at("w.wide", "big")
    browser.tab("Members")
    assert browser.text(".members") == "none among the first numbers"


def test_the_letters_of_a_word(shown: Show, odd: Made) -> None:
    browser = shown(odd)
    browser.look_at("w.ones", "T")
    browser.tab("Letters")
    assert browser.texts(".letter") == [str(n.bit_count() % 2) for n in range(300)]
    grounds = [browser.colour(f".letter:nth-child({n})", "backgroundColor") for n in (1, 2, 3, 4)]
    assert grounds[0] == grounds[3] != grounds[1] == grounds[2]


def test_numbers_run_along_a_drawing(shown: Show, odd: Made) -> None:
    """The way of digits ends where the relation says, and is on arrows that are drawn."""
    browser = shown(odd)
    browser.look_at("n.sums", "line")
    browser.tab("Automaton")
    relation = fp.Session("msd_neg_2").relation("y=2*x")
    x, y = browser.driver.find_elements("css selector", "#viewer .runner input[type=text]")
    for pair in ((3, 6), (-5, -10), (4, 7)):
        for field, number in zip((x, y), pair, strict=True):
            field.clear()
            field.send_keys(str(number))
        said = browser.text("#viewer .runner .said")
        assert ("is in the set" in said) == (pair in relation), said
        assert browser.count("#viewer .graph circle.here") >= 1
    x.clear()
    x.send_keys("100000")
    assert "Type a number" in browser.text("#viewer .runner .said")
    assert browser.count("#viewer .graph .passed") == 0
