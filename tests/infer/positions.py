"""P-positions by plain recursion, and the sequences by which the paper codes them."""

from __future__ import annotations

import json
from math import isqrt
from pathlib import Path
from typing import Any

WORDS = Path(__file__).resolve().parents[2] / "proofs" / "words.json"


def golden(n: int) -> int:
    """floor(n phi)."""
    return (n + isqrt(5 * n * n)) // 2


def queens(terminal: int, bound: int) -> tuple[list[int], list[int]]:
    """Return the P-positions (a, b), a <= b, of K^terminal that are not terminal, for a < bound, in order of a.

    Row by row: the first column that no P-position found so far shares, and no terminal one.
    """
    columns = set(range(terminal + 1))
    diagonals = set(range(terminal + 1))
    found = []
    start = terminal + 1
    for a in range(terminal + 1, bound):
        if a in columns:
            continue
        while start in diagonals:
            start += 1
        difference = start
        while difference in diagonals or a + difference in columns:
            difference += 1
        columns |= {a, a + difference}
        diagonals.add(difference)
        found.append((a, a + difference))
    return [a for a, _ in found], [b for _, b in found]


def of_all_moves(terminal: int, bound: int) -> set[tuple[int, int]]:
    """Return all P-positions of K^terminal below a bound, directly from the rules."""
    found: set[tuple[int, int]] = set()
    for total in range(2 * bound - 1):
        for x in range(max(0, total - bound + 1), min(total, bound - 1) + 1):
            y = total - x
            moves = [(x - k, y) for k in range(1, x + 1)] + [(x, y - k) for k in range(1, y + 1)]
            moves += [(x - k, y - k) for k in range(1, min(x, y) + 1)]
            if total <= terminal or not any(position in found for position in moves):
                found.add((x, y))
    return found


def s_m_game(s: int, m: int, bound: int) -> tuple[list[int], list[int]]:
    """Return the P-positions (a, b) of Fraenkel's (s,m)-game: a by mex, b = s a + m n."""
    taken: set[int] = set()
    a, first, second = 0, [], []
    while a < bound:
        if a not in taken:
            first.append(a)
            second.append(s * a + m * (len(first) - 1))
            taken |= {a, second[-1]}
        a += 1
    return first, second


def offsets(terminal: int, length: int) -> list[int]:
    """Return the paper's g_l for K^l: the difference of a(n) and a multiple of phi."""
    a, _ = queens(terminal, 2 * length + 50)
    if terminal == 2:
        return [1, 0, *(a[n - 2] - golden(n) + 1 for n in range(2, length))]
    more = {3: 1, 4: 0}[terminal]
    return [1, *(a[n - 1] - golden(n + 1) + more for n in range(1, length))]


def coded(terminal: int, length: int) -> list[int]:
    """Return the word that codes K^l in the paper's morphic characterization: 1 at each a, 2 at each b."""
    first = terminal + 1
    a, b = queens(terminal, length + first)
    letters = dict.fromkeys(a, 1) | dict.fromkeys(b, 2)
    return [letters[n] for n in range(first, first + length)]


#: Name in words.json, the sequence, the depth of types in the paper and the letters it has.
PAPER: list[tuple[str, Any, int, int]] = [
    ("G", lambda length: offsets(2, length), 2, 6),
    ("K3", lambda length: offsets(3, length), 3, 12),
    ("K4", lambda length: offsets(4, length), 4, 18),
    ("F1G1", lambda length: coded(1, length), 1, 4),
    ("F2G2", lambda length: coded(2, length), 4, 16),
    ("F3G3", lambda length: coded(3, length), 5, 22),
]


def published() -> Any:
    """Return the paper's morphisms and codings."""
    return json.loads(WORDS.read_text())
