"""The sequence g of the game K^2 is Fibonacci-automatic (Renard & Rigo, Propositions 4 and 6).

g(0) = 1, g(1) = 0, and for n >= 2 (Definition 1 of the paper)

    g(n) = 1 - g(m)  if floor(n phi) = floor(m (phi + 1)) + 1 for some m >= 0,   g(n) = 1  otherwise.

Proposition 4 gives it by the Hofstadter G-sequence h instead: for n >= 2, g(n) = 1 - g(h(n-1)) if
h(n-2) < h(n-1), and 1 otherwise.  The word G below is the paper's candidate; each of the two
recurrences determines g by induction, so G = g once G satisfies it and has the right first letters.

What the printed formulas leave open.  Their predicate `hofstadter` gives h two values at n = 0, and
they bind s and t by "there are", so that at n = 2 each may choose the value that suits it and says
nothing; nor do they look at G[0] and G[1].  So they hold whatever g(0), g(1) and g(2) are, with what
follows from these: they are TRUE of the words G0 and G1 below, which differ from g at 0 and at 1.
The strong forms take h without its second value at 0, prove that it is the Hofstadter sequence, and
quantify over all s and t that are values of h.
"""

import fibprover as fp

PAPER = "Renard & Rigo 2026"

c = fp.Chapter("The sequences h and g", source=PAPER, system="msd_fib")

# -- floor(n phi), floor(n phi^2): as printed -------------------------------------------------

c.script('reg shift {0,1} {0,1} "([0,0]|([0,1][1,1]*[1,0]))*":')
c.script('def phin "?msd_fib (s=0 & n=0) | Ex $shift(n-1,x) & s=x+1":')
c.script('def phi2n "?msd_fib (s=0 & n=0) | Ex,y $shift(n-1,x) & $shift(x,y) & s=y+2":')

c.theorem(
    "phin.example", "?msd_fib $phin(3,4)", form="printed", source=f"{PAPER}, section 2.1",
    statement="floor(3 phi) = 4",
)
c.theorem(
    "phin.function", "(An Ex $phin(n,x)) & (An,x,y ($phin(n,x) & $phin(n,y)) => x=y)", source=f"{PAPER}, section 2.1",
    statement="for every n there is exactly one x with phin(n,x)",
)
c.theorem(
    "phi2n.sum", "An,x,y $phin(n,x) => ($phi2n(n,y) <=> y=x+n)", source=f"{PAPER}, section 2.1",
    statement="floor(n phi^2) = floor(n phi) + n for every n",
)
c.theorem(
    "phin.partition", "Ax x>=1 => ((En n>=1 & $phin(n,x)) <=> ~(En n>=1 & $phi2n(n,x)))", source="Beatty's theorem",
    statement="every positive integer is floor(n phi) for some n >= 1, or floor(n phi^2) for some n >= 1, and not both",
)

c.define("above_0", "Ex $shift(n-1,x) & s=x+1")
c.theorem(
    "phin.function.above_0", "An Ex $above_0(n,x)", form="control", source=f"{PAPER}, section 2.1",
    statement="phin without its first part has a value for every n (it fails at n = 0)",
)
c.theorem(
    "phi2n.sum.plus_1", "An,x,y $phin(n,x) => ($phi2n(n,y) <=> y=x+n+1)", form="control",
    source=f"{PAPER}, section 2.1",
    statement="floor(n phi^2) = floor(n phi) + n + 1 for every n (it fails at n = 0)",
)
c.theorem(
    "phin.partition.with_0", "Ax ((En n>=1 & $phin(n,x)) <=> ~(En n>=1 & $phi2n(n,x)))", form="control",
    source="Beatty's theorem",
    statement="the same for every natural number x (it fails at x = 0)",
)

# -- the Hofstadter sequence -------------------------------------------------------------------

# As printed, with two values at 0; and h(n) = floor((n+1) phi) - n - 1 alone.
c.script('def hofstadter "?msd_fib (y=1 & n=0) | Ex $phin(n+1,x) & y+n+1=x":')
c.define("h", "Ex $phin(n+1,x) & y+n+1=x")

c.theorem(
    "h.function", "(An Ey $h(n,y)) & (An,y,z ($h(n,y) & $h(n,z)) => y=z)", source=f"{PAPER}, Proposition 6",
    statement="h is a function: exactly one value at every n",
)
c.theorem(
    "h.function.two_values", "An,y,z ($hofstadter(n,y) & $hofstadter(n,z)) => y=z", form="control",
    source=f"{PAPER}, Proposition 6",
    statement="the printed relation `hofstadter` has one value at every n (it has 0 and 1 at n = 0)",
)
c.theorem(
    "h.recurrence", "$h(0,0) & An,s,t,y (n>=1 & $h(n-1,s) & $h(s,t) & $h(n,y)) => y+t=n",
    source="Hofstadter 1979, p. 145",
    statement="h is the Hofstadter G-sequence: h(0) = 0, and h(n) = n - h(h(n-1)) for n >= 1",
)
c.theorem(
    "h.recurrence.two_values",
    "$hofstadter(0,0) & An,s,t,y (n>=1 & $hofstadter(n-1,s) & $hofstadter(s,t) & $hofstadter(n,y)) => y+t=n",
    form="control", source="Hofstadter 1979, p. 145",
    statement="every value of the printed relation `hofstadter` satisfies that recurrence (h(0) = 1 does not)",
)
c.theorem(
    "h.steps", "An,s,t ($h(n,s) & $h(n+1,t)) => (t=s | t=s+1)", source=f"{PAPER}, Proposition 4",
    statement="h(n+1) is h(n) or h(n) + 1, so that h(n-2) < h(n-1) and h(n-2) = h(n-1) are all the cases",
)

