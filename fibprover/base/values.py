"""Immutable values: the classes of syntax trees, formulas and plans.

`@value` makes the same class as `@dataclass(frozen=True, slots=True)` from annotated fields and defaults, but
generates no source code for methods: that would take 0.7 ms a class, and a cold start of the command line defines
about ninety of them (docs/decisions/0006).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


class Written:
    """Base of the values that are written as LaTeX by `fibprover.frontends.display.latex`."""

    __slots__ = ()

    def latex(self) -> str:
        """Return the value as a part of a LaTeX document that needs amsmath and amssymb.

        Errors: NotSupported for a value that is not written as LaTeX, such as a drawing.

        >>> fp.Session().prove("Ax Ey y>x").latex().splitlines()[-1]
        'is true.'
        """
        return str(display_module().latex(self))

    def _repr_latex_(self) -> str | None:
        found = display_module().latex_if_any(self)
        return None if found is None else str(found)


class RichlyDisplayed(Written):
    """Base of the values that IPython and Jupyter display with `fibprover.frontends.display.values`.

    `repr` stays short, since it is also used for values inside other values.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        # IPython prefers the __repr__ of a class to the _repr_pretty_ that it inherits.
        cls._repr_pretty_ = RichlyDisplayed._repr_pretty_  # type: ignore[method-assign]

    def _repr_html_(self) -> str:
        return str(display_module().html(self))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(display_module().text(self))


class PlainlyDisplayed(Written):
    """Base of the values that IPython and Jupyter display as `print` does; their `repr` is one short line."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        cls._repr_pretty_ = PlainlyDisplayed._repr_pretty_  # type: ignore[method-assign]

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


@contextmanager
def numbers_of_any_length() -> Iterator[None]:
    """Let Python write numbers of more digits than its limit (4300), which is about input, within the block."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


def decimal(number: int) -> str:
    """Return the digits of a number of any size."""
    try:
        return str(number)
    except ValueError:
        with numbers_of_any_length():
            return str(number)


def display_module() -> ModuleType:
    """Return `fibprover.frontends.display.values`, the only import of a higher layer (docs/decisions/0019)."""
    from fibprover.frontends.display import values

    return values


@dataclass_transform(frozen_default=True, eq_default=True)
def value(cls: type[T]) -> type[T]:
    """Make a class of immutable values: fields from annotations, comparison and hash by content."""
    fields = tuple(cls.__annotations__)
    defaults = {name: cls.__dict__[name] for name in fields if name in cls.__dict__}
    namespace = {
        name: item
        for name, item in cls.__dict__.items()
        if name not in defaults and name not in ("__dict__", "__weakref__")
    }
    methods = {
        "__slots__": fields,
        "__match_args__": fields,
        "__init__": _initializer(cls, fields, defaults),
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__eq__": cls.__dict__.get("__eq__", _equal),
        "__hash__": cls.__dict__.get("__hash__", _hash),
        "__repr__": cls.__dict__.get("__repr__", _represent),
        "__reduce__": cls.__dict__.get("__reduce__", _reduce),
    }
    namespace.update(methods)
    made: type[T] = type.__new__(type, cls.__name__, cls.__bases__, namespace)
    return made


def replaced(item: T, **changes: Any) -> T:
    """Return a copy of the value with some fields changed."""
    fields = {name: getattr(item, name) for name in type(item).__match_args__}  # type: ignore[attr-defined]
    return type(item)(**{**fields, **changes})


def _initializer(cls: type[Any], fields: tuple[str, ...], defaults: dict[str, Any]) -> Callable[..., None]:
    name, store = cls.__name__, object.__setattr__
    check = cls.__dict__.get("__post_init__")
    required = tuple(field for field in fields if field not in defaults)

    def initialize(self: object, *values: Any, **named: Any) -> None:
        if len(values) == len(fields) and not named:
            for field, item in zip(fields, values, strict=True):
                store(self, field, item)
            if check is not None:
                check(self)
            return
        if len(values) > len(fields):
            raise TypeError(f"{name} has the fields {fields}, not {len(values)} of them")
        given = {**defaults, **dict(zip(fields, values, strict=False)), **named}
        missing = [field for field in required if field not in given]
        unknown = [field for field in named if field not in fields]
        repeated = [field for field in fields[: len(values)] if field in named]
        if missing or unknown or repeated:
            raise TypeError(f"{name}: missing {missing}, unknown {unknown}, given twice {repeated}")
        for field in fields:
            store(self, field, given[field])
        if check is not None:
            check(self)

    return initialize


def _refuse(self: object, name: str, item: object = None) -> None:
    raise AttributeError(f"{type(self).__name__} is immutable: {name} cannot be changed")


def _content(item: Any) -> tuple[Any, ...]:
    return tuple(getattr(item, name) for name in item.__slots__)


def _equal(self: object, other: object) -> Any:
    if self is other:
        return True
    if type(self) is not type(other):
        return NotImplemented
    return _content(self) == _content(other)


def _hash(self: object) -> int:
    return hash((type(self), _content(self)))


def _represent(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
    return f"{type(self).__name__}({shown})"


def _reduce(self: object) -> tuple[Any, ...]:
    return type(self), _content(self)
