"""The one printer of formulas, in five dialects: our own syntax, Walnut's, LaTeX, English, and Lean's.

The printer alone knows how a name is spelled, where brackets are needed, and what stands before a numeration system.
Each dialect has a method for each class of nodes (`fibprover.language.tree`), found by the name of the class, so that
this module imports no nodes and nodes can print themselves.  What `OWN` prints of a tree parses to an equal tree.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from fibprover.base.errors import NotSupported, nested_too_deeply
from fibprover.base.names import VARIABLE, word_predicate
from fibprover.base.values import decimal

#: How tightly the parts of a formula bind, from the loosest to the tightest (grammar.lark has the same levels).
WHOLE, EQUIVALENCE, IMPLICATION, JUNCTION, PREFIX, COMPARISON, SUM, PRODUCT, NEGATIVE, ATOM = range(10)

_LEVELS: Mapping[str, int] = {
    "<=>": EQUIVALENCE, "=>": IMPLICATION, "&": JUNCTION, "|": JUNCTION, "^": JUNCTION,
    "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT,
}

_CLASSES: Mapping[str, int] = {
    "Compare": COMPARISON, "Call": ATOM, "Not": PREFIX, "Reversed": PREFIX, "Quantified": PREFIX, "InSystem": PREFIX,
    "Number": ATOM, "Letter": ATOM, "Variable": ATOM, "Negative": NEGATIVE, "WordValue": ATOM, "SystemTerm": PREFIX,
}

#: The classes that reach as far right as they can: what follows in the same bracket would belong to them.
_OPEN = frozenset({"Quantified", "InSystem", "SystemTerm"})


class Extent(NamedTuple):
    """Where a node stands in a printed text, and where the names stand that it has."""

    start: int
    end: int
    names: tuple[tuple[int, int], ...] = ()


class _Writer:
    """The text so far, and the extents of nodes, each before those below it."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0
        self.extents: list[Extent] = []

    def put(self, piece: str) -> None:
        self.pieces.append(piece)
        self.length += len(piece)

    def name(self, piece: str) -> tuple[int, int]:
        """Write a name, and return where it stands."""
        start = self.length
        self.put(piece)
        return start, self.length


class Dialect:
    """A way to write formulas; the methods with names of classes write a node of the class, without its brackets."""

    #: The text of each connective and relation, with the blanks around it.
    signs: ClassVar[Mapping[str, str]] = {}

    def text(self, tree: Any) -> str:
        """Return the text of a tree.  Raises NotSupported for what the dialect cannot write."""
        return self.extents(tree)[0]

    def extents(self, tree: Any) -> tuple[str, list[Extent]]:
        """Return the text of a tree, and the extent of each node, each before those below it."""
        out = _Writer()
        try:
            self.write(out, tree, WHOLE, True)
        except RecursionError:
            raise nested_too_deeply() from None
        return "".join(out.pieces), out.extents

    def write(self, out: _Writer, node: Any, level: int, last: bool) -> None:
        """Write a node, in brackets unless it binds as tightly as `level`.

        last: whether nothing follows in the same bracket, so that an open node needs no bracket of its own.
        """
        kind = type(node).__name__
        brackets = self.level(kind, node) < level or (kind in _OPEN and not last)
        if brackets:
            out.put("(")
        number, start = len(out.extents), out.length
        out.extents.append(Extent(start, start))
        names = getattr(self, kind)(out, node, last or brackets)
        out.extents[number] = Extent(start, out.length, tuple(names or ()))
        if brackets:
            out.put(")")

    def level(self, kind: str, node: Any) -> int:
        """Return how tightly a node binds."""
        return _CLASSES[kind] if kind in _CLASSES else _LEVELS[node.op]

    def sign(self, op: str) -> str:
        """Return an operator as it is written between its sides."""
        return self.signs.get(op, op)

    # -- what most dialects write alike ----------------------------------------------------

    def Binary(self, out: _Writer, node: Any, last: bool) -> None:
        level = _LEVELS[node.op]
        # A chain of one connective needs no brackets on its left; where connectives mix, brackets are clearer.
        chained = level == JUNCTION and getattr(node.left, "op", "") == node.op
        self.write(out, node.left, level if chained else level + 1, False)
        out.put(self.sign(node.op))
        self.write(out, node.right, level + 1, last)

    def Compare(self, out: _Writer, node: Any, last: bool) -> None:
        self.write(out, node.left, SUM, False)
        out.put(self.sign(node.op))
        self.write(out, node.right, SUM, last)

    def Arithmetic(self, out: _Writer, node: Any, last: bool) -> None:
        level = _LEVELS[node.op]
        self.write(out, node.left, level, False)
        out.put(self.sign(node.op))
        self.write(out, node.right, level + 1, last)

    def Not(self, out: _Writer, node: Any, last: bool) -> None:
        out.put(self.sign("~"))
        self.write(out, node.body, SUM if type(node.body).__name__ == "Compare" else PREFIX, last)

    def Reversed(self, out: _Writer, node: Any, last: bool) -> None:
        out.put(self.sign("`"))
        self.write(out, node.body, SUM if type(node.body).__name__ == "Compare" else PREFIX, last)

    def Negative(self, out: _Writer, node: Any, last: bool) -> None:
        out.put(self.sign("_"))
        self.write(out, node.term, NEGATIVE, last)

    def Number(self, out: _Writer, node: Any, last: bool) -> None:
        out.put(decimal(node.value))

    def arguments(self, out: _Writer, arguments: Sequence[Any], separator: str) -> None:
        """Write arguments with something between them."""
        for place, each in enumerate(arguments):
            if place:
                out.put(separator)
            self.write(out, each, WHOLE, True)

    def WordValue(self, out: _Writer, node: Any, last: bool) -> list[tuple[int, int]]:
        name = self.word(out, node.word)
        for each in node.indices:
            out.put("[")
            self.write(out, each, WHOLE, True)
            out.put("]")
        return [name]

    def word(self, out: _Writer, name: str) -> tuple[int, int]:
        """Write the name of a word, and return where it stands."""
        return out.name(name)


