"""Commands that make predicates and words from the automata of others: `union`, `star`, `reverse` and so on.

Each function carries out the command of its name and is also a method of a session: `s.union("C", "A", "B")`. Sources
are names as scripts write them: where both words and predicates are possible, `$name` is the predicate. The new value
replaces the one that had its name; an error changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from fibprover.automata.digit_order import to_reading_order
from fibprover.base.errors import FibproverError, NotSupported
from fibprover.prover.environment import Definition
from fibprover.prover.verdict.relation import Relation
from fibprover.words.automatic import AutomaticWord
from fibprover.workspace.commands.interpreter import Interpreter

# Operations are imported by the functions that need them: `fibprover eval` must start within 0.2 s and needs none.


def reg(session: Interpreter, name: str, alphabets: Sequence[str | Sequence[int]], regex: str) -> Relation:
    """Define a predicate by a regular expression over the product of alphabets.

    An alphabet is the name of a numeration system or the digits of a plain one; for one track the name alone will do.
    What is defined is the raw language: calls restrict it to valid representations and close it under leading zeros,
    and so does the relation that is returned; its variables are x0, x1, ...

    >>> s = fp.Session("msd_fib")
    >>> s.reg("one", "msd_fib", "0*10*").values(6)
    [1, 2, 3, 5, 8, 13]
    """
    from fibprover.language.regular_expression import parse_regex
    from fibprover.prover.evaluate.regular_language import compile_regex

    names = session.namespace
    names.check_name(name)
    if not isinstance(regex, str):
        raise FibproverError(f"a regular expression is a text, not {regex!r}", hint='such as "0*10*"')
    tracks = names.tracks(alphabets)
    tree = parse_regex(regex, [track.digits for track in tracks])
    return names.define_language(name, compile_regex(tree, tracks, names.budget()), regex)


def union(session: Interpreter, name: str, *sources: str) -> Relation:
    """Define the union of languages over the same alphabets.

    >>> s = fp.Session("msd_fib")
    >>> small, large = s.define("small", "x<3"), s.define("large", "x>7")
    >>> s.union("either", "small", "large").values(5)
    [0, 1, 2, 8, 9]
    """
    from fibprover.automata.operations import union

    names = session.namespace
    return names.define_language(name, union([names.language(source) for source in sources], names.budget()))


def intersect(session: Interpreter, name: str, *sources: str) -> Relation:
    """Define the intersection of languages over the same alphabets.

    >>> s = fp.Session("msd_fib")
    >>> even, small = s.define("even", "Ey x=2*y"), s.define("small", "x<9")
    >>> s.intersect("both", "even", "small").values()
    [0, 2, 4, 6, 8]
    """
    from fibprover.automata.operations import intersection

    names = session.namespace
    return names.define_language(name, intersection([names.language(source) for source in sources], names.budget()))


def concat(session: Interpreter, name: str, *sources: str) -> Relation:
    """Define the words of the first language, each followed by one of the second, and so on.

    Unless the system is a base k, the result is over plain digits, since its words need not represent numbers (see
    `alphabet`).

    >>> s = fp.Session()
    >>> one, two = s.reg("one", "msd_2", "1"), s.reg("two", "msd_2", "10")
    >>> s.concat("both", "one", "two").values()
    [6]
    """
    from fibprover.automata.alphabets import digits_only
    from fibprover.automata.operations import concatenation

    names = session.namespace
    parts = [digits_only(names.language(source)) for source in sources]
    return names.define_language(name, concatenation(parts, names.budget()))


def star(session: Interpreter, name: str, source: str) -> Relation:
    """Define the concatenations of any number of words of a language; alphabets as for `concat`.

    >>> s = fp.Session()
    >>> ten = s.reg("ten", "msd_2", "10")
    >>> s.star("tens", "ten").values(4)
    [0, 2, 10, 42]
    """
    from fibprover.automata.alphabets import digits_only
    from fibprover.automata.operations import star

    names = session.namespace
    return names.define_language(name, star(digits_only(names.language(source)), names.budget()))


def leftquo(session: Interpreter, name: str, source: str, prefixes: str) -> Relation:
    """Define the left quotient: the words w such that pw is in a language for one of the prefixes p.

    >>> s = fp.Session()
    >>> words, one = s.reg("words", "msd_2", "110*"), s.reg("one", "msd_2", "1")
    >>> s.leftquo("rest", "words", "one").values(4)
    [1, 2, 4, 8]
    """
    from fibprover.automata.operations import left_quotient

    names = session.namespace
    return names.define_language(
        name, left_quotient(names.language(source), names.language(prefixes), names.budget())
    )


def rightquo(session: Interpreter, name: str, source: str, suffixes: str) -> Relation:
    """Define the right quotient: the words w such that ws is in a language for one of the suffixes s.

    >>> s = fp.Session()
    >>> words, zero = s.reg("words", "msd_2", "110*"), s.reg("zero", "msd_2", "0")
    >>> s.rightquo("rest", "words", "zero").values(4)
    [3, 6, 12, 24]
    """
    from fibprover.automata.operations import right_quotient

    names = session.namespace
    return names.define_language(
        name, right_quotient(names.language(source), names.language(suffixes), names.budget())
    )


def fixleadzero(session: Interpreter, name: str, source: str) -> Relation:
    """Define a language with any number of zeros added or removed in front of its words.

    >>> s = fp.Session()
    >>> one = s.reg("one", "msd_2", "001")
    >>> s.fixleadzero("fixed", "one").values()
    [1]
    """
    from fibprover.automata.operations import fix_leading_zeros

    names = session.namespace
    return names.define_language(name, fix_leading_zeros(names.language(source), names.budget()))


def fixtrailzero(session: Interpreter, name: str, source: str) -> Relation:
    """Define a language with any number of zeros added or removed at the end of its words.

    >>> s = fp.Session()
    >>> one = s.reg("one", "msd_2", "100")
    >>> s.fixtrailzero("fixed", "one").values(4)
    [1, 2, 4, 8]
    """
    from fibprover.automata.operations import fix_trailing_zeros

    names = session.namespace
    return names.define_language(name, fix_trailing_zeros(names.language(source), names.budget()))


# -- predicates or words ---------------------------------------------------------------------


def alphabet(
    session: Interpreter, name: str, alphabets: Sequence[str | Sequence[int]], source: str
) -> Relation | AutomaticWord:
    """Define an automaton over other alphabets, one for each track, by its words (or indices) over these digits.

    For a predicate, the words that represent numbers remain; a word has the letter 0 at every other index.

    >>> s = fp.Session()
    >>> ones = s.reg("ones", [[0, 1]], "1*")
    >>> s.alphabet("numbers", ["msd_2"], "$ones").values(5)
    [0, 1, 3, 7, 15]
    """
    from fibprover.automata.alphabets import language_over, word_over

    names = session.namespace
    tracks = names.tracks(alphabets)
    if not source.startswith("$"):
        return names.add_word(name, word_over(names.machine(source), tracks, names.budget()))
    valid = [
        to_reading_order(names.system(track.system).valid, names.budget()) if track.system else None
        for track in tracks
    ]
    return names.define_language(name, language_over(names.language(source), tracks, valid, names.budget()))


def reverse(session: Interpreter, name: str, source: str) -> Relation | AutomaticWord:
    """Define an automaton that reads the digits from the other end; msd systems become lsd ones.

    >>> s = fp.Session()
    >>> even = s.define("even", "Ey x=2*y")
    >>> print(*s.reverse("turned", "$even").sorts)
    lsd_2
    """
    from fibprover.automata.alphabets import reversed_automaton

    names = session.namespace
    if not source.startswith("$"):
        return names.add_word(name, reversed_automaton(names.machine(source), names.budget(), word=True))
    names.check_name(name)
    old = names.predicate(source)
    automaton = reversed_automaton(old.automaton, names.budget())
    new = Definition(name, automaton, f"{source}, read from the other end", old.raw)
    relation = names.relation_of(new)
    names.definitions[name] = new
    return relation


def minimize(session: Interpreter, name: str, source: str) -> Relation | AutomaticWord:
    """Define the minimal automaton of a word (or a predicate); all automata here are minimal already.

    >>> s = fp.Session()
    >>> s.minimize("M", "T")[:8]
    [0, 1, 1, 0, 1, 0, 0, 1]
    """
    names = session.namespace
    if not source.startswith("$"):
        return names.add_word(name, names.machine(source))
    return names.define_language(name, names.language(source))


def convert(session: Interpreter, name: str, system: str, source: str) -> Relation | AutomaticWord:
    """Define a word over base k^i as one over base k^j; with `$` at the name, a predicate as a predicate.

    >>> s = fp.Session()
    >>> s.convert("T4", "msd_4", "T").tracks[0].system
    'msd_4'
    """
    from fibprover.words.algebra import convert_base

    names = session.namespace
    if name.startswith("$") and not source.startswith("$"):
        raise NotSupported("a word does not become a predicate", name, 0, len(name), hint="drop the $ in front")
    old, new = names.machine(source), names.system(system)
    if old.tracks and old.tracks[0].system == new.name:
        raise NotSupported(f"{source} is in {system} already", system, 0, len(system))
    machine = convert_base(old, new, names.system, names.budget())
    if not name.startswith("$"):
        return names.add_word(name, machine)
    return names.define_language(name[1:], to_reading_order(machine, names.budget()))
