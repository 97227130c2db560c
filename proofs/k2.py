"""The P-positions of the game K^2 (Renard & Rigo, section 2; Theorem 2 is due to Komak et al.).

K^2 is Wythoff's game with the terminal positions {(x,y) : x+y <= 2}.  The P-positions are claimed to be

    (floor(n phi) + g(n) - 1, floor(n phi^2) + g(n)),  n >= 0,  and their mirror images.

A set P is the set of P-positions of such a game if it contains the terminal positions, is stable (no
move from a position of P that is not terminal leads into P) and absorbing (from every other position
that is not terminal a move leads into P).

What the printed formulas leave open.  The formula above gives neither (0,0) nor (1,1).  The printed
set adds a+b <= 1, so it still lacks (1,1), a terminal position; the printed stability and absorption
do not notice, since (1,1) is an N-position by their rules.  The strong forms take a+b <= 2 for the
terminal part and prove that all of {p+q <= 2} lies in P.  The corrected theorem: the P-positions of
K^2 are {x+y <= 2} and the pairs above, for n >= 2 (n = 0, 1 give (0,1) and (0,2)), in both orders.
"""

import fibprover as fp

PAPER = "Renard & Rigo 2026"

c = fp.Chapter("The game K^2", source=f"{PAPER}, Theorem 2", system="msd_fib")

# -- as printed ----------------------------------------------------------------------------------

# The word g, proved to be the g of the paper in hofstadter_g.py (Example 8).
c.word("G", [[0, 1], [2], [3, 1], [4, 5], [3, 5], [4]], [1, 0, 1, 1, 0, 1])

c.script('reg shift {0,1} {0,1} "([0,0]|([0,1][1,1]*[1,0]))*":')
c.script('def phin "?msd_fib (s=0 & n=0) | Ex $shift(n-1,x) & s=x+1":')
c.script('def pposK2_asym "?msd_fib (a+b<=1) | En,x $phin(n,x) & a+1=x+G[n] & b=x+n+G[n]":')
c.define(
    "pposK2", "?msd_fib $pposK2_asym(a,b) | $pposK2_asym(b,a)", states_paper=27, source=f"{PAPER}, section 2.3",
    statement="the automaton of the printed set of P-positions has 27 states",
)

STABLE = (
    "?msd_fib Ap,q,r,s (($pposK2(p,q) & $pposK2(r,s) & p>=r & q>=s & p+q>2)"
    " => ((p=r & q=s) | (p>r & q>s & p+s!=q+r)))"
)
ABSORBING = "?msd_fib Ap,q (~$pposK2(p,q) => Ex,y (x<=p & y<=q & $pposK2(x,y) & (p+y=q+x | p=x | q=y)))"

c.theorem(
    "K2.stable.printed", STABLE, form="printed",
    statement="no move leads from a position of the printed set with p+q > 2 to another position of that set",
)
c.theorem(
    "K2.absorbing.printed", ABSORBING, form="printed",
    statement="from every position outside the printed set a move leads into it",
)

# -- as the theorem needs it -----------------------------------------------------------------------

c.define("P_asym", "a+b<=2 | En,x $phin(n,x) & a+1=x+G[n] & b=x+n+G[n]")
c.define("P", "$P_asym(a,b) | $P_asym(b,a)")


def about(set_name: str, formula: str) -> str:
    """The formula about another set of positions in place of P."""
    return formula.replace("$P(", f"${set_name}(")


TERMINAL = "Ap,q p+q<=2 => $P(p,q)"
STABLE = STABLE.replace("$pposK2(", "$P(")
ABSORBING = "Ap,q ((p+q>2 & ~$P(p,q)) => Ex,y (x<=p & y<=q & $P(x,y) & (p+y=q+x | p=x | q=y)))"

