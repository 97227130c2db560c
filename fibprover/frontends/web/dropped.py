"""Files that are dropped on the page: they are read, and neither evaluated nor run."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from fibprover.base.errors import FibproverError
from fibprover.base.files import write_text
from fibprover.frontends.conversation.options import is_automaton, load_automaton
from fibprover.frontends.conversation.output import Json
from fibprover.workspace.session import Session

_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)


def opened(name: str, text: str, session: Session) -> Json:
    """Return {"cells": [...]} for a script or a notebook, {"text": what is defined now} for an automaton.

    name: of the file, of which the folder does not matter.  An automaton in Walnut's format defines a word, a
    predicate, or both, under the name of the file.  Raises FibproverError for what is neither.
    """
    file = PurePosixPath(name.replace("\\", "/"))
    if file.suffix == ".ipynb":
        return {"cells": _cells_of(text)}
    if not is_automaton(text):
        return {"cells": [{"kind": "commands", "text": text.strip("\n")}]}
    if not _NAME.fullmatch(file.stem):
        raise FibproverError(
            f"{file.stem!r} cannot be the name of an automaton", hint="rename the file: letters, digits"
        )
    names, warnings = session.namespace, list[str]()
    before, names.warn = names.warn, warnings.append
    try:
        with TemporaryDirectory() as folder:
            place = f"{folder}/{file.stem}.txt"
            write_text(place, text, durable=False)
            load_automaton(session, place)
    finally:
        names.warn = before
    said = [f"warning: {each.replace(place, file.name)}" for each in warnings]
    kinds = [f"the word {file.stem}"] * (file.stem in session.namespace.words)
    kinds += [f"the predicate ${file.stem}"] * (file.stem in session.namespace.predicates)
    return {"text": "; ".join([f"{file.name} defines {' and '.join(kinds)}", *said])}


def _cells_of(notebook: str) -> list[Json]:
    """Return the cells of a notebook; Python is what begins with %%python, or all of a notebook of Python."""
    try:
        content: Any = json.loads(notebook)
        language = content.get("metadata", {}).get("kernelspec", {}).get("language", "")
        found = []
        for cell in content["cells"]:
            source = cell["source"]
            text = source if isinstance(source, str) else "".join(source)
            if cell["cell_type"] == "code" and text.strip():
                found.append(_cell(text, language == "python"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise FibproverError("this file is not a notebook") from problem
    return found


def _cell(text: str, python: bool) -> Json:
    head, _, body = text.partition("\n")
    if head.startswith("%%fibprover"):
        return {"kind": "commands", "text": body}
    if head.split() == ["%%python"]:
        return {"kind": "python", "text": body}
    return {"kind": "python" if python else "commands", "text": text}
