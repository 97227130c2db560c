"""Certifies the theorems of proofs/, a script after the other, and prints a table of what is certified and checked.

    python -m benchmarks.theorem_certificates FOLDER [--timeout 60] [--max-memory 4G] [--long] [--table] [SCRIPT ...]

The certificates, and what `fibprover prove --json` says of each script, are kept in the folder with the options and a
digest of the script: a script that has been finished there with the same ones is not tried again, so that a run may be
stopped and given again.  --table prints what is there that was made with these options.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.table import seconds, table
from fibprover.base.files import write_text

PROOFS = Path(__file__).resolve().parents[1] / "proofs"
HEADER = ("script", "theorems", "certified", "by both checkers", "median KB", "largest KB", "written, s", "checked, s")

Row = dict[str, Any]


def scripts(names: Sequence[str]) -> list[Path]:
    """Return the scripts of these names, or all of them."""
    found = sorted(path for path in PROOFS.glob("*.py") if not path.name.startswith("_"))
    return [path for path in found if not names or path.stem in names]


def made_with(script: Path, options: Sequence[str]) -> dict[str, Any]:
    """Return what the results of a script are kept with: other options, or another script, have other results."""
    return {"options": list(options), "script": sha256(script.read_bytes()).hexdigest()}


def kept(script: Path, folder: Path, options: Sequence[str]) -> Sequence[Row] | None:
    """Return what the folder has of a script, if it was made with these options; None otherwise."""
    try:
        found = json.loads((folder / f"{script.stem}.json").read_text())
    except FileNotFoundError:
        return None
    # What an earlier program has written is a list, and says nothing of options.
    same = isinstance(found, dict) and found.get("made_with") == made_with(script, options)
    return found["rows"] if same else None


def certify(script: Path, folder: Path, options: Sequence[str]) -> None:
    """Prove and certify the theorems of a script, and keep what is found about them."""
    before, result = made_with(script, options), folder / f"{script.stem}.rows"
    result.unlink(missing_ok=True)
    command = [sys.executable, "-m", "fibprover", "prove", "--no-vacuity", "--jobs", "1", "--certificates",
               str(folder / "certificates"), "--json", str(result), *options, str(script)]
    subprocess.run(command, stdout=sys.stderr, check=False)
    if result.exists():
        found = {"made_with": before, "rows": json.loads(result.read_text())}
        write_text(folder / f"{script.stem}.json", json.dumps(found))
        result.unlink()


def cells(name: str, rows: Sequence[Row]) -> list[str]:
    """Return the cells of a script: of the theorems that are decided, those that have a certificate."""
    decided = [row for row in rows if row["verdict"] is not None]
    made = [row["certificate"] for row in decided if row.get("certificate")]
    checked = [each for each in made if each["checked"]]
    sizes = [each["bytes"] / 1000 for each in checked]
    return [
        name, f"{len(decided):,}", f"{len(checked):,}", f"{sum(each['verified'] for each in checked):,}",
        f"{median(sizes):.1f}" if sizes else "-", f"{max(sizes):.1f}" if sizes else "-",
        seconds(sum(each["written_seconds"] for each in checked)),
        seconds(sum(each["checked_seconds"] for each in checked)),
    ]


def report(found: dict[str, Sequence[Row]]) -> str:
    """Return the table, the last row of all, and how often which reason was given."""
    lines = [cells(name, rows) for name, rows in found.items()]
    whole = [row for rows in found.values() for row in rows]
    reasons = Counter(row["certificate"]["reason"] for row in whole
                      if row.get("certificate") and not row["certificate"]["checked"])
    skipped = sum(row["skipped"] for row in whole)
    undecided = sum(row["verdict"] is None and not row["skipped"] for row in whole)
    return "\n".join([
        table(HEADER, [*lines, cells("all", whole)]), "",
        f"{skipped:,} skipped as they take long, {undecided:,} not decided",
        *(f"{count:,} not certified: {reason}" for reason, count in reasons.most_common()),
    ])


def main(arguments: list[str] | None = None) -> int:
    """Certify what is asked for, and print the table."""
    parser = argparse.ArgumentParser(description="certify the theorems of proofs/")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("names", nargs="*", metavar="SCRIPT")
    parser.add_argument("--timeout", default="60", metavar="SECONDS")
    parser.add_argument("--max-memory", default="4G", metavar="SIZE")
    parser.add_argument("--long", action="store_true", help="also the theorems that take long")
    parser.add_argument("--table", action="store_true", help="print the table of what is there, and certify nothing")
    options = parser.parse_intermixed_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    passed = ["--timeout", options.timeout, "--max-memory", options.max_memory, *(["--long"] if options.long else [])]
    found: dict[str, Sequence[Row]] = {}
    for script in scripts(options.names):
        rows = kept(script, options.folder, passed)
        if rows is None and not options.table:
            certify(script, options.folder, passed)
            rows = kept(script, options.folder, passed)
        if rows is not None:
            found[script.stem] = rows
    print(report(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
