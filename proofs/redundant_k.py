"""No move of K^1, ..., K^4 is redundant (Renard & Rigo, Theorem 30).

A move is needed if it is the only way from some N-position into the set P of P-positions: without it
that position would be a P-position.  The moves are (i,0), (0,i) and (i,i), i > 0.

What the printed formulas leave open.  An option (r,s) is another one than (p-i,q) if r != p-i *or*
s != q.  With the printed `&`, nr_1 asks nothing of the options in the same row or column, of which
there are always some, and nr_2 likewise; with `|` the theorem is true all the same.  For K^2 the set
has to have (1,1) as well, which is no N-position.  For K^1, K^3 and K^4 the paper says to replace the
set in the three commands of K^2.
"""

from _paper import PAPER, declare_game, formula

import fibprover as fp

#: The move of each printed command, and the position it leads to from (p,q).
MOVES = {1: ("(i,0)", "p-i", "q"), 2: ("(0,i)", "p", "q-i"), 3: ("(i,i)", "p-i", "q-i")}

#: The largest automata that the paper reports: for the commands of K^2 together, and for nr_3 of K^4.
STATES = {(2, 3): 2130, (4, 3): 5140}

NEEDED = "Ai i>0 => Ep,q (~$P(p,q) & $P({x},{y}) & (Ar,s ($optW(p,q,r,s){other}) => ~$P(r,s)))"


def redundant(level: int) -> fp.Chapter:
    """The three kinds of moves of one game, with controls."""
    c = fp.Chapter(f"Redundant moves of K^{level}", source=f"{PAPER}, Theorem 30", system="msd_fib")
    declare_game(c, level)
    for number, (move, x, y) in MOVES.items():
        name = f"K{level}.nr_{number}"
        c.theorem(
            f"{name}.printed", formula(f"nr_{number}").replace("pposK2", f"pposK{level}"), form="printed",
            states_paper=STATES.get((level, number)),
            statement=f"for i > 0 some N-position has the option by {move} in the printed set, and no option there "
            "that differs from it in both coordinates",
        )
        c.theorem(
            name, NEEDED.format(x=x, y=y, other=f" & (r!={x} | s!={y})"),
            statement=f"for i > 0 some N-position has the option by {move}, and no other, in P",
        )
        c.theorem(
            f"{name}.none", NEEDED.format(x=x, y=y, other=""), form="control",
            statement=f"for i > 0 some N-position has the option by {move} in P and no option in P (it fails at i = 1)",
        )
    return c


k1, k2, k3, k4 = redundant(1), redundant(2), redundant(3), redundant(4)

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
