"""A process that runs cells, and a server before it, for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from fibprover.base.limits import Limits
from fibprover.frontends.web.cells import Cells
from fibprover.frontends.web.guard import App
from fibprover.frontends.web.process import CellProcess
from fibprover.workspace.session import Session
from tests.page.conftest import browser, chromium
from tests.web.asking import PORT, TOKEN

__all__ = ["app", "browser", "chromium", "folder", "process"]


def cells(folder: str, limits: Limits, python: bool) -> Cells:
    """Made in the process."""
    session = Session()
    session.use_folders(folder)
    return Cells(session, python=python, limits=limits)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("session")


@pytest.fixture(scope="session")
def process(folder: Path) -> Iterator[CellProcess]:
    """A process whose cells have no limit of time, so that Stop alone ends them."""
    limits = Limits(bytes=1 << 30)
    made = CellProcess(partial(cells, str(folder), limits, True), limits)
    yield made
    made.close()


@pytest.fixture
def app(process: CellProcess, folder: Path) -> App:
    pytest.importorskip("starlette", reason="starlette is not installed: pip install 'fibprover[web]'")
    from fibprover.frontends.web.server import application

    return application(process, folder, PORT, TOKEN)
