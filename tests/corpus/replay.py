"""Replays the peer's own test cases: command in, language out, compared with the expected language.

The cases lie beside the checkout (`../shared/corpus`) and are described in the README there.  What
runs here are the plain commands over Fibonacci, base k and sets of letters; the rest is counted by
what it waits for.  State numbers and wording are the peer's own business and never compared.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any, Protocol

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import FibproverError
from fibprover.numeration.system import NumerationSystem
from fibprover.sequences.series import Series
from tests.corpus.differences import DIFFERENCES, SHARED
from tests.corpus.matrices import counts_differ, read_maple
from tests.oracle.automata import (
    Symbol,
    Table,
    acceptance,
    constant,
    difference,
    letter,
    nonempty,
    power,
    read_table,
    table_of,
)

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"
_AVAILABLE = re.compile(r"(msd|lsd)_(neg_)?(fib|\d+)|set")
#: What the corpus counts as more than a plain case, and the prover has nevertheless.
_HAD = frozenset(
    {
        "negative_base", "multi_numsys", "unary_minus", "word_arithmetic", "word_order", "word_predicate_index",
        "macro", "reverse_op", "matrices", "text_output", "inf_quantifier", "metacommand",
    }
)

@dataclass(frozen=True)
class Case:
    """One command of the corpus; the fields that matter here, as its README names them."""

    id: int
    role: str
    kind: str
    command: str
    expect: str
    truth: bool | None
    automaton_file: str | None
    tracks: tuple[str, ...] | None
    setup: tuple[int, ...]
    library: tuple[str, ...]
    numsys: tuple[str, ...]
    beyond: tuple[str, ...]
    result_library: str | None
    matrix_files: tuple[str, ...]
    details_file: str | None
    repr_file: str | None

    @property
    def is_word(self) -> bool:
        """Whether the automaton is that of a word, whose outputs are letters."""
        asked = self.kind in ("describe", "export") and "$" not in self.command
        return asked or self.result_library == "Word Automata Library"

    @property
    def waits_for(self) -> str:
        """What the prover does not have yet for this case; empty where it should pass."""
        systems = [name for name in self.numsys if not _AVAILABLE.fullmatch(name)]
        if systems:
            return "system " + ", ".join(sorted({_family(name) for name in systems}))
        return ", ".join(part for part in self.beyond if part not in _HAD and ":" not in part)


def _family(system: str) -> str:
    """msd_neg_2 and lsd_7 stand for many of their sort."""
    return re.sub(r"\d+$", "k", system)


@dataclass(frozen=True)
class Outcome:
    """How a case went; problem is empty where it passed."""

    case: Case
    problem: str


#: What may come of a command; counts with the automaton of the relation that is counted.
Made = Dfa | tuple[Series, Dfa] | NumerationSystem | bool | None


class Runner(Protocol):
    """What a replay asks of a prover."""

    def load(self, path: Path, name: str = "") -> None:
        """Makes a file of the library known under its stem, or an automaton as a predicate of this name."""

    def command(self, text: str, *, shared: bool = False) -> Made:
        """Runs one command: its automaton, its truth value if closed, None if it only defines.

        shared: whether digits are shared between systems (`fibprover.prover.lower`).
        """


class Corpus:
    """All cases, and the running of one after its set-up commands."""

    def __init__(self, folder: Path, runner: Callable[[], Runner]) -> None:
        self.folder = folder
        self._new_runner = runner
        self._outcomes: dict[int, Outcome] = {}
        self._done: dict[int, str] = {}
        self._loaded: set[str] = set()

    @cached_property
    def cases(self) -> dict[int, Case]:
        """Every command of the corpus by its id, in order of execution."""
        lines = (self.folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()
        return {case.id: case for case in map(_case, map(json.loads, lines))}

    @property
    def commands(self) -> list[Case]:
        """The cases proper, without what only sets them up."""
        return [case for case in self.cases.values() if case.role in ("case", "unit")]

    @property
    def claimed(self) -> list[Case]:
        """The cases that have to pass."""
        return [case for case in self.commands if not case.waits_for and case.id not in DIFFERENCES]

    @property
    def plain(self) -> list[Case]:
        """Those among them that need nothing beyond plain commands."""
        return [case for case in self.claimed if not case.beyond]

    @cached_property
    def _runner(self) -> Runner:
        return self._new_runner()

    def outcome(self, case: Case) -> Outcome:
        """The case's outcome; it is run once."""
        if case.id not in self._outcomes:
            self._outcomes[case.id] = Outcome(case, self._problem(case))
        return self._outcomes[case.id]

    def _problem(self, case: Case) -> str:
        for number in case.setup:
            if number not in self._done:
                self._done[number] = self._set_up(self.cases[number])
            if self._done[number]:
                return f"set-up {number}: {self._done[number]}"
        return self._attempt(case)

    def _set_up(self, case: Case) -> str:
        """Runs a command that others need; where the two differ, these get what the peer has."""
        problem = self._attempt(case)
        if case.id in DIFFERENCES and case.automaton_file:
            self._runner.load(self.folder / case.automaton_file, f"test{case.id}")
            return ""
        return problem

    def _attempt(self, case: Case) -> str:
        """Runs one command; the problem, or nothing."""
        self._load(case)
        try:
            result = self._runner.command(case.command, shared=case.id in SHARED)
        except FibproverError as error:
            return "" if case.expect == "error" else f"error: {error}"
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        if case.expect == "error":
            return "no error, though the command is none"
        return self._compare(case, result) if case.automaton_file else ""

    def _load(self, case: Case) -> None:
        for name in case.library:
            if name not in self._loaded:
                self._runner.load(self.folder / "library" / name)
                self._loaded.add(name)

    def _compare(self, case: Case, result: Made) -> str:
        """Where the result differs from the expected file, in words."""
        assert case.automaton_file is not None, case
        expected = read_table(self.folder / case.automaton_file)
        if case.truth is not None and expected is not case.truth:
            return f"the corpus contradicts itself: {case.truth}, {case.automaton_file}"
        if isinstance(result, tuple):
            return self._compare_counts(case, result[0]) or self._compare(case, result[1])
        if isinstance(result, NumerationSystem):
            return self._compare_system(case, result)
        if isinstance(result, bool) or result is None:
            return "" if result is expected else f"{result} came, not {'a relation' if case.tracks else expected}"
        if isinstance(expected, bool):
            # An open formula of which one closed side decides: the peer then forgets the variables.
            expected = constant(table_of(result).systems, expected)
        elif case.tracks is not None and result.names != case.tracks:
            return f"the tracks are {result.names}, not {case.tracks}"
        found = table_of(result)
        if case.kind == "describe" and (problem := self._compare_sizes(case, found)):
            return problem
        if found.systems != expected.systems or found.alphabets != expected.alphabets:
            return f"the tracks are over {found.systems}, not {expected.systems}"
        if not case.is_word:
            word = difference(found, expected, acceptance)
        else:
            # What a machine says of digits that are no number is nobody's business.
            numbers = constant(found.systems, True) if all(found.systems) else None
            word = difference(found, expected, letter, numbers)
        return "" if word is None else f"the {'letters' if case.is_word else 'languages'} differ on {word}"

    def _compare_sizes(self, case: Case, found: Table) -> str:
        """Where sizes differ from those of the expected description."""
        lines = (self.folder / str(case.details_file)).read_text(encoding="utf-8").splitlines()
        said = dict(line.split(":", 1) for line in lines if ":" in line)
        sizes = {
            "State count": len(found.rows),
            "Transition count": sum(map(len, found.rows)),
            "Alphabet size": prod(map(len, found.alphabets)),
        }
        wrong = {what: size for what, size in sizes.items() if int(said[what]) != size}
        return "; ".join(f"{what} is {size}, not {said[what]}" for what, size in wrong.items())

    def _compare_counts(self, case: Case, found: Series) -> str:
        """Where the numbers that a linear representation counts differ from those of the expected matrices."""
        (maple,) = (name for name in case.matrix_files if name.endswith(".mpl"))
        word = counts_differ(found, read_maple(self.folder / maple, found.variables))
        return "" if word is None else f"the counts differ on {word}"

    def _compare_system(self, case: Case, system: NumerationSystem) -> str:
        """Where the valid words or the sums of a system differ from those of the expected files."""
        valid = read_table(self.folder / str(case.repr_file))
        adder = read_table(self.folder / str(case.automaton_file))
        assert isinstance(valid, Table)
        assert isinstance(adder, Table)
        # Whether 0 may also be written as no digits at all is not asked.
        word = difference(table_of(system.valid), valid, within=nonempty(valid.alphabets))
        if word is None:
            # The peer's adder is that of all words, and meant for valid ones.
            sums = table_of(system.linear((1, 1, -1), "=", 0))
            word = difference(sums, adder, within=power(table_of(system.valid), 3))
        return "" if word is None else f"{case.repr_file}: the systems differ on {word}"

    def mismatch(self, one: Case, other: Case) -> list[Symbol] | None:
        """A word on which the expected languages of two cases over the same tracks differ."""
        first, second = (read_table(self.folder / str(case.automaton_file)) for case in (one, other))
        assert isinstance(first, Table)
        assert isinstance(second, Table)
        return difference(first, second)

    def without_shared(self, case: Case) -> None:
        """Runs a case without sharing digits; raises what comes of it."""
        self._load(case)
        self._runner.command(case.command)

    def difference(self, case: Case) -> str:
        """What happens in a case that differs deliberately; empty if it does not differ after all.

        The commands that give the peer's reading, where there are any, have to give the expected automaton.
        """
        meant = DIFFERENCES[case.id]
        problem = self.outcome(case).problem
        if not problem or not meant.instead:
            return problem
        result: Made = None
        for command in meant.instead:
            result = self._runner.command(command)
        assert isinstance(result, Dfa)
        expected = read_table(self.folder / str(case.automaton_file))
        assert isinstance(expected, Table)
        word = difference(table_of(result), expected)
        assert word is None, f"{case.id}: {meant.instead} differs from the peer on {word}"
        return problem

    def statuses(self) -> list[dict[str, Any]]:
        """One object a case: passed, different with the reason, or failed with the problem."""
        listed = []
        for case in self.commands:
            entry: dict[str, Any] = {"id": case.id, "command": case.command.strip()}
            if case.id in DIFFERENCES:
                meant = DIFFERENCES[case.id]
                happens = self.difference(case)
                entry |= {"status": "different", "reason": meant.reason, "instead": list(meant.instead)}
                if not happens:
                    entry |= {"status": "failed", "problem": "it is to differ, and does not"}
            else:
                problem = case.waits_for or self.outcome(case).problem
                entry |= {"status": "failed", "problem": problem} if problem else {"status": "passed"}
                entry |= {"with": "shared digits"} if case.id in SHARED else {}
            listed.append(entry)
        return listed

    def report(self) -> str:
        """How many cases passed, differ and failed, and which."""
        statuses = self.statuses()
        counts = Counter(entry["status"] for entry in statuses)
        lines = [f"corpus: {len(statuses)} cases: " + ", ".join(f"{n} {status}" for status, n in counts.most_common())]
        for entry in statuses:
            if entry["status"] != "passed":
                why = entry.get("problem", entry.get("reason"))
                lines.append(f"  {entry['status']} {entry['id']} {entry['command']}\n      {why}")
        return "\n".join(lines)


def _case(record: dict[str, Any]) -> Case:
    values: dict[str, Any] = {}
    for name in Case.__dataclass_fields__:
        value = record[name]
        values[name] = tuple(value) if isinstance(value, list) else value
    return Case(**values)
