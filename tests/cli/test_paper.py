"""`fibprover paper`: what an article has, and that LaTeX sets it."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.frontends.cli.main import main
from fibprover.language.commands import parse_script

COMMANDS = r"""reg even msd_2 "(0|1)*0":
def next "?msd_2 y=x+1 & $even(x)":
macro twice "%0+%0":
eval odd "Ax $even(x) => Ey $next(x,y)":
eval doubled "Ax $even(#twice(x))":
eval no_such "Ax,y $next(x,y) => T[x]=T[y]":
eval free "x=3":
"""


def article(tmp_path: Path, *arguments: str, status: int = 0) -> str:
    file = tmp_path / "article.tex"
    assert main(["paper", *arguments, "-o", str(file), "--jobs", "1"]) == status
    return file.read_text()


def environments(text: str) -> dict[str, int]:
    """Return how often each environment occurs; they are nested as brackets are."""
    opened: list[str] = []
    found: dict[str, int] = {}
    for which, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if which == "begin":
            opened.append(name)
            found[name] = found.get(name, 0) + 1
        else:
            assert opened.pop() == name
    assert not opened
    return found


def compiled(text: str, tmp_path: Path) -> str:
    """Return the log of pdflatex, which has to write a document."""
    (tmp_path / "set.tex").write_text(text)
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "set.tex"], cwd=tmp_path, capture_output=True,
        text=True, errors="replace", timeout=240, check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    return done.stdout


@pytest.mark.long
def test_a_chapter_with_certificates(tmp_path: Path) -> None:
    folder = tmp_path / "certificates"
    text = article(tmp_path, "K2", "-k", "K2.stable", "--author", "A. & B.", "--certificates", str(folder))
    found = environments(text)
    assert found["theorem"] == 2 and found["remark"] == 3 and found["figure"] == text.count(r"\label{figure:")
    assert r"\author{A. \& B.}" in text and r"\mathrm{pposK2}(p, q)" in text
    files = list(folder.glob("*.jsonl.gz"))
    digests = {hashlib.sha256(file.read_bytes()).hexdigest()[:16] for file in files}
    assert len(files) == 5 and all(digest in text for digest in digests)
    labels = re.findall(r"\\label\{([^}]*)\}", text)
    assert len(set(labels)) == len(labels)
    assert set(re.findall(r"\\ref\{([^}]*)\}", text)) <= set(labels)
    assert set(re.findall(r"\\cite\{([^}]*)\}", text)) <= set(re.findall(r"\\bibitem\{([^}]*)\}", text))


def listed(text: str) -> str:
    """Return the commands of the appendix."""
    _, appendix = text.split(r"\appendix")
    return "\n".join(re.findall(r"\\begin\{verbatim\}\n(.*?)\\end\{verbatim\}", appendix, re.DOTALL)[1:])


def decided(commands: str) -> list[bool]:
    return [bool(outcome) for _, outcome in fp.Session().run(commands) if isinstance(outcome, fp.Verdict)]


def test_a_script_of_commands(tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text(COMMANDS)
    text = article(tmp_path, str(script), status=1)  # one of its formulas is false
    found = environments(text)
    assert (found["theorem"], found["remark"], found["definition"]) == (2, 1, 3)  # even, next and T are called
    commands = [command.word for command in parse_script(listed(text))]
    assert commands == ["reg", "def", "eval", "eval", "eval"]
    assert decided(listed(text)) == decided(COMMANDS) == [True, True, False]
    assert r"\texttt{(0|1)*0}" in text.replace(r"\allowbreak{}", "")


AGAIN = '''def bar "n>3": def foo "$bar(n) & n>1": def bar "n<2":
eval test "En $foo(n) & $bar(n)": eval test "En $foo(n)": def foo "n>3 & n<2": eval last "En $foo(n)":
'''


def test_names_that_are_defined_again_mean_what_they_did(tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text(AGAIN)
    text = article(tmp_path, str(script), status=1)
    assert environments(text)["definition"] == 4
    assert decided(AGAIN) == [False, True, False]
    assert [text.count(f"test{each}") > 0 for each in ("", r"{\char95}2")] == [True, True]


def test_several_scripts_with_the_same_names(tmp_path: Path) -> None:
    one, two = tmp_path / "a.txt", tmp_path / "b.txt"
    one.write_text('def foo "n>3": eval t1 "En $foo(n)":')
    two.write_text('eval t1 "An n>3":')
    text = article(tmp_path, str(one), str(two), status=1)
    found = environments(text)
    assert (found["theorem"], found["remark"]) == (1, 1) and str(tmp_path) not in text.partition(r"\appendix")[0]
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.txt").write_text('eval t1 "An n>3":')
    assert main(["paper", str(one), str(tmp_path / "other" / "a.txt")]) == 2


def test_formulas_over_a_family_are_about_every_slope(tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text('eval some "?msd_sturmian Ei C[i]=1 & C[i+1]=1": eval fib "?msd_fib Ex x=3":')
    text = article(tmp_path, str(script), status=1)
    assert "It is false that for every slope" in text and r"msd{\char95}fib" in text


def test_a_name_that_is_defined_again(tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text('def p "x=1": eval one "Ex $p(x)": def p "x=2": eval two "Ex $p(x) & x=2":')
    text = article(tmp_path, str(script))
    assert environments(text)["definition"] == 2 and text.count(r"Let $\mathrm{p}(x)$ mean that") == 2
    assert "$x = 1$" in text and "$x = 2$" in text


@pytest.mark.parametrize("arguments", [["nothing.txt"], ["K2", "-k", "zzz"], ["K22"], ["script.txt"]])
def test_what_is_no_article(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "script.txt").write_text('eval wrong "Ax x=":')
    assert main(["paper", *arguments, "-o", "article.tex"]) == 2
    assert capsys.readouterr().err.startswith("error: ") and not (tmp_path / "article.tex").exists()


@pytest.mark.long
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
@pytest.mark.parametrize("name", ["K2", "sturmian", "wythoff", "coefficients"])
def test_latex_sets_it(name: str, tmp_path: Path) -> None:
    log = compiled(article(tmp_path, name, "--timeout", "60"), tmp_path)
    assert not re.search(r"Overfull \\hbox \((?:[6-9]\d|\d{3,})\.", log), re.findall(r"Overfull.*", log)
