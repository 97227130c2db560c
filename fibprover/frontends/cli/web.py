"""`fibprover web`: a page of cells in the browser, answered by the kernels of this machine.

The page, the server and the process that computes are in `fibprover.frontends.web`; this command starts them.
"""

from __future__ import annotations

import argparse
import contextlib
import secrets
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from functools import partial
from html import escape
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from types import FrameType
from typing import TYPE_CHECKING

from fibprover.base.errors import FibproverError, NotInstalled
from fibprover.base.files import make_folder, write_text
from fibprover.base.limits import Limits
from fibprover.frontends.cli.status import TRUE
from fibprover.frontends.conversation import options

if TYPE_CHECKING:
    from fibprover.frontends.web.cells import Cells
    from fibprover.frontends.web.guard import App
    from fibprover.frontends.web.process import CellProcess

_EXAMPLES = """\
examples:
  fibprover web
  fibprover web notes              keep the cells in notes/cells.json, and results in Walnut's folders there
  fibprover web --port 8000 --no-open --timeout 60 --max-memory 2G

Needs the extra `web`: pip install 'fibprover[web]'.  Ctrl-C ends it.
"""

#: The port unless --port names one; if it is taken, any that is free.
PORT = 8137

#: The packages that the extra `web` installs.
_NEEDED = ("starlette", "uvicorn")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "folder", nargs="?", metavar="FOLDER",
        help="the folder of the session, for cells and results; without one nothing is kept but in the browser",
    )
    parser.add_argument(
        "--port", type=_port, metavar="N",
        help=f"the port (default: {PORT}, or another one if it is taken; 0: a free one)",
    )
    parser.add_argument("--no-open", action="store_true", help="do not open a browser; the address is printed")
    parser.add_argument(
        "--python", action="store_true", help="run cells of Python, too: programs, which may do whatever you may"
    )
    options.add_plan_argument(parser)
    options.add_evidence_argument(parser)
    options.add_session_arguments(parser)
    options.add_limit_arguments(parser, "wall time of each cell", hard=False)


def _port(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not int(text[:6]) < 1 << 16 or len(text) > 5:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: a number from 0 to 65535")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise NotInstalled(
            f"the page needs {' and '.join(missing)}, which is not installed", hint="pip install 'fibprover[web]'"
        )
    from fibprover.frontends.web.process import CellProcess

    limits = Limits(
        arguments.max_states, seconds=arguments.timeout, cpu_seconds=arguments.cpu_timeout,
        **options.memory_of(arguments),
    )
    arguments.timeout = arguments.cpu_timeout = None  # they are for each cell, and not for the command
    with contextlib.ExitStack() as stack:
        listening = stack.enter_context(_listening(arguments.port))
        folder = None
        if arguments.folder is not None:
            make_folder(arguments.folder)
            folder = Path(arguments.folder)
        # Commands that write files write here, and nowhere else.
        arguments.home_dir = str(folder or stack.enter_context(TemporaryDirectory(prefix="fibprover-")))
        arguments.session_dir, arguments.global_session, arguments.home_recognized = None, True, False
        process = CellProcess(partial(cells_of, arguments, limits), limits)
        stack.callback(process.close)
        from fibprover.frontends.web.server import application  # while the process begins

        app = partial(application, process, folder, python=arguments.python)
        _serve(listening, process, app, quietly=arguments.no_open)
    return TRUE


def cells_of(arguments: argparse.Namespace, limits: Limits) -> Cells:
    """Return the cells of a new session."""
    from fibprover.frontends.web.cells import Cells

    return Cells(options.session(arguments), python=arguments.python, limits=limits)


@contextlib.contextmanager
def _listening(port: int | None) -> Iterator[socket.socket]:
    """Yield a socket on the loopback address that listens.  Raises FibproverError if the port is taken."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as opened:
        if sys.platform != "win32":
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        wanted = [PORT, 0] if port is None else [port]
        for number in wanted:
            try:
                opened.bind(("127.0.0.1", number))
                break
            except OSError as problem:
                if number == wanted[-1]:
                    raise FibproverError(
                        f"port {number} cannot be used: {problem.strerror or problem}",
                        hint="another program may have it; --port 0 takes a free one",
                    ) from None
        opened.listen(64)
        yield opened


def _serve(
    listening: socket.socket, process: CellProcess, application: Callable[..., App], *, quietly: bool
) -> None:
    """Serve until a signal ends the program."""
    import uvicorn

    port, token = listening.getsockname()[1], secrets.token_urlsafe(24)
    app = application(port=port, token=token)
    process.wait()
    config = uvicorn.Config(
        app, log_level="error", access_log=False, lifespan="off", ws="none", timeout_graceful_shutdown=1,
        server_header=False, date_header=False,
    )
    address = f"http://127.0.0.1:{port}/{token}/"
    print(f"fibprover web: {address}\nCtrl-C ends it.", flush=True)
    server = uvicorn.Server(config)
    uvicorn_exit = server.handle_exit

    def handle_exit(number: int, frame: FrameType | None) -> None:
        process.closing.set()  # the answers that are under way would keep the server from ending
        uvicorn_exit(number, frame)

    server.handle_exit = handle_exit
    with contextlib.nullcontext() if quietly else _opened(address), _hanging_up(handle_exit):
        server.run(sockets=[listening])


@contextlib.contextmanager
def _hanging_up(handle_exit: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Let SIGHUP, of a terminal that is closed, end the server as the other signals do, which uvicorn knows.

    Its own handler would raise an error within the server, and leave tracebacks of requests that are under way.
    """
    number = getattr(signal, "SIGHUP", None)
    if number is None or signal.getsignal(number) is signal.SIG_IGN:
        yield
        return
    arrived: list[int] = []

    def note(received: int, frame: FrameType | None) -> None:
        if not arrived:
            arrived.append(received)
            handle_exit(received, frame)

    before = signal.signal(number, note)
    try:
        yield
    finally:
        signal.signal(number, before)
    if arrived:  # the handler from before ends the program with the status of this signal
        signal.raise_signal(number)


@contextlib.contextmanager
def _opened(address: str) -> Iterator[None]:
    """Open a page in the browser of the user.

    The browser opens a file that only the user can read: others on this machine may see the arguments of programs,
    and the address has the token.
    """
    with TemporaryDirectory(prefix="fibprover-") as folder:
        file = Path(folder) / "open.html"
        html = f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(address)}">'
        write_text(file, html, durable=False)
        Thread(target=webbrowser.open, args=(file.as_uri(),), daemon=True).start()
        yield
