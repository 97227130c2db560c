"""`fibprover run FILE`: scripts, line by line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import answer, finished, started

SCRIPT = """\
# Fibonacci shift, and what follows
reg shift {0,1} {0,1} "([0,0]|[0,1][1,1]*[1,0])*";
def phin "?msd_fib (s=0 & n=0) | Ex $shift(n-1,x) & s=x+1";
macro twice "%0=2*%1";
eval total "?msd_fib An Es $phin(n,s)":
"""

def headings(out: str) -> list[str]:
    """The first line of what each command was answered."""
    return [line for line in out.splitlines() if not line.startswith(" ")]


def details(out: str) -> list[str]:
    """The lines below these: members, witnesses and counterexamples."""
    return [line.strip() for line in out.splitlines() if line.startswith(" ")]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    file = tmp_path / "script.txt"
    file.write_text(SCRIPT)
    return file


def test_script(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    said = answer(capsys, "run", str(script), "-n", "1")
    assert (said.status, said.err) == (0, "")
    assert headings(said.out) == [
        "reg shift: {x0:{0,1}, x1:{0,1}}: infinite, 2 states", "def phin: {n:msd_fib, s:msd_fib}: infinite, 7 states",
        "macro twice", "eval total: TRUE",
    ]
    assert details(said.out) == ["((), ()), ...", "(0, 0), ..."]


def test_a_false_evaluation_is_status_1_and_the_rest_runs(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    script.write_text('eval one "Ax x<3"; eval two "Ax x>=0";')
    said = answer(capsys, "run", str(script))
    assert (said.status, said.err) == (1, "")
    assert headings(said.out) == ["eval one: FALSE", "eval two: TRUE"]
    assert "x = 3" in said.out


def test_the_first_error_ends_it_with_file_and_line(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    script.write_text('eval one "Ax x>=0";\n\neval two "Ax $nothing(x)"; eval three "Ax x>=0";')
    said = answer(capsys, "run", str(script))
    assert said.status == 2
    assert headings(said.out) == ["eval one: TRUE"]
    message, text, caret, hint = said.err.splitlines()
    assert message.startswith("error: ") and f"{script}, line 3: " in message
    assert text[caret.index("^") : caret.rindex("^") + 1] == "$nothing"
    assert "def nothing" in hint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('eval one "Ax x>=0"', "line 1: "),
        ("def", "line 1: "),
        ("\n\nhelpme;", "line 3: unknown command `helpme`"),
        ('def f m "n=1";', "m is not a free variable of the formula"),
        ('def f "n=1', "line 1: this quote is never closed"),
    ],
)
def test_malformed(capsys: pytest.CaptureFixture[str], script: Path, text: str, message: str) -> None:
    script.write_text(text)
    said = answer(capsys, "run", str(script))
    assert (said.status, said.out) == (2, "")
    assert message in said.err


def test_json_lines(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    script.write_text(SCRIPT + 'eval wrong "Ax x<3"; eval broken "Ax x<";')
    said = answer(capsys, "run", str(script), "--json")
    results = [json.loads(line) for line in said.out.splitlines()]
    assert said.status == 2
    assert [(r["command"], r["name"], r["line"], r["kind"]) for r in results] == [
        ("reg", "shift", 2, "relation"), ("def", "phin", 3, "relation"), ("macro", "twice", 4, "done"),
        ("eval", "total", 5, "verdict"), ("eval", "wrong", 6, "verdict"), ("eval", "broken", 6, "error"),
    ]
    assert results[0]["first"][:2] == [[[], []], [[0], [0]]]
    assert results[0]["systems"] == ["{0,1}", "{0,1}"]
    assert results[4]["evidence"] == {"kind": "counterexample", "values": {"x": 3}, "least": True}
    assert results[5]["start"] > 0


def test_a_script_that_is_loaded_is_answered_as_if_it_stood_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What it says, the warnings about it and its status: FALSE must not be lost because it is in another file."""
    inner, outer = tmp_path / "inner.txt", tmp_path / "outer.txt"
    inner.write_text('def a "x=1";\neval b "Ex $a(x) & x=2";\neval c "Ax Ey (x=y => x=5)";\n')
    outer.write_text(f'load {inner};\neval d "1=1";\n')
    said = answer(capsys, "run", str(outer))
    assert headings(said.out) == [
        "def a: {x:msd_2}: finite, 2 states", "eval b: FALSE", "eval c: TRUE", f"load {inner}: 3 commands",
        "eval d: TRUE",
    ]
    assert said.status == 1
    assert said.err.startswith("warning: ") and f"{inner}, line 3" in said.err
    said = answer(capsys, "run", "--json", str(outer))
    results = [json.loads(line) for line in said.out.splitlines()]
    assert [(r["command"], r.get("verdict")) for r in results] == [
        ("def", None), ("eval", False), ("eval", True), ("load", None), ("eval", True),
    ]
    assert answer(capsys, "run", "--trace", str(outer)).out.count("largest automaton: ") == 4


