"""Games played in a browser: on the small board, with blocking, in misere play, and at piles of 30 digits."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.frontends.cli.main import main
from fibprover.frontends.display.page.play import greedy_weights
from fibprover.games.positions import grundy, positions
from fibprover.games.rules import Position
from tests.page.browser import Browser
from tests.page.made import Made, made

Show = Callable[[Made], Browser]

#: The piles of the small board are below this.
SMALL = 24

TABLE = ".play .table"


@pytest.fixture(scope="module")
def wythoff(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return made(tmp_path_factory.mktemp("wythoff"), "game", "wythoff()", "--no-findings")


@pytest.fixture(scope="module")
def blocked(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return made(tmp_path_factory.mktemp("blocked"), "game", "blocking(3)", "--no-findings")


@pytest.fixture(scope="module")
def parity(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A game whose moves are no polyhedra, in misere play."""
    rules = "(i=0 & Ek j=2*k+1) | (j=0 & Ek i=2*k+1)"
    return made(tmp_path_factory.mktemp("parity"), "game", rules, "--misere", "--no-findings")


def test_weights_are_those_of_greedy_systems() -> None:
    for name, first in (("msd_fib", [1, 2, 3, 5]), ("msd_3", [1, 3, 9, 27]), ("msd_trib", [1, 2, 4, 7])):
        found = greedy_weights(fp.Session(name).namespace.system(name))
        assert found is not None
        assert found[:4] == first
    assert greedy_weights(fp.Session("msd_neg_2").namespace.system("msd_neg_2")) is None


@pytest.mark.parametrize("name", ["wythoff", "blocked", "parity"])
def test_rules_are_on_the_page(name: str, request: pytest.FixtureRequest) -> None:
    play = request.getfixturevalue(name).content["items"][0]["play"]
    assert (play["blocked"], play["misere"]) == ((2, False) if name == "blocked" else (0, name == "parity"))
    assert ("automaton" in play["steps"]) is (name == "parity")
    kinds = len(play["large"]["steps"])
    assert kinds == len(play["large"]["winning"]) > 0


def test_games_with_a_pass_are_not_played(tmp_path: Path) -> None:
    found = made(tmp_path, "game", "nim(1,2)", "--pass", "--largest", "3000", "--no-findings")
    assert found.content["items"][0]["play"] is None


# -- in a browser ------------------------------------------------------------------------------------------------------


def opened(shown: Show, found: Made, mode: str) -> Browser:
    browser = shown(found)
    browser.run("document.querySelector('.play-holder').scrollIntoView()")
    browser.until("return document.querySelector('.play .table') !== null")
    browser.click(f'.play [data-mode="{mode}"]')
    return browser


def places(browser: Browser, kinds: str) -> set[Position]:
    """The squares of the small board with these classes."""
    script = "return [...document.querySelectorAll(arguments[0])].map(e => e.dataset.place.split(',').map(Number))"
    return {(a, b) for a, b in browser.run(script, f".play .square{kinds}")}


def begin(browser: Browser, a: int, b: int, first: str) -> None:
    """Starts a game from a position."""
    script = (
        "const form = document.querySelector('.play .from').elements;"
        "[form.a.value, form.b.value, form.first.value] = arguments"
    )
    browser.run(script, str(a), str(b), first)
    browser.click(".play .from [type=submit]")


def move(browser: Browser, to: Position) -> None:
    """Types a move."""
    script = "const form = document.querySelector('.play .to').elements; [form.r.value, form.s.value] = arguments"
    browser.run(script, *map(str, to))
    browser.click(".play .to [type=submit]")


def log(browser: Browser) -> list[tuple[str, Position]]:
    """The positions of a game in turn, with who moved to them."""
    found = []
    for line in browser.texts(".play .log li"):
        if line.startswith(("(", "You:", "The page:")):
            who, _, place = line.rpartition("(")
            a, b = place.replace("\u202f", "").rstrip(")").split(",")
            found.append((who.strip(), (int(a), int(b))))
    return found


