"""Pages of fibprover itself within the site: a game that is played, the cards of the atlas, drawings of words."""

from __future__ import annotations

from pathlib import Path

from fibprover import __version__
from fibprover.base.errors import FibproverError
from fibprover.campaigns.atlas.entries import read_atlas
from fibprover.campaigns.atlas.results import read_result
from fibprover.frontends.display.board import board
from fibprover.frontends.display.diagram import own_diagram
from fibprover.frontends.display.page import atlas, document, game
from fibprover.frontends.display.svg import diagram_svg
from fibprover.games.catalogue import game_named
from fibprover.games.theorem import discover
from fibprover.words.automatic import AutomaticWord
from fibprover.words.catalogue import word
from fibprover.workspace.session import Session

#: The game of the first page, and where its page is.
GAME, GAME_PAGE = "wythoff", "live/wythoff.html"

#: Where the cards of the atlas are.
ATLAS_PAGE = "live/atlas.html"

#: What stands in pages for a link to the cards and for the game, which are there in the site alone.
PLACES = {
    "<!-- cards -->": (
        f"On the [page of cards]({ATLAS_PAGE}) each game has its board, small automata are drawn, and many are played."
    ),
    "<!-- game -->": (
        f'<iframe class="live" src="{GAME_PAGE}" loading="lazy" '
        'title="Wythoff\'s game, played against its automaton"></iframe>'
    ),
}

#: Automata of so many states at most are drawn; boards of words with two indices have so many columns.
MOST_STATES, SIDE = 24, 64


def pages(root: Path) -> dict[str, str]:
    """Return the pages, by their places in the site; root: the folder of the project."""
    theorem = discover(game_named(GAME))
    folder = root / "proofs" / "atlas"
    chapters = read_atlas([folder])
    found = {
        entry.id: result for chapter in chapters for entry in chapter.entries
        if (result := read_result(folder / "results", entry.id)) is not None
    }
    return {
        GAME_PAGE: document.document(game.content(theorem, __version__)),
        ATLAS_PAGE: atlas.page(chapters, found, __version__),
    }


def picture_of_word(name: str) -> tuple[str, str] | None:
    """Return an SVG of a word of the library with a sentence about it; None if its automaton is large."""
    try:
        meant = word(name)
    except FibproverError:
        return None
    if len(meant.indices) == 2:
        return _board(meant)
    machine = meant.machine
    if machine.states > MOST_STATES:
        return None
    system = meant.tracks[0].system
    order = "least" if system.startswith("lsd") else "most"
    said = (
        f"The automaton of {name}: it reads the digits of n in {system}, the {order} significant one first, and a "
        "state n/d has the letter d."
    )
    return diagram_svg(own_diagram(machine, name, word=True)), said


def _board(meant: AutomaticWord) -> tuple[str, str] | None:
    """Return the board of the places of the letters that are not 0."""
    system, other = (track.system for track in meant.tracks)
    if not system or system != other:
        return None
    session = Session(system)
    session.namespace.add_word(meant.name, meant.machine)
    shown = board(session.relation(f"{meant.name}[i][j]!=@0"), size=SIDE, names=(f"{meant.name}[i][j] is not 0",))
    return shown.svg, f"The places i, j below {SIDE} where {meant.name} has a letter other than 0."
