"""Dual games of m-Wythoff, m = 1, 2, 3, 4: no vector of P* is a difference of P.

Let P be the set of P-positions of m-Wythoff: the pairs of the complementary Beatty sequences of alpha and alpha + m,
alpha = (2 - m + sqrt(m^2 + 4))/2, and (0,0).  P* is the set of P-positions of the game whose moves are the vectors of
P but (0,0), and P** that of the game whose moves are the vectors of P* but (0,0).  Larsson, Hegarty and Fraenkel (2011)
prove that P** = P.  It seems that P* has no automaton, but half of this is a formula about P alone: that no vector of
P* leads from one position of P to another.

A position from which no vector of P but (0,0) can be taken is in P*: such is each one with an empty pile, and each one
with at most m counters in both piles.  Let d be a difference of two positions of P.  If a vector of P leads from d to a
position of this kind, then d is not in P*.
"""

from _representations import even_zeros, left_shift

import fibprover as fp

PAPER = "Larsson, Hegarty & Fraenkel 2011"

#: A vector (t,u) of P leads from (i,j) to a position at which play with the vectors of P has ended.
ENDS = "Et,u t>0 & $P(t,u) & t<=i & u<=j & $ended(i-t,j-u)"


def chapter(m: int) -> fp.Chapter:
    """The statements on one game, with controls."""
    c = fp.Chapter(f"The dual game of {m}-Wythoff", source=PAPER, system=f"msd_wythoff_{m}")
    label = f"dual_{m}"
    c.reg("even_zeros", [c.system], even_zeros(m))
    c.reg("left_shift", [range(m + 1), range(m + 1)], left_shift(m))
    c.define("pair", "$even_zeros(a) & $left_shift(a,b)")
    c.define("P", "$pair(a,b) | $pair(b,a)")
    c.define("difference", "(i>0 | j>0) & (Ep,q $P(p,q) & $P(p+i,q+j))")
    c.define("ended", f"i=0 | j=0 | (i<={m} & j<={m})")
    ended = "Ai,j $ended(i,j) <=> (At,u ($P(t,u) & {}) => ~(t<=i & u<=j))"
    c.theorem(
        f"{label}.ended", ended.format("t>0"),
        statement=f"no vector of P but (0,0) can be taken if a pile is empty or none has more than {m}; then only",
    )
    c.theorem(f"{label}.ended.with_00", ended.format("t=t"), form="control", statement="no vector of P can be taken")
    c.theorem(
        f"{label}.stable", f"Ai,j $difference(i,j) => ({ENDS})",
        statement="from each difference of P a vector of P leads to such a position: so none is in P*",
    )
    c.theorem(
        f"{label}.stable.all", f"Ai,j ~$ended(i,j) => ({ENDS})", form="control",
        statement="so it is from each position where play has not ended",
    )
    c.theorem(
        f"{label}.others", f"Ei,j ~$difference(i,j) & ({ENDS})", statement="so it is from other positions, too",
    )
    c.theorem(
        f"{label}.others.none", f"Ai,j ({ENDS}) => $difference(i,j)", form="control",
        statement="so it is from differences alone",
    )
    return c


games = [chapter(m) for m in (1, 2, 3, 4)]

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
