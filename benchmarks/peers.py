"""Where the time of scripts goes, beside figures of another program: `python -m benchmarks.peers -o FILE`.

Each script is a process of its own, as `fibprover run` carries it out, with a folder for its files.  Its processor
seconds are those of its parts: start (Python, imports, the session), plan (from the text to the plan), engine (the
automata), evidence (witnesses and counterexamples), writing (files and answers).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.groups import paper_groups
from benchmarks.measure import Measured, Run, ended, failed, repeated
from benchmarks.parts import PARTS
from benchmarks.table import Section, megabytes, page, seconds, table

#: Seconds after which a script is ended.
PATIENCE = 30

#: Words of the library with their systems.
GENERIC = {
    "msd_2": "T", "lsd_2": "PR", "msd_3": "MW", "msd_fib": "F", "msd_trib": "TR", "msd_4bonacci": "bonacci4",
    "msd_narayana": "NA", "msd_wythoff_2": "pell",
}

#: What is asked of the word W over each of these systems S.
QUESTIONS = {
    "squares": 'eval q "?S Ei,n n>0 & Ak k<n => W[i+k]=W[i+k+n]":',
    "orders": 'def q "?S n>0 & Ei Ak k<n => W[i+k]=W[i+k+n]":',
    "palindromes": 'def p "?S Ei Ak k<n => W[i+k]=W[i+n-1-k]":',
    "borders": 'def b "?S 0<m & m<n & Ak k<m => W[k]=W[n-m+k]":',
    "recurrent": 'eval r "?S An,i Ej j>i & Ak k<n => W[i+k]=W[j+k]":',
    "letters": 'def l "?S Ej i<j & W[j]!=W[i] & Ak i<k & k<j => W[k]=W[i]":',
    "sums": 'def s "?S Ei,j W[i]=@1 & W[j]=@1 & n=i+j":\neval t "?S Em An n>m => $s(n)":',
    "multiples": 'eval m "?S Ax Ey,r x=7*y+r & r<7":',
}

#: Scripts that are slow somewhere, with the processor seconds that walnut-rs took on 2026-11-22 or 25: "" where that is
#: not known, "> S" where it had not ended then.
KNOWN: Mapping[str, tuple[str, float | str]] = {
    "lsd, 17 letters before a 1": ('reg b lsd_2 "%s1(0|1)*":\neval q "?lsd_2 Ex $b(x)":' % ("(0|1)" * 17), 0.00),
    "PF, reversals": ('def rev "?lsd_2 Ak k<n => PF[f][i+k]=PF[f][j+n-1-k]":', 0.03),
    "PF, equal factors of two": ('def pfe "?lsd_2 Ak k<n => PF[f][i+k]=PF[g][j+k]":', 0.45),
    "ost [0] [1 2 3 4 5]": ("ost o2 [0] [1 2 3 4 5]:", 0.01),
    "TR, the same three times": (
        'def a "?msd_trib (Ak k<n => TR[i+k]=TR[j+k]) & i<j":\ndef b "?msd_trib (Ak k<n => TR[i+k]=TR[j+k]) & i<j":\n'
        'def c "?msd_trib (Ak k<n => TR[i+k]=TR[j+k]) & i>j":', "",
    ),
    "TR, no cube, with its witness": ('eval c "?msd_trib Ei,n n>0 & Ak k<2*n => TR[i+k]=TR[i+k+n]":', ""),
    "TR, sums of 4 letters": (
        'def s "?msd_trib Ei,j,k,l TR[i]=@1 & TR[j]=@1 & TR[k]=@1 & TR[l]=@1 & n=i+j+k+l":', 0.26,
    ),
    "TR, sums of 5 letters": (
        'def s "?msd_trib Ei,j,k,l,m TR[i]=@1 & TR[j]=@1 & TR[k]=@1 & TR[l]=@1 & TR[m]=@1 & n=i+j+k+l+m":', 0.49,
    ),
    "base 10, sum of 4": ('def a "?msd_10 x+y+z+u=v":', 1.1),
    "base 30, sum of 4": ('def a "?msd_30 x+y+z+u=v":', ""),
    "a 1 before 14 letters": ('reg r {0,1} "(0|1)*1%s":' % ("(0|1)" * 14), 0.19),
    "a 1 before 17 letters": ('reg r {0,1} "(0|1)*1%s":' % ("(0|1)" * 17), 3.2),
    "pairs of bits 11 apart": (
        'reg r msd_2 msd_2 "([0,0]|[1,0])*[1,1]%s":\ndef p "~Ey $r(x,y)":\n'
        'eval q "Ax x>0 => Ez z>x & ~Ey $r(z,y) & ~Ey $r(z+x,y)":' % ("([0,0]|[1,0])" * 11), 0.80,
    ),
    "TR, equal factors": ('def f "?msd_trib Ak k<n => TR[i+k]=TR[j+k]":', "> 9"),
    "FTM, equal factors": ('def f "?msd_fib Ak k<n => FTM[i+k]=FTM[j+k]":', "> 42"),
    "TR, periods of cubes": ('def r "?msd_trib p>=1 & Ei Aj j<=2*p => TR[i+j]=TR[i+j+p]":', "> 15"),
    "HC, squares": ('eval l "?msd_4 Ei,n n>0 & Ak k<n => HC[i+k]=HC[i+k+n]":', "> 21"),
    "coins of 6, 9 and 20": ('eval f "?msd_trib Ex Ay y>x => Ea,b,c y=6*a+9*b+20*c":', "> 7"),
    "x = y/1000": ('def a "?msd_fib x=y/1000":', "> 10"),
    "x = 1000*y": ('def a "?msd_fib x=1000*y":', "> 20"),
}

#: Other scripts over Ostrowski systems.
OSTROWSKI = {
    "ost [0 3] [1 2], order": 'ost o [0 3] [1 2]:\neval t "?msd_o Ax,y x<y => Ez x+z=y & z>0":',
    "ost [12 11] [3], thirds": 'ost o [12 11] [3]:\neval t "?msd_o Ax Ey,r x=3*y+r & r<3":',
    "msd_ost_0_2_per_1_3, order": 'eval t "?msd_ost_0_2_per_1_3 Ax,y x<y => Ez x+z=y & z>0":',
    "lsd_ost_0_2_per_1_3, order": 'eval t "?lsd_ost_0_2_per_1_3 Ax,y x<y => Ez x+z=y & z>0":',
}


class Script(NamedTuple):
    """A script with its group, and the processor seconds that another program took, None if they were not measured."""

    group: str
    name: str
    text: str
    peer: float | str | None = None


def scripts() -> list[Script]:
    """Return all scripts."""
    found = [Script("paper", group.name, group.script) for group in paper_groups()]
    for system, word in GENERIC.items():
        found += [
            Script("generic", f"{word}, {name}", text.replace("?S", f"?{system}").replace("W[", f"{word}["))
            for name, text in QUESTIONS.items()
        ]
    found += [Script("known", name, text, peer) for name, (text, peer) in KNOWN.items()]
    return found + [Script("ostrowski", name, text) for name, text in OSTROWSKI.items()]



def parts_of(script: Script) -> Run | str:
    """Run a script once, in a process and a folder of its own; return the cell of a table if it has failed."""
    with tempfile.TemporaryDirectory() as folder:
        file, answer = Path(folder) / "script.txt", Path(folder) / "answer.json"
        file.write_text(script.text + "\n")
        done = ended([sys.executable, "-m", "benchmarks.parts", str(file), str(answer)], seconds=PATIENCE)
        if done.status is None:
            return f"> {PATIENCE} s"
        found = json.loads(answer.read_text()) if answer.exists() else {"status": done.status}
    return failed(done) if found["status"] not in (0, 1) else Run(done.seconds, done.processor, found["peak"], found)


def row(script: Script, found: Measured) -> list[str]:
    """Return the cells of a script: medians of the seconds of its parts."""
    peer = f"{script.peer:.2f}" if isinstance(script.peer, float) else script.peer or ""
    if found.failure:
        return [script.group, script.name, found.failure, *[""] * (len(PARTS) + 2), peer]
    parts = [median(run.answer["parts"][part] for run in found.runs) for part in PARTS]
    hits, misses = (found.runs[-1].answer[name] for name in ("hits", "misses"))
    return [
        script.group, script.name, seconds(sum(parts)), *map(seconds, parts), megabytes(found.peak),
        f"{hits} of {hits + misses}", peer,
    ]


def main(arguments: Sequence[str]) -> int:
    """Measure the scripts."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", nargs="*", help="groups or scripts")
    parser.add_argument("-o", dest="output", type=Path)
    options = parser.parse_args(arguments)
    rows = []
    for script in scripts():
        if not options.only or {script.group, script.name} & set(options.only):
            rows.append(row(script, repeated(partial(parts_of, script), options.runs)))
            print(*rows[-1][:3], file=sys.stderr, flush=True)
    header = ["group", "script", "seconds", *PARTS, "MB", "looked up", "walnut-rs"]
    told = (__doc__ or "").partition("\n\n")[2].replace("\n", " ")
    text = page([Section("Scripts, processor seconds", (told, table(header, rows, left=2)))], options.runs)
    if options.output is None:
        print(text)
    else:
        options.output.write_text(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
