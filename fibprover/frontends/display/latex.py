r"""Values as LaTeX: verdicts, relations, words, sequences, numeration systems, solutions.

`latex(value)` returns a part of a document that needs amsmath and amssymb: sentences with the formulas in them, set so
that long ones are broken.  Sheets and theorems about games have their own.  `RichlyDisplayed.latex` calls it, and so do
the options --latex.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import singledispatch
from itertools import islice

from fibprover.automata.digit_order import to_reading_order
from fibprover.base.errors import BudgetSpent, FibproverError, NotSupported
from fibprover.base.values import decimal
from fibprover.base.wording import plural
from fibprover.frontends.display.text import evidence_of, evidence_text
from fibprover.frontends.display.tikz import tex_text
from fibprover.games.theorem import Theorem
from fibprover.infer.words import InferredWord
from fibprover.invention.invent import Invention
from fibprover.language.parser import parse
from fibprover.language.sentences import prose_latex
from fibprover.language.source import Source
from fibprover.language.tree import Formula, TermMethods
from fibprover.learn.theorem import Solution
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.environment import Sort
from fibprover.prover.truth import TruthTree
from fibprover.prover.verdict.relation import Relation, Value, shown_value
from fibprover.prover.verdict.slopes import FamilyRelation, SlopeVerdict
from fibprover.prover.verdict.verdict import Verdict
from fibprover.sequences.series import Series
from fibprover.sequences.solution import SequenceSolution, SequenceTheorem
from fibprover.sheets.conjecture import Conjecture
from fibprover.sheets.sheet import Sheet
from fibprover.words.automatic import AutomaticWord

#: How many tuples, letters and terms are listed.
FIRST_TUPLES, FIRST_LETTERS, FIRST_TERMS = 10, 30, 16

#: Linear representations of larger dimensions, or with more matrices, are described by their size.
MOST_DIMENSION, MOST_MATRICES = 10, 6


@singledispatch
def latex(shown: object) -> str:
    """Return a value as a part of a LaTeX document.  Raises NotSupported for a value that has none."""
    name = type(shown).__name__
    raise NotSupported(f"a {name} is not written as LaTeX", name, 0, len(name))


@latex.register(Formula)
@latex.register(TermMethods)
def _(shown: Formula | TermMethods) -> str:
    return f"${shown.latex()}$"


@latex.register
def _(shown: Source) -> str:
    return _formula(shown)


@latex.register
def _(shown: Verdict) -> str:
    head = f"The formula{_formula(shown.source)}is {'true' if shown.truth else 'false'}"
    if isinstance(shown, SlopeVerdict):
        return f"{head}: {prose_latex(' '.join(evidence_text(shown).split()) or 'for every slope')}."
    evidence, _ = evidence_of(shown)
    if evidence is None:
        return f"{head}."
    values = ", ".join(f"{_variable(name)} = {_number(number)}" for name, number in evidence.values.items())
    least = "the least" if evidence.least else "a"
    return f"{head}; {least} {evidence.kind} is ${values}$."


@latex.register
def _(shown: Relation) -> str:
    names = ", ".join(map(_variable, shown.names))
    names = f"({names})" if len(shown.names) != 1 else names
    source = shown.source
    said = "" if source is None else f" for which{_formula(source)}holds"
    over = _over(shown.sorts)
    if isinstance(shown, FamilyRelation):
        return f"The relation of ${names}$ {over}{said.replace(' for which', ', which holds where', 1)}."
    extent = "empty" if shown.is_empty() else "finite" if shown.is_finite() else "infinite"
    first = list(islice(shown.tuples(), FIRST_TUPLES + 1))
    listed = [_tuple(each) for each in first[:FIRST_TUPLES]] + ([r"\ldots"] if len(first) > FIRST_TUPLES else [])
    tuples = f": {_listed(listed)}" if listed else ""
    size = f"Its minimal automaton has {plural(shown.states, 'state')}."
    return f"The set of all ${names}$ {over}{said} is {extent}{tuples}. {size}"


@latex.register
def _(shown: AutomaticWord) -> str:
    name = rf"\mathrm{{{_in_math(shown.name)}}}"
    states = plural(to_reading_order(shown.machine, word=True).states, "state")
    over = _listed_texts(rf"\texttt{{{tex_text(track.system)}}}" for track in shown.tracks if track.system)
    head = f"The automatic word ${name}$" + (f" over {over}" if over else "")
    if len(shown.tracks) != 1 or not shown.tracks[0].system:
        return f"{head} is computed by an automaton with {states}."
    letters = _listed([*map(decimal, shown[:FIRST_LETTERS]), r"\ldots"])
    return f"{head} is {letters} It is computed by an automaton with {states}."


@latex.register
def _(shown: NumerationSystem) -> str:
    first, *rest = shown.describe().splitlines()
    name, _, said = first.partition(": ")
    lines = [prose_latex(_ended(line.strip())) for line in (said, *map(_begun, rest)) if line.strip()]
    return rf"\texttt{{{tex_text(name)}}}: {' '.join(lines)}"


def _begun(line: str) -> str:
    """Return a line as the beginning of a sentence, unless it begins with a variable or a name."""
    text = line.strip()
    first = text.partition(" ")[0]
    return text[:1].upper() + text[1:] if len(first) > 2 and first.isalpha() else text


@latex.register
def _(shown: Series) -> str:
    names = ", ".join(map(_variable, shown.variables))
    over = _listed_texts(rf"\texttt{{{tex_text(system.name)}}}" for system in shown.systems)
    head = f"The sequence $a({names})$ over {over} has a linear representation of dimension {shown.dimension}"
    terms = ""
    if len(shown.variables) == 1:
        first = _listed([*map(_rational, shown[:FIRST_TERMS]), r"\ldots"])
        terms = f" Its first terms are {first}"
    if shown.dimension > MOST_DIMENSION or len(shown.letters) > MOST_MATRICES:
        return f"{head}.{terms}"
    matrices = [
        rf"M_{{{','.join(map(str, letter))}}} = {_matrix(rows.tolist())}" for letter, rows in shown.matrices.items()
    ]
    row, column = _matrix([shown.v.tolist()]), _matrix([[entry] for entry in shown.w.tolist()])
    values = ",\\quad\n".join([f"v = {row}", *matrices, f"w = {column}"])
    product = r"v\, M_{d_1} M_{d_2} \cdots M_{d_k}\, w"
    said = f"$a({names}) = {product}$, where $d_1 d_2 \\ldots d_k$ is the representation of ${names}$, and"
    return f"{head}: {said}\n\\begin{{gather*}}\n{values}.\n\\end{{gather*}}{terms}"


@latex.register
def _(shown: SequenceTheorem) -> str:
    return shown.to_latex()


@latex.register
def _(shown: SequenceSolution) -> str:
    return "\n\n".join([shown.theorem.to_latex(), *(latex(each) for each in shown.sequences.values())])


@latex.register
def _(shown: Solution) -> str:
    lines = []
    for name, relation in shown.relations.items():
        said = rf"\mathrm{{{_in_math(name)}}}({', '.join(map(_variable, relation.names))})"
        source = relation.source
        equivalent = "" if source is None else f" if and only if{_formula(source)}"
        lines.append(f"${said}${equivalent}")
    several = len(lines) > 1
    what = "These are the only relations" if several else "This is the only relation"
    sizes = shown.theorem.states.items()
    states = _listed_texts(f"{plural(count, 'state')} (${_variable(name)}$)" for name, count in sizes)
    measures = _listed_texts(f"${_variable(each)}$" for each in dict.fromkeys(shown.theorem.measures.values()))
    return (
        " ".join(lines) + f" {what} with this property, by induction on {measures}. "
        f"The minimal automat{'a have' if several else 'on has'} {states}."
    )


@latex.register
def _(shown: TruthTree) -> str:
    return "\n".join([r"\begin{itemize}", *_parts(shown), r"\end{itemize}"])


@latex.register
def _(shown: Sheet) -> str:
    return shown.to_latex()


@latex.register
def _(shown: Theorem) -> str:
    return shown.to_latex()


@latex.register
def _(shown: InferredWord) -> str:
    return prose_latex(" ".join(str(shown).split()))


@latex.register
def _(shown: Conjecture) -> str:
    about = shown.about
    what = shown.types if shown.types is not None else about.word if about.is_word else about.numbers.sequence
    return "\n\n".join([prose_latex(shown.statement), latex(what), prose_latex(" ".join([shown.evidence, shown.way]))])


@latex.register
def _(shown: Invention) -> str:
    lines = []
    for line in str(shown).splitlines():
        text = line.lstrip()
        said = rf"\texttt{{{tex_text(text)}}}" if text.startswith("fibprover ") else prose_latex(text)
        lines.append("\\quad" * ((len(line) - len(text)) // 2) + (" " if line != text else "") + said)
    return "\\begin{flushleft}\n" + " \\\\\n".join(lines) + "\n\\end{flushleft}"


def _ended(line: str) -> str:
    return line if line.endswith(".") else f"{line}."


# -- parts --------------------------------------------------------------------------------------------


def _formula(source: Source) -> str:
    """Return a formula in lines of its own, which are broken where it is long."""
    return f"\n\\begin{{quote}}\\raggedright ${source.formula.latex()}$\\end{{quote}}\n"


def _parts(tree: TruthTree) -> Iterable[str]:
    """Yield the parts of a formula as items, with their truth."""
    truth = "holds for some values" if tree.truth is None else "true" if tree.truth else "false"
    at = ", ".join(f"{_variable(name)} = {_number(number)}" for name, number in tree.at)
    try:
        said = f"${parse(tree.text, {}).formula.latex()}$"
    except BudgetSpent:
        raise
    except FibproverError:
        said = rf"\texttt{{{tex_text(tree.text)}}}"
    yield rf"\item {said}: {truth}{f' at ${at}$' if at else ''}"
    if tree.parts:
        yield r"\begin{itemize}"
        for part in tree.parts:
            yield from _parts(part)
        yield r"\end{itemize}"


def _over(sorts: Iterable[Sort]) -> str:
    """Return the systems and alphabets of variables, each once."""
    return "over " + _listed_texts(dict.fromkeys(
        rf"\texttt{{{tex_text(sort.system)}}}" if sort.system else rf"$\{{{','.join(map(str, sort.digits))}\}}^*$"
        for sort in sorts
    ))


def _listed(texts: Iterable[str]) -> str:
    """Return a list in math, which may be broken between its parts."""
    return ", ".join(f"${text}$" for text in texts)


def _listed_texts(texts: Iterable[str]) -> str:
    *others, last = list(texts) or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _variable(name: str) -> str:
    return name if len(name) == 1 else rf"\mathit{{{_in_math(name)}}}"


def _in_math(name: str) -> str:
    return name.replace("_", r"\_")


def _number(number: Value) -> str:
    return decimal(number) if isinstance(number, int) else rf"\mathtt{{{shown_value(number)}}}"


def _tuple(values: tuple[Value, ...]) -> str:
    inside = ", ".join(map(_number, values))
    return inside if len(values) == 1 else f"({inside})"


def _rational(number: int | Fraction) -> str:
    """Return an integer, or a fraction as one."""
    above, below = number.numerator, number.denominator
    if below == 1:
        return decimal(above)
    return rf"{'-' if above < 0 else ''}\frac{{{decimal(abs(above))}}}{{{decimal(below)}}}"


def _matrix(rows: list[list[int | Fraction]]) -> str:
    body = r" \\ ".join(" & ".join(map(_rational, row)) for row in rows)
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"
