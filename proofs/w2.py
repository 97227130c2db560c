"""Blocking Wythoff with one blocked option, W^2 (Renard & Rigo, Theorems 26 and 31; Larsson 2011).

Before each move the other player may forbid one option.  The P-positions are claimed to be the set R:

    (0,0), {n, 2n+1} and {2 floor(n phi) + 2, 2 floor(n phi^2) + 2}, n >= 0.

A position is a P-position if and only if fewer than two of its options are: a single one is blocked,
and of two one stays open.  So a move is needed if from some N-position exactly two options lead to
P-positions and the move leads to one of them: without it the other one would be blocked.

What the printed formulas leave open.  In `stable` the quantifier "there are r,s" reaches over the
implication, so that any r,s not both an option and in R make it true: it is TRUE of the set of all
positions.  The strong forms say that two options in R are one, or count them.  `absorbing` is
faithful.  The printed search for redundant moves goes through the kinds of the two moves; counting
needs no cases, and finds the same moves.
"""

from _paper import PAPER, commands, formula

import fibprover as fp

c = fp.Chapter("The game W^2", source=f"{PAPER}, Theorem 26", system="msd_fib")

# -- as printed ----------------------------------------------------------------------------------

c.script(commands("shift", "phin", "phi2n", "optW", "pposW2_asym"))
c.define(
    "pposW2", "?msd_fib $pposW2_asym(a,b) | $pposW2_asym(b,a)", states_paper=73,
    statement="the automaton of the set R has 73 states",
)
c.theorem(
    "W2.stable.printed", formula("stable"), form="printed", states_paper=6452,
    statement="for p,q in R there are r,s such that, if they are an option in R, all options in R are r,s",
)
c.theorem(
    "W2.absorbing.printed", formula("absorbing"), form="printed", states_paper=34813,
    statement="every position outside R has two options in R",
)

# -- as the theorem needs it -----------------------------------------------------------------------

c.define("R", "$pposW2(a,b)")
c.define("option", "$optW(p,q,r,s) & $R(r,s)")

STABLE = "Ap,q,r,s,t,u ($R(p,q) & $option(p,q,r,s) & $option(p,q,t,u)) => (r=t & s=u)"
ABSORBING = "Ap,q ~$R(p,q) => Er,s,t,u ($option(p,q,r,s) & $option(p,q,t,u) & (r!=t | s!=u))"
RULE = "Ap,q $R(p,q) <=> ~(E>={0} r,s $option(p,q,r,s))"


def about(name: str, text: str) -> str:
    """The formula about another set of positions in place of R."""
    return text.replace("$R(", f"${name}(").replace("$option(", f"$option_{name}(")


c.theorem("W2.stable", STABLE, statement="two options in R of a position of R are equal")
c.theorem("W2.absorbing", ABSORBING, statement="every position outside R has two options in R")
c.theorem(
    "W2.rule", RULE.format(2), source="Larsson 2011, the rule of the game",
    statement="R is the set of positions with fewer than two options in R",
)

# -- redundant moves, as printed -------------------------------------------------------------------

THEOREM_31 = f"{PAPER}, Theorem 31"
c.script(commands(*(f"opt2W2{kind}" for kind in "abcdef")))
c.theorem(
    "W2.row.printed", formula("opt2W2", 1), form="printed", source=THEOREM_31,
    statement="for i > 0 some N-position has exactly two options in R, one of them by (i,0)",
)
c.theorem(
    "W2.diagonal.printed", formula("opt2W2", 2), form="printed", source=THEOREM_31,
    statement="for i > 0 some N-position has exactly two options in R, one of them by (i,i)",
)

