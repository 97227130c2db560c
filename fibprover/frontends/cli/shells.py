"""Completion in shells: scripts for bash, zsh and fish, made by shtab from the parser of command lines."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from fibprover.base.errors import FibproverError
from fibprover.frontends.conversation.completion import systems, words
from fibprover.workspace.session import Session

#: The shells whose scripts can be printed.
SHELLS = ("bash", "zsh", "fish")

#: The metavariables of files and folders.
_FILES = frozenset({"FILE", "PATH", "WORDS.json", "msd_NAME.txt"})
_FOLDERS = frozenset({"DIR"})

#: The names that an argument takes, by its command ("" is any) and its destination.
_NAMES: Mapping[tuple[str, str], Callable[[Session], Sequence[str]]] = MappingProxyType({
    ("", "system"): systems,
    ("system", "names"): systems,
    ("words", "names"): words,
    ("draw", "name"): lambda session: [*words(session), *systems(session)],
})


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script by which a shell completes command lines of this parser: with all of its commands."""
    try:
        import shtab
    except ImportError as error:
        raise FibproverError(
            "completion scripts need shtab, which is not installed", hint="pip install 'fibprover[completion]'"
        ) from error
    session = Session()
    for command, action in _arguments(parser):
        names = _NAMES.get((command, action.dest)) or _NAMES.get(("", action.dest))
        if action.metavar in _FILES:
            _set_completion(action, shtab.FILE)
        elif action.metavar in _FOLDERS:
            _set_completion(action, shtab.DIRECTORY)
        elif names is not None:
            _set_completion(action, _one_of(f"{command}_{action.dest}", names(session)))
        elif not action.option_strings and action.choices is None:
            # Nothing; without this zsh does not offer options at the place of such an argument either.
            _set_completion(action, _one_of("nothing", ()))
    return str(shtab.complete(parser, shell))


def _arguments(parser: argparse.ArgumentParser, command: str = "") -> Iterator[tuple[str, argparse.Action]]:
    """Yield the arguments of a parser and of its commands, each with its command."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield from _arguments(below, name)
        else:
            yield command, action


def _set_completion(action: argparse.Action, how: Mapping[str, Any]) -> None:
    """Say how an argument is completed: shtab reads the attribute `complete`, which argparse does not have."""
    action.complete = how  # type: ignore[attr-defined]


def _one_of(label: str, names: Sequence[str]) -> Mapping[str, Any]:
    """Return the completion by these names, of letters, digits and _, in the form that shtab reads."""
    together = " ".join(names)
    function = f"_fibprover_{label}"
    return {
        "bash": function,
        "zsh": f"({together})",
        "fish": together,
        "preamble": {"bash": f'{function}() {{ compgen -W "{together}" -- "$1"; }}\n'},
    }
