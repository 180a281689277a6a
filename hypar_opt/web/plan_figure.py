"""The figure of a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field

from hypar_opt.instance.fields import Spec
from hypar_opt.web.job_files import PICTURE, is_there, read_stored

if TYPE_CHECKING:
    from pathlib import Path


class PlanFigure(Spec):
    """A figure as pages draw it."""

    title: str = Field(description="what it shows")
    alternative: str = Field(description="what it shows, in words")
    spec: dict[str, Any] = Field(description="for Vega-Lite")


def read_picture(folder: Path) -> PlanFigure | None:
    """Return a job's figure; None where there is none.

    Raises
    ------
    InputError
        If its file is damaged.
    """
    return read_stored(folder / PICTURE, PlanFigure) if is_there(folder / PICTURE) else None
