"""What Windows lacks is not needed, and what it has instead is asked: simulated, as the tests run elsewhere."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fibprover
from fibprover.base import limits, windows
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits
from fibprover.campaigns.sweeps import processes
from fibprover.workspace import guard

ROOT = Path(__file__).resolve().parent.parent

HELD, PEAK, FREE = 123 << 20, 456 << 20, 7 << 30

#: Takes away what Python has on POSIX systems only, before anything imports it; not SIGKILL, by which multiprocessing
#: ends processes here, as it does by other means on Windows.
_WITHOUT_POSIX = """
import builtins, io, os, signal, sys
for name in ("resource", "fcntl", "termios", "tty", "pty", "pwd", "grp", "readline", "syslog"):
    sys.modules[name] = None
for module, names in {
    os: ("fork", "uname", "sysconf", "sched_getaffinity", "getuid", "geteuid", "getpgid", "killpg", "mkfifo"),
    signal: ("SIGALRM", "SIGHUP", "SIGUSR1", "setitimer", "getitimer", "ITIMER_REAL", "alarm",
             "pthread_sigmask", "pthread_kill", "sigwait"),
}.items():
    for name in names:
        delattr(module, name)
def elsewhere(opened):
    def open_elsewhere(file, *arguments, **options):
        if str(file).startswith(("/proc", "/sys")):
            raise FileNotFoundError(2, "No such file or directory", file)
        return opened(file, *arguments, **options)
    return open_elsewhere
builtins.open = io.open = elsewhere(io.open)
os.open = elsewhere(os.open)
"""

_MAIN = """
from fibprover.frontends.cli.main import main
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""


def without_posix(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command line where nothing of POSIX is left; processes that it starts run the same file."""
    program = folder / "program.py"
    program.write_text(_WITHOUT_POSIX + _MAIN)
    return subprocess.run(
        [sys.executable, str(program), *arguments], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False, timeout=120,
    )


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("eval", "Ax Ey y<x"), 1, "least counterexample: x = 0"),
        (("eval", "Ax,y x+y=y+x", "--max-memory", "4G"), 0, "TRUE"),
        (("run", "docs/tour.txt"), 0, "only_these: TRUE"),
        (("prove", "proofs/k1.py", "-k", "K1.terminal", "-j", "2"), 0, "as expected"),
        (("words", "T"), 0, "Thue-Morse"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_commands_need_nothing_of_posix(arguments: tuple[str, ...], status: int, said: str, tmp_path: Path) -> None:
    done = without_posix(tmp_path, *arguments)
    assert (done.returncode, done.stderr) == (status, "")
    assert said in done.stdout


def test_a_deadline_is_polled_where_there_is_no_timer(tmp_path: Path) -> None:
    done = without_posix(tmp_path, "eval", "30000001*a-29999999*b+7777777*c=d", "--timeout", "0.5")
    assert done.returncode == 3
    assert "0.5 s" in done.stderr


def test_files_are_written_in_one_step(tmp_path: Path) -> None:
    drawing = tmp_path / "g.svg"
    drawing.write_text("old")
    done = without_posix(tmp_path, "draw", "T", "-o", str(drawing))
    assert done.returncode == 0, done.stderr
    assert "<svg" in drawing.read_text()
    assert {file.name for file in tmp_path.iterdir()} == {"program.py", "g.svg"}


# -- the timer -------------------------------------------------------------------------------------------


@pytest.fixture
def no_timer(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delattr(signal, "setitimer")
    # Where the tests run in the background, Ctrl-C may be ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    found = signal.signal(signal.SIGINT, before)
    assert found is signal.default_int_handler


def wait_busily(seconds: float, held: list[bytearray] | None = None) -> None:
    """Do not poll for so many seconds; hold more and more memory if there is a list for it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if held is not None and len(held) < 1000:
            held.append(bytearray(1 << 20))


def press_ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)
    time.sleep(10)


def test_what_does_not_poll_is_interrupted(no_timer: None) -> None:
    begun = time.monotonic()
    with pytest.raises(BudgetSpent, match=r"0\.2 s"), guard.enforced(Limits(seconds=0.2)):
        wait_busily(60)
    assert 0.2 < time.monotonic() - begun < 10


def test_what_holds_too_much_is_interrupted(no_timer: None) -> None:
    held: list[bytearray] = []
    most = limits.resident_bytes() + (40 << 20)
    with pytest.raises(BudgetSpent, match="memory"), guard.enforced(Limits(bytes=most)):
        wait_busily(60, held)
    assert len(held) < 2000


def test_ctrl_c_is_what_it_was(no_timer: None) -> None:
    with pytest.raises(KeyboardInterrupt), guard.enforced(Limits(seconds=60)):
        press_ctrl_c()


def test_what_ends_in_time_is_not_interrupted(no_timer: None) -> None:
    with guard.enforced(Limits(seconds=0.2)):
        pass
    time.sleep(0.5)  # a thread that went on would interrupt this


def test_a_kernel_is_interrupted(no_timer: None) -> None:
    with pytest.raises(BudgetSpent), guard.enforced(Limits(seconds=0.2)):
        fibprover.Session().eval("Ea,b,c,d 30000001*a-29999999*b+7777777*c=d")


# -- memory ----------------------------------------------------------------------------------------------


class Library:
    """Stands for kernel32.dll: writes what it is asked for where the real one would."""

    def __init__(self, answers: bool) -> None:
        self.answers = answers
        self.GetCurrentProcess: Any = lambda: ctypes.c_void_p(-1).value
        self.K32GetProcessMemoryInfo: Any = lambda handle, counters, size: self._process(counters._obj, size)
        self.GlobalMemoryStatusEx: Any = lambda status: self._machine(status._obj)

    def _process(self, counters: Any, size: int) -> int:
        # The layout of 64-bit Windows: two numbers of 32 bits, eight of 64 (the documented structure has 72 bytes).
        assert size == counters.size == ctypes.sizeof(counters) == 72
        raw = (ctypes.c_uint64 * 9).from_address(ctypes.addressof(counters))
        if self.answers:
            raw[1], raw[2] = PEAK, HELD
        return int(self.answers)

    def _machine(self, status: Any) -> int:
        assert status.size == ctypes.sizeof(status) == 64
        raw = (ctypes.c_uint64 * 8).from_address(ctypes.addressof(status))
        if self.answers:
            raw[1], raw[2] = 2 * FREE, FREE
        return int(self.answers)


@pytest.fixture(params=[True, False], ids=["it answers", "it does not answer"])
def answers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(ctypes, "WinDLL", lambda name: Library(request.param), raising=False)
    monkeypatch.setattr(limits, "windows", windows, raising=False)
    monkeypatch.setattr(limits, "_STATUS", Path("/nowhere"))
    monkeypatch.setattr(sys, "platform", "win32")
    return bool(request.param)


def test_memory_is_asked_of_windows(answers: bool) -> None:
    assert limits.resident_bytes() == (HELD if answers else 0)
    assert limits.peak_bytes() == (PEAK if answers else None)
    assert limits.free_memory() == (FREE if answers else None)


def test_the_limit_on_memory_holds_on_windows(answers: bool) -> None:
    budget = Limits(bytes=HELD + 5).start()
    assert budget.room() == (5 if answers else HELD + 5)
    assert guard.limits_with_memory(Limits()).bytes == (HELD + FREE * 3 // 4 if answers else None)


def test_a_pool_has_no_more_processes_than_windows_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    assert processes.startable(200) == 200
    monkeypatch.setattr(sys, "platform", "win32")
    assert (processes.startable(200), processes.startable(4)) == (61, 4)
