"""Queens with a knight's moves, misere play, and sums of two heaps of Mark.

A set of positions is that of the P-positions if no position at which the outcome is given is wrong in it, no move leads
from one of its positions to another (stable), and a move leads into it from every other position at which play has not
ended (absorbing).  For a move makes p+q smaller.  In misere play the positions at which play has ended are N-positions.

A queen with a knight's moves takes from the piles what a move of Wythoff's game takes, or k counters from one pile and
l from the other.  For (k,l) = (1,2) this is Maharaja Nim (Larsson and Wastlund, arXiv 1207.0765), whose paper shows
that the P-positions are near those of Wythoff's game.  Here they are an automaton of 1975 states, and so near that each
differs from one of Wythoff's game by at most two counters in each pile.  For (1,4) and (2,3) they are automata of 41
and 307 states, and for all other k < l <= 13 they are automata of at most 89 states, most often that of Wythoff's game,
but for (3,5), (4,6), (5,8), (6,10), (7,11) and (8,13), of which no automaton is known.
Mark is the game on one heap of n counters in which a move takes from 1 to d-1
counters or leaves floor(n/d) (Fraenkel, "Aperiodic subtraction games", 2011).

The automata lie in automata/other_games/.  `fibprover game 'queen(2,3)'` and `fibprover game 'wythoff()' --misere`, for
example, have inferred them from positions; that of Maharaja Nim was inferred from the six billion positions below
7778742049 (docs/discovery.md).  The proofs do not depend on how the automata were found.
"""

import fibprover as fp

NEW = "new"

ONE_PILE = "(p=r & s<q) | (q=s & r<p)"


def queen(m: int = 1) -> str:
    """Return that a move of m-Wythoff leads from (p,q) to (r,s)."""
    return f"{ONE_PILE} | (r<p & s<q & p+s<q+r+{m} & q+r<p+s+{m})"


def knight(k: int, l: int) -> str:  # noqa: E741
    """Return that a move takes k counters from one pile and l from the other."""
    return f"(p=r+{k} & q=s+{l}) | (p=r+{l} & q=s+{k})"


def mark(d: int) -> str:
    """Return that a move takes from one of two heaps of Mark."""
    one = (("q=s", "p", "r"), ("p=r", "q", "s"))
    return " | ".join(
        f"({same} & {y}<{x} & ({x}<{y}+{d} | ({d}*{y}<={x} & {x}<{d}*{y}+{d})))" for same, x, y in one
    )


def declare(
    label: str, what: str, system: str, moves: str, file: str, ended: int | None = None,
    kinds: tuple[str, ...] = (),
) -> fp.Chapter:
    """P is the set of P-positions of a game, with controls; return the chapter.

    label: begins the ids; file: of the automaton.  ended: in misere play, play ends where p+q is at most this.  kinds:
    of moves, each of which has a definition of the positions with such a move into P.  With all of them in one formula
    the proof of Maharaja Nim takes as long, but not its certificate; and whether each part of the formula is needed
    takes a minute and five gigabytes.
    """
    c = fp.Chapter(f"P-positions of {what}", source=NEW, system=system)
    c.load_predicate(f"automata/other_games/{file}.txt", "inferred")
    c.define("P", "$inferred(a,b)")
    first = 0 if ended is None else ended + 1  # (0,first) is the first P-position, and the next one is none
    c.define("more", f"$P(a,b) | (a=0 & b={first + 1})")
    c.define("fewer", f"$P(a,b) & ~(a=0 & b={first})")
    outside = "~$P(p,q)" if ended is None else f"(p+q>{ended} & ~$P(p,q))"
    if ended is not None:
        c.define("wider", "$P(a,b) | (a=0 & b=0)")
        disjoint = f"Ap,q p+q<={ended} => ~$P(p,q)"
        c.theorem(f"{label}.ended", disjoint, statement="where play has ended there is no P-position")
        c.theorem(
            f"{label}.ended.wider", disjoint.replace("$P(", "$wider("), form="control",
            statement="so it is with (0,0) in P (it fails at (0,0))",
        )
    stable = f"Ap,q,r,s ($P(p,q) & $P(r,s)) => ~({moves})"
    into = f"Er,s $P(r,s) & ({moves})"
    if kinds:
        c.define("move", moves)
        stable = "Ap,q,r,s ($P(p,q) & $P(r,s)) => ~$move(p,q,r,s)"
        for number, kind in enumerate(kinds):
            c.define(f"into{number}", f"Er,s $P(r,s) & ({kind})")
            c.define(f"fewerinto{number}", f"Er,s $fewer(r,s) & ({kind})")
        into = " | ".join(f"$into{number}(p,q)" for number in range(len(kinds)))
    absorbing = f"Ap,q {outside} => ({into})"
    c.theorem(f"{label}.stable", stable, statement="no move leads from one position of P to another")
    c.theorem(
        f"{label}.stable.more", stable.replace("$P(", "$more("), form="control",
        statement=f"so it is with (0,{first + 1}) in P (a move leads from there to (0,{first}))",
    )
    others = "every other position" if ended is None else "every other position at which play has not ended"
    c.theorem(f"{label}.absorbing", absorbing, statement=f"from {others} a move leads into P")
    c.theorem(
        f"{label}.absorbing.fewer", absorbing.replace("$P(", "$fewer(").replace("$into", "$fewerinto"),
        form="control", statement=f"so it is without (0,{first}) in P (no move leads from there into P)",
    )
    return c


