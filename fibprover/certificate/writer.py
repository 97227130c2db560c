"""A proof of a formula, written claim by claim: each automaton is built by the kernels, and each claim names the rule that justifies it.

The plan is one for checking: the order of joins is chosen by sizes, negated parts are subtracted under the guard that the
parts before have made, and terms that a guard has defined are shared.  Nothing of `plan` beyond lowering is used.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fibprover.automata import kernels, operations
from fibprover.automata.dfa import Dfa
from fibprover.certificate import nodes
from fibprover.certificate.nodes import Conjunction, Count, Equivalence, Negation, Node, free, negation
from fibprover.evaluate.atoms import Atoms
from fibprover.limits import Budget
from fibprover.plan.environment import Definition, Environment, Sort
from fibprover.plan.logic import Linear, PredicateAtom, WordLetter, WordPair
from fibprover.plan.lower import resolve
from fibprover.syntax.formula import parse
from fibprover.errors import FibproverError


class NotCertified(FibproverError):
    """A statement for which no certificate can be written; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Proved:
    """A claim that has been written: its number, its automaton; whether it holds under the guard only."""

    number: int
    automaton: Dfa
    guarded: bool = False


@dataclass
class Writer:
    """Writes the lines of a certificate."""

    environment: Environment
    budget: Budget
    sorts: dict[str, Sort] = field(default_factory=dict)
    lines: list[dict[str, Any]] = field(default_factory=list)
    claims: int = 0
    fresh: int = 0
    automata: dict[Any, int] = field(default_factory=dict)
    words: dict[str, Any] = field(default_factory=dict)
    predicates: dict[str, Any] = field(default_factory=dict)
    systems: set[str] = field(default_factory=set)
    adders: set[str] = field(default_factory=set)
    proved: dict[Any, Proved] = field(default_factory=dict)

    @property
    def atoms(self) -> Atoms:
        return Atoms(self.environment.system, self.sorts, self.budget)

    # -- names

    def variable(self, sort: Sort, like: str = "t") -> str:
        """Return a new variable."""
        self.fresh += 1
        name = f"{like}_{self.fresh}"
        self.sorts[name] = sort
        return name

    def system(self, sort: Sort) -> str:
        """Return the name of a system, whose words are written before they are needed."""
        if not sort.system or sort.lsd_first or sort.digits != tuple(range(len(sort.digits))):
            raise NotCertified(f"numbers of {sort.system or 'a plain alphabet'} are not certified")
        if sort.system not in self.systems:
            self.systems.add(sort.system)
            words = self.environment.system(sort.system).valid
            self.lines.append({"system": sort.system, "digits": len(sort.digits), **self.table(words)})
        return sort.system

    def table(self, automaton: Dfa) -> dict[str, Any]:
        rows = []
        codes, targets, offsets = automaton.codes.tolist(), automaton.targets.tolist(), automaton.offsets.tolist()
        for state in range(automaton.states):
            row: list[int] = []
            for i in range(offsets[state], offsets[state + 1]):
                row += (codes[i], targets[i])
            rows.append(row)
        if not rows[0] or 0 not in rows[0][::2]:  # nothing but zeros before the first digit: the empty automaton
            if automaton.transitions == 0:
                rows[0] = [0, 0]
        return {"outputs": automaton.outputs.tolist(), "rows": rows}

    def part(self, automaton: Dfa) -> list[Any]:
        """Return what stands for an automaton over named tracks; write it if it is new."""
        systems = [self.system(self.sorts[name]) for name in automaton.names]
        key = (tuple(systems), bytes(automaton.codes), bytes(automaton.targets), bytes(automaton.offsets), bytes(automaton.outputs))
        if key not in self.automata:
            self.automata[key] = len(self.automata)
            self.lines.append({"automaton": {"systems": systems, **self.table(automaton)}})
        return [self.automata[key], list(automaton.names)]

    def claim(self, rule: str, of: Sequence[Proved] = (), automaton: Dfa | None = None, guard: Dfa | None = None, **more: Any) -> Proved:
        """Write a claim."""
        line: dict[str, Any] = {"rule": rule, **more}
        if of:
            line["of"] = [one.number for one in of]
        if automaton is not None:
            line["part"] = self.part(automaton)
        if guard is not None:
            line["guard"] = [self.part(guard)]
        self.lines.append(line)
        self.claims += 1
        return Proved(self.claims - 1, automaton if automaton is not None else of[0].automaton, guard is not None)

    # -- atoms

    def atom(self, atom: nodes.Atom) -> Proved:
        """Return the claim of an atom, without a guard."""
        if atom in self.proved:
            return self.proved[atom]
        match atom:
            case Linear():
                found = self.linear(atom)
            case WordLetter():
                found = self.letter(atom)
            case WordPair():
                self.word(atom.left)
                self.word(atom.right)
                found = self.claim("letter", automaton=self.atoms.atom(atom), formula=core(atom))
            case PredicateAtom():
                found = self.predicate(atom)
        self.proved[atom] = found
        return found

    def word(self, word: Any) -> None:
        if word.name not in self.words:
            systems = [self.system(Sort(track.system, track.digits, identity=track.identity)) for track in word.tracks]
            self.words[word.name] = word
            self.lines.append({"word": word.name, "systems": systems, **self.table(word.machine)})

    def letter(self, atom: WordLetter) -> Proved:
        self.word(atom.word)
        if len(atom.letters) == 1:
            return self.claim("letter", automaton=self.atoms.atom(atom), formula=core(atom))
        return self.union([self.atom(replace_letters(atom, letter)) for letter in sorted(atom.letters)], None)

    def predicate(self, atom: PredicateAtom) -> Proved:
        definition = atom.definition
        automaton = self.atoms.atom(atom)
        if definition.raw or not definition.source:
            if definition.name not in self.predicates:
                sorts = [self.sorts[name] for name in atom.variables]
                relation = self.atoms.relation(definition.automaton, [f"#{i}" for i in range(0)]) if False else None
                tracks = tuple(sort.track(f"#{i}") for i, sort in enumerate(sorts))
                closed = kernels.close_zeros(definition.automaton.with_tracks(tracks), self.budget)
                self.predicates[definition.name] = definition
                self.lines.append({"predicate": definition.name, "systems": [self.system(sort) for sort in sorts], **self.table(closed)})
            return self.claim("call", automaton=automaton, name=definition.name, arguments=list(atom.variables))
        if definition.name not in self.predicates:
            self.predicates[definition.name] = self.define(definition)
        proved, parameters = self.predicates[definition.name]
        return self.claim("call", [proved], automaton, name=definition.name, arguments=list(atom.variables))

    def define(self, definition: Definition) -> tuple[Proved, tuple[str, ...]]:
        """Write what a definition means, and prove its automaton."""
        node, parameters = self.read(definition.source, definition.automaton.names)
        line = {"define": definition.name, "parameters": list(parameters), "formula": core(node)}
        place = len(self.lines)
        proved = self.formula(node)
        self.lines.insert(place, line) if False else self.lines.append(line)
        return proved, parameters

    def read(self, source: str, parameters: Sequence[str] = ()) -> tuple[Node, tuple[str, ...]]:
        """Return the form of a formula as text, its variables renamed apart from all others."""
        formula = resolve(parse(source, self.environment.macros), self.environment)
        renaming = {}
        for name, sort in formula.sorts.items():
            renaming[name] = self.variable(sort, "".join(c for c in formula.names.get(name, "t") if c.isalnum()) or "t")
        beyond: list[str] = []

        def new(name: str) -> str:
            beyond.append(self.variable(formula.sorts[name], "beyond"))
            return beyond[-1]

        node = self.apart(renamed(nodes.normal(formula.logic, new, lambda name: formula.sorts[name].system), renaming), set())
        return node, tuple(renaming[name] for name in formula.free)

    def apart(self, node: Node, seen: set[str]) -> Node:
        """Return a formula in which no variable is bound twice; seen: the variables that are bound before it."""
        match node:
            case Conjunction(bound, parts):
                names = self.new_names(bound, seen)
                return Conjunction(tuple(names.values()), tuple(self.apart(renamed(part, names), seen) for part in parts))
            case Count(bound, count, body):
                names = self.new_names(bound, seen)
                return Count(tuple(names.values()), count, self.apart(renamed(body, names), seen))
            case Negation(body):
                return Negation(self.apart(body, seen))
            case Equivalence(left, right):
                return Equivalence(self.apart(left, seen), self.apart(right, seen))
            case _:
                return node

    def new_names(self, bound: Sequence[str], seen: set[str]) -> dict[str, str]:
        """Return new names of the variables that are bound before, and remember all."""
        names = {name: self.variable(self.sorts[name]) if name in seen else name for name in bound}
        seen.update(names.values())
        return names

    # -- linear atoms

    def order(self, text: str, automaton: Dfa) -> Proved:
        return self.claim("order", automaton=automaton, formula=text)

    def linear(self, atom: Linear) -> Proved:
        """Return the claim of a linear atom: by the order, or by sums of two."""
        automaton = self.atoms.atom(atom)
        terms = dict(zip(atom.variables, atom.coefficients, strict=True))
        text = core(atom)
        plain = sorted(terms.values()) in ([1], [-1, 1]) or sorted(terms.values()) == [-1]
        if atom.relation == "=" and plain and (len(terms) == 1 or atom.constant == 0):
            return self.order(text, automaton)
        if atom.relation in "<>" and sorted(terms.values()) == [-1, 1] and atom.constant == 0:
            return self.order(text, automaton)
        addends = [name for name, coefficient in terms.items() for _ in range(coefficient)]
        if atom.relation == "=" and atom.constant == 0 and len(addends) == 2 and sorted(terms.values())[0] == -1 and len(terms) - len(set(addends)) == 1:
            self.addition(atom.system)
            (total,) = (name for name, coefficient in terms.items() if coefficient == -1)
            return self.claim("sum", automaton=automaton, predicate=f"sum_{atom.system}", variables=[*addends, total])
        if atom.relation == "!=":
            return self.claim("not", [self.atom(Linear(atom.system, atom.coefficients, atom.variables, "=", atom.constant))], automaton)
        if atom.relation in ("<=", ">="):
            opposite = {"<=": ">", ">=": "<"}[atom.relation]
            less = self.atom(Linear(atom.system, atom.coefficients, atom.variables, opposite, atom.constant))
            denied = self.claim("not", [less], automaton)
            return denied
        return self.composed(atom, terms, automaton)

    def composed(self, atom: Linear, terms: Mapping[str, int], automaton: Dfa) -> Proved:
        """Return the claim of a linear atom, proved from sums of two variables."""
        self.addition(atom.system)
        sort = self.sorts[atom.variables[0]]
        parts: list[Node] = []
        bound: list[str] = []

        def new() -> str:
            bound.append(self.variable(sort))
            return bound[-1]

        def times(factor: int, name: str) -> str:
            """Return a variable that is factor * name, by doubling."""
            result = ""
            while factor:
                if factor & 1:
                    result = plus(result, name) if result else name
                factor >>= 1
                if factor:
                    name = plus(name, name)
            return result

        def plus(left: str, right: str) -> str:
            total = new()
            parts.append(sum_atom(atom.system, left, right, total))
            return total

        def side(sign: int) -> str:
            found = [times(sign * coefficient, name) for name, coefficient in terms.items() if sign * coefficient > 0]
            constant = -sign * atom.constant
            if constant > 0 or not found:
                number = new()
                parts.append(Linear(atom.system, (1,), (number,), "=", max(0, constant)))
                found.append(number)
            total = found[0]
            for other in found[1:]:
                total = plus(total, other)
            return total

        left, right = side(1), side(-1)
        parts.append(Linear(atom.system, (1, -1), (left, right), atom.relation, 0))
        proved = self.formula(nodes.conjunction(parts, tuple(bound)))
        return self.claim("linear", [proved], automaton, formula=core(atom))

    def addition(self, system: str) -> None:
        """Write the automaton of addition, and prove that it adds."""
        if system in self.adders:
            return
        self.adders.add(system)
        sort = self.environment.sort(system)
        x, y, z, v, w, o, c, d = variables = [self.variable(sort, name) for name in "xyzvwocd"]
        name = f"sum_{system}"
        adder = self.environment.system(system).linear((1, 1, -1), "=", 0, self.budget)
        self.lines.append({"predicate": name, "systems": [self.system(sort)] * 3, **self.table(adder)})
        definition = Definition(name, adder, raw=True)
        self.predicates[name] = definition

        def add(*names: str) -> Node:
            return PredicateAtom(definition, names)

        def compared(left: str, relation: str, right: str) -> Node:
            return Linear(system, (1, -1), (left, right), relation, 0)

        def next_(left: str, right: str, between: str) -> tuple[Node, Node]:
            inner = nodes.conjunction((compared(left, "<", between), compared(between, "<", right)), (between,))
            return compared(left, "<", right), negation(inner)

        zero = Linear(system, (1,), (o,), "=", 0)
        base = nodes.conjunction((zero, Negation(Equivalence(add(x, o, z), compared(x, "=", z)))), (x, z, o))
        inner = nodes.conjunction((add(x, y, w), *next_(w, z, d)), (w,))
        step = nodes.conjunction((*next_(y, v, c), Negation(Equivalence(add(x, v, z), inner))), (x, y, v, z))
        proofs = [self.formula(negation(base)), self.formula(negation(step))]
        self.claim("addition", proofs, predicate=name, variables=[o, x, y, z, v, w, c, d])

    # -- formulas

    def union(self, branches: list[Proved], guard: Dfa | None) -> Proved:
        whole = branches[0].automaton
        for one in branches[1:]:
            whole = operations.disjunction(*self.same_tracks(whole, one.automaton), self.budget)
        return self.claim("union", branches, whole, guard)

    def same_tracks(self, a: Dfa, b: Dfa) -> tuple[Dfa, Dfa]:
        return self.atoms.cylindrify(a, b.names), self.atoms.cylindrify(b, a.names)

    def formula(self, node: Node, guard: Dfa | None = None) -> Proved:
        """Return the claim of a formula, under a guard."""
        if guard is None and node in self.proved:
            return self.proved[node]
        branches = nodes.disjuncts(node)
        if branches is not None:
            found = self.union([self.formula(branch, guard) for branch in branches], guard)
        else:
            match node:
                case Conjunction():
                    found = self.conjunction(node, guard)
                case Negation(body):
                    inner = self.formula(body, guard)
                    found = self.claim("not", [inner], self.denied(inner.automaton, guard), guard)
                case Equivalence(left, right):
                    found = self.equivalence(self.formula(left, guard), self.formula(right, guard), guard)
                case Count(bound, count, body):
                    inner = self.formula(body, guard)
                    automaton = operations.at_least(inner.automaton, bound, count, self.budget)
                    found = self.claim("count", [inner], automaton, guard, bound=list(bound), count=count)
                case _:
                    found = self.atom(node)
        if guard is None:
            self.proved[node] = found
        return found

    def denied(self, automaton: Dfa, guard: Dfa | None) -> Dfa:
        """Return the numbers, of the guard if there is one, that an automaton does not accept."""
        if guard is None:
            return operations.complement(automaton, self.atoms.all_valid(sorted(automaton.names)), self.budget)
        return operations.difference(self.atoms.cylindrify(guard, automaton.names), automaton, self.budget)

    def equivalence(self, left: Proved, right: Proved, guard: Dfa | None) -> Proved:
        a, b = self.same_tracks(left.automaton, right.automaton)
        differ = operations.symmetric_difference(a, b, self.budget)
        return self.claim("iff", [left, right], self.denied(differ, guard), guard)

    def conjunction(self, node: Conjunction, guard: Dfa | None) -> Proved:
        """Return the claim of E bound . & parts: positive parts are joined, negated ones subtracted, variables projected early."""
        negated = [part.body for part in node.parts if isinstance(part, Negation) and nodes.disjuncts(part) is None]
        positive = [part for part in node.parts if not isinstance(part, Negation) or nodes.disjuncts(part) is not None]
        bound = set(node.bound)
        pool = [self.formula(part) for part in positive]
        if not pool:
            pool = [self.true(sorted(free(node) | bound), guard)]
        if guard is not None:
            start = min(range(len(pool)), key=lambda i: (not set(pool[i].automaton.names) & set(guard.names), pool[i].automaton.transitions))
            first = pool[start]
            pool[start] = self.claim("same", [first], operations.conjunction(guard, first.automaton, self.budget), guard)
        while True:
            needed = [free(part) for part in negated]
            pool = [self.projected(one, bound, [*needed, *(set(o.automaton.names) for o in pool if o is not one)], guard) for one in pool]
            if len(pool) == 1:
                if not negated:
                    return pool[0]
                negated.sort(key=lambda part: (not free(part) <= set(pool[0].automaton.names), len(free(part))))
                pool = [self.without(pool[0], negated.pop(0), guard)]
                continue
            a, b = self.cheapest(pool)
            pool = [one for one in pool if one is not a and one is not b]
            if b.guarded and not a.guarded:
                a, b = b, a
            joined = operations.conjunction(a.automaton, b.automaton, self.budget)
            pool.append(self.claim("and", [a, b], joined, guard if a.guarded or b.guarded else None))

    def true(self, names: Sequence[str], guard: Dfa | None) -> Proved:
        return self.claim("true", automaton=self.atoms.all_valid(list(names)))

    def cheapest(self, pool: list[Proved]) -> tuple[Proved, Proved]:
        """Return the two whose product is probably the smallest."""
        def cost(a: Dfa, b: Dfa) -> float:
            shared = set(a.names) & set(b.names)
            letters = 1
            for track in a.tracks:
                letters *= len(track.digits) if track.name in shared else 1
            return a.transitions * b.transitions / letters if shared else 1e6 * a.transitions * b.transitions

        pairs = [(cost(a.automaton, b.automaton), i, j) for i, a in enumerate(pool) for j, b in enumerate(pool) if i < j]
        _, i, j = min(pairs)
        return pool[i], pool[j]

    def projected(self, one: Proved, bound: Collection[str], others: Sequence[Collection[str]], guard: Dfa | None) -> Proved:
        """Return the claim without the bound variables that nothing else mentions."""
        lost = [name for name in one.automaton.names if name in bound and not any(name in other for other in others)]
        if not lost:
            return one
        left = list(lost)
        automaton = one.automaton
        while left:
            name = operations.cheapest_to_lose(automaton, left, self.budget) if len(left) > 1 else left[0]
            left.remove(name)
            automaton = operations.exists(automaton, [name], self.budget)
            one = self.claim("exists", [one], automaton, guard if one.guarded else None, bound=[name])
        return one

    def without(self, first: Proved, body: Node, guard: Dfa | None) -> Proved:
        """Return the claim of first & ~body, the body under the guard that first is."""
        missing = free(body) - set(first.automaton.names)
        if missing:
            more = self.true(sorted(missing), None)
            joined = operations.conjunction(first.automaton, more.automaton, self.budget)
            first = self.claim("and", [first, more], joined, guard if first.guarded else None)
        extra = [name for name in first.automaton.names if name not in free(body)]
        inner = first.automaton
        if extra and len(extra) < len(inner.names):
            inner = operations.exists(inner, extra, self.budget)
        elif extra:
            inner = None
        second = self.formula(body, inner)
        result = operations.difference(first.automaton, operations.conjunction(second.automaton, first.automaton, self.budget), self.budget)
        return self.claim("without", [first, second], result, guard if first.guarded else None)


