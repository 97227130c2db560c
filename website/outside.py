"""Pages that show the files outside docs/ to which the documentation links: proofs, tests, tables.

On a code host such links lead to the files themselves; on the site, to `source/PATH`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

FOLDER = "source/"

_LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)")
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)

#: The language for highlighting, by suffix.
_LANGUAGES = {".py": "python", ".json": "json", ".txt": "text", ".pyx": "cython"}

#: Larger files are not shown.
_MOST_BYTES = 50_000


def target(link: str, page: str) -> str | None:
    """Return the path in the project to which a link of a page in docs/ leads, or None if it leads into docs/."""
    parts: list[str] = ["docs", *PurePosixPath(page).parent.parts]
    for part in PurePosixPath(link).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return None if parts[:1] == ["docs"] else "/".join(parts)


def with_page_links(markdown: str, page: str) -> str:
    """Return the text of a page in which links to files outside docs/ lead to the pages that show them."""
    up = "../" * (len(PurePosixPath(page).parts) - 1)

    def to_page(match: re.Match[str]) -> str:
        path = target(match[1], page)
        return match[0] if path is None else f"]({up}{FOLDER}{_name(path)}{match[2] or ''})"

    ends = [*(found.span() for found in _FENCE.finditer(markdown)), (len(markdown), len(markdown))]
    begun, pieces = 0, []
    for start, end in ends:
        pieces += [_LINK.sub(to_page, markdown[begun:start]), markdown[start:end]]
        begun = end
    return "".join(pieces)


def _name(path: str) -> str:
    return path if path.endswith(".md") else f"{path}.md"


def pages(docs: Path, root: Path) -> Iterator[tuple[str, str]]:
    """Yield name and text of each page: of linked files, and of the files in linked folders."""
    wanted = sorted({
        path
        for file in docs.rglob("*.md")
        for match in _LINK.finditer(_FENCE.sub("", file.read_text()))
        if (path := target(match[1], file.relative_to(docs).as_posix())) is not None
    })
    inside = [
        file.relative_to(root).as_posix()
        for path in wanted if (root / path).is_dir() for file in sorted((root / path).iterdir()) if _shown(file)
    ]
    for path in sorted({*wanted, *inside}):
        if (root / path).exists():  # mkdocs reports a missing file as a broken link
            yield FOLDER + _name(path), _text(root / path, path)


def _shown(file: Path) -> bool:
    return file.is_file() and file.suffix in _LANGUAGES and file.stat().st_size <= _MOST_BYTES


def _text(file: Path, path: str) -> str:
    head = "---\nsearch:\n  exclude: true\n---\n\n"
    if file.is_dir():
        names = [each.name for each in sorted(file.iterdir()) if _shown(each)]
        return f"{head}# {path}\n\n" + "".join(f"- [{name}]({file.name}/{_name(name)})\n" for name in names)
    if file.suffix == ".md":
        # Its links are relative to its own folder.
        return head + re.sub(r"\[([^\]]*)\]\((?!https?:|#)[^)]*\)", r"\1", file.read_text())
    return f"{head}# {path}\n\n````{_LANGUAGES.get(file.suffix, 'text')}\n{file.read_text().rstrip()}\n````\n"
