"""The LALR tables of grammar.lark, as data: made by lark when fibprover is built, and kept in grammar.json.

`python fibprover/language/tables.py FILE` writes the file; setup.py does that. A checkout that was not built, or whose
grammar has changed since, makes the tables when the first formula is read, which takes lark and some 70 ms.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

#: The grammar, and the tables that were made of it.
GRAMMAR = Path(__file__).with_name("grammar.lark")
TABLES = Path(__file__).with_name("grammar.json")


@cache
def tables() -> dict[str, Any]:
    """Return the tables of the grammar; they are read once."""
    return read_tables()


def read_tables() -> dict[str, Any]:
    """Return the tables: those that were kept, if they are of the grammar that is there, or new ones."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    try:
        kept = json.loads(TABLES.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        kept = None
    if isinstance(kept, dict) and kept.get("grammar") == digest(grammar):
        return kept
    return made(grammar)


def digest(grammar: str) -> str:
    """Return what tells one grammar from another."""
    return sha256(grammar.encode()).hexdigest()


def made(grammar: str) -> dict[str, Any]:
    """Return the tables of a grammar.

    states: by the name of a terminal or rule, the state that follows, or -1 - r for a reduction by rule r; rules: the
    origin, the number of parts, the method of the builder, whether a single value stands for the rule, the parts that
    have a value, and those whose values are lists of parts; lexer: a regular expression of all terminals, also of those
    that no formula has (`fibprover.language.tokens`).  A text alone tells which terminal it is, so one lexer serves all
    states.
    """
    from lark import Lark
    from lark.parsers.lalr_analysis import Shift

    lark: Any = Lark(grammar, parser="lalr", lexer="contextual", maybe_placeholders=False)
    table = lark.parser.parser._parse_table
    numbers = {rule: number for number, rule in enumerate(lark.rules)}
    order = {state: number for number, state in enumerate(table.states)}
    states = [
        {name: order[value] if action is Shift else -1 - numbers[value] for name, (action, value) in row.items()}
        for row in table.states.values()
    ]
    # lark tries terminals in this order.
    terminals = sorted(
        lark.grammar.compile(["start"], "*")[0],
        key=lambda each: (-each.priority, -each.pattern.max_width, -len(each.pattern.value), each.name),
    )
    return {
        "grammar": digest(grammar), "states": states, "start": order[table.start_states["start"]],
        "end": order[table.end_states["start"]], "rules": [_rule(rule) for rule in lark.rules],
        "lexer": "|".join(f"(?P<{each.name}>{each.pattern.to_regexp()})" for each in terminals),
    }


def _rule(rule: Any) -> list[Any]:
    kept = [place for place, part in enumerate(rule.expansion) if not (part.is_term and part.filter_out)]
    spliced = [place for place in kept if not rule.expansion[place].is_term and rule.expansion[place].name[0] == "_"]
    single = bool(rule.options.expand1 and not rule.alias)
    return [rule.origin.name, len(rule.expansion), rule.alias or rule.origin.name, single, kept, spliced]


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(made(GRAMMAR.read_text(encoding="utf-8")), separators=(",", ":")))
