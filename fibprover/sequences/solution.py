"""What `solve` returns for equations: the sequences that satisfy them, and the theorem that no others do."""

from __future__ import annotations

from collections.abc import Mapping

from fibprover.base.errors import FibproverError, TextError, Unsolved
from fibprover.base.values import RichlyDisplayed, value
from fibprover.language.equations import Equation, Equations, latex_of
from fibprover.prover.certificate.checking import CertificateCheck
from fibprover.sequences.series import Series


class RecursionProblem(TextError, Unsolved):
    """Equations that no sequence satisfies, or more than one, or of which nothing was proved; with the place."""


@value
class ProvedEquation:
    """An equation that the sequences satisfy.

    exceptions: indices for which a term is given, so that the equation is not needed there, and does not hold.
    """

    equation: Equation
    exceptions: tuple[int, ...] = ()

    def __str__(self) -> str:
        if not self.exceptions:
            return self.equation.text
        return f"{self.equation.text} (but for {self.equation.name}({', '.join(map(str, self.exceptions))}), as given)"


@value
class SequenceTheorem(RichlyDisplayed):
    """The theorem that equations determine sequences, which have linear representations.

    recursions: the equations by name; system: over which the representations are; proved: the equations, each an
    equality of linear representations; determined: for each name the formula that is TRUE of all x: the term at x is
    given, or some equation takes it from terms that come before; dimensions: of the representations; terms: from so
    many first terms they were guessed; guessing, proving: seconds; certificate: None if none was wanted.
    """

    recursions: Mapping[str, Equations]
    system: str
    proved: tuple[ProvedEquation, ...]
    determined: Mapping[str, str]
    dimensions: Mapping[str, int]
    terms: int
    guessing: float
    proving: float
    certificate: CertificateCheck | None = None

    def __str__(self) -> str:
        names = ", ".join(self.recursions)
        several = len(self.recursions) > 1
        head = (
            f"{names}: the only sequence{'s' * several} that satisf{'y' if several else 'ies'} the recursion, "
            "proved by induction on n"
        )
        sizes = ", ".join(f"{size} ({name})" if several else str(size) for name, size in self.dimensions.items())
        found = f"  linear representation over {self.system} of dimension {sizes}, guessed from {self.terms} terms"
        lines = [f"  PROVED {each}" for each in self.proved]
        formulas = [f"  TRUE A{formula}" for formula in self.determined.values() if formula]
        certified = [] if self.certificate is None else [f"  {self.certificate}"]
        return "\n".join([head, found, *lines, *formulas, *certified])

    def __repr__(self) -> str:
        return f"SequenceTheorem({', '.join(self.recursions)})"

    def to_latex(self) -> str:
        """Return the equations and what was proved, for a document."""
        rows = [latex_of(each) for equations in self.recursions.values() for each in equations.equations]
        body = ", \\\\\n".join(f"  & {row}" for row in rows)
        sizes = ", ".join(f"{size} for ${name}$" for name, size in self.dimensions.items())
        system = self.system.replace("_", r"\_")
        return (
            f"\\begin{{align*}}\n{body}.\n\\end{{align*}}\nThese equations have exactly one solution. It has a linear "
            f"representation over \\texttt{{{system}}} of dimension {sizes}.\n"
        )


@value
class SequenceSolution(RichlyDisplayed):
    """The sequences that equations define, by name, and the theorem."""

    sequences: Mapping[str, Series]
    theorem: SequenceTheorem

    @property
    def sequence(self) -> Series:
        """The sequence, if there is one; FibproverError for several that are defined together."""
        if len(self.sequences) > 1:
            names = ", ".join(self.sequences)
            raise FibproverError(f"these equations define {names}", hint="sequences[name] is one of them")
        return next(iter(self.sequences.values()))

    def __getitem__(self, at: int | slice) -> object:
        """Return a term, or the terms of a slice, of the only sequence."""
        return self.sequence[at]

    def __str__(self) -> str:
        first = [f"  {name} = {_first(sequence)}" for name, sequence in self.sequences.items()]
        return "\n".join([str(self.theorem), *first])

    def __repr__(self) -> str:
        sizes = ", ".join(map(str, self.theorem.dimensions.values()))
        return f"SequenceSolution({', '.join(self.sequences)}, dimension {sizes})"

    def as_json(self) -> dict[str, object]:
        """Return names, systems, dimensions, equations, first terms and any certificate as values of JSON."""
        check = self.theorem.certificate
        certified = {} if check is None else {"certificate": check.plain()}
        return {
            "names": list(self.sequences),
            "system": self.theorem.system,
            "dimensions": dict(self.theorem.dimensions),
            "terms": {name: [_plain(term) for term in sequence.first(16)] for name, sequence in self.sequences.items()},
            "proved": [str(each) for each in self.theorem.proved],
            "seconds": round(self.theorem.guessing + self.theorem.proving, 6),
            **certified,
        }


def _plain(term: object) -> object:
    return term if isinstance(term, int) else str(term)


def _first(sequence: Series) -> str:
    return ", ".join(map(str, sequence.first(16))) + ", ..."
