"""The sequences a_n and b_n of the games K^1 to K^4 (Renard & Rigo, section 4).

(a_n, b_n) is the n-th P-position of K^l that is not terminal and has a_n < b_n.  Theorem 17 says that

    a_n = mex({a_i, b_i : i < n} and 0, ..., l),   b_n = a_n + n + l + 1.

For l = 1, ..., 4 it is a statement about automata; so are Lemma 18, Corollary 19 with the exact
values of lambda_l, and what Remark 21 says of Beatty sequences.

What the printed formulas leave open.  `alinkb` is an implication under "there is an n", so that one
n with a_n different from x makes it true; the printed test for K^1 asks for some values a, b with
b = a+n+2, where a_n and b_n are meant.  Neither says that a_n and b_n are functions of n.  The strong
forms do, and link all values; covering and notboth are faithful as printed.
"""

from _paper import PAPER, declare_game, declare_sequences, formula

import fibprover as fp

SOURCE = f"{PAPER}, section 4"

#: The values of lambda_l, least and greatest.
LAMBDA = {1: (0, 1), 2: (-1, 0), 3: (-2, 0), 4: (-3, -1)}


def plus(name: str, number: int) -> str:
    """The term `name` plus a number that may be negative."""
    return f"{name}{number:+d}" if number else name


