"""Several processes have the result of one: the same report, the same budget, and nothing is lost when one dies."""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import re
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.automata.kernel_calls import resident_bytes
from fibprover.campaigns.sweeps import processes
from fibprover.campaigns.sweeps.processes import LEAST_SHARE, Pool, PoolBroken, affordable
from fibprover.campaigns.theorems import runner, task
from fibprover.campaigns.theorems.proof_report import Row
from fibprover.campaigns.theorems.schedule import Schedule
from fibprover.campaigns.theorems.scripts import collect
from fibprover.prover.evaluate.trace import Record
from fibprover.prover.verdict.evidence import Evidence, EvidenceSearch
from tests.theorems.scripts import EMPTY, HEAD, TRUE, Prove, Write, cells, verdicts

ROOT = Path(__file__).resolve().parents[2]

#: Everything a chapter can have, and everything that can go wrong with it.
MIXED = HEAD + (
    "c.word('W', [[0, 1], [0]], [0, 1])\n"
    "c.theorem('m.early', 'Ax $R(x,x+1)', statement='R comes later')\n"
    "c.define('R', 'a<b')\n"
    "c.theorem('m.first', 'Ax $R(x,x+1)', statement='the first R')\n"
    "c.define('R', '$R(a,b+1)', states_paper=6)\n"
    "c.theorem('m.second', 'Ax $R(x,x)', statement='the second R')\n"
    "c.script('macro m \"%0=%1\":\\ndef R \"#m(a,b)\":')\n"
    "c.reg('E', ['msd_fib'], '0*')\n"
    "c.theorem('m.third', 'Ax,y $R(x,y) => x=y & $E(x-x)', statement='the third R', states_paper=7)\n"
    "c.define('bad', 'x=(')\n"
    "c.theorem('m.bad', '$bad(1)', statement='no such thing')\n"
    "c.theorem('m.false', 'Ax Ey x=2*y', statement='all numbers are even')\n"
    "c.theorem('m.control', 'An W[n]=0', statement='no', form='control')\n"
    "c.theorem('m.long', '1=1', statement='long', long=True)\n"
) + EMPTY


pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="what tests put in the place of something is inherited")


@pytest.fixture(autouse=True)
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes are forks, whatever threads the tests run beside."""
    monkeypatch.setattr(processes, "start_method", lambda: "fork")


#: What a formula is made to do, in whatever process tries it.
Deed = Callable[[fp.Session], None]


@pytest.fixture
def formulas(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, Deed]], None]:
    """Makes evaluations of some formulas do something first."""

    def setter(deeds: dict[str, Deed]) -> None:
        real = fp.Session.eval

        def evaluated(self: fp.Session, formula: str, **options: object) -> object:
            if formula in deeds:
                deeds[formula](self)
            return real(self, formula, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(fp.Session, "eval", evaluated)

    return setter


def noting(file: Path) -> Deed:
    """Notes the process and its memory limit."""

    def note(session: fp.Session) -> None:
        with file.open("a") as out:
            out.write(f"{os.getpid()} {session.options.limits.bytes or 0}\n")

    return note


def noted(file: Path) -> list[tuple[int, int]]:
    """The processes and limits noted."""
    lines = (line.split() for line in file.read_text().splitlines())
    return [(int(process), int(limit)) for process, limit in lines]


def die(session: fp.Session) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def without_costs(text: str) -> list[str]:
    """A table or a page without seconds, megabytes, and the widths that follow from these."""
    masked = re.sub(r"(verdicts|vacuity|in all) [\d., MBs]+", r"\1", text)
    masked = re.sub(r"\d+\.\d{3} (\| )? *\d+", "", masked)
    return [" ".join(line.replace("-", "").split()) for line in masked.splitlines()]


# -- the same report -----------------------------------------------------------------------------


@pytest.mark.long
def test_a_main_module_may_have_lost_its_spec(write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after IPython's %reset."""
    monkeypatch.setattr(processes, "start_method", lambda: "spawn")
    monkeypatch.delattr(sys.modules["__main__"], "__spec__")
    status, objects, _, err = prove(write(SEVENS), "-j", "2")
    assert (status, verdicts(objects), err) == (0, {f"t{i}": True for i in range(6)}, "")


