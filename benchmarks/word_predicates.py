"""Measures the predicates that each word has: equality of factors, reversals, palindromes, periods, borders.

    python -m benchmarks.word_predicates [--timeout 10] [--max-memory 1] [--random 100] [NAME ...]

NAME is a word of WORDS, or `random`; without, all are measured.  Each word has a process of its own; of random words
there is one row for each system, with how many were done within the limits.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping
from random import Random
from statistics import median
from typing import Any

from benchmarks.measure import GRACE, Ended, ended
from benchmarks.table import megabytes, seconds, table

KINDS = ("feq", "rev", "pal", "per", "border")
HEADER = ("word", "system", *(f"{kind}, {what}" for kind in KINDS for what in ("states", "s")), "s", "MB")

#: Uniform morphisms with codings, by their base: words that are hard for provers, and two that are not.
UNIFORM: Mapping[str, tuple[int, str, str]] = {
    "prism1": (4, "0305 4555 2321 0514 1023 4300", "102202"),
    "prismd": (3, "021 121 010", "101"),
    "single3": (2, "01 12 20", "010"),
    "single4": (2, "01 12 23 30", "0100"),
    "single5": (2, "01 12 23 34 40", "01000"),
    "taila": (2, "02 15 04 36 43 01 10", "1010100"),
    "tailc": (2, "05 23 44 42 51 10", "000010"),
    "k3m3a": (3, "011 122 110", "100"),
    "k3m3b": (3, "021 000 212", "011"),
    "champ5": (2, "01 43 30 33 24", "10010"),
    "digits mod 3": (2, "01 12 20", "012"),
    "digits mod 4": (2, "01 12 23 30", "0123"),
    "digits mod 5": (2, "01 12 23 34 40", "01234"),
    "digits mod 7": (2, "01 12 23 34 45 56 60", "0123456"),
    "Thue-Morse": (2, "01 10", "01"),
    "Rudin-Shapiro": (2, "01 02 31 32", "0011"),
}

#: Morphisms with codings, for words over their own systems.
OTHERS: Mapping[str, tuple[str, str]] = {
    "Rote word": ("0->01,1->2,2->3,3->453,4->01,5->2", "011001"),
    "4-bonacci": ("0->01,1->02,2->03,3->0", ""),
    "5-bonacci": ("0->01,1->02,2->03,3->04,4->0", ""),
    "smallest quartic Pisot number": ("0->01,1->2,2->3,3->0", ""),
    "flipped Tribonacci": ("0->01,1->20,2->0", ""),
    "two zeros": ("0->001,1->2,2->0", ""),
}

#: The systems of random words, with the number of their digits.
SYSTEMS: Mapping[str, int] = {"msd_2": 2, "msd_3": 3, "msd_fib": 2, "msd_trib": 2}


def random_word(number: int) -> dict[str, Any]:
    """Return a random word of 3 to 8 letters, as `Session.load_words` reads it.

    In msd_fib and msd_trib a letter also knows how many ones were read last.
    """
    random = Random(number)
    system = [*SYSTEMS][number % len(SYSTEMS)]
    letters, ones = random.randrange(3, 9), {"msd_fib": 1, "msd_trib": 2}.get(system, 0)
    groups = [[letter for letter in range(letters) if letter % (ones + 1) == group] for group in range(ones + 1)]
    images = []
    for letter in range(letters):
        group = letter % (ones + 1)
        if not ones:
            images.append([random.randrange(letters) for _ in range(SYSTEMS[system])])
        else:
            after = [random.choice(groups[group + 1])] if group < ones and groups[group + 1] else []
            images.append([random.choice(groups[0]), *after])
    images[0][0] = 0
    coding = [random.randrange(2) for _ in range(letters)]
    return {"morphism": images, "coding": coding, "system": system}


def predicates(name: str, kinds: tuple[str, ...] = KINDS) -> dict[str, Any]:
    """Make the predicates of a word; return the states and the seconds of each."""
    from fibprover.base.limits import peak_bytes
    from fibprover.workspace.session import Session

    session = Session()
    if name in UNIFORM:
        base, images, coding = UNIFORM[name]
        session.define_morphic_word(
            "W", [[*map(int, image)] for image in images.split()], [*map(int, coding)], f"msd_{base}"
        )
    elif name in OTHERS:
        morphism, coding = OTHERS[name]
        session.dumont_thomas("own" if coding else "w", morphism)
        if coding:
            ones = " | ".join(f"Own[n]={letter}" for letter, image in enumerate(coding) if image == "1")
            session.run(f"word W[n] = 1 if {ones} else 0;")
    else:
        given = random_word(int(name))
        session.define_morphic_word("W", given["morphism"], given["coding"], given["system"])
    found: dict[str, Any] = {"system": session.namespace.words["W"].tracks[0].system}
    for kind in kinds:
        begun = time.perf_counter()
        found[kind] = [session.namespace.word_predicates.predicate(f"{kind}_W").states, time.perf_counter() - begun]
    return found | {"peak": peak_bytes()}


def process(name: str, options: argparse.Namespace, *kinds: str) -> Ended:
    """Make the predicates of a word in a process with limits."""
    limits = ("--timeout", str(options.timeout), "--max-memory", str(options.max_memory))
    command = (sys.executable, "-m", "benchmarks.word_predicates", *limits, "--inside", name, *kinds)
    return ended(command, seconds=options.timeout + GRACE)


def rows(names: list[str], options: argparse.Namespace) -> Iterator[list[str]]:
    """Yield the rows of words, as they are known."""
    for name in [*UNIFORM, *OTHERS]:
        if names and name not in names:
            continue
        done = process(name, options)
        if done.status:
            said = done.err.strip().splitlines()
            yield [name, "", said[-1][:80] if said else "stopped", *[""] * (2 * len(KINDS) + 1)]
            continue
        found = json.loads(done.out)
        cells = [cell for kind in KINDS for cell in (str(found[kind][0]), seconds(found[kind][1]))]
        whole = seconds(sum(found[kind][1] for kind in KINDS))
        yield [name, found["system"], *cells, whole, megabytes(found["peak"])]


def random_rows(options: argparse.Namespace) -> Iterator[list[str]]:
    """Yield a row for the random words of each system: how many, and the times of those that were done."""
    for place, system in enumerate(SYSTEMS):
        numbers = range(place, options.random, len(SYSTEMS))
        made = [process(str(number), options, "feq", "pal") for number in numbers]
        done = [json.loads(each.out) for each in made if each.status == 0]
        times = [sum(found[kind][1] for kind in ("feq", "pal")) for found in done]
        states = [found["feq"][0] for found in done]
        yield [
            system, str(len(made)), str(len(done)), f"{median(states):g}" if done else "", str(max(states, default=0)),
            seconds(median(times)) if done else "", seconds(max(times, default=0.0)),
            megabytes(max((found["peak"] for found in done), default=0)),
        ]


def main(arguments: list[str] | None = None) -> int:
    """Measure the words that are asked for, and print tables."""
    parser = argparse.ArgumentParser(description="measure the predicates of words")
    parser.add_argument("--timeout", type=float, default=10.0, metavar="SECONDS")
    parser.add_argument("--max-memory", type=float, default=1.0, metavar="GB")
    parser.add_argument("--random", type=int, default=100, metavar="COUNT")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args(arguments)
    if options.inside:
        from fibprover.base.limits import Limits, spending

        name, *kinds = options.names
        with spending(Limits(seconds=options.timeout, bytes=int(options.max_memory * (1 << 30))).start()):
            print(json.dumps(predicates(name, tuple(kinds) or KINDS)))
        return 0
    names = [name for name in options.names if name != "random"]
    if names or not options.names:
        print("\n".join(table(HEADER, [], 2).splitlines()))
        for row in rows(names, options):
            print(table(HEADER, [row], 2).splitlines()[-1], flush=True)
    if "random" in options.names or not options.names:
        header = ("system", "words", "done", "states, median", "most", "s, median", "most", "MB, most")
        print("\n" + "\n".join(table(header, []).splitlines()))
        for row in random_rows(options):
            print(table(header, [row]).splitlines()[-1], flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
