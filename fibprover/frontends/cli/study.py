"""`fibprover study WORD`: the theorems about a word, or about two words side by side."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fibprover import __version__
from fibprover.base.errors import FibproverError
from fibprover.base.files import write_text
from fibprover.base.limits import PATIENCE, Limits, limits_of_part
from fibprover.base.wording import plural
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
Exit status 0 if every line is decided, 3 if one is open within its time or the word is a conjecture, 1 if terms suggest
no word, 2 for an error. Ctrl-C (130), SIGTERM (143) and SIGHUP (129) end it after the lines that are finished.
"""

#: The names of words that have none: of the first, and of the second.
_UNNAMED = ("W", "V")


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
    parser.add_argument("--store", metavar="FILE", help="with --all, keep the sheets in a file (see fibprover store)")
    files = parser.add_argument_group("output")
    files.add_argument("--json", metavar="FILE", help="write the lines as a list of objects; - is standard output")
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
    group = parser.add_argument_group("limits")
    group.add_argument(
        "--timeout", type=options.seconds, metavar="SECONDS",
        help=f"CPU time of each line (default 10), and {PATIENCE:.0f} times that as wall time",
    )
    options.add_memory_argument(group, "memory of the process")
    options.add_hard_argument(group)
    add_progress_argument(parser)


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
    about = argparse.Namespace(json=arguments.json == "-", trace=False, timeout=arguments.timeout)
    with Progress(arguments.progress) as progress, output.reported(about, progress):
        try:
            sheets = _studied(arguments, only, progress)
        except NoAutomaton as none:
            progress.say(output.dumped(_json_of_none(none)) if arguments.json == "-" else str(none))
            return FALSE
        if arguments.matrices is not None and sheets[0].is_word:
            raise FibproverError(
                "--matrices is for sequences of numbers, but these terms are a word", hint="use --script"
            )
        shown = _show(arguments, sheets, progress)
    _write(arguments, sheets, shown)
    return SPENT if any(sheet.count("open") for sheet in sheets) else TRUE


def _show(arguments: argparse.Namespace, sheets: Sequence[Sheet], progress: Progress) -> Sheet | Comparison:
    """Print a sheet, or two side by side, and return what is printed."""
    shown = sheets[0].beside(sheets[1]) if len(sheets) == 2 else sheets[0]
    progress.say(json.dumps(shown.as_json()) if arguments.json == "-" else str(shown))
    return shown


def _write(arguments: argparse.Namespace, sheets: Sequence[Sheet], shown: Sheet | Comparison) -> None:
    """Write the files that are asked for."""
    if arguments.json not in (None, "-"):
        write_text(arguments.json, json.dumps(shown.as_json()) + "\n")
    if arguments.markdown is not None:
        write_text(arguments.markdown, shown.to_markdown())
    if arguments.latex is not None:
        write_text(arguments.latex, "".join(sheet.to_latex() for sheet in sheets))
    if arguments.script is not None:
        write_text(arguments.script, "".join(sheet.to_script() for sheet in sheets))
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
        for name in ("html", "latex", "script", "json"):
            if getattr(arguments, name) is not None:
                raise FibproverError(f"--{name} needs one or two words", hint="--all writes pages of Markdown")
        return
    if count not in (1, 2) and arguments.terms is None:
        raise FibproverError(
            f"a sheet is about one or two words, not {count}" if count else "no word is given",
            hint="give one or two, such as T, or --all for those of the library",
        )
    if arguments.certify is not None and count == 2:
        raise FibproverError("--certify is for the lines of one word", hint="study each word by itself")
    for name in ("store", "jobs"):
        if getattr(arguments, name) is not None:
            raise FibproverError(f"--{name} needs --all", hint="with --all")


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
    arguments: argparse.Namespace, only: list[str], progress: Progress
) -> Sequence[Sheet]:
    """Return the sheet of each word; print the lines that are finished where a signal ends this."""
    from fibprover.sheets.study import SECONDS, study

    sheets: list[Sheet] = []

    def notify(name: str) -> None:
        progress.title = name

    def interrupted(sheet: Sheet, count: int) -> None:
        begun = [*sheets, sheet] if sheet.lines else sheets
        if begun:
            _show(arguments, begun, progress)
            progress.warn(f"{len(sheet.lines)} of {plural(count, 'line')} of {sheet.name} are finished")

    limits = progress.over(limits_of_part(arguments.timeout or SECONDS, Limits(**options.memory_of(arguments))))
    if arguments.terms is not None:
        return [study(
            terms=arguments.terms, definition=arguments.definition, systems=arguments.system, only=only, limits=limits,
            notify=notify, certify=arguments.certify, interrupted=interrupted,
        )]
    for word, name in zip(arguments.words, _UNNAMED, strict=False):
        sheets.append(study(
            word, only=only, limits=limits, notify=notify, unnamed=name, certify=arguments.certify,
            interrupted=interrupted, coding=arguments.coding,
        ))
    return sheets


def _write_page(shown: Sheet | Comparison, folder: str) -> None:
    from fibprover.frontends.display.page import sheet
    from fibprover.frontends.display.page.document import write_page
    from fibprover.sheets.comparison import Comparison

    if isinstance(shown, Comparison):
        write_page(sheet.compared(shown, __version__), folder)
    else:
        write_page(sheet.content(shown, __version__), folder)


def _json_of_none(none: NoAutomaton) -> output.Json:
    """Return what was tried in vain as JSON."""
    return {
        "kind": "none",
        "message": none.message,
        "hint": none.hint,
        "attempts": [
            {
                "system": each.system,
                "problem": each.problem,
                "terms": list(each.growth.bounds) if each.growth else [],
                "states": list(each.growth.states) if each.growth else [],
                "growth": each.growth.verdict if each.growth else "unknown",
            }
            for each in none.attempts
        ],
    }
