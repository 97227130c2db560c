"""`fibprover study WORD`: the theorems about a word, or about two words side by side."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from contextlib import ExitStack
from time import monotonic
from typing import TYPE_CHECKING

from fibprover import __version__
from fibprover.base.errors import FibproverError
from fibprover.base.files import write_text
from fibprover.base.limits import PATIENCE, Limits, cpu_clock, limits_of_part
from fibprover.base.wording import plural
from fibprover.frontends.cli.infer import json_of_nothing
from fibprover.frontends.cli.status import FALSE, SPENT, TRUE
from fibprover.frontends.conversation import options, output
from fibprover.frontends.conversation.progress import Progress, add_progress_argument
from fibprover.sheets.no_automaton import NoAutomaton

if TYPE_CHECKING:
    from fibprover.sheets.comparison import Comparison
    from fibprover.sheets.sheet import Sheet

_EXAMPLES = """\
examples:
  fibprover study FTM                           what is true of the Fibonacci-Thue-Morse word
  fibprover study '0->01, 1->02, 2->0'          of the fixed point of a morphism
  fibprover study 'a->ab, b->cb, c->a' --coding 'a->011, b->0, c->01'
  fibprover study sturmian                      of the characteristic words of all slopes: for which slopes
  fibprover study word.txt --json theorems.json of a word automaton of Walnut
  fibprover study F RF                          two words side by side
  fibprover study FTM --html page               a page to look at, with plots and automata
  fibprover study --all --store words.sqlite    pages of all words of the library, in docs/words
  fibprover study T --only critical-exponent,complexity
  fibprover study T --certify certificates      and a proof of each line that is a formula, checked
  fibprover study --terms b003849.txt           of the word that some terms suggest, a conjecture
  fibprover study --terms terms.txt             a list of terms, with commas or blanks, as well
  fibprover study --terms b010060.txt --definition '(Em n=2*m & n>0 & $a(m)) | (Em n=2*m+1 & ~$a(m))'