c.theorem("K2.terminal", TERMINAL, statement="every terminal position, p+q <= 2, is in P")
c.theorem("K2.stable", STABLE, statement="no move leads from a position of P with p+q > 2 to a position of P")
c.theorem("K2.absorbing", ABSORBING, statement="from every position outside P with p+q > 2 a move leads into P")
c.theorem(
    "K2.positions",
    "Aa,b $P_asym(a,b) <=> (a+b<=2 | (En,x n>=2 & $phin(n,x) & a+1=x+G[n] & b=x+n+G[n]))",
    statement="P is x+y <= 2 and, for n >= 2, (floor(n phi) + g(n) - 1, floor(n phi^2) + g(n)), in both orders",
)
c.theorem(
    "K2.printed_lacks", "Aa,b $pposK2(a,b) <=> ($P(a,b) & ~(a=1 & b=1))",
    statement="the printed set is P without (1,1)",
)

# -- controls ----------------------------------------------------------------------------------------

c.theorem(
    "K2.positions.from_3",
    "Aa,b $P_asym(a,b) <=> (a+b<=2 | (En,x n>=3 & $phin(n,x) & a+1=x+G[n] & b=x+n+G[n]))",
    form="control", statement="P is x+y <= 2 and those pairs for n >= 3, in both orders (it fails at (3,6))",
)
c.theorem(
    "K2.printed_lacks.nothing", "Aa,b $pposK2(a,b) <=> $P(a,b)", form="control",
    statement="the printed set is P (it fails at (1,1))",
)
# Without (1,1): stability and absorption stay TRUE, only the condition on terminal positions fails.
c.define("without", "$P(a,b) & ~(a=1 & b=1)")
c.theorem(
    "K2.terminal.without_11", about("without", TERMINAL), form="control",
    statement="every terminal position is in P without (1,1) (the printed set)",
)
# The set of formula (2) by itself has neither (1,1) nor (0,0).
c.define("formula_asym", "En,x $phin(n,x) & a+1=x+G[n] & b=x+n+G[n]")
c.define("formula", "$formula_asym(a,b) | $formula_asym(b,a)")
c.theorem(
    "K2.terminal.formula_2", about("formula", TERMINAL), form="control", source=f"{PAPER}, formula (2)",
    statement="every terminal position is among (floor(n phi) + g(n) - 1, floor(n phi^2) + g(n)) and mirror images",
)
c.theorem(
    "K2.absorbing.formula_2", about("formula", ABSORBING), form="control", source=f"{PAPER}, formula (2)",
    statement="absorption for that set (it fails at (3,3), whose way is to (0,0) or (1,1))",
)
# (3,6) moved to (4,6): from (4,6) a move leads to (0,2), and (3,6) has no move into the set.
c.define("moved", "($P(a,b) & ~(a=3 & b=6)) | (a=4 & b=6)")
c.theorem(
    "K2.stable.moved", about("moved", STABLE), form="control",
    statement="stability with the position (3,6) of P moved to (4,6) (it fails from (4,6) to (0,2))",
)
c.theorem(
    "K2.absorbing.moved", about("moved", ABSORBING), form="control",
    statement="absorption with the position (3,6) of P moved to (4,6) (it fails at (3,6))",
)
# A position too few or too many: absorption fails, or stability does.
c.define("fewer", "$P(a,b) & ~(a=4 & b=8)")
c.theorem(
    "K2.absorbing.fewer", about("fewer", ABSORBING), form="control",
    statement="absorption for P without (4,8) (it fails at (4,8))",
)
c.define("more", "$P(a,b) | (a=3 & b=3)")
c.theorem(
    "K2.stable.more", about("more", STABLE), form="control",
    statement="stability for P with (3,3) (it fails from (3,3) to (0,0))",
)
# Another g(1) shows in the position n = 1, (0,2): it becomes (1,3), from which a move leads to (0,2).
c.word("G1", [[0, 6], [2], [3, 1], [4, 5], [3, 5], [4], [2]], [1, 0, 1, 1, 0, 1, 1])
c.define("other_g_asym", "a+b<=2 | En,x $phin(n,x) & a+1=x+G1[n] & b=x+n+G1[n]")
c.define("other_g", "$other_g_asym(a,b) | $other_g_asym(b,a)")
c.theorem(
    "K2.stable.other_g", about("other_g", STABLE), form="control",
    statement="stability for the set made with g(1) = 1 (it fails from (1,3) to (0,2))",
)

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
