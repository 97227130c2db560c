"""Relations: membership, order, counting, algebra, comparison, against sets of tuples."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import islice, product

import pytest

import fibprover as fp
from fibprover.base.errors import AutomatonError, DigitError
from fibprover.base.values import replaced
from fibprover.numeration.registry import system_named

SYSTEMS = ("msd_2", "msd_10", "msd_fib")
BOUND = 6

#: Text and truth, over x and y.
PAIRS: list[tuple[str, Callable[[int, int], bool]]] = [
    ("x+2*y<=9", lambda x, y: x + 2 * y <= 9),
    ("x=3*y+1", lambda x, y: x == 3 * y + 1),
    ("x!=y", lambda x, y: x != y),
    ("x-y>=2", lambda x, y: x - y >= 2),
    ("x<0 & y=y", lambda x, y: False),
    ("x=x & y=y", lambda x, y: True),
    ("x*0=0 & y=4", lambda x, y: y == 4),
]
OTHERS: list[tuple[str, Callable[[int, int], bool]]] = [
    ("x<=y", lambda x, y: x <= y),
    ("x=2 | y=2*x", lambda x, y: x == 2 or y == 2 * x),
]
SQUARE = list(product(range(BOUND), repeat=2))


@pytest.fixture(scope="module", params=SYSTEMS)
def session(request: pytest.FixtureRequest) -> fp.Session:
    return fp.Session(request.param)


def elements(relation: fp.Relation) -> set[tuple[int, ...]]:
    """The tuples below BOUND."""
    return {values for values in product(range(BOUND), repeat=len(relation.names)) if values in relation}


class TestMembership:
    def test_pairs(self, session: fp.Session) -> None:
        for text, truth in PAIRS:
            found = session.relation(text)
            assert found.names == ("x", "y")
            assert elements(found) == {values for values in SQUARE if truth(*values)}, text

    def test_large_numbers(self, session: fp.Session) -> None:
        found = session.relation("x=3*y+1")
        y = 10**1000 + 7
        assert (3 * y + 1, y) in found and (3 * y, y) not in found and (0, y) not in found
        assert 10**1000 in session.relation("x>=7") and 10**1000 not in session.relation("x<=7")

    def test_zero(self, session: fp.Session) -> None:
        assert 0 in session.relation("x=0") and 0 not in session.relation("x>0") and (0, 0) in session.relation("x=y")

    def test_order_of_the_names_is_that_of_code_units(self, session: fp.Session) -> None:
        found = session.relation("a=1 & Z=2 & b=3")
        assert found.names == ("Z", "a", "b") and (2, 1, 3) in found and (1, 2, 3) not in found

    @pytest.mark.parametrize("value", [-1, True, 1.0, "1", None, (1, 2), (), (None,), (False,), [1]])
    def test_what_is_no_number(self, session: fp.Session, value: object) -> None:
        with pytest.raises(DigitError):
            value in session.relation("x<5")  # noqa: B015

    @pytest.mark.parametrize("values", [3, (3,), (1, 2, 3), (1, -2), (1, True), ((1, 2),), (1, "2")])
    def test_what_is_no_pair(self, session: fp.Session, values: object) -> None:
        with pytest.raises(DigitError):
            values in session.relation("x<y")  # noqa: B015


class TestLists:
    def test_all_of_a_finite_relation_once(self, session: fp.Session) -> None:
        for text, truth in [PAIRS[0], PAIRS[4]]:
            found = session.relation(text)
            listed = list(found)
            expected = {values for values in product(range(12), repeat=2) if truth(*values)}
            assert len(listed) == len(set(listed)) and set(listed) == expected
            assert found.is_finite() and found.first(10**20) == listed
            assert found.is_empty() is (not expected)
            assert found.least() == (listed[0] if listed else None)

    def test_one_variable_increases(self, session: fp.Session) -> None:
        found = session.relation("Ey x=3*y+2")
        assert found.values(100) == list(range(2, 302, 3))
        assert [values for (values,) in islice(found, 100)] == list(range(2, 302, 3))
        assert not found.is_finite() and found.least() == (2,)

    def test_order_of_pairs(self, session: fp.Session) -> None:
        """By the longest representation, then letter by letter."""
        represent = system_named(session.namespace.default_system).represent

        def place(values: tuple[int, ...]) -> tuple[int, list[tuple[int, ...]]]:
            digits = [represent(value) for value in values]
            length = max(map(len, digits))
            padded = [(0,) * (length - len(word)) + word for word in digits]
            return length, list(zip(*padded, strict=True))

        found = session.relation("x+y<=7 & x!=y")
        listed = found.first(1000)
        assert listed == sorted(listed, key=place)

    def test_few(self, session: fp.Session) -> None:
        assert session.relation("x=x").first(0) == [] and session.relation("x=x").first(1) == [(0,)]
        with pytest.raises(DigitError):
            session.relation("x=x").first(-1)
        with pytest.raises(AutomatonError):
            session.relation("x=y").values(3)

    def test_text(self, session: fp.Session) -> None:
        assert str(session.relation("x<3")).splitlines()[1] == "  0, 1, 2"
        assert "finite" in str(session.relation("x<3")) and "infinite" in str(session.relation("x>3"))
        assert str(session.relation("x<0")) == "{x}: empty, 1 state"
        assert str(session.relation("x>3")).endswith(", ...")
        assert "(0, 0)" in str(session.relation("x=y"))


class TestCounting:
    def test_against_enumeration(self, session: fp.Session) -> None:
        for text, truth in PAIRS:
            found = session.relation(text)
            for below in (0, 1, 2, 5, 9):
                assert found.count(below) == sum(truth(x, y) for x, y in product(range(below), repeat=2)), (text, below)

    def test_large(self, session: fp.Session) -> None:
        bound = 10**50
        assert session.relation("x=x").count(bound) == bound
        assert session.relation("x<y").count(10**9) == 10**9 * (10**9 - 1) // 2
        assert session.relation("Ey x=7*y+3").count(bound) == (bound - 3 + 6) // 7
        assert session.relation("x<12345").count(bound) == 12345

    def test_negative(self, session: fp.Session) -> None:
        with pytest.raises(DigitError):
            session.relation("x=x").count(-1)

    def test_words_cannot_be_counted_below_a_number(self) -> None:
        with pytest.raises(AutomatonError, match="plain"):
            fp.Session().reg("w", [(0, 7)], "7*").count(3)


OPERATIONS = [
    (operator.and_, lambda p, q: p and q),
    (operator.or_, lambda p, q: p or q),
    (operator.sub, lambda p, q: p and not q),
    (operator.xor, lambda p, q: p is not q),
]


class TestAlgebra:
    @pytest.mark.parametrize(("operation", "truth"), OPERATIONS)
    def test_same_variables(
        self, session: fp.Session, operation: Callable[..., fp.Relation], truth: Callable[[bool, bool], bool]
    ) -> None:
        for (first, p), (second, q) in product(PAIRS, OTHERS):
            found = operation(session.relation(first), session.relation(second))
            assert elements(found) == {v for v in SQUARE if truth(p(*v), q(*v))}, (first, second)

    @pytest.mark.parametrize(
        ("operation", "sign"), [(operator.and_, "&"), (operator.or_, "|"), (operator.sub, "& ~"), (operator.xor, "^")]
    )
    def test_different_variables(self, session: fp.Session, operation: Callable[..., fp.Relation], sign: str) -> None:
        """As in formulas: a variable that one side lacks is free there; results are canonical."""
        for first, second in product(["x<3", "x+y=5", "y>2 & y<6"], ["y<2", "x=z", "z>x+y", "x<0"]):
            found = operation(session.relation(first), session.relation(second))
            assert found == session.relation(f"({first}) {sign} ({second})"), (first, second)

    def test_complement(self, session: fp.Session) -> None:
        for text, truth in PAIRS:
            found = ~session.relation(text)
            assert elements(found) == {v for v in SQUARE if not truth(*v)}
            assert ~found == session.relation(text) and found == session.relation(f"~({text})")

    def test_exists(self, session: fp.Session) -> None:
        found = session.relation("x=2*y+z & z<=1")
        assert found.exists("z") == session.relation("x=2*y | x=2*y+1")
        assert found.exists("y", "z") == session.relation("x=x")
        assert found.exists("z", "z") == found.exists("z") and found.exists() == found
        closed = found.exists("x", "y", "z")
        assert closed.names == () and () in closed and closed.first(3) == [()] and not closed.is_empty()
        empty = (found & session.relation("x<0")).exists("x", "y", "z")
        assert () not in empty and empty.is_empty() and empty.first(3) == []
        with pytest.raises(AutomatonError, match="w"):
            found.exists("w")

    def test_renamed(self, session: fp.Session) -> None:
        found = session.relation("x+1=y")
        assert found.renamed(x="y", y="x") == session.relation("y+1=x")
        assert found.renamed(x="z") == session.relation("z+1=y") and found.renamed(x="z").names == ("y", "z")
        with pytest.raises(AutomatonError):
            found.renamed(x="y")
        with pytest.raises(AutomatonError):
            found.renamed(z="y")

    def test_systems_do_not_mix(self) -> None:
        session = fp.Session("msd_2")
        two, three, other = (session.relation(text) for text in ("?msd_2 x<3", "?msd_3 x<3", "?msd_3 y<3"))
        for operation, _ in OPERATIONS:
            with pytest.raises(AutomatonError, match="msd_3"):
                operation(two, three)
        assert (two & other).count(9) == 9 and two != three

    def test_other_things_are_refused(self, session: fp.Session) -> None:
        for operation, _ in OPERATIONS:
            with pytest.raises(TypeError):
                operation(session.relation("x<3"), 3)
        assert session.relation("x<3") != 3


class TestComparing:
    def test_equality_is_that_of_sets(self, session: fp.Session) -> None:
        first, second = session.relation("x<y"), session.relation("Ez z>0 & x+z=y")
        assert first == second and hash(first) == hash(second) and first <= second and first >= second
        assert first != session.relation("x<=y") and first != session.relation("x<z")

    def test_inclusion(self, session: fp.Session) -> None:
        less, most, none = (session.relation(text) for text in ("x<y", "x<=y", "x<x & y<y"))
        assert less <= most and not most <= less and most >= less and none <= less and not less <= none

    def test_use_in_formulas(self, session: fp.Session) -> None:
        made = fp.Session(session.namespace.default_system)
        made.define("near", made.relation("x<=y & y<=x+2") & made.relation("y!=4"))
        assert made.relation("$near(a,b) & a=3").exists("a").first(9) == [(3,), (5,)]


class TestWords:
    """Tracks over plain alphabets hold words."""

    def test_membership(self) -> None:
        found = fp.Session().reg("w", [(0, 7)], "(07)*")
        assert (0, 7) in found and ((0, 7, 0, 7),) in found and () in found and ((),) in found
        assert (0, 7, 0) not in found and ((7,),) not in found
        assert list(islice(found.tuples(), 3)) == [((),), ((0, 7),), ((0, 7, 0, 7),)]
        with pytest.raises(DigitError):
            (0, 5) in found  # noqa: B015

    def test_complement(self) -> None:
        found = ~fp.Session().reg("w", [(0, 7)], "(07)*")
        assert list(islice(found.tuples(), 3)) == [((0,),), ((7,),), ((0, 0),)]

    def test_beside_numbers(self) -> None:
        session = fp.Session("msd_2")
        found = session.reg("r", [(0, 7), "msd_2"], "[7,0]*[7,1]")
        assert ((7, 7, 7), 1) in found and ((7, 7, 7), 2) not in found
        numbers = found.exists("x0")
        assert numbers == session.relation("x1=1") and 1 in numbers


class TestRawLanguages:
    """What reg returns is the relation that its name stands for."""

    @pytest.mark.parametrize(
        ("system", "regex", "text"),
        [
            ("msd_2", "10*", "$p(x)"), ("msd_2", "0*10*", "$p(x)"), ("msd_2", "0001", "x=1"), ("msd_2", "()", "x=0"),
            ("msd_fib", "(0|1)*", "x=x"), ("msd_fib", "11", "x<0"), ("msd_fib", "1*", "x<=1"),
            ("msd_10", "0(1|2)", "x=1|x=2"),
        ],
    )
    def test_one_track(self, system: str, regex: str, text: str) -> None:
        session = fp.Session(system)
        found = session.reg("p", [system], regex).renamed(x0="x")
        assert found == session.relation("$p(x)") == session.relation(text)
        for plan in ("textbook", "optimized"):
            assert session.relation("$p(x)", plan=plan) == found
        session.define("again", found)
        assert session.relation("$again(x) & y=40 & x<y") == session.relation("$p(x) & y=40 & x<y")
        assert session.relation("~$again(x)") == ~found

    def test_powers(self) -> None:
        found = fp.Session("msd_2").reg("p", ["msd_2"], "10*")
        assert found.count(9) == 4 and found.values(4) == [1, 2, 4, 8] and not found.is_finite()

    def test_many_tracks_keep_their_order(self) -> None:
        session = fp.Session("msd_2")
        letter = "[" + ",".join("01"[place == 10] for place in range(12)) + "]"
        found = session.reg("p", ["msd_2"] * 12, letter)
        assert list(found) == [tuple(int(place == 10) for place in range(12))]
        assert session.eval("$p(" + ",".join("01"[place == 10] for place in range(12)) + ")")


def test_a_relation_has_no_truth_value() -> None:
    with pytest.raises(AutomatonError, match="neither true nor false"):
        bool(fp.Session().relation("x>3"))


def test_definitions_are_told_apart_by_the_text_of_their_formula() -> None:
    """And have a hash that does not look into it, as plans hash the predicates in them again and again."""
    session = fp.Session()
    session.define("p", "x<5 | x=2")
    session.define("q", "x<5")
    first, same = session.namespace.definitions["p"], session.namespace.definitions["q"]
    assert first.automaton == same.automaton and replaced(first, name="q") != same
    assert hash(replaced(first, name="q")) == hash(same)
    assert replaced(first, origin=session.parse("x<5")) == replaced(same, name="p")


@pytest.mark.parametrize("operation", [
    lambda one, other: one & other, lambda one, other: one | other, lambda one, other: one - other,
    lambda one, other: other & one, lambda one, other: ~one & other.renamed(y="z").exists("z"),
    lambda one, other: (one & other).where(y=2), lambda one, other: (one & other).renamed(x="y", y="x"),
])
def test_formulas_of_two_sessions_say_their_systems(
    operation: Callable[[fp.Relation, fp.Relation], fp.Relation]
) -> None:
    """The formula of what is made of relations means that relation in the session of the first one."""
    sessions = fp.Session("msd_2"), fp.Session("msd_fib")
    found = operation(sessions[0].relation("Ez x=3*z & z<9"), sessions[1].relation("y<7 | Ez y=2*z"))
    assert found.formula is not None
    home = next(each for each in sessions if each.namespace.default_system == found.default_system)
    assert home.relation(found.formula) == found
    sessions[1].define("kept", sessions[0].relation("x<5"))
    assert sessions[1].prove("?msd_2 Ax $kept(x) <=> x<5").certificate().content
