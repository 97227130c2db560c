"""Words from papers, each by a morphism and perhaps a coding, and their sheets: `python -m benchmarks.paper_words`.

Each sheet is made in a process of its own, with limits; a line of the table says how many lines are decided, and what
that took.  Results are kept in a file, one in a line, so that an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time

from fibprover.base.limits import limits_of_part
from fibprover.sheets.study import study

#: CPU seconds of a line, and of a sheet.
LINE, SHEET = 5.0, 120.0


@dataclass(frozen=True, slots=True)
class PaperWord:
    """The rules of a morphism and of a coding ("" without one), and where the word is studied.

    library: the name of the same word in the library, where it is there; it is not in the table then.
    """

    rules: str
    coding: str = ""
    source: str = ""
    library: str = ""


_KERANEN = (
    "abcacdcbcdcadcdbdabacabadbabcbdbcbacbcdcacbabdabacadcbcdcacdbcbacbcdcacdcbdcdadbdcbca"
)


def _keranen() -> str:
    """Return the 85-uniform morphism: the letters a, b, c, d take turns."""
    images = [_KERANEN]
    for _ in range(3):
        images.append(images[-1].translate(str.maketrans("abcd", "bcda")))
    return ", ".join(f"{letter}->{image}" for letter, image in zip("abcd", images, strict=True))


#: The words, by names for the table.  The sources were not all at hand: sheets do not depend on them.
PAPER_WORDS: dict[str, PaperWord] = {
    "Dekking, conjugate -1.449": PaperWord(
        "0->011, 1->0001", "", "Dekking, Strongly non-repetitive sequences and progression-free sets (1979)"
    ),
    "Dekking, three letters": PaperWord("0->0012, 1->112, 2->022", "", "Dekking (1979)"),
    "Chacon": PaperWord("0->0010, 1->1", "", "Chacon (1969); Ferenczi (1995)"),
    "Chacon, primitive": PaperWord("0->0012, 1->12, 2->012", "", "Ferenczi (1995)"),
    "three letters, large adder": PaperWord("0->01, 1->20, 2->0", "", "the flipped Tribonacci morphism"),
    "Keranen": PaperWord(_keranen(), "", "Keranen, Abelian squares are avoidable on 4 letters (1992)"),
    "Leech": PaperWord(
        "0->0121021201210, 1->1202102012021, 2->2010210120102", "", "Leech, A problem on strings of beads (1957)", "LE"
    ),
    "Stewart's choral word": PaperWord("0->001, 1->011", "", "Noche, On Stewart's choral sequence (2008)", "SC"),
    "Mephisto waltz": PaperWord("0->001, 1->110", "", "Jacobs and Keane (1969)", "MW"),
    "Dean": PaperWord("0->01, 1->21, 2->03, 3->23", "", "Dean, A sequence without repeats (1965)"),
    "paperfolding": PaperWord("a->ab, b->cb, c->ad, d->cd", "a->1, b->1, c->0, d->0", "Davis and Knuth (1970)", "P"),
    "Rudin and Shapiro": PaperWord(
        "a->ab, b->ac, c->db, d->dc", "a->0, b->0, c->1, d->1", "Shapiro (1951), Rudin (1959)", "RS"
    ),
    "period doubling": PaperWord("0->01, 1->00", "", "Damanik (2000)", "PD"),
    "ternary period doubling": PaperWord("0->001, 1->002, 2->000", "", "a Toeplitz word with three letters"),
    "Jacobsthal": PaperWord("0->011, 1->0", "", "a system of the Jacobsthal numbers"),
    "silver mean": PaperWord("0->001, 1->0", "", "Baake and Grimm, Aperiodic Order 1 (2013)", "pell"),
    "bronze mean": PaperWord("0->0001, 1->0", "", "Baake and Grimm, Aperiodic Order 1 (2013)"),
    "Thue and Morse": PaperWord("0->01, 1->10", "", "Thue (1906)", "T"),
    "Thue and Morse, three letters": PaperWord("0->01, 1->12, 2->20", "", "Prouhet (1851)"),
    "Thue and Morse, four letters": PaperWord("0->01, 1->12, 2->23, 3->30", "", "Prouhet (1851)"),
    "Thue, square-free": PaperWord("a->abc, b->ac, c->b", "", "Thue (1906)", "VTM"),
    "Tribonacci": PaperWord("0->01, 1->02, 2->0", "", "Rauzy (1982)", "TR"),
    "four bonacci": PaperWord("0->01, 1->02, 2->03, 3->0", "", "Arnoux and Rauzy (1991)", "bonacci4"),
    "Narayana's cows": PaperWord("0->01, 1->2, 2->0", "", "Shallit, Narayana's cows sequence (2025)", "NA"),
    "Narayana's family, the fourth": PaperWord("0->01, 1->2, 2->3, 3->0", "", "Shallit (2025), x_4"),
    "Klouda, three letters": PaperWord("0->0012, 1->2, 2->012", "", "Klouda, Bispecial factors (2012)"),
    "Klouda, five letters": PaperWord(
        "1->1211, 2->311, 3->2412, 4->435, 5->534", "", "Klouda, Bispecial factors (2012)"
    ),
    "blocks of Fibonacci": PaperWord("a->ab, b->a", "a->011, b->01", "an image of the Fibonacci word"),
    "Rote, exponent 5/2": PaperWord(
        "a->ab, b->cb, c->a", "a->011, b->0, c->01",
        "Ollinger and Shallit, The repetition threshold for Rote sequences (2024)",
    ),
    "three letters, non-Pisot": PaperWord("0->01, 1->21, 2->0", "", "the morphism of the Rote word, not coded"),
    "two letters, 1 + sqrt(3)": PaperWord("0->011, 1->01", "", "a conjugate of -0.73"),
    "four letters, not Pisot": PaperWord("0->01, 1->23, 2->0, 3->12", "", "two large eigenvalues"),
    "two letters, not Pisot": PaperWord("0->0111, 1->0", "", "Baake and Grimm, Aperiodic Order 1 (2013)"),
    "unbounded eigenvalues": PaperWord("0->0001, 1->011", "", "an eigenvalue 1.38 beside 3.62"),
    "Arshon": PaperWord(
        "a->ayi, e->eza, i->ixe, x->zex, y->xiy, z->yaz", "a->0, e->1, i->2, x->0, y->1, z->2", "Arshon (1937)",
        "arshon",
    ),
    "twisted Thue-Morse": PaperWord("s->sb, b->ob, o->bo", "s->0, b->0, o->1", "zeros of n in base 2", "TTM"),
    "hiccup, 2 and 3": PaperWord("1->100, 0->10", "", "Fokkink and Joshi, On Cloitre's hiccup sequences (2025)"),
    "hiccup, 2 and 4": PaperWord("1->1000, 0->10", "", "Fokkink and Joshi, On Cloitre's hiccup sequences (2025)"),
    "Toeplitz, 1 2 ?": PaperWord("1->121, 2->122", "", "Jacobs and Keane, 0-1-sequences of Toeplitz type (1969)"),
    "Toeplitz, 1 ? 2": PaperWord("1->112, 2->122", "", "Cassaigne and Karhumaki, Toeplitz words (1997)"),
    "rich, least exponent": PaperWord(
        "0->01, 1->02, 2->022", "0->0, 1->01, 2->011", "Baranwal and Shallit, Repetitions in binary rich words (2019)"
    ),
    "Kolakoski on 3 and 1": PaperWord(
        "a->abc, b->ab, c->b", "a->33, b->31, c->11", "Baake and Sing, Kolakoski-(3,1) is a Pisot substitution (2004)"
    ),
    "additive cubes": PaperWord("0->03, 1->43, 3->1, 4->01", "", "Cassaigne, Currie, Schaeffer and Shallit (2014)"),
    "two letters, 1 + sqrt(2)": PaperWord("0->0110, 1->0", "", "a word of letters 0 in pairs"),
}


@dataclass(frozen=True, slots=True)
class Result:
    """What the sheet of a word took: numbers of lines, CPU seconds, the peak of memory in MB; error: "" for none."""

    name: str
    proved: int = 0
    refuted: int = 0
    open: int = 0
    by_desubstitution: int = 0
    seconds: float = 0.0
    peak: int = 0
    error: str = ""


def measured(name: str, line: float, sheet: float) -> Result:
    """Return what the sheet of a word takes, in this process."""
    word = PAPER_WORDS[name]
    begun = process_time()
    found = study(word.rules, coding=word.coding, limits=limits_of_part(line), cpu_seconds=sheet)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return Result(
        name, found.count("proved"), found.count("refuted"), found.count("open"),
        sum(each.by != "" for each in found.lines), process_time() - begun, peak,
    )


def table(results: Iterable[Result]) -> str:
    """Return the table of the results."""
    lines = [
        "| word | morphism | source | lines | decided | by desubstitution | CPU s | peak MB |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    ]
    for each in results:
        word = PAPER_WORDS[each.name]
        rules = f"`{word.rules}`" if len(word.rules) < 80 else "85-uniform"
        if word.coding:
            rules += f", coded `{word.coding}`"
        decided = each.proved + each.refuted
        cells = [
            each.name, rules, word.source, decided + each.open, decided, each.by_desubstitution, f"{each.seconds:.1f}",
            each.peak,
        ]
        lines.append(f"| {' | '.join(map(str, cells))} |" + (f" {each.error}" if each.error else ""))
    return "\n".join(lines)


def _in_process(name: str, line: float, sheet: float) -> Result:
    """Return the result of a process of its own."""
    command = [sys.executable, "-m", "benchmarks.paper_words", "--line", str(line), "--sheet", str(sheet)]
    done = subprocess.run([*command, "--one", name], capture_output=True, text=True, check=False)
    if done.returncode:
        return Result(name, error=(done.stderr.strip().splitlines() or ["it was killed"])[-1])
    return Result(**json.loads(done.stdout))


def main() -> None:
    """Measure the words that the file does not have, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", default="paper_words.jsonl", help="the file of the results")
    parser.add_argument("--line", type=float, default=LINE, help=f"CPU seconds of a line (default {LINE:g})")
    parser.add_argument("--sheet", type=float, default=SHEET, help=f"CPU seconds of a sheet (default {SHEET:g})")
    parser.add_argument("--one", metavar="NAME", help="measure one word in this process, and print its result")
    arguments = parser.parse_args()
    if arguments.one is not None:
        print(json.dumps(asdict(measured(arguments.one, arguments.line, arguments.sheet))))
        return
    file = Path(arguments.results)
    results = [Result(**json.loads(line)) for line in file.read_text().splitlines()] if file.exists() else []
    known = {each.name for each in results}
    for name, word in PAPER_WORDS.items():
        if name in known or word.library:
            continue
        results.append(_in_process(name, arguments.line, arguments.sheet))
        with file.open("a") as out:
            out.write(json.dumps(asdict(results[-1])) + "\n")
    print(table(results))


if __name__ == "__main__":
    main()