def test_a_script_that_is_loaded_is_answered_up_to_its_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    inner, outer = tmp_path / "inner.txt", tmp_path / "outer.txt"
    inner.write_text('def a "x=1";\nquit;\n')
    outer.write_text(f"load {inner};\n")
    said = answer(capsys, "run", str(outer))
    assert (said.status, headings(said.out)[1:]) == (0, [f"load {inner}: 1 command"])
    inner.write_text('def a "x=1";\neval b "Ex $nothing(x)";\n')
    said = answer(capsys, "run", str(outer))
    assert (said.status, headings(said.out)) == (2, ["def a: {x:msd_2}: finite, 2 states"])
    assert said.err.startswith(f"error: {outer}, line 1: {inner}, line 2: ")
    said = answer(capsys, "run", "--json", str(outer))
    assert [json.loads(line)["kind"] for line in said.out.splitlines()] == ["relation", "error"]


def test_standard_input(script: Path) -> None:
    with script.open() as stream:
        said = finished(started("run", "-", "-n", "1", stdin=stream))
    assert (said.status, said.err) == (0, "")
    assert said.out.endswith("eval total: TRUE\n")


@pytest.mark.parametrize("content", [None, b"\x7fELF\x00", b"\xff\xfe\x00", b"eval t \"Ax x>=0\x00\";"], ids=range(4))
def test_unreadable(capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "file"
    if content is not None:
        file.write_bytes(content)
    for name in (str(file), str(tmp_path)):
        said = answer(capsys, "run", name)
        assert (said.status, said.out) == (2, "")
        assert said.err.startswith(f"error: {name} ")
        assert "Traceback" not in said.err and said.err.count("\n") <= 2


def test_trace_of_every_command(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    said = answer(capsys, "run", str(script), "--trace")
    assert said.out.count("largest automaton: ") == 2


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_in_any_way(capsys: pytest.CaptureFixture[str], tmp_path: Path, end: str) -> None:
    file = tmp_path / "lines.txt"
    lines = ["# a remark", 'def a "x=1";', "// another", 'eval b "Ex', '$a(x)"; # a third', 'eval c "$d(1)";']
    file.write_bytes(end.join(lines).encode())
    said = answer(capsys, "run", str(file))
    assert headings(said.out) == ["def a: {x:msd_2}: finite, 2 states", "eval b: TRUE"]
    assert said.status == 2
    assert f"{file}, line 6: " in said.err


def test_what_is_about_no_text_names_the_command(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    """A spent budget, a limit or a file have no place in the script; the command has."""
    script.write_text('def a "x<4";\n\neval big "x+2*y=3*z";\ntest a 5;')
    said = answer(capsys, "run", "--max-states", "4", str(script))
    assert said.status == 3
    assert f"\n  in {script}, line 3, eval big\n  hint: raise the limit" in said.err
    timed = answer(capsys, "run", "--timeout", "0.000001", str(script))
    assert f"\n  in {script}, line 1, def a\n" in timed.err
    script.write_text('def a "x<4"; test a 1000001;')
    assert "1000001 words are too many to list\n  in line 1, test a" in answer(capsys, "run", str(script)).err
    script.write_text("load nowhere.txt;")  # alone it needs no name, but a line
    said = answer(capsys, "run", str(script))
    assert said.err.startswith(f"error: {script}, line 1: nowhere.txt cannot be read: ") and said.err.count("\n") == 1


def test_a_file_that_cannot_be_loaded_is_named_with_its_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    inner, outer = tmp_path / "inner.txt", tmp_path / "outer.txt"
    inner.write_text('def a "x=1";\n\nload nowhere.txt;\n')
    outer.write_text(f"# definitions\nload {inner};\n")
    said = answer(capsys, "run", str(outer))
    assert said.status == 2
    assert said.err.startswith(f"error: {outer}, line 2: {inner}, line 3: nowhere.txt cannot be read: ")
    inner.write_text('def a "x=1";\ndef b "x<";\n')
    assert f"{outer}, line 2: {inner}, line 2: `<` is missing" in answer(capsys, "run", str(outer)).err


@pytest.mark.parametrize("second", ['def b "x=2":', '\n\n  eval "x=2";', 'reg b msd_2 "1*";\ndef c "x=1";'])
def test_a_quote_left_open_on_an_earlier_line(capsys: pytest.CaptureFixture[str], script: Path, second: str) -> None:
    script.write_text(f'def a "x=1:\n{second}\ndef d "x=3":')
    said = answer(capsys, "run", str(script))
    assert said.status == 2
    assert said.err == f'error: {script}, line 1: this quote is never closed\n  def a "x=1:\n        ^\n'
    going = answer(capsys, "run", "--keep-going", str(script))
    assert "def d: {x:msd_2}: finite" in going.out and "this quote is never closed" in going.err


def test_a_text_of_several_lines_is_no_open_quote(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    script.write_text('def a "x=1 &\n count=2"\ndef b "x=2":')
    assert "line 2: expected `;`, `:` or `::` after the command `def`" in answer(capsys, "run", str(script)).err


def test_questions_without_an_answer(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    script.write_text('def a "x<4"; def all "x>=0"; def none "x<0"; inf a; first none; first_rej all; macro m "1";')
    assert answer(capsys, "run", str(script)).out.splitlines()[-4:] == [
        "inf a: finitely many words", "first none: no values", "first_rej all: no values", "macro m",
    ]
    objects = [json.loads(line) for line in answer(capsys, "run", "--json", str(script)).out.splitlines()[-4:]]
    assert [(each["kind"], each.get("text")) for each in objects] == [
        ("none", "finitely many words"), ("none", "no values"), ("none", "no values"), ("done", None),
    ]


def going_on(capsys: pytest.CaptureFixture[str], script: Path, text: str) -> tuple[int, list[str], list[str]]:
    """The status, the lines that say what was made, and those that say what went wrong."""
    script.write_text(text)
    said = answer(capsys, "run", "--keep-going", str(script))
    right = [line for line in said.out.splitlines() if not line.startswith(" ")]
    wrong = [line.partition(", ")[2] for line in said.err.splitlines() if line.startswith("error: ")]
    return said.status, right, wrong


def test_a_script_may_go_on_after_errors(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    """It goes on after a command that fails, and after what is no command at the end of the line that ends it."""
    text = (
        'eval a "$nope(x)";\neval b "Ax (x<4";\nfoo 1 2;\neval c "Ex x>2\n & x<9\neval d "Ax x>5";\n'
        'eval e "Ex x>5";\n'
    )
    status, right, wrong = going_on(capsys, script, text)
    assert (status, right) == (2, ["eval e: TRUE"])
    assert wrong == [
        "line 1: no predicate is called nope", "line 2: this `(` is never closed", "line 3: unknown command `foo`",
        "line 4: this quote is never closed",
    ]
    assert answer(capsys, "run", str(script)).out == ""  # without the option nothing goes on


def test_the_word_of_a_system_that_is_not_made_is_none_of_the_library(
    capsys: pytest.CaptureFixture[str], script: Path
) -> None:
    text = 'dumont_thomas t "0->011,1->0001";\neval x "En T[n]=1";\n'
    status, right, wrong = going_on(capsys, script, text)
    assert (status, right) == (2, []) and [each.partition(":")[0] for each in wrong] == ["line 1", "line 2"]
    text = 'promote W h;\ndumont_thomas w "0->01,1->0" 8;\neval x "?msd_w En W[n]=1";\n'
    status, right, wrong = going_on(capsys, script, text)
    assert right[-1] == "eval x: TRUE" and len(wrong) == 1


def test_statuses_of_scripts_that_go_on(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    assert going_on(capsys, script, 'eval a "Ax x>5"; eval b "Ex x>5";')[0] == 1
    script.write_text('eval a "Ex,y x+2*y=3*z & z>5"; eval b "Ex x=x"; eval c "$f(x)";')
    assert answer(capsys, "run", "--keep-going", "--max-states", "3", str(script)).status == 3
    late = answer(capsys, "run", "--keep-going", "--timeout", "0.000001", str(script))
    assert (late.status, late.err.count("budget spent")) == (3, 1)


def test_what_was_not_made_is_not_what_it_was_before(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    """An older meaning of the name would answer another question; a variable may be called so."""
    text = (
        'def f "x<4";\nmacro m "$f(%0)";\ndef f "x<$";\neval a "Ex $f(x)";\neval b "Ex #m(x)";\neval c "Ef f>3";\n'
        'union g f f;\ninf f;\ndef f "x<9";\neval d "Ex #m(x)";\npromote T nothing;\neval e "Ex T[x]=@1";\n'
        'eval g "Ex ?msd_T x=1";\n'
    )
    status, right, wrong = going_on(capsys, script, text)
    assert status == 2
    assert [line.partition(":")[0] for line in right] == ["def f", "macro m", "eval c", "def f", "eval d"]
    assert [line for line in wrong if "is undefined because" in line] == [
        *(f"line {line}: f is undefined because line 3 failed" for line in (4, 5, 7, 8)),
        *(f"line {line}: T is undefined because line 11 failed" for line in (12, 13)),
    ]


def test_nor_what_could_not_be_read(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    text = (
        'def f "x<4"; def h "x<2";\ndef f "x<9\ndef q "x<9";\neval a "Ex $f(x)";\neval b "Ex $q(x)";\n'
        'eval c "Ex $h(x)";\n'
    )
    status, right, wrong = going_on(capsys, script, text)
    assert (status, right[2:]) == (2, ["eval c: TRUE"])
    assert wrong[1:] == [
        "line 4: f is undefined because line 2 failed", "line 5: q is undefined because line 3 failed",
    ]


def test_a_script_ends_where_what_it_loads_fails(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    """What would have been made there is not known, and has older meanings."""
    (script.parent / "more.txt").write_text('def f "x<9 & $nope(x)";')
    text = f'def f "x<4";\nload "{script.parent}/more.txt";\neval a "Ax $f(x) => x<4";'
    status, right, _ = going_on(capsys, script, text)
    assert (status, right) == (2, ["def f: {x:msd_2}: finite, 3 states"])
    text = 'def f "x<4";\nload more.txt and more;\neval a "Ax $f(x) => x<4";'
    status, right, _ = going_on(capsys, script, text)
    assert (status, right) == (2, ["def f: {x:msd_2}: finite, 3 states"])


def test_numeration_systems_that_were_not_made(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    text = (
        'ost s [0 2] [1];\nost s [0 3] [1 oops];\nreg r msd_s "0*1";\neval a "?lsd_s Ex x=1";\n'
        'eval b "?msds Ex x=1";\nconvert Y lsd_s T;\neval c "Es s=1";\n'
    )
    status, right, wrong = going_on(capsys, script, text)
    assert (status, right) == (2, ["ost s: msd_s", "eval c: TRUE"])
    assert wrong[1:] == [f"line {line}: s is undefined because line 2 failed" for line in (3, 4, 5, 6)]


@pytest.mark.parametrize("failed", [
    'def foo "n=1 & $nosuch(n)"; eval foo "1=1";', 'def\n foo "n=1" garbage;\n', 'dfe foo "n=1";',
    "convert $foo msd_4 nothing;", 'inf nosuch; then def foo "n=1" garbage;\n',
])
@pytest.mark.parametrize("formula", ["$foo(0)", "#app(foo,0)", "$#pick()(0)"])
def test_no_failure_leaves_the_older_meaning(
    capsys: pytest.CaptureFixture[str], script: Path, failed: str, formula: str
) -> None:
    begun = 'macro app "$%0(%1)"; macro pick "foo"; def foo "n=0"; eval foo "2=1";\n'
    assert going_on(capsys, script, f'{begun}eval t "{formula}";')[1][-1] == "eval t: TRUE"
    status, right, wrong = going_on(capsys, script, f'{begun}{failed}\neval t "{formula}";')
    assert status == 2 and "eval t: TRUE" not in right and "foo is undefined because line 2 failed" in wrong[-1]
    status, right, _ = going_on(capsys, script, f'{begun}{failed}\ndef foo "n<2"; eval t "{formula}";')
    assert (status, right[-1]) == (2, "eval t: TRUE")


def test_a_failed_eval_defines_nothing_without_folders(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    status, right, wrong = going_on(capsys, script, 'def foo "n=0"; eval foo "$nosuch(1)"; eval t "$foo(0)";')
    assert (status, right[-1], len(wrong)) == (2, "eval t: TRUE", 1)


def test_a_script_ends_at_a_misspelled_load(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    """It could have defined any name."""
    status, right, _ = going_on(capsys, script, 'def foo "n=0"; laod more.txt; eval t "$foo(0)";')
    assert (status, len(right)) == (2, 1)


def test_a_file_that_is_loaded_after_a_failure_uses_no_older_meaning(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    inner, outer = tmp_path / "inner.txt", tmp_path / "outer.txt"
    inner.write_text('def g "$foo(n)";\n')
    outer.write_text(f'def foo "n=0";\ndef foo "n=1 & $nosuch(n)";\nload {inner};\neval t "$g(0)";\n')
    said = answer(capsys, "run", "--keep-going", str(outer))
    assert said.status == 2 and "TRUE" not in said.out
    assert "foo" in said.err and "line 2 failed" in said.err


@pytest.mark.long
def test_numbers_of_any_size_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Also those of more digits than Python writes by itself."""
    file = tmp_path / "long.txt"
    file.write_text(f'reg r msd_2 "{"01" * 7500}"; eval e "Ex $r(x)";')
    number = int("01" * 7500, 2)
    shown = answer(capsys, "run", str(file))
    assert shown.status == 0 and shown.out.count(digits_of(number)) == 2
    row = answer(capsys, "run", "--json", str(file)).out.splitlines()[0]
    assert digits_of(number) in row


def digits_of(number: int) -> str:
    """The decimal digits, piece by piece."""
    pieces = []
    while number:
        number, piece = divmod(number, 10**1000)
        pieces.append(f"{piece:01000d}")
    return "".join(reversed(pieces)).lstrip("0")
