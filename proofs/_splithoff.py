"""Splithoff and a-Splithoff (Fokkink & Rust 2022, sections 2 and 9): rules, and conditions on the P-positions.

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


def split(a: int, kinds: Sequence[int] | None = None) -> str:
    """A move that takes all of one pile, k > 0 of them, and l of the other one, of which r+s are left.

    kinds: which differences l-k are allowed, all of them unless given.
    """
    cases = []
    for k, other in (("p", "q"), ("q", "p")):
        near = f"{k}<l+{a} & l<{k}+{a}"
        if kinds is not None:
            near = " | ".join(f"l+{-kind}={k}" if kind < 0 else f"l={k}+{kind}" for kind in kinds)
        cases.append(f"(El {k}>0 & l>0 & ({near}) & {other}=r+s+l)")
    return " | ".join(cases)


def moves(a: int, splits: Sequence[int] | None = None) -> str:
    """There is a move from (p,q) to (r,s); splits: which ones are allowed, by l-k, all of them unless given."""
    kinds = [SINGLE, double(a)]
    if splits is None or splits:
        kinds.append(split(a, splits))
    return " | ".join(f"({kind})" for kind in kinds)


STABLE = "Ap,q,r,s ($P(p,q) & $P(r,s)) => ~({moves})"
ABSORBING = "Ap,q ~$P(p,q) => (Er,s $P(r,s) & ({moves}))"


def stable(a: int, name: str = "P", splits: Sequence[int] | None = None) -> str:
    """No move leads from a position of a set to a position of the set."""
    return STABLE.replace("$P(", f"${name}(").format(moves=moves(a, splits))


def absorbing(a: int, name: str = "P", splits: Sequence[int] | None = None) -> str:
    """From every position outside a set a move leads into it."""
    return ABSORBING.replace("$P(", f"${name}(").format(moves=moves(a, splits))