def options(a: int, b: int, *, odd: bool = False) -> set[Position]:
    """The options of a position of Wythoff's game, or where an odd number is taken from one pile."""
    step = 2 if odd else 1
    found = {(a - i, b) for i in range(1, a + 1, step)} | {(a, b - i) for i in range(1, b + 1, step)}
    return found if odd else found | {(a - i, b - i) for i in range(1, min(a, b) + 1)}


@pytest.mark.browser
@pytest.mark.parametrize(("name", "rules"), [("wythoff", "wythoff()"), ("blocked", "blocking(3)"), ("parity", "")])
def test_the_small_board_is_that_of_the_game(
    name: str, rules: str, shown: Show, request: pytest.FixtureRequest
) -> None:
    browser = opened(shown, request.getfixturevalue(name), "moves")
    wanted = (
        set(positions(rules, SMALL).pairs) if rules
        else {(a, b) for a in range(SMALL) for b in range(SMALL) if (a + b) % 2 == 1}
    )
    assert places(browser, ".lost") == wanted
    for place in ((17, 21), (0, 5), (23, 23)):
        browser.click(f'.play [data-place="{place[0]},{place[1]}"]')
        there = options(*place, odd=not rules)
        assert places(browser, ".option") == there
        assert places(browser, ".option.lost") == there & wanted
        assert f"{len(there)} moves, {len(there & wanted)} to P-positions" in browser.text(".play .said")
        assert places(browser, ".here") == {place}


@pytest.mark.browser
def test_values_have_numbers_and_patterns(shown: Show, wythoff: Made) -> None:
    browser = opened(shown, wythoff, "values")
    wanted = grundy("wythoff()", SMALL).tolist()
    script = (
        "return [...document.querySelectorAll('.play .square')].map(e => [e.dataset.place, e.textContent,"
        " e.querySelector('rect').getAttribute('fill'), e.querySelectorAll('rect')[1]?.getAttribute('fill') ?? ''])"
    )
    looks: dict[int, tuple[str, str]] = {}
    for place, text, fill, pattern in browser.run(script):
        a, b = map(int, place.split(","))
        assert int(text) == wanted[a][b]
        looks.setdefault(int(text), (fill, pattern))
        assert looks[int(text)] == (fill, pattern)
    # Two values below 40 never look the same, and the pattern alone tells the eight.
    assert len({looks[value] for value in looks if value < 40}) == sum(value < 40 for value in looks)
    assert all((looks[value][1] == "") == (value < 8) for value in looks)
    assert all(browser.run("return document.querySelector(arguments[0]) !== null", fill[4:-1]) for _, fill in
               looks.values() if fill)


@pytest.mark.browser
def test_the_page_wins_from_an_n_position(shown: Show, wythoff: Made) -> None:
    browser = opened(shown, wythoff, "play")
    lost = set(positions("wythoff()", SMALL).pairs)
    begin(browser, 17, 21, "page")
    chance = random.Random(36)
    while "Play has ended" not in browser.text(".play .said"):
        who, at = log(browser)[-1]
        assert who == "The page:"
        assert at in lost
        assert places(browser, ".lost") == set()
        a, b = chance.choice(sorted(options(*at)))
        browser.click(f'.play [data-place="{a},{b}"]')
    assert browser.text(".play .said") == "Play has ended at (0, 0). The page wins."
    moves = log(browser)
    assert all(after in options(*before) for (_, before), (_, after) in pairwise(moves))


@pytest.mark.browser
def test_a_move_that_the_rules_do_not_have_is_refused(shown: Show, wythoff: Made) -> None:
    browser = opened(shown, wythoff, "play")
    begin(browser, 10, 4, "you")
    move(browser, (9, 2))
    assert "no such move" in browser.text(".play .said")
    assert [place for _, place in log(browser)] == [(10, 4)]
    begin(browser, 10, -4, "you")
    assert "number" in browser.text(".play .said")


