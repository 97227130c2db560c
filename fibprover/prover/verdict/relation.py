"""Relations: the sets of number tuples that satisfy open formulas.

A relation may be infinite.  It can be tested, listed in order, counted below a bound, compared, combined
and used in further formulas.  Numbers are Python integers of any size; a track over a plain
alphabet holds words, given as sequences of digits.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from operator import and_, index, invert, or_
from typing import TYPE_CHECKING, Any, cast, overload

from fibprover.automata import kernel_calls, language, operations
from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.digit_order import to_reading_order
from fibprover.base.errors import AutomatonError, DigitError, FibproverError, LimitError, NotFinite
from fibprover.base.limits import UNLIMITED, Budget, Limits, check_budget, poll, spending
from fibprover.base.names import is_parameter
from fibprover.base.values import RichlyDisplayed, decimal, value
from fibprover.base.wording import plural
from fibprover.language.builder import exists
from fibprover.language.source import Origin, Source, check_size, source_from
from fibprover.language.tree import Formula, InSystem, Variable, conjunction
from fibprover.numeration.system import NumerationSystem, system_of
from fibprover.prover.environment import Sort, SystemTable, plain_lookup, sort_of
from fibprover.prover.evaluate.atoms import Atoms
from fibprover.prover.evaluate.trace import Trace
from fibprover.prover.verdict.tuples import Value as Value
from fibprover.prover.verdict.tuples import decoder, tuples

if TYPE_CHECKING:
    from numpy.typing import NDArray


#: The limits on computing the number of states of an lsd relation, for which its automaton is reversed.
MODERATE = Limits(states=100_000, transitions=1_000_000, cpu_seconds=5)


@dataclass(frozen=True, slots=True, eq=False)
class Relation(RichlyDisplayed):
    """The set of tuples of numbers that satisfy an open formula, with one component for each variable.

    The variables are in code-unit order of their names. A relation may be infinite. `x in r` tests, `r.first(5)`
    lists, `r.count(below=n)` counts, `&`, `|`, `-`, `^` and `~` combine, `==` and `<=` compare. It cannot be changed.

    Fields:

    - automaton: the canonical automaton, over tracks named by the variables
    - system: looks up a numeration system by name
    - origin: the formula that was evaluated, as it was written or as a tree; words if no formula made the relation
    - trace: how it was computed
    - default_system: the system of the numbers in the formula that name none; "" if it is not known
    - limits: those of the session, whose seconds and bytes each method has that may take long; of two relations, those
      of the first. Iteration has none

    >>> even = fp.Session("msd_fib").relation("Ey x=2*y")
    >>> 10**50 in even, even.first(3), even.count(below=10**6)
    (True, [(0,), (2,), (4,)], 500000)
    >>> (~even).values(4), (even & ~even).is_empty()
    ([1, 3, 5, 7], True)
    """

    automaton: Dfa
    system: Callable[[str], NumerationSystem]
    origin: Origin = ""
    trace: Trace | None = None
    limits: Limits = field(default_factory=Limits)
    default_system: str = ""

    def __post_init__(self) -> None:
        """Keep the systems of the variables only, so that the relation is plain data."""
        tracks = (t for t in self.automaton.tracks if t.system and not is_parameter(t.system))
        names = {system_of(t, self.system).name for t in tracks}
        object.__setattr__(self, "system", plain_lookup(self.system, sorted(names)))

    @contextmanager
    def _spending(self, limits: Limits | None = None) -> Iterator[Budget]:
        """Let the block end by these limits, by default by the seconds and bytes of those of the session."""
        with spending((limits or self.limits).start()):
            # The limits of states are those of automata that formulas make.
            yield (limits or Limits()).start()

    # -- looking ---------------------------------------------------------------------------

    @property
    def source(self) -> Source | None:
        """The formula with its text; None if no formula made the relation.

        >>> fp.Session().relation("x<5").source.text
        'x<5'
        """
        return source_from(self.origin)

    @property
    def formula(self) -> Formula | None:
        """The formula as a tree; None if no formula made the relation.

        >>> less = fp.Session("msd_fib").relation("x<y")
        >>> print((~less).where(y=4).formula)
        Ey y=4 & ~(x<y)
        """
        if isinstance(self.origin, str):
            return None
        return self.origin.formula if isinstance(self.origin, Source) else self.origin

    def origin_over(self, system: str) -> Origin:
        """Return the origin so that it means the same in a session with this default system; "" if that is not known.

        >>> fp.Session("msd_2").relation("x<5").origin_over("msd_fib").system
        'msd_2'
        """
        formula = self.formula
        if formula is None or system == self.default_system:
            return self.origin
        return InSystem(self.default_system, formula) if self.default_system else ""

    @property
    def text(self) -> str:
        """The formula as it was written, or as it is printed; words if no formula made the relation.

        >>> s = fp.Session("msd_fib")
        >>> (s.relation("Ey x=2*y") - s.relation("x<5")).text
        '(Ey x=2*y) & ~(x<5)'
        """
        return str(self.origin)

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in code-unit order.

        >>> fp.Session().relation("y<x").names
        ('x', 'y')
        """
        return self.automaton.names

    @property
    def sorts(self) -> tuple[Sort, ...]:
        """The type of each variable: the system of its numbers.

        >>> [str(sort) for sort in fp.Session().relation("y<x").sorts]
        ['msd_2', 'msd_2']
        """
        return tuple(sort_of(track) for track in self.automaton.tracks)

    @property
    def states(self) -> int:
        """States of the minimal automaton (partial: no sink), which reads each variable as its system does.

        If that automaton is too expensive to compute, these are the states of `automaton`.

        >>> fp.Session("msd_fib").relation("Ey x=2*y").states
        8
        """
        try:
            return self.to_reading_order(MODERATE).states
        except FibproverError:
            poll("the automaton in reading order")
            return self.automaton.states

    def to_reading_order(self, limits: Limits | None = None) -> Dfa:
        """Return the automaton that reads variables of an lsd system least significant digit first.

        `automaton` reads the most significant digit first in every system; both are the same object
        if all systems are msd.  Exponential at worst: BudgetSpent by these limits, or those of the relation.

        >>> r = fp.Session("lsd_fib").relation("Ey x=2*y")
        >>> r.to_reading_order().states, r.automaton.states
        (12, 8)
        """
        with self._spending(limits) as budget:
            return to_reading_order(self.automaton, budget)

    def __contains__(self, values: object) -> bool:
        """Return whether a tuple is in the relation; a relation of one variable also takes a bare number.

        With several variables any sequence stands for a tuple, such as a list or a row of a numpy array.
        """
        if len(self.names) != 1 and not isinstance(values, tuple) and _is_sequence(values):
            values = tuple(cast("Iterable[object]", values))
        if not isinstance(values, tuple) or (len(self.names) == 1 and len(values) != 1):
            values = (values,)
        if len(values) != len(self.names):
            names = ", ".join(self.names)
            raise DigitError(f"this relation has {plural(len(self.names), 'variable')} ({names}), not {len(values)}")
        words = [self.word(track, value) for track, value in zip(self.automaton.tracks, values, strict=True)]
        return language.accepts(self.automaton, words)

    def word(self, track: Track, value: object) -> Sequence[int]:
        """Return the digits of a value for a track; a number may be any integer, such as numpy's.

        >>> r = fp.Session("msd_fib").relation("x<20")
        >>> r.word(r.automaton.tracks[0], 11)
        (1, 0, 1, 0, 0)
        """
        if track.system:
            if isinstance(value, bool) or not hasattr(value, "__index__"):
                raise DigitError(f"{track.name} is a number of {track.system}, not {value!r}")
            return self.system(track.system).represent(_integer(value, track))
        if not _is_sequence(value):
            raise DigitError(f"{track.name} is a word over {set(track.digits)}: give its letters as a tuple")
        letters = tuple(_integer(letter, track) for letter in cast("Iterable[object]", value))
        return letters[::-1] if track.stored_reversed else letters

    def decoded(self, words: language.Words) -> tuple[Value, ...]:
        """Return the values that digit words represent.

        >>> fp.Session("msd_fib").relation("x<20").decoded([(1, 0, 1, 0, 0)])
        (11,)
        """
        return decoder(self.automaton.tracks, self.system)(words)

    @overload
    def __call__(self, *values: object) -> bool: ...

    @overload
    def __call__(self, **fixed: object) -> Relation: ...

    def __call__(self, *values: object, **fixed: object) -> bool | Relation:
        """Return whether a tuple is in the relation, as in `r(1, 2)`; or fix variables by name: `r(n=5)` is `where`."""
        if values and fixed:
            raise AutomatonError("give the values of all variables in order, or fix some of them by name")
        return self.where(**fixed) if fixed else values in self

    def where(self, **values: object) -> Relation:
        """Return the relation of the other variables where these have fixed values.

        Parameters:

        - values: by the names of variables, as in `r.where(n=5)`

        Returns: the relation of the variables that are left.

        Errors: AutomatonError for a name that is no variable, and if no variable is left; DigitError for a value that
        is not in the system of its variable.

        >>> fp.Session().relation("x+y=z").where(z=2).first(5)
        [(1, 1), (0, 2), (2, 0)]
        """
        self._check_names(values)
        if len(values) == len(self.names):
            listed = ", ".join(self.names)
            raise AutomatonError(
                "all variables are fixed, so no relation is left", hint=f"({listed}) in r says whether a tuple is in r"
            )
        automaton = self.automaton
        with self._spending():
            for track in self.automaton.tracks:
                if track.name in values:
                    only = language.single_word(track, _known_digits(track, self.word(track, values[track.name])))
                    automaton = kernel_calls.join(automaton, only)
            return self._with(operations.exists(automaton, [*values]), lambda own: _where(own, values))

    # -- listing ---------------------------------------------------------------------------

    def tuples(self, limits: Limits | None = None) -> Iterator[tuple[Value, ...]]:
        """Yield all tuples in the order of `first`, as they are asked for; without end if the relation is infinite.

        Numbers are integers, words over plain alphabets tuples of letters.  Raises BudgetSpent by the limits, which
        count from now.

        >>> from itertools import islice
        >>> list(islice(fp.Session().relation("x<y").tuples(), 3))
        [(0, 1), (0, 2), (0, 3)]
        """
        return tuples(self.automaton, self.system, (limits or Limits()).start())

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield what `tuples` does; the type is that of a relation of numbers, as for `first`."""
        return cast("Iterator[tuple[int, ...]]", self.tuples())

    def __len__(self) -> int:
        """Return the number of tuples of a finite relation; NotFinite, an OverflowError, for an infinite one."""
        return self.count()

    def first(self, count: int, limits: Limits | None = None) -> list[tuple[int, ...]]:
        """Return the first tuples, ordered by the length of the longest representation, then letter by letter.

        For one variable this is increasing order. The type is that of a relation of numbers; `tuples` has the type of
        relations that hold words over plain alphabets as well.

        Parameters:

        - count: how many
        - limits: what the call may spend, in place of the limits of the relation

        Returns: a list of `count` tuples, or of all tuples if there are fewer.

        Errors: DigitError for a count that is no natural number; BudgetSpent.

        >>> fp.Session().relation("x+y=4").first(3)
        [(1, 3), (3, 1), (2, 2)]
        """
        count = number_of("tuples", count)
        with self._spending(limits) as budget:
            found = tuples(self.automaton, self.system, budget, at_once=count)
            return cast("list[tuple[int, ...]]", list(islice(found, min(count, sys.maxsize))))

    def least(self) -> tuple[int, ...] | None:
        """Return the first tuple, or None if there is none.

        >>> fp.Session().relation("x>5 & Ey x=3*y").least()
        (6,)
        """
        found = self.first(1)
        return found[0] if found else None

    def values(self, count: int | None = None, limits: Limits | None = None) -> list[int]:
        """Return the first elements of a relation of one numeric variable, as plain numbers.

        As in `Series.values`, each number is listed once, in the order of `first`.

        Parameters:

        - count: how many, or None for all
        - limits: as for `first`

        Returns: a list of numbers in increasing order.

        Errors: AutomatonError for several variables, or one that stands for words; NotFinite if all are wanted and
        there are infinitely many.

        >>> even = fp.Session().relation("Ey x=2*y")
        >>> even.values(4), (even & fp.Session().relation("x<9")).values()
        ([0, 2, 4, 6], [0, 2, 4, 6, 8])
        """
        if len(self.names) != 1 or not self.automaton.tracks[0].system:
            raise AutomatonError(f"values() is for one numeric variable; this relation has {self.names}")
        return [value for (value,) in self.first(self._size_or_all(count), limits)]

    def _size_or_all(self, count: int | None) -> int:
        """Return a number of tuples, that of all tuples for None."""
        return self.count() if count is None else count

    def to_numpy(self, count: int | None = None) -> NDArray[Any]:
        """Return the first tuples as a numpy array, one row for each tuple: int64, or Python integers if needed.

        Parameters:

        - count: how many, or None for all

        Errors: AutomatonError unless all variables are numbers; NotFinite if all are wanted and there are infinitely
        many.

        >>> fp.Session().relation("x<y").to_numpy(3).tolist()
        [[0, 1], [0, 2], [0, 3]]
        """
        import numpy  # takes longer to import than most formulas to decide

        if not all(track.system for track in self.automaton.tracks):
            raise AutomatonError(f"arrays hold numbers; some of {', '.join(self.names)} are words")
        rows = self.first(self._size_or_all(count))
        try:
            found = numpy.array(rows, dtype=numpy.int64)
        except OverflowError:
            found = numpy.array(rows, dtype=object)
        return found.reshape(len(rows), len(self.names))

    def array(self, count: int) -> NDArray[Any]:
        """Return `to_numpy` of the first tuples.

        >>> fp.Session().relation("x<y").array(3).shape
        (3, 2)
        """
        return self.to_numpy(count)

    def to_pandas(self, count: int | None = None) -> Any:
        """Return the first tuples (None: all, as for `to_numpy`) as a DataFrame, one column for each variable.

        NotInstalled without pandas.

        >>> list(fp.Session().relation("x<y").to_pandas(3).columns)
        ['x', 'y']
        """
        from fibprover.automata.formats.exports import library

        return library("pandas", "pandas").DataFrame(self.to_numpy(count), columns=list(self.names))

    def is_empty(self) -> bool:
        """Return whether no tuple is in the relation.

        >>> fp.Session().relation("x<y & y<x").is_empty()
        True
        """
        return kernel_calls.is_empty(self.automaton)

    def is_finite(self) -> bool:
        """Return whether finitely many tuples are in the relation.

        >>> fp.Session().relation("x+y=9").is_finite(), fp.Session().relation("x<y").is_finite()
        (True, False)
        """
        return language.is_finite(self.automaton)

    def count(self, below: int | None = None, limits: Limits | None = None) -> int:
        """Return how many tuples have all components below a bound (integers: in absolute value), exactly.

        O(states * digits * 2^k) for k variables.

        Parameters:

        - below: the bound, or None for the number of all tuples
        - limits: what the call may spend, in place of the limits of the relation

        Errors: NotFinite, without a bound, if there are infinitely many tuples; DigitError for a bound that is no
        natural number; AutomatonError, with a bound, if a variable stands for words.

        >>> fp.Session().relation("x<y").count(below=1000), fp.Session().relation("x+y=9").count()
        (499500, 10)
        """
        if below is None:
            if not self.is_finite():
                raise NotFinite(
                    "this relation has infinitely many tuples",
                    hint="first(n) lists some tuples, count(n) counts those below n; iteration never ends",
                )
            with self._spending(limits) as budget:
                return language.count_all(self.automaton, budget)
        try:
            below = index(below)
        except TypeError:
            raise DigitError(f"a bound must be an integer, not {below!r}") from None
        if below <= 0:
            if below < 0:
                raise DigitError(f"a bound cannot be negative: {below}")
            return 0
        with self._spending(limits) as budget:
            return self._count(below, budget)

    def _count(self, below: int, budget: Budget) -> int:
        """Count the tuples whose components are below a positive bound."""
        limited: list[tuple[str, Dfa]] = []
        length = 0
        for track in self.automaton.tracks:
            if not track.system:
                raise AutomatonError(f"{track.name} is a word over a plain alphabet, so a number cannot bound it")
            system = self.system(track.system)
            bounds = [(below, "<")] + ([(-below, ">")] if system.signed else [])
            for bound, relation in bounds:
                limited.append((track.name, system.linear((1,), relation, bound, budget)))
                length = max(length, len(system.represent(bound)))
        bounded = self.automaton
        for name, limit in limited:
            # Only words of one length are counted, so that a position means the same on all tracks.
            (digits,) = limit.tracks
            within = kernel_calls.join(limit, language.words_of_length(digits, length), budget)
            words = kernel_calls.minimize(within, budget)
            bounded = kernel_calls.join(bounded, words.renamed([name]), budget)
        return language.count_words(kernel_calls.reorder(bounded, list(self.names)), length)

    # -- comparing and combining -----------------------------------------------------------

    def _atoms(self, *others: Relation) -> Atoms:
        sorts: dict[str, Sort] = {}
        for relation in (self, *others):
            for name, sort in zip(relation.names, relation.sorts, strict=True):
                if sorts.setdefault(name, sort) != sort:
                    one, other = sorts[name].told_apart(sort)
                    raise AutomatonError(f"{name} is in {one} on one side and in {other} on the other")
        return Atoms(self._lookup(*others), sorts, UNLIMITED)

    def _lookup(self, *others: Relation) -> Callable[[str], NumerationSystem]:
        """Return a lookup of the systems of several relations."""
        added: dict[str, NumerationSystem] = {}
        for relation in (self, *others):
            for system in relation.own_systems():
                if added.setdefault(system.name, system).identity != system.identity:
                    raise AutomatonError(
                        f"the two sides use two different numeration systems {system.name}",
                        hint="give one of them another name in its session",
                    )
        return SystemTable(added) if added else self.system

    def own_systems(self) -> list[NumerationSystem]:
        """Return the systems of the variables that are not built in, but were added to some session.

        >>> fp.Session("msd_fib").relation("x<5").own_systems()
        []
        """
        return list(self.system.added.values()) if isinstance(self.system, SystemTable) else []

    def valid(self, budget: Budget = UNLIMITED) -> Dfa:
        """Return all tuples of values of the variables.

        >>> fp.Session("msd_fib").relation("x<5").valid().states
        2
        """
        sorts = dict(zip(self.names, self.sorts, strict=True))
        return Atoms(self.system, sorts, budget).all_valid(self.names)

    def _check_names(self, names: Iterable[str]) -> None:
        """Raise AutomatonError unless these are variables of the relation."""
        unknown = [name for name in names if name not in self.names]
        if unknown:
            raise AutomatonError(f"this relation has no variable {unknown[0]}; it has {', '.join(self.names)}")

    def _with(self, automaton: Dfa, combine: Callable[..., Formula | None], *others: Relation) -> Relation:
        """Return a relation made from this one and others, as `combine` makes one formula of theirs."""
        ordered = kernel_calls.minimize(kernel_calls.reorder(automaton, sorted(automaton.names)))
        origins = [relation.origin_over(self.default_system) for relation in (self, *others)]
        formulas = [each.formula if isinstance(each, Source) else each for each in origins]
        origin = None if any(isinstance(each, str) for each in formulas) else combine(*formulas)
        if origin is not None:
            try:
                check_size(origin)
            except LimitError:
                origin = None
        lookup, known = self._lookup(*others), "" if origin is None else origin
        return Relation(ordered, lookup, known, limits=self.limits, default_system=self.default_system)

    def __and__(self, other: Relation) -> Relation:
        """Return the tuples in both relations; variables of equal name are the same variable."""
        if not isinstance(other, Relation):
            return NotImplemented
        self._atoms(other)
        with self._spending():
            both = operations.conjunction(self.automaton, other.automaton)
            return self._with(both, and_, other)

    def __or__(self, other: Relation) -> Relation:
        """Return the tuples in either relation; a variable that one side lacks is free there."""
        if not isinstance(other, Relation):
            return NotImplemented
        atoms = self._atoms(other)
        with self._spending():
            left, right = atoms.cylindrify(self.automaton, other.names), atoms.cylindrify(other.automaton, self.names)
            return self._with(operations.disjunction(left, right), or_, other)

    def __sub__(self, other: Relation) -> Relation:
        """Return the tuples in the first relation and not in the second."""
        if not isinstance(other, Relation):
            return NotImplemented
        atoms = self._atoms(other)
        with self._spending():
            left = atoms.cylindrify(self.automaton, other.names)
            return self._with(operations.difference(left, other.automaton), lambda own, its: own & ~its, other)

    def __xor__(self, other: Relation) -> Relation:
        """Return the tuples in exactly one of the relations."""
        if not isinstance(other, Relation):
            return NotImplemented
        return (self - other) | (other - self)

    def __invert__(self) -> Relation:
        """Return all other tuples of numbers."""
        with self._spending():
            valid = self._atoms().all_valid(self.names)
            return self._with(operations.complement(self.automaton, valid), invert)

    def exists(self, *names: str) -> Relation:
        """Return the relation of the remaining variables: some values of the named variables satisfy this relation.

        >>> fp.Session().relation("x=2*y & y<4").exists("y").values()
        [0, 2, 4, 6]
        """
        self._check_names(names)
        with self._spending():
            bound = [Variable(name) for name in dict.fromkeys(names)]
            automaton = operations.exists(self.automaton, names)
            return self._with(automaton, lambda own: exists(*bound, own) if bound else own)

    def renamed(self, **names: str) -> Relation:
        """Return the relation with variables renamed, as in `r.renamed(a="x")`.

        >>> fp.Session().relation("x<y").renamed(x="b", y="a").first(2)
        [(1, 0), (2, 0)]
        """
        self._check_names(names)
        automaton = self.automaton.renamed([names.get(name, name) for name in self.names])
        terms = {name: Variable(new) for name, new in names.items()}
        return self._with(automaton, lambda own: own.substitute(terms))

    def __eq__(self, other: object) -> bool:
        """Return whether both relations have the same variables, types and tuples."""
        if not isinstance(other, Relation):
            return NotImplemented
        return self.automaton == other.automaton

    def __le__(self, other: Relation) -> bool:
        """Return whether every tuple of this relation is in the other, over the same variables."""
        return (self - other).is_empty()

    def __ge__(self, other: Relation) -> bool:
        """Return whether every tuple of the other relation is in this one, over the same variables."""
        return (other - self).is_empty()

    def __hash__(self) -> int:
        return hash(self.automaton)

    def __bool__(self) -> bool:
        """Raise an error: an open formula is neither true nor false; use `not r.is_empty()` to test for elements."""
        raise AutomatonError(
            "a relation is neither true nor false", hint="ask is_empty(), or quantify its variables in the formula"
        )

    def __repr__(self) -> str:
        sorts = ", ".join(f"{name}:{sort}" for name, sort in zip(self.names, self.sorts, strict=True))
        return f"Relation({sorts}; {self.states} state{'s' * (self.states != 1)})"

    def __str__(self) -> str:
        shown = [shown_tuple(values) for values in islice(self.tuples(), 11)]
        size = "empty" if not shown else "finite" if self.is_finite() else "infinite"
        listed = ", ".join(shown[:10]) + (", ..." if len(shown) > 10 else "")
        head = f"{{{', '.join(self.names)}}}: {size}, {self.states} state{'s' * (self.states != 1)}"
        return f"{head}\n  {listed}" if listed else head


def shown_tuple(values: tuple[Value, ...]) -> str:
    """Return the text of a tuple: in brackets, or without them for a single variable."""
    texts = [shown_value(value) for value in values]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def shown_value(value: Value) -> str:
    """Return the text of a number, or of a word as its letters, with letters of several digits in brackets."""
    if isinstance(value, int):
        return decimal(value)
    return "".join(str(digit) if 0 <= digit <= 9 else f"[{digit}]" for digit in value) or "()"


def number_of(what: str, count: object) -> int:
    """Return how many tuples or values are wanted, as Python's integer; DigitError for what is no natural number."""
    try:
        size = index(count)  # type: ignore[arg-type]
    except TypeError:
        raise DigitError(f"a number of {what} is an integer, not {count!r}") from None
    if size < 0:
        raise DigitError(f"a number of {what} cannot be negative: {size}")
    return size


