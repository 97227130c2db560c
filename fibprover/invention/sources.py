"""Sets of positions from sequences: the pairs (a_n,b_n), or triples, in all orders, and the position of empty piles.

A sequence is a predicate or a formula in n and x, that its n-th number is x.  Besides those that a session defines, by
`solve` for example, there are Beatty sequences and the places of the letters of a word.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import permutations

from fibprover.automata.digit_order import lsd_first
from fibprover.base.errors import FibproverError, did_you_mean
from fibprover.base.limits import Limits
from fibprover.base.names import NAME
from fibprover.games.rules import VARIABLES
from fibprover.language.builder import call, exists, forall, letter, variables
from fibprover.language.tree import Formula, Variable, conjunction, disjunction
from fibprover.numeration.ostrowski import ostrowski
from fibprover.numeration.quadratic import Quadratic, quadratic
from fibprover.prover.verdict.relation import Relation
from fibprover.words.automatic import AutomaticWord
from fibprover.workspace.floors import define_floor, is_rational
from fibprover.workspace.session import Session

#: The places of letters are inferred from so many letters.
LETTERS = 1 << 15

#: A floor is looked for so many CPU seconds unless limits are given.
SECONDS = 60.0


def positions_of_sequences(session: Session, *sequences: str | Formula) -> Relation:
    """Return the positions (a_n,b_n), or (a_n,b_n,c_n), of sequences, in all orders, and that of empty piles.

    Parameters:

    - session: in which formulas and predicates are read
    - sequences: two or three predicates, by name, or formulas in n and x: the n-th number is x

    Returns: a relation; `invent` takes it.

    Errors: FibproverError for another number of sequences, and for what is no predicate or formula in n and x.

    >>> s = fp.Session("msd_fib")
    >>> fp.positions_of_sequences(s, "x=n", "x=2*n").first(4)
    [(0, 0), (1, 2), (2, 1), (2, 4)]
    """
    if len(sequences) not in VARIABLES:
        raise FibproverError(
            f"positions are made of two or three sequences, not of {len(sequences)}", hint="one for each pile"
        )
    names = VARIABLES[len(sequences)].position
    known = [_sequence(session, each) for each in sequences]
    columns = [f"sequence{place}" for place in range(len(known))]
    for column, found in zip(columns, known, strict=True):
        session.define(column, found)
    piles, n = tuple(map(Variable, names)), Variable("n")
    rows = [
        exists(n, conjunction(call(column, n, pile) for column, pile in zip(columns, order, strict=True)))
        for order in permutations(piles)
    ]
    return session.relation(disjunction([conjunction(pile.eq(0) for pile in piles), *rows]))


def _sequence(session: Session, given: str | Formula) -> Relation:
    """Return a sequence as a relation of n and x."""
    n, x = variables("n x")
    if isinstance(given, str) and NAME.fullmatch(given.removeprefix("$")):
        known = given.removeprefix("$")
        if known not in session.namespace.predicates:
            raise FibproverError(
                f"unknown predicate {known}",
                hint=did_you_mean(known, sorted(session.namespace.predicates), kind="predicates")
                or "a sequence is a predicate or a formula in n and x",
            )
        formula: str | Formula = call(known, n, x)
    else:
        formula = given
    found = session.eval(formula)
    if not isinstance(found, Relation) or found.names != ("n", "x"):
        shown = ", ".join(found.names) if isinstance(found, Relation) else "no variables"
        raise FibproverError(
            f"a sequence is a formula in n and x, that its n-th number is x, but {given} is in {shown}",
            hint="as in x=2*n",
        )
    return found


def positions_of_letters(
    session: Session, word: str, letters: Sequence[int] | None = None, limits: Limits | None = None
) -> Relation:
    """Return the positions whose piles are the places, from 1, of the n-th letters of each sort in a word.

    The places are inferred, and proved by `solve`.

    Parameters:

    - session: in which the word is known
    - word: its name
    - letters: two or three of its letters; by default all
    - limits: of each letter

    Returns: a relation; `invent` takes it.

    Errors: FibproverError for an unknown word or letter, and for more letters than piles; Unsolved if the places of a
    letter are not recognized.

    >>> fp.positions_of_letters(fp.Session(), "F").first(4)
    [(0, 0), (1, 2), (2, 1), (3, 5)]
    """
    known = session.namespace.meaning(word)
    if not isinstance(known, AutomaticWord) or len(known.tracks) != 1 or not known.tracks[0].system \
            or lsd_first(known.tracks[0]):
        raise FibproverError(f"{word} is not a word over natural numbers, most significant digit first")
    system = session.namespace.system(known.tracks[0].system)
    session.namespace.default_system = system.name
    chosen = tuple(known.outputs) if letters is None else tuple(letters)
    for each in chosen:
        if each not in known.outputs:
            raise FibproverError(f"{each} is no letter of {word}", hint=f"its letters are {known.outputs}")
    if len(chosen) not in VARIABLES:
        raise FibproverError(
            f"positions have two or three piles, but {len(chosen)} letters of {word} are chosen",
            hint="choose two or three of its letters",
        )
    prefix = known.prefix(LETTERS, system.write)
    names: list[str] = []
    for each in chosen:
        names.append(f"places{len(names)}")
        places = [place + 1 for place, x in enumerate(prefix) if x == each]
        _solve_places(session, names[-1], word, each, places, limits)
    return positions_of_sequences(session, *names)


def _solve_places(
    session: Session, name: str, word: str, what: int, places: Sequence[int], limits: Limits | None
) -> None:
    """Define the places of a letter: the n-th one is the first after the one before."""
    m, n, x, y, z = variables("m n x y z")
    between = forall(z, ((y < z) & (z < x)) >> ~letter(word, z - 1).eq(what))
    following = n.eq(m + 1) & call(name, m, y) & (y < x) & letter(word, x - 1).eq(what) & between
    known = [0, *places]

    def holds(number: int, place: int) -> bool | None:
        if number < len(known):
            return known[number] == place
        return False if place < number else None if place > LETTERS else bisect_left(known, place) == number

    session.solve(name, (n.eq(0) & x.eq(0)) | exists(m, y, following), by="n", data=holds, limits=limits)


def positions_of_beatty(alpha: str, session: Session | None = None, limits: Limits | None = None) -> Relation:
    """Return the positions (floor(n alpha), floor(n beta)) of complementary Beatty sequences, 1/alpha + 1/beta = 1.

    Parameters:

    - alpha: a quadratic irrational above 1, as a text
    - session: whose numeration system the relation is in; by default the Ostrowski system of alpha
    - limits: of each sequence

    Returns: a relation; `invent` takes it.

    Errors: FibproverError for another number, and if the sequences are not recognized.

    >>> fp.positions_of_beatty("sqrt(2)").first(4)
    [(0, 0), (1, 3), (3, 1), (2, 6)]
    """
    number = quadratic(alpha)
    if is_rational(number) or number.floor_multiple(1) < 1:
        raise FibproverError(f"{alpha} is not irrational and above 1", hint="as in (1+sqrt(5))/2 or sqrt(2)")
    if session is None:
        session = Session()
        system = session.add_system(ostrowski(alpha))
        session.namespace.default_system = system.name
    limits = limits or Limits(cpu_seconds=SECONDS)
    for name, each in (("lower", number), ("upper", _conjugate_slope(number))):
        if not define_floor(session, each, limits, name):
            raise FibproverError(
                f"floor(n * {each}) is not recognized in {session.namespace.default_system}",
                hint="give a session in another system",
            )
    n, x = variables("n x")
    return positions_of_sequences(session, *((n > 0) & call(name, n, x) for name in ("lower", "upper")))


def _conjugate_slope(alpha: Quadratic) -> Quadratic:
    """Return beta = alpha / (alpha - 1)."""
    p, q, d = alpha
    # With the root r of d it is (p + r)/(p - q + r) = (p (p - q) - d - q r) / ((p - q)^2 - d).
    top, root, bottom = p * (p - q) - d, -q, (p - q) ** 2 - d
    sign = -1 if root < 0 else 1
    return Quadratic(sign * top, sign * bottom, d * q * q)
