"""The meaning of what a certificate says, by brute force: numbers are counted off, words and predicates are run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from fibprover.checker import fibcheck
from fibprover.checker.fibcheck import Automaton, Checker, Formula
from fibprover.prover.certificate.writing import Certificate

#: What a check in the tests may spend.
SECONDS, STEPS, BYTES = 60.0, 20_000_000, 20_000_000


def checked(content: bytes, folder: Path) -> Checker:
    """What the checker has read in a file with this content; raises Malformed or Invalid."""
    file = folder / "certificate.jsonl.gz"
    file.write_bytes(content)
    return fibcheck.check(str(file), SECONDS, STEPS, BYTES)


def checked_lines(lines: Iterator[Any] | list[Any], folder: Path) -> Checker:
    """The same for lines."""
    return checked(Certificate(True, tuple(lines)).content, folder)


def run(automaton: Automaton, words: list[list[int]]) -> int | None:
    """The output after the words, which get zeros in front until they are equally long; None where one is refused."""
    length = max(map(len, words), default=0)
    state: int | None = 0
    for letter in zip(*([0] * (length - len(word)) + word for word in words), strict=True):
        state = automaton.rows[state].get(tuple(letter)) if state is not None else None
    return None if state is None else automaton.outputs[state]


def stood_for(number: int, base: int) -> int:
    """The integer with the digits in base -base that a number has in base `base`."""
    found, weight = 0, 1
    while number:
        number, digit = divmod(number, base)
        found, weight = found + digit * weight, -base * weight
    return found


def stood_for_in_fibonacci(number: int) -> int:
    """The integer with the digits in negaFibonacci that a number has as a greedy sum of 1, 2, 3, 5, ..."""
    weights = [(1, 1), (2, -1)]  # of the number, and of the integer
    while weights[-1][0] <= number:
        (a, b), (c, d) = weights[-2:]
        weights.append((a + c, b - d))
    found = 0
    for own, other in reversed(weights):
        if own <= number:
            number, found = number - own, found + other
    return found


class Meaning:
    """The truth of formulas with variables in 0..bound.

    Variables for integers have as their values the numbers that stand for them; sums are sums of the integers.
    """

    def __init__(self, checker: Checker, bound: int) -> None:
        self.checker, self.bound = checker, bound
        self.bodies: dict[str, Formula] = {}
        self.words = {name: self.first(system.words) for name, system in checker.systems.items()}

    def first(self, automaton: Automaton) -> list[list[int]]:
        """The words of the numbers 0..bound: those without zeros in front, by length, then by digits."""
        level: list[tuple[list[int], int]] = [([], 0)]
        found: list[list[int]] = []
        while len(found) <= self.bound:
            found += [word for word, state in level if automaton.outputs[state]]
            level = [
                ([*word, digit], there)
                for word, state in level for (digit,), there in sorted(automaton.rows[state].items())
                if word or digit
            ]
        return found[: self.bound + 1]

    def output(self, automaton: Automaton, names: tuple[str, ...], values: Mapping[str, int]) -> int | None:
        """The output of an automaton after the words of some variables."""
        return run(automaton, [self.words[self.checker.system(name)][values[name]] for name in names])

    def amount(self, name: str, values: Mapping[str, int]) -> int:
        """What a variable adds to a sum."""
        integers = self.checker.integers.get(self.checker.variables[name])
        if integers is None:
            return values[name]
        return stood_for(values[name], integers.base) if integers.base else stood_for_in_fibonacci(values[name])

    def definition(self, name: str) -> tuple[list[str], Formula]:
        """The parameters of a definition and its formula, as it is printed if there are integers."""
        parameters, body, text = self.checker.definitions[name]
        if self.checker.integers and name not in self.bodies:
            self.bodies[name] = self.checker.read(self.checker.spoken(text))
        return parameters, self.bodies.get(name, body)

    def holds(self, formula: Formula, values: Mapping[str, int]) -> bool:
        match formula:
            case ("linear", names, coefficients, sign, constant):
                total = sum(factor * self.amount(name, values)
                            for name, factor in zip(names, coefficients, strict=True))
                return bool(total == constant if sign == "=" else total < constant)
            case ("letter", names, word, letter):
                return bool(self.output(self.checker.words[word][1], names, values) == letter)
            case ("call", names, name) if name in self.checker.predicates:
                return bool(self.output(self.checker.predicates[name][1], names, values))
            case ("call", names, name):
                parameters, body = self.definition(name)
                return self.holds(body, dict(zip(parameters, (values[x] for x in names), strict=True)))
            case ("block", bound, parts):
                return any(all(self.holds(part, more) for part in parts) for more in self.all(bound, values))
            case ("not", _, bodies):
                return not any(self.holds(body, values) for body in bodies)
            case ("iff", _, sides):
                return len({self.holds(side, values) for side in sides}) == 1
            case (int(count), bound, bodies):
                return sum(any(self.holds(one, more) for one in bodies) for more in self.all(bound, values)) >= count
        raise AssertionError(formula)

    def all(self, bound: frozenset[str], values: Mapping[str, int]) -> Iterator[dict[str, int]]:
        """The values with any values of the bound variables."""
        names = sorted(bound)
        for own in product(range(self.bound + 1), repeat=len(names)):
            yield {**values, **dict(zip(names, own, strict=True))}
