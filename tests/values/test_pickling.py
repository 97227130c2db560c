"""Everything that a user gets can be pickled, copied and sent to another process.

`ROOTS` makes values of all parts of the package; every public class of which they hold an instance, however deeply, is
tested with it.  A class that they do not reach fails, unless it is in `NOT_VALUES`: so a new class needs an example
here, or a place in that list.
"""

from __future__ import annotations

import copy
import inspect
import pickle
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import cache
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import fibprover
import fibprover as fp
from fibprover.automata.listing import first_words
from fibprover.base import errors
from fibprover.base.limits import SharedLimits
from fibprover.base.names import SystemName
from fibprover.campaigns.atlas.entries import read_atlas
from fibprover.campaigns.atlas.results import read_result
from fibprover.campaigns.atlas.run import Finished
from fibprover.campaigns.certificates import FileCheck, Named
from fibprover.campaigns.sweeps.cluster import OtherProgram
from fibprover.campaigns.sweeps.processes import Message
from fibprover.campaigns.sweeps.store import TaskRecord
from fibprover.campaigns.sweeps.tasks import Answer, Died, SweepTask, TaskResult
from fibprover.campaigns.word_sheets import Studied
from fibprover.factors.return_words import return_words
from fibprover.games.costs import Cost, NextData
from fibprover.games.positions import numbered_positions
from fibprover.games.search import Discovery
from fibprover.infer.choice import Attempt
from fibprover.language.commands import iterate_script
from fibprover.language.regular_expression import Empty, parse_regex
from fibprover.language.source import Span
from fibprover.language.tree import Variable
from fibprover.numeration.composed import ComposedSystem
from fibprover.numeration.digit_values import digit_values
from fibprover.numeration.parameters import ChoiceSequence
from fibprover.numeration.quadratic import quadratic
from fibprover.numeration.slope_sets import Quotients
from fibprover.prover.certificate.explained import ExplainedCertificate
from fibprover.prover.comparisons import comparisons
from fibprover.prover.environment import Environment
from fibprover.prover.formula_warnings import FormulaWarning
from fibprover.sequences.catalogue import KNOWN
from fibprover.sequences.certified_counts import CountEquation, TermAt, TermsByWord
from fibprover.sequences.guess import guess_sequence
from fibprover.sequences.recursion import recursion_of
from fibprover.sheets import line
from fibprover.sheets.allowance import Allowance
from fibprover.sheets.best_paths import greatest_quotient
from fibprover.sheets.called_predicates import called_predicates
from fibprover.sheets.certified_suprema import Quotient
from fibprover.sheets.closed_form import Linear, Piece, Pieces, closed_form
from fibprover.sheets.common_factors import common_factors
from fibprover.sheets.conjecture import conjecture
from fibprover.sheets.no_automaton import NoAutomaton
from fibprover.sheets.pair_graph import pair_graph
from fibprover.sheets.questions import questions
from fibprover.sheets.recognition import Recognized
from fibprover.sheets.sequence import number_questions
from fibprover.sheets.square_quotients import SquareQuotient
from fibprover.sheets.subject import subject
from fibprover.sheets.suprema import supremum
from fibprover.sheets.terms import terms_from
from fibprover.sheets.two_indices import table_questions
from fibprover.sheets.vocabulary import Vocabulary
from fibprover.words.catalogue import ENTRIES
from fibprover.words.morphic import morphic_word
from fibprover.words.padding import ChangedLetter
from fibprover.words.rules import parse_rules
from fibprover.words.series_text import read_series
from fibprover.words.transducers import Transducer
from fibprover.workspace.certificates import CertificateFolder
from tests.plan.making import resolved

