"""Definitions in Lean 4 with Mathlib: what words, digits, regular expressions and automata are.

Each function returns the text of declarations; names are given.  Words are functions of natural numbers, and digits are
lists, the most significant one first.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from fibprover.checker.fibcheck import Automaton, Series

WIDTH = 100

#: Declarations that others use, by their names.
SHARED: Mapping[str, str] = MappingProxyType({
    "fixedPoint": """\
/-- The `n`-th letter of the fixed point of the morphism `h` that begins with the letter `a`: that of
its `n`-th iterate on `a`.  The image of `a` begins with `a` and is longer, and no image is empty,
so further iterates have the same letter there. -/
def fixedPoint (h : ℕ → List ℕ) (a n : ℕ) : ℕ :=
  ((fun w : List ℕ => w.flatMap h)^[n] [a]).getD n 0
""",
    "padded": """\
/-- A list of digits with zeros in front, up to the length `m`. -/
def padded (m : ℕ) (w : List ℕ) : List ℕ :=
  List.replicate (m - w.length) 0 ++ w
""",
    "greedy": """\
/-- The greedy representation of `n` by `k` digits for the weights `U`. -/
def greedy (U : ℕ → ℕ) : ℕ → ℕ → List ℕ
  | 0, _ => []
  | k + 1, n => n / U k :: greedy U k (n % U k)
""",
    "wordsOver": """\
/-- The words of `k` digits below `d`, in their order. -/
def wordsOver (d : ℕ) : ℕ → List (List ℕ)
  | 0 => [[]]
  | k + 1 => (List.range d).flatMap (fun a => (wordsOver d k).map (fun w => a :: w))
""",
    "automaton": """\
/-- The automaton with a table of targets, a row for each state; state 0 is the first, and what has
no target is refused. -/
def automaton (table : List (List ℕ)) (accepting : List ℕ) : DFA ℕ ℕ :=
  DFA.mk (fun q a => (table.getD q []).getD a table.length) 0 {q : ℕ | q ∈ accepting}
""",
    "linear": """\
/-- The term of a linear representation: a row, times a matrix for each digit, times the last column.
Matrices are lists of columns. -/
def linear (row : List ℚ) (matrices : List (List (List ℚ))) (last : List ℚ) (w : List ℕ) : ℚ :=
  (List.zipWith (fun x y => x * y) (w.foldl (fun v d => (matrices.getD d []).map
    (fun c => (List.zipWith (fun x y => x * y) v c).sum)) row) last).sum
""",
})


def comment(text: str) -> str:
    """Return a comment that documents a declaration; Lean's comments have comments within, so no sign may begin one."""
    bare = text.replace("-/", "- /").replace("/-", "/ -")
    return wrapped(f"/-- {bare} -/")


