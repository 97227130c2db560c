"""Small automata for tests, and their languages by enumeration: nothing here uses a kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from hypothesis import strategies as st

from fibprover.automata.dfa import Dfa, Track, build

BINARY = ((0, 1), "msd_2")
PLAIN = ((-1, 1), "")


def tracks(names: str, digits: tuple[int, ...] = (0, 1), system: str = "msd_2") -> tuple[Track, ...]:
    """One track a letter of `names`."""
    return tuple(Track(name, digits, system) for name in names)


@st.composite
def automata(draw: st.DrawFn, over: Sequence[Track], most: int = 4, outputs: Sequence[int] = (0, 1)) -> Dfa:
    """Any automaton over these tracks, trim or not."""
    states = draw(st.integers(1, most))
    letters = 1
    for track in over:
        letters *= len(track.digits)
    row = st.dictionaries(st.integers(0, letters - 1), st.integers(0, states - 1), max_size=letters)
    rows = draw(st.lists(row, min_size=states, max_size=states))
    return build(over, rows, draw(st.lists(st.sampled_from(outputs), min_size=states, max_size=states)))


def words(letters: int, longest: int) -> Iterator[tuple[int, ...]]:
    """All words of letter codes up to a length, in length-then-lexicographic order."""
    for length in range(longest + 1):
        yield from product(range(letters), repeat=length)


def accepted(a: Dfa, longest: int) -> set[tuple[int, ...]]:
    """The accepted words of letter codes up to a length."""
    return {word for word in words(a.letters, longest) if a.output(word)}


def table(names: str, entries: dict[str, str], accepting: str, system: str = "msd_2") -> Dfa:
    """A binary automaton from lines such as {"s": "00>s 01>t"}; states are named by one character."""
    numbers = {name: number for number, name in enumerate(entries)}
    rows = []
    for line in entries.values():
        moves = (move.split(">") for move in line.split())
        rows.append({int(letter or "0", 2): numbers[target] for letter, target in moves})
    return build(tracks(names, system=system), rows, [int(name in accepting) for name in entries])


def less(small: str, large: str) -> Dfa:
    """small < large, in base 2: equal digits up to the first place where they differ."""
    first, second = sorted((small, large))
    settled = "01" if (first, second) == (small, large) else "10"
    return table(first + second, {"e": f"00>e 11>e {settled}>l", "l": "00>l 01>l 10>l 11>l"}, "l")


def everything(names: str) -> Dfa:
    """All tuples of numbers in base 2."""
    return build(tracks(names), [dict.fromkeys(range(2 ** len(names)), 0)], [1])