Each line is a theorem: the formula is decided, or its set, sequence or bound is proved. Refuted ones are theorems, too.
Lines are printed when they are finished; with --html the page is written again and again meanwhile.
Exit status 0 if every line is decided, 3 if one is open within its time or the word is a conjecture, 1 if terms suggest
no word, 2 for an error. Ctrl-C (130), SIGTERM (143) and SIGHUP (129) end it after the lines that are finished.
"""

#: The names of words that have none: of the first, and of the second.
_UNNAMED = ("W", "V")

#: A page of what is finished is written after so many times the seconds that the last one took.
_BETWEEN_PAGES = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "words", nargs="*", metavar="WORD",
        help="a name of the library, a morphism, a file (.txt of Walnut, .json with one word), or sturmian; two are "
        "compared",
    )
    parser.add_argument(
        "--coding", metavar="RULES", default="",
        help="what the letters of a morphism become, as in 'a->011, b->0, c->01' (default: themselves)",
    )
    parser.add_argument(
        "--terms", metavar="FILE",
        help="terms in place of a word: a b-file, with lines `n a(n)`, or a list, in a file (-: standard input) or "
        "written out, as in '0, 1, 1, 0'",
    )
    parser.add_argument(
        "--definition", metavar="FORMULA", default="",
        help="what defines the sequence, to prove the conjecture: a formula that calls $a(n) or $a(n,v), equations "
        "such as 'a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+1', or a counting formula (docs/study.md)",
    )
    parser.add_argument(
        "--system", action="append", default=[], metavar="NAME",
        help="look for the word or sequence of --terms over this system (repeatable; default: over fifteen)",
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="ID[,ID...]", help="only the lines with these ids (repeatable)"
    )
    parser.add_argument(
        "--all", action="store_true", help="all words of the library: a page of Markdown for each, in a folder"
    )
    parser.add_argument(
        "-j", "--jobs", type=options.positive, metavar="N",
        help="with --all, how many words at once (default: one on each core)",
    )
    parser.add_argument(
        "--store", metavar="FILE",
        help="keep the lines in a file as they are finished, and take those that it has: a command that was killed "
        "goes on where it was (see fibprover store)",
    )
    _add_files(parser)
    _add_limits(parser)
    add_progress_argument(parser)


def _add_files(parser: argparse.ArgumentParser) -> None:
    files = parser.add_argument_group("output")
    files.add_argument("--json", metavar="FILE", help="write the lines as a list of objects; - is standard output")
    files.add_argument(
        "--json-lines", metavar="FILE",
        help="write each line as an object in a line of text, when it is finished; - is standard output",
    )
    files.add_argument("--html", metavar="DIR", help="write a web page into a folder; it needs no network")
    files.add_argument(
        "--markdown", metavar="FILE", help="write a page of Markdown; with --all a folder (default docs/words)"
    )
    files.add_argument("--latex", metavar="FILE", help="write a part of a document in LaTeX")
    files.add_argument(
        "--matrices", metavar="FILE",
        help="with --terms that are numbers, write the linear representation: *.mpl, .m, .wl, .sage or .json",
    )
    files.add_argument(
        "--certify", metavar="DIR", help="write a proof of each line that is a formula into a folder, and check it"
    )
    files.add_argument("--script", metavar="FILE", help="write the lines as a script for Walnut and fibprover run")


def _add_limits(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits")
    group.add_argument(
        "--timeout", type=options.seconds, metavar="SECONDS",
        help=f"CPU time of each line (default 10), and {PATIENCE:.0f} times that as wall time",
    )
    group.add_argument(
        "--cpu-timeout", type=options.seconds, metavar="SECONDS",
        help="CPU time of all lines together; those that are not reached are open (default: none)",
    )
    options.add_memory_argument(group, "memory of the process")
    options.add_hard_argument(group)


def run(arguments: argparse.Namespace) -> int:
    """Study the words, print the sheets and write the files; return the exit status."""
    only = [name.strip() for each in arguments.only for name in each.split(",")]
    if not all(only):
        raise FibproverError("--only has an empty id", hint="as in --only complexity,squares")
    _check(arguments)
    if arguments.all:
        return _all(arguments, only)
    if arguments.html is not None:
        from fibprover.frontends.display.page.document import check_folder

        check_folder(arguments.html)
    as_json = "-" in (arguments.json, arguments.json_lines)
    about = argparse.Namespace(json=as_json, trace=False, timeout=arguments.timeout)
    with Progress(arguments.progress) as progress, output.reported(about, progress):
        try:
            with ExitStack() as open_files:
                sheets = _studied(arguments, only, progress, open_files)
        except NoAutomaton as none:
            progress.say(output.dumped(json_of_nothing(none)) if about.json else str(none))
            return FALSE
    _write(arguments, sheets)
    return SPENT if any(sheet.count("open") for sheet in sheets) else TRUE


def _write(arguments: argparse.Namespace, sheets: Sequence[Sheet]) -> None:
    """Write the files that are asked for."""
    shown = _shown(sheets, common=not arguments.only)
    if arguments.json not in (None, "-"):
        write_text(arguments.json, json.dumps(shown.as_json()) + "\n")
    if arguments.markdown is not None:
        write_text(arguments.markdown, shown.to_markdown())
    if arguments.latex is not None:
        write_text(arguments.latex, "".join(sheet.to_latex() for sheet in sheets))
    if arguments.script is not None:
        from fibprover.sheets.script import joined_script

        write_text(arguments.script, joined_script(sheets))
    if arguments.matrices is not None:
        sheets[0].sequence.write(arguments.matrices)
    if arguments.html is not None:
        _write_page(shown, arguments.html)


def _check(arguments: argparse.Namespace) -> None:
    """Raise FibproverError for options that do not fit together."""
    count = len(arguments.words)
    if arguments.terms is None and (arguments.definition or arguments.system):
        raise FibproverError("--definition and --system need --terms")
    if arguments.coding and (count != 1 or arguments.terms is not None):
        raise FibproverError("--coding is for one morphism", hint="as in study 'a->ab, b->a' --coding 'a->0, b->1'")
    if arguments.terms is None and arguments.matrices is not None:
        raise FibproverError("--matrices needs --terms that are numbers")
    if arguments.terms is not None and (arguments.all or count):
        raise FibproverError("--terms takes the place of a word", hint="give a word or --terms, not both")
    if arguments.all:
        if count:
            raise FibproverError("--all studies all words of the library", hint="give a word or --all, not both")
        for name in ("html", "latex", "script", "json", "json_lines", "cpu_timeout"):
            if getattr(arguments, name) is not None:
                what = f"--{name.replace('_', '-')} needs one or two words"
                raise FibproverError(what, hint="--all writes pages of Markdown")
        return
    if count not in (1, 2) and arguments.terms is None:
        raise FibproverError(
            f"a sheet is about one or two words, not {count}" if count else "no word is given",
            hint="give one or two, such as T, or --all for those of the library",
        )
    if arguments.certify is not None and count == 2:
        raise FibproverError("--certify is for the lines of one word", hint="study each word by itself")
    if arguments.jobs is not None:
        raise FibproverError("--jobs needs --all", hint="with --all")
    if arguments.json_lines is not None and count == 2:
        raise FibproverError("--json-lines is for the lines of one word", hint="use --json")
    if arguments.json_lines == arguments.json == "-":
        raise FibproverError("--json and --json-lines cannot both be standard output", hint="give a file to one")


def _all(arguments: argparse.Namespace, only: list[str]) -> int:
    """Write the pages of all words of the library, and print a line for each; return the exit status."""
    from fibprover.campaigns.word_sheets import FOLDER, study_library
    from fibprover.sheets.study import SECONDS

    about = argparse.Namespace(json=False, trace=False, timeout=arguments.timeout)
    with Progress(arguments.progress, started=False) as progress, output.reported(about, progress):
        found = study_library(
            arguments.markdown or FOLDER, only=only, seconds=arguments.timeout or SECONDS,
            memory=options.memory_of(arguments)["bytes"], store=arguments.store, jobs=arguments.jobs,
            show=lambda each: progress.say(str(each)), certify=arguments.certify,
        )
    return SPENT if any(each.sheet is not None and each.sheet.count("open") for each in found) else TRUE


def _studied(
    arguments: argparse.Namespace, only: list[str], progress: Progress, open_files: ExitStack
) -> Sequence[Sheet]:
    """Return the sheet of each word, printed; where a signal ends this, the lines that are finished are printed."""
    from fibprover.sheets.study import SECONDS, growing, study

    limits = progress.over(limits_of_part(arguments.timeout or SECONDS, Limits(**options.memory_of(arguments))))
    kept = None
    if arguments.store is not None:
        from fibprover.campaigns.kept_lines import StoredLines
        from fibprover.campaigns.sweeps.store import Store

        kept = StoredLines(
            open_files.enter_context(Store(arguments.store)), arguments.timeout or SECONDS, arguments.max_memory,
            arguments.certify or "",
        )
    printer = _Printer(arguments, progress)
    begun = cpu_clock()

    def left() -> float | None:
        whole: float | None = arguments.cpu_timeout
        return None if whole is None else max(whole - (cpu_clock() - begun), 1e-9)

    def notify(name: str) -> None:
        progress.title = name

    try:
        if arguments.terms is not None:
            study(
                terms=arguments.terms, definition=arguments.definition, systems=arguments.system, only=only,
                limits=limits, notify=notify, certify=arguments.certify, cpu_seconds=left(), kept=kept,
                show=printer.show,
            )
        sheets = [
            growing(
                word, only=only, limits=limits, notify=notify, unnamed=name, certify=arguments.certify,
                coding=arguments.coding, cpu_seconds=left(), kept=kept,
            )
            for word, name in zip(arguments.words, _UNNAMED, strict=False)
        ]
        # Two words take turns, so that their lines are there together.
        going = dict(enumerate(sheets))
        while going:
            for place, growth in tuple(going.items()):
                grown = next(growth, None)
                if grown is None:
                    del going[place]
                else:
                    printer.show(*grown, place)
    except KeyboardInterrupt:
        printer.stopped()
        raise
    printer.finish()
    return printer.sheets


class _Printer:
    """Prints sheets while they are made: each line when it is finished, those of two words when both have it.

    sheets: as far as they are made; they grow.
    """

    def __init__(self, arguments: argparse.Namespace, progress: Progress) -> None:
        self.arguments = arguments
        self.progress = progress
        self.sheets: list[Sheet] = []
        self.lines: list[int] = []
        self._pairs: set[str] = set()
        self._section = ""
        self._page_due = 0.0

    @property
    def shown(self) -> Sheet | Comparison:
        """The sheet, or two side by side as far as they are made."""
        is_whole = all(len(sheet.lines) == lines for sheet, lines in zip(self.sheets, self.lines, strict=True))
        return _shown(self.sheets, common=is_whole and not self.arguments.only)

    def show(self, sheet: Sheet, lines: int, place: int = 0) -> None:
        """Take the first or the second sheet, which has grown, of so many lines in the end."""
        begins = place == len(self.sheets)
        if begins:
            if self.arguments.matrices is not None and sheet.is_word:
                raise FibproverError(
                    "--matrices is for sequences of numbers, but these terms are a word", hint="use --script"
                )
            self.sheets.append(sheet)
            self.lines.append(lines)
        before = 0 if begins else len(self.sheets[place].lines)
        self.sheets[place] = sheet
        if len(self.arguments.words) == 2:
            self._say_two(sheet, begins)
            return
        self._say(sheet, before, begins)
        if self.arguments.html is not None and len(sheet.lines) < lines and monotonic() >= self._page_due:
            begun = monotonic()
            _write_page(sheet, self.arguments.html, lines)
            self._page_due = monotonic() + _BETWEEN_PAGES * (monotonic() - begun)

    def _say_two(self, sheet: Sheet, begins: bool) -> None:
        """Print the head of a sheet that begins, and the pairs of lines that are there and not printed."""
        from fibprover.sheets import sheet_text

        if self.arguments.json == "-":
            return
        if begins:
            self.progress.say(sheet_text.head_of(sheet))
        if len(self.sheets) == 2 and sheet.lines:
            self._say_pairs(is_growing=True)

    def _say_pairs(self, is_growing: bool) -> None:
        """Print the pairs that are not printed; while the sheets grow, those of two lines."""
        left, right = self.sheets
        shown = left.beside(right, common=not is_growing and not self.arguments.only)
        for pair in shown.pairs:
            if pair.id in self._pairs or (is_growing and None in pair.lines):
                continue
            self._pairs.add(pair.id)
            heading = [f"\n{pair.section.capitalize()}"] if pair.section != self._section else []
            self._section = pair.section
            self.progress.say("\n".join([*heading, *shown.text_of_pair(pair)]))

    def _say(self, sheet: Sheet, before: int, begins: bool) -> None:
        """Print what is new of a sheet: its lines from one on, and its head if it begins."""
        from fibprover.sheets import sheet_text

        if self.arguments.json_lines == "-":
            said = [json.dumps(sheet_text.line_json(line)) for line in sheet.lines[before:]]
        elif self.arguments.json == "-":
            said = []
        else:
            head = [sheet_text.head_of(sheet)] if begins else []
            said = [*head, *sheet_text.lines_of(sheet, before)]
        if said:
            self.progress.say("\n".join(said))
        if self.arguments.json_lines not in (None, "-"):
            every = [json.dumps(sheet_text.line_json(line)) for line in sheet.lines]
            write_text(self.arguments.json_lines, "".join(f"{each}\n" for each in every))

    def finish(self) -> None:
        """Print what is left when all is finished, or as far as it is."""
        from fibprover.sheets import sheet_text

        if self.arguments.json_lines == "-":
            return
        if self.arguments.json == "-":
            self.progress.say(json.dumps(self.shown.as_json()))
        elif len(self.sheets) == 2:
            self._say_pairs(is_growing=False)
            self._say_summary()
        else:
            self.progress.say("\n".join(sheet_text.end_of(self.sheets[0])))

    def _say_summary(self) -> None:
        left, right = self.sheets
        self.progress.say(f"\n{left.beside(right, common=not self.arguments.only).summary}")

    def stopped(self) -> None:
        """Print what is finished, and say how much that is."""
        if not self.sheets:
            return
        if any(sheet.lines for sheet in self.sheets):
            if len(self.sheets) == 2 and self.arguments.json != "-":
                self._say_summary()
            else:
                self.finish()
        for sheet, lines in zip(self.sheets, self.lines, strict=True):
            self.progress.warn(f"{len(sheet.lines)} of {plural(lines, 'line')} of {sheet.name} are finished")


def _shown(sheets: Sequence[Sheet], *, common: bool) -> Sheet | Comparison:
    """Return a sheet, or two side by side; common: with the factors that both words have."""
    return sheets[0].beside(sheets[1], common=common) if len(sheets) == 2 else sheets[0]


def _write_page(shown: Sheet | Comparison, folder: str, lines: int | None = None) -> None:
    """Write the page; lines: how many it will have, if it is unfinished."""
    from fibprover.frontends.display.page import sheet
    from fibprover.frontends.display.page.document import write_page
    from fibprover.sheets.comparison import Comparison

    if isinstance(shown, Comparison):
        write_page(sheet.compared(shown, __version__), folder)
    else:
        write_page(sheet.content(shown, __version__, lines), folder)
