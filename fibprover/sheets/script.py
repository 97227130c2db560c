"""A sheet as a script that Walnut reads, and `fibprover run`: the word, its predicates, and a command for each line.

What is closed is an `eval`, a set or pairs of numbers a `def`, a sequence an `eval` with its variable, which makes the
linear representation.  Predicates such as $feq_T, which Walnut does not have, are defined before they are called.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from fibprover.base.errors import NotSupported
from fibprover.base.names import word_predicate
from fibprover.language.tree import Call, Formula, nodes
from fibprover.learn.standard import formula_of
from fibprover.sequences.recursion import recursion_of
from fibprover.sheets.closed_form import power_expression
from fibprover.sheets.vocabulary import Vocabulary
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

#: The section of the line that says which word terms suggest.
CONJECTURE = "conjecture"

#: What is said of a definition that was not proved to give the terms.
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
    remark = _remark(f"Open, and left out: {left} of {len(named)} lines.") if left else ()
    return "\n".join([*_word(sheet), *remark, *_predicates(sheet.word, lines), *map(_command, decided)]) + "\n"


def script_of_line(sheet: Sheet, line: Line) -> str:
    """Return a line of a sheet as a script, with the predicates that it calls; "" for that of a conjecture."""
    command = next((each for each in _named(sheet) if each[1] is line), None)
    if command is None:
        return ""
    return "\n".join([*_word(sheet), *_predicates(sheet.word, [line]), _command(command)]) + "\n"


def script_of_sequence(sheet: SequenceSheet, line: Line | None = None) -> str:
    """Return the sheet of a sequence, or a line of it, as a script; "" for a line that is none.

    A definition is an `eval` with n, which makes the linear representation.  Where the pairs (n, a(n)) are an
    automaton, and the recursion over base k is a formula, it is a `solve`.  A remark says what is a conjecture.
    """
    commands = []
    status = sheet.lines[0].status
    for each in sheet.lines if line is None else [line]:
        if each.kind == "sequence" and each.tree is not None:
            if status != "proved":
                commands += _remark(_OF_A_DEFINITION[status])
            commands += [*_predicates_of(sheet.words, [each]), _command((_name_of(sheet, each), each))]
        elif each.id == "synchronized" and each.status == "proved":
            recursion = recursion_of(sheet.sequence).formula(sheet.name)
            if not recursion:
                continue
            if status != "proved":
                commands += _remark(f"A conjecture, from {sheet.given}:")
            commands += _remark(f"${sheet.name}(n,v): v is {sheet.term}. Walnut has no such command.")
            commands.append(f'solve {sheet.name} "?{sheet.system} {recursion}" by n;')
    if not commands and line is None:
        commands = list(_remark(
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
    if line.tree is None:
        return ""
    try:
        return f'{head} "{line.tree.walnut()}":'
    except NotSupported:
        remark = _remark("Walnut has no quantifiers that count, as the next command.")
        return "\n".join([*remark, f'{head} "{line.tree}":'])


def _predicates_of(words: Iterable[AutomaticWord], lines: Sequence[Line]) -> list[str]:
    return [definition for word in words for definition in _predicates(word, lines)]


def _predicates(word: AutomaticWord, lines: Iterable[Line]) -> list[str]:
    """Return the definitions of the predicates of a word that lines call, each after those that it calls itself."""
    needed: dict[str, str] = {}
    system = word.tracks[0].system
    base = word.system(word.tracks[0]).integer_base
    recursions = Vocabulary(word.name).recursions(word.outputs)

    def add(formula: Formula) -> None:
        for name in (each.name for each in nodes(formula) if isinstance(each, Call) and each.name not in needed):
            parts = word_predicate(name)
            kind, _, of = name.partition("_")
            if parts is not None and parts[1] == word.name:
                own = formula_of(parts[0], word)
                add(own)
                needed[name] = f'def {name} "{own.walnut()}":'
            elif name in recursions:
                recursion = recursions[name].in_system(system)
                needed[name] = ""  # as it calls itself; the place comes after what else it calls
                add(recursion)
                del needed[name]
                needed[name] = f'solve {name} "{recursion}" by n;'
            elif of == word.name and base and power_expression(kind, base):
                needed[name] = f'reg {name} {system} "{power_expression(kind, base)}":'

    for line in lines:
        if line.tree is not None:
            add(line.tree)
    return list(needed.values())


def _word(sheet: Sheet) -> Iterator[str]:
    """Yield the commands that make the word, or a remark on where it is."""
    word, system = sheet.word, sheet.system
    if _is_in_the_library(word):
        yield from _remark(f"{word.name} is a word of Walnut's library.")
    elif _is_made_by_promotion(word, system):
        machine, states = word.machine, f"{word.name}_states"
        images = {state: tuple(target for _, target in machine.row(state)) for state in range(machine.states)}
        letters = {state: (int(machine.outputs[state]),) for state in range(machine.states)}
        yield f'morphism {states}_h "{Morphism("h", images)}";'
        yield f"promote {states} {states}_h{'' if _is_base(system) else f' {system}'};"
        yield f'morphism {states}_c "{Morphism("c", letters)}";'
        yield f"image {word.name} {states}_c {states};"
        if not _is_base(system):
            yield from _remark(f"In Walnut: put the automaton of {word.name} into the folder Word Automata Library.")
    else:
        yield from _remark(
            f"{word.name} is a word over {system}, made of {sheet.given}. The script needs this system, as a custom "
            f"base in Walnut, and the automaton of the word."
        )
    if not _IN_WALNUT.fullmatch(system):
        yield from _remark(f"Walnut needs {system} as a custom base.")


def _is_in_the_library(word: AutomaticWord) -> bool:
    """Return whether this is a word of Walnut's library: those that Walnut has not have names in lower case."""
    return word.name.isupper() and word.name in ENTRIES and Session().namespace.library_words[word.name] == word


def _is_base(system: str) -> bool:
    return bool(re.fullmatch(r"msd_\d+", system))


def _is_made_by_promotion(word: AutomaticWord, system: str) -> bool:
    """Return whether the word is the image of a fixed point of a morphism over a system that has a name everywhere."""
    has_name = system.startswith("msd_") and system not in word.systems
    return len(word.tracks) == 1 and has_name and not word.padding_matters


def _remark(text: str) -> list[str]:
    return textwrap.wrap(text, 110, initial_indent="# ", subsequent_indent="# ")
