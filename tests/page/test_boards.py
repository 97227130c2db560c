"""Boards in a browser, compared with what the rules of the games say, which know nothing of automata."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fibprover.frontends.display.page.figures import SIDE
from fibprover.games.catalogue import game_of
from fibprover.games.positions import positions
from tests.page.browser import Browser
from tests.page.made import Made

pytestmark = pytest.mark.browser

Show = Callable[[Made], Browser]
Set = set[tuple[int, int]]

BOARD = "canvas.board"

LARGER = "return Number(document.querySelector(arguments[0]).dataset.view.split(' ')[2]) > arguments[1]"

#: Presses keys on the board: [key, how often] of its arguments, ten squares at a time if the third is true.
PRESS = """
    for (const [key, times, shiftKey] of arguments[1]) {
      for (let i = 0; i < times; i++) {
        const pressed = new KeyboardEvent("keydown", { key, shiftKey, bubbles: true });
        document.querySelector(arguments[0]).dispatchEvent(pressed);
      }
    }
"""


def p_positions(name: str) -> Set:
    """The P-positions below SIDE by the rules of the game, which knows nothing of automata."""
    found = positions(game_of(name), SIDE)
    return set(zip(found.a.tolist(), found.b.tolist(), strict=True))


def drawn(browser: Browser, board: str = BOARD) -> None:
    """Waits for a canvas to show what it was told last: until then its pixels are empty, or older."""
    browser.until("return document.querySelector(arguments[0])?.dataset.drawn !== undefined", board)


def view(browser: Browser) -> list[float]:
    """Column and row at the lower left, and pixels a square."""
    drawn(browser)
    return [float(part) for part in browser.element(BOARD).get_attribute("data-view").split()]


def tool(browser: Browser, name: str) -> None:
    next(b for b in browser.driver.find_elements("css selector", ".tools button") if b.text == name).click()


def under_the_cross(browser: Browser) -> tuple[str, str]:
    return browser.text(".readout .place"), browser.text(".readout strong")


# -- boards ----------------------------------------------------------------------------------------------------


def test_the_board_holds_the_positions(shown: Show, paper: Made) -> None:
    browser = shown(paper)
    browser.look_at("K3.stable", "P")
    wanted = p_positions("terminal(3)")
    assert browser.counted() == {"alone": len(wanted)}
    # Where the cross is, square by square, from (0,0) on.
    from selenium.webdriver.common.keys import Keys

    browser.run("document.querySelector(arguments[0]).focus()", BOARD)
    browser.type(Keys.ARROW_UP, Keys.ARROW_DOWN)
    seen: Set = set()
    for x in range(12):
        for y in range(12):
            place, said = under_the_cross(browser)
            assert place == f"(a, b) = ({x}, {y if x % 2 == 0 else 11 - y})"
            if said == "P":
                seen.add((x, y if x % 2 == 0 else 11 - y))
            if y < 11:
                browser.type(Keys.ARROW_UP if x % 2 == 0 else Keys.ARROW_DOWN)
        browser.type(Keys.ARROW_RIGHT)
    assert seen == {(a, b) for a, b in wanted if a < 12 and b < 12} != set()
    assert said in ("P", "not in P")
    assert browser.text(".readout .digits") == "10101  0"  # (12, 0) in Fibonacci representations


def test_what_is_painted(shown: Show, paper: Made) -> None:
    """The pixel in the middle of each square of the corner has the colour of what is there."""
    browser = shown(paper)
    browser.look_at("K3.stable", "P")
    drawn(browser)
    painted = browser.run(
        """
        const canvas = document.querySelector(arguments[0]), [x, y, scale] = canvas.dataset.view.split(" ").map(Number);
        const context = canvas.getContext("2d"), ratio = devicePixelRatio, height = canvas.clientHeight - 22;
        const found = [];
        if (x || y) throw new Error("The board does not begin at (0,0).");
        for (let a = 0; a < 40; a++) for (let b = 0; b < 40; b++) {
          const place = [40 + (a + 0.5) * scale, height - (b + 0.5) * scale].map((part) => Math.round(part * ratio));
          const [red, green, blue] = context.getImageData(...place, 1, 1).data;
          if (red + green + blue < 150) found.push([a, b]);
        }
        return found;
        """,
        BOARD,
    )
    assert {(a, b) for a, b in painted} == {(a, b) for a, b in p_positions("terminal(3)") if a < 40 and b < 40}


def test_every_size_shows_every_line(shown: Show, paper: Made) -> None:
    """Of 1000 x 1000 positions on fewer pixels none is lost: each row of pixels that has a position has ink."""
    browser = shown(paper)
    browser.look_at("K3.stable", "P")
    tool(browser, "all")
    x, y, scale = view(browser)
    assert (x, y) == (0, 0) and scale < 1
    drawn(browser)
    inked = browser.run(
        """
        const canvas = document.querySelector(arguments[0]), context = canvas.getContext("2d"), found = new Set();
        const height = canvas.clientHeight - 22, scale = Number(canvas.dataset.view.split(" ")[2]);
        for (const [a, b] of arguments[1]) {
          const place = [40 + (a + 0.5) * scale - 2, height - (b + 0.5) * scale - 2].map(Math.round);
          const pixels = context.getImageData(...place, 5, 5).data;
          let dark = false;
          for (let i = 0; i < pixels.length; i += 4) dark ||= pixels[i] + pixels[i + 1] + pixels[i + 2] < 150;
          if (dark) found.add(a + "," + b);
        }
        return found.size === arguments[1].length;
        """,
        BOARD, [list(pair) for pair in sorted(p_positions("terminal(3)"))],
    )
    assert inked


def test_zoom_and_pan(shown: Show, paper: Made) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser = shown(paper)
    browser.look_at("K3.stable", "P")
    begun = view(browser)
    canvas = browser.element(BOARD)
    chain = ActionChains(browser.driver, duration=50)
    chain.move_to_element(canvas).click_and_hold().move_by_offset(-160, 80).release().perform()
    moved = view(browser)
    assert moved[0] == pytest.approx(begun[0] + 160 / begun[2], abs=0.01)
    assert moved[1] == pytest.approx(begun[1] + 80 / begun[2], abs=0.01)
    assert moved[2] == begun[2]
    # The wheel zooms about the pointer: the square below it stays there.
    place = browser.text(".readout .place")
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

    ActionChains(browser.driver).scroll_from_origin(ScrollOrigin.from_element(canvas, -160, 80), 0, -200).perform()
    browser.until(LARGER, BOARD, moved[2])
    ActionChains(browser.driver, duration=0).move_to_element_with_offset(canvas, -160, 80).perform()
    assert browser.text(".readout .place") == place
    # Buttons and keys.
    tool(browser, "all")
    assert view(browser)[:2] == [0, 0]
    browser.run("document.querySelector(arguments[0]).focus()", BOARD)
    smallest = view(browser)[2]
    browser.type("-")
    assert view(browser)[2] == smallest  # no further
    browser.type("+", "+")
    assert view(browser)[2] == pytest.approx(1.6**2 * smallest, abs=0.01)
    for _ in range(20):
        browser.type("+")
    assert view(browser)[2] == 48
    browser.type(Keys.HOME)
    assert view(browser) == begun
    browser.type("0")
    assert view(browser)[2] == smallest


def test_the_view_follows_the_cross_and_stays_on_the_board(shown: Show, paper: Made) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = shown(paper)
    browser.look_at("K3.stable", "P")
    browser.run("document.querySelector(arguments[0]).focus()", BOARD)
    browser.run(PRESS, BOARD, [["ArrowRight", 110, True], ["ArrowUp", 110, True]])
    assert under_the_cross(browser)[0] == "(a, b) = (999, 999)"
    x, y, scale = view(browser)
    _, _, width, height = browser.box(BOARD)
    assert x == pytest.approx(1000 - (width - 40) / scale, abs=0.1)
    assert y == pytest.approx(1000 - (height - 22) / scale, abs=0.1)
    browser.type(Keys.ARROW_LEFT)
    assert under_the_cross(browser)[0] == "(a, b) = (998, 999)"


def test_two_sets_in_three_colours(shown: Show, paper: Made) -> None:
    browser = shown(paper)
    browser.look_at("K3.stable", "P")
    one = p_positions("terminal(3)")
    other = p_positions("terminal(2)") - {(1, 1)}  # which the printed set of K^2 lacks
    browser.choose("#viewer select", "with pposK2(a,b)")
    assert browser.counted() == {"first": len(one - other), "second": len(other - one), "common": len(one & other)}
    assert browser.texts(".legend li span:first-child") == ["P only", "pposK2 only", "both"]
    drawn(browser)
    colours = browser.run(
        """
        const canvas = document.querySelector(arguments[0]), context = canvas.getContext("2d");
        const scale = Number(canvas.dataset.view.split(" ")[2]), height = canvas.clientHeight - 22;
        return arguments[1].map(([a, b]) => {
          const place = [40 + (a + 0.5) * scale, height - (b + 0.5) * scale];
          const pixel = place.map((at) => Math.round(at * devicePixelRatio));
          const [red, green, blue] = context.getImageData(...pixel, 1, 1).data;
          if (red > 150 && blue < 150) return "red";
          return green > 110 && blue < 110 ? "green" : blue > 150 && red < 100 ? "blue" : "none";
        });
        """,
        BOARD, [[0, 3], [3, 6], [0, 0], [4, 8], [30, 2]],
    )
    assert colours == ["red", "green", "blue", "blue", "none"]


def test_in_the_dark_the_board_is_dark(shown: Show, paper: Made) -> None:
    browser = shown(paper)
    browser.look_at("K3.stable", "P")
    corner = """
        const canvas = document.querySelector(arguments[0]);
        return [...canvas.getContext("2d").getImageData(60, 40, 1, 1).data];
    """
    drawn(browser)
    assert sum(browser.run(corner, BOARD)[:3]) > 600
    browser.prefer("dark")
    browser.until("return document.documentElement.dataset.theme === 'dark'")
    browser.until(f"const f = () => {{ {corner} }}; return f.apply(null, arguments)[0] < 60", BOARD)


def test_a_board_of_integers_has_them_all_around_zero(shown: Show, odd: Made) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = shown(odd)
    browser.look_at("n.line", "line")
    wanted = {(x, 2 * x) for x in range(-SIDE // 2, SIDE // 2) if -SIDE // 2 <= 2 * x < SIDE // 2}
    assert browser.counted() == {"alone": len(wanted)}
    browser.run("document.querySelector(arguments[0]).focus()", BOARD)
    browser.type("0", Keys.ARROW_UP, Keys.ARROW_DOWN)
    assert under_the_cross(browser)[0] == "(x, y) = (-500, -500)"
    browser.run(PRESS, BOARD, [
        ["ArrowRight", 50, True], ["ArrowUp", 50, True], ["ArrowLeft", 3, False], ["ArrowDown", 6, False],
    ])
    assert under_the_cross(browser) == ("(x, y) = (-3, -6)", "line")
    assert browser.text(".readout .digits") == "1101  1110"


def test_fingers(browser: Browser, paper: Made) -> None:
    browser.as_phone()
    browser.open(paper.url)
    browser.look_at("K3.stable", "P")
    begun = view(browser)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    left, top, _, _ = browser.box(BOARD)
    x, y = left + 200, top + 200
    touch("touchStart", (x, y))
    for step in range(1, 6):
        touch("touchMove", (x - 20 * step, y + 10 * step))
    touch("touchEnd")
    browser.until("return Number(document.querySelector(arguments[0]).dataset.view.split(' ')[0]) > 5", BOARD)
    dragged = view(browser)
    assert dragged[2] == begun[2]
    assert dragged[0] == pytest.approx(begun[0] + 100 / begun[2], abs=3)
    touch("touchStart", (x - 20, y), (x + 20, y))
    for step in range(1, 6):
        touch("touchMove", (x - 20 - 12 * step, y), (x + 20 + 12 * step, y))
    touch("touchEnd")
    browser.until(LARGER, BOARD, 1.5 * begun[2])


# -- games ---------------------------------------------------------------------------------------------------------


def test_the_page_of_a_game(shown: Show, game: Made) -> None:
    browser = shown(game)
    assert browser.text("h1") == "terminal(2), the game K2"
    assert "Positions (a,b) with a+b≤2 are terminal." in browser.text(".lead")
    browser.click("#notation")
    assert browser.texts(".statement") == [item["statement"] for item in game.content["items"]]
    assert browser.texts(".row > .verdict") == ["PROVED"] * (1 + len(game.found["findings"]))
    assert not browser.element("#filter").is_displayed()
    # Its board is there at once, with the other game on it, in three colours.
    browser.run("document.querySelector('.inline-board').scrollIntoView()")
    drawn(browser)
    one, other = p_positions("terminal(2)"), p_positions("terminal(3)")
    assert browser.counted() == {"first": len(one - other), "second": len(other - one), "common": len(one & other)}
    browser.choose(".inline-board select", "alone")
    assert browser.counted() == {"alone": len(one) - 6, "terminal": 6}
    browser.click(".detail summary")
    shown_commands = browser.texts(".item:first-of-type .commands .formula")
    assert shown_commands[: len(game.content["items"][0]["commands"])] == [
        command["text"] for command in game.content["items"][0]["commands"]
    ]
    # The wheel is the page's until the board has been clicked.
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

    browser.run("document.querySelector('.inline-board').scrollIntoView()")
    before, top = view(browser), browser.run("return scrollY")
    origin = ScrollOrigin.from_element(browser.element(BOARD))
    ActionChains(browser.driver).scroll_from_origin(origin, 0, 100).perform()
    browser.until("return scrollY > arguments[0]", top)
    assert view(browser) == before
    browser.element(BOARD).click()
    ActionChains(browser.driver).scroll_from_origin(origin, 0, -100).perform()
    browser.until(LARGER, BOARD, before[2])
    # Another look at the board after the viewer has been open.
    browser.click('.card[data-name="P"]')
    browser.until("return document.getElementById('viewer').open")
    browser.click("#viewer .close")
    drawn(browser, ".inline-board canvas.board")


def test_the_page_of_a_game_that_is_not_solved(shown: Show, unsolved: Made) -> None:
    browser = shown(unsolved)
    assert browser.texts(".row > .verdict") == ["NO AUTOMATON"]
    assert [text.split()[0] for text in browser.texts("p.label")] == ["Searched"]
    browser.run("document.querySelector('.inline-board').scrollIntoView()")
    drawn(browser)
    assert browser.counted() == {"alone": len(p_positions("blocking(5)"))}
    browser.click(".attempts summary")
    attempts = unsolved.found["attempts"]
    assert browser.texts(".attempts td.system") == [attempt["system"] for attempt in attempts]
    assert browser.texts(".attempts td.states") == [str(attempt["states"]) for attempt in attempts]
