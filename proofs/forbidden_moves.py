"""The moves that can be added to Wythoff's game, or removed from it, without a change of its P-positions.

A move (i,j), which takes i and j from the two piles, is forbidden if it leads from one P-position to
another; whatever other moves are allowed besides those of the game, its P-positions stay the same.  A
move of the game is redundant if without it the P-positions stay the same.

Duchêne, Fraenkel, Nowakowski and Rigo (2010) show that no move of the game is redundant, and which moves are
not forbidden.  Renard's slides "Automatic proofs in combinatorial game theory"
(Numeration 2025) report that the first is proved, and a conjecture on the set of forbidden moves; they print
neither formulas nor the conjecture.  The two descriptions here were found by computation.  With
a_n = floor(n phi) and b_n = floor(n phi^2), a move (i,j) with i <= j is forbidden if and only if it is

- (a_n,b_n) or (a_n + 1, b_n + 1), n >= 1, or
- (a_n - b_k, b_n - a_k) with k >= 1;

and, row by row, if and only if

- j = floor(i phi) + 1 + b, where b is 0 or a b_k, k >= 1, and i+b is an a_n, n >= 1, or
- j = floor(i phi), and i-1 is an a_n, n >= 1.
"""

import fibprover as fp

EXTENSIONS = "Duchêne, Fraenkel, Nowakowski & Rigo 2010"

c = fp.Chapter("Forbidden moves of Wythoff's game", source="found by computation", system="msd_fib")

c.script("""
reg end_even_zeros msd_fib "0*(00|0*1)*":
reg left_shift {0,1} {0,1} "([0,0]|([0,1][1,1]*[1,0]))*":
def ppos_asym "?msd_fib $end_even_zeros(a) & $left_shift(a,b)":
def ppos "?msd_fib $ppos_asym(a,b) | $ppos_asym(b,a)":
def phin "(s=0 & n=0) | Ex $left_shift(n-1,x) & s=x+1":
def pair "a>0 & $ppos_asym(a,b)":
""")
c.define("move", "(i>0 & j=0) | (i=0 & j>0) | (i>0 & i=j)")
c.define("forbidden", "(i>0 | j>0) & Ep,q $ppos(p,q) & $ppos(p+i,q+j)")

# -- the forbidden moves -------------------------------------------------------------------------------

c.theorem(
    "forbidden.none_of_the_game", "Ai,j $move(i,j) => ~$forbidden(i,j)", source="Fraenkel 1982",
    statement="no move of the game is forbidden",
)
c.theorem(
    "forbidden.none_of_the_game.others", "Ai,j (i>0 & j>0) => ~$forbidden(i,j)", form="control", source="Fraenkel 1982",
    statement="no move that takes from both piles is forbidden (it fails at (1,2))",
)
c.theorem(
    "forbidden.symmetric", "Ai,j $forbidden(i,j) <=> $forbidden(j,i)",
    statement="the forbidden moves are symmetric",
)
c.theorem(
    "forbidden.symmetric.translated", "Ai,j $forbidden(i,j) <=> $forbidden(i+1,j+1)", form="control",
    statement="they are closed under adding and subtracting (1,1) (it fails at (0,1))",
)

c.define("same_order", "$pair(i,j) | $pair(i-1,j-1)")
c.define("other_order", "Ea,b,d,e $pair(a,b) & $pair(d,e) & i+e=a & j+d=b")
DIFFERENCES = "Ai,j i<=j => ($forbidden(i,j) <=> ({}))"
c.theorem(
    "forbidden.differences", DIFFERENCES.format("$same_order(i,j) | $other_order(i,j)"),
    statement="(i,j) with i <= j is forbidden if and only if it is (a_n,b_n) or (a_n + 1, b_n + 1), n >= 1, or"
    " (a_n - b_k, b_n - a_k), k >= 1",
)
c.theorem(
    "forbidden.differences.without_1", DIFFERENCES.format("$pair(i,j) | $other_order(i,j)"), form="control",
    statement="the same without (a_n + 1, b_n + 1) (it fails at (2,3))",
)
c.theorem(
    "forbidden.differences.same_order", DIFFERENCES.format("$same_order(i,j)"), form="control",
    statement="the same without (a_n - b_k, b_n - a_k) (it fails at (1,4))",
)

c.define("lower", "Eb $pair(a,b)")
c.define("upper", "Ea $pair(a,b)")
ROWS = "Ai,j,f ($phin(i,f) & i<=j) => ($forbidden(i,j) <=> ({} | (Eb (b=0 | $upper(b)) & {}j=f+1+b)))"
c.theorem(
    "forbidden.rows", ROWS.format("(j=f & $lower(i-1))", "$lower(i+b) & "),
    statement="(i,j) with i <= j is forbidden if and only if j = floor(i phi) + 1 + b, b being 0 or a b_k, and i+b an"
    " a_n, or j = floor(i phi), i-1 being an a_n (k, n >= 1)",
)
c.theorem(
    "forbidden.rows.every_b", ROWS.format("(j=f & $lower(i-1))", ""), form="control",
    statement="the same whether i+b is an a_n or a b_n (it fails at (0,1))",
)
c.theorem(
    "forbidden.rows.every_i", ROWS.format("(i>0 & j=f)", "$lower(i+b) & "), form="control",
    statement="the same whether i-1 is an a_n or a b_n (it fails at (1,1))",
)

# -- the moves of the game -----------------------------------------------------------------------------

NEEDED = (
    "Ai,j $move(i,j) => (Ep,q p>=i & q>=j & ~$ppos(p,q) & $ppos(p-i,q-j)"
    " & (Ar,s ($move(p-r,q-s) & $ppos(r,s)) => (r=p-i & s=q-j)))"
)
c.theorem(
    "wythoff.needed", NEEDED, source=EXTENSIONS,
    statement="no move is redundant: from some N-position it is the only one that leads to a P-position",
)
c.theorem(
    "wythoff.needed.with_1_3", NEEDED.replace("$move(i,j) =>", "($move(i,j) | (i=1 & j=3)) =>").replace(
        "$move(p-r,q-s)", "($move(p-r,q-s) | (p=r+1 & q=s+3))"
    ), form="control", source=EXTENSIONS,
    statement="nor is (1,3), if it is allowed as well (it fails at (1,3))",
)

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