def _is_sequence(values: object) -> bool:
    """Return whether values stand in order: in a sequence that is no text, or in an array."""
    return (isinstance(values, Sequence) and not isinstance(values, str | bytes)) or (hasattr(values, "__array__") and (
        hasattr(values, "__len__") and getattr(values, "ndim", 1) == 1
    ))


def _integer(value: object, track: Track) -> int:
    """Return any kind of integer as Python's."""
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        raise DigitError(f"{track.name} takes integers, not {value!r}") from None


def _known_digits(track: Track, word: Sequence[int]) -> Sequence[int]:
    """Return a digit word; DigitError unless its digits are those of the track."""
    for digit in word:
        if digit not in track.digits:
            raise DigitError(f"{digit} is not a digit of {track.name}", hint=f"it has {set(track.digits)}")
    return word


def _where(formula: Formula, values: Mapping[str, object]) -> Formula | None:
    """Return the formula with variables that are quantified and equal numbers; None if one of them is a word."""
    if any(_is_sequence(each) for each in values.values()):
        return None
    if not values:
        return formula
    fixed = [Variable(name).eq(index(each)) for name, each in values.items()]  # type: ignore[arg-type]
    return exists(*map(Variable, values), conjunction([*fixed, formula]))


#: A trie of numbers: a child for each next digit, by its index in the alphabet; a leaf is a number.
_Tree = dict[int, "_Tree"] | int

