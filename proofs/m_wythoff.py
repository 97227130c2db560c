"""The P-positions of m-Wythoff (Fraenkel), and the conjecture on its redundant moves, for m = 1, ..., 20.

In m-Wythoff a player takes from one pile, or k > 0 from one pile and l > 0 from the other with
|k-l| < m.  For m = 1 it is Wythoff's game.  Numbers are written in the numeration system
U_0 = 1, U_1 = m+1, U_(t+2) = m U_(t+1) + U_t, with the digits 0, ..., m.

Fraenkel's theorem: (a,b) with a <= b is a P-position if and only if the representation of a ends in
an even number of zeros and that of b is the representation of a with a zero appended.

A move is redundant if the game without it has the same P-positions: no N-position has it as its
only way to a P-position.  The conjecture of Mignoty, Renard, Rigo and Whiteland: for m >= 2 the
redundant moves are (i,i+k) and (i+k,i) with 1 <= k < m and i >= m-k+2.  They proved it with Walnut for
m = 2, 3, 4; with m = 5 it ran out of memory.  For m = 1 there is no such k: no move of Wythoff's game
is redundant.

Both are from Renard's slides "Automatic proofs in combinatorial game theory" (Numeration 2025), which
print no formulas beyond those for Wythoff's game (wythoff.py); so nothing here is "as printed".

The textbook plan (`fibprover prove --textbook`) takes ten seconds for m <= 5; beyond, the complements in `needed`
take more than 6 GB, so give a --max-memory.
"""

from collections.abc import Iterable
from functools import partial

import fibprover as fp

#: The games; the theorems of those after LONG_AFTER are tried on request only (`fibprover prove --long`).
GAMES = range(1, 21)
LONG_AFTER = 8

AUTHORS = "Mignoty, Renard, Rigo & Whiteland 2025"

TERMINAL = "$P(0,0)"
STABLE = "Ap,q,r,s ($P(p,q) & $P(r,s) & p>=r & q>=s) => ~$move(p-r,q-s)"
ABSORBING = "Ap,q ~$P(p,q) => Er,s r<=p & s<=q & $P(r,s) & $move(p-r,q-s)"

# -- the game ----------------------------------------------------------------------------------------


def even_zeros(m: int) -> str:
    """Regular expression: the word of digits ends in an even number of zeros, or has no other digit."""
    other = "|".join(str(digit) if digit < 10 else f"[{digit}]" for digit in range(1, m + 1))
    return f"0*|(0|{other})*({other})(00)*"


def left_shift(m: int) -> str:
    """Regular expression over pairs of digits: the second word is the first one with a zero appended.

    Each digit of the second word is the next one of the first: a letter [x,d] is followed by a letter
    [d,y], the first letter is some [0,y] and the last one some [x,0].  Left of `&` this is said of the letters
    1 and 2, 3 and 4, ..., right of it of the letters 2 and 3, 4 and 5, ... and of the first one; the last
    letter is on one side or the other.  (Without `&` an expression is exponentially long in m.)
    """
    digits = range(m + 1)
    into = ["(" + "|".join(f"[{x},{d}]" for x in digits) + ")" for d in digits]
    out_of = ["(" + "|".join(f"[{d},{y}]" for y in digits) + ")" for d in digits]
    linked = "(" + "|".join(into[d] + out_of[d] for d in digits) + ")*"
    return f"{linked}{into[0]}?&({out_of[0]}{linked}{into[0]}?)?"


def definitions(m: int) -> str:
    """The commands that define a game's moves, its P-positions as claimed, and the redundant moves."""
    system = f"msd_wythoff_{m}"
    alphabet = "{" + ",".join(map(str, range(m + 1))) + "}"
    return f"""
reg even_zeros {system} "{even_zeros(m)}":
reg left_shift {alphabet} {alphabet} "{left_shift(m)}":
def P_asym "?{system} $even_zeros(a) & $left_shift(a,b)":
def P "?{system} $P_asym(a,b) | $P_asym(b,a)":
def move "?{system} (i>0 & j=0) | (i=0 & j>0) | (i>0 & j>0 & i<j+{m} & j<i+{m})":
def needed "?{system} $move(i,j) & Ep,q (p>=i & q>=j & ~$P(p,q) & $P(p-i,q-j) & (Ar,s ($move(p-r,q-s) & $P(r,s)) => \
(r=p-i & s=q-j)))":
def redundant "?{system} $move(i,j) & ~$needed(i,j)":
"""