# "Approximately 11000 states" for each of a, b, c.  Of c and d, e, f see the two theorems above.
c.theorem(
    "W2.cases.two_in_a_row", "Ei,j " + formula("opt2W2a").removeprefix("?msd_fib "), source=THEOREM_31,
    states_paper=11000,
    statement="some N-position has exactly two options in R, by (i,0) and (j,0) with i != j (the printed opt2W2a)",
)
c.theorem(
    "W2.cases.no_cross", "Ai,j ~$opt2W2b(i,j)", source=THEOREM_31,
    statement="no N-position has exactly two options in R, by (i,0) and (0,j): the printed opt2W2b is empty",
)

# -- by counting -------------------------------------------------------------------------------------

c.define("count_is_2", "~$R(p,q) & (E=2 r,s $option(p,q,r,s))")
c.define("count_is_1", "~$R(p,q) & (E=1 r,s $option(p,q,r,s))")
KINDS = {"row": ("(i,0)", "$R(p-i,q)", "abc"), "column": ("(0,i)", "$R(p,q-i)", ""),
         "diagonal": ("(i,i)", "$R(p-i,q-i)", "def")}
for kind, (move, target, letters) in KINDS.items():
    c.define(f"needed_{kind}", f"i>0 & Ep,q $count_is_2(p,q) & {target}")
    c.define(f"single_{kind}", f"i>0 & Ep,q $count_is_1(p,q) & {target}")
    c.theorem(
        f"W2.{kind}", f"Ai i>0 => $needed_{kind}(i)", source=THEOREM_31,
        statement=f"for i > 0 some N-position has exactly two options in R, one of them by {move}",
    )
    c.theorem(
        f"W2.{kind}.single", f"Ai i>0 => $single_{kind}(i)", form="control", source=THEOREM_31,
        statement=f"for i > 0 some N-position has exactly one option in R, by {move} (it fails at i = 1)",
    )
    if letters:
        listed = " | ".join(f"$opt2W2{letter}(i,j)" for letter in letters)
        c.theorem(
            f"W2.{kind}.same", f"Ai (Ej {listed}) <=> $needed_{kind}(i)", source=THEOREM_31,
            statement=f"the moves {move} that the printed case by case finds are those found by counting",
        )
        c.theorem(
            f"W2.{kind}.same.single", f"Ai (Ej {listed}) <=> $single_{kind}(i)", form="control", source=THEOREM_31,
            statement="the same with exactly one option (it fails at i = 1)",
        )

# -- controls ----------------------------------------------------------------------------------------


def other(name: str, text: str) -> None:
    """Names another set of positions, and the options in it."""
    c.define(name, text)
    c.define(f"option_{name}", f"$optW(p,q,r,s) & ${name}(r,s)")


c.theorem(
    "W2.cases.two_in_a_row.equal", "Ei $opt2W2a(i,i)", form="control", source=THEOREM_31,
    statement="so it has for some i = j",
)
c.theorem(
    "W2.cases.no_cross.diagonal", "Ai,j ~$opt2W2c(i,j)", form="control", source=THEOREM_31,
    statement="nor by (i,0) and (j,j)",
)
other("all", "a>=0 & b>=0")
c.theorem(
    "W2.stable.all", about("all", STABLE), form="control",
    statement="stability for the set of all positions, of which the printed formula is TRUE "
    "(it fails from (0,2) to (0,0))",
)
other("without", "$R(a,b) & ~(a=2 & b=2)")
c.theorem(
    "W2.absorbing.without_22", about("without", ABSORBING), form="control",
    statement="absorption for R without (2,2) (it fails at (2,2))",
)
other("more", "$R(a,b) | (a=1 & b=1)")
c.theorem(
    "W2.stable.more", about("more", STABLE), form="control",
    statement="stability for R with (1,1) (it fails from (1,1) to (0,0))",
)
c.theorem(
    "W2.rule.one", RULE.format(1), form="control", source="Larsson 2011, the rule of the game",
    statement="R is the set of positions with no option in R (it fails at (0,1))",
)
c.theorem(
    "W2.rule.three", RULE.format(3), form="control", source="Larsson 2011, the rule of the game",
    statement="R is the set of positions with fewer than three options in R (it fails at (0,2))",
)

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
