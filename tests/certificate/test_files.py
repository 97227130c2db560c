"""Files that are no certificates, the command, and the checker alone."""

from __future__ import annotations

import gzip
import json
import random
import re
import shlex
import shutil
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.checker import fibcheck
from fibprover.prover.certificate.checking import verified_checker
from fibprover.prover.verdict.verdict import Verdict
from tests.certificate.meaning import checked, checked_lines
from tests.cli.command import answer
from tests.seeds import chosen_seed

PAGE = Path(__file__).resolve().parents[2] / "docs" / "certificates.md"

ODDITIES: list[object] = [
    None, -1, 0, 1 << 70, 1.5, "", "x", "~" * 5000, [], [[]], [0], {}, {"a": 1}, True, [[0, 0]],
    ["x", "x"],
]


def sample(formula: str = "Ax Ey y=x+1 & T[y]!=T[2*x+1] | y<3") -> bytes:
    found = fp.Session("msd_2").eval(formula)
    assert isinstance(found, Verdict)
    return found.certificate().content


@pytest.mark.long
@pytest.mark.random
def test_values_of_the_wrong_kind(tmp_path: Path) -> None:
    chance = random.Random(f"{chosen_seed()} kinds")
    lines = [json.loads(line) for line in gzip.decompress(sample()).splitlines()]
    for _ in range(60):
        number = chance.randrange(len(lines))
        key = chance.choice(list(lines[number]))
        oddity = chance.choice(ODDITIES)
        if json.dumps(oddity) == json.dumps(lines[number][key]):
            continue
        changed = [*lines[:number], {**lines[number], key: oddity}, *lines[number + 1 :]]
        try:
            checked_lines(changed, tmp_path)
        except (fibcheck.Malformed, fibcheck.Invalid):
            continue
        # A certificate may be valid nevertheless if the checker does not read the value that was changed.
        assert key in ("automaton", "guards", "of", "variables", "bound", "numbers"), (number, key)


@pytest.mark.long
@pytest.mark.random
def test_bytes_that_are_changed(tmp_path: Path) -> None:
    chance = random.Random(f"{chosen_seed()} bytes")
    packed = sample()
    plain = gzip.decompress(packed)
    for content in (packed, plain):
        for _ in range(60):
            data = bytearray(content)
            for _ in range(chance.choice((1, 3))):
                data[chance.randrange(len(data))] = chance.randrange(256)
            try:
                checked(bytes(data[: chance.randrange(1, len(data))]), tmp_path)
            except (fibcheck.Malformed, fibcheck.Invalid):
                continue
            raise AssertionError("a part of a certificate is no certificate")


