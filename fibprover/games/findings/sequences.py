"""The P-positions in order: (a_n,b_n), n >= 0, with both sequences given by automata, and the rule that makes them.

In a game that is symmetric in its piles only positions with a <= b are numbered, as by Renard & Rigo (section 4);
terminal positions are not.  The order is by a, then by b.  The automata of {(n,a_n)} and {(n,b_n)} are inferred from
the data and proved: each n has one a_n and one b_n, the pairs are P-positions, increase with n, and are all there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fibprover.games.findings.context import Finding, GameContext
from fibprover.games.positions import Positions, marks_lines, positions
from fibprover.games.rules import Game
from fibprover.infer.residuals import infer_set
from fibprover.verdict.relation import Relation

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Positions whose lesser pile is at least this say how far apart the piles are at most.
SETTLED = 16

#: A guess of a lesser margin is not worth a proof.
LEAST_MARGIN = -1

#: Bounds of further data, for sequences whose automata need more than that of the positions.
LARGER = (1 << 14, 1 << 17, 1 << 20)


@dataclass(frozen=True)
class Sequences:
    """a_n and b_n, from n = 0: in the session A(a,n) and B(b,n); and as many of them as are known.

    symmetric: whether only positions with a <= b are numbered.
    """

    a: Relation
    b: Relation
    first_a: NDArray[Any]
    first_b: NDArray[Any]
    symmetric: bool


def positions_in_order(context: GameContext, data: Positions, symmetric: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """The positions in order, as far as the data certainly go.

    How far that is, is a guess from the ratio of the piles; whoever uses the numbers proves what follows from them.
    """
    import numpy

    a, b = data.a, data.b
    kept = ~terminal_mask(context.game, a, b)
    if symmetric:
        kept &= a <= b
    a, b = a[kept], b[kept]
    settled = a >= SETTLED
    ratio = float((b[settled] / a[settled]).max()) if settled.any() else 1.0
    complete = a < int(data.bound / max(ratio * 1.05, 1.0)) - SETTLED
    a, b = a[complete], b[complete]
    order = numpy.lexsort((b, a))
    return a[order], b[order]


def terminal_mask(game: Game, a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Which positions satisfy the formula of the terminal ones."""
    import numpy

    found = numpy.zeros(len(a), dtype=bool)
    for region in game.terminal_regions or ():
        values = [numpy.stack([a, b, numpy.ones_like(a)], axis=1) @ numpy.array(row) for row in region.equations]
        inside = numpy.ones(len(a), dtype=bool)
        for equal in values:
            inside &= equal == 0
        for row in region.bounds:
            inside &= numpy.stack([a, b, numpy.ones_like(a)], axis=1) @ numpy.array(row) >= 0
        found |= inside
    return found


def find_sequences(context: GameContext) -> Sequences | None:
    """The sequences, proved; None if no automata for them were found."""
    symmetric = bool(context.session.prove("Ap,q $P(p,q) <=> $P(q,p)"))
    data = context.data
    larger = [bound for bound in LARGER if bound > data.bound] if marks_lines(context.game) else []
    for bound in (data.bound, *larger):
        if bound > data.bound:
            data = positions(context.game, bound, context.limits.start())
        found = _inferred(context, *positions_in_order(context, data, symmetric), symmetric)
        if found is not None:
            return found
    return None


def _inferred(context: GameContext, a: NDArray[Any], b: NDArray[Any], symmetric: bool) -> Sequences | None:
    """The sequences from so many of their members; None unless they are worth a proof and it succeeds."""
    import numpy

    if len(a) < 2:
        return None
    bound = int(min(a[-1], len(a)))
    n = numpy.arange(len(a), dtype=numpy.int64)
    found = []
    for name, values in (("a", a), ("b", b)):
        known = (values < bound) & (n < bound)
        members = numpy.stack([values[known], n[known]], axis=1)
        inferred = infer_set(members, bound, context.system, (name, "n"), context.limits.start())
        if inferred.unknown or inferred.margin < LEAST_MARGIN:
            return None
        found.append(context.relation(inferred.automaton, f"{name}_n"))
    context.session.define("A", found[0])
    context.session.define("B", found[1])
    if not all(context.session.prove(formula) for formula in sequence_claims(symmetric)):
        return None
    return Sequences(found[0], found[1], a, b, symmetric)


