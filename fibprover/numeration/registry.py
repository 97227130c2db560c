"""The numeration systems that exist by name.

A name contains the parameters of a system: `msd_rec_1_1` is made from the coefficients of a recurrence, `msd_7`
from a base.  Some recurrences have names instead; their digits, valid words and atoms are derived like
those of all others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from fibprover.base.errors import FibproverError, check_text, most_similar
from fibprover.base.names import CHOICE_FAMILY, full_name, is_family, is_parameter, system_name
from fibprover.numeration.recurrence import recurrence_system
from fibprover.numeration.system import NumerationSystem, lsd_system
from fibprover.numeration.weights import MOST_DIGITS_OF_A_BASE

#: The names in the registry, for messages.
AVAILABLE = (
    "known systems: msd_k and msd_neg_k for k >= 2, msd_fib, msd_neg_fib, msd_lucas, msd_pell, msd_trib, msd_narayana, "
    "msd_kbonacci (such as msd_4bonacci), msd_wythoff_m, msd_fraenkel_s_m, msd_rec_1_0_2 for "
    "U[t] = U[t-1] + 2 U[t-3], msd_ost_0_3_per_1_2 for [0; 3, (1, 2)]; each also as lsd_...; "
    "msd_sturmian for all slopes"
)

#: The system of a formula that does not name one.
DEFAULT_SYSTEM = "msd_2"

#: Recurrences with names: coefficients, the nearest term first, and initial terms.
RECURRENCES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "fib": ((1, 1), (1, 2)),
    "lucas": ((1, 1), (1, 3)),
    "pell": ((2, 1), (1, 2)),
    "trib": ((1, 1, 1), (1, 2, 4)),
    "narayana": ((1, 0, 1), (1, 2, 3)),
}

#: Negative bases are above the negative of this: a few of their weights have to fit into 64 bits.
MOST_NEGATIVE_BASE = 1000

#: The k of k-bonacci systems with names.
BONACCI = range(2, 7)


#: An example for those who give a system in another way.
A_NAME = 'such as "msd_fib"'


#: The largest base of a family with choices.
MOST_BASE_OF_CHOICES = 64


#: Other names of systems, without the digit order.
OTHER_NAMES: Mapping[str, str] = MappingProxyType({
    "fibonacci": "fib", "zeckendorf": "fib", "golden": "fib", "tribonacci": "trib", "tetranacci": "4bonacci",
    "narayanas_cows": "narayana", "binary": "2", "ternary": "3", "quaternary": "4", "decimal": "10",
    "negabinary": "neg_2", "negadecimal": "neg_10", "negafibonacci": "neg_fib",
})


class UnknownSystemError(FibproverError):
    """No numeration system has this name; the hint is the nearest name, or the names that exist."""


def system_named(name: str) -> NumerationSystem:
    """Return the numeration system with this name or abbreviation.

    Systems are immutable, and the same name returns the same object.

    Parameters:

    - name: such as "msd_fib", "fib" or "lsd_3"

    Errors: UnknownSystemError if there is none; NumerationError, with the reason, for a recurrence that makes no
    numeration system.

    >>> fp.system_named("fib").represent(11), fp.system_named("msd_fib") is fp.system_named("fib")
    ((1, 0, 1, 0, 0), True)
    """
    check_text(name, "the name of a numeration system", hint=A_NAME)
    full = full_name(name)
    try:
        return _system(full)
    except UnknownSystemError as error:
        wanted = system_name(full)
        other = OTHER_NAMES.get(wanted.base.lower().replace("-", "_"))
        near = other or (most_similar(wanted.base, [*RECURRENCES, "neg_fib"]) if error.hint == AVAILABLE else None)
        hint = error.hint if near is None else f"did you mean {wanted._replace(base=near).full}?"
        raise UnknownSystemError(error.message.replace(full, name, 1), hint=hint) from None


@lru_cache(maxsize=256)
def _system(full: str) -> NumerationSystem:
    name = system_name(full)
    if name.lsd_first and not is_family(full):
        msd = name.reversed().full
        try:
            return lsd_system(_system(msd))
        except UnknownSystemError as error:
            raise UnknownSystemError(error.message.replace(msd, full, 1), hint=error.hint) from None
    if is_parameter(full):
        raise UnknownSystemError(
            f"{full} has no numbers: it is the parameter of a family", hint="the numbers of all slopes are msd_sturmian"
        )
    for pattern, make in _FAMILIES:
        found = pattern.fullmatch(full)
        if found is not None:
            return make(full, found)
    raise UnknownSystemError(f"there is no numeration system {full}", hint=AVAILABLE)


def canonical_terms(coefficients: Sequence[int]) -> tuple[int, ...]:
    """Return the default initial terms of a recurrence: U_t = q_1 U_{t-1} + ... + q_t U_0 + 1.

    These are the terms of Fibonacci (1, 2), Tribonacci (1, 2, 4), and U_0 = 1 for a base.
    """
    terms: list[int] = [1]
    while len(terms) < len(coefficients):
        terms.append(1 + sum(q * u for q, u in zip(coefficients, reversed(terms), strict=False)))
    return tuple(terms)


def system_of_recurrence(coefficients: Sequence[int]) -> NumerationSystem:
    """Return the greedy system of a recurrence that has a name, or else the one from its default initial terms.

    Raises NumerationError for a recurrence that has none.
    """
    own = tuple(coefficients)
    if len(own) == 1:
        return system_named(f"msd_{own[0]}")
    if len(own) in BONACCI and len(own) > 3 and set(own) == {1}:
        return system_named(f"msd_{len(own)}bonacci")
    named = (name for name, (factors, _) in RECURRENCES.items() if factors == own)
    written = "_".join(str(each).replace("-", "m") for each in own)
    return system_named(f"msd_{next(named, f'rec_{written}')}")


def _positional(full: str, found: re.Match[str]) -> NumerationSystem:
    base = int(found[1]) if len(found[1]) <= len(str(MOST_DIGITS_OF_A_BASE)) else MOST_DIGITS_OF_A_BASE
    if not 2 <= base < MOST_DIGITS_OF_A_BASE:
        raise UnknownSystemError(
            f"there is no numeration system {full}: a base lies between 2 and {MOST_DIGITS_OF_A_BASE - 1}"
        )
    return recurrence_system(full, (base,), (1,))


def _known(full: str, found: re.Match[str]) -> NumerationSystem:
    return recurrence_system(full, *RECURRENCES[found[1]])


def _bonacci(full: str, found: re.Match[str]) -> NumerationSystem:
    order = int(found[1])
    if order not in BONACCI:
        raise UnknownSystemError(
            f"there is no numeration system {full}: k-bonacci systems have names for k from {BONACCI[0]} to"
            f" {BONACCI[-1]}",
            hint="write the recurrence, as in msd_rec_1_1_1",
        )
    return recurrence_system(full, (1,) * order, canonical_terms((1,) * order))


def _wythoff(full: str, found: re.Match[str]) -> NumerationSystem:
    """U_0 = 1, U_1 = m + 1, U_{t+2} = m U_{t+1} + U_t: the p-system of [1; m, m, ...]."""
    return _of_terms(full, [int(found[1]), 1])


def _fraenkel(full: str, found: re.Match[str]) -> NumerationSystem:
    """U_0 = 1, U_1 = s + m, U_{t+2} = (s + m - 1) U_{t+1} + s U_t."""
    s, m = int(found[1]), int(found[2])
    return _of_terms(full, [s + m - 1, s])


def _recurrence(full: str, found: re.Match[str]) -> NumerationSystem:
    coefficients = [_integer(part) for part in found[1].split("_")]
    if found[2] is None:
        return _of_terms(full, coefficients)
    return recurrence_system(full, coefficients, [_integer(part) for part in found[2].split("_")])


def _ostrowski(full: str, found: re.Match[str]) -> NumerationSystem:
    # Imported late: few formulas need it.
    from fibprover.numeration.ostrowski import ostrowski_system

    preperiod = [_integer(part) for part in found[1].split("_") if part]
    return ostrowski_system(full, preperiod, [_integer(part) for part in found[2].split("_")])


def _negative(full: str, found: re.Match[str]) -> NumerationSystem:
    from fibprover.numeration.periodic import negative_base, negative_fibonacci

    if found[1] == "fib":
        return negative_fibonacci()
    base = int(found[1])
    if not 2 <= base < MOST_NEGATIVE_BASE:
        raise UnknownSystemError(
            f"there is no numeration system {full}: a negative base lies between -2 and {1 - MOST_NEGATIVE_BASE}"
        )
    return negative_base(base)


def _sturmian(full: str, found: re.Match[str]) -> NumerationSystem:
    from fibprover.numeration.sturmian import sturmian_system

    return sturmian_system(full)


def _choices(full: str, found: re.Match[str]) -> NumerationSystem:
    from fibprover.numeration.choices import choice_system

    base = int(found[1])
    if not 2 <= base <= MOST_BASE_OF_CHOICES:
        raise UnknownSystemError(
            f"there is no numeration system {full}: its base is between 2 and {MOST_BASE_OF_CHOICES}"
        )
    return choice_system(full, _system(f"msd_{base}"), int(found[2]))


def _of_terms(full: str, coefficients: Sequence[int]) -> NumerationSystem:
    return recurrence_system(full, coefficients, canonical_terms(coefficients))


def _integer(written: str) -> int:
    """Return a number in a name, where m is the minus sign."""
    return int(written.replace("m", "-"))


#: Patterns of full names, and the functions that make the systems.
_FAMILIES: tuple[tuple[re.Pattern[str], Callable[[str, re.Match[str]], NumerationSystem]], ...] = (
    (re.compile(r"msd_(0|[1-9][0-9]*)"), _positional),
    (re.compile(rf"msd_({'|'.join(RECURRENCES)})"), _known),
    (re.compile(r"msd_([1-9][0-9]{0,3})bonacci"), _bonacci),
    (re.compile(r"msd_wythoff_([1-9][0-9]{0,3})"), _wythoff),
    (re.compile(r"msd_fraenkel_([1-9][0-9]{0,3})_([1-9][0-9]{0,3})"), _fraenkel),
    (re.compile(r"msd_ost_((?:m?[0-9]{1,6}_)*)per_([0-9]{1,6}(?:_[0-9]{1,6})*)"), _ostrowski),
    (re.compile(r"(?:msd|lsd)_sturmian"), _sturmian),
    (CHOICE_FAMILY, _choices),
    (re.compile(r"msd_neg_(fib|0|[1-9][0-9]{0,4})"), _negative),
    (re.compile(r"msd_rec_(m?[0-9]{1,5}(?:_m?[0-9]{1,5})*)(?:_from_([0-9]{1,9}(?:_[0-9]{1,9})*))?"), _recurrence),
)
