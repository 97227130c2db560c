"""The P-positions of Fraenkel's (s,m)-games: the set, its two sequences and the word that codes them.

In the (s,m)-game a player takes from one pile, or from both: k from one and l from the other, where
0 < k <= l < s k + m.  The (1,m)-game is m-Wythoff, the (1,1)-game Wythoff's game.  Numbers are written
in the numeration system U_0 = 1, U_1 = s+m, U_(t+2) = (s+m-1) U_(t+1) + s U_t.

(a,b) with a <= b is a P-position if and only if the representation of a ends in an even number of
zeros and that of b is the representation of a with a zero appended.

A_n and B_n are the pairs of this set, numbered by B_n = s A_n + m n.  Schwent's Theorem 1, for s = 1, and
Theorems 2 and 3, for s = 2 and m = 1, say how they continue: A_n is the least number that is no
A_i and no B_i with i < n.  (Printed with i <= n in Theorem 2, where A_n would be another number than itself.)
For s = 1 it follows by Lemma 2.1 there that A_n = floor(n alpha), where alpha = (2 - m + sqrt(m^2 + 4))/2; no
formula says this, since alpha is irrational, so a test checks it.

The letters of the fixed point of a -> a^(s+m-1) b, b -> a^s stand at the places A_n and B_n, n >= 1, if the
first letter has the place 1.
"""

from _representations import even_zeros, left_shift

import fibprover as fp

#: The games, as (s,m).
GAMES = (*((1, m) for m in range(1, 11)), *((s, m) for s in range(2, 5) for m in range(1, 5)))

TERMINAL = "$P(0,0)"
STABLE = "Ap,q,r,s ($P(p,q) & $P(r,s) & p>=r & q>=s) => ~$move(p-r,q-s)"
ABSORBING = "Ap,q ~$P(p,q) => ({})"

#: A move leads from (p,q) into P: from one pile, or k from the pile that becomes the smaller one, and l >= k.
ONE_PILE = "(Es s<q & $P(p,s)) | (Er r<p & $P(r,q))"
TWO_PILES = "(Er,s $P_asym(r,s) & $two(p-r,q-s)) | (Er,s $P_asym(s,r) & $two(q-s,p-r))"


def system(s: int, m: int) -> str:
    """The name of the numeration system of a game."""
    return f"msd_wythoff_{m}" if s == 1 else f"msd_fraenkel_{s}_{m}"


def sources(s: int, m: int) -> tuple[str, str, str]:
    """Where it is said what the P-positions are, how the two sequences continue, and what the word is."""
    if s == 1:
        return "Fraenkel 1982", "Schwent, Theorem 1", "Schwent, section 4"
    if (s, m) == (2, 1):
        return "Schwent, Theorem 3", "Schwent, Theorem 2", "Schwent, section 5"
    return "Fraenkel 1998", "Fraenkel 1998", "after Schwent, section 5"


def declare_positions(c: fp.Chapter, game: str, s: int, m: int) -> None:
    """The set, the moves, and that the set is that of the P-positions."""
    c.reg("even_zeros", [c.system], even_zeros(s + m - 1))
    c.reg("left_shift", [range(s + m), range(s + m)], left_shift(s + m - 1))
    c.define("P_asym", "$even_zeros(a) & $left_shift(a,b)")
    c.define("P", "$P_asym(a,b) | $P_asym(b,a)")
    c.define("two", f"i>0 & i<=j & j<{s}*i+{m}")
    c.define("move", "(i>0 & j=0) | (i=0 & j>0) | $two(i,j) | $two(j,i)")
    c.theorem(f"{game}.terminal", TERMINAL, statement="the terminal position (0,0) is in the set P of the theorem")
    c.theorem(f"{game}.stable", STABLE, statement="no move leads from one position of P to another")
    c.define("into_P", f"{ONE_PILE} | {TWO_PILES}")
    c.theorem(
        f"{game}.absorbing", ABSORBING.format("$into_P(p,q)"),
        statement="from every position outside P a move leads into P",
    )

    c.define("without", "$P(a,b) & ~(a=0 & b=0)")
    c.theorem(
        f"{game}.terminal.without_00", about("without", TERMINAL), form="control",
        statement="(0,0) is in P without (0,0)",
    )
    # From (2,s+m) a move leads to (0,0).
    was, now = f"(1,{s + m})", f"(2,{s + m})"
    c.define("moved", f"($P(a,b) & ~(a=1 & b={s + m})) | (a=2 & b={s + m})")
    c.theorem(
        f"{game}.stable.moved", about("moved", STABLE), form="control",
        statement=f"stability with {was} of P moved to {now} (it fails from {now} to (0,0))",
    )
    c.theorem(
        f"{game}.absorbing.one_pile", ABSORBING.format(ONE_PILE), form="control",
        statement="absorption by taking from one pile only (it fails at (1,1))",
    )


