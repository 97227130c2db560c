"""Read the files of an atlas: chapters of games, in TOML.

    title = "Wythoff's game"
    about = "A sentence or two on these games."

    [[game]]
    id = "wythoff"
    name = "Wythoff's game"
    moves = "wythoff()"
    source = { authors = "W. A. Wythoff", title = "A modification of the game of nim", year = 1907 }
    known = "What was known before, in a sentence or two."
    earlier = "proved"
    expected = { status = "proved", system = "msd_fib", states = 7 }

A game may also have `terminal`, `blocked`, `misere`, `pass`, `steps` and `by`, as `fibprover game` takes them, `value`,
a Sprague-Grundy value above 0, `systems`, a list of numeration systems to try, `largest`, the largest bound of the
data, and `seconds`, where it needs more time than others.  `source` may say in `where` the rules are.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fibprover.base.errors import BudgetSpent, FibproverError, FileProblem, FormatError, did_you_mean
from fibprover.base.files import MOST_VALUES, read_text
from fibprover.base.wording import plural
from fibprover.games.catalogue import game_of
from fibprover.games.positions import check_value
from fibprover.games.queens import check_largest
from fibprover.games.rules import Game
from fibprover.numeration.registry import system_named

#: What is known of an earlier proof: there is one; somebody looked for one and found none; nobody looked.
EARLIER = ("proved", "none known", "not looked up")

#: An id is also the name of a file.
ID = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")

_HEADING = re.compile(r"^[ \t]*\[\[[ \t]*game[ \t]*\]\]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Source:
    """The publication that a game comes from; where: the place of the rules in it."""

    authors: str
    title: str
    year: int
    where: str = ""

    def __str__(self) -> str:
        where = f", {self.where}" if self.where else ""
        return f"{self.authors}, {self.title} ({self.year}){where}"


@dataclass(frozen=True, slots=True)
class Expected:
    """The outcome that a search is expected to have; system and states only where something is proved."""

    status: str
    system: str | None = None
    states: int | None = None

    def __str__(self) -> str:
        if self.status == "proved" and self.states:
            return f"{plural(self.states, 'state')} in {self.system}"
        return self.status


@dataclass(frozen=True, slots=True)
class Entry:
    """A game of the atlas: its rules, what to search for, its source, and what is known.

    systems: the numeration systems to try, none for "auto"; largest, seconds: limits of its own, or None; earlier: one
    of EARLIER; expected: None before anything was measured.
    """

    id: str
    name: str
    game: Game
    value: int
    systems: tuple[str, ...]
    largest: int | None
    seconds: float | None
    source: Source
    known: str
    earlier: str
    expected: Expected | None


@dataclass(frozen=True, slots=True)
class AtlasChapter:
    """The games of one file."""

    file: Path
    title: str
    about: str
    entries: tuple[Entry, ...]


def read_atlas(paths: Sequence[str | Path]) -> tuple[AtlasChapter, ...]:
    """Return the chapters in some files, or in the *.toml files of folders by name.

    Raises FileProblem for what cannot be read; FormatError, with file and line, for another form than that of this
    module, for rules that define no game, and for an id that two games have.
    """
    chapters = tuple(_chapter(file) for file in _files(paths))
    seen: dict[str, Path] = {}
    for chapter in chapters:
        for entry in chapter.entries:
            if entry.id in seen:
                lines = _LineNumbers(chapter.file, read_text(chapter.file, MOST_VALUES))
                place = lines.of_id(entry.id, last=seen[entry.id] == chapter.file)
                raise FormatError(f"a game in {seen[entry.id]} has the same id {entry.id}", str(chapter.file), place)
            seen[entry.id] = chapter.file
    return chapters


def chosen(chapters: Sequence[AtlasChapter], only: Sequence[str]) -> tuple[Entry, ...]:
    """Return all games, or those with the given ids, in the order of the files.

    Raises FibproverError for an unknown id.
    """
    known = [entry.id for chapter in chapters for entry in chapter.entries]
    for name in only:
        if name not in known:
            raise FibproverError(f"the atlas has no game {name}", hint=did_you_mean(name, known, kind="games"))
    return tuple(entry for chapter in chapters for entry in chapter.entries if not only or entry.id in only)


def _files(paths: Sequence[str | Path]) -> list[Path]:
    """Return the files that paths stand for."""
    found: list[Path] = []
    for path in map(Path, paths):
        inside = sorted(path.glob("*.toml"), key=_in_order) if path.is_dir() else [path]
        if not inside:
            raise FileProblem(f"{path} contains no file *.toml", hint="an atlas consists of TOML files")
        found += [file for file in inside if file not in found]
    return found


def _in_order(file: Path) -> list[tuple[int, str]]:
    """Return a key by which 9-a.toml comes before 10-b.toml."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", file.name)]


