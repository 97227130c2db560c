"""The log of the textbook plan where Walnut's sizes are not those of minimal automata of the results.

Logged by Walnut: the steps 4, 5 of calls with constants, and 4, 3 and 16, 10 of words at `x-2` and `x-3`. The other
sizes follow from its rules: what a closed formula was projected from, and none for what is made anew.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.prover.evaluate.closed_sizes import Decided, combined, negated

WORDS = Path(__file__).resolve().parents[2] / "proofs" / "words.json"


@pytest.fixture(scope="module")
def session() -> fp.Session:
    made = fp.Session("msd_fib", plan="textbook")
    made.load_words(WORDS)
    made.run('reg shift {0,1} {0,1} "([0,0]|([0,1][1,1]*[1,0]))*"; def an "$shift(n+1,a)";')
    return made


def sizes(session: fp.Session, formula: str, plan: str = "textbook") -> list[int]:
    trace = session.eval(formula, plan=plan).trace
    assert trace is not None
    return [states for _, states in trace.steps()]


def test_calls_with_constants_keep_their_size(session: fp.Session) -> None:
    """A call of one pair has one state more than the digits of its larger number: 101, 1000, 1010 in msd_fib."""
    assert sizes(session, "$an(2,0) & $an(3,1)") == [4]
    assert sizes(session, "$an(2,0) & $an(3,1) & $an(5,2) & $an(7,3)") == [4, 5, 5]
    assert sizes(session, "~$an(3,1)") == [4]
    assert sizes(session, "$an(3,2) | $an(5,2)") == [5]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("F1G1[x-2]=@1", [4, 3]), ("F2G2[x-3]=@1", [16, 10]), ("@1=F1G1[x-2]", [4, 3]), ("F1G1[x]=@1", [4]),
        ("An Ex $an(x,n) => F1G1[x-2]=1", [4, 3, 4, 2, 1]),
    ],
)
def test_the_comparison_of_the_whole_word_is_a_step(session: fp.Session, formula: str, expected: list[int]) -> None:
    assert sizes(session, formula) == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("?msd_2 Ex x=5", [4, 4]), ("?msd_2 ~(Ex x=5)", [4, 4, 4]), ("?msd_2 Ax x=5", [4, 5]),
        ("?msd_2 Ax x>=0", [1, 1]), ("1=1", [0]), ("1=2 | 3=3", [0, 0, 0]),
        ("?msd_2 (Ex x=5) & (Ey y=1)", [4, 4, 2, 2, 2]), ("?msd_2 (Ex x=5) | (Ey y=1)", [4, 4, 2, 2, 0]),
        ("?msd_2 (Ex x=5) => (Ey y=1)", [4, 4, 2, 2, 2]), ("?msd_2 1=2 & x=3", [0, 3, 0]),
        ("?msd_2 1=1 & x=3", [0, 3, 3]), ("?msd_2 Ix x>3", [4, 0]),
    ],
)
def test_closed_formulas(session: fp.Session, formula: str, expected: list[int]) -> None:
    assert sizes(session, formula) == expected


def test_only_the_log_changes(session: fp.Session) -> None:
    """The optimized plan logs closed formulas as before."""
    assert sizes(session, "?msd_2 1=1", "optimized") == [1]


@pytest.mark.parametrize("op", ["&", "|", "^", "=>", "<=>"])
def test_what_is_decided_has_the_right_truth(op: str) -> None:
    meanings: dict[str, Callable[[bool, bool], bool]] = {
        "&": lambda a, b: a and b, "|": lambda a, b: a or b, "^": lambda a, b: a != b, "=>": lambda a, b: not a or b,
        "<=>": lambda a, b: a == b,
    }
    meaning = meanings[op]
    for left in (False, True):
        assert negated(Decided(left, 3)) == Decided(not left, 3)
        for right in (False, True):
            found = combined(op, Decided(left, 3), Decided(right, 5))
            assert found is not None and found.truth == meaning(left, right)
            # A formula with one part undecided is decided if the other part is enough.
            one = combined(op, Decided(left, 3), None)
            assert one is None or one.truth == meaning(left, right)
            other = combined(op, None, Decided(right, 5))
            assert other is None or other.truth == meaning(left, right)
