"""The game that a text means: the name of a ready-made one, or its moves as a formula."""

from __future__ import annotations

import re
from dataclasses import replace

from fibprover.errors import FibproverError, SyntaxProblem
from fibprover.games.ready import CALL, READY, game_named
from fibprover.games.rules import STEPS, VARIABLES, VECTORS, Game


def game_of(text: str, terminal: str = "", blocked: int = 0, *, steps: bool = False) -> Game:
    """The game with these moves: a name such as "terminal(7)", or a formula.

    A formula in i,j says which counters may be taken; one in p,q,r,s (or any formula, with `steps`) which steps lead
    from (p,q) to (r,s).  terminal, blocked: as in Game; a ready-made game keeps its own.  Errors show the place.
    """
    if not isinstance(text, str):
        raise FibproverError(f"a game is a name or a formula, as a text, and not {text!r}")
    if not text.strip():
        raise SyntaxProblem("this is no game", text, 0, 1, hint="as in terminal(7), or i=0 | j=0 | i=j")
    call = CALL.match(text)
    if not steps and call is not None and (call.end() == len(text) or call[1] in READY):
        return _with(game_named(text), terminal, blocked)
    names = set(re.findall(r"[a-zA-Z_]\w*", text))
    if steps or (names & set(VARIABLES[STEPS]) and not names & set(VARIABLES[VECTORS])):
        return Game.by_steps(text, terminal, blocked)
    return Game.by_vectors(text, terminal, blocked)


def _with(game: Game, terminal: str, blocked: int) -> Game:
    """A ready-made game with more rules than its own; FibproverError where they would replace some."""
    if not terminal and not blocked:
        return game
    for word, new, own in (("terminal positions", terminal, game.terminal), ("blocked options", blocked, game.blocked)):
        if new and own:
            raise FibproverError(f"{game.name} has {word} of its own", hint="give the moves as a formula")
    name = "; ".join(
        [game.name, *([f"terminal {' '.join(terminal.split())}"] if terminal else []),
         *([f"{blocked} blocked"] if blocked else [])]
    )
    return replace(game, name=name, terminal=terminal or game.terminal, blocked=blocked or game.blocked)
