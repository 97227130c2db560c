"""Many games of one kind: the theorem of each game that a text with variables describes, as tasks of a sweep."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import Limits, limits_of_part
from fibprover.campaigns.sweeps.tasks import Answer
from fibprover.games.catalogue import CALL, game_of
from fibprover.games.theorem import discover
from fibprover.language.parser import formula

_RANGE = re.compile(r"([A-Za-z]\w*)=(\d{1,18}(?:\.\.\d{1,18})?(?:,\d{1,18}(?:\.\.\d{1,18})?)*)", re.ASCII)

#: The games that one sweep may have at most.
MOST_GAMES = 100_000


def read_ranges(texts: Sequence[str]) -> dict[str, list[int]]:
    """Return the values of variables that texts such as k=2..100 or m=1,2,8..10 list.

    Raises FibproverError for others.
    """
    ranges: dict[str, list[int]] = {}
    total = 1
    for text in texts:
        match = _RANGE.fullmatch(text)
        if match is None or match[1] in ranges:
            raise FibproverError(
                f"{text!r} is not a range of a variable", hint="write k=2..100 or k=2,3,5..8, each variable once"
            )
        bounds = [tuple(map(int, part.split(".."))) for part in match[2].split(",")]
        count = sum(max(0, bound[-1] - bound[0] + 1) for bound in bounds)
        total *= count
        if not 0 < total <= MOST_GAMES:
            raise FibproverError(
                f"the range {text!r} is empty" if not count else f"a sweep may have at most {MOST_GAMES} games",
                hint="as in k=2..100",
            )
        ranges[match[1]] = [number for bound in bounds for number in range(bound[0], bound[-1] + 1)]
    if not ranges:
        raise FibproverError("a sweep needs the values of a variable", hint="as in --sweep 'blocking(k)' k=2..100")
    return ranges


def games(text: str, terminal: str, ranges: Mapping[str, Sequence[int]]) -> list[tuple[str, str]]:
    """Return the texts of the games, and of their terminal positions, for all values of the variables, in order.

    Raises FibproverError if a variable is in neither text.
    """
    patterns = [_Pattern(part) for part in (text, terminal)]
    for name in ranges:
        if not any(name in pattern.names for pattern in patterns):
            raise FibproverError(f"the variable {name} is not in the game {text}", hint="as in 'blocking(k)' k=2..100")
    found = []
    for values in product(*ranges.values()):
        assigned = dict(zip(ranges, values, strict=True))
        game, ends = (pattern.at(assigned) for pattern in patterns)
        found.append((game, ends))
    return found


class _Pattern:
    """A text with variables: the call of a ready-made game, a formula, or nothing."""

    def __init__(self, text: str) -> None:
        self.text = text
        call = CALL.fullmatch(text)
        self.name = call[1] if call else ""
        self.arguments = [part.strip() for part in (call[3] or "").split(",")] if call else []
        self.formula = formula(text) if text and call is None else None
        self.names = self.arguments if self.formula is None else self.formula.free

    def at(self, values: Mapping[str, int]) -> str:
        """Return the text with numbers in place of the variables."""
        if self.formula is not None:
            return str(self.formula.substitute(values))
        if not any(name in values for name in self.arguments):
            return self.text
        return f"{self.name}({','.join(str(values.get(name, name)) for name in self.arguments)})"


def theorem_of(case: dict[str, Any]) -> Answer:
    """Search for the theorem of a game and return its JSON; case: the rules, options, and limits."""
    try:
        game = game_of(
            case["game"], case["terminal"], case["blocked"], steps=case["steps"], misere=case["misere"], by=case["by"],
            passes=case["passes"],
        )
        theorem = discover(
            game, case["systems"], limits=limits_of_part(case["seconds"], Limits(states=case["states"])),
            largest=case["largest"], with_findings=case["findings"], value=case["value"],
        )
    except BudgetSpent as spent:  # the limits did not suffice for the first data
        if spent.resource == "bytes":
            raise  # there may be more elsewhere
        undecided = {"game": case["game"], "status": "undecided", "system": None, "states": None}
        return Answer(undecided | {"remark": str(spent)})
    return Answer(theorem.as_json())
