"""Fraenkel's theorem: the P-positions of Wythoff's game, which is K^0.

(a,b) with a <= b is a P-position if and only if the Fibonacci representation of a ends in an even
number of zeros and that of b is the representation of a with a zero appended.  The only terminal
position is (0,0): the representation of 0 is empty and ends in no zeros.

The definitions and the two tests are those of the slides "Using Walnut for Wythoff's game".  The
tests are what the theorem needs: (0,0) is in the set by its definition, and absorption, which
asks for it at (0,0) too, would be FALSE without it.
"""

import fibprover as fp

c = fp.Chapter("Wythoff's game", source="Fraenkel 1982", system="msd_fib")

# -- as printed ----------------------------------------------------------------------------------

c.script("""
reg end_even_zeros msd_fib "0*(00|0*1)*":
reg left_shift {0,1} {0,1} "([0,0]|([0,1][1,1]*[1,0]))*":
def ppos_asym "?msd_fib $end_even_zeros(a) & $left_shift(a,b)":
def ppos "?msd_fib $ppos_asym(a,b) | $ppos_asym(b,a)":
""")

STABLE = (
    "?msd_fib Ap,q,r,s (($ppos(p,q) & $ppos(r,s) & p>=r & q>=s)"
    " => ((p=r & q=s) | (p>r & q>s & p+s!=q+r)))"
)
ABSORBING = "?msd_fib Ap,q (~$ppos(p,q) => Ex,y (x<=p & y<=q & $ppos(x,y) & (p+y=q+x | p=x | q=y)))"
TERMINAL = "$ppos(0,0)"

c.theorem("K0.example", "?msd_fib $ppos(6,10)", form="printed", statement="(6,10) is a P-position of Wythoff's game")
c.theorem("K0.stable", STABLE, form="printed", statement="no move leads from one position of the set to another")
c.theorem(
    "K0.absorbing", ABSORBING, form="printed", statement="from every position outside the set a move leads into it"
)

# -- what else the theorem says --------------------------------------------------------------------

c.theorem("K0.terminal", TERMINAL, statement="the terminal position (0,0) is in the set")
c.theorem(
    "K0.ordered", "Aa,b $ppos_asym(a,b) => a<=b",
    statement="a <= b in the pairs of the theorem, so both orders are taken once",
)
c.script('def phin "(s=0 & n=0) | Ex $left_shift(n-1,x) & s=x+1":')
c.theorem(
    "K0.floor", "Aa,b $ppos_asym(a,b) <=> (En $phin(n,a) & b=a+n)", source="Wythoff 1907",
    statement="the pairs with a <= b are (floor(n phi), floor(n phi^2)), n >= 0",
)

# -- controls ----------------------------------------------------------------------------------------


def about(set_name: str, formula: str) -> str:
    """The formula about another set of positions in place of the P-positions."""
    return formula.replace("$ppos(", f"${set_name}(")


c.define("without", "$ppos(a,b) & ~(a=0 & b=0)")
c.theorem(
    "K0.terminal.without_00", about("without", TERMINAL), form="control",
    statement="(0,0) is in the set without (0,0)",
)
c.theorem(
    "K0.absorbing.without_00", about("without", ABSORBING), form="control",
    statement="absorption without (0,0) (it fails at (0,0), and at every (0,q))",
)
c.theorem(
    "K0.ordered.strictly", "Aa,b $ppos_asym(a,b) => a<b", form="control",
    statement="a < b in the pairs of the theorem (it fails at (0,0))",
)
# (1,2) moved to (2,2): from (2,2) a move leads to (0,0), and (1,2) has no move into the set.
c.define("moved", "($ppos(a,b) & ~(a=1 & b=2)) | (a=2 & b=2)")
c.theorem(
    "K0.stable.moved", about("moved", STABLE), form="control",
    statement="stability with the position (1,2) moved to (2,2) (it fails from (2,2) to (0,0))",
)
c.theorem(
    "K0.absorbing.moved", about("moved", ABSORBING), form="control",
    statement="absorption with the position (1,2) moved to (2,2) (it fails at (1,2))",
)
# An odd number of zeros instead: (0,0) is lost, the pairs are (2,3), (5,8), (7,11), ...
c.script('reg end_odd_zeros msd_fib "(0|1)*1(00)*0":')
c.define("odd_asym", "$end_odd_zeros(a) & $left_shift(a,b)")
c.define("odd", "$odd_asym(a,b) | $odd_asym(b,a)")
c.theorem(
    "K0.absorbing.odd", about("odd", ABSORBING), form="control",
    statement="absorption with an odd number of zeros instead (it fails at (0,0))",
)

c.theorem(
    "K0.floor.odd", "Aa,b $odd_asym(a,b) <=> (En $phin(n,a) & b=a+n)", form="control", source="Wythoff 1907",
    statement="the pairs with an odd number of zeros are (floor(n phi), floor(n phi^2)) (it fails at (0,0))",
)

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
