"""Blocking Wythoff with 3, 7, 13 and 9 blocked options: W^4, W^8, W^14 and W^10, and their P-positions in words.

Renard & Rigo solve W^2 and W^3 (w2.py, w3.py).  The automata here were inferred from positions by
`fibprover game "blocking(k)"` and lie in automata/; the proofs do not depend on how they were found.

Every column has k P-positions, and those (a,b) with a <= b lie on a few lines.

* W^4: every diagonal b = a+d has two, at a = r-1 and a = r, where r is d/sqrt(2) rounded, except for an infinite but
  sparse set of d, which `EXCEPTIONS` lists.
* W^8: five lines of slope 5/2, which repeat with (2,5), and one of slope 2: b = 2a-4, or 2a-5 if a is 2 modulo 3.
  It has one position in every column from 16 on, above the diagonal or below: n is an a of it if and only if it is
  no b.
* W^14: from column 23 on all repeats with (8,20).  So the set is that of a formula in + and <, and recognized in every
  base; it is proved in base 2, and once more in base 3.
* W^10: from column 34 on there are six lines of slope 5/2, which repeat with (2,5), one of slope 2, which repeats with
  (5,10), and the P-positions of Wythoff's game, ten times as large and 32 further on.
"""

from collections.abc import Mapping

from _blocking import declare_floors, declare_game, line
from _representations import even_zeros, left_shift

import fibprover as fp

NEW = "new"

# -- W^4 ---------------------------------------------------------------------------------------------

#: Where the two positions of a diagonal d > 0 are, as a formula in a and r; all other diagonals are "usual".
WHERE = {
    "usual": "a+1=r | a=r",
    "late": "a=r | a=r+1",
    "early": "a+2=r | a+1=r",
    "apart": "a+1=r | a=r+1",
    "far": "a+1=r | a=r+3",
}

#: The exceptional d, by their representations in two systems of the field of sqrt(2).
EXCEPTIONS = {
    "msd_pell": {
        "late": "0*1000(00)*",
        "early": "0*(11|20|100(00)*|1200(00)*)",
        "apart": "0*(1|11(20)*1|1120(20)*)",
        "far": "0*10",
    },
    "msd_wythoff_2": {
        "late": "0*11(11)*2",
        "early": "0*(10|11|1(11)*2|101(11)*2)",
        "apart": "0*(1|1011*)",
        "far": "0*2",
    },
}


def declare_diagonals(c: fp.Chapter, label: str, exceptions: Mapping[str, str]) -> None:
    """Where the positions of each diagonal of W^4 are; F(n,y) has to mean y = floor(n sqrt(2))."""
    # floor(x + 1/2) = floor((floor(2x) + 1) / 2), and d/sqrt(2) is never half an odd number.
    c.define("round", "Ey $F(d,y) & r=(y+1)/2")
    for name, regex in exceptions.items():
        c.reg(name, [c.system], regex)
    listed = " | ".join(f"${name}(d)" for name in exceptions)
    c.define("exceptional", listed)
    c.define("usual", f"d>0 & ~({listed})")
    c.theorem(
        f"{label}.diagonals", "Ad E=2 a $P(a,a+d)", source=NEW,
        statement="every diagonal b = a+d, d >= 0, has exactly two P-positions",
    )
    c.theorem(
        f"{label}.diagonals.one", "Ad E=1 a $P(a,a+d)", source=NEW, form="control",
        statement="every such diagonal has exactly one (it fails at d = 0)",
    )
    cases = " | ".join(f"(${name}(d) & ({where}))" for name, where in WHERE.items())
    everywhere = "Ad,r (d>0 & $round(d,r)) => (Aa $P(a,a+d) <=> ({}))"
    c.theorem(
        f"{label}.where", everywhere.format(cases), source=NEW,
        statement="for d > 0 they are at a = r-1, r, where r is d/sqrt(2) rounded, but for r, r+1 on the late, "
        "r-2, r-1 on the early, r-1, r+1 on the apart diagonals, and r-1, r+3 on the far one",
    )
    c.theorem(
        f"{label}.where.usual", everywhere.format(WHERE["usual"]), source=NEW, form="control",
        statement="they are at r-1, r without exception (it fails at d = 1)",
    )
    for name, first in (("late", 12), ("early", 3), ("apart", 1), ("far", 2)):
        text = everywhere.format(cases.replace(f"(${name}(d) & ({WHERE[name]}))", f"(${name}(d) & ({WHERE['usual']}))"))
        c.theorem(
            f"{label}.where.{name}", text, source=NEW, form="control",
            statement=f"so they are, but the {name} diagonals are no exception (it fails at d = {first})",
        )
    both = "(Id $late(d)) & (Id $early(d)) & (Id $apart(d)) & {}(Id $far(d))"
    c.theorem(
        f"{label}.exceptions", both.format("~"), source=NEW,
        statement="there are infinitely many late, early and apart diagonals, and finitely many far ones",
    )
    c.theorem(
        f"{label}.exceptions.far", both.format(""), source=NEW, form="control",
        statement="there are infinitely many of each of the four",
    )


