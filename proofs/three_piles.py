"""Nim on three piles, in normal and in misere play, the Raleigh game, and the Tribonacci game.

A set of positions is that of the P-positions if and only if no move leads from one of it to another (stable) and from
every other position a move leads into it (absorbing); for a move makes p+q+r smaller.  In misere play who cannot move
wins: then (0,0,0) is not in the set, and nothing has to lead from there.

The automata of Nim lie in automata/three_piles/.  `fibprover game 'nim3()'`, with and without --misere, has inferred
them from positions; the proofs do not depend on how they were found.  That the P-positions are those whose binary sum
without carries is 0 is Bouton's theorem (1901).

In the Raleigh game a move takes counters from one or two piles; or all of them, if two piles are equal; or, from piles
0 < x < y < z, the same number n from y and z and any from x, but not n = 3 if what is left of y is a least pile then.
The rules could not be compared with the text of the paper.  Fraenkel's theorem is that the P-positions are the orders
of (a_n,b_n,c_n) = (floor(floor(n phi) phi), floor(n phi^2), floor(floor(n phi^2) phi)); it is proved here with what he
asks of the reader first.

In the Tribonacci game of Duchene and Rigo (2008), whose rules could not be compared with the text of the paper either,
a move takes counters from one or two piles; or from all three, none more than the other two together; or the same
number n from two piles and more than 2n from the third, unless that was a largest pile and is now between the other
two.  Their theorem is that the P-positions are (0,0,0) and the orders of (A_n,B_n,C_n), the places of the n-th letters
a, b and c of the Tribonacci word.  The rules and P do not depend on the order of the piles, so it suffices that a move
leads into P from every other position p <= q <= r.  That is proved by a strategy: few moves suffice, whose options are
nearly determined by the position.
"""

from itertools import permutations

import fibprover as fp

#: A move leads from (p,q,r) to (s,t,u).
MOVE = "(q=t & r=u & s<p) | (p=s & r=u & t<q) | (p=s & q=t & u<r)"

#: It takes the same number from all three piles.
SAME = "s<p & p+t=q+s & p+u=r+s"


def declare(label: str, what: str, ended: str, one: str, more: str) -> None:
    """Prove that an automaton has the P-positions, with controls.

    ended: positions at which play has ended in misere play; one: a P-position from which nothing leads into the
    others; more: a position that is none, to which a move leads from one or from which a move leads to one.
    """
    c = fp.Chapter(f"Nim on three piles: {what}", source="Bouton 1901", system="msd_2")
    c.load_predicate(f"automata/three_piles/{label}.txt", "inferred")
    c.define("P", "$inferred(a,b,c)")
    c.define("more", f"$P(a,b,c) | ({more})")
    c.define("fewer", f"$P(a,b,c) & ~({one})")
    stable = f"Ap,q,r,s,t,u ($P(p,q,r) & $P(s,t,u)) => ~({MOVE})"
    absorbing = f"Ap,q,r ~$P(p,q,r){ended} => Es,t,u $P(s,t,u) & ({MOVE})"
    c.theorem(f"{label}.stable", stable, statement="no move leads from one position of P to another")
    c.theorem(
        f"{label}.stable.more", stable.replace("$P(", "$more("), form="control",
        statement=f"so it is with {more} in P",
    )
    c.theorem(f"{label}.absorbing", absorbing, statement="from every other position a move leads into P")
    c.theorem(
        f"{label}.absorbing.fewer", absorbing.replace("$P(", "$fewer("), form="control",
        statement=f"so it is without {one} in P",
    )
    c.theorem(
        f"{label}.one", "Ap,q E=1 r $P(p,q,r)", statement="two piles determine the third",
    )
    c.theorem(
        f"{label}.one.more", "Ap,q E=1 r $more(p,q,r)", form="control", statement=f"so it is with {more} in P",
    )
    wider = f"Ap,q,r,s,t,u ($P(p,q,r) & $P(s,t,u)) => ~({SAME})"
    c.theorem(
        f"{label}.same", wider,
        statement="a move that takes the same number from all three piles may be allowed without changing P",
    )
    c.theorem(
        f"{label}.same.two", wider.replace(" & p+u=r+s", " & r=u"), form="control",
        statement="one that takes the same number from two piles may be allowed",
    )


declare("nim3", "normal play", "", "a=0 & b=0 & c=0", "a=0 & b=0 & c=1")
declare("nim3_misere", "misere play", " & p+q+r>0", "a=0 & b=0 & c=1", "a=0 & b=0 & c=2")

# -- the Raleigh game ----------------------------------------------------------------------------------

PAPER = "Fraenkel 2007"

c = fp.Chapter("The Raleigh game", source=PAPER, system="msd_fib")
c.script("""
reg left_shift {0,1} {0,1} "([0,0]|([0,1][1,1]*[1,0]))*":
def phin "(s=0 & n=0) | Ex $left_shift(n-1,x) & s=x+1":
def phi2n "Ex $phin(n,x) & s=x+n":
def triple "Ex $phin(n,x) & $phin(x,a) & $phi2n(n,b) & $phin(b,c)":
""")
c.define("row", "En $triple(a,b,c,n)")
c.define("P", "$row(a,b,c) | $row(a,c,b) | $row(b,a,c) | $row(b,c,a) | $row(c,a,b) | $row(c,b,a)")
c.define("more", "$P(a,b,c) | (a=0 & b=0 & c=1)")
c.define("fewer", "$P(a,b,c) & ~(a=0 & b=0 & c=0)")

