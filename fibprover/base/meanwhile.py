"""What holds within a block, and ends with it, also where an interruption comes between any two steps.

Ctrl-C and the timer of limits (`fibprover.workspace.guard`) raise an exception at any moment, thus between the step
that begins something and the `try` that follows, or within a `finally`.  What is left then would hold for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")

#: Undoes what a block has begun.
Undo = Callable[[], object]


@contextmanager
def meanwhile(undoing: list[Undo], begin: Callable[[], object], undo: Undo) -> Iterator[None]:
    """Call `begin`, and `undo` after the block, which may be called twice, and although `begin` has not been.

    undoing: what undoes the blocks that have begun, of one owner, the innermost last.
    """
    depth = len(undoing)
    try:
        undoing.append(undo)
        begin()
        yield
    finally:
        try:
            _undo(undoing, depth, undo)
        finally:
            _undo(undoing, depth, undo)  # an interruption may have ended the first call


def _undo(undoing: list[Undo], depth: int, undo: Undo) -> None:
    """Undo what a block has begun, and before it what blocks within it have left."""
    while len(undoing) > depth and undoing[depth] is undo:
        undoing[-1]()
        undoing.pop()


@contextmanager
def on_top(stack: ContextVar[tuple[Item, ...]], item: Item) -> Iterator[Item]:
    """Put an item on top of what holds in this context, within the block."""
    before = stack.get()
    try:
        stack.set((*before, item))
        yield item
    finally:
        try:
            _take_off(stack, before, item)
        finally:
            _take_off(stack, before, item)


def _take_off(stack: ContextVar[tuple[Item, ...]], before: tuple[Item, ...], item: Item) -> None:
    """Let the items from before a block hold again.

    An interruption while an inner block ends can end that block after this one: it must not put anything back.
    """
    now = stack.get()
    if len(now) > len(before) and now[len(before)] is item:
        stack.set(before)
