"""What a session makes, as files in Walnut's folders, and what it finds there.

An automaton goes to Result/ as a drawing and as a text, and then to the library of its kind, from
which its name is read again.  Each file is written in one step (`fibprover.io.files`); only
those of libraries are waited for until they are on the disk, as Result/ can be made again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from fibprover.automata.dfa import Dfa
from fibprover.automata.digit_order import as_read, from_read
from fibprover.errors import BudgetSpent, FibproverError, FileProblem, FormatError, UnknownName, did_you_mean
from fibprover.evaluate.trace import Record, Trace
from fibprover.io import folders as places
from fibprover.io.dot import to_dot
from fibprover.io.exports import DIALECTS, to_ba
from fibprover.io.files import write_text
from fibprover.io.folders import Folders, LazyFileMapping, read_script
from fibprover.io.walnut import (
    Base,
    automaton_text,
    morphism_text,
    read_automaton,
    read_morphism,
    read_transducer,
    transducer_text,
    write_base,
)
from fibprover.limits import Budget
from fibprover.numeration.system import NumerationSystem, lexicographic_order
from fibprover.plan.environment import Definition
from fibprover.verdict.linear_representation import LinearRepresentation
from fibprover.verdict.relation import Relation
from fibprover.verdict.verdict import Verdict
from fibprover.words.automatic import AutomaticWord, automatic_word
from fibprover.words.morphism import Morphism
from fibprover.words.transducers import Transducer

#: Beyond so many states nothing is drawn: a graph of them takes longer than all else and shows nothing.
MOST_DRAWN = 2_000

#: The digits of a numeration system by its name.
Digits = Callable[[str], tuple[int, ...]]


def definitions(
    own: Mapping[str, Definition], folders: Folders, digits: Digits, budget: Callable[[], Budget]
) -> LazyFileMapping[Definition]:
    """Predicates: the raw languages of the files, restricted and closed whenever they are called."""

    def read(name: str) -> Definition | None:
        path = folders.find(places.AUTOMATA, name)
        if path is None:
            return None
        with blaming(path):
            automaton = from_read(read_automaton(path, digits, budget=budget()), budget())
        return Definition(name, automaton, str(path), raw=True)

    def write(name: str, meaning: Definition) -> None:
        _write(folders, places.AUTOMATA, name, as_read(meaning.automaton, budget()), word=False)

    return LazyFileMapping(own, read, write, lambda: folders.names(places.AUTOMATA))


def words(
    own: Mapping[str, AutomaticWord], folders: Folders, digits: Digits, budget: Callable[[], Budget]
) -> LazyFileMapping[AutomaticWord]:
    """Words, as their machines."""

    def read(name: str) -> AutomaticWord | None:
        path = folders.find(places.WORDS, name)
        if path is None:
            return None
        with blaming(path):
            machine = from_read(read_automaton(path, digits, budget=budget()), budget(), word=True)
            return automatic_word(name, machine, budget())

    def write(name: str, meaning: AutomaticWord) -> None:
        _write(folders, places.WORDS, name, as_read(meaning.machine, budget(), word=True), word=True)

    return LazyFileMapping(own, read, write, lambda: folders.names(places.WORDS))


def morphisms(own: Mapping[str, Morphism], folders: Folders) -> LazyFileMapping[Morphism]:
    """Morphisms, as their rules."""

    def read(name: str) -> Morphism | None:
        path = folders.find(places.MORPHISMS, name)
        return None if path is None else read_morphism(path, name)

    def write(name: str, meaning: Morphism) -> None:
        for library in (places.RESULT, places.MORPHISMS) if folders.written else ():
            write_text(folders.place(library, name), morphism_text(meaning))

    return LazyFileMapping(own, read, write, lambda: folders.names(places.MORPHISMS))


def transducers(own: Mapping[str, Transducer], folders: Folders) -> LazyFileMapping[Transducer]:
    """Transducers, as their moves; no command makes one, but Python may."""

    def read(name: str) -> Transducer | None:
        path = folders.find(places.TRANSDUCERS, name)
        return None if path is None else read_transducer(path, name)

    def write(name: str, meaning: Transducer) -> None:
        if folders.written:
            write_text(folders.place(places.TRANSDUCERS, name), transducer_text(meaning))

    return LazyFileMapping(own, read, write, lambda: folders.names(places.TRANSDUCERS))


def macros(own: Mapping[str, str], folders: Folders) -> LazyFileMapping[str]:
    """Macros, as their texts."""

    def read(name: str) -> str | None:
        path = folders.find(places.MACROS, name)
        return None if path is None else read_script(str(path)).strip()

    def write(name: str, meaning: str) -> None:
        if folders.written:
            write_text(folders.place(places.MACROS, name), meaning)

    return LazyFileMapping(own, read, write, lambda: folders.names(places.MACROS))


def keep_system(folders: Folders, system: NumerationSystem) -> None:
    """Writes a numeration system as a custom base, with its order where that is not the one by the first difference."""
    if not folders.written:
        return
    less = None if system.less() == lexicographic_order(system) else system.less()
    base = Base(system.msd_first.name, system.valid, system.linear((1, 1, -1), "=", 0), less)
    write_base(base, folders.place(places.BASES, base.name).parent)


def keep_matrices(folders: Folders, name: str, representation: LinearRepresentation) -> None:
    """Writes a linear representation in every dialect there is."""
    for ending in DIALECTS:
        representation.write(folders.place(places.RESULT, name, f".{ending}"))


def keep_steps(folders: Folders, name: str, outcome: Verdict | Relation, terminator: str) -> None:
    """Writes what an evaluation did: after `:` the steps that are a part of the formula, after `::` also all steps.

    Those of an older evaluation go: they would tell of something else.
    """
    trace = outcome.trace
    wanted = trace is not None and bool(trace.records)
    for ending, asked, detailed in (("_log", (":", "::"), False), ("_detailed_log", ("::",), True)):
        place = folders.place(places.RESULT, name, f"{ending}.txt")
        if trace is None or not wanted or terminator not in asked:
            _remove(place)
            continue
        records = tuple(record for record in trace.records if detailed or record.source)
        steps = str(Trace(records, trace.largest, trace.seconds))
        head = f"{' '.join(outcome.text.split())}\n{outcome}\n"
        foot = f"{trace.seconds:9.3f} s  largest automaton: {trace.largest} states"
        write_text(place, f"{head}\n{steps}\n{foot}\n", durable=False)


def _write(folders: Folders, library: str, name: str, automaton: Dfa, *, word: bool) -> None:
    """The drawing and the text in Result/, and the text in a library, where the name is read again."""
    if not folders.written:
        return
    drawing = folders.place(places.RESULT, name, ".gv")
    if automaton.states <= MOST_DRAWN:
        write_text(drawing, to_dot(automaton, name, word=word, limit=MOST_DRAWN), durable=False)
    else:
        _remove(drawing)
    text = automaton_text(automaton)
    write_text(folders.place(places.RESULT, name), text, durable=False)
    write_text(folders.place(library, name), text)


def _remove(path: Path) -> None:
    """Takes an older drawing away, which would show something else."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise FileProblem(f"{path} cannot be removed: {error.strerror or error}") from error


