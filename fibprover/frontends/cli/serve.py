"""`fibprover serve --stdio`: the prover as tools for other programs, by the Model Context Protocol.

`Tools` (`tools.py`) has the answers, as objects of JSON, in a process of its own (`ToolProcess`); the package `mcp`
speaks the protocol.
"""

from __future__ import annotations

import argparse
import asyncio
import inspect
import io
import os
import re
import sys
import threading
from collections.abc import Callable, Coroutine
from functools import partial
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, BinaryIO

from fibprover import __version__
from fibprover.base.errors import NotInstalled
from fibprover.base.limits import Limits
from fibprover.frontends.cli.status import TRUE
from fibprover.frontends.cli.tool_process import Cancellation, ToolProcess
from fibprover.frontends.cli.tools import SECONDS, Tools
from fibprover.frontends.conversation import options, output

_EXAMPLES = """\
examples:
  fibprover serve --stdio
  fibprover serve --stdio --system msd_fib --load definitions.txt --timeout 10

The program that uses the tools starts this command. It needs pip install 'fibprover[mcp]'.
"""

_INSTRUCTIONS = """\
fibprover decides first-order statements about natural numbers with addition, in numeration systems such as msd_2 or
msd_fib, and about automatic words such as T (Thue-Morse) and F (Fibonacci). A formula: "?msd_fib An Em m>n & F[m]=@1";
quantifiers A and E, connectives ~ & | ^ => <=>, comparisons, x+y, x-y, 3*x, x/2, T[n], $name(x,y) for what `define`
named. Two variables cannot be multiplied. Definitions last as long as the server. `decide` says whether a formula is
true, `explain` why; `certify` writes a proof of it, which `check` checks; `study` finds theorems about a word; `infer`
guesses a word or a linear representation from values; `solve` proves a recursion; `discover` solves a game."""

#: Bytes that a request has at most. The server holds several copies of it before the limits of a call begin.
MOST_OF_A_REQUEST = 4 << 20

#: The number of a request, before its parameters, or at its end.
_NUMBER = re.compile(rb'"id"\s*:\s*(-?\d+|"[^"\\]*")\s*[,}]')
_LAST_NUMBER = re.compile(rb'"id"\s*:\s*(-?\d+|"[^"\\]*")\s*}\s*$')

#: The tools that are offered.
OFFERED = (
    Tools.decide, Tools.define, Tools.solve, Tools.explain, Tools.study, Tools.infer, Tools.discover, Tools.certify,
    Tools.check,
)



def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "--stdio", action="store_true", required=True,
        help="exchange messages on standard input and output (required)",
    )
    options.add_plan_argument(parser)
    options.add_evidence_argument(parser)
    options.add_session_arguments(parser)
    options.add_limit_arguments(parser, hard=False)


def run(arguments: argparse.Namespace) -> int:
    """Serve until standard input ends."""
    if find_spec("mcp") is None:
        raise NotInstalled(
            "the server needs the package mcp, which is not installed", hint="pip install 'fibprover[mcp]'"
        )
    from mcp.server import MCPServer

    limits = Limits(
        arguments.max_states, seconds=arguments.timeout or SECONDS, cpu_seconds=arguments.cpu_timeout,
        **options.memory_of(arguments),
    )
    arguments.timeout = arguments.cpu_timeout = None  # they are for each call, and not for the command
    process = ToolProcess(partial(tools_of, arguments, limits), limits)
    server = MCPServer("fibprover", version=__version__, instructions=_INSTRUCTIONS, log_level="WARNING")
    for tool in OFFERED:
        server.tool()(_asked(tool, process))
    problems: list[BaseException] = []
    over = threading.Event()
    if sys.stdin is not None:
        # At the end Python must not find a stream locked in which the other thread still waits: it has one of its own.
        source = os.fdopen(os.dup(sys.stdin.fileno()), "rb", closefd=False)
        sys.stdin = SimpleNamespace(buffer=io.BufferedReader(Requests(source)))

    def speak() -> None:
        try:
            server.run("stdio")
        except BaseException as problem:
            problems.append(problem)
        finally:
            over.set()

    # The protocol has a thread of its own, whose wait for a message does not keep this one from ending by a signal.
    threading.Thread(target=speak, daemon=True).start()
    try:
        over.wait()
    finally:
        process.close()
    for problem in problems:
        if isinstance(problem, BaseExceptionGroup) and problem.split(BrokenPipeError)[1] is None:
            raise BrokenPipeError from None  # the program that calls has gone
        raise problem
    return TRUE


class Requests(io.RawIOBase):
    """Requests, one a line, of which none is long.

    In place of one that is, there is a request of the same number for a method that does not exist, so that the answer
    is an error; nothing, if its number is neither before its parameters nor at its end.
    """

    def __init__(self, source: BinaryIO, most: int = MOST_OF_A_REQUEST) -> None:
        super().__init__()
        self.source, self.most = source, most
        self.line = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, into: Any) -> int:
        """Read some bytes of a line; 0 at the end."""
        self.line = self.line or self._next()
        size = min(len(into), len(self.line))
        into[:size] = self.line[:size]
        self.line = self.line[size:]
        return size

    def _next(self) -> bytes:
        """Return the next line."""
        while True:
            line = self.source.readline(self.most + 1)
            if len(line) <= self.most or line.endswith(b"\n"):
                return line
            rest, end = line, line[-1024:]
            while rest and not rest.endswith(b"\n"):
                rest = self.source.readline(1 << 16)
                end = (end + rest)[-1024:]
            number = _NUMBER.search(line[:1024].partition(b'"params"')[0]) or _LAST_NUMBER.search(end)
            if number is not None:
                said = b'{"jsonrpc": "2.0", "id": %s, "method": "a request of more than %d bytes is refused"}\n'
                return said % (number[1], self.most)


def _asked(tool: Callable[..., output.Json], process: ToolProcess) -> Callable[..., Coroutine[Any, Any, Any]]:
    """Return a tool as a coroutine that is answered by a process, and cancels its call when it is cancelled."""

    async def asked(**arguments: Any) -> Any:
        cancellation = Cancellation()
        try:
            found = await asyncio.to_thread(process.answer, tool.__name__, arguments, cancellation)
        except asyncio.CancelledError:
            cancellation.asked.set()
            raise
        return _as_error(found) if found.get("kind") == "error" else found

    signature = inspect.signature(tool, eval_str=True)
    asked.__name__, asked.__doc__, asked.__annotations__ = tool.__name__, tool.__doc__, tool.__annotations__
    without_self = [each for name, each in signature.parameters.items() if name != "self"]
    asked.__signature__ = signature.replace(parameters=without_self)  # type: ignore[attr-defined]
    return asked


def _as_error(found: output.Json) -> Any:
    """Return the answer of a call that has failed: the protocol marks it as an error, and has the same object."""
    from mcp.types import CallToolResult, TextContent

    text = TextContent(type="text", text=output.dumped(found))
    return CallToolResult(content=[text], structured_content=found, is_error=True)


def tools_of(arguments: argparse.Namespace, limits: Limits) -> Tools:
    """Return the tools of a new session."""
    return Tools(options.session(arguments), limits)
