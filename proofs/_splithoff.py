"""Splithoff and a-Splithoff (Fokkink & Rust 2022, sections 2 and 9): the rules, and what a set of P-positions is.

From a position (p,q), two piles, a player takes some counters from one pile (a single), or k > 0 from one and
l > 0 from the other with |k-l| < a (a double); if a double clears a pile, the player may also split the other
one into two (a split).  Splithoff itself is a = 1.  Moves are from (p,q) to (r,s); a set of positions holds
both orders of its pairs, so that it does not matter which pile is which.
"""

from collections.abc import Sequence

SINGLE = "(p=r & s<q) | (q=s & r<p)"


def double(a: int) -> str:
    """A move that takes k and l."""
    return f"Ek,l k>0 & l>0 & k<l+{a} & l<k+{a} & p=r+k & q=s+l"


def split(extra: int) -> str:
    """A double has cleared one pile of x > 0 counters and taken x + extra > 0 of the other, r+s are left of it."""
    pairs = (("p", "q"), ("q", "p"))
    if extra < 0:
        # x - 1 counters, of which there must be some.
        return " | ".join(f"({x}>{-extra} & r+s+{x}={y}{-extra:+d})" for x, y in pairs)
    plus = f"+{extra}" if extra else ""
    return " | ".join(f"({x}>0 & r+s+{x}{plus}={y})" for x, y in pairs)


def moves(a: int, splits: Sequence[int] | None = None) -> str:
    """There is a move from (p,q) to (r,s); splits: which ones are allowed, all of them unless given."""
    kinds = [SINGLE, double(a), *map(split, range(1 - a, a) if splits is None else splits)]
    return " | ".join(f"({kind})" for kind in kinds)


STABLE = "Ap,q,r,s ($P(p,q) & $P(r,s)) => ~({moves})"
ABSORBING = "Ap,q ~$P(p,q) => (Er,s $P(r,s) & ({moves}))"


def stable(a: int, name: str = "P", splits: Sequence[int] | None = None) -> str:
    """No move leads from a position of a set to a position of the set."""
    return STABLE.replace("$P(", f"${name}(").format(moves=moves(a, splits))


def absorbing(a: int, name: str = "P", splits: Sequence[int] | None = None) -> str:
    """From every position outside a set a move leads into it."""
    return ABSORBING.replace("$P(", f"${name}(").format(moves=moves(a, splits))
