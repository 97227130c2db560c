"""The exceptions that fibprover raises for a user's mistake or a spent budget.

An error says what is wrong, where (a position in a text, or a file and line) and, if possible, how
to fix it.  `str(error)` is the complete message, with a caret below the position.  An exception that
is not a `FibproverError` is a defect of fibprover itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from fibprover.base.values import display_module
from fibprover.base.wording import plural


class FibproverError(Exception):
    """The base of all errors: a message, and optionally a hint that says how to fix the problem.

    Fields:

    - message, hint: their texts
    - command: the command of a script that failed, such as "line 3, eval lemma"; the session sets it if the message
      does not state the position
    - command_line: the line of that command in the script, 0 if it is not known

    >>> try:
    ...     fp.system_named("msd_fibb")
    ... except fp.FibproverError as error:
    ...     print(error.message, error.hint, sep="; ")
    there is no numeration system msd_fibb; did you mean msd_fib?
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.command = ""
        self.command_line = 0

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickle and copy, which would call a class with a message alone."""
        return _restored, (type(self), self.args, self.__dict__)

    def __str__(self) -> str:
        where = [f"  in {self.command}"] if self.command else []
        return "\n".join([self.message, *where, *([f"  hint: {self.hint}"] if self.hint else [])])

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython prints in place of a traceback."""
        return list(display_module().traceback_lines(self))


def _restored(kind: type[FibproverError], arguments: tuple[object, ...], state: dict[str, Any]) -> FibproverError:
    """Return the error with these attributes."""
    error = kind.__new__(kind, *arguments)
    error.args = arguments
    error.__dict__.update(state)
    return error


