"""The package works without its extras, and says how to install one that is missing."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

#: Extras for work on fibprover itself.
FOR_DEVELOPERS = {"dev", "check", "browser", "docs"}

EXTRAS = sorted(set(PROJECT["optional-dependencies"]) - FOR_DEVELOPERS)

#: The modules that extras install, directly or not.
OPTIONAL = (
    "IPython", "automata", "cloudpickle", "dask", "distributed", "flint", "graphviz", "ipykernel", "jupyter_client",
    "lsprotocol", "matplotlib", "mcp", "mkdocs", "nbclient", "networkx", "pyeda", "pygls", "rich", "selenium", "shtab",
    "starlette", "traitlets", "uvicorn",
)

_WITHOUT = """
import sys
for name in {names!r}:
    sys.modules[name] = None  # so that importing it fails
"""

_MAIN = """
from fibprover.frontends.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def without(code: str, *arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run Python as if only the bare package were installed, and no program such as graphviz."""
    return subprocess.run(
        [sys.executable, "-c", _WITHOUT.format(names=OPTIONAL) + code, *arguments],
        capture_output=True, text=True, check=False, timeout=120, cwd=cwd, env=os.environ | {"PATH": ""},
    )


def name_of(requirement: str) -> str:
    return re.split(r"[<>=\[~!; ]", requirement)[0]


def test_the_bare_package_needs_two_others() -> None:
    assert sorted(map(name_of, PROJECT["dependencies"])) == ["lark", "numpy"]


def test_every_requirement_has_bounds() -> None:
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    free = [each for group in groups for each in group if not re.search(r">=\S+,<\S+", each)]
    assert free == ["setuptools>=77.0.3"]


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_documentation_says_how_to_install_an_extra(extra: str) -> None:
    pages = "".join(page.read_text() for page in (ROOT / "docs").glob("*.md"))
    assert f"pip install 'fibprover[{extra}]'" in pages


#: Command lines, the status of each, and what it prints.
WORKING = [
    (("eval", "Ax,y x+y=y+x"), 0, "TRUE"),
    (("eval", "?msd_fib F[n]=1", "-n", "2"), 0, "1, 4, ..."),
    (("explain", "Ax Ey y>x"), 0, "TRUE"),
    (("run", "docs/tour.txt"), 0, "only_these: TRUE"),
    (("prove", "-k", "K1.terminal"), 0, "as expected"),
    (("words", "T"), 0, "Thue-Morse"),
    (("system", "verify", "msd_fib"), 0, "verified"),
    (("game", "terminal(1)", "--no-findings"), 0, "Proof."),
]

_MAINS = """
import contextlib, io, json
from fibprover.frontends.cli.main import main
for arguments in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        status = main(arguments)
    print(json.dumps([status, out.getvalue()]))
"""


@pytest.mark.long
def test_the_bare_package_works() -> None:
    """One process runs all these command lines, as what is missing is missing from its beginning."""
    done = without(_MAINS, json.dumps([arguments for arguments, _, _ in WORKING]))
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    for (arguments, status, said), (found, printed) in zip(WORKING, answers, strict=True):
        assert found == status, (arguments, done.stderr)
        assert said in printed, arguments


@pytest.mark.long
def test_it_draws(tmp_path: Path) -> None:
    for arguments in (("draw", "--system", "msd_fib", "x+y=z"), ("board", "x<y & y<9")):
        done = without(_MAIN, *arguments, "-o", str(tmp_path / "picture.svg"))
        assert done.returncode == 0, done.stderr
        assert "<svg" in (tmp_path / "picture.svg").read_text()


def test_progress_is_shown_without_rich() -> None:
    done = without(_MAIN, "eval", "Ax,y x+y=y+x", "--progress", "plain")
    assert (done.returncode, done.stdout) == (0, "TRUE\n")


#: Code that needs an extra.  Without `terminal` and `labels` everything works, with plainer output, without `algebra`
#: more slowly.
NEEDING = {
    "algebra": [],
    "cluster": [_MAIN + "# game --sweep terminal(k) k=1 --dask local"],
    "completion": [_MAIN + "# --print-completion bash"],
    "drawing": [_MAIN + "# board x<y -o NOWHERE/board.png", _MAIN + "# draw x<y -o NOWHERE/automaton.pdf"],
    "labels": [],
    "notebook": [_MAIN + "# kernel install", "from fibprover.frontends.notebook.__main__ import main; main()"],
    "lsp": [_MAIN + "# lsp"],
    "mcp": [_MAIN + "# serve --stdio"],
    "web": [_MAIN + "# web NOWHERE/folder --no-open"],
    "terminal": [],
}


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_missing_extra_says_its_line(extra: str, tmp_path: Path) -> None:
    for code in NEEDING[extra]:
        arguments = code.partition("# ")[2].replace("NOWHERE", str(tmp_path)).split()
        done = without(code, *arguments)
        assert done.returncode != 0, code
        assert f"pip install 'fibprover[{extra}]'" in done.stderr
        assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("function", "package"), [("to_networkx", "networkx"), ("to_automata_lib", "automata-lib")],
)
def test_a_missing_library_says_its_line(function: str, package: str) -> None:
    done = without(
        f"import fibprover as fp\nfrom fibprover.automata.formats.exports import {function} as convert\n"
        "try: convert(fp.Session().relation('x<3').automaton)\n"
        "except fp.FibproverError as error: sys.exit(str(error))"
    )
    assert done.stderr == f"this needs {package}, which is not installed\n  hint: pip install {package}\n"
