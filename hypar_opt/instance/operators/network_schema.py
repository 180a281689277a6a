"""What stands under `network:` where a network is one of operators."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias

from pydantic import BeforeValidator, Field, WithJsonSchema, create_model, model_validator

from hypar_opt.instance.fields import Given, LayerName, Name, Size, Spec, refusal
from hypar_opt.instance.limits import MOST_LAYERS
from hypar_opt.instance.operators.layers import KINDS
from hypar_opt.instance.operators.layers.dimensions import SHAPE_SCHEMA, SIZE_SCHEMA, checked_size, checked_sizes
from hypar_opt.instance.text import shown

BLOCK: Final = "block"
"""What layers that are repeated read: what stands before the first of them, or came out of those before."""
SHAPES: Final = {
    1: ("features",),
    2: ("channels", "length"),
    3: ("channels", "height", "width"),
    4: ("channels", "depth", "height", "width"),
}
"""The names of the dimensions where a shape is a list of so many sizes."""
_SHAPE_SCHEMA: Final[dict[str, Any]] = {
    "anyOf": [
        {"type": "array", "items": SIZE_SCHEMA, "minItems": 1, "maxItems": len(SHAPES)},
        {**SHAPE_SCHEMA, "minProperties": 0},
    ]
}


def _shape(value: object) -> object:
    if isinstance(value, dict):
        return checked_sizes(value) if value else {}
    if not isinstance(value, list | tuple) or len(value) not in SHAPES:
        raise refusal(
            "expected names of dimensions with their sizes, [features], [channels, length], [channels, height, width] "
            f"or [channels, depth, height, width], got {shown(value)}"
        )
    return tuple(checked_size(size, name) for name, size in zip(SHAPES[len(value)], value, strict=True))


OperatorShape: TypeAlias = Annotated[
    tuple[int, ...] | dict[str, int], BeforeValidator(_shape), WithJsonSchema(_SHAPE_SCHEMA)
]
"""Of one sample of an input: sizes, or sizes by names."""


def named(shape: tuple[int, ...] | dict[str, int]) -> tuple[tuple[str, int], ...]:
    """Return the dimensions of a shape with their names."""
    return tuple(shape.items()) if isinstance(shape, dict) else tuple(zip(SHAPES[len(shape)], shape, strict=True))


def _no_block(name: str) -> str:
    if name == BLOCK:
        raise refusal("'block' is the name of what repeated layers read")
    return name


class RepeatSpec(Spec):
    """Layers that are repeated, each time with parameters of their own."""

    times: Size = Field(description="how often")
    layers: Annotated[tuple[OperatorLayerSpec, ...], Field(strict=False)] = Field(
        min_length=1, description="the layers; the first reads `block` unless it says otherwise"
    )


class LayerFields(Spec):
    """A layer: a name, what it reads, and exactly one kind."""

    name: LayerName = Field(description="name of the layer, unique among those beside it")
    inputs: Annotated[tuple[Name, ...] | None, Field(strict=False, min_length=1), Given] = Field(
        None, description="names of the layers and inputs that it reads; the layer above it unless given"
    )
    shared: Annotated[Name | None, Given] = Field(None, description="the layer whose parameters it uses")
    repeat: Annotated[RepeatSpec | None, Given] = Field(None, description="layers that are repeated")

    @model_validator(mode="after")
    def _is_one_kind(self) -> LayerFields:
        _no_block(self.name)
        kinds = (*KINDS, "repeat")
        given = [kind for kind in kinds if kind in self.model_fields_set]
        if len(given) != 1:
            got = f"several: {', '.join(given)}" if given else "none"
            raise refusal(f"expected one of {', '.join(kinds)}, got {got}")
        return self

    @property
    def kind(self) -> str:
        """The field that says what it does."""
        return next(kind for kind in (*KINDS, "repeat") if getattr(self, kind) is not None)


OperatorLayerSpec: type[LayerFields] = create_model(  # type: ignore[call-overload]
    "OperatorLayerSpec",
    __base__=LayerFields,
    __doc__=LayerFields.__doc__,
    **{kind.name: (Annotated[kind.spec | None, Given], Field(None, description=kind.about)) for kind in KINDS.values()},
)
"""A layer with a field for each kind that there is."""
RepeatSpec.model_rebuild()
LayerFields.model_rebuild()
OperatorLayerSpec.model_rebuild(force=True)


class OperatorNetworkSpec(Spec):
    """A network of operators: the shapes of one sample's inputs, and the layers."""

    input: Annotated[OperatorShape | None, Given] = Field(
        None, description="shape of one sample, [channels, height, width], [features] or names with sizes"
    )
    inputs: Annotated[dict[LayerName, OperatorShape] | None, Given] = Field(
        None, description="by name, where there are several inputs"
    )
    layers: Annotated[tuple[OperatorLayerSpec, ...], Field(strict=False)] = Field(
        min_length=1, max_length=MOST_LAYERS, description="the layers; a chain unless `inputs` says otherwise"
    )

    @model_validator(mode="after")
    def _has_input(self) -> OperatorNetworkSpec:
        if (self.input is None) == (self.inputs is None):
            got = "neither" if self.input is None else "both"
            raise refusal(f"expected `input`, or `inputs` with names, got {got}")
        if self.inputs is not None and (not self.inputs or BLOCK in self.inputs):
            raise refusal("expected names of inputs, none of them 'block'", "inputs")
        return self
