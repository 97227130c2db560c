"""Read files of users, of which nothing is known, and write files in one step.

What is read is a regular file, or a pipe that the user has named: never a device, which may have no end.  It has at
most so many bytes, and the budget that is being spent is looked at while they are read.  What is written is either the
old content or the new one, never a part.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from fibprover.base.errors import FileProblem
from fibprover.base.limits import poll

#: The largest text: a script, a word, a list of terms, an atlas.
MOST_TEXT = 50 << 20

#: The largest file of JSON or TOML: their values take some 30 times as many bytes.
MOST_VALUES = 16 << 20

#: The largest automaton: one of 10 million transitions.
MOST_AUTOMATON = 256 << 20

_CHUNK = 1 << 20

_KINDS = (
    (stat.S_ISDIR, "a folder"), (stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"), (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


def read_bytes(path: str | Path, most: int, *, pipe: bool = False) -> bytes:
    """Return the content of a file of at most so many bytes.

    pipe: whether it may be a pipe; the user has then named it.  Raises FileProblem if it cannot be read, is no regular
    file, or is larger, BudgetSpent.
    """
    try:
        with _opened(path, most, pipe) as stream:
            return _all_of(stream, str(path), most)
    except (OSError, ValueError) as error:
        raise FileProblem(f"{path} cannot be read: {_reason(error)}") from error


def read_text(path: str | Path, most: int = MOST_TEXT, *, pipe: bool = False) -> str:
    """Return the text of a file in UTF-8, with line feeds as line ends; parameters and errors as for `read_bytes`."""
    return text_of(read_bytes(path, most, pipe=pipe), str(path))


def read_standard_input(most: int = MOST_TEXT) -> str:
    """Return the text of standard input, as `read_text` does."""
    if sys.stdin is None:
        raise FileProblem("standard input cannot be read: it is closed")
    try:
        return text_of(_all_of(sys.stdin.buffer, "standard input", most), "standard input")
    except (OSError, ValueError) as error:
        raise FileProblem(f"standard input cannot be read: {_reason(error)}") from error


def begins_with(path: str | Path, mark: bytes, within: int) -> bool:
    """Return whether a mark is among the first bytes of a regular file; no other file has one.

    Raises FileProblem if it cannot be read.
    """
    try:
        with _opened(path, None, False) as stream:
            return mark in stream.read(within)
    except (OSError, ValueError) as error:
        raise FileProblem(f"{path} cannot be read: {_reason(error)}") from error


def text_of(raw: bytes, name: str) -> str:
    """Return bytes as a text in UTF-8, with line feeds as line ends; raise FileProblem if they are none."""
    if (other := _other_encoding(raw)) is not None:
        hint = f"save it as UTF-8, or convert it: iconv -f {other} -t UTF-8"
        raise FileProblem(f"{name} is {other[:6]} text, not UTF-8", hint=hint)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileProblem(f"{name} is not UTF-8 text: {error.reason} at byte {error.start}") from error
    if "\0" in text:
        raise FileProblem(f"{name} is not a text file: it contains a zero byte")
    # A carriage return alone also ends a line; otherwise a comment would continue to the end of the file.
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _other_encoding(raw: bytes) -> str | None:
    """Return the encoding of a text in UTF-16: it has a mark, or a zero in most of its first characters."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "UTF-16"
    halves = raw[0:64:2], raw[1:64:2]
    zeros = [half.count(0) for half in halves]
    if len(raw) < 4 or 4 * min(zeros) > len(halves[1]) or 4 * max(zeros) < 3 * len(halves[1]):
        return None
    return "UTF-16LE" if zeros[1] > zeros[0] else "UTF-16BE"


@contextmanager
def _opened(path: str | Path, most: int | None, pipe: bool) -> Iterator[BinaryIO]:
    """Open a file for reading; raise FileProblem unless it is a regular file, or a pipe that may be one."""
    # Opening a pipe waits for a program that writes to it, and there may be none.
    waiting = 0 if pipe else getattr(os, "O_NONBLOCK", 0)
    number = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | waiting)
    try:
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode) and not (pipe and stat.S_ISFIFO(status.st_mode)):
            kind = next((kind for test, kind in _KINDS if test(status.st_mode)), "something else")
            raise FileProblem(f"{path} cannot be read: it is {kind}, not a regular file")
        if most is not None and status.st_size > most:
            raise _too_large(str(path), most)
        with os.fdopen(number, "rb", closefd=False) as stream:
            yield stream
    finally:
        os.close(number)


def _all_of(stream: BinaryIO, name: str, most: int) -> bytes:
    """Return what a stream holds; raise FileProblem if that is more than allowed."""
    parts = []
    left = most + 1
    while left and (part := stream.read(min(left, _CHUNK))):
        parts.append(part)
        left -= len(part)
        if len(parts) > 1:
            poll(f"the content of {name}")
    if not left:
        raise _too_large(name, most)
    return b"".join(parts)


