"""Small changes of the program, one at a time: the tests should notice each.  The program of `make mutants`.

    python -m tests.mutants fibprover/prover --tests tests/plan tests/verdict --count 40 --seed 1

draws 40 changes of the modules in these folders (a comparison, `and` for `or`, `+` for `-`, a constant, `not`, a
statement left out, two arguments exchanged), and runs the tests against each, in copies of the checkout.  A change that
no test notices survives, and is printed with its place.  It is either another way to do the same, or a test is missing.
The same seed draws the same changes, as long as the modules are the same.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from queue import SimpleQueue
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

#: What the tests need of a checkout.
COPIED = ("fibprover", "fibprover_ext", "tests", "proofs", "benchmarks", "docs", "pyproject.toml", "README.md")

#: What the tests of a change may take of memory, in bytes: a change may make automata that have no end.
MEMORY = 4 << 30

_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutation:
    """A change of one file: these bytes of it become others."""

    file: Path  # below the root of a checkout
    line: int
    begin: int
    end: int
    new: str
    kind: str

    def applied(self, source: bytes) -> bytes:
        """Return the changed source."""
        return source[: self.begin] + self.new.encode() + source[self.end :]


# -- what can be changed ---------------------------------------------------------------------------------


def mutations(file: Path, source: str) -> list[Mutation]:
    """Return all changes of the functions in a module, in the order of their places."""
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node in _inside_functions(ast.parse(source)):
        for kind, new in _changes(node):
            place = node.test if kind == "condition negated" and isinstance(node, ast.If | ast.While) else node
            assert isinstance(place, ast.expr | ast.stmt)
            assert place.end_lineno is not None and place.end_col_offset is not None
            begin = starts[place.lineno - 1] + place.col_offset
            end = starts[place.end_lineno - 1] + place.end_col_offset
            found.append(Mutation(file, place.lineno, begin, end, new, kind))
    return sorted(found, key=lambda one: (one.begin, one.end, one.kind, one.new))


def _inside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes in bodies of functions, except where a change would be one of types or wording alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and not _is_overload(node):
            for statement in node.body:
                yield from _parts(statement)


def _is_overload(node: ast.FunctionDef) -> bool:
    """Return whether a function says types only."""
    return any(isinstance(each, ast.Name) and each.id == "overload" for each in node.decorator_list)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and those below it, except annotations, tests of types, texts with values, messages of errors."""
    if isinstance(node, ast.JoinedStr | ast.FunctionDef | ast.ClassDef):
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "cast"):
        return
    yield node
    hidden = {id(node.annotation)} if isinstance(node, ast.AnnAssign) else set()
    for child in () if isinstance(node, ast.Raise) else ast.iter_child_nodes(node):
        if id(child) not in hidden:
            yield from _parts(child)


def _changes(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the changes of a node itself: what kind each is, and the new text."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            yield "comparison", _text(ast.Compare(left, [_swapped(op)], [right]))
        case ast.BoolOp(op=op, values=values):
            yield "and/or", _text(ast.BoolOp(_swapped(op), values))
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.BitAnd() | ast.BitOr() as op, right=right):
            yield "operator", _text(ast.BinOp(left, _swapped(op), right))
        case ast.Constant(value=bool() as value):
            yield "constant", str(not value)
        case ast.Constant(value=int() as value):
            yield "constant", str(value + 1)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not left out", _text(operand)
        case ast.Call(func=func, args=[first, second, *others], keywords=keywords) if _can_be_exchanged(first, second):
            yield "arguments exchanged", _text(ast.Call(func, [second, first, *others], keywords))
        case ast.If(test=test) | ast.While(test=test) if not isinstance(test, ast.Compare | ast.UnaryOp | ast.Constant):
            yield "condition negated", f"(not {_text(test)})"
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            yield "statement left out", "pass"


def _can_be_exchanged(first: ast.expr, second: ast.expr) -> bool:
    """Return whether two arguments are others the other way around."""
    return not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred) and _text(first) != _text(second)


def _swapped(op: ast.AST) -> Any:
    """Return the operator that takes the place of another one."""
    return _SWAPPED[type(op)]()


def _text(node: ast.expr) -> str:
    """Return an expression as text that can stand wherever an expression can."""
    return f"({ast.unparse(node)})"


