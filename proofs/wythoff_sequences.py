"""The na+b Wythoff sequences (Wythoff 1907, Kimberling 2011), a = 1, 2, 3 and 0 < b <= a+1, and games for them.

A_n and B_n = A_n + n a + b, n >= 0, part the numbers, A_n being the least that is none of the A_i and B_i with i < n.
Wythoff says that for 0 < b <= a they are floor(n alpha + gamma) and floor(n beta + delta) with quadratic numbers, and
leaves these to the reader.  Here alpha and beta = alpha + a are those of a-Wythoff, and gamma = 1 - b/beta.  Since
1/beta = (2 - alpha)/a, A_n is the quotient of floor((n a + b) alpha) - 2b + a by a.  It is so for b = a+1 as well, but
not for b = a+2, where gamma < 0.

Fokkink and Rust (2022, section 9) end with these sequences; of games they name a-Wythoff, b = a.  There is one for
each: the moves of a-Wythoff, where (0,0), (1,b+1) and (b+1,1) are terminal if b <= a, and x+y <= 1 if b = a+1.  Its
other P-positions are (A_n+1,B_n+1) or (A_n+2,B_n+2), in both orders.  (For a = 1 and b = l+1 the moves of Wythoff's
game with x+y <= l terminal give A_n+l+1, B_n+l+1: that is K^l.)
"""

from _representations import even_zeros, left_shift

import fibprover as fp

PAPER = "Wythoff 1907; Kimberling 2011"
GAME = "new"

#: The (a,b) of the theorems.
PAIRS = [(a, b) for a in (1, 2, 3) for b in range(1, a + 2)]

MOVE = "((p>r & q=s) | (p=r & q>s) | (p>r & q>s & p+s<q+r+{0} & q+r<p+s+{0}))"


def quotient(a: int, b: int) -> str:
    """x = floor(n alpha + 1 - b/beta), from y = floor((n a + b) alpha)."""
    less, more = max(2 * b - a, 0), max(a - 2 * b, 0)
    return f"Ey $F({a}*n+{b},y) & {a}*x+{less}<=y+{more} & y+{more}<{a}*x+{less + a}"


def pair(a: int, b: int) -> fp.Chapter:
    """What holds of A and B and of the game, with controls."""
    c = fp.Chapter(f"The {a}n+{b} Wythoff sequences", source=PAPER, system=f"msd_wythoff_{a}")
    label = f"{a}n+{b}"
    c.reg("even_zeros", [c.system], even_zeros(a))
    c.reg("shift", [range(a + 1), range(a + 1)], left_shift(a))
    c.define("F", f"Ez $even_zeros(y) & $shift(y,z) & z=y+{a}*n")  # y = floor(n alpha), Fraenkel's theorem
    late = a + 2
    for name, number in (("", b), ("_late", late)):
        c.define(f"A{name}", quotient(a, number))
        c.define(f"B{name}", f"Ey $A{name}(n,y) & x=y+{a}*n+{number}")
        c.define(f"used{name}", f"Ei i<n & ($A{name}(i,x) | $B{name}(i,x))")

    def mex(name: str) -> str:
        return f"(An Ex $A{name}(n,x)) & An,x $A{name}(n,x) => (~$used{name}(n,x) & (Ay y<x => $used{name}(n,y)))"

    c.theorem(
        f"{label}.mex", mex(""),
        statement=f"floor(n alpha + 1 - {b}/beta) is the least number of no A_i and B_i, i < n; B_n = A_n + {a}n + {b}",
    )
    c.theorem(
        f"{label}.mex.late", mex("_late"), form="control",
        statement=f"so is floor(n alpha + 1 - {late}/beta) where B_n = A_n + {a}n + {late}",
    )
    parted = "Ax (En $A{0}(n,x)) ^ (En $B{0}(n,x))"
    c.theorem(
        f"{label}.parted", parted.format(""), statement="each number is an A_n or a B_n, and not both",
    )
    c.theorem(
        f"{label}.parted.late", parted.format("_late"), form="control", statement=f"so it is with {late} for {b}",
    )
    game(c, label, a, b)
    return c


def game(c: fp.Chapter, label: str, a: int, b: int) -> None:
    """The moves of a-Wythoff with few terminal positions."""
    by, ends = (1, f"(x=0 & y=0) | (x=1 & y={b + 1}) | (x={b + 1} & y=1)") if b <= a else (2, "x+y<=1")
    c.define("terminal", ends)
    c.define("half", f"x>={by} & (En $A(n,x-{by}) & y=x+{a}*n+{b})")
    c.define("P", "$terminal(x,y) | $half(x,y) | $half(y,x)")
    stable = f"Ap,q,r,s ($P(p,q) & $P(r,s) & ~$terminal(p,q)) => ~{MOVE}"
    absorbing = f"Ap,q ~$P(p,q) => (Er,s $P(r,s) & {MOVE})"
    c.theorem(
        f"{label}.game.stable", stable.format(a), source=GAME,
        statement=f"no move of {a}-Wythoff leads from (A_n+{by},B_n+{by}) to one of these or a terminal one",
    )
    c.theorem(
        f"{label}.game.stable.more", stable.format(a + 1), source=GAME, form="control",
        statement=f"so it is for the moves of {a + 1}-Wythoff",
    )
    c.theorem(
        f"{label}.game.absorbing", absorbing.format(a), source=GAME,
        statement=f"a move of {a}-Wythoff leads to one of these positions from every other one",
    )
    c.theorem(
        f"{label}.game.absorbing.rook", absorbing.replace(MOVE, "((p>r & q=s) | (p=r & q>s))"), source=GAME,
        form="control", statement="so does a move that takes from one pile",
    )


chapters = [pair(a, b) for a, b in PAIRS]

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
