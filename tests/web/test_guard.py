"""What the server of `fibprover web` refuses: the attacks that docs/trust.md lists."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from fibprover.frontends.web.guard import Guard
from tests.web.asking import HOST, PORT, TOKEN, Answered, asked


async def _inner(scope: Any, receive: Any, send: Any) -> None:
    """Says which path came through, and how long its body was."""
    size, more = 0, True
    while more:
        message = await receive()
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": f"{scope['path']} {size}".encode()})


GUARD = Guard(_inner, PORT, TOKEN, most_body=1000)


def request(method: str = "POST", path: str = f"/{TOKEN}/run", body: object = None, **given: Any) -> Answered:
    return asyncio.run(asked(GUARD, method, path, {} if body is None and method != "GET" else body, **given))


def test_what_comes_from_the_page_is_answered() -> None:
    assert request().body == b"/run 2"
    assert request("GET", f"/{TOKEN}/", origin=None).body == b"/ 0"
    assert request(host=f"localhost:{PORT}", origin=f"http://localhost:{PORT}").status == 200


def test_browsers_leave_out_port_80() -> None:
    guard = Guard(_inner, 80, TOKEN)
    for host in ("127.0.0.1", "localhost:80"):
        body = asyncio.run(asked(guard, "POST", f"/{TOKEN}/run", {}, host=host, origin=f"http://{host}")).body
        assert body == b"/run 2"
    assert asyncio.run(asked(guard, "GET", f"/{TOKEN}/", host="evil.example", origin=None)).status == 421


@pytest.mark.parametrize(
    "path",
    [
        "/", "", "/run", "//run", f"/{TOKEN}", f"/{TOKEN[:-1]}/run", f"/{TOKEN}x/run", f"/{TOKEN.upper()}/", "/%2e/run",
        "/é/run",
    ],
)
def test_without_the_token_nothing_is_answered(path: str) -> None:
    answer = request("GET", path, origin=None)
    assert answer.status == 404 and TOKEN.encode() not in answer.body
    assert request("POST", path).status == 404


@pytest.mark.parametrize(
    "host",
    [
        None, "evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1:{PORT}.evil.example",
        f"0.0.0.0:{PORT}",
    ],
)
def test_another_name_of_the_host_is_refused(host: str | None) -> None:
    """A foreign name may lead to this machine: then the browser takes a foreign page for one of this server."""
    assert request(host=host, origin=f"http://{host}").status == 421
    assert request("GET", f"/{TOKEN}/", host=host, origin=None).status == 421


def test_two_hosts_are_refused() -> None:
    assert request(headers=[("host", "evil.example")]).status == 421


@pytest.mark.parametrize(
    "origin", ["null", "http://evil.example", f"https://{HOST}", "http://127.0.0.1:1", f"http://localhost:{PORT}", ""]
)
def test_a_request_of_another_page_is_refused(origin: str) -> None:
    assert request(origin=origin).status == 403
    assert request("GET", f"/{TOKEN}/cells", origin=origin).status == 403


def test_a_request_that_changes_something_names_its_page() -> None:
    assert request(origin=None).status == 403
    assert request("PUT", origin=None).status == 403
    assert request(headers=[("origin", f"http://{HOST}")]).status == 403  # twice


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_forms_are_refused(kind: str) -> None:
    """A foreign page may send them without being asked by the browser."""
    assert request(kind=kind).status == 415


def test_a_body_that_is_too_large_is_refused() -> None:
    assert request(raw=[b"x" * 1001]).status == 413
    assert request(raw=[b"x" * 500] * 3).status == 413  # in pieces, without a Content-Length
    assert request(raw=[b"x" * 500] * 2).body == b"/run 1000"
    for length in ("1001", "9" * 30, "-1", "x", ""):
        assert request(headers=[("content-length", length)]).status == 413


def test_every_answer_says_what_it_may_load() -> None:
    for answer in (request(), request("GET", "/")):
        policy = dict(part.split(None, 1) for part in answer.headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'none'" and policy["script-src"] == "'self'"
        assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"  # the address has the token
        assert "access-control-allow-origin" not in answer.headers


def test_other_protocols_get_no_answer() -> None:
    async def connected() -> list[Any]:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> dict[str, Any]:
            return {"type": "websocket.connect"}

        await GUARD({"type": "websocket", "path": f"/{TOKEN}/run", "headers": []}, receive, send)
        return sent

    assert asyncio.run(connected()) == []
