"""Write a file in one step, so that its content is either the old or the new one, never a part."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path

from fibprover.errors import FileProblem


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
    the time.  Devices and pipes are written to, not replaced.  Raise FileProblem if the file cannot be written.
    """
    temporary: Path | None = None
    try:
        if _is_device(Path(path)):
            with Path(path).open("wb") as device:
                device.write(content)
            return
        target = Path(os.path.realpath(path))
        temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(8)}.tmp")
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
        raise FileProblem(f"{path} cannot be written: {reason}") from error
    except BaseException:
        _remove(temporary)
        raise


def remove_file(path: Path) -> None:
    """Remove a file if it exists; raise FileProblem if it cannot be removed."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise FileProblem(f"{path} cannot be removed: {error.strerror or error}") from error


def _is_device(path: Path) -> bool:
    """Return whether a path is a device, a pipe or a socket, such as /dev/null or /dev/stdout."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _remove(temporary: Path | None) -> None:
    if temporary is not None:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