for k, other in ((1, 3), (2, 5), (3, 4)):
    declare(
        f"queen.{k}_{other}", f"a queen with a knight's moves ({k},{other}), which are those of Wythoff's game",
        "msd_fib", f"{queen()} | {knight(k, other)}", "wythoff",
    )
declare(
    "queen.1_4", "a queen with a knight's moves (1,4)", "msd_fib", f"{queen()} | {knight(1, 4)}", "queen_1_4"
)
declare(
    "queen.2_3", "a queen with a knight's moves (2,3)", "msd_fib", f"{queen()} | {knight(2, 3)}", "queen_2_3"
)

for file, knights in {
    "queen_2_6": ((2, 6),), "queen_1_7": ((1, 7), (4, 9)), "queen_4_7": ((4, 7),), "queen_1_9": ((1, 9), (3, 10)),
    "queen_2_11": ((2, 11), (4, 12)), "queen_1_12": ((1, 12),), "queen_6_12": ((6, 12),),
}.items():
    for k, other in knights:
        declare(
            f"queen.{k}_{other}", f"a queen with a knight's moves ({k},{other})", "msd_fib",
            f"{queen()} | {knight(k, other)}", file,
        )
maharaja = declare(
    "queen.1_2", "a queen with a knight's moves (1,2): Maharaja Nim", "msd_fib", f"{queen()} | {knight(1, 2)}",
    "queen_1_2", kinds=(*queen().split(" | "), knight(1, 2)),
)
maharaja.load_predicate("automata/other_games/wythoff.txt", "wythoff")
near = "Ap,q $P(p,q) => Er,s $wythoff(r,s) & p<=r+{0} & r<=p+{0} & q<=s+{0} & s<=q+{0}"
maharaja.theorem(
    "queen.1_2.near", near.format(2),
    statement="every P-position differs from one of Wythoff's game by at most two counters in each pile",
)
maharaja.theorem(
    "queen.1_2.near.one", near.format(1), form="control", statement="so it does by at most one (it fails at (43,72))"
)
differences = "An Ep,q $P(p,q) & q=p+n"
maharaja.theorem(
    "queen.1_2.differences", differences, statement="every difference of the piles is that of a P-position"
)
maharaja.theorem(
    "queen.1_2.differences.fewer", differences.replace("$P(", "$fewer("), form="control",
    statement="so it is without (0,0) in P (it fails at 0)",
)

misere = declare("misere.wythoff", "Wythoff's game in misere play", "msd_fib", queen(), "misere_wythoff", ended=0)
misere.load_predicate("automata/other_games/wythoff.txt", "normal")
far = "Ap,q p+q>{} => ($P(p,q) <=> $normal(p,q))"
misere.theorem(
    "misere.wythoff.far", far.format(4),
    statement="where p+q > 4 they are the P-positions of normal play: (0,1), (1,0), (2,2) replace (0,0), (1,2), (2,1)",
)
misere.theorem(
    "misere.wythoff.far.nearer", far.format(3), form="control", statement="so it is where p+q > 3 (it fails at (2,2))"
)

for last in (1, 2, 3, 4):
    declare(f"misere.k{last}", f"K^{last} in misere play", "msd_fib", queen(), f"misere_k{last}", ended=last)
for m in (2, 3):
    declare(
        f"misere.wythoff_{m}", f"{m}-Wythoff in misere play", f"msd_wythoff_{m}", queen(m), f"misere_wythoff_{m}",
        ended=0,
    )
declare("misere.nim", "Nim on two piles in misere play", "msd_2", ONE_PILE, "misere_nim", ended=0)

declare("mark.2", "the sum of two heaps of Mark", "msd_4", mark(2), "mark_2")
declare("mark.3", "the sum of two heaps of Mark-3", "msd_3", mark(3), "mark_3")
