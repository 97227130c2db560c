"""Chapters: the declarations that a script of theorems makes when it is imported.  The runner carries them out later.

    c = Chapter("The game K^2", source="Renard & Rigo 2026, section 2", system="msd_fib")
    c.reg("shift", [(0, 1), (0, 1)], "([0,0]|([0,1][1,1]*[1,0]))*")
    c.define("phin", "(s=0 & n=0) | Ex $shift(n-1,x) & s=x+1")
    c.theorem("phin.total", "An Es $phin(n,s)", statement="floor(n phi) is defined for every n")

Nothing is computed at import.  Every declaration has its line in the script.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from fibprover.base.errors import FibproverError, check_text
from fibprover.language.commands import EvalCommand, parse_script

#: The form of a theorem's formula: the printed text, a stronger formula that the theorem needs, or a deliberate
#: falsehood.
TheoremForm = Literal["printed", "strong", "control"]
THEOREM_FORMS: tuple[str, ...] = get_args(TheoremForm)

#: An alphabet of `reg`: the name of a numeration system, or the digits of a plain alphabet.
DeclaredAlphabet = str | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a script."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class DeclaredLanguage:
    """A language named by a regular expression."""

    name: str
    alphabets: tuple[DeclaredAlphabet, ...]
    regex: str
    place: SourceLine


@dataclass(frozen=True, slots=True)
class DeclaredWord:
    """An automatic word named by its morphism and coding."""

    name: str
    images: tuple[tuple[int, ...], ...]
    coding: tuple[int, ...]
    system: str | None
    place: SourceLine


@dataclass(frozen=True, slots=True)
class DeclaredWordFile:
    """The words of a JSON file."""

    file: str
    place: SourceLine


@dataclass(frozen=True, slots=True)
class DeclaredAutomaton:
    """An automaton of a text file, named."""

    name: str
    file: str
    place: SourceLine


@dataclass(frozen=True, slots=True)
class DeclaredScript:
    """Commands in the notation of scripts."""

    text: str
    place: SourceLine


@dataclass(frozen=True, slots=True)
class DeclaredDefinition:
    """A named formula.  With `states_paper` it is also a claim: that its automaton has this number of states."""

    name: str
    formula: str
    statement: str
    source: str
    states_paper: int | None
    place: SourceLine

    @property
    def id(self) -> str:
        """The name of the claim in reports."""
        return self.name


@dataclass(frozen=True, slots=True)
class DeclaredTheorem:
    """A closed formula, its statement in words, and the expected verdict; long: whether it is tried only on request."""

    id: str
    formula: str
    statement: str
    source: str
    form: TheoremForm
    expected: bool
    states_paper: int | None
    place: SourceLine
    long: bool = False


#: A declaration that has a row in a report; a definition is a claim if its number of states is published.
Claim = DeclaredDefinition | DeclaredTheorem

Declaration = DeclaredLanguage | DeclaredWord | DeclaredWordFile | DeclaredAutomaton | DeclaredScript | Claim


def claim_of(declaration: Declaration) -> Claim | None:
    """Return the declaration if it is a claim, for which a report has a row."""
    if isinstance(declaration, DeclaredDefinition):
        return None if declaration.states_paper is None else declaration
    return declaration if isinstance(declaration, DeclaredTheorem) else None


#: The list to which each chapter adds itself while its script is imported.
COLLECTED: ContextVar[list[Chapter] | None] = ContextVar("COLLECTED", default=None)


class Chapter:
    """A chapter: definitions and theorems in order, which do not see the names of other chapters.

    A script declares them; `fp.prove_script` or `fibprover prove` proves them.

    Parameters:

    - title: the subject
    - source: the default source of its theorems
    - system: the numeration system of formulas that name none

    >>> chapter = fp.Chapter("Halves", system="msd_fib")
    >>> chapter.define("even", "Ey x=2*y")
    >>> chapter.theorem("parity", "Ax $even(x) | $even(x+1)", statement="Of two neighbours, one is even.")
    >>> len(chapter.declarations)
    2
    """

    def __init__(self, title: str, *, source: str = "", system: str = "msd_2") -> None:
        self.title = title
        self.source = source
        self.system = system
        self.place = _place()
        collected = COLLECTED.get()
        if collected is not None:
            collected.append(self)
        self._declarations: list[Declaration] = []
        self._claimed: dict[str, SourceLine] = {}
        self._closed = False

    @property
    def declarations(self) -> tuple[Declaration, ...]:
        """The declarations so far, in order."""
        return tuple(self._declarations)

    def close(self) -> None:
        """End the declarations; this is called once the script has been imported."""
        self._closed = True

    def __repr__(self) -> str:
        return f"Chapter({self.title!r}, {len(self._declarations)} declarations)"

    def reg(self, name: str, alphabets: Sequence[str | Sequence[int]], regex: str) -> None:
        """Name the language of a regular expression, as Session.reg does."""
        _check_texts(name=name, regex=regex)
        if isinstance(alphabets, str):
            alphabets = [alphabets]
        taken = tuple(item if isinstance(item, str) else tuple(item) for item in alphabets)
        self._add(DeclaredLanguage(name, taken, regex, _place()))

    def define(
        self, name: str, formula: str, *, statement: str = "", source: str = "", states_paper: int | None = None
    ) -> None:
        """Name a formula, as Session.define does.

        states_paper: the published number of states of its minimal automaton; with it the report has a
        row for the definition, TRUE if the automaton has this number of states.
        """
        _check_texts(name=name, formula=formula, statement=statement)
        if not statement and states_paper is not None:
            statement = f"the automaton of {name} has {states_paper} states"
        self._add(DeclaredDefinition(name, formula, statement, source or self.source, states_paper, _place()))

    def word(
        self, name: str, images: Sequence[Sequence[int]], coding: Sequence[int], system: str | None = None
    ) -> None:
        """Name the word coding(fixed point of a morphism), as Session.define_morphic_word does."""
        _check_texts(name=name)
        self._add(DeclaredWord(name, tuple(tuple(image) for image in images), tuple(coding), system, _place()))

    def words(self, path: str | Path) -> None:
        """Name the words of a JSON file; a relative path starts at the folder of the script."""
        place = _place()
        self._add(DeclaredWordFile(str(Path(place.file).parent / path), place))

    def load_predicate(self, path: str | Path, name: str | None = None) -> None:
        """Name the automaton of a Walnut text file, as Namespace.load_predicate does.

        A relative path starts at the folder of the script.
        """
        place = _place()
        self._add(DeclaredAutomaton(name or Path(path).stem, str(Path(place.file).parent / path), place))

    def script(self, text: str) -> None:
        """Run the commands of a published script: reg, def, macro.

        Raises FibproverError for an `eval`, since its verdict would be lost: a theorem states the expected one.
        """
        for command in parse_script(text):
            if isinstance(command, EvalCommand):
                raise FibproverError(
                    f"eval {command.name}: a script of definitions states no verdict to expect",
                    hint="declare the formula with theorem(...)",
                )
        self._add(DeclaredScript(text, _place()))

    def theorem(
        self,
        id: str,  # noqa: A002 -- the name that reports have for it
        formula: str,
        *,
        statement: str,
        source: str = "",
        form: TheoremForm = "strong",
        expected: bool | None = None,
        states_paper: int | None = None,
        long: bool = False,
    ) -> None:
        """Declare a closed formula and its expected verdict.

        id: its name in reports, unique among all scripts that are run together; statement: its meaning
        in words; form: "printed" for a formula taken from a paper as it stands, "strong" for what the
        theorem needs, "control" for a falsehood whose verdict must be FALSE.  expected: by default TRUE,
        and FALSE for a control.  states_paper: the number of states the paper reports.  long: it takes
        so long that `fibprover prove` skips it unless it is requested.
        """
        _check_texts(id=id, formula=formula, statement=statement)
        if form not in THEOREM_FORMS:
            hint = "it is one of " + ", ".join(THEOREM_FORMS)
            raise FibproverError(f"theorem {id}: the form is {form!r}", hint=hint)
        wanted = form != "control" if expected is None else expected
        source = source or self.source
        self._add(DeclaredTheorem(id, formula, statement, source, form, wanted, states_paper, _place(), long))

    def _add(self, declaration: Declaration) -> None:
        if self._closed:
            raise FibproverError(
                f"the chapter {self.title!r} is complete", hint="make its declarations while the script is imported"
            )
        claim = claim_of(declaration)
        if claim is not None:
            if claim.id in self._claimed:
                raise FibproverError(f"the id {claim.id} is declared twice, first at {self._claimed[claim.id]}")
            self._claimed[claim.id] = claim.place
        self._declarations.append(declaration)


def _check_texts(**given: object) -> None:
    """Raise FibproverError, while the line is at hand, unless these arguments of a declaration are texts."""
    for name, text in given.items():
        check_text(text, f"the {name} of a declaration")


def _place() -> SourceLine:
    """Return the line that called the method of Chapter that calls this."""
    frame = sys._getframe(2)
    return SourceLine(frame.f_code.co_filename, frame.f_lineno)
