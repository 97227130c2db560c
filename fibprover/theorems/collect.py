"""Collect the chapters of scripts: find the scripts and import each of them separately."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from fibprover.errors import FibproverError, FileProblem
from fibprover.theorems.chapter import COLLECTED, Chapter, SourceLine, claim_of
from fibprover.theorems.contents import contents


@dataclass(frozen=True, slots=True)
class Problem:
    """An error outside a theorem: its place, its message, and whether it is a spent budget."""

    place: str
    message: str
    spent: bool = False


@dataclass(frozen=True, slots=True)
class CollectedScripts:
    """The chapters of all scripts, in order, and the scripts that could not be imported."""

    chapters: tuple[Chapter, ...]
    problems: tuple[Problem, ...]


def scripts(paths: Iterable[str | Path]) -> list[Path]:
    """Return the scripts that paths name: a file itself, and every *.py below a folder.

    Files and folders below a folder are left out if their names begin with `_` or `.`.  The scripts of a folder come in
    the order of its contents, else sorted, without repetition.  FileProblem for a path that does not exist.
    """
    found: dict[Path, Path] = {}
    for given in map(Path, paths):
        if given.is_dir():
            listed = contents(given)
            for file in sorted(given.rglob("*.py"), key=lambda file: (listed.place(file) if listed else (0, 0), file)):
                if not any(part.startswith(("_", ".")) for part in file.relative_to(given).parts):
                    found.setdefault(file.resolve(), file)
        elif given.is_file():
            found.setdefault(given.resolve(), given)
        else:
            raise FileProblem(
                f"there is no file or folder {given}", hint="name a script of theorems, or a folder of such scripts"
            )
    return list(found.values())


def collect(files: Iterable[Path]) -> CollectedScripts:
    """Import scripts and return the chapters they made; a script that fails becomes a problem."""
    chapters: list[Chapter] = []
    problems: list[Problem] = []
    declared: dict[str, SourceLine] = {}
    for number, file in enumerate(files):
        made: list[Chapter] = []
        announced = COLLECTED.set(made)
        try:
            _imported(file, f"_fibprover_script_{number}_{file.stem}")
        except (Exception, SystemExit) as error:
            problems.append(_script_problem(file, error))
            continue
        finally:
            COLLECTED.reset(announced)
        for chapter in made:
            chapter.close()
            repeated = _repeated(chapter, declared)
            if repeated:
                problems += repeated
                continue
            chapters.append(chapter)
            declared |= {claim.id: claim.place for claim in map(claim_of, chapter.declarations) if claim is not None}
    return CollectedScripts(tuple(chapters), tuple(problems))


def _repeated(chapter: Chapter, declared: dict[str, SourceLine]) -> list[Problem]:
    """Return a problem for each id that an earlier chapter has; such a chapter is not run, since results go by id."""
    return [
        Problem(
            shown(claim.place),
            f"the id {claim.id} is already declared at {shown(declared[claim.id])}; "
            f"the chapter {chapter.title!r} is not run",
        )
        for claim in map(claim_of, chapter.declarations)
        if claim is not None and claim.id in declared
    ]


def _imported(file: Path, name: str) -> ModuleType:
    """Import a script; drop the helper modules of its folder afterwards, whose names other folders may have too."""
    folder = str(file.resolve().parent)
    spec = spec_from_file_location(name, file.resolve())
    if spec is None or spec.loader is None:
        raise FileProblem(f"{file} is no Python script", hint="its name has to end in .py")
    module = module_from_spec(spec)
    modules, path = set(sys.modules), list(sys.path)
    sys.modules[name] = module
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path[:] = path
        for other, loaded in list(sys.modules.items()):
            if other not in modules and _lies_in(loaded, folder):
                del sys.modules[other]
    return module


def _lies_in(module: ModuleType, folder: str) -> bool:
    """Return whether a module is a file directly in this folder, and no installed library below it."""
    origin = getattr(module, "__file__", None)
    return origin is not None and str(Path(origin).resolve().parent) == folder


def _script_problem(file: Path, error: BaseException) -> Problem:
    """Return the problem of a script that could not be imported, with the last line of it that was reached."""
    line = error.lineno if isinstance(error, SyntaxError) and error.lineno else 0
    for frame in traceback.extract_tb(error.__traceback__):
        if Path(frame.filename) == file.resolve():
            line = frame.lineno or line
    place = shown(SourceLine(str(file), line)) if line else shown_file(str(file))
    if isinstance(error, FibproverError):
        return Problem(place, str(error))
    if isinstance(error, SystemExit):
        return Problem(place, "the script ends Python when it is imported")
    return Problem(place, f"{type(error).__name__}: {error}")


def shown(place: SourceLine) -> str:
    """Return a place as messages show it."""
    return f"{shown_file(place.file)}:{place.line}"


def shown_file(file: str) -> str:
    """Return the path of a file, relative to the working folder if it lies below it."""
    try:
        relative = os.path.relpath(file)
    except ValueError:  # another drive
        return file
    return file if relative.startswith("..") else relative
