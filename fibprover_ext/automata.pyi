from array import array
from collections.abc import Sequence
from typing import TypeAlias

Arrays: TypeAlias = tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int]]
"""Offsets, codes, targets and outputs of an automaton."""

Integers: TypeAlias = memoryview[int] | array[int]

class KernelError(Exception): ...
class TooLargeError(KernelError): ...
class InvalidArrayError(KernelError): ...

class BudgetExhausted(KernelError):
    resource: str
    limit: float
    states: int
    transitions: int
    def __init__(self, resource: str, limit: float, states: int, transitions: int) -> None: ...

class Meter:
    max_states: int
    max_transitions: int
    max_bytes: int
    ceiling: int
    states: int
    transitions: int
    bytes: int
    polls: int
    threads: int
    def __init__(
        self,
        states: int = ...,
        transitions: int = ...,
        bytes: int = ...,  # noqa: A002
        deadline: float = ...,
        ceiling: int = ...,
        cpu_deadline: float = ...,
        threads: int = ...,
    ) -> None: ...

class Csr:
    states: int
    transitions: int
    letters: int
    def __init__(
        self,
        offsets: memoryview[int],
        codes: memoryview[int],
        targets: memoryview[int],
        outputs: memoryview[int],
        letters: int,
    ) -> None: ...
    def export(self) -> Arrays: ...

class Recode:
    letters: int
    def __init__(
        self, radices: tuple[int, ...], weights: tuple[int, ...], letters: int, uses: int, meter: Meter
    ) -> None: ...

class WordSearch:
    ended: bool
    def __init__(
        self, a: Csr, zero: int, radices: tuple[int, ...], weights: Integers, places: int, meter: Meter
    ) -> None: ...
    def numbers(self, count: int, meter: Meter) -> memoryview[int]: ...
    def codes(self, count: int, meter: Meter) -> tuple[int, int, memoryview[int]]: ...

class LineWriter:
    def __init__(
        self,
        a: Csr,
        digits: tuple[tuple[bytes, ...], ...],
        state_line: tuple[bytes, ...],
        ends: tuple[bytes, ...],
        meter: Meter,
    ) -> None: ...
    def piece(self, size: int, meter: Meter) -> bytes: ...

class Recurrence:
    terms: list[int]
    def __init__(
        self,
        transient: int,
        order: int,
        feedback: Sequence[int],
        terms: Sequence[int],
        lows: Sequence[int],
        highs: Sequence[int],
        powers: Sequence[float],
        spread: Sequence[float],
        ranges: Sequence[float],
    ) -> None: ...

def give_back() -> None: ...

# Unreachable states, minimization, questions.
def trim(a: Csr, meter: Meter) -> Arrays: ...
def minimize(a: Csr, as_relation: bool, meter: Meter) -> Arrays: ...
def renumber(a: Csr, meter: Meter) -> Arrays: ...
def is_empty(a: Csr, meter: Meter) -> bool: ...
def shortest_word(a: Csr, meter: Meter) -> tuple[int, ...] | None: ...
def is_finite(a: Csr, zero: int, meter: Meter) -> bool: ...
def count_words(a: Csr, length: int, meter: Meter) -> int: ...
def collisions(a: Csr, kept: Recode, meter: Meter) -> int: ...
def reorder(a: Csr, code: Recode, meter: Meter) -> Arrays: ...
def numbered_words(a: Csr, marks: bytes | bytearray, length: int, meter: Meter) -> Arrays: ...

# Files and drawings.
def read_lines(text: str, begin: int, alphabets: tuple[tuple[int, ...], ...], meter: Meter) -> Arrays | None: ...
def edges(a: Csr, meter: Meter) -> Arrays: ...

# Products of two automata.
def join(a: Csr, b: Csr, key_a: Recode, part_a: Recode, key_b: Recode, part_b: Recode, meter: Meter) -> Arrays: ...
def join_word(
    a: Csr, b: Csr, key_a: Recode, key_b: Recode, meter: Meter
) -> tuple[tuple[int, int], ...] | None: ...
def union(a: Csr, b: Csr, code_a: Recode, code_b: Recode, most: int, meter: Meter) -> Arrays: ...
def difference(a: Csr, b: Csr, key_a: Recode, part_a: Recode, key_b: Recode, meter: Meter) -> Arrays: ...
def difference_word(a: Csr, b: Csr, key_a: Recode, key_b: Recode, meter: Meter) -> tuple[int, ...] | None: ...

# Subset constructions.
class Nfa:
    states: int
    transitions: int
    parts: tuple[Csr, ...]
    kept: tuple[Recode, ...]
    zero: int
    def __init__(self, parts: tuple[Csr, ...], kept: tuple[Recode, ...], zero: int, meter: Meter) -> None: ...
    def reversed(self, meter: Meter) -> Nfa: ...
    def removing(self, letter: int, meter: Meter) -> Nfa: ...

class Simulation:
    pairs: int
    steps: int
    def __init__(self, nfa: Nfa, meter: Meter) -> None: ...
    def run(self, steps: int) -> bool: ...
    def simulating(self, state: int) -> bytes: ...

class SubsetConstruction:
    states: int
    open: int
    steps: int
    def __init__(self, nfa: Nfa, simulation: Simulation | None, meter: Meter) -> None: ...
    def run(self, steps: int) -> bool: ...
    def export(self) -> Arrays: ...

def guarded_difference(
    a: Csr, b: Csr, key_a: Recode, part_a: Recode, kept_b: Recode, zero: int, meter: Meter
) -> Arrays: ...
def guarded_difference_word(
    a: Csr, b: Csr, key_a: Recode, kept_b: Recode, zero: int, meter: Meter
) -> tuple[int, ...] | None: ...
def count_runs(a: Csr, kept: Recode, zero: int, least: int, exactly: bool, meter: Meter) -> Arrays: ...

# Linear atoms over a recurrence.
def linear_atom(
    valid: Csr,
    radix: int,
    coefficients: Integers,
    relation: int,
    constant: int,
    extent: int,
    recurrence: Recurrence,
    meter: Meter,
) -> Arrays: ...
def join_linear(
    a: Csr,
    weight: Recode,
    part: Recode,
    radix: int,
    coefficients: Integers,
    relation: int,
    constant: int,
    extent: int,
    recurrence: Recurrence,
    meter: Meter,
) -> Arrays: ...
def join_congruence(
    a: Csr, weight: Recode, modulus: int, residue: int, recurrence: Recurrence, meter: Meter
) -> Arrays: ...
def join_linear_is_empty(
    a: Csr,
    weight: Recode,
    radix: int,
    coefficients: Integers,
    relation: int,
    constant: int,
    extent: int,
    recurrence: Recurrence,
    meter: Meter,
) -> bool: ...
