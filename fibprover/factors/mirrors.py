"""Maps of words that keep palindromes."""

from __future__ import annotations

from fibprover.factors.language import Substitution


def keeps_palindromes(before: str, morphism: Substitution, after: str) -> bool:
    """Return whether the reversal of before m(w) after is before m(w reversed) after, for all words w.

    With a palindrome z such that z m(a) = r(a) z for the reversal r(a) of the image of each letter a, z m(w) = r(w) z
    for all words w, where r(w) is the reversal of m(w reversed).
    """
    if len(before) < len(after):  # the same, read backward
        before, after = after[::-1], before[::-1]
        images = [image[::-1] for image in morphism.images]
    else:
        images = list(morphism.images)
    start = after[::-1]
    if not before.startswith(start):
        return False
    z = before[len(start) :]
    return z == z[::-1] and all(z + image == image[::-1] + z for image in images)
