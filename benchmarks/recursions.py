"""Measures relations that are defined by recursion: what `solve` takes, against the direct formula where there is one.

    python -m benchmarks.recursions [--timeout 60] [--max-memory 4] [--random 50] [NAME ...]

NAME is a group (see GROUPS) or the title of a row; without, all are measured.  The rows are printed as they are known.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.job import Job
from benchmarks.measure import Budget, Measured, measured, within
from benchmarks.table import megabytes, seconds, table
from fibprover.games.catalogue import game_named
from fibprover.learn.standard import FORMULAS, RECURSIONS, has_predicates
from fibprover.words.automatic import AutomaticWord
from fibprover.words.letter_comparison import equal_letters
from fibprover.workspace.session import Session

HEADER = ("relation", "states", "rounds", "questions", "learning", "proof", "MB", "direct, s", "direct, MB")


@dataclass(frozen=True, slots=True)
class Case:
    """A row: the commands before, the arguments of `solve`, and the same relation as a formula, "" if none is known.

    words: a JSON file of words, as `Session.load_words` reads it, for the words that the library does not have.
    """

    title: str
    solve: str
    direct: str = ""
    before: str = ""
    words: Mapping[str, Any] | None = None

    def job(self, command: str, folder: Path) -> Job:
        """Return the job that carries out one command after those before it."""
        words = None
        if self.words is not None:
            file = folder / "words.json"
            file.write_text(json.dumps(self.words))
            words = str(file)
        return Job(f"{self.before}\n{command}\n", words)


def factors(count: int) -> Iterator[Case]:
    """Yield equality of factors for the words of the library with one index."""
    for word in Session().namespace.library_words.values():
        if has_predicates(word):
            yield of_word("feq", word)


def of_word(kind: str, word: AutomaticWord, **more: Any) -> Case:
    """Return the case of a predicate of a word."""
    letters, system, name = equal_letters(word), word.tracks[0].system, word.name
    recursion, direct = (form[kind](letters).in_system(system) for form in (RECURSIONS, FORMULAS))
    return Case(f"{kind}_{name}", f'solve {kind}_{name} "{recursion}" by n;', f'def direct "{direct}";', **more)


def random_words(count: int) -> Iterator[Case]:
    """Yield equality of factors and palindromes for random words of 5 to 60 letters: half of them 2-uniform, half over
    Zeckendorf's system.
    """
    for number in range(count):
        random = Random(number)
        letters = 5 + 55 * number // max(1, count - 1)
        system = ("msd_2", "msd_fib")[number % 2]
        if number % 2:
            # Letters of the first half may be followed by a digit 1, the others may not.
            half = (letters + 1) // 2
            images = [[random.randrange(half), random.randrange(half, letters)] for _ in range(half)]
            images += [[random.randrange(half)] for _ in range(letters - half)]
        else:
            images = [[random.randrange(letters) for _ in range(2)] for _ in range(letters)]
        images[0][0] = 0
        outputs = random.choice([2, 3, letters])
        coding = [random.randrange(outputs) for _ in range(letters)]
        name = f"R{number}"
        words = {name: {"morphism": images, "coding": coding, "system": system}}
        session = Session(system)
        session.define_morphic_word(name, images, coding)
        for kind in ("feq", "pal"):
            yield of_word(kind, session.namespace.words[name], words=words)


def sums(count: int) -> Iterator[Case]:
    """Yield the sums of letters of words: an automaton exists only if the word is balanced enough."""
    for name, word in Session().namespace.library_words.items():
        if not has_predicates(word) or min(word.outputs) < 0 or word.tracks[0].system.startswith("lsd"):
            continue
        cases = " | ".join(f"({name}[m]=@{letter} & s=r+{letter})" for letter in word.outputs)
        recursion = f"?{word.tracks[0].system} (n=0 & s=0) | Em,r n=m+1 & $sum_{name}(m,r) & ({cases})"
        yield Case(f"sum_{name}", f'solve sum_{name} "{recursion}" by n;')


def sequences(count: int) -> Iterator[Case]:
    """Yield Hofstadter's sequences, and the P-positions (a_n, b_n) of K^1 to K^4 by the mex rule."""
    yield Case("Hofstadter G", 'solve G "?msd_fib (n=0 & v=0) | Em,a,b n=m+1 & $G(m,a) & $G(a,b) & v+b=n" by n;')
    yield Case("Hofstadter H", (
        'solve H "?msd_narayana (n=0 & v=0) | Em,a,b,c n=m+1 & $H(m,a) & $H(a,b) & $H(b,c) & v+c=n" by n;'
    ))
    yield Case("Hofstadter M, F", (
        'solve M "?msd_fib (n=0 & v=0) | Em,a,b n=m+1 & $M(m,a) & $Fe(a,b) & v+b=n" '
        'Fe "?msd_fib (n=0 & v=1) | Em,a,b n=m+1 & $Fe(m,a) & $M(a,b) & v+b=n" by n;'
    ))
    for terminal in range(1, 5):
        used = (
            f"?msd_fib Em n=m+1 & ($used(m,x) | $an(m,x) | Ea $an(m,a) & x=a+m+{terminal + 1})"
        )
        least = f"?msd_fib x>{terminal} & ~$used(n,x) & Ay (y>{terminal} & y<x) => $used(n,y)"
        yield Case(f"a_n of K^{terminal}", f'solve used "{used}" an "{least}" by n;')


