"""The page of `fibprover atlas`: a card for each game, with its board, its rules, and its theorem or the status.

It is one HTML file.  All texts are escaped, and a content security policy names the style and the script by their
hashes: a browser executes nothing else and loads nothing.  The script is for the boards on which the games are played.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from fibprover.automata.kernel_calls import edge_count
from fibprover.base.wording import plural
from fibprover.campaigns.atlas.entries import AtlasChapter, Entry
from fibprover.campaigns.atlas.results import Result, positions_in
from fibprover.campaigns.atlas.run import Finished
from fibprover.campaigns.atlas.summaries import attempts_of, known_of, mark_of, outcome_of, summary_of
from fibprover.frontends.display.board_svg import runs
from fibprover.frontends.display.diagram import own_diagram
from fibprover.frontends.display.page import play
from fibprover.frontends.display.page.document import MARK, about, asset, digest, embedded, script_of, write_html
from fibprover.frontends.display.page.figures import Figures
from fibprover.frontends.display.svg import diagram_svg
from fibprover.games.positions import positions
from fibprover.games.theorem_text import game_title, rules_in_words
from fibprover.language.sentences import prose_html
from fibprover.numeration.registry import system_named

#: The columns of the board of a card.
SIDE = 50

#: The parts of the script, in order.
_SCRIPTS = ("elements.js", "numbers.js", "automaton.js", "rules.js", "play.js", "atlas.js")

#: Automata with so many states and arrows at most are drawn.
MOST_STATES, MOST_ARROWS = 12, 36

#: The number of shades that distinguish the third piles.
SHADES = 5

_TITLE = "An atlas of take-away games"

_LEAD = (
    "What the search found out about games on two or three piles, most of them from the literature. PROVED means that "
    "the automaton was guessed from positions and then proved correct by the prover. Other words say how a search "
    "ended: they are not theorems. "
    f"Boards show the positions (a,b) with a, b < {SIDE}, a to the right and b upwards; those of games on three piles "
    f"show those with c < {SIDE}, too, the darker the larger c is."
)


def write_atlas_page(
    chapters: Sequence[AtlasChapter], results: Mapping[str, Result], folder: str, version: str
) -> Path:
    """Write the page of the games that have results into a folder, which is made if it does not exist; return the file.

    version: of fibprover.  Raises FileProblem, also for a folder that has a foreign page.
    """
    return write_html(lambda: page(chapters, results, version), folder)


def page(chapters: Sequence[AtlasChapter], results: Mapping[str, Result], version: str) -> str:
    """Return the HTML of the page; results: by the ids of games."""
    style, script = asset("atlas.css") + asset("play.css"), script_of(_SCRIPTS)
    policy = (
        f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    shown = [(chapter, [entry for entry in chapter.entries if entry.id in results]) for chapter in chapters]
    shown = [(chapter, entries) for chapter, entries in shown if entries]
    every = [Finished(entry, results[entry.id], kept=True) for _, entries in shown for entry in entries]
    body = [
        f"<header><h1>{_TITLE}</h1><p class=\"lead\">{escape(_LEAD)}</p>",
        f'<p class="lead">{escape(summary_of(every))}.</p>',
        '<nav aria-label="Chapters"><ul class="contents">',
        *(
            f'<li><a href="#{chapter.file.stem}">{prose_html(chapter.title)}</a> ({len(entries)})</li>'
            for chapter, entries in shown
        ),
        "</ul></nav></header><main>",
        *(_section(chapter, entries, results) for chapter, entries in shown),
        f"</main><footer>{escape(about(version))}</footer>",
        f'<script type="application/json" id="content">{embedded(_games(shown))}</script><script>{script}</script>',
    ]
    head = [
        "<!doctype html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">', MARK,
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">', '<link rel="icon" href="data:,">',
        f"<title>{_TITLE}</title>", f"<style>{style}</style>", "</head>", "<body>",
    ]
    return "\n".join([*head, *body, "</body>", "</html>"]) + "\n"


def _games(shown: Sequence[tuple[AtlasChapter, Sequence[Entry]]]) -> dict[str, Any]:
    """Return the rules of the games that can be played, by their ids, with the automata that they need."""
    figures = Figures(system_named)
    found = {entry.id: play.rules(entry.game, figures) for _, entries in shown for entry in entries}
    return {"play": {name: rules for name, rules in found.items() if rules}, **figures.objects()}


def _section(chapter: AtlasChapter, entries: Sequence[Entry], results: Mapping[str, Result]) -> str:
    cards = "\n".join(_card(entry, results[entry.id]) for entry in entries)
    said = f'<p class="about">{prose_html(chapter.about)}</p>' if chapter.about else ""
    return (
        f'<section id="{escape(chapter.file.stem)}"><h2>{prose_html(chapter.title)}</h2>{said}\n'
        f'<div class="cards">\n{cards}\n</div></section>'
    )


def _card(entry: Entry, result: Result) -> str:
    """Return the card of one game."""
    kind = "proved" if result.status == "proved" else "open"
    mark = mark_of(entry, result)
    value = f" Positions of Sprague-Grundy value {entry.value}." if entry.value else ""
    rules = " ".join(rules_in_words(entry.game)) + value
    parts = [
        f'<article class="card" id="{entry.id}">', board(entry),
        f'<h3><a href="#{entry.id}">{prose_html(entry.name)}</a></h3>',
        f'<p class="status {kind}"><b>{escape(result.status.upper())}</b> {escape(outcome_of(result))}, '
        f"{result.seconds:.1f} s</p>",
        f'<p class="mark">{escape(mark)}</p>' if mark else "",
        f"<p>{prose_html(rules)}</p>",
        f"<p>{prose_html(result.statement)}</p>",
        f'<p class="known"><b>Before.</b> {prose_html(known_of(entry))}</p>',
        _automaton(entry, result),
        f'<p class="source">{prose_html(str(entry.source))}</p>',
        _details(entry, result),
        "</article>",
    ]
    return "\n".join(part for part in parts if part)


def _automaton(entry: Entry, result: Result) -> str:
    """Return the drawing of a small automaton of positions, folded; "" for a large one."""
    if result.automaton is None or result.states is None or result.states > MOST_STATES:
        return ""
    automaton = positions_in(result).automaton
    if edge_count(automaton) > MOST_ARROWS:
        return ""
    data = b64encode(diagram_svg(own_diagram(automaton, "P")).encode()).decode("ascii")
    drawn = f'<img alt="{escape(f"the automaton of {entry.name}")}" src="data:image/svg+xml;base64,{data}">'
    order = ", least significant digit first" if (result.system or "").startswith("lsd") else ""
    return (
        f"<details><summary>Automaton, {plural(automaton.states, 'state')}</summary>"
        f'<p class="known">It reads [digit of a, digit of b{", digit of c" if len(automaton.tracks) > 2 else ""}] in '
        f'{escape(result.system or "")}{order}.</p><div class="wide drawn" tabindex="0">{drawn}</div></details>'
    )


def _details(entry: Entry, result: Result) -> str:
    """Return the part of a card that may be folded: the proof, or the systems tried with the states at each bound."""
    head, rows = attempts_of(result)
    table = [
        '<div class="wide" tabindex="0">',
        '<table><thead><tr>', *(f"<th>{escape(cell)}</th>" for cell in head), "</tr></thead><tbody>",
        *("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows),
        "</tbody></table></div>",
    ]
    title, shown = ("Proof", "") if result.status == "proved" else ("What was tried", " open")
    game = f"<p><code>{escape(game_title(entry.game))}</code> <span class=\"id\">{entry.id}</span></p>"
    said = f"<p>{prose_html(result.proof)}</p>" if result.proof else ""
    return f"<details{shown}><summary>{title}</summary>{game}{said}{''.join(table) if rows else ''}</details>"


def board(entry: Entry) -> str:
    """Return the positions of a game below SIDE as an SVG element."""
    found = positions(entry.game, SIDE, value=entry.value)
    name = f"positions of {entry.name} with all piles below {SIDE}"
    if found.c is None:
        paths = [f'<path fill="currentColor" d="{_path(found.pairs)}"/>']
    else:
        shades: list[list[tuple[int, int]]] = [[] for _ in range(SHADES)]
        for a, b, c in found:
            shades[c * SHADES // SIDE].append((a, b))
        paths = [
            f'<path fill="currentColor" fill-opacity="{(number + 1) / SHADES:.1f}" d="{_path(cells)}"/>'
            for number, cells in enumerate(shades) if cells
        ]
    return f'<svg viewBox="0 0 {SIDE} {SIDE}" role="img" aria-label="{escape(name)}">{"".join(paths)}</svg>'


def _path(cells: Iterable[tuple[int, int]]) -> str:
    return "".join(f"M{x} {SIDE - 1 - y}h{length}v1h-{length}z" for x, y, length in runs(cells))
