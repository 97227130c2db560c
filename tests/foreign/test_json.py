"""JSON by the schema docs/answers.schema.json: what each command writes has no field that the schema lacks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.base.values import numbers_of_any_length
from fibprover.frontends.cli.tools import Tools
from tests.cli.command import answer
from tests.foreign.test_matrices import ALL

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "answers.schema.json").read_text())

THUE_MORSE = [n.bit_count() % 2 for n in range(300)]
SQUARES = [int(n in {k * k for k in range(20)}) for n in range(200)]

Check = Callable[[str, Any], None]


@pytest.fixture(scope="module")
def check() -> Check:
    """Compare a value with a definition of the schema."""
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def checked(definition: str, found: Any) -> None:
        schema = {"$ref": f"#/$defs/{definition.replace(' ', '%20')}", "$defs": SCHEMA["$defs"]}
        jsonschema.Draft202012Validator(schema).validate(found)

    return checked


def strict(text: str) -> Any:
    """A value of JSON without NaN and Infinity, and without a key twice."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        assert len(found) == len(pairs)
        return found

    def refuse(word: str) -> None:
        raise AssertionError(word)

    with numbers_of_any_length():
        return json.loads(text, object_pairs_hook=unique, parse_constant=refuse)


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Callable[..., Iterator[Any]]:
    """The values that a command line writes, one on each line, unless it is one value on several."""

    def values(*arguments: str, lines: bool = True) -> Iterator[Any]:
        out = answer(capsys, *arguments).out
        return iter([strict(line) for line in out.splitlines()] if lines else [strict(out)])

    return values


SCRIPT = """\
def even "Ey x=2*y";
eval t "Ax $even(x)";
reg r msd_2 "0*1";
reg signs {-1,0,1} "[-1]*";
inf r; test r 3; first r;
macro m "%0+1";
eval c n "i<n";
eval s "Ex x+1<x";
morphism h "0->01 1->10"; promote W h;
solve a "a(0)=1/2, a(n)=a(floor(n/2))+n/3 for n>0"; word M4 = coefficients of y=1+x*y+x^2*y^2 mod 4;
"""


def test_tools_of_the_server(check: Check) -> None:
    tools = Tools(fp.Session(), fp.Limits(seconds=60))
    check("truths", tools.explain("Ey x=2*y", {"x": 6}))
    check("answer", tools.solve("d", "(n=0 & v=0) | Em n=m+1 & $d(m,v-1) & v>0"))
    check("studied by the server", tools.study("T", only="complexity"))
    check("inferred", tools.infer(THUE_MORSE, systems="msd_2"))
    certified = tools.certify("Ax Ey y>x")
    check("certified by the server", certified)
    check("checked by the server", tools.check(certified["certificate"]))
    check("error", tools.check("nothing"))