#: Packages of programs, and packages whose classes are internal: no public function returns their objects.
NOT_OF_VALUES = (
    "fibprover.frontends", "fibprover.automata.kernels", "fibprover.frontends.display", "fibprover.prover.evaluate",
    "fibprover.campaigns.theorems", "fibprover.prover.plan", "fibprover.prover.bind", "fibprover.prover.lower",
    "fibprover.prover.logic", "fibprover.prover.environment", "fibprover.prover.formula_warnings",
    "fibprover.workspace.walnut", "fibprover.base.folders", "fibprover.base.files", "fibprover.base.screen",
    "fibprover.language.sentences",
    "fibprover.language.printer", "fibprover.language.source.Draft", "fibprover.language.lalr",
    "fibprover.language.tokens", "fibprover.words.padding",
    "fibprover.language.tree.TermMethods", "fibprover.language.tree.FormulaMethods",
    "fibprover.sheets.terms", "fibprover.games.findings", "fibprover.infer", "fibprover.factors",
    "fibprover.sheets.desubstitution",
    "fibprover.automata.formats", "fibprover.workspace.commands", "fibprover.automata.kernel_calls",
    "fibprover.games.script", "fibprover.games.shapes", "fibprover.games.boards", "fibprover.games.search",
    "fibprover.prover.verdict.evidence.EvidenceSearch", "fibprover.language.parser.Builder",
    "fibprover.language.commands.Reader", "fibprover.learn", "fibprover.prover.certificate", "fibprover.checker",
)

#: In these packages all the same: what users get from them.
VALUES_OF_THEM = (
    "fibprover.prover.evaluate.trace.Record", "fibprover.prover.evaluate.trace.Trace",
    "fibprover.campaigns.theorems.chapter.Chapter", "fibprover.infer.words.InferredWord",
    "fibprover.prover.evaluate.cache.Cache", "fibprover.prover.environment.Environment",
    "fibprover.prover.environment.Definition", "fibprover.prover.environment.Sort",
    "fibprover.games.search.Discovery", "fibprover.learn.theorem.Solution", "fibprover.learn.theorem.Uniqueness",
    "fibprover.frontends.display.drawing.Drawing", "fibprover.frontends.display.board.Board",
    "fibprover.prover.certificate.writing.Certificate",
)

#: Interfaces, and what belongs to one running computation.
NOT_VALUES = {
    "fibprover.sheets.subject.About",
    "fibprover.sheets.question.Question", "fibprover.sheets.question.FormulaQuestion",
    "fibprover.sequences.rational.Space", "fibprover.sequences.certified_sums.ValueOf",
    "fibprover.sequences.certified_sums.RightSide", "fibprover.sequences.certified_sums.Values",
    "fibprover.sequences.determined.Decider",
    "fibprover.sequences.equation_series.SeriesOf", "fibprover.sequences.equation_terms.Disagreement",
    "fibprover.sequences.equation_terms.FirstTerms", "fibprover.sequences.equation_terms.Missing",
    "fibprover.sequences.solving.Known", "fibprover.base.values.RichlyDisplayed",
    "fibprover.base.values.PlainlyDisplayed", "fibprover.base.values.Written",
    "fibprover.base.limits.MeteredSize", "fibprover.numeration.system.NumerationSystem",
    "fibprover.numeration.system.PositionalSystem", "fibprover.numeration.weights.Weights",
    "fibprover.words.catalogue.TransitionDefinition", "fibprover.words.ways.Pair", "fibprover.games.polyhedra.Inexact",
    "fibprover.games.polyhedra.NotPolyhedral", "fibprover.games.proof.MovePiece",
    "fibprover.invention.parts.Candidate", "fibprover.invention.parts.Shape", "fibprover.invention.parts.Restriction",
    "fibprover.invention.differences.Board", "fibprover.workspace.floors.Equation",
    "fibprover.games.passing.Excluded", "fibprover.games.rules.Variables", "fibprover.language.commands.Usage",
    "fibprover.language.commands.Command", "fibprover.language.commands.TextCommand",
    "fibprover.language.parser.Item", "fibprover.language.parser.Misfit",
    "fibprover.language.undefined.UndefinedNames", "fibprover.language.undefined.Mention",
    "fibprover.sheets.word_commands.Made",
    "fibprover.automata.operations.Arcs",
    "fibprover.campaigns.sweeps.processes.Pool", "fibprover.campaigns.sweeps.processes.PoolBroken",
    "fibprover.campaigns.kept_lines.StoredLines", "fibprover.sheets.study.KeptLines",
    "fibprover.campaigns.sweeps.store.Store", "fibprover.campaigns.sweeps.cluster.Cluster",
    "fibprover.base.imports.Imports", "fibprover.workspace.storage.LearnedFiles",
    "fibprover.base.limits.Gauge", "fibprover.base.screen.EscapingStream", "fibprover.base.screen.Verbatim",
}


