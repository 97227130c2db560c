"""A theorem about a game as LaTeX: the rules, the theorem with what follows, and the proof with its formulas."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from fibprover.games.script import proof_script
from fibprover.games.theorem_text import (
    game_title,
    rules_in_words,
    sentence,
    setting_in_words,
    statement_and_proof,
    undecided_in_words,
)
from fibprover.language.sentences import prose_latex

if TYPE_CHECKING:
    from fibprover.games.theorem import Theorem

#: The most columns of a line of the text and of the script.
_WIDTH = 110


def theorem_latex(theorem: Theorem, name: str) -> str:
    """Return a theorem and its proof as LaTeX; name: begins the names of commands in the script of the proof.

    Raises FibproverError unless it is proved.
    """
    script = proof_script(theorem, name)
    statement, proof = statement_and_proof(theorem)
    rules = " ".join([setting_in_words(theorem.game), *rules_in_words(theorem.game)])
    lines = [
        r"% needs \usepackage{amsmath,amsthm} and \newtheorem{theorem}{Theorem}",
        rf"\begin{{theorem}}[{prose_latex(game_title(theorem.game))}]",
        *_filled(rules), *_filled(statement),
    ]
    if theorem.findings:
        lines += [r"\begin{enumerate}", *(
            line for finding in theorem.findings for line in _filled(sentence(finding.statement), r"\item ")
        ), r"\end{enumerate}"]
    lines += [r"\end{theorem}", r"\begin{proof}", *_filled(proof)]
    if theorem.undecided:
        lines += _filled(undecided_in_words(theorem))
    lines += [
        *_filled("These commands define the predicates and evaluate the decided statements to true."),
        r"\begin{footnotesize}", r"\begin{verbatim}", *_commands(script.text), r"\end{verbatim}",
        r"\end{footnotesize}", r"\end{proof}",
    ]
    return "\n".join(lines) + "\n"


def _filled(text: str, begin: str = "") -> list[str]:
    return textwrap.wrap(
        begin + prose_latex(text), _WIDTH, subsequent_indent="  " if begin else "", break_long_words=False,
        break_on_hyphens=False,
    )


def _commands(script: str) -> list[str]:
    """Return the lines of a script, none of them longer than fits."""
    lines: list[str] = []
    for line in script.splitlines():
        lines += textwrap.wrap(
            line, _WIDTH, subsequent_indent="    ", break_long_words=True, break_on_hyphens=False
        ) or [""]
    return lines
