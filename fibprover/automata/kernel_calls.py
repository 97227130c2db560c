"""The kernels of the backend in use in terms of automata and tracks; all but those that infer automata are called here.

Every function that returns a Dfa returns a new one, and takes a budget as its last argument.  The results of products
and projections are reachable but not minimal; `minimize` makes them canonical.  Functions that answer a question build
no automaton.  A spent budget raises BudgetSpent, a size that no budget could allow LimitError, and automata that do not
fit together AutomatonError; any other exception is an internal error.  `tests.oracle.kernels` implements every
kernel again, slowly and in plain Python.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice, pairwise
from math import prod
from typing import TypeAlias

from fibprover.automata import backward, determinization
from fibprover.automata.dfa import Dfa, Track, build, check_tracks
from fibprover.automata.kernels import automata as backend
from fibprover.base.errors import AutomatonError, BudgetSpent, LimitError
from fibprover.base.limits import UNBOUNDED, UNLIMITED, Budget, effective, polled
from fibprover.base.limits import resident_bytes as resident_bytes
from fibprover.base.threads import allowed_threads

Recurrence: TypeAlias = backend.Recurrence

#: Steps of a kernel that can be interrupted, at a time.
_STEPS = 1 << 24

#: A word as the digits of each track, by its name; all in step.
Digits: TypeAlias = "dict[str, tuple[int, ...]]"


# Canonical form

def minimize(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return the canonical automaton of the language: minimal, trim, states numbered breadth first.

    Outputs become 0 and 1.  O(m log n) time for m transitions of n states, whatever their depth, sorting
    aside; Takes at most about 24 bytes a state and 12 a transition besides the argument, the result included.  The
    result of a canonical automaton shares its arrays.
    """
    with metered(budget, "a minimal automaton") as meter:
        arrays = backend.minimize(csr(a), True, meter)
    return Dfa(a.tracks, *arrays)


