"""The paper as a notebook, executed from top to bottom."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.display.html import images

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "docs" / "notebooks" / "paper.ipynb"


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("jupyter")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("IPYTHONDIR", str(folder / "ipython"))
        patched.setenv("JUPYTER_RUNTIME_DIR", str(folder / "runtime"))
        patched.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
        notebook = nbformat.read(NOTEBOOK, as_version=4)
        resources = {"metadata": {"path": str(NOTEBOOK.parent)}}
        with (folder / "log").open("w") as log:
            NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources).execute(
                stdout=log, stderr=log
            )
    return notebook


def outputs(notebook: Any, kind: str = "text/plain") -> list[str]:
    """All outputs of a kind, in order."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if kind == "text/plain" and output.output_type == "stream":
                found.append(output.text)
            elif kind in output.get("data", {}):
                found.append(output.data[kind])
    return found


def test_it_is_stored_without_outputs() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    assert all(not cell.outputs and cell.execution_count is None for cell in notebook.cells if cell.cell_type == "code")


@pytest.mark.long
def test_verdicts(executed: Any) -> None:
    verdicts = [text.partition("\n")[0] for text in outputs(executed) if text.startswith("eval ")]
    proved = ["eval terminal: TRUE", "eval stable: TRUE", "eval absorbing: TRUE"]
    assert verdicts == [
        "eval exists: TRUE", "eval difference: TRUE", "eval fig1: {n:msd_fib}: infinite, 6 states",
        *proved,  # K^1
        "eval terminal: FALSE", *proved,  # K^2, as printed and as it should be
        "eval stable_moved: FALSE", "eval absorbing_moved: FALSE",
        *proved, *proved,  # K^3, K^4
        *proved[1:], *proved[1:],  # W^2, W^3
    ]


@pytest.mark.long
def test_sizes(executed: Any) -> None:
    """Those that the paper states."""
    said = "\n".join(outputs(executed))
    for name, states in (("printed", 27), ("K2", 28), ("K3", 33), ("W2", 73), ("W3", 28)):
        assert f"def {name}: " in said
        assert f", {states} states" in said.partition(f"def {name}: ")[2].partition("\n")[0]


@pytest.mark.long
def test_what_is_found_is_what_the_paper_says(executed: Any) -> None:
    (found,) = (text for text in outputs(executed) if "the same as" in text)
    assert [line.rpartition(" ")[2] for line in found.splitlines()] == ["K1", "K2", "K3", "K4", "W2", "W3"]
    assert "NOT" not in found


@pytest.mark.long
def test_drawings_and_boards(executed: Any) -> None:
    shown = outputs(executed, "text/html")
    drawings = [image for html in shown for image in images(html)]
    titles = [drawing.partition("<title>")[2].partition("</title>")[0] for drawing in drawings]
    for title in ("G (i)", "fig1 (n)", "K1 (a, b)", "K2 (a, b)", "K4 (i)", "K2, K3", "W2", "W3", "terminal(5)"):
        assert any(title in each for each in titles), title


@pytest.mark.long
def test_nothing_went_wrong_on_the_way(executed: Any) -> None:
    for cell in executed.cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "error"
            assert output.get("name") != "stderr", output
