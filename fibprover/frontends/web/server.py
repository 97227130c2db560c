"""The server of `fibprover web`: the page, cells, questions, and the cells that are kept; an ASGI application.

Requests have passed `guard.Guard`.  Events are sent as lines of JSON while a cell runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from fibprover.base.errors import FibproverError
from fibprover.frontends.web.files import assets, page
from fibprover.frontends.web.guard import App, Guard
from fibprover.frontends.web.process import CellProcess
from fibprover.frontends.web.saved import save_cells, saved_cells


def application(process: CellProcess, folder: Path | None, port: int, token: str, *, python: bool = False) -> App:
    """Return the server.

    process: runs cells; folder: where cells are kept, None if they are not; port, token: as in `Guard`; python: whether
    the page offers cells of Python.
    """
    answers = _Answers(process, folder, page(python=python))
    routes = [
        Route("/", answers.page),
        Route("/assets/{name}", answers.asset),
        Route("/run", answers.run, methods=["POST"]),
        Route("/stop", answers.stop, methods=["POST"]),
        Route("/ask", answers.ask, methods=["POST"]),
        Route("/cells", answers.cells),
        Route("/cells", answers.keep, methods=["PUT"]),
    ]
    app = Starlette(routes=routes)
    app.router.redirect_slashes = False
    return Guard(app, port, token)


class _Answers:
    """The answers to requests."""

    def __init__(self, process: CellProcess, folder: Path | None, html: str) -> None:
        self.process, self.folder, self.html = process, folder, html
        self.turn = asyncio.Lock()
        self.cells_waiting = 0
        #: Ends the cell that runs, if one does.
        self.stopping = threading.Event()
        self.assets = assets()

    async def page(self, request: Request) -> Response:
        return Response(self.html, media_type="text/html")

    async def asset(self, request: Request) -> Response:
        """Answer with a file of the page: one of a fixed list, so that no path leads elsewhere."""
        found = self.assets.get(request.path_params["name"])
        if found is None:
            return Response("there is no such file\n", 404, media_type="text/plain")
        return Response(found[1](), media_type=found[0])

    async def run(self, request: Request) -> Response:
        """Run a cell, {"kind", "text"}, and send its events; it is stopped if the page goes away."""
        given = await _object(request)
        kind, text = given.get("kind"), given.get("text")
        if kind not in ("commands", "python") or not isinstance(text, str):
            return _refused("a cell has a kind and a text")
        return StreamingResponse(self._events(kind, text), media_type="application/x-ndjson")

    async def _events(self, kind: str, text: str) -> AsyncIterator[str]:
        self.cells_waiting += 1
        try:
            async with self.turn:  # the cells of two pages take turns
                yield '{"kind": "begun"}\n'
                stop = self.stopping = threading.Event()
                events, ended = self._begun(kind, text, stop), False
                try:
                    while (event := await events.get()) is not None:
                        yield f"{event}\n"
                    ended = True
                finally:
                    if not ended:  # the page has gone away; here nothing can be awaited any more
                        stop.set()
        finally:
            self.cells_waiting -= 1

    def _begun(self, kind: str, text: str, stop: threading.Event) -> asyncio.Queue[str | None]:
        """Begin to run a cell, which `stop` ends; return the queue of its events, the last of them followed by None."""
        loop = asyncio.get_running_loop()
        events: asyncio.Queue[str | None] = asyncio.Queue()

        def show(event: str | None) -> None:
            with contextlib.suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(events.put_nowait, event)

        def whole() -> None:
            try:
                show(json.dumps({"kind": "done"} | self.process.run(kind, text, show, stop)))
            finally:
                show(None)

        loop.run_in_executor(None, whole)
        return events

    async def stop(self, request: Request) -> Response:
        """Stop the cell that runs; those that wait for it are not stopped."""
        self.stopping.set()
        return JSONResponse({})

    async def ask(self, request: Request) -> Response:
        """Answer a question, {"question", "arguments"}; at once if a cell runs, with an error."""
        given = await _object(request)
        question, arguments = given.get("question"), given.get("arguments", {})
        if not isinstance(question, str) or not isinstance(arguments, dict):
            return _refused("a question has a name and arguments")
        if self.cells_waiting:
            return JSONResponse({"error": "a cell is running", "busy": True})
        async with self.turn:
            found = await asyncio.to_thread(self.process.ask, question, json.dumps(arguments))
        if "answer" not in found:
            return JSONResponse(found)
        return Response(found["answer"], media_type="application/json")

    async def cells(self, request: Request) -> Response:
        """Answer with the cells that were kept; {"kept": false} if none are."""
        if self.folder is None:
            return JSONResponse({"kept": False})
        try:
            return JSONResponse({"kept": True, "cells": saved_cells(self.folder)})
        except FibproverError as problem:
            return JSONResponse({"kept": False, "error": str(problem)})

    async def keep(self, request: Request) -> Response:
        """Keep cells, and answer with those that are kept: another page may have changed them, too."""
        if self.folder is None:
            return JSONResponse({"kept": False})
        try:
            # In a thread, as another server may be keeping cells of the same folder.
            cells = await asyncio.to_thread(save_cells, self.folder, await _object(request))
        except ValueError:
            return _refused("these are no cells")
        except FibproverError as problem:
            return JSONResponse({"kept": False, "error": str(problem)})
        return JSONResponse({"kept": True, "cells": cells})


async def _object(request: Request) -> dict[str, Any]:
    """Return the body of a request as an object, {} if it is none."""
    try:
        found = json.loads(await request.body())
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _refused(reason: str) -> Response:
    return JSONResponse({"error": reason}, 400)
