"""What a certificate proves, for a reader: the statement in words and typeset, names, rules, and what is trusted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.checker import fibcheck
from fibprover.language.printer import PROSE_OF_NAMES
from fibprover.language.sentences import prose_latex
from fibprover.prover.certificate.sketch import NamedStates, sketch
from fibprover.prover.certificate.statements import bare, plainly_named, read

#: A name that is neither that of a predicate nor of a word.
_NAME = re.compile(r"(?<![$\w])[A-Za-z_]\w*(?![\w\[(])", re.ASCII)
_QUANTIFIERS = ("E", "A", "I")

#: What each rule concludes.
RULES = {
    "any": "nothing satisfies the guards, so anything is true of what does",
    "atom": "the order of numbers, a constant, a letter of a word, or a predicate, from its automaton",
    "definition": "a call means the formula of its definition",
    "addition": "an automaton adds, by induction on the second summand",
    "linear": "a comparison of sums, from sums of two numbers",
    "share": "a number that the guards determine takes the place of a bound variable",
    "and": "a conjunction: the intersection of two automata",
    "or": "a disjunction: the union",
    "not": "a negation: the complement",
    "iff": "an equivalence: where both are true or neither is",
    "exists": "a quantifier: the projection of an automaton, by sets of states",
    "limit": "another automaton, which differs beside finitely many beginnings of each sequence",
    "recursion": "a recursion has no other solution, by induction on a measure",
    "sequences": "equations of sequences hold, by bases of the rows that are reached, and have no other solution",
}

TRUSTED = (
    "the checker (fibcheck.py) and Python; nothing of the program that has written the certificate",
    "that the statement above is what you mean, and its names what you call so",
)

#: How a statement about integers has become one about natural numbers.
OF_INTEGERS = (
    "Each integer has one natural number, that with the same digits: of an integer in base -k, the number in base k; of"
    " one in negaFibonacci, the number that is the greedy sum of 1, 2, 3, 5, ...",
    "In place of a comparison of integers there is a call of a definition: that of sums of 2*p-n for each integer,"
    " where n is its number and p the sum of d_i*k^i for the digits d_i of n at even places i (of p-n in"
    " negaFibonacci). Two integers are equal if their numbers are; letters of words, predicates and quantifiers are"
    " the same. The checker makes sure of it.",
)

#: What is said in place of the statement `true`: of a file that says what a sequence counts, or a recursion defines.
OF_NAMES = "no formula, but what is said of the names below"

#: What the sentences about states may take.
_SKETCH_SECONDS = 20.0

#: What is said of the states.
SKETCHED = (
    "Numbers, or integers, are read from their first digits on, in step. By induction on the digits read, each line is "
    "true of those read so far when its state is reached; state 0 is the first. (The proof does not use these lines.)"
)


@dataclass(frozen=True, slots=True)
class ExplainedCertificate:
    """A valid certificate.

    statement, words, latex: the statement as the checker has it, in words, and as LaTeX; names: a line for each;
    claims: how many; rules: of each rule that is used the number of claims; automata: how many; states: of the largest;
    bytes: of the file; sketch: what the states of small automata mean.
    integers: which variables of the statement are integers; numbers: the statement about natural numbers that stand for
    them, which has been proved.
    """

    statement: str
    words: str
    latex: str
    names: tuple[str, ...]
    claims: int
    rules: tuple[tuple[str, int], ...]
    automata: int
    states: int
    bytes: int
    sketch: tuple[NamedStates, ...] = ()
    integers: str = ""
    numbers: str = ""

    @property
    def trusted(self) -> tuple[str, ...]:
        """What a reader has to trust."""
        return TRUSTED

    def rules_in_words(self) -> list[tuple[str, int, str]]:
        """Return the rules that are used: of each its name, how often, and what it concludes."""
        return [(rule, count, RULES[rule]) for rule, count in self.rules]

    def sketch_lines(self) -> list[str]:
        """Return the names whose automata are small, each with a line for each state."""
        return [line for each in self.sketch for line in (each.name, *(f"  {one}" for one in each.states))]

    def integers_lines(self) -> list[str]:
        """Return what has been proved in place of a statement about integers, and why that is the same."""
        return [f"Proved about natural numbers: {self.numbers}", *OF_INTEGERS] if self.numbers else []

    def sizes(self) -> str:
        """Return how many claims and automata there are, and the size of the file."""
        return (f"{self.claims:,} claims, {self.automata:,} automata of at most {self.states:,} states, "
                f"{self.bytes:,} bytes")

    def plain(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"kind": "explained certificate", **asdict(self), "rules": dict(self.rules), "names": list(self.names)}

    def __str__(self) -> str:
        paragraphs = [
            ("Statement", [self.words, self.latex]),
            *([("Integers", self.integers_lines())] if self.numbers else []),
            ("Names", list(self.names)),
            ("Proof", [
                self.sizes(), *(f"{rule} ({count:,}): {meaning}" for rule, count, meaning in self.rules_in_words()),
            ]),
            *([("States", [SKETCHED, *self.sketch_lines()])] if self.sketch else []),
            ("Trusted", list(self.trusted)),
        ]
        return "\n\n".join("\n  ".join([head, *lines]) for head, lines in paragraphs)


def explained(file: str | Path, seconds: float = 3600.0, memory: int = fibcheck.MOST_MEMORY) -> ExplainedCertificate:
    """Check a certificate, and return what it proves; raises what `fibcheck.check` raises if it is not valid."""
    checker = fibcheck.check(str(file), seconds=seconds, memory=memory)
    budget = fibcheck.Budget(seconds, 1 << 32, memory)
    rules = Counter(line["rule"] for each in fibcheck.lines_of(str(file), budget, 1 << 30)
                    if "rule" in (line := fibcheck.value_of(each, budget)))
    assert checker.statement is not None
    source = checker.statement[1]
    statement, integers = checker.spoken(source), checker.integers_of(source)
    # Variables for integers are told from others by their names.
    names = _shorter(statement, checker.variables) if integers else None
    if checker.finite():
        counted = ((name, bare(index)) for name, (index, *_) in checker.counts.items())
        words = "; ".join(f"{name}({index}) is finite for all {index}" for name, index in counted)
        latex = rf"\text{{{prose_latex(words)}}}"
    elif source == "true":
        words, latex = OF_NAMES, rf"\text{{{OF_NAMES}}}"
    else:
        words, latex = in_words(statement, names)
    said = "; ".join(f"{', '.join(names[one] for one in found)}: integers of {system}"
                     for system, found in integers.items()) if names else ""
    words = f"{checker.scope()}{words} ({said})" if said else f"{checker.scope()}{words}"
    if checker.family is not None:
        latex = rf"\text{{{fibcheck.shown(checker.scope())}}}{latex}"
    return ExplainedCertificate(
        statement, words, latex, tuple(_names(checker)), len(checker.claims), tuple(rules.most_common()),
        len(checker.automata), max(len(automaton.rows) for _, automaton in checker.automata),
        Path(file).stat().st_size,
        sketch(checker, fibcheck.Budget(min(seconds, _SKETCH_SECONDS), 1 << 25, memory)) if not checker.family else (),
        said, source if said else "",
    )


def _names(checker: fibcheck.Checker) -> Iterator[str]:
    """Yield what names mean, recursions and definitions in words."""
    formulas = {checker.definition(name, parameters, source):
                ("definition", [f"${name}({','.join(parameters)}) <=> {checker.spoken(source)}"],
                 checker.sorts("", parameters))
                for name, (parameters, _, source) in checker.definitions.items()}
    for source in checker.recursions:
        formulas[f"by induction, the only solution: {source}"] = (
            "by induction, the only solution", source.split("; "), "")
    for line in list(checker.understood())[:-1]:
        if line.startswith("about numbers: "):  # that is no name
            continue
        if line in formulas:
            kind, sources, sorts = formulas[line]
            # Which variables are integers is said by the names of the certificate.
            said = [in_words(one, {} if sorts else None)[0] for one in sources]
            yield f"{kind}: {'; '.join(said)}{sorts}"
        else:
            yield fibcheck.shown(line)


def in_words(statement: str, names: Mapping[str, str] | None = None) -> tuple[str, str]:
    """Return a statement of the checker's language in words, and as LaTeX; as it is if it is not one of fibprover's.

    names: other names of its variables; by default, these lose their numbers where no two are mixed up by that.
    """
    text = statement if names is None else _NAME.sub(lambda match: names.get(match[0], match[0]), statement)
    try:
        tree = read(text)
        if names is None:
            tree, _ = plainly_named(tree)
        # A certificate says what its predicates are: $pal_T may be any.
        return PROSE_OF_NAMES.text(tree), tree.latex()
    except BudgetSpent:
        raise
    except FibproverError:
        return fibcheck.shown(statement), fibcheck.shown(statement)


def _shorter(statement: str, variables: Collection[str]) -> dict[str, str]:
    """Return what the variables of a statement are called: without their numbers, where no other one is called so."""
    used = [name for name in dict.fromkeys(_NAME.findall(statement)) if name in variables]
    found = Counter(map(bare, used))
    return {name: plain if found[plain := bare(name)] == 1 and plain not in _QUANTIFIERS else name for name in used}
