"""The wording of whole answers: what commands print, and what cells of a notebook are answered."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from fibprover.base.errors import FibproverError
from fibprover.frontends.display.progress import Watch
from fibprover.frontends.notebook.conversation import Conversation
from fibprover.workspace.session import Session
from tests.cli.command import answer
from tests.cli.test_eval import ANSWERS
from tests.cli.test_run import SCRIPT
from tests.cli.test_vacuity import FORMULA
from tests.golden import check_golden

FILES = {
    "script.txt": SCRIPT,
    "wrong.txt": 'eval one "Ax x>=0";\n\neval two "Ax $nothing(x)"; eval three "Ax x>=0";',
    "false.txt": 'eval one "Ax x<3"; eval two "Ax x>=0";',
    "small.txt": 'def small "x<5 | x=2"; eval s "En $small(n) & n<2";',
    "questions.txt": 'def a "x<4"; def all "x>=0"; inf a; first_rej all; test a 3;',
}

COMMANDS = [
    *(["eval", *case[0]] for case in ANSWERS),
    ["eval", "--vacuity", FORMULA], ["eval", "--vacuity", "An n<5 => n<9"], ["eval", "Ax x<"],
    ["run", "script.txt", "-n", "1"], ["run", "wrong.txt"], ["run", "false.txt"],
    ["run", "small.txt", "--vacuity-deep", "-n", "0"], ["run", "questions.txt"],
    ["words", "PR", "--prefix", "12"], ["game", "terminal(3)", "--table"],
]

CELLS = [
    'def low "x<3"; eval t "Ax $low(x)"; eval r "$low(x)"; macro m "%0"; word W[n] = T[n+1]; Ax x=x',
    "%showme t", "%showme low", "%showme low limit=2", 'eval t "Ax Ey (x=y => x=5)";', 'eval t\n  "Ax $lwo(x)";',
    "Ex x>=", "help eval;",
]


@pytest.mark.golden
def test_commands(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    shown = []
    for arguments in COMMANDS:
        said = answer(capsys, *arguments)
        shown.append(f"$ fibprover {shlex.join(arguments)}\n{said.out}{said.err}(status {said.status})\n")
    check_golden("commands.txt", "\n".join(shown))


@pytest.mark.golden
def test_cells() -> None:
    conversation = Conversation(Session("msd_fib"))
    shown = []
    for cell in CELLS:
        said = [cell]
        try:
            said += [found.text for found in conversation.answers(cell, Watch())]
        except FibproverError as error:
            said.append(f"{type(error).__name__}: {error}")
        shown.append("\n-> ".join(said) + "\n")
    check_golden("cells.txt", "\n".join(shown))
