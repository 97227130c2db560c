"""Numbers of two systems that are written alike: how an index in another system is read, where that is asked for.

Walnut reads the digits of an index in the system of the word whatever the system they were written in.  With
`shared_digits` an environment does so, too: between a term and the track it fills stands this relation.
"""

from __future__ import annotations

from fibprover.automata.dfa import build
from fibprover.plan import logic
from fibprover.plan.environment import Definition, Kind


def written_alike(first: str, first_kind: Kind, second: str, second_kind: Kind) -> logic.Predicate:
    """first, in one system, has the same digits as second, in another one; as an atom.

    The relation is raw, so that each of the two is cut down to the words that are numbers in its system.
    """
    tracks = [first_kind.track("first"), second_kind.track("second")]
    digits = range(len(first_kind.digits))
    every_pair = {digit * len(digits) + digit: 0 for digit in digits}
    return logic.Predicate(
        Definition("written_alike", build(tracks, [every_pair], [1]), raw=True), (first, second)
    )
