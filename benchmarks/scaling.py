"""How the cost grows: with the number of tracks, with the digits of the system, with the number counted to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.groups import paper_groups
from benchmarks.job import Job
from benchmarks.measure import Budget, Measured, measured, within
from benchmarks.table import Section, seconds, table

#: Of one cell.
BUDGET = Budget(60.0, 4 << 30)

#: U_(t+3) = U_(t+2) + U_(t+1) + U_t, and the same with four terms; under names of their own if there are none.
RECURRENCES = {
    "msd_trib": ((1, 1, 1), (1, 2, 4)),
    "msd_4bonacci": ((1, 1, 1, 1), (1, 2, 4, 8)),
}

#: The command that a cell is about; the one before it makes the system.
SUBJECT = "subject"

Measure = Callable[[Job, int], Measured]


@dataclass(frozen=True, slots=True)
class Series:
    """A table: what it shows, its columns, and for every row a name and a script for each cell."""

    text: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def balanced(tracks: int) -> str:
    """The linear equation with so many variables and half of them on each side: x1+x2=y1 for three."""
    left = (tracks + 1) // 2
    sides = ([f"x{number}" for number in range(left)], [f"y{number}" for number in range(tracks - left)])
    return "=".join("+".join(side) for side in sides)


def atom(system: str, formula: str) -> str:
    """The script of a cell on one formula in a system."""
    return f'def ready "?{system} x=0":\ndef {SUBJECT} "?{system} {formula}":\n'


def tracks(systems: Sequence[str] = ("msd_2", "msd_fib", *RECURRENCES), most: int = 7) -> Series:
    """Linear equations with more and more variables."""
    rows = []
    for count in range(2, most + 1):
        formula = balanced(count)
        rows.append((f"`{formula}`", tuple(atom(system, formula) for system in systems)))
    return Series(
        "A linear equation of 2 to 7 variables: seconds, and states of its minimal automaton.",
        "equation", tuple(systems), tuple(rows),
    )


def digits(games: Sequence[int] = (2, 4, 8, 12, 16, 20), most: int = 5) -> Series:
    """The same equations in the systems of m-Wythoff."""
    formulas = [balanced(count) for count in range(2, most + 1)]
    return Series(
        "Linear equations in the systems of m-Wythoff, whose digits are 0, ..., m: seconds and states.",
        "m", tuple(f"`{formula}`" for formula in formulas),
        tuple((str(m), tuple(atom(f"msd_wythoff_{m}", formula) for formula in formulas)) for m in games),
    )


def counts(most: int = 6, copies: int = 4) -> Series:
    """At least k options in the set of W^3: by a counting quantifier, and by k copies that differ pairwise."""
    (group,) = (one for one in paper_groups() if one.name == "W3")
    known = "\n".join(command for command in group.commands if not command.startswith("eval")) + "\n"
    rows = []
    for k in range(1, most + 1):
        counted = f"E>={k} r,s ($optW(p,q,r,s) & $pposW3(r,s))"
        scripts = [known + f'def {SUBJECT} "?msd_fib {counted}":\n']
        if k <= copies:
            scripts.append(known + f'def {SUBJECT} "?msd_fib {copied(k)}":\n')
        rows.append((str(k), (*scripts, "")[:2]))
    return Series(
        "At least k options in the set of W^3, with the counting quantifier E>=k and with k copies that differ "
        "pairwise (as printed for k = 3): seconds, and states of the largest automaton.",
        "k", ("counting", "copies"), tuple(rows),
    )


def copied(k: int) -> str:
    """At least k options in the set of W^3, as the paper writes it."""
    pairs = [(f"r{i}", f"s{i}") for i in range(k)]
    parts = [f"$optW(p,q,{r},{s}) & $pposW3({r},{s})" for r, s in pairs]
    parts += [f"({r}!={t}|{s}!={u})" for i, (r, s) in enumerate(pairs) for t, u in pairs[:i]]
    return f"E{','.join(name for pair in pairs for name in pair)} (" + " & ".join(parts) + ")"


def series() -> list[tuple[Series, str]]:
    """Everything that is measured, and whether a cell shows `states` or the `largest` automaton."""
    return [(tracks(), "states"), (digits(), "states"), (counts(), "largest")]


def scaling(
    wanted: Sequence[tuple[Series, str]], runs: int, note: Callable[[str], None],
    measure: Measure = measured, budget: Budget = BUDGET,
) -> Section:
    """A table for each series; a column is given up where its budget has been spent once."""
    parts = [f"Seconds of one command. Each may spend {budget.seconds:g} s and {budget.bytes / (1 << 30):g} GB."]
    for one, size in wanted:
        over: set[str] = set()
        lines = []
        for row, scripts in one.rows:
            cells = []
            for column, script in zip(one.columns, scripts, strict=True):
                if not script or column in over:
                    cells.append("")
                    continue
                note(f"{one.corner} {row}, {column}")
                job = Job(script, recurrences={name: pair for name, pair in RECURRENCES.items() if name in script})
                found = measure(within(job, budget), runs)
                if found.failure:
                    over.add(column)
                cells.append(found.failure or f"{seconds(found.of(SUBJECT, 'seconds'))}, {found.of(SUBJECT, size):g}")
            lines.append([row, *cells])
        parts += [one.text, table([one.corner, *one.columns], lines)]
    return Section("How the cost grows", tuple(parts))
