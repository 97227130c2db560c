"""A session: named definitions, and every command as a method.

    s = Session("msd_fib")
    s.define("phin", "(s=0 & n=0) | Ex $shift(n-1,x) & s=x+1")
    s.prove("An Es $phin(n,s)")
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
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
from fibprover.base.limits import Limits, spending
from fibprover.base.meanwhile import Undo, meanwhile
from fibprover.language.parser import closed_term, parse
from fibprover.language.source import Source
from fibprover.language.tree import Formula, Letter, SystemTerm, Term, Variable, WordValue
from fibprover.learn.bounded import decide_or_learn
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.decide import Options
from fibprover.prover.environment import Definition, restrict
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.slopes import FamilyRelation, SlopeVerdict
from fibprover.prover.verdict.verdict import Verdict
from fibprover.words.automatic import AutomaticWord
from fibprover.workspace.certificates import CertificateFolder
from fibprover.workspace.commands import files, languages, questions, recursions, words
from fibprover.workspace.commands.interpreter import Outcome, Result, within_limits
from fibprover.workspace.namespace import Namespace

if TYPE_CHECKING:
    from fibprover.infer.words import InferredWord
    from fibprover.language.commands import Command, DefCommand, EvalCommand, OperationCommand
    from fibprover.prover.truth import TruthTree
    from fibprover.prover.verdict.nondeterministic import NondeterministicRelation
    from fibprover.prover.verdict.tuples import Value
    from fibprover.sequences.series import Series

# The reader of scripts is imported by the methods that need it: `fibprover eval` must start within 0.2 s.


class Session:
    """A session: names, formulas over them, and the commands that define new names.

    `s["F"]` is what a name means, `"F" in s` whether it means anything.

    Parameters:

    - system: the numeration system of formulas that name none with `?`, or its name (without it, the default is msd_2,
      and variables that stand for words over plain alphabets only are words, not numbers)
    - plan: "optimized" or "textbook"
    - limits: what each evaluation may spend
    - without: rules of the optimized plan to switch off (`fibprover.prover.plan.rules`)
    - shared_digits: whether an argument or index in another system than its predicate or word requires is read by its
      digits where that system has the same ones (`fibprover.prover.lower`)
    - certify: a folder for certificates of what `solve`, and `eval` in scripts, prove (docs/certificates.md)
    - evidence: whether verdicts have evidence, which can cost as much as they do

    Fields:

    - namespace: what names mean
    - cache: the automata of earlier evaluations
    - options: the plan, the limits and the rules of every evaluation
    - loading: the script files that are being loaded, the innermost last
    - certify: the folder for certificates with the names of its files, None without one

    Errors: FibproverError for an unknown system, plan or rule.

    >>> s = fp.Session("msd_fib", limits=fp.Limits(seconds=60))
    >>> even = s.define("even", "Ey x=2*y")
    >>> bool(s.prove("Ax $even(x) | $even(x+1)")), s.relation("$even(x) & x<7").values()
    (True, [0, 2, 4, 6])
    """

    def __init__(
        self, system: str | NumerationSystem | None = None, *, plan: str = "optimized", limits: Limits | None = None,
        without: Collection[str] = (), shared_digits: bool = False, certify: str | Path | None = None,
        evidence: bool = True,
    ) -> None:
        off = frozenset([without] if isinstance(without, str) else without)
        self.options = Options(plan, limits or Limits(), without=off, evidence=evidence)
        self.namespace = Namespace(system, self._limits, shared_digits=shared_digits)
        self.cache = Cache()
        #: The script files that are being loaded, the innermost last.
        self.loading: tuple[Path, ...] = ()
        self.certify = None if certify is None else CertificateFolder(Path(certify))
        self._undoing: list[Undo] = []

    def _limits(self) -> Limits:
        return self.options.limits

    def __getstate__(self) -> dict[str, Any]:
        """Leave the cache out of pickles and copies: it can be large, and what it holds can be computed again."""
        return {**self.__dict__, "cache": Cache(), "_undoing": []}

    def __repr__(self) -> str:
        names = self.namespace
        counts = ((len(names.definitions), "predicate"), (len(names.words), "word"))
        named = ", ".join(f"{count} {noun}{'s' * (count != 1)}" for count, noun in counts)
        return f"Session({names.default_system}; {named})"

    # -- names -----------------------------------------------------------------------------

    def __getitem__(self, name: str) -> object:
        """Return what a name means: a word, a relation, a sequence, a morphism, a transducer, a macro or a system.

        See `fibprover.workspace.namespace.Namespace.meaning`, which says in which order names are looked up.

        Parameters:

        - name: with a mark or without: `$P` is a predicate, `?msd_fib` a numeration system, `#m` a macro

        Errors: UnknownName, with the most similar name, for a name without meaning.

        >>> s = fp.Session()
        >>> even = s.define("even", "Ey x=2*y")
        >>> s["T"][:8], s["even"] == even, s["msd_fib"].name
        ([0, 1, 1, 0, 1, 0, 0, 1], True, 'msd_fib')
        """
        return self.namespace.meaning(name)

    def __contains__(self, name: object) -> bool:
        """Return whether a name has a meaning here."""
        try:
            self.namespace.meaning(name)  # type: ignore[arg-type]  # it may be anything
        except BudgetSpent:
            raise
        except FibproverError:
            return False
        return True

    def _ipython_key_completions_(self) -> list[str]:
        """Return the names that IPython completes in `session["`."""
        return self.namespace.names()

    # -- formulas --------------------------------------------------------------------------

    def _options(self, plan: str | None, limits: Limits | None, evidence: bool | None = None) -> Options:
        own = self.options
        wanted = own.evidence if evidence is None else evidence
        return replace(own, plan=plan or own.plan, limits=limits or own.limits, evidence=wanted)

    @within_limits
    def parse(self, formula: str) -> Source:
        """Return the syntax tree of a formula, the session's macros expanded, for several uses.

        Errors: SyntaxProblem, with the place, for a text that is no formula.

        >>> s = fp.Session("msd_fib")
        >>> tree = s.parse("Ax Ey y>x")
        >>> str(s.eval(tree)), tree.text
        ('TRUE', 'Ax Ey y>x')
        """
        return parse(formula, self.namespace.macros)

    def eval(
        self, formula: str | Formula | Source, *, plan: str | None = None, limits: Limits | None = None,
        systems: Mapping[str, str] | None = None, evidence: bool | None = None,
    ) -> Outcome:
        """Decide a formula: return a Verdict if it is closed, and a Relation if it has free variables.

        `prove` and `relation` are for formulas of which this is known.

        Parameters:

        - formula: a text, a tree, or what `parse` has made of a text
        - plan: in place of that of the session
        - limits: in place of those of the session
        - systems: numeration systems of free variables by name, such as {"n": "msd_fib"} (the formula decides about
          the others)
        - evidence: whether a verdict has evidence; in place of what the session says

        Errors: a TextError with the place, such as SyntaxProblem or UnknownName; BudgetSpent; LimitError.

        >>> s = fp.Session("msd_fib")
        >>> s.eval("Ax Ey y>x"), s.eval("x<5")
        (Verdict(TRUE, 'Ax Ey y>x'), Relation(x:msd_fib; 4 states))
        """
        if systems is not None and not isinstance(systems, Mapping):
            raise FibproverError(
                f"systems are given for variables, not by {systems!r}", hint='such as systems={"n": "msd_fib"}'
            )
        try:
            environment = self.namespace.environment()
            return decide_or_learn(formula, environment, self.cache, self._options(plan, limits, evidence), systems)
        except SyntaxProblem as problem:
            from fibprover.language.commands import command_in_place_of_formula

            raise command_in_place_of_formula(problem.text) or problem from None

    def prove(
        self, formula: str | Formula, *, plan: str | None = None, limits: Limits | None = None,
        evidence: bool | None = None,
    ) -> Verdict:
        """Return the verdict on a closed formula.

        Parameters:

        - formula: a text or a tree, without free variables
        - plan: in place of that of the session
        - limits: in place of those of the session
        - evidence: whether the verdict has evidence; in place of what the session says

        Errors: FibproverError if it has free variables; otherwise as for `eval`.

        >>> s = fp.Session("msd_fib")
        >>> verdict = s.prove("Ax,y x<y => Ez x+z=y")
        >>> bool(verdict)
        True
        """
        outcome = self.eval(formula, plan=plan, limits=limits, evidence=evidence)
        if isinstance(outcome, Relation):
            free = ", ".join(outcome.names)
            raise FibproverError(
                f"the formula has free variables ({free}), so it is neither true nor false",
                hint=f"quantify them, as in A{free} ..., or ask for the relation",
            )
        return outcome

    def relation(self, formula: str | Formula, *, plan: str | None = None, limits: Limits | None = None) -> Relation:
        """Return the relation of an open formula.

        Parameters:

        - formula: a text or a tree, with free variables
        - plan: in place of that of the session
        - limits: in place of those of the session

        Errors: FibproverError if it has no free variable; otherwise as for `eval`.

        >>> s = fp.Session("msd_fib")
        >>> s.relation("x+y=4").first(2), s.relation("Ey x=2*y").count(below=100)
        ([(2, 2), (0, 4)], 50)
        """
        outcome = self.eval(formula, plan=plan, limits=limits)
        if isinstance(outcome, Verdict):
            raise FibproverError(
                f"the formula has no free variable: it is {outcome}", hint="use eval or prove to get its verdict"
            )
        return outcome

    def value(self, term: str | Term | SystemTerm) -> int:
        """Return the value of a term without variables: a number, or the letter of a word.

        Parameters:

        - term: a text or a tree

        Errors: SyntaxProblem for what is no term, or has variables; FibproverError for a term without a value, such as
        3-4 over the naturals; otherwise as for `eval`.

        >>> s = fp.Session()
        >>> s.value("T[5]"), s.value("2*(3+4)/5"), s.value("T[5]+T[6]")
        (0, 2, 0)
        """
        text = str(term)
        read = closed_term(text)
        if read is None:
            raise SyntaxProblem("this is no term without variables", text, 0, len(text), hint="such as T[5] or 3+4")
        inner = read.term if isinstance(read, SystemTerm) else read
        word = self.namespace.environment().words.get(inner.word) if isinstance(inner, WordValue) else None

        def asked(other: Term) -> Formula:
            return inner.eq(other).in_system(read.system) if isinstance(read, SystemTerm) else inner.eq(other)

        if word is not None:  # whose letters may be negative
            found = [each for each in word.outputs if self.prove(asked(Letter(each)), evidence=False)]
        else:
            found = self.relation(asked(Variable("x"))).values(1)
        if not found:
            raise FibproverError(
                f"{text} has no value", hint="over the naturals there is no difference below 0; ?msd_neg_2 has one"
            )
        return found[0]

    def truths(
        self, formula: str | Formula | Source, values: Mapping[str, Value] | None = None, /, **named: Value
    ) -> TruthTree:
        """Return the truth of a formula and of each of its parts at some values of its free variables.

        Below an `E` that is true and an `A` that is false the variables have the least values that show this; other
        variables without values stay free, and what they belong to is shown by its first tuples.

        Parameters:

        - formula: as for `eval`
        - values, named: values by the names of variables that are free, or that the quantifiers at the beginning of
          the formula bind

        Errors: FibproverError for a value of another variable; otherwise as for `eval`.

        >>> tree = fp.Session("msd_fib").truths("Ax Ey x=2*y")
        >>> print(tree)
        Ax Ey x=2*y    FALSE, see x = 1
        └ Ey x=2*y     FALSE at x = 1
          └ x=2*y      FALSE for all y
        >>> tree.truth, dict(tree.shown_by)
        (False, {'x': 1})
        >>> tree.parts[0].outcome.first(3)
        [(0,), (2,), (4,)]
        """
        from fibprover.prover.truth import truth_tree

        values = {**(values or {}), **named}
        return truth_tree(formula, values, self.namespace.environment(), self.cache, self.options)

    def nondeterministic(
        self, formula: str | Formula, *, plan: str | None = None, limits: Limits | None = None
    ) -> NondeterministicRelation:
        """Return the relation of an open formula that begins with E, with the automaton before it is determinized.

        Parameters and errors are those of `relation`; FibproverError for a formula that does not begin with E.

        >>> s = fp.Session()
        >>> sums = s.nondeterministic("Ei,j n=i+j & (Ek i=4*k) & (Ek j=6*k)")
        >>> sums.states, sums.first(4), 2 * 10**40 in sums
        (8, [(0,), (4,), (6,), (8,)], True)
        """
        from fibprover.automata.nondeterministic import projected
        from fibprover.prover.verdict.nondeterministic import NondeterministicRelation, without_quantifiers

        body, lost = without_quantifiers(formula if isinstance(formula, Formula) else self.parse(formula).formula)
        relation = self.relation(body, plan=plan, limits=limits)
        if set(lost) >= set(relation.names):
            raise FibproverError(
                "the formula has no free variable: it is a statement, which has no automaton",
                hint="use eval or prove to get its verdict",
            )
        if isinstance(relation, FamilyRelation):
            raise FibproverError(
                "a relation over all slopes has no automaton that is not determinized",
                hint='take one slope, as in relation.at("[0; 2, (1)]")',
            )
        with spending((limits or self.options.limits).start()) as budget:
            return NondeterministicRelation(projected(relation.automaton, lost, budget), relation, lost)

    def define(
        self, name: str, formula: str | Formula | Relation, *, plan: str | None = None, limits: Limits | None = None
    ) -> Outcome:
        """Define the predicate `$name(...)` by a formula or a relation, and return what the formula means.

        Its parameters are the free variables in code-unit order. A definition of the same name is replaced. The
        numeration systems of a relation of another session are added.

        Parameters:

        - name: of the predicate
        - formula: a text, a tree or a relation
        - plan: in place of that of the session
        - limits: in place of those of the session

        Returns: the Relation, or the Verdict of a closed formula.

        Errors: SyntaxProblem for what is no name; FibproverError if a system of the relation has the name of another
        system here; otherwise as for `eval`.

        >>> s = fp.Session("msd_fib")
        >>> even = s.define("even", "Ey x=2*y")
        >>> s.relation("$even(x) & x>5").first(2)
        [(6,), (8,)]
        """
        self.namespace.check_name(name)
        if not isinstance(formula, str | Formula | Relation):
            raise FibproverError(f"a definition is a formula or a relation, not {formula!r}")
        if isinstance(formula, Relation):
            for system in formula.own_systems():
                self.namespace.add_system(system)
            outcome: Outcome = formula
        else:
            outcome = self.eval(formula, plan=plan, limits=limits)
        self._store(name, outcome)
        return outcome

    def _store(self, name: str, outcome: Outcome) -> None:
        if isinstance(outcome, Relation):
            origin = outcome.origin_over(self.namespace.default_system)
            definition = Definition(name, outcome.automaton, origin)
        elif isinstance(outcome, SlopeVerdict):
            definition = Definition(name, outcome.slopes.automaton, outcome.source)
        else:
            definition = Definition(name, truth_automaton(outcome.truth), outcome.source)
        self.namespace.definitions[name] = definition
        self.namespace.sequences.pop(name, None)

    @within_limits
    def counts(self, variables: str | Sequence[str], formula: str | Formula | Relation) -> Series:
        """Return how many values of the other variables a formula has for each n, or for each tuple of numbers.

        Parameters:

        - variables: the name of n, or the names of several variables, in the order of `a[n, m]`
        - formula: a text, a tree or a relation

        Returns: a Series, with the limits of the session.

        Errors: AutomatonError for a variable that is not free in the formula, and if some count is infinite; otherwise
        as for `eval`.

        >>> s = fp.Session("msd_fib")
        >>> half = s.counts("n", "m<n & Ey m=2*y")
        >>> half[10**20], half[:6]
        (50000000000000000000, [0, 1, 1, 2, 2, 3])
        """
        from fibprover.sequences.series import counts

        names = [variables] if isinstance(variables, str) else variables
        if isinstance(formula, Relation):  # in which session, and what names meant there, is not known
            return counts(formula, names, self.namespace.budget()).with_limits(self.options.limits)
        return self._counted(names, self.relation(formula))

    @within_limits
    def _counted(self, variables: Sequence[str], relation: Relation) -> Series:
        """Return how many values of the other variables a relation has that this session has just evaluated."""
        from fibprover.sequences.series import Counted, counts

        found = counts(relation, variables, self.namespace.budget()).with_limits(self.options.limits)
        if relation.source is None:
            return found
        environment = restrict(self.namespace.environment(), relation.source)
        return found.counting(Counted(relation.source.formula, environment))

    # -- words and systems -----------------------------------------------------------------

    define_word = within_limits(words.define_word)

    @within_limits
    def define_morphic_word(
        self, name: str, images: Sequence[Sequence[int]], coding: Sequence[int], system: str | None = None
    ) -> AutomaticWord:
        """Define a word as the coding of the fixed point of a morphism, indexed by representations in a system.

        Parameters:

        - name: of the word
        - images: the image of each letter 0, 1, ...
        - coding: the output of each letter
        - system: the name of the system of the index, by default that of the session

        Errors: FibproverError for a morphism that does not fit the system.

        >>> s = fp.Session("msd_fib")
        >>> s.define_morphic_word("W", [[0, 1], [0]], [0, 1])[:8]
        [0, 1, 0, 0, 1, 0, 1, 0]
        """
        return self.namespace.define_morphic_word(name, images, coding, system)

    @within_limits
    def infer_word(
        self, name: str, sequence: Sequence[int], system: str | None = None, *, depths: Iterable[int] | None = None,
        first: int = 0, margin: int | None = None,
    ) -> InferredWord:
        """Define the word that a sequence begins, as far as the data tell: see `fibprover.infer.words.infer_word`.

        Parameters:

        - name: of the word
        - sequence: its first letters
        - system: of the index, by default that of the session
        - depths: those of the types of nodes that are tried
        - first: the index of the first letter
        - margin: the least one to accept

        Errors: NoMorphism, a FibproverError with the reason, if no depth makes an automaton.

        >>> s = fp.Session("msd_fib")
        >>> s.infer_word("W", fp.word("F")[:500]).word == s.define_morphic_word("W", [[0, 1], [0]], [0, 1])
        True
        """
        return self.namespace.infer_word(name, sequence, system, depths=depths, first=first, margin=margin)

    @within_limits
    def load_words(self, source: str | Path | Mapping[str, Any]) -> dict[str, AutomaticWord]:
        """Define the words of a JSON file, or of such a mapping.

        Parameters:

        - source: a file or a mapping: {name: {"morphism": ..., "coding": ..., "system": optional}}

        Returns: the words by name.

        Errors: FormatError for another content; FileProblem.

        >>> s = fp.Session("msd_fib")
        >>> s.load_words({"W": {"morphism": [[0, 1], [1, 0]], "coding": [0, 1], "system": "msd_2"}})["W"][:6]
        [0, 1, 1, 0, 1, 0]
        """
        return self.namespace.load_words(source)

    @within_limits
    def add_system(self, system: NumerationSystem) -> NumerationSystem:
        """Verify a numeration system and make it usable as `?name`.

        Returns: the system, or the equal one that has its name already.

        Errors: FibproverError if it does not verify, or if its name belongs to another system.

        >>> s = fp.Session("msd_fib")
        >>> s.add_system(fp.recurrence_system("mine", [3, 1], [1, 4])).name, s.relation("?mine x<3").values()
        ('msd_mine', [0, 1, 2])
        """
        return self.namespace.add_system(system)

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
    dumont_thomas = within_limits(words.dumont_thomas)
    family = within_limits(words.family)
    slope = within_limits(words.slope)
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

        Names that exist already hide those of files.

        Parameters:

        - home: a folder that is read
        - session: a folder that is read first and written to (it is created if it does not exist, and it is `home`
          unless given)
        - written: if False, neither folder is changed

        Errors: FileProblem if the folders cannot be used.

        >>> s = fp.Session("msd_fib")
        >>> from pathlib import Path
        >>> Path("walnut").mkdir()
        >>> s.use_folders("walnut")
        >>> answers = s.run('def even "Ey x=2*y";')
        >>> [file.name for file in Path("walnut").rglob("even.txt")][:1]
        ['even.txt']
        """
        self.namespace.use_folders(home, session, written=written)

    def run(self, script: str) -> list[tuple[Command, Result]]:
        """Run the commands of a script to its end or to `quit`.

        Returns: a list of each command with its value.

        Errors: the first error ends the script; it names its place.

        >>> s = fp.Session("msd_fib")
        >>> [str(value) for _, value in s.run('def even "Ey x=2*y"; eval all "Ax $even(2*x)";')][1:]
        ['TRUE']
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

        Parameters:

        - command: as the reader of scripts makes it
        - script: the text that it is in
        - source: what `parse` has made of the formula of a `def` or `eval`, if it was parsed before

        Returns: the value of the command.

        >>> from fibprover.language.commands import iterate_script
        >>> script = 'eval all "Ax Ey y>x";'
        >>> [str(fp.Session().execute(command, script)) for command in iterate_script(script)]
        ['TRUE']
        """
        line = command.line if "\n" in script.strip() else 0
        with self._placed(command, script), self._with(line=line):
            return self._execute(command, source)

    @contextmanager
    def loaded(self, command: OperationCommand, script: str) -> Iterator[tuple[str, str]]:
        """Yield the file that a `load` names and its text, to execute its commands one by one in this context.

        `execute` runs them all, too, but answers only when the last one is finished.

        >>> from pathlib import Path
        >>> written = Path("all.txt").write_text('eval all "Ax Ey y>x";')
        >>> from fibprover.language.commands import iterate_script
        >>> (command,) = iterate_script("load all.txt;")
        >>> with fp.Session().loaded(command, "load all.txt;") as (file, text):
        ...     print(text)
        eval all "Ax Ey y>x";
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
            except BudgetSpent:
                raise
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
                hint = did_you_mean(command.word, [*commands.WORDS], commands.FORMULA_IN_COMMAND)
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
        if self.certify is not None and not defines:
            self.certify.make()  # or an error, before the formula is decided
        with self._metacommands(command), self.overridable(), self.with_all_steps(command.terminator):
            outcome = self.eval(source or command.text)
        sequence: Series | None = None
        if command.variables:
            system = self.namespace.system
            relation = outcome if isinstance(outcome, Relation) else Relation(truth_automaton(True), system)
            sequence = self._counted(command.variables, relation)
        answer = outcome if sequence is None else sequence
        if self.certify is not None and not defines:
            answer = self._certified(command, answer, self.certify)  # before anything is written or defined
        if sequence is not None and folders is not None:
            files.write_matrices(folders, command.name, sequence)
        if folders is not None:
            files.write_logs(folders, command.name, outcome, command.terminator)
        if stored:
            self._store(command.name, outcome)
        if sequence is not None:
            self.namespace.sequences[command.name] = sequence
        return answer

    def _certified(
        self, command: DefCommand | EvalCommand, answer: Outcome | Series, folder: CertificateFolder
    ) -> Outcome | Series:
        """Return a verdict, or a sequence that counts, with its certificate; a relation as it is."""
        if isinstance(answer, Relation):
            return answer
        name, seconds = command.name or command.word, self.options.limits.seconds
        if isinstance(answer, Verdict):
            return answer.with_certificate(folder.certify(name, answer.certificate, seconds))
        return answer.with_certificate(folder.certify(name, partial(answer.certificate, name), seconds))

    @contextmanager
    def overridable(self) -> Iterator[None]:
        """Let the systems of words and predicates override a `?` meanwhile, as in scripts of Walnut.

        >>> s = fp.Session("msd_fib")
        >>> with s.overridable():
        ...     print(s.eval("?msd_2 An F[n]<=1"))
        TRUE
        """
        with self._with(overridable=True):
            yield

    def _with(self, **fields: Any) -> AbstractContextManager[None]:
        """Change some of the options within a block."""
        before = {name: getattr(self.options, name) for name in fields}

        def change(to: Mapping[str, Any]) -> None:
            self.options = replace(self.options, **to)

        return meanwhile(self._undoing, lambda: change(fields), lambda: change(before))

    @contextmanager
    def with_all_steps(self, terminator: str) -> Iterator[None]:
        """After `::`, evaluate anew what earlier evaluations have left in the cache, so that no step is missing.

        >>> s = fp.Session()
        >>> with s.with_all_steps("::"):
        ...     print(s.eval("Ax Ey y>x"))
        TRUE
        """
        before = self.cache
        begun = Cache() if terminator == "::" else before

        def use(cache: Cache) -> None:
            self.cache = cache

        with meanwhile(self._undoing, lambda: use(begun), lambda: use(before)):
            yield

    @contextmanager
    def _metacommands(self, command: DefCommand | EvalCommand) -> Iterator[None]:
        """During an evaluation, carry out the `[export ...]` and `[strategy ...]` that stand before the command."""
        words = [meta.words for meta in command.metacommands if len(meta.words) == 3]
        exports = [(number, name) for kind, number, name in words if kind == "export"]
        keep = files.StepExport(command.name or "eval", exports, self.namespace.folder) if exports else None
        strategies = {
            number: IN_SCRIPTS[name.upper().replace("_", "-")] for kind, number, name in words if kind == "strategy"
        }
        with self._with(keep=keep or self.options.keep, strategies=strategies):
            yield


def truth_automaton(truth: bool) -> Dfa:
    """Return the automaton without tracks that accepts if `truth`."""
    return true() if truth else false()