@cache
def public_classes() -> dict[str, type]:
    """Return the public classes of the package by their full names."""
    found = {}
    for module in pkgutil.walk_packages(fibprover.__path__, "fibprover."):
        if "__main__" in module.name or module.name.startswith("fibprover.frontends"):
            continue
        for name, item in vars(import_module(module.name)).items():
            full = f"{module.name}.{name}"
            if not inspect.isclass(item) or item.__module__ != module.name or name.startswith("_"):
                continue
            if full in NOT_VALUES or (full.startswith(NOT_OF_VALUES) and full not in VALUES_OF_THEM):
                continue
            found[full] = item
    return found


def an_error(kind: type[errors.FibproverError]) -> errors.FibproverError:
    """Return an error of a class, with all that it can carry."""
    if issubclass(kind, errors.TextError):
        return kind("wrong", "Ex x=", 3, 5, hint="right")
    if kind is errors.FormatError:
        return errors.FormatError("wrong", "file.txt", 3, hint="right")
    if kind is errors.BudgetSpent:
        spent = errors.BudgetSpent("states", 5, states=6, transitions=7, during="a product")
        spent.trace = fp.Session().prove("Ax x=x").trace.records
        return spent
    if kind is NoAutomaton:
        return NoAutomaton("wrong", (Attempt("msd_fib", "the states grow", None),), hint="right")
    error = kind("wrong", hint="right")
    error.command = "line 3, eval lemma"
    return error


def given_errors() -> list[errors.FibproverError]:
    return [
        an_error(kind) for kind in public_classes().values() if issubclass(kind, errors.FibproverError)
    ]


def a_session() -> fp.Session:
    session = fp.Session("msd_fib", limits=fp.Limits(seconds=600))
    session.add_system(fp.recurrence_system("msd_own", (3, 1), (1, 4)))
    session.define("even", "Ey x=2*y")
    session.define_morphic_word("W", [[0, 1], [0]], [0, 1])
    session.macro("twice", "%0=2*%1")
    session.run('morphism h "0->01 1->10"; promote V h; reg r msd_fib "0*10*"; eval small "x<5";')
    session.prove("Ax $even(x) | ~$even(x)")
    session.relation("?msd_own x<5")
    return session


def automata_alone() -> ComposedSystem:
    fib = fp.system_named("msd_fib")
    return ComposedSystem("msd_fib", fib.digits, fib.valid, fib.linear((1, 1, -1), "=", 0))


def formulas() -> list[Any]:
    session = a_session()
    texts = (
        "Ax,y (?msd_fib x+1=y) => ~(W[x]=W[y] & $even(x)) ^ x/2>=1", "E>=2 x x<5", "I x $even(x)", "W[n]=@1",
        "T[2*n-1]=T[n]", "$even(x) <=> $even(x+2)", "`(x=1)", "$even(?msd_fib x+1)",
    )
    return [
        *map(session.parse, texts), parse_regex("0(1|()|[01]&~1)*0{2}", [(0, 1)]),
        Empty(), session.parse("T[n]=@-1 | x=_1"),
        session.prove("Ax (x<3 & x>5) => x=2").vacuity(), session.truths("Ax x-1<x"),
        FormulaWarning("wrong", "right", Span(0, 1)),
        session.eval("Ex x>5 & $even(x)"), session.eval("Ax,y W[x]=W[y]"), session.eval("x<y | ~$even(x)"),
    ]


