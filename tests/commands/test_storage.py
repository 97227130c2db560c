"""Sessions with folders: names found in files when they are mentioned, results where Walnut has them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fibprover as fp
from fibprover.automata import kernel_calls
from fibprover.base.errors import FibproverError, FileProblem, FormatError, UnknownName
from fibprover.base.folders import Folders
from fibprover.base.limits import UNLIMITED
from fibprover.prover.environment import Definition
from fibprover.sequences.series import Series
from fibprover.words.automatic import automatic_word
from fibprover.words.transducers import Transducer
from fibprover.workspace.storage import MOST_DRAWN, definitions, words
from tests.automata.strategies import automata

FILES = {
    "Automata Library/even.txt": "msd_2\n0 1\n0 -> 0\n1 -> 1\n1 0\n0 -> 0\n1 -> 1\n",
    "Word Automata Library/W.txt": "msd_2\n0 5\n0 -> 0\n1 -> 1\n1 7\n0 -> 1\n1 -> 0\n",
    "Morphism Library/thue.txt": "0 -> 01\n1 -> 10\n",
    "Transducer Library/SWAP.txt": "{0, 1}\r\n\r\n0\r\n0 -> 0 / 1\r\n1 -> 0 / 0\r\n",
    "Macro Library/twice.txt": "%0=2*%1",
    "Command Files/all.txt": 'eval loaded "Ax x>=0";\n',
    "Custom Bases/msd_four.txt": "{0,1,2,3}\n0 1\n* -> 0\n",
    "Custom Bases/msd_four_addition.txt": "{0,1,2,3} {0,1,2,3} {0,1,2,3}\n"
    + "".join(
        f"{carry} {1 - carry}\n"
        + "".join(
            f"{a} {b} {c} -> {into}\n"
            for a in range(4) for b in range(4) for c in range(4) for into in (0, 1) if a + b + into == c + 4 * carry
        )
        for carry in (0, 1)
    ),
}


@pytest.fixture
def places(tmp_path: Path) -> Folders:
    return at(tmp_path)


def at(tmp_path: Path) -> Folders:
    """A home folder with these files, and a session's folder."""
    for name, text in FILES.items():
        path = tmp_path / "home" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return Folders(tmp_path / "home", tmp_path / "session")


@pytest.fixture
def session(places: Folders) -> fp.Session:
    return opened(places)


def opened(places: Folders) -> fp.Session:
    made = fp.Session()
    made.use_folders(places.home, places.session)
    return made


def written(places: Folders) -> set[str]:
    return {path.relative_to(places.session).as_posix() for path in places.session.rglob("*") if path.is_file()}


def test_names_are_found_when_they_are_mentioned(session: fp.Session) -> None:
    for formula in ("An $even(n) <=> Em #twice(n,m)", "W[0]=@5 & W[1]=@7 & W[3]=@5", "?msd_four Ex x=7",
                    "?lsd_four Ax Ey y=x+1"):
        assert session.prove(formula).truth, formula
    session.promote("P", "thue")
    session.transduce("Q", "SWAP", "P")
    assert session.prove("An P[n]=@0 <=> Q[n]=@1").truth
    ((_, loaded),) = session.run("load all.txt;")
    assert isinstance(loaded, list)
    assert len(loaded) == 1


def test_what_is_made_lies_where_walnut_has_it(session: fp.Session, places: Folders) -> None:
    session.run(
        'def small "x<4"; eval truth "Ax x>=0"; reg r msd_2 "1*"; promote P thue; morphism m "0->1 1->[-2]0";'
        'macro half "2*%0=%1"; eval counted n "m<n"; ost o [0] [1 2]; export $small BA;'
        '[export 0 TXT] eval e "x<5&x>2"::'
    )
    kept = {
        f"{place}/{name}.txt" for name in ("small", "truth", "r", "counted", "e")
        for place in ("Automata Library", "Result")
    }
    drawings = {f"Result/{name}.gv" for name in ("small", "truth", "r", "counted", "e", "P")}
    others = {
        "Word Automata Library/P.txt", "Result/P.txt", "Morphism Library/m.txt", "Result/m.txt",
        "Macro Library/half.txt", "Result/counted.mpl", "Result/counted.m", "Result/counted.wl", "Result/counted.sage",
        "Custom Bases/msd_o.txt", "Custom Bases/msd_o_addition.txt", "Result/small.ba", "Result/e_step_0.txt",
        "Result/e_log.txt", "Result/e_detailed_log.txt",
    }
    assert written(places) == kept | drawings | others
    assert (places.result / "truth.txt").read_text() == "true\n"
    assert (places.session / "Macro Library/half.txt").read_text() == "2*%0=%1"


