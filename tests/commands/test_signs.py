"""`split` and `rsplit`: words at numbers of one sign, over negative systems and positive ones."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fibprover as fp
from fibprover.automata.dfa import build
from fibprover.base.errors import FibproverError, TypeMismatch
from fibprover.words import algebra


@pytest.mark.parametrize("base", [2, 3, 5])
@pytest.mark.parametrize("sign", [1, -1])
def test_equal_and_opposite_numbers(base: int, sign: int) -> None:
    """All pairs of numbers of at most nine digits."""
    same = algebra.signed_equality(base, sign)
    positive, negative = fp.system_named(f"msd_{base}"), fp.system_named(f"msd_neg_{base}")
    length = 9
    for x in range(40):
        for y in range(-40, 41):
            words = [(0,) * (length - len(word)) + word for word in (positive.represent(x), negative.represent(y))]
            assert bool(same.output(a * base + b for a, b in zip(*words, strict=True))) is (y == sign * x)


@pytest.mark.parametrize("sign", [1, -1])
def test_equal_and_opposite_numbers_in_fibonacci(sign: int) -> None:
    """All pairs below 60, and further on those that are to be equal, or nearly."""
    same = algebra.fibonacci_equality(sign)
    positive, negative = fp.system_named("msd_fib"), fp.system_named("msd_neg_fib")
    length = 60
    pairs = [(x, y) for x in range(60) for y in range(-60, 61)]
    pairs += [(x, sign * (x + off)) for x in (10**3, 10**5 + 7, 10**10, 10**11 + 1) for off in (-1, 0, 1)]
    for x, y in pairs:
        words = [(0,) * (length - len(word)) + word for word in (positive.represent(x), negative.represent(y))]
        assert bool(same.output(a * 2 + b for a, b in zip(*words, strict=True))) is (y == sign * x)


def test_split_and_rsplit_in_negafibonacci() -> None:
    """The letters of a word over msd_neg_fib at n and at -n, as words over msd_fib, and back."""
    session = fp.Session()
    session.define("low", "?msd_neg_fib n<_3")
    session.define("odd", "?msd_neg_fib Em n=2*m+1")
    session.combine("N", ("odd", 7), ("low", -1))
    for sign, factor in (("+", 1), ("-", -1)):
        session.split("M", "N", (sign,))
        session.rsplit("R", (sign,), "M")
        fibonacci, negative = session.namespace.system("msd_fib"), session.namespace.system("msd_neg_fib")
        assert session.namespace.words["M"].tracks[0].system == "msd_fib"
        assert session.namespace.words["R"].tracks[0].system == "msd_neg_fib"
        for x in range(200):
            letter = -1 if factor * x < -3 else 7 * (x % 2)
            assert session.namespace.words["M"].value(fibonacci.represent(x)) == letter
            assert session.namespace.words["R"].value(negative.represent(factor * x)) == letter
            if x:
                assert session.namespace.words["R"].value(negative.represent(-factor * x)) == 0


@pytest.mark.long
@settings(max_examples=30)
@given(st.data())
def test_split_and_rsplit(data: st.DataObject) -> None:
    """Both signs of both indices; what is split and put together again is the word where it has these signs."""
    base = data.draw(st.sampled_from([2, 3]))
    states = data.draw(st.integers(1, 3))
    state = st.integers(0, states - 1)
    rows = [{code: data.draw(state) for code in range(base**2)} for _ in range(states)]
    outputs = data.draw(st.lists(st.integers(-1, 2), min_size=states, max_size=states))
    session = fp.Session()
    negative, positive = session.namespace.system(f"msd_neg_{base}"), session.namespace.system(f"msd_{base}")
    session.namespace.add_word("N", build((negative.track("x"), positive.track("y")), rows, outputs))
    n = session.namespace.words["N"]
    for sign, factor in (("+", 1), ("-", -1)):
        session.split("M", "N", (sign, ""))
        session.rsplit("R", (sign, ""), "M")
        m, r = session.namespace.words["M"], session.namespace.words["R"]
        assert [track.system for track in m.tracks] == [f"msd_{base}"] * 2
        assert [track.system for track in r.tracks] == [f"msd_neg_{base}", f"msd_{base}"]
        for x, y in product(range(20), range(6)):
            there = n.value(negative.represent(factor * x), positive.represent(y))
            assert m.value(positive.represent(x), positive.represent(y)) == there
            assert r.value(negative.represent(factor * x), positive.represent(y)) == there
            if x:
                assert r.value(negative.represent(-factor * x), positive.represent(y)) == 0


def test_what_is_not_split() -> None:
    session = fp.Session()
    session.define_morphic_word("F", [[0, 1, 1], [0]], [0, 1], "msd_pell")
    session.define("neg", "?msd_neg_2 x<0")
    for command, message in (
        ("split S F[+];", "a sign needs a track over a base such as msd_neg_2, or over msd_neg_fib, not over msd_pell"),
        ("split S F[+][-];", "the word has 1 track, but 2 signs given"),
        ("rsplit S[+] F;", "not over msd_pell"),
        ("rsplit S[+] $neg;", "msd_neg_2 is negative"),
        ("rsplit S[+] neg;", "msd_neg_2 is negative"),
        ("split S none[+];", "none"),
    ):
        with pytest.raises(FibproverError, match=message) as caught:
            session.run(command)
        assert "^" in str(caught.value)


@pytest.mark.parametrize("source", ["p", "$p"])
@pytest.mark.parametrize("system", ["msd_2", "lsd_2", "msd_3", "msd_fib"])
@pytest.mark.parametrize("signs", list(product(("+", "-", ""), repeat=2))[:-1])
def test_a_predicate_is_split_into_a_predicate(source: str, system: str, signs: tuple[str, str]) -> None:
    """By its name alone, as in Walnut, or with a $; and one is put together again."""
    session = fp.Session()
    order, _, base = system.partition("_")
    negative = f"{order}_neg_{base}"
    session.define("p", f"?{negative} 2*x+y<_3 | x=y+4")
    old = session.relation("$p(x,y)")
    new = session.split("q", source, signs)
    assert isinstance(new, fp.Relation)
    assert list(map(str, new.sorts)) == [system if sign else negative for sign in signs]
    factors = [{"+": 1, "-": -1, "": 1}[sign] for sign in signs]
    ranges = [range(8) if sign else range(-8, 8) for sign in signs]
    for pair in product(*ranges):
        there = tuple(factor * number for factor, number in zip(factors, pair, strict=True))
        assert (pair in new) == (there in old) == (there[0] * 2 + there[1] < -3 or there[0] == there[1] + 4)
    if all(signs):
        again = session.rsplit("r", signs, source.replace("p", "q"))
        assert isinstance(again, fp.Relation)
        for there in product(range(-8, 8), repeat=2):
            inside = all(number * factor >= 0 for number, factor in zip(there, factors, strict=True))
            assert (there in again) == (inside and there in old)
    assert session.relation("$q(x,y)") == new
    assert "q" not in session.namespace.words


def test_a_word_comes_before_a_predicate_of_its_name() -> None:
    session = fp.Session()
    session.define("W", "?msd_neg_2 x<0")
    session.define_morphic_word("W", [[0, 1], [1, 0]], [0, 1], "msd_neg_2")
    assert isinstance(session.split("M", "W", ("+",)), fp.AutomaticWord)
    assert isinstance(session.split("m", "$W", ("+",)), fp.Relation)


@pytest.mark.parametrize("system", ["msd_2", "lsd_2", "msd_10", "msd_fib", "lsd_fib"])
@pytest.mark.parametrize("sign", ["+", "-"])
@pytest.mark.parametrize("kind", ["word", "predicate"])
def test_a_word_at_positive_numbers_has_no_signs(system: str, sign: str, kind: str) -> None:
    """An error says why; its hint gives what shared digits give."""
    order, _, base = system.partition("_")
    session, shared = fp.Session(), fp.Session(shared_digits=True)
    for each in (session, shared):
        each.define("p", f"?{system} Ek x=3*k+1")
        if kind == "word":
            each.combine("N", "p")
    source, other = {"word": "N", "predicate": "$p"}[kind], f"{order}_neg_{base}"
    with pytest.raises(TypeMismatch, match=f"{system} has no negative numbers") as caught:
        session.split("M", source, (sign,))
    assert other in caught.value.hint and f"alphabet D {other} {source};" in caught.value.hint
    assert not {"M"} & {*session.namespace.words, *session.namespace.definitions}
    digits = "D" if kind == "word" else "$D"
    session.run(f"alphabet D {other} {source}; split M {digits} [{sign}];")
    shared.split("M", source, (sign,))
    if kind == "word":
        one, two = (each.namespace.words["M"].machine.renamed(("x",)) for each in (session, shared))
        assert one == two
    else:
        assert session.relation("$M(x)") == shared.relation("$M(x)")