c.theorem(
    "h.steps.always_up", "An,s,t ($h(n,s) & $h(n+1,t)) => t=s+1", form="control", source=f"{PAPER}, Proposition 4",
    statement="h(n+1) is always h(n) + 1 (it fails at n = 1)",
)

# -- g -------------------------------------------------------------------------------------------

# The phi-morphism 0 -> 01, 1 -> 2, 2 -> 31, 3 -> 45, 4 -> 35, 5 -> 4 and its coding (Example 8).
IMAGES = [[0, 1], [2], [3, 1], [4, 5], [3, 5], [4]]
CODING = [1, 0, 1, 1, 0, 1]
c.word("G", IMAGES, CODING)

c.theorem(
    "g.less.printed",
    "?msd_fib An n>=2 => (Es,t ($hofstadter(n-2,s) & $hofstadter(n-1,t) & (s<t => G[n]+G[t]=1)))",
    form="printed", source=f"{PAPER}, Propositions 4 and 6",
    statement="for n >= 2 there are values s, t of hofstadter at n-2, n-1 such that g(n) = 1 - g(t) if s < t",
)
c.theorem(
    "g.equal.printed",
    "?msd_fib An n>=2 => (Es,t ($hofstadter(n-2,s) & $hofstadter(n-1,t) & (s=t => G[n]=1)))",
    form="printed", source=f"{PAPER}, Propositions 4 and 6",
    statement="for n >= 2 there are values s, t of hofstadter at n-2, n-1 such that g(n) = 1 if s = t",
)

FIRST = "G[0]=1 & G[1]=0 & "
BY_H = "An,s,t (n>=2 & $h(n-2,s) & $h(n-1,t)) => ((s<t => G[n]+G[t]=1) & (s=t => G[n]=1))"
BY_PHI = (
    "(An,m,x,y (n>=2 & $phin(n,x) & $phin(m,y) & x=y+m+1) => G[n]+G[m]=1)"
    " & (An (n>=2 & ~(Em,x,y $phin(n,x) & $phin(m,y) & x=y+m+1)) => G[n]=1)"
)
BY_H_WORDS = "for n >= 2: g(n) = 1 - g(h(n-1)) if h(n-2) < h(n-1), and 1 if h(n-2) = h(n-1)"
BY_PHI_WORDS = "for n >= 2: g(n) = 1 - g(m) if floor(n phi) = floor(m (phi+1)) + 1, and 1 if there is no such m"

c.theorem(
    "g.by_h", FIRST + BY_H, source=f"{PAPER}, Propositions 4 and 6",
    statement="g(0) = 1, g(1) = 0, and " + BY_H_WORDS,
)
c.theorem(
    "g.by_definition", FIRST + BY_PHI, source=f"{PAPER}, Definition 1",
    statement="g(0) = 1, g(1) = 0, and " + BY_PHI_WORDS,
)

# -- controls: words that differ from g in one of the first letters --------------------------------

# Letter 0 is read at n = 0 only, so its coding is g(0).  The letter read at n = 1, and the one at
# n = 2, get copies of their own (6 and 7), which are read nowhere else.
c.word("G0", IMAGES, [0, *CODING[1:]])
c.word("G1", [[0, 6], *IMAGES[1:], IMAGES[1]], [*CODING, 1])
c.word("G2", [[0, 6], *IMAGES[1:], [7], IMAGES[2]], [*CODING, 0, 0])


def of(word: str, formula: str) -> str:
    """The formula about another word in place of G."""
    return formula.replace("G[", f"{word}[")


# G[0] occurs in neither recurrence (h(n-1) > 0 for n >= 2): only the initial values show the difference.
c.theorem(
    "g.by_h.G0", of("G0", FIRST + BY_H), form="control", source=f"{PAPER}, Propositions 4 and 6",
    statement="the same with g(0) = 0: only the conjunct on g(0) fails",
)
c.theorem(
    "g.by_definition.G0", of("G0", FIRST + BY_PHI), form="control", source=f"{PAPER}, Definition 1",
    statement="the same with g(0) = 0: only the conjunct on g(0) fails",
)
c.theorem(
    "g.by_h.printed_first", "G[0]=1 & G[1]=1 & " + BY_H, form="control", source=f"{PAPER}, Proposition 4 as printed",
    statement="g(0) = g(1) = 1, as Proposition 4 prints it (Definition 1 has g(1) = 0), and the recurrence",
)
# The recurrences themselves, without the initial values, can fail too: at n = 2.
c.theorem(
    "g.by_h.G1", of("G1", BY_H), form="control", source=f"{PAPER}, Propositions 4 and 6",
    statement="with g(1) = 1, " + BY_H_WORDS + " (it fails at n = 2)",
)
c.theorem(
    "g.by_h.G2", of("G2", BY_H), form="control", source=f"{PAPER}, Propositions 4 and 6",
    statement="with g(2) = 0, " + BY_H_WORDS + " (it fails at n = 2)",
)
c.theorem(
    "g.by_definition.G1", of("G1", BY_PHI), form="control", source=f"{PAPER}, Definition 1",
    statement="with g(1) = 1, " + BY_PHI_WORDS + " (it fails at n = 2)",
)
c.theorem(
    "g.by_definition.G2", of("G2", BY_PHI), form="control", source=f"{PAPER}, Definition 1",
    statement="with g(2) = 0, " + BY_PHI_WORDS + " (it fails at n = 2)",
)

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
