"""A game on k piles for the k-bonacci word, k = 2, 3, 4, 5, which Duchene and Rigo (2008) asked for.

Let t_n = (X^0_n, ..., X^(k-1)_n) be the places of the n-th letters of each sort in the k-bonacci word, and t_0 the
empty piles.  Piles are compared in the order of their sizes, before a move and after it.  A move is one of these:

(A) for some r < k-1, r+1 piles that are next to each other in size, in the same order before and after it, lose
    numbers whose r-th difference is 0: one pile loses nothing, or two lose the same number, or three lose numbers in
    arithmetic progression, ...;
(B) the order of the piles is kept, and of the numbers e, v_1, ..., v_k some one is more than twice the one before:
    v_1, ..., v_k are what the piles lose, from the smallest one on, and e = v_k - v_1 - ... - v_(k-1).

Theorem.  The P-positions are the orders of t_n, n >= 0.  docs/splithoff.md has the proof, half a page, from what is
proved here: t_n has n more counters in the last pile than in all others (sum); from t_n to t_(n+1) each pile grows by a
number that depends on the letter only (steps); r-th differences of t_n, n > 0, are positive, increase with n, and are
never the same in two places (apart); and from t_n with the growth of a later letter than the n-th one a move (A)
leads to some t_m (wrong_letter).
"""

from itertools import pairwise

from _bonacci import declare_row, declare_sum, declare_tables, every, length, rows, system

import fibprover as fp

#: The orders k, with the first part of the ids of their theorems.
ORDERS = {2: "fib", 3: "trib", 4: "4bonacci", 5: "5bonacci"}


def growth(k: int, letter: int) -> list[int]:
    """How much each pile grows from t_n to t_(n+1), where this is the n-th letter."""
    return [length(k, i, letter) for i in range(k)]


def difference(numbers: list[int]) -> int:
    """The last difference of some numbers: the third one of four numbers."""
    while len(numbers) > 1:
        numbers = [y - x for x, y in pairwise(numbers)]
    return numbers[0]


def declare_fits(c: fp.Chapter, k: int) -> None:
    """Define that a number of t_m is at most one of t_n with the growth of a letter."""
    for letter in range(k):
        for pile, more in enumerate(growth(k, letter)):
            for i in range(k):
                c.define(f"fits{letter}_{pile}_{i}", f"Eu,v $x{i}(m,u) & $x{pile}(n,v) & u<=v+{more}")


def ways(k: int, letter: int) -> list[str]:
    """How moves (A) lead from t_n with the growth of a letter to some t_m.

    The smallest piles become some that are next to each other, and the others fit into what is left, in order.
    """
    r = k - 1 - letter
    grown = growth(k, letter)
    less = difference(grown[: r + 1])
    found = []
    for first in range(1, letter + 1):
        others = [i for i in range(k) if not first <= i <= first + r]
        pairs = [*((pile, first + pile) for pile in range(r + 1)), *zip(range(r + 1, k), others, strict=True)]
        fits = " & ".join(f"$fits{letter}_{pile}_{i}(m,n)" for pile, i in pairs)
        found.append(f"(Em,x $dif{r}_0(n,x) & $dif{r}_{first}(m,x+{less}) & {fits})")
    return found


def chapter(k: int) -> fp.Chapter:
    """What the proof of the theorem needs, with controls."""
    g = f"{ORDERS[k]}.game"
    c = fp.Chapter(f"The game of the {ORDERS[k]} word", source="new", system=system(k))
    declare_tables(c, k)
    others = declare_sum(c, rows("x", k - 1))
    total = f"An,u,v (${others}(n,u) & $x{k - 1}(n,v)) => v=u{{}}"
    c.theorem(
        f"{g}.sum", total.format("+n"), statement="the last pile of t_n has n more counters than all others together",
    )
    c.theorem(
        f"{g}.sum.same", total.format(""), form="control", statement="it has as many as all others together",
    )
    first = every(range(k), lambda i: f"$x{i}(1,{2**i})")
    c.theorem(f"{g}.first", first, statement="t_1 is (1, 2, 4, ...)")
    c.theorem(
        f"{g}.first.second", first.replace("(1,", "(2,"), form="control", statement="t_2 is (1, 2, 4, ...)",
    )
    declare_steps(c, k, g)
    declare_differences(c, k, g)
    declare_fits(c, k)
    for letter in range(1, k):
        found = ways(k, letter)
        claim = f"An (n>0 & W[n-1]<{letter}) => ({{}})"
        shown = ",".join(map(str, growth(k, letter)))
        c.theorem(
            f"{g}.wrong_letter_{letter}", claim.format(" | ".join(found)),
            statement=f"if the n-th letter is less than {letter}, a move (A) leads from t_n + ({shown}) to some t_m",
        )
        c.theorem(
            f"{g}.wrong_letter_{letter}.fewer", claim.format(" | ".join(found[:-1]) or "n<n"), form="control",
            statement=f"so it does, and the smallest pile does not become that of a letter {letter}",
        )
    return c


def declare_steps(c: fp.Chapter, k: int, g: str) -> None:
    """How t_n grows."""
    for i in range(k):
        c.define(f"grow{i}", f"Eu $x{i}(n,u) & $x{i}(n+1,u+x)")
    for letter in range(k):
        grown = growth(k, letter)
        claim = "An (n>0 & W[n-1]={}) => ({})"
        grows = " & ".join(f"$grow{i}(n,{more})" for i, more in enumerate(grown))
        shown = ",".join(map(str, grown))
        c.theorem(
            f"{g}.step_{letter}", claim.format(letter, grows),
            statement=f"if the n-th letter is {letter}, then t_(n+1) = t_n + ({shown})",
        )
        c.theorem(
            f"{g}.step_{letter}.other", claim.format((letter + 1) % k, grows), form="control",
            statement=f"so it is if the n-th letter is {(letter + 1) % k}",
        )


def declare_differences(c: fp.Chapter, k: int, g: str) -> None:
    """The r-th differences dif<r>_<i> of X^i, X^(i+1), ..., for r < k-1, are apart."""
    for r in range(k - 1):
        for i in range(k - r):
            lower = f"Eu,v $dif{r - 1}_{i}(n,u) & $dif{r - 1}_{i + 1}(n,v) & u+x=v"
            declare_row(c, f"dif{r}_{i}", lower if r else f"$x{i}(n,x)")
        table = rows(f"dif{r}_", k - r)
        pairs = [(one, other) for index, one in enumerate(table) for other in table[index + 1 :]]
        apart = " & ".join(f"~($in_{one}(x) & $in_{other}({{}}))" for one, other in pairs)
        c.theorem(
            f"{g}.apart_{r}", f"Ax {apart.format(*['x'] * len(pairs))}",
            statement=f"no number is a difference of order {r} of neighbours in two places",
        )
        c.theorem(
            f"{g}.apart_{r}.by_one", f"Ax {apart.format(*['x+1'] * len(pairs))}", form="control",
            statement="no number is one in one place, and the next number in another",
        )
        grows = "An,x,y " + " & ".join(
            f"(($dif{r}_{i}(n,x) & $dif{r}_{i}(n+1,y)) => (0<x & x{{0}}<y))" for i in range(k - r)
        )
        c.theorem(
            f"{g}.grows_{r}", grows.format(""), statement=f"differences of order {r} are positive and increase with n",
        )
        c.theorem(
            f"{g}.grows_{r}.by_two", grows.format("+1"), form="control", statement="they increase by at least 2",
        )


games = [chapter(k) for k in ORDERS]

if __name__ == "__main__":
    raise SystemExit(fp.prove_script(__file__))