#: The same number from the two larger piles and any from the least one, with the exception.
TWO_LARGER = " | ".join(
    f"({x}>0 & {x}<{y} & {y}<{z} & {x1}<{x} & {y1}<{y} & {y1}+{z}={z1}+{y} & (~{y}={y1}+3 | {x1}<{y1}))"
    for (x, x1), (y, y1), (z, z1) in permutations(zip("pqr", "stu", strict=True))
)
DOWN = "s<=p & t<=q & u<=r & s+t+u<p+q+r"
RALEIGH = f"{DOWN} & (p=s | q=t | r=u | (s=0 & t=0 & u=0 & (p=q | q=r | p=r)) | {TWO_LARGER})"
STABLE = f"Ap,q,r,s,t,u ($P(p,q,r) & $P(s,t,u)) => ~({RALEIGH})"
ABSORBING = f"Ap,q,r ~$P(p,q,r) => Es,t,u $P(s,t,u) & ({RALEIGH})"

c.theorem("raleigh.stable", STABLE, statement="no move leads from one position of P to another")
c.theorem(
    "raleigh.stable.more", STABLE.replace("$P(", "$more("), form="control", statement="so it is with (0,0,1) in P",
)
c.theorem("raleigh.absorbing", ABSORBING, statement="from every other position a move leads into P")
c.theorem(
    "raleigh.absorbing.fewer", ABSORBING.replace("$P(", "$fewer("), form="control",
    statement="so it is without (0,0,0) in P",
)
EXCEPTION = (
    "An (n>0 & Ep,q,r,s,t,u $row(p,q,r) & $P(s,t,u) & p>0 & p<q & q<r & s<p & t+n=q & u+n=r{}) <=> n=3"
)
c.theorem(
    "raleigh.exception", EXCEPTION.format(" & t<=s"),
    statement="without the exception, the moves that take n from y and z lead from P to P for n = 3 alone",
)
c.theorem(
    "raleigh.exception.other", EXCEPTION.format(" & s<t"), form="control",
    statement="so they do where y is not left as a least pile",
)
c.theorem(
    "raleigh.partition", "Ax x>0 => E=1 n Eb,c $triple(x,b,c,n) | $triple(b,x,c,n) | $triple(b,c,x,n)",
    statement="every x > 0 is an a_n, b_n or c_n for exactly one n",
)
c.theorem(
    "raleigh.partition.two", "Ax x>0 => Eb,c,n $triple(x,b,c,n) | $triple(b,x,c,n)", form="control",
    statement="every x > 0 is an a_n or b_n",
)
c.theorem("raleigh.next", "An,a,b,c (n>0 & $triple(a,b,c,n)) => b=a+1", statement="b_n = a_n + 1 for n > 0")
c.theorem(
    "raleigh.next.zero", "An,a,b,c $triple(a,b,c,n) => b=a+1", form="control", statement="b_n = a_n + 1 for all n",
)

# -- the four statements of the prologue -----------------------------------------------------------------

STEP = "An,a,b,c,d,e,f (n>0 & $triple(a,b,c,n) & $triple(d,e,f,n+1)) => {}"
for label, what, formula, wrong, changed in (
    ("1", "a_{n+1} - a_n is 2 or 3", STEP.format("(d=a+2 | d=a+3)"), "it is always 3", STEP.format("d=a+3")),
    ("2", "c_{n+1} - c_n = 2 (a_{n+1} - a_n) - 1", STEP.format("f+1+2*a=c+2*d"),
     "it is 2 (a_{n+1} - a_n)", STEP.format("f+2*a=c+2*d")),
    ("3", "floor(n phi) + floor(n phi^2) = c_n", "An,a,b,c,x ($triple(a,b,c,n) & $phin(n,x)) => x+b=c",
     "a_n + b_n = c_n", "An,a,b,c $triple(a,b,c,n) => a+b=c"),
    ("4", "c_n = floor(floor(n phi) phi^2) + 1",
     "An,a,b,c,x,y (n>0 & $triple(a,b,c,n) & $phin(n,x) & $phi2n(x,y)) => c=y+1",
     "so it is for n = 0", "An,a,b,c,x,y ($triple(a,b,c,n) & $phin(n,x) & $phi2n(x,y)) => c=y+1"),
):
    c.theorem(f"raleigh.prologue_{label}", formula, source=f"{PAPER}, section 1", statement=f"{what}, for n > 0")
    c.theorem(
        f"raleigh.prologue_{label}.changed", changed, form="control", source=f"{PAPER}, section 1", statement=wrong,
    )

# -- the Tribonacci game -------------------------------------------------------------------------------

PAPER = "Duchene & Rigo 2008"

