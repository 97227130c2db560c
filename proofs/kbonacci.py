"""The tables of the k-bonacci words, k = 3, 4, 5 (Fokkink & Rust 2022, sections 3 to 5).

The k-bonacci word is the fixed point of j -> 0 (j+1) for j < k-1, k-1 -> 0.  X^i_n is the position of its
n-th letter i; all is counted from 1.  Three tables, a column n standing under the n-th letter of the word:

    positions            X^0, ..., X^(k-1)
    differences          Delta^i = X^(i+1) - X^i
    double differences   dDelta^i = Delta^(i+1) - Delta^i, and Sigma = Delta^0 + ... + Delta^(k-2)

The rows of each partition the numbers n >= 1.  In the system of the k-bonacci numbers 1, 2, 4, ... X^i_n is n-1
with i+1 zeros appended, and 2^i added.  That these are the positions of the letters is proved first.

Slips of the printed text, each with a control of that name: Lemma 12 has Delta^(i+1) for dDelta^(i+1), and for the
last row there is no next one, so that i < k-3; the sum of Lemma 17 ends with X^(k-1), where X^(k-2) is meant.
"""

from _bonacci import (
    ORDERS,
    PAPER,
    declare_sum,
    declare_tables,
    every,
    length,
    nowhere_twice,
    partition,
    rows,
    system,
)

import fibprover as fp


def halves(table: str, i: int, plus: int | None = None, other: str | None = None) -> str:
    """The numbers of row i are those of the next one, less and plus 2^i."""
    distance = 2**i if plus is None else plus
    lower = other or table
    return f"$in_{table}{i}(x) <=> ($in_{lower}{i + 1}(x+{distance}) | $in_{lower}{i + 1}(x-{distance}))"


def both_halves(table: str, i: int, letter: int) -> str:
    """The numbers of row i that come from two of the next one are those in the columns of a letter."""
    row, d = f"{table}{i + 1}", 2**i
    return f"($in_{row}(x+{d}) & $in_{row}(x-{d})) <=> (En ${row}(n,x-{d}) & W[n-1]={letter})"


