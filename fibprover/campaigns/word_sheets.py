"""The sheets of all words of the library, as pages of Markdown.

Each sheet is a task of a sweep: several are made at once, and a store keeps them, so that an interrupted command goes
on where it was.  A page is written as soon as its sheet is there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

from fibprover.base.errors import FibproverError, size_text
from fibprover.base.files import make_folder, write_text
from fibprover.base.limits import limits_of_part
from fibprover.base.markdown import row_of
from fibprover.base.names import file_name
from fibprover.campaigns.stored_line import line_of, plain_line
from fibprover.campaigns.sweeps.store import TaskRecord
from fibprover.campaigns.sweeps.sweep import sweep
from fibprover.sheets.sheet import Sheet
from fibprover.sheets.sheet_text import sections_in_markdown, summary_of, text_in_markdown
from fibprover.sheets.study import SECONDS, study
from fibprover.words.catalogue import ENTRIES, Entry
from fibprover.workspace.session import Session

#: Where the pages of this project are, and the page that lists them.
FOLDER, INDEX = "docs/words", "index.md"


@dataclass(frozen=True, slots=True)
class Studied:
    """A word of the library and its sheet, or the reason why it has none.

    seconds, peak_bytes: what the task took.
    """

    entry: Entry
    sheet: Sheet | None
    problem: str = ""
    seconds: float = 0.0
    peak_bytes: int | None = None

    def __str__(self) -> str:
        """Return the outcome in a line."""
        if self.sheet is None:
            return f"{self.entry.name}: {self.problem}"
        peak = "" if self.peak_bytes is None else f", {size_text(self.peak_bytes)}"
        return f"{self.entry.name}: {summary_of(self.sheet)}{peak}"


def study_library(
    folder: str | Path = FOLDER, *, only: Sequence[str] = (), seconds: float = SECONDS, memory: int | None = None,
    store: str | Path | None = None, jobs: int | None = None, show: Callable[[Studied], None] | None = None,
    certify: str | Path | None = None,
) -> list[Studied]:
    """Write a page for each word of the library, and one that lists them, into a folder; return what was found.

    only: ids of lines; seconds: for each line; memory, store, jobs: as in `sweep`; show: called with each word when
    its sheet is there; certify: a folder for certificates, as in `study`.  Raises FileProblem if a page cannot be
    written; FibproverError if a task ended with an error.
    """
    make_folder(folder)
    place = Path(folder)
    found: dict[str, Studied] = {}

    def ended(record: TaskRecord) -> None:
        if record.state != "done":
            return
        one = _studied(record, str(store or ""))
        found[one.entry.name] = one
        if one.sheet is not None:
            write_text(place / file_name(one.entry.name, ".md"), page_of(one.entry, one.sheet), follow=False)
        if show is not None:
            show(one)

    asked = {} if certify is None else {"certify": str(Path(certify).absolute())}
    cases = [{"word": name, "seconds": seconds, "only": list(only), **asked} for name in ENTRIES]
    records = sweep(
        sheet_of, cases, store=store, jobs=jobs, memory=memory, retry=True, watch=ended, name=itemgetter("word")
    )
    for record in records:
        if record.state == "failed":
            raise FibproverError(f"the sheet of {record.what} failed: {record.error}")
    words = [found[name] for name in ENTRIES]
    write_text(place / INDEX, index_of(words, seconds), follow=False)
    return words


def sheet_of(case: dict[str, Any]) -> dict[str, Any]:
    """Return the sheet of a word of the library as values of JSON.

    case: the word, the ids, seconds of each line, and the folder for certificates if they are asked for.
    """
    word = case["word"]
    try:
        limits = limits_of_part(case["seconds"])
        sheet = study(word, only=case["only"], limits=limits, certify=case.get("certify"))
    except FibproverError as problem:
        return {"word": word, "problem": problem.message}
    lines = list(map(plain_line, sheet.lines))
    return {"word": word, "system": sheet.system, "lines": lines, "seconds": round(sheet.seconds, 3)}


def _studied(record: TaskRecord, file: str) -> Studied:
    found = record.result
    entry = ENTRIES[found["word"]]
    if "problem" in found:
        return Studied(entry, None, found["problem"])
    word = Session().namespace.library_words[entry.name]
    lines = tuple(line_of(each, file) for each in found["lines"])
    sheet = Sheet(word, entry.name, found["system"], lines, found["seconds"], (word,))
    return Studied(entry, sheet, "", record.seconds or 0.0, record.peak_bytes)


def page_of(entry: Entry, sheet: Sheet) -> str:
    """Return the page of a word of the library."""
    said = text_in_markdown(f"{entry.definition[:1].upper()}{entry.definition[1:]}.")
    relation = text_in_markdown(entry.relation)
    oeis = f" OEIS [{entry.oeis}](https://oeis.org/{entry.oeis}): {relation}." if entry.oeis else ""
    head = [
        f"# {text_in_markdown(f'{entry.name}: {entry.title}')}", "", f"{said}{oeis} Over {sheet.system}.", "",
        f"    {sheet.beginning}...", "",
        f"{summary_of(sheet)}. [What the lines say](../study.md#what-the-lines-say); [all words]({INDEX}).", "",
    ]
    return "\n".join([*head, *sections_in_markdown(sheet)])


_HEAD = """\
# The words of the library

What `fibprover study` proves of each of the [words with names](../words.md), and what it leaves open: {counts}, with
{seconds:g} s for each line. `fibprover study --all` writes these pages; with `--store FILE` it goes on where it was
interrupted. Times are those of a busy machine.
"""


def index_of(words: Sequence[Studied], seconds: float) -> str:
    """Return the page that lists the words; seconds: for each line."""
    sheets = [each.sheet for each in words if each.sheet is not None]
    counts = ", ".join(f"{sum(sheet.count(status) for sheet in sheets)} {status}" for status in (
        "proved", "refuted", "open",
    ))
    rows = ["| word | | proved | refuted | open | s | peak |", "|---|---|---:|---:|---:|---:|---:|"]
    for each in words:
        name, title, sheet = each.entry.name, text_in_markdown(each.entry.title), each.sheet
        if sheet is None:
            rows.append(row_of([name, title, "", "", "", "", ""]))
            continue
        peak = "" if each.peak_bytes is None else size_text(each.peak_bytes)
        numbers = [str(sheet.count(status)) for status in ("proved", "refuted", "open")]
        rows.append(row_of([f"[{name}]({name}.md)", title, *numbers, f"{sheet.seconds:.1f}", peak]))
    problems = [each.problem for each in words if each.sheet is None]
    without = [text_in_markdown(f"{problem[:1].upper()}{problem[1:]}.") for problem in problems]
    return "\n".join([_HEAD.format(counts=counts, seconds=seconds), *rows, "", *without, ""])
