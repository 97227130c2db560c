"""How many threads kernels may use: by default, as commands and blocks say, and in processes of their own."""

from __future__ import annotations

import pytest

import fibprover as fp
from fibprover.automata.kernel_calls import meter_of
from fibprover.base.errors import LimitError
from fibprover.base.limits import Limits
from fibprover.base.threads import MOST, allowed_threads, cores
from fibprover.campaigns.sweeps import processes
from fibprover.frontends.cli.main import main


@pytest.fixture
def meters_have_threads() -> None:
    if fp.backend.automata.Meter(threads=2).threads != 2:
        pytest.skip("the kernels in Python use one thread")


def test_there_is_one_for_each_core() -> None:
    assert allowed_threads() == min(cores(), MOST) >= 1


def test_blocks() -> None:
    before = allowed_threads()
    with fp.threads(3):
        assert allowed_threads() == 3
        with fp.threads(1):
            assert allowed_threads() == 1
        assert allowed_threads() == 3
    assert allowed_threads() == before


@pytest.mark.parametrize("wrong", [0, -1, 65, 10**30])
def test_what_is_no_number_of_threads(wrong: int) -> None:
    with pytest.raises(LimitError), fp.threads(wrong):
        pass


def test_what_is_no_number() -> None:
    with pytest.raises(TypeError), fp.threads(1.5):  # type: ignore[arg-type]
        pass


@pytest.mark.usefixtures("meters_have_threads")
def test_kernels_are_told() -> None:
    with fp.threads(3):
        assert meter_of(Limits(seconds=60).start()).threads == 3


def test_cpu_seconds_are_those_of_one_thread() -> None:
    with fp.threads(3):
        assert meter_of(Limits(cpu_seconds=60).start()).threads == 1


def test_a_task_in_a_process_of_a_pool_has_one() -> None:
    with fp.threads(3):
        assert processes._called("key", allowed_threads, ()) == 1


def test_commands(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[int]()

    def noted() -> int:
        seen.append(allowed_threads())
        return 1

    monkeypatch.setattr("fibprover.automata.kernel_calls.allowed_threads", noted)
    assert main(["eval", "Ax Ey y>x+x", "--threads", "3"]) == 0
    assert capsys.readouterr().out == "TRUE\n" and set(seen) == {3}


@pytest.mark.parametrize("wrong", ["0", "65", "-1", "two", "9" * 30])
def test_commands_refuse_what_is_no_number(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main(["eval", "Ax Ey y>x", "--threads", wrong])
    except SystemExit as ended:
        status = int(str(ended.code))
    assert status == 2
    said = capsys.readouterr()
    assert not said.out and "thread" in said.err
