"""Changed certificates: each is refused, or what it says is true, decided by brute force.

    python -m tests.certificate.mutants 100000 --seed 1

The statements have quantifiers that reach as far as a small number, so brute force decides them, whatever the words,
predicates and systems are that a change has made.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import fibprover as fp
from fibprover.checker import fibcheck
from fibprover.checker.fibcheck import Budget, Checker, Invalid, Malformed
from fibprover.prover.verdict.verdict import Verdict
from tests.certificate.meaning import Meaning

Lines = list[dict[str, Any]]
Mutation = Callable[[Lines, random.Random], None]

#: Numbers in the statements are at most this, sums included.
BOUND = 12
#: What checking one of them may take.
SECONDS, STEPS = 20.0, 5_000_000


def statements() -> Iterator[tuple[str, str]]:
    """A system and a statement; most of them need no addition, so that they are checked soon.

    What is certified of a false one is its negation, or its counterexample.
    """
    for system in ("msd_2", "msd_3", "msd_fib", "msd_pell"):
        yield from ((system, text) for n in range(2, 6) for text in (
            f"Ex x={n}", f"Ax x<{n} => Ey y<={n} & x<y", f"E>={n} x x<{n}", f"Ax,y (x<{n} & y<x) => ~x=y",
            f"Ax x<{n + 2} => (x<{n} | (Ey y<x & {n - 1}<y) | x={n})", f"~Ex x<{n} & Ay y<{n} => y<x",
            f"Ax x<{n} => (x={n - 1} <=> ~Ey y<{n} & x<y)", f"Ax x<{n} => ($small(x) | x>=3)",
            f"Ax x<{n} => ($small(x) <=> x<3)", f"Ax,y (x<{n} & y<{n} & $less(x,y)) => ~$less(y,x)",
        ))
        yield from ((system, text) for text in (
            "Ax x<4 => Ey y<5 & y=x+1", "Ax,y (x<3 & y<3 & x+y<4) => y+x<5", "Ex,y x<5 & y<5 & x+y=7",
        ))
    yield from (("msd_fib", text) for text in ("Em m<12 & $phin(3,m)", "An,m (n<4 & $phin(n,m)) => m<5"))
    for n in (2, 3, 4):
        yield from (("msd_2", text) for text in (
            f"Ax x<{n} => (T[x]=@1 <=> ~T[x]=@0)", f"Ex,y x<={n} & y<={n} & x!=y & T[x]=T[y]",
            f"E>=2 x x<{n + 1} & T[x]=@1",
            f"Ax x<{n} => (T[x]=@0 | $odd(x) | x=3)", f"Ax x<{n} => ($odd(x) => x>0)", f"Ex x<{n} & $odd(x)",
            f"Ax x<{n} => ~($odd(x) & T[x]=@0 & x<3)", f"E>=2 x,y x<{n} & y<{n} & x<y | (x<2 & y<2 & x=y)",
        ))
        yield from (("msd_fib", text) for text in (
            f"Ax x<{n} => (F[x]=@1 <=> ~F[x]=@0)", f"Ex x<{n} & $odd(x)", f"Ax x<{n} => (F[x]=@1 => $odd(x))",
            f"Ex,y x<={n} & y<={n} & x<y & F[x]=F[y]", f"Ax x<{n} => (Ey y<={n} & ($odd(y) | y=x))",
        ))
    yield from (("msd_2", text) for text in ("En n<4 & $third(n) & n>0", "An n<5 => ($third(n) => ~n=1)"))
    yield from (("msd_neg_2", text) for n in (1, 2) for text in (
        f"Ex x=_{n}", f"Ax (x>_{n} & x<0) => x=_1", f"Ax (_3<x & x<{n}) => x+x<{n + n}", f"Ex _3<x & x<5 & 2*x+{n}=x",
        f"Ax,y (_3<x & x<{n} & _3<y & y<{n} & x!=y) => (x<y | y<x)", f"E>={n + 2} x _3<x & x<{n}",
        f"Ax (_3<x & x<{n}) => ($small(x) | N[x]=@1)", f"Ax (_3<x & x<{n}) => ($odd(x) <=> ~Ey _3<y & y<4 & x=2*y)",
        f"Ax (_3<x & x<{n}) => N[x]=@1", f"Ex _3<x & x<{n + 3} & N[x]=@0 & $less(x,{n})",
    ))
    yield from (("msd_neg_fib", text) for text in (
        "Ex x=_2", "Ax (_3<x & x<3) => (x<0 | x+x<5)", "Ex,y _3<x & x<0 & 0<y & y<3 & x+y=_1", "Ax,y x!=y | y=x",
        "Ax (_3<x & x<3) => ($odd(x) | x!=1)", "E>=3 x _2<x & x<2",
    ))
    yield from (("msd_neg_3", text) for text in (
        "Ax,y (_4<x & x<3 & y=x+2) => ~y<x", "Ex,y _4<x & x<0 & 0<y & y<3 & x+y=_2", "Ax,y x!=y | y=x",
    ))


@cache
def certificates() -> tuple[str, ...]:
    """The lines of a certificate for each statement, as JSON."""
    made = []
    sessions: dict[str, fp.Session] = {}
    for system, formula in statements():
        if system not in sessions:
            session = sessions[system] = fp.Session(system)
            session.define("small", "a<3")
            session.define("less", "Ec a<=c & c<b")
            session.reg("odd", [[0, 1]], "(0|1)*1")
            if system == "msd_neg_2":
                session.run('reg few msd_neg_2 "0*(10*)?(10*)?"; combine N few;')
            if system == "msd_fib":
                session.define_morphic_word("F", [[0, 1], [0]], [0, 1])
                session.reg("shift", [[0, 1], [0, 1]], "([0,0]|([0,1][1,1]*[1,0]))*")
                session.define("phin", "(s=0 & n=0) | Ex $shift(n-1,x) & s=x+1")
            if system == "msd_2":
                session.solve("third", "n=0 | (n>2 & Em n=m+3 & $third(m))")
        found = sessions[system].eval(formula)
        assert isinstance(found, Verdict)
        made.append(json.dumps(list(found.certificate().lines)))
    return (*made, *(json.dumps(written_out(json.loads(text))) for text in made[::4]))


def written_out(lines: Lines) -> Lines:
    """Return the certificate in version 1 of the format: with all relations that the other one leaves out."""
    checker, found = Checker(Budget(SECONDS, STEPS)), Lines()
    for line in lines:
        known = len(checker.automata)
        checker.line(line)
        for systems, automaton in checker.automata[known:] if "rule" in line or "make" in line else []:
            rows = [[number for letter, there in row.items() for number in (code(checker, letter, systems), there)]
                    for row in automaton.rows]
            found.append({"automaton": known, "systems": systems, "outputs": list(automaton.outputs), "rows": rows})
            line = {**line, "relation": [known, list(checker.claims[-1].relation.names)]} if "rule" in line else {}
        found += [line] if line else []
    return [{**found[0], "certificate": 1}, *found[1:]]


def code(checker: Checker, letter: Sequence[int], systems: Sequence[str]) -> int:
    """Return a letter as a number in mixed radix."""
    number = 0
    for digit, system in zip(letter, systems, strict=True):
        number = number * checker.systems[system].digits + digit
    return number


def tables(lines: Lines) -> Lines:
    return [line for line in lines if "rows" in line]


def automata(lines: Lines) -> int:
    """How many automata have a number: those that are written, and those that are built."""
    return sum("automaton" in line or "make" in line or ("rule" in line and "relation" not in line) for line in lines)


def relation(lines: Lines, chance: random.Random) -> list[Any]:
    """A relation somewhere in the file, or one that is drawn."""
    there = [line["relation"] for line in lines if "relation" in line]
    there += [guard for line in lines for guard in line.get("guards", [])]
    if there and chance.random() < 0.7:
        return copy.deepcopy(chance.choice(there))
    names = list(lines[0]["variables"]) or ["x"]
    return [chance.randrange(automata(lines) + 1), chance.sample(names, chance.randrange(min(3, len(names)) + 1))]


def claims(lines: Lines) -> Lines:
    return [line for line in lines if "rule" in line]


def move_transition(lines: Lines, chance: random.Random) -> None:
    line = chance.choice(tables(lines))
    row = chance.choice([row for row in line["rows"] if row] or [[0, 0]])
    row[2 * chance.randrange(len(row) // 2) + 1] = chance.randrange(len(line["rows"]))


def drop_transition(lines: Lines, chance: random.Random) -> None:
    row = chance.choice([row for line in tables(lines) for row in line["rows"] if row])
    place = 2 * chance.randrange(len(row) // 2)
    del row[place : place + 2]


def add_transition(lines: Lines, chance: random.Random) -> None:
    line = chance.choice(tables(lines))
    chance.choice(line["rows"]).extend([chance.randrange(8), chance.randrange(len(line["rows"]))])


def flip_output(lines: Lines, chance: random.Random) -> None:
    outputs = chance.choice(tables(lines))["outputs"]
    outputs[chance.randrange(len(outputs))] ^= 1


def drop_guard(lines: Lines, chance: random.Random) -> None:
    guarded = [line for line in claims(lines) if "guards" in line]
    if guarded:
        del chance.choice(guarded)["guards"]


def exchange_guard(lines: Lines, chance: random.Random) -> None:
    chance.choice(claims(lines))["guards"] = [relation(lines, chance)]


def rename_rule(lines: Lines, chance: random.Random) -> None:
    chance.choice(claims(lines))["rule"] = chance.choice(claims(lines))["rule"]


def swap_lines(lines: Lines, chance: random.Random) -> None:
    i, j = chance.randrange(1, len(lines)), chance.randrange(1, len(lines))
    lines[i], lines[j] = lines[j], lines[i]


def swap_claims(lines: Lines, chance: random.Random) -> None:
    places = [place for place, line in enumerate(lines) if "rule" in line]
    i, j = chance.choice(places), chance.choice(places)
    lines[i], lines[j] = lines[j], lines[i]


def drop_line(lines: Lines, chance: random.Random) -> None:
    del lines[chance.randrange(len(lines))]


def use_another_claim(lines: Lines, chance: random.Random) -> None:
    line = chance.choice([line for line in claims(lines) if line.get("of")])
    line["of"][chance.randrange(len(line["of"]))] = chance.randrange(len(claims(lines)))


def use_another_relation(lines: Lines, chance: random.Random) -> None:
    line = chance.choice(claims(lines))
    if "relation" in line:
        line["relation"][0] = chance.randrange(automata(lines))
    else:
        line["relation"] = relation(lines, chance)


def leave_out_relation(lines: Lines, chance: random.Random) -> None:
    """A relation is left out, or one is given that was left out: the automata after it get other numbers."""
    line = chance.choice(claims(lines))
    if "relation" in line:
        del line["relation"]
    else:
        line["relation"] = relation(lines, chance)
    if chance.random() < 0.5:
        for other in lines[lines.index(line) + 1:]:
            for one in [*([other["relation"]] if "relation" in other else []), *other.get("guards", [])]:
                one[0] += 1 if "relation" not in line else -1


def change_made(lines: Lines, chance: random.Random) -> None:
    """What is built is built in another way, of other relations, or over other variables; or the version is another."""
    names = list(lines[0]["variables"]) or ["x"]
    made = [line for line in lines if "make" in line]
    if made and chance.random() < 0.7:
        line, key = chance.choice(made), chance.choice(["make", "of", "bound", "bound"])
        line[key] = {"make": chance.choice(["and", "exists", "not"]), "of": [relation(lines, chance)],
                     "bound": [chance.choice(names)]}[key]
    elif chance.random() < 0.6:
        lines.insert(chance.randrange(1, len(lines)), {
            "make": chance.choice(["and", "exists"]), "of": [relation(lines, chance)], "bound": [chance.choice(names)]})
    elif chance.random() < 0.3:
        lines[0]["certificate"] = chance.choice([0, 1, 2, 3, "2"])
    else:
        line = chance.choice([line for line in claims(lines) if "numbers" in line] or claims(lines))
        line["numbers"] = chance.sample(names, 1)
        if chance.random() < 0.3:
            line["backward"] = True


def turn_projection(lines: Lines, chance: random.Random) -> None:
    """A projection is checked in another way: from the end of words, or by sets that lose states.

    It may also be one of another claim, or have another result.
    """
    projections = [line for line in claims(lines) if line["rule"] == "exists"]
    if not projections:
        return
    line = chance.choice(projections)
    if chance.random() < 0.3:
        states = list(range(chance.randrange(1, 6)))
        line["loses"] = [[one, chance.choice(states)] for one in states]
    elif line.pop("backward", None) is None:
        line["backward"] = True
    if chance.random() < 0.4:
        line["relation"] = relation(lines, chance)
    elif chance.random() < 0.3:
        line["of"] = [chance.randrange(len(claims(lines)))]
    elif chance.random() < 0.3:
        line["guards"] = [relation(lines, chance)]


def rename_variable(lines: Lines, chance: random.Random) -> None:
    names = list(lines[0]["variables"])
    line = chance.choice(claims(lines))
    places = [line.get("relation", [0, []])[1], line.get("bound", []), line.get("arguments", [])]
    chosen = chance.choice([place for place in places if place] or [["x"]])
    chosen[chance.randrange(len(chosen))] = chance.choice(names)


def change_formula(lines: Lines, chance: random.Random) -> None:
    formulas = [line for line in lines if "formula" in line]
    if formulas:
        chance.choice(formulas)["formula"] = chance.choice(formulas)["formula"]


def change_sign(lines: Lines, chance: random.Random) -> None:
    line = chance.choice([line for line in lines if "formula" in line or "statement" in line])
    key = "formula" if "formula" in line else "statement"
    signs = ["<=", "<", "=", "~", "&", "|", "@0", "@1", "+1", "E ", "A ", "E>=2"]
    old = chance.choice([sign for sign in signs if sign in line[key]] or signs)
    line[key] = line[key].replace(old, chance.choice(["<", "=", "!=", "<=", "", "&", "|", "@1", "+2", "A ", "E "]), 1)


def exchange_definition(lines: Lines, chance: random.Random) -> None:
    """A definition gets another formula, or another name; a predicate or a word another automaton."""
    defined = [line for line in lines if "define" in line]
    machines = [line for line in lines if "predicate" in line or "word" in line]
    if defined and (not machines or chance.random() < 0.5):
        line = chance.choice(defined)
        own, key = line["parameters"], "formula" if "formula" in line else "compares"
        line[key] = chance.choice([
            f"{own[0]}<2", f"{own[-1]}<={own[0]}", f"{own[0]}={own[-1]}", f"~{line[key]}", "true",
            *(f"${other['define']}({','.join(own)})" for other in defined),
        ])
    elif machines:
        line = chance.choice(machines)
        other = chance.choice([other for other in tables(lines) if other is not line])
        line["outputs"], line["rows"] = copy.deepcopy((other["outputs"], other["rows"]))


def change_system(lines: Lines, chance: random.Random) -> None:
    """The language of a system is another one, or a variable belongs to another system."""
    line = chance.choice([line for line in lines if "system" in line])
    kind = chance.randrange(5)
    if kind == 0:
        line["digits"] = chance.randrange(1, 5)
    elif kind == 1:
        line["outputs"][chance.randrange(len(line["outputs"]))] ^= 1
    elif kind == 2:
        line["outputs"], line["rows"] = chance.choice([
            ([1], [[0, 0, 1, 0]]), ([1, 1], [[0, 0, 1, 1], [0, 0]]), ([1, 1], [[0, 0, 1, 1], [0, 1]]),
            ([1, 1, 1], [[0, 0, 1, 1], [0, 0, 1, 2], [0, 0]]), ([1, 0], [[0, 0, 1, 1], [0, 0, 1, 0]]),
        ])
    elif kind == 3:
        variables = lines[0]["variables"]
        variables[chance.choice(list(variables))] = chance.choice(["msd_2", "msd_fib", "n"])
    else:
        row = chance.choice([row for row in line["rows"] if row] or [[0, 0]])
        row[2 * chance.randrange(len(row) // 2) + 1] = chance.randrange(len(line["rows"]))


def change_recursion(lines: Lines, chance: random.Random) -> None:
    for line in lines:
        for one in line.get("recursion", []):
            what = chance.choice(["weights", "formula", "parameters"])
            if what == "formula":
                one[what] = one[what].replace(*chance.choice([("<", "<="), ("=0", "=1"), ("~", ""), ("&", "|")]), 1)
            else:
                one[what] = [0] if what == "weights" else [chance.choice(list(lines[0]["variables"]))]


def change_meaning(lines: Lines, chance: random.Random) -> None:
    """A recurrence, a regular expression, or a floor is changed, or moved to another name."""
    said = [(line, key) for line in lines for key in ("weights", "expression", "slope", "floor", "of") if key in line
            and (key != "of" or "floor" in line)]
    line, key = chance.choice(said or [(lines[0], "variables")])
    if key == "weights":
        terms = line[key][chance.choice(["first", "recurrence"])]
        chance.choice([terms.pop, lambda: terms.append(chance.randrange(3)), lambda: terms.insert(0, 1)])()
    elif key == "expression":
        around, place = [line[key]], 0  # a part of it, at a place in the part around it
        while around[place][0] != "letters" and len(around[place]) > 1 and chance.random() < 0.7:
            around = around[place]
            place = 1 if around[0] == "repeat" else chance.randrange(1, len(around))
        part = around[place]
        around[place] = chance.choice([
            ["letters", [chance.randrange(3)]], ["repeat", part, chance.randrange(3), -1], ["then", part, part],
            ["or", part, ["then"]], ["and", part, ["repeat", part, 0, 1]], ["not", part], part[1:],
        ])
        line[key] = line[key] if place else around[place]
    elif key == "of":
        line[key][chance.randrange(5)] = chance.randrange(len(claims(lines)))
    elif key == "slope":
        line[key] = chance.randrange(4)
    elif key == "floor":
        line[key] = chance.choice([other["predicate"] for other in lines if "predicate" in other])


def change_integers(lines: Lines, chance: random.Random) -> None:
    """A comparison of integers is changed, its p's or parameters, who is an integer, or how that is shown."""
    compared, shown = [line for line in lines if "compares" in line], [line for line in lines if "integers" in line]
    variables, chosen = lines[0]["variables"], chance.randrange(8)
    if compared and chosen < 4:
        line = chance.choice(compared)
        if chosen == 0:
            line["compares"] = line["compares"].replace(*chance.choice([
                ("<=", "<"), ("<", "="), ("=", "<="), ("+", "+2*"), ("+1", ""), ("2*", ""), ("=", "!=")]), 1)
        elif chosen == 1:
            line["compares"] = chance.choice(compared)["compares"]
        elif chosen == 2:
            line["with"] = chance.choice([line["with"][::-1], line["with"][1:], chance.sample(list(variables), 1)])
        else:
            line["parameters"] = chance.choice([line["parameters"][::-1], chance.choice(compared)["parameters"]])
    elif shown and chosen < 6:
        line, key = shown[0], chance.choice(["integers", "over", "by", "variables", "of", "pairs"])
        if key in line and key in ("variables", "of", "pairs"):
            line[key] = chance.choice([line[key][::-1], line[key][:-1], [*line[key][1:], line[key][0]]])
        else:
            line[key] = chance.choice(["msd_2", "msd_neg_3", "plus_msd_2", "small", "N", ["plus_msd_fib"] * 2])
    elif chosen == 6:
        variables[chance.choice(list(variables))] = chance.choice(list(variables.values()))
    else:
        line = chance.choice([line for line in lines if "systems" in line])
        line["systems"] = [chance.choice(list(variables.values())) for _ in line["systems"]]


