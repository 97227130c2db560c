"""The prompt, on a pseudo terminal: typing, completing, interrupting, and what is kept."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fibprover.base.limits import Limits
from fibprover.frontends.cli.main import parser
from fibprover.frontends.cli.prompt import Prompt
from fibprover.workspace.session import Session
from tests.cli.command import HEAVY, answer, finished, started
from tests.cli.terminal import Terminal

NAME = "fibprover> "

#: Saves a session in a file, and returns its commands.
Saved = Callable[[str, str], list[str]]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    with Terminal(tmp_path) as made:
        made.wait(NAME)
        yield made


def history(folder: Path) -> list[str]:
    return (folder / "state" / "fibprover" / "history").read_text().splitlines()


# -- typing ----------------------------------------------------------------------------------------------


def test_formulas_and_commands(terminal: Terminal) -> None:
    assert "TRUE\n" in terminal.say("Ax,y x+y=y+x")
    assert "0, 1, 2\n" in terminal.say("x<3")
    assert "def even: {n:msd_2}: infinite" in terminal.say('def even "Ey n=2*y";')
    assert "\n  0, 2, 4\n" in terminal.say("$even(n) & n<6;")
    both = terminal.say('def a "n=1"; union b a even;')
    assert "def a: " in both and "union b: " in both
    assert "  1, 2, 4, 7\n" in terminal.say("T[n]=1 & n<8")


def test_terms_have_values(terminal: Terminal) -> None:
    for term, value in (("T[5]", "0"), ("3+4;", "7"), ("?msd_fib F[1]", "1"), ("3-4", "error: 3-4 has no value")):
        assert f"\n{value}\n" in f"\n{terminal.say(term)}\n"


def test_terminators_ask_for_more(terminal: Terminal) -> None:
    assert "step" not in terminal.say("x<3;")
    assert "1 step, at most 3 states" in terminal.say("x<3:")
    assert "3 states  atom" in terminal.say('eval t "x<3"::')


def test_several_lines(terminal: Terminal) -> None:
    assert terminal.say("def two", ";> ")
    assert terminal.say('  "n>1 &', '"> ')
    assert "def two: {n:msd_2}: finite, 3 states\n  2\n" in terminal.say('n<3";')
    assert terminal.say("Ex (x=2 &", ")> ")
    said = terminal.say("x<3)")
    assert "TRUE\n" in said and "x = 2\n" in said
    assert terminal.say("x=", ")> ")
    assert "{x:msd_2}: finite" in terminal.say("7")


def test_an_empty_line_ends_a_formula(terminal: Terminal) -> None:
    terminal.say("Ex (x=2", ")> ")
    terminal.say("& x=3", ")> ")
    assert "error: " in terminal.say("")


def test_names_with_their_sizes_and_one_in_detail(terminal: Terminal) -> None:
    terminal.say('def even "?msd_fib Ey n=2*y";')
    terminal.say("word X[n] = T[n+1];")
    for entry in ("list", "list;"):
        rows = {tuple(line.split()) for line in terminal.say(entry).splitlines()}
        assert ("predicates", "$even", "msd_fib;", "8", "states") in rows
        assert ("words", "X", "msd_2;", "4", "states") in rows
    shown = terminal.say("show even")
    assert "?msd_fib Ey n=2*y" in shown and "  0, 2, 4" in shown and "0/1:  0 -> 0  1 -> 1" in shown
    assert "0110100110010110" in terminal.say("show T;") and "1101001100101101" in terminal.say("show X")
    assert "did you mean even?" in terminal.say("show evven")
    assert "TRUE" in terminal.say("Eshow,save,list show=list & list<save")
    assert "{show:msd_2}" in terminal.say("show<3")


def test_a_session_becomes_a_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Terminal(tmp_path, "prompt", "--system", "msd_fib") as terminal:
        terminal.wait(NAME)
        assert "nothing to save" in terminal.say("save session.txt")
        terminal.say('def even "Ey n=2*y"; macro next "%0=%1+1";')
        terminal.say("show even")
        terminal.say("En $missing(n)")
        terminal.say("Em,n $even(m) & #next(n,m) &", ")> ")
        terminal.say("n>3")
        assert "3 commands" in terminal.say("save session.txt")
        terminal.say("x<2:")
        assert "4 commands" in terminal.say("save session.txt;")
        (tmp_path / "mine.txt").write_text("kept")
        assert "choose another name" in terminal.say("save mine.txt")
    assert (tmp_path / "mine.txt").read_text() == "kept"
    remark, again, *commands = (tmp_path / "session.txt").read_text().splitlines()
    assert again == "# fibprover run --system msd_fib session.txt"
    assert commands[0].startswith("def even") and "missing" not in "".join(commands) and remark.startswith("#")
    monkeypatch.chdir(tmp_path)
    done = answer(capsys, *again.split()[2:])
    assert done.status == 0 and "eval: TRUE" in done.out and "{x:msd_fib}: finite" in done.out


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Saved:
    """Enters, in a folder, what ends by saving a session; runs the file that was saved, and returns its commands."""
    monkeypatch.chdir(tmp_path)

    def entered(entries: str, file: str) -> list[str]:
        assert finished(started("prompt", stdin=subprocess.PIPE), entries).status == 0
        done = answer(capsys, "run", file)
        assert (done.status, done.err) == (0, "")
        return (tmp_path / file).read_text().splitlines()[2:]

    return entered


def test_what_a_script_had_done_before_its_error_is_saved(saved: Saved, tmp_path: Path) -> None:
    (tmp_path / "inner.txt").write_text('def one "n=1";\ndef two "n=2";\ndef bad "n<";\n')
    (tmp_path / "outer.txt").write_text('macro next "%0=%1+1";\nload inner.txt;\ndef never "n=3";\n')
    entries = 'load outer.txt\nload inner.txt\ndef small "$one(n) | $two(n)";\nEn #next(n,1)\nsave a b.txt\n'
    commands = saved(entries, "a b.txt")
    assert [each.partition(" ")[0] for each in commands] == ["macro", *["def"] * 5, "eval"]
    assert "load" not in "".join(commands)


def test_a_file_in_quotes_is_saved_without_them(
    saved: Saved, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert saved('Ex x=1\nsave "-it\'s.txt"\n', "./-it's.txt") == ['eval "Ex x=1";']
    again = shlex.split((tmp_path / "-it's.txt").read_text().splitlines()[1])
    assert answer(capsys, *again[2:]).out == "eval: TRUE\n  least witness: x = 1\n"


@pytest.mark.long
def test_verdicts_have_colours_on_a_terminal(tmp_path: Path) -> None:
    for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        with Terminal(tmp_path, environment={"NO_COLOR": "", **environment}) as terminal:
            terminal.wait(NAME)
            terminal.say("1=1")
            terminal.say("1=2")
            shown = terminal.shown.decode()
        assert (("\x1b[1;32mTRUE\x1b[0m" in shown), ("\x1b[1;31mFALSE\x1b[0m" in shown)) == (coloured, coloured)


def test_what_is_typed_without_thinking(terminal: Terminal) -> None:
    terminal.say('def even "Ey n=2*y";')
    terminal.say('macro twice "2*%0";')
    names = terminal.say("list")
    assert "predicates" in names and "$even" in names and "#twice" in names and " HC" in names
    assert "2 states, 4 transitions" in terminal.say("describe even")
    assert "\n10\n100\n" in terminal.say("test even 2")
    assert "did you mean exit?" in terminal.say("exitt")
    assert "did you mean list?" in terminal.say("lisst")
    assert "describe even" in terminal.say("even")
    assert "dominant root 1.618" in terminal.say("help msd_fib")
    assert "Ey n=2*y" in terminal.say("help even")
    assert "did you mean even?" in terminal.say("help evne")
    assert "no help on nope" in terminal.say("help nope")
    assert "TRUE" in terminal.say("Ax x>=0")


def test_errors_end_nothing(terminal: Terminal) -> None:
    said = terminal.say("x=1 & y<)")
    assert "error: " in said and "^" in said
    assert "unknown command `foo`" in terminal.say("foo bar;")
    assert "no predicate is called nothing" in terminal.say('def a "n=2"; inf nothing; def b "n=3";')
    assert "TRUE" in terminal.say("$a(2)")
    assert "error: " in terminal.say("$b(3)")  # it came behind the error
    assert "error: " in terminal.say("load nowhere.txt;")
    os.write(terminal.ours, b"x=\xff\r")
    assert "error: " in terminal.wait(NAME)
    assert "TRUE" in terminal.say("1=1")


@pytest.mark.long
def test_leaving(tmp_path: Path) -> None:
    for way in ("exit\r", "quit;\r", "\x04", "x<3; \x15exit\r"):
        with Terminal(tmp_path) as terminal:
            terminal.wait(NAME)
            terminal.type(way)
            assert terminal.end() == 0


def test_end_of_input_gives_up_an_entry_first(terminal: Terminal) -> None:
    terminal.say('eval "x=1', '"> ')
    terminal.type("\x04")
    terminal.wait(NAME)
    terminal.type("\x04")
    assert terminal.end() == 0


def test_options(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text('def seven "n=7";\n')
    with Terminal(tmp_path, "prompt", "--system", "msd_fib", "--load", "mine.txt", "-n", "2") as terminal:
        assert "numbers in msd_fib" in terminal.wait(NAME)
        assert "TRUE" in terminal.say("$seven(7)")
        assert "  0, 1, ...\n" in terminal.say("x<9")


def test_budgets_are_for_each_entry(tmp_path: Path) -> None:
    with Terminal(tmp_path, "prompt", "--max-states", "1000") as terminal:
        terminal.wait(NAME)
        assert "budget spent" in terminal.say("30000001*a-29999999*b=c")
        assert "TRUE" in terminal.say("1=1")


@pytest.mark.parametrize("entry", ["Ax Ey y>x & y<x+3", 'eval t "Ax Ey y>x & y<x+3"'])
def test_two_colons_show_all_steps_of_what_is_known(terminal: Terminal, entry: str) -> None:
    """The usual way to them: the answer first, then the same line once more."""
    terminal.say(f"{entry};")
    said = terminal.say(f"{entry}::")
    assert "exists" in said and "y<x+3" in said


def test_a_script_that_is_loaded_shows_all_its_answers(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "script.txt").write_text('def a "n=1";\neval t "$a(1)";\n')
    said = terminal.say("load script.txt;")
    assert "def a: " in said and "eval t: TRUE" in said
    (tmp_path / "script.txt").write_text('def a "n=1";\neval t "$b(1)";\n')
    said = terminal.say("load script.txt;")
    assert "def a: " in said and "script.txt, line 2" in said


# -- help --------------------------------------------------------------------------------------------------


def test_help(terminal: Terminal) -> None:
    assert "help COMMAND" in terminal.say("help")
    said = terminal.say("help union;")
    assert "union NEW OLD ...;" in said and "> union c a b;" in said
    assert "did you mean union?" in terminal.say("help unoin")
    assert "Thue-Morse word" in terminal.say("help T")


# -- completion ----------------------------------------------------------------------------------------------


def test_completion(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "definitions.txt").write_text('def seven "n=7";\n')
    terminal.type("loa\tdef\t")
    terminal.wait("load definitions.txt")
    terminal.say(";")
    terminal.type("$se\t7)\r")
    assert "TRUE" in terminal.wait(NAME)
    terminal.type("?msd_fi\tF\t\t")
    terminal.wait("?msd_fib F")
    terminal.wait("FOLD[")  # in the list of what there is


def test_the_key_lists_what_there_is(terminal: Terminal) -> None:
    terminal.say('def even "Ey n=2*y";')
    terminal.say('def evil "T[n]=@0";')
    terminal.type("$ev\t\t")
    said = terminal.wait("$evil(")
    assert "$even(" in said
    terminal.type("\x15exit\r")
    assert terminal.end() == 0


# -- interrupting --------------------------------------------------------------------------------------------


def test_interrupting_a_computation_loses_nothing(terminal: Terminal) -> None:
    terminal.say('def seven "n=7";')
    terminal.type(f"{HEAVY}\r")
    terminal.wait("states so far")  # the progress line
    assert "interrupted" in terminal.interrupt(NAME)
    assert "TRUE" in terminal.say("$seven(7)")
    terminal.type("\x1b[A\x1b[A")
    terminal.wait(HEAVY)


def test_interrupting_an_entry_keeps_it_in_the_history(terminal: Terminal, tmp_path: Path) -> None:
    terminal.say('def a "n=1', '"> ')
    terminal.type("& m=2")
    terminal.wait("& m=2")
    terminal.interrupt(NAME)
    assert "TRUE" in terminal.say("1=1")
    assert history(tmp_path) == ['def a "n=1 & m=2', "1=1"]


# -- history -------------------------------------------------------------------------------------------------


def test_history_lasts(tmp_path: Path) -> None:
    with Terminal(tmp_path) as terminal:
        terminal.wait(NAME)
        terminal.say("x<3")
        terminal.say("x<3")
        terminal.say('eval "x=1', '"> ')
        terminal.say('& y=2";')
        terminal.say("")
        terminal.say("# a remark")
        # Killed: what was typed has been written already.
        terminal.process.kill()
    assert history(tmp_path) == ["x<3", 'eval "x=1 & y=2";', "# a remark"]
    file = tmp_path / "state" / "fibprover" / "history"
    assert file.stat().st_mode & 0o077 == 0
    with Terminal(tmp_path) as terminal:
        terminal.wait(NAME)
        terminal.type("\x1b[A\x1b[A\x1b[A\r")
        assert "0, 1, 2" in terminal.wait(NAME)


@pytest.mark.parametrize("kind", ["folder is a file", "file is a folder", "no home"])
def test_no_history_is_no_problem(tmp_path: Path, kind: str) -> None:
    environment = {}
    match kind:
        case "folder is a file":
            (tmp_path / "state").write_text("")
        case "file is a folder":
            (tmp_path / "state" / "fibprover" / "history").mkdir(parents=True)
        case _:
            environment = {"XDG_STATE_HOME": "relative", "HOME": "/nonexistent"}
    with Terminal(tmp_path, environment=environment) as terminal:
        terminal.wait(NAME)
        terminal.say("x<3")
        terminal.type("\x1b[A\r")
        assert "0, 1, 2" in terminal.wait(NAME)
        terminal.type("exit\r")
        assert terminal.end() == 0
    assert "rror" not in terminal.plain()


# -- no terminal ---------------------------------------------------------------------------------------------


@pytest.mark.long
def test_without_a_terminal_a_script_is_read() -> None:
    said = finished(started(stdin=-1), 'def a "n=1";\neval t "$a(1)";\n')
    assert (said.status, said.err) == (0, "")
    assert said.out.splitlines()[-1] == "eval t: TRUE"
    assert finished(started(stdin=-1), 'eval t "1=2";').status == 1
    assert finished(started(stdin=-1), "").status == 0


def test_an_entry_that_is_too_long_costs_nothing() -> None:
    """Four million characters were looked at for eleven seconds before the limits of the entry began."""
    entry = 'def p "?msd_fib ' + " & ".join(["$pal_F(x,n)"] * 280_000) + '";\n'
    process = started("prompt", "--cpu-timeout", "0.5", "--max-memory", "200M", stdin=subprocess.PIPE)
    said = finished(process, entry + "Ex x>3\n")
    assert "more than 65,536 characters" in said.err and "TRUE" in said.out
    assert said.status == 0


@pytest.mark.long
def test_an_entry_of_many_lines_has_its_limit() -> None:
    """Where it ends was looked for after each line, in all lines: 18 s for 2,000 of them with a limit of 0.5 s."""
    spent = "reading an entry of many lines"
    for first, line, last in (('def p "?msd_fib x=1', " | x=1", '";'), ("x=1 & (", "x=2 | (", "")):
        text = "\n".join([first, *[line] * 700, last, "", "Ex x>3", ""])
        said = finished(started("prompt", "--cpu-timeout", "0.3", stdin=subprocess.PIPE), text)
        # In quotes there is nothing to look for; between brackets the limit ends what grows with the square.
        assert (spent in said.err) == (last == "") and said.status == 0


def test_the_prompt_reads_a_pipe_as_well() -> None:
    typed = 'x<3\n1=\n1\ndef odd\n\n"~Ey x=2*y"\n\n$odd(3) & $odd(5)\nmacro m "\n\n1=0";\n#m()\nexit\n'
    said = finished(started("prompt", stdin=-1), typed)
    assert (said.status, said.err) == (0, "")
    assert "  0, 1, 2\n" in said.out and said.out.count("TRUE") == 2
    # An empty line ends a command that lacks its terminator alone, but not one that lacks a part, nor a text in quotes.
    assert "1, 3, 5" in said.out and said.out.count("FALSE") == 1


# -- anything at all -----------------------------------------------------------------------------------------

_PIECES = (
    "eval", "def", "reg", "union", "word", "help", "combine", "load", "macro", "[strategy", "cls", "a", "T", "$a",
    "x=1", '"', ";",
    ":", "::", "(", ")", "[n]", "=", "<", "&", "Ex", "?msd_fib", "{0,1}", "#", "\n", "@1", "-", "3", "%0", "if", "else",
    "0->01",
)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(_PIECES), max_size=9))
def test_anything_is_answered_cleanly(capsys: pytest.CaptureFixture[str], pieces: list[str]) -> None:
    session = Session(limits=Limits(states=5000))
    session.define("a", "n<4")
    arguments = parser(["prompt"]).parse_args(["prompt"])
    prompt = Prompt(session, arguments, ask=lambda shown: "")
    assert prompt.answer(" ".join(pieces)) in (True, False)
    assert "internal error" not in capsys.readouterr().err
    assert session.eval("1=1")
