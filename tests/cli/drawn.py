"""Commands of every subcommand, drawn at random, carried out with limits: which of them exceed these, and by how much.

Time is CPU time of the process and of those that it has started, so that other programs do not matter; memory is the
largest peak of one of them.  `python -m tests.cli.drawn COUNT [--seed N] [--only NAME]` draws COUNT commands of each
subcommand, and prints a line for each breach and a table.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from pathlib import Path

from fibprover.sheets.predicates import FIRST

#: A breach is more than this multiple of the limit on time, and so many seconds; more than so many bytes above that on
#: memory; or an end that is not told.
MULTIPLE, SECONDS, BYTES = 1.1, 0.5, 100 << 20

#: Seconds of wall time after which a command is killed: it does not end.
PATIENCE = 120

_MAIN = "import sys; from fibprover.frontends.cli.main import main; sys.exit(main())"

#: A small process that carries out a command and says what it took: the peak of a process that a large one has started
#: is mixed with that of the large one.
_MEASURE = """
import json, os, resource, subprocess, sys, threading
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))  # for the machine: what takes so much is a breach by then
limit, given, folder, out, *command = sys.argv[1:]
with open(given, "rb") as stdin, open(out, "wb") as said:
    process = subprocess.Popen(command, stdin=stdin, stdout=said, stderr=subprocess.STDOUT, cwd=folder)
def stop():
    process.kill()
