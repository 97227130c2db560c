"""Scripts: sequences of commands such as `def even "Ey x=2*y":`.

A command is a word, what it needs, and a terminator: `;`, `:` or `::` (they ask for more or less
output).  Commands may share a line or take several; text in double quotes may hold anything but a
double quote.  A comment runs from `#` or `//` to the end of its line; it may begin a line, or follow
a terminator.  As Walnut looks at nothing behind a terminator, plain words may stand there, too, if
the first is no command.  A terminator alone does nothing.  A command that ends in `::` may follow
metacommands in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from fibprover.errors import TextError
from fibprover.parse.arguments import metacommand
from fibprover.parse.command_syntax import Alphabet as Alphabet
from fibprover.parse.command_syntax import Command as Command
from fibprover.parse.command_syntax import DefCommand as DefCommand
from fibprover.parse.command_syntax import DigitSet as DigitSet
from fibprover.parse.command_syntax import EvalCommand as EvalCommand
from fibprover.parse.command_syntax import MacroCommand as MacroCommand
from fibprover.parse.command_syntax import Metacommand as Metacommand
from fibprover.parse.command_syntax import OperationCommand as OperationCommand
from fibprover.parse.command_syntax import OtherCommand as OtherCommand
from fibprover.parse.command_syntax import RegCommand as RegCommand
from fibprover.parse.command_syntax import SystemAlphabet as SystemAlphabet
from fibprover.parse.names import NAME
from fibprover.parse.operations import OPERATIONS, OTHERS, About, old_draw, operation
from fibprover.parse.scanner import Scanner
from fibprover.parse.syntax import Span

#: All words that a command may begin with, and how the command is written.
WORDS: Mapping[str, About] = {**OTHERS, **OPERATIONS}

#: Two words or more up to the end of a line, and nothing that a command or a formula would need.
_PLAIN_WORDS = re.compile(r"[a-zA-Z][\w',.()*/+-]*(?:[^\S\n]+[\w',.()*/+!-]+)+[^\S\n]*(?=\n|\Z)")

#: A line of a formula that is a remark: it begins with # or //, and with no call of a macro.
_REMARK = re.compile(r"(?<=\n)[^\S\n]*(?:#(?!\s*[A-Za-z]\w*\s*\()|//)[^\n]*", re.ASCII)

#: A terminator at the end of a line.
_ENDED = re.compile(r"[;:][^\S\n]*(?://[^\n]*)?(?=\n|\Z)")


def overlooked(text: str, at: int) -> int | None:
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


def behind(text: str, at: int) -> str:
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


def blamed(command: Command) -> Span | None:
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
        while (end := overlooked(self.text, self.at)) is not None:
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
