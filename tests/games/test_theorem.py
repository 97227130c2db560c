"""Theorems about games as values: what they say, and that their scripts prove it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, SyntaxProblem, UnknownName
from fibprover.base.limits import Limits
from fibprover.frontends.display.page import game as game_page
from fibprover.games.catalogue import game_of
from fibprover.games.findings import moves
from fibprover.games.findings.context import Finding, GameContext
from fibprover.games.rules import Game
from fibprover.games.script import ProofScript, proof_script
from fibprover.games.search import SearchAttempt
from fibprover.games.theorem import Theorem, discover
from fibprover.games.theorem_text import (
    CUT,
    LONG,
    attempts_table,
    game_title,
    listed,
    rules_in_words,
    sentence,
    shorten,
    system_in_words,
    theorem_text,
)
from fibprover.prover.verdict.verdict import Verdict
from fibprover.workspace.session import Session


@pytest.fixture(scope="module")
def k1() -> Theorem:
    return discover("terminal(1)")


@pytest.fixture(scope="module")
def w3() -> Theorem:
    return discover("blocking(3)", with_findings=False)


@pytest.fixture(scope="module")
def unsolved() -> Theorem:
    """Base 3 is the wrong system for it, and its candidate too large to be refuted."""
    return discover("terminal(2)", ["msd_3", "lsd_2"], largest=1000, limits=Limits(states=1000))


# -- the value ---------------------------------------------------------------------------------------------


def test_a_theorem_is_true_and_usable(k1: Theorem) -> None:
    assert k1
    assert (k1.status, k1.system.name, k1.automaton.states) == ("proved", "msd_fib", 5)
    assert (7, 12) in k1.relation
    assert (7, 11) not in k1.relation
    session = k1.session()
    assert session.prove("Aa,b $P(a,b) <=> $P(b,a)")
    other = Session("msd_fib")
    other.define("K1", k1.relation)
    assert other.relation("$K1(a,b) & a<b").first(3) == [(0, 1), (2, 4), (3, 6)]
    assert "proved, 5 states in msd_fib" in repr(k1)


def test_without_a_theorem_nothing_is_claimed(unsolved: Theorem) -> None:
    assert not unsolved
    assert unsolved.status in ("no automaton", "undecided")
    for ask in (lambda: unsolved.automaton, lambda: unsolved.system, unsolved.session, lambda: unsolved.relation):
        with pytest.raises(FibproverError, match="no theorem about terminal"):
            ask()
    with pytest.raises(FibproverError):
        proof_script(unsolved, "k2")


def test_exports() -> None:
    assert fp.discover is discover
    assert fp.games.blocking(3).blocked == 2
    assert fp.Game.by_vectors("i=0 | j=0") == fp.games.nim().__class__.by_vectors("i=0 | j=0")
    with pytest.raises(AttributeError):
        fp.games.chess  # noqa: B018


def test_a_game_with_rules_of_its_own() -> None:
    with pytest.raises(FibproverError, match="terminal positions"):
        discover(fp.games.nim(), terminal="a<2")


def test_bounds_of_the_data() -> None:
    for largest in (-1, 1 << 40):
        with pytest.raises(LimitError):
            discover("terminal(2)", largest=largest)
    small = discover("terminal(2)", largest=1, limits=Limits(seconds=20))
    assert (small.status, len(small.discovery.data)) == ("undecided", 1)
    assert "Data: 1 P-position below 1" in str(small)


def test_the_first_data_need_a_budget() -> None:
    with pytest.raises(BudgetSpent):
        discover("terminal(2)", limits=Limits(seconds=1e-9))


# -- reading -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("i=0 | j=0", "vectors"), ("Ek i=2*k & j=0", "vectors"), ("(p=r & s<q) | (q=s & r<p)", "steps"),
        ("nim()", "vectors"),
    ],
)
def test_what_a_text_means(text: str, form: str) -> None:
    assert game_of(text).form == form


def test_more_rules_for_a_ready_made_game() -> None:
    game = game_of("wythoff()", "a+b<=3", 2)
    assert (game.moves, game.terminal, game.blocked) == (fp.games.wythoff().moves, "a+b<=3", 2)
    assert game.name == "wythoff(); terminal a+b<=3; 2 blocked"
    with pytest.raises(FibproverError, match=r"terminal\(1\) already has terminal positions of its own"):
        game_of("terminal(1)", "a<2")
    with pytest.raises(FibproverError, match=r"blocking\(2\) already has blocked options of its own"):
        game_of("blocking(2)", "", 1)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", SyntaxProblem, "no game"),
        ("wythof(2)", UnknownName, "did you mean wythoff"),
        ("terminal(2", SyntaxProblem, "(2"),
        ("i=0 | x=0", UnknownName, "x is not among these variables"),
        ("p=r & i=0", UnknownName, "r is not among these variables"),
        ("p=r & s=q", FibproverError, "need not end"),
    ],
)
def test_texts_that_are_no_games(text: str, error: type[FibproverError], message: str) -> None:
    with pytest.raises(error) as caught:
        game_of(text)
    assert message in str(caught.value)


# -- words -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "called", "said"),
    [
        ("terminal(3)", "terminal(3), the game K^3", "or the same number from both"),
        ("blocking(4)", "blocking(4), the game W^4", "may forbid up to 3 options"),
        ("blocking(2)", "blocking(2), the game W^2", "may forbid one option"),
        ("nim(1)", "nim(1)", "takes 1 counter from one pile"),
        ("nim(3,1,2)", "nim(3,1,2)", "takes 1, 2 or 3 counters from one pile"),
        ("wythoff()", "wythoff(), Wythoff's game", "cannot move loses"),
        ("wythoff(4)", "wythoff(4), 4-Wythoff", "|k-l| < 4"),
        ("wythoff(2,3)", "wythoff(2,3), the (2,3)-game", "0 < k <= l < 2k+3"),
        ("splithoff(2)", "splithoff(2), 2-Splithoff", "may split the other one into two"),
        ("i=0 | j=0 | i=j", "i=0 | j=0 | i=j", "or the same number from both"),
        ("i=0 & j<4", "i=0 & j<4", "with i=0 & j<4"),
        ("p=r & s<q", "p=r & s<q", "leads from (p,q) to (r,s) if p=r & s<q"),
    ],
)
def test_rules_in_words(name: str, called: str, said: str) -> None:
    game = game_of(name)
    assert game_title(game) == called
    assert said in " ".join(rules_in_words(game))


def test_a_name_is_not_believed() -> None:
    """A game may be called as a ready-made one and have other rules."""
    game = Game.by_vectors("i=0", "a<2", name="terminal(3)")
    assert game_title(game) == "terminal(3)"
    assert "with i=0" in rules_in_words(game)[0]


def test_systems_in_words() -> None:
    assert system_in_words(fp.system_named("pell")).startswith("msd_pell (U[t] = 2U[t-1] + U[t-2]: 1, 2, 5, 12, ")
    assert "continued fraction [0; 3, (1, 2)]: 1, 3, 4" in system_in_words(fp.system_named("msd_ost_0_3_per_1_2"))


def test_sentences() -> None:
    assert sentence("no move is redundant") == "No move is redundant."
    assert sentence("a_n is 1, 2, ...") == "a_n is 1, 2, ..."
    assert [listed(words) for words in (["x"], ["x", "y"], ["x", "y", "z"])] == ["x", "x and y", "x, y and z"]


def test_the_theorem_printed(k1: Theorem) -> None:
    text = " ".join(str(k1).split())
    assert "Positions (a,b) with a+b<=1 are terminal." in text
    assert "U[t] = U[t-1] + U[t-2]: 1, 2, 3, 5, 8, 13" in text
    assert "by an automaton with 5 states" in text
    assert "(0,0), (0,1), (2,4), (3,6)" in text
    assert "inferred from 2293 P-positions with piles below 3000" in text
    assert "(stable)" in text and "(absorbing)" in text and "terminal positions are in its set" in text
    numbers = re.findall(r"^(\d+)\. ", str(k1), re.MULTILINE)
    assert numbers == [str(n) for n in range(1, len(k1.findings) + 1)]
    assert all(len(line) <= 120 for line in str(k1).splitlines())


def test_the_regular_expression_printed_is_that_of_the_positions(k1: Theorem) -> None:
    text = " ".join(str(k1).split())
    found = re.search(r"As pairs of digits .* those with a <= b are (\S+)\.", text)
    assert found is not None
    session = k1.session()
    session.reg("R", ["msd_fib", "msd_fib"], found[1])
    assert session.prove("Aa,b $R(a,b) <=> ($P(a,b) & a<=b)")


def test_the_theorem_with_blocking_printed(w3: Theorem) -> None:
    text = " ".join(str(w3).split())
    assert "every position of the set has fewer than 3 options in it (stable)" in text
    assert "3 or more options in it (absorbing)" in text
    assert "terminal" not in text


def test_the_theorem_as_latex(k1: Theorem, tmp_path: Path) -> None:
    text = k1.to_latex("k1")
    assert r"\begin{theorem}[terminal(1), the game $K^{1}$]" in text
    assert text.count(r"\item ") == len(k1.findings)
    assert r"\lfloor" in text and r"$b_{n} = a_{n}" in text.replace("\n  ", " ")
    # The script of the proof is in it, whole but for line breaks.
    inside = text.partition(r"\begin{verbatim}")[2].partition(r"\end{verbatim}")[0]
    assert inside.split() == proof_script(k1, "k1").text.split()
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex")
    head = r"\documentclass{article}\usepackage{amsmath,amsthm}\newtheorem{theorem}{Theorem}\begin{document}"
    (tmp_path / "x.tex").write_text(head + text + r"\end{document}")
    made = subprocess.run(["pdflatex", "-halt-on-error", "x.tex"], cwd=tmp_path, capture_output=True, check=False)
    assert made.returncode == 0, made.stdout[-2000:]


def test_without_a_theorem_there_is_no_latex(unsolved: Theorem) -> None:
    with pytest.raises(FibproverError, match="no theorem about"):
        unsolved.to_latex()


def test_the_report_without_a_theorem(unsolved: Theorem) -> None:
    text = theorem_text(unsolved)
    assert f"No theorem: {unsolved.status}." in text
    assert re.search(r"^msd_3 +\d+  \w", text, re.MULTILINE)
    assert "  lsd_2: automata are inferred in systems of natural numbers" in text
    assert "Theorem." not in text


def test_the_table_of_attempts() -> None:
    def attempt(
        system: str, bound: int, states: int, outcome: str, failure: tuple[int, int] | None = None
    ) -> SearchAttempt:
        return SearchAttempt(system, bound, 10, states, 1, outcome, failure)

    tried = [
        attempt("msd_2", 3000, 30, "too few data"), attempt("msd_fib", 3000, 40, "too few data"),
        attempt("msd_fib", 16384, 200, "refuted", (3, 4)),
        *(attempt(f"msd_{k}", 3000, k, "grows") for k in range(100, 120)),
    ]
    lines = attempts_table(tried).splitlines()
    assert lines[:3] == [
        "states from data below  3000  16384    like",
        "msd_fib                   40    200  N^0.95  refuted at (3,4)",
        "msd_2                     30                 too few data",
    ]
    assert lines[13].startswith("and 10 more systems: msd_110, msd_111")


def test_json(k1: Theorem, unsolved: Theorem) -> None:
    found = json.loads(json.dumps(k1.as_json()))
    assert (found["game"], found["status"], found["system"], found["states"]) == ("terminal(1)", "proved", "msd_fib", 5)
    assert (found["data_bound"], found["positions"]) == (3000, 2293)
    assert found["seconds"] > 0 and found["peak_bytes"] > 0
    assert [finding["name"] for finding in found["findings"]] == [finding.name for finding in k1.findings]
    assert found["automaton"].startswith("msd_fib msd_fib\n")
    assert found["attempts"][-1]["outcome"] == "proved"
    other = json.loads(json.dumps(unsolved.as_json()))
    assert (other["system"], other["states"], other["automaton"], other["findings"]) == (None, None, None, [])
    assert {attempt["system"] for attempt in other["attempts"]} == {"msd_3", "lsd_2"}


# -- scripts -----------------------------------------------------------------------------------------------


def carried_out(script: ProofScript, folder: Path) -> dict[str, bool]:
    """The verdicts of a script's evaluations, with its automata read from files."""
    session = Session()
    for name, text in script.automata.items():
        (folder / f"{name}.txt").write_text(text)
        session.namespace.load_predicate(folder / f"{name}.txt")
    done = session.run(script.text)
    return {
        getattr(command, "name", ""): bool(outcome) for command, outcome in done if isinstance(outcome, Verdict)
    }


