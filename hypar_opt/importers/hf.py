"""Configurations of Hugging Face's transformers: files and folders that are here; nothing is fetched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from hypar_opt.importers.configurations import MODEL_TYPES
from hypar_opt.importers.configurations.configuration import Configuration
from hypar_opt.importers.instance import Imported, instance_of
from hypar_opt.importers.layers.functions import is_activation
from hypar_opt.instance.formats import read_document
from hypar_opt.instance.shipped import is_there
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.importers.configurations import ModelType
    from hypar_opt.importers.wishes import Wishes

BATCH: Final = 8
"""Samples in a step unless told."""
FUNCTIONS: Final = ("hidden_act", "activation_function")
"""Fields of configurations that name a function of elements."""
SEQUENCE: Final = 4_096
"""The longest sequence that is taken unless told; configurations name up to a million positions."""


def read_configuration(model: str, wishes: Wishes) -> Imported:
    """Return the instance that a configuration says.

    Parameters
    ----------
    model
        A file, a folder with a `config.json`, or a type of model, whose defaults are meant.
    wishes
        Of sizes, `sequence` alone has a meaning.

    Raises
    ------
    InputError
        If it is none of them, something in it is wrong, or it is of a type that is not known.
    """
    said, kind, name = _found(model)
    unknown = next((one for one in wishes.sizes if one != "sequence" or not kind.positions), None)
    if unknown is not None:
        known = f"expected sequence{did_you_mean(unknown, ('sequence',))}" if kind.positions else "there is none"
        raise InputError(f"{kind.name} has no dimension '{unknown}' without a size; {known}", field="--dim")
    longest = said.size(kind.positions) if kind.positions else 1
    network = kind.network(said, wishes.sizes.get("sequence", min(longest, SEQUENCE)))
    try:
        made = instance_of(
            name,
            wishes.batch or BATCH,
            network.inputs,
            [*network.layers, *([{"name": "loss", "loss": {}}] if wishes.has_loss else [])],
            element_bytes=said.element_bytes,
        )
    except InputError as error:  # its fields do not go together: what they come to is named, as no line says that
        raise InputError(f"what it comes to is no network: {error}", file=said.path) from None
    comments = (f"{name}: a configuration of Hugging Face's transformers, {kind.name}.",)
    return Imported(made, comments, (*network.notes, *_unknown_functions(said)))


def _unknown_functions(said: Configuration) -> Iterator[str]:
    """Yield which functions of elements have no name here, so that exported programs compute another."""
    for field in FUNCTIONS:
        called = said.data.get(field)
        if called is not None and not is_activation(str(called)):
            yield f"{field}: {shown(called)} has no name here; it moves as many bytes as relu, which programs compute"


def _found(model: str) -> tuple[Configuration, ModelType, str]:
    path = Path(model)
    if not is_there(path):
        if model in MODEL_TYPES:
            return Configuration(MODEL_TYPES[model].defaults), MODEL_TYPES[model], model
        raise InputError(
            f"neither a file, a folder with a config.json, nor one of {', '.join(MODEL_TYPES)}, whose defaults are "
            f"taken{did_you_mean(model, MODEL_TYPES)}. Nothing is fetched from a hub: download the model's config.json",
            file=model,
        )
    name = path.resolve().name if path.is_dir() else path.resolve().parent.name if path.stem == "config" else path.stem
    file = path / "config.json" if path.is_dir() else path
    data = read_document(file).data
    kind = Configuration(data, file).choice("model_type", MODEL_TYPES, "")
    return Configuration({**MODEL_TYPES[kind].defaults, **data}, file), MODEL_TYPES[kind], name or kind
