"""`fibprover serve --stdio`: the tools, and the protocol as a client sees it."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

import fibprover as fp
from fibprover.frontends.cli.serve import MOST_OF_A_REQUEST, Requests
from fibprover.frontends.cli.tools import Tools
from tests.cli.command import answer

Json = dict[str, Any]


@pytest.fixture
def tools() -> Tools:
    return Tools(fp.Session(), fp.Limits(seconds=20, bytes=16 << 30))


def test_a_request_that_is_too_long_becomes_one_for_no_method() -> None:
    short, last = b'{"id": 1}\n', b'{"id": 4}'
    lines = [short, b'{"jsonrpc": "2.0", "id": 2, "text": "' + 90 * b"x" + b'"}\n', b"y" * 200 + b'"id": 3\n']
    lines[2] = b"y" * 2000 + lines[2] + 2000 * b"y" + b"\n"
    for sizes in (1, 7, 4096):
        read = io.BufferedReader(Requests(io.BytesIO(b"".join([*lines, short, last])), most=60), buffer_size=sizes)
        found = read.readlines()
        assert found[0] == found[2] == short and found[3] == last and len(found) == 4
        assert json.loads(found[1])["id"] == 2 and "60" in json.loads(found[1])["method"]


@pytest.mark.parametrize(("request_", "number"), [
    ('{"method": "m", "params": {"id": 9, "x": "%s"}, "id": 5}', 5), ('{"id": -7, "params": {"x": "%s"}}', -7),
    ('{"id": "a", "params": {"x": "%s"}}', "a"), ('{"id": 1.5, "params": {"x": "%s"}}', None),
    ('{"params": {"id": 9, "x": "%s"}}', None),
])
def test_the_number_of_a_request_that_is_too_long(request_: str, number: int | str | None) -> None:
    long = (request_ % (3000 * "x")).encode() + b"\n"
    found = io.BufferedReader(Requests(io.BytesIO(long), most=60)).readlines()
    assert [json.loads(each)["id"] for each in found] == ([] if number is None else [number])


# -- tools -----------------------------------------------------------------------------------------------


def test_verdicts_have_evidence(tools: Tools) -> None:
    found = tools.decide("?msd_fib Ex,y x>2 & x<y & x+y=8")
    assert found["verdict"] is True and found["evidence"]["values"] == {"x": 3, "y": 5}
    refuted = tools.decide("Ax Ey x=2*y")
    assert refuted["verdict"] is False and refuted["evidence"]["values"] == {"x": 1}


def test_relations_are_listed_as_far_as_requested(tools: Tools) -> None:
    found = tools.decide("Ey x=7*y", first=3)
    assert (found["names"], found["finite"], found["first"]) == (["x"], False, [[0], [7], [14]])
    assert tools.decide("x<3", first=-1)["first"] == []
    assert len(tools.decide("x<3", first=10**30)["first"]) == 3


def test_a_system_may_be_named_beside_the_formula(tools: Tools) -> None:
    assert tools.decide("x+y=4 & x<y", system="lsd_fib")["systems"] == ["lsd_fib", "lsd_fib"]
    assert tools.decide("x<3", system="msd_nothing")["error"] == "UnknownSystemError"


def test_errors_are_answers_with_the_place(tools: Tools) -> None:
    found = tools.decide("Ex x*x=2")
    assert found["kind"] == "error" and found["text"][found["start"] : found["end"]]
    assert tools.decide("Ex x=2")["verdict"] is True


def test_definitions_last(tools: Tools) -> None:
    done = tools.define('def even "Ey n=2*y"; macro next "%0=%1+1"; eval t "Ax $even(x)"; describe $even;')
    assert done["kind"] == "done" and [each["kind"] for each in done["results"]] == [
        "relation", "done", "verdict", "answer",
    ]
    assert tools.decide("Ex,y $even(x) & #next(x,y) & $even(y)")["verdict"] is False


def test_definitions_end_at_the_first_error(tools: Tools) -> None:
    done = tools.define('def even "Ey n=2*y"; def odd "~$evn(n)"; def third "n=3";')
    assert done["kind"] == "error" and [each["name"] for each in done["results"]] == ["even"]
    assert tools.decide("$third(3)")["kind"] == "error"


@pytest.mark.parametrize("command", ["load secret.txt;", "export $even GV;", '[export * BA]eval t "1=1"::'])
def test_files_are_left_alone(
    tools: Tools, command: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.txt").write_text('def secret "n=3";')
    done = tools.define(f'def even "Ey n=2*y"; {command}')
    assert done["error"] == "NotSupported" and len(done["results"]) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["secret.txt"]


def test_calls_end_by_their_limits(tools: Tools) -> None:
    begun = time.monotonic()
    found = tools.decide("?msd_trib Ex,y,z 255*x+17*y=1001*z & z>3 & At t<x => TR[t]=TR[t+y]", seconds=0.3)
    assert (found["error"], found["resource"], found["limit"]) == ("BudgetSpent", "seconds", 0.3)
    assert time.monotonic() - begun < 10
    assert tools.decide("1=1")["verdict"] is True


def test_a_call_cannot_ask_for_more_than_the_server_allows() -> None:
    found = Tools(fp.Session(), fp.Limits(seconds=0.2)).decide(
        "?msd_trib Ex,y,z 255*x+17*y=1001*z & z>3 & At t<x => TR[t]=TR[t+y]", seconds=1000
    )
    assert found["limit"] == 0.2


def test_games(tools: Tools) -> None:
    found = tools.discover("i=0 | j=0 | i=j")
    assert (found["status"], found["system"]) == ("proved", "msd_fib")
    assert tools.discover("i=0 | j=")["kind"] == "error"


def test_a_recursion_is_solved_and_its_relation_is_kept(tools: Tools) -> None:
    found = tools.solve("g", "?msd_fib (n=0 & v=0) | Em,a,b n=m+1 & $g(m,a) & $g(a,b) & v+b=n")
    assert found["kind"] == "answer" and "the only relation" in found["text"]
    assert tools.decide("?msd_fib $g(8,5)")["verdict"] is True
    numbers = tools.solve("a", "a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+1")
    assert numbers["kind"] == "sequences" and numbers["names"] == ["a"]
    assert tools.solve("p", "~$p(n)")["kind"] == "error"


def test_the_parts_of_a_formula_are_explained(tools: Tools) -> None:
    found = tools.explain("Ax Ey x=2*y")
    assert found["truth"] is False and "see x = 1" in found["tree"]
    assert tools.explain("Ey x=2*y", {"x": 6})["truth"] is True
    assert tools.explain("Ey x=2*y", {"z": 6})["kind"] == "error"


def test_a_word_is_studied_and_files_are_not(tools: Tools) -> None:
    found = tools.study("0->01, 1->0", only="complexity")
    assert [line["id"] for line in found["lines"]] == ["complexity"] and found["unfinished"] == 0
    assert tools.study("T", only="no-such-line")["kind"] == "error"
    for file in ("words.json", "../T.txt", "/etc/passwd"):
        assert tools.study(file)["error"] == "NotSupported"


def test_a_word_is_inferred(tools: Tools) -> None:
    values = [bin(n).count("1") % 2 for n in range(200)]
    found = tools.infer(values, systems="msd_2")
    assert (found["kind"], found["morphism"], found["system"]) == ("word", [[0, 1], [1, 0]], "msd_2")
    assert tools.infer([0, 1, 1], systems="msd_nothing")["kind"] == "error"


def test_a_certificate_is_checked_without_the_prover(tools: Tools) -> None:
    found = tools.certify("Ax Ey x=2*y")
    assert found["verdict"] is False
    checked = tools.check(found["certificate"])
    assert checked["valid"] is True and any("x" in each for each in checked["proves"])
    lines = found["certificate"].splitlines(keepends=True)
    spoiled = tools.check("".join([*lines[:-1], lines[-1].replace("2*y", "3*y")]))
    assert spoiled["kind"] == "error" or spoiled["valid"] is False
    assert tools.check("no certificate")["kind"] == "error"
    assert tools.certify("x=2")["kind"] == "error"


# -- the protocol ----------------------------------------------------------------------------------------


class Client:
    """A program that uses the tools: JSON-RPC, a message a line."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fibprover", "serve", "--stdio", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        self.number = 0

    def begin(self) -> None:
        """Exchanges what comes before all calls."""
        about = {"name": "test", "version": "0"}
        self.request("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=about)
        self.send({"method": "notifications/initialized"})

    def request(self, method: str, **parameters: Any) -> Json:
        """Returns the result of a request."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": parameters})
        assert self.process.stdout is not None
        while True:
            message: Json = json.loads(self.process.stdout.readline())
            if message.get("id") == self.number:
                return message

    def send(self, message: Json) -> None:
        """Sends a message."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0"} | message) + "\n")
        self.process.stdin.flush()

    def call(self, tool: str, **arguments: Any) -> Json:
        """Returns the object that a tool answers."""
        result = self.request("tools/call", name=tool, arguments=arguments)["result"]
        assert not result.get("isError"), result
        found: Json = result["structuredContent"]
        assert json.loads(result["content"][0]["text"]) == found
        return found


