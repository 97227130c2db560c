"""Formulas and terms as values: the nodes of trees, and what can be done with them.

A tree is immutable, compares and hashes by its structure, and knows nothing of the text that it came from
(`fibprover.language.source` has the places).  Terms denote numbers, formulas denote truth values.  A variable is its
name, bound by the nearest quantifier around it that lists it; `substitute` renames bound variables where they would
capture one.  Names of words and predicates are not resolved here, and numeration systems are not inferred.

Trees are combined with operators: `+ - * //` and `-` of terms, `< <= > >=`, `.eq` and `.ne` between terms, and
`& | ^ ~ >>` and `.iff` of formulas.  `==` compares trees, as it does everywhere in Python.  `children` and
`map_children` are the one fold, on which every other walk is built.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import reduce
from re import Pattern
from typing import TypeVar, cast

from fibprover.base.errors import FibproverError
from fibprover.base.names import NAME, SYSTEM, VARIABLE, full_name
from fibprover.base.values import value
from fibprover.language import printer

#: The operators of each class of nodes.
ARITHMETIC = ("+", "-", "*", "/")
RELATIONS = ("=", "!=", "<", "<=", ">", ">=")
CONNECTIVES = ("&", "|", "^", "=>", "<=>")
COUNTING = (">=", "<=", "=")


class _Node:
    """What terms and formulas have in common."""

    __slots__ = ()

    def __str__(self) -> str:
        return printer.OWN.text(self)

    @property
    def free(self) -> tuple[str, ...]:
        """The names of the free variables, in code-unit order."""
        return tuple(sorted(free_names(cast("Node", self))))

    def latex(self) -> str:
        """Return LaTeX, to be set in math."""
        return printer.LATEX.text(self)

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def walnut(self) -> str:
        """Return the text that Walnut reads.  Raises NotSupported for what Walnut does not have."""
        return printer.WALNUT.text(self)


class TermMethods(_Node):
    """The operators of terms; an operand may be an integer."""

    __slots__ = ()

    def __add__(self, other: Operand) -> Arithmetic:
        return Arithmetic("+", term(self), term(other))

    def __radd__(self, other: Operand) -> Arithmetic:
        return Arithmetic("+", term(other), term(self))

    def __sub__(self, other: Operand) -> Arithmetic:
        return Arithmetic("-", term(self), term(other))

    def __rsub__(self, other: Operand) -> Arithmetic:
        return Arithmetic("-", term(other), term(self))

    def __mul__(self, other: Operand) -> Arithmetic:
        return Arithmetic("*", term(self), term(other))

    def __rmul__(self, other: Operand) -> Arithmetic:
        return Arithmetic("*", term(other), term(self))

    def __floordiv__(self, other: Operand) -> Arithmetic:
        return Arithmetic("/", term(self), term(other))

    def __neg__(self) -> Negative:
        return Negative(term(self))

    def __lt__(self, other: Operand) -> Compare:
        return Compare("<", term(self), term(other))

    def __le__(self, other: Operand) -> Compare:
        return Compare("<=", term(self), term(other))

    def __gt__(self, other: Operand) -> Compare:
        return Compare(">", term(self), term(other))

    def __ge__(self, other: Operand) -> Compare:
        return Compare(">=", term(self), term(other))

    def eq(self, other: Operand) -> Compare:
        """Return the formula that both terms are equal."""
        return Compare("=", term(self), term(other))

    def ne(self, other: Operand) -> Compare:
        """Return the formula that the terms differ."""
        return Compare("!=", term(self), term(other))

    def in_system(self, system: str) -> SystemTerm:
        """Return the term read in another numeration system, for an argument or an index."""
        return SystemTerm(_system(system), term(self))

    def substitute(self, terms: Substitution | None = None, /, **named: Operand) -> Term:
        """Return the term with terms or numbers in place of free variables."""
        return cast("Term", substituted(cast("Node", self), _terms(terms, named)))


class FormulaMethods(_Node):
    """The connectives of formulas."""

    __slots__ = ()

    def __and__(self, other: Formula) -> Binary:
        return Binary("&", _formula(self), _formula(other))

    def __or__(self, other: Formula) -> Binary:
        return Binary("|", _formula(self), _formula(other))

    def __xor__(self, other: Formula) -> Binary:
        return Binary("^", _formula(self), _formula(other))

    def __rshift__(self, other: Formula) -> Binary:
        return Binary("=>", _formula(self), _formula(other))

    def __invert__(self) -> Not:
        return Not(_formula(self))

    def iff(self, other: Formula) -> Binary:
        """Return the formula that both formulas are true or both are false."""
        return Binary("<=>", _formula(self), _formula(other))

    def __bool__(self) -> bool:
        raise TypeError(
            "a formula is neither true nor false before it is decided: write & | ~ for and, or, not, "
            "(1 < x) & (x < y) for 1 < x < y, and Session.prove to decide it"
        )

    def in_system(self, system: str) -> InSystem:
        """Return the formula with a numeration system for all its parts that do not name one themselves."""
        return InSystem(_system(system), _formula(self))

    def substitute(self, terms: Substitution | None = None, /, **named: Operand) -> Formula:
        """Return the formula with terms or numbers in place of free variables, which are given by name or as variables.

        Bound variables that would capture a variable of a term are renamed.  The variable of a formula that stands as
        an argument or index is its value: there a new variable is bound that equals the term.
        """
        return cast("Formula", substituted(cast("Node", self), _terms(terms, named)))

    def prose(self) -> str:
        """Return the formula as an English sentence."""
        return printer.PROSE.text(self)


@value
class Number(TermMethods):
    """A natural number."""

    value: int


@value
class Letter(TermMethods):
    """`@c`: a constant that is compared with letters of words; it may be negative."""

    value: int


@value
class Variable(TermMethods):
    """A variable where a term is expected, or a name that a quantifier binds."""

    name: str

    def __post_init__(self) -> None:
        _check_name(VARIABLE, self.name, "a variable")


@value
class Arithmetic(TermMethods):
    """`left op right`, op one of + - * /."""

    op: str
    left: Term
    right: Term


@value
class Negative(TermMethods):
    """`_term`, the unary minus."""

    term: Term


@value
class WordValue(TermMethods):
    """`W[t]`, `W[t][u]`: the letter of an automatic word at an index.

    An index is a term, or a formula whose one free variable is the index.
    """

    word: str
    indices: tuple[Argument, ...]

    def __post_init__(self) -> None:
        _check_name(NAME, self.word, "a word")


@value
class SystemTerm(TermMethods):
    """`?sys term`: a term read in another numeration system (an argument or an index)."""

    system: str
    term: Term


Term = Number | Letter | Variable | Arithmetic | Negative | WordValue
"""What stands for a number or a letter."""


@value
class Compare(FormulaMethods):
    """`left op right`, op one of = != < <= > >=."""

    op: str
    left: Term
    right: Term


@value
class Call(FormulaMethods):
    """`$name(a, b, ...)`; an argument is a term, or a formula with one free variable."""

    name: str
    arguments: tuple[Argument, ...]

    def __post_init__(self) -> None:
        _check_name(NAME, self.name, "a predicate")


@value
class Not(FormulaMethods):
    """`~ body`."""

    body: Formula


@value
class Reversed(FormulaMethods):
    """A backtick before a formula: the automaton of the reversed words."""

    body: Formula


@value
class Binary(FormulaMethods):
    """`left op right`, op one of & | ^ => <=>."""

    op: str
    left: Formula
    right: Formula


@value
class Quantified(FormulaMethods):
    """`E x,y body`, `A x body`, `I x body`; a counting quantifier also has `E relation count`.

    kind: the letter of the quantifier, such as "E"; relation and count: for `E>=k`, `E<=k`, `E=k` the relation and k,
    otherwise "" and 0.
    """

    kind: str
    variables: tuple[Variable, ...]
    body: Formula
    relation: str = ""
    count: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables that it binds."""
        return tuple(each.name for each in self.variables)


