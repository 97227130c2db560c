"""The P-positions of the game K^3 (Renard & Rigo, Theorem 13).

K^3 is Wythoff's game with the terminal positions {(x,y) : x+y <= 3}.  The other P-positions are

    a_n = floor((n+2) phi) + g_3(n+1) - 1,   b_n = floor((n+2) phi^2) + g_3(n+1) + 1,   n >= 0,

and their mirror images, where g_3 is the word K3 of 12 states.

What the printed formulas leave open.  They hold of this set, and of five others that lack some of
the terminal positions: the terminal positions that are left suffice for absorption, and no formula
requires all of them.  So the strong forms say that {p+q <= 3} lies in P.
"""

from _paper import PAPER, absorbing, declare_game, formula, stable, terminal

import fibprover as fp

c = fp.Chapter("The game K^3", source=f"{PAPER}, Theorem 13", system="msd_fib")

# -- as printed ----------------------------------------------------------------------------------

declare_game(c, 3)

STABLE, ABSORBING = formula("stableK3"), formula("absorbingK3")

# The paper needs "at most 449 states" for the two commands together.
c.theorem(
    "K3.stable.printed", STABLE, form="printed", states_paper=449,
    statement="no move leads from a position of the printed set with p+q > 3 to another position of that set",
)
c.theorem(
    "K3.absorbing.printed", ABSORBING, form="printed",
    statement="from every position outside the printed set a move leads into it",
)

# -- as the theorem needs it -----------------------------------------------------------------------

c.theorem("K3.terminal", terminal(3), statement="every terminal position, p+q <= 3, is in P")
c.theorem("K3.stable", stable(3), statement="no move leads from a position of P with p+q > 3 to a position of P")
c.theorem("K3.absorbing", absorbing(3), statement="from every position outside P with p+q > 3 a move leads into P")

# -- sets with a wrong terminal part, which the printed formulas accept ------------------------------

# All of them, of the 64 symmetric choices of terminal positions: what is left out, with a <= b.
WRONG = {"01": "01", "01_11": "01,11", "11": "11", "11_12": "11,12", "12": "12"}


def positions(pairs: str) -> str:
    """(0,1), (1,1) for "01,11"."""
    return ", ".join(f"({pair[0]},{pair[1]})" for pair in pairs.split(","))


def is_one_of(pairs: str) -> str:
    """The formula that (a,b) or (b,a) is one of these positions."""
    sides = (f"(a={pair[0]} & b={pair[1]}) | (a={pair[1]} & b={pair[0]})" for pair in pairs.split(","))
    return "(" + " | ".join(sides) + ")"


for key, pairs in WRONG.items():
    name = f"without_{key}"
    c.define(name, f"$P(a,b) & ~{is_one_of(pairs)}")
    both = f"({STABLE}) & ({ABSORBING})".replace("$pposK3(", f"${name}(").replace("?msd_fib ", "")
    c.theorem(
        f"K3.printed_passes.{name}", both,
        statement=f"P without {positions(pairs)} and mirror images passes both printed tests",
    )
    c.theorem(
        f"K3.printed_passes.{name}.terminal", terminal(3, name), form="control",
        statement=f"P without {positions(pairs)} has all terminal positions (it fails at {positions(pairs[:2])})",
    )

# -- controls ----------------------------------------------------------------------------------------

c.theorem(
    "K3.terminal.of_4", terminal(4), form="control",
    statement="every position with p+q <= 4 is in P (it fails at (0,4))",
)
# (4,8) moved to (5,8): a move leads to (0,3), and (4,8) has no move into the set.
c.define("moved", "($P(a,b) & ~(a=4 & b=8)) | (a=5 & b=8)")
c.theorem(
    "K3.stable.moved", stable(3, "moved"), form="control",
    statement="stability with the position (4,8) of P moved to (5,8) (it fails from (5,8) to (0,3))",
)
c.theorem(
    "K3.absorbing.moved", absorbing(3, "moved"), form="control",
    statement="absorption with the position (4,8) of P moved to (5,8) (it fails at (4,8))",
)
c.define("without_03", "$P(a,b) & ~(a=0 & b=3)")
c.theorem(
    "K3.absorbing.without_03", absorbing(3, "without_03"), form="control",
    statement="absorption for P without the terminal position (0,3) (it fails at (4,7))",
)
# Every P-position that is not terminal comes from g_3: with the g of K^2 in its place both tests fail.
c.define("other_g_asym", "a+b<=3 | En,x $phin(n+2,x) & a+1=x+G[n+2] & b=x+n+3+G[n+2]")
c.define("other_g", "$other_g_asym(a,b) | $other_g_asym(b,a)")
c.theorem(
    "K3.stable.other_g", stable(3, "other_g"), form="control",
    statement="stability for the set made with the g of K^2 (it fails from (3,7) to (3,0))",
)

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
