"""Jobs handed to an engine's workers."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.executor.pieces import submit_piece
from hypar_opt.executor.workers import KilledWorkers
from hypar_opt.util.errors import HyparError, InputError
from hypar_opt.web.delivery import Delivery
from hypar_opt.web.elsewhere import do_job
from hypar_opt.web.parcel import JobParcel
from hypar_opt.web.runner import JobRunner

if TYPE_CHECKING:
    from concurrent.futures import Future
    from pathlib import Path

    from hypar_opt.executor.workers import Workers
    from hypar_opt.formulation.run import Limits
    from hypar_opt.web.settings import Settings

PATIENCE_S: Final = 10.0
"""With a worker that was told to end a job: then nobody waits for it any more."""


class HandedJobs(JobRunner):
    """A call of an engine's workers for each job.

    Parameters
    ----------
    workers
        Who are ready.
    settings
        Say for how long a job may run.
    limits
        Of a call.
    """

    def __init__(self, workers: Workers, settings: Settings, limits: Limits) -> None:
        self._workers, self._settings, self._limits = workers, settings, limits
        self._calls: dict[str, Future[Any]] = {}
        self._answers: dict[str, asyncio.Future[Any]] = {}

    @property
    def text(self) -> str:
        """Who the workers are."""
        return self._workers.text

    @property
    def places(self) -> int:
        """As many as there are workers, now."""
        return self._workers.count

    async def run(self, job: str, folder: Path) -> str:
        """Hand a job out, and put what it tells and leaves into its folder."""
        parcel = JobParcel.of(folder, self._settings.job_time_s)
        delivery = Delivery(folder, self._workers.text)
        hear = partial(_take_in, asyncio.get_running_loop(), delivery)
        try:
            call = submit_piece(self._workers, do_job, parcel, self._limits, hear)
            self._calls[job], self._answers[job] = call, asyncio.wrap_future(call)
            (answer,), _ = await self._answers[job]
        except asyncio.CancelledError:
            return "it was ended before it was begun, or its worker did not say that it has ended"
        except KilledWorkers as error:
            return f"its workers were killed: {error}"
        except HyparError as error:
            return str(error)
        except Exception as error:  # noqa: BLE001 - an engine may raise anything, and it is the end of this job alone
            return f"its worker failed: {type(error).__name__}: {error}"
        finally:
            self._calls.pop(job, None)
            self._answers.pop(job, None)
        delivery.close()  # here: while another thread writes what the job left, this one must not
        try:
            return await asyncio.to_thread(delivery.end, answer)
        except InputError as error:
            return f"what its worker brought back is refused: {error}"
        except OSError as error:
            return f"what its worker brought back cannot be written: {error.strerror}"

    def cancel(self, job: str) -> None:
        """Have a job's worker end it."""
        if job in self._calls:
            self._workers.cancel(self._calls[job])
            asyncio.get_running_loop().call_later(PATIENCE_S, self._answers[job].cancel)

    def close(self) -> None:
        """Let go of the workers: a signal that ends the server leaves nobody else the time to."""
        self._workers.shutdown(cancel_futures=True)


def _take_in(loop: asyncio.AbstractEventLoop, delivery: Delivery, told: bytes) -> None:
    with suppress(RuntimeError):  # the server has ended
        loop.call_soon_threadsafe(delivery.take, told)
