"""The kernel as Jupyter uses it: a process of its own, messages in and out."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from fibprover.frontends.cli.main import main
from fibprover.frontends.highlighting import FibproverLexer
from fibprover.frontends.notebook.kernel import as_python
from tests.cli.command import HEAVY
from tests.display.html import images, read

_SECONDS = 120


@dataclass
class Reply:
    """What a cell was answered."""

    status: str
    error: str = ""
    texts: list[str] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    printed: str = ""


class Kernel:
    """A running kernel."""

    def __init__(self, manager: KernelManager, client: BlockingKernelClient) -> None:
        self.manager = manager
        self.client = client

    def run(self, *lines: str, interrupt: bool = False) -> Reply:
        """Runs a cell; interrupt: as soon as progress is shown, at the latest when there is an output."""
        reply = Reply("")

        def note(message: dict[str, Any]) -> None:
            content = message["content"]
            match message["msg_type"]:
                case "stream":
                    reply.printed += content["text"]
                case "display_data" | "update_display_data" | "execute_result":
                    reply.texts.append(content["data"]["text/plain"])
                    reply.html.append(content["data"].get("text/html", ""))
                    if interrupt and message["msg_type"] == "display_data":
                        self.manager.interrupt_kernel()
                case "error":
                    reply.error = "\n".join(content["traceback"])

        answer = self.client.execute_interactive("\n".join(lines), timeout=_SECONDS, output_hook=note)
        reply.status = answer["content"]["status"]
        return reply

    def asked(self, kind: str, *arguments: Any) -> dict[str, Any]:
        """The answer to another request."""
        number = getattr(self.client, kind)(*arguments)
        while True:
            message = self.client.get_shell_msg(timeout=_SECONDS)
            if message["parent_header"]["msg_id"] == number:
                content: dict[str, Any] = message["content"]
                return content


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """The kernel, installed by its command and started by its name."""
    folder = tmp_path_factory.mktemp("jupyter")
    settings = {
        "JUPYTER_PATH": str(folder / "share" / "jupyter"), "IPYTHONDIR": str(folder / "ipython"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"), "WALNUT_HOME": str(folder),
    }
    with pytest.MonkeyPatch.context() as patched:
        for name, value in settings.items():
            patched.setenv(name, value)
        ours = str(Path(__file__).parents[2])
        patched.setenv("PYTHONPATH", os.pathsep.join([ours, os.environ.get("PYTHONPATH", "")]))
        assert main(["kernel", "install", "--prefix", str(folder)]) == 0
        manager = KernelManager(kernel_name="fibprover")
        with (folder / "log").open("w") as log:
            manager.start_kernel(stdout=log, stderr=log)
            client = manager.client()
            client.start_channels()
            try:
                client.wait_for_ready(timeout=_SECONDS)
                yield Kernel(manager, client)
            finally:
                client.stop_channels()
                manager.shutdown_kernel(now=True)
                with contextlib.suppress(AttributeError):
                    manager.context.destroy()


def test_a_notebook_of_the_walnut_kernel(kernel: Kernel) -> None:
    first = kernel.run("# the words have no overlaps", 'eval overlap "Ei,n n>=1 & Aj j<=n => T[i+j]=T[i+j+n]":')
    assert (first.status, first.texts) == ("ok", ["eval overlap: FALSE"])
    second = kernel.run(
        'def even "Ek n=2*k"; def odd "Ek n=2*k+1";', "%showme even",
        'eval sum "Am,n ($odd(m) &', '  $odd(n)) => $even(m+n)";',
    )
    assert second.status == "ok"
    assert second.texts[2:] == ["the automaton even: 2 states, 4 transitions, over n", "eval sum: TRUE"]
    assert len(images(second.html[2])) == 1
    assert "TRUE" in read(second.html[3]).text
    assert kernel.run('reg power msd_2 "0*10*";', "inf power;", "help eval;").status == "ok"
    assert kernel.run("%showme T").texts == ["the automaton T: 2 states, 4 transitions, over n"]


def test_names_are_kept_in_the_folder_of_walnut(kernel: Kernel) -> None:
    kernel.run('def stays "x<3";', 'eval count n "i<n":')
    listing = "print(sorted(os.listdir(session.namespace.folders.home / 'Automata Library')))"
    found = kernel.run("%%python", "import os", listing)
    assert "'stays.txt'" in found.printed
    (text,) = kernel.run("%%fibprover --reset", "Ex $stays(x)").texts
    assert text.startswith("TRUE") and text.endswith("x = 0")


def test_errors(kernel: Kernel) -> None:
    reply = kernel.run('def good "x=1";', 'eval bad "Ax $god(x)";')
    assert reply.status == "error"
    message, text, caret, hint = reply.error.splitlines()
    assert message.startswith("UnknownName: line 2: ") and "good" in hint
    assert text[caret.index("^") : caret.rindex("^") + 1] == "$god"
    (text,) = kernel.run("Ex $good(x)").texts
    assert text.startswith("TRUE") and text.endswith("x = 1")


def test_an_interruption(kernel: Kernel) -> None:
    kernel.run('def kept "x=1";')
    reply = kernel.run(f'eval heavy "{HEAVY}";', interrupt=True)
    assert reply.status == "error"
    assert reply.error.startswith("interrupted") and "\n" not in reply.error
    assert "a linear atom: " in reply.texts[0]
    assert reply.texts[0].startswith("eval heavy \u00b7 ")
    assert "states so far" not in reply.texts[-1]
    assert kernel.run("Ex $kept(x)").status == "ok"


def test_python_cells(kernel: Kernel) -> None:
    kernel.run('def low "x<3";')
    reply = kernel.run("%%python", "print(session.relation('$low(x)').values(5))", "session.prove('Ex $low(x)')")
    assert reply.printed == "[0, 1, 2]\n"
    (text,) = reply.texts
    assert text.startswith("TRUE") and text.endswith("x = 0")
    assert "TRUE" in read(reply.html[0]).text
    assert "NameError" in kernel.run("%%python", "nothing").error


def test_other_magics(kernel: Kernel, tmp_path: Path) -> None:
    assert kernel.run(f"%%file {tmp_path / 'notes.txt'}", "hello").status == "ok"
    assert (tmp_path / "notes.txt").read_text() == "hello\n"
    assert kernel.run("!echo hello", "%pwd").printed.split() == ["hello"]


def test_completion(kernel: Kernel) -> None:
    kernel.run('def lowest "x<1";')
    cell = 'eval t "$lowe'
    assert kernel.asked("complete", cell, len(cell)) == {
        "matches": ["$lowest("], "cursor_start": 8, "cursor_end": 13, "metadata": {}, "status": "ok"
    }
    cell = "%%python\nsession.define_mor"
    found = kernel.asked("complete", cell, len(cell))
    assert cell[: found["cursor_start"]] + found["matches"][0] == "%%python\nsession.define_morphic_word"


def test_inspection(kernel: Kernel) -> None:
    kernel.run('def lowest "x<1";')
    found = kernel.asked("inspect", 'eval t "$lowest(x)";', 10)
    assert found["data"]["text/plain"] == "$lowest(x): 1 state\n  x<1"
    assert not kernel.asked("inspect", "   ", 1)["found"]
    assert kernel.asked("inspect", "%%python\nsession", 12)["found"]


def test_what_is_complete(kernel: Kernel) -> None:
    assert kernel.asked("is_complete", 'eval t "x=')["status"] == "incomplete"
    assert kernel.asked("is_complete", 'eval t "x=1";')["status"] == "complete"


def test_what_the_kernel_is(kernel: Kernel) -> None:
    said = kernel.asked("kernel_info")
    assert said["implementation"] == "fibprover"
    assert said["language_info"]["name"] == "walnut"
    assert said["language_info"]["pygments_lexer"] in FibproverLexer.aliases


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("Ax x=x", "%%fibprover\nAx x=x"), ("%%python\nx = 1\ny = 2", "x = 1\ny = 2"), ("%%file f\nx", "%%file f\nx"),
        ("%showme f", "%%fibprover\n%showme f"), ("%%fibprover --reset\nAx x=x", "%%fibprover --reset\nAx x=x"),
        ("  ", "  "), ("%%python -x\n1", "%%python -x\n1"),
    ],
)
def test_cells_as_python(cell: str, python: str) -> None:
    assert as_python(cell) == python
