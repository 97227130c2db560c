"""Linear recurrences of a sequence along words with more and more equal parts, such as the digits of n = U_k.

For words x y^k z the values v M[x] M[y]^k M[z] w are those of a representation with one matrix, M[y].  Made minimal,
its dimension is the order of the shortest linear recurrence with constant coefficients, which its matrix gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fibprover.base.errors import DigitError
from fibprover.base.values import PlainlyDisplayed, value
from fibprover.sequences.powers import PowerSum, power_sum
from fibprover.sequences.rational import Matrix, Number, Vector, minimal, product, solution, sparse, times, transposed

if TYPE_CHECKING:
    from fibprover.sequences.series import Series


@value
class Recurrence(PlainlyDisplayed):
    """s(k+r) = c_1 s(k+r-1) + ... + c_r s(k) for all k >= 0, the shortest one.

    coefficients: c_1, ..., c_r; initial: s(0), ..., s(r-1).
    """

    coefficients: tuple[Number, ...]
    initial: tuple[Number, ...]

    @property
    def order(self) -> int:
        """The order r."""
        return len(self.coefficients)

    def terms(self, count: int) -> list[Number]:
        """Return s(0), ..., s(count-1)."""
        found = list(self.initial[:count])
        while len(found) < count:
            last = found[: -self.order - 1 : -1] if self.order else []
            found.append(sum(c * s for c, s in zip(self.coefficients, last, strict=True)))
        return found

    def closed_form(self) -> PowerSum | None:
        """Return s(k) as a sum of powers and Fibonacci numbers, proved; None if the roots are no fractions.

        >>> a = fp.Session().solve("a", "a(0)=0, a(2n)=3a(n), a(2n+1)=2a(n)+a(n+1)+1").sequence
        >>> print(a.recurrence().closed_form())
        3/2*3^k - 1/2
        """
        return power_sum(self.coefficients, self.initial)

    def __str__(self) -> str:
        if not self.order:
            return "s(k) = 0"
        parts = [(c, f"s(k{self.order - i:+d})" if self.order > i else "s(k)")
                 for i, c in enumerate(self.coefficients, 1) if c]
        said = " ".join(f"{'-' if c < 0 else '+'} {'' if abs(c) == 1 else f'{abs(c)} '}{name}" for c, name in parts)
        right = said.removeprefix("+ ") or "0"
        initial = ", ".join(f"s({k}) = {number}" for k, number in enumerate(self.initial))
        return f"s(k+{self.order}) = {right}, {initial}"


def recurrence_along(
    sequence: Series, before: Sequence[int] = (1,), repeated: Sequence[int] = (0,), after: Sequence[int] = ()
) -> Recurrence:
    """Return the shortest recurrence of s(k) = a(the number with the digits x y^k z), proved.

    before, repeated, after: x, y and z, most significant digit first; by default the number is U_k, the weight of
    place k.  Words that represent no number count as 0.  Raises DigitError for digits that the system does not have.
    """
    parts = before, repeated, after
    for digit in (digit for part in parts for digit in part):
        if digit not in sequence.system.digits:
            raise DigitError(f"{digit} is not a digit of {sequence.system.name}")
    by_digit = dict(zip(sequence.system.digits, sequence.parts, strict=True))
    row = sequence.entering
    for digit in before:
        row = times(row, by_digit[digit])
    column = sequence.leaving
    for digit in reversed(after):
        column = times(column, transposed(by_digit[digit]))
    row, column, (matrix,) = minimal(row, column, (_power([by_digit[digit] for digit in repeated], len(row)),))
    rows = [row]
    for _ in row:
        rows.append(times(rows[-1], matrix))
    initial = tuple(product(each, column) for each in rows[:-1])
    return Recurrence(tuple(reversed(solution(rows[:-1], rows[-1]))), initial)


def _power(matrices: Sequence[Matrix], size: int) -> Matrix:
    """Return the product of the matrices of a word."""
    rows: list[Vector] = [tuple(int(i == j) for j in range(size)) for i in range(size)]
    for matrix in matrices:
        rows = [times(row, matrix) for row in rows]
    return sparse(rows)
