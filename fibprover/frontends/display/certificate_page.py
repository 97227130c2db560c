"""A page about a certificate, for a referee: what `fibprover check --explain` prints, without scripts or network."""

from __future__ import annotations

from html import escape

from fibprover.frontends.display.page.document import MARK, digest
from fibprover.prover.certificate.explained import SKETCHED, ExplainedCertificate

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
p, li, td { overflow-wrap: anywhere; }
table { border-collapse: collapse; }
td, th { text-align: left; vertical-align: top; padding: .15rem .8rem .15rem 0; }
td.number, th.number { text-align: right; }
code { font-size: 90%; }
"""


def certificate_page(certificate: ExplainedCertificate, title: str) -> str:
    """Return the page; all texts of the certificate are escaped, as it may hold any characters."""
    policy = f"default-src 'none'; style-src '{digest(_STYLE)}'; base-uri 'none'; form-action 'none'"
    found = certificate
    rules = "".join(f'<tr><td>{escape(rule)}</td><td class="number">{count:,}</td><td>{escape(meaning)}</td></tr>\n'
                    for rule, count, meaning in found.rules_in_words())
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">{MARK}\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        f'<meta name="viewport" content="width=device-width"><title>{escape(title)}</title>\n'
        f"<style>{_STYLE}</style></head><body>\n<h1>{escape(title)}</h1>\n"
        f"<h2>Statement</h2>\n<p>{escape(found.words)}</p>\n"
        f"<p>As LaTeX: <code>{escape(found.latex)}</code></p>\n"
        f"<p>As the checker has read it: <code>{escape(found.statement)}</code></p>\n"
        f"{_integers(found)}<h2>Names</h2>\n{_items(found.names)}"
        f"<h2>Proof</h2>\n<p>{escape(found.sizes())}</p>\n"
        f'<table><tr><th>rule</th><th class="number">claims</th><th>concludes</th></tr>\n{rules}</table>\n'
        f"{_states(found)}<h2>Trusted</h2>\n{_items(found.trusted)}</body></html>\n"
    )


def _integers(certificate: ExplainedCertificate) -> str:
    """Return how a statement about integers has become one about natural numbers, if it has."""
    lines = certificate.integers_lines()
    return f"<h2>Integers</h2>\n{_items(tuple(lines))}" if lines else ""


def _states(certificate: ExplainedCertificate) -> str:
    """Return what the states of small automata mean, if there are any."""
    if not certificate.sketch:
        return ""
    names = "".join(f"<h3><code>{escape(each.name)}</code></h3>\n{_items(tuple(map(str, each.states)))}"
                    for each in certificate.sketch)
    return f"<h2>States</h2>\n<p>{escape(SKETCHED)}</p>\n{names}"


def _items(texts: tuple[str, ...]) -> str:
    return "<ul>\n" + "".join(f"<li>{escape(text)}</li>\n" for text in texts) + "</ul>\n"
