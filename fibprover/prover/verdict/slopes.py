"""Answers to formulas over a family: for which slopes a closed formula holds, and the relation of an open one.

What needs numbers is said of a member of the family: `FamilyRelation.at`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from fibprover.automata.prefixes import same_limit
from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import Limits, spending
from fibprover.base.names import PARAMETER, parameter_name
from fibprover.numeration.slope_sets import SlopeSet
from fibprover.prover.environment import Sort, sort_of
from fibprover.prover.evaluate.executor import evaluate
from fibprover.prover.logic import ResolvedFormula, Universe, conjunction
from fibprover.prover.plan.optimize import optimized
from fibprover.prover.verdict.evidence import Evidence, EvidenceError, outermost
from fibprover.prover.verdict.relation import Relation, Value
from fibprover.prover.verdict.verdict import Verdict

if TYPE_CHECKING:
    from fibprover.prover.certificate.writing import Certificate
    from fibprover.prover.verdict.vacuity import VacuousPart

#: Numbers are looked for beside the least slopes for so many CPU seconds each.
SECONDS = 1.0

#: What is printed before the answer of a closed formula.
_ANSWERS = {"every": "TRUE for every {}", "none": "FALSE for every {}", "some": "TRUE for exactly these {}"}


@dataclass(frozen=True, repr=False)
class SlopeVerdict(Verdict):
    """The slopes for which a closed formula over a family holds; as a truth value, whether these are all.

    It has the fields of a Verdict as well.

    Fields:

    - slopes: the set of these slopes

    >>> verdict = fp.Session("msd_sturmian").eval("Ei C[i]=1 & C[i+1]=1")
    >>> bool(verdict), str(verdict), str(verdict.slopes)
    (False, 'TRUE for exactly these slopes', '1 .*')
    >>> str(verdict.slopes.least), str(verdict.slopes.least_outside)
    ('[0; (1)]', '[0; (2)]')
    """

    slopes: SlopeSet = field(kw_only=True)

    @property
    def evidence(self) -> Evidence | None:
        """None: the evidence is a slope, as `slopes.least` and `slopes.least_outside` tell.

        >>> fp.Session("msd_sturmian").eval("C[0]=1").evidence is None
        True
        """
        return None

    @property
    def evidence_error(self) -> Exception | None:
        """None: no evidence is searched for.

        >>> fp.Session("msd_sturmian").eval("C[0]=1").evidence_error is None
        True
        """
        return None

    def at(self, slope: str, limits: Limits | None = None) -> Evidence | None:
        """Return numbers that show the truth at one slope: a witness where a formula E ... holds, or a counterexample.

        Parameters:

        - slope: as for `FamilyRelation.at`
        - limits: by default those of the evaluation

        Returns: the numbers; None for a formula that does not begin with such a quantifier, and where no beginning of
        the slope settles which numbers these are.

        Errors: NumerationError for what is no such slope; BudgetSpent.

        >>> verdict = fp.Session("msd_sturmian").eval("Ei,n n>0 & $feq_C(i,i+n,3*n)")
        >>> print(verdict.at("[0; (2)]"))
        a witness: i = 24, n = 5
        """
        from fibprover.numeration.members import at_parameter  # late: few formulas need it

        variables, body = outermost(self.formula.logic, slope in self.slopes)
        if not variables:
            return None
        body = conjunction([*(Universe((name,)) for name in variables), body])
        asked = ResolvedFormula(body, self.formula.sorts, (*variables, PARAMETER), self.formula.names)
        with spending((limits or self.limits).start()) as budget:
            try:
                found = evaluate(optimized(asked), self.environment.system, self.cache, budget).automaton
                automaton, system = at_parameter(found, slope, budget)
            except BudgetSpent:
                raise
            except FibproverError:
                return None
            values = Relation(automaton, {system.name: system}.__getitem__, limits=self.limits).least()
        if values is None:
            raise EvidenceError(f"no numbers were found at {slope} where there are some: please report this defect")
        held = dict(zip(automaton.names, values, strict=True))
        names: dict[str, Value] = {self.formula.names.get(name, name): held[name] for name in variables}
        return Evidence("witness" if slope in self.slopes else "counterexample", names, least=False)

    def lines(self) -> list[str]:
        """Return what is said below the answer: the slopes, and the least one on each side, with numbers.

        >>> fp.Session("msd_sturmian").eval("Ei C[i]=1 & C[i+1]=1").lines()
        ['1 .*', 'least slope: [0; (1)] (a witness: i = 2), least other slope: [0; (2)]']
        """
        if self.slopes.answer != "some":
            return []
        least, other = ("least slope", "least other slope") if not self.slopes.choices else ("least", "least other")
        one, two = (self._with_numbers(str(each)) for each in (self.slopes.least, self.slopes.least_outside))
        return [str(self.slopes), f"{least}: {one}, {other}: {two}"]

    def _with_numbers(self, slope: str) -> str:
        """Return a slope, followed by numbers that show the truth there, if they are soon found."""
        try:
            found = self.at(slope, self.limits.within(SECONDS))
        except BudgetSpent:
            found = None
        return slope if found is None else f"{slope} ({found})"

    def vacuity(self, deep: bool = False) -> tuple[VacuousPart, ...]:
        """Raise FibproverError: vacuity is not defined over a family yet."""
        raise FibproverError("vacuity is not searched in formulas over all slopes yet", hint="choose one system")

    def certificate(self) -> Certificate:
        """Return a proof that the formula holds for all slopes, for none, or not for the least other one.

        See `Verdict.certificate`.

        >>> fp.Session("msd_sturmian").eval("Ax x+0=x").certificate().truth
        True
        """
        from fibprover.prover.certificate.writing import certificate  # seldom requested: keeps the cold start short

        outside = self.slopes.least_outside if self.slopes.answer == "some" else None
        with spending(self.limits.start()) as budget:
            found = certificate(self.source, self.environment, budget, outside=outside)
        if found.truth != self.truth:
            raise FibproverError("the proof contradicts the verdict", hint="please report it, with the formula")
        return found

    def __str__(self) -> str:
        slopes = self.slopes
        return _ANSWERS[slopes.answer].format(slopes.plural if slopes.answer == "some" else slopes.noun)


def _refused(name: str) -> Callable[..., NoReturn]:
    """Return the method of a relation over a family that says that it needs a slope."""

    def method(self: FamilyRelation, *arguments: object, **keywords: object) -> NoReturn:
        raise FibproverError(
            f"the numbers of a relation over all slopes mean something at a slope only ({name.strip('_')})",
            hint='choose a slope, as in relation.at("[0; 2, (1)]"), or quantify the variables',
        )

    method.__name__ = name
    method.__doc__ = "Raise FibproverError: the relation has numbers at a slope only, see `at`."
    return method


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FamilyRelation(Relation):
    """The relation of an open formula over a family: tuples of numbers for each slope.

    `at(slope)` is the relation of numbers for one slope. A session can define a predicate by it; all other
    questions are asked by formulas.

    >>> relation = fp.Session("msd_sturmian").eval("C[n]=1")
    >>> relation.at("[0; 2, (1)]").values(5)
    [1, 4, 6, 9, 12]
    """

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in code-unit order; the slope is not among them.

        >>> fp.Session("msd_sturmian").eval("C[n]=C[m]").names
        ('m', 'n')
        """
        return tuple(name for name in self.automaton.names if name != PARAMETER)

    @property
    def sorts(self) -> tuple[Sort, ...]:
        """The type of each variable: the family.

        >>> [str(sort) for sort in fp.Session("msd_sturmian").eval("C[n]=1").sorts]
        ['msd_sturmian']
        """
        return tuple(sort_of(track) for track in self.automaton.tracks if track.name != PARAMETER)

    def at(self, slope: str) -> Relation:
        """Return the relation of numbers for one slope, which is a quadratic number between 0 and 1, or for choices.

        Parameters:

        - slope: as a continued fraction "[0; 2, (1)]", or as a number "(3-sqrt(5))/2"; choices as "2 (1)"

        Returns: a relation over the Ostrowski system of the slope; with choices, over base k.

        Errors: NumerationError for what is no such number; FibproverError if no beginning of a slope settles whether
        numbers are in the relation.

        >>> fp.Session("msd_sturmian").eval("C[n]=1").at("(3-sqrt(5))/2").values(5)
        [1, 4, 6, 9, 12]
        """
        from fibprover.numeration.members import at_parameter  # late: few formulas need it

        automaton, system = at_parameter(self.automaton, slope)
        text = f"{self.text} at {slope}"
        return Relation(automaton, self.system, text, self.trace, self.limits, system.name)

    def __eq__(self, other: object) -> bool:
        """Return whether both relations have the same variables and, for each slope, the same tuples.

        Raises FibproverError if that is not seen from the automata, which may differ where relations do not.
        """
        if not isinstance(other, FamilyRelation):
            return NotImplemented
        if self.automaton.tracks != other.automaton.tracks:
            return False
        if self.automaton == other.automaton or same_limit(self.automaton, other.automaton):
            return True
        raise FibproverError(
            "whether two relations over all slopes are the same is not seen from their automata",
            hint="ask by a formula, such as Ax $p(x) <=> $q(x)",
        )

    def __hash__(self) -> int:
        return hash(self.automaton.tracks)

    def __repr__(self) -> str:
        names = ", ".join(f"{name}:{sort}" for name, sort in zip(self.names, self.sorts, strict=True))
        return f"FamilyRelation({names}; {self.automaton.states} states)"

    def __str__(self) -> str:
        names = ", ".join(f"{name}:{sort}" for name, sort in zip(self.names, self.sorts, strict=True))
        parameter = parameter_name(self.automaton.tracks[-1].system)
        return f"{{{names}}} for each {parameter}: {self.automaton.states} states"

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickle and copy."""
        held = (self.automaton, self.system, self.origin, self.trace, self.limits, self.default_system)
        return FamilyRelation, held


#: What a relation can be asked that needs numbers; the others are `names`, `sorts`, `at` and what tells its origin.
NEED_A_SLOPE = (
    "__contains__", "__iter__", "__len__", "__call__", "__and__", "__or__", "__sub__", "__xor__", "__invert__",
    "__le__", "__ge__", "__bool__", "array", "count", "decoded", "exists", "first", "is_empty", "is_finite",
    "least", "renamed", "to_numpy", "to_pandas", "tuples", "valid", "values", "where", "word",
)

for _name in NEED_A_SLOPE:
    setattr(FamilyRelation, _name, _refused(_name))