@contextmanager
def blaming(path: Path) -> Iterator[None]:
    """Names the file in what goes wrong while its content is made use of."""
    try:
        yield
    except (FormatError, FileProblem, BudgetSpent):
        raise
    except FibproverError as error:
        raise FormatError(error.message, str(path), hint=error.hint) from error



# ---- exporting
# `export`: an automaton as a file for other programs.

#: The formats, and the endings of their files.
FORMATS = {"GV": ".gv", "BA": ".ba", "TXT": ".txt"}


def export(a: Dfa, name: str, form: str, path: str | Path, *, word: bool = False) -> Path:
    """Writes an automaton, given as users see it, and returns the file; path: a folder for NAME.gv and the like,
    or a file.

    UnknownName for another format, and for a word in BA, which knows no outputs; FileProblem where
    the file cannot be written.
    """
    kind = form.upper()
    possible = [known for known in FORMATS if not (word and known == "BA")]
    if kind not in possible:
        what = "BA has no outputs, and this is a word" if kind in FORMATS else f"there is no format {form}"
        raise UnknownName(what, form, 0, len(form), hint=did_you_mean(kind, possible))
    file = Path(path)
    if file.is_dir():
        file /= name + FORMATS[kind]
    if kind == "GV":
        text = to_dot(a, name, word=word, limit=a.states)
    else:
        text = to_ba(a) if kind == "BA" else automaton_text(a)
    write_text(file, text)
    return file


class StepExport:
    """Writes automata of an evaluation's steps as they are finished: NAME_step_0.ba and so on in a folder.

    wanted: a step's number, or "*" for all, and a format.  Steps are numbered in the order of the
    trace, from 0; what their automata are is the planner's business.
    """

    def __init__(self, name: str, wanted: Sequence[tuple[str, str]], folder: Path) -> None:
        self.name = name
        self.wanted = wanted
        self.folder = folder
        self.steps = 0

    def __call__(self, _record: Record, automaton: Dfa) -> None:
        """Takes note of a finished step."""
        for number, form in self.wanted:
            if number == "*" or int(number) == self.steps:
                export(as_read(automaton), f"{self.name}_step_{self.steps}", form, self.folder)
        self.steps += 1
