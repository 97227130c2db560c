"""The verdicts of the other half of the chapters with theorems that take long."""

from __future__ import annotations

import pytest

from tests.proofs.chapters import FIRST_MEMBERS, WITH_LONG, unexpected


@pytest.mark.long
@pytest.mark.parametrize("title", WITH_LONG[1::2])
def test_long_theorems_have_the_expected_verdicts(title: str) -> None:
    assert unexpected(title, FIRST_MEMBERS.get(title, "")) == []
