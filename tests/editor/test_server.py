"""The language server, as an editor sees it: one process for all tests (make test-server installs pygls)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from fibprover.frontends.cli.lsp import Sessions
from fibprover.frontends.cli.main import complete_parser
from tests.cli.command import answer

Json = dict[str, Any]

SCRIPT = 'def even "Ey x=2*y";\neval all "Ax $even(x) | $even(x+1)";\neval wrong "$even(x,x)";\n'


class Editor:
    """A server on pipes, and what it has said."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fibprover", "lsp", "--timeout", "60"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, cwd=folder,
        )
        self.number, self.notices = 0, list[Json]()

    def send(self, method: str, params: Any, **more: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self) -> Json:
        assert self.process.stdout is not None
        size = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        found: Json = json.loads(self.process.stdout.read(size))
        return found

    def ask(self, method: str, params: Any) -> Any:
        """Return the result of a request; what the server says meanwhile is kept."""
        self.number += 1
        self.send(method, params, id=self.number)
        while True:
            found = self.receive()
            if found.get("id") == self.number and "method" not in found:
                assert "error" not in found, found
                return found["result"]
            self.notices.append(found)

    def open(self, file: Path) -> Json:
        """Open a file; return its diagnostics."""
        uri = file.as_uri()
        item = {"uri": uri, "languageId": "fibprover", "version": 1, "text": file.read_text()}
        self.send("textDocument/didOpen", {"textDocument": item})
        return self.diagnostics(uri)

    def diagnostics(self, uri: str) -> Json:
        """Return the next diagnostics of a document."""
        while True:
            found = self.receive()
            if found.get("method") == "textDocument/publishDiagnostics" and found["params"]["uri"] == uri:
                params: Json = found["params"]
                return params


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    if find_spec("pygls") is None:
        pytest.skip("pygls is not installed (make test-server)")
    made = Editor(tmp_path_factory.mktemp("folder"))
    with made.process:
        made.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        made.send("initialized", {})
        yield made
        made.ask("shutdown", None)
        made.send("exit", None)
        assert made.process.wait(60) == 0


def test_an_editor_is_served(editor: Editor, tmp_path: Path) -> None:
    file = tmp_path / "script.fibprover"
    file.write_text(SCRIPT)
    uri, (found,) = file.as_uri(), editor.open(file)["diagnostics"]
    assert found["range"] == {"start": {"line": 2, "character": 12}, "end": {"line": 2, "character": 22}}
    place = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 16}}
    said = editor.ask("textDocument/hover", place)["contents"]["value"]
    assert "**$even**(x: msd_2)" in said and "0, 2, 4, 6" in said
    (defined,) = editor.ask("textDocument/definition", place)
    assert defined["uri"] == uri and defined["range"]["start"] == {"line": 0, "character": 4}
    offered = {item["textEdit"]["newText"] for item in editor.ask("textDocument/completion", place)["items"]}
    assert "$even(" in offered
    lens = editor.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})[1]["command"]
    assert lens["title"] == "run"
    assert editor.ask("workspace/executeCommand", lens)["verdict"] is True
    assert editor.notices[-1]["params"]["message"] == "eval all: TRUE"
    assert editor.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})[1]["command"]["title"] == "run: TRUE"


def test_a_change_is_read_and_a_file_of_python_is_only_parsed(editor: Editor, tmp_path: Path) -> None:
    file = tmp_path / "file.py"
    file.write_text("import fibprover as fp\nfp.Session().eval('x=')\nopen('made', 'w')\n")
    (found,) = editor.open(file)["diagnostics"]
    assert found["range"]["start"] == {"line": 1, "character": 20}
    where = {"start": {"line": 1, "character": 21}, "end": {"line": 1, "character": 21}}
    changed = {"textDocument": {"uri": file.as_uri(), "version": 2}, "contentChanges": [{"range": where, "text": "1"}]}
    editor.send("textDocument/didChange", changed)
    assert editor.diagnostics(file.as_uri())["diagnostics"] == []
    lens = editor.ask("textDocument/codeLens", {"textDocument": {"uri": file.as_uri()}})[0]["command"]
    assert "1" in editor.ask("workspace/executeCommand", lens)["text"]
    assert not (tmp_path / "made").exists()


def test_sessions_have_what_the_options_load_and_are_new(tmp_path: Path) -> None:
    file = tmp_path / "definitions.txt"
    file.write_text('def even "Ey x=2*y";')
    top = complete_parser()
    make = Sessions(top.parse_args(["lsp", "--load", str(file), "--system", "msd_fib"]))
    one, other = make(""), make("msd_2")
    one.define("odd", "~$even(x)")
    file.unlink()  # it is read once for each system
    again = make("")
    assert "even" in again and "odd" not in again
    assert [each.namespace.default_system for each in (again, other)] == ["msd_fib", "msd_2"]


def test_without_the_package_the_error_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fibprover.frontends.cli.lsp.find_spec", lambda name: None)
    said = answer(capsys, "lsp")
    assert said.status == 2 and "fibprover[lsp]" in said.err
