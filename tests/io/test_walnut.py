"""Walnut's text format: what is read, what is refused and where, and that writing loses nothing."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fibprover.automata.dfa import Dfa, Track, build
from fibprover.base.errors import BudgetSpent, FileProblem, FormatError, NumerationError
from fibprover.base.limits import Budget
from fibprover.workspace.walnut import automaton_text, parse_automaton, read_automaton, write_automaton

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside the checkout")


def track_of_system(name: str) -> Track:
    """The tracks of base k and of the custom bases that the corpus uses."""
    base = re.fullmatch(r"(?:msd|lsd)_(?:neg_)?(\d+)", name)
    if base and int(base[1]) >= 2:
        return Track("x", tuple(range(int(base[1]))), name)
    binary = {"fib", "neg_fib", "trib"}
    known: dict[str, tuple[int, ...]] = {f"{order}_{base}": (0, 1) for order in ("msd", "lsd") for base in binary}
    known |= {"msd_pell": (0, 1, 2), "msd_ns": (0, 1, 2, 3), "msd_tib": (0, 1, 2, 3)}
    known |= {"msd_ost1": (0, 1, 2), "msd_ost2": (0, 1, 2, 3)}
    if name not in known:
        raise NumerationError(f"there is no system {name}", hint="there is msd_fib")
    return Track("x", known[name], name)


def read(text: str, *names: str) -> Dfa:
    return parse_automaton(text, "a.txt", track_of_system, names or None)


def test_a_file_with_everything_in_it() -> None:
    text = "\n# a remark\nmsd_fib {1, -1,0}\n\n  7 -1\n0 * -> 3\n1 -1->7\n   # another\n3 2\r\n\t1   1   ->   7\n"
    a = read(text, "n", "s")
    assert a.tracks == (Track("n", (0, 1), "msd_fib"), Track("s", (-1, 0, 1)))
    assert list(a.outputs) == [-1, 2]  # state 7 is declared first and so initial
    assert a.row(0) == [(0, 1), (1, 1), (2, 1), (3, 0)]
    assert a.row(1) == [(5, 0)]


def test_systems_and_numbers_as_short_as_walnut_has_them() -> None:
    """A system without its direction or its `_`; a plus sign."""
    a = read("2 msd2 fib msdfib msd{+1, -1}\n0 +1\n0 0 0 0 1 +1 -> 0\n")
    assert [track.system for track in a.tracks] == ["msd_2", "msd_2", "msd_fib", "msd_fib", "msd_2", ""]
    assert a == read("msd_2 msd_2 msd_fib msd_fib msd_2 {-1, 1}\n0 1\n0 0 0 0 1 1 -> 0\n")


def test_track_names_without_any_given() -> None:
    assert read("msd_2 msd_2\n0 1\n").names == ("x0", "x1")
    assert read(" ".join(["msd_2"] * 11) + "\n0 1\n").names[2::8] == ("x02", "x10")  # order of names = of tracks


@pytest.mark.parametrize(("text", "output"), [("true", 1), ("false\n", 0), ("\n# closed\n  true  \n\n", 1)])
def test_closed_formulas(text: str, output: int) -> None:
    a = read(text)
    assert a.tracks == ()
    assert list(a.outputs) == [output]
    assert a.row(0) == ([(0, 0)] if output else [])
    assert read(automaton_text(a)) == a


def test_several_targets_are_determinized() -> None:
    # words over {0,1} whose last letter but one is 1
    a = read("{0,1}\n0 0\n* -> 0\n1 -> 1\n1 0\n* -> 2\n2 1\n")
    b = read("{0,1}\n0 0\n0 -> 0\n1 -> 0 1\n1 0\n0 -> 2\n1 -> 2\n2 1\n")
    for bits in range(32):
        word = [bits >> place & 1 for place in range(5)]
        assert bool(a.output(word)) == bool(b.output(word)) == (word[-2] == 1)


def test_the_same_transition_twice_is_one() -> None:
    assert read("{0,1}\n0 5\n0 -> 0\n* -> 0\n").row(0) == [(0, 0), (1, 0)]


MALFORMED = [
    ("", None, "no header"),
    ("# only\n\n# remarks\n", None, "no header"),
    ("msd_2\n", None, "declares no state"),
    ("true\n0 1\n", 2, "nothing may follow 'true'"),
    ("truefalse\n", 1, "'truefalse' is neither a numeration system"),
    ("msd_nosuch\n0 1\n", 1, "msd_nosuch: there is no system"),
    ("msd_2 msb_2\n0 1\n", 1, "'msb_2' is neither a numeration system"),
    ("msd_2 {0,1\n0 1\n", 1, "'{0,1' is neither a numeration system"),
    ("msd_2 msd_2x!\n0 1\n", 1, "neither a numeration system"),
    ("{0,,1}\n0 1\n", 1, "a letter is expected, not ''"),
    ("{}\n0 1\n", 1, "a letter is expected, not ''"),
    ("{0,a}\n0 1\n", 1, "a letter is expected, not 'a'"),
    ("{0,1,0}\n0 1\n", 1, "a letter occurs twice"),
    (" ".join(["msd_10"] * 20) + "\n0 1\n", 1, "2^62 letters"),
    ("msd_2\n0 1\n0 -> 0\n\n0 1\n", 5, "state 0 is declared twice"),
    ("msd_2\n0 1\n# x\n0 -> 3\n1 0\n", 4, "state 3 is not declared"),
    ("msd_2\n0 1\n2 -> 0\n", 3, "2 is not a letter of msd_2"),
    ("{-1, 1}\n0 1\n0 -> 0\n", 3, "0 is not a letter of {-1, 1}"),
    ("msd_2\n0 1\n0 1 -> 0\n", 3, "2 letters on a transition of 1 track"),
    ("msd_2 msd_2\n0 1\n0 -> 0\n", 3, "1 letter on a transition of 2 tracks"),
    ("msd_2\n0 1\n-> 0\n", 3, "0 letters on a transition"),
    ("msd_2\n0 1\n0 ->\n", 3, "leads to no state"),
    ("msd_2\n0 -> 0\n0 1\n", 2, "a transition before the first state"),
    ("msd_2\n0 1\n0 -> 0 junk\n", 3, "a state number is expected, not 'junk'"),
    ("msd_2\n0 1\n0 -> 0 -> 1\n", 3, "a state number is expected, not '->'"),
    ("msd_2\n0 1\n0 -> 1.5\n", 3, "a state number is expected, not '1.5'"),
    ("msd_2\n0 1\nx -> 0\n", 3, "a letter or * is expected, not 'x'"),
    ("msd_2\n0 1\n** -> 0\n", 3, "a letter or * is expected, not '**'"),
    ("msd_2\n0 1\n0 -> 0 / 1\n", 3, "not '/'"),
    ("msd_2\n0\n0 -> 0\n", 2, "neither 'state output' nor"),
    ("msd_2\n0 1 1\n", 2, "neither 'state output' nor"),
    ("msd_2\n0 1\nhello\n", 3, "'hello' is neither"),
    ("msd_2\n0 \N{ARABIC-INDIC DIGIT ONE}\n", 2, "neither 'state output' nor"),
    ("msd_2\n-1 1\n", 2, "the state number -1 is negative"),
    ("msd_2\n0 2147483648\n", 2, "more than 32 bits"),
    ("msd_2\n0 " + "9" * 5000 + "\n", 2, "neither 'state output' nor"),
    ("msd_2\n0 1\n0 -> " + "9" * 5000 + "\n", 3, "a state number is expected"),
    ("msd_2\n0 1\n0 -> 0\n1 7\n1 -> 0 1\n", 5, "several states, but the outputs are not just 0 and 1"),
    ("msd_2\n0 1\n* -> 0\n0 -> 1\n1 7\n", 4, "several states, but the outputs are not just 0 and 1"),
    (" ".join(["msd_10"] * 12) + "\n0 1\n" + "* " * 12 + "-> 0\n", 3, "more than 10000000 transitions"),
]


@pytest.mark.parametrize(("text", "line", "cause"), MALFORMED, ids=range(len(MALFORMED)))
def test_malformed_files_are_refused_with_line_and_cause(text: str, line: int | None, cause: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text)
    assert caught.value.line == line
    assert caught.value.file == "a.txt"
    assert cause in str(caught.value)


def test_the_number_of_expected_tracks_is_checked() -> None:
    with pytest.raises(FormatError, match="2 tracks, but 1 expected"):
        read("msd_2 msd_2\n0 1\n", "n")
    with pytest.raises(FormatError, match="no tracks, but 1 expected"):
        read("true\n", "n")


def test_wildcards_count_against_the_budget() -> None:
    text = "msd_10 msd_10\n0 1\n* * -> 0\n"
    assert parse_automaton(text, "a.txt", track_of_system, budget=Budget(transitions=100)).transitions == 100
    with pytest.raises(BudgetSpent):
        parse_automaton(text, "a.txt", track_of_system, budget=Budget(transitions=99))


def test_determinization_counts_against_the_budget() -> None:
    # the n-th letter from the end is 1: 2^n subsets
    states = "".join(f"{state} {state // 12}\n* -> {state + 1}\n" for state in range(1, 12))
    text = "{0,1}\n0 0\n* -> 0\n1 -> 1\n" + states + "12 1\n"
    with pytest.raises(BudgetSpent):
        parse_automaton(text, "a.txt", track_of_system, budget=Budget(states=1000))


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="cannot be read"):
        read_automaton(tmp_path / "missing.txt", track_of_system)
    with pytest.raises(FileProblem, match="cannot be read"):
        read_automaton(tmp_path, track_of_system)
    binary = tmp_path / "binary.txt"
    binary.write_bytes(b"msd_2\n\xff\xfe")
    with pytest.raises(FileProblem, match="not UTF-8"):
        read_automaton(binary, track_of_system)


@st.composite
def automata(draw: st.DrawFn) -> Dfa:
    """Any automaton, trim or not, over up to three tracks."""
    alphabets = st.sampled_from([((0, 1), "msd_fib"), ((0, 1, 2), "msd_pell"), ((-1, 0, 12), ""), ((0,), "")])
    chosen = draw(st.lists(alphabets, min_size=1, max_size=3))
    tracks = [Track(f"t{place}", *alphabet) for place, alphabet in enumerate(chosen)]
    states = draw(st.integers(1, 5))
    letters = 1
    for track in tracks:
        letters *= len(track.digits)
    row = st.dictionaries(st.integers(0, letters - 1), st.integers(0, states - 1), max_size=6)
    rows = draw(st.lists(row, min_size=states, max_size=states))
    return build(tracks, rows, draw(st.lists(st.integers(-3, 3), min_size=states, max_size=states)))


@given(automata())
def test_writing_and_reading_gives_the_same_automaton(a: Dfa) -> None:
    assert read(automaton_text(a), *a.names) == a


def test_writing_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.txt"
    first, second = read("msd_2\n0 1\n0 -> 0\n"), read("msd_2\n0 0\n1 -> 0\n")
    write_automaton(first, target)
    target.chmod(0o640)

    def refuse(source: object, destination: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", refuse)
        with pytest.raises(FileProblem, match="No space left"):
            write_automaton(second, target)
    assert target.read_text() == automaton_text(first)
    assert os.listdir(tmp_path) == ["a.txt"]
    write_automaton(second, target)
    assert target.read_text() == automaton_text(second)
    assert target.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["a.txt"]


def test_writing_where_one_cannot(tmp_path: Path) -> None:
    a = read("true")
    for place in (tmp_path, tmp_path / "no" / "such.txt", tmp_path / "nul\0.txt"):
        with pytest.raises(FileProblem):
            write_automaton(a, place)


def test_a_symbolic_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    write_automaton(read("true"), tmp_path / "link.txt")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "true\n"


@needs_corpus
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in (1, 2))])
def test_the_corpus_loads(part: int) -> None:
    files = [
        path
        for folder in ("library/Word Automata Library", "library/Custom Bases", "library/Automata Library", "expected")
        for path in sorted((CORPUS / folder).rglob("*.txt"))
        if path.stem.startswith("automaton") or folder != "expected" or path.parent.name != "expected"
    ]
    assert len(files) > 400
    for number, path in enumerate(files[part::3]):
        if path.name == "R2C.txt":  # no case uses it, and it speaks of a digit 2 of Fibonacci
            with pytest.raises(FormatError, match="line 6: 2 is not a letter of msd_fib"):
                read_automaton(path, track_of_system)
            continue
        a = read_automaton(path, track_of_system)
        if not number % 3:
            assert read(automaton_text(a), *a.names) == a


@needs_corpus
def test_what_a_file_of_the_corpus_says() -> None:
    a = read_automaton(CORPUS / "library" / "Word Automata Library" / "PFmsd.txt", track_of_system, ["f", "n"])
    assert a.tracks[0] == Track("f", (-1, 1))
    assert set(a.outputs) == {-1, 0, 1}
    thue_morse = read_automaton(CORPUS / "library" / "Word Automata Library" / "T.txt", track_of_system, ["n"])
    for number in range(64):
        assert thue_morse.output(map(int, f"{number:b}")) == number.bit_count() % 2
