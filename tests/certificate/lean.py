"""A reader of the Lean files that fibprover writes: their grammar, the scope and the types of names, and their values.

It knows the names of Lean and Mathlib in `LIBRARY` and no others, and reads the subset of Lean in lean.lark. Values are
those of the definitions themselves; a quantifier runs through the numbers below a bound.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import reduce
from itertools import islice, product
from pathlib import Path
from typing import Any

from lark import Lark, Token, Tree

GRAMMAR = Lark((Path(__file__).parent / "lean.lark").read_text(), start=["file", "term"], parser="lalr")

#: Names that files may use: the module of Lean or Mathlib that declares them, and their types.
LIBRARY = {
    "Nat.digits": ("Mathlib.Data.Nat.Digits", "ℕ → ℕ → List ℕ"),
    "Nat.ofDigits": ("Mathlib.Data.Nat.Digits", "ℤ → List ℕ → ℤ"),
    "Nat.fib": ("Mathlib.Data.Nat.Fib.Basic", "ℕ → ℕ"),
    "sInf": ("Mathlib.Order.SetNotation", "Set ℕ → ℕ"),
    "Nat.greatestFib": ("Mathlib.Data.Nat.Fib.Zeckendorf", "ℕ → ℕ"),
    "Nat.zeckendorf": ("Mathlib.Data.Nat.Fib.Zeckendorf", "ℕ → List ℕ"),
    "Real.sqrt": ("Mathlib.Data.Real.Sqrt", "ℝ → ℝ"),
    "PowerSeries.mk": ("Mathlib.RingTheory.PowerSeries.Basic", "(ℕ → a) → PowerSeries a"),
    "PowerSeries.X": ("Mathlib.RingTheory.PowerSeries.Basic", "PowerSeries a"),
    "Set.encard": ("Mathlib.Data.Set.Card", "Set a → ENat"),
    "Set.ncard": ("Mathlib.Data.Set.Card", "Set a → ℕ"),
    "DFA.mk": ("Mathlib.Computability.DFA", "(s → a → s) → s → Set s → DFA a s"),
    "DFA.eval": ("Mathlib.Computability.DFA", "DFA a s → List a → s"),
    "DFA.accepts": ("Mathlib.Computability.DFA", "DFA a s → Language a"),
    "RegularExpression.char": ("Mathlib.Computability.RegularExpressions", "a → RegularExpression a"),
    "RegularExpression.star": ("Mathlib.Computability.RegularExpressions", "RegularExpression a → RegularExpression a"),
    "RegularExpression.matches'": ("Mathlib.Computability.RegularExpressions", "RegularExpression a → Language a"),
    "KStar.kstar": ("Mathlib.Algebra.Order.Kleene", "Language a → Language a"),
    "List.range": ("Init.Data.List.Basic", "ℕ → List ℕ"),
    "List.replicate": ("Init.Data.List.Basic", "ℕ → a → List a"),
    "List.zip": ("Init.Data.List.Basic", "List a → List b → List (a × b)"),
    "List.zipWith": ("Init.Data.List.Basic", "(a → b → c) → List a → List b → List c"),
    "List.map": ("Init.Prelude", "(a → b) → List a → List b"),
    "List.filter": ("Init.Data.List.Basic", "(a → Bool) → List a → List a"),
    "List.dropWhile": ("Init.Data.List.Basic", "(a → Bool) → List a → List a"),
    "List.flatMap": ("Init.Data.List.Basic", "(a → List b) → List a → List b"),
    "List.foldl": ("Init.Prelude", "(b → a → b) → b → List a → b"),
    "List.reverse": ("Init.Data.List.Basic", "List a → List a"),
    "List.length": ("Init.Prelude", "List a → ℕ"),
    "List.sum": ("Init.Data.List.Basic", "List a → a"),
    "List.contains": ("Init.Data.List.Basic", "List a → a → Bool"),
    "List.getD": ("Init.Data.List.BasicAux", "List a → ℕ → a → a"),
    "List.headD": ("Init.Data.List.Basic", "List a → a → a"),
    "max": ("Init.Prelude", "ℕ → ℕ → ℕ"),
}

BASIC = ("ℕ", "ℤ", "ℚ", "ℝ", "ENat", "Prop", "Bool")
NUMERIC = BASIC[:5]
RINGS = ("RegularExpression", "Language", "PowerSeries", "ZMod")
OPERATORS = {"RegularExpression": "+*^", "Language": "+*^⊓", "PowerSeries": "+-*^"}
CONSTRUCTORS = {"List": 1, "Set": 1, "Language": 1, "RegularExpression": 1, "DFA": 2, "PowerSeries": 1, "ZMod": 1}


class LeanError(Exception):
    """The file is not what Lean would read, as far as this reader knows."""


class Unknown:
    """A type that is not known yet; numeral: it is that of a numeral."""

    def __init__(self, numeral: bool = False) -> None:
        self.found: Any = None
        self.numeral = numeral


def found(kind: Any) -> Any:
    while isinstance(kind, Unknown) and kind.found is not None:
        kind = kind.found
    return kind


def head_of(kind: Any) -> Any:
    """Return what a type is made by: List of a list."""
    kind = found(kind)
    return kind[0] if isinstance(kind, tuple) else kind


def unify(one: Any, other: Any, where: object) -> None:
    """Make two types equal, or raise LeanError."""
    one, other = found(one), found(other)
    if one is other:
        return
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        one, other = (one, other) if isinstance(one, Unknown) else (other, one)
        if one.numeral and isinstance(other, Unknown):
            other.numeral = True
        elif one.numeral and other not in NUMERIC and head_of(other) not in RINGS:
            raise LeanError(f"a numeral is no {other}: {where}")
        one.found = other
    elif isinstance(one, str) or isinstance(other, str) or one[0] != other[0] or len(one) != len(other):
        if one != other:
            raise LeanError(f"{one} is not {other}: {where}")
    else:
        for left, right in zip(one[1:], other[1:], strict=True):
            unify(left, right, where)


class LeanReading:
    """A file that has been read: definitions by name, and theorems."""

    def __init__(self, text: str, bound: int = 12) -> None:
        check_lines(text)
        self.bound = bound
        tree: Any = GRAMMAR.parse(text, start="file")
        _, name, *declarations, end = tree.children
        if name != end:
            raise LeanError(f"{end} ends no namespace")
        self.globals: dict[str, Any] = {name: typed(kind) for name, (_, kind) in LIBRARY.items()}
        self.types: dict[int, Any] = {}
        self.trees = [tree]  # keeps the trees, by whose identity types are known
        self.values: dict[str, Any] = dict(VALUES)
        self.theorems: dict[str, tuple[list[tuple[str, Any]], Tree[Any]]] = {}
        self.definitions: list[str] = []
        self.noncomputable = {"sInf", "Set.ncard"}
        for each in declarations:
            children = [child for child in each.children if not (isinstance(child, Token) and child.type == "DOC")]
            if isinstance(children[0], Token) and children[0].type == "NONCOMPUTABLE":
                self.noncomputable.add(str(children[1]))
                del children[0]
            (self.define if each.data == "definition" else self.state)(*children)

    # -- scope and types

    def define(self, name: str, *rest: Any) -> None:
        *binders, kind, body = rest
        self.fresh(name)
        scope = self.bound_by(binders)
        own = self.kind(kind)
        used = {str(token) for token in body.scan_values(lambda each: isinstance(each, Token))}
        if own != "Prop" and (name in self.noncomputable) != bool(used & self.noncomputable):
            raise LeanError(f"{name} is noncomputable where it needs something that is, and there alone")
        whole = reduce(lambda there, each: ("→", each, there), [each for _, each in reversed(scope)], own)
        if body.data == "value":
            self.check(body.children[0], own, dict(scope))
        else:
            self.globals[name] = whole
            for case in body.children:
                self.check_case(case, own, dict(scope))
        self.globals[name] = whole
        self.definitions.append(name)
        self.values[name] = self.definition_value(name, [each for each, _ in scope], body)

    def check_case(self, case: Any, kind: Any, scope: dict[str, Any]) -> None:
        *patterns, result = case.children
        for pattern in patterns:
            if not (isinstance(kind, tuple) and kind[0] == "→"):
                raise LeanError("a case has too many patterns")
            if pattern.data in ("number_pattern", "successor_pattern") and kind[1] != "ℕ":
                raise LeanError("a pattern is no natural number")
            if pattern.data in ("successor_pattern", "name_pattern"):
                scope[str(pattern.children[0])] = kind[1]
            kind = kind[2]
        self.check(result, kind, scope)

    def state(self, name: str, *rest: Any) -> None:
        *binders, statement = rest
        self.fresh(name)
        scope = self.bound_by(binders)
        self.check(statement, "Prop", dict(scope))
        self.globals[name] = "Prop"
        self.theorems[name] = scope, statement

    def fresh(self, name: str) -> None:
        if name in self.globals or name in RESERVED:
            raise LeanError(f"{name} is there already, or no name")

    def bound_by(self, binders: Iterable[Any]) -> list[tuple[str, Any]]:
        scope: list[tuple[str, Any]] = []
        for binder in binders:
            *names, kind = binder.children
            own: Any
            try:
                own = self.kind(kind)
            except LeanError:  # a hypothesis: its type is a proposition
                self.check(kind, "Prop", dict(scope))
                own = "Prop"
            scope += [(local(name), own) for name in names]
        return scope

    def kind(self, tree: Any) -> Any:
        return type_of(tree)

    def check(self, tree: Any, kind: Any, scope: dict[str, Any]) -> None:
        """Check a term against its type."""
        kind = found(kind)
        if isinstance(tree, Tree) and tree.data in ("function", "typed_function") and isinstance(kind, tuple):
            names = tree.children[:-1] if tree.data == "function" else tree.children[:1]
            inner = dict(scope)
            for name in names:
                if not (isinstance(kind, tuple) and kind[0] == "→"):
                    raise LeanError(f"a function has too many arguments: {tree}")
                inner[local(name)] = kind[1]
                if tree.data == "typed_function":
                    unify(kind[1], self.kind(tree.children[1]), tree)
                kind = found(kind[2])
            self.check(tree.children[-1], kind, inner)
            return
        unify(self.infer(tree, scope), kind, tree)

    def infer(self, tree: Any, scope: dict[str, Any]) -> Any:
        kind = getattr(self, f"type_{tree.data}")(tree.children, scope, tree)
        self.types[id(tree)] = kind
        return kind

    def type_name(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        name = str(children[0])
        if name in scope:
            return scope[name]
        if name in self.globals:
            return fresh_type(self.globals[name])
        head, _, fields = name.partition(".")
        if not fields or (head not in scope and head not in self.globals):
            raise LeanError(f"{name} is neither bound, nor defined, nor known of Mathlib")
        kind = scope[head] if head in scope else fresh_type(self.globals[head])
        return self.field_type(kind, fields)

    def field_type(self, kind: Any, fields: str) -> Any:
        for field in fields.split("."):
            kind = found(kind)
            if field in ("1", "2"):
                if not (isinstance(kind, tuple) and kind[0] == "×"):
                    raise LeanError(f"{kind} is no pair")
                kind = kind[int(field)]
                continue
            if not isinstance(kind, tuple) or f"{kind[0]}.{field}" not in self.globals:
                raise LeanError(f"{kind} has no {field}")
            receiver, arguments, result = kind, [], fresh_type(self.globals[f"{kind[0]}.{field}"])
            while head_of(result[1]) != receiver[0]:
                arguments.append(result[1])
                result = found(result[2])
            unify(result[1], receiver, field)
            kind = reduce(lambda there, each: ("→", each, there), reversed(arguments), result[2])
        return kind

    def type_field_of(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        return self.field_type(self.infer(children[0], scope), str(children[1])[1:])

    def type_apply(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        kind = found(self.infer(children[0], scope))
        for argument in children[1:]:
            if not (isinstance(kind, tuple) and kind[0] == "→"):
                raise LeanError(f"too many arguments, or no function: {tree}")
            self.check(argument, kind[1], scope)
            kind = found(kind[2])
        return kind

    def type_number(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        return Unknown(numeral=True)

    def type_all_(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        *names, kind, body = children
        own = self.kind(kind)
        self.check(body, "Prop", {**scope, **{local(name): own for name in names}})
        return "Prop"

    type_some = type_one = type_all_

    def type_set_(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        pattern, kind, body = children
        own, inner = self.kind(kind), dict(scope)
        rest = own
        for name in pattern.children[:-1]:
            if rest[0] != "×":
                raise LeanError("a pattern has too many names")
            inner[local(name)], rest = rest[1], rest[2]
        inner[local(pattern.children[-1])] = rest
        self.check(body, "Prop", inner)
        return "Set", own

    def all_prop(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        for child in children:
            self.check(child, "Prop", scope)
        return "Prop"

    type_iff = type_arrow = type_or_ = type_and_ = type_not_ = all_prop

    def type_both(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        for child in children:
            self.check(child, "Bool", scope)
        return "Bool"

    def type_relation(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        left, sign, right = children
        one, other = self.infer(left, scope), found(self.infer(right, scope))
        if sign == "∈":
            kind = other[0] if isinstance(other, tuple) else other
            if kind not in ("List", "Set", "Language"):
                raise LeanError(f"nothing is in {other}: {tree}")
            unify(one, ("List", other[1]) if kind == "Language" else other[1], tree)
            return "Prop"
        if {found(one), other} != {"ℕ", "ℤ"}:  # a natural number counts as an integer there
            unify(one, other, tree)
        if sign not in ("=", "≠", "==", "!=") and isinstance(found(one), str) and found(one) not in NUMERIC:
            raise LeanError(f"{found(one)} has no order")
        return "Bool" if sign in ("==", "!=") else "Prop"

    def type_arithmetic(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        left, sign, right = children
        kind = self.infer(left, scope)
        if sign == "^":
            self.check(right, "ℕ", scope)
        else:
            self.check(right, kind, scope)
        own = found(kind)
        if isinstance(own, Unknown):
            own.numeral = True
        elif sign == "⊓" if own in NUMERIC else sign not in OPERATORS.get(own[0], ""):
            raise LeanError(f"{own} has no {sign}")
        return kind

    def type_minus(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        kind = found(self.infer(children[-1], scope))
        if kind == "ℕ":
            raise LeanError(f"a natural number has no negative: {tree}")
        return kind

    def type_complement(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        kind = self.infer(children[0], scope)
        if head_of(kind) != "Language":
            raise LeanError(f"{kind} has no complement: {tree}")
        return kind

    def type_append(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        kind = ("List", Unknown())
        for child in children:
            self.check(child, kind, scope)
        return kind

    def type_cons(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        kind = Unknown()
        self.check(children[0], kind, scope)
        self.check(children[1], ("List", kind), scope)
        return "List", kind

    def type_list_(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        kind = Unknown()
        for child in children:
            if child is not None:
                self.check(child, kind, scope)
        return "List", kind

    def type_tuple_(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        *kinds, last = [self.infer(child, scope) for child in children]
        return reduce(lambda there, each: ("×", each, there), reversed(kinds), last)

    def type_ascription(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        kind, own = self.kind(children[1]), found(self.infer(children[0], scope))
        if own not in ("ℕ", "ℤ") or (kind not in ("ℤ", "ℚ", "ℝ") and kind[0] != "ZMod"):  # otherwise it is cast
            unify(own, kind, tree)
        return kind

    def type_floor(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        self.check(children[0], "ℝ", scope)
        return "ℕ"

    def type_iterate(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        kind = Unknown()
        self.check(children[0], ("→", kind, kind), scope)
        self.check(children[1], "ℕ", scope)
        return "→", kind, kind

    def type_if_(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        self.check(children[0], "Prop", scope)
        kind = self.infer(children[1], scope)
        self.check(children[2], kind, scope)
        return kind

    def type_function(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        kinds = [Unknown() for _ in children[:-1]]
        inner = {**scope, **dict(zip(map(local, children[:-1]), kinds, strict=True))}
        body = self.infer(children[-1], inner)
        return reduce(lambda there, each: ("→", each, there), reversed(kinds), body)

    def type_typed_function(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        name, kind, body = children
        own = self.kind(kind)
        return "→", own, self.infer(body, {**scope, local(name): own})

    # -- values

    def definition_value(self, name: str, parameters: list[str], body: Any) -> Any:
        if body.data == "value":
            whole = curried(len(parameters), lambda *own: self.value(
                body.children[0], dict(zip(parameters, own, strict=True))))
            return whole if parameters else self.value(body.children[0], {})
        patterns = len(body.children[0].children) - 1
        return curried(len(parameters) + patterns, lambda *own: self.case_value(
            body.children, dict(zip(parameters, own, strict=False)), own[len(parameters):]))

    def case_value(self, cases: Any, scope: dict[str, Any], values: tuple[Any, ...]) -> Any:
        for case in cases:
            inner = dict(scope)
            if all(matches(pattern, value, inner) for pattern, value in zip(case.children, values, strict=False)):
                return self.value(case.children[-1], inner)
        raise LeanError("no case fits")

    def value(self, tree: Any, scope: dict[str, Any]) -> Any:
        return getattr(self, f"value_{tree.data}")(tree.children, scope, tree)

    def value_name(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        name = str(children[0])
        if name in scope:
            return scope[name]
        if name in self.values:
            return self.values[name]
        head, _, fields = name.partition(".")
        return field_value(scope[head] if head in scope else self.values[head], fields)

    def value_field_of(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        return field_value(self.value(children[0], scope), str(children[1])[1:])

    def value_apply(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        head, *arguments = (self.value(child, scope) for child in children)
        return reduce(lambda function, argument: function(argument), arguments, head)

    def value_number(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        return int(children[0])

    def tuples(self, names: list[Any], kinds: Iterable[Any], body: Any, scope: dict[str, Any]) -> Iterator[bool]:
        """Yield the truths of a formula for values below the bound, of integers also for those from -bound on."""
        for numbers in product(*(range(-self.bound if kind == "ℤ" else 0, self.bound) for kind in kinds)):
            yield self.value(body, {**scope, **dict(zip(map(local, names), numbers, strict=True))})

    def value_all_(self, children: Any, scope: dict[str, Any], tree: Any) -> bool:
        *names, kind, body = children
        return all(self.tuples(names, [self.kind(kind)] * len(names), body, scope))

    def value_some(self, children: Any, scope: dict[str, Any], tree: Any) -> bool:
        *names, kind, body = children
        return any(self.tuples(names, [self.kind(kind)] * len(names), body, scope))

    def value_one(self, children: Any, scope: dict[str, Any], tree: Any) -> bool:
        name, kind, body = children
        return sum(self.tuples([name], [self.kind(kind)], body, scope)) == 1

    def value_set_(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        pattern, kind, body = children
        names, kinds, rest = [local(name) for name in pattern.children], list[Any](), self.kind(kind)
        for _ in names[1:]:
            kinds.append(rest[1])
            rest = rest[2]
        kinds.append(rest)

        def has(value: Any) -> bool:
            return bool(self.value(body, {**scope, **dict(zip(names, flat(value, len(names)), strict=True))}))

        return SetOf(has, lambda: sum(self.tuples(names, kinds, body, scope)))

    def value_iff(self, children: Any, scope: dict[str, Any], tree: Any) -> bool:
        return self.value(children[0], scope) is self.value(children[1], scope)

    def value_arrow(self, children: Any, scope: dict[str, Any], tree: Any) -> bool:
        return not self.value(children[0], scope) or bool(self.value(children[1], scope))

    def value_or_(self, children: Any, scope: dict[str, Any], tree: Any) -> bool:
        return any(self.value(child, scope) for child in children)

    def value_and_(self, children: Any, scope: dict[str, Any], tree: Any) -> bool:
        return all(self.value(child, scope) for child in children)

    value_both = value_and_

    def value_not_(self, children: Any, scope: dict[str, Any], tree: Any) -> bool:
        return not self.value(children[0], scope)

    def value_relation(self, children: Any, scope: dict[str, Any], tree: Any) -> bool:
        one, other = self.value(children[0], scope), self.value(children[2], scope)
        return bool(RELATIONS[str(children[1])](one, other))

    def value_arithmetic(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        left, sign, right = self.value(children[0], scope), str(children[1]), self.value(children[2], scope)
        kind = found(self.types[id(tree)])
        if head_of(kind) == "PowerSeries":
            return SERIES[sign](left, right)
        if isinstance(kind, tuple):
            return (sign, left, right) if kind[0] == "RegularExpression" else Words((sign, plain(left), plain(right)))
        if kind in ("ℕ", "ENat") or isinstance(kind, Unknown):
            return NATURAL[sign](left, right)
        if sign == "/":
            return Fraction(left, right) if kind == "ℚ" else left / right
        return SIGNED[sign](left, right)

    def value_minus(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        return -self.value(children[-1], scope)

    def value_complement(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        return Words(("ᶜ", plain(self.value(children[0], scope))))

    def value_append(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        return Items(item for child in children for item in self.value(child, scope))

    def value_cons(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        first = self.value(children[0], scope)

        def items() -> Iterator[Any]:
            yield first
            yield from self.value(children[1], scope)

        return Items(items())

    def value_list_(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        return Items(iter([self.value(child, scope) for child in children if child is not None]))

    def value_tuple_(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        *others, last = (self.value(child, scope) for child in children)
        return reduce(lambda there, each: (each, there), reversed(others), last)

    def value_ascription(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        value, kind = self.value(children[0], scope), self.kind(children[1])
        if isinstance(kind, tuple):
            return (value, int(kind[1])) if kind[0] == "ZMod" else value
        return {"ℚ": Fraction, "ℝ": float}.get(kind, lambda each: each)(value)

    def value_floor(self, children: Any, scope: dict[str, Any], tree: Any) -> int:
        return max(0, math.floor(float(self.value(children[0], scope))))

    def value_iterate(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        function, times = (self.value(child, scope) for child in children)
        return lambda start: reduce(lambda there, _: function(there), range(times), start)

    def value_if_(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        return self.value(children[1] if self.value(children[0], scope) else children[2], scope)

    def value_function(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        *names, body = children
        return curried(len(names), lambda *own: self.value(
            body, {**scope, **dict(zip(map(local, names), own, strict=True))}), keep=False)

    def value_typed_function(self, children: Any, scope: dict[str, Any], tree: Any) -> Any:
        name, _, body = children
        return lambda own: self.value(body, {**scope, local(name): own})


# -- names and types -------------------------------------------------------------------------

RESERVED = frozenset((
    "fun", "if", "then", "else", "def", "theorem", "by", "at", "in", "to", "let", "have", "show", "from", "end", "open",
    "where", "with", "match", "do", "Prop", "Type", "Sort",
))

#: The least member of a set is sought below this.
MOST_SEARCHED = 1 << 12

#: So many terms of power series are compared.
TERMS = 24

#: What a line at the margin may begin with: anything else belongs to what is above, and has to be indented.
_MARGIN = re.compile(r"/-|import Mathlib$|namespace |def |noncomputable def |theorem |end ")


def check_lines(text: str) -> None:
    """Refuse lines at the margin that begin nothing."""
    bare = re.sub(r"/-(.|\n)*?-/", lambda match: "/-" + "\n" * match[0].count("\n"), text)
    for line in bare.splitlines():
        if line and line[0] != " " and not _MARGIN.match(line):
            raise LeanError(f"a line at the margin: {line}")


def local(name: object) -> str:
    """Return the name of a variable, which is no keyword."""
    text = str(name)
    if text in RESERVED or "." in text or text in BASIC:
        raise LeanError(f"{text} is no variable")
    return text


def type_of(tree: Any) -> Any:
    """Return a type."""
    if tree.data == "arrow":
        return "→", type_of(tree.children[0]), type_of(tree.children[1])
    if tree.data == "product_type":
        return "×", type_of(tree.children[0]), type_of(tree.children[1])
    if tree.data == "number":
        return str(tree.children[0])
    if tree.data == "name" and str(tree.children[0]) in BASIC:
        return str(tree.children[0])
    if tree.data == "apply" and tree.children[0].data == "name":
        head, *arguments = tree.children
        if CONSTRUCTORS.get(str(head.children[0])) == len(arguments):
            return (str(head.children[0]), *map(type_of, arguments))
    raise LeanError(f"this is no type: {tree}")


def typed(text: str) -> Any:
    """Return the type that a text of the table says; small letters are types."""
    return _with_variables(GRAMMAR.parse(text, start="term"))


def _with_variables(tree: Any) -> Any:
    if tree.data == "name" and str(tree.children[0]).islower():
        return ("variable", str(tree.children[0]))
    if tree.data in ("arrow", "product_type"):
        return ("→" if tree.data == "arrow" else "×", *map(_with_variables, tree.children))
    if tree.data == "apply":
        return (str(tree.children[0].children[0]), *map(_with_variables, tree.children[1:]))
    return type_of(tree)


def fresh_type(kind: Any, new: dict[str, Unknown] | None = None) -> Any:
    """Return a type of the table with unknown types for its variables."""
    new = {} if new is None else new
    if isinstance(kind, tuple):
        if kind[0] == "variable":
            return new.setdefault(kind[1], Unknown())
        return (kind[0], *(fresh_type(each, new) for each in kind[1:]))
    return kind


# -- values ----------------------------------------------------------------------------------


class Items:
    """A list that is made as far as it is looked at."""

    def __init__(self, source: Iterator[Any]) -> None:
        self.source, self.made = source, list[Any]()

    def __iter__(self) -> Iterator[Any]:
        place = 0
        while True:
            while place >= len(self.made):
                try:
                    self.made.append(next(self.source))
                except StopIteration:
                    return
            yield self.made[place]
            place += 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Items) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def get(self, place: int, otherwise: Any) -> Any:
        return next(islice(iter(self), place, None), otherwise)


class SetOf:
    """A set, and a function that counts its members below the bound."""

    def __init__(self, has: Callable[[Any], bool], count: Callable[[], int]) -> None:
        self.has, self.count = has, count


class Words(SetOf):
    """The language of a regular expression."""

    def __init__(self, expression: Any) -> None:
        super().__init__(lambda word: in_language(expression, tuple(word)), lambda: 0)
        self.expression = expression


def plain(language: Any) -> Any:
    """Return the regular expression of a language; a number stays."""
    return language.expression if isinstance(language, Words) else language


class Truncated:
    """A power series modulo a number, 0 if that is not known yet, as far as TERMS terms."""

    def __init__(self, terms: Iterable[int], modulus: int = 0) -> None:
        self.terms, self.modulus = [*terms, *[0] * TERMS][:TERMS], modulus

    def __add__(self, other: Any) -> Truncated:
        one = series(other)
        return Truncated(map(int.__add__, self.terms, one.terms), self.modulus or one.modulus)

    def __mul__(self, other: Any) -> Truncated:
        one = series(other)
        terms = (sum(self.terms[k] * one.terms[n - k] for k in range(n + 1)) for n in range(TERMS))
        return Truncated(terms, self.modulus or one.modulus)

    def __neg__(self) -> Truncated:
        return self * -1

    def __eq__(self, other: object) -> bool:
        rest = self + -series(other)
        return not any(each % rest.modulus for each in rest.terms)

    __hash__ = None  # type: ignore[assignment]


def series(value: Any) -> Truncated:
    return value if isinstance(value, Truncated) else Truncated([value])


def made_of(letters: Callable[[int], tuple[int, int]]) -> Truncated:
    """Return the power series with these coefficients, each with its modulus."""
    return Truncated((letters(n)[0] for n in range(TERMS)), letters(0)[1])


class Machine:
    """An automaton."""

    def __init__(self, step: Any, start: Any, accept: SetOf) -> None:
        self.step, self.start, self.accept = step, start, accept

    def after(self, word: Iterable[Any]) -> Any:
        return reduce(lambda state, letter: self.step(state)(letter), word, self.start)


def flat(value: Any, length: int) -> list[Any]:
    """Return the members of a tuple of pairs."""
    return [value] if length == 1 else [value[0], *flat(value[1], length - 1)]


def curried(arity: int, function: Callable[..., Any], keep: bool = True) -> Any:
    """Return a function of one argument after the other; keep: values for numbers are kept."""
    kept: dict[tuple[int, ...], Any] = {}

    def whole(*own: Any) -> Any:
        if not keep or not all(type(each) is int for each in own):
            return function(*own)
        if own not in kept:
            kept[own] = function(*own)
        return kept[own]

    def taking(own: tuple[Any, ...]) -> Any:
        return whole(*own) if len(own) == arity else lambda each: taking((*own, each))

    return taking(()) if arity else function


def matches(pattern: Any, value: Any, scope: dict[str, Any]) -> bool:
    """Return whether a value fits a pattern, whose names are added to the scope."""
    if pattern.data == "any_pattern":
        return True
    if pattern.data == "number_pattern":
        return bool(value == int(pattern.children[0]))
    if pattern.data == "successor_pattern":
        scope[str(pattern.children[0])] = value - int(pattern.children[1])
        return bool(value >= int(pattern.children[1]))
    scope[str(pattern.children[0])] = value
    return True


def in_language(expression: Any, word: tuple[Any, ...]) -> bool:
    """Return whether a word is in the language of a regular expression, by the first letters that it may take."""
    for letter in word:
        expression = derived(expression, letter)
    return has_empty(expression)


def has_empty(expression: Any) -> bool:
    if isinstance(expression, int):
        return expression == 1
    kind, *parts = expression
    match kind:
        case "+":
            return any(map(has_empty, parts))
        case "*":
            return all(map(has_empty, parts))
        case "⊓":
            return all(map(has_empty, parts))
        case "ᶜ":
            return not has_empty(parts[0])
        case "^":
            return parts[1] == 0 or has_empty(parts[0])
    return bool(kind == "star")


def derived(expression: Any, letter: Any) -> Any:
    """Return what may follow a letter."""
    if isinstance(expression, int):
        return 0
    kind, *parts = expression
    if kind == "char":
        return int(parts[0] == letter)
    if kind == "star":
        return times(derived(parts[0], letter), expression)
    if kind == "^":
        return times(derived(parts[0], letter), ("^", parts[0], parts[1] - 1)) if parts[1] else 0
    if kind in "⊓ᶜ":
        return (kind, *(derived(part, letter) for part in parts))
    one, other = parts
    first = derived(one, letter)
    if kind == "+":
        return plus(first, derived(other, letter))
    return plus(times(first, other), derived(other, letter)) if has_empty(one) else times(first, other)


def plus(one: Any, other: Any) -> Any:
    return other if one == 0 else one if other in (0, one) else ("+", one, other)


def times(one: Any, other: Any) -> Any:
    return 0 if 0 in (one, other) else other if one == 1 else one if other == 1 else ("*", one, other)


def zeckendorf(number: int) -> list[int]:
    """Return the indices of the Fibonacci numbers of which a number is the sum, the greatest one first."""
    indices = []
    while number:
        indices.append(greatest_fibonacci(number))
        number -= fibonacci(indices[-1])
    return indices


def fibonacci(index: int) -> int:
    one, other = 0, 1
    for _ in range(index):
        one, other = other, one + other
    return one


def greatest_fibonacci(number: int) -> int:
    return max(index for index in range(number + 2) if fibonacci(index) <= number)


def digits(base: int, number: int) -> Iterator[int]:
    while number:
        number, digit = divmod(number, base)
        yield digit


def drop_while(test: Any, items: Iterable[Any]) -> Iterator[Any]:
    dropping = True
    for each in items:
        dropping = dropping and test(each)
        if not dropping:
            yield each


def member(value: Any, of: Any) -> bool:
    return bool(of.has(value)) if isinstance(of, SetOf) else value in list(of)


#: Differences of natural numbers are never negative in Lean, and what is divided by 0 is 0.
NATURAL: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: max(a - b, 0), "*": lambda a, b: a * b, "^": lambda a, b: int(a**b),
    "/": lambda a, b: a // b if b else 0, "%": lambda a, b: a % b if b else a,
}
SIGNED: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "^": lambda a, b: a**b,
}

SERIES: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: series(a) + b, "-": lambda a, b: series(a) + -series(b), "*": lambda a, b: series(a) * b,
    "^": lambda a, b: reduce(lambda there, _: there * a, range(b), series(1)),
}

RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b, "≠": lambda a, b: a != b, "<": lambda a, b: a < b, "≤": lambda a, b: a <= b,
    ">": lambda a, b: a > b, "≥": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
    "∈": member,
}

VALUES: dict[str, Any] = {name: curried(arity, function, keep=False) for name, arity, function in (
    ("Nat.digits", 2, lambda base, number: Items(digits(base, number))),
    ("Nat.ofDigits", 2, lambda base, own: sum(digit * base**place for place, digit in enumerate(own))),
    ("Nat.fib", 1, fibonacci),
    ("sInf", 1, lambda own: next((number for number in range(MOST_SEARCHED) if own.has(number)), 0)),
    ("Nat.greatestFib", 1, greatest_fibonacci),
    ("Nat.zeckendorf", 1, lambda number: Items(iter(zeckendorf(number)))),
    ("Real.sqrt", 1, math.sqrt),
    ("PowerSeries.mk", 1, made_of),
    ("Set.encard", 1, lambda own: own.count()),
    ("Set.ncard", 1, lambda own: own.count()),
    ("DFA.mk", 3, Machine),
    ("DFA.eval", 2, lambda machine, word: machine.after(word)),
    ("DFA.accepts", 1, lambda machine: SetOf(lambda word: machine.accept.has(machine.after(word)), lambda: 0)),
    ("RegularExpression.char", 1, lambda letter: ("char", letter)),
    ("RegularExpression.star", 1, lambda body: ("star", body)),
    ("RegularExpression.matches'", 1, Words),
    ("KStar.kstar", 1, lambda own: Words(("star", plain(own)))),
    ("List.range", 1, lambda number: Items(iter(range(number)))),
    ("List.replicate", 2, lambda number, each: Items(each for _ in range(number))),
    ("List.zip", 2, lambda one, other: Items(zip(one, other, strict=False))),
    ("List.zipWith", 3, lambda f, one, other: Items(f(a)(b) for a, b in zip(one, other, strict=False))),
    ("List.map", 2, lambda f, own: Items(f(each) for each in own)),
    ("List.filter", 2, lambda test, own: Items(each for each in own if test(each))),
    ("List.dropWhile", 2, lambda test, own: Items(drop_while(test, own))),
    ("List.flatMap", 2, lambda f, own: Items(item for each in own for item in f(each))),
    ("List.foldl", 3, lambda f, start, own: reduce(lambda there, each: f(there)(each), own, start)),
    ("List.reverse", 1, lambda own: Items(iter(list(own)[::-1]))),
    ("List.length", 1, lambda own: len(list(own))),
    ("List.sum", 1, lambda own: sum(own)),
    ("List.contains", 2, lambda own, each: each in list(own)),
    ("List.getD", 3, lambda own, place, otherwise: own.get(place, otherwise)),
    ("List.headD", 2, lambda own, otherwise: own.get(0, otherwise)),
    ("max", 2, max),
)} | {"PowerSeries.X": Truncated([0, 1])}


def field_value(value: Any, fields: str) -> Any:
    """Return what stands behind dots."""
    for field in fields.split("."):
        if field in ("1", "2"):
            value = value[int(field) - 1]
        elif isinstance(value, Machine):
            value = VALUES[f"DFA.{field}"](value)
        elif isinstance(value, Items):
            value = list_field(field, value)
        else:
            value = VALUES[f"RegularExpression.{field}"](value)
    return value


def list_field(field: str, value: Items) -> Any:
    """Return a function of a list, which takes it as its first argument that is a list."""
    function = VALUES[f"List.{field}"]
    places = {"map": 1, "filter": 1, "dropWhile": 1, "flatMap": 1, "foldl": 2}
    before = places.get(field, 0)
    return curried(before, lambda *own: reduce(lambda f, each: f(each), (*own, value), function), keep=False) \
        if before else function(value)
