"""What is asked of each request before the server answers it: the address, the token, where it comes from, its size.

Any page that the user opens in a browser may send requests to addresses of this machine.  So a request has to name this
server as its host (else a foreign name could lead here), has to come from a page of this server (`Origin`), and has to
know the token, which is new each time the server is started.  The rest is in docs/trust.md.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

#: The names of this machine that an address may have.
HOSTS = ("127.0.0.1", "localhost")

#: The most bytes of the body of a request.  One that keeps cells also holds the earlier ones: each are at most
#: `saved.MOST` bytes.
MOST_BODY = 9 << 20

#: Nothing is loaded from elsewhere, and no script but the files of the page is carried out.  Answers have styles.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

_HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """An ASGI application around another one, which gets the requests that may be answered, with paths below the token.

    port: of the server; token: the first part of each path.
    """

    def __init__(self, app: App, port: int, token: str, most_body: int = MOST_BODY) -> None:
        self.app, self.token, self.most_body = app, token.encode(), most_body
        hosts = [f"{host}:{port}" for host in HOSTS] + [*HOSTS] * (port == 80)  # which browsers leave out of addresses
        self.hosts = tuple(host.encode() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return  # the server speaks no other protocol
        refused = self._refusal(scope)
        guarded = _with_headers(send)
        if refused is not None:
            await _refuse(guarded, *refused)
            return
        body = await self._body(receive)
        if body is None:
            await _refuse(guarded, 413, f"a request has at most {self.most_body} bytes")
            return
        path = "/" + scope["path"].split("/", 2)[2]
        inner = {**scope, "path": path, "raw_path": path.encode(), "root_path": ""}
        await self.app(inner, _again(body, receive), guarded)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and the reason if a request is refused by its head."""
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value)
        host = headers.get(b"host", [])
        if len(host) != 1 or host[0] not in self.hosts:
            return 421, "this server has another name"
        origins = headers.get(b"origin", [])
        reads = scope["method"] in ("GET", "HEAD")
        if any(origin != b"http://" + host[0] for origin in origins) or not (reads or len(origins) == 1):
            return 403, "the request comes from another page"
        given = scope["path"].split("/", 2)
        if len(given) != 3 or not hmac.compare_digest(given[1].encode("utf-8", "replace"), self.token):
            return 404, "open the address that fibprover web has printed: it has a token"
        if not reads and headers.get(b"content-type", [b""])[0].partition(b";")[0].strip() != b"application/json":
            return 415, "a request has JSON"
        length = headers.get(b"content-length", [b"0"])[0]
        if not length.isdigit() or len(length) > 18 or int(length) > self.most_body:
            return 413, f"a request has at most {self.most_body} bytes"
        return None

    async def _body(self, receive: Receive) -> bytes | None:
        """Return the body of a request, None for one that is too large."""
        pieces: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return b"".join(pieces)
            piece = message.get("body", b"")
            size += len(piece)
            if size > self.most_body:
                return None
            pieces.append(piece)
            if not message.get("more_body", False):
                return b"".join(pieces)


def _again(body: bytes, receive: Receive) -> Receive:
    """Return a source of messages that begins with a body which has been read."""
    read = False

    async def received() -> Message:
        nonlocal read
        if read:
            return await receive()
        read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return received


def _with_headers(send: Send) -> Send:
    """Return a sender that adds what every answer says about itself."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {name for name, _ in message.get("headers", ())}
            added = [(name.encode(), value.encode()) for name, value in _HEADERS.items() if name.encode() not in own]
            message = {**message, "headers": [*message.get("headers", ()), *added]}
        await send(message)

    return sent


async def _refuse(send: Send, status: int, reason: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{reason}\n".encode()})