def scripts() -> list[Any]:
    return list(iterate_script(
        '[export * BA]\neval a "Ax x=x"::\ndef b n "n<m";\nreg c {0,1} "0(1|0)*";\nmacro d "%0=1";\n'
        "union e a b;\nload file.txt;\nnothing x;\n"
    ))


def chapters() -> Any:
    return fp.Chapter("msd_fib")


def a_supremum() -> list[object]:
    """The supremum of n/p where n<2p, and what it is made of."""
    relation = fp.Session().relation("?msd_fib p>0 & n<2*p")
    values = digit_values(fp.system_named("msd_fib"))
    graph = pair_graph(relation.automaton, values)
    return [supremum(relation), values, graph, greatest_quotient(graph, values)]


def an_atlas() -> list[Any]:
    """Return the chapters of the atlas, and a game that its search has finished."""
    folder = Path(__file__).parents[2] / "proofs" / "atlas"
    chapters = read_atlas([folder])
    entry = chapters[0].entries[0]
    result = read_result(folder / "results", entry.id)
    assert result is not None
    return [chapters, Finished(entry, result, kept=True)]


ROOTS: dict[str, Callable[[], Any]] = {
    "certificates": lambda: [
        FileCheck("f", "0", "valid", "", "true", 1, 9, 0.5), Named(Path("f"), ("k2.one",), "0"),
        CertificateFolder(Path("f")), Quotient(2, 0, 1),
        TermsByWord(
            fp.Session().namespace.library_words["T"], (0, 1),
            (CountEquation(None, ((Fraction(1), TermAt(None, Variable("m"))),)),),
        ),
        ExplainedCertificate("true", "true", "true", ("x",), 1, (("and", 1),), 1, 1, 9),
    ],
    "comparison": lambda: comparisons(resolved("Ak k<n => T[i+k]=T[j+k]")),
    "sweeps": lambda: [
        TaskRecord("key", "f(1)", "done", {"n": 10**5000}), Answer(1, {"x": 2}), Message(7, "key"), Died("killed"),
        SweepTask("key", "f(1)", [1]), TaskResult("1", "null", "", 0.5, 7, "here"), OtherProgram("wrong", hint="right"),
    ],
    "session": a_session,
    "word without addition": lambda: subject("0->0010, 1->1"),
    "formulas": formulas,
    "verdict": lambda: (verdict := a_session().prove("Ax $even(x) => x!=3"),
                        verdict.evidence, verdict.vacuity(deep=True)),
    "certificate": lambda: fp.Session().prove("Ex x>5").certificate(),
    "evidence": lambda: fp.Session().prove("Ex x>5").evidence,
    "errors": given_errors,
    "relation": lambda: a_session().relation("$even(x) & x<y"),
    "turned": lambda: fp.Session().reg("late", "lsd_2", "(0|1)" * 20 + "1(0|1)*"),
    "matrices": lambda: fp.Session().counts(["y", "z"], "x<y & x<z"),
    "guess": lambda: [
        guess_sequence([n * n for n in range(60)], fp.system_named("msd_2")),
        (squares := fp.study(terms=[n * n for n in range(60)], definition="i<n & j<n", only=["weights"])),
        *number_questions(squares.numbers),
    ],
    "sequence": lambda: [
        numbers := fp.Session("msd_fib").counts("n", "i<n"), numbers.recurrence(), numbers.growth(),
        recursion_of(numbers),
        read_series("diagonal of 1/(1-x-y) mod 8"),
        numbers.synchronized(), SquareQuotient(Fraction(3, 5), False, None),
        numbers.recurrence().closed_form(), numbers.mean_values(), KNOWN["A000120"],
        fp.oeis(numbers * (numbers + 1) * Fraction(1, 2)),
        fp.oeis(fp.Session().solve("t", "t(0)=0, t(2n)=t(n), t(2n+1)=1-t(n)").sequence),
        fp.Session("msd_fib").solve("a", "a(0)=0, a(n.0)=a(n), a(n.1)=a(n)+1"),
        fp.Session().solve("a", "a(0)=1, a(n)=max(T[n],0)+(-1)^n*n^2+floor(n/2)+(n mod 3) for n>0"),
    ],
    "listing": lambda: first_words(fp.Session().relation("x<5").automaton, 3),
    "questions": lambda: (
        a_session().describe("$even"), a_session().inf("even"), a_session().first("even"), a_session().test("even", 3),
    ),
    "nondeterministic": lambda: (
        fp.Session("lsd_fib").nondeterministic("Ey x=2*y & y>3"), morphic_word(parse_rules("a->ab, b->a")),
    ),
    "scripts": scripts,
    "strategies": lambda: fp.Session().run('[strategy * BRZ]eval t "Ax Ey y>x"::'),
    "families": lambda: [
        fp.system_named("msd_sturmian"), fp.Session("msd_sturmian").eval("C[0]=1"), Quotients(frozenset({1}), 2, False),
        fp.Session("msd_sturmian").eval("C[n]=1"), fp.system_named("msd_2_choices_2"), ChoiceSequence((1,), (2,)),
    ],
    "systems": lambda: [fp.system_named(name) for name in (
        "msd_2", "lsd_fib", "msd_neg_2", "msd_ost_0_3_per_1_2", "msd_neg_fib", "msd_trib",
    )] + [automata_alone(), fp.system_named("msd_fib").verify()],
    "limits": lambda: (fp.Limits(states=5), fp.Limits(seconds=5).start()),
    "games": lambda: [
        fp.Game("i=0 | j=0"), fp.games.wythoff().step_regions, fp.positions(fp.games.wythoff(), 20),
        numbered_positions(fp.games.wythoff(), 5), fp.games.blocking(2), fp.games.nim().with_pass(),
        NextData(3000, 1.0, 0.5, 1 << 20, 1.0, 2), Cost(3000, 1.0, {"msd_2": 0.5}, 1 << 20),
    ],
    "sheets": lambda: [
        (one_x := Linear(Fraction(1), Fraction(0))),
        (one := fp.study("T", only=["squares"])).beside(one), one.beside(one).pairs, common_factors(one, one),
        [*questions("W", (0, 1), (0, 1)), *table_questions(Vocabulary("W"), (0, 1))], subject("T"),
        line.Answer("proved", "", 2), Studied(ENTRIES["T"], None),
        *a_supremum(), *called_predicates(one.word, one.lines), conjecture(terms_from([1, 1] * 40)),
        Recognized("T", 0, {0: 1, 1: 0}),
        return_words([0, 1, 0], 1), Pieces(1, 2, (Piece(one_x, 2, one_x),)),
        closed_form(subject("F")),
    ],
    "inventions": lambda: [fp.invent("wythoff()"), fp.invent("terminal(2)")],
    "theorem": lambda: fp.discover(fp.games.wythoff()),
    "solution": lambda: fp.Session("msd_2").solve("even", "n=0 | Em n=m+1 & ~$even(m)"),
    "atlas": an_atlas,
    "inferred": lambda: fp.Session("msd_fib").infer_word("X", fp.Session().namespace.library_words["F"].prefix(300)),
    "others": lambda: [
        fp.draw(fp.Session().relation("x<3")), fp.board(fp.Session().relation("x<y & y<9")), SystemName(False, "fib"),
        fp.fluctuation(fp.Session().counts("n", "i<n"), 1),
        quadratic("(1+sqrt(5))/2"),
        ENTRIES, Allowance(fp.Limits(), 3.0, 0.0), SharedLimits(seconds=5.0), chapters(),
        Transducer("t", ({0: (0, 1)},)),
        ChangedLetter((1,), ("1",), ("01",), 0, 1),
    ],
    "words": lambda: fp.Session().namespace.library_words["RS"],
}