def _chapter(file: Path) -> AtlasChapter:
    """Read one file."""
    text = read_text(file, MOST_VALUES)
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"this is not TOML: {error}", str(file)) from error
    place = _LineNumbers(file, text)
    whole = _Table(found, place, None)
    whole.check({"title", "about", "game"})
    games = found.get("game")
    if not isinstance(games, list) or not games or not all(isinstance(game, dict) for game in games):
        raise FormatError("a file of the atlas has a list of games", str(file), hint="each begins with [[game]]")
    entries = [_entry(_Table(game, place, number)) for number, game in enumerate(games)]
    ids = [entry.id for entry in entries]
    for name in ids:
        if ids.count(name) > 1:
            raise FormatError(f"two games have the id {name}", str(file), place.of_id(name, last=True))
    return AtlasChapter(file, whole.words("title"), whole.words("about", ""), tuple(entries))


class _LineNumbers:
    """The lines of a file of TOML, whose parser does not say where a key stands."""

    def __init__(self, file: Path, text: str) -> None:
        self.file = file
        self.text = text
        self.headings = [found.start() for found in _HEADING.finditer(text)]

    def line(self, game: int | None, key: str) -> int | None:
        """Return the line of a key of a game (None: of the file); that of the game where the key is missing."""
        if game is not None and game >= len(self.headings):
            return None
        ends = [*self.headings, len(self.text)]
        start, end = (0, ends[0]) if game is None else (ends[game], ends[game + 1])
        found = re.compile(rf"^[ \t]*{re.escape(key)}[ \t]*=", re.MULTILINE).search(self.text, start, end)
        if found is None and game is None:
            return None
        return self.text.count("\n", 0, start if found is None else found.start()) + 1

    def of_id(self, name: str, *, last: bool) -> int | None:
        """Return the line where a game has this id, the last one if there are several."""
        pattern = re.compile(rf"^[ \t]*id[ \t]*=[ \t]*[\"']{re.escape(name)}[\"']", re.MULTILINE)
        found = [each.start() for each in pattern.finditer(self.text)]
        lines = [self.text.count("\n", 0, start) + 1 for start in found]
        return (lines[-1] if last else lines[0]) if lines else None


