r"""A LaTeX article of theorems: definitions, statements, formulas, sizes, figures, commands and sources.

In: the report of a run, and the names that its chapters have made.  Out: one file for pdflatex, which needs amsmath,
amssymb, graphicx and TikZ.  Statements are typeset as sheets and pages do (`fibprover.language.sentences`), automata as
`draw` does.
"""

from __future__ import annotations

import hashlib
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from fibprover.automata.kernel_calls import edge_count
from fibprover.base.errors import BudgetSpent, FibproverError, NotSupported
from fibprover.base.files import MOST_AUTOMATON, read_bytes
from fibprover.base.names import full_name, is_family, is_sturmian
from fibprover.base.values import value
from fibprover.base.wording import plural
from fibprover.campaigns.theorems.chapter import Chapter, DeclaredTheorem, claim_of
from fibprover.campaigns.theorems.proof_report import ProofReport, Row
from fibprover.campaigns.theorems.task import SessionDelta
from fibprover.frontends.display.diagram import own_diagram
from fibprover.frontends.display.tikz import tex_text, to_tikz
from fibprover.language.parser import parse
from fibprover.language.sentences import prose_latex
from fibprover.language.tree import Call, Formula, InSystem, WordValue, nodes
from fibprover.numeration.registry import system_named
from fibprover.prover.environment import Definition
from fibprover.words.automatic import AutomaticWord
from fibprover.words.catalogue import ENTRIES, word

#: What a name means.
_Meaning: TypeAlias = Definition | AutomaticWord

#: Automata with so many states and arrows at most are drawn.
MOST_STATES, MOST_ARROWS = 14, 40

#: So many first letters of a word are shown, and so wide are lines of commands.
LETTERS, WIDTH = 30, 84

#: How special characters are written in the usual type.
_SIGNS = {each: rf"\{each}" for each in "&%#$_{}"} | {each: f"${each}$" for each in "<>|"} | {
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "\\": r"\textbackslash{}",
}

#: What an article begins with.
_PREAMBLE = r"""\documentclass{amsart}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,amssymb,graphicx,tikz}
\usetikzlibrary{automata,arrows.meta}
\newtheorem{theorem}{Theorem}[section]
\theoremstyle{definition}
\newtheorem{definition}[theorem]{Definition}
\theoremstyle{remark}
\newtheorem{remark}[theorem]{Remark}
\newenvironment{formula}{\begin{quote}\raggedright\small}{\end{quote}}
"""


@value
class PaperOptions:
    """What the report does not know: title and author, and how the theorems are proved again (a command line)."""

    title: str
    author: str
    command: str
    version: str


def paper(
    report: ProofReport, chapters: Iterable[tuple[Chapter, Mapping[int, SessionDelta]]], options: PaperOptions
) -> str:
    """Return the article, as LaTeX."""
    rows = {row.claim.id: row for row in report.rows if not row.skipped}
    written = [_Section(chapter, named, rows) for chapter, named in chapters]
    sections = [each for each in written if each.rows]
    sources = list(dict.fromkeys(row.claim.source for each in sections for row in each.rows if row.claim.source))
    lines = [
        _PREAMBLE.rstrip("\n"), _title(options.title), rf"\author{{{_roman(options.author)}}}",
        r"\begin{document}", r"\begin{abstract}", *_filled(_abstract([row for each in sections for row in each.rows])),
        r"\end{abstract}", r"\maketitle", "",
    ]
    figures = 0
    for number, section in enumerate(sections, 1):
        lines += section.latex(sources, figures, number)
        figures += section.figures
    lines += [r"\appendix", *_again(options, sections), *_bibliography(sources, options.version), r"\end{document}"]
    return "\n".join(lines) + "\n"


def _abstract(rows: Sequence[Row]) -> str:
    proved = sum(row.verdict is True for row in rows)
    refuted = sum(row.verdict is False for row in rows)
    text = f"We prove {plural(proved, 'theorem')}"
    if refuted:
        text += f", and refute {plural(refuted, 'statement')} close to them"
    return (
        rf"{text}. Each is a formula of first-order logic on natural numbers and automatic words, and was decided by "
        rf"finite automata with the program fibprover \cite{{fibprover}}."
    )


