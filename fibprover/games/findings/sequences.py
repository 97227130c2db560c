"""The P-positions in order, (a_n,b_n) with n >= 0: automata of both sequences, and their recurrence.

Terminal positions are not numbered; in a game that is symmetric in its piles only positions with a <= b are, as by
Renard & Rigo (section 4).  The order is by a, then by b.  The automata of {(n,a_n)} and {(n,b_n)} follow from a law
b_n = a_n + d n
+ e of the data, or are inferred, and are proved: each n has one a_n and one b_n; the pairs are P-positions and
increase with n; there are no others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fibprover.games.findings.context import Finding, FindingCommand, GameContext
from fibprover.games.polyhedra import as_bounds
from fibprover.games.positions import Positions, marks_lines, positions
from fibprover.games.rules import Game
from fibprover.infer.residuals import infer_set
from fibprover.language.builder import call, exists, forall, variables
from fibprover.language.tree import Formula
from fibprover.prover.verdict.relation import Relation

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The largest ratio of the piles is taken from positions whose smaller pile is at least this.
SETTLED = 16

#: A candidate with a smaller margin is not worth a proof.
LEAST_MARGIN = -1

#: Bounds of further data, for sequences whose automata need more data than that of the positions.
LARGER = (1 << 14, 1 << 17, 1 << 20)

#: A law b_n = a_n + d n + e is read from the positions below this bound.
BY_GAPS = LARGER[1]


@dataclass(frozen=True)
class Sequences:
    """The sequences a_n and b_n, n >= 0, which are A(a,n) and B(b,n) in the session.

    first_a, first_b: the members that the data give; symmetric: whether only positions with a <= b are numbered.
    """

    a: Relation
    b: Relation
    first_a: NDArray[Any]
    first_b: NDArray[Any]
    symmetric: bool


def positions_in_order(context: GameContext, data: Positions, symmetric: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the a_n and the b_n, as far as the data are complete.

    How far they are is guessed from the ratio of the piles; what is inferred from the numbers is proved later.
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
    """Return which positions are terminal; none where the terminal positions are not polyhedra."""
    import numpy

    points = numpy.stack([a, b, numpy.ones_like(a)], axis=1)
    found = numpy.zeros(len(a), dtype=bool)
    for region in game.terminal_regions or ():
        found |= numpy.all([points @ numpy.array(row) >= 0 for row in (*as_bounds(region), (0, 0, 0))], axis=0)
    return found


def find_sequences(context: GameContext) -> Sequences | None:
    """Return the sequences, proved; None if no automata for them are found."""
    p, q = variables("p q")
    symmetric = bool(context.session.prove(forall(p, q, call("P", p, q).iff(call("P", q, p)))))
    data = context.data
    larger = [bound for bound in LARGER if bound > data.bound] if marks_lines(context.game) else []
    far = positions(context.game, BY_GAPS, context.limits.start()) if BY_GAPS in larger else data
    found = _by_gaps(context, *positions_in_order(context, far, symmetric), symmetric)
    for bound in (data.bound, *larger):
        if found is not None:
            return found
        if bound > data.bound:
            data = positions(context.game, bound, context.limits.start())
        found = _inferred(context, *positions_in_order(context, data, symmetric), symmetric)
    return found


def _inferred(context: GameContext, a: NDArray[Any], b: NDArray[Any], symmetric: bool) -> Sequences | None:
    """Infer the sequences from their first members; None unless the automata are worth a proof and it succeeds."""
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
    return _proved(context, Sequences(found[0], found[1], a, b, symmetric))


def _by_gaps(context: GameContext, a: NDArray[Any], b: NDArray[Any], symmetric: bool) -> Sequences | None:
    """Return the sequences by the law b_n = a_n + d n + e: then n follows from a P-position; None without a law."""
    if len(a) < 2:
        return None
    gaps = b - a
    e, d = int(gaps[0]), int(gaps[1] - gaps[0])
    if d < 1 or e < 0 or any(gap != d * n + e for n, gap in enumerate(gaps.tolist())):
        return None
    m, n, x = variables("a n x")
    found = []
    for name, pair in (("a", (m, m + d * n + e)), ("b", (x, m))):
        numbered: Formula = call("P", *pair) & ~call("T", *pair)
        if name == "b":
            numbered = exists(x, numbered & m.eq(x + d * n + e))
        found.append(context.session.relation(numbered).renamed(a=name))
    return _proved(context, Sequences(found[0], found[1], a, b, symmetric))


def _proved(context: GameContext, found: Sequences) -> Sequences | None:
    """Return sequences that are guessed, as A and B in the session, if they are proved."""
    context.session.define("A", found.a)
    context.session.define("B", found.b)
    claims = sequence_claims(found.symmetric)
    return found if all(context.session.prove(formula) for formula in claims) else None


def sequence_claims(symmetric: bool) -> tuple[Formula, ...]:
    """Return the formulas that say that A and B are the sequences of the positions in order."""
    a, b, n, p, q, r, s = variables("a b n p q r s")
    numbered = call("P", p, q) & ~call("T", p, q)
    if symmetric:
        numbered &= p <= q
    pair = call("A", p, n) & call("B", q, n)
    following = pair & call("A", r, n + 1) & call("B", s, n + 1)
    return (
        forall(n, exists(a, call("A", a, n))),
        forall(n, exists(b, call("B", b, n))),
        forall(n, p, q, (call("A", p, n) & call("A", q, n)) >> p.eq(q)),
        forall(n, p, q, (call("B", p, n) & call("B", q, n)) >> p.eq(q)),
        forall(n, p, q, pair >> numbered),
        forall(n, p, q, r, s, following >> ((p < r) | (p.eq(r) & (q < s)))),
        forall(p, q, numbered >> exists(n, pair)),
    )


def sequence_findings(context: GameContext, found: Sequences) -> list[Finding]:
    """Return the sequences as a finding, and their recurrence where there is one."""
    count = min(12, len(found.first_a))
    shown = {"a": found.first_a[:count].tolist(), "b": found.first_b[:count].tolist()}
    which = "with a <= b that are not terminal" if context.game.terminal else "with a <= b"
    findings = [
        Finding(
            "sequences",
            f"the P-positions {which if found.symmetric else 'that are not terminal'}, in order, are (a_n,b_n), "
            f"n >= 0; {_sizes(found.a.states, found.b.states)} (n,a_n) and (n,b_n): a = "
            f"{', '.join(map(str, shown['a']))}, ...; b = {', '.join(map(str, shown['b']))}, ...",
            tuple(FindingCommand("eval", "", claim) for claim in sequence_claims(found.symmetric)),
            {"states": [found.a.states, found.b.states], **shown},
            {"A": found.a.automaton, "B": found.b.automaton},
        )
    ]
    return findings + recurrence(context, found)


def _sizes(one: int, other: int) -> str:
    """Write the sizes of two automata."""
    if one == other:
        return f"automata of {one} state{'' if one == 1 else 's'} each recognize"
    return f"automata of {one} and {other} states recognize"


def recurrence(context: GameContext, found: Sequences) -> list[Finding]:
    """Return b_n = a_n + d n + e, and whether a_n is the least unused number, as a finding; none if the law fails."""
    session = context.session
    gaps = found.first_b - found.first_a
    e, d = int(gaps[0]), int(gaps[1] - gaps[0])
    # Formulas have no negative constants: these are added on the other side.
    m, n, p, q, x, y = variables("m n p q x y")
    law = q.eq(p + d * n + e) if e >= 0 else (q + -e).eq(p + d * n)
    formula = forall(n, p, q, (call("A", p, n) & call("B", q, n)) >> law)
    if d < 0 or not session.prove(formula):
        return []
    added = linear(d, e)
    words = "b_n = a_n" if added == "0" else f"b_n = a_n - {-e}" if added[0] == "-" else f"b_n = a_n + {added}"
    claim = FindingCommand("eval", "", formula)
    least = int(found.first_a[0])
    used = (x < least) | exists(m, (m < n) & (call("A", x, m) | call("B", x, m)))
    session.define("used", used)
    smaller = forall(y, (y < x) >> call("used", n, y))
    mex = forall(n, x, call("A", x, n).iff(~call("used", n, x) & smaller))
    if not session.prove(mex):
        return [Finding("recurrence", words, (claim,), {"d": d, "e": e})]
    candidates = f"number from {least} on" if least else "natural number"
    return [
        Finding(
            "recurrence", f"a_n is the least {candidates} that is not an a_i or b_i with i < n, and {words}",
            (FindingCommand("def", "used", used), FindingCommand("eval", "", mex), claim),
            {"d": d, "e": e, "least": least},
        )
    ]


def linear(d: int, e: int) -> str:
    """Write d n + e."""
    multiple = {0: "", 1: "n"}.get(d, f"{d} n")
    if not multiple:
        return str(e)
    return multiple if not e else f"{multiple} {'+' if e > 0 else '-'} {abs(e)}"