#: The number of steps between two checks of the time limit.
_STEPS = 10_000


def pairs_in_square(
    relation: Relation, size: int, limits: Limits | None = None, second: int | None = None
) -> frozenset[tuple[int, int]]:
    """Return the pairs of naturals below `size`, at least 1, in a relation of two natural numbers or integers.

    second: the second number is below it instead, 1 <= second <= size.  Numbers that begin with the same digits are
    searched together while some of them may be in the relation: O(digits * size * second) at worst.  BudgetSpent after
    the seconds of the limits.
    """
    budget = (limits or Limits()).start()
    automaton = relation.automaton
    systems = {track.system for track in automaton.tracks}
    length = max(len(relation.system(name).represent(number)) for name in systems for number in range(size))
    bounds = (size, size if second is None else second)
    columns, rows = (
        _tree(relation, track, below, length) for track, below in zip(automaton.tracks, bounds, strict=True)
    )
    targets = [dict(automaton.row(state)) for state in range(automaton.states)]
    radix = automaton.radices[1]
    found: set[tuple[int, int]] = set()
    pending, steps = [(0, columns, rows)], 0
    while pending:
        state, column, row = pending.pop()
        steps += 1
        if steps % _STEPS == 0:
            check_budget(budget, 0, f"the list of pairs below {size}")
        if isinstance(column, int) or isinstance(row, int):
            if automaton.outputs[state]:
                assert isinstance(column, int) and isinstance(row, int)
                found.add((column, row))
            continue
        there = targets[state]
        for digit, left in column.items():
            for other, right in row.items():
                target = there.get(digit * radix + other)
                if target is not None:
                    pending.append((target, left, right))
    return frozenset(found)