@pytest.fixture
def client() -> Iterator[Client]:
    if find_spec("mcp") is None:
        pytest.skip("mcp is not installed (make test-server)")
    made = Client("--system", "msd_fib", "--timeout", "20")
    made.begin()
    with made.process:
        yield made
        assert made.process.stdin is not None
        made.process.stdin.close()
        assert made.process.wait(30) == 0


def test_tools_are_offered_and_answer(client: Client) -> None:
    offered = {tool["name"]: tool for tool in client.request("tools/list")["result"]["tools"]}
    assert set(offered) == {
        "decide", "define", "solve", "explain", "study", "infer", "discover", "certify", "check",
    }
    assert offered["explain"]["inputSchema"]["properties"]["seconds"]["type"] == "number"
    assert all(tool["description"] for tool in offered.values())
    assert offered["decide"]["inputSchema"]["required"] == ["formula"]
    assert client.call("define", commands='def even "Ey n=2*y";')["results"][0]["systems"] == ["msd_fib"]
    found = client.call("decide", formula="Ex $even(x) & x>2")
    assert found["evidence"]["values"] == {"x": 4}
    large = client.call("decide", formula=f"?msd_10 x={10**40}")
    assert large["first"] == [[10**40]]
    wrong = client.request("tools/call", name="decide", arguments={"formula": "Ex ("})["result"]
    assert wrong["isError"] and wrong["structuredContent"]["kind"] == "error"
    assert json.loads(wrong["content"][0]["text"])["start"] == 3
    certificate = client.call("certify", formula="Ax Ey y>x")["certificate"]
    assert client.call("check", certificate=certificate)["valid"] is True
    assert client.call("discover", game="i=0 | j=0")["status"] == "proved"


