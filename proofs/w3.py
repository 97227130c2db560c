"""Blocking Wythoff with two blocked options, W^3 (Renard & Rigo, Theorems 28 and 31; Larsson 2011).

Before each move the other player may forbid two options.  The P-positions are claimed to be the set R:

    (0,0), {n, 2n+1} and {n, 2n+2}, n >= 0.

As for W^2: a position is a P-position if and only if fewer than three of its options are, and a move
is needed if from some N-position exactly three options lead to P-positions, the move to one of them.

What the printed formulas leave open.  In `stableW3` the quantifier reaches over the implication, as
in `stable` for W^2, so that it is TRUE of the set of all positions; it has, besides, `r=u` where b=u
is meant.  `absorbW3` is faithful.
"""

from _paper import PAPER, commands, formula

import fibprover as fp

c = fp.Chapter("The game W^3", source=f"{PAPER}, Theorem 28", system="msd_fib")

# -- as printed ----------------------------------------------------------------------------------

c.script(commands("optW", "pposW3_asym"))
c.define(
    "pposW3", "?msd_fib $pposW3_asym(a,b) | $pposW3_asym(b,a)", states_paper=28,
    statement="the automaton of the set R has 28 states",
)
c.theorem(
    "W3.stable.printed", formula("stableW3"), form="printed",
    statement="for p,q in R there are r,s,t,u such that, if they are two options in R, all options in R are one of r,s "
    "and t,b with r = u",
)
# The paper needs "at most 116141 states" for the two commands together.
c.theorem(
    "W3.absorbing.printed", formula("absorbW3"), form="printed", states_paper=116141,
    statement="every position outside R has three options in R",
)

# -- as the theorem needs it -----------------------------------------------------------------------

c.define("R", "$pposW3(a,b)")
c.define("option", "$optW(p,q,r,s) & $R(r,s)")

DIFFERENT = "(r!=t | s!=u) & (r!=v | s!=w) & (t!=v | u!=w)"
THREE = f"$option(p,q,r,s) & $option(p,q,t,u) & $option(p,q,v,w) & {DIFFERENT}"
STABLE = f"Ap,q $R(p,q) => ~(Er,s,t,u,v,w {THREE})"
ABSORBING = f"Ap,q ~$R(p,q) => Er,s,t,u,v,w ({THREE})"
RULE = "Ap,q $R(p,q) <=> ~(E>={0} r,s $option(p,q,r,s))"


def about(name: str, text: str) -> str:
    """The formula about another set of positions in place of R."""
    return text.replace("$R(", f"${name}(").replace("$option(", f"$option_{name}(")


c.theorem("W3.stable", STABLE, statement="no position of R has three different options in R")
c.theorem("W3.absorbing", ABSORBING, statement="every position outside R has three different options in R")
c.theorem(
    "W3.rule", RULE.format(3), source="Larsson 2011, the rule of the game",
    statement="R is the set of positions with fewer than three options in R",
)

# -- redundant moves, as printed -------------------------------------------------------------------

THEOREM_31 = f"{PAPER}, Theorem 31"
CASES = ("11", "12", "22", "13", "23", "33")
c.script(commands(*(f"opt{first}W3_{case}" for first in (2, 3) for case in CASES)))
c.theorem(
    "W3.row.printed", formula("redundantW3_1"), form="printed", source=THEOREM_31,
    statement="for i > 0 some N-position has exactly three options in R, one of them by (i,0)",
)
c.theorem(
    "W3.diagonal.printed", formula("redundantW3_2"), form="printed", source=THEOREM_31,
    statement="for i > 0 some N-position has exactly three options in R, one of them by (i,i)",
)

