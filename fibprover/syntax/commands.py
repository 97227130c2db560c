"""The commands of a script as values: what was written, and where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import NoReturn

from fibprover.errors import SyntaxProblem, TextError
from fibprover.names import NAME, SYSTEM, full_name
from fibprover.syntax.formula import Span

#: What an argument of an operation may be: a name or a text, a number, an alphabet, or several of these.
Argument = str | int | tuple["Argument", ...]


@dataclass(frozen=True, slots=True)
class Metacommand:
    """`[strategy 3 CCLS]` before a command: its words, in the script's spelling."""

    words: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What all commands have: their place in the script, the line they begin on, the terminator."""

    span: Span
    line: int
    terminator: str
    metacommands: tuple[Metacommand, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DefCommand(Command):
    """`def NAME "formula":`; the name may be missing (""), variables are listed between name and formula."""

    name: str
    name_span: Span
    text: str
    text_offset: int
    variables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalCommand(Command):
    """`eval NAME "formula":`; the name may be missing (""), variables are listed between name and formula."""

    name: str
    name_span: Span
    text: str
    text_offset: int
    variables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DigitSet:
    """The alphabet `{0, 1, -1}`, in the order written."""

    digits: tuple[int, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SystemAlphabet:
    """The digits of a numeration system, by its full name."""

    system: str
    span: Span


Alphabet = DigitSet | SystemAlphabet


@dataclass(frozen=True, slots=True, kw_only=True)
class RegCommand(Command):
    """`reg NAME ALPHABET... "regex":`, one alphabet a track."""

    name: str
    name_span: Span
    alphabets: tuple[Alphabet, ...]
    text: str
    text_offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MacroCommand(Command):
    """`macro NAME "text":`."""

    name: str
    name_span: Span
    text: str
    text_offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationCommand(Command):
    """`union NEW OLD OLD:` and the like: a word, and what the session's method of that name is to be given.

    places: every name among the arguments with where it stands.
    """

    word: str
    word_span: Span
    arguments: tuple[Argument, ...]
    places: tuple[tuple[str, Span], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherCommand(Command):
    """Any other word, with the rest of the command as it was written (blanks around it dropped)."""

    word: str
    word_span: Span
    rest: str
    rest_offset: int



# ---- scanner
# A place in a script that moves on as parts of commands are read: blanks, names, alphabets, quoted texts.
#
# Every method reads what must stand at this place, or raises SyntaxProblem with that place.

#: Digits of a set alphabet, and other numbers in commands, lie between -MAX_DIGIT and MAX_DIGIT.
MAX_DIGIT = 10**9

_BLANKS = re.compile(r"\s*")
_CHUNK = re.compile(r'[^\s";:{}]+')
_INTEGER = re.compile(r"([+-]?)\s*([0-9]+)")


class Scanner:
    """A script, and how far it has been read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, message: str, start: int, end: int, hint: str = "") -> NoReturn:
        raise SyntaxProblem(message, self.text, start, end, hint=hint)

    # -- between the parts -------------------------------------------------------------------

    def blanks(self, *, comment_here: bool = False) -> None:
        """Moves past blanks and comments; comment_here: a comment need not begin its line."""
        while True:
            match = _BLANKS.match(self.text, self.at)
            self.at = match.end() if match else self.at
            if not (self.text.startswith(("#", "//"), self.at) and (comment_here or self.starts_line())):
                return
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end

    def starts_line(self) -> bool:
        """Whether only blanks stand before this place on its line."""
        line_start = self.text.rfind("\n", 0, self.at) + 1
        return not self.text[line_start : self.at].strip()

    def next_is(self, characters: str) -> bool:
        """Whether the next character after blanks is one of these; False at the end of the script."""
        self.blanks()
        return self.at < len(self.text) and self.text[self.at] in characters

    def here(self) -> tuple[int, int]:
        """This place, or behind the last character that is not blank if nothing follows."""
        if self.at < len(self.text):
            return self.at, self.at + 1
        end = len(self.text.rstrip())
        return end, end + 1

    def matched(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The pattern at this place after blanks, if it is there, and moves past it."""
        self.blanks()
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        return found

    def chunk(self) -> re.Match[str] | None:
        """What stands here up to a blank, a quote, a brace or a terminator; not moved past."""
        self.blanks()
        return _CHUNK.match(self.text, self.at)

    # -- the parts ---------------------------------------------------------------------------

    def name(self, word: str, usage: str) -> tuple[str, Span]:
        """The name that must follow the word of a command."""
        chunk = self.chunk()
        if chunk is None:
            self.fail(f"expected a name after `{word}`", *self.here(), f"write {usage}")
        if not NAME.fullmatch(chunk[0]):
            self.fail(f"`{chunk[0]}` is not a name", *chunk.span(), "a name is a letter, then letters, digits or _")
        self.at = chunk.end()
        return chunk[0], Span(*chunk.span())

    def quoted(self, word: str, what: str) -> tuple[str, int]:
        """The quoted text that must stand here, and the offset of its first character."""
        if not self.next_is('"'):
            self.fail(f"expected a {what} in quotes after `{word}`", *self.here())
        start = self.at + 1
        end = self.text.find('"', start)
        if end < 0:
            self.fail("this quote is never closed", self.at, start)
        self.at = end + 1
        return self.text[start:end], start

    def terminator(self, what: str) -> str:
        """The terminator that must stand here."""
        self.blanks()
        for terminator in ("::", ":", ";"):
            if self.text.startswith(terminator, self.at):
                self.at += len(terminator)
                return terminator
        self.fail(f"expected `;`, `:` or `::` after the {what}", *self.here())

    def alphabet(self) -> Alphabet:
        """A set of digits or the name of a numeration system."""
        if self.next_is("{"):
            return self.digit_set()
        chunk = self.chunk()
        if chunk is None:
            start, end = self.here()
            self.fail("`}` without `{`" if self.next_is("}") else "expected an alphabet", start, end)
        if not SYSTEM.fullmatch(chunk[0]):
            self.fail(
                f"`{chunk[0]}` is not an alphabet", *chunk.span(),
                "an alphabet is a set such as {0,1} or a numeration system such as msd_fib",
            )
        self.at = chunk.end()
        return SystemAlphabet(full_name(chunk[0]), Span(*chunk.span()))

    def digit_set(self) -> DigitSet:
        """`{0, 1, -1}`, where each digit occurs once."""
        opening = self.at
        closing = self.text.find("}", opening)
        quote = self.text.find('"', opening)
        if closing < 0 or 0 <= quote < closing:
            self.fail("this `{` is never closed", opening, opening + 1)
        digits: list[int] = []
        start = opening + 1
        for part in self.text[start:closing].split(","):
            blank = len(part) - len(part.lstrip())
            place = (start + blank, max(start + len(part.rstrip()), start + blank + 1))
            digit = self.integer_of(part.strip(), place)
            if digit in digits:
                self.fail(f"the digit {digit} is in the alphabet already", *place)
            digits.append(digit)
            start += len(part) + 1
        self.at = closing + 1
        return DigitSet(tuple(digits), Span(opening, self.at))

    def integer_of(self, written: str, place: tuple[int, int], what: str = "digit") -> int:
        """The number that was written at a place."""
        match = _INTEGER.fullmatch(written)
        if match is None:
            self.fail(f"`{written}` is not a {what}" if written else f"expected a {what}", *place)
        value = int(match[2]) if len(match[2]) <= len(str(MAX_DIGIT)) else MAX_DIGIT + 1
        if value > MAX_DIGIT:
            self.fail(f"a {what} may be at most {MAX_DIGIT}", *place)
        return -value if match[1] == "-" else value



# ---- arguments
# What may follow the word of a command: names, signs and labels in brackets, numbers; and metacommands.

_SOURCE = re.compile(r"\$?\s*[^\s\";:{}\[\]=$]+")
_BRACKET = re.compile(r"\[([^\[\]\";:]*)\]")

#: What metacommands there are, with what may stand in them after a number or `*`.
METACOMMANDS: Mapping[str, tuple[str, ...]] = {
    "strategy": ("SC", "BRZ", "CCL", "CCLS", "BRZ-CCL", "BRZ-CCLS"),
    "export": ("BA", "GV", "TXT"),
}

#: A metacommand without anything behind it: closed formulas are decided early, which the planner does by itself.
EARLY = "earlyExistTermination"


class Arguments:
    """What follows the word of one command; every name is noted with its place."""

    def __init__(self, scanner: Scanner, word: str, usage: str) -> None:
        self.scanner = scanner
        self.word = word
        self.usage = usage
        self.places: list[tuple[str, Span]] = []

    def fail(self, message: str, start: int | None = None, end: int | None = None) -> NoReturn:
        """SyntaxProblem at a place, or here, with the usage as hint."""
        here = self.scanner.here()
        hint = f"write {self.usage}"
        self.scanner.fail(message, here[0] if start is None else start, here[1] if end is None else end, hint)

    def ends(self) -> bool:
        """Whether the terminator stands here, or nothing at all."""
        self.scanner.blanks()
        return self.scanner.at == len(self.scanner.text) or self.scanner.next_is(";:")

    def noted(self, name: str, start: int, end: int) -> str:
        """The name, whose place is kept."""
        self.places.append((name, Span(start, end)))
        return name

    def new(self) -> str:
        """The name of what the command makes."""
        self.scanner.blanks()
        found = self.scanner.matched(_SOURCE)
        if found is None:
            self.fail(f"expected a name after `{self.word}`")
        if not NAME.fullmatch(found[0]):
            self.fail(f"`{found[0]}` is not a name", *found.span())
        return self.noted(found[0], *found.span())

    def source(self, what: str = "name") -> str:
        """A name, with `$` in front where it is that of a predicate."""
        self.scanner.blanks()
        found = self.scanner.matched(_SOURCE)
        if found is None:
            self.fail(f"expected a {what}")
        name = "".join(found[0].split())
        if not NAME.fullmatch(name.removeprefix("$")):
            self.fail(f"`{found[0]}` is not a name", *found.span())
        return self.noted(name, *found.span())

    def sources(self, at_least: int) -> tuple[str, ...]:
        """Names up to the terminator."""
        found: list[str] = []
        while not self.ends():
            found.append(self.source())
        if len(found) < at_least:
            what = "one automaton" if at_least == 1 else f"{at_least} automata"
            self.fail(f"`{self.word}` needs at least {what}")
        return tuple(found)

    def brackets(self) -> tuple[tuple[str, Span], ...]:
        """What stands in the brackets that follow, one pair after the other."""
        found = []
        while (bracket := self.scanner.matched(_BRACKET)) is not None:
            found.append((bracket[1].strip(), Span(*bracket.span())))
        return tuple(found)

    def signs(self) -> tuple[str, ...]:
        """`[+][-][]`: one sign or none a track."""
        found = self.brackets()
        for sign, span in found:
            if sign not in ("+", "-", ""):
                self.fail(f"`{sign}` is not a sign: it is +, - or nothing", span.start, span.end)
        if not found:
            self.fail("expected the signs of the tracks")
        return tuple(sign for sign, _ in found)

    def integers(self) -> tuple[int, ...]:
        """`[0 1 2]`: numbers in brackets."""
        found = self.scanner.matched(_BRACKET)
        if found is None:
            self.fail("expected numbers in brackets")
        place = found.span()
        return tuple(self.scanner.integer_of(number, place, "number") for number in found[1].split())

    def text(self) -> str:
        """A quoted text."""
        text, start = self.scanner.quoted(self.word, "text")
        return self.noted(text, start, start + len(text))

    def chunk(self, what: str) -> str:
        """Anything up to the next blank or terminator."""
        found = self.scanner.chunk()
        if found is None:
            self.fail(f"expected a {what}")
        self.scanner.at = found.end()
        return self.noted(found[0], *found.span())

    def system(self) -> str:
        """A numeration system."""
        name = self.chunk("numeration system")
        _, span = self.places.pop()
        return self.noted(full_name(name), span.start, span.end)


def metacommand(scanner: Scanner) -> Metacommand:
    """`[strategy 3 CCLS]` or `[export * BA]`, at whose bracket the scanner stands."""
    found = scanner.matched(_BRACKET)
    if found is None:
        scanner.fail("this `[` is never closed", scanner.at, scanner.at + 1)
    words = tuple(found[1].split())
    if words == (EARLY,):
        return Metacommand(words, Span(*found.span()))
    hint = "write [strategy 3 CCLS] or [export * BA], with the number of an automaton or * for all"
    if not words or words[0] not in METACOMMANDS:
        scanner.fail(f"there is no metacommand {found[0]}", *found.span(), hint)
    if len(words) != 3 or not (words[1] == "*" or words[1].isdecimal()):
        scanner.fail(f"`{words[0]}` needs a number or *, and a name", *found.span(), hint)
    known = METACOMMANDS[words[0]]
    if words[2].upper() not in known:
        scanner.fail(f"`{words[2]}` is none of {', '.join(known)}", *found.span(), hint)
    return Metacommand(words, Span(*found.span()))



# ---- operations
# The commands on what has a name already, such as `union NEW OLD OLD;`.
#
# One function a form of command; it reads what follows the command's word, and what it returns are the
# arguments of the session's method of that name.  Sources keep the `$` that tells predicates from words.

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



# ---- commands
# Scripts: sequences of commands such as `def even "Ey x=2*y":`.
#
# A command is a word, what it needs, and a terminator: `;`, `:` or `::` (they ask for more or less
# output).  Commands may share a line or take several; text in double quotes may hold anything but a
# double quote.  A comment runs from `#` or `//` to the end of its line; it may begin a line, or follow
# a terminator.  As Walnut looks at nothing behind a terminator, plain words may stand there, too, if
# the first is no command.  A terminator alone does nothing.  A command that ends in `::` may follow
# metacommands in brackets.

#: All words that a command may begin with, and how the command is written.
WORDS: Mapping[str, About] = {**OTHERS, **OPERATIONS}

#: Two words or more up to the end of a line, and nothing that a command or a formula would need.
_PLAIN_WORDS = re.compile(r"[a-zA-Z][\w',.()*/+-]*(?:[^\S\n]+[\w',.()*/+!-]+)+[^\S\n]*(?=\n|\Z)")

#: A line of a formula that is a remark: it begins with # or //, and with no call of a macro.
_REMARK = re.compile(r"(?<=\n)[^\S\n]*(?:#(?!\s*[A-Za-z]\w*\s*\()|//)[^\n]*", re.ASCII)

#: A terminator at the end of a line.
_ENDED = re.compile(r"[;:][^\S\n]*(?://[^\n]*)?(?=\n|\Z)")


def skip_remark(text: str, at: int) -> int | None:
    """Where something ends that is no command and means nothing, None if it is something else.

    That is a terminator that ends nothing, and behind one a remark in plain words: `all words that end in 00` in
    `reg a msd_2 "(0|1)*00"; all words that end in 00`.
    """
    if text.startswith((";", ":"), at):
        return at + 1
    found = _PLAIN_WORDS.match(text, at)
    if found is None or not text[text.rfind("\n", 0, at) + 1 : at].strip():
        return None
    word = NAME.match(text, at)
    # What is nearly a command is one with a slip in it, and no remark.
    return None if word is not None and get_close_matches(word[0], WORDS, n=1, cutoff=0.78) else found.end()


def parse_script(text: str) -> tuple[Command, ...]:
    """All commands of a script.  SyntaxProblem, with the place in the script, for the first that is none."""
    return tuple(iterate_script(text))


def iterate_script(text: str) -> Iterator[Command]:
    """The commands of a script one by one; raises SyntaxProblem only when the faulty one is reached."""
    reader = _Reader(text)
    while (command := reader.command()) is not None:
        yield command


def rest_of_script(text: str, at: int) -> str:
    """The script blanked up to the end of the line that ends the command at an offset."""
    ended = _ENDED.search(text, at)
    return blanked(text, ended.end() if ended else len(text))


def blanked(text: str, end: int) -> str:
    """The script with blanks for what stands before an offset, so that all places stay what they are."""
    return re.sub(r"[^\n]", " ", text[:end]) + text[end:]


def line_number(text: str, offset: int) -> int:
    """The number, from 1, of the line an offset is on."""
    return text.count("\n", 0, offset) + 1


def in_script(problem: TextError, script: str, text: str, text_offset: int) -> TextError:
    """The same problem, shown in the script.

    text, text_offset: the quoted part of the command that `problem` is about.  A problem about any
    other text (as after macro expansion) is returned as it is.
    """
    if problem.text != text:
        return problem
    return type(problem)(
        problem.message, script, text_offset + problem.start, text_offset + problem.end, hint=problem.hint
    )


def in_command(problem: TextError, script: str, command: Command) -> TextError:
    """A problem with a text or a name of a command, shown in the script; any other is returned as it is."""
    for text, span in _places(command):
        if problem.text == text:
            written = script[span.start : span.end]
            if written == text:
                return in_script(problem, script, text, span.start)
            # A name that was written in another way.
            return type(problem)(problem.message, script, span.start, span.end, hint=problem.hint)
    return problem


def _places(command: Command) -> list[tuple[str, Span]]:
    """The texts and names of a command, with their places."""
    match command:
        case OperationCommand():
            return [*command.places, (command.word, command.word_span)]
        case OtherCommand():
            return [(command.word, command.word_span)]
        case DefCommand() | EvalCommand() | MacroCommand() | RegCommand():
            begin = command.text_offset
            found = [(command.text, Span(begin, begin + len(command.text))), (command.name, command.name_span)]
            if isinstance(command, RegCommand):
                found += [(each.system, each.span) for each in command.alphabets if isinstance(each, SystemAlphabet)]
            return found
    return []


def title(command: Command) -> str:
    """A command as answers name it: its word and its name."""
    if isinstance(command, OperationCommand):
        return " ".join([command.word, *(name for name, _ in command.places[:1])])
    if isinstance(command, OtherCommand):
        return command.word
    word = type(command).__name__.removesuffix("Command").lower()
    return f"{word} {getattr(command, 'name', '')}".rstrip()


def named_with_line(command: Command, script: str) -> str:
    """Which command of a script this is; nothing where it is the only one."""
    alone = not script[: command.span.start].strip() and not script[command.span.end :].strip()
    return "" if alone else f"line {command.line}, {title(command)}"


def error_span(command: Command) -> Span | None:
    """Where to show what is wrong with a command for another reason than one of its texts and names.

    The word of an operation, the variables of a linear representation; None for other commands.
    """
    match command:
        case OperationCommand():
            return command.word_span
        case DefCommand() | EvalCommand() if command.variables:
            return Span(command.name_span.end + 1, command.text_offset - 1)
    return None


def systems_of(command: Command) -> list[str]:
    """The numeration systems that a command names outside of quotes."""
    match command:
        case RegCommand():
            return [each.system for each in command.alphabets if isinstance(each, SystemAlphabet)]
        case OperationCommand(word="convert" | "alphabet"):
            named = command.arguments[1]
            return [each for each in (named if isinstance(named, tuple) else (named,)) if isinstance(each, str)]
    return []


def ends_session(command: Command) -> bool:
    """Whether nothing after this command is carried out."""
    return isinstance(command, OperationCommand) and command.word in ("quit", "exit")


class _Reader(Scanner):
    """Reads one command after the other."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.line = 1
        self.counted = 0

    def command(self) -> Command | None:
        """The next command, or None at the end."""
        self.between()
        if self.at == len(self.text):
            return None
        start = self.at
        self.line += self.text.count("\n", self.counted, start)
        self.counted = start
        before: list[Metacommand] = []
        while self.text.startswith("[", self.at):
            before.append(metacommand(self))
            self.blanks()
        word = NAME.match(self.text, self.at)
        if word is None:
            begin, end = self.here()
            shown = self.text[begin:end]
            self.fail(f"a command must begin here, not `{shown}`" if shown else "expected a command", begin, end)
        self.at = word.end()
        command = self.of_word(word[0], Span(*word.span()), start, tuple(before))
        if before and command.terminator != "::":
            self.fail(
                "metacommands work before commands that end in `::`", self.at - len(command.terminator), self.at,
                "end the command in ::",
            )
        return command

    def between(self) -> None:
        """Moves past blanks, comments, and what else means nothing between commands."""
        self.blanks(comment_here=True)
        while (end := skip_remark(self.text, self.at)) is not None:
            self.at = end
            self.blanks(comment_here=True)

    def of_word(self, word: str, place: Span, start: int, before: tuple[Metacommand, ...]) -> Command:
        """The command that begins with this word, which has been read."""
        match word:
            case "def" | "eval":
                return self.formula_command(start, word, before)
            case "reg":
                return self.reg(start, before)
            case "macro":
                name, name_span = self.name("macro", 'macro NAME "text";')
                text, offset = self.quoted(f"macro {name}", "text")
                return MacroCommand(
                    name=name, name_span=name_span, text=text, text_offset=offset, terminator=self.terminator("text"),
                    span=Span(start, self.at), line=self.line, metacommands=before,
                )
        if word in OPERATIONS or word == "draw":
            arguments, places = old_draw(self) if word == "draw" else operation(self, word)
            return OperationCommand(
                word="export" if word == "draw" else word, word_span=place, arguments=arguments, places=places,
                terminator=self.terminator(f"command `{word}`"), span=Span(start, self.at), line=self.line,
                metacommands=before,
            )
        return self.other(start, place, before)

    def formula_command(self, start: int, word: str, before: tuple[Metacommand, ...]) -> DefCommand | EvalCommand:
        name, name_span = "", Span(self.at, self.at)
        if not self.next_is('"'):
            name, name_span = self.name(word, f'{word} NAME "formula";')
        variables: list[str] = []
        while name and (chunk := self.chunk()) is not None:
            if not NAME.fullmatch(chunk[0]):
                self.fail(
                    f"`{chunk[0]}` is not a name of a variable", *chunk.span(),
                    f'the formula stands in quotes: {word} {name} "..."',
                )
            variables.append(chunk[0])
            self.at = chunk.end()
        text, offset = self.quoted(f"{word} {name}".strip(), "formula")
        # Blanks in place of remarks, so that offsets stay.
        text = _REMARK.sub(lambda found: " " * len(found[0]), text)
        kind = DefCommand if word == "def" else EvalCommand
        return kind(
            name=name, name_span=name_span, text=text, text_offset=offset, variables=tuple(variables),
            terminator=self.terminator("formula"), span=Span(start, self.at), line=self.line, metacommands=before,
        )

    def reg(self, start: int, before: tuple[Metacommand, ...]) -> RegCommand:
        name, name_span = self.name("reg", 'reg NAME ALPHABET "regular expression";')
        alphabets: list[Alphabet] = []
        self.blanks()
        while self.at < len(self.text) and not self.next_is('";:'):
            alphabets.append(self.alphabet())
            self.blanks()
        text, offset = self.quoted(f"reg {name}", "regular expression")
        if not alphabets:
            self.fail(
                "`reg` needs the alphabet of every track before the regular expression", offset - 1, offset,
                f'for example reg {name} {{0,1}} msd_fib "..."',
            )
        return RegCommand(
            name=name, name_span=name_span, alphabets=tuple(alphabets), text=text, text_offset=offset,
            terminator=self.terminator("regular expression"), span=Span(start, self.at), line=self.line,
            metacommands=before,
        )

    def other(self, start: int, word: Span, before: tuple[Metacommand, ...]) -> OtherCommand:
        """Everything up to the first terminator that is in no quotes."""
        begin = self.at
        while True:
            self.blanks()
            if self.at == len(self.text) or self.text[self.at] in ";:":
                break
            if self.text[self.at] == '"':
                self.quoted("", "text")
                continue
            self.at += 1
        end = self.at
        rest = self.text[begin:end]
        written = self.text[word.start : word.end]
        return OtherCommand(
            word=written, word_span=word, rest=rest.strip(), rest_offset=begin + len(rest) - len(rest.lstrip()),
            terminator=self.terminator(f"command `{written}`"), span=Span(start, self.at), line=self.line,
            metacommands=before,
        )
