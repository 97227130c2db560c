"""tests/mutants.py: which changes it makes, where, and what it says of the tests that do not notice one."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from tests import mutants
from tests.mutants import Copy, Mutation, chosen, main, mutations, told

FILE = Path("fibprover/small.py")

SOURCE = '''"""π, so that bytes are no characters."""

from typing import overload

LIMIT = 5  # outside of functions


@overload
def first(x: int) -> int: ...


def first(x: int | str, y: int = 3) -> int:
    """A text."""
    z: int | None = x + 1
    if x < y and not ready(x, y):
        log(f"{x + y}")
        return True
    raise ValueError("x" + "y")
'''


def changes() -> set[tuple[int, str, str]]:
    """The line, the kind and the new text of each change of SOURCE."""
    return {(one.line, one.kind, one.new) for one in mutations(FILE, SOURCE)}


def test_all_changes_of_a_module() -> None:
    assert changes() == {
        (14, "operator", "(x - 1)"), (14, "constant", "2"),
        (15, "and/or", "(x < y or not ready(x, y))"), (15, "comparison", "(x <= y)"),
        (15, "not left out", "(ready(x, y))"), (15, "arguments exchanged", "(ready(y, x))"),
        (15, "condition negated", "(not (x < y and (not ready(x, y))))"),
        (16, "statement left out", "pass"), (17, "constant", "False"), (18, "statement left out", "pass"),
    }


def test_a_change_replaces_its_place_and_nothing_else() -> None:
    source = SOURCE.encode()
    for one in mutations(FILE, SOURCE):
        changed = one.applied(source)
        ast.parse(changed)
        assert changed != source
        assert changed[: one.begin] == source[: one.begin] and changed.endswith(source[one.end :])
        assert source[: one.begin].count(b"\n") + 1 == one.line


def test_a_seed_draws_the_same_changes_of_each_kind() -> None:
    drawn = chosen(["tests/mutants.py"], 16, 3)
    assert drawn == chosen(["tests/mutants.py"], 16, 3) != chosen(["tests/mutants.py"], 16, 4)
    assert {one.kind for one in drawn} == {one.kind for one in chosen(["tests/mutants.py"], 10**6, 3)}
    with pytest.raises(SystemExit, match="no modules"):
        chosen(["docs"], 1, 3)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one module and its test, in place of this one."""
    root = tmp_path / "checkout"
    (root / "package").mkdir(parents=True)
    (root / "package" / "__init__.py").write_text("")
    (root / "package" / "least.py").write_text("def least(x, y):\n    return x if x < y else y\n")
    (root / "test_least.py").write_text(
        "from package.least import least\n\n\ndef test():\n    assert least(1, 2) == 1 == least(2, 1)\n"
    )
    (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\nmarkers = ["long: takes long"]\n')
    monkeypatch.setattr(mutants, "ROOT", root)
    monkeypatch.setattr(mutants, "COPIED", ("package", "test_least.py", "pyproject.toml"))
    return root


@pytest.mark.long
def test_a_change_is_made_in_a_copy_and_taken_back(small: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    copy = Copy(tmp_path / "copy")
    source = (small / "package/least.py").read_bytes()
    begin = source.index(b"x < y")
    wrong = Mutation(Path("package/least.py"), 2, begin, begin + 5, "(x > y)", "comparison")
    right = Mutation(Path("package/least.py"), 2, begin, begin + 5, "(x <= y)", "comparison")
    endless = Mutation(Path("package/least.py"), 2, begin, begin + 5, "[0 for _ in iter(int, 1)]", "comparison")
    found = [copy.verdict(one, ["test_least.py"], 60) for one in (None, wrong, None, right)]
    assert found == ["survived", "killed", "survived", "survived"]
    assert copy.verdict(endless, ["test_least.py"], 2) == "too slow"
    assert {file.read_bytes() for file in (small / "package/least.py", copy.folder / "package/least.py")} == {source}
    assert told(right, "survived").splitlines() == [
        "survived: package/least.py:2: comparison",
        "    - return x if x < y else y",
        "    + return x if (x <= y) else y",
    ]
    assert told(wrong, "killed") == "killed: package/least.py:2: comparison"


@pytest.mark.long
def test_the_program_counts(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments: Any = ["package", "--tests", "test_least.py", "--jobs", "1"]
    assert main([*arguments, "--count", "9"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "1 changes, seed 1: 0 killed, 0 too slow, 1 survived, 0 not tried"
    with pytest.raises(SystemExit, match="without any change: not tried"):
        main([*arguments, "--seconds", "0"])
