"""`fibprover infer FILE`: what the first values of a sequence suggest, found by the search of `study --terms`."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fibprover.base.errors import FibproverError
from fibprover.base.files import write_text
from fibprover.base.names import NAME
from fibprover.base.values import replaced
from fibprover.frontends.cli.status import FALSE, SPENT, TRUE
from fibprover.frontends.conversation import options, output
from fibprover.frontends.conversation.progress import Progress
from fibprover.sheets.no_automaton import NoAutomaton
from fibprover.workspace.guard import enforced
from fibprover.workspace.session import Session

if TYPE_CHECKING:
    from fibprover.infer.words import InferredWord, NoMorphism
    from fibprover.sheets.conjecture import Conjecture
    from fibprover.sheets.terms import Terms

_EXAMPLES = """\
examples:
  fibprover infer g.txt                                  a word or numbers, over fifteen systems
  fibprover infer b003849.txt                            a b-file; other lists have commas, blanks or lines
  fibprover infer - --system msd_2 --name T --out t.json values from standard input, words to a file
  fibprover infer g.txt --system msd_fib --depth 4       by 4-types only

FILE holds the terms at 0, 1, 2, ..., or lines `n a(n)`. The search is that of study --terms.
Exit status 1 if nothing is found.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("file", metavar="FILE", help="the values; - is standard input")
    parser.add_argument(
        "--system", action="append", default=[], metavar="NAME",
        help="look only over this numeration system of the indices (repeatable; default: over fifteen)",
    )
    parser.add_argument(
        "--base", action="append", default=[], metavar="msd_NAME.txt",
        help="add a numeration system from base files, verified (repeatable)",
    )
    parser.add_argument("--name", default="w", metavar="NAME", help="the name of the word (default w)")
    types = parser.add_argument_group("words by types only, over one system (default msd_2)")
    types.add_argument(
        "--depth", action="append", type=options.count, metavar="T",
        help="by T-types (repeatable; default: the least depth that makes a morphism)",
    )
    types.add_argument(
        "--margin", type=options.count, metavar="N",
        help="levels that the data must show beyond those that distinguish the letters (default 1)",
    )
    types.add_argument(
        "--first", type=_index, metavar="N",
        help="the index of the first value, as --first=-100, for systems of all integers (default 0)",
    )
    parser.add_argument("--out", metavar="WORDS.json", help="write the word to a file for --words")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    output.add_latex_argument(parser)
    options.add_limit_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Search for the word or the sequence and print it."""
    if not NAME.fullmatch(arguments.name):
        raise FibproverError(f"{arguments.name!r} is not a name for a word")
    output.as_latex(arguments)  # or an error
    by_types = arguments.depth is not None or arguments.margin is not None or arguments.first is not None
    with Progress(arguments.progress) as progress, output.reported(arguments, progress):
        session = Session(limits=progress.over(options.limits(arguments)))
        for file in arguments.base:
            session.namespace.load_system(file)
        return (_by_types if by_types else _search)(arguments, session, progress)


def _search(arguments: argparse.Namespace, session: Session, progress: Progress) -> int:
    """Search as `study --terms` does."""
    from fibprover.infer.systems import SYSTEMS
    from fibprover.sheets.search import given_terms, suggested

    names: Sequence[str] = arguments.system
    if not names and arguments.base:
        names = [*session.namespace.systems, *SYSTEMS]
    systems = [session.namespace.system(name) for name in names]
    with enforced(session.options.limits):
        terms = given_terms(arguments.file)
    try:
        found = suggested(terms, "", systems, session.options.limits, arguments.name, morphisms=False)
    except NoAutomaton as none:
        progress.say(output.dumped(json_of_nothing(none)) if arguments.json else str(none))
        return SPENT if none.is_spent else FALSE
    if arguments.out is not None:
        _write_word(arguments.out, arguments.name, _entry(found, terms.first))
    if arguments.json:
        progress.say(output.dumped(json_of_conjecture(found, arguments.name, terms)))
    elif output.as_latex(arguments):
        named = None if found.types is None else replaced(found.types, name=arguments.name)
        progress.say(output.latex_text(replace(found, types=named)))
    else:
        progress.say(_text(found, arguments.name, terms.first))
    return TRUE


def _by_types(arguments: argparse.Namespace, session: Session, progress: Progress) -> int:
    """Look for a word by types over one system, as the options say."""
    from fibprover.infer.words import NoMorphism
    from fibprover.sheets.search import given_terms

    if len(arguments.system) > 1:
        raise FibproverError("--depth, --margin and --first are about one --system")
    with enforced(session.options.limits):
        terms = given_terms(arguments.file)
    if terms.beyond:
        raise FibproverError(f"the terms have a gap before {terms.beyond[0][0]}")
    first = terms.first if arguments.first is None else arguments.first
    try:
        found = session.infer_word(
            arguments.name, terms.run, *arguments.system or ["msd_2"], depths=arguments.depth, first=first,
            margin=arguments.margin,
        )
    except NoMorphism as none:
        progress.say(output.dumped(json_of_none(none)) if arguments.json else str(none))
        return FALSE
    if arguments.out is not None:
        _write_word(arguments.out, arguments.name, found.entry())
    shown = output.latex_text(found) if output.as_latex(arguments) else str(found)
    progress.say(output.dumped(json_of(found)) if arguments.json else shown)
    return TRUE


def _index(text: str) -> int:
    """Return a whole number of either sign."""
    if not re.fullmatch(r"-?[0-9]{1,18}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def _write_word(file: str, name: str, entry: output.Json) -> None:
    write_text(file, json.dumps({name: entry}, indent=1) + "\n")


def _text(found: Conjecture, name: str, first: int) -> str:
    """Return what was found, and the evidence, as lines of text; first: the index of the first term."""
    said = [found.statement] if found.types is None else str(replaced(found.types, name=name)).splitlines()
    if found.types is not None and first:
        said.append(f"  {name}[n] is the term a(n{first:+d}).")
    return "\n".join([*said, f"  {found.evidence}", *([f"  {found.way}"] if found.way else [])])


def _entry(found: Conjecture, first: int) -> output.Json:
    """Return the entry of a word in a file of words; first: the index of the first term."""
    if found.types is not None and not first:
        return found.types.entry()
    if not found.about.is_word:
        raise FibproverError("--out is for words, but these terms are numbers", hint="study --terms has --matrices")
    if found.of_differences:
        raise FibproverError("--out is for words, but the word that was found is that of the differences of the terms")
    images, coding = _images(found)
    return {"for": f"inferred: {found.statement}", "system": found.about.system, "morphism": images, "coding": coding}


def _images(found: Conjecture) -> tuple[list[list[int]], list[int]]:
    """Return the images of the states of the machine of a word, and their letters."""
    machine = found.about.word.machine
    rows = [dict(machine.row(state)) for state in range(machine.states)]
    # Where a digit cannot follow but a larger one can, no number uses the letter 0 that the image has.
    images = [[row.get(code, 0) for code in range(max(row, default=0) + 1)] for row in rows]
    return images, list(map(int, machine.outputs))


def json_of_conjecture(found: Conjecture, name: str, terms: Terms) -> output.Json:
    """Return what was found of some terms as JSON, with the schema of docs/inference.md."""
    values = len(terms) - found.of_differences
    if found.types is not None:
        about = json_of(replaced(found.types, name=name))
    elif found.about.is_word:
        images, coding = _images(found)
        about = {
            "kind": "word", "name": name, "system": found.about.system, "morphism": images, "coding": coding,
            "letters": len(images), "minimal": len(images), "depth": None, "margin": None, "values": values,
            "types": [], "support": [],
        }
    else:
        numbers = found.about.numbers
        about = {
            "kind": "numbers", "name": name, "system": found.about.system, "term": numbers.term,
            "dimension": numbers.sequence.dimension, "values": values,
        }
    if about["kind"] == "word":
        about |= {"first": terms.first, "of": "differences" if found.of_differences else "terms"}
    return about | {"statement": found.statement, "evidence": found.evidence}


def json_of(found: InferredWord) -> output.Json:
    """Return a word as JSON, with the schema of docs/inference.md."""
    return {
        "kind": "word",
        "name": found.name,
        "system": found.system,
        "morphism": [list(image) for image in found.images],
        "coding": list(found.coding),
        "letters": found.letters,
        "minimal": found.minimal,
        "depth": found.depth,
        "margin": found.margin,
        "values": found.length,
        "types": list(found.types),
        "support": [
            {"first": each.first, "positions": each.positions, "confirmed": each.confirmed, "depth": each.depth}
            for each in found.support
        ],
    }


def json_of_none(none: NoMorphism) -> output.Json:
    """Return the reasons why there is no word by types as JSON."""
    attempts = [
        {
            "depth": each.depth, "types": each.types, "positions": each.positions, "kind": each.kind,
            "problem": each.problem,
        }
        for each in none.failures
    ]
    return _none(none, attempts)


def json_of_nothing(none: NoAutomaton) -> output.Json:
    """Return what was tried in vain as JSON: `fibprover study --terms` has the same."""
    attempts = [
        {
            "system": each.system,
            "problem": each.problem,
            "terms": list(each.growth.bounds) if each.growth else [],
            "states": list(each.growth.states) if each.growth else [],
            "growth": each.growth.verdict if each.growth else "unknown",
        }
        for each in none.attempts
    ]
    return _none(none, attempts)


def _none(none: FibproverError, attempts: Sequence[output.Json]) -> output.Json:
    return {"kind": "none", "message": none.message, "hint": none.hint, "attempts": list(attempts)}