def change_sequence(lines: Lines, chance: random.Random) -> None:
    """An entry of a linear representation is another one, or it has another system, or name."""
    sequences = [line for line in lines if "sequence" in line]
    line, key = chance.choice(sequences), chance.choice(["row", "column", "matrices", "matrices", "over", "sequence"])
    if key in ("over", "sequence"):
        line[key] = chance.choice([other.get(key, "msd_3") for other in [*sequences, lines[0]]])
        return
    rows = [line[key]] if key != "matrices" else [row for matrix in line[key] for row in matrix]
    entry = chance.choice([
        0, 1, -1, 2, [1, 2], [2, 4], [3, 1], [-7, 3], [1, 0], 1 << 70, -(1 << 512), (1 << 512) + 1, 1.5, "1", None,
    ])
    row = chance.choice([row for row in rows if row] or [[]])
    if row:
        row[chance.randrange(len(row))] = entry
    else:
        line["row"] = [entry]


def change_equation(lines: Lines, chance: random.Random) -> None:
    """An equation has another coefficient, factor, index, condition, claim or name, or sequences another order."""
    line = chance.choice([line for line in lines if line.get("rule") == "sequences"])
    names = [other["sequence"] for other in lines if "sequence" in other]
    variables = list(lines[0]["variables"])
    one = chance.choice(line["equations"])
    terms = one["terms"]
    factors = [factor for _, product in terms for factor in product]
    chosen = chance.randrange(9)
    if chosen == 0 and terms:
        chance.choice(terms)[0] = chance.choice([0, 1, -1, 2, [1, 1], [1, 2], 1 << 80, "1"])
    elif chosen == 1 and factors:
        chance.choice(factors)[0] = chance.choice([*names, "T"])
    elif chosen == 2 and factors:
        chance.choice(factors)[1] = chance.choice(variables)
    elif chosen == 3 and terms:
        chance.choice([terms.pop, lambda: terms.append(terms[0]), terms.reverse])()
    elif chosen == 4:
        one["index"] = chance.choice(variables)
    elif chosen == 5:
        other = chance.choice(line["equations"])
        one["where"], one["claim"] = other["where"], other["claim"]
    elif chosen == 6:
        one["claim"] = chance.randrange(len(claims(lines)))
    elif chosen == 7:
        chance.choice([lambda: line["equations"].remove(one), line["equations"].reverse, line["sequences"].reverse])()
    else:
        line["sequences"] = chance.choice([names, names[:1], [one["name"]], [*names, names[0]]])


