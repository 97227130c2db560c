"""Any sequence of commands: what fails is a clean error, shown in the script, and leaves all names as they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fibprover as fp
from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, TextError

#: Automata beyond this are errors, too.
LIMITS = fp.Limits(states=300, transitions=20_000)

PREDICATES = ("a", "b", "c", "A1")
WORDS = ("T", "F", "V", "W")
FORMULAS = (
    "x<4", "Ey x=2*y", "x+y=z", "x<y & y<9", "?msd_fib x<y", "?lsd_2 x>3", "?msd_neg_2 x<0", "T[x]=@1", "V[x]=W[x]",
    "$a(x) | $b(x)", "x=", "Ax x=x", "(?msd_2 x=1) & (?lsd_3 y=2)", "Ex $c(x,x)", "?msd_10 x=17",
)
REGEXES = (
    '{0,1} "0*1"', 'msd_2 "(0|1)*1"', 'msd_fib "10*"', '{0,1} msd_2 "[0,1]*"', 'lsd_3 "2*"', '{2,0} "2"', 'msd_2 "("',
)
SYSTEMS = ("msd_2", "lsd_2", "msd_4", "msd_8", "msd_9", "msd_fib", "lsd_fib", "msd_neg_2", "{0,1}", "{1,5}", "msd_none")
RULES = ("0->01 1->10", "0->01 1->0", "0->1 1->1", "0->00 1->11 2->22", "0->10 1->01", "1->2", "0->")

predicate, word = st.sampled_from(PREDICATES), st.sampled_from(WORDS)
source = st.one_of(word, predicate.map("${}".format))
system = st.sampled_from(SYSTEMS)
sign = st.sampled_from(("[+]", "[-]", "[]", "[+][-]", "[][]"))


def filled(template: str, *parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """A command with its gaps filled."""
    return st.tuples(*parts).map(lambda values: template.format(*values) + ";")


COMMANDS = st.one_of(
    filled('def {} "{}"', predicate, st.sampled_from(FORMULAS)),
    filled('eval t {} "{}"', st.sampled_from(("", "x", "x y", "q")), st.sampled_from(FORMULAS)),
    filled("reg {} {}", predicate, st.sampled_from(REGEXES)),
    filled('morphism h "{}"', st.sampled_from(RULES)),
    filled("promote {} h", word),
    filled("image {} h {}", word, source),
    filled("transduce {} t {}", word, source),
    filled("union {} {} {}", predicate, predicate, predicate),
    filled("intersect {} {} {}", predicate, predicate, predicate),
    filled("concat {} {} {}", predicate, predicate, predicate),
    filled("star {} {}", predicate, predicate),
    filled("leftquo {} {} {}", predicate, predicate, predicate),
    filled("rightquo {} {} {}", predicate, predicate, predicate),
    filled("fixleadzero {} {}", predicate, predicate),
    filled("fixtrailzero {} {}", predicate, predicate),
    filled("alphabet {} {} {}", st.one_of(predicate, word), system, source),
    filled("alphabet {} {} {} {}", st.one_of(predicate, word), system, system, source),
    filled("reverse {} {}", st.one_of(predicate, word), source),
    filled("minimize {} {}", st.one_of(predicate, word), source),
    filled("convert {} {} {}", source, system, source),
    filled("combine {} {} {}={}", word, predicate, predicate, st.integers(-2, 3).map(str)),
    filled("join {} {}[i] {}[j]", word, word, word),
    filled("join {} {}[i][j] {}[j]", word, word, word),
    filled("split {} {} {}", word, source, sign),
    filled("rsplit {} {} {}", word, sign, source),
    filled("inf {}", predicate),
    filled("test {} 4", predicate),
    filled("describe {}", source),
    filled("first {}", predicate),
    filled("first_rej {}", predicate),
    filled("count {} 100", predicate),
    filled("regex {}", predicate),
    filled(
        "word {}[i] = {}[i+1]-{}[2*i] if {} else {}", word, word, word, st.sampled_from(FORMULAS),
        st.sampled_from(("0", "i", "T[i]", "F[i-1]")),
    ),
    filled("word {}[i][j] = {}[i]*{}[j]", word, word, word),
    filled("help {}", st.sampled_from(("", "union", "nothing"))),
    filled("{} {} {}", st.sampled_from(("union", "join", "split", "ost", "test", "promote")), source, sign),
)


def contents(session: fp.Session) -> list[dict[str, object]]:
    """What all names mean, systems apart, which formulas may look up."""
    names = session.namespace
    tables = (names.definitions, names.words, names.morphisms, names.transducers, names.macros)
    return [dict(table) for table in tables]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> fp.Session:
    made = fp.Session(limits=LIMITS)
    made.define_morphic_word("T", [[0, 1], [1, 0]], [0, 1])
    made.define_morphic_word("F", [[0, 1], [0]], [0, 1], "msd_fib")
    made.define("a", "Ey x=2*y")
    made.define("b", "x<5")
    made.define("c", "x<y")
    made.reg("A1", [(0, 1)], "0*1")
    made.rsplit("V", ("+",), "T")
    made.join("W", ("T", "a"), ("T", "b"))
    made.morphism("h", "0->01 1->10 2->00")
    file: Path = tmp_path_factory.mktemp("transducers") / "t.txt"
    file.write_text("{0, 1}\n0\n0 -> 0 / 0\n1 -> 1 / 1\n1\n0 -> 1 / 1\n1 -> 0 / 0\n")
    made.namespace.load_transducer(file)
    return made


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(COMMANDS, min_size=1, max_size=8))
def test_sequences(start: fp.Session, commands: list[str]) -> None:
    session = fp.Session(limits=LIMITS)
    names, old = session.namespace, start.namespace
    names.definitions, names.words = dict(old.definitions), dict(old.words)
    names.transducers, names.morphisms = dict(old.transducers), dict(old.morphisms)
    for command in commands:
        before = contents(session)
        try:
            [(_, result)] = session.run(command)
        except FibproverError as error:
            assert isinstance(error, TextError | BudgetSpent | LimitError), repr(error)
            after = contents(session)
            assert all(
                old.keys() == new.keys() and all(old[name] is new[name] for name in old)
                for old, new in zip(before, after, strict=True)
            )
        else:
            assert str(result)


@settings(max_examples=100)
@given(
    st.text(alphabet='abT$[]{}()+-=*"#0123; :,.\n', max_size=40),
    st.sampled_from(["", "union ", "join ", "alphabet ", "ost "]),
)
def test_any_text_is_commands_or_an_error_with_its_place(text: str, word: str) -> None:
    try:
        fp.Session(limits=LIMITS).run(word + text)
    except TextError as error:
        assert error.message and 0 <= error.start <= error.end <= len(error.text)
    except (BudgetSpent, LimitError):
        pass
