"""inf, test, describe, export, help, load, quit."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.expression import regular_expression
from fibprover.automata.listing import first_words, infinite_family
from fibprover.base.errors import (
    AutomatonError,
    FibproverError,
    FileProblem,
    FormatError,
    LimitError,
    TextError,
    UnknownName,
)
from fibprover.base.limits import Limits
from fibprover.language.regular_expression import parse_regex
from fibprover.prover.evaluate.regular_language import compile_regex
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.session import Session
from fibprover.workspace.walnut import read_automaton
from tests.automata import small

NUMBERS = (Track("n", (0, 1), "msd_2"),)
PLAIN = (Track("n", (0, 1), ""),)


@given(st.sampled_from([NUMBERS, PLAIN]).flatmap(lambda tracks: small.automata(tracks, 5)))
def test_families(a: Dfa) -> None:
    """A family of words of the automaton, none with a zero in front; none exactly if long words are rejected."""
    found = infinite_family(a)
    lead = 0 if a.zero_code is not None else None
    # A word of 5 to 9 letters repeats a state, and there is one if there is any longer one.
    long = [word for word in small.accepted(a, 10) if len(word) > 5 and word[0] != lead]
    assert (found is not None) is bool(long)
    if found is not None:
        assert found.period
        words = [found.word(times) for times in range(4)]
        assert len(set(words)) == 4
        for word in words:
            codes = [a.code(letter) for letter in word]
            assert a.output(codes) and (not codes or codes[0] != lead)


@given(st.sampled_from([NUMBERS, PLAIN]).flatmap(lambda tracks: small.automata(tracks, 5)), st.integers(0, 9))
def test_first_words(a: Dfa, count: int) -> None:
    lead = 0 if a.zero_code is not None else None
    expected = [word for word in small.words(2, 7) if word and word[0] != lead and a.output(word)]
    found = first_words(a, count)
    words = [tuple(a.code(letter) for letter in word) for word in found]
    assert words[: len(expected)] == expected[:count]
    if found.complete:
        assert words == expected


@pytest.fixture
def session() -> Session:
    made = Session()
    made.define("even", "Ey x=2*y")
    made.define("few", "x<4")
    made.define("pair", "x<y & y<3")
    made.define("none", "x!=x")
    made.define("low", "?lsd_fib x>2")
    made.reg("words", [(-1, 0, 12)], "0*[12][-1]")
    made.define_morphic_word("T", [[0, 1], [1, 0]], [0, 1])
    return made


def test_families_of_predicates(session: Session) -> None:
    assert str(session.inf("even")) in ("1(1)*0", "1(0)*0")
    assert session.inf("$few") is None and session.inf("pair") is None and session.inf("none") is None
    assert str(session.inf("words")) == "(0)*[12][-1]"
    family = session.inf("low")
    assert family is not None
    # Words of lsd systems end in what is not zero.
    for times in range(4):
        word = [letter for (letter,) in family.word(times)]
        assert word[-1] == 1 and session.namespace.system("lsd_fib").read(word) > 2
    session.define("all", "x=x & y=y")
    assert str(session.inf("all")) in ("[0,1]([0,0])*", "[0,1]([0,1])*", "([0,1])*[0,1]", "[1,0]([0,0])*")


def test_numbers_that_are_read_from_opposite_ends(session: Session) -> None:
    """Each track in its own order: 2 and 1 as 10 and 10, the latter from its end."""
    session.define("mix", "(?msd_2 x=2) & (?lsd_2 y=1)")
    assert str(session.test("mix", 2)) == "[1,1][0,0]\n(no others)"
    with pytest.raises(AutomatonError, match="opposite ends"):
        session.inf("mix")


def test_closed_predicates(session: Session) -> None:
    session.define("yes", "1=1")
    session.define("no", "1=0")
    assert str(session.first("yes")) == "true" and session.first("no") is None
    assert session.inf("yes") is None and str(session.test("yes", 3)) == "(none)"
    assert session.count("yes", 5) == 1 and session.count("no", 5) == 0
    session.combine("C", "yes")
    assert str(session.namespace.words["C"]) == "word over nothing: 1 state, letters 1"
    for command in (
        "regex yes;", "star s yes;", "image I h $yes;", "transduce I t $yes;", "convert I msd_4 $yes;",
        "fixleadzero f yes;",
    ):
        with pytest.raises(FibproverError) as caught:
            session.run('morphism h "0->0";' + command)
        assert "^" in str(caught.value)


def test_listings(session: Session) -> None:
    assert str(session.test("even", 3)) == "10\n100\n110"
    assert str(session.test("few", 9)) == "1\n10\n11\n(no others)"
    assert str(session.test("none", 9)) == "(none)"
    assert str(session.test("pair", 2)) == "[0,1]\n[0,1][0,0]"
    assert str(session.test("low", 3)) == "001\n101\n0001"
    assert str(session.test("words", 2)) == "[12][-1]\n0[12][-1]"
    assert len(session.test("few", 0)) == 0 and not session.test("few", 2).complete


@given(st.sampled_from([NUMBERS, PLAIN, small.tracks("ab"), (Track("n", (-1, 3, 12), ""),)]).flatmap(
    lambda tracks: small.automata(tracks, 5)
))
def test_expressions(a: Dfa) -> None:
    """What is read back is the same language."""
    text = regular_expression(a)
    tree = parse_regex(text, [track.digits for track in a.tracks])
    assert compile_regex(tree, a.tracks) == kernel_calls.minimize(a)


def test_expressions_of_predicates(session: Session) -> None:
    assert session.regex("words") == "0*[12][-1]"
    assert session.regex("none") == "~(.*)"
    session.reg("back", ["lsd_fib"], session.regex("low"))
    assert session.prove("?lsd_fib Ax $back(x) <=> x>2")


def test_expressions_that_would_be_endless(session: Session) -> None:
    session.define("many", "Em n=97*m")
    with pytest.raises(LimitError, match="more than 1048576 characters"):
        session.regex("many")
    assert len(session.regex("even")) < 100


def test_first_values(session: Session) -> None:
    session.define("later", "x>=1000000000000000000000 & Ey x=2*y+1")
    assert str(session.first("later")) == "x = 1000000000000000000001"
    assert str(session.first_rej("later")) == "x = 0"
    session.define("early", "x<1000000000000000000000 | x>3000000000000000000000")
    assert str(session.first_rej("early")) == "x = 1000000000000000000000"
    assert str(session.first("pair")) == "x = 0, y = 1" and str(session.first_rej("pair")) == "x = 0, y = 0"
    session.define("all", "x=x")
    assert session.first_rej("all") is None and session.first("none") is None
    assert str(session.first("words")) == "x0 = [12][-1]"
    assert str(session.first("low")) == "x = 3"
    session.define("negative", "?msd_neg_2 x<_4")
    found = session.first("negative")
    # In base -2 the first one is 1000, and not 1111, which is -5.
    assert found is not None and found.values == {"x": -8}


def test_counts(session: Session) -> None:
    assert session.count("even", 10**30) == 10**30 // 2
    [(_, found)] = session.run(f"count $pair {10**40};")
    assert found == 3
    for command, message in (
        ("count even -1;", "is not a bound"), ("count even x;", "is not a bound"), ("count words 3;", "word"),
    ):
        with pytest.raises(FibproverError, match=message) as caught:
            session.run(command)
        assert "^" in str(caught.value)


def test_descriptions(session: Session) -> None:
    found = session.describe("$even")
    assert (found.kind, found.states, found.transitions, found.letters) == ("predicate", 2, 4, 2)
    assert (found.alphabets, found.source) == (("msd_2",), "Ey x=2*y")
    assert session.describe("T").kind == "word" and session.describe("even").kind == "predicate"
    assert session.describe("T").outputs == (0, 1)
    session.define("T", "x=1")
    assert session.describe("T").kind == "word" and session.describe("$T").kind == "predicate"
    assert session.describe("words").alphabets == ("{-1,0,12}",)
    with pytest.raises(UnknownName, match="no word is called U"):
        session.describe("U")


def test_exports(session: Session, tmp_path: Path) -> None:
    session.namespace.folder = tmp_path
    session.run("export $pair TXT; export T gv; export $even BA; export T TXT;")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["T.gv", "T.txt", "even.ba", "pair.txt"]
    again = read_automaton(tmp_path / "pair.txt", lambda name: session.namespace.system(name).track("x"), ["x", "y"])
    assert again == session.namespace.definitions["pair"].automaton
    assert (tmp_path / "even.ba").read_text() == "[0]\n0,[0]->[0]\n1,[0]->[1]\n0,[1]->[0]\n1,[1]->[1]\n[0]\n"
    assert (tmp_path / "T.gv").read_text().startswith('digraph "T" {')
    assert session.export("$low", "BA", tmp_path / "other.ba").read_text().startswith("[0]\n0,[0]->")
    for call, message in (
        ("export T BA;", "a file in BA cannot hold a word"),
        ("export $even PNG;", "unknown format PNG"),
        ("export $odd GV;", "no predicate is called odd"),
    ):
        with pytest.raises(FibproverError, match=message) as caught:
            session.run(call)
        assert "^" in str(caught.value)
    session.namespace.folder = tmp_path / "nowhere" / "else"
    with pytest.raises(FileProblem):
        session.export("T", "GV")


def test_draw_is_what_older_scripts_call_export(session: Session, tmp_path: Path) -> None:
    session.namespace.folder = tmp_path
    session.run('def low "x<3"; export $low GV;')
    exported = (tmp_path / "low.gv").read_text()
    (tmp_path / "low.gv").unlink()
    session.run("draw $low; draw T:")
    assert (tmp_path / "low.gv").read_text() == exported
    assert (tmp_path / "T.gv").exists()
    for wrong, marked in (("draw $nope;", "$nope"), ("draw;", ";"), ("draw T T;", "T")):
        with pytest.raises(TextError) as caught:
            session.run(wrong)
        assert wrong[caught.value.start : caught.value.end] == marked


def test_exported_steps(session: Session, tmp_path: Path) -> None:
    """The automata of the steps that the trace lists, in its order."""
    session.namespace.folder = tmp_path
    [(_, outcome)] = session.run('[export * TXT][export 0 BA][strategy * CCLS]eval t "Ex $pair(x,y) & $few(y)"::')
    assert isinstance(outcome, Relation) and outcome.trace is not None
    count = len(outcome.trace.records)
    written = sorted(file.name for file in tmp_path.iterdir())
    assert written == sorted(["t_step_0.ba", *(f"t_step_{number}.txt" for number in range(count))])
    for number, record in enumerate(outcome.trace.records):
        kept = read_automaton(tmp_path / f"t_step_{number}.txt", lambda name: session.namespace.system(name).track("x"))
        assert (kept.states, kept.transitions) == (record.states, record.transitions)
    assert session.options.keep is None


def test_help(session: Session) -> None:
    assert "combine" in session.help() and "eval" in session.help()
    assert session.help("combine").startswith("combine NEW OLD[=k] ...;")
    assert session.help("Automata", "combine") == session.help("combine")
    assert session.help("draw") == session.help("export")  # what older scripts call it
    assert session.help("[strategy]").startswith("[strategy N NAME]")
    with pytest.raises(UnknownName, match="combin is neither a command nor a name") as caught:
        session.help("combin")
    assert "did you mean combine?" in str(caught.value)


def test_every_example_of_the_help_is_a_command() -> None:
    from fibprover.language.commands import WORDS, parse_script

    for word, about in WORDS.items():
        for command in parse_script(about.example):
            assert command.word == word or word.startswith("[")
        assert about.usage.startswith(word.rstrip("]")) and about.summary


def test_load(session: Session, tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner file.txt", tmp_path / "outer.txt"
    inner.write_text('def three "Ey x=3*y"; quit; def five "Ey x=5*y";')
    outer.write_text(f'def two "Ey x=2*y";\nload {inner};\ndef six "$two(x) & $three(x)";')
    session.load(outer)
    assert session.eval("Ax $six(x) <=> Ey x=6*y")
    # quit ends the file it stands in.
    assert "five" not in session.namespace.definitions
    assert [command.word for command, _ in session.run("help quit; quit; nonsense")] == ["help"]


def test_load_of_what_is_not_there_or_wrong(session: Session, tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner.txt", tmp_path / "outer.txt"
    outer.write_text(f"\nload {inner};")
    with pytest.raises(FibproverError, match=r"inner.txt cannot be read: No such file"):
        session.load(outer)
    inner.write_text('def a "x=1";\ndef b "x=";')
    where = r"outer.txt, line \d+: .*inner.txt, line 2: `=` is missing its right"
    with pytest.raises(FibproverError, match=where) as caught:
        session.load(outer)
    assert str(caught.value).endswith("def b \"x=\";\n          ^")
    inner.write_text(f"load {outer};")
    with pytest.raises(FileProblem, match="loads itself"):
        session.load(outer)
    inner.write_text('def c "x=2";')
    session.load(outer)
    assert "c" in session.namespace.definitions


def test_transducers_and_morphisms_from_files(session: Session, tmp_path: Path) -> None:
    (tmp_path / "X.txt").write_text(
        "# XOR of neighbours\n{0, 1}\n\n0\n0 -> 7 / 0\n1 -> 2 / 0\n\n7\n0->7/0\n1->2/ 1\n2\n0 -> 7 / 1\n1 -> 2 / 0"
    )
    session.namespace.load_transducer(tmp_path / "X.txt")
    session.transduce("D", "X", "T")
    bits = [n.bit_count() % 2 for n in range(80)]
    assert session.namespace.words["D"].prefix(80, session.namespace.system("msd_2").represent) == [
        0, *(a ^ b for a, b in pairwise(bits))
    ]
    (tmp_path / "Y.txt").write_text("{0, 1, -1}\n0\n* -> 1 / 5\n1\n0 -> 0 / 7\n1 -> 1 / 8\n-1 -> 0 / 0\n")
    transducer = session.namespace.load_transducer(tmp_path / "Y.txt")
    assert transducer.of([1, 0, -1, 1, 1]) == [5, 7, 5, 8, 8]  # *: any letter
    (tmp_path / "h.txt").write_text("# a remark\n0 -> 01\n1 -> 10\n")
    assert session.namespace.load_morphism(tmp_path / "h.txt").images == {0: (0, 1), 1: (1, 0)}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "declares no state"),
        ("{0,1}\n", None, "declares no state"),
        ("0 1\n", 1, "the letters it reads are expected"),
        ("{0,x}\n0\n", 1, "the letters it reads are expected"),
        ("{0,1}\n0 -> 0 / 0\n", 2, "before the first state"),
        ("{0,1}\n0\n2 -> 0 / 0\n", 3, "2 is not among the letters"),
        ("{0,1}\n0\n0 -> 0 / 0\n0 -> 0 / 1\n", 4, "two moves on the letter 0"),
        ("{0,1}\n0\n0 -> 0 / 0\n* -> 0 / 1\n", 4, "two moves on the letter 0"),
        ("{0,1}\n0\n0 -> 1 / 0\n", 3, "state 1 is not declared"),
        ("{0,1}\n0\n0 -> 0\n", 3, "neither a state nor a move"),
        ("{0,1}\n0\n0\n", 3, "declared twice"),
    ],
)
def test_malformed_transducers(session: Session, tmp_path: Path, text: str, line: int | None, message: str) -> None:
    file = tmp_path / "t.txt"
    file.write_text(text)
    with pytest.raises(FormatError, match=message) as caught:
        session.namespace.load_transducer(file)
    assert (caught.value.line, session.namespace.transducers) == (line, {})


def test_malformed_morphisms(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "m.txt"
    file.write_text("# remark\n0 -> 01\n1 => 10\n")
    with pytest.raises(FormatError, match=r"m.txt, line 3: expected a letter"):
        session.namespace.load_morphism(file)
    with pytest.raises(FileProblem, match="cannot be read"):
        session.namespace.load_morphism(tmp_path / "none.txt")


def test_reversed_predicates(session: Session) -> None:
    """Numbers stay what they are; words over plain alphabets are read from the other end."""
    session.reverse("back", "$few")
    assert session.namespace.definitions["back"].sorts[0].system == "lsd_2"
    assert session.relation("?lsd_2 $back(x)").values(9) == [0, 1, 2, 3]
    session.reverse("sdrow", "$words")
    assert str(session.test("sdrow", 2)) == "[-1][12]\n[-1][12]0"
    session.reg("half", ["lsd_2", (0, 1)], "[1,0][0,1]")
    session.reverse("flah", "$half")
    assert str(session.test("half", 1)).startswith("[1,0][0,1]\n(no")
    assert str(session.test("flah", 1)).startswith("[0,1][1,0]\n(no")
    assert [sort.system for sort in session.namespace.definitions["flah"].sorts] == ["msd_2", ""]


def test_operations_on_what_lsd_systems_read(session: Session) -> None:
    """In the order of reading: 10, then 01, is 1001, where 10 is the number 1."""
    session.reg("a", ["lsd_2"], "10")
    session.reg("b", ["lsd_2"], "01")
    session.concat("ab", "a", "b")
    assert str(session.test("ab", 3)) == "1001\n(no others)"
    session.leftquo("q", "ab", "a")
    assert str(session.test("q", 3)) == "01\n(no others)"
    session.rightquo("r", "ab", "b")
    # 10 ends in a zero: as a number it is 1, and words that end in zeros are not listed.
    assert len(session.test("r", 3)) == 0 and session.relation("?lsd_2 $r(x)").values(3) == [1]


def test_concatenations_over_other_systems_are_over_digits(session: Session) -> None:
    session.define("f", "?msd_fib x=1")
    session.concat("ff", "f", "f")
    assert session.namespace.definitions["ff"].sorts[0].system == "msd_2"
    assert session.relation("$ff(x)").values(4) == [3, 5, 9, 17]
    session.alphabet("ok", ["msd_fib"], "$ff")
    assert session.relation("?msd_fib $ok(x)").values(3) == [4, 6, 9]
    session.star("fs", "f")
    assert session.namespace.definitions["fs"].sorts[0].system == "msd_2"


@pytest.mark.parametrize("system", ["msd_fib", "lsd_2", "msd_10", "msd_pell"])
def test_counts_of_several_numbers(system: str) -> None:
    """Below any bound: the limits of four numbers are read in step."""
    session = Session(system, limits=Limits(states=1_000_000))
    session.define("sum", "x+y=z")
    session.define("four", "a<b & c<=d")
    for bound in (0, 1, 2, 7, 100, 10**18 + 9):
        assert session.count("sum", bound) == bound * (bound + 1) // 2
        assert session.count("four", bound) == bound * (bound - 1) // 2 * (bound * (bound + 1) // 2)


@pytest.mark.parametrize("system", ["msd_neg_2", "msd_neg_fib"])
def test_counts_of_several_integers(system: str) -> None:
    session = Session(system)
    session.define("less", "x<y")
    for bound in (1, 2, 9, 10**12):
        size = 2 * bound - 1
        assert session.count("less", bound) == size * (size - 1) // 2


def test_steps_of_attempts_that_are_given_up_are_not_exported() -> None:
    """Redundant moves of W^3: a first plan is given up, and nothing of it is in the trace."""
    text = (Path(__file__).parents[2] / "proofs" / "paper_commands.txt").read_text()
    printed = {line.split(maxsplit=2)[1]: line for line in text.splitlines() if line and not line.startswith("#")}
    session = Session("msd_fib")
    for name in ("shift", "phin", "optW", "pposW3_asym", "pposW3"):
        session.run(printed[name])
    kept: list[tuple[str, int]] = []
    watched: list[str] = []
    session.options = replace(
        session.options, keep=lambda record, a: kept.append((record.label, a.states)),
        watch=lambda record: watched.append(record.label),
    )
    outcome = session.eval(printed["opt2W3_33"].split('"')[1])
    assert outcome.trace is not None
    assert kept == [(record.label, record.states) for record in outcome.trace.records]
    assert len(watched) > len(kept)