def sequences(level: int) -> fp.Chapter:
    """What holds for every l, with controls."""
    c = fp.Chapter(f"The sequences of K^{level}", source=SOURCE, system="msd_fib")
    declare_game(c, level)
    declare_sequences(c, level)
    ell, game = level, f"K{level}"

    # -- two increasing sequences that part the numbers > l -------------------------------------

    one = "for every n there is exactly one"
    c.theorem(f"{game}.a.function", "An E=1 a $an(a,n)", statement=f"{one} a_n")
    c.theorem(f"{game}.b.function", "An E=1 b $bn(b,n)", statement=f"{one} b_n")
    for name in "ab":
        c.theorem(
            f"{game}.{name}.function.either", "An E=1 x ($an(x,n) | $bn(x,n))", form="control",
            statement=f"{one} x that is a_n or b_n (it fails at n = 0)",
        )
        c.theorem(
            f"{game}.{name}.increasing", f"An,x,y (${name}n(x,n) & ${name}n(y,n+1)) => x<y",
            source=f"{PAPER}, Lemma 18", statement=f"{name}_n < {name}_(n+1)",
        )
        up = 1 if name == "a" else 2
        c.theorem(
            f"{game}.{name}.increasing.more", f"An,x,y (${name}n(x,n) & ${name}n(y,n+1)) => x+{up}<y", form="control",
            source=f"{PAPER}, Lemma 18", statement=f"{name}_n + {up} < {name}_(n+1) (it fails at n = 0)",
        )
    c.theorem(
        f"{game}.steps",
        "An,x,y,u,v ($an(x,n) & $an(y,n+1) & $bn(u,n) & $bn(v,n+1)) => ((y=x+1 & v=u+2) | (y=x+2 & v=u+3))",
        source=f"{PAPER}, Lemma 18", statement="a grows by 1 or 2, and b by one more than a",
    )
    c.theorem(
        f"{game}.steps.by_1", "An,x,y ($an(x,n) & $an(y,n+1)) => y=x+1", form="control", source=f"{PAPER}, Lemma 18",
        statement=f"a always grows by 1 (it fails at n = {ell})",
    )
    c.theorem(f"{game}.above", f"An,x ($an(x,n) | $bn(x,n)) => x>{ell}", statement=f"a_n > {ell} and b_n > {ell}")
    c.theorem(
        f"{game}.above.more", f"An,x ($an(x,n) | $bn(x,n)) => x>{ell + 1}", form="control",
        statement=f"a_n > {ell + 1} and b_n > {ell + 1} (it fails at n = 0)",
    )
    c.theorem(
        f"{game}.covering", f"Ax x>{ell} => En ($an(x,n) | $bn(x,n))", source=f"{PAPER}, Lemma 18",
        statement=f"every x > {ell} is some a_n or some b_n",
    )
    c.theorem(
        f"{game}.covering.terminal", f"Ax x>={ell} => En ($an(x,n) | $bn(x,n))", form="control",
        source=f"{PAPER}, Lemma 18", statement=f"so is every x >= {ell} (it fails at x = {ell})",
    )
    c.theorem(
        f"{game}.notboth", "Ax (Em $an(x,m)) => ~(En $bn(x,n))", source=f"{PAPER}, Lemma 18",
        statement="no number is both some a_m and some b_n",
    )
    c.theorem(
        f"{game}.notboth.shifted", "Ax (Em $an(x,m)) => ~(En $bn(x+1,n))", form="control", source=f"{PAPER}, Lemma 18",
        statement=f"nor is any b_n - 1 some a_m (it fails at x = {2 * ell + 1})",
    )

    # -- the recursion -----------------------------------------------------------------------------

    thm = f"{PAPER}, Theorem 17"
    c.theorem(
        f"{game}.link", f"An,x,y ($an(x,n) & $bn(y,n)) => y=x+n+{ell + 1}", source=thm,
        statement=f"b_n = a_n + n + {ell + 1}",
    )
    c.theorem(
        f"{game}.link.less", f"An,x,y ($an(x,n) & $bn(y,n)) => y=x+n+{ell}", form="control", source=thm,
        statement=f"b_n = a_n + n + {ell} (it fails at n = 0)",
    )
    c.define("used", "Ei i<n & ($an(x,i) | $bn(x,i))")
    mex = "An,x $an(x,n) <=> (x>{0} & ~$used(n,x) & (Ay (y>{0} & y<x) => $used(n,y)))"
    c.theorem(
        f"{game}.mex", mex.format(ell), source=thm,
        statement=f"a_n is the least number that is none of 0, ..., {ell} and no a_i or b_i with i < n",
    )
    c.theorem(
        f"{game}.mex.terminal", mex.format(ell - 1), form="control", source=thm,
        statement=f"a_n is the least number > {ell - 1} that is no a_i or b_i with i < n (it fails at n = 0)",
    )
    start = "$an({0},0) & $bn({1},0)"
    c.theorem(
        f"{game}.start", start.format(ell + 1, 2 * ell + 2), source=thm,
        statement=f"(a_0, b_0) = ({ell + 1}, {2 * ell + 2})",
    )
    c.theorem(
        f"{game}.start.other", start.format(ell + 1, 2 * ell + 1), form="control", source=thm,
        statement=f"(a_0, b_0) = ({ell + 1}, {2 * ell + 1})",
    )
    pairs = "Ap,q $P(p,q) <=> (p+q<={0} | (En n>={1} & (($an(p,n) & $bn(q,n)) | ($an(q,n) & $bn(p,n)))))"
    c.theorem(
        f"{game}.pairs", pairs.format(ell, 0), source=thm,
        statement=f"the P-positions are x+y <= {ell} and the pairs (a_n, b_n), in both orders",
    )
    c.theorem(
        f"{game}.pairs.from_1", pairs.format(ell, 1), form="control", source=thm,
        statement=f"the same with n >= 1 (it fails at ({ell + 1},{2 * ell + 2}))",
    )

    # -- floor((n+l) phi) + lambda_l(n) --------------------------------------------------------------

    cor = f"{PAPER}, Corollary 19"
    least, greatest = LAMBDA[level]
    values = range(least, greatest + 1)
    sets = {value: f"lambda_{'minus_' if value < 0 else ''}{abs(value)}" for value in values}
    for value, name in sets.items():
        c.define(name, f"Ex $phin(n+{ell},x) & $an({plus('x', value)},n)")

    def within(some: range) -> str:
        return "An " + " | ".join(f"${sets[value]}(n)" for value in some)

    shown = ", ".join(map(str, values))
    c.theorem(
        f"{game}.lambda", within(values), source=cor,
        statement=f"a_n = floor((n+{ell}) phi) + lambda(n) with lambda(n) one of {shown}",
    )
    c.theorem(
        f"{game}.lambda.without_least", within(values[1:]), form="control", source=cor,
        statement=f"the same without {least}",
    )
    c.theorem(
        f"{game}.lambda.without_greatest", within(values[:-1]), form="control", source=cor,
        statement=f"the same without {greatest}",
    )
    often = values if level <= 2 else values[:-1]
    c.theorem(
        f"{game}.lambda.often", " & ".join(f"(I n ${sets[value]}(n))" for value in often), source=cor,
        statement=f"lambda takes each of the values {', '.join(map(str, often))} infinitely often",
    )
    c.define("beyond", f"Ex $phin(n+{ell},x) & $an({plus('x', often[-1] + 1)},n)")
    c.theorem(
        f"{game}.lambda.often.greater", "I n $beyond(n)", form="control", source=cor,
        statement=f"lambda takes the value {often[-1] + 1} infinitely often",
    )
    if level > 2:
        c.theorem(
            f"{game}.lambda.once", f"An ${sets[greatest]}(n) <=> n=0", source=cor,
            statement=f"lambda is {greatest} at n = 0 and nowhere else",
        )
        c.theorem(
            f"{game}.lambda.once.least", f"An ${sets[least]}(n) <=> n=0", form="control", source=cor,
            statement=f"lambda is {least} at n = 0 and nowhere else (it fails at n = 0)",
        )
    both = f"An,x,y,u,v ($phin(n+{ell},x) & $an(y,n) & $phi2n(n+{ell},u) & $bn(v,n)) => v+x=u+y"
    c.theorem(
        f"{game}.lambda.b", both + "+1", source=cor, statement=f"b_n = floor((n+{ell}) phi^2) + lambda(n) + 1",
    )
    c.theorem(
        f"{game}.lambda.b.same", both, form="control", source=cor,
        statement=f"b_n = floor((n+{ell}) phi^2) + lambda(n) (it fails at n = 0)",
    )
    return c