def moved(text: str, place: tuple[int, ...]) -> str:
    """An automaton's text in which other states accept."""
    lines = text.splitlines()
    states = [number for number, line in enumerate(lines) if re.fullmatch(r"\d+ [01]", line)]
    for number in place:
        line = lines[states[number]]
        lines[states[number]] = f"{line[:-1]}{1 - int(line[-1])}"
    return "\n".join(lines) + "\n"


def test_the_script_proves_the_theorem(k1: Theorem, tmp_path: Path) -> None:
    script = proof_script(k1, "k1")
    assert set(script.automata) == {"k1_P", "k1_A", "k1_B"}
    verdicts = carried_out(script, tmp_path)
    assert {"k1_moves", "k1_terminal", "k1_stable_3", "k1_absorbing", "k1_sequences_1"} <= set(verdicts)
    assert all(verdicts.values())
    assert "fibprover run --load k1_P.txt --load k1_A.txt --load k1_B.txt k1.txt" in script.text


def test_without_blocking_the_script_is_in_the_language_of_walnut(k1: Theorem) -> None:
    """No counting quantifiers in the proof, and def and eval are all there is."""
    script = proof_script(k1, "k1")
    commands = [line for line in script.text.splitlines() if line and not line.startswith("#")]
    for command in commands:
        assert re.fullmatch(r'(def|eval) \w+ "\?msd_\w+ [^"]+":', command)
        if "k1_sequences" in command or "_stable" in command or "_absorbing" in command or "_moves" in command:
            assert not re.search(r"E\s*[<>=]", command)


