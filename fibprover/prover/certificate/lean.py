"""The theorem of a certificate for Lean 4 with Mathlib: its statement and what its names mean, without a proof.

Begin with `lean_file`.  Numbers of all systems are natural numbers there, integers of negative bases are integers.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fibprover.base.errors import FibproverError
from fibprover.base.files import read_bytes
from fibprover.checker import fibcheck
from fibprover.language.printer import PROSE_OF_NAMES, lean_name
from fibprover.language.tree import Formula, InSystem, Node, map_children
from fibprover.prover.certificate.checking import MOST_BYTES
from fibprover.prover.certificate.lean_definitions import comment, declared
from fibprover.prover.certificate.lean_names import Determined, LeanNames, conjuncts
from fibprover.prover.certificate.statements import TRUE

_UNFIT = re.compile(r"\W+", re.ASCII)


@dataclass(frozen=True, slots=True)
class LeanFile:
    """A theorem for Lean: its name, the text of the file, and the names that are automata there, without a meaning."""

    name: str
    text: str
    undefined: tuple[str, ...]


def lean_file(file: str | Path, seconds: float = 3600.0, memory: int = fibcheck.MOST_MEMORY) -> LeanFile:
    """Check a certificate, and return its theorem for Lean, which has the name of the file.

    Raises what `fibcheck.check` raises if it is not valid, FibproverError for what is not written.
    """
    checker = fibcheck.check(str(file), seconds=seconds, memory=memory)
    if checker.family:
        raise FibproverError(
            "a statement about all slopes, or all sequences of choices, is not written for Lean",
            hint="fibprover check --explain says what the certificate proves",
        )
    budget = fibcheck.Budget(seconds, 1 << 32, memory)
    lines = (fibcheck.value_of(each, budget) for each in fibcheck.lines_of(str(file), budget, 1 << 30))
    base = Path(file).name
    name = theorem_name(base)
    names = LeanNames(checker, lines)
    theorems = list(_theorems(names, name))
    named = "every name of the statement is defined by what it means"
    if names.undefined:
        named = f"without a meaning, and given as automata: {', '.join(names.undefined)}"
    digest = hashlib.sha256(read_bytes(str(file), MOST_BYTES)).hexdigest()
    header = _HEADER.format(certificate=fibcheck.shown(base), digest=digest, claims=f"{len(checker.claims):,}",
                            named=named)
    space = lean_name(name)
    text = "\n".join([header, f"namespace {space}\n", *names.blocks, *theorems, f"end {space}\n"])
    return LeanFile(name, text, tuple(names.undefined))


def theorem_name(base: str) -> str:
    """Return the name of the theorem of a file."""
    plain = _UNFIT.sub("_", base.removesuffix(".gz").removesuffix(".jsonl")).strip("_") or "statement"
    return f"t_{plain}" if plain[0].isdigit() else plain


_HEADER = """\
/-
A theorem that fibprover has decided, stated for Lean 4 with Mathlib.

From the certificate {certificate}, {claims} claims, which the checker fibcheck.py accepts; SHA-256
{digest}.
Names: {named}.
Proof: none here.  `sorry` stands where it would be: who wants one has to supply it, by hand or by a checker of such
certificates that is written in Lean (docs/lean.md of fibprover).
Lean has not read this file: it was written, and compared with the certificate, by other programs.
-/
import Mathlib
"""


def _theorems(names: LeanNames, name: str) -> Iterator[str]:
    """Yield the statement, unless it only repeats recursions, and that each recursion has one solution.

    Of sequences that count it is this one.  Where these are all that there is, it is that they count finitely many.
    """
    assert names.checker.statement is not None
    if names.checker.finite():
        for sequence in names.checker.counts:
            yield _theorem(names.new(name, f"{name}_{sequence}"), *names.finite(sequence))
        for equations in names.require_all():
            yield from _solution(names, equations, names.new(f"{equations.name}_solution"))
        return
    name = names.new(name, f"{name}_theorem")
    statement, _ = names.tree(names.read(names.checker.statement[1]))
    needs = names.require(statement)
    determined = names.require_all()
    repeated = {equation for recursion in names.recursions for one in recursion
                if one["name"] in needs for equation in [names.equation(one)]}
    alone = bool(determined) and all(part == TRUE or part in repeated for part in conjuncts(statement))
    if not alone:
        yield _theorem(name, names.hypotheses(needs), names.text(statement), statement)
    for equations in determined:
        own = name if alone and equations == determined[-1] else names.new(f"{equations.name}_solution")
        yield from _solution(names, equations, own)


def _solution(names: LeanNames, equations: Determined, name: str) -> Iterator[str]:
    """Yield that equations have one solution, and that a sequence that counts is it, where one is."""
    yield _theorem(name, names.hypotheses(equations.needs), _one_solution(names, equations))
    if counts := names.counted.get(equations.name):
        yield _theorem(names.new(f"{equations.name}_count"), names.hypotheses(equations.needs),
                       names.holds(equations, counts))


def _one_solution(names: LeanNames, equations: Determined) -> str:
    """Return that equations have one solution: several together as a tuple."""
    types, solved = equations.types, list(equations.solved)
    bound = solved[0]
    if len(types) > 1:
        bound = names.new("p")
        last = len(types) - 1
        solved = [f"{bound}{'.2' * place}{'.1' if place < last else ''}" for place in range(len(types))]
    kind = " × ".join(f"({each})" for each in types) if len(types) > 1 else types[0]
    return f"∃! {bound} : {kind}, {names.holds(equations, solved)}"


def _theorem(name: str, hypotheses: str, statement: str, tree: Formula | None = None) -> str:
    """Return a theorem without a proof."""
    said = comment(PROSE_OF_NAMES.text(_without_systems(tree))) if tree is not None else ""
    return said + declared(f"theorem {name}{hypotheses} :", f"{statement} := by", 4) + "  sorry\n"


def _without_systems(node: Node) -> Node:
    """Return a formula whose quantifiers stand in no system: in words it need not say again which are integers."""
    bare = map_children(node, _without_systems)
    return bare.body if isinstance(bare, InSystem) else bare