def replace_letters(atom: WordLetter, letter: int) -> WordLetter:
    return WordLetter(atom.word, atom.variables, frozenset({letter}))


def sum_atom(system: str, left: str, right: str, total: str) -> Linear:
    if left == right:
        return Linear(system, (2, -1), (left, total), "=", 0)
    return Linear(system, (1, 1, -1), (left, right, total), "=", 0)


def renamed(node: Any, names: Mapping[str, str]) -> Any:
    """Return a node with all its variables renamed, to different ones; labels are dropped, so that equal nodes are equal."""
    def new(old: Sequence[str]) -> tuple[str, ...]:
        return tuple(names.get(name, name) for name in old)

    match node:
        case Conjunction(bound, parts):
            return Conjunction(new(bound), tuple(renamed(part, names) for part in parts))
        case Negation(body):
            return Negation(renamed(body, names))
        case Equivalence(left, right):
            return Equivalence(renamed(left, names), renamed(right, names))
        case Count(bound, count, body):
            return Count(new(bound), count, renamed(body, names))
        case WordPair():
            return WordPair(node.left, new(node.left_variables), node.right, new(node.right_variables), node.relation)
        case Linear():
            return Linear(node.system, node.coefficients, new(node.variables), node.relation, node.constant)
        case WordLetter():
            return WordLetter(node.word, new(node.variables), node.letters)
        case PredicateAtom():
            return PredicateAtom(node.definition, new(node.variables))
    raise AssertionError(node)


