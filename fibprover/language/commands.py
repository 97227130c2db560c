"""Scripts: sequences of commands such as `def even "Ey x=2*y":`.

`parse_script` returns the `Command` values of a script, each with its place; a session runs them
(`fibprover.workspace.session`). A command is a word, its arguments, and a terminator `;`, `:` or `::` (which request
more or less output). The usage line of each command in `WORDS`, which `help` displays, also says how its arguments are
read: `Reader` reads an argument for each form (`NEW`, `OLD ...`, `[SIGN] ...`) in it.

Commands may share a line or take several; text in double quotes may hold anything but a double quote. A comment runs
from `#` or `//` to the end of its line; it may begin a line or follow a terminator. Since Walnut ignores the rest of
the line after a terminator, plain words may stand there as well if the first is not a command. A terminator alone does
nothing. A command that ends in `::` may follow metacommands in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain, islice
from typing import Any, NoReturn, TypeGuard

from fibprover.base.errors import SyntaxProblem, TextError, did_you_mean
from fibprover.base.limits import polled
from fibprover.base.names import NAME, SYSTEM, full_name
from fibprover.language.source import Span
from fibprover.language.tokens import COMMENT, END, WORD, Token, script_tokens, words

#: An argument of a command: a name or a text, a number, or several of these. An alphabet is a system's full name or a
#: tuple of digits.
Argument = str | int | tuple["Argument", ...]

#: An alphabet: the full name of a numeration system, or the digits of a plain one in the order written.
Alphabet = str | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Metacommand:
    """`[strategy 3 CCLS]` before a command: its words, in the script's spelling."""

    words: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Command:
    """A command with its place in the script, the line on which it begins (from 1) and its terminator.

    places: every name and text among the arguments, with its place.
    """

    word: str
    word_span: Span
    span: Span
    line: int
    terminator: str
    metacommands: tuple[Metacommand, ...] = ()
    places: tuple[tuple[str, Span], ...] = ()

    def __repr__(self) -> str:
        """Return what tells it from other commands, since `Session.run` returns all of them."""
        first = min(self.places, key=lambda place: place[1].start, default=("", self.span))
        return f"{type(self).__name__}({' '.join([self.word, first[0]]).strip()}, line {self.line})"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TextCommand(Command):
    """A command with a quoted text and the name that it defines."""

    name: str
    name_span: Span
    text: str
    text_offset: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DefCommand(TextCommand):
    """`def NAME "formula":`; the name may be missing (""), variables are listed between name and formula."""

    variables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EvalCommand(TextCommand):
    """`eval NAME "formula":`; the name may be missing (""), variables are listed between name and formula."""

    variables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RegCommand(TextCommand):
    """`reg NAME ALPHABET... "regex":`, one alphabet for each track."""

    alphabets: tuple[Alphabet, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MacroCommand(TextCommand):
    """`macro NAME "text":`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OperationCommand(Command):
    """`union NEW OLD OLD:` and the like; arguments: those of the function in `fibprover.workspace.commands.table`."""

    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OtherCommand(Command):
    """Any other word, with the rest of the command as it was written (blanks around it dropped)."""

    rest: str


# -- the commands ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Usage:
    """How a command is written, what it does, and an example."""

    usage: str
    summary: str
    example: str = ""


#: The formats of files that `export` and `[export]` write; files have their names as endings, in small letters.
FORMATS = ("GV", "BA", "TXT")

#: The formats in which `export` writes the counts of `eval NAME n "..."`.
MATRIX_FORMATS = ("MPL", "M", "WL", "SAGE", "JSON")

#: The words that a command may begin with, and the metacommands.
#:
#: In a usage line, NEW is the name that the command defines, and OLD, NAME, PREFIXES, SUFFIXES are existing names, with
#: `$` in front of predicates where words are possible as well. `...` repeats the form before it.
WORDS: Mapping[str, Usage] = {
    "eval": Usage(
        'eval NAME VARIABLE ... "FORMULA";',
        "decides a formula; with variables, counts the values of the others; NAME may be missing",
        'eval t "?msd_fib An Em m=2*n";',
    ),
    "def": Usage(
        'def NAME VARIABLE ... "FORMULA";', "names a formula, so that $NAME(...) calls it; variables as for eval",
        'def even "Ey x=2*y";',
    ),
    "solve": Usage(
        'solve NEW "FORMULA" ... [by TERM];',
        "defines by recursion: the formula calls $NEW; learns the relation and proves that it is the only one; further"
        " names and formulas that call each other may follow; equations such as a(2n)=a(n) define a sequence",
        'solve g "?msd_fib (n=0 & v=0) | Em,a,b n=m+1 & $g(m,a) & $g(a,b) & v+b=n";',
    ),
    "reg": Usage(
        'reg NAME ALPHABET ... "REGULAR EXPRESSION";', "names the words of a regular expression",
        'reg power2 msd_2 "0*10*";',
    ),
    "macro": Usage(
        'macro NAME "TEXT";', "names a piece of formula; #NAME(a,b) puts a for %0 and b for %1",
        'macro border "?%0 m>=1 & m<=n & $%1_eq(i,i+n-m,m)";',
    ),
    "[strategy]": Usage(
        "[strategy N NAME]",
        "before a command that ends in ::, determinizes in step N, or in all steps for *, by one strategy alone",
        '[strategy * CCLS]eval t "Ax Ey y>x"::',
    ),
    "[export]": Usage(
        "[export N FORMAT]", "before a command that ends in ::, writes the automaton of step N, or of all steps for *",
        '[export * BA]eval t "Ax Ey y>x"::',
    ),
    "union": Usage("union NEW OLD ...;", "the words that at least one of the predicates accepts", "union u a b c;"),
    "intersect": Usage("intersect NEW OLD ...;", "the words that all predicates accept", "intersect i a b c;"),
    "concat": Usage(
        "concat NEW OLD OLD ...;", "words of the first predicate, then of the second, ...", "concat c a b;",
    ),
    "star": Usage("star NEW OLD;", "any number of words of a predicate, one after the other", "star s a;"),
    "leftquo": Usage("leftquo NEW OLD PREFIXES;", "what follows one of the prefixes in words of OLD", "leftquo q a b;"),
    "rightquo": Usage(
        "rightquo NEW OLD SUFFIXES;", "what precedes one of the suffixes in words of OLD", "rightquo q a b;",
    ),
    "fixleadzero": Usage(
        "fixleadzero NEW OLD;", "the same words with any number of zeros in front", "fixleadzero f a;",
    ),
    "fixtrailzero": Usage(
        "fixtrailzero NEW OLD;", "the same words with any number of zeros at the end", "fixtrailzero f a;",
    ),
    "alphabet": Usage(
        "alphabet NEW ALPHABET ... OLD;", "a word, or a predicate $OLD, over other alphabets",
        "alphabet f msd_fib {0,1} $a;",
    ),
    "reverse": Usage("reverse NEW OLD;", "a word, or a predicate $OLD, read from the other end", "reverse R T;"),
    "minimize": Usage("minimize NEW OLD;", "the smallest automaton for a word", "minimize M T;"),
    "convert": Usage(
        "convert NEW SYSTEM OLD;", "the same word (or predicate $OLD) in base k^j instead of k^i",
        "convert T4 msd_4 T;",
    ),
    "combine": Usage(
        "combine NEW OLD[=k] ...;", "the word whose letter is the number of the last predicate that accepts the index",
        "combine C a b=5 c;",
    ),
    "join": Usage(
        "join NEW WORD[i][j] ...;", "the word with the first letter that is not 0", "join M N[a][b] K[b][c];",
    ),
    "split": Usage(
        "split NEW OLD [SIGN] ...;",
        "a word or predicate over a negative base or msd_neg_fib as one over the positive system, for one sign an"
        " index",
        "split M N [+][-][];",
    ),
    "rsplit": Usage(
        "rsplit NEW [SIGN] ... OLD;",
        "a word or predicate over a base or msd_fib as one over the negative system, for one sign an index",
        "rsplit N [+][-][] M;",
    ),
    "word": Usage(
        "word NEW[i] = TERM;", "the word with the value of a term of letters; TERM if FORMULA else TERM for cases; or,"
        " without an index, of the coefficients of a power series: coefficients of y=1+x*y^2 mod 8",
        "word G[n] = T[2*n+5]+1 if n>3 else 0;",
    ),
    "morphism": Usage('morphism NEW "RULES";', "names a morphism", 'morphism thue "0->01 1->10";'),
    "promote": Usage(
        "promote NEW MORPHISM [SYSTEM];",
        "the fixed point of a morphism from 0, as a word; of one that is not uniform, over a system", "promote T thue;",
    ),
    "image": Usage("image NEW MORPHISM OLD;", "the image of a word under a uniform morphism", "image H h T;"),
    "transduce": Usage(
        "transduce NEW TRANSDUCER OLD;", "the output of a transducer that reads a word", "transduce S RUNSUM2 T;"
    ),
    "inf": Usage("inf NAME;", "whether infinitely many words are accepted, with a family of them", "inf a;"),
    "test": Usage("test NAME NUMBER;", "the first words that are accepted", "test a 10;"),
    "first": Usage("first NAME;", "the first values that a predicate holds of", "first a;"),
    "first_rej": Usage("first_rej NAME;", "the first values that a predicate does not hold of", "first_rej a;"),
    "count": Usage("count NAME BOUND;", "how many values below a bound a predicate holds of", "count a 1000000;"),
    "regex": Usage("regex NAME;", "a regular expression for the words that a predicate accepts", "regex a;"),
    "describe": Usage("describe NAME;", "size and alphabets of a word, or of a predicate $NAME", "describe $a;"),
    "export": Usage(
        "export NAME FORMAT;",
        f"writes a word, or a predicate $NAME, to a file: {', '.join(FORMATS[:-1])} or {FORMATS[-1]}; matrices: "
        f"{', '.join(MATRIX_FORMATS[:-1])} or {MATRIX_FORMATS[-1]}", "export $a GV;",
    ),
    "ost": Usage(
        "ost NEW [PREPERIOD] [PERIOD];", "the Ostrowski system of a continued fraction", "ost root3 [0 3] [1 2];",
    ),
    "dumont_thomas": Usage(
        'dumont_thomas NEW "RULES" [NUMBER];',
        "the Dumont-Thomas system of a morphism, and the fixed point from its first letter, a word whose name has the"
        " first letter of NEW as a capital; it takes the place of a word of the library, as `dumont_thomas t` of T, and"
        " e, a and i give words that formulas write .E[n], .A[n] and .I[n]; with a number, the bound of differences in"
        " its addition", 'dumont_thomas w "0->01, 1->20, 2->0";',
    ),
    "family": Usage(
        'family NEW "RULES";',
        "the words that morphisms make, with | between them, for all sequences of choices; images have one length",
        'family W "0->01,1->10 | 0->01,1->00";',
    ),
    "slope": Usage(
        'slope NEW "EXPRESSION";',
        "the slopes that an expression over partial quotients means, or a quadratic number; a formula calls $NEW()",
        'slope small "[1-3]*";',
    ),
    "load": Usage("load FILE;", "runs the commands of a file", "load definitions.txt;"),
    "help": Usage("help COMMAND;", "how a command is written and what it does", "help combine;"),
    "cls": Usage("cls;", "clears the screen"),
    "clear": Usage("clear;", "clears the screen"),
    "quit": Usage("quit;", "ends the session"),
    "exit": Usage("exit;", "ends the session"),
}

#: Words of Walnut 7 that stand for other commands; `draw OLD;` is `export OLD GV;`.
ALIASES: Mapping[str, tuple[str, str]] = {"draw": ("export", "export OLD GV;")}

#: The metacommands, with the words that may follow a number or `*` in them.
_METACOMMANDS: Mapping[str, tuple[str, ...]] = {
    "strategy": ("SC", "BRZ", "CCL", "CCLS", "BRZ-CCL", "BRZ-CCLS"),
    "export": FORMATS,
}

#: The hint for a formula by itself, or an unknown word, where a script has commands.
FORMULA_IN_COMMAND = 'the command help lists the commands; eval "x=1"; decides the formula x=1'

#: A metacommand without arguments: it decides closed formulas early, which the planner always does.
_EARLY = "earlyExistTermination"


# -- reading scripts -------------------------------------------------------------------------


def parse_script(text: str) -> tuple[Command, ...]:
    """Return all commands of a script; SyntaxProblem, with its place in the script, for the first malformed one."""
    return tuple(iterate_script(text))


def iterate_script(text: str, start: int = 0) -> Iterator[Command]:
    """Yield the commands of a script from an offset; raise SyntaxProblem only when a malformed one is reached."""
    reader = Reader(text, start)
    while (command := reader.command()) is not None:
        yield command


def skip_comment(text: str, at: int) -> int | None:
    """Return the end of a terminator that ends nothing, or of a remark in plain words after a terminator; else None.

    For example `all words that end in 00` in `reg a msd_2 "(0|1)*00"; all words that end in 00`.
    """
    if text.startswith((";", ":"), at):
        return at + 1
    end = line_end(text, at)
    rest = text[at:end]
    plain = all(sign.isalnum() or sign.isspace() or sign in _PLAIN_SIGNS for sign in rest) and len(rest.split()) > 1
    word = NAME.match(rest)
    if word is None or not plain or not text[text.rfind("\n", 0, at) + 1 : at].strip():
        return None
    # A word that is nearly a command is a misspelled command and not a remark.
    return None if get_close_matches(word[0], WORDS, n=1, cutoff=0.78) else end


def after_command(text: str, at: int) -> int:
    """Return the end of the line that ends the command at an offset, whether or not it can be read."""
    for token in words(text, at):
        if token.type == "TERMINATOR":
            end = line_end(text, token.end)
            rest = text[token.end : end].lstrip()
            if not rest or rest.startswith(("#", "//")):
                return end
    return len(text)


def line_end(text: str, at: int) -> int:
    """Return the end of the line of an offset."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def line_number(text: str, offset: int) -> int:
    """Return the number, from 1, of the line of an offset."""
    return text.count("\n", 0, offset) + 1


def command_at(text: str, at: int) -> str:
    """Return the word of the command that begins at an offset; "" if a term of a formula seems to begin there."""
    word, *following = *islice(words(text, at), 3), *[Token(END, "")] * 3
    if word not in WORDS and word not in ALIASES:
        return ""
    apart = following[0].isspace()
    after = following[apart].type
    begins = after in ("QUOTE", "TERMINATOR", END) or (apart and after in (WORD, "CALL", "LBRACE"))
    return str(word) if begins else ""


def command_in_place_of_formula(text: str) -> SyntaxProblem | None:
    """Return the error for a text that is no formula, if it begins like a command; else None."""
    start = len(text) - len(text.lstrip())
    word = command_at(text, start)
    if not word:
        return None
    return SyntaxProblem(
        f"`{word}` is a command, but a formula is expected", text, start, start + len(word),
        hint="to run commands: fibprover run FILE, or Session.run in Python",
    )


# -- properties of a command -----------------------------------------------------------------


def in_script(problem: TextError, script: str, text: str, text_offset: int) -> TextError:
    """Return the same problem with its place in the script.

    text, text_offset: the quoted part of the command that `problem` is about.  A problem about any
    other text (for example after macro expansion) is returned unchanged.
    """
    if problem.text != text:
        return problem
    return type(problem)(
        problem.message, script, text_offset + problem.start, text_offset + problem.end, hint=problem.hint
    )


def in_command(problem: TextError, script: str, command: Command) -> TextError:
    """Return a problem about a text or a name of a command with its place in the script; any other unchanged."""
    for text, span in (*command.places, (command.word, command.word_span)):
        if problem.text == text:
            if script[span.start : span.end] == text:
                return in_script(problem, script, text, span.start)
            # The name is written in another way, such as `2` for msd_2.
            return type(problem)(problem.message, script, span.start, span.end, hint=problem.hint)
    return problem


def loads(command: Command) -> TypeGuard[OperationCommand]:
    """Return whether a command runs a script."""
    return isinstance(command, OperationCommand) and command.word == "load"


def title(command: Command) -> str:
    """Return the word and the name of a command, for the text of answers."""
    match command:
        case TextCommand():
            name = command.name
        case OperationCommand():
            name = next((name for name, _ in command.places), "")
        case _:
            name = ""
    return f"{command.word} {name}".rstrip()


def named_with_line(command: Command, script: str) -> str:
    """Return the line and title of a command; "" if it is the only one of its script."""
    alone = not script[: command.span.start].strip() and not script[command.span.end :].strip()
    return "" if alone else f"line {command.line}, {title(command)}"


def error_span(command: Command) -> Span | None:
    """Return the place of an error that is not about one of the command's texts and names.

    The place is the word of an operation, or the variables of a linear representation; None for other commands.
    """
    match command:
        case OperationCommand():
            return command.word_span
        case DefCommand() | EvalCommand() if command.variables:
            return Span(command.name_span.end + 1, command.text_offset - 1)
    return None


def systems_of(command: Command) -> list[str]:
    """Return the numeration systems that a command names outside of quotes."""
    alphabets: tuple[object, ...] = ()
    match command:
        case RegCommand():
            alphabets = command.alphabets
        case OperationCommand(word="convert" | "alphabet"):
            named = command.arguments[1]
            alphabets = named if isinstance(named, tuple) else (named,)
        case OperationCommand(word="promote"):
            alphabets = command.arguments[2:]
    return [each for each in alphabets if isinstance(each, str)]


def ends_session(command: Command) -> bool:
    """Return whether the commands after this one are not run."""
    return command.word in ("quit", "exit")


# -- the reader ------------------------------------------------------------------------------

#: What the text of a power series begins with (`fibprover.words.series_text`).
SERIES = ("coefficients of", "diagonal of", "constant terms of")

#: Digits of a set alphabet, and other numbers in commands, lie between -MAX_DIGIT and MAX_DIGIT.
MAX_DIGIT = 10**9

#: Characters that end a word of a command, and those that end a name as well; blanks do, too.
_AFTER_CHUNK = '";:{}'
_AFTER_NAME = '";:{}[]=$'

#: Quotes of printed texts, as they are copied from a paper.
_PRINTED_QUOTES = tuple("“”„‟‘’«»″＂")  # noqa: RUF001

#: A form of a usage line, with `...` if it is repeated.
_FORM = re.compile(r'(?:"[^"]*"|[^\s;]+)(?: \.\.\.)?')

#: So many tokens are read without a look at the budget.
_READ_AT_ONCE = 64

#: Characters of remarks in plain words, besides letters, digits and blanks.
_PLAIN_SIGNS = "_',.()*/+-!"


class Reader:
    """A script and the place up to which it is read; every method moves past what it reads.

    Methods raise SyntaxProblem, with the place, if the script does not continue as expected.
    """

    def __init__(self, text: str, start: int = 0) -> None:
        self.text = text
        tokens = script_tokens(text, start)
        # A budget that is spent before the first command is an error of that command, which has a place.
        self._coming = chain(islice(tokens, _READ_AT_ONCE), polled(tokens, "reading commands"))
        #: The tokens of the current command that were looked at, and how many of them are read.
        self.tokens: list[Token] = []
        self.place = 0
        self.line = 1
        self._counted = 0
        #: The word, the usage, the name (if there is one) and the places of the names of the current command.
        self.word = ""
        self.usage = ""
        self.name = ""
        self.places: list[tuple[str, Span]] = []
        #: The last text in quotes of the current command.
        self._quoted: Span | None = None

    def fail(self, message: str, start: int | None = None, end: int | None = None, hint: str | None = None) -> NoReturn:
        """Raise SyntaxProblem at a place, by default at this one; the default hint is the usage.

        If a quote seems to have been left open on an earlier line, the error is about that quote.
        """
        quoted, self._quoted = self._quoted, None
        if quoted is not None and self.holds_command(quoted):
            self.fail("this quote is never closed", quoted.start - 1, quoted.start, "")
        here = self.here()
        start = here[0] if start is None else start
        if self.text[start : start + 1] in _PRINTED_QUOTES:
            shown = self.text[start : start + 1]
            message = f"`{shown}` is not a quotation mark in scripts"
            raise SyntaxProblem(message, self.text, start, start + 1, hint='write "')
        raise SyntaxProblem(
            message, self.text, start, here[1] if end is None else end,
            hint=f"write {self.usage}" if hint is None else hint,
        )

    def holds_command(self, quoted: Span) -> bool:
        """Return whether a line of a text in quotes begins like a command."""
        lines = (line.lstrip().rstrip("\r") for line in self.text[quoted.start : quoted.end].split("\n")[1:])
        return any(command_at(line, 0) not in ("", line) for line in lines)

    # -- tokens ----------------------------------------------------------------------------

    @property
    def token(self) -> Token:
        """The token at this place; END at the end of the script."""
        while self.place >= len(self.tokens):
            token = next(self._coming, None)
            if token is None:
                return Token(END, "", len(self.text), len(self.text))
            self.tokens.append(token)
        return self.tokens[self.place]

    @property
    def at(self) -> int:
        """The offset of this place."""
        return self.token.start

    def move_to(self, offset: int) -> None:
        """Move to the first token that begins at an offset or after it."""
        while self.token.start < offset:
            self.place += 1

    def take(self, *texts: str) -> Token | None:
        """Read a token after blanks, if it is one of these texts."""
        self.blanks()
        if (found := self.token) not in texts:
            return None
        self.place += 1
        return found

    def run(self, stops: str, *, blanks: bool = False) -> Token | None:
        """Read what follows blanks, as one token, up to one of these characters or a blank; None if that is nothing.

        blanks: it may hold blanks, but does not end in one.  A name with its `$` may begin it.
        """
        self.blanks()
        start = self.at
        self.place += self.token.type == "CALL"
        while self.token.type != END and not any(stop in self.token for stop in stops):
            if not blanks:
                self.part()
                if self.token.isspace():
                    break
            self.place += 1
        found = self.text[start : self.at].rstrip()
        return Token(WORD, found, start, start + len(found)) if found else None

    def part(self) -> None:
        """Split the token at this place at its first blank: `@ 5` is one token, since it is a letter in a term."""
        token = self.token
        first, *rest = token.split(maxsplit=1) or [""]
        if rest and token.startswith(first):
            at = token.start + len(first)
            parts = [Token(token.type, first, token.start, at), *words(self.text, at, token.end)]
            self.tokens[self.place : self.place + 1] = parts

    def without_comments(self, begin: int) -> str:
        """Return the text of the tokens from one up to this place; blanks replace comments, so that places stay."""
        written = self.tokens[begin : self.place]
        return "".join([" " * len(token) if token.type == COMMENT else token for token in written])

    # -- commands --------------------------------------------------------------------------

    def command(self) -> Command | None:
        """Read the next command; None at the end of the script."""
        self.between()
        if self.token.type == END:
            return None
        start = self.at
        del self.tokens[: self.place]
        self.place = 0
        self.line += self.text.count("\n", self._counted, start)
        self._counted = start
        metacommands: list[Metacommand] = []
        while self.token == "[":
            metacommands.append(self.metacommand())
            self.blanks()
        found = self.token
        if found.type != WORD:
            shown = found[:1]
            hint = FORMULA_IN_COMMAND if shown else ""
            self.fail(f"a command must begin here, not `{shown}`" if shown else "expected a command", hint=hint)
        self.place += 1
        self.word, self.usage = ALIASES.get(found) or (str(found), WORDS[found].usage if found in WORDS else "")
        self.name, self.places, self._quoted = "", [], None
        kind, fields = self.fields()
        terminator = self.terminator(found)
        if metacommands and terminator != "::":
            self.fail(
                "metacommands work before commands that end in `::`", self.at - len(terminator), self.at,
                "end the command in ::",
            )
        return kind(
            word=self.word, word_span=Span(*found.span), span=Span(start, self.at), line=self.line,
            terminator=terminator, metacommands=tuple(metacommands), places=tuple(self.places), **fields,
        )

    def fields(self) -> tuple[type[Command], dict[str, Any]]:
        """Read the rest of a command after its word; return the class of the command and the fields of that class."""
        if not self.usage:
            return OtherCommand, {"rest": self.rest()}
        if self.word not in _TEXT_COMMANDS:
            return OperationCommand, {"arguments": tuple(self.arguments(self.usage))}
        kind, names_of_fields = _TEXT_COMMANDS[self.word]
        name_span = self.defined_name()
        *more, text = self.arguments(self.usage.replace("NAME ", "", 1))
        text_place = self.places.pop()
        self.places = [text_place, *([(self.name, name_span)] if self.name else []), *self.places]
        fields = {"name": self.name, "name_span": name_span, "text": text, "text_offset": text_place[1].start}
        return kind, {**fields, **dict(zip(names_of_fields, more, strict=True))}

    def arguments(self, usage: str) -> list[Argument]:
        """Read the arguments of a command as its usage line describes them, form by form."""
        _, *forms = _FORM.findall(usage)
        found = [argument for form in forms for argument in _FORMS[form](self)]
        end = self.at
        if not self.ends():
            self.check_line(end)
            self.fail(f"unexpected text after the command `{self.word}`")
        return found

    def rest(self) -> str:
        """Read everything up to the first terminator that is not in quotes."""
        begin = self.at
        while not self.ends():
            if self.next_is('"'):
                self.quoted("text")
                # An error is about the word of such a command, even if a text in it is the same.
                self.places.pop()
            else:
                self.place += 1
        return self.text[begin : self.at].strip()

    def metacommand(self) -> Metacommand:
        """Read `[strategy 3 CCLS]` or `[export * BA]`."""
        found = self.bracket()
        if found is None:
            self.fail("this `[` is never closed", self.at, self.at + 1, "")
        written = _words_of(found)
        names, place = tuple(map(str, written)), Span(*found.span)
        if names == (_EARLY,):
            return Metacommand(names, place)
        hint = "write [strategy 3 CCLS] or [export * BA], with the number of an automaton or * for all"
        first, number, name, further, *_ = (*written, *[Token(END, "]", found.end - 1, found.end)] * 4)
        if first not in _METACOMMANDS:
            self.fail(f"unknown metacommand [{' '.join(names)}]", *first.span, hint)
        if number != "*" and not number.isdecimal():
            self.fail(f"`{first}` needs a number or *, and a name", *number.span, hint)
        if name.type == END or further.type != END:
            self.fail(f"`{first}` needs a number or *, and a name", *(name if name.type == END else further).span, hint)
        known = _METACOMMANDS[first]
        if name.upper().replace("_", "-") not in known:
            self.fail(f"`{name}` must be one of {', '.join(known)}", *name.span, hint)
        return Metacommand(names, place)

    # -- between the arguments ---------------------------------------------------------------

    def between(self) -> None:
        """Move past blanks, comments, and everything else that is ignored between commands."""
        self.blanks()
        while (end := skip_comment(self.text, self.at)) is not None:
            self.move_to(end)
            self.blanks()

    def blanks(self) -> None:
        """Move past blanks and comments."""
        while self.token.isspace() or self.token.type == COMMENT:
            self.place += 1

    def starts_line(self) -> bool:
        """Return whether only blanks precede this place on its line."""
        line_start = self.text.rfind("\n", 0, self.at) + 1
        return not self.text[line_start : self.at].strip()

    def next_is(self, characters: str) -> bool:
        """Return whether the next character after blanks is one of these; False at the end of the script."""
        self.blanks()
        return self.token.type != END and self.token[0] in characters

    def ends(self) -> bool:
        """Return whether a terminator or the end of the script follows."""
        return self.next_is(";:") or self.token.type == END

    def here(self) -> tuple[int, int]:
        """Return this place, or the one after the last character that is not blank at the end of the script."""
        if self.at < len(self.text):
            return self.at, self.at + 1
        end = len(self.text.rstrip())
        return end, end + 1

    def terminator(self, beginning: Token) -> str:
        """Read a terminator; beginning: the word of the command, which the error is about if no command has it."""
        found = self.take("::", ":", ";")
        if found is not None:
            return str(found)
        if not self.usage:
            hint = did_you_mean(self.word, [*WORDS], FORMULA_IN_COMMAND)
            self.fail(f"unknown command `{self.word}`", *beginning.span, hint)
        self.fail(f"expected `;`, `:` or `::` after the command `{self.word}`", hint="")

    def check_line(self, end: int) -> None:
        """Raise SyntaxProblem if a command begins here, on its own line: the one that ends before has no terminator."""
        if self.starts_line() and command_at(self.text, self.at):
            message = f"expected `;`, `:` or `::` after the command `{self.word}`"
            self.fail(message, end, end + 1, "the next line also begins a command")

    # -- parts of arguments ------------------------------------------------------------------

    def chunk(self, what: str) -> Token:
        """Read everything up to a blank, a quote, a brace or a terminator."""
        found = self.run(_AFTER_CHUNK)
        if found is None:
            self.fail(f"expected a {what}")
        return found

    def noted(self, name: str, start: int, end: int) -> str:
        """Note the place of a name or text."""
        self.places.append((name, Span(start, end)))
        return name

    def quoted(self, what: str) -> str:
        """Read a quoted text."""
        if not self.next_is('"'):
            self.fail(f"expected a {what} in quotes after `{f'{self.word} {self.name}'.rstrip()}`")
        start = self.token.end
        self.place += 1
        while self.token.type not in ("QUOTE", END):
            self.place += 1
        end = self.at
        if self.token.type == END:
            self.fail("this quote is never closed", start - 1, start, "")
        self.place += 1
        self._quoted = Span(start, end)
        return self.noted(self.text[start:end], start, end)

    def integer_of(self, written: str, place: tuple[int, int], what: str = "digit") -> int:
        """Return the number that is written at a place."""
        sign = written[:1] if written[:1] in ("+", "-") else ""
        digits = written.removeprefix(sign).lstrip()
        if not (digits.isascii() and digits.isdecimal()):
            self.fail(f"`{written}` is not a {what}" if written else f"expected a {what}", *place)
        value = int(digits) if len(digits) <= len(str(MAX_DIGIT)) else MAX_DIGIT + 1
        if value > MAX_DIGIT:
            self.fail(f"a {what} may be at most {MAX_DIGIT}", *place)
        return -value if sign == "-" else value

    def bracket(self) -> Token | None:
        """Read a pair of brackets with words between them, if it is there."""
        self.blanks()
        begin, start = self.place, self.at
        if self.take("[") is not None:
            while self.token.type == COMMENT or (self.token.type != END and not set(self.token) & set('[]";:')):
                self.place += 1
            if (closing := self.take("]")) is not None:
                return Token(WORD, self.without_comments(begin), start, closing.end)
        self.place = begin
        return None

    def brackets(self) -> list[tuple[str, Span]]:
        """Read consecutive pairs of brackets; return the text in each, with its place."""
        found = []
        while (bracket := self.bracket()) is not None:
            found.append((bracket[1:-1].strip(), Span(*bracket.span)))
        return found

    def indices(self) -> tuple[str, ...]:
        """Read `[i][j]`: names of indices, at least one."""
        found = self.brackets()
        for label, span in found:
            if not NAME.fullmatch(label):
                self.fail(f"`{label}` is not a name of an index", span.start, span.end)
        if not found:
            self.fail("expected indices in brackets")
        return tuple(label for label, _ in found)

    def alphabet(self) -> Alphabet:
        """Read a set of digits or the name of a numeration system."""
        if self.next_is("{"):
            return self.digit_set()
        if self.next_is("}"):
            self.fail("`}` without `{`")
        found = self.chunk("numeration system or a set of digits")
        if not SYSTEM.fullmatch(found):
            self.fail(
                f"`{found}` is not an alphabet", *found.span,
                "an alphabet is a set such as {0,1} or a numeration system such as msd_fib",
            )
        return self.noted(full_name(found), *found.span)

    def digit_set(self) -> tuple[int, ...]:
        """Read `{0, 1, -1}`, where each digit occurs once."""
        opening, begin = self.at, self.place
        while self.token.type not in ("RBRACE", "QUOTE", END):
            self.place += 1
        if self.token.type != "RBRACE":
            self.fail("this `{` is never closed", opening, opening + 1)
        digits: list[int] = []
        start = opening + 1
        for part in self.without_comments(begin)[1:].split(","):
            blank = len(part) - len(part.lstrip())
            place = (start + blank, max(start + len(part.rstrip()), start + blank + 1))
            if (remark := re.search(r"#|//", part)) is not None:
                at = start + remark.start()
                self.fail("no comment can stand here", at, line_end(self.text, at), "a comment begins a line")
            digit = self.integer_of(part.strip(), place)
            if digit in digits:
                self.fail(f"the digit {digit} is in the alphabet already", *place)
            digits.append(digit)
            start += len(part) + 1
        self.place += 1
        return tuple(digits)

    # -- the forms of usage lines: each method returns arguments -----------------------------

    def defined_name(self) -> Span:
        """Read the NAME that a command with a text defines; that of `eval` and `def` may be missing."""
        after_word = self.at
        if self.word in ("eval", "def") and self.next_is('"'):
            return Span(after_word, after_word)
        found = self.run(_AFTER_CHUNK)
        if found is None:
            self.fail(f"expected a name after `{self.word}`")
        if not NAME.fullmatch(found):
            hint = "a name is a letter, then letters, digits or _"
            if self.word in ("eval", "def"):
                hint += f'; the formula stands in quotes: {self.word} NAME "..."'
            self.fail(f"`{found}` is not a name", *found.span, hint)
        self.name = str(found)
        return Span(*found.span)

    def new(self) -> list[Argument]:
        """Read the name that the command defines; `convert` allows `$` in front of it."""
        return self.old(f"name after `{self.word}`", predicate=self.word == "convert")

    def new_with_indices(self) -> list[Argument]:
        """Read `NEW[i][j]`; the name alone if a power series follows, whose coefficients have one index."""
        name = self.new()
        if self.next_is("=") and self.text[self.at + 1 :].lstrip().startswith(SERIES):
            return [*name, ()]
        return [*name, self.indices()]

    def old(self, what: str = "name", *, predicate: bool = True) -> list[Argument]:
        """Read a name; predicate: it may have `$` in front."""
        self.blanks()
        start = self.at
        self.take("$")
        found = self.run(_AFTER_NAME)
        if found is None:
            self.fail(f"expected a {what}")
        written = self.text[start : found.end]
        name = "".join(written.split())
        if not NAME.fullmatch(name.removeprefix("$") if predicate else name):
            self.fail(f"`{written}` is not a name", start, found.end)
        return [self.noted(name, start, found.end)]

    def old_or_value(self) -> list[Argument]:
        """Read `OLD` or `OLD=k`."""
        names = self.old()
        equals = self.take("=")
        if equals is None:
            return names
        value = self.run(_AFTER_NAME) or Token(WORD, "", self.at, self.at)
        return [(*names, self.integer_of(value, (equals.start, value.end), "value"))]

    def old_with_indices(self) -> list[Argument]:
        """Read `WORD[i][j]`."""
        return [(*self.old("word with its indices in brackets"), *self.indices())]

    def repeated(self, read: Callable[[Reader], list[Argument]]) -> list[Argument]:
        """Read arguments up to the terminator, at least one."""
        found = read(self)
        while not self.ends():
            found += read(self)
        return found

    def alphabets(self) -> list[Argument]:
        """Read the alphabets of all tracks: up to a text, or to the last name before the terminator."""
        found: list[Argument] = []
        text_follows = '"' in self.usage
        while not self.next_is('"' if text_follows else '$"') and not self.ends():
            before = self.place
            if not text_follows and not self.next_is("{}"):
                self.chunk("numeration system, a set of digits or a name")
                last = self.ends()
                self.place = before
                if last:
                    break
            found.append(self.alphabet())
        if not found:
            self.fail("expected the alphabet of every track")
        return [tuple(found)]

    def signs(self) -> list[Argument]:
        """Read `[+][-][]`: for each track one sign or none."""
        found = self.brackets()
        for sign, span in found:
            if sign not in ("+", "-", ""):
                self.fail(f"`{sign}` is not a sign: it is +, - or nothing", span.start, span.end)
        if not found:
            self.fail("expected the signs of the tracks")
        return [tuple(sign for sign, _ in found)]

    def integers(self) -> list[Argument]:
        """Read `[0 1 2]`."""
        found = self.bracket()
        if found is None:
            self.fail("expected numbers in brackets")
        return [tuple(self.integer_of(number, number.span, "number") for number in _words_of(found))]

    def variables(self) -> list[Argument]:
        """Read the variables of a linear representation, which needs a name."""
        found: list[Argument] = []
        while self.name and (variable := self.run(_AFTER_CHUNK)) is not None:
            if not NAME.fullmatch(variable):
                self.fail(
                    f"`{variable}` is not a name of a variable", *variable.span,
                    f'the formula stands in quotes: {self.word} {self.name} "..."',
                )
            found.append(str(variable))
        return [tuple(found)]

    def formula(self) -> list[Argument]:
        """Read a formula; blanks replace its remarks, so that all places stay the same."""
        self.blanks()
        begin = self.place + 1
        self.quoted("formula")
        _, span = self.places.pop()
        return [self.noted(self.without_comments(begin)[:-1], span.start, span.end)]

    def formulas(self) -> list[Argument]:
        """Read a formula, then any number of names with formulas."""
        found = self.formula()
        while not self.ends() and not self._measure_follows():
            found += [*self.new(), *self.formula()]
        return found

    def measure(self) -> list[Argument]:
        """Read `by TERM`, if it is there."""
        if not self._measure_follows():
            return []
        self.take("by")
        return [("by", *self.term())]

    def _measure_follows(self) -> bool:
        """Return whether `by` follows, which is no name here."""
        self.blanks()
        return self.token == "by"

    def term(self) -> list[Argument]:
        """Read a term, in quotes or not."""
        if self.next_is('"'):
            return [self.quoted("term")]
        found = self.run('";:', blanks=True)
        if found is None:
            self.fail("expected a term")
        return [self.noted(str(found), *found.span)]

    def equals(self) -> list[Argument]:
        """Read `=`, which is no argument."""
        if self.take("=") is None:
            self.fail("expected `=`")
        return []

    def system(self) -> list[Argument]:
        """Read the name of a numeration system."""
        found = self.chunk("numeration system")
        return [self.noted(full_name(found), *found.span)]

    def system_or_none(self) -> list[Argument]:
        """Read the name of a numeration system, if there is one before the terminator."""
        end = self.at
        if self.ends():
            return []
        self.check_line(end)
        return self.system()

    def number(self) -> list[Argument]:
        """Read the number of requested values."""
        found = self.chunk("number")
        count = self.integer_of(found, found.span, "number")
        if count < 0:
            self.fail("a number of values cannot be negative", *found.span)
        return [count]

    def number_or_none(self) -> list[Argument]:
        """Read a number, if there is one before the terminator."""
        end = self.at
        if self.ends():
            return []
        self.check_line(end)
        return self.number()

    def bound(self) -> list[Argument]:
        """Read a bound, of at most a thousand digits."""
        found = self.chunk("bound")
        if not (found.isascii() and found.isdecimal() and len(found) <= 1000):
            self.fail(f"`{found}` is not a bound, which has at most a thousand digits", *found.span)
        return [int(found)]

    def format(self) -> list[Argument]:
        """Read the format of a file."""
        found = self.chunk("format")
        return [self.noted(str(found), *found.span)]

    def file(self) -> list[Argument]:
        """Read the name of a file, in quotes or not."""
        if self.next_is('"'):
            return [self.quoted("name")]
        found = self.run('";:\n', blanks=True)
        if found is None:
            self.fail("expected the name of a file")
        return [self.noted(str(found), *found.span)]

    def topics(self) -> list[Argument]:
        """Read the topics of `help`: any number."""
        found: list[Argument] = []
        while not self.ends():
            topic = self.chunk("command")
            found.append(self.noted(str(topic), *topic.span))
        return found


def _words_of(bracket: Token) -> list[Token]:
    """Return the words within a pair of brackets."""
    return [
        Token(WORD, found[0], bracket.start + found.start(), bracket.start + found.end())
        for found in re.finditer(r"[^\s\[\]]+", bracket)
    ]


#: The method that reads each form of a usage line.
_FORMS: Mapping[str, Callable[[Reader], list[Argument]]] = {
    "NEW": Reader.new,
    "NEW[i]": Reader.new_with_indices,
    "NAME": Reader.old,
    "OLD": Reader.old,
    "OLD ...": lambda reader: reader.repeated(Reader.old),
    "OLD[=k] ...": lambda reader: reader.repeated(Reader.old_or_value),
    "WORD[i][j] ...": lambda reader: reader.repeated(Reader.old_with_indices),
    "PREFIXES": Reader.old,
    "SUFFIXES": Reader.old,
    "MORPHISM": lambda reader: reader.old(predicate=False),
    "TRANSDUCER": lambda reader: reader.old(predicate=False),
    "ALPHABET ...": Reader.alphabets,
    "SYSTEM": Reader.system,
    "[SYSTEM]": Reader.system_or_none,
    '"FORMULA" ...': Reader.formulas,
    "[by": Reader.measure,
    "TERM]": lambda _: [],
    "[SIGN] ...": Reader.signs,
    "[PREPERIOD]": Reader.integers,
    "[PERIOD]": Reader.integers,
    "VARIABLE ...": Reader.variables,
    '"FORMULA"': Reader.formula,
    '"REGULAR EXPRESSION"': lambda reader: [reader.quoted("regular expression")],
    '"TEXT"': lambda reader: [reader.quoted("text")],
    '"EXPRESSION"': lambda reader: [reader.quoted("expression")],
    '"RULES"': lambda reader: [reader.quoted("text")],
    "=": Reader.equals,
    "TERM": Reader.term,
    "NUMBER": Reader.number,
    "[NUMBER]": Reader.number_or_none,
    "BOUND": Reader.bound,
    "FORMAT": Reader.format,
    "GV": lambda _: ["GV"],
    "FILE": Reader.file,
    "COMMAND": Reader.topics,
}

#: The commands with a quoted text and a NAME: their classes, and the fields of the arguments between the two.
_TEXT_COMMANDS: Mapping[str, tuple[type[TextCommand], tuple[str, ...]]] = {
    "eval": (EvalCommand, ("variables",)),
    "def": (DefCommand, ("variables",)),
    "reg": (RegCommand, ("alphabets",)),
    "macro": (MacroCommand, ()),
}
