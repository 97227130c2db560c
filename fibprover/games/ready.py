"""Games that have names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches

from fibprover.errors import FibproverError, SyntaxProblem, TextError, UnknownName
from fibprover.games.rules import STEPS, VARIABLES, VECTORS, Game

WYTHOFF = "i=0 | j=0 | i=j"

ONE_PILE = "(p=r & s<q) | (q=s & r<p)"


def nim(*sizes: int) -> Game:
    """Two piles; a move takes some counters from one of them, as many as one of the sizes if any are given."""
    for size in sizes:
        _natural("a number of counters to take", size, 1)
    if not sizes:
        return Game.by_vectors("i=0 | j=0", name="nim()")
    taken = sorted(set(sizes))
    if taken == list(range(taken[0], taken[-1] + 1)):
        first, second = (f"{pile}>={taken[0]} & {pile}<={taken[-1]}" for pile in "ij")
    else:
        first, second = (" | ".join(f"{pile}={size}" for size in taken) for pile in "ij")
    name = f"nim({','.join(map(str, sizes))})"
    return Game.by_vectors(f"(j=0 & ({first})) | (i=0 & ({second}))", name=name)


def wythoff(*numbers: int) -> Game:
    """Wythoff's game and Fraenkel's: `wythoff()`, `wythoff(m)` and `wythoff(s, m)`.

    A move takes from one pile, or k and l from both: as many in Wythoff's game, |k-l| < m in m-Wythoff,
    0 < k <= l < s k + m in Fraenkel's (s,m)-game (1998), from either pile the larger number.
    """
    if len(numbers) > 2:
        raise FibproverError("wythoff takes one number, m, or two, s and m")
    for number in numbers:
        _natural("a number of wythoff", number, 1)
    s, m = (1, *numbers)[-2:] if numbers else (1, 1)
    name = f"wythoff({','.join(map(str, numbers))})"
    if (s, m) == (1, 1):
        return Game.by_vectors(WYTHOFF, name=name)
    return Game.by_vectors(f"i=0 | j=0 | (i>0 & j>0 & i<{s}*j+{m} & j<{s}*i+{m})", name=name)


def terminal(l: int) -> Game:  # noqa: E741
    """K^l (Renard & Rigo): Wythoff's moves, and the positions (a,b) with a+b <= l are terminal."""
    _natural("l", l, 0)
    return Game.by_vectors(WYTHOFF, terminal=f"a+b<={l}", name=f"terminal({l})")


def blocking(k: int) -> Game:
    """W^k (Larsson 2011): Wythoff's moves, and the previous player may forbid k-1 options."""
    _natural("k", k, 1)
    return Game.by_vectors(WYTHOFF, blocked=k - 1, name=f"blocking({k})")


def splithoff(a: int = 1) -> Game:
    """a-Splithoff (Fokkink & Rust 2022, sections 2 and 9).

    A move takes from one pile, or k > 0 and l > 0 from both with |k-l| < a; if that clears a pile, the
    player may split the other one into two.
    """
    _natural("a", a, 1)
    if a == 1:
        both = "p+s=q+r & r<p"
        split = "(p>0 & q=p+r+s) | (q>0 & p=q+r+s)"
    else:
        both = f"r<p & s<q & p+s<q+r+{a} & q+r<p+s+{a}"
        # All p of one pile and l of the other: r+s = q-l, and |p-l| < a.
        split = " | ".join(
            f"({x}>0 & r+s<{y} & {y}<{x}+r+s+{a} & {x}+r+s<{y}+{a})" for x, y in (("p", "q"), ("q", "p"))
        )
    return Game.by_steps(f"{ONE_PILE} | ({both}) | {split}", name=f"splithoff({a})" if a > 1 else "splithoff()")


def _natural(what: str, number: object, least: int) -> None:
    if not isinstance(number, int) or isinstance(number, bool) or number < least:
        raise FibproverError(f"{what} is a number, {least} or more, and not {number!r}")


#: By name: what makes the game, how many numbers it takes at least and at most (None: any), and what it is.
READY: Mapping[str, tuple[Callable[..., Game], int, int | None, str]] = {
    "nim": (nim, 0, None, "take from one pile, any number or one of those given: nim(), nim(1,2,3)"),
    "wythoff": (wythoff, 0, 2, "from one pile or both: wythoff(), wythoff(m), wythoff(s,m)"),
    "terminal": (terminal, 1, 1, "K^l: Wythoff's moves, terminal positions a+b<=l: terminal(3)"),
    "blocking": (blocking, 1, 1, "W^k: Wythoff's moves, k-1 options may be forbidden: blocking(2)"),
    "splithoff": (splithoff, 0, 1, "Wythoff's game in which a cleared pile lets the other be split: splithoff(a)"),
}

CALL = re.compile(r"\s*([a-zA-Z_]\w*)\s*(\(([^()]*)\)\s*)?")


def game_named(text: str) -> Game:
    """The ready-made game a text such as "terminal(7)" names; errors show the place and list what there is."""
    if not isinstance(text, str):
        raise FibproverError(f"the name of a game is a text, as in terminal(7), and not {text!r}")
    examples = f"there are {', '.join(READY)}, as in terminal(7), wythoff(2,3) or splithoff()"
    found = CALL.match(text)
    if found is None:
        raise SyntaxProblem("this names no game", text, 0, len(text), hint=examples)
    name = found[1]
    if name not in READY:
        near = get_close_matches(name, list(READY), n=1)
        hint = f"did you mean {near[0]}?" if near else examples
        raise UnknownName(f"there is no game {name}", text, found.start(1), found.end(1), hint=hint)
    if found.end() < len(text):
        raise SyntaxProblem("this does not belong to the name of a game", text, found.end(), len(text), hint=examples)
    make, least, most, what = READY[name]
    numbers = _numbers(text, found.start(3), found.end(3)) if found[3] and found[3].strip() else []
    if len(numbers) < least or (most is not None and len(numbers) > most):
        wanted = f"{least}" if least == most else f"{least} to {most}"
        raise SyntaxProblem(
            f"{name} takes {wanted} number{'' if most == 1 else 's'}, and here are {len(numbers)}", text,
            found.start(1), found.end(), hint=what,
        )
    try:
        return make(*numbers)
    except TextError:
        raise
    except FibproverError as error:
        raise SyntaxProblem(error.message, text, found.start(3), found.end(3), hint=what) from None


def _numbers(text: str, start: int, end: int) -> list[int]:
    """The numbers between the parentheses of a name."""
    numbers = []
    for piece in re.finditer(r"[^,]*", text[start:end]):
        if piece.start() and text[start + piece.start() - 1] != ",":
            continue
        written = piece[0].strip()
        if not re.fullmatch(r"[0-9]{1,9}", written):
            place = start + piece.start()
            raise SyntaxProblem("this is no natural number", text, place, max(place + 1, start + piece.end()),
                                hint="as in terminal(7)")
        numbers.append(int(written))
    return numbers



# ---- reading
# The game that a text means: the name of a ready-made one, or its moves as a formula.

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
