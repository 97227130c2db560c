"""`fibprover serve --stdio`: the prover as tools for other programs, by the Model Context Protocol.

`Tools` has the answers, as objects of JSON, in a process of its own (`ToolProcess`); the package `mcp` speaks the
protocol.
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
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, BinaryIO

from fibprover import __version__
from fibprover.base.errors import FibproverError, NotInstalled, NotSupported
from fibprover.base.limits import Limits
from fibprover.frontends.cli.run import about, outcome_json
from fibprover.frontends.cli.status import TRUE, describe_error
from fibprover.frontends.cli.tool_process import Cancellation, ToolProcess
from fibprover.frontends.conversation import options, output
from fibprover.frontends.conversation.warnings import parsed, warnings_about, warnings_json
from fibprover.language.commands import Command, DefCommand, EvalCommand, ends_session, iterate_script
from fibprover.workspace.guard import enforced
from fibprover.workspace.session import Session

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
named. Two variables cannot be multiplied. Definitions last as long as the server."""

#: Seconds of a call, unless --timeout says otherwise.
SECONDS = 60.0

#: Tuples that are listed at most.
MOST_TUPLES = 1_000_000

#: Bytes that a request has at most. The server holds several copies of it before the limits of a call begin.
MOST_OF_A_REQUEST = 4 << 20

#: The number of a request, before its parameters, or at its end.
_NUMBER = re.compile(rb'"id"\s*:\s*(-?\d+|"[^"\\]*")\s*[,}]')
_LAST_NUMBER = re.compile(rb'"id"\s*:\s*(-?\d+|"[^"\\]*")\s*}\s*$')

#: Commands that read or write files; the program that calls has no business with them.
_FILES = ("load", "export")


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
    for tool in (Tools.decide, Tools.define, Tools.discover):
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


def _asked(tool: Callable[..., output.Json], process: ToolProcess) -> Callable[..., Coroutine[Any, Any, output.Json]]:
    """Return a tool as a coroutine that is answered by a process, and cancels its call when it is cancelled."""

    async def asked(**arguments: Any) -> output.Json:
        cancellation = Cancellation()
        try:
            return await asyncio.to_thread(process.answer, tool.__name__, arguments, cancellation)
        except asyncio.CancelledError:
            cancellation.asked.set()
            raise

    signature = inspect.signature(tool, eval_str=True)
    asked.__name__, asked.__doc__, asked.__annotations__ = tool.__name__, tool.__doc__, tool.__annotations__
    without_self = [each for name, each in signature.parameters.items() if name != "self"]
    asked.__signature__ = signature.replace(parameters=without_self)  # type: ignore[attr-defined]
    return asked


def tools_of(arguments: argparse.Namespace, limits: Limits) -> Tools:
    """Return the tools of a new session."""
    return Tools(options.session(arguments), limits)


