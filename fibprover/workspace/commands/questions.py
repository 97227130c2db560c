"""Commands that ask about names: `inf`, `test`, `first`, `count`, `regex`, `describe`, `help`.

Each function carries out the command of its name and is also a method of a session: `s.count("p", 1000)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fibprover.automata.digit_order import to_reading_order
from fibprover.base.errors import UnknownName, did_you_mean
from fibprover.workspace.commands.interpreter import Interpreter

if TYPE_CHECKING:
    from fibprover.automata.listing import Description, InfiniteFamily, Listing
    from fibprover.prover.verdict.relation import FirstValues

# Operations are imported by the functions that need them: `fibprover eval` must start within 0.2 s and needs none.


def inf(session: Interpreter, source: str) -> InfiniteFamily | None:
    """Return an infinite family of words that a predicate accepts; None if it accepts only finitely many words.

    Words that begin with zeros (end, in an lsd system) do not count.

    >>> s = fp.Session()
    >>> even = s.define("even", "Ey x=2*y")
    >>> print(s.inf("even"))
    1(1)*0
    """
    from fibprover.automata.listing import infinite_family

    names = session.namespace
    return infinite_family(names.predicate(source).automaton, names.budget())


def test(session: Interpreter, source: str, count: int) -> Listing:
    """Return the first words that a predicate accepts, the shortest first.

    The empty word and words that begin with zeros (end, in an lsd system) are left out.

    >>> s = fp.Session()
    >>> even = s.define("even", "Ey x=2*y")
    >>> print(s.test("even", 3))
    10
    100
    110
    """
    from fibprover.automata.listing import first_words

    names = session.namespace
    return first_words(names.predicate(source).automaton, count, names.budget())


def first(session: Interpreter, source: str) -> FirstValues | None:
    """Return the first values that a predicate holds for, the least one if it has one variable; None if there are none.

    `Relation.first` and `Relation.least` return the same for relations.

    >>> s = fp.Session()
    >>> large = s.define("large", "x>7")
    >>> print(s.first("large"))
    x = 8
    """
    from fibprover.prover.verdict.relation import first_accepted

    names = session.namespace
    return first_accepted(names.relation_of(names.predicate(source)))


def first_rej(session: Interpreter, source: str) -> FirstValues | None:
    """Return the first values that a predicate does not hold for, None if it holds for all.

    >>> s = fp.Session()
    >>> small = s.define("small", "x<7")
    >>> print(s.first_rej("small"))
    x = 7
    """
    from fibprover.prover.verdict.relation import first_rejected

    names = session.namespace
    return first_rejected(names.relation_of(names.predicate(source)), names.budget())


def count(session: Interpreter, source: str, below: int) -> int:
    """Return `Relation.count` of a predicate: how many tuples of numbers below a bound it holds for.

    For integers: of absolute value below the bound.

    >>> s = fp.Session()
    >>> even = s.define("even", "Ey x=2*y")
    >>> s.count("even", 100)
    50
    """
    names = session.namespace
    return names.relation_of(names.predicate(source)).count(below, names.limits())


def regex(session: Interpreter, source: str) -> str:
    """Return a regular expression for the words that a predicate accepts, in the syntax of `reg`.

    >>> s = fp.Session()
    >>> even = s.define("even", "Ey x=2*y")
    >>> s.regex("even")
    '(1*0)*'
    """
    from fibprover.automata.expression import regular_expression

    names = session.namespace
    return regular_expression(names.language(source), names.budget())


def describe(session: Interpreter, source: str) -> Description:
    """Return the size and the alphabets of a predicate `$name` or of a word.

    >>> s = fp.Session()
    >>> print(s.describe("T"))
    word T
      2 states, 4 transitions, 2 letters
      tracks: msd_2
      outputs: 0, 1
    """
    from fibprover.automata.listing import description

    names = session.namespace
    bare = source.removeprefix("$")
    if source.startswith("$") or (bare not in names.words and bare in names.definitions):
        found = names.stored_predicate(source)
        language = to_reading_order(found.automaton, names.budget())
        return description("predicate", bare, str(found.origin), language)
    machine = names.stored_word(source).machine
    return description("word", bare, "", to_reading_order(machine, names.budget(), word=True))


def help(session: Interpreter, *topics: str) -> str:  # noqa: A001
    """Return the usage, purpose and example of the command that the last topic names, or one line for each command.

    A topic may also be a numeration system or a name that is defined. UnknownName for any other.

    >>> s = fp.Session()
    >>> s.help("macro").splitlines()[0]
    'macro NAME "TEXT";'
    """
    from fibprover.language.commands import ALIASES, WORDS

    if not topics:
        width = max(map(len, WORDS))
        return "\n".join(f"{word:<{width}}  {about.summary}" for word, about in WORDS.items())
    topic, _ = ALIASES.get(topics[-1], (topics[-1], ""))
    about = WORDS.get(topic)
    if about is None:
        return _help_on_name(session, topic, list(WORDS))
    example = [f"  for example: {about.example}"] if about.example else []
    return "\n".join([about.usage, f"  {about.summary}", *example])


def _help_on_name(session: Interpreter, topic: str, commands: list[str]) -> str:
    """Return the description of a numeration system, a predicate, a word or a macro."""
    names = session.namespace
    bare = topic.lstrip("?$#.")
    if bare.startswith(("msd_", "lsd_")):
        return names.system(bare).describe()
    if bare in names.macros:
        return f'macro {bare} "{names.macros[bare]}"'
    words = names.library_words.overridden_by(names.words)
    if bare in names.predicates or bare in words:
        return str(describe(session, f"${bare}" if topic.startswith("$") else bare))
    known = [*commands, *names.definitions, *words, *names.macros]
    hint = did_you_mean(topic, known, did_you_mean(topic, commands, kind="commands"))
    raise UnknownName(f"{topic} is neither a command nor a name", topic, 0, len(topic), hint=hint)
