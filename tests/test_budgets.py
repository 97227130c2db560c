"""Limits hold in everything: in parsers, planners, constructions and exporters, in Python and on the command line."""

import random
import signal
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Track, build
from fibprover.automata.formats.labels import edges
from fibprover.base import limits
from fibprover.base.errors import AutomatonError, BudgetSpent, FibproverError, NumerationError, size_text
from fibprover.base.limits import UNLIMITED, Budget, Limits, SharedLimits, effective, poll, resident_bytes, spending
from fibprover.infer.slopes import SlopeInterval, simplest_quadratic, suggested_systems
from fibprover.language.macros import expand_macros
from fibprover.language.parser import parse, parse_formula
from fibprover.language.regular_expression import parse_regex
from fibprover.numeration.composed import ComposedSystem, given_system
from fibprover.numeration.registry import system_named
from fibprover.prover.bind import bind
from fibprover.prover.lower import lower
from fibprover.prover.plan.optimize import optimized
from fibprover.prover.verdict.relation import Relation
from fibprover.words.transducers import Transducer
from fibprover.workspace import guard
from fibprover.workspace.guard import enforced, limits_with_memory
from tests.cli.command import Answer, answer
from tests.seeds import chosen_seed

#: A budget whose time is over.
OVER = Budget(deadline=0.0, seconds=3.0)


#: How a script of theorems begins.
CHAPTER = 'import fibprover as fp\nc = fp.Chapter("c")\n'


def blocks(atom: Callable[[int], str], count: int) -> str:
    """Return a conjunction of many atoms that is not deep."""
    return " & ".join("(" + " & ".join(atom(128 * i + j) for j in range(128)) + ")" for i in range(count))


#: What runs a command line and returns its answer.
Said = Callable[..., Answer]


def processor_seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def seconds_until_spent(work: Callable[[], object]) -> float:
    """Return the processor time after which the budget is spent."""
    begun = time.process_time()
    with pytest.raises(BudgetSpent):
        work()
    return time.process_time() - begun


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """Run a command line that ends with this status."""

    def run(*arguments: str, status: int) -> Answer:
        given = answer(capsys, *arguments)
        assert given.status == status, given
        return given

    return run


# The budget of a context


def test_a_budget_holds_for_what_starts_within_it() -> None:
    with spending(Limits(seconds=5, bytes=10**12).start()) as outer:
        assert Limits(seconds=100).start().deadline == outer.deadline
        assert Limits(seconds=100).start().seconds == 5
        assert Limits(seconds=1).start().deadline < outer.deadline
        assert effective(UNLIMITED).bytes == 10**12
    assert effective(UNLIMITED) is UNLIMITED


def test_limits_that_are_shared_end_at_one_moment() -> None:
    shared = SharedLimits(seconds=3, deadline=time.monotonic() + 3)
    assert shared.start().deadline == shared.start().deadline == shared.start().remaining().start().deadline


def test_the_message_names_the_limit_of_the_user() -> None:
    with spending(OVER), pytest.raises(BudgetSpent, match=r"the budget of 3 s is spent"):
        poll("nothing")
    with pytest.raises(BudgetSpent, match=r"the budget of 3 s is spent"):
        fp.Session(limits=SharedLimits(seconds=3, deadline=time.monotonic() - 1)).eval("Ax Ey y>x")


def test_memory_is_looked_at_in_python_too() -> None:
    with spending(Limits(bytes=1).start()), pytest.raises(BudgetSpent, match="the budget of 1 B of memory"):
        poll()


@pytest.mark.parametrize("work", [
    lambda: parse_formula("x=1"),
    lambda: expand_macros("#m(x)", {"m": "%0=1"}),
    lambda: parse_regex("01", [(0, 1)]),
    lambda: edges(build([Track("x", (0, 1))], [{0: 0}], [1])),
    lambda: simplest_quadratic(SlopeInterval(Fraction(1), Fraction(2)), Fraction(10)),
], ids=["formula", "macros", "regex", "labels", "slopes"])
def test_parsers_and_exporters_are_under_the_budget(work: Callable[[], object]) -> None:
    with spending(OVER), pytest.raises(BudgetSpent):
        work()


# Planning


def planned(text: str) -> None:
    environment = fp.Session().namespace.environment()
    optimized(lower(bind(parse(text, {}), environment), environment))


