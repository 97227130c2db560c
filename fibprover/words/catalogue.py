"""The library of words: words that have names, built from their definitions at first use.

A session looks here for a word that is not defined in the session.  A word that Walnut's users know has the name
it has there; other words have their names written out in lower case.  Where a definition is more than a morphism (a
puzzle, a curve), a test builds the word from that definition as well.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from itertools import chain
from types import MappingProxyType
from typing import Any

from fibprover.automata.dfa import Track, TrackOfSystem
from fibprover.base.errors import UnknownName, check_text, did_you_mean, most_similar
from fibprover.base.values import value
from fibprover.numeration.registry import system_named
from fibprover.words.automatic import AutomaticWord, from_transition_function
from fibprover.words.families import FAMILY_WORDS

#: How similar a name has to be to one of the library, whose names are short.
_SIMILARITY = 0.7


@value
class MorphicDefinition:
    """A word given by a morphism and a coding.

    images: the image of every letter as a row of letters 0-9, separated by blanks; the word is the fixed point
    from 0.  coding: one letter for each letter, the letters themselves by default.
    """

    images: str
    coding: str = ""

    def word(self, name: str, tracks: tuple[Track, ...]) -> AutomaticWord:
        """Return the word of this name over these index tracks."""
        from fibprover.words.morphism import from_morphism  # late: most formulas use no word of the library

        images = [[int(letter) for letter in image] for image in self.images.split()]
        coding = [int(letter) for letter in self.coding] if self.coding else range(len(images))
        return from_morphism(name, images, coding, tracks[0])


@value
class TransitionDefinition:
    """A word given by a transition function; see `from_transition_function`."""

    start: Any
    step: Callable[..., Any]
    letter: Callable[[Any], int]

    def word(self, name: str, tracks: tuple[Track, ...]) -> AutomaticWord:
        """Return the word of this name over these index tracks."""
        return from_transition_function(name, tracks, self.start, self.step, self.letter)


@value
class Entry:
    """A word of the library.

    definition: its letter at n, in words; indices: for each index a numeration system or the digits of a plain
    alphabet; given: the definition that the word is built from; oeis: its number in the On-Line Encyclopedia of
    Integer Sequences, if it has one; relation: how its letters are the terms of that sequence.
    """

    name: str
    title: str
    definition: str
    indices: tuple[str | tuple[int, ...], ...]
    given: MorphicDefinition | TransitionDefinition
    oeis: str = ""
    relation: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickle and copy by the name: some definitions hold functions without one."""
        return entry_of, (self.name,)


class LibraryWords(Mapping[str, AutomaticWord]):
    """The words of the library by name, each built at first use.

    track_of_system: returns a track of a numeration system.
    """

    def __init__(self, track_of_system: TrackOfSystem) -> None:
        self._track = track_of_system
        self._built: dict[str, AutomaticWord] = {}

    def __getitem__(self, name: str) -> AutomaticWord:
        found = self._built.get(name)
        if found is None:
            found = FAMILY_WORDS[name]() if name in FAMILY_WORDS else self._build(ENTRIES[name])
            self._built[name] = found
        return found

    def __contains__(self, name: object) -> bool:
        return name in ENTRIES or name in FAMILY_WORDS

    def __iter__(self) -> Iterator[str]:
        return chain(ENTRIES, FAMILY_WORDS)

    def __len__(self) -> int:
        return len(ENTRIES) + len(FAMILY_WORDS)

    def overridden_by(self, own: Mapping[str, AutomaticWord]) -> Mapping[str, AutomaticWord]:
        """Return these words and some others, which hide words of the same names."""
        return ChainMap(own, self)  # type: ignore[arg-type]  # it is only read

    def _build(self, entry: Entry) -> AutomaticWord:
        names = ("n",) if len(entry.indices) == 1 else tuple(f"n{number}" for number in range(len(entry.indices)))
        tracks = tuple(
            self._track(index)._replace(name=name) if isinstance(index, str) else Track(name, index)
            for name, index in zip(names, entry.indices, strict=True)
        )
        return entry.given.word(entry.name, tracks)


