"""Nim on three piles, in normal and in misere play.

A set of positions is that of the P-positions if and only if no move leads from one of it to another (stable) and from
every other position a move leads into it (absorbing); for a move makes p+q+r smaller.  In misere play who cannot move
wins: then (0,0,0) is not in the set, and nothing has to lead from there.

The automata lie in automata/three_piles/.  `fibprover game 'nim3()'`, with and without --misere, has inferred them from
positions; the proofs do not depend on how they were found.  That the P-positions are those whose binary sum without
carries is 0 is Bouton's theorem (1901).
"""

import fibprover as fp

#: A move leads from (p,q,r) to (s,t,u).
MOVE = "(q=t & r=u & s<p) | (p=s & r=u & t<q) | (p=s & q=t & u<r)"

#: It takes the same number from all three piles.
SAME = "s<p & p+t=q+s & p+u=r+s"


def declare(label: str, what: str, ended: str, one: str, more: str) -> None:
    """Prove that an automaton has the P-positions, with controls.

    ended: positions at which play has ended in misere play; one: a P-position from which nothing leads into the
    others; more: a position that is none, to which a move leads from one or from which a move leads to one.
    """
    c = fp.Chapter(f"Nim on three piles: {what}", source="Bouton 1901", system="msd_2")
    c.load_predicate(f"automata/three_piles/{label}.txt", "inferred")
    c.define("P", "$inferred(a,b,c)")
    c.define("more", f"$P(a,b,c) | ({more})")
    c.define("fewer", f"$P(a,b,c) & ~({one})")
    stable = f"Ap,q,r,s,t,u ($P(p,q,r) & $P(s,t,u)) => ~({MOVE})"
    absorbing = f"Ap,q,r ~$P(p,q,r){ended} => Es,t,u $P(s,t,u) & ({MOVE})"
    c.theorem(f"{label}.stable", stable, statement="no move leads from one position of P to another")
    c.theorem(
        f"{label}.stable.more", stable.replace("$P(", "$more("), form="control",
        statement=f"so it is with {more} in P",
    )
    c.theorem(f"{label}.absorbing", absorbing, statement="from every other position a move leads into P")
    c.theorem(
        f"{label}.absorbing.fewer", absorbing.replace("$P(", "$fewer("), form="control",
        statement=f"so it is without {one} in P",
    )
    c.theorem(
        f"{label}.one", "Ap,q E=1 r $P(p,q,r)", statement="two piles determine the third",
    )
    c.theorem(
        f"{label}.one.more", "Ap,q E=1 r $more(p,q,r)", form="control", statement=f"so it is with {more} in P",
    )
    wider = f"Ap,q,r,s,t,u ($P(p,q,r) & $P(s,t,u)) => ~({SAME})"
    c.theorem(
        f"{label}.same", wider,
        statement="a move that takes the same number from all three piles may be allowed without changing P",
    )
    c.theorem(
        f"{label}.same.two", wider.replace(" & p+u=r+s", " & r=u"), form="control",
        statement="one that takes the same number from two piles may be allowed",
    )


declare("nim3", "normal play", "", "a=0 & b=0 & c=0", "a=0 & b=0 & c=1")
declare("nim3_misere", "misere play", " & p+q+r>0", "a=0 & b=0 & c=1", "a=0 & b=0 & c=2")