def test_two_thousand_copies_of_an_equation_are_planned_at_once() -> None:
    assert processor_seconds(lambda: planned(blocks(lambda k: "(x=1)", 16))) < 5


def test_a_chain_of_equal_variables_is_united_at_once() -> None:
    names = ",".join(f"x{k}" for k in range(1025))
    assert processor_seconds(lambda: planned(f"E {names} {blocks(lambda k: f'(x{k}=x{k + 1})', 8)}")) < 8


def test_planning_ends_by_the_limits() -> None:
    session = fp.Session(limits=Limits(seconds=0.3))
    text = blocks(lambda k: f"(T[x+{k}]=@1)", 8)
    assert seconds_until_spent(lambda: session.eval(text)) < 3


# Systems and words


def words_of(rows: list[dict[int, int]], tracks: int) -> fp.Dfa:
    names = [str(number) for number in range(tracks)] if tracks > 1 else ["x"]
    return build([Track(name, (0, 1), "msd_z") for name in names], rows, [1])


def test_a_system_of_one_word_is_refused() -> None:
    valid, adder = words_of([{0: 0}], 1), words_of([{0: 0}], 3)
    with pytest.raises(NumerationError, match="finitely many"):
        given_system("msd_z", valid, adder, None)
    system = ComposedSystem("msd_z", (0, 1), valid, adder)
    assert system.represent(0) == ()
    with pytest.raises(NumerationError, match="finitely many"):
        system.represent(5)


def test_rsplit_over_a_large_base() -> None:
    session = fp.Session("msd_997", limits=Limits(seconds=20))
    session.define("p", "n=5 | n=1000")
    session.combine("W", ("p", 1))
    session.rsplit("R", ["+"], "W")
    assert session.prove("?msd_neg_997 An R[n]=@1 <=> (n=5 | n=1000)")


def test_transductions_and_images_end_by_the_limits() -> None:
    source = fp.Session("msd_9999")
    source.define("p", "n>=3")
    source.combine("W", ("p", 1))
    session = fp.Session("msd_9999", limits=Limits(seconds=0.3))
    session.namespace.words["W"] = source.namespace.words["W"]
    moves = tuple({0: (i, 0), 1: ((i + 1) % 40, i % 2)} for i in range(40))
    session.namespace.transducers["t"] = Transducer("t", moves)
    assert seconds_until_spent(lambda: session.transduce("V", "t", "W")) < 3


def test_a_count_below_a_number_of_many_digits_ends_by_the_limits() -> None:
    session = fp.Session(limits=Limits(seconds=0.3))
    session.define("q", "x<y")
    assert seconds_until_spent(lambda: session.count("q", 10**20000)) < 3


def test_slopes_near_one_another_are_told_apart_quickly() -> None:
    narrow = SlopeInterval(Fraction(10**18) + Fraction(1) / 2**62, Fraction(10**18) + Fraction(3) / 2**62)
    assert processor_seconds(lambda: simplest_quadratic(narrow, Fraction(1))) < 5
    assert suggested_systems([0] * 20 + [1] * 20, [*range(20)] * 2) == ["msd_2", "msd_3"]


# The timer


def test_the_timer_ends_what_polls_nothing() -> None:
    def endless() -> None:
        while True:
            pass

    with pytest.raises(BudgetSpent, match=r"0\.1 s"), enforced(Limits(seconds=0.1)):
        endless()
    time.sleep(0.05)  # and is gone afterwards


@pytest.mark.parametrize("size", [1, 2, 3])
def test_errors_in_a_ring_end(size: int) -> None:
    """A library makes other errors of what the timer has raised, and names each as the cause of the next."""
    ring = [ValueError(str(number)) for number in range(size)]
    for one, other in zip(ring, [*ring[1:], ring[0]], strict=True):
        one.__cause__ = other

    def endless() -> None:
        try:
            while True:
                pass
        except BudgetSpent:
            raise ring[0]  # noqa: B904

    with pytest.raises(BudgetSpent), enforced(Limits(seconds=0.05)):
        endless()


def test_the_timer_ends_what_takes_memory() -> None:
    def growing() -> None:
        kept = []
        while True:
            kept.append(bytes(100_000))

    with pytest.raises(BudgetSpent, match="of memory"), enforced(Limits(bytes=resident_bytes() + (40 << 20))):
        growing()


# Memory


def group(folder: Path, limit: str, used: str, stat: str, version: int) -> None:
    names = ("memory.max", "memory.current") if version == 2 else ("memory.limit_in_bytes", "memory.usage_in_bytes")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in zip((*names, "memory.stat"), (limit, used, stat), strict=True):
        (folder / name).write_text(text + "\n")


