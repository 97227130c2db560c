"""The scripts that are measured: the paper's commands in groups, and m-Wythoff.

A group is a script that can be run by itself: its commands and all definitions that these call, as
printed in proofs/paper_commands.txt.  What the paper only describes is added as the text has it:
the set of K^4 with its two tests, and the redundancy of moves in K^1, K^3 and K^4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from runpy import run_path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PROOFS = ROOT / "proofs"
WORDS = PROOFS / "words.json"

#: The games m-Wythoff that are measured.
WYTHOFF = (2, 3, 4, 5, 8, 10, 20)

_CALL = re.compile(r"\$(\w+)\(")
_WORD = re.compile(r"\b(\w+)\[")


@dataclass(frozen=True, slots=True)
class Group:
    """A script.

    name: what --only calls it; title: what tables call it; commands: in order; expected: the verdicts
    of the `eval` commands, in order.
    """

    name: str
    title: str
    commands: tuple[str, ...]
    expected: tuple[bool, ...]

    @property
    def script(self) -> str:
        """Return the commands, one on a line."""
        return "\n".join(self.commands) + "\n"

    @property
    def words(self) -> tuple[str, ...]:
        """The automatic words that occur."""
        found = (match[1] for command in self.commands if _is(command, "def", "eval")
                 for match in _WORD.finditer(command))
        return tuple(dict.fromkeys(found))


def _is(command: str, *kinds: str) -> bool:
    return command.split(maxsplit=1)[0] in kinds


def _name(command: str) -> str:
    return command.split(maxsplit=2)[1]


# -- the paper ---------------------------------------------------------------------------------------


@cache
def sections() -> dict[str, tuple[str, ...]]:
    """Return the commands under each heading of the paper; added ones are under the last heading of their game."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in (PROOFS / "paper_commands.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# -- "):
            heading = line.removeprefix("# -- ")
        elif line and not line.startswith("#"):
            found.setdefault(heading, []).append(line)
    printed = {_name(line): line for lines in found.values() for line in lines}
    tests = [printed[name].replace("K3", "K4").replace("p+q>3", "p+q>4") for name in ("stableK3", "absorbingK3")]
    found["Even further"] += [printed["pposK3"].replace("K3", "K4"), *tests]
    redundant = "No redundant moves in K^\\ell, \\ell\\le 4"
    found[redundant] += [line.replace("K2", f"K{level}") for level in (1, 3, 4) for line in found[redundant]]
    return {heading: tuple(lines) for heading, lines in found.items()}


def _under(*headings: str) -> list[str]:
    """Return the commands of the sections whose headings begin with one of these."""
    return [line for key, lines in sections().items() if key.startswith(headings) for line in lines]


def _blocking(game: str, evals: Sequence[str]) -> list[str]:
    return [line for line in _under("Blocking") if game in line and (_is(line, "def") or _name(line) in evals)]


#: The groups of the paper: name, title, and the commands they are about.
_PAPER: tuple[tuple[str, str, Callable[[], list[str]]], ...] = (
    ("K", "K^1 to K^4: definitions, stable, absorbing", lambda: _under("A first", "An automatic", "The K", "Even")),
    ("sequences", "sequences and words", lambda: _under("A recursive", "A morphic")),
    ("nr", "redundant moves of K^1 to K^4", lambda: _under("No redundant moves in K")),
    ("W2", "W^2: stable, absorbing", lambda: _blocking("W2", ("stable", "absorbing"))),
    ("W3", "W^3: stable, absorbing", lambda: _blocking("W3", ("stableW3", "absorbW3"))),
    ("W2-redundant", "redundant moves of W^2", lambda: _under("No redundant moves in W")),
    ("W3-redundant", "redundant moves of W^3", lambda: _under("Appendix")),
    ("all", "all of them", lambda: _under("")),
)


def paper_groups() -> list[Group]:
    """Return the seven groups of the paper's commands, and all in one.  Every printed verdict is TRUE."""
    everything = _under("")
    made = []
    for name, title, chosen in _PAPER:
        commands = _with_definitions(chosen(), everything)
        made.append(Group(name, title, commands, tuple(True for command in commands if _is(command, "eval"))))
    return made


def _with_definitions(commands: Iterable[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return the commands with all that they call, in the order of `known`."""
    definitions = {_name(command): command for command in known if not _is(command, "eval")}
    wanted = set(commands)
    todo = list(wanted)
    while todo:
        for name in _CALL.findall(todo.pop()):
            if definitions[name] not in wanted:
                wanted.add(definitions[name])
                todo.append(definitions[name])
    return tuple(command for command in known if command in wanted)


# -- m-Wythoff ---------------------------------------------------------------------------------------


@cache
def _m_wythoff() -> dict[str, Any]:
    return run_path(str(PROOFS / "m_wythoff.py"))


def wythoff_group(m: int) -> Group:
    """Fraenkel's theorem and the conjecture on redundant moves for one m, as in proofs/m_wythoff.py."""
    script = _m_wythoff()
    formulas = {"stable": script["STABLE"], "absorbing": script["ABSORBING"], "conjecture": script["redundant"](m)}
    commands = [line for line in script["definitions"](m).splitlines() if line]
    commands += [f'eval {name} "?msd_wythoff_{m} {formula}":' for name, formula in formulas.items()]
    return Group(f"wythoff-{m}", f"m-Wythoff, m = {m}", tuple(commands), (True, True, True))
