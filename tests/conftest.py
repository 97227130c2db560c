"""Settings of the whole test suite."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

# No deadline: a test never times itself, and this machine may be busy.  The blob makes a failure
# reproducible from the log alone.
settings.register_profile("fibprover", deadline=None, print_blob=True)
settings.load_profile("fibprover")


@pytest.fixture(autouse=True, scope="session")
def width() -> Iterator[None]:
    """Texts are as wide as where there is no terminal, whatever the terminal that the tests are run in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        yield
