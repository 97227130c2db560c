"""The error for terms that suggest no word.

It has a module of its own, so that the command line can import it without numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fibprover.base.errors import FibproverError

if TYPE_CHECKING:
    from fibprover.infer.choice import Attempt


class NoAutomaton(FibproverError):
    """Raised for terms that suggest no word: the message says what was tried, and how the numbers of states grow.

    attempts: in each system; is_spent: whether a budget ended the search.
    """

    def __init__(
        self, message: str, attempts: tuple[Attempt, ...], *, hint: str = "", is_spent: bool = False
    ) -> None:
        super().__init__(message, hint=hint)
        self.attempts, self.is_spent = attempts, is_spent
