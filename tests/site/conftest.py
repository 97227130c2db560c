"""The documentation as a site: that of `make docs`, or built once."""

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


def made_by_make_docs() -> Path | None:
    """Return the folder of the site that `make docs` has built, if nothing that it is made of is newer."""
    folder = ROOT / "build" / "site"
    pages = [page.stat().st_mtime for page in folder.glob("*.html")]
    sources = [
        file.stat().st_mtime
        for name in ("docs", "website", "fibprover", "proofs", "build/playground") for file in (ROOT / name).rglob("*")
        if file.is_file() and file.suffix not in {".so", ".pyc"}
    ]
    top = [file.stat().st_mtime for file in ROOT.iterdir() if file.is_file()]
    return folder if pages and min(pages) > max(sources + top) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests of the site as long where it has to be built first, which takes half a minute."""
    asked = [item for item in items if "site" in getattr(item, "fixturenames", ())]
    if asked and made_by_make_docs() is None:
        for item in asked:
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    made = made_by_make_docs()
    if made is not None:
        return Site(made)
    folder = tmp_path_factory.mktemp("site")
    done = build(ROOT / "mkdocs.yml", folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    return Site(folder)