def core(node: Node) -> str:
    """Return a formula in the language of certificates."""
    match node:
        case Linear():
            left = [(c, x) for c, x in zip(node.coefficients, node.variables, strict=True) if c > 0]
            right = [(-c, x) for c, x in zip(node.coefficients, node.variables, strict=True) if c < 0]

            def side(terms: list[tuple[int, str]], constant: int) -> str:
                texts = [x if c == 1 else f"{c}*{x}" for c, x in terms]
                return "+".join([*texts, *([str(constant)] if constant > 0 or not texts else [])])

            return f"{side(left, -node.constant)}{node.relation}{side(right, node.constant)}"
        case WordLetter():
            index = "".join(f"[{name}]" for name in node.variables)
            texts = [f"{node.word.name}{index}=@{letter}" for letter in sorted(node.letters)]
            if not texts:
                return "false"
            whole = texts[0]
            for text in texts[1:]:
                whole = f"({whole} | {text})"
            return whole
        case WordPair():
            left = "".join(f"[{name}]" for name in node.left_variables)
            right = "".join(f"[{name}]" for name in node.right_variables)
            return f"{node.left.name}{left}{node.relation}{node.right.name}{right}"
        case PredicateAtom():
            return f"${node.definition.name}({','.join(node.variables)})"
        case Negation(body):
            return f"~{core(body)}"
        case Equivalence(left, right):
            return f"({core(left)} <=> {core(right)})"
        case Count(bound, count, body):
            return f"(E>={count} {','.join(bound)} {core(body)})"
        case Conjunction(bound, parts):
            whole = core(parts[0]) if parts else "true"
            for part in parts[1:]:
                whole = f"({whole} & {core(part)})"
            return f"(E {','.join(bound)} {whole})" if bound else whole
    raise AssertionError(node)


def certificate(formula: str, environment: Environment, budget: Budget) -> list[dict[str, Any]]:
    """Return the lines of a certificate of a closed formula that is true.  Raises NotCertified."""
    writer = Writer(environment, budget)
    node, free_names = writer.read(formula)
    if free_names:
        raise NotCertified("the formula has free variables")
    proved = writer.formula(node)
    if not proved.automaton.outputs[0]:
        raise NotCertified("the formula is false")
    statement = {"statement": core(node)}
    header = {"certificate": 1, "variables": {name: sort.system for name, sort in writer.sorts.items()}}
    return [header, *writer.lines, statement]
