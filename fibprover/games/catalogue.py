"""Ready-made games, and the game that a text describes: the name of one of these, or moves as a formula."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

from fibprover.base.errors import BudgetSpent, FibproverError, SyntaxProblem, TextError, UnknownName, did_you_mean
from fibprover.games.formulas import read_rule
from fibprover.games.rules import STEPS, Game, Given, additions, form_of
from fibprover.language.builder import variables
from fibprover.language.tree import Formula, Variable, conjunction, disjunction

i, j = variables("i j")

WYTHOFF = i.eq(0) | j.eq(0) | i.eq(j)


def nim(*sizes: int) -> Game:
    """Return Nim on two piles: a move takes counters from one pile, as many as one of the sizes if sizes are given."""
    for size in sizes:
        _natural("a number of counters", size, 1)
    if not sizes:
        return Game.by_vectors(i.eq(0) | j.eq(0), name="nim()")
    taken = sorted(set(sizes))

    def allowed(pile: Variable) -> Formula:
        if taken == list(range(taken[0], taken[-1] + 1)):
            return (pile >= taken[0]) & (pile <= taken[-1])
        return disjunction(pile.eq(size) for size in taken)

    name = f"nim({','.join(map(str, sizes))})"
    return Game.by_vectors((j.eq(0) & allowed(i)) | (i.eq(0) & allowed(j)), name=name)


def nim3() -> Game:
    """Return Nim on three piles: a move takes counters from one pile."""
    k = Variable("k")
    return Game.by_vectors((j.eq(0) & k.eq(0)) | (i.eq(0) & k.eq(0)) | (i.eq(0) & j.eq(0)), name="nim3()")


def tribonacci() -> Game:
    """Return the Tribonacci game, after Duchene and Rigo, "A morphic approach to combinatorial games", 2008.

    The rules could not be compared with the text of the paper.  The P-positions are those of its theorem, as
    proofs/three_piles.py proves.

    A move takes counters from one or two piles; or from all three, none more than the other two together; or the same
    number n from two of them and more than 2n from the third, unless that was the largest pile, or one of those, and is
    now between the other two.
    """
    p, q, r, s, t, u = variables("p q r s t u")
    down = (s <= p) & (t <= q) & (u <= r) & (s + t + u < p + q + r)
    balanced = conjunction([
        s < p, t < q, u < r, p + t + u <= q + r + s, q + s + u <= p + r + t, r + s + t <= p + q + u
    ])
    most = (
        (u < r) & (s < p) & (p + t).eq(q + s) & (r + s + t > p + q + u)
        & ((r < p) | (r < q) | ((u <= s) & (u <= t)) | ((u >= s) & (u >= t)))
        for p, q, r, s, t, u in ((p, q, r, s, t, u), (p, r, q, s, u, t), (q, r, p, t, u, s))
    )
    return Game.by_steps(down & disjunction([p.eq(s), q.eq(t), r.eq(u), balanced, *most]), name="tribonacci()")


def raleigh() -> Game:
    """Return the Raleigh game, after A. S. Fraenkel, "The Raleigh game", Integers 7(2), 2007, A13.

    The rules could not be compared with the text of the paper.  The P-positions are those of its theorem, as
    proofs/three_piles.py proves.

    A move takes counters from one or two piles; or all of them, if two piles are equal; or, from piles 0 < x < y < z,
    the same number n from y and z and any from x, but not n = 3 if what is left of y is a least pile then.
    """
    p, q, r, s, t, u = variables("p q r s t u")
    down = (s <= p) & (t <= q) & (u <= r) & (s + t + u < p + q + r)
    three = (
        conjunction([
            x > 0, x < y, y < z, x1 < x, y1 < y, (y1 + z).eq(z1 + y), (y < y1 + 3) | (y > y1 + 3) | (x1 < y1)
        ])
        for (x, x1), (y, y1), (z, z1) in permutations([(p, s), (q, t), (r, u)])
    )
    clear = s.eq(0) & t.eq(0) & u.eq(0) & (p.eq(q) | q.eq(r) | p.eq(r))
    return Game.by_steps(down & disjunction([p.eq(s), q.eq(t), r.eq(u), clear, *three]), name="raleigh()")


def wythoff(*numbers: int) -> Game:
    """Return Wythoff's game or one of Fraenkel's: `wythoff()`, `wythoff(m)` or `wythoff(s, m)`.

    A move takes any number of counters from one pile, or k from one and l from the other: k = l in Wythoff's game,
    |k-l| < m in m-Wythoff, 0 < k <= l < s k + m in Fraenkel's (s,m)-game (1998).
    """
    if len(numbers) > 2:
        raise FibproverError("wythoff takes one number, m, or two numbers, s and m")
    for number in numbers:
        _natural("an argument of wythoff", number, 1)
    s, m = (1, *numbers)[-2:] if numbers else (1, 1)
    name = f"wythoff({','.join(map(str, numbers))})"
    if (s, m) == (1, 1):
        return Game.by_vectors(WYTHOFF, name=name)
    both = (i > 0) & (j > 0) & (i < s * j + m) & (j < s * i + m)
    return Game.by_vectors(i.eq(0) | j.eq(0) | both, name=name)


def terminal(l: int) -> Game:  # noqa: E741
    """Return K^l (Renard & Rigo): Wythoff's moves; the positions (a,b) with a+b <= l are terminal."""
    _natural("l", l, 0)
    return Game.by_vectors(WYTHOFF, terminal=Variable("a") + Variable("b") <= l, name=f"terminal({l})")