def change_counter(lines: Lines, chance: random.Random) -> None:
    """A sequence counts by another claim, other variables, at another index, or where another formula is true."""
    counters = [line for line in lines if "counts" in line]
    line, variables = chance.choice(counters), list(lines[0]["variables"])
    key = chance.choice(["counts", "index", "bound", "bound", "claim", "claim", "over", "sequence"])
    if key == "counts":
        line[key] = chance.choice([chance.choice(counters)[key], f"~{line[key]}", "true", f"({line[key]} & n=n)"])
    elif key == "index":
        line[key] = chance.choice(variables)
    elif key == "bound":
        line[key] = chance.sample(variables, chance.randrange(4))
    elif key == "claim":
        line[key] = chance.randrange(len(claims(lines)))
    else:
        line[key] = chance.choice([other.get(key, "msd_3") for other in [*counters, lines[0]]])


def deny_statement(lines: Lines, chance: random.Random) -> None:
    if "statement" in lines[-1]:
        lines[-1]["statement"] = "~" + lines[-1]["statement"]


MUTATIONS: list[Mutation] = [
    move_transition, drop_transition, add_transition, flip_output, drop_guard, exchange_guard, rename_rule, swap_lines,
    swap_claims, drop_line, use_another_claim, use_another_relation, rename_variable, change_formula, change_sign,
    exchange_definition, change_system, change_recursion, deny_statement, change_meaning, leave_out_relation,
    change_made, turn_projection, change_integers,
]
#: Of lines and fields that version 2 of the format, meanings and projections from the end have brought.
NEW_MUTATIONS: list[Mutation] = [change_meaning, leave_out_relation, change_made, turn_projection, change_integers]
#: Of certificates of sequences, which have neither recursions nor integers, these in place of changes of those.
SEQUENCE_MUTATIONS: list[Mutation] = [
    *(mutation for mutation in MUTATIONS if mutation not in (change_recursion, change_integers)),
    *[change_sequence, change_equation] * 3,
]
#: Of certificates in which sequences count.
COUNT_MUTATIONS: list[Mutation] = [
    move_transition, drop_transition, add_transition, flip_output, rename_rule, swap_lines, drop_line, rename_variable,
    *[change_counter] * 6,
]
#: So often a mutation may leave the certificate as it was, before it is an error that no certificate suits it.
TRIALS = 10_000