@dataclass
class _Section:
    """A chapter: its theorems, and before each of them the definitions and words that it calls, each of them once.

    A name that is defined again is there once for each meaning.
    """

    chapter: Chapter
    named: Mapping[int, SessionDelta]
    all_rows: Mapping[str, Row]
    rows: list[Row] = field(default_factory=list)
    steps: list[Row | tuple[str, _Meaning]] = field(default_factory=list)
    formulas: dict[str, Formula] = field(default_factory=dict)
    #: What names meant where a definition was made, by its name and meaning.
    around: list[tuple[tuple[str, _Meaning], Mapping[str, _Meaning]]] = field(default_factory=list)
    figures: int = 0

    def __post_init__(self) -> None:
        """Find the rows of the chapter, and what their formulas call, themselves or by definitions."""
        names: dict[str, _Meaning] = {}
        macros: dict[str, str] = {}
        for number, step in enumerate(self.chapter.declarations):
            if number in self.named:
                macros |= self.named[number].macros
                new: dict[str, _Meaning] = {f"${name}": each for name, each in self.named[number].definitions.items()}
                new |= self.named[number].words
                for name, meant in new.items():
                    # A script may use the definitions of its other lines.
                    self.around.append(((name, meant), {**names, **{key: new[key] for key in new if key != name}}))
                names |= new
            claim = claim_of(step)
            if isinstance(claim, DeclaredTheorem) and claim.id in self.all_rows:
                formula = parse(claim.formula, macros).formula
                self._call(formula, names)
                self.rows.append(self.all_rows[claim.id])
                self.steps.append(self.all_rows[claim.id])
                self.formulas[claim.id] = formula

    @property
    def called(self) -> list[tuple[str, _Meaning]]:
        """The definitions and words, in order."""
        return [step for step in self.steps if isinstance(step, tuple)]

    def _call(self, formula: Formula, names: Mapping[str, _Meaning]) -> None:
        """Add the definitions and words that a formula calls, those that they call themselves first."""
        for node in nodes(formula):
            name = f"${node.name}" if isinstance(node, Call) else node.word if isinstance(node, WordValue) else ""
            meant = names.get(name) or (word(name) if isinstance(node, WordValue) and name in ENTRIES else None)
            if meant is None or (name, meant) in self.steps:
                continue
            if isinstance(meant, Definition) and meant.source is not None:
                around = next((each for own, each in self.around if own == (name, meant)), names)
                self._call(meant.source.formula, {key: each for key, each in around.items() if key != name})
            self.steps.append((name, meant))

    def latex(self, sources: Sequence[str], figures: int, number: int) -> Iterator[str]:
        """Yield the lines of the section; figures: how many there are before; number: of the section."""
        yield rf"\section{{{prose_latex(self.chapter.title)}}}"
        system = _described(self.chapter.system)
        yield from _filled(rf"Variables are natural numbers, written in {system} unless a formula says otherwise.")
        yield ""
        for name, meant in self.called:
            shown = list(_definition(name, meant) if isinstance(meant, Definition) else _word(name, meant))
            picture = _picture(name, meant)
            if picture:
                self.figures += 1
                shown[-1] += rf" It is drawn in Figure~\ref{{figure:{figures + self.figures}}}."
            yield r"\begin{definition}"
            for line in shown:
                yield from _filled(line)
            yield r"\end{definition}"
            if picture:
                yield from _figure(picture, name, figures + self.figures)
            yield ""
        for place, row in enumerate(self.rows):
            formula = self.formulas[row.claim.id]
            about = _spoken(row, _written(formula, self.chapter.system), formula)
            yield from _theorem(row, formula, sources, f"{number}:{place}", about)
            yield ""


def _written(formula: Formula, system: str) -> str:
    """Return the system of a formula, which it names itself or has from its chapter."""
    return full_name(formula.system if isinstance(formula, InSystem) else system)


def _spoken(row: Row, system: str, formula: Formula) -> str:
    """Return what is said of a theorem without a statement, or about another system than the formulas around it."""
    if row.claim.statement:
        return prose_latex(row.claim.statement).rstrip(".")
    if is_family(system):
        return rf"for every {'slope' if is_sturmian(system) else 'sequence of choices'} the following formula is true"
    where = rf" (numbers are written in \texttt{{{tex_text(system)}}})" if isinstance(formula, InSystem) else ""
    return f"the following formula is true{where}"


def _title(title: str) -> str:
    """Return the command of the title; a long one has a short form, which is put above pages."""
    short = textwrap.shorten(title, 48, placeholder=" ...")
    return rf"\title{f'[{prose_latex(short)}]' if short != title else ''}{{{prose_latex(title)}}}"


