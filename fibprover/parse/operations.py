"""The commands on what has a name already, such as `union NEW OLD OLD;`.

One function a form of command; it reads what follows the command's word, and what it returns are the
arguments of the session's method of that name.  Sources keep the `$` that tells predicates from words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fibprover.parse.arguments import Arguments
from fibprover.parse.command_syntax import Argument, DigitSet
from fibprover.parse.names import NAME
from fibprover.parse.scanner import Scanner
from fibprover.parse.syntax import Span

_VALUE = re.compile(r"=\s*([^\s\";:{}\[\]=]*)")
_EQUALS = re.compile(r"=")
_TERM = re.compile(r'[^\s";:][^";:]*')
_BOUND = re.compile(r"[0-9]{1,1000}")
_FILE = re.compile(r"[^\s\";:](?:[^\";:\n]*[^\s\";:])?")


@dataclass(frozen=True, slots=True)
class About:
    """How a command is written, what it does, and an example."""

    usage: str
    summary: str
    example: str = ""


@dataclass(frozen=True, slots=True)
class Operation(About):
    """A command with the function that reads what follows its word."""

    read: Callable[[Arguments], tuple[Argument, ...]] = field(kw_only=True)


def operation(
    scanner: Scanner, word: str
) -> tuple[tuple[Argument, ...], tuple[tuple[str, Span], ...]]:
    """The arguments of a command whose word has been read, and where its names stand."""
    arguments = Arguments(scanner, word, OPERATIONS[word].usage)
    values = OPERATIONS[word].read(arguments)
    if not arguments.ends():
        arguments.fail(f"nothing more is expected in the command `{word}`")
    return values, tuple(arguments.places)


def old_draw(scanner: Scanner) -> tuple[tuple[Argument, ...], tuple[tuple[str, Span], ...]]:
    """The arguments for `export` of `draw OLD;`, as Walnut 7 calls `export OLD GV;`."""
    arguments = Arguments(scanner, "draw", "export OLD GV;")
    source = arguments.source()
    if not arguments.ends():
        arguments.fail("nothing more is expected in the command `draw`")
    return (source, "GV"), tuple(arguments.places)


# -- the forms of commands ---------------------------------------------------------------------------


def _one(arguments: Arguments) -> tuple[Argument, ...]:
    return arguments.new(), arguments.source()


def _two(arguments: Arguments) -> tuple[Argument, ...]:
    return arguments.new(), arguments.source(), arguments.source()


def _some(arguments: Arguments) -> tuple[Argument, ...]:
    return arguments.new(), *arguments.sources(1)


def _several(arguments: Arguments) -> tuple[Argument, ...]:
    return arguments.new(), *arguments.sources(2)


def _combine(arguments: Arguments) -> tuple[Argument, ...]:
    new = arguments.new()
    parts: list[Argument] = []
    while not arguments.ends():
        source = arguments.source()
        value = arguments.scanner.matched(_VALUE)
        if value is None:
            parts.append(source)
        else:
            parts.append((source, arguments.scanner.integer_of(value[1], value.span(), "value")))
    if not parts:
        arguments.fail("`combine` needs at least one automaton")
    return new, *parts


def _join(arguments: Arguments) -> tuple[Argument, ...]:
    new = arguments.new()
    parts: list[Argument] = []
    while not arguments.ends():
        source = arguments.source("word with its indices in brackets")
        brackets = arguments.brackets()
        if not brackets:
            arguments.fail(f"expected the indices of {source} in brackets")
        for label, span in brackets:
            if not NAME.fullmatch(label):
                arguments.fail(f"`{label}` is not a name of an index", span.start, span.end)
        parts.append((source, *(label for label, _ in brackets)))
    if not parts:
        arguments.fail("`join` needs at least one word")
    return new, *parts


def _word(arguments: Arguments) -> tuple[Argument, ...]:
    new = arguments.new()
    labels = arguments.brackets()
    for label, span in labels:
        if not NAME.fullmatch(label):
            arguments.fail(f"`{label}` is not a name of an index", span.start, span.end)
    if not labels or arguments.scanner.matched(_EQUALS) is None:
        arguments.fail("expected indices in brackets, and `=`" if not labels else "expected `=`")
    if arguments.scanner.next_is('"'):
        return new, tuple(label for label, _ in labels), arguments.text()
    found = arguments.scanner.matched(_TERM)
    if found is None:
        arguments.fail("expected a term")
    return new, tuple(label for label, _ in labels), arguments.noted(found[0].rstrip(), *found.span())


def _split(arguments: Arguments) -> tuple[Argument, ...]:
    return arguments.new(), arguments.source(), arguments.signs()


def _rsplit(arguments: Arguments) -> tuple[Argument, ...]:
    return arguments.new(), arguments.signs(), arguments.source()


def _convert(arguments: Arguments) -> tuple[Argument, ...]:
    new = arguments.source("name of the new automaton")
    return new, arguments.system(), arguments.source()


def _alphabet(arguments: Arguments) -> tuple[Argument, ...]:
    new = arguments.new()
    alphabets: list[Argument] = []
    scanner = arguments.scanner
    while not scanner.next_is("$"):
        start = scanner.at
        if not scanner.next_is("{"):
            arguments.chunk("numeration system, a set of digits or a name")
            arguments.places.pop()
            last = arguments.ends()
            scanner.at = start
            if last:
                break
        alphabet = scanner.alphabet()
        written = alphabet.digits if isinstance(alphabet, DigitSet) else alphabet.system
        if isinstance(written, str):
            arguments.noted(written, alphabet.span.start, alphabet.span.end)
        alphabets.append(written)
    if not alphabets:
        arguments.fail("expected the alphabet of every track")
    return new, tuple(alphabets), arguments.source()


def _transform(arguments: Arguments) -> tuple[Argument, ...]:
    """NEW, the morphism or transducer, OLD."""
    return arguments.new(), arguments.new(), arguments.source()


def _promote(arguments: Arguments) -> tuple[Argument, ...]:
    return arguments.new(), arguments.new()


def _morphism(arguments: Arguments) -> tuple[Argument, ...]:
    return arguments.new(), arguments.text()


def _question(arguments: Arguments) -> tuple[Argument, ...]:
    return (arguments.source(),)


def _test(arguments: Arguments) -> tuple[Argument, ...]:
    source = arguments.source()
    number = arguments.chunk("number")
    _, span = arguments.places.pop()
    count = arguments.scanner.integer_of(number, (span.start, span.end), "number")
    if count < 0:
        arguments.fail("a number of values cannot be negative", span.start, span.end)
    return source, count


def _count(arguments: Arguments) -> tuple[Argument, ...]:
    source = arguments.source()
    number = arguments.chunk("bound")
    _, span = arguments.places.pop()
    if not _BOUND.fullmatch(number):
        arguments.fail(f"`{number}` is no bound, which has at most a thousand digits", span.start, span.end)
    return source, int(number)


def _export(arguments: Arguments) -> tuple[Argument, ...]:
    return arguments.source(), arguments.chunk("format")


def _ost(arguments: Arguments) -> tuple[Argument, ...]:
    return arguments.new(), arguments.integers(), arguments.integers()


def _load(arguments: Arguments) -> tuple[Argument, ...]:
    if arguments.scanner.next_is('"'):
        return (arguments.text(),)
    found = arguments.scanner.matched(_FILE)
    if found is None:
        arguments.fail("expected the name of a file")
    return (arguments.noted(found[0], *found.span()),)


def _help(arguments: Arguments) -> tuple[Argument, ...]:
    topics: list[Argument] = []
    while not arguments.ends():
        topics.append(arguments.chunk("command"))
    return tuple(topics)


def _nothing(arguments: Arguments) -> tuple[Argument, ...]:
    return ()


#: Every such command by its word.
OPERATIONS: Mapping[str, Operation] = {
    "union": Operation(
        "union NEW OLD ...;", "what one of the predicates accepts", "union u a b c;", read=_some
    ),
    "intersect": Operation(
        "intersect NEW OLD ...;", "what all the predicates accept", "intersect i a b c;", read=_some
    ),
    "concat": Operation(
        "concat NEW OLD OLD ...;", "words of the first predicate, then of the second, ...", "concat c a b;",
        read=_several,
    ),
    "star": Operation(
        "star NEW OLD;", "any number of words of a predicate, one after the other", "star s a;", read=_one
    ),
    "leftquo": Operation(
        "leftquo NEW OLD PREFIXES;", "what follows one of the prefixes in words of OLD", "leftquo q a b;", read=_two
    ),
    "rightquo": Operation(
        "rightquo NEW OLD SUFFIXES;", "what precedes one of the suffixes in words of OLD", "rightquo q a b;", read=_two
    ),
    "fixleadzero": Operation(
        "fixleadzero NEW OLD;", "the same words with any number of zeros in front", "fixleadzero f a;", read=_one
    ),
    "fixtrailzero": Operation(
        "fixtrailzero NEW OLD;", "the same words with any number of zeros at the end", "fixtrailzero f a;", read=_one
    ),
    "alphabet": Operation(
        "alphabet NEW ALPHABET ... OLD;", "a word, or a predicate $OLD, over other alphabets",
        "alphabet f msd_fib {0,1} $a;", read=_alphabet,
    ),
    "reverse": Operation(
        "reverse NEW OLD;", "a word, or a predicate $OLD, read from the other end", "reverse R T;", read=_one
    ),
    "minimize": Operation("minimize NEW OLD;", "the smallest automaton for a word", "minimize M T;", read=_one),
    "convert": Operation(
        "convert NEW SYSTEM OLD;", "the same word (or predicate $OLD) in base k^j instead of k^i",
        "convert T4 msd_4 T;", read=_convert,
    ),
    "combine": Operation(
        "combine NEW OLD[=k] ...;", "the word that tells which is the last predicate to accept an index",
        "combine C a b=5 c;", read=_combine,
    ),
    "join": Operation(
        "join NEW WORD[i][j] ...;", "the word with the first letter that is not 0", "join M N[a][b] K[b][c];",
        read=_join,
    ),
    "split": Operation(
        "split NEW OLD [SIGN] ...;",
        "a word over a negative base or msd_neg_fib as one over the positive system, for one sign an index",
        "split M N [+][-][];", read=_split,
    ),
    "rsplit": Operation(
        "rsplit NEW [SIGN] ... OLD;",
        "a word over a base or msd_fib as one over the negative system, for one sign an index",
        "rsplit N [+][-][] M;", read=_rsplit,
    ),
    "word": Operation(
        "word NEW[i] = TERM;", "the word with the value of a term of letters; TERM if FORMULA else TERM for cases",
        "word G[n] = T[2*n+5]+1 if n>3 else 0;", read=_word,
    ),
    "morphism": Operation(
        'morphism NAME "RULES";', "names a morphism", 'morphism thue "0->01 1->10";', read=_morphism
    ),
    "promote": Operation(
        "promote NEW MORPHISM;", "the fixed point of a morphism from 0, as a word", "promote T thue;", read=_promote
    ),
    "image": Operation(
        "image NEW MORPHISM OLD;", "the image of a word under a uniform morphism", "image H h T;", read=_transform
    ),
    "transduce": Operation(
        "transduce NEW TRANSDUCER OLD;", "what a transducer makes of a word", "transduce S RUNSUM2 T;", read=_transform
    ),
    "inf": Operation(
        "inf NAME;", "whether infinitely many words are accepted, with a family of them", "inf a;", read=_question
    ),
    "test": Operation("test NAME NUMBER;", "the first words that are accepted", "test a 10;", read=_test),
    "first": Operation(
        "first NAME;", "the first values that a predicate holds of", "first a;", read=_question
    ),
    "first_rej": Operation(
        "first_rej NAME;", "the first values that a predicate does not hold of", "first_rej a;", read=_question
    ),
    "count": Operation(
        "count NAME BOUND;", "how many values below a bound a predicate holds of", "count a 1000000;", read=_count
    ),
    "regex": Operation(
        "regex NAME;", "a regular expression for the words that a predicate accepts", "regex a;", read=_question
    ),
    "describe": Operation(
        "describe NAME;", "size and alphabets of a word, or of a predicate $NAME", "describe $a;", read=_question
    ),
    "export": Operation(
        "export NAME FORMAT;", "writes a word, or a predicate $NAME, to a file: GV, BA or TXT", "export $a GV;",
        read=_export,
    ),
    "ost": Operation(
        "ost NAME [PREPERIOD] [PERIOD];", "the Ostrowski system of a continued fraction", "ost root3 [0 3] [1 2];",
        read=_ost,
    ),
    "load": Operation("load FILE;", "runs the commands of a file", "load definitions.txt;", read=_load),
    "help": Operation("help COMMAND;", "how a command is written and what it does", "help combine;", read=_help),
    "cls": Operation("cls;", "clears the screen", read=_nothing),
    "clear": Operation("clear;", "clears the screen", read=_nothing),
    "quit": Operation("quit;", "ends the session", read=_nothing),
    "exit": Operation("exit;", "ends the session", read=_nothing),
}

#: The commands that have a form of their own, and metacommands.
OTHERS: Mapping[str, About] = {
    "eval": About(
        'eval NAME VARIABLE ... "FORMULA";',
        "decides a formula; with variables, counts the values of the others; NAME may be missing",
        'eval t "?msd_fib An Em m=2*n";',
    ),
    "def": About(
        'def NAME VARIABLE ... "FORMULA";', "names a formula, so that $NAME(...) calls it; variables as for eval",
        'def even "Ey x=2*y";',
    ),
    "reg": About(
        'reg NAME ALPHABET ... "REGULAR EXPRESSION";', "names the words of a regular expression",
        'reg power2 msd_2 "0*10*";',
    ),
    "macro": About(
        'macro NAME "TEXT";', "names a piece of formula; #NAME(a,b) puts a for %0 and b for %1",
        'macro border "?%0 m>=1 & m<=n & $%1_eq(i,i+n-m,m)";',
    ),
    "[strategy]": About(
        "[strategy N NAME]", "before a command that ends in ::, accepted as it is: the planner decides",
        '[strategy * CCLS]eval t "Ax Ey y>x"::',
    ),
    "[export]": About(
        "[export N FORMAT]", "before a command that ends in ::, writes the automaton of step N, or of all steps for *",
        '[export * BA]eval t "Ax Ey y>x"::',
    ),
}
