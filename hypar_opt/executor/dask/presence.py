"""The workers that a scheduler has, as its events tell, and what is said when there is none any more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping

NONE_S: Final = 60
"""After how long without any worker that is said."""


class Presence:
    """Which workers there are; all of it is called in the thread of the loop.

    Parameters
    ----------
    loop
        In which the events are heard.
    say
        Called when there has been no worker for `NONE_S`, once until one comes, and when one has come.
    lever
        What helps, as a sentence's end, or nothing.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, say: Callable[[str], None], lever: str) -> None:
        self._loop, self._say, self._lever = loop, say, lever
        self._there: set[str] = set()
        self._gone: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._is_said = False

    def __len__(self) -> int:
        return len(self._there)

    def begin(self) -> None:
        """Know of none, as of a scheduler whose events are heard from now on."""
        self.end()
        self._there, self._gone = set(), set()

    def admit(self, found: set[str]) -> None:
        """Take in those that were found, but for those that went meanwhile."""
        self._there |= found - self._gone
        self._look()

    def note(self, said: Mapping[str, Any]) -> None:
        """Take note of an event: one comes or goes."""
        if said["action"] == "add-worker":
            self._there.add(said["worker"])
            self._gone.discard(said["worker"])
        elif said["action"] == "remove-worker":
            self._there.discard(said["worker"])
            self._gone.add(said["worker"])
        self._look()

    def end(self) -> None:
        """Say nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        if not self._there:
            self._timer = self._timer or self._loop.call_later(NONE_S, self._say_none)
            return
        self.end()
        if self._is_said:
            self._is_said = False
            self._say("a worker has come: the run goes on")

    def _say_none(self) -> None:
        if not self._is_said:
            self._is_said = True
            self._say(
                f"there has been no worker for {NONE_S} s: the run waits for one, what is done is kept, and Ctrl-C "
                f"ends it with that{self._lever and f'; {self._lever}'}"
            )