def _described(system: str) -> str:
    """Return the name of a numeration system with the first line of its description."""
    try:
        first = system_named(system).describe().partition("\n")[0]
    except BudgetSpent:
        raise
    except FibproverError:
        return rf"the numeration system \texttt{{{tex_text(system)}}}"
    name, _, said = first.partition(": ")
    return rf"the numeration system \texttt{{{tex_text(name)}}} ({prose_latex(said)})" if said else prose_latex(first)


def _definition(name: str, meant: Definition) -> Iterator[str]:
    """Yield the sentences of a definition."""
    head = rf"${_mathrm(name[1:])}({', '.join(map(_variable, meant.automaton.names))})$"
    states = plural(meant.automaton.states, "state")
    if meant.source is not None:
        yield rf"Let {head} mean that"
        yield rf"\begin{{formula}} ${meant.source.formula.latex()}$. \end{{formula}}"
    elif meant.origin:
        given = "by a regular expression" if meant.raw else "as an automaton"
        yield rf"The relation {head} is given {given}: \texttt{{{_breakable(str(meant.origin))}}}."
    else:
        yield rf"The relation {head} is given as an automaton."
    yield rf"The minimal automaton of ${_mathrm(name[1:])}$ has {states}."


def _breakable(text: str) -> str:
    """Return a text in typewriter type that may be broken after brackets and signs."""
    return "".join(tex_text(sign) + (r"\allowbreak{}" if sign in ")]|*" else "") for sign in text)


def _word(name: str, meant: AutomaticWord) -> Iterator[str]:
    """Yield the sentences of a word."""
    states = plural(meant.machine.states, "state")
    if len(meant.indices) == 1 and len(meant.indices) == len(meant.tracks):
        first = ", ".join(f"${letter}$" for letter in meant.prefix(LETTERS))
        yield rf"Let ${_mathrm(name)}$ be the automatic word {first}, \ldots"
    else:
        yield rf"Let ${_mathrm(name)}$ be an automatic word with {plural(len(meant.indices), 'index', 'indices')}."
    yield rf"It is computed by an automaton of {states}."


def _picture(name: str, meant: Definition | AutomaticWord) -> str:
    """Return the drawing of a small automaton, "" for a large one."""
    machine = meant.automaton if isinstance(meant, Definition) else meant.machine
    if machine.states > MOST_STATES or edge_count(machine) > MOST_ARROWS:
        return ""
    return to_tikz(own_diagram(machine, name.removeprefix("$"), word=isinstance(meant, AutomaticWord)))


def _figure(picture: str, name: str, number: int) -> list[str]:
    what = rf"The automaton of ${_mathrm(name.removeprefix('$'))}$."
    return [
        r"\begin{figure}[htbp]\centering", r"\resizebox{\ifdim\width>\textwidth\textwidth\else\width\fi}{!}{%",
        picture.rstrip("\n") + "}", rf"\caption{{{what}}}\label{{figure:{number}}}", r"\end{figure}",
    ]


def _theorem(row: Row, formula: Formula, sources: Sequence[str], label: str, said: str) -> Iterator[str]:
    """Yield the lines of a theorem, or of a statement that is false."""
    claim = row.claim
    note = rf"[\cite{{source{sources.index(claim.source) + 1}}}]" if claim.source else ""
    kind, opening = {
        True: (rf"theorem}}{note}", f"{said[:1].upper()}{said[1:]}:"),
        False: ("remark}", f"It is false that {said}:"),
        None: ("remark}", f"It was not decided whether {said} ({prose_latex(row.problem or 'no verdict')}):"),
    }[row.verdict]
    yield rf"\begin{{{kind}\label{{claim:{label}}}"
    yield from _filled(opening)
    yield rf"\begin{{formula}} ${formula.latex()}$. \end{{formula}}"
    yield from _filled(_decided(row))
    yield r"\end{theorem}" if row.verdict is True else r"\end{remark}"