@pytest.mark.parametrize("how", ["fork", pytest.param("spawn", marks=pytest.mark.long)])
def test_the_report_is_the_same_for_every_number_of_jobs(
    write: Write, prove: Prove, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(processes, "start_method", lambda: how)
    write(MIXED, "a.py")
    write(TRUE + "c.define('f', 'x=2*y')\nc.theorem('f', 'Ax $f(2*x,x)', statement='f')\n", "b.py")
    write(TRUE.replace("msd_fib", "msd_none").replace("t.true", "none"), "c.py")
    write("[]", "textbook_counts.json")
    folder, page = tmp_path / "scripts", tmp_path / "page.md"
    found = []
    for jobs in ("1", "2", "5"):
        status, objects, out, err = prove(folder, "-j", jobs, "--markdown", page)
        for item in objects:
            assert (item.pop("seconds") > 0) is (item["id"] != "m.long")
            item.pop("peak_bytes")
        found.append((status, objects, without_costs(out), without_costs(err), without_costs(page.read_text())))
    assert found[0] == found[1] == found[2]
    assert found[0][0] == 2
    assert verdicts(found[0][1]) == {
        "m.early": None, "m.first": True, "R": True, "m.second": True, "m.third": True, "m.bad": None,
        "m.false": False, "m.control": False, "m.long": None, "v": True, "t.true": True, "f": True,
    }


@pytest.mark.long
def test_chapters_of_games_are_proved_alike(prove: Prove) -> None:
    found = []
    for jobs in ("1", "2"):
        status, objects, _, err = prove(ROOT / "proofs" / "k2.py", ROOT / "proofs" / "morphic.py", "-j", jobs)
        assert (status, err) == (0, "") and len(objects) > 40
        found.append([item | {"seconds": 0, "peak_bytes": 0} for item in objects])
    assert found[0] == found[1]


def test_the_largest_automaton_of_a_theorem_does_not_depend_on_the_theorems_before_it(
    write: Write, prove: Prove
) -> None:
    theorem = "c.theorem('{}', 'Ax,y,z 3*x+2*y!=5*z+1 | x<20 | z<9', statement='s', expected=False)\n"
    file = write(HEAD + theorem.format("one") + theorem.format("two"))
    (one, two), (alone,) = prove(file)[1], prove(file, "-k", "two")[1]
    assert one["states_built"] == two["states_built"] == alone["states_built"] > 10


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_numeration_system_that_a_script_makes_is_known_from_then_on(write: Write, prove: Prove, jobs: str) -> None:
    file = write(HEAD + (
        "c.theorem('early', '?msd_sil Ax x=x', statement='msd_sil comes later')\n"
        "c.script('ost sil [0 2] [2]; def d \"?msd_sil a+1=b\";')\n"
        "c.define('e', '?lsd_sil a+2=b')\n"
        "c.theorem('used', '?msd_sil Ax Ey x+1=y', statement='s')\n"
        "c.theorem('called', 'Ax Ey (?msd_sil $d(x,y))', statement='s')\n"
        "c.theorem('reversed', '?lsd_sil Ax Ey $e(x,y)', statement='s')\n"
    ))
    status, objects, _, err = prove(file, "-j", jobs)
    assert verdicts(objects) == {"early": None, "used": True, "called": True, "reversed": True}, err
    assert status == 2


def test_json_of_a_script_that_says_how_many_jobs(
    write: Write, tmp_path: Path, formulas: Callable[[dict[str, Deed]], None]
) -> None:
    formulas({"7=7": noting(tmp_path / "noted")})
    file = write(HEAD + "c.theorem('a', '7=7', statement='s')\nc.theorem('b', '7=7', statement='s')\n")
    json_file = tmp_path / "out.json"
    assert fp.prove_script(str(file), ["--json", str(json_file)], jobs=2) == 0
    assert verdicts(json.loads(json_file.read_text())) == {"a": True, "b": True}
    assert os.getpid() not in dict(noted(tmp_path / "noted"))
    assert fp.prove_script(str(file), ["--jobs", "1"], jobs=2) == 0
    assert noted(tmp_path / "noted")[-1][0] == os.getpid()


# -- how many processes --------------------------------------------------------------------------


SEVENS = HEAD + "".join(f"c.theorem('t{i}', '7=7', statement='s')\n" for i in range(6))


def test_a_small_run_starts_no_process_unless_it_is_told_to(
    write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch
) -> None:
    def started(*arguments: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(runner, "cores", lambda: 2)
    monkeypatch.setattr(runner, "_SECONDS_ALONE", 300.0)
    monkeypatch.setattr(runner, "Pool", started)
    file = write(SEVENS)
    for arguments in ((), ("-j", "auto"), ("-j", "0"), ("-j", "1"), ("-j", "2", "-k", "t1")):
        assert prove(file, *arguments)[0] == 0
    with pytest.raises(AssertionError, match="was started"):
        runner.run_schedule(Schedule(collect([file]).chapters, task.ProofSettings()), 2)


def test_a_run_that_has_begun_in_this_process_is_continued_by_others(
    write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    formulas: Callable[[dict[str, Deed]], None],
) -> None:
    monkeypatch.setattr(runner, "cores", lambda: 2)
    formulas({"7=7": noting(tmp_path / "noted"), "$f(7)": noting(tmp_path / "noted")})
    clock = iter([0.0, 0.1, 0.15, 0.2, 0.3])
    monkeypatch.setattr(runner, "time", type("Clock", (), {"monotonic": staticmethod(lambda: next(clock, 1.0))}))
    script = HEAD + "c.define('f', 'x=7')\n" + SEVENS.removeprefix(HEAD).replace("'7=7'", "'$f(7)'")
    status, objects, _, _ = prove(write(script))
    assert (status, len(objects)) == (0, 6)
    here = [process == os.getpid() for process, _ in noted(tmp_path / "noted")]
    assert here == [True] * 2 + [False] * 4


def test_several_chapters_are_shared_out_at_once(
    write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    formulas: Callable[[dict[str, Deed]], None],
) -> None:
    monkeypatch.setattr(runner, "cores", lambda: 2)
    formulas({"7=7": noting(tmp_path / "noted")})
    for i in range(4):
        write(f"{HEAD}c.theorem('t{i}', '7=7', statement='s')\n", f"{i}.py")
    assert prove(tmp_path / "scripts")[0] == 0
    assert os.getpid() not in dict(noted(tmp_path / "noted"))


@pytest.mark.parametrize("text", ["-1", "two", "1.5", ""])
def test_a_number_of_jobs_is_a_number(capsys: pytest.CaptureFixture[str], prove: Prove, text: str) -> None:
    with pytest.raises(SystemExit) as ended:
        prove("proofs", f"--jobs={text}")
    assert ended.value.code == 2 and "--jobs" in capsys.readouterr().err


@pytest.mark.parametrize("allowed", [0, 1])
def test_a_process_that_cannot_be_started_leaves_one_job_and_a_note(
    write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch, allowed: int
) -> None:
    real = os.fork
    left = iter(range(allowed))

    def fork() -> int:
        if next(left, None) is None:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        return real()

    monkeypatch.setattr(os, "fork", fork)
    status, objects, _, err = prove(write(SEVENS), "-j", "2")
    assert (status, verdicts(objects)) == (0, {f"t{i}": True for i in range(6)})
    assert "can be started here (Resource temporarily unavailable): one job at a time" in err
    assert multiprocessing.active_children() == []


def test_processes_that_end_at_once_leave_one_job_and_a_note(
    write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = ProcessPoolExecutor.submit

    def submit(executor: ProcessPoolExecutor, *arguments: Any) -> object:
        future = real(executor, *arguments)
        for process in list(executor._processes.values()):
            process.join()
        return future

    monkeypatch.setattr(ProcessPoolExecutor, "submit", submit)
    monkeypatch.setattr(processes, "_begin_process", lambda messages: os._exit(1))
    status, objects, _, err = prove(write(SEVENS), "-j", "2")
    assert (status, verdicts(objects)) == (0, {f"t{i}": True for i in range(6)})
    assert "can be started here (ended with status 1): one job at a time" in err


# -- one budget ----------------------------------------------------------------------------------


#: More than the process of these tests holds, whatever tests it has run before.
MOST = 8 << 30


def short_of(bytes_: int) -> Deed:
    """What needs so many bytes."""

    def need(session: fp.Session) -> None:
        limit = session.options.limits.bytes
        if limit is not None and limit < bytes_:
            raise fp.BudgetSpent("bytes", limit)

    return need


def both(*deeds: Deed) -> Deed:
    def do(session: fp.Session) -> None:
        for deed in deeds:
            deed(session)

    return do


NEEDS = HEAD + (
    "c.define('f', 'x=7')\n"
    "c.theorem('a', '7=7', statement='s')\n"
    "c.theorem('b', '$f(7)', statement='s')\n"
    "c.define('g', 'x=8')\n"
    "c.theorem('c', '$g(8)', statement='s')\n"
)


@pytest.mark.parametrize("formula", ["7=7", "x=7", "x=8", "$g(8)"])
def test_what_a_share_is_too_small_for_is_tried_again_alone_with_everything(
    write: Write, prove: Prove, tmp_path: Path, formulas: Callable[[dict[str, Deed]], None], formula: str
) -> None:
    file = tmp_path / "noted"
    formulas({formula: both(noting(file), short_of(MOST))})
    status, objects, _, err = prove(write(NEEDS), "-j", "2", "--max-memory", str(MOST))
    assert (status, verdicts(objects), err) == (0, {"a": True, "b": True, "c": True}, "")
    (first, share), (second, whole) = noted(file)
    assert first != second == os.getpid() and whole == MOST
    assert 2 * share < MOST - resident_bytes() / 2


def test_what_everything_is_too_little_for_is_spent(
    write: Write, prove: Prove, formulas: Callable[[dict[str, Deed]], None]
) -> None:
    formulas({"7=7": short_of(MOST + 1)})
    status, objects, out, err = prove(write(NEEDS), "-j", "2", "--max-memory", str(MOST))
    assert (status, verdicts(objects)) == (3, {"a": None, "b": True, "c": True})
    assert cells(out, "a")["verdict"] == "SPENT" and "the budget of 8 GiB of memory is spent" in err


def test_memory_that_the_system_refuses_is_tried_again_too(
    write: Write, prove: Prove, tmp_path: Path, formulas: Callable[[dict[str, Deed]], None]
) -> None:
    def refuse(session: fp.Session) -> None:
        raise MemoryError

    formulas({"7=7": both(noting(tmp_path / "noted"), refuse)})
    status, objects, _, err = prove(write(NEEDS), "-j", "2")
    assert (status, verdicts(objects)) == (3, {"a": None, "b": True, "c": True}) and "a: no memory is left" in err
    assert [process == os.getpid() for process, _ in noted(tmp_path / "noted")] == [False, True]


def test_vacuity_that_a_share_leaves_open_is_looked_for_again(
    write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fibprover.language.source import Span
    from fibprover.prover.verdict.vacuity import UNDECIDED, VacuousPart

    real = fp.Verdict.vacuity
    here = os.getpid()

    def undecided_elsewhere(self: fp.Verdict, deep: bool = False) -> tuple[VacuousPart, ...]:
        return real(self) if os.getpid() == here else (VacuousPart(UNDECIDED, "x", Span(0, 1), False, self.text),)

    monkeypatch.setattr(fp.Verdict, "vacuity", undecided_elsewhere)
    file = write(TRUE + EMPTY)
    assert [row["vacuous"] for row in prove(file, "-j", "2", "--max-memory", "16G")[1]] == [[], ["m>n"]]
    # Without a limit there is nothing to gain by more memory.
    unlimited = prove(file, "-j", "2", "--max-memory", "none")[1]
    assert [row["vacuous"] for row in unlimited] == [None, None]


@pytest.mark.parametrize("exhibits", [True, False])
def test_evidence_for_which_a_share_is_too_small_is_looked_for_again(
    write: Write, monkeypatch: pytest.MonkeyPatch, exhibits: bool
) -> None:
    """The evidence of a page, and that for an unexpected verdict."""
    real = EvidenceSearch.evidence
    here = os.getpid()

    def poor_elsewhere(self: EvidenceSearch) -> Evidence | None:
        if os.getpid() == here:
            return real(self)
        raise fp.BudgetSpent("bytes", 1)

    monkeypatch.setattr(EvidenceSearch, "evidence", poor_elsewhere)
    file = write(TRUE + f"c.theorem('u', 'Ax x=0', statement='s', expected={not exhibits})\n")
    *_, row = runner.run(collect([file]).chapters, task.ProofSettings(exhibits=exhibits), 2)
    assert isinstance(row, Row) and row.verdict is False
    assert str(row.evidence if exhibits else row.detail) == "least counterexample: x = 1"


def test_evidence_that_was_not_found_is_mentioned(
    write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch
) -> None:
    def poor(self: EvidenceSearch) -> None:
        raise MemoryError

    monkeypatch.setattr(EvidenceSearch, "evidence", poor)
    status, objects, _, err = prove(write(HEAD + "c.theorem('u', 'Ax x=0', statement='s')\n"), "-j", "1")
    assert (status, verdicts(objects)) == (1, {"u": False}) and "no evidence: no memory is left" in err


def test_too_little_memory_for_shares_means_fewer_jobs() -> None:
    held = resident_bytes()
    assert affordable(8, None) == 8
    assert affordable(8, held + 9 * LEAST_SHARE) == 8
    assert affordable(8, held + 3 * LEAST_SHARE + LEAST_SHARE // 2) == 3
    assert affordable(8, 1) == affordable(1, 1 << 40) == 1


# -- processes that die ----------------------------------------------------------------------------


def test_a_worker_that_is_killed_is_an_error_of_its_theorem_and_the_others_go_on(
    write: Write, prove: Prove, formulas: Callable[[dict[str, Deed]], None]
) -> None:
    formulas({"7=7": die})
    status, objects, out, err = prove(write(NEEDS), "-j", "2")
    assert (status, verdicts(objects)) == (2, {"a": None, "b": True, "c": True})
    assert cells(out, "a")["verdict"] == "ERROR"
    assert "theorems.py:4: a: the process that tried it was killed by SIGKILL\n  hint: systems kill" in err
    assert "2 of 3 theorems as expected" in err


def test_a_definition_whose_process_is_killed_is_an_error_and_the_names_before_it_are_kept(
    write: Write, prove: Prove, formulas: Callable[[dict[str, Deed]], None]
) -> None:
    formulas({"x=8": die})
    status, objects, _, err = prove(write(NEEDS), "-j", "2")
    assert (status, verdicts(objects)) == (2, {"a": True, "b": True, "c": None})
    assert "theorems.py:6: g: the process that tried it was killed by SIGKILL" in err
    assert "theorems.py:7: c: " in err and "1 error outside them" in err


def test_a_definition_whose_process_is_killed_leaves_no_older_meaning(
    write: Write, prove: Prove, formulas: Callable[[dict[str, Deed]], None]
) -> None:
    formulas({"x=8": die})
    for again in ("c.define('f', 'x=8')", "c.define('f', 'x=8', states_paper=5)"):
        script = f"c.define('f', 'x=7')\n{again}\nc.theorem('t', '$f(7)', statement='s')\n"
        status, objects, _, err = prove(write(HEAD + script), "-j", "2")
        assert (status, verdicts(objects)["t"]) == (2, None) and "f is undefined because " in err


def test_several_processes_may_die(
    write: Write, prove: Prove, formulas: Callable[[dict[str, Deed]], None]
) -> None:
    formulas({"7=7": die})
    others = "".join(f"c.theorem('u{i}', 'Ax x={i} => x<9', statement='s')\n" for i in range(6))
    status, objects, _, err = prove(write(SEVENS + others), "-j", "2")
    assert status == 2 and err.count("was killed by SIGKILL") == 6
    assert verdicts(objects) == {f"t{i}": None for i in range(6)} | {f"u{i}": True for i in range(6)}


def test_definitions_that_are_too_large_to_be_sent_change_nothing(
    write: Write, prove: Prove, formulas: Callable[[dict[str, Deed]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "MOST_BYTES", 0)
    formulas({"$f(7)": short_of(MOST)})
    status, objects, _, err = prove(write(NEEDS), "-j", "2", "--max-memory", str(MOST))
    assert (status, verdicts(objects), err) == (0, {"a": True, "b": True, "c": True}, "")


def submit_and_wait(pool: Pool, another: task.Task) -> None:
    pool.submit(another.key, task.carry_out, another)
    while pool.keys:
        pool.results()


def test_a_process_that_dies_after_its_result_has_not_killed_its_task(write: Write) -> None:
    schedule = Schedule(collect([write(SEVENS)]).chapters, task.ProofSettings())
    first, second = schedule.next(), schedule.next()
    assert first is not None and second is not None
    with Pool(1) as pool:
        pool.submit(first.key, task.carry_out, first)
        (future,) = pool.futures
        assert future.result().outcome is not None
        (process,) = pool.processes
        process.kill()
        process.join()
        with pytest.raises(PoolBroken) as broken:
            submit_and_wait(pool, second)
    assert (broken.value.killed, broken.value.ending) == ([], "was killed by SIGKILL")


@pytest.mark.long
def test_more_messages_than_a_pipe_holds_are_read_although_nobody_listens(
    write: Write, prove: Prove, formulas: Callable[[dict[str, Deed]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def report(session: fp.Session) -> None:
        watch = session.options.watch
        assert watch is not None
        for _ in range(2_000):
            watch(Record("7=7", "atom", 2, 2, 0.0, True))

    def give_up(*_: object) -> None:
        raise AssertionError("the run does not end")

    monkeypatch.setattr(runner, "_MESSAGE_PERIOD", 0.0)
    formulas({"7=7": report})
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)
    try:
        assert prove(write(SEVENS), "-j", "2")[0] == 0
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_a_defect_in_a_worker_is_an_error_of_its_theorem(
    write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = task.DeclarationRunner.valid_count

    def valid_count(self: task.DeclarationRunner, claim: object, logged: object) -> object:
        if claim.id == "a":  # type: ignore[attr-defined]
            raise ValueError("of no worth")
        return real(self, claim, logged)  # type: ignore[arg-type]

    monkeypatch.setattr(task.DeclarationRunner, "valid_count", valid_count)
    status, objects, _, err = prove(write(NEEDS), "-j", "2")
    assert (status, verdicts(objects)) == (2, {"a": None, "b": True, "c": True})
    assert "a: internal error: ValueError: of no worth" in err


def test_how_a_process_ended_is_said(write: Write, prove: Prove, formulas: Callable[[dict[str, Deed]], None]) -> None:
    formulas({"7=7": lambda session: os._exit(7)})
    _, objects, _, err = prove(write(NEEDS), "-j", "2")
    assert verdicts(objects)["a"] is None and "a: the process that tried it ended with status 7\n  hint: please" in err


def test_processes_are_forks_only_where_that_is_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.setattr(sys, "platform", "linux")
    assert processes.start_method() == "fork"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert processes.start_method() == "spawn"
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert processes.start_method() == "spawn"
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.delattr(os, "fork")
    assert processes.start_method() == "spawn"


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are counted in /proc")
def test_no_pipe_is_left_open(write: Write, prove: Prove, formulas: Callable[[dict[str, Deed]], None]) -> None:
    formulas({"7=7": die})
    file = write(NEEDS)
    prove(file, "-j", "2")
    gc.collect()  # what other tests have left open may not be closed between the two looks
    before = sorted(os.listdir("/proc/self/fd"))
    prove(file, "-j", "3")
    assert sorted(os.listdir("/proc/self/fd")) == before
