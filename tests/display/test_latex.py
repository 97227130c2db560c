"""Values as LaTeX: what is said of each kind, and that a standard LaTeX sets it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.base.errors import FibproverError
from fibprover.frontends.conversation.output import latex_text
from tests.cli.command import answer

G = "?msd_fib (n=0 & v=0) | Em,a,b n=m+1 & $g(m,a) & $g(a,b) & v+b=n"

SAMPLES: dict[str, tuple[Callable[[fp.Session], object], tuple[str, ...]]] = {
    "true": (lambda s: s.prove("Ex,y x=2*y & x>5"), (r"\exists x, y\;", "is true", "least witness is $x = 6, y = 3$")),
    "false": (lambda s: s.prove("Ax Ey x=2*y"), (r"\forall x\; \exists y\;", "is false", "counterexample is $x = 1$")),
    "slopes": (lambda s: s.prove("?msd_sturmian Ei C[i]=1 & C[i+1]=1"), ("formula",)),
    "finite": (lambda s: s.relation("long_name+y=3"), (r"\mathit{long\_name}", "finite: $(0, 3)$", "states")),
    "infinite": (lambda s: s.relation("?msd_fib Ey x=2*y"), ("infinite: $0$, $2$", r"$\ldots$", r"\texttt{msd")),
    "empty": (lambda s: s.relation("x<0"), ("is empty.",)),
    "word": (lambda s: fp.word("F"), (r"\mathrm{F}", "$0$, $1$, $0$, $0$", "2 states")),
    "counts": (lambda s: s.counts("n", "i<n"), ("dimension 2", r"\begin{pmatrix}", "M_{1} =", "$0$, $1$, $2$")),
    "large": (lambda s: s.counts("n", "?msd_trib Ex,y x+y+i=n & TR[x]=1 & y<i & i<n"), ("linear representation",)),
    "recursion": (lambda s: s.solve("g", G), ("only relation", r"\mathrm{g}(n, v)", "induction on $n$")),
    "equations": (
        lambda s: s.solve("a", "a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+1/2"), ("exactly one solution", r"\frac{1}{2}"),
    ),
    "truths": (lambda s: s.truths("Ey x_1=2*y & y>3", x_1=6), (r"\item", r"\mathit{x\_1} = 6$", "false")),
    "game": (lambda s: fp.discover("i=0 | j=0"), (r"\begin{theorem}",)),
    "sheet": (lambda s: fp.study("T", only=["complexity"]), (r"\section*",)),
}


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    """Return all samples as LaTeX."""
    session = fp.Session()
    found = {}
    for name, (make, _) in SAMPLES.items():
        value = make(session)
        found[name] = value.latex()  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize("name", SAMPLES)
def test_values_are_written(written: dict[str, str], name: str) -> None:
    assert all(part in written[name] for part in SAMPLES[name][1]), written[name]


def test_notebooks_get_the_same_and_drawings_have_none() -> None:
    verdict = fp.Session().prove("Ax Ey y>x")
    assert verdict._repr_latex_() == verdict.latex()
    assert fp.formula("x<=y")._repr_latex_() == r"$x \leq y$"
    drawing = fp.draw(fp.Session().relation("x<2"))
    assert drawing._repr_latex_() is None
    with pytest.raises(FibproverError, match="Drawing"):
        drawing.latex()


def test_the_command_line_prints_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "is false" in answer(capsys, "eval", "--latex", "Ax Ey x=2*y").out
    assert r"\begin{pmatrix}" in answer(capsys, "eval", "--latex", "--counts", "n", "i<n").out
    assert r"\item" in answer(capsys, "explain", "--latex", "--why", "Ax Ey x=2*y").out
    assert r"\mathrm{T}" in answer(capsys, "words", "T", "--latex").out
    assert r"\texttt{msd" in answer(capsys, "system", "msd_fib", "--latex").out
    turned = answer(capsys, "system", "lsd_3", "--latex").out
    assert re.findall(r"(?:\. |\\ldots\{\} )(\w)", turned) == ["m", "C", "D"]  # msd_3 is a name
    script = tmp_path / "script.txt"
    script.write_text(f'eval t "Ax Ey x=2*y"; solve g "{G}"; describe $g;')
    said = answer(capsys, "run", "--latex", str(script)).out
    assert "% eval t" in said and "only relation" in said and r"\begin{verbatim}" in said
    terms = tmp_path / "ones.txt"
    terms.write_text("\n".join(str(n.bit_count()) for n in range(300)))
    assert r"\begin{pmatrix}" in answer(capsys, "infer", str(terms), "--system", "msd_2", "--latex").out
    assert r"\texttt{fibprover game" in answer(capsys, "invent", "terminal(2)", "--latex").out
    picture = answer(capsys, "board", "wythoff", "terminal(2)", "--size", "12", "--line", "phi", "--latex").out
    assert picture.count(r"\fill") == 3 and r"\end{tikzpicture}" in picture
    for wrong in (("board", "wythoff", "--latex", "-o", "x.svg"), ("invent", "wythoff", "--latex", "--json", "-")):
        assert answer(capsys, *wrong).status == 2
    refused = answer(capsys, "eval", "--latex", "--json", "1=1")
    assert refused.status == 2 and "--json" in refused.err


@pytest.mark.long
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_a_standard_latex_sets_all_of_it(written: dict[str, str], tmp_path: Path) -> None:
    systems = [fp.system_named(name) for name in ("msd_fib", "lsd_3", "msd_neg_2", "msd_ost_0_2_per_1_3")]
    others = [*(system.latex() for system in systems), latex_text("$g(n): 3_4 & x"), fp.word("T").latex()]
    others += [fp.invent("terminal(2)").latex(), fp.board("terminal(2)", "terminal(3)", lines=["phi"], size=30).tikz]
    body = "\n\n".join([*written.values(), *others])
    file = tmp_path / "all.tex"
    file.write_text(
        "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage{amsmath,amssymb,amsthm,tikz}\n"
        f"\\newtheorem{{theorem}}{{Theorem}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", file.name], cwd=tmp_path, capture_output=True,
        text=True, errors="replace", timeout=300, check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert (tmp_path / "all.pdf").is_file()