def _decided(row: Row) -> str:
    """Return how a theorem was decided, in sentences; identifiers are those of the appendix."""
    if row.verdict is None:
        return ""
    parts = [rf"(\texttt{{{tex_text(row.claim.id)}}}"]
    if row.states_built is not None:
        parts.append(f"largest automaton: {plural(row.states_built, 'state')}")
    parts.append(rf"{row.seconds:.2f}\,s")
    if row.evidence is not None:
        parts.append(prose_latex(str(row.evidence)))
    if row.certificate is not None and row.certificate.checked:
        digest = hashlib.sha256(read_bytes(row.certificate.file, MOST_AUTOMATON)).hexdigest()
        parts.append(rf"certificate \texttt{{{digest[:16]}}}")
    return rf"\emph{{{', '.join(parts)}.)}}"


def _again(options: PaperOptions, sections: Sequence[_Section]) -> Iterator[str]:
    """Yield the appendix: the command that proves all, and commands of definitions and theorems."""
    yield r"\section{How to decide the theorems again}"
    yield from _filled(
        r"The theorems were decided by fibprover, version "
        rf"{tex_text(options.version)}, and are decided again by"
    )
    yield from _verbatim([options.command])
    checked = [row.certificate for each in sections for row in each.rows if row.certificate is not None]
    if any(each.checked for each in checked):
        folder = Path(checked[0].file).parent.as_posix()
        yield from _filled(
            r"Certificates are checked, without the program that decides, by the following command; the digests above "
            r"are the first digits of the SHA-256 of their files."
        )
        yield from _verbatim([f"fibprover check {folder}"])
    yield from _filled(
        r"These commands, run by \texttt{fibprover run}, or by Walnut where no remark says otherwise, define the "
        r"relations and decide the formulas. Words and automata of the lines with \texttt{\#} are to be given before."
    )
    for section in sections:
        yield rf"\subsection*{{{prose_latex(section.chapter.title)}}}"
        yield from _verbatim(list(_commands(section)))


def _commands(section: _Section) -> Iterator[str]:
    """Yield commands of definitions and theorems of a chapter, in order."""
    for step in section.steps:
        if isinstance(step, Row):
            yield from _command("eval", _key(step.claim.id), section.formulas[step.claim.id], section.chapter.system)
            continue
        name, meant = step
        if isinstance(meant, AutomaticWord):
            yield f"# the word {name}"
        elif meant.source is not None:
            yield from _command("def", name[1:], meant.source.formula, section.chapter.system)
        elif meant.raw and meant.origin:
            alphabets = " ".join(
                track.system or f"{{{','.join(map(str, track.digits))}}}" for track in meant.automaton.tracks
            )
            yield f'reg {name[1:]} {alphabets} "{meant.origin}":'
        else:
            yield f"# the automaton of {name[1:]}"


def _command(word: str, name: str, formula: Formula, system: str) -> Iterator[str]:
    """Yield the lines of a command, with the system of its chapter."""
    try:
        text = formula.walnut()
    except NotSupported:
        yield "# not in Walnut:"
        text = str(formula)
    if not text.startswith("?") and system != "msd_2":
        text = f"?{system} {text}"
    yield f'{word} {name} "{text}":'


def _bibliography(sources: Sequence[str], version: str) -> Iterator[str]:
    yield r"\begin{thebibliography}{99}"
    yield rf"\bibitem{{fibprover}} \emph{{fibprover}}, version {tex_text(version)}."
    for number, source in enumerate(sources, 1):
        yield from _filled(rf"\bibitem{{source{number}}} {_roman(source)}.")
    yield r"\end{thebibliography}"


def _verbatim(commands: Sequence[str]) -> list[str]:
    lines = [
        line for command in commands
        for line in textwrap.wrap(command, WIDTH, subsequent_indent="    ", break_on_hyphens=False)
    ]
    return [r"{\footnotesize", r"\begin{verbatim}", *lines, r"\end{verbatim}", "}"]


def _filled(text: str) -> list[str]:
    return textwrap.wrap(text, 118, break_long_words=False, break_on_hyphens=False)


def _key(name: str) -> str:
    """Return an identifier as a name of commands and labels."""
    return re.sub(r"\W", "_", name, flags=re.ASCII)


def _roman(text: str) -> str:
    """Return a text for the usual type, with special characters escaped."""
    return " ".join("".join(_SIGNS.get(sign) or tex_text(sign) for sign in part) for part in text.split())


def _variable(name: str) -> str:
    return name if len(name) == 1 else _mathrm(name)


def _mathrm(name: str) -> str:
    return rf"\mathrm{{{_escaped(name)}}}"


def _escaped(name: str) -> str:
    return name.replace("_", r"\_")
