"""Relations over a family of numeration systems: what they say of a parameter of which only beginnings are read.

One track, the parameter, holds the beginning of an infinite word (the partial quotients of a slope), most significant
position first; the others hold numbers that the beginning is long enough for.  A relation R(alpha, n) of infinite
alpha is a language L of pairs (p, n), for beginnings p of alpha, that is right in the limit: for all alpha and n, all
beginnings p but finitely many have (p, n) in L if R(alpha, n) holds, and none but finitely many if not.  Conjunction,
disjunction and difference may be taken of such languages as of any; the truth may change finitely often as p grows.

A projection may not: for each p another witness, at the end of p, might be in L too early.  It is right

- if L is closed under longer beginnings (`settled` is L), so that a witness stays one;
- if the witnesses are bounded by the other numbers (`is_bounded`), so that there are finitely many.

Otherwise L is replaced by its part that is closed under longer beginnings, if that has the same limit: R is then open
for each n.  If not, the quantifier leaves what this can express, and is refused.  A difference A - B stays closed under
longer beginnings if B is closed under shorter ones (`possible`), which replaces B where the limit is the same.

Both tests look for a cycle through whole blocks in front of a word: only then an infinite parameter can have infinitely
many of the beginnings that were lost or added, since an automaton in which such a part is longer than it has states
repeats one.  So a limit may be taken for another one where it is the same, and a formula be refused; not conversely.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, frozen
from fibprover.base.errors import FibproverError
from fibprover.base.limits import UNLIMITED, Budget, poll
from fibprover.base.names import PARAMETER, is_slope

#: The digit of a slope that begins a block; choices are blocks of one digit, and each but 0 begins one.
MARK = 2

_CHOICE = "choice"


class LeavesClass(FibproverError):
    """A quantifier that looks at all of the parameter: no beginning settles what it says of some numbers.

    label: the text of the part of the formula, once it is known.
    """

    label: str = ""


def marks(track: Track) -> frozenset[int]:
    """Return the digits of a parameter that begin a block."""
    return frozenset({MARK}) if is_slope(track.system) else frozenset(track.digits) - {0}


def digits_within(track: Track) -> frozenset[int]:
    """Return the digits of a parameter after the first one."""
    return frozenset(track.digits) if is_slope(track.system) else frozenset(track.digits) - {0}


def is_parametric(a: Dfa) -> bool:
    """Return whether an automaton has the track of a parameter."""
    return bool(a.tracks) and any(track.name == PARAMETER for track in a.tracks)


def is_local(a: Dfa) -> bool:
    """Return whether a beginning that the numbers need says all: longer and shorter ones are in a minimal relation."""
    if kernel_calls.is_empty(a):
        return True
    after = _after_blocks(a)
    first = _marked_row(a, 0)
    return after is not None and all(_marked_row(a, state) == first for state in after)


def possible(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return the tuples of which a longer beginning of the parameter is in a, or the same; minimal."""
    targets: dict[int, list[int]] = {}
    for state in [0, *(_after_blocks(a, complete=False) or ())]:
        for code, target in _marked_row(a, state):
            if target not in targets.setdefault(code, []):
                targets[code].append(target)
    choices = max(2, max(map(len, targets.values()), default=0))
    zero = a.zero_code
    first = {} if zero is None else {zero * choices: 0}
    for code, found in targets.items():
        first |= {code * choices + choice: target + 1 for choice, target in enumerate(found)}
    widened = _entered(a, first, choices)
    tracks = (*a.tracks, Track(_CHOICE, tuple(range(choices))))
    chosen = Dfa(tracks, widened.offsets, widened.codes, widened.targets, widened.outputs)
    return kernel_calls.minimize(kernel_calls.project(chosen, [_CHOICE], budget), budget)


