"""Terms shared: comparisons modulo the equations beside and above them, equal variables made one."""

from __future__ import annotations

import pytest

from fibprover.base.limits import Limits
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.evaluate.executor import evaluate
from fibprover.prover.logic import Linear, Truth
from fibprover.prover.plan.rules import SHARE_TERMS
from fibprover.prover.plan.sharing import Equations, reduced
from fibprover.prover.plan.steps import Leaf, atom_text
from fibprover.prover.plan.textbook import textbook
from tests.plan.making import automaton, every, known, plan, resolved


def same(text: str) -> None:
    """The plan means what the textbook's does."""
    assert automaton(plan(text)) == automaton(textbook(resolved(text))), text


class TestVariablesMadeOne:
    @pytest.mark.parametrize("quantifier", ["E>=2 z", "Iz", "Ez"])
    def test_what_becomes_false_is_about_its_variables_still(self, quantifier: str) -> None:
        same(f"Ex x=y & ({quantifier} z<3 & x<y)")
        same(f"Ex x=y & ~({quantifier} z>3 & x<y)")


def atoms(text: str, *off: str) -> set[str]:
    """The linear atoms of the plan, in words."""
    leaves = [step for step in every(plan(text, *off).root) if isinstance(step, Leaf)]
    return {atom_text(leaf.atom) for leaf in leaves if isinstance(leaf.atom, Linear)}


def widest(text: str, *off: str) -> int:
    """Most variables that a comparison has in the plan."""
    leaves = [step for step in every(plan(text, *off).root) if isinstance(step, Leaf)]
    return max((len(leaf.variables) for leaf in leaves if isinstance(leaf.atom, Linear)), default=0)


def reduction(text: str, *equations: str, free: str = "") -> str:
    """A comparison modulo some equations, in words."""
    made = reduced(linear_atom(text), Equations([linear_atom(equation) for equation in equations]), frozenset(free))
    return str(made.value) if isinstance(made, Truth) else atom_text(made) if isinstance(made, Linear) else repr(made)


def linear_atom(text: str) -> Linear:
    found = resolved(text).logic
    assert isinstance(found, Linear), found
    return found


class TestReduction:
    @pytest.mark.parametrize(
        ("atom", "equations", "expected"),
        [
            ("r+i=p", ["x+i=p"], "r=x"),
            ("p>=i", ["x+i=p"], "0<=x"),
            ("p>i+3", ["x+i=p"], "4<=x"),
            ("p<i", ["x+i=p"], "x+1<=0"),
            ("x+i=p", ["x+i=p"], "True"),
            ("x+i!=p", ["x+i=p"], "False"),
            ("2*x+2*i=2*p+1+y", ["x+i=p"], "y+1=0"),
            ("i=j", ["i+x=p", "j+y=p"], "i=j"),
            ("a+b=c", ["a=3", "b=c"], "False"),
            ("a+b=c", ["a=3"], "c=b+3"),
            ("a+b=c", ["u=3"], "a+b=c"),
            ("a=b", ["a+x=y"], "a=b"),
            ("3*a=b", ["2*a=c"], "3*a=b"),
        ],
    )
    def test_examples(self, atom: str, equations: list[str], expected: str) -> None:
        assert reduction(atom, *equations) == expected

    def test_free_variables_go_first(self) -> None:
        assert reduction("i=j", "i+x=p", "j+y=p") == "i=j"
        assert reduction("i=j", "i+x=p", "j+y=p", free="ij") == "y=x"

    @pytest.mark.long
    def test_one_free_variable_is_not_exchanged_for_another_variable(self) -> None:
        """T[x] & T[x+1] & ...: all would hang on the first index as well as on x, and grow."""
        assert reduction("a=b", "a=c", free="a") == "a=b"
        text = " & ".join(f"T[x+{k}]=T[x]" for k in range(40))
        found = evaluate(plan(text), known().namespace.system, Cache(), Limits(states=2000).start()).automaton
        assert found == automaton(plan(text, SHARE_TERMS))

    def test_coefficients_do_not_explode(self) -> None:
        """Its automaton would have millions of states."""
        assert reduction("5000*x+y=z", "x=5000*y") == "5000*x+y=z"
        assert reduction("x+y=z", "x=5000*y") == "5001*y=z"

    def test_an_equation_is_not_used_against_itself(self) -> None:
        atom = linear_atom("x+i=p")
        assert reduced(atom, Equations([atom]), frozenset()) is atom

    def test_equations_around_count(self) -> None:
        around = Equations([linear_atom("x+i=p")])
        inner = around.within([linear_atom("y<=x"), linear_atom("y=3")])
        found = reduced(linear_atom("r+i=p"), inner, frozenset())
        assert isinstance(found, Linear) and atom_text(found) == "r=x"
        assert [len(equations.own) for equations in (inner, around)] == [1, 1]

    def test_only_what_can_help_is_tried(self) -> None:
        """One variable in all equations, as where T[x], T[x+1], ... stand side by side: not each with each."""
        hub = Equations([linear_atom(f"a{k}=x+{k}") for k in range(100)])
        names = {"x": 1, "a5": -1}
        assert len(list(hub.smaller(names, 2, hub.own[5]))) == 99
        assert list(hub.smaller(names, 1, hub.own[5])) == []
        assert list(hub.smaller(names, 1, hub.own[6])) == [hub.own[5]]
        assert list(hub.smaller({"a3": 1, "a7": -1}, 1, hub.own[6])) == []

    def test_a_constant_is_found_by_its_only_variable(self) -> None:
        constants = Equations([linear_atom("x=3"), linear_atom("x+y=3"), linear_atom("x=z")])
        assert list(constants.smaller({"x": 1, "w": 1}, 1, linear_atom("x=w"))) == [constants.own[0]]