def entry_of(name: str) -> Entry:
    """Return the entry of this name, or of another one of the word, such as "thue_morse" and "A010060".

    Raises UnknownName if there is none; a misspelled name has none.
    """
    found = ENTRIES.get(name) or _entry_by_other_name(name)
    if name in FAMILY_WORDS:
        raise UnknownName(
            f"{name} is a word over a family", name, 0, len(name),
            hint=f"docs/families.md says what it is; describe {name}",
        )
    if found is None:
        raise UnknownName(f"the library has no word {name}", name, 0, len(name), hint=unknown_word_hint(name, ()))
    return found


def word(name: str) -> AutomaticWord:
    """Return a word of the library by its name, such as "T" or "F".

    Parameters:

    - name: as in formulas (`fibprover words` lists all names)

    Returns: the word; a session has it under the same name.

    Errors: UnknownName, with the most similar name, if the library has no such word.

    >>> fp.word("T")[:10], fp.word("T")[10**30]
    ([0, 1, 1, 0, 1, 0, 0, 1, 1, 0], 1)
    """
    check_text(name, "the name of a word")
    if name not in ENTRIES and name not in FAMILY_WORDS:
        raise UnknownName(f"the library has no word {name}", name, 0, len(name), hint=unknown_word_hint(name, ()))
    return LibraryWords(lambda system: system_named(system).track("x"))[name]


def unknown_word_hint(name: str, known: Iterable[str]) -> str:
    """Return a hint for an unknown word: the name that was probably meant, or the names that exist."""
    own = [word for word in known if word not in ENTRIES and word not in FAMILY_WORDS]
    if most_similar(name, own) is None and (meant := word_meant(name)) is not None:
        return f"did you mean {meant.name}, the {meant.title}?"
    return did_you_mean(name, own, kind="words") or "`fibprover words` lists the words of the library"


def word_meant(name: str) -> Entry | None:
    """Return the word that was probably meant by a name that is none: by another name of it, or a misspelled one.

    Other names are its title (`fibonacci`, `thue_morse`), the initials of that (`TM`), its number in the OEIS, and the
    beginning of one of the title's words (`Rudin`, `shapiro`).

    >>> [word_meant(name).name for name in ("TM", "Fib", "rudin_shapiro", "A010060", "bonaci5")]
    ['T', 'F', 'RS', 'T', 'bonacci5']
    """
    if (found := _entry_by_other_name(name)) is not None:
        return found
    near = get_close_matches(name, list(ENTRIES), n=1, cutoff=_SIMILARITY)
    return ENTRIES[near[0]] if near else None


def _entry_by_other_name(name: str) -> Entry | None:
    """Return the entry of another name of a word; of several words a usual one with a short title."""
    wanted = "".join(_parts(name))
    if not wanted:
        return None
    # Those over systems that read the most significant digit first are usual.
    entries = sorted(
        ENTRIES.values(), key=lambda entry: (not str(entry.indices[0]).startswith("msd"), len(entry.title))
    )
    for called in (
        lambda entry: wanted in (entry.name.lower(), entry.oeis.lower()),
        lambda entry: wanted == "".join(_parts(entry.title)),
        lambda entry: wanted == "".join(part[0] for part in _parts(entry.title)),
        lambda entry: len(wanted) > 2 and "".join(_parts(entry.title)).startswith(wanted),
        lambda entry: len(wanted) > 2 and any(part.startswith(wanted) for part in _parts(entry.title)),
        lambda entry: len(wanted) > 2 and any(wanted.startswith(part) for part in _parts(entry.title)[:1]),
    ):
        if (found := next(filter(called, entries), None)) is not None:
            return found
    return None


def _parts(title: str) -> list[str]:
    """Return the words of a title or name, in lower case, without those that every title may have."""
    parts = re.findall(r"[^\W_]+", title.lower().replace("'s", ""))
    return [part for part in parts if part not in ("word", "words", "regular", "of", "all", "them")]


def _cyclic(image: str, letters: int) -> str:
    """Return the images under a morphism that commutes with adding 1 modulo the number of letters."""
    return " ".join("".join(str((int(letter) + add) % letters) for letter in image) for add in range(letters))


# Transition functions: each returns the state after one more digit of every index.


def _rudin_shapiro(state: tuple[int, int], digit: int) -> tuple[int, int]:
    """State: the last digit, and the parity of the number of blocks 11."""
    last, parity = state
    return digit, parity ^ (last & digit)


def _fold(state: tuple[int, int], digit: int) -> tuple[int, int]:
    """State: the letter a(n) and the parity of n; a(2n) is that parity, and a(2n+1) = a(n)."""
    letter, last = state
    return (letter if digit else last), digit


