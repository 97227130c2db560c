"""Proves which moves of the (s,m)-games are redundant, s, m <= 6; `python website/redundant.py` writes the results.

Each move of one pile is needed; of the moves on both piles, (i,j) with 0 < i <= j < s i + m and the other way round,
the needed ones are listed where they are finitely many, and otherwise the redundant ones are described.
"""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter
from typing import Any

import fibprover as fp
from fibprover.base.errors import BudgetSpent
from fibprover.games.findings.context import GameContext
from fibprover.games.findings.describe import describe_set
from fibprover.games.findings.moves import redundant_moves

RESULTS = Path(__file__).resolve().parent.parent / "proofs" / "redundant.json"

#: CPU seconds for the positions and for the moves of a game.
SECONDS = 60.0

MOST, LISTED = 6, 400


def proved(s: int, m: int) -> dict[str, Any] | None:
    """Return what is proved of the (s,m)-game; None if the time does not suffice."""
    begun = perf_counter()
    system = f"msd_fraenkel_{s}_{m}" if s > 1 else f"msd_wythoff_{m}" if m > 1 else "msd_fib"
    limits = fp.Limits(cpu_seconds=SECONDS)
    try:
        theorem = fp.discover(f"wythoff({s},{m})", systems=[system], with_findings=False, limits=limits)
        if not theorem:
            return None
        found = theorem.discovery
        context = GameContext(found.game, theorem.automaton, theorem.system, found.data, limits)
        moves = redundant_moves(context)
        assert moves is not None
        context.session.define("redundant", moves)
        i, j = fp.variables("i j")
        both = (i > 0) & (i <= j) & (j < s * i + m)
        needed = context.session.relation(both & ~fp.call("redundant", i, j), limits=limits)
        single = context.session.prove(~fp.exists(i, fp.call("redundant", i, 0) | fp.call("redundant", 0, i)))
        finite = needed.is_finite()
        return {
            "s": s, "m": m, "states": moves.states, "single_needed": bool(single),
            "needed": sorted(map(list, needed.first(LISTED))) if finite else None,
            "redundant": None if finite else describe_set(context, moves),
            "seconds": round(perf_counter() - begun, 1),
        }
    except BudgetSpent:
        return None


if __name__ == "__main__":
    rows: list[dict[str, Any]] = []
    for total in range(2, 2 * MOST + 1):
        for s in range(max(1, total - MOST), min(MOST, total - 1) + 1):
            row = proved(s, total - s)
            print(s, total - s, row, flush=True)
            if row is not None:
                rows.append(row)
                RESULTS.write_text(json.dumps(rows) + "\n")
