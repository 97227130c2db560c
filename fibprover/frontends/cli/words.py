"""`fibprover words [NAME ...]`: list and describe the words of the library."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from fibprover.automata.dfa import Track
from fibprover.automata.digit_order import lsd_first, to_reading_order
from fibprover.base.wording import plural
from fibprover.frontends.cli.status import TRUE
from fibprover.frontends.conversation import options, output
from fibprover.frontends.conversation.progress import Progress
from fibprover.words.automatic import AutomaticWord
from fibprover.words.catalogue import ENTRIES, Entry, entry_of
from fibprover.workspace.session import Session

_EXAMPLES = """\
examples:
  fibprover words                        all words of the library
  fibprover words T RS --prefix 100      definitions, and letters from 0 to 99
  fibprover words pascal --prefix 8      a word with two indices, as a square
  fibprover words --json                 for programs
  fibprover eval 'Ei T[i]=1 & T[i+1]=1'  a word in a formula

A word that is defined, or loaded with --words or --load, hides a library word of the same name.
"""

#: The default number of letters, and of rows of a word with two indices.
_LETTERS, _ROWS = 60, 16


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("names", metavar="NAME", nargs="*", help="words to describe; without one, a list of all")
    parser.add_argument(
        "--prefix", type=options.count, metavar="N",
        help=f"how many letters to show (default {_LETTERS}; with two indices, rows and columns: {_ROWS})",
    )
    parser.add_argument("--json", action="store_true", help="answer in JSON, one object on a line for each word")
    output.add_latex_argument(parser)
    options.add_limit_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the list, or the description of each word."""
    with Progress(arguments.progress) as progress, output.reported(arguments, progress):
        chosen = [entry_of(name) for name in arguments.names] or list(ENTRIES.values())
        session = Session(limits=options.limits(arguments))
        listed = not arguments.names and not arguments.json and arguments.prefix is None
        for entry in chosen:
            if output.as_latex(arguments):
                progress.say(f"{output.latex_text(session.namespace.library_words[entry.name])}\n")
            elif listed:
                progress.say(row(entry))
            elif arguments.json:
                progress.say(output.dumped(json_of(entry, session, arguments.prefix)))
            else:
                progress.say(description(entry, session, arguments.prefix))
    return TRUE


def row(entry: Entry) -> str:
    """Return a line of the list."""
    return f"{entry.name:9} {indices(entry):18} {entry.oeis or '-':8} {entry.title}"


def indices(entry: Entry) -> str:
    """Return the systems or alphabets of the indices, as in headers of automata."""
    return " ".join(
        index if isinstance(index, str) else "{" + ",".join(map(str, index)) + "}" for index in entry.indices
    )


def description(entry: Entry, session: Session, count: int | None) -> str:
    """Return the description of a word."""
    word = session.namespace.library_words[entry.name]
    letters = ", ".join(map(str, word.outputs))
    lines = [
        f"{entry.name}: {entry.title}", f"  {entry.definition}",
        f"  over {indices(entry)}; letters {letters}; {plural(states(word), 'state')}",
    ]
    if entry.oeis:
        lines.append(f"  OEIS {entry.oeis}: {entry.relation}")
    return "\n".join(lines + [f"  {line}" for line in rows(word, session, count)])


def states(word: AutomaticWord) -> int:
    """Return the number of states of the automaton in the digit order of its systems."""
    return to_reading_order(word.machine, word=True).states


def rows(word: AutomaticWord, session: Session, count: int | None) -> list[str]:
    """Return the first letters on one line, or as a square for two indices; none if an index is not a number."""
    glue = "" if all(0 <= letter <= 9 for letter in word.outputs) else " "
    lines = first(word, session, count)
    return [glue.join("." if letter is None else str(letter) for letter in line) for line in lines]


def first(word: AutomaticWord, session: Session, count: int | None) -> list[list[int | None]]:
    """Return the first letters as rows of numbers, None where the word has no letter."""
    if not all(track.system for track in word.tracks):
        return []
    written = [writing(session, track) for track in word.tracks]
    if len(written) == 1:
        wanted = _LETTERS if count is None else count
        return [word.prefix(wanted, written[0])] if wanted else []
    across = range(_ROWS if count is None else count)
    return [[word.value(written[0](i), written[1](j)) for j in across] for i in across]


def writing(session: Session, track: Track) -> Callable[[int], Sequence[int]]:
    """Return the function that writes numbers for the automaton of a word: the most significant digit is first."""
    system = session.namespace.system(track.system)
    return (lambda number: system.write(number)[::-1]) if lsd_first(track) else system.write


def json_of(entry: Entry, session: Session, count: int | None) -> output.Json:
    """Return the description of a word as JSON."""
    word = session.namespace.library_words[entry.name]
    letters = first(word, session, count)
    return {
        "name": entry.name,
        "title": entry.title,
        "definition": entry.definition,
        "indices": [index if isinstance(index, str) else list(index) for index in entry.indices],
        "states": states(word),
        "letters": list(word.outputs),
        "oeis": entry.oeis or None,
        "relation": entry.relation,
        "prefix": letters[0] if len(entry.indices) == 1 and letters else letters or None,
    }