def blocking(k: int) -> Game:
    """Return W^k (Larsson 2011): Wythoff's moves; the previous player may block k-1 options."""
    _natural("k", k, 1)
    return Game.by_vectors(WYTHOFF, blocked=k - 1, name=f"blocking({k})")


def splithoff(a: int = 1) -> Game:
    """Return a-Splithoff (Fokkink & Rust 2022, sections 2 and 9).

    A move takes any number of counters from one pile, or k > 0 and l > 0 from the two with |k-l| < a; a player
    who clears a pile by a move of the second sort may split the other pile into two.
    """
    _natural("a", a, 1)
    p, q, r, s = variables("p q r s")
    one_pile = (p.eq(r) & (s < q)) | (q.eq(s) & (r < p))
    if a == 1:
        both = (p + s).eq(q + r) & (r < p)
        split = [(x > 0) & y.eq(x + r + s) for x, y in ((p, q), (q, p))]
    else:
        both = (r < p) & (s < q) & (p + s < q + r + a) & (q + r < p + s + a)
        # All p of one pile and l of the other: r+s = q-l, and |p-l| < a.
        split = [
            (x > 0) & (r + s < y) & (y < x + r + s + a) & (x + r + s < y + a) for x, y in ((p, q), (q, p))
        ]
    return Game.by_steps(disjunction([one_pile, both, *split]), name=f"splithoff({a})" if a > 1 else "splithoff()")


def queen(k: int, l: int) -> Game:  # noqa: E741
    """Return Wythoff's game in which a move may also take k counters from one pile and l from the other.

    The chess queen of Wythoff's game has a knight's moves besides; queen(1,2) is Maharaja Nim (Larsson and Wastlund,
    arXiv 1207.0765).
    """
    for number in (k, l):
        _natural("an argument of queen", number, 1)
    moves = WYTHOFF | (i.eq(k) & j.eq(l))
    if k != l:
        moves |= i.eq(l) & j.eq(k)
    return Game.by_vectors(moves, name=f"queen({k},{l})")


def mark(d: int) -> Game:
    """Return the sum of two heaps of the game Mark (Fraenkel, "Aperiodic subtraction games", 2011).

    A move takes 1 to d-1 counters from a heap of n, or leaves floor(n/d) of them.
    """
    _natural("d", d, 2)
    p, q, r, s = variables("p q r s")
    one = disjunction(
        same & (((after < before) & (before < after + d))
                | ((d * after <= before) & (before < d * after + d) & (after < before)))
        for same, before, after in ((q.eq(s), p, r), (p.eq(r), q, s))
    )
    return Game.by_steps(one, name=f"mark({d})")