def chosen(paths: Sequence[str], count: int, seed: int) -> list[Mutation]:
    """Draw so many changes of the modules in these folders, or of these files; of each kind as many, if there are."""
    files: list[Path] = []
    for path in paths:
        here = sorted((ROOT / path).rglob("*.py")) if (ROOT / path).is_dir() else [ROOT / path]
        files += [file.relative_to(ROOT) for file in here]
    if not files:
        raise SystemExit(f"there are no modules in {' '.join(paths)}")
    kinds: dict[str, list[Mutation]] = {}
    for file in files:
        for one in mutations(file, (ROOT / file).read_text(encoding="utf-8")):
            kinds.setdefault(one.kind, []).append(one)
    chance = random.Random(seed)
    shuffled = [chance.sample(kinds[kind], len(kinds[kind])) for kind in sorted(kinds)]
    return [one for row in zip_longest(*shuffled) for one in row if one is not None][:count]


# -- what the tests say ----------------------------------------------------------------------------------


class Copy:
    """A copy of the checkout, in which one change at a time is made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.writes = 0
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, folder / name)

    def verdict(self, mutation: Mutation | None, tests: Sequence[str], seconds: float) -> str:
        """Return "survived", "killed" or "too slow": what the tests make of a change, or of none."""
        if mutation is None:
            return self._tested(tests, seconds)
        file = self.folder / mutation.file
        source = file.read_bytes()
        try:
            self._write(file, mutation.applied(source))
            return self._tested(tests, seconds)
        finally:
            self._write(file, source)

    def _write(self, file: Path, source: bytes) -> None:
        """Write a file with a time of its own, as Python compiles a file anew if its time or size has changed."""
        file.write_bytes(source)
        self.writes += 1
        os.utime(file, (self.writes, self.writes))

    def _tested(self, tests: Sequence[str], seconds: float) -> str:
        """Run the tests until one fails."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not long", *tests]
        limited = ["sh", "-c", f'ulimit -v {MEMORY >> 10}; exec "$@"', "sh", *command]
        environment = os.environ | {
            "PYTHONPATH": str(self.folder), "PYTHONPYCACHEPREFIX": str(self.folder / "pycache"),
            "PYTHONDONTWRITEBYTECODE": "",
        }
        with subprocess.Popen(
            limited, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, start_new_session=True,
        ) as process:
            try:
                said, _ = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return "too slow"
        if process.returncode in (4, 5):
            raise SystemExit(f"these tests cannot be run:\n{said}")
        return "killed" if process.returncode else "survived"


class Trial:
    """Tries changes in as many copies as there are jobs, until the time is over."""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        self.tests: list[str] = options.tests
        self.each: float = options.each
        self.end = time.monotonic() + options.seconds
        self.copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(options.jobs):
            self.copies.put(Copy(folder / str(number)))

    def __call__(self, mutation: Mutation | None) -> str:
        """Return what the tests make of a change, or "not tried"."""
        copy = self.copies.get()
        try:
            return copy.verdict(mutation, self.tests, self.each) if time.monotonic() < self.end else "not tried"
        finally:
            self.copies.put(copy)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the changes, run the tests against each, and print what survives."""
    parser = argparse.ArgumentParser(description="changes of the program that no test notices")
    parser.add_argument("paths", nargs="+", help="folders or files of modules to change")
    parser.add_argument("--tests", nargs="+", required=True, help="what pytest runs, the quickest first")
    parser.add_argument("--count", type=int, default=40, help="how many changes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=float, default=150, help="seconds for the tests of one change")
    parser.add_argument("--seconds", type=float, default=900, help="no change is tried after so many seconds")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    drawn = chosen(options.paths, options.count, options.seed)
    verdicts = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        trial = Trial(Path(folder), options)
        if (verdict := trial(None)) != "survived":
            raise SystemExit(f"without any change: {verdict}")
        for mutation, verdict in zip(drawn, pool.map(trial, drawn), strict=True):
            verdicts.append(verdict)
            print(told(mutation, verdict), flush=True)
    counted = ", ".join(f"{verdicts.count(name)} {name}" for name in ("killed", "too slow", "survived", "not tried"))
    print(f"{len(drawn)} changes, seed {options.seed}: {counted}")
    return 0


def told(mutation: Mutation, verdict: str) -> str:
    """Return a change as lines: its place and kind, and, unless it was killed, the line before and after."""
    first = f"{verdict}: {mutation.file}:{mutation.line}: {mutation.kind}"
    if verdict != "survived":
        return first
    source = (ROOT / mutation.file).read_bytes()
    texts = (source.decode(), mutation.applied(source).decode())
    before, after = (text.splitlines()[mutation.line - 1].strip() for text in texts)
    return f"{first}\n    - {before}\n    + {after}"


if __name__ == "__main__":
    sys.exit(main())
