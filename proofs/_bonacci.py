"""The k-bonacci word and its tables (Fokkink & Rust 2022, sections 3 to 5), declared in a chapter.

`declare_tables` defines W, the k-bonacci word, W[0] its first letter; x0, x1, ..., the positions
table, $x0(n,x) saying that the n-th letter 0 is at position x, both counted from 1; d0, d1, ..., the
difference table; dd0, dd1, ... and sigma, the double-difference table.  in_x0(x), in_d0(x), ... say
that x is somewhere in a row.
"""

from collections.abc import Callable, Iterable, Sequence

import fibprover as fp

PAPER = "Fokkink & Rust 2022"

#: The orders k of the proofs, with the first part of the ids of their theorems; those of the rules alone.
ORDERS = {3: "trib", 4: "4bonacci", 5: "5bonacci"}
MORE_ORDERS = {6: "6bonacci", 7: "7bonacci"}


def system(k: int) -> str:
    """The numeration system of the k-bonacci numbers 1, 2, 4, ..., each next one the sum of k."""
    if k < 4:
        return "msd_trib" if k == 3 else "msd_fib"
    return f"msd_{k}bonacci" if k < 7 else "msd_rec_" + "_".join("1" * k)


def length(k: int, i: int, j: int) -> int:
    """The length of theta^(i+1)(j), theta being the substitution."""
    if i < 0:
        return 1
    return length(k, i - 1, 0) + (length(k, i - 1, j + 1) if j < k - 1 else 0)


def declare_positions(c: fp.Chapter, k: int) -> None:
    """W and x0, ..., x(k-1): the position of the n-th letter i is 2^i more than n-1 shifted i+1 times."""
    c.word("W", [[0, j + 1] for j in range(k - 1)] + [[0]], range(k), system(k))
    c.reg("shift1", [(0, 1), (0, 1)], "([0,0]|[0,1][1,1]*[1,0])*")
    for i in range(k):
        if i:
            c.define(f"shift{i + 1}", f"Et $shift{i}(m,t) & $shift1(t,s)")
        declare_row(c, f"x{i}", f"Es $shift{i + 1}(n-1,s) & x=s+{2**i}")


def declare_tables(c: fp.Chapter, k: int) -> None:
    """The word and its three tables; Sigma, the sum of all Delta^i, is the last X^i less the first."""
    declare_positions(c, k)
    for i in range(k - 1):
        declare_row(c, f"d{i}", f"Eu,v $x{i}(n,u) & $x{i + 1}(n,v) & u+x=v")
    for i in range(k - 2):
        declare_row(c, f"dd{i}", f"Eu,v $d{i}(n,u) & $d{i + 1}(n,v) & u+x=v")
    declare_row(c, "sigma", f"Eu,v $x0(n,u) & $x{k - 1}(n,v) & u+x=v")


def declare_sum(c: fp.Chapter, rows: Sequence[str]) -> str:
    """The sum of some rows, one more row at a time; its name."""
    total, *others = rows
    for other in others:
        c.define(f"{total}_{other}", f"Eu,v ${total}(n,u) & ${other}(n,v) & x=u+v")
        total = f"{total}_{other}"
    return total


def declare_row(c: fp.Chapter, name: str, formula: str) -> None:
    """A row of a table as a relation of n and x, and as the set of its numbers x."""
    c.define(name, formula)
    c.define(f"in_{name}", f"En ${name}(n,x)")


# -- formulas on rows ----------------------------------------------------------------------------


def every(indices: Iterable[int], text: Callable[[int], str]) -> str:
    """The conjunction of a formula for every index."""
    return " & ".join(f"({text(i)})" for i in indices)


def rows(name: str, count: int) -> list[str]:
    """The names of the rows of a table."""
    return [f"{name}{i}" for i in range(count)]


def somewhere(names: Iterable[str], of: str = "$in_{}(x)") -> str:
    """x is in one of these rows."""
    return "(" + " | ".join(of.format(name) for name in names) + ")"


def nowhere_twice(names: list[str]) -> str:
    """x is not in two of these rows."""
    pairs = [(one, other) for index, one in enumerate(names) for other in names[index + 1 :]]
    return " & ".join(f"~($in_{one}(x) & $in_{other}(x))" for one, other in pairs)


def partition(names: list[str], of: str = "x>=1") -> str:
    """Every x of these is in exactly one of the rows, and no other x is in any."""
    once = f"Ax (({of}) <=> {somewhere(names)})"
    return f"{once} & {nowhere_twice(names)}" if len(names) > 1 else once


def mex(row: str, used: str) -> str:
    """The n-th number of a row, for every n >= 1, is the least one, from 1, that is not used in the columns before.

    There is one; it is none of the used ones; and every smaller one is used.
    """
    new = f"An,x ${row}(n,x) => (x>=1 & ~${used}(n,x))"
    least = f"An,x,y (${row}(n,x) & y>=1 & y<x) => ${used}(n,y)"
    return f"(An n>=1 => Ex ${row}(n,x)) & ({new}) & ({least})"


def declare_used(c: fp.Chapter, name: str, names: list[str]) -> None:
    """x is in one of these rows, in a column before column n."""
    c.define(name, f"Ei i<n & {somewhere(names, '${}(i,x)')}")
