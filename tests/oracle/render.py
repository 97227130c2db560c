"""Render the tree of a formula as text, with few or with all parentheses.

Written from the language's table of priorities, so that parsing a rendered tree and getting the
same tree back checks the parser against that table.
"""

from __future__ import annotations

from fibprover.language.tree import (
    Arithmetic,
    Binary,
    Call,
    Compare,
    Formula,
    InSystem,
    Letter,
    Negative,
    Not,
    Number,
    Quantified,
    Reversed,
    SystemTerm,
    Term,
    Variable,
    WordValue,
)

#: Larger binds tighter; operators of one strength group to the left.
STRENGTH = {"<=>": 1, "=>": 2, "&": 3, "|": 3, "^": 3, "+": 1, "-": 1, "*": 2, "/": 2}


def render(formula: Formula, *, full: bool = False) -> str:
    """Text that is parsed as this formula; full: every subformula and subterm in parentheses."""
    return _formula(formula, 0, True, full)


def _formula(node: Formula, least: int, last: bool, full: bool) -> str:
    """least: strength the context asks for; last: nothing follows before the closing parenthesis."""
    match node:
        case Compare(op=op, left=left, right=right):
            text, bare = f"{_term(left, 0, full)}{op}{_term(right, 0, full)}", not full or least == 0
        case Call(name=name, arguments=arguments):
            return f"${name}({','.join(_argument(argument, full) for argument in arguments)})"
        case Not(body=body) | Reversed(body=body):
            sign = "~" if isinstance(node, Not) else "`"
            return sign + _formula(body, 4, last, full)
        case Binary(op=op, left=left, right=right):
            strength = STRENGTH[op]
            bare = strength >= least and (not full or least == 0)
            inner = last or not bare
            text = f"{_formula(left, strength, False, full)} {op} {_formula(right, strength + 1, inner, full)}"
        case Quantified(kind=kind, variables=variables, body=body, relation=relation, count=count):
            head = f"{kind}{relation}{count} " if relation else kind
            names = ",".join(variable.name for variable in variables)
            bare = last and (not full or least == 0)
            text = f"{head}{names} {_formula(body, 1 if full else 0, True, full)}"
        case InSystem(system=system, body=body):
            bare = last and (not full or least == 0)
            text = f"?{system} {_formula(body, 1 if full else 0, True, full)}"
        case _:
            raise TypeError(f"not a formula: {node!r}")
    return text if bare else f"({text})"


def _argument(node: Term | SystemTerm | Formula, full: bool) -> str:
    match node:
        case Compare() | Call() | Not() | Reversed() | Binary() | Quantified() | InSystem():
            return _formula(node, 0, True, full)
        case _:
            return _term(node, 0, full)


def _term(node: Term | SystemTerm, least: int, full: bool) -> str:
    match node:
        case Number(value=value):
            return str(value)
        case Letter(value=value):
            return f"@{value}"
        case Variable(name=name):
            return name
        case SystemTerm(system=system, term=term):
            return f"?{system} {_term(term, 0, full)}"
        case Negative(term=term):
            return f"_{_term(term, 3, full)}"
        case WordValue(word=word, indices=indices):
            return word + "".join(f"[{_argument(index, full)}]" for index in indices)
        case Arithmetic(op=op, left=left, right=right):
            strength = STRENGTH[op]
            text = f"{_term(left, strength, full)}{op}{_term(right, strength + 1, full)}"
            return text if strength >= least and (not full or least == 0) else f"({text})"
    raise TypeError(f"not a term: {node!r}")
