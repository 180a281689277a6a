"""What runs pieces: an executor of the standard library's shape that knows how many workers it has."""

from __future__ import annotations

from abc import abstractmethod
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hypar_opt.util.errors import HyparError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from hypar_opt.formulation.run import Limits

R = TypeVar("R")
DEATHS: Final = 3
"""A piece that was being run when so many workers died is not run again; of a scheduler that is there, as it says."""


class KilledWorkers(HyparError):
    """Raised by a future whose call was being run when `DEATHS` workers died, one after the other.

    Where a scheduler that is there hands calls out, it is of its own number of deaths.
    """


class LostWorkers(InputError):
    """Raised by a future whose call is run by nobody: a worker that came later does not fit, or there is no scheduler.

    It is no fault of the call's, and any other call of the run would fare alike.
    """

    @classmethod
    def of(cls, error: HyparError) -> LostWorkers:
        """Return what an error says that tells why."""
        return cls(error.message, field=error.field) if isinstance(error, InputError) else cls(str(error))


class Workers(Executor):
    """Workers that are ready to run calls; a context manager, as executors are.

    A call whose worker dies is run again elsewhere; its future raises `KilledWorkers` after `DEATHS` such ends, or
    after as many as a scheduler that is there says, and what the call raises otherwise. Calls, their arguments and
    results are pickled.
    """

    is_stopped = False
    """Whether `run_pieces` has stopped them: whoever uses them again would get answers that were cut off."""
    say: Callable[[str], None] | None = None
    """Called, in any thread, with what whoever waits for them should know: that there is no worker, say."""
    hear_fault: Callable[[LostWorkers], None] | None = None
    """Told by `run_pieces` that workers are lost in the midst of a run, which then ends as at a stop, with what is
    done; where nobody is told that is raised."""

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

    def end_lost(self, error: LostWorkers, limits: Limits) -> None:
        """End a run whose workers are lost.

        Raises
        ------
        LostWorkers
            Unless `hear_fault` is told, with which the flag of the run's limits is set.
        """
        if self.hear_fault is None:
            raise error
        self.hear_fault(error)
        limits.stop.set()

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
