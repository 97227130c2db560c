"""Writes docs/atlas.md from the files and results in proofs/atlas: `python website/atlas.py`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from fibprover.campaigns.atlas.entries import AtlasChapter, Entry, read_atlas
from fibprover.campaigns.atlas.results import Result, read_result
from fibprover.campaigns.atlas.run import Finished
from fibprover.campaigns.atlas.summaries import FOUND_HERE, attempts_of, known_of, mark_of, summary_of

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "atlas.md"
ATLAS = ROOT / "proofs" / "atlas"

#: What we searched for, and what we found.
_SEARCHES = (
    (
        "Wythoff's game with terminal positions",
        "Renard and Rigo (arXiv 2512.11601); Komaki, Miyadera and Murakami (arXiv 2510.11767 on K^2 with its "
        "value 1 and misère play; 2605.01435 on all K^l)",
    ),
    (
        "Sprague-Grundy values of Wythoff's game and of its generalizations",
        "Blass and Fraenkel 1990; Nivasch 2009; Ho (arXiv 1202.3186) and a sequel of 2015 on a restriction; "
        "nothing on m-Wythoff",
    ),
    (
        "misère play of these games",
        "Euclid and greedy Nim (arXiv 2506.04657) only",
    ),
    (
        "Nimhoff games; Nim on the smaller pile",
        "other games",
    ),
    (
        "moves that can be added to or left out of Wythoff's game",
        "Mignoty, Renard, Rigo and Whiteland (*Automatic proofs in combinatorial game theory*, Int. J. Game "
        "Theory 54, 2025), the first use of Walnut for games, with a proof of the conjecture on moves that "
        "can be added",
    ),
    (
        "Nim with multiples of one vector (b,b)",
        "other games",
    ),
    (
        "restricted rooks and generalized diagonals",
        "Larsson (Games of No Chance 4, and J. Integer Seq. 17, 2014); Katayama and Kubo 2018",
    ),
    (
        "blocking in Nim and in Wythoff's game",
        "Larsson (arXiv 1010.5816); Flammenkamp, Holshouser and Reiter 2003, on one pile",
    ),
    (
        "games with a pass",
        "arXiv 2010.10643 and 2605.14321; a thesis of T. Mathews (2011)",
    ),
    (
        "Fibonacci Nim, Nim with a memory",
        "Whinihan 1963; Schwenk 1970; Larsson and Rubinstein-Salzedo (arXiv 1410.0332); Holshouser and Reiter"
        " 2005",
    ),
    (
        "NIM(a,b), Mark and the other games: automata of their P-positions",
        "Gurvich 2010 only",
    ),
    (
        "a second look at blocking in m-Wythoff, odd numbers from one pile, Nim with multiples of (b,b), and Wythoff's"
        " game with finitely many positions changed",
        "Cook, Larsson and Neary (arXiv 1506.01431), on W^k alone; Larsson (arXiv 0901.4683), m-Wythoff with blocking"
        " of the options on one pile; Hu, Sleator and Tsin (arXiv 2408.02851), Wythoff's game with finite alterations;"
        " nothing on the others; arXiv 1612.03068 is not among the pages",
    ),
)

_HEAD = """\
# An atlas of games

Games on two or three piles, most of them from the literature, with the results of `fibprover atlas` for each.
*Proved* means that an automaton was guessed from positions and then proved correct, as
[From the rules of a game to a theorem](discovery.md) describes. Other words say how the search ended; they are not
theorems.
{summary}. <!-- cards -->

    fibprover atlas                       # searches for games without a result
    fibprover atlas --html page           # the same with boards: a card for each game
    fibprover atlas --only nim --again    # searches again, even if there is a result

The games are in [proofs/atlas/](../proofs/atlas), a TOML file for each chapter, and the results, with the automata, in
`results/` beside them. A result is written when its search ends, so an interrupted command continues where it
stopped. It is used again for the same rules, value and systems, if it is a theorem or had at least as much time and
data. Seconds were measured on a busy machine; a search had 60 s, or what the file says.

