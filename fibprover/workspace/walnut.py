"""Walnut's text files: automata, custom bases, morphisms and transducers, read and written.

    msd_fib {0, 1}      for each track a numeration system or a set of letters; without tracks `true` or `false`
    # a comment         as is: `# msd_own has the identity 5f3a...`, if the base is not a built-in one
    0 1                 a state and its output; the first state declared is initial
    0 * -> 0            for each track a letter (`*`: any), and the next state
    1 0 -> 3

The numbers of states are names (in any order, with gaps), letters are values, and transitions may have any order. Any
other text is an error with the file and the line.  Several targets for one letter make a nondeterministic automaton; it
is determinized if all outputs are 0 or 1, and otherwise an error; for a word it always is.
Track names are not part of the format.

A custom base has the files `msd_X.txt`, with the valid words, and `msd_X_addition.txt`, with the triples (a, b, a + b).
`msd_X_less_than.txt`, if it exists, has the order of numbers, which is lexicographic otherwise. Without `msd_X.txt` all
words are valid. A base may have files lsd_X.txt instead; words are then read from the other end.

    0 -> 01 , 1 -> 10       a morphism: its rules, as in the command `morphism`

    {0, 1}                  a transducer: the letters it reads
    0                       a state
    0 -> 1 / 0              a letter (`*`: any), the next state, the letter it writes
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from pathlib import Path
from typing import NamedTuple

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, TrackOfSystem, build, check_tracks
from fibprover.automata.digit_order import reversal
from fibprover.automata.nondeterministic import Nfa
from fibprover.base.errors import BudgetSpent, FibproverError, FormatError, SyntaxProblem
from fibprover.base.files import MOST_AUTOMATON, read_text, write_pieces
from fibprover.base.limits import UNLIMITED, Budget, check_budget, poll, polled
from fibprover.base.names import PARAMETER, full_name, is_family, is_parameter
from fibprover.base.wording import plural
from fibprover.numeration.parameters import parameter_track
from fibprover.numeration.registry import system_named
from fibprover.words.morphism import Morphism, parse_morphism
from fibprover.words.transducers import Transducer

#: An integer of at most 18 digits, so that no conversion can be slow or overflow 64 bits.
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
#: The most transitions that are read, after wildcards are expanded, whatever the budget: they take about 1 GB.
_MOST_TRANSITIONS = 10_000_000
_HEADER_TOKEN = re.compile(r"\s*(?:(?P<system>\w+)|\{(?P<set>[^{}]*)\})(?=\s|\{|$)", re.ASCII)
_IDENTITY = re.compile(r"#\s*(?P<system>\w+) has the identity (?P<identity>[0-9a-f]+)", re.ASCII)


class SeveralLetters(FormatError):
    """Raised for the automaton of a word that is not deterministic."""


@dataclass(slots=True)
class _AutomatonDraft:
    """The lines read so far: states in order of declaration, transitions by state name."""

    tracks: tuple[Track, ...]
    numbers: dict[int, int] = field(default_factory=dict)
    outputs: list[int] = field(default_factory=list)
    rows: list[dict[int, list[int]]] = field(default_factory=list)
    #: The line and the state name of the first mention of each target.
    mentions: dict[int, int] = field(default_factory=dict)
    ambiguous: int | None = None
    transitions: int = 0


def read_automaton(
    path: str | Path,
    track_of_system: TrackOfSystem | None = None,
    names: Sequence[str] | None = None,
    budget: Budget = UNLIMITED,
    *,
    word: bool = False,
) -> Dfa:
    """Read the automaton in a file, with its outputs; neither trimmed nor minimized.

    track_of_system: returns a track of a numeration system by its name, or raises a FibproverError; by default the
    systems are the built-in ones, and `session.namespace.track` knows those of a session as well.  names: the names of
    the tracks in order, by default x0, x1, ...  word: whether the outputs are letters.  Raises FormatError for a
    malformed file, SeveralLetters for a word if a letter leads to several states, BudgetSpent if its wildcards
    stand for more transitions than the budget allows.
    """
    text = read_text(path, MOST_AUTOMATON, pipe=True)
    return parse_automaton(text, str(path), track_of_system or _built_in_track, names, budget, word=word)


def _built_in_track(system: str) -> Track:
    return system_named(system).track("x")


def parse_automaton(
    text: str,
    file: str,
    track_of_system: TrackOfSystem,
    names: Sequence[str] | None = None,
    budget: Budget = UNLIMITED,
    *,
    word: bool = False,
) -> Dfa:
    """Read an automaton from a text, as `read_automaton` does; `file` is its name in errors."""
    identities = {
        found["system"]: (number, found["identity"])
        for number, line in _comments(text)
        if (found := _IDENTITY.fullmatch(line)) is not None
    }
    lines = _lines(text, file)
    number, header = next(lines, (0, ""))
    if not number:
        raise FormatError("the file has no header", file, hint="a line such as: msd_fib msd_fib")
    if header in ("true", "false"):
        if (after := next(lines, None)) is not None:
            raise FormatError(f"nothing may follow {header!r}", file, after[0])
        if names:
            raise FormatError(f"a closed formula has no tracks, but {len(names)} expected", file, number)
        return build((), [{0: 0}] if header == "true" else [{}], [int(header == "true")])
    tracks = _tracks(header, file, number, track_of_system, names)
    _check_identities(tracks, identities, file)
    plain = kernel_calls.read_lines(text, _line_end(text, number), tracks, budget, f"the automaton of {file}")
    return plain or _read_lines(lines, _AutomatonDraft(tracks), file, budget, word=word)


def _read_lines(
    lines: Iterable[tuple[int, str]], draft: _AutomatonDraft, file: str, budget: Budget, *, word: bool
) -> Dfa:
    """Read the lines of states and transitions, with wildcards, several targets, and states in any order."""
    for number, line in lines:
        if "->" in line:
            _transition(draft, line, file, number, budget)
        else:
            _state(draft, line, file, number)
    if not draft.numbers:
        raise FormatError("the file declares no state", file)
    for name, number in draft.mentions.items():
        if name not in draft.numbers:
            raise FormatError(f"state {name} is not declared", file, number)
    if word and draft.ambiguous is not None:
        raise SeveralLetters(
            "one letter leads to several states, so the word has several letters at an index", file, draft.ambiguous,
            hint="only predicates may be nondeterministic",
        )
    return _finished(draft, file, budget)


def _comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield the comments with the numbers of their lines."""
    place, number = text.find("#"), 1
    counted = 0
    while place >= 0:
        begin, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
        end = end if end >= 0 else len(text)
        number += text.count("\n", counted, begin)
        counted = begin
        line = text[begin:end].strip()
        if line.startswith("#"):
            yield number, line
        poll("the comments of an automaton")
        place = text.find("#", end)