def tables(k: int) -> fp.Chapter:
    """What holds for every k, with controls."""
    g = ORDERS[k]
    c = fp.Chapter(f"The tables of the {g} word", source=PAPER, system=system(k))
    declare_tables(c, k)
    positions, deltas, doubles = rows("x", k), rows("d", k - 1), rows("dd", k - 2)

    # -- the positions table -----------------------------------------------------------------------

    src = f"{PAPER}, section 3"
    letters = "Ax " + every(range(k), lambda i: f"$in_x{i}(x) <=> W[{{0}}]={i}")
    c.theorem(f"{g}.letters", letters.format("x-1"), source=src, statement="X^i are the positions of the letter i")
    c.theorem(
        f"{g}.letters.from_0", letters.format("x"), form="control", source=src,
        statement="X^i are the positions of the letter i, counted from 0 (it fails at x = 0)",
    )
    function = "An n>={0} => " + every(range(k), lambda i: f"E=1 x $x{i}(n,x)")
    c.theorem(f"{g}.function", function.format(1), source=src, statement="there is exactly one X^i_n for n >= 1")
    c.theorem(
        f"{g}.function.from_0", function.format(0), form="control", source=src,
        statement="there is exactly one X^i_n for n >= 0 (it fails at n = 0)",
    )

    def steps(i: int, columns: int) -> str:
        """X^i grows by the length of theta^(i+1)(j) in columns j; columns: how many letters are distinguished."""
        cases = (f"(W[n-1]={j} & v=u+{length(k, i, min(j, columns - 1))})" for j in range(k))
        return f"($x{i}(n,u) & $x{i}(n+1,v)) => ({' | '.join(cases)})"

    # The block of column n is theta^(i+1) of its letter; the blocks before it end at n-1 shifted i+1 times.
    src = f"{PAPER}, Lemma 3"

    def block(i: int, offset: int) -> str:
        """Of the letters of a block just the one at an offset is i."""
        return f"($shift{i + 1}(n-1,u) & $shift{i + 1}(n,v) & u<x & x<=v) => (W[x-1]={i} <=> x=u+{offset})"

    c.theorem(
        f"{g}.lemma3", "An,u,v,x " + every(range(k), lambda i: block(i, 2**i)), source=src,
        statement="theta^(i+1)(j) has the letter i once, at position 2^i",
    )
    c.theorem(
        f"{g}.lemma3.first", "An,u,v,x " + every(range(k), lambda i: block(i, i + 1)), form="control", source=src,
        statement="it has the letter i at position i+1 (it fails at n = 1, i = 2)",
    )
    src = f"{PAPER}, Lemma 6"
    for i in range(k):
        c.define(f"length{i}", f"Eu,v $shift{i + 1}(n-1,u) & $shift{i + 1}(n,v) & u+w=v")

    def doubled(i: int, letter: int) -> str:
        """The block of a column is twice as long as that of the row before, or one less in the columns of a letter."""
        cases = f"(W[n-1]={letter} & w+1=2*z) | (W[n-1]!={letter} & w=2*z)"
        return f"($length{i}(n,w) & $length{i - 1}(n,z)) => ({cases})"

    c.theorem(
        f"{g}.lemma6", "An,w,z " + every(range(1, k), lambda i: doubled(i, k - 1 - i)), source=f"{src}, corrected",
        statement="theta^(i+1)(j) is twice as long as theta^i(j), 1 <= i < k, but one less if i+j = k-1",
    )
    c.theorem(
        f"{g}.lemma6.last", "An,w,z " + every(range(1, k), lambda i: doubled(i, k - 1)), form="control", source=src,
        statement="it is twice as long but one less if j = k-1 (it fails at n = 1, i = k-1)",
    )

    src = f"{PAPER}, Lemma 4"
    c.theorem(
        f"{g}.steps", "An,u,v " + every(range(k), lambda i: steps(i, k)), source=src,
        statement="from a column j to the next one X^i grows by the length of theta^(i+1)(j)",
    )
    c.theorem(
        f"{g}.steps.one_length", "An,u,v " + every(range(k), lambda i: steps(i, 1)), form="control", source=src,
        statement="X^i grows by the length of theta^(i+1)(0) from every column to the next one (it fails at n = 2)",
    )

    src = f"{PAPER}, Lemma 5"
    c.theorem(
        f"{g}.lemma5", "Ax " + every(range(k - 1), lambda i: halves("x", i)), source=src,
        statement="X^i is the union of X^(i+1) - 2^i and X^(i+1) + 2^i",
    )
    c.theorem(
        f"{g}.lemma5.twice", "Ax " + every(range(k - 1), lambda i: halves("x", i, 2 ** (i + 1))), form="control",
        source=src, statement="X^i is the union of X^(i+1) - 2^(i+1) and X^(i+1) + 2^(i+1) (it fails at x = 0)",
    )
    both = f"the numbers of both X^(i+1) - 2^i and X^(i+1) + 2^i are m + 2^i, m in columns {k - 1} of X^(i+1)"
    c.theorem(
        f"{g}.lemma5.both", "Ax " + every(range(k - 1), lambda i: both_halves("x", i, k - 1)), source=src,
        statement=both,
    )
    c.theorem(
        f"{g}.lemma5.both.letter", "Ax " + every(range(k - 1), lambda i: both_halves("x", i, k - 2)), form="control",
        source=src, statement=f"the same for columns {k - 2} (it fails at x = {2**k - 1})",
    )

    src = f"{PAPER}, Lemma 17"
    declare_sum(c, positions)
    total = "An,u,v ($x{0}(n,u) & ${1}(n,v)) => u=v+n"
    c.theorem(
        f"{g}.lemma17", total.format(k - 1, "_".join(positions[:-1])), source=f"{src}, corrected",
        statement="X^(k-1)_n = n + X^0_n + ... + X^(k-2)_n",
    )
    c.theorem(
        f"{g}.lemma17.printed", total.format(k - 1, "_".join(positions)), form="control", source=src,
        statement="as printed: X^(k-1)_n = n + X^0_n + ... + X^(k-1)_n (it fails at n = 1)",
    )

    # -- the difference table ----------------------------------------------------------------------

    src = f"{PAPER}, Lemma 7"

    def bounds(i: int, last: int) -> str:
        """A step of Delta^i lies between 2^i and 2^(i+1), which the last row does not reach."""
        most = 2 ** (i + 1) - (1 if i >= last else 0)
        return f"($d{i}(n,u) & $d{i}(n+1,v)) => (v>=u+{2**i} & v<=u+{most})"

    c.theorem(
        f"{g}.lemma7", "An,u,v " + every(range(k - 1), lambda i: bounds(i, k - 2)), source=src,
        statement="Delta^i grows by 2^i at least and by 2^(i+1) at most, Delta^(k-2) by less",
    )
    c.theorem(
        f"{g}.lemma7.less", "An,u,v " + every(range(k - 1), lambda i: bounds(i, 0)), form="control", source=src,
        statement="every Delta^i grows by less than 2^(i+1) (it fails at n = 1)",
    )
    src = f"{PAPER}, Lemma 8"
    c.theorem(
        f"{g}.lemma8", "Ax " + every(range(k - 2), lambda i: halves("d", i)), source=src,
        statement="Delta^i is the union of Delta^(i+1) - 2^i and Delta^(i+1) + 2^i",
    )
    c.theorem(
        f"{g}.lemma8.twice", "Ax " + every(range(k - 2), lambda i: halves("d", i, 2 ** (i + 1))), form="control",
        source=src,
        statement="Delta^i is the union of Delta^(i+1) - 2^(i+1) and Delta^(i+1) + 2^(i+1) (it fails at x = 0)",
    )
    c.theorem(
        f"{g}.lemma8.both", "Ax " + every(range(k - 2), lambda i: both_halves("d", i, k - 1)), source=src,
        statement=both.replace("X", "Delta"),
    )
    c.theorem(
        f"{g}.lemma8.both.letter", "Ax " + every(range(k - 2), lambda i: both_halves("d", i, k - 2)), form="control",
        source=src, statement=f"the same for columns {k - 2} (it fails at x = {2**k - 2})",
    )
    src = f"{PAPER}, Lemma 9"
    c.theorem(f"{g}.lemma9", f"Ax {nowhere_twice(deltas)}", source=src, statement="no number is in two rows Delta^i")
    c.theorem(
        f"{g}.lemma9.and_x", f"Ax {nowhere_twice([*deltas, 'x0'])}", form="control", source=src,
        statement="no number is in two of Delta^i and X^0 (it fails at x = 1)",
    )
    src = f"{PAPER}, Lemma 10"
    c.theorem(
        f"{g}.lemma10", partition(deltas), source=src, statement="the rows Delta^i partition the numbers n >= 1"
    )
    c.theorem(
        f"{g}.lemma10.from_0", partition(deltas, "x>=0"), form="control", source=src,
        statement="the rows Delta^i partition the numbers n >= 0 (it fails at x = 0)",
    )
    # -- the double-difference table ---------------------------------------------------------------

    if k > 3:
        src = f"{PAPER}, Lemma 12"
        c.theorem(
            f"{g}.lemma12", "Ax " + every(range(k - 3), lambda i: halves("dd", i)), source=f"{src}, corrected",
            statement="dDelta^i is the union of dDelta^(i+1) - 2^i and dDelta^(i+1) + 2^i, 0 <= i < k-3",
        )
        c.theorem(
            f"{g}.lemma12.printed", "Ax " + every(range(k - 3), lambda i: halves("dd", i, other="d")), form="control",
            source=src,
            statement="as printed: it is the union of Delta^(i+1) - 2^i and Delta^(i+1) + 2^i"
            f" (it fails at x = {2 ** (k - 2)})",
        )
        src = f"{PAPER}, Lemma 13"
        c.theorem(
            f"{g}.lemma13", f"Ax {nowhere_twice(doubles)}", source=src, statement="no number is in two rows dDelta^i"
        )
        c.theorem(
            f"{g}.lemma13.and_d", f"Ax {nowhere_twice([*doubles, 'd0'])}", form="control", source=src,
            statement="no number is in two of dDelta^i and Delta^0 (it fails at x = 1)",
        )
    src = f"{PAPER}, Lemma 14"
    for letter in (1, 2):
        c.define(f"s{letter}", f"En $dd{k - 3}(n,x-{2 ** (k - 3)}) & W[n-1]={letter}")
    but = "the rows dDelta^i partition the numbers n >= 1 but m + 2^(k-3), m in columns {} of dDelta^(k-3)"
    c.theorem(
        f"{g}.lemma14", partition(doubles, "x>=1 & ~$s1(x)"), source=src, statement=but.format(1)
    )
    c.theorem(
        f"{g}.lemma14.letter2", partition(doubles, "x>=1 & ~$s2(x)"), form="control", source=src,
        statement=f"{but.format(2)} (it fails at x = {2 ** (k - 1) - 1})",
    )
    src = f"{PAPER}, Lemma 11 and Theorem 2"
    filler = "An,x $sigma(n,x) <=> Em $x1({1},m) & $dd{0}(m,x-{2})"
    c.theorem(
        f"{g}.sigma", filler.format(k - 3, "n", 2 ** (k - 3)), source=src,
        statement="Sigma_n = dDelta^(k-3)_m + 2^(k-3), where m = X^1_n: in the n-th column 1",
    )
    c.theorem(
        f"{g}.sigma.next", filler.format(k - 3, "n+1", 2 ** (k - 3)), form="control", source=src,
        statement="the same with m = X^1_(n+1) (it fails at n = 0)",
    )
    ends = "An,x $sigma(n,x) <=> ${}(n,x)"
    c.theorem(
        f"{g}.sigma.ends", ends.format(declare_sum(c, deltas)), source=src,
        statement="Sigma_n = X^(k-1)_n - X^0_n is the sum of all Delta^i_n",
    )
    c.theorem(
        f"{g}.sigma.ends.short", ends.format("_".join(deltas[:-1])), form="control", source=src,
        statement="it is the sum of the Delta^i_n but the last one (it fails at n = 1)",
    )
    src = f"{PAPER}, Theorem 2"
    c.theorem(
        f"{g}.theorem2", partition([*doubles, "sigma"]), source=src,
        statement="the rows dDelta^i and Sigma partition the numbers n >= 1",
    )
    c.theorem(
        f"{g}.theorem2.without_sigma", partition(doubles), form="control", source=src,
        statement=f"the rows dDelta^i do (it fails at x = {2 ** (k - 1) - 1})",
    )
    return c


chapters = {k: tables(k) for k in ORDERS}

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
