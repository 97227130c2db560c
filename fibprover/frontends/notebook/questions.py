"""What the magics %board, %study and %game answer: boards of sets, sheets about words, theorems about games."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from fibprover.base.errors import BudgetSpent, FibproverError, NotInstalled
from fibprover.base.limits import UNLIMITED, Budget, effective, limits_of_part, spending
from fibprover.base.values import value
from fibprover.base.wording import plural
from fibprover.frontends.cli.board import layer_of
from fibprover.frontends.display.board import Board, board_html
from fibprover.frontends.display.board_svg import check_size
from fibprover.frontends.display.html import card
from fibprover.workspace.session import Session

if TYPE_CHECKING:
    from fibprover.sheets.sheet import Sheet

#: Columns of a board, unless size= says otherwise.
SIZE = 40

_SIZE = re.compile(r"(?:^|\s)size=(\d{1,6})\s*$", re.ASCII)
_WORD = re.compile(r'(?:"([^"]+)"|([^\s"]+))(.*)', re.DOTALL)
_TERMINAL = re.compile(r'\s+terminal="([^"]*)"\s*$')


@value
class Found:
    """A text and HTML of what was asked for; outcome: a relation or word that belongs to it, or None."""

    text: str
    html: str
    outcome: object = None


def board(request: str, session: Session) -> Found:
    """Return the board of `SET`, or of `SET; SET`, where `size=N` may follow: predicates, formulas or games."""
    found = _SIZE.search(request)
    size = int(found[1]) if found else SIZE
    sets = [part.strip() for part in _SIZE.sub("", request).split(";") if part.strip()]
    if not 1 <= len(sets) <= 2:
        raise FibproverError(
            "%board draws one set of pairs, or two", hint="write %board $name, or %board $a; $b size=60"
        )
    check_size(size)
    with _numpy("a board of a game"):
        drawn = [layer_of(session, each, size, session.namespace.warn) for each in sets]
    shown = Board(tuple(layer for layer, _ in drawn), size, drawn[0][1], {})
    return Found(repr(shown), card(board_html(shown)))


def study(request: str, session: Session, notify: Callable[[str], None]) -> Found:
    """Return the sheet of `WORD`, or of some of its lines: `WORD ID ID`; a word with blanks stands in quotes.

    The lines may follow `--only`, and commas may stand between them, as on the command line.

    A word is a name, a morphism or equations, and no file: a cell reads the files of its session alone.
    """
    asked = _WORD.match(request.strip())
    if asked is None:
        raise FibproverError("%study finds theorems about a word", hint='write %study F, or %study "0->01, 1->0"')
    word = asked[1] or asked[2]
    only = asked[3].replace(",", " ").removeprefix(" --only ").split()
    if word.endswith((".txt", ".json")):
        raise FibproverError("%study takes a word by its name", hint="fibprover study takes files; or open it first")
    with _numpy("the sheet of a word"):
        from fibprover.frontends.display.sheet_values import html
        from fibprover.sheets.study import SECONDS
        from fibprover.sheets.study import study as studied

        allowed = _allowed()
        grown: list[tuple[Sheet, int]] = []
        try:
            with spending(allowed):
                studied(
                    session.namespace.words.get(word, word), only=only, notify=notify,
                    limits=limits_of_part(min(SECONDS, max(allowed.seconds_left(), 0.01)), session.options.limits),
                    show=lambda sheet, lines: grown.append((sheet, lines)),
                )
        except BudgetSpent:
            if not grown or not grown[-1][0].lines:
                raise
    sheet, lines = grown[-1]
    left = lines - len(sheet.lines)
    remark = f"The budget is spent: {plural(left, 'line')} not reached." if left else ""
    return Found(f"{sheet}\n\n{remark}" if remark else str(sheet), html(sheet, remark))


def game(request: str, notify: Callable[[str], None]) -> Found:
    """Return the theorem about a game: `RULES`, or a name such as terminal(2); `terminal="FORMULA"` may follow."""
    ended = _TERMINAL.search(request)
    rules = _TERMINAL.sub("", request).strip()
    if not rules:
        raise FibproverError("%game finds the P-positions of a game", hint="write %game i=0 | j=0 | i=j")
    with _numpy("the search for P-positions"):
        from fibprover.games.catalogue import game_of
        from fibprover.games.theorem import discover

        theorem = discover(
            game_of(rules, ended[1] if ended else ""), limits=_allowed().remaining(),
            notify=lambda line: notify(str(line)),
        )
    return Found(str(theorem), theorem._repr_html_(), theorem.relation if theorem else None)


def _allowed() -> Budget:
    """Return what a question may spend of the budget of its cell: a tenth is left to show what was found."""
    budget = effective(UNLIMITED)
    left = budget.seconds_left()
    return budget if left == float("inf") else replace(budget, deadline=monotonic() + 0.9 * left)


@contextmanager
def _numpy(what: str) -> Iterator[None]:
    """Say within the block that numpy is missing, which browsers do not have."""
    try:
        yield
    except ImportError as problem:
        if (problem.name or "").partition(".")[0] != "numpy":
            raise
        raise NotInstalled(f"{what} needs numpy, which is not installed", hint="pip install numpy") from None
