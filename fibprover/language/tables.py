"""The LALR tables of grammar.lark, as data: made by lark when fibprover is built, and kept in grammar.json.

`python fibprover/language/tables.py FILE` writes the file; setup.py does that. A checkout that was not built, or whose
grammar has changed since, makes the tables when the first formula is read, which takes lark and some 70 ms.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

#: The grammar, and the tables that were made of it.
GRAMMAR = Path(__file__).with_name("grammar.lark")
TABLES = Path(__file__).with_name("grammar.json")


def tables() -> dict[str, Any]:
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
    have a value, and those whose values are lists of parts; lexers: a regular expression of the terminals that may
    follow in a state, the first one of all terminals; lexer_of: that of each state.
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
    lexers, lexer_of = _lexers(lark, states)
    return {
        "grammar": digest(grammar), "states": states, "start": order[table.start_states["start"]],
        "end": order[table.end_states["start"]], "rules": [_rule(rule) for rule in lark.rules], "lexers": lexers,
        "lexer_of": lexer_of, "ignored": sorted(lark.ignore_tokens),
    }


def _lexers(lark: Any, states: list[dict[str, int]]) -> tuple[list[str], list[int]]:
    """Return the regular expressions of lexers, and the number of that of each state."""
    # lark tries terminals in this order.
    terminals = sorted(
        lark.terminals, key=lambda each: (-each.priority, -each.pattern.max_width, -len(each.pattern.value), each.name)
    )

    def pattern(names: set[str]) -> str:
        return "|".join(f"(?P<{each.name}>{each.pattern.to_regexp()})" for each in terminals if each.name in names)

    every = {each.name for each in terminals}
    lexers, lexer_of = [pattern(every)], []
    for row in states:
        source = pattern(every & row.keys() | set(lark.ignore_tokens))
        if source not in lexers:
            lexers.append(source)
        lexer_of.append(lexers.index(source))
    return lexers, lexer_of


def _rule(rule: Any) -> list[Any]:
    kept = [place for place, part in enumerate(rule.expansion) if not (part.is_term and part.filter_out)]
    spliced = [place for place in kept if not rule.expansion[place].is_term and rule.expansion[place].name[0] == "_"]
    single = bool(rule.options.expand1 and not rule.alias)
    return [rule.origin.name, len(rule.expansion), rule.alias or rule.origin.name, single, kept, spliced]


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(made(GRAMMAR.read_text(encoding="utf-8")), separators=(",", ":")))