c = fp.Chapter("The game W^4", source=NEW, system="msd_pell")
declare_game(c, 4, "automata/w4.txt", "W4", moved=(2, 3), stuck=(4, 6), diagonals=(0,))
c.reg("shift", [range(3), range(3)], left_shift(2))
c.define("F", "(n=0 & y=0) | (Ex $shift(n-1,x) & y+n=x+2)")
declare_floors(c, "W4", "sqrt(2)", "x = 2*n", (0, 2), "1,1")
declare_diagonals(c, "W4", EXCEPTIONS["msd_pell"])

# In the numeration system of 2-Wythoff, 1, 3, 7, 17, ..., the floors are the smaller piles of that game.
c = fp.Chapter("The game W^4, over 1, 3, 7, 17, ...", source=NEW, system="msd_wythoff_2")
declare_game(c, 4, "automata/w4_wythoff_2.txt", "W4b", moved=(2, 3), stuck=(4, 6), diagonals=(0,))
c.reg("even_zeros", [c.system], even_zeros(2))
c.reg("shift", [range(3), range(3)], left_shift(2))
c.define("F", "Ez $even_zeros(y) & $shift(y,z) & z=y+2*n")
declare_floors(c, "W4b", "sqrt(2)", "x = 2*n", (0, 2), "1,1")
declare_diagonals(c, "W4b", EXCEPTIONS["msd_wythoff_2"])

# -- W^8 ---------------------------------------------------------------------------------------------

c = fp.Chapter("The game W^8", source=NEW, system="msd_2")
declare_game(c, 8, "automata/w8.txt", "W8", moved=(2, 3), stuck=(3, 5), diagonals=(0, 1))
c.define("outer", line(2, (5, 2), {0: (-10, -2, 8, 10, 12), 1: (-9, -1, 7, 9, 11)}))
c.define("inner", "a<=b & $P(a,b) & ~$outer(a,b)")
OUTER = "Aa,b ({}<=a & a<=b & $outer(a,b)) => $P(a,b)"
c.theorem(
    "W8.outer", OUTER.format(9), statement="from column 9 on the five lines of slope 5/2 are all in P",
)
c.theorem(
    "W8.outer.8", OUTER.format(8), form="control", statement="so they are from column 8 on (it fails at a = 8)",
)
INNER = "Aa,b ({}<=a & $inner(a,b)) => ((~(Em a=3*m+2) & b+4=2*a) | ((Em a=3*m+2) & b+{}=2*a))"
c.theorem(
    "W8.inner", INNER.format(123, 5),
    statement="from column 123 on all else above the diagonal has b = 2a-4, or 2a-5 if a is 2 modulo 3",
)
c.theorem(
    "W8.inner.122", INNER.format(122, 5), form="control",
    statement="so it has from column 122 on (it fails at a = 122)",
)
c.theorem(
    "W8.inner.straight", INNER.format(123, 4), form="control",
    statement="all else has b = 2a-4 from column 123 on (it fails at a = 155)",
)
PARTED = "An n>={} => ((E=1 b $inner(n,b)) ^ (E=1 a $inner(a,n))) & ~((Eb $inner(n,b)) & (Ea $inner(a,n)))"
c.theorem(
    "W8.parted", PARTED.format(16),
    statement="every n >= 16 is the a of one of these positions, or the b of one, and not both",
)
c.theorem(
    "W8.parted.15", PARTED.format(15), form="control", statement="so is every n >= 15 (it fails at n = 15)",
)

