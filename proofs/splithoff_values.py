"""The positions of Sprague-Grundy value 1 of Splithoff, and once in each row: a question of Fokkink & Rust.

Section 9 of their paper: "it looks like every row or column contains each Sprague-Grundy value once and only once"; of
that they had no proof.  Here it is proved of the values 0 and 1, as sets; docs/splithoff.md has a proof for all values.

Positions of value 1 are those without a move to one another (stable), to one of which a move leads from every
position that has not value 0 and is none of them (absorbing).  The automaton of those (a,b) with a <= b was
inferred from all below 16,000,000, and lies in automata/splithoff/; the proof does not depend on how it was found.

Both orders of a pair are in V, so that it suffices to take the smaller pile first.  A move from (a,a+d) to V is a
single that leaves the pile a or a+d, a double that leaves the difference d, or, if a > 0, a split into two piles of
the sum d.  In the band are the positions from which no move of three of these kinds leads into V.
"""

from _bonacci import PAPER, declare_tables

import fibprover as fp

SECTION = f"{PAPER}, section 9"

c = fp.Chapter("Sprague-Grundy values of Splithoff", source=SECTION, system="msd_trib")
declare_tables(c, 3)
c.define("P", "(p=0 & q=0) | (En $d0(n,p) & $d1(n,q)) | (En $d0(n,q) & $d1(n,p))")
c.load_predicate("automata/splithoff/value_1.txt", "inferred")
c.define("V", "$inferred(p,q) | $inferred(q,p)")
c.define("more", "$V(p,q) | (p=0 & q=2) | (p=2 & q=0)")
c.define("fewer", "$V(p,q) & ~(p=0 & q=1) & ~(p=1 & q=0)")

# -- the sums and differences ------------------------------------------------------------------------

for name in ("V", "more"):
    c.define(f"place_{name}", f"${name}(a,a+d)")
    c.define(f"sum_{name}", f"Er,s ${name}(r,s) & d=r+s")
    c.define(f"difference_{name}", f"Ea a>0 & $place_{name}(a,d)")

# -- value 0 -------------------------------------------------------------------------------------------

c.theorem(
    "splithoff.value_0.rows", "Ap E=1 q $P(p,q)", statement="every row, and every column, has exactly one P-position",
)
c.theorem(
    "splithoff.value_0.rows.diagonals", "Ad E=1 a $P(a,a+d)", form="control",
    statement="so has every diagonal (it fails at d = 3, as the paper says)",
)

# -- value 1 -------------------------------------------------------------------------------------------


def stable(name: str) -> str:
    """No move leads from one position of a set to another: each row, column and diagonal has one, and no split does."""
    row = f"Ap,q,s (${name}(p,q) & ${name}(p,s)) => q=s"
    diagonal = f"Aa,b,d ($place_{name}(a,d) & $place_{name}(b,d)) => a=b"
    split = f"Ad $difference_{name}(d) => ~$sum_{name}(d)"
    return f"(Ap,q ${name}(p,q) => ${name}(q,p)) & ({row}) & ({diagonal}) & ({split})"


ABSORBING = "Aa,d ($band(a,d) & {}) => (Es $V(a+d,s) & s<a)"

# The double and the split first: with the single, automata of millions of states would come on the way.
c.define("no_single", "~(Es $V(a,s) & s<a+d)")
c.define("no_double", "~(Eb b<a & $place_V(b,d))")
c.define("no_split", "a=0 | ~$sum_V(d)")
c.define("no_both", "$no_double(a,d) & $no_split(a,d)")
c.define("band", "$no_single(a,d) & $no_both(a,d)")

one = "splithoff.value_1"
c.theorem(f"{one}.disjoint", "Ap,q $V(p,q) => ~$P(p,q)", statement="no position of V has value 0")
c.theorem(
    f"{one}.disjoint.difference", "Aa,d $place_V(a,d) => (Ab ~$P(b,b+d))", form="control",
    statement="no difference of V is one of a P-position",
)
c.theorem(f"{one}.stable", stable("V"), statement="no move leads from one position of V to another")
c.theorem(
    f"{one}.stable.more", stable("more"), form="control",
    statement="so it is with (0,2) in V (a move leads from there to (0,1))",
)
c.theorem(
    f"{one}.absorbing", ABSORBING.format("~$P(a,a+d) & ~$place_V(a,d)"),
    statement="from every position that has not value 0 and is not in V a move leads into V",
)
c.theorem(
    f"{one}.absorbing.of_value_0", ABSORBING.format("~$place_V(a,d)"), form="control",
    statement="one leads into V from every position that is not in V (it fails at (0,0))",
)
c.theorem(
    f"{one}.rows", "Ap E=1 q $V(p,q)", statement="every row, and every column, has exactly one position of value 1",
)
c.theorem(
    f"{one}.rows.fewer", "Ap E=1 q $fewer(p,q)", form="control",
    statement="so it has without (0,1) in V (it fails at p = 0)",
)
c.theorem(
    f"{one}.diagonals", "Ad E=1 a $place_V(a,d)", form="control", statement="so has every diagonal",
)

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
