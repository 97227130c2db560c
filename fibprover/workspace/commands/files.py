"""Commands that read and write files: `load` and `export`, the metacommand `[export]`, and Walnut's logs and matrices.

`load` and `export` are also methods of a session: `s.export("$p", "GV")`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fibprover.automata.dfa import Dfa
from fibprover.automata.digit_order import to_reading_order
from fibprover.automata.nondeterministic import Nfa
from fibprover.base.errors import FileProblem, UnknownName, did_you_mean
from fibprover.base.files import write_pieces, write_text
from fibprover.base.folders import RESULT, Folders, naming, read_script
from fibprover.base.names import file_name
from fibprover.base.wording import plural
from fibprover.prover.evaluate.trace import Record, Trace
from fibprover.workspace.commands.interpreter import Interpreter, Outcome, Result

if TYPE_CHECKING:
    from fibprover.language.commands import Command
    from fibprover.prover.verdict.nondeterministic import NondeterministicRelation
    from fibprover.sequences.series import Series


def load(session: Interpreter, path: str | Path) -> list[tuple[Command, Result]]:
    """Run the commands of a file; with Walnut's folders, of a file in Command Files/ of the home folder.

    Raise FileProblem if it cannot be read, or if it is being loaded already.

    >>> s = fp.Session()
    >>> from pathlib import Path
    >>> written = Path("even.txt").write_text('def even "Ey x=2*y";')
    >>> answers = s.load("even.txt")
    >>> s.relation("$even(x) & x>5").first(2)
    [(6,), (8,)]
    """
    with opened(session, path) as (_, text):
        return session.run(text)


@contextmanager
def opened(session: Interpreter, path: str | Path) -> Iterator[tuple[str, str]]:
    """Yield the file that `load` means by a path, and its text; an error in this context is one of that script.

    Raises FileProblem as `load` does.
    """
    if session.namespace.folders is not None:
        path = session.namespace.folders.command_file(str(path))
    try:
        place = Path(path).resolve()
    except (OSError, ValueError) as error:
        raise FileProblem(f"{path} cannot be read: {error}") from error
    if place in session.loading:
        raise FileProblem(f"{path} loads itself")
    try:
        text = read_script(str(path), pipe=False)
    except FileProblem as problem:
        problem.hint = problem.hint or _missing_script_hint(Path(path))
        raise
    session.loading += (place,)
    try:
        if session.namespace.folders is None and not place.is_relative_to(Path.cwd()):
            _check_script(str(path), text)
        with naming(str(path), text):
            yield str(path), text
    finally:
        session.loading = session.loading[:-1]


def _missing_script_hint(path: Path) -> str:
    """Return a hint about a script that does not exist: with its ending, a similar name, or those next to it."""
    if path.exists() or not path.parent.is_dir():
        return ""
    if path.with_name(f"{path.name}.txt").is_file():
        return f"did you mean {path.name}.txt?"
    return did_you_mean(path.name, sorted(file.name for file in path.parent.glob("*.txt")), kind="scripts")


def _check_script(path: str, text: str) -> None:
    """Raise FileProblem, which shows nothing of the text, unless it begins with the word of a command or holds none."""
    from fibprover.language.commands import ALIASES, WORDS
    from fibprover.language.tokens import COMMENT, script_tokens

    in_brackets = False
    for token in script_tokens(text):
        if in_brackets or token == "[":
            in_brackets = token != "]"
        elif not token.isspace() and token.type != COMMENT:
            if token in WORDS or token in ALIASES:
                return
            raise FileProblem(f"{path} is not a script: it does not begin with a command")


def export(
    session: Interpreter, source: str | NondeterministicRelation, form: str, path: str | Path | None = None
) -> Path:
    """Write a predicate `$name`, a word or a sequence to a file in the session's folder, or to `path`.

    A relation whose automaton is nondeterministic is written to `path`, which may not be missing or a folder.

    form: "GV", "BA" (predicates only) or "TXT"; for the counts of `eval NAME n "..."` "MPL" (Maple), "M" (MATLAB),
    "WL" (Mathematica), "SAGE" or "JSON". path: a file, or a folder for NAME.gv and so on.

    >>> s = fp.Session()
    >>> even = s.define("even", "Ey x=2*y")
    >>> s.export("$even", "GV").name
    'even.gv'
    """
    from fibprover.language.commands import MATRIX_FORMATS

    if not isinstance(source, str):
        return write_nondeterministic(source.nfa, form, path)
    names, named = session.namespace, bool(path)
    place = Path(path or names.folder)
    if form.upper() in MATRIX_FORMATS:
        return _export_sequence(session, source, form.lower(), place, follow=named)
    word = not source.startswith("$")
    automaton = to_reading_order(names.machine(source), names.budget(), word=True) if word else names.language(source)
    return write_automaton(automaton, source.removeprefix("$"), form, place, word=word, follow=named)


def _export_sequence(session: Interpreter, source: str, form: str, place: Path, *, follow: bool) -> Path:
    known = session.namespace.sequences
    if source not in known:
        hint = did_you_mean(source, [*known], kind="sequences")
        hint = hint or f'make one with eval {source.removeprefix("$")} n "FORMULA";'
        raise UnknownName(f"unknown sequence {source}", source, 0, len(source), hint=hint)
    file = place / file_name(source, f".{form}") if place.is_dir() else place
    write_text(file, known[source].text(form), follow=follow)
    return file


def write_automaton(
    a: Dfa, name: str, form: str, path: str | Path, *, word: bool = False, follow: bool = False
) -> Path:
    """Write an automaton, in the digit order of its systems, and return the file.

    follow: whether a link is followed, since the user has named the file.  Raises UnknownName for an unknown format,
    and for a word in BA, which has no outputs; FileProblem if the file cannot be written.
    """
    from fibprover.automata.formats.dot import to_dot
    from fibprover.automata.formats.exports import ba_pieces
    from fibprover.language.commands import FORMATS
    from fibprover.workspace.walnut import automaton_pieces

    chosen = form.upper()
    possible = [known for known in FORMATS if not (word and known == "BA")]
    if chosen not in possible:
        what = "a file in BA cannot hold a word: it has no outputs" if chosen in FORMATS else f"unknown format {form}"
        raise UnknownName(what, form, 0, len(form), hint=did_you_mean(chosen, possible, kind="formats"))
    file = Path(path)
    if file.is_dir():
        file /= file_name(name, f".{chosen.lower()}")
    match chosen:
        case "GV":
            write_text(file, to_dot(a, name, word=word, limit=a.states), follow=follow)
        case "BA":
            write_pieces(file, ba_pieces(a), follow=follow)
        case "TXT":
            write_pieces(file, automaton_pieces(a), follow=follow)
        case _:
            raise AssertionError(f"no writer of {chosen}")
    return file


def write_nondeterministic(a: Nfa, form: str, path: str | Path | None) -> Path:
    """Write a nondeterministic automaton, in the digit order of its systems, and return the file.

    Raises UnknownName for an unknown format; FileProblem without a file, or if it cannot be written.
    """
    from fibprover.automata.formats.dot import nondeterministic_to_dot
    from fibprover.automata.formats.exports import nondeterministic_ba_pieces
    from fibprover.language.commands import FORMATS
    from fibprover.workspace.walnut import nondeterministic_pieces

    if path is None or Path(path).is_dir():
        raise FileProblem("a nondeterministic automaton has no name: it needs the name of a file")
    file, a = Path(path), a.to_reading_order()
    match form.upper():
        case "GV":
            write_text(file, nondeterministic_to_dot(a, file.stem, limit=a.states))
        case "BA":
            write_pieces(file, nondeterministic_ba_pieces(a))
        case "TXT":
            write_pieces(file, nondeterministic_pieces(a))
        case _:
            hint = did_you_mean(form.upper(), FORMATS, kind="formats")
            raise UnknownName(f"unknown format {form}", form, 0, len(form), hint=hint)
    return file


class StepExport:
    """A writer of the automata of finished steps of an evaluation: NAME_step_0.ba and so on in a folder.

    requested: pairs of a step's number, or "*" for all, and a format.  Steps are numbered from 0 in the order of the
    trace; which automata they have depends on the plan.
    """

    def __init__(self, name: str, requested: Sequence[tuple[str, str]], folder: Path) -> None:
        self.name = name
        self.requested = requested
        self.folder = folder
        self.steps = 0

    def __call__(self, _record: Record, automaton: Dfa) -> None:
        """Write the automaton of a finished step in the formats requested for it."""
        for number, form in self.requested:
            if number == "*" or int(number) == self.steps:
                write_automaton(to_reading_order(automaton), f"{self.name}_step_{self.steps}", form, self.folder)
        self.steps += 1


def write_matrices(folders: Folders, name: str, sequence: Series) -> None:
    """Write the matrices of a sequence to Result/ for each of `fibprover.automata.formats.exports.DIALECTS`."""
    from fibprover.automata.formats.exports import DIALECTS

    for ending in DIALECTS:
        folders.write(RESULT, name, sequence.text(ending), ending=f".{ending}")


def write_logs(folders: Folders, name: str, outcome: Outcome, terminator: str) -> None:
    """Write the steps of an evaluation to Result/, as Walnut does.

    After `:` and `::`, NAME_log.txt has the steps that are parts of the formula; after `::`, NAME_detailed_log.txt has
    all steps. Logs of an older evaluation that are not replaced are removed.
    """
    trace = outcome.trace
    for ending, terminators, detailed in (("_log", (":", "::"), False), ("_detailed_log", ("::",), True)):
        if trace is None or not trace.records or terminator not in terminators:
            folders.remove(RESULT, name, f"{ending}.txt")
            continue
        records = tuple(record for record in trace.records if detailed or record.source)
        steps = str(Trace(records, trace.largest, trace.seconds))
        head = f"{' '.join(outcome.text.split())}\n{outcome}\n"
        foot = f"{trace.seconds:9.3f} s  largest automaton: {plural(trace.largest, 'state')}"
        folders.write(RESULT, name, f"{head}\n{steps}\n{foot}\n", ending=f"{ending}.txt", durable=False)
