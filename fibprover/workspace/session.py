"""A session: named definitions, and every command as a method.

    s = Session("msd_fib")
    s.define("phin", "(s=0 & n=0) | Ex $shift(n-1,x) & s=x+1")
    s.eval("An Es $phin(n,s)")
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fibprover.automata.determinization import IN_SCRIPTS
from fibprover.automata.dfa import Dfa
from fibprover.automata.operations import false, true
from fibprover.base.errors import (
    BudgetSpent,
    FibproverError,
    FileProblem,
    FormatError,
    LimitError,
    NotSupported,
    SyntaxProblem,
    TextError,
    UnknownName,
    Unsolved,
    check_text,
    did_you_mean,
)
from fibprover.base.limits import Limits
from fibprover.language.formula import Source, parse
from fibprover.learn.bounded import decide_or_learn
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.decide import Options
from fibprover.prover.environment import Definition
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.verdict import Verdict
from fibprover.words.automatic import AutomaticWord
from fibprover.workspace.commands import files, languages, questions, recursions, words
from fibprover.workspace.commands.interpreter import Outcome, Result, within_limits
from fibprover.workspace.namespace import Namespace

if TYPE_CHECKING:
    from fibprover.infer.words import InferredWord
    from fibprover.language.commands import Command, DefCommand, EvalCommand, OperationCommand
    from fibprover.sequences.series import Series

# The reader of scripts is imported by the methods that need it: `fibprover eval` must start within 0.2 s.


class Session:
    """Names, formulas over them, and the commands that define new names.

    namespace: what names mean; cache: the automata of earlier evaluations; options: the plan, the limits and the rules
    of every evaluation.

    system: the default numeration system, as an object or by name; `?name` in a formula overrides it. Without it the
    default is msd_2, and a variable that is used only as a word over a plain alphabet is a word, not a number. plan:
    "optimized" or "textbook". limits: what each evaluation may spend. without: rules of the optimized plan to switch
    off (`fibprover.prover.plan.rules`). shared_digits: whether an argument or index in another system than its
    predicate or word requires is read by its digits where that system has the same ones (`fibprover.prover.lower`).
    """

    def __init__(
        self, system: str | NumerationSystem | None = None, *, plan: str = "optimized", limits: Limits | None = None,
        without: Collection[str] = (), shared_digits: bool = False,
    ) -> None:
        off = frozenset([without] if isinstance(without, str) else without)
        self.options = Options(plan, limits or Limits(), without=off)
        self.namespace = Namespace(system, self._limits, shared_digits=shared_digits)
        self.cache = Cache()
        #: The script files that are being loaded, the innermost last.
        self.loading: tuple[Path, ...] = ()

    def _limits(self) -> Limits:
        return self.options.limits

    def __getstate__(self) -> dict[str, Any]:
        """Leave the cache out of pickles and copies: it can be large, and what it holds can be computed again."""
        return {**self.__dict__, "cache": Cache()}

    def __repr__(self) -> str:
        names = self.namespace
        counts = ((len(names.definitions), "predicate"), (len(names.words), "word"))
        named = ", ".join(f"{count} {noun}{'s' * (count != 1)}" for count, noun in counts)
        return f"Session({names.default_system}; {named})"

    # -- formulas --------------------------------------------------------------------------

    def _options(self, plan: str | None, limits: Limits | None) -> Options:
        return replace(self.options, plan=plan or self.options.plan, limits=limits or self.options.limits)

    @within_limits
    def parse(self, formula: str) -> Source:
        """Return the syntax tree of a formula, the session's macros expanded, for several uses."""
        return parse(formula, self.namespace.macros)

    def eval(
        self, formula: str | Source, *, plan: str | None = None, limits: Limits | None = None,
        systems: Mapping[str, str] | None = None,
    ) -> Outcome:
        """Decide a formula: return a Verdict if it is closed, and a Relation if it has free variables.

        systems: numeration systems of free variables by name, such as {"n": "msd_fib"}; the formula decides about the
        others.
        """
        if not isinstance(formula, str | Source):
            raise FibproverError(f"a formula is a text, not {formula!r}", hint='such as "Ax Ey y>x"')
        if systems is not None and not isinstance(systems, Mapping):
            raise FibproverError(
                f"systems are given for variables, not by {systems!r}", hint='such as systems={"n": "msd_fib"}'
            )
        try:
            environment = self.namespace.environment()
            return decide_or_learn(formula, environment, self.cache, self._options(plan, limits), systems)
        except SyntaxProblem as problem:
            from fibprover.language.commands import command_in_place_of_formula

            raise command_in_place_of_formula(problem.text) or problem from None

    def prove(self, formula: str, *, plan: str | None = None, limits: Limits | None = None) -> Verdict:
        """Return the verdict on a closed formula; raises FibproverError if it has free variables."""
        outcome = self.eval(formula, plan=plan, limits=limits)
        if isinstance(outcome, Relation):
            free = ", ".join(outcome.names)
            raise FibproverError(
                f"the formula has free variables ({free}), so it is neither true nor false",
                hint=f"quantify them, as in A{free} ..., or ask for the relation",
            )
        return outcome

    def relation(self, formula: str, *, plan: str | None = None, limits: Limits | None = None) -> Relation:
        """Return the relation of a formula; raises FibproverError if it has no free variable."""
        outcome = self.eval(formula, plan=plan, limits=limits)
        if isinstance(outcome, Verdict):
            raise FibproverError(
                f"the formula has no free variable: it is {outcome}", hint="use eval or prove to get its verdict"
            )
        return outcome

    def define(
        self, name: str, formula: str | Relation, *, plan: str | None = None, limits: Limits | None = None
    ) -> Outcome:
        """Define the predicate `$name(...)` by a formula or a relation, and return what the formula means.

        Its parameters are the free variables in code-unit order. A definition of the same name is replaced.
        The numeration systems of a relation of another session are added; raises FibproverError if the name of one
        of them belongs to another system here.
        """
        self.namespace.check_name(name)
        if not isinstance(formula, str | Relation):
            raise FibproverError(f"a definition is a formula or a relation, not {formula!r}")
        if isinstance(formula, Relation):
            for system in formula.own_systems():
                self.namespace.add_system(system)
        outcome = self.eval(formula, plan=plan, limits=limits) if isinstance(formula, str) else formula
        self._store(name, outcome, formula if isinstance(formula, str) else formula.text)
        return outcome

    def _store(self, name: str, outcome: Outcome, text: str) -> None:
        automaton = outcome.automaton if isinstance(outcome, Relation) else truth_automaton(outcome.truth)
        self.namespace.definitions[name] = Definition(name, automaton, text)
        self.namespace.sequences.pop(name, None)

    @within_limits
    def counts(self, variables: str | Sequence[str], formula: str | Relation) -> Series:
        """Return how many values of the other variables a formula has for each n, or for each tuple of numbers.

        variables: the name of n, or the names of several variables, in the order of `a[n, m]`.
        """
        from fibprover.sequences.series import counts

        relation = formula if isinstance(formula, Relation) else self.relation(formula)
        return counts(relation, [variables] if isinstance(variables, str) else variables, self.namespace.budget())

    # -- words and systems -----------------------------------------------------------------

    define_word = within_limits(words.define_word)

    @within_limits
    def define_morphic_word(
        self, name: str, images: Sequence[Sequence[int]], coding: Sequence[int], system: str | None = None
    ) -> AutomaticWord:
        """Define a word as the coding of the fixed point of a morphism, indexed by representations in a system.

        images: the image of each letter 0, 1, ...; coding: the output of each letter.
        """
        return self.namespace.define_morphic_word(name, images, coding, system)

    @within_limits
    def infer_word(
        self, name: str, sequence: Sequence[int], system: str | None = None, *, depths: Iterable[int] | None = None,
        first: int = 0, margin: int | None = None,
    ) -> InferredWord:
        """Define the word that a sequence begins, as far as the data tell: see `fibprover.infer.words.infer_word`."""
        return self.namespace.infer_word(name, sequence, system, depths=depths, first=first, margin=margin)

    @within_limits
    def load_words(self, source: str | Path | Mapping[str, Any]) -> dict[str, AutomaticWord]:
        """Define the words of a JSON file: {name: {"morphism": ..., "coding": ..., "system": optional}}."""
        return self.namespace.load_words(source)

    @within_limits
    def add_system(self, system: NumerationSystem) -> NumerationSystem:
        """Verify a numeration system and make it usable as `?name`.

        Raises FibproverError if it does not verify, or if its name belongs to another system.
        """
        return self.namespace.add_system(system)

    dumont_thomas = within_limits(words.dumont_thomas)

    # -- commands: functions of fibprover.workspace.commands, listed in fibprover.workspace.commands.table ---------

    reg = within_limits(languages.reg)
    union = within_limits(languages.union)
    intersect = within_limits(languages.intersect)
    concat = within_limits(languages.concat)
    star = within_limits(languages.star)
    leftquo = within_limits(languages.leftquo)
    rightquo = within_limits(languages.rightquo)
    fixleadzero = within_limits(languages.fixleadzero)
    fixtrailzero = within_limits(languages.fixtrailzero)
    alphabet = within_limits(languages.alphabet)
    reverse = within_limits(languages.reverse)
    minimize = within_limits(languages.minimize)
    convert = within_limits(languages.convert)

    combine = within_limits(words.combine)
    join = within_limits(words.join)
    split = within_limits(words.split)
    rsplit = within_limits(words.rsplit)
    morphism = within_limits(words.morphism)
    promote = within_limits(words.promote)
    image = within_limits(words.image)
    transduce = within_limits(words.transduce)
    ost = within_limits(words.ost)
    macro = words.macro

    #: Outside the limits of the session, since a caller may give it limits of its own.
    solve = recursions.solve

    inf = within_limits(questions.inf)
    test = within_limits(questions.test)
    first = within_limits(questions.first)
    first_rej = within_limits(questions.first_rej)
    count = within_limits(questions.count)
    regex = within_limits(questions.regex)
    describe = within_limits(questions.describe)
    help = questions.help

    load = files.load
    export = within_limits(files.export)

    # -- scripts ---------------------------------------------------------------------------

    def use_folders(self, home: str | Path, session: str | Path | None = None, *, written: bool = True) -> None:
        """Look names up in Walnut's folders as well from now on, and write new values to them.

        home: a folder that is read. session: a folder that is read first and written to; it is created if it does not
        exist, and it is `home` unless given. written: if False, neither folder is changed.
        Names that exist already hide those of files. Raises FileProblem if the folders cannot be used.
        """
        self.namespace.use_folders(home, session, written=written)

    def run(self, script: str) -> list[tuple[Command, Result]]:
        """Run the commands of a script to its end or to `quit`, and return each with its value.

        The first error ends the script; it names its place.
        """
        from fibprover.language.commands import ends_session, iterate_script

        check_text(script, "a script", hint="load(file) runs the commands of a file")
        results = []
        for command in iterate_script(script):
            if ends_session(command):
                break
            results.append((command, self.execute(command, script)))
        return results

    def execute(self, command: Command, script: str, source: Source | None = None) -> Result:
        """Run one command; an error shows its place in the script.

        source: the parsed formula of a `def` or `eval`, if it was parsed before.
        """
        with self._placed(command, script):
            return self._execute(command, source)

    @contextmanager
    def loaded(self, command: OperationCommand, script: str) -> Iterator[tuple[str, str]]:
        """Yield the file that a `load` names and its text, to execute its commands one by one in this context.

        `execute` runs them all, too, but answers only when the last one is finished.
        """
        with self._placed(command, script), files.opened(self, str(command.arguments[0])) as opened:
            yield opened

    @contextmanager
    def _placed(self, command: Command, script: str) -> Iterator[None]:
        """Give an error of a command its place in the script."""
        from fibprover.language.commands import error_span, in_command, named_with_line

        try:
            yield
        except TextError as problem:
            placed = in_command(problem, script, command)
            placed.command_line = command.line
            raise placed from None
        except (BudgetSpent, LimitError, FormatError, FileProblem, Unsolved) as problem:
            problem.command = problem.command or named_with_line(command, script)
            problem.command_line = command.line
            raise
        except FibproverError as problem:
            place = error_span(command)
            problem.command_line = command.line
            if place is None:
                raise
            raise NotSupported(problem.message, script, place.start, place.end, hint=problem.hint) from None

    def _execute(self, command: Command, source: Source | None) -> Result:
        from fibprover.language import commands
        from fibprover.workspace.commands.table import COMMANDS

        for name in commands.systems_of(command):
            try:
                self.namespace.system(name)
            except FibproverError as error:
                raise UnknownName(error.message, name, 0, len(name), hint=error.hint) from None
        match command:
            case commands.DefCommand() | commands.EvalCommand():
                return self._evaluate(command, source, defines=isinstance(command, commands.DefCommand))
            case commands.RegCommand():
                return self.reg(command.name, command.alphabets, command.text)
            case commands.MacroCommand():
                self.macro(command.name, command.text)
                return None
            case commands.OperationCommand():
                function = COMMANDS.get(command.word)
                if function is None:
                    return None
                # In a loaded script the limits hold for each command.
                limited = function if command.word == "load" else within_limits(function)
                return limited(self, *command.arguments)
            case commands.OtherCommand():
                hint = did_you_mean(command.word, [*commands.WORDS], kind="commands")
                raise UnknownName(f"unknown command `{command.word}`", command.word, 0, len(command.word), hint=hint)
        raise AssertionError(f"unknown command {command!r}")

    def _evaluate(self, command: DefCommand | EvalCommand, source: Source | None, *, defines: bool) -> Result:
        """Run `def` or `eval`; with Walnut's folders, `eval` defines its name, as in Walnut."""
        folders = self.namespace.folders
        if folders is not None and not (folders.written and command.name):
            folders = None
        stored = bool(command.name) and (defines or folders is not None)
        if stored:
            self.namespace.check_name(command.name)
        with self._metacommands(command), self.overridable(), self.with_all_steps(command.terminator):
            outcome = self.eval(source or command.text)
        answer: Result = outcome
        if command.variables:
            system = self.namespace.system
            relation = outcome if isinstance(outcome, Relation) else Relation(truth_automaton(True), system)
            answer = sequence = self.counts(command.variables, relation)
            if folders is not None:
                files.write_matrices(folders, command.name, sequence)
        if folders is not None:
            files.write_logs(folders, command.name, outcome, command.terminator)
        if stored:
            self._store(command.name, outcome, command.text)
        if command.variables:
            self.namespace.sequences[command.name] = sequence
        return answer

    @contextmanager
    def overridable(self) -> Iterator[None]:
        """Let the systems of words and predicates override a `?` meanwhile, as in scripts of Walnut."""
        before = self.options.overridable
        self.options = replace(self.options, overridable=True)
        try:
            yield
        finally:
            self.options = replace(self.options, overridable=before)

    @contextmanager
    def with_all_steps(self, terminator: str) -> Iterator[None]:
        """After `::`, ignore the results of earlier evaluations in the cache, so that no step is missing."""
        before = self.cache
        if terminator == "::":
            self.cache = Cache()
        try:
            yield
        finally:
            self.cache = before

    @contextmanager
    def _metacommands(self, command: DefCommand | EvalCommand) -> Iterator[None]:
        """During an evaluation, carry out the `[export ...]` and `[strategy ...]` that stand before the command."""
        words = [meta.words for meta in command.metacommands if len(meta.words) == 3]
        exports = [(number, name) for kind, number, name in words if kind == "export"]
        keep = files.StepExport(command.name or "eval", exports, self.namespace.folder) if exports else None
        strategies = {
            number: IN_SCRIPTS[name.upper().replace("_", "-")] for kind, number, name in words if kind == "strategy"
        }
        before = self.options
        self.options = replace(before, keep=keep or before.keep, strategies=strategies)
        try:
            yield
        finally:
            self.options = replace(self.options, keep=before.keep, strategies=before.strategies)


def truth_automaton(truth: bool) -> Dfa:
    """Return the automaton without tracks that accepts if `truth`."""
    return true() if truth else false()
