"""The P-positions of 2-Splithoff, which Fokkink & Rust 2022 leave open (section 9, Table 7).

In 2-Splithoff a double takes k > 0 counters from one pile and l > 0 from the other with |k-l| < 2; if it clears a
pile, the player may split the other one into two.  The paper conjectures that the P-positions can be coded by the
Tribonacci word, from a table of sixteen.  Here they are, but for (0,0), (A_n, B_n), n >= 1, with

    A_n = X^2_n - 2 X^1_n + X^0_n,   B_n = X^2_n - X^0_n,

X^i_n being the position of the n-th letter i in the Tribonacci word, and in the other order.  So A_n and B_n are
the difference and the sum of the n-th P-position (a_n, b_n) of Splithoff, B_n - A_n = 2 a_n, and A_n + B_n = 2 b_n:
differences and sums are each even number once, while a double changes the difference by less than 2.
"""

from _bonacci import PAPER, declare_row, declare_tables, declare_used, mex, partition
from _splithoff import absorbing, stable

import fibprover as fp

NEW = f"conjectured in {PAPER}, section 9"

c = fp.Chapter("2-Splithoff", source=NEW, system="msd_trib")

declare_tables(c, 3)
declare_row(c, "an", "Eu,v,w $x0(n,u) & $x1(n,v) & $x2(n,w) & x+2*v=w+u")
declare_row(c, "bn", "Eu,w $x0(n,u) & $x2(n,w) & x+u=w")
c.define("P", "(p=0 & q=0) | (En $an(n,p) & $bn(n,q)) | (En $an(n,q) & $bn(n,p))")

# -- the game --------------------------------------------------------------------------------------

c.theorem("2splithoff.stable", stable(2), statement="no move leads from one position of the set to another")
c.theorem("2splithoff.absorbing", absorbing(2), statement="from every position outside the set a move leads into it")
c.theorem("2splithoff.terminal", "$P(0,0)", statement="(0,0), from which there is no move, is in the set")
c.theorem(
    "2splithoff.ordered", "An,x,y ($an(n,x) & $bn(n,y)) => x<y", statement="A_n < B_n, so both orders are taken once"
)

# -- controls of the game --------------------------------------------------------------------------

c.theorem(
    "2splithoff.stable.double_3", stable(3), form="control",
    statement="stability with the doubles and splits of 3-Splithoff (it fails from (1,3) to (0,0))",
)
c.theorem(
    "2splithoff.absorbing.double_1", absorbing(1), form="control",
    statement="absorption with the doubles and splits of Splithoff (it fails at (1,2))",
)
c.define("without", "$P(p,q) & ~(p=0 & q=0)")
c.theorem(
    "2splithoff.terminal.without_00", "$without(0,0)", form="control", statement="(0,0) is in the set without (0,0)"
)
c.theorem(
    "2splithoff.absorbing.without_00", absorbing(2, "without"), form="control",
    statement="absorption without (0,0) (it fails at (0,0))",
)
c.define("moved", "($P(p,q) & ~(p=2 & q=8)) | (p=2 & q=9)")
c.theorem(
    "2splithoff.stable.moved", stable(2, "moved"), form="control",
    statement="stability with the position (2,8) moved to (2,9) (it fails from (4,12) to (2,9))",
)
c.theorem(
    "2splithoff.absorbing.moved", absorbing(2, "moved"), form="control",
    statement="absorption with the position (2,8) moved to (2,9) (it fails at (2,8))",
)
c.theorem(
    "2splithoff.ordered.more", "An,x,y ($an(n,x) & $bn(n,y)) => x+2<y", form="control",
    statement="A_n + 2 < B_n (it fails at n = 1)",
)

# -- which splits it takes -------------------------------------------------------------------------

# A double that clears a pile of k counters takes l of the other one; by l-k there are three kinds of splits.
c.theorem(
    "2splithoff.splits", absorbing(2, splits=(0, 1)),
    statement="the splits with l = k-1 are redundant: absorption without them",
)
c.theorem(
    "2splithoff.splits.without_same", absorbing(2, splits=(-1, 1)), form="control",
    statement="absorption without the splits with l = k: they are needed (it fails at (2,6))",
)
c.theorem(
    "2splithoff.splits.without_more", absorbing(2, splits=(-1, 0)), form="control",
    statement="absorption without the splits with l = k+1: they are needed (it fails at (2,7))",
)

# -- the table -------------------------------------------------------------------------------------

