"""Wythoff's game on three heaps, with the first heap fixed at 0, 1, ..., 11.

A move takes any number from one heap, or from the heaps amounts i, j, k, not all 0, whose binary sum without carries is
0.  P_m is the set of the pairs (a,b) for which (m,a,b) is a P-position.  Moves that keep the first heap are those of
Wythoff's game (i=0, so j=k); those that take x > 0 from it lead from P_m to P_(m-x), and take nothing from the others,
or j and k whose sum without carries is x.  X_x is the relation of these j and k: equal but for their last digits in
base 2.  So P_m follows from P_0, ..., P_(m-1): it is the only set from which no move leads into it or into those
(stable), and from every pair outside which a move leads into one of them (absorbing); for a move makes the sum smaller.

Fraenkel conjectured that, the first heap being fixed, the differences b-a of the pairs with a <= b grow by one
from each pair to the next, with finitely many exceptions, and that a is then floor(n*phi) up to a constant and at most
1.  Sun and Zeilberger (2004) proved both for first heaps of up to 10.  Here they are said with the difference d = b-a
in place of the number n of the pair; the two differ by a constant.

The automata lie in automata/three_heaps/.  They were inferred by `python -m benchmarks.three_heaps` from the pairs
below 300,000, and those for 10 and 11 from the pairs below 3,000,000; the proofs do not depend on how they were found.
The theorems on 5 to 11 take long.
"""

from functools import partial

import fibprover as fp

SOURCE = "Sun & Zeilberger 2004"

#: A move of Wythoff's game leads from (p,q) to (r,s).
MOVE = "(p=r & s<q) | (q=s & r<p) | (r<p & p+s=q+r)"

#: By first heap: from which a on the differences grow by one, and the a of the pair before, with which they do not; the
#: constant that a exceeds floor(d*phi) by, up to 1; from which a on that holds, and the greatest for which it does not.
EVENTUALLY = {
    0: (0, 0, 0, 0, 0), 1: (33, 32, -4, 45, 44), 2: (46, 44, -10, 90, 88), 3: (78, 76, -16, 119, 118),
    4: (204, 202, -20, 336, 332), 5: (116, 114, -26, 197, 195), 6: (184, 182, -32, 374, 372),
    7: (370, 368, -39, 557, 556), 8: (629, 627, -46, 1046, 1044), 9: (1044, 1042, -52, 1044, 1042),
    10: (1062, 1060, -56, 1062, 1060), 11: (1967, 1965, -61, 1967, 1965),
}

#: The other number of the pair of 0, which is that of the first heap in a pair of Wythoff's game.
PARTNER = (0, 2, 1, 5, 7, 3, 10, 4, 13, 15, 6, 18)

#: The theorems on larger first heaps take long.
MOST_QUICK = 4


def amounts(x: int) -> str:
    """Return that j and k have the binary sum x > 0 without carries."""
    n = 1 << x.bit_length()
    return "Eu " + " | ".join(f"(j={n}*u+{i} & k={n}*u+{i ^ x})" for i in range(n))


def declare_stable(c: fp.Chapter, m: int) -> None:
    """No move leads from P_m into P_m or a P_l, with controls."""
    one = f"three_heaps.{m}"
    declared = partial(c.theorem, long=m > MOST_QUICK)
    stable = f"Ap,q,r,s ($P{m}(p,q) & $P{m}(r,s)) => ~({MOVE})"
    declared(f"{one}.stable", stable, statement="no move that keeps the first heap leads from a pair of P to another")
    declared(
        f"{one}.stable.more", stable.replace(f"$P{m}(", "$more("), form="control",
        statement=f"so it is with (0,{PARTNER[m] + 1}) in P",
    )
    for l in range(m):  # noqa: E741
        amounts_taken = f" & ($X{m - l}(j,k) | (j=0 & k=0))"
        earlier = f"Ar,s,j,k ($P{l}(r,s){amounts_taken}) => ~$P{m}(r+j,s+k)"
        declared(f"{one}.stable_{l}", earlier, statement=f"no move leads from P into P_{l}")
        declared(
            f"{one}.stable_{l}.any", earlier.replace(amounts_taken, ""), form="control",
            statement="so it is if any amounts may be taken from the two heaps",
        )


