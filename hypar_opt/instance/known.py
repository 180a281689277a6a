"""Which fields a mapping in an instance file may have."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from pydantic import BaseModel

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from hypar_opt.instance.wording import FieldPath


def known_fields(root: type[BaseModel], path: FieldPath) -> dict[str, FieldInfo]:
    """Return the fields, by the names that files use, of the mapping at a path.

    Parameters
    ----------
    root
        What the whole file is.
    path
        Of the mapping; its keys are known ones.
    """
    fields = _named(root)
    for part in path:
        if isinstance(part, str):
            fields = _named(_model_in(fields[part].annotation))
    return fields


def _named(model: type[BaseModel] | None) -> dict[str, FieldInfo]:
    return {info.alias or name: info for name, info in model.model_fields.items()} if model else {}


def _model_in(annotation: object) -> type[BaseModel] | None:
    """Return the mapping inside an annotation such as `tuple[LayerSpec, ...]` or `ConvSpec | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, get_args(annotation))), None)