def wrapped(text: str, indent: int = 0, first: int | None = None) -> str:
    """Return a text in lines that are indented, the first one in its own way."""
    begin = " " * (indent if first is None else first)
    lines = textwrap.wrap(text, WIDTH, initial_indent=begin, subsequent_indent=" " * indent, break_long_words=False,
                          break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def declared(head: str, body: str, indent: int = 2) -> str:
    """Return a declaration: its head, and below it what follows."""
    return wrapped(head, 4, 0) + wrapped(body, indent)


def listed(numbers: Iterable[object]) -> str:
    """Return a list."""
    return f"[{', '.join(map(str, numbers))}]"


def predicate_type(places: int) -> str:
    """Return the type of a predicate of so many numbers."""
    return " → ".join(["ℕ"] * places + ["Prop"])


def letters_type(outputs: Iterable[int]) -> str:
    """Return the type of the letters of a word."""
    return "ℤ" if min(outputs, default=0) < 0 else "ℕ"


# -- words -----------------------------------------------------------------------------------


def fixed_point_word(
    name: str, image: str, coding: str, images: Sequence[Sequence[int]], outputs: Sequence[int]
) -> str:
    """Return the definition of a word by a morphism; image, coding: names for the morphism and for its letters."""
    plain = len(set(outputs)) == len(outputs) and min(outputs) >= 0
    letters = list(outputs) if plain else list(range(len(images)))
    cases = [f"  | {letter} => {listed(letters[each] for each in own)}"
             for letter, own in zip(letters, images, strict=True)]
    text = "\n".join([f"def {image} : ℕ → List ℕ", *cases, "  | _ => []"]) + "\n\n"
    kind = letters_type(outputs)
    letter = f"fixedPoint {image} {letters[0]} n"
    if plain:
        return f"{text}def {name} (n : ℕ) : ℕ := {letter}\n"
    coded = [f"  | {letter} => {value}" for letter, value in zip(letters, outputs, strict=True)]
    text += "\n".join([f"def {coding} : ℕ → {kind}", *coded, "  | _ => 0"]) + "\n\n"
    return f"{text}def {name} (n : ℕ) : {kind} := {coding} ({letter})\n"


def automaton_word(
    name: str, table: str, variables: Sequence[str], digits: Sequence[str], sizes: Sequence[int], word: Automaton
) -> str:
    """Return the definition of a word by an automaton; digits: the functions that read the variables."""
    lengths = [f"({each} {variable}).length" for each, variable in zip(digits, variables, strict=True)]
    longest = lengths[0]
    for length in lengths[1:]:
        longest = f"max ({longest}) ({length})"
    single = f"({digits[0]} {variables[0]})"
    read = coded_letters(f"({longest})", variables, digits, sizes) if len(sizes) > 1 else single
    kind = letters_type(word.outputs)
    outputs = f"({listed(word.outputs)} : List {kind})"
    return f"{table_of(table, word, sizes)}\n" + declared(
        f"def {name} ({' '.join(variables)} : ℕ) : {kind} :=",
        f"{outputs}.getD ((automaton {table} []).eval {read}) 0")


def table_of(name: str, automaton: Automaton, sizes: Sequence[int]) -> str:
    """Return the table of an automaton: a letter of several digits is a number in mixed radix."""
    size = 1
    for each in sizes:
        size *= each
    rows = []
    for row in automaton.rows:
        targets = [len(automaton.rows)] * size
        for letter, there in row.items():
            code = 0
            for digit, each in zip(letter, sizes, strict=True):
                code = code * each + digit
            targets[code] = there
        rows.append(listed(targets))
    return declared(f"def {name} : List (List ℕ) :=", listed(rows))


def coded_letters(length: str, variables: Sequence[str], digits: Sequence[str], sizes: Sequence[int]) -> str:
    """Return the list of letters, as numbers in mixed radix, of some numbers of one length."""
    columns = [f"(padded {length} ({each} {variable}))" for each, variable in zip(digits, variables, strict=True)]
    read = columns[0]
    for column, size in zip(columns[1:], sizes[1:], strict=True):
        read = f"(List.zipWith (fun a b => a * {size} + b) {read} {column})"
    return read


def series_equation(name: str, equation: Iterable[Sequence[int]], first: int, modulus: int) -> str:
    """Return that a word has the coefficients of a power series y, modulo some number, with P(X,y) = 0.

    equation: of each term of P its coefficient, and the exponents of X and y; first: the first letter.
    """
    said = ""
    for number, *exponents in equation:
        powers = zip(("PowerSeries.X", "y"), exponents, strict=True)
        factors = [each if power == 1 else f"{each} ^ {power}" for each, power in powers if power]
        if abs(number) != 1 or not factors:
            factors.insert(0, str(abs(number)))
        sign = (" - " if number < 0 else " + ") if said else "-" if number < 0 else ""
        said += sign + " * ".join(factors)
    letters = f"PowerSeries.mk (fun n => ({name} n : ZMod {modulus}))"
    return (f"{name} 0 = {first} ∧ (∀ n : ℕ, {name} n < {modulus}) ∧ "
            f"(fun y : PowerSeries (ZMod {modulus}) => {said} = 0) ({letters})")


def linear_representation(name: str, digits: str, series: Series) -> str:
    """Return the definition of a sequence by its linear representation."""
    size = range(len(series.row))
    matrices = [[listed([row.get(column, 0) for row in matrix]) for column in size] for matrix in series.matrices]
    return declared(
        f"def {name} (n : ℕ) : ℚ :=",
        f"linear {listed(series.row)} {listed(map(listed, matrices))} {listed(series.column)} ({digits} n)")


def number_of_tuples(name: str, variable: str, counted: Sequence[str], formula: str) -> str:
    """Return the definition of a sequence: of how many values of some variables a formula is true beside n."""
    return declared(
        f"noncomputable def {name} ({variable} : ℕ) : ℚ :=", f"(Set.ncard {_tuples(counted, formula)} : ℚ)")


def finite_tuples(variable: str, counted: Sequence[str], formula: str) -> str:
    """Return the statement that a formula is true for finitely many values of some variables beside each n."""
    return f"∀ {variable} : ℕ, Set.Finite {_tuples(counted, formula)}"


def _tuples(counted: Sequence[str], formula: str) -> str:
    tuples = counted[0] if len(counted) == 1 else f"({', '.join(counted)})"
    return f"{{{tuples} : {' × '.join('ℕ' for _ in counted)} | {formula}}}"


# -- predicates ------------------------------------------------------------------------------


def read_by(name: str, variables: Sequence[str], digits: Sequence[str], word: str, language: str) -> str:
    """Return the definition of a predicate: that a language has the digits of some numbers, with zeros in front.

    word: the list of letters of the length m.
    """
    long = [f"({each} {variable}).length ≤ m" for each, variable in zip(digits, variables, strict=True)]
    body = " ∧ ".join([*long, f"{word} ∈ {language}"])
    return declared(f"def {name} ({' '.join(variables)} : ℕ) : Prop :=", f"∃ m : ℕ, {body}")


def zipped(variables: Sequence[str], digits: Sequence[str]) -> str:
    """Return the list of tuples of digits of some numbers, of the length m."""
    columns = [f"(padded m ({each} {variable}))" for each, variable in zip(digits, variables, strict=True)]
    read = columns[-1]
    for column in reversed(columns[:-1]):
        read = f"(List.zip {column} {read})"
    return read


def expression(name: str, tree: Sequence[Any], tracks: int) -> tuple[str, str]:
    """Return the definition of a regular expression over tuples of digits, and its words, a `Language`.

    Mathlib's expressions have no intersection and no complement: with these, languages are combined.
    """
    digits = " × ".join(["ℕ"] * tracks)
    kind = digits if tracks == 1 else f"({digits})"
    if _is_plain(tree):
        return declared(f"def {name} : RegularExpression {kind} :=", _expression(tree, "")), f"{name}.matches'"
    return declared(f"def {name} : Language {kind} :=", _expression(tree, kind)), name


_SUM, _MEET, _PRODUCT, _POWER, _APPLIED, _CLOSED = range(6)


def _is_plain(tree: Sequence[Any]) -> bool:
    """Return whether an expression has no intersection and no complement."""
    kind, *rest = tree
    parts = [] if kind == "letters" else rest[:1] if kind == "repeat" else rest
    return kind not in ("and", "not") and all(map(_is_plain, parts))


def _expression(tree: Sequence[Any], letters: str, level: int = _SUM) -> str:
    """Return a regular expression, in brackets if it binds less tightly than a level.

    letters: their type, if what is returned is a `Language`; empty if it is a `RegularExpression`.
    """
    kind, *rest = tree
    if letters and _is_plain(tree):
        own, text = _APPLIED, f"RegularExpression.matches' ({_expression(tree, '')} : RegularExpression {letters})"
    elif kind == "letters":
        if len(rest) == 1:
            (letter,) = rest
            digits = str(letter[0]) if len(letter) == 1 else f"({', '.join(map(str, letter))})"
            own, text = _APPLIED, f"RegularExpression.char {digits}"
        else:
            own, text = _joined(_SUM, " + ", [["letters", letter] for letter in rest], letters)
    elif kind == "repeat":
        body, least, most = rest
        own, text = _repeated(body, least, most, letters)
    elif kind == "not":
        own, text = _CLOSED, f"{_expression(rest[0], letters, _CLOSED)}ᶜ"
    elif len(rest) == 1:
        return _expression(rest[0], letters, level)
    elif rest:
        own, sign = {"or": (_SUM, " + "), "and": (_MEET, " ⊓ "), "then": (_PRODUCT, " * ")}[kind]
        own, text = _joined(own, sign, rest, letters)
    else:
        own, text = _CLOSED, "1"
    return text if own >= level else f"({text})"


def _joined(level: int, sign: str, parts: Sequence[Sequence[Any]], letters: str) -> tuple[int, str]:
    """Return expressions with an operator between them, and how tightly it binds: to the left."""
    texts = [_expression(one, letters, level if place == 0 else level + 1) for place, one in enumerate(parts)]
    return level, sign.join(texts)


def _repeated(body: Sequence[Any], least: int, most: int, letters: str) -> tuple[int, str]:
    """Return an expression that is repeated, most = -1 for any number, and how tightly it binds."""
    closed = _expression(body, letters, _CLOSED)
    factors = [f"{closed} ^ ({least} : ℕ)" if least > 1 else _expression(body, letters, _POWER)] if least else []
    if most == -1:
        factors.append(f"KStar.kstar {closed}" if letters else f"{closed}.star")
    elif most > least:
        optional = f"(1 + {_expression(body, letters, _MEET)})"
        factors.append(f"{optional} ^ ({most - least} : ℕ)" if most > least + 1 else optional)
    if not factors:
        return _CLOSED, "1"
    if len(factors) > 1:
        return _PRODUCT, " * ".join(factors)
    if most == -1:
        return _APPLIED if letters else _CLOSED, factors[0]
    return (_POWER if least > 1 or most > least + 1 else _APPLIED), factors[0]


def floor(name: str, variables: Sequence[str], slope: int) -> str:
    """Return the definition of m = floor(n (2-s+sqrt(s^2+4))/2)."""
    n, m = variables
    alpha = f"{f'{2 - slope}' if slope < 3 else f'(-{slope - 2})'} + Real.sqrt {slope * slope + 4}"
    return f"def {name} ({n} {m} : ℕ) : Prop := {m} = ⌊({n} : ℝ) * (({alpha}) / 2)⌋₊\n"


# -- digits ----------------------------------------------------------------------------------


def base_digits(name: str, base: int) -> str:
    """Return the definition of the digits of a number in a base."""
    return f"def {name} (n : ℕ) : List ℕ := (Nat.digits {base} n).reverse\n"


def zeckendorf_digits(name: str) -> str:
    """Return the definition of the digits of a number as a sum of Fibonacci numbers 1, 2, 3, 5, ..."""
    return (f"def {name} (n : ℕ) : List ℕ :=\n"
            "  (List.range (Nat.greatestFib n - 1)).reverse.map\n"
            "    (fun j => if j + 2 ∈ Nat.zeckendorf n then 1 else 0)\n")


def greedy_digits(name: str, weights: str, first: Sequence[int], recurrence: Sequence[int], states: int) -> str:
    """Return the definition of greedy digits, and of the weights, which obey a recurrence.

    states: of the automaton of the system: among so many lengths that follow each other there is one that some number
    has, so n has at most states * n digits.
    """
    order = len(first)
    terms: dict[int, list[str]] = {1: [], -1: []}
    for place, factor in enumerate(recurrence):
        back = order - 1 - place
        if factor:
            term = f"{weights} {f'(n + {back})' if back else 'n'}"
            terms[1 if factor > 0 else -1].append(term if abs(factor) == 1 else f"{abs(factor)} * {term}")
    said = " - ".join([" + ".join(terms[1]) or "0", *terms[-1]])
    cases = [f"  | {place} => {value}" for place, value in enumerate(first)] + [f"  | n + {order} => {said}"]
    length = "n" if states == 1 else f"({states} * n)"
    return ("\n".join([f"def {weights} : ℕ → ℕ", *cases]) + "\n\n"
            f"def {name} (n : ℕ) : List ℕ :=\n  (greedy {weights} {length} n).dropWhile (fun d => d == 0)\n")


def integer_of(name: str, base: int) -> str:
    """Return the definition of the integer for which a number stands, in base -base; in negaFibonacci if that is 0.

    The Fibonacci number fib i, of the i-th place from 2 on, stands there for (-1)^i fib(i-1): 1, -1, 2, -3, ...
    """
    value = f"Nat.ofDigits (-{base} : ℤ) (Nat.digits {base} n)"
    if not base:
        value = "((Nat.zeckendorf n).map (fun i => (-1 : ℤ) ^ i * (Nat.fib (i - 1) : ℤ))).sum"
    return declared(f"def {name} (n : ℕ) : ℤ :=", value)


def number_of(name: str, integer: str) -> str:
    """Return the definition of the number that stands for an integer, of which there is one; integer: the inverse."""
    return declared(f"noncomputable def {name} (z : ℤ) : ℕ :=", f"sInf {{n : ℕ | {integer} n = z}}")


def counted_digits(name: str, table: str, numbers: Automaton, digits: int) -> str:
    """Return the definition of digits by an automaton: the n-th of the words that it accepts."""
    ends = listed(state for state, output in enumerate(numbers.outputs) if output)
    accepted = f"({ends} : List ℕ).contains ((automaton {table} []).eval w)"
    words = f"(fun k => (wordsOver {digits} k).filter (fun w => w.headD 1 != 0 && {accepted}))"
    return table_of(table, numbers, [digits]) + "\n" + declared(
        f"def {name} (n : ℕ) : List ℕ :=",
        f"((List.range ({len(numbers.rows)} * n + 1)).flatMap {words}).getD n []")
