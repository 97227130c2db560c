"""Sequences solved from their recursions: `python -m benchmarks.sequences` prints the tables of SEQUENCES.md.

The list, and the terms by definition with which each sequence is compared, are those of the tests.
"""

from __future__ import annotations

import re
from time import process_time

import fibprover as fp
from tests.sequences.regular import EXAMPLES, NOT_REGULAR, Example, first

#: So many terms are compared.
COMPARED = 2000


def row(example: Example) -> str:
    """Return the row of a sequence: its recursion, the dimension, and processor seconds."""
    arguments = []
    for text in example.equations:
        named = re.match(r"(\?\w+ )?(\w+)\(", text)
        assert named is not None
        arguments += [named[2], text]
    session = fp.Session()
    begun = process_time()
    solution = session.solve(*arguments)
    seconds = process_time() - begun
    sequence = solution.sequences["a"]
    agrees = sequence[:COMPARED] == first(example, COMPARED)
    assert agrees, example.name
    equations = "; ".join(example.equations)
    return (
        f"| {example.name} | {example.source} | `{equations}` | {solution.theorem.system} | {sequence.dimension} | "
        f"{len(solution.theorem.proved)} | {seconds:.2f} |"
    )


def refused(text: str, source: str) -> str:
    """Return the row of a recursion without a linear representation."""
    begun = process_time()
    try:
        fp.Session().solve("a", text)
    except fp.FibproverError as problem:
        return f"| {source} | `{text}` | {problem.message} | {process_time() - begun:.1f} |"
    raise AssertionError(text)


def main() -> None:
    """Print the tables."""
    print("| | source | recursion | system | dimension | equations proved | seconds |\n|---|---|---|---|---|---|---|")
    for example in EXAMPLES:
        print(row(example))
    print("\n| source | recursion | answer | seconds |\n|---|---|---|---|")
    for text, _, source in NOT_REGULAR:
        print(refused(text, source))


if __name__ == "__main__":
    main()
