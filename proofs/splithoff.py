"""The P-positions of Splithoff (Fokkink & Rust 2022).

Splithoff is Wythoff's game with one more move: a player who has cleared a pile by taking equally many counters
from both may split the other pile into two.  Its P-positions, but for (0,0), are (a_n, b_n), n >= 1, with

    a_n = X^1_n - X^0_n,   b_n = X^2_n - X^1_n,

X^i_n being the position of the n-th letter i in the Tribonacci word, and in the other order.  A set that contains
(0,0), the only position without a move, is the set of P-positions if no move leads from one of its positions
to another (stable), and from every other position one leads into it (absorbing).

What the printed text leaves open: the bounds -2 and 1 of Theorem 5 are conjectured to be -1 and 0, and the
acknowledgements say that Jeffrey Shallit has proved that with Walnut.  Here it is a separate theorem.
"""

from _bonacci import PAPER, declare_tables, declare_used, mex
from _splithoff import absorbing, moves, stable

import fibprover as fp

c = fp.Chapter("Splithoff", source=f"{PAPER}, Theorem 3", system="msd_trib")

declare_tables(c, 3)
c.define("an", "$d0(n,x)")
c.define("bn", "$d1(n,x)")
c.define("P", "(p=0 & q=0) | (En $an(n,p) & $bn(n,q)) | (En $an(n,q) & $bn(n,p))")

# -- the game --------------------------------------------------------------------------------------

SUM = "p+q{}r+s & (p=r | p=s | q=r | q=s | p+s=q+r | q=p+r+s)"
LEMMA_1 = f"Ap,q,r,s (p<=q & r<=s) => (({moves(1)} | {moves(1).translate(str.maketrans('rs', 'sr'))}) <=> ({SUM}))"
src = f"{PAPER}, Lemma 1"
c.theorem(
    "splithoff.lemma1", LEMMA_1.format(">"), source=src,
    statement="the moves lead from (x,y) to the (u,v) of lesser sum with a pile of (x,y), or y-x = v-u, or y-x = u+v",
)
c.theorem(
    "splithoff.lemma1.same_sum", LEMMA_1.format(">="), form="control", source=src,
    statement="so they do to those of the same sum (it fails at (0,0))",
)
c.theorem("splithoff.stable", stable(1), statement="no move leads from one position of the set to another")
c.theorem("splithoff.absorbing", absorbing(1), statement="from every position outside the set a move leads into it")
c.theorem("splithoff.terminal", "$P(0,0)", statement="(0,0), from which there is no move, is in the set")
c.theorem(
    "splithoff.ordered", "An,x,y ($an(n,x) & $bn(n,y)) => x<y", statement="a_n < b_n, so both orders are taken once"
)

# -- controls of the game --------------------------------------------------------------------------

c.theorem(
    "splithoff.stable.double_2", stable(2), form="control",
    statement="stability with the doubles and splits of 2-Splithoff (it fails from (1,2) to (0,0))",
)
c.theorem(
    "splithoff.absorbing.no_split", absorbing(1, splits=()), form="control",
    statement="absorption without splits, in Wythoff's game (it fails at (4,7))",
)
c.define("without", "$P(p,q) & ~(p=0 & q=0)")
c.theorem(
    "splithoff.terminal.without_00", "$without(0,0)", form="control", statement="(0,0) is in the set without (0,0)"
)
c.theorem(
    "splithoff.absorbing.without_00", absorbing(1, "without"), form="control",
    statement="absorption without (0,0) (it fails at (0,0))",
)
c.define("moved", "($P(p,q) & ~(p=3 & q=5)) | (p=3 & q=6)")
c.theorem(
    "splithoff.stable.moved", stable(1, "moved"), form="control",
    statement="stability with the position (3,5) moved to (3,6) (it fails from (3,6) to (1,2))",
)
c.theorem(
    "splithoff.absorbing.moved", absorbing(1, "moved"), form="control",
    statement="absorption with the position (3,5) moved to (3,6) (it fails at (3,5))",
)
c.theorem(
    "splithoff.ordered.more", "An,x,y ($an(n,x) & $bn(n,y)) => x+1<y", form="control",
    statement="a_n + 1 < b_n (it fails at n = 1)",
)

# -- the rules that generate them ------------------------------------------------------------------

src = f"{PAPER}, Lemma 2"
declare_used(c, "used", ["an", "bn"])
declare_used(c, "used_differences", ["dd0", "sigma"])
MEX = f"{mex('dd0', '{}')} & {mex('an', 'used')}"
c.theorem(
    "splithoff.mex", MEX.format("used_differences", "used_differences"), source=src,
    statement="b_n - a_n is the least number, from 1, that is no b_i - a_i or a_i + b_i, i < n; a_n no a_i or b_i",
)
declare_used(c, "used_no_sums", ["dd0"])
c.theorem(
    "splithoff.mex.no_sums", MEX.format("used_no_sums", "used_no_sums"), form="control", source=src,
    statement="the same with the differences b_i - a_i only, as in Wythoff's game (it fails at n = 3)",
)
c.theorem(
    "splithoff.rows", "An,x,y ($an(n,x) & $bn(n,y)) => ($dd0(n,y-x) & $sigma(n,x+y))", source=f"{PAPER}, Theorem 3",
    statement="the differences and the sums of the P-positions are the rows Delta and Sigma",
)
c.theorem(
    "splithoff.rows.next", "An,x,y ($an(n,x) & $bn(n,y)) => ($dd0(n+1,y-x) & $sigma(n,x+y))", form="control",
    source=f"{PAPER}, Theorem 3", statement="the differences are those of the next column (it fails at n = 1)",
)

