"""The law of budgets on drawn commands: an end within T * 1.25 + 0.5 s and M * 1.1 + 50 MB, and the limit named.

    python -m tests.cli.law --count 10000 --seed 7      prints what breaks the law, and the worst overshoots

`--first N` begins with command number N of the seed.  Each command is a process of its own; one that breaks the law
is run again, up to three times in all, and counts if it breaks the law each time.  On a machine that is busy with
something else the wall time of a process says little: then its processor time counts, provided that it worked and did
not wait.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from fibprover.base.errors import size_text
from tests.seeds import is_over

SYSTEMS = ("msd_2", "msd_3", "msd_10", "msd_30", "msd_fib", "lsd_fib", "msd_trib", "msd_pell", "msd_neg_2", "lsd_2")
BASES = ("msd_2", "msd_10", "msd_99", "msd_997", "msd_9999")
WORDS = ("T", "F", "RS", "TR", "PD", "HC", "P")
SECONDS = (0.3, 0.5, 1.0, 1.5, 2.0)
MEGABYTES = (45, 64, 80, 120, 200, 300)

#: The processor time that a program takes to start on a machine that is idle.
START = 0.25

#: A process that is older than this is ended, and breaks the law.
PATIENCE = 30.0


@dataclass(frozen=True)
class Drawn:
    """A command line with its limits, and the text of its script if it reads one."""

    arguments: tuple[str, ...]
    seconds: float
    megabytes: int
    script: str = ""


@dataclass(frozen=True)
class Outcome:
    """What became of a command."""

    drawn: Drawn
    status: int
    wall: float
    processor: float
    megabytes: float
    output: str
    slow: float = 0.0  # seconds that this machine takes to start a program beyond START

    @property
    def late(self) -> float:
        """The seconds beyond the law; negative within it."""
        allowed = self.drawn.seconds * 1.25 + 0.5 + self.slow
        busy = self.slow > 0.1 and self.processor > 0.1 * self.wall
        return (min(self.wall, self.processor) if busy else self.wall) - allowed

    @property
    def large(self) -> float:
        """The megabytes beyond the law; negative within it."""
        return self.megabytes - (self.drawn.megabytes * 1.1 + 50)

    @property
    def faults(self) -> list[str]:
        """What breaks the law."""
        found = []
        if self.late > 0:
            found.append(f"{self.late:.2f} s late ({self.wall:.2f} s, {self.processor:.2f} s of the processor)")
        if self.large > 0:
            found.append(f"{self.large:.0f} MB too large ({self.megabytes:.0f} MB)")
        if self.status not in (0, 1, 2, 3) or "internal error" in self.output or "Traceback" in self.output:
            found.append(f"status {self.status}: {self.output[-200:]}")
        limits = (f"{self.drawn.seconds:.4g} s", f"{size_text(self.drawn.megabytes << 20)} of memory")
        for told in re.findall(r"the budget of (.*?) is spent", self.output) if self.status == 3 else ():
            # Some constructions have bounds of their own on states and transitions.
            if told not in limits and not re.fullmatch(r"\d+ (states|transitions)", told):
                found.append(f"another limit in the message: {told}")
        return found


def draw(generator: random.Random) -> Drawn:
    """Draw a command and its limits."""
    maker = generator.choice(MAKERS)
    arguments, script = maker(generator)
    seconds, megabytes = generator.choice(SECONDS), generator.choice(MEGABYTES)
    limits = ("--timeout", str(seconds), "--max-memory", f"{megabytes}M")
    return Drawn((*arguments, *limits), seconds, megabytes, script)


Made = tuple[tuple[str, ...], str]


def _names(count: int) -> list[str]:
    return [f"x{number:02d}" for number in range(count)]


def _formula(g: random.Random) -> str:
    names = _names(g.randint(2, 30))
    system = g.choice(SYSTEMS)
    kind = g.randrange(9)
    if kind == 0:
        return f"?{system} " + " & ".join(f"{name}>={g.randint(0, 3)}" for name in names)
    if kind == 1:
        return f"?{system} " + " & ".join(f"{a}<{b}" for a, b in pairwise(names))
    if kind == 2:
        return f"?{system} {'+'.join(names[:g.randint(2, 7)])}={names[-1]}"
    if kind == 3:
        return f"?{system} {10 ** g.randint(1, 9) - 1}*x=y"
    if kind == 4:
        atom = g.choice(["(x=1)", "~(x=1)", "T[x]=@1", "(x=y)", "(Ez z=x)", "(x<5 => y<5)"])
        return "&".join("(" + "&".join([atom] * g.randint(1, 150)) + ")" for _ in range(g.randint(1, 30)))
    if kind == 5:
        word = g.choice(WORDS)
        return f"Ei,n n>0 & Ak (k<{g.randint(1, 4)}*n) => {word}[i+k]={word}[i+k+n]"
    if kind == 6:
        word, k = g.choice(WORDS), g.randint(1, 40)
        return " & ".join(f"{word}[n+{i}]={word}[m+{g.randint(0, 50)}]" for i in range(k))
    if kind == 7:
        body = "x=y"
        for depth in range(g.randint(1, 12)):
            a, b = "abcdefghijkl"[depth], "mnopqrstuvwz"[depth]
            body = f"(A{a} E{b} {a}+x={b} & {body})"
        return body
    return f"?{system} x>=0"


def _eval(g: random.Random) -> Made:
    command = g.choice(["eval", "eval", "explain"])
    more = ("-n", str(10 ** g.randint(0, 7))) if command == "eval" and g.random() < 0.4 else ()
    extra = ("--vacuity",) if command == "eval" and g.random() < 0.2 else ()
    plan = ("--plan", "textbook") if g.random() < 0.2 else ()
    return (command, _formula(g), *more, *extra, *plan), ""


def _question(g: random.Random) -> Made:
    ask = g.choice([
        "inf p;", f"count p {10 ** g.randint(0, 4000)};", "regex p;", f"test p {10 ** g.randint(0, 6)};", "first p;",
        "first_rej p;", "export $p TXT;", "export $p GV;", "export $p BA;", "describe $p;", "reverse q p;", "star q p;",
        "concat q p p;", "leftquo q p p;", "rightquo q p p;", "minimize q p;", "fixleadzero q p;", "union q p p;",
    ])
    return ("run", "SCRIPT"), f'def p "{_formula(g)}";\n{ask}\n'


def _language(g: random.Random) -> Made:
    often = f"{{{g.randint(1, 300)}}}"
    piece = g.choice(["(0|1)*", "01", f"(0|1){often}", "~(01)*", "0*1?", "(00|11)+", f"(0*1){often}"])
    text = piece * (10 ** g.randint(0, 4)) if g.random() < 0.7 else f"(0|1)*1(0|1){{{g.randint(1, 40)}}}"
    return ("run", "SCRIPT"), f'reg r msd_2 "{text}";\n'


def _macro(g: random.Random) -> Made:
    twice = g.choice(["#m{0}(#m{0}(%0))", "#m{0}(%0) & #m{0}(%0)", "#m{0}(%0+%0)"])
    depth = g.randint(1, 30)
    lines = ['macro m0 "%0=%0";'] + [f'macro m{i + 1} "{twice.format(i)}";' for i in range(depth)]
    return ("run", "SCRIPT"), "\n".join([*lines, f'eval t "#m{depth}(x)";', ""])


def _word(g: random.Random) -> Made:
    base = g.choice(BASES)
    make = f'def p "?{base} n>={g.randint(0, 10)}";\ncombine W p=1;\n'
    long = 10 ** g.randint(0, 5)
    use = g.choice([
        "rsplit R [+] W;", "rsplit R [-] W;", f'morphism h "0->{"01" * long} 1->{"10" * long}";\nimage Y h W;',
        f'morphism h "0->{"01" * long} 1->{"10" * long}";\npromote Y h;', "transduce S RUNSUM2 W;",
        f"convert V msd_{g.choice([2, 4, 8, 9999 ** 2])} W;", "join X W[a] W[b];", "combine X p=1 p=2;",
    ])
    return ("run", "SCRIPT"), f"{make}{use}\n"


def _game(g: random.Random) -> Made:
    number = g.choice([1, 2, 3, 10, 1000, 2**31, 2**62, 2**63 - 1])
    rules = g.choice([
        "i=0 | j=0", f"i=0 | j=0 | i=j | i=j+{number}", f"i>={number}", f"j>={number}", f"i=0 | j=0 | {number}*i=j",
        f"i=0 | j=0 | i<={number} & j<={number}", "(p=r & s<q) | (q=s & r<p)", "terminal(2)", "splithoff()",
        f"terminal({min(number, 9)})",
    ])
    size = str(10 ** g.randint(1, 4))
    more = g.choice([(), ("--table",), ("--positions", size), ("--grundy", size)])
    return ("game", rules, *more), ""


def _picture(g: random.Random) -> Made:
    if g.random() < 0.3:
        pairs = g.choice(["x=y", "x<y", "x=2*y", "Ez x+z=y"])
        return ("board", f"?{g.choice(SYSTEMS)} {pairs}", "--size", "60"), ""
    form = g.choice(["dot", "svg", "tikz"])
    return ("draw", _formula(g), "--format", form, "--limit", str(g.choice([100, 5000])), "--layout", "own"), ""


def _system(g: random.Random) -> Made:
    others = ("msd_rec_20_1", "msd_rec_9_9_9", f"msd_wythoff_{g.randint(1, 99)}", "msd_rec_1_0_0_0_1")
    name = g.choice([*SYSTEMS, *BASES, *others])
    return ("system", g.choice(["verify", "describe"]), name), ""


def _data(g: random.Random) -> Made:
    values = [bin(n * g.choice([1, 3])).count("1") % g.randint(2, 9) for n in range(10 ** g.randint(1, 5))]
    return ("infer", "SCRIPT", "--system", g.choice(SYSTEMS)), " ".join(map(str, values))


MAKERS: tuple[Callable[[random.Random], Made], ...] = (
    _eval, _eval, _eval, _question, _question, _question, _language, _macro, _word, _word, _game, _picture, _system,
    _data,
)


def slowness(folder: Path) -> float:
    """Return how many seconds more than START this machine takes now to start a program that then does nothing."""
    return max(0.0, measured(Drawn(("game", "--help"), 9.0, 999), folder, 0.0).processor - START)


def measured(drawn: Drawn, folder: Path, slow: float) -> Outcome:
    """Run a command in a folder; slow: see `slowness`."""
    if drawn.script:
        (folder / "SCRIPT").write_text(drawn.script)
    command = [sys.executable, "-m", "fibprover", *drawn.arguments]
    places = (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", ""))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, places))}
    begun = time.monotonic()
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        process = subprocess.Popen(
            command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, cwd=folder, env=environment
        )
        while True:
            number, status, usage = os.wait4(process.pid, os.WNOHANG)
            if number:
                break
            if time.monotonic() - begun > PATIENCE:
                process.kill()
            time.sleep(0.01)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - begun
    with (folder / "out").open("rb") as out:
        output = out.read(2000) + (folder / "err").read_bytes()[-2000:]
    processor, text = usage.ru_utime + usage.ru_stime, output.decode(errors="replace")
    return Outcome(drawn, process.returncode, wall, processor, usage.ru_maxrss / 1024, text, slow)


def main(arguments: list[str]) -> int:
    """Run many commands; return 1 if one breaks the law."""
    parser = argparse.ArgumentParser(prog="python -m tests.cli.law")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1, 2**32))
    options = parser.parse_args(arguments)
    broken, again, slow, late, large = 0, 0, 0.0, float("-inf"), float("-inf")
    counted: dict[int, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.first, options.count):
            if is_over():
                break
            slow = slowness(Path(folder)) if number % 50 == 0 else slow
            drawn = draw(random.Random(f"{options.seed} {number}"))
            outcome = measured(drawn, Path(folder), slow)
            for _ in range(2):
                if not outcome.faults:
                    break
                again += 1
                outcome = measured(drawn, Path(folder), slow)
            counted[outcome.status] = counted.get(outcome.status, 0) + 1
            late, large = max(late, outcome.late), max(large, outcome.large)
            if outcome.faults:
                broken += 1
                shown = " ".join(outcome.drawn.arguments)[:200]
                print(f"{number}: {'; '.join(outcome.faults)}\n    {shown}\n    {outcome.drawn.script[:200]!r}")
                sys.stdout.flush()
    print(f"seed {options.seed}: {sum(counted.values())} commands, statuses {counted}; {broken} break the law;"
          f" {again} runs were repeated; worst: {late:+.2f} s and {large:+.0f} MB beyond it")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