@cache
def instances() -> Mapping[type, Any]:
    """Return an instance of each class that the roots hold."""
    found: dict[type, Any] = {}
    seen: set[int] = set()
    kept: list[Any] = []
    pending: list[Any] = [make() for make in ROOTS.values()]
    while pending:
        item = pending.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        kept.append(item)
        if type(item).__module__.startswith("fibprover."):
            found.setdefault(type(item), item)
        pending += parts(item)
    return found


def parts(item: Any) -> Iterator[Any]:
    if isinstance(item, Mapping) and type(item).__module__ in ("builtins", "collections"):
        yield from item.keys()
        yield from item.values()
    elif isinstance(item, list | tuple | set | frozenset):
        yield from item
    if type(item).__module__.startswith("fibprover."):
        yield from getattr(item, "__dict__", {}).values()
        for kind in type(item).__mro__:
            for name in getattr(kind, "__slots__", ()):
                yield getattr(item, name, None)


@pytest.mark.parametrize("name", sorted(public_classes()))
def test_every_public_class(name: str) -> None:
    kind = public_classes()[name]
    assert kind in instances(), f"{name} has no example here: add one to ROOTS, or put it into NOT_VALUES"
    item = instances()[kind]
    for again in (pickle.loads(pickle.dumps(item)), copy.copy(item), copy.deepcopy(item)):
        assert type(again) is kind
        if isinstance(item, Exception):
            assert str(again) == str(item)
            assert vars(again) == vars(item)
            continue
        # Numeration systems inside are equal only if they are the same object, and so are dictionaries of them.
        assert again == item or kind in (Discovery, Environment) or getattr(kind, "__eq__", None) is object.__eq__


