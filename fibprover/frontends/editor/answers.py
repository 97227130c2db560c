"""Answers about a place of a document: the name there, what it means, where it is defined, and how it may go on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from fibprover.base.errors import FibproverError
from fibprover.base.folders import AUTOMATA, Folders
from fibprover.base.names import system_name, word_predicate
from fibprover.base.values import value
from fibprover.frontends.conversation.completion import candidates
from fibprover.frontends.conversation.entry import DELIMITERS
from fibprover.frontends.display.values import word_text
from fibprover.frontends.editor.folder import definitions_in, scripts_of
from fibprover.frontends.editor.outline import Outline, Place
from fibprover.frontends.editor.places import Passage
from fibprover.frontends.editor.sketch import Sketch
from fibprover.language.commands import WORDS
from fibprover.language.source import Span
from fibprover.language.tokens import WORD, Token, script_tokens, tokens
from fibprover.words.catalogue import ENTRIES
from fibprover.workspace.session import Session

#: A string of Python that is not closed yet, up to the cursor.
_OPEN_STRING = re.compile(r"""["']([^"'\n]*)\Z""")


@value
class NameAt:
    """A name at a place: as it is written, with its mark, and its place in the document; session: of its passage."""

    written: str
    span: Span
    session: str

    @property
    def bare(self) -> str:
        """The name without its mark."""
        return self.written.lstrip("$.?#")


@value
class Completions:
    """Texts that may stand in place of a part of the document."""

    span: Span
    texts: tuple[str, ...]


def passage_at(outline: Outline, offset: int) -> tuple[Passage, str, int] | None:
    """Return the passage at an offset, its session, and the place in it."""
    for passage, session in reversed(outline.passages):
        inside = passage.within(offset)
        if inside is not None:
            return passage, session, inside
    return None


def name_at(outline: Outline, offset: int) -> NameAt | None:
    """Return the name at an offset, or directly before it."""
    found = passage_at(outline, offset)
    if found is None:
        return None
    passage, session, inside = found
    every = script_tokens(passage.text) if passage.kind == "script" else tokens(passage.text)
    token = _named(every, inside)
    if token is None:
        return None
    return NameAt(str(token), passage.placed(token.start, token.end), session)


def _named(every: Iterator[Token], inside: int) -> Token | None:
    before: Token | None = None
    for token in every:
        if token.start > inside:
            break
        if token.end >= inside and token.type in (WORD, "NAME", "CALL", "MACRO", "DOTTED", "SYSTEM"):
            before = token
            if token.end > inside:
                break
    return before


# -- meanings ------------------------------------------------------------------------------


def meaning(outline: Outline, name: NameAt, number: int) -> str:
    """Return what a name means as Markdown, without deciding anything; "" where it means nothing.

    number: of the statement that mentions it.
    """
    sketch = outline.sketches.get(name.session)
    if sketch is None:
        return ""
    for found in (_of_system(name, sketch), _of_definition(outline, name, number, sketch), _of_word(name, sketch)):
        if found:
            return found
    usage = WORDS.get(name.written)
    return f"```walnut\n{usage.usage}\n```\n{usage.summary}" if usage is not None else ""


def _of_system(name: NameAt, sketch: Sketch) -> str:
    written = name.bare
    if not name.written.startswith("?") and not written.startswith(("msd_", "lsd_")):
        return ""
    try:
        return f"```text\n{sketch.session.namespace.system(written).describe()}\n```"
    except FibproverError:
        return ""


def _of_definition(outline: Outline, name: NameAt, number: int, sketch: Sketch) -> str:
    statement = outline.defining(name.bare, number)
    if statement is None:
        return ""
    head = ""
    definition = sketch.session.namespace.definitions.get(name.bare)
    if definition is not None and name.bare not in sketch.hidden:
        tracks = definition.automaton.tracks
        parameters = [f"{track.name}: {_system(track.system, track.digits)}" for track in tracks]
        head = f"**${name.bare}**({', '.join(parameters)})\n"
    where = "" if statement.file is None else f"\n{Path(statement.file).name}"
    return f"{head}```walnut\n{statement.text}\n```{where}"


def _system(system: str, digits: tuple[int, ...]) -> str:
    return system or "{" + ",".join(map(str, digits)) + "}"


def _of_word(name: NameAt, sketch: Sketch) -> str:
    """Return the meaning of a word, and of a predicate that a word has."""
    names = sketch.session.namespace
    words = names.library_words.overridden_by(names.words)
    parts = word_predicate(name.bare)
    if parts is not None and parts[1] in words:
        from fibprover.frontends.conversation.topics import TOPICS

        line = next(line for line in TOPICS["words"].splitlines() if line.startswith(f"${parts[0]}_T("))
        return f"```text\n{line.replace('_T', f'_{parts[1]}', 1)}\n```"
    if name.bare not in words or name.bare in sketch.hidden:
        return ""
    entry = ENTRIES.get(name.bare) if name.bare not in names.words else None
    head = f"**{entry.title}**: {entry.definition}\n" if entry is not None else ""
    return f"{head}```text\n{word_text(words[name.bare], names.system)}\n```"


def is_evaluated(outline: Outline, name: NameAt, number: int) -> int | None:
    """Return the number of the statement whose evaluation says more about a predicate; None if there is none."""
    found = outline.defining(name.bare, number)
    if found is None or found.entry is None or name.written.startswith(("?", "#")):
        return None
    if found.entry[0] == "command" and found.title.split()[0] in ("macro", "morphism", "ost", "dumont_thomas", "eval"):
        return None
    return outline.statements.index(found)


# -- definitions ---------------------------------------------------------------------------


def definitions(outline: Outline, name: NameAt, number: int, folder: Path | None) -> list[Place]:
    """Return where a name is defined: in the document and what it loads, or else in a script of its folder."""
    wanted = [name.bare, system_name(name.bare).base]
    parts = word_predicate(name.bare)
    wanted += [parts[1]] if parts is not None else []
    for each in wanted:
        found = outline.defining(each, number)
        if found is not None:
            return [Place(found.file, found.defines[each])]
    return [place for each in wanted for place in _elsewhere(each, folder)]


def _elsewhere(name: str, folder: Path | None) -> Iterator[Place]:
    """Yield the places in other files where a name is defined."""
    for file, text in scripts_of(folder):
        for found, span in definitions_in(text):
            if found == name:
                yield Place(str(file), span)
    for each in (folder, *folder.parents) if folder is not None else ():
        automaton = Folders(each, each).find(AUTOMATA, name)
        if automaton is not None:
            yield Place(str(automaton), Span(0, 0))
            return


# -- completion ----------------------------------------------------------------------------


def completions(outline: Outline, text: str, offset: int, *, python: bool, session: Session) -> Completions:
    """Return how the word before an offset may go on; session: where the document has none there.

    text: the document, which may have changed since it was read.
    """
    found = passage_at(outline, offset)
    sketch = outline.sketches.get(found[1]) if found is not None else None
    if python:
        begun = _OPEN_STRING.search(text, text.rfind("\n", 0, offset) + 1, offset)
        if found is not None and begun is None:
            before = found[0].text[: found[2]]
        elif begun is not None:
            before = begun[1]
            if sketch is None and outline.sketches:
                sketch = list(outline.sketches.values())[-1]
        else:
            return Completions(Span(offset, offset), ())
        script = found is not None and found[0].kind == "script"
        before = before if script else f'eval "{before}'
    else:
        before = text[:offset]
    start = max((before.rfind(sign) for sign in DELIMITERS), default=-1) + 1
    known = sketch.session if sketch is not None else session
    texts = candidates(before[:start], before[start:], known)
    return Completions(Span(offset - (len(before) - start), offset), tuple(texts))
