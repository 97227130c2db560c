"""Checks of the files of the project; `make check` checks how packages import each other."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from website import architecture

ROOT = Path(__file__).resolve().parent.parent
KERNELS = ROOT / "fibprover_ext"

#: An import of fibprover, in Python or Cython, in any spelling; kernels must not have one.
OF_FIBPROVER = re.compile(r"^\s*(?:from|import|cimport)\b[^#\n]*\bfibprover(?!_ext\b)\b|__import__|import_module", re.M)


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def kernel_sources() -> list[Path]:
    return sorted(file for pattern in ("*.py", "*.py[xi]", "*.px[di]", "*.hpp") for file in KERNELS.glob(pattern))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("from fibprover.base.errors import FibproverError", True),
        ("    import fibprover", True),
        ("from fibprover cimport x", True),
        ("cimport fibprover.automata", True),
        ("import os, fibprover.base.limits", True),
        ("importlib.import_module('fibprover')", True),
        ("from fibprover_ext.automata cimport Block", False),
        ("# from fibprover import x", False),
        ("cimport fibprover_ext.automata", False),
    ],
)
def test_the_search_itself(line: str, found: bool) -> None:
    assert bool(OF_FIBPROVER.search(f"x = 1\n{line}\n")) is found


@pytest.mark.parametrize("file", kernel_sources(), ids=lambda file: file.name)
def test_kernels_do_not_import_the_package(file: Path) -> None:
    """import-linter does not read Cython."""
    assert not OF_FIBPROVER.search(file.read_text())


#: A call of std::sort, or an import of it: nobody looks at the clock meanwhile.
UNSEEN_SORT = re.compile(r"(?<!\w)sort\(|algorithm cimport (?:[^\n]*\W)?sort\b")


@pytest.mark.parametrize("file", sorted(KERNELS.glob("*.p*x*")), ids=lambda file: file.name)
def test_kernels_sort_with_looks_at_the_clock(file: Path) -> None:
    """A row may have millions of items: `sort_polled` stops at a deadline."""
    assert not UNSEEN_SORT.search(file.read_text())


def included(module: Path) -> list[str]:
    """Names of the files that a module of kernels includes."""
    return re.findall(r'^include "(.+)"$', module.read_text(), re.M)


def test_every_file_of_kernels_is_in_one_module() -> None:
    files = [name for module in KERNELS.glob("*.pyx") for name in included(module)]
    assert len(files) >= 10
    assert sorted(files) == sorted(file.name for file in KERNELS.glob("*.pxi"))


@pytest.mark.parametrize("file", sorted(KERNELS.glob("*.pyx")), ids=lambda file: file.name)
def test_every_kernel_has_a_stub(file: Path) -> None:
    """Each Python function of a module's kernels is in its stub, and no other."""
    functions = [
        name for part in included(file) for name in re.findall(r"^def (\w+)", (KERNELS / part).read_text(), re.M)
    ]
    assert sorted(functions) == sorted(re.findall(r"^def (\w+)", file.with_suffix(".pyi").read_text(), re.M))


#: Lines of a function, from its `def` to its end, without its docstring, which has a list of parameters and an example.
MOST_LINES = 60


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function without its docstring."""
    first = function.body[0]
    told = (first.end_lineno or 0) - first.lineno if ast.get_docstring(function) is not None else 0
    return (function.end_lineno or 0) - function.lineno - told


def functions(statements: list[Any]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions among statements, and those inside; expressions, which have none, are not looked at."""
    for statement in statements:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield statement
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from functions(getattr(statement, part, []))


def test_functions_are_short() -> None:
    """Those in proofs/ may be longer: they declare the theorems of a chapter one after the other."""
    long = [
        f"{file.relative_to(ROOT)}: {function.name}"
        for folder in ("fibprover", "tests", "benchmarks", "website")
        for file in sorted((ROOT / folder).rglob("*.py"))
        for function in functions(ast.parse(file.read_text()).body)
        if lines_of(function) >= MOST_LINES
    ]
    assert long == []


#: What opens a file: functions by their names, methods by theirs.
OPENERS = ("open", "fdopen", "connect", "GzipFile", "read_history_file", "NpzFile", "memmap", "fromfile")
READERS = ("read_text", "read_bytes", "get_data")

#: The places that open files by themselves, and why that is safe.
OPENED_ELSEWHERE = {
    "base/files.py": "the reader of files, and the writer",
    "base/limits.py": "files of the system: memory of the process and of the machine",
    "base/locks.py": "a lock, of which nothing is read and to which nothing is written",
    "campaigns/sweeps/tasks.py": "files of the program itself",
    "campaigns/sweeps/store.py": "SQLite opens the file, after the reader has looked at it",
    "checker/fibcheck.py": "it imports nothing of fibprover, and has a reader of its own",
    "frontends/cli/main.py": "the null device",
    "frontends/cli/serve.py": "standard input, once more",
    "frontends/cli/lsp.py": "standard input and output, once more",
    "frontends/cli/prompt.py": "the history of the prompt in the home of the user, by the library readline",
    "frontends/display/page/document.py": "the parts of pages in the package",
    "frontends/web/files.py": "the files of the page in the package",
    "language/tables.py": "the grammar in the package, and its tables",
    "prover/certificate/writing.py": "it packs bytes in memory",
    "frontends/cli/supervisor.py": "a file of the system: memory of a process",
    "workspace/supervision.py": "a file of the system: memory of the process",
}


