"""Pipelines in files of other projects, read as instances: every module here says in `PIPELINES` what it adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.importers.pipelines.format import PipelineWishes
from hypar_opt.importers.pipelines.made import MadePipeline
from hypar_opt.instance.formats.format import File
from hypar_opt.util.errors import InputError
from hypar_opt.util.lazy import records_of

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.importers.pipelines.format import PipelineFormat

__all__ = ["MadePipeline", "PipelineWishes", "import_pipeline"]
EXPECTED: Final = "a text file"


def import_pipeline(path: Path, wishes: PipelineWishes | None = None) -> MadePipeline:
    """Return the pipeline of a file of another project, told by what is in it.

    Parameters
    ----------
    wishes
        What the file does not say.

    Raises
    ------
    InputError
        If it is of no format that is known, something in it is wrong, or something is wished that it says itself.
    """
    asked = wishes or PipelineWishes()
    file = File(path, EXPECTED)
    formats: list[PipelineFormat] = records_of(__name__, __path__, "PIPELINES")
    one = next((one for one in formats if one.recognises(file.text)), None)
    if one is None:
        known = "; ".join(f"{one.name} ({one.about})" for one in formats)
        raise InputError(f"is no pipeline of a format that is known: {known}", file=path)
    one.check(asked)
    return asked.met_by(one.read(file, asked))