# -- W^14 --------------------------------------------------------------------------------------------

c = fp.Chapter("The game W^14", source=NEW, system="msd_2")
declare_game(c, 14, "automata/w14.txt", "W14", moved=(5, 7), stuck=(6, 9), diagonals=(1,))
REPEATED = "Aa,b ({}<=a & a<=b) => ($P(a,b) <=> $P(a+{},b+{}))"
c.theorem(
    "W14.repeated", REPEATED.format(23, 8, 20),
    statement="for 23 <= a <= b, (a,b) is in P if and only if (a+8,b+20) is",
)
c.theorem(
    "W14.repeated.22", REPEATED.format(22, 8, 20), form="control",
    statement="so it is for 22 <= a <= b (it fails at a = 22)",
)
c.theorem(
    "W14.repeated.4", REPEATED.format(23, 4, 10), form="control",
    statement="(4,10) does as well (it fails at a = 23)",
)
EVEN, ODD = (6, 8, 10, 20, 22, 24), (-5, -1, 3, 7, 11, 19, 21, 23)
LINES_14 = {
    0: (-48, -12, -8, 0, *EVEN), 1: (-49, -21, *ODD), 2: (-44, -16, -8, 0, *EVEN), 3: (-43, -13, *ODD),
    4: (-62, -12, -8, 0, *EVEN), 5: (-47, -21, *ODD), 6: (-54, -16, -8, 0, *EVEN), 7: (-49, -13, *ODD),
}
c.define("lines", line(8, (5, 2), LINES_14))
WHOLE = "Aa,b ({}<=a & a<=b) => ($P(a,b) <=> $lines(a,b))"
c.theorem(
    "W14.lines", WHOLE.format(23), statement="for 23 <= a <= b, the P-positions are on 80 lines, ten in each column",
)
c.theorem(
    "W14.lines.22", WHOLE.format(22), form="control", statement="so they are for 22 <= a <= b (it fails at a = 22)",
)

c = fp.Chapter("The game W^14, in base 3", source=NEW, system="msd_3")
declare_game(c, 14, "automata/w14_base_3.txt", "W14b", moved=(5, 7), stuck=(6, 9), diagonals=(1,))

# -- W^10 --------------------------------------------------------------------------------------------

c = fp.Chapter("The game W^10", source=NEW, system="msd_fib")
declare_game(c, 10, "automata/w10.txt", "W10", moved=(4, 5), stuck=(6, 8), diagonals=(0, 9, 11, 13), large=True)
c.define("line_5_2", line(2, (5, 2), {0: (-2, 0, 2, 12, 14, 16), 1: (-5, -1, 3, 11, 13, 15)}))
c.define("line_2", line(5, (2, 1), {0: (-7,), 1: (-6,), 2: (-6,), 3: (-9,), 4: (-7,)}))
c.reg("even_zeros", [c.system], even_zeros(1))
c.reg("shift", [range(2), range(2)], left_shift(1))
c.define("wythoff", "$even_zeros(x) & $shift(x,y)")
c.define("inner", "Ex,y 0<x & $wythoff(x,y) & a=10*x+32 & b=10*y+32")
WORDS = "Aa,b ({}<=a & a<=b) => ($P(a,b) <=> ($line_5_2(a,b) | $line_2(a,b) | {}))"
c.theorem(
    "W10.words", WORDS.format(34, "$inner(a,b)"),
    statement="for 34 <= a <= b, the P-positions are seven lines and (10x+32,10y+32) with (x,y) a P-position of "
    "Wythoff's game, 0 < x < y",
)
c.theorem(
    "W10.words.33", WORDS.format(33, "$inner(a,b)"), form="control",
    statement="so they are for 33 <= a <= b (it fails at a = 33)",
)
c.theorem(
    "W10.words.lines", WORDS.format(34, "a<0"), form="control",
    statement="they are the seven lines alone (it fails at a = 42)",
)

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
