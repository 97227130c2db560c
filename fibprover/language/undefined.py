"""Which names are undefined because the commands that should have defined them failed.

Such a name can have an older meaning, in a library or earlier in the script. A formula that mentions it would then
have another meaning than in the script, so it fails too, until a command defines the name again.
`run --keep-going` and the theorems of a chapter keep to this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from fibprover.base.errors import TextError, UnknownName, most_similar
from fibprover.base.names import NAME, system_name, word_of_system, word_predicate
from fibprover.language.commands import (
    ALIASES,
    WORDS,
    Command,
    OperationCommand,
    OtherCommand,
    TextCommand,
    line_number,
    systems_of,
)
from fibprover.language.macros import expand_macros
from fibprover.language.source import Span
from fibprover.language.tokens import WORD, formula_tokens, names_used, words

#: The commands that always define their first name.
_DEFINING = frozenset({"def", "reg", "macro"} | {word for word, each in WORDS.items() if " NEW" in each.usage})


class Mention(NamedTuple):
    """A name in a command or formula, with its offset; is_system: whether only a numeration system can be meant."""

    name: str
    start: int
    is_system: bool = False


@dataclass
class UndefinedNames:
    """The names that failed commands should have defined, each with what failed, such as "line 3".

    all_since: what failed if it could have defined any name, "" otherwise; made: the names that were defined after it;
    eval_defines: whether `eval` defines its name, as in folders.
    """

    failed: dict[str, str] = field(default_factory=dict)
    all_since: str = ""
    made: set[str] = field(default_factory=set)
    eval_defines: bool = False

    def add(self, command: Command, script: str, place: str = "") -> bool:
        """Add the name that a failed command should have defined; return False if that may be any name.

        place: by default the line of the command.
        """
        if isinstance(command, OtherCommand):
            return self.add_unreadable(script, command.word_span.start, command.span.end, place)
        for name in self.defined_names(command):
            self.failed[name] = place or f"line {command.line}"
        return command.word != "load"

    def add_unreadable(self, script: str, start: int, end: int, place: str = "") -> bool:
        """Add the names that the text between two offsets may define, which was not carried out.

        An unknown word that begins a command may be misspelled. place: by default the line of each command.
        Return False if the text may load a script, so that it may define any name.
        """
        known, before, begins = True, None, True
        for token in words(script, start, end):
            if before is not None and token.type in (WORD, "CALL"):
                word, begins_command = before
                misspelled = begins_command and word not in WORDS and word not in ALIASES
                if misspelled or (self._defines(word) and not _only_uses(word, script, token.end, end)):
                    similar = (misspelled and most_similar(word, list(WORDS))) or word
                    names = [*made_by(similar, token.removeprefix("$")), *_solved_with(similar, script, token.end, end)]
                    since = place or f"line {line_number(script, word.start)}"
                    self.failed |= dict.fromkeys(names, since)
                if misspelled and most_similar(word, list(WORDS)) == "load":
                    known = False
            if token.type == WORD:
                known &= token != "load"
                before, begins = (token, begins), False
            elif token.isspace():
                begins = begins or "\n" in token
            elif token != "$":
                before, begins = None, token.type == "TERMINATOR"
        return known

    def add_all(self, later: UndefinedNames) -> None:
        """Add the names that have become undefined later."""
        self.failed |= later.failed
        if later.all_since:
            self.all_since, self.made = later.all_since, set(later.made)

    def defined_by(self, command: Command) -> None:
        """Remove the names that a command has defined."""
        for name in self.defined_names(command):
            self.remove(name)

    def remove(self, name: str) -> None:
        """Remove a name that has been defined."""
        self.failed.pop(name, None)
        if self.all_since:
            self.made.add(name)

    def defined_names(self, command: Command) -> tuple[str, ...]:
        """Return the names that a command defines: several for relations that are solved together."""
        return tuple(self.definitions(command))

    def definitions(self, command: Command) -> dict[str, Span]:
        """Return the names that a command defines, each with its place: that of a system for its word, too."""
        if not self._defines(command.word):
            return {}
        if isinstance(command, TextCommand):
            return {command.name: command.name_span} if command.name else {}
        if command.word == "solve" and isinstance(command, OperationCommand):
            names = [each for each in command.arguments if isinstance(each, str)][::2]
            return {name: next(span for text, span in command.places if text == name) for name in names}
        written, place = command.places[0]
        return dict.fromkeys(made_by(command.word, written.removeprefix("$")), place)

    def _defines(self, word: str) -> bool:
        """Return whether the commands of this word define a name."""
        return word in _DEFINING or (word == "eval" and self.eval_defines)

    def check(self, command: Command, script: str, macros: Mapping[str, str]) -> None:
        """Raise UnknownName if a command mentions one of the names, or loads a file, which may do so."""
        if command.word == "load" and (self.failed or self.all_since):
            name, since = next(iter(self.failed.items()), ("a name", self.all_since))
            raise UnknownName(
                f"the file may use {name}, which is undefined because {since} failed",
                script, command.span.start, command.span.end,
            )
        self._check(mentioned(command, script, macros), script)

    def check_formula(self, formula: str, macros: Mapping[str, str]) -> None:
        """Raise UnknownName if a formula mentions one of the names."""
        self._check(_named(formula, 0, macros), formula)

    def _check(self, mentions: Iterator[Mention], text: str) -> None:
        if not self.failed and not self.all_since:
            return
        for written, start, is_system in mentions:
            # A numeration system is mentioned with its direction, or without.
            name = next((each for each in (written, system_name(written).base) if each in self.failed), written)
            since = self.failed.get(name)
            # The name of a numeration system is never given to another one.
            if since is None and not is_system and name not in self.made:
                since = self.all_since
            if since:
                raise UnknownName(f"{name} is undefined because {since} failed", text, start, start + len(written))


def made_by(word: str, name: str) -> tuple[str, ...]:
    """Return the names that a command of this word defines with its first name."""
    return (name, word_of_system(name)) if word == "dumont_thomas" else (name,)


def _solved_with(word: str, script: str, start: int, end: int) -> Iterator[str]:
    """Yield the names that stand between the formulas of a `solve`, from the end of its first name on."""
    if word != "solve":
        return
    for text in script[start:end].split('"')[2::2]:
        name = text.strip().removeprefix("$")
        if not NAME.fullmatch(name):
            return
        yield name


def _only_uses(word: str, script: str, start: int, end: int) -> bool:
    """Return whether a command has but one name and has to have another one before it, which it would define.

    start, end: where the name ends, and the text.
    """
    following = next(formula_tokens(script, start, end), None)
    return WORDS[word].usage.startswith(f"{word} NEW OLD") and (following is None or following.type == "TERMINATOR")


def mentioned(command: Command, script: str, macros: Mapping[str, str]) -> Iterator[Mention]:
    """Yield the names that a command mentions, without the name that it defines or that its answer has.

    The names in a macro have the offset of its call.
    """
    places = command.places
    if isinstance(command, TextCommand):
        places = tuple(place for place in places if place[1] != command.name_span)
    elif command.word in _DEFINING:
        places = places[1:]
    elif command.word == "export":
        places = places[:1]  # the format is no name
    elif command.word in ("load", "help"):
        places = ()
    systems = systems_of(command)
    # The formulas of a recursion call what it defines.
    own = UndefinedNames().defined_names(command) if command.word == "solve" else ()
    places = tuple(place for place in places if place[0] not in own)
    has_formulas = '"RULES"' not in WORDS[command.word].usage if command.word in WORDS else True
    for text, span in places:
        quoted = script[span.start - 1 : span.start] == '"'
        if quoted or not NAME.fullmatch(text.removeprefix("$")):
            yield from (each for each in _named(text, span.start, macros) if has_formulas and each.name not in own)
        else:
            name = script[span.start : span.end].removeprefix("$").lstrip()
            yield Mention(name, span.end - len(name), text in systems)


def _named(formula: str, start: int, macros: Mapping[str, str]) -> Iterator[Mention]:
    """Yield the names in a formula that begins at the offset `start`, then those that its macros bring in."""
    yield from _written(formula, start)
    if "#" not in formula:
        return
    inner: dict[Mention, None] = {}

    def note(call: int, text: str) -> None:
        """Note the names in the text of a macro, at the place of the call."""
        inner.update((each._replace(start=start + call), None) for each in _written(text, 0))

    with suppress(TextError):  # the formula will fail with this error
        # A name and the sign before it can come from different macros.
        note(formula.index("#"), expand_macros(formula, macros, note))
    yield from inner


def _written(formula: str, start: int) -> Iterator[Mention]:
    """Yield the names in a formula that begins at the offset `start`, without its macros."""
    for token in names_used(formula):
        name = token if token.type == "NAME" else token[1:]
        place = start + token.end - len(name)
        yield Mention(str(name), place, token.type == "SYSTEM")
        parts = word_predicate(name) if token.type == "CALL" else None
        if parts is not None:
            yield Mention(parts[1], place + len(parts[0]) + 1)
