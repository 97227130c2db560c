"""Whatever the text, reading it gives a result or a FibproverError, and the place is in the text."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fibprover.base.errors import FibproverError, TextError
from fibprover.language.commands import parse_script
from fibprover.language.macros import expand_macros
from fibprover.language.parser import parse_formula
from fibprover.language.regular_expression import parse_regex
from tests.seeds import chosen_seed

MACROS = {"m": "%0 & #n(%1)", "n": "%0", "self": "#self()"}

READERS: dict[str, Callable[[str], object]] = {
    "formula": parse_formula,
    "script": parse_script,
    "regex over one track": lambda text: parse_regex(text, [(-1, 0, 1, 10)]),
    "regex over two tracks": lambda text: parse_regex(text, [(0, 1), (0, 1, 2)]),
    "macros": lambda text: expand_macros(text, MACROS),
}

#: What formulas, scripts and regular expressions are made of.
PIECES = [
    "A", "E", "I", "x", "y", "Ex ", "Ax,y ", "Iz ", "E>=3 x ", "E=2 y ", "0", "1", "12", "_", "+", "-", "*", "/",
    "=", "!=", "<", "<=", ">", ">=", "=>", "<=>", "&", "|", "^", "~", "`", "(", ")", "[", "]", ",", "$f(", "T[", ".A[",
    "@1", "@-3", "@", "$", "?", "?msd_fib ", "?2 ", ".", "#m(", "#n(", "#self()", "#", "%0", "%", '"', ";", ":", "::",
    "{", "}",
    "{0,1}", "{-1, 0}", "def f ", "eval t ", "reg r ", "macro m ", "msd_fib ", "lsd ", "\n", "\n#", "//", " ",
    "\t", "é",
    "≤", "\x00", "\ufeff", "\u2028", "٣", "²", "\U0001f600", "\ud800", "9" * 30,
]

VALID = [
    "?msd_fib (s=0 & n=0) | Ex $shift(n-1,x) & s=x+1",
    "?msd_fib An n>=2 => (Es,t ($h(n-2,s) & $h(n-1,t) & (s<t => G[n]+G[t]=1)))",
    "Ez,x,y $func(z<5,x,y,?msd_10 Eb (a = b+1)) <=> ~`(T[a][?msd_2 b]!=.A1[_c*3/2])",
    "E>=3 x,y (x=@-10 ^ y=1) => E<=0 z z>x",
    'def phin "?msd_fib (s=0 & n=0) | Ex $shift(n-1,x) & s=x+1":\neval t n "x=1"::\n# c\nmacro m "%0 & %1";',
    'reg shift {0,1} {0, -1} msd_fib 2 "([0,0]|([0,1][1,1]*[1,0]))*":describe $f "x;y" [+];',
    "([0,0]|([0,1][1,1]*[1,0]))*&~(.{2,3}[1,2]+)?",
    "(0|1)*[-1][10]&~([^0-1]|[5-9])?1{2,}",
    "#m(x=1,#n(y=2)) | #n($f(x,y))",
]


def check(text: str) -> None:
    for name, read in READERS.items():
        problem = failure(read, text)
        if problem is not None:
            assert problem.message and str(problem), name
        if isinstance(problem, TextError):
            assert 0 <= problem.start <= problem.end <= len(problem.text), name


def failure(read: Callable[[str], object], text: str) -> FibproverError | None:
    """The error that reading gives, if it gives one of ours; any other passes through."""
    try:
        read(text)
    except FibproverError as problem:
        return problem
    return None


@given(text=st.text())
def test_any_text(text: str) -> None:
    check(text)


@given(data=st.binary(max_size=60))
def test_any_bytes(data: bytes) -> None:
    check(data.decode("latin-1"))


@given(pieces=st.lists(st.sampled_from(PIECES), max_size=25))
def test_any_sequence_of_pieces(pieces: list[str]) -> None:
    check("".join(pieces))


def mutated(text: str, generator: random.Random) -> str:
    """The text after one to four small accidents."""
    for _ in range(generator.randint(1, 4)):
        start = generator.randint(0, len(text))
        end = min(len(text), start + generator.choice((0, 0, 1, 1, 2, 8)))
        middle = generator.choice(("", generator.choice(PIECES), text[start:end] * 2, text[start:end][::-1]))
        text = text[:start] + middle + text[end:]
    return text


@pytest.mark.long
@pytest.mark.random
def test_mutations() -> None:
    """3,000 accidents."""
    generator = random.Random(chosen_seed())
    for _ in range(3000):
        text = mutated(generator.choice(VALID), generator)
        try:
            check(text)
        except BaseException:
            print(repr(text))
            raise