def test_steps_are_written_after_colons(session: fp.Session, places: Folders) -> None:
    """After `:` those that are a part of the formula, after `::` also all others; an older log does not survive."""
    short, detailed = places.result / "p_log.txt", places.result / "p_detailed_log.txt"
    session.run('def p "Em n=2*m & $even(n)"::')
    assert short.read_text().startswith("Em n=2*m & $even(n)\n{n}: infinite")
    assert "[$even(n)]" not in short.read_text()
    assert "[$even(n)]" in detailed.read_text()
    assert "largest automaton: 2 states" in detailed.read_text()
    steps = detailed.read_text().count(" states ")
    session.run('eval p "Em n=2*m & $even(n)"::')  # it is known by now, and its steps are asked for
    assert detailed.read_text().count(" states ") == steps > 3
    session.run('eval p "Am,n m+n=n+m":')
    assert short.read_text().startswith("Am,n m+n=n+m\nTRUE\n")
    assert not detailed.exists()
    session.run('eval p "Am,n m+n=n+m";')
    assert not short.exists()


@given(
    st.lists(
        st.dictionaries(st.integers(-3, 12), st.tuples(st.integers(0, 2), st.integers(-9, 99)), max_size=4),
        min_size=3, max_size=3,
    ).filter(any)
)
def test_transducers_round_trip(
    tmp_path_factory: pytest.TempPathFactory, moves: list[dict[int, tuple[int, int]]]
) -> None:
    places = at(tmp_path_factory.mktemp("folders"))
    opened(places).namespace.transducers["t"] = Transducer("t", tuple(moves))
    assert opened(places).namespace.transducers["t"] == Transducer("t", tuple(moves))


def test_folders_that_are_only_read(places: Folders) -> None:
    made = fp.Session()
    made.use_folders(places.home, written=False)
    before = {path: path.stat().st_mtime_ns for path in places.home.rglob("*")}
    made.run(
        'def small "x<4 & $even(x)"; eval t "Ax x>=0":: promote P thue; morphism m "0->01 1->1"; macro k "%0=1";'
        'ost o [0] [1 2]; eval c n "m<n"; def q "?msd_four x=7";'
    )
    assert made.prove("Ex $small(x) & P[x+1]=@1").truth
    assert "t" not in made.namespace.definitions  # only a session with files to write names what eval finds
    assert {path: path.stat().st_mtime_ns for path in places.home.rglob("*")} == before
    with pytest.raises(FileProblem, match="is not a folder"):
        made.use_folders(places.home, places.session, written=False)


def test_another_session_goes_on_where_one_stopped(session: fp.Session, places: Folders) -> None:
    session.run(
        'def small "x<4"; def none "x<0"; reg r {0,1} "01*"; promote P thue; morphism m "0->[12]1 1->[-2]0";'
        'macro half "2*%0=%1"; ost o [0] [1 2]; def o5 "?msd_o x=5"; def back "?lsd_2 x<y"; def small "x<6";'
    )
    later = opened(places)
    assert later.prove("Ax $small(x) <=> x<6").truth
    assert later.prove("?lsd_2 Ax,y $back(x,y) <=> x<y").truth
    assert not later.prove("Ex $none(x)").truth
    assert later.namespace.language("r") == session.namespace.language("r")
    # The format has no names of indices.
    assert later.namespace.machine("P").renamed(["n"]) == session.namespace.machine("P")
    assert str(later.namespace.morphisms["m"]) == str(session.namespace.morphisms["m"])
    assert later.namespace.macros["half"] == "2*%0=%1"
    assert later.prove("?msd_o Ax $o5(x) <=> x=5").truth


def test_the_session_hides_the_home_and_leaves_it_alone(session: fp.Session, places: Folders) -> None:
    assert not session.prove("$even(3)").truth
    session.run('def even "x=3";')
    assert session.prove("$even(3)").truth
    assert opened(places).prove("$even(3)").truth
    assert (places.home / "Automata Library/even.txt").read_text() == FILES["Automata Library/even.txt"]


def test_one_folder_for_both(places: Folders) -> None:
    session = opened(Folders(places.home, places.home))
    session.run('def even "x=3";')
    assert opened(places).prove("$even(3)").truth


def test_words_of_files_hide_those_of_the_library(session: fp.Session, places: Folders) -> None:
    assert session.prove("T[1]=@1").truth
    (places.home / "Word Automata Library/T.txt").write_text("msd_2\n0 0\n0 -> 0\n1 -> 0\n")
    assert opened(places).prove("T[1]=@0").truth


def test_an_eval_can_be_called_as_in_walnut(session: fp.Session) -> None:
    session.run('eval small "x<4"; eval all "Ax $small(x) <=> x<4";')
    assert session.prove("$all()").truth