def sequence_claims(symmetric: bool) -> tuple[str, ...]:
    """What makes A and B the sequences of the positions in order."""
    half = " & p<=q" if symmetric else ""
    return (
        "An Ea $A(a,n)",
        "An Eb $B(b,n)",
        "An,p,q ($A(p,n) & $A(q,n)) => p=q",
        "An,p,q ($B(p,n) & $B(q,n)) => p=q",
        f"An,p,q ($A(p,n) & $B(q,n)) => ($P(p,q) & ~$T(p,q){half})",
        "An,p,q,r,s ($A(p,n) & $B(q,n) & $A(r,n+1) & $B(s,n+1)) => (p<r | (p=r & q<s))",
        f"Ap,q ($P(p,q) & ~$T(p,q){half}) => (En $A(p,n) & $B(q,n))",
    )


def sequence_findings(context: GameContext, found: Sequences) -> list[Finding]:
    """The sequences, and the recurrence by least unused numbers where it holds."""
    count = min(12, len(found.first_a))
    shown = {"a": found.first_a[:count].tolist(), "b": found.first_b[:count].tolist()}
    which = "with a <= b that are not terminal" if context.game.terminal else "with a <= b"
    findings = [
        Finding(
            "sequences",
            f"the P-positions {which if found.symmetric else 'that are not terminal'}, in order, are (a_n,b_n), "
            f"n >= 0; automata of {found.a.states} and {found.b.states} states recognize (n,a_n) and (n,b_n): a = "
            f"{', '.join(map(str, shown['a']))}, ...; b = {', '.join(map(str, shown['b']))}, ...",
            tuple(f'eval "{claim}"' for claim in sequence_claims(found.symmetric)),
            {"states": [found.a.states, found.b.states], **shown},
            {"A": found.a.automaton, "B": found.b.automaton},
        )
    ]
    return findings + recurrence(context, found)


def recurrence(context: GameContext, found: Sequences) -> list[Finding]:
    """b_n = a_n + d n + e with a_n the least unused number, where that is so."""
    session = context.session
    gaps = found.first_b - found.first_a
    e, d = int(gaps[0]), int(gaps[1] - gaps[0])
    if d < 0 or not session.prove(f"An,p,q ($A(p,n) & $B(q,n)) => q=p+{d}*n+{e}"):
        return []
    law = f"b_n = a_n + {_linear(d, e)}" if d or e else "b_n = a_n"
    formula = f"An,p,q ($A(p,n) & $B(q,n)) => q=p+{d}*n+{e}"
    least = int(found.first_a[0])
    used = f"(x<{least} | (Em m<n & ($A(x,m) | $B(x,m))))"
    session.define("used", used)
    mex = "An,x $A(x,n) <=> (~$used(n,x) & (Ay y<x => $used(n,y)))"
    if session.prove(mex):
        below = f" and not below {least}" if least else ""
        return [
            Finding(
                "recurrence", f"a_n is the least number that is no a_i and no b_i with i < n{below}, and {law}",
                (f'def used "{used}"', f'eval "{mex}"', f'eval "{formula}"'), {"d": d, "e": e, "least": least},
            )
        ]
    return [Finding("recurrence", law, (f'eval "{formula}"',), {"d": d, "e": e})]


def _linear(d: int, e: int) -> str:
    """d n + e."""
    multiple = {0: "", 1: "n"}.get(d, f"{d} n")
    return " + ".join(part for part in (multiple, str(e) if e else "") if part)