# -- K^1 ---------------------------------------------------------------------------------------------

k1 = sequences(1)
PROP15 = f"{PAPER}, Proposition 15"
k1.theorem(
    "K1.a.example", formula("test", 3), form="printed", source=PROP15, statement="a_0, ..., a_3 of K^1 are 2, 3, 5, 7"
)
k1.theorem(
    "K1.b.example", formula("test", 4), form="printed", source=PROP15, statement="b_0, ..., b_3 of K^1 are 4, 6, 9, 12"
)
k1.theorem(
    "K1.link.printed", formula("test", 5), form="printed", source=PROP15,
    statement="for every n there are values a of a_n and b of b_n with b = a+n+2",
)
BEATTY = "An,x,y ($phin(n+{0},x) & $phi2n(n+{0},y)) => ($an(x-1,n) & $bn(y-1,n))"
k1.theorem(
    "K1.beatty", BEATTY.format(2), source=f"{PAPER}, Remark 21, corrected",
    statement="a_n = floor((n+2) phi - 1) and b_n = floor((n+2) phi^2 - 1)",
)
k1.theorem(
    "K1.beatty.printed", BEATTY.format(1), form="control", source=f"{PAPER}, Remark 21",
    statement="as printed: a_n = floor((n+1) phi - 1) and b_n = floor((n+1) phi^2 - 1) (it fails at n = 0)",
)

# -- K^2 ---------------------------------------------------------------------------------------------

k2 = sequences(2)
PROP16 = f"{PAPER}, Proposition 16"
k2.theorem(
    "K2.a.example", formula("test", 6), form="printed", source=PROP16, statement="a_0, ..., a_3 of K^2 are 3, 4, 5, 7"
)
k2.theorem(
    "K2.b.example", formula("test", 7), form="printed", source=PROP16, statement="b_0, ..., b_3 of K^2 are 6, 8, 10, 13"
)
k2.theorem(
    "K2.covering.printed", formula("covering"), form="printed", source=PROP16,
    statement="every x >= 3 is some a_n or some b_n",
)
k2.theorem(
    "K2.notboth.printed", formula("notboth"), form="printed", source=PROP16,
    statement="no number is both some a_m and some b_n",
)
k2.theorem(
    "K2.alinkb.printed", formula("alinkb"), form="printed", source=PROP16,
    statement="for every x >= 3 there is an n such that b_n = x+n+3 if a_n = x",
)
k2.theorem(
    "K2.alinkb", "Ax,n $an(x,n) => $bn(x+n+3,n)", source=PROP16,
    statement="if a_n = x, then b_n = x+n+3, for all x and n",
)
k2.theorem(
    "K2.alinkb.less", "Ax,n $an(x,n) => $bn(x+n+2,n)", form="control", source=PROP16,
    statement="if a_n = x, then b_n = x+n+2 (it fails at x = 3)",
)

# -- K^3, K^4, and what makes K^2, K^3, K^4 no Beatty sequences ----------------------------------------

k3 = sequences(3)
k4 = sequences(4)

REMARK = f"{PAPER}, Remark 21"
for ell, c in ((2, k2), (3, k3), (4, k4)):
    jump = "$an({0},0) & $an({1},{2}) & (En,x $an(x,n) & $an(x+{3},n+{4}))"
    # By the criterion of Boshernitzan and Fraenkel, as (2l+1)/(l+1) > (l+1)/l for l >= 2.
    c.theorem(
        f"K{ell}.no_beatty", jump.format(ell + 1, 2 * ell + 1, ell, 2 * ell + 2, ell + 1), source=REMARK,
        statement=f"a grows by {ell} in its first {ell} steps and by {2 * ell + 2} in some {ell + 1} steps",
    )
    c.theorem(
        f"K{ell}.no_beatty.more", jump.format(ell + 1, 2 * ell + 1, ell, 2 * ell + 3, ell + 1), form="control",
        source=REMARK, statement=f"the same with {2 * ell + 3} in some {ell + 1} steps",
    )

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