def test_free_memory_of_a_container(tmp_path: Path) -> None:
    own, root = tmp_path / "cgroup", tmp_path / "fs"
    group(root / "a" / "b", "max", "10", "", 2)
    group(root / "a", "1000", "700", "inactive_file 200", 2)
    own.write_text("0::/a/b\n")
    assert list(limits._free_of_groups(own, root)) == [500]
    group(root / "memory" / "c", "400", "100", "total_inactive_file 50", 1)
    own.write_text("5:cpu:/c\n4:memory:/c\n")
    assert list(limits._free_of_groups(own, root)) == [350]
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 9 kB\nMemAvailable: 5 kB\n")
    assert limits._size_in(meminfo, "MemAvailable:") == 5 * 1024


def test_the_default_limit_on_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "free_memory", lambda: 1 << 30)
    made = limits_with_memory(Limits())
    assert made.bytes is not None
    assert abs(made.bytes - resident_bytes() - (768 << 20)) < 64 << 20
    assert "three quarters of the memory that was free" in made.start().spent("bytes").hint
    assert limits_with_memory(Limits(bytes=5)).bytes == 5
    assert Limits().start().bytes == UNLIMITED.bytes  # in Python there is none


def test_sizes_in_messages() -> None:
    assert [size_text(size) for size in (1, 2048, 300 << 20, 17 << 30)] == ["1 B", "2 KiB", "300 MiB", "17 GiB"]


