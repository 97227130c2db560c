"""Systems read least significant digit first: the same numbers, the words reversed."""

from __future__ import annotations

import pickle
from itertools import islice, product
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.digit_order import from_reading_order, to_reading_order
from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.numeration import system_named
from fibprover.workspace.walnut import automaton_text, parse_automaton
from tests.automata.comparing import same_language
from tests.corpus.replay import CORPUS

LIBRARY = CORPUS / "library" / "Word Automata Library"
NAMES = ("2", "10", "fib", "pell", "trib", "neg_2", "neg_fib", "ost_0_3_per_1_2", "fraenkel_2_1")
needs_corpus = pytest.mark.skipif(not LIBRARY.is_dir(), reason=f"no {CORPUS} beside the checkout")


@pytest.mark.parametrize("name", NAMES)
def test_lsd_systems_verify_and_have_the_numbers_of_the_msd_system(name: str) -> None:
    lsd, msd = system_named("lsd_" + name), system_named("msd_" + name)
    assert (lsd.name, lsd.signed, lsd.digits) == ("lsd_" + name, msd.signed, msd.digits)
    assert lsd is system_named("lsd_" + name)
    for number in [*range(-50 if lsd.signed else 0, 50), 10**40]:
        assert lsd.write(number) == msd.write(number)[::-1]
        assert lsd.read(lsd.write(number)) == lsd.read((*lsd.write(number), 0, 0)) == number
    report = lsd.verify()
    assert report and "reversing the adder twice" in str(report)
    assert "least significant digit first" in lsd.describe()


def test_relations_read_the_last_digit_first() -> None:
    session = fp.Session("lsd_2")
    six = session.relation("x=6")
    seen = six.to_reading_order()
    assert seen.output([0, 1, 1]) == seen.output([0, 1, 1, 0, 0]) == 1
    assert not seen.output([1, 1, 0])
    assert six.values(5) == [6]
    assert 6 in six and 3 not in six
    assert six.states == seen.states == 4
    less = session.relation("x<y")
    assert less.to_reading_order().states == less.states == 2
    assert session.relation("x+y=z").states == 2


def test_counts_of_states_are_those_of_the_automaton_shown() -> None:
    divisible = fp.Session("lsd_2").relation("Ey x=5*y")
    assert divisible.to_reading_order() == kernel_calls.minimize(kernel_calls.reverse(divisible.automaton))
    # The third digit from the end is a 1: the last digits have to be remembered, or none.
    both = [fp.Session(system).relation("Ey,z x=8*y+4+z & z<4").states for system in ("msd_2", "lsd_2")]
    assert both == [8, 4]


def test_an_automaton_is_reversed_once_and_only_within_the_limits() -> None:
    divisible = fp.Session("lsd_2").relation("Ey x=5*y")
    with pytest.raises(BudgetSpent):
        divisible.to_reading_order(fp.Limits(states=2))
    seen = divisible.to_reading_order()
    assert divisible.to_reading_order() is seen and seen.states == 5
    renamed = divisible.automaton.renamed(["z"])
    assert to_reading_order(renamed).names == ("z",)
    restored = pickle.loads(pickle.dumps(divisible))
    assert restored.to_reading_order() == seen and restored.automaton == divisible.automaton


def test_regular_expressions_are_read_from_the_last_digit() -> None:
    session = fp.Session("lsd_2")
    even = session.reg("even", ["lsd_2"], "0(0|1)*")
    assert even.values(4) == [2, 4, 6, 8] or even.values(4) == [0, 2, 4, 6]
    assert session.prove("An (n>0 => ($even(n) <=> Em n=2*m))").truth
    session.reg("power", ["lsd_2"], "0*10*")
    assert session.relation("$power(x)").values(5) == [1, 2, 4, 8, 16]
    session.reg("big", ["msd_2"], "1(0|1)*")
    assert session.prove("An (n>0 <=> $big(n))").truth


def test_plain_letters_are_read_in_the_order_of_the_formula() -> None:
    """A predicate over letters means doubling when read msd first, and halving when read lsd first."""
    session = fp.Session()
    session.reg("shift", [[0, 1], [0, 1]], "([0,0]|[0,1][1,1]*[1,0])*")
    assert session.prove("?msd_2 Ax,y $shift(x,y) <=> y=2*x").truth
    assert session.prove("?lsd_2 Ax,y $shift(x,y) <=> x=2*y").truth
    assert not session.prove("?lsd_2 Ax,y $shift(x,y) <=> y=2*x").truth


