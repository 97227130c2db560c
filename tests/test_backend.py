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


def run(
    arguments: Sequence[str], wanted: str = "", hidden: Sequence[str] = (), looked: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a command line in a process of its own."""
    program = PROGRAM.format(hidden=hidden, arguments=list(arguments), looked=looked)
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


@pytest.mark.parametrize("wanted", ["python", "compiled"])
@pytest.mark.parametrize(
    "arguments",
    [
        EVALUATED, ["eval", "?msd_fib x+y=z"], ["eval", "T[n]=@1"], ["explain", "Ax Ey y>x"],
        ["run", "docs/tour.txt"], ["prove", "proofs/k2.py", "-k", "K2.stable", "--jobs", "1"],
        ["draw", "--system", "msd_fib", "x+y=z", "-o", "NOWHERE/picture.svg"],
    ],
    ids=" ".join,
)
def test_most_works_without_numpy_and_pyeda(arguments: list[str], wanted: str, tmp_path: Path) -> None:
    hidden = ["numpy", "pyeda", "pyeda.boolalg.espresso"]
    if wanted == "compiled":
        pytest.importorskip("fibprover_ext.automata")
    else:
        hidden.append("fibprover_ext.automata")
    done = run([word.replace("NOWHERE", str(tmp_path)) for word in arguments], wanted, hidden)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_needs_numpy_says_so() -> None:
    done = run(["game", "wythoff"], "python", ["numpy"])
    assert done.returncode == 2
    assert done.stderr.splitlines() == ["error: this needs numpy, which is not installed", "  hint: pip install numpy"]


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
    module = importlib.import_module(f"fibprover.automata.kernels.python.{name}")
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
    module = importlib.import_module(f"fibprover.automata.kernels.python.{name}")
    for node in ast.parse(STUBS[name].read_text()).body:
        if isinstance(node, ast.ClassDef):
            source = inspect.getsource(getattr(module, node.name))
            for each in node.body:
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                    assert re.search(rf"\b(self\.|def ){each.target.id}\b", source), (node.name, each.target.id)


def test_names_are_those_of_the_stubs() -> None:
    for name, stub in STUBS.items():
        module = importlib.import_module(f"fibprover.automata.kernels.python.{name}")
        declared = {
            node.name for node in ast.parse(stub.read_text()).body if isinstance(node, ast.FunctionDef | ast.ClassDef)
        }
        offered = {key for key in vars(module) if not key.startswith("_")} - {"Arrays", "Integers"}
        assert offered == declared, name