@value
class InSystem(FormulaMethods):
    """`?sys formula`: the numeration system of all parts of the formula that have no `?sys` themselves."""

    system: str
    body: Formula


Formula = Compare | Call | Not | Reversed | Binary | Quantified | InSystem
"""What is true or false once its free variables have values."""

Argument = Term | SystemTerm | Formula

Node = Argument

#: What an operator of terms takes.
Operand = Term | SystemTerm | int

#: What is put in place of variables, which are given by name or as terms.
Substitution = Mapping[str, Operand] | Mapping[Variable, Operand]

AnyNode = TypeVar("AnyNode", bound=Node)


# -- making ----------------------------------------------------------------------------------


def term(operand: object) -> Term:
    """Return an operand as a term: an integer is a number, or a letter if it is negative.

    Raises FibproverError for anything that is no number.
    """
    if isinstance(operand, int) and not isinstance(operand, bool):
        return Number(operand) if operand >= 0 else Letter(operand)
    if isinstance(operand, Term):
        return operand
    if isinstance(operand, SystemTerm):
        raise FibproverError(
            f"a numeration system cannot be named within a term: {operand}",
            hint="in_system is for arguments, indices and formulas",
        )
    if isinstance(operand, FormulaMethods):
        raise FibproverError(f"a term is a number, and this is a formula: {operand}")
    raise FibproverError(f"a term is a variable, a number or made of these, not {operand!r}")