# -- the word --------------------------------------------------------------------------------------

src = f"{PAPER}, Theorem 1"
c.define("twos", "(m=0 | (Ey $x2(m,y) & y<=x)) & (Ez $x2(m+1,z) & x<z)")
c.theorem(
    "splithoff.twos", "Ax E=1 m $twos(m,x)", source=src,
    statement="among the first x letters of the Tribonacci word there is some number m of letters 2",
)
c.theorem(
    "splithoff.twos.place", "Ax E=1 m $x2(m,x)", form="control", source=src,
    statement="every x is the position of some letter 2 (it fails at x = 0)",
)
DELETED = "An,x,m $twos(m,x) => (($x0(n,x) => $an(n,{0})) & ($x1(n,x) => $bn(n,{0})))"
c.theorem(
    "splithoff.theorem1", DELETED.format("x-m"), source=src,
    statement="when the letters 2 are deleted, the n-th 0 is at position a_n and the n-th 1 at position b_n",
)
c.theorem(
    "splithoff.theorem1.with_2", DELETED.format("x"), form="control", source=src,
    statement="so they are when no letter is deleted (it fails at n = 2)",
)
src = f"{PAPER}, Corollary 1"
COROLLARY = "An,x,y ($dd0(n,x) & $dd0(n+1,y)) => ((W[n-1]={0} & y=x+2) | (W[n-1]!={0} & y=x+1))"
c.theorem(
    "splithoff.corollary1", COROLLARY.format(1), source=src,
    statement="b_n - a_n grows by 2 if the n-th letter of the Tribonacci word is 1, by 1 otherwise",
)
c.theorem(
    "splithoff.corollary1.letter", COROLLARY.format(2), form="control", source=src,
    statement="it grows by 2 if the n-th letter is 2 (it fails at n = 2)",
)

# -- a at b_n --------------------------------------------------------------------------------------

src = f"{PAPER}, Theorem 5"
ADDITIVE = "An,x,y,z ($an(n,x) & $bn(n,y) & $an(y,z)) => ({})"
c.theorem(
    "splithoff.theorem5", ADDITIVE.format("x+y<=z+2 & z<=x+y+1"), source=src,
    statement="-2 <= a_m - a_n - b_n <= 1, where m = b_n",
)
c.theorem(
    "splithoff.theorem5.above", ADDITIVE.format("x+y<=z & z<=x+y+1"), form="control", source=src,
    statement="0 <= a_m - a_n - b_n <= 1 (it fails at n = 2)",
)
src = f"{PAPER}, section 8, conjecture; proved by J. Shallit (acknowledgements)"
c.theorem(
    "splithoff.additive", ADDITIVE.format("z=x+y | z+1=x+y"), source=src,
    statement="a_m - a_n - b_n, where m = b_n, is 0 or -1",
)
c.theorem(
    "splithoff.additive.wythoff", ADDITIVE.format("z=x+y"), form="control", source=src,
    statement="it is always 0, as in Wythoff's game (it fails at n = 2)",
)
OFTEN = "In (Ex,y,z $an(n,x) & $bn(n,y) & $an(y,z) & {})"
c.theorem(
    "splithoff.additive.both", f"({OFTEN.format('z=x+y')}) & ({OFTEN.format('z+1=x+y')})", source=src,
    statement="it is infinitely often 0 and infinitely often -1",
)
c.theorem(
    "splithoff.additive.both.plus_1", f"({OFTEN.format('z=x+y')}) & ({OFTEN.format('z=x+y+1')})", form="control",
    source=src, statement="it is infinitely often 0 and infinitely often 1",
)

src = "J. Shallit, Some Tribonacci conjectures (arXiv 2210.03996)"
BOTH = "An,x,y,z,w (n>0 & $an(n,x) & $bn(n,y) & $an(y,z) & $bn(x,w)) => ({})"
c.theorem(
    "splithoff.cassaigne.either", BOTH.format("z=x+y | w=x+y"), source=f"{src}, the first conjecture of J. Cassaigne",
    statement="a at b_n or b at a_n is a_n + b_n",
)
c.theorem(
    "splithoff.cassaigne.either.a", BOTH.format("z=x+y"), form="control", source=src,
    statement="a at b_n is always a_n + b_n (it fails at n = 2)",
)
c.theorem(
    "splithoff.cassaigne.three", BOTH.format("w<=x+y & x+y<=w+2"), source=f"{src}, his second conjecture",
    statement="a_n + b_n less b at a_n is 0, 1 or 2",
)
c.theorem(
    "splithoff.cassaigne.three.two", BOTH.format("w<=x+y & x+y<=w+1"), form="control", source=src,
    statement="a_n + b_n less b at a_n is 0 or 1",
)
c.theorem(
    "splithoff.cassaigne.three.sum", BOTH.format("z+w+1=2*x+2*y"), form="control",
    source=f"{src}, a conjecture of D. Rust, refuted",
    statement="the sum of a at b_n and b at a_n is 2 a_n + 2 b_n - 1",
)

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
