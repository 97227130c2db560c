"""`save` at the prompt: what was executed in a session, as a script that repeats it."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from fibprover.base.errors import FileProblem
from fibprover.base.files import begins_with, write_text
from fibprover.base.wording import plural

#: The first line of every file that `save` writes, and the only files that it replaces.
HEADER = "# A session of fibprover, written by `save`."

#: The options that a script needs again, and whether they have a value.
_OPTIONS = {
    "system": True, "shared_digits": False, "base": True, "words": True, "load": True, "home_dir": True,
    "session_dir": True, "global_session": False, "plan": True, "without": True,
}


class ScriptLog:
    """The commands that were executed without an error, in order."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.commands: list[str] = []

    def add(self, command: str) -> None:
        """Add a command with its terminator."""
        self.commands.append(command.strip())

    def text(self, file: str) -> str:
        """Return the script; its second line says how to run it from `file`."""
        named = f"./{file}" if file.startswith("-") else file
        again = shlex.join(["fibprover", "run", *_options(self.arguments), named])
        return "\n".join([HEADER, f"# {' '.join(again.splitlines())}", *self.commands, ""])

    def save(self, file: str) -> str:
        """Write the script and return what to say.

        Raises FileProblem if there is nothing to write, if it cannot be written, or if it would replace another file.
        """
        if not self.commands:
            raise FileProblem("nothing to save yet", hint="save writes the commands and formulas of this session")
        path = Path(file).expanduser()
        if path.exists() and not _saved_before(path):
            raise FileProblem(
                f"{path} exists, and was not written by save", hint="choose another name, or remove it first"
            )
        write_text(path, self.text(str(path)))
        count = len(self.commands)
        return f"{plural(count, 'command')} written to {path}"


def _saved_before(path: Path) -> bool:
    try:
        return begins_with(path, HEADER.encode(), len(HEADER.encode()))
    except FileProblem:
        return False


def _options(arguments: argparse.Namespace) -> list[str]:
    """Return the options of the command line that change what a script means."""
    words: list[str] = []
    for name, valued in _OPTIONS.items():
        value = getattr(arguments, name, None)
        if value is None or value is False or (name == "plan" and value == "optimized"):
            continue
        option = "--" + name.replace("_", "-")
        for one in value if isinstance(value, list) else [value]:
            words += [option, str(one)] if valued else [option]
    return words
