"""The words of one length with given numbers, as a minimal automaton."""

from __future__ import annotations

from array import array

from fibprover.automata.kernels.python.arrays import Arrays, Csr, exported, nothing
from fibprover.automata.kernels.python.budget import InvalidArrayError, Meter, TooLargeError

#: The accepting node, which nothing follows.
_END: tuple[tuple[int, int], ...] = ()


def numbered_words(a: Csr, marks: bytes | bytearray, length: int, meter: Meter) -> Arrays:
    """Return the words of a of a length whose numbers are marked.

    Words are numbered from 0 in lexicographic order; those beyond the marks are not marked.  Every state of the result
    leads to acceptance, and no two of them accept the same words; without words it has one state.  O(1) for each prefix
    of the words that have marks.
    """
    if not 0 <= length < 1 << 31:
        raise InvalidArrayError("the length of words is negative or above 2^31")
    if any(code >> 31 for code in a.codes):
        raise TooLargeError("letters of numbered words have at most 31 bits")
    nodes = {_END: 0}  # sets of words that can follow: letters with nodes
    root = _root(a, marks, length, nodes, meter)
    if root is None:
        return nothing(meter)
    offsets, codes, targets, outputs = array("q", [0]), array("q"), array("i"), array("i")
    for node in reversed(nodes):
        codes.extend(code for code, _ in node)
        targets.extend(root - target for _, target in node)
        offsets.append(len(codes))
        outputs.append(node == _END)
    return exported(offsets, codes, targets, outputs)


def _root(
    a: Csr, marks: bytes | bytearray, length: int, nodes: dict[tuple[tuple[int, int], ...], int], meter: Meter
) -> int | None:
    """Return the node of all words, None if there are none; it is the last one of the nodes.

    The walk through all prefixes goes depth first; `path` holds the state, the next transition and the children of each
    prefix that is open.
    """
    number, transitions = 0, 0
    path: list[tuple[int, int, list[tuple[int, int]]]] = [(0, a.offsets[0], [])]
    while True:
        meter.work(4)
        state, at, children = path.pop()
        if len(path) < length and at < a.offsets[state + 1] and number < len(marks):
            path.append((state, at + 1, children))
            path.append((a.targets[at], a.offsets[a.targets[at]], []))
            continue
        node: int | None = None
        if len(path) == length:
            if a.outputs[state]:
                node = 0 if number < len(marks) and marks[number] else None
                number += 1
        elif children:
            known = len(nodes)
            node = nodes.setdefault(tuple(children), known)
            if node == known:
                transitions += len(children)
                meter.progress(len(nodes), transitions)
        if not path:
            return node
        if node is not None:
            before = path[-1]
            before[2].append((a.codes[before[1] - 1], node))