def test_the_command_line_says_which_limit_was_hit(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "the budget of 1 B of memory is spent" in said("eval", "x=1", "--max-memory", "1", status=3).err
    monkeypatch.setattr(guard, "PART_OF_FREE", 0.0)
    answer = said("eval", "?msd_30 x+y+z+u=v", status=3)
    assert "--max-memory SIZE sets the limit, and none lifts it" in answer.err
    said("eval", "x=1", "--max-memory", "none", status=0)


# Also


def test_names_of_indices_are_texts() -> None:
    with pytest.raises(FibproverError, match="one by one"):
        fp.Session().join("X", ("T", ["a0"]))  # type: ignore[arg-type]


def test_a_zero_byte_in_the_name_of_a_file() -> None:
    with pytest.raises(FibproverError, match="cannot be read"):
        fp.Session().load("a\0b")


def test_a_file_that_is_no_script_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret").write_text("root:x:0:0\n")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(FibproverError) as error:
        fp.Session().load("../secret")
    assert "is not a script" in str(error.value)
    assert "root" not in str(error.value)


def test_a_morphism_whose_letters_skip_numbers() -> None:
    session = fp.Session()
    session.morphism("h", "0->02 2->20")
    session.promote("P", "h")
    assert session.prove("P[0]=@0 & P[1]=@2 & P[2]=@2 & P[3]=@0")
    session.morphism("g", "0->01")
    with pytest.raises(FibproverError, match="letter 1 of g has no image"):
        session.promote("Q", "g")


@pytest.mark.parametrize("moves", ["i>=2", "j>=2"])
def test_games_whose_positions_lie_in_columns(moves: str) -> None:
    theorem = fp.discover(fp.Game(moves), limits=Limits(seconds=30))
    assert theorem.status == "proved"


def test_theorems_that_take_long_are_not_proved_in_silence(said: Said, tmp_path: Path) -> None:
    script = tmp_path / "long.py"
    script.write_text(f'{CHAPTER}c.theorem("t", "Ex x=1", statement="a", long=True)\n')
    assert "no theorem was tried: t is tagged as long" in said("prove", str(script), status=2).err
    said("prove", str(script), "--long", status=0)


def test_reports_of_what_is_no_text(said: Said, tmp_path: Path) -> None:
    script = tmp_path / "lone.py"
    script.write_text(f'{CHAPTER}c.theorem("t", "Ex x=1", statement="a \\ud800")\n')
    said("prove", str(script), "--markdown", str(tmp_path / "o.md"), "--json", str(tmp_path / "o.json"), status=0)
    assert "\\ud800" in (tmp_path / "o.md").read_text()
    assert "\\ud800" in (tmp_path / "o.json").read_text()


# Kernels


def long_row(tracks: int) -> fp.Dfa:
    """Return an automaton of one state, with all letters over many tracks."""
    return build([Track(f"x{k:02d}", (0, 1)) for k in range(tracks)], [dict.fromkeys(range(1 << tracks), 0)], [1])


@pytest.mark.parametrize("digits", [(0, 1), tuple(range(9))])
def test_long_rows_are_sorted(digits: tuple[int, ...]) -> None:
    count = 17 if len(digits) == 2 else 11  # codes of less and of more than 32 bits
    tracks = [Track(f"x{k:02d}", digits) for k in range(count)]
    generator = random.Random(chosen_seed())
    chosen = generator.sample(range(len(digits) ** count), 100_000)
    row = {code: place % 3 for place, code in enumerate(chosen)}
    a = build(tracks, [row, {}, {}], [0, 1, 1])
    names = [track.name for track in tracks]
    generator.shuffle(names)
    turned = kernel_calls.reorder(a, names)
    assert list(turned.codes) == sorted(turned.codes)
    assert kernel_calls.reorder(turned, a.names) == a
    for code in chosen[:100]:
        letter = dict(zip(a.names, a.letter(code), strict=True))
        wanted = 0
        for name in names:
            wanted = wanted * len(digits) + letter[name]
        assert turned.successor(0, wanted) == row[code]
    one = build([Track("x00", digits), Track("y", digits)], [{0: 0}], [1])
    assert kernel_calls.join(a, one).transitions == sum(code < len(digits) ** (count - 1) for code in chosen)


def test_the_clock_is_looked_at_within_a_row() -> None:
    a = long_row(20)
    b = a.renamed([f"y{k:02d}" if k else "x00" for k in range(20)])
    begun = time.process_time()
    with pytest.raises(BudgetSpent, match=r"0\.2 s"):
        kernel_calls.join(a, b, Limits(seconds=0.2).start())
    assert time.process_time() - begun < 1.5



def test_a_block_that_ends_late_does_not_bring_its_budget_back() -> None:
    """An interruption in the end of an inner block leaves it open until the traceback is gone."""
    outer, inner = spending(Limits(seconds=50).start()), spending(Limits(seconds=20).start())
    outer.__enter__()
    inner.__enter__()
    outer.__exit__(None, None, None)
    assert Limits(seconds=1000).start().seconds_left() > 100
    inner.__exit__(None, None, None)
    assert Limits(seconds=1000).start().seconds_left() > 100


def test_a_timer_that_interrupts_its_own_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = guard._Timer.stop
    calls = 0

    def interrupted(timer: guard._Timer) -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise timer.budget.spent("seconds")
        stop(timer)

    monkeypatch.setattr(guard._Timer, "stop", interrupted)
    with pytest.raises(BudgetSpent), guard.enforced(Limits(seconds=100)):
        pass
    assert calls == 2
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0 and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_counts_and_letters_poll_the_budget() -> None:
    row = [{0: 0, 1: 1}] + [{0: state + 2, 1: state + 2} for state in range(20_000)] + [{}]
    track = Track("x", (0, 1), "msd_2")
    relation = Relation(build([track], row, [0] * (len(row) - 1) + [1]), system_named)
    with pytest.raises(BudgetSpent):
        relation.count(limits=Limits(seconds=0.001))
    word = fp.Session().namespace.library_words["T"]
    with spending(Limits(seconds=0.001).start()), pytest.raises(BudgetSpent):
        word[:10_000_000]


def test_a_listing_that_was_interrupted_is_not_continued() -> None:
    stream = kernel_calls.WordStream(build([Track("x", (0, 1), "msd_2")], [{0: 0, 1: 0}], [1]))
    assert stream.words(1) == [()]
    stream.budget = OVER
    with pytest.raises(BudgetSpent):
        stream.words(1_000_000)
    with pytest.raises(AutomatonError):
        stream.words(1)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the timer is a thread here")
def test_a_limit_that_meets_a_finalizer_is_raised_again_and_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python drops what a finalizer raises, and tells its hook."""
    told: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", told.append)

    class Slow:
        def __del__(self) -> None:
            until = time.monotonic() + 30
            while time.monotonic() < until:
                pass

    def slowly() -> None:
        begun, slow = time.monotonic(), Slow()
        del slow
        assert time.monotonic() < begun + 20  # the finalizer was ended
        time.sleep(30)

    with pytest.raises(BudgetSpent), enforced(Limits(seconds=0.01)):
        slowly()
    assert not told and sys.unraisablehook == told.append
