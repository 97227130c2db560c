"""The Language Server Protocol: what an editor asks, answered from the outlines of its documents.

Documents are read in a thread, and statements are evaluated in a process, so that no request waits for another one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from fibprover import __version__
from fibprover.base.values import value
from fibprover.frontends.editor import answers
from fibprover.frontends.editor.outline import Maker, Outline, Place, Statement, outline_of
from fibprover.frontends.editor.places import Places
from fibprover.frontends.editor.running import session_in
from fibprover.language.source import Span

#: Asks the process: the name of a method of `Evaluations`, and its arguments.
Ask = Callable[..., Awaitable[dict[str, Any]]]

#: The command of a lens: its arguments are the address of a document and the number of a statement.
RUN = "fibprover.run"

#: Seconds without a change after which a document is read anew, and seconds that the evaluation for a hover may take;
#: an editor cancels it when the pointer moves on.
QUIET, HOVER_SECONDS = 0.25, 10.0

#: The most characters of an answer beside a lens.
_MOST_SHOWN = 60

_SEVERITIES = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}


@value
class Document:
    """A document as it was read: its version, text, places and outline."""

    version: int | None
    places: Places
    outline: Outline
    path: Path | None


class EditorServer:
    """The documents of an editor.

    make: returns a new session for a numeration system; ask: evaluates; seconds: of each evaluation on request.
    """

    def __init__(self, make: Maker, ask: Ask, seconds: float) -> None:
        self.make, self.ask, self.seconds = make, ask, seconds
        self.documents: dict[str, Document] = {}
        #: The answers of statements, by what was carried out.
        self.found: dict[tuple[object, ...], str] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.protocol = LanguageServer("fibprover", __version__)
        self._register()

    def _register(self) -> None:
        """Register what the server answers; functions, since pygls gives them attributes."""
        triggers = types.CompletionOptions(trigger_characters=["$", "?", "#", "."])
        answered: tuple[tuple[str, Callable[[Any], Awaitable[Any]], object], ...] = (
            (types.TEXT_DOCUMENT_DID_OPEN, self.opened, None), (types.TEXT_DOCUMENT_DID_CHANGE, self.changed, None),
            (types.TEXT_DOCUMENT_DID_CLOSE, self.closed, None), (types.TEXT_DOCUMENT_HOVER, self.hover, None),
            (types.TEXT_DOCUMENT_DEFINITION, self.definition, None),
            (types.TEXT_DOCUMENT_COMPLETION, self.completion, triggers),
            (types.TEXT_DOCUMENT_CODE_LENS, self.lenses, types.CodeLensOptions(resolve_provider=False)),
        )
        for name, method, options in answered:
            self.protocol.feature(name, options)(_function(method))

        async def run(uri: Any, number: Any) -> dict[str, Any]:
            return await self.run(uri, number)

        self.protocol.command(RUN)(run)

    # -- reading documents -----------------------------------------------------------------

    def _maker(self, path: Path | None) -> Maker:
        folder = str(path.parent) if path is not None else ""
        return lambda system: session_in(folder, self.make, system)

    async def document(self, uri: str) -> Document:
        """Return a document as it is now."""
        held = self.protocol.workspace.get_text_document(uri)
        known = self.documents.get(uri)
        if known is not None and known.version == held.version and known.places.text == held.source:
            return known
        text, version, file = held.source, held.version, to_fs_path(uri)
        path = Path(file) if file else None
        outline = await asyncio.to_thread(outline_of, text, path, self._maker(path))
        made = Document(version, Places(text), outline, path)
        self.documents[uri] = made
        return made

    async def opened(self, given: types.DidOpenTextDocumentParams) -> None:
        """Read a document, and report its problems."""
        await self.report(given.text_document.uri)

    async def changed(self, given: types.DidChangeTextDocumentParams) -> None:
        """Read a document anew after a little while without a further change."""
        uri = given.text_document.uri
        before = self.tasks.pop(uri, None)
        if before is not None:
            before.cancel()
        self.tasks[uri] = asyncio.create_task(self._report_later(uri))

    async def closed(self, given: types.DidCloseTextDocumentParams) -> None:
        """Forget a document."""
        uri = given.text_document.uri
        task = self.tasks.pop(uri, None)
        if task is not None:
            task.cancel()
        self.documents.pop(uri, None)
        self.protocol.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=[]))

    async def _report_later(self, uri: str) -> None:
        await asyncio.sleep(QUIET)
        await self.report(uri)

    async def report(self, uri: str) -> None:
        """Report the problems of a document."""
        document = await self.document(uri)
        diagnostics = [
            types.Diagnostic(
                range=_range(document.places, Span(each.start, each.end)), message=each.message,
                severity=_SEVERITIES[each.severity], source="fibprover",
            )
            for each in document.outline.problems
        ]
        self.protocol.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics, version=document.version)
        )

    # -- names -----------------------------------------------------------------------------

    async def _name(
        self, given: types.TextDocumentPositionParams
    ) -> tuple[Document, answers.NameAt, int] | None:
        """Return the name at a place, and the number of the statement there."""
        document = await self.document(given.text_document.uri)
        offset = document.places.offset(given.position.line, given.position.character)
        name = answers.name_at(document.outline, offset)
        if name is None:
            return None
        number = document.outline.statement_at(offset)
        return document, name, len(document.outline.statements) if number is None else number

    async def hover(self, given: types.HoverParams) -> types.Hover | None:
        """Return what a name means; of a predicate, after a little while, also its size and first members."""
        found = await self._name(given)
        if found is None:
            return None
        document, name, number = found
        text = await asyncio.to_thread(answers.meaning, document.outline, name, number)
        if not text:
            return None
        chosen = answers.is_evaluated(document.outline, name, number)
        if chosen is not None:
            text += await self._evaluated(document, name, chosen)
        contents = types.MarkupContent(types.MarkupKind.Markdown, text)
        return types.Hover(contents, range=_range(document.places, name.span))

    async def _evaluated(self, document: Document, name: answers.NameAt, number: int) -> str:
        """Return the size and the first members of what a statement defines; "" where they are not known in time."""
        needed = document.outline.needed(number)
        entries = [each.entry for each in needed]
        if None in entries:
            return ""
        answer = await self.ask(
            "about", folder=_folder(document), system=needed[-1].system, before=entries, name=name.bare,
            seconds=HOVER_SECONDS,
        )
        if answer.get("kind") == "error" or "text" not in answer:
            return ""
        _, _, said = str(answer["text"]).partition("\n")
        return f"\n```text\n{said or answer['text']}\n```"

    async def definition(self, given: types.DefinitionParams) -> list[types.Location]:
        """Return where a name is defined."""
        found = await self._name(given)
        if found is None:
            return []
        document, name, number = found
        folder = document.path.parent if document.path is not None else None
        places = await asyncio.to_thread(answers.definitions, document.outline, name, number, folder)
        return [self._location(place, given.text_document.uri, document) for place in places]

    def _location(self, place: Place, uri: str, document: Document) -> types.Location:
        if place.file is None:
            return types.Location(uri, _range(document.places, place.span))
        address = from_fs_path(place.file) or ""
        try:
            text = self.protocol.workspace.get_text_document(address).source
        except OSError:
            text = ""
        return types.Location(address, _range(Places(text), place.span))

    async def completion(self, given: types.CompletionParams) -> types.CompletionList:
        """Return how the word at the cursor may go on."""
        uri = given.text_document.uri
        document = await self.document(uri)
        offset = document.places.offset(given.position.line, given.position.character)
        python = document.path is not None and document.path.suffix == ".py"

        def complete() -> answers.Completions:
            session = self._maker(document.path)("")
            return answers.completions(
                document.outline, document.places.text, offset, python=python, session=session
            )

        found = await asyncio.to_thread(complete)
        place = _range(document.places, found.span)
        items = [
            types.CompletionItem(
                label=text.rstrip(" (["), filter_text=text, text_edit=types.TextEdit(place, text),
                kind=types.CompletionItemKind.Keyword if text.endswith(" ") else types.CompletionItemKind.Function,
            )
            for text in found.texts
        ]
        return types.CompletionList(is_incomplete=False, items=items)

    # -- evaluating ------------------------------------------------------------------------

    async def lenses(self, given: types.CodeLensParams) -> list[types.CodeLens]:
        """Return "run" above each statement that can be evaluated, with its answer where it is known."""
        uri = given.text_document.uri
        document = await self.document(uri)
        made = []
        for number, each in enumerate(document.outline.statements):
            if not each.runs:
                continue
            known = self.found.get(_key(document, number))
            title = "run" if known is None else f"run: {known}"
            command = types.Command(title, RUN, arguments=[uri, number])
            made.append(types.CodeLens(_range(document.places, each.span), command))
        return made

    async def run(self, uri: Any, number: Any) -> dict[str, Any]:
        """Evaluate a statement with the definitions that it uses, show the answer, and return it."""
        document = await self.document(uri)
        statements = document.outline.statements
        if not (isinstance(number, int) and 0 <= number < len(statements) and statements[number].runs):
            return self._shown({"kind": "error", "message": "there is no such statement any more"}, "")
        needed = document.outline.needed(number)
        unknown = _unknown(needed)
        if unknown:
            message = f"{unknown} is not defined by a text in this file, so that this cannot be evaluated here"
            return self._shown({"kind": "error", "message": message}, "")
        key, chosen = _key(document, number), needed[-1]
        answer = await self.ask(
            "run", folder=_folder(document), system=chosen.system, before=[each.entry for each in needed[:-1]],
            entry=chosen.entry, seconds=self.seconds,
        )
        if answer.get("kind") != "error" and "text" in answer:
            lines = str(answer["text"]).splitlines() or [""]
            more = "..." if len(lines) > 1 or len(lines[0]) > _MOST_SHOWN else ""
            self.found[key] = lines[0][:_MOST_SHOWN] + more
            self._refresh()
        return self._shown(answer, chosen.title)

    def _shown(self, answer: dict[str, Any], title: str) -> dict[str, Any]:
        """Show an answer in a message."""
        failed = answer.get("kind") == "error"
        text = str(answer.get("message" if failed else "text", "cancelled"))
        kind = types.MessageType.Error if failed else types.MessageType.Info
        said = f"{title}: {text}" if title else text
        self.protocol.window_show_message(types.ShowMessageParams(kind, said))
        return answer

    def _refresh(self) -> None:
        """Let the editor ask for the lenses again, if it can."""
        offered = getattr(self.protocol.client_capabilities.workspace, "code_lens", None)
        if getattr(offered, "refresh_support", False):
            self.protocol.workspace_code_lens_refresh(None)


def _function(method: Callable[[Any], Awaitable[Any]]) -> Callable[[Any], Awaitable[Any]]:
    async def answered(given: Any) -> Any:
        return await method(given)

    return answered


def _range(places: Places, span: Span) -> types.Range:
    return types.Range(types.Position(*places.position(span.start)), types.Position(*places.position(span.end)))


def _folder(document: Document) -> str:
    return str(document.path.parent) if document.path is not None else ""


def _unknown(needed: list[Statement]) -> str:
    """Return a name that a statement needs and that cannot be defined again; "" if there is none."""
    return next((each.title for each in needed if each.entry is None), "")


def _key(document: Document, number: int) -> tuple[object, ...]:
    """Return what an answer depends on: what is carried out, and where."""
    needed = document.outline.needed(number)
    return (_folder(document), needed[-1].system, *(each.entry for each in needed))
