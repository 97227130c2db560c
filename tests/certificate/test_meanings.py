"""What names mean: what a certificate says of them is checked, and what it does not say is printed."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import cache, reduce
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.automata.dfa import Track
from fibprover.checker.fibcheck import Budget, Checker, Expression, Invalid, Malformed, Sets
from fibprover.games import certificate as games
from fibprover.language.regular_expression import parse_regex
from fibprover.numeration.registry import system_named
from fibprover.prover.certificate.meanings import with_recurrence
from fibprover.prover.certificate.tables import table
from fibprover.prover.evaluate.regular_language import compile_regex
from fibprover.prover.verdict.verdict import Verdict
from tests.certificate.meaning import checked_lines
from tests.certificate.test_recursions import N_IS, P_IS, complements

Lines = list[dict[str, Any]]

WYTHOFF = """
reg end_even_zeros msd_fib "0*(00|0*1)*":
reg left_shift {0,1} {0,1} "([0,0]|([0,1][1,1]*[1,0]))*":
def ppos_asym "?msd_fib $end_even_zeros(a) & $left_shift(a,b)":
def phin "?msd_fib (s=0 & n=0) | Ex $left_shift(n-1,x) & s=x+1":
"""


@cache
def floors() -> str:
    """The certificate that the P-positions of Wythoff's game are floors, as JSON."""
    session = fp.Session("msd_fib")
    session.run(WYTHOFF)
    verdict = session.eval("Aa,b $ppos_asym(a,b) <=> (En $phin(n,a) & b=a+n)")
    assert isinstance(verdict, Verdict)
    return json.dumps(verdict.certificate().lines)


def lines_of(text: str) -> Lines:
    found: Lines = json.loads(text)
    return found


def said(lines: Lines, folder: Path) -> list[str]:
    return list(checked_lines(lines, folder).understood())


def line_with(lines: Lines, key: str, value: object = None) -> dict[str, Any]:
    return next(line for line in lines if key in line and value in (None, line[key]))


def test_floors_have_a_meaning(tmp_path: Path) -> None:
    shown = said(lines_of(floors()), tmp_path)
    assert not any("digest" in line for line in shown)
    assert any(line.startswith("system msd_fib") and "U(t) = U(t-1) + U(t-2)" in line for line in shown)
    assert any(line.startswith("predicate left_shift") and "([0,0]|[0,1][1,1]*[1,0])*" in line for line in shown)
    assert any(line.startswith("$phin") and "m = floor(n*(1+sqrt(5))/2)" in line for line in shown)


@pytest.mark.parametrize(("key", "value"), [
    ("first", [1, 3]), ("first", [2, 3]), ("first", [0, 2]), ("recurrence", [1]), ("recurrence", [2, 1]),
    ("recurrence", [1, 2]), ("recurrence", [1, 1, 1]), ("recurrence", []), ("first", [1, -2]), ("recurrence", [1, 1.0]),
])
def test_another_recurrence_is_refused(tmp_path: Path, key: str, value: list[int]) -> None:
    lines = lines_of(floors())
    line_with(lines, "system")["weights"][key] = value
    with pytest.raises((Invalid, Malformed)):
        checked_lines(lines, tmp_path)


def test_words_in_order_that_are_not_greedy(tmp_path: Path) -> None:
    """By 1, 2, 5, 13, ... there are enough words if 2 may come after 1 or 2 only; 4 is 12 then, and not 20."""
    system = {"system": "s", "digits": 3, "outputs": [1, 1], "rows": [[0, 0, 1, 1], [0, 0, 1, 1, 2, 1]]}
    checker = Checker(Budget(10, 1 << 20))
    checker.line(system)
    counts = [checker.systems["s"].count(length) for length in range(8)]
    weights = {"first": counts[:2], "recurrence": [3, -1]}
    assert counts[2:] == [3 * b - a for a, b in pairwise(counts[:-1])]
    with pytest.raises(Invalid, match=r"greedy|values"):
        Checker(Budget(10, 1 << 20)).line({**system, "weights": weights})