def redundant(m: int, least: int = 2, differences: Iterable[int] | None = None) -> str:
    """The moves (i,i+k), (i+k,i) with i >= m-k+least are the redundant ones; all 1 <= k < m unless listed."""
    cases = [
        f"(i>={m - k + least} & j=i+{k}) | (j>={m - k + least} & i=j+{k})"
        for k in (range(1, m) if differences is None else differences)
    ]
    return "Ai,j $redundant(i,j) <=> (" + " | ".join(cases) + ")" if cases else "Ai,j ~$redundant(i,j)"


# -- the theorems ------------------------------------------------------------------------------------


def about(set_name: str, formula: str) -> str:
    """The formula about another set of positions in place of P."""
    return formula.replace("$P(", f"${set_name}(")


def m_wythoff(m: int) -> fp.Chapter:
    """The theorems on one game, with controls."""
    game = f"wythoff_{m}"
    c = fp.Chapter(f"m-Wythoff for m = {m}", source="Fraenkel 1982", system=f"msd_{game}")
    theorem = partial(c.theorem, long=m > LONG_AFTER)
    c.script(definitions(m))
    theorem(f"{game}.terminal", TERMINAL, statement="the terminal position (0,0) is in the set P of the theorem")
    theorem(f"{game}.stable", STABLE, statement="no move leads from one position of P to another")
    theorem(f"{game}.absorbing", ABSORBING, statement="from every position outside P a move leads into P")
    conjecture = f"{AUTHORS}, conjecture" if m > 1 else AUTHORS
    listed = f"(i,i+k) and (i+k,i) with 1 <= k < {m} and i >= "
    theorem(
        f"{game}.redundant", redundant(m), source=conjecture,
        statement=f"the redundant moves are {listed}{m + 2}-k" if m > 1 else "no move is redundant",
    )

    c.define("without", "$P(a,b) & ~(a=0 & b=0)")
    theorem(
        f"{game}.terminal.without_00", about("without", TERMINAL), form="control",
        statement="(0,0) is in P without (0,0)",
    )
    theorem(
        f"{game}.absorbing.without_00", about("without", ABSORBING), form="control",
        statement="absorption for P without (0,0) (it fails at (0,0))",
    )
    # (1,m+1) moved to (2,m+1): from there a move leads to (0,0), and (1,m+1) has no move into the set.
    c.define("moved", f"($P(a,b) & ~(a=1 & b={m + 1})) | (a=2 & b={m + 1})")
    theorem(
        f"{game}.stable.moved", about("moved", STABLE), form="control",
        statement=f"stability with (1,{m + 1}) of P moved to (2,{m + 1}) (it fails from (2,{m + 1}) to (0,0))",
    )
    theorem(
        f"{game}.absorbing.moved", about("moved", ABSORBING), form="control",
        statement=f"absorption with (1,{m + 1}) of P moved to (2,{m + 1}) (it fails at (1,{m + 1}))",
    )
    if m > 1:
        theorem(
            f"{game}.redundant.more", redundant(m, 1), form="control", source=conjecture,
            statement=f"the redundant moves are {listed}{m + 1}-k (it fails at (2,{m + 1}))",
        )
        theorem(
            f"{game}.redundant.fewer", redundant(m, 3), form="control", source=conjecture,
            statement=f"the redundant moves are {listed}{m + 3}-k (it fails at (3,{m + 2}))",
        )
    theorem(
        f"{game}.redundant.equal", redundant(m, 2, range(m)), form="control", source=conjecture,
        statement=f"the redundant moves are those and (i,i) with i >= {m + 2} (it fails at ({m + 2},{m + 2}))",
    )
    return c


games = [m_wythoff(m) for m in GAMES]

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
