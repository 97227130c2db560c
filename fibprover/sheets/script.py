"""A sheet as a script that Walnut reads, and `fibprover run`: the word, its predicates, and a command for each line.

A closed formula becomes an `eval`, a set of numbers or pairs a `def`, and a sequence an `eval` with its variable, which
makes the linear representation.  Predicates such as $feq_T, which Walnut does not have, are defined before they are
called.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from fibprover.base.names import word_predicate
from fibprover.learn.standard import formula_of
from fibprover.sequences.recursion import recursion_of
from fibprover.sheets.abelian import sum_recursion
from fibprover.sheets.closed_form import power_expression
from fibprover.sheets.derived import occurrences_recursion
from fibprover.sheets.question import about_word
from fibprover.words.automatic import AutomaticWord
from fibprover.words.catalogue import ENTRIES
from fibprover.words.morphism import Morphism
from fibprover.workspace.session import Session

if TYPE_CHECKING:
    from fibprover.sheets.line import Line, Lines
    from fibprover.sheets.sequence_sheet import SequenceSheet
    from fibprover.sheets.sheet import Sheet

#: The systems that Walnut has, besides bases.
_IN_WALNUT = re.compile(r"(?:msd|lsd)_(?:\d+|fib|trib|pell)")

_CALL = re.compile(r"\$(\w+)")

#: The name of a predicate of numbers of letters or prefixes, which a recursion defines.  Walnut has no such command.
_COUNT = re.compile(r"(?P<kind>sum|occ)(?P<sign>neg)?(?P<number>\d+)_(?P<word>\w+)")

#: A quantifier that counts.
_COUNTING = re.compile(r"\bE(?:<=|>=|=)\d")

#: The section of the line that says which word the terms suggest.
CONJECTURE = "conjecture"

#: The comment on a definition that was not proved to give the terms.
_OF_A_DEFINITION: Mapping[str, str] = MappingProxyType({
    "open": "It is not decided whether the next definition gives the conjectured sequence.",
    "refuted": "The next definition gives another sequence than the conjectured one.",
})


def script_of(sheet: Sheet) -> str:
    """Return a sheet as a script, without its open lines: their commands, and the `solve` before them may never end."""
    named = list(_named(sheet))
    decided = [each for each in named if each[1].status != "open"]
    left = len(named) - len(decided)
    lines = [line for _, line in decided]
    comment = _comment(f"Open, and left out: {left} of {len(named)} lines.") if left else ()
    return "\n".join([*_word(sheet), *comment, *_predicates(sheet.word, lines), *map(_command, decided)]) + "\n"


def script_of_line(sheet: Sheet, line: Line) -> str:
    """Return a line of a sheet as a script, with the predicates that it calls; "" for that of a conjecture."""
    command = next((each for each in _named(sheet) if each[1] is line), None)
    if command is None:
        return ""
    return "\n".join([*_word(sheet), *_predicates(sheet.word, [line]), _command(command)]) + "\n"


def script_of_sequence(sheet: SequenceSheet, line: Line | None = None) -> str:
    """Return the sheet of a sequence, or a line of it, as a script; "" for a line without a formula.

    A definition is an `eval` with n, which makes the linear representation.  Where the pairs (n, a(n)) are an
    automaton, and the recursion over base k is a formula, it is a `solve`.  A comment says what is a conjecture.
    """
    commands = []
    status = sheet.lines[0].status
    for each in sheet.lines if line is None else [line]:
        if each.kind == "sequence" and each.formula:
            if status != "proved":
                commands += _comment(_OF_A_DEFINITION[status])
            commands += [*_predicates_of(sheet.words, [each]), _command((_name_of(sheet, each), each))]
        elif each.id == "synchronized" and each.status == "proved":
            recursion = recursion_of(sheet.sequence).formula(sheet.name)
            if recursion is None:
                continue
            if status != "proved":
                commands += _comment(f"A conjecture, from {sheet.given}:")
            commands += _comment(f"${sheet.name}(n,v): v is {sheet.term}. Walnut has no such command.")
            commands.append(f'solve {sheet.name} "?{sheet.system} {recursion}" by n;')
    if not commands and line is None:
        commands = list(_comment(
            f"{sheet.title}, over {sheet.system}, has a linear representation, and no formula: `--matrices` writes it."
        ))
    return "".join(f"{command}\n" for command in commands)


def _named(sheet: Sheet) -> Iterator[tuple[str, Line]]:
    for line in sheet.lines:
        if line.section == CONJECTURE:
            continue  # its formula is about the relation of a definition
        yield _name_of(sheet, line), line


def _name_of(sheet: Lines, line: Line) -> str:
    return f"{sheet.name}_{line.id.replace('-', '_')}"


def _command(named: tuple[str, Line]) -> str:
    name, line = named
    if line.kind in ("claim", "cases", "counts", "steps", "derived", "closed form", "line", "balance"):
        head = f"eval {name}"
    else:
        # A function has values unless it is infinite somewhere, so that the numbers below it cannot be counted.
        finite = line.kind in ("sequence", "greatest") or (line.kind == "function" and line.terms)
        head = f"eval {name} n" if finite else f"def {name}"
    command = f'{head} "{line.formula}":'
    if _COUNTING.search(line.formula):
        return "\n".join([*_comment("Walnut has no quantifiers that count, as the next command."), command])
    return command


def _predicates_of(words: Iterable[AutomaticWord], lines: Sequence[Line]) -> list[str]:
    return [definition for word in words for definition in _predicates(word, lines)]


def _predicates(word: AutomaticWord, lines: Iterable[Line]) -> list[str]:
    """Return the definitions of the predicates of a word that lines call, each after those that it calls itself."""
    needed: dict[str, str] = {}

    def add(formula: str) -> None:
        for name in _CALL.findall(formula):
            parts = word_predicate(name)
            if parts is not None and parts[1] == word.name and name not in needed:
                own = str(formula_of(parts[0], word))
                add(own)
                needed[name] = f'def {name} "{own}":'
            kind, _, of = name.rpartition(f"_{word.name}")
            base = word.system(word.tracks[0]).integer_base
            if kind and not of and base and power_expression(kind, base):
                needed[name] = f'reg {name} {word.tracks[0].system} "{power_expression(kind, base)}":'
            recursion = _recursion(name, word)
            if recursion and name not in needed:
                add(recursion.replace(f"${name}(", ""))
                needed[name] = f'solve {name} "{recursion}" by n;'

    for line in lines:
        add(line.formula)
    return list(needed.values())


def _recursion(name: str, word: AutomaticWord) -> str:
    """Return the recursion of a predicate that counts letters, or places of a prefix, below a number; "" for others."""
    found = _COUNT.fullmatch(name)
    if found is None or found["word"] != word.name:
        return ""
    number = int(found["number"]) * (-1 if found["sign"] else 1)
    recursion = sum_recursion(number) if found["kind"] == "sum" else occurrences_recursion(number)
    return f"?{word.tracks[0].system} {about_word(recursion, word.name)}"


def _word(sheet: Sheet) -> Iterator[str]:
    """Yield the commands that make the word, or a comment on where it is."""
    word, system = sheet.word, sheet.system
    if _is_in_the_library(word):
        yield from _comment(f"{word.name} is a word of Walnut's library.")
    elif _is_made_by_promotion(word, system):
        machine, states = word.machine, f"{word.name}_states"
        images = {state: tuple(target for _, target in machine.row(state)) for state in range(machine.states)}
        letters = {state: (int(machine.outputs[state]),) for state in range(machine.states)}
        yield f'morphism {states}_h "{Morphism("h", images)}";'
        yield f"promote {states} {states}_h{'' if _is_base(system) else f' {system}'};"
        yield f'morphism {states}_c "{Morphism("c", letters)}";'
        yield f"image {word.name} {states}_c {states};"
        if not _is_base(system):
            yield from _comment(f"In Walnut: put the automaton of {word.name} into the folder Word Automata Library.")
    else:
        yield from _comment(
            f"{word.name} is a word over {system}, made of {sheet.given}. The script needs this system, as a custom "
            f"base in Walnut, and the automaton of the word."
        )
    if not _IN_WALNUT.fullmatch(system):
        yield from _comment(f"Walnut needs {system} as a custom base.")


def _is_in_the_library(word: AutomaticWord) -> bool:
    """Return whether this is a word of Walnut's library: those that Walnut has not have names in lower case."""
    return word.name.isupper() and word.name in ENTRIES and Session().namespace.library_words[word.name] == word


def _is_base(system: str) -> bool:
    return bool(re.fullmatch(r"msd_\d+", system))


def _is_made_by_promotion(word: AutomaticWord, system: str) -> bool:
    """Return whether the word is the image of a fixed point of a morphism over a system that has a name everywhere."""
    has_name = system.startswith("msd_") and system not in word.systems
    return len(word.tracks) == 1 and has_name and not word.padding_matters


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, 110, initial_indent="# ", subsequent_indent="# ")
