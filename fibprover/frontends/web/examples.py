"""What the page offers at first: examples, and what it has to know before its engine answers."""

from __future__ import annotations

import json

from fibprover.base.values import value
from fibprover.language.commands import WORDS


@value
class Example:
    """A cell that the page offers; kind: "commands" or "python"."""

    title: str
    kind: str
    text: str

    def as_json(self) -> dict[str, str]:
        """Return it as an object of JSON."""
        return {"title": self.title, "kind": self.kind, "text": self.text}


def about(*, python: bool) -> str:
    """Return what the page has to know before its engine answers, as JSON; python: whether cells of Python are run."""
    return json.dumps({"python": python, "commands": sorted(word for word in WORDS if not word.startswith("["))})


EXAMPLES = (
    Example(
        "Every number is even or odd", "commands",
        "An Em n=2*m | n=2*m+1",
    ),
    Example(
        "Sums of threes and fives", "commands",
        "An n>=8 => Ex,y n=3*x+5*y;\n~Ex,y n=3*x+5*y;",
    ),
    Example(
        "Cubes in the Fibonacci word", "commands",
        "?msd_fib Ei,n n>0 & At t<2*n => F[i+t]=F[i+t+n];\n?msd_fib Ei,n n>0 & At t<3*n => F[i+t]=F[i+t+n];",
    ),
    Example(
        "Periods of squares", "commands",
        """\
# Squares in the Fibonacci word: blocks of n letters at i that stand there twice in a row.
def square "?msd_fib n>0 & At t<n => F[i+t]=F[i+t+n]";
def periods "?msd_fib Ei $square(i,n)";
reg fibonacci msd_fib "0*10*";
eval only_these "?msd_fib An $periods(n) <=> $fibonacci(n)";""",
    ),
    Example(
        "No overlaps in the Thue-Morse word", "commands",
        "~Ei,n n>0 & At t<=n => T[i+t]=T[i+t+n]",
    ),
    Example(
        "The adder of Fibonacci numbers", "commands",
        "?msd_fib x+y=z",
    ),
    Example(
        "Wythoff's game: proof and board", "commands",
        """\
# The P-positions of Wythoff's game, as a set of pairs in the Fibonacci system.
reg shift {0,1} {0,1} "([0,0]|([0,1][1,1]*[1,0]))*";
def phin "?msd_fib (s=0 & n=0) | Ex $shift(n-1,x) & s=x+1";
def half "?msd_fib En $phin(n,a) & b=a+n";
def ppos "?msd_fib $half(a,b) | $half(b,a)";
eval stable "?msd_fib Ap,q,r,s ($ppos(p,q) & $ppos(r,s) & p>=r & q>=s & p+q>r+s) => ~(p=r | q=s | p+s=q+r)";
eval absorbing "?msd_fib Ap,q ~$ppos(p,q) => Er,s $ppos(r,s) & r<=p & s<=q & (p=r | q=s | p+s=q+r)";
%board $ppos""",
    ),
    Example(
        "The game K^2: stable and absorbing", "python",
        """\
# Python: Theorem 2 of Renard and Rigo, in the strong form
s = fp.Session("msd_fib")
s.define_morphic_word("G", [[0, 1], [2], [3, 1], [4, 5], [3, 5], [4]], [1, 0, 1, 1, 0, 1])
s.run('reg shift {0,1} {0,1} "([0,0]|([0,1][1,1]*[1,0]))*";')
s.define("phin", "(s=0 & n=0) | Ex $shift(n-1,x) & s=x+1")
s.define("half", "a+b<=2 | En,x $phin(n,x) & a+1=x+G[n] & b=x+n+G[n]")
P = s.define("P", "$half(a,b) | $half(b,a)")
print("terminal: ", s.prove("Ap,q p+q<=2 => $P(p,q)"))
print("stable:   ", s.prove("Ap,q,r,s ($P(p,q) & $P(r,s) & p>=r & q>=s & p+q>2 & p+q>r+s) => ~(p=r | q=s | p+s=q+r)"))
print("absorbing:", s.prove("Ap,q ~$P(p,q) => Er,s $P(r,s) & r<=p & s<=q & (p=r | q=s | p+s=q+r)"))
P""",
    ),
)