@pytest.mark.parametrize(
    ("file", "text", "command", "line", "says"),
    [
        ("Automata Library/bad.txt", "msd_2\n0 1\n0 -> 7\n", 'eval x "$bad(n)";', 3, "state 7 is not declared"),
        ("Automata Library/bad.txt", "msd_2\n0 1\n2 -> 0\n", "union x bad even;", 3, "2 is not a letter"),
        ("Automata Library/bad.txt", "msd_none\n0 1\n", 'eval x "$bad(n)";', 1, "no numeration system msd_none"),
        ("Automata Library/bad.txt", "msd_2 lsd_2\n0 1\n", 'eval x "$bad(n,m)";', None, "msd and lsd"),
        ("Word Automata Library/BAD.txt", "{0,1\n", 'eval x "BAD[n]=@0";', 1, "neither a numeration system"),
        ("Morphism Library/bad.txt", "0->01\n1->\n", "promote X bad;", 2, "empty"),
        ("Transducer Library/bad.txt", "{0,1}\n0\n0 -> 0\n", "transduce X bad W;", 3, "neither a state nor a move"),
        ("Custom Bases/msd_bad.txt", "{0,1}\n0 1\n* -> 0\n", 'eval x "?msd_bad x=1";', None, "cannot be read"),
    ],
)
def test_malformed_files_are_refused_with_file_line_and_cause(
    places: Folders, file: str, text: str, command: str, line: int | None, says: str
) -> None:
    (places.home / file).write_text(text)
    session = opened(places)
    with pytest.raises(FibproverError) as raised:
        session.run(command)
    assert says in raised.value.message
    assert Path(file).stem in raised.value.message
    if line is not None:
        assert f"{file}, line {line}" in raised.value.message
    assert written(places) == set()


def test_a_word_has_one_letter_at_an_index(session: fp.Session, places: Folders) -> None:
    """A letter that leads to two states is allowed in predicates only."""
    two = "msd_2\n0 0\n0 -> 0\n1 -> 0 1\n1 1\n0 -> 1\n1 -> 1\n"
    for library in ("Word Automata Library", "Automata Library"):
        (places.home / library / "two.txt").write_text(two)
    assert session.relation("$two(n)").values(4) == [1, 2, 3, 4]
    with pytest.raises(FormatError, match=r"Word Automata Library.two.txt, line 4: .* several letters at an index"):
        session.eval("En two[n]=1")
    with pytest.raises(FormatError, match="several letters"):
        session.namespace.load_word(places.home / "Word Automata Library" / "two.txt")


def test_a_script_that_is_not_there_is_told_from_its_neighbours(session: fp.Session, places: Folders) -> None:
    (places.home / "Command Files").mkdir(exist_ok=True)
    (places.home / "Command Files" / "paper.txt").write_text('eval a "1=1";')
    for name in ("paper", "papr.txt", "Paper.txt"):
        with pytest.raises(FileProblem, match=r"did you mean paper\.txt\?"):
            session.run(f"load {name};")
    with pytest.raises(FileProblem) as caught:
        session.run("load nowhere/paper.txt;")
    assert not caught.value.hint


def test_a_base_with_an_adder_only_has_all_words(places: Folders) -> None:
    (places.home / "Custom Bases/msd_four.txt").unlink()
    assert opened(places).prove("?msd_four Ax Ey x=y+y | x=y+y+1").truth


def test_a_base_that_contradicts_a_built_in_one_is_refused(places: Folders) -> None:
    for what in ("", "_addition"):
        text = FILES[f"Custom Bases/msd_four{what}.txt"]
        (places.home / f"Custom Bases/msd_4bonacci{what}.txt").write_text(text)
    with pytest.raises(FibproverError, match="another numeration system is already called msd_4bonacci"):
        opened(places).run('eval x "?msd_4bonacci x=1";')


def test_a_write_that_fails_leaves_everything_as_it_was(
    session: fp.Session, places: Folders
) -> None:
    session.run('def f "x<4";')
    before = {name: (places.session / name).read_bytes() for name in written(places)}
    (places.session / "Result/f.gv").unlink()
    (places.session / "Result/f.gv").mkdir()
    with pytest.raises(FileProblem, match=r"f\.gv cannot be written"):
        session.run('def f "x<9";')
    assert session.prove("Ax $f(x) <=> x<4").truth
    del before["Result/f.gv"]
    assert {name: (places.session / name).read_bytes() for name in written(places)} == before


def test_names_in_hints_are_those_of_files_too(session: fp.Session) -> None:
    with pytest.raises(UnknownName) as raised:
        session.eval("$evem(x)")
    assert "even" in raised.value.hint
    with pytest.raises(UnknownName):
        session.promote("X", "nothing")


def test_a_script_outside_of_the_folder_is_not_loaded(session: fp.Session) -> None:
    with pytest.raises(FileProblem, match="lies outside"):
        session.load("../Command Files/all.txt")


