"""Changed certificates, checked by fibcheck.py and by the checker that is proved in Coq: both say the same of each.

    python -m tests.certificate.verified 10000 --seed 1
    python -m tests.certificate.verified 1000 --recursions
    python -m tests.certificate.verified 1000 --sequences
    python -m tests.certificate.verified 1000 --new

It needs build/fibcheck-verified (`make verified`).
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from fibprover.checker.fibcheck import Budget, Checker, Expression, Invalid, Malformed, Sets
from tests.certificate import families
from tests.certificate.mutants import NEW_MUTATIONS, Mutation, checked_in_memory, is_true, mutants
from tests.certificate.test_meanings import trees
from tests.certificate.test_recursions import SOLVED, lines_of
from tests.certificate.test_sequences import CERTIFIED, certified

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "fibcheck-verified"


def verdicts(files: list[Path]) -> list[str]:
    """Return what the verified checker says of files: VALID, INVALID or MALFORMED."""
    names = "\n".join(map(str, files))
    done = subprocess.run([PROGRAM, "--batch"], input=names, capture_output=True, text=True, check=False)
    lines = [line.split("\t") for line in done.stdout.splitlines() if line.count("\t") == 2]
    assert [line[0] for line in lines] == list(map(str, files)), done.stderr
    return [line[2].split()[0] for line in lines]


def of_sequences(folder: Path) -> list[str]:
    """Return the certificates of test_sequences.py, as JSON."""
    files = [Path(certified(folder, *texts).file).read_bytes() for texts in CERTIFIED]
    return [json.dumps([json.loads(line) for line in gzip.decompress(file).splitlines()]) for file in files]


def random_projections(count: int, seed: int, counted: bool = False) -> Iterator[list[dict[str, Any]]]:
    """Yield certificates with a projection of a random relation, from either end of words: most of them are invalid.

    counted: they say that there are some number of values, or more, instead of one.
    """
    chance = random.Random(seed)

    def automaton(tracks: int, states: int) -> dict[str, Any]:
        rows = []
        for state in range(states):
            letters = [letter for letter in range(1 << tracks) if chance.random() < 0.7]
            row = {letter: chance.randrange(states) for letter in letters} | ({0: 0} if state == 0 else {})
            rows.append([number for pair in sorted(row.items()) for number in pair])
        return {"systems": ["s"] * tracks, "outputs": [chance.randrange(2) for _ in rows], "rows": rows}

    head = {"certificate": 2, "variables": {"x": "s", "y": "s", "z": "s"}}
    system = {"system": "s", "digits": 2, "outputs": [1], "rows": [[0, 0, 1, 0]]}
    for _ in range(count):
        tracks = chance.choice([2, 2, 3])
        names, guards = ["x", "y", "z"][:tracks], chance.choice([[], [[1, ["x"]]], [[1, ["x"]]], [[1, ["z"]]]])
        whole = automaton(tracks, chance.randrange(1, 5))
        line: dict[str, Any] = {"rule": "exists", "of": [0], "bound": ["y"], "guards": guards}
        if counted:
            line["count"] = chance.choice([2, 3, 4, 7])
        elif chance.random() < 0.4:
            line["backward"] = True
        elif chance.random() < 0.5:
            states = range(len(whole["rows"]))
            line["loses"] = [[chance.choice(states), chance.choice(states)] for _ in range(chance.randrange(1, 4))]
        if chance.random() < 0.8:  # otherwise it is what the rule makes
            line["relation"] = [2, ["x", "z"][: tracks - 1]]
        yield [
            head, system, {"predicate": "P", **whole}, {"automaton": 0, **whole},
            {"automaton": 1, **automaton(1, chance.randrange(1, 4))},
            {"automaton": 2, **automaton(tracks - 1, chance.randrange(1, 4))},
            {"rule": "atom", "formula": f"$P({','.join(names)})", "relation": [0, names]}, line,
            {"rule": "and", "of": []}, {"statement": "true"},
        ]


def random_expressions(count: int, seed: int) -> Iterator[list[dict[str, Any]]]:
    """Yield certificates with a predicate of a random regular expression: every other one has another predicate."""
    chance = random.Random(seed)
    system = {"system": "s", "digits": 2, "outputs": [1], "rows": [[0, 0, 1, 0]]}
    for number in range(count):
        tree = trees(chance, 4)
        try:
            sets = Sets(Expression(tree, [2], Budget(60, 1 << 22)).automaton(), [0], Budget(60, 1 << 22))
        except Malformed:  # it has too many places
            continue
        rows, outputs = list[list[int]](), list[int]()
        while len(rows) < len(sets.sets):  # which grows
            rows.append([each for (digit,), there in sorted(sets.rows[len(rows)].items()) for each in (digit, there)])
            outputs.append(int(sets.accepts(len(outputs))))
        if number % 2:
            outputs[chance.randrange(len(outputs))] ^= 1
        yield [
            {"certificate": 2, "variables": {"x": "s"}}, system,
            {"predicate": "P", "systems": ["s"], "outputs": outputs, "rows": rows, "expression": tree},
            {"rule": "and", "of": []}, {"statement": "true"},
        ]


def agreement(
    count: int, seed: int, folder: Path, others: Sequence[str] = (), kinds: Sequence[Mutation] = ()
) -> tuple[Counter[str], list[str]]:
    """Count what both checkers say of mutants, of certificates or of others, and describe where they disagree.

    Of those that are not of others, what is accepted has to be true, by brute force.
    """
    changed = ((f"{number}-{kind}", lines) for number, kind, _, lines in mutants(count, seed, others, kinds))
    return agreement_on(changed, folder, None if others else is_true)


def agreement_on(
    certificates: Iterable[tuple[str, list[dict[str, Any]]]], folder: Path,
    truth: Callable[[Checker], bool] | None = is_true,
) -> tuple[Counter[str], list[str]]:
    """Do the same for certificates, each with a name; truth: what decides the statements by brute force, if any."""
    files, expected, found, differ = list[Path](), list[bool](), Counter[str](), list[str]()
    for name, lines in certificates:
        files.append(folder / f"{name}.jsonl")
        files[-1].write_text("".join(json.dumps(line) + "\n" for line in lines))
        try:
            checker = checked_in_memory(lines)
        except (Invalid, Malformed):
            expected.append(False)
            continue
        expected.append(True)
        if truth is not None and not truth(checker):
            differ.append(f"{files[-1]}: fibcheck.py accepts what is false")
    for file, valid, said in zip(files, expected, verdicts(files), strict=True):
        if (said == "VALID") == valid:
            found["both valid" if valid else "both refuse"] += 1
        else:
            found["they disagree"] += 1
            differ.append(f"{file}: fibcheck.py says {'valid' if valid else 'refused'}, the verified checker {said}")
    return found, differ


def main() -> None:
    """Print how many mutants both checkers agree on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--recursions", action="store_true", help="those of the certificates of test_recursions.py")
    parser.add_argument("--sequences", action="store_true", help="those of the certificates of test_sequences.py")
    parser.add_argument("--families", action="store_true", help="those about families that count witnesses")
    parser.add_argument("--new", action="store_true", help="only changes of the newest lines and fields")
    parser.add_argument("--keep", type=Path, help="keep the mutants in this folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        others = list[str]()
        if arguments.sequences:
            others = of_sequences(folder / "certificates")
        elif arguments.recursions:
            others = [json.dumps(lines_of(number)[0]) for number in range(len(SOLVED))]
        kinds = NEW_MUTATIONS if arguments.new else ()
        if arguments.families:
            changed = families.changes(arguments.count, arguments.seed, counted=True)
            numbered = ((f"{number}-{name}", lines) for number, (name, lines) in enumerate(changed))
            found, differ = agreement_on(numbered, folder, families.is_true)
        else:
            found, differ = agreement(arguments.count, arguments.seed, folder, others, kinds)
    print(*differ, sep="\n")
    print(", ".join(f"{what}: {number}" for what, number in found.most_common()))


if __name__ == "__main__":
    main()
