"""Commands that make words and numeration systems: `word`, `combine`, `promote`, `ost` and so on.

Each function carries out the command of its name and is also a method of a session: `s.combine("C", "a", "b")`. Sources
are names as in scripts: the name of a word, or `$name` of a predicate. The new word replaces the one that had its name;
an error changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fibprover.automata.dfa import Dfa
from fibprover.automata.digit_order import to_reading_order
from fibprover.base.errors import FibproverError, NotSupported, TypeMismatch, check_text
from fibprover.base.names import word_of_system
from fibprover.numeration.slope_sets import SlopeSet
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.environment import Definition
from fibprover.prover.verdict.relation import Relation
from fibprover.words.automatic import AutomaticWord
from fibprover.workspace.commands.interpreter import Interpreter
from fibprover.workspace.namespace import Namespace

if TYPE_CHECKING:
    from fibprover.words.morphism import Morphism

# Operations are imported by the functions that need them: `fibprover eval` must start within 0.2 s and needs none.


def define_word(session: Interpreter, name: str, indices: Sequence[str], term: str) -> AutomaticWord:
    """Define the word whose letter at the indices is the value of a term (the command `word`).

    For example ("G", ["n"], "T[2*n+5]+1 if n>3 else 0").

    >>> s = fp.Session()
    >>> s.define_word("G", ["n"], "T[2*n+1]+1 if n>3 else 0")[:10]
    [0, 0, 0, 0, 1, 2, 2, 1, 1, 2]

    Without indices the text is that of a power series, whose coefficients modulo a power of a prime are the letters
    (`fibprover.words.series_text`):

    >>> s.define_word("C2", [], "coefficients of y = 1 + x*y^2 mod 8")[:10]  # Catalan numbers
    [1, 1, 2, 5, 6, 2, 4, 5, 6, 6]
    """
    from fibprover.workspace.commands.word_terms import word_by_term

    names = session.namespace
    names.check_name(name)
    if not indices:
        return _word_of_series(session, name, term)
    return names.add_word(name, word_by_term(indices, term, names.environment(), session.eval, names.budget()))


def _word_of_series(session: Interpreter, name: str, text: str) -> AutomaticWord:
    """Define the word of the coefficients of a power series."""
    from fibprover.words.series_automata import word_of_series
    from fibprover.words.series_text import is_series, read_series

    check_text(text, "a series", hint='such as "coefficients of y=1+x*y^2 mod 8"')
    if not is_series(text):
        raise FibproverError(f"the word {name} has no index", hint='define_word("G", ["n"], "T[2*n+1]")')
    names = session.namespace
    series = read_series(text)
    track = names.system(f"msd_{series.prime}").track("n")
    names.words[name] = replace(names.add_word(name, word_of_series(series, track, names.budget())), series=series)
    return names.words[name]


def combine(session: Interpreter, name: str, *sources: str | tuple[str, int]) -> AutomaticWord:
    """Define the word whose letter is the value of the last predicate that accepts the index, or 0.

    A predicate without a value has its position among the sources as its value, from 1.

    >>> s = fp.Session()
    >>> even, third = s.define("even", "Ey x=2*y"), s.define("third", "Ey x=3*y")
    >>> s.combine("C", "even", "third")[:8]
    [2, 0, 1, 2, 1, 0, 2, 0]
    """
    from fibprover.automata.outputs import combined

    names = session.namespace
    pairs = [(each, number) if isinstance(each, str) else each for number, each in enumerate(sources, 1)]
    parts = [(names.relation_of(names.predicate(source)).automaton, value) for source, value in pairs]
    return names.add_word(name, combined(parts, names.budget()))


def join(session: Interpreter, name: str, *sources: Sequence[str]) -> AutomaticWord:
    """Define the word whose letter is the first one other than 0 among words, given with the names of their indices.

    For example join("M", ("N", "a", "b"), ("K", "b", "c")), whose indices are a, b and c.

    >>> s = fp.Session()
    >>> s.join("M", ("T", "a"), ("PD", "b"))[1, 0]
    1
    """
    from fibprover.automata.outputs import joined

    names = session.namespace
    parts = [_with_indices(names, *source) for source in sources]
    return names.add_word(name, joined(parts, names.budget()))


def _with_indices(names: Namespace, source: str, *labels: str) -> Dfa:
    machine = names.machine(source)
    if not all(isinstance(label, str) for label in labels):
        what = f"{source} needs names of indices, one by one, such as 'a', 'b', not {', '.join(map(repr, labels))}"
        raise NotSupported(what, source, 0, len(source))
    if len(labels) != len(machine.tracks) or len(set(labels)) != len(labels):
        what = f"{source} needs {len(machine.tracks)} different names of indices, not {', '.join(labels) or 'none'}"
        raise NotSupported(what, source, 0, len(source))
    return machine.renamed(labels)


def split(session: Interpreter, name: str, source: str, signs: Sequence[str]) -> AutomaticWord | Relation:
    """Define the word M[x]... = N[x']... over a positive base, where x' is x or -x by the sign "+" or "-".

    N is over negative bases where there is a sign; of a predicate, M is a predicate.  Raises TypeMismatch for a word
    over positive numbers alone, unless digits are shared: those of N are then read in the negative base.

    >>> s = fp.Session()
    >>> word = s.define_morphic_word("N", [[0, 1], [1, 0]], [0, 1], "msd_neg_2")
    >>> s.split("M", "N", ["-"])[:5], word[0:-5:-1]
    ([0, 0, 1, 1, 0], [0, 0, 1, 1, 0])
    """
    from fibprover.words.algebra import negative_system, split_word

    names = session.namespace
    source = _word_or_predicate(names, source)
    machine = names.machine(source)
    present = [track.system for track in machine.tracks]
    needed = [
        (sign in ("+", "-") and system and negative_system(names.system(system))) or system
        for system, sign in zip(present, signs, strict=False)
    ]
    for system, other in zip(present, needed, strict=False):
        if other != system and not names.shared_digits:
            raise TypeMismatch(
                f"{source} is in {system} here, but has to be in {other}: split takes the letters at numbers of one "
                f"sign, and {system} has no negative numbers", source, 0, len(source),
                hint=f"alphabet D {' '.join(needed)} {source}; reads its digits in {other}; then split {name} D",
            )
    return _word_or_relation(names, name, source, split_word(machine, signs, names.system, names.budget()))


def rsplit(session: Interpreter, name: str, signs: Sequence[str], source: str) -> AutomaticWord | Relation:
    """Define the word N[x']... = M[x]... over a negative base, where x' is x or -x; other indices have letter 0.

    Of a predicate, N is a predicate, which holds at no other indices.

    >>> s = fp.Session()
    >>> s.rsplit("N", ["+"], "T")[:6]
    [0, 1, 1, 0, 1, 0]
    """
    from fibprover.words.algebra import rsplit_word

    names = session.namespace
    source = _word_or_predicate(names, source)
    made = rsplit_word(names.machine(source), signs, names.system, names.budget())
    return _word_or_relation(names, name, source, made)


def _word_or_predicate(names: Namespace, source: str) -> str:
    """Return the name of a word, or with a `$` that of a predicate if no word has it, as Walnut looks for both."""
    is_word = source in names.words or source in names.library_words
    return f"${source}" if not is_word and source in names.definitions else source


def _word_or_relation(names: Namespace, name: str, source: str, machine: Dfa) -> AutomaticWord | Relation:
    """Define a word by its machine, or a predicate if the source is one; the machine then has output 1 where it holds.
    """
    if not source.startswith("$"):
        return names.add_word(name, machine)
    return names.define_language(name, to_reading_order(machine, names.budget()))


# -- morphisms and transducers ---------------------------------------------------------------


def morphism(session: Interpreter, name: str, rules: str) -> Morphism:
    """Define a morphism by its rules, as in `0->01 1->10`.

    >>> s = fp.Session()
    >>> print(s.morphism("m", "0->01 1->10"))
    0->01 1->10
    """
    from fibprover.words.morphism import parse_morphism

    names = session.namespace
    names.check_name(name)
    names.morphisms[name] = parse_morphism(name, rules)
    return names.morphisms[name]


def promote(session: Interpreter, name: str, morphism: str, system: str | None = None) -> AutomaticWord:
    """Define the fixed point of a morphism from letter 0; by default over the base of its longest image.

    >>> s = fp.Session()
    >>> m = s.morphism("m", "0->01 1->10")
    >>> s.promote("W", "m")[:6]
    [0, 1, 1, 0, 1, 0]
    """
    from fibprover.words.morphism import fixed_point

    names = session.namespace
    names.check_name(name)
    rule = names.morphism(morphism)
    index = names.system(system or f"msd_{max(rule.longest, 2)}").track("n")
    names.words[name] = fixed_point(rule, name, index).with_systems(names.system)
    return names.words[name]


def image(session: Interpreter, name: str, morphism: str, source: str) -> AutomaticWord:
    """Define the image of a word with one index under a uniform morphism.

    >>> s = fp.Session()
    >>> m = s.morphism("m", "0->01 1->10")
    >>> s.image("W", "m", "T")[:8]
    [0, 1, 1, 0, 1, 0, 0, 1]
    """
    from fibprover.words.morphism import uniform_image

    names = session.namespace
    rule, machine = names.morphism(morphism), names.machine(source)
    return names.add_word(name, uniform_image(machine, rule, names.index_system(source, machine), names.budget()))


def transduce(session: Interpreter, name: str, transducer: str, source: str) -> AutomaticWord:
    """Define the output of a transducer that reads the letters of a word with one index.

    >>> s = fp.Session()
    >>> from pathlib import Path
    >>> rows = "{0, 1}\\n0\\n0 -> 0 / 0\\n1 -> 1 / 1\\n\\n1\\n0 -> 1 / 1\\n1 -> 0 / 0\\n"
    >>> written = Path("PARITY.txt").write_text(rows)
    >>> transducer = s.namespace.load_transducer("PARITY.txt")
    >>> s.transduce("S", "PARITY", "T")[:8]
    [0, 1, 0, 0, 1, 1, 1, 0]
    """
    from fibprover.words.transducers import transduce

    names = session.namespace
    rule, machine = names.transducer(transducer), names.machine(source)
    return names.add_word(name, transduce(machine, rule, names.index_system(source, machine), names.budget()))


# -- numeration systems and macros -----------------------------------------------------------


def ost(session: Interpreter, name: str, preperiod: Sequence[int], period: Sequence[int]) -> NumerationSystem:
    """Define the Ostrowski system of the continued fraction with these terms.

    It is made as msd_ost_0_per_2 and the others of that name are, and like these not verified again.

    >>> s = fp.Session()
    >>> s.ost("silver", [0], [2]).represent(11)
    (2, 0, 1)
    """
    from fibprover.numeration.ostrowski import ostrowski_system

    return session.namespace.add_verified_system(ostrowski_system(name, list(preperiod), list(period)))


def slope(session: Interpreter, name: str, expression: str) -> SlopeSet:
    """Define the predicate `$name()` of the slopes that an expression over partial quotients means.

    Or of one slope, a quadratic number between 0 and 1. With a family in front, as in "?msd_2_choices_3 1 [1-2]*", it
    is an expression over choices. docs/families.md describes expressions.

    >>> s = fp.Session("msd_sturmian")
    >>> small = s.slope("small", "[1-2]*")
    >>> str(small), str(s.eval("$small() => ~(Ei C[i]=1 & C[i+1]=1 & C[i+2]=1 & C[i+3]=1)"))
    ('[1-2]*', 'TRUE for every slope')
    """
    from fibprover.numeration.members import slope_named
    from fibprover.numeration.slope_expressions import slopes_of

    names = session.namespace
    names.check_name(name)
    check_text(expression, "an expression over partial quotients", hint='such as "[1-3]*"')
    if expression.lstrip().startswith("?"):
        family, _, text = expression.strip()[1:].partition(" ")
        found = slopes_of(text, names.budget(), names.parameter(family))
        names.definitions[name] = Definition(name, found.automaton, f"the {found.plural} {expression}")
        return found
    text = expression
    if "sqrt" in text or ";" in text:
        number = slope_named(text)
        text = f"{' '.join(map(str, number.preperiod))} ({' '.join(map(str, number.period))})*"
    found = slopes_of(text, names.budget())
    names.definitions[name] = Definition(name, found.automaton, f"the slopes {expression}")
    return found


def family(session: Interpreter, name: str, morphisms: str) -> AutomaticWord:
    """Define the words s_1(s_2(s_3(... a))) for all sequences of choices of s_1, s_2, ... among some morphisms.

    morphisms: with `|` between them, choices 1, 2, ...; the images of letters have one length k, and one letter a
    begins its own image under each. The numbers are those of the family msd_k_choices_c, with c morphisms.

    >>> s = fp.Session("msd_2_choices_2")
    >>> W = s.family("W", "0->01,1->10 | 0->01,1->00")
    >>> str(s.eval("Ei W[i]=1 & W[i+1]=1"))
    'TRUE for exactly these sequences of choices'
    """
    from fibprover.words.families import morphic_family
    from fibprover.words.rules import parse_rules

    names = session.namespace
    names.check_name(name)
    check_text(morphisms, "a list of morphisms", hint='such as "0->01,1->10 | 0->01,1->00"')
    rules = [parse_rules(part) for part in morphisms.split("|")]
    return names.add_word(name, morphic_family(name, rules).machine)


def dumont_thomas(session: Interpreter, name: str, substitution: str, bound: int | None = None) -> NumerationSystem:
    """Define the Dumont-Thomas system of a substitution such as "a->ab, b->a", and the word of its fixed point.

    The word has the name of the system with a capital: "blop" gives msd_blop and Blop, whose letters are 0, 1, ... in
    the order of the rules. bound: see `fibprover.numeration.dumont_thomas.dumont_thomas`.

    >>> s = fp.Session()
    >>> s.dumont_thomas("blop", "a->ab, b->a").name
    'msd_blop'
    >>> s["Blop"][:8]
    [0, 1, 0, 0, 1, 0, 1, 0]
    """
    from fibprover.numeration.dumont_thomas import dumont_thomas
    from fibprover.words.rules import parse_rules

    names = session.namespace
    names.check_name(name)
    system, machine = dumont_thomas(f"msd_{name}", parse_rules(substitution), bound, names.budget())
    system = names.add_verified_system(system)
    names.add_word(word_of_system(name), machine.with_tracks((system.track("n"),)))
    return system


def macro(session: Interpreter, name: str, text: str) -> None:
    """Define a macro: `#name(a,b)` stands for the text with a for %0 and b for %1.

    >>> s = fp.Session()
    >>> s.macro("twice", "%0=2*%1")
    >>> s.relation("Ey #twice(x,y)").values(3)
    [0, 2, 4]
    """
    session.namespace.check_name(name)
    if not isinstance(text, str):
        raise FibproverError(f"a macro must be a text, not {text!r}")
    session.namespace.macros[name] = text
