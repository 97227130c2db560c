"""Sheets as text, as values of JSON, and as a page of Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from fibprover.base.markdown import code, escaped, row_of
from fibprover.base.names import parameter_name
from fibprover.base.wording import plural
from fibprover.language.equation_parser import are_equations
from fibprover.sequences.catalogue import KNOWN
from fibprover.sheets.line import OPEN
from fibprover.sheets.subject import SEQUENCE, WithoutAddition
from fibprover.words.catalogue import ENTRIES, word

if TYPE_CHECKING:
    from fibprover.prover.certificate.checking import CertificateCheck
    from fibprover.sheets.line import Line
    from fibprover.sheets.sheet import Sheet

#: The width of the text.
WIDTH = 110

#: The number of letters that are shown of a word, and the numbers of rows and columns of a word with two indices.
LETTERS, ROWS = 60, 8

#: The fields of a line in JSON.
FIELDS = ("id", "section", "statement", "status", "value", "formula", "states", "seconds")


def text_of(sheet: Sheet) -> str:
    """Return a sheet as text: a heading for each section, and for each line its status, statement and value."""
    return "\n".join([head_of(sheet), *lines_of(sheet), *end_of(sheet)])


def lines_of(sheet: Sheet, begin: int = 0) -> Iterator[str]:
    """Yield the lines of a sheet as text, from the one with a number on; each section has its heading once.

    So a sheet that grows is printed as one that is finished.
    """
    told = told_once(sheet.lines)
    for number in range(begin, len(told)):
        line = told[number]
        if not number or line.section != told[number - 1].section:
            yield f"\n{line.section.capitalize()}"
        mark = f" (by {line.by})" if line.by and sheet.system else ""
        yield from wrapped(f"{_status(line):8} {line.text}{mark}", "  ", 9)
        if line.certificate is not None:
            yield from wrapped(_certified(line.certificate), " " * 11)


def end_of(sheet: Sheet) -> list[str]:
    """Return the last lines of the text: which ids have no lines, and how many lines there are."""
    skipped = f"{sheet.name} has no such lines: {', '.join(sheet.skipped)}."
    return [*(["", *wrapped(skipped, "", 0)] if sheet.skipped else []), "", summary_of(sheet)]


def told_once(lines: Iterable[Line]) -> list[Line]:
    """Return the lines; each reason why lines are open is given once, with a number, which the other lines name."""
    numbers: dict[str, int] = {}
    told = []
    for line in lines:
        if line.status == "open" and line.value.startswith(OPEN):
            known = line.value in numbers
            number = numbers.setdefault(line.value, len(numbers) + 1)
            reason = "" if known else f": {line.value.removeprefix(OPEN)}"
            line = replace(line, value=f"Not decided ({number}){reason}")
        told.append(line)
    return told


def _status(line: Line) -> str:
    """Return the status of a line: "decided" where a certificate of what is proved was asked for, and there is none."""
    uncertified = line.certificate is not None and not line.certificate.checked
    return "decided" if uncertified and line.status == "proved" else line.status


def head_of(sheet: Sheet) -> str:
    """Return the name of a word, its system and its first letters, and of which morphism it is the fixed point."""
    said = [each for each in (origin_of(sheet), method_of(sheet)) if each]
    return "\n".join([beginning_of(sheet), *(line for each in said for line in wrapped(each, "  ", 0))])


def beginning_of(sheet: Sheet) -> str:
    """Return the name of a word, its system and its first letters, where it has them, in one line."""
    over = f", over {sheet.system}" if sheet.system else ""
    return f"{sheet.name}{over}: {f'{sheet.beginning}...' if sheet.prefix else each_of(sheet)}"


def each_of(sheet: Sheet) -> str:
    """Return what is said in place of the first letters of a word over a family."""
    return f"a word for each {parameter_name(sheet.word.tracks[-1].system)}"


def method_of(sheet: Sheet) -> str:
    """Return why a word has no formulas, or over which other system some are; "" for one that has all over its own."""
    if not isinstance(sheet.topic, WithoutAddition):
        others = sheet.words[1:] if sheet.is_word else ()
        return " ".join(
            f"{each.name} is the same word over {each.indices[0].system}, whose addition has a smaller automaton: what "
            "counts letters is asked about it." for each in others
        )
    because = sheet.topic.because.partition(": ")[2] or sheet.topic.because
    return (
        f"No formula is decided, since numbers are not added by an automaton: {because}. What follows is proved by "
        "desubstitution, from bispecial factors, repetitions and return words."
    )


def origin_of(sheet: Sheet) -> str:
    """Return what a word or a sequence is: its title, its number in the OEIS, its morphism or equations; "" if that is
    not known.
    """
    if not sheet.is_word:
        return _sequence_of(sheet)
    of_a_morphism = "->" in sheet.given or "→" in sheet.given
    if of_a_morphism and sheet.is_family:
        return f"The words of all sequences of choices between {sheet.given}"
    if of_a_morphism:
        return f"The fixed point of {sheet.given}"
    entry = ENTRIES.get(sheet.name)
    if entry is None or not sheet.words or sheet.word != word(entry.name):
        return ""
    number = f" (OEIS {entry.oeis}: {entry.relation})" if entry.oeis else ""
    return f"The {entry.title}{number}: {entry.definition}"


def _sequence_of(sheet: Sheet) -> str:
    if (entry := KNOWN.get(sheet.given)) is not None:
        number = f"OEIS {entry.number}{f': {entry.relation}' if entry.relation else ''}"
        return f"{entry.title[:1].upper()}{entry.title[1:]} ({number}): {'; '.join(entry.equations)}"
    return f"The sequence with {sheet.given}" if are_equations(SEQUENCE, sheet.given) else ""


def letters_text(letters: Sequence[int]) -> str:
    """Return letters of a word, with blanks between them unless all are digits."""
    return ("" if all(0 <= letter < 10 for letter in letters) else " ").join(map(str, letters))


def summary_of(sheet: Sheet) -> str:
    """Return how many lines there are with each status, how many are certified if that was asked, and the seconds."""
    asked = [line.certificate for line in sheet.lines if line.certificate is not None]
    checked = sum(each.checked for each in asked)
    certified = f"; {checked} certified, {len(asked) - checked} decided, not certified" if asked else ""
    return (
        f"{plural(len(sheet.lines), 'line')}: {sheet.count('proved')} proved, {sheet.count('refuted')} refuted, "
        f"{sheet.count('open')} open{certified} ({sheet.seconds:.1f} s)"
    )


def wrapped(text: str, indent: str, hanging: int = 4) -> list[str]:
    """Return the lines of a text, all but the first with more blanks in front."""
    return textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent + " " * hanging, break_on_hyphens=False,
    )


def line_json(line: Line) -> dict[str, Any]:
    """Return a line as an object of JSON, with its certificate if that was asked, and slopes over a family."""
    fields = {name: getattr(line, name) for name in FIELDS} | {"seconds": round(line.seconds, 6)}
    fields |= {"by": line.by} if line.by else {}
    if line.slopes is not None:
        fields["slopes"] = line.slopes.plain()
    return fields if line.certificate is None else fields | {"certificate": line.certificate.plain()}


def markdown_of(sheet: Sheet) -> str:
    """Return a sheet as a page of Markdown, with a table for each section."""
    head = [f"# {escaped(sheet.name)}", "", code(beginning_of(sheet)), ""]
    for said in (origin_of(sheet), method_of(sheet).removesuffix(".")):
        head += [f"{escaped(said)}.", ""] if said else []
    return "\n".join([*head, *sections_in_markdown(sheet), f"{summary_of(sheet)}.", ""])


def sections_in_markdown(sheet: Sheet) -> Iterator[str]:
    """Yield the lines of Markdown of the sections, a table for each."""
    for section, lines in groupby(told_once(sheet.lines), key=lambda line: line.section):
        yield from (f"## {section.capitalize()}", "", "| | | formula | states | s |")
        yield "|---|---|---|---:|---:|"
        for line in lines:
            states = "" if line.states is None else str(line.states)
            said = " ".join([line.text, *(f"({remark})" for remark in remarks_of(line))])
            yield row_of([
                _status(line), text_in_markdown(said), code(line.formula), states, f"{line.seconds:.2f}",
            ])
        yield ""


def value_of(line: Line) -> str:
    """Return the value of a line, followed by its remarks."""
    return " ".join([line.value, *(f"({remark})" for remark in remarks_of(line))]).lstrip()


def remarks_of(line: Line) -> list[str]:
    """Return the method of a line if that is no formula, and what is said of its certificate if that was asked for."""
    by = [f"by {line.by}"] if line.by else []
    return by if line.certificate is None else [*by, _certified(line.certificate)]


def _certified(check: CertificateCheck) -> str:
    """Return what is said of the certificate of a line: it is one of the formula, and a line may say more."""
    return f"formula {check}" if check.checked else str(check)


def from_letter(name: str, shift: int) -> str:
    """Return the name of a word, or of what is left of it without so many first letters."""
    return f"{name} from its letter {shift} on, counted from 0" if shift else name


def text_in_markdown(text: str) -> str:
    """Return a text for Markdown, with one character for each arrow."""
    return escaped(text.replace("->", "→"))