def argument(operand: object) -> Argument:
    """Return an argument of a predicate or an index of a word.  Raises FibproverError as `term` does."""
    if isinstance(operand, SystemTerm | Formula):
        return operand
    return term(operand)


def _formula(operand: object) -> Formula:
    if isinstance(operand, Formula):
        return operand
    if isinstance(operand, TermMethods):
        raise FibproverError(f"a formula is true or false, and this is a number: {operand}", hint="compare it: x.eq(1)")
    raise FibproverError(f"a formula is expected, not {operand!r}", hint="fp.parse makes a formula of a text")


def _system(name: str) -> str:
    if not isinstance(name, str) or not SYSTEM.fullmatch(name):  # type: ignore[redundant-expr]  # users are not typed
        raise FibproverError(f"{name!r} is no name of a numeration system", hint='such as "msd_fib"')
    return full_name(name)


def _check_name(pattern: Pattern[str], name: object, what: str) -> None:
    if not isinstance(name, str) or not pattern.fullmatch(name):
        hint = "a variable does not begin with A, E or I" if what == "a variable" else "letters, digits and _"
        raise FibproverError(f"{name!r} is no name of {what}", hint=hint)


def conjunction(formulas: Iterable[Formula]) -> Formula:
    """Return the formulas joined by `&`, of which there has to be one at least."""
    return reduce(lambda left, right: Binary("&", left, right), formulas)


def disjunction(formulas: Iterable[Formula]) -> Formula:
    """Return the formulas joined by `|`, of which there has to be one at least."""
    return reduce(lambda left, right: Binary("|", left, right), formulas)


# -- the fold --------------------------------------------------------------------------------


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes directly below a node, in the order of the text; not the variables that a quantifier binds."""
    match node:
        case Quantified() | Not() | Reversed() | InSystem():
            return (node.body,)
        case Binary() | Compare() | Arithmetic():
            return (node.left, node.right)
        case Call():
            return node.arguments
        case WordValue():
            return node.indices
        case Negative() | SystemTerm():
            return (node.term,)
        case _:
            return ()


def map_children(node: AnyNode, function: Callable[[Node], Node]) -> AnyNode:
    """Return the node with the results of a function in place of its children; itself if none changes."""
    before = children(node)
    after = tuple(map(function, before))
    if all(old is new for old, new in zip(before, after, strict=True)):
        return node
    return with_children(node, after)


def with_children(node: AnyNode, below: tuple[Node, ...]) -> AnyNode:
    """Return the node with other children, in the order of `children`."""
    made: Node
    match node:
        case Quantified():
            made = Quantified(node.kind, node.variables, cast(Formula, below[0]), node.relation, node.count)
        case InSystem():
            made = InSystem(node.system, cast(Formula, below[0]))
        case Not() | Reversed():
            made = type(node)(cast(Formula, below[0]))
        case Binary():
            made = Binary(node.op, cast(Formula, below[0]), cast(Formula, below[1]))
        case Compare() | Arithmetic():
            made = type(node)(node.op, cast(Term, below[0]), cast(Term, below[1]))
        case Call():
            made = Call(node.name, below)
        case WordValue():
            made = WordValue(node.word, below)
        case SystemTerm():
            made = SystemTerm(node.system, cast(Term, below[0]))
        case Negative():
            made = Negative(cast(Term, below[0]))
        case _:
            made = node
    return cast(AnyNode, made)


def nodes(tree: Node) -> Iterator[Node]:
    """Yield all nodes of a tree of any depth, in the order of the text, each before its children."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(children(node))


# -- variables -------------------------------------------------------------------------------


def free_names(node: Node) -> set[str]:
    """Return the names of the free variables of a tree."""
    if isinstance(node, Variable):
        return {node.name}
    found = set[str]().union(*(free_names(child) for child in children(node)))
    return found.difference(node.names) if isinstance(node, Quantified) else found


def all_names(node: Node) -> set[str]:
    """Return the names of all variables of a tree, bound and free."""
    found = {each.name for each in nodes(node) if isinstance(each, Variable)}
    return found.union(*(each.names for each in nodes(node) if isinstance(each, Quantified)))


def unused(name: str, used: Collection[str]) -> str:
    """Return a name of a variable that is not used: this one, or one with `_` after it."""
    while name in used:
        name += "_"
    return name


def renamed_apart(node: AnyNode, names: Collection[str]) -> AnyNode:
    """Return a tree in which no quantifier binds one of these names; bound variables that have one are renamed."""
    used = all_names(node) | set(names)

    def renamed(each: Node) -> Node:
        if isinstance(each, Quantified) and not set(each.names).isdisjoint(names):
            new = {}
            for name in each.names:
                if name in names:
                    new[name] = Variable(unused(name, used))
                    used.add(new[name].name)
            variables = tuple(new.get(name, Variable(name)) for name in each.names)
            body = cast(Formula, _substituted(each.body, new))
            each = Quantified(each.kind, variables, body, each.relation, each.count)
        return map_children(each, renamed)

    return cast(AnyNode, renamed(node))


