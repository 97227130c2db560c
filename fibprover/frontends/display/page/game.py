"""The content of the page of `fibprover game`: the rules, the theorem with its board, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from fibprover.frontends.display.page import play
from fibprover.frontends.display.page.document import about
from fibprover.frontends.display.page.figures import Figures, packed_pairs
from fibprover.frontends.display.page.glossary import Glossary, Scope, used
from fibprover.games.findings.context import Finding, FindingCommand
from fibprover.games.passing import without_pass
from fibprover.games.positions import Positions, named
from fibprover.games.script import proof_script
from fibprover.games.theorem import Theorem
from fibprover.games.theorem_text import (
    certified_in_words,
    game_title,
    rules_in_words,
    sentence,
    statement_and_proof,
    undecided_in_words,
)
from fibprover.language.builder import variables
from fibprover.numeration.registry import system_named
from fibprover.prover.environment import Definition

#: The length to which a statement is cut in its row if it is twice as long; the whole is shown below the row.
_LONG = 400

_LABELS = {"proved": "PROVED", "undecided": "UNDECIDED", "refuted": "REFUTED", "no automaton": "NO AUTOMATON"}


def content(theorem: Theorem, version: str, other: Positions | None = None) -> dict[str, Any]:
    """Return the content of the page, as an object of JSON; other: the P-positions of a second game below SIDE."""
    found = theorem.as_json()
    shown = [] if other is None else [_data(other)]
    items = [_main(theorem, found)]
    figures = Figures(theorem.session().namespace.system if theorem else system_named)
    glossary = Glossary(figures)
    if theorem:
        scope = _names(theorem, glossary)
        _prove(items[0], proof_script(replace(theorem, findings=()), "game").commands, glossary, scope)
        items[0] |= {"board": {"entry": scope["$P"]}, "calls": {"$P": scope["$P"]} | items[0]["calls"]}
        said = certified_in_words(theorem)
        for number, each in enumerate(theorem.findings, start=1):
            items.append(_finding(each, number, glossary, scope, said[number : number + 1]))
    else:
        items[0]["board"] = {"data": _data(theorem.discovery.data)}
    items[0]["play"] = play.rules(theorem.game, figures)
    if theorem and items[0]["play"]:
        items[0]["play"]["large"] = play.at_any_size(theorem, figures)
    groups = [
        {"title": title, "source": "", "system": system, "place": "", "part": 0}
        for title, system in ((f"The {named(theorem.value, 's')}", found["system"] or ""), ("What follows", ""))
    ]
    return {
        "kind": "game", "title": game_title(theorem.game),
        "lead": " ".join(["Two players take turns on two piles, of a and b counters.", *rules_in_words(theorem.game)]),
        "summary": undecided_in_words(theorem), "remarks": [], "about": about(version),
        "parts": [{"title": "", "about": ""}], "groups": groups[: 1 + (len(items) > 1)], "items": items,
        "names": glossary.entries, "data": shown, **figures.objects(),
    }


def _data(positions: Positions) -> dict[str, Any]:
    pairs = list(zip(positions.a.tolist(), positions.b.tolist(), strict=True))
    name = f"{positions.game.name}, value {positions.value}" if positions.value else positions.game.name
    return {"name": name, "gaps": packed_pairs(pairs)}


def _item(name: str, statement: str, label: str, group: int, **more: Any) -> dict[str, Any]:
    return {
        "id": name, "statement": statement, "label": label, "good": True, "group": group, "form": "", "source": "",
        "formula": "", "expanded": "", "calls": {}, "example": "", **more,
    }


def _main(theorem: Theorem, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the item of the theorem, or of the attempt to prove one."""
    costs = {"seconds": found["seconds"], "peak_bytes": found["peak_bytes"], "attempts": found["attempts"]}
    first, second = statement_and_proof(theorem)
    said = [second, *certified_in_words(theorem)[:1]]
    return _item(named(theorem.value, "s"), first, _LABELS[found["status"]], 0, said=said, **costs)


def _names(theorem: Theorem, glossary: Glossary) -> Scope:
    """Add the positions, those of smaller values, the terminal ones, the subjects of findings; return their names."""
    scope: Scope = {}
    session = theorem.session()
    sets = {"P": theorem.automaton} | {f"V{value}": each for value, each in enumerate(theorem.discovery.smaller)}
    for name, automaton in sets.items():
        scope[f"${name}"] = glossary.define(Definition(name, automaton.renamed(("a", "b")), ""), {})
        value = theorem.value if name == "P" else int(name[1:])
        called = f"{theorem.game.name}, value {value}" if theorem.value else theorem.game.name
        if theorem.game.passes and name != "P":
            called = without_pass(theorem.game).name
        glossary.entries[scope[f"${name}"]]["called"] = called
    if theorem.game.end is not None:
        a, b = variables("a b")
        session.define("T", (a >= 0) & (b >= 0) & theorem.game.end.formula)
        scope["$T"] = glossary.define(session.namespace.definitions["T"], scope)
        glossary.entries[scope["$P"]]["terminal"] = scope["$T"]
    for finding in theorem.findings:
        for name, automaton in finding.automata.items():
            if f"${name}" not in scope:
                scope[f"${name}"] = glossary.define(Definition(name, automaton, ""), {})
    return scope


def _finding(
    finding: Finding, number: int, glossary: Glossary, scope: Scope, certified: Sequence[str]
) -> dict[str, Any]:
    whole = sentence(finding.statement)
    short = f"{whole[:_LONG].rpartition(' ')[0]} ..." if len(whole) > 2 * _LONG else whole
    said = [*([] if short == whole else [whole]), *certified]
    item = _item(f"{number}. {finding.name}", short, "PROVED", 1, said=said)
    own = {f"${name}": scope[f"${name}"] for name in finding.automata}
    _prove(item, finding.commands, glossary, scope)
    return item | {"calls": own | item["calls"]}


def _prove(item: dict[str, Any], proof: Sequence[FindingCommand], glossary: Glossary, scope: Scope) -> None:
    """Put the commands of a proof into an item, and add their definitions to the glossary."""
    commands: list[dict[str, str]] = []
    for each in proof:
        text = str(each.formula)
        commands.append({"word": each.word, "name": each.name, "text": text})
        item["calls"] |= used(text, scope)
        if each.word == "def" and f"${each.name}" not in scope:
            scope[f"${each.name}"] = glossary.unseen(each.name, text, scope, "")
    item["commands"] = commands
