"""The seed of the tests that draw their cases at random, and the program of `make test-random`.

`make test` and `make test-long` draw the same cases in every run: hypothesis derives them from each test, and the tests
marked as `random` from FIXED.  `make test-random` draws new ones:

    python -m tests.seeds --seconds 120             a new seed, which is printed; no test begins after 120 seconds
    python -m tests.seeds --seed 7 [ARGUMENTS]      repeats a run, or of it the tests that pytest's arguments select

A test draws the same for a seed, whichever tests run beside it.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time

#: The environment variables that tell the tests of a run its seed, and when it ends (seconds since the epoch).
SEED = "FIBPROVER_SEED"
END = "FIBPROVER_END"

FIXED = 0

#: Tests to draw for: hypothesis marks those that it drives.
RANDOM = "(random or hypothesis) and not long and not browser"


def chosen_seed() -> int:
    """Return the seed of this run."""
    return int(os.environ.get(SEED) or FIXED)


def is_fixed() -> bool:
    """Return whether this run draws what every run draws."""
    return not os.environ.get(SEED)


def is_over() -> bool:
    """Return whether the time of this run is up."""
    return time.time() > float(os.environ.get(END) or "inf")


def main(arguments: list[str]) -> int:
    """Run the tests with a seed; return pytest's status."""
    parser = argparse.ArgumentParser(prog="python -m tests.seeds", description="tests with cases that are drawn anew")
    parser.add_argument("--seed", type=int, help="repeat the run that printed this seed")
    parser.add_argument("--seconds", type=float, help="begin no test after this time")
    options, others = parser.parse_known_args(arguments)
    seed = random.SystemRandom().randrange(1, 2**32) if options.seed is None else options.seed
    environment = os.environ | {SEED: str(seed)}
    if options.seconds:
        environment[END] = str(time.time() + options.seconds)
    print(f"seed {seed}", flush=True)
    command = [sys.executable, "-m", "pytest", "-m", RANDOM, f"--hypothesis-seed={seed}", *others]
    status = subprocess.run(command, env=environment, check=False).returncode
    if status:
        print(f"failed with seed {seed}; to repeat: make test-random SEED={seed}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