def checked_in_memory(lines: Lines) -> Checker:
    """What the checker has read; raises Malformed or Invalid."""
    checker = Checker(Budget(SECONDS, STEPS))
    try:
        for line in lines:
            checker.line(line)
        checker.conclude()
    except fibcheck.PROBLEMS as problem:
        raise Malformed(str(problem)) from None
    return checker


def is_true(checker: Checker, bound: int = BOUND) -> bool:
    """Return whether the statement of a certificate is true of numbers as far as a bound."""
    assert checker.statement is not None
    formula, text = checker.statement
    if checker.integers:  # what is printed has to be true of integers
        formula = checker.read(checker.spoken(text))
    return Meaning(checker, bound).holds(formula, {})


def mutants(
    count: int, seed: int, others: Sequence[str] = (), kinds: Sequence[Mutation] = ()
) -> Iterator[tuple[int, str, str, Lines]]:
    """Yield changed certificates: a number, the change, the certificate before as JSON, and the changed lines.

    kinds: the changes, in place of all of them.

    They are made of those of `certificates`, or of others: all with recursions, or all with sequences.
    """
    chance = random.Random(seed)
    sources = others or certificates()
    needed: dict[Mutation, Sequence[str]] = {
        change_recursion: [text for text in sources if '"recursion"' in text] or sources,
        change_integers: [text for text in sources if '"integers"' in text] or sources,
    }
    mutations = kinds or (SEQUENCE_MUTATIONS if '"sequence"' in sources[0] else MUTATIONS)
    for number in range(count):
        mutation = mutations[number % len(mutations)]
        if mutation is change_recursion and number % 10 and not others:
            mutation = swap_claims  # recursions take long to check
        for _ in range(TRIALS):
            text = chance.choice(needed.get(mutation, sources))
            lines: Lines = json.loads(text)
            mutation(lines, chance)
            if json.dumps(lines) != text:
                break
        else:
            raise AssertionError(f"{mutation.__name__} changes none of the certificates")
        yield number, mutation.__name__, text, lines


