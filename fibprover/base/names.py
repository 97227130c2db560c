"""Names as users write them: those of definitions and words, and those of numeration systems; and the names of files
that are made of them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

#: A name of a definition, a word or a macro.
NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*")

#: A name of a variable: A, E and I begin quantifiers.
VARIABLE = re.compile(r"[a-zB-DF-HJ-Z][a-zA-Z0-9_]*")

#: A name of a numeration system in a formula or an alphabet.
SYSTEM = re.compile(r"[a-zA-Z0-9_]+")

#: A digit order followed by the base without `_`, as in msd2 and lsdfib.
_GLUED = re.compile(r"(msd|lsd)([a-zA-Z0-9]\w*)", re.ASCII)


#: The predicates that each word with one index has, by the beginnings of their names, and their parameters.
WORD_PREDICATES: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "feq": ("i", "j", "n"), "rev": ("i", "j", "n"), "pal": ("i", "n"), "per": ("i", "n", "p"),
    "border": ("i", "m", "n"), "first": ("i", "n"),
})


def word_predicate(name: str) -> tuple[str, str] | None:
    """Return the parts of the name of a word's predicate: feq and T for feq_T; None for any other name."""
    kind, _, word = name.partition("_")
    return (kind, word) if word and kind in WORD_PREDICATES else None


class SystemName(NamedTuple):
    """The name of a numeration system in its two parts, such as msd and fib.

    `lsd_first`: words are read least significant digit first.  This is the only place that knows how
    the digit order is written in a name; code that has a system at hand uses its field `lsd_first` instead.
    """

    lsd_first: bool
    base: str

    @property
    def full(self) -> str:
        """The name with its digit order, such as msd_fib."""
        return f"{'lsd' if self.lsd_first else 'msd'}_{self.base}"

    def reversed(self) -> SystemName:
        """The name of the system with the same numbers in the other digit order."""
        return SystemName(not self.lsd_first, self.base)


def word_of_system(base: str) -> str:
    """Return the name of the word that `dumont_thomas` makes with a system: that of the system with a capital."""
    return base[0].upper() + base[1:]


def system_name(written: str) -> SystemName:
    """Return the parts of the name of a numeration system, whether or not such a system exists.

    The digit order may be left out (`fib` is msd_fib, `2` is msd_2), and so may the base 2 (`lsd` is
    lsd_2) and the `_` (`lsd3` is lsd_3), as in Walnut.
    """
    order, separator, base = written.partition("_")
    if order in ("msd", "lsd"):
        return SystemName(order == "lsd", base if separator else "2")
    glued = _GLUED.fullmatch(written)
    if glued:
        return SystemName(glued[1] == "lsd", glued[2])
    return SystemName(False, written)


#: The parameter that all relations over a family of numeration systems share: the name of its track, which comes after
#: all names of variables, and the names of the systems that the track may have: of slopes, and of choices between so
#: many, as in msd_choice_3.
PARAMETER = "~parameter"
SLOPES = "msd_slope"
CHOICES = re.compile(r"(?:msd|lsd)_choice_([1-9][0-9]?)")

#: The name of the family of all Ostrowski systems.
STURMIAN = "msd_sturmian"

#: The same families and parameters, read least significant digit first.
_LSD_SLOPES, _LSD_STURMIAN = "lsd_slope", "lsd_sturmian"

#: The names of the families of one base with a choice at each position: the base, and the number of choices.
CHOICE_FAMILY = re.compile(r"(?:msd|lsd)_([1-9][0-9]{0,3})_choices_([1-9][0-9]?)")


def is_family(system: str) -> bool:
    """Return whether the system with this full name is a family: its numbers mean something at a parameter only."""
    return is_sturmian(system) or ("_choices_" in system and CHOICE_FAMILY.fullmatch(system) is not None)


def is_sturmian(system: str) -> bool:
    """Return whether the system with this full name is the family of all Ostrowski systems."""
    return system in (STURMIAN, _LSD_STURMIAN)


#: The systems of one slope, by their names: the continued fraction, first what does not repeat.
_OSTROWSKI = re.compile(r"(?:msd|lsd)_ost_((?:[0-9]{1,6}_)+)per_([0-9]{1,6}(?:_[0-9]{1,6})*)")


def ostrowski_slope(system: str) -> str | None:
    """Return the slope of an Ostrowski system, such as [0; 2, (1)] for msd_ost_0_2_per_1; None for other systems."""
    found = _OSTROWSKI.fullmatch(system)
    if found is None or not found[1].startswith("0_"):
        return None
    before = found[1].removeprefix("0_").replace("_", ", ")
    return f"[0; {before}({found[2].replace('_', ', ')})]"


def is_slope(system: str) -> bool:
    """Return whether a track of this system holds a slope."""
    return system in (SLOPES, _LSD_SLOPES)


def is_parameter(system: str) -> bool:
    """Return whether a track of this system holds the parameter of a family."""
    return is_slope(system) or CHOICES.fullmatch(system) is not None


def parameter_name(system: str) -> str:
    """Return what the parameter is called on a track of this system: a slope, or a sequence of choices."""
    return "slope" if is_slope(system) else "sequence of choices"


def full_name(written: str) -> str:
    """Return the full name of a numeration system, such as msd_fib for `fib`; see `system_name`."""
    return system_name(written).full


def has_digit_order(written: str) -> bool:
    """Return whether the name of a numeration system is written in full, such as msd_fib."""
    return full_name(written) == written


# -- names of files ----------------------------------------------------------------------------

#: What stays as it is in the name of a file: it means nothing to a system, a shell or an address.
_KEPT = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")

#: Names that are devices on Windows, with any ending.
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)

#: The longest name of a file that is written in full, without its ending: a system has some 255 bytes.
_LONGEST_FILE_NAME = 180


def file_name(name: str, ending: str = "") -> str:
    """Return the name of the file of an id, a word or a theorem; it leads to no other folder, whatever they hold.

    Different names have different files.  Letters and digits of ASCII and `_-.` stay, other characters are `+` and
    their bytes in hexadecimal digits, as are a first `.` or `-`, which would make the file hidden or an option; a long
    name ends in a digest.

    >>> file_name("a/b", ".jsonl.gz"), file_name("../x"), file_name("K2.terminal")
    ('a+2Fb.jsonl.gz', '+2E.+2Fx', 'K2.terminal')
    """
    first = not name[:1].isalnum() or _DEVICE.match(name) is not None
    escaped = "".join(
        sign if sign in _KEPT and not (first and place == 0 and sign != "_")
        else "".join(f"+{byte:02X}" for byte in sign.encode(errors="surrogatepass"))
        for place, sign in enumerate(name)
    ) or "+"
    if len(escaped) > _LONGEST_FILE_NAME:
        digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:32]
        escaped = f"{escaped[:_LONGEST_FILE_NAME - 40]}++{digest}"
    return escaped + ending
