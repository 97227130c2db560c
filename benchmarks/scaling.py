"""Measures how the cost grows: with the number of tracks, the digits of the system, the number counted to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.groups import paper_groups
from benchmarks.job import Job
from benchmarks.measure import Budget, Measured, measured, within
from benchmarks.table import Section, seconds, table

#: The budget of one cell.
BUDGET = Budget(60.0, 4 << 30)

#: Cells are run again if they take less than this; there are many of them.
PATIENCE = 3.0

#: U_(t+3) = U_(t+2) + U_(t+1) + U_t, and the same with four terms; under names of their own if there are none.
RECURRENCES = {
    "msd_trib": ((1, 1, 1), (1, 2, 4)),
    "msd_4bonacci": ((1, 1, 1, 1), (1, 2, 4, 8)),
}

#: The command that a cell is about; the one before it makes the system.
SUBJECT = "subject"

Measure = Callable[[Job, int, Sequence[bool], float], Measured]


@dataclass(frozen=True, slots=True)
class Series:
    """A table.

    text: what it shows; size: which number of the subject stands beside its seconds; corner: what the rows
    are called; columns: their titles, and the rules that are switched off there; rows: a name, and a script
    for each cell, empty where there is no cell.
    """

    text: str
    size: str
    corner: str
    columns: tuple[tuple[str, tuple[str, ...]], ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def balanced(tracks: int) -> str:
    """Return the linear equation with so many variables and half of them on each side: x1+x2=y1 for three."""
    left = (tracks + 1) // 2
    sides = ([f"x{number}" for number in range(left)], [f"y{number}" for number in range(tracks - left)])
    return "=".join("+".join(side) for side in sides)


def atom(system: str, formula: str) -> str:
    """Return the script of a cell about one formula in a system."""
    return f'def ready "?{system} x=0":\ndef {SUBJECT} "?{system} {formula}":\n'


def tracks(systems: Sequence[str] = ("msd_2", "msd_fib", *RECURRENCES), most: int = 7) -> Series:
    """Return linear equations with more and more variables."""
    rows = []
    for count in range(2, most + 1):
        formula = balanced(count)
        rows.append((f"`{formula}`", tuple(atom(system, formula) for system in systems)))
    return Series(
        "A linear equation with more and more variables: seconds, and states of its minimal automaton.",
        "states", "equation", tuple((system, ()) for system in systems), tuple(rows),
    )


def digits(games: Sequence[int] = (2, 4, 8, 12, 16, 20), most: int = 5) -> Series:
    """Return the same equations in the systems of m-Wythoff."""
    formulas = [balanced(count) for count in range(2, most + 1)]
    return Series(
        "Linear equations in the systems of m-Wythoff, whose digits are 0, ..., m: seconds and transitions.",
        "transitions", "m", tuple((f"`{formula}`", ()) for formula in formulas),
        tuple((str(m), tuple(atom(f"msd_wythoff_{m}", formula) for formula in formulas)) for m in games),
    )


def counts(most: int = 6, copies: int = 4) -> Series:
    """Return "at least k options in the set of W^3": by a counting quantifier, and by k copies that differ pairwise."""
    (group,) = (one for one in paper_groups() if one.name == "W3")
    known = "\n".join(command for command in group.commands if not command.startswith("eval")) + "\n"
    rows = []
    for k in range(1, most + 1):
        counted = f"E>={k} r,s ($optW(p,q,r,s) & $pposW3(r,s))"
        by_counting, by_copies = (known + f'def {SUBJECT} "?msd_fib {text}":\n' for text in (counted, copied(k)))
        rows.append((str(k), (by_counting, *([by_copies if k <= copies else ""] * 2))))
    return Series(
        "At least k options in the set of W^3, with the counting quantifier E>=k and with k copies that differ "
        "pairwise (as printed for k = 3), which the rule `counting` turns into the former: seconds, and states of the "
        "largest automaton.",
        "largest", "k", (("E>=k", ()), ("copies", ()), ("copies, without `counting`", ("counting",))), tuple(rows),
    )


def copied(k: int) -> str:
    """Return "at least k options in the set of W^3" as the paper writes it."""
    pairs = [(f"r{i}", f"s{i}") for i in range(k)]
    parts = [f"$optW(p,q,{r},{s}) & $pposW3({r},{s})" for r, s in pairs]
    parts += [f"({r}!={t}|{s}!={u})" for i, (r, s) in enumerate(pairs) for t, u in pairs[:i]]
    return f"E{','.join(name for pair in pairs for name in pair)} (" + " & ".join(parts) + ")"


def series() -> list[Series]:
    """Return all series."""
    return [tracks(), digits(), counts()]


def scaling(
    wanted: Sequence[Series], runs: int, note: Callable[[str], None],
    measure: Measure = measured, budget: Budget = BUDGET,
) -> Section:
    """Return a table for each series; a column ends where its budget has been spent once."""
    parts = [f"Seconds of one command. Each may spend {budget.seconds:g} s and {budget.bytes / (1 << 30):g} GB."]
    for one in wanted:
        over: set[str] = set()
        lines = []
        for row, scripts in one.rows:
            cells = []
            for (column, off), script in zip(one.columns, scripts, strict=True):
                if not script or column in over:
                    cells.append("")
                    continue
                note(f"{one.corner} {row}, {column}")
                systems = {name: pair for name, pair in RECURRENCES.items() if name in script}
                found = measure(within(Job(script, recurrences=systems, without=off), budget), runs, (), PATIENCE)
                if found.failure:
                    over.add(column)
                    cells.append(found.failure)
                else:
                    cells.append(f"{seconds(found.of(SUBJECT, 'seconds'))}, {found.of(SUBJECT, one.size):.0f}")
            lines.append([row, *cells])
        parts += [one.text, table([one.corner, *(column for column, _ in one.columns)], lines)]
    return Section("How the cost grows", tuple(parts))