def substituted(node: AnyNode, terms: Mapping[str, Term]) -> AnyNode:
    """Return a tree with terms in place of its free variables with these names.

    A quantifier that binds a variable of such a term, where it would be captured, gets another variable.
    """
    terms = {name: each for name, each in terms.items() if name in free_names(node)}
    return cast(AnyNode, _substituted(node, terms)) if terms else node


def _substituted(node: Node, terms: Mapping[str, Term]) -> Node:
    if isinstance(node, Variable):
        return terms.get(node.name, node)
    if isinstance(node, Quantified):
        inside = {name: each for name, each in terms.items() if name not in node.names}
        free = free_names(node.body)
        inside = {name: each for name, each in inside.items() if name in free}
        if not inside:
            return node
        entering = set[str]().union(*(free_names(each) for each in inside.values()))
        used = entering | all_names(node.body) | set(node.names)
        variables = []
        for each in node.variables:
            if each.name in entering:
                new = Variable(unused(each.name, used))
                used.add(new.name)
                inside[each.name] = new
                variables.append(new)
            else:
                variables.append(each)
        body = cast(Formula, _substituted(node.body, inside))
        return Quantified(node.kind, tuple(variables), body, node.relation, node.count)
    if isinstance(node, Compare | Call):
        values = {name: terms[name] for name in _argument_variables(node) if name in terms}
        values = {name: each for name, each in values.items() if not isinstance(each, Variable)}
        if values:
            return _with_values(node, values, terms)
    return map_children(node, lambda child: _substituted(child, terms))


def _argument_variables(node: Node) -> list[str]:
    """Return the free variables of the formulas that stand as arguments and indices in an atom: they are the values."""
    found = set[str]()
    for child in children(node):
        found |= free_names(child) if isinstance(child, Formula) else set(_argument_variables(child))
    return sorted(found)


def _with_values(node: Formula, values: Mapping[str, Term], terms: Mapping[str, Term]) -> Formula:
    """Return an atom with other variables in place of those that stand for arguments, which have these values."""
    used = set[str]().union(all_names(node), *(free_names(each) for each in terms.values()))
    fresh = {}
    for name in values:
        fresh[name] = Variable(unused(name, used))
        used.add(fresh[name].name)
    body = cast(Formula, _substituted(node, {**terms, **fresh}))
    equal = [Compare("=", fresh[name], each) for name, each in values.items()]
    return Quantified("E", tuple(fresh.values()), conjunction([*equal, body]))


def _terms(terms: Substitution | None, named: Mapping[str, Operand]) -> dict[str, Term]:
    """Return what is to be substituted by the names of variables.  Raises FibproverError for other keys."""
    found: dict[str, Term] = {}
    if terms is not None and not isinstance(terms, Mapping):
        raise FibproverError(f"terms are given for variables, not by {terms!r}", hint="such as substitute(x=3)")
    for key, each in (*(terms or {}).items(), *named.items()):
        found[_variable_name(key)] = term(each)
    return found


def _variable_name(key: object) -> str:
    if isinstance(key, Variable):
        return key.name
    if isinstance(key, str):
        return key
    raise FibproverError(f"a term is substituted for a variable, not for {key!r}")


def with_names(node: AnyNode, words: Mapping[str, str], predicates: Mapping[str, str] | None = None) -> AnyNode:
    """Return a tree with other names of words and predicates; names that are not among the keys stay."""
    calls = predicates or {}

    def renamed(each: Node) -> Node:
        each = map_children(each, renamed)
        if isinstance(each, WordValue) and each.word in words:
            return WordValue(words[each.word], each.indices)
        if isinstance(each, Call) and each.name in calls:
            return Call(calls[each.name], each.arguments)
        return each

    return cast(AnyNode, renamed(node))


def calls(node: Node, names: Collection[str]) -> Iterator[Call]:
    """Yield the calls of predicates with these names."""
    return (each for each in nodes(node) if isinstance(each, Call) and each.name in names)


def has_calls(node: Node, names: Collection[str]) -> bool:
    """Return whether a tree calls a predicate with one of these names."""
    return next(calls(node, names), None) is not None


def operands(node: Term) -> Iterator[Variable | WordValue | Number | Letter]:
    """Yield the variables, letters and constants that a term computes with, except those in the indices of words."""
    match node:
        case Arithmetic():
            yield from operands(node.left)
            yield from operands(node.right)
        case Negative():
            yield from operands(node.term)
        case _:
            yield node


def is_constant(node: Term) -> bool:
    """Return whether a term computes with constants only."""
    return not any(isinstance(operand, Variable | WordValue) for operand in operands(node))