def _fold_from_one(state: tuple[int, int], digit: int) -> tuple[int, int]:
    """State: as for `_fold`, with all indices increased by 1: a(2n) = a(n), and a(2n+1) is the parity of n."""
    letter, last = state
    return (last if digit else letter), digit


def _fold_lsd(state: str, digit: int) -> str:
    """Least significant digit first: ones up to the first zero; the next digit is the letter."""
    match state:
        case "ones":
            return "ones" if digit else "zero"
        case "zero":
            return "1" if digit else "0"
    return state


def _folds(state: tuple[str, int], fold: int, digit: int) -> tuple[str, int] | None:
    """Least significant digit first: the fold at the first 1 of n, negated if the next digit is 1."""
    phase, letter = state
    match phase:
        case "zeros":
            return ("one", fold) if digit else state
        case "one":
            return "done", -letter if digit else letter
    return state


def _finite_folds(state: tuple[str, int], fold: int, digit: int) -> tuple[str, int] | None:
    """As `_folds`, for finitely many folds followed by zeros; an index beyond them has letter 0."""
    phase, letter = state
    if phase == "beyond" or (digit and not fold) or (phase == "end" and fold):
        return "beyond", 0
    if not fold:
        return "end", letter
    return _folds(state, fold, digit)


def _differences(state: tuple[int, int], digit: int) -> tuple[int, int]:
    """State: the letters t(n) and t(n+1) of the Thue-Morse word, where t(2n) = t(n) and t(2n+1) = 1 - t(n)."""
    here, next_one = state
    return (1 - here, next_one) if digit else (here, 1 - here)


def _baum_sweet(state: str, digit: int) -> str | None:
    """State: leading zeros, a run of zeros by the parity of its length, or an odd run that has ended."""
    if state == "odd":
        return "odd run" if digit else "even"
    if state == "even":
        return "even" if digit else "odd"
    return "even" if digit and state == "front" else state


def _carpet(state: int, x: int, y: int) -> int:
    """State: 0 after a common digit 1."""
    return 0 if x == y == 1 else state


def _pascal(state: int, n: int, k: int) -> int:
    """State: 0 after a 1 of k at a 0 of n; by Lucas, n over k is odd if and only if there is none."""
    return 0 if k > n else state


def _arshon(state: tuple[int, int], digit: int) -> tuple[int, int]:
    """State: the letter and the parity of its position, which decides whether its image increases or decreases."""
    letter, parity = state
    return (letter - 1 + (2 - digit if parity else digit)) % 3 + 1, parity ^ (digit & 1)


def _hilbert(state: tuple[int, int], digit: int) -> tuple[int, int]:
    """State: the orientation of the square and the move out of it; reflections and rotations act by exclusive or.

    Squares at an odd height are transposed, so both are relative to the square at the origin.
    """
    orientation, move = state
    if digit == 3:
        return orientation ^ 2, move ^ 1
    return orientation ^ (digit > 0), orientation ^ digit


