"""The methods of a session that the functions of commands use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeVar

from fibprover.base.limits import spending
from fibprover.language.source import Source
from fibprover.prover.decide import Options
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.verdict import Verdict
from fibprover.workspace.certificates import CertificateFolder
from fibprover.workspace.namespace import Namespace

if TYPE_CHECKING:
    from fibprover.language.commands import Command

P = ParamSpec("P")
R = TypeVar("R")
AnyInterpreter = TypeVar("AnyInterpreter", bound="Interpreter")

#: The value of a formula.
Outcome = Verdict | Relation

#: The value of a command: an Outcome, a word, an answer with a text (`str`), or None.
Result = object


class Interpreter(Protocol):
    """A session: names, the evaluation of formulas and of scripts."""

    namespace: Namespace
    #: How formulas are decided.
    options: Options
    #: The script files that are being loaded, the innermost last.
    loading: tuple[Path, ...]
    #: The folder for certificates of what `eval` and `solve` prove, None without one.
    certify: CertificateFolder | None

    def eval(self, formula: str | Source, *, systems: Mapping[str, str] | None = None) -> Outcome:
        """Decide a formula; systems: numeration systems of free variables by name."""

    def run(self, script: str) -> list[tuple[Command, Result]]:
        """Run the commands of a script."""


def within_limits(
    function: Callable[Concatenate[AnyInterpreter, P], R],
) -> Callable[Concatenate[AnyInterpreter, P], R]:
    """Return the function of a command that ends by the limits of its session, all that it calls included."""

    @wraps(function)
    def limited(session: AnyInterpreter, /, *arguments: P.args, **keywords: P.kwargs) -> R:
        with spending(session.namespace.budget()):
            return function(session, *arguments, **keywords)

    return limited
