"""The files by which others cite, install and run fibprover agree with pyproject.toml."""

from __future__ import annotations

import os
import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import fibprover

ROOT = Path(__file__).resolve().parent.parent

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


SETTINGS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["cibuildwheel"]


def extras(requirement: str) -> set[str]:
    """Return the extras of a requirement such as .[drawing,terminal]."""
    found = re.search(r"\[([\w,]+)\]", requirement)
    return set(found[1].split(",")) if found else set()


def test_the_citation_is_that_of_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text()
    fields = dict(re.findall(r"^([\w-]+): (.+)$", text, re.MULTILINE))
    assert fields["version"] == fibprover.__version__
    assert fields["license"] == PROJECT["license"]
    assert fields["title"] == PROJECT["name"]
    assert fields["abstract"] == PROJECT["description"]
    listed = re.findall(r"^  - (?:name: )?(.+)$", text, re.MULTILINE)
    assert listed == [*(author["name"] for author in PROJECT["authors"]), *PROJECT["keywords"]]


def test_the_image_is_built_of_what_there_is() -> None:
    lines = (ROOT / "Dockerfile").read_text()
    stages = re.findall(r"^FROM python:(\d+)\.(\d+)-slim(?: AS \w+)?$", lines, re.MULTILINE)
    assert len(stages) == 2
    assert len(set(stages)) == 1  # wheels of one Python are not installed into another
    least = re.search(r">=(\d+)\.(\d+)", PROJECT["requires-python"])
    assert least is not None
    assert tuple(map(int, stages[0])) >= tuple(map(int, least.groups()))
    built, installed = re.findall(r"'(?:/source|fibprover)(\[[\w,]+\])'", lines)
    assert extras(built) == extras(installed)
    assert extras(built) <= set(PROJECT["optional-dependencies"])
    program = re.search(r'^ENTRYPOINT \["(\w+)"\]$', lines, re.MULTILINE)
    assert program is not None
    assert program[1] in PROJECT["scripts"]


def test_the_image_gets_what_the_wheel_is_built_of() -> None:
    ignored = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    needed = {"pyproject.toml", "setup.py", "README.md", "LICENSE", "MANIFEST.in", "fibprover", "fibprover_ext"}
    assert needed.isdisjoint(ignored)


def test_the_server_of_notebooks_has_the_kernel() -> None:
    folder = ROOT / ".binder"
    assert extras((folder / "requirements.txt").read_text()) <= set(PROJECT["optional-dependencies"])
    assert "notebook" in extras((folder / "requirements.txt").read_text())
    assert os.access(folder / "postBuild", os.X_OK)
    assert "fibprover kernel install --sys-prefix" in (folder / "postBuild").read_text()


def test_there_is_a_wheel_for_each_python_that_is_named() -> None:
    named = re.findall(r"Python :: 3\.(\d+)", "\n".join(PROJECT["classifiers"]))
    assert SETTINGS["build"] == [f"cp3{minor}-*" for minor in named]


def test_no_wheel_is_built_without_compiled_kernels() -> None:
    """The tables of platforms replace the environment, and do not add to it."""
    tables = [SETTINGS, *(SETTINGS[platform] for platform in ("linux", "macos", "windows") if platform in SETTINGS)]
    environments = [table["environment"] for table in tables if "environment" in table]
    assert [environment.get("FIBPROVER_PURE") for environment in environments] == ["0"] * len(environments)
    assert environments[0] is SETTINGS["environment"]


def test_every_wheel_is_tried_on_a_chapter() -> None:
    for command in (SETTINGS["test-command"], (ROOT / "Makefile").read_text()):
        # By its name: a checkout is not beside the wheel that is installed.
        chapter = re.search(r"&& .*fibprover prove (\w+)$|^fibprover prove (\w+)$", command, re.MULTILINE)
        assert chapter is not None
        assert (ROOT / "proofs" / f"{(chapter[1] or chapter[2]).lower()}.py").is_file()


def test_every_action_is_pinned_by_the_hash_of_its_commit() -> None:
    """All workflows use one commit of an action, and say its version beside it."""
    pinned: dict[str, set[str]] = {}
    workflows = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    assert [file.stem for file in workflows] == ["tests", "wheels"]
    for file in workflows:
        for used in re.findall(r"uses: (.+)", file.read_text()):
            found = re.fullmatch(r"([\w-]+/[\w-]+)@([0-9a-f]{40}) # v\d+\.\d+\.\d+", used)
            assert found is not None, used
            pinned.setdefault(found[1], set()).add(found[2])
    assert pinned
    assert {action: len(commits) for action, commits in pinned.items()} == dict.fromkeys(pinned, 1)


def test_pull_requests_run_what_the_makefile_has() -> None:
    text = (ROOT / ".github" / "workflows" / "tests.yml").read_text()
    assert "pull_request:" in text and "contents: read" in text
    targets = re.findall(r"run: make ([\w-]+)$", text, re.MULTILINE)
    assert targets == ["check", "test"]
    assert all(re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE) for target in targets)


def test_there_is_a_form_for_each_sort_of_issue() -> None:
    forms = {file.stem: file.read_text() for file in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")}
    assert set(forms) == {"bug", "wrong_verdict", "feature"}
    for name in ("bug", "wrong_verdict"):
        assert "id: formula" in forms[name] and "--version" in forms[name]


def test_the_description_of_the_package_has_no_links_to_files(tmp_path: Path) -> None:
    description = runpy.run_path(str(ROOT / "setup.py"), run_name="settings")["description"]
    shown = description(ROOT)
    assert shown.splitlines()[0] == "# fibprover" and "docs/install.md" in shown
    links = re.findall(r"\]\(([^)]*)\)", shown)
    assert links and all(link.startswith("http") for link in links)
    for name in ("README.md", "pyproject.toml"):
        (tmp_path / name).write_text((ROOT / name).read_text())
    (tmp_path / "pyproject.toml").write_text('[project.urls]\nSource = "https://example.org/fibprover/"\n')
    assert "(https://example.org/fibprover/blob/main/docs/install.md)" in description(tmp_path)
    assert description(tmp_path / "docs") == ""