def test_no_drawing_of_what_is_too_large(session: fp.Session, places: Folders) -> None:
    session.run('def f "x<4";')
    assert (places.result / "f.gv").exists()
    session.run(f'def f "x={2 ** (MOST_DRAWN + 1)}";')
    assert not (places.result / "f.gv").exists()


def test_a_linear_representation_is_answered_as_without_folders(session: fp.Session) -> None:
    ((_, answer),) = session.run('eval f n "m<n";')
    assert isinstance(answer, Series)
    assert answer(17) == 17


def test_a_definition_whose_counts_are_infinite_is_none(session: fp.Session, places: Folders) -> None:
    with pytest.raises(FibproverError, match="infinitely many"):
        session.run('def f n "m>n";')
    assert "f" not in session.namespace.definitions
    assert written(places) == set()


_COMMANDS = (
    'def f "x<4"', 'def f "x>=y & W[x]=@7"', 'def g "$f(x)"', 'def f n "x>n"', 'def g n "x<n"', 'def h "$f(x"',
    'eval f "Ax x>3"',
    'reg f {0,1} "01*"', 'reg g msd_2 "2"', "union g f even", "promote P thue", "promote P m", 'morphism m "1->0"',
    'morphism m "0->01 1->00"', 'macro k "%0=1"', 'eval g "#k(x)"', "transduce P SWAP W", "combine P f even=3",
    "convert P msd_4 P", "reverse P P", "ost four [0] [1 2]", "ost own [0] [1 2]", 'def g "?msd_own x=3"',
    "export $f BA", "load all.txt",
    "load nothing.txt", "nonsense f", "inf f", "test f 3",
)


def names_of(session: fp.Session) -> list[dict[str, object]]:
    """What the names of a session mean."""
    names = session.namespace
    shelves = (names.definitions, names.words, names.morphisms, names.macros, names.systems)
    return [dict(shelf) for shelf in shelves]


@settings(max_examples=25)
@given(st.lists(st.sampled_from(_COMMANDS), max_size=12))
def test_a_command_that_fails_leaves_names_and_libraries_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, commands: list[str]
) -> None:
    places = at(tmp_path_factory.mktemp("random"))
    session = opened(places)
    session.namespace.system("msd_four")  # it is read from its file, as by an `ost` that fails because of it
    for command in commands:
        before = names_of(session), library(places)
        try:
            session.run(command + ";")
        except FibproverError:
            assert (names_of(session), library(places)) == before, command
    later = opened(places)
    for name in session.namespace.definitions:
        language = session.namespace.language(name)
        assert later.namespace.language(name).with_tracks(language.tracks) == language


def library(places: Folders) -> dict[str, bytes]:
    """The files that names are read from."""
    return {name: (places.session / name).read_bytes() for name in written(places) if not name.startswith("Result/")}


# -- round trips ------------------------------------------------------------------------------------

@st.composite
def machines(draw: st.DrawFn) -> fp.Dfa:
    """Automata over msd systems, over lsd systems, and over letters beside either."""
    order = draw(st.sampled_from(["msd", "lsd"]))
    alphabets = [((0, 1), f"{order}_fib"), ((0, 1, 2), f"{order}_3"), ((-1, 0, 12), "")]
    count = draw(st.integers(1, 3))
    tracks = tuple(fp.Track(f"x{place}", *draw(st.sampled_from(alphabets))) for place in range(count))
    if any(track.system.startswith("lsd") for track in tracks):
        tracks = tuple(track._replace(stored_reversed=not track.system) for track in tracks)
    return draw(automata(tracks, 5))


@given(machines())
def test_an_automaton_comes_back_from_its_file_as_it_was(tmp_path_factory: pytest.TempPathFactory, a: fp.Dfa) -> None:
    folder = tmp_path_factory.mktemp("round")
    places = Folders(folder, folder)
    places.prepare()
    digits = fp.Session().namespace.system
    meaning = kernel_calls.minimize(a)
    definitions({}, places, digits, lambda: UNLIMITED)["f"] = Definition("f", meaning)
    again = definitions({}, places, digits, lambda: UNLIMITED)["f"]
    assert again.raw
    assert kernel_calls.minimize(again.automaton) == meaning
    if not any(track.stored_reversed or track.system.startswith("lsd") for track in a.tracks):
        word = automatic_word("W", a)
        systems = fp.Session().namespace.system
        words({}, places, systems, lambda: UNLIMITED)["W"] = word
        assert words({}, places, systems, lambda: UNLIMITED)["W"] == word


def test_a_format_error_is_one_in_scripts_too(places: Folders) -> None:
    (places.home / "Automata Library/bad.txt").write_text("?")
    with pytest.raises(FormatError) as raised:
        opened(places).run('eval x "$bad(n)";')
    assert raised.value.line == 1
