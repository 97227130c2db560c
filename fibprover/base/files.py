"""Write a file in one step, so that its content is either the old or the new one, never a part."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
from pathlib import Path

from fibprover.base.errors import FileProblem


def write_text(path: str | Path, text: str, *, durable: bool = True) -> None:
    """Write `text` as UTF-8 to `path`, as `write_bytes` does."""
    try:
        content = text.encode()
    except ValueError as error:
        raise FileProblem(f"{path} cannot be written: {error}") from error
    write_bytes(path, content, durable=durable)


def write_bytes(path: str | Path, content: bytes, *, durable: bool = True) -> None:
    """Write `content` to `path` in one step, in place of an existing file.

    The content is written to a temporary file in the same folder, which is then renamed to `path`; on any failure the
    temporary file is removed and an existing file remains unchanged.  A symbolic link is followed.  durable: the
    content is on the disk when this returns, and a power cut does not undo it; without, writing takes a fraction of
    the time.  Devices and pipes are written to, not replaced, and so are open files, such as /dev/stdout.  Raise
    FileProblem if the file cannot be written.
    """
    temporary: Path | None = None
    try:
        number = _descriptor(str(path))
        if number is not None:
            if number == 1 and sys.stdout is not None:
                sys.stdout.flush()
            with os.fdopen(os.dup(number), "wb") as opened:
                opened.write(content)
            return
        if _is_device(Path(path)):
            with Path(path).open("wb") as device:
                device.write(content)
            return
        target = Path(os.path.realpath(path))
        temporary = target.with_name(f".{target.name[:100]}.{os.urandom(8).hex()}.tmp")
        if target.is_dir():
            raise IsADirectoryError(None, "it is a folder")
        with temporary.open("xb") as stream:
            stream.write(content)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o7777)
        os.replace(temporary, target)
    except (OSError, ValueError) as error:
        _remove(temporary)
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise FileProblem(f"{path} cannot be written: {reason}", hint=room_hint(error)) from error
    except BaseException:
        _remove(temporary)
        raise


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
