"""Games in which it depends on the position how many counters a move may take.

A move from (p,q) takes i counters from the first pile and j from the second, not (i,j) = (0,0), by a rule about i, j, p
and q.  A set is that of the P-positions if no move leads from one of its positions to another (stable) and a move leads
into it from every other position (absorbing).  For a move makes p+q smaller.

The automata lie in automata/position_rules/.  `fibprover game 'i=0 | j=0 | (i=j & p<=2*q & q<=2*p)'`, for example, has
inferred them from positions; the proofs do not depend on how they were found.
"""

import fibprover as fp

NEW = "new"


def declare(label: str, what: str, system: str, rule: str, lost: tuple[int, int] = (0, 1)) -> fp.Chapter:
    """P is the set of P-positions of a game, with controls; return the chapter.

    label: the name of the file, and of the ids after "position"; lost: a position that is not in P.
    """
    c = fp.Chapter(f"P-positions where a move takes {what}", source=NEW, system=system)
    c.load_predicate(f"automata/position_rules/{label}.txt", "inferred")
    c.define("P", "$inferred(a,b)")
    a, b = lost
    c.define("more", f"$P(a,b) | (a={a} & b={b})")
    c.define("fewer", "$P(a,b) & ~(a=0 & b=0)")
    move = f"(Ei,j (i>0 | j>0) & p=r+i & q=s+j & ({rule}))"
    stable = f"Ap,q,r,s ($P(p,q) & $P(r,s)) => ~{move}"
    absorbing = f"Ap,q ~$P(p,q) => Er,s $P(r,s) & {move}"
    one = f"position.{label}"
    c.theorem(f"{one}.stable", stable, statement=f"no move leads from one position of P to another ({rule})")
    c.theorem(f"{one}.stable.more", stable.replace("$P(", "$more("), form="control",
              statement=f"so it is with ({a},{b}) in P (a move leads from there into P)")
    c.theorem(f"{one}.absorbing", absorbing, statement="from every other position a move leads into P")
    c.theorem(f"{one}.absorbing.fewer", absorbing.replace("$P(", "$fewer("), form="control",
              statement="so it is without (0,0) in P (no move leads from there)")
    return c


near = declare(
    "near", "from one pile, or the same from both where neither is more than twice the other", "msd_fib",
    "i=0 | j=0 | (i=j & p<=2*q & q<=2*p)",
)
near.load_predicate("automata/grundy/wythoff_0.txt", "wythoff")
near.theorem("position.near.wythoff", "Aa,b $P(a,b) <=> $wythoff(a,b)",
             statement="P is the set of P-positions of Wythoff's game")
near.theorem("position.near.wythoff.more", "Aa,b $more(a,b) <=> $wythoff(a,b)", form="control",
             statement="so it is with (0,1) in P")
declare(
    "keep", "from one pile, or the same from both without clearing one", "msd_fib", "i=0 | j=0 | (i=j & i<p & j<q)",
)
declare(
    "other", "from one pile at most as many as the other has and one more", "msd_4", "(i=0 & j<=p+1) | (j=0 & i<=q+1)",
)
declare(
    "twice", "from one pile at most twice as many as the other has and one more", "msd_2",
    "(i=0 & j<=2*p+1) | (j=0 & i<=2*q+1)",
)
declare(
    "as_many", "from one pile at most as many as the other has, or the same from both", "msd_2",
    "(i=0 & j<=p) | (j=0 & i<=q) | i=j", (1, 1),
)
declare(
    "even", "from one pile, or the same from both where the first pile is even", "msd_2",
    "i=0 | j=0 | (i=j & (Ek p=2*k))",
)