class Tools:
    """A session whose methods answer with objects of JSON, errors included; to be called by one thread.

    limits: what each call may spend; a call may ask for fewer seconds.
    """

    def __init__(self, session: Session, limits: Limits) -> None:
        self.session = session
        self.limits = limits

    def decide(self, formula: str, system: str = "", seconds: float = 0.0, first: int = 10) -> dict[str, Any]:
        """Decide a formula.

        A closed formula has a verdict, true or false, with a witness or a counterexample where there is one; a formula
        with free variables describes a relation, of which the first tuples are listed.

        formula: such as "Ax,y x+y=y+x", or "?msd_fib Ei,n n>0 & At t<n => F[i+t]=F[i+t+n]".
        system: the numeration system of a formula that names none, such as msd_2, msd_fib, msd_trib or lsd_10.
        seconds: after so many the answer is an error; at most, and by default, the limit of the server.
        first: how many tuples to list, at most 1000000.
        """
        def answer() -> output.Json:
            text = f"?{self.session.namespace.system(system).name} {formula}" if system else formula
            source = parsed(text, self.session)
            warnings = warnings_about(source, self.session)
            outcome = self.session.eval(source or text)
            now, listed = self.session.options, min(max(0, first), MOST_TUPLES)
            result = output.json_of(outcome, now.plan, listed, with_trace=False, limits=now.limits)
            return result | warnings_json(warnings)

        return self._answered(seconds, answer)

    def define(self, commands: str, seconds: float = 0.0) -> dict[str, Any]:
        """Execute commands that define names, each ending in `;`, in Walnut's language.

        For example: def even "Ey n=2*y"; reg power2 msd_2 "0*10*"; morphism tm "0->01 1->10"; promote X tm;
        macro less "%0<%1"; eval check "An $even(2*n)"; describe X; test even 5;
        Afterwards formulas may use $even(n), $power2(n), X[n] and #less(a,b). Commands that read or write files are
        refused. The answer has one result for each command that was executed, and the error that ended them, if any.
        """
        results: list[output.Json] = []

        def answer() -> output.Json:
            for command in iterate_script(commands):
                if ends_session(command):
                    break
                results.append(self._executed(command, commands))
            return {"kind": "done"}

        return self._answered(seconds, answer) | {"results": results}

    def discover(
        self, game: str, terminal: str = "", system: str = "auto", largest: int = 0, seconds: float = 0.0
    ) -> dict[str, Any]:
        """Find the P-positions of a take-away game on two piles as an automaton, and prove them.

        game: which counters may be taken, as a formula in i and j, such as "i=0 | j=0 | i=j" (Wythoff's game), or in
        p,q,r,s for a step from (p,q) to (r,s); or the name of a known game, such as "blocking(3)".
        terminal: positions where the game ends, as a formula in p and q. system: numeration systems to try, separated
        by commas. largest: bound of the positions that are computed. `status` is "proved" if there is a theorem.
        """
        from fibprover.games.catalogue import game_of
        from fibprover.games.search import BOUNDS
        from fibprover.games.theorem import discover

        def answer() -> output.Json:
            named = system if system == "auto" else system.split(",")
            theorem = discover(
                game_of(game, terminal), named, limits=self.session.options.limits,
                largest=largest if largest > 0 else BOUNDS[-1],
            )
            return {"kind": "theorem", "text": str(theorem), **theorem.as_json()}

        return self._answered(seconds, answer)

    def _executed(self, command: Command, script: str) -> output.Json:
        """Execute a command of a script; return its result with the warnings about it."""
        exports = any(each.words[0] == "export" for each in command.metacommands)
        if command.word in _FILES or exports:
            raise NotSupported(
                f"{'[export]' if exports else command.word} is refused: the server leaves files alone", script,
                command.span.start, command.word_span.end,
            )
        formula = command.text if isinstance(command, DefCommand | EvalCommand) else None
        source = None if formula is None else parsed(formula, self.session)
        warnings = warnings_about(source, self.session)
        outcome = self.session.execute(command, script, source)
        how = argparse.Namespace(
            plan=self.session.options.plan, first=10, trace=False, vacuity=False, vacuity_deep=False
        )
        return about(command) | outcome_json(command, outcome, how) | warnings_json(warnings)

    def _answered(self, seconds: float, answer: Any) -> output.Json:
        """Return an answer within the limits, or the error in its place."""
        try:
            with self._limited(seconds):
                found: output.Json = answer()
                return found
        except FibproverError as problem:
            return output.json_of_error(problem)
        except Exception as problem:  # a defect, or no memory: the next call may succeed
            message, _ = describe_error(problem)
            return {"kind": "error", "error": type(problem).__name__, "message": message, "hint": ""}

    @contextmanager
    def _limited(self, seconds: float) -> Iterator[None]:
        """Let the session spend what one call may."""
        most = self.limits.seconds or SECONDS
        limits = replace(self.limits, seconds=min(seconds, most) if seconds > 0 else most)
        before = self.session.options
        self.session.options = replace(before, limits=limits)
        try:
            with enforced(limits):
                yield
        finally:
            self.session.options = before