c = fp.Chapter("The Tribonacci game", source=PAPER, system="msd_trib")
c.script("""
reg left_shift {0,1} {0,1} "([0,0]|[0,1][1,1]*[1,0])*":
def shift2 "Ex $left_shift(m,x) & $left_shift(x,s)":
def shift3 "Ex $shift2(m,x) & $left_shift(x,s)":
def place_a "Es $left_shift(n-1,s) & x=s+1":
def place_b "Es $shift2(n-1,s) & x=s+2":
def place_c "Es $shift3(n-1,s) & x=s+4":
""")
c.word("W", [[0, 1], [0, 2], [0]], range(3), "msd_trib")
c.define("row", "(a=0 & b=0 & c=0) | (En $place_a(n,a) & $place_b(n,b) & $place_c(n,c))")
c.define("P", "$row(a,b,c) | $row(a,c,b) | $row(b,a,c) | $row(b,c,a) | $row(c,a,b) | $row(c,b,a)")
c.define(
    "more", "$P(a,b,c) | (a=1 & b=1 & c=1) | (a=2 & b=2 & c=9) | (a=2 & b=9 & c=2) | (a=9 & b=2 & c=2)",
)

#: The sorts of moves: to fewer counters with a pile as it is; none more than the other two together; most from one.
MOVES = {
    "one_stays": f"{DOWN} & (p=s | q=t | r=u)",
    "balanced": "s<p & t<q & u<r & p+t+u<=q+r+s & q+s+u<=p+r+t & r+s+t<=p+q+u",
} | {
    f"most_{r}": f"{u}<{r} & {s}<{p} & {p}+{t}={q}+{s} & {r}+{s}+{t}>{p}+{q}+{u} & "
    f"({r}<{p} | {r}<{q} | ({u}<={s} & {u}<={t}) | ({u}>={s} & {u}>={t}))"
    for p, q, r, s, t, u in ("pqrstu", "prqsut", "qrptus")
}

for letter, place in enumerate(("place_a", "place_b", "place_c")):
    c.theorem(
        f"tribonacci.{place}", f"Ax (En n>0 & ${place}(n,x)) <=> (x>0 & W[x-1]=@{letter})",
        statement=f"the places of the letter {'abc'[letter]} in the Tribonacci word",
    )
    c.theorem(
        f"tribonacci.{place}.next", f"Ax (En n>0 & ${place}(n,x)) <=> (x>0 & W[x]=@{letter})",
        form="control", statement=f"those of the letter {'abc'[letter]}, where the first letter has the number 0",
    )
    c.theorem(
        f"tribonacci.{place}.increasing", f"An,x,y (n>0 & ${place}(n,x) & ${place}(n+1,y)) => x<y",
        statement="they are in increasing order",
    )
    c.theorem(
        f"tribonacci.{place}.increasing.by_one", f"An,x,y (n>0 & ${place}(n,x) & ${place}(n+1,y)) => y=x+1",
        form="control", statement="each is one more than the one before",
    )
for label, move in MOVES.items():
    stable = f"Ap,q,r,s,t,u ($P(p,q,r) & $P(s,t,u)) => ~({move})"
    c.theorem(
        f"tribonacci.stable.{label}", stable, statement="no move of this sort leads from one position of P to another",
    )
    c.theorem(
        f"tribonacci.stable.{label}.more", stable.replace("$P(", "$more("), form="control",
        statement="so it is with (1,1,1) and the orders of (2,2,9) in P",
    )

#: The moves that suffice from p <= q <= r: their sort, the option (s,t,u) in words, and as a formula.
STRATEGY = (
    ("one_stays", "a position of P with a pile that stays", "$P(s,t,u)"),
    ("balanced", "(0,0,0)", "s=0 & t=0 & u=0"),
    ("balanced", "(A_n,B_n,C_n) with C_n - A_n - B_n = r-p-q", "$row(s,t,u) & r+s+t=p+q+u"),
    ("most_r", "(A_n,B_n,C_n)", "$row(s,t,u)"),
    ("most_r", "(B_n,C_n,A_n)", "$row(u,s,t)"),
)
OTHERS = "(p<=q & q<=r & ~$P(p,q,r))"
CALLS = []
for number, (sort, _, option) in enumerate(STRATEGY, start=1):
    c.define(f"way{number}", f"Es,t,u p<=q & q<=r & {option} & {MOVES[sort]}")
    CALLS.append(f"$way{number}(p,q,r)")
ABSORBING = f"Ap,q,r {OTHERS} => ({{}})"
OPTIONS = ", or to ".join(what for _, what, _ in STRATEGY)
c.theorem(
    "tribonacci.absorbing", ABSORBING.format(" | ".join(CALLS)),
    statement=f"from every other position p <= q <= r a move leads to {OPTIONS}",
)
for number, (_, what, _) in enumerate(STRATEGY, start=1):
    c.theorem(
        f"tribonacci.absorbing.without_{number}",
        ABSORBING.format(" | ".join(call for call in CALLS if str(number) not in call)),
        form="control", statement=f"so it is without the moves to {what}",
    )
