"""The definitions that several scripts share: the paper's commands as printed, and its sets and sequences.

The commands are those of paper_commands.txt; some names occur twice there and have a number here.
`declare_game` defines in a chapter the set of P-positions of a game K^l: as printed (pposK1 to
pposK4) and, with all terminal positions, as P.  `declare_sequences` adds a_n and b_n.
"""

from functools import cache
from pathlib import Path

import fibprover as fp

PAPER = "Renard & Rigo 2026"

_FILE = Path(__file__).with_name("paper_commands.txt")


@cache
def _lines() -> dict[str, list[str]]:
    """The commands by name, in order."""
    found: dict[str, list[str]] = {}
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            found.setdefault(line.split()[1], []).append(line)
    return found


def commands(*names: str) -> str:
    """The printed `reg` and `def` commands of these names."""
    return "\n".join(line for name in names for line in _lines()[name])


def formula(name: str, number: int = 1) -> str:
    """The formula of the printed command of this name; of the second, third, ... one if numbered."""
    return _lines()[name][number - 1].split('"')[1]


# -- the games K^l -------------------------------------------------------------------------------

# The definition that is printed for pposK2 and pposK3 and described for K^4.
_CLOSED = "?msd_fib $pposK{0}_asym(a,b) | $pposK{0}_asym(b,a)"


def closed(level: int) -> str:
    """The definition of pposK1 to pposK4, in both orders of a and b."""
    return _CLOSED.format(level)


def declare_game(c: fp.Chapter, level: int) -> None:
    """The words, phin, phi2n, optW, the printed set pposK1 .. pposK4 and the set P of a game K^l."""
    c.words("words.json")
    c.script(commands("shift", "phin", "phi2n", "optW", *(["end_zero", "add_one"] if level == 1 else [])))
    c.script(commands(f"pposK{level}_asym"))
    c.define(f"pposK{level}", closed(level))
    # The printed set of K^2 lacks (1,1); the others have all terminal positions.
    c.define("P", "$pposK2(a,b) | a+b<=2" if level == 2 else f"$pposK{level}(a,b)")


TERMINAL = "Ap,q p+q<={l} => ${P}(p,q)"
STABLE = (
    "Ap,q,r,s (${P}(p,q) & ${P}(r,s) & p>=r & q>=s & p+q>{l}) => ((p=r & q=s) | (p>r & q>s & p+s!=q+r))"
)
ABSORBING = "Ap,q (p+q>{l} & ~${P}(p,q)) => Ex,y (x<=p & y<=q & ${P}(x,y) & (p+y=q+x | p=x | q=y))"


def terminal(level: int, name: str = "P") -> str:
    """All terminal positions of K^l are in a set."""
    return TERMINAL.format(l=level, P=name)


def stable(level: int, name: str = "P") -> str:
    """No move leads from a position of a set that is not terminal to another one of the set."""
    return STABLE.format(l=level, P=name)


def absorbing(level: int, name: str = "P") -> str:
    """From every position outside a set that is not terminal a move leads into the set."""
    return ABSORBING.format(l=level, P=name)


# -- their sequences -------------------------------------------------------------------------------

_SEQUENCES = {
    3: ("Ex $phin(n+2,x) & a+1=x+K3[n+1]", "Ex $phin(n+2,x) & b=x+n+3+K3[n+1]"),
    4: ("Ex $phin(n+2,x) & a=x+K4[n+1]", "Ex $phin(n+2,x) & b=x+K4[n+1]+n+5"),
}


def declare_sequences(c: fp.Chapter, level: int) -> None:
    """After declare_game: an(a,n) and bn(b,n), saying that (a_n, b_n) is the n-th P-position of K^l.

    For K^1 and K^2 they are the printed pposK1_an, ..., for K^3 and K^4 the paper's formulas (K3), (K4).
    """
    if level in _SEQUENCES:
        for name, text in zip(("an", "bn"), _SEQUENCES[level], strict=True):
            c.define(name, text)
    else:
        c.script(commands(f"pposK{level}_an", f"pposK{level}_bn"))
        c.define("an", f"$pposK{level}_an(a,n)")
        c.define("bn", f"$pposK{level}_bn(b,n)")
