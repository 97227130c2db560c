"""Blocking Wythoff W^k (Larsson 2011): the conditions on the set of P-positions, with their controls.

Before each move the other player may forbid k-1 options.  So a position is a P-position if and only if fewer than
k of its options are.  The prover counts rows, columns and diagonals separately, which makes W^10 possible.
"""

from collections.abc import Mapping, Sequence

import fibprover as fp

RULES = "the rules of the game (Larsson 2011)"

#: A move is redundant if the game without it has the same P-positions.
NEEDED = "new; the question is that of Renard & Rigo, section 7"

MOVE = "(p=r & s<q) | (q=s & r<p) | (r<p & s<q & p+s=q+r)"

#: At least {} options of (p,q) are in the set named {}.
MANY = f"(E>={{}} r,s ${{}}(r,s) & ({MOVE}))"

#: With so few counters all options may be forbidden: there are p + q + min(p,q) of them.
TERMINAL = "Ap,q (2*p+q<{0} | p+2*q<{0}) => $P(p,q)"


def stable(k: int, name: str = "P") -> str:
    """Every position of a set has fewer than k options in it."""
    return f"Ap,q ${name}(p,q) => ~{MANY.format(k, name)}"


def absorbing(k: int, name: str = "P") -> str:
    """Every other position has at least k."""
    return f"Ap,q ~${name}(p,q) => {MANY.format(k, name)}"


def rule(k: int, name: str = "P") -> str:
    """The set is that of the positions with fewer than k options in it."""
    return f"Ap,q ${name}(p,q) <=> ~{MANY.format(k, name)}"


def declare_game(
    c: fp.Chapter, k: int, file: str, label: str, *, moved: tuple[int, int], stuck: tuple[int, int],
    diagonals: Sequence[int], large: bool = False,
) -> None:
    """P, the automaton of a file, and the theorem that it is the set of P-positions of W^k, with controls.

    label: begins all ids; moved: a position (a,b) of P, of which (a,b+1) is none; stuck: the first position of P with k
    options in P when (a,b) is moved there; diagonals: the q-p at which moves (i,i) are shown to be needed; large: the
    rule is long, and not asked in two parts as well (the search for vacuous parts would take gigabytes there).
    """
    c.load_predicate(file, "inferred")
    c.define("P", "$inferred(a,b)")
    a, b = moved
    c.define("moved", f"($P(a,b) & ~(a={a} & b={b})) | (a={a} & b={b + 1})")
    elsewhere = f"with ({a},{b}) moved to ({a},{b + 1})"
    c.theorem(
        f"{label}.terminal", TERMINAL.format(k), source=RULES,
        statement=f"positions with fewer than {k} options at all are in P",
    )
    c.theorem(
        f"{label}.terminal.more", TERMINAL.format(k + 1), source=RULES, form="control",
        statement=f"so are those with {k} options (it fails at (0,{k}))",
    )
    c.theorem(
        f"{label}.rule", rule(k), source=RULES, long=large,
        statement=f"P is the set of positions with fewer than {k} options in P",
    )
    for number, word, where in ((k - 1, "fewer", k - 1), (k + 1, "more", k)):
        c.theorem(
            f"{label}.rule.{word}", rule(number), source=RULES, form="control", long=large,
            statement=f"P is the set of P-positions of W^{number} (it fails at (0,{where}))",
        )
    c.theorem(
        f"{label}.rule.moved", rule(k, "moved"), source=RULES, form="control", long=large,
        statement=f"so is P {elsewhere} (it fails at ({a},{b}))",
    )
    if not large:
        c.theorem(
            f"{label}.stable", stable(k), source=RULES,
            statement=f"every position of P has fewer than {k} options in P",
        )
        c.theorem(
            f"{label}.stable.fewer", stable(k - 1), source=RULES, form="control",
            statement=f"every position of P has fewer than {k - 1} options in P (it fails at (0,{k - 1}))",
        )
        c.theorem(
            f"{label}.stable.moved", stable(k, "moved"), source=RULES, form="control",
            statement=f"so has P {elsewhere} (it fails at ({stuck[0]},{stuck[1]}))",
        )
        c.theorem(
            f"{label}.absorbing", absorbing(k), source=RULES,
            statement=f"every other position has at least {k} options in P",
        )
        c.theorem(
            f"{label}.absorbing.more", absorbing(k + 1), source=RULES, form="control",
            statement=f"every other position has at least {k + 1} options in P (it fails at (0,{k}))",
        )
        c.theorem(
            f"{label}.absorbing.moved", absorbing(k, "moved"), source=RULES, form="control",
            statement=f"so has every position outside P {elsewhere} (it fails at ({a},{b}))",
        )
    c.theorem(
        f"{label}.rows", f"Ap E={k} q $P(p,q)",
        statement=f"every row, and every column, has exactly {k} positions of P",
    )
    c.theorem(
        f"{label}.rows.fewer", f"Ap E={k - 1} q $P(p,q)", form="control",
        statement=f"every row has exactly {k - 1} (it fails at p = 0)",
    )
    declare_needed(c, k, label, diagonals)


