"""Certificates about families, their meaning by brute force, and changes of them.

    python -m tests.certificate.families 10000 --seed 1

The statements have quantifiers that reach as far as a small number: so they are decided for one sequence by counting
off its numbers and by running the automata beside a beginning, without any limit.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, product
from typing import Any

import fibprover as fp
from fibprover.checker.fibcheck import Automaton, Checker, Family, Invalid, Malformed
from fibprover.prover.verdict.verdict import Verdict
from tests.certificate.meaning import Meaning, run
from tests.certificate.mutants import (
    BOUND,
    Lines,
    Mutation,
    add_transition,
    change_formula,
    change_sign,
    checked_in_memory,
    claims,
    deny_statement,
    drop_guard,
    drop_line,
    drop_transition,
    exchange_definition,
    exchange_guard,
    flip_output,
    leave_out_relation,
    move_transition,
    rename_rule,
    rename_variable,
    swap_claims,
    tables,
    turn_projection,
    use_another_claim,
    use_another_relation,
)

Line = dict[str, Any]

#: Sequences, each a beginning and what repeats.
SEQUENCES: Sequence[tuple[Sequence[int], Sequence[int]]] = (
    ((), (1,)), ((), (2,)), ((), (1, 2)), ((), (2, 1)), ((1,), (2,)), ((2,), (1,)), ((1, 1), (2,)), ((2, 2), (1,)),
    ((1, 2), (1, 1, 2)), ((2, 1, 1), (2, 2, 1)),
)

#: How many numbers of a sequence are read: there are more than BOUND numbers, and relations of few states are settled.
LENGTH = 14


def statements() -> Iterator[tuple[str, str]]:
    """A system and a statement."""
    for n in (2, 3, 5):
        yield from (("msd_2_choices_2", text) for text in (
            f"Ax x<{n} => (W[x]=@1 <=> ~W[x]=@0)", f"Ex,y x<={n} & y<={n} & x<y & W[x]=W[y]", f"E>=2 x x<{n} & W[x]=@1",
            f"$thue() => Ax x<{n} => (W[x]=@0 | $both(x) | x=3)", f"$thue() <=> Ex x<{n} & W[x]!=V[x]", "$thue()",
            f"$early() & Ex x<{n} & $both(x)", f"Ax x<{n} => (W[x]=@1 => $both(x))", f"Ey y<{n} & V[y+1]=@1",
            f"Ax x<{n} => Ey y<={n} & x<y", f"~Ex x<{n} & Ay y<{n} => y<x", f"Ex,y x<{n} & y<{n} & x+y={n}",
            f"Ax x<{n} => E>={n} y y<=x+{n} & x<y", f"Ax x<{n} => E>=3 y y<={n} & W[x]=W[y]",
            f"E>=3 x,y x<y & y<{n} & W[x]!=W[y]",
        ))
        yield from (("msd_sturmian", text) for text in (
            f"Ax x<{n} => (C[x]=@1 <=> ~C[x]=@0)", f"Ex x<{n} & C[x]=C[x+1]", f"E>=2 x x<{n} & C[x]=@1", "C[0]=@1",
            f"$small() => Ex x<{n} & C[x]=@1", f"Ax x<{n} => $less(x,{n})", f"Ex,y x<{n} & y<{n} & x+y={n}",
            f"Ax x<{n} => Ey y<={n} & x<y", f"Ax x<{n} => (C[x]=@0 | $small())",
            f"Ax x<{n} => E>=2 y y<={n} & C[x]=C[y]",
        ))


@cache
def certificates() -> tuple[str, ...]:
    """The lines of a certificate for each statement, as JSON."""
    choices, slopes = fp.Session("msd_2_choices_2"), fp.Session("msd_sturmian")
    choices.run('family W "0->01,1->10 | 0->01,1->00"; family V "0->01,1->20,2->11 | 0->02,1->20,2->01";')
    choices.run('slope thue "?msd_2_choices_2 1*"; slope early "?msd_2_choices_2 1 .*";')
    choices.define("both", "W[x]=@1 & V[x]!=@0")
    slopes.run('slope small "[1-2]*";')
    slopes.define("less", "Ec a<=c & c<b")
    made = []
    for system, formula in dict.fromkeys(statements()):
        found = (choices if "choices" in system else slopes).eval(formula)
        assert isinstance(found, Verdict)
        made.append(json.dumps(list(found.certificate().lines)))
    return tuple(made)


class FamilyMeaning(Meaning):
    """The truth of formulas for one sequence: automata read a beginning beside the digits."""

    def __init__(self, checker: Checker, bound: int, sequence: tuple[Sequence[int], Sequence[int]]) -> None:
        self.checker, self.bound, self.bodies = checker, bound, {}
        family, (first, period) = checker.family, sequence
        assert isinstance(family, Family)
        numbers = [*first, *(list(period) * LENGTH)][:LENGTH]
        self.beginning: list[int] = []
        for number in numbers:
            own = [number] if family.choices else [2, *map(int, bin(number)[3:])]
            self.beginning = own + self.beginning
        self.words = {name: list(islice(self.accepted(system.words, system.digits), bound + 1))
                      for name, system in checker.systems.items()}

    def accepted(self, automaton: Automaton, digits: int) -> Iterator[list[int]]:
        """The words of numbers, as long as the beginning, in order; the last digits of the first ones differ."""
        short = min(len(self.beginning), 12)
        for word in product(range(digits), repeat=short):
            whole = [0] * (len(self.beginning) - short) + list(word)
            if run(automaton, [whole, self.beginning]):
                yield whole

    def output(self, automaton: Automaton, names: tuple[str, ...], values: Mapping[str, int]) -> int | None:
        """The output of an automaton after the words of some variables, beside the beginning."""
        words = [self.words[self.checker.system(name)][values[name]] for name in names]
        return run(automaton, [*words, self.beginning])


def is_true(checker: Checker, bound: int = BOUND) -> bool:
    """Return whether what a certificate says is true of some sequences, numbers as far as a bound."""
    assert checker.statement is not None and checker.family is not None
    if checker.fails is not None:
        return not FamilyMeaning(checker, bound, checker.fails).holds(checker.statement[0], {})
    known = [one for one in SEQUENCES if max([*one[0], *one[1]]) <= (checker.family.choices or 2)]
    return all(FamilyMeaning(checker, bound, one).holds(checker.statement[0], {}) for one in known)


def change_family(lines: Lines, chance: random.Random) -> None:
    """The family is another one, a system has another language, or a word or predicate other tracks."""
    line = chance.choice([line for line in lines if "family" in line or "systems" in line or "system" in line])
    if "family" in line:
        line |= chance.choice([{"family": "slopes"}, {"family": "choices", "number": chance.randrange(4)}])
    elif "systems" in line:
        line["systems"] = chance.choice([line["systems"][:-1], ["~parameter"], ["~parameter", *line["systems"]]])
    else:
        line["outputs"][chance.randrange(len(line["outputs"]))] ^= 1


def change_failure(lines: Lines, chance: random.Random) -> None:
    """A statement fails for another sequence, or is true in place of false."""
    numbers = [chance.randrange(1, 4) for _ in range(chance.randrange(3))]
    lines[-1]["fails"] = {"first": numbers, "period": [chance.randrange(1, 3) for _ in range(chance.randrange(3))]}
    if chance.random() < 0.2:
        del lines[-1]["fails"]


def change_count(lines: Lines, chance: random.Random) -> None:
    """There are said to be more witnesses, or fewer, by one claim or by all formulas that count as many."""
    counting = [line for line in claims(lines) if "count" in line]
    if not counting:
        return
    line = chance.choice(counting)
    count, other = line["count"], max(1, line["count"] + chance.choice([-1, 1, 2]))
    line["count"] = other
    if chance.random() < 0.7:
        for each in lines:
            for key in {"formula", "statement"} & each.keys():
                each[key] = each[key].replace(f"(E>={count} ", f"(E>={other} ")
            if each.get("count") == count:
                each["count"] = other


def change_limit(lines: Lines, chance: random.Random) -> None:
    """A claim is said to have the limit of another one, or a limit the relation or the guards of another claim."""
    limits = [line for line in claims(lines) if line["rule"] == "limit"]
    others = [line for line in claims(lines) if "relation" in line]
    if limits and chance.random() < 0.5:
        line = chance.choice(limits)
        line["relation"] = chance.choice(others)["relation"]
    elif others and chance.random() < 0.8:
        line = chance.choice(others)
        line["rule"], line["of"] = "limit", [chance.randrange(len(claims(lines)))]
    else:
        chance.choice(tables(lines))["outputs"].reverse()


def bind_parameter(lines: Lines, chance: random.Random) -> None:
    """The sequence takes the place of a variable, or of a name."""
    line = chance.choice(claims(lines))
    kind = chance.choice(["bound", "arguments", "names", "from", "to", "numbers", "relation"])
    if kind == "names":
        line["names"] = {"~parameter": chance.choice(list(lines[0]["variables"]) or ["x"])}
    elif kind == "relation" and "relation" in line:
        line["relation"][1] = ["~parameter"] * len(line["relation"][1])
    else:
        line[kind] = "~parameter" if kind in ("from", "to") else [*line.get(kind, []), "~parameter"]


MUTATIONS: list[Mutation] = [
    move_transition, drop_transition, add_transition, flip_output, drop_guard, exchange_guard, rename_rule, swap_claims,
    drop_line, use_another_claim, use_another_relation, rename_variable, change_formula, change_sign,
    exchange_definition, deny_statement, leave_out_relation, turn_projection, change_family, change_failure,
    change_limit, bind_parameter, change_count,
]


def changes(count: int, seed: int, counted: bool = False) -> Iterator[tuple[str, Lines]]:
    """Yield changed certificates, each with the name of the change; counted: only of those that count witnesses."""
    chance = random.Random(seed)
    texts = [text for text in certificates() if not counted or '"count"' in text]
    for number in range(count):
        mutation, text = MUTATIONS[number % len(MUTATIONS)], chance.choice(texts)
        lines: Lines = json.loads(text)
        try:
            mutation(lines, chance)
        except (IndexError, KeyError, ValueError):
            continue  # there is nothing of the kind that is changed
        if json.dumps(lines) != text:
            yield mutation.__name__, lines


def random_automaton(chance: random.Random, tracks: int, states: int) -> Line:
    """An automaton over numbers in base 2 beside beginnings of choices between 1 and 2, which are its last track.

    State 0 reads what is in front of a beginning, and most often a longer beginning makes no difference.
    """
    zero = [1, 2]  # zeros of all variables beside a choice
    begun = [3 * digits + choice for digits in range(1 << tracks) for choice in (1, 2)]
    rows: list[dict[int, int]] = [{0: 0}]
    for state in range(1, states + 1):
        rows.append({letter: chance.randrange(1, states + 1) for letter in begun if chance.random() < 0.7})
        if state == 1 and chance.random() < 0.8:
            rows[1] |= dict.fromkeys(zero, 1)
    rows[0] |= rows[1]
    outputs = [0, *(chance.randrange(2) for _ in range(states))]
    return {"systems": [*["n"] * tracks, "~parameter"], "outputs": outputs,
            "rows": [[number for pair in sorted(row.items()) for number in pair] for row in rows]}


def random_projections(count: int, seed: int) -> Iterator[Lines]:
    """Yield certificates with a projection of a random relation beside beginnings, most often one that counts."""
    chance = random.Random(seed)
    words = [letter for letter in range(6) if letter % 3]
    after = [number for letter in words for number in (letter, 1)]
    system: Line = {"system": "n", "digits": 2, "outputs": [0, 1], "rows": [[0, 0, *after], after]}
    for _ in range(count):
        tracks = chance.choice([1, 2, 2])
        names = ["x", "y"][-tracks:]
        whole = random_automaton(chance, tracks, chance.randrange(1, 4))
        line: Line = {"rule": "exists", "of": [0], "bound": ["y"], "count": chance.choice([1, 2, 2, 3, 5])}
        if chance.random() < 0.4:
            line["guards"] = [[1, [chance.choice(["x", "z"]), "~parameter"]]]
        if chance.random() < 0.2:  # otherwise it is what the rule makes
            line["relation"] = [2, [*names[:-1], "~parameter"]]
        yield [
            {"certificate": 3, "variables": dict.fromkeys("xyz", "n")}, {"family": "choices", "number": 2}, system,
            {"predicate": "P", **whole}, {"automaton": 0, **whole},
            {"automaton": 1, **random_automaton(chance, 1, chance.randrange(1, 3))},
            {"automaton": 2, **random_automaton(chance, tracks - 1, chance.randrange(1, 3))},
            {"rule": "atom", "formula": f"$P({','.join(names)})", "relation": [0, [*names, "~parameter"]]}, line,
            {"rule": "and", "of": []}, {"statement": "true"},
        ]


def campaign(count: int, seed: int) -> Counter[tuple[str, str]]:
    """Return how many changes of each kind were refused, and how many were accepted and are true, or false."""
    found = Counter[tuple[str, str]]()
    for name, lines in changes(count, seed):
        try:
            checker = checked_in_memory(lines)
        except (Invalid, Malformed):
            found[name, "refused"] += 1
            continue
        kind = "true" if is_true(checker) else "false"
        found[name, kind] += 1
        if kind == "false":
            print("FALSE", name, checker.statement, checker.fails, flush=True)
    return found


def main() -> None:
    """Print a table, a line for each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    found = campaign(arguments.count, arguments.seed)
    kinds = ["refused", "true", "false"]
    for mutation in MUTATIONS:
        print(f"{mutation.__name__:22}", *(f"{kind}: {found[mutation.__name__, kind]}" for kind in kinds))
    print("all", *(f"{kind}: {sum(found[one.__name__, kind] for one in MUTATIONS)}" for kind in kinds))


if __name__ == "__main__":
    main()