def _too_large(name: str, most: int) -> FileProblem:
    return FileProblem(f"{name} is larger than {most >> 20} MB, so it is not read")


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def write_text(path: str | Path, text: str, *, durable: bool = True, follow: bool = True) -> None:
    """Write `text` as UTF-8 to `path`, as `write_bytes` does."""
    try:
        content = text.encode()
    except ValueError as error:
        raise FileProblem(f"{path} cannot be written: {error}") from error
    write_bytes(path, content, durable=durable, follow=follow)


def write_bytes(path: str | Path, content: bytes, *, durable: bool = True, follow: bool = True) -> None:
    """Write `content` to `path` in one step, as `write_pieces` does."""
    write_pieces(path, (content,), durable=durable, follow=follow)


def write_pieces(path: str | Path, pieces: Iterable[bytes], *, durable: bool = True, follow: bool = True) -> None:
    """Write what the pieces are together to `path` in one step, in place of an existing file.

    The content is written to a temporary file in the same folder, which is then renamed to `path`; on any failure the
    temporary file is removed and an existing file remains unchanged.  durable: the content is on the disk when this
    returns, and a power cut does not undo it; without, writing takes a fraction of the time.  follow: the user has
    named the file: a symbolic link is followed, devices and pipes are written to, not replaced, and so are open files,
    such as /dev/stdout; without, whatever has the name is replaced, unless it is a folder.  Raise FileProblem if the
    file cannot be written.
    """
    temporary: Path | None = None
    try:
        if follow and _is_written_to(path, pieces):
            return
        target = Path(os.path.realpath(path) if follow else path)
        temporary = target.with_name(f".{target.name[:100]}.{os.urandom(8).hex()}.tmp")
        if target.is_dir() and not target.is_symlink():
            raise IsADirectoryError(None, "it is a folder")
        with temporary.open("xb") as stream:
            stream.writelines(pieces)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        if target.is_file() and not target.is_symlink():
            temporary.chmod(target.stat().st_mode & 0o7777)
        os.replace(temporary, target)
    except (OSError, ValueError) as error:
        _remove(temporary)
        raise FileProblem(f"{path} cannot be written: {_reason(error)}", hint=room_hint(error)) from error
    except BaseException:
        _remove(temporary)
        raise


def _is_written_to(path: str | Path, pieces: Iterable[bytes]) -> bool:
    """Write to a path that is no file, but an open file, a device, a pipe or a socket; return whether it is one."""
    number = _descriptor(str(path))
    if number is not None:
        if number == 1 and sys.stdout is not None:
            sys.stdout.flush()
        with os.fdopen(os.dup(number), "wb") as opened:
            opened.writelines(pieces)
        return True
    if _is_device(Path(path)):
        with Path(path).open("wb") as device:
            device.writelines(pieces)
        return True
    return False


def check_no_link(folder: Path, *, hint: str) -> None:
    """Raise FileProblem if a folder is a link to another one: what is written into it would land there."""
    # Windows has another kind of links, which Python knows since 3.12.
    if folder.is_symlink() or getattr(os.path, "isjunction", lambda _: False)(folder):
        raise FileProblem(f"{folder} is a link to another folder, so nothing is written there", hint=hint)


def room_hint(error: Exception) -> str:
    """Return what to do about an error of a disk, or a part of it, that is full; "" for any other error."""
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    return "make room on the disk, or write to another one" if full else ""


def make_folder(path: str | Path) -> None:
    """Make a folder, and those that it is in; raise FileProblem if that fails."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise FileProblem(f"{path} cannot be made: {getattr(error, 'strerror', None) or error}") from error


def remove_file(path: Path) -> None:
    """Remove a file if it exists; raise FileProblem if it cannot be removed."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise FileProblem(f"{path} cannot be removed: {error.strerror or error}") from error


#: The paths of the open files of this process.
_OPEN_FILE = re.compile(r"/dev/std(?P<name>out|err)|(?:/dev|/proc/self)/fd/(?P<number>\d{1,9})", re.ASCII)


def _descriptor(path: str) -> int | None:
    """Return the number of the open file that a path such as /dev/stdout names, None for other paths."""
    found = _OPEN_FILE.fullmatch(path)
    if found is None:
        return None
    return int(found["number"]) if found["number"] else {"out": 1, "err": 2}[found["name"]]


def _is_device(path: Path) -> bool:
    """Return whether a path is a device, a pipe or a socket, such as /dev/null."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _remove(temporary: Path | None) -> None:
    if temporary is not None:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
