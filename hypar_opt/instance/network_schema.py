"""What stands under `network:`."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from hypar_opt.instance.element_functions import ActivationName
from hypar_opt.instance.fields import Given, InputShape, LayerName, Name, Pair, PairFromZero, Size, Spec, refusal
from hypar_opt.instance.limits import MOST_LAYERS


class ConvSpec(Spec):
    """A convolution."""

    filters: Size = Field(description="number of output channels")
    kernel: Pair = Field(description="size of the kernel")
    stride: Pair = Field((1, 1), description="step between positions")
    pad: PairFromZero = Field((0, 0), description="rows and columns of zeros on each side")
    groups: Size = Field(1, description="channels and filters are divided into so many separate groups")
    dilation: Pair = Field((1, 1), description="distance between the kernel's elements")


class LinearSpec(Spec):
    """A fully connected layer; flattens what it gets."""

    features: Size = Field(description="number of outputs")
    in_features: Size | None = Field(
        default=None, description="number of inputs; not needed, and checked against the shape where it is given"
    )


class PoolSpec(Spec):
    """Pooling; rounds down."""

    kernel: Pair = Field(description="size of the window")
    stride: Annotated[Pair | None, Given] = Field(
        None, description="step between positions, the kernel's size unless given"
    )
    pad: PairFromZero = Field((0, 0), description="rows and columns of padding on each side")
    kind: Literal["max", "avg"] = Field("max", description="largest value or average")


class GlobalPoolSpec(Spec):
    """Pooling over the whole map, to one value a channel."""

    kind: Literal["max", "avg"] = Field("avg", description="largest value or average")


class ActivationSpec(Spec):
    """An element-wise function."""

    kind: ActivationName = Field("relu", description="which function")


class AssumeSpec(Spec):
    """A shape that is taken as given."""

    shape: InputShape = Field(description="of one sample: [channels, height, width] or [features]")


class EmptySpec(Spec):
    """A layer without parameters, written {}."""


class LayerSpec(Spec):
    """A layer: a name, what it reads, and exactly one kind."""

    name: LayerName = Field(description="name of the layer, unique in the network")
    inputs: Annotated[tuple[Name, ...] | None, Field(strict=False, min_length=1), Given] = Field(
        None, description="names of the layers that it reads, or `input`; the layer above it unless given"
    )
    conv: Annotated[ConvSpec | None, Given] = Field(None, description="a convolution")
    linear: Annotated[LinearSpec | None, Given] = Field(None, description="a fully connected layer")
    pool: Annotated[PoolSpec | None, Given] = Field(None, description="max or average pooling")
    global_pool: Annotated[GlobalPoolSpec | None, Given] = Field(None, description="pooling over the whole map")
    flatten: Annotated[EmptySpec | None, Given] = Field(None, description="makes features of a map")
    activation: Annotated[ActivationSpec | None, Given] = Field(None, description="an element-wise function")
    add: Annotated[EmptySpec | None, Given] = Field(None, description="sum of two or more layers of one shape")
    concat: Annotated[EmptySpec | None, Given] = Field(
        None, description="two or more layers side by side along the channels"
    )
    assume: Annotated[AssumeSpec | None, Given] = Field(
        None, description="a shape that what follows reads, whatever is written: of sources whose shapes do not follow"
    )

    @model_validator(mode="after")
    def _one_kind(self) -> LayerSpec:
        given = [name for name in self.model_fields_set if name in LAYER_KINDS]
        if not given:
            raise refusal(f"expected one of {', '.join(LAYER_KINDS)}, got none")
        if len(given) > 1:
            kinds = ", ".join(kind for kind in LAYER_KINDS if kind in given)
            raise refusal(f"expected one of {', '.join(LAYER_KINDS)}, got several: {kinds}")
        return self


class NetworkSpec(Spec):
    """A network: the shape of one input and the layers."""

    input: InputShape = Field(description="shape of one sample: [channels, height, width] or [features]")
    layers: Annotated[tuple[LayerSpec, ...], Field(strict=False)] = Field(
        min_length=1, max_length=MOST_LAYERS, description="the layers; a chain unless `inputs` says otherwise"
    )


LAYER_KINDS = tuple(name for name in LayerSpec.model_fields if name not in ("name", "inputs"))
"""The fields that say what a layer does."""
KIND_SPECS = {name: get_args(LayerSpec.model_fields[name].annotation)[0] for name in LAYER_KINDS}
"""What each of them says, by field."""