#: By name: the function that makes the game, the least and the greatest number of arguments (None: no bound), and
#: a description.
READY: Mapping[str, tuple[Callable[..., Game], int, int | None, str]] = {
    "nim": (nim, 0, None, "take from one pile, any number or one of those given: nim(), nim(1,2,3)"),
    "wythoff": (wythoff, 0, 2, "from one pile or both: wythoff(), wythoff(m), wythoff(s,m)"),
    "terminal": (terminal, 1, 1, "K^l: Wythoff's moves, terminal positions a+b<=l: terminal(3)"),
    "blocking": (blocking, 1, 1, "W^k: Wythoff's moves, k-1 options may be blocked: blocking(2)"),
    "queen": (queen, 2, 2, "Wythoff's moves, or k counters from one pile and l from the other: queen(2,3)"),
    "mark": (mark, 1, 1, "from one pile of n take 1 to d-1 or leave floor(n/d): mark(2)"),
    "nim3": (nim3, 0, 0, "Nim on three piles: nim3()"),
    "raleigh": (raleigh, 0, 0, "three piles: the game of Fraenkel: raleigh()"),
    "tribonacci": (tribonacci, 0, 0, "three piles: the game of Duchene and Rigo: tribonacci()"),
    "splithoff": (splithoff, 0, 1, "Wythoff's game; clearing a pile by a move on both allows a split: splithoff(a)"),
}

#: Games by the names that papers have for them, such as K^2 and W4.
_IN_PAPERS = re.compile(r"\s*(?P<family>[KW])\s*\^?\s*(?P<number>[0-9]{1,9})\s*")
_FAMILIES = {"K": "terminal", "W": "blocking"}

#: A call such as "terminal(7)": its name, and the arguments with and without the parentheses.
CALL = re.compile(r"\s*([a-zA-Z_]\w*)\s*(\(([^()]*)\)\s*)?")


def game_of(
    text: str | Formula, terminal: Given = "", blocked: int = 0, *, steps: bool = False, misere: bool = False,
    passes: bool = False, by: str = "",
) -> Game:
    """Return the game that a text describes: a name such as "terminal(7)", or moves as a formula, also as a tree.

    A formula in i,j, or in i,j,p,q, says which counters may be taken from (p,q); a formula in p,q,r,s, or any formula
    with `steps`, which steps lead from (p,q) to (r,s).  terminal, blocked, misere, passes, by: as in Game; a ready-made
    game keeps its own.  Errors show the place.
    """
    if passes:
        return game_of(text, terminal, blocked, steps=steps, misere=misere, by=by).with_pass()
    if misere:
        return game_of(text, terminal, blocked, steps=steps, by=by).in_misere_play()
    if not isinstance(text, str | Formula):
        raise FibproverError(f"a game is given by a string, its name or a formula, not by {text!r}")
    if isinstance(text, str):
        if not text.strip():
            raise SyntaxProblem("no game is given", text, 0, 1, hint="as in terminal(7), or i=0 | j=0 | i=j")
        call = CALL.match(text)
        is_call = call is not None and (call.end() == len(text) or call[1] in READY)
        if not steps and not by and (is_call or _IN_PAPERS.fullmatch(text)):
            return _with(game_named(text), terminal, blocked)
    try:
        moves = read_rule(text, "the moves")
    except SyntaxProblem as problem:
        if not problem.hint:
            problem.hint = "moves are a formula in i and j, the counters that are taken, as in i=0 | j=0 | i=j"
        raise
    if steps or by or form_of(moves) == STEPS:
        return Game.by_steps(moves, terminal, blocked, by=by)
    return Game.by_vectors(moves, terminal, blocked)


