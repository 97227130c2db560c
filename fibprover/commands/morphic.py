"""Words from morphisms: `promote` and `image`.

The word over base k of a k-uniform morphism is Cobham's theorem (Uniform tag sequences, Math. Systems
Theory 6, 1972): letters are states, and the i-th digit leads to the i-th letter of the image.
"""

from __future__ import annotations

from collections.abc import Mapping

from fibprover.automata import kernels, operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.commands.bases import base_of
from fibprover.commands.outputs import completed, from_parts
from fibprover.commands.spending import spend
from fibprover.errors import AutomatonError
from fibprover.limits import UNLIMITED, Budget
from fibprover.numeration.system import NumerationSystem
from fibprover.words.automatic import AutomaticWord
from fibprover.words.morphism import from_morphism
from fibprover.words.rules import Morphism


def promoted(morphism: Morphism, name: str, index: Track) -> AutomaticWord:
    """The fixed point of a morphism from letter 0, indexed over a track with as many digits as images are long.

    The letters have to be 0, ..., n - 1.  Where images are shorter than others, the word is read
    along the digits that lead anywhere, and has no letter at other indices.  AutomatonError where
    letters or images do not make a word, such as an image of 0 that does not begin with 0.
    """
    letters = sorted(morphism.images)
    if letters != list(range(len(letters))):
        raise AutomatonError(
            f"the letters of {morphism.name} have to be 0, 1, ..., n - 1 to be states, and they are"
            f" {', '.join(map(str, letters))}"
        )
    return from_morphism(name, [morphism.image(letter) for letter in letters], letters, index)


def image(machine: Dfa, morphism: Morphism, system: NumerationSystem, budget: Budget = UNLIMITED) -> Dfa:
    """The machine of the image of a word with one index under a uniform morphism.

    machine: as kept inside, over a track of `system`.  AutomatonError if the morphism is not
    uniform, or has no image of a letter of the word.
    """
    width = morphism.width
    if width is None:
        raise AutomatonError(f"the morphism {morphism.name} is not uniform: its images differ in length")
    if len(machine.tracks) != 1:
        raise AutomatonError(f"a word with one index has an image, and this one has {len(machine.tracks)}")
    images = {letter: morphism.image(letter) for letter in sorted(set(machine.outputs))}
    if width == 1:
        coded = [images[letter][0] for letter in machine.outputs]
        return kernels.minimize_outputs(_with_outputs(machine, coded), budget)
    base = base_of(machine.tracks[0].system)
    if base is not None:
        return _image_over_base(machine, images, width, base, budget)
    return _image_by_division(machine, images, width, system, budget)


def _image_over_base(
    machine: Dfa, images: Mapping[int, tuple[int, ...]], width: int, base: int, budget: Budget
) -> Dfa:
    """Reading N = width * n + r, the machine reads n beside: its next digit is known at once.

    With N' = base * N + d the next remainder is that of base * r + d, and the quotient is n's next
    digit, since base * r + d < base * width.
    """
    complete = completed(machine, 0, budget)
    numbers = {(0, 0): 0}
    order = [(0, 0)]
    rows: list[dict[int, int]] = []
    for state, remainder in order:
        spend(budget, len(order), "the image of a word")
        row = {}
        for digit in range(base):
            quotient, after = divmod(base * remainder + digit, width)
            target = complete.successor(state, quotient)
            assert target is not None
            if (target, after) not in numbers:
                numbers[target, after] = len(order)
                order.append((target, after))
            row[digit] = numbers[target, after]
        rows.append(row)
    # A letter 0 that only fills up the machine need not have an image.
    outputs = [images.get(complete.outputs[state], (0,) * width)[remainder] for state, remainder in order]
    return kernels.minimize_outputs(build(machine.tracks, rows, outputs), budget)


def _image_by_division(
    machine: Dfa, images: Mapping[int, tuple[int, ...]], width: int, system: NumerationSystem, budget: Budget
) -> Dfa:
    """The index N has the letter v if N = width * n + r for some n whose letter has v at place r of its image."""
    (track,) = machine.tracks
    parts: dict[int, Dfa] = {}
    for place in range(width):
        division = system.linear((1, -width), "=", place, budget).renamed([track.name, "quotient"])
        for letter in sorted({images[letter][place] for letter in images} - {0}):
            chosen = [int(images[output][place] == letter) for output in machine.outputs]
            part = kernels.join(_with_outputs(machine, chosen).renamed(["quotient"]), division, budget)
            found = operations.exists(part, ["quotient"], budget)
            parts[letter] = operations.disjunction(parts[letter], found, budget) if letter in parts else found
    return from_parts(parts, machine.tracks, budget)


def _with_outputs(machine: Dfa, outputs: list[int]) -> Dfa:
    rows = [dict(machine.row(state)) for state in range(machine.states)]
    return build(machine.tracks, rows, outputs)