class Own(Dialect):
    """Our own syntax, that of grammar.lark."""

    signs: ClassVar[Mapping[str, str]] = {"&": " & ", "|": " | ", "^": " ^ ", "=>": " => ", "<=>": " <=> "}

    def Quantified(self, out: _Writer, node: Any, last: bool) -> list[tuple[int, int]]:
        out.put(f"{node.kind}{node.relation}{decimal(node.count)} " if node.relation else node.kind)
        names = []
        for place, each in enumerate(node.variables):
            if place:
                out.put(",")
            names.append(out.name(each.name))
        out.put(" ")
        self.write(out, node.body, WHOLE, True)
        return names

    def InSystem(self, out: _Writer, node: Any, last: bool) -> None:
        out.put(f"?{node.system} ")
        self.write(out, node.body, WHOLE, True)

    def SystemTerm(self, out: _Writer, node: Any, last: bool) -> None:
        out.put(f"?{node.system} ")
        self.write(out, node.term, SUM, True)

    def Letter(self, out: _Writer, node: Any, last: bool) -> None:
        out.put(f"@{decimal(node.value)}")

    def Variable(self, out: _Writer, node: Any, last: bool) -> None:
        out.put(node.name)

    def Call(self, out: _Writer, node: Any, last: bool) -> list[tuple[int, int]]:
        name = out.name(f"${node.name}")
        out.put("(")
        self.arguments(out, node.arguments, ",")
        out.put(")")
        return [name]

    def word(self, out: _Writer, name: str) -> tuple[int, int]:
        if not VARIABLE.fullmatch(name):
            out.put(".")  # A, E and I begin quantifiers
        return out.name(name)


