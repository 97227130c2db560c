"""What names mean from Python: `fp.word`, `session[name]`; and membership in what stands for a set."""

from __future__ import annotations

import pytest

import fibprover as fp
from fibprover.base.errors import UnknownName
from fibprover.numeration.system import NumerationSystem
from fibprover.sequences.series import Series


def test_words_of_the_library() -> None:
    library = fp.Session().namespace.library_words
    for name in ("T", "F", "RS", "pascal"):
        assert fp.word(name) == library[name]
    with pytest.raises(UnknownName) as error:
        fp.word("TRR")
    assert "TR" in error.value.hint
    with pytest.raises(fp.FibproverError):
        fp.word(5)  # type: ignore[arg-type]


def test_names_of_a_session() -> None:
    s = fp.Session("msd_fib")
    even = s.define("even", "Ey x=2*y")
    own = s.define_morphic_word("W", [[0, 1], [0]], [0, 1])
    s.macro("two", "%0=2")
    s.run('eval halves n "i<n & Ej i=2*j"; morphism m "0->01 1->0";')
    assert s["even"] == s["$even"] == even and s["W"] == own and s["F"] == fp.word("F")
    assert s["#two"] == s["two"] == "%0=2" and s["m"] is s.namespace.morphisms["m"]
    halves = s["halves"]
    assert isinstance(halves, Series) and halves[:5] == [0, 1, 1, 2, 2]
    for name in ("msd_fib", "fib", "?fib", "?msd_fib"):
        assert s[name] is fp.system_named("msd_fib")
    system = s.add_system(fp.recurrence_system("mine", [3, 1], [1, 4]))
    assert s["msd_mine"] == system and isinstance(s["lsd_mine"], NumerationSystem)
    equality = s["feq_F"]
    assert isinstance(equality, fp.Relation) and (0, 3, 2) in equality


def test_what_a_session_defines_hides_the_library() -> None:
    s = fp.Session()
    assert isinstance(s["T"], fp.AutomaticWord)
    s.define("T", "x<5")
    assert s["T"] == s["$T"] == s.relation("x<5")
    s.define("yes", "Ex x=x")
    truth = s["yes"]
    assert isinstance(truth, fp.Relation) and truth.names == ()


@pytest.mark.parametrize(
    ("name", "meant"),
    [("evn", "even"), ("msd_fibb", "msd_fib"), ("$evn", "even"), ("TMM", "TM"), ("?msd_trb", "msd_trib")],
)
def test_unknown_names_have_a_suggestion(name: str, meant: str) -> None:
    s = fp.Session()
    s.define("even", "Ey x=2*y")
    with pytest.raises(fp.FibproverError) as error:
        s[name]
    assert meant in str(error.value) and name not in s


def test_names_are_texts() -> None:
    s = fp.Session()
    assert "F" in s and "nothing_at_all" not in s and 5 not in s and "" not in s
    for name in (5, None, ("F",)):
        with pytest.raises(fp.FibproverError):
            s[name]  # type: ignore[index]
    with pytest.raises(fp.FibproverError):
        list(s)  # type: ignore[call-overload]
    assert {"F", "msd_fib"} <= set(s._ipython_key_completions_())


def test_membership_in_theorems_and_solutions() -> None:
    theorem = fp.discover("terminal(1)", with_findings=False)
    known = fp.positions("terminal(1)", 40)
    for a in range(40):
        for b in range(40):
            assert ((a, b) in theorem) == ((a, b) in known)
    s = fp.Session("msd_fib")
    solution = s.solve("D", "(n=0 & v=0) | (n>0 & Em $D(n-1,m) & v=m+1)", by="n")
    assert (7, 7) in solution and (7, 8) not in solution
    none = fp.discover("wythoff()", "msd_2", largest=256, limits=fp.Limits(seconds=2))
    assert not none
    with pytest.raises(fp.FibproverError):
        _ = (0, 0) in none