def games(count: int) -> Iterator[Case]:
    """Yield P-positions of ready-made games, and the positions of Grundy value 1 of Wythoff's game."""
    chosen = {
        "nim()": "msd_2", "nim(1,2,3)": "msd_2", "wythoff()": "msd_fib", "wythoff(2)": "msd_wythoff_2",
        "wythoff(3)": "msd_wythoff_3", "wythoff(2,1)": "msd_fraenkel_2_1", "terminal(1)": "msd_fib",
        "terminal(2)": "msd_fib", "terminal(3)": "msd_fib", "blocking(2)": "msd_fib", "blocking(3)": "msd_fib",
        "splithoff()": "msd_trib", "mark(2)": "msd_2",
    }
    for name, system in chosen.items():
        game = game_named(name)
        options = f"E{f'>={game.blocked + 1} ' if game.blocked else ''}r,s ({game.step}) & $P(r,s)"
        terminal = f"{game.terminal_source} | " if game.terminal else ""
        yield Case(f"P of {name}", f'solve P "?{system} {terminal}~({options})" by p+q;')
    step = game_named("wythoff()").step
    before = f'solve P "?msd_fib ~(Er,s ({step}) & $P(r,s))" by p+q;'
    value = f"?msd_fib (Er,s ({step}) & $P(r,s)) & ~(Er,s ({step}) & $one(r,s))"
    yield Case("value 1 of wythoff()", f'solve one "{value}" by p+q;', before=before)


GROUPS: Mapping[str, Callable[[int], Iterator[Case]]] = {
    "factors": factors, "sequences": sequences, "games": games, "sums": sums, "random": random_words,
}


def row(case: Case, budget: Budget, folder: Path, measure: Callable[..., Measured] = measured) -> list[str]:
    """Return the cells of a case."""
    found = measure(within(case.job(case.solve, folder), budget), 1)
    if found.failure:
        cells = [found.failure, *[""] * 5]
    else:
        done = found.runs[0].answer["commands"][-1]
        cells = [
            str(done["states"]), str(done["rounds"]), str(done["questions"]), seconds(done["learning"]),
            seconds(done["proving"]), megabytes(found.peak),
        ]
    if not case.direct:
        return [case.title, *cells, "", ""]
    direct = measure(within(case.job(case.direct, folder), budget), 1)
    if direct.failure:
        return [case.title, *cells, direct.failure, ""]
    done = direct.runs[0].answer["commands"][-1]
    if not found.failure and str(done["states"]) != cells[0]:
        raise AssertionError(f"{case.title}: {cells[0]} states are learned, {done['states']} are built")
    return [case.title, *cells, seconds(done["seconds"]), megabytes(direct.peak)]


def main(arguments: list[str] | None = None) -> int:
    """Measure the cases that are asked for, and print a table."""
    parser = argparse.ArgumentParser(description="measure recursions that are solved")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS")
    parser.add_argument("--max-memory", type=float, default=4.0, metavar="GB")
    parser.add_argument("--random", type=int, default=50, metavar="COUNT")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args(arguments)
    budget = Budget(options.timeout, int(options.max_memory * (1 << 30)))
    with tempfile.TemporaryDirectory() as folder:
        print("\n".join(table(HEADER, []).splitlines()))
        for group, cases in GROUPS.items():
            for case in cases(options.random):
                if not options.names or group in options.names or case.title in options.names:
                    # Each row is printed when it is known, as all of them take an hour.
                    print(table(HEADER, [row(case, budget, Path(folder))]).splitlines()[-1], flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
