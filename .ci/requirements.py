"""Prints requirements of pyproject.toml, one a line, for `pip install -r /dev/stdin`.

    python .ci/requirements.py docs           those of the extra `docs`
    python .ci/requirements.py needed         the dependencies, the extra `labels`, and what builds the kernels
    python .ci/requirements.py all            the dependencies and those of every extra
    python .ci/requirements.py all --oldest   the same, each pinned to its lower bound: constraints for pip
"""

import re
import sys
import tomllib
from pathlib import Path

FILE = tomllib.loads((Path(__file__).resolve().parent.parent / "pyproject.toml").read_text())
PROJECT = FILE["project"]


def requirements(extra: str) -> list[str]:
    """Return the requirements of an extra, of an installation (`needed`), or all that there are."""
    extras: dict[str, list[str]] = PROJECT["optional-dependencies"]
    if extra == "needed":
        # Who can compile the kernels can compile pyeda: what is drawn here has the labels that the tests compare.
        return [*PROJECT["dependencies"], *extras["labels"], *FILE["build-system"]["requires"]]
    if extra != "all":
        return extras[extra]
    return sorted({*PROJECT["dependencies"], *(each for group in extras.values() for each in group)})


def oldest(requirement: str) -> str:
    """Return `name==bound` for `name[extras]>=bound,<other`, as constraints may not name extras."""
    match = re.fullmatch(r"([\w.-]+)(?:\[[\w,]+\])?>=([\d.]+)(?:,.*)?", requirement)
    if match is None:
        raise SystemExit(f"{requirement} has no lower bound")
    return f"{match[1]}=={match[2]}"


if __name__ == "__main__":
    chosen = requirements(sys.argv[1])
    # Markers are for browsers, and nobody runs this there; without spaces a shell can hand each on as one word.
    plain = [requirement.partition(";")[0] for requirement in chosen]
    print(*(map(oldest, plain) if "--oldest" in sys.argv else plain), sep="\n")
