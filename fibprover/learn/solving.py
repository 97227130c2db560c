"""Solve a recursion: learn a candidate, and prove that it is the only relation that satisfies the recursion.

The teacher of the learner is, in this order: all small tuples, tuples of random sizes, words that are likely to tell
states apart, and the prover, whose counterexample is the next example.  Nothing is believed that is not proved: the
result is a candidate for which `fibprover.learn.induction` has found no refutation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from random import Random
from typing import Any

from fibprover.automata.dfa import Dfa
from fibprover.automata.prefixes import is_parametric
from fibprover.base.errors import BudgetSpent, FibproverError, NotSupported, Unsolved
from fibprover.base.limits import Budget, cpu_clock, spending
from fibprover.base.names import PARAMETER, is_family, is_parameter, word_predicate
from fibprover.base.values import replaced
from fibprover.infer.residuals import InferredSet
from fibprover.infer.state_growth import Growth, growth
from fibprover.language.builder import exists, variable
from fibprover.language.parser import read
from fibprover.language.tree import Formula, Term, all_names, unused
from fibprover.learn.evaluation import Evaluator
from fibprover.learn.induction import Refutation, Statement, refutation, statements
from fibprover.learn.programs import CannotEvaluate, NotGoingDown
from fibprover.learn.recursion import Measure, Recursion, default_measures, read_measure, read_recursion
from fibprover.learn.samples import Members, Samples, inferred, is_sure
from fibprover.learn.theorem import Effort, Solution, Uniqueness
from fibprover.learn.tree import Learner, Numbers, Word, Words
from fibprover.prover.decide import Options, decide
from fibprover.prover.environment import Definition, Environment, Sort, over_family, sort_of
from fibprover.prover.evaluate.atoms import Atoms
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.verdict.evidence import Evidence
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.slopes import FamilyRelation

#: Data about one relation that need not be computed: returns whether it holds numbers, None where this is not known.
Data = Callable[..., Any]

#: The small tuples on which every candidate is tried, and those on which a measure is tried first.
SMALL_TUPLES = 2500
TRIED_FIRST = 200

#: A candidate goes to the prover after so many random tuples, and words that may tell states apart, were no
#: counterexamples.
QUIET = 60

#: Random tuples have numbers of so few bits at first, and of more while the data of a round need less than these
#: values of the recursion; of at most so many, and of one more after each EXTRA rounds, as data cost less than proofs.
FIRST_BITS, MOST_BITS, LAST_BITS, EXTRA = 5, 9, 13, 2
CHEAP_ROUND = 1000

#: Values of the recursion after which a round ends, and the numbers of the next one are smaller.
DEAR_ROUND = 20_000

#: A proof may take so many seconds at first; where that does not suffice, there are more data, and more time for the
#: next one, as a candidate that is wrong can take far longer than the right one.
PROOF_SECONDS = 0.5

#: A proof of what was inferred from a sample may take so many seconds, or as many as all samples so far.
SHORT_PROOF = 0.2

#: After so many proofs that spent another limit than that of their time, the recursion is given up.
MOST_EXCESSES = 4

#: A learner with so many states gives up if their number grows like a power of the bound below which they are found.
GROWN = 400

#: A proof of what was inferred from a sample may take so many times longer if the sample is large enough, and so many
#: seconds if there are no more samples.
SURE, LAST_SECONDS = 4, 60.0

#: So many samples tell whether states grow, if the last one has led to so many states.
LEAST_SAMPLES, SAMPLES_GROWN = 6, 100

#: The most members of a sample at which a learner is corrected.
MOST_SEEDS = 3000


def solve(
    formulas: Mapping[str, str | Formula], environment: Environment, options: Options, by: str | Term | None = None,
    data: Mapping[str, Data] | None = None,
) -> Solution:
    """Return the relations that a recursion defines, with the theorem.

    formulas: of each relation, by name; by: the measure, a term in parameters that all relations have; data: what is
    known of relations.  Raises TextErrors with the place, BudgetSpent, and Unsolved where nothing was proved.
    """
    with spending(options.limits.start()) as budget:
        recursion = read_recursion(formulas, environment)
        choices = (
            default_measures(recursion) if by is None
            else [{each.name: read_measure(by, each) for each in recursion.equations}]
        )
        if any(is_family(sort.system) for sorts in recursion.sorts.values() for sort in sorts):
            if data:
                raise Unsolved(
                    "data are numbers at one parameter, and nothing is learned over a family", hint="leave data out"
                )
            return _over_family(recursion, choices, environment, options, budget)
        _refuse_families(formulas, environment)
        problem: Exception | None = None
        for measures in choices:
            try:
                return _Solver(recursion, measures, environment, options, budget, data or {}).solution()
            except (NotGoingDown, CannotEvaluate) as failed:
                if problem is None or (isinstance(problem, CannotEvaluate) and isinstance(failed, NotGoingDown)):
                    problem, at_fault = failed, measures
        if isinstance(problem, NotGoingDown):
            raise _explained(problem, recursion, at_fault, environment, budget, given=by is not None)
        if problem is None:
            raise Unsolved(
                "the relations have no parameter in common that could be the measure",
                hint="name a parameter of each that goes down with calls by the same letter",
            )
        raise Unsolved(str(problem.args[0]), hint=getattr(problem, "hint", "")) from None


def _over_family(
    recursion: Recursion, choices: Sequence[Mapping[str, Measure]], environment: Environment, options: Options,
    budget: Budget,
) -> Solution:
    """Return what the names mean before, if that is proved to be what a recursion over a family defines.

    The induction is one for each parameter.  Nothing is learned: data would be about one parameter.  Raises Unsolved.
    """
    since = cpu_clock()
    definitions: dict[str, Definition] = {}
    for each in recursion.equations:
        sorts = dict(zip(each.parameters, recursion.sorts[each.name], strict=True))
        given = None if word_predicate(each.name) else environment.definitions.get(each.name)
        relation = None if given is None else _relation_over(sorts, given.automaton, environment, budget)
        if relation is None:
            raise Unsolved(
                f"nothing is learned over a family of systems, and ${each.name} does not mean a relation of numbers of "
                "one yet",
                hint=f"define ${each.name} by another formula; `solve` then proves that it is the only relation that "
                "satisfies the recursion, or choose one member, as in ?msd_ost_0_2_per_1",
            )
        definitions[each.name] = Definition(each.name, relation)
    for measures in choices:
        if refutation(recursion, measures, definitions, environment, options) is None:
            automata = {name: definition.automaton for name, definition in definitions.items()}
            effort = Effort(0, 0, 0.0, cpu_clock() - since)
            return _solution_of(recursion, measures, automata, environment, effort)
    raise Unsolved(
        f"what {', '.join(definitions)} means now is not proved to be the only relation that satisfies the recursion",
        hint="another one satisfies it for some parameter, this one does not, or no measure goes down; `by` names one",
    )


def _refuse_families(formulas: Mapping[str, str | Formula], environment: Environment) -> None:
    """Raise NotSupported for a recursion of numbers of one system that mentions a family."""
    for formula in formulas.values():
        source = read(formula, environment.macros)
        if over_family(source, environment):
            raise NotSupported(
                "a recursion over one system has no words and predicates over a family", source.text, 0,
                len(source.text), hint="put the family in front, as in ?msd_sturmian, or choose one member",
            )


def confirmed(
    formulas: Mapping[str, Formula], candidates: Mapping[str, Dfa], environment: Environment, options: Options,
    by: Term, effort: Effort,
) -> Solution | None:
    """Return the solution if these candidates are the relations that a recursion defines, None if they are not.

    formulas, by: as for `solve`; candidates: automata from anywhere, by the names of the relations, over tracks of the
    systems of the parameters: only their words that represent numbers count, with any leading zeros.  Nothing else is
    believed of them; effort: what they took.  Raises BudgetSpent.
    """
    since = cpu_clock()
    with spending(options.limits.start()) as budget:
        recursion = read_recursion(formulas, environment)
        measures = {each.name: read_measure(by, each) for each in recursion.equations}
        definitions: dict[str, Definition] = {}
        for each in recursion.equations:
            sorts = dict(zip(each.parameters, recursion.sorts[each.name], strict=True))
            relation = _relation_over(sorts, candidates[each.name], environment, budget)
            if relation is None:
                return None
            definitions[each.name] = Definition(each.name, relation)
        if refutation(recursion, measures, definitions, environment, options) is not None:
            return None
    automata = {name: definition.automaton for name, definition in definitions.items()}
    return _solution_of(recursion, measures, automata, environment, replaced(effort, proving=cpu_clock() - since))


def _relation_over(sorts: Mapping[str, Sort], given: Dfa, environment: Environment, budget: Budget) -> Dfa | None:
    """Return an automaton from anywhere as a relation over parameters; None if its tracks are of other systems."""
    every = dict(sorts)
    if given.tracks and is_parameter(given.tracks[-1].system):
        every[PARAMETER] = sort_of(given.tracks[-1])
    if [track.system for track in given.tracks] != [sort.system for sort in every.values()]:
        return None
    return Atoms(environment.system, every, budget).relation(given, tuple(every))


def _solution_of(
    recursion: Recursion, measures: Mapping[str, Measure], automata: Mapping[str, Dfa], environment: Environment,
    effort: Effort,
) -> Solution:
    """Return the solution for automata of which `refutation` has found nothing wrong."""
    sources = {each.name: each.source for each in recursion.equations}
    relations = {
        name: (FamilyRelation if is_parametric(each) else Relation)(
            each, environment.system, sources[name], default_system=environment.default_system
        )
        for name, each in automata.items()
    }
    theorem = Uniqueness(
        {name: source.text for name, source in sources.items()},
        {name: measure.text for name, measure in measures.items()},
        tuple(str(each.formula) for each in statements(recursion, measures)),
        {name: each.states for name, each in relations.items()},
        effort.rounds, effort.questions, effort.learning, effort.proving,
    )
    weights = {name: tuple(measure.coefficients.values()) for name, measure in measures.items()}
    return Solution(relations, theorem, weights)


class _Solver:
    """The learners of the relations of one recursion with one measure, and the effort so far."""

    def __init__(
        self, recursion: Recursion, measures: Mapping[str, Measure], environment: Environment, options: Options,
        budget: Budget, data: Mapping[str, Data],
    ) -> None:
        self.begun = cpu_clock()
        self.recursion = recursion
        self.measures = measures
        self.environment = environment
        self.options = options
        self.budget = budget
        self.data = data
        self.evaluator = Evaluator(recursion, measures, environment, budget)
        self.statements = statements(recursion, measures)
        self.random = Random(1)
        self.bits = FIRST_BITS
        #: Whether something was asked that the given data do not say.
        self.beyond = False
        self.quiet = QUIET
        self.allowance = PROOF_SECONDS
        #: Proofs that ended for another reason than their time.
        self.excesses = 0
        self.rounds = 0
        self.proving = 0.0
        self.learners: dict[str, Learner] = {}
        #: The last sample, and for each relation the bounds and states of what was inferred from samples.
        self.sample: Mapping[str, Members] = {}
        self.samples: Samples | None = None
        self.history: dict[str, list[tuple[int, int]]] = {each.name: [] for each in recursion.equations}
        #: How many tuples samples had.
        self.sampled = 0
        self.words: dict[str, Words] = {}
        self.small: dict[str, list[Numbers]] = {}
        self.small_words: dict[str, list[Word]] = {}
        for each in recursion.equations:
            sorts = recursion.sorts[each.name]
            self.words[each.name] = Words(
                [sort.track(name) for name, sort in zip(each.parameters, sorts, strict=True)],
                [environment.system(sort.system) for sort in sorts], budget,
            )
            self.small[each.name] = small_tuples(len(sorts), SMALL_TUPLES)
            self.small_words[each.name] = [self.words[each.name].word(numbers) for numbers in self.small[each.name]]

    def solution(self) -> Solution:
        """Return the relations and the theorem."""
        try:
            for name, tuples in self.small.items():
                for numbers in tuples[:TRIED_FIRST]:
                    self.holds(name, numbers)
            if candidates := self._defined() or self._from_samples():
                return self._solution(candidates)
            for name, words in self.words.items():
                self.learners[name] = Learner(words, partial(self.holds, name), self.budget)
                self._learn_from_sample(name)
            while True:
                for name in self.learners:
                    self._learn_from_data(name)
                candidates = {name: learner.automaton() for name, learner in self.learners.items()}
                if self._proved(candidates):
                    return self._solution(candidates)
                self._check_growth()
        except BudgetSpent as spent:
            raise self._gave_up(f"the budget is spent ({spent.message})") from None

    def holds(self, name: str, numbers: Numbers) -> bool:
        """Return whether a relation holds numbers, by the data that are given or by its recursion."""
        given = self.data.get(name)
        if given is not None:
            known = given(*numbers)
            if known is not None:
                return bool(known)
            self.beyond = True
        return self.evaluator(name, numbers)

    # -- what the names mean before ------------------------------------------------------------

    def _defined(self) -> dict[str, Dfa] | None:
        """Return what the names mean before, if that is proved: a script that is run again learns nothing anew."""
        candidates: dict[str, Dfa] = {}
        for name, small in self.small.items():
            found = self._meaning(name)
            if found is None or any(bool(found.output(word)) != self.holds(name, numbers) for word, numbers in zip(
                self.small_words[name][:TRIED_FIRST], small[:TRIED_FIRST], strict=True
            )):
                return None
            candidates[name] = found
        return candidates if self._sample_is_proved(candidates, PROOF_SECONDS) else None

    def _meaning(self, name: str) -> Dfa | None:
        """Return the relation that a name means before, over the tracks of this recursion; None if there is none."""
        if word_predicate(name) is not None:
            return None  # to look it up would make it
        parameters = (track.name for track in self.words[name].tracks)
        sorts = dict(zip(parameters, self.recursion.sorts[name], strict=True))
        try:
            given = self.environment.definitions.get(name)
            return None if given is None else _relation_over(sorts, given.automaton, self.environment, self.budget)
        except BudgetSpent:
            raise
        except FibproverError:
            return None  # its file is malformed

    # -- samples -----------------------------------------------------------------------------

    def _from_samples(self) -> dict[str, Dfa] | None:
        """Return the relations if what is inferred from all members below a bound is proved, else None."""
        before: dict[str, InferredSet] = {}
        candidates: dict[str, Dfa] = {}
        decided = True
        source = None if self.data else self.evaluator.source()
        samples = self.samples = Samples([*self.words], self.data, source, self.budget)
        for sample in samples:
            self.sample = sample
            found = self._inferred(sample)
            if found is None:
                return None
            tried, candidates = candidates, {name: each.automaton for name, each in found.items()}
            sure = all(is_sure(each, before.get(name)) for name, each in found.items())
            # As the next board takes as long as all before, or longer, a proof may take as long as these.
            seconds = (SURE if sure else 1) * max(SHORT_PROOF, cpu_clock() - self.begun - self.proving)
            if candidates != tried:
                decided = False
            # Members that are given cost nothing, so that the last candidate is tried, and what is sure.
            if not decided and (sure or not samples.given):
                proved = self._sample_is_proved(candidates, seconds)
                if proved:
                    return candidates
                decided = proved is not None
            before = found
        # Smaller samples would call some relations hopeless: sums of the 4-bonacci word grow like a power to 2048.
        self._check_samples()
        if not decided and self._sample_is_proved(candidates, LAST_SECONDS):
            return candidates
        return None

    def _inferred(self, sample: Mapping[str, Members]) -> dict[str, InferredSet] | None:
        """Return what is inferred from a sample; None where that is not possible."""
        found: dict[str, InferredSet] = {}
        for name, members in sample.items():
            each = inferred(members, self.words[name].tracks, self.words[name].systems, self.budget)
            if each is None:
                return None
            found[name] = each
            self.sampled += members.tuples
            self.history[name].append((members.bound, each.states))
        return found

    def _sample_is_proved(self, candidates: Mapping[str, Dfa], seconds: float) -> bool | None:
        """Return whether both formulas of each relation are TRUE, None if that takes longer."""
        self.rounds += 1
        since = cpu_clock()
        try:
            return self._refutation(candidates, seconds) is None
        except BudgetSpent:
            if self.budget.seconds_left() < 0:
                raise self.budget.spent("seconds", during="a proof") from None
            return None
        finally:
            self.proving += cpu_clock() - since

    def _check_samples(self) -> None:
        """Raise Unsolved if states are many, and grow like a power of the bounds of the samples."""
        for name, history in self.history.items():
            if len(history) >= LEAST_SAMPLES and history[-1][1] > SAMPLES_GROWN and growth(*zip(*history, strict=True)):
                raise self._gave_up(f"the states of {name} grow like a power of the numbers that lead to them")

    def _learn_from_sample(self, name: str) -> None:
        """Correct the candidate of a relation at members: single tuples of few members are seldom found otherwise."""
        if name in self.sample:
            rows = self.sample[name].rows
            for numbers in rows[:: len(rows) // MOST_SEEDS + 1].tolist():
                self._corrected(name, tuple(numbers))

    # -- data --------------------------------------------------------------------------------

    def _learn_from_data(self, name: str) -> None:
        """Correct the candidate of a relation until no tuple is found on which it is wrong."""
        learner = self.learners[name]
        while sum(learner.correct(word) for word in self.small_words[name]):
            pass
        while True:
            before = self.evaluator.work
            quiet = 0
            while quiet < self.quiet and (self.bits == FIRST_BITS or not self._too_large(before)):
                quiet = 0 if sum(learner.correct(word) for word in self._tried(learner)) else quiet + 1
            if self._too_large(before):
                self.bits = max(FIRST_BITS, self.bits - 1)
            most = min(MOST_BITS + self.rounds // EXTRA, LAST_BITS)
            if self.beyond or self.bits >= most or self.evaluator.work - before > CHEAP_ROUND:
                return
            self.bits += 1

    def _too_large(self, before: int) -> bool:
        """Return whether the numbers of this round are too large for the data that are given, or for the evaluator.

        before: the work that had been done before the round.
        """
        return self.beyond or self.evaluator.work - before > DEAR_ROUND

    def _tried(self, learner: Learner) -> list[Word]:
        """Return words at which a candidate may be wrong."""
        numbers = self._random_numbers(learner.words)
        tried = learner.border(numbers, self.random.randrange(len(numbers)), self.bits)
        for _ in range(2):
            word = learner.likely_counterexample(self.random)
            if max(learner.words.numbers(word)) < 1 << (self.bits + 1):
                tried.append(word)
        return tried

    def _random_numbers(self, words: Words) -> Numbers:
        """Return numbers of random sizes, of which one is often near to another one, as relations like that."""
        random = self.random
        numbers = [random.getrandbits(random.randrange(1, self.bits)) for _ in words.tracks]
        if random.getrandbits(1):
            place, other = random.randrange(len(numbers)), random.randrange(len(numbers))
            steps = [step for step in words.steps[place] if step < 1 << self.bits]
            numbers[place] = numbers[other] + random.choice(steps)
        return tuple(numbers)

    # -- the proof ---------------------------------------------------------------------------

    def _definitions(self, candidates: Mapping[str, Dfa]) -> dict[str, Definition]:
        return {name: Definition(name, automaton) for name, automaton in candidates.items()}

    def _proved(self, candidates: Mapping[str, Dfa]) -> bool:
        """Return whether both formulas of each relation are TRUE; if not, learn from a counterexample."""
        self.rounds += 1
        since = cpu_clock()
        try:
            failed = self._refutation(candidates, self.allowance)
            evidence = None if failed is None else failed.verdict.evidence
        except BudgetSpent as spent:
            if self.budget.seconds_left() < 0:
                raise self.budget.spent("seconds", during="a proof") from None
            if spent.resource != "seconds":
                # More time is no help; another candidate may be, as a wrong one can take far more memory.
                self.excesses += 1
                if self.excesses == MOST_EXCESSES:
                    raise
            failed = evidence = None
            in_time = False
        else:
            in_time = failed is None or evidence is not None
        self.proving += cpu_clock() - since
        if not in_time:
            self.allowance *= 2
            self.quiet *= 2
            return False
        if failed is not None and not self._learned_from(failed.statement, evidence):
            self._learn_from_least(candidates)
        return failed is None

    def _refutation(self, candidates: Mapping[str, Dfa], seconds: float) -> Refutation | None:
        """Return the first formula of the proof that is FALSE; None if the candidates are proved."""
        definitions = self._definitions(candidates)
        return refutation(self.recursion, self.measures, definitions, self.environment, self._options(seconds))

    def _options(self, seconds: float | None = None) -> Options:
        """Return the options of one evaluation, which may take so many seconds; the budget ends it in any case."""
        limits = self.options.limits.within(seconds)
        return Options(self.options.plan, limits, without=self.options.without)

    def _learned_from(self, statement: Statement, evidence: Evidence | None) -> bool:
        """Correct a candidate at a counterexample, or at a tuple that the formula asks for there."""
        if evidence is None:
            return False
        numbers = tuple(int(str(evidence.values[each.name])) for each in statement.variables)
        if self._corrected(statement.name, numbers):
            self._look_around(self.learners[statement.name], numbers)
            return True
        return any(self._corrected(name, asked) for name, asked in self.evaluator.calls(statement.name, numbers))

    def _look_around(self, learner: Learner, numbers: Numbers) -> None:
        """Correct a candidate at tuples that differ in one number from a counterexample: it often fails there, too."""
        steps = [step for step in learner.words.steps[0] if step <= 2 * max(numbers)]
        for place in range(len(numbers)):
            for step in steps:
                near = (*numbers[:place], numbers[place] + step, *numbers[place + 1 :])
                for other in range(len(numbers)):
                    for word in learner.border(near, other, self.bits) if other != place or not step else ():
                        learner.correct(word)

    def _corrected(self, name: str, numbers: Numbers) -> bool:
        return self.learners[name].correct(self.words[name].word(numbers))

    def _learn_from_least(self, candidates: Mapping[str, Dfa]) -> None:
        """Correct a candidate at a counterexample of the least measure, below which all candidates are right."""
        for name, numbers, _ in self._least_counterexamples(candidates):
            if self._corrected(name, numbers):
                return
        raise self._gave_up("the data and the formula disagree about a counterexample of the prover")

    def _least_counterexamples(self, candidates: Mapping[str, Dfa]) -> list[tuple[str, Numbers, int]]:
        """Return, for each statement that fails, a tuple of least measure, with the measure; the least one first."""
        environment = self.recursion.environment(self.environment, self._definitions(candidates))
        found = []
        for statement in self.statements:
            measure = self.measures[statement.name].of(statement.variables)
            value_of_measure = variable(unused("least", all_names(statement.formula)))
            below = exists(*statement.variables, statement.fails & value_of_measure.eq(measure))
            least = self._relation(below, environment)
            if least is None or least.is_empty():
                continue
            (value,) = least.values(1)
            tuples = self._relation(statement.fails & measure.eq(value), environment)
            if tuples is not None:
                (numbers,) = tuples.first(1)
                found.append((statement.name, numbers, value))
        return sorted(found, key=lambda each: each[2])

    def _relation(self, formula: Formula, environment: Environment) -> Relation | None:
        outcome = decide(formula, environment, Cache(), self._options())
        return outcome if isinstance(outcome, Relation) else None

    # -- ends --------------------------------------------------------------------------------

    def _solution(self, candidates: Mapping[str, Dfa]) -> Solution:
        learning = cpu_clock() - self.begun - self.proving
        effort = Effort(self.rounds, self._questions(), learning, self.proving)
        return _solution_of(self.recursion, self.measures, candidates, self.environment, effort)

    def _questions(self) -> int:
        return self.sampled + sum(each.questions for each in self.learners.values())

    def _check_growth(self) -> None:
        """Raise Unsolved if the states of a learner are many and grow like a power of the bound."""
        for name, learner in self.learners.items():
            if len(learner.states) > GROWN and growth_of(learner):
                raise self._gave_up(f"the states of {name} grow like a power of the numbers that lead to them")

    def _gave_up(self, why: str) -> Unsolved:
        known = [
            f"{name}, inferred from all members below bounds: {growth(*zip(*history, strict=True))}"
            for name, history in self.history.items() if history
        ]
        if self.samples is not None and self.samples.following is not None:
            size, seconds = self.samples.following
            known.append(f"all members below {size} would be next, which are expected to take {seconds:.1f} s")
        for name, learner in self.learners.items():
            bound = max(self.small[name][-1]) + 1
            known.append(
                f"{name}: {len(learner.states)} states after {learner.questions} questions, right for all numbers"
                f" below {bound}, {growth_of(learner).verdict}"
            )
        names = ", ".join(each.name for each in self.recursion.equations)
        return Unsolved(
            f"no candidate for {names} was proved: {why}", hint="; ".join(known) or "there was no candidate"
        )


def growth_of(learner: Learner) -> Growth:
    """Return what the states found do with the length of the words that lead to them.

    The last length is left out, as its states may not all be known.
    """
    lengths = [len(state.access) for state in learner.states]
    longest = max(lengths)
    counts = [sum(length <= most for length in lengths) for most in range(1, longest)]
    # Words of one more letter represent numbers larger by about the same factor.
    return growth([1 << most for most in range(1, longest)], counts)


def small_tuples(count: int, most: int) -> list[Numbers]:
    """Return all tuples of numbers below a bound, of which there are at most so many, by their greatest number."""
    bound = 1
    while (bound + 1) ** count <= most:
        bound += 1
    return sorted(product(range(bound), repeat=count), key=max)


def _explained(
    problem: NotGoingDown, recursion: Recursion, measures: Mapping[str, Measure], environment: Environment,
    budget: Budget, *, given: bool,
) -> Unsolved:
    """Return the error about a call that does not go down, with the numbers."""
    caller = recursion.equation(problem.name)
    at = ", ".join(f"{name} = {number}" for name, number in zip(caller.parameters, problem.values, strict=True))
    call = f"${problem.called}({','.join(map(str, problem.arguments))})"
    if (problem.called, problem.arguments) == (problem.name, problem.values):
        evaluator = Evaluator(recursion, measures, environment, budget)
        try:
            sides = [evaluator.with_value(problem.name, problem.values, assumed) for assumed in (False, True)]
        except NotGoingDown:
            sides = []
        if sides == [True, False]:
            return Unsolved(
                f"the recursion is contradictory: at {at}, {call} would hold if and only if it does not",
                hint="no relation satisfies it",
            )
        if sides == [False, True]:
            return Unsolved(
                f"the recursion does not say whether {call} holds: at {at} it asks for {call} itself",
                hint="more than one relation may satisfy it",
            )
    there = measures[problem.called].value(problem.arguments)
    here = measures[problem.name].value(problem.values)
    parameters = ", ".join(recursion.equation(problem.called).parameters)
    return Unsolved(
        f"the call {call} at {at} does not go down: the measure {measures[problem.called].text} is {there} there,"
        f" and {here} here",
        hint=f"the parameters of {problem.called} are {parameters}, in this order"
        + ("" if given else "; by TERM names another measure"),
    )


def checked_data(data: Any, names: Sequence[str]) -> dict[str, Data]:
    """Return the data of relations as functions; FibproverError for what is no data.

    data: for one relation a function of the parameters, an array of truth values, or a set that has a bound and all
    members below it; for several, these by name.
    """
    if data is None:
        return {}
    by_name = data if isinstance(data, Mapping) else {names[0]: data}
    found: dict[str, Data] = {}
    for name, given in by_name.items():
        if name not in names:
            raise FibproverError(f"data were given for {name}, which is not a relation of the recursion")
        if callable(given):
            found[name] = given
        elif hasattr(given, "shape"):
            found[name] = _from_array(given)
        elif hasattr(given, "bound") and hasattr(given, "__iter__"):
            found[name] = _from_members(given)
        else:
            raise FibproverError(
                f"data are a function that returns whether the relation holds, not {given!r}",
                hint="data=lambda p, q: ...; None stands for unknown; or an array of truth values",
            )
    return found


def _from_array(table: Any) -> Data:
    shape = table.shape

    if len(set(shape)) == 1:
        import numpy

        return Members(numpy.argwhere(table), shape[0], lambda numbers: table[numbers])

    def known(*numbers: int) -> bool | None:
        inside = len(numbers) == len(shape) and all(number < size for number, size in zip(numbers, shape, strict=True))
        return bool(table[numbers]) if inside else None

    return known


def _from_members(given: Any) -> Data:
    """Return the data of a set that knows all its members below its bound, such as the positions of a game."""
    rows, bound = [tuple(map(int, numbers)) for numbers in given], int(given.bound)
    try:
        import numpy
    except ImportError:
        members = frozenset(rows)
        return lambda *numbers: numbers in members if max(numbers) < bound else None
    return Members(numpy.array(rows, numpy.int64).reshape(len(rows), -1 if rows else 1), bound)