#: Formulas with a term in several places: how many variables the widest comparison has, without the rule and with it.
SHARED = [
    ("T[p-i]=T[q-j] & p-i<3 & q-j>1", 3, 3),
    ("Er T[p-i]=@1 & ~(r+i=p) & r<9", 3, 3),
    ("Ep,i p<9 & T[p-i]=@1 & ~(Er r+i=p & $power(r))", 3, 3),
    ("Ex,y x=p+1 & y=p+1 & $near(x,y+q)", 3, 3),
    ("Ar r<=x => (T[x+1-r]=@1 => ~$power(x+1-r))", 3, 3),
    ("$near(2*p,q+1) & ~(Es 2*p=s & $power(s))", 2, 2),
    ("Ei,j i=p-x & j=p-y & i=j & T[i]=@1", 3, 3),
    ("T[x+1]=@1 <=> T[x+1]=T[y]", 2, 2),
    ("~(T[p-i]=@1 & ~(T[p-i]=T[q] | p-i=q))", 3, 3),
]


@pytest.mark.parametrize(("text", "without", "with_it"), SHARED)
def test_formulas_with_shared_terms(text: str, without: int, with_it: int) -> None:
    same(text)
    assert (widest(text, SHARE_TERMS), widest(text)) == (without, with_it)


class TestPlans:
    def test_equal_terms_are_one_variable(self) -> None:
        text = "Ep,i p<9 & T[p-i]=@1 & $power(p-i)"
        assert len([a for a in atoms(text, SHARE_TERMS) if a.count("+") == 1]) == 2
        assert len([a for a in atoms(text) if a.count("+") == 1]) == 1

    def test_comparisons_below_a_negation_lose_variables(self) -> None:
        text = "x+i=p & ~(Er r+i=p & ~T[r]=@1)"
        assert "x+i=p" not in atoms(text, SHARE_TERMS) or len(atoms(text, SHARE_TERMS)) == 2
        assert len(atoms(text)) == 1
        same(text)

    def test_free_variables_that_cancel_stay(self) -> None:
        for text in ("x=y+z & y<=x", "x=y+z & (y<=x+w | y=5)", "x=y+z & ~(y<=x+w & w=w)", "x=y & ~(Ez z=w & x!=y)"):
            assert plan(text).free == automaton(plan(text)).names
            same(text)

    @pytest.mark.long
    def test_long_conjunctions_and_disjunctions(self) -> None:
        """Planning that tried each pair of equations with each atom took seconds here."""
        for sign in ("&", "|"):
            for letter in ("T[x+{}]=@1", "~T[x+{}]=@1", "T[x+{}]=T[y+{}]", "{}+x=y"):
                assert plan(f" {sign} ".join(letter.format(k, k) for k in range(100))).free

    def test_what_a_count_needs_stays(self) -> None:
        """A body that loses a variable would be counted or projected over another one."""
        for text in ("x=y & (E>=2 z,w z<5 & x+z=y+w)", "x=y & (E>=2 z z<5 & w=w & x<=y)", "Ey x=y & (Iz x<=y+z)"):
            same(text)
