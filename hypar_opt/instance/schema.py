"""What an instance file says, as a whole."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hypar_opt.instance.cost_schema import ArraySpec, CostSpec, Objective
from hypar_opt.instance.fields import Name, Size, Spec
from hypar_opt.instance.network_schema import NetworkSpec


class FileRef(Spec):
    """A part that stands in a file of its own."""

    file: Annotated[str, Field(min_length=1)] = Field(
        description="path of the file, relative to the folder of the file that names it"
    )


class InstanceSpec(Spec):
    """An instance: a network, an array of accelerators, a batch size and a way of counting cost.

    References to files are resolved before: here network and array are inline.
    """

    schema_version: Literal["hypar-opt/instance/1"] = Field(
        alias="schema", description="version of the format, hypar-opt/instance/1"
    )
    name: Name = Field(description="name of the instance")
    batch: Size = Field(description="samples in a training step")
    network: NetworkSpec = Field(description="the network")
    array: ArraySpec = Field(description="the array of accelerators")
    cost: CostSpec = Field(default_factory=CostSpec, description="how a plan is charged")
    objective: Objective = Field(
        default_factory=lambda: {"communication": 1},
        validate_default=True,
        description="weights by component of the cost, exact decimals",
    )
    fix: dict[str, str] = Field(
        default_factory=dict,
        description="strategies that are given: a word by layer, one letter (d, m, o) a level, root first",
    )
