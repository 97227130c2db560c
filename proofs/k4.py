"""The P-positions of the game K^4 (Renard & Rigo, Theorem 14).

K^4 is Wythoff's game with the terminal positions {(x,y) : x+y <= 4}.  The other P-positions are

    a_n = floor((n+2) phi) + g_4(n+1),   b_n = floor((n+2) phi^2) + g_4(n+1) + 3,   n >= 0,

and their mirror images, where g_4 is the word K4 of 18 states.

The paper prints the set; of its proof it says that it is the same as for K^3.  So the two tests below
are the printed ones of K^3 with the set and the bound of K^4.
"""

from _paper import PAPER, absorbing, declare_game, formula, stable, terminal

import fibprover as fp

c = fp.Chapter("The game K^4", source=f"{PAPER}, Theorem 14", system="msd_fib")

# -- as described --------------------------------------------------------------------------------

declare_game(c, 4)

c.theorem(
    "K4.stable.printed", formula("stableK3").replace("pposK3", "pposK4").replace("p+q>3", "p+q>4"), form="printed",
    statement="no move leads from a position of the printed set with p+q > 4 to another position of that set",
)
c.theorem(
    "K4.absorbing.printed", formula("absorbingK3").replace("pposK3", "pposK4"), form="printed",
    statement="from every position outside the printed set a move leads into it",
)

# -- as the theorem needs it -----------------------------------------------------------------------

c.theorem("K4.terminal", terminal(4), statement="every terminal position, p+q <= 4, is in P")
c.theorem("K4.stable", stable(4), statement="no move leads from a position of P with p+q > 4 to a position of P")
c.theorem("K4.absorbing", absorbing(4), statement="from every position outside P with p+q > 4 a move leads into P")

# -- controls ----------------------------------------------------------------------------------------

c.theorem(
    "K4.terminal.of_5", terminal(5), form="control",
    statement="every position with p+q <= 5 is in P (it fails at (0,5))",
)
# Without these terminal positions, the printed tests are TRUE all the same (see K^3).
c.define("without_02", "$P(a,b) & ~((a=0 & b=2) | (a=2 & b=0))")
c.theorem(
    "K4.terminal.without_02", terminal(4, "without_02"), form="control",
    statement="P without (0,2) and (2,0) has all terminal positions (it fails at (0,2))",
)
# (5,10) moved to (6,10): a move leads to (0,4), and (5,10) has no move into the set.
c.define("moved", "($P(a,b) & ~(a=5 & b=10)) | (a=6 & b=10)")
c.theorem(
    "K4.stable.moved", stable(4, "moved"), form="control",
    statement="stability with the position (5,10) of P moved to (6,10) (it fails from (6,10) to (0,4))",
)
c.theorem(
    "K4.absorbing.moved", absorbing(4, "moved"), form="control",
    statement="absorption with the position (5,10) of P moved to (6,10) (it fails at (5,10))",
)
c.define("without_04", "$P(a,b) & ~(a=0 & b=4)")
c.theorem(
    "K4.absorbing.without_04", absorbing(4, "without_04"), form="control",
    statement="absorption for P without the terminal position (0,4) (it fails at (5,9))",
)

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
