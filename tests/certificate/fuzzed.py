"""Damaged files: the checker refuses each of them with a reason, soon, and without a traceback.

    python -m tests.certificate.fuzzed 2000 --seed 1 FOLDER     FOLDER holds the files
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from fibprover.checker import fibcheck

Damage = Callable[[bytes, random.Random], bytes]

#: What takes the place of a number.
HUGE = ["1e999", "-1", "9" * 20, "1" + "0" * 4000, "1" + "0" * 5000, "3.5", "true", "null", "[]", "{}", '""']
#: What takes the place of any value.
OTHERS: list[object] = [None, 0, -1, 1.5, "x", "", [], [[]], {}, [0, "x"], {"x": []}, True, "\ud800"]


def flipped(content: bytes, chance: random.Random) -> bytes:
    """Some bytes are other ones."""
    changed = bytearray(content)
    for _ in range(chance.choice((1, 2, 10))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def truncated(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content))]


def damaged_gzip(content: bytes, chance: random.Random) -> bytes:
    """The packed file has other bytes, is cut, or goes on after its end."""
    packed = gzip.compress(content)
    return chance.choice([flipped(packed, chance), truncated(packed, chance), packed + b"more", packed + packed])


def huge_number(content: bytes, chance: random.Random) -> bytes:
    """A number is another value: a large one, or none."""
    found = chance.choice(list(re.finditer(rb"-?\d+", content)))
    return content[: found.start()] + chance.choice(HUGE).encode() + content[found.end() :]


def deep(content: bytes, chance: random.Random) -> bytes:
    """A line is nested deeply, or the formula in it is."""
    lines = content.split(b"\n")
    place, depth = chance.randrange(len(lines)), chance.choice((500, 5000, 200_000))
    text = chance.choice([
        "[" * depth, '{"rule":' * depth, "[" * depth + "]" * depth, json.dumps({"statement": "~" * depth + "true"}),
        json.dumps({"statement": "(" * depth}), json.dumps({"statement": "(true & " * depth + "true" + ")" * depth}),
        json.dumps({"rule": "any", "relation": [0, []], "formula": "~(true | " * depth}),
        json.dumps({"statement": "x" * depth}),
        json.dumps({"system": "s", "digits": 2, "outputs": [1] * depth, "rows": []}),
    ])
    lines[place] = text.encode()
    return b"\n".join(lines)


def other_value(content: bytes, chance: random.Random) -> bytes:
    """A value in a line has another type."""
    lines = [json.loads(line) for line in content.splitlines()]
    line = chance.choice(lines)
    line[chance.choice(list(line))] = chance.choice(OTHERS)
    return b"\n".join(json.dumps(one).encode() for one in lines)


DAMAGES: list[Damage] = [flipped, truncated, damaged_gzip, huge_number, deep, other_value]


def contents(folder: Path) -> list[bytes]:
    """The certificates of a folder, unpacked."""
    return [gzip.decompress(file.read_bytes()) for file in sorted(folder.glob("*.jsonl.gz"))]


def damaged(certificates: list[bytes], number: int, chance: random.Random) -> tuple[str, bytes]:
    """The kind of a damage, and the file."""
    damage = DAMAGES[number % len(DAMAGES)]
    return damage.__name__, damage(chance.choice(certificates), chance)


def campaign(certificates: list[bytes], count: int, seed: int, file: Path) -> tuple[Counter[tuple[str, int]], float]:
    """How many damaged files of each kind had which exit status, and the most seconds that one took."""
    chance, found, longest = random.Random(seed), Counter[tuple[str, int]](), 0.0
    for number in range(count):
        kind, content = damaged(certificates, number, chance)
        file.write_bytes(content)
        begun = time.process_time()
        found[kind, fibcheck.report(str(file))] += 1
        longest = max(longest, time.process_time() - begun)
    return found, longest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    file = arguments.folder / "damaged"
    found, longest = campaign(contents(arguments.folder), arguments.count, arguments.seed, file)
    file.unlink()
    for kind, status in sorted(found):
        print(f"{kind}: exit status {status}: {found[kind, status]}")
    print(f"{longest:.2f} s at most")


if __name__ == "__main__":
    main()
