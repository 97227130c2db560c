"""The commands of a script that make a word, and the numeration systems of its indices that have no name everywhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from fibprover.automata.dfa import Dfa
from fibprover.automata.digit_order import to_reading_order
from fibprover.automata.expression import regular_expression
from fibprover.automata.kernel_calls import minimize
from fibprover.base.errors import LimitError
from fibprover.base.names import system_name, word_of_system
from fibprover.base.values import value
from fibprover.numeration.ostrowski import ostrowski_system
from fibprover.numeration.system import ContinuedFraction, NumerationSystem, lexicographic_order
from fibprover.words.automatic import AutomaticWord
from fibprover.words.morphism import Morphism

#: Regular expressions of words with several indices have so many characters at most, each: one of 24,000 is
#: made, and read, in 0.15 s of CPU time.
_MOST_CHARACTERS = 100_000

#: The images of the letters 0, 1, ...
_Images = Mapping[int, tuple[int, ...]]


@value
class Made:
    """The commands that make words, after those that make their own systems, and what no command makes.

    words: those that are not made; systems: the command of each own system, "" for one that no command makes.
    """

    commands: tuple[str, ...]
    words: tuple[AutomaticWord, ...]
    systems: Mapping[str, str]


def commands_of(words: Sequence[AutomaticWord], in_library: Collection[str] = ()) -> Made:
    """Return the commands that make words; in_library: those that are there unless a system's word takes their names.

    A word with one index is the coding of a fixed point; one with several is combined of regular expressions.
    """
    own = {name: _system_command(system) for word in words for name, system in word.systems.items()}
    alone = words[0] if len(words) == 1 and len(words[0].tracks) == 1 else None
    by_itself = list(_by_its_system(alone)) if alone is not None else []
    if by_itself:
        return Made(tuple(by_itself), (), dict.fromkeys(own, by_itself[0]))
    taken = {word_of_system(system_name(name).base) for name, made in own.items() if made.startswith("dumont_thomas")}
    commands, unmade = [made for made in dict.fromkeys(own.values()) if made], []
    for word in words:
        if word.name in in_library and word.name not in taken:
            continue
        found = list(_combined(word) if len(word.tracks) > 1 else _coded(word))
        if found and all(own[name] for name in word.systems):
            commands += found
        else:
            unmade.append(word)
    return Made(tuple(commands), tuple(unmade), own)


def _by_its_system(word: AutomaticWord) -> Iterator[str]:
    """Yield the commands of a word whose states are letters of the morphism of its own system; none for another one."""
    (track,) = word.tracks
    own, images = word.systems.get(track.system), _images(word.machine)
    if own is None or images is None or word.padding_matters or _domain(word) != own.valid:
        return
    if not _is_by_first_difference(own):
        return
    base = system_name(track.system).base
    yield f'dumont_thomas {base} "{Morphism("h", images)}";'
    if word_of_system(base) != word.name or any(letter != (state,) for state, letter in _coding(word).items()):
        yield from _image(word, word_of_system(base))


def _coded(word: AutomaticWord) -> Iterator[str]:
    """Yield the commands of a word with one index, over a system that is made: it is the coding of its states."""
    if word.padding_matters:
        return
    base, states = system_name(word.tracks[0].system).base, f"{word.name}_states"
    yield f'morphism {states}_h "{Morphism("h", _filled(word.machine))}";'
    yield f"promote {states} {states}_h{'' if base.isdecimal() else f' msd_{base}'};"
    yield from _image(word, states)


def _coding(word: AutomaticWord) -> _Images:
    return {state: (int(word.machine.outputs[state]),) for state in range(word.machine.states)}


def _image(word: AutomaticWord, states: str) -> Iterator[str]:
    """Yield the commands that make a word of the word of its states."""
    is_lsd = system_name(word.tracks[0].system).lsd_first
    name = f"{word.name}_msd" if is_lsd else word.name
    yield f'morphism {states}_c "{Morphism("c", _coding(word))}";'
    yield f"image {name} {states}_c {states};"
    if is_lsd:
        yield f"reverse {word.name} {name};"


def _combined(word: AutomaticWord) -> Iterator[str]:
    """Yield the commands of a word with several indices; none if an expression is long."""
    alphabets = " ".join(track.system for track in word.tracks)
    parts: dict[int, str] = {}
    # 0 is the letter of all other places, if there are others.
    for letter in [each for each in word.outputs if each] or [0]:
        where = minimize(word.machine.with_outputs(each == letter for each in word.machine.outputs))
        try:
            parts[letter] = regular_expression(to_reading_order(where), most=_MOST_CHARACTERS)
        except LimitError:
            return
    names = {letter: f"{word.name}_is_{letter}".replace("-", "m") for letter in parts}
    for letter, expression in parts.items():
        yield f'reg {names[letter]} {alphabets} "{expression}";'
    yield f"combine {word.name} {' '.join(f'{names[letter]}={letter}' for letter in parts)};"


def _system_command(system: NumerationSystem) -> str:
    """Return the command that makes a system that a session has defined; "" for one that no command makes."""
    base = system_name(system.name).base
    terms = _partial_quotients(system)
    if terms is not None:
        before, period = (" ".join(map(str, part)) for part in terms)
        return f"ost {base} [0 {before}] [{period}];"
    valid = system.msd_first.valid
    images = _images(valid)
    if images is None or not all(valid.outputs) or not _is_by_first_difference(system):
        return ""
    return f'dumont_thomas {base} "{Morphism("h", images)}";'


def _partial_quotients(system: NumerationSystem) -> ContinuedFraction | None:
    """Return the continued fraction of an Ostrowski system, None for another one.

    That of [0; b, (c)] is the greedy system of U = 1, b, bc + 1, ...
    """
    if system.continued_fraction is not None or system.recurrence is None:
        return system.continued_fraction
    initial, coefficients = system.recurrence.initial, system.recurrence.coefficients
    if len(initial) != 2 or coefficients[1:] != (1,) or initial[0] != 1:
        return None
    found = ContinuedFraction((initial[1],), (coefficients[0],))
    same = ostrowski_system(system.msd_first.name, (0, *found.preperiod), found.period)
    valid = system.msd_first.valid
    return found if same.valid.with_tracks(valid.tracks) == valid else None


def _is_by_first_difference(system: NumerationSystem) -> bool:
    """Return whether words of one length are in the order of their first different digit.

    So they are in the Dumont-Thomas system of the morphism that the automaton of all words is.
    """
    msd = system.msd_first
    return msd.less() == lexicographic_order(msd)


def _images(machine: Dfa) -> _Images | None:
    """Return the morphism whose letters are the states: a state goes on digit i to letter i of its image.

    None if a state has no first digits as its digits, or if the image of state 0 does not begin with it and go on.
    """
    rows = {state: dict(machine.row(state)) for state in range(machine.states)}
    if any(not row or set(row) != set(range(len(row))) for row in rows.values()):
        return None
    images = {state: tuple(row[digit] for digit in range(len(row))) for state, row in rows.items()}
    return images if images[0][0] == 0 and len(images[0]) > 1 else None


def _filled(machine: Dfa) -> _Images:
    """Return the images where digits that no number has at a state lead anywhere, if greater digits go on."""
    rows = {state: dict(machine.row(state)) for state in range(machine.states)}
    return {state: tuple(row.get(digit, 0) for digit in range(max(row, default=0) + 1)) for state, row in rows.items()}


def _domain(word: AutomaticWord) -> Dfa:
    """Return the automaton of the indices that the machine of a word with one index reads to their ends."""
    (track,) = word.tracks
    read = minimize(word.machine.with_outputs(True for _ in range(word.machine.states)))
    return read.renamed(["x"]) if track.name != "x" else read