# Only three of the twelve cases occur: three options in one row (or column), or one option of each kind.
OCCUR = ("$opt2W3_11(i,j,k)", "$opt2W3_23(i,j,k)", "$opt3W3_12(i,j,k)")
REST = [f"$opt{first}W3_{case}(i,j,k)" for first in (2, 3) for case in CASES]
REST = [call for call in REST if call not in OCCUR]
c.theorem(
    "W3.cases.empty", f"Ai,j,k ~({' | '.join(REST)})", source=THEOREM_31,
    statement="nine of the twelve printed definitions are empty: three options of those kinds are never all there are",
)
for call, name in zip(OCCUR, ("three_in_a_row", "one_of_each", "one_of_each_again"), strict=True):
    c.theorem(
        f"W3.cases.empty.{name}", f"Ai,j,k ~({' | '.join([*REST, call])})", form="control", source=THEOREM_31,
        statement=f"so is {call[1:].partition('(')[0]}",
    )

# -- by counting -------------------------------------------------------------------------------------

c.define("count_is_3", "~$R(p,q) & (E=3 r,s $option(p,q,r,s))")
c.define("count_is_2", "~$R(p,q) & (E=2 r,s $option(p,q,r,s))")
KINDS = {"row": ("(i,0)", "$R(p-i,q)", 2), "column": ("(0,i)", "$R(p,q-i)", 0), "diagonal": ("(i,i)", "$R(p-i,q-i)", 3)}
for kind, (move, target, first) in KINDS.items():
    c.define(f"needed_{kind}", f"i>0 & Ep,q $count_is_3(p,q) & {target}")
    c.define(f"two_{kind}", f"i>0 & Ep,q $count_is_2(p,q) & {target}")
    c.theorem(
        f"W3.{kind}", f"Ai i>0 => $needed_{kind}(i)", source=THEOREM_31,
        statement=f"for i > 0 some N-position has exactly three options in R, one of them by {move}",
    )
    c.theorem(
        f"W3.{kind}.two", f"Ai i>0 => $two_{kind}(i)", form="control", source=THEOREM_31,
        statement=f"for i > 0 some N-position has exactly two options in R, one of them by {move} (it fails at i = 1)",
    )
    if first:
        listed = " | ".join(f"$opt{first}W3_{case}(i,j,k)" for case in CASES)
        c.theorem(
            f"W3.{kind}.same", f"Ai (Ej,k {listed}) <=> $needed_{kind}(i)", source=THEOREM_31,
            statement=f"the moves {move} that the printed case by case finds are those found by counting",
        )
        c.theorem(
            f"W3.{kind}.same.two", f"Ai (Ej,k {listed}) <=> $two_{kind}(i)", form="control", source=THEOREM_31,
            statement="the same with exactly two options (it fails at i = 1)",
        )

# -- controls ----------------------------------------------------------------------------------------


def other(name: str, text: str) -> None:
    """Names another set of positions, and the options in it."""
    c.define(name, text)
    c.define(f"option_{name}", f"$optW(p,q,r,s) & ${name}(r,s)")


other("all", "a>=0 & b>=0")
c.theorem(
    "W3.stable.all", about("all", STABLE), form="control",
    statement="stability for the set of all positions, of which the printed formula is TRUE (it fails at (0,3))",
)
other("without", "$R(a,b) & ~(a=1 & b=4)")
c.theorem(
    "W3.absorbing.without_14", about("without", ABSORBING), form="control",
    statement="absorption for R without (1,4) (it fails at (1,4))",
)
other("more", "$R(a,b) | (a=1 & b=1)")
c.theorem(
    "W3.stable.more", about("more", STABLE), form="control",
    statement="stability for R with (1,1) (it fails at (1,1))",
)
c.theorem(
    "W3.rule.two", RULE.format(2), form="control", source="Larsson 2011, the rule of the game",
    statement="R is the set of positions with fewer than two options in R (it fails at (0,2))",
)
c.theorem(
    "W3.rule.four", RULE.format(4), form="control", source="Larsson 2011, the rule of the game",
    statement="R is the set of positions with fewer than four options in R (it fails at (0,3))",
)

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
