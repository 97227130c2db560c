"""The k-bonacci word and its tables (Fokkink & Rust 2022, sections 3 to 5), declared in a chapter.

`declare_tables` makes known: W, the k-bonacci word, W[0] its first letter; x0, x1, ..., the positions
table, $x0(n,x) saying that the n-th letter 0 is at position x, both counted from 1; d0, d1, ..., the
difference table; dd0, dd1, ... and sigma, the double-difference table.  in_x0(x), in_d0(x), ... say
that x is somewhere in a row.
"""

from collections.abc import Sequence

import fibprover as fp

PAPER = "Fokkink & Rust 2022"


def system(k: int) -> str:
    """The numeration system of the k-bonacci numbers 1, 2, 4, ..., each next one the sum of k."""
    return "msd_trib" if k == 3 else f"msd_{k}bonacci"


def declare_positions(c: fp.Chapter, k: int) -> None:
    """W and x0, ..., x(k-1): the position of the n-th letter i is 2^i more than n-1 shifted i+1 times."""
    c.word("W", [[0, j + 1] for j in range(k - 1)] + [[0]], range(k), system(k))
    c.reg("shift1", [(0, 1), (0, 1)], "([0,0]|[0,1][1,1]*[1,0])*")
    for i in range(k):
        if i:
            c.define(f"shift{i + 1}", f"Et $shift{i}(m,t) & $shift1(t,s)")
        declare_row(c, f"x{i}", f"Es $shift{i + 1}(n-1,s) & x=s+{2**i}")


def declare_tables(c: fp.Chapter, k: int) -> None:
    """The word and its three tables."""
    declare_positions(c, k)
    for i in range(k - 1):
        declare_row(c, f"d{i}", f"Eu,v $x{i}(n,u) & $x{i + 1}(n,v) & u+x=v")
    for i in range(k - 2):
        declare_row(c, f"dd{i}", f"Eu,v $d{i}(n,u) & $d{i + 1}(n,v) & u+x=v")
    declare_row(c, "sigma", f"${declare_sum(c, [f'd{i}' for i in range(k - 1)])}(n,x)")


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
