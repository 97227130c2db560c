"""Steps in words: what a trace calls those that are no text of the formula."""

from __future__ import annotations

from fibprover.plan import steps
from fibprover.plan.logic import Linear, Predicate, WordLetter, WordPair
from fibprover.plan.steps import Names, Step


def text_of(step: Step) -> str:
    """A step in a few words; atoms in full."""
    match step:
        case steps.Constant():
            return "true" if step.value else "false"
        case steps.Leaf():
            return atom_text(step.atom)
        case steps.Valid():
            return f"any {', '.join(step.variables)}"
        case steps.Complement():
            return f"~({text_of(step.body)})"
        case steps.Combine():
            return f"... {step.op} ..."
        case steps.Project():
            return f"E{','.join(step.quantified)} ..."
        case steps.Infinite():
            return f"I{step.quantified} ..."
        case steps.AtLeast():
            return f"E>={step.count} {','.join(step.quantified)} {_short(step.body)}"
        case steps.Union():
            return f"any of {len(step.parts)}"
        case steps.Block():
            return _short(step)


def _short(step: Step) -> str:
    """A conjunction by its atoms."""
    if not isinstance(step, steps.Block):
        return text_of(step)
    parts = [text_of(part) if isinstance(part, steps.Leaf) else "(...)" for part in step.parts]
    parts += ["~(...)" if isinstance(part.body, steps.Block) else f"~{text_of(part.body)}" for part in step.excluded]
    head = f"E{','.join(step.quantified)} " if step.quantified else ""
    return head + " & ".join(parts)


def atom_text(atom: Linear | WordLetter | WordPair | Predicate) -> str:
    """An atom as one would write it."""
    match atom:
        case Linear():
            return _linear_text(atom)
        case WordLetter():
            letters = ",".join(map(str, sorted(atom.letters)))
            return f"{atom.word.name}{_indices(atom.variables)} in {{{letters}}}"
        case WordPair():
            left = f"{atom.left.name}{_indices(atom.left_variables)}"
            return f"{left}{atom.relation}{atom.right.name}{_indices(atom.right_variables)}"
        case Predicate():
            return f"${atom.definition.name}({','.join(atom.variables)})"


def _indices(names: Names) -> str:
    return "".join(f"[{name}]" for name in names)


def _linear_text(atom: Linear) -> str:
    """The terms with negative coefficients on the right, and the constant where it is positive."""
    left: list[str] = []
    right: list[str] = []
    for coefficient, name in zip(atom.coefficients, atom.variables, strict=True):
        size = abs(coefficient)
        (left if coefficient > 0 else right).append(name if size == 1 else f"{size}*{name}")
    if atom.constant > 0:
        right.append(str(atom.constant))
    elif atom.constant < 0:
        left.append(str(-atom.constant))
    return f"{'+'.join(left) or 0}{atom.relation}{'+'.join(right) or 0}"
