"""Wythoff's game on three heaps, with the first heap fixed at 0, 1, ..., 30.

A move takes any number from one heap, or from the heaps amounts i, j, k, not all 0, whose binary sum without carries is
0.  P_m is the set of the pairs (a,b) for which (m,a,b) is a P-position.  Moves that keep the first heap are those of
Wythoff's game (i=0, so j=k); those that take x > 0 from it lead from P_m to P_(m-x), and take nothing from the others,
or j and k whose sum without carries is x.  So P_m follows from P_0, ..., P_(m-1): it is the only set from which no move
leads into it or into those (stable), and from every pair outside which a move leads into one of them (absorbing); for a
move makes the sum smaller.

If n > x is a power of 2, the sum of j and k is x exactly if j=n*u+i and k=n*u+(i xor x) for some u and i < n.  So they
differ by less than n, and a move that takes x leads from one diagonal to one near it, on which P_(m-x) has one pair at
most.  Stable: there are few j and k by which a pair of P_m and one of P_(m-x), on diagonals so near, differ (D), and no
such u and i.  Absorbing: the pairs outside P_m from which no move that keeps the first heap leads into it lie on few
diagonals (R, those in a P_l left out), so that few pairs of a P_l are near; and a pair (p,p+d) of R has a move into one
of them if p=n*u+c, for a u and a c that is that pair's first number and an i (B(c,d) has these c, for each d, and
A(d,p) the p).

Fraenkel conjectured that, the first heap being fixed, the differences b-a of the pairs with a <= b grow by one
from each pair to the next, with finitely many exceptions, and that a is then floor(n*phi) up to a constant and at most
1.  Sun and Zeilberger (2004) proved both for first heaps of up to 10.  Here they are said with the difference d = b-a
in place of the number n of the pair; the two differ by a constant.

The automata lie in automata/three_heaps/.  They were inferred by `python -m benchmarks.three_heaps` from the pairs
below 300,000, those for 10 to 20 from the pairs below 3,000,000, for 21 to 28 below 5,000,000, and for 29 and 30 below
20,000,000 (of 29, what was inferred below 5,000,000 was refuted: it has no pair with 4037248); the proofs do not depend
on how they were found.  The theorems on 5 and more take long.
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
    10: (1062, 1060, -56, 1062, 1060), 11: (1967, 1965, -61, 1967, 1965), 12: (105, 103, -67, 571, 570),
    13: (224, 222, -73, 346, 344), 14: (279, 277, -78, 856, 855), 15: (481, 479, -84, 719, 718),
    16: (97, 96, -89, 694, 692), 17: (84, 82, -94, 1175, 1174), 18: (173, 172, -104, 416, 415),
    19: (369, 368, -112, 1191, 1190), 20: (202, 200, -121, 2088, 2087),
    21: (396, 394, -132, 1404, 1403), 22: (522, 521, -140, 2753, 2751), 23: (643, 641, -149, 3464, 3462),
    24: (885, 883, -157, 3791, 3789), 25: (1178, 1176, -163, 3340, 3338), 26: (944, 942, -170, 2696, 2695),
    27: (1150, 1148, -179, 3661, 3660), 28: (2751, 2749, -187, 8355, 8354), 29: (4583, 4581, -194, 10485, 10483),
    30: (8826, 8824, -201, 8896, 8895),
}

#: The other number of the pair of 0, which is that of the first heap in a pair of Wythoff's game.
PARTNER = (
    0, 2, 1, 5, 7, 3, 10, 4, 13, 15, 6, 18, 20, 8, 23, 9, 26, 28, 11, 31, 12, 34, 36, 14, 39, 41, 16, 44, 17, 47, 49,
)

#: For some first heaps m and l no amounts that differ by at most m-l lead from P_m into P_l; by at most this, some do.
FAR_APART = {(24, 17): 8, (29, 25): 6}

#: The theorems on larger first heaps take long.
MOST_QUICK = 4


def amounts(x: int) -> list[tuple[int, int]]:
    """Return amounts j and k, whose binary sum without carries is x > 0, modulo a power of 2 above x."""
    return [(i, i ^ x) for i in range(1 << x.bit_length())]


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
        x = m - l
        left = amounts(x)
        c.define("D", f"Er,s $P{l}(r,s) & $P{m}(r+j,s+k) & j<=k+{x} & k<=j+{x}")
        none = " & ".join(f"~$D({len(left)}*u+{i},{len(left)}*u+{k})" for i, k in left)
        declared(
            f"{one}.stable_{l}", f"~$D(0,0) & (Au {none})",
            statement=f"no move that takes {x} from the first heap leads from P into P_{l}",
        )
        wide = FAR_APART.get((m, l), x)
        if wide > x:
            c.define("D", f"Er,s $P{l}(r,s) & $P{m}(r+j,s+k) & j<=k+{wide} & k<=j+{wide}")
        declared(
            f"{one}.stable_{l}.any", "Aj,k ~$D(j,k)", form="control",
            statement=f"so it is if any amounts that differ by at most {wide} may be taken from the two heaps",
        )


def declare_absorbing(c: fp.Chapter, m: int) -> None:
    """From every pair outside P_m a move leads into it or a P_l, with controls; R and S have p<=q.

    The pairs in P_0, ..., P_(l-1) are left out in Rl and Sl; Bl is about moves into these and P_l.
    """
    one = f"three_heaps.{m}"
    declared = partial(c.theorem, long=m > MOST_QUICK)
    declared(f"{one}.symmetric", f"Aa,b $P{m}(a,b) => $P{m}(b,a)", statement="if (a,b) is in P, so is (b,a)")
    declared(
        f"{one}.symmetric.more", "Aa,b $more(a,b) => $more(b,a)", form="control",
        statement=f"so it is with (0,{PARTNER[m] + 1}) in P",
    )
    outside = f"p<=q & ~$P{m}(p,q)"
    kept = f"(~Es s<q & $P{m}(p,s)) & (~Er r<p & $P{m}(r,q)) & (~Er,s r<p & p+s=q+r & $P{m}(r,s))"
    c.define("R0", f"{outside} & {kept}")
    c.define("S0", f"{outside} & {kept}".replace(f"$P{m}(", "$fewer("))
    for l in range(m):  # noqa: E741
        for name in "RS":
            c.define(f"{name}{l + 1}", f"${name}{l}(p,q) & ~$P{l}(p,q)")
    statement = "from every pair outside P a move leads into it or into a P_l"
    if m == 0:
        declared(f"{one}.absorbing", "Ap,q ~$R0(p,q)", statement=statement)
        declared(f"{one}.absorbing.fewer", "Ap,q ~$S0(p,q)", form="control", statement="so it is without (0,0) in P")
        return
    c.define("G", f"d={PARTNER[m]} | Ep $R{m}(p,p+d)")
    n = 1 << m.bit_length()
    for l in range(m):  # noqa: E741
        left = amounts(m - l)
        near = " | ".join(f"(Er,s $P{l}(r,s) & c=r+{i} & s+{k}=r+d+{i})" for i, k in left)
        c.define(f"N{l}", f"$G(d) & ({near})")
        # What is left modulo n of what is left modulo a divisor of n.
        lifted = " | ".join(f"$N{l}(c-{more},d)" for more in range(0, n, len(left)))
        c.define(f"B{l}", f"$B{l - 1}(c,d) | {lifted}" if l else lifted)
    c.define("M", f"Eu p={n}*u+c")
    c.define("A", f"Ec $B{m - 1}(c,d) & $M(c,p)")
    absorbing = f"Ap,d $R{m}(p,p+d) => $A(d,p)"
    declared(f"{one}.absorbing", absorbing, statement=statement)
    if m > 1:
        declared(
            f"{one}.absorbing.earlier", absorbing.replace("$A(d,p)", f"(Ec $B{m - 2}(c,d) & $M(c,p))"), form="control",
            statement=f"so it is without the moves that take amounts from all heaps into P_{m - 1}",
        )
    declared(
        f"{one}.absorbing.fewer", absorbing.replace(f"$R{m}(p,p+d)", f"($G(d) & $S{m}(p,p+d))"), form="control",
        statement=f"so it is without (0,{PARTNER[m]}) in P",
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
    # Those of the pairs from some a on grow, and none is left out: each, with 1 more, is that of a later pair.
    c.define("from_start", f"$P{m}(p,p+d) & {start}<=p")
    grows = "(Ap,d,r,e ($from_start(d,p) & $from_start(e,r) & p<r) => {}<e)"
    grows += " & (Ad,p $from_start(d,p) => Er $from_start(d+1,r) & p<r)"
    declared(
        f"{one}.differences", grows.format("d"),
        statement=f"the differences of the pairs grow by one from each to the next, from a={start} on",
    )
    declared(
        f"{one}.differences.two", grows.format("d+1"), form="control",
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
        c.define("from_before", f"$P{m}(p,p+d) & {before}<=p")
        declared(
            f"{one}.differences.earlier", grows.format("d").replace("from_start", "from_before"), form="control",
            statement=f"so it is from a={before} on",
        )
        declared(
            f"{one}.golden.earlier", close.format(far, -constant, -constant), form="control",
            statement=f"so it is for a>={far}",
        )


def declare(title: str, first: int, most: int) -> None:
    """Prove P_first, ..., P_most in turn, each from all those before."""
    c = fp.Chapter(title, source=SOURCE, system="msd_fib")
    for m in range(most + 1):
        c.load_predicate(f"automata/three_heaps/{m}.txt", f"inferred{m}")
        c.define(f"P{m}", f"$inferred{m}(a,b)")
        c.define("more", f"$P{m}(a,b) | (a=0 & b={PARTNER[m] + 1})")
        c.define("fewer", f"$P{m}(a,b) & ~(a=0 & b={PARTNER[m]})")
        if m >= first:
            declare_stable(c, m)
            declare_absorbing(c, m)
            declare_conjectures(c, m)


declare("Wythoff's game on three heaps", 0, 20)
for more in range(21, 31):
    declare(f"Wythoff's game on three heaps, first heap {more}", more, more)
