"""Each rule of the checker, with claims that follow and forged ones beside them that do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fibprover.checker.fibcheck import Checker, Invalid, Malformed
from tests.certificate.meaning import checked_lines
from tests.cli.command import answer

Line = dict[str, Any]

#: All words over 0 and 1, and those without 11: base 2 and Fibonacci.
HEADER: list[Line] = [
    {"certificate": 1, "variables": {
        **dict.fromkeys("xyztuvwocd", "n"), **dict.fromkeys("fgh", "fib"), "q": "none",
    }},
    {"system": "n", "digits": 2, "outputs": [1], "rows": [[0, 0, 1, 0]]},
    {"system": "fib", "digits": 2, "outputs": [1, 1], "rows": [[0, 0, 1, 1], [0, 0]]},
    {"word": "T", "systems": ["n"], "outputs": [0, 1], "rows": [[0, 0, 1, 1], [0, 1, 1, 0]]},
    {"predicate": "more", "systems": ["n", "n"], "outputs": [0, 1],
     "rows": [[0, 0, 3, 0, 2, 1], [0, 1, 1, 1, 2, 1, 3, 1]]},
    # An adder that is none: it forgets carries.
    {"predicate": "xor", "systems": ["n", "n", "n"], "outputs": [1], "rows": [[0, 0, 3, 0, 5, 0, 6, 0]]},
    {"define": "less", "parameters": ["u", "v"], "formula": "u<v"},
    {"define": "three", "parameters": ["u"], "formula": "u=3"},
]
AUTOMATA: list[tuple[str, list[str], list[int], list[list[int]]]] = [
    ("true", [], [1], [[0, 0]]),
    ("false", [], [0], [[0, 0]]),
    ("all", ["n"], [1], [[0, 0, 1, 0]]),
    ("empty", ["n"], [0], [[0, 0]]),
    ("zero", ["n"], [1], [[0, 0]]),
    ("one", ["n"], [0, 1], [[0, 0, 1, 1], []]),
    ("two", ["n"], [0, 0, 1], [[0, 0, 1, 1], [0, 2], []]),
    ("three", ["n"], [0, 0, 1], [[0, 0, 1, 1], [1, 2], []]),
    ("fib_three", ["fib"], [0, 0, 1], [[0, 0, 1, 1], [1, 2], []]),
    ("xor", ["n", "n", "n"], [1], [[0, 0, 3, 0, 5, 0, 6, 0]]),
    ("below_two", ["n"], [1, 1], [[0, 0, 1, 1], []]),
    ("positive", ["n"], [0, 1], [[0, 0, 1, 1], [0, 1, 1, 1]]),
    ("equal", ["n", "n"], [1], [[0, 0, 3, 0]]),
    ("less", ["n", "n"], [0, 1], [[0, 0, 3, 0, 1, 1], [0, 1, 1, 1, 2, 1, 3, 1]]),
    ("pairs", ["n", "n"], [1], [[0, 0, 1, 0, 2, 0, 3, 0]]),
    ("no_pair", ["n", "n"], [0], [[0, 0]]),
    ("letter_1", ["n"], [0, 1], [[0, 0, 1, 1], [0, 1, 1, 0]]),
    ("fib_all", ["fib"], [1, 1], [[0, 0, 1, 1], [0, 0]]),
    ("zero_one", ["n", "n"], [0, 1], [[0, 0, 1, 1], []]),
    ("zero_positive", ["n", "n"], [0, 1], [[0, 0, 1, 1], [0, 1, 1, 1]]),
]


def between() -> list[list[int]]:
    """The rows of words x, y, z of one length with x < y < z, from the states of x < y and y < z."""
    pairs = [(0, 0), (0, 1), (1, 0), (1, 1)]

    def after(state: int, a: int, b: int) -> int:
        return 1 if state == 1 or a < b else 0 if a == b else -1

    rows = []
    for first, second in pairs:
        row: list[int] = []
        for letter in range(8):
            a, b, c = letter >> 2, letter >> 1 & 1, letter & 1
            there = after(first, a, b), after(second, b, c)
            row += [letter, pairs.index(there)] if there in pairs else []
        rows.append(row)
    return rows


LESS = [[0, 0, 3, 0, 1, 1], [0, 1, 1, 1, 2, 1, 3, 1]]
AUTOMATA += [
    ("equal_1", ["n", "n"], [0, 1], [[0, 0, 3, 1], [0, 1, 3, 0]]),
    ("fib_less", ["fib", "fib"], [0, 1], LESS),
    ("fib_less_or_equal", ["fib", "fib"], [1, 1], LESS),
    ("fib_between", ["fib"] * 3, [0, 0, 0, 1], between()),
    ("fib_two_apart", ["fib", "fib"], [0, 0, 1],
     [[0, 0, 3, 0, 1, 1], [0, 2, 1, 2, 2, 1, 3, 2], [0, 2, 1, 2, 2, 2, 3, 2]]),
    ("fib_pairs", ["fib", "fib"], [1], [[0, 0, 1, 0, 2, 0, 3, 0]]),
    ("fib_3_5", ["fib", "fib"], [0, 0, 0, 0, 1], [[0, 0, 1, 1], [2, 2], [0, 3], [0, 4], []]),
    ("fib_two_and_three", ["fib", "fib"], [0, 0, 0, 1], [[0, 0, 1, 1], [2, 2], [0, 3], []]),
]


def relation(text: str) -> list[Any]:
    """The relation that `less x y` is."""
    name, *names = text.split()
    return [[one for one, *_ in AUTOMATA].index(name), names]


def claim(rule: str, text: str, *, guards: tuple[str, ...] = (), **more: object) -> Line:
    return {"rule": rule, "relation": relation(text), "guards": [relation(one) for one in guards], **more}


def atom(formula: str, text: str, **more: Any) -> Line:
    return claim("atom", text, formula=formula, **more)


def checker(folder: Path, claims: list[Line], statement: str = "true") -> Checker:
    automata = [
        {"automaton": number, "systems": systems, "outputs": outputs, "rows": rows}
        for number, (_, systems, outputs, rows) in enumerate(AUTOMATA)
    ]
    end: list[Line] = [] if claims and claims[-1].get("last") else [claim("and", "true")]
    return checked_lines([*HEADER, *automata, *claims, *end, {"statement": statement}], folder)


X0, X1 = atom("x=0", "zero x"), atom("x=1", "one x")
#: Cases of a rule: claims that follow, and the last one once more, forged.
CASES: dict[str, tuple[list[Line], Line]] = {
    "equality is no order": ([atom("x=y", "equal x y")], atom("x=y", "less x y")),
    "the order has a direction": ([atom("x<y", "less x y")], atom("y<x", "less x y")),
    "a constant": ([atom("x=1", "one x")], atom("x=2", "one x")),
    "a constant below zero": ([atom("x=0", "zero x")], atom("x+1=0", "zero x")),
    "a letter": ([atom("T[x]=@1", "letter_1 x")], atom("T[x]=@0", "letter_1 x")),
    "a letter that does not occur": ([atom("T[x]=@2", "empty x")], atom("T[x]=@2", "letter_1 x")),
    "a predicate": ([atom("$more(y,x)", "less x y")], atom("$more(x,y)", "less x y")),
    "a predicate of one variable twice": ([atom("$more(x,x)", "empty x")], atom("$more(x,x)", "all x")),
    "a relation without the variable": ([atom("x=0", "zero x")], atom("x=0", "true")),
    "a relation with another variable": ([atom("x=0", "zero x")], atom("x=0", "zero y")),
    "an atom under a guard": (
        [atom("x<y", "no_pair x y", guards=("equal x y",))], atom("x<y", "no_pair x y", guards=("pairs x y",)),
    ),
    "sums need addition": ([atom("x=y", "equal x y")], atom("x+y=z", "equal x y")),
    "a guard that holds nothing": (
        [claim("any", "true", formula="x=5", guards=("zero x", "one x"))],
        claim("any", "true", formula="x=5", guards=("zero x",)),
    ),
    "no guard": (
        [claim("any", "true", formula="x=5", guards=("empty x",))], claim("any", "true", formula="x=5"),
    ),
    "true": ([claim("and", "all x")], claim("and", "zero x")),
    "true for some only": ([claim("and", "zero x", guards=("zero x",))], claim("and", "zero x", guards=("all x",))),
    "both": ([X0, X1, claim("and", "empty x", of=[0, 1])], claim("and", "zero x", of=[0, 1])),
    "both of two variables": (
        [X0, atom("y<x", "less y x"), claim("and", "no_pair x y", of=[0, 1])], claim("and", "equal x y", of=[0, 1]),
    ),
    "a variable is captured": (
        [X0, claim("exists", "true", of=[0], bound=["x"]), claim("and", "true", of=[1])],
        claim("and", "zero x", of=[1, 0]),
    ),
    "a denial": ([X0, claim("not", "positive x", of=[0])], claim("not", "all x", of=[0])),
    "a denial of too much": ([X0, claim("not", "positive x", of=[0])], claim("not", "one x", of=[0])),
    "a denial under a guard": (
        [X0, claim("not", "one x", of=[0], guards=("below_two x",))], claim("not", "one x", of=[0], guards=("all x",)),
    ),
    "a guarded claim is used": (
        [claim("and", "zero x", guards=("zero x",)), claim("not", "empty x", of=[0], guards=("zero x",))],
        claim("not", "positive x", of=[0]),
    ),
    "an equivalence": (
        [X0, X1, claim("iff", "all x", of=[0, 0])], claim("iff", "all x", of=[0, 1]),
    ),
    "an equivalence under a guard": (
        [X0, X1, claim("iff", "empty x", of=[0, 1], guards=("below_two x",))],
        claim("iff", "empty x", of=[0, 1], guards=("all x",)),
    ),
    "a disjunction": (
        [X0, X1, claim("or", "below_two x", of=[0, 1], formula="(x=0 | x=1)")],
        claim("or", "zero x", of=[0, 0], formula="(x=0 | x=1)"),
    ),
    "a disjunction that forgets a branch": (
        [X0, X1, claim("or", "below_two x", of=[0, 1], formula="(x=0 | x=1)")],
        claim("or", "zero x", of=[0, 1], formula="(x=0 | x=1)"),
    ),
    "a witness that is longer": (
        [atom("x<y", "less x y"), claim("exists", "all x", of=[0], bound=["y"])],
        claim("exists", "zero x", of=[0], bound=["y"]),
    ),
    "a witness that is longer, backward": (
        [atom("x<y", "less x y"), claim("exists", "all x", of=[0], bound=["y"], backward=True)],
        claim("exists", "zero x", of=[0], bound=["y"], backward=True),
    ),
    "no witness": (
        [atom("x<y", "less x y"), claim("exists", "positive y", of=[0], bound=["x"])],
        claim("exists", "all y", of=[0], bound=["x"]),
    ),
    "no witness, backward": (
        [atom("x<y", "less x y"), claim("exists", "positive y", of=[0], bound=["x"], backward=True)],
        claim("exists", "all y", of=[0], bound=["x"], backward=True),
    ),
    "no witness under a guard, backward": (
        [atom("x<y", "less x y"), claim("exists", "all y", of=[0], bound=["x"], backward=True, guards=("positive y",))],
        claim("exists", "all y", of=[0], bound=["x"], backward=True, guards=("below_two y",)),
    ),
    **{
        # After a letter with different digits all is accepted: a set with state 1 of less x y needs no state 0.
        f"a set that loses all states, {name}": (
            [atom("x<y", "less x y"), claim("exists", said, of=[0], bound=[bound], loses=[[0, 1]])],
            claim("exists", said, of=[0], bound=[bound], loses=[[0, 0], [1, 1]]),
        )
        for name, said, bound in [("of a relation", "all x", "y"), ("of another one", "positive y", "x")]
    },
    "sets that lose states are counted": (
        [atom("x<y", "less x y"), claim("exists", "all x", of=[0], bound=["y"], count=2)],
        claim("exists", "all x", of=[0], bound=["y"], count=2, loses=[[0, 1]]),
    ),
    "sets that lose states, backward": (
        [atom("x<y", "less x y"), claim("exists", "all x", of=[0], bound=["y"], backward=True)],
        claim("exists", "all x", of=[0], bound=["y"], backward=True, loses=[[0, 1]]),
    ),
    "sets that lose a state that is not there": (
        [atom("x<y", "less x y"), claim("exists", "all x", of=[0], bound=["y"], loses=[[0, 1], [1]])],
        claim("exists", "all x", of=[0], bound=["y"], loses=[[2, 1]]),
    ),
    "a bound variable in a guard": (
        [atom("x<y", "less x y"), claim("exists", "all x", of=[0], bound=["y"])],
        claim("exists", "all x", of=[0], bound=["y"], guards=("zero y",)),
    ),
    "a guard of the claim is about the bound variable": (
        [claim("any", "true", formula="x=5", guards=("empty x",)), atom("x<y", "less x y")],
        claim("exists", "true", of=[0], bound=["x"]),
    ),
    "two values": (
        [atom("x<y", "less x y"), claim("exists", "all x", of=[0], bound=["y"], count=2)],
        claim("exists", "positive y", of=[0], bound=["x"], count=2),
    ),
    "a counted variable that does not occur": (
        [X0, claim("exists", "true", of=[0], bound=["x"])], claim("exists", "true", of=[0], bound=["x", "y"], count=2),
    ),
    "a definition": (
        [atom("u<v", "less u v"), claim("definition", "less x y", of=[0], name="less", arguments=["x", "y"])],
        claim("definition", "less y x", of=[0], name="less", arguments=["x", "y"]),
    ),
    "a definition with one argument twice": (
        [atom("u<v", "less u v"), claim("definition", "empty x", of=[0], name="less", arguments=["x", "x"])],
        claim("definition", "all x", of=[0], name="less", arguments=["x", "x"]),
    ),
    "a definition with its parameters exchanged": (
        [atom("u<v", "less u v"), claim("definition", "less v u", of=[0], name="less", arguments=["v", "u"])],
        claim("definition", "less u v", of=[0], name="less", arguments=["v", "u"]),
    ),
    "a definition under a guard": (
        [atom("u<v", "no_pair u v", guards=("equal u v",)), atom("u<v", "less u v")],
        claim("definition", "no_pair x y", of=[0], name="less", arguments=["x", "y"]),
    ),
    "another formula than that of the definition": (
        [atom("v<u", "less v u"), atom("u<v", "less u v")],
        claim("definition", "less y x", of=[0], name="less", arguments=["x", "y"]),
    ),
    "other names of a linear atom": (
        [atom("x<y", "less x y"), claim("linear", "less y x", of=[0], formula="y<x", names={"x": "y", "y": "x"})],
        claim("linear", "less x y", of=[0], formula="y<x", names={"x": "y", "y": "x"}),
    ),
    "one name for two": (
        [atom("x<y", "less x y"), claim("linear", "empty z", of=[0], formula="false", names={"x": "z", "y": "z"})],
        claim("linear", "all z", of=[0], formula="false", names={"x": "z", "y": "z"}),
    ),
    "other names of some variables only": (
        [atom("x<y", "less x y"), claim("linear", "less x z", of=[0], formula="x<z", names={"x": "x", "y": "z"})],
        claim("linear", "less x z", of=[0], formula="x<z", names={"y": "z"}),
    ),
    "other names under a guard": (
        [atom("x<y", "no_pair x y", guards=("equal x y",)), atom("x<y", "less x y")],
        claim("linear", "no_pair u v", of=[0], formula="u<v", names={"x": "u", "y": "v"}),
    ),
    "a name of another system": (
        [atom("x=0", "zero x"), claim("linear", "zero y", of=[0], formula="y=0", names={"x": "y"})],
        claim("linear", "fib_all f", of=[0], formula="f=0", names={"x": "f"}),
    ),
    "the second under the first": (
        [X0, atom("x<y", "positive y", guards=("zero x",)), claim("and", "zero_positive x y", of=[0, 1])],
        claim("and", "zero_positive x y", of=[1, 0]),
    ),
    "two pairs": (
        [X0, atom("y=1", "one y"), claim("and", "zero_one x y", of=[0, 1]),
         claim("exists", "true", of=[2], bound=["x", "y"]),
         claim("exists", "false", of=[2], bound=["x", "y"], count=2)],
        claim("exists", "true", of=[2], bound=["x", "y"], count=2),
    ),
    "a definition used for another system": (
        [atom("u<v", "less u v"), claim("definition", "less x y", of=[0], name="less", arguments=["x", "y"])],
        claim("definition", "fib_all f", of=[0], name="less", arguments=["f", "f"]),
    ),
    "a shared term": (
        [atom("x<y", "less x y"), atom("x=1", "one x"),
         claim("share", "two y", of=[0, 1], guards=("two y", "one u"), **{"from": "x", "to": "u"})],
        claim("share", "two y", of=[0, 1], guards=("two y", "below_two u"), **{"from": "x", "to": "u"}),
    ),
    "a shared term that is below another": (
        [atom("x<y", "less x y"), atom("x=1", "one x"),
         claim("share", "two y", of=[0, 1], guards=("two y", "one u"), **{"from": "x", "to": "u"})],
        claim("share", "empty y", of=[1, 0], guards=("less u y",), **{"from": "x", "to": "u"}),
    ),
    "a witness that is no number": (
        # Between the words 010 and 100 is 011, but there is no number between 2 and 3.
        [atom("f<g", "fib_less f g"), atom("g<h", "fib_less g h"), claim("and", "fib_between f g h", of=[0, 1]),
         claim("not", "fib_less_or_equal g f", of=[0])],
        claim("exists", "fib_two_apart f h", of=[2], bound=["g"]),
    ),
    "a witness that is no number, under a guard": (
        [atom("f<g", "fib_less f g"), atom("g<h", "fib_less g h"), claim("and", "fib_between f g h", of=[0, 1]),
         claim("not", "fib_less_or_equal g f", of=[0])],
        claim("exists", "fib_pairs f h", of=[2], bound=["g"], count=1, guards=("fib_two_and_three f h",)),
    ),
    "a variable that is a term of itself": (
        [atom("x<y", "less x y"), atom("y=1", "one y"), claim("and", "zero_one x y", of=[0, 1]),
         claim("exists", "zero x", of=[2], bound=["y"]), claim("linear", "zero x", of=[3], formula="x<1")],
        claim("linear", "zero x", of=[3], formula="x<2"),
    ),
    "an atom that is not linear": (
        [atom("x=y", "equal x y"), atom("T[y]=@1", "letter_1 y"), claim("and", "equal_1 x y", of=[0, 1]),
         claim("exists", "letter_1 x", of=[2], bound=["y"])],
        claim("linear", "letter_1 x", of=[3], formula="T[y]=@1"),
    ),
    **{
        f"{text} is no sum": (
            [claim("any", "no_pair x z", formula=f"(E y ({text} & y<z))", guards=("no_pair x z",))],
            claim("linear", "no_pair x z", of=[0], formula=follows, guards=("no_pair x z",)),
        )
        for text, follows in [("y+1=x", "x<z+1"), ("2*y=x", "x<2*z"), ("y<x", "x<z"), ("y+x=0", "0<z+x")]
    },
    "numbers of one system as those of another": (
        # 11 is the word of 3 in base 2, and of no number in the Fibonacci system.
        [atom("x=3", "three x"), claim("linear", "three y", of=[0], formula="y=3", names={"x": "y"})],
        claim("linear", "fib_three f", of=[0], formula="f=3", names={"x": "f"}),
    ),
    "a definition for numbers of another system": (
        [atom("u=3", "three u"), claim("definition", "three x", of=[0], name="three", arguments=["x"])],
        claim("definition", "fib_three f", of=[0], name="three", arguments=["f"]),
    ),
    "a relation of another system": ([atom("x=0", "zero x")], atom("f=0", "zero f")),
    "a track twice": ([atom("x=y", "equal x y")], atom("x=y", "equal x x")),
    "a variable that is free and bound": (
        [claim("any", "true", formula="(~(E x x=0) & x=0)", guards=("empty x",))],
        claim("any", "true", formula="((E x x=0) & x=0)", guards=("empty x",)),
    ),
    "a linear atom out of a guard": (
        [atom("x=1", "empty x", guards=("zero x",)),
         claim("linear", "empty x", of=[0], formula="x=1", guards=("zero x",))],
        claim("linear", "empty x", of=[0], formula="x=1"),
    ),
    "a sum without addition": (
        [atom("$xor(x,y,z)", "xor x y z")], claim("linear", "xor x y z", of=[0], formula="x+y=z"),
    ),
    "a shared term that nothing defines": (
        [atom("T[x]=@1", "letter_1 x"), atom("x=y", "equal x y")],
        claim("share", "equal u y", of=[1, 0], guards=("letter_1 u",), **{"from": "x", "to": "u"}),
    ),
    "a shared term out of a guard": (
        [atom("x<y", "positive y", guards=("zero x",)), atom("x=0", "zero x"), atom("x=1", "one x"),
         claim("share", "positive y", of=[0, 1], guards=("zero u",), **{"from": "x", "to": "u"})],
        claim("share", "positive y", of=[0, 2], guards=("one u",), **{"from": "x", "to": "u"}),
    ),
    "a disjunction out of a guard": (
        [X0, atom("x=1", "empty x", guards=("zero x",)),
         claim("or", "zero x", of=[0, 1], formula="(x=0 | x=1)", guards=("zero x",))],
        claim("or", "zero x", of=[0, 1], formula="(x=0 | x=1)"),
    ),
    "an equivalence out of a guard": (
        [X0, atom("x=1", "empty x", guards=("zero x",)), claim("iff", "empty x", of=[0, 1], guards=("zero x",))],
        claim("iff", "positive x", of=[0, 1]),
    ),
    "a variable that is counted and does not occur": (
        [X0, claim("exists", "true", of=[0], bound=["x", "y"])],
        claim("exists", "false", of=[0], bound=["x", "y"], count=2),
    ),
    "values that are no numbers are counted": (
        # Between 0100 and 1000 are 0101, 0110 and 0111, but only 4 between 3 and 5.
        [atom("f<g", "fib_less f g"), atom("g<h", "fib_less g h"), claim("and", "fib_between f g h", of=[0, 1]),
         claim("and", "fib_3_5 f h", guards=("fib_3_5 f h",))],
        claim("exists", "fib_pairs f h", of=[2], bound=["g"], count=2, guards=("fib_3_5 f h",)),
    ),
    "what is no adder": (
        [claim("and", "true")],
        claim("addition", "true", of=[0, 0], predicate="xor", variables=["o", "x", "y", "z", "v", "w", "c", "d"]),
    ),
}



@pytest.mark.parametrize("case", CASES)
def test_a_forged_claim(tmp_path: Path, case: str) -> None:
    claims, forged = CASES[case]
    assert len(checker(tmp_path, claims).claims) == len(claims) + 1
    with pytest.raises((Invalid, Malformed)):
        checker(tmp_path, [*claims, forged])


#: Lines in place of those of the header, which make a certificate of `true` worthless.
HEADERS: dict[str, Line] = {
    "a system of finitely many numbers": {"system": "n", "digits": 2, "outputs": [1, 1], "rows": [[0, 0, 1, 1], []]},
    "a system of one digit": {"system": "n", "digits": 1, "outputs": [1], "rows": [[0, 0]]},
    "a system whose words end at a finite length": {
        "system": "n", "digits": 2, "outputs": [1, 1, 1, 0], "rows": [[0, 0, 1, 1], [0, 2, 1, 2], [0, 3], [1, 3]],
    },
    "zeros that change a word": {"system": "n", "digits": 2, "outputs": [1, 1], "rows": [[0, 1, 1, 1], [0, 0, 1, 0]]},
    "an index without a letter": {"word": "T", "systems": ["n"], "outputs": [0, 1], "rows": [[0, 0, 1, 1], [0, 1]]},
    "zeros that change a letter": {
        "word": "T", "systems": ["n"], "outputs": [0, 1], "rows": [[0, 1, 1, 0], [0, 0, 1, 1]],
    },
    "a predicate by the name of another": {"predicate": "more", "systems": [], "outputs": [1], "rows": [[0, 0]]},
    "a definition by the name of a predicate": {"define": "more", "parameters": ["x"], "formula": "x=0"},
    "a definition that calls itself": {"define": "p", "parameters": ["x"], "formula": "$p(x)"},
    "a definition with a free variable": {"define": "p", "parameters": ["x"], "formula": "x=y"},
    "a parameter twice": {"define": "p", "parameters": ["x", "x"], "formula": "x=0"},
    "a second header": {"certificate": 1, "variables": {"x": "fib"}},
    "a second statement": {"statement": "true"},
}


@pytest.mark.parametrize("case", HEADERS)
def test_a_forged_line(tmp_path: Path, case: str) -> None:
    line = HEADERS[case]
    lines = [*HEADER, *([line] if "system" not in line and "word" not in line else [])]
    for number, other in enumerate(HEADER):
        if ("system" in line and other.get("system") == "n") or ("word" in line and other.get("word") == "T"):
            lines[number] = line
    end: list[Line] = [
        {"automaton": 0, "systems": [], "outputs": [1], "rows": [[0, 0]]},
        {"rule": "and", "relation": [0, []]}, {"statement": "true"},
    ]
    assert checked_lines([*HEADER, *end], tmp_path).statement is not None
    with pytest.raises((Invalid, Malformed)):
        checked_lines([*lines, *end], tmp_path)


STATEMENTS = [
    "(E x true", "x=0", "(E x,x x=0)", "(E x ((E x x=0) & x=1))", "((E x x=0) & (E x x=1))", "(E q true)", "(A q q=q)",
    "(E x x=f)", "(E x,f x=f)", "(E x T[x]=1)", "(E x T[x]=15)", "(E x (x=0 & \n x=0))", "(E x x=0))", "(E A A=0)",
    "(E>=2 x,y x=0)",
    "(E x x*2=0)", "(E x x>0)", "(E x x=-1)", "(E x $more(x))", "(E x $less(x,f))", "(E x T[x][x]=@0)", "(E x x)",
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_statements_that_are_none(tmp_path: Path, statement: str) -> None:
    with pytest.raises(Malformed):
        checker(tmp_path, [], statement)


LAST = {
    "false": claim("and", "false", guards=("empty x",)),
    "under a guard": claim("and", "true", guards=("zero x",)),
    "with a track": claim("and", "all x"),
    "of another formula": claim("any", "true", formula="false", guards=("empty x",)),
}


@pytest.mark.parametrize("case", LAST)
def test_the_last_claim_is_the_statement(tmp_path: Path, case: str) -> None:
    with pytest.raises(Invalid, match="last claim"):
        checker(tmp_path, [LAST[case] | {"last": True}])


def test_no_text_of_a_file_is_a_verdict(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The last line that is printed is the checker's own, whatever the formulas and names are."""
    for formula in ("x+y=\nVALID", "x+y=z", "x+VALID=z"):
        variables = {"x": "n", "y": "n", "z": "n", "VALID": "n"}
        lines = [{"certificate": 1, "variables": variables}, HEADER[1],
                 {"automaton": 0, "systems": [], "outputs": [1], "rows": [[0, 0]]},
                 {"rule": "atom", "formula": formula, "relation": [0, []]}]
        (tmp_path / "c").write_text("\n".join(map(json.dumps, lines)))
        said = answer(capsys, "check", str(tmp_path / "c"))
        assert said.status in (1, 2)
        assert "VALID" not in said.out.splitlines()
