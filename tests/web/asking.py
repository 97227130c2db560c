"""Requests to the server of `fibprover web`, without a socket: ASGI messages, as a server would send them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from fibprover.frontends.web.guard import App

PORT, TOKEN = 8137, "a-token-of-this-server"

HOST = f"127.0.0.1:{PORT}"


@dataclass
class Answered:
    """An answer: its status, headers and body."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def events(self) -> list[dict[str, Any]]:
        """The lines of JSON."""
        return [json.loads(line) for line in self.body.decode().splitlines()]

    @property
    def value(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


async def asked(
    app: App, method: str, path: str, body: object = None, *, host: str | None = HOST, origin: str | None = f"http://{HOST}",
    headers: Sequence[tuple[str, str]] = (), raw: Sequence[bytes] | None = None, kind: str = "application/json",
    gone: asyncio.Event | None = None,
) -> Answered:
    """Ask an application; raw: the pieces of the body, instead of JSON; gone: set when the page goes away."""
    pieces = list(raw) if raw is not None else [b"" if body is None else json.dumps(body).encode()]
    sent = [(b"host", host.encode())] if host is not None else []
    sent += [(b"origin", origin.encode())] if origin is not None else []
    if method not in ("GET", "HEAD"):
        sent.append((b"content-type", kind.encode()))
    sent += [(name.encode(), value.encode()) for name, value in headers]
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": path,
        "raw_path": path.encode(), "root_path": "", "scheme": "http", "query_string": b"", "headers": sent,
        "client": ("127.0.0.1", 50000), "server": ("127.0.0.1", PORT),
    }
    answer, ended = Answered(), gone or asyncio.Event()

    async def receive() -> dict[str, Any]:
        if pieces:
            return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}
        await ended.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            answer.body += message.get("body", b"")
            if not message.get("more_body", False):
                ended.set()

    await app(scope, receive, send)
    return answer
