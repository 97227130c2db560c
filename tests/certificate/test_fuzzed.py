"""Damaged certificates are refused with a reason, whatever the damage is."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from fibprover.checker import fibcheck
from tests.certificate.fuzzed import DAMAGES, Damage
from tests.certificate.mutants import certificates
from tests.seeds import chosen_seed


@pytest.mark.long
@pytest.mark.random
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damaged_files(capsys: pytest.CaptureFixture[str], tmp_path: Path, damage: Damage) -> None:
    """The exit status is that of a file that is no certificate, or of an invalid one; seldom nothing was damaged."""
    chance = random.Random(f"{chosen_seed()} {damage.__name__}")
    refused = 0
    for _ in range(3):
        lines = json.loads(chance.choice(certificates()))
        content = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        file = tmp_path / "damaged"
        file.write_bytes(damage(content, chance))
        status = fibcheck.report(str(file))
        said = capsys.readouterr()
        assert status in (0, 1, 2)
        assert (said.out.splitlines()[-1:] == ["VALID"]) == (status == 0)
        assert ("no certificate: " in said.err) == (status == 2)
        refused += status > 0
    assert refused > 1