def test_an_lsd_variable_may_stand_where_an_msd_one_is_expected() -> None:
    session = fp.Session()
    session.define("double", "?msd_fib y=2*x")
    session.define_morphic_word("Th", [[0, 1], [1, 0]], [0, 1], "msd_2")
    assert session.prove("?lsd_fib Ax,y $double(x,y) => y>=x").truth
    with session.overridable():
        assert session.relation("?lsd_2 Th[n]=1").values(4) == [1, 2, 4, 7]
    assert session.relation("?lsd_2 n>2 & Th[n]=1").sorts[0].system == "lsd_2"
    with pytest.raises(FibproverError, match="has to be in"):
        session.eval("?lsd_2 $double(x,y) & x<y")


def test_both_orders_in_one_relation() -> None:
    session = fp.Session()
    relation = session.relation("(?msd_2 x=6 & ?lsd_fib y=4) | (?msd_2 x=1 & ?lsd_fib y>=2 & y<4)")
    seen = relation.to_reading_order()
    expected = {(6, 4), (1, 2), (1, 3)}
    msd, lsd = system_named("msd_2"), system_named("lsd_fib")
    for pair in product(range(8), repeat=2):
        length = 6
        left = (0,) * (length - len(msd.write(pair[0]))) + msd.write(pair[0])
        right = lsd.write(pair[1]) + (0,) * (length - len(lsd.write(pair[1])))
        accepted = bool(seen.output(seen.code(letter) for letter in zip(left, right, strict=True)))
        assert accepted == (pair in expected), pair
    assert set(relation) == expected
    with pytest.raises(FibproverError, match="more than 100 ways"):
        to_reading_order(session.relation("?msd_2 x=y").automaton.with_tracks(
            (Track("x", (0, 1), "msd_2"), Track("y", (0, 1), "lsd_2"))
        ))
    with pytest.raises(FibproverError, match="both msd and lsd tracks"):
        session.reg("mixed", ["msd_2", "lsd_2"], "[0,1]*")


@needs_corpus
@pytest.mark.parametrize(("word", "tracks"), [("PR", 1), ("PF", 2), ("FOLD", 2)])
def test_lsd_words_from_files(word: str, tracks: int) -> None:
    """The letters are the outputs of the automaton in the file when it reads the last digit first."""
    path = LIBRARY / f"{word}.txt"
    literal = parse_automaton(path.read_text(), word, lambda name: system_named(name).track("x"))
    session = fp.Session("lsd_2")
    loaded = session.namespace.load_word(path)
    again = to_reading_order(loaded.machine, word=True)
    lsd = system_named("lsd_2")
    foldings: list[tuple[int, ...]] = [()] if tracks == 1 else list(product((-1, 1), repeat=6))
    for folding in foldings:
        for number in range(1, 64):
            digits = lsd.write(number)
            digits += (0,) * (6 - len(digits))
            words = [folding, digits] if tracks == 2 else [digits]
            expected = literal.output(literal.code(letter) for letter in zip(*words, strict=True))
            assert again.output(again.code(letter) for letter in zip(*words, strict=True)) == expected
            inside = [word[::-1] for word in words]
            assert loaded.value(*inside) == expected
    assert literal.tracks[-1].system == "lsd_2"


@needs_corpus
def test_plain_tracks_beside_lsd_numbers() -> None:
    session = fp.Session("lsd_2")
    session.namespace.load_word(LIBRARY / "FOLD.txt")
    relation = session.relation("FOLD[f][2]=@1")
    assert relation.sorts[0].stored_reversed
    words = list(islice(relation.tuples(), 40))
    assert words
    assert all(isinstance(word, tuple) and (len(word) < 2 or word[1] == 1) for (word,) in words)
    assert all((word,) in relation for (word,) in words)
    assert ((1, -1, 1),) not in relation
    session.reg("forward", ["msd_2", [-1, 0, 1]], "[1,1]*")
    with pytest.raises(FibproverError, match=r"reads its tracks together|alphabet"):
        session.eval("Ef,x FOLD[f][2]=@1 & $forward(?msd_2 x, f)")


