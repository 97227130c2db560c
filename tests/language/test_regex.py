"""Regular expressions: the trees, and the words they have, against Python's own `re`."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fibprover.language.regular_expression import (
    Complement,
    Concat,
    Empty,
    Epsilon,
    Intersection,
    Letters,
    Regex,
    RegexLetter,
    Repeat,
    Union,
    parse_regex,
)

BIT = [(0, 1)]


def one(*digits: int) -> Letters:
    return Letters(frozenset((digit,) for digit in digits))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Epsilon()),
        (" \n", Epsilon()),
        ("()", Epsilon()),
        ("( )", Epsilon()),
        ("((()))", Epsilon()),
        ("0", one(0)),
        ("01", Concat((one(0), one(1)))),
        (" 0 1\n", Concat((one(0), one(1)))),
        ("0|1|01", Union((one(0), one(1), Concat((one(0), one(1)))))),
        ("0|1&0", Union((one(0), Intersection((one(1), one(0)))))),
        ("(0|1)&0", Intersection((Union((one(0), one(1))), one(0)))),
        ("01*", Concat((one(0), Repeat(one(1), 0, None)))),
        ("(01)*", Repeat(Concat((one(0), one(1))), 0, None)),
        ("0+", Repeat(one(0), 1, None)),
        ("0?", Repeat(one(0), 0, 1)),
        ("0{3}", Repeat(one(0), 3, 3)),
        ("0{3,}", Repeat(one(0), 3, None)),
        ("0{ 3 , 5 }", Repeat(one(0), 3, 5)),
        ("0{0}", Repeat(one(0), 0, 0)),
        ("0**", Repeat(Repeat(one(0), 0, None), 0, None)),
        ("~0", Complement(one(0))),
        ("~~0", Complement(Complement(one(0)))),
        ("~0*", Repeat(Complement(one(0)), 0, None)),
        ("~(0*)", Complement(Repeat(one(0), 0, None))),
        ("~()", Complement(Epsilon())),
        ("0~(1|0)1", Concat((one(0), Complement(Union((one(1), one(0)))), one(1)))),
        (".", one(0, 1)),
        ("[01]", one(0, 1)),
        ("[ 1 ]", one(1)),
        ("[^0]", one(1)),
        ("[^01]", one()),
        ("[0-1]", one(0, 1)),
        ("[5-9]", one()),
        ("[^5-9]", one(0, 1)),
        ("()|0", Union((Epsilon(), one(0)))),
    ],
)
def test_trees_over_bits(text: str, expected: Regex) -> None:
    assert parse_regex(text, BIT) == expected


@pytest.mark.parametrize(
    ("text", "alphabet", "digits"),
    [
        (".", (0, 4, 6, 7), (0, 4, 6, 7)),
        ("[5-6]", (0, 4, 6, 7), (0, 4, 6)),
        ("[3-6]", (0, 4, 6, 7), (0, 4, 6)),
        ("[4-9]", range(5), ()),
        ("[5-9]", range(5), ()),
        ("[-1]", (-1, 0, 1), (-1,)),
        ("[+1]", (-1, 0, 1), (1,)),
        ("[- 1]", (-1, 0, 1), (-1,)),
        ("[^-1]", (-1, 0, 1), (0, 1)),
        ("[10]", range(11), (10,)),
        ("[10]", range(2), (0, 1)),
        ("[12]", range(11), (1, 2)),
        ("[0-35]", range(11), (0, 1, 2, 3, 5)),
    ],
)
def test_brackets_over_one_track(text: str, alphabet: range | tuple[int, ...], digits: tuple[int, ...]) -> None:
    assert parse_regex(text, [alphabet]) == one(*digits)


def test_tuple_letters() -> None:
    assert parse_regex("[3, 1,+2]*", [range(4)] * 3) == Repeat(Letters(frozenset({(3, 1, 2)})), 0, None)
    assert parse_regex("[-1,0]", [(-1, 0), (0, 1)]) == Letters(frozenset({(-1, 0)}))
    assert parse_regex(".", [(0, 1), (5, 6)]) == Letters(frozenset({(0, 5), (0, 6), (1, 5), (1, 6)}))
    assert parse_regex("[10,0]", [range(11), (0, 1)]) == Letters(frozenset({(10, 0)}))
    shift = parse_regex("([0,0]|([0,1][1,1]*[1,0]))*", [(0, 1), (0, 1)])
    first, second, third, fourth = (Letters(frozenset({pair})) for pair in ((0, 0), (0, 1), (1, 1), (1, 0)))
    assert shift == Repeat(Union((first, Concat((second, Repeat(third, 0, None), fourth)))), 0, None)


Words = frozenset[tuple[RegexLetter, ...]]


def words(regex: Regex, universe: Words, length: int) -> Words:
    """The words up to a length, straight from what the nodes say they mean."""
    match regex:
        case Empty():
            return frozenset()
        case Epsilon():
            return frozenset({()})
        case Letters(letters=letters):
            return frozenset((letter,) for letter in letters if length)
        case Union(parts=parts):
            return frozenset().union(*(words(part, universe, length) for part in parts))
        case Intersection(parts=parts):
            return universe.intersection(*(words(part, universe, length) for part in parts))
        case Complement(body=body):
            return universe - words(body, universe, length)
        case Concat(parts=parts):
            result: Words = frozenset({()})
            for part in parts:
                result = chained(result, words(part, universe, length), length)
            return result
        case Repeat(body=body, least=least, most=most):
            once = words(body, universe, length)
            powers: list[Words] = [frozenset({()})]
            # Beyond `length` copies only copies of the empty word are left to add.
            for _ in range(max(least, length) if most is None else most):
                powers.append(chained(powers[-1], once, length))
            return frozenset().union(*powers[least:])


def chained(left: Words, right: Words, length: int) -> Words:
    return frozenset(a + b for a in left for b in right if len(a) + len(b) <= length)


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> str:
    """Expressions that Python's `re` reads alike (no intersection, no complement)."""
    if depth == 0:
        return draw(st.sampled_from(["0", "1", "2", ".", "[01]", "[^1]", "[1-2]", "()"]))
    below = expressions(depth=depth - 1)
    match draw(st.sampled_from("|.*+?{(")):
        case "|":
            return f"{draw(below)}|{draw(below)}"
        case ".":
            return f"({draw(below)})({draw(below)}){draw(below)}"
        case "{":
            least = draw(st.integers(0, 3))
            return f"({draw(below)}){{{least},{least + draw(st.integers(0, 2))}}}"
        case "(":
            return f"({draw(below)})"
        case repeat:
            return f"({draw(below)}){repeat}"


@given(text=expressions())
def test_words_agree_with_re(text: str) -> None:
    length = 4
    universe = frozenset(
        tuple((digit,) for digit in word) for size in range(length + 1) for word in product(range(3), repeat=size)
    )
    expected = frozenset(word for word in universe if re.fullmatch(text, "".join(str(digit) for (digit,) in word)))
    assert words(parse_regex(text, [range(3)]), universe, length) == expected
