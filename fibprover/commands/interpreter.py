"""The methods of a session that the functions of commands use."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from fibprover.namespace import Namespace
from fibprover.syntax.formula import Source
from fibprover.verdict.relation import Relation
from fibprover.verdict.verdict import Verdict

if TYPE_CHECKING:
    from fibprover.syntax.commands import Command

#: The value of a formula.
Outcome = Verdict | Relation

#: The value of a command: an Outcome, a word, an answer with a text (`str`), or None.
Result = object


class Interpreter(Protocol):
    """A session: names, the evaluation of formulas and of scripts."""

    namespace: Namespace
    #: The script files that are being loaded, the innermost last.
    loading: tuple[Path, ...]

    def eval(self, formula: str | Source, *, systems: Mapping[str, str] | None = None) -> Outcome:
        """Decide a formula; systems: numeration systems of free variables by name."""

    def run(self, script: str) -> list[tuple[Command, Result]]:
        """Run the commands of a script."""
