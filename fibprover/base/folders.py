"""Walnut's folders: the places of the files of names, lazy mappings from names to these files, and script files.

The home folder is only read; the folder of a session is read first and written to. Both have a subfolder for each type
of value, with the names of Walnut 8 (its class `Main.Session`). Scripts are read from the home folder only.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import TypeVar

from fibprover.base.errors import BudgetSpent, FibproverError, FileProblem, TextError
from fibprover.base.files import check_no_link, read_standard_input, read_text, remove_file, write_pieces, write_text
from fibprover.base.values import value

AUTOMATA = "Automata Library"
WORDS = "Word Automata Library"
MORPHISMS = "Morphism Library"
TRANSDUCERS = "Transducer Library"
MACROS = "Macro Library"
BASES = "Custom Bases"
COMMANDS = "Command Files"
RESULT = "Result"

#: The subfolders that a new session's folder has.
WRITTEN = (RESULT, AUTOMATA, WORDS, MORPHISMS, TRANSDUCERS, MACROS, BASES)

#: What to do where a link would lead out of the folder of a session.
_NO_LINKS = "remove the link; the folder of a session itself may be one, as may a file that a command names"

#: A file name without .txt: never a path with folders.
_NAME = re.compile(r"\w+", re.ASCII)


@value
class Folders:
    """The home folder and the folder of a session, which may be the same.  written: whether values are saved there."""

    home: Path
    session: Path
    written: bool = True

    def find(self, library: str, name: str) -> Path | None:
        """Return the file of a name in a library, that of the session first; None if it does not exist."""
        if not _NAME.fullmatch(name):
            return None
        places = (folder / library / f"{name}.txt" for folder in (self.session, self.home))
        return next((place for place in places if os.path.isfile(place)), None)

    def base(self, base: str) -> Path | None:
        """Return the file of the valid words of a custom base, given without its direction; None if there is none.

        In a base that has only an adder all words are valid; the path is then that of a file that does not exist.
        """
        for name in (f"msd_{base}", f"lsd_{base}"):
            found = self.find(BASES, name)
            if found is None and (adder := self.find(BASES, f"{name}_addition")) is not None:
                found = adder.with_name(f"{name}.txt")
            if found is not None:
                return found
        return None

    def names(self, library: str) -> list[str]:
        """Return the names of the files in a library, sorted."""
        found = set()
        for folder in (self.session, self.home):
            with contextlib.suppress(OSError):  # the subfolder may be missing
                found |= {file[:-4] for file in os.listdir(folder / library) if file.endswith(".txt")}
        return sorted(name for name in found if _NAME.fullmatch(name))

    def elsewhere(self, library: str, name: str) -> str:
        """Return a hint about the latest session of the home folder that has a name; "" if none has it.

        Walnut kept all names in one library before it had sessions, so a name of yesterday is expected to be there.
        """
        if not _NAME.fullmatch(name):
            return ""
        try:
            sessions = sorted(os.listdir(self.home / "Session"), reverse=True)
        except OSError:
            return ""
        for session in sessions:
            folder = self.home / "Session" / session
            if folder != self.session and os.path.isfile(folder / library / f"{name}.txt"):
                return f"an earlier session has {name}; --session-dir '{folder}' continues it"
        return ""

    def place(self, library: str, name: str, ending: str = ".txt") -> Path:
        """Return the path to which the file of a name is written.  Raises FileProblem for an invalid name."""
        if not _NAME.fullmatch(name):
            raise FileProblem(f"{name!r} cannot be the name of a file in {library}")
        return self.session / library / (name + ending)

    def write(self, library: str, name: str, text: str, *, ending: str = ".txt", durable: bool = True) -> None:
        """Write the file of a name; links are not followed: a file in their place is new.  Raises FileProblem."""
        write_text(self._free_place(library, name, ending), text, durable=durable, follow=False)

    def write_pieces(self, library: str, name: str, pieces: Iterable[bytes], *, durable: bool = True) -> None:
        """Write the file of a name, piece by piece, as `write` does."""
        write_pieces(self._free_place(library, name, ".txt"), pieces, durable=durable, follow=False)

    def remove(self, library: str, name: str, ending: str) -> None:
        """Remove the file of a name if it exists.  Raises FileProblem."""
        remove_file(self._free_place(library, name, ending))

    def _free_place(self, library: str, name: str, ending: str) -> Path:
        """Return the path of the file of a name; raise FileProblem if a link leads out of the folder."""
        file = self.place(library, name, ending)
        check_no_link(file.parent, hint=_NO_LINKS)
        return file

    @property
    def result(self) -> Path:
        """Return the folder of answers and drawings."""
        return self.session / RESULT

    def command_file(self, name: str) -> Path:
        """Return the path of a script; raise FileProblem if it is outside of the folder of scripts."""
        path = Path(name)
        if path.is_absolute() or path.drive or ".." in path.parts:
            raise FileProblem(
                f"{name} lies outside of {self.home / COMMANDS}", hint="scripts are loaded from that folder only"
            )
        return self.home / COMMANDS / path

    def prepare(self) -> None:
        """Create the folders to write to.  Raises FileProblem if the home is missing, creation fails, or one is a link.
        """
        for read in (self.home,) if self.written else (self.home, self.session):
            if not read.is_dir():
                raise FileProblem(
                    f"{read} is not a folder", hint="the home folder contains Automata Library/ and similar folders"
                )
        for library in WRITTEN if self.written else ():
            folder = self.session / library
            check_no_link(folder, hint=_NO_LINKS)
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except (OSError, ValueError) as error:
                reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
                raise FileProblem(f"{folder} cannot be made: {reason}") from error


def folders_for(
    home: str | None, session: str | None, *, one: bool = False, now: Callable[[], datetime] = datetime.now
) -> Folders:
    """Return the folders that the options of Walnut's command line specify.

    home: by default the current folder; session: by default a new folder in Session/ of the home, named after the
    time; one: values are written to the home folder itself, and `session` is ignored.
    """
    main = Path(home or ".")
    if one:
        return Folders(main, main)
    return Folders(main, Path(session) if session else _new(main / "Session" / now().strftime("%Y_%m_%d_%H_%M_%S")))


def walnut_home(*starts: Path) -> Path | None:
    """Return the nearest folder at or above one of these that has Walnut's scripts or automata; None without one.

    The folder of a session has automata too; it is not the home.
    """
    for start in starts:
        for folder in (start, *start.parents):
            if folder.parent.name != "Session" and any((folder / name).is_dir() for name in (COMMANDS, AUTOMATA)):
                return folder
    return None


def _new(folder: Path) -> Path:
    """Return a new folder of this name, with a number after the name if the folder exists already.

    The folder is created here, so that two sessions that begin in the same second have different folders. If it cannot
    be created, `prepare` raises the error.  Raises FileProblem if Session/ is a link.
    """
    check_no_link(folder.parent, hint="--session-dir DIR names the folder of a session")
    names = (folder.with_name(f"{folder.name}_{number}") for number in count(2))
    for place in chain([folder], names):
        if not place.parent.parent.is_dir():
            return place
        try:
            place.parent.mkdir(exist_ok=True)
            place.mkdir()
        except FileExistsError:
            if place.parent.is_dir():
                continue
        except (OSError, ValueError):
            pass
        return place
    raise AssertionError("numbers do not end")


# -- names whose values are in files ---------------------------------------------------------

T = TypeVar("T")


class LazyFileMapping(MutableMapping[str, T]):
    """Values by name: those that were set, and those that are read from files on their first use.

    read: returns the value of a name from its file, None if there is no file; write: writes a value that is set, before
    it is stored, so that a failure changes nothing; listed: returns the names of all files; elsewhere: returns a hint
    about a name that is in other folders only.
    A value is read once.  Deleting a name removes the value that was set, but not the file.
    """

    def __init__(
        self, own: Mapping[str, T], read: Callable[[str], T | None], write: Callable[[str, T], None],
        listed: Callable[[], Iterable[str]], elsewhere: Callable[[str], str] = lambda name: "",
    ) -> None:
        self._own = dict(own)
        self._seen: dict[str, T] = {}
        self._read = read
        self._write = write
        self._listed = listed
        self.elsewhere = elsewhere

    def __getitem__(self, name: str) -> T:
        if name in self._own:
            return self._own[name]
        if name not in self._seen:
            found = self._read(name)
            if found is None:
                raise KeyError(name)
            self._seen[name] = found
        return self._seen[name]

    def __setitem__(self, name: str, meaning: T) -> None:
        self._write(name, meaning)
        self._own[name] = meaning

    def __delitem__(self, name: str) -> None:
        del self._own[name]
        self._seen.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(list(dict.fromkeys([*self._own, *self._listed()])))

    def __len__(self) -> int:
        return len(list(iter(self)))

    @property
    def own(self) -> dict[str, T]:
        """The values that were set, without those of files."""
        return dict(self._own)

    def copy(self) -> LazyFileMapping[T]:
        """Return a copy, independent of later changes."""
        made = LazyFileMapping(self._own, self._read, self._write, self._listed, self.elsewhere)
        made._seen = self._seen
        return made


def snapshot(names: Mapping[str, T]) -> Mapping[str, T]:
    """Return the names as they are now, independent of later changes."""
    return names.copy() if isinstance(names, LazyFileMapping) else dict(names)


def elsewhere(names: Mapping[str, object], name: str) -> str:
    """Return a hint about a name that is not among these, but in a folder that is not read; "" if it is in none."""
    return names.elsewhere(name) if isinstance(names, LazyFileMapping) else ""


# -- scripts ---------------------------------------------------------------------------------

@contextmanager
def naming(file: str, text: str) -> Iterator[None]:
    """Prefix the message of an error in a script with the file, and with the line if it is known."""
    name = "standard input" if file == "-" else file
    try:
        yield
    except BudgetSpent as spent:
        if spent.command.startswith("line "):
            spent.command = f"{name}, {spent.command}"
        raise
    except FibproverError as error:
        if isinstance(error, TextError) and error.text == text:
            name += f", line {text.count(chr(10), 0, error.start) + 1}"
        elif error.command_line:
            name += f", line {error.command_line}"
            error.command_line = 0  # a script that loads this one has a line of its own
        if not error.message.startswith(name):
            error.message = f"{name}: {error.message}"
        raise


def read_script(file: str, *, pipe: bool = True) -> str:
    """Return the text of a file (`-`: standard input) with line feeds as line ends.

    pipe: whether it may be a pipe.  Raises FileProblem if it cannot be read.
    """
    return read_standard_input() if file == "-" else read_text(file, pipe=pipe)
