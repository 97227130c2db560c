"""Walnut's files of morphisms and of transducers.

    0 -> 01 , 1 -> 10       a morphism: rules as in the command

    {0, 1}                  a transducer: the letters it reads
    0                       a state
    0 -> 1 / 0              a letter (`*`: any), the next state, the letter it writes
"""

from __future__ import annotations

import re
from pathlib import Path

from fibprover.errors import FormatError, SyntaxProblem
from fibprover.words.rules import Morphism, Transducer, parse_morphism

_HEADER = re.compile(r"\{([^{}]*)\}")
_STATE = re.compile(r"\d{1,9}", re.ASCII)
_MOVE = re.compile(r"([+-]?\d{1,9}|\*)\s*->\s*(\d{1,9})\s*/\s*([+-]?\d{1,9})", re.ASCII)
_LETTER = re.compile(r"\s*[+-]?\d{1,9}\s*", re.ASCII)


def read_morphism(path: str | Path, name: str) -> Morphism:
    """The morphism in a file; FormatError with the line where it is none."""
    text = "\n".join("" if line.lstrip().startswith("#") else line for line in _text(path).split("\n"))
    try:
        return parse_morphism(name, text)
    except SyntaxProblem as error:
        raise FormatError(error.message, str(path), text.count("\n", 0, error.start) + 1, hint=error.hint) from error


def morphism_text(morphism: Morphism) -> str:
    """The morphism as a file holds it, a rule a line."""
    return "".join(f"{rule}\n" for rule in str(morphism).split())


def read_transducer(path: str | Path, name: str) -> Transducer:
    """The transducer in a file; the state that is declared first is initial.  FormatError where it is none."""
    file = str(path)
    numbers: dict[int, int] = {}
    moves: list[dict[int, tuple[int, int]]] = []
    mentions: dict[int, int] = {}
    letters: frozenset[int] | None = None
    for number, raw in enumerate(_text(path).split("\n"), 1):
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
    """The transducer as a file holds it, its states in order."""
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


def _text(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"is not UTF-8 text: {error.reason} at byte {error.start}", str(path)) from error
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise FormatError(f"cannot be read: {reason}", str(path)) from error
