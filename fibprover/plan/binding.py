"""What is found out about the variables of a formula: which one each occurrence means, and its kind."""

from __future__ import annotations

from dataclasses import dataclass, field

from fibprover.parse.syntax import Span
from fibprover.plan.environment import Kind


@dataclass(frozen=True, slots=True)
class Context:
    """The system that numbers are read in, whether a `?` said so, and whether a reversal is around it.

    Around a reversal the numbers are the same, and read from the other end: msd_2 becomes lsd_2.
    """

    system: str
    explicit: bool
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Binding:
    """The result: identities and kinds.

    identity: by offset of an occurrence; kinds: by identity and by node name (see `node`);
    names: what the user calls each identity; free: the free variables in code-unit order; indices: where digits
    are shared, by the offset of a formula as an argument, the variable whose digits are those of the formula's own.
    """

    identity: dict[int, str]
    kinds: dict[str, Kind]
    names: dict[str, str]
    free: tuple[str, ...]
    indices: dict[int, str] = field(default_factory=dict)

    def kind_at(self, span: Span) -> Kind:
        """Kind of the comparison, argument or index at this place."""
        return self.kinds[node(span)]


def node(span: Span) -> str:
    """Name of the type variable of a comparison, argument or index; no variable is called so."""
    return f"@{span.start}:{span.end}"