@pytest.mark.browser
def test_a_player_who_follows_the_hints_wins_at_thirty_digits(shown: Show, wythoff: Made) -> None:
    browser = opened(shown, wythoff, "play")
    browser.click(".play [name=hints]")
    theorem = fp.discover("wythoff()", with_findings=False)
    start = (10**30 + 7, 1234567890123456789012345678901)
    assert start not in theorem
    begin(browser, *start, "you")
    turns = 0
    while "Play has ended" not in browser.text(".play .said"):
        _, move_to, hint = browser.text(".play .said").partition("A move to (")
        assert move_to, browser.text(".play .said")
        a, b = (int(pile) for pile in hint.partition(")")[0].replace("\u202f", "").split(","))
        before = log(browser)[-1][1]
        assert (a, b) in theorem
        assert a == before[0] or b == before[1] or before[0] - a == before[1] - b
        move(browser, (a, b))
        turns += 1
    assert browser.text(".play .said") == "Play has ended at (0, 0). You win."
    assert 3 < turns < 500


@pytest.mark.browser
def test_the_page_forbids_and_is_forbidden(shown: Show, blocked: Made) -> None:
    browser = opened(shown, blocked, "play")
    lost = set(positions("blocking(3)", SMALL).pairs)
    # From a P-position all options that are P-positions are forbidden.
    at = (7, 14) if (7, 14) in lost else max(lost)
    begin(browser, *at, "you")
    there = options(*at)
    said = browser.text(".play .said")
    forbidden = there & lost
    assert all(f"({a}, {b})" in said for a, b in forbidden)
    assert len(forbidden) <= 2
    for place in forbidden:
        move(browser, place)
        assert "it is forbidden" in browser.text(".play .said")
    # From an N-position the page moves to a P-position, whatever two are forbidden.
    at = next((a, b) for a in range(12, SMALL) for b in range(12, SMALL) if (a, b) not in lost)
    begin(browser, *at, "page")
    good = sorted(options(*at) & lost)
    for a, b in good[:2]:
        browser.click(f'.play [data-place="{a},{b}"]')
    assert browser.count(".play .forbidden") == 2
    browser.click(".play .done")
    who, to = log(browser)[-1]
    assert who == "The page:"
    assert to in set(good[2:])


@pytest.mark.browser
def test_keys_move_the_cross_and_choose(shown: Show, wythoff: Made) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = opened(shown, wythoff, "moves")
    browser.run("document.querySelector(arguments[0]).focus()", TABLE)
    browser.type(Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.ARROW_UP)
    assert places(browser, ".here") == {(1, 2)}
    assert browser.text(".play .said").startswith("From (1, 2), a P-position, there are 4 moves, 0 to P-positions")


#: An atlas of two games on two piles and one on three, which is not played.
ATLAS = """
title = "A small atlas"
[[game]]
id = "nim"
name = "Nim"
moves = "nim()"
source = { authors = "C. L. Bouton", title = "Nim", year = 1901 }
known = "The P-positions are the pairs of equal piles."
earlier = "proved"

[[game]]
id = "king"
name = "A king"
moves = "i<=1 & j<=1"
source = { authors = "nobody", title = "a test", year = 2026 }
known = "Nothing."
earlier = "none known"

[[game]]
id = "three"
name = "Nim on three piles"
moves = "nim3()"
source = { authors = "C. L. Bouton", title = "Nim", year = 1901 }
known = "The sum without carries is 0."
earlier = "proved"
"""


@pytest.mark.browser
def test_games_of_an_atlas_are_played(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(ATLAS)
    assert main(["atlas", str(file), "--html", str(tmp_path / "page")]) == 0
    browser.open((tmp_path / "page" / "index.html").as_uri())
    assert browser.run("return [...document.querySelectorAll('.open-play')].map(e => e.closest('.card').id)") == [
        "nim", "king",
    ]
    browser.click("#king .open-play")
    assert browser.text("#viewer-title") == "A king"
    assert places(browser, ".lost") == {(a, b) for a in range(0, SMALL, 2) for b in range(0, SMALL, 2)}
    browser.click('.play [data-mode="play"]')
    begin(browser, 5, 9, "page")
    assert log(browser)[-1] == ("The page:", (4, 8))
    browser.click(".viewer .close")
    browser.click("#nim .open-play")
    assert places(browser, ".lost") == {(a, a) for a in range(SMALL)}
