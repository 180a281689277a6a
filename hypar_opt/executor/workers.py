"""What runs pieces: an executor of the standard library's shape that knows how many workers it has."""

from __future__ import annotations

from abc import abstractmethod
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hypar_opt.util.errors import HyparError

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

R = TypeVar("R")
DEATHS: Final = 3
"""A piece that was being run when so many workers died is not run again."""


class KilledWorkers(HyparError):
    """Raised by a future whose call was being run when `DEATHS` workers died, one after the other."""


class Workers(Executor):
    """Workers that are ready to run calls; a context manager, as executors are.

    A call whose worker dies is run again elsewhere; its future raises `KilledWorkers` after `DEATHS` such ends, and
    what the call raises otherwise. Calls, their arguments and results are pickled.
    """

    is_stopped = False
    """Whether `run_pieces` has stopped them: whoever uses them again would get answers that were cut off."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many calls run at a time, now."""

    @property
    @abstractmethod
    def text(self) -> str:
        """Who they are, in a few words, as `2 local processes`."""

    @property
    def blames_one(self) -> bool:
        """Whether a death counts for the call alone that was being run, and not for those in line behind it as well."""
        return True

    @abstractmethod
    def stop(self) -> None:
        """Set the flag in the limits of all calls, so that they end with what they have; for good."""

    @abstractmethod
    def cancel(self, future: Future[Any]) -> None:
        """Have one call not run, or, if it runs, set the flag in its limits and in no other's; it is not run again."""

    def submit_heard(self, hear: Callable[[bytes], None], fn: Callable[..., R], /, *args: Any) -> Future[R]:
        """Have a function called, and hear what it tells on the way by `telling.tell`; nothing on some engines.

        Parameters
        ----------
        hear
            Called in a thread of the engine's with each message, in the order in which one run of the call tells them,
            and before its future is done as far as that can be; never after the client is gone.
        """
        return self.submit(fn, *args)