A † marks a theorem *{mark}*: we looked for one in the [searches](#searches) below. This
is not a claim of priority. The column *proof* has the states of the largest automaton in the proof, a measure of how
complex a game is; `fibprover atlas --sort proof` lists the games by it. The column *before* says whether an earlier
proof of these positions, in any form, is known.

## Searches

In November 2026 we searched an index of public web pages, papers of arXiv and their abstracts among them, for these
subjects; each search shows eight pages. Rows below say "search 4" and so on where nothing was found, or nothing more
than what they name. Papers that are not among these pages were not seen.

| | Subject | Found |
| ---: | --- | --- |
{searches}

## Files

```toml
title = "Other ends of play"
about = "A sentence or two on these games."

[[game]]
id = "terminal-1-value-1"             # a-z, 0-9 and -; also the name of the result
name = "K^1, value 1"
moves = "i=0 | j=0 | i=j"             # as fibprover game takes them, or a ready-made game
terminal = "a+b<=1"                   # optional, as are the next nine
blocked = 0
misere = false
pass = false                          # true: one of the players may pass, once in the game
steps = false                         # true: moves is a formula in p,q,r,s, even if it contains i or j
value = 1                             # a Sprague-Grundy value; 0, the P-positions, if it is missing
systems = ["msd_fib"]                 # numeration systems to try; many, if it is missing
largest = 1048576                     # the largest bound of the data
seconds = 120                         # for the search
expected = {{ status = "proved", system = "msd_fib", states = 33 }}
source = {{ authors = "B. Renard and M. Rigo", title = "Variants of Wythoff game", year = 2026, where = "section 1" }}
known = "What was known before, in a sentence or two."
earlier = "proved"                    # or "none known", or "not looked up"
```

`by = "p"`, with moves that are a formula in p,q,r,s, is the measure that they make smaller
([Games with a memory](discovery.md#games-with-a-memory)).

The exit status is 1 if an outcome is not the expected one.
"""


def page(chapters: Sequence[AtlasChapter]) -> str:
    """Return the text of the page on these chapters of the project's atlas."""
    results = {entry.id: _result(entry) for chapter in chapters for entry in chapter.entries}
    every = [Finished(entry, results[entry.id], True) for chapter in chapters for entry in chapter.entries]
    rows = [f"| {number} | {subject} | {found} |" for number, (subject, found) in enumerate(_SEARCHES, start=1)]
    summary = _capitalized(summary_of(every))
    pieces = [_HEAD.format(summary=summary, mark=FOUND_HERE, searches="\n".join(rows))]
    for chapter in chapters:
        pieces.append("\n".join(_chapter(chapter, results)))
    return "\n".join(pieces)


def _result(entry: Entry) -> Result:
    found = read_result(ATLAS / "results", entry.id)
    if found is None:
        raise FileNotFoundError(f"{entry.id} has no result: run fibprover atlas")
    return found


def _capitalized(text: str) -> str:
    return text[0].upper() + text[1:]


def _chapter(chapter: AtlasChapter, results: dict[str, Result]) -> Iterator[str]:
    """Yield the lines of a chapter: a table of all games, then notes on each."""
    yield f"## {chapter.title}\n\n{chapter.about}\n"
    yield "| | game | outcome | states | proof | system | seconds | before |"
    yield "| --- | --- | --- | ---: | ---: | --- | ---: | --- |"
    for entry in chapter.entries:
        result = results[entry.id]
        mark = " †" if mark_of(entry, result) else ""
        cells = (
            f"`{entry.id}`", _cell(entry.name), f"{result.status}{mark}", str(result.states or ""),
            str(result.proof_states or ""), result.system or "", f"{result.seconds:.1f}", entry.earlier,
        )
        yield f"| {' | '.join(cells)} |"
    yield ""
    for entry in chapter.entries:
        yield from _notes(entry, results[entry.id])
    yield ""


def _notes(entry: Entry, result: Result) -> Iterator[str]:
    """Yield the paragraph of a game as an item of a list: its rules as formulas, its source, and what was known."""
    rules = [f"`{entry.game.formula if entry.game.name == entry.game.formula else entry.game.name}`"]
    value = f", value {entry.value}" if entry.value else ""
    yield f"- **{_cell(entry.name)}** ({rules[0]}{value}). {known_of(entry)} *{entry.source}.*"
    if result.status != "proved":
        head, rows = attempts_of(result)
        best = [f"{row[0]} " + ", ".join(filter(None, row[1:-1])) for row in rows[:3]]
        bounds = ", ".join(each.removeprefix("below ") for each in head[1:-1])
        yield f"  States from data below {bounds}: {'; '.join(best)}." if best else f"  {result.statement}"


def _cell(text: str) -> str:
    return text.replace("|", "&#124;")


if __name__ == "__main__":
    PAGE.write_text(page(read_atlas([ATLAS])))
