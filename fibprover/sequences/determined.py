"""The proof that equations determine sequences: each term is given, or an equation takes it from terms before it.

Terms come in the order of their indices, and those with one index in the order of the names.  For each name the set of
the indices at which an equation does this is an automaton; with the indices whose terms are given it has to be the set
of all numbers.  Then, by induction, there is at most one solution.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import build_from, explored
from fibprover.base.values import value
from fibprover.language.builder import exists
from fibprover.language.equations import (
    Digits,
    Equation,
    Equations,
    Index,
    LetterAt,
    TermAt,
    all_parts,
    index_term,
    linear_index,
    terms_of,
)
from fibprover.language.tree import Formula, Number, Term, Variable, conjunction, disjunction
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.decide import Options, decide
from fibprover.prover.environment import Environment
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.verdict.relation import Relation
from fibprover.sequences.solution import RecursionProblem

#: The index of a term, and the variable of an equation, in the formulas.
X, N = Variable("x"), Variable("n")


@value
class Decider:
    """The prover, with the meanings of names, for formulas about the numbers of one system."""

    environment: Environment
    options: Options
    system: NumerationSystem
    cache: Cache

    def relation(self, formula: Formula, *names: str) -> Relation:
        """Return the relation of a formula, whose variables are these, in code-unit order."""
        # `x=x` keeps a variable that the formula does not mention.
        whole = conjunction([formula, *(Variable(name).eq(Variable(name)) for name in names)])
        systems = dict.fromkeys(names, self.system.name)
        found = decide(whole.in_system(self.system.name), self.environment, self.cache, self.options, systems)
        assert isinstance(found, Relation)
        return found


def index_of(left: Equation) -> Term:
    """Return the index on the left side of an equation, as a term in n."""
    found: Term = N if left.left.factor == 1 else left.left.factor * N
    if left.left.start > 0:
        return found + left.left.start
    return found - -left.left.start if left.left.start else found


def condition_of(equation: Equation) -> list[Formula]:
    """Return the condition of an equation about n, if it has one."""
    if equation.condition is None:
        return []
    return [equation.condition.formula.substitute({Variable(equation.variable or "n"): N})]


def called_index(text: str, term: TermAt | LetterAt) -> Term:
    """Return the index of a term or letter on the right side; RecursionProblem for one that formulas do not have."""
    assert not isinstance(term.at, Digits)
    found = index_term(term.at, N)
    if found is None:
        raise RecursionProblem(
            "an index is a sum of multiples of n, of numbers and of floors of quotients", text, term.place.start,
            term.place.end, hint="such as a(2n+1), a(n-1) or a(floor(n/2))",
        )
    return found


def _natural_indices(text: str, equation: Equation) -> Iterator[Formula]:
    """Yield the formulas that the indices on the right side, of terms and of letters, are natural numbers."""
    for part in all_parts(equation.right):
        if isinstance(part, TermAt | LetterAt) and not isinstance(part.at, Digits | Index):
            yield called_index(text, part) >= Number(0)


def given_terms(equations: Equations) -> dict[int, Equation]:
    """Return the equations that say what the term at one number is, by number."""
    return {each.left.start: each for each in equations.equations if not each.left.factor}


def check_determined(recursions: Mapping[str, Equations], decider: Decider) -> dict[str, str]:
    """Prove that equations have one solution at most; return the formula that says so for each name, "" without one.

    RecursionProblem, with the place, for an index at which no equation says what the term is, or in a circle.
    """
    names = in_order(recursions)
    said = {}
    for name, equations in recursions.items():
        given = given_terms(equations)
        parts = [each for each in equations.equations if each.left.factor]
        order = {each: place < names.index(name) for place, each in enumerate(names)}
        formulas = [_takes(equations.text, each, order) for each in parts if each.left.word is None]
        formulas = [*(X.eq(number) for number in given), *formulas]
        found = decider.relation(disjunction(formulas), "x") if formulas else None
        for each in parts:
            if each.left.word is not None:
                taken = _of_words(each, order, decider)
                found = taken if found is None else found | taken
        missing = None if found is None else (~found).least()
        if missing is not None or found is None:
            raise _undetermined(recursions, name, missing[0] if missing else 0, order)
        said[name] = "" if any(each.left.word is not None for each in parts) else f"x {disjunction(formulas)}"
    return said


def in_order(recursions: Mapping[str, Equations]) -> list[str]:
    """Return the names, each after those whose terms at the same index its equations ask for, as far as possible."""
    needs: dict[str, set[str]] = {name: set() for name in recursions}
    for name, equations in recursions.items():
        for each in equations.equations:
            for term in terms_of(each.right):
                if term.name not in recursions or term.name == name:
                    continue
                if isinstance(term.at, Digits):
                    same = term.at.word == each.left.word
                else:
                    same = each.left.word is None and linear_index(term.at) == (each.left.factor, each.left.start)
                if same:
                    needs[name].add(term.name)
    found: list[str] = []
    while len(found) < len(recursions):
        free = [name for name in recursions if name not in found and needs[name] <= set(found)]
        found += free[:1] or [name for name in recursions if name not in found]
    return found


def _takes(text: str, equation: Equation, order: Mapping[str, bool]) -> Formula:
    """Return the formula about x that an equation takes the term at x from terms before it."""
    parts = [X.eq(index_of(equation)), *condition_of(equation), *_natural_indices(text, equation)]
    for term in terms_of(equation.right):
        if term.name in order:
            index = called_index(text, term)
            parts.append(index <= X if order[term.name] else index < X)
    return exists(N, conjunction(parts))


def _of_words(equation: Equation, order: Mapping[str, bool], decider: Decider) -> Relation:
    """Return the numbers whose representation ends in the digits of an equation, which takes its term from others.

    A word n.w' is less than n.w if it is shorter, or comes before it: so it is for all n but 0, by radix order.
    """
    system, word = decider.system, equation.left.word or ()
    calls = [term for term in terms_of(equation.right) if term.name in order and isinstance(term.at, Digits)]
    words = [(term.at.word, order[term.name]) for term in calls if isinstance(term.at, Digits)]
    valid = system.valid
    zeros = (0,) * len(word)

    def steps(at: tuple[int, tuple[int, ...]]) -> Iterator[tuple[int, tuple[int, tuple[int, ...]]]]:
        state, last = at
        for code, target in valid.row(state):
            yield code, (target, (*last, valid.letter(code)[0])[1:] if word else ())

    def output(at: tuple[int, tuple[int, ...]]) -> int:
        return int(valid.outputs[at[0]] != 0 and at[1] == word)

    goes_down = all((len(each), each) < (len(word), word) or (each == word and earlier) for each, earlier in words)
    machine = build_from([system.track("x")], explored((0, zeros), steps), output if goes_down else lambda _: 0)
    found = Relation(kernel_calls.minimize(machine), decider.environment.system)
    # Of n = 0 the words may be equal as numbers.
    first = system.value(word)
    at_zero = [(system.value(each), earlier) for each, earlier in words if system.is_valid(each)]
    if all(number < first or (number == first and earlier) for number, earlier in at_zero):
        return found
    return found - decider.relation(X.eq(first), "x")


def _undetermined(
    recursions: Mapping[str, Equations], name: str, number: int, order: Mapping[str, bool]
) -> RecursionProblem:
    """Return the error for a term that no equation takes from terms before it, with the place in the equations."""
    equations = recursions[name]
    term = f"{name}({number})"
    for each in equations.equations:
        at = covered_at(each, number)
        if at is None:
            continue
        for call in all_parts(each.right):
            if not isinstance(call, TermAt | LetterAt) or isinstance(call.at, Digits):
                continue
            place = linear_index(call.at)
            if place is None:
                continue
            index = place[0] * at + place[1]
            earlier = order.get(call.name) if isinstance(call, TermAt) else None
            asked = f"{call.name}({index})" if isinstance(call, TermAt) else f"{call.word}[{index}]"
            if index < 0 or (earlier is not None and (index > number or (index == number and not earlier))):
                why = f"this asks for {f'{term} itself' if asked == term else asked}"
                return RecursionProblem(
                    f"nothing says what {term} is: at {each.variable or 'n'} = {at} {why}", equations.text,
                    call.place.start, call.place.end, hint=f"give {term}, or a condition such as: for n>={at + 1}",
                )
    spot = equations.equations[-1].place
    return RecursionProblem(
        f"nothing says what {term} is: no equation, and no term that is given", equations.text, spot.start, spot.end,
        hint=f"add {term}=..., or an equation whose left side has the index {number}",
    )


def covered_at(equation: Equation, number: int) -> int | None:
    """Return the n for which the left side of an equation, K n + r, has the index `number`; None for none."""
    left = equation.left
    if not left.factor or left.word is not None or (number - left.start) % left.factor or number < left.start:
        return None
    return (number - left.start) // left.factor


def domain(equation: Equation, text: str, given: Sequence[int], decider: Decider) -> Relation:
    """Return the n for which an equation has to hold: its condition, no term given, and all its terms exist."""
    parts = [N.eq(N), *condition_of(equation)]
    parts += [index_of(equation).ne(number) for number in given]
    parts += _natural_indices(text, equation)
    if equation.left.start < 0:
        parts.append(index_of(equation) >= Number(0))
    return decider.relation(conjunction(parts), "n")
