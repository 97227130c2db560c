"""A session: named definitions, and every command as a method.

    s = Session("msd_fib")
    s.define("phin", "(s=0 & n=0) | Ex $shift(n-1,x) & s=x+1")
    s.eval("An Es $phin(n,s)")
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fibprover.automata.dfa import Dfa
from fibprover.automata.digit_order import as_read
from fibprover.automata.operations import false, true
from fibprover.decide import Options, decide
from fibprover.errors import (
    BudgetSpent,
    FibproverError,
    FileProblem,
    FormatError,
    LimitError,
    NotSupported,
    TextError,
    UnknownName,
    did_you_mean,
)
from fibprover.evaluate.cache import Cache
from fibprover.limits import Limits
from fibprover.plan.environment import Definition
from fibprover.verdict.relation import Relation
from fibprover.verdict.verdict import Verdict
from fibprover.words.automatic import AutomaticWord
from fibprover.workshop import Workshop

if TYPE_CHECKING:
    from fibprover.automata.listing import Description, InfiniteFamily, Listing
    from fibprover.syntax.commands import Command, DefCommand, EvalCommand
    from fibprover.verdict.linear_representation import LinearRepresentation
    from fibprover.verdict.relation import FirstValues

# Operations, files and scripts are imported by the methods that need them: the start of
# `fibprover eval` is to stay under 0.3 s, and it needs none of them.

#: What a formula amounts to.
Outcome = Verdict | Relation

#: What a command leaves behind: an Outcome, a word, an answer with a text (`str`), None.
Result = object


class Session(Workshop):
    """A library of names, formulas over them, and the commands that make new ones.

    system: the numeration system of formulas that name none with `?`, by default msd_2, where variables
    that stand for words over plain alphabets only are words and no numbers; plan: "optimized" or
    "textbook"; limits: what each evaluation may spend; without: rules of the optimized plan to
    switch off (`fibprover.plan.rules`); shared_digits: whether an argument or index in another system than
    its predicate or word wants is read by its digits, where that system has the same ones (`fibprover.plan.lower`).
    """

    def __init__(
        self, system: str | None = None, *, plan: str = "optimized", limits: Limits | None = None,
        without: Collection[str] = (), shared_digits: bool = False,
    ) -> None:
        super().__init__(system, plan=plan, limits=limits, without=without, shared_digits=shared_digits)
        self.cache = Cache()
        self.folder = Path()
        self._loading: tuple[Path, ...] = ()

    def __repr__(self) -> str:
        counts = ((len(self.definitions), "predicate"), (len(self.words), "word"))
        named = ", ".join(f"{count} {noun}{'s' * (count != 1)}" for count, noun in counts)
        return f"Session({self.default_system}; {named})"

    def use_folders(self, home: str | Path, session: str | Path | None = None, *, written: bool = True) -> None:
        super().use_folders(home, session, written=written)
        if self.folders is not None and written:
            self.folder = self.folders.result

    # -- formulas --------------------------------------------------------------------------

    def _options(self, plan: str | None, limits: Limits | None) -> Options:
        return replace(self.options, plan=plan or self.options.plan, limits=limits or self.options.limits)

    def eval(self, formula: str, *, plan: str | None = None, limits: Limits | None = None) -> Outcome:
        """What a formula says: a Verdict if it is closed, a Relation if it has free variables."""
        return decide(formula, self.environment(), self.cache, self._options(plan, limits))

    def prove(self, formula: str, *, plan: str | None = None, limits: Limits | None = None) -> Verdict:
        """The verdict on a closed formula; an error names the variables of one that is not."""
        outcome = self.eval(formula, plan=plan, limits=limits)
        if isinstance(outcome, Relation):
            free = ", ".join(outcome.names)
            raise FibproverError(
                f"the formula has free variables ({free}), so it is neither true nor false",
                hint=f"quantify them, as in A{free} ..., or ask for the relation",
            )
        return outcome

    def relation(self, formula: str, *, plan: str | None = None, limits: Limits | None = None) -> Relation:
        """The relation of a formula with free variables."""
        outcome = self.eval(formula, plan=plan, limits=limits)
        if isinstance(outcome, Verdict):
            raise FibproverError(
                f"the formula has no free variable: it is {outcome}", hint="ask eval or prove for its verdict"
            )
        return outcome

    def define(
        self, name: str, formula: str | Relation, *, plan: str | None = None, limits: Limits | None = None
    ) -> Outcome:
        """Names a formula (or a relation), so that `$name(...)` calls it; its parameters are the free variables
        in code-unit order.  A definition of the same name is replaced."""
        self.check_name(name)
        if not isinstance(formula, str | Relation):
            raise FibproverError(f"a definition is a formula or a relation, not {formula!r}")
        outcome = self.eval(formula, plan=plan, limits=limits) if isinstance(formula, str) else formula
        self._keep(name, outcome, formula if isinstance(formula, str) else formula.text)
        return outcome

    def _keep(self, name: str, outcome: Outcome, text: str) -> None:
        automaton = outcome.automaton if isinstance(outcome, Relation) else truth_automaton(outcome.truth)
        self.definitions[name] = Definition(name, automaton, text)

    def reg(self, name: str, alphabets: Sequence[str | Sequence[int]], regex: str) -> Relation:
        """Names the language of a regular expression over the product of alphabets.

        An alphabet is a numeration system's name or the digits of a plain one.  The name stands for the
        raw language: calls restrict it to valid representations and close it under leading zeros, as
        the relation returned is; its variables are x0, x1, ...
        """
        from fibprover.evaluate.regex import compile_regex
        from fibprover.syntax.regex import parse_regex

        self.check_name(name)
        tracks = self.tracks(alphabets)
        tree = parse_regex(regex, [track.digits for track in tracks])
        return self.define_language(name, compile_regex(tree, tracks, self.budget()), regex)

    def define_word(self, name: str, indices: Sequence[str], term: str) -> AutomaticWord:
        """Names the word whose letter at the indices is the value of a term.

        For example ("G", ["n"], "T[2*n+5]+1 if n>3 else 0").
        """
        from fibprover.commands.word_terms import word_by_term

        self.check_name(name)
        return self.add_word(name, word_by_term(indices, term, self.environment(), self.eval, self.budget()))

    def linear_representation(self, formula: str | Relation, variables: Sequence[str]) -> LinearRepresentation:
        """Vectors and matrices that count how many values of the other variables complete those of these ones."""
        from fibprover.verdict.linear_representation import linear_representation

        relation = formula if isinstance(formula, Relation) else self.relation(formula)
        return linear_representation(relation, variables, self.budget())

    # -- questions -------------------------------------------------------------------------

    def inf(self, source: str) -> InfiniteFamily | None:
        """A family of infinitely many words that a predicate accepts, None if they are finitely many.

        Words that begin with zeros (end, in an lsd system) do not count.
        """
        from fibprover.automata.listing import infinite_family

        return infinite_family(self.predicate(source).automaton, self.budget())

    def test(self, source: str, count: int) -> Listing:
        """The first words that a predicate accepts, the shortest first.

        Neither the empty word nor words that begin with zeros (end, in an lsd system) are listed.
        """
        from fibprover.automata.listing import first_words

        return first_words(self.predicate(source).automaton, count, self.budget())

    def first(self, source: str) -> FirstValues | None:
        """The first values that a predicate holds of, None if there are none: of one number, the least."""
        from fibprover.verdict.relation import first_accepted

        return first_accepted(self.relation_of(self.predicate(source)))

    def first_rej(self, source: str) -> FirstValues | None:
        """The first values that a predicate does not hold of, None if it holds of all."""
        from fibprover.verdict.relation import first_rejected

        return first_rejected(self.relation_of(self.predicate(source)), self.budget())

    def count(self, source: str, below: int) -> int:
        """How many tuples of numbers below a bound a predicate holds of; integers: of absolute value below it."""
        return self.relation_of(self.predicate(source)).count(below, self.options.limits)

    def regex(self, source: str) -> str:
        """A regular expression for the words that a predicate accepts, in the syntax of `reg`."""
        from fibprover.automata.expression import regular_expression

        return regular_expression(self.language(source), self.budget())

    def describe(self, source: str) -> Description:
        """Size and alphabets of a predicate `$name` or of a word."""
        from fibprover.automata.listing import description

        bare = source.removeprefix("$")
        if source.startswith("$") or (bare not in self.words and bare in self.definitions):
            return description("predicate", bare, self.predicate(source).source, self.language(source))
        return description("word", bare, "", as_read(self.machine(source), self.budget(), word=True))

    def export(self, source: str, form: str, path: str | Path | None = None) -> Path:
        """Writes a predicate `$name` or a word to a file NAME.gv, .ba or .txt in the session's folder, or to `path`.

        form: "GV", "BA" (predicates only) or "TXT".
        """
        from fibprover.commands.storage import export

        word = not source.startswith("$")
        automaton = as_read(self.machine(source), self.budget(), word=True) if word else self.language(source)
        return export(automaton, source.removeprefix("$"), form, path or self.folder, word=word)

    def help(self, *topics: str) -> str:
        """How a command is written and what it does; all commands, if none is named."""
        from fibprover.commands.help import help_text

        return help_text(topics)

    # -- scripts ---------------------------------------------------------------------------

    def load(self, path: str | Path) -> list[tuple[Command, Result]]:
        """Runs the commands of a file; where there are folders, of one in Command Files/ of the home folder.

        FileProblem if it cannot be read, or if it is being loaded already.
        """
        from fibprover.io.folders import naming, read_script

        if self.folders is not None:
            path = self.folders.command_file(str(path))
        place = Path(path).resolve()
        if place in self._loading:
            raise FileProblem(f"{path} loads itself")
        text = read_script(str(path))
        self._loading += (place,)
        try:
            with naming(str(path), text):
                return self.run(text)
        finally:
            self._loading = self._loading[:-1]

    def run(self, script: str) -> list[tuple[Command, Result]]:
        """Runs the commands of a script in order, to its end or to `quit`; stops at the first error, which names
        its place."""
        from fibprover.syntax.commands import ends_session, iterate_script

        results = []
        for command in iterate_script(script):
            if ends_session(command):
                break
            results.append((command, self.execute(command, script)))
        return results

    def execute(self, command: Command, script: str) -> Result:
        """Runs one command; an error is shown at its place in the script."""
        from fibprover.syntax.commands import error_span, in_command, named_with_line

        try:
            return self._execute(command)
        except TextError as problem:
            raise in_command(problem, script, command) from None
        except (BudgetSpent, LimitError, FormatError, FileProblem) as problem:
            problem.command = problem.command or named_with_line(command, script)
            raise
        except FibproverError as problem:
            place = error_span(command)
            if place is None:
                raise
            raise NotSupported(problem.message, script, place.start, place.end, hint=problem.hint) from None

    def _execute(self, command: Command) -> Result:
        from fibprover.syntax import commands

        for name in commands.systems_of(command):
            try:
                self.system(name)
            except FibproverError as error:
                raise UnknownName(error.message, name, 0, len(name), hint=error.hint) from None
        match command:
            case commands.DefCommand() | commands.EvalCommand():
                return self._evaluate(command, defines=isinstance(command, commands.DefCommand))
            case commands.RegCommand():
                alphabets = [
                    each.digits if isinstance(each, commands.DigitSet) else each.system for each in command.alphabets
                ]
                return self.reg(command.name, alphabets, command.text)
            case commands.MacroCommand():
                self.macro(command.name, command.text)
                return None
            case commands.OperationCommand():
                operation = getattr(self, {"word": "define_word"}.get(command.word, command.word), None)
                return None if operation is None else operation(*command.arguments)
            case commands.OtherCommand():
                hint = did_you_mean(command.word, [*commands.WORDS])
                raise UnknownName(f"there is no command {command.word}", command.word, 0, len(command.word), hint=hint)
        raise AssertionError(f"unknown command {command!r}")

    def _evaluate(self, command: DefCommand | EvalCommand, *, defines: bool) -> Result:
        """What `def` and `eval` do; in Walnut's folders `eval` names what it finds, as Walnut does."""
        folders = self.folders if self.folders is not None and self.folders.written and command.name else None
        keeps = bool(command.name) and (defines or folders is not None)
        if keeps:
            self.check_name(command.name)
        with self._exporting(command):
            outcome = self.eval(command.text)
        answer: Result = outcome
        if command.variables:
            relation = outcome if isinstance(outcome, Relation) else Relation(truth_automaton(True), self.system)
            answer = representation = self.linear_representation(relation, command.variables)
            if folders is not None:
                from fibprover.commands.storage import keep_matrices

                keep_matrices(folders, command.name, representation)
        if folders is not None:
            from fibprover.commands.storage import keep_steps

            keep_steps(folders, command.name, outcome, command.terminator)
        if keeps:
            self._keep(command.name, outcome, command.text)
        return answer

    @contextmanager
    def _exporting(self, command: DefCommand | EvalCommand) -> Iterator[None]:
        """Around an evaluation: writes the automata of the steps that `[export ...]` in front of it names."""
        wanted = [meta.words[1:] for meta in command.metacommands if meta.words[0] == "export"]
        if not wanted:
            yield
            return
        from fibprover.commands.storage import StepExport

        steps = StepExport(command.name or "eval", [(number, form) for number, form in wanted], self.folder)
        before = self.options
        self.options = replace(before, keep=steps)
        try:
            yield
        finally:
            self.options = replace(self.options, keep=before.keep)


def truth_automaton(truth: bool) -> Dfa:
    """The automaton of a closed formula."""
    return true() if truth else false()