@pytest.mark.parametrize("state", range(5))
def test_a_tampered_automaton_is_found_out(k1: Theorem, tmp_path: Path, state: int) -> None:
    script = proof_script(k1, "k1")
    wrong = ProofScript(script.text, {**script.automata, "k1_P": moved(script.automata["k1_P"], (state,))})
    assert not all(carried_out(wrong, tmp_path).values())


@pytest.mark.long
def test_the_script_with_blocking(w3: Theorem, tmp_path: Path) -> None:
    script = proof_script(w3, "w3")
    verdicts = carried_out(script, tmp_path)
    assert {"w3_moves", "w3_smaller_1", "w3_stable", "w3_absorbing"} <= set(verdicts)
    assert all(verdicts.values())
    for state in range(w3.automaton.states):
        wrong = ProofScript(script.text, {"w3_P": moved(script.automata["w3_P"], (state,))})
        assert not all(carried_out(wrong, tmp_path).values())


def test_the_script_of_another_game_is_false(w3: Theorem, tmp_path: Path) -> None:
    """The rules are part of the script: those of W^4 with the positions of W^3 prove nothing."""
    script = proof_script(w3, "w3")
    other = script.text.replace("first_3_3(p,q)", "first_3_2(p,q)")
    assert not all(carried_out(ProofScript(other, script.automata), tmp_path).values())


