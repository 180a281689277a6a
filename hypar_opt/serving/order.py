"""What a worker is told to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import BeforeValidator, Field

from hypar_opt.errors import InputError
from hypar_opt.instance.fields import Spec
from hypar_opt.serving.asked import Asked
from hypar_opt.serving.places import INSTANCE, JOB
from hypar_opt.serving.stored import is_regular, read_stored

if TYPE_CHECKING:
    from pathlib import Path


def _with_instance(asked: object) -> object:
    return asked | {"instance": "in its file", "shipped": None} if isinstance(asked, dict) else asked


class Order(Spec):
    """A job's limits, and what is wanted; the texts that go with it are in files of their own."""

    memory: int = Field(ge=1, le=2**62, description="bytes")
    time_s: float = Field(gt=0, le=2**62, allow_inf_nan=False, description="seconds, in all")
    asked: Annotated[Asked, BeforeValidator(_with_instance)] = Field(description="what is wanted")


def read_order(folder: Path) -> Order:
    """Return what the worker of a folder is told to do.

    Raises
    ------
    InputError
        If that is damaged, there is no instance, or something else than files waits for the worker.
    """
    for path in (folder / INSTANCE, *(folder.iterdir() if folder.is_dir() else ())):
        if not is_regular(path):
            raise InputError("expected a regular file", file=path.name)
    return read_stored(folder / JOB, Order)
