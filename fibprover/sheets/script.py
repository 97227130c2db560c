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
from fibprover.base.names import system_name
from fibprover.base.wording import plural
from fibprover.language.equation_parser import are_equations
from fibprover.sequences.catalogue import KNOWN
from fibprover.sequences.recursion import recursion_of
from fibprover.sheets.called_predicates import called_predicates
from fibprover.sheets.line import SECTION, Line
from fibprover.sheets.sheet_text import each_of
from fibprover.sheets.subject import SEQUENCE, WithoutAddition
from fibprover.sheets.word_commands import Made, commands_of
from fibprover.words.automatic import AutomaticWord
from fibprover.words.catalogue import ENTRIES
from fibprover.workspace.session import Session

if TYPE_CHECKING:
    from fibprover.sheets.sheet import Sheet

#: The systems that Walnut has, besides bases.
_IN_WALNUT = re.compile(r"(?:msd|lsd)_(?:\d+|fib|trib|pell)")

#: The comment on a definition that was not proved to give the terms.
_OF_A_DEFINITION: Mapping[str, str] = MappingProxyType({
    "open": "It is not decided whether the next definition gives the conjectured sequence.",
    "refuted": "The next definition gives another sequence than the conjectured one.",
})

#: The kinds of questions whose formulas are closed.
_CLOSED = ("claim", "cases", "counts", "steps", "derived", "closed form", "line", "balance")


def script_of(sheet: Sheet, line: Line | None = None) -> str:
    """Return a sheet, or a line of it with the predicates that it calls, as a script; "" for a line that is none.

    Open lines of a sheet are left out: their commands, and the `solve` before them may never end.  If no command makes
    a word, what is asked about it stands in comments.  A definition of a sequence is an `eval` with n, which makes the
    linear representation.
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
    said, all_made = _words(sheet) if sheet.is_word else ([], True)
    if len(kept) < len(asked):
        said += _comment(f"Open, and left out: {len(asked) - len(kept)} of {len(asked)} lines.")
    otherwise = [each.by for each, _ in commands if each.by]
    for method in dict.fromkeys(otherwise):
        lines = plural(otherwise.count(method), "line")
        said += _comment(f"Decided by {method}, without a formula, and left out: {lines}.")
    if not sheet.is_word and not kept:
        said += _sequence(sheet)
    deciding = [
        *(text for word in sheet.words for text in _predicates(word, [each for each, _ in kept])),
        *(text for _, command in kept for text in command),
    ]
    if not all_made:
        deciding = [text if text.startswith("#") else f"# {text}" for text in deciding]
    return "\n".join([*said, *deciding]) + "\n"


def joined_script(sheets: Iterable[Sheet]) -> str:
    """Return sheets as one script: first those of words of the library, whose names the words of systems may take."""
    in_order = sorted(sheets, key=lambda sheet: not (sheet.is_word and all(map(_is_in_the_library, sheet.words))))
    return "".join(map(script_of, in_order))


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


def _words(sheet: Sheet) -> tuple[list[str], bool]:
    """Return the commands that make the words, with comments on where they are, and whether all words are there."""
    if sheet.is_family:
        (word,) = sheet.words
        named = " and ".join(dict.fromkeys(track.system for track in word.tracks))
        said = _comment(f"{word.name} is {each_of(sheet)}, over {named}: Walnut has no such words.")
        return [*said, *([f'family {word.name} "{sheet.given}";'] if "|" in sheet.given else [])], True
    made = commands_of(sheet.words, [word.name for word in sheet.words if _is_in_the_library(word)])
    said = list(made.commands)
    for word in sheet.words:
        if word in made.words:
            said += _comment(_unmade(sheet, word, made))
        elif not any(re.match(rf"\w+ {word.name} ", each) for each in made.commands) and _is_in_the_library(word):
            said += _comment(f"{word.name} is a word of Walnut's library.")
        elif len(word.tracks) == 1 and not system_name(word.tracks[0].system).base.isdecimal():
            said += _comment(f"In Walnut put the automaton of {word.name} into the folder Word Automata Library.")
    for system in dict.fromkeys(track.system for word in sheet.words for track in word.tracks):
        if not _IN_WALNUT.fullmatch(system) and not made.systems.get(system, "").startswith("ost "):
            without = ", which has no command dumont_thomas," if system in made.systems else ""
            said += _comment(f"Walnut{without} needs {system} as a custom base.")
    return said, not made.words


def _unmade(sheet: Sheet, word: AutomaticWord, made: Made) -> str:
    """Return what is said of a word that no command makes."""
    systems = "".join(f", and {system}" for system in word.systems if not made.systems[system])
    named = " and ".join(dict.fromkeys(track.system for track in word.tracks))
    return (
        f"{word.name} is a word over {named}, made of {sheet.given}. No short command makes its automaton{systems}: "
        "what is asked about it stands in comments."
    )


def _is_in_the_library(word: AutomaticWord) -> bool:
    """Return whether this is a word of Walnut's library: those that Walnut has not have names in lower case."""
    return word.name.isupper() and word.name in ENTRIES and Session().namespace.library_words[word.name] == word


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, 110, initial_indent="# ", subsequent_indent="# ")
