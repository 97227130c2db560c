"""Settings of the whole test suite."""

from __future__ import annotations

import gc
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from fibprover.prover.verdict import evidence
from tests import seeds

# A test has no deadline, as the machine may be busy, and what it draws depends on the seed alone.  The blob makes a
# failure reproducible from the log.  There are few examples, as `make test-random` draws others in every run.
settings.register_profile(
    "fibprover", deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None, print_blob=True,
    derandomize=seeds.is_fixed(), max_examples=25,
)
settings.load_profile("fibprover")


# The garbage collector looks seldom: else it looks again and again at what lives as long as the run, such as modules.
gc.set_threshold(100_000, 50, 100)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is very long as long; mix the tests of `make test-random`, as its time does not suffice for all."""
    for item in items:
        if item.get_closest_marker("very_long"):
            item.add_marker("long")
    if not seeds.is_fixed():
        random.Random(seeds.chosen_seed()).shuffle(items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol() -> bool | None:
    """Leave out the tests that are left when the time of `make test-random` is up."""
    return True if seeds.is_over() else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say that the checker proved in Coq is an older one, as its tests may fail for this reason alone."""
    root = Path(__file__).parents[1]
    program = root / "build" / "fibcheck-verified"
    sources = [*(root / "checker" / "coq").glob("*.v"), root / "checker" / "coq" / "verified.ml"]
    if program.exists() and program.stat().st_mtime < max(source.stat().st_mtime for source in sources):
        terminalreporter.write_line("build/fibcheck-verified is older than its sources: `make verified` builds it anew")


@pytest.fixture(autouse=True, scope="session")
def width() -> Iterator[None]:
    """Texts are as wide as where there is no terminal, whatever the terminal that the tests are run in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        yield


@pytest.fixture(autouse=True)
def patience(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the least evidence be found on a busy machine too, except in the tests of the time that evidence takes."""
    if request.node.path.name != "test_evidence_cost.py":
        monkeypatch.setattr(evidence, "LEAST_ALLOWANCE", 10.0)
        monkeypatch.setattr(evidence, "MOST_BEYOND", 60.0)


@pytest.fixture(autouse=True, scope="session")
def signals() -> Iterator[None]:
    """Let SIGHUP and SIGINT end programs, also where they are ignored, as under nohup or in a shell after `&`."""
    usual: dict[str, Any] = {"SIGHUP": signal.SIG_DFL, "SIGINT": signal.default_int_handler}
    before = {
        number: signal.signal(number, handler)
        for name, handler in usual.items() if (number := getattr(signal, name, None)) is not None
    }
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