def test_names_of_scripts(k1: Theorem) -> None:
    for name in ("", "2k", "a-b"):
        with pytest.raises(FibproverError):
            proof_script(k1, name)


def test_long_statements_are_cut() -> None:
    long = " ".join(map(str, range(1000)))
    short = shorten(long)
    assert shorten("no move is redundant") == "no move is redundant"
    assert short.startswith("0 1 2 ") and short.endswith(" 998 999")
    assert len(short) < LONG and f" {CUT} " in short
    assert all(word in [*map(str, range(1000)), CUT] for word in short.split())


def test_what_is_not_decided_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """What came before the budget was spent stays, and the kind of finding that spent it is named."""

    def spent(context: GameContext) -> Iterator[Finding]:
        yield Finding("half", "half of it is found", (), {})
        raise BudgetSpent("seconds", 20)

    monkeypatch.setattr(moves, "redundant_findings", spent)
    theorem = discover("terminal(1)")
    assert theorem
    assert theorem.undecided == ("redundant moves",)
    assert "half" in [finding.name for finding in theorem.findings]
    assert str(theorem).endswith("Not decided within the limits: redundant moves.")
    assert theorem.as_json()["undecided"] == ["redundant moves"]
    html = theorem._repr_html_()
    assert html.index("Half of it is found") < html.index("Not decided within the limits: redundant moves.")
    assert game_page.content(theorem, "0")["summary"] == "Not decided within the limits: redundant moves."
