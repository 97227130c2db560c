"""Positions of Sprague-Grundy value 1 (and 2) of Wythoff's game, m-Wythoff and K^l.

The value of a position is the least natural number that is not the value of an option; P-positions have value 0.  The
positions of value g are the P-positions of the game without those of smaller values: a set of positions, none of which
has a smaller value, is theirs if and only if no move leads from one of it to another (stable), and from every
other position of no smaller value a move leads into it (absorbing).  For a move makes p+q smaller.

The automata lie in automata/grundy/.  `fibprover game GAME --value G` has inferred them from positions; the proofs do
not depend on how they were found.

For Wythoff's game Blass and Fraenkel (1990) showed that the n-th positions of value 1 and 0 lie within a bounded
distance, and Nivasch (2009) that those of each value do; if a conjecture on their convergence holds, the n-th one is
found by O(log n) arithmetic operations.  Here the set of those of value 1 is an automaton of 825 states, without a
conjecture.  "Near" says that some P-position, not the n-th one, differs by at most so many counters in each pile: for
Wythoff's game 3, which is exact.
"""

import fibprover as fp

NEW = "new"


def move(m: int) -> str:
    """Return that a move of m-Wythoff leads from (p,q) to (r,s)."""
    return f"(p=r & s<q) | (q=s & r<p) | (r<p & s<q & p+s<q+r+{m} & q+r<p+s+{m})"


def near(distance: int) -> str:
    """Return that every position of the set V is so near to a P-position."""
    sides = (("p", "r"), ("r", "p"), ("q", "s"), ("s", "q"))
    bounds = " & ".join(f"{x}<={y}+{distance}" for x, y in sides)
    return f"Ap,q $V(p,q) => Er,s $P(r,s) & {bounds}"


def declare_p_positions(c: fp.Chapter, label: str, m: int, terminal: int) -> None:
    """P is the set of P-positions, with controls; positions (a,b) with a+b <= terminal are terminal."""
    one = f"{label}.value_0"
    c.define("more", f"$P(a,b) | (a=0 & b={terminal + 1})")
    c.define("fewer", "$P(a,b) & ~(a=0 & b=0)")
    stable = f"Ap,q,r,s ($P(p,q) & p+q>{terminal} & $P(r,s)) => ~({move(m)})"
    absorbing = f"Ap,q ~$P(p,q) => Er,s $P(r,s) & ({move(m)})"
    if terminal:
        c.theorem(
            f"{one}.terminal", f"Aa,b a+b<={terminal} => $P(a,b)", statement="terminal positions are in P",
        )
        c.theorem(
            f"{one}.terminal.more", f"Aa,b a+b<={terminal + 1} => $P(a,b)", form="control",
            statement=f"so are those with one counter more (it fails at (0,{terminal + 1}))",
        )
    c.theorem(f"{one}.stable", stable, statement="no move leads from a position of P that is not terminal into P")
    c.theorem(
        f"{one}.stable.more", stable.replace("$P(", "$more("), form="control",
        statement=f"so it is with (0,{terminal + 1}) in P (a move leads from there to (0,0))",
    )
    c.theorem(f"{one}.absorbing", absorbing, statement="from every other position a move leads into P")
    c.theorem(
        f"{one}.absorbing.fewer", absorbing.replace("$P(", "$fewer("), form="control",
        statement="so it is without (0,0) in P (no move leads from there)",
    )


def declare_values(
    label: str, what: str, system: str, *, m: int = 1, distances: tuple[int, ...], terminal: int = 0
) -> None:
    """The positions of values 0, 1, 2, ... of a game with the moves of m-Wythoff, with controls.

    label: begins the ids, and is the name of the files; distances: for each value above 0, the least distance from a
    P-position within which all its positions lie; terminal: positions (a,b) with a+b <= terminal are terminal.
    """
    c = fp.Chapter(f"Sprague-Grundy values of {what}", source=NEW, system=system)
    c.load_predicate(f"automata/grundy/{label}_0.txt", "inferred0")
    c.define("P", "$inferred0(a,b)")
    declare_p_positions(c, label, m, terminal)
    smaller = ["~$P(p,q)"]
    for value, distance in enumerate(distances, start=1):
        b = terminal + value  # (0,b) has this value
        one = f"{label}.value_{value}"
        c.load_predicate(f"automata/grundy/{label}_{value}.txt", f"inferred{value}")
        c.define("V", f"$inferred{value}(a,b)")
        c.define("more", f"$V(a,b) | (a=0 & b={b + 1})")
        c.define("fewer", f"$V(a,b) & ~(a=0 & b={b})")
        c.define("wider", "$V(a,b) | (a=0 & b=0)")
        stable = f"Ap,q,r,s ($V(p,q) & $V(r,s)) => ~({move(m)})"
        absorbing = f"Ap,q ({' & '.join(smaller)} & ~$V(p,q)) => Er,s $V(r,s) & ({move(m)})"
        others = " and ".join(part.replace("~", "not ") for part in smaller)
        disjoint = f"Ap,q $V(p,q) => ({' & '.join(smaller)})"
        c.theorem(f"{one}.disjoint", disjoint, statement=f"no position of V has a value below {value}")
        c.theorem(
            f"{one}.disjoint.wider", disjoint.replace("$V(", "$wider("), form="control",
            statement="so it is with (0,0) in V (it fails at (0,0))",
        )
        c.theorem(f"{one}.stable", stable, statement="no move leads from one position of V to another")
        c.theorem(
            f"{one}.stable.more", stable.replace("$V(", "$more("), form="control",
            statement=f"so it is with (0,{b + 1}) in V (a move leads from there to (0,{b}))",
        )
        c.theorem(
            f"{one}.absorbing", absorbing,
            statement=f"from every other position whose value is not below {value} ({others}) a move leads into V",
        )
        c.theorem(
            f"{one}.absorbing.fewer", absorbing.replace("$V(", "$fewer("), form="control",
            statement=f"so it is without (0,{b}) in V (no move leads from there into V)",
        )
        c.theorem(f"{one}.rows", "Ap E=1 q $V(p,q)", statement="every row has exactly one position of V")
        c.theorem(
            f"{one}.rows.more", "Ap E=1 q $more(p,q)", form="control",
            statement=f"so it is with (0,{b + 1}) in V (it fails at p = 0)",
        )
        c.theorem(
            f"{one}.near", near(distance),
            statement=f"a P-position differs from each position of V by at most {distance} in each pile",
        )
        c.theorem(
            f"{one}.near.nearer", near(distance - 1), form="control",
            statement=f"one differs by at most {distance - 1}",
        )
        smaller.append(f"~$inferred{value}(p,q)")


declare_values("wythoff", "Wythoff's game", "msd_fib", distances=(3,))
declare_values("k1", "K^1", "msd_fib", distances=(1,), terminal=1)
declare_values("k2", "K^2", "msd_fib", distances=(2,), terminal=2)
declare_values("k3", "K^3", "msd_fib", distances=(2,), terminal=3)
declare_values("k4", "K^4", "msd_fib", distances=(4,), terminal=4)
declare_values("wythoff_2", "2-Wythoff", "msd_wythoff_2", m=2, distances=(2, 2))
declare_values("wythoff_3", "3-Wythoff", "msd_wythoff_3", m=3, distances=(2, 2))