class _Table:
    """A table of a file with its place: its keys by their types."""

    def __init__(self, found: Mapping[str, Any], place: _LineNumbers, game: int | None, inside: str = "") -> None:
        self.found = found
        self.place = place
        self.game = game
        self.inside = inside

    def wrong(self, key: str, what: str, hint: str = "") -> FormatError:
        """Return the error about a key."""
        line = self.place.line(self.game, self.inside or key)
        return FormatError(what, str(self.place.file), line, hint=hint)

    def check(self, known: set[str]) -> None:
        """Raise FormatError for a key that is not known."""
        for key in self.found:
            if key not in known:
                of = f" of {self.inside}" if self.inside else ""
                hint = did_you_mean(key, sorted(known)) or f"the keys{of} are {', '.join(sorted(known))}"
                raise self.wrong(key, f"unknown key {key}{of}", hint)

    def typed(self, key: str, kind: type, what: str, default: Any) -> Any:
        """Return the value of a key, which has a type; the default, unless it is ..., where the key is missing."""
        if key not in self.found:
            if default is ...:
                raise self.wrong(key, f"the key {key} is missing{f' in {self.inside}' if self.inside else ''}")
            return default
        value = self.found[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.wrong(key, f"{key} must be {what}, not {value!r}")
        return value

    def words(self, key: str, default: Any = ...) -> str:
        """Return a text as one line."""
        return " ".join(str(self.typed(key, str, "a text", default)).split())

    def natural(self, key: str, least: int, default: Any) -> Any:
        """Return a whole number of at least `least`."""
        value = self.typed(key, int, "a whole number", default)
        if isinstance(value, int) and value < least:
            raise self.wrong(key, f"{key} must be at least {least}, not {value}")
        return value

    def inner(self, key: str, known: set[str]) -> _Table:
        """Return a table inside this one."""
        made = _Table(self.typed(key, dict, "a table, such as { ... }", ...), self.place, self.game, key)
        made.check(known)
        return made


def _entry(table: _Table) -> Entry:
    """Return the game that a table describes."""
    table.check({
        "id", "name", "moves", "terminal", "blocked", "misere", "pass", "steps", "by", "value", "systems", "largest",
        "seconds", "source", "known", "earlier", "expected",
    })
    name = table.words("id")
    if not ID.fullmatch(name):
        raise table.wrong("id", f"{name!r} is not an id", "an id consists of a-z, 0-9 and -, as in wythoff-2")
    earlier = table.words("earlier")
    if earlier not in EARLIER:
        raise table.wrong("earlier", f"earlier must be one of {', '.join(EARLIER)}, not {earlier!r}")
    seconds = table.typed("seconds", int, "a whole number of seconds", None)
    if seconds is not None and seconds < 1:
        raise table.wrong("seconds", "seconds must be positive")
    inner = table.inner("source", {"authors", "title", "year", "where"})
    source = Source(
        inner.words("authors"), inner.words("title"), inner.natural("year", 1, ...), inner.words("where", "")
    )
    game = _game(table)
    return Entry(
        name, table.words("name"), game, _value(table, game), _systems(table), _largest(table, game), seconds, source,
        table.words("known"), earlier, _expected(table),
    )


def _game(table: _Table) -> Game:
    moves, terminal = table.words("moves"), table.words("terminal", "")
    blocked, by = table.natural("blocked", 0, 0), table.words("by", "")
    keys = ("steps", "misere", "pass")
    steps, misere, passes = (table.typed(key, bool, "true or false", False) for key in keys)
    try:
        return game_of(moves, terminal, blocked, steps=steps, misere=misere, passes=passes, by=by)
    except BudgetSpent:
        raise
    except FibproverError as error:
        raise table.wrong("moves", f"the rules define no game: {error}") from error


def _value(table: _Table, game: Game) -> int:
    value: int = table.natural("value", 0, 0)
    try:
        check_value(game, value)
    except BudgetSpent:
        raise
    except FibproverError as error:
        raise table.wrong("value", str(error)) from error
    return value


def _largest(table: _Table, game: Game) -> int | None:
    largest: int | None = table.natural("largest", 1, None)
    if largest is not None:
        try:
            check_largest(game, largest)
        except BudgetSpent:
            raise
        except FibproverError as error:
            raise table.wrong("largest", str(error)) from error
    return largest


def _systems(table: _Table) -> tuple[str, ...]:
    found = table.typed("systems", list, "a list of names", [])
    for name in found:
        if not isinstance(name, str):
            raise table.wrong("systems", f"systems must be a list of names, not {found!r}")
        try:
            system_named(name)
        except BudgetSpent:
            raise
        except FibproverError as error:
            raise table.wrong("systems", str(error)) from error
    return tuple(found)


def _expected(table: _Table) -> Expected | None:
    if "expected" not in table.found:
        return None
    inner = table.inner("expected", {"status", "system", "states"})
    status = inner.words("status")
    system = inner.words("system", "") or None
    states = inner.natural("states", 1, None)
    if (status == "proved") != (system is not None) or (status == "proved") != (states is not None):
        raise table.wrong(
            "expected", "system and states belong to a game whose expected status is proved, and only to such a game"
        )
    return Expected(status, system, states)
