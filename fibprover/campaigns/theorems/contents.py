"""The contents of a folder of scripts: its title, its parts and the order of its scripts, from `contents.toml`.

    title = "Variants of Wythoff's game"
    about = "What is proved here, in a paragraph."

    [[part]]
    title = "Renard & Rigo 2026"
    about = "a sentence"
    scripts = ["k1.py", "k2.py"]

The file is optional, and so are `about` and the parts.  Scripts that no part names come after the others, by name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fibprover.base.errors import FileProblem
from fibprover.base.files import MOST_VALUES, read_text

#: The name of the file in its folder.
FILE = "contents.toml"


@dataclass(frozen=True, slots=True)
class Part:
    """Scripts that belong together, in order, as paths relative to the folder."""

    title: str
    about: str
    scripts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contents:
    """The title of a folder's theorems, a paragraph on them, and its parts."""

    folder: Path
    title: str
    about: str
    parts: tuple[Part, ...]

    def place(self, script: str | Path) -> tuple[int, int]:
        """Return the part of a script and its place there; a script that no part names comes last."""
        try:
            name = Path(script).resolve().relative_to(self.folder.resolve()).as_posix()
        except ValueError:  # elsewhere
            return len(self.parts), 0
        for number, part in enumerate(self.parts):
            if name in part.scripts:
                return number, part.scripts.index(name)
        return len(self.parts), 0


def contents(folder: str | Path) -> Contents | None:
    """Return the contents of a folder; None if it has no such file.

    Raises FileProblem if the file cannot be read, has another form, or names a script that is not there.
    """
    file = Path(folder) / FILE
    if not file.is_file():
        return None
    text = read_text(file, MOST_VALUES)
    try:
        found = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise FileProblem(f"{file}: {error}", hint="the file is read as TOML, in UTF-8") from error
    _check_keys(found, {"title", "about", "part"}, file)
    parts = found.get("part", [])
    if not isinstance(parts, list):
        raise FileProblem(f"{file}: `part` is not a list of tables", hint="a part begins with [[part]]")
    read = tuple(_part(part, file) for part in parts)
    _check_scripts([name for part in read for name in part.scripts], file)
    return Contents(Path(folder), _text(found, "title", file), _text(found, "about", file, ""), read)


def _part(found: Any, file: Path) -> Part:
    if not isinstance(found, dict):
        raise FileProblem(f"{file}: `part` is not a list of tables", hint="a part begins with [[part]]")
    _check_keys(found, {"title", "about", "scripts"}, file)
    scripts = found.get("scripts")
    if not isinstance(scripts, list) or not all(isinstance(name, str) for name in scripts):
        raise FileProblem(f"{file}: a part has no list `scripts`", hint='such as scripts = ["k1.py", "k2.py"]')
    return Part(_text(found, "title", file), _text(found, "about", file, ""), tuple(scripts))


def _text(found: dict[str, Any], key: str, file: Path, default: str | None = None) -> str:
    value = found.get(key, default)
    if not isinstance(value, str):
        wrong = "missing" if value is None else "no text"
        raise FileProblem(f"{file}: `{key}` is {wrong}", hint=f'such as {key} = "..."')
    return " ".join(value.split())


def _check_keys(found: dict[str, Any], known: set[str], file: Path) -> None:
    for key in found:
        if key not in known:
            raise FileProblem(f"{file}: unknown key `{key}`", hint=f"the keys are {', '.join(sorted(known))}")


def _check_scripts(names: Iterable[str], file: Path) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise FileProblem(f"{file}: {name} is named twice")
        if not (file.parent / name).is_file():
            raise FileProblem(f"{file}: no such script: {name}", hint="paths are relative to the folder of the file")
        seen.add(name)
