"""The conjecture on redundant moves of m-Wythoff as a sweep: `python -m benchmarks.redundant_moves 2..30`.

    python -m benchmarks.redundant_moves 2..30 --store work.sqlite
    python -m benchmarks.redundant_moves 2,5,8 -j 2 --dask local

For each m the commands and the formulas of proofs/m_wythoff.py: the set P is terminal, stable and absorbing, and the
redundant moves are those of the conjecture.  A line for each m has the states of `needed`, seconds and peak memory.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from runpy import run_path
from typing import Any

import fibprover as fp
from fibprover.campaigns.game_families import read_ranges
from fibprover.campaigns.sweeps.store import TaskRecord

CHAPTER = Path(__file__).parents[1] / "proofs" / "m_wythoff.py"


def conjecture(m: int) -> dict[str, Any]:
    """Prove what the chapter has on one game; return the verdicts, and the states of the needed moves."""
    chapter = run_path(str(CHAPTER))
    session = fp.Session(f"msd_wythoff_{m}")
    session.run(chapter["definitions"](m))
    said = {"terminal": chapter["TERMINAL"], "stable": chapter["STABLE"], "absorbing": chapter["ABSORBING"]}
    said["redundant"] = chapter["redundant"](m)
    verdicts = {name: session.prove(formula).truth for name, formula in said.items()}
    return {"m": m, "verdicts": verdicts, "needed": session.relation("$needed(i,j)").states}


def line_of(record: TaskRecord) -> str:
    """Return the line of one game."""
    cost = f"{record.seconds or 0.0:.1f} s, {(record.peak_bytes or 0) / 1e6:.0f} MB"
    if record.state == "failed":
        return f"{record.what}: {record.error} ({cost})"
    verdicts = record.result["verdicts"]
    wrong = [name for name, truth in verdicts.items() if not truth]
    said = f"FALSE: {', '.join(wrong)}" if wrong else "proved"
    return f"{record.what}: {said}, {record.result['needed']} states ({cost})"


def main() -> int:
    """Sweep over the values of m; return 0 if all is proved."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("values", help="such as 2..30 or 2,5,8")
    parser.add_argument("--store")
    parser.add_argument("--dask")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=float)
    given = parser.parse_args()
    records = fp.sweep(
        conjecture, read_ranges([f"m={given.values}"])["m"], store=given.store, dask=given.dask, jobs=given.jobs,
        limits=fp.Limits(seconds=given.timeout), watch=lambda record: print(line_of(record), flush=True),
        name=lambda m: f"m = {m}",
    )
    return int(any(record.state != "done" or not all(record.result["verdicts"].values()) for record in records))


if __name__ == "__main__":
    # As a module, which processes of the sweep import, and not as __main__.
    from benchmarks import redundant_moves

    sys.exit(redundant_moves.main())
