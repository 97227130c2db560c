"""A session: named definitions, words and macros, and every command as a method.

    s = Session("msd_fib")
    s.define("phin", "(s=0 & n=0) | Ex $shift(n-1,x) & s=x+1")
    s.eval("An Es $phin(n,s)")
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.operations import false, true
from fibprover.automata.reading import from_read
from fibprover.decide import Options, decide
from fibprover.errors import FibproverError, SyntaxProblem, TextError, UnknownName
from fibprover.evaluate.cache import Cache
from fibprover.evaluate.leaves import Leaves
from fibprover.limits import Limits
from fibprover.numeration.registry import canonical_name, system_named
from fibprover.numeration.system import NumerationSystem
from fibprover.parse.names import NAME
from fibprover.plan.environment import Definition, Environment
from fibprover.verdict.relation import Relation
from fibprover.verdict.verdict import Verdict
from fibprover.words.automatic import AutomaticWord, automatic_word

if TYPE_CHECKING:
    from fibprover.infer.types import InferredWord
    from fibprover.parse.commands import Command, OtherCommand

# Regular expressions, files and scripts are imported by the methods that need them: the start of
# `fibprover eval` is to stay under 0.3 s, and it needs none of them.

#: What a formula amounts to.
Outcome = Verdict | Relation


class Session:
    """Definitions and words by name, and the options that evaluations use.

    system: the numeration system of formulas that name none with `?`; plan: "optimized" or
    "textbook"; limits: what each evaluation may spend; without: rules of the optimized plan to
    switch off (`fibprover.plan.rules`).
    """

    def __init__(
        self, system: str = "msd_2", *, plan: str = "optimized", limits: Limits | None = None,
        without: Collection[str] = (),
    ) -> None:
        off = frozenset([without] if isinstance(without, str) else without)
        self.options = Options(plan, limits or Limits(), without=off)
        self.definitions: dict[str, Definition] = {}
        self.words: dict[str, AutomaticWord] = {}
        self.macros: dict[str, str] = {}
        self.systems: dict[str, NumerationSystem] = {}
        self.cache = Cache()
        self.default_system = self.system(system).name

    # -- names -----------------------------------------------------------------------------

    def system(self, name: str) -> NumerationSystem:
        """The numeration system with this name: one added to the session, or a built-in one."""
        full = canonical_name(name)
        found = self.systems.get(full)
        if found is None and full.startswith("lsd_") and (base := self.systems.get("msd_" + full[4:])) is not None:
            from fibprover.numeration.lsd import lsd_system

            found = self.systems[full] = lsd_system(base)
        return found if found is not None else system_named(name)

    def add_system(self, system: NumerationSystem) -> NumerationSystem:
        """Makes a system usable as `?name`, once it has verified itself.

        A name that means a system already is refused: definitions and cached automata go by it.
        """
        report = system.verify(self.options.limits.start())
        if not report:
            raise FibproverError(f"the numeration system {system.name} does not verify:\n{report}")
        return self._added(system)

    def _added(self, system: NumerationSystem) -> NumerationSystem:
        """Makes a verified system usable; one that is known under its name already is left as it is."""
        try:
            known: NumerationSystem | None = self.system(system.name)
        except FibproverError:
            known = None
        if known is not None and known is not system:
            adders = [each.linear((1, 1, -1), "=", 0) for each in (known, system)]
            if adders[0] == adders[1] and known.less() == system.less():
                return known
            raise FibproverError(
                f"there is already a numeration system {system.name}", hint="give this one another name"
            )
        self.systems[system.name] = system
        return system

    def load_system(self, path: str | Path) -> NumerationSystem:
        """Adds a base from the files msd_NAME.txt and msd_NAME_addition.txt (Walnut's custom bases), verified."""
        from fibprover.formats.bases import read_base
        from fibprover.numeration.composed import given_system

        budget = self.options.limits.start()
        base = read_base(path, budget)
        return self._added(given_system(base.name, base.valid, base.adder, base.less, budget))

    def environment(self) -> Environment:
        """What a formula's names mean at this moment."""
        return Environment(
            self.system, self.default_system, dict(self.definitions), dict(self.words), dict(self.macros)
        )

    def _options(self, plan: str | None, limits: Limits | None) -> Options:
        return replace(self.options, plan=plan or self.options.plan, limits=limits or self.options.limits)

    # -- formulas --------------------------------------------------------------------------

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
        self._check_name(name)
        if not isinstance(formula, str | Relation):
            raise FibproverError(f"a definition is a formula or a relation, not {formula!r}")
        outcome = self.eval(formula, plan=plan, limits=limits) if isinstance(formula, str) else formula
        automaton = outcome.automaton if isinstance(outcome, Relation) else truth_automaton(outcome.truth)
        text = formula if isinstance(formula, str) else formula.text
        self.definitions[name] = Definition(name, automaton, text)
        return outcome

    def _check_name(self, name: str) -> None:
        if not isinstance(name, str):
            raise FibproverError(f"a name is a text, not {name!r}")
        if not NAME.fullmatch(name):
            hint = "a name is a letter, then letters, digits or _"
            raise SyntaxProblem("this is not a name", name, 0, len(name), hint=hint)

    def reg(self, name: str, alphabets: Sequence[str | Sequence[int]], regex: str) -> Relation:
        """Names the language of a regular expression over the product of alphabets.

        An alphabet is a numeration system's name or the digits of a plain one.  The name stands for the
        raw language: calls restrict it to valid representations and close it under leading zeros, as
        the relation returned is; its variables are x0, x1, ...
        """
        from fibprover.parse.regex import parse_regex
        from fibprover.plan.regular import compile_regex

        self._check_name(name)
        width = len(str(max(len(alphabets) - 1, 0)))
        tracks = []
        for number, alphabet in enumerate(alphabets):
            track = f"x{number:0{width}}"
            if isinstance(alphabet, str):
                tracks.append(self.system(alphabet).track(track))
            else:
                tracks.append(Track(track, tuple(sorted(alphabet))))
        tree = parse_regex(regex, [track.digits for track in tracks])
        budget = self.options.limits.start()
        automaton = from_read(compile_regex(tree, tracks, budget), budget)
        return self._define_raw(Definition(name, automaton, regex, raw=True))

    def _define_raw(self, definition: Definition) -> Relation:
        """Adds a definition by a raw language; returns the relation that it means."""
        names = definition.automaton.names
        kinds = dict(zip(names, definition.kinds, strict=True))
        relation = Leaves(self.system, kinds, self.options.limits.start()).relation(definition.automaton, names)
        self.definitions[definition.name] = definition
        return Relation(relation, self.system, definition.source)

    def macro(self, name: str, text: str) -> None:
        """Names a piece of formula text; `#name(a,b)` puts a for %0 and b for %1."""
        self._check_name(name)
        self.macros[name] = text

    # -- words -----------------------------------------------------------------------------

    def word(
        self, name: str, images: Sequence[Sequence[int]], coding: Sequence[int], system: str | None = None
    ) -> AutomaticWord:
        """Names the word coding(fixed point of a morphism), indexed by representations in a system."""
        from fibprover.words.morphism import from_morphism

        self._check_name(name)
        index = self.system(system or self.default_system).track("n")
        self.words[name] = from_morphism(name, images, coding, index)
        return self.words[name]

    def infer_word(self, name: str, sequence: Sequence[int], system: str | None = None, **options: Any) -> InferredWord:
        """Names the word that a sequence begins, as far as one can tell: see `fibprover.infer.types.infer_word`."""
        from fibprover.infer.types import infer_word

        self._check_name(name)
        budget = self.options.limits.start()
        found = infer_word(sequence, self.system(system or self.default_system), name, budget=budget, **options)
        self.words[name] = found.word
        return found

    def load_words(self, source: str | Path | Mapping[str, Any]) -> dict[str, AutomaticWord]:
        """Adds the words of a JSON file: {name: {"morphism": ..., "coding": ..., "system": optional}}."""
        from fibprover.words.morphism import load_words

        words = load_words(source, self._digits)
        for name in words:
            self._check_name(name)
        self.words.update(words)
        return words

    def load(self, path: str | Path, name: str | None = None) -> AutomaticWord:
        """Adds a word automaton from a Walnut text file, called as the file unless a name is given."""
        place = Path(path)
        name = name or place.stem
        self._check_name(name)
        self.words[name] = automatic_word(name, self._read(place, word=True))
        return self.words[name]

    def load_predicate(self, path: str | Path, name: str | None = None) -> Relation:
        """Adds a predicate from a Walnut text file; like a regular expression's, its language is raw."""
        place = Path(path)
        name = name or place.stem
        self._check_name(name)
        automaton = self._read(place)
        return self._define_raw(Definition(name, automaton, str(place), raw=True))

    def _read(self, path: Path, *, word: bool = False) -> Dfa:
        from fibprover.formats.walnut import read_automaton

        return from_read(read_automaton(path, self._digits), self.options.limits.start(), word=word)

    def _digits(self, system: str) -> tuple[int, ...]:
        return self.system(system).digits

    # -- scripts ---------------------------------------------------------------------------

    def run(self, script: str) -> list[tuple[Command, Outcome | None]]:
        """Runs the commands of a script in order; stops at the first error, which names its place."""
        from fibprover.parse.commands import iterate_script

        return [(command, self.execute(command, script)) for command in iterate_script(script)]

    def execute(self, command: Command, script: str) -> Outcome | None:
        """Runs one command; an error within its quoted text is shown in the script."""
        from fibprover.parse.commands import in_script

        try:
            return self._execute(command, script)
        except TextError as problem:
            text = getattr(command, "text", None)
            if text is None:
                raise
            raise in_script(problem, script, text, command.text_offset) from None  # type: ignore[attr-defined]

    def _execute(self, command: Command, script: str) -> Outcome | None:
        from fibprover.parse.commands import DefCommand, DigitSet, EvalCommand, MacroCommand, OtherCommand, RegCommand

        match command:
            case DefCommand() | EvalCommand() if command.variables:
                raise SyntaxProblem(
                    "linear representations (variables between name and formula) are not available yet",
                    command.text, 0, len(command.text), hint="remove the variables to get the automaton",
                )
            case DefCommand():
                return self.define(command.name, command.text)
            case EvalCommand():
                return self.eval(command.text)
            case RegCommand():
                alphabets: list[str | Sequence[int]] = []
                for alphabet in command.alphabets:
                    if isinstance(alphabet, DigitSet):
                        alphabets.append(alphabet.digits)
                        continue
                    try:
                        alphabets.append(self.system(alphabet.system).name)
                    except FibproverError as error:
                        start, end = alphabet.span.start, alphabet.span.end
                        raise UnknownName(error.message, script, start, end, hint=error.hint) from None
                return self.reg(command.name, alphabets, command.text)
            case MacroCommand():
                self.macro(command.name, command.text)
                return None
            case OtherCommand() if command.word == "ost":
                self._ostrowski(command, script)
                return None
            case OtherCommand():
                start, end = command.word_span.start, command.word_span.end
                raise UnknownName(
                    f"the command {command.word} is not available", script, start, end,
                    hint="there are def, eval, reg, macro and ost",
                )
        raise AssertionError(f"unknown command {command!r}")


    def _ostrowski(self, command: OtherCommand, script: str) -> None:
        """`ost NAME [preperiod] [period];` names an Ostrowski system."""
        from fibprover.numeration.ostrowski import ostrowski_system

        found = re.fullmatch(r"(\w+)\s*\[([\d\s]*)\]\s*\[([\d\s]*)\]", command.rest, re.ASCII)
        start, end = command.rest_offset, command.rest_offset + max(len(command.rest), 1)
        if found is None:
            raise SyntaxProblem(
                "ost needs a name, a preperiod and a period", script, start, end, hint="as in ost root3 [0 3] [1 2];"
            )
        terms = [[int(term) for term in found[part].split()] for part in (2, 3)]
        try:
            self.add_system(ostrowski_system(found[1], *terms))
        except FibproverError as error:
            raise SyntaxProblem(error.message, script, start, end, hint=error.hint) from None


def truth_automaton(truth: bool) -> Dfa:
    """The automaton of a closed formula."""
    return true() if truth else false()
