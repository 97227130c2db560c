"""Execute cells in a session: each command, formula or magic of a cell gets an answer, as text and as HTML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import escape
from typing import TypeAlias

from fibprover.automata.digit_order import to_reading_order
from fibprover.automata.formats.dot import DEFAULT_LIMIT
from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, TextError, UnknownName, did_you_mean
from fibprover.base.limits import spending
from fibprover.base.meanwhile import Undo, meanwhile
from fibprover.base.names import word_of_system
from fibprover.base.values import RichlyDisplayed, decimal, value
from fibprover.frontends.cli.draw import drawn
from fibprover.frontends.cli.help import help_text
from fibprover.frontends.cli.run import NOTHING, answer_text
from fibprover.frontends.conversation.warnings import LocatedWarning, parsed, warnings_about
from fibprover.frontends.display.drawing import Drawing, draw
from fibprover.frontends.display.html import bold, card, folded, preformatted, quiet
from fibprover.frontends.display.progress import Watch
from fibprover.frontends.display.text import outcome_text, relation_head
from fibprover.frontends.display.values import (
    relation_html,
    text,
    trace_html,
    tuples_html,
    verdict_html,
    word_html,
    word_text,
)
from fibprover.frontends.notebook import questions
from fibprover.frontends.notebook.cells import Formula, Magic, Part, parts
from fibprover.language.commands import (
    Command,
    DefCommand,
    EvalCommand,
    OperationCommand,
    RegCommand,
    ends_session,
    in_script,
    iterate_script,
    line_number,
    loads,
    title,
)
from fibprover.language.parser import closed_term
from fibprover.language.source import Source
from fibprover.prover.evaluate.trace import Record, Trace
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.verdict import Verdict
from fibprover.sequences.series import Series
from fibprover.words.automatic import AutomaticWord
from fibprover.workspace.session import Session

#: Executes a magic of another origin, given its name and the rest of the line; returns False for an unknown one.
OtherMagics: TypeAlias = Callable[[str, str], bool]

#: The magics of fibprover.
MAGICS = ("showme", "board", "study", "game", "EQ", "SGT", "DT")

#: The number of tuples of a relation in a text.
FIRST = 10

#: NAME "RULES", and an optional bound.
_SUBSTITUTION = re.compile(r'(\S+)\s+"([^"]*)"\s*(\d{1,6})?', re.ASCII)


@value
class Answer:
    """An answer as text for terminals and as HTML for notebooks; outcome: the value that it shows, if there is one."""

    text: str
    html: str
    outcome: object = None


class Conversation:
    """A session, and the named outcomes of commands, for `%showme`.

    other_magics: executes the lines with magics that are not in MAGICS; drawn: whether answers contain the drawings of
    automata, which a page may make itself.
    """

    def __init__(self, session: Session, other_magics: OtherMagics | None = None, *, drawn: bool = True) -> None:
        self.session = session
        self.drawn = drawn
        self.outcomes: dict[str, object] = {}
        self.other_magics = other_magics
        self._undoing: list[Undo] = []

    def answers(self, cell: str, watch: Watch) -> Iterator[Answer]:
        """Execute a cell and yield the answers; `watch` follows the progress.

        The first error ends the cell and names its line; the results before an error or an interruption are kept.
        """
        with self._watched(watch), _with_line(cell):
            for part in parts(cell, self.session.namespace.macros):
                if isinstance(part.what, Command) and ends_session(part.what):
                    return
                yield from self._answers(part, watch)

    def _answers(self, part: Part, watch: Watch) -> Iterator[Answer]:
        match part.what:
            case Magic():
                watch.title = f"%{part.what.name}"
                yield from self._magic(part.what, part.script, watch)
            case Formula():
                watch.title = ""
                if closed_term(part.what.text) is not None:
                    yield sentence_answer(decimal(self.session.value(part.what.text)))
                    return
                source = parsed(part.what.text, self.session)
                yield from map(warning, warnings_about(source, self.session))
                yield self._answer(part, self._formula(part.what, part.script, source))
            case OperationCommand(word="help") as command:
                yield answer(part, help_text([str(topic) for topic in command.arguments], self.session), self.session)
            case command if loads(command):
                with self.session.loaded(command, part.script) as (_, script):
                    for each in iterate_script(script):
                        if ends_session(each):
                            return
                        yield from self._answers(Part(each, script), watch)
            case command:
                watch.title = title(command)
                source = None
                if isinstance(command, DefCommand | EvalCommand):
                    source = parsed(command.text, self.session)
                    yield from map(warning, warnings_about(source, self.session))
                try:
                    outcome = self.session.execute(command, part.script, source)
                except BudgetSpent as spent:
                    yield from finished_steps(spent)
                    raise
                self.outcomes[named(command)] = outcome
                yield self._answer(Part(command, part.script), outcome)

    def _answer(self, part: Part, outcome: object) -> Answer:
        return answer(part, outcome, self.session, drawn=self.drawn)

    @contextmanager
    def _watched(self, watch: Watch) -> Iterator[None]:
        """Let `watch` follow the evaluations of the session in this context."""
        before = self.session.options
        watch.over(before.limits)

        def follow(step: Callable[[Record], None] | None) -> None:
            self.session.options = replace(self.session.options, watch=step)

        with meanwhile(self._undoing, lambda: follow(watch.step), lambda: follow(before.watch)), watch.observing():
            yield

    def _formula(self, formula: Formula, script: str, source: Source | None) -> Verdict | Relation:
        try:
            with self.session.overridable():
                return self.session.eval(source or formula.text)
        except TextError as problem:
            raise in_script(problem, script, formula.text, formula.span.start) from None

    # -- magics ----------------------------------------------------------------------------

    def _magic(self, magic: Magic, script: str, watch: Watch) -> Iterator[Answer]:
        words = magic.rest.split()

        def notify(line: str) -> None:
            watch.title = f"%{magic.name}: {line}"

        match magic.name:
            case "showme":
                yield self.shown(magic.rest)
            case "board":
                yield _found(questions.board(magic.rest, self.session))
            case "study":
                yield _found(questions.study(magic.rest, self.session, notify))
            case "game":
                yield _found(questions.game(magic.rest, notify))
            case "EQ":
                yield sentence_answer(self._equal(words))
            case "SGT":
                word = self._word_of_values(words)
                system_of = self.session.namespace.system
                yield Answer(word_text(word, system_of), word_html(word, system_of, drawn=self.drawn), word)
            case "DT":
                yield sentence_answer(self._dumont_thomas(magic.rest))
            case name if self.other_magics is None or not self.other_magics(name, magic.rest):
                start = magic.span.start
                raise UnknownName(
                    f"unknown magic {script[start : magic.span.end].split()[0]}", script, start, magic.span.end,
                    hint=did_you_mean(magic.name, MAGICS, kind="magics"),
                )

    def _equal(self, names: list[str]) -> str:
        """Return the answer of %EQ: whether two linear representations agree everywhere."""
        if len(names) != 2:
            raise FibproverError("%EQ compares two linear representations", hint="write %EQ NAME NAME")
        one, other = map(self._sequence, names)
        where = (one - other).first_nonzero()
        if where is None:
            return f"{names[0]} and {names[1]} are equal"
        at = ", ".join(f"{name} = {number}" for name, number in zip(one.variables, where, strict=True))
        return f"{names[0]} and {names[1]} differ: at {at} they are {one[where]} and {other[where]}"

    def _word_of_values(self, names: list[str]) -> AutomaticWord:
        """Return the word of %SGT, with the values of a linear representation as letters, defined in the session."""
        if len(names) != 3:
            raise FibproverError("%SGT makes a word of a linear representation", hint="write %SGT NAME SYSTEM WORD")
        source, system, name = names
        sequence = self._sequence(source)
        namespace = self.session.namespace
        wanted, held = namespace.system(system).name, [each.name for each in sequence.systems]
        if set(held) != {wanted}:
            raise FibproverError(f"{source} is about numbers in {', '.join(held)}, not in {wanted}")
        with spending(namespace.budget()):
            return namespace.add_word(name, sequence.word(name).machine)

    def _dumont_thomas(self, request: str) -> str:
        """Define the numeration system of a substitution, and the word of its fixed point, for %DT."""
        asked = _SUBSTITUTION.fullmatch(request.strip())
        if asked is None:
            raise FibproverError(
                "%DT makes the numeration system of a substitution",
                hint='write %DT NAME "a->ab, b->a", where a bound such as 30 may follow',
            )
        name, rules, bound = asked.groups()
        system = self.session.dumont_thomas(name, rules, int(bound) if bound else None)
        return f"{system.name}: the system of {rules}; {word_of_system(name)}: the word of its fixed point"

    def _sequence(self, name: str) -> Series:
        """Return the sequence that a command has defined under a name, or under the name of its file."""
        found = self.session.namespace.sequences.get(name.removesuffix(".mpl"))
        if found is None:
            raise FibproverError(
                f"unknown linear representation {name}", hint=f'make one with eval {name} n "FORMULA";'
            )
        return found

    def shown(self, request: str) -> Answer:
        """Return the drawing for %showme; request: `NAME`, and `limit=N` for more states than by default."""
        words = request.split()
        limit = DEFAULT_LIMIT
        if len(words) > 1 and words[-1].startswith("limit="):
            number = words.pop().removeprefix("limit=")
            if not number.isdecimal() or not int(number):
                raise FibproverError(f"{number!r} is not a number of states", hint="as in %showme NAME limit=300")
            limit = int(number)
        if not words:
            raise FibproverError("%showme draws the automaton of a name", hint="write %showme NAME")
        what = " ".join(words)
        outcome = self.outcomes.get(what)
        if isinstance(outcome, Verdict):
            return Answer(f"{what}: {outcome_text(outcome, 0)}", verdict_html(outcome, what))
        drawing = self._drawing(what, outcome, limit)
        try:
            return Answer(drawing.svg and text(drawing), drawing._repr_html_())
        except LimitError as large:
            remark = f"{large.message}; %showme {what} limit={drawing.automaton.states}"
            return Answer(remark, card(quiet(remark)))

    def _drawing(self, what: str, outcome: object, limit: int) -> Drawing:
        """Return the drawing of the latest outcome of this name, else of the name in the session."""
        if outcome is not None and what not in self.session.namespace.words:
            try:
                return draw(outcome, limit=limit, name=what, layout="own")
            except BudgetSpent:
                raise
            except FibproverError:
                pass  # the outcome has no automaton
        automaton, word = drawn(self.session, what, lambda remark: None)
        automaton = to_reading_order(automaton, self.session.namespace.budget(), word=word)
        return Drawing(automaton, what, word, limit, "own")


def named(command: Command) -> str:
    """Return the name that a command gives to its outcome, or ""."""
    match command:
        case OperationCommand():
            return command.places[0][0] if command.places else ""
        case DefCommand() | EvalCommand() | RegCommand():
            return command.name
    return ""


@contextmanager
def _with_line(cell: str) -> Iterator[None]:
    """Add the line number to the message of an error in a cell of several lines."""
    try:
        yield
    except TextError as error:
        if "\n" in cell.strip() and len(error.text) == len(cell):
            error.message = f"line {line_number(error.text, error.start)}: {error.message}"
        raise


def answer(part: Part, outcome: object, session: Session, *, drawn: bool = True) -> Answer:
    """Return the answer for the outcome of a command or a formula; the steps are unfolded after `::`."""
    text, html = _shown(part, outcome, session, drawn)
    return Answer(text, html, outcome)


def _shown(part: Part, outcome: object, session: Session, drawn: bool) -> tuple[str, str]:
    """Return an outcome as text and as HTML; drawn: whether with the drawing of its automaton."""
    what = part.what
    name = "" if isinstance(what, Formula) else title(what)  # type: ignore[arg-type]
    unfolded = getattr(what, "terminator", "") == "::"
    is_question = isinstance(what, EvalCommand | Formula)
    begun = f"{name}: " if name else ""
    match outcome:
        case None:
            nothing = NOTHING.get(name.partition(" ")[0], "")
            sentence = begun + nothing if nothing else name
            return (sentence, card(quiet(sentence)))
        case Verdict():
            return (begun + outcome_text(outcome, FIRST), verdict_html(outcome, name, unfolded=unfolded))
        case Relation() if is_question:
            return (begun + outcome_text(outcome, FIRST), relation_html(outcome, name, unfolded=unfolded, drawn=drawn))
        case Relation():
            return (begun + relation_head(outcome), _definition(outcome, name, unfolded))
        case AutomaticWord():
            made = name.partition(" ")[0]
            system_of = session.namespace.system
            return (f"{made} {word_text(outcome, system_of)}", word_html(outcome, system_of, drawn=drawn))
        case RichlyDisplayed():
            return (begun + repr(outcome), outcome._repr_html_())
    lines = answer_text(outcome)
    return (f"{name}:\n{lines}" if "\n" in lines else begun + lines, card(bold(name), preformatted(lines)))


def _definition(relation: Relation, name: str, unfolded: bool) -> str:
    """Return the HTML of a definition: one line, which unfolds."""
    head = f"{bold(name)} {escape(relation_head(relation))}"
    return card(folded(head, tuples_html(relation) + trace_html(relation.trace), unfolded=unfolded))


def _found(found: questions.Found) -> Answer:
    return Answer(found.text, found.html, found.outcome)


def sentence_answer(text: str) -> Answer:
    """Return a sentence as an answer."""
    return Answer(text, card(escape(text)))


def finished_steps(spent: BudgetSpent) -> Iterator[Answer]:
    """Yield the steps that were finished before a budget ran out, if there are any."""
    records = tuple(spent.trace)
    if records:
        trace = Trace(records, max(record.states for record in records), records[-1].seconds)
        yield Answer(str(trace), card(trace_html(trace)))


def warning(remark: LocatedWarning) -> Answer:
    """Return a warning about a formula as an answer."""
    text = f"warning: {remark}"
    return Answer(text, card(preformatted(text)))
