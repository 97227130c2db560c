"""The recursion of a word over base k: equations between its subsequences W[k^e n + r], which determine it.

Allouche and Shallit, Automatic Sequences (2003), chapter 6: these are finitely many sequences, the k-kernel.
"""

from __future__ import annotations

from collections.abc import Mapping

from fibprover.base.limits import polled
from fibprover.language.builder import forall, letter
from fibprover.language.tree import WordValue
from fibprover.sheets.vocabulary import n
from fibprover.words.automatic import AutomaticWord
from fibprover.workspace.session import Session

#: A word with more different subsequences gets no equations: they would be too many to read.
MOST_SUBSEQUENCES = 12

#: The number of letters by which subsequences are compared before they are proved to be equal.
_COMPARED = 64

#: (F, r) is the subsequence of the places F n + r.
Part = tuple[int, int]


def kernel_equations(session: Session, word: AutomaticWord) -> list[str]:
    """Return equations such as "W[2*n+1] = W[n]", each proved, and the first letters, from which the word follows.

    An empty list for a word that is not over base k >= 2, most significant digit first, or has too many subsequences.
    """
    system = session.namespace.index_system(word.name, word.machine)
    base = system.integer_base
    if base is None or base < 2 or system.lsd_first:
        return []
    kept: list[Part] = [(1, 0)]
    equal: dict[Part, Part] = {}
    for factor, rest in polled(kept, "the kernel of a word"):
        for digit in range(base):
            new = factor * base, rest + digit * factor
            letters = _letters(word, new)
            for each in kept:
                claim = forall(n, _part(word, new).eq(_part(word, each))).in_system(system.name)
                if _letters(word, each) == letters and session.prove(claim):
                    equal[new] = each
                    break
            else:
                if len(kept) >= MOST_SUBSEQUENCES:
                    return []
                kept.append(new)
    initial = [f"{word.name}[{place}] = {word[place]}" for place in _undetermined(equal)]
    return [*initial, *(f"{_part(word, a)} = {_part(word, b)}" for a, b in equal.items())]


def _undetermined(equal: Mapping[Part, Part]) -> list[int]:
    """Return the places whose letters do not follow by the equations from letters at smaller places.

    An equation leads from a place F n + r with n > 0 to a smaller one, perhaps after others with the same F.
    """
    places = []
    for place in range(max(factor for factor, _ in equal)):
        at, seen = place, {place}
        while True:
            part = next(each for each in equal if at % each[0] == each[1])
            factor, rest = equal[part]
            at = factor * (at // part[0]) + rest
            if at < place:
                break
            if at in seen:
                places.append(place)
                break
            seen.add(at)
    return places


def _letters(word: AutomaticWord, part: Part) -> list[int]:
    factor, rest = part
    return word.prefix(factor * _COMPARED + rest)[rest::factor]


def _part(word: AutomaticWord, part: Part) -> WordValue:
    factor, rest = part
    place = factor * n if factor > 1 else n
    return letter(word.name, place + rest if rest else place)
