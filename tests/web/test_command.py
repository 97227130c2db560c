"""`fibprover web` as a program: its address, its port, what it says and how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from fibprover.base.errors import FibproverError
from fibprover.frontends.cli.main import main
from fibprover.frontends.cli.web import _hanging_up, _listening, _opened

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Starts the program; yields it and its address."""
    pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'fibprover[web]'")
    command = [sys.executable, "-m", "fibprover", "web", "--no-open", "--port", "0", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        try:
            address = re.search(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", program.stdout.readline())
            assert address is not None
            yield program, address[0]
        finally:
            program.kill()


def sent(address: str, path: str, body: object) -> Any:
    """Opens an answer of the server, as its page would."""
    headers = {"content-type": "application/json", "origin": address.rsplit("/", 2)[0]}
    request = urllib.request.Request(address + path, json.dumps(body).encode(), headers)
    return urllib.request.urlopen(request, timeout=60)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_it_answers_until_ctrl_c_also_within_a_cell(tmp_path: Path) -> None:
    with serving(str(tmp_path / "new")) as (program, address):
        with sent(address, "run", {"kind": "commands", "text": 'def even "Ey n=2*y";\nAn $even(2*n)'}) as answer:
            events = [json.loads(line) for line in answer]
        assert [event["text"] for event in events if event["kind"] == "answer"][1] == "TRUE"
        assert (tmp_path / "new" / "Automata Library" / "even.txt").is_file()
        endless = {"kind": "commands", "text": "?msd_fib Ex,y,z 1234567*x+7654321*y=1001001*z & z>x & x>y"}
        with sent(address, "run", endless) as answer:
            assert json.loads(answer.readline()) == {"kind": "begun"}
            os.kill(program.pid, signal.SIGINT)
            said, problems = program.communicate(timeout=60)
        assert program.returncode == 130
        assert "Traceback" not in said + problems
    with _listening(int(address.split(":")[2].split("/")[0])):
        pass  # the port is given back


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals")
def test_a_terminal_that_is_closed_ends_the_server() -> None:
    arrived: list[int] = []
    before = signal.signal(signal.SIGHUP, lambda number, frame: arrived.append(-number))
    try:
        with _hanging_up(lambda number, frame: arrived.append(number)):
            signal.raise_signal(signal.SIGHUP)
            signal.raise_signal(signal.SIGHUP)  # as uvicorn does at its end
            assert arrived == [signal.SIGHUP]
        assert arrived == [signal.SIGHUP, -signal.SIGHUP]
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_port_that_is_taken_is_an_error() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(FibproverError) as problem, _listening(port):
            pass
    assert str(port) in str(problem.value) and "--port 0" in problem.value.hint


def test_without_a_port_another_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr("fibprover.frontends.cli.web.PORT", port)
        with _listening(None) as opened:
            assert opened.getsockname()[0] == "127.0.0.1" and opened.getsockname()[1] != port


@pytest.mark.parametrize("port", ["-1", "65536", "x", "99999999999999999999", "²", ""])
def test_a_wrong_port_is_said(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["web", "--port", port])
    assert ended.value.code == 2 and "is not a port" in capsys.readouterr().err


def test_the_browser_gets_the_address_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others on the machine may see the arguments of programs."""
    asked: SimpleQueue[str] = SimpleQueue()
    monkeypatch.setattr("webbrowser.open", asked.put)
    with _opened("http://127.0.0.1:1/token/"):
        file = asked.get(timeout=60)
        path = Path(file.removeprefix("file://"))
        assert "token" not in file and "url=http://127.0.0.1:1/token/" in path.read_text()
        assert not path.parent.stat().st_mode & 0o077
    assert not path.exists()


@pytest.mark.long
def test_a_wrong_file_is_said_before_there_is_an_address(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'fibprover[web]'")
    command = [sys.executable, "-m", "fibprover", "web", "--no-open", "--port", "0", "--load", str(tmp_path / "none")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2 and "http" not in done.stdout
    assert "none" in done.stderr and "Traceback" not in done.stderr