class TextError(FibproverError):
    """An error at a position in a text that the user wrote; the message shows that line and a caret.

    text: the whole text; start, end: offsets of the offending part (end exclusive).
    """

    def __init__(self, message: str, text: str, start: int, end: int | None = None, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.text = text
        self.start = max(0, min(start, len(text)))
        self.end = max(self.start, min(self.start + 1 if end is None else end, len(text)))

    def __str__(self) -> str:
        return "\n".join(
            [self.message, *caret_lines(self.text, self.start, self.end)]
            + ([f"  hint: {self.hint}"] if self.hint else [])
        )


class SyntaxProblem(TextError):
    """The text is not a formula (term, regular expression, command) of the language."""


class UnknownName(TextError):
    """A predicate, word, macro, command or numeration system that is not defined."""


class ArityMismatch(TextError):
    """A predicate or word called with the wrong number of arguments."""


class TypeMismatch(TextError):
    """Numbers of different numeration systems, or digits outside an alphabet, are used together."""


class NotSupported(TextError):
    """A construct that is well formed but has no meaning here; the hint names the alternatives."""


class DigitError(FibproverError):
    """A digit, word or number that is not in a numeration system or alphabet."""


class NumerationError(FibproverError):
    """A numeration system that cannot be built; the message gives the reason."""


class AutomatonError(FibproverError):
    """Automata that do not fit together, or arrays that do not describe an automaton."""


class FormatError(FibproverError):
    """A malformed file; the message names the file and the line."""

    def __init__(self, message: str, file: str, line: int | None = None, *, hint: str = "") -> None:
        place = file if line is None else f"{file}, line {line}"
        super().__init__(f"{place}: {message}", hint=hint)
        self.file = file
        self.line = line


class FileProblem(FibproverError):
    """A file that cannot be read or written; existing files are unchanged."""


class NotInstalled(FibproverError):
    """An optional library that a requested conversion needs is missing."""


class NotFinite(FibproverError, OverflowError):
    """The size, or the list, of a relation that has infinitely many tuples."""


class NoLetter(FibproverError, IndexError):
    """An index at which a word has no letter."""


class Unsolved(FibproverError):
    """A recursion that no relation was proved to satisfy alone; the message says what is known."""


class Undecided(FibproverError):
    """A question that a method does not decide; the message says why."""


class LimitError(FibproverError):
    """A limit that is not valid, or a size that no limit could allow."""


def nested_too_deeply() -> LimitError:
    """Return the error for a formula whose terms and quantifiers are nested too deeply for Python's stack."""
    return LimitError("the formula is nested too deeply", hint="define a part of it as a separate predicate")


class BudgetSpent(FibproverError):
    """A budget is exhausted; the error carries the progress so far.

    Fields:

    - resource: "states", "transitions", "bytes" or "seconds"
    - limit: the bound that was reached
    - states, transitions: the size of the automaton under construction
    - during: what was built
    - trace: the steps finished before (set by the evaluator)

    >>> try:
    ...     fp.Session("msd_fib", limits=fp.Limits(states=5)).relation("Ey x=2*y")
    ... except fp.BudgetSpent as error:
    ...     print(error.resource, error.limit)
    states 5
    """

    def __init__(self, resource: str, limit: float, *, states: int = 0, transitions: int = 0, during: str = "") -> None:
        if resource == "bytes":
            amount = f"{size_text(limit)} of memory"
        else:
            amount = f"{limit:.4g} s" if resource == "seconds" else plural(int(limit), resource.removesuffix("s"))
        what = f" while building {during}" if during else ""
        # A search that builds no automaton has no size.
        built = f" ({plural(states, 'state')}, {plural(transitions, 'transition')} so far)"
        size = built if states or transitions else ""
        super().__init__(
            f"the budget of {amount} is spent{what}{size}",
            hint="raise the limit, or simplify the formula",
        )
        self.resource = resource
        self.limit = limit
        self.states = states
        self.transitions = transitions
        self.during = during
        self.trace: Sequence[Any] = ()


def check_text(given: object, what: str, *, hint: str = "") -> None:
    """Raise FibproverError unless what is called `what` is given as a text."""
    if not isinstance(given, str):
        raise FibproverError(f"{what} is a text, not {given!r}", hint=hint)


def size_text(size: float) -> str:
    """Return a number of bytes in the unit that suits it."""
    for unit, power in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if size >= 1 << power:
            return f"{size / (1 << power):.4g} {unit}"
    return f"{int(size)} B"


def caret_lines(text: str, start: int, end: int, width: int = 100) -> list[str]:
    """Return the line of `text` around offset `start`, and a line with carets below `start:end`.

    A line longer than `width` is cut on both sides of that range.  Tabs count as one column.
    """
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    line = text[line_start:line_end].replace("\t", " ").replace("\r", " ")
    column = start - line_start
    length = max(1, min(end, line_end) - start)
    prefix = ""
    if len(line) > width:
        cut = max(0, min(column - width // 2, len(line) - width))
        prefix = "..." if cut else ""
        suffix = "..." if cut + width < len(line) else ""
        line = prefix + line[cut : cut + width] + suffix
        column = column - cut + len(prefix)
        length = min(length, max(1, len(line) - column))
    return [f"  {line}", "  " + " " * column + "^" * length]


def most_similar(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that was probably meant, or None if none is similar; the case of letters comes second."""
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    if near:
        return near[0]
    small = {each.lower(): each for each in known}
    return next((small[each] for each in get_close_matches(name.lower(), list(small), n=1, cutoff=0.6)), None)


def did_you_mean(name: str, known: Sequence[str], otherwise: str | None = None, *, kind: str = "names") -> str:
    """Return a hint with the most similar known name; if none is similar, `otherwise`, by default a list of the names.
    kind: what the names are names of, such as "words".
    """
    near = most_similar(name, known)
    if near is not None:
        return f"did you mean {near}?"
    if otherwise is not None:
        return otherwise
    if not known:
        return ""
    shown = ", ".join(sorted(known)[:12])
    return f"known {kind}: {shown}" + (", ..." if len(known) > 12 else "")