@pytest.mark.parametrize("name", ["msd_2", "msd_3", "msd_fib", "msd_pell", "msd_trib", "msd_narayana", "msd_4bonacci"])
def test_recurrences_of_systems(name: str) -> None:
    """By brute force: words of the system have the values that the recurrence gives, and no greater digit fits."""
    system = system_named(name)
    found = with_recurrence(system, {"system": name, "digits": len(system.track("x").digits), **table(system.valid)})
    weights = list(found["weights"]["first"])
    while len(weights) < 20:
        weights.append(sum(c * weights[-1 - i] for i, c in enumerate(found["weights"]["recurrence"])))
    for number in range(300):
        rest, word = number, list[int]()
        for weight in reversed(weights[: len(system.represent(number))]):
            word.append(rest // weight)
            rest %= weight
        assert tuple(word) == system.represent(number)


@pytest.mark.parametrize("tree", [
    ["letters", [0]], ["repeat", ["letters", [0], [1]], 0, -1], ["then"], ["or"], "letters", ["letters"], [],
    ["letters", [2]], ["letters", [0, 0]], ["repeat", ["letters", [0]], 2, 1],
    ["then", ["letters", [1]], ["then", ["letters", [1]]]],
    ["and"], ["not"], ["not", ["letters", [0]], ["letters", [1]]], ["not", ["letters", [0]]], ["not", ["and"]],
])
def test_another_expression_is_refused(tmp_path: Path, tree: Any) -> None:
    lines = lines_of(floors())
    line_with(lines, "predicate", "end_even_zeros")["expression"] = tree
    with pytest.raises((Invalid, Malformed)):
        checked_lines(lines, tmp_path)


@cache
def without_repetition() -> str:
    """The certificate of a statement about numbers with 1, but without 11 or 111, in front of zeros, as JSON."""
    session = fp.Session()
    session.reg("rare", ["msd_2"], "(.*1.*&~(.*11.*))0{1,2}")
    verdict = session.eval("Ax $rare(x) => x>1")
    assert isinstance(verdict, Verdict) and verdict.truth
    return json.dumps(verdict.certificate().lines)


def test_an_intersection_is_printed(tmp_path: Path) -> None:
    (line,) = [line for line in said(lines_of(without_repetition()), tmp_path) if line.startswith("predicate rare")]
    assert "the numbers of the regular expression ((0|1)*1(0|1)*&~((0|1)*11(0|1)*))0{1,2};" in line


def forged_intersections() -> Iterator[Lines]:
    """Certificates with one part of the intersection, with a union in its place, or with parts exchanged."""
    for change in range(6):
        lines = lines_of(without_repetition())
        _, both, zeros = tree = line_with(lines, "predicate", "rare")["expression"]
        _, one, (_, body) = both
        tree[1:] = [
            [one, zeros], [["not", body], zeros], [["or", one, ["not", body]], zeros], [["and", one, body], zeros],
            [["not", both], zeros], [zeros, both],
        ][change]
        yield lines


def test_forged_intersections_are_refused(tmp_path: Path) -> None:
    for lines in forged_intersections():
        with pytest.raises(Invalid, match="rare"):
            checked_lines(lines, tmp_path)


def trees(chance: random.Random, depth: int) -> list[Any]:
    """An expression over 0 and 1."""
    kind = chance.choice(["letters", "then", "or", "and", "not", "repeat", "repeat"]) if depth else "letters"
    if kind == "letters":
        return ["letters", *([digit] for digit in chance.choice([[0], [1], [0, 1]]))]
    if kind == "repeat":
        least = chance.randrange(3)
        return ["repeat", trees(chance, depth - 1), least, chance.choice([-1, max(1, least + chance.randrange(2))])]
    least, most = {"not": (1, 1), "then": (0, 2)}.get(kind, (1, 2))
    return [kind, *(trees(chance, depth - 1) for _ in range(chance.randint(least, most)))]


LONGEST = 5
WORDS = ["".join(word) for length in range(LONGEST + 1) for word in product("01", repeat=length)]


def words_of(tree: list[Any]) -> set[str]:
    """The words of an expression, as far as WORDS has them, by brute force."""
    kind, *rest = tree
    if kind == "letters":
        return {str(digit) for digit, in rest}
    if kind == "repeat":
        body, least, most = rest
        now, found = {""}, set[str]()
        for number in range((least + LONGEST if most == -1 else most) + 1):
            found |= now if number >= least else set()
            now = joined(now, words_of(body))
        return found
    parts = list(map(words_of, rest))
    if kind == "then":
        return reduce(joined, parts, {""})
    if kind == "not":
        return set(WORDS) - parts[0]
    return reduce(set[str].union if kind == "or" else set[str].intersection, parts)


def joined(one: set[str], two: set[str]) -> set[str]:
    return {left + right for left in one for right in two if len(left) + len(right) <= LONGEST}


def test_expressions_by_brute_force() -> None:
    """What is printed has the words of the tree, and its automaton does not mind zeros in front."""
    chance = random.Random(4)
    for _ in range(200):
        tree = trees(chance, 3)
        expression = Expression(tree, [2], Budget(60, 1 << 30))
        sets = Sets(expression.automaton(), [0], Budget(60, 1 << 30))
        printed = compile_regex(parse_regex(expression.text, [[0, 1]]), [Track("x", (0, 1))])
        wanted = words_of(tree)
        for word in WORDS:
            assert (word in wanted) == bool(printed.output(map(int, word)))
            state = 0
            for digit in word:
                state = sets.rows[state].get((int(digit),), -1) if state >= 0 else -1
            padded = ("0" * zeros + word.lstrip("0") for zeros in range(40))
            assert sets.accepts(state) == any(printed.output(map(int, each)) for each in padded)


def forged_floors() -> Iterator[Lines]:
    """Certificates with another slope, another predicate, other claims, or other variables."""
    changes: list[dict[str, Any]] = [
        {"slope": 2}, {"slope": 0}, {"floor": "left_shift"}, {"floor": "plus_msd_fib"}, {"floor": "nothing"},
        {"of": [0] * 5}, {"of": []}, {"variables": ["x", "y"]}, {"variables": ["a_0,b_1", "n", "m", "k"]},
    ]
    for change in changes:
        lines = lines_of(floors())
        line_with(lines, "floor").update(change)
        yield lines
    for place in range(5):
        lines = lines_of(floors())
        of = line_with(lines, "floor")["of"]
        of[place] = of[place - 1]
        yield lines


@pytest.mark.long
def test_forged_floors_are_refused(tmp_path: Path) -> None:
    for lines in forged_floors():
        with pytest.raises((Invalid, Malformed)):
            checked_lines(lines, tmp_path)


def test_a_forged_word_is_visible(tmp_path: Path) -> None:
    """A certificate that T has the factor 000 is about another word of this name: its letters and rules say so."""
    shown = []
    for images in ([[0, 1], [1, 0]], [[0, 1], [0, 0]]):
        session = fp.Session()
        session.define_morphic_word("T", images, [0, 1])
        verdict = session.eval("En T[n]=@0 & T[n+1]=@0 & T[n+2]=@0")
        assert isinstance(verdict, Verdict)
        printed = said(list(verdict.certificate().lines), tmp_path)
        shown += [line for line in printed if line.startswith("word T")]
    honest, forged = shown
    page = (Path(__file__).resolve().parents[2] / "docs" / "certificates.md").read_text()
    assert "\n".join(["```text", *printed, "VALID", "```"]) in page
    assert "01101001100101101" in honest and "0 -> 01, 1 -> 10" in honest
    assert "0100010101000100" in forged and "0 -> 01, 1 -> 00" in forged


@pytest.mark.parametrize(("name", "images", "coding"), [
    ("T", "0 -> 01, 1 -> 10", {}), ("PD", "", {}), ("RS", "a -> ab, b -> ac, c -> db, d -> dc", {"a": 0, "b": 0}),
])
def test_morphisms(tmp_path: Path, name: str, images: str, coding: dict[str, int]) -> None:
    """The morphism that is printed has the letters of the word, by brute force."""
    verdict = fp.Session().eval(f"En {name}[n]={name}[n+1]")
    assert isinstance(verdict, Verdict)
    (line,) = [one for one in said(list(verdict.certificate().lines), tmp_path) if one.startswith("word ")]
    found = re.search(r"fixed point of (.*) that begins with (\w)(?:, with (.*))?; an automaton", line)
    assert found and images in found[1]
    rules = dict(rule.split(" -> ") for rule in found[1].split(", "))
    values = {letter: part.split(" for ")[0] for part in (found[3] or "").split("; ") if part
              for letter in part.split(" for ")[1].split(", ")}
    text = found[2]
    while len(text) < 500:
        text = "".join(rules[letter] for letter in text)
    assert [int(values.get(letter, letter)) for letter in text[:500]] == list(fp.word(name)[:500])


def test_members() -> None:
    """A predicate without a meaning is shown by its first members, as brute force finds them."""
    session = fp.Session("msd_fib")
    session.solve("half", "(n=0 & m=0) | (n>0 & Ek k+2=m & $half(k,n-1))")
    verdict = session.eval("En $half(6,n)")
    assert isinstance(verdict, Verdict)
    lines = [line for line in verdict.certificate().lines if line.get("rule") != "recursion"]
    checker = Checker(Budget(60, 1 << 30))
    for line in lines:
        if not line.keys() & {"rule", "statement"}:
            checker.line(line)
    shown = checker.members(*checker.predicates["half"])
    pairs = [tuple(map(int, pair)) for pair in re.findall(r"\((\d+),(\d+)\)", shown)]
    assert sorted(pairs) == [(2 * n, n) for n in range(len(pairs))] and len(pairs) == 60


def test_two_sets_give_each_other_no_meaning(tmp_path: Path) -> None:
    shown = said(complements([P_IS], [N_IS]), tmp_path)
    assert [("digest" in line, "recursion" in line) for line in shown if line.startswith("predicate ")] == [
        (True, False), (True, False)]


def test_positions_of_a_game(tmp_path: Path) -> None:
    """The certificate says which game the positions are those of; another set is refused."""
    theorem = fp.discover("wythoff()", with_findings=False)
    lines = json.loads(json.dumps(list(games.certificate_of(theorem).lines)))
    assert any("predicate P: the P-positions of the game" in line for line in said(lines, tmp_path))
    line_with(lines, "predicate", "P")["outputs"][0] ^= 1
    with pytest.raises((Invalid, Malformed)):
        checked_lines(lines, tmp_path)