def settled(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return the tuples of a that are in a with every longer beginning of the parameter as well; minimal."""
    after = _after_blocks(a)
    if after is None:
        return kernel_calls.minimize(Dfa(a.tracks, *_nothing()), budget)
    rows = {tuple(_marked_row(a, state)) for state in after} - {tuple(_marked_row(a, 0))}
    found = a
    for row in sorted(rows):
        zero = a.zero_code
        first = {} if zero is None else {zero: 0}
        first |= {code: target + 1 for code, target in row}
        found = kernel_calls.minimize(kernel_calls.join(found, _entered(a, first, 1), budget), budget)
    if found.names != a.names:
        found = kernel_calls.reorder(found, a.names, budget)
    return found


def projectable(a: Dfa, names: Collection[str], budget: Budget = UNLIMITED) -> Dfa:
    """Return a relation with the limit of a whose projection, without the named tracks, has the projected limit.

    a: minimal.  Raises LeavesClass if there is none.
    """
    if not is_parametric(a) or is_local(a) or is_bounded(a, names):
        return a
    kept = settled(a, budget)
    if kept.same_arrays(a):
        return a
    if is_endless(kernel_calls.difference(a, kept, budget)):
        raise LeavesClass("no beginning of a slope settles what this says")
    return kept


def subtrahend(b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return a relation with the limit of b, closed under shorter beginnings if there is one; b: minimal."""
    if not is_parametric(b) or is_local(b):
        return b
    shorter = possible(b, budget)
    if shorter.same_arrays(b) or is_endless(kernel_calls.difference(shorter, b, budget)):
        return b
    return shorter


def same_limit(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> bool:
    """Return whether two relations over the same tracks are seen to have the same limit."""
    return not any(is_endless(kernel_calls.difference(*pair, budget)) for pair in ((a, b), (b, a)))


def has_limit(a: Dfa, budget: Budget = UNLIMITED) -> bool:
    """Return whether a relation has a limit: for all parameters and numbers, all beginnings but finitely many agree.

    Read from the first block on, the beginnings of one parameter stay, after the numbers, in one component of the
    automaton in the end; so its states after blocks have to agree.
    """
    back, reached = _backward(a, budget)
    ends = reached.keys()
    return not any(
        back.outputs[one] != back.outputs[other] and one in reached[other]
        for one in ends for other in reached[one] & ends
    )


def recurs(a: Dfa, budget: Budget = UNLIMITED) -> bool:
    """Return whether some parameter has infinitely many beginnings that are in a with some numbers; see `has_limit`."""
    back, reached = _backward(a, budget)
    letters = _zero_codes(back, ())
    return any(
        back.outputs[end] and any(back.successor(state, code) == end for state in reached[end] for code, mark in letters
                                  if mark)
        for end in reached
    )


def _backward(a: Dfa, budget: Budget) -> tuple[Dfa, dict[int, set[int]]]:
    """Return an automaton that reads words of a from their end, and what states after blocks lead to beside zeros."""
    back = kernel_calls.minimize(kernel_calls.reverse(a, budget), budget)
    letters = _zero_codes(back, ())
    marked = [code for code, mark in letters if mark]
    after = {back.successor(state, code) for state in range(back.states) for code in marked} - {None}
    return back, {state: _reached(back, [state], letters) for state in after if state is not None}


def is_endless(a: Dfa) -> bool:
    """Return whether infinitely long beginnings have a word of a after them: a cycle through a block is in front."""
    a = kernel_calls.trim(a)
    if kernel_calls.is_empty(a):
        return False
    zeros = _zero_codes(a, ())
    return _has_marked_cycle(a, [0], zeros)


def is_bounded(a: Dfa, names: Collection[str]) -> bool:
    """Return whether the named numbers have boundedly many blocks more than the other numbers; a: trim."""
    others = [track.name for track in a.tracks if track.name not in names and track.name != PARAMETER]
    if not others or set(names) >= set(a.names) - {PARAMETER}:
        return False
    zeros = _zero_codes(a, ())
    free = _zero_codes(a, names)
    begun = [(code, mark) for code, mark in free if (code, mark) not in set(zeros)]
    in_front = _reached(a, [0], zeros)
    entered = {target for state in in_front for code, _ in begun if (target := a.successor(state, code)) is not None}
    return not _has_marked_cycle(a, entered, free)


def _zero_codes(a: Dfa, free: Collection[str]) -> list[tuple[int, bool]]:
    """Return the letters whose numbers are 0, but for those of free tracks; each with whether it begins a block."""
    codes = [(0, False)]
    for track in a.tracks:
        digits: Iterable[int] = range(len(track.digits))
        if track.name != PARAMETER and track.name not in free:
            digits = (track.digits.index(0),)
        begins = marks(track) if track.name == PARAMETER else frozenset[int]()
        codes = [
            (code * len(track.digits) + digit, mark or digit in begins) for code, mark in codes for digit in digits
        ]
    return codes


def _after_blocks(a: Dfa, *, complete: bool = True) -> list[int] | None:
    """Return the states after blocks of the parameter with all numbers 0.

    complete: return None if some block leads nowhere.
    """
    marked = [code for code, mark in _zero_codes(a, ()) if mark]
    # Where each digit begins a block, there is no other one after the first.
    slope = is_slope(_parameter(a).system)
    every = [code for code, _ in _zero_codes(a, ())] if slope else marked
    found: set[int] = set()
    todo = [(0, code) for code in marked]
    while todo:
        poll("the beginnings of slopes")
        target = a.successor(*todo.pop())
        if target is None:
            if complete:
                return None
        elif target not in found:
            found.add(target)
            todo.extend((target, code) for code in every)
    return sorted(found)


def _marked_row(a: Dfa, state: int) -> list[tuple[int, int]]:
    """Return the transitions of a state whose letters begin a block."""
    weight = 1
    for track in reversed(a.tracks):
        if track.name == PARAMETER:
            break
        weight *= len(track.digits)
    size, begins = len(track.digits), marks(track)
    return [(code, target) for code, target in a.row(state) if code // weight % size in begins]


def _parameter(a: Dfa) -> Track:
    """Return the track of the parameter."""
    return next(track for track in a.tracks if track.name == PARAMETER)


def _entered(a: Dfa, first: dict[int, int], choices: int) -> Dfa:
    """Return a with a new initial state that has these transitions; codes become those of a further last track.

    The states of a are numbered from 1; the tracks of the result are to be replaced if there are choices.
    """
    offsets = array("q", [0, *(offset + len(first) for offset in a.offsets)])
    codes = array("q", sorted(first))
    targets = array("i", (first[code] for code in codes))
    codes.extend(a.codes if choices == 1 else (code * choices for code in a.codes))
    targets.extend(target + 1 for target in a.targets)
    return Dfa(a.tracks, frozen(offsets), frozen(codes), frozen(targets), frozen(array("i", [0, *a.outputs])))


def _nothing() -> tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int]]:
    """Return the arrays of an automaton that accepts nothing."""
    return frozen(array("q", [0, 0])), frozen(array("q")), frozen(array("i")), frozen(array("i", [0]))


def _reached(a: Dfa, starts: Iterable[int], letters: Collection[tuple[int, bool]]) -> set[int]:
    """Return the states that these letters lead to from the starts, which are among them."""
    found = set(starts)
    todo = list(found)
    while todo:
        poll("the beginnings of slopes")
        state = todo.pop()
        for code, _ in letters:
            target = a.successor(state, code)
            if target is not None and target not in found:
                found.add(target)
                todo.append(target)
    return found


def _has_marked_cycle(a: Dfa, starts: Iterable[int], letters: Collection[tuple[int, bool]]) -> bool:
    """Return whether the starts lead, by these letters, to a cycle in which a block begins."""
    marked = [code for code, mark in letters if mark]
    reached = _reached(a, starts, letters)
    return any(
        (target := a.successor(state, code)) is not None and state in _reached(a, [target], letters)
        for state in reached
        for code in marked
    )
