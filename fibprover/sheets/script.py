"""A sheet as a script that Walnut reads, and `fibprover run`: the word, its predicates, and a command for each line.

A closed formula becomes an `eval`, a set of numbers or pairs a `def`, and a sequence an `eval` with its variable, which
makes the linear representation.  Predicates such as $feq_T, which Walnut does not have, are defined before they are
called.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from fibprover.base.errors import NotSupported
from fibprover.base.wording import plural
from fibprover.language.equation_parser import are_equations
from fibprover.sequences.catalogue import KNOWN
from fibprover.sequences.recursion import recursion_of
from fibprover.sheets.called_predicates import called_predicates
from fibprover.sheets.line import SECTION, Line
from fibprover.sheets.sheet_text import each_of
from fibprover.sheets.subject import SEQUENCE, WithoutAddition
from fibprover.sheets.word_commands import commands_of
from fibprover.words.automatic import AutomaticWord
from fibprover.words.catalogue import ENTRIES
from fibprover.workspace.session import Session

if TYPE_CHECKING:
    from fibprover.sheets.sheet import Sheet

#: The systems that Walnut has, besides bases.
_IN_WALNUT = re.compile(r"(?:msd|lsd)_(?:\d+|fib|trib|pell)")

#: The commands that make words where Walnut makes none: those of a morphism over a system that is named.
_NOT_IN_WALNUT = re.compile(r"dumont_thomas |promote \w+ \w+ ")

#: The comment on a definition that was not proved to give the terms.
_OF_A_DEFINITION: Mapping[str, str] = MappingProxyType({
    "open": "It is not decided whether the next definition gives the conjectured sequence.",
    "refuted": "The next definition gives another sequence than the conjectured one.",
})

#: The kinds of questions whose formulas are closed.
_CLOSED = ("claim", "cases", "counts", "steps", "derived", "closed form", "line", "balance")


def script_of(sheet: Sheet, line: Line | None = None) -> str:
    """Return a sheet, or a line of it with the predicates that it calls, as a script; "" for a line that is none.

    Open lines of a sheet are left out: their commands, and the `solve` before them may never end.  A definition of a
    sequence is an `eval` with n, which makes the linear representation.
    """
    commands = [(each, _command(sheet, each)) for each in (sheet.lines if line is None else [line])]
    asked = [(each, command) for each, command in commands if command]
    if line is not None and not asked:
        return ""
    if isinstance(sheet.topic, WithoutAddition):
        return "\n".join(_comment(f"{sheet.name} has no formulas: {sheet.topic.because}.")) + "\n"
    kept = [
        (each, command) for each, command in asked
        if line is not None or each.status != "open" or each.section == SECTION
    ]
    said = [text for word in sheet.words for text in _word(sheet, word)] if sheet.is_word else []
    if len(kept) < len(asked):
        said += _comment(f"Open, and left out: {len(asked) - len(kept)} of {len(asked)} lines.")
    otherwise = [each.by for each, _ in commands if each.by]
    for method in dict.fromkeys(otherwise):
        lines = plural(otherwise.count(method), "line")
        said += _comment(f"Decided by {method}, without a formula, and left out: {lines}.")
    if not sheet.is_word and not kept:
        said += _sequence(sheet)
    for word in sheet.words:
        said += _predicates(word, [each for each, _ in kept])
    return "\n".join([*said, *(text for _, command in kept for text in command)]) + "\n"


def _sequence(sheet: Sheet) -> list[str]:
    """Return the command that makes a sequence by its equations, with a comment; the comment alone without equations.
    """
    about = f"{sheet.title}, over {sheet.system}, has a linear representation, and no formula"
    if sheet.given in KNOWN:
        equations = KNOWN[sheet.given].by_name
    elif are_equations(SEQUENCE, sheet.given):
        equations = {SEQUENCE: sheet.given}
    else:
        return _comment(f"{about}: `--matrices` writes it.")
    solved = " ".join(f'{name} "{each}"' for name, each in equations.items())
    return [*_comment(f"{about}. Walnut has no such command."), f"solve {solved};"]


def _command(sheet: Sheet, line: Line) -> list[str]:
    """Return the command of a line, with comments before it; none if it has no formula."""
    if line.kind == "graph":
        # Pairs of two systems, or of negative values, are no relation of one formula over this system.
        return _recursion(sheet) if line.status == "proved" and not line.value else []
    if line.tree is None or (sheet.is_word and line.section == SECTION):
        return []  # the formula of a conjecture about a word is about the relation of a definition
    comments = [] if sheet.is_word or line.status == "proved" else _comment(_OF_A_DEFINITION[line.status])
    try:
        # Counts are written as Walnut has none; it has no words over families.
        formula = line.formula if sheet.is_family else line.tree.walnut()
    except NotSupported:
        formula = line.formula
        comments += _comment("Walnut has no quantifiers that count, as the next command.")
    # A function has values unless it is infinite somewhere, so that the numbers below it cannot be counted.
    is_counted = line.kind in ("sequence", "greatest") or (line.kind == "function" and line.terms)
    word = "eval" if line.kind in _CLOSED or is_counted else "def"
    name = f"{sheet.name}_{line.id.replace('-', '_')}"
    return [*comments, f'{word} {name}{" n" if is_counted else ""} "{formula}":']


def _recursion(sheet: Sheet) -> list[str]:
    """Return the `solve` that makes the automaton of the pairs (n, a(n)) by a recursion over base k; none without one.

    A comment says whether it is a conjecture.
    """
    recursion = recursion_of(sheet.sequence).formula(sheet.name)
    if recursion is None:
        return []
    return [
        *(_comment(f"A conjecture, from {sheet.given}:") if sheet.lines[0].status != "proved" else ()),
        *_comment(f"${sheet.name}(n,v): v is {sheet.numbers.term}. Walnut has no such command."),
        f'solve {sheet.name} "{recursion.in_system(sheet.system)}" by n;',
    ]


def _predicates(word: AutomaticWord, lines: Iterable[Line]) -> Iterator[str]:
    """Yield the definitions of the predicates of a word that lines call, each after those that it calls itself."""
    for each in called_predicates(word, lines):
        if each.formula is None:
            yield f'reg {each.name} {word.indices[0].system} "{each.expression}":'
        elif each.is_recursive:
            yield f'solve {each.name} "{each.formula}" by n;'
        else:
            yield f'def {each.name} "{each.formula.walnut()}":'


def _word(sheet: Sheet, word: AutomaticWord) -> Iterator[str]:
    """Yield the commands that make the word, or the same over another system, or a comment on where it is."""
    systems = dict.fromkeys(track.system for track in word.tracks)
    named = " and ".join(systems)
    if sheet.is_family:
        yield from _comment(f"{word.name} is {each_of(sheet)}, over {named}: Walnut has no such words.")
        if "|" in sheet.given:
            yield f'family {word.name} "{sheet.given}";'
        return
    if _is_in_the_library(word):
        yield from _comment(f"{word.name} is a word of Walnut's library.")
    elif made := commands_of(word):
        yield from made
        if any(map(_NOT_IN_WALNUT.match, made)):
            without = ", which has no command dumont_thomas" if made[0].startswith("dumont_thomas") else ""
            yield from _comment(
                f"In Walnut{without}: put the automaton of {word.name} into the folder Word Automata Library."
            )
    else:
        yield from _comment(
            f"{word.name} is a word over {named}, made of {sheet.given}. The script needs its automaton"
            f"{f', and {named}' if word.systems else ''}, which no command makes."
        )
    for system in systems:
        if not _IN_WALNUT.fullmatch(system):
            yield from _comment(f"Walnut needs {system} as a custom base.")


def _is_in_the_library(word: AutomaticWord) -> bool:
    """Return whether this is a word of Walnut's library: those that Walnut has not have names in lower case."""
    return word.name.isupper() and word.name in ENTRIES and Session().namespace.library_words[word.name] == word


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, 110, initial_indent="# ", subsequent_indent="# ")
