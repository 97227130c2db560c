"""The choice of the backend, the contract of both, and what runs without numpy and pyeda."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from fibprover.automata import kernels as backend
from fibprover.base.errors import FibproverError

ROOT = Path(__file__).resolve().parent.parent
STUBS = {name: ROOT / "fibprover_ext" / f"{name}.pyi" for name in ("automata", "games", "inference")}

#: Where these contracts are fulfilled in Python: for users, or as oracles of tests.
HOMES = {
    "automata": "fibprover.automata.kernels.python.automata",
    "games": "tests.oracle.twins.games",
    "inference": "tests.oracle.twins.inference",
}

EVALUATED = ["eval", "?msd_fib Ax Ey y>x"]

#: Runs a command line with a module hidden, and prints what it has imported of some packages.
PROGRAM = """
import sys
for name in {hidden!r}:
    sys.modules[name] = None
from fibprover.frontends.cli.main import main
status = main({arguments!r})
print([name for name in {looked!r} if sys.modules.get(name)])
sys.exit(status)
"""

#: Runs several command lines with modules hidden, and prints their statuses at the end.
ALL = """
import sys
for name in {hidden!r}:
    sys.modules[name] = None
from fibprover.frontends.cli.main import main
print([main(arguments) for arguments in {given!r}])
"""


def run(
    arguments: Sequence[str], wanted: str = "", hidden: Sequence[str] = (), looked: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a command line in a process of its own."""
    return processed(PROGRAM.format(hidden=hidden, arguments=list(arguments), looked=looked), wanted)


