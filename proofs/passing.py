"""Games with a pass: Nim on two piles, Wythoff's game, 2-Wythoff and 3-Wythoff.

Once in the game, one of the players, whoever is first, may pass instead of moving, unless play has ended.  This is the
rule of Nim with a pass, which Gale asked about: Morrison, Friedman and Landsberg, "Combinatorial games with a pass: A
dynamical systems approach" (2012); Low and Chan, "An atlas of N- and P-positions in 'Nim with a pass'" (2015).  Nim on
three piles with a pass is open.

Let Q be the P-positions without the pass.  A set P is that of the P-positions while nobody has passed if the positions
at which play has ended are in it, no other position is both in P and in Q (the player to move would pass), no move
leads from another position of P into P (stable), and from every position outside P and Q a move leads into P
(absorbing).  For a move makes p+q smaller.

If one could pass at (0,0), too, P would be the positions of Sprague-Grundy value 1: a pass would be a Nim heap of 1.
In Wythoff's game (0,0) makes a difference at 14 positions only.

The automata lie in automata/passing/ and automata/grundy/.  `fibprover game 'wythoff()' --pass`, for example, has
inferred them from positions; the proofs do not depend on how they were found.
"""

import fibprover as fp

NEW = "new"

ONE_PILE = "(p=r & s<q) | (q=s & r<p)"

#: Where P-positions of Wythoff's game with a pass are not those of value 1, and the other way round; a <= b.
ONLY_WITH_PASS = ((0, 0), (1, 3), (2, 5), (6, 7))
ONLY_OF_VALUE_1 = ((0, 1), (2, 2), (3, 6), (5, 7))


def queen(m: int) -> str:
    """Return that a move of m-Wythoff leads from (p,q) to (r,s)."""
    return f"{ONE_PILE} | (r<p & s<q & p+s<q+r+{m} & q+r<p+s+{m})"


def declare(label: str, what: str, system: str, moves: str, first: tuple[int, int], without: str = "") -> fp.Chapter:
    """P is the set of P-positions of a game with a pass, with controls; return the chapter.

    label: the name of the file, and of the ids after "pass"; first: a P-position after (0,0); without: the file of the
    P-positions without the pass, which are those of Nim if there is none.
    """
    c = fp.Chapter(f"P-positions of {what} with a pass", source=NEW, system=system)
    c.load_predicate(f"automata/passing/{label}.txt", "inferred")
    c.define("P", "$inferred(a,b)")
    if without:
        c.load_predicate(f"automata/grundy/{without}.txt", "plain")
    c.define("Q", "$plain(a,b)" if without else "a=b")
    a, b = first
    c.define("fewer", f"$P(a,b) & ~(a={a} & b={b})")
    c.define("more", "$P(a,b) | (a=0 & b=1)")
    c.define("qmore", "$Q(a,b) | (a=0 & b=1)")
    plain = f"Ap,q,r,s ($Q(p,q) & $Q(r,s)) => ~({moves})"
    c.theorem(f"pass.{label}.plain.stable", plain,
              statement="without the pass, no move leads from one position of Q to another")
    c.theorem(f"pass.{label}.plain.stable.more", plain.replace("$Q(", "$qmore("), form="control",
              statement="so it is with (0,1) in Q (a move leads from there to (0,0))")
    c.theorem(f"pass.{label}.plain.absorbing", f"Ap,q ~$Q(p,q) => Er,s $Q(r,s) & ({moves})",
              statement="without the pass, from every other position a move leads into Q")
    c.theorem(f"pass.{label}.plain.absorbing.with_pass", f"Ap,q ~$P(p,q) => Er,s $P(r,s) & ({moves})", form="control",
              statement="so it is with P in place of Q")
    c.theorem(f"pass.{label}.ended", "$P(0,0)", statement="(0,0) is in P")
    c.theorem(f"pass.{label}.ended.next", "$P(0,1)", form="control", statement="(0,1) is in P")
    c.theorem(f"pass.{label}.disjoint", "Ap,q ($P(p,q) & p+q>0) => ~$Q(p,q)",
              statement="no other position of P is in Q, whence a player would pass")
    c.theorem(f"pass.{label}.disjoint.ended", "Ap,q $P(p,q) => ~$Q(p,q)", form="control",
              statement="P and Q are disjoint (they are not at (0,0))")
    stable = f"Ap,q,r,s ($P(p,q) & $P(r,s)) => ~({moves})"
    c.theorem(f"pass.{label}.stable", stable, statement="no move leads from one position of P to another")
    c.theorem(f"pass.{label}.stable.more", stable.replace("$P(", "$more("), form="control",
              statement="so it is with (0,1) in P (a move leads from there to (0,0))")
    absorbing = f"Ap,q (~$P(p,q) & ~$Q(p,q)) => Er,s $P(r,s) & ({moves})"
    c.theorem(f"pass.{label}.absorbing", absorbing, statement="from every position outside P and Q a move leads into P")
    c.theorem(f"pass.{label}.absorbing.fewer", absorbing.replace("$P(", "$fewer("), form="control",
              statement=f"so it is without ({a},{b}) in P (no move leads from there into P)")
    return c


def listed(pairs: tuple[tuple[int, int], ...]) -> str:
    """Return that (a,b) or (b,a) is one of some pairs."""
    return " | ".join(f"(a={a} & b={b}) | (a={b} & b={a})" for a, b in pairs)


nim = declare("nim", "Nim on two piles", "msd_2", ONE_PILE, (1, 2))
pairs = "Aa,b $P(a,b) <=> ((a=0 & b=0) | (Ek k>0 & ((a+1=2*k & b=2*k) | (b+1=2*k & a=2*k))))"
nim.theorem("pass.nim.pairs", pairs, statement="P is (0,0) and all (2k-1,2k) and (2k,2k-1), k > 0")
nim.theorem("pass.nim.pairs.zero", pairs.replace(" & b=0)", " & b=0 & a>0)"), form="control",
            statement="P is all (2k-1,2k) and (2k,2k-1) without (0,0)")

wythoff = declare("wythoff", "Wythoff's game", "msd_fib", queen(1), (1, 3), "wythoff_0")
wythoff.load_predicate("automata/grundy/wythoff_1.txt", "value_1")
differs = f"Aa,b (($P(a,b) & ~$value_1(a,b)) <=> ({listed(ONLY_WITH_PASS)}))"
differs += f" & (($value_1(a,b) & ~$P(a,b)) <=> ({listed(ONLY_OF_VALUE_1)}))"
wythoff.theorem(
    "pass.wythoff.value_1", differs,
    statement="P is the set of positions of value 1 with (0,0), (1,3), (2,5), (6,7) in place of (0,1), (2,2), (3,6), "
    "(5,7), and as much with the piles exchanged",
)
wythoff.theorem("pass.wythoff.value_1.fewer", differs.replace(listed(ONLY_WITH_PASS), listed(ONLY_WITH_PASS[:-1])),
                form="control", statement="so it is without (6,7)")

declare("wythoff_2", "2-Wythoff", "msd_wythoff_2", queen(2), (1, 4), "wythoff_2_0")
declare("wythoff_3", "3-Wythoff", "msd_wythoff_3", queen(3), (1, 5), "wythoff_3_0")
