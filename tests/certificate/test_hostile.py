"""Files that would take all memory are refused by the checker; `python -m tests.certificate.hostile` measures more."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import pytest

from fibprover.campaigns.certificates import shares
from fibprover.checker import fibcheck
from fibprover.checker.fibcheck import Malformed, TooLarge, Unreadable, check
from tests.certificate.hostile import CHECKER, HEADER, PIECES, SYSTEM, measured, packed
from tests.cli.command import answer
from tests.few import few


@pytest.mark.long
@pytest.mark.parametrize("piece", few([b"[],", b'{"a":0},'], 2))
def test_a_long_line_is_not_read(tmp_path: Path, piece: bytes) -> None:
    """65 million `[],` in 190 KB took 5 GB."""
    file = tmp_path / "line.gz"
    file.write_bytes(packed(piece, 65_000_000, b'{"certificate":1,"variables":['))
    status, peak, _ = measured(CHECKER, file)
    assert status == 2 and peak < 300


@pytest.mark.parametrize("piece", PIECES)
def test_a_line_is_refused_before_its_value_takes_memory(tmp_path: Path, piece: bytes) -> None:
    file = tmp_path / "line"
    file.write_bytes(b'{"certificate":1,"variables":[' + piece * 100_000 + piece[:-1] + b"]}\n")
    with pytest.raises(TooLarge):
        check(str(file), memory=1 << 20)
    with pytest.raises(Malformed) as problem:
        check(str(file))
    assert not isinstance(problem.value, TooLarge)


def test_what_is_no_file(tmp_path: Path) -> None:
    places = [tmp_path, tmp_path / "missing", Path("/dev/zero")]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        places.append(tmp_path / "pipe")
    for place in places:
        with pytest.raises(Unreadable):
            check(str(place))


def test_the_limit_of_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "line"
    file.write_bytes(b'{"certificate":1,"variables":[' + b"[]," * 5_000_000 + b"[]]}\n")
    held = fibcheck.resident() >> 20
    said = answer(capsys, "check", "--max-memory", f"{held + 100}M", str(file))
    assert said.status == 3 and "Traceback" not in said.err


def test_without_a_limit_of_the_user_that_of_the_checker_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not the memory that is free, which is more; and a folder says what did not suffice, too."""
    file = tmp_path / "line.jsonl"
    file.write_bytes(b'{"certificate":1,"variables":[' + b"[]," * 2_000_000 + b"[]]}\n")
    monkeypatch.setattr(fibcheck, "MOST_MEMORY", 20 << 20)
    said = answer(capsys, "check", str(file))
    assert said.status == 3 and "20 MiB" in said.err and "--max-memory" in said.err
    said = answer(capsys, "check", str(tmp_path), "-j", "2")
    assert said.status == 2 and "the limits do not suffice: " in said.out and "memory" in said.out


@pytest.mark.parametrize(
    ("jobs", "room", "given", "expected"),
    [
        (4, 1 << 62, False, (4, fibcheck.MOST_MEMORY)),
        (4, 2 * fibcheck.MOST_MEMORY + 1, False, (2, fibcheck.MOST_MEMORY)),
        (4, fibcheck.MOST_MEMORY // 2, False, (1, fibcheck.MOST_MEMORY // 2)),
        (4, 0, False, (1, 1)),
        (4, 400, True, (4, 100)),
    ],
)
def test_how_much_memory_each_check_may_take(jobs: int, room: int, given: bool, expected: tuple[int, int]) -> None:
    assert shares(jobs, room, given=given) == expected


def test_parts_of_gzip(tmp_path: Path) -> None:
    """A file may have several parts, as gzip allows; one that is cut off is said to be damaged."""
    right = (Path(__file__).parents[2] / "docs" / "certificate.jsonl").read_bytes()
    file = tmp_path / "parts.gz"

    def part(content: bytes) -> bytes:
        packer = zlib.compressobj(wbits=31)
        return packer.compress(content) + packer.flush()

    file.write_bytes(part(right[:100]) + part(b"") + part(right[100:]))
    assert check(str(file)).statement
    file.write_bytes(part(right)[:-9])
    with pytest.raises(Malformed):
        check(str(file))
    file.write_bytes(HEADER + SYSTEM + b"\n")
    with pytest.raises(Malformed, match="line 3"):
        check(str(file))
