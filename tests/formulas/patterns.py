"""Random formulas made to set off the rules of the optimized plan: shared terms, copies, 'no other', definitions.

The texts are made by a random source that hypothesis seeds.  Every quantifier is guarded by BOUND unless a
formula is made without guards.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from fibprover.language.parser import parse_formula
from tests.oracle.brute import free_variables
from tests.oracle.definitions import predicates_of, words_of
from tests.oracle.strategies import Case

#: Largest value of a guarded variable: tuples are many.
BOUND = 4
SYSTEMS = ("msd_2", "msd_2", "msd_fib")
FREE = ("p", "q", "i", "Z")

Condition = Callable[[tuple[str, ...]], str]


class Maker:
    """Makes one formula; `terms` are those that occur again and again in it."""

    def __init__(self, chance: Random, system: str, *, guarded: bool) -> None:
        self.chance = chance
        self.system = system
        self.guarded = guarded
        self.used = 0
        names = ("near", "sum", "half", "power", "rest")
        self.predicates = [predicate for predicate in predicates_of(system).values() if predicate.name in names]
        self.words = [word for word in words_of(system) if word in "TRF"]
        self.terms = [self.new_term(FREE) for _ in range(chance.choice((1, 2, 2, 3)))]

    def fresh(self, count: int) -> tuple[str, ...]:
        """Names that occur nowhere else; now and then the names of free variables, bound again."""
        if self.chance.random() < 0.03:
            return tuple(self.chance.sample(FREE, min(count, 2))) if count <= 2 else self.fresh(count)
        self.used += count
        return tuple(f"{self.chance.choice('abrst')}{self.used - k}" for k in range(count))

    # -- terms and atoms -------------------------------------------------------------------

    def new_term(self, scope: tuple[str, ...]) -> str:
        """A linear term of one or two variables."""
        pick = self.chance.choice
        x, y = pick(scope), pick(scope)
        forms = [x, f"{x}+1", f"{x}-{y}", f"{x}-{y}", f"2*{x}", f"{x}+{y}", f"{x}-1", f"{x}-{y}-1", f"{x}/2", "2"]
        return pick([*forms, f"{x}-{y}", f"{x}+1"])

    def term(self, scope: tuple[str, ...]) -> str:
        """One of the formula's own terms if its variables are in scope, or a new one."""
        known = [term for term in self.terms if set(FREE) & set(term) <= set(scope)]
        if known and self.chance.random() < 0.6:
            return self.chance.choice(known)
        return self.chance.choice(scope) if self.chance.random() < 0.5 else self.new_term(scope)

    def atom(self, scope: tuple[str, ...]) -> str:
        pick = self.chance.choice
        match pick(("compare", "compare", "equal", "letter", "letters", "call", "call")):
            case "equal":
                return f"{pick(scope)}={self.term(scope)}"
            case "letter":
                return f"{pick(self.words)}[{self.term(scope)}]=@{pick('01')}"
            case "letters":
                word = pick(self.words)
                return f"{word}[{self.term(scope)}]{pick(('=', '!='))}{word}[{self.term(scope)}]"
            case "call":
                predicate = pick(self.predicates)
                return f"${predicate.name}({','.join(self.term(scope) for _ in range(predicate.arity))})"
            case _:
                return f"{self.term(scope)}{pick(('=', '!=', '<', '<=', '>', '>='))}{self.term(scope)}"

    # -- formulas --------------------------------------------------------------------------

    def formula(self, scope: tuple[str, ...], depth: int) -> str:
        """A formula about variables in scope, in parentheses."""
        if depth <= 0:
            return self.atom(scope)
        pick = self.chance.choice
        kinds = ["atom", "not", *["and"] * 2, *["binary"] * 2, "exists", "forall", "only", "copies", "defined", "count"]
        match pick(kinds):
            case "not":
                return f"~({self.formula(scope, depth - 1)})"
            case "and":
                parts = [self.formula(scope, depth - 1 - self.chance.randrange(2)) for _ in range(pick((2, 3)))]
                return f"({' & '.join(parts)})"
            case "binary":
                left, right = self.formula(scope, depth - 1), self.formula(scope, depth - 1)
                return f"({left} {pick(('|', '|', '=>', '<=>', '^'))} {right})"
            case "exists":
                return self.exists(scope, depth)
            case "forall":
                names = self.fresh(pick((1, 1, 2)))
                body = self.formula((*scope, *names), depth - 1)
                mention = " & ".join(f"{name}={name}" for name in names)
                return f"(A{','.join(names)} ({self.guards(names) or mention}) => {body})"
            case "only":
                return self.only(scope, depth)
            case "copies":
                return self.copies(scope, depth)
            case "defined":
                return self.defined(scope, depth)
            case "count":
                return self.count(scope, depth)
            case _:
                return self.atom(scope)

    def guards(self, names: tuple[str, ...]) -> str:
        """Bounds of quantified variables, nothing in a formula without guards."""
        if not self.guarded:
            return ""
        return " & ".join(f"{name}<={self.chance.choice((BOUND, BOUND, 3, 2))}" for name in names)

    def some(self, names: tuple[str, ...], body: str) -> str:
        """`E names (guards & body)`."""
        guard = self.guards(names) or " & ".join(f"{name}={name}" for name in names)
        return f"(E{','.join(names)} {guard} & {body})"

    def exists(self, scope: tuple[str, ...], depth: int) -> str:
        names = self.fresh(self.chance.choice((1, 1, 2)))
        return self.some(names, self.formula((*scope, *names), depth - 1))

    def defined(self, scope: tuple[str, ...], depth: int) -> str:
        """Variables that equations give in terms of others, beside exclusions."""
        parts = [f"{self.chance.choice(scope)}={self.term(scope)}" for _ in range(self.chance.choice((1, 2)))]
        parts += [self.formula(scope, depth - 1), f"~{self.exists(scope, depth - 1)}"]
        self.chance.shuffle(parts)
        return f"({' & '.join(parts)})"

    def count(self, scope: tuple[str, ...], depth: int) -> str:
        """Counting quantifiers, and I where there are no guards."""
        names = self.fresh(self.chance.choice((1, 1, 2)))
        body = self.formula((*scope, *names), depth - 1)
        mention = " & ".join(f"{name}={name}" for name in names)
        if not self.guarded and self.chance.random() < 0.5:
            body = f"{names[0]}={names[0]} & {body}"
            return f"(I{names[0]} {self.some(names[1:], body) if names[1:] else body})"
        how = self.chance.choice((">=2", ">=3", "=1", "<=1", "=2"))
        return f"(E{how} {','.join(names)} {self.guards(names) or mention} & {body})"

    # -- what counts replace ---------------------------------------------------------------

    def condition(self, scope: tuple[str, ...], width: int, depth: int) -> Condition:
        """A condition on tuples, to be said of several: the names of the tuple are put in its place."""
        self.used += 1
        marks = (f"first{self.used}mark", f"second{self.used}mark")[:width]
        text = self.formula((*scope, *marks), depth)
        guard = self.guards(marks)
        mention = " & ".join(f"{mark}={mark}" for mark in marks)
        whole = f"{guard or mention} & {text}"

        def say(names: tuple[str, ...]) -> str:
            said = whole
            for mark, name in zip(marks, names, strict=True):
                said = said.replace(mark, name)
            return said

        return say

    def copies(self, scope: tuple[str, ...], depth: int) -> str:
        """Tuples of one condition that differ; often a little spoilt, so that they are no copies."""
        pick, chance = self.chance.choice, self.chance.random
        width, number = pick(((1, 2), (1, 2), (1, 3), (2, 2), (2, 2))) if chance() < 0.95 else (2, 3)
        condition = self.condition(scope, width, min(depth - 1, 2))
        tuples = [self.fresh(width) for _ in range(number)]
        if len({name for names in tuples for name in names}) < width * number:
            return self.copies(scope, depth)
        parts = [condition(names) for names in tuples]
        for k, names in enumerate(tuples):
            for other in tuples[:k]:
                if chance() < 0.93:
                    parts.append(self.differ(names, other))
        every = tuple(name for names in tuples for name in names)
        if chance() < 0.35:
            a, b, c = pick(every), pick(every), pick((*every, *scope))
            spoilt = (f"{a}<{b}", f"{a}!={b}", f"{a}!={c}", f"{a}<={c}", f"~({a}={b} & {b}={c})", f"{a}+1!={c}")
            parts.append(pick((*spoilt, self.atom((*scope, *every)))))
        if width == 2 and chance() < 0.15:
            parts.append(self.differ(tuples[0], tuples[1][::-1]))
        if chance() < 0.5:
            self.chance.shuffle(parts)
        return f"(E{','.join(every)} {' & '.join(parts)})"

    def differ(self, one: tuple[str, ...], other: tuple[str, ...]) -> str:
        pairs = list(zip(one, other, strict=True))
        if self.chance.random() < 0.1:
            pairs.reverse()
        if self.chance.random() < 0.5:
            return f"({' | '.join(f'{a}!={b}' for a, b in pairs)})"
        return f"~({' & '.join(f'{a}={b}' for a, b in pairs)})"

    def only(self, scope: tuple[str, ...], depth: int) -> str:
        """Known tuples, and that there is no other; the known ones need not satisfy the condition or differ."""
        pick, chance = self.chance.choice, self.chance.random
        width = pick((1, 1, 2))
        condition = self.condition(scope, width, min(depth - 1, 2))
        known = [tuple(self.term(scope) for _ in range(width)) for _ in range(pick((1, 1, 2, 2, 3)))]
        names = self.fresh(width)
        parts = []
        for terms in known:
            if chance() < 0.7:
                inner = self.fresh(width)
                equations = " & ".join(f"{name}={term}" for name, term in zip(inner, terms, strict=True))
                parts.append(f"(E{','.join(inner)} {equations} & {condition(inner)})")
        if len(known) == 2 and chance() < 0.6:
            parts.append("~(" + " & ".join(f"{a}={b}" for a, b in zip(*known, strict=True)) + ")")
        same = [" & ".join(f"{name}={term}" for name, term in zip(names, terms, strict=True)) for terms in known]
        if chance() < 0.15:
            same.append(self.atom((*scope, *names)))
        if chance() < 0.5:
            other = " & ".join(f"~({one})" for one in same)
            parts.append(f"~(E{','.join(names)} {condition(names)} & {other})")
        else:
            parts.append(f"(A{','.join(names)} ({condition(names)}) => ({' | '.join(f'({one})' for one in same)}))")
        self.chance.shuffle(parts)
        return f"({' & '.join(parts)})"


@st.composite
def patterns(draw: DrawFn, *, guarded: bool) -> Case:
    """Formulas with 0 to 4 free variables."""
    chance = draw(st.randoms(use_true_random=True))
    system = chance.choice(SYSTEMS)
    maker = Maker(chance, system, guarded=guarded)
    scope = FREE[: chance.choice((2, 2, 3, 3, 4))]
    text = maker.formula(scope, chance.choice((2, 2, 3, 3)))
    if chance.random() < 0.3:
        name = chance.choice(scope)
        if name in free_variables(parse_formula(text).formula):
            text = f"(E{name} {name}<={BOUND} & {text})" if guarded or chance.random() < 0.5 else f"(E{name} {text})"
    source = parse_formula(text)
    return Case(system, source.formula, text, tuple(sorted(free_variables(source.formula))))
