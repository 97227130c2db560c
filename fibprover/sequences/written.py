"""Recursions and closed forms of sequences, as people write them: a(2n+1) = 2 a(n) + n + 1, or a(n.1) = 2 a(n) + 1.

Sums that few terms suggest are tried, the simplest first, and each one is proved by an equality of linear
representations: of all n, or of all n but 0, where the term is given then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from fibprover.base.limits import poll
from fibprover.sequences.rational import Matrix, Number, matrix_of, plain
from fibprover.sequences.series import Series, constant
from fibprover.sequences.subsequence import followed

#: Sums are fitted to so many values, and coefficients with larger numbers are no sums that people write.
FITTED, LARGEST = 40, 1000

#: So many first numbers are looked through for those with n.d.
_LOOKED = 300

#: Over larger bases there are no formulas for each first digit.
_MOST_PIECES = 10

#: The powers of the base that are tried as factors of n on left sides.
_SIZES = (1, 2)


class _Part(NamedTuple):
    """A part of a sum: what it is called, as a sequence of n, and (K, s) if it is the term a(K n + s)."""

    name: str
    sequence: Series
    term: tuple[int, int] | None = None


def written_recursion(sequence: Series, name: str = "a") -> tuple[str, ...] | None:
    """Return first terms and equations that determine a sequence, proved; None if there are no simple ones.

    Equations over base k are about a(k n + r) for all r, or about a(k^2 n + r).  Over other systems they are about
    a(n.d), the term at the number whose digits are those of n and d; an equation holds where there is one.

    >>> from fibprover.sequences.written import written_recursion
    >>> found = fp.Session().solve("a", "a(0)=0, a(n)=a(floor(n/2))+n for n>0")
    >>> written_recursion(found.sequence)
    ('a(0) = 0', 'a(2n) = a(n) + 2 n', 'a(2n+1) = a(n) + 2 n + 1')
    """
    base = _base(sequence)
    if len(sequence.systems) > 1 or not sequence.dimension:
        return None
    if base is None:
        return _equations_of_digits(sequence, name)
    for size in _SIZES:
        found = _equations(sequence, base, size, name)
        if found is not None:
            return found
    return None


def _equations(sequence: Series, base: int, size: int, name: str) -> tuple[str, ...] | None:
    """Return the equations about a(base^size n + r)."""
    factor = base**size
    if factor > 16:
        return None
    n = constant(sequence.system, 1).partial_sums()
    given: set[int] = set()
    texts = []
    for rest in range(factor):
        poll()
        target = sequence.subsequence(factor, rest)
        for parts in _sums(sequence, base, size, n, name):
            factors = _fit(target, parts, n)
            if factors is not None:
                break
        else:
            return None
        used = [(each, part) for each, part in zip(factors, parts, strict=True) if each]
        texts.append(f"{name}({_index(factor, rest)}) = {_sum_text(used)}")
        given |= _needed(target, used, factor, rest)
    first = [f"{name}({number}) = {sequence[number]}" for number in sorted(given)]
    return (*first, *texts)


def _equations_of_digits(sequence: Series, name: str) -> tuple[str, ...] | None:
    """Return the equations about a(n.d), over a system that is no base."""
    system = sequence.system
    words = system.valid
    if system.signed or system.msd_first != system or len(system.digits) > 10:
        return None
    # No number has a word n.d where n is no representation.
    rows = [(state, there) for state in range(words.states) for _, there in words.row(state)]
    if any(words.outputs[there] and not words.outputs[state] for state, there in rows):
        return None
    one = constant(system, 1)
    n = one.partial_sums()
    parts = [_Part(f"{name}(n)", sequence), _Part("1", one)]
    given, texts = {0}, []
    for digit in system.digits:
        target, valid = followed(sequence, (digit,)), followed(one, (digit,))
        held = [k for k, each in enumerate(valid[:_LOOKED]) if each and k][:FITTED]
        values, wanted = target[:_LOOKED], [part.sequence[:_LOOKED] for part in parts]
        for chosen in ([0], [0, 1]):
            factors = _solved([[wanted[at][k] for k in held] for at in chosen], [values[k] for k in held])
            if factors is None or _are_large(factors):
                continue
            used = [(each, parts[at]) for each, at in zip(factors, chosen, strict=True) if each]
            if not ((target - _sum(used, n)) * valid * n).dimension:
                break
        else:
            return None
        if valid[0] and values[0] != sum(each * part.sequence[0] for each, part in used):
            given.add(system.value((digit,)))
        texts.append(f"{name}(n.{digit}) = {_sum_text(used)}")
    return (*(f"{name}({number}) = {sequence[number]}" for number in sorted(given)), *texts)


def _needed(target: Series, used: Sequence[tuple[Number, _Part]], factor: int, rest: int) -> set[int]:
    """Return the indices at which the equation asks for terms that do not come before, or does not hold."""
    found = set()
    terms = [part.term for _, part in used if part.term is not None]
    for n in range(max([1, *(shift for _, shift in terms)]) + 1):
        index = factor * n + rest
        if any(scale * n + shift >= index for scale, shift in terms):
            found.add(index)
    if target[0] != sum(each * part.sequence[0] for each, part in used):
        found.add(rest)
    return found


def _sums(sequence: Series, base: int, size: int, n: Series, name: str) -> Iterator[list[_Part]]:
    """Yield what may be added on the right side, the simplest first."""
    one = _Part("1", n * 0 + 1)
    numbers = _Part("n", n)
    this = _Part(f"{name}(n)", sequence, (1, 0))
    if size == 1:
        following = _Part(f"{name}(n+1)", sequence.subsequence(1, 1), (1, 1))
        for terms in ([this], [following], [this, following]):
            yield terms
            yield [*terms, one]
            yield [*terms, numbers, one]
        yield [numbers, one]
        return
    below = [
        _Part(f"{name}({_index(base, rest)})", sequence.subsequence(base, rest), (base, rest)) for rest in range(base)
    ]
    yield [numbers, one]
    for terms in ([this], *([each] for each in below), *([this, each] for each in below), [this, *below]):
        yield terms
        yield [*terms, one]
        yield [*terms, numbers, one]


def _fit(target: Series, parts: Sequence[_Part], n: Series) -> list[Number] | None:
    """Return the factors with which parts add up to a sequence for all n > 0, proved; None if they do not."""
    values = [part.sequence[1 : FITTED + 1] for part in parts]
    factors = _solved(values, target[1 : FITTED + 1])
    if factors is None or _are_large(factors):
        return None
    used = [(factor, part) for factor, part in zip(factors, parts, strict=True) if factor]
    return factors if not ((target - _sum(used, n)) * n).dimension else None


def _are_large(factors: Sequence[Number]) -> bool:
    return any(max(abs(each.numerator), each.denominator) > LARGEST for each in factors)


def _sum(used: Sequence[tuple[Number, _Part]], n: Series) -> Series:
    """Return a sum of multiples of parts."""
    found = n * 0
    for factor, part in used:
        found = found + factor * part.sequence
    return found


def _solved(columns: Sequence[Sequence[Number]], wanted: Sequence[Number]) -> list[Number] | None:
    """Return factors with which columns add up to another one; 0 for a column that those before it make."""
    rows = [[Fraction(each) for each in row] for row in zip(*columns, wanted, strict=True)]
    pivots: list[tuple[int, int]] = []
    for column in range(len(columns)):
        at = len(pivots)
        found = next((place for place in range(at, len(rows)) if rows[place][column]), None)
        if found is None:
            continue
        rows[at], rows[found] = rows[found], rows[at]
        rows[at] = [each / rows[at][column] for each in rows[at]]
        for place, row in enumerate(rows):
            if place != at and row[column]:
                rows[place] = [x - row[column] * y for x, y in zip(row, rows[at], strict=True)]
        pivots.append((at, column))
    if any(row[-1] for row in rows[len(pivots) :]):
        return None
    factors: list[Number] = [0] * len(columns)
    for at, column in pivots:
        factors[column] = plain(rows[at][-1])
    return factors


# -- closed forms ------------------------------------------------------------------------------


def closed_form(sequence: Series, name: str = "a") -> str | None:
    """Return a formula for all terms but a(0), proved; None if no simple one is found.

    It is a polynomial in n of degree 3 or less, over any system; over base k a sum with k^m, m and n m, where m is the
    exponent of the greatest power of k that is at most n, or sums with n and k^m, one for each first digit (over base 2
    for n > 1, by the second digit); over msd_fib a sum with floor(n phi), phi = (1+sqrt(5))/2.

    >>> from fibprover.sequences.written import closed_form
    >>> print(closed_form(fp.Session().solve("a", "a(0)=0, a(1)=1, a(2n)=2a(n)-1, a(2n+1)=2a(n)+1").sequence))
    a(n) = 2 n - 2*2^m + 1 for 2^m <= n < 2^(m+1)
    """
    if len(sequence.systems) > 1 or sequence.system.signed or not sequence.dimension:
        return None
    n = constant(sequence.system, 1).partial_sums()
    one, numbers = _Part("1", n * 0 + 1), _Part("n", n)
    for degree in (1, 2, 3):
        powers = [_Part(f"n^{each}", n**each) for each in range(degree, 1, -1)]
        found = _fit(sequence, [*powers, numbers, one], n)
        if found is not None:
            where = "" if sequence[0] == found[-1] else " for n >= 1"
            return f"{name}(n) = {_used_text(found, [*powers, numbers, one])}{where}"
    base = _base(sequence)
    if base is None:
        return _with_floors(sequence, n, name) if sequence.system.name == "msd_fib" else None
    power, digits = _power(n, base), _exponent(n, base)
    parts = [
        _Part("n m", n * digits), numbers, _Part(f"{base}^m", power), _Part("m", digits), one,
    ]
    for shift in (0, 1):
        target = sequence.subsequence(1, shift) if shift else sequence
        for chosen in ([1, 2, 4], [1, 3, 4], [1, 2, 3, 4], [0, 1, 2, 3, 4]):
            some = [parts[place] for place in chosen]
            found = _fit(target, some, n)
            if found is not None:
                where = f"for {base}^m <= n < {base}^(m+1)"
                return f"{name}({_index(1, shift)}) = {_used_text(found, some)} {where}"
    for shift in (0, 1) if base <= _MOST_PIECES else ():
        found_text = _in_pieces(sequence.subsequence(1, shift) if shift else sequence, n, base, name, shift)
        if found_text is not None:
            return found_text
    return None


def _in_pieces(target: Series, n: Series, base: int, name: str, shift: int) -> str | None:
    """Return formulas for the numbers with each first digit, over base 2 with the first two digits."""
    prefixes = [(1, 0), (1, 1)] if base == 2 else [(digit,) for digit in range(1, base)]
    parts = [_Part("n", n), _Part(f"{base}^m", _power(n, base)), _Part("1", constant(n.system, 1))]
    values, columns = target[:_LOOKED], [part.sequence[:_LOOKED] for part in parts]
    said = []
    for prefix in prefixes:
        begins = _begins(n, base, prefix)
        held = [k for k, each in enumerate(begins[:_LOOKED]) if each][:FITTED]
        factors = _solved([[column[k] for k in held] for column in columns], [values[k] for k in held])
        if factors is None or _are_large(factors):
            return None
        used = [(each, part) for each, part in zip(factors, parts, strict=True) if each]
        if ((target - _sum(used, n)) * begins).dimension:
            return None
        ends = (*prefix[:-1], prefix[-1] + 1)
        where = f"for {_multiple_of_power(base, prefix)} <= n < {_multiple_of_power(base, ends)}"
        said.append(f"{name}({_index(1, shift)}) = {_sum_text(used)} {where}")
    return ", ".join(said) + (", where m >= 1" if base == 2 else "")


def _begins(n: Series, base: int, prefix: tuple[int, ...]) -> Series:
    """Return the sequence that is 1 where the digits of n begin with some, and 0 elsewhere."""
    last = len(prefix)
    parts = []
    for digit in range(base):
        steps = [(place, place + 1) for place, each in enumerate(prefix) if each == digit] + [(last, last)]
        parts.append(matrix_of(last + 1, [(*each, 1) for each in ([(0, 0)] if not digit else []) + steps]))
    entering, leaving = (1, *(0,) * last), (*(0,) * last, 1)
    return replace(n, entering=entering, leaving=leaving, parts=tuple(parts))


def _multiple_of_power(base: int, digits: tuple[int, ...]) -> str:
    """Return the number of as many digits as n that begins with some digits, where n has m + 1 of them."""
    factor = sum(digit * base**place for place, digit in enumerate(reversed(digits)))
    exponent = len(digits) - 1
    while factor % base == 0:
        factor, exponent = factor // base, exponent - 1
    power = f"{base}^m" if not exponent else f"{base}^(m{-exponent:+d})"
    return power if factor == 1 else f"{factor}*{power}"


def _with_floors(sequence: Series, n: Series, name: str) -> str | None:
    """Return a formula with floor(n phi) over the Fibonacci system.

    A zero after the digits of n makes floor((n+1) phi) - 1 of it (Kimberling, The Zeckendorf array equals the Wythoff
    array, 1995); proofs/wythoff_sequences.py proves such floors.
    """
    one = constant(sequence.system, 1)
    parts = [_Part("floor(n phi)", followed(n, (0,)) + 1), _Part("n", n + 1), _Part("1", one)]
    target = sequence.subsequence(1, 1)
    for chosen in (parts[:1], [parts[0], parts[2]], parts):
        found = _solved([part.sequence[:FITTED] for part in chosen], target[:FITTED])
        if found is None or _are_large(found):
            continue
        used = [(each, part) for each, part in zip(found, chosen, strict=True) if each]
        if not (target - _sum(used, n)).dimension:
            rest = sum(each for each, part in used if part.name == "1")
            return f"{name}(n) = {_sum_text(used)}{'' if sequence[0] == rest else ' for n >= 1'}, phi = (1+sqrt(5))/2"
    return None


def _power(n: Series, base: int) -> Series:
    """Return the greatest power of the base that is at most n, 0 for n = 0."""
    zero: Matrix = matrix_of(2, [(0, 0, 1), (1, 1, base)])
    other: Matrix = matrix_of(2, [(0, 1, 1), (1, 1, base)])
    return replace(n, entering=(1, 0), leaving=(0, 1), parts=(zero, *(other,) * (base - 1)))


def _exponent(n: Series, base: int) -> Series:
    """Return the exponent of the greatest power of the base that is at most n, 0 for n = 0."""
    zero: Matrix = matrix_of(3, [(0, 0, 1), (1, 1, 1), (1, 2, 1), (2, 2, 1)])
    other: Matrix = matrix_of(3, [(0, 1, 1), (1, 1, 1), (1, 2, 1), (2, 2, 1)])
    return replace(n, entering=(1, 0, 0), leaving=(0, 0, 1), parts=(zero, *(other,) * (base - 1)))


# -- texts -------------------------------------------------------------------------------------


def _base(sequence: Series) -> int | None:
    if len(sequence.systems) > 1:
        return None
    base = sequence.system.integer_base
    return base if base is not None and base > 1 and len(sequence.parts) == base else None


def _index(factor: int, rest: int) -> str:
    return (f"{factor}n" if factor > 1 else "n") + (f"+{rest}" if rest else "")


def _used_text(factors: Sequence[Number], parts: Sequence[_Part]) -> str:
    return _sum_text([(each, part) for each, part in zip(factors, parts, strict=True) if each])


def _sum_text(used: Sequence[tuple[Number, _Part]]) -> str:
    """Return a sum with signs between its parts."""
    said = ""
    for factor, part in used:
        size = abs(factor)
        sign = "*" if part.name[0].isdigit() else " "
        shown = str(size) if part.name == "1" else part.name if size == 1 else f"{size}{sign}{part.name}"
        if said:
            said += f" {'-' if factor < 0 else '+'} {shown}"
        else:
            said = f"-{shown}" if factor < 0 else shown
    return said or "0"
