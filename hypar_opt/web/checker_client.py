"""The server's side of the process that checks text: asked one text after the other, ended where it takes too long."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.web.settings import MOST_TYPED
from hypar_opt.web.text_check import unchecked

if TYPE_CHECKING:
    from asyncio.subprocess import Process

PATIENCE_S: Final = 10.0
"""How long one text may take."""
MOST_WAITING: Final = 20
"""Texts that may wait for their turn."""


class Busy(Exception):
    """Too many texts wait already."""


class CheckerClient:
    """Checks texts in a process that is started when it is needed, and again when it was ended."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._process: Process | None = None
        self._folder: TemporaryDirectory[str] | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._patience_s = patience_s

    async def check(self, text: str, overrides: dict[str, Any], edit: dict[str, Any] | None) -> dict[str, Any]:
        """Return what a text comes to; see `hypar_opt.web.text_check.check_text`.

        Raises
        ------
        Busy
            If too many others are asked about.
        """
        if len(text) > MOST_TYPED:
            return unchecked(text, f"longer than {MOST_TYPED:,} characters: checked by the job, not as you type")
        if self._waiting >= MOST_WAITING:
            raise Busy
        self._waiting += 1
        try:
            async with self._turn:
                return await self._ask({"text": text, "overrides": overrides, "edit": edit})
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.cleanup()  # of what the process was reading when it was killed

    async def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        try:
            line = await asyncio.wait_for(self._exchange(json.dumps(question).encode()), self._patience_s)
            answer: dict[str, Any] = json.loads(line)
            return answer
        except TimeoutError:
            fault = f"takes more than {self._patience_s:g} s to check: checked by the job, not as you type"
        except (OSError, ValueError):  # the process ended, by its limit or otherwise
            fault = "could not be checked as you type: checked by the job"
        except asyncio.CancelledError:
            await self.close()  # half a question may be on its way
            raise
        await self.close()
        return unchecked(question["text"], fault)

    async def _exchange(self, question: bytes) -> bytes:
        if self._process is None or self._process.returncode is not None:
            self._folder = self._folder or TemporaryDirectory(prefix="hypar-opt-checker-")
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", "hypar_opt.web.checker",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
                env={**os.environ, "TMPDIR": self._folder.name}, limit=16 * MOST_TYPED, start_new_session=True,
            )  # fmt: skip
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(question + b"\n")
        await process.stdin.drain()
        return await process.stdout.readline()
