"""Words over a family of numeration systems, which have letters for each slope, or for each sequence of choices.

C is the characteristic word of the slope alpha = [0; a_1, a_2, ...]: C[n] = floor((n+2) alpha) - floor((n+1) alpha).
It is the limit of the standard words s_k = s_{k-1}^{a_k} s_{k-2} with s_0 = 0 and s_1 = 0^{a_1 - 1} 1 (J. Berstel, P.
Seebold, Sturmian words, in M. Lothaire, Algebraic Combinatorics on Words, chapter 2, 2002).  A number below q_k is a
place in s_k: its digit b_k says in which s_{k-1} the place is, or in s_{k-2} if b_k = a_k.  So the letter is 1 if the
last digit leads to the 1 at the end of s_1, b_1 = a_1 - 1, and the digit before it does not lead to s_0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from types import MappingProxyType

from fibprover.automata.dfa import build_from, explored
from fibprover.base.errors import FibproverError
from fibprover.base.names import STURMIAN
from fibprover.base.wording import plural
from fibprover.numeration.parameters import SLOPE_TRACK, choice_track
from fibprover.numeration.registry import system_named
from fibprover.words.automatic import AutomaticWord, automatic_word
from fibprover.words.morphic import letter_numbers
from fibprover.words.rules import Rules

#: Whether the digit of the block before is its partial quotient, and by how much, up to 2, that of this block is less.
_Place = tuple[bool, int]

#: The letter that is known from the digits so far, where one of them is 0, and the last digit.
_Fold = tuple[int | None, int]

#: Whether an odd number of zeros are after the last digit that is not 0, None without one, before the digit that is
#: read; and whether this one is 0 so far.
_Zeros = tuple[bool | None, bool]


def characteristic_word() -> AutomaticWord:
    """Return the characteristic word of each slope, under the name C."""

    def steps(state: _Place | None) -> Iterator[tuple[int, _Place | None]]:
        if state is None:
            yield 0, None
        for bit, quotient in product((0, 1), (0, 1, 2)):
            if quotient == 2:
                full, below = state is not None and state[1] == 0, 0
            elif state is not None:
                full, below = state
            else:
                continue
            below = 2 * below + (quotient > 0) - bit
            if below >= 0:
                yield 3 * bit + quotient, (full, min(below, 2))

    tracks = (system_named(STURMIAN).track("n"), SLOPE_TRACK)
    machine = build_from(tracks, explored(None, steps), lambda state: int(state is not None and state == (False, 1)))
    return automatic_word("C", machine)


def extended_word(first: int) -> AutomaticWord:
    """Return 0C or 1C, the letter 0 or 1 in front of the characteristic word of each slope, under the name C0 or C1.

    They are the least and the greatest Sturmian word of the slope.  At n > 0 is C[n-1], which is 1 if the Ostrowski
    digits of n end in an odd number of zeros (T. C. Brown, Canadian Mathematical Bulletin 36, 1993).
    """

    def steps(state: _Zeros) -> Iterator[tuple[int, _Zeros]]:
        if state == start:
            yield 0, state
        for bit, quotient in product((0, 1), (0, 1, 2)):
            odd, zero = state
            if quotient == 2:
                # The block before ends: one more zero, or none after a digit that is not 0.
                odd, zero = None if odd is None else (not odd if zero else False), True
            if bit:
                odd, zero = False, False
            if quotient == 2 or state != start:
                yield 3 * bit + quotient, (odd, zero)

    def letter(state: _Zeros) -> int:
        odd, zero = state
        return first if odd is None else int(odd != zero)

    start: _Zeros = (None, False)
    tracks = (system_named(STURMIAN).track("n"), SLOPE_TRACK)
    return automatic_word(f"C{first}", build_from(tracks, explored(start, steps), letter))


def morphic_family(name: str, morphisms: Sequence[Rules]) -> AutomaticWord:
    """Return the words s_1(s_2(s_3(... a))) for all sequences of choices of s_1, s_2, ... among some morphisms.

    The images of all letters have one length k, and a, the first letter, begins its image under each morphism: so a
    number with m digits is a place in s_1(s_2(... s_m(a))), and its last digit one in an image under s_1.  Toeplitz
    words (J.-P. Allouche, R. Bacher 1992) and generalized Rudin-Shapiro words are among them.  Raises FibproverError.
    """
    letters = list(morphisms[0])
    numbers = letter_numbers(letters)
    width = len(morphisms[0][letters[0]])
    for rules in morphisms:
        _check(rules, letters, width)
    can_begin = [letter for letter in letters if all(rules[letter][0] == letter for rules in morphisms)]
    if not can_begin:
        raise FibproverError(
            "no letter begins its own image under each morphism, so that the words have no limit",
            hint="such as 0 in 0->01, 1->10 | 0->01, 1->00",
        )
    first = "0" if "0" in can_begin else can_begin[0]
    system = system_named(f"msd_{width}_choices_{len(morphisms)}")
    size = len(morphisms) + 1

    def steps(letter: str) -> Iterator[tuple[int, str]]:
        if letter == first:
            yield 0, letter  # zeros in front
        for choice, rules in enumerate(morphisms, 1):
            for digit, image in enumerate(rules[letter]):
                yield digit * size + choice, image

    tracks = (system.track("n"), choice_track(len(morphisms)))
    return automatic_word(name, build_from(tracks, explored(first, steps), lambda letter: numbers[letter]))


def _check(rules: Rules, letters: Sequence[str], width: int) -> None:
    """Raise FibproverError if a morphism has other letters, or an image of another length."""
    if set(rules) != set(letters):
        raise FibproverError(
            "the morphisms of a family have the same letters", hint="such as 0 and 1 in 0->01, 1->10 | 0->01, 1->00"
        )
    for letter, image in rules.items():
        if len(image) != width or width < 2:
            raise FibproverError(
                f"the image of {letter} has {plural(len(image), 'letter')}: in a family all images have one length, of "
                "2 at least"
            )
        if unknown := set(image) - set(letters):
            raise FibproverError(f"the image of {letter} has a letter without an image: {min(unknown)}")


def paperfolding_words() -> AutomaticWord:
    """Return the paperfolding words of all sequences of folds, under the name PAPER.

    PAPER[n] depends on n + 1 = 2^j (2 m + 1): the fold f_{j+1}, 0 or 1, if m is even, and its opposite if m is odd.
    Choice 1 is the fold 0, and choice 2 the fold 1.  A digit of n is 0, so that n + 1 has no digit more.
    """

    def steps(state: _Fold) -> Iterator[tuple[int, _Fold]]:
        letter, before = state
        if state == start:
            yield 0, state
        for fold in (0, 1):
            yield fold + 1, (fold ^ before, 0)
            yield 3 + fold + 1, (letter, 1)

    start: _Fold = (None, 0)
    tracks = (system_named("msd_2_choices_2").track("n"), choice_track(2))
    return automatic_word("PAPER", build_from(tracks, explored(start, steps), lambda state: state[0] or 0))


#: The words over families, by name.
FAMILY_WORDS: Mapping[str, Callable[[], AutomaticWord]] = MappingProxyType({
    "C": characteristic_word, "C0": partial(extended_word, 0), "C1": partial(extended_word, 1),
    "PAPER": paperfolding_words,
})

#: The word that a sheet about a family is about, by the name of the family.
FAMILY_OF: Mapping[str, str] = MappingProxyType({"sturmian": "C", "msd_sturmian": "C", "paperfolding": "PAPER"})