def test_the_first_example_of_the_page(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its commands go on from each other, so they are run here."""
    monkeypatch.chdir(tmp_path)
    shown = PAGE.read_text().split("```text\n")[1].split("```")[0]
    found = []
    for line in shown.splitlines():
        if line.startswith("$ fibprover "):
            found += [line, *answer(capsys, *shlex.split(line.removeprefix("$ fibprover "))).out.splitlines()]
    assert found == shown.splitlines()


def test_the_certificate_by_hand(tmp_path: Path) -> None:
    """The page's example is valid, and not if it says that 2 is written 1."""
    text = PAGE.read_text().split("```json\n")[1].split("```")[0]
    assert PAGE.with_name("certificate.jsonl").read_text() == text
    assert checked(text.encode(), tmp_path).statement is not None
    with pytest.raises(fibcheck.Invalid, match="accepts too much"):
        checked(text.replace("x=1", "x=2").encode(), tmp_path)


def test_bound_variables_are_a_list() -> None:
    """As a text they would be other variables for a part of the rule: `ab` is in `abc`."""
    lines = [json.loads(line) for line in PAGE.with_name("certificate.jsonl").read_text().splitlines()]
    lines[0]["variables"] = dict.fromkeys(["ab", "a", "b", "c"], "binary")
    lines[3] |= {"formula": "ab=1", "relation": [0, ["ab"]]}
    checker = fibcheck.Checker(fibcheck.Budget(10, 10**6))
    for line in lines[:5]:
        checker.line(line)
    with pytest.raises((fibcheck.Invalid, fibcheck.Malformed)):
        checker.line(lines[5] | {"bound": "abc"})
    checker.line(lines[5] | {"bound": ["ab"]})


BROKEN = [
    b"", b"\n", b"[]\n", b"{}\n", b"not json\n", b"\x1f\x8b", b"[" * 100_000,
    b'{"certificate":1,"variables":{"x=x|y":"a"}}',
    b'{"certificate":1,"variables":[]}\n', b'{"statement":"true"}\n', b"9" * 10_000,
    b'{"system":"a","digits":1,"outputs":[1],"rows":[[0,0]]}',
    b'{"system":"a","digits":2,"outputs":[1,1],"rows":[[0,0,1,1],[]]}',
    b'{"rule":"same","of":[0],"relation":[0,[]]}',
]


@pytest.mark.parametrize("content", BROKEN, ids=range(len(BROKEN)))
def test_no_certificate(capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    said = answer(capsys, "check", str(file))
    assert said.status == 2
    assert said.out == ""
    assert said.err.startswith("no certificate")


@pytest.mark.parametrize("content", BROKEN, ids=range(len(BROKEN)))
def test_a_malformed_file_names_no_exception_of_python(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    said = answer(capsys, "check", str(file)).err
    assert not re.search(r"\b[A-Z]\w+(Error|File|Malformed)\b|Errno", said)


def test_a_file_that_is_not_there_and_a_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    assert answer(capsys, "check", missing).err == f"error: cannot read {missing}: no such file\n"
    said = answer(capsys, "check", str(tmp_path))
    assert said.status == 2
    assert said.err.startswith(f"error: {tmp_path} has no certificates")


def test_limits(tmp_path: Path) -> None:
    """A file that unpacks to much, and one whose steps are many, are refused soon."""
    file = tmp_path / "large.gz"
    file.write_bytes(gzip.compress(b" " * 30_000_000))
    begun = time.monotonic()
    with pytest.raises(fibcheck.Malformed, match="too large"):
        fibcheck.check(str(file), most_bytes=1_000_000)
    file.write_bytes(sample())
    with pytest.raises(fibcheck.Malformed, match="limit"):
        fibcheck.check(str(file), steps=100)
    assert time.monotonic() - begun < 20


def test_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = str(tmp_path / "c.jsonl.gz")
    said = answer(capsys, "eval", "--system", "msd_fib", "--certificate", file, "Ax Ey y<x")
    assert said.status == 1
    said = answer(capsys, "check", file)
    assert said.status == 0
    assert said.out.splitlines()[-1] == "VALID"
    assert "1, 10, 100, 101, 1000" in said.out
    lines = [json.loads(line) for line in gzip.decompress(Path(file).read_bytes()).splitlines()]
    assert "x_0=0" in lines[-1]["statement"]
    lines[-1]["statement"] = lines[-1]["statement"].replace("x_0=0", "x_0=1", 1)
    Path(file).write_text("\n".join(map(json.dumps, lines)))
    said = answer(capsys, "check", file)
    assert said.status == 1
    assert said.out.startswith("INVALID")


@pytest.mark.long
def test_theorems(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """`prove` writes and checks a certificate for each, and its JSON and its page say so."""
    proofs = PAGE.parents[1] / "proofs" / "k2.py"
    folder, results, page = tmp_path / "made" / "here", tmp_path / "k2.json", tmp_path / "page"
    said = answer(
        capsys, "prove", str(proofs), "-k", "K2.terminal*", "--certificates", str(folder), "--json", str(results),
        "--html", str(page), "--jobs", "1",
    )
    assert said.status == 0, said.err
    rows = json.loads(results.read_text())
    assert len(rows) > 2
    for row in rows:
        file = folder / f"{row['id']}.jsonl.gz"
        made = row["certificate"]
        assert made.pop("written_seconds") > 0
        assert made.pop("checked_seconds") > 0
        assert made == {"file": str(file), "bytes": file.stat().st_size, "reason": "", "checked": True,
                        "verified": verified_checker() is not None, "digest": sha256(file.read_bytes()).hexdigest()}
        statement = fibcheck.check(str(file)).statement
        assert statement is not None
        assert statement[1].startswith(("~", "(E ")) is not row["verdict"]
    assert "../made/here/K2.terminal.jsonl.gz" in (page / "index.html").read_text()
    assert f"{len(rows)} of {len(rows)} certificates written and checked" in said.out


def test_an_invalid_certificate_is_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(file: str, seconds: float) -> None:
        raise fibcheck.Invalid("claim 7")

    monkeypatch.setattr(fibcheck, "check", refuse)
    proofs = str(PAGE.parents[1] / "proofs" / "k2.py")
    said = answer(capsys, "prove", proofs, "-k", "K2.terminal", "--certificates", str(tmp_path), "--jobs", "1")
    assert said.status == 2
    assert "claim 7" in said.err


@pytest.mark.long
def test_games(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    said = answer(capsys, "game", "terminal(1)", "--no-findings", "--certify", str(tmp_path))
    assert said.status == 0, said.err
    checker = fibcheck.check(str(tmp_path / "P.jsonl.gz"))
    assert "P-positions" in checker.meanings["P"]
    assert "T" in checker.definitions


def test_relations_have_no_certificate(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "c.jsonl.gz"
    said = answer(capsys, "eval", "--certificate", str(file), "x<3")
    assert said.status == 2
    assert "free variables" in said.err
    assert not file.exists()


def is_new_enough(python: str) -> bool:
    """Return whether this is a Python that the checker needs, and not a stand-in for one."""
    test = "import sys; sys.exit(sys.version_info < (3, 11))"
    return subprocess.run([python, "-c", test], check=False, capture_output=True).returncode == 0


@pytest.mark.parametrize("python", ["python3", "python3.12", "python3.13", sys.executable])
def test_alone(tmp_path: Path, python: str) -> None:
    """The file and a certificate in an empty folder are enough."""
    beside = sorted(map(str, Path(sys.base_prefix).parent.glob(f"*/bin/{python}")))  # installed beside this one
    works = [one for one in [shutil.which(python), *beside] if one and is_new_enough(one)]
    if not works:
        pytest.skip(f"{python} is not here, or older than 3.11")
    shutil.copy(fibcheck.__file__, tmp_path / "fibcheck.py")
    (tmp_path / "c.gz").write_bytes(sample())
    done = subprocess.run(
        [works[0], "-I", "fibcheck.py", "c.gz"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "VALID"
