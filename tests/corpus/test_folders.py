"""The peer's own library as a home folder, untouched: all commands of the corpus as one session."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fibprover as fp
from tests.corpus.differences import DIFFERENCES
from tests.corpus.replay import CORPUS

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside the checkout")

#: The peer drops a variable that does not matter; the relation of z holds of every z, and says so.
CONSTANT = 79


@pytest.mark.long
def test_every_command_finds_its_names_in_the_library(tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (CORPUS / "library").rglob("*")}
    session = fp.Session(shared_digits=True)
    session.use_folders(CORPUS / "library", tmp_path)
    wrong = set()
    for line in (CORPUS / "cases.jsonl").read_text().splitlines():
        case = json.loads(line)
        try:
            ((_, outcome),) = session.run(case["command"])
        except fp.FibproverError:
            if case["expect"] != "error":
                wrong.add(case["id"])
            continue
        told = outcome.truth if isinstance(outcome, fp.Verdict) else None
        if case["expect"] == "error" or (case["truth"] is not None and told != case["truth"]):
            wrong.add(case["id"])
    assert wrong <= {*DIFFERENCES, CONSTANT}
    assert len(list((tmp_path / "Result").glob("*.gv"))) > 500
    assert {path: path.stat().st_mtime_ns for path in (CORPUS / "library").rglob("*")} == before
