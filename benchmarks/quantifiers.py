"""Random bounded quantifiers, learned and built: both have to give the same automaton.

    python -m benchmarks.quantifiers [COUNT] [--seed 1] [--timeout 20]

Prints how many were compared, how many were not learned or not built in the time, and each difference.  The exit status
is 1 if there is one.
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random

from fibprover.base.errors import BudgetSpent, Unsolved
from fibprover.base.limits import Limits
from fibprover.language.parser import parse_formula
from fibprover.learn.bounded import bounded_quantifiers
from fibprover.workspace.session import Session

#: By system: words with letters 0 and 1.
WORDS = {"msd_2": ("T", "RS", "PD", "P"), "msd_fib": ("F", "FTM"), "msd_3": ("MW", "SC"), "msd_narayana": ("NA",)}

#: Conditions on k, and i or i and j; W and V are words.
SIDES = (
    "W[i+k]=W[k]", "W[i+k]!=V[k]", "V[2*k+i]=V[i]", "W[k]=@1", "k<=i", "i+k>4", "W[i+2*k]=W[i+k+1]", "W[i+k]=V[j+k]",
    "(El l<3 & W[k+l]=W[i+l])", "i=2*k+1", "V[k+1]=@0", "V[j+k]<=W[k+2]", "k+j>i", "i+j=k", "W[k+j]=@0", "i<=k",
)


def random_formula(random: Random) -> str:
    """Return a formula that is one bounded quantifier."""
    system = random.choice([*WORDS])
    left, right = random.choices(WORDS[system], k=2)
    sides = random.sample(SIDES, random.choice([1, 2, 2, 3]))
    joined = sides[0]
    for side in sides[1:]:
        negation = random.choice(["", "~"])
        joined = f"({joined} {random.choice(['&', '|', '=>', '<=>', '^'])} {negation}({side}))"
    bound = random.choice(["k<n", "k<=n", "n>k", "k<n+2"])
    body = "".join({"W": left, "V": right}.get(character, character) for character in joined)
    return f"?{system} " + (f"Ak {bound} => {body}" if random.random() < 0.5 else f"Ek {bound} & {body}")


def compared(formula: str, limits: Limits) -> str:
    """Return what became of a formula: "same", "different", "not learned", "not built", or "neither"."""
    (bounded,) = bounded_quantifiers(parse_formula(formula))
    session = Session()
    try:
        solution = session.solve("R", bounded.recursion("R", "z"), by="z", limits=limits)
    except Unsolved:
        solution = None
    try:
        built = session.relation(bounded.formula("z"), limits=limits)
    except BudgetSpent:
        return "neither" if solution is None else "not built"
    if solution is None:
        return "not learned"
    return "same" if solution.relation.automaton == built.automaton else "different"


def main(arguments: list[str] | None = None) -> int:
    """Compare as many formulas as are asked for."""
    parser = argparse.ArgumentParser(description="compare learned and built bounded quantifiers")
    parser.add_argument("count", nargs="?", type=int, default=2000, metavar="COUNT")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=20.0, metavar="SECONDS")
    options = parser.parse_args(arguments)
    random = Random(options.seed)
    seen: Counter[str] = Counter()
    for number in range(1, options.count + 1):
        formula = random_formula(random)
        outcome = compared(formula, Limits(seconds=options.timeout))
        seen[outcome] += 1
        if outcome != "same":
            print(f"{outcome}: {formula}", flush=True)
        if number % 50 == 0 or number == options.count:
            print(f"{number}: {', '.join(f'{count} {what}' for what, count in sorted(seen.items()))}", flush=True)
    return 1 if seen["different"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