def test_evidence_and_listing_are_numbers() -> None:
    session = fp.Session("lsd_fib")
    verdict = session.prove("Ex,y x+y=11 & x>y+2")
    assert verdict.truth and verdict.evidence is not None
    assert verdict.evidence.values == {"x": 7, "y": 4}
    assert session.relation("x<5").values(10) == [0, 1, 2, 3, 4]
    assert session.relation("x+y=9").count(100) == 10
    assert session.prove("Ix Ey x=3*y").truth
    assert session.prove("E=5 x x<5").truth


def test_from_read_undoes_as_read() -> None:
    text = "lsd_2 lsd_3\n0 0\n0 2 -> 0\n1 1 -> 1\n1 1\n0 0 -> 1\n1 2 -> 0\n"
    literal = parse_automaton(text, "a", lambda name: system_named(name).track("x"))
    inside = from_reading_order(literal)
    assert same_language(to_reading_order(inside), literal)
    assert inside.tracks == literal.tracks
    plain = parse_automaton("lsd_2 {0, 1}\n0 1\n0 1 -> 0\n1 1 -> 0\n", "a", lambda name: system_named(name).track("x"))
    assert [track.stored_reversed for track in from_reading_order(plain).tracks] == [False, True]
    assert to_reading_order(from_reading_order(plain)).tracks == plain.tracks
    assert automaton_text(to_reading_order(from_reading_order(plain))).startswith("lsd_2 {0, 1}")


def test_systems_of_a_session_have_an_lsd_system() -> None:
    session = fp.Session()
    session.add_system(fp.recurrence_system("mine", (3, 1), (1, 4)))
    assert session.prove("?lsd_mine Ax,y x+y=y+x").truth
    assert session.namespace.system("lsd_mine") is session.namespace.system("lsd_mine")


def test_drawings_show_the_lsd_automaton(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from fibprover.frontends.cli.main import main

    main(["draw", "--system", "lsd_2", "x=2"])
    drawn = capsys.readouterr().out
    main(["draw", "--system", "msd_2", "x=2"])
    assert drawn != capsys.readouterr().out
    main(["draw", "lsd_fib"])
    assert "digraph" in capsys.readouterr().out


def test_undefined_letters_cannot_be_reversed() -> None:
    partial = Dfa(*_partial())
    with pytest.raises(FibproverError, match="undefined at some indices"):
        from_reading_order(partial, word=True)


def _partial() -> tuple[tuple[Track, ...], memoryview, memoryview, memoryview, memoryview]:
    text = "lsd_2\n0 5\n0 -> 1\n1 7\n0 -> 1\n1 -> 1\n"
    a = parse_automaton(text, "a", lambda name: system_named(name).track("x"))
    return a.tracks, a.offsets, a.codes, a.targets, a.outputs


def test_reversal_keeps_the_numbers() -> None:
    session = fp.Session()
    turned = session.relation("`(x=2*y & x<9)")
    assert [sort.system for sort in turned.sorts] == ["lsd_2", "lsd_2"]
    assert turned.first(9) == session.relation("x=2*y & x<9").first(9)
    assert session.relation("``(?fib x=4)").sorts[0].system == "msd_fib"
    assert session.relation("`(?lsd_fib x=4)").sorts[0].system == "msd_fib"
    assert session.relation("`(?lsd_fib x=4)").to_reading_order().output([1, 0, 1]) == 1
    assert session.prove("Ex `(x=3) & x>2").truth
    assert not session.prove("Ex `(x=3) & x>3").truth
    assert session.prove("Ax (`(x<5)) <=> x<5", plan="textbook").truth


def test_a_relation_whose_lsd_automaton_is_exponential() -> None:
    """The 25th digit after the leading one is a 1: few states msd first, 2^25 states lsd first."""
    session = fp.Session()
    session.reg("late", ["msd_2"], "0*1" + "(0|1)" * 24 + "1(0|1)*")
    relation = session.relation("?lsd_2 $late(x) & x>0")
    assert relation.states == relation.automaton.states < 40
    assert relation.least() == (2**25 + 1,)
    with pytest.raises(BudgetSpent):
        relation.to_reading_order(fp.Limits(states=10_000))
    assert "x:lsd_2" in repr(relation) or "x:msd_2" in repr(relation)
