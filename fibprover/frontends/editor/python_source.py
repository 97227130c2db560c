"""Formulas and scripts in Python files: the texts that are passed to methods of sessions and chapters.

The file is parsed by `ast`, and nothing of it is executed.  A session is what `fp.Session(...)` or `fp.Chapter(...)` is
assigned to; a text is a string, or a name to which the module assigns one string.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from fibprover.base.values import value
from fibprover.frontends.editor.places import Passage
from fibprover.language.commands import WORDS
from fibprover.language.source import Span
from fibprover.language.undefined import made_by


@value
class Begun:
    """A session that begins; system: the name of its numeration system, "" for the default."""

    session: str
    system: str = ""


@value
class Written:
    """A text that a session gets; name: what it is named by, with its place, where the call defines a predicate."""

    session: str
    passage: Passage
    name: str = ""
    name_place: Span = Span(0, 0)


@value
class Defined:
    """A name that a call defines by other values than texts."""

    session: str
    name: str
    place: Span


@value
class Unread:
    """A call after which a session may have any names."""

    session: str


Step: TypeAlias = Begun | Written | Defined | Unread

#: The kind of text that a method takes, and the number of its argument.
_TAKES: Mapping[str, tuple[str, int]] = {
    **dict.fromkeys(("eval", "prove", "relation", "truths", "nondeterministic", "parse"), ("formula", 0)),
    **dict.fromkeys(("define", "counts", "theorem"), ("formula", 1)),
    **dict.fromkeys(("run", "script"), ("script", 0)),
    "value": ("term", 0),
}

#: The keyword by which a method takes such a text.
_KEYWORDS: Mapping[str, str] = {"formula": "formula", "script": "script", "term": "term"}

#: Methods that define the name in their first argument, apart from the commands that do.
_NAMING = {"define", "define_word", "define_morphic_word", "infer_word", "word", "reg", "macro", "dumont_thomas"}
_NAMING |= {word for word, usage in WORDS.items() if " NEW" in usage.usage}

#: Methods that may define any names.
_UNREAD = {"load", "load_words", "words", "load_predicate", "use_folders", "add_system", "execute", "loaded"}

_ESCAPE = re.compile(r"\\(?:\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|.)", re.DOTALL)


def steps_of(text: str) -> list[Step]:
    """Return what a Python file does with sessions, in the order of the text.  Raises SyntaxError."""
    tree = ast.parse(text)
    reader = _Reader(text, tree)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [step for call in sorted(calls, key=reader.end_of) for step in reader.steps(call)]


class _Reader:
    """A module: what its names mean, and where its lines begin."""

    def __init__(self, text: str, tree: ast.Module) -> None:
        #: The text as Python reads it, where each line ends in a line feed, and the places of its characters.
        self.text, self.places = _with_line_feeds(text)
        self.starts = [0]
        for line in self.text.split("\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.modules: set[str] = set()
        self.makers: set[str] = set()
        self.formulas: set[str] = set()
        #: The strings that a name has, and the names of the sessions that calls make.
        self.constants: dict[str, list[ast.expr]] = {}
        self.made: dict[int, str] = {}
        self.sessions: set[str] = set()
        for node in ast.walk(tree):
            self._read(node)

    def _read(self, node: ast.AST) -> None:
        """Note what an import, an assignment or a parameter says about names."""
        match node:
            case ast.Import():
                self.modules |= {each.asname or each.name for each in node.names if each.name == "fibprover"}
            case ast.ImportFrom(module="fibprover"):
                for each in node.names:
                    if each.name in ("Session", "Chapter"):
                        self.makers.add(each.asname or each.name)
                    elif each.name == "formula":
                        self.formulas.add(each.asname or each.name)
            case ast.Assign(targets=[target], value=given) | ast.AnnAssign(target=target, value=ast.expr() as given):
                self._assigned(ast.unparse(target), given)
            case ast.withitem(context_expr=given, optional_vars=ast.expr() as target):
                self._assigned(ast.unparse(target), given)
            case ast.arg(annotation=ast.expr() as kind) if ast.unparse(kind).rpartition(".")[2] == "Session":
                self.sessions.add(node.arg)

    def _assigned(self, name: str, given: ast.expr) -> None:
        self.constants.setdefault(name, []).append(given)
        if isinstance(given, ast.Call):
            self.made[id(given)] = name

    def end_of(self, node: ast.expr) -> tuple[int, int]:
        """Return where a node ends: what is called first ends first."""
        return node.end_lineno or 0, node.end_col_offset or 0

    def steps(self, call: ast.Call) -> Iterator[Step]:
        """Yield what a call does with a session: a function that gets one may do anything with it."""
        for given in (*call.args, *(each.value for each in call.keywords)):
            if isinstance(given, ast.Name | ast.Attribute) and (session := self._session(given)):
                yield Unread(session)
        if self._makes(call):
            yield self._begun(call)
        elif self._means(call.func, "formula", self.formulas):
            yield from self._text(call, "", "formula", 0)
        elif isinstance(call.func, ast.Attribute):
            session, method = self._session(call.func.value), call.func.attr
            if session:
                yield from self._method(call, session, method)

    def _means(self, func: ast.expr, name: str, imported: set[str]) -> bool:
        """Return whether an expression means a function of fibprover."""
        if isinstance(func, ast.Name):
            return func.id in imported
        return isinstance(func, ast.Attribute) and func.attr == name and ast.unparse(func.value) in self.modules

    def _makes(self, call: ast.Call) -> bool:
        return any(self._means(call.func, name, self.makers) for name in ("Session", "Chapter"))

    def _session(self, value: ast.expr) -> str:
        """Return the name of the session that an expression means; "" if it means none."""
        if isinstance(value, ast.Call):
            return self._key(value) if self._makes(value) else ""
        name = ast.unparse(value)
        given = self.constants.get(name, [])
        if name in self.sessions or any(isinstance(each, ast.Call) and self._makes(each) for each in given):
            return name
        return ""

    def _key(self, call: ast.Call) -> str:
        return self.made.get(id(call), f"@{call.lineno}.{call.col_offset}.{call.end_col_offset}")

    def _begun(self, call: ast.Call) -> Begun:
        named = {each.arg: each.value for each in call.keywords}
        first = call.args[0] if call.args and not ast.unparse(call.func).endswith("Chapter") else None
        given = named.get("system", first)
        system = given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else ""
        return Begun(self._key(call), system)

    def _method(self, call: ast.Call, session: str, method: str) -> Iterator[Step]:
        """Yield what a method of a session does."""
        name, place = self._named(call) if method in _NAMING else ("", Span(0, 0))
        if method == "define" and name:
            written = list(self._text(call, session, "formula", 1))
            if written:
                yield Written(session, written[0].passage, name, place)
                return
        if name:
            for each in made_by(method, name):
                yield Defined(session, each, place)
        elif method in _UNREAD or method in _NAMING:
            yield Unread(session)
        elif method in _TAKES:
            kind, number = _TAKES[method]
            found = list(self._text(call, session, kind, number))
            yield from found
            if not found and kind == "script":
                yield Unread(session)

    def _named(self, call: ast.Call) -> tuple[str, Span]:
        """Return the name in the first argument, with its place; "" if it is no string."""
        first = call.args[0] if call.args else None
        if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
            return "", Span(0, 0)
        span = self._span(first)
        return first.value, Span(self.places[span.start], self.places[span.end])

    def _text(self, call: ast.Call, session: str, kind: str, number: int) -> Iterator[Written]:
        """Yield the text in an argument, if it is known."""
        named = {each.arg: each.value for each in call.keywords}
        given = call.args[number] if len(call.args) > number else named.get(_KEYWORDS[kind])
        if isinstance(given, ast.Name) and len(self.constants.get(given.id, [])) == 1:
            given = self.constants[given.id][0]
        if isinstance(given, ast.Constant) and isinstance(given.value, str):
            yield Written(session, self.passage(given, kind))

    def passage(self, node: ast.Constant, kind: str) -> Passage:
        """Return a string with the place of each of its characters."""
        span = self._span(node)
        text, starts, ends = _decoded(self.text[span.start : span.end])
        if text != node.value:  # in no case that is known
            text, size = str(node.value), span.end - span.start
            starts, ends = [0] * (len(text) + 1), [size] * len(text)
        begins, stops = (tuple(self.places[span.start + each] for each in found) for found in (starts, ends))
        return Passage(text, kind, begins, stops)

    def _span(self, node: ast.expr) -> Span:
        """Return the place of a node in `text`."""
        return Span(self._offset(node.lineno, node.col_offset), self._offset(*self.end_of(node)))

    def _offset(self, line: int, column: int) -> int:
        """Return the offset of a line, from 1, and a column in bytes of UTF-8."""
        start = self.starts[line - 1]
        return start + len(self.text[start : self.starts[line]].encode()[:column].decode(errors="ignore"))


def _with_line_feeds(text: str) -> tuple[str, Sequence[int]]:
    """Return a text with a line feed for each end of a line, and the place of each character, and of the end, in it."""
    if "\r" not in text:
        return text, range(len(text) + 1)
    pieces, places = list[str](), list[int]()
    for found in re.finditer(r"\r\n?|[^\r]+", text):
        ends = found[0][0] == "\r"
        pieces.append("\n" if ends else found[0])
        places += [found.start()] if ends else range(found.start(), found.end())
    return "".join(pieces), [*places, len(text)]


def _decoded(source: str) -> tuple[str, list[int], list[int]]:
    """Return what a string literal, or several side by side, mean, with where each character begins, and where it ends.

    The place of the end of all is the last one at which a character begins.
    """
    text, begins, ends, end = "", list[int](), list[int](), 0
    lines = source.split("\n")
    starts = [sum(len(each) + 1 for each in lines[:number]) for number in range(len(lines))]
    try:
        found = list(tokenize.generate_tokens(io.StringIO(f"({source}\n)").readline))
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return "", [0], []
    for token in found:
        if token.type != tokenize.STRING:
            continue
        line, column = token.start
        at = starts[line - 1] + column - (line == 1)  # a bracket was put before it
        prefix = re.match(r"[A-Za-z]*", token.string)
        before = len(prefix[0]) if prefix else 0
        quote = 3 if token.string[before : before + 3] in ("'''", '"""') else 1
        inside = slice(before + quote, len(token.string) - quote)
        for part, start, stop in _characters(token.string[inside], raw="r" in token.string[:before].lower()):
            text += part
            begins += [at + inside.start + start] * len(part)
            ends += [at + inside.start + stop] * len(part)
        end = at + inside.stop
    return text, [*begins, end], ends


def _characters(body: str, *, raw: bool) -> Iterator[tuple[str, int, int]]:
    """Yield the characters of the body of a string literal, each with where it begins and ends."""
    at = 0
    while at < len(body):
        escape = None if raw else _ESCAPE.match(body, at)
        part, end = (body[at], at + 1) if escape is None else (_meaning(escape[0]), escape.end())
        yield part, at, end
        at = end


_ONE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\n": ""}


def _meaning(escape: str) -> str:
    """Return what an escape sequence means: a backslash before any other character stays."""
    sign = escape[1]
    if sign in _ONE:
        return _ONE[sign]
    if sign in "\\'\"":
        return sign
    if len(escape) > 2 or sign in "01234567":
        return str(ast.literal_eval(f'"{escape}"'))
    return escape
