"""Parsers of command lines whose errors are one line, with the nearest command, option or value."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Collection, Sequence
from typing import Any, NoReturn

from fibprover.base.errors import did_you_mean
from fibprover.frontends.cli.status import ERROR

#: How argparse says that a value is none of those that are possible.
_CHOICE = re.compile(
    r"argument (?P<what>.+?): invalid choice: '(?P<given>.*)' \(choose from (?P<known>.*)\)", re.DOTALL
)
_MISSING = "the following arguments are required: "
_UNEXPECTED = "unrecognized arguments: "
_ARGUMENT = "argument "


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line on standard error."""

    def error(self, message: str) -> NoReturn:
        """Print an error on one line and exit with status 2."""
        self.exit(ERROR, f"error: {' '.join(self._reworded(message).split())}\n")

    def _reworded(self, message: str) -> str:
        choice = _CHOICE.fullmatch(message)
        if choice is not None:
            known = [each.strip(" '") for each in choice["known"].split(",")]
            return f"{choice['what']} cannot be {choice['given']}; {nearest(choice['given'], known)}"
        if message.startswith(_MISSING):
            missing = message.removeprefix(_MISSING)
            return f"{missing} {'are' if ',' in missing else 'is'} missing; {self.prog} --help describes the command"
        if message.startswith(_UNEXPECTED):
            rest = message.removeprefix(_UNEXPECTED)
            if rest.startswith("-"):
                return f"there is no option {rest.split()[0]}; {self.prog} COMMAND --help lists the options"
            return f"nothing more is expected, but there is {rest}; is a quote missing?"
        return message.removeprefix(_ARGUMENT)


class CommandParser(Parser):
    """The parser of one command, which reports an unknown option before anything else."""

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Parse arguments; an unknown option is an error."""
        for word in args or ():
            if word == "--":
                break
            option = word.partition("=")[0]
            if option.startswith("--") and " " not in word and option not in self._option_string_actions:
                self.error(f"there is no option {option}; {nearest(option, list(self._option_string_actions))}")
        return super().parse_known_args(args, namespace)


def check_command(top: Parser, words: Sequence[str], commands: Collection[str]) -> None:
    """Exit with an error if the first word of a command line is neither a command nor an option without one."""
    first = words[0] if words else ""
    alone = ("-h", "--help", "--version", "--print-completion")
    if not words or first in commands or first.partition("=")[0] in alone:
        return
    if first.startswith("-"):
        top.error(f"the command comes first, then its options: fibprover COMMAND {first}")
    if os.path.isfile(first):
        top.error(f"there is no command {first}; a script is executed by fibprover run {first}")
    if re.search(r"[^\w-]", first):
        top.error(f"there is no command {first}; a formula is decided by fibprover eval FORMULA")
    top.error(f"there is no command {first}; {_of_scripts(first) or nearest(first, list(commands))}")


def _of_scripts(word: str) -> str:
    """Return how a command of scripts is given; "" for any other word."""
    from fibprover.language.commands import ALIASES, WORDS  # only for this error

    if word == "help":
        return "fibprover --help lists the commands, and help at the prompt those of scripts"
    if word == "load":
        return "a script is executed by fibprover run FILE"
    if word in WORDS or word in ALIASES:
        return f"{word} is a command of scripts (fibprover run FILE) and of the prompt (fibprover)"
    return ""


def nearest(given: str, known: Sequence[str]) -> str:
    """Return the question whether the most similar name was meant, or all names if none is similar."""
    return did_you_mean(given, known, f"there is {', '.join(known)}")