def renumber(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return what `minimize` would of an automaton that is minimal and trim already.  O(states + transitions).

    Such are the results of `minimize` after `reorder`: only the numbers of the states are others.
    """
    with metered(budget, "a minimal automaton") as meter:
        arrays = backend.renumber(csr(a), meter)
    return Dfa(a.tracks, *arrays)


def minimize_outputs(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Minimize a word automaton: like `minimize`, but keep all outputs, and remove only unreachable states."""
    with metered(budget, "a minimal automaton") as meter:
        arrays = backend.minimize(csr(a), False, meter)
    return Dfa(a.tracks, *arrays)


def trim(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Remove the states that no word reaches or that lead to no acceptance.  O(states + transitions)."""
    with metered(budget, "a trim automaton") as meter:
        return trimmed(a, meter)


def reorder(a: Dfa, names: Sequence[str], budget: Budget = UNLIMITED) -> Dfa:
    """Return the automaton with its tracks in the order of `names`.  O(m log d) for m transitions and rows of d."""
    by_name = {track.name: track for track in a.tracks}
    if sorted(names) != sorted(by_name):
        raise AutomatonError(f"the tracks {track_names(a)} cannot be put in the order {', '.join(names)}")
    tracks = tuple(by_name[name] for name in names)
    with metered(budget, "a reordering") as meter:
        arrays = backend.reorder(csr(a), recode(a, tracks, meter), meter)
    return Dfa(tracks, *arrays)


def reverse(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return a deterministic automaton of the reversed words of a.  Exponential at worst."""
    with metered(budget, "a reversal") as meter:
        back = nfa((trimmed(a, meter),), a.tracks, -1, meter).reversed(meter)
        arrays = determinization.determinize(back, a.letters, meter)
    return Dfa(a.tracks, *arrays)


def reverse_outputs(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return a deterministic automaton that gives for each reversed word the output of the word; not minimal.

    Its states are the maps that take each state of a to the output after the letters read so far in reverse, as sets
    of pairs of a state and an output: those are what one subset construction meets in the reversals of a copy of a for
    each output.  Raises AutomatonError where a has no output for a word, and one for a longer word that ends with it.
    """
    copies = [a.with_outputs(output == value for output in a.outputs) for value in sorted(set(a.outputs))]
    with metered(budget, "a reversal") as meter, determinization.forced("subsets"):
        back = nfa(copies, a.tracks, -1, meter).reversed(meter)
        maps = Dfa(a.tracks, *determinization.determinize(back, a.letters, meter))
    outputs = [a.output(reversed(word)) for word in polled(_words_to_states(maps), "a reversal")]
    if None in outputs:
        raise AutomatonError("a word that is undefined at some indices cannot be read backwards")
    return maps.with_outputs(output for output in outputs if output is not None)


def _words_to_states(a: Dfa) -> Iterator[list[int]]:
    """Yield for each state of an automaton that is numbered breadth first the codes of a word that leads to it."""
    entered = [(0, 0)]
    for state in range(a.states):
        if len(entered) == a.states:
            break
        for code, target in a.row(state):
            if target == len(entered):
                entered.append((state, code))
    for state in range(a.states):
        word = []
        while state:
            state, code = entered[state]
            word.append(code)
        yield word[::-1]


def close_zeros(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Accept the words of a with any number of zero letters added to or removed from the front.

    Every track must have a numeration system.  Uses a subset construction, like `project`.
    """
    zero = a.zero_code
    if zero is None:
        raise AutomatonError("zeros can be closed only where every track has a numeration system")
    with metered(budget, "a zero closure") as meter:
        return deterministic((trimmed(a, meter),), a.tracks, zero, meter)


# Boolean operations

def join(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return the conjunction: the words whose part on a's tracks is in a, and whose part on b's tracks is in b.

    Tracks of the same name are one track and must have the same digits and the same system.  The result's tracks
    are sorted by name.  O(t log d) for t transitions of the result and rows of at most d.
    """
    tracks = merged_tracks(a, b)
    shared = tuple(track for track in a.tracks if track in b.tracks)
    with metered(budget, "a conjunction") as meter:
        arrays = backend.join(
            csr(a),
            csr(b),
            recode(a, shared, meter),
            recode(a, tracks, meter),
            recode(b, shared, meter),
            recode(b, tracks, meter, without=shared),
            meter,
        )
    return Dfa(tracks, *arrays)


def union(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return the disjunction of two automata over the same tracks, which may come in any order.

    The result's tracks are sorted by name.  O(t log d), as for `join`.
    """
    return _sum_outputs(a, b, 1, "a disjunction", budget)


def sums(a: Dfa, b: Dfa, most: int, budget: Budget = UNLIMITED) -> Dfa:
    """Add the outputs of two automata over the same tracks, capped at `most` >= 1; rejection counts as 0.

    Outputs must not be negative.  Tracks and cost as for `union`; neither trim nor minimal.
    """
    return _sum_outputs(a, b, most, "a sum of counts", budget)


def _sum_outputs(a: Dfa, b: Dfa, most: int, during: str, budget: Budget) -> Dfa:
    tracks = merged_tracks(a, b)
    if len(tracks) != len(a.tracks) or len(tracks) != len(b.tracks):
        raise AutomatonError(f"{during} needs the same tracks on both sides: {track_names(a)} and {track_names(b)}")
    with metered(budget, during) as meter:
        codes = recode(a, tracks, meter), recode(b, tracks, meter)
        arrays = backend.union(csr(a), csr(b), *codes, checked_integer(most, "the cap", 32), meter)
    return Dfa(tracks, *arrays)


def difference(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return the words of a whose part on b's tracks is not in b; b's tracks must be among a's.

    The result's tracks are sorted by name.  O(t log d), as for `join`.
    """
    tracks = difference_tracks(a, b.tracks)
    with metered(budget, "a difference") as meter:
        arrays = backend.difference(
            csr(a),
            csr(b),
            recode(a, b.tracks, meter),
            recode(a, tracks, meter),
            recode(b, b.tracks, meter),
            meter,
        )
    return Dfa(tracks, *arrays)


def guarded_difference(a: Dfa, b: Dfa, quantified: Collection[str], budget: Budget = UNLIMITED) -> Dfa:
    """Return a & ~(exists quantified . b); the subset construction of b follows only letters that a allows.

    b's tracks that are not quantified must be among a's.  Same language as
    difference(a, project(b, quantified)).  The result's tracks are sorted by name.
    """
    kept = kept_tracks(b, quantified)
    tracks = difference_tracks(a, kept)
    if not kept:
        # Without tracks the projection is TRUE or FALSE, whatever the lengths of b's words.
        return difference(a, truth(not is_empty(b)), budget)
    zero = kept_zero(kept)
    with metered(budget, "a guarded difference") as meter:
        # Sets that differ only in states without an accepting continuation would count as different.
        a, b = trimmed(a, meter), trimmed(b, meter)
        arrays = backend.guarded_difference(
            csr(a),
            csr(b),
            recode(a, kept, meter),
            recode(a, tracks, meter),
            recode(b, kept, meter),
            zero,
            meter,
        )
    return Dfa(tracks, *arrays)


# Quantifiers

def project(a: Dfa, quantified: Collection[str], budget: Budget = UNLIMITED) -> Dfa:
    """Project the quantified tracks away (exists quantified . a), by subset construction.

    If all tracks that are kept hold numbers, the result is closed under leading zeros, so that witnesses may be
    longer than the other numbers.  If all tracks are quantified, the result is TRUE or FALSE, without tracks.
    Exponential at worst; O(log(subset size)) for each transition collected.
    """
    kept = kept_tracks(a, quantified)
    if not kept:
        return truth(not is_empty(a))
    zero = kept_zero(kept)
    with metered(budget, "a projection") as meter:
        return deterministic((trimmed(a, meter),), kept, zero, meter)


def simulating(a: Dfa, quantified: Collection[str], budget: Budget = UNLIMITED) -> Callable[[int], int]:
    """Return a function of a state of a canonical automaton: the other states that simulate it, as bits of a number.

    Without the quantified tracks, they accept all words that it accepts.  Of states that simulate each other, the
    first one counts as the one that simulates the others.  A bit for each pair of states.
    """
    kept = kept_tracks(a, quantified)
    with metered(budget, "a simulation") as meter:
        # Without a new state that stands for what zeros reach: then each state is reached, and its transitions count.
        relation = backend.Simulation(nfa((a,), kept, -1, meter), meter)
        complete = False
        while not complete:
            complete = relation.run(_STEPS)
    return lambda state: int.from_bytes(relation.simulating(state), "little")


def determinize(
    tracks: Sequence[Track],
    moves: Sequence[Collection[tuple[int, int]]],
    outputs: Sequence[int],
    budget: Budget = UNLIMITED,
) -> Dfa:
    """Return the subset automaton of a nondeterministic one with initial state 0, as a language over letters.

    moves: distinct pairs (letter code over `tracks`, target), one collection a state.  Leading zeros are not closed.
    """
    rows: list[dict[tuple[int, int], int]] = []
    for row in moves:
        choices: dict[int, int] = {}
        numbered: dict[tuple[int, int], int] = {}
        for code, target in sorted(row):
            choice = choices.get(code, 0)
            numbered[code, choice] = target
            choices[code] = choice + 1
        rows.append(numbered)
    most = 1 + max((choice for row in rows for _, choice in row), default=0)
    # With the choice of a move as a track of its own the automaton is deterministic, and that track is projected away.
    names = sorted(track.name for track in tracks)
    choice_track = Track("".join(names) + "~", tuple(range(most)))
    coded = [{code * most + choice: target for (code, choice), target in row.items()} for row in rows]
    with metered(budget, "a regular expression") as meter:
        a = trimmed(build((*tracks, choice_track), coded, outputs), meter)
        return deterministic((a,), tuple(tracks), -1, meter)


def project_union(automata: Sequence[Dfa], quantified: Collection[str], budget: Budget = UNLIMITED) -> Dfa:
    """Return exists quantified . a1 | a2 | ..., by one subset construction over the disjoint union of the automata.

    automata: at least one; apart from the quantified tracks all have the same tracks, in any order, and each
    quantified track is a track of at least one of them.  Leading zeros are treated as in `project`, even if
    nothing is quantified.  The result's tracks are sorted by name.
    """
    kept = union_tracks(automata, quantified)
    if not kept:
        return truth(not all(is_empty(a) for a in automata))
    with metered(budget, "a projection of a disjunction") as meter:
        # Automata that accept nothing would only make the sets larger.
        parts = [part for part in (trimmed(a, meter) for a in automata) if part.transitions or part.outputs[0]]
        if not parts:
            return build(kept, [{}], [0])
        return deterministic(parts, kept, kept_zero(kept), meter)


def at_least(a: Dfa, quantified: Collection[str], count: int, budget: Budget = UNLIMITED) -> Dfa:
    """Return the words over the kept tracks whose preimages in a have outputs that add up to at least `count`.

    a: a relation (outputs 1), or a result of `counts`; if all kept tracks hold numbers, it must be closed
    under leading zeros, with a loop on the zero letter at state 0 (as canonical relations are), so that
    each tuple of values is one run.  count: at least 1.  At least one track must be kept.  Exponential in
    states * log(count) at worst.
    """
    return _counted(a, quantified, count, budget, exactly=False)


def counts(a: Dfa, quantified: Collection[str], most: int, budget: Budget = UNLIMITED) -> Dfa:
    """Return an automaton whose outputs are the sums that `at_least` compares, capped at `most`.  Not minimal."""
    return _counted(a, quantified, most, budget, exactly=True)


def _counted(a: Dfa, quantified: Collection[str], count: int, budget: Budget, *, exactly: bool) -> Dfa:
    kept = kept_tracks(a, quantified)
    if not kept:
        raise AutomatonError("a track has to remain beside those that are counted")
    zero = kept_zero(kept)
    with metered(budget, "a count") as meter:
        a = trimmed(a, meter)
        if is_empty(a):
            return build(kept, [{}], [0])
        if zero >= 0 and (a.zero_code is None or a.successor(0, a.zero_code) != 0):
            raise AutomatonError("runs are counted only of relations closed under leading zeros")
        cap = checked_integer(count, "the count")
        arrays = backend.count_runs(csr(a), recode(a, kept, meter), zero, cap, exactly, meter)
    return Dfa(kept, *arrays)


# Linear atoms

def linear_atom(
    valid: Dfa,
    coefficients: Sequence[int],
    relation: str,
    constant: int,
    recurrence: Recurrence,
    budget: Budget = UNLIMITED,
    *,
    extent: int = 0,
) -> Dfa:
    """Return sum c_i x_i RELATION constant inside valid^k; RELATION is =, != or <; the tracks are "0", "1", ...

    valid: the representations, over a digit, or over (phase, digit) where the recurrence has several phases: then
    the phase is also the first track of the result; extent: = and != compare with all numbers from the constant to
    constant + extent.  The result is not minimal.
    """
    *phase, track = valid.tracks
    tracks = (*phase, *(track._replace(name=str(index)) for index in range(len(coefficients))))
    with metered(budget, "a linear atom") as meter:
        atom = linear_constraint(track, coefficients, relation, constant, extent)
        arrays = backend.linear_atom(csr(valid), *atom, recurrence, meter)
    return Dfa(tracks, *arrays)


def join_linear(
    a: Dfa,
    valid: Dfa,
    coefficients: Sequence[int],
    relation: str,
    constant: int,
    recurrence: Recurrence,
    names: Sequence[str],
    budget: Budget = UNLIMITED,
) -> Dfa:
    """Return a & sum c_i names_i RELATION constant, without building the atom; RELATION is =, != or <.

    valid, recurrence: as for `linear_atom`, with one phase; names: distinct tracks of a, one a coefficient, which
    hold valid representations in every word of a.  The result's tracks are sorted by name.
    O(t log d) for t transitions of the result and rows of at most d, as for `join`.
    """
    (track,) = valid.tracks
    tracks = linear_tracks(a, track, coefficients, names)
    with metered(budget, "a conjunction with a linear atom") as meter:
        atom = linear_constraint(track, coefficients, relation, constant)
        weight = weighted_sum(a, dict(zip(names, coefficients, strict=True)), meter)
        arrays = backend.join_linear(csr(a), weight, recode(a, tracks, meter), *atom, recurrence, meter)
    return Dfa(tracks, *arrays)


def join_congruence(
    a: Dfa,
    coefficients: Sequence[int],
    modulus: int,
    residue: int,
    recurrence: Recurrence,
    names: Sequence[str],
    budget: Budget = UNLIMITED,
) -> Dfa:
    """Return the tuples of a for which sum c_i names_i is congruent to the residue; not minimal in general.

    recurrence: with one phase; names: distinct tracks of a, one a coefficient, which hold valid representations in
    every word of a; 0 <= residue < modulus.  The tracks are those of a, and the states are numbered breadth first: if
    no two of them are equivalent, and a is trim, the result is canonical.
    """
    holds = [track for track in a.tracks if track.name in names]
    if not holds:
        raise AutomatonError(f"a congruence needs a track of {track_names(a)}")
    linear_tracks(a, holds[0], coefficients, names)
    checked_integer(modulus, "the modulus of a congruence")
    with metered(budget, "a conjunction with a congruence") as meter:
        weight = weighted_sum(a, {name: c % modulus for name, c in zip(names, coefficients, strict=True)}, meter)
        arrays = backend.join_congruence(csr(a), weight, modulus, residue, recurrence, meter)
    return Dfa(a.tracks, *arrays)


def numbered_words(a: Dfa, marks: bytes | bytearray, length: int, budget: Budget = UNLIMITED) -> Dfa:
    """Return the words of a of a length whose numbers in lexicographic order, from 0, are marked by other bytes than 0.

    The result is the minimal automaton of these words, not closed under leading zeros.  O(len(marks)) words are listed.
    """
    with metered(budget, "the automaton of a set of numbers") as meter:
        arrays = backend.numbered_words(csr(a), marks, length, meter)
    return Dfa(a.tracks, *arrays)


# Questions

def is_empty(a: Dfa) -> bool:
    """Return whether a accepts no word.  O(states + transitions)."""
    with metered(UNLIMITED, "a test for emptiness") as meter:
        return backend.is_empty(csr(a if a.backward is None else a.backward), meter)


def join_is_empty(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> bool:
    """Return whether join(a, b) accepts nothing."""
    return join_word(a, b, budget) is None


def join_word(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Digits | None:
    """Return a shortest word of join(a, b): searches pairs of states until one accepts, and keeps no transitions.

    Tracks as for `join`.  At most as many steps as `join`; about 40 bytes a pair.
    """
    merged_tracks(a, b)
    shared = tuple(track for track in a.tracks if track in b.tracks)
    with metered(budget, "a test for a common word") as meter:
        keys = recode(a, shared, meter), recode(b, shared, meter)
        word = backend.join_word(csr(a), csr(b), *keys, meter)
    if word is None:
        return None
    return digits_of(a, [code for code, _ in word]) | digits_of(b, [code for _, code in word])


def difference_is_empty(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> bool:
    """Return whether every word of a is, on b's tracks, one of b: whether difference(a, b) accepts nothing."""
    return difference_word(a, b, budget) is None


def difference_word(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Digits | None:
    """Return a word of difference(a, b), None without one.

    Tracks as for `difference`.  Stops at the first pair of states of which a accepts and b does not; costs as
    much as `join_word`.
    """
    difference_tracks(a, b.tracks)
    with metered(budget, "a test for inclusion") as meter:
        # A prefix that b cannot read is a counterexample only if a can complete it.
        a, b = trimmed(a, meter), trimmed(b, meter)
        keys = recode(a, b.tracks, meter), recode(b, b.tracks, meter)
        word = backend.difference_word(csr(a), csr(b), *keys, meter)
    return None if word is None else digits_of(a, word)


def guarded_difference_word(
    a: Dfa, b: Dfa, quantified: Collection[str], budget: Budget = UNLIMITED
) -> Digits | None:
    """Return a word of guarded_difference(a, b, quantified), None without one.

    Tracks as for `guarded_difference`, whose sets of states are searched until one accepts.
    """
    kept = kept_tracks(b, quantified)
    difference_tracks(a, kept)
    if not kept:
        return difference_word(a, truth(not is_empty(b)), budget)
    zero = kept_zero(kept)
    with metered(budget, "a test for guarded inclusion") as meter:
        a, b = trimmed(a, meter), trimmed(b, meter)
        keys = recode(a, kept, meter), recode(b, kept, meter)
        word = backend.guarded_difference_word(csr(a), csr(b), *keys, zero, meter)
    return None if word is None else digits_of(a, word)


def join_linear_is_empty(
    a: Dfa,
    valid: Dfa,
    coefficients: Sequence[int],
    relation: str,
    constant: int,
    recurrence: Recurrence,
    names: Sequence[str],
    budget: Budget = UNLIMITED,
) -> bool:
    """Return whether no tuple of a satisfies a linear constraint; arguments as for `join_linear`.  Stops at the first
    one.
    """
    (track,) = valid.tracks
    linear_tracks(a, track, coefficients, names)
    with metered(budget, "a test of a linear atom") as meter:
        atom = linear_constraint(track, coefficients, relation, constant)
        weight = weighted_sum(a, dict(zip(names, coefficients, strict=True)), meter)
        return backend.join_linear_is_empty(csr(a), weight, *atom, recurrence, meter)


def is_finite(a: Dfa) -> bool:
    """Return whether only finitely many words do not begin with the zero letter (plain tracks: finitely many words)."""
    zero = zero_code(a)
    if a.backward is not None:
        a, zero = (a.backward if zero < 0 else backward.without_last(a.backward, zero)), -1
    with metered(UNLIMITED, "a test for finiteness") as meter:
        return backend.is_finite(csr(a), zero, meter)


def shortest(a: Dfa) -> tuple[int, ...] | None:
    """Return the letter codes of the first word by length, then letter order; None if there is no word."""
    if a.backward is not None:
        return None if is_empty(a) else next(backward.words(a.backward, None, None))
    with metered(UNLIMITED, "a shortest word") as meter:
        return backend.shortest_word(csr(a), meter)


def shortest_digits(a: Dfa) -> Digits | None:
    """Return the word of `shortest` as the digits of each track."""
    codes = shortest(a)
    return None if codes is None else digits_of(a, codes)


def words(a: Dfa, count: int, budget: Budget = UNLIMITED) -> list[tuple[int, ...]]:
    """Return the first `count` words by length, then letter order, that do not begin with the zero letter.

    Plain tracks: the first of all words.  O(transitions) for each length up to that of the longest word.
    """
    stream = WordStream(a, budget)
    found: list[tuple[int, ...]] = []
    while len(found) < count and (more := stream.words(min(count - len(found), UNBOUNDED))):
        found += more
    return found


class WordStream:
    """The words that do not begin with the zero letter (plain tracks: all words), by length, then letter order.

    weights: for each track the value of the digit with index 1 at the last place, the last but one, ..., for equally
    many places; no word of so many digits may have a value of 2^63 or more.  Each call goes on where the one before it
    has ended, and may use what is left of the budget; after an error there is nothing to go on with.
    """

    def __init__(self, a: Dfa, budget: Budget = UNLIMITED, weights: Sequence[Sequence[int]] = ()) -> None:
        self.budget = budget
        #: The words of an automaton that is known by the reversed words are not listed by the kernel.
        self._reversed = None if a.backward is None else backward.words(
            a.backward, a.zero_code, 2 * a.backward.states if is_finite(a) else None, budget
        )
        if self._reversed is not None:
            return
        places = len(weights[0]) if weights else 0
        flat = array("q", chain.from_iterable(weights))
        with metered(budget, "a list of words") as meter:
            radices = a.radices if weights else ()
            self._search: backend.WordSearch | None = backend.WordSearch(
                csr(a), zero_code(a), radices, flat, places, meter
            )

    @contextmanager
    def _searching(self, what: str) -> Iterator[tuple[backend.WordSearch, backend.Meter]]:
        """Yield the search; after an error it can no longer be used."""
        search, self._search = self._search, None
        if search is None:
            raise AutomatonError("a list that was interrupted cannot be continued", hint="begin a new one")
        with metered(self.budget, what) as meter:
            yield search, meter
        self._search = search

    def numbers(self, count: int) -> list[int]:
        """Return the components of the next tuples, at most `count`; fewer once words have more digits than places."""
        if self._reversed is not None:
            return []
        with self._searching("a list of tuples") as (search, meter):
            return search.numbers(count, meter).tolist()

    def words(self, count: int) -> list[tuple[int, ...]]:
        """Return the letter codes of the next words, at most `count`, all of one length; [] if there are no others."""
        if self._reversed is not None:
            return list(islice(self._reversed, count))
        with self._searching("a list of words") as (search, meter):
            length, words, codes = search.codes(count, meter)
        if not length:
            return [()] * words
        return list(zip(*[iter(codes.tolist())] * length, strict=True))


def count_words(a: Dfa, length: int) -> int:
    """Return how many words of exactly this length a accepts, leading zeros included.  O(length * transitions)."""
    with metered(UNLIMITED, "a count of words") as meter:
        return backend.count_words(csr(a), checked_integer(length, "the length"), meter)


def collisions(a: Dfa, name: str, budget: Budget = UNLIMITED) -> int:
    """Return how many transitions coincide with another one of their state when a track is dropped.

    Of n transitions of one state whose letters differ in this track only, n - 1 are counted.  The more
    there are, the smaller the projection tends to be; `operations.cheapest_to_lose` orders tracks by this number.
    O(m log d) for m transitions and rows of at most d.
    """
    kept = kept_tracks(a, [name])
    with metered(budget, "a count of collisions") as meter:
        return backend.collisions(csr(a), recode(a, kept, meter), meter)


# Texts and drawings

#: Lines are written in pieces of about this many bytes.
_PIECE = 1 << 20


def lines(
    a: Dfa, digits: Sequence[Sequence[str]], state_line: tuple[str, str, str] | None, ends: Sequence[str],
    budget: Budget = UNLIMITED,
) -> Iterator[bytes]:
    """Yield the lines of the states and transitions of an automaton, in pieces of about a megabyte.

    digits: of each track the texts of its digits, which are joined to that of a letter; state_line: what comes before
    the number of a state, between it and the output, and after that, if states have lines; ends: what comes after the
    target of a transition, or else between its source and its target, and after that.
    """
    texts = tuple(tuple(digit.encode() for digit in track) for track in digits)
    of_states = tuple(part.encode() for part in state_line or ())
    with metered(budget, "the lines of an automaton") as meter:
        writer = backend.LineWriter(csr(a), texts, of_states, tuple(end.encode() for end in ends), meter)
    while True:
        with metered(budget, "the lines of an automaton") as meter:
            piece = writer.piece(_PIECE, meter)
        if not piece:
            return
        yield piece


def read_lines(
    text: str, begin: int, tracks: tuple[Track, ...], budget: Budget = UNLIMITED, during: str = "the lines of a file"
) -> Dfa | None:
    """Return the automaton whose lines begin at a place of a text, None unless all of them are plain.

    Plain are the lines `state output`, with the states 0, 1, ... in order, and after each the lines of its transitions,
    `digits -> target`, sorted by letter; blank lines and comments may be anywhere.
    """
    with metered(budget, during) as meter:
        arrays = backend.read_lines(text, begin, tuple(track.digits for track in tracks), meter)
    return None if arrays is None else Dfa(tracks, *arrays)


def edges(a: Dfa, budget: Budget = UNLIMITED) -> list[tuple[int, int, memoryview[int]]]:
    """Return the pairs of states with transitions from the first to the second, in order, each with its letter codes.

    The codes are rising.  O(m + e log e) for m transitions and e edges.
    """
    with metered(budget, "the edges of an automaton") as meter:
        begins, sources, targets, codes = backend.edges(csr(a), meter)
    return [
        (source, target, codes[begin:end])
        for source, target, (begin, end) in zip(sources, targets, pairwise(begins), strict=True)
    ]


def edge_count(a: Dfa, budget: Budget = UNLIMITED) -> int:
    """Return the number of pairs of states with a transition from the first to the second."""
    with metered(budget, "the edges of an automaton") as meter:
        return len(backend.edges(csr(a), meter)[1])


# Arguments and exceptions of a kernel call

@contextmanager
def metered(budget: Budget, during: str) -> Iterator[backend.Meter]:
    """Provide the meter of one kernel call, and translate the exceptions of kernels into errors of fibprover.

    during: what the call builds, for messages and for the gauge.  BudgetExhausted and MemoryError become
    BudgetSpent, TooLargeError becomes LimitError, and InvalidArrayError becomes AutomatonError; all other
    exceptions pass unchanged.
    """
    gauge = budget.gauge
    budget = effective(budget)
    try:
        meter = meter_of(budget)
        if gauge is not None:
            gauge.enter(during, meter)
        yield meter
    except backend.BudgetExhausted as spent:
        # Users know their own limits on bytes and seconds, not the part of them that was left to the kernel.
        if spent.resource == "seconds" and not (budget.seconds or budget.cpu_seconds):
            budget = replace(budget, seconds=max(0.0, spent.limit))
        raise budget.spent(
            spent.resource, states=spent.states, transitions=spent.transitions, during=during
        ) from None
    except MemoryError:
        if budget.bytes < UNBOUNDED:
            raise budget.spent("bytes", during=during) from None
        raise BudgetSpent("bytes", resident_bytes(), during=during) from None
    except backend.TooLargeError as error:
        raise LimitError(f"{during} is too large: {error}") from None
    except backend.InvalidArrayError as error:
        raise AutomatonError(str(error)) from None
    finally:
        if gauge is not None:
            gauge.leave()


def give_back() -> None:
    """Return freed memory to the operating system, where the C library can do that."""
    backend.give_back()


def meter_of(budget: Budget) -> backend.Meter:
    """Return the meter of a kernel call: it may use the bytes of the budget that the process does not hold yet."""
    room = budget.room()
    if 2 * room < budget.bytes < UNBOUNDED:
        backend.give_back()
        room = max(0, budget.bytes - resident_bytes())
    # CPU seconds are those of one thread: what several take would depend on what else the machine does.
    threads = allowed_threads() if budget.cpu_deadline == float("inf") else 1
    return backend.Meter(
        budget.states, budget.transitions, room, budget.deadline, cpu_deadline=budget.cpu_deadline, threads=threads
    )


def checked_integer(value: int, what: str, bits: int = 64) -> int:
    """Return the value.

    Raises LimitError if it does not fit into a signed integer of so many bits, as kernels take it.
    """
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise LimitError(f"{what} {value} does not fit into {bits} bits")
    return value


def digits_of(a: Dfa, codes: Sequence[int]) -> Digits:
    """Return the digits of each track of a word that is given by its letter codes."""
    return dict(zip(a.names, a.digit_words(codes), strict=True))


def csr(a: Dfa) -> backend.Csr:
    checked_integer(a.letters, "the number of letters")
    return backend.Csr(a.offsets, a.codes, a.targets, a.outputs, a.letters)


def trimmed(a: Dfa, meter: backend.Meter) -> Dfa:
    return Dfa(a.tracks, *backend.trim(csr(a), meter))


def nfa(parts: Sequence[Dfa], kept: Sequence[Track], zero: int, meter: backend.Meter) -> backend.Nfa:
    """Return the nondeterministic automaton of some automata that reads the kept tracks; zero: see `kept_zero`."""
    return backend.Nfa(tuple(map(csr, parts)), tuple(recode(part, kept, meter) for part in parts), zero, meter)


def deterministic(parts: Sequence[Dfa], kept: tuple[Track, ...], zero: int, meter: backend.Meter) -> Dfa:
    """Return a deterministic automaton for the union of some automata that read the kept tracks only."""
    arrays = determinization.determinize(nfa(parts, kept, zero, meter), letters_of(kept), meter)
    return Dfa(kept, *arrays)


def letters_of(tracks: Sequence[Track]) -> int:
    """Return the number of letters over some tracks."""
    return prod(len(track.digits) for track in tracks)


def recode(a: Dfa, tracks: Sequence[Track], meter: backend.Meter, without: Sequence[Track] = ()) -> backend.Recode:
    """Return the map from a's letters to letters over `tracks`, coded in this order; digits of `without` count as 0."""
    weights: dict[str, int] = {}
    letters = 1
    for track in reversed(tracks):
        weights[track.name] = letters
        letters *= len(track.digits)
    for track in without:
        weights[track.name] = 0
    checked_integer(letters, "the number of letters")
    return backend.Recode(a.radices, tuple(weights.get(name, 0) for name in a.names), letters, a.transitions, meter)


def weighted_sum(a: Dfa, weights: Mapping[str, int], meter: backend.Meter) -> backend.Recode:
    """Return the map from a's letters to sums of weight times digit index; `letters` of the result has no meaning."""
    return backend.Recode(a.radices, tuple(weights.get(name, 0) for name in a.names), 1, a.transitions, meter)


def linear_constraint(
    track: Track, coefficients: Sequence[int], relation: str, constant: int, extent: int = 0
) -> tuple[int, array[int], int, int, int]:
    """Return sum c_i x_i RELATION constant, over tracks like this one, as the kernels take it."""
    checked_integer(constant, "the constant of a linear atom")
    checked_integer(extent, "the range of a linear atom")
    return len(track.digits), integers(coefficients), ("=", "!=", "<").index(relation), constant, extent


def integers(coefficients: Sequence[int]) -> array[int]:
    """Return the coefficients of a linear atom as an array."""
    return array("q", (checked_integer(value, "the coefficient of a linear atom") for value in coefficients))


def zero_code(a: Dfa) -> int:
    """Return the code of the zero letter, -1 if there is none."""
    zero = a.zero_code
    return -1 if zero is None else zero


def kept_zero(kept: tuple[Track, ...]) -> int:
    """Return the code of the zero letter over the kept tracks, -1 if one of them is plain (no zero closure then).

    A plain track that is projected away does not matter: the remaining tracks hold numbers, and a tuple of
    numbers is in the projection if some padding of it is.
    """
    if any(not track.system for track in kept):
        return -1
    code = 0
    for track in kept:
        code = code * len(track.digits) + track.digits.index(0)
    return code


def truth(value: bool) -> Dfa:
    """Return TRUE or FALSE, an automaton without tracks."""
    return build((), [{0: 0} if value else {}], [int(value)])


# Tracks of the operands

def track_names(a: Dfa) -> str:
    return ", ".join(a.names) or "(none)"


def merged_tracks(a: Dfa, b: Dfa) -> tuple[Track, ...]:
    """Return all tracks of a and b, sorted by name; raises AutomatonError if one name stands for two tracks."""
    by_name = {track.name: track for track in a.tracks}
    for track in b.tracks:
        other = by_name.setdefault(track.name, track)
        if other != track:
            raise AutomatonError(
                f"track {track.name} has digits {other.digits} of {other.system or 'a plain alphabet'} on one side, "
                f"{track.digits} of {'another ' * (track.system == other.system != '')}"
                f"{track.system or 'a plain alphabet'} on the other"
            )
    tracks = tuple(by_name[name] for name in sorted(by_name))
    check_tracks(tracks)
    return tracks


def kept_tracks(a: Dfa, quantified: Collection[str]) -> tuple[Track, ...]:
    """Return a's tracks that are not quantified; raises AutomatonError if a quantified name is no track of a."""
    foreign = set(quantified) - set(a.names)
    if foreign:
        raise AutomatonError(f"no track {', '.join(sorted(foreign))} to quantify among {track_names(a)}")
    return tuple(track for track in a.tracks if track.name not in quantified)


def union_tracks(automata: Sequence[Dfa], quantified: Collection[str]) -> tuple[Track, ...]:
    """Return the tracks that are not quantified, sorted by name.

    Raises AutomatonError if there are no automata, or if these tracks are not the same in all of them.
    """
    if not automata:
        raise AutomatonError("a disjunction of no automata has no tracks")
    by_name: dict[str, Track] = {}
    for a in automata:
        for track in a.tracks:
            if by_name.setdefault(track.name, track) != track:
                raise AutomatonError(f"track {track.name} is not the same in all parts of a disjunction")
    foreign = set(quantified) - set(by_name)
    if foreign:
        raise AutomatonError(f"no track {', '.join(sorted(foreign))} to quantify among {', '.join(sorted(by_name))}")
    kept = tuple(track for name, track in sorted(by_name.items()) if name not in quantified)
    for a in automata:
        missing = [track.name for track in kept if track.name not in a.names]
        if missing:
            raise AutomatonError(f"a disjunction needs track {', '.join(missing)} in all parts: {track_names(a)}")
    return kept


def difference_tracks(a: Dfa, needed: Sequence[Track]) -> tuple[Track, ...]:
    """Return a's tracks sorted by name; raises AutomatonError unless all `needed` tracks are among them."""
    by_name = {track.name: track for track in a.tracks}
    for track in needed:
        if by_name.get(track.name) != track:
            raise AutomatonError(f"the difference needs track {track.name} with the same digits on the left: {a!r}")
    return tuple(sorted(a.tracks))


def linear_tracks(a: Dfa, track: Track, coefficients: Sequence[int], names: Sequence[str]) -> tuple[Track, ...]:
    """Return a's tracks sorted by name.

    Raises AutomatonError unless `names` are distinct, like `track`, one a coefficient.
    """
    if not names or len(set(names)) != len(names) or len(names) != len(coefficients):
        raise AutomatonError(f"{len(coefficients)} coefficients need as many distinct tracks, not {list(names)}")
    by_name = {other.name: other for other in a.tracks}
    for name in names:
        if by_name.get(name) != track._replace(name=name):
            raise AutomatonError(f"a linear atom of {track.system} needs track {name} of that system: {a!r}")
    return tuple(sorted(a.tracks))
