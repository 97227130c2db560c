"""Evaluations that are interrupted at random moments leave nothing behind: no wrong answer later, and no memory.

`make test-random` draws other formulas and moments, as many as the time allows.
"""

from __future__ import annotations

import gc
import random
import signal
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from contextvars import ContextVar
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import fibprover as fp
from fibprover.automata import determinization
from fibprover.automata.determinization import forced, observed
from fibprover.automata.kernel_calls import give_back
from fibprover.base import imports, limits
from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import Gauge, Limits, cpu_clock, observed_by, resident_bytes, spending
from fibprover.workspace.guard import enforced
from tests.cli.drawn import Draw
from tests.few import few
from tests.seeds import chosen_seed, is_fixed, is_over

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="timers and memory are those of Linux"),
    # Python ignores an interruption within a callback, such as that of a weak reference, and says so.
    pytest.mark.filterwarnings("ignore:Exception ignored in:pytest.PytestUnraisableExceptionWarning"),
]

#: Formulas of a session, and rounds in which memory may not grow: of a run that draws what every run draws, and others.
FORMULAS, ROUNDS = (3, 2) if is_fixed() else (60, 30)

#: CPU seconds of an evaluation without an interruption; what takes longer is not compared.
SECONDS = 0.1

#: Bytes by which a process may grow in these rounds: arenas of the allocator, caches of small things.
GROWTH = 24 << 20


def interrupted(work: Callable[[], object], seconds: float) -> None:
    """Do some work, which ends by KeyboardInterrupt after so many seconds of wall time, as by Ctrl-C."""
    armed = True

    def strike(number: int, frame: FrameType | None) -> None:
        if armed:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, strike)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)  # once: nothing strikes after the first time
            work()
        finally:
            armed = False
    except KeyboardInterrupt:
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def answered(work: Callable[[], fp.Verdict | fp.Relation]) -> object:
    """Return what an evaluation says: a truth value, a relation, the class of an error; None if it takes long."""
    try:
        found = work()
    except BudgetSpent:
        return None
    except FibproverError as problem:
        return type(problem)
    return found if isinstance(found, fp.Relation) else found.truth


@pytest.mark.random
@pytest.mark.parametrize("block", [
    lambda session: spending(Limits(cpu_seconds=9).start()), lambda session: observed_by(Gauge()),
    lambda session: forced("subsets"), lambda session: observed(), lambda session: session.overridable(),
    lambda session: session.with_all_steps("::"),
], ids=["spending", "gauge", "strategy", "outcomes", "options", "cache"])
def test_nothing_of_a_block_is_left_after_interruptions(
    block: Callable[[fp.Session], AbstractContextManager[object]]
) -> None:
    """Two blocks, begun and ended all the time: a signal comes between any two steps of that."""
    chance, session = random.Random(chosen_seed()), fp.Session()

    def work() -> None:
        # Not for ever: the only interruption is lost where Python ignores exceptions, as in callbacks of its collector.
        for _ in range(10_000):
            with block(session), block(session):
                pass

    def state() -> list[object]:
        stacks: list[ContextVar[Any]] = [
            limits._BUDGETS, limits._GAUGES, determinization._CHOICES, determinization._OBSERVED,
        ]
        return [*(stack.get() for stack in stacks), session.options, session.cache]

    before = state()
    for _ in range(ROUNDS * 200):
        interrupted(work, 0.0002 + 0.0005 * chance.random())
        assert state() == before


@pytest.mark.random
@pytest.mark.parametrize("way", ["eval", "define", "run"])
def test_a_session_is_right_after_interruptions(way: str, tmp_path: Path) -> None:
    chance = random.Random(f"{chosen_seed()} {way}")
    draw = Draw(chance, tmp_path)
    kept, compared = fp.Session(limits=Limits(cpu_seconds=SECONDS)), 0
    for number in range(FORMULAS):
        if is_over():
            break
        text, name = draw.sentence(), f"p{number % 3}"

        def work(session: fp.Session, text: str = text, name: str = name) -> fp.Verdict | fp.Relation:
            if way == "define":
                session.define(name, text)
            elif way == "run":
                session.run(f'def {name} "{text}";')
            return session.eval(text)

        begun = cpu_clock()
        expected = answered(lambda: work(fp.Session(limits=Limits(cpu_seconds=SECONDS))))
        took = cpu_clock() - begun
        for _ in range(2):
            interrupted(lambda: answered(lambda: work(kept)), max(1e-4, chance.random() * took))
        found = answered(lambda: work(kept))
        if None not in (expected, found):
            assert found == expected, text
            compared += 1
            if way != "eval" and isinstance(found, fp.Relation):
                assert kept.relation(f"${name}({','.join(found.names)})") == found, text
    assert compared or is_over()
    assert kept.prove("?msd_fib An Em m>n & F[m]=@1") and not kept.prove("En T[n]=T[n+1] & T[n+1]=T[n+2]")


def formulas(chance: random.Random) -> list[str]:
    """Return formulas whose automata have some ten thousand states: sums, products, a subset construction."""
    factor = 2 * chance.randrange(4000, 8000) + 1
    return [
        f"?msd_2 {factor}*x=y", f"?msd_2 Ey {factor}*x+1<y & y<{factor}*z", f"?msd_3 x+{factor}=z | {factor - 2}*x=z",
        f"?msd_fib En n<{factor % 30 + 2} & F[x+n]=F[y+n]", f"En {factor % 9 + 2}*n=x & T[n]=T[n+{factor % 7 + 1}]",
    ]


@pytest.mark.long
@pytest.mark.random
@pytest.mark.parametrize("end", few(["interrupted", "finished", "spent", "enforced"], 4))
def test_memory_does_not_grow_over_evaluations(end: str) -> None:
    """Of evaluations that finish, and of those that a limit, Ctrl-C or the timer ends in the middle."""
    chance = random.Random(f"{chosen_seed()} {end}")
    states = 500 if end == "spent" else None

    def once() -> None:
        for text in formulas(chance):
            session = fp.Session(limits=Limits(states=states), without=["learn"])  # it takes its time
            soon = 0.03 * chance.random() + 1e-4
            with suppress(BudgetSpent):
                if end == "interrupted":
                    interrupted(partial(session.eval, text), soon)
                elif end == "enforced":
                    with enforced(Limits(seconds=soon)):
                        session.eval(text)
                else:
                    session.eval(text)

    def held() -> int:
        gc.collect()
        give_back()
        return resident_bytes()

    for _ in range(3):
        once()
    begun, most = held(), time.monotonic() + 60
    for _ in range(ROUNDS):
        once()
        if is_over() or time.monotonic() > most:
            break
    assert held() < begun + GROWTH


#: A module that takes a while to be imported, and is of use only if all of it is.
SLOW = """
import time
until = time.monotonic() + {seconds}
while time.monotonic() < until:
    pass
done = True
"""


def imported(folder: Path, name: str, seconds: float) -> bool:
    """Import a module within a block with a limit of a tenth of a second; return whether all of it is there."""
    (folder / f"{name}.py").write_text(SLOW.format(seconds=seconds))

    def go_on() -> None:
        with enforced(Limits(seconds=0.1)):
            import_module(name)
            while True:
                pass

    with pytest.raises(BudgetSpent):
        go_on()
    return name in sys.modules


def test_an_import_is_not_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    assert imported(tmp_path, "slow_module_of_a_test", 0.8)
    monkeypatch.setattr(imports, "LONGEST", 0.3)
    assert not imported(tmp_path, "module_that_never_ends", 1000.0)