def _line_end(text: str, number: int) -> int:
    """Return where the line after one of this number begins."""
    place = 0
    for _ in range(number):
        place = text.find("\n", place) + 1 or len(text)
    return place


def _lines(text: str, file: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that say something with their numbers; a list would take far more memory."""
    place, number = 0, 0
    while place <= len(text):
        end = text.find("\n", place)
        line = text[place : end if end >= 0 else len(text)].strip()
        place = end + 1 if end >= 0 else len(text) + 1
        number += 1
        if not number & 0xFFF:
            poll(f"the automaton of {file}, line {number}")
        if line and not line.startswith("#"):
            yield number, line


def _tracks(
    header: str,
    file: str,
    number: int,
    track_of_system: TrackOfSystem,
    names: Sequence[str] | None,
) -> tuple[Track, ...]:
    """Return the tracks that a header line declares."""
    alphabets: list[Track] = []
    position = 0
    while position < len(header):
        token = _HEADER_TOKEN.match(header, position)
        neither = FormatError(
            f"{header[position:].strip()[:40]!r} is neither a numeration system nor a set of letters",
            file, number, hint="write a header such as: msd_2 lsd_fib {-1, 0, 1}",
        )
        if token is None:
            raise neither
        if token["system"]:
            system = full_name(token["system"])
            try:
                alphabets.append(parameter_track(system) if is_parameter(system) else track_of_system(system))
            except BudgetSpent:
                raise
            except FibproverError as error:
                if system != token["system"] and not isinstance(error, FormatError):
                    raise neither from error
                message = error.message if error.message else "unknown numeration system"
                raise FormatError(f"{token['system']}: {message}", file, number, hint=error.hint) from error
        else:
            digits = [_integer(part.strip(), "letter", file, number) for part in token["set"].split(",")]
            if len(set(digits)) != len(digits):
                raise FormatError(f"a letter occurs twice in {{{token['set']}}}", file, number)
            alphabets.append(Track("", tuple(sorted(digits))))
        position = token.end()
    if names is None:
        width = len(str(len(alphabets) - 1))
        names = [f"x{index:0{width}d}" for index in range(len(alphabets))]
    if any(is_parameter(track.system) for track in alphabets[:-1]):
        raise FormatError("the parameter of a family is the last track", file, number)
    if any(is_family(track.system) for track in alphabets) and not is_parameter(alphabets[-1].system):
        raise FormatError("numbers of a family need its parameter, such as msd_slope, as the last track", file, number)
    if names and is_parameter(alphabets[-1].system):
        names = [*names[:-1], PARAMETER]
    if len(names) != len(alphabets):
        raise FormatError(
            f"the automaton has {plural(len(alphabets), 'track')}, but {len(names)} expected", file, number
        )
    tracks = tuple(track._replace(name=name) for name, track in zip(names, alphabets, strict=True))
    try:
        check_tracks(tracks)
    except BudgetSpent:
        raise
    except FibproverError as error:
        raise FormatError(error.message, file, number) from error
    return tracks


def _check_identities(tracks: Sequence[Track], identities: Mapping[str, tuple[int, str]], file: str) -> None:
    """Raise FormatError if a comment of the file says that a system was another one when the file was written.

    identities: the line and the identity of each system that a comment names.
    """
    for track in tracks:
        number, identity = identities.get(track.system, (0, track.identity))
        if identity != track.identity:
            raise FormatError(
                f"the file was written for another system {track.system} than the one that has this name now",
                file, number, hint="restore the base that the file was written for, or make the file again",
            )


def _integer(token: str, what: str, file: str, number: int, bits: int = 64) -> int:
    """Return a token as an integer of at most `bits` bits."""
    if not _INTEGER.fullmatch(token):
        raise FormatError(f"a {what} is expected, not {token[:40]!r}", file, number)
    value = int(token)
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise FormatError(f"the {what} {value} has more than {bits} bits", file, number)
    return value


def _state(draft: _AutomatonDraft, line: str, file: str, number: int) -> None:
    """Read a line `state output`."""
    tokens = line.split()
    if len(tokens) != 2 or not all(_INTEGER.fullmatch(token) for token in tokens):
        raise FormatError(f"{line[:40]!r} is neither 'state output' nor 'letters -> state'", file, number)
    name = _integer(tokens[0], "state number", file, number)
    if name < 0:
        raise FormatError(f"the state number {name} is negative", file, number)
    if name in draft.numbers:
        raise FormatError(f"state {name} is declared twice", file, number)
    draft.numbers[name] = len(draft.outputs)
    draft.outputs.append(_integer(tokens[1], "output", file, number, 32))
    draft.rows.append({})


def _transition(draft: _AutomatonDraft, line: str, file: str, number: int, budget: Budget) -> None:
    """Read a line `letters -> states` of the state declared last."""
    if not draft.rows:
        raise FormatError("a transition before the first state", file, number)
    left, _, right = line.partition("->")
    letters, targets = left.split(), right.split()
    if len(letters) != len(draft.tracks):
        raise FormatError(
            f"{plural(len(letters), 'letter')} on a transition of {plural(len(draft.tracks), 'track')}", file, number
        )
    if not targets:
        raise FormatError("the transition leads to no state", file, number)
    choices: list[range | tuple[int]] = []
    for token, track in zip(letters, draft.tracks, strict=True):
        if token == "*":
            choices.append(range(len(track.digits)))
            continue
        letter = _integer(token, "letter or *", file, number)
        if letter not in track.digits:
            alphabet = track.system or "{" + ", ".join(map(str, track.digits)) + "}"
            raise FormatError(f"{letter} is not a letter of {alphabet}", file, number)
        choices.append((track.digits.index(letter),))
    names = [_integer(token, "state number", file, number) for token in targets]
    for name in names:
        draft.mentions.setdefault(name, number)
    draft.transitions += prod(map(len, choices)) * len(names)
    if draft.transitions > budget.transitions:
        raise BudgetSpent(
            "transitions", budget.transitions,
            states=len(draft.rows), transitions=draft.transitions, during=f"the automaton of {file}, line {number}",
        )
    if draft.transitions > _MOST_TRANSITIONS:
        raise FormatError(f"more than {_MOST_TRANSITIONS} transitions, wildcards expanded", file, number)
    row = draft.rows[-1]
    for indices in polled(product(*choices), f"the automaton of {file}, line {number}"):
        code = 0
        for index, track in zip(indices, draft.tracks, strict=True):
            code = code * len(track.digits) + index
        known = row.setdefault(code, [])
        known.extend(name for name in names if name not in known)
        if len(known) > 1 and draft.ambiguous is None:
            draft.ambiguous = number


def _finished(draft: _AutomatonDraft, file: str, budget: Budget) -> Dfa:
    """Return the automaton of a complete draft, determinized if one letter leads to several states."""
    numbers = draft.numbers
    if draft.ambiguous is None:
        sole = [{code: numbers[names[0]] for code, names in row.items()} for row in draft.rows]
        return build(draft.tracks, sole, draft.outputs)
    if not set(draft.outputs) <= {0, 1}:
        raise FormatError(
            "one letter leads to several states, but the outputs are not just 0 and 1", file, draft.ambiguous
        )
    subsets: dict[tuple[int, ...], int] = {(0,): 0}
    order: list[tuple[int, ...]] = [(0,)]
    rows: list[dict[int, int]] = []
    transitions = 0
    for subset in order:
        reached: dict[int, set[int]] = {}
        for state in subset:
            for code, names in draft.rows[state].items():
                reached.setdefault(code, set()).update(numbers[name] for name in names)
        row = {}
        for code, states in reached.items():
            key = tuple(sorted(states))
            if key not in subsets:
                subsets[key] = len(order)
                order.append(key)
            row[code] = subsets[key]
        rows.append(row)
        transitions += len(row)
        check_budget(budget, 0, f"the automaton of {file}")
        for resource, limit, spent in (
            ("states", budget.states, len(order) > budget.states),
            ("transitions", budget.transitions, transitions > budget.transitions),
        ):
            if spent:
                raise BudgetSpent(
                    resource, limit, states=len(order), transitions=transitions, during=f"the automaton of {file}"
                )
    return build(draft.tracks, rows, [max(draft.outputs[state] for state in subset) for subset in order])


def automaton_text(a: Dfa) -> str:
    """Return the automaton in Walnut's format; `true` or `false` if it has no tracks."""
    return b"".join(automaton_pieces(a)).decode()


def automaton_pieces(a: Dfa) -> Iterator[bytes]:
    """Yield what `automaton_text` returns, in pieces of about a megabyte."""
    if not a.tracks:
        yield b"true\n" if a.outputs[0] else b"false\n"
        return
    header = " ".join(
        track.system or "{" + ", ".join(map(str, track.digits)) + "}" for track in a.tracks
    )
    yield "".join(f"{line}\n" for line in (header, *_identity_comments(a.tracks))).encode()
    digits = [[f"{digit} " for digit in track.digits] for track in a.tracks]
    digits[-1] = [f"{digit}-> " for digit in digits[-1]]
    yield from kernel_calls.lines(a, digits, ("\n", " ", "\n"), ("\n",))


def nondeterministic_pieces(a: Nfa) -> Iterator[bytes]:
    """Yield a nondeterministic automaton in Walnut's format: a letter may have several states after its arrow.

    The initial state is the first one, which has the transitions of all initial ones.
    """
    a = a.with_one_initial()
    header = " ".join(track.system or "{" + ", ".join(map(str, track.digits)) + "}" for track in a.tracks)
    yield "".join(f"{line}\n" for line in (header, *_identity_comments(a.tracks))).encode()
    for state, (row, accepts) in enumerate(zip(a.rows, a.accepting, strict=True)):
        lines = [f"\n{state} {int(accepts)}\n"]
        for code, targets in row:
            lines.append(f"{' '.join(map(str, a.letter(code)))} -> {' '.join(map(str, targets))}\n")
        yield "".join(lines).encode()


def _identity_comments(tracks: Sequence[Track]) -> list[str]:
    """Return a comment for each system that is not built in; Walnut skips them, `parse_automaton` checks them."""
    return sorted({f"# {track.system} has the identity {track.identity}" for track in tracks if track.identity})


def write_automaton(a: Dfa, path: str | Path) -> None:
    """Write an automaton in Walnut's format, in one step: on failure an existing file remains unchanged.

    Raises FileProblem if the file cannot be written.
    """
    write_pieces(path, automaton_pieces(a))


# -- custom bases ----------------------------------------------------------------------------

class Base(NamedTuple):
    """The automata of a base, which read the most significant digit first, over plain tracks."""

    name: str
    valid: Dfa
    adder: Dfa
    less: Dfa | None


def read_base(path: str | Path, budget: Budget = UNLIMITED) -> Base:
    """Read the base whose valid words are in this file, and the other files of the base in the same folder.

    Raises FormatError for a file that is missing, malformed, or not named msd_X.txt or lsd_X.txt.
    """
    place = Path(path)
    found = re.fullmatch(r"(msd|lsd)_(\w+)", place.stem, re.ASCII)
    if found is None or place.suffix != ".txt":
        raise FormatError(
            "a base is in a file called msd_NAME.txt or lsd_NAME.txt", str(path),
            hint="with msd_NAME_addition.txt next to it",
        )
    adder = place.with_name(f"{place.stem}_addition.txt")
    if place.is_file() or not adder.is_file():
        valid = _read(place, found[1], budget)
    else:
        tracks = _read(adder, found[1], budget).tracks[:1]
        valid = build(tracks, [{code: 0 for track in tracks for code in range(len(track.digits))}], [1])
    if len(valid.tracks) != 1:
        raise FormatError(f"the valid words of a base have one track, not {len(valid.tracks)}", str(path))
    digits = valid.tracks[0].digits
    beside = {}
    for what, count in (("addition", 3), ("less_than", 2)):
        other = place.with_name(f"{place.stem}_{what}.txt")
        if what == "less_than" and not other.is_file():
            continue
        automaton = _read(other, found[1], budget)
        if [track.digits for track in automaton.tracks] != [digits] * count:
            raise FormatError(f"the automaton needs {plural(count, 'track')} with the digits {set(digits)}", str(other))
        beside[what] = automaton
    return Base(f"msd_{found[2]}", valid, beside["addition"], beside.get("less_than"))


def base_files(base: Base) -> list[tuple[str, Dfa]]:
    """Return the automata of a base with the names of their files, without an ending.

    That of the valid words is the last, and is to be written last, since a base is found by its file.
    """
    parts = [("_addition", base.adder), ("_less_than", base.less), ("", base.valid)]
    return [
        (f"{base.name}{what}", automaton.with_tracks(
            tuple(track._replace(system="", identity="") for track in automaton.tracks)
        ))
        for what, automaton in parts if automaton is not None
    ]


def _read(path: Path, order: str, budget: Budget) -> Dfa:
    """Read one automaton over plain tracks; return it reading the most significant digit first."""

    def no_system(name: str) -> Track:
        raise FibproverError("the tracks of a base are sets of digits", hint="a header such as: {0,1} {0,1} {0,1}")

    automaton = read_automaton(path, no_system, budget=budget)
    return reversal(automaton, budget) if order == "lsd" else automaton


# -- morphisms and transducers ---------------------------------------------------------------

_HEADER = re.compile(r"\{([^{}]*)\}")
_STATE = re.compile(r"\d{1,9}", re.ASCII)
_MOVE = re.compile(r"([+-]?\d{1,9}|\*)\s*->\s*(\d{1,9})\s*/\s*([+-]?\d{1,9})", re.ASCII)
_LETTER = re.compile(r"\s*[+-]?\d{1,9}\s*", re.ASCII)


def read_morphism(path: str | Path, name: str) -> Morphism:
    """Read the morphism in a file; raise FormatError, with the line, if the file is malformed."""
    text = "\n".join("" if line.lstrip().startswith("#") else line for line in read_text(path).split("\n"))
    try:
        return parse_morphism(name, text)
    except SyntaxProblem as error:
        raise FormatError(error.message, str(path), text.count("\n", 0, error.start) + 1, hint=error.hint) from error


def morphism_text(morphism: Morphism) -> str:
    """Return the text of a morphism's file, one rule on each line."""
    return "".join(f"{rule}\n" for rule in str(morphism).split())


def read_transducer(path: str | Path, name: str) -> Transducer:
    """Read the transducer in a file; the first state declared is initial.  Raises FormatError for a malformed file."""
    file = str(path)
    numbers: dict[int, int] = {}
    moves: list[dict[int, tuple[int, int]]] = []
    mentions: dict[int, int] = {}
    letters: frozenset[int] | None = None
    for number, raw in enumerate(read_text(path).split("\n"), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if letters is None:
            letters = _letters(line, file, number)
        elif (move := _MOVE.fullmatch(line)) is not None:
            target, written = int(move[2]), int(move[3])
            if not moves:
                raise FormatError("a move before the first state", file, number)
            for letter in sorted(letters) if move[1] == "*" else [int(move[1])]:
                if letter not in letters:
                    raise FormatError(f"{letter} is not among the letters {set(letters)}", file, number)
                if letter in moves[-1]:
                    raise FormatError(f"two moves on the letter {letter}", file, number)
                moves[-1][letter] = (target, written)
            mentions.setdefault(target, number)
        elif _STATE.fullmatch(line):
            if int(line) in numbers:
                raise FormatError(f"state {line} is declared twice", file, number)
            numbers[int(line)] = len(moves)
            moves.append({})
        else:
            raise FormatError(f"{line[:40]!r} is neither a state nor a move", file, number, hint="such as 0 -> 1 / 0")
    for target, number in mentions.items():
        if target not in numbers:
            raise FormatError(f"state {target} is not declared", file, number)
    if not moves:
        raise FormatError("the file declares no state", file)
    named = [{letter: (numbers[target], written) for letter, (target, written) in row.items()} for row in moves]
    return Transducer(name, tuple(named))


def transducer_text(transducer: Transducer) -> str:
    """Return the text of a transducer's file, with the states in order."""
    letters = sorted({letter for row in transducer.moves for letter in row})
    lines = ["{" + ", ".join(map(str, letters)) + "}"]
    for state, row in enumerate(transducer.moves):
        lines += ["", str(state), *(f"{letter} -> {target} / {written}" for letter, (target, written) in row.items())]
    return "\n".join(lines) + "\n"


def _letters(line: str, file: str, number: int) -> frozenset[int]:
    found = _HEADER.fullmatch(line)
    parts = found[1].split(",") if found else []
    if not parts or not all(_LETTER.fullmatch(part) for part in parts):
        raise FormatError("the letters it reads are expected", file, number, hint="a line such as {0, 1}")
    return frozenset(map(int, parts))