def campaign(count: int, seed: int) -> Iterator[Counter[tuple[str, str]]]:
    """How many mutants of each kind were refused, say the same and it is true, or say something else that is true.

    The counts are yielded from time to time.
    """
    found = Counter[tuple[str, str]]()
    for number, kind, text, lines in mutants(count, seed):
        if number % 2000 == 0 and number:
            yield found
        try:
            checker = checked_in_memory(lines)
        except (Invalid, Malformed):
            found[kind, "refused"] += 1
            continue
        assert checker.statement is not None
        statement = checker.statement[1]
        if not is_true(checker):
            print("FALSE", kind, number, statement, flush=True)
            found[kind, "false"] += 1
            continue
        kept = statement == json.loads(text)[-1]["statement"]
        found[kind, "true, same text" if kept else "true, another text"] += 1
    yield found


def main() -> None:
    """Print a table, a line for each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(len(certificates()), "certificates", flush=True)
    begun = time.process_time()
    kinds = ["refused", "true, same text", "true, another text", "false"]
    for found in campaign(arguments.count, arguments.seed):
        for name in (mutation.__name__ for mutation in MUTATIONS):
            print(f"{name:22}", *(f"{kind}: {found[name, kind]}" for kind in kinds))
        print("all", *(f"{kind}: {sum(found[name.__name__, kind] for name in MUTATIONS)}" for kind in kinds))
        print(f"{time.process_time() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main()