def declare_absorbing(c: fp.Chapter, m: int) -> None:
    """From every pair outside P_m a move leads into it or a P_l, with controls; R has the pairs that remain."""
    one = f"three_heaps.{m}"
    declared = partial(c.theorem, long=m > MOST_QUICK)
    inner = f"~$P{m}(p,q) & (~Es s<q & $P{m}(p,s)) & (~Er r<p & $P{m}(r,q)) & (~Er,s r<p & p+s=q+r & $P{m}(r,s))"
    c.define("R", inner)
    c.define("S", inner.replace(f"$P{m}(", "$fewer("))
    for l in range(m):  # noqa: E741
        if l == m - 1:
            declared(
                f"{one}.absorbing.earlier", "Ap,q ~$R(p,q)", form="control",
                statement=f"so it is without the moves into P_{l}",
            )
        for name in "RS":
            into = f"Er,s,j,k $P{l}(r,s) & $X{m - l}(j,k) & p=r+j & q=s+k & ${name}(p,q)"
            c.define(name, f"${name}(p,q) & ~$P{l}(p,q) & ~({into})")
    declared(
        f"{one}.absorbing", "Ap,q ~$R(p,q)", statement="from every pair outside P a move leads into it or into a P_l",
    )
    declared(
        f"{one}.absorbing.fewer", "Ap,q ~$S(p,q)", form="control", statement=f"so it is without (0,{PARTNER[m]}) in P",
    )


def declare_conjectures(c: fp.Chapter, m: int) -> None:
    """What Fraenkel conjectured, from the least heap on, with controls."""
    one = f"three_heaps.{m}"
    declared = partial(c.theorem, long=m > MOST_QUICK)
    start, before, constant, near, far = EVENTUALLY[m]
    declared(f"{one}.one", f"Ap E=1 q $P{m}(p,q)", statement="every number is in exactly one pair")
    declared(
        f"{one}.one.more", "Ap E=1 q $more(p,q)", form="control", statement=f"so it is with (0,{PARTNER[m] + 1}) in P",
    )
    # The differences grow, and none is left out: each, with 1 more, is that of a later pair.
    pair = f"$P{m}(p,q) & p<=q & {{0}}<=p"
    grow = f"Ap,q,r,s ({pair} & $P{m}(r,s) & r<=s & p<r) => q+r<p+s"
    grows = f"({grow}) & (Ap,q ({pair}) => Er,s $P{m}(r,s) & p<r & q+r+1=p+s)"
    declared(
        f"{one}.differences", grows.format(start),
        statement=f"the differences of the pairs grow by one from each to the next, from a={start} on",
    )
    declared(
        f"{one}.differences.two", grows.format(start).replace("q+r<p+s", "q+r+1<p+s"), form="control",
        statement=f"they grow by two or more, from a={start} on",
    )
    close = (
        f"Ap,q,r,s ($P{m}(p,q) & p<=q & {{}}<=p & $P0(r,s) & r<=s & q+r=p+s) => (p+{{}}<=r+1 & r<=p+{{}}+1)"
    )
    declared(
        f"{one}.golden", close.format(near, -constant, -constant),
        statement=f"a is floor(d*phi){constant:+d} up to 1, for a>={near}",
    )
    declared(
        f"{one}.golden.other", close.format(near, -constant + 2, -constant + 2), form="control",
        statement=f"a is floor(d*phi){constant - 2:+d} up to 1",
    )
    if m:
        declared(
            f"{one}.differences.earlier", grows.format(before), form="control",
            statement=f"so it is from a={before} on",
        )
        declared(
            f"{one}.golden.earlier", close.format(far, -constant, -constant), form="control",
            statement=f"so it is for a>={far}",
        )


def declare(most: int) -> None:
    """Prove P_0, P_1, ... in turn, each from those before."""
    c = fp.Chapter("Wythoff's game on three heaps", source=SOURCE, system="msd_fib")
    for m in range(most + 1):
        c.load_predicate(f"automata/three_heaps/{m}.txt", f"inferred{m}")
        c.define(f"P{m}", f"$inferred{m}(a,b)")
        c.define("more", f"$P{m}(a,b) | (a=0 & b={PARTNER[m] + 1})")
        c.define("fewer", f"$P{m}(a,b) & ~(a=0 & b={PARTNER[m]})")
        if m:
            c.define(f"X{m}", amounts(m))
        declare_stable(c, m)
        declare_absorbing(c, m)
        declare_conjectures(c, m)


declare(11)
