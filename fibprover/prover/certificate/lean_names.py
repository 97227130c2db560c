"""The definitions that a statement needs in Lean, each after those that it needs itself.

What the checker has found a name to mean is what it is defined to be; what has no meaning is an automaton, and its
comment says so.  What a recursion or equations determine is no definition: theorems are about anything that satisfies
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, cast

from fibprover.base.errors import FibproverError
from fibprover.checker import fibcheck
from fibprover.language.printer import Lean, lean_name
from fibprover.language.tree import (
    Binary,
    Call,
    Formula,
    InSystem,
    Node,
    Quantified,
    Variable,
    WordValue,
    free_names,
    map_children,
    nodes,
)
from fibprover.prover.certificate import lean_definitions as definitions
from fibprover.prover.certificate.lean_definitions import SHARED, comment, declared, predicate_type
from fibprover.prover.certificate.statements import TRUE, bare, plainly_named, read, shortened

#: Names that files use, or that would hide what they use.
_TAKEN = frozenset((
    "Nat", "Int", "Rat", "Real", "List", "Set", "DFA", "RegularExpression", "Language", "True", "False", "max",
))

_UNDEFINED = "AN AUTOMATON, of which the certificate does not say what it means"

#: What is before the names of words that equations determine, where they stand beside predicates; names have no blank.
_WORD = "word "

#: Names of the parameters of predicates that have none.
_PARAMETERS = ("x", "y", "z")


@dataclass(frozen=True, slots=True)
class Determined:
    """What a recursion or equations determine: the names solved for, with their types, and what else is needed.

    name: of the definition that says that they hold; needs: what other equations determine, and these depend on.
    """

    name: str
    solved: tuple[str, ...]
    types: tuple[str, ...]
    needs: tuple[str, ...]


class LeanNames:
    """Words, predicates and systems of a certificate, as they are defined in Lean when they are required."""

    def __init__(self, checker: fibcheck.Checker, lines: Iterable[Mapping[str, Any]]) -> None:
        self.checker = checker
        self.blocks: list[str] = []
        self.undefined: list[str] = []
        self._taken = {*_TAKEN, *SHARED}
        self._letters = {word: sorted(set(automaton.outputs)) for word, (_, automaton) in checker.words.items()}
        #: What stands for a name in Lean; of predicates what equations determine and they depend on.
        self._words = {each: self.new(each) for each in checker.words}
        self._predicates = {each: self.new(each) for each in (*checker.predicates, *checker.definitions)}
        self._sequences = {each: self.new(each) for each in checker.sequences}
        self._fixed = frozenset(self._taken)  # variables have other names than these, and what comes later than those
        self._taken |= {bare(each) for each in checker.variables} | set(_PARAMETERS)
        self._systems: dict[str, str] = {}
        self._integers: dict[str, str] = {}
        self._needs: dict[str, tuple[str, ...]] = {}
        self._written = set[str]()
        self.determined: dict[str, Determined] = {}
        #: What counts, in place of the sequences that equations determine, by the names of these equations.
        self.counted: dict[str, tuple[str, ...]] = {}
        self._read(lines)

    def _read(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Note what the lines of the file say that the checker does not keep."""
        self._floors: dict[str, int] = {}
        self._expressions: dict[str, Any] = {}
        self._weights: dict[str, Any] = {}
        self._series: dict[str, Any] = {}
        self.recursions: list[list[Mapping[str, Any]]] = []
        self._equations: list[Mapping[str, Any]] = []
        for line in lines:
            if "floor" in line:
                self._floors[line["floor"]] = line["slope"]
            elif "predicate" in line and "expression" in line:
                self._expressions[line["predicate"]] = line["expression"]
            elif "system" in line and "weights" in line:
                self._weights[line["system"]] = line["weights"]
            elif "word" in line and "series" in line:
                self._series[line["word"]] = line["series"]
            elif line.get("rule") == "recursion" and line["recursion"] not in self.recursions:
                self.recursions.append(line["recursion"])
            elif line.get("rule") == "sequences" and line not in self._equations:
                self._equations.append(line)

    def new(self, name: str, otherwise: str = "") -> str:
        """Return a name that is not taken; otherwise: what is tried next."""
        found, number = lean_name(name), 1
        while found in self._taken:
            found, otherwise, number = otherwise or f"{name}_{number + 1}", "", number + (not otherwise)
        self._taken.add(found)
        return found

    # -- formulas

    def read(self, source: str) -> Formula:
        """Return a formula of the file: integers are compared in it, and not the numbers that stand for them."""
        return read(self.checker.spoken(source))

    def tree(self, formula: Formula, parameters: Sequence[str] = ()) -> tuple[Formula, tuple[str, ...]]:
        """Return a formula as readers have it, and the names that its parameters have got.

        If it has integers, each quantifier stands in the system of its variables.
        """
        bound = (each.name for node in nodes(formula) if isinstance(node, Quantified) for each in node.variables)
        natural = not any(map(self._is_integer, [*bound, *free_names(formula)]))
        shorter = shortened(formula, self._letters, natural)
        sorted_out = shorter if natural else cast(Formula, self._in_systems(shorter))
        return plainly_named(sorted_out, self._fixed, parameters)

    def _is_integer(self, variable: str) -> bool:
        return self.checker.variables[variable] in self.checker.integers

    def _in_systems(self, node: Node) -> Node:
        """Return a formula each of whose quantifiers stands in the system of its variables."""
        node = map_children(node, self._in_systems)
        if not isinstance(node, Quantified):
            return node
        groups = [(system, tuple(group)) for system, group in groupby(
            node.variables, lambda each: self.checker.variables[each.name])]
        if node.relation and len(groups) > 1:
            raise FibproverError(
                "tuples of integers and of numbers are counted, which is not written for Lean",
                hint="fibprover check --explain says what the certificate proves",
            )
        body = node.body
        for system, variables in reversed(groups):
            body = InSystem(system, Quantified(node.kind, variables, body, node.relation, node.count))
        return body

    def text(self, tree: Formula) -> str:
        """Return a formula in Lean; what it is about has been required."""
        heads = {name: self._applied(head, self._needs.get(name, ())) for name, head in self._predicates.items()}
        numbers = {name: [self._integers.get(each, "") for each in systems]
                   for name, systems in self.checker.arguments.items() if name not in self.checker.definitions}
        return Lean(self._words, heads, self.checker.integers, numbers).text(tree)

    def _applied(self, head: str, needs: Iterable[str]) -> str:
        """Return a name with what it depends on."""
        return " ".join([head, *(one for each in needs if (one := self._head(each)) != head)])

    def _head(self, name: str) -> str:
        return self._predicates.get(name) or self._sequences.get(name) or self._words[name.removeprefix(_WORD)]

    def require(self, tree: Formula) -> tuple[str, ...]:
        """Define what a formula is about, and return what equations determine of it."""
        needs = dict[str, None]()
        for node in nodes(tree):
            if isinstance(node, WordValue):
                self._require_numbers(f"{node.word}[")
                needs |= dict.fromkeys(self._require_word(node.word))
            elif isinstance(node, Call):
                if node.name not in self.checker.definitions:
                    self._require_numbers(node.name)
                needs |= dict.fromkeys(self._require_predicate(node.name))
        return tuple(needs)

    def _shared(self, *names: str) -> None:
        """Write declarations that several use, once."""
        self.blocks += [SHARED[name] for name in names if SHARED[name] not in self.blocks]

    # -- words

    def _require_word(self, word: str) -> tuple[str, ...]:
        if word not in self._written:
            self._written.add(word)
            self._write_word(word)
        return (_WORD + word,) if _WORD + word in self.determined else ()

    def _write_word(self, word: str) -> None:
        systems, automaton = self.checker.words[word]
        name, own = self._words[word], [self.checker.systems[each] for each in systems]
        said = self.checker.letters(systems, automaton, self.checker.series.get(word, ""))
        found = fibcheck.fixed_point(own[0], automaton) if len(own) == 1 else None
        if found is not None:
            self._shared("fixedPoint")
            text = definitions.fixed_point_word(name, self.new(f"{name}_image"), self.new(f"{name}_coding"), *found)
            self.blocks.append(comment(f"{word}: {said}.") + text)
            return
        series = self._series.get(word, {})
        if "equation" in series:
            modulus = series["prime"] ** series["exponent"]
            equation = definitions.series_equation(name, series["equation"], series["first"] % modulus, modulus)
            determined = Determined(self.new(f"{name}_series"), (name,), ("ℕ → ℕ",), ())
            self._write_determined(determined, [_WORD + word], equation, said)
            return
        digits = [self._digits(each) for each in systems]
        self._shared("automaton", *(["padded"] if len(systems) > 1 else []))
        self.undefined.append(word)
        sizes = [each.digits for each in own]
        text = definitions.automaton_word(
            name, self.new(f"{name}_table"), _parameters(len(systems)), digits, sizes, automaton)
        instead = "AN AUTOMATON stands here for" if word in self.checker.series else f"{_UNDEFINED};"
        self.blocks.append(comment(f"{word}: {instead} {said}.") + text)

    # -- predicates

    def _require_predicate(self, predicate: str) -> tuple[str, ...]:
        if predicate not in self._needs:
            self._needs[predicate] = self._write_predicate(predicate)
        return self._needs[predicate]

    def _write_predicate(self, predicate: str) -> tuple[str, ...]:
        checker, name = self.checker, self._predicates[predicate]
        if predicate in self._floors:
            text = definitions.floor(name, ("n", "m"), self._floors[predicate])
            self.blocks.append(comment(f"{predicate}: {checker.meanings[predicate]}.") + text)
        elif predicate in checker.definitions:
            return self._write_definition(predicate)
        elif predicate in checker.additions:
            self.blocks.append(f"def {name} (x y z : ℕ) : Prop := x + y = z\n")
        elif predicate in self._expressions:
            self._write_expression(predicate)
        elif predicate in checker.meanings:
            recursion = next(each for each in self.recursions if predicate in (one["name"] for one in each))
            self.require_recursion(recursion)
            return (predicate,)
        else:
            self._write_automaton(predicate)
        return ()

    def _write_definition(self, predicate: str) -> tuple[str, ...]:
        """Write a predicate by its formula; it has what equations determine as arguments before its own."""
        parameters, _, source = self.checker.definitions[predicate]
        tree, names = self.tree(self.read(source), parameters)
        needs = self.require(tree)
        kinds = ["ℤ" if self._is_integer(each) else "ℕ" for each in parameters]
        own = "".join(
            f" ({' '.join(lean_name(name) for name, _ in group)} : {kind})"
            for kind, group in groupby(zip(names, kinds, strict=True), lambda each: each[1]))
        self.blocks.append(declared(
            f"def {self._predicates[predicate]}{self._bound(needs)}{own} : Prop :=", self.text(tree)))
        return needs

    def _bound(self, needs: Iterable[str]) -> str:
        """Return parameters for what equations determine."""
        return "".join(f" ({self._head(each)} : {self._type(each)})" for each in needs)

    def _type(self, name: str) -> str:
        found = self.determined[name]
        return found.types[found.solved.index(self._head(name))]

    def _write_expression(self, predicate: str) -> None:
        """Write a predicate by its regular expression."""
        systems, name = self.checker.predicates[predicate][0], self._predicates[predicate]
        digits, parameters, own = self._digits_of(systems), _parameters(len(systems)), self.new(f"{name}_expression")
        self._shared("padded")
        defined, language = definitions.expression(own, self._expressions[predicate], len(systems))
        word = definitions.zipped(parameters, digits)
        self.blocks.append(
            comment(f"{predicate}: {self.checker.meanings[predicate]}, most significant digit first.")
            + defined + "\n" + definitions.read_by(name, parameters, digits, word, language))

    def _write_automaton(self, predicate: str) -> None:
        """Write a predicate without a meaning."""
        systems, automaton = self.checker.predicates[predicate]
        digits, parameters, name = self._digits_of(systems), _parameters(len(systems)), self._predicates[predicate]
        self._shared("padded", "automaton")
        self.undefined.append(predicate)
        sizes, table = [self.checker.systems[each].digits for each in systems], self.new(f"{name}_table")
        ends = definitions.listed(state for state, output in enumerate(automaton.outputs) if output)
        word = definitions.coded_letters("m", parameters, digits, sizes)
        self.blocks.append(
            comment(f"{predicate}: {_UNDEFINED}; {self.checker.members(systems, automaton)}.")
            + definitions.table_of(table, automaton, sizes) + "\n"
            + definitions.read_by(name, parameters, digits, word, f"(automaton {table} {ends}).accepts"))

    # -- digits

    def _digits_of(self, systems: Sequence[str]) -> list[str]:
        return [self._digits(each) for each in systems]

    def _digits(self, system: str) -> str:
        """Return the function that has the digits of a number in a system."""
        if system in self._systems:
            return self._systems[system]
        found, own = self._weights.get(system), self.checker.systems[system]
        name = self._systems[system] = self.new(f"digits_{system}")
        said = f"The digits of `n` in {system}, the most significant one first"
        if found is None:
            self._shared("wordsOver", "automaton")
            self.undefined.append(system)
            text = definitions.counted_digits(name, self.new(f"{name}_table"), own.words, own.digits)
            self.blocks.append(comment(f"{system}: {_UNDEFINED}.  {said}.") + text)
            return name
        first, recurrence = found["first"], found["recurrence"]
        if first == [1] and recurrence == [own.digits]:
            text = definitions.base_digits(name, own.digits)
        elif (first, recurrence) == ([1, 2], [1, 1]):
            text = definitions.zeckendorf_digits(name)
        else:
            self._shared("greedy")
            text = definitions.greedy_digits(
                name, self.new(f"weights_{system}"), first, recurrence, len(own.words.rows))
        self.blocks.append(comment(f"{said}{own.meaning}.") + text)
        return name

    # -- integers

    def _require_numbers(self, name: str) -> None:
        """Write which numbers stand for the integers that a word W, by the name W[, or a predicate is about."""
        for system in self.checker.arguments[name]:
            if system in self.checker.integers and system not in self._integers:
                base = self.checker.integers[system].base
                integer, number = self.new(f"integer_{system}"), self.new(f"number_{system}")
                self._integers[system] = number
                digits = f"base {base}" if base else "sums of 1, 2, 3, 5, ..."
                said = f"The integer for which `n` stands in {system}, by the digits of `n` in {digits}"
                self.blocks.append(comment(f"{said}.") + definitions.integer_of(integer, base))
                self.blocks.append(comment(f"The number that stands for `z` in {system}.")
                                   + definitions.number_of(number, integer))

    # -- recursions and equations

    def require_recursion(self, recursion: Sequence[Mapping[str, Any]]) -> Determined:
        """Write what a recursion says of any predicates in place of those that it is about."""
        names = [one["name"] for one in recursion]
        if names[0] in self.determined:
            return self.determined[names[0]]
        trees, needs = list[Formula](), dict[str, None]()
        solved = tuple(self._predicates[each] for each in names)
        own = {each: self._needs.get(each) for each in names}
        self._needs |= dict.fromkeys(names, ())
        for one in recursion:
            trees.append(self.equation(one))
            needs |= dict.fromkeys(self.require(trees[-1]))
        types = tuple(predicate_type(len(one["parameters"])) for one in recursion)
        text = " ∧ ".join(self.text(each) if len(trees) == 1 else f"({self.text(each)})" for each in trees)
        for each, before in own.items():
            if before is None:
                del self._needs[each]
            else:
                self._needs[each] = before
        found = Determined(self.new(f"{solved[0]}_recursion"), solved, types, tuple(needs))
        return self._write_determined(found, names, text, self.checker.meanings.get(names[0], ""))

    def _write_determined(self, found: Determined, names: Iterable[str], text: str, meaning: str) -> Determined:
        """Write that equations hold."""
        said = comment(f"{', '.join(names)}: {meaning or 'determined by these equations'}.")
        pairs = "".join(f" ({name} : {kind})" for name, kind in zip(found.solved, found.types, strict=True))
        self.blocks.append(said + declared(f"def {found.name}{self._bound(found.needs)}{pairs} : Prop :=", text))
        self.determined |= dict.fromkeys(names, found)
        return found

    def equation(self, one: Mapping[str, Any]) -> Formula:
        """Return an equation of a recursion, for all numbers."""
        variables = tuple(map(Variable, one["parameters"]))
        equation = Binary("<=>", Call(one["name"], variables), read(one["formula"]))
        return self.tree(Quantified("A", variables, equation))[0]

    def require_all(self) -> list[Determined]:
        """Write all recursions and equations of sequences, and return them."""
        for recursion in self.recursions:
            self.require_recursion(recursion)
        for line in self._equations:
            self._require_sequences(line)
        return list(dict.fromkeys(self.determined.values()))

    def _require_sequences(self, line: Mapping[str, Any]) -> None:
        """Write what equations say of any sequences in place of those that they are about."""
        names: list[str] = line["sequences"]
        texts, needs = list[str](), dict[str, None]()
        for one in line["equations"]:
            factors = [(other, index) for _, terms in one["terms"] for other, index in terms]
            for other, _ in factors:
                if other in self.checker.words:
                    needs |= dict.fromkeys(self._require_word(other))
                elif other in self.determined:
                    needs |= {other: None}
                elif other not in names:
                    self._require_representation(other)
            indices = list(dict.fromkeys([one["index"], *(index for _, index in factors)]))
            condition = read(one["where"])
            bound = list(dict.fromkeys([*indices, *sorted(free_names(condition))]))
            where, variables = self.tree(condition, bound)
            needs |= dict.fromkeys(self.require(where))
            plain = dict(zip(bound, map(lean_name, variables), strict=True))
            terms = " + ".join(self._term(coefficient, factors, plain) for coefficient, factors in one["terms"]) or "0"
            equal = f"{self._sequences[one['name']]} {plain[one['index']]} = {terms}"
            before = "" if where == TRUE else f"{self._condition(where)} → "
            texts.append(f"(∀ {' '.join(plain.values())} : ℕ, {before}{equal})")
        solved = tuple(self._sequences[each] for each in names)
        found = Determined(
            self.new(f"{solved[0]}_equations"), solved, ("ℕ → ℚ",) * len(solved), tuple(needs))
        self._write_determined(found, names, " ∧ ".join(texts), "")
        counts = {each: self.new(f"{self._sequences[each]}_count") for each in names if each in self.checker.counts}
        if len(counts) == len(names) and all(self._write_count(*each) for each in counts.items()):
            self.counted[found.name] = tuple(counts.values())

    def _write_count(self, sequence: str, name: str) -> bool:
        """Write what a sequence counts; return False if that depends on what equations determine."""
        tree, (n, *counted), needs = self._tuples(sequence)
        if needs:
            return False
        text = definitions.number_of_tuples(name, n, counted, self.text(tree))
        self.blocks.append(comment(f"{sequence}: {self.checker.counted(sequence)}.") + text)
        return True

    def _tuples(self, sequence: str) -> tuple[Formula, list[str], tuple[str, ...]]:
        """Return the formula of what a sequence counts, the index with the other variables, and what it depends on."""
        index, bound, source = self.checker.counts[sequence]
        tree, names = self.tree(self.read(source), [index, *bound])
        return tree, [*map(lean_name, names)], self.require(tree)

    def finite(self, sequence: str) -> tuple[str, str]:
        """Return the parameters and the statement of the theorem that a sequence counts finitely many for each n."""
        tree, (n, *counted), needs = self._tuples(sequence)
        return self.hypotheses(needs), definitions.finite_tuples(n, counted, self.text(tree))

    def _require_representation(self, sequence: str) -> None:
        """Write a sequence that no equations determine."""
        if sequence in self._written:
            return
        self._written.add(sequence)
        if sequence in self.checker.counts and self._write_count(sequence, self._sequences[sequence]):
            return
        self.undefined.append(sequence)
        system, series = self.checker.sequences[sequence]
        digits = self._digits(system)
        self._shared("linear")
        self.blocks.append(comment(f"{sequence}: {_UNDEFINED.replace('AN AUTOMATON', 'A LINEAR REPRESENTATION')}.")
                           + definitions.linear_representation(self._sequences[sequence], digits, series))

    def _condition(self, tree: Formula) -> str:
        """Return a formula before an arrow."""
        loose = isinstance(tree, Quantified) or (isinstance(tree, Binary) and tree.op in ("=>", "<=>"))
        return f"({self.text(tree)})" if loose else self.text(tree)

    def _term(self, coefficient: Any, factors: Iterable[Sequence[str]], variables: Mapping[str, str]) -> str:
        """Return a coefficient times terms of sequences, and letters of words as rational numbers."""
        number = Fraction(*coefficient) if isinstance(coefficient, list) else Fraction(coefficient)
        texts = [f"({self._words[name]} {variables[index]} : ℚ)" if name in self._words
                 else f"{self._sequences[name]} {variables[index]}" for name, index in factors]
        if number != 1 or not texts:
            whole = f"{number.numerator}" if number >= 0 else f"({number.numerator})"
            texts.insert(0, whole if number.denominator == 1 else f"({number.numerator} / {number.denominator} : ℚ)")
        return " * ".join(texts)

    # -- theorems

    def hypotheses(self, needs: Iterable[str]) -> str:
        """Return the parameters of a theorem: anything that equations determine, and that they hold."""
        return "".join(
            "".join(f" ({name} : {kind})" for name, kind in zip(each.solved, each.types, strict=True))
            + f" (h_{each.name} : {self.holds(each, each.solved)})" for each in self._in_order(needs))

    def _in_order(self, needs: Iterable[str]) -> list[Determined]:
        """Return equations, each after those that it depends on."""
        found = dict[Determined, None]()
        for each in needs:
            equations = self.determined[each]
            found |= dict.fromkeys([*self._in_order(equations.needs), equations])
        return list(found)

    def holds(self, equations: Determined, solved: Iterable[str]) -> str:
        """Return that equations hold of some predicates, or sequences."""
        return " ".join([equations.name, *map(self._head, equations.needs), *solved])


def _parameters(number: int) -> list[str]:
    """Return names of parameters."""
    if number <= len(_PARAMETERS):
        return list(_PARAMETERS[:number])
    return [f"x_{place}" for place in range(1, number + 1)]


def conjuncts(tree: Formula) -> Iterator[Formula]:
    """Yield the parts of a conjunction."""
    if isinstance(tree, Binary) and tree.op == "&":
        yield from conjuncts(tree.left)
        yield from conjuncts(tree.right)
    else:
        yield tree
