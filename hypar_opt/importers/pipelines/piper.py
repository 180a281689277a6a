"""Inputs of Piper (Tarnawski et al., NeurIPS 2021): told, and refused with what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

from hypar_opt.importers.pipelines.format import PipelineFormat
from hypar_opt.importers.pipelines.json_fields import looks_like
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from hypar_opt.importers.pipelines.format import PipelineWishes
    from hypar_opt.instance.formats.format import File


def _read(file: File, _: PipelineWishes) -> NoReturn:
    raise InputError(
        "is an input of Piper, which is not read yet: a stage there is also split inside (TMPCs) and may compute "
        "activations anew, and what it keeps grows with the replicas of all stages behind it; a pipeline's stages here "
        "keep what their operators do",
        file=file.path,
        field="nodes",
    )


PIPELINES: Final = (
    PipelineFormat(
        "Piper", "JSON with TMPCs; not read yet", lambda text: looks_like(text, "TMPCs", "maxDevices"), _read, (), 200
    ),
)
