"""Collect the chapters of scripts: find the scripts and import each of them separately."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

from fibprover.base.errors import FibproverError, FileProblem
from fibprover.base.files import MOST_TEXT, read_bytes
from fibprover.campaigns.bundled import FOLDER, bundled_folder
from fibprover.campaigns.theorems.chapter import COLLECTED, Chapter, SourceLine, claim_of
from fibprover.campaigns.theorems.contents import contents


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
    the order of its contents, else sorted, without repetition.  Raises FileProblem for a path that does not exist.
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
                f"no such file or folder: {given}", hint="name a script of theorems, or a folder of such scripts"
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
    """Import a script; drop the helper modules of its folder afterwards, whose names other folders may have too.

    Script and helpers are compiled from their texts: compiled code that Python keeps is that of an older text where
    both have the same length and were written in the same second.
    """
    folder = str(file.resolve().parent)
    loader = _TextLoader(name, str(file.resolve()))
    spec = spec_from_file_location(name, loader.path, loader=loader)
    if spec is None or file.suffix != ".py":
        raise FileProblem(f"{file} is not a Python script", hint="the name of a script must end in .py")
    module = module_from_spec(spec)
    helpers, path = _HelperFinder(folder), list(sys.path)
    sys.modules[name] = module
    sys.path.insert(0, folder)
    sys.meta_path.insert(0, helpers)
    try:
        loader.exec_module(module)
    finally:
        sys.path[:] = path
        sys.meta_path.remove(helpers)
        for imported in (name, *helpers.found):
            sys.modules.pop(imported, None)
    return module


class _HelperFinder:
    """A finder of the modules of a folder, and of packages in it, which compiles them from their texts."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self.loaded = frozenset(sys.modules)
        self.found: set[str] = set()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a helper module is, with the loader that compiles its text; None for other modules."""
        if name.partition(".")[0] in self.loaded:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None:
            return None
        places = [spec.origin] if spec.origin else [*(spec.submodule_search_locations or ())]
        if not places or not self._has(Path(places[0])):
            return None
        self.found.add(name)
        if isinstance(spec.loader, SourceFileLoader):
            spec.loader = _TextLoader(spec.loader.name, spec.loader.path)
        return spec

    def _has(self, place: Path) -> bool:
        """Return whether a file or package lies in the folder, and in no folder of libraries below it."""
        libraries = (Path(entry) for entry in sys.path if Path(entry) != self.folder)
        return place.is_relative_to(self.folder) and not any(
            library.is_relative_to(self.folder) and place.is_relative_to(library) for library in libraries
        )


class _TextLoader(SourceFileLoader):
    """A loader that compiles a module from its text, and neither reads nor writes compiled code."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the current text."""
        return self.source_to_code(read_bytes(self.path, MOST_TEXT), self.path)


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
    """Return the path of a file, relative to the working folder if it lies below it.

    A script that comes with fibprover is shown by its place there, wherever that was installed.
    """
    with contextlib.suppress(ValueError):  # another drive
        relative = os.path.relpath(file)
        if not relative.startswith(".."):
            return relative
    with contextlib.suppress(FileProblem, ValueError):
        return f"{FOLDER}/{Path(file).resolve().relative_to(bundled_folder()).as_posix()}"
    return file
