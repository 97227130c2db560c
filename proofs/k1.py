"""The P-positions of the game K^1 (Renard & Rigo, Theorem 12).

K^1 is Wythoff's game with the terminal positions (0,0), (0,1) and (1,0).  (a,b) with a <= b is a
P-position if and only if the Fibonacci representation of a ends in 0 and that of b is the same word
followed by 1.

What the printed formulas leave open.  The theorem in words misses (0,0), and (0,1) unless the
representation of 0 is taken to end in 0; the commands add (0,0) and have (0,1), since numbers may be
padded with zeros in front.  The strong forms say so: "or a = b = 0".  That a ends in 0 need not be
said of b = a1: 11 is in no representation.  It must be of the arithmetic form.
"""

from _paper import PAPER, absorbing, declare_game, formula, stable, terminal

import fibprover as fp

c = fp.Chapter("The game K^1", source=f"{PAPER}, Theorem 12", system="msd_fib")

# -- as printed ----------------------------------------------------------------------------------

declare_game(c, 1)

c.theorem(
    "K1.stable.printed", formula("stableK1"), form="printed",
    statement="no move leads from a position of the printed set with p+q > 1 to another position of that set",
)
c.theorem(
    "K1.absorbing.printed", formula("absorbingK1"), form="printed",
    statement="from every position outside the printed set a move leads into it",
)

# -- as the theorem needs it -----------------------------------------------------------------------

c.theorem("K1.terminal", terminal(1), statement="every terminal position, p+q <= 1, is in P")
c.theorem("K1.stable", stable(1), statement="no move leads from a position of P with p+q > 1 to a position of P")
c.theorem("K1.absorbing", absorbing(1), statement="from every position outside P with p+q > 1 a move leads into P")
c.theorem(
    "K1.suffix", "Aa,b (a<=b & $P(a,b)) <=> ((a=0 & b=0) | ($end_zero(a) & $add_one(a,b)))",
    statement="(a,b) with a <= b is in P if and only if a ends in 0 and b is a followed by 1, or a = b = 0",
)
c.theorem(
    "K1.suffix.arithmetic",
    "Aa,b (a<=b & $P(a,b)) <=> ((a=0 & b=0) | (Et $end_zero(a) & $shift(a,t) & b=t+1))",
    statement="the same with b = t+1, where t is a followed by 0",
)

# -- controls ----------------------------------------------------------------------------------------

c.theorem(
    "K1.terminal.of_2", terminal(2), form="control",
    statement="every position with p+q <= 2 is in P (it fails at (0,2))",
)
c.theorem(
    "K1.suffix.without_00", "Aa,b (a<=b & $P(a,b)) <=> ($end_zero(a) & $add_one(a,b))", form="control",
    statement='(a,b) with a <= b is in P if and only if a ends in 0 and b is a followed by 1 (it fails at (0,0))',
)
c.theorem(
    "K1.suffix.0", "Aa,b (a<=b & $P(a,b)) <=> ((a=0 & b=0) | ($end_zero(a) & $shift(a,b)))", form="control",
    statement="the same with b = a followed by 0 (it fails at (0,1))",
)
c.theorem(
    "K1.suffix.arithmetic.any_a", "Aa,b (a<=b & $P(a,b)) <=> ((a=0 & b=0) | (Et $shift(a,t) & b=t+1))", form="control",
    statement="the arithmetic form for every a, whether it ends in 0 or not (it fails at (1,3))",
)
# (2,4) moved to (3,4): from (3,4) the move to (0,1) is open, and (2,4) has no move into the set.
c.define("moved", "($P(a,b) & ~(a=2 & b=4)) | (a=3 & b=4)")
c.theorem(
    "K1.stable.moved", stable(1, "moved"), form="control",
    statement="stability with the position (2,4) of P moved to (3,4) (it fails from (3,4) to (0,1))",
)
c.theorem(
    "K1.absorbing.moved", absorbing(1, "moved"), form="control",
    statement="absorption with the position (2,4) of P moved to (3,4) (it fails at (2,4))",
)
c.define("wythoff_asym", "En $phin(n,a) & b=a+n")
c.define("wythoff", "$wythoff_asym(a,b) | $wythoff_asym(b,a)")
c.theorem(
    "K1.terminal.wythoff", terminal(1, "wythoff"), form="control",
    statement="every terminal position of K^1 is a P-position of Wythoff's game (it fails at (0,1))",
)

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