#: The words of the library by name.
ENTRIES: Mapping[str, Entry] = MappingProxyType({entry.name: entry for entry in (
    Entry(
        "T", "Thue-Morse word",
        "the parity of the number of ones in the binary representation of n",
        ("msd_2",), MorphicDefinition("01 10"), "A010060", "T[n] = a(n)",
    ),
    Entry(
        "VTM", "ternary Thue-Morse word",
        "1 + T[n+1] - T[n] for the Thue-Morse word T; also the fixed point of 2 -> 210, 1 -> 20, 0 -> 1; "
        "squarefree",
        ("msd_2",), TransitionDefinition((0, 1), _differences, lambda state: 1 + state[1] - state[0]),
        "A036577", "VTM[n] = a(n+1)",
    ),
    Entry(
        "TTM", "twisted Thue-Morse word",
        "the parity of the number of zeros in the binary representation of n; TTM[0] = 0",
        ("msd_2",), MorphicDefinition("01 21 12", "001"), "A059448", "TTM[n] = a(n) for n >= 1",
    ),
    Entry(
        "FTM", "Fibonacci-Thue-Morse word",
        "the parity of the number of ones in the Zeckendorf representation of n",
        ("msd_fib",), MorphicDefinition("01 2 23 0", "0110"), "A095076", "FTM[n] = a(n)",
    ),
    Entry(
        "prouhet3", "ternary Prouhet word",
        "the sum of the digits of n in base 3, modulo 3",
        ("msd_3",), MorphicDefinition(_cyclic("012", 3)), "A053838", "prouhet3[n] = a(n)",
    ),
    Entry(
        "RS", "Rudin-Shapiro word",
        "the parity of the number of blocks 11, which may overlap, in the binary representation of n",
        ("msd_2",), TransitionDefinition((0, 0), _rudin_shapiro, lambda state: state[1]), "A020987", "RS[n] = a(n)",
    ),
    Entry(
        "P", "regular paperfolding word",
        "a strip of paper is folded in the middle again and again, always in the same way; unfolded, it has at "
        "place n from 0 a valley or a hill: P[4n] = 0, P[4n+2] = 1, P[2n+1] = P[n]",
        ("msd_2",), TransitionDefinition((0, 0), _fold, lambda state: state[0]), "A014707", "P[n] = a(n)",
    ),
    Entry(
        "ZP", "paperfolding word, from 1",
        "ZP[0] = 0 and ZP[n+1] = P[n]: the bit to the left of the last 1 of n",
        ("msd_2",), TransitionDefinition((0, 0), _fold_from_one, lambda state: state[0]), "A038189", "ZP[n] = a(n)",
    ),
    Entry(
        "PR", "paperfolding word, lsd",
        "P over numbers that are read least significant digit first",
        ("lsd_2",), TransitionDefinition("ones", _fold_lsd, lambda state: int(state == "1")), "A014707", "PR[n] = a(n)",
    ),
    Entry(
        "PF", "paperfolding words, all of them",
        "PF[f][n] for folds f, a word of 1 and -1: with n = 2^k m and m odd, the fold f_k if m = 4q+1 and -f_k if "
        "m = 4q+3; PF[f][0] = 0",
        ((-1, 1), "lsd_2"), TransitionDefinition(("zeros", 0), _folds, lambda state: state[1]),
    ),
    Entry(
        "FOLD", "paperfolding words, finite ones",
        "FOLD[f][n] for finitely many folds f, a word of 1 and -1 filled up with 0: PF[f][n] for n below 2^k if "
        "there are k folds, and else 0",
        ((-1, 0, 1), "lsd_2"), TransitionDefinition(("zeros", 0), _finite_folds, lambda state: state[1]),
    ),
    Entry(
        "PD", "period-doubling word",
        "1 if n+1 has an even number of factors 2, else 0",
        ("msd_2",), MorphicDefinition("01 00", "10"), "A035263", "PD[n] = a(n+1)",
    ),
    Entry(
        "F", "Fibonacci word",
        "the fixed point of 0 -> 01, 1 -> 0",
        ("msd_fib",), MorphicDefinition("01 0"), "A003849", "F[n] = a(n)",
    ),
    Entry(
        "RF", "Rote-Fibonacci word",
        "the word of 0 and 1, beginning with 0, whose runs have the lengths 2, 1, 2, 2, 1, ...: the letters of F, "
        "with 2 for 0",
        ("msd_fib",), MorphicDefinition("01 2 34 56 3 27 0 5", "00100111"), "A273129", "RF[n] = a(n)",
    ),
    Entry(
        "TR", "Tribonacci word",
        "the fixed point of 0 -> 01, 1 -> 02, 2 -> 0",
        ("msd_trib",), MorphicDefinition("01 02 0"), "A080843", "TR[n] = a(n)",
    ),
    Entry(
        "bonacci4", "4-bonacci word",
        "the fixed point of 0 -> 01, 1 -> 02, 2 -> 03, 3 -> 0",
        ("msd_4bonacci",), MorphicDefinition("01 02 03 0"), "A254990", "bonacci4[n] = a(n)",
    ),
    Entry(
        "bonacci5", "5-bonacci word",
        "the fixed point of 0 -> 01, 1 -> 02, 2 -> 03, 3 -> 04, 4 -> 0",
        ("msd_5bonacci",), MorphicDefinition("01 02 03 04 0"),
    ),
    Entry(
        "NA", "Narayana word",
        "the fixed point of 0 -> 01, 1 -> 2, 2 -> 0",
        ("msd_narayana",), MorphicDefinition("01 2 0"), "A105083", "NA[n] = a(n) - 1",
    ),
    Entry(
        "pell", "Pell word",
        "the fixed point of 0 -> 001, 1 -> 0",
        ("msd_wythoff_2",), MorphicDefinition("001 0"), "A171588", "pell[n] = a(n+1)",
    ),
    Entry(
        "KP", "Kimberling word",
        "the fixed point of 1 -> 110, 0 -> 11, over the numeration system with terms 1, 3, 8, 22, ...",
        ("msd_rec_2_2",), MorphicDefinition("001 00", "10"),
    ),
    Entry(
        "MW", "Mephisto waltz",
        "the fixed point of 0 -> 001, 1 -> 110: the parity of the number of twos in base 3",
        ("msd_3",), MorphicDefinition("001 110"), "A064990", "MW[n] = a(n)",
    ),
    Entry(
        "SC", "Stewart's choral word",
        "SC[3n] = 0, SC[3n+2] = 1, SC[3n+1] = SC[n]",
        ("msd_3",), MorphicDefinition("001 011"), "A116178", "SC[n] = a(n)",
    ),
    Entry(
        "CA", "Cantor word",
        "1 if n has no digit 1 in base 3, else 0",
        ("msd_3",), MorphicDefinition("010 111", "10"), "A088917", "CA[n] = a(n)",
    ),
    Entry(
        "SCA", "Sierpinski carpet",
        "0 if i and j have a digit 1 at the same place in base 3, else 1",
        ("msd_3", "msd_3"), TransitionDefinition(1, _carpet, int), "A153490", "a lists SCA[i][j] by antidiagonals",
    ),
    Entry(
        "pascal", "Pascal's triangle modulo 2",
        "the parity of the binomial coefficient n over k; 0 for k > n",
        ("msd_2", "msd_2"), TransitionDefinition(1, _pascal, int), "A047999", "a lists pascal[n][k] for k <= n by rows",
    ),
    Entry(
        "BS", "Baum-Sweet word",
        "1 if the binary representation of n has no block of zeros of odd length, else 0; BS[0] = 1",
        ("msd_2",), TransitionDefinition("front", _baum_sweet, lambda state: int(state in ("front", "even"))),
        "A086747", "BS[n] = a(n) for n >= 1",
    ),
    Entry(
        "P2", "powers of 2",
        "1 if n is a power of 2, else 0",
        ("msd_2",), MorphicDefinition("01 12 22", "010"), "A209229", "P2[n] = a(n)",
    ),
    Entry(
        "SB", "second bit",
        "the second digit of the binary representation of n; 0 for n < 2",
        ("msd_2",), MorphicDefinition("01 23 22 33", "0001"), "A079944", "SB[n] = a(n-2) for n >= 2",
    ),
    Entry(
        "LE", "Leech's word",
        "the fixed point of 0 -> 0121021201210 and its rotations, which add 1 to every letter modulo 3; "
        "squarefree",
        ("msd_13",), MorphicDefinition(_cyclic("0121021201210", 3)), "A337005", "LE[n] = a(n)",
    ),
    Entry(
        "DEJ", "Dejean's word",
        "the fixed point of 0 -> 0120212012102120210 and its rotations; no power is above 7/4",
        ("msd_19",), MorphicDefinition(_cyclic("0120212012102120210", 3)),
    ),
    Entry(
        "arshon", "Arshon's word",
        "the limit from 1 of replacing letters at even places by 1 -> 123, 2 -> 231, 3 -> 312 and at odd places "
        "by 1 -> 321, 2 -> 132, 3 -> 213, places counted from 0; squarefree",
        ("msd_3",), TransitionDefinition((1, 0), _arshon, lambda state: state[0]), "A099054", "arshon[n] = a(n)",
    ),
    Entry(
        "TH", "Tower of Hanoi",
        "the move after n moves in the shortest way to bring a tower of any height to another peg: 0, 4, 2 from a "
        "peg to the next one (from 1, 2, 3), 1, 5, 3 back again (to 1, 2, 3)",
        ("msd_2",), MorphicDefinition("03 02 41 40 25 24"), "A101607",
        "TH[n] = (0, 4, 2, 1, 5, 3) for a(n+1) = 1, ..., 6",
    ),
    Entry(
        "HC", "Hilbert curve",
        "the move after n moves along Hilbert's curve: 0 east, 1 south, 2 west, 3 north",
        ("msd_4",), TransitionDefinition((0, 0), _hilbert, lambda state: state[1]), "A163540", "HC[n] = a(n+1)",
    ),
)})