timer = threading.Timer(float(limit), stop)
timer.daemon = True
timer.start()
_, status, used = os.wait4(process.pid, 0)
timer.cancel()
code = os.waitstatus_to_exitcode(status)
print(json.dumps([code, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024]))
"""


@dataclass(frozen=True)
class Drawn:
    """A command line without limits, what it reads on standard input, and how many parts have limits of their own."""

    arguments: tuple[str, ...]
    given: str = ""
    parts: int = 0


@dataclass(frozen=True)
class Outcome:
    """A command line, its limits, and what it took."""

    command: tuple[str, ...]
    seconds: float
    memory: int
    status: int
    took: float
    peak: int
    said: str

    @property
    def breach(self) -> str:
        """What is wrong with it, "" if nothing is."""
        if self.took > MULTIPLE * self.seconds + SECONDS:
            return f"{self.took:.2f} s of CPU time, limit {self.seconds}"
        if self.peak > self.memory + BYTES:
            return f"{self.peak >> 20} MB, limit {self.memory >> 20}"
        if self.status not in (0, 1, 2, 3) or "internal error" in self.said or "Traceback" in self.said:
            return f"status {self.status}: {self.said.strip()[-200:]}"
        return ""


#: Words of the library over each system.
WORDS: dict[str, tuple[str, ...]] = {
    "msd_2": ("T", "RS", "P", "VTM", "PD", "PF"), "msd_fib": ("F", "FTM", "RF"), "msd_trib": ("TR",),
}


VARIABLES = ("x", "y", "z", "n")


def _is_free(name: str, formula: str) -> bool:
    """Return whether a name is free somewhere in a formula that `Draw.formula` has made."""
    depth = 0
    bound: list[int] = []
    for found in re.finditer(r"\(|\)|(?<=\()[EAI](?:>=\d+ )?([a-z])\b|\b[a-z]\b", formula):
        if found[0] == "(":
            depth += 1
        elif found[0] == ")":
            bound = [each for each in bound if each < depth]
            depth -= 1
        elif found[1] == name:
            bound.append(depth)
        elif found[0] == name and not bound:
            return True
    return False


class Draw:
    """What commands are made of: numbers, formulas, files; all from one source of chance."""

    def __init__(self, chance: random.Random, folder: Path) -> None:
        self.chance = chance
        self.folder = folder
        #: The system of the formula that is being drawn, which has most of its words.
        self.chosen = ""

    def pick(self, *choices: str) -> str:
        return self.chance.choice(choices)

    def number(self) -> int:
        """Return a number, mostly small, sometimes so large that nothing of this size can be made."""
        return self.chance.randrange(10 ** self.chance.choice([1, 1, 1, 2, 3, 5, 8, 12, 25]))

    def system(self) -> str:
        return self.pick(
            "msd_2", "lsd_2", "msd_3", "msd_10", "msd_30", "msd_fib", "lsd_fib", "msd_trib", "msd_neg_2", "msd_pell",
            "msd_4bonacci", f"msd_{self.number() + 2}", f"msd_rec_{self.number() % 9 + 1}_{self.number() % 9}",
            f"msd_ost_0_per_{self.number() % 50 + 1}_{self.number() % 50 + 1}",
        )

    def word(self) -> str:
        return self.chance.choice(WORDS[self.chosen] if self.chosen in WORDS else sorted({*sum(WORDS.values(), ())}))

    def term(self) -> str:
        variable = self.pick(*VARIABLES)
        times = self.coefficient()
        return self.pick(variable, variable, f"{variable}+{self.number()}", f"{times}*{variable}", str(self.number()))

    def coefficient(self) -> int:
        """Return a number that may be too large for a coefficient, but seldom is."""
        return self.number() % (1 << self.chance.choice([3, 6, 10, 20, 30, 60]))

    def atom(self) -> str:
        word = self.word()
        return self.pick(
            f"{self.term()}={self.term()}+{self.term()}", f"{self.term()}<{self.term()}",
            f"{word}[{self.term()}]={word}[{self.term()}]", f"{word}[{self.term()}]=@{self.number() % 3}",
            f"$feq_{word}(x,y,n)", f"$pal_{word}(x,n)",
            f"{self.coefficient()}*x-{self.coefficient()}*y+{self.coefficient()}*z=n",
            f"(Ak k<n => {word}[x+k]={word}[y+k])",
        )

    def formula(self, depth: int = 3) -> str:
        if not depth or self.chance.random() < 0.2:
            return self.atom()
        one, other = self.formula(depth - 1), self.formula(depth - 1)
        free = [name for name in VARIABLES if _is_free(name, one)]
        if free and self.chance.random() < 0.5:
            name = self.chance.choice(free)
            quantifier = self.pick(f"E{name}", f"A{name}", f"E>={self.number() % 30} {name}", f"I{name}")
            return f"({quantifier} {one})"
        return self.pick(
            f"({one} & {other})", f"({one} & {other})", f"({one} | {other})", f"({one} => {other})", f"~({one})",
            f"({one} <=> {other})", " & ".join([one] * (self.number() % 400 + 1)),
        )

    def sentence(self) -> str:
        """Return a formula, mostly closed, in a system."""
        self.chosen = self.chance.choice([*WORDS, *WORDS, self.system()])
        made = self.formula()
        free = [name for name in VARIABLES if _is_free(name, made)]
        if free and self.chance.random() < 0.8:
            made = f"{self.pick('E', 'A')}{','.join(free)} {made}"
        made, self.chosen = f"?{self.chosen} {made}", ""
        return made

    def expression(self) -> str:
        part = self.pick("0", "1", "(0|1)", "(0|1)*", "0*1", "(00|11)*")
        return self.pick(part * (self.number() % 60 + 1), f"({part}){{{self.number()}}}", f"({part}|{part * 3})*1")

    def morphism(self) -> str:
        letters = self.number() % 6 + 1
        size = self.number() % 4 + 1

        def image(letter: int) -> str:
            first = letter if self.chance.random() < 0.5 else self.chance.randrange(letters)
            return "".join(map(str, [first, *(self.chance.randrange(letters) for _ in range(size - 1))]))

        return ", ".join(f"{letter}->{image(letter)}" for letter in range(letters))

    def game(self) -> str:
        return self.pick(
            f"terminal({self.number() % 9})", f"blocking({self.number() % 30})", "wythoff()", "nim()", "nim3()",
            f"i=0 | j=0 | (i=j & i<{self.number()})", f"i=0 | j=0 | {self.number() % 9}*i=j",
            "i=0 | j=0 | (Ek i=2*k)", f"queen({self.number() % 5},{self.number() % 5})",
            f"i=0 | j=0 | T[i]=@{self.number() % 2}", "i=0 | j=0 | i=j | i+j=7",
        )

    def script(self) -> str:
        lines: list[Callable[[], str]] = [
            lambda: f'def p{self.number() % 5} "{self.sentence()}";', lambda: f'eval q "{self.sentence()}";',
            lambda: f'reg r{self.number() % 5} msd_2 "{self.expression()}";',
            lambda: f"reverse s r{self.number() % 5};",
            lambda: f"concat c r{self.number() % 5} r{self.number() % 5};", lambda: "star t c;",
            lambda: f'morphism m "{self.morphism()}"; promote M m;', lambda: f"combine W p1={self.number()} p2;",
            lambda: f"word G[n] = {self.word()}[{self.number()}*n+{self.number()}]+1 if n>3 else 0;",
            lambda: f"split S {self.word()} [+];", lambda: f"test r1 {self.number()};",
            lambda: f'macro m "%0<%1"; eval x "#m(x,{self.number()})";', lambda: f"minimize v {self.word()};",
        ]
        known = [f'reg r{number} msd_2 "{self.expression()}";' for number in range(5)]
        known += ["concat c r0 r1;", f'def p1 "{self.sentence()}";', f'def p2 "{self.sentence()}";']
        return "\n".join([*known, *(self.chance.choice(lines)() for _ in range(self.number() % 12 + 1))])

    def file(self, name: str, text: str) -> str:
        path = self.folder / f"{self.chance.randrange(10**9)}-{name}"
        path.write_text(text)
        return str(path)

    def terms(self) -> str:
        count = self.number() % 3000 + 1
        kind = self.number() % 4
        kinds: list[Callable[[int], int]] = [
            lambda n: n.bit_count() % 2, lambda n: n * n % 7, lambda n: self.chance.randrange(3), int.bit_count,
        ]
        return "\n".join(f"{n} {kinds[kind](n)}" for n in range(count))

    def junk(self) -> str:
        return self.pick(
            "/dev/zero", "/dev/urandom", "/dev/null", "/", "missing",
            self.file("text.txt", "[" * (self.number() % 10**6)),
            self.file("lines.txt", '{"a": 1}\n' * (self.number() % 10**5)),
            self.file("brackets.json", "[]," * 10**5),
        )


def _eval(draw: Draw) -> Drawn:
    options = [
        (), (), (), (), ("--vacuity",), ("-n", "1000"), ("--json",), ("--trace",), ("--plan", "textbook"),
        ("-n", str(draw.number())),
        ("--words", draw.junk()), ("--load", draw.junk()), ("--base", draw.junk()), ("--max-states", str(10**25)),
    ]
    return Drawn(("eval", draw.sentence(), *draw.chance.choice(options)))


def _explain(draw: Draw) -> Drawn:
    return Drawn(("explain", draw.sentence()))


def _run(draw: Draw) -> Drawn:
    options = draw.chance.choice([("--keep-going",), ("--keep-going",), ("--keep-going", "--json"), ("--trace",)])
    if draw.chance.random() < 0.2:
        return Drawn(("run", draw.junk(), *options))
    return Drawn(("run", "-", *options), draw.script())


def _prompt(draw: Draw) -> Drawn:
    script = draw.script()
    return Drawn(("prompt",), script, parts=script.count("\n") + 1)


def _prove(draw: Draw) -> Drawn:
    lines = "".join(
        f"c.theorem({f't{number}'!r}, {draw.sentence()!r}, statement='None.')\n" for number in range(2)
    )
    text = f"import fibprover as fp\nc = fp.Chapter('c')\n{lines}"
    options = draw.chance.choice([(), ("--no-vacuity",), ("--textbook",), ("--jobs", "2")])
    # A theorem is evaluated, its evidence and its parts that do not matter are looked for, each within the limits.
    return Drawn(("prove", draw.file("chapter.py", text), *options), parts=2 * (3 + ("--textbook" in options)))


def _check(draw: Draw) -> Drawn:
    return Drawn(("check", draw.junk()))


def _store(draw: Draw) -> Drawn:
    file = draw.folder / f"{draw.chance.randrange(10**9)}.sqlite"
    if draw.chance.random() < 0.3:
        return Drawn(("store", draw.junk()))
    import sqlite3

    from fibprover.campaigns.sweeps.store import Store, TaskRecord

    with Store(file) as store:
        for number in range(draw.number() % 2000):
            store.finish(TaskRecord(f"k{number}", draw.pick("a", "=b", "\x1b[2J"), "done", [1] * (draw.number() % 100)))
    if draw.chance.random() < 0.3:
        with sqlite3.connect(file) as connection:
            connection.execute("DROP TABLE tasks")
            connection.execute(
                "CREATE VIEW tasks AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) "
                "SELECT i AS key, i AS what, 'done' AS state, '1' AS result, '1' AS evidence, '' AS certificate, "
                "1.0 AS seconds, 1 AS peak_bytes, '' AS host, '' AS error, 1 AS attempts, '' AS owner, 0.0 AS lease "
                "FROM n"
            )
        connection.close()
    options = draw.chance.choice([(), ("--json", "-"), ("--csv", "-"), ("--html", str(file) + ".html")])
    return Drawn(("store", str(file), *options))


def _words(draw: Draw) -> Drawn:
    options = draw.chance.choice([(), ("--json",)])
    return Drawn(("words", draw.word(), "--prefix", str(draw.number() % 10**18), *options))


def _draw(draw: Draw) -> Drawn:
    what = draw.pick(draw.word(), draw.sentence(), draw.system())
    options = draw.chance.choice(
        [(), ("--format", "svg"), ("--format", "tikz"), ("--limit", "100000"), ("--format", "svg", "--layout", "own")]
    )
    return Drawn(("draw", what, *options))


def _system(draw: Draw) -> Drawn:
    name = draw.pick(draw.system(), f"({draw.number()}+sqrt({draw.number()}))/{draw.number() + 1}", draw.junk())
    action = draw.pick("describe", "verify", "write", "list")
    more = [str(draw.number())] if action == "write" else []
    return Drawn(("system", action, *([] if action == "list" else [name]), *more))


def _infer(draw: Draw) -> Drawn:
    if draw.chance.random() < 0.2:
        return Drawn(("infer", draw.junk(), "--system", draw.system()))
    return Drawn(("infer", "-", "--system", draw.system(), "--depth", str(draw.number() % 12)), draw.terms())


def _board(draw: Draw) -> Drawn:
    what = draw.pick(draw.game(), f"x={draw.number()}*y", f"{draw.word()}[x]={draw.word()}[y]")
    return Drawn(("board", what, "--size", str(draw.number() % 10**6 + 1)))


def _game(draw: Draw) -> Drawn:
    options = draw.chance.choice([
        (), ("--no-findings",), ("--positions", str(draw.number())), ("--grundy", str(draw.number())), ("--table",),
        ("--misere",), ("--value", str(draw.number() % 5)), ("--largest", str(draw.number() % 10**9 + 1)),
    ])
    return Drawn(("game", draw.game(), *options))


def _study(draw: Draw) -> Drawn:
    lines = draw.chance.sample(["complexity", "squares", "critical-exponent", "palindromes", "frequencies"], 2)
    # Equality of factors and palindromes, which lines need, may take FIRST times as long as one.
    only = ("--only", ",".join(lines))
    if draw.chance.random() < 0.3:
        return Drawn(("study", "--terms", "-"), draw.terms(), parts=40)
    return Drawn(("study", draw.pick(draw.word(), draw.morphism()), *only), parts=len(lines) + 2 * FIRST)


def _atlas(draw: Draw) -> Drawn:
    if draw.chance.random() < 0.2:
        return Drawn(("atlas", draw.junk()), parts=1)
    text = 'title = "t"\nabout = "a"\n' + "".join(
        f'[[game]]\nid = "g{number}"\nname = "g"\nmoves = {json.dumps(draw.game())}\nknown = "k"\n'
        'earlier = "not looked up"\n'
        'source = { authors = "a", title = "t", year = 1901, where = "w" }\n'
        for number in range(2)
    )
    return Drawn(("atlas", draw.file("atlas.toml", text), "--results", draw.file("r", "") + ".d", "-j", "1"), parts=2)


def _serve(draw: Draw) -> Drawn:
    calls: list[dict[str, object]] = [
        {"name": "decide", "arguments": {"formula": draw.sentence(), "first": draw.number() % 10**15}},
        {"name": "define", "arguments": {"commands": draw.script()}},
        {"name": "discover", "arguments": {"game": draw.game()}},
    ]
    chosen = [draw.chance.choice(calls) for _ in range(2)]
    begin = {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    }
    messages: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": begin}, {"method": "notifications/initialized"},
        *({"id": 2 + number, "method": "tools/call", "params": each} for number, each in enumerate(chosen)),
    ]
    return Drawn(("serve", "--stdio"), "".join(json.dumps({"jsonrpc": "2.0"} | each) + "\n" for each in messages), 2)


DRAWN: dict[str, Callable[[Draw], Drawn]] = {
    "eval": _eval, "explain": _explain, "run": _run, "prompt": _prompt, "prove": _prove, "check": _check,
    "store": _store, "words": _words, "draw": _draw, "system": _system, "infer": _infer, "board": _board,
    "game": _game, "study": _study, "atlas": _atlas,
}
if find_spec("mcp") is not None:
    DRAWN["serve"] = _serve

#: Linux starts no program with a longer argument than 128 KiB.
MOST_OF_AN_ARGUMENT = 1 << 16

#: Seconds that imports of other packages take before there are limits.
START = {"serve": 2.0, "atlas": 0.5}

#: Those whose --timeout is CPU time already.
BY_PARTS = ("prove", "study", "atlas")


def carried_out(name: str, chance: random.Random, folder: Path) -> Outcome:
    """Draw a command of a subcommand, and carry it out with limits."""
    drawn = DRAWN[name](Draw(chance, folder))
    while any(len(argument) > MOST_OF_AN_ARGUMENT for argument in drawn.arguments):
        drawn = DRAWN[name](Draw(chance, folder))
    seconds, memory = chance.choice([0.3, 0.6, 1.0]), chance.choice([150, 200, 300]) << 20
    option = ("--timeout", str(seconds)) if name in BY_PARTS else ("--cpu-timeout", str(seconds), "--timeout", "60")
    command = (*drawn.arguments, *option, "--max-memory", f"{memory >> 20}M")
    given, out = folder / "given", folder / "out"
    given.write_text(drawn.given)
    measured = subprocess.run(
        [sys.executable, "-S", "-c", _MEASURE, str(PATIENCE), str(given), str(folder), str(out),
         sys.executable, "-c", _MAIN, *command],
        capture_output=True, text=True, check=True, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    status, took, peak = json.loads(measured.stdout)
    return Outcome(
        command, seconds * max(1, drawn.parts) + START.get(name, 0.0), memory, status, took, peak,
        out.read_text(errors="replace")[-2000:],
    )


def main() -> int:
    """Draw commands, and return whether some exceed their limits."""
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    breaches, statuses = Counter[str](), Counter[tuple[str, int]]()
    names = [name for name in DRAWN if name in options.only.split(",")] if options.only else list(DRAWN)
    with suppress(KeyboardInterrupt):  # the table is that of the commands so far
        for number, name in product(range(options.count), names):
            with tempfile.TemporaryDirectory() as folder:
                outcome = carried_out(name, random.Random(f"{options.seed} {name} {number}"), Path(folder))
            statuses[name, outcome.status] += 1
            if outcome.breach:
                breaches[name] += 1
                print(f"{number} {name}: {outcome.breach}\n    {outcome.command!r}"[:1500], flush=True)
    for name in names:
        own = sorted((status, count) for (each, status), count in statuses.items() if each == name)
        ended = ", ".join(f"{count} with {status}" for status, count in own)
        drawn = sum(count for _, count in own)
        print(f"{name:8} {drawn} drawn, {breaches[name]} above the limits; {ended}", flush=True)
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
