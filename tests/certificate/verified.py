"""Changed certificates, checked by fibcheck.py and by the checker that is proved in Coq: both say the same of each.

    python -m tests.certificate.verified 10000 --seed 1
    python -m tests.certificate.verified 1000 --recursions
    python -m tests.certificate.verified 1000 --sequences

It needs build/fibcheck-verified (`make verified`).
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from fibprover.checker.fibcheck import Invalid, Malformed
from tests.certificate.mutants import checked_in_memory, mutants
from tests.certificate.test_recursions import SOLVED, lines_of
from tests.certificate.test_sequences import CERTIFIED, certified

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "fibcheck-verified"


def verdicts(files: list[Path]) -> list[str]:
    """Return what the verified checker says of files: VALID, INVALID, MALFORMED or UNSUPPORTED."""
    names = "\n".join(map(str, files))
    done = subprocess.run([PROGRAM, "--batch"], input=names, capture_output=True, text=True, check=False)
    lines = [line.split("\t") for line in done.stdout.splitlines() if line.count("\t") == 2]
    assert [line[0] for line in lines] == list(map(str, files)), done.stderr
    return [line[2].split()[0] for line in lines]


def of_sequences(folder: Path) -> list[str]:
    """Return the certificates of test_sequences.py, as JSON."""
    files = [Path(certified(folder, *texts).file).read_bytes() for texts in CERTIFIED]
    return [json.dumps([json.loads(line) for line in gzip.decompress(file).splitlines()]) for file in files]


def agreement(count: int, seed: int, folder: Path, others: Sequence[str] = ()) -> tuple[Counter[str], list[str]]:
    """Count what both checkers say of mutants, of certificates or of others, and describe where they disagree.

    A mutant that the verified checker does not decide ("UNSUPPORTED") is counted apart.
    """
    files, expected = list[Path](), list[bool]()
    for number, kind, _, lines in mutants(count, seed, others):
        files.append(folder / f"{number}-{kind}.jsonl")
        files[-1].write_text("".join(json.dumps(line) + "\n" for line in lines))
        try:
            checked_in_memory(lines)
            expected.append(True)
        except (Invalid, Malformed):
            expected.append(False)
    found, differ = Counter[str](), list[str]()
    for file, valid, said in zip(files, expected, verdicts(files), strict=True):
        if said == "UNSUPPORTED":
            found["not decided"] += 1
        elif (said == "VALID") == valid:
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
        found, differ = agreement(arguments.count, arguments.seed, folder, others)
    print(*differ, sep="\n")
    print(", ".join(f"{what}: {number}" for what, number in found.most_common()))


if __name__ == "__main__":
    main()
