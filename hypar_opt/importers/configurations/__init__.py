"""Configurations of Hugging Face's transformers: a record a type of model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.importers.configurations import bert, gpt2, llama, vit

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.importers.configurations.blocks import ConfiguredNetwork
    from hypar_opt.importers.configurations.configuration import Configuration


@dataclass(frozen=True)
class ModelType:
    """A type of model.

    Parameters
    ----------
    name
        As `model_type` of configurations has it.
    defaults
        The fields that transformers itself takes where a configuration leaves them out.
    positions
        The field with the longest sequence; empty where there is none.
    network
        From a configuration with these defaults and the length of the sequence to the layers.
    """

    name: str
    defaults: Mapping[str, Any]
    positions: str
    network: Callable[[Configuration, int], ConfiguredNetwork]


LONGEST: Final = "max_position_embeddings"
MODEL_TYPES: Final[Mapping[str, ModelType]] = MappingProxyType(
    {
        one.name: one
        for one in (
            ModelType("bert", bert.DEFAULTS, LONGEST, bert.bert),
            ModelType("gpt2", gpt2.DEFAULTS, "n_positions", gpt2.gpt2),
            ModelType("llama", llama.DEFAULTS, LONGEST, llama.llama),
            ModelType("mistral", llama.MISTRAL, LONGEST, llama.mistral),
            ModelType("mixtral", llama.MIXTRAL, LONGEST, llama.mixtral),
            ModelType("vit", vit.DEFAULTS, "", vit.vit),
        )
    }
)
"""By name."""
