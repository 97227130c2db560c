"""The documentation as a site, built once."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.page.conftest import browser, chromium
from tests.site.built import Site

__all__ = ["browser", "chromium", "site"]

ROOT = Path(__file__).resolve().parents[2]

NEEDED = ("mkdocs", "material", "mkdocstrings", "latex2mathml", "nbclient")


def build(configuration: Path, target: Path) -> subprocess.CompletedProcess[str]:
    """Builds a site as `make docs` does; skips the test where that is not installed."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed: `make docs` does, or pip install 'fibprover[docs]'")
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(configuration), "-d", str(target)],
        capture_output=True, text=True, check=False, timeout=300, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("site")
    done = build(ROOT / "mkdocs.yml", folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    return Site(folder)