def as_game(given: object) -> Game:
    """Return a game that is given itself or by a text; raises FibproverError for anything else."""
    if isinstance(given, Game):
        return given
    if isinstance(given, str | Formula):
        return game_of(given)
    for name, (make, *_) in READY.items():
        if given is make:
            raise FibproverError(f"{name} is a function that makes games, not a game", hint=f"call it, as in {name}(2)")
    raise FibproverError(
        f"a game is a fibprover.Game or a text, not {given!r}",
        hint='such as "wythoff()" or "i=0 | j=0"; Game.by_function takes a function',
    )


def game_named(text: str) -> Game:
    """Return the ready-made game that a text such as "terminal(7)" names, or "K^7", as papers write it.

    SyntaxProblem or UnknownName, with the place and the names that exist, for any other text.
    """
    if not isinstance(text, str):
        raise FibproverError(f"the name of a game is a string, as in terminal(7), not {text!r}")
    examples = f"the ready-made games are {', '.join(READY)}, as in terminal(7), wythoff(2,3) or splithoff()"
    called = _IN_PAPERS.fullmatch(text)
    if called is not None:
        return _made(_FAMILIES[called["family"]], [int(called["number"])], text, called.span("number"))
    found = CALL.match(text)
    if found is None:
        raise SyntaxProblem("this is not the name of a game", text, 0, len(text), hint=examples)
    name = found[1]
    if name not in READY:
        hint = did_you_mean(name, list(READY), examples)
        raise UnknownName(f"unknown game {name}", text, found.start(1), found.end(1), hint=hint)
    if found.end() < len(text):
        raise SyntaxProblem("unexpected text after the name of a game", text, found.end(), len(text), hint=examples)
    _, least, most, what = READY[name]
    numbers = _numbers(text, found.start(3), found.end(3)) if found[3] and found[3].strip() else []
    if len(numbers) < least or (most is not None and len(numbers) > most):
        wanted = f"{least}" if least == most else f"{least} to {most}"
        raise SyntaxProblem(
            f"{name} takes {wanted} number{'' if most == 1 else 's'}, not {len(numbers)}", text,
            found.start(1), found.end(), hint=what,
        )
    return _made(name, numbers, text, found.span(3))


def _made(name: str, numbers: Sequence[int], text: str, place: tuple[int, int]) -> Game:
    """Return a ready-made game; place: where the numbers stand in the text, for errors."""
    make, _, _, what = READY[name]
    try:
        return make(*numbers)
    except (TextError, BudgetSpent):
        raise
    except FibproverError as error:
        raise SyntaxProblem(error.message, text, *place, hint=what) from None


def _numbers(text: str, start: int, end: int) -> list[int]:
    """Return the numbers between the parentheses of a call."""
    numbers, place = [], start
    for piece in text[start:end].split(","):
        if not re.fullmatch(r"[0-9]{1,9}", piece.strip()):
            ending = max(place + 1, place + len(piece))
            raise SyntaxProblem("this is not a natural number", text, place, ending, hint="as in terminal(7)")
        numbers.append(int(piece))
        place += len(piece) + 1
    return numbers


def _with(game: Game, terminal: Given, blocked: int) -> Game:
    """Return a ready-made game with additional rules; FibproverError if they would replace rules of its own."""
    if terminal == "" and not blocked:
        return game
    own = (("terminal positions", terminal != "", game.terminal), ("blocked options", blocked, game.blocked))
    for word, new, known in own:
        if new and known:
            raise FibproverError(f"{game.name} already has {word} of its own", hint="give the moves as a formula")
    name = "; ".join([game.name, *additions(terminal, blocked, misere=False)])
    rules: dict[str, Any] = {} if terminal == "" else {"terminal": terminal}
    return replace(game, name=name, blocked=blocked or game.blocked, **rules)


def _natural(what: str, number: object, least: int) -> None:
    """Raise FibproverError unless an argument is an integer of at least `least`."""
    if not isinstance(number, int) or isinstance(number, bool) or number < least:
        raise FibproverError(f"{what} must be an integer of at least {least}, not {number!r}")
