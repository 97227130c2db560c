"""A line of a sheet as values of JSON, for a store, and back: its automaton is left out."""

from __future__ import annotations

from typing import Any

from fibprover.base.errors import FormatError
from fibprover.language.parser import parse_formula
from fibprover.prover.certificate.checking import CertificateCheck
from fibprover.sheets.line import Line
from fibprover.sheets.sheet_text import line_json


def plain_line(line: Line) -> dict[str, Any]:
    """Return a line as values of JSON."""
    more = {"kind": line.kind, "terms": list(line.terms), "sentence": line.sentence, "exponent": line.exponent}
    return line_json(line) | more


def line_of(found: dict[str, Any], file: str) -> Line:
    """Return the line of such values; raises FormatError, about the file of the store, for others."""
    try:
        return _line(found)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise FormatError(f"a row is no line of a sheet: {error}", file, hint="give another store") from error


def _line(found: dict[str, Any]) -> Line:
    others = {name: each for name, each in found.items() if name not in ("formula", "terms", "certificate")}
    check = CertificateCheck.of_plain(found["certificate"]) if "certificate" in found else None
    tree = parse_formula(found["formula"]).formula if found["formula"] else None
    return Line(tree=tree, terms=tuple(found["terms"]), certificate=check, **others)