def opening(tree: ast.AST) -> Iterator[str]:
    """Yield the calls that open a file."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Name(id=name) if name in OPENERS:
                yield ast.unparse(node)
            case ast.Attribute(attr=name, value=value) if name in READERS or name in OPENERS:
                if ast.unparse(value) != "self":
                    yield ast.unparse(node)


def test_all_files_of_users_pass_one_reader() -> None:
    """Which knows devices, pipes, sizes, limits and encodings: `fibprover.base.files`."""
    package = ROOT / "fibprover"
    found = {
        str(file.relative_to(package)): calls
        for file in sorted(package.rglob("*.py"))
        if (calls := list(opening(ast.parse(file.read_text()))))
    }
    assert {file: calls for file, calls in found.items() if file not in OPENED_ELSEWHERE} == {}
    assert sorted(found) == sorted(OPENED_ELSEWHERE), "what is listed opens something"


def test_the_packages_listed_are_the_packages_there_are() -> None:
    listed = project()["tool"]["setuptools"]["packages"]
    there = [
        ".".join(file.parent.relative_to(ROOT).parts)
        for package in ("fibprover", "fibprover_ext")
        for file in (ROOT / package).rglob("__init__.py")
    ]
    assert sorted(listed) == sorted(there)


def test_data_files_are_listed() -> None:
    """Every file of the package that is not Python is package data or is built."""
    data = project()["tool"]["setuptools"]["package-data"]
    for package in ("fibprover", "fibprover_ext"):
        listed = {file for pattern in data[package] for file in (ROOT / package).glob(pattern)}
        built = {".py", ".pyx", ".pxi", ".pxd", ".hpp", ".so", ".cpp", ".pyc"}
        there = {file for file in (ROOT / package).rglob("*") if file.is_file() and file.suffix not in built}
        assert there <= listed
        assert ROOT / package / "py.typed" in listed


def test_packages_describe_themselves() -> None:
    """Input, output and where to begin, in three to ten lines."""
    lengths = {
        file.parent.name: len((ast.get_docstring(ast.parse(file.read_text())) or "").splitlines())
        for file in (ROOT / "fibprover").rglob("__init__.py")
    }
    assert {name: length for name, length in lengths.items() if not 3 <= length <= 10} == {}


def test_the_map_of_the_code_names_every_package_and_top_level_module() -> None:
    map_of_the_code = (ROOT / "docs" / "architecture.md").read_text()
    packages = {file.parent.relative_to(ROOT / "fibprover").as_posix() for file in (ROOT / "fibprover").rglob("*.py")}
    assert [name for name in sorted(packages - {"."}) if f"`{name}/`" not in map_of_the_code] == []
    modules = {file.name for file in (ROOT / "fibprover").glob("*.py") if not file.name.startswith("__")}
    assert [name for name in sorted(modules) if f"`{name}`" not in map_of_the_code] == []


def test_the_table_of_packages_is_made_from_the_import_contract() -> None:
    assert architecture.page() == architecture.PAGE.read_text(), "python website/architecture.py writes it"
    assert architecture.picture() == architecture.PICTURE.read_text()
    assert {name for layer in architecture.layers() for name in layer} | {"checker"} == {
        file.parent.name for file in (ROOT / "fibprover").glob("*/__init__.py")
    }


def committed() -> list[str]:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout")
    files = subprocess.run([git, "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    assert "setup.py" in files
    return files


def test_a_source_distribution_has_every_file(monkeypatch: pytest.MonkeyPatch) -> None:
    files = committed()
    monkeypatch.chdir(ROOT)
    listed: Any = import_module("setuptools._distutils.filelist").FileList()
    listed.set_allfiles(files)
    for line in (ROOT / "MANIFEST.in").read_text().splitlines():
        listed.process_template_line(line)
    # setuptools itself adds these, and the Python files of the packages.
    added = {"MANIFEST.in", "pyproject.toml", "setup.py"}
    added |= {file for file in files if file.startswith(("fibprover/", "fibprover_ext/")) and file.endswith(".py")}
    assert {*files} - {*listed.files} - added == {".gitignore"}


def test_each_kind_of_file_has_a_test_of_what_is_believed() -> None:
    """In docs/trust.md, whose tables name tests that exist."""
    page = (ROOT / "docs" / "trust.md").read_text()
    head, *rows = re.search(r"(?:^\|.*\n)+", page, re.M)[0].splitlines()  # type: ignore[index]
    assert head.count("|") == 6 and len(rows) > 12
    assert [row for row in rows[1:] if not re.search(r"`tests/[\w/]+\.py` ?", row.split("|")[-2])] == []
    named = set(re.findall(r"`(tests/[\w/]+(?:\.py)?)/?`", page))
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_the_selections_of_tests_exist() -> None:
    selected = re.findall(r"\btests/[\w/.]+", (ROOT / ".ci" / "run").read_text())
    assert len(selected) >= 10
    assert [name for name in selected if not (ROOT / name).exists()] == []


def test_nothing_generated_is_committed() -> None:
    files = committed()
    assert [file for file in files if Path(file).suffix in {".so", ".pyd", ".c", ".cpp", ".pyc", ".o"}] == []
    top = {file for file in files if "/" not in file}
    assert top == {
        ".dockerignore", ".gitignore", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "Dockerfile", "LICENSE",
        "MANIFEST.in", "Makefile", "README.md", "mkdocs.yml", "pyproject.toml", "setup.py",
    }