def test_a_call_with_wrong_arguments_is_an_error_of_the_protocol(client: Client) -> None:
    said = client.request("tools/call", name="decide", arguments={"seconds": 1})
    assert "error" in said or said["result"]["isError"]


LONG = "?msd_trib Ex,y,z 255*x+17*y=1001*z & z>3 & At t<x => TR[t]=TR[t+y]"


def test_a_request_that_is_too_long_is_answered_by_an_error(client: Client) -> None:
    formula = "1=1" + MOST_OF_A_REQUEST * " "
    refused = client.request("tools/call", name="decide", arguments={"formula": formula})
    assert "error" in refused
    assert client.call("decide", formula=formula[: MOST_OF_A_REQUEST // 2])["verdict"] is True


def test_a_cancelled_call_ends_and_one_that_waits_never_begins(client: Client) -> None:
    begun = time.monotonic()
    call = {"name": "decide", "arguments": {"formula": LONG}}
    for number in (101, 102):
        client.send({"id": number, "method": "tools/call", "params": call})
    time.sleep(0.5)
    for number in (102, 101):
        client.send({"method": "notifications/cancelled", "params": {"requestId": number}})
    assert client.call("decide", formula="1=1")["verdict"] is True
    assert time.monotonic() - begun < 15


@pytest.mark.skipif(find_spec("mcp") is None, reason="mcp is not installed (make test-server)")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (None, 0)])
def test_the_server_ends_within_a_call(number: int | None, status: int) -> None:
    client = Client()
    client.begin()
    with client.process as process:
        client.send({"id": 9, "method": "tools/call", "params": {"name": "decide", "arguments": {"formula": LONG}}})
        time.sleep(0.5)
        if number is not None:
            process.send_signal(number)
        else:
            assert process.stdin is not None
            process.stdin.close()
        assert process.wait(15) == status


def test_without_the_package_the_error_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fibprover.frontends.cli.serve.find_spec", lambda name: None)
    said = answer(capsys, "serve", "--stdio")
    assert said.status == 2 and "fibprover[mcp]" in said.err