def _tree(relation: Relation, track: Track, size: int, length: int) -> _Tree:
    """Return the trie of the numbers below `size`, as words of a length, with leading zeros."""
    places = {digit: place for place, digit in enumerate(track.digits)}
    if not length:
        return 0
    tree: dict[int, _Tree] = {}
    for number in range(size):
        digits = relation.system(track.system).represent(number)
        node = tree
        path = [places[digit] for digit in (*(0 for _ in range(length - len(digits))), *digits)]
        for place in path[:-1]:
            inner = node.setdefault(place, {})
            assert isinstance(inner, dict)
            node = inner
        node[path[-1]] = number
    return tree


@value
class FirstValues:
    """A tuple of values, by the names of the variables."""

    values: dict[str, Value]

    def __str__(self) -> str:
        return ", ".join(f"{name} = {shown_value(value)}" for name, value in self.values.items()) or "true"


def first_accepted(relation: Relation) -> FirstValues | None:
    """Return the first tuple of a relation, None if it is empty.  O(transitions), by breadth-first search."""
    return _decoded(relation, language.shortest(relation.automaton))


def first_rejected(relation: Relation, budget: Budget = UNLIMITED) -> FirstValues | None:
    """Return the first tuple that is not in a relation, None if all are; the complement is not minimized."""
    names = relation.names
    every = relation.valid(budget)
    rest = kernel_calls.reorder(kernel_calls.difference(every, relation.automaton, budget), names, budget)
    return _decoded(relation, language.shortest(rest))


def _decoded(relation: Relation, words: language.Words | None) -> FirstValues | None:
    if words is None:
        return None
    return FirstValues(dict(zip(relation.names, relation.decoded(words), strict=True)))