def processed(program: str, wanted: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a process of its own, with a backend that is wanted."""
    environment = {**os.environ, backend.VARIABLE: wanted}
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False, env=environment,
        cwd=ROOT,
    )


# -- the choice -------------------------------------------------------------------------------


def test_what_is_demanded_is_chosen() -> None:
    assert backend.chosen("python") == "python"
    pytest.importorskip("fibprover_ext.automata")
    assert backend.chosen("") == backend.chosen("compiled") == "compiled"


def test_a_wrong_name_is_an_error() -> None:
    with pytest.raises(FibproverError, match="FIBPROVER_BACKEND=pyton is not a backend") as caught:
        backend.chosen("pyton")
    assert caught.value.hint == "did you mean python?"
    done = run(EVALUATED, "pyton")
    assert (done.returncode, done.stdout) == (2, "[]\n")
    assert done.stderr.startswith("error: FIBPROVER_BACKEND=pyton") and "Traceback" not in done.stderr


def test_a_missing_extension() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "fibprover_ext.automata", None)
        assert backend.chosen("") == "python"
        with pytest.raises(FibproverError, match="FIBPROVER_BACKEND demands the compiled backend") as caught:
            backend.chosen("compiled")
        assert "FIBPROVER_BACKEND=python" in caught.value.hint
    done = run(EVALUATED, "compiled", ["fibprover_ext.automata"])
    assert done.returncode == 2 and done.stderr.startswith("error: FIBPROVER_BACKEND demands the compiled backend")
    assert "Traceback" not in done.stderr


def test_an_extension_that_was_built_in_part() -> None:
    pytest.importorskip("fibprover_ext.automata")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "fibprover_ext.games", None)
        assert backend.chosen("") == "python"
        with pytest.raises(FibproverError, match="it lacks games"):
            backend.chosen("compiled")


@pytest.mark.long
def test_the_command_line_says_that_the_extension_is_missing() -> None:
    done = run(EVALUATED, "", ["fibprover_ext.automata"])
    assert done.stdout == "TRUE\n[]\n"
    assert done.stderr.startswith("warning: ") and done.stderr.count("\n") == 1
    done = run([*EVALUATED, "--json"], "", ["fibprover_ext.automata"])
    assert json.loads(done.stdout.splitlines()[0])["verdict"] is True and done.stderr == ""
    done = run(["prove", "proofs/k1.py", "--jobs", "2", "--no-vacuity"], "", ["fibprover_ext.automata"])
    assert done.returncode == 0 and done.stderr.count("warning") == 1
    assert run(EVALUATED, "python", ["fibprover_ext.automata"]).stderr == ""


def test_what_is_not_chosen_is_not_imported() -> None:
    looked = ["fibprover.automata.kernels.python", "fibprover_ext.automata", "fibprover_ext.games", "numpy", "pyeda"]
    pytest.importorskip("fibprover_ext.automata")
    assert run(EVALUATED, "compiled", looked=looked).stdout == "TRUE\n['fibprover_ext.automata']\n"
    assert run(EVALUATED, "python", looked=looked).stdout == "TRUE\n['fibprover.automata.kernels.python']\n"


#: Command lines that need neither numpy nor pyeda.
MOST = [
    EVALUATED, ["eval", "?msd_fib x+y=z"], ["eval", "T[n]=@1"], ["explain", "Ax Ey y>x"],
    ["run", "docs/tour.txt"], ["prove", "proofs/k2.py", "-k", "K2.stable", "--jobs", "1"],
    ["draw", "--system", "msd_fib", "x+y=z", "-o", "NOWHERE/picture.svg"],
]


@pytest.mark.long
@pytest.mark.parametrize("wanted", ["python", "compiled"])
def test_most_works_without_numpy_and_pyeda(wanted: str, tmp_path: Path) -> None:
    """One process runs all, as what is hidden is hidden from its beginning."""
    hidden = ["numpy", "pyeda", "pyeda.boolalg.espresso"]
    if wanted == "compiled":
        pytest.importorskip("fibprover_ext.automata")
    else:
        hidden.append("fibprover_ext.automata")
    given = [[word.replace("NOWHERE", str(tmp_path)) for word in arguments] for arguments in MOST]
    done = processed(ALL.format(hidden=hidden, given=given), wanted)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == str([0] * len(MOST))
    assert (tmp_path / "picture.svg").is_file()


def test_what_needs_numpy_says_so() -> None:
    done = run(["game", "wythoff"], "", ["numpy"])
    assert done.returncode == 2
    assert done.stderr.splitlines() == ["error: this needs numpy, which is not installed", "  hint: pip install numpy"]


@pytest.mark.parametrize(
    ("wanted", "hint"),
    [("python", "FIBPROVER_BACKEND=python demands the others"), ("", "install fibprover from a wheel")],
)
def test_what_needs_compiled_kernels_says_so(wanted: str, hint: str) -> None:
    hidden = [] if wanted else ["fibprover_ext.automata"]
    done = run(["game", "wythoff"], wanted, hidden)
    assert done.returncode == 2
    error, said = done.stderr.splitlines()[-2:]
    assert error == "error: games and inference need the compiled kernels"
    assert said.startswith(f"  hint: {hint}")


@pytest.mark.long
def test_recursions_are_learned_without_inference(tmp_path: Path) -> None:
    script = tmp_path / "even.txt"
    script.write_text('solve even "n=0 | (n>1 & $even(n-2))" by n;\neval all "An $even(2*n) & ~$even(2*n+1)";\n')
    done = run(["run", str(script)], "python")
    assert done.returncode == 0, done.stderr
    assert "TRUE" in done.stdout


def test_python_users_can_ask() -> None:
    assert backend.NAME in ("compiled", "python")
    assert backend.automata.__name__ == {
        "compiled": "fibprover_ext.automata", "python": "fibprover.automata.kernels.python.automata",
    }[backend.NAME]
    with pytest.raises(AttributeError, match="no attribute 'words'"):
        backend.__getattr__("words")


# -- the contract -----------------------------------------------------------------------------


def signature(function: ast.FunctionDef) -> list[tuple[str, bool]]:
    """Return the parameters of a function in a stub, and whether they have defaults."""
    names = [argument.arg for argument in function.args.args]
    defaults = len(function.args.defaults)
    return [(name, place >= len(names) - defaults) for place, name in enumerate(names)]


def parameters(function: Callable[..., object]) -> list[tuple[str, bool]]:
    """Return the parameters of a function, and whether they have defaults."""
    found = inspect.signature(function).parameters.values()
    return [(one.name, one.default is not inspect.Parameter.empty) for one in found]


def contract(name: str) -> Iterator[tuple[Any, ast.FunctionDef]]:
    """Yield the functions and methods of a stub, each with the one in Python."""
    module = importlib.import_module(HOMES[name])
    for node in ast.parse(STUBS[name].read_text()).body:
        if isinstance(node, ast.FunctionDef):
            yield getattr(module, node.name), node
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    yield getattr(getattr(module, node.name), method.name), method


@pytest.mark.parametrize("name", STUBS)
def test_signatures_are_those_of_the_stubs(name: str) -> None:
    found = list(contract(name))
    assert len(found) >= 3
    for function, node in found:
        assert parameters(function) == signature(node), node.name


@pytest.mark.parametrize("name", STUBS)
def test_attributes_are_those_of_the_stubs(name: str) -> None:
    module = importlib.import_module(HOMES[name])
    for node in ast.parse(STUBS[name].read_text()).body:
        if isinstance(node, ast.ClassDef):
            source = inspect.getsource(getattr(module, node.name))
            for each in node.body:
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                    assert re.search(rf"\b(self\.|def ){each.target.id}\b", source), (node.name, each.target.id)


def test_names_are_those_of_the_stubs() -> None:
    for name, stub in STUBS.items():
        module = importlib.import_module(HOMES[name])
        declared = {
            node.name for node in ast.parse(stub.read_text()).body if isinstance(node, ast.FunctionDef | ast.ClassDef)
        }
        offered = {key for key in vars(module) if not key.startswith("_")} - {"Arrays", "Integers"}
        assert offered == declared, name
