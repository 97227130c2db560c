"""Sentences with formulas: what becomes of them in HTML and in LaTeX."""

from __future__ import annotations

import pytest

from fibprover.language.sentences import prose_html, prose_latex

CASES = [
    ("a_n = floor(n * sqrt(2))", "a<sub>n</sub> = ⌊n\u202f√2⌋", r"$a_{n} = \lfloor n\,\sqrt{2}\rfloor$"),
    ("b_(n+1) <= 2^m", "b<sub>n+1</sub> ≤ 2<sup>m</sup>", r"$b_{n+1} \le  2^{m}$"),
    ("floor(n phi^2) is odd", "⌊n φ<sup>2</sup>⌋ is odd", r"$\lfloor n \varphi ^{2}\rfloor$ is odd"),
    ("the values of lambda are -1, 0", "the values of λ are -1, 0", r"the values of $\lambda$ are $-1$, $0$"),
    ("a player takes i counters", "a player takes i counters", "a player takes $i$ counters"),
    ("piles of a and b counters", "piles of a and b counters", "piles of $a$ and $b$ counters"),
    ("those with a <= b.", "those with a ≤ b.", r"those with $a \le  b$."),
    ("msd_fib has 10% & <b>", "msd_fib has 10% &amp; &lt;b&gt;", r"msd\_fib has $10\% \wedge  <b>$"),
    ("0 -> 0 1, 1 -> 2 (stable)", "0 → 0 1, 1 → 2 (stable)", r"$0 \to  0\ 1$, $1 \to  2$ (stable)"),
    ("letters (with c = 2)", "letters (with c = 2)", "letters (with $c = 2$)"),
    ("the set ([0,0]|[1,1])*", "the set ([0,0]|[1,1])*",
     r"the set \texttt{([0,0]\allowbreak{}\textbar{}[1,1]\allowbreak{})*}"),
    ("pairs [digit of a, digit of b], (a word), the pair of a.",
     "pairs [digit of a, digit of b], (a word), the pair of a.",
     "pairs [digit of $a$, digit of $b$], (a word), the pair of $a$."),
    ("[a <= b, c] and x[n] = 3", "[a ≤ b, c] and x[n] = 3", r"[$a \le  b$, $c$] and $x[n] = 3$"),
    ("sqrt(x+1) > floor(y", "√(x+1) &gt; ⌊y⌋", r"$\sqrt{x+1} > \lfloor y\rfloor$"),
    ("of length n (n = k+r for the least k) is 1", "of length n (n = k+r for the least k) is 1",
     "of length $n$ ($n = k+r$ for the least $k$) is $1$"),
    ("c = (n + 1) k (or 2)", "c = (n + 1) k (or 2)", "$c = (n + 1) k$ (or $2$)"),
    ("with x = 2*2^k (A010060: T[n])", "with x = 2·2<sup>k</sup> (A010060: T[n])",
     r"with $x = 2 \cdot 2^{k}$ (A010060: $T[n]$)"),
    ("at most cn apart", "at most cn apart", "at most $cn$ apart"),
    ("", "", ""),
]


@pytest.mark.parametrize(("text", "html", "latex"), CASES, ids=[case[0] for case in CASES])
def test_sentences(text: str, html: str, latex: str) -> None:
    assert prose_html(text) == html
    assert prose_latex(text) == latex


def test_the_golden_ratio_is_explained_once() -> None:
    text = "a_n = floor((n+2) * (1+sqrt(5))/2) and (1+sqrt(5))/2 > 1."
    assert prose_html(text) == "a<sub>n</sub> = ⌊(n+2)\u202fφ⌋ and φ &gt; 1, where φ = (1+√5)/2."
    assert prose_latex(text).endswith(r"where $\varphi = (1+\sqrt{5})/2$.")


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "a_(<i>)", "floor(<b>x</b>)", "x^2<img src=x>", 'sqrt("&")']
)
def test_no_text_becomes_an_element(text: str) -> None:
    shown = prose_html(text).replace("<sub>", "").replace("</sub>", "").replace("<sup>", "").replace("</sup>", "")
    assert "<" not in shown and ">" not in shown
