"""Hostile certificates, and the memory that checking them takes.

    python -m tests.certificate.hostile        prints a row for each file: kind, bytes, exit status, MB at most, seconds
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHECKER = [sys.executable, "-S", str(ROOT / "fibprover" / "checker" / "fibcheck.py")]
VERIFIED = [str(ROOT / "build" / "fibcheck-verified"), "--timeout", "60"]
HEADER = b'{"certificate":1,"variables":{"x":"s"}}\n'
SYSTEM = b'{"system":"s","digits":2,"outputs":[1],"rows":[[0,0,1,0]]}\n'

#: What is repeated in a value; each makes other objects, of other sizes.
PIECES = (
    b"[],", b"{},", b"[[]],", b'"a",', b'"aaaa",', b"1.5,", b"123456789,", b'{"a":0},', b'{"a":{}},', b"null,", b"[1],",
    b"-1,",
)


def packed(piece: bytes, count: int, before: bytes = b"", after: bytes = b"") -> bytes:
    """Return a long text packed by gzip, made without holding it."""
    packer = zlib.compressobj(9, wbits=31)
    part = piece * 4096
    made = [packer.compress(before), *(packer.compress(part) for _ in range(count // 4096)), packer.compress(after)]
    return b"".join([*made, packer.flush()])


def hostile() -> Iterator[tuple[str, bytes]]:
    """Yield some fifty files by their kinds."""
    for piece in PIECES:
        said = piece[:-1].decode()
        yield f"one line of {said}, packed", packed(piece, 65_000_000, b'{"certificate":1,"variables":[')
        within = piece * ((15 << 20) // len(piece)) + piece[:-1]
        yield f"16 MB of {said}", b'{"certificate":1,"variables":[' + within + b"]}\n"
        table = b'{"automaton":0,"systems":["s"],"outputs":[1],"rows":[[' + within + b"]]}\n"
        yield f"an automaton of {said}", HEADER + SYSTEM + table
    row = b'{"automaton":0,"systems":["s"],"outputs":[1],"rows":[[0,0,1,0]]}\n'
    yield "many small automata, packed", packed(row, 8_000_000, HEADER + SYSTEM)
    for digits in (2, 1024):
        words = b'{"system":"s","digits":%d,"outputs":[1],"rows":[[0,0,1,0]]}\n' % digits
        tracks = {2: 20, 1024: 2}[digits]
        alphabet = b'{"automaton":0,"systems":[' + b'"s",' * (tracks - 1) + b'"s"],"outputs":[1],"rows":[[0,0]]}\n'
        yield f"letters of {tracks} tracks", HEADER + words + alphabet * 3
    yield "brackets in brackets", b"[" * (15 << 20)
    yield "a formula of brackets", HEADER + SYSTEM + b'{"statement":"' + b"(" * (15 << 20) + b'"}\n'
    yield "a formula of ~", HEADER + SYSTEM + b'{"statement":"' + b"~" * 100_000 + b'true"}\n'
    yield "a long number", b'{"certificate":' + b"9" * (15 << 20) + b"}\n"
    yield "one character beyond the plane", b'{"certificate":"' + b"a" * (15 << 20) + "\U0001f600".encode() + b'"}\n'
    yield "empty lines, packed", packed(b"\n", 1 << 29)
    yield "zeros, packed", packed(b"\0", 1 << 29)
    yield "zeros", b"\0" * (64 << 20)
    yield "many empty parts of gzip", gzip.compress(b"") * 500_000
    yield "a long name in gzip", b"\x1f\x8b\x08\x08" + b"\0" * 6 + b"a" * (64 << 20)
    yield "gzip that is cut off", packed(b"[],", 65_000_000)[:1000]
    variables = b",".join(b'"x%d":"s"' % i for i in range(900_000))
    yield "variables", b'{"certificate":1,"variables":{' + variables + b"}}\n"
    definition = b'{"define":"f","parameters":["x"],"formula":"x=x"}\n'
    yield "many definitions, packed", packed(definition, 1_000_000, HEADER + SYSTEM)


def measured(program: Sequence[str], file: Path) -> tuple[int, int, float]:
    """Return the exit status, the peak of resident memory in MB, and the seconds that a checker takes.

    A small process starts the checker: a peak begins with what the process that starts another one holds.
    """
    since = time.perf_counter()
    started = subprocess.run([sys.executable, "-I", "-S", "-c", _START, *program, str(file)], capture_output=True)
    status, peak = map(int, started.stdout.split())
    return status, peak >> 10, time.perf_counter() - since


#: Starts a program, and prints its exit status and its peak of resident memory in KB.
_START = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


def main() -> None:
    """Measure all files."""
    program = VERIFIED if "--verified" in sys.argv else CHECKER
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (kind, content) in enumerate(hostile(), 1):
            file = Path(folder) / "hostile"
            file.write_bytes(content)
            status, peak, seconds = measured(program, file)
            worst = max(worst, peak)
            print(f"{number:2} {kind:45} {len(content):10} {status:3} {peak:6} MB {seconds:6.1f} s", flush=True)
    print(f"at most {worst} MB")


if __name__ == "__main__":
    main()
