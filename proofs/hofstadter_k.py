"""K^l and Hofstadter's recurrence, for K^1 to K^4: a question of Renard & Rigo (section 8).

docs/hofstadter.md proves for every l what is decided here for l = 1, ..., 4:

* a_(a_n) = a_n + n + l + 2; and a_n - a_(n-1) is 2 if n itself is one of the a, and 1 otherwise;
* G_l(x) = l + (the number of a_n <= x-l) satisfies Hofstadter's recurrence G(x) = x - G(G(x-1)) from x = 2l on, and is
  l before.  So K^l is that recurrence with other first values; K^1 has those of the sequence G;
* g_l(n) = a_(n-l) - floor(n phi) + l - 1 is 0 or 1 from some n on, and satisfies the recurrence of the paper's g = g_2;
* so K^l is K^1 moved by (l-1,l-1), except where n+1 is in one of finitely many sequences each of whose numbers is the
  sum of the two before.
"""

from _paper import PAPER, declare_game, declare_sequences

import fibprover as fp

SOURCE = f"new; the question is that of {PAPER}, section 8"

#: From which n on g_l is 0 or 1, and from which its recurrence holds.
BINARY, RECURRENT = {1: 1, 2: 2, 3: 4, 4: 5}, {1: 2, 2: 3, 3: 7, 4: 9}

#: The n+1 where K^l is not K^1 moved: in words, by their Fibonacci representations, and with one sequence too few.
MOVED = {
    2: ("3, 5, 8, 13, ... are the Fibonacci numbers", "0*1000*", "0*10000*", 2),
    3: ("4, 7, 11, 18, ... are the Lucas numbers", "0*1010*", "0*10100*", 3),
    4: ("5, 9, 14, 23, ... and 6, 10, 16, 26, ... each are the sum of the two before",
        "0*(1000|10001|1000010*|10010*)", "0*(1000|10001|1000010*)", 5),
}

RECURRENCE = (
    "(Am,f,n,u,v (n>={0} & $phin(m,f) & n=f+1 & $g(m,u) & $g(n,v)) => {1})"
    " & (An,v (n>={0} & ~(Em,f $phin(m,f) & n=f+1) & $g(n,v)) => v=1)"
)


def recurrence(level: int) -> fp.Chapter:
    """What K^l has to do with Hofstadter's G and with g, with controls."""
    c = fp.Chapter(f"K^{level} and Hofstadter's recurrence", source=SOURCE, system="msd_fib")
    declare_game(c, level)
    declare_sequences(c, level)
    ell, game = level, f"K{level}"

    twice = "An,x,y ($an(x,n) & $an(y,x)) => y=x+n+{}"
    c.theorem(f"{game}.a_of_a", twice.format(ell + 2), statement=f"a_(a_n) = a_n + n + {ell + 2}")
    c.theorem(
        f"{game}.a_of_a.less", twice.format(ell + 1), form="control",
        statement=f"a_(a_n) = a_n + n + {ell + 1} (it fails at n = 0)",
    )
    c.define("in_a", "Em $an(x,m)")
    steps = "$an({0},0) & An,x,y ($an(x,n) & $an(y,n+1)) => ((y=x+2 & $in_a({1})) | (y=x+1 & ~$in_a({1})))"
    c.theorem(
        f"{game}.a_by_itself", steps.format(ell + 1, "n+1"),
        statement=f"a_0 = {ell + 1}, and a_(n+1) is a_n + 2 if n+1 is one of a_0, a_1, ..., and a_n + 1 if not",
    )
    c.theorem(
        f"{game}.a_by_itself.before", steps.format(ell + 1, "n"), form="control",
        statement=f"the same with n for n+1 (it fails at n = {ell})",
    )

    c.define("many", f"(x<={ell} & y=0) | (y>0 & Eu,v $an(u,y-1) & $an(v,y) & u<=x & x<v)")
    c.define("G_l", f"(x<{2 * ell} & y={ell}) | (x>={2 * ell} & y>={ell} & $many(x-{ell},y-{ell}))")
    c.theorem(f"{game}.G.function", "Ax E=1 y $G_l(x,y)", statement=f"G_{ell} is a function")
    c.theorem(
        f"{game}.G.function.many", "Ax E=1 y ($G_l(x,y) | $many(x,y))", form="control",
        statement=f"so is G_{ell} together with the number of a_n <= x (it fails at x = 0)",
    )
    hofstadter = "Ax,y,u,v (x>={} & $G_l(x,y) & $G_l(x-1,u) & $G_l(u,v)) => x=y+v"
    c.theorem(
        f"{game}.G.recurrence", hofstadter.format(2 * ell),
        statement=f"G_{ell}(x) = x - G_{ell}(G_{ell}(x-1)) for x >= {2 * ell}; before, it is {ell}",
    )
    c.theorem(
        f"{game}.G.recurrence.before", hofstadter.format(2 * ell - 1), form="control",
        statement=f"so it is for x >= {2 * ell - 1} (it fails at x = {2 * ell - 1})",
    )

    c.define("g", f"n>={ell} & (Ef,x $phin(n,f) & $an(x,n-{ell}) & x+{ell}=f+y+1)")
    binary = "An n>={} => ({})"
    c.theorem(
        f"{game}.g.binary", binary.format(BINARY[level], "$g(n,0) | $g(n,1)"),
        statement=f"g_{ell}(n) = a_(n-{ell}) - floor(n phi) + {ell - 1} is 0 or 1 for n >= {BINARY[level]}",
    )
    c.theorem(
        f"{game}.g.binary.before", binary.format(BINARY[level] - 1, "$g(n,0) | $g(n,1)"), form="control",
        statement=f"so it is for n >= {BINARY[level] - 1} (it fails there)",
    )
    c.theorem(
        f"{game}.g.recurrence", RECURRENCE.format(RECURRENT[level], "u+v=1"),
        statement=f"for n >= {RECURRENT[level]} g_{ell}(n) = 1 - g_{ell}(m) if n = floor(m phi) + 1, and 1 for other n",
    )
    c.theorem(
        f"{game}.g.recurrence.same", RECURRENCE.format(RECURRENT[level], "u=v"), form="control",
        statement=f"the same with g_{ell}(m) for 1 - g_{ell}(m)",
    )
    if level > 1:
        moved(c, level)
    return c


def moved(c: fp.Chapter, level: int) -> None:
    """Where K^l is K^1 moved by (l-1,l-1); the a of K^1 is n with a zero appended (Theorem 12)."""
    words, these, too_few, first = MOVED[level]
    c.reg("others", [c.system], these)
    c.reg("too_few", [c.system], too_few)
    text = f"An,x,y (n>={level} & $an(x,n-{level}) & $shift(n,y)) => (x+{level - 1}=y <=> ~${{}}(n+1))"
    c.theorem(
        f"K{level}.moved", text.format("others"),
        statement=f"for n >= {level} a_(n-{level}) is {level - 1} less than a_(n-1) of K^1, but for the n with n+1 "
        f"among these: {words}",
    )
    c.theorem(
        f"K{level}.moved.too_few", text.format("too_few"), form="control",
        statement=f"so it is without the first of them, or one of the sequences (it fails at n = {first})",
    )


k1, k2, k3, k4 = (recurrence(level) for level in (1, 2, 3, 4))

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