def declare_needed(c: fp.Chapter, k: int, label: str, diagonals: Sequence[int]) -> None:
    """Every move of W^k is needed: some position outside P has just k options in P, and the move leads to one of them.

    Without the move all others can be forbidden there.  (i,0) is needed at (i+k-1,0), for every k, since of a row with
    nothing in the other pile the first k positions are P.  (i,i) is needed on one of the few diagonals q = p+d that are
    given, so that the formulas are about p and i alone.  For moves (0,i) it follows, since both orders of a pair are in
    P together.
    """
    row = "Ai i>0 => (~$P(i+{0},0) & $P({1},0) & (E={2} r $P(r,0) & r<i+{0}))"
    c.theorem(
        f"{label}.needed.row", row.format(k - 1, k - 1, k), source=NEEDED,
        statement=f"for i > 0 (i+{k - 1},0) is not in P and has exactly {k} options in P, one of them by (i,0)",
    )
    c.theorem(
        f"{label}.needed.row.nearer", row.format(k - 2, k - 2, k), source=NEEDED, form="control",
        statement=f"so has (i+{k - 2},0) (it fails at i = 1)",
    )
    for d in diagonals:
        options = f"(p=r & s<p+{d}) | (p+{d}=s & r<p) | (r<p & r+{d}=s)"
        for number in (k, k - 1):
            c.define(f"just_{number}_on_{d}", f"~$P(p,p+{d}) & (E={number} r,s $P(r,s) & ({options}))")

    def needed(number: int) -> str:
        where = " | ".join(f"(Ep $just_{number}_on_{d}(p) & $P(p-i,p+{d}-i))" for d in diagonals)
        return f"Ai i>0 => ({where})"

    places = f"q-p = {' or '.join(map(str, diagonals))}"
    c.theorem(
        f"{label}.needed.diagonal", needed(k), source=NEEDED,
        statement=f"for i > 0 some (p,q) outside P, {places}, has exactly {k} options in P, one of them by (i,i)",
    )
    c.theorem(
        f"{label}.needed.diagonal.fewer", needed(k - 1), source=NEEDED, form="control",
        statement=f"so has one with exactly {k - 1} (it fails at i = 1)",
    )


def line(period: int, slope: tuple[int, int], offsets: Mapping[int, Sequence[int]]) -> str:
    """(a,b) lies on lines: v b = u a + c with u/v the slope and c one of the offsets of a modulo the period."""
    u, v = slope
    cases = []
    for residue, numbers in offsets.items():
        equal = " | ".join(f"{v}*b={u}*a+{c}" if c >= 0 else f"{v}*b+{-c}={u}*a" for c in numbers)
        cases.append(f"((Em a={period}*m+{residue}) & ({equal}))")
    return " | ".join(cases)


def declare_floors(c: fp.Chapter, label: str, what: str, law: str, bounds: tuple[int, int], root: str) -> None:
    """That F(n,y) means y = floor(n alpha): what determines f = F is decided, and the control of each part.

    what: alpha in words; law: the terms A f(f(n)) - B f(n) and C n of alpha's equation A x^2 = B x + C, with n, y, x
    for n, f(n), f(f(n)), as "x = 2*n"; bounds: how much the left side may exceed the right one, and fall short of it;
    root: a value of f that tells alpha from the other root.

    f(0) = 0 and f(m+n) - f(m) - f(n) is 0 or 1, so that f(n)/n has a limit, and f(n) <= n lim <= f(n)+1; since
    A f(f(n)) - B f(n) - C n is bounded, the limit is a root; it is irrational, so that no n lim is an integer, n > 0.
    """
    left, right = law.split("=")
    above, below = bounds
    parts = {
        "function": ("An E=1 y $F(n,y)", "An E=2 y $F(n,y)"),
        "zero": ("$F(0,0)", "$F(0,1)"),
        "additive": (
            "Am,n,x,y,z ($F(m,x) & $F(n,y) & $F(m+n,z)) => (z=x+y | z=x+y+1)",
            "Am,n,x,y,z ($F(m,x) & $F(n,y) & $F(m+n,z)) => z=x+y",
        ),
        "quadratic": (
            f"An,x,y ($F(n,y) & $F(y,x)) => ({left}<={right}+{above} & {right}<={left}+{below})",
            f"An,x,y ($F(n,y) & $F(y,x)) => ({left}<={right}+{above} & {right}<={left}+{below - 1})",
        ),
        "root": (f"$F({root})", f"$F({root}+1)"),
    }
    statement = f"F(n,y) means y = floor(n {what}), by what determines it"
    c.theorem(f"{label}.floor", " & ".join(f"({holds})" for holds, _ in parts.values()), statement=statement)
    for part, (_, fails) in parts.items():
        text = " & ".join(f"({fails if name == part else holds})" for name, (holds, _) in parts.items())
        c.theorem(f"{label}.floor.{part}", text, form="control", statement=f"{statement} (the part {part} is wrong)")
