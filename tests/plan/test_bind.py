"""Names that a formula uses and that mean nothing are shown where they are written."""

from __future__ import annotations

import pytest

import fibprover as fp
from fibprover.base.errors import UnknownName


@pytest.mark.parametrize(("text", "shown"), [
    ("Ax x>=0 & (Ey ?msd_nosuch y=x)", "?msd_nosuch"), ("x=1 & En NO[n]=@1", "NO"), ("x=1 & $no(x)", "$no"),
])
def test_an_unknown_name_is_shown_where_it_is_written(text: str, shown: str) -> None:
    with pytest.raises(UnknownName) as caught:
        fp.Session().eval(text)
    assert text[caught.value.start : caught.value.end] == shown
