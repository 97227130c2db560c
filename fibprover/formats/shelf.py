"""Names whose meanings lie in files: read when they are first asked for, written when they are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import TypeVar

T = TypeVar("T")


class Shelf(MutableMapping[str, T]):
    """What has been put here by name, and behind it what there are files of.

    read: the meaning of a name by its file, None if there is no file; write: writes what is put here,
    before it is remembered, so that a failure leaves both as they were; listed: the names of all files.
    What has been read once is kept.  Deleting a name forgets what was put here, and touches no file.
    """

    def __init__(
        self, own: Mapping[str, T], read: Callable[[str], T | None], write: Callable[[str, T], None],
        listed: Callable[[], Iterable[str]],
    ) -> None:
        self._own = dict(own)
        self._seen: dict[str, T] = {}
        self._read = read
        self._write = write
        self._listed = listed

    def __getitem__(self, name: str) -> T:
        if name in self._own:
            return self._own[name]
        if name not in self._seen:
            found = self._read(name)
            if found is None:
                raise KeyError(name)
            self._seen[name] = found
        return self._seen[name]

    def __setitem__(self, name: str, meaning: T) -> None:
        self._write(name, meaning)
        self._own[name] = meaning

    def __delitem__(self, name: str) -> None:
        del self._own[name]
        self._seen.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(list(dict.fromkeys([*self._own, *self._listed()])))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def copy(self) -> Shelf[T]:
        """The same names at this moment; later changes of the one leave the other alone."""
        made = Shelf(self._own, self._read, self._write, self._listed)
        made._seen = self._seen
        return made


def at_this_moment(names: Mapping[str, T]) -> Mapping[str, T]:
    """The names as they are now, whatever is done to the mapping later."""
    return names.copy() if isinstance(names, Shelf) else dict(names)
