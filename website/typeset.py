"""The HTML of the theme, mended: names of games as they are printed, and what programs that read pages aloud need."""

from __future__ import annotations

import re
from collections import Counter

#: Tags, comments, and elements whose text stays as it is.
_KEPT = re.compile(
    r"<!--.*?-->|<(script|style|svg|math|code|pre|textarea)\b.*?</\1\s*>|<title>.*?</title>|<[^>]+>", re.DOTALL
)
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)

#: A power of a game such as K^2 or W^k; `[n,k]^2` and words before `^` are none.
_POWER = re.compile(r"(?<![\w\]^)])([A-Z])\^(\d+|[a-z])(?![\w^])")
_RAISED = str.maketrans("0123456789klmn", "⁰¹²³⁴⁵⁶⁷⁸⁹ᵏˡᵐⁿ")

_TAG = re.compile(r"<[^>]+>")
_LABEL = re.compile(r'id="(__nav_[\d_]+_label)"[^>]*>(.*?)</label>', re.DOTALL)
_LIST = re.compile(
    r'(?P<begin><nav class="md-nav" (?:data-md-level="\d" )?)aria-label(?:="(?P<name>[^"]*)"|ledby="(?P<label>[^"]*)")'
)
_FOOTER_LABEL = re.compile(r'(<a href="[^"]*" class="md-footer__link[^"]*") aria-label="[^"]*"')
_EMPTY_HEAD = re.compile(r"<th([^>]*)></th>")


def typeset(html: str) -> str:
    """Return a page with names such as K^2 raised, outside of code."""
    parts, done = [], 0
    for kept in _KEPT.finditer(html):
        parts += [_raised(html[done : kept.start()]), kept[0]]
        done = kept.end()
    return "".join([*parts, _raised(html[done:])])


def _raised(text: str) -> str:
    return _POWER.sub(r"\1<sup>\2</sup>", text)


def titled(html: str) -> str:
    """Return a page whose title, which has no elements, has raised characters."""
    return _TITLE.sub(lambda title: _POWER.sub(lambda name: name[1] + name[2].translate(_RAISED), title[0]), html)


def accessible(html: str) -> str:
    """Return a page of the theme with different names for its search and its lists, and no empty heads of columns."""
    html = _EMPTY_HEAD.sub(r"<td\1></td>", html)
    search = 'data-md-component="search" '
    html = html.replace(f'{search}role="dialog"', f'{search}aria-label="Search" role="dialog"')
    # The text of these links says the same, with raised characters.
    html = _FOOTER_LABEL.sub(r"\1", html)
    labels = {label: " ".join(_TAG.sub("", text).split()) for label, text in _LABEL.findall(html)}
    seen: Counter[str] = Counter()

    def named(nav: re.Match[str]) -> str:
        name = nav["name"].strip() if nav["name"] is not None else labels.get(nav["label"], "")
        seen[name] += 1
        number = f" ({seen[name]})" if seen[name] > 1 else ""
        return f'{nav["begin"]}aria-label="Pages and sections: {name}{number}"'

    return _LIST.sub(named, html)
