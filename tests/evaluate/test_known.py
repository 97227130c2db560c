"""What was evaluated is known as a part of other formulas, up to the names of variables, and only what is equal."""

from __future__ import annotations

import json
import random

import pytest

import fibprover as fp
from fibprover.language.parser import parse_formula
from fibprover.prover import known
from fibprover.prover.evaluate.trace import explained, tree
from fibprover.prover.lower import resolve
from fibprover.prover.plan.steps import Numbering
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.verdict import Verdict
from tests.evaluate.test_cache import test_everything_else_does, test_names_do_not_matter
from tests.plan.making import known as shared_session
from tests.seeds import chosen_seed

SLOW = "(Ak k<n => VTM[i+k]!=VTM[j+2*k])"


@pytest.fixture
def at_any_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every open formula, whatever it took."""
    monkeypatch.setattr(known, "LEAST_SECONDS", 0.0)


def known_parts(outcome: Verdict | Relation) -> list[str]:
    """The texts of the parts that were known."""
    assert outcome.trace is not None
    return [record.label for record in outcome.trace.records if record.since]


@pytest.mark.usefixtures("at_any_cost")
@pytest.mark.parametrize(("formula", "parts"), [
    (f"{SLOW} & i<j", [SLOW[1:-1]]),
    ("(Ap p<z => VTM[x+p]!=VTM[y+2*p]) & z>2", ["Ap p<z => VTM[x+p]!=VTM[y+2*p]"]),
    (f"Ei,n n>3 & ~{SLOW}", [SLOW[1:-1]]),
    (f"Aj {SLOW} => (Ei {SLOW} & i>n)", [SLOW[1:-1], SLOW[1:-1]]),
    ("(Ak k<n => VTM[j+k]!=VTM[i+2*k]) & i<j", ["Ak k<n => VTM[j+k]!=VTM[i+2*k]"]),
    ("(Ak k<n => VTM[i+k]!=VTM[i+2*k])", []), ("(Ak k<n => VTM[i+k]!=VTM[j+3*k])", []),
    ("(Ak k<=n => VTM[i+k]!=VTM[j+2*k])", []), ("(Ek k<n & VTM[i+k]!=VTM[j+2*k])", []),
    ("(Ak k<n => VTM[i+k]=VTM[j+2*k])", []), ("?lsd_2 (Ak k<n => VTM[i+k]!=VTM[j+2*k])", []),
])
def test_known_parts(formula: str, parts: list[str]) -> None:
    session = fp.Session(without=["recognize"])
    session.define("slow", SLOW)
    found, alone = session.eval(formula), fp.Session(without=["recognize", "cache"]).eval(formula)
    assert known_parts(found) == parts and not known_parts(alone)
    assert found == alone if isinstance(found, Relation) else bool(found) == bool(alone)
    if isinstance(found, Verdict) and isinstance(alone, Verdict):
        assert found.evidence == alone.evidence


@pytest.mark.usefixtures("at_any_cost")
def test_where_it_was_met() -> None:
    session = fp.Session()
    session.define("slow", SLOW)
    relation = session.relation(f"{SLOW} & i<j")
    assert relation.trace is not None
    assert f"(known since {SLOW[:57]}" in explained(relation.trace)
    assert '"since": "(Ak k<n' in json.dumps([node.as_json() for node in tree(relation.trace.records)])
    session = fp.Session()
    *_, (_, last) = session.run(f'eval a "x=x";\ndef slow "{SLOW}";\neval b "{SLOW} & i<j";')
    assert isinstance(last, Relation) and last.trace is not None and "(known since line 2)" in explained(last.trace)


@pytest.mark.usefixtures("at_any_cost")
def test_what_names_mean_counts() -> None:
    session, formula = fp.Session(), "$p(x) & W[y]=@1 & x<y+3"
    for number, word in ((3, "T"), (6, "RS"), (6, "T")):
        session.define("p", f"x<{number}")
        session.namespace.add_word("W", session.namespace.library_words[word].machine)
        expected = fp.Session().relation(f"x<{number} & {word}[y]=@1 & x<y+3")
        assert session.relation(formula) == expected
        assert known_parts(session.relation(f"({formula}) & x!=y")) == ["$p(x) & W[y]=@1 & x<y+3"]


def test_what_takes_no_time_is_not_kept() -> None:
    session = fp.Session()
    session.define("less", "x<y")
    assert not session.cache.shapes and session.cache.entries


def test_switched_off() -> None:
    for session in (fp.Session(without="cache"), fp.Session(plan="textbook")):
        session.relation("(Ak k<n => VTM[i+k]!=VTM[j+k])")
        assert not session.cache.shapes


#: Parts to choose from; their variables are replaced at random.
PARTS = [
    "x+y=z", "x<y", "T[x]=T[y]", "(Ez z<x & T[z]=T[y])", "(Az z<x => RS[z+y]=RS[z])", "(E>=2 z z<x & T[z]=T[y+z])",
    "x=2*y", "~(x<y | T[x]=@1)", "(x<y <=> T[x]=T[y])", "(Iz T[z]=T[z+x] & z>y)", "(x!=y ^ RS[x]=@1)",
]


@pytest.mark.long
@pytest.mark.random
@pytest.mark.usefixtures("at_any_cost")
def test_drawn_formulas_of_few_parts() -> None:
    draw = random.Random(f"{chosen_seed()} known")
    session, used = fp.Session(), 0
    for _ in range(150):
        parts = []
        for part in draw.choices(PARTS, k=draw.choice([1, 2, 2, 3])):
            names = dict(zip("xyz", draw.sample("abcd", 3), strict=True))
            parts.append("".join(names.get(character, character) for character in part))
        formula = draw.choice([" & ", " | ", " => "]).join(f"({part})" for part in parts)
        found, alone = session.eval(formula), fp.Session(without="cache").eval(formula)
        assert found == alone, formula
        used += bool(known_parts(found))
    assert used > 30


@pytest.mark.parametrize("case", [
    *(mark.args[1] for mark in test_names_do_not_matter.pytestmark),  # type: ignore[attr-defined]
])
def test_keys_of_names(case: list[tuple[str, str]]) -> None:
    """Formulas that differ in names only have one shape; what else differs has another key."""
    environment = shared_session().namespace.environment()

    def shape(text: str) -> object:
        return known._shape(resolve(parse_formula(text), environment).logic, {})

    assert all(shape(first) == shape(second) for first, second in case)


@pytest.mark.parametrize("case", [
    *(mark.args[1] for mark in test_everything_else_does.pytestmark),  # type: ignore[attr-defined]
])
def test_keys_of_what_differs(case: list[tuple[str, str]]) -> None:
    environment = shared_session().namespace.environment()

    def key(text: str) -> object:
        resolved = resolve(parse_formula(text), environment)
        return known._key(resolved.logic, Numbering(resolved.sorts))

    for first, second in case:
        assert key(first) != key(second), (first, second)