class Walnut(Own):
    """Walnut's syntax, which has no counting quantifiers: a count up to MOST_COPIES is written with unequal copies."""

    #: The most copies of a formula that a counting quantifier is written with.
    MOST_COPIES = 4

    def level(self, kind: str, node: Any) -> int:
        # What stands for a count is a conjunction, or its negation.
        return WHOLE if kind == "Quantified" and node.relation else super().level(kind, node)

    def Quantified(self, out: _Writer, node: Any, last: bool) -> list[tuple[int, int]]:
        if not node.relation:
            return super().Quantified(out, node, last)
        if type(node.body).__name__ == "InSystem":  # the copies are compared in the system of the body
            out.put(f"?{node.body.system} ")
            node = type(node)(node.kind, node.variables, node.body.body, node.relation, node.count)
        if _has_systems(node.body):
            raise NotSupported(
                "Walnut has no counting quantifiers, and the copies of this formula are in other systems within it",
                str(node), 0, len(str(node)), hint="name the system before the quantifier",
            )
        if node.relation == ">=":
            self.at_least(out, node, node.count)
        elif node.relation == "<=":
            self.less_than(out, node, node.count + 1)
        elif node.count:
            out.put("(")
            self.at_least(out, node, node.count)
            out.put(") & ")
            self.less_than(out, node, node.count + 1)
        else:
            self.less_than(out, node, 1)
        return []

    def less_than(self, out: _Writer, node: Any, count: int) -> None:
        """Write that fewer than `count` tuples satisfy the body of a counting quantifier."""
        out.put("~(")
        self.at_least(out, node, count)
        out.put(")")

    def at_least(self, out: _Writer, node: Any, count: int) -> None:
        """Write that `count` different tuples satisfy the body of a counting quantifier."""
        if not 1 <= count <= self.MOST_COPIES:
            raise NotSupported(
                f"Walnut has no counting quantifiers, and {decimal(count)} copies of a formula are not written for it",
                str(node), 0, len(str(node)), hint=f"copies of 1 to {self.MOST_COPIES} are",
            )
        used = _names(node)
        copies = [node.variables]
        for _ in range(count - 1):
            copy = []
            for each in node.variables:
                name = each.name
                while name in used:
                    name += "_"
                used.add(name)
                copy.append(type(each)(name))
            copies.append(tuple(copy))
        out.put(f"E{','.join(each.name for copy in copies for each in copy)} ")
        for place, copy in enumerate(copies):
            if place:
                out.put(" & ")
            renamed = dict(zip((each.name for each in node.variables), copy, strict=True))
            self.write(out, node.body.substitute(renamed), PREFIX, False)
        for place, copy in enumerate(copies):
            for other in copies[:place]:
                pairs = " | ".join(f"{a.name}!={b.name}" for a, b in zip(other, copy, strict=True))
                out.put(f" & ({pairs})")


def _has_systems(node: Any) -> bool:
    """Return whether a numeration system is named below a node, or words are reversed there."""
    if type(node).__name__ in ("InSystem", "SystemTerm", "Reversed"):
        return True
    parts = node if isinstance(node, tuple) else (getattr(node, field) for field in getattr(node, "__match_args__", ()))
    return any(map(_has_systems, parts))