def test_eval_and_run(check: Check, said: Callable[..., Iterator[Any]], tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text(SCRIPT)
    kinds, solved = [], False
    for asked in (
        ["eval", "--trace", "--vacuity", "Ax Ey (y>x => y<x)"], ["eval", "Ax x<5"], ["eval", "x<y & y<5"],
        ["eval", f"x=1{'0' * 5000}"], ["eval", "x=1 & y<"], ["eval", "--counts", "n", "i<n"],
        ["eval", "--nfa", "Ex y=3*x"], ["eval", "?msd_sturmian C[n]=1"], ["eval", "?msd_sturmian C[0]=1"],
        ["eval", "--trace", "--max-states", "100", "30000001*a-29999999*b=c"],
        ["run", "--trace", "--certify", str(tmp_path / "c"), str(tmp_path / "s.txt")],
    ):
        for found in said(*asked, "--json"):
            check("outcome", found)
            check(found["kind"] if found["kind"] != "none" else "answer", found)
            kinds.append(found["kind"])
            solved = solved or ("certificate" in found and found["kind"] == "sequences")
    assert set(kinds) == {"verdict", "relation", "family relation", "error", "answer", "none", "done", "sequences"}
    assert solved, "the answer of `solve` says what became of its certificate"
    (plan,) = said("explain", "--json", "x<y & Ez z=x & (Ew w=z*2)")
    check("explained", plan)
    for asked in (
        ["--why", "Ax x-1<x & Ey y>x"], ["--at", "x=1", "x<y & z<x"], ["--why", "--max-states", "3", "x=77*y"],
    ):
        (tree,) = said("explain", "--json", *asked)
        check("truths", tree)


def test_prove(check: Check, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text(
        'import fibprover as fp\nc = fp.Chapter("T", source="S", system="msd_2")\n'
        'c.theorem("a", "An Em (m=n+1 => m>n)", statement="s")\nc.theorem("b", "Ax x=1", statement="t")\n'
        'c.theorem("c", "Ax $no(x)", statement="u")\nc.theorem("d", "Ax x=x", statement="v", long=True)\n'
    )
    file = tmp_path / "t.json"
    assert answer(capsys, "prove", str(tmp_path / "t.py"), "--json", str(file), "--html", str(tmp_path / "p")).status
    found = strict(file.read_text())
    check("theorems", found)
    assert [each["verdict"] for each in found] == [True, False, None, None] and found[1]["evidence"]


@pytest.mark.long
def test_study(
    check: Check, said: Callable[..., Iterator[Any]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    only = ["--only", "complexity,reversal,letter-1-gaps", "--json", "-"]
    (found,) = said("study", "T", *only)
    check("sheet", found)
    (found,) = said("study", "sturmian", "--only", "squares,fourth-powers", "--json", "-")
    check("sheet", found)
    (found,) = said("study", "T", "RS", *only)
    check("comparison", found)
    lines = [strict(each) for each in answer(capsys, "study", "T", *only[:2], "--json-lines", "-").out.splitlines()]
    check("sheet", lines)
    assert [each["id"] for each in lines] == ["letter-1-gaps", "complexity", "reversal"]
    (tmp_path / "none.txt").write_text("\n".join(f"{n} {n * n % 7 * (n % 13 < 4)}" for n in range(40)))
    (found,) = said("study", "--terms", str(tmp_path / "none.txt"), "--json", "-")
    check("no automaton", found)


def test_games(check: Check, said: Callable[..., Iterator[Any]], tmp_path: Path) -> None:
    (found,) = said("game", "terminal(1)", "--json", "-")
    check("game", found)
    assert found["findings"]
    (found,) = said("game", "i=0 | j=0 | i=2*j", "--timeout", "0.5", "--json", "-")
    check("game", found)


@pytest.mark.long
def test_inventions(check: Check, said: Callable[..., Iterator[Any]]) -> None:
    for asked, status in (("wythoff()", "invariant"), ("terminal(1)", "invariant"), ("terminal(2)", "none")):
        (found,) = said("invent", asked, "--json", "-")
        check("invention", found)
        assert found["status"] == status


@pytest.mark.long
def test_many_games(check: Check, said: Callable[..., Iterator[Any]], tmp_path: Path) -> None:
    for asked in (["--table"], ["--positions", "6"], ["--grundy", "4"]):
        (found,) = said("game", "wythoff()", *asked, "--format", "json")
        check("table", found)
    (found,) = said("game", "--sweep", "wythoff(k)", "k=1..2", "--no-findings", "--json", "-", lines=False)
    check("tasks", found)
    results = ["--results", str(tmp_path / "results"), "--json", "-", "--only", "wythoff"]
    (found,) = said("atlas", str(ROOT / "proofs" / "atlas" / "2-wythoff.toml"), *results)
    check("atlas", found)


def test_words_and_systems(check: Check, said: Callable[..., Iterator[Any]], tmp_path: Path) -> None:
    for found in said("words", "--json"):
        check("word", found)
    for values, options, definition in (
        (THUE_MORSE, [], "inferred"), (SQUARES, [], "no automaton"), (SQUARES, ["--margin", "1"], "not inferred"),
        ([n.bit_count() for n in range(200)], [], "inferred numbers"),
    ):
        (tmp_path / "v.txt").write_text(" ".join(map(str, values)))
        out = ["--out", str(tmp_path / "w.json")] if definition == "inferred" else []
        (found,) = said("infer", str(tmp_path / "v.txt"), "--system", "msd_2", "--name", "M", "--json", *options, *out)
        check(definition, found)
    entry = strict((tmp_path / "w.json").read_text())
    check("words file", entry)
    session = fp.Session()
    session.load_words(tmp_path / "w.json")
    assert list(session.namespace.words["M"].prefix(300)) == THUE_MORSE
    for action in ("describe", "verify", "write", "list"):
        for found in said("system", action, "msd_fib", *(["100"] if action == "write" else []), "--json"):
            check("system", found)


def test_representations(check: Check) -> None:
    for sequence in ALL.values():
        check("representation", strict(sequence.text("json")))


def test_every_definition_is_used() -> None:
    """Here, or as a part of another one."""
    named = {name for name in SCHEMA["$defs"] if f'"{name}"' in Path(__file__).read_text()}
    waiting = list(named)
    while waiting:
        text = json.dumps(SCHEMA["$defs"][waiting.pop()])
        inner = {name for name in SCHEMA["$defs"] if f'"#/$defs/{name}"' in text}
        waiting += inner - named
        named |= inner
    assert named == set(SCHEMA["$defs"])


def test_check(check: Check, said: Callable[..., Iterator[Any]], tmp_path: Path) -> None:
    file = tmp_path / "less.jsonl.gz"
    list(said("eval", "Ax Ey x<y", "--certificate", str(file), "--json"))
    for found in said("check", "--explain", "--json", str(file)):
        check("explained certificate", found)
    for found in said("check", "--json", str(tmp_path)):
        check("checked certificates", found)