def decide(text: str) -> Any:
    return fp.Session().eval(text)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_to_another_process_and_back(method: str) -> None:
    """A bad formula in a pool is an error here, not a pool that hangs or breaks."""
    with ProcessPoolExecutor(1, mp_context=get_context(method)) as pool:
        assert pool.submit(decide, "Ex x>3").result(timeout=120).evidence.values == {"x": 4}
        assert pool.submit(decide, "x<3").result(timeout=120).values() == [0, 1, 2]
        with pytest.raises(errors.SyntaxProblem) as raised:
            pool.submit(decide, "Ex x=y+").result(timeout=120)
        assert "^" in str(raised.value)
        session = a_session()
        assert pool.submit(session.prove, "Ex $even(x) & W[x]=@1").result(timeout=120).truth
    with get_context(method).Pool(1) as workers, pytest.raises(errors.SyntaxProblem):
        workers.map_async(decide, ["x=", "x<"]).get(timeout=120)


def test_a_copied_session_has_its_own_names() -> None:
    session = a_session()
    other = copy.deepcopy(session)
    other.define("odd", "~$even(x)")
    assert "odd" not in session.namespace.definitions
    assert other.prove("Ax $even(x) | $odd(x)").truth


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_a_copied_session_looks_into_the_same_folders(copied: Callable[[Any], Any], tmp_path: Path) -> None:
    session = fp.Session()
    session.use_folders(tmp_path)
    session.define("kept", "x=3")
    other = copied(session)
    assert other.prove("Ax $kept(x) <=> x=3")
    other.define("late", "x=4")
    assert session.prove("Ax $late(x) <=> x=4") and (tmp_path / "Automata Library" / "late.txt").is_file()
    other.define("kept", "x=5")
    assert session.prove("Ax $kept(x) <=> x=3")
