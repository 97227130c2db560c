"""Parsers of command lines whose errors are one line, with the nearest command, option or value."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Collection, Sequence
from typing import Any, NoReturn

from fibprover.base.errors import did_you_mean, most_similar
from fibprover.frontends.cli.status import ERROR

#: The message of argparse for a value that is not a choice.
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

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write help, a version or an error; raise OSError, which argparse drops, where that is impossible."""
        stream = sys.stderr if file is None else file
        if message and stream is not None:  # None: the caller closed it
            print(message, end="", file=stream, flush=True)

    def _reworded(self, message: str) -> str:
        choice = _CHOICE.fullmatch(message)
        if choice is not None:
            known = [each.strip(" '") for each in choice["known"].split(",")]
            hint = did_you_mean(choice["given"], known, f"possible values: {', '.join(known)}")
            return f"{choice['what']} cannot be {choice['given']}; {hint}"
        if message.startswith(_MISSING):
            missing = message.removeprefix(_MISSING)
            return f"missing: {missing}; {self.prog} --help describes the command"
        if message.startswith(_UNEXPECTED):
            rest = message.removeprefix(_UNEXPECTED)
            if rest.startswith("-"):
                return f"unknown option {rest.split()[0]}; {self.prog} COMMAND --help lists the options"
            return f"unexpected argument {rest}; is a quote missing?"
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
                self.error(f"unknown option {option}; {self._nearest(option)}")
        return super().parse_known_args(args, namespace)

    def _nearest(self, option: str) -> str:
        """Return a question about a similar option, or where all options are listed."""
        # The dashes, which all options have, say nothing about similarity.
        names = [known.lstrip("-") for known in self._option_string_actions if known.startswith("--")]
        near = most_similar(option.lstrip("-"), names)
        return f"{self.prog} --help lists the options" if near is None else f"did you mean --{near}?"


def check_command(top: Parser, words: Sequence[str], commands: Collection[str]) -> None:
    """Exit with an error if the first word of a command line is neither a command nor an option without one."""
    first = words[0] if words else ""
    alone = ("-h", "--help", "--version", "--print-completion")
    if not words or first in commands or first.partition("=")[0] in alone:
        return
    if first.startswith("-"):
        top.error(f"the command comes first, then its options: fibprover COMMAND {first}")
    if os.path.isfile(first):
        top.error(f"unknown command `{first}`; to run a script: fibprover run {first}")
    if re.search(r"[^\w-]", first):
        top.error(f"unknown command `{first}`; to decide a formula: fibprover eval FORMULA")
    hint = _of_scripts(first) or did_you_mean(first, list(commands), "")
    top.error(
        f"unknown command `{first}`; {hint}" if hint else f"unknown command `{first}`. Commands: {', '.join(commands)}"
    )


def _of_scripts(word: str) -> str:
    """Return how a command of scripts is given; "" for any other word."""
    from fibprover.language.commands import ALIASES, WORDS  # only for this error

    if word == "help":
        return "fibprover --help lists the commands, and `help` at the prompt lists those of scripts"
    if word == "load":
        return "to run a script: fibprover run FILE"
    if word in WORDS or word in ALIASES:
        return f"{word} is a command for scripts (fibprover run FILE) and for the prompt (fibprover)"
    return ""