def _names(node: Any) -> set[str]:
    """Return all names of variables below a node."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if type(each).__name__ == "Variable":
            found.add(each.name)
        elif isinstance(each, tuple):
            waiting.extend(each)
        elif hasattr(each, "__match_args__"):
            waiting.extend(getattr(each, field) for field in each.__match_args__)
    return found


class Latex(Dialect):
    """LaTeX, to be set in math: signs of logic, names upright, variables in italics; an outer system is left out."""

    signs: ClassVar[Mapping[str, str]] = {
        "&": r" \wedge ", "|": r" \vee ", "~": r"\neg ", "^": r" \oplus ", "=>": r" \Rightarrow ",
        "<=>": r" \Leftrightarrow ", "!=": r" \neq ", ">=": r" \geq ", "<=": r" \leq ", "*": r" \cdot ", "=": " = ",
        "<": " < ", ">": " > ", "+": " + ", "-": " - ", "_": "-", "`": r"\textrm{\textasciigrave}",
    }
    quantifiers: ClassVar[Mapping[str, str]] = {"A": r"\forall ", "E": r"\exists ", "I": r"\exists^{\infty} "}

    def Quantified(self, out: _Writer, node: Any, last: bool) -> None:
        if node.relation:
            out.put(rf"\exists^{{{self.sign(node.relation).strip()} {decimal(node.count)}}} ")
        else:
            out.put(self.quantifiers[node.kind])
        out.put(", ".join(_italic(each.name) for each in node.variables))
        out.put(r"\; ")
        self.write(out, node.body, WHOLE, True)

    def InSystem(self, out: _Writer, node: Any, last: bool) -> None:
        if len(out.extents) > 1:
            out.put(rf"[\mathrm{{{_escaped(node.system)}}}]\; ")
        self.write(out, node.body, WHOLE, True)

    def SystemTerm(self, out: _Writer, node: Any, last: bool) -> None:
        out.put(rf"[\mathrm{{{_escaped(node.system)}}}]\; ")
        self.write(out, node.term, SUM, True)

    def Letter(self, out: _Writer, node: Any, last: bool) -> None:
        out.put(decimal(node.value))

    def Variable(self, out: _Writer, node: Any, last: bool) -> None:
        out.put(_italic(node.name))

    def Arithmetic(self, out: _Writer, node: Any, last: bool) -> None:
        if node.op == "/":
            out.put(r"\lfloor ")
            self.write(out, node.left, PRODUCT, False)
            out.put("/")
            self.write(out, node.right, NEGATIVE, True)
            out.put(r" \rfloor")
        elif node.op == "*" and type(node.left).__name__ == "Number" and type(node.right).__name__ == "Variable":
            self.write(out, node.left, PRODUCT, False)
            out.put(" ")
            self.write(out, node.right, NEGATIVE, last)
        else:
            super().Arithmetic(out, node, last)

    def Call(self, out: _Writer, node: Any, last: bool) -> None:
        parts = word_predicate(node.name)
        if parts is None:
            self.word(out, node.name)
        else:
            kind, of = parts
            out.name(rf"\mathrm{{{_escaped(kind)}}}_{{\mathrm{{{_escaped(of)}}}}}")
        out.put("(")
        self.arguments(out, node.arguments, ", ")
        out.put(")")

    def word(self, out: _Writer, name: str) -> tuple[int, int]:
        return out.name(rf"\mathrm{{{_escaped(name)}}}")


def _italic(name: str) -> str:
    return name if len(name) == 1 else rf"\mathit{{{_escaped(name)}}}"


def _escaped(name: str) -> str:
    return name.replace("_", r"\_")


class Lean(Dialect):
    """Lean 4 with Mathlib, for closed formulas about natural numbers and integers: what certificates state.

    words, predicates: what stands for these names, such as `P` or `Q P` where P is an argument of Q; integers: systems
    of which the variables of a quantifier are, `?msd_neg_2 Ax ...`; numbers: of words (by `W[`) and predicates the
    functions through which their arguments go, "" for none.
    """

    signs: ClassVar[Mapping[str, str]] = {
        "&": " ∧ ", "|": " ∨ ", "~": "¬ ", "=>": " → ", "<=>": " ↔ ", "=": " = ", "!=": " ≠ ", "<": " < ",
        "<=": " ≤ ", ">": " > ", ">=": " ≥ ", "+": " + ", "*": " * ",
    }
    quantifiers: ClassVar[Mapping[str, str]] = {"A": "∀", "E": "∃"}

    def __init__(
        self, words: Mapping[str, str], predicates: Mapping[str, str], integers: Collection[str] = (),
        numbers: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.words, self.predicates, self.integers, self.numbers = words, predicates, integers, numbers or {}

    def level(self, kind: str, node: Any) -> int:
        if kind == "InSystem":
            return self.level(type(node.body).__name__, node.body)
        return COMPARISON if kind == "Quantified" and self.is_counted(node) else super().level(kind, node)

    def is_counted(self, node: Any) -> bool:
        """Return whether a quantifier speaks of a number of tuples other than of exactly one value."""
        return bool(node.relation) and (node.relation, node.count, len(node.variables)) != ("=", 1, 1)

    def sign(self, op: str) -> str:
        if op not in self.signs:
            # On natural numbers, Lean's difference is 0 where ours is none.
            raise NotSupported(f"this is not written in Lean: {op}", op, 0, len(op))
        return self.signs[op]

    def InSystem(self, out: _Writer, node: Any, last: bool) -> None:
        if type(node.body).__name__ != "Quantified":
            raise NotSupported(f"this is not written in Lean: ?{node.system}", node.system, 0, len(node.system))
        self.quantified(out, node.body, "ℤ" if node.system in self.integers else "ℕ")

    def Quantified(self, out: _Writer, node: Any, last: bool) -> None:
        self.quantified(out, node, "ℕ")

    def quantified(self, out: _Writer, node: Any, kind: str) -> None:
        """Write a quantifier about values of a type."""
        names = [lean_name(each.name) for each in node.variables]
        if not self.is_counted(node):
            if node.kind not in self.quantifiers:
                raise NotSupported(f"this is not written in Lean: {node.kind}", node.kind, 0, len(node.kind))
            out.put(f"{self.quantifiers[node.kind]}{'!' if node.relation else ''} {' '.join(names)} : {kind}, ")
            self.write(out, node.body, WHOLE, True)
            return
        if node.relation == ">=":
            out.put(f"{decimal(node.count)} ≤ ")
        tuples = names[0] if len(names) == 1 else f"({', '.join(names)})"
        out.put(f"Set.encard {{{tuples} : {' × '.join(kind for _ in names)} | ")
        self.write(out, node.body, WHOLE, True)
        out.put("}")
        if node.relation != ">=":
            out.put(f"{self.sign(node.relation)}{decimal(node.count)}")

    def Letter(self, out: _Writer, node: Any, last: bool) -> None:
        out.put(decimal(node.value))

    def Variable(self, out: _Writer, node: Any, last: bool) -> None:
        out.put(lean_name(node.name))

    def Call(self, out: _Writer, node: Any, last: bool) -> None:
        self.applied(out, self.predicates[node.name], node.arguments, self.numbers.get(node.name, ()))

    def WordValue(self, out: _Writer, node: Any, last: bool) -> list[tuple[int, int]]:
        self.applied(out, self.words[node.word], node.indices, self.numbers.get(f"{node.word}[", ()))
        return []

    def applied(self, out: _Writer, head: str, arguments: Sequence[Any], numbers: Sequence[str]) -> None:
        """Write a function with its arguments; numbers: the functions through which these go first."""
        out.put(head)
        for place, each in enumerate(arguments):
            function = numbers[place] if numbers else ""
            out.put(f" ({function} " if function else " ")
            self.write(out, each, ATOM, False)
            out.put(")" if function else "")


#: What Lean and Mathlib read as more than a name.
_RESERVED_IN_LEAN = frozenset((
    "abbrev", "and", "as", "at", "attribute", "axiom", "by", "calc", "catch", "class", "const", "continue", "def",
    "deriving", "do", "else", "elab", "end", "example", "exists", "export", "extends", "finally", "for", "forall",
    "from", "fun", "generalizing", "generalize", "have", "hiding", "if", "import", "in", "inductive", "infix",
    "infixl", "infixr", "init", "initialize", "instance", "is", "let", "local", "macro", "match", "mut", "mutual",
    "namespace", "nofun", "nomatch", "noncomputable", "notation", "nonrec", "of", "on", "only", "opaque", "open",
    "or", "partial", "postfix", "precedence", "prefix", "private", "protected", "public", "renaming", "return",
    "scoped", "section", "show", "sorry", "structure", "suffices", "syntax", "then", "theorem", "to", "try",
    "universe", "unless", "unsafe", "using", "variable", "variables", "where", "while", "with", "Prop", "Sort",
    "Type",
))


def lean_name(name: str) -> str:
    """Return a name as Lean has it: in quotation marks if it would be read as something else."""
    return f"«{name}»" if name in _RESERVED_IN_LEAN or name.strip("_") == "" else name


class Prose(Own):
    """English: sentences with the signs of arithmetic; an outermost system is left out."""

    signs: ClassVar[Mapping[str, str]] = {
        "&": " and ", "|": " or ", "~": "not ", "=": " = ", "!=": " ≠ ", "<": " < ", "<=": " ≤ ", ">": " > ",
        ">=": " ≥ ", "+": " + ", "-": " - ", "*": " * ", "_": "-", "`": "reversed ",
    }
    counts: ClassVar[Mapping[str, str]] = {">=": "at least", "<=": "at most", "=": "exactly"}
    #: Whether $pal_T is what it is in a session, and not any predicate with this name.
    reads_predicates: ClassVar[bool] = True

    def Binary(self, out: _Writer, node: Any, last: bool) -> None:
        match node.op:
            case "=>":
                parts = ("if ", ", then ", "")
            case "<=>":
                parts = ("", " if and only if ", "")
            case "^":
                parts = ("either ", " or ", ", but not both")
            case _:
                super().Binary(out, node, last)
                return
        out.put(parts[0])
        self.write(out, node.left, self.side(node.op, node.left), False)
        out.put(parts[1])
        self.write(out, node.right, self.side(node.op, node.right), last and not parts[2])
        out.put(parts[2])

    def side(self, op: str, part: Any) -> int:
        """Return how tightly a side of a connective in words binds without brackets: in English none is tighter."""
        return PREFIX if "^" in (op, getattr(part, "op", "")) else JUNCTION

    def Quantified(self, out: _Writer, node: Any, last: bool) -> list[tuple[int, int]]:
        *others, final = (each.name for each in node.variables)
        names = f"{', '.join(others)} and {final}" if others else final
        if node.relation:
            tuples = f"pair {names}" if len(others) == 1 else f"tuple {names}" if others else f"value of {names}"
            tuples = tuples if node.count == 1 else tuples.replace(" ", "s ", 1)
            are = "is" if node.count == 1 else "are"
            out.put(f"there {are} {self.counts[node.relation]} {decimal(node.count)} {tuples} such that ")
        elif node.kind == "A":
            out.put(f"for all {names}, ")
        elif node.kind == "E":
            out.put(f"there {'are' if others else 'is'} {names} such that ")
        else:
            out.put(f"for infinitely many {names}, ")
        self.write(out, node.body, WHOLE, True)
        return []

    def InSystem(self, out: _Writer, node: Any, last: bool) -> None:
        if len(out.extents) > 1:
            out.put(f"in {node.system}, ")
        self.write(out, node.body, WHOLE, True)

    def SystemTerm(self, out: _Writer, node: Any, last: bool) -> None:
        self.write(out, node.term, SUM, True)
        out.put(f" in {node.system}")

    def Arithmetic(self, out: _Writer, node: Any, last: bool) -> None:
        if node.op != "/":
            super().Arithmetic(out, node, last)
            return
        out.put("floor(")
        self.write(out, node.left, PRODUCT, False)
        out.put("/")
        self.write(out, node.right, NEGATIVE, True)
        out.put(")")

    def Letter(self, out: _Writer, node: Any, last: bool) -> None:
        out.put(decimal(node.value))

    def Call(self, out: _Writer, node: Any, last: bool) -> list[tuple[int, int]]:
        parts = word_predicate(node.name) if self.reads_predicates else None
        said = _SAID[parts[0]] if parts else ()
        if parts is None or len(node.arguments) != sum(isinstance(piece, int) for piece in said):
            out.put(f"{node.name}(")
            self.arguments(out, node.arguments, ", ")
            out.put(")")
            return []
        for piece in said:
            if isinstance(piece, int):
                self.write(out, node.arguments[piece], SUM, False)
            else:
                out.put(piece.replace("{word}", parts[1]))
        return []

    def word(self, out: _Writer, name: str) -> tuple[int, int]:
        return out.name(name)


class ProseOfNames(Prose):
    """English in which no name of a predicate says what it means."""

    reads_predicates = False


#: What the predicates of words say: texts, with the places of arguments between them.
_SAID: Mapping[str, tuple[str | int, ...]] = {
    "feq": ("the factors of {word} of length ", 2, " at ", 0, " and ", 1, " are equal"),
    "rev": ("the factor of {word} of length ", 2, " at ", 0, " is the reversal of the one at ", 1),
    "pal": ("the factor of {word} of length ", 1, " at ", 0, " is a palindrome"),
    "per": ("the factor of {word} of length ", 1, " at ", 0, " has the period ", 2),
    "border": ("the factor of {word} of length ", 2, " at ", 0, " has a border of length ", 1),
    "first": ("the factor of {word} of length ", 1, " at ", 0, " does not occur before"),
}

OWN, WALNUT, LATEX, PROSE, PROSE_OF_NAMES = Own(), Walnut(), Latex(), Prose(), ProseOfNames()
