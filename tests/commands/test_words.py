"""Commands on words: letter by letter against what the command says, for random machines."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fibprover as fp
from fibprover.automata.dfa import Dfa, build
from fibprover.base.errors import AutomatonError, BudgetSpent, FibproverError, NotSupported
from fibprover.base.limits import Limits
from fibprover.words import algebra
from fibprover.words.morphism import Morphism, parse_morphism
from fibprover.words.transducers import Transducer

#: Numbers that are looked at.
MANY = 150

#: Systems in which numbers are ordered as their digits are.
SYSTEMS = ("msd_2", "msd_3", "msd_fib", "msd_pell", "msd_trib", "msd_ost_0_1_2_per_3_1", "lsd_2", "lsd_fib")


@st.composite
def machines(draw: st.DrawFn, digits: int, letters: tuple[int, ...] = (0, 1, 2), most: int = 4) -> Dfa:
    """Complete machines over one track of so many digits."""
    states = draw(st.integers(1, most))
    state = st.integers(0, states - 1)
    rows = [{digit: draw(state) for digit in range(digits)} for _ in range(states)]
    outputs = draw(st.lists(st.sampled_from(letters), min_size=states, max_size=states))
    return build(fp.system_named(f"msd_{max(digits, 2)}").valid.tracks, rows, outputs)


def word_of(session: fp.Session, name: str, system: str, machine: Dfa) -> list[int]:
    """Names the word that a machine gives over a system, and returns its first letters."""
    track = session.namespace.system(system).track("n")
    session.namespace.add_word(name, machine.with_tracks((track,)))
    return letters_of(session, name)


def letters_of(session: fp.Session, name: str, count: int = MANY) -> list[int]:
    """The first letters of a word with one index."""
    word = session.namespace.words[name]
    represent = session.namespace.system(word.tracks[0].system).represent
    found = word.prefix(count, represent)
    assert None not in found
    return [letter for letter in found if letter is not None]


@given(st.data())
def test_convert(data: st.DataObject) -> None:
    """The same letter at the same number, in another base; and back again the same word."""
    old, new = data.draw(st.sampled_from([(2, 4), (4, 2), (4, 8), (8, 4), (9, 3), (3, 9), (16, 8), (27, 9), (2, 2)]))
    order = data.draw(st.sampled_from(["msd", "lsd"]))
    other = "lsd" if old == new and order == "msd" else "msd"
    session = fp.Session()
    expected = word_of(session, "W", f"{order}_{old}", data.draw(machines(old, most=3)))
    made = session.convert("V", f"{other}_{new}", "W") if (order, old) != (other, new) else session.namespace.words["W"]
    assert isinstance(made, fp.AutomaticWord) and made.tracks[0].system == f"{other}_{new}"
    if made is not session.namespace.words["W"]:
        assert letters_of(session, "V") == expected
        session.convert("U", f"{order}_{old}", "V")
        assert session.namespace.words["U"].machine.same_arrays(session.namespace.words["W"].machine)


def test_what_is_not_converted() -> None:
    session = fp.Session()
    session.define_morphic_word("T", [[0, 1], [1, 0]], [0, 1])
    session.define_morphic_word("F", [[0, 1], [0]], [0, 1], "msd_fib")
    session.define("even", "Ey x=2*y")
    for target, source, message in (
        ("msd_5", "T", "2 and 5 are not powers of one number"),
        ("msd_2", "T", "T is in msd_2 already"),
        ("msd_fib", "T", "msd_fib is not a base"),
        ("msd_4", "F", "msd_fib is not a base"),
        ("msd_4", "U", "no word is called U"),
    ):
        with pytest.raises(FibproverError, match=message):
            session.convert("V", target, source)
    with pytest.raises(FibproverError, match="a word does not become a predicate"):
        session.convert("$V", "msd_4", "T")
    assert "V" not in session.namespace.words


def test_a_predicate_is_converted_to_a_predicate_or_a_word() -> None:
    session = fp.Session()
    session.define("even", "Ey x=2*y")
    session.reg("one", ["msd_4"], "10*")
    converted = session.convert("$even8", "msd_8", "$even")
    assert isinstance(converted, fp.Relation) and converted.values(4) == [0, 2, 4, 6]
    assert session.eval("?msd_8 An $even8(n) <=> Em n=2*m")
    session.convert("E8", "msd_8", "$even")
    assert letters_of(session, "E8") == [1, 0] * (MANY // 2)
    # The numbers that a raw language speaks of, and not the words it holds.
    ones = session.convert("$ones", "lsd_2", "$one")
    assert isinstance(ones, fp.Relation) and ones.values(4) == [1, 4, 16, 64]


@pytest.mark.parametrize(
    ("one", "other", "powers"),
    [(4, 8, (2, 3)), (10, 1000, (1, 3)), (1000, 10, (3, 1)), (2, 2, (1, 1)), (36, 6, (2, 1)), (12, 18, None),
     (2, 3, None), (10**9, 10**6, (9, 6)), (2**29, 2**30, (29, 30)), (3**18, 3**17 - 1, None), (999999999, 2, None)],
)
def test_powers_of_one_number(one: int, other: int, powers: tuple[int, int] | None) -> None:
    assert algebra.exponents(one, other) == powers


def test_base_10_to_base_1000() -> None:
    """The peer refuses it, as its test for powers is inexact."""
    session = fp.Session()
    session.define("three", "?msd_10 Ey x=3*y")
    session.convert("T", "msd_1000", "$three")
    assert letters_of(session, "T", 2000) == [int(n % 3 == 0) for n in range(2000)]


@given(st.data())
def test_image(data: st.DataObject) -> None:
    """Letter by letter the images of the letters, in any system."""
    session = fp.Session()
    system = data.draw(st.sampled_from([*SYSTEMS, "msd_neg_2"]))
    width = data.draw(st.integers(1, 4))
    letters = st.lists(st.integers(-1, 3), min_size=width, max_size=width)
    images = {letter: tuple(data.draw(letters)) for letter in range(3)}
    digits = len(session.namespace.system(system).digits)
    before = word_of(session, "W", system, data.draw(machines(digits, most=3)))
    session.namespace.morphisms["h"] = Morphism("h", images)
    session.image("V", "h", "W")
    after = letters_of(session, "V")
    assert after == session.namespace.morphisms["h"].of(before)[:MANY]
    if system == "msd_neg_2":
        # Remainders are those of the division that rounds down, below 0 too.
        represent = session.namespace.system(system).represent
        for number in range(-40, 0):
            letter = session.namespace.words["W"].value(represent(number // width))
            assert letter is not None
            assert session.namespace.words["V"].value(represent(number)) == images[letter][number % width]


@given(st.data())
def test_transduce(data: st.DataObject) -> None:
    """What the transducer writes after reading the word from its beginning."""
    session = fp.Session()
    system = data.draw(st.sampled_from(SYSTEMS))
    digits = len(session.namespace.system(system).digits)
    before = word_of(session, "W", system, data.draw(machines(digits, most=3)))
    states = data.draw(st.integers(1, 3))
    move = st.tuples(st.integers(0, states - 1), st.integers(-1, 2))
    moves = tuple({letter: data.draw(move) for letter in range(3)} for _ in range(states))
    session.namespace.transducers["t"] = Transducer("t", moves)
    session.transduce("V", "t", "W")
    assert letters_of(session, "V") == session.namespace.transducers["t"].of(before)


def test_what_is_not_transduced() -> None:
    session = fp.Session()
    session.define_morphic_word("T", [[0, 1], [1, 0]], [0, 1])
    session.define("pair", "x<y")
    session.namespace.transducers["t"] = Transducer("t", ({0: (0, 0)},))
    with pytest.raises(AutomatonError, match="the transducer t has no move for 1 from its state 0"):
        session.transduce("V", "t", "T")
    with pytest.raises(NotSupported, match=r"indexed by one number is needed, but \$pair has msd_2 msd_2"):
        session.transduce("V", "t", "$pair")
    session.define("negative", "?msd_neg_2 x<0")
    with pytest.raises(AutomatonError, match="not ordered by their digits"):
        session.transduce("V", "t", "$negative")
    session.options = fp.Session(limits=Limits(states=1)).options
    session.namespace.transducers["t"] = Transducer("t", ({0: (0, 0), 1: (0, 1)},))
    with pytest.raises(BudgetSpent):
        session.transduce("V", "t", "T")
    assert set(session.namespace.words) == {"T"}


@given(st.data())
def test_combine(data: st.DataObject) -> None:
    """The last predicate that accepts decides."""
    session = fp.Session()
    system = data.draw(st.sampled_from(["msd_2", "msd_fib", "lsd_3"]))
    moduli = data.draw(st.lists(st.integers(2, 4), min_size=1, max_size=3))
    for place, modulus in enumerate(moduli):
        session.define(f"p{place}", f"?{system} Ey n={modulus}*y")
    values = [data.draw(st.none() | st.integers(-2, 5)) for _ in moduli]
    session.combine("C", *(f"p{place}" if v is None else (f"p{place}", v) for place, v in enumerate(values)))
    for number, letter in enumerate(letters_of(session, "C", 40)):
        expected = 0
        for place, (modulus, v) in enumerate(zip(moduli, values, strict=True)):
            if number % modulus == 0:
                expected = place + 1 if v is None else v
        assert letter == expected


def test_combine_takes_raw_languages_as_the_numbers_they_speak_of() -> None:
    session = fp.Session()
    session.reg("power", ["msd_2"], "0010*")
    session.combine("C", ("power", 7))
    assert letters_of(session, "C", 20) == [7 * (n in (1, 2, 4, 8, 16)) for n in range(20)]


@given(st.data())
def test_join(data: st.DataObject) -> None:
    """The first letter that is not 0, over indices that words share by name."""
    session = fp.Session()
    represent = session.namespace.system("msd_2").represent
    shapes = (("a", "b"), ("c", "b"), ("a",))
    for place, shape in enumerate(shapes):
        states = data.draw(st.integers(1, 3))
        state = st.integers(0, states - 1)
        rows = [{code: data.draw(state) for code in range(2 ** len(shape))} for _ in range(states)]
        outputs = data.draw(st.lists(st.sampled_from([0, 0, 1, 2]), min_size=states, max_size=states))
        tracks = tuple(session.namespace.system("msd_2").track(name) for name in shape)
        session.namespace.add_word(f"W{place}", build(tracks, rows, outputs))
    session.join("J", *((f"W{place}", *shape) for place, shape in enumerate(shapes)))
    joined = session.namespace.words["J"]
    assert [track.name for track in joined.tracks] == ["a", "b", "c"]
    for a, b, c in product(range(5), repeat=3):
        numbers = {"a": a, "b": b, "c": c}
        letters = [
            session.namespace.words[f"W{place}"].value(*(represent(numbers[name]) for name in shape))
            for place, shape in enumerate(shapes)
        ]
        assert joined.value(*map(represent, (a, b, c))) == next((letter for letter in letters if letter), 0)


def test_reverse_of_words() -> None:
    """The same letters at the same numbers, in the system that is read from the other end."""
    session = fp.Session()
    session.define_morphic_word("F", [[0, 1], [0]], [0, 1], "msd_fib")
    backwards = session.reverse("R", "F")
    assert isinstance(backwards, fp.AutomaticWord) and backwards.tracks[0].system == "lsd_fib"
    assert letters_of(session, "R") == letters_of(session, "F")
    again = session.reverse("Q", "R")
    assert isinstance(again, fp.AutomaticWord) and again.machine == session.namespace.words["F"].machine
    assert session.eval("?lsd_fib An R[n]=@1 <=> R[n]=1")


def test_alphabets_of_words() -> None:
    """The digits stay, and mean other numbers; an index with a new digit has the letter 0."""
    session = fp.Session()
    session.define_morphic_word("T", [[0, 1], [1, 0]], [3, 1])
    session.alphabet("T4", ["msd_4"], "T")
    digits = session.namespace.system("msd_4").represent
    expected = [0 if max(digits(n), default=0) > 1 else [3, 1][sum(digits(n)) % 2] for n in range(200)]
    assert letters_of(session, "T4", 200) == expected
    session.alphabet("TF", ["msd_fib"], "T")
    zeckendorf = session.namespace.system("msd_fib").represent
    assert letters_of(session, "TF") == [[3, 1][sum(zeckendorf(n)) % 2] for n in range(MANY)]
    with pytest.raises(FibproverError, match="as many tracks"):
        session.alphabet("TF", ["msd_fib", "msd_fib"], "T")


MORPHISMS = [
    ("0->01 1->10", {0: (0, 1), 1: (1, 0)}),
    ("0->01,1->10", {0: (0, 1), 1: (1, 0)}),
    (" 0 -> 0 1 , 1->1[-3] ", {0: (0, 1), 1: (1, -3)}),
    ("[10]->[11]0[-1] [-1] -> 7", {10: (11, 0, -1), -1: (7,)}),
    ("0->0\n1->2\n2->1", {0: (0,), 1: (2,), 2: (1,)}),
    ("0->01 12->3", {0: (0, 1), 12: (3,)}),  # as in Walnut: the number before an arrow is one letter
    ("10 -> 1 2 11 -> 0", {10: (1, 2), 11: (0,)}),
]


@pytest.mark.parametrize(("text", "images"), MORPHISMS)
def test_morphisms(text: str, images: dict[int, tuple[int, ...]]) -> None:
    morphism = parse_morphism("h", text)
    assert morphism.images == images
    assert parse_morphism("h", str(morphism)).images == images


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", 0, "a morphism needs a rule"),
        ("0", 1, "expected `->`"),
        ("0-1", 1, "expected `->`"),
        ("a->1", 0, "expected a number as a letter"),
        ("0->1\u0663", 4, "expected a number as a letter"),
        ("0->01 1->b", 9, "expected a number as a letter"),
        ("0->", 0, "the image of 0 is empty"),
        ("0->1 0->2", 5, "0 has an image already"),
        ("0->[1", 0, "the image of 0 is empty"),
        ("0->1->2", 0, "the image of 0 is empty"),
        ("[10]1->01", 4, "expected `->`"),
        ("0->0112->3", 0, "the image of 0 is empty"),
    ],
)
def test_no_morphisms(text: str, place: int, message: str) -> None:
    with pytest.raises(fp.FibproverError, match=message) as caught:
        parse_morphism("h", text)
    assert getattr(caught.value, "start", None) == place


def test_promote_over_a_system_in_a_script() -> None:
    """The Fibonacci word; without the system it has letters at some numbers only, which its text says."""
    session = fp.Session()
    [_, (_, over), (_, bare)] = session.run('morphism fib "0->01 1->0"; promote X fib msd_fib; promote Y fib:')
    assert str(session.eval("An X[n]=F[n]")) == "TRUE"
    assert "without a letter" in str(bare) and "no letter" not in str(over)
    for script, message in (
        ('morphism h "0->01 1->0"; promote X h msd_nope;', "no numeration system msd_nope"),
        ('morphism h "0->01 1->0"; promote X h\neval a "1=1";', "expected `;`, `:` or `::`"),
        ('morphism h "0->01 1->0"; promote X h msd_fib msd_2;', "unexpected text"),
    ):
        with pytest.raises(FibproverError, match=message) as caught:
            session.run(script)
        assert "^" in str(caught.value)


def test_promote() -> None:
    session = fp.Session()
    session.morphism("thue", "0->01 1->10")
    assert letters_of(session, session.promote("T", "thue").name) == [n.bit_count() % 2 for n in range(MANY)]
    session.morphism("fib", "0->01 1->0")
    session.promote("F", "fib", "msd_fib")
    zeckendorf = session.namespace.system("msd_fib").represent
    assert letters_of(session, "F") == [(zeckendorf(n) or (0,))[-1] for n in range(MANY)]
    # Without a system it is that of the longest image; where digits lead nowhere there is no letter.
    session.promote("G", "fib")
    assert session.namespace.words["G"].prefix(5, session.namespace.system("msd_2").represent) == [0, 1, 0, None, 0]
    session.alphabet("H", ["msd_fib"], "G")
    assert letters_of(session, "H") == letters_of(session, "F")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("0->10 1->01", "the image of 0 begins with 1, so it has no fixed point from 0"),
        ("0->01 2->10", "the letter 1 of h has no image"),
        ("0->01 1->[-1]0", "the letter -1 of h has no image"),
        ("0->02 1->10", "the letter 2 of h has no image"),
    ],
)
def test_what_is_not_promoted(rules: str, message: str) -> None:
    session = fp.Session()
    session.morphism("h", rules)
    with pytest.raises(FibproverError) as caught:
        session.promote("W", "h")
    assert message in str(caught.value)
    assert not session.namespace.words


def test_what_has_no_image() -> None:
    session = fp.Session()
    session.define_morphic_word("T", [[0, 1], [1, 0]], [0, 1])
    session.morphism("short", "0->01")
    session.morphism("uneven", "0->01 1->1")
    for name, message in (("short", "no image of 1"), ("uneven", "not uniform"), ("none", "no morphism is called")):
        with pytest.raises(FibproverError, match=message):
            session.image("I", name, "T")
