"""One thing that was found out about a game beyond the automaton of its P-positions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from fibprover.automata.dfa import Dfa
from fibprover.values import value


@value
class Finding:
    """A proved statement.

    name: what it is about, such as "redundant moves"; statement: a sentence; script: the commands that prove it, in
    the language of `fibprover run` (the automaton of the P-positions is P there), as far as the statement can be
    said there; data: the numbers in the statement, for programs; automata: what the script calls by name beside
    the P-positions P and the terminal positions T, and what its own commands define.
    """

    name: str
    statement: str
    script: tuple[str, ...]
    data: Mapping[str, Any]
    automata: Mapping[str, Dfa] = MappingProxyType({})