def about(set_name: str, formula: str) -> str:
    """The formula about another set of positions in place of P."""
    return formula.replace("$P(", f"${set_name}(")


def sum_of(s: int, m: int) -> str:
    """s A_n + m n, in words."""
    return f"{'' if s == 1 else f'{s} '}A_n + {'' if m == 1 else f'{m} '}n"


def declare_sequences(c: fp.Chapter, game: str, s: int, m: int, source: str) -> None:
    """A_n and B_n; what Schwent's theorems say of them."""
    c.define("A", f"Eb $P_asym(a,b) & b={s}*a+{m}*n")
    c.define("B", f"Ea $P_asym(a,b) & b={s}*a+{m}*n")

    c.theorem(f"{game}.total", "An E=1 a $A(a,n)", statement="every n has exactly one A_n", source=source)
    c.theorem(
        f"{game}.total.every", "An E=1 b $P_asym(n,b)", form="control", source=source,
        statement=f"every number is the lesser one of exactly one pair (it fails at n = {s + m})",
    )
    linear = "An,a,b $A(a,n) => ($B(b,n) <=> b={}*a+{}*n)"
    c.theorem(f"{game}.linear", linear.format(s, m), statement=f"B_n = {sum_of(s, m)}", source=source)
    c.theorem(
        f"{game}.linear.more", linear.format(s, m + 1), form="control", source=source,
        statement=f"B_n = {sum_of(s, m + 1)} (it fails at n = 1)",
    )
    pairs = "Aa,b $P_asym(a,b) <=> (En $A(a,n) & $B(b,{}))"
    c.theorem(
        f"{game}.pairs", pairs.format("n"), source=source,
        statement="the P-positions (a,b) with a <= b are (A_n,B_n), n >= 0",
    )
    c.theorem(
        f"{game}.pairs.next", pairs.format("n+1"), form="control", source=source,
        statement="they are (A_n,B_(n+1)) (it fails at (0,0))",
    )
    increasing = "An,k,x,y (n<k & $A(x,n) & $A(y,k)) => x{}<y"
    c.theorem(
        f"{game}.increasing", increasing.format(""), statement="A_n is less than A_k if n is less than k", source=source
    )
    c.theorem(
        f"{game}.increasing.by_2", increasing.format("+1"), form="control", source=source,
        statement="by at least 2 (it fails at (0,1))",
    )
    c.theorem(
        f"{game}.complementary", "Ax x>0 => ((En n>0 & $A(x,n)) ^ (En n>0 & $B(x,n)))", source=source,
        statement="every x > 0 is an A_n or a B_n with n > 0, and not both",
    )
    c.theorem(
        f"{game}.complementary.with_0", "Ax (En $A(x,n)) ^ (En $B(x,n))", form="control", source=source,
        statement="the same with n >= 0, of every x (it fails at x = 0)",
    )
    c.define("before", "Ei i<n & ($A(x,i) | $B(x,i))")
    c.define("until", "Ei i<=n & ($A(x,i) | $B(x,i))")
    mex = "An,x $A(x,n) <=> (~${0}(n,x) & (Ay y<x => ${0}(n,y)))"
    c.theorem(
        f"{game}.mex", mex.format("before"), source=source,
        statement="A_n is the least number that is no A_i and no B_i with i < n",
    )
    slip = ", as printed" if (s, m) == (2, 1) else ""
    c.theorem(
        f"{game}.mex.until_n", mex.format("until"), form="control", source=source,
        statement=f"A_n is the least number that is no A_i and no B_i with i <= n{slip} (it fails at n = 0)",
    )


def declare_word(c: fp.Chapter, game: str, s: int, m: int, source: str) -> None:
    """The word, with 0 for a and 1 for b, and that its letters stand where the sequences say."""
    c.word("W", [[0] * (s + m - 1) + [1], [0] * s], [0, 1])
    coded = "Ax x>0 => ((W[{0}]=0 <=> (En $A(x,n))) & (W[{0}]=1 <=> (En $B(x,n))))"
    images = f"a -> {'a' * (s + m - 1)}b, b -> {'a' * s}"
    c.theorem(
        f"{game}.word", coded.format("x-1"), source=source,
        statement=f"the letter at place x > 0 of the word of {images} is a if x is an A_n, and b if x is a B_n",
    )
    c.theorem(
        f"{game}.word.from_0", coded.format("x"), form="control", source=source,
        statement=f"the same if the first letter has the place 0 (it fails at x = {s + m - 1})",
    )


def chapter(s: int, m: int) -> fp.Chapter:
    """The theorems on one game, with controls."""
    game = f"fraenkel_{s}_{m}"
    positions, sequences, word = sources(s, m)
    c = fp.Chapter(f"The ({s},{m})-game", source=positions, system=system(s, m))
    declare_positions(c, game, s, m)
    declare_sequences(c, game, s, m, sequences)
    declare_word(c, game, s, m, word)
    return c


games = [chapter(s, m) for s, m in GAMES]

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