START = "$an(1,1) & $bn(1,{})"
STEPS = (
    "An,x,y,u,v ($an(n,x) & $an(n+1,y) & $bn(n,u) & $bn(n+1,v)) =>"
    " ((W[n-1]={} & y=x+1 & v=u+5) | (W[n-1]={} & y=x+2 & v=u+4) | (W[n-1]={} & y=x+1 & v=u+3))"
)
c.theorem("2splithoff.start", START.format(3), statement="(A_1, B_1) = (1, 3)")
c.theorem("2splithoff.start.4", START.format(4), form="control", statement="(A_1, B_1) = (1, 4)")
c.theorem(
    "2splithoff.steps", STEPS.format(0, 1, 2),
    statement="(A_n, B_n) grows by (1,5), (2,4), (1,3) if the n-th letter of the Tribonacci word is 0, 1, 2",
)
c.theorem(
    "2splithoff.steps.swapped", STEPS.format(2, 1, 0), form="control",
    statement="it grows by (1,5), (2,4), (1,3) if the n-th letter is 2, 1, 0 (it fails at n = 1)",
)
c.theorem(
    "2splithoff.partition", partition(["an", "bn"]), statement="every x >= 1 is either some A_n or some B_n, not both"
)
c.theorem(
    "2splithoff.partition.from_0", partition(["an", "bn"], "x>=0"), form="control",
    statement="so is every x >= 0 (it fails at x = 0)",
)
TWICE = "An,x,y,u,v ($an(n,x) & $bn(n,y) & $d0({0},u) & $d1({0},v)) => (y=x+2*u & x+y=2*v & x=v-u & y=u+v)"
c.theorem(
    "2splithoff.twice", TWICE.format("n"),
    statement="A_n = b_n - a_n, B_n = a_n + b_n with (a_n, b_n) of Splithoff; B_n - A_n = 2 a_n, A_n + B_n = 2 b_n",
)
c.theorem(
    "2splithoff.twice.next", TWICE.format("n+1"), form="control",
    statement="so they are of the next P-position of Splithoff (it fails at n = 1)",
)

# -- the rules that generate it --------------------------------------------------------------------

declare_used(c, "used", ["an", "bn"])
c.define("used_differences", "Ei,u,v i<n & $an(i,u) & $bn(i,v) & (x+u=v | x=u+v)")
c.define("difference", "Eu,v $an(n,u) & $bn(n,v) & x+u=v")
EVEN = (
    "(An,x $difference(n,x) => ((Ez x=2*z) & x>=2 & ~$used_differences(n,x)))"
    " & (An,x,y ($difference(n,x) & y>=1 & 2*y<x) => ${}(n,2*y))"
)
c.theorem(
    "2splithoff.mex.a", mex("an", "used"), statement="A_n is the least number, from 1, that is no A_i or B_i, i < n"
)
c.theorem(
    "2splithoff.mex.a.row_b", mex("bn", "used"), form="control", statement="so is B_n (it fails at n = 1)"
)
c.theorem(
    "2splithoff.mex.b", EVEN.format("used_differences"),
    statement="B_n - A_n is the least even number, from 2, that is no B_i - A_i or A_i + B_i, i < n",
)
c.theorem(
    "2splithoff.mex.b.of_rows", EVEN.format("used"), form="control",
    statement="the even numbers below B_n - A_n are each some A_i or B_i, i < n (it fails at n = 2)",
)

# -- A at B_n --------------------------------------------------------------------------------------

ADDITIVE = "An,x,y,z ($an(n,x) & $bn(n,y) & $an(y,z)) => ({})"
c.theorem(
    "2splithoff.additive", ADDITIVE.format("z=x+y | z+1=x+y"), statement="A_m - A_n - B_n, where m = B_n, is 0 or -1"
)
c.theorem(
    "2splithoff.additive.wythoff", ADDITIVE.format("z=x+y"), form="control",
    statement="it is always 0, as in Wythoff's game (it fails at n = 3)",
)
OFTEN = "In (Ex,y,z $an(n,x) & $bn(n,y) & $an(y,z) & {})"
c.theorem(
    "2splithoff.additive.both", f"({OFTEN.format('z=x+y')}) & ({OFTEN.format('z+1=x+y')})",
    statement="it is infinitely often 0 and infinitely often -1",
)
c.theorem(
    "2splithoff.additive.both.plus_1", f"({OFTEN.format('z=x+y')}) & ({OFTEN.format('z=x+y+1')})", form="control",
    statement="it is infinitely often 0 and infinitely often 1",
)

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
