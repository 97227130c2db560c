"""The rule `backwards`: formulas about languages that are far smaller read from the other end."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.automata import turned
from fibprover.base.limits import Limits
from fibprover.prover.evaluate import executor
from fibprover.prover.verdict.relation import Relation
from tests.seeds import chosen_seed

LANGUAGES = {
    "a": ("{s}", "(0|1)(0|1)1(0|1)*"),
    "b": ("{s}", "(01*)*|1(0|1)*1"),
    "c": ("{s} {s}", "([0,0]|[1,0]|[0,1])*([1,1]([0,0]|[1,0])*)?"),
    "d": ("{s}", "0*|1"),
}
ATOMS = (
    "$a({x})", "$b({x})", "$c({x},{y})", "$c({x},{x})", "$d({x})", "x+y={x}", "{x}<{y}", "{x}!=2*{y}+1", "F[{x}]=1",
)


def formula(draw: random.Random, depth: int) -> tuple[str, set[str]]:
    """Return a formula, and its free variables."""
    if not depth:
        x, y = draw.choice("xyz"), draw.choice("xyz")
        atom = draw.choice(ATOMS)
        return atom.format(x=x, y=y), set(re.findall(r"\b[xyz]\b", atom.format(x=x, y=y)))
    inner, free = formula(draw, depth - 1)
    match draw.randrange(6):
        case 0:
            return f"~({inner})", free
        case 1 | 2 if free:
            names = draw.sample(sorted(free), draw.randint(1, len(free)))
            return f"({draw.choice(['E', 'A', 'I', 'E>=2 '])}{','.join(names)} ({inner}))", free - set(names)
        case _:
            other, more = formula(draw, depth - 1)
            return f"({inner} {draw.choice(['&', '|', '=>', '<=>', '^'])} {other})", free | more


def session(system: str, *off: str) -> fp.Session:
    """Return a session that knows the languages."""
    made = fp.Session(system, without=off, limits=Limits(seconds=20))
    for name, (alphabets, regex) in LANGUAGES.items():
        made.reg(name, alphabets.format(s=system).split(), regex)
    return made


def witness(verdict: fp.Verdict) -> object:
    """Return the numbers that show a verdict."""
    return verdict.evidence and verdict.evidence.values


@pytest.mark.parametrize("system", ["lsd_2", "lsd_fib"])
def test_random_formulas(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With everything kept from the other end, the answers are those of the usual way."""
    usual = session(system, "backwards")
    monkeypatch.setattr(turned, "MOST_STATES", 0)
    monkeypatch.setattr(turned, "MOST_TIMES", 0)
    kept = session(system)
    assert all(kept.namespace.definitions[name].automaton.backward is not None for name in LANGUAGES)
    draw = random.Random(chosen_seed())
    late = 0
    for _ in range(60):
        text, _ = formula(draw, draw.randint(1, 3))
        text = text.replace("F[", "PR[") if system == "lsd_2" else text
        expected, found = usual.eval(text), kept.eval(text)
        assert type(expected) is type(found), text
        if isinstance(found, fp.Verdict) and isinstance(expected, fp.Verdict):
            assert found.truth == expected.truth, text
            if found.evidence is not None and expected.evidence is not None:
                assert found.evidence.values == expected.evidence.values, text
        elif isinstance(found, Relation) and isinstance(expected, Relation):
            late += found.automaton.backward is not None
            if "F[" not in text:  # of both directions, which may depend on each other in too many ways
                assert found.to_reading_order() == expected.to_reading_order(), text
            assert found.first(10) == expected.first(10), text
            assert found == expected, text
    assert late > 10


def test_a_language_that_cannot_be_turned() -> None:
    s = fp.Session("lsd_2", limits=Limits(seconds=10, states=100_000))
    late = s.reg("late", "lsd_2", "(0|1)" * 60 + "1(0|1)*")
    assert late.states == 62 and not late.is_empty() and not late.is_finite()
    assert late.values(3) == [2**60, 2**60 + 1, 2**60 + 2] and 3 * 2**60 in late and 2**61 not in late
    assert witness(s.prove("Ex $late(x)")) == {"x": 2**60}
    assert s.prove("Ax $late(x) => x>=5").truth
    assert not s.prove("Ax x>3 => $late(x)").truth
    thirds = s.relation("$late(3*x)")
    assert thirds.least() == (-(-(2**60) // 3),) and s.prove("Ax x>=2 => Ey y>x & ~$late(y)").truth
    assert s.prove("Ix $late(x)").truth and not s.prove(f"Ix $late(x) & x<{2**61}").truth
    assert s.prove("Ex,y $late(x) & $late(y) & x!=y").truth
    assert s.prove(f"E=2 x $late(x) & x<{2**60 + 2}").truth and not s.prove(f"E>=3 x $late(x) & x<{2**60 + 2}").truth
    s.define("early", "~$late(n)")
    assert s.prove("An $early(n) ^ $late(n)").truth


def test_sessions_keep_it(tmp_path: Path) -> None:
    first, again = fp.Session(), fp.Session()
    first.use_folders(tmp_path)
    first.reg("late", "lsd_2", "(0|1)" * 50 + "1(0|1)*")
    again.use_folders(tmp_path)
    assert witness(again.prove("?lsd_2 Ex $late(x)")) == {"x": 2**50}


def test_the_usual_way_where_it_becomes_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turned, "MOST_STATES", 100)
    s = fp.Session("lsd_2")
    s.reg("late", "lsd_2", "(0|1)" * 9 + "1(0|1)*")
    monkeypatch.setattr(executor, "MOST_BACKWARDS", 3)
    found = s.relation("$late(x) & x>600")
    assert found.automaton.backward is None and found.least() == (601,)


def test_the_textbook_plan_is_not_turned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turned, "MOST_STATES", 100)
    s = fp.Session("lsd_2")
    s.reg("late", "lsd_2", "(0|1)" * 9 + "1(0|1)*")
    trace = s.relation("$late(x) & x>600", plan="textbook").trace
    assert trace is not None and trace.largest >= 512
