"""What a job tells and leaves elsewhere, put into its folder: it is input, and written by the server alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.util.errors import InputError
from hypar_opt.util.files import atomically
from hypar_opt.web.job_files import EVENTS, MOST_STORED, OUTCOME, REPORT, checked
from hypar_opt.web.parcel import TOLD, JobAnswer, ToldHead, event_line, read_message

if TYPE_CHECKING:
    from pathlib import Path


class Delivery:
    """What comes of a job, on its way into its folder.

    Parameters
    ----------
    folder
        The job's.
    where
        Who runs it, in a few words.
    """

    def __init__(self, folder: Path, where: str) -> None:
        self._folder = folder
        self._attempt, self._heard, self._size, self._is_over = "", 0, 0, False
        self.say(f"handed to {where}")

    def say(self, text: str) -> None:
        """Tell a step of the server's own among the job's events."""
        self._append(event_line(text))

    def take(self, told: object) -> None:
        """Write down what a job tells on the way; nothing that is damaged, or comes too late."""
        if self._is_over:
            return
        try:
            head, content = read_message(told)
        except InputError as error:
            self._is_over = True
            self.say(f"what its worker tells is damaged, and no longer heard: {error}")
            return
        self._begin(head)
        if head.name == EVENTS and head.at == self._heard:
            self._append(content)
            self._heard += len(content)
        elif head.name in TOLD:
            self._put(head.name, content)

    def close(self) -> None:
        """Take nothing more that is told: what the job leaves is written next, in whichever thread."""
        self._is_over = True

    def end(self, answer: object) -> str:
        """Write down what a job left, its outcome last.

        Returns
        -------
        How its process ended.

        Raises
        ------
        InputError
            If the answer is damaged: nothing of it is written then, and no outcome stands.
        OSError
            If it cannot be written: no outcome stands.
        """
        self.close()
        try:
            return self._left(checked(answer, JobAnswer))
        except (InputError, OSError):
            (self._folder / OUTCOME).unlink(missing_ok=True)
            raise

    def _left(self, found: JobAnswer) -> str:
        self._begin(ToldHead(attempt=found.attempt, name=EVENTS))
        files = dict(found.files)
        self._append(files.pop(EVENTS, b"")[self._heard :])
        if found.lost:
            self.say("some of its files were too many or too large to be brought back")
        for name in sorted(files, key=OUTCOME.__eq__):
            self._put(name, files[name])
        return found.said

    def _begin(self, head: ToldHead) -> None:
        """Note which run of the job speaks: one whose worker dies is run again from its beginning."""
        if head.attempt != self._attempt:
            if self._attempt:
                self.say("its worker was lost: it is run again")
                for name in reversed(TOLD):  # the outcome first: it stands only where the others do
                    (self._folder / name).unlink(missing_ok=True)
            self._attempt, self._heard = head.attempt, 0

    def _append(self, lines: bytes) -> None:
        if self._size + len(lines) <= MOST_STORED:
            self._size += len(lines)
            with (self._folder / EVENTS).open("ab") as stream:
                stream.write(lines)

    def _put(self, name: str, content: bytes) -> None:
        path = self._folder / name
        if name.startswith(f"{REPORT}/"):
            path.parent.mkdir(parents=True, exist_ok=True)
        with atomically(path) as stream:
            stream.write(content)
