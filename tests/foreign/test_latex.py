"""LaTeX as pdflatex reads it: sentences, formulas, tables, sheets and theorems about games (TikZ: tests/display)."""

from __future__ import annotations

import random
import string
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import fibprover as fp
from fibprover.frontends.cli.main import main
from fibprover.frontends.display.text_table import Table, written
from fibprover.language.sentences import prose_latex
from tests.foreign.programs import needs_pdflatex, typeset
from tests.oracle.strategies import Case, cases

pytestmark = needs_pdflatex

#: Parts of sentences that LaTeX, or the search for formulas among words, could take for something else.
HOSTILE = r"""
    a b n A I E x_ _x a_n a_(n+1) F1_G1 K_2 a_b_c x_1_2 __ a__b phi phi_n phi^2 lambda x^2 x^n x^2^3 x^y_z
    \ ^ ^^ ^2 a^ _ & && | ~ # ## % %% $ $$ { } {0,1} a_{b} \end{x} \input{y} \\ \[ ' '' x^2' \" ` `` ?` !`
    -- --- << >> < > <= >= != -> => <=> = + 2*n 2*n*m n^10.5 [0,1] [0|1]* W[i][j] W[n]=@-1 $even(x) ?msd_fib
    floor(n floor( sqrt(5) sqrt( ((1+sqrt(5))/2) a+b=c x=|y| ( ) [ ] , . ; : ... 1..4 -1 0.5 word the and E=0
"""

WORDS = tuple(HOSTILE.split())

#: Every construct, with names that LaTeX or another program gives a meaning.
FORMULAS = (
    "Ax,y Ez x+y=z & ~(x<y) | x>=y ^ x!=z => x<=y <=> x>z",
    "In,alpha_1 n>alpha_1 & sin=2*cos & d_m__=3",
    "E=0 x x<5 & E>=2 y,z_1 y<z_1 & E<=10000000000 x x>3",
    "?msd_fib Ex x=5 & (?lsd_neg_2 y=_3) & $less_than(?msd_3 x+1,y)",
    "Ax T[x+1]=@1 & RS[2*x]!=T[x/3] & `($feq_T(i,j,n)) & TM[n-1]=@-1",
    "x/2+_y*3-4*(a-b)=_(7*x)",
)


def sentences(count: int, seed: int) -> list[str]:
    """Hostile words, and hostile characters, in any order."""
    choose = random.Random(seed)
    texts = [" ".join(choose.choices(WORDS, k=choose.randint(1, 6))) for _ in range(count)]
    return texts + ["".join(choose.choices(string.printable[:95], k=choose.randint(1, 14))) for _ in range(count)]


def test_sentences(tmp_path: Path) -> None:
    texts = [*WORDS, *sentences(150, 33)]
    typeset(tmp_path, "\n".join(rf"\par {prose_latex(text)}" for text in texts))


@pytest.mark.long
@settings(max_examples=2, phases=[Phase.generate])  # a document is slow to shrink
@given(st.lists(cases(counting=True), min_size=25, max_size=25))
def test_formulas(tmp_path_factory: pytest.TempPathFactory, drawn: list[Case]) -> None:
    texts = [fp.formula(text).latex() for text in FORMULAS] + [case.formula.latex() for case in drawn]
    typeset(tmp_path_factory.mktemp("formulas"), "\n".join(rf"\par $\displaystyle {text}$" for text in texts))


def test_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    r"""After \\ a bracket, as in the digits [12]3, is a length."""
    rows = (("[12]3", 1), ("[10][11]", 2), ("\u03b5", -3))
    tables = [written(Table(("x", "n"), rows, ("x", "n"), sideways), "latex", {}) for sideways in (False, True)]
    for asked in (["terminal(2)", "--table"], ["terminal(1)", "--positions", "9"], ["wythoff()", "--grundy", "5"]):
        assert main(["game", *asked, "--format", "latex"]) == 0
        tables.append(capsys.readouterr().out)
    typeset(tmp_path, "\n".join(rf"\[{table}\]" for table in tables))


@pytest.mark.long
def test_a_sheet_and_a_game(tmp_path: Path) -> None:
    session = fp.Session()
    session.run('morphism h "0->01 1->10"; morphism c "0->2 1->[-1]"; promote I_1 h; image I_1__x c I_1;')
    word = session.namespace.words["I_1__x"]
    sheet = fp.study(word, only=("reversal", "letter--1-gaps", "complexity"))
    assert len(sheet.lines) >= 2
    game = fp.discover("(i=0 & j>0) ^ (j=0 & i>0 & i<=3) ^ (i=j & i>0)", with_findings=False)
    typeset(tmp_path, sheet.to_latex() + game.to_latex("g_1"), r"\newtheorem{theorem}{Theorem}")


def test_rules_of_morphisms_are_formulas() -> None:
    assert prose_latex("The fixed point of a->ab, b->c.") == r"The fixed point of $a\to ab$, $b\to c$."
